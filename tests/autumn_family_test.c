/* Autumn's programs as tasks: names, shapes, the end of exploration, observations, faults, copies and tapes. */
#include "tests/support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "generators/autumn/episode.h"
#include "seedbed/tape.h"

enum { TEXT = 1 << 20, STEPS = 300 };

static const sb_family *family;

static int find_family(void **state) {
    (void)state;
    sb_error error;
    family = sb_family_find("autumn", &error);
    return family ? 0 : -1;
}

/* Calls `check` with every shipped task. */
static void each_task(void (*check)(const sb_autumn_task *task)) {
    size_t n = 0;
    const sb_task_info *task;
    for (; (task = sb_task_at(NULL, family, n)); n++) check(sb_autumn_task_of(task));
    assert_int_equal(n, 43);
}

static sb_env *play(const sb_catalogue *catalogue, const char *task, const char *variant, unsigned seed) {
    char name[SB_NAME_MAX];
    sb_error error;
    snprintf(name, sizeof name, "autumn:%s%s%s#%u", task, *variant ? "/" : "", variant, seed);
    sb_env *env = sb_make(catalogue, name, &error);
    assert_ok(env, error);
    return env;
}

static uint32_t next_random(uint32_t *random) { return (*random = *random * 1664525u + 1013904223u) >> 8; }

/* Half of the actions are clicks. */
static sb_action some_action(const sb_env *env, uint32_t *random) {
    const uint32_t number = next_random(random), n_clicks = (uint32_t)env->n_actions - SB_AUTUMN_N_BUTTONS;
    return (sb_action)(number % 2 ? number / 2 % SB_AUTUMN_N_BUTTONS : SB_AUTUMN_N_BUTTONS + number / 2 % n_clicks);
}

static sb_result take(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    assert_ok(sb_step(env, action, &result, &error), error);
    return result;
}

static const char *shown(const sb_env *env, const char *mode) {
    static char text[TEXT];
    sb_error error;
    const sb_mode *found = sb_mode_find(family, mode, &error);
    assert_ok(found, error);
    assert_true(sb_observe(env, found, text, sizeof text) < sizeof text);
    return text;
}

static const void *array_of(const sb_env *env, const char *name) {
    static uint8_t numbers[TEXT];
    sb_error error;
    const sb_array *array = sb_array_find(family, name, &error);
    assert_ok(array, error);
    assert_true(sb_observe_array(env, array, numbers, sizeof numbers) > 0);
    return numbers;
}

static cJSON *parsed(const char *text) {
    sb_error error;
    cJSON *document = sb_json_parse(text, strlen(text), &error);
    assert_ok(document, error);
    return document;
}

/* ---- The table of programs ---- */

static void check_task(const sb_autumn_task *task) {
    char sha256[SB_SHA256_HEX];
    sb_sha256_hex(task->text, strlen(task->text), sha256);
    sha256[12] = '\0';
    assert_string_equal(task->info.rules, sha256);
    assert_int_equal(task->info.criterion, SB_BY_NOTHING);
    assert_true(isupper((unsigned char)task->info.name[0]) && !strpbrk(task->info.name, "_ -"));
    for (unsigned seed = 0; seed < 3; seed++) {
        sb_env *env = play(NULL, task->info.name, "", seed);
        assert_int_equal(sb_autumn_size(sb_autumn_state_of(env)), task->side);
        assert_int_equal(env->n_actions, 5 + task->side * task->side);
        sb_free(env);
    }
}

static void every_task_has_the_hash_and_the_size_of_its_program(void **state) {
    (void)state;
    each_task(check_task);
}

static void explore(const sb_autumn_task *task) {
    sb_env *env = play(NULL, task->info.name, "", 7);
    uint32_t random = 1;
    for (int i = 1; i <= STEPS; i++) {
        const sb_result result = take(env, some_action(env, &random));
        assert_false(result.fault || result.terminated || result.success);
        assert_int_equal(result.truncated, i == STEPS);
    }
    assert_true(env->status.done && env->status.total == 0);
    sb_free(env);
}

static void exploration_ends_after_300_steps_without_success(void **state) {
    (void)state;
    each_task(explore);
}

