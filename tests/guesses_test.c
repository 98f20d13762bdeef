/* What observers imagine in place of what is hidden from them: it must fit what they were shown, depend on nothing
 * else, and be so likely that what they expect of an episode is what happens on average. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "engine/gridworld/episode.h"
#include "oracles/costs.h"
#include "oracles/oracle.h"
#include "oracles/player.h"
#include "rollout/selection.h"
#include "tests/shows.h"

static sb_error error;

static bool is_night(void) { return getenv("SEEDBED_NIGHTLY") != NULL; }

static sb_selection some(const char *task, size_t difficulty, uint64_t count) {
    sb_selection selection;
    const sb_request request = {
        .tasks = task, .difficulty = sb_difficulty_names[difficulty], .split = "train", .count = count};
    assert_ok(sb_select(&request, &selection, &error), error);
    return selection;
}

/* Calls a function with every oracle that imagines, and every difficulty below `n`. */
static int each_guesser(void (*call)(const sb_oracle *oracle, size_t difficulty), size_t n) {
    int found = 0;
    for (const sb_oracle *const *o = sb_oracles; *o; o++)
        for (size_t d = 0; d < n && (*o)->imagine; d++) call(*o, d), found++;
    return found;
}

/* ---- What a guess shows ---- */

/* Makes a state with the observer's guess. */
static void guess_into(sb_env **guess, const sb_env *env, const sb_player *player, sb_rng *rng) {
    assert_ok(sb_show(guess, env, &error), error);
    player->oracle->imagine(player->memory, *guess, rng);
    (*guess)->name = env->name;
}

/* A guess must be a state that can be played on. */
static void play_on(sb_env *guess, sb_rng *rng) {
    sb_result result;
    for (int i = 0; i < 20 && !guess->status.done; i++)
        assert_ok(sb_step(guess, sb_random_action(guess, rng), &result, &error), error);
}

/* Takes the observer's action, or now and then a random one. */
static void go_on(sb_env *env, sb_action action, sb_rng *rng) {
    sb_result result;
    if (sb_random(rng) < 0.2) action = sb_random_action(env, rng);
    assert_ok(sb_step(env, action, &result, &error), error);
}

static void look_at_guesses(const sb_oracle *oracle, size_t difficulty) {
    enum { STATES = 60 };
    sb_env *env = sb_make(NULL, NULL, &error), *guess = NULL;
    sb_player player = {0};
    sb_rng rng;
    sb_selection selection = some(oracle->task, difficulty, is_night() ? 20 : TESTS_ARE_SLOW ? 1 : 2);
    sb_rng_seed(&rng, difficulty, NULL);
    assert_non_null(env);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &name), &error), error);
        assert_ok(sb_player_begin_as(&player, oracle->name, env, &error), error);
        for (int k = 0; k < STATES && !env->status.done; k++) {
            const sb_action action = sb_player_act(&player, env);
            guess_into(&guess, env, &player, &rng);
            assert_shows_the_same(env, guess);
            play_on(guess, &rng);
            go_on(env, action, &rng);
        }
    }
    sb_selection_free(&selection);
    sb_player_clear(&player);
    sb_free(env), sb_free(guess);
}

static void a_guess_shows_what_was_shown(void **state) {
    (void)state;
    assert_int_equal(each_guesser(look_at_guesses, SB_N_DIFFICULTIES), 18 * SB_N_DIFFICULTIES);
}

/* ---- No leaks ---- */

typedef struct pair {
    sb_costs *costs[2]; /* of the true state, and of one with another guess */
    sb_env *env, *other;
    sb_player player;
    sb_rng rng;
} pair;

static void open_pair(pair *p, const sb_oracle *oracle, size_t difficulty) {
    *p = (pair){.env = sb_make(NULL, NULL, &error)};
    for (int i = 0; i < 2; i++) assert_non_null(p->costs[i] = sb_costs_make(oracle->name, &error));
    sb_rng_seed(&p->rng, difficulty, NULL);
    assert_non_null(p->env);
}

static void close_pair(pair *p) {
    for (int i = 0; i < 2; i++) sb_costs_free(p->costs[i]);
    sb_player_clear(&p->player);
    sb_free(p->env), sb_free(p->other);
}

/* Plays some steps, which are shown to both. */
static void play_some(pair *p, int steps) {
    sb_action action = sb_player_act(&p->player, p->env);
    for (int k = 0; k < steps && !p->env->status.done; k++) {
        for (int i = 0; i < 2; i++) assert_ok(sb_costs_see(p->costs[i], p->env, &error), error);
        go_on(p->env, action, &p->rng);
        if (!p->env->status.done) action = sb_player_act(&p->player, p->env);
    }
}

static void compare_costs(pair *p) {
    sb_cost found[2];
    guess_into(&p->other, p->env, &p->player, &p->rng);
    assert_ok(sb_costs_left(p->costs[0], p->env, &found[0], &error), error);
    assert_ok(sb_costs_left(p->costs[1], p->other, &found[1], &error), error);
    assert_int_equal(found[0].kind, SB_COST_ESTIMATE);
    if (found[0].success != found[1].success || found[0].mean != found[1].mean)
        fail_msg("%s/%s#%llu, step %d: the costs depend on what is hidden", p->env->name.task, p->env->name.difficulty,
                 (unsigned long long)p->env->name.seed, p->env->status.steps);
}

