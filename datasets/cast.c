#include "datasets/cast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/agent.h"
#include "base/error.h"
#include "base/hash.h"

/* ---- Keys of a recipe ---- */

static bool read_agent(const cJSON *object, const char *key, sb_casting *casting, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return true;
    if (cJSON_IsArray(item)) return casting->agents = item, true;
    if (cJSON_IsString(item)) return casting->agent = item->valuestring, true;
    return sb_fail(error, SB_INVALID, "key `%s` should be a text, or a list of agents and weights", key);
}

bool sb_casting_read(const cJSON *object, sb_casting *casting, sb_error *error) {
    if (cJSON_HasObjectItem(object, "oracle") && cJSON_HasObjectItem(object, "agent"))
        return sb_fail(error, SB_INVALID, "keys `oracle` and `agent` mean the same: give only one of them");
    return read_agent(object, "oracle", casting, error) && read_agent(object, "agent", casting, error) &&
           (!cJSON_HasObjectItem(object, "epsilon") || sb_json_double(object, "epsilon", &casting->epsilon, error)) &&
           (!cJSON_HasObjectItem(object, "labels") || sb_json_string(object, "labels", &casting->labels, error)) &&
           (!cJSON_HasObjectItem(object, "intents") || sb_json_bool(object, "intents", &casting->intents, error));
}

/* Returns the path behind `tapes:`, or "" behind `tapes` alone; NULL if the agent is no file of tapes. The prefix has
 * two spellings. */
static const char *path_of(const char *agent) {
    const size_t n = strlen(SB_RECORDED);
    if (strncmp(agent, "tape:", strlen("tape:")) == 0) return agent + strlen("tape:");
    if (strncmp(agent, SB_RECORDED, n) != 0 || (agent[n] && agent[n] != ':')) return NULL;
    return agent[n] ? agent + n + 1 : agent + n;
}

static bool is_program(const char *agent) { return sb_agent_is_process(sb_agent_kind_of(agent)); }

bool sb_casting_is_recorded(const sb_casting *casting) {
    const cJSON *item;
    if (!casting->agents) return casting->agent && path_of(casting->agent);
    cJSON_ArrayForEach(item, casting->agents) {
        const char *agent = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "agent"));
        if (agent && path_of(agent)) return true;
    }
    return false;
}

const char *sb_casting_tapes(const sb_casting *casting) {
    const cJSON *item;
    if (!casting->agents) return casting->agent ? path_of(casting->agent) : NULL;
    cJSON_ArrayForEach(item, casting->agents) {
        const char *agent = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "agent"));
        if (agent && path_of(agent)) return path_of(agent);
    }
    return NULL;
}

static const char *agent_of(const char *agent, bool paths) { return path_of(agent) && !paths ? SB_RECORDED : agent; }

static void print_agents(const cJSON *agents, bool paths, sb_out *out) {
    const cJSON *item;
    sb_put_key(out, "oracle");
    sb_puts(out, "[");
    cJSON_ArrayForEach(item, agents) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "agent");
        const cJSON *weight = cJSON_GetObjectItemCaseSensitive(item, "weight");
        sb_put_comma(out);
        sb_puts(out, "{");
        if (cJSON_IsString(name)) sb_member_text(out, "agent", agent_of(name->valuestring, paths));
        if (cJSON_IsNumber(weight)) sb_member_double(out, "weight", weight->valuedouble);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

void sb_casting_print(const sb_casting *casting, const char *teacher, bool paths, sb_out *out) {
    if (casting->agents)
        print_agents(casting->agents, paths, out);
    else
        sb_member_text(out, "oracle", casting->agent ? agent_of(casting->agent, paths) : teacher);
    if (casting->epsilon != 0) sb_member_double(out, "epsilon", casting->epsilon);
    if (casting->labels) sb_member_text(out, "labels", casting->labels);
    if (casting->intents) sb_member_bool(out, "intents", true);
}

