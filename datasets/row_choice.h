/* Which rows of a dataset are left out, if its recipe has rules for rows: those that repeat an earlier row of their
 * split, prompt and answer, and those whose prompt stands in rows to evaluate with.
 * (datasets/choosing.h finds out). One bit for a row and 8 bytes for an episode, for each format. */
#ifndef SB_DATASETS_ROW_CHOICE_H
#define SB_DATASETS_ROW_CHOICE_H

#include "datasets/recipe.h"

typedef struct sb_chosen_rows {
    uint64_t *first;  /* for each episode, and one more, the number of its first row, counted before any is left out */
    uint8_t *dropped; /* a bit for each of these rows */
    size_t n, capacity;
    uint64_t duplicates[SB_SPLITS_MAX],
        apart[SB_SPLITS_MAX]; /* of each split, how many are left out for which reason */
} sb_chosen_rows;

typedef struct sb_row_choice {
    sb_chosen_rows of[SB_FORMATS_MAX];
} sb_row_choice;

/* Adds the next row of the format. */
bool sb_chosen_rows_add(sb_chosen_rows *rows, bool dropped, sb_error *error);
void sb_row_choice_free(sb_row_choice *choice);
/* Removes the episode's rows that are left out from the end of the text, where they begin at `begin`. The choice may be
 * NULL. */
void sb_row_choice_apply(const sb_row_choice *choice, size_t format, size_t episode, sb_out *rows, size_t begin,
                         uint64_t *n_rows);

#endif
