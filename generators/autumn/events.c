#include "generators/autumn/events.h"

#include <string.h>

void sb_autumn_effective_events(const sb_env *env, bool *mask) {
    const sb_autumn_program *program = sb_autumn_episode_of(env)->compiled->program;
    memset(mask, true, sb_mask_size(&env->shape));
    for (sb_autumn_key key = SB_AUTUMN_LEFT; key < SB_AUTUMN_CLICK; key++) mask[key] = sb_autumn_reads(program, key);
    mask[env->shape.n_buttons] = sb_autumn_reads(program, SB_AUTUMN_CLICK);
}

sb_autumn_event sb_autumn_event_of(const sb_env *env, sb_action action) {
    const int32_t cell = action - env->shape.n_buttons, width = env->shape.click_width;
    if (cell < 0) return (sb_autumn_event){.key = (sb_autumn_key)action};
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = cell % width, .y = cell / width};
}

sb_action sb_autumn_action_of(const sb_env *env, sb_autumn_event event) {
    if (event.key != SB_AUTUMN_CLICK) return (sb_action)event.key;
    if ((uint32_t)event.x >= (uint32_t)env->shape.click_width || (uint32_t)event.y >= (uint32_t)env->shape.click_height)
        return SB_AUTUMN_NOOP;
    return env->shape.n_buttons + event.y * env->shape.click_width + event.x;
}
