#include "evaluation/models/candidate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json_visit.h"
#include "evaluation/models/measures.h"
#include "evaluation/models/members.h"

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
    char begin[41], shown[41];
    snprintf(begin, sizeof begin, "%.*s", (int)(answer->n < 40 ? answer->n : 40), answer->at);
    sb_copy_plain(shown, sizeof shown, begin);
    sb_failed(&c->last, SB_FAILED_NONSENSE, "it answered `%s` with `%s`: %s", sb_model_op_names[op], shown, why);
}

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

static void fail_ended(sb_candidate *c, sb_model_op op) {
    const char *name = sb_model_op_names[op];
    const sb_ending ending = sb_process_end(&c->process, true);
    if (ending.how == SB_WAS_KILLED)
        sb_failed(&c->last, SB_FAILED_CLOSED, "it closed its output instead of answering `%s`, but kept running", name);
    else if (ending.how == SB_SIGNALLED)
        sb_failed(&c->last, SB_FAILED_CRASH, "it ended by signal %d (%s) instead of answering `%s`", ending.number,
                  strsignal(ending.number), name);
    else
        sb_failed(&c->last, SB_FAILED_CRASH, "it ended with exit code %d instead of answering `%s`%s", ending.number,
                  name, ending.number == 127 ? " (no such command?)" : "");
}

static void fail_exchange(sb_candidate *c, sb_model_op op, sb_exchange went, uint64_t seconds) {
    const sb_json_part said = {.at = c->process.reply.data, .n = c->process.reply.size};
    const char *name = sb_model_op_names[op];
    switch (went) {
    case SB_LATE:
        sb_failed(&c->last, SB_FAILED_TIMEOUT, "no answer to `%s` within %llu s%s", name, (unsigned long long)seconds,
                  op == SB_MODEL_HELLO ? "; does it flush its output?" : "");
        break;
    case SB_OVERLONG:
        sb_failed(&c->last, SB_FAILED_OVERLONG, "its answer to `%s` has more than %d bytes", name, SB_MODEL_BYTES);
        break;
    case SB_TALKATIVE: fail_nonsense(c, op, &said, "more than one line for one request"); break;
    case SB_UNASKED: fail_nonsense(c, op, &said, "it wrote that before it was asked"); break;
    default: fail_ended(c, op); return;
    }
    sb_process_end(&c->process, false);
}

/* Exchanges a line with the program; after a wrong exchange it is ended, because what it says later would answer
 * something else. */
static bool ask_program(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    const bool is_first = op == SB_MODEL_HELLO;
    const uint64_t seconds = is_first ? c->rules.start_seconds : c->rules.seconds;
    sb_exchange went;
    if (!sb_process_ask(&c->process, c->line.data, c->line.size, SB_MODEL_BYTES, (double)seconds, c->rules.now, NULL,
                        &went, error))
        return false;
    if (went == SB_ANSWERED)
        *answer = (sb_json_part){.at = c->process.reply.data, .n = c->process.reply.size};
    else
        fail_exchange(c, op, went, seconds);
    return true;
}

/* ---- Lines and answers ------------------------------------------------------------------------------------------- */

