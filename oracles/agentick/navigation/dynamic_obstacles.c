/* The expert of DynamicObstacles: at every step it plays each move forward a few times, the best two more often, and
 * takes the one with the least cost.
 *
 * It knows how obstacles behave but not what they will draw, so here they draw from a generator of the oracle's own.
 * First the obstacles are played forward alone. How often they are at each cell in each step gives a risk, and with it
 * oracles/kits/risk.h estimates the cost of being at a cell. The rollouts then show how well the agent can react, and
 * whether pursuing obstacles trap it: in them the agent follows the estimate and the risk of the next step, which is
 * exact. */
#include "generators/agentick/navigation/dynamic_obstacles.h"

#include <string.h>

#include "engine/gridworld/parts/movers.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/risk.h"

typedef sb_dynamic_obstacles_vars vars;

enum {
    HORIZON = 8,
    SAMPLES = 32,
    FEW = 16,
    MANY = 64,
    LENGTH = 10,
    CELLS = 15 * 15,
    TURNS = SB_DYNAMIC_OBSTACLES_TURNS
};
static const float STEP_COST = 0.01F, FADE = 0.4F;

/* The agent and the obstacles. Cells are indices. */
typedef struct crowd {
    int n, agent;
    int cell[SB_DYNAMIC_OBSTACLES_MAX], heading[SB_DYNAMIC_OBSTACLES_MAX];
} crowd;

typedef struct memory { /* working memory: nothing is remembered */
    const sb_episode *e;
    int n_cells, goal;
    sb_xy at[CELLS];
    float moves, pursues;
    bool enters[CELLS]; /* whether an obstacle may enter */
    sb_risk risk;
    sb_risk_step step; /* a step, still without its chances and costs */
    sb_rng rng;
    sb_budget *budget;
} memory;

static void read_map(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const sb_dynamic_obstacles_temper *temper = &sb_dynamic_obstacles_tempers[e->difficulty];
    m->e = e;
    m->n_cells = sb_n_cells(e);
    m->goal = sb_index(e, v->goal);
    m->step = sb_risk_step_on(e, &m->risk.way, STEP_COST);
    m->moves = (float)temper->moves, m->pursues = (float)temper->pursues;
    for (int i = 0; i < m->n_cells; i++) {
        m->at[i] = sb_xy_of(e, i);
        m->enters[i] = sb_may_patrol(e, m->at[i]);
    }
}

static crowd crowd_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    crowd c = {.n = v->n_obstacles, .agent = sb_index(e, e->agent.at)};
    for (int i = 0; i < c.n; i++) c.cell[i] = sb_index(e, v->obstacle[i]), c.heading[i] = v->heading[i];
    return c;
}

/* ---- Obstacles ---- */

static float draw(sb_rng *rng) { return (float)(sb_next32(rng) >> 8) * 0x1p-24F; }

static int apart(const memory *m, int a, int b) { return sb_manhattan(m->at[a], m->at[b]); }

/* Returns the heading that brings an obstacle nearer to the agent, or -1. */
static int pursuit(const memory *m, int cell, int agent) {
    const int dx = m->at[agent].x - m->at[cell].x, dy = m->at[agent].y - m->at[cell].y;
    const bool nearer[4] = {dy<0, dy> 0, dx<0, dx> 0}; /* in the order of headings: the first one counts */
    for (int h = 0; h < 4; h++)
        if (nearer[h] && m->enters[cell + m->step.ahead[h]]) return h;
    return -1;
}

static void stir(memory *m, crowd *c, int i) {
    const float drawn = draw(&m->rng);
    int h = c->heading[i];
    if (drawn >= m->moves) return;
    if (drawn < m->moves * m->pursues) {
        h = pursuit(m, c->cell[i], c->agent);
        if (h < 0) return;
    } else {
        for (int turn = 0; !m->enters[c->cell[i] + m->step.ahead[h]]; turn++) {
            if (turn == TURNS) return; /* all headings that were drawn are blocked too */
            c->heading[i] = h = (int)(sb_next32(&m->rng) >> 30);
        }
    }
    c->heading[i] = h;
    c->cell[i] += m->step.ahead[h];
}

