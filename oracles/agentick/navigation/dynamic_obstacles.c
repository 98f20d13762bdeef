/* The expert of DynamicObstacles: at every step it plays each move forward a few times and takes the one with the least
 * cost.
 *
 * It knows how obstacles behave but not what they will draw, so here they draw from a generator of the oracle's own.
 * First the obstacles are played forward alone. How often they are at each cell in each step gives a risk, and backward
 * induction over (step, cell) weighs the risk against the remaining way. The result is an estimate of the cost of being
 * at a cell, where dying costs 1 and a step STEP_COST. A risk counts less the further ahead it lies (factor FADE per
 * step), because the agent will see what comes and react. The rollouts then show how well the agent can react, and
 * whether pursuing obstacles trap it: in them the agent follows the estimate and the risk of the next step, which is
 * exact. */
#include "generators/agentick/navigation/dynamic_obstacles.h"

#include <string.h>

#include "engine/gridworld/parts/movers.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"

typedef sb_dynamic_obstacles_vars vars;

enum { HORIZON = 8, SAMPLES = 32, ROLLOUTS = 16, LENGTH = 10, CELLS = 15 * 15, TURNS = SB_DYNAMIC_OBSTACLES_TURNS };
static const float STEP_COST = 0.01F, FADE = 0.4F;

/* The agent and the obstacles. Cells are indices. */
typedef struct crowd {
    int n, agent;
    int cell[SB_DYNAMIC_OBSTACLES_MAX], heading[SB_DYNAMIC_OBSTACLES_MAX];
} crowd;

typedef struct memory { /* working memory: nothing is remembered */
    const sb_episode *e;
    int n_cells, goal, ahead[4]; /* ahead: change of a cell's index for each heading */
    sb_xy at[CELLS];
    float moves, pursues;
    bool enters[CELLS];              /* whether an obstacle may enter */
    sb_reach way;                    /* distances to the goal */
    float risk[HORIZON][CELLS];      /* of an obstacle at the cell in step t + 1 */
    float value[HORIZON + 1][CELLS]; /* expected cost of being at the cell after step t */
    sb_rng rng;
    sb_budget *budget;
} memory;

static void read_map(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const sb_dynamic_obstacles_temper *temper = &sb_dynamic_obstacles_tempers[e->difficulty];
    sb_open open;
    sb_open_walkable(&open, e);
    m->e = e;
    m->n_cells = sb_n_cells(e);
    m->goal = sb_index(e, v->goal);
    for (int h = 0; h < 4; h++) m->ahead[h] = sb_delta[sb_nswe[h]].y * e->width + sb_delta[sb_nswe[h]].x;
    m->moves = (float)temper->moves, m->pursues = (float)temper->pursues;
    for (int i = 0; i < m->n_cells; i++) {
        m->at[i] = sb_xy_of(e, i);
        m->enters[i] = sb_may_patrol(e, m->at[i]);
    }
    sb_reach_from(&m->way, e, &open, v->goal, sb_nesw);
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
        if (nearer[h] && m->enters[cell + m->ahead[h]]) return h;
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
        for (int turn = 0; !m->enters[c->cell[i] + m->ahead[h]]; turn++) {
            if (turn == TURNS) return; /* all headings that were drawn are blocked too */
            c->heading[i] = h = (int)(sb_next32(&m->rng) >> 30);
        }
    }
    c->heading[i] = h;
    c->cell[i] += m->ahead[h];
}

