/* Sums up results: successes and means per task, difficulty and category, and the three scores. */
#ifndef SB_SUMMARY_H
#define SB_SUMMARY_H

#include "evaluation/baseline.h"
#include "evaluation/efficiency.h"
#include "evaluation/testing.h"

/* Sums over some of the episodes. Means are those of sb_mean. An episode that the agent failed counts with its return
 * so far, and as no success. Every attempt counts as an episode, but intervals sample episodes with all their
 * attempts, because attempts at one episode are not independent. */
typedef struct sb_tally {
    size_t episodes, successes, failures;
    size_t faults; /* episodes that ended because their world failed; they count as played */
    size_t judged; /* episodes that have success; the rate is over these */
    double success_rate;
    sb_interval success_interval; /* bootstrap interval of the success rate */
    /* Wilson's interval of the success rate, with episodes as trials, whatever the number of attempts */
    sb_interval success_wilson;
    double pass_at[SB_ATTEMPTS_MAX]; /* item k-1: the chance that one of k attempts succeeds; see sb_pass_at */
    size_t n_pass_at; /* number of items in pass_at; 0: there is one attempt at each episode, or nothing has success */
    size_t scored;    /* episodes judged by a score; its mean is over these */
    double mean_score;
    sb_interval score_interval;
    sb_efficiency efficiency; /* efficiency, in families that measure it */
    double mean_return, return_deviation, mean_dense_return;
    /* mean steps of all episodes, and of the successful ones, of which there may be none */
    double mean_steps, mean_success_steps;
    sb_counters spent;                /* sums of what agents report, over all episodes */
    unsigned partly;                  /* counters that some replies leave out, so that the sum is a lower bound */
    size_t can_be_won, cannot_be_won; /* episodes that can be won, and that cannot, by their certificates */
    size_t certified_successes;       /* successes in episodes that can be won by their certificates */
} sb_tally;

/* A task in one difficulty. */
typedef struct sb_pair {
    const sb_task_info *task;
    const char *difficulty; /* "" in families without difficulties */
    sb_tally tally;
    size_t official_seeds;   /* how many of its official evaluation seeds were played, of SB_EVAL_SEEDS */
    bool official;           /* the pair was played on exactly its official evaluation seeds */
    const sb_bounds *bounds; /* bounds of returns; NULL: the baseline has none */
    double normalised;       /* mean of the normalised returns, and its interval */
    sb_interval normalised_interval;
} sb_pair;

/* All episodes of a category or of a difficulty. */
typedef struct sb_group {
    const char *name;
    sb_tally tally;
} sb_group;

typedef enum sb_score_kind { SB_SCORE_LEADERBOARD, SB_SCORE_ONS_PAIRS, SB_SCORE_CAPABILITY, SB_N_SCORES } sb_score_kind;

extern const char *const sb_score_names[SB_N_SCORES]; /* `leaderboard`, `ons_pairs`, `capability` */

typedef struct sb_score {
    bool known;
    char missing[240]; /* what is missing, if the score is not known */
    size_t tasks;      /* how many tasks it covers */
    sb_total total;
} sb_score;

/* The summary of one family, including the tasks that the results' catalogue adds to it. Names point into family and
 * catalogue. */
typedef struct sb_summary {
    const sb_catalogue *catalogue;
    const sb_family *family;
    /* summed up as for results of versions 1 and 2: intervals of version 1, other words for what is missing */
    bool older;
    sb_tally all;
    sb_pair *pairs; /* pairs with played episodes, in the family's order */
    size_t n_pairs;
    /* groups with played episodes, in the family's order; no difficulties if the family has none */
    sb_group *categories, *difficulties;
    size_t n_categories, n_difficulties;
    /* Scores of tests, kind by kind: all its tests, then by category, then by dynamics. At last the same over all
     * kinds, if there are several. None if nothing is a test. */
    sb_test_scores *tests;
    size_t n_tests;
    bool only_tests; /* nothing is judged but tests, so there are no scores over the whole family */
    sb_score scores[SB_N_SCORES];
} sb_summary;

/* Sums up the results. The caller frees the summary, also after a failure; results and baseline must outlive it. */
bool sb_summarise(const sb_results *results, const sb_family *family, const sb_baseline *baseline, sb_summary *summary,
                  sb_error *error);
void sb_summary_free(sb_summary *summary);

#endif
