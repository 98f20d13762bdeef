/* The observer of FewShotAdaptation: keeps a weight for every possible rule. A demonstration sets the weight to 0 if
 * the rule would have marked another candidate, and divides it if candidates tie. The weights then give the chance of
 * each candidate of the test. Before the test it waits where the right candidate is likely to appear. */
#include "generators/agentick/generalization/few_shot_adaptation.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/parts/cells.h"
#include "oracles/belief.h"

extern const sb_oracle sb_few_shot_adaptation_expert; /* few_shot_adaptation.c */

typedef sb_few_shot_adaptation_vars vars;
typedef sb_few_shot_trial trial;

enum { MAX_RULES = SB_FEW_SHOT_CANDIDATES + SB_N_FEW_SHOT_RULES - 1 };

typedef struct memory {
    int32_t n_seen;           /* demonstrations seen */
    sb_area taken;            /* cells of candidates so far; no two trials share one */
    double weight[MAX_RULES]; /* a weight for each rule: first the rules that go to a type, then the others */
    sb_xy guess;              /* where the right candidate of the test may be */
} memory;

typedef struct rule {
    int rule, target_type;
} rule;

static int n_rules(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_candidates + v->n_rules - 1;
}

static rule rule_at(const sb_episode *e, int k) {
    const vars *v = SB_VARS(e);
    if (k < v->n_candidates) return (rule){SB_RULE_GOTO_TYPE, sb_few_shot_types[k]};
    return (rule){SB_RULE_GOTO_TYPE + 1 + k - v->n_candidates, SB_NONE};
}

/* ---- What is seen ---- */

typedef struct candidates {
    int n, marked; /* marked: index of the marked candidate, or -1 */
    sb_xy at[SB_FEW_SHOT_CANDIDATES];
    int type[SB_FEW_SHOT_CANDIDATES];
} candidates;

/* Returns the type that no candidate has. No two have the same type, so it is the marked one's. */
static int missing_type(const candidates *seen) {
    for (int k = 0; k < seen->n; k++) {
        bool is_there = false;
        for (int i = 0; i < seen->n; i++) is_there |= seen->type[i] == (int)sb_few_shot_types[k];
        if (!is_there) return sb_few_shot_types[k];
    }
    return SB_NONE;
}

static candidates look(const sb_episode *e) {
    candidates seen = {.marked = -1};
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object == SB_NONE) continue;
        if (e->cells[i].object == SB_GOAL) seen.marked = seen.n;
        seen.at[seen.n] = sb_xy_of(e, i), seen.type[seen.n] = e->cells[i].object;
        seen.n++;
    }
    if (seen.marked >= 0) seen.type[seen.marked] = missing_type(&seen);
    return seen;
}

/* ---- What this says about the rule ---- */

/* Returns the chance that the candidate is the right one under this rule. The order of candidates with equal scores is
 * not visible. */
static double chance_by_rule(const sb_episode *e, rule r, const candidates *seen, int candidate) {
    int score[SB_FEW_SHOT_CANDIDATES], n_equal = 0;
    for (int i = 0; i < seen->n; i++)
        score[i] = sb_few_shot_score(e, r.rule, seen->at[i], seen->type[i], r.target_type);
    for (int i = 0; i < seen->n; i++) {
        if (score[i] > score[candidate]) return 0;
        n_equal += score[i] == score[candidate];
    }
    return 1.0 / n_equal;
}

static double chance_of(const memory *m, const sb_episode *e, const candidates *seen, int candidate) {
    double chance = 0;
    for (int k = 0; k < n_rules(e); k++) chance += m->weight[k] * chance_by_rule(e, rule_at(e, k), seen, candidate);
    return chance;
}

/* All rules are equally likely; going to a type is one rule, whatever the type. */
static void begin(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int k = 0; k < n_rules(e); k++) m->weight[k] = k < v->n_candidates ? 1.0 / v->n_candidates : 1.0;
}

static void learn(memory *m, const sb_episode *e, const candidates *seen) {
    for (int k = 0; k < n_rules(e) && seen->marked >= 0; k++)
        m->weight[k] *= chance_by_rule(e, rule_at(e, k), seen, seen->marked);
}

/* ---- Where to wait ---- */

static void list_reachable(sb_cells *cells, const sb_episode *e) {
    sb_area open, reached;
    sb_area_walkable(&open, e);
    sb_area_flood(&reached, &open, e->height, e->agent.at);
    cells->n = 0;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_area_has(&reached, sb_xy_of(e, i))) sb_cells_add(cells, sb_xy_of(e, i));
}

/* Adds to each cell the chance, up to a constant factor, that it has the best score by this rule among as many random
 * cells as there are candidates. */
static void add_chances(double *chance, double weight, const sb_cells *cells, const sb_episode *e, rule r) {
    const vars *v = SB_VARS(e);
    int score[SB_CELLS_MAX];
    for (int i = 0; i < cells->n; i++)
        score[i] = sb_few_shot_score(e, r.rule, cells->at[i], r.target_type, r.target_type);
    for (int i = 0; i < cells->n; i++) {
        int lower = 0, equal = 0;
        for (int j = 0; j < cells->n; j++) lower += score[j] < score[i], equal += score[j] == score[i];
        chance[i] += weight * (sb_power(lower + equal, v->n_candidates) - sb_power(lower, v->n_candidates)) / equal;
    }
}