static sb_out *begin_line(sb_candidate *c, sb_model_op op) {
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

static void put_value(sb_out *out, const char *key, const sb_model_value *value) {
    sb_puts(out, ",\""), sb_puts(out, key), sb_puts(out, "\":");
    sb_put_model_value(out, value);
}

static void put_meta(sb_out *out, const sb_model_meta *m) {
    sb_puts(out, ",\"m\":{\"step\":"), sb_put_uint(out, m->step);
    sb_puts(out, ",\"level\":"), sb_put_int(out, m->level);
    put_part(out, "available", &m->available);
    sb_puts(out, ",\"action_count\":"), sb_put_uint(out, m->action_count);
    sb_puts(out, "}");
}

static void put_frame(sb_out *out, const char *key, const sb_frame_shape *shape, const uint8_t *frame) {
    sb_puts(out, ",\""), sb_puts(out, key), sb_puts(out, "\":\"");
    sb_put_frame(out, shape, frame);
    sb_puts(out, "\"");
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

static bool is_text(const sb_json_part *part) { return part->n >= 2 && *part->at == '"'; }
static bool is_truth(const sb_json_part *part) {
    return (part->n == 4 && memcmp(part->at, "true", 4) == 0) || (part->n == 5 && memcmp(part->at, "false", 5) == 0);
}

/* Copies a text without its escapes, cut to what there is room for. */
static void copy_text(const sb_json_part *part, char *to, size_t capacity) {
    sb_error ignored;
    cJSON *parsed = is_text(part) ? sb_json_part_parse(part, &ignored) : NULL;
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

/* What a program that was started again has to be told first: the game, what it had saved, and the level. */
static bool tell_again(sb_candidate *c, sb_error *error) {
    sb_json_part answer;
    if (!say_hello(c, error) || c->last.kind) return !error->code;
    if (c->was_saved && c->rules.save) {
        sb_puts(begin_line(c, SB_MODEL_LOAD), ",\"path\":"), sb_put_json_string(&c->line, c->rules.save);
        sb_puts(&c->line, "}\n");
        if (!exchange(c, SB_MODEL_LOAD, &answer, error)) return false;
        if (c->last.kind) note_failure(c, SB_MODEL_LOAD);
    }
    if (!c->level || c->last.kind || !c->offers[SB_MODEL_LEVEL]) return true;
    sb_puts(begin_line(c, SB_MODEL_LEVEL), ",\"level\":"), sb_put_int(&c->line, c->level);
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

/* Ends the line and asks. After a failure, which is counted, the answer is empty. */
static bool ask(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
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

/* Asks the line once more, now and then, and compares. What was answered first counts, and is kept meanwhile. */
static bool ask_purely(sb_candidate *c, sb_model_op op, sb_json_part *answer, sb_error *error) {
    sb_json_part second;
    if (!ask(c, op, answer, error)) return false;
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

/* Notes that an answer is no good after all. */
static void refuse(sb_candidate *c, sb_model_op op, const sb_json_part *answer, const char *why) {
    fail_nonsense(c, op, answer, why);
    note_failure(c, op);
}

/* Keeps a value; false with a failure if it is too large. */
static bool keep(sb_candidate *c, sb_model_op op, const sb_json_part *answer, const sb_json_part *value,
                 sb_model_value *to) {
    sb_out_clear(to);
    if (value->n > SB_MODEL_STATE_BYTES) return refuse(c, op, answer, "a state of more than 256 KiB"), false;
    const bool is_null = value->n == 4 && memcmp(value->at, "null", 4) == 0;
    if (!is_null) sb_put(to, value->at, value->n);
    return true;
}

static bool check_memory(const sb_model_value *value, sb_error *error) {
    return sb_out_ok(value) || sb_fail(error, SB_MEMORY, "out of memory for a state");
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
        if (is_text(&walk.value) && walk.value.n - 2 < SB_MODEL_NAME) copy_text(&walk.value, names[n++], SB_MODEL_NAME);
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
    sb_out *line = begin_line(c, SB_MODEL_HELLO);
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
        copy_text(&parts[1], c->name, sizeof c->name), copy_text(&parts[2], c->version, sizeof c->version);
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

/* ---- Operations -------------------------------------------------------------------------------------------------- */

bool sb_candidate_level(sb_candidate *c, int32_t level, sb_error *error) {
    sb_json_part answer;
    c->level = level, c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_LEVEL]) return true;
    sb_puts(begin_line(c, SB_MODEL_LEVEL), ",\"level\":"), sb_put_int(&c->line, level);
    return ask(c, SB_MODEL_LEVEL, &answer, error);
}

bool sb_candidate_encode(sb_candidate *c, const uint8_t *frame, const sb_model_value *before, sb_model_value *constants,
                         const sb_model_meta *m, sb_model_value *z, sb_error *error) {
    static const char *const names[] = {"z", "c", NULL};
    const sb_frame_shape *shape = &c->play->shape;
    sb_json_part answer, parts[2];
    c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_ENCODE]) {
        sb_out_clear(z);
        sb_puts(z, "{\"frame\":\""), sb_put_frame(z, shape, frame), sb_puts(z, "\"}");
        return check_memory(z, error);
    }
    sb_out *line = begin_line(c, SB_MODEL_ENCODE);
    put_frame(line, "frame", shape, frame);
    put_value(line, "z", before), put_value(line, "c", constants);
    put_meta(line, m);
    sb_out_clear(z);
    if (!ask(c, SB_MODEL_ENCODE, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    if (!parts[0].n) return refuse(c, SB_MODEL_ENCODE, &answer, "key `z` is missing"), true;
    if (!keep(c, SB_MODEL_ENCODE, &answer, &parts[0], z)) return true;
    if (parts[1].n && !keep(c, SB_MODEL_ENCODE, &answer, &parts[1], constants)) return true;
    return check_memory(z, error) && check_memory(constants, error);
}

static bool read_frame(const sb_candidate *c, const sb_json_part *text, uint8_t *frame) {
    return is_text(text) && sb_read_frame(text->at + 1, text->n - 2, &c->play->shape, frame);
}

bool sb_candidate_render(sb_candidate *c, const sb_model_value *z, const sb_model_value *constants, uint8_t *frame,
                         sb_error *error) {
    static const char *const names[] = {"frame", NULL};
    sb_json_part answer = {0}, found;
    const bool offers = c->offers[SB_MODEL_RENDER];
    c->last.kind = SB_NO_FAILURE;
    if (offers) {
        put_value(begin_line(c, SB_MODEL_RENDER), "z", z), put_value(&c->line, "c", constants);
        if (!ask_purely(c, SB_MODEL_RENDER, &answer, error)) return false;
        if (c->last.kind) return true;
    } else if (z->size)
        answer = sb_json_whole(z->data, z->size);
    sb_model_members(&answer, names, &found);
    if (!read_frame(c, &found, frame)) {
        if (!offers) c->asked[SB_MODEL_RENDER]++;
        refuse(c, SB_MODEL_RENDER, &answer,
               offers ? "key `frame` is no frame" : "it does not offer `render`, and key `frame` of its z is no frame");
    }
    return true;
}

bool sb_candidate_history(sb_candidate *c, const sb_model_value *h, const sb_model_value *z,
                          const sb_log_action *action, const sb_model_value *constants, const sb_model_meta *m,
                          sb_model_value *next, sb_error *error) {
    static const char *const names[] = {"h", NULL};
    sb_json_part answer, found;
    c->last.kind = SB_NO_FAILURE;
    sb_out_clear(next);
    if (!c->offers[SB_MODEL_HISTORY]) {
        if (h->size) sb_put_out(next, h);
        return check_memory(next, error);
    }
    sb_out *line = begin_line(c, SB_MODEL_HISTORY);
    put_value(line, "h", h), put_value(line, "z", z);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, action);
    put_value(line, "c", constants);
    put_meta(line, m);
    if (!ask(c, SB_MODEL_HISTORY, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &found);
    if (!found.n) return refuse(c, SB_MODEL_HISTORY, &answer, "key `h` is missing"), true;
    return !keep(c, SB_MODEL_HISTORY, &answer, &found, next) || check_memory(next, error);
}

/* Reads a truth value that may be left out. */
static bool read_truth(const sb_json_part *part, bool *to) {
    *to = part->n == 4 && *part->at == 't';
    return !part->n || is_truth(part);
}

static bool read_number(const sb_json_part *part, double least, double most, double *to) {
    sb_error ignored;
    cJSON *parsed = part->n ? sb_json_part_parse(part, &ignored) : NULL;
    const bool ok = parsed && cJSON_IsNumber(parsed) && parsed->valuedouble >= least && parsed->valuedouble <= most;
    if (ok) *to = parsed->valuedouble;
    cJSON_Delete(parsed);
    return ok;
}

bool sb_candidate_predict(sb_candidate *c, const sb_model_value *z, const sb_model_value *h,
                          const sb_log_action *action, const sb_model_value *constants, const sb_model_meta *m,
                          const char *hypothesis, sb_prediction *prediction, sb_error *error) {
    static const char *const names[] = {"z", "done", "over", "events", NULL};
    sb_json_part answer, parts[4];
    double events = -1;
    c->last.kind = SB_NO_FAILURE;
    prediction->done = prediction->over = false, prediction->events = -1;
    sb_out *line = begin_line(c, SB_MODEL_PREDICT);
    put_value(line, "z", z), put_value(line, "h", h);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, action);
    put_value(line, "c", constants);
    put_meta(line, m);
    sb_puts(line, ",\"hypothesis\":");
    if (hypothesis)
        sb_put_json_string(line, hypothesis);
    else
        sb_puts(line, "null");
    sb_out_clear(&prediction->z);
    if (!ask_purely(c, SB_MODEL_PREDICT, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    if (!parts[0].n) return refuse(c, SB_MODEL_PREDICT, &answer, "key `z` is missing"), true;
    if (!read_truth(&parts[1], &prediction->done) || !read_truth(&parts[2], &prediction->over))
        return refuse(c, SB_MODEL_PREDICT, &answer, "keys `done` and `over` should be true or false"), true;
    if (parts[3].n && !read_number(&parts[3], 0, INT32_MAX, &events))
        return refuse(c, SB_MODEL_PREDICT, &answer, "key `events` should be a number of frames"), true;
    prediction->events = (int32_t)events;
    return !keep(c, SB_MODEL_PREDICT, &answer, &parts[0], &prediction->z) || check_memory(&prediction->z, error);
}

/* Reads names with probabilities, whose sum is 1. */
static bool read_hypotheses(const sb_json_part *table, sb_hypothesis *found, size_t *n) {
    sb_error ignored;
    double sum = 0;
    if (!sb_json_part_is_object(table)) return false;
    sb_json_walk walk = sb_json_walk_of(table);
    for (*n = 0; sb_json_walk_next(&walk, &ignored); ++*n) {
        if (*n == SB_MODEL_HYPOTHESES || walk.key.n - 2 >= SB_MODEL_NAME) return false;
        copy_text(&walk.key, found[*n].name, SB_MODEL_NAME);
        if (!read_number(&walk.value, 0, 1, &found[*n].probability)) return false;
        sum += found[*n].probability;
    }
    return *n && sum > 1 - 1e-6 && sum < 1 + 1e-6;
}

bool sb_candidate_hypotheses(sb_candidate *c, sb_hypothesis found[SB_MODEL_HYPOTHESES], size_t *n, sb_error *error) {
    static const char *const names[] = {"hypotheses", NULL};
    sb_json_part answer, table;
    c->last.kind = SB_NO_FAILURE;
    *n = 1;
    found[0] = (sb_hypothesis){.name = "main", .probability = 1};
    if (!c->offers[SB_MODEL_HYPOTHESES_OP]) return true;
    begin_line(c, SB_MODEL_HYPOTHESES_OP);
    *n = 0;
    if (!ask(c, SB_MODEL_HYPOTHESES_OP, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &table);
    if (!read_hypotheses(&table, found, n)) {
        *n = 0;
        refuse(c, SB_MODEL_HYPOTHESES_OP, &answer,
               "`hypotheses` should be an object of 1 to 16 names with probabilities whose sum is 1");
    }
    return true;
}

/* ---- Clicks ------------------------------------------------------------------------------------------------------ */

/* The middle of the box around an area, or the cell of the area that is nearest to it. */
static sb_xy centre_of(const sb_frame_areas *a, size_t index, int32_t width) {
    int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = -1, y1 = -1;
    for (size_t i = 0; i < a->cells; i++) {
        if (a->labels[i] != index) continue;
        const int32_t x = (int32_t)i % width, y = (int32_t)i / width;
        x0 = x < x0 ? x : x0, y0 = y < y0 ? y : y0, x1 = x > x1 ? x : x1, y1 = y;
    }
    const int32_t x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    int32_t best = INT32_MAX;
    sb_xy centre = {0};
    for (size_t i = 0; i < a->cells; i++) {
        const int32_t dx = (int32_t)i % width - x, dy = (int32_t)i / width - y, distance = dx * dx + dy * dy;
        if (a->labels[i] != index || distance >= best) continue;
        best = distance;
        centre = (sb_xy){.x = (int16_t)(i % (size_t)width), .y = (int16_t)(i / (size_t)width)};
    }
    return centre;
}

/* Whether a cell of a frame has another colour than the goal wants there. */
static bool misses(const uint8_t *goal, const uint8_t *frame, size_t i) {
    return goal[i] != SB_FRAME_ANY && goal[i] != frame[i];
}

/* Where the frame differs from the goal; at most half of the clicks. */
static void click_goal(const sb_log_play *play, const uint8_t *frame, sb_xy *clicks, size_t capacity, size_t *n) {
    const size_t width = (size_t)play->shape.width;
    for (size_t i = 0; play->goal && i < sb_frame_cells(&play->shape) && *n < capacity / 2; i++)
        if (misses(play->goal, frame, i))
            clicks[(*n)++] = (sb_xy){.x = (int16_t)(i % width), .y = (int16_t)(i / width)};
}

static bool usual_clicks(const sb_log_play *play, const uint8_t *frame, sb_xy *clicks, size_t capacity, size_t *n,
                         sb_error *error) {
    const sb_frame_shape *shape = &play->shape;
    sb_frame_areas areas = {0};
    const bool ok = sb_frame_areas_find(&areas, shape, frame);
    size_t largest = 0;
    for (size_t i = 1; ok && i < areas.n; i++)
        if (areas.areas[i].cells > areas.areas[largest].cells) largest = i;
    if (capacity > SB_MODEL_CLICKS) capacity = SB_MODEL_CLICKS;
    click_goal(play, frame, clicks, capacity, n);
    for (size_t i = 0; ok && i < areas.n && *n < capacity; i++)
        if (i != largest) clicks[(*n)++] = centre_of(&areas, i, shape->width);
    sb_frame_areas_free(&areas);
    return ok || sb_fail(error, SB_MEMORY, "out of memory for a frame");
}

static bool read_clicks(const sb_frame_shape *shape, const sb_json_part *list, sb_xy *clicks, size_t capacity,
                        size_t *n) {
    sb_error ignored;
    if (!sb_json_part_is_list(list)) return false;
    sb_json_walk walk = sb_json_walk_of(list);
    while (*n < capacity && sb_json_walk_next(&walk, &ignored)) {
        double x, y;
        if (!sb_json_part_is_list(&walk.value)) return false;
        sb_json_walk at = sb_json_walk_of(&walk.value);
        if (!sb_json_walk_next(&at, &ignored) || !read_number(&at.value, 0, shape->width - 1, &x) ||
            !sb_json_walk_next(&at, &ignored) || !read_number(&at.value, 0, shape->height - 1, &y))
            return false;
        clicks[(*n)++] = (sb_xy){.x = (int16_t)x, .y = (int16_t)y};
    }
    return true;
}

/* Puts what operations about a state are told. */
static void put_state(sb_out *line, const sb_model_value *z, const sb_model_value *h, const sb_model_value *constants,
                      const sb_model_meta *m) {
    put_value(line, "z", z), put_value(line, "h", h), put_value(line, "c", constants);
    put_meta(line, m);
}

bool sb_candidate_clicks(sb_candidate *c, const uint8_t *frame, const sb_model_value *z, const sb_model_value *h,
                         const sb_model_value *constants, const sb_model_meta *m, sb_xy *clicks, size_t capacity,
                         size_t *n, sb_error *error) {
    static const char *const names[] = {"clicks", NULL};
    sb_json_part answer, list;
    c->last.kind = SB_NO_FAILURE;
    *n = 0;
    if (!c->offers[SB_MODEL_CLICKS_OP]) return usual_clicks(c->play, frame, clicks, capacity, n, error);
    put_state(begin_line(c, SB_MODEL_CLICKS_OP), z, h, constants, m);
    if (!ask(c, SB_MODEL_CLICKS_OP, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &list);
    if (!read_clicks(&c->play->shape, &list, clicks, capacity, n)) {
        *n = 0;
        refuse(c, SB_MODEL_CLICKS_OP, &answer, "`clicks` should be a list of [x, y] within the frame");
    }
    return true;
}

/* ---- Goals and policies ------------------------------------------------------------------------------------------ */

static bool ask_goal(sb_candidate *c, sb_model_op op, sb_goal_answer *goal, sb_error *error) {
    static const char *const names[] = {"achieved", "progress", "reason", NULL};
    sb_json_part answer, parts[3];
    if (!ask(c, op, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    copy_text(&parts[2], goal->reason, sizeof goal->reason);
    if (!is_truth(&parts[0]) || !read_truth(&parts[0], &goal->achieved) ||
        (parts[1].n && !read_number(&parts[1], 0, 1, &goal->progress))) {
        *goal = (sb_goal_answer){0};
        refuse(c, op, &answer, "`achieved` should be true or false, and `progress` a number from 0 to 1");
    } else if (!parts[1].n)
        goal->progress = goal->achieved;
    return true;
}

/* Looks whether the rendered z has the goal of the play. */
static bool fits_goal(sb_candidate *c, const sb_model_value *z, const sb_model_value *constants, bool *fits,
                      sb_error *error) {
    const size_t n = sb_frame_cells(&c->play->shape);
    const uint8_t *goal = c->play->goal;
    sb_out_clear(&c->drawn);
    uint8_t *frame = (uint8_t *)sb_out_reserve(&c->drawn, n);
    if (!frame) return sb_fail(error, SB_MEMORY, "out of memory for a frame");
    if (!sb_candidate_render(c, z, constants, frame, error)) return false;
    *fits = !c->last.kind;
    for (size_t i = 0; *fits && i < n; i++) *fits = !misses(goal, frame, i);
    return true;
}

bool sb_candidate_goal(sb_candidate *c, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_value *constants, const sb_model_meta *m, bool done, sb_goal_answer *goal,
                       sb_error *error) {
    bool achieved = done;
    c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_GOAL]) {
        if (!done && c->play->goal && !fits_goal(c, z, constants, &achieved, error)) return false;
        *goal = (sb_goal_answer){.achieved = achieved, .progress = achieved};
        return true;
    }
    *goal = (sb_goal_answer){0};
    put_state(begin_line(c, SB_MODEL_GOAL), z, h, constants, m);
    return ask_goal(c, SB_MODEL_GOAL, goal, error);
}

bool sb_candidate_sub_goal(sb_candidate *c, const char *name, const sb_model_value *z, const sb_model_value *h,
                           const sb_model_value *constants, const sb_model_meta *m, sb_goal_answer *goal,
                           sb_error *error) {
    *goal = (sb_goal_answer){0};
    sb_out *line = begin_line(c, SB_MODEL_SUB_GOAL);
    sb_puts(line, ",\"name\":"), sb_put_json_string(line, name);
    put_state(line, z, h, constants, m);
    return ask_goal(c, SB_MODEL_SUB_GOAL, goal, error);
}

bool sb_candidate_policy(sb_candidate *c, const char *name, const sb_model_value *z, const sb_model_value *h,
                         const sb_model_value *constants, const sb_model_meta *m, sb_log_action *action,
                         sb_error *error) {
    static const char *const names[] = {"action", NULL};
    sb_json_part answer, found;
    sb_error why = {0};
    sb_out *line = begin_line(c, SB_MODEL_POLICY);
    sb_puts(line, ",\"name\":"), sb_put_json_string(line, name);
    put_state(line, z, h, constants, m);
    if (!ask(c, SB_MODEL_POLICY, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &found);
    cJSON *parsed = found.n ? sb_json_part_parse(&found, &why) : NULL;
    if (!parsed || !sb_read_log_action(parsed, &c->play->shape, action, &why))
        refuse(c, SB_MODEL_POLICY, &answer, parsed ? why.text : "key `action` is missing");
    cJSON_Delete(parsed);
    return true;
}

/* ---- Learning ---------------------------------------------------------------------------------------------------- */

bool sb_candidate_learn(sb_candidate *c, const sb_log_transition *t, const sb_model_value *z, const sb_model_value *h,
                        const sb_model_value *next, sb_error *error) {
    sb_json_part answer;
    c->last.kind = SB_NO_FAILURE;
    if (!c->learns) return true;
    sb_out *line = begin_line(c, SB_MODEL_LEARN);
    sb_putf(line, ",\"t\":%u", t->t);
    put_value(line, "z", z), put_value(line, "h", h);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, &t->action);
    sb_puts(line, ",\"frames\":[");
    for (uint32_t i = 0; i < t->n_frames; i++) {
        sb_puts(line, i ? ",\"" : "\"");
        sb_put_frame(line, &c->play->shape, t->frames[i]);
        sb_puts(line, "\"");
    }
    sb_puts(line, "]");
    put_value(line, "z_next", next);
    sb_puts(line, ",\"kind\":\""), sb_puts(line, sb_transition_names[t->kind]), sb_puts(line, "\"");
    return ask(c, SB_MODEL_LEARN, &answer, error);
}

bool sb_candidate_save(sb_candidate *c, sb_error *error) {
    sb_json_part answer;
    c->last.kind = SB_NO_FAILURE;
    if (!c->learns || !c->rules.save || !c->offers[SB_MODEL_SAVE]) return true;
    sb_puts(begin_line(c, SB_MODEL_SAVE), ",\"path\":"), sb_put_json_string(&c->line, c->rules.save);
    if (!ask(c, SB_MODEL_SAVE, &answer, error)) return false;
    c->was_saved |= !c->last.kind;
    return true;
}
