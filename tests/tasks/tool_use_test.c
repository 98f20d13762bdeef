/* ToolUse: what holds for every instance and every step, and that its expert takes the shortest tour. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/planning/tool_use.h"
#include "rollout/worker.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_tool_use, 30, 5880);
}

/* ---- Instances and steps ---- */

static void check_dry(const sb_episode *e, const bool *dry, const sb_xy *cells, int n, int object) {
    const sb_tool_use_vars *v = SB_VARS(e);
    for (int i = 0; i < n; i++) {
        assert_true(igraph_distance(e, dry, v->start, cells[i]) > 0);
        assert_int_equal(sb_peek(e, cells[i])->object, object);
    }
}

/* Everything but the goal can be fetched without entering water. */
static void check_instance(const sb_episode *e) {
    const sb_tool_use_vars *v = SB_VARS(e);
    bool dry[SB_CELLS_MAX], wet[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, dry);
    open_walkable(e, wet);
    assert_int_equal(v->n_scrolls, e->difficulty + 2);
    assert_int_equal(v->n_decoys, e->difficulty);
    assert_int_equal(count_objects(e, SB_NONE), sb_n_cells(e) - v->n_scrolls - v->n_decoys - 1);
    check_dry(e, dry, v->scroll, v->n_scrolls, SB_SCROLL);
    check_dry(e, dry, v->decoy, v->n_decoys, SB_COIN);
    check_dry(e, dry, &v->orb, 1, SB_NONE);
    assert_int_equal(igraph_distance(e, dry, v->start, v->goal), -1);
    assert_int_equal(igraph_distance(e, wet, v->start, v->goal), sb_tool_use.bound(e));
}

static void all_but_the_goal_lies_before_the_water(void **state) {
    (void)state;
    each_instance(&sb_tool_use, 50, check_instance);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_tool_use_vars *v = SB_VARS(after);
    const bool complete = v->n_collected == v->n_scrolls, has_orb = sb_tool_use_has_orb(&after->agent);
    assert_int_equal(count_objects(after, SB_SCROLL), v->n_scrolls - v->n_collected);
    assert_int_equal(count_objects(after, SB_ORB), complete && !has_orb);
    assert_true(complete || !has_orb);
    assert_true(count_objects(after, SB_COIN) <= count_objects(before, SB_COIN));
    assert_int_equal(count_terrain(after, SB_WATER), count_terrain(before, SB_WATER));
    assert_true(result->terminated == sb_same(after->agent.at, v->goal));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? (has_orb ? 1.0 : 0.2) : 0.0));
}

static void the_orb_is_there_once_all_scrolls_are_not(void **state) {
    (void)state;
    each_step(&sb_tool_use, 40, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_tool_use, 7, 6);
}

static void walk(sb_env *env, sb_xy by, sb_result *result) {
    sb_error error;
    for (; by.y > 0; by.y--) assert_ok(sb_step(env, SB_MOVE_DOWN, result, &error), error);
    for (; by.x > 0; by.x--) assert_ok(sb_step(env, SB_MOVE_RIGHT, result, &error), error);
}

static void the_goal_without_the_orb_is_a_poor_success(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_env *env = sb_make(NULL, "ToolUse-v0/easy#0", &error); /* the goal is at (7,6); rows 6 and 7 hold nothing else */
    assert_non_null(env);
    walk(env, sb_at(6, 5), &result);
    assert_true(result.success && result.terminated && result.reward == 0.2);
    assert_true(result.dense == -0.01 + 0.2);
    sb_free(env);
}

/* ---- The expert ---- */

enum { MAX_STOPS = SB_TOOL_USE_SCROLLS + 2 };

/* Steps between the agent (index 0), the scrolls and the orb (last index), without crossing the goal. */
typedef struct map {
    int n, steps[MAX_STOPS][MAX_STOPS];
} map;

static int shortest_tour(const map *m, int from, unsigned left) {
    if (left == 0) return m->steps[from][m->n - 1];
    int best = INT16_MAX;
    for (int to = 1; to < m->n - 1; to++) {
        if (!(left >> to & 1)) continue;
        const int length = m->steps[from][to] + shortest_tour(m, to, left & ~(1u << to));
        if (length < best) best = length;
    }
    return best;
}

/* Returns the fewest steps to the goal with the orb when no scroll is collected yet. Tries every order of the
 * scrolls. */
static int fewest_steps(const sb_episode *e) {
    const sb_tool_use_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    sb_xy stops[MAX_STOPS] = {e->agent.at};
    map m = {.n = v->n_scrolls + 2};
    memcpy(stops + 1, v->scroll, sizeof *stops * (size_t)v->n_scrolls);
    stops[m.n - 1] = v->orb;
    open_walkable(e, open);
    const int last_leg = igraph_distance(e, open, v->orb, v->goal);
    open[sb_index(e, v->goal)] = false;
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.n; j++) m.steps[i][j] = igraph_distance(e, open, stops[i], stops[j]);
    return shortest_tour(&m, 0, (1u << (m.n - 1)) - 2) + last_leg;
}

static void assert_expert_takes_fewest_steps(sb_env *env) {
    sb_error error;
    sb_player player = {0};
    sb_result result = {0};
    int steps = fewest_steps(sb_episode_of(env));
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    for (; !sb_status_of(env)->done; steps--)
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    assert_int_equal(steps, 0);
    assert_true(result.success && result.reward == 1.0);
    sb_player_clear(&player);
}

static void the_expert_takes_the_fewest_steps_to_the_full_reward(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    for (uint64_t seed = 0; seed < 10; seed++)
        for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
            sb_name name = {.family = "agentick", .task = "ToolUse-v0", .seed = seed};
            strcpy(name.difficulty, sb_difficulty_names[difficulty]);
            assert_ok(sb_reset_name(env, &name, &error), error);
            assert_expert_takes_fewest_steps(env);
        }
    sb_free(env);
}

/* The agent is put below the goal, with a scroll straight above the goal. */
static void the_expert_shuns_the_goal_until_it_has_the_orb(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_env *env = sb_make(NULL, "ToolUse-v0/easy#0",
                          &error); /* the goal is at (7,6), a scroll at (7,3), none in column 1 */
    assert_non_null(env);
    walk(env, sb_at(6, 6), &result);
    assert_true(sb_agent_position(env).x == 7 && sb_agent_position(env).y == 7);
    assert_expert_takes_fewest_steps(env);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(all_but_the_goal_lies_before_the_water),
        cmocka_unit_test(the_orb_is_there_once_all_scrolls_are_not),
        cmocka_unit_test(interacting_changes_nothing),
        cmocka_unit_test(the_goal_without_the_orb_is_a_poor_success),
        cmocka_unit_test(the_expert_takes_the_fewest_steps_to_the_full_reward),
        cmocka_unit_test(the_expert_shuns_the_goal_until_it_has_the_orb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
