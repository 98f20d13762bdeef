/* The gridworld's step loop, with tasks that log the calls of their functions; and copies, keys and items of episodes.
 * The rules are those of docs/compatibility.md, "Steps". */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/gridworld/parts/cells.h"
#include "generators/agentick/family.h"
#include "generators/agentick/null_task.h"
#include "tests/support.h"

/* ---- A task that keeps a log ------------------------------------------------------------------------------------- */

typedef struct vars {
    int32_t lived;  /* live: rewards read its old value */
    int32_t silent; /* not live */
} vars;

/* The answers of the hooks and a log of their calls; every test begins with a fresh one. */
static struct {
    bool refuses, succeeds;
    sb_grid_outcome decision;
    char log[400];
    sb_transition transition;
    int32_t old_lived, new_lived;
} play;

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    const size_t n = strlen(play.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(play.log + n, sizeof play.log - n, format, arguments);
    va_end(arguments);
}

/* Seven by five with a border, the agent in the middle. Seed 13 has no instance. */
static bool generate(sb_episode *e) {
    if (e->seed == 13) return false;
    sb_wall_border(e);
    e->agent.at = sb_at(3, 2);
    return true;
}

static bool can_enter(sb_episode *e, sb_xy to) {
    vars *v = SB_VARS(e);
    note("can_enter(%d,%d at %d,%d) ", to.x, to.y, e->agent.at.x, e->agent.at.y);
    v->lived += 10;
    sb_cell_at(e, sb_at(1, 1))->metadata++; /* a side effect on the grid */
    return !play.refuses;
}

static void on_enter(sb_episode *e) { note("on_enter(%d,%d) ", e->agent.at.x, e->agent.at.y); }

static void on_interact(sb_episode *e, sb_xy target) {
    note("on_interact(%d,%d) ", target.x, target.y);
    sb_set_object(e, target, SB_GEM, 5);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    note("on_step(%d) ", e->clock);
    v->lived++, v->silent++;
    if (play.decision != SB_PLAYING) sb_decide(e, play.decision == SB_WON);
}

static bool is_success(const sb_episode *e) {
    (void)e;
    return play.succeeds;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    note("dense ");
    play.transition = *t;
    play.old_lived = old->lived, play.new_lived = v->lived;
    e->paid[0]++;
    return 0.25;
}

static double sparse(const sb_episode *e, const sb_transition *t) {
    (void)e, (void)t;
    return -2.0;
}

#define LEVELS                                                                                                         \
    {                                                                                                                  \
        {7, 5, 3}, {7, 5, 100}, {9, 9, 100}, { 31, 31, 100 }                                                           \
    }

static const sb_task full_task = {.info = {.name = "Full-v0"},
                                  .extents = LEVELS,
                                  .vars_size = sizeof(vars),
                                  .live_size = offsetof(vars, silent),
                                  .clock = SB_CLOCK_ABSOLUTE,
                                  .generate = generate,
                                  .can_enter = can_enter,
                                  .on_enter = on_enter,
                                  .on_interact = on_interact,
                                  .on_step = on_step,
                                  .is_success = is_success,
                                  .sparse = sparse,
                                  .dense = dense};

static double no_dense(sb_episode *e, const sb_transition *t) {
    (void)e, (void)t;
    return 0;
}

/* Has only what a task must have. */
static const sb_task bare_task = {.info = {.name = "Bare-v0"},
                                  .extents = LEVELS,
                                  .vars_size = sizeof(vars),
                                  .generate = generate,
                                  .is_success = is_success,
                                  .dense = no_dense};

/* Tasks with different kinds of ends. */
static const sb_task lasting_task = {.extents = LEVELS,
                                     .vars_size = sizeof(vars),
                                     .generate = generate,
                                     .on_step = on_step,
                                     .endures = true,
                                     .dense = no_dense};
static const sb_task goal_task = {
    .extents = LEVELS, .vars_size = sizeof(vars), .generate = generate, .dense = no_dense};
static const sb_task decided_task = {
    .extents = LEVELS, .vars_size = sizeof(vars), .generate = generate, .is_success = sb_has_won, .dense = no_dense};

