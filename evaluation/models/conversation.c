#include "evaluation/models/conversation.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json_visit.h"
#include "evaluation/models/measures.h"
#include "evaluation/models/members.h"

/* ---- Operations and their owners --------------------------------------------------------------------------------- */

const char *const sb_model_op_names[SB_MODEL_N_OPS] = {
    [SB_MODEL_HELLO] = "hello",
    [SB_MODEL_LEVEL] = "level",
    [SB_MODEL_ENCODE] = "encode",
    [SB_MODEL_RENDER] = "render",
    [SB_MODEL_HISTORY] = "history",
    [SB_MODEL_PREDICT] = "predict",
    [SB_MODEL_HYPOTHESES_OP] = "hypotheses",
    [SB_MODEL_CLICKS_OP] = "clicks",
    [SB_MODEL_GOAL] = "goal",
    [SB_MODEL_POLICY] = "policy",
    [SB_MODEL_SUB_GOAL] = "sub_goal",
    [SB_MODEL_LEARN] = "learn",
    [SB_MODEL_SAVE] = "save",
    [SB_MODEL_LOAD] = "load",
};

const char *const sb_model_owner_names[SB_N_OWNERS] = {"observation", "dynamics", "strategy"};

sb_model_owner sb_model_owner_of(sb_model_op op) {
    switch (op) {
    case SB_MODEL_ENCODE:
    case SB_MODEL_RENDER: return SB_OWNS_OBSERVATION;
    case SB_MODEL_CLICKS_OP:
    case SB_MODEL_GOAL:
    case SB_MODEL_POLICY:
    case SB_MODEL_SUB_GOAL: return SB_OWNS_STRATEGY;
    default: return SB_OWNS_DYNAMICS;
    }
}

/* ---- What went wrong --------------------------------------------------------------------------------------------- */

/* Notes the failure of an operation; the caller goes on. */
static void note_failure(sb_candidate *c, sb_model_op op) {
    c->failures[op]++;
    if (!c->first.kind) sb_failed(&c->first, c->last.kind, "`%s`: %s", sb_model_op_names[op], c->last.text);
}

static void fail_nonsense(sb_candidate *c, sb_model_op op, const sb_json_part *answer, const char *why) {
    enum { SHOWN = 80 };
    char begin[SHOWN + 1], shown[SHOWN + 1];
    snprintf(begin, sizeof begin, "%.*s", (int)(answer->n < SHOWN ? answer->n : SHOWN), answer->at);
    sb_copy_plain(shown, sizeof shown, begin);
    sb_failed(&c->last, SB_FAILED_NONSENSE, "it answered `%s` with `%s`: %s", sb_model_op_names[op], shown, why);
}

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* Exchanges a line with the program; after a wrong exchange it is ended, because what it says later would answer
 * something else. */
static bool ask_program(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    const bool is_first = op == SB_MODEL_HELLO;
    const sb_unanswered request = {.op = sb_model_op_names[op],
                                   .seconds = is_first ? c->rules.start_seconds : c->rules.seconds,
                                   .most = SB_MODEL_BYTES,
                                   .is_first = is_first};
    sb_exchange went;
    if (!sb_process_ask(&c->process, c->line.data, c->line.size, request.most, (double)request.seconds, c->rules.now,
                        NULL, &went, error))
        return false;
    if (went == SB_ANSWERED)
        *answer = (sb_json_part){.at = c->process.reply.data, .n = c->process.reply.size};
    else {
        sb_failed_exchange(&c->process, went, &request, &c->last);
        sb_process_end(&c->process, false);
    }
    return true;
}

/* ---- Lines and answers ------------------------------------------------------------------------------------------- */

sb_out *sb_model_begin_line(sb_candidate *c, sb_model_op op) {
    sb_out_clear(&c->line);
    sb_puts(&c->line, "{\"op\":\"");
    sb_puts(&c->line, sb_model_op_names[op]);
    sb_puts(&c->line, "\"");
    return &c->line;
}

static void put_part(sb_out *out, const char *key, const sb_json_part *part) {
    sb_puts(out, ",\""), sb_puts(out, key), sb_puts(out, "\":");
    sb_put(out, part->at, part->n);
}

void sb_put_model_value(sb_out *out, const sb_model_value *value) {
    if (value->size)
        sb_put_out(out, value);
    else
        sb_puts(out, "null");
}

void sb_model_put_value(sb_out *out, const char *key, const sb_model_value *value) {
    sb_puts(out, ",\""), sb_puts(out, key), sb_puts(out, "\":");
    sb_put_model_value(out, value);
}

