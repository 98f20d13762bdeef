/* The program that runs a team's artifacts, as candidates are asked (evaluation/models/candidate.h). Its answers go
 * through the journal, except in a search for a plan, of which the journal keeps the outcome. */
#ifndef SB_EVALUATION_ARENA_RUNNER_H
#define SB_EVALUATION_ARENA_RUNNER_H

#include "evaluation/arena/answers.h"
#include "evaluation/arena/voice.h"
#include "evaluation/models/conversation.h"

/* Starts zeroed, but for the first members. */
typedef struct sb_runner {
    sb_voice voice;
    sb_answers *answers;
    bool (*prepare)(void *context, sb_error *error); /* called before the program is started */
    void *context;
    bool is_none;                      /* there is no model: nothing is predicted */
    bool searches;                     /* answers are not kept */
    uint32_t failures;                 /* in this search */
    sb_out hello, said, level, learnt; /* lines that a program that is started again is told; said: to the hello */
    sb_out own;
    double seconds; /* spent waiting */
} sb_runner;

void sb_runner_begin(sb_runner *runner);
sb_model_transport sb_runner_transport(sb_runner *runner);
/* The artifacts are others: the program is started again before it is asked. */
void sb_runner_renew(sb_runner *runner);
/* From here on, until it is false again, answers are not kept. */
void sb_runner_search(sb_runner *runner, bool searches);
void sb_runner_free(sb_runner *runner);

#endif
