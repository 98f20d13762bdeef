/* How many games there are (rollout/games.h): estimates from simulated starts, whose games are known, and counts of
 * tasks. */
#include "rollout/games.h"

#include <math.h>
#include <stdlib.h>

#include "seeds/rng.h"
#include "tests/support.h"

enum { GAMES_MAX = 2000, SIMULATIONS = 400 };

/* A world of games that come with these weights. */
typedef struct world {
    size_t n;
    double weight[GAMES_MAX], sum;
} world;

/* `uneven`: the most frequent game comes that many times as often as the rarest one. */
static world make_world(size_t n, double uneven) {
    world w = {.n = n};
    for (size_t i = 0; i < n; i++) w.sum += w.weight[i] = pow(uneven, (double)i / (double)(n - 1));
    return w;
}

static size_t draw(const world *w, sb_rng *rng) {
    double at = sb_random(rng) * w->sum;
    size_t i = 0;
    while (i + 1 < w->n && (at -= w->weight[i]) >= 0) i++;
    return i;
}

static double effective_number(const world *w) {
    double sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += w->weight[i] * w->weight[i];
    return w->sum * w->sum / sum;
}

static sb_games simulate(const world *w, size_t starts, sb_rng *rng) {
    static uint64_t met[GAMES_MAX];
    sb_games games = {.starts = starts};
    memset(met, 0, sizeof met);
    for (size_t i = 0; i < starts; i++) met[draw(w, rng)]++;
    for (size_t i = 0; i < w->n; i++) {
        games.different += met[i] > 0, games.once += met[i] == 1, games.twice += met[i] == 2;
        for (uint64_t k = 1; k < met[i]; k++) games.pairs += k, games.triples += k * (k - 1) / 2;
    }
    return games;
}

static void intervals_of_the_effective_number_hold_it_as_often_as_they_say(void **state) {
    (void)state;
    static const struct {
        size_t games, starts;
        double uneven;
    } worlds[] = {{9, 200, 1}, {1000, 60, 1}, {1000, 300, 1}, {1000, 3000, 1}, {1000, 300, 50}, {200, 2000, 1000}};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        const world w = make_world(worlds[i].games, worlds[i].uneven);
        const double is = effective_number(&w);
        sb_rng rng;
        sb_rng_seed(&rng, i, NULL);
        int held = 0;
        for (int k = 0; k < SIMULATIONS; k++) {
            const sb_games games = simulate(&w, worlds[i].starts, &rng);
            const sb_games_number number = sb_games_judge(&games).effective;
            assert_true(number.least <= number.is && number.is <= number.most);
            held += number.least <= is * (1 + 1e-9) && is <= number.most * (1 + 1e-9);
        }
        if (held < 0.92 * SIMULATIONS)
            fail_msg("%zu games: held in %d of %d simulations", worlds[i].games, held, SIMULATIONS);
    }
}

/* Where all games are equally likely, Chao's bound estimates the number itself. */
static void the_number_of_equally_likely_games_is_found(void **state) {
    (void)state;
    const world w = make_world(500, 1);
    sb_rng rng;
    sb_rng_seed(&rng, 7, NULL);
    double mean = 0;
    int held = 0;
    for (int k = 0; k < SIMULATIONS; k++) {
        const sb_games games = simulate(&w, 600, &rng);
        const sb_games_estimate e = sb_games_judge(&games);
        assert_true(e.games.least >= (double)games.different && e.games.least <= e.games.is);
        mean += e.games.is / SIMULATIONS;
        held += e.games.least <= 500 && 500 <= e.games.most;
    }
    assert_true(fabs(mean - 500) < 10);
    assert_true(held > 0.92 * SIMULATIONS);
}

/* Chao's bound is one: rare games that were not met may be more, and are not fewer. */
static void chaos_number_stays_below_that_of_uneven_games(void **state) {
    (void)state;
    const world w = make_world(2000, 10000);
    sb_rng rng;
    sb_rng_seed(&rng, 3, NULL);
    double mean = 0;
    for (int k = 0; k < SIMULATIONS / 4; k++) {
        const sb_games games = simulate(&w, 500, &rng);
        mean += 4 * sb_games_judge(&games).games.is / SIMULATIONS;
    }
    assert_true(mean > 500 && mean < 2000);
}

static void without_a_repeat_the_effective_number_is_more_than_a_sixth_of_the_pairs(void **state) {
    (void)state;
    const sb_games games = {.starts = 10000, .different = 10000, .once = 10000};
    const sb_games_estimate e = sb_games_judge(&games);
    assert_false(e.all);
    assert_true(fabs(e.effective.least - 10000.0 * 9999 / 6) < 1 && isinf(e.effective.is) && isinf(e.effective.most));
    char text[64];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_games_put_effective(&games, &out);
    sb_out_finish(&out);
    assert_string_equal(text, "more than 16,700,000");
}

/* ---- Counts ---- */

static sb_games counted(const char *tasks, const char *difficulty, uint64_t n, size_t jobs) {
    const sb_request request = {.tasks = tasks, .difficulty = difficulty, .split = "games", .count = n};
    const sb_games_counting how = {.jobs = jobs};
    sb_selection selection = {0};
    sb_games games;
    sb_error error;
    assert_ok(sb_select(&request, &selection, &error), error);
    assert_ok(sb_games_count(&selection, 0, selection.n, &how, &games, &error), error);
    sb_selection_free(&selection);
    return games;
}

/* The goal of GoToGoal easy lies on one of nine cells, and the 25 evaluation episodes have them all. */
static void the_nine_games_of_a_small_task_are_all_evaluation_episodes(void **state) {
    (void)state;
    const sb_games games = counted("GoToGoal", "easy", 2000, 1);
    assert_int_equal(games.different, 9);
    assert_int_equal(games.evaluation, 2000);
    assert_true(sb_games_judge(&games).all);
}

static void counts_do_not_depend_on_workers(void **state) {
    (void)state;
    const sb_games one = counted("TileSorting", "medium", 1000, 1), three = counted("TileSorting", "medium", 1000, 3);
    assert_memory_equal(&one, &three, sizeof one);
    assert_true(one.once > 0 && one.twice > 0 && one.pairs > one.twice && one.evaluation > 0);
    assert_true(one.evaluation < one.starts);
}

static void counts_are_read_as_they_were_printed(void **state) {
    (void)state;
    const sb_games games = {1000, 600, 400, 100, 700, 90, 12};
    sb_games read;
    sb_error error;
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_games_print(&games, &out);
    sb_puts(&out, "}");
    cJSON *object = sb_json_parse(out.data, out.size, &error);
    assert_non_null(object);
    assert_ok(sb_games_read(object, &read, &error), error);
    assert_memory_equal(&games, &read, sizeof games);
    cJSON_Delete(object);
    sb_out_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_the_effective_number_hold_it_as_often_as_they_say),
        cmocka_unit_test(the_number_of_equally_likely_games_is_found),
        cmocka_unit_test(chaos_number_stays_below_that_of_uneven_games),
        cmocka_unit_test(without_a_repeat_the_effective_number_is_more_than_a_sixth_of_the_pairs),
        cmocka_unit_test(the_nine_games_of_a_small_task_are_all_evaluation_episodes),
        cmocka_unit_test(counts_do_not_depend_on_workers),
        cmocka_unit_test(counts_are_read_as_they_were_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
