/* What a language model answered to BabyBench's three tasks, read as the benchmark reads it (docs/babybench.md). What
 * cannot be read is an error that says what was looked for. */
#ifndef SB_BABYBENCH_ANSWERS_H
#define SB_BABYBENCH_ANSWERS_H

#include "engine/environment.h"

/* A part of a text. */
typedef struct sb_span {
    const char *at;
    size_t n;
} sb_span;

typedef struct sb_pose {
    int64_t x, y, direction; /* what is beyond a thousand million is taken for that */
} sb_pose;

/* Predict: behind `The agent's final state is: ` the first `((x, y), d)`, or else the first three whole numbers. */
bool sb_answer_state(const char *answer, sb_pose *pose, sb_error *error);

/* Plan: the text behind `The LLM's action sequence is: `. */
bool sb_answer_actions(const char *answer, sb_span *list, sb_error *error);
/* Takes the next action off a list of names separated by commas; what names no action is passed over. False at the end.
 */
bool sb_next_action(sb_span *list, const sb_env *env, sb_action *action);

/* Decompose: the lines between one that is `<START>` and one that is `<END>`; without an end all but the last
 * character. */
bool sb_answer_plan(const char *answer, sb_span *plan, sb_error *error);

#endif
