/* Reads the answers of a language model to BabyBench's three tasks, as the benchmark reads them (docs/babyai.md). If
 * an answer cannot be read, the error says what was looked for. */
#ifndef SB_EVALUATION_BABYBENCH_ANSWERS_H
#define SB_EVALUATION_BABYBENCH_ANSWERS_H

#include "engine/environment.h"

/* A part of a text. */
typedef struct sb_span {
    const char *at;
    size_t n;
} sb_span;

typedef struct sb_pose {
    int64_t x, y, direction; /* magnitudes above a thousand million become a thousand million */
} sb_pose;

/* Predict: reads the first `((x, y), d)` after `The agent's final state is: `, or else the first three whole
 * numbers. */
bool sb_answer_state(const char *answer, sb_pose *pose, sb_error *error);

/* Plan: finds the text after `The LLM's action sequence is: `. */
bool sb_answer_actions(const char *answer, sb_span *list, sb_error *error);
/* Takes the next action off a list of names separated by commas; words that name no action are skipped. False at the
 * end. */
bool sb_next_action(sb_span *list, const sb_env *env, sb_action *action);

/* Decompose: finds the lines between the line `<START>` and the line `<END>`; without an end, all but the last
 * character. */
bool sb_answer_plan(const char *answer, sb_span *plan, sb_error *error);

#endif
