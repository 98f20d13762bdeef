/* Tests what happens when memory or the disk runs out while a command builds or renders a dataset, certifies,
 * evaluates, reports or explains (tests/faults_support.h). */
#include "tests/faults_support.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "datasets/build.h"
#include "datasets/journal.h"
#include "datasets/verify.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/explain/explain.h"
#include "evaluation/report_print.h"
#include "evaluation/selected.h"
#include "exporters/teller.h"
#include "rollout/worker.h"

/* ---- Writing ---- */

/* Writes 100 bytes with a fault at one call, and checks that the file has a prefix of them; returns the number of
 * calls. */
static long write_with_fault(long nth) {
    char bytes[100], found[sizeof bytes + 1];
    int ends[2];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)i;
    assert_int_equal(pipe(ends), 0);
    arm(WRITE, nth);
    const bool ok = sb_write_all(ends[1], bytes, sizeof bytes);
    const int reason = errno;
    const long n_calls = calls[WRITE];
    disarm();
    close(ends[1]);
    const ssize_t n = read(ends[0], found, sizeof found);
    close(ends[0]);
    assert_int_equal(ok, nth == 0);
    if (!ok) assert_int_equal(reason, ENOSPC);
    assert_true(ok ? n == sizeof bytes : n < (ssize_t)sizeof bytes);
    assert_memory_equal(found, bytes, (size_t)n);
    return n_calls;
}

static void test_all_bytes_are_written_or_there_is_an_error(void **state) {
    (void)state;
    const long n = write_with_fault(0);
    assert_true(n > 1);
    for (long nth = 1; nth <= n; nth++) write_with_fault(nth);
    interrupts = true;
    assert_int_equal(write_with_fault(0), 2 * n);
    interrupts = false;
}

/* ---- Building a dataset while something fails ---- */

/* Makes it a recipe of two splits, one drawn from a mixture until a filter lets enough pass, one shuffled. */
static void compose(sb_recipe *recipe) {
    static cJSON *mixture; /* kept, because what refuses memory would else refuse it here */
    if (!mixture) mixture = cJSON_Parse("[{\"tasks\": \"PreciseNavigation\", \"weight\": [[0, 1], [1, 2]]}]");
    assert_non_null(mixture);
    const sb_request request = {
        .family = "agentick", .tasks = "PreciseNavigation", .difficulty = "easy", .split = "train", .count = 64};
    const sb_composition drawn = {.budget[SB_EPISODES] = 4, .mixture = mixture}, shuffled = {.order = "shuffled"};
    recipe->selection = (sb_request){0};
    recipe->splits[0] = (sb_section){.split = "train", .request = request, .composition = drawn};
    recipe->splits[1] = (sb_section){.split = "test", .request = request, .composition = shuffled};
    recipe->splits[1].request.split = NULL, recipe->splits[1].request.count = 3;
    recipe->n_splits = 2;
    recipe->filter.has_success = recipe->filter.success = true;
}

/* Returns a recipe of three files. A build runs again for every call in it that can fail. */
static const sb_recipe *recipe_of(const char *family) {
    static sb_recipe recipe;
    recipe = sb_recipe_default();
    recipe.selection = (sb_request){.family = family, .seeds = "0..19"};
    if (strcmp(family, "toy") != 0) {
        recipe.selection.tasks = "PreciseNavigation,KeyDoorPuzzle";
        recipe.selection.difficulty = "easy";
    }
    if (strcmp(family, "toy") == 0) recipe.format = "steps,heap,npz"; /* two formats with writers */
    if (strcmp(family, "composed") == 0) compose(&recipe);
    recipe.casting.epsilon = 0.1;
    recipe.shard_episodes = 16;
    return &recipe;
}

enum { GO_ON_EVERY = 7 /* faults: the test resumes after every seventh, to have time for more faults */ };

static bool build(const char *family, const char *folder, bool resume, sb_error *error) {
    sb_manifest made;
    const sb_build b = {
        .recipe = recipe_of(family), .folder = folder, .jobs = 1, .overwrite = !resume, .resume = resume};
    const bool ok = sb_build_run(&b, &made, error);
    sb_manifest_free(&made);
    return ok;
}

