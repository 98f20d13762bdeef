/* What a review of a world finds (generators/autumn/worlds/review.h), as numbers and sentences. */
#ifndef SB_AUTUMN_FINDINGS_H
#define SB_AUTUMN_FINDINGS_H

#include "generators/autumn/worlds/start.h"

enum {
    SB_REVIEW_STARTS = 100,            /* that are drawn in each difficulty, more if none of them is accepted, */
    SB_REVIEW_EVALUATIONS = 800000000, /* as long as all that is done evaluates fewer expressions than this */
    SB_REVIEW_FINDINGS = 64,           /* at most; further ones are dropped */
    SB_REVIEW_TEXT = 360
};

/* What was counted in one difficulty. */
typedef struct sb_review_facts {
    uint32_t drawn, accepted; /* starts; attempt 0 of the seeds 0, 1, ... */
    uint32_t undecided;       /* of these, the review had too few evaluations for the search */
    uint32_t refused[SB_WORLD_N_REFUSALS];
    uint32_t won_at_once, lost_at_once;
    uint32_t searched, solved, impossible; /* starts from which plays were searched; impossible: proved */
    int32_t least, median, most;           /* steps of the shortest plays, of those that were solved */
    uint32_t plays, won, lost;             /* by random actions, one from each start that was kept */
    bool is_used_up;                       /* the evaluations did not suffice for everything */
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
    uint32_t n_looks;               /* states of which was seen whether others look the same and differ */
    char hides[SB_REVIEW_TEXT];     /* variables in which states that look the same differ: "`a`, `b`" */
    uint32_t n_twins;               /* pairs of states that look alike and differ, whose shortest plays were compared */
    char blind[SB_REVIEW_TEXT];     /* modes in which some of these pairs need different actions: "`frame`, `ascii`" */
    char needs[2 * SB_REVIEW_TEXT]; /* such a pair, in a sentence */
    uint32_t n_bounds;              /* states in which `bound` was compared with shortest plays, and held */
    bool is_wrong;                  /* one of the findings is */
} sb_review;

#endif
