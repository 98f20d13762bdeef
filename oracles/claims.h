/* Claims: what can be said of a move, so that each sentence about it can be checked. They follow from costs
 * (seedbed/costs.h), from the oracle's play of a copy, and from the grid; oracles/reasons.h puts them into words. */
#ifndef SB_ORACLES_CLAIMS_H
#define SB_ORACLES_CLAIMS_H

#include "base/out.h"
#include "oracles/oracle.h"
#include "seedbed/costs.h"
#include "seedbed/gridworld.h"

typedef enum sb_claim_kind {
    SB_CLAIM_STAGE,   /* what the plan does as number `number`, from 1, in `steps` steps: `what` */
    SB_CLAIM_EFFECT,  /* stage `number` makes `was` at `to` into `is`, or changes its state */
    SB_CLAIM_AT,      /* the object `is` stands at `to` */
    SB_CLAIM_WALK,    /* the shortest walk to `to`, or to beside it if it cannot be entered, takes `steps` */
    SB_CLAIM_BLOCKED, /* no walk leads to `to` now */
    SB_CLAIM_OPENS,   /* a walk leads to `to` after stage `number` */
    SB_CLAIM_PLAN,    /* what the move costs: `cost` */
    SB_CLAIM_MOVES,   /* the move takes the agent from `from` to `to` */
    SB_CLAIM_STAYS,   /* the move leaves the agent where it is */
    SB_CLAIM_CHANGES, /* the move makes `was` at `to` into `is` */
    SB_CLAIM_INSTEAD, /* what another move would cost: `cost` */
    SB_N_CLAIMS
} sb_claim_kind;

typedef struct sb_claim {
    sb_claim_kind kind;
    int32_t number, steps;
    sb_intent what;
    sb_xy from, to;
    sb_object was, is;
    sb_cost cost; /* its action is the move that is meant */
} sb_claim;

/* How much is claimed. */
typedef enum sb_depth {
    SB_DEPTH_INTENT, /* what the oracle intends; no claims */
    SB_DEPTH_PLAN,   /* the stages of the plan, and what two other moves would cost */
    SB_DEPTH_SEARCH, /* the stages, what each of them brings about, and what all other moves would cost */
    SB_N_DEPTHS
} sb_depth;

enum {
    SB_CLAIMS_MAX = 64,
    SB_STAGES_MAX = 12,  /* stages of a plan; those that follow are left out */
    SB_STAGES_TRACED = 6 /* stages whose effects are claimed */
};

/* The claims about a move. What they point to belongs to who found them, until the next search. */
typedef struct sb_claims {
    sb_claim of[SB_CLAIMS_MAX];
    size_t n;
    int32_t stages;           /* stages of the plan, also those that were left out */
    const sb_action *actions; /* actions of the plan, the move included */
    size_t n_actions;
} sb_claims;

typedef struct sb_claimer sb_claimer; /* finds claims with the eyes of one oracle */

/* Makes a claimer for an agent. `costs`: told by the same oracle; they belong to the caller, who frees them after the
 * claimer. */
sb_claimer *sb_claimer_make(const char *agent, sb_costs *costs, sb_error *error);
void sb_claimer_free(sb_claimer *claimer);
/* Finds what can be said of a move in the current state. `why`: the intent with which it is made; a verb of NULL: none
 * is known, and neither may be the move's cost, because the stages of a plan begin with the move. There is nothing to
 * say of a click that does the same as another action. Fails as sb_costs_ask does. */
bool sb_claims_find(sb_claimer *claimer, const sb_env *env, sb_action action, const sb_intent *why, sb_depth depth,
                    sb_claims *claims, sb_error *error);

/* Writes the claims as a list of JSON objects (docs/formats.md). */
void sb_put_claims(sb_out *out, const sb_claims *claims);

#endif
