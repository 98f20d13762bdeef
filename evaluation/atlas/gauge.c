#include "evaluation/atlas/gauge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/score.h"
#include "rollout/judging.h"
#include "rollout/worker.h"
#include "seedbed/gridworld.h"

enum {
    CERTIFYING = 100000, /* states of each search for a certificate */
    PLAYING = 200000,    /* states that an oracle may look at in an episode */
    REPLAYING = 5000, /* states that an agent may look at in an episode that it plays from elsewhere than its start */
    SEARCHED = 10000, /* states of the breadth-first search */
    WIDEST = 64,      /* an episode is searched if no more actions than these are worth trying at its start */
    RANDOM_PLAYS = 256,
    LOOKED_AT = 40, /* states of the best play, evenly spread, in which actions are compared */
    WALKS = 16,     /* random walks that look for traps */
    WALKED = 30,    /* steps of a random walk, at most */
    FUTURES = 8
};

void sb_gauge_free(void *data) {
    sb_gauge *g = data;
    sb_prover_free(&g->prover);
    sb_certificate_free(&g->certificate);
    sb_tape_clear(&g->best);
    sb_free(g->start), sb_free(g->here), sb_free(g->next);
    sb_player_clear(&g->player);
    sb_costs_free(g->costs);
    sb_copies_close(&g->copies);
    free(g->actions), free(g->prices), free(g->keys);
}

static void set(sb_atlas_row *row, sb_measure measure, double value) {
    row->values[measure] = value, row->missing[measure] = SB_LACKS_NOTHING;
}

static void lack(sb_atlas_row *row, sb_measure measure, sb_lack why) {
    row->values[measure] = NAN, row->missing[measure] = why;
}

static bool has(const sb_atlas_row *row, sb_measure measure) { return !isnan(row->values[measure]); }

/* Rounds to thousandths, so that rows are short. */
static double rounded(double value) { return round(value * 1000) / 1000; }

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool open_env(sb_env **env, const sb_catalogue *catalogue, sb_error *error) {
    return *env || (*env = sb_make(catalogue, NULL, error));
}

static bool begin(sb_gauge *g, const sb_atlas_row *row, sb_error *error) {
    const sb_catalogue *catalogue = g->prover.worker.catalogue;
    g->prover.budget = CERTIFYING;
    g->prover.worker.player.states = g->player.states = PLAYING;
    if (!open_env(&g->start, catalogue, error) || !open_env(&g->here, catalogue, error) ||
        !open_env(&g->next, catalogue, error) || !(g->costs || (g->costs = sb_costs_make("expert", error))))
        return false;
    sb_costs_set_budget(g->costs, PLAYING);
    return sb_reset_name(g->start, &row->name, error);
}

static bool is_judged(const sb_env *env) {
    const sb_resolved of = {env->family, env->task, env->task_index, env->difficulty_index};
    return sb_has_success(sb_criterion_of(&of));
}

/* Sets *told to whether costs tell more than estimates, which take long: the expert can tell them, and no step draws.
 */
static bool can_tell_costs(sb_gauge *g, bool *told, sb_error *error) {
    const sb_family *f = g->start->family;
    sb_error why;
    if (!sb_copy(g->here, g->start, error)) return false;
    *told = !(f->reseed && f->reseed(g->here, 0)) && sb_can_tell_costs("expert", &g->start->name, SB_BY_SUCCESS, &why);
    return true;
}

/* ---- Plays that win ---------------------------------------------------------------------------------------------- */

static void keep_best(sb_gauge *g, sb_tape *tape) {
    if (!tape->outcome.success || !tape->n || (g->best.outcome.success && g->best.n <= tape->n)) return;
    const sb_tape kept = g->best;
    g->best = *tape, *tape = kept;
}

static bool let_play(sb_gauge *g, const char *agent, const sb_name *name, sb_error *error) {
    if (!sb_oracle_find(name->family, name->task, agent)) return true;
    if (!sb_worker_play(&g->prover.worker, agent, name, NULL, NULL, error)) return false;
    keep_best(g, &g->prover.worker.tape);
    return true;
}

