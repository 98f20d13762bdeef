#include "generators/conformance/arc.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Arguments ----------------------------------------------------------------------------------------------------
 */

static bool broken(sb_arc_script *s, const char *what) {
    if (!s->is_broken) sb_fail(s->error, SB_INVALID, "key `script`: %s", what);
    s->is_broken = true;
    return false;
}

static const cJSON *argument(const cJSON *operation, int i) { return cJSON_GetArrayItem(operation, i); }

static bool number(sb_arc_script *s, const cJSON *operation, int i, int32_t *value) {
    return sb_arc_is_number(argument(operation, i), value) || broken(s, "an argument should be a whole number");
}

static bool flag(sb_arc_script *s, const cJSON *operation, int i, bool *value) {
    const cJSON *item = argument(operation, i);
    if (!cJSON_IsBool(item)) return broken(s, "an argument should be true or false");
    return *value = cJSON_IsTrue(item), true;
}

static const char *text(sb_arc_script *s, const cJSON *operation, int i) {
    const cJSON *item = argument(operation, i);
    if (cJSON_IsString(item)) return item->valuestring;
    broken(s, "an argument should be a text");
    return NULL;
}

/* The first sprite of the name. */
static bool sprite(sb_arc_script *s, const cJSON *operation, int i, size_t *index) {
    const sb_arc_scene *scene = sb_arc_stage_scene(&s->stage);
    const char *name = text(s, operation, i);
    for (*index = 0; name && *index < scene->n; ++*index)
        if (strcmp(s->texts.names[scene->sprites[*index].name], name) == 0) return true;
    return broken(s, "there is no sprite of that name");
}

static bool bit(sb_arc_script *s, const cJSON *operation, int i, uint64_t *tag) {
    const char *name = text(s, operation, i);
    return name && (sb_arc_tag(&s->texts, name, tag, s->error) || broken(s, "too many tags"));
}

/* ---- The log ------------------------------------------------------------------------------------------------------
 */

static sb_out *item(sb_arc_script *s) {
    if (s->log.size) sb_puts(&s->log, ",");
    return &s->log;
}

static void log_if_failed(sb_arc_script *s, bool ok) {
    if (!ok) sb_puts(item(s), "\"error\"");
}

static void log_flag(sb_arc_script *s, bool value) { sb_puts(item(s), value ? "true" : "false"); }

static void put_name(sb_arc_script *s, size_t index) {
    sb_put_json_string(&s->log, s->texts.names[sb_arc_stage_scene(&s->stage)->sprites[index].name]);
}

/* Logs the names of the sprites that a function chooses. */
static void log_names(sb_arc_script *s, bool (*chosen)(const sb_arc_scene *, size_t, const void *), const void *how) {
    const sb_arc_scene *scene = sb_arc_stage_scene(&s->stage);
    bool first = true;
    sb_puts(item(s), "[");
    for (size_t i = 0; i < scene->n; i++) {
        if (!chosen(scene, i, how)) continue;
        if (!first) sb_puts(&s->log, ",");
        put_name(s, i);
        first = false;
    }
    sb_puts(&s->log, "]");
}

/* ---- The game -----------------------------------------------------------------------------------------------------
 */

static void complete(sb_arc_script *s, const cJSON *o) { (void)o, sb_arc_complete(&s->stage.loop); }
static void next_level(sb_arc_script *s, const cJSON *o) { (void)o, sb_arc_next_level(&s->stage.loop); }
static void win(sb_arc_script *s, const cJSON *o) { (void)o, sb_arc_win(&s->stage.loop); }
static void lose(sb_arc_script *s, const cJSON *o) { (void)o, sb_arc_lose(&s->stage.loop); }

static void set_level(sb_arc_script *s, const cJSON *o) {
    int32_t level;
    if (!number(s, o, 1, &level)) return;
    if (level < 0 || level >= s->stage.n_levels)
        broken(s, "there is no such level");
    else
        sb_arc_set_level(&s->stage.loop, &sb_arc_script_stage, s, level);
}

