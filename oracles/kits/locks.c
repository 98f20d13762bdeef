#include "oracles/kits/locks.h"

#include <stdio.h>
#include <string.h>

/* The state of the search: eight bytes, without padding. */
typedef struct packed_state {
    uint16_t cell;
    uint8_t facing, taken, open; /* taken, open: sets of keys and of doors */
    uint8_t zero[3];
} packed_state;

_Static_assert(sizeof(packed_state) == SB_LOCKS_STATE_SIZE, "sb_locks counts it");

typedef struct map {
    const sb_episode *e;
    const sb_open *floor;
    sb_xy goal;
    int n_keys, n_doors;
    int carried[SB_DOOR_OPEN]; /* keys carried at the start, by colour, which is below SB_DOOR_OPEN */
    int8_t key_color[SB_LOCKS_MAX], door_color[SB_LOCKS_MAX];
    int8_t key_at[SB_CELLS_MAX], door_at[SB_CELLS_MAX]; /* key and door in each cell; -1: none */
} map;

static void draw_map(map *m, const sb_episode *e) {
    const int n = sb_n_cells(e);
    memset(m->carried, 0, sizeof m->carried);
    m->n_keys = m->n_doors = 0;
    for (int i = 0; i < n; i++) {
        const sb_cell *c = &e->cells[i];
        m->key_at[i] = m->door_at[i] = -1;
        if (c->object == SB_KEY && m->n_keys < SB_LOCKS_MAX) {
            m->key_color[m->n_keys] = (int8_t)c->metadata;
            m->key_at[i] = (int8_t)m->n_keys++;
        } else if (sb_door_is_closed(c) && m->n_doors < SB_LOCKS_MAX) {
            m->door_color[m->n_doors] = (int8_t)c->metadata;
            m->door_at[i] = (int8_t)m->n_doors++;
        }
    }
    for (int i = 0; i < e->agent.n_items; i++)
        if (e->items[i].kind == SB_ITEM_KEY) m->carried[e->items[i].value]++;
}

/* Returns how many keys of a colour the agent carries. */
static int n_held(const map *m, const packed_state *s, int color) {
    int n = m->carried[color];
    for (int i = 0; i < m->n_keys; i++) n += m->key_color[i] == color && (s->taken >> i & 1);
    for (int i = 0; i < m->n_doors; i++) n -= m->door_color[i] == color && (s->open >> i & 1);
    return n;
}

static bool is_shut(const map *m, const packed_state *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->open >> m->door_at[cell] & 1);
}

static void unlock(const map *m, packed_state *s) {
    const sb_xy target = sb_beside(sb_xy_of(m->e, s->cell), (sb_direction)s->facing);
    if (!sb_inside(m->e, target)) return;
    const int cell = sb_index(m->e, target);
    if (is_shut(m, s, cell) && n_held(m, s, m->door_color[m->door_at[cell]]) > 0)
        s->open |= (uint8_t)(1u << m->door_at[cell]);
}

static void move(const map *m, packed_state *s, sb_direction ahead) {
    const sb_xy to = sb_beside(sb_xy_of(m->e, s->cell), ahead);
    s->facing = (uint8_t)ahead;
    if (!sb_inside(m->e, to)) return;
    const int cell = sb_index(m->e, to);
    if (!m->floor->cell[cell] || is_shut(m, s, cell)) return;
    s->cell = (uint16_t)cell;
    if (m->key_at[cell] >= 0) s->taken |= (uint8_t)(1u << m->key_at[cell]);
}

/* Applies the rules to a state. */
static packed_state after(const map *m, const packed_state *s, sb_action action) {
    packed_state next = *s;
    if (action == SB_INTERACT)
        unlock(m, &next);
    else
        move(m, &next, sb_direction_of(action));
    return next;
}

static void expand(void *context, const void *state, sb_search *search) {
    const map *m = context;
    for (sb_action action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        const packed_state next = after(m, state, action);
        if (memcmp(&next, state, sizeof next) == 0) continue;
        sb_search_add(search, &next, (uint32_t)action, 1, sb_same(sb_xy_of(m->e, next.cell), m->goal));
    }
}

