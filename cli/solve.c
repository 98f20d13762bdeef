/* seedbed solve: lets an agent play, and shows or keeps what it does. */
#include <string.h>

#include "agents/agent.h"
#include "base/error.h"
#include "base/pool.h"
#include "cli/film.h"
#include "cli/log.h"
#include "cli/picture.h"
#include "cli/plugin.h"

typedef struct solve_options {
    cli_common common;
    sb_request request;
    sb_agent_options agent;
    const char *output, *film, *log;
    cli_showing showing;
    bool explain, watch;
    uint64_t delay; /* milliseconds per frame */
    bool has_delay;
    uint64_t log_mib;
} solve_options;

static const cli_option options[] = {
    CLI_PLAYER_OPTIONS(solve_options, agent.spec),
    {"explain", 'e', NULL, "show every action and what it is for", CLI_FLAG(solve_options, explain)},
    {"watch", 'w', NULL, "animate on the terminal", CLI_FLAG(solve_options, watch)},
    {"delay", 0, "MS", "milliseconds per frame of --watch and --film (default 150)", CLI_NUMBER(solve_options, delay),
     CLI_GIVEN(solve_options, has_delay)},
    {"output", 'o', "FILE", "keep the tapes, one line of JSON per episode (-: print them, as --json does)",
     CLI_TEXT(solve_options, output, CLI_OUTPUT)},
    {"film", 0, "FILE", "film one episode: NAME.gif, or raw frames as NAME.rgb or - for a pipe",
     CLI_TEXT(solve_options, film, CLI_OUTPUT)},
    CLI_LOG_OPTION(solve_options, log),
    CLI_MODE_OPTION(solve_options, showing, 'm'),
    CLI_SHOWING_OPTIONS(solve_options, showing),
    CLI_PROGRAM_OPTIONS(solve_options, agent, log_mib, "max-", "fixed ones"),
    CLI_SELECTION_OPTIONS(solve_options, request)};

typedef struct solving {
    const solve_options *options;
    const sb_selection *selection;
    sb_agent *plugin; /* the plugin that plays; NULL: the oracle of the options plays */
    cli_display display;
    cli_progress *progress;
    sb_file *tapes; /* NULL: not kept */
    cli_film *film; /* NULL: no film */
    cli_log log;
    size_t successes, judged, faults, lost;    /* judged: episodes of tasks that are judged by success */
    char unjudged[sizeof((sb_name *)0)->task]; /* a task that is not judged by success; "": there is none */
} solving;

typedef struct solved {
    sb_out shown, tape, log;
    bool success, judged, fault;
    sb_failure failure; /* why the plugin's episode was lost, if it was */
} solved;

/* The context for telling of the steps of one episode. */
typedef struct telling {
    solving *what;
    const sb_player *player;
    sb_out *out;
} telling;

static void free_solved(void *data) {
    solved *s = data;
    sb_out_free(&s->shown), sb_out_free(&s->tape), sb_out_free(&s->log);
}

static bool tell(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    telling *t = context;
    const sb_intent *intent = &t->player->intent;
    if (t->what->options->watch &&
        !cli_watch(env, action, result, intent, &t->what->display, t->what->options->delay, error))
        return false;
    if (t->what->options->explain && result) cli_put_step(t->out, env, action, result, intent);
    return !t->what->film || cli_film_add(t->what->film, env, error);
}

static void print_summary(sb_out *out, const sb_tape *tape, const sb_env *env) {
    char name[SB_NAME_MAX];
    const sb_status *end = &tape->outcome;
    sb_name_print(&tape->name, name, sizeof name);
    sb_putf(out, "%-40s %-9s %4zu steps, return ", name, cli_outcome(tape->criterion, end), tape->n);
    sb_put_double(out, end->total);
    cli_put_standing(out, tape->criterion, end);
    if (end->fault) sb_puts(out, ", "), cli_put_fault(out, env);
    sb_puts(out, "\n");
}

/* Lets a plugin play, which can be shown only afterwards: then its tape is replayed. */
static bool play_plugin(const solving *what, sb_agent_worker *player, const sb_name *name, telling *t,
                        sb_failure *failure, sb_error *error) {
    const sb_worker *worker = &player->worker;
    const bool tells = what->options->watch || what->options->explain || what->film;
    return sb_agent_worker_play(player, what->plugin, name, 0, failure, error) &&
           (!tells || sb_tape_replay(&worker->tape, worker->env, tell, t, error));
}