static void click(sb_arc_script *s, const cJSON *o) {
    const sb_arc_action action = s->stage.loop.action;
    int64_t x, y;
    (void)o;
    if (action.id == SB_ARC_CLICK && sb_arc_camera_cell(&s->stage.camera, action.x, action.y, &x, &y))
        sb_putf(item(s), "[%lld,%lld]", (long long)x, (long long)y);
    else
        sb_puts(item(s), "null");
}

/* ---- Sprites ------------------------------------------------------------------------------------------------------
 */

static void place(sb_arc_script *s, const cJSON *o, bool is_relative) {
    size_t i;
    int32_t x, y;
    if (!sprite(s, o, 1, &i) || !number(s, o, 2, &x) || !number(s, o, 3, &y)) return;
    sb_arc_sprite *at = &sb_arc_stage_scene(&s->stage)->sprites[i];
    at->x = is_relative ? at->x + x : x;
    at->y = is_relative ? at->y + y : y;
}

static void move(sb_arc_script *s, const cJSON *o) { place(s, o, true); }
static void pos(sb_arc_script *s, const cJSON *o) { place(s, o, false); }

typedef struct asked {
    size_t sprite;
    bool ignore_modes;
} asked;

static bool is_hit(const sb_arc_scene *scene, size_t i, const void *how) {
    const asked *a = how;
    return sb_arc_next_collision(scene, a->sprite, i, a->ignore_modes) == i;
}

static bool is_none(const sb_arc_scene *scene, size_t i, const void *how) {
    (void)scene, (void)i, (void)how;
    return false;
}

/* Sprites that were in the way are found by going there once more. */
static void try_move(sb_arc_script *s, const cJSON *o) {
    sb_arc_scene *scene = sb_arc_stage_scene(&s->stage);
    asked how = {0};
    int32_t dx, dy;
    if (!sprite(s, o, 1, &how.sprite) || !number(s, o, 2, &dx) || !number(s, o, 3, &dy)) return;
    if (sb_arc_try_move(scene, how.sprite, dx, dy)) {
        log_names(s, is_none, NULL);
        return;
    }
    sb_arc_sprite *moved = &scene->sprites[how.sprite];
    moved->x += dx, moved->y += dy;
    log_names(s, is_hit, &how);
    moved->x -= dx, moved->y -= dy;
}

static void collisions(sb_arc_script *s, const cJSON *o) {
    asked how;
    if (sprite(s, o, 1, &how.sprite) && flag(s, o, 2, &how.ignore_modes)) log_names(s, is_hit, &how);
}

static void collides(sb_arc_script *s, const cJSON *o) {
    size_t a, b;
    bool ignore;
    if (sprite(s, o, 1, &a) && sprite(s, o, 2, &b) && flag(s, o, 3, &ignore))
        log_flag(s, sb_arc_collides(sb_arc_stage_scene(&s->stage), a, b, ignore));
}

static void pick(sb_arc_script *s, const cJSON *o) {
    int32_t x, y;
    uint64_t tag = 0;
    bool ignore;
    if (!number(s, o, 1, &x) || !number(s, o, 2, &y) || !flag(s, o, 4, &ignore)) return;
    if (!cJSON_IsNull(argument(o, 3)) && !bit(s, o, 3, &tag)) return;
    const int64_t found = sb_arc_sprite_at(sb_arc_stage_scene(&s->stage), x, y, tag, ignore);
    if (found < 0)
        sb_puts(item(s), "null");
    else
        item(s), put_name(s, (size_t)found);
}

static void rotate_to(sb_arc_script *s, const cJSON *o, bool is_relative) {
    size_t i;
    int32_t degrees;
    if (!sprite(s, o, 1, &i) || !number(s, o, 2, &degrees)) return;
    sb_arc_sprite *turned = &sb_arc_stage_scene(&s->stage)->sprites[i];
    log_if_failed(s, sb_arc_set_rotation(turned, is_relative ? 90 * turned->turns + degrees : degrees));
}

static void rotate(sb_arc_script *s, const cJSON *o) { rotate_to(s, o, true); }
static void set_rotation(sb_arc_script *s, const cJSON *o) { rotate_to(s, o, false); }

