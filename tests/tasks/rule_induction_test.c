/* RuleInduction: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdio.h>
#include <string.h>

#include "engine/gridworld/observe/observe.h"
#include "generators/agentick/reasoning/rule_induction.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

typedef sb_rule_induction_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_rule_induction, 31, 6530);
}

/* ---- Instances ---- */

static int count_all_objects(const sb_episode *e) { return sb_n_cells(e) - count_objects(e, SB_NONE); }

static int count_within_reach(const sb_episode *e) {
    bool open[SB_CELLS_MAX] = {false};
    int n = 0;
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < sb_n_cells(e); i++) n += open[i] && igraph_distance(e, open, e->agent.at, sb_xy_of(e, i)) > 0;
    return n;
}

static void check_objects(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(count_all_objects(e), v->n_objects);
    assert_int_equal(count_objects(e, v->target), 0);
    for (int i = 0; i < v->n_objects; i++) {
        assert_int_equal(sb_peek(e, v->at[i])->object, v->kind[i]);
        assert_int_equal(count_objects(e, v->kind[i]), 1);
        assert_true(igraph_distance(e, open, v->start, v->at[i]) > 0);
    }
    if (v->n_objects < SB_RULE_INDUCTION_OBJECTS) assert_int_equal(v->n_objects, count_within_reach(e));
}

/* If two objects or more are there, one of the rules makes the target of two of them. */
static void check_rules(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool can_be_made = false;
    assert_int_equal(v->n_rules, e->difficulty + 2);
    for (int i = 0; i < v->n_rules; i++) {
        const int held = v->rule[i].held, met = v->rule[i].met;
        can_be_made |= v->rule[i].made == v->target && held != met && count_objects(e, held) && count_objects(e, met);
        for (int j = 0; j < i; j++) assert_false(held == v->rule[j].held && met == v->rule[j].met);
        assert_int_equal(sb_rule_induction_makes(v, held, met), v->rule[i].made);
    }
    assert_true(can_be_made == (v->n_objects >= 2));
}

static void check_instance(const sb_episode *e) {
    static const int walls[] = {3, 6, 9, 13};
    const vars *v = SB_VARS(e);
    const int n_inner = count_terrain(e, SB_WALL) - 4 * (e->width - 1);
    check_walled(e);
    assert_in_range(n_inner, walls[e->difficulty] - 1,
                    walls[e->difficulty]); /* the start may have taken one wall away */
    assert_true(v->start.x == 1 || v->start.x == e->width - 2);
    assert_true(v->start.y == 1 || v->start.y == e->height - 2);
    check_objects(e);
    check_rules(e);
}

static void the_target_can_be_made_of_two_objects_within_reach(void **state) {
    (void)state;
    each_instance(&sb_rule_induction, 100, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_rule_induction, difficulty, seed, NULL, &error), error);
}

/* Easy 512 is the first easy seed with a closed corner. The other three pockets hold one object on each cell. */
static void a_pocket_holds_no_more_objects_than_cells(void **state) {
    (void)state;
    static const struct {
        sb_difficulty difficulty;
        uint64_t seed;
        int n;
    } pockets[] = {{SB_EASY, 512, 0}, {SB_MEDIUM, 241, 1}, {SB_MEDIUM, 121, 2}, {SB_EXPERT, 884, 3}};
    for (size_t i = 0; i < sizeof pockets / sizeof *pockets; i++) {
        sb_episode e = {0};
        start(&e, pockets[i].difficulty, pockets[i].seed);
        check_instance(&e);
        assert_int_equal(count_all_objects(&e), pockets[i].n);
    }
}

/* Otherwise the first rule makes another kind than the target. */
static void two_rules_for_one_pair_leave_the_one_that_makes_the_target(void **state) {
    (void)state;
    int n_alike = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        sb_episode e = {0};
        const vars *v = SB_VARS(&e);
        start(&e, SB_HARD, seed);
        if (v->rule[0].made == v->target)
            n_alike++, check_rules(&e);
        else
            assert_int_equal(v->rule[1].made, v->target);
    }
    assert_in_range(n_alike, 1, 40);
}

