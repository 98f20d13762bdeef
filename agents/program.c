#include "agents/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

/* What every function here needs. A function that returns false has filled in either `failure` or `error`. */
typedef struct call {
    sb_agent_program *program;
    const sb_program_rules *rules;
    sb_failure *failure;
    sb_error *error;
} call;

/* ---- What went wrong ---- */

static bool fail_nonsense(const call *c, const char *op, const char *why) {
    return sb_failed_nonsense(&c->program->process, op, why, c->failure);
}

static bool fail_exchange(const call *c, sb_exchange went, const char *op, uint64_t seconds, size_t most) {
    const bool is_reset = strcmp(op, "reset") == 0;
    const sb_unanswered request = {.op = op,
                                   .seconds = seconds,
                                   .most = most,
                                   .is_first = strcmp(op, "hello") == 0,
                                   .zero = is_reset ? " (does it play one episode per process? then use --fresh)"
                                                    : NULL};
    return sb_failed_exchange(&c->program->process, went, &request, c->failure);
}

/* ---- Lines ---- */

sb_out *sb_program_line(sb_agent_program *program) {
    sb_out *line = &program->line;
    line->grows = true;
    sb_out_clear(line);
    sb_puts(line, "{");
    return line;
}

/* Sends the line that was begun and waits for the reply, which is then in the process: one line of any content. */
static bool exchange(const call *c, const char *op, uint64_t seconds, size_t most, const sb_reminder *reminder) {
    sb_out *line = &c->program->line;
    sb_exchange went;
    sb_puts(line, "}\n");
    if (!sb_out_ok(line)) return sb_fail(c->error, SB_MEMORY, "out of memory for a line");
    return sb_process_ask(&c->program->process, line->data, line->size, most, (double)seconds, c->rules->now, reminder,
                          &went, c->error) &&
           (went == SB_ANSWERED || fail_exchange(c, went, op, seconds, most));
}

cJSON *sb_program_ask(sb_agent_program *program, const sb_program_rules *rules, const char *op, size_t count,
                      sb_failure *failure, sb_error *error) {
    const call c = {program, rules, failure, error};
    sb_error why;
    if (!exchange(&c, op, count * rules->reply_seconds, count * SB_REPLY_BYTES, NULL)) return NULL;
    const sb_out *reply = &program->process.reply;
    cJSON *object = sb_reply_parse(reply->data, reply->size, &why);
    if (!object) fail_nonsense(&c, op, why.text);
    return object;
}

/* ---- Beginning and ending ---- */

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

/* Limits of time and bytes are for the reply to one message, also where several messages are in one line. */
static void put_limits(sb_out *out, const sb_program_rules *rules) {
    sb_put_key(out, "limits");
    sb_puts(out, "{");
    sb_member_int(out, "reply_bytes", SB_REPLY_BYTES);
    sb_member_uint(out, "reply_seconds", rules->reply_seconds);
    if (rules->slots.steps) sb_member_uint(out, "steps", rules->slots.steps);
    if (rules->slots.testing.interaction) sb_member_uint(out, "interaction", rules->slots.testing.interaction);
    if (rules->slots.testing.frames > 1) sb_member_uint(out, "frames_per_action", rules->slots.testing.frames);
    sb_member_int(out, "actions", SB_REPLY_ACTIONS);
    sb_member_int(out, "thought_bytes", SB_THOUGHT_BYTES);
    if (!rules->fresh) sb_member_int(out, "batch", SB_BATCH_MAX);
    sb_puts(out, "}");
}

/* A program that plays one episode at a time in some processes and several in others would not be one agent. */
static bool check_batch(const call *c, bool first) {
    const size_t batch = sb_hello_batch(c->program->hello);
    if (batch && c->rules->fresh)
        return fail_nonsense(c, "hello", "with --fresh a process plays one episode, so there is no `batch`");
    return first || batch == c->rules->batch ||
           fail_nonsense(c, "hello", "key `batch` is not what the first process said");
}

enum {
    PATIENCE = 5 /* seconds: a program that loads a model takes longer, one that only forgot to flush waits forever */
};

