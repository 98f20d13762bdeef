/* Recorded games of the engine of ARC-like games: what a script does in every call of `step`, and what came of it.
 *
 *   levels      list of {name, grid [w, h] or null, sprites}; camera, ui: as in scenes
 *   win_score   a number shown; 1 or less (or left out): the number of levels
 *   turns       one action each: `action` (id), `x`, `y` of a click; `script`: for each call of `step` a list of
 *               operations (generators/conformance/arc_operations.c); `forever`: beyond the script, step does nothing;
 *               `script_repeat` [n, ops, last]: n calls of ops, then one of last
 *   expect      of a turn: `frames` (hashes), `state`, `levels_completed`, `win_levels`, `full_reset`,
 *               `available_actions`; of the engine afterwards: `level`, `action_count`, `calls`, `sprites`
 *               ([name, x, y]), `log` (left out if empty). Or `error` with `calls`. `frame_count`: that many frames, of
 *               which `frames` has the first only. `full` repeats frames for readers and is not looked at. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/conformance/arc.h"

typedef struct play {
    sb_arc_script script; /* the first member: hooks get a pointer to it */
    sb_comparison at;
    const cJSON *turn, *expect;
    const cJSON *available;
    int32_t win_levels;
    const cJSON *frames; /* recorded hashes of the frames of this turn */
    uint32_t n_frames;   /* frames that were taken in this turn */
    sb_out theirs, ours;
} play;

/* ---- Reading ------------------------------------------------------------------------------------------------------
 */

static bool read_grid(const cJSON *item, sb_arc_stage_level *level, sb_error *error) {
    const cJSON *grid = cJSON_GetObjectItemCaseSensitive(item, "grid");
    if (!grid || cJSON_IsNull(grid)) return true;
    if (cJSON_GetArraySize(grid) != 2 || !sb_arc_is_number(cJSON_GetArrayItem(grid, 0), &level->width) ||
        !sb_arc_is_number(cJSON_GetArrayItem(grid, 1), &level->height) || !sb_arc_is_view(level->width, level->height))
        return sb_fail(error, SB_INVALID, "key `grid` should be two numbers in 1..64, or null");
    return true;
}

static bool read_levels(play *p, const cJSON *levels, sb_error *error) {
    const cJSON *item, *sprites;
    sb_arc_stage_level *level = p->script.stage.levels;
    cJSON_ArrayForEach(item, levels) {
        if (!read_grid(item, level, error) || !sb_json_array(item, "sprites", &sprites, error) ||
            !sb_arc_read_sprites(sprites, &p->script.texts, &level->clean, error))
            return false;
        level++;
    }
    return true;
}

static bool read_stage(play *p, const cJSON *recording, const cJSON *levels, sb_error *error) {
    sb_arc_stage *stage = &p->script.stage;
    bool exists;
    if (!sb_arc_stage_new(stage, cJSON_GetArraySize(levels)))
        return sb_fail(error, SB_MEMORY, "out of memory for the levels of a game");
    if (!sb_arc_read_camera(cJSON_GetObjectItemCaseSensitive(recording, "camera"), &stage->camera, &exists, error) ||
        !sb_arc_read_pairs(cJSON_GetObjectItemCaseSensitive(recording, "ui"), &p->script.texts, &stage->pairs, error) ||
        !read_levels(p, levels, error))
        return false;
    if (!exists) return sb_fail(error, SB_INVALID, "key `camera`: its sides should be 1..64");
    return sb_arc_stage_begin(stage, &sb_arc_script_stage, &p->script) ||
           sb_fail(error, SB_INVALID, "the static sprites of a level cannot be merged");
}

static bool read_game(play *p, const cJSON *recording, const cJSON **turns, sb_error *error) {
    const cJSON *levels;
    if (!sb_json_array(recording, "turns", turns, error) || !sb_json_array(recording, "levels", &levels, error) ||
        !sb_arc_read_number(recording, "win_score", 1, &p->win_levels, error))
        return false;
    if (cJSON_GetArraySize(levels) < 1)
        return sb_fail(error, SB_INVALID, "key `levels` should have at least one level");
    if (p->win_levels <= 1) p->win_levels = cJSON_GetArraySize(levels);
    p->available = cJSON_GetObjectItemCaseSensitive(recording, "available_actions");
    return read_stage(p, recording, levels, error);
}