/* Returns whether the folder has a manifest, and asserts that no unfinished file is left. */
static bool has_manifest(const char *folder) {
    DIR *directory = opendir(folder);
    bool found = false;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (strstr(entry->d_name, ".part")) fail_msg("%s is left", entry->d_name);
        found |= strcmp(entry->d_name, SB_MANIFEST_NAME) == 0;
    }
    closedir(directory);
    return found;
}

static void content_of(const char *folder, char hash[SB_SHA256_HEX]) {
    sb_error error;
    sb_manifest manifest;
    assert_ok(sb_dataset_verify(&(sb_dataset_check){.folder = folder, .jobs = 1}, &manifest, &error), error);
    memcpy(hash, manifest.content_sha256, SB_SHA256_HEX);
    sb_manifest_free(&manifest);
}

/* Asserts that after a failed build, a resumed one gives the same dataset as an undisturbed one. */
static void assert_goes_on(const char *family, const char *folder, const char *hash) {
    char again[SB_SHA256_HEX];
    sb_error error;
    assert_ok(build(family, folder, true, &error), error);
    content_of(folder, again);
    assert_string_equal(hash, again);
}

/* Lets the first, second, third ... call of a kind fail until a build succeeds, and checks what each build leaves. */
static void assert_survives(fault which, sb_code code, const char *family) {
    char folder[1024], hash[SB_SHA256_HEX], again[SB_SHA256_HEX];
    sb_error error;
    long n = 1;
    snprintf(folder, sizeof folder, "%s", scratch_folder("faults"));
    assert_ok(build(family, folder, false, &error), error);
    content_of(folder, hash);
    for (;; n += TESTS_ARE_SLOW ? 4 : getenv("SEEDBED_NIGHTLY") ? 1 : 2) {
        scratch_folder("faults");
        arm(which, n);
        const bool built = build(family, folder, false, &error);
        const long made = calls[which];
        disarm();
        if (which != FSYNC || built || !has_manifest(folder)) /* the last flush comes after the last rename */
            assert_int_equal(has_manifest(folder), built);
        else
            content_of(folder, again);
        if (built && made < n) break;
        if (!built) assert_int_equal(error.code, code);
        if (!built && n % GO_ON_EVERY == 0) assert_goes_on(family, folder, hash);
    }
    assert_true(n > 2);
    content_of(folder, again);
    assert_string_equal(hash, again);
}

static void test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(MEMORY, SB_MEMORY, "agentick");
    assert_survives(MEMORY, SB_MEMORY, "toy");
    assert_survives(MEMORY, SB_MEMORY, "composed");
}

static void test_full_disk_at_any_write_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(WRITE, SB_IO, "agentick");
}

static void test_failing_flush_or_rename_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(FSYNC, SB_IO, "toy");
    assert_survives(RENAME, SB_IO, "agentick");
}

/* Memory that runs out says nothing about the dataset. */
static void test_out_of_memory_at_any_call_of_a_verification_is_no_verdict(void **state) {
    (void)state;
    char folder[1024];
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("faults"));
    assert_ok(build("agentick", folder, false, &error), error);
    long n = 1;
    for (bool done = false; !done; n += TESTS_ARE_SLOW ? 5 : 1) {
        sb_manifest manifest;
        arm(MEMORY, n);
        const bool ok = sb_dataset_verify(&(sb_dataset_check){.folder = folder, .jobs = 1}, &manifest, &error);
        done = ok && calls[MEMORY] < n;
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        sb_manifest_free(&manifest);
    }
    assert_true(n > 100);
}

/* ---- One episode in every format except minari: libhdf5 does not recover if memory is short when it starts ---- */