/* Whether the play that certifies the episode is one of the fewest steps, as its oracle claims unless its search was
 * cut. */
static bool is_claimed_shortest(const sb_gauge *g) {
    const sb_name *name = &g->certificate.name;
    const sb_oracle *oracle = sb_oracle_find(name->family, name->task, g->certificate.method);
    const bool claims = oracle && oracle->shortest >> g->start->difficulty_index & 1;
    return claims && !g->prover.worker.player.budget.is_cut;
}

/* Plays what the breadth-first search found. */
static bool play_plan(sb_gauge *g, sb_error *error) {
    sb_tape *tape = &g->prover.worker.tape;
    if (!sb_copy(g->here, g->start, error) || !sb_play_found(&g->copies, g->here, tape, error)) return false;
    keep_best(g, tape);
    return true;
}

/* Searches by the rules alone, which proves what it finds to be shortest. */
static bool search(sb_gauge *g, sb_atlas_row *row, sb_verdict *found, sb_error *error) {
    sb_budget budget = {.limit = SEARCHED};
    sb_verdict verdict = SB_NOT_FOUND;
    if (!g->copies.memory && !sb_copies_open(&g->copies, SEARCHED, error)) return false;
    g->copies.distrusts_bound = true;
    if (!sb_copies_search(&g->copies, g->start, &budget, &verdict, error)) return false;
    set(row, SB_MEASURE_SEARCH, (double)budget.spent);
    *found = verdict;
    return verdict != SB_SOLVED || play_plan(g, error);
}

static void measure_steps(const sb_gauge *g, sb_atlas_row *row, bool is_shortest, bool is_impossible) {
    const sb_family *f = g->start->family;
    const int bound = f->bound ? f->bound(g->start) : 0;
    if (g->best.outcome.success)
        set(row, SB_MEASURE_STEPS, (double)g->best.n);
    else
        lack(row, SB_MEASURE_STEPS, is_impossible ? SB_LACKS_CHANCE : SB_LACKS_PLAY);
    if (is_shortest)
        set(row, SB_MEASURE_PROVEN, (double)g->best.n);
    else if (!is_impossible && bound > 0)
        set(row, SB_MEASURE_PROVEN, bound);
    else
        lack(row, SB_MEASURE_PROVEN, is_impossible ? SB_LACKS_CHANCE : SB_LACKS_PROOF);
}

/* Where the search found nothing: lets the oracles play. */
static bool ask_oracles(sb_gauge *g, const sb_name *name, bool *is_shortest, bool *is_impossible, sb_error *error) {
    g->certificate.name = *name;
    if (!sb_prover_certify(&g->prover, &g->certificate, error)) return false;
    keep_best(g, &g->certificate.tape);
    *is_impossible = g->certificate.verdict == SB_CERTIFIED_IMPOSSIBLE;
    *is_shortest = g->certificate.verdict == SB_CERTIFIED_SOLVED && is_claimed_shortest(g);
    return *is_shortest || *is_impossible || let_play(g, sb_oracle_names[SB_SEES_FUTURE], name, error);
}

/* Whether a search ends within minutes: few actions are worth trying, and the episode is no challenge, whose rules take
 * long to work out. */
static bool is_searched(const sb_env *env) {
    return !sb_is_derived(env->family, env->task, env->difficulty_index) &&
           sb_worthwhile_actions(env, NULL, 0) <= WIDEST;
}

/* Where searches would take hours: lets agents play that aim at success until one wins, which is then the champion.
 * Those that other families do not have come first. */
static bool find_champion(sb_gauge *g, const sb_name *name, sb_error *error) {
    const char *agents[SB_ORACLES_MAX];
    for (size_t i = sb_oracles_of(name->family, name->task, agents); i-- > 0 && !g->best.outcome.success;) {
        const sb_oracle *oracle = sb_oracle_find(name->family, name->task, agents[i]);
        if (oracle->baseline) continue;
        if (!let_play(g, agents[i], name, error)) return false;
        g->champion = agents[i];
    }
    return true;
}

