#include "oracles/kits/sweep.h"

/* Numbers of cells; START stands before the first one. */
enum { START = SB_SWEEP_CELLS };

static void measure(sb_sweep *r, const sb_episode *e, const sb_open *open, int row, sb_xy from) {
    sb_reach_from(&r->reach, e, open, from, sb_nswe);
    for (int i = 0; i < r->n; i++) r->apart[row][i] = (uint8_t)r->reach.distance[r->cell[i]];
}

static int begin_with_nearest(const sb_sweep *r, uint8_t order[SB_SWEEP_CELLS]) {
    int length = 0;
    for (int i = 0; i < r->n; i++) order[i] = (uint8_t)i;
    for (int i = 0; i < r->n; i++) {
        const uint8_t *apart = r->apart[i ? order[i - 1] : START];
        int nearest = i;
        for (int j = i + 1; j < r->n; j++)
            if (apart[order[j]] < apart[order[nearest]]) nearest = j;
        const uint8_t next = order[nearest];
        order[nearest] = order[i], order[i] = next;
        length += apart[next];
    }
    return length;
}

static void reverse(uint8_t *order, int i, int j) {
    for (; i < j; i++, j--) {
        const uint8_t cell = order[i];
        order[i] = order[j], order[j] = cell;
    }
}

/* Reverses the pieces that make the way shorter, and returns by how much it is shorter now. */
static int improve(const sb_sweep *r, uint8_t order[SB_SWEEP_CELLS]) {
    int saved = 0;
    for (int i = 0; i < r->n; i++)
        for (int j = i + 1; j < r->n; j++) {
            const uint8_t *before = r->apart[i ? order[i - 1] : START];
            int gain = before[order[i]] - before[order[j]];
            if (j + 1 < r->n) gain += r->apart[order[j]][order[j + 1]] - r->apart[order[i]][order[j + 1]];
            if (gain <= 0) continue;
            reverse(order, i, j);
            saved += gain;
        }
    return saved;
}

int sb_sweep_plan(sb_sweep *r, const sb_episode *e, const sb_open *open, sb_xy start) {
    uint8_t order[SB_SWEEP_CELLS];
    int16_t cell[SB_SWEEP_CELLS];
    for (int i = 0; i < r->n; i++) measure(r, e, open, i, sb_xy_of(e, r->cell[i]));
    measure(r, e, open, START, start);
    int length = begin_with_nearest(r, order);
    for (int saved; (saved = improve(r, order)) > 0;) length -= saved;
    for (int i = 0; i < r->n; i++) cell[i] = r->cell[order[i]];
    for (int i = 0; i < r->n; i++) r->cell[i] = cell[i];
    return length;
}
