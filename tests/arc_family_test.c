/* Multi-level games as a family: shapes, actions, steps, what is shown, copies. The hooks are called as the layers
 * above call them. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "generators/arc/family.h"
#include "generators/arc/levels.h"
#include "generators/arc/observe.h"
#include "oracles/oracle.h"

enum { INTRO, FULL, UNDO = 6, CLICKS = 7 };

static size_t task_index(const char *name) {
    size_t i = 0;
    while (strcmp(sb_arc.task(i)->name, name) != 0) i++;
    return i;
}

static void begin(sb_env *env, const char *name, size_t difficulty, uint64_t seed) {
    sb_error error = {0};
    env->family = &sb_arc;
    env->task_index = task_index(name), env->task = sb_arc.task(env->task_index), env->difficulty_index = difficulty;
    env->name.seed = seed;
    env->shape = (sb_shape){0};
    sb_arc.shape(env->task, difficulty, &env->shape);
    env->n_actions = sb_n_actions(&env->shape);
    assert_ok(sb_arc.start(env, &env->status.max_steps, &error), error);
}

static sb_result step(sb_env *env, sb_action action) {
    sb_result result;
    sb_arc.step(env, action, &result);
    return result;
}

static char text[3 << 20];

static const char *observe(const sb_env *env, const char *mode) {
    sb_out out = sb_out_fixed(text, sizeof text);
    for (size_t i = 0; i < sb_arc.n_modes; i++)
        if (strcmp(sb_arc.modes[i].name, mode) == 0) sb_arc.observe(env, &sb_arc.modes[i], &out);
    assert_true(sb_out_finish(&out) < sizeof text);
    return text;
}

static void test_games_have_buttons_and_those_with_clicks_every_pixel(void **state) {
    (void)state;
    sb_env env = {0};
    begin(&env, "Moss", INTRO, 1);
    assert_int_equal(env.n_actions, 7 + 64 * 64);
    begin(&env, "Fold", INTRO, 1);
    assert_int_equal(env.n_actions, 7);
    sb_arc.clear(&env);
}

static void test_names_of_actions_are_read_back(void **state) {
    (void)state;
    sb_env env = {0};
    static const char *const others[][2] = {{"up", "action1"}, {"undo", "action7"}, {"click_12_63", "action6_12_63"}};
    begin(&env, "Stamp", INTRO, 1);
    for (sb_action action = 0; action < env.n_actions; action++) {
        char name[40];
        sb_action back;
        sb_out out = sb_out_fixed(name, sizeof name);
        sb_arc.print_action(&env, action, &out);
        sb_out_finish(&out);
        for (char *c = name; *c; c++) *c = *c == ' ' ? '_' : *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
        assert_true(sb_arc.parse_action(&env, name, &back));
        assert_int_equal(back, action);
    }
    for (size_t i = 0; i < 3; i++) {
        sb_action one = -1, other = -2;
        assert_true(sb_arc.parse_action(&env, others[i][0], &one) && sb_arc.parse_action(&env, others[i][1], &other));
        assert_int_equal(one, other);
    }
    sb_action action;
    static const char *const wrong[] = {"action6", "action6_1", "action6_64_1", "action6_1_-1", "action6_1_1x",
                                        "action8", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(sb_arc.parse_action(&env, wrong[i], &action));
    begin(&env, "Fold", INTRO, 1);
    assert_false(sb_arc.parse_action(&env, "action6_1_1", &action));
    sb_arc.clear(&env);
}

static sb_action number_of(const sb_env *env, sb_arc_move move) {
    const sb_arc_episode *e = env->state;
    const sb_arc_action action = sb_arc_action_of(sb_arc_play_level(&e->play), move);
    return action.id == SB_ARC_CLICK ? CLICKS + 64 * action.y + action.x : action.id == SB_ARC_UNDO ? UNDO : action.id;
}

/* Follows the oracle through all levels; rewards add up to one. */
static void win(sb_env *env) {
    const sb_arc_episode *e = env->state;
    sb_arc_solver solver = {0};
    sb_error error = {0};
    sb_result result = {0};
    double total = 0;
    assert_ok(sb_arc_solver_new(&solver, e->play.game, false, &error), error);
    while (!result.terminated) {
        const sb_arc_level *level = sb_arc_play_level(&e->play);
        assert_int_equal(sb_arc_solve(&solver, level, e->play.now.situation, e->play.now.left), SB_SOLVED);
        for (int i = 0; i < solver.n_plan; i++) {
            assert_false(result.terminated);
            result = step(env, number_of(env, solver.plan[i]));
            total += result.reward;
        }
    }
    assert_true(result.success && !result.truncated);
    assert_true(total > 0.999 && total < 1.001);
    sb_arc_solver_free(&solver);
}

