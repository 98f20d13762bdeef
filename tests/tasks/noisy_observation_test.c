/* NoisyObservation: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "engine/gridworld/search.h"
#include "generators/agentick/generalization/noisy_observation.h"

typedef sb_noisy_observation_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_noisy_observation, 30, 2105);
}

static void check_instance(const sb_episode *e) {
    static const int decoys[SB_N_DIFFICULTIES] = {3, 6, 10, 14}, walls[SB_N_DIFFICULTIES] = {3, 5, 8, 12};
    static const int distance[SB_N_DIFFICULTIES] = {1, 1, 5, 6};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_true(sb_manhattan(v->start, v->goal) >= distance[e->difficulty]);
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + walls[e->difficulty]);
    assert_int_equal(count_objects(e, SB_GOAL), 1);
    assert_int_equal(count_objects(e, SB_TARGET), decoys[e->difficulty]);
    assert_int_equal(count_objects(e, SB_NPC), e->difficulty);
    assert_int_equal(v->n_guards, e->difficulty);
    for (int i = 0; i < v->n_guards; i++) {
        assert_true(sb_manhattan(v->guard[i], v->start) > 2);
        assert_true(igraph_distance(e, open, v->start, v->guard[i]) > 0);
    }
}

static void there_is_a_way_to_the_one_goal(void **state) {
    (void)state;
    each_instance(&sb_noisy_observation, 150, check_instance);
}

static int count_ghosts(const sb_episode *e) {
    return count_objects(e, SB_SCROLL) + count_objects(e, SB_ORB) + count_objects(e, SB_LEVER) +
           count_objects(e, SB_COIN);
}

static bool keeps_straight_on(sb_xy from, sb_xy to, int heading) {
    return sb_same(from, to) || sb_same(to, sb_beside(from, sb_nswe[heading]));
}

static void check_guards(const sb_episode *before, const sb_episode *after, bool *met) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    for (int i = 0; i < v->n_guards; i++) {
        assert_int_equal(sb_peek(after, v->guard[i])->object, SB_NPC);
        assert_true(keeps_straight_on(old->guard[i], v->guard[i], old->guard_heading[i]));
        *met |= sb_same(v->guard[i], after->agent.at);
        *met |= sb_same(old->guard[i], after->agent.at); /* the agent moves first */
    }
    assert_true(count_objects(after, SB_NPC) <= v->n_guards);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    static const int ghosts[SB_N_DIFFICULTIES] = {2, 4, 6, 10};
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool arrived = sb_same(after->agent.at, v->goal);
    bool met = false;
    check_guards(before, after, &met);
    assert_int_equal(result->terminated, met || arrived);
    assert_true(result->reward == (arrived && !met ? 1.0 : 0.0));
    assert_int_equal(count_objects(after, SB_GOAL), 1);
    for (int i = 0; i < v->n_decoys; i++)
        if (i >= v->n_rovers) assert_int_equal(sb_peek(after, v->decoy[i])->object, SB_TARGET);
    for (int i = 0; i < v->n_rovers; i++) {
        assert_int_equal(sb_peek(after, v->rover[i])->object, SB_TARGET);
        assert_true(keeps_straight_on(old->rover[i], v->rover[i], old->rover_heading[i]));
    }
    assert_int_equal(count_ghosts(after), ghosts[after->difficulty]);
    assert_int_equal(v->n_ghosts, ghosts[after->difficulty]);
    if (!sb_same(before->agent.at, after->agent.at))
        assert_int_not_equal(sb_peek(before, after->agent.at)->object, SB_LEVER);
}

static void guards_kill_and_nothing_else(void **state) {
    (void)state;
    each_step(&sb_noisy_observation, 60, check_step);
}

/* ---- Single rules, in an empty room on hard: two guards, four rovers ---- */

