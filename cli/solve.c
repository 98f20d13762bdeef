/* seedbed solve: let an agent play, and show or keep what it does. */
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "rollout/player.h"

typedef struct solving {
    const sb_selection *selection;
    const char *agent;
    bool json, explain, watch, color;
    uint64_t delay; /* milliseconds a frame */
    cli_progress *progress;
    sb_file *tapes; /* NULL: not kept */
    size_t successes;
} solving;

typedef struct solved {
    sb_out shown, tape;
    bool success;
} solved;

/* What the visitor of one episode needs. */
typedef struct telling {
    const solving *what;
    const sb_player *player;
    sb_out *out;
    int step;
} telling;

static void free_solved(void *data) {
    solved *s = data;
    sb_out_free(&s->shown), sb_out_free(&s->tape);
}

static void print_intent(sb_out *out, const sb_intent *intent) {
    if (!intent->verb) return;
    sb_putf(out, "%s the %s", intent->verb, intent->object);
    if (intent->at.x >= 0) sb_putf(out, " at (%d,%d)", intent->at.x, intent->at.y);
}

static void print_step(telling *t, const sb_env *env, sb_action action, const sb_result *result) {
    char name[64];
    sb_action_name(env, action, name, sizeof name);
    sb_putf(t->out, "%4d  %-12s", t->step, name);
    print_intent(t->out, &t->player->intent);
    if (result->terminated || result->truncated)
        sb_puts(t->out, result->success ? "  -> success" : result->terminated ? "  -> failure" : "  -> out of steps");
    sb_puts(t->out, "\n");
}

/* One picture: cursor home, the observation, what was done. Written at once, so that nothing flickers. */
static void print_frame(const telling *t, const sb_env *env, sb_action action, const sb_result *result,
                        sb_error *error) {
    char name[SB_NAME_MAX], action_name[64] = "start";
    sb_out frame = sb_out_growing();
    const sb_mode *mode = &env->family->modes[0], *colored = sb_mode_find(env->family, "ascii_color", error);
    if (result) sb_action_name(env, action, action_name, sizeof action_name);
    sb_name_print(&env->name, name, sizeof name);
    sb_putf(&frame, "\x1b[H\x1b[J%s\nstep %d of %d: %s  ", name, env->status.steps, env->status.max_steps, action_name);
    if (result) print_intent(&frame, &t->player->intent);
    sb_puts(&frame, "\n\n");
    env->family->observe(env, t->what->color && colored ? colored : mode, &frame);
    sb_puts(&frame, "\n");
    fwrite(frame.data, 1, frame.size, stdout);
    fflush(stdout);
    sb_out_free(&frame);
    const long ms = (long)t->what->delay;
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static bool tell(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    telling *t = context;
    t->step += result != NULL;
    if (t->what->watch) print_frame(t, env, action, result, error);
    if (t->what->explain && result) print_step(t, env, action, result);
    return true;
}

static void print_summary(sb_out *out, const sb_tape *tape) {
    char name[SB_NAME_MAX];
    const sb_status *end = &tape->outcome;
    sb_name_print(&tape->name, name, sizeof name);
    sb_putf(out, "%-40s %-9s %4zu steps, return ", name, end->success ? "success" : "failure", tape->n);
    sb_put_double(out, end->total);
    sb_puts(out, "\n");
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const solving *what = context;
    sb_stage *stage = scratch;
    solved *done = slot;
    done->shown.grows = done->tape.grows = true;
    sb_out_clear(&done->shown), sb_out_clear(&done->tape);
    telling t = {.what = what, .player = &stage->player, .out = &done->shown};
    if (!sb_stage_play(stage, what->agent, &what->selection->names[index], tell, &t, error)) return false;
    done->success = stage->tape.outcome.success;
    sb_tape_print(&stage->tape, &done->tape);
    if (!what->json) print_summary(&done->shown, &stage->tape);
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    solving *what = context;
    const solved *done = slot;
    const sb_out *shown = what->json ? &done->tape : &done->shown;
    what->successes += done->success;
    if (!sb_out_ok(&done->shown) || !sb_out_ok(&done->tape)) return sb_fail(error, SB_MEMORY, "out of memory");
    cli_progress_end(what->progress);
    if (!what->tapes || what->explain || what->json) fwrite(shown->data, 1, shown->size, stdout);
    cli_progress_show(what->progress, index + 1, what->selection->n);
    return !what->tapes || sb_file_write(what->tapes, done->tape.data, done->tape.size, error);
}

static bool solve(solving *what, const cli_common *common, const char *output, sb_error *error) {
    sb_file tapes = {.descriptor = -1};
    const sb_pool pool = {.workers = what->watch ? 1 : common->jobs,
                          .context = what,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(solved),
                          .scratch_size = sizeof(sb_stage),
                          .free_slot = free_solved,
                          .free_scratch = sb_stage_free};
    if (output && !sb_file_create(&tapes, output, error)) return false;
    what->tapes = output ? &tapes : NULL;
    const bool ok = sb_pool_run(&pool, what->selection->n, error) && (!output || sb_file_commit(&tapes, NULL, error));
    sb_file_discard(&tapes);
    return ok;
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
         .help = "keep the tapes, a line of JSON an episode",
         .text = &output},
        CLI_SELECTION_OPTIONS(request),
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    sb_error error;
    request.names = (const char *const *)argv, request.n_names = (size_t)n;
    what.json = common.json;
    cli_progress progress = cli_progress_begin(&common, "solved");
    progress.shown &= !what.watch;
    what.progress = &progress;
    const bool ok = cli_wants_color(&common, stdout, &what.color, &error) && sb_select(&request, &selection, &error) &&
                    solve(&what, &common, output, &error);
    cli_progress_end(&progress);
    const size_t total = selection.n;
    sb_selection_free(&selection);
    if (!ok) return cli_fail(&error);
    if (!common.quiet && !common.json && total > 1) printf("%zu of %zu solved\n", what.successes, total);
    return what.successes == total ? CLI_OK : CLI_FOUND;
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