static void test_every_game_is_won_with_rewards_that_add_up_to_one(void **state) {
    (void)state;
    sb_env env = {0};
    for (size_t i = 0; i < sb_arc.n_tasks; i++) {
        sb_status status = {0};
        begin(&env, sb_arc.task(i)->name, INTRO, 2);
        win(&env);
        sb_arc.stand(&env, &status);
        assert_int_equal(status.level, 3);
        assert_int_equal(status.n_levels, 3);
        sb_arc.clear(&env);
    }
}

extern const sb_oracle sb_arc_expert;

static sb_action ask(void *memory, const sb_env *env) {
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    sb_observation observation = {.env = env};
    sb_intent intent = {0};
    sb_action action = -1;
    sb_arc_expert.act(memory, &observation, &budget, &action, &intent);
    assert_in_range(action, 0, env->n_actions - 1);
    return action;
}

/* From the start, and after some actions of another; it is asked once before each action. */
static void check_expert(const char *name, int disturbed) {
    sb_env env = {0};
    sb_error error = {0};
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    sb_result result = {0};
    void *memory = calloc(1, sb_arc_expert.memory);
    int n = 0;
    begin(&env, name, INTRO, 3);
    assert_ok(sb_arc_expert.begin(memory, &env, &budget, &error), error);
    for (; !result.terminated && !result.truncated; n++) {
        const sb_action action = ask(memory, &env);
        result = step(&env, n < disturbed ? (action + 1 + n) % 7 : action);
    }
    assert_true(result.success);
    sb_arc_expert.close(memory);
    free(memory);
    sb_arc.clear(&env);
}

static void test_the_expert_wins_from_the_start_and_after_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_arc.n_tasks; i++) {
        check_expert(sb_arc.task(i)->name, 0);
        check_expert(sb_arc.task(i)->name, 10);
    }
}

/* The same memory serves one game after another. */
static void test_the_memory_of_the_expert_serves_all_games(void **state) {
    (void)state;
    void *memory = calloc(1, sb_arc_expert.memory);
    sb_env env = {0};
    for (size_t i = 0; i < sb_arc.n_tasks; i++) {
        sb_error error = {0};
        sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
        sb_result result = {0};
        begin(&env, sb_arc.task(i)->name, INTRO, 1);
        assert_ok(sb_arc_expert.begin(memory, &env, &budget, &error), error);
        while (!result.terminated) {
            assert_false(result.truncated);
            result = step(&env, ask(memory, &env));
        }
        assert_true(result.success);
    }
    sb_arc_expert.close(memory);
    free(memory);
    sb_arc.clear(&env);
}

static void test_intro_has_the_first_levels_of_full(void **state) {
    (void)state;
    sb_env intro = {0}, full = {0};
    begin(&intro, "DyeWorks", INTRO, 9);
    begin(&full, "DyeWorks", FULL, 9);
    const sb_arc_episode *a = intro.state, *b = full.state;
    assert_int_equal(a->n_levels, 3);
    assert_int_equal(b->n_levels, 8);
    assert_memory_equal(a->levels, b->levels, 3 * sizeof *a->levels);
    assert_true(intro.shape.max_steps < full.shape.max_steps);
    sb_arc.clear(&intro);
    sb_arc.clear(&full);
}

