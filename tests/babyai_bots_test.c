/* BabyAI's published bots compared with their recordings, and BabyBench's scores of given plans. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracles/babyai/bot.h"
#include "oracles/babyai/decompose.h"
#include "rollout/worker.h"

enum { ACTIONS_MAX = 8192, SEEDS = 100, STEPS = 150 };

/* ---- Recorded rollouts ---- */

static const char *const recordings[] = {"babyai/babybench.jsonl.gz", "babyai/other.jsonl.gz"};
enum { FILES = TESTS_ARE_SLOW ? 1 : 2 };

static sb_env *episode_of(const cJSON *row) {
    char name[SB_NAME_MAX];
    sb_error error;
    snprintf(name, sizeof name, "babyai:%s#%d", cJSON_GetObjectItem(row, "id")->valuestring,
             cJSON_GetObjectItem(row, "seed")->valueint);
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env, error);
    return env;
}

static const char *text_of(const cJSON *object, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, key));
}

static void each_rollout(const cJSON *row, const char *policy, void (*check)(const cJSON *row, const cJSON *rollout)) {
    const cJSON *rollout;
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(row, "rollouts")) if (strcmp(text_of(rollout, "policy"), policy) ==
                                                                          0) check(row, rollout);
}

static void take(sb_env *env, char digit) {
    sb_error error;
    sb_result result;
    assert_ok(sb_step(env, digit - '0', &result, &error), error);
}

static void assert_suggests(const cJSON *row, size_t step, sb_action action, char recorded) {
    if (action != recorded - '0')
        fail_msg("%s#%d, step %zu: %d instead of %c", text_of(row, "id"), cJSON_GetObjectItem(row, "seed")->valueint,
                 step, (int)action, recorded);
}

/* Maps the message of the published code when it gave up. */
static sb_bot_trouble trouble_of(const char *error) {
    if (!error) return SB_BOT_FINE;
    if (strstr(error, "nothing left to explore")) return SB_BOT_EXPLORED;
    return strstr(error, "endless replanning") ? SB_BOT_RESTLESS : SB_BOT_MISFIT;
}

static int bots_played;

/* Tells the bot what it did itself. The result must be the same as without telling. */
static void check_bot(sb_bot_kind kind, const cJSON *row, const cJSON *rollout) {
    static sb_bot bot;
    sb_env *env = episode_of(row);
    const char *recorded = text_of(rollout, "actions");
    const cJSON *help = cJSON_GetObjectItem(rollout, "help_count");
    const sb_bot_trouble trouble = trouble_of(text_of(rollout, "error"));
    sb_budget budget = {0};
    size_t i = 0;
    sb_bot_begin(&bot, kind, sb_mg_world_of(env));
    for (; recorded[i]; i++) {
        const int taken = i > 0 && i % 2 ? recorded[i - 1] - '0' : SB_BOT_NOT_TOLD;
        assert_suggests(row, i, (sb_action)sb_bot_replan(&bot, sb_mg_world_of(env), taken, &budget), recorded[i]);
        assert_int_equal(bot.trouble, SB_BOT_FINE);
        take(env, recorded[i]);
    }
    if (trouble) sb_bot_replan(&bot, sb_mg_world_of(env), SB_BOT_NOT_TOLD, &budget);
    assert_int_equal(bot.trouble, trouble);
    if (help) assert_int_equal(bot.pushes, help->valueint);
    sb_free(env);
    bots_played++;
}

static void check_published(const cJSON *row, const cJSON *rollout) { check_bot(SB_BOT_PUBLISHED, row, rollout); }
static void check_omnibot(const cJSON *row, const cJSON *rollout) { check_bot(SB_BOT_OMNIBOT, row, rollout); }

static void check_both(const cJSON *row) {
    each_rollout(row, "bot", check_published);
    each_rollout(row, "omnibot", check_omnibot);
}

static void test_bots_do_what_was_recorded_and_fail_where_they_failed(void **state) {
    (void)state;
    for (int i = 0; i < FILES; i++) each_vector(recordings[i], check_both);
    assert_true(bots_played > (TESTS_ARE_SLOW ? 100 : 400));
}

/* ---- The bots as oracles ---- */

