/* The observer of RuleInduction: tries pairs of objects, remembers what they make, and acts like an expert that
 * believes the next pair makes the target.
 *
 * A pair that makes nothing is gone for the trial, and there are only four objects, so a trial usually tests two pairs.
 * Among the pairs that can be tried in time, the observer takes the two that are most likely to make the target. It
 * knows how rules are drawn, so everything it has seen changes the chances of the untried pairs. Once a known pair
 * makes the target, it simply follows the expert. */
#include "oracles/agentick/reasoning/rule_induction.h"

#include "engine/gridworld/search.h"
#include "generators/agentick/reasoning/rule_induction.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_rule_induction_vars vars;
typedef sb_rule_induction_rule rule;

enum {
    N_KINDS = 5,
    CODES = SB_ORB + 1, /* number of codes of objects */
    N_TRIALS = SB_RULE_INDUCTION_TRIALS,
    MAX_OBJECTS = SB_RULE_INDUCTION_OBJECTS,
    MAX_RULES = SB_RULE_INDUCTION_RULES,
    MAX_PAIRS = MAX_OBJECTS / 2, /* pairs that can be tried in a trial if none of them makes anything */
    NEVER = 10000                /* steps: out of reach */
};

static const int32_t kinds[N_KINDS] = {SB_GEM, SB_POTION, SB_SCROLL, SB_COIN, SB_ORB};

/* How rules are drawn: a chain whose last rule makes the target, and some random rules. */
static const struct own { int chain, random; } own[SB_N_DIFFICULTIES] = {{1, 1}, {1, 2}, {2, 2}, {2, 3}};

typedef struct pair {
    int held, met; /* SB_NONE: no pair */
} pair;

typedef struct notes {
    sb_episode seen; /* the state at the last call */
    int n_objects;   /* objects at the beginning of a trial; 0: the observer has not seen a trial begin */
    int32_t kind[MAX_OBJECTS];
    sb_xy at[MAX_OBJECTS];
    bool tried[CODES][CODES];
    int made[CODES][CODES]; /* what the pair makes; SB_NONE: nothing */
    /* The aim in this trial. */
    int trial; /* number of the trial, from 1 */
    pair guess;
    bool prepares; /* whether the observer prepares for the next trial */
    _Alignas(16) uint8_t expert[SB_RULE_INDUCTION_EXPERT_MEMORY];
} notes;

static int hand_of(const sb_episode *e) { return e->agent.n_items > 0 ? e->items[0].value : SB_NONE; }

/* ---- Learning from what is visible ---- */

/* Returns what a pair has just made: the object where there was none, or under the agent. */
static int find_result(const notes *n, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        const bool is_new = n->seen.cells[i].object == SB_NONE || i == sb_index(e, e->agent.at);
        if (is_new && e->cells[i].object != SB_NONE) return e->cells[i].object;
    }
    return SB_NONE;
}

/* If a trial ends with the combination, its result is not visible. */
static void learn_of_pair(notes *n, const sb_episode *e) {
    const vars *now = SB_VARS(e), *then = SB_VARS(&n->seen);
    const bool made = now->n_made > then->n_made;
    const int held = hand_of(&n->seen), met = sb_peek(&n->seen, e->agent.at)->object;
    if ((!made && now->n_destroyed == then->n_destroyed) || (made && now->trial > then->trial)) return;
    n->tried[held][met] = true;
    n->made[held][met] = made ? find_result(n, e) : SB_NONE;
}

static void learn_beginning(notes *n, const sb_episode *e) {
    n->n_objects = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object == SB_NONE) continue;
        n->kind[n->n_objects] = e->cells[i].object;
        n->at[n->n_objects++] = sb_xy_of(e, i);
    }
}

static void look(notes *n, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (n->seen.task && n->seen.clock + 1 == e->clock) learn_of_pair(n, e);
    if (v->used == 0) learn_beginning(n, e);
    sb_episode_copy(&n->seen, e);
}

/* ---- Chances ---- */

/* The last rule of the chain and the one before it, if the chain has two. */
typedef struct hypothesis {
    rule last, first;
} hypothesis;

