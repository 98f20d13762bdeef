/* Herding's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_HERDING_H
#define SB_AGENTICK_HERDING_H

#include "engine/gridworld/episode.h"

enum { SB_HERDING_SHEEP = 5, SB_HERDING_PEN = 9, SB_HERDING_NEAR = 2 };

typedef struct sb_herding_vars {
    sb_xy start;
    int32_t n_sheep, n_pen;
    sb_xy pen_first, pen_last;           /* corners of the pen, both included */
    sb_xy pen[SB_HERDING_PEN];           /* cells of the pen in published order; the agent's start is left out */
    sb_xy sheep_start[SB_HERDING_SHEEP]; /* where the sheep were at the start */
    sb_xy sheep[SB_HERDING_SHEEP];       /* where the sheep are now, in the order in which they move */
    bool locked[SB_HERDING_SHEEP]; /* true from the step after a sheep came into the pen: it never moves again, and its
                                      cell shows an empty TARGET */
    uint32_t sheep_seed;
    sb_rng sheep_rng; /* draws whether a sheep wanders, and where */
} sb_herding_vars;

/* Sheep move in steps whose number is a multiple of this. */
extern const int8_t sb_herding_pace[SB_N_DIFFICULTIES];
/* The chance that a sheep farther than SB_HERDING_NEAR from the agent wanders when it may move. */
extern const double sb_herding_wanders;

bool sb_herding_is_pen(const sb_herding_vars *v, sb_xy p);

extern const sb_task sb_herding;

#endif
