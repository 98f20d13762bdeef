/* Evaluations: results match what was played, read back unchanged, and do not depend on the number of workers. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/report_print.h"
#include "evaluation/result_check.h"
#include "seeds/rng.h"
#include "tests/evaluating.h"

static sb_results play(const char *spec, const sb_request *request, size_t jobs) {
    sb_selection selection;
    sb_error error;
    assert_ok(sb_select(request, &selection, &error), error);
    const sb_results results = evaluate(spec, &selection, jobs);
    sb_selection_free(&selection);
    return results;
}

static const sb_request few[] = {{.tasks = "GoToGoal,TagHunt", .difficulty = "easy,hard", .count = 4},
                                 {.family = "toy", .count = 4}};
enum { N_FEW = sizeof few / sizeof *few };

static void results_are_the_same_for_any_number_of_workers(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        sb_results one = play("random", &few[i], 1), many = play("random", &few[i], 5);
        sb_out a = print_results(&one, &few[i]), b = print_results(&many, &few[i]);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        sb_out_free(&a), sb_out_free(&b);
        sb_results_free(&one), sb_results_free(&many);
    }
}

static void results_read_back_as_they_were_written(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        sb_results results = play("expert", &few[i], 1), read;
        sb_error error;
        results.episodes[1].failure.kind = SB_FAILED_CRASH;
        strcpy(results.episodes[1].failure.text, "a \"text\"");
        results.episodes[1].tape.outcome.success = false;
        results.episodes[2].winnable = SB_CAN_BE_WON;
        if (i)
            strcpy(results.salt, "00112233445566778899aabbccddeeff"); /* the other result has none, as in version 0.1 */
        sb_out document = print_results(&results, &few[i]);
        assert_ok(sb_result_parse(NULL, document.data, document.size, &read, &error), error);
        sb_out again = print_results(&read, &few[i]);
        assert_int_equal(document.size, again.size);
        assert_memory_equal(document.data, again.data, again.size);
        sb_out_free(&document), sb_out_free(&again);
        sb_results_free(&results), sb_results_free(&read);
    }
}

/* As where parts of an evaluation by an older version are merged. */
static void older_results_are_printed_with_todays_figures(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        sb_results results = play("random", &few[i], 1);
        sb_out today = print_results(&results, &few[i]);
        for (results.version = SB_RESULT_OLDEST; results.version <= SB_RESULT_VERSION; results.version++) {
            sb_out again = print_results(&results, &few[i]);
            assert_int_equal(again.size, today.size);
            assert_memory_equal(again.data, today.data, today.size);
            sb_out_free(&again);
        }
        sb_out_free(&today);
        sb_results_free(&results);
    }
}

/* Keys of `agent` or of an episode are not allowed at the top. */
static void members_out_of_place_are_refused(void **state) {
    (void)state;
    static const char *const members[] = {"salt", "name", "kind", "spec", "episode", "actions", "error"};
    sb_results results = play("expert", &few[1], 1), read;
    strcpy(results.salt, "00112233445566778899aabbccddeeff");
    sb_out document = print_results(&results, &few[1]);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        sb_error error;
        sb_out altered = sb_out_growing();
        sb_putf(&altered, "{\"%s\": \"%s\",", members[i], results.salt);
        sb_put(&altered, document.data + 1, document.size - 1);
        assert_error(sb_result_parse(NULL, altered.data, altered.size, &read, &error), &error, SB_INVALID, members[i]);
        sb_out_free(&altered);
    }
    sb_out_free(&document);
    sb_results_free(&results);
}

/* Every prefix of a document, and every document with one byte changed, is refused or read; nothing crashes. */
static void broken_documents_are_errors(void **state) {
    (void)state;
    const sb_request request = {.family = "toy", .tasks = "Pile", .count = 2};
    sb_results results = play("expert", &request, 1), read;
    sb_out document = print_results(&results, &request);
    const sb_result_checking how = {.replay = true};
    sb_result_checked checked;
    sb_error error;
    sb_rng rng;
    sb_rng_seed(&rng, 1, NULL);
    const size_t stride = TESTS_ARE_SLOW ? 17 : 1;
    for (size_t n = 0; n + 2 < document.size; n += stride) {
        assert_false(sb_result_parse(NULL, document.data, n, &read, &error));
        assert_true(strlen(error.text) > 0 && read.n == 0);
    }
    for (size_t i = 0; i < 4000 / stride; i++) {
        char *byte = &document.data[sb_integers(&rng, 0, (int64_t)document.size)], kept = *byte;
        *byte = (char)sb_integers(&rng, 0, 256);
        if (sb_result_parse(NULL, document.data, document.size, &read, &error)) {
            assert_ok(sb_result_check(&read, &how, &checked, &error), error);
            assert_true(checked.standing == SB_RESULT_RIGHT || strlen(checked.why) > 0);
            sb_results_free(&read);
        }
        *byte = kept;
    }
    sb_out_free(&document);
    sb_results_free(&results);
}

