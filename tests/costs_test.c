/* What actions cost, beside a search that shares no code with the oracles: it looks at every state that can be reached,
 * by the rules alone, and counts back from success. So exact costs, lost and late ones are compared for all actions. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "engine/gridworld/episode.h"
#include "oracles/costs.h"
#include "oracles/oracle.h"
#include "rollout/selection.h"
#include "seedbed/player.h"
#include "seeds/rng.h"

enum { ACTIONS = 6, DEEP = 30000, FAR = INT32_MAX / 2, WON = -1, OVER = -2 };

static sb_error error;

/* ---- All states ---- */

typedef struct node {
    uint64_t key[2];
    sb_env *env;
    int after[ACTIONS]; /* a node, WON or OVER */
    double rewards[ACTIONS];
    int steps; /* to success */
} node;

typedef struct world {
    node *nodes;
    int n, room, most; /* most: nodes that are looked at */
    int *places, n_places;
} world;

static int *place_of(world *w, const uint64_t key[2]) {
    size_t i = key[0] % (size_t)w->n_places;
    while (w->places[i] >= 0 && memcmp(w->nodes[w->places[i]].key, key, sizeof w->nodes->key) != 0)
        i = (i + 1) % (size_t)w->n_places;
    return &w->places[i];
}

/* Returns the node of a state, which is new or not; OVER if there are too many. */
static int node_of(world *w, const sb_env *env) {
    uint64_t key[2];
    sb_key(env, key);
    int *place = place_of(w, key);
    if (*place >= 0) return *place;
    if (w->n == w->most) return OVER;
    node *new = &w->nodes[w->n];
    *new = (node){.key = {key[0], key[1]}, .env = sb_clone(env, &error), .steps = FAR};
    assert_non_null(new->env);
    return *place = w->n++;
}

static void look_from(world *w, int at, sb_env *copy) {
    for (int a = 0; a < ACTIONS; a++) {
        sb_result result;
        assert_ok(sb_copy(copy, w->nodes[at].env, &error), error);
        assert_ok(sb_step(copy, a, &result, &error), error);
        const int after = copy->status.done ? (copy->status.success ? WON : OVER) : node_of(w, copy);
        w->nodes[at].after[a] = after, w->nodes[at].rewards[a] = result.reward;
    }
}

static int steps_after(const world *w, int after) {
    return after == WON ? 0 : after == OVER ? FAR : w->nodes[after].steps;
}

static void count_back(world *w) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = w->n - 1; i >= 0; i--)
            for (int a = 0; a < ACTIONS; a++) {
                const int steps = steps_after(w, w->nodes[i].after[a]) + 1;
                if (steps < w->nodes[i].steps) w->nodes[i].steps = steps, changed = true;
            }
    }
}

/* Looks at every state that can be reached from the episode's. False if there are too many. */
static bool explore(world *w, const sb_env *env, int most) {
    sb_env *copy = sb_clone(env, &error);
    *w = (world){.most = most, .n_places = 2 * most + 1};
    w->nodes = calloc((size_t)most, sizeof *w->nodes), w->places = malloc(sizeof *w->places * (size_t)w->n_places);
    assert_true(copy && w->nodes && w->places);
    memset(w->places, -1, sizeof *w->places * (size_t)w->n_places);
    sb_extend(copy, DEEP);
    node_of(w, copy);
    for (int i = 0; i < w->n && w->n < most; i++) look_from(w, i, copy);
    sb_free(copy);
    if (w->n < most) count_back(w);
    return w->n < most;
}

static void forget(world *w) {
    for (int i = 0; i < w->n; i++) sb_free(w->nodes[i].env);
    free(w->nodes), free(w->places);
}

/* ---- Comparing ---- */

typedef struct tally {
    int worlds, costs, lost, late, several; /* several: states with more than one best action */
} tally;

static sb_cost_kind kind_of(int steps, int left) {
    return steps >= FAR ? SB_COST_LOST : steps > left ? SB_COST_LATE : SB_COST_EXACT;
}

