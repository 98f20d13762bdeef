/* Drawings of the look `isometric` keep to their rules, cells are where the published picture has them, and pictures
 * are the same whether the ground was kept or not, in every thread and on every machine. */
#include "tests/isometric_support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { PIXELS_MAX = 1024 * 1024 * 3 };

/* ---- Rules for drawings ---- */

/* Units that a number of pixels covers, rounded to the middle. */
static int units(int pixels, int half) { return pixels * 64 / half; }

static void check_figure(const sb_stage *stage, int figure, int half) {
    const bool is_agent = (figure >= SB_SIGN_AGENT && figure < SB_SIGN_AGENT + 4) || figure == SB_FIGURE_BUBBLE;
    const sb_sprite_runs *standing = &stage->thing[figure].of[SB_LAYER_STANDING];
    for (int i = standing->first; i < standing->first + standing->n; i++) {
        const sb_run *r = &stage->things.runs[i];
        const int slack = 64 / half + 1, wide = units(r->y, half) > -30 ? 42 : 56;
        if (units(r->x, half) < -wide - slack || units(r->x + r->n, half) > wide + slack)
            fail_msg("figure %d is too wide: row %d, half tile %d", figure, r->y, half);
        assert_true(units(r->y, half) >= (is_agent ? -112 : -96) - slack);
        assert_true(units(r->y + 1, half) <= 32 + slack);
    }
}

/* Feet stay where no wall in front reaches them, and nothing is so high that it covers the cell behind the next one. */
static void figures_keep_to_their_room(void **state) {
    (void)state;
    sb_error error;
    static sb_figures figures;
    assert_ok(sb_figures_read(&figures, &error), error);
    for (int half = 6; half <= 98; half += half < 30 ? 1 : 17) {
        sb_stage stage;
        assert_true(sb_stage_make(&stage, &figures, half, sb_layout_up(half)));
        for (int figure = 0; figure < SB_N_FIGURES; figure++)
            if (figure != SB_SIGN_REVERSED) check_figure(&stage, figure, half);
        sb_stage_free(&stage);
    }
    assert_in_range(figures.palette.n, 100, SB_COLOURS_MAX);
}

/* ---- Where cells are ---- */

/* The middle of a cell's floor in the published picture of n x n cells, 512 pixels wide and high. */
static void published(int n, int x, int y, double at[2]) {
    const double wide = 512 / (118.0 * n), high = 472 / (64.0 * n + 128), least = wide < high ? wide : high;
    const double scale = 0.9 * least < 0.05 ? 0.05 : 0.9 * least > 1.5 ? 1.5 : 0.9 * least;
    const int tw = (int)(118 * scale) / 2, height = (int)(64 * scale), th = height / 2;
    at[0] = ((x - y) * tw + (n - 1) * tw + tw) * 512.0 / (2 * n * tw);
    at[1] = ((x + y) * th + 40 + height + th) * 512.0 / (2 * n * th + 2 * height + 40);
}

/* Each axis may be stretched and moved: the ends of the grid are laid upon each other. */
static void cells_are_where_the_published_picture_has_them(void **state) {
    (void)state;
    for (int n = 5; n <= 31; n++) {
        const sb_layout l = sb_layout_of(512, sb_layout_half(512, 2 * n), n, n);
        double first[2], last[2], left[2], right[2], at[2];
        published(n, 0, 0, first), published(n, n - 1, n - 1, last);
        published(n, 0, n - 1, left), published(n, n - 1, 0, right);
        const double sx = 2.0 * (n - 1) * l.half / (right[0] - left[0]);
        const double sy = 2.0 * (n - 1) * l.up / (last[1] - first[1]);
        assert_true(sx > 0.8 && sx < 1.25 && sy > 0.7 && sy < 1.4);
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                published(n, x, y, at);
                const double dx = l.left + (at[0] - first[0]) * sx - sb_layout_x(&l, sb_at(x, y));
                const double dy = l.top + (at[1] - first[1]) * sy - sb_layout_y(&l, sb_at(x, y));
                assert_true(dx * dx <= l.half * l.half / 4.0 && dy * dy <= l.up * l.up / 4.0);
                if (n != 11) continue; /* there, without any fit, half a tile's height is 16 pixels */
                const double px = at[0] - sb_layout_x(&l, sb_at(x, y)), py = at[1] - sb_layout_y(&l, sb_at(x, y));
                assert_true(px > -17 && px < 17 && py > -17 && py < 17);
            }
    }
}

/* The sizes above are those of all tasks. */
static void every_task_has_a_square_grid(void **state) {
    (void)state;
    const sb_family *family = sb_family_at(0);
    for (size_t t = 0; t < family->n_tasks; t++)
        for (size_t d = 0; d < family->n_difficulties; d++)
            for (int seed = 0; seed < 2; seed++) {
                sb_env *env = made(family->task(t)->name, family->difficulties[d], seed);
                const sb_episode *e = env->state;
                assert_int_equal(e->width, e->height);
                assert_in_range(e->width, 5, 31);
                sb_free(env);
            }
}

