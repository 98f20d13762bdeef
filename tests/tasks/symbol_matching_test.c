/* SymbolMatching: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdio.h>

#include "generators/agentick/reasoning/symbol_matching.h"
#include "rollout/worker.h"

typedef sb_symbol_matching_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_symbol_matching, 30, 6993);
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    static const int fakes[] = {0, 1, 1, 0}, walls[] = {0, 3, 5, 8}; /* no kinds are left for more fakes */
    const vars *v = SB_VARS(e);
    const int n = v->n_pairs + v->n_fakes;
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_true(sb_same(v->start, sb_at(e->width / 2, 1)));
    assert_int_equal(v->n_pairs, e->difficulty + 2);
    assert_int_equal(v->n_fakes, fakes[e->difficulty]);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + walls[e->difficulty]);
    assert_int_equal(sb_n_cells(e) - count_objects(e, SB_NONE), n + v->n_pairs);
    for (int i = 0; i < n; i++) {
        assert_true(v->item[i].x < e->width / 2);
        assert_int_equal(sb_peek(e, v->item[i])->object, v->kind[i]);
        assert_int_equal(count_objects(e, v->kind[i]), i < v->n_pairs ? 2 : 1);
    }
    for (int i = 0; i < v->n_pairs; i++) {
        assert_true(v->target[i].x > e->width / 2);
        assert_int_equal(sb_peek(e, v->target[i])->object, v->kind[i]);
        assert_true(igraph_distance(e, open, v->start, v->item[i]) > 0);
        assert_true(igraph_distance(e, open, v->start, v->target[i]) > 0);
    }
}

static void items_lie_on_the_left_and_their_targets_on_the_right(void **state) {
    (void)state;
    each_instance(&sb_symbol_matching, 100, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_symbol_matching, difficulty, seed, NULL, &error), error);
}

/* On hard 0 the target at (10, 1) can only be entered through the one at (10, 2). */
static void a_target_may_stand_behind_another(void **state) {
    (void)state;
    sb_episode e = {0};
    bool open[SB_CELLS_MAX] = {false};
    const sb_xy behind = sb_at(10, 1), before = sb_at(10, 2);
    start(&e, SB_HARD, 0);
    check_instance(&e);
    assert_true(sb_peek(&e, behind)->object != SB_NONE && sb_peek(&e, before)->object != SB_NONE);
    open_terrain(&e, SB_EMPTY, open);
    open[sb_index(&e, before)] = false;
    assert_int_equal(igraph_distance(&e, open, e.agent.at, behind), -1);
}

/* On medium 193 the way to the potion at (2, 8) leads over the fake at (1, 8), which the agent then carries. */
static void a_fake_may_lie_in_the_way(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX] = {false};
    start(&e, SB_MEDIUM, 193);
    check_instance(&e);
    assert_true(sb_same(v->item[v->n_pairs], sb_at(1, 8)));
    assert_int_equal(sb_peek(&e, sb_at(2, 8))->object, SB_POTION);
    open_terrain(&e, SB_EMPTY, open);
    open[sb_index(&e, sb_at(1, 8))] = false;
    assert_int_equal(igraph_distance(&e, open, e.agent.at, sb_at(2, 8)), -1);
}

/* ---- Steps ---- */