static bool find_best(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sb_verdict found;
    g->best.n = 0, g->best.outcome.success = false;
    g->champion = sb_default_agent(&row->name);
    if (!is_searched(g->start)) {
        lack(row, SB_MEASURE_SEARCH, SB_LACKS_SEARCH);
        g->player.states = REPLAYING;
        if (!find_champion(g, &row->name, error)) return false;
        return measure_steps(g, row, false, false), true;
    }
    if (!search(g, row, &found, error)) return false;
    bool is_shortest = found == SB_SOLVED, is_impossible = found == SB_IMPOSSIBLE;
    if (found == SB_NOT_FOUND && !ask_oracles(g, &row->name, &is_shortest, &is_impossible, error)) return false;
    measure_steps(g, row, is_shortest, is_impossible);
    return true;
}

/* ---- Random plays ------------------------------------------------------------------------------------------------ */

/* Takes up to so many random actions. */
static bool wander(sb_env *env, sb_rng *rng, int64_t steps, sb_error *error) {
    for (int64_t i = 0; i < steps && !env->status.done; i++)
        if (!sb_step(env, sb_random_action(env, rng), &(sb_result){0}, error)) return false;
    return true;
}

static bool measure_random(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sb_rng rng = sb_draws_of(&row->name, "atlas: random plays");
    int wins = 0;
    for (int i = 0; i < RANDOM_PLAYS; i++) {
        if (!sb_copy(g->here, g->start, error) || !wander(g->here, &rng, INT64_MAX, error)) return false;
        wins += g->here->status.success;
    }
    const sb_interval interval = sb_wilson((double)wins / RANDOM_PLAYS, RANDOM_PLAYS);
    set(row, SB_MEASURE_RANDOM, (double)wins / RANDOM_PLAYS);
    set(row, SB_MEASURE_RANDOM_LOW, rounded(interval.lower));
    set(row, SB_MEASURE_RANDOM_HIGH, rounded(interval.upper));
    return true;
}

/* Walks to the nearest goal, and at random where no way leads there. */
static bool measure_greedy(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sb_rng rng = sb_draws_of(&row->name, "atlas: greedy");
    sb_entity goal;
    lack(row, SB_MEASURE_GREEDY, SB_LACKS_GOAL);
    if (!sb_nearest(g->start, SB_GOAL, &goal)) return true;
    if (!sb_copy(g->here, g->start, error)) return false;
    while (!g->here->status.done) {
        sb_action action;
        if (!sb_go_to_nearest(g->here, SB_GOAL, &action, 1)) action = sb_random_action(g->here, &rng);
        if (!sb_step(g->here, action, &(sb_result){0}, error)) return false;
    }
    set(row, SB_MEASURE_GREEDY, g->here->status.success);
    return true;
}

/* ---- Along the best play ----------------------------------------------------------------------------------------- */

static bool make_room(sb_gauge *g, sb_error *error) {
    const size_t n = sb_worthwhile_actions(g->here, NULL, 0);
    if (n <= g->n_actions) return true;
    free(g->keys), g->keys = malloc(n * sizeof *g->keys);
    if (!g->keys || !sb_reserve_actions(&g->actions, &g->n_actions, n, error))
        return g->n_actions = 0, sb_fail(error, SB_MEMORY, "out of memory for %zu actions", n);
    return true;
}

/* A key of the state after an action. Ends are told apart by success alone. */
static bool key_after(sb_gauge *g, sb_action action, uint64_t key[2], sb_error *error) {
    if (!sb_copy(g->next, g->here, error) || !sb_step(g->next, action, &(sb_result){0}, error)) return false;
    key[0] = g->next->status.success, key[1] = 0;
    if (!g->next->status.done) sb_key(g->next, key);
    return true;
}

