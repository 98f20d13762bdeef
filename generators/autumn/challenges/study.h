/* A program that challenges are derived from, its start, and what can be reached from there. */
#ifndef SB_AUTUMN_STUDY_H
#define SB_AUTUMN_STUDY_H

#include "engine/autumn/autumn.h"
#include "generators/autumn/challenges/challenge.h"
#include "generators/autumn/challenges/mutations.h"
#include "generators/autumn/challenges/tracker.h"
#include "generators/autumn/challenges/walk.h"

/* The clean part of a program: what chance cannot touch (challenges 1). A static analysis marks variables as touched by
 * chance; the course of all others is the same in every realisation with the same actions. So some cells of a frame are
 * certain even where nobody can enumerate the draws. */

typedef struct sb_autumn_clean {
    const sb_autumn_program *program;
    bool *touched; /* by variable: chance may touch it */
    bool *paints;  /* by string: a touched variable may paint with it; in lower case */
    bool nothing;  /* chance may touch the grid or the background, so no cell is certain */
} sb_autumn_clean;

/* Finds the clean part of a program, which the caller frees. The program must outlive it. False: out of memory. */
bool sb_autumn_clean_find(const sb_autumn_program *program, sb_autumn_clean *clean);
void sb_autumn_clean_free(sb_autumn_clean *clean);

/* Finds out what the cells of a state's frame can show in any realisation of its course. `base` and `open` have room
 * for size * size items: what the clean variables make of a cell, the background if they leave it alone, and whether
 * touched variables may paint over that. */
void sb_autumn_clean_frame(const sb_autumn_clean *clean, const sb_autumn_state *state, uint32_t *base, bool *open);
/* Whether a frame of this size contradicts the clean part of a state with the same course of actions. `base` and `open`
 * are scratch memory for size * size items. */
bool sb_autumn_clean_contradicts(const sb_autumn_clean *clean, const sb_autumn_state *state, const uint32_t *frame,
                                 uint32_t size, uint32_t *base, bool *open);

/* States that were met, each with the shortest known way to it. */
typedef struct sb_autumn_met {
    sb_autumn_state *state;
    uint8_t *frame;
    uint32_t parent, depth, visits;
    sb_autumn_event event;
} sb_autumn_met;

enum { SB_AUTUMN_MET_MAX = 3000 };

struct sb_autumn_study {
    const char *name, *text;
    size_t n;
    char sha256[SB_SHA256_HEX];
    sb_autumn_program *program;
    sb_autumn_clean clean;
    bool draws; /* some step may draw */
    sb_autumn_mutations mutations;

    /* What belongs to the last seed. */
    bool started;
    uint64_t seed;
    uint32_t size, n_cells;
    sb_autumn_state *start; /* the start with the noise of the test */
    sb_autumn_state *a, *b; /* scratch */
    uint32_t *strings;      /* scratch: a frame */
    uint8_t *frame;         /* scratch: a frame */
    uint8_t *agreeing;      /* scratch: a count for each cell */

    /* What was met from the start. */
    uint64_t explored[2]; /* key of the start that was explored */
    bool is_explored;
    sb_autumn_met *met;
    uint32_t n_met, complete; /* complete: all states of fewer steps were met */
    uint32_t index[4 * SB_AUTUMN_MET_MAX];
    uint64_t (*keys)[2];
    uint32_t n_frames; /* different frames that were met */
    bool *shown;       /* by string: some frame has shown the colour */
    sb_rng rng;
    uint8_t *dull; /* frames that come by waiting or by repeating one action; NULL: not known yet */
    uint32_t n_dull;
    uint32_t unknown; /* attempts at the present challenge that a limit ended */
    /* attempts at the present challenge that found fewer contents than there are options */
    uint32_t few;
    uint32_t effort;           /* steps of trials for the present challenge */
    sb_start_watcher *watcher; /* who is told how far a derivation has come; NULL: nobody */
    void *watcher_context;
};

/* Tells the watcher how far a derivation has come. */
static inline void sb_autumn_study_tell(const sb_autumn_study *s, const char *what, size_t done, size_t of) {
    if (s->watcher) s->watcher(s->watcher_context, what, done, of);
}

