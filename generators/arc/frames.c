#include "generators/arc/family.h"

#include <string.h>

#include "base/error.h"
#include "generators/arc/observe.h"

static bool shape(const sb_env *env, sb_frame_shape *shape) {
    (void)env;
    *shape = (sb_frame_shape){
        .width = SB_ARC_FRAME_SIDE, .height = SB_ARC_FRAME_SIDE, .n_colours = 16, .published = true};
    return true;
}

static int32_t levels(const sb_env *env) { return ((const sb_arc_episode *)env->state)->n_levels; }

static void stand(const sb_env *env, sb_frame_standing *standing) {
    const sb_arc_episode *e = env->state;
    const sb_arc_loop *loop = &e->play.now.loop;
    *standing = (sb_frame_standing){.n_frames = e->answer.n_frames,
                                    .level = loop->level + 1,
                                    .completed = loop->score,
                                    .state = sb_arc_state_names[loop->state],
                                    .is_reset = loop->action.id == SB_ARC_RESET,
                                    .is_over = loop->state == SB_ARC_GAME_OVER,
                                    .full_reset = e->answer.full_reset};
}

static void frames(const sb_env *env, const sb_frame_taker *taker) {
    const sb_arc_episode *e = env->state;
    sb_arc_play_frames(&e->play, &(sb_arc_film){.take = taker->take, .context = taker->context});
}

static void draw(const sb_env *env, uint8_t *frame) {
    sb_arc_play_frame(&((const sb_arc_episode *)env->state)->play, frame);
}

static void offers(const sb_env *env, bool *mask) {
    const sb_arc_episode *e = env->state;
    memset(mask, false, sb_mask_size(&env->shape));
    for (int id = SB_ARC_UP; id < SB_ARC_ACTIONS; id++)
        if (id != SB_ARC_CLICK)
            mask[sb_arc_action_number((sb_arc_action){.id = (uint8_t)id})] = sb_arc_offers(e->play.game, id);
    if (sb_has_clicks(&env->shape)) mask[env->shape.n_buttons] = true;
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

static bool enter(sb_env *env, int32_t level) {
    sb_arc_episode *e = env->state;
    if (level < 1 || level > e->n_levels) return false;
    sb_arc_play_enter(&e->play, level - 1);
    e->answer = (sb_arc_answer){.n_frames = 1, .state = SB_ARC_NOT_FINISHED, .levels_completed = level - 1};
    return true;
}

static void save(const sb_env *env, sb_out *out) {
    uint8_t bytes[SB_ARC_PACKED];
    const size_t n = sb_arc_play_pack(&((const sb_arc_episode *)env->state)->play, bytes);
    sb_put(out, (const char *)bytes, n);
}

static bool restore(sb_env *env, const char *bytes, size_t n, sb_error *error) {
    sb_arc_episode *e = env->state;
    if (!sb_arc_play_unpack(&e->play, (const uint8_t *)bytes, n))
        return sb_fail(error, SB_INVALID, "these %zu bytes are not a saved state of %s", n, env->task->name);
    e->turned = 0;
    e->answer = (sb_arc_answer){
        .n_frames = 1, .state = e->play.now.loop.state, .levels_completed = e->play.now.loop.score};
    return true;
}

const sb_frame_source sb_arc_frames = {.shape = shape,
                                       .levels = levels,
                                       .stand = stand,
                                       .frames = frames,
                                       .draw = draw,
                                       .offers = offers,
                                       .enter = enter,
                                       .save = save,
                                       .restore = restore};
