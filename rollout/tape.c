#include "rollout/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "oracles/player.h"
#include "oracles/reasons.h"

void sb_tape_clear(sb_tape *tape) {
    free(tape->actions), free(tape->corrections), free(tape->purposes);
    sb_said_free(&tape->said), sb_person_free(&tape->person);
    *tape = (sb_tape){0};
}

/* Sets what follows from `tape->of`. */
static void follow(sb_tape *tape, const sb_catalogue *catalogue) {
    tape->criterion = sb_criterion_of(&tape->of);
    tape->program = sb_task_program(catalogue, tape->of.task);
}

bool sb_tape_read_name(sb_tape *tape, const sb_catalogue *catalogue, const char *text, sb_error *error) {
    if (!sb_resolve_text(catalogue, text, &tape->name, &tape->of, error)) return false;
    follow(tape, catalogue);
    return true;
}

void sb_tape_begin(sb_tape *tape, const sb_env *env, const char *agent) {
    tape->name = env->name;
    tape->of = (sb_resolved){env->family, env->task, env->task_index, env->difficulty_index};
    follow(tape, env->catalogue);
    sb_rules_name(env->family, env->task, tape->rules);
    snprintf(tape->agent, sizeof tape->agent, "%s", agent);
    tape->n = tape->n_corrections = tape->n_purposes = 0;
    sb_said_clear(&tape->said), sb_person_clear(&tape->person);
}

