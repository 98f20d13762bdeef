/* TagHunt: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/multi_agent/tag_hunt.h"

typedef sb_tag_hunt_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_tag_hunt, 30, 7709);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_tag_hunt, difficulty, seed, NULL, &error), error);
}

/* ---- Every instance ---- */

static int n_rooms, n_cleared;

static void check_instance(const sb_episode *e) {
    static const int opponents[SB_N_DIFFICULTIES] = {1, 2, 3, 4}, obstacles[SB_N_DIFFICULTIES] = {0, 3, 5, 7};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_walkable(e, open);
    assert_int_equal(v->n_live, opponents[e->difficulty]);
    assert_int_equal(count_objects(e, SB_ENEMY), v->n_live);
    assert_int_equal(count_objects(e, SB_SWITCH), 1);
    for (int i = 0; i < v->n_live; i++) {
        assert_int_equal(sb_peek(e, v->live[i])->object, SB_ENEMY);
        assert_true(sb_manhattan(v->live[i], e->agent.at) > e->width / 2);
        assert_true(igraph_distance(e, open, e->agent.at, v->live[i]) > 0);
    }
    const int walls = count_terrain(e, SB_WALL) - 4 * (e->width - 1);
    assert_true(walls == obstacles[e->difficulty] || walls == 0);
    n_rooms++, n_cleared += walls != obstacles[e->difficulty];
}

static void opponents_start_far_off_and_within_reach(void **state) {
    (void)state;
    n_rooms = n_cleared = 0;
    each_instance(&sb_tag_hunt, 150, check_instance);
    assert_in_range(n_cleared, 1, n_rooms / 50); /* few rooms lose their obstacles, and these lose all */
}

/* ---- Every step ---- */

static int n_tagged, n_frozen;

/* The list lacks those that were tagged. */
static void check_opponents(const sb_episode *after, const vars *old, bool frozen) {
    const vars *v = SB_VARS(after);
    for (int i = 0, was = 0; i < v->n_live; i++, was++) {
        if (old->n_live > v->n_live && sb_same(old->live[was], after->agent.at)) was++;
        const sb_xy to = v->live[i];
        assert_true(sb_manhattan(old->live[was], to) <= (frozen ? 0 : 1));
        assert_int_equal(sb_peek(after, to)->terrain, SB_EMPTY);
        assert_int_equal(sb_peek(after, to)->object, SB_ENEMY);
        for (int j = 0; j < i; j++) assert_false(sb_same(v->live[j], to));
    }
    assert_int_equal(count_objects(after, SB_ENEMY), v->n_live);
}

static bool stood_there(const vars *old, sb_xy p) {
    for (int i = 0; i < old->n_live; i++)
        if (sb_same(old->live[i], p)) return true;
    return false;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool moved = !sb_same(before->agent.at, after->agent.at);
    const bool tags = moved && stood_there(old, after->agent.at);
    const bool pressed = v->freeze == SB_TAG_HUNT_FREEZE - 1;
    assert_int_equal(v->n_live, old->n_live - tags);
    assert_int_equal(v->freeze, pressed ? SB_TAG_HUNT_FREEZE - 1 : old->freeze ? old->freeze - 1 : 0);
    if (pressed) assert_int_equal(count_objects(before, SB_SWITCH) - count_objects(after, SB_SWITCH), 1);
    check_opponents(after, old, pressed || old->freeze > 0);
    assert_int_equal(result->terminated, v->n_live == 0);
    assert_true(result->reward == (v->n_live == 0 ? 1.0 : 0.0));
    assert_true(sb_tag_hunt.bound(before) <=
                sb_tag_hunt.bound(after) + 1); /* with 0 at the end this shows that the bound is never too high */
    assert_true((sb_tag_hunt.bound(after) == 0) == (v->n_live == 0));
    n_tagged += tags, n_frozen += pressed || old->freeze > 0;
}

static void who_is_stepped_on_is_out_and_who_is_frozen_stays(void **state) {
    (void)state;
    n_tagged = n_frozen = 0;
    each_step(&sb_tag_hunt, 200, check_step);
    assert_true(n_tagged > 40 && n_frozen > 400);
}

/* ---- Quirks ---- */

