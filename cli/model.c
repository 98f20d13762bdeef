/* seedbed model: checks models of worlds, and serves the true ones. */
#include "cli/model.h"

#include <signal.h>
#include <string.h>

static const cli_option options[] = {
    {"model", 'm', "TEXT", "the command that runs the model, a program (docs/world-models.md)",
     CLI_TEXT(cli_model_options, model, CLI_ANYTHING)},
    {"timeout", 0, "S", "seconds that it may take for an answer (default 1)", CLI_NUMBER(cli_model_options, timeout),
     CLI_RANGE(1, 3600)},
    {"start-seconds", 0, "S", "seconds that it may take to say hello (default 60)",
     CLI_NUMBER(cli_model_options, start_seconds), CLI_RANGE(1, 3600)},
    {"hypothesis", 0, "TEXT", "check this one of its hypotheses",
     CLI_TEXT(cli_model_options, hypothesis, CLI_ANYTHING)},
    {"learn", 0, NULL, "show it every transition after it was judged, if it learns",
     CLI_FLAG(cli_model_options, learn)},
    {"save", 0, "FILE", "where a program that learns saves what it learnt",
     CLI_TEXT(cli_model_options, save, CLI_FILE)},
    {"split", 0, NULL, "learn from the logs, then check those of --test: levels and seeds seen and unseen",
     CLI_FLAG(cli_model_options, split)},
    {"policies", 0, NULL, "also roll out its policies, in the model and in the world: which sub-goals do they reach?",
     CLI_FLAG(cli_model_options, policies)},
    {"steps", 0, "N", "of a rollout of --policies, at most (default 50)", CLI_NUMBER(cli_model_options, steps),
     CLI_RANGE(1, 10000)},
    {"test", 0, "FILE", "a log of --split that nothing is learnt from", CLI_PATHS(cli_model_options, test)},
};

sb_candidate_rules cli_model_rules(const cli_model_options *o) {
    signal(SIGPIPE, SIG_IGN); /* the program may end at any time */
    signal(SIGCHLD, SIG_DFL); /* else, if we inherited that it is ignored, we could not learn how it ends */
    return (sb_candidate_rules){.command = o->model,
                                .now = cli_now,
                                .seconds = o->timeout,
                                .start_seconds = o->start_seconds,
                                .errors = -1,
                                .save = o->save};
}

bool cli_logs_open(sb_log *logs, const char *const *paths, size_t n, sb_error *error) {
    for (size_t i = 0; i < n; i++) {
        if (sb_log_open(&logs[i], paths[i], false, error)) continue;
        cli_logs_close(logs, i + 1);
        return false;
    }
    return true;
}

void cli_logs_close(sb_log *logs, size_t n) {
    for (size_t i = 0; i < n; i++) sb_log_close(&logs[i]);
}

static int run(const cli_command *self, void *given, const char *const *words, size_t n) {
    const cli_model_options *o = given;
    if (strcmp(words[0], "check") == 0) return cli_model_check(self, o, words + 1, n - 1);
    if (strcmp(words[0], "serve") == 0) return cli_model_serve(self, o, words + 1, n - 1);
    return cli_usage(self, self->arguments.wanted);
}

const cli_command cli_model_command = {
    .name = "model",
    .summary = "check models of worlds against logs of transitions; serve the true ones",
    .usage = "check LOG... --model COMMAND [--split --test LOG...] [--json] | serve NAME",
    .help =
        "A model is any program that answers `predict` with lines of JSON (docs/world-models.md): what will be shown\n"
        "after this action? `check` asks it about every transition of logs (`seedbed log`), and prints how often it "
        "is\n"
        "right, where it is wrong first, and whose fault that is, beside two references: copy (nothing changes) and\n"
        "table (what this frame and action led to the last time).\n\n"
        "  seedbed solve arc:Echo/intro#7 --log echo.jsonl\n"
        "  seedbed model check echo.jsonl --model \"python3 mine.py\"\n"
        "  seedbed model check echo.jsonl --model \"seedbed model serve arc:Echo/intro#7\"\n"
        "  seedbed model check train.jsonl --split --test test.jsonl --model \"python3 learner.py\"\n\n"
        "`serve` is the true model of an episode behind the same protocol, on standard input and output.\n"
        "Exit code 1 if a prediction was wrong.",
    CLI_OPTIONS(cli_model_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "say what to do: check LOG... or serve NAME"),
    .arguments.words = (const char *const[]){"check", "serve", NULL},
    .run = run,
};
