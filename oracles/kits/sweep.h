/* Sweeps: a short way past many cells, for searching them one after the other. It begins with the nearest cell and so
 * on, and is improved by reversing pieces until nothing makes it shorter. The steps grow with the square of the number
 * of cells. */
#ifndef SB_ORACLES_SWEEP_H
#define SB_ORACLES_SWEEP_H

#include "engine/gridworld/search.h"

enum { SB_SWEEP_CELLS = 256 };

typedef struct sb_sweep {
    int n;
    int16_t cell[SB_SWEEP_CELLS]; /* cells to search, by index in the grid; sb_sweep_plan puts them in order */
    /* Working memory. */
    uint8_t apart[SB_SWEEP_CELLS + 1][SB_SWEEP_CELLS]; /* moves between cells; the last row is from the start */
    sb_reach reach;
} sb_sweep;

/* Puts the n cells in order. All of them can be reached from `start`. Returns the length of the way in moves. */
int sb_sweep_plan(sb_sweep *r, const sb_episode *e, const sb_open *open, sb_xy start);

#endif
