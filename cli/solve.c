/* seedbed solve: let an agent play, and show or keep what it does. */
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/picture.h"
#include "rollout/worker.h"

typedef struct solving {
    const sb_selection *selection;
    const char *agent;
    bool json, explain, watch, color;
    uint64_t delay; /* milliseconds a frame */
    cli_progress *progress;
    sb_file *tapes;                            /* NULL: not kept */
    size_t successes, judged, faults;          /* judged: episodes that have success */
    char unjudged[sizeof((sb_name *)0)->task]; /* a task that has none; "": all have it */
} solving;

typedef struct solved {
    sb_out shown, tape;
    bool success, judged, fault;
} solved;

/* What the visitor of one episode needs. */
typedef struct telling {
    const solving *what;
    const sb_player *player;
    sb_out *out;
} telling;

static void free_solved(void *data) {
    solved *s = data;
    sb_out_free(&s->shown), sb_out_free(&s->tape);
}

static bool tell(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    telling *t = context;
    const sb_intent *intent = &t->player->intent;
    (void)error;
    if (t->what->watch) {
        cli_show_picture(env, action, result, intent, t->what->color);
        cli_pause(t->what->delay);
    }
    if (t->what->explain && result) cli_put_step(t->out, env, action, result, intent);
    return true;
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

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const solving *what = context;
    sb_worker *worker = scratch;
    solved *done = slot;
    done->shown.grows = done->tape.grows = true;
    sb_out_clear(&done->shown), sb_out_clear(&done->tape);
    telling t = {.what = what, .player = &worker->player, .out = &done->shown};
    if (!sb_worker_play(worker, what->agent, sb_selection_name(what->selection, index, &(sb_name){0}), tell, &t, error))
        return false;
    done->success = worker->tape.outcome.success, done->fault = worker->tape.outcome.fault;
    done->judged = sb_has_success(worker->tape.criterion);
    sb_tape_put_line(&worker->tape, &done->tape);
    if (!what->json) print_summary(&done->shown, &worker->tape, worker->env);
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    solving *what = context;
    const solved *done = slot;
    sb_name name;
    const sb_out *shown = what->json ? &done->tape : &done->shown;
    what->successes += done->success, what->judged += done->judged, what->faults += done->fault;
    if (!done->judged) sb_selection_name(what->selection, index, &name), strcpy(what->unjudged, name.task);
    if (!sb_out_ok(&done->shown) || !sb_out_ok(&done->tape)) return sb_fail(error, SB_MEMORY, "out of memory");
    cli_progress_end(what->progress);
    if (!what->tapes || what->explain || what->json) cli_print(shown, cli_data_if(what->json));
    cli_progress_show(what->progress, index + 1, what->selection->n);
    return !what->tapes || sb_file_write(what->tapes, done->tape.data, done->tape.size, error);
}

static bool solve(solving *what, const cli_common *common, const char *output, sb_error *error) {
    sb_file tapes;
    const sb_pool pool = {.workers = what->watch ? 1 : common->jobs,
                          .context = what,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(solved),
                          .scratch_size = sizeof(sb_worker),
                          .free_slot = free_solved,
                          .free_scratch = sb_worker_free};
    if (!cli_output_open(&tapes, output, error)) return false;
    what->tapes = output ? &tapes : NULL;
    const bool ok = sb_pool_run(&pool, what->selection->n, error) && (!output || sb_file_commit(&tapes, NULL, error));
    sb_file_discard(&tapes);
    return ok;
}

static void say_counts(const solving *what, size_t total) {
    if (what->judged) cli_say("%zu of %zu solved\n", what->successes, what->judged);
    if (what->faults) cli_say("%zu ended by a fault of the world\n", what->faults);
    if (*what->unjudged)
        cli_say("%zu played and neither solved nor failed: %s has no success\n", total - what->judged, what->unjudged);
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    sb_selection selection = {0};
    solving what = {.agent = "expert", .selection = &selection, .delay = 150};
    const char *output = NULL;
    const cli_option options[] = {
        CLI_AGENT_OPTIONS(what.agent),
        {.name = "explain", .letter = 'e', .help = "show every action and what it is for", .flag = &what.explain},
        {.name = "watch", .letter = 'w', .help = "animate on the terminal", .flag = &what.watch},
        {.name = "delay",
         .argument = "MS",
         .help = "milliseconds a frame of --watch (default 150)",
         .number = &what.delay},
        {.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .help = "keep the tapes, a line of JSON an episode (-: print them, as --json does)",
         .text = &output},
        CLI_SELECTION_OPTIONS(request),
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    sb_error error;
    request.catalogue = common.catalogue;
    request.names = (const char *const *)argv, request.n_names = (size_t)n;
    if (cli_is_dash(output)) common.json = true, output = NULL;
    if (common.json && (what.watch || what.explain))
        return cli_usage(self, "--watch and --explain are for people, --json prints tapes: choose one");
    what.json = common.json, what.color = cli_wants_color(&common);
    cli_progress progress = cli_progress_begin(&common, "solved");
    progress.shown &= !what.watch;
    what.progress = &progress;
    const bool ok = sb_select(&request, &selection, &error) && solve(&what, &common, output, &error);
    cli_progress_end(&progress);
    const size_t total = selection.n;
    sb_selection_free(&selection);
    if (!ok) return cli_fail(&error);
    if (!common.quiet && !common.json && total > 1) say_counts(&what, total);
    return what.successes == what.judged ? CLI_OK : CLI_FOUND;
}

const cli_command cli_solve = {
    .name = "solve",
    .summary = "let an oracle play episodes; watch, explain or keep what it does",
    .usage = "[NAME... | selection] [--agent NAME] [--watch] [--explain] [-o TAPES]",
    .help = "Plays episodes to their end and prints a line for each.\n\n"
            "  seedbed solve KeyDoorPuzzle-v0/medium#42 --explain\n"
            "  seedbed solve GoToGoal-v0/expert#0 --watch\n"
            "  seedbed solve --tasks GoToGoal --split eval -o tapes.jsonl\n\n"
            "Without names the selection is all tasks and difficulties on the official evaluation seeds.\n"
            "Exit code 1 if an episode was not solved.",
    .run = run,
};