static void assert_cost(const sb_env *env, const sb_cost *cost, int steps, int left) {
    const sb_cost_kind kind = kind_of(steps, left);
    char name[SB_NAME_MAX];
    sb_name_print(&env->name, name, sizeof name);
    if (cost->kind != kind || cost->steps != (kind == SB_COST_LOST ? -1 : steps) || !cost->is_proven)
        fail_msg("%s, step %d of %d, action %d: %s %d, but %s %d", name, env->status.steps, env->status.max_steps,
                 cost->action, sb_cost_kind_name(cost->kind), cost->steps, sb_cost_kind_name(kind), steps);
    assert_true(cost->success == (kind == SB_COST_EXACT) && cost->mean == (kind == SB_COST_EXACT ? steps : 0));
}

static void compare(tally *t, world *w, sb_costs *costs, const sb_env *env) {
    sb_cost found[ACTIONS];
    size_t n;
    uint64_t key[2];
    const int left = env->status.max_steps - env->status.steps;
    int least = FAR, steps[ACTIONS], n_best = 0;
    sb_key(env, key);
    const int at = *place_of(w, key);
    assert_true(at >= 0);
    assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
    assert_int_equal(n, ACTIONS);
    for (int a = 0; a < ACTIONS; a++) {
        steps[a] = steps_after(w, w->nodes[at].after[a]) + 1;
        if (steps[a] <= left && steps[a] < least) least = steps[a];
    }
    for (int a = 0; a < ACTIONS; a++) {
        assert_cost(env, &found[a], steps[a], left);
        assert_int_equal(found[a].is_best, least == FAR || steps[a] == least);
        n_best += found[a].is_best;
        t->lost += found[a].kind == SB_COST_LOST, t->late += found[a].kind == SB_COST_LATE;
    }
    t->costs += ACTIONS, t->several += n_best > 1;
}

/* Compares in states of a random play, and in the same states with fewer steps left. */
static void walk(tally *t, const sb_name *name, sb_costs *costs, sb_rng *rng, int most) {
    world w;
    sb_result result;
    sb_env *env = sb_make(NULL, NULL, &error), *hurried = sb_make(NULL, NULL, &error);
    assert_true(env && hurried);
    assert_ok(sb_reset_name(env, name, &error), error);
    const bool is_known = explore(&w, env, most);
    t->worlds += is_known;
    for (int k = 0; k < 6 && is_known && !env->status.done; k++) {
        compare(t, &w, costs, env);
        assert_ok(sb_copy(hurried, env, &error), error);
        if (sb_extend(hurried, env->status.steps + (int)sb_integers(rng, 1, 30))) compare(t, &w, costs, hurried);
        for (int i = 0; i < 3 && !env->status.done; i++)
            assert_ok(sb_step(env, (sb_action)sb_integers(rng, 0, ACTIONS), &result, &error), error);
    }
    forget(&w);
    sb_free(env), sb_free(hurried);
}

static sb_selection some(const char *task, size_t difficulty, uint64_t count) {
    sb_selection selection;
    const sb_request request = {
        .tasks = task, .difficulty = sb_difficulty_names[difficulty], .split = "train", .count = count};
    assert_ok(sb_select(&request, &selection, &error), error);
    return selection;
}

/* Calls a function with every task and difficulty in which an expert claims the fewest steps. */
static void each_claim(void (*call)(const char *task, size_t difficulty, void *data), void *data) {
    for (const sb_oracle *const *o = sb_oracles; *o; o++)
        for (size_t d = 0; d < SB_N_DIFFICULTIES && strcmp((*o)->name, "expert") == 0; d++)
            if ((*o)->task && (*o)->shortest >> d & 1) call((*o)->task, d, data);
}

static bool is_night(void) { return getenv("SEEDBED_NIGHTLY") != NULL; }

static void compare_claim(const char *task, size_t difficulty, void *costs) {
    tally t = {0};
    sb_rng rng;
    sb_rng_seed(&rng, difficulty, NULL);
    sb_selection selection = some(task, difficulty, is_night() ? 200 : TESTS_ARE_SLOW ? 1 : 3);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        walk(&t, sb_selection_name(&selection, i, &name), costs, &rng, is_night() ? 20000 : 4000);
    }
    sb_selection_free(&selection);
    if (t.worlds)
        print_message("%s/%s: %d worlds, %d costs, %d lost, %d late; several best actions in %d states\n", task,
                      sb_difficulty_names[difficulty], t.worlds, t.costs, t.lost, t.late, t.several);
}

static void costs_are_those_of_a_search_over_all_states(void **state) {
    (void)state;
    sb_costs *costs = sb_costs_make("expert", &error);
    assert_non_null(costs);
    each_claim(compare_claim, costs);
    sb_costs_free(costs);
}

