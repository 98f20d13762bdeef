/* Agents whose results were published with an older release of the benchmark, per task and difficulty. */
#ifndef SB_PUBLISHED_H
#define SB_PUBLISHED_H

#include "base/json.h"
#include "evaluation/score.h"
#include "evaluation/summary.h"
#include "rollout/selection.h"

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

/* The oracle-normalised score as it is printed: (return - random) / (oracle - random) of the mean return of each pair
 * of task and difficulty, not limited to 0..1, with the returns of the published random agent and the published oracle
 * (docs/evaluation.md, "Scores as printed"). */

/* Pairs of the family that count; 0: none was played, or nothing was published for the family. */
typedef struct sb_ons {
    size_t pairs, of;
    sb_total total; /* mean over the pairs, and over those of each category */
} sb_ons;

/* The score of one mean return. If the two references are equal, 1 for returns of at least that, and 0 below. */
double sb_ons_pair(double mean_return, const sb_bounds *references);

/* Computes the score over the pairs that were played. */
bool sb_ons_of_results(const sb_published *published, const sb_summary *summary, sb_ons *ons, sb_error *error);
/* The same of a published agent, whose categories get no intervals; no pairs if its returns are dense ones. `among`:
 * only over these pairs; NULL: over all. */
bool sb_ons_of_agent(const sb_published *published, const sb_published_agent *agent, const sb_seen_pairs *among,
                     sb_ons *ons, sb_error *error);
/* Notes in `among` which pairs were played; returns how many were not noted before. */
size_t sb_ons_played(const sb_published *published, const sb_summary *summary, sb_seen_pairs *among);
/* Writes it as results write scores; the score is null if there are no pairs. */
void sb_ons_print(const sb_ons *ons, sb_out *out);
/* Computes the mean over the pairs of one task that were played; false if there are none. */
bool sb_ons_of_task(const sb_published *published, const sb_summary *summary, const sb_task_info *task, double *ons);

#endif
