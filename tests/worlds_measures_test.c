/* The worlds of examples/worlds keep what they promise: starts are found soon, difficulties differ in length, bounds
 * never exceed the shortest play, and nobody wins the hardest by chance. By night with the numbers that people are
 * told. */
#include "tests/worlds_support.h"

#include <stdlib.h>
#include <time.h>

#include "api/env.h"
#include "engine/catalogue.h"
#include "engine/lookup.h"
#include "generators/autumn/worlds/start.h"
#include "oracles/player.h"

static const char *const names[] = {"crates", "flood", "ice",  "jam",     "keys", "lights",
                                    "mines",  "pegs",  "road", "statues", "tiles"};
enum { N = sizeof names / sizeof *names, DIFFICULTIES = 3, SEEDS_MAX = 1000 };

/* Seeds by difficulty, and random plays of the hardest. */
typedef struct extent {
    int seeds[DIFFICULTIES], plays;
} extent;

static sb_error error;

static extent extent_of_today(void) {
    if (getenv("SEEDBED_NIGHTLY")) return (extent){{SEEDS_MAX, 100, 30}, 2000};
    return TESTS_ARE_SLOW ? (extent){{2, 1, 1}, 2} : (extent){{11, 5, 1}, 50};
}

static sb_catalogue *catalogue_of(const char *name) {
    sb_out text = example_text(name);
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_non_null(catalogue);
    const sb_family *family = sb_family_find("autumn", &error);
    assert_ok(sb_catalogue_add_program(catalogue, family, text.data, text.size, NULL, &error), error);
    sb_out_free(&text);
    return catalogue;
}

/* ---- Starts ------------------------------------------------------------------------------------------------------ */

/* What the starts of a difficulty took, sorted, and in all. */
typedef struct sample {
    int n;
    double seconds[SEEDS_MAX], steps[SEEDS_MAX];
    double all_seconds, attempts, states;
} sample;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double at(const double *sorted, int n, double share) { return sorted[(int)(share * (n - 1))]; }

/* Without its bound, the search finds no shorter play, as far as it looks. */
static void check_bound(const sb_autumn_compiled *world, const sb_autumn_state *state, int steps) {
    sb_world_answer answer = {0};
    const sb_world_question question = {.limit = 2000, .max_steps = steps};
    if (!sb_autumn_world_of(world->program)->has_bound) return;
    sb_world_solver *solver = sb_world_solver_make(world->program);
    assert_true(solver && sb_world_solve(solver, state, &question, &answer));
    if (answer.verdict != SB_NOT_FOUND) assert_int_equal(answer.steps, steps);
    sb_world_solver_free(solver);
}

static void measure_seed(sb_autumn_compiled *world, uint64_t seed, bool checks_bound, sample *s) {
    sb_world_starts starts = {0};
    sb_autumn_state *state = sb_autumn_new(world->program);
    assert_non_null(state);
    const double before = now();
    assert_ok(sb_world_start(world, seed, state, &starts, &error), error);
    s->seconds[s->n] = now() - before, s->steps[s->n] = starts.answer.steps;
    s->all_seconds += s->seconds[s->n++], s->attempts += starts.attempts, s->states += (double)starts.states;
    if (checks_bound) check_bound(world, state, starts.answer.steps);
    sb_autumn_free(state);
}

/* Measures the starts of a difficulty; the sample lives until the next call. */
static const sample *measure(const sb_task_info *task, size_t difficulty, int seeds) {
    enum { BOUNDS = 3 };
    static sample s;
    sb_autumn_compiled *world = sb_autumn_compile(sb_autumn_task_of(task), difficulty, &error);
    assert_non_null(world);
    s = (sample){0};
    for (int seed = 0; seed < seeds; seed++)
        measure_seed(world, (uint64_t)seed, seed < BOUNDS && difficulty + 1 < DIFFICULTIES, &s);
    qsort(s.seconds, (size_t)s.n, sizeof *s.seconds, compare);
    qsort(s.steps, (size_t)s.n, sizeof *s.steps, compare);
    sb_autumn_release(world);
    return &s;
}