static void actions_are_read_as_they_were_written(void **state) {
    (void)state;
    static const sb_action some[] = {1, 1, 1, 2, 0, 0, 1203, 2147483647};
    sb_out text = sb_out_growing();
    sb_tape tape = {0};
    sb_error error;
    sb_actions_print(some, 8, &text);
    sb_putc(&text, '\0');
    assert_string_equal(text.data, "1*3 2 0*2 1203 2147483647");
    assert_ok(sb_actions_parse(text.data, 8, &tape, &error), error);
    assert_int_equal(tape.n, 8);
    assert_memory_equal(tape.actions, some, sizeof some);
    assert_ok(sb_actions_parse("", 0, &tape, &error), error);
    assert_int_equal(tape.n, 0);
    static const char *const wrong[] = {"x",  "1 ",  " 1",         "1  2", "1*",    "1*0",  "*2",
                                        "-1", "1,2", "2147483648", "1*9",  "1*2*3", "1*8 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(sb_actions_parse(wrong[i], 8, &tape, &error), &error, SB_INVALID, "actions");
    sb_out_free(&text);
    sb_tape_clear(&tape);
}

static void foreign_texts_are_escaped_and_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *plain;
    } cases[] = {{"greedy", "greedy"},
                 {"a\nb\x1b[1m", "a\\nb\\x1b["},
                 {"Gr\xc3\xbcn", "Gr\xc3\xbcn"},
                 {"\xc2\x9b"
                  "1m",
                  "\\u009b1m"},
                 {"\xff\xfex", "\\xff\\xfex"},
                 {"\xc3", "\\xc3"},
                 {"1234567890", "123456789"},
                 {"12345678\xc3\xbc", "12345678"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plain[10];
        sb_copy_plain(plain, sizeof plain, cases[i].text);
        assert_string_equal(plain, cases[i].plain);
    }
}

static void a_reply_is_an_action_or_gets_an_error_message(void **state) {
    (void)state;
    static const struct {
        const char *reply, *wrong; /* words of the error; NULL if the reply is action 3 */
    } cases[] = {{"{\"action\": 3}", NULL},
                 {"{\"action\": 3.0, \"mood\": [1e999, {}]}", NULL},
                 {"{\"action\": 3, \"thought\": \"why\", \"calls\": 2, \"seconds\": 0.5}", NULL},
                 {"{\"action\": 3, \"thought\": [1e999, {}]}", "`thought` should be a text"},
                 {"{\"action\": 3, \"thought\": \"a\", \"thought\": \"b\"}", "`thought` is repeated"},
                 {"{\"action\": 3, \"tokens_in\": -1}", "`tokens_in` should be a whole number"},
                 {"{\"action\": 3, \"seconds\": 1e999}", "`seconds` should be a number from 0"},
                 {"{\"action\": 3, \"cost\": 1, \"cost\": 1}", "`cost` is repeated"},
                 {" {\"action\": \"Move Left\"} ", NULL},
                 {"{\"Action\": 1, \"action\": 3}", NULL},
                 {"", "JSON"},
                 {"3", "a reply should be a JSON object"},
                 {"[{\"action\": 3}]", "a reply should be a JSON object"},
                 {"{\"action\": 3} {\"action\": 3}", "not valid JSON"},
                 {"{\"acton\": 3}", "`action` is missing"},
                 {"{\"action\": 3, \"action\": 3}", "`action` is repeated"},
                 {"{\"action\": \"fly\"}", "`fly`"},
                 {"{\"action\": \"3\"}", NULL},
                 {"{\"action\": null}", "number (0..5) or name"},
                 {"{\"action\": true}", "number (0..5) or name"},
                 {"{\"action\": [3]}", "number (0..5) or name"},
                 {"{\"action\": 1.5}", "number (0..5) or name"},
                 {"{\"action\": 1e999}", "number (0..5) or name"},
                 {"{\"action\": 4294967299}", "number (0..5) or name"},
                 {"{\"action\": 1000000000000000000000000000003}", "number (0..5) or name"},
                 {"{\"action\": NaN}", "JSON"},
                 {"{\"action\": 03}", "not a number"},
                 {"{\"action\": \"\\u0000\"}", "NUL"},
                 {"{\"action\": \"\xff\"}", "UTF-8"}};
    sb_error error;
    sb_env *env = sb_make(NULL, "GoToGoal/easy#0", &error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_reply reply;
        cJSON *object = sb_reply_parse(cases[i].reply, strlen(cases[i].reply), &error);
        const bool ok = object && sb_reply_read(object, env, &reply, &error);
        cJSON_Delete(object);
        if (ok ? cases[i].wrong || reply.n != 1 || reply.actions[0] != 3
               : !cases[i].wrong || !strstr(error.text, cases[i].wrong))
            fail_msg("%s: %s", cases[i].reply, ok ? "taken" : error.text);
    }
    sb_free(env);
}

