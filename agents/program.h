/* Agents that are programs: the program is asked for every action, with one JSON object per line (docs/agents.md). */
#ifndef SB_AGENTS_PROGRAM_H
#define SB_AGENTS_PROGRAM_H

#include "agents/process.h"
#include "agents/slot.h"

/* Settings for every process of one agent. */
typedef struct sb_program_rules {
    const char *command; /* the command line; a plugin's file, if the agent is one (agents/plugin.h) */
    sb_timer *now;
    uint64_t start_seconds, reply_seconds; /* time limits for the hello and for the reply to any other message */
    sb_slot_rules slots;
    /* episodes that a process plays at a time, as the agent's first hello says; 0: one message at a time */
    size_t batch;
    bool fresh;    /* a new process for every episode */
    int errors;    /* descriptor for the standard error of every process; -1: ours */
    sb_note *note; /* may be NULL; told if the first hello takes long */
    void *note_context;
} sb_program_rules;

/* One process and its hello. Starts zeroed; a process is started when it is needed, and again after every failure. */
typedef struct sb_agent_program {
    sb_process process;
    cJSON *hello;
    sb_out said; /* the text of the hello */
    sb_out line;
    sb_slot slot; /* the episode of a program that plays one at a time */
} sb_agent_program;

/* Starts the program and exchanges hellos, if none is running. If the program is at fault, `failure` is set; only
 * errors of this process return false. With `first`, the hello says how many episodes the agent plays at a time; later
 * ones have to say the same. */
bool sb_program_begin(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, bool first,
                      sb_failure *failure, sb_error *error);
/* Ends the process in whatever state it is; `gently`, after it was told to close. */
void sb_program_end(sb_agent_program *program, bool gently);
/* Returns the name in the program's hello, or NULL. */
const char *sb_program_name(const sb_agent_program *program);
/* Fails if the program asks for modes or pictures that the family lacks. */
bool sb_program_fits(const sb_agent_program *program, const sb_family *family, sb_error *error);

/* Begins a line: an object without its closing brace. */
sb_out *sb_program_line(sb_agent_program *program);
/* Ends the line, sends it and parses the reply, an object that the caller deletes. `count` is for how many messages the
 * line stands: each has its own limit of bytes and of time. NULL with a failure, or with an error of this process. */
cJSON *sb_program_ask(sb_agent_program *program, const sb_program_rules *rules, const char *op, size_t count,
                      sb_failure *failure, sb_error *error);

/* Plays the named episode in `env`, one message at a time, and writes the tape of what was played, also if the program
 * fails. The tape has what it said, too. Returns false only for errors of this process or of the name. */
bool sb_program_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard, sb_env *env,
                     const sb_name *name, uint32_t attempt, sb_tape *tape, sb_failure *failure, sb_error *error);

/* Sends `close`, ends the process and frees everything. */
void sb_program_free(sb_agent_program *program);

/* Programs that play several episodes at a time: a line has a message for each running episode, and so has the reply an
 * answer (docs/agents.md, "Several episodes at a time"). */

/* An episode that is to be played. */
typedef struct sb_round_episode {
    size_t place; /* a number of the caller's own, such as an index */
    sb_name name;
    uint32_t attempt;
    sb_counters before; /* what a first try of this episode counted; zero from the caller */
} sb_round_episode;

/* Where episodes come from and go to. Both functions are called in the thread that plays; false is an error that ends
 * everything. */
typedef struct sb_round_feed {
    void *context;
    /* Gives the next episode; `none` tells that there are no more. */
    bool (*next)(void *context, sb_round_episode *episode, bool *none, sb_error *error);
    /* Takes an episode that is over, with its tape, which becomes the caller's; `slot` has its failure. */
    bool (*done)(void *context, const sb_round_episode *episode, sb_tape *tape, const sb_slot *slot, sb_error *error);
} sb_round_feed;

/* Plays all episodes, up to rules->batch at a time. A bad answer loses its own episode only. If a whole line or the
 * process fails, the episodes that were running are played again, each alone, and those that fail again are lost. */
bool sb_rounds_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard,
                    const sb_catalogue *catalogue, const sb_round_feed *feed, sb_error *error);

#endif
