/* What actions cost, found by letting an oracle play copies of the episode to their ends.
 *
 * Where nothing is drawn, one play tells: its length is proven if the oracle claims the fewest steps. Such lengths are
 * kept by the key of the state, so plays end where an earlier one was. The copies have more steps than the episode, so
 * a play that is only too late is told from one that is lost. Where steps draw, the oracle plays many futures. */
#include "oracles/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "oracles/copies.h"
#include "oracles/player.h"

const char *sb_cost_kind_name(sb_cost_kind kind) {
    static const char *const names[SB_N_COST_KINDS] = {"unknown", "lost", "late", "estimate", "bound", "exact"};
    return (unsigned)kind < SB_N_COST_KINDS ? names[kind] : "";
}

enum {
    MORE = 1000,      /* steps that a copy has beyond the limit */
    KNOWN = 1 << 15,  /* room for states whose costs are kept */
    FEW = 1 << 14,    /* states of a search that knows nothing of the task */
    NEVER = INT32_MAX /* the steps from a state from which no play succeeds */
};

enum { STAY = -1 }; /* the action for costs of the state itself */

typedef struct known {
    uint64_t key[2]; /* key of the state and its episode */
    uint32_t epoch;  /* the place is in use if this is the epoch of the table */
    int32_t steps;   /* steps to success from this state, proven; or NEVER */
} known;

struct sb_costs {
    char agent[24];
    sb_player player, eyes; /* eyes: remembers what an oracle was shown that is not shown everything */
    int32_t seen;           /* step of the episode that the eyes were shown last; -1: none */
    uint64_t shown[2];      /* key of what the eyes were shown last */
    sb_action chosen;       /* the action that the eyes chose last */
    sb_env *next;           /* the copy that is played */
    sb_copies copies;       /* room for searches that prove that nothing succeeds; opened at the first use */
    sb_name name;           /* name of the episode */
    uint64_t episode[2];    /* hash of the episode's name */
    known *known;
    uint32_t epoch, n_known;
    uint64_t (*path)[2]; /* keys of the states of a play, with room for as many steps as a copy has */
    size_t path_room;
    sb_action *actions; /* actions that are worth trying */
    size_t n_actions;   /* actions that there is room for */
};

/* ---- What is known ---- */

void sb_costs_forget(sb_costs *c) {
    c->n_known = 0, c->seen = -1;
    if (++c->epoch) return;
    memset(c->known, 0, KNOWN * sizeof *c->known);
    c->epoch = 1;
}

static void turn_to(sb_costs *c, const sb_name *name) {
    char text[SB_NAME_MAX];
    uint8_t digest[32];
    if (sb_same_pair(&c->name, name) && c->name.seed == name->seed) return;
    sb_blake2b_of(text, sb_name_print(name, text, sizeof text), digest);
    memcpy(c->episode, digest, sizeof c->episode);
    c->seen = -1;
    c->name = *name;
}

static void key_of(const sb_costs *c, const sb_env *env, uint64_t key[2]) {
    sb_key(env, key);
    for (int i = 0; i < 2; i++) key[i] ^= c->episode[i];
}

/* Returns the place of a state: its own, or the one where it belongs. */
static known *place_of(const sb_costs *c, const uint64_t key[2]) {
    size_t i = key[0] % KNOWN;
    while (c->known[i].epoch == c->epoch && memcmp(c->known[i].key, key, sizeof c->known[i].key) != 0)
        i = (i + 1) % KNOWN;
    return &c->known[i];
}

static bool recall(const sb_costs *c, const uint64_t key[2], int32_t *steps) {
    const known *place = place_of(c, key);
    if (place->epoch != c->epoch) return false;
    *steps = place->steps;
    return true;
}

static void learn(sb_costs *c, const uint64_t key[2], int32_t steps) {
    if (c->n_known > KNOWN / 2) sb_costs_forget(c); /* what is proven can be proven again */
    known *place = place_of(c, key);
    c->n_known += place->epoch != c->epoch;
    *place = (known){.key = {key[0], key[1]}, .epoch = c->epoch, .steps = steps};
}

