/* seedbed eval: measures how well an agent plays. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/score_tables.h"
#include "evaluation/result.h"
#include "evaluation/selected.h"

enum {
    START_SECONDS = SB_AGENT_START_SECONDS,
    REPLY_SECONDS = SB_AGENT_REPLY_SECONDS,
    LOG_MIB = 64,
    LOG_MIB_MAX = 1 << 20
};

typedef struct eval_options {
    cli_common common;
    sb_request request;
    sb_agent_options agent;
    uint64_t log_mib;
    const char *pack, *output, *baseline, *certificates, *label;
} eval_options;

static const cli_option options[] = {
    {"agent", 'a', "AGENT", "expert (default), another oracle of `seedbed tasks`, random, tape:FILE or exec:COMMAND",
     CLI_TEXT(eval_options, agent.spec, CLI_AGENT)},
    {"oracle", 0, "NAME", "the same as --agent", CLI_TEXT(eval_options, agent.spec, CLI_AGENT)},
    {"pack", 0, "FILE", "all episodes of a seed pack", CLI_TEXT(eval_options, pack, CLI_FILE)},
    {"output", 'o', "FILE", "keep the result, with a tape of every episode (-: print it)",
     CLI_TEXT(eval_options, output, CLI_FILE)},
    {"name", 0, "TEXT", "what reports call the agent", CLI_TEXT(eval_options, label, CLI_ANYTHING)},
    {"baseline", 0, "FILE", "normalise with this file, or with the frozen baseline of this number (default: the last)",
     CLI_TEXT(eval_options, baseline, CLI_FILE)},
    {"certificates", 0, "FILE", "certificates of `seedbed certify`, for episodes that are not official",
     CLI_TEXT(eval_options, certificates, CLI_FILE)},
    {"reply-seconds", 0, "N", "how long a program may take for an answer (default 60)",
     CLI_NUMBER(eval_options, agent.reply_seconds), CLI_RANGE(1, 0)},
    {"start-seconds", 0, "N", "how long a program may take to say hello (default 300)",
     CLI_NUMBER(eval_options, agent.start_seconds), CLI_RANGE(1, 0)},
    {"max-steps", 0, "N", "steps that a program may take in an episode (default: the task's limit)",
     CLI_NUMBER(eval_options, agent.steps)},
    {"fresh", 0, NULL, "a new process of the program for every episode", CLI_FLAG(eval_options, agent.fresh)},
    {"agent-log", 0, "FILE", "where programs' standard error goes (default: to standard error)",
     CLI_TEXT(eval_options, agent.log, CLI_FILE)},
    {"agent-log-mib", 0, "N", "at most so many MiB of it are kept (default 64; 0: everything)",
     CLI_NUMBER(eval_options, log_mib), CLI_RANGE(0, LOG_MIB_MAX)},
    {"salt", 0, "HEX", "give programs the random_seeds of the run whose result has this salt (default: new ones)",
     CLI_TEXT(eval_options, agent.salt, CLI_ANYTHING)},
    CLI_SELECTION_OPTIONS(eval_options, request)};

/* What one call works with. */
typedef struct evaluating {
    const eval_options *options;
    sb_file file; /* the output's, open from the start */
    sb_selection selection;
    sb_out selected; /* what a result says of the selection, with its NUL */
    sb_baseline baseline;
    cli_interruption interruption;
    sb_results results;
} evaluating;

/* ---- Which episodes ---- */

static bool select_pack(evaluating *e, sb_error *error) {
    sb_pack pack = {0};
    const eval_options *o = e->options;
    if (!sb_request_is_empty(&o->request))
        return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    bool ok = sb_pack_read_file(&pack, o->pack, error);
    ok = ok && (sb_select_verified_pack(o->request.catalogue, &pack, &e->selection, error) ||
                sb_fail_at(error, "%.100s", o->pack));
    if (ok) sb_selected_print_pack(&pack, &e->selected);
    sb_pack_clear(&pack);
    return ok;
}

static bool select_episodes(evaluating *e, sb_error *error) {
    e->selected = sb_out_growing();
    if (e->options->pack) {
        if (!select_pack(e, error)) return false;
    } else {
        if (!sb_select(&e->options->request, &e->selection, error)) return false;
        sb_selected_print_request(&e->options->request, &e->selected);
    }
    sb_putc(&e->selected, '\0');
    return sb_out_ok(&e->selected) || sb_fail(error, SB_MEMORY, "out of memory for the selection");
}

/* ---- The evaluation ---- */

typedef struct playing {
    cli_progress progress;
    cli_interruption *interruption;
} playing;

static void count(void *context, size_t done, size_t total) {
    playing *p = context;
    atomic_store(&p->interruption->done, done);
    cli_progress_show(&p->progress, done, total);
}

/* An interruption ends the program while the agent plays; after that it waits until the result is written. */
static bool play(evaluating *e, sb_error *error) {
    sb_agent agent;
    const eval_options *o = e->options;
    if (!sb_agent_open(&agent, &o->agent, &e->selection, error)) return false;
    playing now = {cli_progress_begin(o->common.quiet, "played"), &e->interruption};
    if (o->label) sb_copy_plain(agent.label, sizeof agent.label, o->label);
    const sb_evaluation evaluation = {
        .selection = &e->selection, .agent = &agent, .jobs = o->common.jobs, .progress = count, .context = &now};
    cli_interruption_begin(&e->interruption, e->selection.n);
    const bool ok = sb_evaluate(&evaluation, &e->results, error);
    cli_interruption_hold(&e->interruption);
    cli_progress_end(&now.progress);
    sb_agent_close(&agent);
    if (*agent.note) cli_warn("seedbed: %s\n", CLI_PLAIN(agent.note));
    return ok;
}

