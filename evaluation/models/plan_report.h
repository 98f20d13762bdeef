/* What planning in a candidate came to, over several episodes, beside planning in the true model. */
#ifndef SB_EVALUATION_MODELS_PLAN_REPORT_H
#define SB_EVALUATION_MODELS_PLAN_REPORT_H

#include "evaluation/efficiency.h"
#include "evaluation/models/plan.h"
#include "evaluation/table.h"

/* An episode, played in the candidate and in the true model (the latter unless the summary is `alone`). */
typedef struct sb_planned {
    sb_plan_report candidate, truth;
} sb_planned;

typedef struct sb_plan_summary {
    const sb_planned *episodes;
    size_t n;
    const char *model, *version;    /* name and version that the candidate's hello gave */
    sb_efficiency candidate, truth; /* efficiency of the episodes that measure it */
    size_t successes, true_successes;
    double regret; /* mean regret in percent */
    sb_interval regret_interval;
    sb_plan_report sums, true_sums; /* sums of the reports: with the candidate, and with the true model */
    bool alone; /* set by the caller: nothing was played in the true model, and there is no regret */
} sb_plan_summary;

/* The score of an episode in percent: that by efficiency; of other tasks their score, or success. */
double sb_plan_score(const sb_plan_report *report);
/* What is lost by planning in the candidate instead of the true model; negative if it was better by chance. */
static inline double sb_plan_regret(const sb_planned *planned) {
    return sb_plan_score(&planned->truth) - sb_plan_score(&planned->candidate);
}

/* Sums up. The summary points to the episodes. */
bool sb_plan_summarise(const sb_planned *episodes, size_t n, sb_plan_summary *summary, sb_error *error);

/* The tables, which the caller frees: scores, and how it was played. */
enum { SB_PLAN_SCORES, SB_PLAN_PLAYS, SB_PLAN_TABLES };
sb_table sb_plan_table(const sb_plan_summary *summary, int which);
/* Writes the summary as a JSON document. */
void sb_plan_put(const sb_plan_summary *summary, sb_out *out);

#endif