/* ---- The mixture ---- */

static bool add(sb_cast *cast, const char *agent, size_t n, double weight, sb_error *error) {
    if (n == 0 || n >= SB_AGENT_NAME)
        return sb_fail(error, SB_INVALID, "`%.40s` cannot be the name of an agent", agent);
    if (!(weight > 0) || !isfinite(weight)) return sb_fail(error, SB_INVALID, "a weight should be a number above 0");
    if (!isfinite(cast->total + weight))
        return sb_fail(error, SB_INVALID, "the sum of the weights is too large: make them smaller");
    if (cast->n == SB_CAST_MAX) return sb_fail(error, SB_INVALID, "at most %d agents are allowed", SB_CAST_MAX);
    memcpy(cast->of[cast->n].agent, agent, n);
    cast->of[cast->n++].weight = weight;
    cast->total += weight;
    return true;
}

static bool add_recorded(sb_cast *cast, const char *path, double weight, sb_error *error) {
    if (cast->recorded) return sb_fail(error, SB_INVALID, "only one file of tapes is allowed");
    cast->recorded = path;
    return add(cast, SB_RECORDED, strlen(SB_RECORDED), weight, error);
}

/* Adds `exec:COMMAND` or `plugin:FILE`. */
static bool add_program(sb_cast *cast, const char *agent, bool may_start, double weight, sb_error *error) {
    const char *command = strchr(agent, ':') + 1;
    const int n = (int)(command - agent);
    if (!may_start)
        return sb_fail(error, SB_INVALID,
                       "`%.*s` stands in no recipe, because recipes start no programs: say it with --agent on "
                       "the command line, or take the tapes of a program that has played, tape:FILE",
                       n, agent);
    if (!*command)
        return sb_fail(error, SB_INVALID, "add the %s after `%.*s`",
                       sb_agent_kind_of(agent) == SB_AGENT_PLUGIN ? "file" : "command", n, agent);
    if (cast->command) return sb_fail(error, SB_INVALID, "only one program is allowed");
    cast->command = command;
    return add(cast, SB_PROGRAM, strlen(SB_PROGRAM), weight, error);
}

/* Adds an agent as it stands alone or in a list: an oracle, a file of tapes, a program. */
static bool add_agent(sb_cast *cast, const char *agent, bool may_start, double weight, sb_error *error) {
    const char *path = path_of(agent);
    if (path) return add_recorded(cast, path, weight, error);
    if (is_program(agent)) return add_program(cast, agent, may_start, weight, error);
    return add(cast, agent, strlen(agent), weight, error);
}

static bool add_items(sb_cast *cast, const cJSON *agents, bool may_start, sb_error *error) {
    static const char *const keys[] = {"agent", "weight", NULL};
    const cJSON *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, agents) {
        const char *agent;
        double weight = 1;
        const bool ok = sb_json_known_keys(item, keys, error) && sb_json_string(item, "agent", &agent, error) &&
                        (!cJSON_HasObjectItem(item, "weight") || sb_json_double(item, "weight", &weight, error)) &&
                        add_agent(cast, agent, may_start, weight, error);
        if (!ok) return sb_fail_at(error, "agent[%zu]", i);
        i++;
    }
    return cast->n || sb_fail(error, SB_INVALID, "key `agent` is an empty list");
}

/* Reads a weight, which in a text is a whole number. */
static bool read_weight(const char *digits, size_t n, double *weight) {
    *weight = 0;
    for (size_t i = 0; i < n; i++) {
        if (digits[i] < '0' || digits[i] > '9') return false;
        *weight = *weight * 10 + (digits[i] - '0');
    }
    return n > 0 && n < 10;
}