/* In ChaseEvade the expert survives for as long as it can, also where it cannot survive for long enough. */
static void a_play_that_only_lasts_long_does_not_hide_that_all_is_lost(void **state) {
    sb_cost found[ACTIONS];
    sb_result result;
    size_t n;
    (void)state;
    sb_costs *costs = sb_costs_make("expert", &error);
    sb_env *env = sb_make(NULL, "ChaseEvade-v0/medium#1016064766", &error);
    assert_true(costs && env);
    for (int i = 0; i < 3; i++) assert_ok(sb_step(env, SB_NOOP, &result, &error), error);
    assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i].kind,
                         found[i].action == SB_NOOP || found[i].action == SB_INTERACT ? SB_COST_LOST : SB_COST_EXACT);
    sb_free(env);
    sb_costs_free(costs);
}

/* ---- Where there are too many states for a search ---- */

static int least_of(const sb_cost *costs, size_t n) {
    int least = FAR;
    for (size_t i = 0; i < n; i++)
        if (costs[i].kind == SB_COST_EXACT && costs[i].steps < least) least = costs[i].steps;
    return least;
}

/* Plays with the expert and some random actions. In each state an action costs one step more than the best one after
 * it, and no play is shorter than the costs at its start. */
static void play_claim(const char *task, size_t difficulty, void *costs) {
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player *expert = sb_player_make("expert", &error);
    sb_selection selection = some(task, difficulty, is_night() ? 50 : TESTS_ARE_SLOW ? 1 : 2);
    sb_rng rng;
    sb_rng_seed(&rng, difficulty, NULL);
    assert_true(env && expert);
    for (size_t i = 0; i < selection.n; i++) {
        sb_cost found[ACTIONS] = {{0}};
        sb_name name;
        size_t n;
        int least = 0, taken = -1;
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &name), &error), error);
        assert_ok(sb_player_begin(expert, env, &error), error);
        for (int k = 0; k < 12 && !env->status.done; k++) {
            sb_result result;
            sb_action action = sb_player_act(expert, env);
            if (sb_random(&rng) < 0.2) action = (sb_action)sb_integers(&rng, 0, ACTIONS);
            const sb_cost before = found[taken < 0 ? 0 : taken];
            assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
            least = least_of(found, n);
            if (taken >= 0 && before.kind == SB_COST_EXACT) assert_int_equal(least + 1, before.steps);
            if (taken >= 0 && before.kind == SB_COST_LOST) assert_int_equal(least, FAR);
            assert_ok(sb_step(env, action, &result, &error), error);
            taken = action;
        }
    }
    sb_selection_free(&selection);
    sb_player_free(expert), sb_free(env);
}

static void an_action_costs_one_step_more_than_the_best_one_after_it(void **state) {
    (void)state;
    sb_costs *costs = sb_costs_make("expert", &error);
    assert_non_null(costs);
    each_claim(play_claim, costs);
    sb_costs_free(costs);
}

/* ---- Estimates ---- */

static void assert_same(const sb_cost *a, const sb_cost *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(a[i].kind, b[i].kind);
        assert_int_equal(a[i].is_best, b[i].is_best);
        assert_true(a[i].success == b[i].success && a[i].mean == b[i].mean && a[i].mean_error == b[i].mean_error);
    }
}

static void estimates_do_not_depend_on_the_draws_to_come(void **state) {
    (void)state;
    static const char *const names[] = {"TagHunt/easy#1", "DynamicObstacles/medium#2", "GoToGoal/hard#3",
                                        "NoisyObservation/easy#4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_env *env = sb_make(NULL, names[i], &error);
        sb_costs *costs = sb_costs_make("expert", &error), *others = sb_costs_make("expert", &error);
        sb_cost first[ACTIONS], again[ACTIONS];
        size_t n;
        assert_ok(env, error);
        assert_true(costs && others);
        assert_ok(sb_costs_ask(costs, env, first, ACTIONS, &n, &error), error);
        assert_int_equal(first[0].kind, SB_COST_ESTIMATE);
        for (size_t k = 0; k < n; k++)
            assert_true(first[k].success >= 0 && first[k].success <= 1 && first[k].mean_error >= 0 &&
                        first[k].steps < 0);
        assert_true(env->family->reseed(env, 12345));
        assert_ok(sb_costs_ask(costs, env, again, ACTIONS, &n, &error), error);
        assert_same(first, again, n);
        assert_ok(sb_costs_ask(others, env, again, ACTIONS, &n, &error), error);
        assert_same(first, again, n);
        sb_costs_free(costs), sb_costs_free(others), sb_free(env);
    }
}

