/* Herding: drive all sheep into the pen in a corner. Sheep flee from the agent when it is near and otherwise wander. A
 * sheep in the pen is locked there for good, and no other can take its place. */
#include "generators/agentick/multi_agent/herding.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_herding_vars vars;

static const struct parameters {
    int sheep, pen_side, obstacles;
    bool draws_corner;
} parameters[SB_N_DIFFICULTIES] = {{2, 2, 0, false}, {3, 3, 2, true}, {4, 3, 4, true}, {5, 3, 6, true}};

const int8_t sb_herding_pace[SB_N_DIFFICULTIES] = {3, 2, 2, 1};
const double sb_herding_wanders = 0.3;

static bool lies_within(const vars *v, sb_xy p) {
    return p.x >= v->pen_first.x && p.x <= v->pen_last.x && p.y >= v->pen_first.y && p.y <= v->pen_last.y;
}

/* The agent's start is never a place in the pen, even if the pen is in that corner. */
bool sb_herding_is_pen(const vars *v, sb_xy p) { return lies_within(v, p) && !sb_same(p, v->start); }

/* ---- The instance ---- */

static void draw_pen_corner(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int near = 1, far = e->width - 1 - difficulty->pen_side, last = difficulty->pen_side - 1;
    const sb_xy origins[] = {sb_at(far, far), sb_at(near, far), sb_at(far, near), sb_at(near, near)};
    v->pen_first = origins[difficulty->draws_corner ? sb_integers(rng, 0, 4) : 0];
    v->pen_last = sb_at(v->pen_first.x + last, v->pen_first.y + last);
}

static void draw_start(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int last = e->width - 2;
    sb_xy corners[] = {sb_at(1, 1), sb_at(1, last), sb_at(last, 1), sb_at(last, last)};
    sb_shuffle_xy(rng, corners, 4);
    v->start = e->agent.at = corners[0];
}

/* Python's set decides the order in which configurations list the cells of the pen, and where sheep may start. */
static void make_pen(sb_episode *e, sb_set *pen) {
    vars *v = SB_VARS(e);
    sb_set_clear(pen);
    for (int y = v->pen_first.y; y <= v->pen_last.y; y++)
        for (int x = v->pen_first.x; x <= v->pen_last.x; x++) {
            if (!sb_herding_is_pen(v, sb_at(x, y))) continue;
            sb_set_object(e, sb_at(x, y), SB_TARGET, 0);
            sb_set_add(pen, sb_at(x, y));
        }
    v->n_pen = (int32_t)sb_set_list(pen, v->pen, SB_HERDING_PEN);
}

/* Walls are at least two cells from the border, so the ring along it stays open and nothing is cut off from the pen. */
static void draw_obstacles(sb_episode *e, int count, sb_rng *rng) {
    sb_cells sites;
    sb_cells_columns(&sites, e, 2);
    sb_cells_keep(&sites, e, sb_vacant);
    sb_cells_shuffle(&sites, rng);
    for (int i = 0; i < count; i++) sb_cell_at(e, sites.at[i])->terrain = SB_WALL;
}

/* The candidates are a Python set after two differences, in its order. */
static void draw_sheep(sb_episode *e, int count, const sb_set *pen, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_open open;
    sb_cells sites;
    sb_set reached, own_cell, outside;
    sb_open_walkable(&open, e);
    sb_reached_set(&reached, e, &open, v->start, sb_nesw);
    sb_set_clear(&own_cell);
    sb_set_add(&own_cell, v->start);
    sb_set_minus(&outside, &reached, &own_cell);
    sb_set_minus(&reached, &outside, pen);
    sites.n = (int)sb_set_list(&reached, sites.at, SB_CELLS_MAX);
    sb_cells_shuffle(&sites, rng);
    v->n_sheep = count;
    for (int i = 0; i < count; i++) v->sheep[i] = v->sheep_start[i] = sites.at[i];
}

static bool generate(sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    vars *v = SB_VARS(e);
    sb_set pen;
    sb_rng rng = sb_generator(e, e->seed);
    sb_wall_border(e);
    draw_pen_corner(e, difficulty, &rng);
    draw_start(e, &rng);
    make_pen(e, &pen);
    draw_obstacles(e, difficulty->obstacles, &rng);
    draw_sheep(e, difficulty->sheep, &pen, &rng);
    v->sheep_seed = (uint32_t)sb_integers(&rng, 0, INT64_C(1) << 31);
    v->sheep_rng = sb_generator(e, v->sheep_seed);
    for (int i = 0; i < v->n_sheep; i++) sb_set_object(e, v->sheep[i], SB_SHEEP, SB_SOUTH);
    return true;
}

/* ---- The rules ---- */

/* Locks each sheep in the step after it came into the pen. */
static void lock_arrivals(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_sheep; i++) {
        if (v->locked[i] || !sb_herding_is_pen(v, v->sheep[i])) continue;
        v->locked[i] = true;
        sb_set_object(e, v->sheep[i], SB_TARGET, 0);
    }
}

