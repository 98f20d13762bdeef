/* seedbed eval: measures how well an agent plays. */
#include "cli/eval.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/word.h"
#include "cli/interruption.h"
#include "cli/log.h"
#include "cli/plugin.h"
#include "cli/programs.h"
#include "cli/score_tables.h"
#include "datasets/census.h"
#include "evaluation/estimates.h"
#include "evaluation/resume.h"
#include "evaluation/selected.h"
#include "rollout/testing.h"

static const cli_option options[] = {
    {"agent", 'a', "AGENT", "an oracle, random, tape:FILE, exec:COMMAND, plugin:FILE (default: " CLI_USUAL_AGENT ")",
     CLI_TEXT(cli_eval_options, agent.spec, CLI_AGENT)},
    {"oracle", 0, "AGENT", "the same as --agent", CLI_TEXT(cli_eval_options, agent.spec, CLI_AGENT), CLI_RARE},
    {"pack", 0, "FILE", "all episodes of a pack of seeds or challenges",
     CLI_TEXT(cli_eval_options, common.pack, CLI_FILE)},
    {"output", 'o', "FILE", "keep the result, with a tape of every episode (-: print it); of an experiment, the folder",
     CLI_TEXT(cli_eval_options, output, CLI_OUTPUT)},
    CLI_LOG_OPTION(cli_eval_options, log),
    {"resume", 0, NULL, "go on with the episodes that an interrupted evaluation kept; start if there are none",
     CLI_FLAG(cli_eval_options, resume)},
    {"retry-lost", 0, NULL, "like --resume, and play lost episodes again", CLI_FLAG(cli_eval_options, retry_lost)},
    {"force", 0, NULL, "drop what an interrupted evaluation kept; replace a result with thoughts or costs",
     CLI_FLAG(cli_eval_options, force), CLI_RARE},
    {"shard", 0, "I/N", "play part I of N (from 1); `seedbed merge` joins the results",
     CLI_TEXT(cli_eval_options, shard, CLI_ANYTHING)},
    {"attempts", 0, "N", "let a program play every episode N times, for pass@k (default 1)",
     CLI_NUMBER(cli_eval_options, attempts), CLI_RANGE(1, SB_ATTEMPTS_MAX)},
    {"hours", 0, "X", "begin no episode after X hours; --resume goes on", CLI_REAL(cli_eval_options, hours),
     CLI_GIVEN(cli_eval_options, has_hours)},
    {"max-cost", 0, "X", "begin no episode once all together cost X, as programs report it",
     CLI_REAL(cli_eval_options, limits.cost), CLI_GIVEN(cli_eval_options, has_cost), CLI_RARE},
    {"max-lost", 0, "N", "stop after N lost episodes in a row (default 20; 0: never)",
     CLI_NUMBER(cli_eval_options, limits.lost_in_a_row), CLI_RARE},
    {"budget", 0, "N", "play N of the official episodes, drawn so that scores of all can be estimated",
     CLI_NUMBER(cli_eval_options, budget.episodes), CLI_RANGE(1, 0)},
    {"until", 0, "X", "play until the interval of the score is at most +-X", CLI_REAL(cli_eval_options, budget.until),
     CLI_GIVEN(cli_eval_options, has_until)},
    {"budget-for", 0, "SCORE", "which score a budget is for: success (default) or leaderboard",
     CLI_SWITCH(cli_eval_options, for_leaderboard, "success", "leaderboard"), CLI_RARE},
    {"budget-seed", 0, "N", "draw other episodes under a budget; reports show it",
     CLI_NUMBER(cli_eval_options, budget.seed), CLI_RARE},
    {"about", 0, "FILE", "a JSON object that tells about the agent: results keep it, reports show it",
     CLI_TEXT(cli_eval_options, about, CLI_FILE), CLI_RARE},
    {"name", 0, "TEXT", "what reports call the agent", CLI_TEXT(cli_eval_options, label, CLI_ANYTHING)},
    {"baseline", 0, "FILE", "normalise with this file, or with the frozen baseline of this number (default: the last)",
     CLI_TEXT(cli_eval_options, baseline, CLI_FILE), CLI_RARE},
    {"certificates", 0, "FILE", "certificates of `seedbed certify`, for episodes that are not official",
     CLI_TEXT(cli_eval_options, certificates, CLI_FILE), CLI_RARE},
    {"interaction", 0, "N", "challenges: the test begins after N steps (default: as the task says)",
     CLI_NUMBER(cli_eval_options, agent.interaction), CLI_RANGE(1, 0), CLI_RARE},
    {"frames-per-action", 0, "N", "challenges: N - 1 frames of waiting follow each action (default 1)",
     CLI_NUMBER(cli_eval_options, agent.frames), CLI_RANGE(1, SB_FRAMES_MAX), CLI_RARE},
    {"instructions", 0, "FILE", "challenges: what agents are told before the test: a JSON object with texts by kind",
     CLI_TEXT(cli_eval_options, instructions, CLI_FILE), CLI_RARE},
    CLI_PROGRAM_OPTIONS(cli_eval_options, agent, log_mib, "max-", "new ones"),
    CLI_SELECTION_OPTIONS(cli_eval_options, request)};

