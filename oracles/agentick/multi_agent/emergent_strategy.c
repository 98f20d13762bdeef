/* The oracles of EmergentStrategy. In every stage just one NPC moves, so that a state of it is no more than the cells
 * of agent and NPC, and the agent's heading as long as a contrarian will ask for it. The expert knows what every state
 * costs: the steps that are left, expected over what the fearful draws, if the agent makes the best of them. Stages are
 * solved from the last to the first; the end of one costs what the next costs from there.
 *
 * The observer is the expert but for the heading, which no observation shows and which it keeps in mind. */
#include "generators/agentick/multi_agent/emergent_strategy.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_emergent_strategy_vars vars;

enum {
    STAGES = SB_EMERGENT_STRATEGY_STAGES,
    WIDTH = 16, /* cells within the border are numbered row by row */
    CELLS = WIDTH * 14,
    HEADINGS = 5,                               /* none included */
    STATES = 9 * WIDTH * 11 * WIDTH * HEADINGS, /* of the contrarian's stage, which has most */
    LOST = 2048                                 /* what a state costs without hope: more than any step limit */
};
static const float TOLERANCE = 1e-3F; /* of expected steps */

/* Everything that the costs follow from. */
typedef struct map {
    int32_t side, n;
    sb_xy goal, plate[STAGES], post[STAGES];
} map;

typedef struct stage {
    int k, n_headings;
    int n_agent, n_npc;      /* cells within reach of the agent, and of the NPC, if only to be lost there */
    int n_roam, roam[CELLS]; /* cells that the NPC may leave again */
    float cost[STATES];
} stage;

/* Where an NPC may go, each way as likely: steps in cell numbers. */
typedef struct fork {
    int n, step[4];
} fork;

typedef struct memory { /* what was worked out for the map; zeroed, for none */
    map map;
    int32_t first;             /* the stages from this one on are solved */
    float home[WIDTH * WIDTH]; /* steps to the goal once all barriers are open */
    fork forks[16];            /* by set of directions: bit d for direction d */
    stage stages[STAGES];
    /* Scratch of the stage being solved. */
    bool open[CELLS], stale[CELLS];       /* the agent may be there; its costs there are to be looked at */
    uint8_t ways[HEADINGS][CELLS][CELLS]; /* of the NPC, by kind of step, cell of the agent, own cell */
} memory;

static int number_of(const map *m, sb_xy p) { return (p.y - 1) * (m->side - 2) + p.x - 1; }
static sb_xy numbered(const map *m, int i) { return sb_at(1 + i % (m->side - 2), 1 + i / (m->side - 2)); }

/* The costs of the states with these cells, by heading. */
static float *costs_at(stage *s, int agent, int npc) { return &s->cost[(agent * s->n_npc + npc) * s->n_headings]; }

static float cost_at(stage *s, int agent, int npc, int heading) {
    return costs_at(s, agent, npc)[s->n_headings > 1 ? heading : 0];
}

/* ---- What the NPC makes of a step ---- */

/* A set of directions; empty if it stays. */
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

/* To the contrarian every heading is a step of a kind, to the follower every move, and to others all are one. */
static int kind_of_step(int k, int heading, bool moved) {
    return k == SB_CONTRARIAN || (k == SB_FOLLOWER && moved) ? heading : SB_NOWHERE;
}

static void find_ways(memory *m, const sb_episode *e, const stage *s) {
    const int first = kind_of_step(s->k, SB_NORTH, true);
    for (int agent = 0; agent < s->n_agent; agent++) {
        const sb_xy here = numbered(&m->map, agent);
        sb_area enterable;
        sb_emergent_strategy_enterable(&enterable, e, s->k, here, here);
        for (int i = 0; i < s->n_roam; i++) {
            const int npc = s->roam[i];
            const sb_xy there = numbered(&m->map, npc);
            const bool was_enterable = sb_area_has(&enterable, there);
            sb_area_set(&enterable, there, false);
            for (int kind = first; kind <= SB_NOWHERE; kind++) {
                const sb_xy before = kind == SB_NOWHERE ? here : sb_beside(here, (sb_direction)((kind + 2) % 4));
                m->ways[kind][agent][npc] = (uint8_t)ways_of(&enterable, m->map.side, s->k, there, here, before, kind);
            }
            sb_area_set(&enterable, there, was_enterable);
        }
    }
}