sb_verdict sb_locks_plan(sb_locks *locks, const sb_episode *e, const sb_open *floor, sb_xy goal, sb_budget *budget) {
    map m;
    m.e = e, m.floor = floor, m.goal = goal;
    draw_map(&m, e);
    const packed_state start = {.cell = (uint16_t)sb_index(e, e->agent.at), .facing = e->agent.facing};
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = &m, .max_cost = e->max_steps - e->clock};
    return sb_plan_search(&locks->plan, e, locks->search, SB_LOCKS_STATES, &problem, &start, budget);
}

static void intend(sb_intent *intent, const char *verb, int color, const char *noun, sb_xy at) {
    char name[sizeof intent->object];
    snprintf(name, sizeof name, "%s %s", color >= 0 && color < SB_N_COLORS ? sb_color_names[color] : "coloured", noun);
    sb_intend(intent, verb, name, at);
}

void sb_locks_explain(const sb_locks *locks, const sb_episode *e, const char *goal_name, sb_xy goal,
                      sb_intent *intent) {
    map m;
    sb_open all;
    m.e = e, m.floor = &all, m.goal = goal;
    draw_map(&m, e);
    sb_open_walkable(&all, e);
    packed_state s = {.cell = (uint16_t)sb_index(e, e->agent.at), .facing = e->agent.facing};
    for (int i = locks->plan.next; i < locks->plan.n; i++) {
        const packed_state next = after(&m, &s, locks->plan.actions[i]);
        const sb_xy at = sb_xy_of(e, next.cell), ahead = sb_beside(at, (sb_direction)next.facing);
        if (next.open != s.open) {
            intend(intent, "unlock", m.door_color[m.door_at[sb_index(e, ahead)]], "door", ahead);
            return;
        }
        if (next.taken != s.taken) {
            intend(intent, "fetch", m.key_color[m.key_at[next.cell]], "key", at);
            return;
        }
        s = next;
    }
    sb_intend(intent, "go to", goal_name, goal);
}

/* ---- The rule beside the task's steps ---- */

_Static_assert(sizeof(map) <= sizeof((sb_locks_rule *)0)->map, "the rule holds the map");

static packed_state state_of(const sb_episode *e) {
    return (packed_state){.cell = (uint16_t)sb_index(e, e->agent.at), .facing = e->agent.facing};
}

void sb_locks_pack(sb_locks_rule *rule, const sb_episode *e, sb_xy goal, void *state) {
    map *m = (map *)rule->map;
    sb_episode_copy(&rule->e, e);
    m->e = &rule->e, m->floor = &rule->floor, m->goal = goal;
    draw_map(m, &rule->e);
    *(packed_state *)state = state_of(e);
}

void sb_locks_expand(void *rule, const void *state, sb_search *search) {
    expand(((sb_locks_rule *)rule)->map, state, search);
}

static int n_carried(const sb_episode *e, int color) {
    int n = 0;
    for (int i = 0; i < e->agent.n_items; i++) n += e->items[i].kind == SB_ITEM_KEY && e->items[i].value == color;
    return n;
}

bool sb_locks_agrees(const void *rule, const void *state, const sb_episode *e) {
    const map *m = (const map *)((const sb_locks_rule *)rule)->map;
    const packed_state *s = state;
    if (s->cell != sb_index(e, e->agent.at) || s->facing != e->agent.facing) return false;
    for (int i = 0; i < sb_n_cells(e); i++) {
        const bool lies = m->key_at[i] >= 0 && !(s->taken >> m->key_at[i] & 1);
        if (lies != (e->cells[i].object == SB_KEY) || is_shut(m, s, i) != sb_door_is_closed(&e->cells[i])) return false;
    }
    for (int color = 0; color < SB_DOOR_OPEN; color++)
        if (n_held(m, s, color) != n_carried(e, color)) return false;
    return true;
}

bool sb_locks_leaves_out(const void *rule, const void *state, const sb_episode *e) {
    (void)state;
    return !((const sb_locks_rule *)rule)->floor.cell[sb_index(e, e->agent.at)];
}
