/* The oracles of EmergentStrategy. In every stage only one NPC moves, so a state consists of the cells of agent and
 * NPC, and of the agent's heading as long as a contrarian will use it. The expert knows the cost of every state: the
 * expected number of steps that are left if the agent acts best, where the fearful NPC's draws are averaged. Stages are
 * solved from last to first: the end of a stage costs what the next stage costs from there.
 *
 * The observer is the expert, except that it remembers the heading, which no observation shows. */
#include "generators/agentick/multi_agent/emergent_strategy.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_emergent_strategy_vars vars;

enum {
    STAGES = SB_EMERGENT_STRATEGY_STAGES,
    WIDTH = 16, /* cells inside the border are numbered row by row */
    CELLS = WIDTH * 14,
    HEADINGS = 5,                               /* headings of the agent, including none */
    STATES = 9 * WIDTH * 11 * WIDTH * HEADINGS, /* states of the contrarian's stage, which has the most */
    LOST = 2048                                 /* the cost of a state without hope: more than any step limit */
};
static const float TOLERANCE = 1e-3F; /* expected steps by which a cost has to become lower to count */

/* Everything that the costs depend on. */
typedef struct map {
    int32_t side, n;
    sb_xy goal, plate[STAGES], post[STAGES];
} map;

typedef struct stage {
    int k, n_headings;
    int n_agent, n_npc; /* numbers of cells for agent and NPC, including those where it is lost */
    sb_area roam;       /* cells that the NPC may leave again */
    float cost[STATES];
} stage;

/* Where an NPC may go, all with equal chances: changes of the cell number. */
typedef struct fork {
    int n, step[4];
} fork;

/* Cells of the NPC: a bit for each, by row. */
enum { ROWS = WIDTH + 2 };
typedef uint32_t places[ROWS];

/* By row and way of the NPC (SB_NOWHERE: it stays): the cells from which it may go that way. */
typedef struct flow {
    uint32_t row[ROWS][HEADINGS];
} flow;

typedef struct memory { /* results for the map; all zero without a map */
    map map;
    int32_t first;             /* the stages from this one on are solved */
    float home[WIDTH * WIDTH]; /* steps to the goal once all barriers are open */
    fork forks[16];            /* where an NPC may go, by set of directions: bit d for direction d */
    stage stages[STAGES];
    /* Working memory for the stage being solved. */
    bool open[CELLS], stale[CELLS];       /* open: the agent may be there; stale: its costs there have to be checked */
    uint8_t ways[HEADINGS][CELLS][CELLS]; /* ways of the NPC, by kind of step, the agent's cell and the NPC's cell */
    places left[CELLS][HEADINGS];         /* states that a search did not find yet, by cell and heading of the agent */
    places found[2][CELLS * HEADINGS];    /* states that the search has just found; empty before and after it */
    flow flow[HEADINGS][CELLS]; /* the cells from which the NPC may go each way, by kind of step and the agent's cell */
} memory;

static int number_of(const map *m, sb_xy p) { return (p.y - 1) * (m->side - 2) + p.x - 1; }
static sb_xy numbered(const map *m, int i) { return sb_at(1 + i % (m->side - 2), 1 + i / (m->side - 2)); }

/* Returns the costs of the states with these cells, indexed by heading. */
static float *costs_at(stage *s, int agent, int npc) { return &s->cost[(agent * s->n_npc + npc) * s->n_headings]; }

static float cost_at(stage *s, int agent, int npc, int heading) {
    return costs_at(s, agent, npc)[s->n_headings > 1 ? heading : 0];
}

/* Whether the costs of a stage depend on draws, its own or those of later stages. Only the fearful NPC draws. */
static bool is_random(const memory *m, int k) { return k <= SB_FEARFUL && m->map.n > SB_FEARFUL; }

/* ---- The NPC's reaction to a step ---- */

/* Returns the set of directions in which the NPC may go; empty if it stays. */
static unsigned ways_of(const sb_area *enterable, int side, int k, sb_xy npc, sb_xy agent, sb_xy before, int heading) {
    const sb_xy to = sb_emergent_strategy_react(enterable, side, k, npc, agent, before, heading);
    unsigned ways = 0;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy next = sb_beside(npc, d);
        const bool is_way = k == SB_FEARFUL ? sb_emergent_strategy_is_flight(enterable, npc, agent, next)
                                            : sb_same(next, to);
        ways |= (unsigned)is_way << d;
    }
    return ways;
}