/* Keeps what a play of n actions has shown of all states on its way: after them it took `rest` steps more. */
static void learn_way(sb_costs *c, int n, int32_t rest) {
    for (int i = 0; i < n; i++) learn(c, c->path[i], n - i + rest);
}

/* ---- One play ---- */

/* How the oracle answers in this episode. */
typedef struct asked {
    const sb_oracle *oracle;
    bool is_shortest;  /* the oracle claims the fewest steps */
    bool keeps;        /* costs of states are kept: they do not depend on the step limit */
    bool draws;        /* steps draw random numbers */
    bool imagines;     /* the oracle is not shown everything, and guesses the rest */
    int32_t left;      /* steps until the limit */
    uint64_t state[2]; /* the state's key, without the draws to come */
} asked;

typedef struct outcome {
    sb_cost_kind kind; /* exact, bound, lost or unknown */
    int32_t steps;
} outcome;

/* Whether it is proven that no play succeeds from here, where the oracle did not: by the task's bound, the oracle's own
 * search, or a small one over copies. */
static bool is_lost(sb_costs *c, const asked *a, const sb_env *env, bool *found, sb_error *error) {
    const sb_family *family = env->family;
    sb_budget budget = {.limit = c->player.budget.limit}, few = {.limit = FEW};
    sb_verdict verdict = family->bound && family->bound(env) < 0 ? SB_IMPOSSIBLE : SB_NOT_FOUND;
    if (verdict == SB_NOT_FOUND && a->oracle->judge) verdict = a->oracle->judge(c->player.memory, env, &budget);
    if (verdict == SB_NOT_FOUND) {
        if (!c->copies.memory && !sb_copies_open(&c->copies, FEW, error)) return false;
        if (!sb_copies_search(&c->copies, env, &few, &verdict, error)) return false;
    }
    *found = verdict == SB_IMPOSSIBLE;
    return true;
}

/* Takes the oracle's actions until the episode ends, the oracle gives up, or a state is known; returns how many. Sets
 * `rest` to what is known, or to -1. */
static bool act_on(sb_costs *c, const asked *a, sb_env *env, int *n, int32_t *rest, sb_error *error) {
    sb_result result;
    for (*n = 0, *rest = -1; !env->status.done; ++*n) {
        if (a->keeps) {
            key_of(c, env, c->path[*n]);
            if (recall(c, c->path[*n], rest)) return true;
        }
        const sb_action action = sb_player_act(&c->player, env);
        if (c->player.intent.verb == sb_gives_up) return true;
        if (!sb_step(env, action, &result, error)) return false;
    }
    return true;
}

/* Lets the oracle play from the state in `env`, which the play changes. */
static bool play(sb_costs *c, const asked *a, sb_env *env, outcome *o, sb_error *error) {
    int n;
    int32_t rest;
    *o = (outcome){.kind = SB_COST_LOST};
    if (env->status.done && !env->status.success) return true;
    *o = (outcome){.kind = SB_COST_EXACT};
    if (env->status.done) return true;
    if (!sb_player_begin_as(&c->player, c->agent, env, error)) return false;
    if (a->imagines) memcpy(c->player.memory, c->eyes.memory, a->oracle->remembers);
    if (!act_on(c, a, env, &n, &rest, error)) return false;
    const bool is_proof = a->is_shortest && !c->player.budget.is_cut;
    if (rest == NEVER || (rest < 0 && !env->status.success)) {
        o->kind = n == 0 && rest == NEVER ? SB_COST_LOST : SB_COST_UNKNOWN;
        return true;
    }
    if (rest < 0) rest = 0;
    *o = (outcome){is_proof ? SB_COST_EXACT : SB_COST_BOUND, n + rest};
    if (is_proof && a->keeps) learn_way(c, n, rest);
    return true;
}

/* ---- Costs of an action, or of the state ---- */

static bool take(sb_costs *c, sb_action action, sb_error *error) {
    sb_result result;
    return action == STAY || sb_step(c->next, action, &result, error);
}

/* Takes the action in a copy of the episode that has more steps, if that can be. */
static bool take_with_time(sb_costs *c, const sb_env *env, sb_action action, sb_error *error) {
    if (!sb_copy(c->next, env, error)) return false;
    sb_extend(c->next, env->status.max_steps + MORE);
    return take(c, action, error);
}

