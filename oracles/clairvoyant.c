/* The clairvoyant for every task: before the first step it plays copies of the episode to their end, future draws
 * included, and then follows the best way it has seen. The first way is the expert's. The task's bound and expert are
 * all it knows of a task, and it also works without them.
 *
 * A way is better if it succeeds, then if it returns more, then if it is shorter. In tasks judged by a score, a higher
 * score comes first, and a way that ends by a fault is the worst. In tasks that are not judged, no way is better than
 * the expert's, and nothing is searched. The result is a function of the episode's state and not of what was played
 * before: the expert starts with fresh memory, and random draws are seeded with the episode's key. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "oracles/beam.h"
#include "oracles/copies.h"
#include "oracles/player.h"

/* Limits in states looked at, for each method. The search has room for all successors of its states. */
enum {
    SEARCH_STATES = 1 << 13,
    SEARCH_ROOM = 1 << 16,
    BEAM_STATES = 500000,
    BEAM_NARROW = 64,
    ROLLOUT_DECISIONS = 2000, /* decisions of the expert */
    ROLLOUT_STATES = 1000000, /* states that the expert looks at */
    ROLLOUTS = 200,
    DETOUR = 3 /* most random actions of a detour */
};

typedef struct way {
    sb_action *actions; /* room for every step of the episode */
    int n;
    bool succeeds, faults; /* faults: the last step was a fault */
    double total;          /* sum of rewards */
    double score;          /* score at the end of the way */
} way;

typedef struct clairvoyant {
    sb_player expert;
    bool has_expert;
    sb_copies copies; /* without memory until an episode needs it */
    sb_beam beam;
    sb_env *start, *here; /* the state to plan from; a copy to play in */
    way best, trial;
    sb_action *plan; /* a plan that a search found */
    int capacity;    /* actions that the ways and the plan have room for */
    sb_rng rng;
    sb_env *ahead; /* the episode as it will be when the next action of the best way is due */
    int next;
    bool is_planned; /* there is a way to follow; false if memory ran out */
    bool is_lost;    /* a proof says that no way succeeds */
} clairvoyant;

static const char expert[] = "expert";

/* ---- Ways ---- */

/* Compares two ways that succeed. */
static bool is_better(const way *a, const way *b) { return a->total != b->total ? a->total > b->total : a->n < b->n; }

static int bound_of(const sb_env *env) { return env->family->bound ? env->family->bound(env) : 0; }

static sb_criterion criterion_of(const clairvoyant *c) { return sb_criterion_in(c->start); }

/* Tells whether only a larger return could make another way better. Bounds and claims are about steps and say nothing
 * about scores. */
static bool is_settled(const clairvoyant *c) {
    if (criterion_of(c) != SB_BY_SUCCESS) return criterion_of(c) == SB_BY_NOTHING;
    const int bound = bound_of(c->start);
    return bound < 0 || (c->best.succeeds && c->best.n <= bound);
}

static bool is_better_by_score(const way *a, const way *b) {
    if (a->faults != b->faults) return b->faults;
    if (a->score != b->score) return a->score > b->score;
    return a->succeeds != b->succeeds ? a->succeeds : is_better(a, b);
}

/* Tells whether the best way is better than the trial. The return of a way that fails does not matter. */
static bool stays_best(const clairvoyant *c) {
    if (criterion_of(c) == SB_BY_SCORE) return is_better_by_score(&c->best, &c->trial);
    return !c->trial.succeeds || (c->best.succeeds && is_better(&c->best, &c->trial));
}

/* Makes the trial the best way if it is at least as good, or if it is the first. Accepting equally good ways lets the
 * search move on to new ones. */
static void consider(clairvoyant *c) {
    if (c->best.n > 0 && stays_best(c)) return;
    const way kept = c->best;
    c->best = c->trial, c->trial = kept;
}