static bool count_successors(sb_gauge *g, size_t *count, sb_error *error) {
    if (!make_room(g, error)) return false;
    const size_t n = sb_worthwhile_actions(g->here, g->actions, g->n_actions);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        if (!key_after(g, g->actions[i], g->keys[*count], error)) return false;
        while (memcmp(g->keys[k], g->keys[*count], sizeof *g->keys) != 0) k++;
        *count += k == *count;
    }
    return true;
}

/* Sets *only to whether one action alone is best here. *known becomes false where costs are unknown. */
static bool has_one_best(sb_gauge *g, bool *known, bool *only, sb_error *error) {
    size_t n = 0, best = 0;
    if (!sb_costs_ask(g->costs, g->here, g->prices, g->n_prices, &n, error)) return false;
    if (n > g->n_prices) {
        sb_cost *prices = realloc(g->prices, n * sizeof *prices);
        if (!prices) return sb_fail(error, SB_MEMORY, "out of memory for the costs of %zu actions", n);
        g->prices = prices, g->n_prices = n;
        if (!sb_costs_ask(g->costs, g->here, prices, n, &n, error)) return false;
    }
    for (size_t i = 0; i < n; i++) {
        *known &= g->prices[i].kind != SB_COST_UNKNOWN;
        best += g->prices[i].is_best;
    }
    *only = best == 1;
    return true;
}

/* Sums over states of the best play. */
typedef struct sums {
    size_t states, successors, only, steps, away;
    bool knows_costs;
} sums;

static bool look(sb_gauge *g, sums *s, sb_error *error) {
    size_t successors;
    bool only = false;
    if (!count_successors(g, &successors, error)) return false;
    if (s->knows_costs && !has_one_best(g, &s->knows_costs, &only, error)) return false;
    s->states++, s->successors += successors, s->only += only;
    return true;
}

static int distance(sb_xy a, sb_xy b) { return abs(a.x - b.x) + abs(a.y - b.y); }

static sb_grid_survey survey(const sb_env *env) {
    sb_grid_survey survey = {0};
    if (env->family->survey) env->family->survey(env, &survey);
    return survey;
}

/* Takes the next step of the best play, and notes whether it leads away from where the expert is going. */
static bool follow(sb_gauge *g, sb_action action, sums *s, sb_error *error) {
    const sb_grid_survey before = survey(g->here);
    sb_player_act(&g->player, g->here);
    const sb_xy aim = sb_player_intent(&g->player)->at;
    if (!sb_step(g->here, action, &(sb_result){0}, error)) return false;
    if (!before.has_agent || aim.x < 0) return true;
    s->steps++;
    s->away += distance(survey(g->here).agent, aim) > distance(before.agent, aim);
    return true;
}

static bool walk(sb_gauge *g, sums *s, sb_error *error) {
    const size_t n = g->best.n, looks = n < LOOKED_AT ? n : LOOKED_AT;
    if (!sb_copy(g->here, g->start, error)) return false;
    if (!sb_player_begin_as(&g->player, sb_default_agent(&g->here->name), g->here, error)) return false;
    for (size_t i = 0; i < n; i++) {
        if (i * looks / n != (i + 1) * looks / n && !look(g, s, error)) return false;
        if (!follow(g, g->best.actions[i], s, error)) return false;
    }
    return true;
}

static bool measure_along(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sums s = {0};
    for (sb_measure m = SB_MEASURE_BRANCH; m <= SB_MEASURE_CHOICE; m++) lack(row, m, row->missing[SB_MEASURE_STEPS]);
    lack(row, SB_MEASURE_BACKTRACK, row->missing[SB_MEASURE_STEPS]);
    if (!has(row, SB_MEASURE_STEPS)) return true;
    if (!is_searched(g->start)) {
        lack(row, SB_MEASURE_BRANCH, SB_LACKS_SEARCH), lack(row, SB_MEASURE_CHOICE, SB_LACKS_SEARCH);
        return lack(row, SB_MEASURE_BACKTRACK, SB_LACKS_AGENT), true;
    }
    if (!can_tell_costs(g, &s.knows_costs, error) || !walk(g, &s, error)) return false;
    set(row, SB_MEASURE_BRANCH, rounded((double)s.successors / (double)s.states));
    if (s.knows_costs)
        set(row, SB_MEASURE_CHOICE, rounded((double)s.only / (double)s.states));
    else
        lack(row, SB_MEASURE_CHOICE, SB_LACKS_COSTS);
    if (s.steps)
        set(row, SB_MEASURE_BACKTRACK, rounded((double)s.away / (double)s.steps));
    else
        lack(row, SB_MEASURE_BACKTRACK, SB_LACKS_AGENT);
    return true;
}

