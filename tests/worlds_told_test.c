/* How worlds are shown and explained: what is told of objects, what stays hidden, sprites. */
#include "tests/worlds_support.h"

#include <stdio.h>
#include <string.h>

#include "generators/autumn/events.h"
#include "oracles/player.h"
#include "oracles/reasons.h"
#include "seedbed/picture.h"

static sb_error error;

static const sb_family *autumn(void) { return sb_family_find("autumn", &error); }

/* An episode of a world, with its catalogue. */
typedef struct scene {
    sb_catalogue *catalogue;
    sb_env *env;
} scene;

static scene begun(const char *text) {
    const sb_task_info *task;
    scene s = {.catalogue = sb_catalogue_make(&error)};
    char name[SB_NAME_MAX];
    if (!sb_catalogue_add_program(s.catalogue, autumn(), text, strlen(text), &task, &error))
        fail_msg("%s\n%s", error.text, text);
    snprintf(name, sizeof name, "autumn:%s#1", task->name);
    s.env = sb_make(s.catalogue, name, &error);
    if (!s.env) fail_msg("%s\n%s", error.text, text);
    return s;
}

static void end(scene *s) { sb_free(s->env), sb_catalogue_free(s->catalogue); }

static void show(const scene *s, const char *mode, char *text, size_t capacity) {
    assert_in_range(sb_observe(s->env, sb_mode_find(autumn(), mode, &error), text, capacity), 1, capacity - 1);
}

static void expect_shown(const scene *s, const char *mode, const char *expected) {
    char text[4000];
    show(s, mode, text, sizeof text);
    assert_string_equal(text, expected);
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

/* `items`: of a list of boxes; `more`: statements. */
static scene boxes(const char *items, const char *more) {
    static const char format[] =
        "(program (task \"Told\" (says \"Look at the boxes.\") (win false) (hidden boxes.inside n))\n"
        "(= GRID_SIZE 4) (= n 0)\n"
        "(object Box (: inside Number) (: open Bool) (Cell 0 0 (if open then \"gold\" else \"Peru\")))\n"
        "(object Rod (list (Cell 0 0 \"red\") (Cell 1 0 \"red\")))\n"
        "(object Sign (: number Number) (: way Position) (Cell 0 0 \"white\"))\n"
        "(= boxes (list %s))\n%s)";
    char text[2000];
    snprintf(text, sizeof text, format, items, more);
    return begun(text);
}

static const char some[] = "(Box 3 true (Position 0 0)) (Box 4 false (Position 3 0))";
static const char more[] = "(= rod (Rod (Position 1 2))) (= plate (Sign 7 (Position 1 0) (Position 0 3)))";

static void test_worlds_are_told_by_objects(void **state) {
    (void)state;
    scene s = boxes(some, more);
    expect_shown(&s, "ascii",
                 "Look at the boxes.\nB..b\n....\n.RR.\n7...\n. nothing\nb Box (peru, open false)\n"
                 "B Box (gold, open true)\nR Rod (red)\n7 Sign (white, number 7, way (1, 0))");
    expect_shown(&s, "language",
                 "Look at the boxes.\nThe grid is 4 wide and high; (0, 0) is its top left corner, (1, 0) is right of "
                 "it. All else is black.\nBox (peru, open false): (3, 0)\nBox (gold, open true): (0, 0)\n"
                 "Rod (red): (1, 2)+(2, 2)\nSign (white, number 7, way (1, 0)): (0, 3)");
    expect_shown(&s, "structured",
                 "{\"world\": \"Told\", \"says\": \"Look at the boxes.\", \"size\": 4, \"background\": \"black\", "
                 "\"objects\": [{\"type\": \"Box\", \"told\": {\"open\": false}, \"cells\": [[3, 0, \"peru\"]]}, "
                 "{\"type\": \"Box\", \"told\": {\"open\": true}, \"cells\": [[0, 0, \"gold\"]]}, "
                 "{\"type\": \"Rod\", \"told\": {}, \"cells\": [[1, 2, \"red\"], [2, 2, \"red\"]]}, "
                 "{\"type\": \"Sign\", \"told\": {\"number\": 7, \"way\": [1, 0]}, \"cells\": [[0, 3, \"white\"]]}]}");
    end(&s);
}

/* Hidden fields, what lies below others or off the grid, and the order in which a list keeps its objects. */
static void test_what_is_hidden_is_told_in_no_mode(void **state) {
    (void)state;
    static const char *const others[] = {
        "(Box 9 true (Position 0 0)) (Box 8 false (Position 3 0))",
        "(Box 4 false (Position 3 0)) (Box 3 true (Position 0 0))",
        "(Box 1 true (Position 1 2)) (Box 3 true (Position 0 0)) (Box 4 false (Position 3 0))",
        "(Box 3 true (Position 0 0)) (Box 4 false (Position 3 0)) (Box 4 false (Position 3 -1))",
    };
    scene s = boxes(some, more);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        scene other = boxes(others[i], more);
        for (size_t m = 0; m < autumn()->n_modes; m++) {
            char text[4000], same[4000];
            const sb_mode *mode = sb_mode_at(autumn(), m);
            show(&s, mode->name, text, sizeof text);
            show(&other, mode->name, same, sizeof same);
            if (!mode->privileged) assert_string_equal(text, same);
        }
        end(&other);
    }
    end(&s);
}

