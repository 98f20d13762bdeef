/* Compares the search and the tours of the oracles with brute force, and with each other. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/search/distances.h"
#include "base/search/search.h"
#include "base/search/tour.h"
#include "oracles/copies.h"
#include "seedbed/gridworld.h"
#include "seeds/rng.h"

enum { N = 60, EDGES = 240, STATES = 64 };

/* ---- Shortest paths in random graphs ---- */

typedef struct graph {
    int from[EDGES], to[EDGES], cost[EDGES], n_edges, goal;
    int left[N]; /* cost to the goal, by Floyd and Warshall's algorithm; -1: no path */
} graph;

static void measure(graph *g) {
    enum { FAR = 1 << 20 };
    static int d[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) d[i][j] = i == j ? 0 : FAR;
    for (int k = 0; k < g->n_edges; k++)
        if (g->cost[k] < d[g->from[k]][g->to[k]]) d[g->from[k]][g->to[k]] = g->cost[k];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    for (int i = 0; i < N; i++) g->left[i] = d[i][g->goal] < FAR ? d[i][g->goal] : -1;
}

static void draw_graph(graph *g, sb_rng *rng, int n_edges, int dearest) {
    g->n_edges = n_edges;
    for (int k = 0; k < n_edges; k++) {
        g->from[k] = (int)sb_integers(rng, 0, N), g->to[k] = (int)sb_integers(rng, 0, N);
        g->cost[k] = (int)sb_integers(rng, 1, dearest + 1);
    }
    g->goal = (int)sb_integers(rng, 1, N);
    measure(g);
}

static void expand(void *context, const void *state, sb_search *search) {
    const graph *g = context;
    int32_t at;
    memcpy(&at, state, sizeof at);
    for (int k = 0; k < g->n_edges; k++) {
        const int32_t to = g->to[k];
        if (g->from[k] == at) sb_search_add(search, &to, (uint32_t)k, g->cost[k], to == g->goal);
    }
}

static int exact_bound(void *context, const void *state) {
    int32_t at;
    memcpy(&at, state, sizeof at);
    return ((const graph *)context)->left[at];
}

/* Returns a bound that is admissible but not consistent, so states are found again at lower cost after they were
 * expanded. */
static int uneven_bound(void *context, const void *state) {
    int32_t at;
    memcpy(&at, state, sizeof at);
    const int left = ((const graph *)context)->left[at];
    return at % 3 ? left / 2 : left;
}

static void assert_plan(const graph *g, const void *memory) {
    uint32_t moves[STATES];
    const int n = sb_search_plan(memory, moves, STATES);
    int at = 0, cost = 0;
    for (int i = 0; i < n; i++) {
        assert_int_equal(g->from[moves[i]], at);
        at = g->to[moves[i]], cost += g->cost[moves[i]];
    }
    assert_int_equal(at, g->goal);
    assert_int_equal(cost, sb_search_cost(memory));
}

static void finds_the_cheapest_path_in_random_graphs(void **state) {
    (void)state;
    int (*const bounds[])(void *, const void *) = {NULL, exact_bound, uneven_bound};
    void *memory = calloc(1, SB_SEARCH_SIZE(4, STATES)); /* reused for every search */
    graph g;
    sb_rng rng;
    int solved = 0;
    sb_rng_seed(&rng, 1, NULL);
    for (int round = 0; round < 600; round++) {
        draw_graph(&g, &rng, round % 2 ? EDGES : 70, round % 3 ? 9 : 1);
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            const sb_problem problem = {
                .state_size = 4, .expand = expand, .bound = bounds[b], .context = &g, .max_cost = 1000};
            sb_budget budget = {.limit = 100000};
            const int32_t start = 0;
            const sb_verdict verdict = sb_search_run(memory, STATES, &problem, &start, &budget);
            assert_int_equal(verdict, g.left[0] < 0 ? SB_IMPOSSIBLE : SB_SOLVED);
            if (verdict != SB_SOLVED) continue;
            assert_int_equal(sb_search_cost(memory), g.left[0]);
            assert_plan(&g, memory);
            solved++;
        }
    }
    assert_true(solved > 600 && solved < 1800);
    free(memory);
}