/* ---- What a state costs ---- */

/* All that can come of one way of stepping, whatever the NPC's cell. */
typedef struct step {
    int agent;           /* cell after it */
    const uint8_t *ways; /* of the NPC, by its cell */
    const float *cost;   /* of what comes of it, by its cell after the step, n_headings apart */
} step;

static step step_to(const memory *m, const stage *s, int agent, int heading, bool moves) {
    return (step){agent, m->ways[kind_of_step(s->k, heading, moves)][agent],
                  s->cost + agent * s->n_npc * s->n_headings + (s->n_headings > 1 ? heading : 0)};
}

static inline float cost_of_step(const memory *m, const stage *s, const step *t, int npc, unsigned ways) {
    const fork *f = &m->forks[ways];
    float sum = 0;
    if (f->n == 1) return 1 + t->cost[(npc + f->step[0]) * s->n_headings];
    for (int i = 0; i < f->n; i++) sum += t->cost[(npc + f->step[i]) * s->n_headings];
    return 1 + sum / (float)f->n;
}

/* The moves that can be made from a cell while nobody stands in the way; returns how many. */
static int list_moves(const memory *m, const stage *s, int agent, step moves[4]) {
    const sb_xy here = numbered(&m->map, agent);
    int n = 0;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy to = sb_beside(here, d);
        const int i = number_of(&m->map, to);
        if (to.x < 1 || to.x > m->map.side - 2 || i < 0 || i >= s->n_agent || !m->open[i]) continue;
        moves[n++] = step_to(m, s, i, d, true);
    }
    return n;
}

/* Makes the states with the agent in this cell as cheap as those around allow; true if any became cheaper. */
static bool improve(memory *m, stage *s, int agent) {
    step moves[4], waits[HEADINGS];
    const int n_moves = list_moves(m, s, agent, moves);
    bool improved = false;
    for (int h = 0; h < s->n_headings; h++) waits[h] = step_to(m, s, agent, h, false);
    for (int i = 0; i < s->n_roam; i++) {
        const int npc = s->roam[i];
        float *cost = costs_at(s, agent, npc), by_moving = LOST;
        if (npc == agent) continue;
        for (int j = 0; j < n_moves; j++) {
            const float c = moves[j].agent == npc ? LOST : cost_of_step(m, s, &moves[j], npc, moves[j].ways[npc]);
            if (c < by_moving) by_moving = c;
        }
        for (int h = 0; h < s->n_headings; h++) {
            const float c = cost_of_step(m, s, &waits[h], npc, waits[h].ways[npc]);
            const float least = c < by_moving ? c : by_moving;
            if (least >= cost[h] - TOLERANCE) continue;
            cost[h] = least;
            improved = true;
        }
    }
    m->stale[agent] = improved;
    for (int j = 0; j < n_moves && improved; j++) m->stale[moves[j].agent] = true;
    return improved;
}

/* ---- Solving ---- */

static void begin_stage(memory *m, const sb_episode *e, int k) {
    const int width = m->map.side - 2, row = sb_emergent_strategy_row(e, k);
    stage *s = &m->stages[k];
    s->k = k, s->n_agent = width * (row - 1), s->n_npc = width * (row + 1);
    s->n_headings = m->map.n > SB_CONTRARIAN && k <= SB_CONTRARIAN ? HEADINGS : 1;
    s->n_roam = 0;
    for (int i = 0; i < s->n_npc; i++) {
        const sb_xy p = numbered(&m->map, i);
        if (!sb_same(p, m->map.plate[k]) && !sb_emergent_strategy_is_lost(e, k, p)) s->roam[s->n_roam++] = i;
    }
    for (int i = 0; i < s->n_agent * s->n_npc * s->n_headings; i++) s->cost[i] = LOST;
    for (int i = 0; i < s->n_agent; i++) m->open[i] = m->stale[i] = true;
    for (int i = 0; i < k; i++) {
        const int taken = number_of(&m->map, m->map.plate[i]);
        m->open[taken] = m->stale[taken] = false;
    }
}

