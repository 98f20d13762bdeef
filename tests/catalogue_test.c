/* Tasks that a user brings work everywhere: a program in a catalogue is selected, played, replayed, evaluated,
 * certified, scored and served like a built-in task (datasets: catalogue_dataset_test). A function without the
 * catalogue says that there is no such task. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/server/serve.h"
#include "base/gzip.h"
#include "engine/lookup.h"
#include "evaluation/babybench/marks.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/report_print.h"
#include "evaluation/report_tables.h"
#include "evaluation/result_check.h"
#include "rollout/packs.h"
#include "seedbed/player.h"
#include "tests/catalogue_support.h"
#include "tests/evaluating.h"

/* ---- Selections ---- */

static void assert_not_selected(sb_request request) {
    sb_error error;
    sb_selection selection;
    request.catalogue = NULL;
    assert_error(sb_select(&request, &selection, &error), &error, SB_UNKNOWN, "unknown task");
    sb_selection_free(&selection);
}

static void programs_are_selected_in_the_order_of_their_names(void **state) {
    (void)state;
    sb_request request = brought(f.both, "3..5");
    sb_selection selection = selected(&request);
    sb_name name;
    char text[SB_NAME_MAX], expected[SB_NAME_MAX];
    assert_int_equal(selection.n, 6);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name_print(sb_selection_name(&selection, i, &name), text, sizeof text);
        snprintf(expected, sizeof expected, "%s#%zu", i < 3 ? f.first : f.last, 3 + i % 3);
        assert_string_equal(text, expected); /* only of the default difficulty */
    }
    sb_selection_free(&selection);
    assert_not_selected(request);
    const char *const names[] = {expected};
    assert_not_selected((sb_request){.names = names, .n_names = 1});
}

static void a_selection_of_everything_has_only_built_in_tasks(void **state) {
    (void)state;
    const sb_request all = {.catalogue = f.catalogue, .family = "climb", .seeds = "0"};
    sb_selection selection = selected(&all);
    assert_int_equal(selection.n, f.family->n_tasks);
    for (size_t i = 0; i < selection.n; i++) {
        assert_int_equal(selection.episodes[i].task, i);
        assert_int_equal(selection.episodes[i].difficulty, 0);
    }
    sb_selection_free(&selection);
}

static void programs_are_selected_by_category(void **state) {
    (void)state;
    char tasks[160];
    snprintf(tasks, sizeof tasks, "%s,climb:Climb", f.last);
    sb_request request = brought(tasks, "0");
    request.category = "files";
    sb_selection selection = selected(&request);
    assert_int_equal(selection.n, 1);
    assert_int_equal(selection.episodes[0].task, sb_task_count(f.catalogue, f.family) - 1);
    sb_selection_free(&selection);
}

/* The order of datasets and results must not depend on how a catalogue was filled. */
static void the_order_of_tasks_does_not_depend_on_the_order_of_adding(void **state) {
    (void)state;
    const sb_task_info *task[N_PROGRAMS], *one, *other;
    sb_catalogue *backwards = fill(true, task);
    for (size_t i = 0; (one = sb_task_at(f.catalogue, f.family, i)); i++) {
        other = sb_task_at(backwards, f.family, i);
        assert_string_equal(one->name, other->name);
        if (i > f.family->n_tasks) assert_true(strcmp(sb_task_at(f.catalogue, f.family, i - 1)->name, one->name) < 0);
    }
    assert_string_equal(sb_program_at(f.catalogue, 0)->sha256, sb_program_at(backwards, N_PROGRAMS - 1)->sha256);
    sb_catalogue_free(backwards);
}

/* ---- Packs ---- */

static void a_pack_of_programs_can_be_selected_and_has_digests(void **state) {
    (void)state;
    const sb_request request = {.catalogue = f.catalogue, .tasks = f.both, .split = "mine", .count = 4};
    const sb_digesting without = {.jobs = 1}, with = {.catalogue = f.catalogue, .jobs = 1};
    sb_pack pack = {0};
    sb_selection selection;
    sb_error error;
    assert_ok(sb_pack_select(&pack, &request, &error), error);
    assert_int_equal(pack.n_seeds, 8);
    assert_ok(sb_select_pack(f.catalogue, &pack, &selection, &error), error);
    assert_int_equal(selection.n, 8);
    sb_selection_free(&selection);
    assert_error(sb_select_pack(NULL, &pack, &selection, &error), &error, SB_UNKNOWN, "unknown task");
    sb_selection_free(&selection);
    assert_ok(sb_pack_make_digests(&pack, &with, &error), error);
    assert_ok(sb_pack_check_digests(&pack, &with, &error), error);
    assert_error(sb_pack_check_digests(&pack, &without, &error), &error, SB_UNKNOWN, "unknown task");
    sb_pack_clear(&pack);
}

