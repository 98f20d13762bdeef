/* seedbed eval: how well an agent does. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/interruption.h"
#include "cli/scores.h"
#include "evaluation/result.h"
#include "evaluation/selected.h"

/* ---- Which episodes ---- */

/* All episodes of a pack that is as it says; `text` gets what a result says of it. */
static bool select_pack(const char *path, const sb_request *request, sb_selection *selection, sb_out *text,
                        sb_error *error) {
    sb_pack pack = {0};
    if (!sb_request_is_empty(request))
        return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    bool ok = sb_pack_read_file(&pack, path, error);
    ok = ok &&
         (sb_select_verified_pack(request->catalogue, &pack, selection, error) || sb_fail_at(error, "%.100s", path));
    if (ok) sb_selected_print_pack(&pack, text);
    sb_pack_clear(&pack);
    return ok;
}

/* ---- The command ---- */

typedef struct evaluating {
    cli_common common;
    sb_request request;
    sb_agent_options agent;
    uint64_t log_mib;
    const char *pack, *output, *baseline, *certificates, *label;
    sb_file file; /* the output's, open from the start */
} evaluating;

typedef struct playing {
    cli_progress progress;
    cli_interruption *interruption;
} playing;

static void count(void *context, size_t done, size_t total) {
    playing *p = context;
    atomic_store(&p->interruption->done, done);
    cli_progress_show(&p->progress, done, total);
}

/* An interruption ends the program as long as it plays; then it waits. */
static bool play(const evaluating *what, const sb_selection *selection, cli_interruption *interruption,
                 sb_results *results, sb_error *error) {
    sb_agent agent;
    if (!sb_agent_open(&agent, &what->agent, selection, error)) return false;
    playing now = {cli_progress_begin(&what->common, "played"), interruption};
    if (what->label) sb_copy_plain(agent.label, sizeof agent.label, what->label);
    const sb_evaluation evaluation = {
        .selection = selection, .agent = &agent, .jobs = (size_t)what->common.jobs, .progress = count, .context = &now};
    cli_interruption_begin(interruption, selection->n);
    const bool ok = sb_evaluate(&evaluation, results, error);
    cli_interruption_hold(interruption);
    cli_progress_end(&now.progress);
    sb_agent_close(&agent);
    if (*agent.note) cli_warn("seedbed: %s\n", CLI_PLAIN(agent.note));
    return ok;
}

/* What would fail in the end fails before hours of play. */
static bool open_files(evaluating *what, sb_baseline *baseline, sb_error *error) {
    sb_results none = {.catalogue = what->common.catalogue};
    return sb_baseline_load(baseline, what->baseline, error) && sb_results_certify(&none, what->certificates, error) &&
           cli_output_open(&what->file, what->output, error);
}

static bool tell(evaluating *what, const char *selection, const sb_results *results, const sb_baseline *baseline,
                 sb_out *out, sb_error *error) {
    sb_out document = sb_out_growing();
    bool ok = true;
    const sb_result_context context = {.spec = what->agent.spec,
                                       .limits = results->kind == SB_AGENT_EXEC ? &what->agent : NULL,
                                       .selection = selection,
                                       .baseline = baseline};
    const bool piped = cli_is_dash(what->output);
    if (what->output && !piped)
        ok = sb_result_print(results, &context, true, &document, error) &&
             cli_output_save(&what->file, &document, error);
    if (ok && (piped || what->common.json))
        ok = sb_result_print(results, &context, piped, out, error);
    else if (ok && !(what->output && what->common.quiet))
        ok = cli_print_scores(results, baseline, out, error);
    sb_out_free(&document);
    return ok;
}

