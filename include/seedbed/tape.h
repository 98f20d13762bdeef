/* Tapes: episodes as they were played, a line of JSON each, that everybody can replay. Datasets, results and
 * certificates are made from tapes; `seedbed replay` and `seedbed verify` take them.
 *
 *   sb_record(env, true, &error);                    before the first step
 *   ... play ...
 *   sb_tape *tape = sb_tape_of(env, "my-bot", &error);
 *   size_t n = sb_tape_print(tape, line, sizeof line);
 *   sb_tape_free(tape); */
#ifndef SEEDBED_TAPE_H
#define SEEDBED_TAPE_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sb_tape sb_tape;

/* Whether the environment keeps the actions that are taken in it, from episode to episode (4 bytes a step). Recording
 * begins before an episode's first step, and fails later. A copy of an environment that does not record does not
 * either. */
SB_API bool sb_record(sb_env *env, bool on, sb_error *error);

/* The tape of what was played in an environment that records, up to now; the episode need not be over. `agent` is who
 * played: 1 to 23 bytes of letters, digits and `._-+`. */
SB_API sb_tape *sb_tape_of(const sb_env *env, const char *agent, sb_error *error);

/* Reads a line of n bytes. Fails on anything that is no tape of a known episode; nothing is replayed. */
SB_API sb_tape *sb_tape_load(const sb_catalogue *catalogue, const char *line, size_t n, sb_error *error);
SB_API void sb_tape_free(sb_tape *tape);

/* The line, without newline. The same tape gives the same bytes. */
SB_API size_t sb_tape_print(const sb_tape *tape, char *out, size_t capacity);

SB_API const sb_name *sb_tape_name(const sb_tape *tape);
SB_API const char *sb_tape_agent(const sb_tape *tape);
/* What was taken, step by step. */
SB_API size_t sb_tape_actions(const sb_tape *tape, sb_action *out, size_t capacity);
/* How it ended, as the tape says; sb_tape_replay finds out whether that is true. */
SB_API const sb_status *sb_tape_outcome(const sb_tape *tape);

/* Sees the state before the first step (result = NULL, action 0), and the state after every step. Returns false to
 * stop, with an error. */
typedef bool sb_visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error);

/* Plays the tape in `env` and compares how it ends: outcome, sums of rewards to the last bit, digest. Fails with
 * SB_MISMATCH at the first difference, and with SB_VERSION_OTHER if the tape was made under other rules. `visit` may be
 * NULL. Cost: that of the steps. */
SB_API bool sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error);

#ifdef __cplusplus
}
#endif
#endif