static void scale_by(sb_arc_script *s, const cJSON *o, bool (*set)(sb_arc_sprite *, int32_t)) {
    size_t i;
    int32_t scale;
    if (sprite(s, o, 1, &i) && number(s, o, 2, &scale))
        log_if_failed(s, set(&sb_arc_stage_scene(&s->stage)->sprites[i], scale));
}

static void scale(sb_arc_script *s, const cJSON *o) { scale_by(s, o, sb_arc_set_scale); }
static void adjust_scale(sb_arc_script *s, const cJSON *o) { scale_by(s, o, sb_arc_adjust_scale); }

/* Reads the arguments of operations `NAME sprite true|false`. */
static bool *switched(sb_arc_script *s, const cJSON *o, bool *value, sb_arc_sprite **changed) {
    size_t i;
    if (!sprite(s, o, 1, &i) || !flag(s, o, 2, value)) return NULL;
    *changed = &sb_arc_stage_scene(&s->stage)->sprites[i];
    return value;
}

static void mirror_ud(sb_arc_script *s, const cJSON *o) {
    bool on;
    sb_arc_sprite *changed;
    if (switched(s, o, &on, &changed)) changed->mirror_ud = on;
}

static void mirror_lr(sb_arc_script *s, const cJSON *o) {
    bool on;
    sb_arc_sprite *changed;
    if (switched(s, o, &on, &changed)) changed->mirror_lr = on;
}

static void visible(sb_arc_script *s, const cJSON *o) {
    bool on;
    sb_arc_sprite *changed;
    if (switched(s, o, &on, &changed)) changed->visible = on;
}

static void collidable(sb_arc_script *s, const cJSON *o) {
    bool on;
    sb_arc_sprite *changed;
    if (switched(s, o, &on, &changed)) changed->collidable = on;
}

static void layer(sb_arc_script *s, const cJSON *o) {
    size_t i;
    int32_t to;
    if (sprite(s, o, 1, &i) && number(s, o, 2, &to)) sb_arc_stage_scene(&s->stage)->sprites[i].layer = to;
}

static void blocking(sb_arc_script *s, const cJSON *o) {
    size_t i;
    const int mode = sb_arc_choice(argument(o, 2), sb_arc_blockings, 3);
    if (mode < 0)
        broken(s, "there is no such blocking");
    else if (sprite(s, o, 1, &i))
        sb_arc_stage_scene(&s->stage)->sprites[i].blocking = (uint8_t)mode;
}

static void interaction(sb_arc_script *s, const cJSON *o) {
    size_t i;
    const int mode = sb_arc_choice(argument(o, 2), sb_arc_interactions, 4);
    if (mode < 0)
        broken(s, "there is no such interaction");
    else if (sprite(s, o, 1, &i))
        sb_arc_set_interaction(&sb_arc_stage_scene(&s->stage)->sprites[i], mode);
}

static void remap(sb_arc_script *s, const cJSON *o) {
    size_t i;
    int32_t from = 0, to;
    const bool all = cJSON_IsNull(argument(o, 2));
    if (!sprite(s, o, 1, &i) || (!all && !number(s, o, 2, &from)) || !number(s, o, 3, &to)) return;
    if (to < -2 || to > 15 || from < -2 || from > 15)
        broken(s, "a colour should be -2..15");
    else
        sb_arc_remap(sb_arc_stage_scene(&s->stage), i, all, (int8_t)from, (int8_t)to);
}

/* ---- The list -----------------------------------------------------------------------------------------------------
 */

enum { MOST_SPRITES = 1 << 12 }; /* so that a short script cannot fill the memory */

static bool has_room(sb_arc_script *s) {
    return sb_arc_stage_scene(&s->stage)->n < MOST_SPRITES || broken(s, "too many sprites");
}

static void add(sb_arc_script *s, const cJSON *o) {
    sb_arc_recorded_sprite read;
    if (!has_room(s)) return;
    if (!sb_arc_read_sprite(argument(o, 1), &s->texts, &read, s->error)) {
        s->is_broken = true;
        return;
    }
    if (!sb_arc_make_sprite(sb_arc_stage_scene(&s->stage), &read)) broken(s, "the sprite that is added cannot be made");
    free(read.pixels);
}

