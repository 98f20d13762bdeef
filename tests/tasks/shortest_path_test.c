/* ShortestPath: what holds for every instance and every step, and how its expert plays. */
#include "tests/tasks/tasks.h"

#include <math.h>
#include <string.h>

#include "engine/gridworld/parts/cells.h"
#include "generators/agentick/navigation/shortest_path.h"
#include "rollout/worker.h"

enum { GOALS = SB_SHORTEST_PATH_GOALS };

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_shortest_path, 33, 5541);
}

/* ---- Instances ---- */

/* Returns the steps of the tour in the order that the digits of `code` in base n give; -1 if they do not name each goal
 * once. */
static int steps_in_order(int steps[GOALS + 1][GOALS], int n, int code) {
    int at = n, total = 0;
    for (unsigned seen = 0; seen != (1u << n) - 1; code /= n) {
        const int next = code % n;
        if (seen >> next & 1) return -1;
        seen |= 1u << next;
        total += steps[at][next];
        at = next;
    }
    return total;
}

static int shortest_tour(const sb_episode *e) {
    const sb_shortest_path_vars *v = SB_VARS(e);
    const int n = v->n_goals;
    int steps[GOALS + 1][GOALS], n_codes = 1, least = INT32_MAX;
    bool open[SB_CELLS_MAX];
    open_walkable(e, open);
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < n; k++)
            steps[i][k] = i == k ? 0 : igraph_distance(e, open, i < n ? v->goal[i] : v->start, v->goal[k]);
    for (int i = 0; i < n; i++) n_codes *= n;
    for (int code = 0; code < n_codes; code++) {
        const int total = steps_in_order(steps, n, code);
        if (total >= 0 && total < least) least = total;
    }
    return least;
}

static void check_instance(const sb_episode *e) {
    const sb_shortest_path_vars *v = SB_VARS(e);
    check_walled(e);
    assert_true(sb_same(v->start, e->agent.at));
    assert_int_equal(sb_object_here(e), SB_NONE);
    assert_int_equal(count_objects(e, SB_GOAL), e->difficulty + 2);
    assert_int_equal(count_objects(e, SB_TARGET), e->difficulty);
    for (int i = 0; i < v->n_goals; i++) assert_int_equal(sb_peek(e, v->goal[i])->object, SB_GOAL);
    for (int i = 0; i < v->n_decoys; i++) assert_int_equal(sb_peek(e, v->decoy[i])->object, SB_TARGET);
    assert_int_equal(v->optimal, shortest_tour(e));
    assert_in_range(e->task->bound(e), 1, v->optimal);
}

static void the_shortest_tour_is_the_least_over_all_orders(void **state) {
    (void)state;
    each_instance(&sb_shortest_path, 50, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_shortest_path, difficulty, seed, NULL, &error), error);
}

static void walling_the_agent_in_clears_the_room(void **state) {
    (void)state;
    static const uint64_t seeds[] = {340, 607, 880};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        sb_episode e = {0};
        start(&e, SB_EASY, seeds[i]);
        check_instance(&e);
        assert_int_equal(count_terrain(&e, SB_WALL), 24); /* the border */
    }
}

/* ---- Steps ---- */

static int nearest_goal(const sb_episode *e, sb_xy from) {
    int least = INT32_MAX;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GOAL && sb_manhattan(from, sb_xy_of(e, i)) < least)
            least = sb_manhattan(from, sb_xy_of(e, i));
    return least;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_shortest_path_vars *v = SB_VARS(after);
    const int left = count_objects(after, SB_GOAL), collected = count_objects(before, SB_GOAL) - left;
    const int trodden = count_objects(before, SB_TARGET) - count_objects(after, SB_TARGET);
    const bool is_short = v->optimal >= 0.9 * after->clock - 1e-9;
    assert_int_equal(v->n_visited, v->n_goals - left);
    assert_in_range(collected + trodden, 0, 1);
    assert_true(result->terminated == (left == 0));
    assert_true(result->success == (left == 0 && is_short));
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
    double dense = collected - 0.01 - 0.2 * trodden + result->success;
    if (left) dense += 0.05 * (nearest_goal(after, before->agent.at) - nearest_goal(after, after->agent.at));
    assert_true(fabs(result->dense - dense) < 1e-12);
}

