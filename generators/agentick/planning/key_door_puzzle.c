/* KeyDoorPuzzle: a chain of rooms behind locked doors. Fetch the key of each door's colour. The agent holds one key at
 * a time: stepping on a key while holding another swaps the two. */
#include "generators/agentick/planning/key_door_puzzle.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/doors.h"

typedef sb_key_door_puzzle_vars vars;

enum { MAX_KEYS = SB_KEY_DOOR_PUZZLE_KEYS, MAX_ROOMS = MAX_KEYS + 1 };

/* ---- The instance ---- */

/* The rooms lie one behind the other in a band. "Along" is the direction of the chain, "across" the other direction. */
typedef struct plan {
    int n_rooms, band_first, band_last;          /* band_first, band_last: across; both included */
    bool top_to_bottom;                          /* else from left to right */
    int start[MAX_ROOMS], end[MAX_ROOMS];        /* where each room starts and ends, along; both included */
    sb_cells room[MAX_ROOMS], branch[MAX_ROOMS]; /* every room but the last has a side branch */
} plan;

static sb_xy turned(const plan *p, int along, int across) {
    return p->top_to_bottom ? sb_at(across, along) : sb_at(along, across);
}

static void draw_room_lengths(plan *p, const sb_episode *e, sb_rng *rng) {
    const int inner = e->width - 2, extra = inner - 2 * p->n_rooms;
    const int cap = inner / p->n_rooms > 4 ? inner / p->n_rooms : 4;
    int length[MAX_ROOMS];
    for (int i = 0; i < p->n_rooms; i++) length[i] = i == 0 ? 2 : 1;
    for (int i = 0; i < extra; i++) length[sb_integer_below(rng, p->n_rooms)]++;
    for (int i = 0, along = 1; i < p->n_rooms; i++) {
        p->start[i] = along;
        p->end[i] = along + (length[i] < cap ? length[i] : cap) - 1;
        along = p->end[i] + 2; /* one wall between two rooms */
    }
}

static void set_band(plan *p, const sb_episode *e) {
    const int inner = e->width - 2, wanted = 3 + (e->width - 9);
    const int width = wanted < 3 ? 3 : wanted < inner ? wanted : inner;
    p->band_first = 1 + (inner - width) / 2;
    p->band_last = p->band_first + width - 1;
}

static void draw_doors(plan *p, sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_keys; i++) {
        int across = (int)sb_integers(rng, p->band_first, p->band_last + 1);
        v->door[i] = turned(p, p->end[i] + 1, across);
        sb_cell_at(e, v->door[i])->terrain = SB_EMPTY;
        sb_set_object(e, v->door[i], SB_DOOR, i);
    }
}

/* A branch may touch the next room's branch and so lead round a door. is_valid() rejects such an instance. */
static void draw_branches(plan *p, sb_episode *e, sb_rng *rng) {
    for (int i = 0; i + 1 < p->n_rooms; i++) {
        const bool far_side = sb_integers(rng, 0, 2) == 1;
        const int across = far_side ? p->band_last + 1 : p->band_first - 3;
        const int along = (p->start[i] + p->end[i]) / 2;
        sb_carve(e, turned(p, along, across), turned(p, along + 1, across + 2), &p->branch[i]);
    }
}

/* Draws a cell of the room or its branch (which may be NULL) without agent or object. There is one: the first room has
 * at least six cells and two keys, the second three cells and two keys, the last three cells. */
static sb_xy draw_site(const sb_episode *e, const sb_cells *room, const sb_cells *branch, sb_rng *rng) {
    const sb_cells *parts[] = {room, branch};
    sb_cells free_cells;
    free_cells.n = 0;
    for (int k = 0; k < 2 && parts[k]; k++)
        for (int i = 0; i < parts[k]->n; i++) {
            sb_xy p = parts[k]->at[i];
            if (sb_peek(e, p)->object == SB_NONE && !sb_same(p, e->agent.at)) sb_cells_add(&free_cells, p);
        }
    return free_cells.at[sb_integer_below(rng, free_cells.n)];
}

/* Key 0 lies in the agent's room. The others lie in the first or the second room or its branch. */
static void draw_keys(const plan *p, sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_keys; i++) {
        const int home = i % 2;
        v->key[i] = draw_site(e, &p->room[home], i == 0 ? NULL : &p->branch[home], rng);
        sb_set_object(e, v->key[i], SB_KEY, i);
    }
}

