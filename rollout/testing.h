/* Tests (engine/testing.h) as they are played: what an agent is told first, how long it may interact, and how many
 * frames an action shows. All of it ends up as actions on the tape, so replays need to know nothing of it. */
#ifndef SB_ROLLOUT_TESTING_H
#define SB_ROLLOUT_TESTING_H

#include <cjson/cJSON.h>

#include "engine/environment.h"
#include "engine/testing.h"
#include "rollout/view.h"

enum { SB_FRAMES_MAX = 100 /* frames that an action may show */ };

/* What holds for all tests of a run; zeros: what the episodes say themselves. */
typedef struct sb_testing_rules {
    uint64_t interaction;      /* steps after which the test begins */
    uint64_t frames;           /* frames that an action shows: one, and then those of waiting */
    const cJSON *instructions; /* texts by kind, in place of ours */
} sb_testing_rules;

/* Parses instructions of n bytes: a JSON object whose keys are kinds, with texts. NULL with an error; the caller
 * deletes it. */
cJSON *sb_instructions_parse(const char *text, size_t n, sb_error *error);
/* Loads and parses a file of them; `text` (growing) gets what is in it, with a NUL behind it. Errors name the file. */
cJSON *sb_instructions_load(const char *path, sb_out *text, sb_error *error);

/* Checks instructions that were parsed: a JSON object whose keys are kinds, with texts. */
bool sb_instructions_check(const cJSON *texts, sb_error *error);

/* Puts what the agent is told before the test, as plain text; nothing if the episode is no test. */
void sb_put_instructions(sb_out *out, const sb_testing_rules *rules, const sb_env *env);
/* Writes the member `instructions`; nothing if the episode is no test. */
void sb_member_instructions(sb_out *out, const sb_testing_rules *rules, const sb_env *env);

/* The steps of one action: the agent's own, and then those that the rules add. */
typedef struct sb_turn {
    const sb_testing_rules *rules;
    const sb_env *env;
    sb_test_record before; /* the test before the agent's step */
    sb_action chosen;
    uint64_t taken; /* steps of the turn so far */
} sb_turn;

sb_turn sb_turn_of(const sb_testing_rules *rules, const sb_env *env, sb_action chosen);
/* Gives the step that is to be taken next: first what the agent chose, then, as often as it is called after a step,
 * what the rules add. False: it is the agent's turn again. */
bool sb_turn_next(sb_turn *turn, sb_action *action);

/* Puts an item into a list of frames, which the buffer holds alone and without brackets: what is shown now, the steps
 * so far, and the action that led to it. */
bool sb_put_frame_between(sb_out *out, const sb_view *view, const sb_env *env, sb_action action, sb_error *error);
/* Writes the member `frames`, whose items sb_put_frame_between put into the buffer; nothing if there are none. */
void sb_member_frames(sb_out *out, const sb_out *frames);

#endif
