/* An agent to evaluate: an oracle, random actions, tapes that were played before, a program, or a plugin.
 *
 *   expert, observer, ...   an oracle of the task
 *   random                  uniformly random actions, drawn from the episode's name
 *   tape:FILE               tapes, one per line; an episode without a tape fails
 *   exec:COMMAND            a program, run by the shell (docs/agents.md)
 *   plugin:FILE             a shared object that plays (seedbed/plugin.h) */
#ifndef SB_AGENTS_AGENT_H
#define SB_AGENTS_AGENT_H

#include "agents/log.h"
#include "agents/plugin.h"
#include "agents/program.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

typedef enum sb_agent_kind {
    SB_AGENT_ORACLE,
    SB_AGENT_RANDOM,
    SB_AGENT_TAPE,
    SB_AGENT_EXEC,
    SB_AGENT_PYTHON, /* a Python function that plays through the library; it appears in results, but no spec selects it
                      */
    SB_AGENT_PLUGIN,
    SB_N_AGENTS
} sb_agent_kind;

extern const char *const sb_agent_kinds[SB_N_AGENTS]; /* `oracle`, `random`, `tape`, `exec`, `python`, `plugin` */
/* Whether an agent of this kind can fail an episode (sb_failure); oracles and random actions cannot. */
bool sb_agent_can_fail(sb_agent_kind kind);
/* Returns which kind of agent a spec selects. NULL, for whoever plays if nobody is named, is an oracle. */
sb_agent_kind sb_agent_kind_of(const char *spec);
/* Whether an agent of this kind runs in processes: it has limits of time and steps, and gets random numbers. */
static inline bool sb_agent_is_process(sb_agent_kind kind) { return kind == SB_AGENT_EXEC || kind == SB_AGENT_PLUGIN; }

enum { SB_AGENT_START_SECONDS = 300, SB_AGENT_REPLY_SECONDS = 60 }; /* what programs usually get */

typedef struct sb_agent_options {
    const char *spec;   /* which agent: `expert`, `exec:COMMAND`, ...; NULL: an oracle */
    const char *log;    /* file for what programs write to their standard error; NULL: our standard error */
    uint64_t log_bytes; /* most bytes of the log; 0: no limit */
    const char *salt;   /* salt for the random numbers of programs, in hex; NULL: one is drawn */
    const char *about;  /* what is told about the agent besides its hello: a JSON object as text; NULL: nothing */
    uint64_t start_seconds, reply_seconds, steps;
    double cost; /* the run's limit of cost, which programs are told; 0: none */
    /* tests: steps before one begins, and frames of an action (rollout/testing.h); programs only */
    uint64_t interaction, frames;
    const char *instructions; /* tests: what a program is told, by kind: a JSON object as text; NULL: our texts */
    bool fresh;
    bool plugins; /* this program exports the functions of the public headers, and serves as a plugin's worker when it
                     is started again (agents/plugin.h); otherwise plugins are refused */
    sb_timer *now;
    sb_note *note; /* may be NULL; told, by the thread that opens the agent, if its program does not say hello soon, and
                      what was left out of a recording */
    void (*guarded)(void *context, pid_t guard); /* may be NULL; called before a program is started: when its guard is
                                                    killed, all programs end, and nobody waits for their answers */
    void *note_context;                          /* passed to `note` and `guarded` */
} sb_agent_options;

enum { SB_AGENT_LABEL = 200, SB_AGENT_NOTE = 240 };

/* Sets what people call an agent. Fails if the name is empty or does not fit: names that are cut may be those of
 * several agents. */
bool sb_agent_name(char label[SB_AGENT_LABEL], const char *name, sb_error *error);

/* Shared by all workers. */
typedef struct sb_agent {
    sb_agent_kind kind;
    const sb_catalogue *catalogue; /* the selection's catalogue */
    const char *spec;              /* the spec in the options */
    char label[SB_AGENT_LABEL];    /* the agent's name for people: the program's own name, or the spec */
    sb_out about;                  /* what is told about the agent, as a JSON object and a NUL; empty: nothing */
    sb_program_rules rules;
    cJSON *instructions; /* what tests tell the agent, by kind; NULL: our texts */
    sb_guard guard;
    sb_agent_log log;
    sb_agent_program first;       /* the process that was started to try the program; the first worker takes it */
    sb_agent_plugin first_plugin; /* the process that was started to try the plugin; the first worker takes it */
    sb_plugin_facts plugin;       /* what the plugin says of itself; kind 0: the agent is no plugin */
    pthread_mutex_t mutex;
    sb_tape *tapes; /* sorted by name */
    size_t n_tapes;
    char note[SB_AGENT_NOTE]; /* after closing: a line for people, or empty */
} sb_agent;

/* Prepares the agent to play the selection: reads the tapes, or starts the program once and exchanges hellos. The
 * options must outlive the agent. After a failure there is nothing to close. */
bool sb_agent_open(sb_agent *agent, const sb_agent_options *options, const sb_selection *selection, sb_error *error);
/* Frees the agent and kills its programs that still run. */
void sb_agent_close(sb_agent *agent);

/* What a worker needs to play one episode after another. Starts zeroed; free it before the agent is closed. */
typedef struct sb_agent_worker {
    sb_worker worker; /* its tape is the last episode's */
    sb_agent_program program;
    sb_agent_plugin plugin;
} sb_agent_worker;

/* Plays the episode; `attempt` counts from 1, or is 0 if there is only one. The tape is in contestant->worker.
 * `failure` says what the agent did wrong. Returns false only for errors that stop the whole run: no such oracle, no
 * memory. */
bool sb_agent_worker_play(sb_agent_worker *contestant, sb_agent *agent, const sb_name *name, uint32_t attempt,
                          sb_failure *failure, sb_error *error);
void sb_agent_worker_free(void *data);

/* Whether the agent is a program that plays several episodes at a time. */
bool sb_agent_takes_rounds(const sb_agent *agent);
/* Lets a program that takes rounds play what the feed gives, at most n episodes, in up to `jobs` processes (0: one for
 * each processor), each with a thread that calls the feed. After a failure no process begins another episode. */
bool sb_agent_play_rounds(sb_agent *agent, size_t n, size_t jobs, const sb_round_feed *feed, sb_error *error);

#endif