static bool read_action(const play *p, sb_arc_action *action, sb_error *error) {
    int32_t id, x = 0, y = 0;
    if (!sb_arc_read_number(p->turn, "action", -1, &id, error)) return false;
    if (id < 0 || id >= SB_ARC_ACTIONS) return sb_fail(error, SB_INVALID, "key `action` should be 0..7");
    if (id == SB_ARC_CLICK &&
        (!sb_arc_read_number(p->turn, "x", -1, &x, error) || !sb_arc_read_number(p->turn, "y", -1, &y, error)))
        return false;
    if (x < 0 || y < 0 || x >= SB_ARC_FRAME_SIDE || y >= SB_ARC_FRAME_SIDE)
        return sb_fail(error, SB_INVALID, "keys `x` and `y` of a click should be 0..63");
    *action = (sb_arc_action){.id = (uint8_t)id, .x = (uint8_t)x, .y = (uint8_t)y};
    return true;
}

/* ---- The game ------------------------------------------------------------------------------------------------------
 */

/* The operations of a call of step, counted from 0; NULL: there are none. */
static const cJSON *operations_of(const cJSON *turn, uint32_t call) {
    const cJSON *repeat = cJSON_GetObjectItemCaseSensitive(turn, "script_repeat");
    int32_t n;
    if (!repeat) return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(turn, "script"), (int)call);
    if (!sb_arc_is_number(cJSON_GetArrayItem(repeat, 0), &n)) return NULL;
    return (int64_t)call <= n ? cJSON_GetArrayItem(repeat, (int64_t)call < n ? 1 : 2) : NULL;
}

static void step(void *game, sb_arc_loop *loop, const sb_arc_film *film) {
    play *const p = game;
    const cJSON *operations = operations_of(p->turn, loop->calls - 1), *operation;
    (void)film;
    cJSON_ArrayForEach(operation, operations) if (!p->script.is_broken) sb_arc_operate(&p->script, operation);
    /* a malformed script need not be played on */
    if (p->script.is_broken) sb_arc_complete(loop);
}

static void take(void *context, const uint8_t *frame) {
    play *const p = context;
    const cJSON *recorded = p->frames ? cJSON_GetArrayItem(p->frames, (int)p->n_frames++) : NULL;
    char hash[SB_SHA256_HEX];
    if (p->at.found->differs || !recorded) return;
    sb_arc_frame_hash(frame, hash);
    (void)sb_equal_text(&p->at, SB_ASPECT_VIEWS, "frame", cJSON_IsString(recorded) ? recorded->valuestring : "", hash);
}

static void draw(void *game, uint8_t *frame) { sb_arc_script_stage.draw(game, frame); }
static void restore(void *game, int32_t level) { sb_arc_script_stage.restore(game, level); }
static void enter(void *game, int32_t level) { sb_arc_script_stage.enter(game, level); }

static const sb_arc_hooks hooks = {.restore = restore, .enter = enter, .step = step, .draw = draw};

/* ---- Comparing -----------------------------------------------------------------------------------------------------
 */

static void compare_number(play *p, sb_aspect aspect, const char *key, int32_t ours) {
    const cJSON *recorded = cJSON_GetObjectItemCaseSensitive(p->expect, key);
    if (p->at.found->differs) return;
    (void)sb_equal_int(&p->at, aspect, key, cJSON_IsNumber(recorded) ? recorded->valuedouble : -1e9, ours);
}

/* Compares what was put into `ours` with a member, or with `fallback` if it is left out. */
static bool compare_text(play *p, sb_aspect aspect, const char *key, const char *fallback, sb_error *error) {
    const cJSON *recorded = cJSON_GetObjectItemCaseSensitive(p->expect, key);
    if (recorded)
        sb_put_recorded(&p->theirs, recorded);
    else
        sb_puts(&p->theirs, fallback);
    sb_put(&p->theirs, "\0", 1);
    sb_put(&p->ours, "\0", 1);
    if (p->theirs.failed || p->ours.failed) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    if (!p->at.found->differs) (void)sb_equal_text(&p->at, aspect, key, p->theirs.data, p->ours.data);
    sb_out_clear(&p->theirs);
    sb_out_clear(&p->ours);
    return true;
}

