/* seedbed conform: compares recordings with the engine. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "engine/lookup.h"
#include "generators/conformance/conformance.h"

enum {
    MAX_LINES = 256,
    MAX_RECORDING = 64 << 20, /* bytes of a line; like MAX_VALUES ten times what the longest recording has */
    MAX_VALUES = 1 << 21
};

/* What was compared for one task of one family. */
typedef struct line {
    char task[64];
    size_t recordings, skipped, differing, steps, compared[SB_N_ASPECTS];
    char difference[1000]; /* the first difference */
} line;

typedef struct report {
    line lines[MAX_LINES];
    size_t n;
} report;

static const char *const aspects[SB_N_ASPECTS] = {"reset",  "layers",  "draws", "views",
                                                  "states", "rewards", "ends",  "pictures"};

static line *line_of(report *r, const char *task) {
    for (size_t i = 0; i < r->n; i++)
        if (strncmp(r->lines[i].task, task, sizeof r->lines[i].task - 1) == 0) return &r->lines[i];
    line *l = &r->lines[r->n < MAX_LINES ? r->n++ : MAX_LINES - 1];
    snprintf(l->task, sizeof l->task, "%s", task);
    return l;
}

static void note(line *l, const sb_conformity *found) {
    l->recordings++, l->steps += found->steps;
    for (int i = 0; i < SB_N_ASPECTS; i++) l->compared[i] += found->compared[i];
    if (found->differs && !l->differing++) memcpy(l->difference, found->difference, sizeof l->difference);
}

/* Finds the program of a recording: the file of that name beside the recording. */
static bool load_program(const char *path, const char *program, sb_out *text, sb_error *error) {
    sb_out beside = sb_out_growing();
    if (strchr(program, '/')) return sb_fail(error, SB_INVALID, "key `program` is no name of a file: `%.60s`", program);
    sb_put(&beside, path, (size_t)(sb_file_name(path) - path));
    sb_puts(&beside, program);
    sb_put(&beside, ".sexp", sizeof ".sexp");
    const bool ok = (!beside.failed || sb_fail(error, SB_MEMORY, "out of memory for a path")) &&
                    sb_file_load_plain(beside.data, SB_PROGRAM_BYTES, text, error);
    sb_out_free(&beside);
    return ok;
}

static bool compare_autumn(const char *path, const cJSON *recording, report *r, sb_error *error) {
    const char *program;
    char name[sizeof r->lines->task];
    sb_conformity found = {0};
    sb_out text = sb_out_growing();
    const bool ok = sb_json_string(recording, "program", &program, error) &&
                    load_program(path, program, &text, error) &&
                    sb_compare_autumn(recording, text.data ? text.data : "", text.size, &found, error);
    sb_out_free(&text);
    if (!ok) return false;
    snprintf(name, sizeof name, "autumn:%.50s", program);
    note(line_of(r, name), &found);
    return true;
}

static bool compare(const char *path, const cJSON *recording, report *r, sb_error *error) {
    const char *task;
    const sb_family *family;
    size_t index;
    sb_error unknown;
    if (sb_is_autumn_recording(recording)) return compare_autumn(path, recording, r, error);
    const sb_conformer *conformer = sb_conformer_without_task(recording, &task);
    /* benchmarks differ in the key that names the task */
    if (!conformer && !sb_json_string(recording, cJSON_HasObjectItem(recording, "id") ? "id" : "task", &task, error))
        return sb_fail_at(error, "not a recording");
    line *l = line_of(r, task);
    if (!conformer && sb_task_resolve(NULL, task, &family, &index, &unknown)) conformer = sb_conformer_of(family);
    if (!conformer) return l->skipped++, true;
    sb_conformity found = {0};
    if (!conformer->compare(recording, &found, error)) return false;
    note(l, &found);
    return true;
}

static bool compare_file(const char *path, report *r, sb_error *error) {
    sb_lines lines;
    bool ok = sb_lines_open(&lines, path, MAX_RECORDING, error);
    while (ok && sb_lines_next(&lines, error)) {
        cJSON *recording = sb_json_parse_within(lines.line.data, lines.line.size, MAX_VALUES, error);
        ok = recording && compare(path, recording, r, error);
        cJSON_Delete(recording);
        if (!ok) sb_fail_at(error, "%s, line %zu", sb_path_end(path), lines.number);
    }
    ok = ok && error->code == SB_OK;
    sb_lines_close(&lines);
    return ok;
}

