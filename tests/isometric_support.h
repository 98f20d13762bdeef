/* Brushes and states for tests of the look `isometric`. */
#ifndef SB_TESTS_ISOMETRIC_SUPPORT_H
#define SB_TESTS_ISOMETRIC_SUPPORT_H

#include "tests/support.h"

#include <stdio.h>

#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/picture/stage.h"
#include "engine/lookup.h"

static inline sb_brush *brush_of(int32_t size, bool indexed) {
    sb_error error;
    const sb_family *family = sb_family_at(0);
    sb_brush *brush = sb_brush_make(family, sb_look_find(family, "isometric", &error),
                                    &(sb_brush_options){.size = size, .indexed = indexed}, &error);
    assert_ok(brush != NULL, error);
    return brush;
}

static inline sb_env *made(const char *task, const char *difficulty, int seed) {
    sb_error error;
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "%s/%s#%d", task, difficulty, seed);
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env != NULL, error);
    return env;
}

static inline void take_step(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    if (!env->status.done) assert_ok(sb_step(env, action, &result, &error), error);
}

#endif