/* ---- The two generators ---- */

static void compare_with_engine(const sb_autumn_task *task, const char *variant, sb_autumn_generator generator) {
    sb_autumn_fault fault;
    sb_autumn_program *program = sb_autumn_load(task->text, strlen(task->text), NULL, &fault);
    sb_autumn_state *alone = sb_autumn_new(program);
    sb_env *env = play(NULL, task->info.name, variant, 12);
    uint32_t random = 5;
    assert_true(sb_autumn_start(alone, generator, 12, NULL));
    for (int i = 0; i < 60; i++) {
        sb_out text = sb_out_growing();
        sb_autumn_put_frame(alone, &text);
        sb_putc(&text, '\0');
        assert_string_equal(shown(env, "frame"), text.data);
        sb_out_free(&text);
        const sb_action action = some_action(env, &random);
        const int32_t cell = action - 5;
        assert_true(sb_autumn_step(alone,
                                   cell < 0 ? (sb_autumn_event){.key = (sb_autumn_key)action}
                                            : (sb_autumn_event){SB_AUTUMN_CLICK, cell % task->side, cell / task->side},
                                   NULL));
        take(env, action);
    }
    sb_free(env);
    sb_autumn_free(alone);
    sb_autumn_unload(program);
}

static void compare_both(const sb_autumn_task *task) {
    compare_with_engine(task, "", SB_AUTUMN_PCG64);
    compare_with_engine(task, "published", SB_AUTUMN_PUBLISHED);
}

static void variants_draw_by_pcg64_and_by_the_published_generator(void **state) {
    (void)state;
    each_task(compare_both);
}

/* ---- Recordings ---- */

static sb_out load(const char *name, const char *suffix) {
    char path[200];
    sb_error error;
    sb_out text = sb_out_growing();
    snprintf(path, sizeof path, "autumn/%s%s", name, suffix);
    assert_ok(sb_file_load_plain(golden(path), 1 << 20, &text, &error), error);
    return text;
}

/* A recorded frame has indices into a palette. */
static void assert_frame(const sb_env *env, const cJSON *rows, const cJSON *palette) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    cJSON *frame = parsed(shown(env, "frame"));
    const cJSON *row;
    int y = 0;
    assert_int_equal(cJSON_GetArraySize(frame), cJSON_GetArraySize(rows));
    cJSON_ArrayForEach(row, frame) {
        const char *said = cJSON_GetArrayItem(rows, y++)->valuestring;
        const cJSON *colour;
        cJSON_ArrayForEach(colour, row) {
            const int index = (int)(strchr(digits, *said++) - digits);
            assert_string_equal(colour->valuestring, cJSON_GetArrayItem(palette, index)->valuestring);
        }
    }
    cJSON_Delete(frame);
}

static void replay_recording(const char *name) {
    sb_error error;
    const sb_task_info *task;
    sb_out program = load(name, ".sexp"), text = load(name, ".json");
    sb_putc(&text, '\0');
    cJSON *recording = parsed(text.data);
    const cJSON *actions = cJSON_GetObjectItem(recording, "actions"),
                *frames = cJSON_GetObjectItem(recording, "frames");
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(sb_catalogue_add_program(catalogue, family, program.data, program.size, &task, &error), error);
    sb_env *env = play(catalogue, task->name, "published",
                       (unsigned)cJSON_GetObjectItem(recording, "seed")->valuedouble);
    for (int i = 0; i < cJSON_GetArraySize(frames); i++) {
        sb_action action;
        assert_frame(env, cJSON_GetArrayItem(frames, i), cJSON_GetObjectItem(recording, "palette"));
        if (i + 1 == cJSON_GetArraySize(frames)) break;
        assert_ok(sb_action_parse(env, cJSON_GetArrayItem(actions, i)->valuestring, &action, &error), error);
        take(env, action);
    }
    sb_free(env);
    sb_catalogue_free(catalogue);
    cJSON_Delete(recording);
    sb_out_free(&program), sb_out_free(&text);
}

