/* Experts against rollouts of themselves: where chance decides, nobody plays the fewest steps for certain, and the
 * clairvoyant's steps are out of reach. The reference here does not know the future: in every state it tries each
 * action with 64 futures of its own drawing, lets the expert play them to the end, and takes the action that wins most
 * often, and then soonest. An expert that this shortens has room left.
 *
 * A few episodes are played by day, and more at night, where that is quick enough. `futures_test --list` plays all that
 * the table below names, and prints what it found as JSON; `--list TASK` only those of a task. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/gridworld/episode.h"
#include "rollout/selection.h"
#include "seedbed/player.h"

enum { FUTURES = 64, FEW = 16, ACTIONS = 5 };

static const sb_action actions[ACTIONS] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};

/* How many episodes are played, by difficulty: as many as take some minutes. 0: nothing is drawn there, or an episode
 * takes too long (Herding above medium: half an hour). */
static const struct pairs {
    const char *task;
    int episodes[SB_N_DIFFICULTIES];
} pairs[] = {
    {"DynamicObstacles-v0", {200, 60, 30, 12}},
    {"EmergentStrategy-v0", {0, 300, 60, 30}},
    {"Herding-v0", {30, 8, 0, 0}},
    {"TagHunt-v0", {200, 60, 16, 6}},
    {"TaskInterference-v0", {0, 40, 12, 6}},
};

static sb_error error;

/* ---- The reference ---- */

typedef struct reference {
    sb_player *expert;
    sb_env *copy;
    int n_futures;
    uint64_t drawn; /* futures so far: each step has its own */
} reference;

/* How an action did in the futures so far. */
typedef struct trial {
    sb_action action;
    bool is_out; /* others are better for certain */
    int n, won;
    double steps, squares; /* sums over those won */
} trial;

static void play_out(sb_player *expert, sb_env *env) {
    sb_result r;
    assert_ok(sb_player_begin(expert, env, &error), error);
    while (!env->status.done) assert_ok(sb_step(env, sb_player_act(expert, env), &r, &error), error);
}

static void try_future(reference *r, const sb_env *env, trial *t, uint64_t future) {
    const sb_status *end = &r->copy->status;
    sb_result result;
    assert_ok(sb_copy(r->copy, env, &error), error);
    ((const sb_task *)env->task)->reseed(r->copy->state, future);
    assert_ok(sb_step(r->copy, t->action, &result, &error), error);
    play_out(r->expert, r->copy);
    t->n++;
    if (end->success) t->won++, t->steps += (double)end->steps, t->squares += (double)end->steps * (double)end->steps;
}

static double mean_of(const trial *t) { return t->won ? t->steps / t->won : 0; }

static bool is_better(const trial *a, const trial *b) {
    return a->won > b->won || (a->won == b->won && mean_of(a) < mean_of(b));
}

/* Whether an action may still turn out better: it has won nearly as often, in steps within three standard errors. */
static bool may_win(const trial *t, const trial *best) {
    const double mean = mean_of(t), variance = t->won > 1 ? (t->squares / t->won - mean * mean) / (t->won - 1) : 0;
    return t->won + 2 >= best->won && (t->won < 2 || mean - 3 * sqrt(variance) <= mean_of(best));
}

/* Tries the actions that are left in a few more futures, the same for all; returns the best one. */
static const trial *try_on(reference *r, const sb_env *env, trial trials[ACTIONS]) {
    const trial *best = NULL;
    for (int k = 0; k < ACTIONS; k++) {
        trial *t = &trials[k];
        for (int i = 0; i < FEW && !t->is_out; i++) try_future(r, env, t, r->drawn + (uint64_t)t->n);
        if (!t->is_out && (!best || is_better(t, best))) best = t;
    }
    for (int k = 0; k < ACTIONS; k++) trials[k].is_out |= !may_win(&trials[k], best);
    return best;
}

static sb_action choose(reference *r, const sb_env *env) {
    trial trials[ACTIONS] = {{0}};
    const trial *best = NULL;
    for (int k = 0; k < ACTIONS; k++) trials[k].action = actions[k];
    for (int n = 0; n < r->n_futures; n += FEW) best = try_on(r, env, trials);
    r->drawn += FUTURES;
    return best->action;
}

