/* ChaseEvade: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "generators/agentick/multi_agent/chase_evade.h"

typedef sb_chase_evade_vars vars;
typedef sb_chase_evade_hunt hunt;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_chase_evade, 30, 1503);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_chase_evade, difficulty, seed, NULL, &error), error);
}

/* ---- Instances ---- */

static int inner_walls(const sb_episode *e) { return count_terrain(e, SB_WALL) - 4 * (e->width - 1); }

static void check_enemies(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    unsigned minds = 0;
    bool open[SB_CELLS_MAX];
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < v->hunt.n; i++) {
        const sb_xy p = v->hunt.enemy[i];
        assert_int_equal(sb_peek(e, p)->object, SB_ENEMY);
        assert_int_equal(sb_peek(e, p)->metadata, v->hunt.behaviour[i]);
        assert_true(sb_manhattan(p, e->agent.at) > e->width / 2);
        assert_true(igraph_distance(e, open, e->agent.at, p) > 0);
        if (i > 0) assert_true(sb_index(e, v->hunt.enemy[i - 1]) < sb_index(e, p)); /* the order in which they move */
        minds |= 1U << v->hunt.behaviour[i];
    }
    assert_int_equal(minds, (2U << (e->difficulty + 1)) - 2); /* one of each */
}

static void check_instance(const sb_episode *e) {
    static const int walls[SB_N_DIFFICULTIES] = {0, 3, 5, 8}, switches[SB_N_DIFFICULTIES] = {1, 1, 1, 2};
    const vars *v = SB_VARS(e);
    check_walled(e);
    assert_true(sb_same(e->agent.at, sb_at(e->width / 2, e->height / 2)));
    assert_true(inner_walls(e) == walls[e->difficulty] || inner_walls(e) == 0);
    assert_int_equal(v->hunt.n, e->difficulty + 1);
    assert_int_equal(count_objects(e, SB_ENEMY), v->hunt.n);
    assert_int_equal(count_objects(e, SB_SWITCH), switches[e->difficulty]);
    check_enemies(e);
}

static void enemies_of_every_mind_start_far_off_and_can_reach_the_agent(void **state) {
    (void)state;
    each_instance(&sb_chase_evade, 150, check_instance);
}

/* Seed 55 is the first on medium that walls an enemy in. */
static void all_walls_go_where_one_enemy_is_walled_in(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_MEDIUM, 55);
    assert_int_equal(inner_walls(&e), 0);
    check_instance(&e);
}

/* ---- Ways ---- */

/* Compares the ways to a target with those of the engine's breadth-first search. */
static void check_ways_to(const sb_episode *e, sb_xy target) {
    const vars *v = SB_VARS(e);
    sb_open open;
    sb_reach reach;
    sb_open_walkable(&open, e);
    sb_reach_from(&reach, e, &open, target, sb_nesw);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy from = sb_xy_of(e, i);
        unsigned nearer = 0;
        if (!sb_interior(e, from) || sb_same(from, target)) continue;
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE && reach.parent[i] >= 0; d++) {
            const int j = sb_index(e, sb_beside(from, d));
            nearer |= (unsigned)(reach.parent[j] >= 0 && reach.distance[j] < reach.distance[i]) << d;
        }
        assert_int_equal(sb_chase_evade_nearer(&v->floor, e->width, from, target), nearer);
    }
}

static void check_ways(const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) check_ways_to(e, sb_xy_of(e, i));
}

static void enemies_know_the_shortest_ways_to_cells_and_to_walls(void **state) {
    (void)state;
    each_instance(&sb_chase_evade, 4, check_ways);
}

/* ---- Steps ---- */

static bool was_entered(const sb_episode *before, const sb_episode *after) {
    return !sb_same(before->agent.at, after->agent.at) && sb_peek(before, after->agent.at)->object == SB_ENEMY;
}