static void ask_about_guesses(const sb_oracle *oracle, size_t difficulty) {
    pair p;
    sb_selection selection = some(oracle->task, difficulty, is_night() ? 4 : 1);
    open_pair(&p, oracle, difficulty);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        assert_ok(sb_reset_name(p.env, sb_selection_name(&selection, i, &name), &error), error);
        assert_ok(sb_player_begin_as(&p.player, oracle->name, p.env, &error), error);
        play_some(&p, 4 * (int)i + 6);
        if (!p.env->status.done) compare_costs(&p);
    }
    close_pair(&p);
    sb_selection_free(&selection);
}

static void costs_do_not_depend_on_what_is_hidden(void **state) {
    (void)state;
    each_guesser(ask_about_guesses, is_night() ? SB_N_DIFFICULTIES : 1);
}

/* ---- What is expected, and what happens ---- */

typedef struct sample {
    int n;
    double sum, squares, expected, real;
} sample;

static void add(sample *s, double expected, double real) {
    s->n++, s->expected += expected, s->real += real;
    s->sum += real - expected, s->squares += (real - expected) * (real - expected);
}

/* Whether the mean of the differences is within four standard errors of 0: by night some two hundred means are judged,
 * of which one in four hundred is beyond three by chance. One in a hundred is no difference: a plan that is made anew
 * may be a little better or worse. */
static bool is_fair(const sample *s) {
    const double mean = s->sum / s->n, variance = (s->squares / s->n - mean * mean) / (s->n - 1);
    return fabs(mean) <= 4 * sqrt(variance > 0 ? variance : 0) + 0.01 * s->expected / s->n;
}

/* Lets the observer play an episode, and asks after some steps what it expects. `steps`: the sum over the steps of
 * those plays that succeed. */
static void expect(sb_costs *costs, sb_env *env, sb_player *player, int after, sample *wins, sample *steps) {
    sb_cost left;
    sb_result result;
    while (!env->status.done && env->status.steps < after) {
        assert_ok(sb_costs_see(costs, env, &error), error);
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    }
    if (env->status.done) return;
    const int before = env->status.steps;
    assert_ok(sb_costs_left(costs, env, &left, &error), error);
    while (!env->status.done) assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    const int real = env->status.success ? env->status.steps - before : 0;
    add(wins, left.success, env->status.success), add(steps, left.success * left.mean, real);
}

static bool compare_expectations(const sb_oracle *oracle, size_t difficulty, uint64_t count, int after) {
    sb_costs *costs = sb_costs_make(oracle->name, &error);
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player player = {0};
    sample wins = {0}, steps = {0};
    sb_selection selection = some(oracle->task, difficulty, count);
    assert_true(costs && env);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &name), &error), error);
        assert_ok(sb_player_begin_as(&player, oracle->name, env, &error), error);
        expect(costs, env, &player, after, &wins, &steps);
    }
    sb_selection_free(&selection);
    sb_player_clear(&player);
    sb_costs_free(costs), sb_free(env);
    if (wins.n < 10) return true;
    const bool fair = is_fair(&wins) && is_fair(&steps);
    print_message("%s/%s after %d steps: in %d episodes expected %.3f wins and %.2f steps, got %.3f and %.2f%s\n",
                  oracle->task, sb_difficulty_names[difficulty], after, wins.n, wins.expected / wins.n,
                  steps.expected / wins.n, wins.real / wins.n, steps.real / wins.n, fair ? "" : ": TOO DIFFERENT");
    return fair;
}

static int n_unfair;

/* At the start, and after some steps. */
static void calibrate(const sb_oracle *oracle, size_t difficulty, uint64_t count) {
    n_unfair += !compare_expectations(oracle, difficulty, count, 0);
    n_unfair += !compare_expectations(oracle, difficulty, count, 12);
}

/* Where a play takes long, in fewer episodes. */
static void calibrate_much(const sb_oracle *oracle, size_t difficulty) {
    const bool is_slow = strcmp(oracle->task, "Herding-v0") == 0 || strcmp(oracle->task, "CuriosityMaze-v0") == 0;
    calibrate(oracle, difficulty, is_slow ? 12 : 100);
}

static void what_is_expected_happens_on_average(void **state) {
    (void)state;
    if (is_night()) {
        each_guesser(calibrate_much, SB_N_DIFFICULTIES);
    } else {
        calibrate(sb_oracle_find("agentick", "FewShotAdaptation-v0", "observer"), 3, 100);
        calibrate(sb_oracle_find("agentick", "TreasureHunt-v0", "observer"), 1, 40);
    }
    assert_int_equal(n_unfair, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guess_shows_what_was_shown),
        cmocka_unit_test(costs_do_not_depend_on_what_is_hidden),
        cmocka_unit_test(what_is_expected_happens_on_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
