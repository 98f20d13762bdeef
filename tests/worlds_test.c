/* Worlds as tasks: names, starts, ends, and the expert's claims. */
#include "tests/worlds_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "engine/lookup.h"
#include "generators/autumn/events.h"
#include "generators/autumn/worlds/start.h"
#include "oracles/copies.h"
#include "oracles/player.h"
#include "rollout/worker.h"

static sb_error error;

static const sb_family *autumn(void) { return sb_family_find("autumn", &error); }

static sb_catalogue *catalogue_of(const char *text) {
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_non_null(catalogue);
    assert_ok(sb_catalogue_add_program(catalogue, autumn(), text, strlen(text), NULL, &error), error);
    return catalogue;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void test_worlds_have_their_own_names_and_difficulties(void **state) {
    (void)state;
    sb_name name;
    char text[SB_NAME_MAX];
    assert_ok(sb_name_parse(example_worlds(), "autumn:crates/EASY#7", &name, &error), error);
    sb_name_print(&name, text, sizeof text);
    assert_string_equal(text, "autumn:Crates/easy#7");
    const sb_catalogue *all = example_worlds();
    assert_error(sb_name_parse(all, "autumn:Crates#7", &name, &error), &error, SB_INVALID, "use one of: easy, medium");
    assert_error(sb_name_parse(all, "autumn:Crates/mfp-1#7", &name, &error), &error, SB_UNKNOWN,
                 "known difficulties: easy");
    assert_error(sb_name_parse(NULL, "autumn:Crates/easy#7", &name, &error), &error, SB_UNKNOWN,
                 "unknown task `Crates`");
    sb_catalogue *plain = catalogue_of("(program (task \"Plain\" (win false)) (= n 0))");
    assert_ok(sb_name_parse(plain, "autumn:Plain#7", &name, &error), error);
    assert_error(sb_name_parse(plain, "autumn:Plain/easy#7", &name, &error), &error, SB_UNKNOWN,
                 "Plain has no difficulties");
    sb_catalogue_free(plain);
}

/* Starts are drawn until one does not fail: also of the first difficulty, and of the program without its statement. */
static void test_a_world_whose_first_start_fails_is_a_task(void **state) {
    static const char *const names[] = {"autumn:Frail/one#7", "autumn:Frail/two#7", "autumn:Frail/two/mfp-1#7"};
    sb_name name;
    (void)state;
    sb_catalogue *frail = catalogue_of(
        "(program (task \"Frail\" (win false) (difficulty one (= N 9)) (difficulty two (= N 8)))"
        "(= n (at (list 1) (uniformChoice (range 0 N)))))");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_ok(sb_name_parse(frail, names[i], &name, &error), error);
    sb_catalogue_free(frail);
}

static void test_two_programs_of_one_name_are_refused(void **state) {
    (void)state;
    sb_catalogue *catalogue = catalogue_of("(program (task \"Same\" (win false)) (= n 0))");
    static const char *const others[] = {"(program (task \"SAME\" (win true)) (= n 0))",
                                         "(program (task \"Seesaw\" (win true)) (= n 0))"};
    static const char *const words[] = {"two programs are called `SAME`",
                                        "`Seesaw` is the name of a program that comes with"};
    for (size_t i = 0; i < 2; i++)
        assert_error(sb_catalogue_add_program(catalogue, autumn(), others[i], strlen(others[i]), NULL, &error), &error,
                     SB_INVALID, words[i]);
    sb_catalogue_free(catalogue);
}

static void test_selections_take_the_difficulties_of_each_task(void **state) {
    (void)state;
    const sb_catalogue *all = example_worlds();
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.catalogue = all, .tasks = "autumn:Crates", .seeds = "1"}, &selection, &error),
              error);
    assert_int_equal(selection.n, 3);
    sb_selection_free(&selection);
    const sb_request mixed = {
        .catalogue = all, .family = "autumn", .tasks = "Crates,Seesaw", .difficulty = "hard,mfp-1", .seeds = "1..2"};
    sb_request pairs = mixed;
    pairs.seeds = NULL;
    assert_ok(sb_select_pairs(&pairs, &selection, &error), error);
    assert_int_equal(selection.n, 2);
    sb_selection_free(&selection);
    assert_error(
        sb_select(&(sb_request){.catalogue = all, .tasks = "autumn:Crates", .difficulty = "expert", .seeds = "1"},
                  &selection, &error),
        &error, SB_UNKNOWN, "unknown difficulty `expert`; known difficulties: easy, medium, hard");
    assert_ok(sb_select(&(sb_request){.catalogue = all, .family = "autumn", .split = "train", .count = 1}, &selection,
                        &error),
              error);
    for (size_t i = 0; i < selection.n; i++) assert_true(selection.episodes[i].task < autumn()->n_tasks);
    sb_selection_free(&selection);
}

