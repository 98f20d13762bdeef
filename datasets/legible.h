/* Warns of rows that do not show what they seem to: of pictures that are too small to tell everything, and of prompts
 * that are not those which the model that played was asked. */
#ifndef SB_DATASETS_LEGIBLE_H
#define SB_DATASETS_LEGIBLE_H

#include "base/error.h"
#include "datasets/schedule.h"

/* Calls `note` (NULL: does nothing) for each format in which pictures of some tasks and difficulties are too small. */
void sb_note_small_pictures(const sb_schedule *schedule, sb_note *note, void *context);
/* The same for each format whose prompts have other templates than those in `about`, which is what the agent tells of
 * itself; NULL: nothing. */
void sb_note_other_prompts(const sb_schedule *schedule, const cJSON *about, sb_note *note, void *context);

#endif
