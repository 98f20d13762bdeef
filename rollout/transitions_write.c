/* Writing logs of transitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "rollout/transitions.h"

const char *const sb_transition_names[SB_N_TRANSITIONS] = {"step", "level", "over", "reset", "none"};

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static const char signs[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static void put_signs(sb_out *out, const uint8_t *colours, size_t n) {
    char *to = sb_out_reserve(out, n);
    if (!to) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) to[i] = signs[colours[i]];
    sb_out_advance(out, n);
}

void sb_put_frame(sb_out *out, const sb_frame_shape *shape, const uint8_t *frame) {
    put_signs(out, frame, sb_frame_cells(shape));
}

void sb_frame_sha256(const sb_frame_shape *shape, const uint8_t *frame, char hex[SB_SHA256_HEX]) {
    char text[SB_FRAME_SIDE];
    sb_sha256 sum;
    sb_sha256_begin(&sum);
    for (int32_t y = 0; y < shape->height; y++, frame += shape->width) {
        for (int32_t x = 0; x < shape->width; x++) text[x] = signs[frame[x]];
        sb_sha256_add(&sum, text, (size_t)shape->width);
    }
    sb_sha256_end_hex(&sum, hex);
}

bool sb_frame_next_run(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *now, sb_frame_run *run) {
    const int32_t width = shape->width;
    for (int32_t y = run->y, x = run->end; y < shape->height; y++, x = 0) {
        const uint8_t *old = before + (size_t)y * (size_t)width, *new = now + (size_t)y *(size_t)width;
        if (memcmp(old + x, new + x, (size_t)(width - x)) == 0) continue;
        while (old[x] == new[x]) x++;
        *run = (sb_frame_run){.y = y, .x = x, .end = x};
        while (run->end < width && old[run->end] != new[run->end]) run->end++;
        return true;
    }
    return false;
}

void sb_put_frame_difference(sb_out *out, const sb_frame_shape *shape, const uint8_t *before, const uint8_t *now) {
    sb_puts(out, "{\"d\":[");
    for (sb_frame_run run = {0}; sb_frame_next_run(shape, before, now, &run);) {
        if (out->last != '[') sb_puts(out, ",");
        sb_putf(out, "[%d,%d,\"", run.y, run.x);
        put_signs(out, now + run.y * shape->width + run.x, (size_t)(run.end - run.x));
        sb_puts(out, "\"]");
    }
    sb_puts(out, "]}");
}

/* ---- Actions ----------------------------------------------------------------------------------------------------- */

/* Returns the published number of an action, -1 for another name. */
static int8_t id_of(const char *name) {
    if (strcmp(name, "RESET") == 0) return 0;
    const bool is_numbered = strncmp(name, "ACTION", 6) == 0 && name[6] >= '1' && name[6] <= '7' && !name[7];
    return is_numbered ? (int8_t)(name[6] - '0') : -1;
}

void sb_log_action_of(const sb_env *env, const sb_frame_shape *shape, sb_action action, sb_log_action *named) {
    sb_out name = sb_out_fixed(named->name, sizeof named->name);
    const int32_t place = action - env->shape.n_buttons;
    *named = (sb_log_action){.is_click = place >= 0};
    env->family->print_action(env, action, &name);
    sb_out_finish(&name);
    if (named->is_click) {
        named->x = (int16_t)(place % env->shape.click_width), named->y = (int16_t)(place / env->shape.click_width);
        named->name[strcspn(named->name, " ")] = '\0';
    }
    named->id = shape->published ? id_of(named->name) : -1;
}

bool sb_log_action_in(const sb_env *env, const sb_log_action *named, sb_action *action, sb_error *error) {
    const sb_shape *shape = &env->shape;
    if (!named->is_click) {
        return sb_action_parse(env, named->name, action, error) &&
               (*action < shape->n_buttons || sb_fail(error, SB_INVALID, "`%s` lacks its place", named->name));
    }
    if (named->x < 0 || named->y < 0 || named->x >= shape->click_width || named->y >= shape->click_height)
        return sb_fail(error, SB_INVALID, "the click on (%d,%d) is outside of %d x %d", named->x, named->y,
                       shape->click_width, shape->click_height);
    *action = shape->n_buttons + named->y * shape->click_width + named->x;
    return true;
}