static void draw_instance(sb_episode *e, uint64_t attempt) {
    vars *v = SB_VARS(e);
    plan p;
    sb_rng rng = sb_generator_plus(e, attempt);

    sb_fill(e, SB_WALL);
    p.n_rooms = e->difficulty + 2;
    v->n_keys = p.n_rooms - 1;
    p.top_to_bottom = sb_integers(&rng, 0, 2) == 1;
    draw_room_lengths(&p, e, &rng);
    set_band(&p, e);
    for (int i = 0; i < p.n_rooms; i++)
        sb_carve(e, turned(&p, p.start[i], p.band_first), turned(&p, p.end[i], p.band_last), &p.room[i]);
    draw_doors(&p, e, &rng);
    draw_branches(&p, e, &rng);
    v->start = e->agent.at = p.room[0].at[sb_integer_below(&rng, p.room[0].n)];
    draw_keys(&p, e, &rng);
    v->goal = draw_site(e, &p.room[p.n_rooms - 1], NULL, &rng);
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

/* Returns whether the agent can walk from a to b when only the doors in the set (bit i for door i) are open. */
static bool leads(const sb_episode *e, sb_area *area, sb_xy a, sb_xy b, unsigned open_doors) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_keys; i++) sb_area_set(area, v->door[i], open_doors >> i & 1);
    return sb_area_connects(area, e->height, a, b);
}

/* Returns whether every door is needed (so the goal is behind all of them) and can be opened in order, with every key
 * where it lies at the start. */
static bool is_valid(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const unsigned all = (1u << v->n_keys) - 1;
    sb_area area;
    sb_area_walkable(&area, e);
    for (int i = 0; i < v->n_keys; i++)
        if (leads(e, &area, v->start, v->goal, all & ~(1u << i))) return false;
    for (int i = 0; i < v->n_keys; i++) {
        const unsigned opened = (1u << i) - 1;
        if (!leads(e, &area, v->start, v->key[i], opened)) return false;
        if (!leads(e, &area, v->key[i], v->door[i], opened | 1u << i)) return false;
    }
    return leads(e, &area, v->start, v->goal, all);
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 101 };
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        draw_instance(e, attempt);
        if (is_valid(e)) return true;
    }
    return false;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    sb_cell *here = sb_cell_at(e, e->agent.at);
    if (here->object != SB_KEY) return;
    const int found = here->metadata;
    if (e->agent.n_items == 0) {
        sb_set_object(e, e->agent.at, SB_NONE, 0);
    } else {
        here->metadata = e->items[0].value;
        sb_drop(e, 0);
    }
    sb_take(e, SB_ITEM_KEY, found, e->agent.at);
}

static void on_interact(sb_episode *e, sb_xy target) {
    vars *v = SB_VARS(e);
    if (sb_unlock(e, target)) v->any_unlocked = true;
}

static int count_open_doors(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < v->n_keys; i++) n += !sb_door_is_closed(sb_peek(e, v->door[i]));
    return n;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *paid_doors = &e->paid[0];
    double reward = -0.01;
    if (v->any_unlocked) {
        const int open = count_open_doors(e);
        if (open > *paid_doors) {
            reward += 0.5 * (open - *paid_doors);
            *paid_doors = open;
        }
    }
    reward += 0.05 * sb_approach(e, t, v->goal);
    if (t->success) reward += 1.0;
    return reward;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const size_t n = (size_t)v->n_keys;
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_xy(c, "key_pos", v->key[0]);
    sb_config_cells(c, "key_positions", v->key, n);
    sb_config_xy(c, "door_pos", v->door[0]);
    sb_config_cells(c, "door_positions", v->door, n);
    sb_config_int(c, "n_keys", v->n_keys);
    sb_config_int(c, "max_steps", e->max_steps);
    if (c->hidden) sb_config_bool(c, "_door_open", v->any_unlocked);
}

const sb_task sb_key_door_puzzle = {
    .info = {.name = "KeyDoorPuzzle-v0",
             .category = "planning",
             .skills = SB_SKILLS("memory", "sequential_reasoning"),
             .summary =
                 "Fetch colour-coded keys, one in hand at a time, and unlock every door on the way to the goal."},
    .extents = {{9, 9, 100}, {11, 11, 200}, {15, 15, 500}, {19, 19, 800}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = sb_enter_unless_door,
    .on_enter = on_enter,
    .on_interact = on_interact,
    .dense = dense,
    .config = config,
};
