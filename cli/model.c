/* seedbed model: checks models of worlds, and serves the true ones. */
#include "cli/model.h"

#include <stdio.h>
#include <string.h>

#include "cli/log.h"
#include "cli/plugin.h"

static const cli_option options[] = {
    {"model", 'm', "COMMAND", "the command that runs the model, a program (docs/world-models.md)",
     CLI_TEXT(cli_model_options, model, CLI_ANYTHING)},
    {"timeout", 0, "S", "seconds that it may take for an answer (default 1)", CLI_NUMBER(cli_model_options, timeout),
     CLI_RANGE(1, 3600)},
    {"start-seconds", 0, "S", "seconds that it may take to say hello (default 60)",
     CLI_NUMBER(cli_model_options, start_seconds), CLI_RANGE(1, 3600)},
    {"hypothesis", 0, "TEXT", "check this one of its hypotheses",
     CLI_TEXT(cli_model_options, hypothesis, CLI_ANYTHING)},
    {"learn", 0, NULL, "show it every transition after it was judged, if it learns",
     CLI_FLAG(cli_model_options, learn)},
    {"save", 0, "FILE", "where a program that learns saves what it learnt (with --learn or --split)",
     CLI_TEXT(cli_model_options, save, CLI_OUTPUT)},
    {"split", 0, NULL, "learn from the logs, then check those of --test: levels and seeds seen and unseen",
     CLI_FLAG(cli_model_options, split)},
    {"policies", 0, NULL, "also roll out its policies, in the model and in the world: which sub-goals do they reach?",
     CLI_FLAG(cli_model_options, policies)},
    {"steps", 0, "N", "with --policies: the most steps of a rollout (default 50)", CLI_NUMBER(cli_model_options, steps),
     CLI_RANGE(1, 10000)},
    {"test", 0, "FILE", "with --split: a log to judge it by, and not to learn from; may be given several times",
     CLI_PATHS(cli_model_options, test)},
    CLI_BOOKS_OPTIONS(cli_model_options, books),
    {"output", 'o', "FILE", "of regressions: write the log here (default: standard output)",
     CLI_TEXT(cli_model_options, output, CLI_OUTPUT)},
    {"nodes", 0, "N", "of plan: predictions that a search may ask for (default 20000)",
     CLI_NUMBER(cli_model_options, nodes), CLI_RANGE(1, 10000000)},
    {"depth", 0, "N", "of plan: steps of the longest plan (default 200)", CLI_NUMBER(cli_model_options, depth),
     CLI_RANGE(1, 100000)},
    {"actions", 0, "N", "of plan: end every play after N actions (default: the episode's limit)",
     CLI_NUMBER(cli_model_options, actions), CLI_RANGE(1, 0)},
    {"no-truth", 0, NULL, "of plan: do not play again in the true rules, so without regret",
     CLI_FLAG(cli_model_options, no_truth)},
    CLI_LOG_OPTION(cli_model_options, log),
    /* --names-from and the options behind it are as everywhere, but without --split, which is another thing here. */
    {"names-from", 0, "FILE", "of plan: episodes by name, one in each line of FILE (-: of standard input)",
     CLI_TEXT(cli_model_options, common.names_from, CLI_FILE)},
    CLI_TASK_OPTIONS(cli_model_options, request),
    {"count", 'n', "N", "of plan: seeds per task and difficulty, of the official ones (default: all)",
     CLI_NUMBER(cli_model_options, request.count), CLI_RANGE(1, 0)},
    {"seeds", 0, "0..9,42", "of plan: explicit seeds instead of these",
     CLI_TEXT(cli_model_options, request.seeds, CLI_ANYTHING)},
};

sb_candidate_rules cli_model_rules(const cli_model_options *o) {
    cli_expect_programs();
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

void cli_model_note(const cli_model_options *o, const sb_candidate *candidate) {
    if (candidate->learns || !(o->learn || o->save)) return;
    cli_warn("seedbed: note: the model does not learn:%s%s\n", o->learn ? " --learn had no effect" : "",
             !o->save   ? ""
             : o->learn ? ", --save wrote nothing"
                        : " --save wrote nothing");
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const cli_belonging belonging[] = {
    {"model", "check, regressions, plan"},
    {"timeout", "check, regressions, plan"},
    {"start-seconds", "check, regressions, plan"},
    {"hypothesis", "check, regressions"},
    {"learn", "check, regressions"},
    {"save", "check, regressions"},
    {"split", "check"},
    {"policies", "check"},
    {"steps", "check"},
    {"test", "check"},
    {"ledger", "check"},
    {"revision", "check"},
    {"gate", "check"},
    {"cap", "check"},
    {"html", "check"},
    {"output", "regressions"},
    {"nodes", "plan"},
    {"depth", "plan"},
    {"actions", "plan"},
    {"no-truth", "plan"},
    {"log", "plan"},
    {"names-from", "plan"},
    {"family", "plan"},
    {"tasks", "plan"},
    {"category", "plan"},
    {"difficulty", "plan"},
    {"count", "plan"},
    {"seeds", "plan"},
    {"json", "check, plan"},
    {NULL, NULL},
};

static const cli_verb verbs[] = {
    {"check", cli_model_check, 1, CLI_LOGS_MAX, "name at least one log of transitions, and at most 256"},
    {"regressions", cli_model_regressions, 1, CLI_PATHS_MAX, "name at least one log of transitions, and at most 64"},
    {"plan", cli_model_plan, 0, CLI_MANY, NULL},
    {"serve", cli_model_serve, 1, 1, "name one episode"},
    {.word = NULL}};

const cli_command cli_model_command = {
    .name = "model",
    .group = CLI_TO_CONNECT,
    .summary = "check models of worlds against logs of transitions, and plan in them",
    .usage = "check LOG... | regressions LOG... | plan NAME... | serve NAME; --model COMMAND",
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
        "--ledger FILE remembers what each revision of the model got wrong: what a repair fixed and broke. --html\n"
        "FILE shows the wrong frames. `regressions` writes the transitions that tell most as a small log.\n\n"
        "  seedbed model check echo.jsonl --model \"python3 mine.py\" --ledger ledger.json --gate --html check.html\n"
        "  seedbed model regressions echo.jsonl --model \"python3 mine.py\" -o small.jsonl\n\n"
        "`plan` plays the real games, looking for plans in the model, and again in the true rules: the difference of\n"
        "the scores is the model's regret.\n\n"
        "  seedbed model plan arc:Shepherd/intro#3 --model \"python3 mine.py\"\n\n"
        "`serve` is the true model of an episode behind the same protocol, on standard input and output.\n"
        "Exit code 1 if a prediction was wrong.",
    CLI_OPTIONS(cli_model_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY,
                  "say what to do: check LOG..., regressions LOG..., plan NAME... or serve NAME"),
    .verbs = verbs,
    .belonging = belonging,
    .run = cli_run_verb,
};
