/* Oracles: one policy for a task, looked up by family, task and name. */
#ifndef SB_ORACLE_H
#define SB_ORACLE_H

#include "engine/environment.h"
#include "search/budget.h"
#include "seedbed.h"
#include "seedbed/player.h"

/* What an oracle may look at. Observations: what the agent is shown, and nothing else. State: everything as it is now,
 * hidden variables included, but no future: generators and stored seeds are future. */
typedef enum sb_sees { SB_SEES_OBSERVATIONS, SB_SEES_STATE, SB_SEES_FUTURE, SB_N_SEES } sb_sees;

/* What an oracle is called that makes use of all that it may look at. */
extern const char *const sb_oracle_names[SB_N_SEES];

/* Who sees only observations is given a copy of the episode in which everything else was overwritten
 * (sb_family.hide), so that it can ask the same questions of it as anybody, and none too many. */
typedef struct sb_observation {
    const sb_env *env;
} sb_observation;

enum { SB_DEFAULT_BUDGET = 5000000 }; /* states an episode */

/* How far a plan in words carries, if an oracle carries it out and helps itself where it falls short. */
typedef struct sb_assistance {
    uint32_t added;    /* subgoals that it had to add (A) */
    uint32_t max_help; /* those that it makes without any plan (M) */
    /* All 0 if the episode did not terminate with the plan. */
    double comprehension; /* CR: 1 if it did */
    double precision;     /* PR: 1 if nothing had to be added */
    double assistance;    /* ACI: (M - A) / M, not below 0 */
} sb_assistance;

typedef struct sb_oracle {
    const char *family, *task; /* task NULL: it plays every task of the family; both NULL: of every family */
    const char *name;
    sb_sees sees;
    uint8_t shortest; /* bit per difficulty: claims the fewest steps, unless its budget says that it was cut. Every
                         claim is held by tests/claims_test.c */
    bool plans;       /* follows a plan that it keeps: with fresh memory it may take another way, which is as good */
    bool remembers; /* its memory is what it learnt in this episode: zeroed when one begins, and then more than a cache
                     */
    size_t memory;  /* bytes that act may use from call to call, zeroed when they are made and kept from episode to
                         episode. Only a cache: with fresh memory the oracle takes the same action (or see `plans`) */
    /* An episode begins: what is to be planned ahead. May allocate. NULL: nothing. Fails without memory only. */
    bool (*begin)(void *memory, const sb_env *env, sb_budget *budget, sb_error *error);
    /* Frees what the memory refers to; the memory itself is its owner's. NULL: nothing. */
    void (*close)(void *memory);
    void (*act)(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent);
    /* What its own search says of the episode from here; NULL: it has none that proves anything. */
    sb_verdict (*judge)(void *memory, const sb_env *env, sb_budget *budget);
    /* What a search says of the episode with something left out that can only be in the way: if what remains cannot be
     * won, the episode cannot either. A proof of its own beside the task's bound and the other searches
     * (docs/certificates.md). IMPOSSIBLE is a proof, NOT_FOUND says nothing. False, with the error, if memory ran out.
     * NULL: there is none. */
    bool (*judge_relaxed)(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);
    /* Carries out a plan in copies of the episode from here. NULL for the plan: only max_help is found out. Fails on
     * plans that cannot be read. NULL: it takes no plans. */
    bool (*assist)(const sb_env *env, const char *plan, sb_assistance *assistance, sb_error *error);
} sb_oracle;

/* The oracles there are, NULL-terminated. Defined once per program: oracles/table.c, or a test's own list. */
extern const sb_oracle *const sb_oracles[];

/* Sees the future of any task: what there is where a task has no clairvoyant of its own. */
extern const sb_oracle sb_clairvoyant;

/* NULL if there is none. The observer of a task that hides nothing is its expert, if that sees observations only. */
const sb_oracle *sb_oracle_find(const char *family, const char *task, const char *name);

/* The oracle that takes plans for the task, or NULL. */
const sb_oracle *sb_oracle_that_assists(const char *family, const char *task);

enum { SB_ORACLES_MAX = 8 /* names of one task's */ };

/* Names of all that sb_oracle_find finds for a task: those of sb_oracle_names first. Returns how many there are. */
size_t sb_oracles_of(const char *family, const char *task, const char *names[SB_ORACLES_MAX]);

void sb_intend(sb_intent *intent, const char *verb, const char *object, sb_xy at);

#endif