/* Worlds whose steps draw, too. Their expert claims the fewest steps, but not where draws decide. */
static void costs_of_worlds_that_draw_are_estimates(void **state) {
    (void)state;
    static const char text[] =
        "(program (task \"Chances\" (win (>= n 6))) (= GRID_SIZE 3)\n"
        "(object Dot (Cell 0 0 \"red\")) (= dot (Dot (Position 1 1)))\n"
        "(: n Number) (= n (initnext 0 (prev n))) (on left (= n (+ n (uniformChoice (list 0 1 2))))))";
    const sb_task_info *task;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    const sb_family *autumn = sb_family_find("autumn", &error);
    assert_ok(sb_catalogue_add_program(catalogue, autumn, text, sizeof text - 1, &task, &error), error);
    sb_env *env = sb_make(catalogue, "autumn:Chances#1", &error);
    sb_costs *costs = sb_costs_make("expert", &error);
    sb_cost list[20];
    size_t n;
    assert_ok(env && costs, error);
    assert_ok(sb_costs_ask(costs, env, list, 20, &n, &error), error);
    for (size_t i = 0; i < n && i < 20; i++) assert_int_equal(list[i].kind, SB_COST_ESTIMATE);
    sb_costs_free(costs), sb_free(env), sb_catalogue_free(catalogue);
}

/* ---- Progress ---- */

enum { SMALL = 300, EPISODES = 20 };

typedef struct ends {
    int won, lost, out_of_steps;
} ends;

/* Plays an episode; returns how the sums of discounted progress and of discounted rewards differ. */
static double play_for_progress(sb_costs *costs, const char *name, const char *agent, double gamma, double *start,
                                ends *ends) {
    sb_env *env = sb_make(NULL, name, &error);
    sb_player *player = sb_player_make(agent, &error);
    double before, after = NAN, discount = 1, difference = 0;
    assert_true(env && player);
    assert_ok(sb_player_begin(player, env, &error), error);
    assert_ok(sb_costs_potential(costs, env, &before, &error), error);
    *start = before;
    while (!env->status.done) {
        sb_result result;
        assert_true(before >= -1 && before <= 0);
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
        assert_ok(sb_costs_potential(costs, env, &after, &error), error);
        difference += discount * (gamma * after - before);
        before = after, discount *= gamma;
    }
    assert_true(after == 0);
    ++*(env->status.success                         ? &ends->won
        : env->status.steps < env->status.max_steps ? &ends->lost
                                                    : &ends->out_of_steps);
    sb_player_free(player), sb_free(env);
    return difference;
}

static void progress_adds_up_to_the_return_without_the_potential_of_the_start(void **state) {
    (void)state;
    static const char *const names[] = {"KeyDoorPuzzle/medium#1", "SokobanPush/easy#2", "PreciseNavigation/hard#1",
                                        "TagHunt/easy#3",         "ToolUse/medium#1",   "TimingChallenge/medium#2"};
    sb_costs *costs = sb_costs_make("expert", &error);
    ends ends = {0};
    assert_non_null(costs);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int k = 0; k < 4; k++) {
            double start;
            const double difference = play_for_progress(costs, names[i], k / 2 ? "expert" : "random", k % 2 ? 0.99 : 1,
                                                        &start, &ends);
            if (fabs(difference + start) > 1e-9) fail_msg("%s: %.12f, not %.12f", names[i], difference, -start);
        }
    assert_true(ends.won && ends.lost && ends.out_of_steps);
    sb_costs_free(costs);
}

/* A small world, and what it is worth with `left` steps left; index left * n + node. */
typedef struct valued {
    const world *world;
    int limit;
    double *potentials, *plain, *shaped;
} valued;

static void measure_potentials(valued *v, sb_costs *costs, sb_env *copy) {
    for (int left = 1; left <= v->limit; left++)
        for (int i = 0; i < v->world->n; i++) {
            assert_ok(sb_copy(copy, v->world->nodes[i].env, &error), error);
            sb_extend(copy, v->limit);
            copy->status.steps = v->limit - left;
            assert_ok(sb_costs_potential(costs, copy, &v->potentials[left * v->world->n + i], &error), error);
        }
}

