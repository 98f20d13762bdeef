/* The expert of KeyDoorPuzzle: breadth-first search over all that can change, so it takes the fewest steps there are.
 *
 * What can change is small: where the agent stands and looks, what it holds, which key lies on which of the key sites
 * (a swap leaves a key only where a key lay), and which doors are open. All of it fits into 32 bits. Stepping out of a
 * key's cell and in again swaps back, so the search, unlike a plan of one key after the other, never walks in circles.
 */
#include "generators/agentick/planning/key_door_puzzle.h"

#include <string.h>

#include "engine/gridworld/parts/doors.h"
#include "oracles/search/plan.h"
#include "oracles/search/search.h"

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

enum { STATES = 1 << 18 };

/* What does not change through the episode. */
typedef struct map {
    int8_t site_at[SB_CELLS_MAX], door_at[SB_CELLS_MAX]; /* -1: none */
    bool wall[SB_CELLS_MAX];
    int step_of[4]; /* change of the cell's index, by direction */
    int goal;
} map;

typedef struct memory {
    sb_plan plan;
    map map;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(uint32_t), STATES)];
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

static void draw_map(map *m, const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    memset(m->site_at, -1, sizeof m->site_at);
    memset(m->door_at, -1, sizeof m->door_at);
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    for (int i = 0; i < v->n_keys; i++) {
        m->site_at[sb_index(e, v->key[i])] = (int8_t)i;
        m->door_at[sb_index(e, v->door[i])] = (int8_t)i;
    }
    sb_index_steps(e, m->step_of);
    m->goal = sb_index(e, v->goal);
}

static bool is_closed(const map *m, const situation *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->doors >> m->door_at[cell] & 1);
}

/* The rules of the task on situations. False if nothing changes. */
static bool apply(const map *m, situation *s, sb_action action) {
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

static void expand(void *context, const void *state, sb_search *search) {
    static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_INTERACT};
    const map *m = context;
    uint32_t here;
    memcpy(&here, state, sizeof here);
    for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
        situation there = unpack(here);
        if (!apply(m, &there, actions[k])) continue;
        const uint32_t code = pack(&there);
        sb_search_add(search, &code, (uint32_t)actions[k], 1, there.cell == m->goal);
    }
}

/* ---- Acting ---- */

/* The first shortest plan in the order of the actions: what follows its first step is the first shortest plan from
 * there, so a fresh search and a remembered plan agree. */
static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const situation now = situation_of(e);
    const uint32_t start = pack(&now);
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = &m->map, .max_cost = e->max_steps - e->clock};
    draw_map(&m->map, e);
    sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

static const char *const key_names[MAX_KEYS] = {"gold key", "red key", "blue key", "green key"};
static const char *const door_names[MAX_KEYS] = {"gold door", "red door", "blue door", "green door"};

/* The next thing that the plan does: a key picked up, a door unlocked, else the goal. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        const situation before = s;
        apply(&m->map, &s, m->plan.actions[i]);
        if (s.doors != before.doors) {
            const int door = m->map.door_at[s.cell + m->map.step_of[s.facing]];
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
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

const sb_oracle sb_key_door_puzzle_expert = {
    .family = "agentick",
    .task = "KeyDoorPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
