/* Whoever is evaluated: an oracle, random actions, tapes that were played before, or a program.
 *
 *   expert, observer, ...   an oracle of the task
 *   random                  uniformly random actions, drawn from the episode's name
 *   tape:FILE               tapes, a line each; an episode without a tape fails
 *   exec:COMMAND            a program, run by the shell (docs/agents.md) */
#ifndef SB_AGENTS_AGENT_H
#define SB_AGENTS_AGENT_H

#include "agents/log.h"
#include "agents/program.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

typedef enum sb_agent_kind {
    SB_AGENT_ORACLE,
    SB_AGENT_RANDOM,
    SB_AGENT_TAPE,
    SB_AGENT_EXEC,
    SB_AGENT_PYTHON, /* a function of a Python program that calls the library: no spec names it, results only say it */
    SB_N_AGENTS
} sb_agent_kind;

extern const char *const sb_agent_kinds[SB_N_AGENTS]; /* `oracle`, `random`, `tape`, `exec`, `python` */
/* Whether such an agent can do something wrong and so lose an episode: no oracle can. */
bool sb_agent_can_fail(sb_agent_kind kind);

enum { SB_AGENT_START_SECONDS = 300, SB_AGENT_REPLY_SECONDS = 60 }; /* what programs usually get */

typedef struct sb_agent_options {
    const char *spec;   /* as above */
    const char *log;    /* file for what programs write to their standard error; NULL: ours */
    uint64_t log_bytes; /* that it takes; 0: any number */
    const char *salt;   /* of programs, in hex; NULL: one is drawn */
    uint64_t start_seconds, reply_seconds, steps;
    bool fresh;
    sb_timer *now;
} sb_agent_options;

enum { SB_AGENT_LABEL = 80, SB_AGENT_NOTE = 240 };

/* Shared by all who play. */
typedef struct sb_agent {
    sb_agent_kind kind;
    const sb_catalogue *catalogue; /* of the selection */
    const char *spec;              /* of the options */
    char label[SB_AGENT_LABEL];    /* what to call it: the program's own name, or the spec */
    sb_program_rules rules;
    sb_guard guard;
    sb_agent_log log;
    sb_agent_program first; /* the process with which it was tried, for whoever plays first */
    pthread_mutex_t mutex;
    sb_tape *tapes; /* sorted by name */
    size_t n_tapes;
    char note[SB_AGENT_NOTE]; /* after it was closed: what people should know, a line; or empty */
} sb_agent;

/* Gets ready whatever the agent needs to play the selection: reads the tapes, or starts the program once and lets it
 * say hello. Begin it before there are threads; the options outlive the agent. On failure nothing is left. */
bool sb_agent_open(sb_agent *agent, const sb_agent_options *options, const sb_selection *selection, sb_error *error);
/* Whatever still runs is killed. */
void sb_agent_close(sb_agent *agent);

/* What a worker needs to play one episode after another. Starts zeroed; free it before the agent is closed. */
typedef struct sb_agent_worker {
    sb_worker worker; /* its tape is the last episode's */
    sb_agent_program program;
} sb_agent_worker;

/* Plays the episode; the tape is in actor->worker. What the agent does wrong is told by `failure`; false is for reasons
 * that stop everything: no such oracle, no memory. */
bool sb_agent_worker_play(sb_agent_worker *actor, sb_agent *agent, const sb_name *name, sb_failure *failure,
                          sb_error *error);
void sb_agent_worker_free(void *data);

#endif