static bool say_hello(const call *c, bool first) {
    const sb_reminder reminder = {
        .seconds = PATIENCE,
        .text = "the program has not answered `hello` for 5 seconds; does it flush its output?",
        .note = first ? c->rules->note : NULL,
        .context = c->rules->note_context};
    sb_error why;
    sb_agent_program *program = c->program;
    sb_out *line = sb_program_line(program);
    sb_member_text(line, "op", "hello");
    sb_member_int(line, "protocol", SB_AGENT_PROTOCOL);
    sb_member_text(line, "seedbed", SB_VERSION);
    put_families(line);
    put_limits(line, c->rules);
    if (!exchange(c, "hello", c->rules->start_seconds, SB_REPLY_BYTES, &reminder)) return false;
    const sb_out *reply = &program->process.reply;
    program->hello = sb_hello_parse(reply->data, reply->size, &why);
    if (!program->hello) return fail_nonsense(c, "hello", why.text);
    program->said.grows = true;
    sb_out_clear(&program->said);
    sb_put(&program->said, reply->data, reply->size);
    return check_batch(c, first);
}

void sb_program_end(sb_agent_program *program, bool gently) {
    static const char close_line[] = "{\"op\": \"close\"}\n";
    if (program->process.pid && gently) sb_process_dismiss(&program->process, close_line, sizeof close_line - 1);
    sb_process_end(&program->process, gently); /* the buffers stay for the next process */
    cJSON_Delete(program->hello);
    program->hello = NULL;
}

bool sb_program_begin(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, bool first,
                      sb_failure *failure, sb_error *error) {
    const call c = {program, rules, failure, error};
    failure->kind = SB_NO_FAILURE;
    if (program->process.pid) return true;
    if (!sb_process_begin(&program->process, guard, rules->command, rules->errors, error)) return false;
    if (say_hello(&c, first)) return true;
    if (failure->kind) failure->kind = SB_FAILED_START;
    sb_program_end(program, false);
    return failure->kind;
}

const char *sb_program_name(const sb_agent_program *program) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(program->hello, "name"));
}

bool sb_program_fits(const sb_agent_program *program, const sb_family *family, sb_error *error) {
    sb_view view;
    sb_brush *brush = NULL;
    const bool fits = sb_hello_view(program->hello, family, &view, error) &&
                      sb_hello_brush(program->hello, family, &brush, error);
    sb_brush_free(brush);
    return fits;
}

/* ---- Playing one episode at a time ---- */

static bool exchange_message(const call *c) {
    sb_agent_program *program = c->program;
    sb_slot *slot = &program->slot;
    const char *op = sb_message_names[slot->next];
    if (!sb_slot_put(slot, &c->rules->slots, sb_program_line(program), c->error)) return false;
    cJSON *object = sb_program_ask(program, c->rules, op, 1, c->failure, c->error);
    if (!object) return false;
    const bool ok = sb_slot_take(slot, &c->rules->slots, object, program->process.reply.data, c->error);
    if (slot->failure.kind) *c->failure = slot->failure;
    cJSON_Delete(object);
    return ok;
}

/* Plays an episode that has just begun. A program that does not answer its end loses nothing but its process. */
static bool play(const call *c, sb_guard *guard) {
    sb_agent_program *program = c->program;
    sb_slot *slot = &program->slot;
    if (!sb_program_begin(program, c->rules, guard, false, c->failure, c->error) || c->failure->kind) return false;
    if (!sb_slot_look(slot, program->hello)) return *c->failure = slot->failure, false;
    while (slot->next != SB_NO_MESSAGE) {
        if (!sb_slot_may_go_on(slot, &c->rules->slots)) return *c->failure = slot->failure, false;
        const bool over = slot->next == SB_MESSAGE_END;
        if (exchange_message(c)) continue;
        if (!over || !c->failure->kind) return false;
        c->failure->kind = SB_NO_FAILURE;
        sb_program_end(program, false);
        break;
    }
    return true;
}

bool sb_program_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_env *env,
                     const sb_name *name, uint32_t attempt, sb_tape *tape, sb_failure *failure, sb_error *error) {
    const call c = {program, rules, failure, error};
    failure->kind = SB_NO_FAILURE;
    program->slot.env = env, program->slot.tape = tape;
    if (!sb_slot_begin(&program->slot, name, attempt, error)) return false;
    const bool ok = play(&c, guard);
    sb_slot_finish(&program->slot);
    if (!ok || rules->fresh) sb_program_end(program, ok);
    return ok || failure->kind;
}

void sb_program_free(sb_agent_program *program) {
    sb_program_end(program, true);
    sb_slot_free(&program->slot);
    sb_out_free(&program->line);
    sb_out_free(&program->said);
    *program = (sb_agent_program){0};
}
