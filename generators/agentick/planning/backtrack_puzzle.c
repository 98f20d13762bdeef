/* BacktrackPuzzle: corridors with switches far from the start. The last switch opens a gate and makes the goal appear
 * near the start, so the agent has to go back. */
#include "generators/agentick/planning/backtrack_puzzle.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/search.h"

typedef sb_backtrack_puzzle_vars vars;

static const struct parameters {
    int switches, dead_ends;
} parameters[SB_N_DIFFICULTIES] = {{1, 0}, {2, 1}, {3, 2}, {4, 3}};

/* ---- The corridors ---- */

static void carve(sb_episode *e, int left, int top, int right, int bottom) {
    sb_cells carved;
    sb_carve(e, sb_at(left, top), sb_at(right, bottom), &carved);
}

/* Two corridors from side to side, joined near the right end. */
static void draw_hook(sb_episode *e, sb_rng *rng) {
    const int side = e->width, last = side - 2;
    const int upper = (int)sb_integers(rng, 2, side / 3);
    const int column = last - (int)sb_integers(rng, 0, 2);
    const int lower = last - (int)sb_integers(rng, 0, side / 4);
    carve(e, 1, upper, last, upper);
    carve(e, column, upper, column, lower);
    carve(e, 1, lower, column, lower);
    e->agent.at = sb_at(1, upper);
}

/* A corridor with a stem down from its middle and an arm up at either end. */
static void draw_tee(sb_episode *e, sb_rng *rng) {
    const int side = e->width, last = side - 2, middle = side / 2;
    const int arm = middle - (int)sb_integers(rng, 1, side / 4);
    carve(e, 1, middle, last, middle);
    carve(e, middle, middle, middle, last);
    carve(e, 1, arm, 1, middle);
    carve(e, last, arm, last, middle);
    e->agent.at = sb_at(middle, middle);
}

/* Three or four corridors from side to side, joined at the left and the right end in turn. */
static void draw_zigzag(sb_episode *e, sb_rng *rng) {
    const int last = e->width - 2, turns = 2 + (int)sb_integers(rng, 0, 2);
    const int fitting = last / (turns + 1), gap = fitting > 2 ? fitting : 2;
    for (int i = 0; i <= turns; i++) {
        const int row = 1 + i * gap, end = i % 2 ? last : 1;
        carve(e, 1, row, last, row);
        if (i < turns) carve(e, end, row, end, row + gap);
    }
    e->agent.at = sb_at(e->width / 2, 1);
}

static void draw_corridors(sb_episode *e, sb_rng *rng) {
    static void (*const layouts[])(sb_episode *, sb_rng *) = {draw_hook, draw_tee, draw_zigzag};
    sb_fill(e, SB_WALL);
    layouts[sb_integers(rng, 0, 3)](e, rng);
}

static bool is_rock(const sb_episode *e, sb_xy p) { return sb_interior(e, p) && sb_peek(e, p)->terrain == SB_WALL; }