static void every_grid_fits(void **state) {
    (void)state;
    for (int side = SB_PICTURE_LEAST; side <= SB_PICTURE_MOST; side++)
        for (int n = 5; n <= SB_SIDE_MAX; n++) {
            const sb_layout l = sb_layout_of(side, sb_layout_half(side, 2 * n), n, n);
            assert_true(l.left - n * l.half >= 0 && l.left + n * l.half <= side);
            assert_true(l.top - l.up >= 0 && l.top + (2 * n - 1) * l.up <= side);
        }
}

/* ---- The same picture ---- */

static uint8_t pixels[PIXELS_MAX], others[PIXELS_MAX];

static size_t paint_env(const sb_env *env, const sb_brush *brush, uint8_t *to) {
    const size_t n = sb_observe_array(env, sb_brush_array(brush), to, PIXELS_MAX);
    assert_in_range(n, 1, PIXELS_MAX);
    return n;
}

/* Makes a brush draw every ground again, as if other threads were at it. */
static void keep_nothing(sb_brush *brush) {
    sb_isometric *iso = brush->tiles;
    for (int i = 0; i < iso->kept.n; i++) atomic_store(&iso->kept.of[i].users, -1);
}

static void kept_grounds_change_no_picture(void **state) {
    (void)state;
    static const char *const tasks[] = {"KeyDoorPuzzle-v0", "FogOfWarExploration-v0", "PackingPuzzle-v0",
                                        "SokobanPush-v0", "SwitchCircuit-v0"};
    for (int32_t size = 97; size <= 512; size += 415) {
        sb_brush *keeps = brush_of(size, false), *forgets = brush_of(size, false), *numbers = brush_of(size, true);
        size_t n_colours;
        const sb_rgb *palette = sb_brush_palette(numbers, &n_colours);
        keep_nothing(forgets);
        for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
            sb_env *env = made(tasks[t], "medium", 2);
            for (int step = 0; step < (TESTS_ARE_SLOW ? 6 : 40); step++) {
                const size_t n = paint_env(env, keeps, pixels);
                paint_env(env, forgets, others);
                assert_int_equal(memcmp(pixels, others, n), 0);
                assert_int_equal(paint_env(env, numbers, others), n / 3);
                for (size_t i = 0; i < n / 3; i++)
                    if (memcmp(pixels + 3 * i, palette[others[i]], 3) != 0) fail_msg("%s, pixel %zu", tasks[t], i);
                take_step(env, step * 7 % SB_N_ACTIONS);
            }
            sb_free(env);
        }
        sb_brush_free(keeps), sb_brush_free(forgets), sb_brush_free(numbers);
    }
}

enum { THREADS = 4, SCENES = 40, SHARED_SIZE = 64 };
static struct {
    sb_env *env[SCENES];
    sb_brush *brush;
    uint8_t right[SCENES][SHARED_SIZE * SHARED_SIZE * 3];
} shared;

static void *paint_shared(void *context) {
    static _Thread_local uint8_t own[SHARED_SIZE * SHARED_SIZE * 3];
    size_t *n_wrong = context;
    for (int i = 0; i < 20 * SCENES; i++) {
        const int scene = (int)(((size_t)i * 7 + (size_t)(uintptr_t)context / sizeof *n_wrong) % SCENES);
        sb_observe_array(shared.env[scene], sb_brush_array(shared.brush), own, sizeof own);
        *n_wrong += memcmp(own, shared.right[scene], sizeof own) != 0;
    }
    return NULL;
}

/* More grounds than places for them, so that threads often find a place in use. */
static void threads_share_a_brush(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    static size_t n_wrong[THREADS];
    shared.brush = brush_of(SHARED_SIZE, false);
    ((sb_isometric *)shared.brush->tiles)->kept.n = 3;
    for (int i = 0; i < SCENES; i++) {
        shared.env[i] = made("MazeNavigation-v0", "medium", i);
        sb_observe_array(shared.env[i], sb_brush_array(shared.brush), shared.right[i], sizeof shared.right[i]);
    }
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, paint_shared, &n_wrong[t]), 0);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++) assert_int_equal(n_wrong[t], 0);
    for (int i = 0; i < SCENES; i++) sb_free(shared.env[i]);
    sb_brush_free(shared.brush);
}

