/* Two worlds of examples/worlds and two tasks have the same rules: on boards of the tasks, shortest plays have as many
 * steps. SokobanPush differs in one thing from Crates: its marks are pits. Who enters an open one is lost, and a crate
 * in one stays, so nobody ever stands on a mark. With a clause that says so, all boards agree; without it a play may be
 * shorter, never longer. */
#include "tests/worlds_support.h"

#include <stdlib.h>
#include <string.h>

#include "generators/agentick/planning/sokoban_push.h"
#include "generators/agentick/reasoning/lights_out.h"
#include "generators/autumn/worlds/solve.h"
#include "oracles/player.h"

enum {
    BOARDS = 300,
    BOARDS_BY_DAY = TESTS_ARE_SLOW ? 4 : 30,
    MAP = 16 * 16,
    HARDER = 15 /* one board in so many, by night */
};

static sb_error error;

static int n_boards(void) { return getenv("SEEDBED_NIGHTLY") ? BOARDS : BOARDS_BY_DAY; }

/* ---- The task's play --------------------------------------------------------------------------------------------- */

/* Steps of the shortest play, as the task's expert claims; -1: there is none. */
static int steps_of_expert(sb_env *env) {
    static sb_player player;
    sb_result result;
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    while (!env->status.done) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    assert_false(player.budget.is_cut);
    return env->status.success ? env->status.steps : -1;
}

/* ---- The world's play -------------------------------------------------------------------------------------------- */

/* Rules of an example: lines that begin so get another text. */
typedef struct change {
    const char *begins, *text;
} change;

static bool begins_with(const char *line, const char *words) { return strncmp(line, words, strlen(words)) == 0; }

/* The rules with other lines; each change must find its line, and the last `%s` of a text stands for the map. */
static void rewrite(const char *rules, const change *changes, size_t n, const char *map, sb_out *out) {
    size_t found = 0;
    for (const char *line = rules, *end; *line; line = end + 1) {
        size_t i = 0;
        assert_non_null(end = strchr(line, '\n'));
        while (i < n && !begins_with(line, changes[i].begins)) i++;
        found += i < n;
        if (i == n)
            sb_put_any(out, line, (size_t)(end + 1 - line));
        else
            for (const char *c = changes[i].text; *c; c++)
                *c == '%' ? sb_put_any(out, map, strlen(map)) : sb_put_any(out, c, 1);
    }
    assert_int_equal(found, n);
}

/* Steps of the shortest play from the world's only start; -1: there is none. */
static int steps_of_world(const sb_out *rules) {
    sb_autumn_fault fault;
    sb_world_answer answer;
    const sb_world_question question = {.limit = 1 << 20};
    sb_autumn_program *program = sb_autumn_load(rules->data, rules->size, NULL, &fault);
    if (!program) fail_msg("%u:%u: %s", fault.line, fault.column, fault.text);
    sb_autumn_state *start = sb_autumn_new(program);
    sb_world_solver *solver = sb_world_solver_make(program);
    assert_true(start && solver);
    if (!sb_autumn_start(start, SB_AUTUMN_PCG64, 1, NULL)) fail_msg("%s", sb_autumn_fault_of(start)->text);
    assert_true(sb_world_solve(solver, start, &question, &answer));
    assert_int_not_equal(answer.verdict, SB_NOT_FOUND);
    sb_world_solver_free(solver), sb_autumn_free(start), sb_autumn_unload(program);
    return answer.verdict == SB_SOLVED ? answer.steps : -1;
}

static int steps_with(const char *name, const change *changes, size_t n, const char *map) {
    sb_out text = example_text(name), rules = sb_out_growing();
    rewrite(text.data, changes, n, map, &rules);
    const int steps = steps_of_world(&rules);
    sb_out_free(&text), sb_out_free(&rules);
    return steps;
}

/* ---- Boards ------------------------------------------------------------------------------------------------------ */

/* Draws a board, a character a cell and a line a row. */
static void draw(const sb_episode *e, char (*letter)(const sb_episode *e, sb_xy at), char map[MAP]) {
    char *to = map;
    assert_true((e->width + 1) * e->height < MAP);
    for (int i = 0; i < sb_n_cells(e); i++) {
        *to++ = letter(e, sb_xy_of(e, i));
        if (i % e->width == e->width - 1) *to++ = '\n';
    }
    *to = '\0';
}