/* Checks one kind: its item on the ground, its item in hand, and its open target. */
static void check_kind(const sb_episode *before, const sb_episode *after, int i) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool was_held = old->carrying == v->kind[i], is_held = v->carrying == v->kind[i];
    const bool lay = sb_peek(before, v->item[i])->object, lies = sb_peek(after, v->item[i])->object;
    assert_true(lies + is_held <= lay + was_held); /* items never appear */
    if (lay && !lies) assert_true(is_held && sb_same(after->agent.at, v->item[i]) && old->carrying == SB_NONE);
    if (i >= v->n_pairs) return;
    const bool was_open = sb_peek(before, v->target[i])->object, is_open = sb_peek(after, v->target[i])->object;
    if (was_open == is_open) return;
    assert_true(was_open && was_held && !is_held && sb_same(after->agent.at, v->target[i]));
    assert_int_equal(v->n_placed, old->n_placed + 1);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    int n_open = 0;
    for (int i = 0; i < v->n_pairs + v->n_fakes; i++) check_kind(before, after, i);
    for (int i = 0; i < v->n_pairs; i++) n_open += sb_peek(after, v->target[i])->object != SB_NONE;
    assert_int_equal(n_open + v->n_placed, v->n_pairs);
    if (old->carrying != v->carrying) assert_false(sb_same(before->agent.at, after->agent.at));
    assert_int_equal(after->agent.n_items, 0);
    assert_true(result->terminated == (n_open == 0));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void one_item_at_a_time_is_carried_to_its_target_or_lost(void **state) {
    (void)state;
    each_step(&sb_symbol_matching, 50, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_symbol_matching, 7, 5);
}

static void assert_key(const sb_episode *e, const uint64_t expected[2]) {
    uint64_t key[2];
    sb_episode_key(e, key);
    assert_memory_equal(key, expected, sizeof key);
}

static void a_matched_target_is_plain_floor(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 0);
    enter(&e, v->item[0]);
    assert_int_equal(v->carrying, v->kind[0]);
    enter(&e, v->target[0]);
    assert_int_equal(v->n_placed, 1);
    enter(&e, v->item[1]);
    enter(&e, v->target[0]);
    assert_int_equal(v->carrying, v->kind[1]);
}

static void an_item_is_lost_at_a_wrong_target(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 0);
    enter(&e, v->item[0]);
    assert_true(sb_symbol_matching.bound(&e) > 0);
    assert_false(enter(&e, v->target[1]).terminated);
    assert_int_equal(v->carrying, SB_NONE);
    assert_int_equal(sb_peek(&e, v->target[1])->object, v->kind[1]);
    assert_int_equal(sb_symbol_matching.bound(&e), -1);
    enter(&e, v->item[0]);
    assert_int_equal(v->carrying, SB_NONE);
    enter(&e, v->item[1]);
    enter(&e, v->target[1]);
    assert_int_equal(v->n_placed, 1);
}

static void a_fake_is_got_rid_of_at_any_target(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 0);
    const sb_xy fake = v->item[v->n_pairs];
    assert_true(enter(&e, fake).dense == -0.01); /* no target attracts the agent */
    assert_int_equal(v->carrying, v->kind[v->n_pairs]);
    assert_int_equal(sb_peek(&e, fake)->object, SB_NONE);
    enter(&e, v->target[0]);
    assert_int_equal(v->carrying, SB_NONE);
    assert_true(sb_symbol_matching.bound(&e) > 0);
}

static void nothing_happens_at_targets_empty_handed_and_at_items_with_a_hand_full(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    const sb_grid_agent agent = {.at = sb_at(4, 1)};
    uint64_t key[2];
    start(&e, SB_MEDIUM, 0);
    e.agent = agent;
    sb_episode_key(&e, key);
    enter(&e, v->target[0]);
    e.agent = agent;
    assert_key(&e, key);
    enter(&e, v->item[0]);
    e.agent = agent;
    sb_episode_key(&e, key);
    for (int i = 1; i < v->n_pairs + v->n_fakes; i++) enter(&e, v->item[i]);
    e.agent = agent;
    assert_key(&e, key);
}

/* Each target is to the right of each item. */
static void the_dense_reward_draws_to_what_is_next_after_the_step(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 0);
    assert_true(enter_from(&e, SB_EAST, v->item[0]).dense == -0.01 + 0.05 * -1); /* the target already counts */
    assert_true(enter(&e, v->target[0]).dense == -0.01 + 0.5 + 0.05 * -1);       /* the other item already counts */
    assert_true(enter(&e, v->item[1]).dense == -0.01 + 0.05 * 1);
    assert_true(enter(&e, v->target[1]).dense == -0.01 + 0.5 + 1.0); /* nothing is left */
}

