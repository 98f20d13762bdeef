/* Two oracles of TagHunt: the expert knows how long opponents stay frozen; the observer has to count.
 *
 * It is known how an opponent flees; only its errors are random. So hunting a single opponent is a small decision
 * process over the cells of agent and opponent. It is solved once per episode: without the switch, and with the switch
 * as a wall that can be pressed. The agent hunts the opponent that it expects to tag first; waiting near a cornered
 * opponent until it errs is part of this. The tables ignore that opponents block each other's way and flee into the
 * same corners. So while there are several opponents, rollouts compare other plans with the one from the tables: every
 * other first action, and the hunt of each opponent with the switch and without it. They draw from generators of the
 * oracle's own. */
#include "generators/agentick/multi_agent/tag_hunt.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/rollouts.h"
#include "oracles/kits/values.h"
#include "oracles/oracle.h"

typedef sb_tag_hunt_vars vars;

/* Cells are numbered in rows of STRIDE, whatever the size of the grid. */
enum { STRIDE = SB_VALUES_ROW, CELLS = 15 * STRIDE, OPPONENTS = SB_TAG_HUNT_OPPONENTS, FREEZE = SB_TAG_HUNT_FREEZE };
enum { MAX_SWEEPS = 100 };
static const float PRECISION = 0.2F; /* precision of the tables, in steps */
static const float NEVER = 1e9F;
/* Steps added for each further opponent: more than any single one takes, or else tagging might not be worth it. */
static const float NEXT = 50;

/* The actions in the order of preference; the first four are in the order in which opponents look. */
enum { WAYS = 4, WAIT = WAYS, PRESS, N_ACTIONS };
static const sb_action actions[N_ACTIONS] = {SB_MOVE_RIGHT, SB_MOVE_LEFT, SB_MOVE_DOWN,
                                             SB_MOVE_UP,    SB_NOOP,      SB_INTERACT};
/* Rollouts of LENGTH steps: a FEW of every plan, and all ROLLOUTS of those that are KEPT. */
enum { PLANS = N_ACTIONS + 2 * OPPONENTS, KEPT = 2, FEW = 12, ROLLOUTS = 64, LENGTH = 40 };
static const int ahead[WAYS] = {1, -1, STRIDE, -STRIDE}; /* change of a cell's number */
static int opposite(int way) { return way ^ 1; }

static int cell_of(sb_xy p) { return p.y * STRIDE + p.x; }

/* Steps that are left, by the cells of agent and opponent. */
typedef float table[CELLS][CELLS];

typedef struct map {            /* compared as bytes, so it has no padding */
    uint8_t difficulty, button; /* button: where the switch was placed */
    bool open[CELLS];           /* cells that the agent can reach; nobody ever leaves them */
} map;

typedef struct memory {
    map map;
    int n, cell[CELLS], rows;     /* the open cells; rows inside the border */
    float inside[CELLS];          /* 1 where the cell is open, else 0 */
    float ways[CELLS];            /* how many open neighbours the cell has */
    uint8_t apart[CELLS][CELLS];  /* Manhattan distance, by which opponents decide */
    uint8_t moves[CELLS][CELLS];  /* fewest moves between two cells */
    uint8_t near[CELLS][CELLS];   /* by cell: the open cells in the order of moves */
    uint8_t flight[CELLS][CELLS]; /* where an evading opponent goes, by the cells of agent and opponent */
    float evades;
    /* Steps that are left before the agent's action, and between it and the opponent's move; without and with the
     * switch. */
    table value[2], after[2];
    /* Steps that are left while the agent stands beside the switch and faces it, by the direction of the switch; and
     * after pressing it. */
    float faced[WAYS][CELLS], after_facing[WAYS][CELLS], pressed[WAYS][CELLS];
    sb_budget *budget;
    int32_t clock;
} memory;

/* A state of the hunt. */
typedef struct chase {
    int agent, freeze;
    int button; /* the switch's cell; -1: it is gone */
    int facing; /* the direction in which the agent faces the switch; WAYS: it does not */
    int n, cell[OPPONENTS];
    int target;  /* the opponent that is hunted; -1: the one that is expected to be tagged first */
    bool spares; /* does not press the switch until the target is tagged */
} chase;

