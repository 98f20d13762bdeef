/* Scores by efficiency, from what episodes took on each of their levels (engine/efficiency.h). An episode is a game in
 * the words of the published scorer, and its score, RHAE, is that of rollout/scorecard.h: percent. */
#ifndef SB_EVALUATION_EFFICIENCY_H
#define SB_EVALUATION_EFFICIENCY_H

#include "base/json.h"
#include "engine/efficiency.h"
#include "evaluation/score.h"

/* Numbers of actions, in parts of the sum of an episode's baselines, at which scores are told. */
enum { SB_EFFICIENCY_STOPS = 5 };
extern const double sb_efficiency_stops[SB_EFFICIENCY_STOPS];

/* The efficiency of some episodes; `episodes` counts those that were measured. */
typedef struct sb_efficiency {
    const char *name; /* name of the score */
    size_t episodes;
    double score; /* mean score */
    sb_interval interval;
    uint64_t levels_completed, levels, actions, resets, losses;
    uint64_t solving_actions; /* actions on the levels that were completed */
    /* mean score of a play that takes exactly each baseline, and stops after as many actions as were taken */
    double matched;
    double stopped[SB_EFFICIENCY_STOPS]; /* mean score, had the plays ended after each of sb_efficiency_stops */
} sb_efficiency;

/* The score of an episode. */
double sb_effort_score(const sb_effort *effort);
uint64_t sb_effort_actions(const sb_effort *effort);
/* The score, had the episode ended after so many actions. */
double sb_effort_score_at(const sb_effort *effort, double actions);
/* The score of who needs exactly the baseline on every level and stops after as many actions as the episode took. */
double sb_effort_matched(const sb_effort *effort);
/* Adds an episode to the sums; the caller computes means. */
void sb_efficiency_add(sb_efficiency *sums, const sb_effort *effort);

/* Write and read the member `efficiency` of an episode. */
void sb_member_effort(sb_out *out, const sb_effort *effort);
bool sb_read_effort(const cJSON *episode, sb_effort *effort, sb_error *error);
/* Writes the member `efficiency` of a tally. */
void sb_member_efficiency(sb_out *out, const sb_efficiency *efficiency);

#endif