static void goals_and_decoys_are_taken_once(void **state) {
    (void)state;
    each_step(&sb_shortest_path, 40, check_step);
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    sb_episode e = {0}, before = {0};
    sb_result result;
    start(&e, SB_EXPERT, 7);
    for (int i = 0; i < 5; i++) {
        sb_episode_copy(&before, &e);
        sb_episode_step(&e, i % 2 ? SB_NOOP : SB_INTERACT, &result);
        before.clock++; /* the key contains the clock, which decides about success */
        assert_memory_equal(&before, &e, offsetof(sb_episode, vars) + sizeof(sb_shortest_path_vars));
    }
}

/* Collects all goals after exactly this number of steps. */
static sb_result finish_in(sb_episode *e, uint64_t seed, int steps) {
    sb_result result = {0};
    start(e, SB_EASY, seed);
    const sb_shortest_path_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_goals; i++) {
        assert_false(result.terminated);
        e->clock = steps - v->n_goals + i;
        result = walk_in(e, v->goal[i]);
    }
    assert_true(result.terminated);
    assert_int_equal(e->clock, steps);
    return result;
}

/* The tour of seed 29 has nine steps, so ten are just short enough. */
static void a_ninth_more_steps_are_allowed(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_shortest_path_vars *v = SB_VARS(&e);
    const sb_result in_time = finish_in(&e, 29, 10);
    assert_int_equal(v->optimal, 9);
    assert_true(in_time.success && in_time.reward == 1.0 && in_time.dense == -0.01 + 1.0 + 1.0);
    const sb_result late = finish_in(&e, 29, 11);
    assert_true(!late.success && late.reward == 0.0 && late.dense == -0.01 + 1.0);
    assert_int_equal(sb_shortest_path.bound(&e), -1);
}

static void the_last_goal_may_be_collected_in_the_last_step(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_result result = finish_in(&e, 29, 100);
    assert_true(result.terminated && result.truncated && !result.success);
}

/* ---- The expert ---- */

static void let_expert_finish(sb_env *env) {
    sb_error error;
    sb_player player = {0};
    sb_result result;
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    while (!sb_status_of(env)->done) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    assert_true(sb_status_of(env)->success);
    sb_player_clear(&player);
}

static void the_expert_takes_a_shortest_tour(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    for (uint64_t seed = 0; seed < 50; seed++)
        for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
            sb_name name = {.family = "agentick", .task = "ShortestPath-v0", .seed = seed};
            strcpy(name.difficulty, sb_difficulty_names[difficulty]);
            assert_ok(sb_reset_name(env, &name, &error), error);
            const sb_shortest_path_vars *v = SB_VARS(sb_episode_of(env));
            const int optimal = v->optimal;
            let_expert_finish(env);
            assert_int_equal(sb_status_of(env)->steps, optimal);
        }
    sb_free(env);
}

/* The goals lie in a row, below a row of decoys with one gap. */
static void the_expert_walks_round_decoys_where_that_is_no_longer(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "ShortestPath-v0/medium#0", &error);
    assert_ok(env != NULL, error);
    sb_episode *e = (sb_episode *)(uintptr_t)sb_episode_of(env);
    sb_shortest_path_vars *v = SB_VARS(e);
    sb_clear_room(e);
    e->agent.at = sb_at(1, 1);
    for (int i = 0; i < v->n_goals; i++) {
        v->goal[i] = sb_at(3 + i, 3);
        sb_set_object(e, v->goal[i], SB_GOAL, 0);
    }
    sb_set_object(e, sb_at(1, 2), SB_TARGET, 0);
    sb_set_object(e, sb_at(2, 2), SB_TARGET, 0);
    v->optimal = 6;
    let_expert_finish(env);
    assert_int_equal(sb_status_of(env)->steps, 6);
    assert_int_equal(count_objects(e, SB_TARGET), 2);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_shortest_tour_is_the_least_over_all_orders),
        cmocka_unit_test(walling_the_agent_in_clears_the_room),
        cmocka_unit_test(goals_and_decoys_are_taken_once),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
        cmocka_unit_test(a_ninth_more_steps_are_allowed),
        cmocka_unit_test(the_last_goal_may_be_collected_in_the_last_step),
        cmocka_unit_test(the_expert_takes_a_shortest_tour),
        cmocka_unit_test(the_expert_walks_round_decoys_where_that_is_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