/* Returns the chance that obstacle i ends the step on this cell if the agent does. */
static float hit(const memory *m, const crowd *c, int i, int there) {
    static const float blocked_for_good[5] = {1, 81 / 256.0F, 16 / 256.0F, 1 / 256.0F, 0}; /* by free neighbours */
    const int from = c->cell[i], distance = apart(m, from, there);
    if (distance > 1 || (distance == 1 && !m->enters[there])) return 0;
    const float pursues = m->moves * m->pursues, wanders = m->moves - pursues;
    const float stays = 1 - m->moves;
    const int next = from + m->step.ahead[c->heading[i]];
    const float caught = distance ? pursues : stays + pursues;
    if (m->enters[next]) return caught + (next == there ? wanders : 0);
    int n_free = 0;
    for (int h = 0; h < 4; h++) n_free += m->enters[from + m->step.ahead[h]];
    const float stuck = blocked_for_good[n_free];
    return caught + wanders * (distance ? (1 - stuck) / (float)n_free : stuck);
}

static float risk_at(const memory *m, const crowd *c, int there) {
    float safe = 1;
    if (there == m->goal) return 0;
    for (int i = 0; i < c->n; i++) safe *= 1 - hit(m, c, i, there);
    return 1 - safe;
}

/* ---- The estimate ---- */

/* The chance that an obstacle is at a cell is the share of the samples in which it is; several obstacles add up. */
static void sample_risks(memory *m, const crowd *start) {
    sb_risk_begin(&m->risk, m->e);
    for (int s = 0; s < SAMPLES; s++) {
        crowd c = *start;
        for (int t = 0; t < HORIZON; t++)
            for (int i = 0; i < c.n; i++) {
                stir(m, &c, i);
                float *safe = &m->risk.enters[t][c.cell[i]];
                *safe = *safe > 1.0F / SAMPLES ? *safe - 1.0F / SAMPLES : 0;
            }
        m->budget->spent += HORIZON;
    }
    memcpy(m->risk.stays, m->risk.enters, sizeof m->risk.stays);
}

static void form_opinion(memory *m, const crowd *start) {
    const vars *v = SB_VARS(m->e);
    sample_risks(m, start);
    m->risk.horizon = HORIZON, m->risk.step_cost = STEP_COST, m->risk.fade = FADE;
    sb_open_walkable(&m->risk.open, m->e);
    sb_risk_estimate(&m->risk, m->e, v->goal, m->budget);
}

/* ---- Rollouts ---- */

/* Returns the action with the least risk and cost, according to the estimate. */
static int guess(const memory *m, const crowd *c, int t, float *risk) {
    const float *value = m->risk.value[t + 1 < HORIZON ? t + 1 : HORIZON];
    float least = 3;
    int best = SB_RISK_ACTIONS - 1;
    for (int k = 0; k < SB_RISK_ACTIONS; k++) {
        const int to = sb_risk_target(&m->step, c->agent, k);
        if (to < 0) continue;
        const float r = risk_at(m, c, to), cost = r + (1 - r) * value[to];
        if (cost < least) least = cost, best = k, *risk = r;
    }
    return best;
}

/* Returns the expected cost of action k followed by guessed actions. The agent is never hit here; instead, the chance
 * of being hit is added to the cost. */
static float play(memory *m, const crowd *start, int k) {
    crowd c = *start;
    float cost = 0, alive = 1, risk = risk_at(m, &c, sb_risk_target(&m->step, c.agent, k));
    for (int t = 0; t < LENGTH; t++) {
        m->budget->spent++;
        if (t) k = guess(m, &c, t, &risk);
        c.agent = sb_risk_target(&m->step, c.agent, k);
        cost += alive * (STEP_COST + risk);
        alive *= 1 - risk;
        if (c.agent == m->goal || alive < 0.1F) return cost;
        for (int i = 0; i < c.n; i++) {
            const int cell = c.cell[i], heading = c.heading[i];
            do {
                c.cell[i] = cell, c.heading[i] = heading;
                stir(m, &c, i);
            } while (c.cell[i] == c.agent);
        }
    }
    return cost + alive * m->risk.value[HORIZON][c.agent];
}