void sb_put_log_action(sb_out *out, const sb_log_action *action) {
    if (action->id >= 0)
        sb_putf(out, "{\"id\":%d", action->id);
    else
        sb_puts(out, "{\"id\":"), sb_put_json_string(out, action->name);
    if (action->is_click) sb_putf(out, ",\"x\":%d,\"y\":%d", action->x, action->y);
    sb_puts(out, "}");
}

static bool read_place(const cJSON *object, const char *key, int32_t below, int16_t *place, sb_error *error) {
    double value;
    if (!sb_json_is_whole(cJSON_GetObjectItemCaseSensitive(object, key), 0, below - 1, &value))
        return sb_fail(error, SB_INVALID, "key `%s` of a click should be a whole number in 0..%d", key, below - 1);
    return *place = (int16_t)value, true;
}

enum { PUBLISHED_CLICK = 6, PUBLISHED_MOST = 7 };

bool sb_read_log_action(const cJSON *object, const sb_frame_shape *shape, sb_log_action *action, sb_error *error) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(object, "id");
    const char *name = cJSON_GetStringValue(id);
    double number;
    *action = (sb_log_action){.id = -1};
    if (!cJSON_IsObject(object)) return sb_fail(error, SB_INVALID, "an action should be an object with `id`");
    if (shape->published) {
        if (!sb_json_is_whole(id, 0, PUBLISHED_MOST, &number))
            return sb_fail(error, SB_INVALID, "key `id` of an action should be a whole number in 0..7");
        action->id = (int8_t)number, action->is_click = action->id == PUBLISHED_CLICK;
        snprintf(action->name, sizeof action->name, action->id ? "ACTION%d" : "RESET", action->id);
    } else {
        if (!name || !*name || strlen(name) >= sizeof action->name)
            return sb_fail(error, SB_INVALID, "key `id` of an action should be its name");
        snprintf(action->name, sizeof action->name, "%s", name);
        action->is_click = cJSON_HasObjectItem(object, "x");
    }
    return !action->is_click || (read_place(object, "x", shape->width, &action->x, error) &&
                                 read_place(object, "y", shape->height, &action->y, error));
}

/* ---- What an episode offers -------------------------------------------------------------------------------------- */

static void put_numbers(sb_out *out, unsigned bits) {
    sb_puts(out, "[");
    for (int id = 0; id <= PUBLISHED_MOST; id++) {
        if (!(bits >> id & 1)) continue;
        if (out->last != '[') sb_puts(out, ",");
        sb_put_int(out, id);
    }
    sb_puts(out, "]");
}

void sb_put_log_available(sb_out *out, const sb_env *env, const sb_frame_shape *shape) {
    bool mask[SB_MASK_MAX];
    unsigned bits = 0;
    env->family->frames->offers(env, mask);
    if (!shape->published) sb_puts(out, "[");
    for (size_t i = 0; i < sb_mask_size(&env->shape); i++) {
        sb_log_action named;
        if (!mask[i]) continue;
        sb_log_action_of(env, shape, (sb_action)i, &named);
        if (shape->published) {
            if (named.id >= 0) bits |= 1u << named.id;
            continue;
        }
        if (out->last != '[') sb_puts(out, ",");
        sb_put_json_string(out, named.name);
    }
    if (shape->published)
        put_numbers(out, bits);
    else
        sb_puts(out, "]");
}

