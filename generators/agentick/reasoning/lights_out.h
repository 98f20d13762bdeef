/* LightsOut's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_LIGHTS_OUT_H
#define SB_AGENTICK_LIGHTS_OUT_H

#include "engine/gridworld/episode.h"

enum { SB_LIGHTS_OUT_LIGHTS = 5 * 5 + 3, SB_LIGHTS_OUT_LIT = 1, SB_LIGHTS_OUT_UNLIT = 2 /* metadata of lights */ };

typedef struct sb_lights_out_vars {
    sb_xy start;
    int32_t n_square, n_lights;     /* number of lights in the square, and with the decoys */
    sb_xy at[SB_LIGHTS_OUT_LIGHTS]; /* the lights: the square row by row, then the decoys */
    int32_t n_lit;                  /* number of lights that are lit now */
    uint32_t first_lit;             /* bit i: light i of the square was lit at the start */
} sb_lights_out_vars;

static inline bool sb_lights_out_is_lit(const sb_episode *e, int i) {
    const sb_lights_out_vars *v = SB_VARS(e);
    return sb_peek(e, v->at[i])->metadata == SB_LIGHTS_OUT_LIT;
}

extern const sb_task sb_lights_out;

#endif
