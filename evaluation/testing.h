/* Scores of tests (engine/testing.h), by kind and category, and by whether steps draw. */
#ifndef SB_EVALUATION_TESTING_H
#define SB_EVALUATION_TESTING_H

#include <cjson/cJSON.h>

#include "engine/testing.h"
#include "evaluation/exploration.h"
#include "evaluation/score.h"
#include "rollout/tape.h"

/* What the tests of a kind come to: all of them, those of a category, or those with the same dynamics. */
typedef struct sb_test_scores {
    const sb_test_kind *kind; /* sb_all_tests: of all kinds together */
    const char *category;     /* NULL: any */
    const char *dynamics;     /* `deterministic`, `stochastic`: whether steps draw; NULL: any */
    size_t episodes, tested;  /* episodes; tested: those in which the test began */
    double interaction;       /* mean number of steps before the test */
    /* mean of the scores, where lost episodes score 0; over all kinds, the mean of the kinds' means */
    double mean;
    sb_interval interval;
    /* For kinds that can be guessed: (mean - chance) / (1 - chance), and the interval likewise. For others: the mean
     * and its interval. */
    double corrected;
    sb_interval corrected_interval;
    /* Kinds in which something changes: the mean by the other formula; in how many episodes it changed, and in how many
     * of these the agent submitted a frame. */
    double zero;
    sb_interval zero_interval;
    size_t changed, submitted;
    sb_exploration_means exploration;
} sb_test_scores;

/* The kind of scores that are the mean over all kinds. Its name is `all`. */
extern const sb_test_kind sb_all_tests;
extern const char *const sb_dynamics_names[2]; /* `deterministic`, `stochastic` */

/* Which tests of their kind the scores are of: a category, dynamics, or `all`. */
const char *sb_test_group(const sb_test_scores *scores, const char *all);

/* Sets the corrected scores from the mean and its interval. */
void sb_correct_for_chance(sb_test_scores *scores);

/* Write and read the member `test` of an episode; nothing is written if it is no test. */
void sb_member_test(sb_out *out, const sb_test_record *record);
bool sb_read_test(const cJSON *episode, sb_tape *tape, sb_error *error);
/* Writes scores as a JSON object. */
void sb_put_test_scores(sb_out *out, const sb_test_scores *scores);

#endif
