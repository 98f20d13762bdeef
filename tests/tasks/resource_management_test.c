/* ResourceManagement: what holds for every instance and every step, and that its expert survives. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/planning/resource_management.h"
#include "rollout/worker.h"

enum { FULL = SB_RESOURCE_MANAGEMENT_FULL };

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_resource_management, 30, 10776);
}

static void check_instance(const sb_episode *e) {
    static const int obstacles[SB_N_DIFFICULTIES] = {0, 3, 5, 7};
    const sb_resource_management_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(v->n_stations, e->difficulty + 2);
    assert_int_equal(count_objects(e, SB_RESOURCE), v->n_stations);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    for (int i = 0; i < v->n_stations; i++) {
        assert_true(igraph_distance(e, open, v->start, v->station[i]) > 0);
        assert_int_equal(sb_peek(e, v->station[i])->metadata, FULL);
        for (int j = 0; j < i; j++) assert_true(sb_manhattan(v->station[i], v->station[j]) >= 3);
    }
}

static void stations_lie_apart_and_within_reach(void **state) {
    (void)state;
    each_instance(&sb_resource_management, 60, check_instance);
}

/* Entering comes first, then the drain. Standing on a station does not count as entering. */
static void check_level(const sb_episode *before, const sb_episode *after, int i) {
    const sb_resource_management_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool enters = !sb_same(before->agent.at, after->agent.at) && sb_same(after->agent.at, v->station[i]);
    const bool drains = after->clock % sb_resource_management_interval(after) == 0;
    int level = enters ? FULL : old->level[i];
    if (drains) level -= sb_resource_management_amounts(after)[i];
    assert_int_equal(v->level[i], level > 0 ? level : 0);
    assert_int_equal(sb_peek(after, v->station[i])->metadata, v->level[i]);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_resource_management_vars *v = SB_VARS(after);
    bool dry = false;
    for (int i = 0; i < v->n_stations; i++) {
        check_level(before, after, i);
        dry |= v->level[i] == 0;
    }
    assert_int_equal(count_objects(after, SB_RESOURCE), v->n_stations);
    assert_true(result->terminated == dry);
    assert_true(result->success == (result->truncated && !dry));
    assert_true(result->reward == (dry ? -1.0 : 0.0));
}

static void levels_fall_at_drains_and_rise_by_entering(void **state) {
    (void)state;
    each_step(&sb_resource_management, 40, check_step);
}

static void start(sb_episode *e, sb_difficulty difficulty) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_resource_management, difficulty, 0, NULL, &error), error);
}

/* Takes random steps and then waits, again and again. While the agent waits it enters nothing. */
static void levels_are_foreseen(void **state) {
    (void)state;
    enum { MOVES = 6, WAITS = 12 };
    sb_rng rng;
    sb_rng_seed(&rng, 3, NULL);
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        sb_result result = {0};
        int foreseen[SB_RESOURCE_MANAGEMENT_STATIONS][WAITS];
        start(&e, (sb_difficulty)difficulty);
        const sb_resource_management_vars *v = SB_VARS(&e);
        for (int step = 0; !result.terminated && !result.truncated; step++) {
            const int waited = step % (MOVES + WAITS) - MOVES;
            for (int i = 0; waited == 0 && i < v->n_stations; i++)
                for (int k = 0; k < WAITS; k++) foreseen[i][k] = sb_resource_management_level_in(&e, i, k + 1);
            for (int i = 0; waited >= 0 && i < v->n_stations; i++) assert_int_equal(v->level[i], foreseen[i][waited]);
            sb_episode_step(&e, waited < 0 ? (sb_action)sb_integers(&rng, SB_MOVE_UP, SB_INTERACT) : SB_NOOP, &result);
        }
    }
}

static void doing_nothing_wins_the_easier_half(void **state) {
    (void)state;
    static const int lasts[SB_N_DIFFICULTIES] = {100, 180, 34 * 3, 34 * 2}; /* 34 drains of 3 are too many */
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        sb_result result = {0};
        start(&e, (sb_difficulty)difficulty);
        while (!result.terminated && !result.truncated) sb_episode_step(&e, SB_NOOP, &result);
        assert_int_equal(e.clock, lasts[difficulty]);
        assert_true(result.success == (difficulty <= SB_MEDIUM));
    }
}

static void running_dry_in_the_last_step_is_failure(void **state) {
    (void)state;
    for (int32_t level = 1; level <= 2; level++) {
        sb_episode e = {0};
        sb_result result;
        start(&e, SB_HARD);
        sb_resource_management_vars *v = SB_VARS(&e);
        v->level[0] = level, e.clock = e.max_steps - 1;
        sb_episode_step(&e, SB_NOOP, &result);
        assert_true(result.truncated);
        assert_true(result.terminated == (level == 1));
        assert_true(result.success == (level == 2));
    }
}

/* ---- The expert ---- */

static bool watch_levels(void *lowest, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    (void)action, (void)result, (void)error;
    const sb_resource_management_vars *v = SB_VARS(sb_episode_of(env));
    for (int i = 0; i < v->n_stations; i++)
        if (v->level[i] < *(int *)lowest) *(int *)lowest = v->level[i];
    return true;
}

static void the_expert_keeps_levels_high(void **state) {
    (void)state;
    static const int least[SB_N_DIFFICULTIES] = {97, 86, 50,
                                                 15}; /* the lowest level at any time in any of these episodes */
    sb_error error;
    sb_worker worker = {0};
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            sb_name name = {.family = "agentick", .task = "ResourceManagement-v0", .seed = seed};
            int lowest = FULL;
            strcpy(name.difficulty, sb_difficulty_names[difficulty]);
            assert_ok(sb_worker_play(&worker, "expert", &name, watch_levels, &lowest, &error), error);
            assert_true(worker.tape.outcome.success);
            assert_true(lowest >= least[difficulty]);
        }
    sb_worker_free(&worker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(stations_lie_apart_and_within_reach),
        cmocka_unit_test(levels_fall_at_drains_and_rise_by_entering),
        cmocka_unit_test(levels_are_foreseen),
        cmocka_unit_test(doing_nothing_wins_the_easier_half),
        cmocka_unit_test(running_dry_in_the_last_step_is_failure),
        cmocka_unit_test(the_expert_keeps_levels_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