/* What one call works with. */
typedef struct evaluating {
    cli_eval_options *options;
    sb_resume resume; /* holds the journal beside the output, open from the start */
    sb_plays plays;
    sb_out about; /* the text of the file that tells about the agent */
    sb_out instructions;
    sb_selection selection;
    sb_eval_budget_plan plan; /* plan of what is drawn from the selection, under a budget */
    sb_out selected;          /* what a result says of the selection, with its NUL */
    sb_baseline baseline;
    cli_interruption interruption;
    sb_results results;
    /* The agent began to play: from then on the journal is that of this run. */
    bool plays_now;
    cli_log log; /* the log of transitions, if there is one */
} evaluating;

static bool has_file(const cli_eval_options *o) { return o->output && !cli_is_dash(o->output); }
static bool resumes(const cli_eval_options *o) { return o->resume || o->retry_lost; }
static bool is_program(const cli_eval_options *o) { return sb_agent_is_process(sb_agent_kind_of(o->agent.spec)); }

/* ---- Which episodes ---- */

static bool select_pack(evaluating *e, sb_error *error) {
    const cli_eval_options *o = e->options;
    if (!sb_request_is_empty(&o->request))
        return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    if (sb_has_eval_budget(&o->budget))
        return sb_fail(error, SB_INVALID, "a budget draws from the official episodes of tasks, not from a pack");
    return sb_select_pack_file(o->request.catalogue, o->common.pack, &e->selection, &e->selected, error);
}

static bool select_episodes(evaluating *e, sb_error *error) {
    e->selected = sb_out_growing();
    if (e->options->common.pack) {
        if (!select_pack(e, error)) return false;
    } else {
        const sb_request *request = &e->options->request;
        if (!sb_select(request, &e->selection, error) ||
            !sb_eval_budget_draw(&e->options->budget, request, &e->selection, &e->plan, error))
            return false;
        sb_selected_print_request(request, &e->selection, &e->plan.budget, &e->selected);
    }
    sb_putc(&e->selected, '\0');
    return sb_out_ok(&e->selected) || sb_fail(error, SB_MEMORY, "out of memory for the selection");
}

static bool has_searched(const sb_selection *selection) {
    for (size_t i = 0; i < selection->n; i++) {
        const sb_chosen *c = &selection->episodes[i];
        const sb_family *family = sb_selection_family(selection, i);
        if (sb_is_searched(family, sb_task_at(selection->catalogue, family, c->task), c->difficulty)) return true;
    }
    return false;
}

/* Says of a split that is not for evaluation that games of it are: who has trained on the split has seen some, and who
 * has not cannot report them as others. */
static void tell_guarded(const evaluating *e) {
    const sb_request *request = &e->options->request;
    char text[400];
    sb_left left;
    sb_out out = sb_out_fixed(text, sizeof text);
    if (e->options->common.quiet || !request->split || strcmp(request->split, "eval") == 0) return;
    if (has_searched(&e->selection)) return; /* finding their evaluation episodes would take longer than many plays */
    sb_left_of_request(request, e->options->common.jobs, &left);
    if (!left.kept) return;
    sb_left_put_kept(&left, &out);
    sb_puts(&out, ": `seedbed build` leaves them out of training data");
    sb_out_finish(&out);
    cli_warn("seedbed: note: %s\n", text);
}