/* Appends the rows that the format makes from the tape and, if it has a writer, a file with these rows. */
static bool export_rows(const sb_export *export, const sb_tape *tape, sb_out *rows, sb_out *file, sb_error *error) {
    const sb_exporter *exporter = export->exporter;
    uint64_t n_rows;
    sb_env *env = sb_make(NULL, NULL, error);
    void *writer = NULL;
    sb_out packed = sb_out_growing();
    sb_tellers tellers = {0};
    const sb_rollout rollout = {.tape = tape, .env = env, .tellers = &tellers};
    bool ok = env && exporter->rows(&rollout, export, rows, &n_rows, error);
    ok = ok && (sb_out_ok(rows) || sb_fail(error, SB_MEMORY, "rows"));
    if (ok && exporter->begin) {
        writer = calloc(1, exporter->writer_size);
        ok = writer || sb_fail(error, SB_MEMORY, "writer");
        ok = ok && exporter->begin(writer, export, (sb_file_place){0, 1, NULL}, file, error) &&
             (!exporter->pack || (exporter->pack(export, rows->data, rows->size, &packed, error) &&
                                  (sb_out_ok(&packed) || sb_fail(error, SB_MEMORY, "packed")))) &&
             exporter->add(writer, exporter->pack ? packed.data : rows->data, exporter->pack ? packed.size : rows->size,
                           n_rows, file, error) &&
             exporter->finish(writer, file, error);
        if (writer) exporter->end(writer);
        ok = ok && (sb_out_ok(file) || sb_fail(error, SB_MEMORY, "file"));
    }
    free(writer);
    sb_out_free(&packed);
    sb_tellers_free(&tellers);
    sb_free(env);
    return ok;
}

static bool export_episode(const cJSON *item, const sb_tape *tape, sb_out *all, sb_error *error) {
    sb_out rows = sb_out_growing();
    sb_export export = {0};
    sb_selection one = {0};
    size_t capacity = 0;
    bool ok = sb_selection_add(&one, &tape->of, tape->name.seed, &capacity, error);
    const sb_export_defaults defaults = {.family = sb_family_find(tape->name.family, error),
                                         .labels = tape->n_corrections > 0,
                                         .rewards = {.gamma = 1},
                                         .level = 6,
                                         .episodes = one};
    sb_out_clear(all);
    ok = ok && sb_export_read(&export, item, &defaults, error) && export_rows(&export, tape, &rows, all, error);
    if (ok) sb_put(all, rows.data, rows.size);
    sb_export_free(&export);
    sb_selection_free(&one);
    sb_out_free(&rows);
    return ok && (sb_out_ok(all) || sb_fail(error, SB_MEMORY, "all"));
}

static void assert_format_survives(const char *options, const sb_tape *tape) {
    sb_error error;
    sb_out whole = sb_out_growing(), again = sb_out_growing();
    cJSON *item = sb_json_parse(options, strlen(options), &error);
    assert_ok(item && export_episode(item, tape, &whole, &error), error);
    for (long n = 1;; n++) {
        sb_out_free(&again), again = sb_out_growing();
        arm(MEMORY, n);
        const bool ok = export_episode(item, tape, &again, &error), done = calls[MEMORY] < n;
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (!ok) continue; /* otherwise the missing memory was not essential */
        assert_int_equal(again.size, whole.size);
        assert_memory_equal(again.data, whole.data, whole.size);
        if (done) break;
    }
    cJSON_Delete(item);
    sb_out_free(&whole), sb_out_free(&again);
}