static void recorded_programs_are_played_by_name(void **state) {
    (void)state;
    static const char *const names[] = {"a01_setup", "a05_several_handlers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) replay_recording(names[i]);
}

/* ---- Observations ---- */

/* Numbers of some colours (render.md). */
static void check_number(const char *colour, int number) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"black", 1},  {"gray", 2}, {"gold", 4},    {"green", 5},  {"white", 8},
                 {"yellow", 9}, {"red", 11}, {"orange", 12}, {"brown", 14}, {"darkorange", 39}};
    assert_in_range(number, 1, 255);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(strcmp(known[i].name, colour) == 0, known[i].number == number);
}

static void compare_views(const sb_env *env) {
    const int side = env->shape.click_width;
    cJSON *frame = parsed(shown(env, "frame")), *palette = parsed(array_of(env, "palette"));
    const char *ascii = strchr(shown(env, "ascii"), '\n') + 1;
    static const char signs[] = ".123456789abcdefghijklmnopqrstuvwxyz";
    const uint8_t *numbers = array_of(env, "colors");
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const char *colour = cJSON_GetArrayItem(cJSON_GetArrayItem(frame, y), x)->valuestring;
            const int index = (int)(strchr(signs, ascii[y * (side + 1) + x]) - signs);
            check_number(colour, numbers[y * side + x]);
            assert_string_equal(cJSON_GetArrayItem(palette, index)->valuestring, colour);
        }
    cJSON_Delete(frame);
    cJSON_Delete(palette);
}

static void view(const sb_autumn_task *task) {
    sb_env *env = play(NULL, task->info.name, "", 3);
    uint32_t random = 9;
    for (int i = 0; i < 40; i++) {
        if (i % 8 == 0) compare_views(env);
        take(env, some_action(env, &random));
    }
    sb_free(env);
}

static void texts_and_arrays_show_the_same_frame(void **state) {
    (void)state;
    each_task(view);
}

static sb_catalogue *catalogue_of(const char *text, const sb_task_info **task) {
    sb_error error;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(sb_catalogue_add_program(catalogue, family, text, strlen(text), task, &error), error);
    return catalogue;
}

static void a_grid_that_changes_is_drawn_into_the_first_area(void **state) {
    (void)state;
    const sb_task_info *task;
    sb_catalogue *catalogue = catalogue_of("(program (= GRID_SIZE 3) (object Dot (Cell 0 0 \"Red\"))\n"
                                           "(= dot (initnext (Dot (Position 1 1)) (prev dot)))\n"
                                           "(on left (= GRID_SIZE 2)) (on right (= GRID_SIZE 5)))",
                                           &task);
    static const uint8_t first[] = {1, 1, 1, 1, 11, 1, 1, 1, 1}, small[] = {1, 1, 0, 1, 11, 0, 0, 0, 0};
    sb_env *env = play(catalogue, task->name, "", 0);
    assert_int_equal(env->n_actions, 5 + 9);
    assert_memory_equal(array_of(env, "colors"), first, 9);
    take(env, SB_AUTUMN_LEFT);
    assert_memory_equal(array_of(env, "colors"), small, 9);
    assert_string_equal(shown(env, "frame"), "[[\"black\", \"black\"], [\"black\", \"red\"]]");
    take(env, SB_AUTUMN_RIGHT);
    assert_memory_equal(array_of(env, "colors"), first, 9);
    assert_string_equal(shown(env, "ascii"), ". black, 1 red\n.....\n.1...\n.....\n.....\n.....");
    sb_free(env);
    sb_catalogue_free(catalogue);
}

static void strings_that_are_no_known_colour_have_the_number_255(void **state) {
    (void)state;
    const sb_task_info *task;
    sb_catalogue *catalogue = catalogue_of(
        "(program (= GRID_SIZE 1) (= background \"\") (object Dot (Cell 0 0 \"mauve\"))\n"
        "(= dots (initnext (list) (prev dots)))\n"
        "(on clicked (= dots (list (Dot (Position 0 0))))))",
        &task);
    sb_env *env = play(catalogue, task->name, "", 0);
    assert_int_equal(*(const uint8_t *)array_of(env, "colors"), 255);
    assert_string_equal(array_of(env, "palette"), "[\"\"]");
    take(env, 5);
    assert_int_equal(*(const uint8_t *)array_of(env, "colors"), 255);
    assert_string_equal(array_of(env, "palette"), "[\"\", \"mauve\"]");
    sb_free(env);
    sb_catalogue_free(catalogue);
}