static void check_hunt(const sb_episode *before, const sb_episode *after) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    assert_int_equal(count_objects(after, SB_ENEMY), v->hunt.n);
    assert_true(count_objects(after, SB_SWITCH) <= count_objects(before, SB_SWITCH));
    for (int i = 0; i < v->hunt.n; i++) {
        assert_int_equal(sb_peek(after, v->hunt.enemy[i])->metadata, v->hunt.behaviour[i]);
        if (v->hunt.n < old->hunt.n) continue; /* the later ones have moved up in the list */
        assert_int_equal(v->hunt.behaviour[i], old->hunt.behaviour[i]);
        assert_true(sb_manhattan(v->hunt.enemy[i], old->hunt.enemy[i]) <= 1);
    }
}

/* A lone chaser gets nearer with every step. */
static void check_chaser(const sb_episode *before, const sb_episode *after) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    bool open[SB_CELLS_MAX];
    if (sb_has_lost(after) || v->hunt.n > 1) return;
    open_terrain(after, SB_EMPTY, open);
    const int distance = igraph_distance(after, open, after->agent.at, old->hunt.enemy[0]);
    assert_int_equal(igraph_distance(after, open, after->agent.at, v->hunt.enemy[0]), distance - 1);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool met = v->hunt.n < old->hunt.n || was_entered(before, after);
    const bool survived = !met && after->clock == sb_chase_evade_survival(after);
    assert_int_equal(sb_has_lost(after), met);
    assert_int_equal(result->terminated, met || survived);
    assert_int_equal(result->success, survived);
    assert_true(result->reward == (met ? -1.0 : survived ? 1.0 : 0.0));
    assert_true(met ? result->dense == -1.0 : result->dense >= 0.02);
    check_hunt(before, after);
    check_chaser(before, after);
}

static void to_meet_an_enemy_is_the_end(void **state) {
    (void)state;
    each_step(&sb_chase_evade, 100, check_step);
}

/* ---- Quirks ---- */

/* Sets up an empty room with one enemy. */
static void stage(sb_episode *e, sb_xy agent, int behaviour, sb_xy enemy) {
    start(e, SB_HARD, 0);
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){0};
    sb_area_walkable(&v->floor, e);
    e->agent.at = agent;
    v->hunt = (hunt){.n = 1, .behaviour = {(uint8_t)behaviour}, .enemy = {enemy}, .agent = agent, .heading = SB_SOUTH};
    sb_set_object(e, enemy, SB_ENEMY, behaviour);
}

static void build_wall(sb_episode *e, sb_xy p) {
    vars *v = SB_VARS(e);
    sb_cell_at(e, p)->terrain = SB_WALL;
    sb_area_set(&v->floor, p, false);
}

static sb_result act(sb_episode *e, sb_action action) {
    sb_result result;
    sb_episode_step(e, action, &result);
    return result;
}

static void assert_enemy_at(const sb_episode *e, int x, int y) {
    const vars *v = SB_VARS(e);
    assert_int_equal(v->hunt.n, 1);
    assert_int_equal(v->hunt.enemy[0].x, x);
    assert_int_equal(v->hunt.enemy[0].y, y);
    assert_int_equal(sb_peek(e, sb_at(x, y))->object, SB_ENEMY);
}

static void switches_stop_the_agent_and_nothing_else(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(2, 5), SB_CHASER, sb_at(11, 5));
    sb_set_object(&e, sb_at(3, 5), SB_SWITCH, 0);
    act(&e, SB_MOVE_RIGHT);
    assert_true(sb_same(e.agent.at, sb_at(2, 5)));
    act(&e, SB_INTERACT);
    assert_enemy_at(&e, 9, 5); /* it is not frozen */
    assert_int_equal(sb_peek(&e, sb_at(3, 5))->object, SB_SWITCH);
}