/* ---- Starts ------------------------------------------------------------------------------------------------------ */

enum { STARTS = TESTS_ARE_SLOW ? 4 : 20 };

static sb_env *begun(const sb_catalogue *catalogue, const char *text) {
    sb_env *env = sb_make(catalogue, text, &error);
    if (!env) fail_msg("%s: %s", text, error.text);
    return env;
}

/* The shortest play has the length that the difficulty demands, says a search that knows nothing of worlds. */
static void test_accepted_starts_have_the_demanded_length(void **state) {
    (void)state;
    static const int demanded[2][2] = {{4, 20}, {14, 60}};
    sb_copies copies;
    assert_ok(sb_copies_open(&copies, 1 << 17, &error), error);
    for (int d = 0; d < 2; d++)
        for (int seed = 0; seed < (d ? STARTS / 4 : STARTS); seed++) {
            char text[64];
            sb_budget budget = {.limit = 1 << 17};
            sb_verdict verdict;
            snprintf(text, sizeof text, "autumn:Crates/%s#%d", d ? "medium" : "easy", seed);
            sb_env *env = begun(example_worlds(), text);
            assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
            assert_int_equal(verdict, SB_SOLVED);
            const int steps = sb_copies_plan(&copies, NULL, 0);
            assert_in_range(steps, demanded[d][0], demanded[d][1]);
            sb_player player = {0};
            sb_result result;
            assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
            while (!env->status.done) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
            assert_true(env->status.success && !player.budget.is_cut);
            assert_int_equal(env->status.steps, steps);
            sb_player_clear(&player), sb_free(env);
        }
    sb_copies_close(&copies);
}

/* A start depends on its name alone: not on what was drawn before, nor on comments, nor on memory of earlier starts. */
static void test_starts_are_functions_of_their_names(void **state) {
    (void)state;
    char text[8000];
    sb_out program = sb_out_growing();
    assert_ok(sb_file_load(golden("../../examples/worlds/crates.sexp"), 1 << 20, &program, &error), error);
    const int n = snprintf(text, sizeof text, "; a comment\n%s", program.data);
    assert_in_range(n, 100, sizeof text - 1);
    sb_catalogue *other = catalogue_of(text);
    sb_env *again = begun(other, "autumn:Crates/easy#3");
    for (int seed = STARTS; seed-- > 0;) {
        uint64_t key[2], same[2];
        char name[64];
        snprintf(name, sizeof name, "autumn:Crates/easy#%d", seed);
        sb_env *env = begun(example_worlds(), name);
        sb_key(env, key);
        for (int i = 0; i < 2; i++) { /* the second time the start is remembered */
            assert_ok(sb_reset(again, name, &error), error);
            sb_key(again, same);
            assert_memory_equal(key, same, sizeof key);
        }
        sb_free(env);
    }
    sb_free(again);
    sb_catalogue_free(other);
    sb_out_free(&program);
}

static void test_a_world_without_a_start_says_why(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } worlds[] = {
        {"(program (task \"T\" (win (== n 1))) (= n (uniformChoice (list 1))))", "1000: won or lost at once"},
        {"(program (task \"T\" (win false) (start false)) (= n 0))", "1000: `start` is false"},
        {"(program (task \"T\" (win (> n 3)) (difficulty a (solution 5 9))) (= n 0) (on up (= n (+ n 1))))",
         "1000: `solution` does not fit"},
        {"(program (task \"T\" (win (> n 9999)) (difficulty a (solution 5 9000) (search 50))) (= n 0) (on up (= n (+ n "
         "1))))",
         "1000: the search is cut off"},
        {"(program (task \"T\" (win (> n 3)) (needs left)) (= n 0) (on up (= n (+ n 1))))",
         "1000: `needs` does not hold"},
        {"(program (task \"T\" (win (> n 3)) (needs left)) (= n 0) (on left (= n (+ n 1))) (on up (= n (- n 1))))",
         "1000: `needs` is not found out"},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        sb_catalogue *catalogue = catalogue_of(worlds[i].text);
        sb_env *env = sb_make(catalogue, NULL, &error);
        const char *name = strstr(worlds[i].text, "difficulty") ? "autumn:T/a#1" : "autumn:T#1";
        assert_error(sb_reset(env, name, &error), &error, SB_INVALID, worlds[i].words);
        sb_free(env);
        sb_catalogue_free(catalogue);
    }
}

