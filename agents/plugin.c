#include "agents/plugin.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/system.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "rollout/recorded.h"

/* What every function here needs. A function that returns false has filled in either `failure` or `error`. */
typedef struct call {
    sb_agent_plugin *plugin;
    const sb_program_rules *rules;
    sb_guard *guard;
    sb_failure *failure;
    sb_error *error;
} call;

/* ---- What went wrong ---- */

/* Which of the plugin's functions was running. */
static void tell_where(const sb_agent_plugin *plugin, char where[40]) {
    const uint64_t progress = atomic_load(&plugin->moves->progress);
    if (progress & SB_IN_END)
        snprintf(where, 40, "in `end`");
    else if (progress >= SB_IN_ACT)
        snprintf(where, 40, "in `act`, step %zu", sb_moves_count(plugin->moves) + 1);
    else
        snprintf(where, 40, progress == SB_IN_BEGIN ? "in `begin`" : "while it was loaded");
}

static bool fail_ended(const call *c, const char *where) {
    const sb_ending ending = sb_process_end(&c->plugin->process, true);
    if (ending.how == SB_WAS_KILLED)
        return sb_failed(c->failure, SB_FAILED_CLOSED, "it closed its worker's output %s, but kept running", where);
    if (ending.how == SB_SIGNALLED)
        return sb_failed(c->failure, SB_FAILED_CRASH, "it ended by signal %d (%s) %s", ending.number,
                         strsignal(ending.number), where);
    return sb_failed(c->failure, SB_FAILED_CRASH, "it ended with exit code %d %s", ending.number, where);
}

static bool fail_exchange(const call *c, sb_exchange went, uint64_t seconds) {
    char where[40];
    tell_where(c->plugin, where);
    switch (went) {
    case SB_LATE:
        return sb_failed(c->failure, SB_FAILED_TIMEOUT, "it took more than %llu s %s", (unsigned long long)seconds,
                         where);
    case SB_GONE: return fail_ended(c, where);
    default: return sb_failed(c->failure, SB_FAILED_NONSENSE, "it wrote into its worker's output %s", where);
    }
}

static bool fail_reply(const call *c, const char *why) { return sb_failed(c->failure, SB_FAILED_NONSENSE, "%s", why); }

/* ---- Lines ---- */

static sb_out *begin_line(sb_agent_plugin *plugin) {
    plugin->line.grows = true;
    sb_out_clear(&plugin->line);
    sb_puts(&plugin->line, "{");
    return &plugin->line;
}

/* Sends the line that was begun. Returns the worker's reply, which the caller deletes. */
static cJSON *ask(const call *c, uint64_t seconds) {
    sb_exchange went;
    sb_error why;
    sb_process *process = &c->plugin->process;
    sb_out *line = &c->plugin->line;
    sb_puts(line, "}\n");
    if (!sb_out_ok(line)) return sb_fail(c->error, SB_MEMORY, "out of memory for a line"), NULL;
    if (!sb_process_ask(process, line->data, line->size, SB_REPLY_BYTES, (double)seconds, c->rules->now, NULL, &went,
                        c->error))
        return NULL;
    if (went != SB_ANSWERED) return fail_exchange(c, went, seconds), NULL;
    cJSON *reply = sb_json_parse(process->reply.data, process->reply.size, &why);
    if (!reply) fail_reply(c, why.text);
    return reply;
}

/* Returns whether a worker's reply has no error; one with an error loses the episode, for the reason that it gives. */
static bool is_right(const call *c, const cJSON *reply) {
    const char *why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(reply, "error"));
    return !why || fail_reply(c, why);
}

/* ---- The process ---- */

