/* BacktrackPuzzle: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/planning/backtrack_puzzle.h"

enum { ON = SB_SWITCH_ON };

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_backtrack_puzzle, 31, 5764);
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_in_range(v->n_switches, 1, e->difficulty + 1);
    assert_int_equal(count_objects(e, SB_SWITCH), v->n_switches);
    assert_int_equal(count_objects(e, SB_GOAL), 0);
    assert_int_equal(sb_peek(e, v->gate)->terrain, SB_WALL);
    assert_int_equal(sb_manhattan(v->gate, v->goal), 1);
    for (int i = 0; i < v->n_switches; i++) {
        assert_int_equal(sb_peek(e, v->at[i])->object, SB_SWITCH);
        assert_int_equal(sb_peek(e, v->at[i])->metadata, 0);
        assert_true(igraph_distance(e, open, v->start, v->at[i]) > 0); /* with the gate closed */
        assert_false(sb_same(v->at[i], v->goal));
    }
    open[sb_index(e, v->gate)] = true;
    const int to_goal = igraph_distance(e, open, v->start, v->goal);
    assert_int_equal(igraph_distance(e, open, v->start, v->gate), to_goal - 1);
}

static void switches_can_be_reached_and_the_gate_is_on_the_way_to_the_goal(void **state) {
    (void)state;
    each_instance(&sb_backtrack_puzzle, 100, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_backtrack_puzzle, difficulty, seed, NULL, &error), error);
}

/* Only the tee has room for a switch; if 15 attempts draw other layouts, the fallback is used. */
static void easy_has_just_two_instances(void **state) {
    (void)state;
    uint8_t tee[32], fallback[32], digest[32];
    sb_episode e = {0};
    int n_fallbacks = 0;
    start(&e, SB_EASY, 0);
    sb_episode_digest(&e, tee);
    start(&e, SB_EASY, 677);
    sb_episode_digest(&e, fallback);
    assert_true(sb_same(e.agent.at, sb_at(1, 4)));
    for (uint64_t seed = 0; seed < 1000; seed++) {
        start(&e, SB_EASY, seed);
        sb_episode_digest(&e, digest);
        if (memcmp(digest, tee, 32) == 0) continue;
        assert_memory_equal(digest, fallback, 32);
        n_fallbacks++;
    }
    assert_in_range(n_fallbacks, 1, 10);
}

/* Seed 7674 is the first on medium that needs the fallback. It has one switch, and its goal is not behind the gate. */
static void the_fallback_has_a_way_round_the_gate(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_backtrack_puzzle_vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX] = {false};
    start(&e, SB_MEDIUM, 7674);
    check_instance(&e);
    open_terrain(&e, SB_EMPTY, open);
    assert_int_equal(v->n_switches, 1);
    assert_true(igraph_distance(&e, open, v->start, v->goal) > 0);
}

/* ---- Steps ---- */

static int count_on(const sb_episode *e) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].object == SB_SWITCH && e->cells[i].metadata == ON;
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_backtrack_puzzle_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool all = v->n_activated == v->n_switches;
    assert_int_equal(v->n_activated, count_on(after));
    assert_in_range(v->n_activated - old->n_activated, 0, 1);
    if (v->n_activated > old->n_activated) assert_true(sb_same(before->agent.at, after->agent.at));
    assert_int_equal(sb_peek(after, v->gate)->terrain, all ? SB_EMPTY : SB_WALL);
    assert_int_equal(sb_peek(after, v->goal)->object, all ? SB_GOAL : SB_NONE);
    assert_true(sb_object_here(after) != SB_SWITCH || sb_peek(after, after->agent.at)->metadata == ON);
    assert_true(result->terminated == (all && sb_same(after->agent.at, v->goal)));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void the_gate_opens_and_the_goal_appears_with_the_last_switch(void **state) {
    (void)state;
    each_step(&sb_backtrack_puzzle, 40, check_step);
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_backtrack_puzzle, 7, 5);
}

/* Puts the agent beside a switch, on the given side, facing it, and acts. */
static sb_result act_beside(sb_episode *e, sb_xy target, sb_direction side, sb_action action) {
    sb_result result;
    e->agent.at = sb_beside(target, side);
    e->agent.facing = (uint8_t)((side + 2) % 4);
    sb_episode_step(e, action, &result);
    return result;
}

static void only_an_activated_switch_can_be_entered(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_backtrack_puzzle_vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 0);
    act_beside(&e, v->at[0], SB_WEST, SB_MOVE_RIGHT);
    assert_true(sb_same(e.agent.at, sb_beside(v->at[0], SB_WEST)));
    act_beside(&e, v->at[0], SB_WEST, SB_INTERACT);
    act_beside(&e, v->at[0], SB_WEST, SB_MOVE_RIGHT);
    assert_true(sb_same(e.agent.at, v->at[0]));
}

static void a_switch_is_activated_and_the_first_rewarded_once(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_backtrack_puzzle_vars *v = SB_VARS(&e);
    uint64_t once[2], twice[2];
    start(&e, SB_EXPERT, 0);
    assert_true(act_beside(&e, v->at[0], SB_WEST, SB_INTERACT).dense == -0.01 + 0.3);
    sb_episode_key(&e, once);
    assert_true(act_beside(&e, v->at[0], SB_WEST, SB_INTERACT).dense == -0.01);
    sb_episode_key(&e, twice);
    assert_memory_equal(once, twice, sizeof once);
    assert_true(act_beside(&e, v->at[1], SB_WEST, SB_INTERACT).dense == -0.01);
    assert_int_equal(v->n_activated, 2);
}

/* Seed 38449 is the first on expert with a switch beside the goal's cell, which is plain floor until all switches are
 * on. */
static void activating_the_last_switch_from_the_goal_cell_succeeds_at_once(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_backtrack_puzzle_vars *v = SB_VARS(&e);
    sb_direction side = SB_NOWHERE;
    int last = -1;
    start(&e, SB_EXPERT, 38449);
    for (int i = 0; i < v->n_switches; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
            if (sb_same(sb_beside(v->at[i], d), v->goal)) last = i, side = d;
    assert_in_range(last, 0, v->n_switches - 1);
    for (int i = 0; i < v->n_switches; i++)
        if (i != last) assert_false(act_beside(&e, v->at[i], SB_NORTH, SB_INTERACT).terminated);
    const sb_result result = act_beside(&e, v->at[last], side, SB_INTERACT);
    assert_true(result.terminated && result.success && result.reward == 1.0);
    assert_true(result.dense == -0.01 + 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(switches_can_be_reached_and_the_gate_is_on_the_way_to_the_goal),
        cmocka_unit_test(easy_has_just_two_instances),
        cmocka_unit_test(the_fallback_has_a_way_round_the_gate),
        cmocka_unit_test(the_gate_opens_and_the_goal_appears_with_the_last_switch),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
        cmocka_unit_test(only_an_activated_switch_can_be_entered),
        cmocka_unit_test(a_switch_is_activated_and_the_first_rewarded_once),
        cmocka_unit_test(activating_the_last_switch_from_the_goal_cell_succeeds_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
