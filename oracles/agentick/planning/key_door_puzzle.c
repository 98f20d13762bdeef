/* The expert of KeyDoorPuzzle: breadth-first search over all that can change, so it takes the fewest steps there are.
 *
 * What can change is small: where the agent stands and looks, what it holds, which key lies on which of the key sites
 * (a swap leaves a key only where a key lay), and which doors are open. All of it fits into 32 bits. Stepping out of a
 * key's cell and in again swaps back, so the search, unlike a plan of one key after the other, never walks in circles.
 */
#include "generators/agentick/planning/key_door_puzzle.h"

#include <string.h>

#include "engine/gridworld/parts/doors.h"
#include "oracles/oracle.h"

enum { MAX_KEYS = SB_KEY_DOOR_PUZZLE_KEYS, EMPTY_HAND = 0 };

/* A key is 1 + its colour, 0 is no key. */
typedef struct situation {
    int cell, facing, hand;
    unsigned doors; /* bit i set if door i is open */
    unsigned sites; /* three bits for each: the key that lies there */
} situation;

static int key_on(const situation *s, int site) { return s->sites >> 3 * site & 7; }
static void lay_key(situation *s, int site, int key) {
    s->sites = (s->sites & ~(7u << 3 * site)) | (unsigned)key << 3 * site;
}

enum { TABLE_SIZE = 1 << 19, QUEUE_SIZE = 1 << 18, PLAN_SIZE = 800 };

typedef struct node {
    uint32_t code, parent; /* packed situation; index into the queue */
    uint8_t action;
} node;

typedef struct memory {
    /* The plan: actions, and the situation in which each is to be taken. */
    uint64_t seed;
    uint32_t expected[PLAN_SIZE];
    uint8_t actions[PLAN_SIZE], difficulty;
    int next, n;
    /* The map: constant through the episode. */
    int8_t site_at[SB_CELLS_MAX], door_at[SB_CELLS_MAX]; /* -1: none */
    bool wall[SB_CELLS_MAX];
    int step_of[4]; /* change of the cell's index, by direction */
    /* The search. */
    uint32_t table[TABLE_SIZE]; /* base + 1 + index into the queue; up to base: free, left by an earlier search */
    node queue[QUEUE_SIZE];
    uint32_t n_nodes, base;
} memory;

/* ---- Situations ---- */

static uint32_t pack(const situation *s) {
    return (uint32_t)s->cell << 21 | (uint32_t)s->facing << 19 | (uint32_t)s->hand << 16 | s->doors << 12 | s->sites;
}

static situation unpack(uint32_t code) {
    return (situation){.cell = (int)(code >> 21),
                       .facing = code >> 19 & 3,
                       .hand = code >> 16 & 7,
                       .doors = code >> 12 & 15,
                       .sites = code & 4095};
}

static situation situation_of(const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    situation s = {.cell = sb_index(e, e->agent.at), .facing = e->agent.facing};
    if (e->agent.n_items) s.hand = 1 + e->items[0].value;
    for (int i = 0; i < v->n_keys; i++) {
        const sb_cell *site = sb_peek(e, v->key[i]);
        if (site->object == SB_KEY) lay_key(&s, i, 1 + site->metadata);
        if (!sb_door_is_closed(sb_peek(e, v->door[i]))) s.doors |= 1u << i;
    }
    return s;
}

static void draw_map(memory *m, const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    memset(m->site_at, -1, sizeof m->site_at);
    memset(m->door_at, -1, sizeof m->door_at);
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    for (int i = 0; i < v->n_keys; i++) {
        m->site_at[sb_index(e, v->key[i])] = (int8_t)i;
        m->door_at[sb_index(e, v->door[i])] = (int8_t)i;
    }
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) m->step_of[d] = sb_delta[d].y * e->width + sb_delta[d].x;
}

static bool is_closed(const memory *m, const situation *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->doors >> m->door_at[cell] & 1);
}

/* The rules of the task on situations. False if nothing changes. */
static bool apply(const memory *m, situation *s, sb_action action) {
    if (action == SB_INTERACT) {
        const int target = s->cell + m->step_of[s->facing];
        if (!is_closed(m, s, target) || s->hand != 1 + m->door_at[target]) return false;
        s->doors |= 1u << m->door_at[target];
        s->hand = EMPTY_HAND;
        return true;
    }
    const sb_direction ahead = sb_direction_of(action);
    const int to = s->cell + m->step_of[ahead];
    const bool blocked = m->wall[to] || is_closed(m, s, to);
    if (blocked && s->facing == (int)ahead) return false;
    s->facing = (int)ahead;
    if (blocked) return true;
    s->cell = to;
    const int site = m->site_at[to];
    if (site >= 0 && key_on(s, site)) {
        const int held = s->hand;
        s->hand = key_on(s, site);
        lay_key(s, site, held);
    }
    return true;
}

