/* What ends a run of an evaluation before all episodes were played: its time, its cost, or losses in a row. The caller
 * makes sure that one call is made at a time. */
#ifndef SB_EVALUATION_WATCH_H
#define SB_EVALUATION_WATCH_H

#include "agents/process.h"
#include "evaluation/episode.h"

/* Episodes that have begun are played to their end. 0: no limit. */
typedef struct sb_run_limits {
    double seconds;         /* after which no episode begins */
    double cost;            /* of all episodes together; it ends the run, too, if the agent does not know its cost */
    uint64_t lost_in_a_row; /* other than by the agent's limit of steps */
} sb_run_limits;

/* Checks a limit of seconds, hours or cost that somebody gave: 0 would not let anything begin, and what is no number
 * would be no limit. INFINITY is fine. */
bool sb_run_limit_check(const char *what, double given, sb_error *error);

typedef struct sb_run_watch {
    sb_run_limits limits;
    sb_timer *now; /* needed for a limit of seconds */
    double began;
    double cost; /* so far, with episodes that were played before this run */
    bool hidden; /* some agent was paid for a reply, and nobody knows how much */
    uint64_t lost_in_a_row;
    sb_error why; /* nothing more begins if its code is not SB_OK */
} sb_run_watch;

sb_run_watch sb_run_watch_of(const sb_run_limits *limits, sb_timer *now);
/* Whether another episode may begin; the error says why not. */
bool sb_run_goes_on(sb_run_watch *watch, sb_error *error);
/* Counts an episode that was played now. */
void sb_run_count(sb_run_watch *watch, const sb_played *played);
/* Counts what an episode of before has cost. */
void sb_run_count_before(sb_run_watch *watch, const sb_played *played);

#endif
