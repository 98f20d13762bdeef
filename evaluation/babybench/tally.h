/* Averages over some of the marks, and the ways to group them. */
#ifndef SB_EVALUATION_BABYBENCH_TALLY_H
#define SB_EVALUATION_BABYBENCH_TALLY_H

#include "evaluation/babybench/marks.h"

enum { SB_CURVE_MAX = 64 /* points of a curve */, SB_MARK_GROUPS_MAX = 64, SB_MARK_GROUP_NAME = 32 };

typedef struct sb_mark_tally {
    size_t n, unreadable, counts[SB_MEASURES_MAX];
    double sums[SB_MEASURES_MAX];
    size_t solved[SB_CURVE_MAX]; /* Decompose: how many were solved with so many added subgoals */
    uint32_t most_help;          /* Decompose: the largest max_help */
} sb_mark_tally;

void sb_tally_mark(sb_mark_tally *tally, const sb_mark *mark);
/* The average of a measure, of which counts[k] is not 0. */
double sb_tally_mean(const sb_mark_tally *tally, const sb_measure *measure, int k);
/* Decompose: the share of answers that were solved with at most k added subgoals; the assistance curve. It has
 * sb_tally_points points, k = 0, 1, ...: ACI is the area below the curve of a single answer. */
size_t sb_tally_points(const sb_mark_tally *tally);
double sb_tally_solved(const sb_mark_tally *tally, size_t k);

typedef struct sb_mark_group {
    char name[SB_MARK_GROUP_NAME];
    int64_t place; /* groups are ordered by it */
    sb_mark_tally tally;
} sb_mark_group;

/* Groups marks as marks->by says: by skill (an answer counts in the group of every skill that its level takes), by
 * max_help in the bands of the paper, or by the size of the grid. Writes at most SB_MARK_GROUPS_MAX groups, in their
 * order. Fails if nothing can be grouped so. */
bool sb_marks_group(const sb_marks *marks, sb_mark_group *groups, size_t *n, sb_error *error);

#endif