static bool make_moves(sb_agent_plugin *plugin, sb_error *error) {
    int shared;
    if (plugin->moves) return true;
    if (!sb_make_shared(sizeof *plugin->moves, &shared, error)) return false;
    void *moves = mmap(NULL, sizeof *plugin->moves, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (moves == MAP_FAILED) {
        sb_fail_errno(error, "cannot make memory for a plugin");
        close(shared);
        return false;
    }
    plugin->moves = moves, plugin->shared = shared;
    return true;
}

static bool start(const call *c) {
    char name[] = "seedbed", mode[] = SB_PLUGIN_WORKER, descriptor[16];
    sb_agent_plugin *plugin = c->plugin;
    snprintf(descriptor, sizeof descriptor, "%d", plugin->shared);
    sb_out path = sb_out_growing(); /* a copy of the path: words are not const */
    sb_put(&path, c->rules->command, strlen(c->rules->command) + 1);
    char *const words[] = {name, mode, path.data, descriptor, NULL};
    const bool ok = sb_out_ok(&path) ? sb_process_begin_self(&plugin->process, c->guard, words, plugin->shared,
                                                             c->rules->errors, c->error)
                                     : sb_fail(c->error, SB_MEMORY, "out of memory for the path of a plugin");
    sb_out_free(&path);
    plugin->process.pulse = &plugin->moves->progress;
    return ok;
}

static bool read_facts(const call *c, const cJSON *reply) {
    sb_plugin_facts *facts = &c->plugin->facts;
    const char *name, *sees;
    sb_error why;
    *facts = (sb_plugin_facts){0};
    if (!is_right(c, reply)) return false;
    if (!sb_json_string(reply, "name", &name, &why) || !sb_json_string(reply, "sees", &sees, &why))
        return fail_reply(c, why.text);
    snprintf(facts->name, sizeof facts->name, "%s", name);
    facts->kind = strcmp(sees, sb_plugin_kinds[SB_PLUGIN_EVERYTHING]) == 0 ? SB_PLUGIN_EVERYTHING
                                                                           : SB_PLUGIN_OBSERVATIONS;
    return true;
}

/* The file may have become another one since the agent began. */
static bool check_facts(const call *c, const sb_plugin_facts *first) {
    const sb_plugin_facts *now = &c->plugin->facts;
    return !first || (strcmp(first->name, now->name) == 0 && first->kind == now->kind) ||
           fail_reply(c, "the file holds another plugin than it did in the beginning");
}

static bool say_hello(const call *c, const sb_plugin_facts *facts) {
    begin_line(c->plugin);
    cJSON *reply = ask(c, c->rules->start_seconds);
    const bool ok = reply && read_facts(c, reply) && check_facts(c, facts);
    cJSON_Delete(reply);
    return ok;
}

static void end(sb_agent_plugin *plugin, bool gently) {
    if (plugin->process.pid && gently) sb_process_dismiss(&plugin->process, "", 0);
    sb_process_end(&plugin->process, gently);
}

static bool begin(const call *c, const sb_plugin_facts *facts) {
    if (c->plugin->process.pid) return true;
    if (!make_moves(c->plugin, c->error)) return false;
    atomic_store(&c->plugin->moves->progress, SB_BEFORE_BEGIN);
    if (!start(c)) return false;
    if (say_hello(c, facts)) return true;
    if (c->failure->kind) c->failure->kind = SB_FAILED_START;
    end(c->plugin, false);
    return false;
}

bool sb_plugin_begin(sb_agent_plugin *plugin, const sb_program_rules *rules, sb_guard *guard,
                     const sb_plugin_facts *facts, sb_failure *failure, sb_error *error) {
    failure->kind = SB_NO_FAILURE;
    return begin(&(call){plugin, rules, guard, failure, error}, facts) || failure->kind;
}

bool sb_plugin_fits(const sb_plugin_facts *facts, const sb_family *family, sb_error *error) {
    return facts->kind == SB_PLUGIN_EVERYTHING || family->hiding != SB_CANNOT_HIDE ||
           sb_fail(error, SB_INVALID,
                   "`%s` sees observations only, and what the family %s hides cannot be overwritten: only a plugin of "
                   "the kind `everything` can play it",
                   facts->name, family->name);
}

/* ---- Playing ---- */

static bool ask_for_episode(const call *c, const sb_env *env, uint32_t attempt) {
    char name[SB_NAME_MAX];
    sb_out *line = begin_line(c->plugin);
    sb_name_print(&env->name, name, sizeof name);
    sb_member_text(line, "episode", name);
    sb_member_uint(line, "random", sb_salted_number(&c->rules->slots.salt, &env->name, attempt));
    sb_member_uint(line, "steps", c->rules->slots.steps);
    atomic_store(&c->plugin->moves->progress, SB_BEFORE_BEGIN);
    cJSON *reply = ask(c, c->rules->reply_seconds);
    const bool ok = reply && is_right(c, reply);
    cJSON_Delete(reply);
    return ok;
}

static bool replay(const call *c, sb_env *env, sb_tape *tape) {
    const sb_moves *moves = c->plugin->moves;
    const size_t n = sb_moves_count(moves);
    for (size_t i = 0; i < n; i++) {
        const sb_action action = moves->actions[i];
        sb_result result;
        sb_error why;
        if (!sb_step(env, action, &result, &why))
            return sb_failed(c->failure, SB_FAILED_NONSENSE, "in step %zu its `act` returned %d: %.120s", i + 1,
                             (int)action, why.text);
        if (!sb_tape_append(tape, action, c->error)) return false;
    }
    return true;
}

/* What counts is the replay: the worker's own episode may have been changed by the plugin. */
static bool check_end(const call *c, const sb_env *env) {
    const uint64_t steps = c->rules->slots.steps;
    const size_t n = sb_moves_count(c->plugin->moves);
    if (env->status.done) return true;
    if ((steps && n >= steps) || n == SB_MOVES_MAX)
        return sb_failed(c->failure, SB_FAILED_STEPS, "the episode was not over after the %zu steps allowed", n);
    return sb_failed(c->failure, SB_FAILED_NONSENSE,
                     "its actions end after %zu steps, and the episode does not: did it change the environment?", n);
}

/* Plays an episode that has just begun. A plugin that crashes after its end loses nothing but its process. */
static bool play(const call *c, const sb_plugin_facts *facts, sb_env *env, uint32_t attempt, sb_tape *tape) {
    if (!begin(c, facts)) return false;
    const bool answered = ask_for_episode(c, env, attempt);
    if (!answered && !c->failure->kind) return false;
    if (!answered) end(c->plugin, false); /* the worker is killed, so it adds no more actions */
    const sb_failure lost = *c->failure;
    if (!replay(c, env, tape) && !c->failure->kind) return false;
    if (answered) return !c->failure->kind && check_end(c, env);
    *c->failure = lost;
    if (!env->status.done) return false;
    c->failure->kind = SB_NO_FAILURE;
    return true;
}

bool sb_plugin_play(sb_agent_plugin *plugin, const sb_program_rules *rules, sb_guard *guard,
                    const sb_plugin_facts *facts, sb_env *env, const sb_name *name, uint32_t attempt, sb_tape *tape,
                    sb_failure *failure, sb_error *error) {
    char agent[SB_AGENT_NAME];
    const call c = {plugin, rules, guard, failure, error};
    failure->kind = SB_NO_FAILURE;
    if (!sb_reset_name(env, name, error)) return false;
    sb_recorded_agent(facts->name, agent);
    sb_tape_begin(tape, env, agent);
    const bool ok = play(&c, facts, env, attempt, tape);
    sb_tape_finish(tape, env);
    const bool played = ok || failure->kind == SB_FAILED_STEPS; /* whether the worker is as good as new */
    if (!played || rules->fresh) end(plugin, played);
    return ok || failure->kind;
}

void sb_plugin_free(sb_agent_plugin *plugin) {
    end(plugin, true);
    if (plugin->moves) {
        munmap(plugin->moves, sizeof *plugin->moves);
        close(plugin->shared);
    }
    sb_out_free(&plugin->line);
    *plugin = (sb_agent_plugin){0};
}