/* ---- Pictures ---- */

static sb_brush *brush_of(int32_t tile, bool indexed) {
    sb_error error;
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 0),
                                    &(sb_brush_options){.tile = tile, .indexed = indexed}, &error);
    assert_ok(brush, error);
    return brush;
}

/* How a colour looks, by its name. */
static uint32_t rgb_of(const char *name) {
#define SB_COLOUR(number, its_name, rgb)                                                                               \
    if (strcmp(name, its_name) == 0) return rgb;
#include "generators/autumn/colours.def"
#undef SB_COLOUR
    fail_msg("%s is no colour", name);
    return 0;
}

/* Reads the name of a cell's colour from its square, all of whose pixels are equal. The names are those of the frame,
 * which look different from each other. */
static const char *name_in(const uint8_t *square, int tile, size_t stride, const cJSON *palette) {
    const uint32_t rgb = (uint32_t)(square[0] << 16 | square[1] << 8 | square[2]);
    const char *found = NULL;
    const cJSON *name;
    for (int y = 0; y < tile; y++)
        for (int x = 0; x < tile; x++) assert_memory_equal(square + (size_t)y * stride + (size_t)x * 3, square, 3);
    cJSON_ArrayForEach(name, palette) {
        if (rgb_of(name->valuestring) != rgb) continue;
        assert_null(found);
        found = name->valuestring;
    }
    assert_non_null(found);
    return found;
}

/* Writes the document `frame` from a picture. */
static void put_decoded(const sb_env *env, const sb_brush *brush, sb_out *out) {
    static uint8_t pixels[1 << 21];
    const int side = env->shape.click_width, tile = brush->options.tile;
    const size_t row = (size_t)(side * tile * 3);
    cJSON *palette = parsed(array_of(env, "palette"));
    assert_int_equal(sb_observe_array(env, sb_brush_array(brush), pixels, sizeof pixels), row * (size_t)(side * tile));
    for (int y = 0; y < side; y++) {
        sb_puts(out, y ? ", [" : "[[");
        for (int x = 0; x < side; x++) {
            if (x) sb_puts(out, ", ");
            sb_put_json_string(out,
                               name_in(pixels + (size_t)(y * tile) * row + (size_t)(x * tile * 3), tile, row, palette));
        }
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
    sb_putc(out, '\0');
    cJSON_Delete(palette);
}

static void decode(const sb_autumn_task *task) {
    sb_brush *brushes[] = {brush_of(1, false), brush_of(8, false), brush_of(11, false)};
    for (unsigned seed = 0; seed < 3; seed++) {
        sb_env *env = play(NULL, task->info.name, "", seed);
        uint32_t random = seed;
        for (int i = 0; i < 30; i++) {
            sb_out text = sb_out_growing();
            put_decoded(env, brushes[seed], &text);
            assert_string_equal(text.data, shown(env, "frame"));
            sb_out_free(&text);
            take(env, some_action(env, &random));
        }
        sb_free(env);
    }
    for (size_t i = 0; i < sizeof brushes / sizeof *brushes; i++) sb_brush_free(brushes[i]);
}

static void pictures_read_back_as_the_frame(void **state) {
    (void)state;
    each_task(decode);
}

/* The cell is red in capital letters, and what is no colour looks like black. */
static void pictures_show_the_first_area_and_take_other_texts_for_black(void **state) {
    (void)state;
    const sb_task_info *task;
    sb_catalogue *catalogue = catalogue_of(
        "(program (= GRID_SIZE 2) (= background \"white\") (object Dot (Cell 0 0 \"Red\"))\n"
        "(object Odd (Cell 0 0 \"mauve\")) (= odd (initnext (Odd (Position 1 1)) (prev odd)))\n"
        "(= dot (initnext (Dot (Position 0 0)) (prev dot)))\n"
        "(on left (= GRID_SIZE 1)) (on right (= GRID_SIZE 3)))",
        &task);
    static const uint8_t first[] = {255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0}, small[] = {[0] = 255, [11] = 0};
    uint8_t shown_pixels[sizeof first], numbers[4];
    size_t n_colours;
    sb_brush *brush = brush_of(1, false), *indexed = brush_of(1, true);
    sb_env *env = play(catalogue, task->name, "", 0);
    static const sb_action actions[] = {SB_AUTUMN_NOOP, SB_AUTUMN_LEFT, SB_AUTUMN_RIGHT};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        take(env, actions[i]);
        assert_int_equal(sb_observe_array(env, sb_brush_array(brush), shown_pixels, sizeof shown_pixels), sizeof first);
        assert_memory_equal(shown_pixels, actions[i] == SB_AUTUMN_LEFT ? small : first, sizeof first);
    }
    take(env, SB_AUTUMN_LEFT);
    assert_int_equal(sb_observe_array(env, sb_brush_array(indexed), numbers, sizeof numbers), sizeof numbers);
    assert_true(numbers[0] > 0 && numbers[1] == 0 && numbers[2] == 0 && numbers[3] == 0);
    assert_true(sb_brush_palette(indexed, &n_colours) && n_colours > numbers[0]);
    sb_brush_free(brush), sb_brush_free(indexed);
    sb_free(env);
    sb_catalogue_free(catalogue);
}

