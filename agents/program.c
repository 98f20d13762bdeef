#include "agents/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"

/* What every function here needs. A function that returns false has filled in either `failure` or `error`. */
typedef struct call {
    sb_agent_program *program;
    const sb_program_rules *rules;
    sb_failure *failure;
    sb_error *error;
    uint32_t attempt; /* at the episode */
} call;

/* ---- What went wrong ---- */

__attribute__((format(printf, 3, 4))) static bool fail(const call *c, sb_failure_kind kind, const char *format, ...) {
    char text[sizeof c->failure->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    c->failure->kind = kind;
    sb_copy_plain(c->failure->text, sizeof text, text);
    return false;
}

static const char *guess_why(const sb_ending *ending, const char *op) {
    if (ending->number == 127) return " (no such command?)";
    return ending->number == 0 && strcmp(op, "reset") == 0 ? " (does it play one episode per process? then use --fresh)"
                                                           : "";
}

static bool fail_ended(const call *c, const char *op) {
    const sb_ending ending = sb_process_end(&c->program->process, true);
    if (ending.how == SB_WAS_KILLED)
        return fail(c, SB_FAILED_CLOSED, "it closed its output instead of answering `%s`, but kept running", op);
    if (ending.how == SB_SIGNALLED)
        return fail(c, SB_FAILED_CRASH, "it ended by signal %d (%s) instead of answering `%s`", ending.number,
                    strsignal(ending.number), op);
    return fail(c, SB_FAILED_CRASH, "it ended with exit code %d instead of answering `%s`%s", ending.number, op,
                guess_why(&ending, op));
}

/* Shows the beginning of the bad reply. */
static bool fail_nonsense(const call *c, const char *op, const char *why) {
    char shown[41];
    sb_copy_plain(shown, sizeof shown, c->program->process.reply.data);
    return fail(c, SB_FAILED_NONSENSE, "it answered `%s` with `%s`: %s", op, shown, why);
}

static bool fail_exchange(const call *c, sb_exchange went, const char *op, uint64_t seconds) {
    switch (went) {
    case SB_LATE: return fail(c, SB_FAILED_TIMEOUT, "no answer to `%s` within %llu s", op, (unsigned long long)seconds);
    case SB_OVERLONG:
        return fail(c, SB_FAILED_OVERLONG, "its answer to `%s` has more than %d bytes", op, SB_REPLY_BYTES);
    case SB_TALKATIVE: return fail_nonsense(c, op, "more than one line for one request");
    case SB_UNASKED: return fail_nonsense(c, op, "it wrote that before it was asked");
    default: return fail_ended(c, op);
    }
}

/* ---- Lines ---- */

static sb_out *begin_line(const call *c, const char *op) {
    sb_out *line = &c->program->line;
    line->grows = true;
    sb_out_clear(line);
    sb_puts(line, "{");
    sb_member_text(line, "op", op);
    return line;
}

/* Sends the line that was begun and waits for the reply, which is then in the process: one line of any content. */
static bool exchange(const call *c, const char *op, uint64_t seconds) {
    sb_out *line = &c->program->line;
    sb_exchange went;
    sb_puts(line, "}\n");
    if (!sb_out_ok(line)) return sb_fail(c->error, SB_MEMORY, "out of memory for a line");
    return sb_process_ask(&c->program->process, line->data, line->size, (double)seconds, c->rules->now, &went,
                          c->error) &&
           (went == SB_ANSWERED || fail_exchange(c, went, op, seconds));
}

/* ---- Replies ---- */

static cJSON *parse_object(const char *reply, size_t n, sb_error *error) {
    cJSON *parsed = sb_json_parse(reply, n, error);
    if (!parsed || cJSON_IsObject(parsed)) return parsed;
    cJSON_Delete(parsed);
    sb_fail(error, SB_INVALID, "a reply should be a JSON object, such as {\"action\": 1}");
    return NULL;
}

static bool check_hello(const cJSON *hello, sb_error *error) {
    static const char *const keys[] = {"protocol", "name", "modes", "actions", NULL};
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(hello, "protocol");
    const char *name = "";
    double number;
    sb_view view = {0};
    if (!sb_json_known_keys(hello, keys, error)) return false;
    if (version && !sb_json_is_whole(version, SB_AGENT_PROTOCOL, SB_AGENT_PROTOCOL, &number))
        return sb_fail(error, SB_INVALID, "key `protocol` should be %d, the only version that this program speaks",
                       SB_AGENT_PROTOCOL);
    return sb_json_optional_string(hello, "name", &name, error) && sb_view_read_listing(hello, &view, error);
}

cJSON *sb_reply_hello(const char *reply, size_t n, sb_error *error) {
    cJSON *hello = parse_object(reply, n, error);
    if (!hello || check_hello(hello, error)) return hello;
    cJSON_Delete(hello);
    return NULL;
}

bool sb_hello_view(const cJSON *hello, const sb_family *family, sb_view *view, sb_error *error) {
    *view = (sb_view){.modes = {&family->modes[0]}, .names = {family->modes[0].name}, .n = 1};
    return sb_view_read_modes(hello, family, view, error) && sb_view_read_listing(hello, view, error);
}

/* Finds the member. It must not be repeated: if there were two actions, it would be unclear which one is meant. */
static bool find_once(const cJSON *object, const char *key, const cJSON **found, sb_error *error) {
    const cJSON *item;
    *found = NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, key) != 0) continue;
        if (*found) return sb_fail(error, SB_INVALID, "key `%s` is repeated", key);
        *found = item;
    }
    return true;
}