static bool add_text(sb_cast *cast, const char *text, sb_error *error) {
    for (const char *at = text; at;) {
        const char *comma = strchr(at, ',');
        const size_t n = comma ? (size_t)(comma - at) : strlen(at);
        const char *colon = memchr(at, ':', n);
        const size_t name = colon ? (size_t)(colon - at) : n;
        double weight = 1;
        if (colon && !read_weight(colon + 1, n - name - 1, &weight))
            return sb_fail(error, SB_INVALID, "agent: `%.*s` should be an agent with a weight, as in expert:3,random:1",
                           (int)(n < 40 ? n : 40), at);
        if (!add(cast, at, name, weight, error)) return sb_fail_at(error, "agent");
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

/* Reads `labels`: an agent, or with recorded tapes `tapes`. */
static bool read_labeller(sb_cast *cast, const sb_casting *casting, sb_error *error) {
    const char *name = casting->labels;
    cast->labels = name || cast->epsilon > 0;
    if (!name || (cast->recorded && strcmp(name, "tapes") == 0)) return true;
    const size_t n = strlen(name);
    if (n == 0 || n >= sizeof cast->labeller)
        return sb_fail(error, SB_INVALID, "labels: `%.40s` cannot be the name of an agent", name);
    strcpy(cast->labeller, name);
    return true;
}

static bool check_recorded(const sb_cast *cast, sb_error *error) {
    if (cast->epsilon != 0)
        return sb_fail(error, SB_INVALID, "`epsilon`: recorded tapes are played already, so there can be no noise");
    return !cast->intents || cast->labeller[0] ||
           sb_fail(error, SB_INVALID,
                   "`intents`: recorded tapes are not played again, so name with `labels` the agent whose intents are "
                   "wanted");
}

static bool read_agents(sb_cast *cast, const sb_casting *casting, sb_error *error) {
    const char *agent = casting->agent;
    if (casting->agents) return add_items(cast, casting->agents, casting->may_start, error);
    if (!agent) return true;
    if (path_of(agent) || is_program(agent))
        return add_agent(cast, agent, casting->may_start, 1, error) || sb_fail_at(error, "agent");
    return add_text(cast, agent, error);
}

bool sb_cast_make(sb_cast *cast, const sb_casting *casting, sb_error *error) {
    *cast = (sb_cast){.epsilon = casting->epsilon, .intents = casting->intents};
    if (!(cast->epsilon >= 0 && cast->epsilon <= 1))
        return sb_fail(error, SB_INVALID, "key `epsilon` should be a probability, from 0 to 1");
    if (!read_agents(cast, casting, error) || !read_labeller(cast, casting, error)) return false;
    return !(cast->recorded || cast->command) || check_recorded(cast, error);
}

void sb_cast_default(sb_cast *cast, const char *teacher) {
    sb_error ignored; /* a teacher's name is short */
    if (!cast->n) add(cast, teacher, strlen(teacher), 1, &ignored);
}

/* Whether the agent's name says where tapes come from. */
static bool is_no_oracle(const char *agent) {
    return strcmp(agent, SB_RECORDED) == 0 || strcmp(agent, SB_PROGRAM) == 0;
}

bool sb_cast_can(const sb_cast *cast, const sb_name *name, sb_error *error) {
    for (size_t i = 0; i < cast->n; i++)
        if (!is_no_oracle(cast->of[i].agent) && !sb_agent_exists(cast->of[i].agent, name->family, name->task, error))
            return sb_fail_at(error, "agent");
    return !cast->labeller[0] || sb_agent_exists(cast->labeller, name->family, name->task, error) ||
           sb_fail_at(error, "labels");
}

void sb_actor_free(sb_actor *actor) {
    sb_worker_free(&actor->worker);
    sb_player_clear(&actor->labeller), sb_player_clear(&actor->observer);
}

/* ---- Playing ---- */

const char *sb_cast_agent(const sb_cast *cast, const sb_name *name) {
    if (cast->n <= 1) return cast->of[0].agent;
    sb_rng rng = sb_draws_of(name, "oracle");
    double left = sb_random(&rng) * cast->total;
    size_t i = 0;
    while (i + 1 < cast->n && left >= cast->of[i].weight) left -= cast->of[i++].weight;
    return cast->of[i].agent;
}

bool sb_cast_records(const sb_cast *cast, const sb_name *name) {
    return cast->recorded && strcmp(sb_cast_agent(cast, name), SB_RECORDED) == 0;
}

/* Notes the label and the intent of a step. The labelling agent acts in every state, even if the label is not needed,
 * because it may remember states. */
static bool note(const sb_cast *cast, sb_actor *actor, sb_action wanted, sb_action done, sb_error *error) {
    sb_tape *tape = &actor->worker.tape;
    const bool other = cast->labeller[0] != '\0';
    const sb_player *oracle = other ? &actor->labeller : &actor->worker.player;
    const sb_action label = other ? sb_player_act(&actor->labeller, actor->worker.env) : wanted;
    return (label == done || sb_tape_correct(tape, label, error)) &&
           (!cast->intents || sb_tape_explain(tape, &oracle->intent, error));
}

static bool finish_step(const sb_cast *cast, sb_actor *actor, sb_action wanted, sb_action done, sb_error *error) {
    sb_result result;
    return note(cast, actor, wanted, done, error) && sb_step(actor->worker.env, done, &result, error) &&
           sb_tape_append(&actor->worker.tape, done, error);
}

static bool take_step(const sb_cast *cast, sb_actor *actor, sb_rng *noise, sb_error *error) {
    sb_worker *worker = &actor->worker;
    const sb_action wanted = sb_player_act(&worker->player, worker->env);
    sb_action done = wanted;
    if (cast->epsilon > 0 && sb_random(noise) < cast->epsilon) done = sb_random_action(worker->env, noise);
    return finish_step(cast, actor, wanted, done, error);
}

static bool begin_labels(const sb_cast *cast, sb_actor *actor, sb_error *error) {
    actor->labeller.keeps = SB_PLAYER_KEEPS;
    return !cast->labeller[0] || sb_player_begin_as(&actor->labeller, cast->labeller, actor->worker.env, error);
}

/* Whether tapes hold more than the agent's actions. */
static bool takes_notes(const sb_cast *cast) { return cast->epsilon > 0 || cast->intents || cast->labeller[0]; }

bool sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error) {
    sb_worker *worker = &actor->worker;
    const char *agent = sb_cast_agent(cast, name);
    if (!takes_notes(cast)) return sb_worker_play(worker, agent, name, NULL, NULL, error);
    if (!sb_worker_open(worker, error)) return false;
    if (!sb_reset_name(worker->env, name, error) || !sb_player_begin_as(&worker->player, agent, worker->env, error) ||
        !begin_labels(cast, actor, error))
        return false;
    sb_rng noise = sb_draws_of(name, "epsilon");
    sb_tape_begin(&worker->tape, worker->env, agent);
    while (!worker->env->status.done)
        if (!take_step(cast, actor, &noise, error)) return false;
    sb_tape_finish(&worker->tape, worker->env);
    return true;
}

bool sb_cast_label(const sb_cast *cast, sb_actor *actor, sb_error *error) {
    sb_worker *worker = &actor->worker;
    sb_tape *tape = &worker->tape;
    const size_t n = tape->n;
    if (!cast->labeller[0]) return true;
    if (!sb_reset_name(worker->env, &tape->name, error) || !begin_labels(cast, actor, error)) return false;
    tape->n = tape->n_corrections = tape->n_purposes = 0; /* the actions stay in memory and are appended again */
    for (size_t i = 0; i < n; i++)
        if (!finish_step(cast, actor, tape->actions[i], tape->actions[i], error)) return false;
    sb_tape_finish(tape, worker->env);
    return true;
}

/* ---- Checking ---- */

static const char *difference(const sb_tape *said, const sb_tape *is, size_t step) {
    if (said->actions[step] != is->actions[step]) return "action";
    if (sb_tape_label(said, step) != sb_tape_label(is, step)) return "label";
    const sb_purpose *a = sb_tape_purpose(said, step), *b = sb_tape_purpose(is, step);
    const bool same = (!a && !b) || (a && b && a->step == b->step && strcmp(a->verb, b->verb) == 0 &&
                                     strcmp(a->object, b->object) == 0 && a->at.x == b->at.x && a->at.y == b->at.y);
    return same ? NULL : "intent";
}

/* Copies the actions without their notes. */
static bool copy_actions(sb_tape *to, const sb_tape *from, sb_error *error) {
    to->name = from->name;
    to->n = to->n_corrections = to->n_purposes = 0;
    for (size_t i = 0; i < from->n; i++)
        if (!sb_tape_append(to, from->actions[i], error)) return false;
    return true;
}

static bool play_again(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, sb_error *error) {
    if (!sb_cast_records(cast, &tape->name)) return sb_cast_play(cast, actor, &tape->name, error);
    return copy_actions(&actor->worker.tape, tape, error) && sb_cast_label(cast, actor, error);
}

static bool check_agent(const sb_cast *cast, const sb_tape *tape, sb_error *error) {
    const char *agent = sb_cast_agent(cast, &tape->name);
    if (cast->recorded && strcmp(agent, SB_RECORDED) == 0) return true;
    return strcmp(tape->agent, agent) == 0 ||
           sb_fail(error, SB_MISMATCH, "the tape says that the agent was %s, the recipe says %s", tape->agent, agent);
}

/* Fails if the tape has notes that the recipe does not ask for. Recorded tapes may have any. */
static bool check_notes(const sb_cast *cast, const sb_tape *tape, sb_error *error) {
    if (tape->said.n && !sb_cast_records(cast, &tape->name))
        return sb_fail(error, SB_MISMATCH, "the tape has thoughts, which oracles do not say");
    return sb_cast_records(cast, &tape->name) || takes_notes(cast) ||
           (tape->n_corrections == 0 && tape->n_purposes == 0) ||
           sb_fail(error, SB_MISMATCH, "the tape has labels or intents that the recipe does not ask for");
}

bool sb_cast_check(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, bool again, sb_error *error) {
    if (!check_agent(cast, tape, error) || !check_notes(cast, tape, error)) return false;
    const bool recorded = sb_cast_records(cast, &tape->name);
    if (!takes_notes(cast) && !(again && !recorded)) return true;
    if (recorded && !cast->labeller[0]) return true;
    if (!play_again(cast, actor, tape, error)) return false;
    const sb_tape *is = &actor->worker.tape;
    for (size_t step = 0; step < tape->n && step < is->n; step++) {
        const char *what = difference(tape, is, step);
        if (what) return sb_fail(error, SB_MISMATCH, "step %zu: the %s is not what the oracle gives", step, what);
    }
    return tape->n == is->n ||
           sb_fail(error, SB_MISMATCH, "the agent takes %zu steps, but the tape has %zu", is->n, tape->n);
}

bool sb_cast_play_again(sb_actor *actor, const sb_tape *tape, sb_played_again *came, sb_error *error) {
    sb_error nobody;
    *came = SB_NOBODY_AGAIN;
    if (!sb_agent_exists(tape->agent, tape->name.family, tape->name.task, &nobody)) return true;
    if (!sb_worker_play(&actor->worker, tape->agent, &tape->name, NULL, NULL, error)) return false;
    const sb_tape *is = &actor->worker.tape;
    const bool same = tape->n == is->n &&
                      (is->n == 0 || memcmp(tape->actions, is->actions, is->n * sizeof *is->actions) == 0);
    *came = same ? SB_SAME_AGAIN : SB_OTHER_AGAIN;
    return true;
}