/* Goes back to where a play began that did not succeed, which says little by itself: an oracle may go on for as long as
 * it can. Judges that state. */
static bool judge_failure(sb_costs *c, const asked *a, const sb_env *env, sb_action action, outcome *o,
                          sb_error *error) {
    bool lost;
    if (!take_with_time(c, env, action, error) || !sb_player_begin_as(&c->player, c->agent, c->next, error) ||
        !is_lost(c, a, c->next, &lost, error))
        return false;
    if (!lost) return true;
    o->kind = SB_COST_LOST;
    if (!a->keeps) return true;
    key_of(c, c->next, c->path[0]);
    learn(c, c->path[0], NEVER);
    return true;
}

static bool tell_by_play(sb_costs *c, const asked *a, const sb_env *env, sb_cost *cost, sb_error *error) {
    outcome o;
    if (!take_with_time(c, env, cost->action, error) || !play(c, a, c->next, &o, error)) return false;
    if (o.kind == SB_COST_UNKNOWN && !judge_failure(c, a, env, cost->action, &o, error)) return false;
    cost->kind = o.kind, cost->is_proven = o.kind == SB_COST_EXACT || o.kind == SB_COST_LOST;
    if (o.kind != SB_COST_EXACT && o.kind != SB_COST_BOUND) return true;
    cost->steps = o.steps + (cost->action != STAY);
    if (cost->steps > a->left)
        cost->kind = SB_COST_LATE;
    else
        cost->success = 1, cost->mean = cost->steps;
    return true;
}

/* The seed of a future: the same for all actions of a state. */
static uint64_t future_of(const asked *a, uint64_t n) {
    return a->state[0] ^ (a->state[1] + n) * UINT64_C(0x9e3779b97f4a7c15);
}