bool sb_reply_action(const char *reply, size_t n, const sb_env *env, sb_action *action, sb_error *error) {
    static const char key[] = "action";
    const cJSON *item;
    cJSON *object = parse_object(reply, n, error);
    const bool ok = object && find_once(object, key, &item, error) && sb_read_action(item, key, env, action, error);
    cJSON_Delete(object);
    return ok;
}

/* ---- Beginning ---- */

static void put_families(sb_out *out) {
    sb_put_key(out, "families");
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++) {
        char rules[SB_RULES_NAME];
        sb_rules_name(*family, NULL, rules);
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", (*family)->name);
        sb_member_text(out, "rules", rules);
        sb_put_key(out, "modes");
        sb_puts(out, "[");
        for (size_t i = 0; i < (*family)->n_modes; i++) {
            sb_put_comma(out);
            sb_put_json_string(out, (*family)->modes[i].name);
        }
        sb_puts(out, "]}");
    }
    sb_puts(out, "]");
}

static bool say_hello(const call *c) {
    sb_error why;
    sb_out *line = begin_line(c, "hello");
    sb_member_int(line, "protocol", SB_AGENT_PROTOCOL);
    sb_member_text(line, "seedbed", SB_VERSION);
    put_families(line);
    sb_put_key(line, "limits");
    sb_puts(line, "{");
    sb_member_int(line, "reply_bytes", SB_REPLY_BYTES);
    sb_member_uint(line, "reply_seconds", c->rules->reply_seconds);
    if (c->rules->steps) sb_member_uint(line, "steps", c->rules->steps);
    sb_puts(line, "}");
    if (!exchange(c, "hello", c->rules->start_seconds)) return false;
    const sb_out *reply = &c->program->process.reply;
    c->program->hello = sb_reply_hello(reply->data, reply->size, &why);
    return c->program->hello || fail_nonsense(c, "hello", why.text);
}

/* Ends the process in whatever state it is; the buffers stay for the next one. */
static void end(sb_agent_program *program, bool gently) {
    static const char close_line[] = "{\"op\": \"close\"}\n";
    if (program->process.pid && gently) sb_process_dismiss(&program->process, close_line, sizeof close_line - 1);
    sb_process_end(&program->process, gently);
    cJSON_Delete(program->hello);
    program->hello = NULL;
}

static bool begin(const call *c, sb_guard *guard) {
    if (!sb_process_begin(&c->program->process, guard, c->rules->command, c->rules->errors, c->error)) return false;
    if (say_hello(c)) return true;
    if (c->failure->kind) c->failure->kind = SB_FAILED_START;
    end(c->program, false);
    return false;
}

bool sb_program_begin(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_failure *failure,
                      sb_error *error) {
    const call c = {program, rules, failure, error, 0};
    failure->kind = SB_NO_FAILURE;
    return begin(&c, guard) || failure->kind;
}

const char *sb_program_name(const sb_agent_program *program) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(program->hello, "name"));
}

bool sb_program_fits(const sb_agent_program *program, const sb_family *family, sb_error *error) {
    sb_view view;
    return sb_hello_view(program->hello, family, &view, error);
}

/* ---- Playing ---- */

