/* Pictures as users of the library have them (public headers only): looks and brushes, and pixels as an array like
 * any other, alone and in batches. What the pixels mean: flat_test.c, minigrid_picture_test.c. */
#include "seedbed/picture.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "seedbed/gridworld.h"
#include "tests/support.h"

enum { ROOM = 800 * 800 * 3 };

static uint8_t pixels[ROOM], others[ROOM];

static const sb_family *family_of(const char *name) {
    sb_error error;
    return sb_family_find(name, &error);
}

static sb_brush *brush_of(const char *family, const char *look, const sb_brush_options *options) {
    sb_error error;
    const sb_look *found = sb_look_find(family_of(family), look, &error);
    assert_ok(found != NULL, error);
    sb_brush *brush = sb_brush_make(family_of(family), found, options, &error);
    assert_ok(brush != NULL, error);
    return brush;
}

static sb_env *made(const char *name) {
    sb_error error;
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env != NULL, error);
    return env;
}

/* Paints with a brush that is made for this one picture; gives height, width and the third dimension. */
static size_t paint(const sb_env *env, const char *look, sb_brush_options options, uint8_t *to,
                    int32_t extent[SB_ARRAY_RANK]) {
    sb_error error;
    sb_brush *brush = brush_of(sb_name_of(env)->family, look, &options);
    assert_ok(sb_name_extent(NULL, sb_name_of(env), sb_brush_array(brush), extent, &error), error);
    const size_t n = sb_observe_array(env, sb_brush_array(brush), to, ROOM);
    assert_in_range(n, 1, ROOM);
    sb_brush_free(brush);
    return n;
}

/* ---- Looks and arrays -------------------------------------------------------------------------------------------- */

static void looks_are_listed_and_found_by_name_and_alias(void **state) {
    (void)state;
    sb_error error;
    const sb_family *babyai = family_of("babyai");
    assert_string_equal(sb_look_at(family_of("agentick"), 0)->name, "flat");
    assert_string_equal(sb_look_at(family_of("agentick"), 1)->name, "isometric");
    assert_null(sb_look_at(family_of("agentick"), 2));
    assert_string_equal(sb_look_at(family_of("autumn"), 0)->name, "grid");
    assert_string_equal(sb_look_at(family_of("arc"), 0)->name, "screen");
    assert_null(sb_look_at(family_of("climb"), 0));
    assert_ptr_equal(sb_look_find(babyai, "rgb_partial", &error), sb_look_find(babyai, "view", &error));
    assert_ptr_equal(sb_look_find(babyai, "rgb_array", &error), sb_look_find(babyai, "grid", &error));
    assert_true(sb_look_find(babyai, "grid", &error)->privileged && !sb_look_find(babyai, "view", &error)->privileged);
    assert_error(sb_look_find(babyai, "smell", &error), &error, SB_UNKNOWN, "looks of babyai: view, grid");
}

