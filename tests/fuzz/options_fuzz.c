/* Takes the input as one item of a recipe's `formats`, for each family. If it can be read, the export describes its
 * columns, renders an episode, and makes a file of it. Otherwise there is an error message. Options that name files are
 * left out, because the files would be opened. */
#include <stdlib.h>
#include <string.h>

#include "exporters/exporter.h"
#include "exporters/teller.h"
#include "rollout/worker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"GoToGoal-v0/easy#1", "babyai:GoToRedBallNoDists#1"};
static const char *const agents[] = {"expert", "omnibot"};
enum { N = sizeof names / sizeof *names };

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

/* Played once and kept for the whole run. */
static sb_worker *stage_of(size_t i) {
    static sb_worker stages[N];
    sb_name name;
    sb_error error;
    if (stages[i].tape.n) return &stages[i];
    sb_env *env = sb_make(NULL, names[i], &error);
    if (!env) abort();
    name = *sb_name_of(env);
    sb_free(env);
    if (!sb_worker_play(&stages[i], agents[i], &name, NULL, NULL, &error)) abort();
    return &stages[i];
}

static void check_columns(const sb_export *export) {
    sb_columns columns = {0};
    if (!export->exporter->columns) return;
    export->exporter->columns(export, &columns);
    if (columns.n == 0 || columns.n > SB_COLUMNS_MAX) abort();
    for (size_t i = 0; i < columns.n; i++)
        if (!columns.of[i].name[0] || !columns.of[i].what) abort();
}

static void check_texts(const sb_export *export) {
    sb_out out = sb_out_growing();
    if (export->exporter->tell) export->exporter->tell(export, &out);
    if (export->exporter->load) export->exporter->load(export, (sb_file_place){0, 1, NULL}, &out);
    if (!sb_out_ok(&out)) abort();
    sb_out_free(&out);
}

/* Checks that each row is one line with a JSON object. */
static void check_rows(const sb_export *export, const sb_out *rows, uint64_t n_rows) {
    const char *at = rows->data, *end = at + rows->size;
    uint64_t n = 0;
    sb_error error;
    if (strcmp(export->exporter->suffix, "jsonl.gz") != 0) return;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) abort();
        cJSON *row = sb_json_parse(at, (size_t)(newline - at), &error);
        if (!cJSON_IsObject(row)) abort();
        cJSON_Delete(row);
        at = newline + 1, n++;
    }
    if (n != n_rows) abort();
}

static void write_file(const sb_export *export, const sb_out *rows, uint64_t n_rows) {
    const sb_exporter *exporter = export->exporter;
    sb_out file = sb_out_growing(), packed = sb_out_growing();
    sb_error error = {0};
    if (!exporter->begin) return;
    if (exporter->pack && !exporter->pack(export, rows->data, rows->size, &packed, &error)) abort();
    if (exporter->pack) rows = &packed;
    void *writer = calloc(1, exporter->writer_size + 1);
    if (!writer) abort();
    const bool ok = exporter->begin(writer, export, (sb_file_place){0, 1, NULL}, &file, &error) &&
                    exporter->add(writer, rows->data, rows->size, n_rows, &file, &error) &&
                    exporter->finish(writer, &file, &error);
    if (!ok) check_refusal(&error);
    if (exporter->end) exporter->end(writer);
    free(writer);
    sb_out_free(&file), sb_out_free(&packed);
}

static void try_export(const sb_export *export, sb_worker *stage) {
    sb_out rows = sb_out_growing();
    sb_error error = {0};
    uint64_t n_rows = 0;
    static sb_tellers tellers; /* of all inputs */
    const sb_rollout rollout = {.tape = &stage->tape, .env = stage->env, .tellers = &tellers};
    check_columns(export);
    check_texts(export);
    if (!export->needs_intents && export->exporter->rows(&rollout, export, &rows, &n_rows, &error)) {
        check_rows(export, &rows, n_rows);
        write_file(export, &rows, n_rows);
    } else if (!export->needs_intents) {
        check_refusal(&error);
    }
    sb_out_free(&rows);
}

static void try_item(const cJSON *item, size_t which) {
    sb_worker *stage = stage_of(which);
    sb_export export = {0};
    sb_error error = {0};
    sb_selection one = {0};
    size_t capacity = 0;
    if (!sb_selection_add(&one, &stage->tape.of, stage->tape.name.seed, &capacity, &error)) abort();
    const sb_export_defaults defaults = {
        .family = stage->env->family, .rewards = {.gamma = 1}, .level = 1, .episodes = one};
    if (sb_export_read(&export, item, &defaults, &error))
        try_export(&export, stage);
    else
        check_refusal(&error);
    sb_export_free(&export);
    sb_selection_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error = {0};
    cJSON *item = sb_json_parse((const char *)data, size, &error);
    if (!item) {
        check_refusal(&error);
        return 0;
    }
    if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(item, "templates")))
        for (size_t i = 0; i < N; i++) try_item(item, i);
    cJSON_Delete(item);
    return 0;
}
