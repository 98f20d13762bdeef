/* The expert of RuleInduction: takes the fewest steps, found by iterative deepening over the order in which objects are
 * visited.
 *
 * The place where the result of a combination appears depends on the step. Waiting changes nothing else, so it is
 * always right to arrive as early as possible and to wait, if at all, beside the object to combine with. Among the best
 * plans it takes the first in the order of the cells visited, and the first shortest walk. A plan that is best at a
 * later state was as good before, so a fresh search and a stored plan agree. If a trial is lost, it waits for the next
 * one in the best place to begin it. */
#include "oracles/agentick/reasoning/rule_induction.h"

#include <string.h>

#include "generators/agentick/reasoning/rule_induction.h"
#include "oracles/agentick/packed.h"
#include "oracles/kits/plan.h"

enum {
    CELLS = 15 * 15,
    MAX_OBJECTS = SB_RULE_INDUCTION_OBJECTS, /* combining only reduces their number */
    MAX_VISITS = 2 * MAX_OBJECTS, /* each object is picked up once, and each pair that is combined leaves one less */
    NEVER = 2000
};

typedef struct packed_state {
    int used; /* steps in the trial so far */
    int at, hand;
    int crafted; /* 1: the target was made in this trial */
    int n;       /* objects on the ground, row-major; entries after them are 0 */
    int kind[MAX_OBJECTS], cell[MAX_OBJECTS];
} packed_state;

typedef struct memory {
    sb_plan plan;
    int n_visits, waits_at;         /* waits_at: a cell, or -1 if no trial is planned */
    bool is_lost;                   /* no trial can be won */
    packed_state visit[MAX_VISITS]; /* the state after each visit of the plan */
    /* The map: constant during the episode. */
    sb_rule_induction_vars v;
    int width, trial_steps, step_of[4];
    int n_floor, floor[CELLS]; /* cells that are not walls, reachable or not, row-major */
    bool wall[CELLS], is_measured[CELLS];
    int16_t distance[CELLS][CELLS]; /* steps from measured cells, ignoring objects */
    /* The search. */
    sb_budget *budget;
    int limit, next_limit; /* limits on the steps in the trial: in this round, and in the next */
    int n_starts;
    packed_state start[CELLS];
    int16_t steps[CELLS], queue[CELLS];
} memory;

_Static_assert(sizeof(memory) <= SB_RULE_INDUCTION_EXPERT_MEMORY, "the observer holds this memory");

static int lesser(int a, int b) { return a < b ? a : b; }

/* ---- The map ---- */

static void draw_map(memory *m, const sb_episode *e) {
    m->v = *(const sb_rule_induction_vars *)SB_VARS(e);
    m->width = e->width, m->trial_steps = sb_rule_induction_budget(e);
    sb_index_steps(e, m->step_of);
    m->n_floor = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        m->wall[i] = e->cells[i].terrain == SB_WALL;
        if (!m->wall[i]) m->floor[m->n_floor++] = i;
    }
    memset(m->is_measured, 0, sizeof m->is_measured);
}

static int object_at(const packed_state *s, int cell) {
    for (int i = 0; i < s->n; i++)
        if (s->cell[i] == cell) return s->kind[i];
    return SB_NONE;
}

/* Writes the steps to the goal from the cells around it, over cells without objects, until the agent's cell is found;
 * returns the steps from there. If the agent is on the goal, it has to leave and come back. */
static int measure_walk(memory *m, const packed_state *s, int goal) {
    int n = 0;
    m->budget->spent += (uint64_t)m->n_floor;
    memset(m->steps, -1, sizeof m->steps);
    m->steps[goal] = 0, m->queue[n++] = (int16_t)goal;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 4; d++) {
            const int to = m->queue[i] + m->step_of[d];
            if (to == s->at) return m->steps[m->queue[i]] + 1;
            if (m->wall[to] || m->steps[to] >= 0 || object_at(s, to) != SB_NONE) continue;
            m->steps[to] = (int16_t)(m->steps[m->queue[i]] + 1);
            m->queue[n++] = (int16_t)to;
        }
    return NEVER;
}