static void test_only_a_reset_is_valid_after_game_over(void **state) {
    (void)state;
    sb_env env = {0};
    bool mask[8];
    begin(&env, "Shepherd", INTRO, 3);
    sb_arc.valid(&env, mask);
    assert_memory_equal(mask, ((bool[]){0, 1, 1, 1, 1, 1, 0}), 7);
    const sb_arc_episode *e = env.state;
    while (e->play.now.loop.state != SB_ARC_GAME_OVER) assert_false(step(&env, UNDO - 1).terminated);
    sb_arc.valid(&env, mask);
    assert_memory_equal(mask, ((bool[]){1, 0, 0, 0, 0, 0, 0}), 7);
    const int32_t steps = e->steps;
    step(&env, 1);
    assert_int_equal(e->play.now.loop.state, SB_ARC_GAME_OVER);
    assert_int_equal(e->steps, steps + 1);
    step(&env, 0);
    assert_int_equal(e->play.now.loop.state, SB_ARC_NOT_FINISHED);
    sb_arc.clear(&env);
}

static void test_episodes_end_at_their_limit(void **state) {
    (void)state;
    sb_env env = {0};
    begin(&env, "Fold", INTRO, 3);
    sb_result result = {0};
    int32_t n = 0;
    while (!result.truncated) {
        const sb_arc_episode *e = env.state;
        result = step(&env, e->play.now.loop.state == SB_ARC_GAME_OVER ? 0 : UNDO);
        n++;
    }
    assert_int_equal(n, env.shape.max_steps);
    assert_false(result.terminated);
    sb_arc.clear(&env);
}

/* ---- What is shown -------------------------------------------------------------------------------------------------
 */

static char digit(uint8_t colour) { return "0123456789abcdef"[colour]; }

static uint8_t value(char c) { return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

static void test_texts_and_arrays_tell_the_same(void **state) {
    (void)state;
    sb_env env = {0};
    uint8_t frame[SB_ARC_FRAME];
    int32_t count, level;
    begin(&env, "Chimes", INTRO, 4);
    step(&env, 5);
    sb_arc.fill(&env, 0, frame);
    sb_arc.fill(&env, 1, &count);
    sb_arc.fill(&env, 2, &level);
    const char *shown = observe(&env, "frame");
    for (int i = 0; i < SB_ARC_FRAME; i++) assert_int_equal(shown[i + i / 64], digit(frame[i]));
    assert_string_equal(shown + 64 * 65, "level 1 of 3, state NOT_FINISHED, actions 5 6");
    assert_int_equal(level, 1);
    assert_int_equal(count, 7);
    shown = observe(&env, "frames");
    assert_non_null(strstr(shown, "frame 7 of 7\n"));
    assert_null(strstr(shown, "frame 8"));
    sb_arc.clear(&env);
}

/* Applying the changes to the frame before gives the frame. */
static void test_changes_lead_from_frame_to_frame(void **state) {
    (void)state;
    sb_env env = {0};
    uint8_t frame[SB_ARC_FRAME], next[SB_ARC_FRAME];
    begin(&env, "TwinCompass", INTRO, 5);
    sb_arc.fill(&env, 0, frame);
    for (int i = 0; i < 12; i++) {
        step(&env, 1 + i % 4);
        sb_arc.fill(&env, 0, next);
        const char *line = observe(&env, "diff");
        int y, from, to, n;
        char colours[65];
        for (; sscanf(line, "%d %d-%d %64[0-9a-f]%n", &y, &from, &to, colours, &n) == 4; line += n + 1)
            for (int x = from; x <= to; x++) frame[64 * y + x] = value(colours[x - from]);
        assert_memory_equal(frame, next, sizeof frame);
    }
    sb_arc.clear(&env);
}

static void test_answers_are_documents(void **state) {
    (void)state;
    sb_env env = {0};
    sb_error error = {0};
    begin(&env, "Moss", INTRO, 6);
    step(&env, CLICKS + 64 * 20 + 21);
    const char *shown = observe(&env, "answer");
    cJSON *document = sb_json_parse(shown, strlen(shown), &error);
    assert_ok(document, error);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "frame")), 2);
    const cJSON *data = cJSON_GetObjectItem(cJSON_GetObjectItem(document, "action_input"), "data");
    assert_int_equal(cJSON_GetObjectItem(data, "x")->valuedouble, 21);
    assert_int_equal(cJSON_GetObjectItem(data, "y")->valuedouble, 20);
    assert_string_equal(cJSON_GetObjectItem(document, "game_id")->valuestring, "Moss");
    cJSON_Delete(document);
    sb_arc.clear(&env);
}