static sb_episode episode; /* large; used again and again, to test that it can be reused */

static sb_episode *start(const sb_task *task, sb_difficulty difficulty) {
    sb_error error;
    memset(&play, 0, sizeof play);
    assert_ok(sb_episode_start(&episode, task, difficulty, 7, NULL, &error), error);
    return &episode;
}

static sb_result step(sb_episode *e, sb_action action) {
    sb_result result;
    memset(&result, 0x5a, sizeof result); /* every member must be written */
    play.log[0] = '\0';
    sb_episode_step(e, action, &result);
    return result;
}

static void assert_agent(const sb_episode *e, int x, int y, sb_direction facing) {
    assert_int_equal(e->agent.at.x, x);
    assert_int_equal(e->agent.at.y, y);
    assert_int_equal(e->agent.facing, facing);
}

/* ---- Hooks: order and arguments ---------------------------------------------------------------------------------- */

static void a_move_calls_can_enter_then_on_enter_then_on_step(void **state) {
    (void)state;
    sb_episode *e = start(&full_task, SB_MEDIUM);
    step(e, SB_MOVE_RIGHT);
    assert_string_equal(play.log, "can_enter(4,2 at 3,2) on_enter(4,2) on_step(1) dense ");
    assert_agent(e, 4, 2, SB_EAST);
    step(e, SB_MOVE_UP);
    assert_string_equal(play.log, "can_enter(4,1 at 4,2) on_enter(4,1) on_step(2) dense ");
    assert_agent(e, 4, 1, SB_NORTH);
}

static void a_refused_entry_turns_the_agent_and_keeps_side_effects(void **state) {
    (void)state;
    sb_episode *e = start(&full_task, SB_MEDIUM);
    const vars *v = SB_VARS(e);
    play.refuses = true;
    step(e, SB_MOVE_LEFT);
    assert_string_equal(play.log, "can_enter(2,2 at 3,2) on_step(1) dense ");
    assert_agent(e, 3, 2, SB_WEST);
    assert_int_equal(v->lived, 11);
    assert_int_equal(sb_peek(e, sb_at(1, 1))->metadata, 1);
}

/* The hook is called before the engine looks at the terrain, and its changes stay. */
static void terrain_stops_an_entry_that_the_hook_allowed(void **state) {
    (void)state;
    static const sb_terrain solid[] = {SB_WALL, SB_HOLE};
    for (size_t i = 0; i < 2; i++) {
        sb_episode *e = start(&full_task, SB_MEDIUM);
        sb_cell_at(e, sb_at(3, 3))->terrain = (int8_t)solid[i];
        step(e, SB_MOVE_DOWN);
        assert_string_equal(play.log, "can_enter(3,3 at 3,2) on_step(1) dense ");
        assert_agent(e, 3, 2, SB_SOUTH);
        assert_int_equal(sb_peek(e, sb_at(1, 1))->metadata, 1);
    }
}

static void an_entry_hook_alone_decides_about_objects(void **state) {
    (void)state;
    static const sb_object blocking[] = {SB_DOOR, SB_LEVER, SB_SWITCH};
    for (size_t i = 0; i < 3; i++) {
        sb_episode *e = start(&full_task, SB_MEDIUM);
        sb_set_object(e, sb_at(4, 2), blocking[i], 0);
        step(e, SB_MOVE_RIGHT);
        assert_agent(e, 4, 2, SB_EAST);
    }
}

static void hooks_get_no_cells_outside_the_grid(void **state) {
    (void)state;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        sb_episode *e = start(&full_task, SB_MEDIUM);
        const sb_xy at = sb_at(d == SB_EAST ? 6 : d == SB_WEST ? 0 : 3, d == SB_SOUTH ? 4 : d == SB_NORTH ? 0 : 2);
        e->agent.at = at;
        step(e, sb_move_of(d));
        assert_string_equal(play.log, "on_step(1) dense ");
        assert_agent(e, at.x, at.y, d);
        step(e, SB_INTERACT);
        assert_string_equal(play.log, "on_step(2) dense ");
    }
}