/* An action, and the sum of its costs in the rollouts so far. All actions get the same draws. */
typedef struct option {
    int k;
    float cost;
} option;

static void try_out(memory *m, const crowd *start, option *options, int n, int from, int to) {
    for (int i = 0; i < n; i++) {
        sb_rng_seed(&m->rng, (uint64_t)from + 1, NULL);
        for (int r = from; r < to; r++) options[i].cost += play(m, start, options[i].k);
    }
}

/* Moves the option with the least cost among those from i on to place i: the first among equals. */
static void select_option(option *options, int n, int i) {
    int least = i;
    for (int j = i + 1; j < n; j++)
        if (options[j].cost < options[least].cost) least = j;
    const option best = options[least];
    for (; least > i; least--) options[least] = options[least - 1];
    options[i] = best;
}

/* All actions are tried in a few rollouts, and the best two in more. */
static sb_action choose(memory *m, const crowd *start) {
    option options[SB_RISK_ACTIONS];
    int n = 0;
    for (int k = 0; k < SB_RISK_ACTIONS; k++)
        if (sb_risk_target(&m->step, start->agent, k) >= 0) options[n++] = (option){.k = k};
    try_out(m, start, options, n, 0, FEW);
    select_option(options, n, 0);
    if (n == 1) return sb_risk_actions[options[0].k];
    select_option(options, n, 1);
    try_out(m, start, options, 2, FEW, MANY);
    select_option(options, 2, 0);
    return sb_risk_actions[options[0].k];
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    const crowd start = crowd_of(e);
    m->budget = budget;
    sb_rng_seed(&m->rng, 1, NULL);
    read_map(m, e);
    form_opinion(m, &start);
    *action = choose(m, &start);
    if (*action == SB_NOOP)
        sb_wait_for_nearest(intent, e, "obstacle", v->obstacle, v->n_obstacles);
    else
        sb_intend(intent, "go to", "goal", v->goal);
}

