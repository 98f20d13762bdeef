/* Worlds made by hand, for tests of the coding API. */
#ifndef SB_TESTS_CODING_SUPPORT_H
#define SB_TESTS_CODING_SUPPORT_H

#include "tests/support.h"

#include <string.h>

#include "engine/gridworld/gridworld.h"
#include "seedbed/gridworld.h"

enum { CELLS = SB_CELLS_MAX, PLAN = CELLS + 1 /* one action more than the longest plan */ };

typedef struct world {
    sb_env env;
    sb_episode episode;
} world;

typedef struct plain_vars {
    sb_xy hit; /* the cell that the last interaction was aimed at */
} plain_vars;

static inline void remember_target(sb_episode *e, sb_xy target) { ((plain_vars *)SB_VARS(e))->hit = target; }
static inline bool never(const sb_episode *e) { return (void)e, false; }
static inline double nothing(sb_episode *e, const sb_transition *t) { return (void)e, (void)t, 0.0; }

static const sb_task plain_task = {.info = {.name = "Plain-v0"},
                                   .vars_size = sizeof(plain_vars),
                                   .on_interact = remember_target,
                                   .is_success = never,
                                   .dense = nothing};

static const sb_family grid_family = {.name = "grid", .step = sb_gridworld_step, .valid = sb_gridworld_valid};

static inline void open_world(world *w, int width, int height) {
    memset(w, 0, sizeof *w);
    w->env.family = &grid_family, w->env.state = &w->episode;
    w->env.shape.n_buttons = SB_N_ACTIONS;
    w->episode.task = &plain_task, w->episode.max_steps = INT32_MAX;
    w->episode.width = (uint8_t)width, w->episode.height = (uint8_t)height;
}

static inline sb_xy cell_of(const cJSON *pair) {
    assert_int_equal(cJSON_GetArraySize(pair), 2);
    return sb_at(cJSON_GetArrayItem(pair, 0)->valueint, cJSON_GetArrayItem(pair, 1)->valueint);
}

#endif
