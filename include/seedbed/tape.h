/* Tapes: episodes as they were played, one line of JSON each, which can be replayed. Datasets, results and certificates
 * are made from tapes; `seedbed replay` and `seedbed verify` read them.
 *
 *     sb_record(env, true, &error);                    before the first step
 *     ... play ...
 *     sb_tape *tape = sb_tape_of(env, "my-bot", &error);
 *     size_t n = sb_tape_print(tape, line, sizeof line);
 *     sb_tape_free(tape); */
#ifndef SEEDBED_TAPE_H
#define SEEDBED_TAPE_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sb_tape sb_tape;

/* Sets whether the environment records the actions taken in it, in this episode and the following ones (4 bytes a
 * step). Fails if the episode has already taken a step. Copying from an environment that does not record turns
 * recording off in the copy. */
SB_API bool sb_record(sb_env *env, bool on, sb_error *error);

/* Makes the tape of what an environment that records has played so far; the episode need not be over. `agent` is the
 * name of the player: 1 to 63 bytes of letters, digits and `._-+`. */
SB_API sb_tape *sb_tape_of(const sb_env *env, const char *agent, sb_error *error);

/* Reads a line of n bytes. Fails if it is not a tape of a known episode. Nothing is replayed. */
SB_API sb_tape *sb_tape_load(const sb_catalogue *catalogue, const char *line, size_t n, sb_error *error);
SB_API void sb_tape_free(sb_tape *tape);

/* Writes the tape as a line without newline. The same tape gives the same bytes. */
SB_API size_t sb_tape_print(const sb_tape *tape, char *out, size_t capacity);

SB_API const sb_name *sb_tape_name(const sb_tape *tape);
SB_API const char *sb_tape_agent(const sb_tape *tape);
/* Gives the actions, step by step. */
SB_API size_t sb_tape_actions(const sb_tape *tape, sb_action *out, size_t capacity);
/* Returns how the episode ended according to the tape; sb_tape_replay checks whether that is true. */
SB_API const sb_status *sb_tape_outcome(const sb_tape *tape);

/* Called with the state before the first step (result = NULL, action 0) and with the state after every step. Returns
 * false with an error to stop the replay. */
typedef bool sb_visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error);

/* Plays the tape in `env` and compares the end: outcome, sums of rewards to the last bit, digest. Fails with
 * SB_MISMATCH at the first difference, and with SB_VERSION_OTHER if the tape was made under other rules. `visit` may be
 * NULL. Cost: that of the steps. */
SB_API bool sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error);

#ifdef __cplusplus
}
#endif
#endif
