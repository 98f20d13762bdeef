/* CooperativeTransport: push boxes into holes. A box gives way only while a helper stands beside it. The helper comes
 * to a box that the agent stands beside, to the far side of the box if it can. It steps aside when a box is pushed onto
 * it. Away from boxes it wanders; the step counter decides where. */
#include "generators/agentick/multi_agent/cooperative_transport.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_cooperative_transport_vars vars;

enum { MAX_BOXES = SB_COOPERATIVE_TRANSPORT_BOXES };

static const struct parameters {
    int boxes, obstacles;
} parameters[SB_N_DIFFICULTIES] = {{1, 0}, {2, 3}, {3, 6}, {4, 9}};

/* ---- The instance ---- */

static bool is_sound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area reached;
    sb_area_reached(&reached, e, v->start);
    for (int i = 0; i < v->n; i++) {
        bool beside = false;
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) beside |= sb_area_has(&reached, sb_beside(v->hole[i], d));
        if (!beside || !sb_area_has(&reached, v->placed[i])) return false;
    }
    return sb_area_has(&reached, v->helper_start);
}

static void place_boxes_and_holes(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_columns(&sites, e, 2);
    sb_cells_shuffle(&sites, rng);
    sb_cells_remove(&sites, v->start);
    v->n = v->n_left = parameters[e->difficulty].boxes;
    for (int i = 0; i < v->n; i++) {
        v->box[i] = v->placed[i] = sites.at[i];
        v->hole[i] = sites.at[v->n + i];
        sb_set_object(e, v->placed[i], SB_BOX, 0);
        sb_cell_at(e, v->hole[i])->terrain = SB_HOLE;
    }
}

static void place_helper(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_columns(&sites, e, 1);
    sb_cells_shuffle(&sites, rng);
    sb_cells_keep(&sites, e, sb_unoccupied);
    v->helper = v->helper_start = sites.at[0];
    sb_set_object(e, v->helper, SB_NPC, SB_SOUTH);
}

static bool draw_room(sb_episode *e, sb_rng *rng) {
    sb_cells sites;
    sb_clear_room(e);
    place_boxes_and_holes(e, rng);
    place_helper(e, rng);
    sb_cells_draw(&sites, e, sb_unoccupied, rng);
    sb_scatter(e, &sites, parameters[e->difficulty].obstacles, SB_WALL, is_sound);
    return is_sound(e);
}

/* Draws rooms until one is sound. A room fails only if four holes surround the agent, the helper or a box: one room in
 * ten million. */
static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    v->start = e->agent.at = sb_at(e->width / 2, e->height / 2);
    while (!draw_room(e, &rng)) continue;
    return true;
}

/* ---- The helper's moves ---- */

static sb_direction direction_between(sb_xy from, sb_xy to) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (sb_same(sb_beside(from, d), to)) return d;
    return SB_SOUTH; /* the helper stayed */
}

/* A helper that could not step aside stands inside the box. If it cannot leave the box either, it is drawn over it, and
 * the box stays invisible. */
static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    const sb_xy from = v->helper;
    if (sb_peek(e, from)->object == SB_NPC) sb_set_object(e, from, SB_NONE, 0);
    v->helper = sb_cooperative_transport_next(e);
    sb_set_object(e, v->helper, SB_NPC, (int)direction_between(from, v->helper));
}

/* ---- Pushing ---- */

static void make_room(sb_episode *e) {
    vars *v = SB_VARS(e);
    const sb_xy from = v->helper;
    sb_set_object(e, from, SB_NONE, 0);
    sb_direction ways[4];
    if (sb_list_ways(e, from, sb_cooperative_transport_is_free, ways) == 0) return;
    v->helper = sb_beside(from, ways[0]);
    sb_set_object(e, v->helper, SB_NPC, SB_SOUTH);
}

static void deliver(sb_episode *e, int box, sb_xy hole) {
    vars *v = SB_VARS(e);
    sb_cell_at(e, hole)->terrain = SB_EMPTY;
    for (int i = box; i + 1 < v->n_left; i++) v->box[i] = v->box[i + 1];
    v->box[--v->n_left] = sb_at(0, 0);
}