static void check_oracle(const char *agent, const cJSON *row, const cJSON *rollout) {
    sb_env *env = episode_of(row);
    sb_error error;
    sb_player player = {0};
    const char *recorded = text_of(rollout, "actions");
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    for (size_t i = 0; recorded[i]; i++) {
        assert_suggests(row, i, sb_player_act(&player, env), recorded[i]);
        assert_non_null(player.intent.verb);
        take(env, recorded[i]);
    }
    while (!sb_status_of(env)->done && text_of(rollout, "error")) {
        assert_int_equal(sb_player_act(&player, env), SB_MG_DONE);
        assert_string_equal(player.intent.verb, "give up");
        take(env, '0' + SB_MG_DONE);
    }
    sb_player_clear(&player);
    sb_free(env);
}

static void check_published_oracle(const cJSON *row, const cJSON *rollout) { check_oracle("published", row, rollout); }
static void check_omnibot_oracle(const cJSON *row, const cJSON *rollout) { check_oracle("omnibot", row, rollout); }

static void check_both_oracles(const cJSON *row) {
    if (cJSON_GetObjectItem(row, "seed")->valueint > 1) return;
    each_rollout(row, "bot", check_published_oracle);
    each_rollout(row, "omnibot", check_omnibot_oracle);
}

static void test_players_act_as_the_bots_and_do_nothing_once_they_give_up(void **state) {
    (void)state;
    for (int i = 0; i < FILES; i++) each_vector(recordings[i], check_both_oracles);
}

static bool succeeds(sb_worker *worker, const char *agent, const char *text) {
    sb_error error;
    sb_name name;
    assert_ok(sb_name_parse(NULL, text, &name, &error), error);
    assert_ok(sb_worker_play(worker, agent, &name, NULL, NULL, &error), error);
    return worker->tape.outcome.success;
}

static void test_bots_have_their_published_failures(void **state) {
    (void)state;
    static const struct {
        const char *name, *who_fails, *who_does_not;
    } failures[] = {{"babyai:SynthSeq#0", "omnibot", "published"},  {"babyai:SynthSeq#79", "omnibot", "published"},
                    {"babyai:BossLevel#0", "omnibot", "published"}, {"babyai:BossLevel#27", "omnibot", "published"},
                    {"babyai:UnlockToUnlock#4", "published", NULL}, {"babyai:KeyInBox#0", "published", NULL},
                    {"babyai:SynthS5R2#18", "published", NULL}};
    sb_worker worker = {0};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        assert_false(succeeds(&worker, failures[i].who_fails, failures[i].name));
        if (failures[i].who_does_not) assert_true(succeeds(&worker, failures[i].who_does_not, failures[i].name));
    }
    assert_true(succeeds(&worker, "omnibot", "babyai:BossLevel#81"));
    assert_int_equal(worker.tape.n, 158); /* as printed in BabyBench's paper */
    sb_worker_free(&worker);
}

static void test_a_bot_that_goes_round_in_circles_says_so(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "babyai:UnlockToUnlock#4", &error);
    sb_player player = {0};
    assert_ok(sb_player_begin_as(&player, "published", env, &error), error);
    while (!sb_status_of(env)->done) take(env, (char)('0' + sb_player_act(&player, env)));
    assert_string_equal(player.intent.verb, "give up");
    assert_string_equal(player.intent.object, "the plan never ends");
    sb_player_clear(&player);
    sb_free(env);
}

static void test_all_levels_list_the_bots_among_their_oracles(void **state) {
    (void)state;
    const char *names[SB_ORACLES_MAX];
    sb_error error = {0};
    int bots = 0;
    const size_t n = sb_oracles_of("babyai", "BossLevel", names);
    for (size_t i = 0; i < n; i++) bots += strcmp(names[i], "published") == 0 || strcmp(names[i], "omnibot") == 0;
    assert_int_equal(bots, 2);
    assert_true(sb_agent_exists("omnibot", "babyai", "OneRoomS20", &error));
    assert_error(sb_agent_exists("omniboot", "babyai", "OneRoomS20", &error), &error, SB_UNKNOWN, "omnibot");
    assert_error(sb_agent_exists("omnibot", "agentick", "GoToGoal-v0", &error), &error, SB_UNKNOWN, "no agent");
}

/* ---- Another player acts ---- */

/* Rollouts `mixed` follow the published bot's advice or replace it by a random action. When, and by which action,
 * depends only on the seed and the step. So at a step where nearly all rollouts of a seed agree with the bot, all of
 * them must. */
