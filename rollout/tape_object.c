/* Tapes for users of the library: objects on the heap. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "rollout/tape.h"

static sb_tape *make(sb_error *error) {
    sb_tape *tape = calloc(1, sizeof *tape);
    if (!tape) sb_fail(error, SB_MEMORY, "out of memory for a tape");
    return tape;
}

void sb_tape_free(sb_tape *tape) {
    if (!tape) return;
    sb_tape_clear(tape);
    free(tape);
}

static bool check_agent(const char *agent, sb_error *error) {
    const size_t n = strlen(agent);
    bool ok = n > 0 && n < SB_AGENT_NAME;
    for (size_t i = 0; i < n && ok; i++) ok = isalnum((unsigned char)agent[i]) || strchr("._-+", agent[i]);
    return ok || sb_fail(error, SB_INVALID, "`%.40s` is no name for an agent: use 1 to %d letters, digits and ._-+",
                         agent, SB_AGENT_NAME - 1);
}

static bool take_log(sb_tape *tape, const sb_env *env, sb_error *error) {
    for (int32_t i = 0; i < env->status.steps; i++)
        if (!sb_tape_append(tape, env->log[i], error)) return false;
    return true;
}

sb_tape *sb_tape_of(const sb_env *env, const char *agent, sb_error *error) {
    if (!env->state) return sb_fail(error, SB_FINISHED, "no episode was started; reset first"), NULL;
    if (!env->log)
        return sb_fail(error, SB_INVALID, "the actions were not recorded: call sb_record before the first step"), NULL;
    sb_tape *tape = check_agent(agent, error) ? make(error) : NULL;
    if (!tape) return NULL;
    sb_tape_begin(tape, env, agent);
    if (take_log(tape, env, error)) return sb_tape_finish(tape, env), tape;
    sb_tape_free(tape);
    return NULL;
}

sb_tape *sb_tape_load(const sb_catalogue *catalogue, const char *line, size_t n, sb_error *error) {
    sb_tape *tape = make(error);
    if (!tape || sb_tape_parse(catalogue, line, n, tape, error)) return tape;
    sb_tape_free(tape);
    return NULL;
}

size_t sb_tape_print(const sb_tape *tape, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    sb_tape_put(tape, &out);
    return sb_out_finish(&out);
}

const sb_name *sb_tape_name(const sb_tape *tape) { return &tape->name; }
const char *sb_tape_agent(const sb_tape *tape) { return tape->agent; }
const sb_status *sb_tape_outcome(const sb_tape *tape) { return &tape->outcome; }

size_t sb_tape_actions(const sb_tape *tape, sb_action *out, size_t capacity) {
    const size_t n = tape->n < capacity ? tape->n : capacity;
    if (n) memcpy(out, tape->actions, n * sizeof *out);
    return tape->n;
}