/* ---- The map ---- */

static void measure(memory *m, const sb_episode *e) {
    sb_open open = {{false}};
    sb_reach reach;
    for (int i = 0; i < sb_n_cells(e); i++) open.cell[i] = m->map.open[cell_of(sb_xy_of(e, i))];
    for (int i = 0; i < m->n; i++) {
        const int a = m->cell[i];
        const sb_xy from = sb_at(a % STRIDE, a / STRIDE);
        sb_reach_from(&reach, e, &open, from, sb_nesw);
        for (int j = 0; j < m->n; j++) {
            const sb_xy to = reach.order[j];
            const int b = cell_of(to);
            m->near[a][j] = (uint8_t)b;
            m->apart[a][b] = (uint8_t)sb_manhattan(from, to);
            m->moves[a][b] = (uint8_t)reach.distance[sb_index(e, to)];
        }
    }
}

/* Returns the cell to which an evading opponent goes, given the directions in which it may go. */
static int flee(const memory *m, int agent, int from, const bool free[WAYS]) {
    int best = from;
    for (int k = 0; k < WAYS; k++) {
        const int to = from + ahead[k];
        if (free[k] && m->apart[agent][to] > m->apart[agent][best]) best = to;
    }
    return best;
}

static void list_flights(memory *m) {
    for (int j = 0; j < m->n; j++) {
        const int from = m->cell[j];
        bool free[WAYS];
        for (int k = 0; k < WAYS; k++) free[k] = m->map.open[from + ahead[k]];
        for (int i = 0; i < m->n; i++) m->flight[m->cell[i]][from] = (uint8_t)flee(m, m->cell[i], from, free);
    }
}

static map map_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    map map = {.difficulty = e->difficulty, .button = (uint8_t)cell_of(v->button)};
    sb_area reached;
    sb_area_reached(&reached, e, e->agent.at);
    for (int i = 0; i < sb_n_cells(e); i++) map.open[cell_of(sb_xy_of(e, i))] = sb_area_has(&reached, sb_xy_of(e, i));
    return map;
}

/* ---- Hunting one opponent ---- */

/* Averages the values over an opponent's open neighbours, for a row of its cells. The values of closed cells are 0.
 * Compilers vectorise this loop. */
static void average(float *restrict mean, const float *restrict value, const float *restrict ways) {
    for (int i = 0; i < STRIDE; i++) /* in the order of the ways */
        mean[i] = (value[i + 1] + value[i - 1] + value[i + STRIDE] + value[i - STRIDE]) / ways[i];
}

/* Averages the values over the opponent's moves. */
static void weigh(const memory *m, int agent, const float *value, float *after) {
    const float errs = 1 - m->evades;
    float mean[CELLS];
    for (int y = 1; y <= m->rows; y++) average(mean + y * STRIDE, value + y * STRIDE, m->ways + y * STRIDE);
    for (int j = 0; j < m->n; j++) {
        const int from = m->cell[j];
        after[from] = m->evades * value[m->flight[agent][from]] + errs * mean[from];
    }
}

/* Whether the agent faces the switch after a step in this direction, to or towards a cell. */
static bool faces(const memory *m, int to, int way) { return to == m->map.button || to + ahead[way] == m->map.button; }

/* Returns the steps that are left after an action. `button`: the switch exists. */
static float outcome(const memory *m, bool button, int facing, int agent, int opponent, int action) {
    if (action == PRESS) return facing < WAYS ? m->pressed[facing][opponent] : NEVER;
    if (action == WAIT) return facing < WAYS ? m->after_facing[facing][opponent] : m->after[button][agent][opponent];
    const int to = agent + ahead[action];
    if (!m->map.open[to]) return NEVER; /* no better than waiting */
    if (to == opponent) return 0;
    if (button && faces(m, to, action)) return m->after_facing[action][opponent];
    return m->after[button][to][opponent];
}

static int best_action(const memory *m, bool button, int facing, int agent, int opponent, float *least) {
    int best = WAIT;
    *least = NEVER;
    for (int action = 0; action < N_ACTIONS; action++) {
        const float steps = outcome(m, button, facing, agent, opponent, action);
        if (steps < *least) *least = steps, best = action;
    }
    return best;
}

