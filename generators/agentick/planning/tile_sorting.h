/* TileSorting's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_TILE_SORTING_H
#define SB_AGENTICK_TILE_SORTING_H

#include "engine/gridworld/episode.h"

enum { SB_TILE_SORTING_SIDE = 4 };

typedef struct sb_tile_sorting_vars {
    sb_xy start;
    int32_t side, offset; /* the puzzle has side x side cells, the first at (offset, offset) */
    int32_t n_home;       /* number of tiles that are at home */
} sb_tile_sorting_vars;

static inline int sb_tile_sorting_tiles(const sb_tile_sorting_vars *v) { return v->side * v->side - 1; }
/* Returns where a tile (counted from 1) belongs. */
static inline sb_xy sb_tile_sorting_home(const sb_tile_sorting_vars *v, int tile) {
    return sb_at(v->offset + (tile - 1) % v->side, v->offset + (tile - 1) / v->side);
}

extern const sb_task sb_tile_sorting;

#endif
