/* Finds out which rows are left out, if the recipe has rules for rows.
 *
 * That depends on all earlier rows. So every episode is played and rendered once before anything is written, and what
 * is left out is kept as one bit for a row and 8 bytes for an episode, for each format. In this first pass the keys of
 * all distinct rows are in memory (datasets/key_set.h): 24 to 48 bytes for each, and at most SB_ROW_CHOICE_MOST of
 * them. The choice depends only on the recipe, so parts, resumed builds, rendering, merging and verification agree
 * without sharing anything; those that have tapes read them instead of playing. */
#ifndef SB_DATASETS_CHOOSING_H
#define SB_DATASETS_CHOOSING_H

#include "datasets/schedule.h"

/* Keys of a format and a split that are kept in memory; they take 4 GiB. */
#define SB_ROW_CHOICE_MOST ((size_t)1 << 27)

/* Where tapes are read from: a path for each shard, or one file for all, as in sb_source. */
typedef struct sb_tapes_from {
    const char *const *of_shards;
    const char *one;
} sb_tapes_from;

/* Sets schedule->choice if the recipe has rules for rows. The census has to be taken. */
bool sb_row_choice_make(sb_schedule *schedule, sb_tapes_from tapes, size_t jobs, sb_error *error);

#endif