/* The value of waiting until an opponent errs that would otherwise stay. Computed for all the waiting at once, because
 * each sweep would add only one step. */
static float wait_out(const memory *m, bool button, int agent, int opponent) {
    const float errs = 1 - m->evades;
    return (1 + m->after[button][agent][opponent] - m->evades * m->value[button][agent][opponent]) / errs;
}

/* Updates the values of all the opponent's cells; returns the largest change. */
static float improve(memory *m, bool button, int agent) {
    const float *after[SB_VALUES_ACTIONS];
    float *value = m->value[button][agent], steps[CELLS], change[STRIDE] = {0};
    after[WAIT] = m->after[button][agent] + STRIDE;
    for (int k = 0; k < WAYS; k++) {
        const int to = agent + ahead[k];
        const float *moved = button && faces(m, to, k) ? m->after_facing[k] : m->after[button][to];
        after[k] = m->map.open[to] ? moved + STRIDE : after[WAIT];
    }
    sb_values_choose(steps + STRIDE, after, m->rows);
    for (int k = 0; k < WAYS; k++) steps[agent + ahead[k]] = 1; /* the opponent is tagged */
    for (int j = 0; j < m->n; j++) {
        const int opponent = m->cell[j];
        if (m->flight[agent][opponent] != opponent) continue;
        const float waited = wait_out(m, button, agent, opponent);
        if (waited < steps[opponent]) steps[opponent] = waited;
    }
    if (button) steps[m->map.button] = value[m->map.button]; /* the opponent has destroyed the switch: value[0] holds */
    sb_values_replace(value + STRIDE, steps + STRIDE, m->inside + STRIDE, m->rows, change);
    weigh(m, agent, value, m->after[button][agent]);
    m->budget->spent += (uint64_t)m->n;
    return sb_values_most(change);
}

/* Returns the cell from which the switch lies in this direction. */
static int beside(const memory *m, int way) { return m->map.button + ahead[opposite(way)]; }

static void improve_faced(memory *m) {
    for (int k = 0; k < WAYS; k++) {
        const int agent = beside(m, k);
        if (!m->map.open[agent]) continue;
        for (int j = 0; j < m->n; j++) {
            const int opponent = m->cell[j];
            float steps;
            best_action(m, true, k, agent, opponent, &steps);
            m->faced[k][opponent] = opponent == m->map.button ? m->value[0][agent][opponent] : 1 + steps;
        }
        weigh(m, agent, m->faced[k], m->after_facing[k]);
    }
}

/* Value iteration, sweeping forwards and backwards. */
static void iterate(memory *m, bool button) {
    float change = PRECISION + 1;
    for (int sweep = 0; sweep < MAX_SWEEPS && change > PRECISION; sweep++) {
        change = 0;
        if (button) improve_faced(m);
        for (int i = 0; i < m->n; i++) {
            const float most = improve(m, button, m->cell[sweep % 2 ? m->n - 1 - i : i]);
            if (most > change) change = most;
        }
    }
}

/* Returns the steps that are left if the opponent does not move for the next `steps` steps. */
static float frozen_value(const memory *m, int agent, int opponent, int steps) {
    const int moves = agent == opponent ? 2 : m->moves[agent][opponent];
    float least = NEVER;
    if (moves <= steps + 1) return (float)moves;
    for (int j = 0; j < m->n && m->moves[agent][m->near[agent][j]] <= steps; j++) {
        const float left = (float)steps + m->value[0][m->near[agent][j]][opponent];
        if (left < least) least = left;
    }
    return least;
}