/* Digs a dead end of two cells into the rock at a random floor cell where it fits, if there is one. */
static void draw_dead_end(sb_episode *e, sb_cells *floor, sb_cells *ends, sb_rng *rng) {
    sb_cells_shuffle(floor, rng);
    for (int i = 0; i < floor->n; i++) {
        sb_xy offset[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        sb_shuffle_xy(rng, offset, 4);
        for (int k = 0; k < 4; k++) {
            const sb_xy near = sb_at(floor->at[i].x + offset[k].x, floor->at[i].y + offset[k].y);
            const sb_xy far = sb_at(near.x + offset[k].x, near.y + offset[k].y);
            if (!is_rock(e, near) || !is_rock(e, far)) continue;
            sb_cell_at(e, near)->terrain = sb_cell_at(e, far)->terrain = SB_EMPTY;
            sb_cells_add(floor, near);
            sb_cells_add(floor, far);
            sb_cells_add(ends, far);
            return;
        }
    }
}

static void draw_dead_ends(sb_episode *e, int n, sb_cells *ends, sb_rng *rng) {
    sb_cells floor;
    sb_cells_columns(&floor, e, 1);
    sb_cells_keep(&floor, e, sb_vacant);
    ends->n = 0;
    for (int i = 0; i < n; i++) draw_dead_end(e, &floor, ends, rng);
}

/* ---- The instance ---- */

/* Puts the goal a third of the way into the corridors, and the gate on the cell before it. */
static void set_goal_and_gate(sb_episode *e, const sb_reach *reach) {
    vars *v = SB_VARS(e);
    v->goal = reach->order[reach->n / 3];
    const int distance = reach->distance[sb_index(e, v->goal)];
    for (int k = 3; k >= 0; k--) { /* backwards, so that the first of the nearer neighbours wins */
        const sb_xy p = sb_beside(v->goal, sb_ewsn[k]);
        if (sb_reached(reach, e, p) && reach->distance[sb_index(e, p)] < distance) v->gate = p;
    }
    sb_cell_at(e, v->gate)->terrain = SB_WALL;
}

/* Lists the cells in front of the closed gate that are farther from the start than the goal. If these are too few, adds
 * all dead ends in front of the gate. */
static void list_sites(sb_cells *sites, const sb_episode *e, const sb_reach *reach, int wanted, const sb_cells *ends) {
    const vars *v = SB_VARS(e);
    const int near = reach->distance[sb_index(e, v->goal)] + 1;
    sb_area in_front;
    sb_area_reached(&in_front, e, v->start);
    sites->n = 0;
    for (int i = 0; i < reach->n; i++) {
        const sb_xy p = reach->order[i];
        if (reach->distance[sb_index(e, p)] > near && sb_area_has(&in_front, p)) sb_cells_add(sites, p);
    }
    if (sites->n >= wanted) return;
    for (int i = 0; i < ends->n; i++) {
        const sb_xy p = ends->at[i];
        const bool is_listed = reach->distance[sb_index(e, p)] > near;
        if (!is_listed && !sb_same(p, v->goal) && sb_area_has(&in_front, p)) sb_cells_add(sites, p);
    }
}

static void place_switches(sb_episode *e, const sb_xy *at, int n) {
    vars *v = SB_VARS(e);
    v->n_switches = n;
    for (int i = 0; i < n; i++) {
        v->at[i] = at[i];
        sb_set_object(e, at[i], SB_SWITCH, SB_SWITCH_OFF);
    }
}

/* Draws one instance. Returns false if it has too few sites for the switches. (Without dead ends the gate cuts off
 * every layout but the tee.) */
static bool draw_instance(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_cells ends, sites;
    sb_open open;
    sb_reach reach;

    draw_corridors(e, rng);
    draw_dead_ends(e, difficulty->dead_ends, &ends, rng);
    v->start = e->agent.at;
    sb_open_walkable(&open, e);
    sb_reach_from(&reach, e, &open, v->start, sb_ewsn);
    set_goal_and_gate(e, &reach);
    if (sb_same(v->gate, v->start)) return false;
    list_sites(&sites, e, &reach, difficulty->switches, &ends);
    if (sites.n < difficulty->switches) return false;
    sb_cells_shuffle(&sites, rng);
    place_switches(e, sites.at, difficulty->switches);
    return true;
}

/* The published generator's fallback: two adjacent corridors, one of them blocked by the gate. */
static void make_plain(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int last = e->width - 2, middle = e->width / 2, third = e->width / 3;
    const sb_xy only = sb_at(last, middle - 1);
    sb_fill(e, SB_WALL);
    carve(e, 1, middle - 1, last, middle);
    v->start = e->agent.at = sb_at(1, middle);
    v->gate = sb_at(third, middle);
    v->goal = sb_at(third + 1, middle);
    sb_cell_at(e, v->gate)->terrain = SB_WALL;
    place_switches(e, &only, 1);
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 15 };
    sb_rng rng = sb_generator(e, e->seed); /* shared by all attempts */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (draw_instance(e, &rng)) return true;
    make_plain(e);
    return true;
}

/* ---- The rules ---- */

static bool is_off(const sb_cell *c) { return c->object == SB_SWITCH && !sb_switch_is_on(c->metadata); }

static bool can_enter(sb_episode *e, sb_xy to) { return !is_off(sb_peek(e, to)); }

static bool all_activated(const vars *v) { return v->n_activated >= v->n_switches; }

static void on_interact(sb_episode *e, sb_xy target) {
    vars *v = SB_VARS(e);
    sb_cell *faced = sb_cell_at(e, target);
    if (!is_off(faced)) return;
    faced->metadata = SB_SWITCH_ON;
    v->n_activated++;
    if (!all_activated(v)) return;
    sb_cell_at(e, v->gate)->terrain = SB_EMPTY;
    sb_cell_at(e, v->goal)->object = SB_GOAL;
}

/* Returns the cell that the dense reward pays for approaching: the first switch that is off, then the goal. */
static sb_xy target_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_switches; i++)
        if (is_off(sb_peek(e, v->at[i]))) return v->at[i];
    return v->goal;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *paid_milestone = &e->paid[0];
    double reward = -0.01;
    if (v->n_activated > 0 && !*paid_milestone) {
        reward += 0.3 * v->n_activated;
        *paid_milestone = true;
    }
    reward += 0.05 * sb_approach(e, t, target_of(e));
    if (t->success) reward += 1.0;
    return reward;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_cells(c, "switch_positions", v->at, (size_t)v->n_switches);
    sb_config_xy(c, "switch_pos", v->at[0]);
    sb_config_xy(c, "gate_pos", v->gate);
    sb_config_int(c, "n_switches", v->n_switches);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_int(c, "_switches_activated", v->n_activated);
    sb_config_bool(c, "_all_activated", all_activated(v));
    sb_config_bool(c, "_switch_activated", v->n_activated > 0);
}

const sb_task sb_backtrack_puzzle = {
    .info = {.name = "BacktrackPuzzle-v0",
             .category = "planning",
             .skills = SB_SKILLS("memory", "planning"),
             .summary = "Activate the switches at the far end of the corridors, then go back to the goal they open."},
    .extents = {{9, 9, 80}, {11, 11, 160}, {13, 13, 280}, {15, 15, 450}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .on_interact = on_interact,
    .dense = dense,
    .config = config,
};
