/* seedbed log: makes logs of transitions from tapes, results and recordings. */
#include "cli/log.h"

#include "base/error.h"
#include "base/word.h"
#include "rollout/recorded.h"

/* ---- Logs that commands write ------------------------------------------------------------------------------------ */

bool cli_log_open(cli_log *log, const char *path, const sb_catalogue *catalogue, const sb_selection *selection,
                  sb_error *error) {
    *log = (cli_log){.path = path, .text = sb_out_growing(), .packed = sb_out_growing()};
    if (!path) return true;
    if (selection && !sb_need_frames(selection, error)) return false;
    log->packs = sb_ends_with(path, ".gz");
    log->env = sb_make(catalogue, NULL, error);
    return log->env && cli_output_open(&log->file, path, error);
}

/* Writes a text as a gzip member of its own: readers see one stream. */
static bool write_packed(cli_log *log, const sb_out *text, sb_error *error) {
    enum { LEVEL = 6 };
    sb_out_clear(&log->packed);
    return sb_gzip_member(&log->gzip, LEVEL, text->data, text->size, &log->packed, error) &&
           sb_file_write(&log->file, log->packed.data, log->packed.size, error);
}

bool cli_log_text(cli_log *log, const sb_out *text, sb_error *error) {
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for a log of transitions");
    if (log->packs) return write_packed(log, text, error);
    if (!cli_is_dash(log->path)) return sb_file_write(&log->file, text->data, text->size, error);
    cli_print(text, CLI_DATA);
    return true;
}

bool cli_log_tape(cli_log *log, const sb_tape *tape, sb_error *error) {
    if (!log->path) return true;
    sb_out_clear(&log->text);
    return sb_log_put_tape(&log->writer, log->env, tape, &log->text, error) && cli_log_text(log, &log->text, error);
}

bool cli_log_close(cli_log *log, bool ok, sb_error *error) {
    if (!log->path) return ok;
    ok = ok && (cli_is_dash(log->path) || sb_file_commit(&log->file, NULL, error));
    sb_file_discard(&log->file);
    sb_log_writer_free(&log->writer);
    sb_gzip_free(&log->gzip);
    sb_out_free(&log->text), sb_out_free(&log->packed);
    sb_free(log->env);
    log->path = NULL;
    return ok;
}

void cli_warn_left_out(const char *path, const sb_recording_lines *recording) {
    char text[300];
    sb_out out = sb_out_fixed(text, sizeof text);
    const bool is_left_out = recording->source && sb_recording_tell_left_out(recording, &out);
    sb_out_finish(&out);
    if (is_left_out) cli_warn("seedbed: note: %s: %s\n", sb_path_end(path), text);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

typedef struct log_options {
    cli_common common;
    cli_paths from;
    const char *output;
} log_options;

static const cli_option options[] = {
    {"from", 0, "FILE", "a recording of the ARC-AGI-3 toolkit, also of other games; may be given several times",
     CLI_PATHS(log_options, from)},
    {"output", 'o', "FILE", "the log (default: print it); FILE.gz is compressed",
     CLI_TEXT(log_options, output, CLI_OUTPUT)}};

static bool log_tapes(const log_options *o, cli_log *log, const char *path, cli_progress *progress, size_t *n,
                      sb_error *error) {
    sb_recorded tapes;
    sb_tape tape = {0};
    error->code = SB_OK;
    bool ok = sb_recorded_open(&tapes, o->common.catalogue, path, error);
    while (ok && sb_recorded_next(&tapes, error)) {
        ok = sb_tape_parse(o->common.catalogue, tapes.line->data, tapes.line->size, &tape, error) &&
             cli_log_tape(log, &tape, error);
        if (!ok && tapes.lines.number)
            sb_fail_at(error, "%s, line %zu", sb_path_end(path), tapes.lines.number);
        else if (!ok)
            sb_fail_at(error, "%s", sb_path_end(path));
        cli_progress_show(progress, ++*n, 0);
    }
    ok = ok && error->code == SB_OK;
    if (ok) cli_warn_left_out(path, &tapes.recording.lines);
    sb_recorded_close(&tapes);
    sb_tape_clear(&tape);
    return ok;
}

static bool log_recording(const log_options *o, cli_log *log, const char *path, size_t *n, sb_error *error) {
    sb_lines lines;
    sb_recording_lines recording;
    size_t plays = 0;
    bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    sb_out_clear(&log->text);
    ok = ok && sb_log_put_recording(&lines, o->common.catalogue, &log->text, &plays, &recording, error);
    if (ok) cli_warn_left_out(path, &recording);
    ok = ok && cli_log_text(log, &log->text, error);
    sb_lines_close(&lines);
    *n += plays;
    return ok;
}

static int tell_logged(const log_options *o, size_t n) {
    sb_out out = sb_out_growing();
    if (o->common.json) {
        sb_puts(&out, "{");
        sb_member_text(&out, "log", o->output);
        sb_member_uint(&out, "plays", n);
        sb_puts(&out, "}\n");
    } else if (!o->common.quiet) {
        sb_putf(&out, "%zu play%s logged\n", n, sb_plural(n));
    }
    return cli_emit(&out, cli_data_if(o->common.json));
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n_paths) {
    const log_options *o = given;
    cli_log log;
    sb_error error;
    size_t n = 0;
    if (!n_paths && !o->from.n) return cli_usage(self, "name tapes, a result, or a recording with --from");
    cli_progress progress = cli_progress_begin(o->common.quiet || !o->output || cli_is_dash(o->output), "logged",
                                               "plays");
    bool ok = cli_log_open(&log, o->output ? o->output : "-", o->common.catalogue, NULL, &error);
    for (size_t i = 0; ok && i < n_paths; i++) ok = log_tapes(o, &log, paths[i], &progress, &n, &error);
    for (size_t i = 0; ok && i < o->from.n; i++) ok = log_recording(o, &log, o->from.items[i], &n, &error);
    cli_progress_end(&progress);
    if (ok && !n)
        ok = sb_fail(&error, SB_INVALID, "there are no plays in %s",
                     sb_path_end(n_paths ? paths[0] : o->from.items[0]));
    ok = cli_log_close(&log, ok, &error);
    if (!ok) return cli_fail(&error);
    return o->output && !cli_is_dash(o->output) ? tell_logged(o, n) : CLI_OK;
}

const cli_command cli_log_command = {
    .name = "log",
    .group = CLI_TO_CONNECT,
    .summary = "make a log of transitions from tapes: what models of worlds are checked with",
    .usage = "[TAPES | RESULT]... [--from RECORDING]... [-o LOG]",
    .help =
        "Replays episodes and writes what was shown before and after every action, one line of JSON each\n"
        "(docs/world-models.md): for multi-level games (arc) and programs (autumn). Arguments are tapes, results\n"
        "of eval, or recordings of games that Seedbed has. --from takes recordings of the ARC-AGI-3 toolkit\n"
        "that hold frames, whatever their games are; what cannot be replayed is marked as a recording.\n\n"
        "  seedbed solve arc:Echo/intro#7 -o echo.jsonl && seedbed log echo.jsonl -o echo.log.jsonl\n"
        "  seedbed log --from ls20.recording.jsonl -o ls20.log.jsonl\n"
        "  seedbed verify echo.log.jsonl\n"
        "  seedbed model check echo.log.jsonl --model \"python3 mine.py\"\n\n"
        "`solve`, `eval`, `play` and `model plan` write the same with --log FILE. Exit code 2 if there are no plays.",
    CLI_OPTIONS(log_options, options),
    CLI_ARGUMENTS(CLI_FILE, 0, CLI_MANY, NULL),
    .run = run,
};
