/* DynamicObstacles: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "engine/gridworld/search.h"
#include "generators/agentick/navigation/dynamic_obstacles.h"
#include "rollout/worker.h"

typedef sb_dynamic_obstacles_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_dynamic_obstacles, 30, 1392);
}

static void check_instance(const sb_episode *e) {
    static const int obstacles[SB_N_DIFFICULTIES] = {2, 3, 5, 7}, walls[SB_N_DIFFICULTIES] = {0, 3, 6, 9};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_true(v->start.x <= 2 && v->start.y <= 2);
    assert_true(v->goal.x >= e->width - 3 && v->goal.y >= e->height - 3);
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + walls[e->difficulty]);
    assert_int_equal(v->n_obstacles, obstacles[e->difficulty]);
    for (int i = 0; i < v->n_obstacles; i++) {
        assert_int_equal(sb_peek(e, v->obstacle[i])->object, SB_NPC); /* inside walls too */
        assert_true(sb_manhattan(v->obstacle[i], v->start) > 2);
    }
}

static void obstacles_start_away_from_the_agent(void **state) {
    (void)state;
    each_instance(&sb_dynamic_obstacles, 150, check_instance);
}

static void check_obstacle(const sb_episode *after, sb_xy from, sb_xy to, int heading) {
    assert_true(sb_manhattan(from, to) <= 1);
    assert_int_equal(sb_peek(after, to)->object, SB_NPC);
    if (sb_same(from, to)) return;
    assert_true(sb_same(to, sb_beside(from, sb_nswe[heading])));
    assert_true(sb_interior(after, to) && sb_peek(after, to)->terrain == SB_EMPTY);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    bool met = false;
    for (int i = 0; i < v->n_obstacles; i++) {
        check_obstacle(after, old->obstacle[i], v->obstacle[i], v->heading[i]);
        met |= sb_same(v->obstacle[i], after->agent.at);
    }
    const bool arrived = sb_same(after->agent.at, v->goal);
    assert_false(met && arrived); /* obstacles do not enter the goal */
    assert_int_equal(result->terminated, met || arrived);
    assert_true(result->reward == (met ? -1.0 : arrived ? 1.0 : 0.0));
    assert_int_equal(count_objects(after, SB_GOAL), 1);
}

static void to_end_a_step_with_an_obstacle_is_fatal_and_nothing_else(void **state) {
    (void)state;
    each_step(&sb_dynamic_obstacles, 60, check_step);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_dynamic_obstacles, difficulty, seed, NULL, &error), error);
}

/* On hard every obstacle moves in every step. The one ahead comes towards the agent, and the two trade places. */
static void places_can_be_traded_with_an_obstacle(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_HARD, 0);
    vars *v = SB_VARS(&e);
    for (int i = 0; i < sb_n_cells(&e); i++)
        if (sb_interior(&e, sb_xy_of(&e, i)) && e.cells[i].object != SB_GOAL) e.cells[i] = (sb_cell){0};
    v->n_obstacles = 1, v->obstacle[0] = sb_at(5, 4), v->heading[0] = 2; /* left */
    e.agent.at = sb_at(4, 4);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, sb_at(5, 4)) && sb_same(v->obstacle[0], sb_at(4, 4)));
    assert_false(result.terminated);
}

static void walled_in_obstacles_stay_and_draw_all_the_same(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_HARD, 0);
    vars *v = SB_VARS(&e);
    v->n_obstacles = 1, v->obstacle[0] = sb_at(6, 6);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) sb_cell_at(&e, sb_beside(sb_at(6, 6), d))->terrain = SB_WALL;
    const sb_rng rng = v->obstacle_rng;
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->obstacle[0], sb_at(6, 6)));
    assert_memory_not_equal(&rng.state, &v->obstacle_rng.state, sizeof rng.state);
}

/* ---- The observer ---- */

/* Returns whether the observer reaches the goal, with its memory or without. */
static bool observer_arrives(const char *name, bool remembers) {
    sb_error error;
    sb_result result;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(sb_player_begin_as(&player, "observer", env, &error), error);
    while (!sb_status_of(env)->done) {
        if (!remembers) assert_ok(sb_player_begin_as(&player, "observer", env, &error), error);
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    }
    const bool success = sb_status_of(env)->success;
    sb_player_clear(&player);
    sb_free(env);
    return success;
}

/* Here two obstacles meet beside the agent and part again. */
static void an_obstacle_hidden_by_another_is_not_forgotten(void **state) {
    (void)state;
    assert_true(observer_arrives("agentick:DynamicObstacles-v0/easy#161", true));
    assert_false(observer_arrives("agentick:DynamicObstacles-v0/easy#161", false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(obstacles_start_away_from_the_agent),
        cmocka_unit_test(to_end_a_step_with_an_obstacle_is_fatal_and_nothing_else),
        cmocka_unit_test(places_can_be_traded_with_an_obstacle),
        cmocka_unit_test(walled_in_obstacles_stay_and_draw_all_the_same),
        cmocka_unit_test(an_obstacle_hidden_by_another_is_not_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