static void start_room(sb_episode *e) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_noisy_observation, SB_HARD, 0, NULL, &error), error);
    vars *v = SB_VARS(e);
    v->n_rovers = v->n_guards = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (!sb_interior(e, sb_xy_of(e, i)) || e->cells[i].object == SB_GOAL) continue;
        e->cells[i] = (sb_cell){0};
        sb_area_add(&v->sites, sb_xy_of(e, i));
    }
    v->n_decoys = 0;
}

static sb_xy away_from_goal(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_at(5, v->goal.y < 5 ? 7 : 3);
}

static void add_guard(sb_episode *e, sb_xy at, int heading) {
    vars *v = SB_VARS(e);
    v->guard[v->n_guards] = at, v->guard_heading[v->n_guards++] = heading;
    sb_set_object(e, at, SB_NPC, 0);
}

static void add_rover(sb_episode *e, sb_xy at, int heading) {
    vars *v = SB_VARS(e);
    v->rover[v->n_rovers] = at, v->rover_heading[v->n_rovers++] = heading;
    sb_set_object(e, at, SB_TARGET, 0);
}

static void a_guard_that_moves_away_kills_who_follows_it(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start_room(&e);
    e.agent.at = away_from_goal(&e);
    add_guard(&e, sb_beside(e.agent.at, SB_EAST), 3);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(result.terminated && !result.success);
}

static void two_rovers_may_share_a_cell_and_part_again(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start_room(&e);
    const sb_xy middle = away_from_goal(&e);
    const vars *v = SB_VARS(&e);
    e.agent.at = middle; /* the agent does not stop them */
    add_rover(&e, sb_beside(middle, SB_WEST), 3);
    add_rover(&e, sb_beside(middle, SB_EAST), 2);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->rover[0], middle) && sb_same(v->rover[1], middle));
    assert_int_equal(count_objects(&e, SB_TARGET), 1);
    for (int i = 0; i < v->n_ghosts; i++) e.cells[v->ghost[i]].object = SB_NONE; /* clears their way */
    sb_episode_step(&e, SB_NOOP, &result);
    assert_int_equal(count_objects(&e, SB_TARGET), 2);
    assert_false(result.terminated);
}

static void a_ghost_stops_rovers_and_a_guard_runs_over_it(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start_room(&e);
    const sb_xy middle = away_from_goal(&e);
    vars *v = SB_VARS(&e);
    e.agent.at = sb_at(1, 9);
    add_rover(&e, sb_beside(middle, SB_WEST), 3);
    sb_set_object(&e, middle, SB_COIN, 0);
    v->ghost[v->n_ghosts++] = (uint8_t)sb_index(&e, middle);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->rover[0], sb_beside(middle, SB_WEST)));

    start_room(&e);
    e.agent.at = sb_at(1, 9);
    add_guard(&e, sb_beside(middle, SB_WEST), 3);
    sb_set_object(&e, middle, SB_LEVER, 0);
    v->n_ghosts = 1, v->ghost[0] = (uint8_t)sb_index(&e, middle);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->guard[0], middle));
    assert_int_equal(sb_peek(&e, middle)->object, SB_NPC);
    assert_int_equal(count_ghosts(&e), 6);
}

static void a_ghost_lever_is_in_the_way_for_one_step(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start_room(&e);
    vars *v = SB_VARS(&e);
    const sb_xy from = away_from_goal(&e), to = sb_beside(from, SB_EAST);
    e.agent.at = from;
    sb_set_object(&e, to, SB_LEVER, 0);
    v->n_ghosts = 1, v->ghost[0] = (uint8_t)sb_index(&e, to);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, from));
    assert_int_not_equal(sb_peek(&e, to)->object, SB_LEVER);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, to));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(there_is_a_way_to_the_one_goal),
        cmocka_unit_test(guards_kill_and_nothing_else),
        cmocka_unit_test(a_guard_that_moves_away_kills_who_follows_it),
        cmocka_unit_test(two_rovers_may_share_a_cell_and_part_again),
        cmocka_unit_test(a_ghost_stops_rovers_and_a_guard_runs_over_it),
        cmocka_unit_test(a_ghost_lever_is_in_the_way_for_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
