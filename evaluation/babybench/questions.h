/* BabyBench's questions as conversations: what a model is told and asked, and the right answer. The sentences are ours
 * (examples/babybench/questions.json); examples/babybench/ask.py asks with the same. */
#ifndef SB_EVALUATION_BABYBENCH_QUESTIONS_H
#define SB_EVALUATION_BABYBENCH_QUESTIONS_H

#include "base/json.h"
#include "exporters/template.h"

typedef enum sb_question_field {
    SB_QUESTION_DESCRIPTION,
    SB_QUESTION_STATE,
    SB_QUESTION_ACTIONS,
    SB_QUESTION_TARGET_STATE,
    SB_QUESTION_TARGET,
    SB_QUESTION_MISSION,
    SB_QUESTION_PLAN
} sb_question_field;

typedef struct sb_question {
    sb_template system, user, answer;
    cJSON *document; /* holds the templates' texts */
} sb_question;

/* Opens the question of a task: `predict`, `plan` or `decompose`. The caller closes it, also after a failure. */
bool sb_question_open(sb_question *question, const char *task, sb_error *error);
void sb_question_close(sb_question *question);

/* Writes the member `messages`: system, user and assistant. */
bool sb_question_put(const sb_question *question, sb_out *out, sb_put_field *put, void *context, sb_error *error);

#endif