/* A contrarian distinguishes all headings, a follower distinguishes the headings of moves, and for others all steps are
 * alike. */
static int kind_of_step(int k, int heading, bool moved) {
    return k == SB_CONTRARIAN || (k == SB_FOLLOWER && moved) ? heading : SB_NOWHERE;
}

/* Finds the ways of a follower or a fearful NPC, cell by cell. */
static void find_each(memory *m, const stage *s, int kind, int agent, sb_area *enterable, sb_area way[4]) {
    const sb_xy here = numbered(&m->map, agent);
    const sb_xy before = kind == SB_NOWHERE ? here : sb_beside(here, (sb_direction)((kind + 2) % 4));
    memset(way, 0, sizeof *way * 4);
    for (int npc = 0; npc < s->n_npc; npc++) {
        const sb_xy there = numbered(&m->map, npc);
        const bool was_enterable = sb_area_has(enterable, there);
        if (!sb_area_has(&s->roam, there)) continue;
        sb_area_set(enterable, there, false);
        const unsigned ways = ways_of(enterable, m->map.side, s->k, there, here, before, kind);
        sb_area_set(enterable, there, was_enterable);
        m->ways[kind][agent][npc] = (uint8_t)ways;
        for (int i = 0; i < 4 && ways; i++) sb_area_set(&way[i], there, ways >> sb_ewsn[i] & 1);
    }
}

static void set_flow(flow *f, const stage *s, const sb_area way[4]) {
    for (int y = 0; y < ROWS; y++) {
        f->row[y][SB_NOWHERE] = s->roam.row[y];
        for (int i = 0; i < 4; i++) {
            f->row[y][sb_ewsn[i]] = way[i].row[y] & s->roam.row[y];
            f->row[y][SB_NOWHERE] &= ~way[i].row[y];
        }
    }
}

static void find_ways(memory *m, const sb_episode *e, const stage *s) {
    for (int agent = 0; agent < s->n_agent; agent++) {
        const sb_xy here = numbered(&m->map, agent);
        sb_area enterable, way[4];
        sb_emergent_strategy_enterable(&enterable, e, s->k, here, here);
        for (int kind = kind_of_step(s->k, SB_NORTH, true); kind <= SB_NOWHERE; kind++) {
            if (s->k < SB_CONTRARIAN)
                find_each(m, s, kind, agent, &enterable, way);
            else
                sb_emergent_strategy_react_all(&enterable, m->map.side, s->k, here, kind, way);
            if (!is_random(m, s->k)) set_flow(&m->flow[kind][agent], s, way);
        }
    }
}

/* ---- The cost of a state ---- */

/* One way of stepping, with its results for every cell of the NPC. */
typedef struct step {
    int agent;           /* the agent's cell after the step */
    const uint8_t *ways; /* ways of the NPC, by its cell */
    const float *cost;   /* costs of the results, by the NPC's cell after the step, n_headings apart */
} step;

static step step_to(const memory *m, const stage *s, int agent, int heading, bool moves) {
    return (step){agent, m->ways[kind_of_step(s->k, heading, moves)][agent],
                  s->cost + agent * s->n_npc * s->n_headings + (s->n_headings > 1 ? heading : 0)};
}

/* Returns the cost of a step after which the NPC takes this fork; `costs` are those of the cells where it was. */
static inline float cost_of_fork(const fork *f, const float *costs, int n_headings) {
    float sum = 0;
    if (f->n == 1) return 1 + costs[f->step[0] * n_headings];
    for (int i = 0; i < f->n; i++) sum += costs[f->step[i] * n_headings];
    return 1 + sum / (float)f->n;
}

/* Returns the cell to which the agent can move, ignoring the NPC, or -1. */
static int neighbour(const memory *m, const stage *s, int agent, sb_direction d) {
    const sb_xy to = sb_beside(numbered(&m->map, agent), d);
    const int i = number_of(&m->map, to);
    return to.x < 1 || to.x > m->map.side - 2 || i < 0 || i >= s->n_agent || !m->open[i] ? -1 : i;
}

/* ---- Stages in which nothing is random ---- */

/* Every cost is a whole number here. So a search back from the exits finds the states in the order of their costs.
 * Those that differ only in the NPC's cell are found together. */

