/* DistributionShift's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_DISTRIBUTION_SHIFT_H
#define SB_AGENTICK_DISTRIBUTION_SHIFT_H

#include "engine/gridworld/area.h"

enum { SB_DISTRIBUTION_SHIFT_PHASES = 6, SB_DISTRIBUTION_SHIFT_GEMS = 5 };

/* As it was drawn: constant through the episode. */
typedef struct sb_distribution_shift_phase {
    int32_t kind; /* sb_phase_kind; unknown only where hidden variables were overwritten */
    sb_xy goal;
    sb_xy item; /* the key or the lever, if its kind has one */
    sb_xy cut;  /* the door or the barrier: there the way to the goal was cut */
    int32_t n_gems;
    sb_xy gem[SB_DISTRIBUTION_SHIFT_GEMS];
    sb_area floor; /* the cells of its maze that are no walls */
} sb_distribution_shift_phase;

typedef struct sb_distribution_shift_vars {
    sb_xy start;
    int32_t n_phases;
    int32_t done;      /* phases that are finished */
    int32_t gems_left; /* of the current phase */
    bool barrier_open; /* the lever of the current phase was pulled */
    sb_distribution_shift_phase phase[SB_DISTRIBUTION_SHIFT_PHASES];
} sb_distribution_shift_vars;

extern const sb_task sb_distribution_shift;

/* The phase in work; after the last it stays the last. */
static inline const sb_distribution_shift_phase *sb_distribution_shift_current(const sb_distribution_shift_vars *v) {
    return &v->phase[v->done < v->n_phases ? v->done : v->n_phases - 1];
}

/* Draws them all, for a number that is set already, and puts the agent on the start. */
void sb_distribution_shift_draw_phases(sb_episode *e, sb_rng *rng);
/* The current phase takes the grid, where the agent stands. */
void sb_distribution_shift_begin_phase(sb_episode *e);
/* What happens on the goal: the next phase begins, if there is one. */
void sb_distribution_shift_advance(sb_episode *e);

#endif
