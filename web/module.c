#include "web/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/environment.h"
#include "seedbed/tape.h"
#include "web/session.h"

/* ---- Sessions ---- */

static void hear(void *context, const char *what, size_t done, size_t of) {
    (void)context;
    sb_web_heard(what, strlen(what), (double)done, (double)of);
}

static sb_web *make(sb_env *env) {
    sb_web *web = calloc(1, sizeof *web);
    if (!web) return sb_free(env), NULL;
    web->env = env;
    sb_watch_starts(env, hear, NULL);
    web->in = web->out = sb_out_growing();
    web->standing.flags = SB_WEB_DONE;
    web->asked.answered = -1;
    return web;
}

sb_web *sb_web_open(const sb_catalogue *library) {
    sb_error error;
    sb_env *env = sb_make(library, NULL, &error);
    if (!env) return NULL;
    if (sb_record(env, true, &error)) return make(env);
    sb_free(env);
    return NULL;
}

void sb_web_close(sb_web *web) {
    sb_web_forget(web);
    sb_brush_free(web->brush.brush);
    sb_out_free(&web->in), sb_out_free(&web->out);
    sb_free(web->env);
    free(web);
}

bool sb_web_failed(sb_web *web) {
    sb_out_clear(&web->out);
    sb_puts(&web->out, web->error.text);
    return false;
}

sb_web *sb_web_clone(sb_web *web) {
    sb_env *env = sb_clone(web->env, &web->error);
    if (!env) return sb_web_failed(web), NULL;
    sb_web *made = make(env);
    if (!made) return sb_fail(&web->error, SB_MEMORY, "out of memory for a copy"), sb_web_failed(web), NULL;
    made->standing = web->standing;
    return made;
}

bool sb_web_copy(sb_web *web, const sb_web *from) {
    sb_web_forget(web);
    const bool ok = sb_copy(web->env, from->env, &web->error);
    web->standing = from->standing;
    if (ok) return true;
    sb_web_stand(web, &(sb_result){0}); /* the environment is empty */
    return sb_web_failed(web);
}

char *sb_web_room(sb_web *web, size_t n) {
    sb_out_clear(&web->in);
    char *room = sb_out_reserve(&web->in, n + 1);
    if (!room) return NULL;
    room[n] = '\0';
    web->in.size = n;
    return room;
}

const char *sb_web_text(const sb_web *web) { return web->out.data; }
size_t sb_web_size(const sb_web *web) { return web->out.size; }
int sb_web_code(const sb_web *web) { return web->error.code; }

bool sb_web_has_episode(sb_web *web) {
    sb_out_clear(&web->out);
    if (web->env->state) return true;
    sb_fail(&web->error, SB_FINISHED, "no episode was started");
    return sb_web_failed(web);
}

/* ---- Episodes ---- */

void sb_web_stand(sb_web *web, const sb_result *result) {
    const sb_status *is = sb_status_of(web->env);
    const bool flags[] = {is->terminated, is->truncated, is->success, is->fault, is->done};
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) bits |= (uint32_t)flags[i] << i;
    web->standing = (sb_web_standing){.reward = result->reward,
                                      .dense = result->dense,
                                      .total = is->total,
                                      .dense_total = is->dense_total,
                                      .score = is->score,
                                      .steps = is->steps,
                                      .max_steps = is->max_steps,
                                      .level = is->level,
                                      .n_levels = is->n_levels,
                                      .flags = bits};
}

bool sb_web_start(sb_web *web) {
    sb_web_forget(web);
    const bool ok = sb_reset(web->env, web->in.data, &web->error);
    sb_web_stand(web, &(sb_result){0});
    return ok || sb_web_failed(web);
}

bool sb_web_step(sb_web *web, sb_action action) {
    sb_result result = {0};
    if (!sb_step(web->env, action, &result, &web->error)) return sb_web_failed(web);
    sb_web_stand(web, &result);
    return true;
}

const sb_web_standing *sb_web_standing_of(const sb_web *web) { return &web->standing; }

void sb_web_key(sb_web *web) {
    uint64_t key[2];
    sb_key(web->env, key);
    sb_out_clear(&web->out);
    for (int i = 1; i >= 0; i--)
        for (int digit = 15; digit >= 0; digit--) sb_putc(&web->out, "0123456789abcdef"[key[i] >> (4 * digit) & 15]);
}