/* Finding a kept episode takes long. That is acceptable for a single name, but not for a thousand episodes selected by
 * one word. */
static void kept_episodes_are_selected_by_name_or_pack(void **state) {
    (void)state;
    const char *const names[] = {"climb:Climb/kept#5"};
    const sb_request by_name = {.names = names, .n_names = 1};
    const sb_request by_word = {.tasks = "climb:Climb", .difficulty = "kept", .seeds = "5"};
    sb_selection selection = selected(&by_name);
    sb_error error;
    assert_int_equal(selection.n, 1);
    sb_selection_free(&selection);
    assert_error(sb_select(&by_word, &selection, &error), &error, SB_INVALID, "from a pack: the tests make one");
    sb_selection_free(&selection);
    sb_pack pack = {0};
    assert_ok(sb_pack_begin(&pack, "climb", "mine", 1, &error), error);
    sb_seed_list *list = sb_pack_add(&pack, "Climb-v1", "kept", 1, &error);
    assert_ok(list, error);
    list->seeds[0] = 5;
    assert_ok(sb_pack_finish(&pack, &error), error);
    assert_ok(sb_select_pack(NULL, &pack, &selection, &error), error);
    assert_int_equal(selection.n, 1);
    sb_selection_free(&selection);
    sb_pack_clear(&pack);
}

/* ---- Playing ---- */

static void programs_are_played_and_their_tapes_replayed(void **state) {
    (void)state;
    const sb_request request = brought(f.both, "0..3");
    sb_selection selection = selected(&request);
    sb_worker worker = {.catalogue = f.catalogue}, blind = {0};
    sb_tape read = {0};
    sb_out line = sb_out_growing();
    sb_name name;
    sb_error error;
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_worker_play(&worker, "expert", sb_selection_name(&selection, i, &name), NULL, NULL, &error),
                  error);
        assert_true(worker.tape.outcome.success);
        sb_out_clear(&line);
        sb_tape_put_line(&worker.tape, &line);
        assert_ok(sb_tape_parse(f.catalogue, line.data, line.size, &read, &error), error);
        assert_ok(sb_tape_replay(&read, worker.env, NULL, NULL, &error), error);
        assert_error(sb_tape_parse(NULL, line.data, line.size, &read, &error), &error, SB_UNKNOWN, "unknown task");
    }
    assert_error(sb_worker_play(&blind, "expert", &name, NULL, NULL, &error), &error, SB_UNKNOWN, "unknown task");
    sb_out_free(&line);
    sb_tape_clear(&read);
    sb_worker_free(&worker), sb_worker_free(&blind);
    sb_selection_free(&selection);
}

/* A player that plans from the first step starts the episode again, so it has to find the program. */
static void the_clairvoyant_can_begin_in_the_middle_of_a_program(void **state) {
    (void)state;
    char name[SB_NAME_MAX];
    sb_error error;
    sb_result result;
    snprintf(name, sizeof name, "%s#2", f.last);
    sb_env *env = sb_make(f.catalogue, name, &error);
    assert_ok(env && sb_step(env, 0, &result, &error), error);
    sb_player *player = sb_player_make("clairvoyant", &error);
    assert_ok(player && sb_player_begin(player, env, &error), error);
    while (!sb_status_of(env)->done) assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    assert_true(result.success);
    sb_player_free(player);
    sb_free(env);
}

/* ---- Evaluation ---- */

/* Selects episodes of a built-in task and of two programs. */
static sb_request mixed(char tasks[200]) {
    snprintf(tasks, 200, "climb:Climb,%s", f.both);
    return brought(tasks, "0..5");
}

static void assert_right(const sb_results *results) {
    sb_result_checked checked;
    sb_error error;
    assert_ok(sb_result_check(results, &(sb_result_checking){.replay = true}, &checked, &error), error);
    if (checked.standing != SB_RESULT_RIGHT) fail_msg("%s", checked.why);
    assert_int_equal(checked.n_selected, results->n);
}