/* ---- Traps, the observer, luck ----------------------------------------------------------------------------------- */

/* Lets an agent play from the state in `here` to the end. */
static bool play_on(sb_gauge *g, const char *agent, sb_error *error) {
    if (!sb_player_begin_as(&g->player, agent, g->here, error)) return false;
    while (!g->here->status.done)
        if (!sb_step(g->here, sb_player_act(&g->player, g->here), &(sb_result){0}, error)) return false;
    return true;
}

/* Whether the game is lost in `here`; *proven becomes false where only the failure of the champion says so. */
static bool is_lost(sb_gauge *g, bool asks_costs, bool *lost, bool *proven, sb_error *error) {
    sb_cost cost = {0};
    *lost = !g->here->status.success;
    if (g->here->status.done) return true;
    if (asks_costs && !sb_costs_left(g->costs, g->here, &cost, error)) return false;
    *lost = cost.kind == SB_COST_LOST || cost.kind == SB_COST_LATE;
    if (cost.kind == SB_COST_EXACT || cost.kind == SB_COST_BOUND || (*lost && cost.is_proven)) return true;
    if (!play_on(g, g->champion, error)) return false;
    *lost = !g->here->status.success;
    *proven &= !*lost;
    return true;
}

static bool measure_traps(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sb_rng rng = sb_draws_of(&row->name, "atlas: traps");
    bool asks_costs;
    int traps = 0;
    row->traps_proven = has(row, SB_MEASURE_STEPS);
    lack(row, SB_MEASURE_TRAPS, row->missing[SB_MEASURE_STEPS]);
    if (!has(row, SB_MEASURE_STEPS)) return true;
    if (!can_tell_costs(g, &asks_costs, error)) return false;
    for (int i = 0; i < WALKS; i++) {
        bool lost;
        const int64_t steps = sb_integers(&rng, 1, WALKED + 1);
        if (!sb_copy(g->here, g->start, error) || !wander(g->here, &rng, steps, error) ||
            !is_lost(g, asks_costs, &lost, &row->traps_proven, error))
            return false;
        traps += lost;
    }
    set(row, SB_MEASURE_TRAPS, rounded((double)traps / WALKS));
    return true;
}

static bool measure_hidden(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    const char *observer = sb_oracle_names[SB_SEES_OBSERVATIONS];
    const sb_tape *tape = &g->prover.worker.tape;
    lack(row, SB_MEASURE_HIDDEN, row->missing[SB_MEASURE_STEPS]);
    if (!has(row, SB_MEASURE_STEPS)) return true;
    lack(row, SB_MEASURE_HIDDEN, SB_LACKS_OBSERVER);
    if (!sb_oracle_find(row->name.family, row->name.task, observer)) return true;
    if (!sb_worker_play(&g->prover.worker, observer, &row->name, NULL, NULL, error)) return false;
    lack(row, SB_MEASURE_HIDDEN, SB_LACKS_OBSERVED_PLAY);
    if (tape->outcome.success) set(row, SB_MEASURE_HIDDEN, rounded((double)tape->n / row->values[SB_MEASURE_STEPS]));
    return true;
}