static double error_of_mean(double sum, double squares, int n) {
    const double mean = n ? sum / n : 0, variance = n > 1 ? (squares / n - mean * mean) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

/* Copies the episode with another future, and with a guess in place of what is hidden from the oracle. */
static bool imagine(sb_costs *c, const asked *a, const sb_env *env, uint64_t n, sb_error *error) {
    sb_rng rng;
    if (!(a->imagines ? sb_show(&c->next, env, error) : sb_copy(c->next, env, error))) return false;
    if (env->family->reseed) env->family->reseed(c->next, future_of(a, n));
    if (!a->imagines) return true;
    sb_rng_seed(&rng, ~future_of(a, n), NULL);
    a->oracle->imagine(c->eyes.memory, c->next, &rng);
    return true;
}

static bool tell_by_futures(sb_costs *c, const asked *a, const sb_env *env, sb_cost *cost, sb_error *error) {
    /* the oracle has looked already */
    const sb_action first = a->imagines && cost->action == STAY ? c->chosen : cost->action;
    const int taken = first != STAY;
    double sum = 0, squares = 0;
    int won = 0;
    for (uint64_t n = 0; n < SB_COST_FUTURES; n++) {
        outcome o;
        if (!imagine(c, a, env, n, error) || !take(c, first, error) || !play(c, a, c->next, &o, error)) return false;
        if (!c->next->status.success) continue;
        const double steps = o.steps + taken;
        won++, sum += steps, squares += steps * steps;
    }
    cost->kind = SB_COST_ESTIMATE;
    cost->success = (double)won / SB_COST_FUTURES;
    cost->success_error = sqrt(cost->success * (1 - cost->success) / SB_COST_FUTURES);
    cost->mean = won ? sum / won : 0, cost->mean_error = error_of_mean(sum, squares, won);
    return true;
}

/* ---- The best ones ---- */

/* Compares two numbers that are tied within two standard errors; returns -1, 0 or 1. */
static int compare(double a, double a_error, double b, double b_error) {
    const double within = 2 * sqrt(a_error * a_error + b_error * b_error);
    return a > b + within ? 1 : a < b - within ? -1 : 0;
}

/* Whether an action is as good as the one that looks best. */
static bool is_as_good(const sb_cost *cost, const sb_cost *best) {
    const int by_success = compare(cost->success, cost->success_error, best->success, best->success_error);
    return by_success == 0 &&
           (best->success <= 0 || compare(cost->mean, cost->mean_error, best->mean, best->mean_error) <= 0);
}

const sb_cost *sb_best_cost(const sb_cost *costs, size_t n) {
    const sb_cost *best = costs;
    for (size_t i = 1; i < n; i++)
        if (costs[i].success > best->success || (costs[i].success == best->success && costs[i].mean < best->mean))
            best = &costs[i];
    return best;
}

static void mark_best(sb_cost *costs, size_t n) {
    const sb_cost *best = sb_best_cost(costs, n);
    for (size_t i = 0; i < n; i++) costs[i].is_best = is_as_good(&costs[i], best);
}

sb_regret sb_regret_of(const sb_cost *cost, const sb_cost *best) {
    if (cost->kind == SB_COST_UNKNOWN || best->kind == SB_COST_UNKNOWN) return (sb_regret){SB_REGRET_UNKNOWN, 0};
    if (cost->is_best) return (sb_regret){SB_REGRET_STEPS, 0};
    if (compare(best->success, best->success_error, cost->success, cost->success_error) > 0 || cost->mean <= 0)
        return (sb_regret){SB_REGRET_PROBABILITY, best->success - cost->success};
    return (sb_regret){SB_REGRET_STEPS, cost->mean - best->mean};
}

/* ---- Asking ---- */

sb_costs *sb_costs_make(const char *agent, sb_error *error) {
    sb_costs *c = calloc(1, sizeof *c);
    if (c && strlen(agent) >= sizeof c->agent) {
        free(c);
        return sb_fail(error, SB_UNKNOWN, "there is no agent `%.40s`", agent), NULL;
    }
    if (c) {
        strcpy(c->agent, agent);
        c->epoch = 1;
        c->known = calloc(KNOWN, sizeof *c->known);
        c->next = sb_make(NULL, NULL, error);
    }
    if (c && c->known && c->next) return c;
    sb_costs_free(c);
    return sb_fail(error, SB_MEMORY, "out of memory for the costs of actions"), NULL;
}

void sb_costs_free(sb_costs *c) {
    if (!c) return;
    sb_player_clear(&c->player), sb_player_clear(&c->eyes);
    sb_free(c->next);
    sb_copies_close(&c->copies);
    free(c->known), free(c->path), free(c->actions);
    free(c);
}

void sb_costs_set_budget(sb_costs *c, uint64_t states) { c->player.states = c->eyes.states = states; }

bool sb_knows_the_state(const sb_oracle *oracle, const sb_name *name) {
    if (oracle->sees == SB_SEES_STATE) return true;
    return oracle->sees == SB_SEES_OBSERVATIONS &&
           sb_oracle_find(name->family, name->task, sb_oracle_names[SB_SEES_STATE]) == oracle;
}

bool sb_can_tell_costs(const char *agent, const sb_name *name, sb_criterion criterion, sb_error *error) {
    if (criterion == SB_BY_NOTHING)
        return sb_fail(error, SB_INVALID, "nothing is won in %s, so no action costs anything", name->task);
    if (!sb_agent_exists(agent, name->family, name->task, error)) return false;
    const sb_oracle *oracle = sb_oracle_find(name->family, name->task, agent);
    if (!oracle || oracle->baseline)
        return sb_fail(error, SB_INVALID, "`%s` does not aim at success, so it cannot tell what actions cost", agent);
    if (sb_knows_the_state(oracle, name) || oracle->imagine) return true;
    return sb_fail(error, SB_INVALID, "`%s` %s in %s, so it cannot tell what actions cost: ask `expert`", agent,
                   oracle->sees == SB_SEES_FUTURE ? "sees the future" : "is not shown everything", name->task);
}

/* Lets who is not shown everything look at the state. */
static bool look(sb_costs *c, const sb_env *env, sb_error *error) {
    uint64_t shown[2];
    turn_to(c, &env->name);
    if (!sb_show(&c->next, env, error)) return false;
    sb_key(c->next, shown);
    if (c->seen == env->status.steps && memcmp(shown, c->shown, sizeof shown) == 0) return true;
    if ((c->seen < 0 || c->seen + 1 != env->status.steps) && !sb_player_begin_as(&c->eyes, c->agent, env, error))
        return false;
    c->chosen = sb_player_act(&c->eyes, env);
    c->seen = env->status.steps;
    memcpy(c->shown, shown, sizeof shown);
    return true;
}

bool sb_costs_see(sb_costs *c, const sb_env *env, sb_error *error) {
    if (!env->state || env->status.done) return true;
    if (!sb_can_tell_costs(c->agent, &env->name, sb_criterion_in(env), error)) return false;
    const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, c->agent);
    return sb_knows_the_state(oracle, &env->name) || look(c, env, error);
}

