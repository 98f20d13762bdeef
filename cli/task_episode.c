/* The part of a task's page that plays an episode. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/picture.h"
#include "cli/task_page.h"
#include "rollout/view.h"

enum {
    SEEDS = 10,
    ROWS = 40,  /* of the table; the tape has all steps */
    LONG = 2500 /* bytes of an observation that is shown at the start only */
};

/* Steps in a row with one action and one purpose. */
typedef struct run {
    int32_t first, last;
    double reward, dense;
    char action[64], purpose[96];
} run;

typedef struct telling {
    const sb_player *player;
    sb_out start, rows;
    run now;
    size_t n_rows;
    int32_t n_shown; /* steps in the table */
} telling;

static void put_observation(sb_out *out, const sb_env *env) {
    sb_puts(out, "```\n");
    env->family->observe(env, &env->family->modes[0], out);
    if (out->last != '\n') sb_puts(out, "\n");
    sb_puts(out, "```\n");
}

static void end_run(telling *t) {
    run *r = &t->now;
    if (r->first && t->n_rows++ < ROWS) {
        sb_putf(&t->rows, r->last > r->first ? "| %d to %d |" : "| %d |", r->first, r->last);
        sb_putf(&t->rows, " `%s` | %s | %.6g | %.6g |\n", r->action, r->purpose, r->reward, r->dense);
        t->n_shown = r->last;
    }
    *r = (run){0};
}

/* Adds the step to the run, or begins another. A reward ends one, so that it stands in a row of its own. */
static bool tell(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    telling *t = context;
    run next = {.first = sb_status_of(env)->steps};
    if (!result) return put_observation(&t->start, env), true;
    sb_out purpose = sb_out_fixed(next.purpose, sizeof next.purpose);
    sb_put_intent(&purpose, &t->player->intent);
    sb_out_finish(&purpose);
    sb_action_name(env, action, next.action, sizeof next.action);
    if (strcmp(next.action, t->now.action) != 0 || strcmp(next.purpose, t->now.purpose) != 0 || result->reward != 0)
        end_run(t), t->now = next;
    t->now.last = sb_status_of(env)->steps;
    t->now.reward += result->reward, t->now.dense += result->dense;
    if (result->reward != 0) end_run(t);
    return (!t->rows.failed && !t->start.failed) || sb_fail(error, SB_MEMORY, "out of memory");
}

static bool play(cli_task *task, telling *t, sb_error *error) {
    sb_worker *worker = &task->worker;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const sb_name name = cli_task_name(task, 0, seed);
        sb_out_clear(&t->start), sb_out_clear(&t->rows);
        t->now = (run){0}, t->n_rows = 0, t->n_shown = 0;
        if (!sb_worker_play(worker, NULL, &name, tell, t, error)) return false;
        end_run(t);
        if (!sb_has_success(task->info->criterion) || worker->tape.outcome.success) break;
    }
    return true;
}

static void put_end(sb_out *out, const cli_task *task, const telling *t) {
    const sb_worker *worker = &task->worker;
    const sb_status *end = &worker->tape.outcome;
    sb_out last = sb_out_growing();
    if (t->n_shown < end->steps) sb_putf(out, "\nThe table ends after %d of %d steps.\n", t->n_shown, end->steps);
    sb_putf(out, "\nIt ends after %d steps: %s, return ", end->steps, cli_outcome(task->info->criterion, end));
    sb_put_double(out, end->total);
    cli_put_standing(out, task->info->criterion, end);
    sb_puts(out, ".\n");
    put_observation(&last, worker->env);
    if (last.size <= LONG) sb_puts(out, "\n"), sb_put_out(out, &last);
    sb_out_free(&last);
}

static void put_episode(sb_out *out, const cli_task *task, const telling *t) {
    const sb_tape *tape = &task->worker.tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_putf(out, "\n## An episode\n\n`%s`, played by `%s`.\n\n", name, tape->agent);
    sb_put_out(out, &t->start);
    sb_puts(out, "\n| steps | action | what for | reward | dense reward |\n|---|---|---|---|---|\n");
    sb_put_out(out, &t->rows);
    put_end(out, task, t);
    sb_puts(out, "\nIts tape, for `seedbed replay`:\n\n```json\n");
    sb_tape_put_line(tape, out);
    sb_puts(out, "```\n");
}

bool cli_put_task_episode(sb_out *out, cli_task *task, sb_error *error) {
    telling t = {.player = &task->worker.player, .start = sb_out_growing(), .rows = sb_out_growing()};
    const bool ok = play(task, &t, error);
    if (ok) put_episode(out, task, &t);
    sb_out_free(&t.start), sb_out_free(&t.rows);
    return ok;
}
