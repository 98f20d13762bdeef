/* The program with a lie built in, for tests of what `verify` finds:
 *
 *   seedbed-forger LIE NAME build ...        everything is right, except the episode NAME
 *   seedbed-forger rows:FORMAT NAME build ...
 *
 * The real writers write its output, so all hashes, sizes and counts match the lie. The linker calls the functions here
 * in place of those that they are named after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "datasets/card.h"
#include "datasets/census.h"
#include "engine/lookup.h"
#include "rollout/selection.h"

static struct {
    const char *lie, *format;
    sb_name victim;
} forgery;

static bool lies(const char *about) { return strcmp(forgery.lie, about) == 0; }
static bool is_victim(const sb_name *name) { return sb_compare_names(name, &forgery.victim) == 0; }

/* ---- Tapes ---- */

/* Cuts a tape to its first n actions, with everything that follows from them. */
static bool cut(sb_tape *tape, sb_env *env, size_t n, sb_error *error) {
    if (!sb_reset_name(env, &tape->name, error)) return false;
    for (size_t i = 0; i < n; i++) {
        sb_result result;
        if (!sb_step(env, tape->actions[i], &result, error)) return false;
    }
    tape->n = n;
    while (tape->n_corrections && tape->corrections[tape->n_corrections - 1].step >= n) tape->n_corrections--;
    while (tape->n_purposes && tape->purposes[tape->n_purposes - 1].step >= n) tape->n_purposes--;
    sb_tape_finish(tape, env);
    return true;
}

static bool alter_labels(sb_tape *tape, sb_env *env, sb_error *error) {
    if (tape->n_corrections) {
        sb_correction *c = &tape->corrections[0];
        do c->label = (c->label + 1) % env->n_actions;
        while (c->label == tape->actions[c->step]);
    } else {
        const size_t n = tape->n;
        tape->n = 0;
        const bool ok = sb_tape_correct(tape, (tape->actions[0] + 1) % env->n_actions, error);
        tape->n = n;
        return ok;
    }
    return true;
}

static bool alter_intents(sb_tape *tape, sb_error *error) {
    if (tape->n_purposes) return snprintf(tape->purposes[0].verb, sizeof tape->purposes[0].verb, "avoid") > 0;
    const sb_intent intent = {.verb = "avoid", .object = "goal", .at = {1, 1}};
    const size_t n = tape->n;
    tape->n = 0;
    const bool ok = sb_tape_explain(tape, &intent, error);
    tape->n = n;
    return ok;
}

/* Forges a tape that was really played; `env` is at its end. */
static bool forge(sb_tape *tape, sb_env *env, sb_error *error) {
    if (lies("cut")) return cut(tape, env, tape->n - 1, error);
    if (lies("nothing")) return cut(tape, env, 0, error);
    if (lies("cut and won")) {
        if (!cut(tape, env, tape->n - 1, error)) return false;
        tape->outcome.done = tape->outcome.terminated = tape->outcome.success = true;
        return true;
    }
    if (lies("last action")) tape->actions[tape->n - 1] = (tape->actions[tape->n - 1] + 1) % env->n_actions;
    if (lies("labels") && !alter_labels(tape, env, error)) return false;
    if (lies("intents") && !alter_intents(tape, error)) return false;
    sb_tape_finish(tape, env);
    sb_status *end = &tape->outcome;
    if (lies("success")) end->success = !end->success;
    if (lies("return")) end->total += 1;
    if (lies("dense return")) end->dense_total += 1;
    if (lies("end")) end->terminated = !end->terminated, end->truncated = !end->truncated;
    if (lies("digest")) tape->digest[0] = tape->digest[0] == '0' ? '1' : '0';
    if (lies("agent")) strcpy(tape->agent, strcmp(tape->agent, "random") == 0 ? "expert" : "random");
    if (lies("rules")) strcat(tape->rules, "0");
    if (lies("renamed") || lies("repeated under its name")) tape->name = forgery.victim;
    return true;
}

/* Returns the episode that is played in place of the victim. */
static sb_name played_name(void) {
    sb_name name = forgery.victim;
    if (lies("renamed") || lies("other seed")) name.seed += 1000;
    if (lies("repeated") || lies("repeated under its name")) name.seed--;
    return name;
}

static const char *played_by(const char *agent) {
    if (!lies("other agent")) return agent;
    return strcmp(agent, "random") == 0 ? "expert" : "random";
}

bool __real_sb_worker_play(sb_worker *worker, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                           sb_error *error);
bool __wrap_sb_worker_play(sb_worker *worker, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                           sb_error *error);
bool __real_sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error);
bool __wrap_sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error);

static _Thread_local bool casting; /* a dataset's episode is being played: it is forged when it has its labels */

bool __wrap_sb_worker_play(sb_worker *worker, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                           sb_error *error) {
    if (casting || !is_victim(name)) return __real_sb_worker_play(worker, agent, name, visit, context, error);
    if (!agent) agent = sb_default_agent(name);
    const sb_name other = played_name();
    if (!__real_sb_worker_play(worker, played_by(agent), &other, visit, context, error)) return false;
    strcpy(worker->tape.agent, agent);
    return forge(&worker->tape, worker->env, error);
}

bool __wrap_sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error) {
    sb_tape *tape = &actor->worker.tape;
    if (!is_victim(name)) return __real_sb_cast_play(cast, actor, name, error);
    sb_cast false_cast = *cast;
    for (size_t i = 0; i < cast->n; i++) strcpy(false_cast.of[i].agent, played_by(cast->of[i].agent));
    const sb_name other = played_name();
    casting = true;
    const bool ok = __real_sb_cast_play(&false_cast, actor, &other, error);
    casting = false;
    if (!ok) return false;
    strcpy(tape->agent, sb_cast_agent(cast, name));
    return forge(tape, actor->worker.env, error);
}