/* Returns the steps from every cell to a goal, ignoring objects. */
static const int16_t *distances(memory *m, int goal) {
    int16_t *distance = m->distance[goal];
    int n = 0;
    if (m->is_measured[goal]) return distance;
    m->is_measured[goal] = true;
    m->budget->spent += (uint64_t)m->n_floor;
    for (int i = 0; i < CELLS; i++) distance[i] = NEVER;
    distance[goal] = 0, m->queue[n++] = (int16_t)goal;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 4; d++) {
            const int to = m->queue[i] + m->step_of[d];
            if (m->wall[to] || distance[to] < NEVER) continue;
            distance[to] = (int16_t)(distance[m->queue[i]] + 1);
            m->queue[n++] = (int16_t)to;
        }
    return distance;
}

/* ---- States ---- */

static void lay(packed_state *s, int kind, int cell) {
    int i = s->n++;
    for (; i > 0 && s->cell[i - 1] > cell; i--) s->kind[i] = s->kind[i - 1], s->cell[i] = s->cell[i - 1];
    s->kind[i] = kind, s->cell[i] = cell;
}

static void lift(packed_state *s, int i) {
    s->n--;
    for (; i < s->n; i++) s->kind[i] = s->kind[i + 1], s->cell[i] = s->cell[i + 1];
    s->kind[i] = s->cell[i] = 0;
}

static packed_state state_of(const sb_episode *e) {
    const sb_rule_induction_vars *v = SB_VARS(e);
    packed_state s = {.used = v->used, .at = sb_index(e, e->agent.at), .crafted = v->crafted};
    s.hand = e->agent.n_items > 0 ? e->items[0].value : SB_NONE;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object != SB_NONE) lay(&s, e->cells[i].object, i);
    return s;
}

/* Returns the state at the beginning of a trial. */
static packed_state fresh_state(const memory *m, int at) {
    packed_state s = {.at = at, .hand = SB_NONE};
    for (int i = 0; i < m->v.n_objects; i++) lay(&s, m->v.kind[i], m->v.at[i].y * m->width + m->v.at[i].x);
    return s;
}

static bool is_free(const packed_state *s, int cell) { return cell != s->at && object_at(s, cell) == SB_NONE; }

/* Adds the result to the grid when the agent has just combined two objects. */
static void lay_result(const memory *m, packed_state *s, int made) {
    const sb_xy here = sb_at(s->at % m->width, s->at / m->width);
    int k = sb_rule_induction_site(here, s->used - 1, m->n_floor - s->n - 1), i = 0;
    while (!is_free(s, m->floor[i]) || k-- > 0) i++;
    lay(s, made, m->floor[i]);
    s->crafted |= made == m->v.target;
}

/* Moves the agent into a neighbouring cell. False if it only uses up an object, so that it does not matter when. */
static bool enter(const memory *m, packed_state *s, int cell) {
    const int held = s->hand;
    int i = 0;
    s->used++, s->at = cell;
    while (i < s->n && s->cell[i] != cell) i++;
    if (i == s->n) return false;
    const int met = s->kind[i], made = sb_rule_induction_makes(&m->v, held, met);
    s->hand = held == SB_NONE ? met : SB_NONE;
    lift(s, i);
    if (made != SB_NONE) lay_result(m, s, made);
    return made != SB_NONE;
}

/* Returns a lower bound on the steps until the rule combines two of the objects that exist now. */
static int steps_to_combine(memory *m, const packed_state *s, const sb_rule_induction_rule *rule) {
    int least = NEVER;
    for (int j = 0; j < s->n; j++) {
        if (s->kind[j] != rule->met) continue;
        const int16_t *to_met = distances(m, s->cell[j]);
        if (s->hand == rule->held) least = lesser(least, to_met[s->at]);
        for (int i = 0; i < s->n; i++)
            if (i != j && s->kind[i] == rule->held)
                least = lesser(least, distances(m, s->cell[i])[s->at] + to_met[s->cell[i]]);
    }
    return least;
}

/* A lower bound on the steps that are left. Either the target exists already, or something is combined first: into the
 * target, which appears elsewhere, or into something that has to be combined again. */