/* Plays the action in `here`, as the next action of the trial. */
static bool play(clairvoyant *c, sb_action action, sb_error *error) {
    sb_result result;
    if (!sb_step(c->here, action, &result, error)) return false;
    c->trial.actions[c->trial.n++] = action;
    const sb_status *status = &c->here->status;
    c->trial.succeeds = status->done && status->success, c->trial.faults = status->fault;
    c->trial.total = status->total, c->trial.score = status->score;
    return true;
}

static bool begin_trial(clairvoyant *c, sb_error *error) {
    c->trial = (way){.actions = c->trial.actions};
    return sb_copy(c->here, c->start, error);
}

/* Plays the actions that a search found as a trial. */
static bool try_actions(clairvoyant *c, const sb_action *actions, int n, sb_error *error) {
    if (!begin_trial(c, error)) return false;
    for (int i = 0; i < n && !c->here->status.done; i++)
        if (!play(c, actions[i], error)) return false;
    if (n) consider(c);
    return true;
}

/* Returns the part of the budget for one method. */
static sb_budget share_of(const sb_budget *budget, uint64_t states) {
    const uint64_t left = budget->limit > budget->spent ? budget->limit - budget->spent : 0;
    return (sb_budget){.limit = states < left ? states : left};
}

/* ---- The expert ---- */

/* Tells whether the trial may still become at least as good as the best way. A longer one may have a higher score. */
static bool is_promising(const clairvoyant *c) {
    if (criterion_of(c) == SB_BY_SCORE) return true;
    const int bound = bound_of(c->here);
    return !c->best.succeeds || (bound >= 0 && c->trial.n + (bound > 0 ? bound : 1) <= c->best.n);
}

/* Lets the expert play the trial to its end; counts its decisions and the states it looks at. */
static bool play_expert(clairvoyant *c, int *decisions, sb_budget *budget, sb_error *error) {
    if (!sb_player_begin_as(&c->expert, expert, c->here, error)) return false;
    c->expert.budget = share_of(budget, SB_DEFAULT_BUDGET);
    for (; !c->here->status.done && is_promising(c); ++*decisions)
        if (!play(c, sb_player_act(&c->expert, c->here), error)) return false;
    budget->spent += c->expert.budget.spent;
    if (c->here->status.done) consider(c);
    return true;
}

static bool claims_fewest(const clairvoyant *c) {
    return criterion_of(c) == SB_BY_SUCCESS && c->best.succeeds && !c->expert.budget.is_cut &&
           c->expert.oracle->shortest >> c->start->difficulty_index & 1;
}

/* Tells whether the expert's own search proves that there is no way. */
static bool is_judged_impossible(clairvoyant *c, sb_budget *budget) {
    const sb_oracle *oracle = c->expert.oracle;
    return criterion_of(c) == SB_BY_SUCCESS && !c->best.succeeds && oracle->judge &&
           oracle->judge(c->expert.memory, c->start, budget) == SB_IMPOSSIBLE;
}

/* Chooses where to leave the best way: anywhere, or preferably near its end if the best way fails. */
static int choose_fork(clairvoyant *c) {
    const int n = c->best.n;
    if (c->best.succeeds) return (int)sb_integers(&c->rng, 0, n);
    const int reach = 1 << sb_integers(&c->rng, 1, 9);
    return n - 1 - (int)sb_integers(&c->rng, 0, reach < n ? reach : n);
}

/* Plays the best way up to some step, then a few random actions, and then the expert's. */
static bool try_detour(clairvoyant *c, int *decisions, sb_budget *budget, sb_error *error) {
    const int fork = choose_fork(c), back = fork + (int)sb_integers(&c->rng, 1, DETOUR + 1);
    if (!begin_trial(c, error)) return false;
    while (c->trial.n < back && !c->here->status.done) {
        const bool known = c->trial.n < fork;
        const sb_action action = known ? c->best.actions[c->trial.n] : sb_random_action(c->here, &c->rng);
        if (!play(c, action, error)) return false;
    }
    return play_expert(c, decisions, budget, error);
}