static bool push(sb_episode *e, sb_xy from) {
    vars *v = SB_VARS(e);
    const sb_xy to = sb_beside(from, (sb_direction)e->agent.facing);
    const sb_cell *landing = sb_peek(e, to); /* in the grid: boxes stay within the border */
    if (sb_manhattan(v->helper, from) != 1 || landing->terrain == SB_WALL) return false;
    const int box = sb_cooperative_transport_box_at(v, from);
    if (landing->terrain == SB_HOLE) {
        deliver(e, box, to);
    } else {
        if (landing->object == SB_BOX || sb_cooperative_transport_box_at(v, to) >= 0) return false;
        if (landing->object == SB_NPC) make_room(e);
        v->box[box] = to;
        sb_set_object(e, to, SB_BOX, 0);
    }
    sb_set_object(e, from, SB_NONE, 0);
    return true;
}

static bool can_enter(sb_episode *e, sb_xy to) { return sb_peek(e, to)->object != SB_BOX || push(e, to); }

/* ---- Rewards ---- */

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_left == 0;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_left < old->n_left) reward += 0.5;
    if (v->n_left > 0)
        reward += 0.02 *
                  (sb_to_nearest(t->before.at, old->box, old->n_left) - sb_to_nearest(e->agent.at, v->box, v->n_left));
    if (t->success) reward += 1.0;
    return reward;
}

/* ---- The bound ---- */

/* The agent walks to a box, and every box is pushed to a hole. Returns -1 if a box is invisible, since it cannot be
 * pushed, or lies beside the border, since it cannot get away from there and holes never lie there. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy open[MAX_BOXES];
    int n_open = 0, pushes = 0;
    if (v->n_left == 0) return 0;
    for (int i = 0; i < v->n; i++)
        if (sb_peek(e, v->hole[i])->terrain == SB_HOLE) open[n_open++] = v->hole[i];
    for (int i = 0; i < v->n_left; i++) {
        const sb_xy p = v->box[i];
        if (sb_peek(e, p)->object != SB_BOX) return -1;
        if (p.x == 1 || p.y == 1 || p.x == e->width - 2 || p.y == e->height - 2) return -1;
        pushes += sb_to_nearest(p, open, n_open);
    }
    return sb_to_nearest(e->agent.at, v->box, v->n_left) - 1 + pushes;
}

/* ---- What observations say ---- */

/* Hides the order of the boxes. An invisible box may be anywhere, so it is put on the helper's cell. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_BOX) v->box[n++] = sb_xy_of(e, i);
    while (n < v->n_left) v->box[n++] = v->helper;
}

/* An invisible box may lie where a box is pushed to. */
static bool effect_is_hidden(const sb_episode *e, sb_action action, sb_xy target) {
    const vars *v = SB_VARS(e);
    int n_visible = 0;
    if (action == SB_INTERACT || sb_peek(e, target)->object != SB_BOX) return false;
    for (int i = 0; i < sb_n_cells(e); i++) n_visible += e->cells[i].object == SB_BOX;
    return n_visible < v->n_left;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_xy(c, "npc_start", v->helper_start);
    sb_config_cells(c, "box_positions", v->placed, (size_t)v->n);
    sb_config_cells(c, "hole_positions", v->hole, (size_t)v->n);
    sb_config_int(c, "n_boxes", v->n);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_cooperative_transport = {
    .info = {.name = "CooperativeTransport-v0",
             .category = "multi_agent",
             .skills = SB_SKILLS("multi_agent", "cooperation"),
             .summary = "Push boxes into holes; a box gives way only while a helper stands beside it."},
    .extents = {{9, 9, 100}, {12, 12, 200}, {15, 15, 350}, {18, 18, 500}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, helper),
    .clock = SB_CLOCK_ABSOLUTE,
    .generate = generate,
    .can_enter = can_enter,
    .on_step = on_step,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .hide = hide,
    .effect_is_hidden = effect_is_hidden,
    .config = config,
};
