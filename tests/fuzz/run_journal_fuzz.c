/* Takes the input as the journal that an interrupted evaluation left; input that does not begin with a brace follows
 * the right first line. If the evaluation goes on with it, every episode that was kept is the one of its place and
 * replays, and reading the journal again keeps the same ones. Otherwise there is an error message, and the journal is
 * still there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "evaluation/resume.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[SB_SCRATCH_PATH], path[SB_SCRATCH_PATH + 8], part[SB_SCRATCH_PATH + 16];

static void remove_folder(void) {
    unlink(part);
    rmdir(folder);
}

static void make_folder(void) {
    sb_scratch_folder(folder, "run-journal-fuzz");
    if (atexit(remove_folder) != 0) abort();
    snprintf(path, sizeof path, "%s/result", folder);
    snprintf(part, sizeof part, "%s.part", path);
}

static sb_selection select_some(void) {
    const sb_request request = {.tasks = "GoToGoal", .difficulty = "easy", .seeds = "0..2"};
    sb_selection selection;
    sb_error error;
    if (!sb_select(&request, &selection, &error)) abort();
    return selection;
}

static const sb_plays plays = {.attempts = 2};
static const char selected[] = "{\"seeds\": \"0..2\"}";

static sb_results begin_results(const sb_selection *selection) {
    sb_results results;
    sb_error error;
    if (!sb_results_begin(&results, selection, &plays, "fuzz", SB_AGENT_ORACLE, &error)) abort();
    return results;
}

static void save(const char *head, size_t n_head, const char *bytes, size_t n) {
    FILE *file = fopen(part, "wb");
    if (!file || fwrite(head, 1, n_head, file) != n_head || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
}

/* Checks what was kept, and returns how much. */
static size_t check_results(const sb_results *results, const sb_selection *selection) {
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    if (!env || results->n > results->room) abort();
    for (size_t i = 0; i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        uint32_t attempt;
        sb_name name;
        if (!played->done) continue;
        sb_selection_name(selection, sb_plays_at(&plays, i, &attempt), &name);
        if (sb_compare_names(&name, &played->tape.name) != 0 || played->attempt != attempt) abort();
        if (!sb_played_replay(played, env, &error)) abort();
    }
    sb_free(env);
    return sb_results_done(results);
}

/* Goes on with the journal; returns how many episodes were kept, or -1 after an error. */
static long go_on(const sb_selection *selection) {
    static const sb_agent_options limits = {.spec = "fuzz"};
    sb_resume resume = {0};
    sb_error error = {0};
    sb_results results = begin_results(selection);
    const bool ok = sb_resume_open(&resume, path, SB_RUN_RESUMED, NULL, NULL, &error) &&
                    sb_resume_begin(&resume, "fuzz", &limits, selected, selection, &results, &error);
    if (!ok && (error.code == SB_OK || !error.text[0])) abort();
    const long kept = ok ? (long)check_results(&results, selection) : -1;
    sb_resume_close(&resume);
    sb_results_free(&results);
    return kept;
}

static size_t count_lines(const char *data, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < size; i++) n += data[i] == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error;
    sb_out agent = sb_out_growing(), head = sb_out_growing();
    sb_selection selection = select_some();
    sb_results results = begin_results(&selection);
    if (!path[0]) make_folder();
    sb_result_print_agent(&results, "fuzz", NULL, &agent);
    sb_putc(&agent, '\0');
    if (!sb_run_head(SB_VERSION, agent.data, selected, &plays, &selection, &head, &error)) abort();
    const bool whole = size && data[0] == '{';
    save(head.data, whole ? 0 : head.size, (const char *)data, size);
    const long kept = go_on(&selection);
    if (kept < 0 && count_lines((const char *)data, size) > 1 && access(part, F_OK) != 0) abort();
    if (kept > 0 && go_on(&selection) != kept) abort();
    unlink(part);
    sb_out_free(&agent), sb_out_free(&head);
    sb_results_free(&results);
    sb_selection_free(&selection);
    return 0;
}