static bool try_detours(clairvoyant *c, sb_budget *budget, sb_error *error) {
    sb_budget share = share_of(budget, ROLLOUT_STATES);
    int decisions = 0;
    bool ok = true;
    for (int i = 0; ok && i < ROLLOUTS && decisions < ROLLOUT_DECISIONS && share.spent < share.limit; i++)
        ok = is_settled(c) || try_detour(c, &decisions, &share, error);
    budget->spent += share.spent;
    return ok;
}

/* ---- Searches ---- */

/* Searches exhaustively for the fewest steps, within its limit; sets `is_done` if no way has fewer steps than the best.
 */
static bool try_search(clairvoyant *c, sb_budget *budget, bool *is_done, sb_error *error) {
    sb_budget share = share_of(budget, SEARCH_STATES);
    sb_verdict verdict;
    if (!c->copies.memory && !sb_copies_open(&c->copies, SEARCH_ROOM, error)) return false;
    c->copies.shorter_than = c->best.succeeds ? c->best.n : 0;
    if (!sb_copies_search(&c->copies, c->start, &share, &verdict, error)) return false;
    budget->spent += share.spent;
    const bool by_score = criterion_of(c) == SB_BY_SCORE; /* the shortest way may not have the highest score */
    *is_done = verdict == SB_IMPOSSIBLE && !by_score;
    c->is_lost = *is_done && !c->best.succeeds;
    if (verdict != SB_SOLVED) return true;
    const int n = sb_copies_plan(&c->copies, c->plan, c->capacity);
    if (!try_actions(c, c->plan, n, error)) return false;
    *is_done = c->best.n == n && !by_score;
    return true;
}

static bool try_beam(clairvoyant *c, int width, sb_budget *budget, bool *is_found, sb_error *error) {
    const int left = c->start->status.max_steps - c->start->status.steps;
    const int max_steps = c->best.succeeds && criterion_of(c) == SB_BY_SUCCESS ? c->best.n - 1 : left;
    int n;
    if (!sb_beam_search(&c->beam, c->start, width, max_steps, budget, c->plan, &n, error)) return false;
    *is_found = n > 0;
    return try_actions(c, c->plan, n, error);
}

/* If a narrow beam finds nothing better, a wide one seldom does. */
static bool try_beams(clairvoyant *c, sb_budget *budget, sb_error *error) {
    sb_budget share = share_of(budget, BEAM_STATES);
    bool ok = true, is_found = true;
    for (int width = BEAM_NARROW; ok && width <= SB_BEAM_WIDTH && (is_found || !c->best.succeeds); width *= 2)
        ok = is_settled(c) || try_beam(c, width, &share, &is_found, error);
    budget->spent += share.spent;
    return ok;
}

/* ---- Planning ---- */

/* Makes an empty environment for copies, which bring their own catalogue. */
static bool make_env(sb_env **env, sb_error *error) { return *env || (*env = sb_make(NULL, NULL, error)); }

static bool make_actions(sb_action **actions, int n, sb_error *error) {
    free(*actions);
    *actions = malloc((size_t)n * sizeof **actions);
    return *actions || sb_fail(error, SB_MEMORY, "out of memory for a plan of %d steps", n);
}

/* Makes room for an episode of n steps. */
static bool make_room(clairvoyant *c, int n, sb_error *error) {
    if (!make_env(&c->start, error) || !make_env(&c->here, error) || !make_env(&c->ahead, error)) return false;
    if (n <= c->capacity) return true;
    c->capacity = 0;
    if (!make_actions(&c->best.actions, n, error) || !make_actions(&c->trial.actions, n, error) ||
        !make_actions(&c->plan, n, error))
        return false;
    c->capacity = n;
    return true;
}

static bool improve(clairvoyant *c, sb_budget *budget, sb_error *error) {
    bool is_done = false;
    if (!try_search(c, budget, &is_done, error)) return false;
    if (is_done) return true;
    return try_beams(c, budget, error) && (!c->has_expert || try_detours(c, budget, error));
}