static void wrong_brushes_are_refused(void **state) {
    (void)state;
    sb_error error;
    static const struct {
        const char *family, *look, *words;
        sb_brush_options options;
    } wrong[] = {{"babyai", "view", "1 to 64", {.tile = 65}},
                 {"babyai", "grid", "1 to 64", {.tile = -1}},
                 {"babyai", "view", "`view`", {.view = 5}},
                 {"babyai", "grid", "`panel`", {.no_panel = true}},
                 {"babyai", "view", "`highlight`", {.no_highlight = true}},
                 {"babyai", "grid", "`indexed`", {.indexed = true}},
                 {"autumn", "grid", "1 to 64", {.tile = 65}},
                 {"autumn", "grid", "1 to 64", {.tile = -1}},
                 {"arc", "screen", "1 to 32", {.tile = 33}},
                 {"arc", "screen", "`view`", {.view = 5}},
                 {"autumn", "grid", "`view`", {.view = 5}},
                 {"autumn", "grid", "`panel`", {.no_panel = true}},
                 {"autumn", "grid", "`highlight`", {.no_highlight = true}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const sb_family *family = family_of(wrong[i].family);
        assert_error(sb_brush_make(family, sb_look_find(family, wrong[i].look, &error), &wrong[i].options, &error),
                     &error, SB_INVALID, wrong[i].words);
    }
}

/* Every array of a family, and pixels, have the extent that the name tells. */
static void extents_follow_from_the_name(void **state) {
    (void)state;
    sb_error error;
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array;
    sb_env *env = made("TreasureHunt/medium#3");
    for (size_t i = 0; (array = sb_array_at(sb_family_of(env), i)); i++) {
        assert_ok(sb_name_extent(NULL, sb_name_of(env), array, extent, &error), error);
        assert_memory_equal(extent, sb_shape_of(env)->extent[i], sizeof extent);
    }
    assert_int_equal(paint(env, "flat", (sb_brush_options){0}, pixels, extent), (12 + 2) * 8 * 12 * 8 * 3);
    assert_true(extent[0] == 112 && extent[1] == 96 && extent[2] == 3);
    paint(env, "flat", (sb_brush_options){.tile = 16, .view = 9, .no_panel = true, .indexed = true}, pixels, extent);
    assert_true(extent[0] == 144 && extent[1] == 144 && extent[2] == 0);
    sb_brush *brush = brush_of("babyai", "view", NULL);
    assert_error(sb_name_extent(NULL, sb_name_of(env), sb_brush_array(brush), extent, &error), &error, SB_INVALID,
                 "array pixels does not belong to family agentick");
    assert_int_equal(sb_observe_array(env, sb_brush_array(brush), pixels, ROOM), 0);
    sb_brush_free(brush);
    sb_free(env);
}

static void every_level_of_babyai_can_be_painted(void **state) {
    (void)state;
    sb_error error;
    const sb_task_info *task;
    sb_brush *brush = brush_of("babyai", "grid", NULL);
    for (size_t i = 0; (task = sb_task_at(NULL, family_of("babyai"), i)); i++) {
        char name[SB_NAME_MAX];
        int32_t extent[SB_ARRAY_RANK];
        snprintf(name, sizeof name, "babyai:%s#1", task->name);
        sb_env *env = made(name);
        assert_ok(sb_name_extent(NULL, sb_name_of(env), sb_brush_array(brush), extent, &error), error);
        assert_int_equal(sb_observe_array(env, sb_brush_array(brush), pixels, ROOM), extent[0] * extent[1] * 3);
        sb_free(env);
    }
    sb_brush_free(brush);
}

static void a_buffer_that_is_too_small_is_left_alone(void **state) {
    (void)state;
    sb_env *env = made("GoToGoal/easy#1");
    sb_brush *brush = brush_of("agentick", "flat", NULL);
    const size_t n = sb_observe_array(env, sb_brush_array(brush), NULL, 0);
    assert_int_equal(n, 40 * 56 * 3);
    memset(pixels, 7, n);
    assert_int_equal(sb_observe_array(env, sb_brush_array(brush), pixels, n - 1), n);
    for (size_t i = 0; i < n; i++) assert_int_equal(pixels[i], 7);
    sb_brush_free(brush);
    sb_free(env);
}

/* ---- Every look of every family ---------------------------------------------------------------------------------- */

/* Compares what two brushes and a copy of the episode show; colours are those of the palette. */
static void compare_brushes(const sb_env *env, const sb_brush *brush, const sb_brush *other, const sb_brush *numbers) {
    sb_error error;
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array = sb_brush_array(brush);
    sb_env *copy = made(NULL);
    assert_ok(sb_name_extent(NULL, sb_name_of(env), array, extent, &error), error);
    const size_t n = (size_t)extent[0] * (size_t)extent[1];
    assert_true(extent[2] == 3 && 3 * n < ROOM);
    pixels[3 * n] = 77;
    assert_int_equal(sb_observe_array(env, array, pixels, ROOM), 3 * n);
    assert_int_equal(pixels[3 * n], 77);
    assert_ok(sb_copy(copy, env, &error), error);
    sb_observe_array(copy, sb_brush_array(other), others, ROOM);
    assert_memory_equal(pixels, others, 3 * n);
    if (numbers) {
        size_t n_colours;
        const sb_rgb *palette = sb_brush_palette(numbers, &n_colours);
        assert_int_equal(sb_observe_array(env, sb_brush_array(numbers), others, ROOM), n);
        for (size_t i = 0; i < n; i++) {
            assert_in_range(others[i], 0, n_colours - 1);
            assert_memory_equal(pixels + 3 * i, palette[others[i]], 3);
        }
    }
    sb_free(copy);
}

static void play_and_compare(const char *family, const char *name, const sb_look *look) {
    sb_error error;
    sb_env *env = made(name);
    sb_brush *brush = brush_of(family, look->name, NULL), *other = brush_of(family, look->name, NULL);
    sb_brush *numbers = look->indexed ? brush_of(family, look->name, &(sb_brush_options){.indexed = true}) : NULL;
    for (int step = 0; step < 12 && !sb_status_of(env)->done; step++) {
        sb_result result;
        compare_brushes(env, brush, other, numbers);
        assert_ok(sb_step(env, step * 7 % sb_n_actions(sb_shape_of(env)), &result, &error), error);
    }
    sb_brush_free(brush), sb_brush_free(other), sb_brush_free(numbers);
    sb_free(env);
}

/* Holds for families that this program knows nothing of, such as the toy. */
static void a_picture_is_a_function_of_the_state_and_has_the_declared_size(void **state) {
    (void)state;
    static const char *const names[] = {"agentick", "babyai", "autumn", "arc", "toy"};
    static const char *const difficulties[] = {"/easy", "", "", "/intro", ""};
    const sb_look *look;
    size_t n_looks = 0;
    for (size_t f = 0; f < sizeof names / sizeof *names; f++)
        for (size_t l = 0; (look = sb_look_at(family_of(names[f]), l)); l++, n_looks++) {
            const sb_task_info *task;
            assert_true(*look->version && *look->summary);
            for (size_t t = 0; (task = sb_task_at(NULL, family_of(names[f]), t)); t += 5) {
                char name[SB_NAME_MAX];
                snprintf(name, sizeof name, "%s:%s%s#3", names[f], task->name, difficulties[f]);
                play_and_compare(names[f], name, look);
            }
        }
    assert_int_equal(n_looks, 8);
}

/* ---- What options do --------------------------------------------------------------------------------------------- */

static void colours_are_those_of_the_palette(void **state) {
    (void)state;
    size_t n_colours;
    int32_t extent[SB_ARRAY_RANK];
    sb_env *env = made("TaskInterference/hard#2");
    sb_brush *brush = brush_of("agentick", "flat", &(sb_brush_options){.tile = 16, .indexed = true});
    const sb_rgb *palette = sb_brush_palette(brush, &n_colours);
    const size_t n = sb_observe_array(env, sb_brush_array(brush), others, ROOM);
    assert_int_equal(paint(env, "flat", (sb_brush_options){.tile = 16}, pixels, extent), 3 * n);
    assert_int_equal(sb_brush_array(brush)->values, n_colours);
    for (size_t i = 0; i < n; i++) {
        assert_in_range(others[i], 1, n_colours - 1);
        assert_memory_equal(pixels + 3 * i, palette[others[i]], 3);
    }
    sb_brush_free(brush);
    brush = brush_of("agentick", "flat", NULL);
    assert_null(sb_brush_palette(brush, &n_colours));
    assert_int_equal(n_colours, 0);
    sb_brush_free(brush);
    sb_free(env);
}

static uint8_t pixel_or_black(const int32_t extent[], int x, int y) {
    return x < 0 || y < 0 || y >= extent[0] || x >= extent[1] ? 0 : pixels[y * extent[1] + x];
}

/* The squares around the agent are cut out of the whole picture, and black where the grid ends. */
static void a_view_is_cut_out_of_the_grid(void **state) {
    (void)state;
    int32_t extent[SB_ARRAY_RANK], cut[SB_ARRAY_RANK];
    sb_env *env = made("MazeNavigation/medium#7");
    sb_error error;
    for (int step = 0; step < 30; step++) {
        sb_result result;
        const sb_xy at = sb_agent_position(env);
        paint(env, "flat", (sb_brush_options){.no_panel = true, .indexed = true}, pixels, extent);
        for (int view = 1; view <= 23; view += 2) {
            const int side = view * 8, left = (at.x - view / 2) * 8, top = (at.y - view / 2) * 8;
            paint(env, "flat", (sb_brush_options){.no_panel = true, .indexed = true, .view = view}, others, cut);
            assert_true(cut[0] == side && cut[1] == side);
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++)
                    assert_int_equal(others[y * side + x], pixel_or_black(extent, left + x, top + y));
        }
        if (!sb_status_of(env)->done) assert_ok(sb_step(env, step * 7 % SB_N_ACTIONS, &result, &error), error);
    }
    sb_free(env);
}

