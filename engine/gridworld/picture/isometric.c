#include "engine/gridworld/picture/looks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/gridworld/picture/stage.h"

/* ---- The brush ---- */

/* Lists the grid sizes that the family's tasks have, as width + height. */
static void list_sides(const sb_family *family, bool sides[SB_SIDES_MAX + 1]) {
    for (size_t i = 0; i < family->n_tasks; i++) {
        const sb_task *task = (const sb_task *)family->task(i); /* a task begins with its info */
        for (int d = 0; d < SB_N_DIFFICULTIES; d++) sides[task->extents[d].width + task->extents[d].height] = true;
    }
    sides[SB_SIDES_MAX] = true;
}

static bool add_size(sb_isometric *iso, int half) {
    sb_sizes *s = &iso->sizes[iso->n_sizes];
    if (iso->n_sizes > 0 && s[-1].half == half) return true;
    if (iso->n_sizes == SB_STAGES_MAX) return false;
    iso->n_sizes++;
    s->half = half;
    return sb_stage_make(&s->cells, &iso->figures, half, sb_layout_up(half)) &&
           sb_stage_make(&s->bubble, &iso->figures, (half + 1) / 2, 0);
}

/* Grids of a size that no task has are drawn with the sprites of the next larger ones. */
static bool make_sizes(sb_isometric *iso, const sb_family *family) {
    bool sides[SB_SIDES_MAX + 1] = {false};
    list_sides(family, sides);
    for (int n = SB_SIDES_MAX; n > 0; n--) {
        if (sides[n] && !add_size(iso, sb_layout_half(iso->side, n))) return false;
        iso->size_of[n] = (uint8_t)(iso->n_sizes - 1);
    }
    return sb_stage_make(&iso->icons, &iso->figures, iso->side / 32, 0);
}

static bool check_options(const sb_brush_options *o, sb_error *error) {
    if (o->size < SB_PICTURE_LEAST || o->size > SB_PICTURE_MOST)
        return sb_fail(error, SB_INVALID, "look isometric: `size`, the side of a picture, is %d to %d pixels, not %d",
                       SB_PICTURE_LEAST, SB_PICTURE_MOST, o->size);
    if (o->view || o->no_panel || o->no_highlight)
        return sb_fail(error, SB_INVALID, "look isometric: it has no option `%s`",
                       o->view       ? "view"
                       : o->no_panel ? "panel"
                                     : "highlight");
    return true;
}

static bool make(sb_brush *brush, sb_error *error) {
    const int side = brush->options.size;
    if (!check_options(&brush->options, error)) return false;
    sb_isometric *iso = brush->tiles = calloc(1, sizeof *iso);
    if (!iso) return sb_fail(error, SB_MEMORY, "out of memory for sprites");
    iso->side = side;
    brush->palette = &iso->figures.palette;
    if (!sb_figures_read(&iso->figures, error)) return false;
    return (make_sizes(iso, brush->family) &&
            sb_kept_make(&iso->kept, (size_t)side * (size_t)side, sb_brush_depth(brush))) ||
           sb_fail(error, SB_MEMORY, "out of memory for sprites");
}

static void clear(sb_brush *brush) {
    sb_isometric *iso = brush->tiles;
    if (!iso) return;
    for (int i = 0; i < iso->n_sizes; i++) sb_stage_free(&iso->sizes[i].cells), sb_stage_free(&iso->sizes[i].bubble);
    sb_stage_free(&iso->icons);
    sb_kept_free(&iso->kept);
    free(iso);
}

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    (void)task, (void)difficulty;
    size[0] = size[1] = brush->options.size;
}

static bool is_small(const sb_brush *brush, const sb_task_info *info, size_t difficulty) {
    const sb_task *task = (const sb_task *)info; /* a task begins with its info */
    const sb_isometric *iso = brush->tiles;
    const int sides = task->extents[difficulty].width + task->extents[difficulty].height;
    return iso->sizes[iso->size_of[sides]].half < SB_HALF_READABLE;
}

/* ---- A picture ---- */

/* Finds the ground of every cell; walls at the edge of the grid are lower. */
static void find_ground(const sb_episode *e, sb_ground_key *key) {
    uint8_t *to = key->cells;
    key->width = e->width, key->height = e->height;
    for (int y = 0; y < e->height; y++)
        for (int x = 0; x < e->width; x++, to++) {
            *to = (uint8_t)sb_ground_of(sb_peek(e, sb_at(x, y)));
            if (*to == SB_GROUND_WALL && !sb_interior(e, sb_at(x, y))) *to = SB_GROUND_BORDER;
        }
}

static void set_scene(sb_scene *s, const sb_isometric *iso, const sb_episode *e) {
    s->isometric = iso, s->episode = e;
    s->sizes = &iso->sizes[iso->size_of[e->width + e->height]];
    s->layout = sb_layout_of(iso->side, s->sizes->half, e->width, e->height);
    find_ground(e, &s->ground);
    sb_tell_task(e, &s->told);
}

static sb_surface surface_of(const sb_isometric *iso, uint8_t *pixels, int depth, const uint8_t *ground) {
    return (sb_surface){.pixels = pixels,
                        .width = iso->side,
                        .height = iso->side,
                        .depth = depth,
                        .palette = &iso->figures.palette,
                        .darker = iso->figures.darker,
                        .ground = ground};
}

/* Draws without a kept ground: in colour numbers, at the end of the room for the picture. */
static void paint_anew(const sb_scene *scene, uint8_t *pixels, int depth) {
    const sb_isometric *iso = scene->isometric;
    const size_t n = (size_t)(iso->side * iso->side);
    uint8_t *indexed = pixels + n * (size_t)(depth - 1);
    const sb_surface s = surface_of(iso, indexed, 1, indexed);
    sb_draw_ground(&s, scene);
    sb_draw_things(&s, scene);
    sb_draw_head(&s, scene);
    if (depth == 3) sb_surface_colour(&iso->figures.palette, indexed, n, pixels);
}

static void draw_kept(sb_kept_ground *kept, const sb_scene *scene) {
    const sb_isometric *iso = scene->isometric;
    const sb_surface s = surface_of(iso, kept->indexed, 1, kept->indexed);
    sb_draw_ground(&s, scene);
    if (kept->rgb) sb_surface_colour(&iso->figures.palette, kept->indexed, (size_t)(iso->side * iso->side), kept->rgb);
    sb_kept_drawn(kept, &scene->ground);
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    sb_isometric *iso = brush->tiles;
    const int depth = sb_brush_depth(brush);
    sb_scene scene;
    set_scene(&scene, iso, env->state);
    sb_kept_ground *kept = sb_kept_take(&iso->kept, &scene.ground);
    if (!kept) {
        paint_anew(&scene, pixels, depth);
        return;
    }
    if (!kept->is_drawn) draw_kept(kept, &scene);
    const sb_surface s = surface_of(iso, pixels, depth, kept->indexed);
    memcpy(pixels, depth == 1 ? kept->indexed : kept->rgb, (size_t)(iso->side * iso->side * depth));
    sb_draw_things(&s, &scene);
    sb_draw_head(&s, &scene);
    sb_kept_release(kept);
}

const sb_picture_source sb_isometric_pictures = {
    .make = make, .clear = clear, .size = size, .is_small = is_small, .paint = paint};