static void put_palette(sb_out *out, const sb_env *env, const sb_frame_shape *shape) {
    sb_puts(out, "[");
    for (int32_t i = 0; i < shape->n_colours; i++) {
        if (i) sb_puts(out, ",");
        sb_put_json_string(out, env->family->frames->colour(env, i));
    }
    sb_puts(out, "]");
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static void put_part(sb_out *out, const char *key, const sb_json_part *part) {
    sb_putf(out, ",\"%s\":", key);
    sb_put(out, part->at, part->n);
}

void sb_put_log_shape(sb_out *out, const sb_log_play *play) {
    if (play->shape.published) return;
    sb_putf(out, ",\"width\":%d,\"height\":%d", play->shape.width, play->shape.height);
    put_part(out, "palette", &play->palette);
}

void sb_put_log_goal(sb_out *out, const sb_log_play *play) {
    if (!play->goal) return;
    sb_puts(out, ",\"goal\":\"");
    for (size_t i = 0; i < sb_frame_cells(&play->shape); i++)
        sb_putc(out, play->goal[i] == SB_FRAME_ANY ? '?' : signs[play->goal[i]]);
    sb_puts(out, "\"");
}

void sb_log_put_play(sb_out *out, const sb_log_play *play) {
    sb_putf(out, "{\"seedbed_transitions\":%d,\"name\":", SB_LOG_FORMAT);
    sb_put_json_string(out, play->name);
    sb_puts(out, ",\"version\":"), sb_put_json_string(out, play->version);
    if (play->is_recording) sb_puts(out, ",\"recording\":true");
    sb_putf(out, ",\"levels\":%d", play->levels);
    put_part(out, "available", &play->available);
    sb_put_log_shape(out, play);
    sb_put_log_goal(out, play);
    sb_puts(out, ",\"start\":\"");
    sb_put_frame(out, &play->shape, play->start);
    sb_puts(out, "\"");
    if (play->action_count) sb_putf(out, ",\"action_count\":%u", play->action_count);
    if (play->z.n) put_part(out, "z", &play->z);
    if (play->h.n) put_part(out, "h", &play->h);
    sb_puts(out, "}\n");
}

static void put_frames(sb_out *out, const sb_frame_shape *shape, const sb_log_transition *t) {
    const bool whole = sb_has_whole_frames(t->kind);
    const uint8_t *before = t->before;
    sb_puts(out, "\"frames\":[");
    for (uint32_t i = 0; i < t->n_frames; before = t->frames[i++]) {
        if (i) sb_puts(out, ",");
        if (whole) {
            sb_puts(out, "\"");
            sb_put_frame(out, shape, t->frames[i]);
            sb_puts(out, "\"");
        } else
            sb_put_frame_difference(out, shape, before, t->frames[i]);
    }
    sb_puts(out, "]");
}

void sb_log_put_transition(sb_out *out, const sb_log_play *play, const sb_log_transition *t) {
    sb_putf(out, "{\"t\":%u,\"level\":%d,\"action\":", t->t, t->level);
    sb_put_json_string(out, t->action.name);
    if (t->action.is_click) sb_putf(out, ",\"x\":%d,\"y\":%d", t->action.x, t->action.y);
    sb_puts(out, ",");
    put_frames(out, &play->shape, t);
    sb_puts(out, ",\"state\":"), sb_put_json_string(out, t->state);
    sb_putf(out, ",\"levels_completed\":%d", t->completed);
    put_part(out, "available", &t->available);
    sb_putf(out, ",\"full_reset\":%s,\"kind\":\"%s\",\"sha256\":\"%s\"", t->full_reset ? "true" : "false",
            sb_transition_names[t->kind], t->sha256);
    if (t->z.n) put_part(out, "z", &t->z);
    sb_puts(out, "}\n");
}

/* ---- Plays that are written -------------------------------------------------------------------------------------- */

/* Takes frames into a writer; the last one of the action before stays in front. */
typedef struct taking {
    sb_log_writer *writer;
    size_t cells; /* cells in a frame */
    uint32_t n;
    bool failed;
} taking;

/* Makes room for frames, which lie one behind the other: the one before, then those of the action. */
static bool make_room(sb_log_writer *w, size_t frames, size_t cells) {
    if (frames <= w->capacity) return true;
    const size_t capacity = 2 * frames;
    uint8_t *all = realloc(w->cells, capacity * cells);
    if (all) w->cells = all;
    const uint8_t **list = all ? realloc(w->frames, capacity * sizeof *list) : NULL;
    if (!list) return false;
    w->frames = list, w->capacity = capacity;
    return true;
}

static void take_frame(void *context, const uint8_t *frame) {
    taking *t = context;
    if (t->failed || !make_room(t->writer, t->n + 2u, t->cells)) {
        t->failed = true;
        return;
    }
    memcpy(t->writer->cells + ++t->n * t->cells, frame, t->cells);
}

/* Lets the line have the frames that were taken. */
static void point(sb_log_writer *w, uint32_t n) {
    const size_t cells = sb_frame_cells(&w->play.shape);
    sb_log_transition *line = &w->line;
    for (uint32_t i = 0; i < n; i++) w->frames[i] = w->cells + (i + 1) * cells;
    line->frames = w->frames, line->n_frames = n;
    line->before = w->cells, line->last = w->cells + n * cells;
}

/* Moves the last frame to the front, as the frame before the next action. */
static void turn(sb_log_writer *w) {
    const size_t cells = sb_frame_cells(&w->play.shape);
    if (w->line.n_frames) memmove(w->cells, w->line.last, cells);
    w->line.n_frames = 0;
    w->play.start = w->cells;
}

static bool fail_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a log of transitions"); }

static sb_json_part part_of(const sb_out *texts, size_t from, size_t to) {
    return (sb_json_part){.at = texts->data + from, .n = to - from, .document = texts->data + from};
}

static bool fail_no_frames(const char *what, const char *name, sb_error *error) {
    return sb_fail(error, SB_INVALID,
                   "%s%.60s has no frames; multi-level games have them, and programs in Autumn and their planning "
                   "challenges",
                   what, name);
}

bool sb_need_frames(const sb_selection *selection, sb_error *error) {
    for (size_t i = 0; i < selection->n; i++) {
        const sb_family *family = sb_families[selection->episodes[i].family];
        if (!family->frames) return fail_no_frames("the family ", family->name, error);
    }
    return true;
}

static bool take_goal(sb_log_writer *w, const sb_env *env) {
    const sb_frame_source *source = env->family->frames;
    if (!source->goal) return true;
    w->goal = malloc(sb_frame_cells(&w->play.shape));
    if (w->goal && source->goal(env, w->goal)) w->play.goal = w->goal;
    return w->goal;
}

bool sb_log_begin(sb_log_writer *w, const sb_env *env, sb_out *out, sb_error *error) {
    const sb_frame_source *source = env->family->frames;
    sb_frame_standing standing;
    sb_log_play *play = &w->play;
    *play = (sb_log_play){0};
    w->line = (sb_log_transition){0};
    if (!source || !source->shape(env, &play->shape)) return fail_no_frames("the episode", "", error);
    free(w->cells), free(w->goal);
    w->cells = w->goal = NULL, w->capacity = 0; /* frames of another game may be larger */
    if (!make_room(w, 2, sb_frame_cells(&play->shape)) || !take_goal(w, env)) return fail_memory(error);
    w->texts.grows = true;
    sb_out_clear(&w->texts);
    sb_put_log_available(&w->texts, env, &play->shape);
    const size_t n = w->texts.size;
    if (!play->shape.published) put_palette(&w->texts, env, &play->shape);
    if (!sb_out_ok(&w->texts)) return fail_memory(error);
    play->available = part_of(&w->texts, 0, n), play->palette = part_of(&w->texts, n, w->texts.size);
    sb_name_print(&env->name, play->name, sizeof play->name);
    sb_rules_name(env->family, env->task, play->version);
    source->stand(env, &standing);
    play->levels = source->levels(env);
    source->draw(env, w->cells);
    play->start = w->cells;
    w->level = standing.level, w->line.completed = standing.completed;
    sb_log_put_play(out, play);
    return sb_out_ok(out) || fail_memory(error);
}

static sb_transition_kind kind_of(const sb_frame_standing *now, int32_t completed_before) {
    if (!now->n_frames) return SB_TRANSITION_NONE;
    if (now->is_reset) return SB_TRANSITION_RESET;
    if (now->completed > completed_before) return SB_TRANSITION_LEVEL;
    return now->is_over ? SB_TRANSITION_OVER : SB_TRANSITION_STEP;
}

/* Fills in the line of an action whose frames were taken. */
static void fill_line(sb_log_writer *w, const sb_frame_standing *now, uint32_t n) {
    sb_log_transition *line = &w->line;
    point(w, n);
    line->t++;
    line->kind = kind_of(now, line->completed);
    line->level = w->level, line->completed = now->completed, line->full_reset = now->full_reset;
    snprintf(line->state, sizeof line->state, "%s", now->state);
    sb_frame_sha256(&w->play.shape, line->last, line->sha256);
    w->level = now->level;
}

bool sb_log_step(sb_log_writer *w, const sb_env *env, sb_action action, sb_error *error) {
    const sb_frame_source *source = env->family->frames;
    sb_frame_standing now;
    taking t = {.writer = w, .cells = sb_frame_cells(&w->play.shape)};
    turn(w);
    source->stand(env, &now);
    if (now.n_frames) source->frames(env, &(sb_frame_taker){.take = take_frame, .context = &t});
    if (t.failed) return fail_memory(error);
    sb_log_action_of(env, &w->play.shape, action, &w->line.action);
    w->line.available = w->play.available;
    fill_line(w, &now, t.n);
    return true;
}

bool sb_log_add(sb_log_writer *w, const sb_env *env, sb_action action, sb_out *out, sb_error *error) {
    if (!sb_log_step(w, env, action, error)) return false;
    sb_log_put_transition(out, &w->play, &w->line);
    return sb_out_ok(out) || fail_memory(error);
}

void sb_log_writer_free(sb_log_writer *w) {
    free(w->cells);
    free(w->goal);
    free(w->frames);
    sb_out_free(&w->texts);
    *w = (sb_log_writer){0};
}

/* ---- Tapes ------------------------------------------------------------------------------------------------------- */

typedef struct logging {
    sb_log_writer *writer;
    sb_out *out;
} logging;

static bool log_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    const logging *l = context;
    return result ? sb_log_add(l->writer, env, action, l->out, error) : sb_log_begin(l->writer, env, l->out, error);
}

