/* Tests (engine/testing.h) as programs play them: what they are told first, how long they may interact, and how many
 * frames an action shows. All of it ends up as actions on the tape, so replays need to know nothing of it. */
#ifndef SB_AGENTS_TESTING_H
#define SB_AGENTS_TESTING_H

#include <cjson/cJSON.h>

#include "engine/environment.h"
#include "engine/testing.h"

/* What holds for all tests of a run; zeros: what the episodes say themselves. */
typedef struct sb_testing_rules {
    uint64_t interaction;      /* steps after which the test begins */
    uint64_t frames;           /* frames that an action shows: one, and then those of waiting */
    const cJSON *instructions; /* texts by kind, in place of ours */
} sb_testing_rules;

/* Parses instructions of n bytes: a JSON object whose keys are kinds, with texts. NULL with an error; the caller
 * deletes it. */
cJSON *sb_instructions_parse(const char *text, size_t n, sb_error *error);

/* Writes the member `instructions`; nothing if the episode is no test. */
void sb_member_instructions(sb_out *out, const sb_testing_rules *rules, const sb_env *env);

/* After a step: whether another one is to be taken that the agent did not choose, and which. `before` is the record
 * before the agent's action, which is `chosen`; `waited` is how often it has waited since then. */
bool sb_testing_goes_on(const sb_testing_rules *rules, const sb_env *env, const sb_test_record *before,
                        sb_action chosen, uint64_t waited, sb_action *next);

#endif