/* ---- Steps ---- */

static int held(const sb_episode *e) { return e->agent.n_items > 0 ? e->items[0].value : SB_NONE; }

/* Applies the published formula to the grid as it was when the object was stepped on. */
static sb_xy expected_site(const sb_episode *before, sb_xy here) {
    const vars *v = SB_VARS(before);
    sb_xy sites[SB_CELLS_MAX];
    int n = 0;
    for (int y = 0; y < before->height; y++)
        for (int x = 0; x < before->width; x++)
            if (sb_vacant(before, sb_at(x, y)) && !sb_same(sb_at(x, y), here)) sites[n++] = sb_at(x, y);
    return sites[(here.x * 31 + here.y * 17 + v->used) % n]; // NOLINT(clang-analyzer-core.DivideZero): most are vacant
}

static void check_combination(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const int made = sb_rule_induction_makes(old, held(before), sb_peek(before, after->agent.at)->object);
    assert_int_equal(v->n_made - old->n_made, made != SB_NONE);
    assert_int_equal(v->n_destroyed - old->n_destroyed, made == SB_NONE);
    assert_true(result->dense == (made != SB_NONE ? -0.01 + 0.2 : -0.01 - 0.1));
    if (v->trial > old->trial) return;
    assert_int_equal(held(after), SB_NONE);
    assert_int_equal(count_all_objects(after), count_all_objects(before) - (made == SB_NONE));
    assert_int_equal(v->crafted, old->crafted || made == v->target);
    if (made != SB_NONE) assert_int_equal(sb_peek(after, expected_site(before, after->agent.at))->object, made);
}

static void check_trial(const sb_episode *before, const sb_episode *after) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    assert_int_equal(v->trial * sb_rule_induction_budget(after) + v->used, after->clock);
    if (v->trial == old->trial) return;
    assert_int_equal(v->used, 0);
    assert_false(v->crafted);
    assert_int_equal(after->agent.n_items, 0);
    assert_int_equal(count_all_objects(after), v->n_objects);
    for (int i = 0; i < v->n_objects; i++) assert_int_equal(sb_peek(after, v->at[i])->object, v->kind[i]);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool moved = !sb_same(before->agent.at, after->agent.at);
    const int met = moved ? sb_peek(before, after->agent.at)->object : SB_NONE;
    const bool collects = old->crafted && met == v->target;
    const bool combines = met != SB_NONE && !collects && before->agent.n_items > 0;
    check_trial(before, after);
    if (combines)
        check_combination(before, after, result);
    else
        assert_true(result->dense == (collects ? -0.01 + 1.0 : -0.01));
    if (met != SB_NONE && !collects && !combines && v->trial == old->trial) assert_int_equal(held(after), met);
    assert_int_equal(sb_has_won(after), collects);
    assert_true(result->success == collects);
    assert_true(result->terminated == (collects || v->trial == SB_RULE_INDUCTION_TRIALS));
    assert_true(result->reward == (collects ? 1.0 : 0.0));
}

static void objects_combine_in_pairs_and_come_back_with_each_trial(void **state) {
    (void)state;
    each_step(&sb_rule_induction, 40, check_step);
}

static sb_xy find(const sb_episode *e, int kind) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == kind) return sb_xy_of(e, i);
    fail();
    return sb_at(-1, -1);
}

/* Makes the target by the chain's last rule, which is the first rule on easy and medium. */
static sb_xy make_target(sb_episode *e) {
    const vars *v = SB_VARS(e);
    enter(e, find(e, v->rule[0].held));
    assert_true(enter(e, find(e, v->rule[0].met)).dense == -0.01 + 0.2);
    assert_true(v->crafted && e->agent.n_items == 0);
    return find(e, v->target);
}