/* A type's letter, a small one where all its truth values are false, the letter of a text, else what is left. */
static void test_every_look_has_its_own_sign(void **state) {
    (void)state;
    scene s = begun("(program (task \"Signs\" (win false)) (= GRID_SIZE 5)\n"
                    "(object Tile (: shade String) (Cell 0 0 shade)) (object Tree (Cell 0 0 \"green\"))\n"
                    "(object Toad (Cell 0 0 \"lime\")) (object Die (: pips Number) (Cell 0 0 \"white\"))\n"
                    "(= tiles (map (--> i (Tile (at (list \"red\" \"blue\" \"red\") i) (Position i 0))) (range 0 3)))\n"
                    "(= tree (Tree (Position 0 1))) (= toad (Toad (Position 1 1)))\n"
                    "(= dice (map (--> i (Die (* i 7) (Position i 2))) (range 0 3))))");
    char text[1000];
    show(&s, "ascii", text, sizeof text);
    const char *rows = strchr(text, '\n');
    assert_memory_equal(rows, "\nrbr..\nTt...\n07D..\n.....\n.....\n", 31);
    end(&s);
}

/* Programs without `task` tell their colours, as their frames do. */
static void test_other_programs_tell_colours(void **state) {
    (void)state;
    scene s = begun("(program (= GRID_SIZE 2) (object Coin (: worth Number) (Cell 0 0 \"gold\"))\n"
                    "(= coin (Coin 5 (Position 1 0))))");
    expect_shown(&s, "language",
                 "The grid is 2 wide and high; (0, 0) is its top left corner, (1, 0) is right of it. All else is "
                 "black.\ngold: (1, 0)");
    expect_shown(&s, "structured",
                 "{\"size\": 2, \"background\": \"black\", \"objects\": [{\"cells\": [[1, 0, \"gold\"]]}]}");
    end(&s);
}

/* Cells of one colour are told together, also if others stand between them. */
static void test_a_colour_is_told_once(void **state) {
    (void)state;
    scene s = begun("(program (= GRID_SIZE 4) (object Tile (: shade String) (Cell 0 0 shade))\n"
                    "(= tiles (map (--> i (Tile (at (list \"red\" \"red\" \"blue\" \"red\") i) (Position i 0))) "
                    "(range 0 4))))");
    expect_shown(&s, "language",
                 "The grid is 4 wide and high; (0, 0) is its top left corner, (1, 0) is right of it. All else is "
                 "black.\nblue: (2, 0)\nred: (0, 0), (1, 0), (3, 0)");
    expect_shown(&s, "structured",
                 "{\"size\": 4, \"background\": \"black\", \"objects\": [{\"cells\": [[2, 0, \"blue\"]]}, "
                 "{\"cells\": [[0, 0, \"red\"], [1, 0, \"red\"], [3, 0, \"red\"]]}]}");
    end(&s);
}

/* ---- Sprites ----------------------------------------------------------------------------------------------------- */

enum { TILE = 8, SIDE = 2, PIXELS = SIDE * TILE * SIDE * TILE };

/* The picture of a world of two by two cells, red, green and blue. */
static void paint(const char *sprite, int32_t tile, uint8_t *pixels) {
    static const char format[] = "(program (task \"Drawn\" (win false) %s) (= GRID_SIZE 2) (= background \"navy\")\n"
                                 "(object Under (Cell 0 0 \"gold\")) (object Box (Cell 0 0 \"peru\"))\n"
                                 "(= under (Under (Position 1 0))) (= box (Box (Position 1 0))))";
    char text[1000];
    snprintf(text, sizeof text, format, sprite);
    scene s = begun(text);
    sb_brush *brush = sb_brush_make(autumn(), sb_look_at(autumn(), 0), &(sb_brush_options){.tile = tile}, &error);
    assert_ok(brush, error);
    const size_t size = (size_t)(SIDE * tile * SIDE * tile) * 3;
    assert_int_equal(sb_observe_array(s.env, sb_brush_array(brush), pixels, size), size);
    sb_brush_free(brush);
    end(&s);
}