/* Expert 0 has items at (6, 1) and (2, 4). From (3, 1) the first is nearer, from (2, 1) the second, each 3 steps
 * away. */
static void the_nearest_item_may_be_another_after_the_step(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_EXPERT, 0);
    assert_int_equal(sb_peek(&e, sb_at(6, 1))->object, SB_SCROLL);
    assert_int_equal(sb_peek(&e, sb_at(2, 4))->object, SB_GEM);
    e.agent.at = sb_at(3, 1);
    sb_episode_step(&e, SB_MOVE_LEFT, &result);
    assert_true(result.dense == -0.01);
}

/* ---- The observer ---- */

static sb_env *make(int difficulty, int seed) {
    sb_error error;
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "agentick:SymbolMatching-v0/%s#%d", sb_difficulty_names[difficulty], seed);
    return sb_make(NULL, name, &error);
}

/* This also holds after random steps that picked up a fake or lost an item. */
static void the_observer_knows_what_it_has_in_hand(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_player observer = {0}, expert = {0};
    sb_rng rng;
    int n_fakes = 0;
    sb_rng_seed(&rng, 1, NULL);
    for (int difficulty = SB_EASY; difficulty <= SB_EXPERT; difficulty++)
        for (int seed = 0; seed < 5; seed++) {
            sb_env *env = make(difficulty, seed);
            const vars *v = SB_VARS(sb_episode_of(env));
            assert_ok(sb_player_begin_as(&observer, "observer", env, &error), error);
            assert_ok(sb_player_begin_as(&expert, "expert", env, &error), error);
            while (!sb_status_of(env)->done) {
                const sb_action action = sb_player_act(&expert, env);
                assert_int_equal(sb_player_act(&observer, env), action);
                const bool is_led = sb_status_of(env)->steps < 10 * seed;
                assert_ok(sb_step(env, is_led ? (sb_action)sb_integers(&rng, 1, 5) : action, &result, &error), error);
                n_fakes += v->n_fakes > 0 && v->carrying == v->kind[v->n_pairs];
            }
            sb_free(env);
        }
    assert_true(n_fakes > 0);
    sb_player_clear(&observer), sb_player_clear(&expert);
}

static void an_observer_that_takes_over_has_in_hand_what_is_gone(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_player expert = {0};
    sb_env *env = make(SB_HARD, 1);
    const vars *v = SB_VARS(sb_episode_of(env));
    assert_ok(sb_player_begin_as(&expert, "expert", env, &error), error);
    while (v->n_placed < 2 || v->carrying == SB_NONE)
        assert_ok(sb_step(env, sb_player_act(&expert, env), &result, &error), error);
    const sb_action action = sb_player_act(&expert, env);
    sb_player observer = {0};
    assert_ok(sb_player_begin_as(&observer, "observer", env, &error), error);
    assert_int_equal(sb_player_act(&observer, env), action);
    assert_string_equal(observer.intent.verb, "deliver");
    sb_player_clear(&observer), sb_player_clear(&expert);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(items_lie_on_the_left_and_their_targets_on_the_right),
        cmocka_unit_test(a_target_may_stand_behind_another),
        cmocka_unit_test(a_fake_may_lie_in_the_way),
        cmocka_unit_test(one_item_at_a_time_is_carried_to_its_target_or_lost),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(a_matched_target_is_plain_floor),
        cmocka_unit_test(an_item_is_lost_at_a_wrong_target),
        cmocka_unit_test(a_fake_is_got_rid_of_at_any_target),
        cmocka_unit_test(nothing_happens_at_targets_empty_handed_and_at_items_with_a_hand_full),
        cmocka_unit_test(the_dense_reward_draws_to_what_is_next_after_the_step),
        cmocka_unit_test(the_nearest_item_may_be_another_after_the_step),
        cmocka_unit_test(the_observer_knows_what_it_has_in_hand),
        cmocka_unit_test(an_observer_that_takes_over_has_in_hand_what_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
