/* Agents that are programs: the program is asked for every action, with one JSON object per line (docs/agents.md). */
#ifndef SB_AGENTS_PROGRAM_H
#define SB_AGENTS_PROGRAM_H

#include "agents/failure.h"
#include "agents/process.h"
#include "agents/salt.h"
#include "rollout/tape.h"
#include "rollout/view.h"

enum { SB_AGENT_PROTOCOL = 1 };

/* Settings for every process of one agent. */
typedef struct sb_program_rules {
    const char *command;
    sb_timer *now;
    uint64_t start_seconds, reply_seconds; /* time limits for the hello and for any other reply */
    uint64_t steps;                        /* limit per episode; 0: the task's own */
    bool fresh;                            /* a new process for every episode */
    int errors;                            /* descriptor for its standard error; -1: ours */
    sb_salt salt;                          /* for the random numbers that programs get */
} sb_program_rules;

/* ---- Replies of a program: n bytes of any value, and a NUL ---- */

/* Parses a hello, which the caller deletes; NULL after an error. */
cJSON *sb_reply_hello(const char *reply, size_t n, sb_error *error);
/* Sets the view of the family that a program with this hello gets. */
bool sb_hello_view(const cJSON *hello, const sb_family *family, sb_view *view, sb_error *error);
/* Parses an action. It may be out of the episode's range, which stepping checks. */
bool sb_reply_action(const char *reply, size_t n, const sb_env *env, sb_action *action, sb_error *error);

/* ---- Programs ---- */

/* One process and its hello. Starts zeroed; a process is started when it is needed, and again after every failure. */
typedef struct sb_agent_program {
    sb_process process;
    cJSON *hello;
    sb_action_room valid;
    sb_out line;
} sb_agent_program;

/* Starts the program and exchanges hellos. If the program is at fault, `failure` is set; only errors of this process
 * return false. */
bool sb_program_begin(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_failure *failure,
                      sb_error *error);
/* Returns the name in its hello, or NULL. */
const char *sb_program_name(const sb_agent_program *program);
/* Fails if the program asks for modes that the family lacks. */
bool sb_program_fits(const sb_agent_program *program, const sb_family *family, sb_error *error);

/* Plays the named episode in `env` and writes the tape of what was played, also if the program fails. Returns false
 * only for errors of this process or of the name. */
bool sb_program_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_env *env,
                     const sb_name *name, uint32_t attempt, sb_tape *tape, sb_failure *failure, sb_error *error);

/* Sends `close`, ends the process and frees everything. */
void sb_program_free(sb_agent_program *program);

#endif