/* What an action is worth, by the values with one step less. */
static double worth(const valued *v, const double *values, bool shapes, int left, int at, int action, double gamma) {
    const node *from = &v->world->nodes[at];
    const bool ends = from->after[action] < 0 || left == 1;
    const int after = (left - 1) * v->world->n + from->after[action];
    const double progress = (ends ? 0 : gamma * v->potentials[after]) - v->potentials[left * v->world->n + at];
    return from->rewards[action] + (shapes ? progress : 0) + (ends ? 0 : gamma * values[after]);
}

/* Finds the values of a state, and compares which actions are best by the two rewards; returns how many are not. */
static int iterate(const valued *v, int left, int at, double gamma) {
    double plain[ACTIONS], shaped[ACTIONS];
    double *best_plain = &v->plain[left * v->world->n + at], *best_shaped = &v->shaped[left * v->world->n + at];
    int worse = 0;
    *best_plain = *best_shaped = -INFINITY;
    for (int a = 0; a < ACTIONS; a++) {
        plain[a] = worth(v, v->plain, false, left, at, a, gamma);
        shaped[a] = worth(v, v->shaped, true, left, at, a, gamma);
        *best_plain = fmax(*best_plain, plain[a]), *best_shaped = fmax(*best_shaped, shaped[a]);
    }
    for (int a = 0; a < ACTIONS; a++) {
        assert_int_equal(plain[a] >= *best_plain - 1e-9, shaped[a] >= *best_shaped - 1e-9);
        worse += plain[a] < *best_plain - 1e-9;
    }
    return worse;
}

static void compare_policies(const world *w, sb_costs *costs, sb_env *env) {
    const size_t n = (size_t)w->n * (size_t)(env->status.max_steps + 1) + 1;
    valued v = {w, env->status.max_steps, calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                calloc(n, sizeof(double))};
    assert_true(v.potentials && v.plain && v.shaped);
    measure_potentials(&v, costs, env);
    for (int discounts = 0; discounts < 2; discounts++) {
        int worse = 0;
        for (int left = 1; left <= v.limit; left++)
            for (int i = 0; i < w->n; i++) worse += iterate(&v, left, i, discounts ? 0.99 : 1);
        assert_true(worse > 0);
    }
    free(v.potentials), free(v.plain), free(v.shaped);
}

typedef struct search_for_small {
    sb_costs *costs;
    int found;
} search_for_small;

static void value(const char *task, size_t difficulty, void *data) {
    search_for_small *s = data;
    sb_selection selection = some(task, difficulty, 4);
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    for (size_t i = 0; i < selection.n && s->found < (TESTS_ARE_SLOW ? 3 : EPISODES); i++) {
        world w;
        sb_name name;
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &name), &error), error);
        if (!env->task || !sb_extend(env, env->status.max_steps)) break;
        if (explore(&w, env, SMALL)) compare_policies(&w, s->costs, env), s->found++;
        forget(&w);
    }
    sb_free(env);
    sb_selection_free(&selection);
}

static void progress_leaves_the_best_actions_the_best(void **state) {
    (void)state;
    search_for_small s = {.costs = sb_costs_make("expert", &error)};
    assert_non_null(s.costs);
    each_claim(value, &s);
    assert_int_equal(s.found, TESTS_ARE_SLOW ? 3 : EPISODES);
    sb_costs_free(s.costs);
}

static void a_state_is_as_far_as_its_best_action(void **state) {
    (void)state;
    static const char *const names[] = {"KeyDoorPuzzle/hard#1", "LightsOut/medium#2", "SokobanPush/medium#3"};
    sb_costs *costs = sb_costs_make("expert", &error);
    assert_non_null(costs);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_env *env = sb_make(NULL, names[i], &error);
        sb_cost found[ACTIONS], left;
        size_t n;
        assert_non_null(env);
        assert_ok(sb_costs_left(costs, env, &left, &error), error);
        assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
        assert_true(left.kind == SB_COST_EXACT && left.is_proven && left.is_best && left.action < 0);
        assert_int_equal(left.steps, least_of(found, n));
        sb_free(env);
    }
    sb_costs_free(costs);
}