static char letter_of_crates(const sb_episode *e, sb_xy at) {
    const sb_cell *c = sb_peek(e, at);
    if (sb_same(e->agent.at, at)) return '@';
    if (c->object == SB_BOX) return '$';
    return c->terrain == SB_HOLE ? '.' : c->terrain == SB_EMPTY ? ' ' : '#';
}

static char letter_of_lights(const sb_episode *e, sb_xy at) {
    const sb_cell *c = sb_peek(e, at);
    if (sb_same(e->agent.at, at)) return '@';
    if (c->object == SB_SWITCH) return c->metadata == SB_LIGHTS_OUT_LIT ? '*' : 'o';
    return c->terrain == SB_EMPTY ? ' ' : '#';
}

static sb_env *board(const char *task, const char *difficulty, int seed) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s#%d", task, difficulty, seed);
    sb_env *env = sb_make(NULL, name, &error);
    if (!env) fail_msg("%s: %s", name, error.text);
    return env;
}

static const change crates[] = {
    {"    (lose", "    (lose (| (any isStuck crates) (isAt (.. player origin) marks)))\n"},
    {"    (difficulty easy", "    (difficulty board (= GRID_SIZE 10))\n"},
    {"    (difficulty medium", ""},
    {"    (difficulty hard", ""},
    {"  (= walls (", "  (= walls (map Wall (places \"%\" \"#\")))\n"},
    {"  (= marks (", "  (= marks (map Mark (places \"%\" \".\")))\n"},
    {"  (= crates (", "  (= crates (map Crate (places \"%\" \"$\")))\n"},
    {"  (= player (", "  (= player (Player (head (places \"%\" \"@\"))))\n"},
};

/* Returns the steps of the task. */
static int compare_crates(int seed, bool is_harder) {
    enum { N = sizeof crates / sizeof *crates };
    char map[MAP];
    sb_env *env = board("SokobanPush-v0", is_harder ? "medium" : "easy", seed);
    draw(sb_episode_of(env), letter_of_crates, map);
    const int steps = steps_of_expert(env);
    assert_int_equal(steps_with("crates", crates, N, map), steps);
    if (!is_harder && steps >= 0) assert_in_range(steps_with("crates", crates + 1, N - 1, map), 1, steps);
    sb_free(env);
    return steps;
}

static void test_crates_with_pits_are_those_of_the_task(void **state) {
    (void)state;
    int impossible = 0;
    for (int seed = 0; seed < n_boards(); seed++)
        impossible += compare_crates(seed, n_boards() == BOARDS && seed % HARDER == 0) < 0;
    print_message("%d boards, %d of them impossible\n", n_boards(), impossible);
}

static const change lights[] = {
    {"    (difficulty easy", "    (difficulty board (= GRID_SIZE 7))\n"},
    {"    (difficulty medium", ""},
    {"    (difficulty hard", ""},
    {"  (= lights (map", "  (= lights (concat (list (map (--> p (Light true p)) (places \"%\" \"*\"))\n"
                         "    (map (--> p (Light false p)) (places \"%\" \"o\")))))\n"},
    {"  (= walls (", "  (= walls (map Wall (places \"%\" \"#\")))\n"},
    {"  (= player (", "  (= player (Player false (head (places \"%\" \"@\"))))\n"},
    {"  (= scrambled", "  )\n"},
};

static void test_lights_are_those_of_the_task(void **state) {
    (void)state;
    for (int seed = 0; seed < n_boards(); seed++) {
        char map[MAP];
        sb_env *env = board("LightsOut-v0", "easy", seed);
        draw(sb_episode_of(env), letter_of_lights, map);
        const int steps = steps_of_expert(env);
        assert_int_equal(steps_with("lights", lights, sizeof lights / sizeof *lights, map), steps);
        sb_free(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crates_with_pits_are_those_of_the_task),
        cmocka_unit_test(test_lights_are_those_of_the_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