/* Cells that no task has, on grids of every size. */
static void anything_can_be_painted(void **state) {
    (void)state;
    static sb_episode e;
    static sb_task task = {.info.name = "scene"};
    static const int32_t sizes[] = {64, 65, 128, 333, 1024};
    sb_env env = {.family = sb_family_at(0), .state = &e, .task = &task.info};
    uint32_t random = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        sb_brush *brush = brush_of(sizes[s], s % 2);
        for (int n = 1; n <= SB_SIDE_MAX; n += TESTS_ARE_SLOW ? 6 : 1) {
            e = (sb_episode){.task = &task, .max_steps = 10, .clock = n % 11};
            task.has_kinds = n % 2;
            e.width = (uint8_t)n, e.height = (uint8_t)(n % 3 ? n : 32 - n);
            for (int i = 0; i < sb_n_cells(&e); i++) {
                random = random * 1664525 + 1013904223;
                e.cells[i] = (sb_cell){(int8_t)(random >> 8 & 7), (int8_t)((random >> 12 & 255) % SB_N_OBJECTS),
                                       (int16_t)(random >> 16)};
                e.cells[i].terrain %= SB_N_TERRAINS;
                if (random >> 20 & 1) e.cells[i].metadata %= 256;
            }
            e.agent = (sb_grid_agent){sb_at(n / 2, e.height / 2), (uint8_t)(n % 4), SB_ITEMS_MAX};
            paint_env(&env, brush, pixels);
        }
        sb_brush_free(brush);
    }
}

/* ---- The same bytes everywhere ---- */

enum { N_SIZES = 3 };
static const int32_t golden_sizes[N_SIZES] = {512, 256, 128};
static sb_brush *golden_brushes[N_SIZES];
static size_t n_differing;

/* Hashes the colour numbers of the start and of the states after 20 and 40 steps. */
static void hash_pictures(const char *task, const char *difficulty, const sb_brush *brush, char hex[SB_SHA256_HEX]) {
    uint8_t digest[32];
    sb_sha256 hash;
    sb_env *env = made(task, difficulty, 0);
    sb_sha256_begin(&hash);
    for (int step = 0; step <= 40; step++) {
        if (step % 20 == 0) sb_sha256_add(&hash, pixels, paint_env(env, brush, pixels));
        take_step(env, step * 7 % SB_N_ACTIONS);
    }
    sb_sha256_end(&hash, digest);
    sb_hex(digest, sizeof digest, hex);
    sb_free(env);
}

/* Says what the line would have to be, so that a change of drawings that is meant can be recorded. */
static void compare_hash(const cJSON *line) {
    const char *task = cJSON_GetStringValue(cJSON_GetObjectItem(line, "task"));
    const char *difficulty = cJSON_GetStringValue(cJSON_GetObjectItem(line, "difficulty"));
    for (int b = 0; b < N_SIZES; b++) {
        char key[8], hex[SB_SHA256_HEX];
        snprintf(key, sizeof key, "%d", golden_sizes[b]);
        hash_pictures(task, difficulty, golden_brushes[b], hex);
        const char *said = cJSON_GetStringValue(cJSON_GetObjectItem(line, key));
        if (said && strncmp(hex, said, 16) == 0) continue;
        print_message("%s %s \"%s\": \"%.16s\"\n", task, difficulty, key, hex);
        n_differing++;
    }
}

/* The hashes were made by this program. They show that compilers and machines agree, and that no drawing changes by
 * mistake. */
static void pictures_have_the_same_bytes_everywhere(void **state) {
    (void)state;
    for (int b = 0; b < N_SIZES; b++) golden_brushes[b] = brush_of(golden_sizes[b], true);
    n_differing = 0;
    assert_int_equal(each_vector("pixels/isometric.jsonl", compare_hash), 4 * 37);
    for (int b = 0; b < N_SIZES; b++) sb_brush_free(golden_brushes[b]);
    assert_int_equal(n_differing, 0);
}

/* ---- Options ---- */

static void impossible_options_are_refused(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family = sb_family_at(0);
    const sb_look *isometric = sb_look_find(family, "isometric", &error), *flat = sb_look_at(family, 0);
    static const struct {
        sb_brush_options options;
        const char *words;
    } wrong[] = {{{.size = 63}, "64 to 1024"},
                 {{.size = 1025}, "64 to 1024"},
                 {{.size = -1}, "64 to 1024"},
                 {{.tile = 8}, "`size`"},
                 {{.view = 5}, "`view`"},
                 {{.no_panel = true}, "`panel`"},
                 {{.no_highlight = true}, "`highlight`"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(sb_brush_make(family, isometric, &wrong[i].options, &error), &error, SB_INVALID, wrong[i].words);
    assert_error(sb_brush_make(family, flat, &(sb_brush_options){.size = 512}, &error), &error, SB_INVALID, "`tile`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_keep_to_their_room),
        cmocka_unit_test(cells_are_where_the_published_picture_has_them),
        cmocka_unit_test(every_task_has_a_square_grid),
        cmocka_unit_test(every_grid_fits),
        cmocka_unit_test(kept_grounds_change_no_picture),
        cmocka_unit_test(threads_share_a_brush),
        cmocka_unit_test(anything_can_be_painted),
        cmocka_unit_test(pictures_have_the_same_bytes_everywhere),
        cmocka_unit_test(impossible_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