/* Starts with values that are too large, because values that are too small grow slowly. */
static void solve(memory *m) {
    memset(m->value, 0, sizeof m->value);
    memset(m->after, 0, sizeof m->after);
    memset(m->faced, 0, sizeof m->faced);
    memset(m->after_facing, 0, sizeof m->after_facing);
    for (int i = 0; i < m->n; i++) {
        const int a = m->cell[i];
        for (int j = 0; j < m->n; j++)
            m->value[0][a][m->cell[j]] = 2 * (float)m->apart[a][m->cell[j]] + 2 / (1 - m->evades);
        weigh(m, a, m->value[0][a], m->after[0][a]);
    }
    iterate(m, false);
    memcpy(m->value[1], m->value[0], sizeof m->value[0]);
    memcpy(m->after[1], m->after[0], sizeof m->after[0]);
    for (int k = 0; k < WAYS; k++) {
        const int agent = beside(m, k);
        if (!m->map.open[agent]) continue;
        for (int j = 0; j < m->n; j++) m->pressed[k][m->cell[j]] = frozen_value(m, agent, m->cell[j], FREEZE - 1);
        memcpy(m->after_facing[k], m->after[0][agent], sizeof m->after_facing[k]);
    }
    iterate(m, true);
}

static void read_map(memory *m, const sb_episode *e) {
    const map map = map_of(e);
    if (memcmp(&map, &m->map, sizeof map) == 0) return;
    m->map = map, m->n = 0;
    m->evades = (float)sb_tag_hunt_evades[e->difficulty];
    m->rows = e->height - 2;
    for (int i = 0; i < CELLS; i++) {
        m->inside[i] = map.open[i], m->ways[i] = 1;
        if (map.open[i]) m->cell[m->n++] = i;
    }
    for (int j = 0; j < m->n; j++) {
        int n = 0;
        for (int k = 0; k < WAYS; k++) n += map.open[m->cell[j] + ahead[k]];
        if (n > 1) m->ways[m->cell[j]] = (float)n;
    }
    measure(m, e);
    list_flights(m);
    solve(m);
}

/* ---- Hunting several opponents ---- */

static chase chase_of(const memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    chase c = {
        .agent = cell_of(e->agent.at), .freeze = v->freeze, .button = -1, .facing = WAYS, .n = v->n_live, .target = -1};
    for (int i = 0; i < c.n; i++) c.cell[i] = cell_of(v->live[i]);
    if (sb_peek(e, v->button)->object != SB_SWITCH) return c;
    c.button = m->map.button;
    for (int k = 0; k < WAYS; k++)
        if (sb_ewsn[k] == e->agent.facing && c.agent == beside(m, k)) c.facing = k;
    return c;
}

static void tag(chase *c, int i) {
    c->agent = c->cell[i];
    c->n--;
    if (c->target == i) c->target = -1, c->spares = false;
    if (c->target > i) c->target--;
    for (; i < c->n; i++) c->cell[i] = c->cell[i + 1];
}

static float value_of(const memory *m, const chase *c, int i) {
    const int opponent = c->cell[i];
    return c->facing < WAYS ? m->faced[c->facing][opponent] : m->value[c->button >= 0][c->agent][opponent];
}

/* Returns the opponent that is expected to be tagged first. */
static int quarry(const memory *m, const chase *c) {
    int best = 0;
    for (int i = 1; i < c->n; i++)
        if (value_of(m, c, i) < value_of(m, c, best)) best = i;
    return best;
}

/* Estimates the steps that are left; tries all orders of tagging while the opponents are frozen. */
static float opinion(const memory *m, const chase *c) {
    float least = NEVER;
    if (c->n == 0) return 0;
    if (c->freeze == 0) return value_of(m, c, quarry(m, c)) + NEXT * (float)(c->n - 1);
    for (int i = 0; i < c->n; i++) {
        const int moves = m->moves[c->agent][c->cell[i]];
        float steps = frozen_value(m, c->agent, c->cell[i], c->freeze) + NEXT * (float)(c->n - 1);
        if (moves > 0 && moves <= c->freeze + 1) {
            chase next = *c;
            tag(&next, i);
            next.freeze = c->freeze > moves ? c->freeze - moves : 0;
            steps = (float)moves + opinion(m, &next);
        }
        if (steps < least) least = steps;
    }
    return least;
}

/* Plays the agent's part of a step; false if the action is no better than waiting. */
static bool take(const memory *m, chase *c, int action) {
    if (action == WAIT) return true;
    if (action == PRESS) {
        if (c->facing == WAYS) return false;
        c->button = -1, c->facing = WAYS, c->freeze = FREEZE;
        return true;
    }
    const int to = c->agent + ahead[action];
    if (!m->map.open[to]) return false;
    const bool faces = c->button >= 0 && (to == c->button || to + ahead[action] == c->button);
    c->facing = faces ? action : WAYS;
    if (to == c->button) return true;
    c->agent = to;
    for (int i = 0; i < c->n; i++)
        if (c->cell[i] == to) tag(c, i);
    return true;
}