/* ---- Copies --------------------------------------------------------------------------------------------------------
 */

static void assert_same(const sb_env *a, const sb_env *b) {
    uint64_t one[2], other[2];
    uint8_t x[32], y[32];
    sb_arc.key(a, one);
    sb_arc.key(b, other);
    assert_memory_equal(one, other, sizeof one);
    sb_arc.digest(a, x);
    sb_arc.digest(b, y);
    assert_memory_equal(x, y, sizeof x);
}

/* Also onto an environment that played another seed, or the same one. */
static void test_copies_have_their_own_levels(void **state) {
    (void)state;
    sb_error error = {0};
    for (uint64_t seed = 7; seed < 9; seed++) {
        sb_env from = {0}, to = {0};
        begin(&from, "Polarity", INTRO, 7);
        begin(&to, "Polarity", INTRO, seed);
        step(&to, 1);
        for (int i = 0; i < 6; i++) step(&from, 1 + i % 5);
        assert_ok(sb_arc.copy(&to, &from, &error), error);
        to.shape = from.shape;
        assert_same(&to, &from);
        step(&to, 2), step(&from, 2);
        assert_same(&to, &from);
        sb_arc.clear(&from);
        win(&to);
        sb_arc.clear(&to);
    }
}

/* ---- What is hidden ------------------------------------------------------------------------------------------------
 */

static void assert_hides_the_same(const sb_env *a, const sb_env *b) {
    sb_env one = {0}, other = {0};
    sb_error error = {0};
    uint64_t x[2], y[2];
    one.shape = other.shape = a->shape;
    assert_ok(sb_arc.copy(&one, a, &error) && sb_arc.copy(&other, b, &error), error);
    sb_arc.hide(&one), sb_arc.hide(&other);
    sb_arc.key(&one, x), sb_arc.key(&other, y);
    assert_memory_equal(x, y, sizeof x);
    sb_arc.hide(&one);
    sb_arc.key(&one, x);
    assert_memory_equal(x, y, sizeof x);
    sb_arc.clear(&one), sb_arc.clear(&other);
}

/* Levels that are not reached leave no trace, whatever they are; nothing is left to hide the second time. */
static void test_what_is_left_does_not_depend_on_what_is_hidden(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_arc.n_tasks; i++) {
        sb_env env = {0}, other = {0};
        sb_error error = {0};
        begin(&env, sb_arc.task(i)->name, FULL, 11);
        for (sb_action action = 1; action < 30; action++) {
            step(&env, 1 + action % 5);
            assert_ok(sb_arc.copy(&other, &env, &error), error);
            sb_arc_episode *e = other.state;
            e->seed++;
            e->levels[e->n_levels - 1].cells[30] ^= 1;
            e->levels[e->n_levels - 1].best += 4;
            assert_hides_the_same(&env, &other);
        }
        sb_arc.clear(&env), sb_arc.clear(&other);
    }
}

/* Every melody begins in the same situation, but no episode is another one. */
static void test_episodes_that_begin_in_the_same_situation_have_other_keys(void **state) {
    (void)state;
    sb_env one = {0}, other = {0};
    uint64_t x[2], y[2];
    begin(&one, "Chimes", INTRO, 1), begin(&other, "Chimes", INTRO, 2);
    sb_arc.key(&one, x), sb_arc.key(&other, y);
    assert_memory_not_equal(x, y, sizeof x);
    sb_arc.clear(&one), sb_arc.clear(&other);
}

/* A walker in the dark learns nothing of what is far from it. */
static void test_the_dark_leaves_no_trace(void **state) {
    (void)state;
    sb_env env = {0}, other = {0};
    sb_error error = {0};
    begin(&env, "Lantern", FULL, 11);
    assert_ok(sb_arc.copy(&other, &env, &error), error);
    sb_arc_level *level = ((sb_arc_episode *)other.state)->levels;
    for (int y = level->height - 3; y < level->height - 1; y++)
        for (int x = level->width - 3; x < level->width - 1; x++) level->cells[sb_arc_cell(level, x, y)] ^= 1;
    assert_hides_the_same(&env, &other);
    level->cells[sb_arc_cell(level, 2, 1)] ^= 1; /* beside the walker */
    sb_arc.hide(&env), sb_arc.hide(&other);
    uint64_t x[2], y[2];
    sb_arc.key(&env, x), sb_arc.key(&other, y);
    assert_memory_not_equal(x, y, sizeof x);
    sb_arc.clear(&env), sb_arc.clear(&other);
}