/* One agent plays all of the selection. If none is named, it is the one that plays the first episode by default. */
static void choose_agent(evaluating *e) {
    sb_name first;
    if (!e->options->agent.spec) e->options->agent.spec = sb_default_agent(sb_selection_name(&e->selection, 0, &first));
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

/* Fails if parts of a run have no salt in common: their agents would not be told the numbers of one run. */
static bool check_shared_salt(const cli_eval_options *o, const sb_agent_options *agent, sb_error *error) {
    char hex[SB_SALT_HEX];
    sb_salt salt;
    if (!o->shard || agent->salt || !is_program(o)) return true;
    sb_salt_draw(&salt);
    sb_salt_print(&salt, hex);
    return sb_fail(error, SB_INVALID, "the parts of a run share one salt: give the same to each, such as --salt %s",
                   hex);
}

/* Lets the agent play. An interruption ends the program while it plays; after that it waits until the result is
 * written. */
static bool play_with(evaluating *e, sb_agent *agent, playing *now, sb_error *error) {
    const cli_eval_options *o = e->options;
    sb_evaluation evaluation = {.selection = &e->selection,
                                .due = sb_eval_budget_due,
                                .plays = e->plays,
                                .agent = agent,
                                .jobs = o->common.jobs,
                                .limits = o->limits,
                                .now = cli_now,
                                .keep = has_file(o) ? sb_run_journal_add : NULL,
                                .keeper = &e->resume.journal,
                                .progress = count,
                                .context = now};
    evaluation.limits.seconds = 3600 * o->hours;
    if (!sb_evaluation_begin(&evaluation, &e->results, error)) return false;
    sb_results_plan(&e->results, &e->plan);
    if (has_file(o) &&
        !sb_resume_begin(&e->resume, o->agent.spec, &o->agent, e->selected.data, &e->selection, &e->results, error))
        return false;
    const size_t kept = sb_results_done(&e->results);
    e->plays_now = true;
    if (kept && !o->common.quiet) cli_warn("seedbed: %zu of %zu episodes were played before\n", kept, e->results.room);
    cli_interruption_begin(&e->interruption, e->results.room);
    atomic_store(&e->interruption.done, kept);
    cli_progress_again(&now->progress, "played"); /* the agent may have been long in coming */
    now->progress.before = kept;
    const bool ok = sb_evaluate_rest(&evaluation, &e->results, error);
    cli_interruption_hold(&e->interruption);
    cli_progress_end(&now->progress);
    return ok;
}

static bool play(evaluating *e, sb_error *error) {
    sb_agent agent;
    const cli_eval_options *o = e->options;
    sb_agent_options options = o->agent;
    playing now = {cli_progress_begin(o->common.quiet, "played", "episodes"), &e->interruption};
    if (!options.salt && *e->resume.salt) options.salt = e->resume.salt;
    if (e->about.size) options.about = e->about.data;
    options.note = cli_note, options.note_context = &now.progress, options.cost = o->limits.cost;
    options.plugins = cli_has_plugins();
    if (!check_shared_salt(o, &options, error) || !sb_agent_open(&agent, &options, &e->selection, error)) return false;
    tell_guarded(e);
    if (o->label) sb_copy_plain(agent.label, sizeof agent.label, o->label);
    const bool ok = play_with(e, &agent, &now, error);
    sb_agent_close(&agent);
    if (*agent.note) cli_warn("seedbed: %s\n", CLI_PLAIN(agent.note));
    return ok;
}

/* Opens the journal beside the output. */
static bool open_output(evaluating *e, sb_error *error) {
    const cli_eval_options *o = e->options;
    const sb_resume_how how = o->retry_lost ? SB_RUN_RETRIED
                              : o->resume   ? SB_RUN_RESUMED
                              : o->force    ? SB_RUN_FORCED
                                            : SB_RUN_ANEW;
    if (!has_file(o)) return true;
    if (!sb_resume_open(&e->resume, o->output, how, o->common.catalogue, cli_now, error)) return false;
    if (e->resume.journal.file.lock.missing) cli_warn("seedbed: note: %s: " SB_LOCK_MISSING "\n", CLI_PLAIN(o->output));
    return true;
}

/* Loads what is told about the agent. */
static bool load_about(evaluating *e, sb_error *error) {
    const char *path = e->options->about;
    e->about = sb_out_growing();
    if (!path) return true;
    if (!sb_file_load(path, SB_ABOUT_BYTES, &e->about, error)) return false;
    cJSON *object = sb_json_parse(e->about.data, e->about.size, error);
    const bool ok = object && (cJSON_IsObject(object) || sb_fail(error, SB_INVALID, "it should be a JSON object"));
    cJSON_Delete(object);
    return ok || sb_fail_at(error, "%s", sb_path_end(path));
}

/* Loads what programs are told before their tests. */
static bool load_instructions(evaluating *e, sb_error *error) {
    cli_eval_options *o = e->options;
    e->instructions = sb_out_growing();
    if (!o->instructions) return true;
    cJSON *const texts = sb_instructions_load(o->instructions, &e->instructions, error);
    o->agent.instructions = texts ? e->instructions.data : NULL;
    cJSON_Delete(texts);
    return texts;
}

/* Opens and checks the files first, because play may take hours. */
static bool open_files(evaluating *e, sb_error *error) {
    const cli_eval_options *o = e->options;
    sb_results none = {.catalogue = o->common.catalogue};
    return sb_baseline_load(&e->baseline, o->baseline, error) && sb_results_certify(&none, o->certificates, error) &&
           load_about(e, error) && load_instructions(e, error) && open_output(e, error) &&
           cli_log_open(&e->log, o->log, o->common.catalogue, &e->selection, error);
}

/* Writes the log of all episodes in the order of the result. */
static bool log_episodes(evaluating *e, sb_error *error) {
    for (size_t i = 0; e->options->log && i < e->results.n; i++)
        if (e->results.episodes[i].done && !cli_log_tape(&e->log, &e->results.episodes[i].tape, error)) return false;
    return true;
}

static bool tell(evaluating *e, sb_out *out, sb_error *error) {
    const cli_eval_options *o = e->options;
    sb_out document = sb_out_growing();
    bool ok = true;
    const sb_result_context context = {.spec = o->agent.spec,
                                       .limits = sb_agent_is_process(e->results.kind) ? &o->agent : NULL,
                                       .selection = e->selected.data,
                                       .baseline = &e->baseline};
    const bool piped = cli_is_dash(o->output);
    if (has_file(o))
        ok = sb_result_print(&e->results, &context, true, &document, error) &&
             sb_run_journal_conclude(&e->resume.journal, &document, error);
    if (ok && (piped || o->common.json))
        ok = sb_result_print(&e->results, &context, piped, out, error);
    else if (ok && !(o->output && o->common.quiet))
        ok = cli_put_score_tables(&e->results, &e->baseline, out, error);
    sb_out_free(&document);
    return ok;
}

static bool evaluate(evaluating *e, sb_out *out, sb_error *error) {
    const cli_eval_options *o = e->options;
    e->interruption.file = has_file(o) ? &e->resume.journal.file : NULL;
    bool ok = !o->shard || sb_part_parse(o->shard, &e->plays.part, error);
    e->plays.attempts = o->attempts;
    ok = ok && select_episodes(e, error);
    if (ok) choose_agent(e);
    ok = ok && open_files(e, error) && play(e, error) && sb_results_certify(&e->results, o->certificates, error) &&
         log_episodes(e, error) && tell(e, out, error);
    ok = cli_log_close(&e->log, ok, error);
    sb_resume_close(&e->resume);
    cli_interruption_end(&e->interruption);
    sb_baseline_free(&e->baseline);
    sb_out_free(&e->selected), sb_out_free(&e->about), sb_out_free(&e->instructions);
    sb_selection_free(&e->selection);
    sb_eval_budget_free(&e->plan);
    return ok;
}

/* Says what is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const cli_eval_options *o) {
    const sb_agent_options *agent = &o->agent;
    if (cli_limits_programs(agent, o->log_mib) && !is_program(o))
        return "--reply-seconds, --start-seconds, --max-steps, --fresh, --salt, --agent-log and --agent-log-mib "
               "are for programs, exec:COMMAND or plugin:FILE";
    if ((agent->interaction || agent->frames || o->instructions) && sb_agent_kind_of(agent->spec) != SB_AGENT_EXEC)
        return "--interaction, --frames-per-action and --instructions are for programs, exec:COMMAND";
    if (o->attempts > 1 && !is_program(o))
        return "--attempts is for programs, exec:COMMAND or plugin:FILE: other agents play an episode in one way only";
    if ((resumes(o) || o->force) && !has_file(o)) return "--resume, --retry-lost and --force need a result, -o FILE";
    if (resumes(o) && o->force) return CLI_RESUME_OR_FORCE;
    if (o->shard && o->budget.until > 0)
        return "--until is for one run: the parts of --shard do not know how many episodes the others need";
    if (cli_is_dash(o->log)) return "--log is for a file: standard output has the scores";
    if (o->label && strlen(o->label) >= SB_AGENT_LABEL)
        return "--name is too long: it would be cut, and may then be the name of several agents";
    return o->label && !*o->label ? "--name is empty" : NULL;
}

bool cli_eval_check_limits(const cli_eval_options *o, sb_error *error) {
    return (!o->has_hours || sb_run_limit_check("--hours", o->hours, error)) &&
           (!o->has_cost || sb_run_limit_check("--max-cost", o->limits.cost, error)) &&
           (!o->has_until || sb_eval_budget_check_until(o->budget.until, error)) &&
           sb_eval_budget_check(&o->budget, error);
}

/* Notes what became of the episodes of a run that ended before all were played. */
static void note_kept(const sb_run_journal *journal, cli_eval_fate *fate) {
    if (journal->episodes && !journal->file.direct)
        snprintf(fate->kept, sizeof fate->kept, "%zu episodes are kept in %s: the same command with --resume goes on",
                 journal->episodes, CLI_PLAIN(journal->file.part));
}

bool cli_evaluate(cli_eval_options *o, sb_out *out, cli_eval_fate *fate, sb_error *error) {
    evaluating e = {.options = o};
    const bool ok = evaluate(&e, out, error);
    *fate = (cli_eval_fate){.lost = sb_results_lost(&e.results)};
    sb_results_free(&e.results);
    if (!ok && e.plays_now) note_kept(&e.resume.journal, fate);
    return ok;
}

void cli_eval_tell_kept(const cli_eval_fate *fate) {
    if (*fate->kept) cli_warn("seedbed: %s\n", fate->kept);
}

static bool is_experiment(const char *const *names, size_t n) { return n == 1 && sb_ends_with(names[0], ".json"); }

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    cli_eval_options *o = given;
    sb_error error;
    cli_eval_fate fate;
    o->agent.log_bytes = o->log_mib << 20;
    o->request.catalogue = o->common.catalogue;
    o->budget.purpose = o->for_leaderboard ? SB_BUDGET_LEADERBOARD : SB_BUDGET_SUCCESS;
    cli_expect_programs();
    if (is_experiment(names, n)) return cli_run_experiment(self, o, names[0]);
    if (contradiction(o)) return cli_usage(self, contradiction(o));
    if (!cli_eval_check_limits(o, &error)) return cli_usage(self, error.text);
    sb_out out = sb_out_growing();
    o->request.names = names, o->request.n_names = n;
    if (!cli_evaluate(o, &out, &fate, &error)) {
        sb_out_free(&out);
        const int status = cli_fail(&error);
        cli_eval_tell_kept(&fate);
        return status;
    }
    const int status = cli_emit(&out, cli_data_if(o->common.json || cli_is_dash(o->output)));
    return status != CLI_OK ? status : fate.lost ? CLI_FOUND : CLI_OK;
}