/* ---- Budgets ---- */

static void what_a_cut_search_tells_is_no_proof(void **state) {
    (void)state;
    sb_env *env = sb_make(NULL, "SokobanPush/hard#1", &error);
    sb_costs *costs = sb_costs_make("expert", &error);
    sb_cost found[ACTIONS];
    size_t n;
    assert_true(env && costs);
    sb_costs_set_budget(costs, 2);
    assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
    for (size_t i = 0; i < n; i++) assert_true(found[i].kind == SB_COST_UNKNOWN && !found[i].is_proven);
    sb_costs_set_budget(costs, 0); /* the default */
    assert_ok(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), error);
    assert_string_equal(sb_cost_kind_name(found[0].kind), "exact");
    sb_costs_free(costs), sb_free(env);
}

/* ---- What is refused ---- */

static void ask_in(const char *agent, const char *name, sb_code code, const char *words) {
    sb_env *env = sb_make(NULL, name, &error);
    sb_costs *costs = sb_costs_make(agent, &error);
    sb_cost found[ACTIONS];
    size_t n;
    assert_true(env && costs);
    assert_error(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), &error, code, words);
    sb_costs_free(costs), sb_free(env);
}

static void who_cannot_tell_what_an_action_costs_says_so(void **state) {
    (void)state;
    ask_in("observer", "babyai:BossLevel#1", SB_INVALID, "`observer` is not shown everything in BossLevel");
    ask_in("clairvoyant", "GoToGoal/easy#1", SB_INVALID, "`clairvoyant` sees the future");
    ask_in("random", "GoToGoal/easy#1", SB_INVALID, "`random` does not aim at success");
    ask_in("published", "GoToGoal/easy#1", SB_UNKNOWN, "known agents: observer, expert");
    ask_in("coverage", "autumn:Seesaw#1", SB_INVALID, "nothing is won in Seesaw");
    sb_error refused;
    assert_error(sb_costs_make("a-name-that-no-oracle-would-have", &refused) != NULL, &refused, SB_UNKNOWN, "no agent");
}

/* Writes the words of a cost beside the best one. */
static void assert_words(const char *wanted, sb_cost cost, sb_cost best) {
    sb_env *env = sb_make(NULL, "KeyDoorPuzzle/easy#1", &error);
    char text[160];
    sb_out out = sb_out_fixed(text, sizeof text);
    assert_non_null(env);
    sb_put_cost_words(&out, env, &cost, &best);
    assert_true(sb_out_finish(&out) < sizeof text);
    assert_string_equal(text, wanted);
    sb_free(env);
}

static sb_cost play_of(sb_cost_kind kind, sb_action action, int steps, bool is_best) {
    return (sb_cost){.action = action,
                     .kind = kind,
                     .is_proven = kind == SB_COST_EXACT,
                     .is_best = is_best,
                     .steps = steps,
                     .success = 1,
                     .mean = steps};
}

static void a_cost_in_words_says_how_it_is_known_or_how_it_is_worse(void **state) {
    (void)state;
    const sb_cost best = play_of(SB_COST_EXACT, 1, 4, true), found = play_of(SB_COST_BOUND, 1, 4, true);
    const sb_cost likely = {.action = 2, .kind = SB_COST_ESTIMATE, .is_best = true, .success = 0.75, .mean = 6};
    assert_words("4 steps to success, proven shortest", best, best);
    assert_words("1 step to success, proven shortest", play_of(SB_COST_EXACT, 1, 1, true), best);
    assert_words("4 steps to success, not proven shortest", found, found);
    assert_words("2 steps more than move_up", play_of(SB_COST_EXACT, 0, 6, false), best);
    assert_words("1 step more than move_up, not proven", play_of(SB_COST_BOUND, 0, 5, false), found);
    assert_words("1 step more than move_up, not proven", play_of(SB_COST_EXACT, 0, 5, false), found);
    assert_words("no play that succeeds is known", (sb_cost){.kind = SB_COST_UNKNOWN}, best);
    assert_words("no play succeeds after it", (sb_cost){.kind = SB_COST_LOST, .is_proven = true}, best);
    assert_words("the play at hand succeeds too late", (sb_cost){.kind = SB_COST_LATE, .steps = 200}, best);
    assert_words("no play succeeds after it in time", (sb_cost){.kind = SB_COST_LATE, .is_proven = true}, best);
    assert_words("success in 48 of 64 futures, on average in 6.0 steps", likely, likely);
    assert_words("success in 16 of 64 futures, 48 after move_down",
                 (sb_cost){.kind = SB_COST_ESTIMATE, .success = 0.25, .mean = 5}, likely);
    assert_words("2.5 steps more on average than move_down",
                 (sb_cost){.kind = SB_COST_ESTIMATE, .success = 0.75, .mean = 8.5}, likely);
    assert_words("success in 0 of 64 futures, 48 after move_down", (sb_cost){.kind = SB_COST_ESTIMATE}, likely);
}

