/* A tape is an episode played: its name, who acted, the actions and how it ended, as one line of JSON. Recordings,
 * replays and data sets are made from tapes: solve once, render often. */
#ifndef SB_ROLLOUT_TAPE_H
#define SB_ROLLOUT_TAPE_H

#include "api/seedbed.h"
#include "base/out.h"
#include "engine/family.h"

enum { SB_TAPE_FORMAT = 1, SB_AGENT_NAME = 24, SB_RULES_NAME = 32, SB_DIGEST_HEX = 17, SB_TAPE_BYTES = 16 << 20 };

typedef struct sb_tape {
    sb_name name;
    char rules[SB_RULES_NAME];  /* family and version of its rules: `agentick 1` */
    char agent[SB_AGENT_NAME];  /* who acted: `expert`, `random` */
    char digest[SB_DIGEST_HEX]; /* first 16 hex digits of SHA-256 over the actions (4 bytes each, little-endian) and the
                                   family's digest of the last state */
    sb_action *actions;         /* on the heap, kept when the tape is used again */
    size_t n, capacity;
    sb_status outcome;
} sb_tape;

void sb_tape_free(sb_tape *tape);
/* Forgets the actions: the tape may be used for another episode. */
void sb_tape_begin(sb_tape *tape, const sb_env *env, const char *agent);
bool sb_tape_append(sb_tape *tape, sb_action action, sb_error *error);
/* Notes status and digest of an environment in which the tape's actions were just played. */
void sb_tape_finish(sb_tape *tape, const sb_env *env);

/* `agentick 1`: what a tape must agree with. */
void sb_rules_name(const sb_family *family, char rules[SB_RULES_NAME]);

/* One line of JSON with its newline. */
void sb_tape_print(const sb_tape *tape, sb_out *out);
/* Reads such a line. Unknown, missing and contradicting keys are errors. */
bool sb_tape_parse(const char *line, size_t n, sb_tape *tape, sb_error *error);
/* The same as a JSON value inside another document. */
void sb_tape_put(const sb_tape *tape, sb_out *out);
bool sb_tape_read(const cJSON *object, sb_tape *tape, sb_error *error);

/* Called with every step of a replay: the environment after the step, the action taken and what came of it; and once
 * before the first step, with result NULL. Returning false stops the replay with the visitor's error. */
typedef bool sb_visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error);

/* Starts the tape's episode in `env` and plays its actions; `visit` may be NULL. Fails with SB_VERSION_OTHER if the
 * tape was made under other rules, and with SB_MISMATCH, naming the episode, if it comes out otherwise than the tape
 * says. */
bool sb_tape_replay(const sb_tape *tape, sb_env *env, sb_visit *visit, void *context, sb_error *error);

#endif