/* Why an attempt failed. The text of the last reason is what an error tells. */
typedef enum sb_autumn_why {
    SB_AUTUMN_NOT_TRIED,
    SB_AUTUMN_AT_START,
    SB_AUTUMN_BY_WAITING,
    SB_AUTUMN_OTHER_LEVEL,
    SB_AUTUMN_NO_STATE,
    SB_AUTUMN_NEEDS_DRAWS,
    SB_AUTUMN_OUT_OF_REACH,
    SB_AUTUMN_EASY,
    SB_AUTUMN_UNKNOWN_ANSWER,
    SB_AUTUMN_UNCERTAIN,
    SB_AUTUMN_FEW_CONTENTS,
    SB_AUTUMN_FAILED_STEP,
    SB_AUTUMN_NOTHING_MATTERED,
    SB_AUTUMN_NO_LATENT,
    SB_AUTUMN_CHANGED_FAILS,
    SB_AUTUMN_RARELY_ACTS,
    SB_AUTUMN_SEEN_AT_ONCE,
    SB_AUTUMN_HARDLY_SEEN,
    SB_AUTUMN_UNKNOWN_CHANGE,
    SB_AUTUMN_NO_EXAMPLE,
    SB_AUTUMN_NO_RULE,
    SB_AUTUMN_NO_PROGRAM,
    SB_AUTUMN_N_WHYS
} sb_autumn_why;
extern const char *const sb_autumn_whys[SB_AUTUMN_N_WHYS];

/* What came of an attempt. */
typedef enum sb_autumn_try { SB_AUTUMN_FOUND, SB_AUTUMN_AGAIN, SB_AUTUMN_NEVER, SB_AUTUMN_NO_MEMORY } sb_autumn_try;

/* Starts the program with a seed, for the test. */
bool sb_autumn_study_start(sb_autumn_study *s, uint64_t seed, sb_error *error);
/* Meets states, breadth-first and then by walks. False: out of memory. */
bool sb_autumn_study_explore(sb_autumn_study *s);
/* Finds the frames that come from the start by waiting for 1000 steps, or by repeating one action of interest 100
 * times. False: out of memory. */
bool sb_autumn_study_find_dull(sb_autumn_study *s);
/* The generator of all choices of an attempt. */
sb_rng sb_autumn_attempt_rng(const sb_autumn_study *s, sb_autumn_challenge_kind kind, uint32_t level, uint64_t seed,
                             uint32_t attempt);

/* Writes a frame, one byte for each string; false: it has another size than the start, or too many strings. */
bool sb_autumn_study_frame(sb_autumn_study *s, const sb_autumn_state *state, uint8_t *frame);
/* A random agent's action: each key and a click anywhere, one in six (protocol 6). */
sb_autumn_event sb_autumn_random_event(sb_rng *rng, uint32_t size);
static inline uint32_t sb_autumn_below(sb_rng *rng, uint32_t n) { return (uint32_t)sb_bounded(rng, n - 1); }
static inline uint32_t sb_autumn_between(sb_rng *rng, const uint32_t band[2]) {
    return band[0] + sb_autumn_below(rng, band[1] - band[0] + 1);
}
/* Turns cells from strings of the program into colours of the challenge, to which new colours are added. */
bool sb_autumn_take_colours(sb_autumn_challenge *c, const sb_autumn_program *p, uint8_t *cells, size_t n);

/* Makes one attempt. The start and what can be reached from it must be known. The challenge is overwritten, and must be
 * cleared in any case. */
sb_autumn_try sb_autumn_attempt(sb_autumn_study *s, const sb_autumn_challenge_name *name, uint32_t number,
                                sb_autumn_challenge *c, sb_autumn_why *why);
sb_autumn_try sb_autumn_try_mfp(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why);
sb_autumn_try sb_autumn_try_planning(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why);
sb_autumn_try sb_autumn_try_change(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why);

/* For audits; `frames` and `goal` are strings of the program, one byte a cell. */
/* Whether the content of the mask is certain, by which proof, and from how many states at most (1: no draws). */
bool sb_autumn_is_certain(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames,
                          sb_autumn_proof *proof, uint32_t *largest);
bool sb_autumn_goal_holds(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal,
                          const sb_autumn_state *state);
/* Whether no action of the plan, and no pair, can be left out. */
bool sb_autumn_is_short(sb_autumn_study *s, const sb_autumn_challenge *c, uint8_t *goal);
uint32_t sb_autumn_horizon(const sb_autumn_challenge *c);
bool sb_autumn_is_of_level(const sb_autumn_challenge *c);
/* Whether the goal names no more cells than it may, the plan is no repetition of one action, and no more random agents
 * reach it than the level says; the error tells which is wrong. */
bool sb_autumn_is_goal(const sb_autumn_challenge *c, sb_error *error);
/* In how many cells a frame must differ on this level for the change to act in it. */
uint32_t sb_autumn_least_change(uint32_t level);
/* Whether the edits of a challenge are a mutation of its kind, at the place that its guard waits for. */
bool sb_autumn_is_mutation(const sb_autumn_study *s, const sb_autumn_challenge *c);
/* Whether s->frame shows these strings. */
bool sb_autumn_same(const sb_autumn_study *s, const uint32_t *shown);

bool sb_autumn_audit_mfp(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error);
bool sb_autumn_audit_planning(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error);
bool sb_autumn_audit_change(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error);

#endif
