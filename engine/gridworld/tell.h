/* The facts that a task tells beside its grid, as numbers: the rows of the array `told`, from which all texts are made
 * (observe/observe.h). seedbed/gridworld.h defines the codes. */
#ifndef SB_GRIDWORLD_TELL_H
#define SB_GRIDWORLD_TELL_H

#include "engine/gridworld/episode.h"

typedef struct sb_told_row {
    int32_t what, which, value; /* what: sb_told_what */
} sb_told_row;

struct sb_told {
    sb_told_row rows[SB_TOLD_ROWS]; /* unused rows are zero */
    int n;
};

enum { SB_TOLD_COMMON = 2 /* rows that every task has */ };

/* Adds a row; there must be room for it. */
void sb_tell(sb_told *told, sb_told_what what, int which, int value);
/* Adds the two rows of a meter. The meter goes from 0 to 1 in amounts of at least 0.03125 (2^-5), so it is a multiple
 * of 2^-57 and can be told exactly. */
void sb_tell_meter(sb_told *told, sb_object of, double meter);

/* Adds the task's own facts, which texts show in places of their own. */
void sb_tell_task(const sb_episode *e, sb_told *told);
/* Adds all rows: the common ones and the task's own. */
void sb_tell_all(const sb_episode *e, sb_told *told);

#endif
