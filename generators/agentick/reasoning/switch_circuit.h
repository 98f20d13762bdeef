/* SwitchCircuit's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_SWITCH_CIRCUIT_H
#define SB_AGENTICK_SWITCH_CIRCUIT_H

#include "engine/gridworld/episode.h"

enum { SB_SWITCH_CIRCUIT_SWITCHES = 5 };

typedef struct sb_switch_circuit_vars {
    sb_xy start, goal;
    int32_t n_switches;                     /* also the number of doors: switch i opens door i and nothing else */
    sb_xy at[SB_SWITCH_CIRCUIT_SWITCHES];   /* the switches */
    sb_xy door[SB_SWITCH_CIRCUIT_SWITCHES]; /* WALL while closed, EMPTY while open; metadata is the index */
} sb_switch_circuit_vars;

static inline bool sb_switch_circuit_is_on(const sb_episode *e, int i) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    return sb_switch_is_on(sb_peek(e, v->at[i])->metadata);
}

extern const sb_task sb_switch_circuit;

#endif
