/* seedbed score: what a language model's answers to BabyBench's tasks are worth. */
#include "babybench/marks.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"

enum { ANSWERS_BYTES = 1 << 30 };

typedef struct scoring {
    cli_common common;
    const char *protocol, *expert, *output;
    sb_file file; /* the output's, open from the start */
} scoring;

static bool tell(scoring *what, const sb_marks *marks, sb_out *out, sb_error *error) {
    sb_out document = sb_out_growing();
    const bool piped = cli_is_dash(what->output);
    bool ok = true;
    if (what->output && !piped)
        ok = sb_marks_print(marks, true, &document, error) && cli_output_save(&what->file, &document, error);
    if (ok && (piped || what->common.json))
        ok = sb_marks_print(marks, piped, out, error);
    else if (ok && !(what->output && what->common.quiet))
        ok = sb_marks_tabulate(marks, out, error);
    sb_out_free(&document);
    return ok;
}

static bool score(scoring *what, const char *path, sb_out *out, sb_error *error) {
    sb_out text = sb_out_growing();
    sb_marks marks = {0};
    sb_marking marking = {.catalogue = what->common.catalogue,
                          .expert = what->expert,
                          .jobs = (size_t)what->common.jobs,
                          .progress = cli_progress_show};
    bool ok = sb_babybench_task_find(what->protocol, &marking.protocol, error) &&
              cli_output_open(&what->file, what->output, error) && sb_file_load(path, ANSWERS_BYTES, &text, error);
    if (ok) {
        cli_progress progress = cli_progress_begin(&what->common, "scored");
        marking.text = text.data, marking.size = text.size, marking.context = &progress;
        ok = sb_mark_answers(&marking, &marks, error) || sb_fail_at(error, "%.100s", path);
        cli_progress_end(&progress);
    }
    ok = ok && tell(what, &marks, out, error);
    sb_file_discard(&what->file);
    sb_marks_free(&marks);
    sb_out_free(&text);
    return ok;
}

static int run(const cli_command *self, int argc, char **argv) {
    scoring what = {0};
    const cli_option options[] = {
        {.name = "protocol",
         .letter = 'p',
         .argument = "NAME",
         .help = "which task was answered: predict, plan or decompose",
         .text = &what.protocol},
        {.name = "expert",
         .argument = "NAME",
         .help = "whose actions answers are compared with (default: the oracle that takes plans, omnibot)",
         .text = &what.expert},
        {.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .help = "keep the scores, with a line for every answer (-: print it)",
         .text = &what.output},
        CLI_COMMON_OPTIONS(what.common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n != 1) return cli_usage(self, "one file of answers is expected");
    if (!what.protocol) return cli_usage(self, "--protocol is missing: predict, plan or decompose");
    sb_error error;
    sb_out out = sb_out_growing();
    if (score(&what, argv[0], &out, &error))
        return cli_emit(&out, cli_data_if(what.common.json || cli_is_dash(what.output)));
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_score = {
    .name = "score",
    .summary = "score a language model's answers to BabyBench's tasks",
    .usage = "--protocol predict|plan|decompose ANSWERS.jsonl [-o SCORES] [--json]",
    .help =
        "Reads answers, a JSON object a line: `name` (or `env_name` and `seed`) says which episode, `answer` is the\n"
        "model's text. Plays what it says and prints, per level, difficulty and overall, the benchmark's measures\n"
        "(docs/babybench.md). An answer that cannot be read counts as wrong, with a reason.\n\n"
        "  seedbed score --protocol predict answers.jsonl\n"
        "  seedbed score -p decompose answers.jsonl -o scores.json",
    .run = run,
};