/* Finds the best way from `start`. */
static bool find_way(clairvoyant *c, sb_budget *budget, sb_error *error) {
    uint64_t key[2];
    int decisions = 0;
    sb_key(c->start, key);
    sb_rng_seed(&c->rng, key[0], NULL);
    sb_player_clear(&c->expert);
    c->is_lost = criterion_of(c) == SB_BY_SUCCESS && bound_of(c->start) < 0;
    c->next = 0, c->best = (way){.actions = c->best.actions, .total = c->start->status.total};
    if (c->start->status.done) return true;
    if (c->has_expert) {
        if (!begin_trial(c, error) || !play_expert(c, &decisions, budget, error)) return false;
        if (claims_fewest(c)) return true;
        c->is_lost = is_judged_impossible(c, budget) || c->is_lost;
        if (c->is_lost) return true;
    }
    return is_settled(c) || improve(c, budget, error);
}

static bool is_equal(const sb_env *a, const sb_env *b) {
    uint64_t keys[2][2];
    sb_key(a, keys[0]), sb_key(b, keys[1]);
    return a->status.steps == b->status.steps && keys[0][0] == keys[1][0] && keys[0][1] == keys[1][1];
}

/* Tells whether the episode has followed the best way so far, which began at its first step. If so, the next action is
 * the one that is due now. */
static bool is_on_way(clairvoyant *c, const sb_env *env, sb_error *error) {
    sb_result result;
    const int steps = env->status.steps;
    if (steps >= c->best.n || !sb_copy(c->ahead, c->start, error)) return false;
    for (int i = 0; i < steps; i++)
        if (!sb_step(c->ahead, c->best.actions[i], &result, error)) return false;
    c->next = steps;
    return is_equal(c->ahead, env);
}

/* Plans from the episode's first step and keeps that plan if the episode is on it, so that starting in the middle gives
 * the same actions as starting at the beginning. Else plans from the current state. */
static bool plan(clairvoyant *c, const sb_env *env, sb_budget *budget, sb_error *error) {
    c->has_expert = sb_oracle_find(env->name.family, env->name.task, expert);
    if (!make_room(c, env->status.max_steps, error)) return false;
    if (env->status.steps > 0) {
        if (!sb_copy(c->start, env, error) || !sb_reset_name(c->start, &env->name, error) ||
            !find_way(c, budget, error))
            return false;
        if (is_on_way(c, env, error)) return true;
    }
    return sb_copy(c->start, env, error) && find_way(c, budget, error) && sb_copy(c->ahead, env, error);
}

/* ---- The oracle ---- */

static bool begin(void *memory, const sb_env *env, sb_budget *budget, sb_error *error) {
    clairvoyant *c = memory;
    return c->is_planned = plan(c, env, budget, error);
}

static void finish(void *memory) {
    clairvoyant *c = memory;
    sb_player_clear(&c->expert);
    sb_copies_close(&c->copies);
    sb_beam_close(&c->beam);
    sb_free(c->start), sb_free(c->here), sb_free(c->ahead);
    free(c->best.actions), free(c->trial.actions), free(c->plan);
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    static const sb_xy nowhere = {-1, -1};
    clairvoyant *c = memory;
    sb_error error;
    sb_result result;
    /* If something else acted, plan again. Without memory for a new plan, wait. */
    if (!c->is_planned || !is_equal(c->ahead, observation->env)) begin(c, observation->env, budget, &error);
    const bool knows = c->is_planned && c->next < c->best.n;
    *action = knows ? c->best.actions[c->next++] : 0;
    if (c->is_lost)
        sb_give_up(intent, "no solution is left");
    else if (knows)
        sb_intend(intent, "follow", c->best.succeeds ? "plan" : expert, nowhere);
    else
        sb_give_up(intent, "no plan is left");
    if (c->is_planned && !c->ahead->status.done) sb_step(c->ahead, *action, &result, &error);
}

const sb_oracle sb_clairvoyant = {
    .name = "clairvoyant",
    .sees = SB_SEES_FUTURE,
    .plans = true,
    .memory = sizeof(clairvoyant),
    .begin = begin,
    .close = finish,
    .act = act,
};