/* ---- Actions ---- */

static void actions_print_and_read_back(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = play(NULL, "Triad", "", 0);
    char text[32];
    for (sb_action action = 0, read; action < env->n_actions; action++) {
        sb_action_name(env, action, text, sizeof text);
        assert_ok(sb_action_parse(env, text, &read, &error), error);
        assert_int_equal(read, action);
    }
    sb_action_name(env, 5 + 2 * 3 + 1, text, sizeof text);
    assert_string_equal(text, "click 1 2");
    static const char *const wrong[] = {"click",   "click 3 0",   "click 0 3", "click -1 0",
                                        "click 1", "click 1 2 3", "fly"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sb_action read;
        assert_error(sb_action_parse(env, wrong[i], &read, &error), &error, SB_INVALID, "is not an action of Triad");
    }
    sb_free(env);
}

/* ---- Faults ---- */

static const char divides[] = "(program (= GRID_SIZE 4) (: n Number)\n(= n (initnext 0 (+ (prev n) 1)))\n"
                              "(on clicked (= m (/ 1 0))))";

static void a_fault_ends_the_episode_in_the_state_before(void **state) {
    (void)state;
    const sb_task_info *task;
    sb_catalogue *catalogue = catalogue_of(divides, &task);
    sb_env *env = play(catalogue, task->name, "", 0);
    uint64_t before[2], after[2];
    char why[200];
    take(env, 0);
    sb_key(env, before);
    assert_true(take(env, 5 + 6).fault);
    sb_key(env, after);
    assert_memory_equal(before, after, sizeof before);
    assert_true(env->status.done && env->status.fault && env->status.terminated && env->status.steps == 2);
    sb_fault_text(env, why, sizeof why);
    assert_non_null(strstr(why, ":3:"));
    assert_non_null(strstr(why, "division"));
    sb_free(env);
    sb_catalogue_free(catalogue);
}

static void programs_that_cannot_be_read_or_started_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {{"(program (= GRID_SIZE 3)", "program:1:1: parse"},
                 {"(program (= x (/ 1 0)))", "division"},
                 {"(program (= GRID_SIZE 0))", "GRID_SIZE must be at least 1"},
                 {"\xff(program)", "byte 1 of the program is not UTF-8"}};
    sb_error error;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(sb_catalogue_add_program(catalogue, family, wrong[i].text, strlen(wrong[i].text), NULL, &error),
                     &error, SB_INVALID, wrong[i].why);
    assert_null(sb_program_at(catalogue, 0));
    sb_catalogue_free(catalogue);
}

static const char longest[] = "a long name of a colour, which has as many bytes as texts may be";