static void the_panel_stands_below_the_grid(void **state) {
    (void)state;
    int32_t with[SB_ARRAY_RANK], without[SB_ARRAY_RANK];
    sb_env *env = made("KeyDoorPuzzle/medium#42");
    paint(env, "flat", (sb_brush_options){0}, pixels, with);
    const size_t n = paint(env, "flat", (sb_brush_options){.no_panel = true}, others, without);
    assert_true(with[0] == without[0] + 16 && with[1] == without[1]);
    assert_memory_equal(pixels, others, n);
    sb_free(env);
}

static void highlighting_changes_what_the_agent_sees_and_nothing_else(void **state) {
    (void)state;
    int32_t extent[SB_ARRAY_RANK];
    sb_env *env = made("babyai:GoTo#4");
    const size_t n = paint(env, "grid", (sb_brush_options){0}, pixels, extent);
    paint(env, "grid", (sb_brush_options){.no_highlight = true}, others, extent);
    size_t brighter = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(pixels[i] >= others[i]);
        brighter += pixels[i] > others[i];
    }
    assert_in_range(brighter, 1, 7 * 7 * 8 * 8 * 3);
    sb_free(env);
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

enum { N = 6, STEPS = 40, HEIGHT = 200, WIDTH = 160 };

static uint8_t shown[N][HEIGHT][WIDTH][3];

