/* Looking for plans in a candidate, on a small board that a test plays: the shortest way is found, of equal ones the
 * first in the order of actions, states are the same however they are spelled, and budgets hold. Canonical JSON. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation/models/imagine.h"

enum { SIDE = 8 };

/* ---- Canonical JSON ---------------------------------------------------------------------------------------------- */

static const char *const spellings[][2] = {
    {"{\"b\": 1, \"a\": [1, 2.50, -0]}", "{\"a\":[1,2.5,0],\"b\":1}"},
    {" \"x\\u0041\\n\" ", "\"xA\\n\""},
    {"1e2", "100"},
    {"1.0", "1"},
    {"0.1", "0.1"},
    {"18446744073709551615", "18446744073709551615"},
    {"", "null"},
    {"{}", "{}"},
    {"[[], {\"z\": null, \"\": true}]", "[[],{\"\":true,\"z\":null}]"},
};

static void equal_values_have_one_spelling(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        sb_error error = {0};
        sb_out once = sb_out_growing(), again = sb_out_growing();
        assert_ok(sb_put_canonical(&once, spellings[i][0], strlen(spellings[i][0]), &error), error);
        assert_ok(sb_put_canonical(&again, once.data, once.size, &error), error);
        assert_int_equal(once.size, strlen(spellings[i][1]));
        assert_memory_equal(once.data, spellings[i][1], once.size);
        assert_int_equal(again.size, once.size);
        assert_memory_equal(again.data, once.data, once.size);
        sb_out_free(&once), sb_out_free(&again);
    }
    sb_error error = {0};
    sb_out out = sb_out_growing();
    assert_error(sb_put_canonical(&out, "{\"a\":}", 6, &error), &error, SB_INVALID, "");
    sb_out_free(&out);
}

/* ---- A board ----------------------------------------------------------------------------------------------------- */

/* Actions 1 to 4 go up, down, left and right; '#' stops, '!' loses, 'G' is the end of the level. */
typedef struct board {
    char cells[SIDE][SIDE + 1];
    bool tells_progress; /* how far down it is */
    bool has_goal;       /* 'g' is the goal, though the level goes on there */
    unsigned asked;
    char answer[400];
} board;