/* ---- Steps and ends ---------------------------------------------------------------------------------------------- */

static const char *const climb =
    "(program (task \"Climb\" (difficulty low (= TOP 3) (steps 6)) (difficulty high (= TOP 5) (steps 9))"
    "(score (min best TOP) TOP) (lose (== n -1)) (reward (- n 2)))"
    "(= n 0) (= best 0) (= GRID_SIZE (+ TOP 1)) (object A (Cell 0 0 \"red\")) (= a (A (Position 0 0)))"
    "(on up (let (= n (+ n 1)) (= best (max best n)) (= a (A (Position 0 n)))))"
    "(on down (= n (- n 1))))";

static void take(sb_env *env, sb_autumn_key key, double reward, double dense, const char *end) {
    sb_result result;
    assert_ok(sb_step(env, (sb_action)key, &result, &error), error);
    assert_true(result.reward > reward - 1e-12 && result.reward < reward + 1e-12);
    assert_true(result.dense > dense - 1e-12 && result.dense < dense + 1e-12);
    assert_int_equal(result.terminated, strcmp(end, "won") == 0 || strcmp(end, "lost") == 0);
    assert_int_equal(result.success, strcmp(end, "won") == 0);
    assert_int_equal(result.truncated, strcmp(end, "out of steps") == 0);
    assert_int_equal(env->status.done, *end != '\0');
}

static void test_scores_rewards_and_ends(void **state) {
    (void)state;
    sb_catalogue *catalogue = catalogue_of(climb);
    sb_env *env = begun(catalogue, "autumn:Climb/low#0");
    assert_int_equal(sb_criterion_in(env), SB_BY_SCORE);
    assert_int_equal(env->shape.click_width, 4);
    take(env, SB_AUTUMN_UP, 1 / 3.0, -0.01, "");
    assert_true(env->status.score > 0.33 && env->status.score < 0.34);
    take(env, SB_AUTUMN_DOWN, 0, -0.02, "");
    take(env, SB_AUTUMN_DOWN, 0, -0.03, "lost");
    assert_ok(sb_reset(env, "autumn:Climb/high#0", &error), error);
    assert_int_equal(env->shape.click_width, 6);
    assert_int_equal(env->status.max_steps, 9);
    for (int i = 0; i < 4; i++) take(env, SB_AUTUMN_UP, 0.2, (i - 1) / 100.0, "");
    take(env, SB_AUTUMN_UP, 0.2, 0.03, "won");
    assert_ok(sb_reset(env, "autumn:Climb/low#0", &error), error);
    for (int i = 0; i < 5; i++) take(env, SB_AUTUMN_LEFT, 0, -0.02, "");
    take(env, SB_AUTUMN_LEFT, 0, -0.02, "out of steps");
    sb_free(env);
    sb_catalogue_free(catalogue);
}

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

typedef bool asker(sb_world_solver *solver, const sb_autumn_state *start, const sb_world_question *question,
                   sb_world_answer *answer);

/* Asks a search, and plays what it found. */
static sb_world_answer ask_by(asker *solve, const char *text, const sb_world_question *question) {
    sb_autumn_event plan[100];
    sb_autumn_fault fault;
    sb_world_answer answer = {0};
    sb_autumn_program *program = sb_autumn_load(text, strlen(text), NULL, &fault);
    if (!program) fail_msg("%s\n%s", fault.text, text);
    sb_autumn_state *start = sb_autumn_new(program);
    assert_true(start && sb_autumn_start(start, SB_AUTUMN_PCG64, 1, NULL));
    sb_world_solver *solver = sb_world_solver_make(program);
    assert_true(solver && solve(solver, start, question, &answer));
    for (int i = 0; answer.verdict == SB_SOLVED && i < sb_world_plan(solver, plan, 100); i++)
        assert_true(sb_autumn_step(start, plan[i], NULL));
    assert_int_equal(sb_autumn_standing_of(start)->won, answer.verdict == SB_SOLVED);
    sb_world_solver_free(solver);
    sb_autumn_free(start), sb_autumn_unload(program);
    return answer;
}