typedef struct question {
    const notes *n;
    const sb_episode *e;
    sb_budget *budget;
    int steps;                   /* steps that are left for trying */
    double random;               /* chance that a pair has a random rule */
    double weight[CODES][CODES]; /* weights of the hypotheses in which the pair makes the target */
    double all;                  /* weight of all hypotheses */
    sb_rng *rng;                 /* draws one of the hypotheses; NULL: none is drawn */
    hypothesis drawn;
} question;

static bool is_of(const rule *r, int held, int met) { return r->held == held && r->met == met; }

/* Returns the chance of what was seen if the hypothesis is true. */
static double likelihood(const question *q, const hypothesis *h) {
    double result = 1;
    for (int i = 0; i < N_KINDS; i++)
        for (int k = 0; k < N_KINDS; k++) {
            const int held = kinds[i], met = kinds[k], made = q->n->made[held][met];
            if (!q->n->tried[held][met]) continue;
            if (is_of(&h->last, held, met))
                result *= made == h->last.made;
            else if (is_of(&h->first, held, met))
                result *= made == h->first.made;
            else
                result *= made == SB_NONE ? 1 - q->random : q->random / N_KINDS;
        }
    return result;
}

static void weigh(question *q, const hypothesis *h) {
    const double weight = likelihood(q, h);
    q->weight[h->last.held][h->last.met] += weight;
    if (!q->rng)
        q->all += weight;
    else if (sb_draw_next(q->rng, weight, &q->all))
        q->drawn = *h;
}

/* Weighs the hypothesis with every possible first rule of the chain: its result is not an input of the last rule. */
static void weigh_chains(question *q, hypothesis h) {
    for (int m = 0; m < N_KINDS; m++) {
        h.first.made = kinds[m];
        if (h.first.made == h.last.made || h.first.made == h.last.held || h.first.made == h.last.met) continue;
        for (int i = 0; i < N_KINDS; i++)
            for (int k = 0; k < N_KINDS; k++) {
                h.first.held = kinds[i], h.first.met = kinds[k];
                const bool is_drawn = i != k && i != m && k != m && kinds[i] != h.last.made && kinds[k] != h.last.made;
                if (is_drawn) weigh(q, &h);
            }
    }
}

static void weigh_pairs(question *q) {
    const vars *v = SB_VARS(q->e);
    const struct own *level = &own[q->e->difficulty];
    q->random = level->random / (double)(N_KINDS * N_KINDS);
    for (int i = 0; i < N_KINDS; i++)
        for (int k = 0; k < N_KINDS; k++) {
            const hypothesis h = {.last = {kinds[i], kinds[k], v->target}};
            if (i == k || kinds[i] == v->target || kinds[k] == v->target) continue;
            if (level->chain == 1)
                weigh(q, &h);
            else
                weigh_chains(q, h);
        }
}

/* Returns the chance that the pair makes the target; 0 if it was tried. */
static double chance_of(const question *q, pair p) {
    if (q->n->tried[p.held][p.met]) return 0;
    return (q->all > 0 ? q->weight[p.held][p.met] / q->all : 0) + q->random / N_KINDS;
}

/* ---- What to try ---- */

typedef struct scene {
    sb_xy at; /* the agent's cell; (-1,-1): it may choose */
    int steps, hand;
    int n; /* objects on the ground */
    int kind[MAX_OBJECTS];
    sb_xy cell[MAX_OBJECTS];
} scene;

static scene scene_of(const sb_episode *e) {
    scene s = {.at = e->agent.at, .hand = hand_of(e)};
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object != SB_NONE) s.kind[s.n] = e->cells[i].object, s.cell[s.n++] = sb_xy_of(e, i);
    return s;
}

static scene next_scene(const notes *n) {
    scene s = {.at = sb_at(-1, -1), .hand = SB_NONE, .n = n->n_objects};
    for (int i = 0; i < s.n; i++) s.kind[i] = n->kind[i], s.cell[i] = n->at[i];
    return s;
}

/* Returns the steps to a cell; NEVER if it is out of reach. */
static int distance(const sb_reach *reach, const sb_episode *e, sb_xy to) {
    return sb_reached(reach, e, to) ? reach->distance[sb_index(e, to)] : NEVER;
}

