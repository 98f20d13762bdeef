#include "agents/server/serve.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"

/* ---- Reading requests ---- */

/* Keys of every request, and of those that are about one environment. */
#define EVERY_REQUEST "op", "id"
#define ONE_ENV       EVERY_REQUEST, "env"

static const cJSON *find(const cJSON *request, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(request, key);
}

/* Writes the request's `id` as it was spelled, so that numbers too large for a double come back unchanged. The line has
 * the same members as the parsed request, in the same order. */
static void put_id(sb_out *out, const sb_out *line, const cJSON *request) {
    const sb_json_part whole = sb_json_whole(line->data, line->size - 1);
    sb_json_walk walk = sb_json_walk_of(&whole);
    sb_error ignored;
    for (const cJSON *item = request->child; item && sb_json_walk_next(&walk, &ignored); item = item->next) {
        if (strcmp(item->string, "id") != 0) continue;
        sb_put_key(out, "id");
        sb_put(out, walk.value.at, walk.value.n);
        return;
    }
}

static size_t limit_of_envs(const sb_session *session) {
    return session->limits.envs ? session->limits.envs : SB_SESSION_ENVS;
}

static bool read_env(const sb_session *session, const cJSON *request, size_t *env, sb_error *error) {
    const cJSON *item = find(request, "env");
    const size_t last = limit_of_envs(session) - 1;
    double number = 0;
    if (item && !sb_json_is_whole(item, 0, (double)last, &number))
        return sb_fail(error, SB_INVALID, "key `env` should be a whole number from 0 to %zu", last);
    *env = (size_t)number;
    return true;
}

/* What a request says of how episodes are shown. */
typedef struct showing {
    sb_view view;
    sb_testing_rules testing;
} showing;

static bool read_frames(const cJSON *request, sb_testing_rules *testing, sb_error *error) {
    const cJSON *item = find(request, "frames_per_action");
    double number = 1;
    if (item && !sb_json_is_whole(item, 1, SB_FRAMES_MAX, &number))
        return sb_fail(error, SB_INVALID, "key `frames_per_action` should be a whole number from 1 to %d",
                       SB_FRAMES_MAX);
    testing->frames = (uint64_t)number;
    return true;
}

/* Reads how replies show an episode of the family; what the request does not say has defaults. */
static bool read_showing(const cJSON *request, const sb_family *family, showing *how, sb_error *error) {
    *how = (showing){.view = {.modes = {&family->modes[0]}, .names = {family->modes[0].name}, .n = 1}};
    return sb_view_read_modes(request, family, &how->view, error) && sb_view_read_listing(request, &how->view, error) &&
           read_frames(request, &how->testing, error);
}

/* ---- Writing replies ---- */

/* Writes `"key": [`; the caller adds the items and the bracket. */
static void open_list(sb_out *out, const char *key) {
    sb_put_key(out, key);
    sb_putc(out, '[');
}

static void put_item(sb_out *out, const char *text) {
    sb_put_comma(out);
    sb_put_json_string(out, text);
}

/* Writes the state of the episode, which replies to reset, step and observe have in common. */
static bool put_state(sb_session *session, const sb_env *env, const sb_view *view, sb_out *out, sb_error *error) {
    const sb_status *status = sb_status_of(env);
    sb_member_bool(out, "terminated", status->terminated);
    sb_member_bool(out, "truncated", status->truncated);
    sb_member_success(out, sb_criterion_in(env), status);
    sb_member_bool(out, "done", status->done);
    sb_member_int(out, "steps", status->steps);
    sb_member_double(out, "return", status->total);
    sb_member_double(out, "dense_return", status->dense_total);
    sb_view_print_standing(env, out);
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
    sb_seat *seat; /* the seat of `env`; invalid after `start` has added seats */
    const cJSON *request;
    sb_out *out; /* inside the reply's object; what a failed operation wrote there is dropped */
} call;

static bool has_episode(const sb_seat *seat) { return seat->env && seat->env->state; }

static bool is_started(const call *c, sb_error *error) {
    return has_episode(c->seat) || sb_fail(error, SB_FINISHED, "no episode was started; reset first");
}

static void put_family(sb_out *out, const sb_catalogue *catalogue, const sb_family *family) {
    const sb_task_info *task;
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n = sb_named_difficulties(family, difficulties);
    char rules[SB_RULES_NAME];
    sb_rules_name(family, NULL, rules);
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_member_text(out, "name", family->name);
    sb_member_text(out, "rules", rules);
    open_list(out, "tasks");
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++) put_item(out, task->name);
    sb_putc(out, ']');
    open_list(out, "variants");
    for (size_t i = 0; i < n; i++) put_item(out, difficulties[i]);
    sb_putc(out, ']');
    open_list(out, "modes");
    for (size_t i = 0; i < family->n_modes; i++) put_item(out, family->modes[i].name);
    sb_puts(out, "]}");
}

