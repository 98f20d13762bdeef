/* What an agent made of episodes, beside what the atlas says of them. */
#ifndef SB_EXPLAIN_OUTCOME_H
#define SB_EXPLAIN_OUTCOME_H

#include "evaluation/atlas/atlas.h"
#include "evaluation/result.h"

typedef struct sb_outcome {
    const sb_atlas_row *row;
    size_t place;  /* index of the first attempt in the results */
    double won;    /* share of the attempts that won */
    double chance; /* chance of winning, by a model that was fitted without this episode; NaN: there is none */
    unsigned fold; /* fold of the episode, below SB_FOLDS, drawn by a hash of its name */
    /* the episode is in the half that is held out where a threshold is chosen, drawn by a hash of its name */
    bool held;
} sb_outcome;

enum { SB_FOLDS = 5 };

typedef struct sb_outcomes {
    sb_outcome *all;
    size_t n;
    /* How many episodes are left out: without a row in the atlas, proven to be lost, without success or failure. */
    size_t unknown, impossible, unjudged;
} sb_outcomes;

/* Joins the family's episodes with the atlas; attempts at one episode are one outcome. Both must outlive the outcomes,
 * which the caller frees, also after a failure. */
bool sb_outcomes_join(const sb_results *results, const sb_family *family, const sb_atlas_book *atlas,
                      sb_outcomes *outcomes, sb_error *error);
void sb_outcomes_free(sb_outcomes *outcomes);
/* Draws fold and half by the name in the row. */
void sb_outcome_draw(sb_outcome *outcome);

/* Whether the measure is used to explain: those that only bound others are not. */
bool sb_explains(sb_measure measure);
static inline double sb_outcome_value(const sb_outcome *outcome, sb_measure measure) {
    return outcome->row->values[measure];
}

/* An outcome that has a value of a measure. */
typedef struct sb_ordered {
    double value;
    size_t index;
} sb_ordered;

/* Lists the outcomes that have a value of the measure, in ascending order, and returns how many; there has to be room
 * for all. */
size_t sb_order_outcomes(const sb_outcome *outcomes, size_t n, sb_measure measure, sb_ordered *ordered);

#endif