void sb_model_put_meta(sb_out *out, const sb_model_meta *m) {
    sb_puts(out, ",\"m\":{\"step\":"), sb_put_uint(out, m->step);
    sb_puts(out, ",\"level\":"), sb_put_int(out, m->level);
    put_part(out, "available", &m->available);
    sb_puts(out, ",\"action_count\":"), sb_put_uint(out, m->action_count);
    sb_puts(out, "}");
}

/* Functions of a visitor that only looks whether the text is JSON. */
static bool any_bracket(void *none, bool is_object, sb_error *error) {
    return (void)none, (void)is_object, (void)error, true;
}
static bool any_text(void *none, const char *text, size_t n, sb_error *error) {
    return (void)none, (void)text, (void)n, (void)error, true;
}
static bool any_integer(void *none, int64_t value, sb_error *error) {
    return (void)none, (void)value, (void)error, true;
}
static bool any_large(void *none, uint64_t value, sb_error *error) {
    return (void)none, (void)value, (void)error, true;
}
static bool any_real(void *none, double value, sb_error *error) { return (void)none, (void)value, (void)error, true; }
static bool any_truth(void *none, bool value, sb_error *error) { return (void)none, (void)value, (void)error, true; }
static bool any_null(void *none, sb_error *error) { return (void)none, (void)error, true; }

/* Frames are long texts of letters and digits, and no scanner need look at them sign by sign. So they are left out of
 * the copy that is checked. A backslash could hide a quote; then everything is copied. */
static void copy_without_frames(const sb_json_part *answer, sb_out *to) {
    enum { LONG = 64 };
    const char *at = answer->at, *const end = at + answer->n, *quote;
    if (memchr(at, '\\', answer->n)) {
        sb_put(to, at, answer->n);
        return;
    }
    while ((quote = memchr(at, '"', (size_t)(end - at)))) {
        const char *begin = quote + 1, *close = memchr(begin, '"', (size_t)(end - begin));
        if (!close) break;
        sb_put(to, at, (size_t)(begin - at));
        if (close - begin < LONG || !sb_is_plain(begin, (size_t)(close - begin)))
            sb_put(to, begin, (size_t)(close - begin));
        sb_put(to, "\"", 1);
        at = close + 1;
    }
    sb_put(to, at, (size_t)(end - at));
}

static bool is_json(sb_candidate *c, const sb_json_part *answer, sb_error *error) {
    static const sb_json_events events = {.begin = any_bracket,
                                          .end = any_bracket,
                                          .key = any_text,
                                          .string = any_text,
                                          .integer = any_integer,
                                          .large = any_large,
                                          .real = any_real,
                                          .boolean = any_truth,
                                          .null = any_null};
    sb_out *copy = &c->copy, *scratch = &c->scratch;
    sb_out_clear(copy), sb_out_clear(scratch);
    copy_without_frames(answer, copy);
    if (!sb_out_ok(copy) || !sb_out_reserve(scratch, copy->size + 1))
        return sb_fail(error, SB_MEMORY, "out of memory for an answer");
    return sb_json_visit(copy->data, copy->size, &events, NULL, scratch->data, scratch->capacity, error);
}

bool sb_model_is_text(const sb_json_part *part) { return part->n >= 2 && *part->at == '"'; }