bool sb_log_put_tape(sb_log_writer *writer, sb_env *env, const sb_tape *tape, sb_out *out, sb_error *error) {
    logging l = {.writer = writer, .out = out};
    return sb_tape_replay(tape, env, log_step, &l, error);
}

/* ---- Recordings -------------------------------------------------------------------------------------------------- */

/* A recording that becomes a log. */
typedef struct rewriting {
    sb_recording_lines *lines;
    const sb_catalogue *catalogue;
    sb_log_writer writer;
    sb_recorded_line first;
    size_t plays;
} rewriting;

/* Whether the recording's game is one of ours, which `verify` can play again. */
static bool is_ours(const rewriting *r, const char *name, char version[SB_RULES_NAME]) {
    sb_name parsed;
    sb_error ignored;
    sb_resolved of;
    if (!sb_resolve_text(r->catalogue, name, &parsed, &of, &ignored)) return false;
    if (of.family->recordings != r->lines->source) return false;
    sb_rules_name(of.family, of.task, version);
    return true;
}

static bool begin_recorded(rewriting *r, const sb_recorded_line *line, const sb_recorded_view *view, uint32_t n,
                           sb_out *out, sb_error *error) {
    sb_log_writer *w = &r->writer;
    if (!n && !r->plays) return r->lines->n_early++, true;
    if (!n) return sb_fail(error, SB_INVALID, "the first line of a play has no frames");
    w->play = (sb_log_play){.levels = view->levels, .shape = w->play.shape};
    w->line = (sb_log_transition){.completed = view->standing.completed};
    w->level = view->standing.level;
    w->texts.grows = true;
    sb_out_clear(&w->texts);
    put_numbers(&w->texts, view->available);
    if (!sb_out_ok(&w->texts)) return fail_memory(error);
    w->play.available = part_of(&w->texts, 0, w->texts.size);
    snprintf(w->play.name, sizeof w->play.name, "%s", line->name);
    snprintf(w->play.version, sizeof w->play.version, "recording");
    w->play.is_recording = !line->can_begin || !is_ours(r, line->name, w->play.version);
    point(w, n);
    w->line.n_frames = n;
    turn(w);
    sb_log_put_play(out, &w->play);
    r->first = *line;
    r->plays++;
    return true;
}

