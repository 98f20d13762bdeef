#include "rollout/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

void sb_tape_free(sb_tape *tape) {
    free(tape->actions);
    *tape = (sb_tape){0};
}

void sb_rules_name(const sb_family *family, char rules[SB_RULES_NAME]) {
    snprintf(rules, SB_RULES_NAME, "%s %s", family->name, family->version);
}

void sb_tape_begin(sb_tape *tape, const sb_env *env, const char *agent) {
    tape->name = env->name;
    sb_rules_name(env->family, tape->rules);
    snprintf(tape->agent, sizeof tape->agent, "%s", agent);
    tape->n = 0;
}

bool sb_tape_append(sb_tape *tape, sb_action action, sb_error *error) {
    if (tape->n == tape->capacity) {
        const size_t capacity = tape->capacity ? 2 * tape->capacity : 256;
        sb_action *actions = realloc(tape->actions, capacity * sizeof *actions);
        if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for a tape of %zu actions", capacity);
        tape->actions = actions, tape->capacity = capacity;
    }
    tape->actions[tape->n++] = action;
    return true;
}

/* The last state alone would not tell of two actions that changed places. */
static void digest_of(const sb_tape *tape, const sb_env *env, char hex[SB_DIGEST_HEX]) {
    uint8_t digest[32];
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < tape->n; i++) {
        const uint32_t action = (uint32_t)tape->actions[i];
        const uint8_t bytes[] = {(uint8_t)action, (uint8_t)(action >> 8), (uint8_t)(action >> 16),
                                 (uint8_t)(action >> 24)};
        sb_sha256_add(&hash, bytes, sizeof bytes);
    }
    env->family->digest(env, digest);
    sb_sha256_add(&hash, digest, sizeof digest);
    sb_sha256_end(&hash, digest);
    sb_hex(digest, (SB_DIGEST_HEX - 1) / 2, hex);
}

void sb_tape_finish(sb_tape *tape, const sb_env *env) {
    tape->outcome = env->status;
    digest_of(tape, env, tape->digest);
}

void sb_tape_put(const sb_tape *tape, sb_out *out) {
    char name[SB_NAME_MAX];
    const sb_status *end = &tape->outcome;
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_int(out, "tape", SB_TAPE_FORMAT);
    sb_member_text(out, "name", name);
    sb_member_text(out, "rules", tape->rules);
    sb_member_text(out, "agent", tape->agent);
    sb_member_bool(out, "success", end->success);
    sb_member_double(out, "return", end->total);
    sb_member_double(out, "dense_return", end->dense_total);
    sb_member_bool(out, "terminated", end->terminated);
    sb_member_bool(out, "truncated", end->truncated);
    sb_member_text(out, "digest", tape->digest);
    sb_put_key(out, "actions");
    sb_puts(out, "[");
    for (size_t i = 0; i < tape->n; i++) {
        sb_put_comma(out);
        sb_put_int(out, tape->actions[i]);
    }
    sb_puts(out, "]}");
}

void sb_tape_print(const sb_tape *tape, sb_out *out) {
    sb_tape_put(tape, out);
    sb_puts(out, "\n");
}

/* ---- Reading ---- */

static bool copy_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error) {
    const char *text;
    if (!sb_json_string(object, key, &text, error)) return false;
    if (strlen(text) >= capacity) return sb_fail(error, SB_INVALID, "key `%s` is too long", key);
    strcpy(to, text);
    return true;
}

static bool read_actions(const cJSON *object, sb_tape *tape, sb_error *error) {
    const cJSON *list, *item;
    tape->n = 0;
    if (!sb_json_array(object, "actions", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        uint64_t action;
        if (!cJSON_IsNumber(item) || !sb_json_is_uint(item, &action) || action > INT32_MAX)
            return sb_fail(error, SB_INVALID, "action %zu is no action", tape->n);
        if (!sb_tape_append(tape, (sb_action)action, error)) return false;
    }
    return true;
}

bool sb_tape_read(const cJSON *object, sb_tape *tape, sb_error *error) {
    static const char *const keys[] = {"tape",         "name",       "rules",     "agent",  "success", "return",
                                       "dense_return", "terminated", "truncated", "digest", "actions", NULL};
    uint64_t format;
    const char *name;
    sb_status *end = &tape->outcome;
    *end = (sb_status){0};
    if (!sb_json_uint(object, "tape", &format, error)) return false;
    if (format != SB_TAPE_FORMAT)
        return sb_fail(error, SB_VERSION_OTHER, "a tape of format %llu; this program reads format %d",
                       (unsigned long long)format, SB_TAPE_FORMAT);
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "name", &name, error) ||
        !sb_name_parse(name, &tape->name, error) ||
        !copy_text(object, "rules", tape->rules, sizeof tape->rules, error) ||
        !copy_text(object, "agent", tape->agent, sizeof tape->agent, error) ||
        !copy_text(object, "digest", tape->digest, sizeof tape->digest, error) ||
        !sb_json_bool(object, "success", &end->success, error) ||
        !sb_json_double(object, "return", &end->total, error) ||
        !sb_json_double(object, "dense_return", &end->dense_total, error) ||
        !sb_json_bool(object, "terminated", &end->terminated, error) ||
        !sb_json_bool(object, "truncated", &end->truncated, error) || !read_actions(object, tape, error))
        return false;
    end->done = end->terminated || end->truncated;
    end->steps = (int32_t)tape->n;
    return end->done || !end->success || sb_fail(error, SB_INVALID, "key `success`: an episode that did not end");
}

bool sb_tape_parse(const char *line, size_t n, sb_tape *tape, sb_error *error) {
    if (n > SB_TAPE_BYTES) return sb_fail(error, SB_INVALID, "a tape of more than %d bytes", SB_TAPE_BYTES);
    cJSON *object = sb_json_parse(line, n, error);
    if (!object) return false;
    const bool ok = sb_tape_read(object, tape, error);
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

static bool check_end(const sb_tape *tape, const sb_env *env, sb_error *error) {
    const sb_status *said = &tape->outcome, *is = &env->status;
    char digest[SB_DIGEST_HEX];
    const char *what = NULL;
    digest_of(tape, env, digest);
    if (said->terminated != is->terminated)
        what = "terminated";
    else if (said->truncated != is->truncated)
        what = "truncated";
    else if (said->success != is->success)
        what = "success";
    else if (said->total != is->total)
        what = "return";
    else if (said->dense_total != is->dense_total)
        what = "dense_return";
    else if (strcmp(tape->digest, digest) != 0)
        what = "digest";
    return !what || sb_fail(error, SB_MISMATCH, "replay disagrees with the tape: %s", what);
}

bool sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error) {
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    sb_name_print(&tape->name, name, sizeof name);
    if (!sb_reset_name(env, &tape->name, error)) return sb_fail_at(error, "%s", name);
    sb_rules_name(env->family, rules);
    if (strcmp(rules, tape->rules) != 0)
        return sb_fail(error, SB_VERSION_OTHER, "%s: the tape was made under the rules `%s`; these are `%s`", name,
                       tape->rules, rules);
    if (play(tape, env, visit, context, error) && check_end(tape, env, error)) return true;
    return sb_fail_at(error, "%s", name);
}
