#include "agents/agent.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/pool.h"
#include "engine/lookup.h"
#include "rollout/recorded.h"

const char *const sb_agent_kinds[SB_N_AGENTS] = {"oracle", "random", "tape", "exec", "python", "plugin"};

bool sb_agent_can_fail(sb_agent_kind kind) { return kind != SB_AGENT_ORACLE && kind != SB_AGENT_RANDOM; }

static const char exec_prefix[] = "exec:", plugin_prefix[] = "plugin:";

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Returns the file of `tape:FILE`, also spelled `tapes:FILE`; NULL: the spec is of another kind. */
static const char *tapes_of(const char *spec) {
    if (has_prefix(spec, "tape:")) return spec + strlen("tape:");
    return has_prefix(spec, "tapes:") ? spec + strlen("tapes:") : NULL;
}

sb_agent_kind sb_agent_kind_of(const char *spec) {
    if (!spec) return SB_AGENT_ORACLE;
    if (tapes_of(spec)) return SB_AGENT_TAPE;
    if (has_prefix(spec, exec_prefix)) return SB_AGENT_EXEC;
    if (has_prefix(spec, plugin_prefix)) return SB_AGENT_PLUGIN;
    return strcmp(spec, "random") == 0 ? SB_AGENT_RANDOM : SB_AGENT_ORACLE;
}

/* ---- Tapes ---- */

static int by_name(const void *a, const void *b) {
    return sb_compare_names(&((const sb_tape *)a)->name, &((const sb_tape *)b)->name);
}

static bool add_tape(sb_agent *agent, const sb_recorded *recorded, size_t *capacity, sb_error *error) {
    if (!sb_make_room((void **)&agent->tapes, agent->n_tapes + 1, capacity, sizeof *agent->tapes))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu tapes", agent->n_tapes + 1);
    sb_tape *tape = &agent->tapes[agent->n_tapes];
    *tape = (sb_tape){0};
    agent->n_tapes++;
    return sb_tape_parse(agent->catalogue, recorded->line->data, recorded->line->size, tape, error) ||
           sb_fail_at(error, "%s, %s %zu", sb_path_end(recorded->path), recorded->head ? "episode" : "line",
                      agent->n_tapes);
}

static bool check_tapes(const sb_agent *agent, const char *path, sb_error *error) {
    for (size_t i = 1; i < agent->n_tapes; i++) {
        char name[SB_NAME_MAX];
        if (by_name(&agent->tapes[i - 1], &agent->tapes[i]) != 0) continue;
        sb_name_print(&agent->tapes[i].name, name, sizeof name);
        return sb_fail(error, SB_INVALID, "%s has two tapes of %s: keep only the one that counts", sb_path_end(path),
                       name);
    }
    return agent->n_tapes || sb_fail(error, SB_INVALID, "%s holds no tape", sb_path_end(path));
}

static bool load_tapes(sb_agent *agent, const sb_agent_options *options, sb_error *error) {
    const char *path = tapes_of(options->spec);
    char left_out[SB_LEFT_OUT];
    sb_recorded recorded;
    size_t capacity = 0;
    bool ok = sb_recorded_open(&recorded, agent->catalogue, path, error);
    while (ok && sb_recorded_next(&recorded, error)) ok = add_tape(agent, &recorded, &capacity, error);
    ok = ok && error->code == SB_OK;
    sb_recorded_note_left_out(&recorded, left_out);
    sb_recorded_close(&recorded);
    if (!ok) return false;
    if (*left_out && options->note) options->note(options->note_context, left_out);
    if (agent->n_tapes) qsort(agent->tapes, agent->n_tapes, sizeof *agent->tapes, by_name);
    return check_tapes(agent, path, error);
}

/* Writes the tape of what was replayed in the worker's environment, without the notes of the original. */
static bool copy_tape(sb_worker *worker, const sb_tape *from, sb_error *error) {
    sb_tape_begin(&worker->tape, worker->env, from->agent);
    for (size_t i = 0; i < from->n; i++)
        if (!sb_tape_append(&worker->tape, from->actions[i], error)) return false;
    sb_tape_finish(&worker->tape, worker->env);
    return true;
}

/* Writes the tape of an episode in which nothing was played. */
static bool play_nothing(sb_worker *worker, const sb_name *name, sb_error *error) {
    if (!sb_reset_name(worker->env, name, error)) return false;
    sb_tape_begin(&worker->tape, worker->env, "tape");
    sb_tape_finish(&worker->tape, worker->env);
    return true;
}