static void the_target_is_collected_with_a_hand_full_too(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 42);
    const sb_xy target = make_target(&e);
    for (int i = 0; i < v->n_objects && e.agent.n_items == 0; i++)
        if (sb_peek(&e, v->at[i])->object == v->kind[i]) enter(&e, v->at[i]);
    assert_int_equal(e.agent.n_items, 1);
    const sb_result result = enter(&e, target);
    assert_true(result.success && result.terminated && result.reward == 1.0 && result.dense == -0.01 + 1.0);
    assert_int_equal(e.agent.n_items, 0);
    assert_int_equal(count_objects(&e, v->target), 0);
}

/* On medium 121 the pocket has two cells, and they hold all objects. */
static void a_result_may_appear_out_of_reach(void **state) {
    (void)state;
    sb_episode e = {0};
    bool open[SB_CELLS_MAX] = {false};
    start(&e, SB_MEDIUM, 121);
    open_terrain(&e, SB_EMPTY, open);
    const sb_xy target = make_target(&e);
    assert_int_equal(igraph_distance(&e, open, e.agent.at, target), -1);
}

static void the_order_of_a_pair_matters(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 42);
    assert_int_equal(sb_rule_induction_makes(v, v->rule[0].met, v->rule[0].held), SB_NONE);
    enter(&e, find(&e, v->rule[0].met));
    assert_true(enter(&e, find(&e, v->rule[0].held)).dense == -0.01 - 0.1);
    assert_int_equal(count_all_objects(&e), 2);
    assert_false(v->crafted);
}

/* Results of other rules can bring a second object of a kind. */
static void two_of_a_kind_combine_like_any_pair(void **state) {
    (void)state;
    sb_episode e = {0};
    vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 42);
    const int kind = v->kind[0];
    v->rule[1] = (sb_rule_induction_rule){kind, kind, v->target};
    sb_set_object(&e, v->at[1], (sb_object)kind, 0);
    enter(&e, v->at[0]);
    assert_true(enter(&e, v->at[1]).dense == -0.01 + 0.2);
    assert_true(v->crafted);
}

static void interacting_only_passes_the_time(void **state) {
    (void)state;
    sb_episode e = {0}, before;
    vars *v = SB_VARS(&e);
    sb_result result;
    uint64_t key[2], idle[2];
    start(&e, SB_EASY, 42);
    sb_episode_copy(&before, &e);
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(v->used, 1);
    v->used = 0;
    sb_episode_key(&e, idle);
    sb_episode_key(&before, key);
    assert_memory_equal(idle, key, sizeof key);
}

/* ---- The ends of trials ---- */

static void what_is_picked_up_in_the_last_step_of_a_trial_is_lost(void **state) {
    (void)state;
    sb_episode e = {0};
    vars *v = SB_VARS(&e);
    sb_result result;
    start(&e, SB_EASY, 42);
    v->used = sb_rule_induction_budget(&e) - 1;
    assert_false(enter(&e, v->at[0]).terminated);
    assert_int_equal(v->trial, 1);
    assert_int_equal(e.agent.n_items, 0);
    assert_int_equal(sb_object_here(&e), v->kind[0]); /* the object on the agent's own cell */
    sb_episode_step(&e, SB_NOOP, &result);
    assert_int_equal(e.agent.n_items, 0);
    enter(&e, v->at[0]);
    assert_int_equal(held(&e), v->kind[0]);
}

static void the_target_collected_in_the_last_step_of_all_counts(void **state) {
    (void)state;
    sb_episode e = {0};
    vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 42);
    const sb_xy target = make_target(&e);
    v->trial = SB_RULE_INDUCTION_TRIALS - 1, v->used = sb_rule_induction_budget(&e) - 1, e.clock = e.max_steps - 1;
    const sb_result result = enter(&e, target);
    assert_true(result.success && result.terminated && result.truncated);
    assert_int_equal(v->trial, SB_RULE_INDUCTION_TRIALS - 1);
}

static void assert_header(const sb_episode *e, const char *expected) {
    sb_out text = sb_out_growing();
    sb_observe_ascii(e, false, &text);
    assert_memory_equal(text.data, expected, strlen(expected));
    assert_int_equal(text.data[strlen(expected)], '#'); /* the first cell of the grid */
    sb_out_free(&text);
}