static void test_out_of_memory_at_any_call_of_any_format_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *episode, *options;
    } cases[] = {
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"steps\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"trajectories\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"user\": \"{history} {observation}\", \"turns\": 2}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"rows\": \"episode\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"style\": \"prompt\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"turns\": 1, \"pixels\": {\"look\": \"flat\", \"view\": 3}}"},
        {"babyai:GoToObj#1", "{\"format\": \"chat\", \"pixels\": {\"look\": \"view\", \"tile\": 2}}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"npz\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"npz\", \"pixels\": {\"look\": \"flat\", \"channels\": 1}}"},
        {"babyai:GoToObj#1", "{\"format\": \"npz\"}"},
        {"babyai:GoToObj#1", "{\"format\": \"predict\", \"csv\": true}"},
        {"babyai:GoToObj#1", "{\"format\": \"predict\", \"style\": \"json\"}"},
        {"babyai:GoToRedBallNoDists#1", "{\"format\": \"plan\", \"style\": \"narrative\"}"},
        {"babyai:GoToObj#1", "{\"format\": \"decompose\", \"templates\": {\"header\": \"{rows}\"}}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"steps\", \"reward\": \"progress\", \"taken\": true}"},
        {"KeyDoorPuzzle/easy#1",
         "{\"format\": \"chat\", \"answer\": \"{rationale}\", \"reasons\": \"search\", \"rows\": \"episode\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"values\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"preference\", \"turns\": 1}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"preference\", \"rows\": \"episode\"}"},
        {"arc:Fold/intro#1", "{\"format\": \"next_frame\"}"},
        {"arc:Fold/intro#1", "{\"format\": \"next_frame\", \"form\": \"chat\", \"context\": 2}"},
        {"toy:Hunt#1", "{\"format\": \"heap\"}"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_error error;
        sb_name name;
        sb_worker worker = {0};
        assert_ok(sb_name_parse(NULL, cases[i].episode, &name, &error), error);
        assert_ok(sb_worker_play(&worker, "expert", &name, NULL, NULL, &error), error);
        assert_format_survives(cases[i].options, &worker.tape);
        sb_worker_free(&worker);
    }
}

/* ---- Rendering while something fails ---- */

static bool render(const char *folder, bool resume, sb_error *error) {
    sb_manifest made;
    const bool ok = sb_render_run(
        &(sb_render){.folder = folder, .formats = "trajectories", .resume = resume, .jobs = 1}, &made, error);
    sb_manifest_free(&made);
    return ok;
}

/* When rendering fails, the dataset is unchanged, or has the new format, or can be resumed; the latter only if it
 * failed while its last files got their names. */
static void assert_renders_or_not(fault which) {
    char folder[1024], hash[SB_SHA256_HEX], again[SB_SHA256_HEX], wanted[SB_SHA256_HEX];
    sb_error error;
    size_t resumed = 0, undone = 0;
    snprintf(folder, sizeof folder, "%s", scratch_folder("rendered"));
    assert_ok(build("agentick", folder, false, &error) && render(folder, false, &error), error);
    content_of(folder, wanted);
    for (long n = 1;; n++) {
        if (n == 1 || resumed) {
            snprintf(folder, sizeof folder, "%s", scratch_folder("rendered"));
            assert_ok(build("agentick", folder, false, &error), error);
            content_of(folder, hash);
        }
        arm(which, n);
        const bool rendered = render(folder, false, &error);
        const bool through = rendered && calls[which] < n;
        disarm();
        assert_true(has_manifest(folder));
        resumed = sb_file_exists(sb_path_in(folder, SB_RENDERING_NAME).text);
        if (resumed) assert_ok(render(folder, true, &error), error);
        content_of(folder, again); /* verifies */
        assert_string_equal(again, rendered || resumed ? wanted : hash);
        undone += !rendered && !resumed;
        if (through) break;
        resumed |= rendered;
    }
    assert_true(undone > 2);
}

static void test_full_disk_while_rendering_leaves_the_dataset_as_it_was(void **state) {
    (void)state;
    assert_renders_or_not(WRITE);
    assert_renders_or_not(FSYNC);
    assert_renders_or_not(RENAME);
}

static void test_full_disk_error_says_what_and_where(void **state) {
    (void)state;
    char folder[1024];
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("full"));
    arm(WRITE, -1);
    const bool built = build("agentick", folder, false, &error);
    disarm();
    assert_error(built, &error, SB_IO, "No space left on device");
    assert_non_null(strstr(error.text, folder));
}

/* ---- Certifying while something fails ---- */

static bool certify(const char *path, sb_error *error) {
    const sb_request request = {.tasks = "GoToGoal,SwitchCircuit", .difficulty = "easy", .seeds = "0..35"};
    sb_selection selection;
    bool ok = sb_select(&request, &selection, error);
    const sb_certification what = {
        .request = &request, .selection = &selection, .jobs = 1, .budget = 1000, .path = path};
    ok = ok && sb_certify(&what, error);
    sb_selection_free(&selection);
    return ok;
}

