/* Agents that are programs: they are asked for every action, one JSON object a line, as docs/agents.md says. */
#ifndef SB_AGENTS_PROGRAM_H
#define SB_AGENTS_PROGRAM_H

#include "agents/failure.h"
#include "agents/process.h"
#include "agents/salt.h"
#include "rollout/tape.h"
#include "rollout/view.h"

enum { SB_AGENT_PROTOCOL = 1 };

/* What holds for every process of one agent. */
typedef struct sb_program_rules {
    const char *command;
    sb_timer *now;
    uint64_t start_seconds, reply_seconds; /* how long it may take to say hello, and for any other reply */
    uint64_t steps;                        /* an episode; 0: as many as the task allows */
    bool fresh;                            /* a new process for every episode */
    int errors;                            /* descriptor for its standard error; -1: ours */
    sb_salt salt;                          /* of the random numbers that it is told */
} sb_program_rules;

/* ---- What a program replies: n bytes, any bytes at all, and a NUL ---- */

/* A hello, which the caller deletes; NULL with an error. */
cJSON *sb_reply_hello(const char *reply, size_t n, sb_error *error);
/* What is shown of the family to a program that said this hello. */
bool sb_hello_view(const cJSON *hello, const sb_family *family, sb_view *view, sb_error *error);
/* An action, which may be out of the episode's range: stepping tells. */
bool sb_reply_action(const char *reply, size_t n, const sb_env *env, sb_action *action, sb_error *error);

/* ---- Programs ---- */

/* One process and what it said of itself. Starts zeroed; a process is started when it is needed, and again after every
 * failure. */
typedef struct sb_agent_program {
    sb_process process;
    cJSON *hello;
    sb_action_room valid;
    sb_out line;
} sb_agent_program;

/* Starts the program and exchanges hellos; with `failure` set it did not work, though we did all we could. */
bool sb_program_begin(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_failure *failure,
                      sb_error *error);
/* What it calls itself, or NULL. */
const char *sb_program_name(const sb_agent_program *program);
/* Whether the modes that it asks for are there. */
bool sb_program_fits(const sb_agent_program *program, const sb_family *family, sb_error *error);

/* Plays the named episode in `env` and writes the tape: of all of it, or of what was played before the failure. Fails
 * only for reasons of ours, or of the name. */
bool sb_program_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_env *env,
                     const sb_name *name, sb_tape *tape, sb_failure *failure, sb_error *error);

/* Says good-bye, ends the process and frees everything. */
void sb_program_free(sb_agent_program *program);

#endif
