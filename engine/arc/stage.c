#include "engine/arc/stage.h"

#include <stdlib.h>

bool sb_arc_stage_new(sb_arc_stage *stage, int32_t n_levels) {
    *stage = (sb_arc_stage){
        .camera = {.width = SB_ARC_FRAME_SIDE, .height = SB_ARC_FRAME_SIDE, .background = 5, .letter_box = 5}};
    stage->levels = calloc((size_t)n_levels, sizeof *stage->levels);
    if (stage->levels) stage->n_levels = n_levels;
    return stage->levels;
}

void sb_arc_stage_free(sb_arc_stage *stage) {
    for (int32_t i = 0; i < stage->n_levels; i++) {
        sb_arc_scene_clear(&stage->levels[i].clean);
        sb_arc_scene_clear(&stage->levels[i].live);
    }
    sb_arc_scene_clear(&stage->pairs);
    free(stage->levels);
    *stage = (sb_arc_stage){0};
}

bool sb_arc_stage_begin(sb_arc_stage *stage, const sb_arc_hooks *hooks, void *game) {
    for (int32_t i = 0; i < stage->n_levels; i++) {
        sb_arc_stage_level *level = &stage->levels[i];
        if (!sb_arc_scene_merge_static(&level->clean) || !sb_arc_scene_copy(&level->live, &level->clean)) return false;
    }
    sb_arc_loop_begin(&stage->loop, stage->n_levels, hooks, game);
    return true;
}

bool sb_arc_stage_copy(sb_arc_stage *to, const sb_arc_stage *from) {
    if (!to->levels && !sb_arc_stage_new(to, from->n_levels)) return false;
    to->loop = from->loop, to->camera = from->camera;
    bool ok = sb_arc_scene_copy(&to->pairs, &from->pairs);
    for (int32_t i = 0; ok && i < from->n_levels; i++) {
        const sb_arc_stage_level *level = &from->levels[i];
        to->levels[i].width = level->width, to->levels[i].height = level->height;
        ok = sb_arc_scene_copy(&to->levels[i].clean, &level->clean) &&
             sb_arc_scene_copy(&to->levels[i].live, &level->live);
    }
    return ok;
}

sb_arc_scene *sb_arc_stage_scene(sb_arc_stage *stage) { return &stage->levels[stage->loop.level].live; }

/* A live level has at least the memory of the clean one, so copying cannot fail. Picking begins without an order. */
void sb_arc_stage_restore(sb_arc_stage *stage, int32_t level) {
    sb_arc_scene *const live = &stage->levels[level].live;
    (void)sb_arc_scene_copy(live, &stage->levels[level].clean);
    live->n_ordered = 0, live->is_added = true;
}

void sb_arc_stage_enter(sb_arc_stage *stage, int32_t level) {
    const sb_arc_stage_level *entered = &stage->levels[level];
    if (entered->width) stage->camera.width = entered->width, stage->camera.height = entered->height;
}

void sb_arc_stage_draw(sb_arc_stage *stage, uint8_t frame[SB_ARC_FRAME]) {
    uint8_t view[SB_ARC_FRAME];
    const sb_arc_camera *c = &stage->camera;
    for (int32_t i = 0; i < c->width * c->height; i++) view[i] = c->background;
    sb_arc_scene_draw(sb_arc_stage_scene(stage), c->x, c->y, c->width, c->height, view);
    sb_arc_camera_show(c, view, frame);
    sb_arc_display_draw(&stage->pairs, frame);
}