static void expand_all(void *context, const void *state, sb_distances *distances) {
    const graph *g = context;
    int32_t at;
    memcpy(&at, state, sizeof at);
    for (int k = 0; k < g->n_edges; k++) {
        const int32_t to = g->to[k];
        if (g->from[k] == at) sb_distances_add(distances, &to, (uint8_t)k, to == g->goal);
    }
}

/* From every state that can be reached, the plan is the one that a search finds there. */
static void check_distances(const graph *g, const void *distances, void *search) {
    const sb_problem problem = {.state_size = 4, .expand = expand, .context = (void *)(uintptr_t)g, .max_cost = 1000};
    for (int32_t at = 0; at < N; at++) {
        uint32_t index = sb_distances_find(distances, &at), moves[STATES];
        sb_budget budget = {.limit = 100000};
        if (index == UINT32_MAX) continue;
        if (sb_search_run(search, STATES, &problem, &at, &budget) != SB_SOLVED) {
            assert_int_equal(sb_distances_from(distances, index), SB_NO_WAY);
            continue;
        }
        const int n = sb_search_plan(search, moves, STATES);
        assert_int_equal(sb_distances_from(distances, index), n);
        for (int i = 0; i < n; i++) assert_int_equal(sb_distances_next(distances, &index), moves[i]);
        assert_int_equal(index, UINT32_MAX);
    }
}

static void distances_give_the_plan_of_a_search_from_every_state(void **state) {
    (void)state;
    void *memory = malloc(SB_DISTANCES_SIZE(4, STATES, EDGES)), *search = calloc(1, SB_SEARCH_SIZE(4, STATES));
    graph g;
    sb_rng rng;
    sb_rng_seed(&rng, 3, NULL);
    for (int round = 0; round < 100; round++) {
        const int32_t start = 0;
        sb_budget budget = {.limit = 100000};
        draw_graph(&g, &rng, round % 2 ? EDGES : 70, 1);
        const sb_distances_of of = {
            .state_size = 4, .n_states = STATES, .n_moves = EDGES, .expand = expand_all, .context = &g};
        assert_true(sb_distances_make(memory, &of, &start, &budget));
        check_distances(&g, memory, search);
    }
    free(memory), free(search);
}

static void expand_line_all(void *context, const void *state, sb_distances *distances) {
    int32_t at;
    memcpy(&at, state, sizeof at);
    at++;
    sb_distances_add(distances, &at, 1, at == *(const int32_t *)context);
}

static bool measure_line(int32_t goal, uint32_t room, uint64_t limit, int *distance) {
    const sb_distances_of of = {
        .state_size = 4, .n_states = room, .n_moves = 1, .expand = expand_line_all, .context = &goal};
    void *memory = malloc(SB_DISTANCES_SIZE(4, room, 1));
    const int32_t start = 0;
    sb_budget budget = {.limit = limit};
    const bool ok = sb_distances_make(memory, &of, &start, &budget);
    *distance = ok ? sb_distances_from(memory, sb_distances_find(memory, &start)) : -1;
    free(memory);
    return ok;
}

static void distances_say_when_they_do_not_fit(void **state) {
    (void)state;
    int distance;
    assert_true(measure_line(100, 100, 100, &distance));
    assert_int_equal(distance, 100);
    assert_false(measure_line(100, 99, 100, &distance)); /* room */
    assert_false(measure_line(100, 100, 99, &distance)); /* budget */
    assert_true(measure_line(SB_NO_WAY - 1, SB_NO_WAY, 100000, &distance));
    assert_int_equal(distance, SB_NO_WAY - 1);
    assert_false(measure_line(SB_NO_WAY, SB_NO_WAY, 100000, &distance)); /* sixteen bits */
}

