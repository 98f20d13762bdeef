/* The oracle-normalised score as it is printed: (return - random) / (oracle - random) of the mean return of each pair
 * of task and difficulty, not limited to 0..1, with the returns of the published random agent and the published oracle
 * (docs/evaluation.md, "Scores as printed"). */
#ifndef SB_ONS_H
#define SB_ONS_H

#include "evaluation/published.h"
#include "evaluation/summary.h"

/* Pairs of the family that count; 0: none was played, or nothing was published for the family. */
typedef struct sb_ons {
    size_t pairs, of;
    sb_total total; /* mean over the pairs, and over those of each category */
} sb_ons;

/* The score of one mean return. If the two references are equal, 1 for returns of at least that, and 0 below. */
double sb_ons_pair(double mean_return, const sb_bounds *references);

/* Computes the score over the pairs that were played. */
bool sb_ons_of_results(const sb_published *published, const sb_summary *summary, sb_ons *ons, sb_error *error);
/* The same of a published agent, whose categories get no intervals; no pairs if its returns are dense ones. */
bool sb_ons_of_agent(const sb_published *published, const sb_published_agent *agent, sb_ons *ons, sb_error *error);
/* Writes it as results write scores; the score is null if there are no pairs. */
void sb_ons_print(const sb_ons *ons, sb_out *out);
/* Computes the mean over the pairs of one task that were played; false if there are none. */
bool sb_ons_of_task(const sb_published *published, const sb_summary *summary, const sb_task_info *task, double *ons);

#endif