/* Sheep block each other; the agent does not block them. A taken cell of the pen still shows TARGET, so the list
 * decides. */
static bool is_free(const sb_episode *e, sb_xy p) {
    const vars *v = SB_VARS(e);
    const sb_cell *c = sb_peek(e, p);
    if (c->terrain != SB_EMPTY || c->object == SB_SHEEP) return false;
    for (int i = 0; c->object == SB_TARGET && i < v->n_sheep; i++)
        if (sb_same(v->sheep[i], p)) return false;
    return true;
}

static sb_direction choose_way(sb_episode *e, sb_xy from) {
    vars *v = SB_VARS(e);
    if (sb_manhattan(from, e->agent.at) <= SB_HERDING_NEAR) return sb_way_off(e, from, is_free);
    if (sb_random(&v->sheep_rng) >= sb_herding_wanders) return SB_NOWHERE;
    return sb_draw_way(e, from, is_free, &v->sheep_rng);
}

/* Sheep move one after the other, so an earlier one may free a cell for a later one or take it. */
static void move_sheep(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_sheep; i++)
        if (!v->locked[i]) sb_go(e, &v->sheep[i], choose_way(e, v->sheep[i]), SB_SHEEP);
}

static void on_step(sb_episode *e) {
    lock_arrivals(e);
    if (e->clock % sb_herding_pace[e->difficulty] == 0) move_sheep(e);
}

static int count_in_pen(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < v->n_sheep; i++) n += sb_herding_is_pen(v, v->sheep[i]);
    return n;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return count_in_pen(e) == v->n_sheep;
}

/* Returns the distance to the nearest sheep outside the pen. There must be one. */
static int nearest_outside(const vars *v, sb_xy from) {
    int nearest = SB_SIDE_MAX * 2;
    for (int i = 0; i < v->n_sheep; i++) {
        const int distance = sb_manhattan(from, v->sheep[i]);
        if (distance < nearest && !sb_herding_is_pen(v, v->sheep[i])) nearest = distance;
    }
    return nearest;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    reward += 0.05 * count_in_pen(e);
    if (t->success) return reward + 1.0;
    return reward + 0.02 * (nearest_outside(v, t->before.at) - nearest_outside(v, e->agent.at));
}

/* Returns whether a sheep can still take this cell of the pen: it is free and beside open ground outside, since sheep
 * are locked where they come in. */
static bool is_place(const sb_episode *e, sb_xy p) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_sheep; i++)
        if (sb_same(v->sheep[i], p)) return false;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy from = sb_beside(p, d);
        if (!lies_within(v, from) && sb_peek(e, from)->terrain == SB_EMPTY) return true;
    }
    return false;
}

static int beyond(int x, int first, int last) { return x < first ? first - x : x > last ? x - last : 0; }

static int distance_to_pen(const vars *v, sb_xy p) {
    return beyond(p.x, v->pen_first.x, v->pen_last.x) + beyond(p.y, v->pen_first.y, v->pen_last.y);
}

/* Counts the steps of the sheep farthest from the pen; -1 if more sheep are outside than it has places. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int pace = sb_herding_pace[e->difficulty], until_next = pace - e->clock % pace;
    int places = 0, farthest = 0;
    for (int k = 0; k < v->n_pen; k++) places += is_place(e, v->pen[k]);
    for (int i = 0; i < v->n_sheep; i++) {
        if (sb_herding_is_pen(v, v->sheep[i])) continue;
        const int distance = distance_to_pen(v, v->sheep[i]);
        if (distance > farthest) farthest = distance;
        if (--places < 0) return -1;
    }
    return farthest ? until_next + (farthest - 1) * pace : 0;
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->sheep_seed = (uint32_t)seed;
    v->sheep_rng = sb_generator(e, seed);
    return true;
}

/* Hides which places of the pen are taken and which sheep is which. All sheep that the grid does not show are locked,
 * on the pen's first cell. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_SHEEP) v->sheep[n++] = sb_xy_of(e, i);
    for (int i = 0; i < v->n_sheep; i++) {
        v->locked[i] = i >= n;
        if (v->locked[i]) v->sheep[i] = v->pen[0];
    }
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->pen, (size_t)v->n_pen);
    sb_config_cells(c, "pen_cells", v->pen, (size_t)v->n_pen);
    sb_config_cells(c, "sheep_positions", v->sheep_start, (size_t)v->n_sheep);
    sb_config_cells(c, "predator_positions", NULL, 0);
    sb_config_cells(c, "leader_indices", NULL, 0);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_herding = {
    .info = {.name = "Herding-v0",
             .category = "multi_agent",
             .skills = SB_SKILLS("multi_objective_control"),
             .summary = "Drive all sheep, which flee from you when you are near, into the pen in a corner."},
    .extents = {{9, 9, 120}, {12, 12, 220}, {15, 15, 350}, {18, 18, 600}},
    .vars_size = sizeof(vars),
    .clock = 6, /* least common multiple of the paces */
    .generate = generate,
    .on_step = on_step,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .hide = hide,
    .config = config,
};
