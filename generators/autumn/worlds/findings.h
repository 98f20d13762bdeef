/* What a review of a world finds (generators/autumn/worlds/review.h), as numbers and sentences. */
#ifndef SB_AUTUMN_FINDINGS_H
#define SB_AUTUMN_FINDINGS_H

#include "generators/autumn/worlds/start.h"

enum {
    /* starts that are drawn in each difficulty, more if none of them is accepted */
    SB_REVIEW_STARTS = 100,
    SB_REVIEW_EVALUATIONS = 800000000, /* expressions that a review may evaluate */
    SB_REVIEW_FINDINGS = 64,           /* most findings; further ones are dropped */
    SB_REVIEW_TEXT = 360
};

/* What was counted in one difficulty. */
typedef struct sb_review_facts {
    uint32_t drawn, accepted; /* starts that were drawn, and accepted: attempt 0 of the seeds 0, 1, ... */
    uint32_t undecided;       /* drawn starts for whose search the review had too few evaluations */
    uint32_t refused[SB_WORLD_N_REFUSALS];
    uint32_t won_at_once, lost_at_once;
    /* starts from which plays were searched; impossible: proved to have none */
    uint32_t searched, solved, impossible;
    int32_t least, median, most; /* steps of the shortest plays that were found */
    uint32_t plays, won, lost;   /* plays by random actions, one from each start that was kept */
    bool is_used_up;             /* the evaluations did not suffice for everything */
} sb_review_facts;

typedef struct sb_review_finding {
    bool is_wrong;             /* the world is useless as it is, or what it claims is false; otherwise advice */
    uint32_t line, column;     /* from 1; 0: no place */
    char text[SB_REVIEW_TEXT]; /* one line: what is so, and what to do */
} sb_review_finding;

typedef struct sb_review {
    size_t n_difficulties;
    char words[SB_AUTUMN_DIFFICULTIES_MAX][SB_AUTUMN_WORD_MAX + 1]; /* names of difficulties */
    sb_review_facts facts[SB_AUTUMN_DIFFICULTIES_MAX];
    sb_review_finding findings[SB_REVIEW_FINDINGS];
    size_t n_findings;
    uint32_t n_looks;           /* different frames whose states were compared */
    char hides[SB_REVIEW_TEXT]; /* variables in which states that look the same differ: "`a`, `b`" */
    uint32_t n_twins;           /* pairs of states that look alike and differ, whose shortest plays were compared */
    /* modes in which some states that look alike need different actions: "`frame`, `ascii`" */
    char blind[SB_REVIEW_TEXT];
    char needs[2 * SB_REVIEW_TEXT]; /* a pair of states that look alike and need different actions, in a sentence */
    uint32_t n_bounds;              /* states in which `bound` was compared with shortest plays, and held */
    bool is_wrong;                  /* a finding says that the world is useless, or that a claim is false */
} sb_review;

#endif