static int steps_left(memory *m, const packed_state *s) {
    const int n = s->n + (s->hand != SB_NONE);
    int least = NEVER;
    for (int i = 0; i < s->n && s->crafted; i++)
        if (s->kind[i] == m->v.target) least = lesser(least, distances(m, s->cell[i])[s->at]);
    for (int i = 0; i < m->v.n_rules; i++) {
        const sb_rule_induction_rule *rule = &m->v.rule[i];
        const int rest = rule->made == m->v.target ? 1 : n > 2 ? 3 : NEVER;
        least = lesser(least, steps_to_combine(m, s, rule) + rest);
    }
    return least;
}

/* ---- Search ---- */

static bool visit_all(memory *m, const packed_state *s, int depth);

/* Checks the limit, and records what this round leaves out for the next round's limit. */
static bool is_within(memory *m, int steps) {
    if (steps > m->limit) m->next_limit = lesser(m->next_limit, steps);
    return steps <= m->limit;
}

static bool go_on(memory *m, const packed_state *s, int depth) {
    if (!is_within(m, s->used + steps_left(m, s))) return false;
    m->visit[depth] = *s;
    return visit_all(m, s, depth + 1);
}

static bool collect(memory *m, const packed_state *s, int depth) {
    for (int i = 0; i < s->n && s->crafted; i++) {
        const int when = s->used + distances(m, s->cell[i])[s->at];
        if (s->kind[i] != m->v.target || !is_within(m, when)) continue;
        m->visit[depth] = (packed_state){.used = when, .at = s->cell[i]};
        m->n_visits = depth + 1;
        return true;
    }
    return false;
}

static bool visit(memory *m, const packed_state *s, int i, int depth) {
    packed_state beside = *s;
    if (!is_within(m, s->used + distances(m, s->cell[i])[s->at])) return false;
    beside.used += measure_walk(m, s, s->cell[i]) - 1;
    for (;; beside.used++) {
        packed_state next = beside;
        if (!enter(m, &next, s->cell[i])) return go_on(m, &next, depth);
        if (!is_within(m, next.used + 1)) return false;
        if (go_on(m, &next, depth)) return true;
    }
}

/* Searches depth first, at most MAX_VISITS deep, through everything that leads to success within the limit. */
static bool visit_all(memory *m, const packed_state *s, int depth) {
    if (m->budget->spent++ >= m->budget->limit) return false;
    if (collect(m, s, depth)) return true;
    for (int i = 0; i < s->n; i++)
        if (visit(m, s, i, depth)) return true;
    return false;
}

/* Plans the rest of a trial in the fewest steps; returns the index of the best start, or -1 if the trial cannot be won.
 */
static int plan_trial(memory *m) {
    m->next_limit = 0;
    while (m->next_limit <= m->trial_steps && m->budget->spent < m->budget->limit) {
        m->limit = m->next_limit, m->next_limit = NEVER;
        for (int i = 0; i < m->n_starts; i++)
            if (is_within(m, m->start[i].used + steps_left(m, &m->start[i])) && visit_all(m, &m->start[i], 0)) return i;
    }
    return -1;
}

/* ---- Plans ---- */

/* Adds moves down the steps to a goal; the waits come before the last move, beside the goal. */
static void add_walk(memory *m, int at, const int16_t *steps, int n_moves, int n_waits) {
    while (n_moves-- > 0) {
        sb_action move = SB_MOVE_UP;
        for (; n_moves == 0 && n_waits > 0; n_waits--) sb_plan_add(&m->plan, SB_NOOP);
        while (steps[at + m->step_of[sb_direction_of(move)]] != n_moves) move++;
        at += m->step_of[sb_direction_of(move)];
        sb_plan_add(&m->plan, move);
    }
}

static void add_visit(memory *m, const packed_state *from, const packed_state *to) {
    if (from->crafted && object_at(from, to->at) == m->v.target) {
        add_walk(m, from->at, distances(m, to->at), to->used - from->used, 0);
    } else {
        const int n_moves = measure_walk(m, from, to->at);
        add_walk(m, from->at, m->steps, n_moves, to->used - from->used - n_moves);
    }
}

/* Fills the steps until the next trial to be won with the walk to its best start, and with waiting there. */
static void add_wait(memory *m, const packed_state *here, int n_steps) {
    const int16_t *distance = distances(m, m->waits_at);
    add_walk(m, here->at, distance, distance[here->at], 0);
    for (int n = distance[here->at]; n < n_steps; n++) sb_plan_add(&m->plan, SB_NOOP);
}