/* The longest observation of a program before and after a step. */
static size_t longest_observation(const char *text) {
    const sb_task_info *task;
    sb_catalogue *catalogue = catalogue_of(text, &task);
    sb_env *env = play(catalogue, task->name, "", 0);
    size_t most = 0;
    for (int i = 0; i < 2; i++, take(env, SB_AUTUMN_LEFT))
        for (size_t m = 0; m < family->n_modes; m++) {
            const size_t n = sb_observe(env, &family->modes[m], NULL, 0);
            assert_in_range(n, 1, family->text_max);
            if (n > most) most = n;
        }
    sb_free(env);
    sb_catalogue_free(catalogue);
    return most;
}

/* As many cells as may be drawn, far away, with the longest colour that there may be. */
static void no_observation_is_longer_than_the_family_says(void **state) {
    (void)state;
    static const char format[] = "(program (= GRID_SIZE 256) (= background \"%s%s\")\n"
                                 "(object Dot (map (--> p (Cell (.. p x) (.. p y) background)) (allPositions 256)))\n"
                                 "(= dot (initnext (Dot (Position 0 0)) (prev dot)))\n"
                                 "(on left (= dot (move dot (Position -2000000000 -2000000000)))))";
    char text[1000];
    sb_error error;
    assert_int_equal(strlen(longest), SB_AUTUMN_STRING_MAX);
    snprintf(text, sizeof text, format, longest, "!");
    sb_catalogue *empty = sb_catalogue_make(&error);
    assert_error(sb_catalogue_add_program(empty, family, text, strlen(text), NULL, &error), &error, SB_INVALID,
                 "program:1:42: limit: a text of more than 64 bytes");
    sb_catalogue_free(empty);
    snprintf(text, sizeof text, format, longest, "");
    longest_observation(text);
}

/* As many objects as may be drawn, with as long a type and fields as may be told. */
static void no_observation_of_a_world_is_longer(void **state) {
    (void)state;
    static const char format[] =
        "(program (task \"Dots\" (win false)) (= GRID_SIZE 256)\n"
        "(object A_long_name_of_a_type_which_has_as_many_bytes_as_names_can_have_ (: told String) (: far Number)\n"
        "  (: list (List Number)) (Cell 0 0 told))\n"
        "(= list (map (--> n 1000000000) (list 1 2 3 4 5 6)))\n"
        "(= make (--> p (A_long_name_of_a_type_which_has_as_many_bytes_as_names_can_have_ \"%s\" (+ (* 256 (.. p x))"
        " (.. p y)) list p)))\n"
        "(= dots (map make (allPositions 256))))";
    char text[1000];
    snprintf(text, sizeof text, format, longest);
    assert_true(longest_observation(text) > family->text_max / 10 * 8);
}

/* ---- Copies ---- */

static void assert_alike(const sb_env *a, const sb_env *b) {
    uint64_t keys[2][2];
    char text[1 << 16];
    sb_key(a, keys[0]), sb_key(b, keys[1]);
    assert_memory_equal(keys[0], keys[1], sizeof keys[0]);
    snprintf(text, sizeof text, "%s", shown(a, "cells"));
    assert_string_equal(text, shown(b, "cells"));
}

/* A copy takes the place of an episode of another program. */
static void copy_and_diverge(const sb_autumn_task *task) {
    sb_error error;
    sb_env *env = play(NULL, task->info.name, "", 4), *copy = play(NULL, "Triad", "", 1);
    uint32_t random = 3;
    for (int i = 0; i < 20; i++) take(env, some_action(env, &random));
    assert_ok(sb_copy(copy, env, &error), error);
    for (int i = 0; i < 20; i++) {
        const sb_action action = some_action(env, &random);
        assert_alike(env, copy);
        take(env, action), take(copy, action);
    }
    uint64_t before[2], after[2];
    sb_key(env, before);
    for (int i = 0; i < 20; i++) take(copy, some_action(copy, &random));
    sb_key(env, after);
    assert_memory_equal(before, after, sizeof before);
    sb_free(env); /* the copy keeps the program */
    take(copy, 0);
    sb_free(copy);
}

static void a_copy_goes_on_alike_and_apart(void **state) {
    (void)state;
    each_task(copy_and_diverge);
}