bool sb_tape_append(sb_tape *tape, sb_action action, sb_error *error) {
    if (!SB_GROW(tape->actions, tape->n + 1, tape->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for a tape of %zu actions", tape->n + 1);
    tape->actions[tape->n++] = action;
    return true;
}

/* ---- Notes ---- */

static bool no_notes(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for the notes of a tape"); }

static bool add_correction(sb_tape *tape, const sb_correction *correction, sb_error *error) {
    if (!SB_GROW(tape->corrections, tape->n_corrections + 1, tape->corrections_capacity)) return no_notes(error);
    tape->corrections[tape->n_corrections++] = *correction;
    return true;
}

static bool add_purpose(sb_tape *tape, const sb_purpose *purpose, sb_error *error) {
    if (!SB_GROW(tape->purposes, tape->n_purposes + 1, tape->purposes_capacity)) return no_notes(error);
    tape->purposes[tape->n_purposes++] = *purpose;
    return true;
}

bool sb_tape_correct(sb_tape *tape, sb_action label, sb_error *error) {
    return add_correction(tape, &(sb_correction){(uint32_t)tape->n, label}, error);
}

static bool same_purpose(const sb_purpose *a, const sb_purpose *b) {
    return strcmp(a->verb, b->verb) == 0 && strcmp(a->object, b->object) == 0 && a->at.x == b->at.x &&
           a->at.y == b->at.y;
}

sb_purpose sb_purpose_of(const sb_intent *intent, uint32_t step) {
    sb_purpose purpose = {.step = step, .at = {-1, -1}};
    if (!intent->verb) return purpose;
    snprintf(purpose.verb, sizeof purpose.verb, "%s", intent->verb);
    snprintf(purpose.object, sizeof purpose.object, "%s", intent->object);
    purpose.at = intent->at;
    return purpose;
}

bool sb_tape_explain(sb_tape *tape, const sb_intent *intent, sb_error *error) {
    const sb_purpose purpose = sb_purpose_of(intent, (uint32_t)tape->n);
    const sb_purpose nothing = {.at = {-1, -1}};
    const sb_purpose *last = tape->n_purposes ? &tape->purposes[tape->n_purposes - 1] : &nothing;
    return same_purpose(last, &purpose) || add_purpose(tape, &purpose, error);
}

sb_action sb_tape_label(const sb_tape *tape, size_t step) {
    size_t low = 0, high = tape->n_corrections; /* the first correction at or after the step */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (tape->corrections[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tape->n_corrections && tape->corrections[low].step == step ? tape->corrections[low].label
                                                                            : tape->actions[step];
}

const sb_purpose *sb_tape_purpose(const sb_tape *tape, size_t step) {
    size_t low = 0, high = tape->n_purposes; /* the first purpose after the step */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (tape->purposes[middle].step <= step)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &tape->purposes[low - 1] : NULL;
}

void sb_put_purpose(sb_out *out, const sb_purpose *purpose) {
    if (!purpose || !purpose->verb[0]) return;
    sb_intent intent;
    sb_intend(&intent, purpose->verb, purpose->object, purpose->at);
    sb_put_intent(out, &intent);
}

/* ---- The end, and the line ---- */

static void hash_int(sb_sha256 *hash, int64_t value) {
    const uint32_t bits = (uint32_t)value;
    const uint8_t bytes[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
    sb_sha256_add(hash, bytes, sizeof bytes);
}

static void hash_notes(sb_sha256 *hash, const sb_tape *tape) {
    for (size_t i = 0; i < tape->n_corrections; i++)
        hash_int(hash, tape->corrections[i].step), hash_int(hash, tape->corrections[i].label);
    for (size_t i = 0; i < tape->n_purposes; i++) {
        const sb_purpose *p = &tape->purposes[i];
        hash_int(hash, p->step);
        sb_sha256_add(hash, p->verb, strlen(p->verb) + 1), sb_sha256_add(hash, p->object, strlen(p->object) + 1);
        hash_int(hash, p->at.x), hash_int(hash, p->at.y);
    }
    sb_said_hash(&tape->said, hash);
}

/* Includes the actions, because the last state alone would not show that two actions were swapped. */
static void digest_of(const sb_tape *tape, const sb_env *env, char hex[SB_DIGEST_HEX]) {
    uint8_t digest[32];
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < tape->n; i++) hash_int(&hash, tape->actions[i]);
    env->family->digest(env, digest);
    sb_sha256_add(&hash, digest, sizeof digest);
    hash_notes(&hash, tape);
    sb_sha256_end(&hash, digest);
    sb_hex(digest, (SB_DIGEST_HEX - 1) / 2, hex);
}

static sb_effort effort_of(const sb_env *env) {
    sb_effort effort = {0};
    if (env->family->efficiency) env->family->efficiency->measure(env, &effort);
    return effort;
}

static sb_test_record test_of(const sb_env *env) {
    return sb_test_record_of(env, env->family, env->task, env->difficulty_index);
}

void sb_tape_finish(sb_tape *tape, const sb_env *env) {
    tape->outcome = env->status;
    tape->outcome.success &= sb_has_success(tape->criterion);
    tape->effort = effort_of(env), tape->test = test_of(env);
    digest_of(tape, env, tape->digest);
}

static void print_notes(const sb_tape *tape, sb_out *out) {
    if (tape->n_corrections) sb_put_key(out, "labels"), sb_puts(out, "[");
    for (size_t i = 0; i < tape->n_corrections; i++)
        sb_put_comma(out),
            sb_putf(out, "[%u, %d]", (unsigned)tape->corrections[i].step, (int)tape->corrections[i].label);
    if (tape->n_corrections) sb_puts(out, "]");
    if (tape->n_purposes) sb_put_key(out, "intents"), sb_puts(out, "[");
    for (size_t i = 0; i < tape->n_purposes; i++) {
        const sb_purpose *p = &tape->purposes[i];
        sb_put_comma(out);
        sb_putf(out, "[%u, ", (unsigned)p->step);
        sb_put_json_string(out, p->verb), sb_puts(out, ", "), sb_put_json_string(out, p->object);
        sb_putf(out, ", %d, %d]", (int)p->at.x, (int)p->at.y);
    }
    if (tape->n_purposes) sb_puts(out, "]");
    sb_said_print(&tape->said, out);
}

static void print(const sb_tape *tape, bool times, sb_out *out) {
    char name[SB_NAME_MAX];
    const sb_status *end = &tape->outcome;
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_int(out, "tape", SB_TAPE_FORMAT);
    sb_member_text(out, "name", name);
    sb_member_text(out, "rules", tape->rules);
    if (tape->program) sb_member_text(out, "program", tape->program->sha256);
    sb_member_text(out, "agent", tape->agent);
    sb_member_success(out, tape->criterion, end);
    sb_member_double(out, "return", end->total);
    sb_member_double(out, "dense_return", end->dense_total);
    sb_member_bool(out, "terminated", end->terminated);
    sb_member_bool(out, "truncated", end->truncated);
    sb_member_standing(out, tape->criterion, end);
    sb_member_text(out, "digest", tape->digest);
    sb_put_key(out, "actions");
    sb_puts(out, "[");
    for (size_t i = 0; i < tape->n; i++) {
        sb_put_comma(out);
        sb_put_int(out, tape->actions[i]);
    }
    sb_puts(out, "]");
    print_notes(tape, out);
    sb_person_print(&tape->person, times, out);
    sb_puts(out, "}");
}

void sb_tape_put(const sb_tape *tape, sb_out *out) { print(tape, true, out); }

void sb_tape_put_without_times(const sb_tape *tape, sb_out *out) { print(tape, false, out); }

void sb_tape_put_line(const sb_tape *tape, sb_out *out) {
    sb_tape_put(tape, out);
    sb_puts(out, "\n");
}

/* ---- Reading ---- */

static bool read_actions(const cJSON *object, sb_tape *tape, sb_error *error) {
    const cJSON *list, *item;
    tape->n = 0;
    if (!sb_json_array(object, "actions", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        uint64_t action;
        if (!cJSON_IsNumber(item) || !sb_json_is_uint(item, &action) || action > INT32_MAX)
            return sb_fail(error, SB_INVALID, "key `actions`: item %zu should be the number of an action", tape->n);
        if (!sb_tape_append(tape, (sb_action)action, error)) return false;
    }
    return true;
}

/* Reads the step of a list `[step, ...]`; false unless it is one of the tape's steps and above `last`. */
static bool read_step(const cJSON *item, int length, const sb_tape *tape, int64_t last, uint32_t *step) {
    uint64_t value;
    if (cJSON_GetArraySize(item) != length || !cJSON_IsArray(item)) return false;
    if (!cJSON_IsNumber(item->child) || !sb_json_is_uint(item->child, &value)) return false;
    *step = (uint32_t)value;
    return value < tape->n && (int64_t)value > last;
}

static bool read_labels(const cJSON *object, sb_tape *tape, sb_error *error) {
    const cJSON *list, *item;
    int64_t last = -1;
    tape->n_corrections = 0;
    if (!cJSON_HasObjectItem(object, "labels")) return true;
    if (!sb_json_array(object, "labels", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        sb_correction c;
        uint64_t label;
        if (!read_step(item, 2, tape, last, &c.step) || !cJSON_IsNumber(item->child->next) ||
            !sb_json_is_uint(item->child->next, &label) || label > INT32_MAX)
            return sb_fail(error, SB_INVALID, "key `labels`: item %zu should be [step, action], steps ascending",
                           tape->n_corrections);
        c.label = (sb_action)label, last = c.step;
        if (c.label == tape->actions[c.step])
            return sb_fail(error, SB_INVALID, "key `labels`: step %u is labelled with the action taken", c.step);
        if (!add_correction(tape, &c, error)) return false;
    }
    return true;
}

static bool read_coordinate(const cJSON *item, int16_t *value) {
    if (!item || !cJSON_IsNumber(item) || item->valuedouble < -1 || item->valuedouble > INT16_MAX) return false;
    *value = (int16_t)item->valuedouble;
    return *value == item->valuedouble;
}

static bool read_word(const cJSON *item, char *word, size_t capacity) {
    if (!item || !cJSON_IsString(item) || strlen(item->valuestring) >= capacity) return false;
    strcpy(word, item->valuestring);
    return true;
}

static bool read_intents(const cJSON *object, sb_tape *tape, sb_error *error) {
    const cJSON *list, *item;
    int64_t last = -1;
    tape->n_purposes = 0;
    if (!cJSON_HasObjectItem(object, "intents")) return true;
    if (!sb_json_array(object, "intents", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        sb_purpose p = {0};
        const cJSON *verb = item->child ? item->child->next : NULL;
        if (!read_step(item, 5, tape, last, &p.step) || !read_word(verb, p.verb, sizeof p.verb) ||
            !read_word(verb->next, p.object, sizeof p.object) || !read_coordinate(verb->next->next, &p.at.x) ||
            !read_coordinate(verb->next->next->next, &p.at.y))
            return sb_fail(error, SB_INVALID,
                           "key `intents`: item %zu should be [step, verb, object, x, y], steps ascending",
                           tape->n_purposes);
        last = p.step;
        if (!add_purpose(tape, &p, error)) return false;
    }
    return true;
}

/* The name has only the beginning of the program's hash; the key `program` has all of it. */
static bool check_program(const cJSON *object, const sb_tape *tape, sb_error *error) {
    const char *sha256 = NULL;
    if (!sb_json_optional_string(object, "program", &sha256, error)) return false;
    if (!tape->program)
        return !sha256 ||
               sb_fail(error, SB_INVALID, "key `program` is there, although %s is built in", tape->name.task);
    if (!sha256) return sb_fail(error, SB_INVALID, "key `program` is missing: the SHA-256 of %s", tape->name.task);
    return strcmp(sha256, tape->program->sha256) == 0 ||
           sb_fail(error, SB_MISMATCH, "played with a program that has the SHA-256 %.64s", sha256);
}

bool sb_tape_read(const sb_catalogue *catalogue, const cJSON *object, sb_tape *tape, sb_error *error) {
    static const char *const keys[] = {"tape",         "name",       "rules",     "agent",  "success",        "return",
                                       "dense_return", "terminated", "truncated", "digest", "actions",        "labels",
                                       "intents",      "said",       "program",   "person", SB_STANDING_KEYS, NULL};
    uint64_t format;
    const char *name;
    sb_status *end = &tape->outcome;
    *end = (sb_status){0}, tape->effort = (sb_effort){0}, tape->test = (sb_test_record){0};
    if (!sb_json_uint(object, "tape", &format, error)) return false;
    if (format != SB_TAPE_FORMAT)
        return sb_fail(error, SB_VERSION_OTHER, "the tape has format %llu, but this program reads format %d",
                       (unsigned long long)format, SB_TAPE_FORMAT);
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "name", &name, error) ||
        !sb_tape_read_name(tape, catalogue, name, error) || !check_program(object, tape, error) ||
        !sb_json_text(object, "rules", tape->rules, sizeof tape->rules, error) ||
        !sb_json_text(object, "agent", tape->agent, sizeof tape->agent, error) ||
        !sb_json_text(object, "digest", tape->digest, sizeof tape->digest, error) ||
        !sb_read_success(object, tape->criterion, end, error) ||
        !sb_json_double(object, "return", &end->total, error) ||
        !sb_json_double(object, "dense_return", &end->dense_total, error) ||
        !sb_json_bool(object, "terminated", &end->terminated, error) ||
        !sb_json_bool(object, "truncated", &end->truncated, error) ||
        !sb_read_standing(object, tape->criterion, end, error) || !read_actions(object, tape, error) ||
        !read_labels(object, tape, error) || !read_intents(object, tape, error) ||
        !sb_said_read(object, tape->n, &tape->said, error) ||
        !sb_person_read(object, tape->agent, tape->n, &tape->person, error))
        return false;
    end->done = end->terminated || end->truncated;
    end->steps = (int32_t)tape->n;
    return end->done || !end->success ||
           sb_fail(error, SB_INVALID, "key `success` should be false: the episode did not end");
}

bool sb_tape_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_tape *tape, sb_error *error) {
    if (n > SB_TAPE_BYTES) return sb_fail(error, SB_INVALID, "the tape has more than %d bytes", SB_TAPE_BYTES);
    cJSON *object = sb_json_parse(line, n, error);
    if (!object) return false;
    const bool ok = sb_tape_read(catalogue, object, tape, error);
    cJSON_Delete(object);
    return ok;
}

/* ---- Replay ---- */

static bool play(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error) {
    if (visit && !visit(context, env, 0, NULL, error)) return false;
    for (size_t i = 0; i < tape->n; i++) {
        sb_result result;
        if (!sb_step(env, tape->actions[i], &result, error)) {
            error->code = SB_MISMATCH; /* an action out of range, or after the end */
            return sb_fail_at(error, "step %zu", i);
        }
        if (visit && !visit(context, env, tape->actions[i], &result, error)) return false;
    }
    return true;
}

/* Returns the first key in which the tape and the replay differ; NULL: none. */
static const char *difference(const sb_tape *tape, const sb_env *env) {
    const sb_status *said = &tape->outcome, *is = &env->status;
    char digest[SB_DIGEST_HEX];
    if (said->terminated != is->terminated) return "terminated";
    if (said->truncated != is->truncated) return "truncated";
    const char *what = sb_judging_difference(tape->criterion, said, is);
    if (what) return what;
    const sb_effort effort = effort_of(env);
    if (tape->effort.n_levels && memcmp(&tape->effort, &effort, sizeof effort) != 0) return "efficiency";
    if (tape->test.kind && !sb_same_test(tape->test, test_of(env))) return "test";
    if (said->total != is->total) return "return";
    if (said->dense_total != is->dense_total) return "dense_return";
    digest_of(tape, env, digest);
    return strcmp(tape->digest, digest) == 0 ? NULL : "digest";
}

static bool check_end(const sb_tape *tape, const sb_env *env, sb_error *error) {
    const char *what = difference(tape, env);
    return !what || sb_fail(error, SB_MISMATCH, "replay disagrees with the tape: %s", what);
}

/* Another version may have derived another challenge from the name. */
static bool fail_of_replay(const char *name, const sb_env *env, sb_error *error) {
    size_t n;
    if (error->code == SB_MISMATCH && sb_is_derived(env->family, env->task, env->difficulty_index) &&
        !sb_catalogue_document(env->catalogue, &env->name, &n)) {
        const sb_error why = *error;
        sb_fail(error, SB_MISMATCH, "%.300s; if it was played from a pack, name that with --challenges", why.text);
    }
    return sb_fail_at(error, "%s", name);
}

bool sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error) {
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    sb_name_print(&tape->name, name, sizeof name);
    if (!sb_reset_name(env, &tape->name, error)) return sb_fail_at(error, "%s", name);
    sb_rules_name(env->family, env->task, rules);
    if (sb_rules_agree("the tape was made", tape->rules, rules, error) && play(tape, env, visit, context, error) &&
        check_end(tape, env, error))
        return true;
    return fail_of_replay(name, env, error);
}

bool sb_tape_check_whole(const sb_tape *tape, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_error nobody;
    if (tape->outcome.done || !sb_agent_exists(tape->agent, tape->name.family, tape->name.task, &nobody)) return true;
    sb_name_print(&tape->name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH,
                   "%s: the tape ends after %zu steps, before its episode does, although the agent %s plays to the end",
                   name, tape->n, tape->agent);
}