/* ---- Search ---- */

/* Whether the situation was met before; if not it is noted as the node to come. */
static bool is_known(memory *m, uint32_t code) {
    const uint32_t held = code & ((1u << 19) - 1), stands = code >> 19; /* hand, doors, sites; cell, facing */
    uint32_t slot = (held * UINT32_C(2654435761)) >> 24 << 11 | stands;
    while (m->table[slot] > m->base) {
        if (m->queue[m->table[slot] - m->base - 1].code == code) return true;
        slot = (slot + 2049) & (TABLE_SIZE - 1); /* an odd step visits every slot before it comes round */
    }
    m->table[slot] = m->base + m->n_nodes + 1;
    return false;
}

/* Forgets the situations met, without clearing a table of which a search uses little. */
static void forget(memory *m) {
    m->base += m->n_nodes + 1;
    m->n_nodes = 0;
    if (m->base < UINT32_MAX - QUEUE_SIZE - 1) return;
    memset(m->table, 0, sizeof m->table);
    m->base = 0;
}

static void write_plan(memory *m, uint32_t last) {
    m->n = 0;
    for (uint32_t i = last; i; i = m->queue[i].parent) m->n++;
    m->next = 0;
    uint32_t at = last;
    for (int i = m->n - 1; i >= 0; i--, at = m->queue[at].parent) {
        const node *reached = &m->queue[at];
        if (i >= PLAN_SIZE) continue;
        m->actions[i] = reached->action;
        m->expected[i] = m->queue[reached->parent].code;
    }
}

/* The first shortest plan in the order of the actions: what follows its first step is the first shortest plan from
 * there, so a fresh search and a remembered plan agree. */
static bool search(memory *m, const sb_episode *e, sb_budget *budget) {
    static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_INTERACT};
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    const int goal = sb_index(e, v->goal);
    const situation start = situation_of(e);
    forget(m);
    is_known(m, pack(&start));
    m->queue[m->n_nodes++] = (node){.code = pack(&start)};
    for (uint32_t next = 0; next < m->n_nodes; next++) {
        if (++budget->spent > budget->limit) return false;
        const uint32_t here = m->queue[next].code;
        for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
            situation there = unpack(here); /* anew: copying what was just written in pieces stalls the processor */
            if (!apply(m, &there, actions[k]) || is_known(m, pack(&there))) continue;
            m->queue[m->n_nodes] = (node){pack(&there), next, (uint8_t)actions[k]};
            if (there.cell == goal) return write_plan(m, m->n_nodes), true;
            if (++m->n_nodes == QUEUE_SIZE) return false;
        }
    }
    return false;
}

/* ---- Acting ---- */

static bool plan_holds(const memory *m, const sb_episode *e) {
    const situation now = situation_of(e);
    return m->n && m->seed == e->seed && m->difficulty == e->difficulty && m->next < m->n && m->next < PLAN_SIZE &&
           m->expected[m->next] == pack(&now);
}

static const char *const key_names[MAX_KEYS] = {"gold key", "red key", "blue key", "green key"};
static const char *const door_names[MAX_KEYS] = {"gold door", "red door", "blue door", "green door"};

/* The next thing that the plan does: a key picked up, a door unlocked, else the goal. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->next; i < m->n && i < PLAN_SIZE; i++) {
        const situation before = s;
        apply(m, &s, m->actions[i]);
        if (s.doors != before.doors) {
            const int door = m->door_at[s.cell + m->step_of[s.facing]];
            sb_intend(intent, "unlock", door_names[door], v->door[door]);
            return;
        }
        if (s.hand != before.hand) {
            sb_intend(intent, before.hand ? "swap for" : "fetch", key_names[s.hand - 1], sb_xy_of(e, s.cell));
            return;
        }
    }
    sb_intend(intent, "go to", "goal", v->goal);
}

static void act(void *memory_, const sb_sight *sight, sb_budget *budget, sb_action *action, sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(sight->env);
    if (!plan_holds(m, e)) {
        draw_map(m, e);
        m->seed = e->seed, m->difficulty = e->difficulty;
        if (!search(m, e, budget)) { /* budget or memory exhausted: nothing better to do than wait */
            m->n = 0;
            *action = SB_NOOP;
            sb_intend(intent, "wait for", "nothing", sb_at(-1, -1));
            return;
        }
    }
    explain(m, e, intent);
    *action = m->actions[m->next++];
}

const sb_oracle sb_key_door_puzzle_expert = {
    .family = "agentick",
    .task = "KeyDoorPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