static int agreed[SEEDS][STEPS], differed[SEEDS][STEPS];
static int told_and_untold, told_unlike_untold;

static void check_mixed(const cJSON *row, const cJSON *rollout) {
    static sb_bot bot;
    sb_error error;
    sb_env *env = episode_of(row);
    sb_player player = {0};
    const int seed = cJSON_GetObjectItem(row, "seed")->valueint;
    const char *recorded = text_of(rollout, "actions");
    sb_budget budget = {0};
    int taken = SB_BOT_NOT_TOLD;
    sb_bot_begin(&bot, SB_BOT_PUBLISHED, sb_mg_world_of(env));
    assert_ok(sb_player_begin_as(&player, "published", env, &error), error);
    for (size_t i = 0; recorded[i]; i++) {
        const sb_mg_action advice = sb_bot_replan(&bot, sb_mg_world_of(env), taken, &budget);
        if (bot.trouble) break; /* from here on all actions are random */
        taken = recorded[i] - '0';
        (advice == (sb_mg_action)taken ? agreed : differed)[seed][i]++;
        told_and_untold++, told_unlike_untold += sb_player_act(&player, env) != (sb_action)advice;
        take(env, recorded[i]);
    }
    sb_player_clear(&player);
    sb_free(env);
}

static void check_mixed_row(const cJSON *row) { each_rollout(row, "mixed", check_mixed); }

static void test_the_published_bot_puts_right_what_somebody_else_did(void **state) {
    (void)state;
    int followed = 0;
    for (int i = 0; i < FILES; i++) each_vector(recordings[i], check_mixed_row);
    for (int seed = 0; seed < SEEDS; seed++)
        for (int i = 0; i < STEPS; i++) {
            const int all = agreed[seed][i] + differed[seed][i];
            if (all < 20 || differed[seed][i] * 16 > all) continue;
            if (differed[seed][i]) fail_msg("seed %d, step %d: %d of %d differ", seed, i, differed[seed][i], all);
            followed += agreed[seed][i];
        }
    if (!TESTS_ARE_SLOW) assert_true(followed > 3000); /* in a single file too few rollouts share a seed */
}

/* Runs after the test above, which played the rollouts. */
static void test_oracles_go_by_what_somebody_else_did(void **state) {
    (void)state;
    assert_true(told_and_untold > (TESTS_ARE_SLOW ? 2000 : 8000));
    assert_int_equal(told_unlike_untold, 0);
}

/* ---- Given plans ---- */

static void check_decomposed(const cJSON *row) {
    static sb_action actions[ACTIONS_MAX];
    static char digits[ACTIONS_MAX];
    sb_env *env = episode_of(row);
    sb_error error;
    sb_decomposition d;
    assert_ok(sb_bot_decompose(env, text_of(row, "plan"), &d, actions, ACTIONS_MAX, &error), error);
    assert_true(d.n < ACTIONS_MAX);
    for (size_t i = 0; i < d.n; i++) digits[i] = (char)('0' + actions[i]);
    digits[d.n] = '\0';
    assert_string_equal(digits, text_of(row, "actions"));
    assert_int_equal(d.scores.added, cJSON_GetObjectItem(row, "added")->valueint);
    assert_int_equal(d.scores.max_help, cJSON_GetObjectItem(row, "max_help")->valueint);
    assert_true(d.scores.comprehension == cJSON_GetObjectItem(row, "CR")->valuedouble);
    assert_true(d.scores.precision == cJSON_GetObjectItem(row, "PR")->valuedouble);
    assert_true(d.scores.assistance == cJSON_GetObjectItem(row, "ACI")->valuedouble);
    assert_int_equal(sb_status_of(env)->steps, 0);
    sb_free(env);
}

static void test_given_plans_are_scored_as_recorded(void **state) {
    (void)state;
    assert_int_equal(each_vector("babyai/decompose.jsonl.gz", check_decomposed), 288);
}