extern const sb_oracle sb_arc_curious;

/* In a frame that stays the same, the curious agent takes all actions equally often. */
static void test_the_curious_agent_takes_the_least_tried_action(void **state) {
    (void)state;
    sb_env env = {0};
    sb_error error = {0};
    sb_budget budget = {0};
    void *memory = calloc(1, sb_arc_curious.memory);
    int times[7] = {0};
    begin(&env, "Shepherd", INTRO, 4);
    assert_ok(sb_arc_curious.begin(memory, &env, &budget, &error), error);
    for (int i = 0; i < 50; i++) {
        sb_observation observation = {.env = &env};
        sb_intent intent = {0};
        sb_action action = -1;
        sb_arc_curious.act(memory, &observation, &budget, &action, &intent);
        assert_in_range(action, 1, 5);
        times[action]++;
        env.taken = action;
    }
    for (int action = 1; action <= 5; action++) assert_int_equal(times[action], 10);
    free(memory);
    sb_arc.clear(&env);
}

/* Clicks on the worthwhile places hit every cell of the board once. */
static void test_worthwhile_clicks_hit_every_cell(void **state) {
    (void)state;
    static sb_action places[SB_ARC_CELLS];
    sb_env env = {0};
    begin(&env, "Scales", INTRO, 1);
    const sb_arc_episode *e = env.state;
    const size_t n = sb_arc.clicks(&env, places, SB_ARC_CELLS);
    assert_int_equal(n, 15 * 15);
    for (size_t i = 0; i < n; i++) {
        const int place = places[i] - CLICKS;
        const sb_arc_action click = {.id = SB_ARC_CLICK, .x = (uint8_t)(place % 64), .y = (uint8_t)(place / 64)};
        assert_int_equal(sb_arc_play_move(&e->play, click).cell, i);
        assert_true(i == 0 || places[i] > places[i - 1]);
    }
    sb_arc.clear(&env);
}

/* Whoever would start many episodes beside those that were asked for, only to tell something of them, asks before. */
static void test_starts_are_found_by_searches(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_arc.n_tasks; i++)
        assert_true(sb_is_searched(&sb_arc, sb_arc.task(i), INTRO) && sb_is_searched(&sb_arc, sb_arc.task(i), FULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_have_buttons_and_those_with_clicks_every_pixel),
        cmocka_unit_test(test_names_of_actions_are_read_back),
        cmocka_unit_test(test_every_game_is_won_with_rewards_that_add_up_to_one),
        cmocka_unit_test(test_the_expert_wins_from_the_start_and_after_mistakes),
        cmocka_unit_test(test_the_memory_of_the_expert_serves_all_games),
        cmocka_unit_test(test_intro_has_the_first_levels_of_full),
        cmocka_unit_test(test_only_a_reset_is_valid_after_game_over),
        cmocka_unit_test(test_episodes_end_at_their_limit),
        cmocka_unit_test(test_texts_and_arrays_tell_the_same),
        cmocka_unit_test(test_changes_lead_from_frame_to_frame),
        cmocka_unit_test(test_answers_are_documents),
        cmocka_unit_test(test_copies_have_their_own_levels),
        cmocka_unit_test(test_what_is_left_does_not_depend_on_what_is_hidden),
        cmocka_unit_test(test_episodes_that_begin_in_the_same_situation_have_other_keys),
        cmocka_unit_test(test_starts_are_found_by_searches),
        cmocka_unit_test(test_the_dark_leaves_no_trace),
        cmocka_unit_test(test_the_curious_agent_takes_the_least_tried_action),
        cmocka_unit_test(test_worthwhile_clicks_hit_every_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