static sb_world_answer ask(const char *text, const sb_world_question *question) {
    return ask_by(sb_world_solve, text, question);
}

static void test_searches_find_the_shortest_play_or_that_there_is_none(void **state) {
    (void)state;
    const char *const clicks =
        "(program (task \"T\" (win (== n 2))) (= GRID_SIZE 3) (= n 0) (object A (Cell 0 0 \"red\"))"
        "(= a (A (Position 2 1))) (on (clicked a) (let (= n (+ n 1)) (= a (A (Position 0 n))))))";
    const char *const lost = "(program (task \"T\" (win (== n 3)) (lose (== n 2))) (= n 0) (on up (= n (+ n 1)))"
                             "(on (& down (> n 1)) (= n 3)))";
    /* fields are set in place, so states are not packed */
    const char *const in_place =
        "(program (task \"T\" (win (== (.. (.. a origin) x) 4))) (object A (Cell 0 0 \"red\"))"
        "(= a (A (Position 0 0))) (on right (= (.. a origin) (Position (+ (.. (.. a origin) x) 1) 0))))";
    const sb_world_question all = {.limit = 1000}, short_ones = {.limit = 1000, .max_steps = 3};
    const sb_world_question no_click = {.limit = 1000, .without = SB_AUTUMN_CLICK};
    sb_world_answer a = ask(clicks, &all);
    assert_true(a.verdict == SB_SOLVED && a.steps == 2 && a.is_shortest);
    assert_int_equal(ask(clicks, &no_click).verdict, SB_IMPOSSIBLE);
    assert_int_equal(ask(lost, &all).verdict, SB_IMPOSSIBLE);
    a = ask(in_place, &all);
    assert_true(a.verdict == SB_SOLVED && a.steps == 4 && a.is_shortest);
    assert_int_equal(ask(in_place, &short_ones).verdict, SB_IMPOSSIBLE);
}

/* It follows the score, or the reward, where a search of all states ends at its limit, and claims nothing. */
static void test_a_beam_goes_farther_than_a_search(void **state) {
    (void)state;
    static const char *const goals[] = {"(score n 40)", "(win (== n 40)) (reward n)",
                                        "(win (== n 40)) (reward (- 0 n))"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "(program (task \"T\" %s) (= n 0) (= a 0) (= b 0) (= c 0) (on up (= n (+ n 1)))"
                 "(on left (= a (+ a 1))) (on right (= b (+ b 1))) (on down (= c (+ c 1))))",
                 goals[i]);
        const sb_world_question question = {.limit = 60000}, shorter = {.limit = 60000, .max_steps = 39};
        assert_int_equal(ask(text, &question).verdict, SB_NOT_FOUND);
        const sb_world_answer answer = ask_by(sb_world_reach, text, &question);
        assert_int_equal(answer.verdict, i < 2 ? SB_SOLVED : SB_NOT_FOUND); /* the last reward leads away */
        assert_true(!answer.is_shortest && answer.states <= question.limit + 8);
        assert_int_equal(answer.steps, i < 2 ? 40 : 0);
        assert_int_equal(ask_by(sb_world_reach, text, &shorter).verdict, SB_NOT_FOUND);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds_have_their_own_names_and_difficulties),
        cmocka_unit_test(test_a_world_whose_first_start_fails_is_a_task),
        cmocka_unit_test(test_two_programs_of_one_name_are_refused),
        cmocka_unit_test(test_selections_take_the_difficulties_of_each_task),
        cmocka_unit_test(test_accepted_starts_have_the_demanded_length),
        cmocka_unit_test(test_starts_are_functions_of_their_names),
        cmocka_unit_test(test_a_world_without_a_start_says_why),
        cmocka_unit_test(test_scores_rewards_and_ends),
        cmocka_unit_test(test_searches_find_the_shortest_play_or_that_there_is_none),
        cmocka_unit_test(test_a_beam_goes_farther_than_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