static void results_of_programs_are_written_and_read(void **state) {
    (void)state;
    char tasks[200];
    const sb_request request = mixed(tasks);
    const sb_task_info *task[N_PROGRAMS];
    sb_catalogue *backwards = fill(true, task);
    sb_selection selection = selected(&request);
    sb_results results = evaluate("expert", &selection, 2), read;
    sb_error error;
    sb_out document = print_results(&results, &request);
    assert_error(sb_result_parse(NULL, document.data, document.size, &read, &error), &error, SB_UNKNOWN,
                 "unknown task");
    assert_ok(sb_result_parse(backwards, document.data, document.size, &read, &error), error);
    assert_right(&read);
    sb_out again = print_results(&read, &request);
    assert_int_equal(again.size, document.size);
    assert_memory_equal(again.data, document.data, document.size);
    sb_out_clear(&document), sb_out_free(&again);
    results.n--; /* the error must name the missing episode */
    again = print_results(&results, &request);
    results.n++;
    sb_results_free(&read);
    sb_result_checked checked;
    assert_ok(sb_result_parse(f.catalogue, again.data, again.size, &read, &error), error);
    assert_ok(sb_result_check(&read, &(sb_result_checking){.replay = false}, &checked, &error), error);
    assert_int_equal(checked.standing, SB_RESULT_INCOMPLETE);
    assert_non_null(strstr(checked.why, f.last));
    sb_out_free(&document), sb_out_free(&again);
    sb_results_free(&results), sb_results_free(&read);
    sb_selection_free(&selection);
    sb_catalogue_free(backwards);
}

static void a_pack_of_programs_can_be_evaluated(void **state) {
    (void)state;
    const sb_request request = {.catalogue = f.catalogue, .tasks = f.both, .split = "mine", .count = 3};
    sb_pack pack = {0};
    sb_selection selection = {0};
    sb_out text = sb_out_growing();
    sb_selected read;
    sb_error error;
    assert_ok(sb_pack_select(&pack, &request, &error), error);
    assert_error(sb_select_verified_pack(NULL, &pack, &selection, &error), &error, SB_UNKNOWN, "unknown task");
    sb_selection_free(&selection);
    assert_ok(sb_select_verified_pack(f.catalogue, &pack, &selection, &error), error);
    sb_selected_print_pack(&pack, &text);
    sb_putc(&text, '\0');
    const sb_json_part part = sb_json_whole(text.data, strlen(text.data));
    assert_error(sb_selected_read(NULL, &part, NULL, 100, &read, &error), &error, SB_UNKNOWN, "unknown task");
    sb_selection_free(&read.selection);
    assert_ok(sb_selected_read(f.catalogue, &part, NULL, 100, &read, &error), error);
    assert_int_equal(read.selection.n, selection.n);
    sb_selection_free(&selection), sb_selection_free(&read.selection);
    sb_out_free(&text);
    sb_pack_clear(&pack);
}

/* Programs have no baseline: scores that need one are null and say so; the others leave programs out. */
static void programs_are_counted_and_have_no_scores(void **state) {
    (void)state;
    char tasks[200];
    const sb_request request = mixed(tasks);
    sb_selection selection = selected(&request);
    sb_results results = evaluate("expert", &selection, 2);
    sb_baseline baseline;
    sb_summary summary;
    sb_error error;
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    assert_ok(sb_summarise(&results, f.family, &baseline, &summary, &error), error);
    assert_int_equal(summary.n_pairs, 3);
    assert_string_equal(summary.pairs[0].task->name, "Climb-v1");
    assert_string_equal(summary.pairs[1].task->name, f.first + strlen("climb:"));
    assert_string_equal(summary.pairs[2].task->name, f.last + strlen("climb:"));
    assert_int_equal(summary.pairs[2].tally.episodes, 6);
    assert_null(summary.pairs[2].bounds);
    assert_int_equal(summary.n_categories, 2);
    assert_string_equal(summary.categories[1].name, "files");
    assert_int_equal(summary.categories[1].tally.episodes, 12);
    assert_int_equal(summary.all.episodes, 18);
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
        assert_false(summary.scores[kind].known);
        assert_true(strlen(summary.scores[kind].missing) > 0);
    }
    sb_summary_free(&summary);
    sb_baseline_free(&baseline);
    sb_results_free(&results);
    sb_selection_free(&selection);
}