static void interact_reaches_the_cell_in_front(void **state) {
    (void)state;
    static const char *const logs[] = {"on_interact(3,1) ", "on_interact(4,2) ", "on_interact(3,3) ",
                                       "on_interact(2,2) "};
    sb_episode *e = start(&full_task, SB_MEDIUM);
    play.refuses = true;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        if (d != SB_NORTH) step(e, sb_move_of(d)); /* an episode starts facing north */
        step(e, SB_INTERACT);
        assert_memory_equal(play.log, logs[d], strlen(logs[d]));
        assert_agent(e, 3, 2, d);
        assert_int_equal(sb_peek(e, sb_beside(e->agent.at, d))->object, SB_GEM);
    }
}

static void the_step_hook_runs_after_every_action(void **state) {
    (void)state;
    sb_episode *e = start(&full_task, SB_MEDIUM);
    const vars *v = SB_VARS(e);
    for (sb_action a = 0; a < 4 * SB_N_ACTIONS; a++) {
        char last[40];
        play.refuses = a % 5 == 0;
        step(e, a % SB_N_ACTIONS);
        snprintf(last, sizeof last, "on_step(%d) dense ", a + 1);
        assert_non_null(strstr(play.log, last));
        assert_int_equal(v->silent, a + 1);
    }
    step(e, SB_NOOP);
    assert_string_equal(play.log, "on_step(25) dense ");
}

/* ---- Without hooks ----------------------------------------------------------------------------------------------- */

static void the_engine_decides_about_terrain_and_objects(void **state) {
    (void)state;
    for (int terrain = SB_EMPTY; terrain <= SB_HOLE; terrain++)
        for (int object = SB_NONE; object < SB_N_OBJECTS; object++)
            for (int metadata = 0; metadata <= 12; metadata += 4) {
                sb_episode *e = start(&bare_task, SB_MEDIUM);
                *sb_cell_at(e, sb_at(4, 2)) = (sb_cell){(int8_t)terrain, (int8_t)object, (int16_t)metadata};
                const bool solid = terrain == SB_WALL || terrain == SB_HOLE;
                const bool blocks = object == SB_LEVER || object == SB_SWITCH || (object == SB_DOOR && metadata < 10);
                const unsigned valid = sb_episode_valid(e);
                step(e, SB_MOVE_RIGHT);
                assert_int_equal(e->agent.at.x, solid || blocks ? 3 : 4);
                assert_int_equal(valid, 0x3f & ~(solid || blocks ? 1u << SB_MOVE_RIGHT : 0));
                assert_int_equal(e->agent.facing, SB_EAST);
            }
}

/* ---- Rewards and ends -------------------------------------------------------------------------------------------- */

static void rewards_see_the_values_from_before_the_step(void **state) {
    (void)state;
    sb_episode *e = start(&full_task, SB_MEDIUM);
    sb_take(e, SB_ITEM_KEY, 2, sb_at(1, 1));
    for (int i = 0; i < 3; i++) {
        const sb_grid_agent before = e->agent;
        const sb_result result = step(e, i == 1 ? SB_MOVE_LEFT : SB_MOVE_UP);
        assert_memory_equal(&play.transition.before, &before, sizeof before);
        assert_int_equal(play.old_lived, 11 * i); /* not the value that the entry hook wrote in this step */
        assert_int_equal(play.new_lived, 11 * (i + 1));
        assert_true(result.reward == -2.0 && result.dense == 0.25);
    }
}

static void the_default_sparse_reward_is_success(void **state) {
    (void)state;
    sb_episode *e = start(&bare_task, SB_MEDIUM);
    sb_result result = step(e, SB_NOOP);
    assert_true(result.reward == 0.0 && !result.terminated && !result.success);
    play.succeeds = true;
    result = step(e, SB_NOOP);
    assert_true(result.reward == 1.0 && result.terminated && !result.truncated && result.success);
}