static bool add_recorded(rewriting *r, sb_recorded_view *view, uint32_t n, sb_out *out) {
    sb_log_writer *w = &r->writer;
    sb_out available = sb_out_growing();
    if (!n) view->standing.completed = w->line.completed, view->standing.level = w->level;
    w->line.action = (sb_log_action){
        .id = view->id, .is_click = view->id == PUBLISHED_CLICK, .x = view->x, .y = view->y};
    snprintf(w->line.action.name, sizeof w->line.action.name, view->id ? "ACTION%d" : "RESET", view->id);
    put_numbers(&available, view->available);
    w->line.available = part_of(&available, 0, available.size);
    const bool ok = sb_out_ok(&available);
    if (ok) {
        fill_line(w, &view->standing, n);
        sb_log_put_transition(out, &w->play, &w->line);
    }
    sb_out_free(&available);
    return ok;
}

static bool rewrite_line(rewriting *r, sb_out *out, sb_error *error) {
    const sb_recorded_line *line = &r->lines->line;
    sb_recorded_view view;
    sb_log_writer *w = &r->writer;
    taking t = {.writer = w, .cells = sb_frame_cells(&w->play.shape)};
    turn(w);
    if (!r->lines->source->show(r->lines->document, &view, &(sb_frame_taker){.take = take_frame, .context = &t}, error))
        return false;
    if (t.failed) return fail_memory(error);
    const bool other = !r->plays || line->begins || (line->can_begin && strcmp(r->first.play, line->play) != 0);
    if (other) return begin_recorded(r, line, &view, t.n, out, error);
    if (strcmp(r->first.name, line->name) != 0)
        return sb_fail(error, SB_INVALID, "the line is of another episode than those before, but no start");
    return add_recorded(r, &view, t.n, out) || fail_memory(error);
}