/* Makes a custom baseline with all built-in tasks. */
static sb_baseline full_baseline(void) {
    sb_baseline baseline = {.n = f.family->n_tasks * f.family->n_difficulties};
    baseline.entries = calloc(baseline.n, sizeof *baseline.entries);
    assert_non_null(baseline.entries);
    for (size_t i = 0; i < baseline.n; i++) {
        sb_baseline_entry *e = &baseline.entries[i];
        *e = (sb_baseline_entry){.family = "climb", .bounds = {0, 1}};
        strcpy(e->task, f.family->task(i / f.family->n_difficulties)->name);
        strcpy(e->difficulty, f.family->difficulties[i % f.family->n_difficulties]);
        sb_rules_name(f.family, NULL, e->rules);
    }
    return baseline;
}

/* The score over the family's pairs does not change if programs are also played. */
static void scores_over_a_family_leave_programs_out(void **state) {
    (void)state;
    const sb_family *family = f.family;
    sb_baseline baseline = full_baseline();
    sb_selection selection = {.catalogue = f.catalogue};
    size_t capacity = 0;
    sb_summary with, without;
    sb_resolved of = {.family = family};
    sb_name last = {.family = "climb"};
    sb_error error;
    for (of.task_index = 0; of.task_index < family->n_tasks; of.task_index++)
        for (of.difficulty = 0; of.difficulty < family->n_difficulties; of.difficulty++)
            assert_ok(sb_selection_add(&selection, &of, 0, &capacity, &error), error);
    const size_t n = selection.n;
    strcpy(last.task, f.last + strlen("climb:"));
    assert_ok(sb_resolve(f.catalogue, &last, &of, &error), error);
    assert_ok(sb_selection_add(&selection, &of, 0, &capacity, &error), error);
    sb_results results = evaluate("random", &selection, 2);
    assert_ok(sb_summarise(&results, family, &baseline, &with, &error), error);
    sb_tape_clear(&results.episodes[n].tape);
    results.n = n;
    assert_ok(sb_summarise(&results, family, &baseline, &without, &error), error);
    assert_int_equal(with.n_pairs, without.n_pairs + 1);
    assert_true(with.scores[SB_SCORE_ONS_PAIRS].known && without.scores[SB_SCORE_ONS_PAIRS].known);
    assert_true(with.scores[SB_SCORE_ONS_PAIRS].total.score == without.scores[SB_SCORE_ONS_PAIRS].total.score);
    assert_true(without.scores[SB_SCORE_CAPABILITY].known && !with.scores[SB_SCORE_CAPABILITY].known);
    assert_non_null(strstr(with.scores[SB_SCORE_CAPABILITY].missing, "the baseline file lacks file-"));
    sb_summary_free(&with), sb_summary_free(&without);
    sb_results_free(&results);
    sb_selection_free(&selection);
    sb_baseline_free(&baseline);
}

static void reports_show_programs(void **state) {
    (void)state;
    char tasks[200], path[300];
    const char *const paths[] = {path};
    const sb_request request = mixed(tasks);
    sb_selection selection = selected(&request);
    sb_results results = evaluate("expert", &selection, 2);
    sb_out document = print_results(&results, &request);
    sb_report_options options = {.replays = 1, .verify = true};
    sb_report report;
    sb_error error;
    snprintf(path, sizeof path, "%s/result.json", scratch_folder("catalogue-report"));
    save(path, &document);
    assert_error(sb_report_open(&report, &options, paths, 1, &error), &error, SB_UNKNOWN, "unknown task");
    sb_report_close(&report);
    options.catalogue = f.catalogue;
    assert_ok(sb_report_open(&report, &options, paths, 1, &error), error);
    assert_true(sb_report_all_right(&report));
    for (sb_report_form form = SB_REPORT_TEXT; form <= SB_REPORT_HTML; form++) {
        sb_out_clear(&document);
        assert_ok(sb_report_print(&report, form, &document, &error), error);
        sb_putc(&document, '\0');
        assert_non_null(strstr(document.data, f.last + strlen("climb:")));
        assert_non_null(strstr(document.data, "files"));
    }
    sb_table table;
    sb_report_table(&report, SB_REPORT_TASKS, &table);
    assert_int_equal(table.cells, 4 * table.columns); /* the header and three tasks */
    sb_table_free(&table);
    sb_report_close(&report);
    sb_out_free(&document);
    sb_results_free(&results);
    sb_selection_free(&selection);
}