/* Replays the tape into a log of transitions. */
static bool log_tape(sb_worker *worker, sb_out *out, sb_error *error) {
    sb_log_writer writer = {0};
    out->grows = true;
    sb_out_clear(out);
    const bool ok = sb_log_put_tape(&writer, worker->env, &worker->tape, out, error);
    sb_log_writer_free(&writer);
    return ok;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    solving *what = context;
    sb_agent_worker *player = scratch;
    sb_worker *worker = &player->worker;
    solved *done = slot;
    worker->catalogue = what->selection->catalogue;
    sb_name name;
    done->shown.grows = done->tape.grows = true, done->failure.kind = SB_NO_FAILURE;
    sb_out_clear(&done->shown), sb_out_clear(&done->tape);
    telling t = {.what = what, .player = &worker->player, .out = &done->shown};
    sb_selection_name(what->selection, index, &name);
    if (!(what->plugin ? play_plugin(what, player, &name, &t, &done->failure, error)
                       : sb_worker_play(worker, what->options->agent.spec, &name, tell, &t, error)))
        return false;
    done->success = worker->tape.outcome.success, done->fault = worker->tape.outcome.fault;
    done->judged = sb_has_success(worker->tape.criterion);
    sb_tape_put_line(&worker->tape, &done->tape);
    if (what->options->log && !log_tape(worker, &done->log, error)) return false;
    if (!what->options->common.json) print_summary(&done->shown, &worker->tape, worker->env);
    return true;
}

static void tell_lost(solving *what, size_t index, const sb_failure *failure) {
    char text[SB_NAME_MAX];
    sb_name name;
    if (!failure->kind) return;
    what->lost++;
    sb_name_print(sb_selection_name(what->selection, index, &name), text, sizeof text);
    cli_progress_end(what->progress);
    cli_warn("seedbed: %s was lost: %s\n", text, CLI_PLAIN(failure->text));
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    solving *what = context;
    const solved *done = slot;
    sb_name name;
    const sb_out *shown = what->options->common.json ? &done->tape : &done->shown;
    what->successes += done->success, what->judged += done->judged, what->faults += done->fault;
    if (!done->judged) sb_selection_name(what->selection, index, &name), strcpy(what->unjudged, name.task);
    if (!sb_out_ok(&done->shown) || !sb_out_ok(&done->tape))
        return sb_fail(error, SB_MEMORY, "out of memory for an episode");
    tell_lost(what, index, &done->failure);
    cli_progress_end(what->progress);
    /* Texts are not printed where standard output has the frames or the log. */
    const bool piped = cli_is_dash(what->options->film) || cli_is_dash(what->options->log);
    if (!piped && (!what->tapes || what->options->explain || what->options->common.json))
        cli_print(shown, cli_data_if(what->options->common.json));
    cli_progress_show(what->progress, index + 1, what->selection->n);
    return (!what->tapes || sb_file_write(what->tapes, done->tape.data, done->tape.size, error)) &&
           (!what->options->log || cli_log_text(&what->log, &done->log, error));
}

static bool solve(solving *what, const char *output, sb_error *error) {
    sb_file tapes;
    const solve_options *o = what->options;
    const sb_pool pool = {.workers = o->watch ? 1 : o->common.jobs,
                          .context = what,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(solved),
                          .scratch_size = sizeof(sb_agent_worker),
                          .free_slot = free_solved,
                          .free_scratch = sb_agent_worker_free};
    if (!cli_log_open(&what->log, o->log, o->common.catalogue, what->selection, error))
        return cli_log_close(&what->log, false, error);
    bool ok = cli_output_open(&tapes, output, error);
    what->tapes = output && ok ? &tapes : NULL;
    ok = ok && sb_pool_run(&pool, what->selection->n, error) && (!output || sb_file_commit(&tapes, NULL, error));
    if (what->tapes) sb_file_discard(&tapes);
    return cli_log_close(&what->log, ok, error);
}

/* Solves one episode and films it. */
static bool solve_on_film(solving *what, const char *output, sb_error *error) {
    const solve_options *o = what->options;
    cli_film film;
    if (!cli_film_open(&film, o->film, &o->showing.look, o->delay, error)) return false;
    what->film = &film;
    const bool ok = solve(what, output, error);
    what->film = NULL;
    return cli_film_close(&film, ok, error);
}

/* Lets a plugin play, with the same random numbers in every run. */
static bool solve_with_plugin(solving *what, const char *output, sb_error *error) {
    sb_agent_options options = what->options->agent;
    sb_agent agent;
    if (!options.salt) options.salt = "00000000000000000000000000000000";
    options.plugins = cli_has_plugins();
    options.log_bytes = what->options->log_mib << 20;
    cli_expect_programs();
    if (!sb_agent_open(&agent, &options, what->selection, error)) return false;
    what->plugin = &agent;
    const bool ok = (what->options->film ? solve_on_film : solve)(what, output, error);
    what->plugin = NULL;
    sb_agent_close(&agent);
    return ok;
}