static void assert_regret(sb_regret_unit unit, double by, sb_cost one, sb_cost other) {
    const sb_regret regret = sb_regret_of(&one, &other);
    assert_int_equal(regret.unit, unit);
    assert_true(regret.by == by);
}

static void regret_is_in_probability_where_that_differs_and_unknown_beside_the_unknown(void **state) {
    (void)state;
    const sb_cost best = play_of(SB_COST_EXACT, 1, 4, true), unknown = {.kind = SB_COST_UNKNOWN};
    const sb_cost sure = {.kind = SB_COST_ESTIMATE, .success = 0.9, .success_error = 0.05, .mean = 9};
    const sb_cost near = {.kind = SB_COST_ESTIMATE, .success = 0.8, .success_error = 0.05, .mean = 12};
    const sb_cost far = {.kind = SB_COST_ESTIMATE, .success = 0.5, .success_error = 0.05, .mean = 3};
    assert_regret(SB_REGRET_STEPS, 0, best, best);
    assert_regret(SB_REGRET_STEPS, 3, play_of(SB_COST_EXACT, 0, 7, false), best);
    assert_regret(SB_REGRET_PROBABILITY, 1, (sb_cost){.kind = SB_COST_LOST}, best);
    assert_regret(SB_REGRET_PROBABILITY, 1, (sb_cost){.kind = SB_COST_LATE, .steps = 200}, best);
    assert_regret(SB_REGRET_STEPS, 3, near, sure);
    assert_regret(SB_REGRET_PROBABILITY, 0.4, far, sure);
    assert_regret(SB_REGRET_UNKNOWN, 0, unknown, best);
    assert_regret(SB_REGRET_UNKNOWN, 0, best, unknown);
    const sb_cost several[] = {far, near, sure, sure, unknown};
    assert_ptr_equal(sb_best_cost(several, 5), &several[2]);
}

static void an_episode_that_is_over_has_no_costs(void **state) {
    (void)state;
    sb_env *env = sb_make(NULL, "LightsOut/easy#1", &error);
    sb_costs *costs = sb_costs_make("observer", &error);
    sb_cost found[ACTIONS];
    sb_result result;
    size_t n;
    assert_true(env && costs);
    assert_ok(sb_costs_ask(costs, env, NULL, 0, &n, &error), error);
    assert_int_equal(n, ACTIONS);
    while (!env->status.done) assert_ok(sb_step(env, SB_NOOP, &result, &error), error);
    assert_error(sb_costs_ask(costs, env, found, ACTIONS, &n, &error), &error, SB_FINISHED, "the episode is over");
    sb_costs_free(costs), sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_those_of_a_search_over_all_states),
        cmocka_unit_test(a_play_that_only_lasts_long_does_not_hide_that_all_is_lost),
        cmocka_unit_test(an_action_costs_one_step_more_than_the_best_one_after_it),
        cmocka_unit_test(estimates_do_not_depend_on_the_draws_to_come),
        cmocka_unit_test(costs_of_worlds_that_draw_are_estimates),
        cmocka_unit_test(progress_adds_up_to_the_return_without_the_potential_of_the_start),
        cmocka_unit_test(progress_leaves_the_best_actions_the_best),
        cmocka_unit_test(a_state_is_as_far_as_its_best_action),
        cmocka_unit_test(what_a_cut_search_tells_is_no_proof),
        cmocka_unit_test(who_cannot_tell_what_an_action_costs_says_so),
        cmocka_unit_test(a_cost_in_words_says_how_it_is_known_or_how_it_is_worse),
        cmocka_unit_test(regret_is_in_probability_where_that_differs_and_unknown_beside_the_unknown),
        cmocka_unit_test(an_episode_that_is_over_has_no_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