static bool evaluate(evaluating *what, sb_results *results, sb_out *out, sb_error *error) {
    sb_selection selection = {0};
    sb_baseline baseline = {0};
    cli_interruption interruption = {.file = &what->file};
    sb_out text = sb_out_growing();
    bool ok = what->pack ? select_pack(what->pack, &what->request, &selection, &text, error)
                         : sb_select(&what->request, &selection, error);
    if (ok && !what->pack) sb_selected_print_request(&what->request, &text);
    sb_putc(&text, '\0');
    ok = ok && (sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for the selection"));
    ok = ok && open_files(what, &baseline, error) && play(what, &selection, &interruption, results, error) &&
         sb_results_certify(results, what->certificates, error) &&
         tell(what, text.data, results, &baseline, out, error);
    sb_file_discard(&what->file);
    cli_interruption_end(&interruption);
    sb_baseline_free(&baseline);
    sb_out_free(&text);
    sb_selection_free(&selection);
    return ok;
}

static size_t count_failures(const sb_results *results) {
    size_t failures = 0;
    for (size_t i = 0; i < results->n; i++) failures += results->episodes[i].failure.kind != SB_NO_FAILURE;
    return failures;
}

enum {
    START_SECONDS = SB_AGENT_START_SECONDS,
    REPLY_SECONDS = SB_AGENT_REPLY_SECONDS,
    LOG_MIB = 64,
    LOG_MIB_MAX = 1 << 20
};

/* What is wrong with the options beside one another; NULL: nothing. */
static const char *contradiction(const evaluating *what) {
    const sb_agent_options *agent = &what->agent;
    const bool limits = agent->steps || agent->fresh || agent->log || agent->salt || what->log_mib != LOG_MIB ||
                        agent->start_seconds != START_SECONDS || agent->reply_seconds != REPLY_SECONDS;
    if (!agent->reply_seconds || !agent->start_seconds) return "a limit of 0 seconds is none";
    if (limits && strncmp(agent->spec, "exec:", strlen("exec:")) != 0)
        return "--reply-seconds, --start-seconds, --max-steps, --fresh, --salt, --agent-log and --agent-log-mib "
               "are for programs, exec:COMMAND";
    if (what->log_mib > LOG_MIB_MAX) return "--agent-log-mib is 0 to 1048576";
    return what->label && !*what->label ? "--name is empty" : NULL;
}

/* As cli_parse. */
static int read_options(const cli_command *self, int argc, char **argv, evaluating *what, int *status) {
    const cli_option options[] = {
        {.name = "agent",
         .letter = 'a',
         .argument = "AGENT",
         .help = "expert (default), another oracle of `seedbed tasks`, random, tape:FILE or exec:COMMAND",
         .text = &what->agent.spec},
        {.name = "oracle", .argument = "NAME", .help = "the same as --agent", .text = &what->agent.spec},
        {.name = "pack", .argument = "FILE", .help = "all episodes of a seed pack", .text = &what->pack},
        {.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .help = "keep the result, with a tape of every episode (-: print it)",
         .text = &what->output},
        {.name = "name", .argument = "TEXT", .help = "what reports call the agent", .text = &what->label},
        {.name = "baseline",
         .argument = "FILE",
         .help = "normalise with this, or with a frozen baseline by its number (default: the last of them)",
         .text = &what->baseline},
        {.name = "certificates",
         .argument = "FILE",
         .help = "what `seedbed certify` found, for episodes that are not official",
         .text = &what->certificates},
        {.name = "reply-seconds",
         .argument = "N",
         .help = "how long a program may take for an answer (default 60)",
         .number = &what->agent.reply_seconds},
        {.name = "start-seconds",
         .argument = "N",
         .help = "how long a program may take to say hello (default 300)",
         .number = &what->agent.start_seconds},
        {.name = "max-steps",
         .argument = "N",
         .help = "steps that a program may take in an episode (default: the task's limit)",
         .number = &what->agent.steps},
        {.name = "fresh", .help = "a new process of the program for every episode", .flag = &what->agent.fresh},
        {.name = "agent-log",
         .argument = "FILE",
         .help = "where programs' standard error goes (default: here)",
         .text = &what->agent.log},
        {.name = "agent-log-mib",
         .argument = "N",
         .help = "how much of it that file takes (default 64; 0: everything)",
         .number = &what->log_mib},
        {.name = "salt",
         .argument = "HEX",
         .help = "tell programs the random_seeds of the run whose result has this salt (default: new ones)",
         .text = &what->agent.salt},
        CLI_SELECTION_OPTIONS(what->request),
        CLI_COMMON_OPTIONS(what->common)};
    return CLI_PARSE(self, options, argc, argv, status);
}

static int run(const cli_command *self, int argc, char **argv) {
    evaluating what = {
        .agent = {.spec = "expert", .start_seconds = START_SECONDS, .reply_seconds = REPLY_SECONDS, .now = cli_now},
        .log_mib = LOG_MIB};
    int status;
    const int n = read_options(self, argc, argv, &what, &status);
    if (n < 0) return status;
    if (contradiction(&what)) return cli_usage(self, contradiction(&what));
    sb_error error;
    sb_results results = {0};
    sb_out out = sb_out_growing();
    what.agent.log_bytes = what.log_mib << 20;
    what.request.catalogue = what.common.catalogue;
    what.request.names = (const char *const *)argv, what.request.n_names = (size_t)n;
    signal(SIGPIPE, SIG_IGN); /* a program that no longer reads is no accident */
    signal(SIGCHLD, SIG_DFL); /* if we inherited that it is ignored, nobody tells how programs end */
    const bool ok = evaluate(&what, &results, &out, &error);
    const size_t failures = count_failures(&results);
    sb_results_free(&results);
    if (!ok) {
        sb_out_free(&out);
        return cli_fail(&error);
    }
    status = cli_emit(&out, cli_data_if(what.common.json || cli_is_dash(what.output)));
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
        "A program is asked for every action over a pipe (docs/agents.md). If it crashes, hangs or talks nonsense,\n"
        "that episode is lost, with a reason in the result, and the next one gets a new process.\n"
        "The random agent draws uniformly among all actions, from a generator seeded by the episode's name.\n"
        "`seedbed report` compares results. Exit code 1 if an episode was lost.",
    .run = run,
};