/* Returns the chance that obstacle i ends the step on this cell if the agent does. */
static float hit(const memory *m, const crowd *c, int i, int there) {
    static const float blocked_for_good[5] = {1, 81 / 256.0F, 16 / 256.0F, 1 / 256.0F, 0}; /* by free neighbours */
    const int from = c->cell[i], distance = apart(m, from, there);
    if (distance > 1 || (distance == 1 && !m->enters[there])) return 0;
    const float pursues = m->moves * m->pursues, wanders = m->moves - pursues;
    const float stays = 1 - m->moves;
    const int next = from + m->ahead[c->heading[i]];
    const float caught = distance ? pursues : stays + pursues;
    if (m->enters[next]) return caught + (next == there ? wanders : 0);
    int n_free = 0;
    for (int h = 0; h < 4; h++) n_free += m->enters[from + m->ahead[h]];
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

/* Noop comes last: it is taken only if nothing else is as good. */
static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

/* Returns the cell that action k leads to, or -1 if a wall stops it, which is no better than waiting. */
static int target(const memory *m, int from, int k) {
    if (actions[k] == SB_NOOP) return from;
    const int to = from + m->ahead[k]; /* the moves are in the order of the headings */
    return m->way.parent[to] < 0 ? -1 : to;
}

static void sample_risks(memory *m, const crowd *start) {
    for (int t = 0; t < HORIZON; t++)
        for (int i = 0; i < m->n_cells; i++) m->risk[t][i] = 0;
    for (int s = 0; s < SAMPLES; s++) {
        crowd c = *start;
        for (int t = 0; t < HORIZON; t++)
            for (int i = 0; i < c.n; i++) {
                stir(m, &c, i);
                m->risk[t][c.cell[i]] += 1.0F / SAMPLES;
            }
        m->budget->spent += HORIZON;
    }
}

static void form_opinion(memory *m, const crowd *start) {
    sample_risks(m, start);
    for (int k = 0; k < m->way.n; k++) {
        const int i = sb_index(m->e, m->way.order[k]);
        m->value[HORIZON][i] = STEP_COST * m->way.distance[i];
    }
    float fading = 1;
    for (int t = 1; t < HORIZON; t++) fading *= FADE;
    for (int t = HORIZON - 1; t > 0; t--) {
        for (int j = 0; j < m->way.n; j++) {
            const int i = sb_index(m->e, m->way.order[j]);
            float least = i == m->goal ? 0 : 2;
            for (int k = 0; k < N_ACTIONS; k++) {
                const int to = target(m, i, k);
                if (to < 0) continue;
                const float risk = fading * (m->risk[t][to] < 1 ? m->risk[t][to] : 1);
                const float cost = STEP_COST + risk + (1 - risk) * m->value[t + 1][to];
                if (cost < least) least = cost;
            }
            m->value[t][i] = least;
            m->budget->spent++;
        }
        fading /= FADE;
    }
}

/* ---- Rollouts ---- */

/* Returns the action with the least risk and cost, according to the estimate. */
static int guess(const memory *m, const crowd *c, int t, float *risk) {
    const float *value = m->value[t + 1 < HORIZON ? t + 1 : HORIZON];
    float least = 3;
    int best = N_ACTIONS - 1;
    for (int k = 0; k < N_ACTIONS; k++) {
        const int to = target(m, c->agent, k);
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
    float cost = 0, alive = 1, risk = risk_at(m, &c, target(m, c.agent, k));
    for (int t = 0; t < LENGTH; t++) {
        m->budget->spent++;
        if (t) k = guess(m, &c, t, &risk);
        c.agent = target(m, c.agent, k);
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
    return cost + alive * m->value[HORIZON][c.agent];
}

static sb_action choose(memory *m, const crowd *start) {
    float least = 1e9F;
    sb_action best = SB_NOOP;
    for (int k = 0; k < N_ACTIONS; k++) {
        if (target(m, start->agent, k) < 0) continue;
        float cost = 0;
        sb_rng_seed(&m->rng, 1, NULL); /* all actions get the same draws */
        for (int i = 0; i < ROLLOUTS; i++) cost += play(m, start, k);
        if (cost < least) least = cost, best = actions[k];
    }
    return best;
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
        sb_intend(intent, "wait for", "obstacle", v->obstacle[0]);
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
    int move[MAX], best[MAX], merit; /* a heading or STAYS */
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

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    sb_belief belief;
    vars *v = SB_VARS(sb_believe(&belief, observation));
    watch(&n->known, &belief.episode);
    v->n_obstacles = n->known.n;
    memcpy(v->obstacle, n->known.at, sizeof v->obstacle);
    memcpy(v->heading, n->known.heading, sizeof v->heading);
    sb_act_on_belief(&belief, &sb_dynamic_obstacles_expert, &n->expert, budget, action, intent);
}

const sb_oracle sb_dynamic_obstacles_observer = {
    .family = "agentick",
    .task = "DynamicObstacles-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = true,
    .memory = sizeof(notes),
    .act = act_on_notes,
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