/* Sets the costs of those of the states that were not found before; returns whether there are any. */
static bool find(memory *m, stage *s, places *next, int agent, int heading, int y, uint32_t npcs, float cost) {
    uint32_t *left = &m->left[agent][heading][y];
    npcs &= *left;
    if (!npcs) return false;
    *left &= ~npcs;
    next[agent * HEADINGS + heading][y] |= npcs;
    for (uint32_t rest = npcs; rest; rest &= rest - 1)
        costs_at(s, agent, number_of(&m->map, sb_at(__builtin_ctz(rest), y)))[heading] = cost;
    return true;
}

/* Returns the cells in row y from which the NPC goes to one of these. */
static uint32_t cells_before(const flow *f, const places npcs, int y) {
    const uint32_t *from = f->row[y];
    return (npcs[y] & from[SB_NOWHERE]) | (npcs[y] >> 1 & from[SB_EAST]) | (npcs[y] << 1 & from[SB_WEST]) |
           (npcs[y - 1] & from[SB_NORTH]) | (npcs[y + 1] & from[SB_SOUTH]);
}

/* Finds the states from which the agent moves to this cell, with this heading afterwards. */
static bool find_moves(memory *m, stage *s, places *next, int agent, sb_direction d, const places npcs, float cost) {
    const int before = neighbour(m, s, agent, (sb_direction)((d + 2) % 4));
    const flow *f = &m->flow[kind_of_step(s->k, (int)d, true)][agent];
    const sb_xy here = numbered(&m->map, agent);
    bool found = false;
    for (int y = 1; y < m->map.side - 1 && before >= 0; y++) {
        if (!(npcs[y - 1] | npcs[y] | npcs[y + 1])) continue;
        uint32_t from = cells_before(f, npcs, y);
        if (y == here.y) from &= ~(UINT32_C(1) << here.x); /* there the NPC is in the way */
        for (int h = 0; h < s->n_headings && from; h++) found |= find(m, s, next, before, h, y, from, cost);
    }
    return found;
}

/* Finds the states that lead to those with these cells of the NPC. */
static bool find_before(memory *m, stage *s, places *next, int agent, int heading, const places npcs, float cost) {
    const flow *waits = &m->flow[kind_of_step(s->k, heading, false)][agent];
    bool found = false;
    for (int y = 1; y < m->map.side - 1; y++)
        if (npcs[y - 1] | npcs[y] | npcs[y + 1])
            found |= find(m, s, next, agent, heading, y, cells_before(waits, npcs, y), cost);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (s->n_headings == 1 || heading == (int)d) found |= find_moves(m, s, next, agent, d, npcs, cost);
    return found;
}

static bool is_empty(const places p) {
    uint32_t any = 0;
    for (int y = 0; y < ROWS; y++) any |= p[y];
    return any == 0;
}

static void begin_search(memory *m, const stage *s) {
    for (int agent = 0; agent < s->n_agent; agent++)
        for (int h = 0; h < s->n_headings; h++) {
            const sb_xy here = numbered(&m->map, agent);
            for (int y = 0; y < ROWS; y++) m->left[agent][h][y] = m->open[agent] ? s->roam.row[y] : 0;
            m->left[agent][h][here.y] &= ~(UINT32_C(1) << here.x);
        }
}

static void search(memory *m, stage *s) {
    const sb_xy plate = m->map.plate[s->k];
    bool more = true;
    begin_search(m, s);
    for (int c = 0; more; c++) {
        places *now = m->found[c % 2], *next = m->found[(c + 1) % 2];
        more = false;
        for (int i = 0; i < s->n_agent * HEADINGS; i++) {
            const int agent = i / HEADINGS, heading = i % HEADINGS;
            if (heading >= s->n_headings || !m->open[agent]) continue;
            const float exit = costs_at(s, agent, number_of(&m->map, plate))[heading];
            if (exit == (float)c) now[i][plate.y] |= UINT32_C(1) << plate.x;
            more |= exit > (float)c && exit < LOST;
            if (is_empty(now[i])) continue;
            more |= find_before(m, s, next, agent, heading, now[i], (float)(c + 1));
            memset(now[i], 0, sizeof now[i]);
        }
    }
}

/* ---- Other stages: value iteration ---- */

/* All steps from a cell of the agent, ignoring the NPC. */
typedef struct options {
    int n_moves;
    step move[4], wait;
} options;

static void list_moves(const memory *m, const stage *s, int agent, options *o) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const int to = neighbour(m, s, agent, d);
        if (to >= 0) o->move[o->n_moves++] = step_to(m, s, to, (int)d, true);
    }
}

