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
    sb_xy decoy[SB_NOISY_OBSERVATION_DECOYS]; /* where they were at first; the first of them rove */
    sb_xy rover[SB_NOISY_OBSERVATION_ROVERS], guard[SB_NOISY_OBSERVATION_GUARDS];
    int32_t rover_heading[SB_NOISY_OBSERVATION_ROVERS]; /* index into sb_nswe */
    int32_t guard_heading[SB_NOISY_OBSERVATION_GUARDS];
    uint8_t n_ghosts, ghost[SB_NOISY_OBSERVATION_GHOSTS]; /* cells, by index, in the order in which they were drawn */
    sb_area sites; /* what is neither WALL nor the goal nor a decoy that stays: where ghosts may come to be */
    uint32_t guard_seed, rover_seed, ghost_seed;
    sb_rng guard_rng, rover_rng; /* draw the next heading of what bounces */
    sb_rng ghost_rng;
} sb_noisy_observation_vars;

/* Whether a guard may step there: guards ignore each other, ghosts and the agent. */
bool sb_noisy_observation_guard_may_enter(const sb_episode *e, sb_xy to);

extern const sb_task sb_noisy_observation;

#endif