/* ---- Both, in the same episodes ---- */

typedef struct found {
    int n, won[2], both;                     /* the expert's, the reference's; episodes that both won */
    double steps[2], longer, longer_squared; /* sums over these: the steps of each, the expert's less the reference's */
} found;

static void compare(found *f, reference *r, sb_env *env, const sb_name *name) {
    sb_result result;
    uint64_t steps[2];
    assert_ok(sb_reset_name(env, name, &error), error);
    play_out(r->expert, env);
    const bool won = env->status.success;
    steps[0] = env->status.steps;
    assert_ok(sb_reset_name(env, name, &error), error);
    r->drawn = 1;
    while (!env->status.done) assert_ok(sb_step(env, choose(r, env), &result, &error), error);
    steps[1] = env->status.steps;
    f->n++, f->won[0] += won, f->won[1] += env->status.success;
    if (!won || !env->status.success) return;
    const double longer = (double)steps[0] - (double)steps[1];
    f->both++, f->longer += longer, f->longer_squared += longer * longer;
    for (int i = 0; i < 2; i++) f->steps[i] += (double)steps[i];
}

static found play_both(const char *task, int difficulty, int episodes, int n_futures) {
    sb_env *env = sb_make(NULL, NULL, &error);
    reference r = {.expert = sb_player_make("expert", &error), .copy = sb_make(NULL, NULL, &error), n_futures};
    sb_selection selection;
    found f = {0};
    const sb_request request = {
        .tasks = task, .difficulty = sb_difficulty_names[difficulty], .split = "train", .count = (uint64_t)episodes};
    assert_true(env && r.expert && r.copy);
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        compare(&f, &r, env, sb_selection_name(&selection, i, &name));
    }
    sb_selection_free(&selection);
    sb_free(env), sb_free(r.copy), sb_player_free(r.expert);
    return f;
}

static double longer_of(const found *f) { return f->both ? f->longer / f->both : 0; }

/* Half of the interval of 95 %. */
static double half_of(const found *f) {
    const double n = f->both, longer = longer_of(f);
    return n > 1 ? 1.96 * sqrt((f->longer_squared / n - longer * longer) / (n - 1)) : 0;
}

static void experts_are_as_short_as_rollouts_of_themselves(void **state) {
    (void)state;
    const bool is_night = getenv("SEEDBED_NIGHTLY") != NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int d = 0; d < (is_night ? SB_N_DIFFICULTIES : 2); d++) {
            const int episodes = pairs[i].episodes[d] / (is_night ? 4 : 30);
            if (episodes < 5) continue; /* too few to tell */
            const found f = play_both(pairs[i].task, d, episodes, is_night ? FUTURES : FEW);
            print_message("%s/%d: %d episodes, %.1f steps; rollouts %.1f; longer by %.2f +- %.2f\n", pairs[i].task, d,
                          f.n, f.steps[0] / f.both, f.steps[1] / f.both, longer_of(&f), half_of(&f));
            assert_true(f.won[0] + 2 >= f.won[1]);
            assert_true(longer_of(&f) <= 2 * half_of(&f) + 0.5);
        }
}

static void list(const char *only) {
    bool is_later = false;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int d = 0; d < SB_N_DIFFICULTIES; d++) {
            if (!pairs[i].episodes[d] || (only && strcmp(only, pairs[i].task) != 0)) continue;
            const found f = play_both(pairs[i].task, d, pairs[i].episodes[d], FUTURES);
            printf("%s{\"task\": \"%s\", \"difficulty\": %d, \"episodes\": %d, \"won\": [%d, %d], \"steps\": [%.2f, "
                   "%.2f], \"longer\": %.2f, \"half\": %.2f}",
                   is_later ? ",\n " : "[", pairs[i].task, d, f.n, f.won[0], f.won[1], f.steps[0] / f.both,
                   f.steps[1] / f.both, longer_of(&f), half_of(&f));
            fflush(stdout);
            is_later = true;
        }
    puts("]");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(experts_are_as_short_as_rollouts_of_themselves)};
    if (argc < 2) return cmocka_run_group_tests(tests, NULL, NULL);
    list(argc > 2 ? argv[2] : NULL);
    return 0;
}
