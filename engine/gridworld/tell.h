/* What a task tells beside its grid, as named numbers: the rows of the array `told`, from which all texts are made
 * (observe/told.h). The codes and what they mean stand in seedbed/gridworld.h. */
#ifndef SB_GRIDWORLD_TELL_H
#define SB_GRIDWORLD_TELL_H

#include "engine/gridworld/episode.h"

typedef struct sb_told_row {
    int32_t what, which, value; /* what: sb_told_what */
} sb_told_row;

struct sb_told {
    sb_told_row rows[SB_TOLD_ROWS]; /* those from n on are zero */
    int n;
};

enum { SB_TOLD_COMMON = 2 /* rows that every task has */ };

/* Adds a row; there must be room for it. */
void sb_tell(sb_told *told, sb_told_what what, int which, int value);
/* Adds a meter's two rows, for a meter from 0 to 1 that was filled and drained by amounts of 0.03125 (2^-5) or more: it
 * is a multiple of 2^-57, and so it can be told exactly. */
void sb_tell_meter(sb_told *told, sb_object of, double meter);

/* What the task alone tells, which is what texts say in places of their own. */
void sb_tell_task(const sb_episode *e, sb_told *told);
/* All rows: those of every task and the task's own. */
void sb_tell_all(const sb_episode *e, sb_told *told);

#endif