static void tapes_of_programs_can_be_evaluated(void **state) {
    (void)state;
    char path[300], spec[320];
    const sb_request request = brought(f.both, "0..4");
    sb_selection selection = selected(&request);
    sb_agent agent;
    sb_error error;
    snprintf(path, sizeof path, "%s/tapes.jsonl", scratch_folder("catalogue-agent"));
    snprintf(spec, sizeof spec, "tape:%s", path);
    write_tapes(&request, path);
    sb_results results = evaluate(spec, &selection, 2);
    for (size_t i = 0; i < results.n; i++) assert_int_equal(results.episodes[i].failure.kind, SB_NO_FAILURE);
    const sb_agent_options options = {.spec = spec};
    const sb_selection none = {0};
    assert_error(sb_agent_open(&agent, &options, &none, &error), &error, SB_UNKNOWN, "unknown task");
    sb_results_free(&results);
    sb_selection_free(&selection);
}

/* ---- Certificates ---- */

static void certify(const sb_request *request, const char *path) {
    sb_selection selection = selected(request);
    sb_error error;
    const sb_certification what = {
        .request = request, .selection = &selection, .jobs = 1, .budget = 1000, .path = path};
    assert_ok(sb_certify(&what, &error), error);
    sb_selection_free(&selection);
}

/* Leaves what an interrupted run would leave: the first members of the file, compressed differently from ours. */
static void interrupt(const char *path, sb_out *left) {
    enum { LEVEL = 1, MEMBER_LINES = 64 };
    char part[320];
    sb_out text = sb_out_growing();
    sb_gzip gzip = {0};
    sb_error error;
    assert_ok(sb_file_load(path, 1 << 20, &text, &error), error);
    const size_t head = strcspn(text.data, "\n") + 1;
    size_t end = head;
    for (int i = 0; i < MEMBER_LINES; i++) end += strcspn(text.data + end, "\n") + 1;
    assert_ok(sb_gzip_member(&gzip, LEVEL, text.data, head, left, &error), error);
    assert_ok(sb_gzip_member(&gzip, LEVEL, text.data + head, end - head, left, &error), error);
    snprintf(part, sizeof part, "%s.part", path);
    assert_int_equal(remove(path), 0);
    save(part, left);
    sb_gzip_free(&gzip);
    sb_out_free(&text);
}

static void assert_goes_on(const sb_request *request, const char *path) {
    sb_out left = sb_out_growing();
    const sb_certificates_check check = {.catalogue = request->catalogue, .path = path, .jobs = 1};
    sb_certificates_found found;
    sb_error error;
    interrupt(path, &left);
    certify(request, path);
    assert_ok(sb_certificates_verify(&check, &found, &error), error);
    char *begins = malloc(left.size);
    FILE *file = fopen(path, "rb");
    assert_true(begins && file);
    assert_int_equal(fread(begins, 1, left.size, file), left.size);
    assert_memory_equal(begins, left.data, left.size); /* these were not certified again */
    fclose(file);
    free(begins);
    sb_out_free(&left);
}

static void certificates_of_programs_are_made_and_verified(void **state) {
    (void)state;
    char path[300];
    const sb_request request = brought(f.both, "0..39"); /* more than fit one member of the file */
    sb_certificates_check check = {.path = path, .jobs = 1};
    sb_certificates_found found;
    sb_error error;
    snprintf(path, sizeof path, "%s/certificates.jsonl.gz", scratch_folder("catalogue-certificates"));
    certify(&request, path);
    assert_error(sb_certificates_verify(&check, &found, &error), &error, SB_UNKNOWN, "unknown task");
    check.catalogue = f.catalogue;
    assert_ok(sb_certificates_verify(&check, &found, &error), error);
    assert_int_equal(found.counts[SB_CERTIFIED_SOLVED], 80);
    assert_goes_on(&request, path);
    sb_selection selection = selected(&request);
    sb_results results = evaluate("expert", &selection, 2);
    assert_ok(sb_results_certify(&results, path, &error), error);
    assert_int_equal(results.episodes[79].winnable, SB_CAN_BE_WON);
    results.catalogue = NULL;
    assert_error(sb_results_certify(&results, path, &error), &error, SB_UNKNOWN, "unknown task");
    sb_results_free(&results);
    sb_selection_free(&selection);
}