/* Lists where the next trial may begin if `n_steps` are left before it; returns how many places there are. */
static int list_starts(memory *m, int at, int n_steps) {
    const int16_t *distance = distances(m, at);
    m->n_starts = 0;
    for (int i = 0; i < m->n_floor; i++)
        if (distance[m->floor[i]] <= n_steps) m->start[m->n_starts++] = fresh_state(m, m->floor[i]);
    return m->n_starts;
}

/* For a lost trial: plans the next later trial that can be won from a place within reach. */
static bool plan_later_trial(memory *m, const packed_state *here) {
    int n_steps = m->trial_steps - here->used, n_before = 0;
    for (int trial = m->v.trial + 1; trial < SB_RULE_INDUCTION_TRIALS; trial++, n_steps += m->trial_steps) {
        if (list_starts(m, here->at, n_steps) == n_before) return false;
        const int best = plan_trial(m);
        if (best >= 0) {
            m->waits_at = m->start[best].at;
            add_wait(m, here, n_steps);
            return true;
        }
        n_before = m->n_starts;
    }
    return false;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const packed_state here = state_of(e);
    sb_plan_begin(&m->plan, e);
    draw_map(m, e);
    m->budget = budget, m->waits_at = -1;
    m->start[0] = here, m->n_starts = 1;
    if (plan_trial(m) == 0) {
        for (int k = 0; k < m->n_visits; k++) add_visit(m, k ? &m->visit[k - 1] : &here, &m->visit[k]);
        return SB_SOLVED;
    }
    const bool is_solved = plan_later_trial(m, &here);
    m->n_visits = 0;
    if (is_solved) return SB_SOLVED;
    for (int n = e->clock; n < e->max_steps; n++) sb_plan_add(&m->plan, SB_NOOP);
    m->is_lost = budget->spent < budget->limit;
    return m->is_lost ? SB_IMPOSSIBLE : SB_NOT_FOUND;
}

static sb_verdict judge(void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(memory, sb_episode_of(env), budget);
}

/* ---- Acting ---- */

static void explain_wait(const memory *m, const sb_episode *e, sb_intent *intent) {
    if (m->waits_at < 0)
        sb_give_up(intent, m->is_lost ? "no trial can be won" : "no solution was found");
    else
        sb_intend(intent, "wait for", "next trial", sb_xy_of(e, m->waits_at));
}

/* Names the next visit. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_rule_induction_vars *v = SB_VARS(e);
    int k = 0;
    while (k < m->n_visits && m->visit[k].used <= v->used) k++;
    if (k >= m->n_visits) {
        explain_wait(m, e, intent);
        return;
    }
    const int held = e->agent.n_items > 0 ? e->items[0].value : SB_NONE, met = e->cells[m->visit[k].at].object;
    const sb_xy at = sb_xy_of(e, m->visit[k].at);
    if (v->crafted && met == v->target)
        sb_intend(intent, "collect", sb_object_names[met], at);
    else if (held == SB_NONE)
        sb_intend(intent, "fetch", sb_object_names[met], at);
    else if (sb_rule_induction_makes(v, held, met) != SB_NONE)
        sb_intend(intent, "combine the item with", sb_object_names[met], at);
    else
        sb_intend(intent, "get rid of", sb_object_names[held], at);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, NULL, action, intent);
}

const sb_oracle sb_rule_induction_expert = {
    .family = "agentick",
    .task = "RuleInduction-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory, const sb_episode *e, void *state) {
    draw_map(memory, e);
    *(packed_state *)state = state_of(e);
}

/* The search looks at one trial, so the rule does not know how the next one begins. */
static bool step(void *memory_, void *state, sb_action action) {
    const memory *m = memory_;
    packed_state *s = state;
    if (s->used + 1 >= m->trial_steps) return false;
    const int to = action == SB_NOOP ? s->at : s->at + m->step_of[sb_direction_of(action)];
    if (to == s->at || m->wall[to])
        s->used++;
    else
        enter(m, s, to);
    return true;
}

static bool begins_trial(const void *memory, const void *state, const sb_episode *e) {
    (void)memory, (void)e;
    const packed_state *s = state;
    return s->used == 0;
}

const sb_packed_rule sb_rule_induction_packed = {
    .task = "RuleInduction-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .step = step,
    .leaves_out = begins_trial,
};