static void the_last_trial_ends_with_the_step_limit(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    sb_result result = {0};
    start(&e, SB_EASY, 42);
    while (!result.truncated) {
        assert_false(result.terminated);
        sb_episode_step(&e, SB_NOOP, &result);
    }
    assert_true(result.terminated && !result.success);
    assert_int_equal(v->trial, SB_RULE_INDUCTION_TRIALS);
    assert_header(&e, "Trial: 6/5  Target: [COIN]\n");
}

/* ---- The expert ---- */

static void take_random_steps(sb_env *env, int n, sb_rng *rng) {
    sb_error error;
    sb_result result;
    for (int i = 0; i < n && !sb_status_of(env)->done; i++)
        assert_ok(sb_step(env, (sb_action)sb_integers(rng, 0, SB_N_ACTIONS), &result, &error), error);
}

/* This also holds after random play: with objects lost, or in a later trial. */
static void the_expert_takes_the_fewest_steps_from_anywhere(void **state) {
    (void)state;
    enum { STATES = 1 << 18 };
    sb_error error;
    sb_copies copies;
    sb_player player = {0};
    sb_rng rng;
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_rng_seed(&rng, 1, NULL);
    assert_ok(sb_copies_open(&copies, STATES, &error), error);
    for (uint64_t seed = 0; seed < 24; seed++) {
        const sb_name name = {.family = "agentick", .task = "RuleInduction-v0", .difficulty = "easy", .seed = seed};
        sb_budget budget = {.limit = STATES};
        sb_verdict verdict;
        assert_ok(sb_reset_name(env, &name, &error), error);
        take_random_steps(env, 6 * (int)seed, &rng);
        if (sb_status_of(env)->done) continue;
        assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
        assert_int_not_equal(verdict, SB_NOT_FOUND);
        const int fewest = verdict == SB_SOLVED ? sb_copies_plan(&copies, NULL, 0) : -1;
        assert_int_equal(expert_steps(env, &player), fewest);
    }
    sb_player_clear(&player);
    sb_copies_close(&copies);
    sb_free(env);
}

/* Returns how many steps the expert takes, and whether it ever means to do this. */
static int steps_with_intent(const char *name, const char *verb, bool *does) {
    sb_error error;
    sb_result result;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, name, &error);
    assert_non_null(env);
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    *does = false;
    while (!sb_status_of(env)->done) {
        const sb_action action = sb_player_act(&player, env);
        *does |= strcmp(player.intent.verb, verb) == 0;
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    const int steps = sb_status_of(env)->success ? sb_status_of(env)->steps : -1;
    sb_player_clear(&player);
    sb_free(env);
    return steps;
}

/* The orb closes the corner. The expert must pick it up and then lose it. */
static void the_expert_gets_rid_of_what_lies_in_the_way(void **state) {
    (void)state;
    bool does;
    assert_int_equal(steps_with_intent("RuleInduction/easy#665542662", "get rid of", &does), 14);
    assert_true(does);
}

/* The way from the corner to the potion leads over the gem, onto which the potion must be carried. If a trial ends
 * while the agent is on the gem's cell, the agent starts the next one on the right side of it. After 37 steps of that
 * trial, the result appears inside the pocket. */
static void the_expert_waits_for_a_trial_that_can_be_won(void **state) {
    (void)state;
    bool does;
    assert_int_equal(steps_with_intent("RuleInduction/medium#1026", "wait for", &does), 50 + 37);
    assert_true(does);
}

static void the_expert_knows_what_cannot_be_won(void **state) {
    (void)state;
    sb_error error;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, "RuleInduction/easy#512", &error);
    assert_non_null(env);
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_IMPOSSIBLE);
    assert_int_equal(expert_steps(env, &player), -1);
    assert_ok(sb_reset(env, "RuleInduction/easy#0", &error), error);
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_SOLVED);
    sb_player_clear(&player);
    sb_free(env);
}

/* ---- The observer ---- */

static sb_env *make(int difficulty, int seed) {
    sb_error error;
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "agentick:RuleInduction-v0/%s#%d", sb_difficulty_names[difficulty], seed);
    return sb_make(NULL, name, &error);
}