static int number(const cJSON *object, const char *key) {
    return (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void put_place(board *b, sb_out *out, int x, int y) {
    if (b->asked++ % 2) /* the same value in two spellings */
        sb_putf(out, "{\"y\": %d, \"x\": %d.0}", y, x);
    else
        sb_putf(out, "{\"x\":%d,\"y\":%d}", x, y);
}

static void predict(board *b, const cJSON *request, sb_out *out) {
    static const int ways[5][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    const cJSON *z = cJSON_GetObjectItemCaseSensitive(request, "z");
    const cJSON *action = cJSON_GetObjectItemCaseSensitive(request, "action");
    const int id = number(action, "id"), was_x = number(z, "x"), was_y = number(z, "y");
    int x = was_x + ways[id < 5 ? id : 0][0], y = was_y + ways[id < 5 ? id : 0][1];
    if (id == 6) x = number(action, "x"), y = number(action, "y");
    const bool is_open = x >= 0 && y >= 0 && x < SIDE && y < SIDE && b->cells[y][x] != '#';
    if (!is_open) x = was_x, y = was_y;
    sb_puts(out, "{\"z\":");
    put_place(b, out, x, y);
    sb_putf(out, ",\"done\":%s,\"over\":%s}", b->cells[y][x] == 'G' ? "true" : "false",
            b->cells[y][x] == '!' ? "true" : "false");
}

static void render(const cJSON *request, sb_out *out) {
    const cJSON *z = cJSON_GetObjectItemCaseSensitive(request, "z");
    const int place = number(z, "y") * SIDE + number(z, "x");
    sb_puts(out, "{\"frame\":\"");
    for (int i = 0; i < SIDE * SIDE; i++) sb_putc(out, i == place ? '1' : '0');
    sb_puts(out, "\"}");
}

static void tell_goal(const board *b, const cJSON *request, sb_out *out) {
    const cJSON *z = cJSON_GetObjectItemCaseSensitive(request, "z");
    const bool achieved = b->has_goal && b->cells[number(z, "y")][number(z, "x")] == 'g';
    sb_putf(out, "{\"achieved\":%s,\"progress\":%.3f,\"reason\":\"\"}", achieved ? "true" : "false",
            b->tells_progress ? number(z, "y") / 8.0 : 0.0);
}

static bool ask(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer, sb_failure *failure,
                sb_error *error) {
    board *b = context;
    (void)failure;
    sb_out out = sb_out_fixed(b->answer, sizeof b->answer);
    cJSON *request = sb_json_parse(line, n, error);
    assert_ok(request, *error);
    switch (op) {
    case SB_MODEL_HELLO:
        sb_puts(&out, "{\"name\":\"board\",\"version\":\"1\",\"offers\":[\"predict\",\"render\",\"clicks\",\"goal\"]}");
        break;
    case SB_MODEL_PREDICT: predict(b, request, &out); break;
    case SB_MODEL_RENDER: render(request, &out); break;
    case SB_MODEL_GOAL: tell_goal(b, request, &out); break;
    case SB_MODEL_CLICKS_OP: sb_puts(&out, "{\"clicks\":[[7,0],[0,7]]}"); break;
    default: sb_puts(&out, "{}"); break;
    }
    cJSON_Delete(request);
    sb_out_finish(&out);
    *answer = (sb_json_part){.at = b->answer, .n = out.size, .document = b->answer};
    return true;
}

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

typedef struct trial {
    board *board;
    uint64_t nodes, depth;
    bool clicks;
} trial;

static double test_clock(void) { return 0; }

static sb_model_value text(const char *value) {
    sb_model_value v = sb_out_growing();
    sb_puts(&v, value);
    return v;
}

/* Searches from the upper left corner. */
static void look(const trial *t, sb_imagining *search) {
    static const char colours[] = "[]", available[] = "[1,2,3,4]";
    sb_error error = {0};
    const sb_log_play play = {.name = "board#0",
                              .levels = 1,
                              .shape = {.width = SIDE, .height = SIDE, .n_colours = 10},
                              .available = {available, sizeof available - 1, available},
                              .palette = {colours, 2, colours}};
    sb_candidate candidate = {0};
    const sb_candidate_rules rules = {.transport = {ask, t->board}, .now = test_clock, .errors = -1};
    sb_log_action buttons[4], click = {.name = "ACTION6", .id = 6, .is_click = true};
    for (int i = 0; i < 4; i++) {
        buttons[i] = (sb_log_action){.id = (int8_t)(i + 1)};
        snprintf(buttons[i].name, sizeof buttons[i].name, "ACTION%d", i + 1);
    }
    assert_ok(sb_candidate_open(&candidate, &rules, &error), error);
    assert_ok(sb_candidate_begin(&candidate, &play, &error), error);
    sb_model_value z = text("{\"x\":0,\"y\":0}"), h = sb_out_growing(), c = sb_out_growing();
    const sb_imagine_from from = {.candidate = &candidate,
                                  .shape = &play.shape,
                                  .z = &z,
                                  .h = &h,
                                  .c = &c,
                                  .m = {.level = 1, .available = play.available},
                                  .buttons = buttons,
                                  .n_buttons = 4,
                                  .click = t->clicks ? &click : NULL,
                                  .nodes = t->nodes ? t->nodes : 20000,
                                  .depth = t->depth ? t->depth : 200};
    assert_ok(sb_imagine(search, &from, &error), error);
    sb_out_free(&z), sb_out_free(&h), sb_out_free(&c);
    sb_candidate_close(&candidate);
}

static void assert_way(const sb_imagining *search, sb_imagined_kind kind, const char *ids) {
    char found[300] = "";
    for (size_t i = 0; i < search->n_steps && i < 250; i++) found[i] = (char)('0' + search->steps[i].action.id);
    assert_int_equal(search->kind, kind);
    assert_string_equal(found, ids);
}

#define ROOM "........", "........", "........", "........", "........", "........", "........", "........"

static void the_shortest_way_is_found_and_the_first_of_equal_ones(void **state) {
    (void)state;
    board b = {.cells = {ROOM}};
    sb_imagining search = {0};
    b.cells[2][2] = 'G';
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "2244");
    assert_true(search.steps[3].done && !search.steps[2].done);
    for (size_t i = 0; i < 4; i++) assert_true(search.steps[i].is_drawn);
    assert_int_equal(search.frames[SIDE * SIDE + 2 * SIDE], 1); /* after the second step it is at (0, 2) */
    b.cells[2][0] = '#';
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "2424");
    b.cells[1][0] = b.cells[1][1] = '!'; /* what loses is not gone through */
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "4422");
    look(&(trial){.board = &b, .clicks = true}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "4422");
    b.cells[2][2] = '.', b.cells[0][7] = 'G'; /* clicks come after the buttons */
    look(&(trial){.board = &b, .clicks = true}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "6");
    assert_int_equal(search.steps[0].action.x, 7);
    sb_imagining_free(&search);
}