static bool is_plugin(const solve_options *o) { return sb_agent_kind_of(o->agent.spec) == SB_AGENT_PLUGIN; }

static bool solve_as_asked(solving *what, const char *output, sb_error *error) {
    if (is_plugin(what->options)) return solve_with_plugin(what, output, error);
    return (what->options->film ? solve_on_film : solve)(what, output, error);
}

static bool refuse_films(size_t n, sb_error *error) {
    return sb_fail(error, SB_INVALID, "a film shows one episode, and %zu are selected", n);
}

static void say_counts(const solving *what, size_t total) {
    if (what->judged) cli_say("%zu of %zu solved\n", what->successes, what->judged);
    if (what->faults) cli_say("%zu ended by a fault of the world\n", what->faults);
    if (*what->unjudged)
        cli_say("%zu played and neither solved nor failed: %s has no success\n", total - what->judged, what->unjudged);
}

/* Says what is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const solve_options *o) {
    const bool shows = o->common.json || o->watch || o->explain;
    if (o->common.json && (o->watch || o->explain))
        return "--watch and --explain are for people, --json prints tapes: choose one";
    if (cli_is_dash(o->log) && (shows || cli_is_dash(o->film)))
        return "--log - prints the log, and nothing else can be printed";
    if (cli_limits_programs(&o->agent, o->log_mib) && !is_plugin(o))
        return "--reply-seconds, --start-seconds, --max-steps, --fresh, --salt, --agent-log and --agent-log-mib are "
               "for plugins, --agent plugin:FILE";
    if (!o->watch && !o->film && cli_look_is_given(&o->showing.look))
        return CLI_LOOK_NAMES " are for --watch and --film";
    if (!o->watch && !o->film && o->has_delay) return "--delay is for --watch and --film";
    if (!o->watch && (o->showing.mode || o->showing.pictures)) return "--mode and --pictures are for --watch";
    if (cli_is_dash(o->film) && shows)
        return "--film - writes frames to standard output, where nothing else can be printed";
    return NULL;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    solve_options *o = given;
    sb_error error;
    sb_selection selection = {0};
    const bool piped = cli_is_dash(o->output);
    o->common.json |= piped;
    if (contradiction(o)) return cli_usage(self, contradiction(o));
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    cli_progress progress = cli_progress_begin(o->common.quiet || o->watch, "played", "episodes");
    solving what = {.options = o, .selection = &selection, .progress = &progress};
    const bool ok = cli_display_begin(&what.display, &o->common, o->watch ? &o->showing : NULL, &error) &&
                    sb_select(&o->request, &selection, &error) &&
                    (!o->film || selection.n == 1 || refuse_films(selection.n, &error)) &&
                    solve_as_asked(&what, piped ? NULL : o->output, &error);
    cli_progress_end(&progress);
    cli_display_end(&what.display);
    const size_t total = selection.n;
    sb_selection_free(&selection);
    if (!ok) return cli_fail(&error);
    if (!o->common.quiet && !o->common.json && !cli_is_dash(o->log) && total > 1) say_counts(&what, total);
    return what.successes == what.judged && !what.lost ? CLI_OK : CLI_FOUND;
}

const cli_command cli_solve = {
    .name = "solve",
    .group = CLI_TO_LOOK,
    .summary = "let an agent play episodes; watch, explain or keep what it does",
    .usage = "[NAME... | selection] [--agent NAME] [--watch] [--explain] [--film FILE] [-o TAPES] [--log FILE]",
    .help = "Plays episodes to their end and prints a line for each.\n\n"
            "  seedbed solve KeyDoorPuzzle-v0/medium#42 --explain\n"
            "  seedbed solve GoToGoal-v0/expert#0 --watch\n"
            "  seedbed solve GoTo#5 --film goto.gif --look grid\n"
            "  seedbed solve --tasks GoToGoal --split eval -o tapes.jsonl\n"
            "  seedbed solve GoToGoal-v0/expert#0 --agent plugin:./mybot.so --watch\n\n"
            "Without names the selection is all tasks and difficulties on the official evaluation seeds.\n"
            "`--log -` prints the log of transitions and nothing else. Exit code 1 if an episode was not solved.",
    CLI_OPTIONS(solve_options, options),
    .defaults = &(const solve_options){.agent = {CLI_PROGRAM_DEFAULTS}, .delay = 150, .log_mib = CLI_LOG_MIB},
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
