/* What the agents of a dataset are shown when they play other episodes: those to evaluate with. */
#ifndef SB_DATASETS_EVALUATED_H
#define SB_DATASETS_EVALUATED_H

#include "datasets/key_set.h"
#include "datasets/schedule.h"

/* The most episodes that are played to say how much of an evaluation stands in a dataset. */
enum { SB_EVALUATED_MOST = 256 };

typedef struct sb_evaluated {
    sb_key_set shown[SB_FORMATS_MAX]; /* of each format with prompts, the keys of what is shown (sb_row_hash.shown) */
    size_t listed, played;            /* episodes to evaluate with, and those of them that were played */
} sb_evaluated;

/* Selects the episodes of the evaluation lists of all tasks and difficulties that occur; none if they have no lists.
 * The caller frees the selection. */
bool sb_evaluated_lists(const sb_schedule *schedule, sb_selection *episodes, sb_error *error);
/* Selects the episodes of a list of names. */
bool sb_evaluated_names(const sb_schedule *schedule, const cJSON *names, sb_selection *episodes, sb_error *error);

/* Lets the dataset's agents play at most `most` of the episodes (0: all), evenly spread, and notes what the rows of
 * each format show, whatever the recipe leaves out or filters. Episodes that cannot be made are passed over. The caller
 * frees `evaluated`, also after a failure. */
bool sb_evaluated_play(const sb_schedule *schedule, const sb_selection *episodes, size_t most, size_t jobs,
                       sb_evaluated *evaluated, sb_error *error);
void sb_evaluated_free(sb_evaluated *evaluated);

/* Leaves only the formats with prompts in a copy of a schedule; at[k] is the place of the k-th in the schedule. */
void sb_keep_asking(sb_schedule *copy, size_t at[SB_FORMATS_MAX]);

#endif