/* Finds out how the oracle answers here. */
static bool prepare(sb_costs *c, const sb_env *env, asked *a, sb_error *error) {
    if (!env->state || env->status.done)
        return sb_fail(error, SB_FINISHED, "the episode is over: no action can be taken that could cost anything");
    if (!sb_can_tell_costs(c->agent, &env->name, sb_criterion_in(env), error)) return false;
    a->oracle = sb_oracle_find(env->name.family, env->name.task, c->agent);
    a->imagines = !sb_knows_the_state(a->oracle, &env->name);
    if (!(a->imagines ? sb_show(&c->next, env, error) : sb_copy(c->next, env, error))) return false;
    const bool is_extended = sb_extend(c->next, env->status.max_steps + MORE);
    a->draws = env->family->reseed && env->family->reseed(c->next, 0);
    sb_key(c->next, a->state);
    a->is_shortest = a->oracle->shortest >> env->difficulty_index & 1;
    a->keeps = a->is_shortest && is_extended && !a->imagines;
    a->left = env->status.max_steps - env->status.steps;
    if (!SB_GROW(c->path, (size_t)a->left + MORE + 1, c->path_room))
        return sb_fail(error, SB_MEMORY, "out of memory for the costs of actions");
    turn_to(c, &env->name);
    return !a->imagines || look(c, env, error);
}

static bool tell(sb_costs *c, const asked *a, const sb_env *env, sb_action action, sb_cost *cost, sb_error *error) {
    *cost = (sb_cost){.action = action, .steps = -1};
    return a->draws || a->imagines ? tell_by_futures(c, a, env, cost, error) : tell_by_play(c, a, env, cost, error);
}

bool sb_costs_ask(sb_costs *c, const sb_env *env, sb_cost *out, size_t capacity, size_t *n, sb_error *error) {
    asked a;
    if (!prepare(c, env, &a, error) || !sb_reserve_actions(&c->actions, &c->n_actions, (size_t)env->n_actions, error))
        return false;
    const size_t all = sb_worthwhile_actions(env, c->actions, c->n_actions);
    *n = all;
    for (size_t i = 0; i < all && i < capacity; i++)
        if (!tell(c, &a, env, c->actions[i], &out[i], error)) return false;
    mark_best(out, all < capacity ? all : capacity);
    return true;
}

bool sb_costs_left(sb_costs *c, const sb_env *env, sb_cost *out, sb_error *error) {
    asked a;
    return prepare(c, env, &a, error) && tell(c, &a, env, STAY, out, error) && (out->is_best = true);
}

/* ---- Progress ---- */

static double potential_of(const sb_cost *left, int32_t max_steps) {
    const double far = left->mean < max_steps ? left->mean / max_steps : 1;
    return -(1 - left->success) - left->success * far;
}

bool sb_costs_potential(sb_costs *c, const sb_env *env, double *potential, sb_error *error) {
    sb_cost left;
    *potential = 0;
    if (env->state && env->status.done) return true;
    if (!sb_costs_left(c, env, &left, error)) return false;
    *potential = potential_of(&left, env->status.max_steps);
    return true;
}

bool sb_progress_begin(sb_progress *p, sb_costs *costs, const sb_env *env, sb_error *error) {
    return !isnan(p->potential) || sb_costs_potential(costs, env, &p->potential, error);
}

bool sb_progress_step(sb_progress *p, sb_costs *costs, const sb_env *env, const sb_result *result, double *reward,
                      sb_error *error) {
    const double before = p->potential;
    double after = 0;
    p->potential = NAN;
    if (env && !sb_costs_potential(costs, env, &after, error)) return false;
    if (env) p->potential = after;
    *reward = result->reward + p->gamma * after - before;
    return true;
}
