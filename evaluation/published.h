/* Agents whose results were published with an older release of the benchmark, per task and difficulty. */
#ifndef SB_PUBLISHED_H
#define SB_PUBLISHED_H

#include "base/json.h"
#include "evaluation/score.h"

typedef struct sb_published_agent {
    const char *name, *harness, *observation, *date;
    size_t n_pairs; /* published pairs of task and difficulty; a score needs all of them */
    sb_total total; /* the leaderboard score, computed anew from the pairs */
    bool complete;
    bool dense;           /* its returns are sums of dense rewards */
    const cJSON *returns; /* mean returns: a list for each task */
} sb_published_agent;

/* Starts zeroed; the caller frees it, also after a failure. Texts belong to the document. */
typedef struct sb_published {
    cJSON *document;
    const char *source; /* one sentence for people */
    const sb_family *family;
    sb_published_agent random,
        oracle; /* the agents that others are normalised with; without returns if there are none */
    sb_published_agent *agents;
    size_t n;
} sb_published;

/* Loads the agents published for the family, best first; there may be none. */
bool sb_published_load(sb_published *published, const sb_family *family, sb_error *error);
void sb_published_free(sb_published *published);

/* Finds the mean return that was published for a pair; false if there is none. */
bool sb_published_return(const sb_published *published, const sb_published_agent *agent, const char *task,
                         const char *difficulty, double *value);
/* Finds the mean returns of the random agent and of the oracle, likewise. */
bool sb_published_references(const sb_published *published, const char *task, const char *difficulty,
                             sb_bounds *references);

#endif
