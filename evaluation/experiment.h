/* An experiment: agents, presets, modes and selections that are combined into runs, each an evaluation with a result of
 * its own (docs/evaluation.md, "Experiments"). */
#ifndef SB_EVALUATION_EXPERIMENT_H
#define SB_EVALUATION_EXPERIMENT_H

#include "agents/agent.h"
#include "rollout/selection.h"

enum {
    SB_EXPERIMENT_FORMAT = 1,
    SB_EXPERIMENT_BYTES = 1 << 20,
    SB_EXPERIMENT_PLAN_BYTES = 1 << 26, /* bytes of `experiment.json` in the folder, which lists every run */
    /* bytes of a name in the document, with NUL: of an agent, a preset, a mode or a selection */
    SB_EXPERIMENT_WORD = 24,
    SB_EXPERIMENT_NAME = 120,  /* bytes of a run's name, which is also that of its file without `.json` */
    SB_EXPERIMENT_RUNS = 100,  /* runs of one agent on one selection */
    SB_EXPERIMENT_MOST = 10000 /* runs in all */
};

typedef struct sb_experiment_run {
    char name[SB_EXPERIMENT_NAME]; /* `greedy+markovian+ascii+easy+run2` */
    char label[SB_AGENT_LABEL];    /* what reports call the agent: `greedy, markovian, ascii` */
    char salt[SB_SALT_HEX];        /* salt of programs, the same in all runs of this number; empty: the agent is none */
    char *spec;                    /* the agent's spec, with preset and mode filled in */
    sb_request request;            /* its texts belong to the document */
    /* file of a pack whose episodes are played, not those of the request; NULL: none. Belongs to the document */
    const char *pack;
} sb_experiment_run;

/* A list of runs. Starts zeroed; the caller frees it, also after a failure. */
typedef struct sb_experiment {
    cJSON *document;
    char salt[SB_SALT_HEX];
    uint64_t attempts, steps; /* attempts at each episode, and limit of steps, as for `eval`; 0: not given */
    sb_experiment_run *runs;
    size_t n;
} sb_experiment;

/* Reads the document. `salt` is used if the document gives none; NULL or empty: one is drawn. */
bool sb_experiment_parse(sb_experiment *experiment, const sb_catalogue *catalogue, const char *text, size_t n,
                         const char *salt, sb_error *error);
void sb_experiment_free(sb_experiment *experiment);

#endif
