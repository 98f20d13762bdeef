/* seedbed score: scores a language model's answers to BabyBench's tasks. */
#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "evaluation/babybench/marks.h"

enum { ANSWERS_BYTES = 1 << 30 };

typedef struct score_options {
    cli_common common;
    const char *protocol, *expert, *by, *output;
} score_options;

static const cli_option options[] = {
    {"protocol", 'p', "NAME", "which task was answered: predict, plan or decompose",
     CLI_TEXT(score_options, protocol, CLI_WORD), CLI_WORDS("predict", "plan", "decompose")},
    {"expert", 0, "NAME", "whose actions answers are compared with (default: the oracle that takes plans, omnibot)",
     CLI_TEXT(score_options, expert, CLI_ORACLE)},
    {"by", 0, "WHAT", "also group answers: by skill, added (the help that missions take) or size of the grid",
     CLI_TEXT(score_options, by, CLI_WORD), CLI_WORDS("skill", "added", "size")},
    {"output", 'o', "FILE", "keep the scores, with a line for every answer (-: print them)",
     CLI_TEXT(score_options, output, CLI_OUTPUT)}};

static bool tell(const score_options *o, const sb_marks *marks, sb_file *file, sb_out *out, sb_error *error) {
    sb_out document = sb_out_growing();
    const bool piped = cli_is_dash(o->output);
    bool ok = true;
    if (o->output && !piped)
        ok = sb_marks_print(marks, true, &document, error) && cli_output_save(file, &document, error);
    if (ok && (piped || o->common.json))
        ok = sb_marks_print(marks, piped, out, error);
    else if (ok && !(o->output && o->common.quiet))
        ok = sb_marks_tabulate(marks, out, error);
    sb_out_free(&document);
    return ok;
}

static bool score(const score_options *o, const char *path, sb_out *out, sb_error *error) {
    sb_file file = {0};
    sb_out text = sb_out_growing();
    sb_marks marks = {0};
    sb_marking marking = {
        .catalogue = o->common.catalogue, .expert = o->expert, .jobs = o->common.jobs, .progress = cli_progress_show};
    sb_mark_grouping by = SB_MARKS_UNGROUPED;
    bool ok = sb_babybench_task_find(o->protocol, &marking.protocol, error) &&
              (!o->by || sb_mark_grouping_find(o->by, &by, error)) && cli_output_open(&file, o->output, error) &&
              sb_file_load(path, ANSWERS_BYTES, &text, error);
    if (ok) {
        cli_progress progress = cli_progress_begin(o->common.quiet, "scored", "answers");
        marking.text = text.data, marking.size = text.size, marking.context = &progress;
        ok = sb_mark_answers(&marking, &marks, error) || sb_fail_at(error, "%s", sb_path_end(path));
        cli_progress_end(&progress);
        marks.by = by;
    }
    ok = ok && tell(o, &marks, &file, out, error);
    sb_file_discard(&file);
    sb_marks_free(&marks);
    sb_out_free(&text);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    (void)n;
    const score_options *o = given;
    if (!o->protocol) return cli_usage(self, "--protocol is missing: predict, plan or decompose");
    sb_error error;
    sb_out out = sb_out_growing();
    if (score(o, paths[0], &out, &error)) return cli_emit(&out, cli_data_if(o->common.json || cli_is_dash(o->output)));
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_score = {
    .name = "score",
    .group = CLI_TO_MEASURE,
    .summary = "score a language model's answers to BabyBench's tasks",
    .usage = "--protocol predict|plan|decompose ANSWERS.jsonl [--by skill|added|size] [-o SCORES] [--json]",
    .help = "Reads answers, one JSON object per line: `name` (or `env_name` and `seed`) says which episode, `answer` "
            "is the\n"
            "model's text. Plays the answers and prints, per level, difficulty and overall, the benchmark's measures\n"
            "(docs/babyai.md). An answer that cannot be read counts as wrong, with a reason.\n\n"
            "  seedbed score --protocol predict answers.jsonl\n"
            "  seedbed score -p decompose answers.jsonl -o scores.json",
    CLI_OPTIONS(score_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, 1, "one file of answers is expected"),
    .run = run,
};