/* ---- Rows ---- */

bool __real_sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error);
bool __wrap_sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error);

typedef struct generous {
    sb_visit *visit;
    void *context;
} generous;

static bool visit_with_reward(void *context, const sb_env *env, sb_action action, const sb_result *result,
                              sb_error *error) {
    const generous *g = context;
    if (!result) return g->visit(g->context, env, action, NULL, error);
    sb_result more = *result;
    more.reward += 1;
    return g->visit(g->context, env, action, &more, error);
}

/* Lets a false tape replay, so that rows can be made from it. */
bool __wrap_sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error) {
    generous g = {visit, context};
    if (!is_victim(&tape->name)) return __real_sb_tape_replay(tape, env, visit, context, error);
    const bool more = visit && lies("reward");
    return __real_sb_tape_replay(tape, env, more ? visit_with_reward : visit, more ? &g : context, error) ||
           error->code == SB_MISMATCH || error->code == SB_VERSION_OTHER;
}

enum { FORMATS = 32 };
extern const sb_exporter *const __real_sb_exporters[];
extern const sb_exporter *__wrap_sb_exporters[FORMATS];
const sb_exporter *__wrap_sb_exporters[FORMATS];
static sb_exporter false_format;
static const sb_exporter *true_format;

/* Makes the rows of another episode, which is really played. */
static bool false_rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows,
                       sb_error *error) {
    if (!is_victim(&rollout->tape->name)) return true_format->rows(rollout, export, out, n_rows, error);
    sb_name other = forgery.victim;
    sb_actor actor = {0};
    other.seed++;
    const sb_cast cast = {.of = {{.agent = "random", .weight = 1}}, .n = 1, .total = 1};
    bool ok = __real_sb_cast_play(&cast, &actor, &other, error);
    if (ok) {
        strcpy(actor.worker.tape.agent, rollout->tape->agent);
        const sb_rollout false_rollout = {rollout->episode_id, &actor.worker.tape, rollout->env, rollout->tellers};
        ok = true_format->rows(&false_rollout, export, out, n_rows, error);
    }
    sb_actor_free(&actor);
    return ok;
}

static void choose_format(void) {
    for (size_t i = 0; __real_sb_exporters[i]; i++) {
        const bool chosen = forgery.format && strcmp(__real_sb_exporters[i]->name, forgery.format) == 0;
        __wrap_sb_exporters[i] = chosen ? &false_format : __real_sb_exporters[i];
        if (!chosen) continue;
        false_format = *(true_format = __real_sb_exporters[i]);
        false_format.rows = false_rows;
    }
}

/* ---- Which episodes get rows ---- */

bool __real_sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape);
bool __wrap_sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape);
bool __real_sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error);
bool __wrap_sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error);

bool __wrap_sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape) {
    const bool wants = __real_sb_schedule_wants(schedule, episode, tape);
    return lies("filter") && is_victim(&tape->name) ? !wants : wants;
}

/* Leaves the victim out as an evaluation episode, or keeps it if it is one. */
bool __wrap_sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error) {
    if (!__real_sb_census_take(schedule, jobs, error)) return false;
    for (size_t i = 0; lies("census") && i < schedule->selection.n; i++)
        if (is_victim(sb_selection_name(&schedule->selection, i, &(sb_name){0})))
            schedule->fates[i] ^= SB_IS_EVALUATION;
    return true;
}

/* ---- Documents about the data ---- */

bool __real_sb_stats_keep(sb_stats_group *group, const sb_tape *tape, sb_error *error);
bool __wrap_sb_stats_keep(sb_stats_group *group, const sb_tape *tape, sb_error *error);
bool __real_sb_card_print(const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum, sb_out *out,
                          sb_error *error);
bool __wrap_sb_card_print(const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum, sb_out *out,
                          sb_error *error);
void __real_sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]);
void __wrap_sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]);

bool __wrap_sb_stats_keep(sb_stats_group *group, const sb_tape *tape, sb_error *error) {
    sb_tape told = *tape;
    if (lies("counts") && is_victim(&tape->name)) told.outcome.success = !told.outcome.success;
    return __real_sb_stats_keep(group, &told, error);
}

bool __wrap_sb_card_print(const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum, sb_out *out,
                          sb_error *error) {
    if (!__real_sb_card_print(m, schedule, sum, out, error)) return false;
    if (lies("card")) sb_puts(out, "\nEvery episode was played by people.\n");
    return true;
}

void __wrap_sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]) {
    __real_sb_blake2b_of(bytes, n, digest);
    if (lies("content hash")) digest[0] ^= 1;
}

/* ---- */

int main(int argc, char **argv) {
    sb_error error;
    if (argc < 4) return fprintf(stderr, "usage: seedbed-forger LIE NAME COMMAND...\n"), CLI_USAGE;
    forgery.lie = strncmp(argv[1], "rows:", 5) == 0 ? "rows" : argv[1];
    forgery.format = strncmp(argv[1], "rows:", 5) == 0 ? argv[1] + 5 : NULL;
    choose_format();
    if (!sb_name_parse(NULL, argv[2], &forgery.victim, &error)) return cli_fail(&error);
    argv[2] = argv[0];
    return cli_main(argc - 2, argv + 2);
}
