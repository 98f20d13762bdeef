/* What the agent sees: a square of cells in front of it, as far as walls and closed doors do not block the view.
 *
 * View cell (i,j) of a view of size v (odd, 3 or more): i grows to the agent's right, j grows towards the agent. The
 * agent is at (v/2, v-1) and looks towards smaller j. */
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
/* Returns the grid's cell for a view cell. It may be outside the grid, where a view shows walls. */
static inline sb_xy sb_mg_viewed(const sb_mg_world *w, int size, int i, int j) {
    return sb_mg_plus(sb_mg_plus(w->agent, sb_mg_forward(w), size - 1 - j), sb_mg_rightward(w), i - size / 2);
}
/* Returns the view cell for a grid's cell; false if that is not in the square. */
bool sb_mg_view_cell(const sb_mg_world *w, int size, sb_xy at, int *i, int *j);
/* Returns whether a cell of the world is visible. */
bool sb_mg_sees_cell(const sb_mg_world *w, const sb_mg_visibility *visibility, sb_xy at);

/* Writes the published observation: size * size * 3 bytes, (type, colour, state) of view cell (i,j) at 3 * (j * size +
 * i). The agent's own cell shows what it carries. (The published array is indexed [i][j].) */
void sb_mg_view(const sb_mg_world *w, int size, uint8_t *bytes);
/* Writes (type, colour, state) of what a cell holds, without the agent. */
void sb_mg_encode(const sb_mg_world *w, sb_xy at, uint8_t code[3]);
/* Writes (type, colour, state) of what each cell holds, without the agent, row by row. */
void sb_mg_encode_all(const sb_mg_world *w, uint8_t *codes);

/* Prints an observation as text (docs/babyai.md) in the mode with this code. Modes that are not privileged show only
 * what the view of size 7 and the mission's text contain. */
void sb_mg_observe(const sb_mg_world *w, int mode, sb_out *out);
enum { SB_MG_N_MODES = 12 };
extern const sb_mode sb_mg_modes[SB_MG_N_MODES];
extern const char *const sb_mg_dataset_modes[];

/* The published observation as numbers. */
enum { SB_MG_N_ARRAYS = 3 };
extern const sb_array sb_mg_arrays[SB_MG_N_ARRAYS];

#endif
