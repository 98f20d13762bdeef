#include "generators/autumn/events.h"

sb_autumn_event sb_autumn_event_of(const sb_env *env, sb_action action) {
    const int32_t cell = action - env->shape.n_buttons, width = env->shape.click_width;
    if (cell < 0) return (sb_autumn_event){.key = (sb_autumn_key)action};
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = cell % width, .y = cell / width};
}

sb_action sb_autumn_action_of(const sb_env *env, sb_autumn_event event) {
    if (event.key != SB_AUTUMN_CLICK) return (sb_action)event.key;
    if (event.x >= env->shape.click_width || event.y >= env->shape.click_height) return SB_AUTUMN_NOOP;
    return env->shape.n_buttons + event.y * env->shape.click_width + event.x;
}