static void print_table(sb_out *out, const report *r) {
    sb_putf(out, "%-32s %10s %7s %8s", "task", "recordings", "skipped", "steps");
    for (int i = 0; i < SB_N_ASPECTS; i++) sb_putf(out, " %8s", aspects[i]);
    sb_puts(out, "  differing\n");
    for (size_t i = 0; i < r->n; i++) {
        const line *l = &r->lines[i];
        sb_putf(out, "%-32s %10zu %7zu %8zu", CLI_PLAIN(l->task), l->recordings, l->skipped, l->steps);
        for (int k = 0; k < SB_N_ASPECTS; k++) sb_putf(out, " %8zu", l->compared[k]);
        sb_putf(out, "  %zu\n", l->differing);
    }
    for (size_t i = 0; i < r->n; i++)
        if (r->lines[i].differing) sb_putf(out, "\nfirst difference: %s\n", r->lines[i].difference);
}

static void print_json(sb_out *out, const report *r) {
    sb_puts(out, "{");
    sb_member_uint(out, "version", 1);
    sb_put_key(out, "tasks");
    sb_puts(out, "[");
    for (size_t i = 0; i < r->n; i++) {
        const line *l = &r->lines[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", l->task);
        sb_member_uint(out, "recordings", l->recordings);
        sb_member_uint(out, "skipped", l->skipped);
        sb_member_uint(out, "differing", l->differing);
        sb_member_uint(out, "steps", l->steps);
        sb_put_key(out, "compared");
        sb_puts(out, "{");
        for (int k = 0; k < SB_N_ASPECTS; k++) sb_member_uint(out, aspects[k], l->compared[k]);
        sb_puts(out, "}");
        if (l->differing)
            sb_member_text(out, "first_difference", l->difference);
        else
            sb_put_key(out, "first_difference"), sb_puts(out, "null");
        sb_puts(out, "}");
    }
    sb_puts(out, "]}\n");
}

static int exit_code(const report *r) {
    size_t compared = 0, differing = 0;
    for (size_t i = 0; i < r->n; i++) compared += r->lines[i].recordings, differing += r->lines[i].differing;
    return compared && !differing ? CLI_OK : CLI_FOUND; /* nothing is confirmed if nothing was compared */
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    (void)self;
    const cli_common *common = given;
    sb_error error;
    sb_out out = sb_out_growing();
    report *r = calloc(1, sizeof *r);
    bool ok = r || sb_fail(&error, SB_MEMORY, "out of memory for a report");
    for (size_t i = 0; ok && i < n; i++) ok = compare_file(paths[i], r, &error);
    const int status = ok ? exit_code(r) : CLI_FOUND;
    if (ok && common->json)
        print_json(&out, r);
    else if (ok && (!common->quiet || status))
        print_table(&out, r);
    free(r);
    if (ok) return cli_emit(&out, cli_data_if(common->json)) == CLI_OK ? status : CLI_FOUND;
    cli_fail(&error);
    return CLI_FOUND;
}

const cli_command cli_conform = {
    .name = "conform",
    .group = CLI_TO_PROVE,
    .summary = "compare recorded episodes of the published benchmark with this engine",
    .usage = "FILE... [--json]",
    .help =
        "Replays recordings (JSON lines, gzipped or not) and compares all that they hold: the reset, layers, random\n"
        "draws, observations, and of every step the state, the changed cells, both rewards and the end; or hashes of\n"
        "pictures. Prints how much was compared and the first difference of every task in full. Recordings of tasks\n"
        "that this program does not have count as skipped. A recording of an Autumn program NAME needs the file\n"
        "NAME.sexp beside it. For ARC-like games there are recordings of the engine's parts (sprites, cameras, "
        "scenes,\n"
        "collisions) and of whole games.\n\n"
        "  seedbed conform recordings/*.jsonl.gz\n"
        "  seedbed conform autumn/*.json\n\n"
        "Exit code 1 if anything differs, a recording is malformed, or nothing could be compared.",
    .size = sizeof(cli_common),
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name at least one file of recordings"),
    .run = run,
};