static void put_limits(sb_out *out, const sb_session *session) {
    const sb_limits *limits = &session->limits;
    sb_put_key(out, "limits");
    sb_putc(out, '{');
    sb_member_int(out, "line_bytes", SB_LINE_BYTES);
    sb_member_int(out, "nesting", SB_JSON_NESTING);
    sb_member_int(out, "modes", SB_VIEW_MODES);
    sb_member_uint(out, "envs", limit_of_envs(session));
    if (limits->clients) sb_member_uint(out, "clients", limits->clients);
    if (limits->memory) sb_member_uint(out, "memory_bytes", limits->memory);
    if (limits->timeout) sb_member_uint(out, "timeout_seconds", limits->timeout);
    sb_putc(out, '}');
}

static bool hello(const call *c, sb_error *error) {
    const cJSON *wanted = find(c->request, "protocol");
    double version;
    if (wanted && !sb_json_is_whole(wanted, SB_PROTOCOL, SB_PROTOCOL, &version))
        return sb_fail(error, SB_VERSION_OTHER, "key `protocol`: this server speaks version %d only", SB_PROTOCOL);
    sb_member_int(c->out, "protocol", SB_PROTOCOL);
    sb_member_text(c->out, "seedbed", SB_VERSION);
    open_list(c->out, "families");
    for (const sb_family *const *family = sb_families; *family; family++)
        put_family(c->out, c->session->catalogue, *family);
    sb_putc(c->out, ']');
    put_limits(c->out, c->session);
    return true;
}

static void put_episode(sb_out *out, const sb_env *env) {
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    sb_name_print(sb_name_of(env), name, sizeof name);
    sb_rules_name(env->family, env->task, rules);
    sb_member_text(out, "name", name);
    sb_member_text(out, "summary", env->task->summary);
    sb_member_text(out, "rules", rules);
    sb_member_int(out, "max_steps", sb_status_of(env)->max_steps);
    sb_member_int(out, "n_actions", env->n_actions);
    sb_view_print_actions(env, out);
    sb_member_clicks(out, &env->shape);
}

/* Starts an episode in a seat; after a failure the seat has none. */
static bool seat_episode(const sb_catalogue *catalogue, sb_seat *seat, const sb_name *name, const showing *how,
                         sb_error *error) {
    if (!seat->env && !(seat->env = sb_make(catalogue, NULL, error))) return false;
    seat->view = how->view, seat->testing = how->testing;
    return sb_reset_name(seat->env, name, error);
}

static bool put_start(const call *c, const sb_seat *seat, sb_error *error) {
    put_episode(c->out, seat->env);
    sb_member_instructions(c->out, &seat->testing, seat->env);
    return put_state(c->session, seat->env, &seat->view, c->out, error);
}

/* Everything in the request is read before anything changes. */
static bool reset(const call *c, sb_error *error) {
    const char *text;
    sb_name name;
    sb_resolved of;
    showing how;
    return sb_json_string(c->request, "name", &text, error) &&
           sb_resolve_text(c->session->catalogue, text, &name, &of, error) &&
           read_showing(c->request, of.family, &how, error) &&
           seat_episode(c->session->catalogue, c->seat, &name, &how, error) && put_start(c, c->seat, error);
}

/* Takes the action, and the steps that tests add to it; the frames before the last are kept. */
static bool take_steps(sb_out *frames, const sb_seat *seat, sb_action chosen, sb_result *sum, sb_error *error) {
    sb_turn turn = sb_turn_of(&seat->testing, seat->env, chosen);
    sb_action next, last = chosen;
    sb_result result = {0};
    *sum = (sb_result){0};
    frames->grows = true;
    sb_out_clear(frames);
    for (; sb_turn_next(&turn, &next); last = next) {
        if (turn.taken > 1 && !sb_put_frame_between(frames, &seat->view, seat->env, last, error)) return false;
        if (!sb_step(seat->env, next, &result, error)) return false;
        sum->reward += result.reward, sum->dense += result.dense;
    }
    return true;
}