static void a_reply_that_nests_deeply_is_refused(void **state) {
    (void)state;
    static char deep[SB_REPLY_BYTES];
    sb_error error;
    memset(deep, '[', sizeof deep - 1);
    assert_error(sb_reply_parse(deep, sizeof deep - 1, &error), &error, SB_INVALID, "nested more than");
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Otherwise every later reply would be taken for the reply to the next request. */
static void a_line_before_the_request_is_not_a_reply(void **state) {
    (void)state;
    sb_guard guard;
    sb_process process = {0};
    sb_exchange went;
    sb_error error;
    assert_ok(sb_guard_begin(&guard, &error), error);
    assert_ok(sb_process_begin(&process, &guard, "read a; echo 1; echo 2; read b; echo 3", -1, &error), error);
    assert_ok(sb_process_ask(&process, "a\n", 2, SB_REPLY_BYTES, 60, seconds_now, NULL, &went, &error), error);
    if (went == SB_ANSWERED) { /* one line was read first; both may come at once, too */
        struct pollfd more = {.fd = process.out, .events = POLLIN};
        assert_string_equal(process.reply.data, "1");
        assert_int_equal(poll(&more, 1, 60000), 1);
        assert_ok(sb_process_ask(&process, "b\n", 2, SB_REPLY_BYTES, 60, seconds_now, NULL, &went, &error), error);
        assert_int_equal(went, SB_UNASKED);
        assert_string_equal(process.reply.data, "2");
    } else {
        assert_int_equal(went, SB_TALKATIVE);
    }
    sb_process_end(&process, false);
    sb_guard_end(&guard);
}

/* A few bytes can claim many steps, so a document that claims more than its size allows is refused without taking
 * memory. */
static void a_result_has_no_more_steps_than_fit_its_size(void **state) {
    (void)state;
    enum { LIES = 3 };
    const sb_request request = {.family = "toy", .tasks = "Pile", .count = 1};
    sb_results results = play("expert", &request, 1), read;
    sb_error error;
    sb_played *episodes = calloc(LIES, sizeof *episodes);
    const sb_results bomb = {.agent = "bomb", .episodes = episodes, .n = LIES};
    for (int i = 0; i < LIES; i++) {
        episodes[i].tape.name = results.episodes[0].tape.name;
        for (int k = 0; k < SB_RESULT_MORE_STEPS / 2; k++) sb_tape_append(&episodes[i].tape, 0, &error);
    }
    sb_out document = print_results(&bomb, &request);
    assert_error(sb_result_parse(NULL, document.data, document.size, &read, &error), &error, SB_INVALID,
                 "episode 3: key `steps`");
    sb_out_free(&document);
    for (int i = 0; i < LIES; i++) sb_tape_clear(&episodes[i].tape);
    free(episodes);
    sb_results_free(&results);
}

/* Results of every family are right when they are read back, and incomplete without their last episode. */
static void a_result_is_right_and_its_beginning_is_incomplete(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        for (size_t left_out = 0; left_out < 2; left_out++) {
            sb_results results = play("expert", &few[i], 1), read;
            sb_result_checked checked;
            sb_error error;
            const size_t n = results.n;
            assert_ok(sb_results_certify(&results, NULL, &error), error);
            results.n -= left_out;
            sb_out document = print_results(&results, &few[i]);
            results.n = n;
            assert_ok(sb_result_parse(NULL, document.data, document.size, &read, &error), error);
            assert_ok(sb_result_check(&read, &(sb_result_checking){.replay = true}, &checked, &error), error);
            assert_int_equal(checked.standing, left_out ? SB_RESULT_INCOMPLETE : SB_RESULT_RIGHT);
            assert_int_equal(checked.n_selected, n);
            assert_int_equal(checked.frozen, SB_BASELINE_CURRENT);
            sb_out_free(&document);
            sb_results_free(&results), sb_results_free(&read);
        }
    }
}