static void assert_same_bytes(const char *path, const char *expected) {
    sb_error error;
    sb_out a = sb_out_growing(), b = sb_out_growing();
    assert_ok(sb_file_load(path, SIZE_MAX, &a, &error) && sb_file_load(expected, SIZE_MAX, &b, &error), error);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    sb_out_free(&a), sb_out_free(&b);
}

/* Lets the first, second, third ... call of a kind fail until one run succeeds. Each run continues where the one before
 * stopped; another run starts from the beginning and is interrupted once. */
static void assert_certifies_in_the_end(fault which, sb_code code) {
    char whole[1100], once[1100], often[1100];
    const char *folder = scratch_folder("certificates");
    sb_error error;
    bool done = false, finished = false;
    snprintf(whole, sizeof whole, "%s/whole", folder);
    snprintf(once, sizeof once, "%s/once", folder);
    snprintf(often, sizeof often, "%s/often", folder);
    assert_ok(certify(whole, &error), error);
    for (long n = 1; !done; n++) {
        arm(which, n);
        const bool made = certify(once, &error);
        done = made && calls[which] < n;
        disarm();
        if (!made) assert_int_equal(error.code, code);
        if (!made && which != FSYNC) assert_false(sb_file_exists(once));
        if (!made) assert_ok(certify(once, &error), error);
        assert_same_bytes(once, whole);
        assert_int_equal(remove(once), 0);
        arm(which, n);
        if (!finished) finished = certify(often, &error);
        disarm();
    }
    if (!finished) assert_ok(certify(often, &error), error); /* resuming needs more memory than starting */
    assert_same_bytes(often, whole);
}

static void test_certificates_interrupted_by_any_fault_are_the_same_in_the_end(void **state) {
    (void)state;
    assert_certifies_in_the_end(MEMORY, SB_MEMORY);
    assert_certifies_in_the_end(WRITE, SB_IO);
    assert_certifies_in_the_end(FSYNC, SB_IO);
    assert_certifies_in_the_end(RENAME, SB_IO);
}

/* ---- Evaluations ---- */

static bool evaluate_and_print(const sb_selection *selection, sb_out *document, sb_error *error) {
    const sb_agent_options options = {.spec = "expert"};
    sb_agent agent;
    sb_results results = {0};
    sb_baseline baseline = {0};
    if (!sb_agent_open(&agent, &options, selection, error)) return false;
    const sb_evaluation evaluation = {.selection = selection, .agent = &agent, .jobs = 1};
    const sb_result_context context = {
        .spec = "expert",
        .selection =
            "{\"family\": \"agentick\", \"tasks\": \"GoToGoal\", \"difficulty\": \"easy\", \"seeds\": \"0,1\"}",
        .baseline = &baseline};
    const bool ok = sb_evaluate(&evaluation, &results, error) && sb_baseline_load(&baseline, NULL, error) &&
                    sb_result_print(&results, &context, true, document, error);
    sb_agent_close(&agent);
    sb_results_free(&results);
    sb_baseline_free(&baseline);
    return ok;
}

/* Writes the atlas of the selection. */
static void make_atlas(const sb_selection *selection, const char *path) {
    sb_out selected = sb_out_growing();
    sb_error error;
    sb_selected_print_request(&(sb_request){.tasks = "GoToGoal", .difficulty = "easy", .seeds = "0,1"}, selection,
                              &(sb_eval_budget){0}, &selected);
    const sb_atlas_making making = {.selection = selection, .selected = &selected, .jobs = 1, .path = path};
    assert_ok(sb_atlas_draw_up(&making, &error), error);
    sb_out_free(&selected);
}

static bool make_page(const char *path, const char *atlas, sb_out *page, sb_error *error) {
    const sb_report_options options = {.published = "GPT", .atlas = atlas, .replays = 1, .verify = true};
    sb_report report;
    const bool ok = sb_report_open(&report, &options, &path, 1, error) &&
                    sb_report_print(&report, SB_REPORT_HTML, page, error) &&
                    sb_report_print(&report, SB_REPORT_TEXT, page, error);
    if (ok) assert_true(sb_report_all_right(&report));
    sb_report_close(&report);
    return ok;
}