static void enemies_trample_switches(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(2, 5), SB_CHASER, sb_at(10, 5));
    sb_set_object(&e, sb_at(9, 5), SB_SWITCH, 0);
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 9, 5);
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 8, 5);
    assert_int_equal(sb_peek(&e, sb_at(9, 5))->object, SB_NONE);
}

static void an_enemy_steps_into_the_wall_that_it_aims_at_and_out_again(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(7, 9), SB_AMBUSHER, sb_at(3, 8));
    build_wall(&e, sb_at(3, 9));
    ((vars *)SB_VARS(&e))->hunt.heading = SB_WEST;
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 3, 9);
    assert_int_equal(sb_peek(&e, sb_at(3, 9))->terrain, SB_WALL);
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 4, 9);
}

static void a_walled_in_enemy_moves_only_to_be_nearer_as_the_crow_walks(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(9, 9), SB_CHASER, sb_at(1, 1));
    build_wall(&e, sb_at(3, 1)), build_wall(&e, sb_at(2, 2)), build_wall(&e, sb_at(1, 2));
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 2, 1);
    act(&e, SB_NOOP);
    assert_enemy_at(&e, 2, 1);
}

/* The agent is at (6,6). The way that the ambusher takes shows what it takes for the agent's heading. */
static void bumping_into_things_is_no_heading(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(6, 6), SB_AMBUSHER, sb_at(6, 1));
    build_wall(&e, sb_at(6, 5));
    ((vars *)SB_VARS(&e))->hunt.heading = SB_WEST;
    act(&e, SB_MOVE_UP);
    assert_int_equal(e.agent.facing, SB_NORTH);
    assert_enemy_at(&e, 5, 1); /* on the way to (2,6), not to (6,2) */
}

static void walking_into_an_enemy_is_being_caught_though_it_may_move_on(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(6, 6), SB_CHASER, sb_at(7, 6));
    assert_true(act(&e, SB_MOVE_RIGHT).reward == -1.0);
    assert_int_equal(((vars *)SB_VARS(&e))->hunt.n, 0);
    assert_int_equal(sb_object_here(&e), SB_NONE);

    stage(&e, sb_at(6, 6), SB_TRAPPER, sb_at(7, 6));
    assert_true(act(&e, SB_MOVE_RIGHT).reward == -1.0);
    assert_enemy_at(&e, 7, 5); /* the first of the agent's neighbours */
}

static void to_be_caught_in_the_last_step_is_to_fail(void **state) {
    (void)state;
    sb_episode e = {0};
    stage(&e, sb_at(6, 6), SB_CHASER, sb_at(7, 6));
    e.clock = 79;
    const sb_result caught = act(&e, SB_NOOP);
    assert_true(caught.terminated && !caught.success && caught.reward == -1.0 && caught.dense == -1.0);

    stage(&e, sb_at(6, 6), SB_CHASER, sb_at(8, 6));
    e.clock = 79;
    const sb_result survived = act(&e, SB_NOOP);
    assert_true(survived.success && survived.reward == 1.0 && survived.dense == 0.01 + 0.01 * 1 + 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(enemies_of_every_mind_start_far_off_and_can_reach_the_agent),
        cmocka_unit_test(all_walls_go_where_one_enemy_is_walled_in),
        cmocka_unit_test(enemies_know_the_shortest_ways_to_cells_and_to_walls),
        cmocka_unit_test(to_meet_an_enemy_is_the_end),
        cmocka_unit_test(switches_stop_the_agent_and_nothing_else),
        cmocka_unit_test(enemies_trample_switches),
        cmocka_unit_test(an_enemy_steps_into_the_wall_that_it_aims_at_and_out_again),
        cmocka_unit_test(a_walled_in_enemy_moves_only_to_be_nearer_as_the_crow_walks),
        cmocka_unit_test(bumping_into_things_is_no_heading),
        cmocka_unit_test(walking_into_an_enemy_is_being_caught_though_it_may_move_on),
        cmocka_unit_test(to_be_caught_in_the_last_step_is_to_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