static bool is_tried(const sb_rule_induction_rule *tried, int n, int held, int met) {
    for (int i = 0; i < n; i++)
        if (tried[i].held == held && tried[i].met == met) return true;
    return false;
}

/* Lets the observer play. Returns how many different pairs it tried without making the target, or -1 if it won. */
static int count_tries(sb_env *env, sb_player *player) {
    sb_error error;
    sb_result result;
    sb_rule_induction_rule tried[64];
    int n = 0;
    const sb_episode *e = sb_episode_of(env);
    const vars *v = SB_VARS(e);
    assert_ok(sb_player_begin_as(player, "observer", env, &error), error);
    while (!sb_status_of(env)->done) {
        const sb_episode before = *e;
        const vars old = *v;
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
        if (v->n_made + v->n_destroyed == old.n_made + old.n_destroyed) continue;
        const int met = sb_peek(&before, e->agent.at)->object;
        if (!is_tried(tried, n, held(&before), met)) tried[n++] = (sb_rule_induction_rule){held(&before), met, SB_NONE};
    }
    return sb_status_of(env)->success ? -1 : n;
}

/* One of the twelve ordered pairs of different objects surely makes the target, and a trial has enough objects for two
 * pairs. */
static void the_observer_wins_or_has_tried_ten_pairs(void **state) {
    (void)state;
    sb_player player = {0};
    int n = 0, wins = 0;
    for (int difficulty = SB_EASY; difficulty <= SB_EXPERT; difficulty++)
        for (int seed = 0; seed < 30; seed++) {
            sb_env *env = make(difficulty, seed);
            const vars *v = SB_VARS(sb_episode_of(env));
            if (v->n_objects == SB_RULE_INDUCTION_OBJECTS) {
                const int tries = count_tries(env, &player);
                assert_true(tries < 0 || tries >= 10);
                n++, wins += tries < 0;
            }
            sb_free(env);
        }
    assert_true(100 * wins > 80 * n);
    sb_player_clear(&player);
}

/* Then the observer saw neither the start of the first trial nor what was tried before. */
static void the_observer_takes_over_anywhere(void **state) {
    (void)state;
    sb_player player = {0};
    sb_rng rng;
    int wins = 0;
    sb_rng_seed(&rng, 1, NULL);
    for (int seed = 0; seed < 20; seed++) {
        sb_env *env = make(SB_EASY, seed);
        take_random_steps(env, 20, &rng);
        wins += count_tries(env, &player) < 0;
        sb_free(env);
    }
    assert_true(wins >= 10);
    sb_player_clear(&player);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_target_can_be_made_of_two_objects_within_reach),
        cmocka_unit_test(a_pocket_holds_no_more_objects_than_cells),
        cmocka_unit_test(two_rules_for_one_pair_leave_the_one_that_makes_the_target),
        cmocka_unit_test(objects_combine_in_pairs_and_come_back_with_each_trial),
        cmocka_unit_test(the_target_is_collected_with_a_hand_full_too),
        cmocka_unit_test(a_result_may_appear_out_of_reach),
        cmocka_unit_test(the_order_of_a_pair_matters),
        cmocka_unit_test(two_of_a_kind_combine_like_any_pair),
        cmocka_unit_test(interacting_only_passes_the_time),
        cmocka_unit_test(what_is_picked_up_in_the_last_step_of_a_trial_is_lost),
        cmocka_unit_test(the_target_collected_in_the_last_step_of_all_counts),
        cmocka_unit_test(the_last_trial_ends_with_the_step_limit),
        cmocka_unit_test(the_expert_takes_the_fewest_steps_from_anywhere),
        cmocka_unit_test(the_expert_gets_rid_of_what_lies_in_the_way),
        cmocka_unit_test(the_expert_waits_for_a_trial_that_can_be_won),
        cmocka_unit_test(the_expert_knows_what_cannot_be_won),
        cmocka_unit_test(the_observer_wins_or_has_tried_ten_pairs),
        cmocka_unit_test(the_observer_takes_over_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