/* Easy has three steps. A rule's decision stands, whatever `is_success` would return. */
static void an_episode_ends_by_its_rules_or_its_step_limit(void **state) {
    (void)state;
    for (int last = 1; last <= 3; last++)
        for (int how = 0; how < 6; how++) {
            const sb_grid_outcome decision = (sb_grid_outcome)(how % 3);
            const bool succeeds = decision == SB_WON || (decision == SB_PLAYING && how >= 3);
            sb_episode *e = start(&full_task, SB_EASY);
            for (int i = 1; i < last; i++) {
                const sb_result result = step(e, SB_NOOP);
                assert_true(!result.terminated && !result.truncated && !result.success);
            }
            play.decision = decision, play.succeeds = how >= 3;
            const sb_result result = step(e, SB_NOOP);
            assert_int_equal(e->outcome, decision);
            assert_int_equal(result.terminated, succeeds || decision == SB_LOST);
            assert_int_equal(result.truncated, last == 3);
            assert_int_equal(result.success, succeeds);
            assert_int_equal(play.transition.success, succeeds);
            assert_int_equal(play.transition.terminated, result.terminated);
        }
}

/* Such an episode may become a success, but not before the limit. */
static void an_agent_that_has_to_endure_succeeds_at_the_limit(void **state) {
    (void)state;
    for (int decision = SB_PLAYING; decision <= SB_LOST; decision += SB_LOST) {
        sb_episode *e = start(&lasting_task, SB_EASY);
        for (int i = 1; i < 3; i++) {
            const sb_result result = step(e, SB_NOOP);
            assert_true(!result.terminated && !result.truncated && !result.success && result.reward == 1.0);
        }
        play.decision = (sb_grid_outcome)decision;
        const sb_result result = step(e, SB_NOOP);
        assert_int_equal(result.terminated, decision == SB_LOST);
        assert_int_equal(result.success, decision == SB_PLAYING);
        assert_true(result.truncated && result.reward == (decision == SB_PLAYING ? 1.0 : 0.0));
    }
}

static void the_first_decision_stands(void **state) {
    (void)state;
    for (int won = 0; won < 2; won++) {
        uint64_t before[2], after[2];
        sb_episode *e = start(&bare_task, SB_MEDIUM);
        sb_episode_key(e, before);
        sb_decide(e, won);
        sb_episode_key(e, after);
        assert_memory_not_equal(before, after, sizeof before);
        sb_win(e), sb_lose(e);
        assert_int_equal(e->outcome, won ? SB_WON : SB_LOST);
        assert_int_equal(start(&bare_task, SB_MEDIUM)->outcome, SB_PLAYING);
    }
}

/* Standing on a GOAL is a success only if the task has no rule of its own. */
static void a_goal_is_no_success_if_rules_decide(void **state) {
    (void)state;
    const sb_task *tasks[] = {&goal_task, &decided_task};
    for (int i = 0; i < 2; i++) {
        sb_episode *e = start(tasks[i], SB_MEDIUM);
        sb_set_object(e, e->agent.at, SB_GOAL, 0);
        assert_int_equal(step(e, SB_NOOP).success, i == 0);
    }
}

static void the_error_names_a_task_without_an_instance(void **state) {
    (void)state;
    sb_error error;
    const bool ok = sb_episode_start(&episode, &full_task, SB_HARD, 13, NULL, &error);
    assert_error(ok, &error, SB_INVALID, "Full-v0/hard#13: no attempt made a valid instance; take another seed");
}

/* ---- Episodes as values ------------------------------------------------------------------------------------------ */

/* Returns a task; the null task is the last. */
static const sb_task *task_at(size_t i) {
    return i < sb_agentick.n_tasks ? (const sb_task *)sb_agentick.task(i) : &sb_null_task;
}
static size_t n_tasks(void) { return sb_agentick.n_tasks + 1; }

static void start_any(sb_episode *e, sb_rng *rng) {
    sb_error error;
    const sb_task *task = task_at((size_t)sb_integers(rng, 0, (int64_t)n_tasks()));
    const sb_difficulty difficulty = (sb_difficulty)sb_integers(rng, 0, SB_N_DIFFICULTIES);
    assert_ok(sb_episode_start(e, task, difficulty, sb_next32(rng), NULL, &error), error);
}