/* Chooses the action while all are frozen and nothing is random. */
static int strike(const memory *m, const chase *c) {
    float least = NEVER;
    int best = WAIT;
    for (int action = 0; action < N_ACTIONS; action++) {
        chase next = *c;
        if (!take(m, &next, action)) continue;
        next.freeze--;
        const float steps = opinion(m, &next);
        if (steps < least) least = steps, best = action;
    }
    return best;
}

/* Returns the best action without the switch, whose cell is a wall. */
static int sparing_action(const memory *m, const chase *c, int opponent) {
    int best = WAIT;
    float least = NEVER;
    for (int action = 0; action <= WAIT; action++) {
        if (action < WAYS && c->agent + ahead[action] == c->button) continue;
        const float steps = outcome(m, false, WAYS, c->agent, opponent, action);
        if (steps < least) least = steps, best = action;
    }
    return best;
}

static int hunt(const memory *m, const chase *c) {
    float steps;
    if (c->freeze > 0) return strike(m, c);
    const int i = c->target >= 0 ? c->target : quarry(m, c);
    if (c->spares) return sparing_action(m, c, c->cell[i]);
    return best_action(m, c->button >= 0, c->facing, c->agent, c->cell[i], &steps);
}

/* ---- Rollouts ---- */

static bool is_taken(const chase *c, int cell) {
    for (int i = 0; i < c->n; i++)
        if (c->cell[i] == cell) return true;
    return false;
}

/* Returns where an opponent goes, by a random draw: one that errs goes in any free direction. */
static int stir(const memory *m, const chase *c, int from, uint64_t drawn) {
    const bool evades = (float)(drawn >> 40) * 0x1p-24F < m->evades;
    const int flight = m->flight[c->agent][from];
    bool free[WAYS];
    int n = 0;
    if (evades && (flight == from || !is_taken(c, flight))) return flight;
    for (int k = 0; k < WAYS; k++) n += free[k] = m->map.open[from + ahead[k]] && !is_taken(c, from + ahead[k]);
    if (evades) return flee(m, c->agent, from, free);
    int nth = (int)((drawn & 0xffff) * (uint64_t)n >> 16);
    for (int k = 0; k < WAYS; k++)
        if (free[k] && nth-- == 0) return from + ahead[k];
    return from;
}

static void stir_all(const memory *m, chase *c, sb_rng *rng) {
    if (c->freeze > 0) {
        c->freeze--;
        return;
    }
    for (int i = 0; i < c->n; i++) c->cell[i] = stir(m, c, c->cell[i], sb_next64(rng));
    if (c->button >= 0 && is_taken(c, c->button)) c->button = -1, c->facing = WAYS;
}

/* A way to go on: a first action, and how to hunt after it. */
typedef struct plan {
    chase from;
    int action;
} plan;

typedef struct plans {
    const memory *memory;
    int n;
    plan plan[PLANS];
} plans;

/* Returns how many steps a plan takes, including an estimate of what is left at the end. Each step of the episode gets
 * other draws: otherwise the agent might wait for ever for an event that its own draws promise. */
static float play(const void *plans_, int number, int sample) {
    const plans *p = plans_;
    const memory *m = p->memory;
    chase c = p->plan[number].from;
    sb_rng rng;
    int t = 0;
    sb_rng_seed(&rng, (uint64_t)(m->clock * ROLLOUTS + sample), NULL);
    for (; c.n > 0 && t < LENGTH; t++) {
        take(m, &c, t ? hunt(m, &c) : p->plan[number].action);
        stir_all(m, &c, &rng);
    }
    m->budget->spent++; /* a rollout counts as one state */
    return (float)t + opinion(m, &c);
}

/* Lists the usual plan, every other action followed by the usual hunt, and the hunts of one opponent, with and without
 * the switch, that begin with another action. */