static void clone(sb_arc_script *s, const cJSON *o) {
    size_t i;
    uint32_t name;
    const char *given = text(s, o, 2);
    if (!given || !has_room(s) || !sprite(s, o, 1, &i)) return;
    if (!sb_arc_name(&s->texts, given, &name, s->error) || !sb_arc_scene_clone(sb_arc_stage_scene(&s->stage), i, name))
        broken(s, "there is no room for another sprite");
}

static void remove_one(sb_arc_script *s, const cJSON *o) {
    size_t i;
    if (sprite(s, o, 1, &i)) sb_arc_scene_remove(sb_arc_stage_scene(&s->stage), i);
}

static void remove_all(sb_arc_script *s, const cJSON *o) {
    (void)o;
    sb_arc_scene_remove_all(sb_arc_stage_scene(&s->stage));
}

static void merge(sb_arc_script *s, const cJSON *o) {
    size_t a, b;
    if (sprite(s, o, 1, &a) && sprite(s, o, 2, &b) && !sb_arc_scene_merge(sb_arc_stage_scene(&s->stage), a, b))
        broken(s, "the sprites are too far from each other to be merged");
}

static bool is_any(const sb_arc_scene *scene, size_t i, const void *how) {
    (void)scene, (void)i, (void)how;
    return true;
}

static bool is_tagged(const sb_arc_scene *scene, size_t i, const void *how) {
    return scene->sprites[i].tags & *(const uint64_t *)how;
}

static void order(sb_arc_script *s, const cJSON *o) { (void)o, log_names(s, is_any, NULL); }

static void tagged(sb_arc_script *s, const cJSON *o) {
    uint64_t tag;
    if (bit(s, o, 1, &tag)) log_names(s, is_tagged, &tag);
}

static void size(sb_arc_script *s, const cJSON *o) {
    size_t i;
    if (!sprite(s, o, 1, &i)) return;
    const sb_arc_sprite *asked_for = &sb_arc_stage_scene(&s->stage)->sprites[i];
    sb_putf(item(s), "[%d,%d]", sb_arc_image_width(asked_for), sb_arc_image_height(asked_for));
}

/* ---- Camera and display -------------------------------------------------------------------------------------------
 */

static void set_colour(sb_arc_script *s, const cJSON *o, uint8_t *colour) {
    int32_t value;
    if (!number(s, o, 2, &value)) return;
    if (value < 0 || value > 15)
        broken(s, "a colour should be 0..15");
    else
        *colour = (uint8_t)value;
}

static void move_camera(sb_arc_script *s, const cJSON *o, const char *how) {
    sb_arc_camera *c = &s->stage.camera;
    int32_t x, y;
    if (!number(s, o, 2, &x) || !number(s, o, 3, &y)) return;
    if (strcmp(how, "move") == 0)
        c->x += x, c->y += y;
    else if (strcmp(how, "at") == 0)
        c->x = x, c->y = y;
    else if (strcmp(how, "size") == 0 && sb_arc_is_view(x, y))
        c->width = x, c->height = y;
    else
        broken(s, "the camera cannot do that");
}

static void camera(sb_arc_script *s, const cJSON *o) {
    const char *how = text(s, o, 1);
    if (!how) return;
    if (strcmp(how, "background") == 0)
        set_colour(s, o, &s->stage.camera.background);
    else if (strcmp(how, "letter_box") == 0)
        set_colour(s, o, &s->stage.camera.letter_box);
    else
        move_camera(s, o, how);
}

