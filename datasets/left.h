/* What is left of a selection after the census (datasets/census.h), before anything is played. */
#ifndef SB_DATASETS_LEFT_H
#define SB_DATASETS_LEFT_H

#include "base/out.h"
#include "datasets/schedule.h"

enum { SB_LEFT_NAMED = 16 };

typedef struct sb_left {
    uint64_t selected, left;
    uint64_t guarded;                 /* left out because they are evaluation episodes or begin like one */
    size_t n_exhausted;               /* pairs of task and difficulty of which nothing is left */
    sb_name exhausted[SB_LEFT_NAMED]; /* the first of them; seeds do not count */
} sb_left;

/* Of these episodes of the schedule. */
sb_left sb_left_of(const sb_schedule *schedule, sb_range episodes);

/* Puts in a sentence what the guard of evaluation episodes takes, and which pairs are exhausted, if any are. */
void sb_left_put(const sb_left *left, sb_out *out);
/* Fails if nothing is left, with the ways out. */
bool sb_left_check(const sb_left *left, sb_error *error);

/* Puts the names of the exhausted pairs with commas between them. */
void sb_left_put_exhausted(const sb_left *left, sb_out *out);

#endif