/* What comes after the NPC has stepped on its plate. */
static void set_exits(memory *m, stage *s) {
    const int plate = number_of(&m->map, m->map.plate[s->k]);
    for (int agent = 0; agent < s->n_agent; agent++)
        for (int h = 0; h < s->n_headings; h++)
            costs_at(s, agent, plate)[h] = s->k + 1 == m->map.n
                                               ? m->home[agent]
                                               : cost_at(s + 1, agent, number_of(&m->map, m->map.post[s->k + 1]), h);
}

/* Back and forth, until nothing becomes cheaper. */
static void solve_stage(memory *m, const sb_episode *e, int k, sb_budget *budget) {
    stage *s = &m->stages[k];
    begin_stage(m, e, k);
    set_exits(m, s);
    find_ways(m, e, s);
    budget->spent += (uint64_t)s->n_agent * (uint64_t)s->n_roam * (uint64_t)s->n_headings;
    for (bool improved = true; improved;) {
        improved = false;
        for (int i = 0; i < 2 * s->n_agent; i++) {
            const int agent = i < s->n_agent ? i : 2 * s->n_agent - 1 - i;
            if (m->stale[agent]) improved |= improve(m, s, agent);
        }
    }
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
    const int width = m->map.side - 2, step[4] = {-width, 1, width, -1}; /* by sb_direction */
    for (unsigned ways = 0; ways < 16; ways++) {
        fork *f = &m->forks[ways];
        *f = (fork){.n = ways == 0};
        for (int d = 0; d < 4; d++)
            if (ways >> d & 1) f->step[f->n++] = step[d];
    }
}

/* Costs from this stage on; nothing to do if they are known. */
static void solve(memory *m, const sb_episode *e, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    map here = {.side = e->width, .n = v->n, .goal = v->goal};
    memcpy(here.plate, v->plate, sizeof here.plate);
    memcpy(here.post, v->post, sizeof here.post);
    if (memcmp(&here, &m->map, sizeof here) != 0) {
        m->map = here, m->first = v->n;
        find_home(m, e);
        set_forks(m);
    }
    while (m->first > v->n_open) solve_stage(m, e, --m->first, budget);
}

/* ---- Acting ---- */

/* The cost of an action, as far as it does anything. */
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
    const step taken = step_to(m, &m->stages[k], agent, heading, moves);
    return cost_of_step(m, &m->stages[k], &taken, number_of(&m->map, v->npc), ways);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
    static const char *const verbs[STAGES] = {"lead", "chase", "steer", "place"};
    static const char *const npcs[STAGES] = {"follower", "fearful", "contrarian", "mirror"};
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    const int k = v->n_open;
    float least = LOST;
    sb_give_up(action, intent);
    if (k < v->n && sb_emergent_strategy_is_lost(e, k, v->npc)) return;
    solve(m, e, budget);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        const float cost = cost_of_action(m, e, actions[i]);
        if (cost < least) least = cost, *action = actions[i];
    }
    if (least == LOST) return;
    if (k == v->n)
        sb_intend(intent, "go to", "goal", v->goal);
    else
        sb_intend(intent, *action == SB_NOOP ? "wait for" : verbs[k], npcs[k], v->npc);
}

const sb_oracle sb_emergent_strategy_expert = {
    .family = "agentick",
    .task = "EmergentStrategy-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 1, /* easy: nobody draws */
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

/* Between two steps the agent has moved at most once. */
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

const sb_oracle sb_emergent_strategy_observer = {
    .family = "agentick",
    .task = "EmergentStrategy-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = true,
    .memory = sizeof(observer_memory),
    .act = observe,
};