static void list_plans(plans *p, const chase *c) {
    const int usual = hunt(p->memory, c);
    p->n = 0;
    p->plan[p->n++] = (plan){.from = *c, .action = usual};
    for (int action = 0; action < N_ACTIONS; action++) {
        chase next = *c;
        if (action != usual && take(p->memory, &next, action)) p->plan[p->n++] = (plan){.from = *c, .action = action};
    }
    for (int target = 0; target < c->n; target++)
        for (int spares = 0; spares <= (c->button >= 0); spares++) {
            plan other = {.from = *c};
            other.from.target = target, other.from.spares = spares;
            other.action = hunt(p->memory, &other.from);
            if (other.action != usual) p->plan[p->n++] = other;
        }
}

static int choose(const memory *m, const chase *c) {
    plans p = {.memory = m};
    const sb_rollouts rollouts = {.few = FEW, .all = ROLLOUTS, .kept = KEPT, .play = play, .context = &p};
    if (c->n == 1 || c->freeze > 0) return hunt(m, c);
    list_plans(&p, c);
    return p.plan[sb_rollouts_choose(&rollouts, p.n)].action;
}

/* ---- The expert ---- */

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    m->budget = budget, m->clock = e->clock;
    read_map(m, e);
    const chase c = chase_of(m, e);
    const int best = choose(m, &c);
    *action = actions[best];
    if (best == PRESS || (best < WAYS && c.agent + ahead[best] == c.button))
        sb_intend(intent, "press", "switch", v->button);
    else
        sb_intend(intent, best == WAIT ? "wait for" : "hunt", "enemy", v->live[quarry(m, &c)]);
}

const sb_oracle sb_tag_hunt_expert = {
    .family = "agentick",
    .task = "TagHunt-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The observer ---- */

typedef struct observer {
    int freeze;      /* steps of the freeze that are left, by the observer's own count */
    bool has_button; /* the switch was there at the last call */
    sb_belief belief;
    memory expert;
} observer;

/* Counts the steps of a freeze, which begins in the step in which the agent presses the switch. */
static void count_freeze(observer *m, const sb_episode *e, sb_action taken) {
    const vars *v = SB_VARS(e);
    const bool faces = sb_same(sb_beside(e->agent.at, (sb_direction)e->agent.facing), v->button);
    if (m->has_button && faces && taken == SB_INTERACT) m->freeze = FREEZE;
    if (m->freeze > 0) m->freeze--;
    m->has_button = sb_peek(e, v->button)->object == SB_SWITCH;
}

static void act_as_observer(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                            sb_intent *intent) {
    observer *m = memory_;
    sb_episode *e = sb_believe(&m->belief, observation);
    vars *v = SB_VARS(e);
    count_freeze(m, e, observation->env->taken);
    v->freeze = m->freeze;
    sb_act_on_belief(&m->belief, &sb_tag_hunt_expert, &m->expert, budget, action, intent);
}

/* Opponents move in an order that the observer does not follow. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    const observer *m = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    v->freeze = m->freeze;
    sb_shuffle_xy(rng, v->live, (size_t)v->n_live);
}

const sb_oracle sb_tag_hunt_observer = {
    .family = "agentick",
    .task = "TagHunt-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(observer, expert),
    .memory = sizeof(observer),
    .act = act_as_observer,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state) {
    memory *m = memory_;
    sb_budget budget = {0};
    m->budget = &budget;
    read_map(m, e);
    *(chase *)state = chase_of(m, e);
    m->budget = NULL;
}

static sb_packed_outcome draw(void *memory_, void *state, sb_action action, sb_rng *rng) {
    chase *c = state;
    int k = 0;
    while (actions[k] != action) k++;
    if (!take(memory_, c, k)) return SB_PACKED_SKIPPED;
    stir_all(memory_, c, rng);
    return SB_PACKED_GOES_ON;
}

static int tell(const void *memory_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)memory_;
    const chase *c = state;
    int n = 0;
    numbers[n++] = c->agent, numbers[n++] = c->freeze, numbers[n++] = c->facing, numbers[n++] = c->n;
    numbers[n++] = c->button >= 0;
    for (int i = 0; i < c->n; i++) numbers[n++] = c->cell[i];
    return n;
}

const sb_packed_rule sb_tag_hunt_rule = {
    .task = "TagHunt-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(chase),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