/* Lowers the costs of the states with these cells as far as their successors allow; returns whether any became lower.
 * Waiting is alike for all headings, because only a contrarian uses them. Inline, because compilers make faster code
 * where the number of headings is known. */
static inline bool improve_state(const memory *m, float *costs, const options *o, int npc, int n_headings) {
    const fork *waits = &m->forks[o->wait.ways[npc]];
    float *cost = costs + npc * n_headings, by_moving = LOST;
    bool improved = false;
    for (int j = 0; j < o->n_moves; j++) {
        const step *t = &o->move[j];
        if (t->agent == npc) continue;
        const float c = cost_of_fork(&m->forks[t->ways[npc]], t->cost + npc * n_headings, n_headings);
        if (c < by_moving) by_moving = c;
    }
    for (int h = 0; h < n_headings; h++) {
        const float c = cost_of_fork(waits, cost + h, n_headings);
        const float least = c < by_moving ? c : by_moving;
        if (least >= cost[h] - TOLERANCE) continue;
        cost[h] = least;
        improved = true;
    }
    return improved;
}

/* Improves all states with the agent in this cell. */
static bool improve(memory *m, stage *s, int agent) {
    options o = {.wait = step_to(m, s, agent, 0, false)};
    float *costs = costs_at(s, agent, 0);
    bool improved = false;
    list_moves(m, s, agent, &o);
    for (int y = 1; y < m->map.side - 1; y++)
        for (uint32_t rest = s->roam.row[y]; rest; rest &= rest - 1) {
            const int npc = number_of(&m->map, sb_at(__builtin_ctz(rest), y));
            if (npc == agent) continue;
            improved |= s->n_headings == 1 ? improve_state(m, costs, &o, npc, 1)
                                           : improve_state(m, costs, &o, npc, HEADINGS);
        }
    m->stale[agent] = improved;
    for (int j = 0; j < o.n_moves && improved; j++) m->stale[o.move[j].agent] = true;
    return improved;
}

/* Goes back and forth over the agent's cells until no cost becomes lower. */
static void iterate(memory *m, stage *s) {
    for (int i = 0; i < s->n_agent; i++) m->stale[i] = m->open[i];
    for (bool improved = true; improved;) {
        improved = false;
        for (int i = 0; i < 2 * s->n_agent; i++) {
            const int agent = i < s->n_agent ? i : 2 * s->n_agent - 1 - i;
            if (m->stale[agent]) improved |= improve(m, s, agent);
        }
    }
}

/* ---- Solving ---- */

static void begin_stage(memory *m, const sb_episode *e, int k) {
    const int width = m->map.side - 2, row = sb_emergent_strategy_row(e, k);
    stage *s = &m->stages[k];
    s->k = k, s->n_agent = width * (row - 1), s->n_npc = width * (row + 1);
    s->n_headings = m->map.n > SB_CONTRARIAN && k <= SB_CONTRARIAN ? HEADINGS : 1;
    s->roam = (sb_area){{0}};
    for (int i = 0; i < s->n_npc; i++) {
        const sb_xy p = numbered(&m->map, i);
        sb_area_set(&s->roam, p, !sb_same(p, m->map.plate[k]) && !sb_emergent_strategy_is_lost(e, k, p));
    }
    for (int i = 0; i < s->n_agent * s->n_npc * s->n_headings; i++) s->cost[i] = LOST;
    for (int i = 0; i < s->n_agent; i++) m->open[i] = true;
    for (int i = 0; i < k; i++) m->open[number_of(&m->map, m->map.plate[i])] = false;
}

/* Sets the costs of the states in which the NPC has stepped on its plate. */
static void set_exits(memory *m, stage *s) {
    const int plate = number_of(&m->map, m->map.plate[s->k]);
    for (int agent = 0; agent < s->n_agent; agent++)
        for (int h = 0; h < s->n_headings; h++)
            costs_at(s, agent, plate)[h] = s->k + 1 == m->map.n
                                               ? m->home[agent]
                                               : cost_at(s + 1, agent, number_of(&m->map, m->map.post[s->k + 1]), h);
}

static void solve_stage(memory *m, const sb_episode *e, int k, sb_budget *budget) {
    stage *s = &m->stages[k];
    begin_stage(m, e, k);
    set_exits(m, s);
    find_ways(m, e, s);
    budget->spent += (uint64_t)s->n_agent * (uint64_t)sb_area_count(&s->roam, m->map.side) * (uint64_t)s->n_headings;
    if (is_random(m, k))
        iterate(m, s);
    else
        search(m, s);
}