/* Gives the steps to each object, around the others. */
static void measure(const question *q, const scene *s, int steps[MAX_OBJECTS]) {
    sb_open open;
    sb_reach reach;
    for (int i = 0; i < s->n; i++) steps[i] = s->at.x < 0 ? 1 : NEVER;
    if (s->at.x < 0) return;
    sb_open_walkable(&open, q->e);
    for (int i = 0; i < s->n; i++) open.cell[sb_index(q->e, s->cell[i])] = false;
    sb_reach_from(&reach, q->e, &open, s->at, sb_nesw);
    q->budget->spent += (uint64_t)reach.n;
    for (int i = 0; i < s->n; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int there = distance(&reach, q->e, sb_beside(s->cell[i], d)) + 1;
            if (there < steps[i]) steps[i] = there;
        }
}

/* Returns the scene after the agent has taken object i from the ground. */
static scene visited(const scene *s, int i, int steps, int hand) {
    scene next = *s;
    next.at = s->cell[i], next.steps = s->steps + steps, next.hand = hand;
    next.n--;
    for (; i < next.n; i++) next.kind[i] = s->kind[i + 1], next.cell[i] = s->cell[i + 1];
    return next;
}

/* Factors that prefer earlier and nearer pairs among otherwise equal ones. */
static const double LATER = 0.99, STEP = 1e-5;

static bool makes_something(const notes *n, pair p) { return n->made[p.held][p.met] != SB_NONE; }

static double best_pairs(const question *q, const scene *s, int n_pairs, pair *first);

/* Chooses the best object to combine with the one in hand. */
static double best_meeting(const question *q, const scene *s, int n_pairs, pair *first) {
    int steps[MAX_OBJECTS];
    double most = 0;
    *first = (pair){SB_NONE, SB_NONE};
    measure(q, s, steps);
    for (int i = 0; i < s->n; i++) {
        const pair tried = {s->hand, s->kind[i]};
        const double chance = chance_of(q, tried);
        const scene next = visited(s, i, steps[i], SB_NONE);
        pair then;
        if (next.steps > q->steps || makes_something(q->n, tried)) continue;
        const double value = chance + LATER * best_pairs(q, &next, n_pairs - 1, &then) - STEP * steps[i];
        if (value > most) most = value, *first = chance > 0 ? tried : then;
    }
    return most;
}

/* Returns how likely the best sequence of pairs makes the target, assuming that each earlier pair makes nothing; 0 if
 * no pair can be tried. Pairs that are known to make nothing are used to clear the way. The recursion is n_pairs deep.
 */
static double best_pairs(const question *q, const scene *s, int n_pairs, pair *first) {
    int steps[MAX_OBJECTS];
    double most = 0;
    *first = (pair){SB_NONE, SB_NONE};
    if (n_pairs == 0) return 0;
    if (s->hand != SB_NONE) return best_meeting(q, s, n_pairs, first);
    measure(q, s, steps);
    for (int i = 0; i < s->n; i++) {
        const scene next = visited(s, i, steps[i], s->kind[i]);
        pair p;
        if (next.steps > q->steps) continue;
        const double value = best_meeting(q, &next, n_pairs, &p) - STEP * steps[i];
        if (value > most) most = value, *first = p;
    }
    return most;
}

static bool is_there(const sb_episode *e, int kind) {
    if (hand_of(e) == kind) return true;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == kind) return true;
    return false;
}

/* The observer keeps a pair until it is tried or no longer possible. */
static bool holds(const notes *n, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const pair p = n->guess;
    if (n->trial != v->trial + 1) return false;
    return n->prepares || (p.held != SB_NONE && !n->tried[p.held][p.met] && is_there(e, p.held) && is_there(e, p.met));
}

/* Chooses the next pair. The last trial is for making and collecting the target; earlier trials are also for learning.
 */
static void choose_pair(notes *n, const sb_episode *e, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    const bool is_last = v->trial == N_TRIALS - 1;
    question q = {.n = n, .e = e, .budget = budget};
    scene s = scene_of(e);
    weigh_pairs(&q);
    q.steps = sb_rule_induction_budget(e) - v->used - (is_last ? e->width / 2 : 0);
    n->trial = v->trial + 1;
    n->prepares = best_pairs(&q, &s, MAX_PAIRS, &n->guess) <= 0;
    if (!n->prepares || is_last) return;
    s = next_scene(n);
    q.steps = sb_rule_induction_budget(e);
    best_pairs(&q, &s, MAX_PAIRS, &n->guess);
}