/* Finds out whose recording it is by the first line that is not blank; without one there are no plays. */
static bool find_source(sb_recording_lines *recording, sb_lines *lines, bool *has_line, sb_error *error) {
    while ((*has_line = sb_lines_next(lines, error)) && sb_is_blank_line(lines)) recording->n_blank++;
    if (*has_line) recording->source = sb_recording_of(lines->line.data, lines->line.size);
    if (recording->source || (!*has_line && error->code == SB_OK)) return true;
    return error->code != SB_OK ? false : sb_fail(error, SB_INVALID, "it is no recording of a published tool");
}

static bool rewrite(rewriting *r, sb_lines *lines, sb_out *out, sb_error *error) {
    bool has_line;
    if (!find_source(r->lines, lines, &has_line, error)) return false;
    if (!r->lines->source) return true;
    while (sb_recording_next_line(r->lines, lines, &has_line, error))
        if (!rewrite_line(r, out, error)) return false;
    return error->code == SB_OK;
}

bool sb_log_put_recording(sb_lines *lines, const sb_catalogue *catalogue, sb_out *out, size_t *n,
                          sb_recording_lines *recording, sb_error *error) {
    rewriting r = {.lines = recording,
                   .catalogue = catalogue,
                   .writer.play.shape = {.width = 64, .height = 64, .n_colours = 16, .published = true}};
    *recording = (sb_recording_lines){0};
    error->code = SB_OK;
    bool ok = make_room(&r.writer, 2, sb_frame_cells(&r.writer.play.shape)) || fail_memory(error);
    ok = ok &&
         (rewrite(&r, lines, out, error) ||
          sb_fail_at(error, "%s, line %zu", sb_path_end(lines->path), lines->number)) &&
         (sb_out_ok(out) || fail_memory(error));
    sb_recording_lines_close(recording);
    sb_log_writer_free(&r.writer);
    *n = r.plays;
    return ok;
}