static void assert_same_episode(const sb_episode *a, const sb_episode *b) {
    uint64_t key_a[2], key_b[2];
    assert_memory_equal(a, b, offsetof(sb_episode, vars) + a->task->vars_size);
    assert_memory_equal(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a));
    sb_episode_key(a, key_a), sb_episode_key(b, key_b);
    assert_memory_equal(key_a, key_b, sizeof key_a);
}

static void assert_same_result(const sb_result *a, const sb_result *b) {
    assert_true(a->reward == b->reward && a->dense == b->dense);
    assert_true(a->terminated == b->terminated && a->truncated == b->truncated && a->success == b->success);
}

/* The copy overwrites another episode, which is larger or smaller. */
static void a_copy_continues_in_the_same_way(void **state) {
    (void)state;
    static sb_episode one, other;
    sb_rng rng;
    sb_rng_seed(&rng, 1, NULL);
    for (int round = 0; round < 300; round++) {
        start_any(&one, &rng), start_any(&other, &rng);
        const int at = (int)sb_integers(&rng, 0, 30);
        sb_result a = {0}, b = {0};
        for (int i = 0; i < 60 && !a.terminated && !a.truncated; i++) {
            const sb_action action = (sb_action)sb_integers(&rng, 0, SB_N_ACTIONS);
            if (i == at) sb_episode_copy(&other, &one);
            sb_episode_step(&one, action, &a);
            if (i < at) continue;
            sb_episode_step(&other, action, &b);
            assert_same_result(&a, &b);
            assert_same_episode(&one, &other);
        }
    }
}

static void a_used_block_starts_like_a_fresh_one(void **state) {
    (void)state;
    static sb_episode used, fresh;
    sb_rng rng;
    sb_error error;
    sb_rng_seed(&rng, 2, NULL);
    for (int round = 0; round < 200; round++) {
        sb_result result;
        start_any(&used, &rng);
        memset(&fresh, 0, sizeof fresh);
        assert_ok(sb_episode_start(&fresh, used.task, used.difficulty, used.seed, NULL, &error), error);
        assert_same_episode(&used, &fresh);
        for (int i = 0; i < 20; i++) sb_episode_step(&used, (sb_action)sb_integers(&rng, 0, SB_N_ACTIONS), &result);
    }
}

static bool same_key(const sb_episode *a, const sb_episode *b) {
    uint64_t key_a[2], key_b[2];
    sb_episode_key(a, key_a), sb_episode_key(b, key_b);
    return memcmp(key_a, key_b, sizeof key_a) == 0;
}

/* Changes byte after byte, from the agent to the used variables, and in the used cells. */
static void the_key_changes_with_every_byte_that_matters(void **state) {
    (void)state;
    static sb_episode changed;
    const sb_episode *e = start(&bare_task, SB_MEDIUM);
    uint8_t *bytes = (uint8_t *)&changed;
    const size_t head = offsetof(sb_episode, vars) + sizeof(vars), cells = offsetof(sb_episode, cells);
    for (size_t at = offsetof(sb_episode, agent); at < cells + 7 * 5 * sizeof(sb_cell); at++) {
        if (at == offsetof(sb_episode, width) || at == offsetof(sb_episode, height)) continue; /* these never change */
        if (at == head) at = cells;
        memcpy(&changed, e, sizeof changed);
        bytes[at] ^= 1;
        if (same_key(e, &changed)) fail_msg("byte %zu of the episode is not in the key", at);
    }
}

static void the_key_leaves_out_bookkeeping(void **state) {
    (void)state;
    static sb_episode changed;
    sb_draw_log log;
    const sb_episode *e = start(&bare_task, SB_MEDIUM);
    memcpy(&changed, e, sizeof changed);
    memset(changed.paid, 0x7f, sizeof changed.paid);
    memset(changed.vars + sizeof(vars), 0x7f, SB_VARS_MAX - sizeof(vars));
    memset(changed.cells + 7 * 5, 0x7f, (SB_CELLS_MAX - 7 * 5) * sizeof(sb_cell));
    changed.clock = 5, changed.log = &log;
    assert_true(same_key(e, &changed));
    changed.log = NULL;
}