/* Compares an item with a picture that is painted beside the batch. */
static void assert_item(const sb_env *env, const sb_array *array, size_t i) {
    sb_error error;
    int32_t extent[SB_ARRAY_RANK];
    static const uint8_t black[WIDTH * 3];
    assert_ok(sb_name_extent(NULL, sb_name_of(env), array, extent, &error), error);
    sb_observe_array(env, array, pixels, ROOM);
    for (int y = 0; y < HEIGHT; y++) {
        const size_t n = y < extent[0] ? (size_t)extent[1] * 3 : 0;
        assert_memory_equal(shown[i][y], pixels + (size_t)y * (size_t)extent[1] * 3, n);
        assert_memory_equal((uint8_t *)shown[i][y] + n, black, sizeof black - n);
    }
}

/* Tasks of several sizes in one batch: pictures stand in the upper left corner, whatever the number of threads. */
static void batches_show_the_same_pixels(void **state) {
    (void)state;
    static const char *const texts[N] = {"GoToGoal/easy#1",     "KeyDoorPuzzle/medium#2", "LightsOut/easy#3",
                                         "TreasureHunt/easy#4", "TagHunt/hard#5",         "ToolUse/medium#6"};
    sb_error error;
    sb_name names[N];
    sb_brush *brush = brush_of("agentick", "flat", NULL);
    const sb_array *array = sb_brush_array(brush);
    for (size_t i = 0; i < N; i++) assert_ok(sb_name_parse(NULL, texts[i], &names[i], &error), error);
    for (size_t threads = 1; threads <= 3; threads += 2) {
        const sb_array_out out = {.array = array, .out = shown, .extent = {HEIGHT, WIDTH, 3}};
        sb_batch *batch = sb_batch_make(
            &(sb_batch_plan){.names = names, .n_names = N, .n = N, .threads = threads, .then = SB_THEN_SAME},
            &(sb_batch_arrays){.now = {.arrays = &out, .n_arrays = 1}}, &error);
        assert_ok(batch != NULL, error);
        for (int step = 0; step < STEPS; step++) {
            sb_action actions[N];
            for (size_t i = 0; i < N; i++) assert_item(sb_batch_env(batch, i), array, i);
            for (size_t i = 0; i < N; i++) actions[i] = (sb_action)((size_t)step * 7 + i) % SB_N_ACTIONS;
            assert_ok(sb_batch_step(batch, actions, &error), error);
        }
        sb_batch_free(batch);
    }
    const sb_array_out tight = {.array = array, .out = shown};
    assert_error(sb_batch_make(&(sb_batch_plan){.names = names, .n_names = N, .n = N},
                               &(sb_batch_arrays){.now = {.arrays = &tight, .n_arrays = 1}}, &error),
                 &error, SB_INVALID, "array pixels has another size here than in the first task");
    sb_brush_free(brush);
}