static int brightness(const uint8_t *pixel) { return pixel[0] + pixel[1] + pixel[2]; }

static void test_sprites_are_drawn_in_shades_of_the_cell(void **state) {
    (void)state;
    static const char rows[TILE][TILE + 1] = {"........", ".++++++.", ".+####-.", ".+####-.",
                                              ".+####-.", ".+####-.", ".------.", "........"};
    static uint8_t plain[PIXELS * 3], drawn[PIXELS * 3], small[PIXELS * 3];
    char sprite[200] = "(sprite Box";
    for (int y = 0; y < TILE; y++) sprintf(sprite + strlen(sprite), " \"%s\"", rows[y]);
    strcat(sprite, ")");
    paint("", TILE, plain);
    paint(sprite, TILE, drawn);
    const uint8_t *ground = plain, *box = plain + (size_t)TILE * 3; /* first pixels of the first two cells */
    for (size_t y = 0; y < SIDE * TILE; y++)
        for (size_t x = 0; x < SIDE * TILE; x++) {
            const size_t at = (y * SIDE * TILE + x) * 3;
            const char sign = y < TILE && x >= TILE ? rows[y][x - TILE] : '=';
            if (sign == '=') assert_memory_equal(drawn + at, plain + at, 3);
            if (sign == '.') assert_memory_equal(drawn + at, ground, 3);
            if (sign == '#') assert_memory_equal(drawn + at, box, 3);
            if (sign == '+') assert_true(brightness(drawn + at) > brightness(box));
            if (sign == '-') assert_true(brightness(drawn + at) < brightness(box));
        }
    paint("", TILE / 2, plain);
    paint(sprite, TILE / 2, small); /* too small for it */
    assert_memory_equal(plain, small, PIXELS / 4 * 3);
}

/* ---- Explanations ------------------------------------------------------------------------------------------------ */

/* What the expert says of its first action. */
static void expect_explained(const char *win, const char *statement, const char *words) {
    char program[1500], text[200] = "";
    snprintf(program, sizeof program,
             "(program (task \"Said\" (win %s)) (= GRID_SIZE 6) (= steps 0)\n"
             "(object Thing (: look Number) (Cell 0 0 \"red\")) (object Player (Cell 0 0 \"blue\"))\n"
             "(object Cloud (Cell 0 0 \"white\")) (= thing (Thing 0 (Position 2 2)))\n"
             "(= player (Player (Position 1 2))) (= cloud (Cloud (Position 0 0)))\n"
             "(on true (= cloud (move cloud (Position 1 0))))\n"
             "(on right (let (= steps (+ steps 1)) (= player (move player (Position 1 0))) %s)))",
             win, statement);
    scene s = begun(program);
    sb_player player = {0};
    assert_ok(sb_player_begin_as(&player, "expert", s.env, &error), error);
    assert_int_equal(sb_player_act(&player, s.env), SB_AUTUMN_RIGHT);
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_put_intent(&out, &player.intent);
    sb_out_finish(&out);
    assert_string_equal(text, words);
    sb_player_clear(&player);
    end(&s);
}

/* First of what decides who wins, and never of the cloud, which moves by itself. */
static void test_explanations_tell_what_an_action_changes(void **state) {
    (void)state;
    const char *const by_thing = "(& (== (.. thing look) 3) (== steps 1))", *const by_steps = "(== steps 1)";
    expect_explained(by_thing, "(= thing (Thing 3 (Position 2 2)))", "change the Thing at (2,2)");
    expect_explained(by_thing, "(= thing (Thing 3 (Position 4 1)))", "move the Thing from (2,2) to (4,1)");
    expect_explained(by_steps, "(= player (Player (Position 5 5)))", "move the Player from (1,2) to (5,5)");
    expect_explained(by_steps, "(= player (Player (Position 1 2)))", "wait for the next step");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds_are_told_by_objects),
        cmocka_unit_test(test_what_is_hidden_is_told_in_no_mode),
        cmocka_unit_test(test_every_look_has_its_own_sign),
        cmocka_unit_test(test_other_programs_tell_colours),
        cmocka_unit_test(test_a_colour_is_told_once),
        cmocka_unit_test(test_sprites_are_drawn_in_shades_of_the_cell),
        cmocka_unit_test(test_explanations_tell_what_an_action_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