static bool step_and_put(const call *c, const sb_seat *seat, sb_action action, sb_error *error) {
    sb_result sum;
    if (!take_steps(&c->session->frames, seat, action, &sum, error)) return false;
    sb_member_double(c->out, "reward", sum.reward);
    sb_member_double(c->out, "dense_reward", sum.dense);
    sb_member_frames(c->out, &c->session->frames);
    return put_state(c->session, seat->env, &seat->view, c->out, error);
}

static bool step(const call *c, sb_error *error) {
    sb_action action;
    return is_started(c, error) && sb_read_action(find(c->request, "action"), "action", c->seat->env, &action, error) &&
           step_and_put(c, c->seat, action, error);
}

static bool observe(const call *c, sb_error *error) {
    const sb_env *env = c->seat->env;
    if (!is_started(c, error)) return false;
    sb_view view = c->seat->view;
    if (!sb_view_read_modes(c->request, env->family, &view, error) || !sb_view_read_listing(c->request, &view, error))
        return false;
    return put_state(c->session, env, &view, c->out, error);
}

/* The player begins anew for every hint, so that a hint depends only on the state. A hint of the random agent is the
 * action that it would take in this step of a roll-out. */
static bool hint(const call *c, sb_error *error) {
    const sb_env *env = c->seat->env;
    sb_player *player = &c->session->player;
    const char *agent = NULL;
    if (!sb_json_optional_string(c->request, "agent", &agent, error) || !is_started(c, error)) return false;
    if (!agent) agent = sb_default_agent(&env->name);
    const sb_status *status = sb_status_of(env);
    if (status->done)
        return sb_fail(error, SB_FINISHED, "the episode is over after %d steps: reset first", status->steps);
    if (!sb_player_begin_as(player, agent, env, error)) return false;
    for (int32_t earlier = 0; player->random && earlier < status->steps; earlier++) sb_player_act(player, env);
    const sb_action action = sb_player_act(player, env);
    sb_member_text(c->out, "agent", agent);
    sb_member_int(c->out, "action", action);
    sb_put_key(c->out, "action_name");
    sb_put_action_text(c->out, env, action);
    put_intent(c->out, &player->intent);
    player->agent = NULL; /* the name in the player belongs to the request */
    return true;
}

static void clear_seat(sb_seat *seat) {
    sb_free(seat->env);
    *seat = (sb_seat){0};
}

static bool close_env(const call *c, sb_error *error) {
    (void)error;
    clear_seat(c->seat);
    sb_player_clear(&c->session->player); /* the player is only a cache */
    return true;
}

/* ---- Batches ---- */

static void free_batch(sb_lineup *batch) {
    free(batch->names);
    free(batch->chosen);
    *batch = (sb_lineup){0};
}

static bool make_seats(sb_session *session, size_t n, sb_error *error) {
    if (n <= session->n_seats) return true;
    sb_seat *seats = realloc(session->seats, n * sizeof *seats);
    if (!seats) return sb_fail(error, SB_MEMORY, "out of memory for %zu environments", n);
    memset(seats + session->n_seats, 0, (n - session->n_seats) * sizeof *seats);
    session->seats = seats, session->n_seats = n;
    return true;
}

static bool read_name(const sb_catalogue *catalogue, const cJSON *item, sb_lineup *batch, sb_error *error) {
    sb_name *name = &batch->names[batch->n];
    if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "should be a text");
    if (!sb_name_parse(catalogue, item->valuestring, name, error)) return false;
    batch->n++;
    return strcmp(name->family, batch->names[0].family) == 0 ||
           sb_fail(error, SB_INVALID, "family %s, but the list began with %s", name->family, batch->names[0].family);
}

static bool read_names(const sb_catalogue *catalogue, const cJSON *request, sb_lineup *batch, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(request, "names", &list, error)) return false;
    if (!list->child) return sb_fail(error, SB_INVALID, "key `names` should name at least one episode");
    batch->names = calloc((size_t)cJSON_GetArraySize(list), sizeof *batch->names);
    if (!batch->names) return sb_fail(error, SB_MEMORY, "out of memory for the names");
    cJSON_ArrayForEach(item, list) {
        const size_t index = batch->n;
        if (!read_name(catalogue, item, batch, error)) return sb_fail_at(error, "key `names`: item %zu", index);
    }
    return true;
}