static void a_complete_evaluation_has_every_score(void **state) {
    (void)state;
    const sb_request request = {.family = "toy"};
    sb_results results = play("expert", &request, 2);
    sb_out document = sb_out_growing();
    sb_baseline baseline;
    sb_summary summary;
    sb_error error;
    assert_ok(sb_baseline_make(&request, 1, NULL, NULL, &document, &error), error);
    char path[512];
    snprintf(path, sizeof path, "%s/baseline.json", scratch_folder("evaluate"));
    assert_ok(sb_file_save(path, document.data, document.size, &error), error);
    assert_ok(sb_baseline_load(&baseline, path, &error), error);
    assert_ok(sb_summarise(&results, sb_family_find("toy", &error), &baseline, &summary, &error), error);
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
        assert_true(summary.scores[kind].known);
        assert_true(summary.scores[kind].total.score == 1);
        assert_int_equal(summary.scores[kind].tasks, 2);
    }
    sb_summary_free(&summary);
    results.n--; /* now one episode of one pair is missing */
    assert_ok(sb_summarise(&results, sb_family_find("toy", &error), &baseline, &summary, &error), error);
    assert_false(summary.scores[SB_SCORE_LEADERBOARD].known);
    assert_non_null(strstr(summary.scores[SB_SCORE_LEADERBOARD].missing, "1 of 2 pairs"));
    assert_true(summary.scores[SB_SCORE_ONS_PAIRS].known);
    results.n++;
    sb_summary_free(&summary);
    sb_baseline_free(&baseline);
    sb_out_free(&document);
    sb_results_free(&results);
}

/* Asserts that the baseline covers one family; returns the number of pairs. */
static size_t assert_covered(const sb_baseline *baseline, const sb_family *family) {
    const size_t n_difficulties = family->n_difficulties;
    for (size_t i = 0; i < family->n_tasks; i++)
        for (size_t k = 0; k < n_difficulties; k++) {
            const char *task = family->task(i)->name, *difficulty = family->difficulties[k];
            const sb_bounds *bounds = sb_baseline_find(baseline, family, task, difficulty);
            if (!bounds) fail_msg("%s:%s/%s", family->name, task, difficulty);
            assert_true(bounds->optimal >= bounds->random);
        }
    return family->n_tasks * n_difficulties;
}

static void the_built_in_baseline_covers_every_pair_of_both_families(void **state) {
    (void)state;
    sb_baseline baseline;
    sb_error error;
    size_t n = 0;
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    n += assert_covered(&baseline, sb_family_find("agentick", &error));
    n += assert_covered(&baseline, sb_family_find("babyai", &error));
    assert_int_equal(baseline.n, n);
    sb_baseline_free(&baseline);
}

static bool goes_on_until_third(void *context, sb_error *error) {
    size_t *calls = context;
    return ++*calls < 3 || sb_fail(error, SB_INVALID, "enough");
}