bool sb_web_observe(sb_web *web, size_t mode) {
    if (!sb_web_has_episode(web)) return false;
    const sb_family *family = web->env->family;
    if (mode < family->n_modes) family->observe(web->env, &family->modes[mode], &web->out);
    if (mode < family->n_modes && sb_out_ok(&web->out)) return true;
    sb_fail(&web->error, SB_MEMORY, "out of memory for an observation");
    return sb_web_failed(web);
}

size_t sb_web_mask(sb_web *web, bool published) {
    sb_out_clear(&web->out);
    bool *mask = (bool *)sb_out_reserve(&web->out, SB_MASK_MAX);
    if (!mask) return 0;
    return published ? sb_valid_mask(web->env, mask, SB_MASK_MAX) : sb_action_mask(web->env, mask, SB_MASK_MAX);
}

bool sb_web_action_name(sb_web *web, sb_action action) {
    char name[64];
    if (!sb_web_has_episode(web)) return false;
    sb_action_name(web->env, action, name, sizeof name);
    if (!*name) return sb_fail(&web->error, SB_INVALID, "there is no action %d", action), sb_web_failed(web);
    sb_puts(&web->out, name);
    return true;
}

sb_action sb_web_parse_action(sb_web *web) {
    sb_action action;
    if (!sb_web_has_episode(web)) return -1;
    if (sb_action_parse(web->env, web->in.data, &action, &web->error)) return action;
    sb_web_failed(web);
    return -1;
}

/* ---- Pictures ---- */

static bool is_same_brush(const sb_web_brush *brush, const sb_look *look, const sb_brush_options *options) {
    const sb_brush_options *is = &brush->options;
    return brush->brush && brush->look == look && is->tile == options->tile && is->size == options->size &&
           is->view == options->view && is->no_panel == options->no_panel;
}

/* A look belongs to one family, so a brush that fits the look fits the episode. */
static bool take_brush(sb_web *web, const sb_look *look, const sb_brush_options *options) {
    if (is_same_brush(&web->brush, look, options)) return true;
    sb_brush_free(web->brush.brush);
    web->brush = (sb_web_brush){.look = look, .options = *options};
    web->brush.brush = sb_brush_make(web->env->family, look, options, &web->error);
    return web->brush.brush != NULL;
}

/* Spreads pixels of three bytes, which lie at the end of the room for four, and makes them opaque. */
static void add_alpha(uint8_t *pixels, size_t n) {
    const uint8_t *from = pixels + n;
    for (size_t i = 0; i < n; i++, from += 3) {
        const uint8_t red = from[0], green = from[1], blue = from[2];
        uint8_t *to = pixels + 4 * i;
        to[0] = red, to[1] = green, to[2] = blue, to[3] = 255;
    }
}

static bool draw(sb_web *web) {
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array = sb_brush_array(web->brush.brush);
    sb_extent_in(web->env, array, extent);
    const size_t n = (size_t)extent[0] * (size_t)extent[1];
    uint8_t *pixels = (uint8_t *)sb_out_reserve(&web->out, 4 * n);
    if (!pixels) return sb_fail(&web->error, SB_MEMORY, "out of memory for a picture");
    sb_observe_array(web->env, array, pixels + n, 3 * n);
    add_alpha(pixels, n);
    web->out.size = 4 * n;
    web->brush.width = extent[1];
    return true;
}

bool sb_web_picture(sb_web *web, size_t look, int32_t tile, int32_t size, int32_t view, bool panel) {
    const sb_brush_options options = {.tile = tile, .size = size, .view = view, .no_panel = !panel};
    if (!sb_web_has_episode(web)) return false;
    const sb_look *chosen = sb_look_at(web->env->family, look);
    if (!chosen) return sb_fail(&web->error, SB_UNKNOWN, "there is no such look"), sb_web_failed(web);
    return (take_brush(web, chosen, &options) && draw(web)) || sb_web_failed(web);
}

int32_t sb_web_picture_width(const sb_web *web) { return web->brush.width; }

/* ---- Frames ---- */

int32_t sb_web_frames(const sb_web *web) {
    const sb_env *env = web->env;
    return env->state && env->family->n_frames ? env->family->n_frames(env) : 1;
}

bool sb_web_show_frame(sb_web *web, int32_t frame) {
    const int32_t n = sb_web_frames(web);
    if (!sb_web_has_episode(web)) return false;
    if (frame < 0 || frame >= n) return sb_fail(&web->error, SB_INVALID, "there is no such frame"), sb_web_failed(web);
    if (n > 1) web->env->family->show_frame(web->env, frame);
    return true;
}