/* Reads how many environments to use: `envs`, or one for each name up to the limit. */
static bool read_envs(const call *c, sb_lineup *batch, sb_error *error) {
    const cJSON *item = find(c->request, "envs");
    const size_t limit = limit_of_envs(c->session), most = batch->n < limit ? batch->n : limit;
    double number = (double)most;
    if (item && !sb_json_is_whole(item, 1, (double)most, &number))
        return sb_fail(error, SB_INVALID,
                       "key `envs` should be a whole number from 1 to %zu: every environment needs a name%s", most,
                       most == limit ? ", and this is the limit" : "");
    batch->envs = (size_t)number;
    batch->chosen = calloc(batch->envs, sizeof *batch->chosen);
    return batch->chosen || sb_fail(error, SB_MEMORY, "out of memory for %zu environments", batch->envs);
}

static bool read_batch(const call *c, sb_lineup *batch, showing *how, sb_error *error) {
    static const char *const choices[] = {"stop", "same", "next"};
    size_t then = SB_THEN_STOP;
    if (!read_names(c->session->catalogue, c->request, batch, error) || !read_envs(c, batch, error)) return false;
    if (!sb_json_optional_word(c->request, "then", choices, 3, &then, error)) return false;
    batch->then = then;
    const sb_family *family = sb_family_find(batch->names[0].family, error);
    return family && read_showing(c->request, family, how, error) && make_seats(c->session, batch->envs, error);
}

static bool begin_batch(const call *c, const showing *how, sb_error *error) {
    sb_lineup *batch = &c->session->batch;
    open_list(c->out, "envs");
    for (size_t i = 0; i < batch->envs; i++) {
        sb_seat *seat = &c->session->seats[i];
        sb_put_comma(c->out);
        sb_putc(c->out, '{');
        if (!seat_episode(c->session->catalogue, seat, &batch->names[batch->next++], how, error) ||
            !put_start(c, seat, error))
            return sb_fail_at(error, "key `names`: item %zu", i);
        sb_putc(c->out, '}');
    }
    sb_putc(c->out, ']');
    return true;
}

static bool start_batch(const call *c, sb_error *error) {
    sb_lineup batch = {0};
    showing how;
    if (!read_batch(c, &batch, &how, error)) return free_batch(&batch), false;
    free_batch(&c->session->batch);
    c->session->batch = batch;
    if (begin_batch(c, &how, error)) return true;
    for (size_t i = 0; i < batch.envs; i++) clear_seat(&c->session->seats[i]);
    free_batch(&c->session->batch);
    return false;
}

enum { NO_ACTION = -1 };

static bool is_running(const sb_seat *seat) { return has_episode(seat) && !seat->env->status.done; }

/* Reads what an environment should do: nothing (null), or an action in its range. */
static bool read_choice_of(const cJSON *item, const sb_seat *seat, sb_action *action, sb_error *error) {
    *action = NO_ACTION;
    if (cJSON_IsNull(item)) return true;
    if (!is_running(seat))
        return sb_fail(error, SB_FINISHED, "no episode is running here: send null, or reset it first");
    if (!sb_read_action(item, "actions", seat->env, action, error)) return false;
    return (*action >= 0 && *action < seat->env->n_actions) ||
           sb_fail(error, SB_INVALID, "action %d is out of range: this task has 0..%d", *action,
                   seat->env->n_actions - 1);
}

static bool read_actions(const call *c, sb_error *error) {
    const sb_lineup *batch = &c->session->batch;
    const cJSON *list, *item;
    size_t i = 0;
    if (!batch->envs) return sb_fail(error, SB_FINISHED, "no batch was started: start first");
    if (!sb_json_array(c->request, "actions", &list, error)) return false;
    if ((size_t)cJSON_GetArraySize(list) != batch->envs)
        return sb_fail(error, SB_INVALID, "key `actions` should have %zu items, one for each environment, not %d",
                       batch->envs, cJSON_GetArraySize(list));
    cJSON_ArrayForEach(item, list) {
        if (!read_choice_of(item, &c->session->seats[i], &batch->chosen[i], error))
            return sb_fail_at(error, "key `actions`: item %zu", i);
        i++;
    }
    return true;
}

/* Finds the name of the episode that follows the one that has ended; false if there is none. */
static bool next_name(sb_lineup *batch, const sb_env *env, sb_name *name) {
    if (batch->then == SB_THEN_SAME) return *name = *sb_name_of(env), true;
    if (batch->then == SB_THEN_STOP || batch->next == batch->n) return false;
    *name = batch->names[batch->next++];
    return true;
}