static void an_evaluation_ends_when_it_is_told_to(void **state) {
    (void)state;
    const sb_agent_options options = {.spec = "random"};
    for (size_t jobs = 1; jobs < 4; jobs++) {
        sb_selection selection;
        sb_agent agent;
        sb_results results;
        sb_error error;
        size_t calls = 0;
        assert_ok(sb_select(&few[0], &selection, &error), error);
        assert_ok(sb_agent_open(&agent, &options, &selection, &error), error);
        const sb_evaluation evaluation = {
            .selection = &selection, .agent = &agent, .jobs = jobs, .goes_on = goes_on_until_third, .context = &calls};
        assert_false(sb_evaluate(&evaluation, &results, &error));
        assert_string_equal(error.text, "enough");
        assert_int_equal(calls, 3);
        assert_true(sb_results_done(&results) >= 3); /* others may have been played meanwhile */
        sb_results_free(&results);
        sb_agent_close(&agent);
        sb_selection_free(&selection);
    }
}

static sb_out report(const sb_json_part *text, const char *path) {
    const sb_report_options options = {.texts = text};
    sb_report report;
    sb_error error;
    sb_out out = sb_out_growing();
    assert_ok(sb_report_open(&report, &options, &path, 1, &error), error);
    assert_ok(sb_report_print(&report, SB_REPORT_JSON, &out, &error), error);
    sb_report_close(&report);
    return out;
}

static void a_report_of_a_text_is_that_of_the_file(void **state) {
    (void)state;
    sb_results results = play("expert", &few[0], 1);
    sb_error error;
    char path[512];
    snprintf(path, sizeof path, "%s/result.json", scratch_folder("evaluate"));
    sb_out document = print_results(&results, &few[0]);
    assert_ok(sb_file_save(path, document.data, document.size, &error), error);
    const sb_json_part text = sb_json_whole(document.data, document.size);
    sb_out one = report(NULL, path), other = report(&text, path), unnamed = report(&text, "no such file");
    assert_int_equal(one.size, other.size);
    assert_memory_equal(one.data, other.data, one.size);
    assert_int_equal(one.size, unnamed.size);
    assert_memory_equal(one.data, unnamed.data, one.size);
    sb_out_free(&one), sb_out_free(&other), sb_out_free(&unnamed), sb_out_free(&document);
    sb_results_free(&results);
}

/* Of a function the steps are told, and the salt; the limits of programs are not its own. */
static void a_functions_result_tells_its_steps_and_salt(void **state) {
    (void)state;
    sb_results results = play("random", &few[0], 1);
    sb_baseline baseline;
    sb_error error;
    sb_out document = sb_out_growing();
    const sb_agent_options limits = {.steps = 7, .start_seconds = 1, .reply_seconds = 2, .fresh = true};
    const sb_result_context context = {
        .spec = "python:x.y", .limits = &limits, .selection = "{}", .baseline = &baseline};
    results.kind = SB_AGENT_PYTHON;
    strcpy(results.salt, "00112233445566778899aabbccddeeff");
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    assert_ok(sb_result_print(&results, &context, false, &document, &error), error);
    sb_putc(&document, '\0');
    assert_non_null(strstr(document.data, "\"kind\": \"python\", \"spec\": \"python:x.y\", \"steps\": 7, "
                                          "\"salt\": \"00112233445566778899aabbccddeeff\"}"));
    sb_out_free(&document);
    sb_baseline_free(&baseline);
    sb_results_free(&results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_for_any_number_of_workers),
        cmocka_unit_test(results_read_back_as_they_were_written),
        cmocka_unit_test(older_results_are_printed_with_todays_figures),
        cmocka_unit_test(members_out_of_place_are_refused),
        cmocka_unit_test(broken_documents_are_errors),
        cmocka_unit_test(a_result_has_no_more_steps_than_fit_its_size),
        cmocka_unit_test(actions_are_read_as_they_were_written),
        cmocka_unit_test(foreign_texts_are_escaped_and_cut),
        cmocka_unit_test(a_reply_is_an_action_or_gets_an_error_message),
        cmocka_unit_test(a_reply_that_nests_deeply_is_refused),
        cmocka_unit_test(a_line_before_the_request_is_not_a_reply),
        cmocka_unit_test(a_result_is_right_and_its_beginning_is_incomplete),
        cmocka_unit_test(a_complete_evaluation_has_every_score),
        cmocka_unit_test(an_evaluation_ends_when_it_is_told_to),
        cmocka_unit_test(a_report_of_a_text_is_that_of_the_file),
        cmocka_unit_test(a_functions_result_tells_its_steps_and_salt),
        cmocka_unit_test(the_built_in_baseline_covers_every_pair_of_both_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
