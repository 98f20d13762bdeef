#include "generators/conformance/babyai_pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "engine/minigrid/minigrid.h"
#include "generators/babyai/family.h"

bool sb_has_frames(const cJSON *recording) { return cJSON_HasObjectItem(recording, "frames"); }
bool sb_is_tile(const cJSON *recording) { return cJSON_HasObjectItem(recording, "code"); }

static bool equal_pixels(sb_comparison *c, const char *recorded, const uint8_t *pixels, size_t n) {
    char hex[SB_SHA256_HEX];
    sb_sha256_hex(pixels, n, hex);
    return sb_equal_hash(c, SB_ASPECT_PICTURES, "hash of the pixels", recorded, 64, hex);
}

static bool read_side(const cJSON *object, int *side, sb_error *error) {
    uint64_t n;
    if (!sb_json_uint(object, "tile_size", &n, error)) return false;
    *side = (int)n;
    return (n >= 1 && n <= SB_MG_TILE_MAX) ||
           sb_fail(error, SB_INVALID, "key `tile_size` should be 1 to %d", SB_MG_TILE_MAX);
}

/* ---- Tiles ------------------------------------------------------------------------------------------------------- */

/* The published codes of all things, also of those that no level has. */
static bool read_code(const cJSON *recording, uint8_t code[3], sb_error *error) {
    static const int most[3] = {9, SB_MG_N_COLOURS - 1, SB_MG_LOCKED};
    const cJSON *list = sb_recorded_list(recording, "code", 3, error);
    if (!list) return false;
    for (int k = 0; k < 3; k++) {
        const double number = sb_recorded_number(list, k);
        if (!(number >= 0 && number <= most[k])) return sb_fail(error, SB_INVALID, "key `code` should be a known code");
        code[k] = (uint8_t)number;
    }
    return true;
}

static bool read_direction(const cJSON *recording, int *direction, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(recording, "agent_dir");
    *direction = SB_MG_NO_AGENT;
    if (cJSON_IsNull(item)) return true;
    if (!cJSON_IsNumber(item) || item->valueint < 0 || item->valueint > 3)
        return sb_fail(error, SB_INVALID, "key `agent_dir` should be null or 0 to 3");
    *direction = item->valueint;
    return true;
}

bool sb_compare_tile(const cJSON *recording, sb_comparison *c, sb_error *error) {
    uint8_t code[3], rgb[3 * SB_MG_TILE_MAX * SB_MG_TILE_MAX];
    int side, direction;
    bool highlight;
    const char *hash;
    if (!read_code(recording, code, error) || !read_direction(recording, &direction, error) ||
        !read_side(recording, &side, error) || !sb_json_bool(recording, "highlight", &highlight, error) ||
        !sb_recorded_hex(recording, "sha256", 64, &hash, error))
        return false;
    snprintf(c->place, sizeof c->place, "tile [%d,%d,%d], agent %d, highlight %d, side %d", code[0], code[1], code[2],
             direction, highlight, side);
    sb_mg_draw_tile(code, direction, highlight, side, rgb);
    equal_pixels(c, hash, rgb, (size_t)(3 * side * side));
    return true;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static bool draw(const sb_env *env, const sb_brush_options *options, const char *look, uint8_t **pixels,
                 int32_t extent[SB_ARRAY_RANK], sb_error *error) {
    sb_brush *brush = sb_brush_make(env->family, sb_look_find(env->family, look, error), options, error);
    if (!brush) return false;
    sb_extent_in(env, sb_brush_array(brush), extent);
    *pixels = malloc(sb_numbers_size(SB_UINT8, 3, extent) + 1);
    if (*pixels) sb_fill_array(env, sb_brush_array(brush), *pixels);
    sb_brush_free(brush);
    return *pixels || sb_fail(error, SB_MEMORY, "out of memory for a picture");
}

static bool compare_frame(const cJSON *frame, const sb_env *env, sb_comparison *c, sb_error *error) {
    sb_brush_options options = {0};
    bool is_view, highlight;
    const char *hash;
    int32_t extent[SB_ARRAY_RANK];
    uint8_t *pixels;
    if (!sb_json_bool(frame, "agent_pov", &is_view, error) || !sb_json_bool(frame, "highlight", &highlight, error) ||
        !read_side(frame, &options.tile, error) || !sb_recorded_hex(frame, "sha256", 64, &hash, error))
        return false;
    options.no_highlight = !highlight;
    if (!draw(env, &options, is_view ? "view" : "grid", &pixels, extent, error)) return false;
    snprintf(c->place, sizeof c->place, "%s#%llu after %d steps, %s with tiles of %d%s", env->task->name,
             (unsigned long long)env->name.seed, ((const sb_mg_world *)env->state)->steps, is_view ? "view" : "grid",
             options.tile, highlight ? "" : ", no highlight");
    const double height = cJSON_GetNumberValue(cJSON_GetObjectItem(frame, "height")),
                 width = cJSON_GetNumberValue(cJSON_GetObjectItem(frame, "width"));
    if (height != extent[0] || width != extent[1])
        sb_differ(c, "size\n  recorded %g x %g\n  ours     %d x %d", width, height, extent[1], extent[0]);
    else
        equal_pixels(c, hash, pixels, sb_numbers_size(SB_UINT8, 3, extent));
    free(pixels);
    return true;
}

/* Plays the recorded actions, one digit each. */
static bool reach(const char *actions, sb_mg_world *w, sb_conformity *found, sb_error *error) {
    sb_result result;
    for (; *actions; actions++) {
        if (*actions < '0' || *actions >= '0' + SB_MG_N_ACTIONS)
            return sb_fail(error, SB_INVALID, "key `actions` should be digits 0 to 6");
        sb_mg_step(w, (sb_mg_action)(*actions - '0'), &result);
        found->steps++;
    }
    return true;
}

bool sb_compare_frames(const cJSON *recording, sb_comparison *c, sb_error *error) {
    const char *id, *actions;
    const cJSON *frames, *frame;
    size_t index;
    sb_mg_world world;
    sb_env env = {.family = &sb_babyai, .state = &world};
    if (!sb_json_string(recording, "id", &id, error) || !sb_json_uint(recording, "seed", &env.name.seed, error) ||
        !sb_json_string(recording, "actions", &actions, error) || !sb_json_array(recording, "frames", &frames, error) ||
        !sb_task_find(NULL, &sb_babyai, id, &index, error))
        return false;
    env.task = sb_babyai.task(index);
    const sb_mg_level *level = (const sb_mg_level *)env.task;
    if (!level->generate(level, env.name.seed, &world, NULL, error) || !reach(actions, &world, c->found, error))
        return false;
    cJSON_ArrayForEach(frame, frames) {
        if (c->found->differs) break;
        if (!compare_frame(frame, &env, c, error)) return sb_fail_at(error, "key `frames`");
    }
    return true;
}
