/* What a state of a world shows an agent, as numbers that can be compared: what is drawn on top in each cell, with what
 * the modes `ascii`, `language` and `structured` tell of its object. */
#ifndef SB_ORACLES_AUTUMN_VIEW_H
#define SB_ORACLES_AUTUMN_VIEW_H

#include "generators/autumn/events.h"

/* Zeroed at first; sb_autumn_view_free frees the memory. */
typedef struct sb_autumn_view {
    uint32_t size;   /* size of the grid */
    uint32_t ground; /* a hash of the background's colour */
    uint64_t *cells; /* size * size hashes, row by row: the upper half of the type alone; 0: nothing is drawn there */
    uint32_t *tops;  /* scratch */
    size_t room;     /* cells that there is room for */
    uint64_t hash;   /* a hash of the whole view */
} sb_autumn_view;

/* Looks at a state. False: out of memory. */
bool sb_autumn_look(sb_autumn_view *view, const sb_autumn_state *state);
void sb_autumn_view_free(sb_autumn_view *view);

#endif
