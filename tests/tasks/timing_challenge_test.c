/* TimingChallenge: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdio.h>

#include "generators/agentick/navigation/timing_challenge.h"
#include "rollout/worker.h"

typedef sb_timing_challenge_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_timing_challenge, 30, 2804);
}

static void check_instance(const sb_episode *e) {
    static const int gaps[SB_N_DIFFICULTIES] = {1, 1, 2, 2}, blockers[SB_N_DIFFICULTIES] = {1, 2, 4, 6};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(v->n_gaps, gaps[e->difficulty]);
    assert_int_equal(v->n_blockers, blockers[e->difficulty]);
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    for (int i = 0; i < v->n_gaps; i++) open[sb_index(e, sb_at(v->gap[i], v->row))] = false;
    assert_int_equal(igraph_distance(e, open, v->start, v->goal), -1); /* the only ways lead through gaps */
    for (int i = 0; i < v->n_blockers; i++) {
        const sb_blocker *b = &v->blocker[i];
        assert_true(b->first >= 1 && b->first <= b->x && b->x <= b->last && b->last <= e->width - 2);
        assert_true(SB_TIMING_CHALLENGE_CYCLE % b->period == 0);
    }
}

static void the_gaps_are_the_only_way(void **state) {
    (void)state;
    each_instance(&sb_timing_challenge, 200, check_instance);
}

/* Returns whether the blocker ended its move on the agent. */
static bool check_blocker(const sb_episode *after, const sb_blocker *old, const sb_blocker *b) {
    const vars *v = SB_VARS(after);
    const bool moves = after->clock % b->period == 0;
    assert_int_equal(old->x != b->x, moves); /* no pause at the ends */
    assert_true(b->x - old->x <= 1 && old->x - b->x <= 1);
    assert_true(b->first <= b->x && b->x <= b->last);
    return moves && sb_same(after->agent.at, sb_at(b->x, v->row));
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    bool hit = false;
    for (int i = 0; i < v->n_blockers; i++) hit |= check_blocker(after, &old->blocker[i], &v->blocker[i]);
    assert_int_equal(sb_has_lost(after), hit);
    assert_int_equal(result->terminated, hit || sb_same(after->agent.at, v->goal));
    assert_true(result->reward == (hit ? -0.5 : sb_same(after->agent.at, v->goal) ? 1.0 : 0.0));
    assert_true(count_objects(after, SB_ENEMY) <= v->n_blockers);
    assert_int_equal(sb_terrain_here(after), SB_EMPTY);
}

static void only_a_blocker_that_moves_kills(void **state) {
    (void)state;
    each_step(&sb_timing_challenge, 40, check_step);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_timing_challenge, difficulty, seed, NULL, &error), error);
}

static void a_slow_blocker_can_be_walked_into(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_EASY, 0);
    vars *v = SB_VARS(&e);
    v->blocker[0].period = 3, v->blocker[0].x = (int8_t)v->gap[0];
    e.agent.at = sb_at(v->gap[0], v->row - 1);
    sb_episode_step(&e, SB_MOVE_DOWN, &result);
    assert_true(sb_same(e.agent.at, sb_at(v->blocker[0].x, v->row)));
    assert_false(result.terminated);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_false(result.terminated);
    sb_episode_step(&e, SB_NOOP, &result); /* the third step, in which the blocker moves away */
    assert_false(result.terminated);
    assert_false(sb_same(e.agent.at, sb_at(v->blocker[0].x, v->row)));
}

static void places_can_be_traded_with_a_blocker(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_EASY, 0);
    vars *v = SB_VARS(&e);
    sb_cell_at(&e, sb_at(v->gap[0] - 1, v->row))->terrain = SB_EMPTY;
    v->blocker[0].x = (int8_t)v->gap[0], v->blocker[0].ahead = -1, v->blocker[0].first = 1;
    e.agent.at = sb_at(v->gap[0] - 1, v->row);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_int_equal(e.agent.at.x, v->gap[0]);
    assert_int_equal(v->blocker[0].x, v->gap[0] - 1);
    assert_false(result.terminated);
}

static void the_future_repeats_with_the_cycle_of_the_blockers(void **state) {
    (void)state;
    sb_episode e = {0};
    uint64_t now[2], later[2];
    start(&e, SB_EXPERT, 3);
    sb_episode_key(&e, now);
    e.clock = SB_TIMING_CHALLENGE_CYCLE;
    sb_episode_key(&e, later);
    assert_memory_equal(now, later, sizeof now);
    e.clock = 1;
    sb_episode_key(&e, later);
    assert_memory_not_equal(now, later, sizeof now);
}

/* ---- The observer ---- */

/* Waits this number of steps and then lets the agent play. Returns the steps in all, or -1 without success. */
static int play(const char *agent, int difficulty, int seed, int waits) {
    sb_error error;
    sb_result result;
    sb_player player = {0};
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "agentick:TimingChallenge-v0/%s#%d", sb_difficulty_names[difficulty], seed);
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    while (!sb_status_of(env)->done) {
        const bool waiting = sb_status_of(env)->steps < waits;
        assert_ok(sb_step(env, waiting ? SB_NOOP : sb_player_act(&player, env), &result, &error), error);
    }
    const int steps = sb_status_of(env)->success ? sb_status_of(env)->steps : -1;
    sb_player_clear(&player);
    sb_free(env);
    return steps;
}

static void the_observer_is_never_hit(void **state) {
    (void)state;
    for (int difficulty = SB_EASY; difficulty <= SB_EXPERT; difficulty++)
        for (int seed = 0; seed < 50; seed++) {
            assert_true(play("observer", difficulty, seed, 0) > 0);
            assert_true(play("observer", difficulty, seed, 7) > 0); /* it did not see the start */
        }
}

/* (A blocker that follows directly behind a later one is never seen.) */
static void a_single_blocker_hides_nothing_from_the_observer(void **state) {
    (void)state;
    for (int seed = 0; seed < 50; seed++)
        assert_int_equal(play("observer", SB_EASY, seed, 0), play("expert", SB_EASY, seed, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_gaps_are_the_only_way),
        cmocka_unit_test(only_a_blocker_that_moves_kills),
        cmocka_unit_test(a_slow_blocker_can_be_walked_into),
        cmocka_unit_test(places_can_be_traded_with_a_blocker),
        cmocka_unit_test(the_future_repeats_with_the_cycle_of_the_blockers),
        cmocka_unit_test(the_observer_is_never_hit),
        cmocka_unit_test(a_single_blocker_hides_nothing_from_the_observer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