static bool play_tape(sb_worker *worker, const sb_agent *agent, const sb_name *name, sb_failure *failure,
                      sb_error *error) {
    const sb_tape wanted = {.name = *name};
    const sb_tape *tape = bsearch(&wanted, agent->tapes, agent->n_tapes, sizeof wanted, by_name);
    const char *why = "there is no tape of this episode";
    sb_error wrong;
    if (!sb_worker_open(worker, error)) return false;
    if (tape && sb_tape_replay(tape, worker->env, NULL, NULL, &wrong)) {
        if (tape->outcome.done) return copy_tape(worker, tape, error);
        why = "its tape ends before the episode does";
    } else if (tape) {
        why = wrong.text;
    }
    failure->kind = SB_FAILED_TAPE;
    sb_copy_plain(failure->text, sizeof failure->text, why);
    return play_nothing(worker, name, error);
}

/* ---- Programs ---- */

enum { SPEC_SHOWN = 60, SPEC_ROOM = SPEC_SHOWN + 4 };

/* Writes what errors call the agent, with dots where that is cut. */
static const char *shown(const sb_agent *agent, char text[SPEC_ROOM]) {
    const bool cut = strlen(agent->spec) > SPEC_SHOWN;
    snprintf(text, SPEC_ROOM, "%.*s%s", SPEC_SHOWN, agent->spec, cut ? "..." : "");
    return text;
}

bool sb_agent_name(char label[SB_AGENT_LABEL], const char *name, sb_error *error) {
    if (!*name) return sb_fail(error, SB_INVALID, "the name is empty");
    if (strlen(name) >= SB_AGENT_LABEL)
        return sb_fail(error, SB_INVALID, "the name, `%.40s...`, has %zu bytes: at most %d are kept apart", name,
                       strlen(name), SB_AGENT_LABEL - 1);
    sb_copy_plain(label, SB_AGENT_LABEL, name);
    return true;
}

static bool try_program(sb_agent *agent, const sb_selection *selection, sb_error *error) {
    char spec[SPEC_ROOM];
    sb_failure failure;
    if (!sb_program_begin(&agent->first, &agent->rules, &agent->guard, true, &failure, error)) return false;
    if (failure.kind) return sb_fail(error, SB_IO, "%s: %.160s", shown(agent, spec), failure.text);
    agent->rules.batch = sb_hello_batch(agent->first.hello);
    const char *name = sb_program_name(&agent->first);
    if (name && *name && !sb_agent_name(agent->label, name, error)) return sb_fail_at(error, "%s", shown(agent, spec));
    for (size_t i = 0; i < selection->n; i++) {
        if (i && selection->episodes[i].family == selection->episodes[i - 1].family) continue;
        if (!sb_program_fits(&agent->first, sb_selection_family(selection, i), error))
            return sb_fail_at(error, "%s", shown(agent, spec));
    }
    return true;
}

static bool open_log(sb_agent *agent, const sb_agent_options *options, sb_error *error) {
    if (!options->log) return true;
    if (!sb_agent_log_begin(&agent->log, options->log, options->log_bytes, error)) return false;
    agent->rules.errors = agent->log.pipe[1];
    return true;
}

/* Prepares what programs and plugins have in common. */
static bool open_processes(sb_agent *agent, const sb_agent_options *options, sb_error *error) {
    agent->rules = (sb_program_rules){.command = strchr(options->spec, ':') + 1,
                                      .now = options->now,
                                      .start_seconds = options->start_seconds,
                                      .reply_seconds = options->reply_seconds,
                                      .cost = options->cost,
                                      .slots.steps = options->steps,
                                      .slots.testing.interaction = options->interaction,
                                      .slots.testing.frames = options->frames,
                                      .fresh = options->fresh,
                                      .note = options->note,
                                      .note_context = options->note_context,
                                      .errors = -1};
    if (options->instructions) {
        agent->instructions = sb_instructions_parse(options->instructions, strlen(options->instructions), error);
        if (!agent->instructions) return false;
        agent->rules.slots.testing.instructions = agent->instructions;
    }
    if (!sb_salt_choose(options->salt, &agent->rules.slots.salt, error) || !sb_guard_begin(&agent->guard, error))
        return false;
    if (options->guarded) options->guarded(options->note_context, agent->guard.pid);
    return open_log(agent, options, error);
}

/* Gives the process that was tried to the first worker; all others are started when they are needed. */
static void take_first(sb_agent_worker *contestant, sb_agent *agent) {
    pthread_mutex_lock(&agent->mutex);
    if (agent->first.process.pid && !contestant->program.process.pid) {
        contestant->program = agent->first;
        agent->first = (sb_agent_program){0};
    }
    pthread_mutex_unlock(&agent->mutex);
}

