/* Evaluations as values: what was played is what the document says, whoever reads it and however many played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation/report.h"
#include "seeds/rng.h"
#include "tests/support.h"

static sb_results evaluate(const char *spec, const sb_request *request, size_t jobs) {
    const sb_agent_options options = {.spec = spec};
    sb_selection selection;
    sb_agent agent;
    sb_results results;
    sb_error error;
    assert_ok(sb_select(request, &selection, &error), error);
    assert_ok(sb_agent_open(&agent, &options, &selection, &error), error);
    const sb_evaluation evaluation = {.selection = &selection, .agent = &agent, .jobs = jobs};
    assert_ok(sb_evaluate(&evaluation, &results, &error), error);
    sb_agent_close(&agent);
    sb_selection_free(&selection);
    return results;
}

static sb_out print(const sb_results *results) {
    sb_baseline baseline;
    sb_error error;
    sb_out document = sb_out_growing();
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    const sb_result_context context = {.spec = "some", .selection = "{}", .baseline = &baseline};
    assert_ok(sb_result_print(results, &context, true, &document, &error), error);
    sb_baseline_free(&baseline);
    return document;
}

static const sb_request few[] = {{.tasks = "GoToGoal,TagHunt", .difficulty = "easy,hard", .count = 4},
                                 {.family = "toy", .count = 4}};
enum { N_FEW = sizeof few / sizeof *few };

static void results_are_the_same_for_any_number_of_workers(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        sb_results one = evaluate("random", &few[i], 1), many = evaluate("random", &few[i], 5);
        sb_out a = print(&one), b = print(&many);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        sb_out_free(&a), sb_out_free(&b);
        sb_results_free(&one), sb_results_free(&many);
    }
}

static void what_is_read_is_what_was_written(void **state) {
    (void)state;
    for (size_t i = 0; i < N_FEW; i++) {
        sb_results results = evaluate("expert", &few[i], 1), read;
        sb_error error;
        results.episodes[1].failure.kind = SB_FAILED_CRASH;
        strcpy(results.episodes[1].failure.text, "a \"text\"");
        results.episodes[1].tape.outcome.success = false;
        results.episodes[2].winnable = SB_CAN_BE_WON;
        sb_out document = print(&results);
        assert_ok(sb_result_parse(document.data, document.size, &read, &error), error);
        sb_out again = print(&read);
        assert_int_equal(document.size, again.size);
        assert_memory_equal(document.data, again.data, again.size);
        sb_out_free(&document), sb_out_free(&again);
        sb_results_free(&results), sb_results_free(&read);
    }
}

/* Every beginning of a document, and documents with one byte changed: refused or read, never worse. */
static void broken_documents_are_errors(void **state) {
    (void)state;
    const sb_request request = {.family = "toy", .tasks = "Pile", .count = 2};
    sb_results results = evaluate("expert", &request, 1), read;
    sb_out document = print(&results);
    sb_error error;
    sb_rng rng;
    sb_rng_seed(&rng, 1, NULL);
    const size_t stride = TESTS_ARE_SLOW ? 17 : 1;
    for (size_t n = 0; n + 2 < document.size; n += stride) {
        assert_false(sb_result_parse(document.data, n, &read, &error));
        assert_true(strlen(error.text) > 0 && read.n == 0);
    }
    for (size_t i = 0; i < 4000 / stride; i++) {
        char *byte = &document.data[sb_integers(&rng, 0, (int64_t)document.size)], kept = *byte;
        *byte = (char)sb_integers(&rng, 0, 256);
        if (sb_result_parse(document.data, document.size, &read, &error)) {
            if (!sb_results_verify(&read, &error)) assert_true(strlen(error.text) > 0);
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
    sb_tape_free(&tape);
}

static void foreign_texts_become_plain(void **state) {
    (void)state;
    static const struct {
        const char *text, *plain;
    } cases[] = {{"greedy", "greedy"},
                 {"a\nb\x1b[1m\x7f", "a?b?[1m?"},
                 {"Gr\xc3\xbcn", "Gr\xc3\xbcn"},
                 {"\xc2\x9b"
                  "1m",
                  "?1m"},
                 {"\xff\xfex", "??x"},
                 {"\xc3", "?"},
                 {"1234567890", "123456789"},
                 {"12345678\xc3\xbc", "12345678"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plain[10];
        sb_copy_plain(plain, sizeof plain, cases[i].text);
        assert_string_equal(plain, cases[i].plain);
    }
}

static void a_complete_evaluation_has_every_score(void **state) {
    (void)state;
    const sb_request request = {.family = "toy"};
    sb_results results = evaluate("expert", &request, 2);
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
    results.n--; /* one episode of one pair is missing */
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

static void the_shipped_baseline_covers_every_pair_of_the_benchmark(void **state) {
    (void)state;
    sb_baseline baseline;
    sb_error error;
    const sb_family *family = sb_families[0];
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    for (size_t i = 0; i < family->n_tasks; i++)
        for (size_t k = 0; k < family->n_variants; k++) {
            const sb_bounds *bounds = sb_baseline_find(&baseline, family, family->task(i)->name, family->variants[k]);
            if (!bounds) fail_msg("%s/%s", family->task(i)->name, family->variants[k]);
            assert_true(bounds->optimal >= bounds->random);
        }
    assert_int_equal(baseline.n, family->n_tasks * family->n_variants);
    sb_baseline_free(&baseline);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_for_any_number_of_workers),
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(broken_documents_are_errors),
        cmocka_unit_test(actions_are_read_as_they_were_written),
        cmocka_unit_test(foreign_texts_become_plain),
        cmocka_unit_test(a_complete_evaluation_has_every_score),
        cmocka_unit_test(the_shipped_baseline_covers_every_pair_of_the_benchmark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
