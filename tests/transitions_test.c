/* Logs of transitions: what is written is read back and replayed, what was altered is found, and lines that are wrong
 * get errors that name them. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "rollout/transitions.h"
#include "rollout/worker.h"

/* The log of an episode, and its text, on the heap. */
static void make_log(const char *name, const char *agent, sb_out *text) {
    sb_error error;
    sb_name parsed;
    sb_worker worker = {0};
    sb_log_writer writer = {0};
    const bool ok = sb_name_parse(NULL, name, &parsed, &error) &&
                    sb_worker_play(&worker, agent, &parsed, NULL, NULL, &error) &&
                    sb_log_put_tape(&writer, worker.env, &worker.tape, text, &error);
    assert_ok(ok, error);
    sb_log_writer_free(&writer);
    sb_worker_free(&worker);
}

static void test_what_is_written_is_read_and_written_the_same(void **state) {
    (void)state;
    static const char *const names[] = {"arc:Moss/intro#3", "arc:Lantern/intro#5", "arc:Chimes/intro#1",
                                        "autumn:Pairs#2", "autumn:EchoDancers/planning-1#1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_out text = sb_out_growing(), again = sb_out_growing();
        sb_log log;
        sb_error error;
        make_log(names[i], "random", &text);
        assert_ok(sb_log_parse(&log, "log", text.data, text.size, true, &error), error);
        assert_int_equal(log.n_plays, 1);
        assert_string_equal(log.plays[0].name, names[i]);
        sb_log_put_play(&again, &log.plays[0]);
        for (size_t t = 0; t < log.n_transitions; t++)
            sb_log_put_transition(&again, &log.plays[0], &log.transitions[t]);
        assert_int_equal(again.size, text.size);
        assert_memory_equal(again.data, text.data, text.size);
        sb_log_close(&log);
        sb_out_free(&text), sb_out_free(&again);
    }
}

static void test_kinds_are_those_of_the_game(void **state) {
    (void)state;
    sb_out text = sb_out_growing();
    sb_log log;
    sb_error error;
    size_t kinds[SB_N_TRANSITIONS] = {0};
    make_log("arc:Moss/intro#3", "random", &text);
    assert_ok(sb_log_parse(&log, "log", text.data, text.size, true, &error), error);
    for (size_t i = 0; i < log.n_transitions; i++) {
        const sb_log_transition *t = &log.transitions[i];
        kinds[t->kind]++;
        assert_int_equal(t->t, i + 1);
        assert_true(t->before == (i ? log.transitions[i - 1].last : log.plays[0].start));
        assert_int_equal(t->kind == SB_TRANSITION_OVER, strcmp(t->state, "GAME_OVER") == 0);
        assert_int_equal(t->kind == SB_TRANSITION_RESET, t->action.id == 0);
    }
    assert_true(kinds[SB_TRANSITION_STEP] > 10 && kinds[SB_TRANSITION_OVER] && kinds[SB_TRANSITION_RESET]);
    sb_log_close(&log);
    sb_out_free(&text);
}

static bool replays(const char *text, size_t n, sb_error *error) {
    sb_log log;
    size_t recorded;
    const bool ok = sb_log_parse(&log, "log", text, n, true, error) &&
                    sb_log_replay(&log, NULL, &recorded, NULL, NULL, NULL, error);
    sb_log_close(&log);
    return ok;
}

/* Replaces the first `old` behind the n-th newline. */
static void alter(sb_out *text, int line, const char *old, const char *new) {
    char *at = text->data;
    assert_int_equal(strlen(old), strlen(new));
    for (; line > 1; line--) at = strchr(at, '\n') + 1;
    at = strstr(at, old);
    assert_non_null(at);
    memcpy(at, new, strlen(new));
}

static void test_alterations_are_found_in_their_line(void **state) {
    (void)state;
    static const struct {
        int line;
        const char *old, *new, *words;
    } all[] = {{1, "\"arc 2\"", "\"arc 9\"", "line 1: key `version`: logged under the rules `arc 9`"},
               {1, "\"levels\":3", "\"levels\":4", "line 1: key `levels`"},
               {1, "\"start\":\"44", "\"start\":\"45", "line"},
               {2, "ACTION1", "ACTION2", "line"},
               {3, "\"3\"]", "\"5\"]", "line 3: key `sha256`"},
               {4, "\"level\":1", "\"level\":2", "line 4: key `level`"},
               {4, "NOT_FINISHED", "NOT_FINISHEZ", "line 4: key `state`"},
               {5, "\"kind\":\"step\"", "\"kind\":\"over\"", "line 5: key `kind`"},
               {6, "\"full_reset\":false", "\"full_reset\":true ", "line 6: key `full_reset`"}};
    sb_out whole = sb_out_growing();
    sb_error error;
    make_log("arc:Echo/intro#7", "expert", &whole);
    sb_putc(&whole, '\0');
    assert_ok(replays(whole.data, whole.size - 1, &error), error);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sb_out text = sb_out_growing();
        sb_put_out(&text, &whole);
        alter(&text, all[i].line, all[i].old, all[i].new);
        const bool ok = replays(text.data, text.size - 1, &error);
        if (ok || !strstr(error.text, all[i].words)) fail_msg("%s: %s", all[i].new, ok ? "passed" : error.text);
        sb_out_free(&text);
    }
    sb_out_free(&whole);
}