/* The published engine answers actions after the end with counts of zero; ours keeps them (engine 13). */
static bool compare_answer(play *p, const sb_arc_answer *answer, sb_error *error) {
    const bool is_empty = answer->n_frames == 0;
    compare_number(p, SB_ASPECT_ENDS, "levels_completed", is_empty ? 0 : answer->levels_completed);
    compare_number(p, SB_ASPECT_ENDS, "win_levels", is_empty ? 0 : p->win_levels);
    sb_put_json_string(&p->ours, sb_arc_state_names[answer->state]);
    if (!compare_text(p, SB_ASPECT_ENDS, "state", "", error)) return false;
    sb_puts(&p->ours, answer->full_reset ? "true" : "false");
    if (!compare_text(p, SB_ASPECT_ENDS, "full_reset", "", error)) return false;
    if (p->available)
        sb_put_recorded(&p->ours, p->available);
    else
        sb_puts(&p->ours, "[1,2,3,4,5,6]");
    return compare_text(p, SB_ASPECT_ENDS, "available_actions", "", error);
}

static bool compare_world(play *p, sb_error *error) {
    const sb_arc_scene *scene = sb_arc_stage_scene(&p->script.stage);
    compare_number(p, SB_ASPECT_STATES, "level", p->script.stage.loop.level);
    compare_number(p, SB_ASPECT_STATES, "action_count", (int32_t)p->script.stage.loop.action_count);
    compare_number(p, SB_ASPECT_STATES, "calls", (int32_t)p->script.stage.loop.calls);
    sb_puts(&p->ours, "[");
    for (size_t i = 0; i < scene->n; i++) {
        sb_puts(&p->ours, i ? ",[" : "[");
        sb_put_json_string(&p->ours, p->script.texts.names[scene->sprites[i].name]);
        sb_putf(&p->ours, ",%lld,%lld]", (long long)scene->sprites[i].x, (long long)scene->sprites[i].y);
    }
    sb_puts(&p->ours, "]");
    if (!compare_text(p, SB_ASPECT_STATES, "sprites", "", error)) return false;
    sb_puts(&p->ours, "[");
    sb_put_out(&p->ours, &p->script.log);
    sb_puts(&p->ours, "]");
    return compare_text(p, SB_ASPECT_STATES, "log", "[]", error);
}

static bool compare_turn(play *p, sb_error *error) {
    const sb_arc_film film = {.take = take, .context = p};
    sb_arc_action action;
    sb_arc_answer answer;
    if (!sb_json_object(p->turn, "expect", &p->expect, error) || !read_action(p, &action, error)) return false;
    const bool fails = cJSON_HasObjectItem(p->expect, "error");
    p->frames = cJSON_GetObjectItemCaseSensitive(p->expect, "frames");
    p->n_frames = 0;
    sb_out_clear(&p->script.log);
    const bool ok = sb_arc_act(&p->script.stage.loop, &hooks, &p->script, action, &film, &answer);
    if (p->script.is_broken) return false;
    if (!sb_equal_bool(&p->at, SB_ASPECT_ENDS, "error", fails, !ok)) return true;
    if (!ok) return compare_number(p, SB_ASPECT_STATES, "calls", (int32_t)p->script.stage.loop.calls), true;
    if (cJSON_HasObjectItem(p->expect, "frame_count"))
        compare_number(p, SB_ASPECT_VIEWS, "frame_count", (int32_t)answer.n_frames);
    else if (!p->at.found->differs)
        (void)sb_equal_int(&p->at, SB_ASPECT_VIEWS, "number of frames", cJSON_GetArraySize(p->frames),
                           (int)answer.n_frames);
    return compare_answer(p, &answer, error) && compare_world(p, error);
}

static bool compare_game(play *p, const cJSON *recording, sb_error *error) {
    const cJSON *turns, *id = cJSON_GetObjectItemCaseSensitive(recording, "id");
    int number = 0;
    if (!read_game(p, recording, &turns, error)) return false;
    p->at.found->compared[SB_ASPECT_RESET]++;
    cJSON_ArrayForEach(p->turn, turns) {
        if (p->at.found->differs) break;
        snprintf(p->at.place, sizeof p->at.place, "%.60s, turn %d", cJSON_IsString(id) ? id->valuestring : "game",
                 number++);
        p->at.found->steps++;
        if (!compare_turn(p, error)) return false;
    }
    return true;
}

bool sb_compare_arc_game(const cJSON *recording, sb_conformity *found, sb_error *error) {
    play *const p = calloc(1, sizeof *p);
    if (!p) return sb_fail(error, SB_MEMORY, "out of memory for a game");
    p->at.found = found;
    p->script.error = error;
    p->script.log = p->theirs = p->ours = sb_out_growing();
    const bool ok = compare_game(p, recording, error);
    sb_arc_stage_free(&p->script.stage);
    sb_out_free(&p->script.log);
    sb_out_free(&p->theirs);
    sb_out_free(&p->ours);
    free(p);
    return ok;
}
