/* The support tracker: which states a program can be in after what was done and shown (challenges 1).
 *
 * It begins with one known state. In each step it takes all outcomes of all states that it holds, whatever is drawn,
 * and keeps those whose frames fit what was shown. States with equal futures are kept once. Where a limit is hit, the
 * answer is `unknown` from then on, and a cloud of particles, which are states with random draws, can still show that a
 * course is possible. Particles prove nothing impossible. */
#ifndef SB_AUTUMN_TRACKER_H
#define SB_AUTUMN_TRACKER_H

#include "engine/autumn/autumn.h"

/* A cell that was not shown. It fits anything. */
#define SB_AUTUMN_UNSEEN UINT32_MAX

/* What was shown: size * size strings, row by row, as sb_autumn_frame writes them. */
typedef struct sb_autumn_shown {
    uint32_t size;
    const uint32_t *colours;
} sb_autumn_shown;

typedef enum sb_autumn_verdict {
    SB_AUTUMN_IMPOSSIBLE, /* no draws lead to what was shown; exact */
    SB_AUTUMN_POSSIBLE,   /* some draws lead to what was shown; exact */
    SB_AUTUMN_UNKNOWN     /* a limit was hit */
} sb_autumn_verdict;

/* Limits; 0 means the default. */
typedef struct sb_autumn_support_limits {
    uint32_t branches;  /* outcomes of one state in one step */
    uint32_t states;    /* states that are held */
    uint64_t total;     /* outcomes in all steps; default: no limit */
    uint32_t particles; /* default: none */
} sb_autumn_support_limits;

enum { SB_AUTUMN_BRANCHES = 20000, SB_AUTUMN_SUPPORT = 20000, SB_AUTUMN_PARTICLES = 1000 };

typedef struct sb_autumn_tracker sb_autumn_tracker;

/* Makes a tracker; `limits` may be NULL. The program must outlive the tracker. NULL: out of memory. */
sb_autumn_tracker *sb_autumn_tracker_new(const sb_autumn_program *program, const sb_autumn_support_limits *limits);
void sb_autumn_tracker_free(sb_autumn_tracker *tracker);

/* Begins with a state of this program, and only that. False: out of memory, here and below; the tracker must then begin
 * again. */
bool sb_autumn_tracker_begin(sb_autumn_tracker *tracker, const sb_autumn_state *state);
/* Makes `to`, a tracker of the same program with the same limits, equal to `from`. */
bool sb_autumn_tracker_copy(sb_autumn_tracker *to, const sb_autumn_tracker *from);
/* Takes a step: what was done, and what was shown after it. */
bool sb_autumn_tracker_step(sb_autumn_tracker *tracker, sb_autumn_event event, sb_autumn_shown shown,
                            sb_autumn_verdict *verdict);
/* Says what the verdict of a step would be, but does not take it. It stops at the first outcome that fits. */
bool sb_autumn_tracker_ask(sb_autumn_tracker *tracker, sb_autumn_event event, sb_autumn_shown shown,
                           sb_autumn_verdict *verdict);

/* The states that are possible now, unless the verdict is `unknown`. They belong to the tracker until its next step. */
size_t sb_autumn_tracker_n(const sb_autumn_tracker *tracker);
const sb_autumn_state *sb_autumn_tracker_at(const sb_autumn_tracker *tracker, size_t index);
/* The most states that were held after a step since the beginning, and whether any step of any state drew. */
size_t sb_autumn_tracker_largest(const sb_autumn_tracker *tracker);
bool sb_autumn_tracker_drew(const sb_autumn_tracker *tracker);

#endif