void sb_model_copy_text(const sb_json_part *part, char *to, size_t capacity) {
    sb_error ignored;
    cJSON *parsed = sb_model_is_text(part) ? sb_json_part_parse(part, &ignored) : NULL;
    char text[512];
    snprintf(text, sizeof text, "%s", parsed && cJSON_IsString(parsed) ? parsed->valuestring : "");
    sb_copy_plain(to, capacity, text);
    cJSON_Delete(parsed);
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

static bool say_hello(sb_candidate *c, sb_error *error);

/* Sends the line that was begun and looks at the answer: an object without `error`. */
static bool exchange(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    static const char *const names[] = {"error", NULL};
    sb_json_part refusal;
    sb_error why;
    const double begun = c->rules.now ? c->rules.now() : 0;
    *answer = (sb_json_part){0};
    c->last.kind = SB_NO_FAILURE;
    if (!sb_out_ok(&c->line)) return sb_fail(error, SB_MEMORY, "out of memory for a line");
    const bool ok = c->rules.command ? ask_program(c, op, answer, error)
                                     : c->rules.transport.ask(c->rules.transport.context, op, c->line.data,
                                                              c->line.size, answer, &c->last, error);
    if (c->rules.now) c->seconds += c->rules.now() - begun;
    if (!ok || c->last.kind || !answer->at) return ok;
    answer->document = answer->at;
    if (!is_json(c, answer, &why)) {
        if (why.code == SB_MEMORY) return *error = why, false;
        fail_nonsense(c, op, answer, why.text);
    } else {
        *answer = sb_json_whole(answer->at, answer->n);
        sb_model_members(answer, names, &refusal);
        if (!sb_json_part_is_object(answer))
            fail_nonsense(c, op, answer, "an answer should be a JSON object");
        else if (refusal.n)
            fail_nonsense(c, op, answer, "it says that it failed");
    }
    return true;
}

static bool is_running(const sb_candidate *c) { return !c->rules.command || c->process.pid; }

/* Tells a program that was started again what it has to know first: the game, what it had saved, and the level. */
static bool tell_again(sb_candidate *c, sb_error *error) {
    sb_json_part answer;
    if (!say_hello(c, error) || c->last.kind) return !error->code;
    if (c->was_saved && c->rules.save) {
        sb_puts(sb_model_begin_line(c, SB_MODEL_LOAD), ",\"path\":"), sb_put_json_string(&c->line, c->rules.save);
        sb_puts(&c->line, "}\n");
        if (!exchange(c, SB_MODEL_LOAD, &answer, error)) return false;
        if (c->last.kind) note_failure(c, SB_MODEL_LOAD);
    }
    if (!c->level || c->last.kind || !c->offers[SB_MODEL_LEVEL]) return true;
    sb_puts(sb_model_begin_line(c, SB_MODEL_LEVEL), ",\"level\":"), sb_put_int(&c->line, c->level);
    sb_puts(&c->line, "}\n");
    return exchange(c, SB_MODEL_LEVEL, &answer, error);
}

/* Starts the program again if it has ended; the line that was begun is kept meanwhile. */
static bool revive(sb_candidate *c, sb_error *error) {
    if (is_running(c) || c->is_dead) return true;
    if (c->restarts == SB_MODEL_RESTARTS) return c->is_dead = true;
    const sb_out waiting = c->line;
    c->line = sb_out_growing();
    c->restarts++;
    error->code = SB_OK;
    const bool ok = sb_process_begin(&c->process, &c->guard, c->rules.command, c->rules.errors, error) &&
                    tell_again(c, error);
    sb_out_free(&c->line);
    c->line = waiting;
    return ok;
}

bool sb_model_ask(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    sb_puts(&c->line, "}\n");
    c->asked[op]++;
    *answer = (sb_json_part){0};
    if (!revive(c, error)) return false;
    if (c->is_dead)
        sb_failed(&c->last, SB_FAILED_CRASH, "it ended too often: it is not started again");
    else if (!is_running(c))
        sb_failed(&c->last, SB_FAILED_START, "it could not be started again");
    else if (!exchange(c, op, answer, error))
        return false;
    if (c->last.kind) *answer = (sb_json_part){0}, note_failure(c, op);
    return true;
}

bool sb_model_ask_purely(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    sb_json_part second;
    if (!sb_model_ask(c, op, answer, error)) return false;
    if (c->last.kind || c->asked[op] % SB_MODEL_PURITY) return true;
    sb_out_clear(&c->kept);
    sb_put(&c->kept, answer->at, answer->n);
    if (!sb_out_ok(&c->kept)) return sb_fail(error, SB_MEMORY, "out of memory for an answer");
    if (!exchange(c, op, &second, error)) return false;
    c->twice[op]++;
    if (c->last.kind)
        note_failure(c, op);
    else
        c->impure[op] += second.n != c->kept.size || memcmp(second.at, c->kept.data, second.n) != 0;
    c->last.kind = SB_NO_FAILURE;
    *answer = sb_json_whole(c->kept.data, c->kept.size);
    return true;
}

void sb_model_refuse(sb_candidate *c, sb_model_op op, const sb_json_part *answer, const char *why) {
    fail_nonsense(c, op, answer, why);
    note_failure(c, op);
}

bool sb_model_keep(sb_candidate *c, sb_model_op op, const sb_json_part *answer, const sb_json_part *value,
                   sb_model_value *to) {
    sb_out_clear(to);
    if (value->n > SB_MODEL_STATE_BYTES) return sb_model_refuse(c, op, answer, "a state of more than 256 KiB"), false;
    const bool is_null = value->n == 4 && memcmp(value->at, "null", 4) == 0;
    if (!is_null) sb_put(to, value->at, value->n);
    return true;
}

/* ---- Beginning and ending ---------------------------------------------------------------------------------------- */

bool sb_candidate_open(sb_candidate *c, const sb_candidate_rules *rules, sb_error *error) {
    *c = (sb_candidate){.rules = *rules,
                        .line = sb_out_growing(),
                        .kept = sb_out_growing(),
                        .scratch = sb_out_growing(),
                        .copy = sb_out_growing(),
                        .drawn = sb_out_growing()};
    if (!c->rules.seconds) c->rules.seconds = SB_MODEL_SECONDS;
    if (!c->rules.start_seconds) c->rules.start_seconds = SB_MODEL_START_SECONDS;
    if (!rules->command) return c->is_open = true;
    if (!sb_guard_begin(&c->guard, error)) return false;
    c->is_open = c->has_guard = true;
    if (sb_process_begin(&c->process, &c->guard, rules->command, rules->errors, error)) return true;
    sb_candidate_close(c);
    return false;
}

void sb_candidate_close(sb_candidate *c) {
    static const char close_line[] = "{\"op\":\"close\"}\n";
    if (!c->is_open) return;
    if (c->process.pid) sb_process_dismiss(&c->process, close_line, sizeof close_line - 1);
    sb_process_end(&c->process, true);
    if (c->has_guard) sb_guard_end(&c->guard);
    sb_out_free(&c->line), sb_out_free(&c->kept), sb_out_free(&c->scratch), sb_out_free(&c->copy);
    sb_out_free(&c->drawn);
    c->is_open = false;
}

/* Reads a list of names; others than short texts are left out. */
static size_t read_names(const sb_json_part *list, char names[SB_MODEL_NAMES][SB_MODEL_NAME]) {
    sb_error ignored;
    size_t n = 0;
    if (!sb_json_part_is_list(list)) return 0;
    sb_json_walk walk = sb_json_walk_of(list);
    while (n < SB_MODEL_NAMES && sb_json_walk_next(&walk, &ignored))
        if (sb_model_is_text(&walk.value) && walk.value.n - 2 < SB_MODEL_NAME)
            sb_model_copy_text(&walk.value, names[n++], SB_MODEL_NAME);
    return n;
}

static void read_offers(sb_candidate *c, const sb_json_part *list) {
    sb_error ignored;
    memset(c->offers, 0, sizeof c->offers);
    if (!sb_json_part_is_list(list)) return;
    sb_json_walk walk = sb_json_walk_of(list);
    while (sb_json_walk_next(&walk, &ignored))
        for (int op = 0; op < SB_MODEL_N_OPS; op++)
            if (sb_model_is_key(&walk.value, sb_model_op_names[op])) c->offers[op] = true;
}

static bool say_hello(sb_candidate *c, sb_error *error) {
    static const char *const names[] = {"offers", "name", "version", "learns", "policies", "sub_goals", NULL};
    sb_json_part answer, parts[6];
    const sb_log_play *play = c->play;
    sb_out *line = sb_model_begin_line(c, SB_MODEL_HELLO);
    sb_putf(line, ",\"protocol\":%d,\"name\":", SB_MODEL_PROTOCOL);
    sb_put_json_string(line, play->name);
    sb_putf(line, ",\"levels\":%d", play->levels);
    put_part(line, "available", &play->available);
    sb_put_log_shape(line, play);
    sb_put_log_goal(line, play);
    sb_puts(line, "}\n");
    c->asked[SB_MODEL_HELLO]++;
    if (!exchange(c, SB_MODEL_HELLO, &answer, error)) return false;
    if (!c->last.kind) {
        sb_model_members(&answer, names, parts);
        read_offers(c, &parts[0]);
        sb_model_copy_text(&parts[1], c->name, sizeof c->name),
            sb_model_copy_text(&parts[2], c->version, sizeof c->version);
        c->learns = parts[3].n == 4 && memcmp(parts[3].at, "true", 4) == 0;
        c->n_policies = read_names(&parts[4], c->policies), c->n_sub_goals = read_names(&parts[5], c->sub_goals);
        if (!c->offers[SB_MODEL_PREDICT]) fail_nonsense(c, SB_MODEL_HELLO, &answer, "its `offers` lack predict");
    }
    if (c->last.kind) note_failure(c, SB_MODEL_HELLO);
    return true;
}

bool sb_candidate_begin(sb_candidate *c, const sb_log_play *play, sb_error *error) {
    const bool is_first = !c->play;
    c->play = play, c->level = 0;
    if (!is_first) {
        sb_out_clear(&c->line);
        if (!revive(c, error)) return false;
        if (c->is_dead || !is_running(c)) return true;
    }
    if (!say_hello(c, error)) return false;
    return !is_first || !c->last.kind || sb_fail(error, SB_INVALID, "the model: %s", c->last.text);
}
