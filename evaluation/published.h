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
} sb_published_agent;

/* Starts zeroed; the caller frees it, also after a failure. Texts belong to the document. */
typedef struct sb_published {
    cJSON *document;
    const char *source; /* one sentence for people */
    sb_published_agent *agents;
    size_t n;
} sb_published;

/* Loads the agents published for the family, best first; there may be none. */
bool sb_published_load(sb_published *published, const sb_family *family, sb_error *error);
void sb_published_free(sb_published *published);

#endif