/* Opens and checks the files first, because play may take hours. */
static bool open_files(evaluating *e, sb_error *error) {
    const eval_options *o = e->options;
    sb_results none = {.catalogue = o->common.catalogue};
    return sb_baseline_load(&e->baseline, o->baseline, error) && sb_results_certify(&none, o->certificates, error) &&
           cli_output_open(&e->file, o->output, error);
}

static bool tell(evaluating *e, sb_out *out, sb_error *error) {
    const eval_options *o = e->options;
    sb_out document = sb_out_growing();
    bool ok = true;
    const sb_result_context context = {.spec = o->agent.spec,
                                       .limits = e->results.kind == SB_AGENT_EXEC ? &o->agent : NULL,
                                       .selection = e->selected.data,
                                       .baseline = &e->baseline};
    const bool piped = cli_is_dash(o->output);
    if (o->output && !piped)
        ok = sb_result_print(&e->results, &context, true, &document, error) &&
             cli_output_save(&e->file, &document, error);
    if (ok && (piped || o->common.json))
        ok = sb_result_print(&e->results, &context, piped, out, error);
    else if (ok && !(o->output && o->common.quiet))
        ok = cli_put_score_tables(&e->results, &e->baseline, out, error);
    sb_out_free(&document);
    return ok;
}

static bool evaluate(evaluating *e, sb_out *out, sb_error *error) {
    e->interruption.file = &e->file;
    const bool ok = select_episodes(e, error) && open_files(e, error) && play(e, error) &&
                    sb_results_certify(&e->results, e->options->certificates, error) && tell(e, out, error);
    sb_file_discard(&e->file);
    cli_interruption_end(&e->interruption);
    sb_baseline_free(&e->baseline);
    sb_out_free(&e->selected);
    sb_selection_free(&e->selection);
    return ok;
}

static size_t count_failures(const sb_results *results) {
    size_t failures = 0;
    for (size_t i = 0; i < results->n; i++) failures += results->episodes[i].failure.kind != SB_NO_FAILURE;
    return failures;
}

/* Says what is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const eval_options *o) {
    const sb_agent_options *agent = &o->agent;
    const bool limits = agent->steps || agent->fresh || agent->log || agent->salt || o->log_mib != LOG_MIB ||
                        agent->start_seconds != START_SECONDS || agent->reply_seconds != REPLY_SECONDS;
    if (limits && strncmp(agent->spec, "exec:", strlen("exec:")) != 0)
        return "--reply-seconds, --start-seconds, --max-steps, --fresh, --salt, --agent-log and --agent-log-mib "
               "are for programs, exec:COMMAND";
    return o->label && !*o->label ? "--name is empty" : NULL;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    eval_options *o = given;
    if (contradiction(o)) return cli_usage(self, contradiction(o));
    sb_error error;
    evaluating e = {.options = o};
    sb_out out = sb_out_growing();
    o->agent.log_bytes = o->log_mib << 20;
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    signal(SIGPIPE, SIG_IGN); /* a program may stop reading at any time */
    signal(SIGCHLD, SIG_DFL); /* else, if we inherited that it is ignored, we could not learn how programs end */
    const bool ok = evaluate(&e, &out, &error);
    const size_t failures = count_failures(&e.results);
    sb_results_free(&e.results);
    if (!ok) {
        sb_out_free(&out);
        return cli_fail(&error);
    }
    const int status = cli_emit(&out, cli_data_if(o->common.json || cli_is_dash(o->output)));
    return status != CLI_OK ? status : failures ? CLI_FOUND : CLI_OK;
}

const cli_command cli_eval = {
    .name = "eval",
    .summary = "let an agent play every episode of a selection; successes, means and scores",
    .usage = "[NAME... | selection | --pack FILE] [--agent AGENT] [-o RESULT] [--json]",
    .help =
        "Plays every selected episode and prints, per task and difficulty, the success rate, the mean return\n"
        "(sparse rewards) and the mean number of steps, then the scores. docs/evaluation.md says what each means.\n\n"
        "  seedbed eval --agent random -o random.json\n"
        "  seedbed eval --pack eval.json --agent observer\n"
        "  seedbed eval --tasks GoToGoal -d easy --agent 'exec:python3 examples/agents/greedy.py' -j 4\n"
        "  seedbed eval --tasks GoToGoal --agent tape:tapes.jsonl\n\n"
        "A program is asked for every action over a pipe (docs/agents.md). If it crashes, hangs or answers nonsense,\n"
        "that episode is lost, with a reason in the result, and the next one gets a new process.\n"
        "The random agent draws uniformly among all actions, from a generator seeded by the episode's name.\n"
        "`seedbed report` compares results. Exit code 1 if an episode was lost.",
    CLI_OPTIONS(eval_options, options),
    .defaults =
        &(const eval_options){
            .agent = {.spec = "expert", .start_seconds = START_SECONDS, .reply_seconds = REPLY_SECONDS, .now = cli_now},
            .log_mib = LOG_MIB},
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