static bool measure_luck(sb_gauge *g, sb_atlas_row *row, sb_error *error) {
    sb_rng rng = sb_draws_of(&row->name, "atlas: futures");
    double sum = 0, squares = 0;
    int wins = 0;
    lack(row, SB_MEASURE_LUCK, row->missing[SB_MEASURE_STEPS]);
    if (!has(row, SB_MEASURE_STEPS)) return true;
    for (int i = 0; i < FUTURES; i++) {
        const uint64_t seed = sb_next64(&rng);
        if (!sb_copy(g->here, g->start, error)) return false;
        if (!g->here->family->reseed || !g->here->family->reseed(g->here, seed))
            return set(row, SB_MEASURE_LUCK, 0), true;
        if (!play_on(g, g->champion, error)) return false;
        if (!g->here->status.success) continue;
        const double steps = (double)g->here->status.steps;
        wins++, sum += steps, squares += steps * steps;
    }
    if (wins < 2) return lack(row, SB_MEASURE_LUCK, SB_LACKS_FUTURES), true;
    const double variance = (squares - sum * sum / wins) / (wins - 1);
    set(row, SB_MEASURE_LUCK, rounded(sqrt(variance > 0 ? variance : 0)));
    return true;
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

static void measure_grid(const sb_gauge *g, sb_atlas_row *row) {
    const sb_grid_survey s = survey(g->start);
    lack(row, SB_MEASURE_SIZE, SB_LACKS_GRID), lack(row, SB_MEASURE_KINDS, SB_LACKS_GRID);
    if (s.cells > 0) set(row, SB_MEASURE_SIZE, s.cells), set(row, SB_MEASURE_KINDS, s.kinds);
}

/* Measures that are found together. All but the first two need the best play. */
typedef struct part {
    sb_measure measures[3];
    bool (*measure)(sb_gauge *g, sb_atlas_row *row, sb_error *error);
} part;

static const part parts[] = {
    {{SB_MEASURE_RANDOM, SB_MEASURE_RANDOM_LOW, SB_MEASURE_RANDOM_HIGH}, measure_random},
    {{SB_MEASURE_GREEDY, SB_MEASURE_GREEDY, SB_MEASURE_GREEDY}, measure_greedy},
    {{SB_MEASURE_STEPS, SB_MEASURE_PROVEN, SB_MEASURE_SEARCH}, find_best},
    {{SB_MEASURE_BRANCH, SB_MEASURE_CHOICE, SB_MEASURE_BACKTRACK}, measure_along},
    {{SB_MEASURE_TRAPS, SB_MEASURE_TRAPS, SB_MEASURE_TRAPS}, measure_traps},
    {{SB_MEASURE_HIDDEN, SB_MEASURE_HIDDEN, SB_MEASURE_HIDDEN}, measure_hidden},
    {{SB_MEASURE_LUCK, SB_MEASURE_LUCK, SB_MEASURE_LUCK}, measure_luck},
};
enum { RANDOM_PART, GREEDY_PART, BEST_PART, N_PARTS = sizeof parts / sizeof *parts };

static void find_wanted(const sb_demand *demand, bool wanted[N_PARTS]) {
    for (int i = 0; i < N_PARTS; i++) {
        wanted[i] = !demand;
        for (int k = 0; k < 3; k++) wanted[i] |= demand && sb_demand_reads(demand, parts[i].measures[k]);
        wanted[BEST_PART] |= wanted[i] && i > GREEDY_PART;
    }
}

bool sb_gauge_measure(sb_gauge *g, const sb_demand *demand, sb_atlas_row *row, sb_error *error) {
    char name[SB_NAME_MAX];
    bool wanted[N_PARTS] = {false}, ok = begin(g, row, error);
    const bool judged = ok && is_judged(g->start);
    for (int i = 0; i < SB_N_MEASURES; i++) lack(row, (sb_measure)i, judged ? SB_LACKS_QUESTION : SB_LACKS_AIM);
    row->traps_proven = false;
    if (!ok) return false;
    measure_grid(g, row);
    if (!judged) return true;
    find_wanted(demand, wanted);
    for (int i = 0; i < N_PARTS && ok; i++) ok = !wanted[i] || parts[i].measure(g, row, error);
    if (ok) return true;
    sb_name_print(&row->name, name, sizeof name);
    return sb_fail_at(error, "%s", name);
}