/* The graphs are sparse, because without a table every path is walked. */
static void deepening_gives_the_same_answers_with_little_memory(void **state) {
    (void)state;
    enum { ROOM = 200 };
    void *memory = calloc(1, SB_SEARCH_SIZE(4, ROOM));
    graph g;
    sb_rng rng;
    int solved = 0;
    sb_rng_seed(&rng, 5, NULL);
    for (int round = 0; round < 300; round++) {
        draw_graph(&g, &rng, 75, 1 + round % 4);
        const sb_problem problem = {
            .state_size = 4, .expand = expand, .bound = uneven_bound, .context = &g, .max_cost = 200};
        sb_budget budget = {.limit = 10000000};
        const int32_t start = 0;
        const sb_verdict verdict = sb_search_deepen(memory, ROOM, &problem, &start, &budget);
        assert_int_equal(verdict, g.left[0] < 0 ? SB_IMPOSSIBLE : SB_SOLVED);
        if (verdict != SB_SOLVED) continue;
        assert_int_equal(sb_search_cost(memory), g.left[0]);
        assert_plan(&g, memory);
        solved++;
    }
    assert_true(solved > 20 && solved < 280);
    free(memory);
}

static void weighted_searches_find_a_path_if_there_is_one(void **state) {
    (void)state;
    void *memory = calloc(1, SB_SEARCH_SIZE(4, STATES));
    graph g;
    sb_rng rng;
    sb_rng_seed(&rng, 2, NULL);
    for (int round = 0; round < 200; round++) {
        draw_graph(&g, &rng, 120, 9);
        const sb_problem problem = {.state_size = 4,
                                    .expand = expand,
                                    .bound = uneven_bound,
                                    .context = &g,
                                    .weight = 1 + round % 5,
                                    .max_cost = 500};
        sb_budget budget = {.limit = 100000};
        const int32_t start = 0;
        const sb_verdict verdict = sb_search_run(memory, STATES, &problem, &start, &budget);
        assert_int_equal(verdict, g.left[0] < 0 ? SB_IMPOSSIBLE : SB_SOLVED);
        if (verdict == SB_SOLVED) assert_plan(&g, memory);
    }
    free(memory);
}

/* Expands a straight line of states. */
static void expand_line(void *context, const void *state, sb_search *search) {
    const int *goal = context;
    int32_t at;
    memcpy(&at, state, sizeof at);
    at++;
    sb_search_add(search, &at, 7, 1, at == *goal);
}

static sb_verdict search_line(int goal, uint32_t room, uint64_t budget_limit, int max_cost) {
    void *memory = calloc(1, SB_SEARCH_SIZE(4, room));
    const sb_problem problem = {.state_size = 4, .expand = expand_line, .context = &goal, .max_cost = max_cost};
    sb_budget budget = {.limit = budget_limit};
    const int32_t start = 0;
    const sb_verdict verdict = sb_search_run(memory, room, &problem, &start, &budget);
    assert_true(budget.spent <= budget.limit);
    free(memory);
    return verdict;
}

static void tells_out_of_reach_from_out_of_budget(void **state) {
    (void)state;
    assert_int_equal(search_line(100, 200, 1000, 100), SB_SOLVED);
    assert_int_equal(search_line(100, 200, 1000, 99), SB_IMPOSSIBLE); /* limit of steps */
    assert_int_equal(search_line(100, 200, 99, 100), SB_NOT_FOUND);   /* limit of states */
    assert_int_equal(search_line(100, 100, 1000, 100), SB_NOT_FOUND); /* limit of the table */
    assert_int_equal(search_line(100, 101, 1000, 100), SB_SOLVED);
}

/* ---- Memory that grows ---- */

enum { MANY = 200000, FOUND = 60000, LONGEST = 200 };

/* Two ways on from every state, of different costs. */
static void expand_many(void *context, const void *state, sb_search *search) {
    const int32_t *goal = context;
    int32_t at;
    memcpy(&at, state, sizeof at);
    const int32_t next[] = {(int32_t)((3 * (int64_t)at + 1) % MANY), (int32_t)((7 * (int64_t)at + 5) % MANY)};
    for (uint32_t i = 0; i < 2; i++) sb_search_add(search, &next[i], i, 1 + at % 3, next[i] == *goal);
    assert_memory_equal(&at, state, sizeof at); /* although nodes moved */
}

static int some_bound(void *context, const void *state) {
    (void)context;
    return *(const uint8_t *)state % 2;
}

typedef struct found {
    sb_verdict verdict;
    sb_budget budget;
    int cost, n;
    uint32_t moves[LONGEST];
} found;