static bool play_program(sb_agent_worker *contestant, sb_agent *agent, const sb_name *name, uint32_t attempt,
                         sb_failure *failure, sb_error *error) {
    sb_worker *worker = &contestant->worker;
    if (!sb_worker_open(worker, error)) return false;
    if (!contestant->program.line.data) take_first(contestant, agent);
    return sb_program_play(&contestant->program, &agent->rules, &agent->guard, worker->env, name, attempt,
                           &worker->tape, failure, error);
}

bool sb_agent_takes_rounds(const sb_agent *agent) { return agent->rules.batch > 0; }

/* A feed that dries up for all processes when one of them has failed. */
typedef struct rounds {
    sb_agent *agent;
    const sb_round_feed *feed;
    atomic_bool failed;
} rounds;

static bool give_next(void *context, sb_round_episode *episode, bool *none, sb_error *error) {
    rounds *r = context;
    *none = atomic_load(&r->failed);
    return *none || r->feed->next(r->feed->context, episode, none, error);
}

static bool take_done(void *context, const sb_round_episode *episode, sb_tape *tape, const sb_slot *slot,
                      sb_error *error) {
    rounds *r = context;
    const bool ok = r->feed->done(r->feed->context, episode, tape, slot, error);
    if (!ok) atomic_store(&r->failed, true);
    return ok;
}

/* Plays until there are no more episodes: the pool's items are processes. */
static bool work_in_rounds(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    rounds *r = context;
    sb_agent *agent = r->agent;
    sb_agent_worker *contestant = scratch;
    (void)index, (void)slot;
    const sb_round_feed feed = {r, give_next, take_done};
    take_first(contestant, agent);
    const bool ok = sb_rounds_play(&contestant->program, &agent->rules, &agent->guard, agent->catalogue, &feed, error);
    if (!ok) atomic_store(&r->failed, true);
    return ok;
}

static bool take_nothing(void *context, size_t index, void *slot, sb_error *error) {
    (void)context, (void)index, (void)slot, (void)error;
    return true;
}

bool sb_agent_play_rounds(sb_agent *agent, size_t n, size_t jobs, const sb_round_feed *feed, sb_error *error) {
    rounds r = {.agent = agent, .feed = feed};
    const size_t batch = agent->rules.batch, most = batch ? (n + batch - 1) / batch : 0;
    const sb_pool pool = {.workers = jobs ? jobs : sb_processors(),
                          .context = &r,
                          .work = work_in_rounds,
                          .take = take_nothing,
                          .scratch_size = sizeof(sb_agent_worker),
                          .free_scratch = sb_agent_worker_free};
    return sb_pool_run(&pool, pool.workers < most ? pool.workers : most, error);
}

/* ---- Plugins ---- */

/* Calls of a plugin bind to the program's own functions, and its worker is the program once more. */
static bool check_program(const sb_agent *agent, const sb_agent_options *options, sb_error *error) {
    char spec[SPEC_ROOM];
    if (!sb_loads_plugins) return sb_fail(error, SB_INVALID, "%s: " SB_NO_PLUGINS, shown(agent, spec));
    if (!options->plugins)
        return sb_fail(error, SB_INVALID,
                       "%s: only the command `seedbed` plays with plugins, because it has the functions that they "
                       "call; in another program, call the bot's functions yourself",
                       shown(agent, spec));
    return sb_catalogue_is_empty(agent->catalogue) ||
           sb_fail(error, SB_INVALID,
                   "%s: plugins play built-in tasks only, none of --program or --challenges; exec:COMMAND plays all",
                   shown(agent, spec));
}

static bool try_plugin(sb_agent *agent, const sb_selection *selection, sb_error *error) {
    char spec[SPEC_ROOM];
    sb_failure failure;
    if (!sb_plugin_begin(&agent->first_plugin, &agent->rules, &agent->guard, NULL, &failure, error)) return false;
    if (failure.kind) return sb_fail(error, SB_INVALID, "%s: %.170s", shown(agent, spec), failure.text);
    agent->plugin = agent->first_plugin.facts;
    sb_copy_plain(agent->label, sizeof agent->label, agent->plugin.name);
    for (size_t i = 0; i < selection->n; i++) {
        if (i && selection->episodes[i].family == selection->episodes[i - 1].family) continue;
        if (!sb_plugin_fits(&agent->plugin, sb_selection_family(selection, i), error)) return false;
    }
    return true;
}