static void test_plans_are_read_in_any_spelling(void **state) {
    (void)state;
    static const char *const spellings[] = {"(PickupSubgoal)\n(GoNextToSubgoal, (3,-14))",
                                            "PickupSubgoal\nGoNextToSubgoal,(3,-14)",
                                            "\n  ( PickupSubgoal )\r\n\tGoNextToSubgoal , ( 3 , - 14 ) \r\n\n"};
    static sb_bot bot;
    sb_error error;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        assert_ok(sb_bot_begin_with_plan(&bot, SB_BOT_OMNIBOT, spellings[i], &error), error);
        assert_int_equal(bot.n, 2);
        assert_int_equal(bot.pushes, 0);
        assert_int_equal(bot.stack[1].kind, SB_PICK_UP);
        assert_int_equal(bot.stack[0].kind, SB_GO_NEXT_TO);
        assert_int_equal(bot.stack[0].target.cell.x, 3);
        assert_int_equal(bot.stack[0].target.cell.y, -14);
    }
}

static void test_a_bad_plan_is_refused_with_its_line_and_the_reason(void **state) {
    (void)state;
    static const struct {
        const char *plan, *words;
    } bad[] = {
        {"", "empty"},
        {" \n\n ", "empty"},
        {"(OpenSubgoal)\n(JumpSubgoal)", "line 2 of the plan: unknown subgoal `JumpSubgoal`; known subgoals: GoNextTo"},
        {"(OpenSubgoal", "line 1 of the plan, column 13: `)` expected"},
        {"OpenSubgoal)", "column 12: the end of the line expected"},
        {"OpenSubgoal, (1,2)", "the end of the line expected"},
        {"OpenSubgoal\n\nDropSubgoal", "line 2 of the plan, column 1: the name of a subgoal expected"},
        {"GoNextToSubgoal", "`,` expected"},
        {"GoNextToSubgoal, 4,4", "`(` expected"},
        {"GoNextToSubgoal, (4,)", "whole number"},
        {"GoNextToSubgoal, (4,99999)", "from -9999 to 9999"},
        {"GoNextToSubgoal, (4,4", "`)` expected"}};
    static sb_bot bot;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sb_error error = {0};
        const bool ok = sb_bot_begin_with_plan(&bot, SB_BOT_OMNIBOT, bad[i].plan, &error);
        assert_error(ok, &error, strstr(bad[i].words, "unknown") ? SB_UNKNOWN : SB_INVALID, bad[i].words);
    }
}

static void test_a_plan_that_leads_nowhere_ends_without_success(void **state) {
    (void)state;
    sb_error error;
    sb_decomposition d;
    sb_env *env = sb_make(NULL, "babyai:PutNextLocal#0", &error);
    assert_ok(sb_bot_decompose(env, "GoNextToSubgoal, (-5,9000)\nDropSubgoal", &d, NULL, 0, &error), error);
    assert_true(d.scores.comprehension == 0.0 && d.scores.precision == 0.0 && d.scores.assistance == 0.0);
    assert_true(d.scores.max_help > 0);
    sb_env *other = sb_make(NULL, "GoToGoal-v0/easy#0", &error);
    assert_error(sb_bot_decompose(other, "DropSubgoal", &d, NULL, 0, &error), &error, SB_INVALID, "only BabyAI");
    sb_free(env), sb_free(other);
}

static void test_a_plan_may_not_be_endless(void **state) {
    (void)state;
    enum { LINES = 513 };
    static char plan[LINES * 12 + 1];
    static sb_bot bot;
    sb_error error;
    for (int i = 0; i < LINES; i++) memcpy(plan + 12 * i, "DropSubgoal\n", 12);
    assert_error(sb_bot_begin_with_plan(&bot, SB_BOT_OMNIBOT, plan, &error), &error, SB_INVALID, "more than 512");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bots_do_what_was_recorded_and_fail_where_they_failed),
        cmocka_unit_test(test_players_act_as_the_bots_and_do_nothing_once_they_give_up),
        cmocka_unit_test(test_bots_have_their_published_failures),
        cmocka_unit_test(test_a_bot_that_goes_round_in_circles_says_so),
        cmocka_unit_test(test_all_levels_list_the_bots_among_their_oracles),
        cmocka_unit_test(test_the_published_bot_puts_right_what_somebody_else_did),
        cmocka_unit_test(test_oracles_go_by_what_somebody_else_did),
        cmocka_unit_test(test_given_plans_are_scored_as_recorded),
        cmocka_unit_test(test_plans_are_read_in_any_spelling),
        cmocka_unit_test(test_a_bad_plan_is_refused_with_its_line_and_the_reason),
        cmocka_unit_test(test_a_plan_that_leads_nowhere_ends_without_success),
        cmocka_unit_test(test_a_plan_may_not_be_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
