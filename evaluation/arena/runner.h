/* The program that runs a team's artifacts, as candidates are asked (evaluation/models/candidate.h). Its answers go
 * through the journal, except in a search for a plan, of which the journal keeps the outcome. */
#ifndef SB_EVALUATION_ARENA_RUNNER_H
#define SB_EVALUATION_ARENA_RUNNER_H

#include "evaluation/arena/answers.h"
#include "evaluation/arena/voice.h"
#include "evaluation/models/conversation.h"

/* A runner. Starts zeroed, but for its first members. */
typedef struct sb_runner {
    sb_voice voice;
    sb_answers *answers;
    bool (*prepare)(void *context, sb_error *error); /* called before the program is started */
    void *context;
    bool is_none;      /* there is no model: nothing is predicted */
    bool searches;     /* a search goes on, whose answers are not kept */
    uint32_t failures; /* failures in this search */
    /* lines that a program which is started again is told; said: its answer to the hello */
    sb_out hello, said, level, learnt;
    sb_out own;
    double seconds; /* seconds spent waiting for answers */
} sb_runner;

void sb_runner_begin(sb_runner *runner);
sb_model_transport sb_runner_transport(sb_runner *runner);
/* Takes note that the artifacts are others: the program is started again before it is asked. */
void sb_runner_renew(sb_runner *runner);
/* Begins a search, or ends it: meanwhile answers are not kept. */
void sb_runner_search(sb_runner *runner, bool searches);
void sb_runner_free(sb_runner *runner);

#endif
