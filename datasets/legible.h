/* Warns of pictures that are too small to tell everything. */
#ifndef SB_DATASETS_LEGIBLE_H
#define SB_DATASETS_LEGIBLE_H

#include "base/error.h"
#include "datasets/schedule.h"

/* Calls `note` (NULL: does nothing) for each format in which pictures of some tasks and difficulties are too small. */
void sb_note_small_pictures(const sb_schedule *schedule, sb_note *note, void *context);

#endif
