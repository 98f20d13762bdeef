/* GoToGoal: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdio.h>

#include "generators/agentick/navigation/go_to_goal.h"
#include "rollout/worker.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_go_to_goal, 34, 2499);
}

static void check_instance(const sb_episode *e) {
    const sb_go_to_goal_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, SB_EMPTY, open); /* hazards count as closed, so this is a safe way */
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    for (int i = 0; i < v->n_guards; i++) {
        assert_int_equal(sb_peek(e, v->guard[i])->object, SB_NPC);
        assert_true(sb_manhattan(v->guard[i], v->start) > 2);
    }
}

static void always_has_a_safe_way(void **state) {
    (void)state;
    each_instance(&sb_go_to_goal, 150, check_instance);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_go_to_goal_vars *old = SB_VARS(before), *v = SB_VARS(after);
    for (int i = 0; i < v->n_guards; i++) {
        const sb_cell *post = sb_peek(after, v->guard[i]);
        assert_int_equal(post->terrain, SB_EMPTY);
        assert_int_equal(post->object, SB_NPC);
        assert_true(sb_manhattan(old->guard[i], v->guard[i]) <= 1);
        if (sb_same(v->guard[i], after->agent.at)) assert_true(result->terminated && !result->success);
    }
    assert_true(count_objects(after, SB_NPC) <= v->n_guards);
    assert_int_equal(count_objects(after, SB_GOAL), 1);
    assert_true(count_objects(after, SB_TARGET) <= count_objects(before, SB_TARGET)); /* guards erase decoys */
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
    if (result->terminated && !result->success) assert_true(result->dense == -1.0);
}

static void guards_keep_to_their_rules(void **state) {
    (void)state;
    each_step(&sb_go_to_goal, 40, check_step);
}

/* ---- The observer ---- */

/* Then every guard has shown its heading. */
static bool all_have_moved(const sb_go_to_goal_vars *old, const sb_go_to_goal_vars *v) {
    for (int i = 0; i < v->n_guards; i++)
        if (sb_same(old->guard[i], v->guard[i])) return false;
    return v->n_guards > 0;
}

/* Returns the number of steps before which all guards had just moved. */
static int compare_agents(const char *name, bool *success) {
    sb_error error;
    sb_result result;
    int n = 0;
    sb_env *env = sb_make(NULL, name, &error);
    const sb_go_to_goal_vars *v = SB_VARS(sb_episode_of(env));
    sb_go_to_goal_vars old = *v;
    sb_player observer = {0}, expert = {0};
    assert_ok(sb_player_begin_as(&observer, "observer", env, &error), error);
    assert_ok(sb_player_begin_as(&expert, "expert", env, &error), error);
    while (!sb_status_of(env)->done) {
        const sb_action action = sb_player_act(&observer, env), informed = sb_player_act(&expert, env);
        if (all_have_moved(&old, v)) {
            assert_int_equal(action, informed);
            n++;
        }
        old = *v;
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    *success = sb_status_of(env)->success;
    sb_player_clear(&observer), sb_player_clear(&expert);
    sb_free(env);
    return n;
}

static void guards_that_move_tell_the_observer_all_that_the_expert_knows(void **state) {
    (void)state;
    char name[SB_NAME_MAX];
    int n = 0;
    for (int difficulty = SB_EASY; difficulty <= SB_EXPERT; difficulty++)
        for (int seed = 0; seed < 10; seed++) {
            bool success;
            snprintf(name, sizeof name, "agentick:GoToGoal-v0/%s#%d", sb_difficulty_names[difficulty], seed);
            n += compare_agents(name, &success);
            assert_true(success);
        }
    assert_true(n > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(always_has_a_safe_way),
        cmocka_unit_test(guards_keep_to_their_rules),
        cmocka_unit_test(guards_that_move_tell_the_observer_all_that_the_expert_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
