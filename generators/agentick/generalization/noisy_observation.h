/* NoisyObservation's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_NOISY_OBSERVATION_H
#define SB_AGENTICK_NOISY_OBSERVATION_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/episode.h"

enum {
    SB_NOISY_OBSERVATION_SIDE = 13,
    SB_NOISY_OBSERVATION_DECOYS = 14,
    SB_NOISY_OBSERVATION_ROVERS = 6,
    SB_NOISY_OBSERVATION_GUARDS = 3,
    SB_NOISY_OBSERVATION_GHOSTS = 10
};

typedef struct sb_noisy_observation_vars {
    sb_xy start, goal;
    int32_t n_decoys, n_rovers, n_guards;
    sb_xy decoy[SB_NOISY_OBSERVATION_DECOYS]; /* where the decoys were at the start; the first n_rovers rove */
    sb_xy rover[SB_NOISY_OBSERVATION_ROVERS], guard[SB_NOISY_OBSERVATION_GUARDS];
    int32_t rover_heading[SB_NOISY_OBSERVATION_ROVERS]; /* index into sb_nswe */
    int32_t guard_heading[SB_NOISY_OBSERVATION_GUARDS];
    uint8_t n_ghosts, ghost[SB_NOISY_OBSERVATION_GHOSTS]; /* indices of cells, in the order of the draws */
    sb_area sites; /* where ghosts may appear: cells without a wall, the goal or a fixed decoy */
    uint32_t guard_seed, rover_seed, ghost_seed;
    sb_rng guard_rng, rover_rng; /* draw the next heading of a guard or rover that bounces */
    sb_rng ghost_rng;
} sb_noisy_observation_vars;

/* Returns how many decoys rove. */
int sb_noisy_observation_rovers(const sb_episode *e);
/* Returns whether a guard may enter a cell. Guards ignore each other, ghosts and the agent. */
bool sb_noisy_observation_guard_may_enter(const sb_episode *e, sb_xy to);

extern const sb_task sb_noisy_observation;

#endif