const cli_command cli_eval = {
    .name = "eval",
    .group = CLI_TO_MEASURE,
    .summary = "let an agent play every episode of a selection; successes, means and scores",
    .usage = "[NAME... | selection | --pack FILE | EXPERIMENT.json] [--agent AGENT] [-o RESULT] [--json]",
    .help =
        "Plays every selected episode and prints, per task and difficulty, the success rate, the mean return\n"
        "(sparse rewards) and the mean number of steps, then the scores. docs/evaluation.md says what each means.\n\n"
        "  seedbed eval --agent random -o random.json\n"
        "  seedbed eval --pack eval.json --agent observer\n"
        "  seedbed eval --tasks GoToGoal -d easy --agent 'exec:python3 examples/agents/greedy.py' -j 4\n"
        "  seedbed eval --tasks GoToGoal --agent plugin:./mybot.so\n"
        "  seedbed eval --tasks GoToGoal --agent tape:tapes.jsonl\n\n"
        "With -o every episode is kept as soon as it was played; after an interruption the same command with --resume\n"
        "plays the rest. `seedbed report` compares results. Exit code 1 if an episode was lost or the run was stopped.",
    .more =
        "A program is asked for every action over a pipe (docs/agents.md). If it crashes, hangs or answers nonsense,\n"
        "that episode is lost, with a reason in the result, and the next one gets a new process. A plugin is a bot in\n"
        "a shared object, which plays in a process of its own (docs/bots.md). The random agent draws uniformly among\n"
        "all actions, from a generator seeded by the episode's name.\n\n"
        "A result has the same bytes, however often it was interrupted. Several machines play parts, and `seedbed\n"
        "merge` joins them:\n\n"
        "  seedbed eval --agent 'exec:./agent' -o result.json --hours 8 --resume\n"
        "  seedbed eval --agent 'exec:./agent' --salt HEX --shard 1/2 -o part1.json\n"
        "  seedbed merge part1.json part2.json -o result.json\n\n"
        "An experiment is a file that combines agents, presets, modes and selections (docs/evaluation.md). All\n"
        "results and one report are written into a folder; --resume goes on. It starts the programs that it names:\n\n"
        "  seedbed eval experiment.json -o folder -j 4",
    CLI_OPTIONS(cli_eval_options, options),
    .defaults = &(const cli_eval_options){.agent = {CLI_PROGRAM_DEFAULTS},
                                          .log_mib = CLI_LOG_MIB,
                                          .attempts = 1,
                                          .limits.lost_in_a_row = SB_LOST_IN_A_ROW},
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