static void a_goal_ends_the_search_though_the_level_goes_on(void **state) {
    (void)state;
    board b = {.cells = {ROOM}, .has_goal = true};
    sb_imagining search = {0};
    b.cells[0][1] = 'g', b.cells[3][3] = 'G';
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "4");
    assert_false(search.steps[0].done);
    b.cells[0][0] = 'g', b.cells[0][1] = '.'; /* where one is, nothing is reached */
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PLAN, "222444");
    sb_imagining_free(&search);
}

static void without_a_goal_the_way_to_most_progress_is_taken(void **state) {
    (void)state;
    board b = {.cells = {ROOM}, .tells_progress = true};
    sb_imagining search = {0};
    memset(b.cells[4], '#', SIDE);
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_PROGRESS, "222");
    memset(b.cells[1], '#', SIDE);
    look(&(trial){.board = &b}, &search);
    assert_way(&search, SB_IMAGINED_NOTHING, "");
    sb_imagining_free(&search);
}

static void every_state_is_looked_at_once_however_it_is_spelled(void **state) {
    (void)state;
    board b = {.cells = {ROOM}};
    sb_imagining search = {0};
    look(&(trial){.board = &b}, &search);
    assert_int_equal(search.kind, SB_IMAGINED_NOTHING);
    assert_int_equal(search.predictions, 4 * SIDE * SIDE);
    assert_false(search.is_cut);
    sb_imagining_free(&search);
}

static void budgets_hold(void **state) {
    (void)state;
    board b = {.cells = {ROOM}};
    sb_imagining search = {0};
    b.cells[7][7] = 'G';
    look(&(trial){.board = &b, .depth = 13}, &search);
    assert_int_equal(search.kind, SB_IMAGINED_NOTHING);
    assert_true(search.is_cut);
    look(&(trial){.board = &b, .depth = 14}, &search);
    assert_int_equal(search.n_steps, 14);
    const uint64_t needed = search.predictions;
    look(&(trial){.board = &b, .nodes = needed - 1}, &search);
    assert_int_equal(search.kind, SB_IMAGINED_NOTHING);
    assert_int_equal(search.predictions, needed - 1);
    assert_true(search.is_cut);
    look(&(trial){.board = &b, .nodes = needed}, &search);
    assert_int_equal(search.kind, SB_IMAGINED_PLAN);
    sb_imagining_free(&search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_have_one_spelling),
        cmocka_unit_test(the_shortest_way_is_found_and_the_first_of_equal_ones),
        cmocka_unit_test(a_goal_ends_the_search_though_the_level_goes_on),
        cmocka_unit_test(without_a_goal_the_way_to_most_progress_is_taken),
        cmocka_unit_test(every_state_is_looked_at_once_however_it_is_spelled),
        cmocka_unit_test(budgets_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