/* Lets each allocation fail in turn until everything succeeds, with the same result as always. */
static void test_out_of_memory_at_any_call_is_no_result_and_no_report(void **state) {
    (void)state;
    const sb_request request = {
        .tasks = "GoToGoal", .difficulty = "easy", .seeds = "0,1"}; /* the selection in the result */
    sb_selection selection;
    sb_error error;
    sb_out whole[2] = {sb_out_growing(), sb_out_growing()}, again = sb_out_growing();
    char path[512], atlas[512];
    const char *folder = scratch_folder("faults-result");
    snprintf(path, sizeof path, "%s/result.json", folder), snprintf(atlas, sizeof atlas, "%s/atlas.jsonl", folder);
    assert_ok(sb_select(&request, &selection, &error), error);
    make_atlas(&selection, atlas);
    assert_ok(evaluate_and_print(&selection, &whole[0], &error), error);
    assert_ok(sb_file_save(path, whole[0].data, whole[0].size, &error), error);
    assert_ok(make_page(path, atlas, &whole[1], &error), error);
    for (int report = 0; report < 2; report++) {
        bool done = false;
        for (long n = 1; !done; n++) {
            sb_out_free(&again);
            arm(MEMORY, n);
            const bool ok = report ? make_page(path, atlas, &again, &error)
                                   : evaluate_and_print(&selection, &again, &error);
            done = ok && calls[MEMORY] < n;
            disarm();
            if (!ok) assert_int_equal(error.code, SB_MEMORY);
            if (!ok) continue; /* otherwise the missing memory was not essential */
            assert_int_equal(again.size, whole[report].size);
            assert_memory_equal(again.data, whole[report].data, again.size);
        }
    }
    sb_out_free(&whole[0]), sb_out_free(&whole[1]), sb_out_free(&again);
    sb_selection_free(&selection);
}

/* Explains 60 episodes, every other of which was won. */
static bool explain(double *auc, sb_error *error) {
    enum { N = 60 };
    sb_atlas_row rows[N];
    sb_outcome outcomes[N];
    sb_correlation correlations[SB_N_MEASURES];
    sb_threshold threshold;
    sb_model model;
    for (size_t i = 0; i < N; i++) {
        rows[i] = (sb_atlas_row){.name = {"agentick", "GoToGoal-v0", "easy", i}};
        for (sb_measure m = 0; m < SB_N_MEASURES; m++) rows[i].values[m] = (double)(i * (m + 1) % 7);
        outcomes[i] = (sb_outcome){.row = &rows[i], .won = i % 2};
        sb_outcome_draw(&outcomes[i]);
    }
    if (!sb_correlate(outcomes, N, correlations, error) || !sb_model_fit(outcomes, N, &model, error) ||
        !sb_threshold_find(outcomes, N, 1, &threshold, error))
        return false;
    *auc = model.auc;
    return correlations[SB_MEASURE_STEPS].known && model.known && threshold.known;
}

static void test_out_of_memory_at_any_call_explains_nothing(void **state) {
    double whole, again;
    sb_error error;
    bool done = false;
    (void)state;
    assert_ok(explain(&whole, &error), error);
    for (long n = 1; !done; n++) {
        arm(MEMORY, n);
        const bool ok = explain(&again, &error);
        done = ok && calls[MEMORY] < n;
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (ok) assert_true(again == whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_bytes_are_written_or_there_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset),
        cmocka_unit_test(test_full_disk_at_any_write_leaves_no_dataset),
        cmocka_unit_test(test_failing_flush_or_rename_leaves_no_dataset),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_verification_is_no_verdict),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_any_format_is_an_error),
        cmocka_unit_test(test_full_disk_while_rendering_leaves_the_dataset_as_it_was),
        cmocka_unit_test(test_full_disk_error_says_what_and_where),
        cmocka_unit_test(test_certificates_interrupted_by_any_fault_are_the_same_in_the_end),
        cmocka_unit_test(test_out_of_memory_at_any_call_is_no_result_and_no_report),
        cmocka_unit_test(test_out_of_memory_at_any_call_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