static void find_home(memory *m, const sb_episode *e) {
    sb_open open;
    sb_reach reach;
    for (int i = 0; i < sb_n_cells(e); i++) open.cell[i] = sb_interior(e, sb_xy_of(e, i));
    for (int i = 0; i < m->map.n; i++) open.cell[sb_index(e, m->map.plate[i])] = false;
    sb_reach_from(&reach, e, &open, m->map.goal, sb_nesw);
    for (int i = 0; i < (m->map.side - 2) * (m->map.side - 2); i++) {
        const sb_xy p = numbered(&m->map, i);
        m->home[i] = sb_reached(&reach, e, p) ? (float)reach.distance[sb_index(e, p)] : LOST;
    }
}

static void set_forks(memory *m) {
    const int width = m->map.side - 2, step[4] = {-width, 1, width, -1}; /* step: by sb_direction */
    for (unsigned ways = 0; ways < 16; ways++) {
        fork *f = &m->forks[ways];
        *f = (fork){.n = ways == 0};
        for (int d = 0; d < 4; d++)
            if (ways >> d & 1) f->step[f->n++] = step[d];
    }
}

/* Returns whether the map is another one than before. */
static bool read_map(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    map here = {.side = e->width, .n = v->n, .goal = v->goal};
    memcpy(here.plate, v->plate, sizeof here.plate);
    memcpy(here.post, v->post, sizeof here.post);
    const bool is_new = memcmp(&here, &m->map, sizeof here) != 0;
    m->map = here;
    return is_new;
}

/* Computes the costs from this stage on, unless they are known. */
static void solve(memory *m, const sb_episode *e, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    if (read_map(m, e)) {
        m->first = v->n;
        find_home(m, e);
        set_forks(m);
    }
    while (m->first > v->n_open) solve_stage(m, e, --m->first, budget);
}

/* ---- Acting ---- */

/* Returns the cost of an action; LOST if it has no effect. */
static float cost_of_action(const memory *m, const sb_episode *e, sb_action action) {
    const vars *v = SB_VARS(e);
    const int k = v->n_open;
    const bool moves = action != SB_NOOP;
    const sb_xy here = e->agent.at, to = moves ? sb_beside(here, sb_direction_of(action)) : here;
    const int agent = number_of(&m->map, to), heading = moves ? (int)sb_direction_of(action) : v->heading;
    sb_area enterable;
    if (moves && (!sb_walkable(e, to) || sb_peek(e, to)->object == SB_NPC)) return LOST;
    if (k == v->n) return m->home[agent];
    sb_emergent_strategy_enterable(&enterable, e, k, v->npc, to);
    const unsigned ways = ways_of(&enterable, e->width, k, v->npc, to, here, heading);
    const int n_headings = m->stages[k].n_headings;
    const step taken = step_to(m, &m->stages[k], agent, heading, moves);
    return cost_of_fork(&m->forks[ways], taken.cost + number_of(&m->map, v->npc) * n_headings, n_headings);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
    static const char *const verbs[STAGES] = {"lead", "chase", "steer", "guide"};
    static const char *const npcs[STAGES] = {"follower", "fearful NPC", "contrarian", "mirror"};
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    const int k = v->n_open;
    float least = LOST;
    *action = SB_NOOP;
    sb_give_up(intent, "an NPC is lost");
    if (k < v->n && sb_emergent_strategy_is_lost(e, k, v->npc)) return;
    solve(m, e, budget);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        const float cost = cost_of_action(m, e, actions[i]);
        if (cost < least) least = cost, *action = actions[i];
    }
    if (least == LOST)
        sb_give_up(intent, "no solution is left");
    else if (k == v->n)
        sb_intend(intent, "go to", "goal", v->goal);
    else
        sb_intend(intent, *action == SB_NOOP ? "wait for" : verbs[k], npcs[k], v->npc);
}

const sb_oracle sb_emergent_strategy_expert = {
    .family = "agentick",
    .task = "EmergentStrategy-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 1, /* easy: no NPC draws random numbers */
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The observer ---- */

typedef struct observer_memory {
    bool began;
    sb_xy at;
    int32_t heading;
    memory expert;
} observer_memory;

/* Between two steps the agent has moved at most one cell. */
static void observe(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer_memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    vars *v = SB_VARS(e);
    if (!m->began)
        m->began = true, m->heading = SB_NOWHERE;
    else if (!sb_same(m->at, e->agent.at))
        m->heading = e->agent.facing;
    m->at = e->agent.at;
    v->heading = m->heading;
    sb_act_on_belief(&belief, &sb_emergent_strategy_expert, &m->expert, budget, action, intent);
}

static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    (void)rng;
    const observer_memory *m = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    v->heading = m->heading;
}