/* Returns the cell with the least average distance to where the right candidate may be. */
static sb_xy guess(const memory *m, const sb_episode *e) {
    double chance[SB_CELLS_MAX], nearest = 0;
    sb_cells cells;
    sb_xy best = e->agent.at;
    list_reachable(&cells, e);
    for (int i = 0; i < cells.n; i++) chance[i] = 0;
    for (int k = 0; k < n_rules(e); k++)
        if (m->weight[k] > 0) add_chances(chance, m->weight[k], &cells, e, rule_at(e, k));
    for (int i = 0; i < cells.n; i++) {
        double distance = 0;
        for (int j = 0; j < cells.n; j++) distance += chance[j] * sb_manhattan(cells.at[i], cells.at[j]);
        if (i == 0 || distance < nearest) nearest = distance, best = cells.at[i];
    }
    return best;
}

/* ---- What to do ---- */

/* Tells whether there is a way to a candidate past all others. */
static bool is_within_reach(const sb_episode *e, const candidates *seen, int candidate) {
    sb_area open;
    sb_area_walkable(&open, e);
    for (int i = 0; i < seen->n; i++) sb_area_set(&open, seen->at[i], i == candidate);
    return sb_area_connects(&open, e->height, e->agent.at, seen->at[candidate]);
}

/* Returns the most likely candidate within reach; -1 if none of them can be right. */
static int choose(const memory *m, const sb_episode *e, const candidates *seen) {
    double likeliest = 0;
    int chosen = -1;
    for (int i = 0; i < seen->n; i++) {
        const double chance = chance_of(m, e, seen, i);
        if (chance > likeliest && is_within_reach(e, seen, i)) likeliest = chance, chosen = i;
    }
    return chosen;
}

/* Writes the belief about the test. Candidates that are not known stay at (0,0), which is a wall. */
static void believe_in(sb_episode *e, const memory *m, const candidates *seen) {
    vars *v = SB_VARS(e);
    trial *test = &v->trial[v->n_demos];
    if (sb_few_shot_until_test(e) > 0) {
        test->at[0] = m->guess;
        return;
    }
    const int chosen = choose(m, e, seen);
    for (int i = 0; i < seen->n && chosen >= 0; i++) test->at[i] = seen->at[i], test->type[i] = seen->type[i];
    if (chosen >= 0) test->correct = chosen;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    const vars *v = SB_VARS(e);
    const candidates seen = look(e);
    if (m->n_seen == 0) begin(m, e);
    for (int i = 0; i < seen.n; i++) sb_area_add(&m->taken, seen.at[i]);
    if (m->n_seen <= v->current && v->current < v->n_demos) {
        learn(m, e, &seen);
        m->guess = guess(m, e);
        m->n_seen = v->current + 1;
    }
    believe_in(e, m, &seen);
    sb_act_on_belief(&belief, &sb_few_shot_adaptation_expert, NULL, budget, action, intent);
    if (sb_few_shot_until_test(e) > 0) sb_intend(intent, "watch", "demonstration", m->guess);
}

/* ---- What it imagines ---- */

static void imagine_rule(const memory *m, sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    double sum = 0;
    for (int k = 0; k < n_rules(e); k++) {
        const rule r = rule_at(e, k);
        if (sb_draw_next(rng, m->weight[k], &sum)) v->rule = r.rule, v->target_type = r.target_type;
    }
}

/* Writes the visible trial. In the test the rule decides which candidate is right, and draws among equals. */
static void imagine_trial(sb_episode *e, const candidates *seen, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const rule r = {v->rule, v->target_type};
    trial *t = &v->trial[v->current];
    double sum = 0;
    t->correct = seen->marked >= 0 ? seen->marked : 0;
    for (int i = 0; i < seen->n; i++) {
        t->at[i] = seen->at[i], t->type[i] = seen->type[i];
        if (v->current == v->n_demos && sb_draw_next(rng, chance_by_rule(e, r, seen, i), &sum)) t->correct = i;
    }
}

static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    const memory *m = memory_;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    const candidates seen = look(e);
    sb_cells pool;
    imagine_rule(m, e, rng);
    imagine_trial(e, &seen, rng);
    sb_cells_reached(&pool, e, v->start);
    sb_cells_remove(&pool, v->start);
    for (int i = pool.n - 1; i >= 0; i--)
        if (sb_area_has(&m->taken, pool.at[i])) sb_cells_remove(&pool, pool.at[i]);
    for (int i = v->current + 1; i <= v->n_demos; i++) sb_few_shot_draw_trial(e, &v->trial[i], &pool, rng);
}

const sb_oracle sb_few_shot_adaptation_observer = {
    .family = "agentick",
    .task = "FewShotAdaptation-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = sizeof(memory),
    .memory = sizeof(memory),
    .act = act,
    .imagine = imagine,
};