/* Logs pixels of the view without scale and display, cut to the view's size. */
static void pixels(sb_arc_script *s, const cJSON *o) {
    const sb_arc_camera *c = &s->stage.camera;
    uint8_t view[SB_ARC_FRAME];
    int32_t x, y, w, h;
    if (!number(s, o, 1, &x) || !number(s, o, 2, &y) || !number(s, o, 3, &w) || !number(s, o, 4, &h)) return;
    if (x < 0 || y < 0) {
        broken(s, "pixels are read from the view's corner on");
        return;
    }
    memset(view, c->background, sizeof view);
    sb_arc_scene_draw(sb_arc_stage_scene(&s->stage), c->x, c->y, c->width, c->height, view);
    sb_puts(item(s), "[");
    for (int32_t v = y; v < y + h && v < c->height; v++) {
        sb_puts(&s->log, v > y ? ",\"" : "\"");
        for (int32_t u = x; u < x + w && u < c->width; u++)
            sb_putc(&s->log, sb_arc_character((int8_t)view[v * c->width + u]));
        sb_puts(&s->log, "\"");
    }
    sb_puts(&s->log, "]");
}

static void turn_pair(sb_arc_script *s, const cJSON *o, bool on) {
    int32_t i;
    if (number(s, o, 2, &i) && (i < 0 || !sb_arc_display_turn(&s->stage.pairs, (size_t)i, on)))
        broken(s, "the display has no such pair");
}

static void turn_tagged(sb_arc_script *s, const cJSON *o, bool on, bool all) {
    uint64_t tag;
    if (!bit(s, o, 2, &tag)) return;
    if (all)
        sb_arc_display_turn_all(&s->stage.pairs, tag, on);
    else
        log_flag(s, sb_arc_display_turn_first(&s->stage.pairs, tag, on));
}

static void display(sb_arc_script *s, const cJSON *o) {
    static const char *const names[] = {"enable",      "disable",      "enable_all",
                                        "disable_all", "enable_first", "disable_first"};
    const int how = sb_arc_choice(argument(o, 1), names, 6);
    int32_t i;
    if (how >= 0 && how < 2)
        turn_pair(s, o, how == 0);
    else if (how >= 2)
        turn_tagged(s, o, how % 2 == 0, how < 4);
    else if (!cJSON_IsString(argument(o, 1)) || strcmp(argument(o, 1)->valuestring, "is_enabled") != 0)
        broken(s, "the display cannot do that");
    else if (number(s, o, 2, &i) && i >= 0)
        log_flag(s, sb_arc_display_is_on(&s->stage.pairs, (size_t)i));
}

/* ---- The table ----------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    void (*run)(sb_arc_script *script, const cJSON *operation);
} operations[] = {
    {"complete", complete},
    {"next_level", next_level},
    {"win", win},
    {"lose", lose},
    {"set_level", set_level},
    {"click", click},
    {"move", move},
    {"pos", pos},
    {"try_move", try_move},
    {"collisions", collisions},
    {"collides", collides},
    {"at", pick},
    {"rotate", rotate},
    {"set_rotation", set_rotation},
    {"scale", scale},
    {"adjust_scale", adjust_scale},
    {"mirror_ud", mirror_ud},
    {"mirror_lr", mirror_lr},
    {"visible", visible},
    {"collidable", collidable},
    {"layer", layer},
    {"blocking", blocking},
    {"remap", remap},
    {"interaction", interaction},
    {"add", add},
    {"clone", clone},
    {"remove", remove_one},
    {"remove_all", remove_all},
    {"merge", merge},
    {"order", order},
    {"tagged", tagged},
    {"size", size},
    {"camera", camera},
    {"pixels", pixels},
    {"ui", display},
};

void sb_arc_operate(sb_arc_script *s, const cJSON *operation) {
    const char *name = text(s, operation, 0);
    for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) {
            operations[i].run(s, operation);
            return;
        }
    broken(s, "there is no such operation");
}

/* ---- Hooks --------------------------------------------------------------------------------------------------------
 */

static void restore(void *game, int32_t l) { sb_arc_stage_restore(&((sb_arc_script *)game)->stage, l); }
static void enter(void *game, int32_t l) { sb_arc_stage_enter(&((sb_arc_script *)game)->stage, l); }
static void draw(void *game, uint8_t *frame) { sb_arc_stage_draw(&((sb_arc_script *)game)->stage, frame); }

const sb_arc_hooks sb_arc_script_stage = {.restore = restore, .enter = enter, .draw = draw};