/* Environments in several threads share one program. */
static void threads_share_a_program(void **state) {
    (void)state;
    enum { N = 8 };
    const sb_task_info *task;
    sb_error error;
    sb_catalogue *catalogue = catalogue_of(sb_autumn_task_of(sb_task_at(NULL, family, 7))->text, &task);
    sb_name names[N];
    sb_action actions[N];
    uint64_t keys[2][N][2];
    for (int i = 0; i < N; i++) {
        names[i] = (sb_name){.seed = (uint64_t)i};
        strcpy(names[i].family, "autumn"), strcpy(names[i].task, task->name);
    }
    for (int threads = 1; threads <= 2; threads++) {
        const sb_batch_plan plan = {
            .catalogue = catalogue, .names = names, .n_names = N, .n = N, .threads = (size_t)(2 * threads - 1)};
        const sb_batch_arrays arrays = {.keys = keys[threads - 1]};
        sb_batch *batch = sb_batch_make(&plan, &arrays, &error);
        uint32_t random = 1;
        assert_ok(batch, error);
        for (int step = 0; step < 50; step++) {
            for (int i = 0; i < N; i++) actions[i] = some_action(sb_batch_env(batch, (size_t)i), &random);
            assert_ok(sb_batch_step(batch, actions, &error), error);
            if (step % 10 == 0) assert_ok(sb_batch_copy(batch, 0, sb_batch_env(batch, 1), &error), error);
        }
        sb_batch_free(batch);
    }
    assert_memory_equal(keys[0], keys[1], sizeof keys[0]);
    sb_catalogue_free(catalogue);
}

/* ---- Tapes ---- */

/* Shipped programs, too, have their hash in the rules, so the tape of another text is refused. */
static void tapes_of_an_edited_program_are_refused(void **state) {
    (void)state;
    sb_error error;
    char line[4096], rules[64];
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_reset(env, "autumn:Seesaw#7", &error) && sb_record(env, true, &error), error);
    take(env, 0);
    sb_tape *tape = sb_tape_of(env, "bot", &error);
    size_t n = sb_tape_print(tape, line, sizeof line);
    assert_ok(sb_tape_replay(tape, env, NULL, NULL, &error), error);
    sb_tape_free(tape);
    snprintf(rules, sizeof rules, "\"rules\": \"autumn 1 %s\"", sb_task_of(env)->rules);
    char *at = strstr(line, rules);
    assert_non_null(at);
    at += strlen(rules) - 2;
    *at = *at == '0' ? '1' : '0';
    tape = sb_tape_load(NULL, line, n, &error);
    assert_ok(tape, error);
    assert_error(sb_tape_replay(tape, env, NULL, NULL, &error), &error, SB_VERSION_OTHER, "made under the rules");
    sb_tape_free(tape);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_has_the_hash_and_the_size_of_its_program),
        cmocka_unit_test(exploration_ends_after_300_steps_without_success),
        cmocka_unit_test(variants_draw_by_pcg64_and_by_the_published_generator),
        cmocka_unit_test(recorded_programs_are_played_by_name),
        cmocka_unit_test(texts_and_arrays_show_the_same_frame),
        cmocka_unit_test(a_grid_that_changes_is_drawn_into_the_first_area),
        cmocka_unit_test(strings_that_are_no_known_colour_have_the_number_255),
        cmocka_unit_test(pictures_read_back_as_the_frame),
        cmocka_unit_test(pictures_show_the_first_area_and_take_other_texts_for_black),
        cmocka_unit_test(actions_print_and_read_back),
        cmocka_unit_test(a_fault_ends_the_episode_in_the_state_before),
        cmocka_unit_test(programs_that_cannot_be_read_or_started_are_refused),
        cmocka_unit_test(no_observation_is_longer_than_the_family_says),
        cmocka_unit_test(no_observation_of_a_world_is_longer),
        cmocka_unit_test(a_copy_goes_on_alike_and_apart),
        cmocka_unit_test(threads_share_a_program),
        cmocka_unit_test(tapes_of_an_edited_program_are_refused),
    };
    return cmocka_run_group_tests(tests, find_family, NULL);
}
