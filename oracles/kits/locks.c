#include "oracles/kits/locks.h"

#include <stdio.h>
#include <string.h>

/* The state of the search: eight bytes, without padding. */
typedef struct packed_state {
    uint16_t cell;
    uint8_t facing, taken, open; /* taken, open: sets of keys and of doors */
    uint8_t zero[3];
} packed_state;

_Static_assert(sizeof(packed_state) == 8, "sb_locks counts it");

typedef struct map {
    const sb_episode *e;
    const sb_open *floor;
    sb_xy goal;
    int n_keys, n_doors;
    int carried[SB_DOOR_OPEN]; /* keys carried at the start, by colour, which is below SB_DOOR_OPEN */
    int8_t key_color[SB_LOCKS_MAX], door_color[SB_LOCKS_MAX];
    int8_t key_at[SB_CELLS_MAX], door_at[SB_CELLS_MAX]; /* -1: none */
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

static bool holds(const map *m, const packed_state *s, int color) {
    int n = m->carried[color];
    for (int i = 0; i < m->n_keys; i++) n += m->key_color[i] == color && (s->taken >> i & 1);
    for (int i = 0; i < m->n_doors; i++) n -= m->door_color[i] == color && (s->open >> i & 1);
    return n > 0;
}

static bool is_shut(const map *m, const packed_state *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->open >> m->door_at[cell] & 1);
}

static void unlock(const map *m, packed_state *s) {
    const sb_xy target = sb_beside(sb_xy_of(m->e, s->cell), (sb_direction)s->facing);
    if (!sb_inside(m->e, target)) return;
    const int cell = sb_index(m->e, target);
    if (is_shut(m, s, cell) && holds(m, s, m->door_color[m->door_at[cell]]))
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