/* ---- Scores of answers ---- */

/* The family tells no positions, so no answer is right; but their episodes are recognised. */
static void answers_about_programs_are_scored(void **state) {
    (void)state;
    char text[256];
    sb_marks marks;
    sb_out out = sb_out_growing();
    sb_error error;
    const int n = snprintf(text, sizeof text,
                           "{\"name\": \"%s#1\", \"answer\": \"up\"}\n"
                           "{\"name\": \"%s#1\", \"answer\": \"up\"}\n",
                           f.first, f.last);
    sb_marking marking = {.catalogue = f.catalogue, .text = text, .size = (size_t)n, .jobs = 1};
    assert_ok(sb_mark_answers(&marking, &marks, &error), error);
    assert_true(marks.rows[0].is_known && marks.rows[1].is_known);
    assert_non_null(strstr(marks.rows[1].reason, "does not tell positions"));
    assert_ok(sb_marks_print(&marks, true, &out, &error), error);
    assert_ok(sb_marks_tabulate(&marks, &out, &error), error);
    sb_putc(&out, '\0');
    assert_non_null(strstr(out.data, f.last + strlen("climb:")));
    sb_marks_free(&marks);
    marking.catalogue = NULL;
    assert_ok(sb_mark_answers(&marking, &marks, &error), error);
    assert_false(marks.rows[1].is_known);
    assert_non_null(strstr(marks.rows[1].reason, "unknown task"));
    sb_marks_free(&marks);
    sb_out_free(&out);
}

/* ---- Serving ---- */

static void ask(sb_session *session, const char *request, sb_out *reply) {
    sb_out_clear(reply);
    sb_session_answer(session, request, strlen(request), reply);
    sb_putc(reply, '\0');
}

static void a_session_plays_programs(void **state) {
    (void)state;
    char reset[128], start[256];
    sb_session with = {.catalogue = f.catalogue}, without = {0};
    sb_out reply = sb_out_growing();
    snprintf(reset, sizeof reset, "{\"op\": \"reset\", \"name\": \"%s#1\"}", f.last);
    snprintf(start, sizeof start, "{\"op\": \"start\", \"names\": [\"%s#1\", \"%s#2\"], \"then\": \"next\"}", f.last,
             f.first);
    const char *const requests[] = {reset, start};
    for (size_t i = 0; i < 2; i++) {
        ask(&with, requests[i], &reply);
        assert_non_null(strstr(reply.data, "\"ok\": true"));
        ask(&without, requests[i], &reply);
        assert_non_null(strstr(reply.data, "unknown task"));
    }
    ask(&with, "{\"op\": \"hello\"}", &reply);
    assert_non_null(strstr(reply.data, f.last + strlen("climb:")));
    sb_session_free(&with), sb_session_free(&without);
    sb_out_free(&reply);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_selected_in_the_order_of_their_names),
        cmocka_unit_test(a_selection_of_everything_has_only_built_in_tasks),
        cmocka_unit_test(programs_are_selected_by_category),
        cmocka_unit_test(the_order_of_tasks_does_not_depend_on_the_order_of_adding),
        cmocka_unit_test(a_pack_of_programs_can_be_selected_and_has_digests),
        cmocka_unit_test(kept_episodes_are_selected_by_name_or_pack),
        cmocka_unit_test(programs_are_played_and_their_tapes_replayed),
        cmocka_unit_test(the_clairvoyant_can_begin_in_the_middle_of_a_program),
        cmocka_unit_test(results_of_programs_are_written_and_read),
        cmocka_unit_test(a_pack_of_programs_can_be_evaluated),
        cmocka_unit_test(programs_are_counted_and_have_no_scores),
        cmocka_unit_test(scores_over_a_family_leave_programs_out),
        cmocka_unit_test(reports_show_programs),
        cmocka_unit_test(tapes_of_programs_can_be_evaluated),
        cmocka_unit_test(certificates_of_programs_are_made_and_verified),
        cmocka_unit_test(answers_about_programs_are_scored),
        cmocka_unit_test(a_session_plays_programs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
