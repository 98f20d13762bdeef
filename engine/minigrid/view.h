/* What the agent sees: a square of cells before it, cut off by walls and doors that are not open.
 *
 * View cell (i,j) of a view of size v (odd, 3 or more): i counts to the agent's right, j towards the agent, who is at
 * (v/2, v-1) looking at smaller j. */
#ifndef SB_MINIGRID_VIEW_H
#define SB_MINIGRID_VIEW_H

#include "engine/minigrid/world.h"

enum { SB_MG_VIEW_DEFAULT = 7, SB_MG_VIEW_MAX = 31 };

/* Which view cells are visible: bit i of row[j]. */
typedef struct sb_mg_visibility {
    int size;
    uint32_t row[SB_MG_VIEW_MAX];
} sb_mg_visibility;

void sb_mg_look(const sb_mg_world *w, int size, sb_mg_visibility *visibility);

static inline bool sb_mg_sees(const sb_mg_visibility *s, int i, int j) { return s->row[j] >> i & 1; }
/* The cell that a view cell shows; it may be outside of the grid, which looks like walls. */
static inline sb_xy sb_mg_viewed(const sb_mg_world *w, int size, int i, int j) {
    return sb_mg_plus(sb_mg_plus(w->agent, sb_mg_forward(w), size - 1 - j), sb_mg_rightward(w), i - size / 2);
}
/* The reverse; false if the cell is not in the square. */
bool sb_mg_view_cell(const sb_mg_world *w, int size, sb_xy at, int *i, int *j);
/* Whether a cell of the world is visible in a view that was looked at. */
bool sb_mg_sees_cell(const sb_mg_world *w, const sb_mg_visibility *visibility, sb_xy at);

/* The published observation: size * size * 3 bytes, (type, colour, state) of view cell (i,j) at 3 * (j * size + i). The
 * agent's own cell shows what it carries. (The published array is indexed [i][j].) */
void sb_mg_view(const sb_mg_world *w, int size, uint8_t *bytes);
/* (type, colour, state) of what a cell holds, the agent left out. */
void sb_mg_encode(const sb_mg_world *w, sb_xy at, uint8_t code[3]);

/* Observations as text (docs/babyai.md), by the mode's code. Modes that are not privileged tell nothing but what the
 * view of size 7 and the mission's text tell. */
void sb_mg_observe(const sb_mg_world *w, int mode, sb_out *out);
enum { SB_MG_N_MODES = 12 };
extern const sb_mode sb_mg_modes[SB_MG_N_MODES];
extern const char *const sb_mg_dataset_modes[];

/* The same as numbers: the published observation. */
enum { SB_MG_N_ARRAYS = 3 };
extern const sb_array sb_mg_arrays[SB_MG_N_ARRAYS];

#endif
