#include "evaluation/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

/* ---- Reading requests ---- */

/* A key that every request may have is in each list. */
#define EVERY_REQUEST "op", "id", "env"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static const cJSON *find(const cJSON *request, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(request, key);
}

/* Puts the value of the request's index-th key as it was spelled: numbers that no double holds come back unchanged. */
static void put_member(sb_out *out, const char *line, int index) {
    const char *begin = line;
    bool quoted = false;
    int depth = 0, member = 0;
    for (const char *at = line;; at++) {
        if (quoted && *at == '\\')
            at++;
        else if (*at == '"')
            quoted = !quoted;
        if (quoted) continue;
        if (depth == 1 && *at == ':' && member == index) begin = at + 1;
        if (depth == 1 && (*at == ',' || *at == '}') && member++ == index) {
            while (is_space(*begin)) begin++;
            while (is_space(at[-1])) at--;
            sb_put(out, begin, (size_t)(at - begin));
            return;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
}

static void put_id(sb_out *out, const char *line, const cJSON *request) {
    int index = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, request) {
        if (strcmp(item->string, "id") == 0) {
            sb_put_key(out, "id");
            put_member(out, line, index);
            return;
        }
        index++;
    }
}

static bool read_env(const cJSON *request, int *env, sb_error *error) {
    const cJSON *item = find(request, "env");
    double number = 0;
    if (item && !sb_json_whole(item, 0, SB_SESSION_ENVS - 1, &number))
        return sb_fail(error, SB_INVALID, "key `env` should be a whole number from 0 to %d", SB_SESSION_ENVS - 1);
    *env = (int)number;
    return true;
}

/* ---- Writing replies ---- */

/* `"key": [`; to be followed by the items and a bracket. */
static void open_list(sb_out *out, const char *key) {
    sb_put_key(out, key);
    sb_putc(out, '[');
}

static void put_item(sb_out *out, const char *text) {
    sb_put_comma(out);
    sb_put_json_string(out, text);
}

/* How the episode stands: what reset, step and observe have in common. */
static bool put_state(sb_session *session, const sb_env *env, const sb_view *view, sb_out *out, sb_error *error) {
    const sb_status *status = sb_status_of(env);
    sb_member_bool(out, "terminated", status->terminated);
    sb_member_bool(out, "truncated", status->truncated);
    sb_member_bool(out, "success", status->success);
    sb_member_bool(out, "done", status->done);
    sb_member_int(out, "steps", status->steps);
    sb_member_double(out, "return", status->total);
    sb_member_double(out, "dense_return", status->dense_total);
    return sb_view_print(view, env, &session->valid, out, error);
}

static void put_intent(sb_out *out, const sb_intent *intent) {
    sb_put_key(out, "intent");
    if (!intent->verb) {
        sb_puts(out, "null");
        return;
    }
    sb_putc(out, '{');
    sb_member_text(out, "verb", intent->verb);
    sb_member_text(out, "object", intent->object);
    sb_put_key(out, "at");
    if (intent->at.x < 0 || intent->at.y < 0)
        sb_puts(out, "null}");
    else
        sb_putf(out, "[%d, %d]}", intent->at.x, intent->at.y);
}

static const char *code_name(int code) {
    switch (code) {
    case SB_UNKNOWN: return "unknown";
    case SB_IO: return "io";
    case SB_MEMORY: return "memory";
    case SB_MISMATCH: return "mismatch";
    case SB_VERSION_OTHER: return "version";
    case SB_FINISHED: return "finished";
    default: return "invalid";
    }
}

static void put_error(sb_out *out, const sb_error *error) {
    sb_put_key(out, "error");
    sb_putc(out, '{');
    sb_member_text(out, "code", code_name(error->code));
    sb_member_text(out, "message", error->text);
    sb_putc(out, '}');
}

/* ---- Operations ---- */

typedef struct call {
    sb_session *session;
    sb_seat *seat;
    const cJSON *request;
    sb_out *out; /* inside the reply's object; what a failing operation puts there is taken back */
} call;

static bool is_started(const call *c, sb_error *error) {
    return (c->seat->env && c->seat->env->state) || sb_fail(error, SB_FINISHED, "no episode was started: reset first");
}

static void put_family(sb_out *out, const sb_family *family) {
    char rules[SB_RULES_NAME];
    sb_rules_name(family, rules);
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_member_text(out, "name", family->name);
    sb_member_text(out, "rules", rules);
    open_list(out, "tasks");
    for (size_t i = 0; i < family->n_tasks; i++) put_item(out, family->task(i)->name);
    sb_putc(out, ']');
    open_list(out, "variants");
    for (size_t i = 0; i < family->n_variants; i++) put_item(out, family->variants[i]);
    sb_putc(out, ']');
    open_list(out, "modes");
    for (size_t i = 0; i < family->n_modes; i++) put_item(out, family->modes[i].name);
    sb_puts(out, "]}");
}

static bool hello(const call *c, sb_error *error) {
    const cJSON *wanted = find(c->request, "protocol");
    double version;
    if (wanted && !sb_json_whole(wanted, SB_PROTOCOL, SB_PROTOCOL, &version))
        return sb_fail(error, SB_VERSION_OTHER, "key `protocol`: this server speaks version %d only", SB_PROTOCOL);
    sb_member_int(c->out, "protocol", SB_PROTOCOL);
    sb_member_text(c->out, "seedbed", SB_VERSION);
    open_list(c->out, "families");
    for (const sb_family *const *family = sb_families; *family; family++) put_family(c->out, *family);
    sb_putc(c->out, ']');
    sb_put_key(c->out, "limits");
    sb_putc(c->out, '{');
    sb_member_int(c->out, "line_bytes", SB_LINE_BYTES);
    sb_member_int(c->out, "nesting", SB_JSON_NESTING);
    sb_member_int(c->out, "modes", SB_VIEW_MODES);
    sb_member_int(c->out, "envs", SB_SESSION_ENVS);
    sb_putc(c->out, '}');
    return true;
}

static void put_episode(sb_out *out, const sb_env *env) {
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    sb_name_print(sb_name_of(env), name, sizeof name);
    sb_rules_name(env->family, rules);
    sb_member_text(out, "name", name);
    sb_member_text(out, "summary", env->task->summary);
    sb_member_text(out, "rules", rules);
    sb_member_int(out, "max_steps", sb_status_of(env)->max_steps);
    sb_member_int(out, "n_actions", env->n_actions);
}

/* Everything in the request is read before anything changes. */
static bool reset(const call *c, sb_error *error) {
    sb_seat *seat = c->seat;
    const char *text;
    sb_name name;
    if (!sb_json_string(c->request, "name", &text, error) || !sb_name_parse(text, &name, error)) return false;
    const sb_family *family = sb_family_find(name.family, error);
    if (!family) return false;
    sb_view view = {.modes = {&family->modes[0]}, .names = {family->modes[0].name}, .n = 1};
    if (!sb_view_read_modes(c->request, family, &view, error) || !sb_view_read_listing(c->request, &view, error))
        return false;
    if (!seat->env && !(seat->env = sb_make(NULL, error))) return false;
    if (!sb_reset_name(seat->env, &name, error)) return false;
    seat->view = view;
    put_episode(c->out, seat->env);
    return put_state(c->session, seat->env, &view, c->out, error);
}

static bool step(const call *c, sb_error *error) {
    sb_env *env = c->seat->env;
    sb_action action;
    sb_result result = {0};
    if (!is_started(c, error) || !sb_read_action(c->request, env, &action, error)) return false;
    if (!sb_step(env, action, &result, error)) return false;
    sb_member_double(c->out, "reward", result.reward);
    sb_member_double(c->out, "dense_reward", result.dense);
    return put_state(c->session, env, &c->seat->view, c->out, error);
}

static bool observe(const call *c, sb_error *error) {
    const sb_env *env = c->seat->env;
    if (!is_started(c, error)) return false;
    sb_view view = c->seat->view;
    if (!sb_view_read_modes(c->request, env->family, &view, error) || !sb_view_read_listing(c->request, &view, error))
        return false;
    return put_state(c->session, env, &view, c->out, error);
}

/* The player begins anew for every hint, so that a hint depends on nothing but the state; of the random agent it is the
 * action that it would take in this step of a roll-out. */
static bool hint(const call *c, sb_error *error) {
    const sb_env *env = c->seat->env;
    sb_player *player = &c->seat->player;
    const char *agent = "expert";
    if (!sb_json_optional_string(c->request, "agent", &agent, error) || !is_started(c, error)) return false;
    const sb_status *status = sb_status_of(env);
    if (status->done)
        return sb_fail(error, SB_FINISHED, "the episode is over after %d steps: reset first", status->steps);
    if (!sb_player_begin(player, agent, env, error)) return false;
    for (int32_t earlier = 0; player->random && earlier < status->steps; earlier++) sb_player_act(player, env);
    const sb_action action = sb_player_act(player, env);
    sb_member_text(c->out, "agent", agent);
    sb_member_int(c->out, "action", action);
    sb_put_key(c->out, "action_name");
    sb_put_action_text(c->out, env, action);
    put_intent(c->out, &player->intent);
    player->agent = NULL; /* it lives in the request */
    return true;
}

static void clear_seat(sb_seat *seat) {
    sb_free(seat->env);
    sb_player_free(&seat->player);
    *seat = (sb_seat){0};
}

static bool close_env(const call *c, sb_error *error) {
    (void)error;
    clear_seat(c->seat);
    return true;
}

/* ---- The session ---- */

static const struct operation {
    const char *name;
    bool (*run)(const call *c, sb_error *error);
    const char *keys[8];
} operations[] = {
    {"hello", hello, {EVERY_REQUEST, "protocol"}}, {"reset", reset, {EVERY_REQUEST, "name", "modes", "actions"}},
    {"step", step, {EVERY_REQUEST, "action"}},     {"observe", observe, {EVERY_REQUEST, "modes", "actions"}},
    {"hint", hint, {EVERY_REQUEST, "agent"}},      {"close", close_env, {EVERY_REQUEST}},
};

enum { N_OPERATIONS = sizeof operations / sizeof *operations };

static const struct operation *find_operation(const cJSON *request, sb_error *error) {
    const char *name;
    if (!sb_json_string(request, "op", &name, error)) return NULL;
    char known[120];
    sb_out names = sb_out_fixed(known, sizeof known);
    for (size_t i = 0; i < N_OPERATIONS; i++) {
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
        sb_putf(&names, "%s%s", i ? ", " : "", operations[i].name);
    }
    sb_out_finish(&names);
    sb_fail(error, SB_UNKNOWN, "key `op`: there is no `%.40s`; there is: %s", name, known);
    return NULL;
}

static bool run(sb_session *session, const cJSON *request, sb_out *out, sb_error *error) {
    int env = 0;
    const struct operation *operation = find_operation(request, error);
    if (!operation || !sb_json_known_keys(request, operation->keys, error) || !read_env(request, &env, error))
        return false;
    const call c = {.session = session, .seat = &session->seats[env], .request = request, .out = out};
    return operation->run(&c, error);
}

/* The request, or NULL with an error. The NUL behind the copy ends numbers, and some texts past whose end cJSON before
 * 1.7.18 looks by a byte. */
static cJSON *read_request(sb_session *session, const char *line, size_t n, sb_error *error) {
    if (n > SB_LINE_BYTES) {
        sb_fail(error, SB_INVALID, "the line is longer than %d bytes: all of it was skipped", SB_LINE_BYTES);
        return NULL;
    }
    sb_out *text = &session->text;
    text->grows = true;
    sb_out_clear(text);
    sb_put(text, line, n);
    sb_putc(text, '\0');
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for the request"), NULL;
    cJSON *request = sb_json_parse(text->data, n, error);
    if (!request || cJSON_IsObject(request)) return request;
    cJSON_Delete(request);
    sb_fail(error, SB_INVALID, "a request is a JSON object, such as {\"op\": \"hello\"}");
    return NULL;
}

/* The reply up to where success and failure differ; what was put since `start` is dropped. */
static void begin_reply(sb_out *reply, size_t start, bool ok, const char *line, const cJSON *request) {
    reply->size = start, reply->failed = false;
    sb_puts(reply, "{");
    sb_member_bool(reply, "ok", ok);
    if (request) put_id(reply, line, request);
}

void sb_session_answer(sb_session *session, const char *line, size_t n, sb_out *reply) {
    const size_t start = reply->size;
    sb_error error;
    cJSON *request = read_request(session, line, n, &error);
    begin_reply(reply, start, true, session->text.data, request);
    bool ok = request && run(session, request, reply, &error);
    if (ok && !sb_out_ok(reply)) ok = sb_fail(&error, SB_MEMORY, "out of memory for the reply");
    if (!ok) {
        begin_reply(reply, start, false, session->text.data, request);
        put_error(reply, &error);
    }
    sb_puts(reply, "}\n");
    cJSON_Delete(request);
}

void sb_session_free(sb_session *session) {
    for (size_t i = 0; i < SB_SESSION_ENVS; i++) clear_seat(&session->seats[i]);
    free(session->valid.actions);
    sb_out_free(&session->text);
    *session = (sb_session){0};
}