const sb_oracle sb_dynamic_obstacles_expert = {
    .family = "agentick",
    .task = "DynamicObstacles-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The observer ---- */

/* If obstacles meet in a cell, only one is visible; otherwise everything is shown. The observer knows from the start
 * how many there are. If it sees fewer, it guesses how the known ones have moved: every visible obstacle must be one of
 * them, and as many as possible should have the visible heading or go straight on. */
enum { MAX = SB_DYNAMIC_OBSTACLES_MAX, STAYS = 4, UNSEEN = -1 };

/* Merit of a guess: accounting for one more occupied cell is worth more than everything else that all obstacles can
 * gain together. */
enum { GOES_ON = 1, AS_SEEN = 2, FOUND = 32 };

typedef struct obstacles {
    int n;
    sb_xy at[MAX];
    int8_t heading[MAX];
} obstacles;

typedef struct notes {
    obstacles known;
    memory expert;
} notes;

typedef struct guesses {
    const sb_episode *e;
    const obstacles *known;
    int seen[CELLS], met[CELLS];     /* seen: heading, or UNSEEN; met: obstacles guessed to be there */
    int move[MAX], best[MAX], merit; /* headings or STAYS that are tried; the best ones, and their merit */
} guesses;

static sb_xy moved(sb_xy from, int move) { return move == STAYS ? from : sb_beside(from, sb_nswe[move]); }

/* Tries all moves of obstacle i and of those after it; the recursion is at most MAX deep. */
static void guess_moves(guesses *g, int i, int merit) {
    if (i == g->known->n) {
        if (merit > g->merit) g->merit = merit, memcpy(g->best, g->move, sizeof g->best);
        return;
    }
    for (int move = 0; move <= STAYS; move++) {
        const int to = sb_index(g->e, moved(g->known->at[i], move));
        const int old = g->known->heading[i], heading = move == STAYS ? old : move;
        if (g->seen[to] == UNSEEN) continue;
        g->move[i] = move;
        const int agrees = (heading == old ? GOES_ON : 0) + (heading == g->seen[to] ? AS_SEEN : 0);
        guess_moves(g, i + 1, merit + agrees + (g->met[to]++ == 0 ? FOUND : 0));
        g->met[to]--;
    }
}

/* Applies the best guess. An obstacle that is alone in its cell has the visible heading. */
static void follow(obstacles *known, guesses *g) {
    for (int i = 0; i < known->n; i++) {
        if (g->best[i] != STAYS) known->heading[i] = (int8_t)g->best[i];
        known->at[i] = moved(known->at[i], g->best[i]);
        g->met[sb_index(g->e, known->at[i])]++;
    }
    for (int i = 0; i < known->n; i++) {
        const int cell = sb_index(g->e, known->at[i]);
        if (g->met[cell] == 1) known->heading[i] = (int8_t)g->seen[cell];
    }
}

static void watch(obstacles *known, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int all_found = FOUND * v->n_obstacles;
    guesses g = {.e = e, .known = known, .merit = all_found - 1};
    for (int i = 0; i < CELLS; i++) g.seen[i] = UNSEEN;
    for (int i = 0; i < v->n_obstacles; i++) g.seen[sb_index(e, v->obstacle[i])] = v->heading[i];
    if (v->n_obstacles < known->n) guess_moves(&g, 0, 0);
    if (g.merit >= all_found) {
        follow(known, &g);
        return;
    }
    known->n = v->n_obstacles; /* all are visible, or the observer has lost track of the others */
    memcpy(known->at, v->obstacle, sizeof known->at);
    memcpy(known->heading, v->heading, sizeof known->heading);
}

static void believe(const obstacles *known, vars *v) {
    v->n_obstacles = known->n;
    memcpy(v->obstacle, known->at, sizeof v->obstacle);
    memcpy(v->heading, known->heading, sizeof v->heading);
}

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    sb_belief belief;
    vars *v = SB_VARS(sb_believe(&belief, observation));
    watch(&n->known, &belief.episode);
    believe(&n->known, v);
    sb_act_on_belief(&belief, &sb_dynamic_obstacles_expert, &n->expert, budget, action, intent);
}

static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    (void)rng;
    const notes *n = memory;
    sb_episode *e = env->state;
    believe(&n->known, SB_VARS(e));
}

const sb_oracle sb_dynamic_obstacles_observer = {
    .family = "agentick",
    .task = "DynamicObstacles-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state) {
    read_map(memory_, e);
    *(crowd *)state = crowd_of(e);
}

/* An obstacle that ends the step on the agent's cell kills it. */
static sb_packed_outcome draw_step(void *memory_, void *state, sb_action action, sb_rng *rng) {
    memory *m = memory_;
    crowd *c = state;
    if (action == SB_INTERACT) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP) {
        const sb_xy to = sb_beside(m->at[c->agent], sb_direction_of(action));
        if (!sb_walkable(m->e, to)) return SB_PACKED_SKIPPED;
        c->agent = sb_index(m->e, to);
    }
    m->rng = *rng;
    for (int i = 0; i < c->n; i++) stir(m, c, i);
    *rng = m->rng;
    for (int i = 0; i < c->n; i++)
        if (c->cell[i] == c->agent) return SB_PACKED_LOST;
    return SB_PACKED_GOES_ON;
}

static int tell(const void *memory_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)memory_;
    const crowd *c = state;
    int n = 0;
    numbers[n++] = c->agent;
    for (int i = 0; i < c->n; i++) numbers[n++] = c->cell[i], numbers[n++] = c->heading[i];
    return n;
}

const sb_packed_rule sb_dynamic_obstacles_rule = {
    .task = "DynamicObstacles-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(crowd),
    .pack = pack,
    .draw = draw_step,
    .tell = tell,
};
