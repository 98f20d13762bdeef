/* DistributionShift's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_DISTRIBUTION_SHIFT_H
#define SB_AGENTICK_DISTRIBUTION_SHIFT_H

#include "engine/gridworld/area.h"

enum { SB_DISTRIBUTION_SHIFT_PHASES = 6, SB_DISTRIBUTION_SHIFT_GEMS = 5 };

/* A phase as it was drawn; it never changes. */
typedef struct sb_distribution_shift_phase {
    int32_t kind; /* sb_phase_kind; unknown only if hidden variables were masked */
    sb_xy goal;
    sb_xy item; /* the key or the lever, if the kind has one */
    sb_xy cut;  /* the door or the barrier: the cell that cuts off the goal */
    int32_t n_gems;
    sb_xy gem[SB_DISTRIBUTION_SHIFT_GEMS];
    sb_area floor; /* cells of the phase's maze that are not walls */
} sb_distribution_shift_phase;

typedef struct sb_distribution_shift_vars {
    sb_xy start;
    int32_t n_phases;
    int32_t done;      /* number of phases that are finished */
    int32_t gems_left; /* number of gems that are left in the current phase */
    bool barrier_open; /* whether the lever of the current phase was pulled */
    sb_distribution_shift_phase phase[SB_DISTRIBUTION_SHIFT_PHASES];
} sb_distribution_shift_vars;

extern const sb_task sb_distribution_shift;

/* Returns the current phase; after the last one, the last. */
static inline const sb_distribution_shift_phase *sb_distribution_shift_current(const sb_distribution_shift_vars *v) {
    return &v->phase[v->done < v->n_phases ? v->done : v->n_phases - 1];
}

/* Draws all v->n_phases phases and puts the agent on the start. n_phases must be set. */
void sb_distribution_shift_draw_phases(sb_episode *e, sb_rng *rng);
/* Draws the phases after the current one, which must be zeroed. */
void sb_distribution_shift_draw_later_phases(sb_episode *e, sb_rng *rng);
/* Builds the current phase on the grid, around the agent where it stands. */
void sb_distribution_shift_begin_phase(sb_episode *e);
/* Finishes the current phase and begins the next one, if there is one. */
void sb_distribution_shift_advance(sb_episode *e);

#endif