static void search_many(void *memory, int32_t goal, bool is_bounded, found *f) {
    const sb_problem problem = {.state_size = 4,
                                .expand = expand_many,
                                .bound = is_bounded ? some_bound : NULL,
                                .context = &goal,
                                .max_cost = 1000};
    memset(f, 0, sizeof *f);
    f->budget.limit = 180000;
    f->verdict = sb_search_run(memory, FOUND, &problem, &(int32_t){2}, &f->budget);
    if (f->verdict != SB_SOLVED) return;
    f->cost = sb_search_cost(memory);
    f->n = sb_search_plan(memory, f->moves, LONGEST);
}

static void memory_that_grows_gives_the_same_searches(void **state) {
    (void)state;
    static found expected, f;
    void *fixed = calloc(1, SB_SEARCH_SIZE(4, FOUND));
    void *growing = sb_search_new(4, FOUND);
    int verdicts[SB_IMPOSSIBLE + 1] = {0};
    for (int32_t goal = 1; goal < MANY; goal += goal < 40 ? 1 : 9973) {
        search_many(fixed, goal, goal % 2, &expected);
        verdicts[expected.verdict]++;
        search_many(growing, goal, goal % 2, &f);
        assert_memory_equal(&f, &expected, sizeof f);
    }
    assert_true(verdicts[SB_SOLVED] > 20 && verdicts[SB_NOT_FOUND] > 20);
    sb_search_free(fixed), sb_search_free(growing);
}

/* ---- Tours ---- */

enum { SMALL = 6 };

static int brute_force(const sb_tour *t, unsigned visited, int at) {
    int best = SB_TOUR_NO_WAY;
    const unsigned all = (1u << t->n_stops) - 1;
    if (visited == all) return 0;
    for (int pose = 1; pose < t->n_poses; pose++) {
        const int stop = t->stop_of[pose];
        if (visited >> stop & 1 || t->cost[at][pose] >= SB_TOUR_NO_WAY) continue;
        if (stop == t->last && (visited | 1u << stop) != all) continue;
        const int cost = t->cost[at][pose] + brute_force(t, visited | 1u << stop, pose);
        if (cost < best) best = cost;
    }
    return best;
}

static void draw_tour(sb_tour *t, sb_rng *rng, int n_stops, int poses_each, bool gaps) {
    t->n_stops = n_stops;
    t->last = sb_integers(rng, 0, 2) ? -1 : (int)sb_integers(rng, 0, n_stops);
    t->n_poses = 1 + n_stops * poses_each;
    for (int pose = 1; pose < t->n_poses; pose++) t->stop_of[pose] = (int8_t)((pose - 1) / poses_each);
    for (int i = 0; i < t->n_poses; i++)
        for (int j = 0; j < t->n_poses; j++) {
            const bool gap = gaps && sb_integers(rng, 0, 3) == 0;
            t->cost[i][j] = gap ? SB_TOUR_NO_WAY : (int16_t)sb_integers(rng, 0, 50);
        }
}

/* Asserts that the route visits every stop once, the last stop at the end, and has this cost. */
static void assert_route(const sb_tour *t, const int *route, int cost) {
    uint64_t visited = 0;
    int at = 0, sum = 0;
    for (int i = 0; i < t->n_stops; i++) {
        sum += t->cost[at][route[i]];
        at = route[i];
        assert_false(visited >> t->stop_of[at] & 1);
        visited |= UINT64_C(1) << t->stop_of[at];
    }
    assert_int_equal(sum, cost);
    if (t->last >= 0) assert_int_equal(t->stop_of[at], t->last);
}

static void small_tours_are_the_cheapest(void **state) {
    (void)state;
    static sb_tour t;
    sb_rng rng;
    int route[SB_TOUR_STOPS];
    sb_rng_seed(&rng, 3, NULL);
    for (int round = 0; round < 400; round++) {
        draw_tour(&t, &rng, 1 + round % SMALL, 1 + round % 3, round % 4 == 0);
        const int cost = sb_tour_solve(&t, route), best = brute_force(&t, 0, 0);
        assert_int_equal(cost, best < SB_TOUR_NO_WAY ? best : -1);
        if (cost >= 0) assert_route(&t, route, cost);
    }
}