static void the_key_has_the_clock_if_the_rules_read_it(void **state) {
    (void)state;
    static sb_episode later;
    memcpy(&later, start(&full_task, SB_MEDIUM), sizeof later);
    later.clock++;
    assert_false(same_key(&episode, &later));
}

/* Takes two walks to the same place, of different length and with different rewards. */
static void the_key_does_not_depend_on_the_path(void **state) {
    (void)state;
    static const sb_action detour[] = {SB_MOVE_LEFT, SB_MOVE_LEFT, SB_MOVE_UP, SB_MOVE_RIGHT, SB_MOVE_DOWN};
    static sb_episode short_way, long_way;
    sb_result result;
    sb_episode_copy(&long_way, start(&bare_task, SB_MEDIUM));
    sb_episode_copy(&short_way, &long_way);
    for (size_t i = 0; i < 5; i++) sb_episode_step(&long_way, detour[i], &result);
    sb_episode_step(&short_way, SB_MOVE_LEFT, &result);
    assert_false(same_key(&short_way, &long_way)); /* facing another way */
    sb_episode_step(&short_way, SB_MOVE_UP, &result), sb_episode_step(&short_way, SB_MOVE_DOWN, &result);
    assert_true(same_key(&short_way, &long_way));
}

/* ---- Inventory --------------------------------------------------------------------------------------------------- */

static void items_keep_their_order_and_leave_nothing_behind(void **state) {
    (void)state;
    static const sb_item zero;
    sb_episode *e = start(&bare_task, SB_MEDIUM);
    for (int i = 0; i < SB_ITEMS_MAX; i++) sb_take(e, SB_ITEM_KEY, i % 5, sb_at(i, i + 1));
    assert_int_equal(e->agent.n_items, SB_ITEMS_MAX);
    assert_int_equal(sb_carries(e, SB_ITEM_KEY, 1), 1); /* the first of two */
    assert_int_equal(sb_carries(e, SB_ITEM_KEY, 5), -1);
    assert_int_equal(sb_carries(e, SB_ITEM_NONE, 0), -1);
    sb_drop(e, 1);
    assert_int_equal(sb_carries(e, SB_ITEM_KEY, 1), 5);
    assert_true(sb_same(e->items[5].at, sb_at(6, 7)));
    while (e->agent.n_items) sb_drop(e, e->agent.n_items / 2);
    for (int i = 0; i < SB_ITEMS_MAX; i++) assert_memory_equal(&e->items[i], &zero, sizeof zero);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_calls_can_enter_then_on_enter_then_on_step),
        cmocka_unit_test(a_refused_entry_turns_the_agent_and_keeps_side_effects),
        cmocka_unit_test(terrain_stops_an_entry_that_the_hook_allowed),
        cmocka_unit_test(an_entry_hook_alone_decides_about_objects),
        cmocka_unit_test(hooks_get_no_cells_outside_the_grid),
        cmocka_unit_test(interact_reaches_the_cell_in_front),
        cmocka_unit_test(the_step_hook_runs_after_every_action),
        cmocka_unit_test(the_engine_decides_about_terrain_and_objects),
        cmocka_unit_test(rewards_see_the_values_from_before_the_step),
        cmocka_unit_test(the_default_sparse_reward_is_success),
        cmocka_unit_test(an_agent_that_has_to_endure_succeeds_at_the_limit),
        cmocka_unit_test(the_first_decision_stands),
        cmocka_unit_test(a_goal_is_no_success_if_rules_decide),
        cmocka_unit_test(an_episode_ends_by_its_rules_or_its_step_limit),
        cmocka_unit_test(the_error_names_a_task_without_an_instance),
        cmocka_unit_test(a_copy_continues_in_the_same_way),
        cmocka_unit_test(a_used_block_starts_like_a_fresh_one),
        cmocka_unit_test(the_key_changes_with_every_byte_that_matters),
        cmocka_unit_test(the_key_leaves_out_bookkeeping),
        cmocka_unit_test(the_key_has_the_clock_if_the_rules_read_it),
        cmocka_unit_test(the_key_does_not_depend_on_the_path),
        cmocka_unit_test(items_keep_their_order_and_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
