/* What the atlas says of agents: how success goes with each measure, what predicts it, where an agent fails, and which
 * episodes surprise. */
#ifndef SB_EXPLAIN_EXPLAIN_H
#define SB_EXPLAIN_EXPLAIN_H

#include "evaluation/explain/bins.h"
#include "evaluation/explain/correlation.h"
#include "evaluation/explain/model.h"
#include "evaluation/explain/threshold.h"

enum { SB_SURPRISES = 5 /* surprises that are listed, of lost and of won episodes each */ };

/* The outcomes that surprise most, the most surprising first: their indices. */
typedef struct sb_surprises {
    size_t n_lost, lost[SB_SURPRISES]; /* the lost ones with the greatest chance, above the mean success */
    size_t n_won, won[SB_SURPRISES];   /* the won ones with the least chance, below the mean success */
} sb_surprises;

/* What the atlas says of one agent. */
typedef struct sb_explained {
    sb_outcomes outcomes;
    sb_correlation correlations[SB_N_MEASURES];
    sb_model model;
    sb_threshold threshold;
    sb_surprises surprises;
} sb_explained;

typedef struct sb_explanation {
    sb_atlas_book atlas;
    /* bins of each measure, over the episodes of all agents, each counted once */
    sb_bins bins[SB_N_MEASURES];
    sb_measure
        order[SB_N_MEASURES]; /* the measures that have bins, those first that go most with some agent's success */
    size_t n_measures;
    sb_explained *agents;
    size_t n;
} sb_explanation;

/* Reads the atlas and explains the family's episodes in the results. Fails if the atlas has none of them. The results
 * must outlive the explanation, which the caller frees, also after a failure. */
bool sb_explain(const char *path, const sb_catalogue *catalogue, const sb_family *family,
                const sb_results *const *results, size_t n, sb_explanation *explanation, sb_error *error);
void sb_explanation_free(sb_explanation *explanation);

/* Lists the surprises among the outcomes, which have chances. Chances are compared by the digits that are shown, so
 * that every machine lists the same. */
sb_surprises sb_surprises_of(const sb_outcomes *outcomes);

#endif