/* ---- Acting ---- */

static void believe_rule(vars *v, int held, int met, int made) {
    if (v->n_rules < MAX_RULES) v->rule[v->n_rules++] = (rule){held, met, made};
}

/* Writes the known rules into the belief; returns whether one makes the target. */
static bool believe_known_rules(const notes *n, vars *v) {
    bool makes_target = false;
    for (int i = 0; i < N_KINDS; i++)
        for (int k = 0; k < N_KINDS; k++) {
            const int made = n->made[kinds[i]][kinds[k]];
            if (made != SB_NONE) believe_rule(v, kinds[i], kinds[k], made);
            makes_target |= made == v->target;
        }
    return makes_target;
}

static void believe_beginning(const notes *n, vars *v) {
    v->n_objects = n->n_objects;
    for (int i = 0; i < n->n_objects; i++) v->kind[i] = n->kind[i], v->at[i] = n->at[i];
}

/* Waits for the next trial beside the object that it will take first. */
static void prepare(const notes *n, const sb_episode *e, sb_action *action, sb_intent *intent) {
    sb_open open;
    sb_reach reach;
    int first = 0;
    *action = SB_NOOP;
    sb_give_up(intent, "no solution is known");
    while (first < n->n_objects && n->kind[first] != n->guess.held) first++;
    if (first == n->n_objects) return;
    sb_intend(intent, "wait for", "next trial", n->at[first]);
    sb_open_walkable(&open, e);
    for (int i = 0; i < sb_n_cells(e); i++) open.cell[i] &= e->cells[i].object == SB_NONE;
    sb_reach_from(&reach, e, &open, n->at[first], sb_nesw);
    const int from = distance(&reach, e, e->agent.at);
    for (sb_action move = SB_MOVE_UP; from != 1 && move <= SB_MOVE_RIGHT; move++) {
        const int to = distance(&reach, e, sb_beside(e->agent.at, sb_direction_of(move)));
        if (to == (from == 0 ? 1 : from - 1)) *action = move;
    }
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    notes *n = memory;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    vars *v = SB_VARS(e);
    look(n, e);
    believe_beginning(n, v);
    if (!believe_known_rules(n, v)) {
        if (!holds(n, e)) choose_pair(n, e, budget);
        if (n->prepares) {
            prepare(n, e, action, intent);
            return;
        }
        believe_rule(v, n->guess.held, n->guess.met, v->target);
        e->max_steps *= 2; /* trying is worthwhile even if there is no time to collect */
    }
    sb_act_on_belief(&belief, &sb_rule_induction_expert, n->expert, budget, action, intent);
}

/* ---- What it imagines ---- */

/* Adds the rule if it is one, and its pair was not tried and has none. */
static void imagine_rule(const notes *n, vars *v, rule r) {
    if (r.made == SB_NONE || n->tried[r.held][r.met] || sb_rule_induction_makes(v, r.held, r.met) != SB_NONE) return;
    believe_rule(v, r.held, r.met, r.made);
}

static int draw_kind(sb_rng *rng) { return kinds[sb_integer_below(rng, N_KINDS)]; }

/* Draws the chain by the chances of the hypotheses, and random rules until there are enough. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    const notes *n = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    const struct own *level = &own[e->difficulty];
    question q = {.n = n, .e = e, .rng = rng};
    weigh_pairs(&q);
    believe_beginning(n, v);
    believe_known_rules(n, v);
    imagine_rule(n, v, q.drawn.last);
    imagine_rule(n, v, q.drawn.first);
    for (int i = 0; i < 100 && v->n_rules < level->chain + level->random; i++) {
        const int held = draw_kind(rng), met = draw_kind(rng), made = draw_kind(rng);
        imagine_rule(n, v, (rule){held, met, made});
    }
}

const sb_oracle sb_rule_induction_observer = {
    .family = "agentick",
    .task = "RuleInduction-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act,
    .imagine = imagine,
};