static bool put_next(const call *c, sb_seat *seat, sb_error *error) {
    const showing how = {seat->view, seat->testing};
    char text[SB_NAME_MAX];
    sb_error reason;
    sb_name name;
    sb_put_key(c->out, "next");
    if (!next_name(&c->session->batch, seat->env, &name)) return sb_puts(c->out, "null"), true;
    sb_putc(c->out, '{');
    if (seat_episode(c->session->catalogue, seat, &name, &how, &reason)) {
        if (!put_start(c, seat, error)) return false;
    } else {
        sb_name_print(&name, text, sizeof text);
        sb_member_text(c->out, "name", text);
        put_error(c->out, &reason);
    }
    sb_putc(c->out, '}');
    return true;
}

static bool step_one(const call *c, sb_seat *seat, sb_action action, sb_error *error) {
    sb_put_comma(c->out);
    if (action == NO_ACTION) return sb_puts(c->out, "null"), true;
    sb_putc(c->out, '{');
    if (!step_and_put(c, seat, action, error)) return false;
    if (seat->env->status.done && !put_next(c, seat, error)) return false;
    sb_putc(c->out, '}');
    return true;
}

static bool steps(const call *c, sb_error *error) {
    sb_session *session = c->session;
    int64_t running = 0;
    if (!read_actions(c, error)) return false;
    open_list(c->out, "envs");
    for (size_t i = 0; i < session->batch.envs; i++) {
        if (!step_one(c, &session->seats[i], session->batch.chosen[i], error)) return false;
        running += is_running(&session->seats[i]);
    }
    sb_putc(c->out, ']');
    sb_member_int(c->out, "running", running);
    return true;
}

/* ---- The session ---- */

static const struct operation {
    const char *name;
    bool (*run)(const call *c, sb_error *error);
    const char *keys[9];
} operations[] = {
    {"hello", hello, {ONE_ENV, "protocol"}},
    {"reset", reset, {ONE_ENV, "name", "modes", "actions", "frames_per_action"}},
    {"step", step, {ONE_ENV, "action"}},
    {"observe", observe, {ONE_ENV, "modes", "actions"}},
    {"hint", hint, {ONE_ENV, "agent"}},
    {"close", close_env, {ONE_ENV}},
    {"start", start_batch, {EVERY_REQUEST, "names", "envs", "then", "modes", "actions", "frames_per_action"}},
    {"steps", steps, {EVERY_REQUEST, "actions"}},
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
    sb_fail(error, SB_UNKNOWN, "key `op`: unknown operation `%.40s`; known operations: %s", name, known);
    return NULL;
}

static bool run(sb_session *session, const cJSON *request, sb_out *out, sb_error *error) {
    size_t env = 0;
    const struct operation *operation = find_operation(request, error);
    if (!operation || !sb_json_known_keys(request, operation->keys, error)) return false;
    if (!read_env(session, request, &env, error) || !make_seats(session, env + 1, error)) return false;
    const call c = {.session = session, .seat = &session->seats[env], .request = request, .out = out};
    return operation->run(&c, error);
}

/* Parses the request; NULL after an error. The copy ends with a NUL, because cJSON reads numbers up to a byte that is
 * no part of them, and before 1.7.18 reads one byte past the end of some texts. */
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
    sb_fail(error, SB_INVALID, "a request should be a JSON object, such as {\"op\": \"hello\"}");
    return NULL;
}

/* Writes the beginning of a reply, which success and failure share; drops what was written since `start`. */
static void begin_reply(sb_out *reply, size_t start, bool ok, const sb_out *line, const cJSON *request) {
    reply->size = start, reply->failed = false;
    sb_puts(reply, "{");
    sb_member_bool(reply, "ok", ok);
    if (request) put_id(reply, line, request);
}

void sb_session_answer(sb_session *session, const char *line, size_t n, sb_out *reply) {
    const size_t start = reply->size;
    sb_error error;
    cJSON *request = read_request(session, line, n, &error);
    begin_reply(reply, start, true, &session->text, request);
    bool ok = request && run(session, request, reply, &error);
    if (ok && !sb_out_ok(reply)) ok = sb_fail(&error, SB_MEMORY, "out of memory for the reply");
    if (!ok) {
        begin_reply(reply, start, false, &session->text, request);
        put_error(reply, &error);
    }
    sb_puts(reply, "}\n");
    cJSON_Delete(request);
}

void sb_session_free(sb_session *session) {
    for (size_t i = 0; i < session->n_seats; i++) clear_seat(&session->seats[i]);
    free(session->seats);
    free_batch(&session->batch);
    sb_player_clear(&session->player);
    free(session->valid.actions);
    sb_out_free(&session->frames);
    sb_out_free(&session->text);
    *session = (sb_session){.catalogue = session->catalogue, .limits = session->limits};
}
