/* TaskInterference: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/tell.h"
#include "generators/agentick/reasoning/task_interference.h"
#include "rollout/worker.h"

typedef sb_task_interference_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_task_interference, 30, 7128);
}

/* ---- Instances ---- */

static const int gems[SB_N_DIFFICULTIES] = {5, 6, 8, 10};

/* The lists agree with the grid. */
static void check_items(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    assert_int_equal(count_objects(e, SB_GEM), v->n_gems);
    assert_int_equal(count_objects(e, SB_ORB), v->n_items - v->n_gems);
    for (int i = 0; i < v->n_items; i++) {
        assert_int_equal(sb_peek(e, v->item[i])->object, i < v->n_gems ? SB_GEM : SB_ORB);
        assert_int_equal(sb_peek(e, v->item[i])->metadata, i < v->n_gems ? 1 : 2);
        assert_int_equal(sb_peek(e, v->item[i])->terrain, SB_EMPTY);
    }
    assert_int_equal(sb_object_here(e), SB_NONE);
}

static void check_instance(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    check_walled(e);
    check_items(e);
    assert_int_equal(v->n_gems, gems[e->difficulty]);
    assert_int_equal(v->n_items, 2 * v->n_gems);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1));
}

static void an_open_room_holds_as_many_gems_as_orbs(void **state) {
    (void)state;
    each_instance(&sb_task_interference, 200, check_instance);
}

/* ---- Steps ---- */

static int fled(const vars *old, const vars *v) {
    int n = 0;
    for (int i = 0; i < v->n_items; i++) {
        const int way = sb_manhattan(old->item[i], v->item[i]);
        assert_in_range(way, 0, 1);
        n += way;
    }
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const int object = sb_peek(before, after->agent.at)->object;
    check_items(after);
    assert_int_equal(old->n_items - v->n_items, object != SB_NONE);
    assert_int_equal(old->n_gems - v->n_gems, object == SB_GEM);
    assert_true(v->gem_meter >= 0 && v->gem_meter <= 1 && v->orb_meter >= 0 && v->orb_meter <= 1);
    if (object != SB_GEM) assert_true(v->gem_meter <= old->gem_meter);
    if (object != SB_ORB) assert_true(v->orb_meter <= old->orb_meter);
    if (object == SB_NONE) {
        const int n = fled(old, v);
        if (after->clock % 3 != 0 || after->difficulty == SB_EASY) assert_int_equal(n, 0);
    }
    assert_true(result->terminated == (v->n_items == 0));
    if (result->success) assert_true(result->terminated && v->gem_meter >= 0.5 && v->orb_meter >= 0.5);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void what_is_entered_is_collected_and_items_move_on_third_steps_only(void **state) {
    (void)state;
    each_step(&sb_task_interference, 20, check_step);
}

/* ---- What observations say ---- */

static void check_told_meter(const sb_told_row *r, int object, double meter) {
    assert_int_equal(r[0].what, SB_TOLD_METER);
    assert_int_equal(r[1].what, SB_TOLD_METER_REST);
    assert_true(r[0].which == object && r[1].which == object);
    assert_true(abs(r[1].value) < 2000); /* about 20 additions, each off by 32 units at most */
    assert_true(r[0].value / 100.0 + ldexp(r[1].value, -59) == meter);
}

static int n_rests;

static void check_told(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    (void)before, (void)result;
    const vars *v = SB_VARS(after);
    sb_told told;
    sb_tell_task(after, &told);
    check_told_meter(&told.rows[0], SB_GEM, v->gem_meter);
    check_told_meter(&told.rows[2], SB_ORB, v->orb_meter);
    n_rests += told.rows[1].value != 0;
}

/* This includes a meter drained to 1.4e-17, which cannot be told from 0 by units in the last place. */
static void meters_are_told_to_the_last_bit(void **state) {
    (void)state;
    n_rests = 0;
    each_step(&sb_task_interference, TESTS_ARE_SLOW ? 20 : 200, check_told);
    assert_true(n_rests > 100);
    sb_told told = {0};
    double gem = 0.25, orb = 0;
    for (int i = 0; i < 5; i++) sb_task_interference_collect(&orb, &gem, 0.05);
    assert_true(gem > 0 && gem < 1e-16);
    sb_tell_meter(&told, SB_GEM, gem);
    check_told_meter(told.rows, SB_GEM, gem);
}

/* ---- Quirks ---- */

static void start(sb_episode *e, sb_difficulty difficulty, sb_draw_log *log) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_task_interference, difficulty, 7, log, &error), error);
}

/* Leaves one item, a gem or an orb, and puts it and the agent on these cells. */
static void leave_one(sb_episode *e, bool is_gem, sb_xy item, sb_xy agent) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_items; i++) sb_set_object(e, v->item[i], SB_NONE, 0);
    v->n_gems = is_gem, v->n_items = 1, v->item[0] = item;
    e->agent.at = agent;
    sb_set_object(e, item, is_gem ? SB_GEM : SB_ORB, is_gem ? 1 : 2);
}

/* Returns where an orb is after it has fled from the agent. */
static sb_xy flight(sb_xy item, sb_xy agent) {
    sb_episode e = {0};
    sb_result result;
    const vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, NULL);
    leave_one(&e, false, item, agent);
    for (int i = 0; i < 3; i++) sb_episode_step(&e, SB_NOOP, &result);
    return v->item[0];
}

static void assert_flight(sb_xy item, sb_xy agent, sb_xy to) { assert_true(sb_same(flight(item, agent), to)); }