/* On a line the best tour, there and back, is known. */
static void large_tours_are_good(void **state) {
    (void)state;
    static sb_tour t;
    sb_rng rng;
    int route[SB_TOUR_STOPS], place[SB_TOUR_POSES];
    sb_rng_seed(&rng, 4, NULL);
    for (int round = 0; round < 20; round++) {
        t.n_stops = 12 + round, t.last = -1, t.n_poses = 1 + t.n_stops;
        int right = 0;
        for (int pose = 0; pose < t.n_poses; pose++) {
            place[pose] = pose ? (int)sb_integers(&rng, 1, 1000) : 0;
            if (place[pose] > right) right = place[pose];
            t.stop_of[pose] = (int8_t)(pose - 1);
        }
        for (int i = 0; i < t.n_poses; i++)
            for (int j = 0; j < t.n_poses; j++) t.cost[i][j] = (int16_t)abs(place[i] - place[j]);
        const int cost = sb_tour_solve(&t, route);
        assert_route(&t, route, cost);
        assert_int_equal(cost, right);
    }
}

/* Returns what the stops cost in this order, if every stop has one pose. */
static int cost_in_order(const sb_tour *t, const int *order) {
    int cost = 0;
    for (int i = 0, at = 0; i < t->n_stops; at = order[i++]) cost += t->cost[at][order[i]];
    return cost;
}

static void reverse(int *order, int i, int j) {
    for (; i < j; i++, j--) {
        const int pose = order[i];
        order[i] = order[j], order[j] = pose;
    }
}

/* Moves the piece that begins at i before place k of the rest. */
static void move(int *order, int n, int i, int size, int k) {
    int rest[SB_TOUR_STOPS], piece[SB_TOUR_STOPS], m = 0;
    for (int a = 0; a < size; a++) piece[a] = order[i + a];
    for (int a = 0; a < n; a++)
        if (a < i || a >= i + size) rest[m++] = order[a];
    for (int a = 0; a < n; a++) order[a] = a < k ? rest[a] : a < k + size ? piece[a - k] : rest[a - size];
}

static void assert_not_cheaper(const sb_tour *t, const int *changed, int cost) {
    assert_true(cost_in_order(t, changed) >= cost);
}

/* A large tour is one that no reversal of a piece and no move of a piece of up to three stops makes cheaper; a last
 * stop stays the last. */
static void large_tours_cannot_be_improved_by_small_changes(void **state) {
    (void)state;
    static sb_tour t;
    sb_rng rng;
    int route[SB_TOUR_STOPS], changed[SB_TOUR_STOPS];
    sb_rng_seed(&rng, 6, NULL);
    for (int round = 0; round < (TESTS_ARE_SLOW ? 3 : 40); round++) {
        draw_tour(&t, &rng, SB_TOUR_EXACT + 2 + round % 3, 1, false);
        for (int i = 0; i < t.n_poses && round % 2; i++) /* in every second tour, the way back costs the same */
            for (int j = 0; j < i; j++) t.cost[i][j] = t.cost[j][i];
        const int cost = sb_tour_solve(&t, route), n = t.last < 0 ? t.n_stops : t.n_stops - 1;
        assert_route(&t, route, cost);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                memcpy(changed, route, sizeof changed);
                reverse(changed, i, j);
                assert_not_cheaper(&t, changed, cost);
            }
        for (int size = 1; size <= 3; size++)
            for (int i = 0; i + size <= n; i++)
                for (int k = 0; k + size <= n; k++) {
                    memcpy(changed, route, sizeof changed);
                    move(changed, n, i, size, k);
                    assert_not_cheaper(&t, changed, cost);
                }
    }
}

/* ---- Copies ---- */

static sb_verdict judge(sb_copies *copies, const sb_env *env) {
    sb_error error;
    sb_budget budget = {.limit = 100000};
    sb_verdict verdict;
    assert_ok(sb_copies_search(copies, env, &budget, &verdict, &error), error);
    return verdict;
}

/* Plays the plan in a copy and asserts that it succeeds with its last action and not before; returns its length. */
static int play(const sb_copies *copies, const sb_env *env) {
    sb_error error;
    sb_action actions[256];
    sb_env *copy = sb_clone(env, &error);
    const int n = sb_copies_plan(copies, actions, 256);
    assert_non_null(copy);
    for (int k = 0; k < n; k++) {
        sb_result result;
        assert_ok(sb_step(copy, actions[k], &result, &error), error);
        assert_int_equal(result.success, k == n - 1);
    }
    sb_free(copy);
    return n;
}

