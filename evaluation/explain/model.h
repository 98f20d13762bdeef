/* A small model of an agent's success: logistic regression on the measures, judged by episodes that it was not fitted
 * with. */
#ifndef SB_EXPLAIN_MODEL_H
#define SB_EXPLAIN_MODEL_H

#include "evaluation/explain/logistic.h"
#include "evaluation/explain/outcome.h"

/* A column: the logarithm of 1 + the measure, or whether the measure is missing; both standardised, the former with the
 * mean where it is missing. */
typedef struct sb_feature {
    sb_measure measure;
    bool missing;
} sb_feature;

typedef struct sb_model {
    bool known; /* at least SB_MODEL_LEAST won and as many lost episodes */
    size_t n;   /* number of features */
    sb_feature features[SB_LOGISTIC_MAX];
    /* weights of the features: log odds for a standard deviation, fitted to all episodes */
    double weights[SB_LOGISTIC_MAX];
    /* Over held-out episodes: mean log loss; that of the success rate alone; by how much the former is less. */
    double loss, base_loss, gain;
    sb_interval gain_interval; /* bootstrap interval of the gain, over episodes */
    double auc;                /* how often a won episode was given the greater chance than a lost one */
} sb_model;

enum { SB_MODEL_LEAST = 10 };

/* Fits the model, and sets the chance of each outcome by the fits that leave out its fold. */
bool sb_model_fit(sb_outcome *outcomes, size_t n, sb_model *model, sb_error *error);

#endif
