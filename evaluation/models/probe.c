#include "evaluation/models/probe.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "engine/testing.h"

/* ---- What is on offer -------------------------------------------------------------------------------------------- */

void sb_offers_free(sb_offers *offers) {
    free(offers->numbers), free(offers->buttons);
    *offers = (sb_offers){0};
}

bool sb_offers_read(sb_offers *o, const sb_env *env, const sb_frame_shape *shape, sb_error *error) {
    bool offers[SB_MASK_MAX];
    const int32_t n = env->shape.n_buttons;
    o->numbers = malloc(((size_t)n + 1) * sizeof *o->numbers);
    o->buttons = malloc(((size_t)n + 1) * sizeof *o->buttons);
    if (!o->numbers || !o->buttons) return sb_fail(error, SB_MEMORY, "out of memory for the actions on offer");
    env->family->frames->offers(env, offers);
    for (sb_action button = 0; button < n; button++) {
        sb_log_action named;
        sb_log_action_of(env, shape, button, &named);
        if (named.id == 0) o->has_reset = true, o->reset = named;
        if (named.id == 0 || !offers[button]) continue;
        o->numbers[o->n_buttons] = button, o->buttons[o->n_buttons++] = named;
    }
    o->has_clicks = sb_has_clicks(&env->shape) && offers[n];
    if (o->has_clicks) sb_log_action_of(env, shape, n, &o->click);
    return true;
}

bool sb_probe_begins_test(const sb_env *env, const sb_frame_shape *shape, sb_log_action *begins) {
    const sb_test_record record = sb_test_record_of(env, env->family, env->task, env->difficulty_index);
    if (!record.kind || record.tested) return false;
    sb_log_action_of(env, shape, env->family->tests->begins, begins);
    return true;
}

/* ---- What was tried ---------------------------------------------------------------------------------------------- */

static sb_tried *slot_of(sb_tried *slots, size_t n, const uint64_t frame[2], sb_action action) {
    size_t at = (frame[0] + (uint64_t)action * 0x9e3779b97f4a7c15u) & (n - 1);
    while (slots[at].times &&
           (slots[at].frame[0] != frame[0] || slots[at].frame[1] != frame[1] || slots[at].action != action))
        at = (at + 1) & (n - 1);
    return &slots[at];
}

static bool grow(sb_tries *tries, sb_error *error) {
    const size_t n = tries->n_slots ? 2 * tries->n_slots : 256;
    sb_tried *slots = calloc(n, sizeof *slots);
    if (!slots) return sb_fail(error, SB_MEMORY, "out of memory for what was tried");
    for (size_t i = 0; i < tries->n_slots; i++)
        if (tries->slots[i].times) *slot_of(slots, n, tries->slots[i].frame, tries->slots[i].action) = tries->slots[i];
    free(tries->slots);
    tries->slots = slots, tries->n_slots = n;
    return true;
}

bool sb_tries_note(sb_tries *tries, const sb_frame_shape *shape, const uint8_t *frame, sb_action action,
                   sb_error *error) {
    uint64_t hash[2];
    if (2 * tries->n >= tries->n_slots && !grow(tries, error)) return false;
    sb_hash128(frame, sb_frame_cells(shape), hash);
    sb_tried *slot = slot_of(tries->slots, tries->n_slots, hash, action);
    tries->n += slot->times == 0;
    *slot = (sb_tried){.frame = {hash[0], hash[1]}, .action = action, .times = slot->times + 1};
    return true;
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

typedef struct choosing {
    const sb_tries *tries;
    const sb_env *env;
    uint64_t frame[2];
    sb_log_action *best;
    uint32_t fewest;
} choosing;

/* Keeps an action if it was taken less often in this frame than the best one so far. */
static void consider(choosing *c, const sb_log_action *action, sb_action number) {
    const sb_tries *t = c->tries;
    const uint32_t times = t->n_slots ? slot_of(t->slots, t->n_slots, c->frame, number)->times : 0;
    if (times < c->fewest) c->fewest = times, *c->best = *action;
}

static void consider_click(choosing *c, const sb_log_action *click) {
    const sb_shape *shape = &c->env->shape;
    if (click->x < 0 || click->y < 0 || click->x >= shape->click_width || click->y >= shape->click_height) return;
    consider(c, click, shape->n_buttons + click->y * shape->click_width + click->x);
}

/* Where the candidate names no click, and there are no buttons either: any cell. */
static void consider_cells(choosing *c, const sb_log_action *any) {
    sb_log_action click = *any;
    for (click.y = 0; click.y < c->env->shape.click_height; click.y++)
        for (click.x = 0; click.x < c->env->shape.click_width; click.x++) consider_click(c, &click);
}

bool sb_probe_choose(const sb_tries *tries, const sb_env *env, const sb_offers *offers, const sb_imagine_from *from,
                     const uint8_t *frame, uint8_t *room, sb_log_action *best, sb_error *error) {
    choosing c = {.tries = tries, .env = env, .best = best, .fewest = UINT32_MAX};
    sb_log_action clicks[SB_MODEL_CLICKS];
    size_t n;
    sb_hash128(frame, sb_frame_cells(from->shape), c.frame);
    if (!sb_imagine_clicks(from, from->z, from->h, &from->m, room, clicks, &n, error)) return false;
    for (size_t i = 0; i < offers->n_buttons; i++) consider(&c, &offers->buttons[i], offers->numbers[i]);
    for (size_t i = 0; i < n; i++) consider_click(&c, &clicks[i]);
    if (c.fewest == UINT32_MAX && offers->has_clicks) consider_cells(&c, &offers->click);
    return c.fewest != UINT32_MAX || sb_fail(error, SB_INVALID, "%.40s offers no action", env->name.task);
}