static void items_flee_sideways_along_a_wall_or_even_toward_the_agent(void **state) {
    (void)state;
    assert_flight(sb_at(5, 5), sb_at(5, 3), sb_at(5, 6));
    assert_flight(sb_at(5, 9), sb_at(5, 3), sb_at(6, 9)); /* in its column: east before west */
    assert_flight(sb_at(9, 9), sb_at(9, 3), sb_at(8, 9)); /* a corner: one of the last two is free */
    assert_flight(sb_at(9, 5), sb_at(3, 5), sb_at(8, 5)); /* in the same row: towards the agent before aside */
    assert_flight(sb_at(1, 5), sb_at(3, 5), sb_at(2, 5));
}

/* With a log the draws are written out; without one a shorter form makes them. */
static void flights_are_the_same_with_and_without_a_log(void **state) {
    (void)state;
    for (int difficulty = SB_EASY; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_draw_log log = {.text = sb_out_growing()};
        sb_episode logged = {0}, plain = {0};
        sb_result result;
        sb_draw_log_begin(&log, 7);
        start(&logged, (sb_difficulty)difficulty, &log);
        start(&plain, (sb_difficulty)difficulty, NULL);
        for (int i = 0; i < 90; i++) {
            sb_episode_step(&logged, SB_MOVE_UP + i / 5 % 4, &result);
            sb_episode_step(&plain, SB_MOVE_UP + i / 5 % 4, &result);
            assert_memory_equal(logged.cells, plain.cells, sizeof plain.cells);
        }
        sb_out_free(&log.text);
    }
}

/* Collects the last item, a gem, with this orb meter. */
static sb_result collect_last(double orb_meter) {
    sb_episode e = {0};
    vars *v = SB_VARS(&e);
    sb_result result;
    start(&e, SB_EXPERT, NULL);
    leave_one(&e, true, sb_at(5, 4), sb_at(5, 5));
    v->gem_meter = 0.9, v->orb_meter = orb_meter;
    sb_episode_step(&e, SB_MOVE_UP, &result);
    assert_true(v->gem_meter == 1.0);
    assert_true(result.terminated);
    return result;
}

static void the_last_item_ends_the_episode_whatever_the_meters_say(void **state) {
    (void)state;
    const sb_result well = collect_last(0.75), badly = collect_last(0.5);
    assert_true(well.success && well.reward == 1.0);
    assert_false(badly.success);
    assert_true(badly.reward == 0.0);
    assert_true(well.dense == -0.01 + 0.3 - 0.05 + 1.0);
    assert_true(badly.dense == -0.01 + 0.3 - 0.05);
}

static int count_bits(unsigned bits) {
    int n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
}

/* Collects in every order (bit i: item i is a gem). Returns how many orders fail. */
static int bad_orders(int n_gems, double drain) {
    int bad = 0;
    for (unsigned order = 0; order < 1u << (2 * n_gems); order++) {
        double gem_meter = 0, orb_meter = 0;
        if (count_bits(order) != n_gems) continue;
        for (int i = 0; i < 2 * n_gems; i++)
            if (order >> i & 1)
                sb_task_interference_collect(&gem_meter, &orb_meter, drain);
            else
                sb_task_interference_collect(&orb_meter, &gem_meter, drain);
        bad += !sb_task_interference_suffices(gem_meter, orb_meter);
    }
    return bad;
}

/* The expert relies on this for easy and medium. */
static void any_order_ends_well_on_easy_and_medium_but_not_on_hard(void **state) {
    (void)state;
    assert_int_equal(bad_orders(5, 0.05), 0);
    assert_int_equal(bad_orders(6, 0.08), 0);
    assert_true(bad_orders(8, 0.10) > 0);
}

/* ---- The observer ---- */

/* It watches how items flee, which nearly always reveals their order. */
static void the_observer_chases_as_the_expert_does(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_player observer = {0}, expert = {0};
    char name[SB_NAME_MAX];
    int n = 0, n_equal = 0;
    for (int difficulty = SB_EASY; difficulty <= SB_EXPERT; difficulty++)
        for (int seed = 0; seed < 5; seed++) {
            snprintf(name, sizeof name, "agentick:TaskInterference-v0/%s#%d", sb_difficulty_names[difficulty], seed);
            sb_env *env = sb_make(NULL, name, &error);
            assert_ok(sb_player_begin_as(&observer, "observer", env, &error), error);
            assert_ok(sb_player_begin_as(&expert, "expert", env, &error), error);
            for (; !sb_status_of(env)->done; n++) {
                const sb_action action = sb_player_act(&observer, env);
                n_equal += action == sb_player_act(&expert, env);
                assert_ok(sb_step(env, action, &result, &error), error);
            }
            assert_true(sb_status_of(env)->success);
            sb_free(env);
        }
    assert_true(100 * n_equal > 98 * n);
    sb_player_clear(&observer), sb_player_clear(&expert);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(an_open_room_holds_as_many_gems_as_orbs),
        cmocka_unit_test(what_is_entered_is_collected_and_items_move_on_third_steps_only),
        cmocka_unit_test(meters_are_told_to_the_last_bit),
        cmocka_unit_test(items_flee_sideways_along_a_wall_or_even_toward_the_agent),
        cmocka_unit_test(flights_are_the_same_with_and_without_a_log),
        cmocka_unit_test(the_last_item_ends_the_episode_whatever_the_meters_say),
        cmocka_unit_test(any_order_ends_well_on_easy_and_medium_but_not_on_hard),
        cmocka_unit_test(the_observer_chases_as_the_expert_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