static void put_episode(sb_out *line, const sb_salt *salt, const sb_env *env, uint32_t attempt) {
    sb_member_text(line, "family", env->name.family);
    sb_member_text(line, "task", env->name.task);
    if (env->name.difficulty[0]) sb_member_text(line, "difficulty", env->name.difficulty);
    sb_member_text(line, "category", env->task->category);
    sb_member_text(line, "summary", env->task->summary);
    sb_member_int(line, "max_steps", env->status.max_steps);
    sb_member_int(line, "n_actions", env->n_actions);
    sb_member_clicks(line, &env->shape);
    sb_member_uint(line, "random_seed", sb_salted_number(salt, &env->name, attempt));
}

/* Sends the line and takes the step that the reply asks for. */
static bool ask_for_step(const call *c, const char *op, sb_env *env, sb_tape *tape, sb_result *result) {
    const sb_out *reply = &c->program->process.reply;
    sb_action action;
    sb_error why;
    if (!exchange(c, op, c->rules->reply_seconds)) return false;
    if (!sb_reply_action(reply->data, reply->size, env, &action, &why) || !sb_step(env, action, result, &why))
        return fail_nonsense(c, op, why.text);
    return sb_tape_append(tape, action, c->error);
}

static bool play(const call *c, sb_env *env, const sb_view *view, sb_tape *tape, sb_result *last) {
    const char *op = "reset";
    sb_out *line = begin_line(c, op);
    put_episode(line, &c->rules->salt, env, c->attempt);
    while (!env->status.done) {
        if (c->rules->steps && tape->n == c->rules->steps)
            return fail(c, SB_FAILED_STEPS, "the episode was not over after the %zu steps allowed", tape->n);
        if (!sb_view_print(view, env, &c->program->valid, line, c->error) || !ask_for_step(c, op, env, tape, last))
            return false;
        line = begin_line(c, op = "step");
        sb_member_int(line, "steps", env->status.steps);
        sb_member_double(line, "reward", last->reward);
    }
    return true;
}

/* Tells the program how the episode ended. The episode counts in any case, but a process that does not answer is
 * ended. */
static bool tell_end(const call *c, const sb_env *env, const sb_view *view, double reward) {
    const sb_status *status = &env->status;
    sb_error why;
    sb_view seen = *view;
    seen.actions = SB_LIST_NONE;
    sb_out *line = begin_line(c, "end");
    sb_member_int(line, "steps", status->steps);
    sb_member_double(line, "reward", reward);
    sb_member_double(line, "return", status->total);
    sb_member_bool(line, "terminated", status->terminated);
    sb_member_bool(line, "truncated", status->truncated);
    sb_member_success(line, env->task->criterion, status);
    sb_view_print_standing(env, line);
    if (!sb_view_print(&seen, env, &c->program->valid, line, c->error)) return false;
    if (!exchange(c, "end", c->rules->reply_seconds)) return false;
    const sb_out *reply = &c->program->process.reply;
    cJSON *object = parse_object(reply->data, reply->size, &why);
    cJSON_Delete(object);
    return object || fail_nonsense(c, "end", why.text);
}

/* Plays an episode that has just begun. */
static bool play_to_end(const call *c, sb_guard *guard, sb_env *env, sb_tape *tape) {
    sb_agent_program *program = c->program;
    sb_view view;
    sb_error why;
    sb_result last = {0};
    if (!program->process.pid && !begin(c, guard)) return false;
    if (!sb_hello_view(program->hello, env->family, &view, &why))
        return fail(c, SB_FAILED_NONSENSE, "its hello asks for something unknown: %.120s", why.text);
    if (!play(c, env, &view, tape, &last)) return false;
    if (tell_end(c, env, &view, last.reward)) return true;
    if (!c->failure->kind) return false;
    c->failure->kind = SB_NO_FAILURE;
    end(program, false);
    return true;
}

bool sb_program_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_env *env,
                     const sb_name *name, uint32_t attempt, sb_tape *tape, sb_failure *failure, sb_error *error) {
    const call c = {program, rules, failure, error, attempt};
    failure->kind = SB_NO_FAILURE;
    if (!sb_reset_name(env, name, error)) return false;
    sb_tape_begin(tape, env, "program");
    const bool ok = play_to_end(&c, guard, env, tape);
    sb_tape_finish(tape, env);
    if (!ok || rules->fresh) end(program, ok);
    return ok || failure->kind;
}

void sb_program_free(sb_agent_program *program) {
    end(program, true);
    free(program->valid.actions);
    sb_out_free(&program->line);
    *program = (sb_agent_program){0};
}