/* The easiest starts are found at once, the hardest soon; judged by night, when there are enough of them. */
static void check_time(const char *name, const sample *s, size_t difficulty) {
    static const double usual[DIFFICULTIES] = {0.05, 1, 1}, long_ones[DIFFICULTIES] = {1, 10, 10};
    if (getenv("SEEDBED_NIGHTLY") &&
        (at(s->seconds, s->n, 0.5) >= usual[difficulty] || at(s->seconds, s->n, 0.95) >= long_ones[difficulty]))
        fail_msg("%s, difficulty %zu: the median start takes %.3f s, the 95th of 100 %.3f s", name, difficulty,
                 at(s->seconds, s->n, 0.5), at(s->seconds, s->n, 0.95));
}

/* Each difficulty is longer than the one before; returns the median length of the hardest. */
static double check_starts(const char *name, const sb_task_info *task) {
    const extent today = extent_of_today();
    double before = 0;
    for (size_t d = 0; d < DIFFICULTIES; d++) {
        const sample *s = measure(task, d, today.seeds[d]);
        const double steps = at(s->steps, s->n, 0.5);
        print_message("%-8s %zu: %4d starts, median %.4f s, 95%% %.4f s, attempts %.2f, steps %g to %g, median %g, "
                      "%.0f states a second\n",
                      name, d, s->n, at(s->seconds, s->n, 0.5), at(s->seconds, s->n, 0.95), s->attempts / s->n,
                      s->steps[0], s->steps[s->n - 1], steps, s->states / s->all_seconds);
        check_time(name, s, d);
        if (steps <= before) fail_msg("%s: difficulty %zu takes %g steps, the one before %g", name, d, steps, before);
        before = steps;
    }
    return before;
}

static void test_starts_are_found_soon_and_get_longer(void **state) {
    (void)state;
    int with_25 = 0;
    for (size_t i = 0; i < N; i++) {
        sb_catalogue *catalogue = catalogue_of(names[i]);
        const double steps = check_starts(names[i], sb_catalogue_task(catalogue, sb_family_find("autumn", &error), 0));
        assert_true(steps >= 10);
        with_25 += steps >= 25;
        sb_catalogue_free(catalogue);
    }
    assert_true(with_25 >= 6);
}

/* ---- Random play ------------------------------------------------------------------------------------------------- */

/* Plays at random from the start of an episode; returns whether that wins. */
static bool wins_at_random(sb_env *env, sb_rng *rng) {
    sb_result result;
    while (!env->status.done) assert_ok(sb_step(env, sb_random_action(env, rng), &result, &error), error);
    assert_false(env->status.fault);
    return env->status.success;
}

/* How many of so many random plays win, on few starts, because those take long. */
static int wins_of(const char *name, int plays) {
    enum { STARTS = 2 };
    int wins = 0;
    sb_catalogue *catalogue = catalogue_of(name);
    const sb_task_info *task = sb_catalogue_task(catalogue, sb_family_find("autumn", &error), 0);
    for (int start = 0; start < STARTS; start++) {
        char text[SB_NAME_MAX];
        snprintf(text, sizeof text, "autumn:%s/hard#%d", task->name, start);
        sb_env *first = sb_make(catalogue, text, &error), *env = first ? sb_clone(first, &error) : NULL;
        if (!env) fail_msg("%s: %s", text, error.text);
        sb_rng rng = sb_draws_of(&first->name, "play");
        for (int play = 0; play < plays / STARTS; play++) {
            assert_ok(sb_copy(env, first, &error), error);
            wins += wins_at_random(env, &rng);
        }
        sb_free(env), sb_free(first);
    }
    sb_catalogue_free(catalogue);
    return wins;
}

static void test_nobody_wins_the_hardest_by_chance(void **state) {
    (void)state;
    const int plays = extent_of_today().plays;
    for (size_t i = 0; i < N; i++) {
        const int wins = wins_of(names[i], plays);
        print_message("%-8s hard: %d of %d random plays win\n", names[i], wins, plays);
        if (100 * wins >= plays) fail_msg("%s: %d of %d random plays win", names[i], wins, plays);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_are_found_soon_and_get_longer),
        cmocka_unit_test(test_nobody_wins_the_hardest_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
