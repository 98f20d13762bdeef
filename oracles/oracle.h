/* Oracles: policies, found by family, task and name. */
#ifndef SB_ORACLE_H
#define SB_ORACLE_H

#include "base/search/search.h"
#include "engine/environment.h"
#include "seedbed.h"
#include "seedbed/player.h"
#include "seeds/rng.h"

/* What an oracle may look at. Observations: only what the agent is shown. State: the whole current state, including
 * hidden variables, but no future: generators and stored seeds belong to the future. Future: all of it. */
typedef enum sb_sees { SB_SEES_OBSERVATIONS, SB_SEES_STATE, SB_SEES_FUTURE, SB_N_SEES } sb_sees;

/* The usual names of oracles, by what they look at. */
extern const char *const sb_oracle_names[SB_N_SEES];

/* What an oracle is given. If it sees only observations, the episode is a copy whose hidden state is overwritten
 * (sb_family.hide). So it can query the copy freely without learning anything hidden. Where a family cannot hide, the
 * oracle must only look at what is shown.
 *
 * What the oracle answers need not be what is done: it may only label what somebody else plays. Memory that depends on
 * what was done must go by `env->taken`, the action that led here, and not by the oracle's last answer. */
typedef struct sb_observation {
    const sb_env *env;
} sb_observation;

enum { SB_DEFAULT_BUDGET = 5000000 }; /* in states per episode */

/* How useful a plan in words is: an oracle carries it out and adds subgoals where it falls short. */
typedef struct sb_assistance {
    uint32_t added;    /* subgoals that the oracle had to add (A) */
    uint32_t max_help; /* subgoals that it makes without any plan (M) */
    /* All 0 if the episode did not terminate with the plan. */
    double comprehension; /* CR: 1 if the episode terminated with the plan */
    double precision;     /* PR: 1 if nothing was added */
    double assistance;    /* ACI: (M - A) / M, at least 0 */
} sb_assistance;

typedef struct sb_oracle {
    const char *family, *task;       /* task is NULL: plays every task of the family; both NULL: of every family */
    bool (*plays)(const char *task); /* if task is NULL: plays the tasks for which this holds; NULL: all */
    const char *name;
    sb_sees sees;
    uint8_t shortest; /* one bit per difficulty: it claims the fewest steps, unless the budget was cut.
                         tests/claims_test.c checks every claim */
    bool plans;    /* the oracle follows a stored plan: with fresh memory it may take another way that is as good. In an
                      episode in which other actions than its own were taken it mends the plan, or makes one in less
                      time, which may take more steps than the best one */
    bool baseline; /* the oracle explores or waits, and does not aim at success */
    size_t memory; /* bytes of memory for act, zeroed when allocated and kept from episode to episode. Only a cache, but
                      for what it remembers: with fresh memory the oracle takes the same action (but see `plans`) */
    size_t remembers; /* bytes at the beginning of the memory with what it learned in this episode; when an episode
                         begins, the memory is closed and these are zeroed. 0: nothing */
    /* Prepares for an episode: plans ahead what can be planned. May allocate; fails only if memory runs out. NULL:
     * nothing to do. */
    bool (*begin)(void *memory, const sb_env *env, sb_budget *budget, sb_error *error);
    /* Frees what the memory refers to, but not the memory itself. NULL: nothing to free. */
    void (*close)(void *memory);
    void (*act)(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent);
    /* Of an oracle that sees only observations: writes a guess into an episode whose hidden state is overwritten (as in
     * sb_observation), drawn as likely as it is after all that the oracle was shown, up to the state in which it acted
     * last. With it the episode can be played on, whatever is true. NULL: the oracle makes no guesses. */
    void (*imagine)(const void *memory, sb_env *env, sb_rng *rng);
    /* Says what its own search can prove about the episode from here. NULL: it can prove nothing. */
    sb_verdict (*judge)(void *memory, const sb_env *env, sb_budget *budget);
    /* Judges the episode without something that can only be in the way: if the rest cannot be won, the episode cannot
     * either. This proof is independent of the task's bound and of the other searches (docs/certificates.md).
     * IMPOSSIBLE is a proof, NOT_FOUND says nothing. Fails if memory runs out. NULL: the task has no such relaxation.
     */
    bool (*judge_relaxed)(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);
    /* Carries out a plan in copies of the episode from here. If `plan` is NULL, only max_help is computed. Fails if the
     * plan cannot be read. NULL: the oracle takes no plans. */
    bool (*assist)(const sb_env *env, const char *plan, sb_assistance *assistance, sb_error *error);
} sb_oracle;

/* All oracles, NULL-terminated. Each program defines the list once: oracles/table.c, or a test's own list. */
extern const sb_oracle *const sb_oracles[];

/* The general clairvoyant, for every task that has no clairvoyant of its own. */
extern const sb_oracle sb_clairvoyant;

/* Finds an oracle; NULL if there is none. If a task hides nothing, its observer is its expert, provided that the expert
 * sees only observations. */
const sb_oracle *sb_oracle_find(const char *family, const char *task, const char *name);

/* Returns the name of the oracle that acts in datasets of a task unless another agent is named: the family's teacher. A
 * task with an observer has that one, if the teacher does not play to succeed. `task` may be NULL: any. */
const char *sb_teacher_of(const sb_family *family, const char *task);
/* Returns the name of the agent that plays an episode and gives hints unless another one is named: the task's `expert`,
 * or its family's teacher if it has none. The name must be one that was parsed. */
const char *sb_default_agent(const sb_name *name);
/* Whether an agent plays to succeed: oracles do, but baselines and `random` do not. */
bool sb_aims_at_success(const char *agent);
/* Whether the agent of this name (an oracle, or any other) knows more of the task than agents are shown. */
bool sb_is_privileged(const char *family, const char *task, const char *agent);

/* Finds the oracle that takes plans for the task; NULL if there is none. */
const sb_oracle *sb_oracle_that_assists(const char *family, const char *task);

enum { SB_ORACLES_MAX = 8 /* oracles of one task */ };

/* Lists the names that sb_oracle_find knows for a task, those of sb_oracle_names first. Returns how many there are. */
size_t sb_oracles_of(const char *family, const char *task, const char *names[SB_ORACLES_MAX]);

/* The verb of an oracle that knows no way to succeed; the object says why. */
extern const char sb_gives_up[];
/* The verb of intents that tell where an object comes to. */
extern const char sb_verb_move[];

void sb_intend(sb_intent *intent, const char *verb, const char *object, sb_xy at);
/* `why`: a clause of at most 23 bytes, such as "no solution is left". */
void sb_give_up(sb_intent *intent, const char *why);

#endif
