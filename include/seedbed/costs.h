/* Costs: what every action of a state is worth, and not only which one an oracle would take.
 *
 *     sb_costs *costs = sb_costs_make("expert", &error);
 *     if (!sb_costs_ask(costs, env, list, capacity, &n, &error)) ...
 *     for (size_t i = 0; i < n; i++) printf("%d: %d steps\n", list[i].action, list[i].steps);
 *     sb_costs_free(costs);
 *
 * A cost counts the steps from here to success, the action included. It is found by letting the oracle play copies of
 * the episode to their ends, so it is told together with how sure it is. The same state always gets the same numbers,
 * unless the budget is too small: then what was proven in other states may prove more. */
#ifndef SEEDBED_COSTS_H
#define SEEDBED_COSTS_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sb_cost_kind {
    SB_COST_UNKNOWN,  /* no play that succeeds is known, and none is ruled out */
    SB_COST_LOST,     /* proven: no play succeeds, not even with 1,000 steps more. Where the step limit is one of the
                         rules, as in tasks in which one has to last until then, there are no more */
    SB_COST_LATE,     /* the play that is known would succeed after the step limit */
    SB_COST_ESTIMATE, /* random draws decide, or what is hidden: how often and how soon the oracle succeeded in futures
                         of its own drawing, which are the same for all actions and have nothing to do with those of the
                         episode; nor has what it imagines in them where something is hidden from it */
    SB_COST_BOUND,    /* a play of so many steps is known; a shorter one may exist */
    SB_COST_EXACT,    /* proven: no play takes fewer steps */
    SB_N_COST_KINDS
} sb_cost_kind;

/* Returns the name of a kind, such as `exact`; an empty text for any other number. */
SB_API const char *sb_cost_kind_name(sb_cost_kind kind);

typedef struct sb_cost {
    sb_action action; /* -1: the cost is of the state itself */
    sb_cost_kind kind;
    /* SB_COST_LATE: no play succeeds within the step limit; other kinds: whether the kind is a proof */
    bool is_proven;
    bool is_best;  /* no other action is better; several may be equally good. Where no action is known to succeed, all
                      are */
    int32_t steps; /* exact, bound, late: steps of the play; else -1 */
    /* The probability of success within the steps that are left, and the mean of the steps of plays that succeed (0:
     * none does), each with its standard error. Of costs that are no estimates: 1 or 0, the steps of a play in time,
     * and no errors. */
    double success, success_error, mean, mean_error;
} sb_cost;

typedef struct sb_costs sb_costs;

enum { SB_COST_FUTURES = 64 /* futures that an estimate is made from */ };

/* Makes an object that tells costs by an oracle which aims at success and does not see the future. Whether a task has
 * it is checked by sb_costs_ask. `agent`: at most 23 bytes. */
SB_API sb_costs *sb_costs_make(const char *agent, sb_error *error);
SB_API void sb_costs_free(sb_costs *costs);
/* Limits how many states the oracle may look at in one play (0: the default, 5,000,000). */
SB_API void sb_costs_set_budget(sb_costs *costs, uint64_t states);

/* Writes the costs of what can be done in the current state, in the order of the actions: of every button, and of the
 * clicks worth trying. `n` becomes how many there are; if that is more than `capacity`, only the first are written,
 * and the best of these is marked. The better action succeeds more often, or as often and sooner; estimates within two
 * standard errors are equal.
 *
 * Changes nothing in `env`. Costs as much as one play an action, or SB_COST_FUTURES of them for estimates; less if the
 * same object was asked in other states of the episode. Fails if the episode is over, if nothing is ever won in the
 * task, if the task has no such oracle, or if that can neither see nor imagine what is hidden.
 *
 * Who is not shown everything remembers what it was shown in the states of the episode that it was asked about or shown
 * (sb_costs_see), if each was a step after the one before. Asked in any other state, it knows that one alone. */
SB_API bool sb_costs_ask(sb_costs *costs, const sb_env *env, sb_cost *out, size_t capacity, size_t *n, sb_error *error);

/* Shows the oracle a state on the way, so that it remembers that state. Costs as much as one action; nothing if
 * everything is shown to the oracle. */
SB_API bool sb_costs_see(sb_costs *costs, const sb_env *env, sb_error *error);

/* Tells how far success is from the current state: the cost of the oracle's own play, from its first action on. */
SB_API bool sb_costs_left(sb_costs *costs, const sb_env *env, sb_cost *out, sb_error *error);

/* Tells the potential of the current state, from -1 to 0, for rewards that tell of every step whether it helped:
 *
 *     progress = reward + gamma * potential after the step - potential before it
 *
 * Such rewards leave the best policies the best (Ng, Harada and Russell, 1999), because they add up to the same for all
 * ways from one state to another; and the potential is 0 after every end, whether the episode was won or not. With p,
 * the probability of success in the steps that are left, and m, the mean steps of plays that succeed, but at most the
 * step limit, the potential is -(1 - p) - p * m / step limit. So it is -1 where success is out of reach, or unknown. */
SB_API bool sb_costs_potential(sb_costs *costs, const sb_env *env, double *potential, sb_error *error);

#ifdef __cplusplus
}
#endif
#endif