static void copies_find_the_fewest_steps_in_any_family(void **state) {
    (void)state;
    static const char *const names[] = {"toy:Pile-v1#1", "toy:Hunt-v1#2", "GoToGoal-v0/easy#0",
                                        "KeyDoorPuzzle-v0/easy#42"};
    sb_error error;
    sb_copies copies;
    assert_ok(sb_copies_open(&copies, 1 << 17, &error), error);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_env *env = sb_make(NULL, names[i], &error);
        assert_non_null(env);
        assert_int_equal(judge(&copies, env), SB_SOLVED);
        assert_true(play(&copies, env) > 0);
        sb_free(env);
    }
    sb_copies_close(&copies);
}

/* With exactly the fewest steps left an episode can be solved, with one step less it cannot. */
static void copies_prove_what_the_step_limit_forbids(void **state) {
    (void)state;
    sb_error error;
    sb_copies copies;
    sb_env *env = sb_make(NULL, "KeyDoorPuzzle-v0/easy#42", &error);
    assert_ok(sb_copies_open(&copies, 1 << 17, &error), error);
    assert_int_equal(judge(&copies, env), SB_SOLVED);
    const int fewest = play(&copies, env);
    while (env->status.max_steps - env->status.steps > fewest) {
        sb_result result;
        assert_ok(sb_step(env, SB_NOOP, &result, &error), error);
    }
    assert_int_equal(judge(&copies, env), SB_SOLVED);
    assert_int_equal(play(&copies, env), fewest);
    sb_result result;
    assert_ok(sb_step(env, SB_NOOP, &result, &error), error);
    assert_int_equal(judge(&copies, env), SB_IMPOSSIBLE);
    sb_free(env);
    sb_copies_close(&copies);
}

/* Without the bound, looking at states gives the same verdict. */
static void copies_without_the_bound_give_the_same_verdict(void **state) {
    (void)state;
    static const struct {
        const char *name;
        sb_verdict verdict;
    } episodes[] = {{"SokobanPush-v0/easy#3", SB_SOLVED},
                    {"SwitchCircuit-v0/easy#791442774", SB_IMPOSSIBLE},
                    {"DistributionShift-v0/easy#1753692445", SB_IMPOSSIBLE}};
    sb_error error;
    sb_copies copies;
    assert_ok(sb_copies_open(&copies, 1 << 17, &error), error);
    for (size_t i = 0; i < sizeof episodes / sizeof *episodes; i++) {
        sb_env *env = sb_make(NULL, episodes[i].name, &error);
        assert_non_null(env);
        copies.distrusts_bound = false;
        assert_int_equal(judge(&copies, env), episodes[i].verdict);
        const int fewest = episodes[i].verdict == SB_SOLVED ? play(&copies, env) : 0;
        copies.distrusts_bound = true;
        assert_int_equal(judge(&copies, env), episodes[i].verdict);
        if (fewest) assert_int_equal(play(&copies, env), fewest);
        sb_free(env);
    }
    sb_copies_close(&copies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_without_the_bound_give_the_same_verdict),
        cmocka_unit_test(finds_the_cheapest_path_in_random_graphs),
        cmocka_unit_test(distances_give_the_plan_of_a_search_from_every_state),
        cmocka_unit_test(distances_say_when_they_do_not_fit),
        cmocka_unit_test(deepening_gives_the_same_answers_with_little_memory),
        cmocka_unit_test(weighted_searches_find_a_path_if_there_is_one),
        cmocka_unit_test(tells_out_of_reach_from_out_of_budget),
        cmocka_unit_test(memory_that_grows_gives_the_same_searches),
        cmocka_unit_test(small_tours_are_the_cheapest),
        cmocka_unit_test(large_tours_are_good),
        cmocka_unit_test(large_tours_cannot_be_improved_by_small_changes),
        cmocka_unit_test(copies_find_the_fewest_steps_in_any_family),
        cmocka_unit_test(copies_prove_what_the_step_limit_forbids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