const sb_oracle sb_emergent_strategy_observer = {
    .family = "agentick",
    .task = "EmergentStrategy-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(observer_memory, expert),
    .memory = sizeof(observer_memory),
    .act = observe,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

typedef struct stand {
    int32_t stage, heading;
    sb_xy agent, npc;
} stand;

typedef struct board {
    sb_episode e;
    int tabled; /* the stage whose tables of ways are in `memory`, plus one */
    memory memory;
} board;

/* Fills the tables of ways for the stage of the episode. */
static void table_ways(board *b, const sb_episode *e) {
    memory *m = &b->memory;
    const int k = ((const vars *)SB_VARS(e))->n_open;
    if (!read_map(m, e) && b->tabled == k + 1) return;
    b->tabled = k + 1;
    if (k == m->map.n) return;
    begin_stage(m, e, k);
    find_ways(m, e, &m->stages[k]);
}

static void pack(void *board_, const sb_episode *e, void *state) {
    board *b = board_;
    const vars *v = SB_VARS(e);
    stand *s = state;
    sb_episode_copy(&b->e, e);
    table_ways(b, e);
    *s = (stand){.stage = v->n_open, .heading = v->heading, .agent = e->agent.at, .npc = v->npc};
}

static unsigned tabled_ways(const memory *m, int k, sb_xy npc, int agent, int heading, bool moves) {
    const int kind = kind_of_step(k, heading, moves);
    unsigned ways = 0;
    if (is_random(m, k)) return m->ways[kind][agent][number_of(&m->map, npc)];
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) ways |= (m->flow[kind][agent].row[npc.y][d] >> npc.x & 1) << d;
    return ways;
}

/* An NPC on its plate ends the stage. The ways are those that actions are chosen by, or those of the tables: both have
 * to be right. */
static sb_packed_outcome draw(void *board_, void *state, sb_action action, sb_rng *rng) {
    const board *b = board_;
    const sb_episode *e = &b->e;
    const vars *v = SB_VARS(e);
    stand *s = state;
    if (action == SB_INTERACT) return SB_PACKED_SKIPPED;
    const sb_xy here = s->agent, to = action == SB_NOOP ? here : sb_beside(here, sb_direction_of(action));
    sb_area enterable;
    if (s->stage == v->n || sb_emergent_strategy_is_lost(e, s->stage, s->npc)) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP && (!sb_walkable(e, to) || sb_peek(e, to)->object == SB_NPC)) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP) s->heading = (int32_t)sb_direction_of(action), s->agent = to;
    sb_emergent_strategy_enterable(&enterable, e, s->stage, s->npc, to);
    const unsigned ways = sb_next64(rng) >> 63
                              ? ways_of(&enterable, e->width, s->stage, s->npc, to, here, s->heading)
                              : tabled_ways(&b->memory, s->stage, s->npc, number_of(&b->memory.map, to), s->heading,
                                            action != SB_NOOP);
    int n = 0;
    for (int d = 0; d < 4; d++) n += (int)(ways >> d & 1);
    int nth = (int)((sb_next64(rng) >> 32) * (uint64_t)n >> 32);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (ways >> d & 1 && nth-- == 0) {
            s->npc = sb_beside(s->npc, d);
            break;
        }
    if (sb_same(s->npc, v->plate[s->stage])) {
        s->stage++;
        if (s->stage < v->n) s->npc = v->post[s->stage];
    }
    return SB_PACKED_GOES_ON;
}

static int tell(const void *board_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    const vars *v = SB_VARS(&((const board *)board_)->e);
    const stand *s = state;
    const bool goes_on = s->stage < v->n;
    numbers[0] = s->stage, numbers[1] = s->agent.x, numbers[2] = s->agent.y;
    numbers[3] = goes_on ? s->heading : -1, numbers[4] = goes_on ? s->npc.x : -1, numbers[5] = goes_on ? s->npc.y : -1;
    return 6;
}

const sb_packed_rule sb_emergent_strategy_rule = {
    .task = "EmergentStrategy-v0",
    .memory = sizeof(board),
    .state_size = sizeof(stand),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