static void test_another_goal_is_found(void **state) {
    (void)state;
    sb_out text = sb_out_growing();
    sb_error error;
    make_log("autumn:EchoDancers/planning-1#1", "random", &text);
    sb_putc(&text, '\0');
    assert_ok(replays(text.data, text.size - 1, &error), error);
    char *goal = strstr(text.data, "\"goal\":\"");
    assert_non_null(goal);
    goal += strlen("\"goal\":\"");
    goal[strcspn(goal, "?")] = '0';
    assert_false(replays(text.data, text.size - 1, &error));
    assert_non_null(strstr(error.text, "line 1: key `goal`"));
    sb_out_free(&text);
}

#define HEAD  "{\"seedbed_transitions\":1,\"name\":\"x\",\"version\":\"v\",\"levels\":1,"
#define SMALL HEAD "\"available\":[\"a\"],\"width\":2,\"height\":2,\"palette\":[\"red\",\"blue\"],"
#define START SMALL "\"start\":\"0011\"}\n"
#define BEGIN START "{\"t\":1,\"level\":1,\"action\":\"a\","
#define END                                                                                                            \
    "\"state\":\"S\",\"levels_completed\":0,\"available\":[\"a\"],\"full_reset\":false,\"kind\":\"step\",\"sha256\":"  \
    "\"\"}\n"

static void test_wrong_lines_get_errors_that_name_them(void **state) {
    (void)state;
    static const char *const all[][2] = {
        {"", "empty"},
        {"{\"t\":1}\n", "line 1: a log should begin with a header"},
        {"[]\n", "line 1"},
        {"{\"seedbed_transitions\":2}\n", "line 1: the log has format 2"},
        {HEAD "\"start\":\"\"}\n", "`available` is missing"},
        {HEAD "\"available\":[9],\"start\":\"\"}\n", "`available`"},
        {HEAD "\"available\":[1],\"start\":\"0\"}\n", "64 x 64"},
        {HEAD "\"width\":3,\"available\":[1],\"start\":\"0\"}\n", "belong together"},
        {SMALL "\"available\":[\"a\" \"b\"],\"start\":\"0011\"}\n", "line 1: key `available`"},
        {SMALL "\"start\":\"0011\",\"goal\":\"?0?\"}\n", "line 1: key `goal`"},
        {SMALL "\"start\":\"0011\",\"goal\":\"?0?2\"}\n", "line 1: key `goal`"},
        {HEAD "\"what\":3}\n", "unknown key \"what\""},
        {SMALL "\"start\":\"0012\"}\n", "2 x 2 signs, 0 to 1"},
        {START "{\"t\":0}\n", "line 2: key `t`"},
        {START "{\"t\":1}\n", "line 2: key `level` is missing"},
        {BEGIN "\"frames\":[{\"d\":[[0,1,\"111\"]]}]," END, "line 2: a run"},
        {BEGIN "\"frames\":[{\"d\":[[2,0,\"1\"]]}]," END, "line 2: a run"},
        {BEGIN "\"frames\":[{\"e\":[]}]," END, "line 2: a frame"},
        {BEGIN "\"frames\":[\"00\"]," END, "line 2: a frame"},
        {BEGIN "\"frames\":[]," END, "line 2: key `kind` should be `none`"},
        {BEGIN "\"x\":1,\"frames\":[\"0000\"]," END, "both keys"},
        {START "{\"t\":1,\"level\":1,\"action\":\"a\"b\":1,\"c,\"frames\":[\"0000\"]," END, "line 2: key `action`"},
        {BEGIN "\"frames\":[\"0000\"]," END "{\"t\":3}\n", "line 3"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sb_log log;
        sb_error error;
        const bool ok = sb_log_parse(&log, "log", all[i][0], strlen(all[i][0]), false, &error);
        if (ok || !strstr(error.text, all[i][1])) fail_msg("%s: %s", all[i][0], ok ? "passed" : error.text);
        sb_log_close(&log);
    }
}

static void test_states_and_tables_of_others_are_kept(void **state) {
    (void)state;
    static const char text[] = SMALL
        "\"start\":\"0011\",\"z\":{\"a\":[1]},\"h\":7}\n"
        "{\"t\":5,\"level\":1,\"action\":\"a\",\"z\":null,\"frames\":[{\"d\":[[1,0,\"0\"]]}]," END;
    sb_log log;
    sb_error error;
    assert_ok(sb_log_parse(&log, "log", text, strlen(text), false, &error), error);
    assert_memory_equal(log.plays[0].z.at, "{\"a\":[1]}", log.plays[0].z.n);
    assert_memory_equal(log.plays[0].h.at, "7", log.plays[0].h.n);
    assert_int_equal(log.transitions[0].z.n, 4);
    assert_memory_equal(log.transitions[0].last, ((const uint8_t[]){0, 0, 0, 1}), 4);
    sb_log_close(&log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read_and_written_the_same),
        cmocka_unit_test(test_kinds_are_those_of_the_game),
        cmocka_unit_test(test_alterations_are_found_in_their_line),
        cmocka_unit_test(test_another_goal_is_found),
        cmocka_unit_test(test_wrong_lines_get_errors_that_name_them),
        cmocka_unit_test(test_states_and_tables_of_others_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
