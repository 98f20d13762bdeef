/* Measures one episode: plays it with oracles and at random, and searches it. */
#ifndef SB_ATLAS_GAUGE_H
#define SB_ATLAS_GAUGE_H

#include "evaluation/atlas/demand.h"
#include "evaluation/certificates/prover.h"
#include "oracles/costs.h"

/* What a worker keeps from episode to episode. Starts zeroed, but for the catalogue of the prover's worker. */
typedef struct sb_gauge {
    sb_prover prover;
    sb_certificate certificate;
    sb_tape best;                /* the shortest play that is known */
    sb_env *start, *here, *next; /* the episode at its start; room for two other states of it */
    sb_player player;
    const char *champion; /* who plays from other states of the episode */
    sb_costs *costs;
    sb_copies copies; /* memory of the breadth-first search */
    sb_action *actions;
    sb_cost *prices; /* costs of the actions in a state */
    uint64_t (*keys)[2];
    size_t n_actions, n_prices; /* how many actions and prices there is room for */
} sb_gauge;

void sb_gauge_free(void *data); /* frees a gauge; takes void * to serve as sb_pool.free_scratch */

/* Measures the episode whose name stands in the row: everything, or (with a demand) what it reads, and perhaps more. */
bool sb_gauge_measure(sb_gauge *gauge, const sb_demand *demand, sb_atlas_row *row, sb_error *error);

#endif