/* Sets up an empty easy room (5 x 5 within its walls) with an opponent. */
static vars *empty_room(sb_episode *e, sb_xy agent, sb_xy opponent) {
    start(e, SB_EASY, 0);
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){0};
    v->n_live = 1, v->live[0] = opponent, e->agent.at = agent;
    sb_set_object(e, opponent, SB_ENEMY, SB_SOUTH);
    return v;
}

static void the_switch_freezes_in_its_own_step_and_the_four_that_follow(void **state) {
    (void)state;
    sb_result result;
    bool fled = false;
    for (uint64_t future = 0; future < 32; future++) {
        sb_episode e = {0};
        const vars *v = empty_room(&e, sb_at(1, 2), sb_at(3, 3));
        e.task->reseed(&e, future);
        sb_set_object(&e, sb_at(1, 1), SB_SWITCH, 0); /* the agent faces it */
        const sb_rng rng = v->flight;
        sb_episode_step(&e, SB_INTERACT, &result);
        assert_int_equal(sb_peek(&e, sb_at(1, 1))->object, SB_NONE);
        for (int i = 0; i < 4; i++) sb_episode_step(&e, SB_INTERACT, &result); /* nothing is left to press */
        assert_true(sb_same(v->live[0], sb_at(3, 3)));
        assert_memory_equal(&rng, &v->flight, sizeof rng); /* and nothing is drawn */
        sb_episode_step(&e, SB_NOOP, &result);
        fled |= !sb_same(v->live[0], sb_at(3, 3));
        assert_memory_not_equal(&rng, &v->flight, sizeof rng);
    }
    assert_true(fled);
}

static void an_opponent_on_the_switch_can_be_tagged_and_leaves_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    const vars *v = empty_room(&e, sb_at(1, 3), sb_at(3, 3));
    sb_set_object(&e, sb_at(4, 3), SB_SWITCH, 0);
    for (uint64_t future = 0; !sb_same(v->live[0], sb_at(4, 3)); future++) { /* an evading opponent goes east */
        v = empty_room(&e, sb_at(1, 3), sb_at(3, 3));
        sb_set_object(&e, sb_at(4, 3), SB_SWITCH, 0);
        e.task->reseed(&e, future);
        sb_episode_step(&e, SB_NOOP, &result);
    }
    assert_int_equal(count_objects(&e, SB_SWITCH), 0);
    e.agent.at = sb_at(3, 3);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, sb_at(4, 3)) && result.success);
    assert_int_equal(sb_peek(&e, sb_at(4, 3))->object, SB_NONE);
}

static void an_opponent_that_runs_into_the_agent_is_not_tagged(void **state) {
    (void)state;
    sb_result result;
    int met = 0;
    for (uint64_t future = 0; future < 64; future++) {
        sb_episode e = {0};
        const vars *v = empty_room(&e, sb_at(1, 1), sb_at(2, 1));
        e.task->reseed(&e, future);
        sb_episode_step(&e, SB_NOOP, &result);
        assert_false(result.terminated);
        met += sb_same(v->live[0], e.agent.at);
        assert_int_equal(v->n_live, 1);
    }
    assert_true(met > 0);
}

/* Two opponents in a corner, one behind the other, can neither evade nor wander. */
static void opponents_are_in_each_others_way(void **state) {
    (void)state;
    sb_result result;
    for (uint64_t future = 0; future < 32; future++) {
        sb_episode e = {0};
        vars *v = empty_room(&e, sb_at(4, 3), sb_at(1, 1));
        v->n_live = 2, v->live[1] = sb_at(2, 1);
        sb_set_object(&e, v->live[1], SB_ENEMY, SB_SOUTH);
        sb_cell_at(&e, sb_at(1, 2))->terrain = SB_WALL;
        e.task->reseed(&e, future);
        sb_episode_step(&e, SB_NOOP, &result);
        assert_true(sb_same(v->live[0], sb_at(1, 1))); /* it moves first */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(opponents_start_far_off_and_within_reach),
        cmocka_unit_test(who_is_stepped_on_is_out_and_who_is_frozen_stays),
        cmocka_unit_test(the_switch_freezes_in_its_own_step_and_the_four_that_follow),
        cmocka_unit_test(an_opponent_on_the_switch_can_be_tagged_and_leaves_nothing),
        cmocka_unit_test(an_opponent_that_runs_into_the_agent_is_not_tagged),
        cmocka_unit_test(opponents_are_in_each_others_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