static void take_first_plugin(sb_agent_worker *contestant, sb_agent *agent) {
    pthread_mutex_lock(&agent->mutex);
    if (agent->first_plugin.process.pid && !contestant->plugin.moves) {
        contestant->plugin = agent->first_plugin;
        agent->first_plugin = (sb_agent_plugin){0};
    }
    pthread_mutex_unlock(&agent->mutex);
}

static bool play_plugin(sb_agent_worker *contestant, sb_agent *agent, const sb_name *name, uint32_t attempt,
                        sb_failure *failure, sb_error *error) {
    sb_worker *worker = &contestant->worker;
    if (!sb_worker_open(worker, error)) return false;
    if (!contestant->plugin.moves) take_first_plugin(contestant, agent);
    return sb_plugin_play(&contestant->plugin, &agent->rules, &agent->guard, &agent->plugin, worker->env, name, attempt,
                          &worker->tape, failure, error);
}

/* ---- Agents ---- */

static bool check_spec(const sb_agent *agent, sb_error *error) {
    const char *file = tapes_of(agent->spec);
    const bool tape = file && !*file, exec = strcmp(agent->spec, exec_prefix) == 0;
    const bool plugin = strcmp(agent->spec, plugin_prefix) == 0;
    return (!tape && !exec && !plugin) ||
           sb_fail(error, SB_INVALID, "agent `%s`: add the %s after the colon", agent->spec, exec ? "command" : "file");
}

/* Puts together what the program says of itself and what its user says. */
static bool read_about(sb_agent *agent, const char *more, sb_error *error) {
    const sb_out *said = &agent->first.said;
    agent->about.grows = true;
    if (!sb_about_print(said->size ? said->data : NULL, said->size, more, &agent->about, error)) return false;
    if (agent->about.size) sb_putc(&agent->about, '\0');
    return sb_out_ok(&agent->about) || sb_fail(error, SB_MEMORY, "out of memory for what is told about an agent");
}

bool sb_agent_open(sb_agent *agent, const sb_agent_options *options, const sb_selection *selection, sb_error *error) {
    *agent = (sb_agent){.kind = sb_agent_kind_of(options->spec),
                        .catalogue = selection->catalogue,
                        .spec = options->spec,
                        .rules.errors = -1};
    pthread_mutex_init(&agent->mutex, NULL);
    sb_copy_plain(agent->label, sizeof agent->label, options->spec);
    bool ok = check_spec(agent, error);
    if (ok && agent->kind == SB_AGENT_TAPE) ok = load_tapes(agent, options, error);
    if (ok && agent->kind == SB_AGENT_PLUGIN) ok = check_program(agent, options, error);
    if (ok && sb_agent_is_process(agent->kind)) ok = open_processes(agent, options, error);
    if (ok && agent->kind == SB_AGENT_EXEC) ok = try_program(agent, selection, error);
    if (ok && agent->kind == SB_AGENT_PLUGIN) ok = try_plugin(agent, selection, error);
    if (ok) ok = read_about(agent, options->about, error);
    if (!ok) sb_agent_close(agent);
    return ok;
}

void sb_agent_close(sb_agent *agent) {
    char note[SB_AGENT_NOTE] = "";
    sb_program_free(&agent->first);
    sb_plugin_free(&agent->first_plugin);
    if (agent->guard.pid) sb_guard_end(&agent->guard);
    sb_agent_log_end(&agent->log, note, sizeof note);
    for (size_t i = 0; i < agent->n_tapes; i++) sb_tape_clear(&agent->tapes[i]);
    free(agent->tapes);
    sb_out_free(&agent->about);
    cJSON_Delete(agent->instructions);
    pthread_mutex_destroy(&agent->mutex);
    *agent = (sb_agent){.rules.errors = -1};
    strcpy(agent->note, note);
}

bool sb_agent_worker_play(sb_agent_worker *contestant, sb_agent *agent, const sb_name *name, uint32_t attempt,
                          sb_failure *failure, sb_error *error) {
    failure->kind = SB_NO_FAILURE;
    contestant->worker.catalogue = agent->catalogue;
    switch (agent->kind) {
    case SB_AGENT_TAPE: return play_tape(&contestant->worker, agent, name, failure, error);
    case SB_AGENT_EXEC: return play_program(contestant, agent, name, attempt, failure, error);
    case SB_AGENT_PLUGIN: return play_plugin(contestant, agent, name, attempt, failure, error);
    default: return sb_worker_play(&contestant->worker, agent->spec, name, NULL, NULL, error);
    }
}

void sb_agent_worker_free(void *data) {
    sb_agent_worker *contestant = data;
    sb_program_free(&contestant->program);
    sb_plugin_free(&contestant->plugin);
    sb_worker_free(&contestant->worker);
}
