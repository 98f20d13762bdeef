/* Scores by efficiency from what episodes took: the recorded games of the published scorer, worked examples, plays that
 * would have ended earlier, and what results read. */
#include "tests/support.h"

#include <math.h>
#include <string.h>

#include "evaluation/efficiency.h"

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* The recorded games whose completed levels come first, as in play. */
static bool read_game(const cJSON *game, sb_effort *effort) {
    const cJSON *level;
    *effort = (sb_effort){0};
    cJSON_ArrayForEach(level, cJSON_GetObjectItemCaseSensitive(game, "levels")) {
        const bool completed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(level, "completed"));
        if (completed && effort->completed < effort->n_levels) return false;
        effort->completed += completed;
        effort->baselines[effort->n_levels] = (uint32_t)number(level, "baseline");
        effort->actions[effort->n_levels++] = (uint32_t)number(level, "actions");
    }
    return true;
}

static void test_games_have_the_published_scores(void **state) {
    (void)state;
    size_t n = 0;
    sb_error error = {0};
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load_plain(golden("arc/scoring.json"), 1 << 20, &text, &error), error);
    cJSON *vectors = sb_json_parse(text.data, text.size, &error);
    assert_ok(vectors, error);
    sb_out_free(&text);
    const cJSON *game;
    cJSON_ArrayForEach(game, cJSON_GetObjectItemCaseSensitive(vectors, "games")) {
        sb_effort effort;
        if (!read_game(game, &effort)) continue;
        assert_true(sb_effort_score(&effort) == number(game, "score"));
        n++;
    }
    assert_true(n >= 5);
    cJSON_Delete(vectors);
}

/* Three levels, two completed: the first at the baseline, the second with twice as many actions. */
static const sb_effort example = {
    .n_levels = 3, .completed = 2, .resets = 1, .losses = 1, .actions = {10, 40, 7}, .baselines = {10, 20, 30}};

static void assert_near(double value, double wanted) { assert_true(fabs(value - wanted) < 1e-9); }

static void test_a_play_that_had_ended_earlier_has_the_levels_completed_by_then(void **state) {
    (void)state;
    assert_near(sb_effort_score_at(&example, 9), 0);
    assert_near(sb_effort_score_at(&example, 10), 100.0 / 6);
    assert_near(sb_effort_score_at(&example, 49.5), 100.0 / 6);
    assert_near(sb_effort_score_at(&example, 50), (100.0 + 2 * 25) / 6);
    assert_near(sb_effort_score_at(&example, 1e9), sb_effort_score(&example));
}

/* 57 actions pay for levels of 10 and 20, not for one of 30 more. */
static void test_the_matched_budget_pays_for_whole_levels(void **state) {
    (void)state;
    sb_effort effort = example;
    assert_near(sb_effort_matched(&effort), (100.0 + 200) / 6);
    effort.actions[2] = 9;
    assert_near(sb_effort_matched(&effort), (100.0 + 200) / 6);
    effort.actions[2] = 10;
    assert_near(sb_effort_matched(&effort), 100);
}

static void test_sums_are_over_all_episodes(void **state) {
    (void)state;
    const sb_effort nothing = {.n_levels = 3, .actions = {4}, .baselines = {10, 20, 30}};
    sb_efficiency sums = {0};
    sb_efficiency_add(&sums, &example);
    sb_efficiency_add(&sums, &nothing);
    assert_int_equal(sums.episodes, 2);
    assert_int_equal(sums.levels, 6);
    assert_int_equal(sums.levels_completed, 2);
    assert_int_equal(sums.actions, 61);
    assert_int_equal(sums.solving_actions, 50);
    assert_int_equal(sums.resets, 1);
    assert_int_equal(sums.losses, 1);
}

static cJSON *written(const sb_effort *effort) {
    sb_error error;
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_member_effort(&out, effort);
    sb_puts(&out, "}");
    cJSON *document = sb_json_parse(out.data, out.size, &error);
    assert_ok(document, error);
    sb_out_free(&out);
    return document;
}

static void test_what_was_written_is_read_back(void **state) {
    (void)state;
    sb_error error;
    sb_effort back = {0};
    cJSON *document = written(&example);
    assert_ok(sb_read_effort(document, &back, &error), error);
    assert_memory_equal(&back, &example, sizeof back);
    cJSON_Delete(document);
}

static void refuse(const char *key, cJSON *value, const char *words) {
    sb_error error = {0};
    sb_effort back = {0};
    cJSON *document = written(&example);
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(document, "efficiency"), key, value);
    assert_false(sb_read_effort(document, &back, &error));
    if (!strstr(error.text, words)) fail_msg("%s: %s", key, error.text);
    cJSON_Delete(document);
}

static void test_numbers_that_do_not_fit_are_refused(void **state) {
    (void)state;
    refuse("score", cJSON_CreateNumber(99), "`score`");
    refuse("levels_completed", cJSON_CreateNumber(4), "every level");
    refuse("level_actions", cJSON_Parse("[10, 40]"), "every level");
    refuse("level_actions", cJSON_Parse("[10, -1, 7]"), "`level_actions`");
    refuse("level_baselines", cJSON_Parse("[10, 0, 30]"), "`level_baselines`");
    refuse("level_baselines", cJSON_Parse("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"), "`level_baselines`");
    refuse("resets", cJSON_CreateNumber(1e10), "`resets`");
    refuse("losses", cJSON_CreateString("none"), "`losses`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_have_the_published_scores),
        cmocka_unit_test(test_a_play_that_had_ended_earlier_has_the_levels_completed_by_then),
        cmocka_unit_test(test_the_matched_budget_pays_for_whole_levels),
        cmocka_unit_test(test_sums_are_over_all_episodes),
        cmocka_unit_test(test_what_was_written_is_read_back),
        cmocka_unit_test(test_numbers_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