/* ---- The same bytes everywhere ----------------------------------------------------------------------------------- */

/* Hashes the colour numbers of pictures from all difficulties, the start and forty steps of each. */
static void hash_task(const char *task, int32_t tile, char hex[SB_SHA256_HEX]) {
    static const char *const difficulties[] = {"easy", "medium", "hard", "expert"};
    uint8_t digest[32];
    sb_sha256 hash;
    sb_error error;
    sb_result result;
    sb_brush *brush = brush_of("agentick", "flat", &(sb_brush_options){.tile = tile, .indexed = true});
    sb_sha256_begin(&hash);
    for (int d = 0; d < 4; d++) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "%s/%s#0", task, difficulties[d]);
        sb_env *env = made(name);
        for (int step = 0; step <= 40 && !sb_status_of(env)->done; step++) {
            sb_sha256_add(&hash, pixels, sb_observe_array(env, sb_brush_array(brush), pixels, ROOM));
            assert_ok(sb_step(env, step * 7 % SB_N_ACTIONS, &result, &error), error);
        }
        sb_free(env);
    }
    sb_sha256_end(&hash, digest);
    sb_hex(digest, sizeof digest, hex);
    sb_brush_free(brush);
}

static size_t n_differing;

/* Says what the line would have to be, so that a change of drawings that is meant can be recorded. */
static void compare_hash(const cJSON *line) {
    char hex[SB_SHA256_HEX];
    const char *task = cJSON_GetStringValue(cJSON_GetObjectItem(line, "task"));
    const int32_t tile = cJSON_GetObjectItem(line, "tile")->valueint;
    hash_task(task, tile, hex);
    if (strcmp(hex, cJSON_GetStringValue(cJSON_GetObjectItem(line, "sha256"))) == 0) return;
    print_message("{\"task\": \"%s\", \"tile\": %d, \"sha256\": \"%s\"}\n", task, tile, hex);
    n_differing++;
}

/* The hashes were made by this program. They show that compilers and machines agree, and that no drawing changes by
 * mistake. */
static void pictures_have_the_same_bytes_everywhere(void **state) {
    (void)state;
    n_differing = 0;
    assert_int_equal(each_vector("pixels/flat.jsonl", compare_hash), 2 * 37);
    assert_int_equal(n_differing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_listed_and_found_by_name_and_alias),
        cmocka_unit_test(wrong_brushes_are_refused),
        cmocka_unit_test(extents_follow_from_the_name),
        cmocka_unit_test(every_level_of_babyai_can_be_painted),
        cmocka_unit_test(a_buffer_that_is_too_small_is_left_alone),
        cmocka_unit_test(a_picture_is_a_function_of_the_state_and_has_the_declared_size),
        cmocka_unit_test(colours_are_those_of_the_palette),
        cmocka_unit_test(a_view_is_cut_out_of_the_grid),
        cmocka_unit_test(the_panel_stands_below_the_grid),
        cmocka_unit_test(highlighting_changes_what_the_agent_sees_and_nothing_else),
        cmocka_unit_test(batches_show_the_same_pixels),
        cmocka_unit_test(pictures_have_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
