/* SokobanPush: push every box onto a target. A target is a pit: an agent that steps into it is lost, and a box that
 * covers it never moves again. */
#include "generators/agentick/planning/sokoban_push.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_sokoban_push_vars vars;

enum { MAX_BOXES = SB_SOKOBAN_PUSH_BOXES };

static const struct parameters {
    int boxes, obstacles, hazards;
} parameters[SB_N_DIFFICULTIES] = {{1, 0, 0}, {2, 3, 0}, {3, 5, 3}, {4, 8, 5}};

/* Returns whether a cell stops boxes and the agent: hazards block like walls. */
static bool is_solid(const sb_cell *c) { return c->terrain == SB_WALL || c->terrain == SB_HAZARD; }

/* ---- The instance ---- */

static bool is_cornered(const sb_episode *e, sb_xy p) {
    bool solid[4];
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) solid[d] = is_solid(sb_peek(e, sb_beside(p, d)));
    return (solid[SB_NORTH] || solid[SB_SOUTH]) && (solid[SB_WEST] || solid[SB_EAST]);
}

static bool no_box_is_cornered(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n; i++)
        if (is_cornered(e, v->placed[i])) return false;
    return true;
}

/* Boxes do not count as obstacles here, and hazards never do, so an instance may well be unsolvable. */
static bool is_sound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return no_box_is_cornered(e) && sb_connected_all(e, v->start, v->placed, v->n) &&
           sb_connected_all(e, v->start, v->target, v->n);
}

static sb_xy place(sb_episode *e, const sb_cells *sites, sb_object object) {
    int i = 0;
    while (!sb_vacant(e, sites->at[i])) i++;
    sb_set_object(e, sites->at[i], object, 0);
    return sites->at[i];
}

static void sort(const sb_episode *e, sb_xy *cells, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && sb_index(e, cells[k]) < sb_index(e, cells[k - 1]); k--) {
            const sb_xy moved = cells[k];
            cells[k] = cells[k - 1], cells[k - 1] = moved;
        }
}

static bool generate(sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells inner, open; /* inner: boxes never start beside the border */

    sb_wall_border(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    sb_cells_columns(&inner, e, 2);
    sb_cells_columns(&open, e, 1);
    sb_cells_remove(&open, v->start);
    sb_cells_shuffle(&inner, &rng);
    sb_cells_shuffle(&open, &rng);
    for (v->n = 0; v->n < difficulty->boxes; v->n++) {
        v->placed[v->n] = v->box[v->n] = place(e, &inner, SB_BOX);
        v->target[v->n] = place(e, &open, SB_TARGET);
    }
    sort(e, v->box, v->n);
    sb_cells_keep(&open, e, sb_vacant);
    sb_scatter(e, &open, difficulty->obstacles, SB_WALL, is_sound);
    sb_cells_keep(&open, e, sb_vacant);
    sb_scatter(e, &open, difficulty->hazards, SB_HAZARD, no_box_is_cornered);
    for (int i = 0; i < v->n; i++) {
        sb_cell_at(e, v->target[i])->terrain = SB_HOLE;
        e->paid[0] = e->paid[1] += sb_to_nearest(v->placed[i], v->target, v->n);
    }
    return true;
}

/* ---- The rules ---- */

static void push(sb_episode *e, sb_xy from, sb_xy to) {
    vars *v = SB_VARS(e);
    const bool falls_in = sb_peek(e, to)->terrain == SB_HOLE;
    sb_set_object(e, from, SB_NONE, 0);
    sb_set_object(e, to, SB_BOX, falls_in ? SB_BOX_AT_HOME : 0);
    v->covered += falls_in;
    if (v->covered == v->n) sb_win(e);
    for (int i = 0; i < v->n; i++)
        if (sb_same(v->box[i], from)) v->box[i] = to;
    sort(e, v->box, v->n);
    e->paid[1] += sb_to_nearest(to, v->target, v->n) - sb_to_nearest(from, v->target, v->n);
}

/* The agent may enter an open pit. */
static bool can_enter(sb_episode *e, sb_xy to) {
    const sb_cell *entered = sb_peek(e, to);
    if (is_solid(entered) || sb_box_is_home(entered->metadata)) return false;
    if (entered->object != SB_BOX) return true;
    const sb_xy beyond = sb_beside(to, (sb_direction)e->agent.facing); /* in the grid: boxes stay within the border */
    if (is_solid(sb_peek(e, beyond)) || sb_peek(e, beyond)->object == SB_BOX) return false;
    push(e, to, beyond);
    return true;
}

static void on_enter(sb_episode *e) {
    if (sb_terrain_here(e) == SB_HOLE) sb_lose(e); /* a covered pit cannot be entered */
}

/* Pays every time a box comes closer to a target; a box that moves away costs nothing. */
static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *last = &e->paid[0], *now = &e->paid[1]; /* sums of the distances from the boxes to their nearest targets */
    if (sb_has_lost(e)) return -0.5;
    double reward = -0.01;
    if (*now < *last) reward += 0.2 * (*last - *now);
    *last = *now;
    reward += 0.05 * (sb_to_nearest(t->before.at, v->box, v->n) - sb_to_nearest(e->agent.at, v->box, v->n));
    if (t->success) reward += 1.0;
    return reward;
}

/* ---- The bound ---- */

/* Returns the sides of a box (bit d for side d) that the agent can reach without pushing it, if there is no other
 * box. */
static unsigned sides_reached(const sb_area *floor, int height, sb_xy box, sb_xy from) {
    sb_area around = *floor, reached;
    unsigned sides = 0;
    sb_area_set(&around, box, false);
    sb_area_flood(&reached, &around, height, from);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        sides |= (unsigned)sb_area_has(&reached, sb_beside(box, d)) << d;
    return sides;
}

/* Returns the sides that the agent can reach from one of them. Usually the eight cells around the box decide: n - 1
 * corners join n sides. */
static unsigned sides_joined(const sb_area *floor, int height, sb_xy box, sb_direction from) {
    unsigned sides = 0;
    int n = 0, corners = 0;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy side = sb_beside(box, d), next = sb_beside(box, (d + 1) % 4);
        if (!sb_area_has(floor, side)) continue;
        sides |= 1u << d, n++;
        corners += sb_area_has(floor, next) && sb_area_has(floor, sb_beside(next, d));
    }
    return corners >= n - 1 ? sides : sides_reached(floor, height, box, sb_beside(box, from));
}

/* Searches backwards, breadth-first: the agent pulls a box off the target, always towards itself. */
static void measure_target(const sb_episode *e, const sb_area *floor, int target, int16_t (*pushes)[4]) {
    int16_t queue[4 * SB_SOKOBAN_PUSH_CELLS]; /* an entry is 4 * the box's cell + the agent's side */
    int n = 0;
    for (int i = 0; i < 4 * sb_n_cells(e); i++) pushes[i / 4][i % 4] = SB_SOKOBAN_PUSH_NEVER;
    for (int d = 0; d < 4; d++) pushes[target][d] = 0, queue[n++] = (int16_t)(4 * target + d);
    for (int i = 0; i < n; i++) {
        const int from = queue[i] / 4, side = queue[i] % 4;
        const sb_xy box = sb_beside(sb_xy_of(e, from), (sb_direction)side);
        int16_t *known = pushes[sb_index(e, box)];
        if (!sb_area_has(floor, box) || !sb_area_has(floor, sb_beside(box, (sb_direction)side))) continue;
        if (known[side] != SB_SOKOBAN_PUSH_NEVER) continue;
        const unsigned sides = sides_joined(floor, e->height, box, (sb_direction)side);
        for (int d = 0; d < 4; d++) {
            if (!(sides >> d & 1)) continue;
            known[d] = (int16_t)(pushes[from][side] + 1);
            queue[n++] = (int16_t)(4 * sb_index(e, box) + d);
        }
    }
}

void sb_sokoban_push_measure(sb_sokoban_push_alone *alone, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    alone->floor = (sb_area){0};
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].terrain == SB_EMPTY) sb_area_add(&alone->floor, sb_xy_of(e, i));
    for (int t = 0; t < v->n; t++) measure_target(e, &alone->floor, sb_index(e, v->target[t]), alone->pushes[t]);
}

/* Returns the fewest pushes that bring one box to the target, from where the agent is. A box in a pit needs none there
 * and cannot reach another pit. */
static int fewest_pushes(const sb_sokoban_push_alone *alone, const sb_episode *e, sb_xy box, int target) {
    const int16_t *pushes = alone->pushes[target][sb_index(e, box)];
    const unsigned sides = sides_reached(&alone->floor, e->height, box, e->agent.at);
    int least = pushes[SB_NORTH] == 0 ? 0 : SB_SOKOBAN_PUSH_NEVER;
    for (int d = 0; d < 4; d++)
        if ((sides >> d & 1) && pushes[d] < least) least = pushes[d];
    return least;
}

/* Matches boxes with targets so that the pushes are fewest, each box as if it were alone. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_sokoban_push_alone alone;
    int least[1 << MAX_BOXES] = {0},
                   all = (1 << v->n) - 1; /* least: indexed by the set of targets taken, bit t for target t */
    if (sb_has_lost(e)) return -1;
    sb_sokoban_push_measure(&alone, e);
    for (int set = 1; set <= all; set++) least[set] = SB_SOKOBAN_PUSH_NEVER;
    for (int i = 0; i < v->n; i++) {
        int cost[MAX_BOXES];
        for (int t = 0; t < v->n; t++) cost[t] = fewest_pushes(&alone, e, v->box[i], t);
        for (int set = all; set >= 0; set--) /* downwards, so that each box counts once */
            for (int t = 0; t < v->n; t++) {
                int *with = &least[set | 1 << t];
                if (!(set >> t & 1) && least[set] + cost[t] < *with) *with = least[set] + cost[t];
            }
    }
    return least[all] < SB_SOKOBAN_PUSH_NEVER ? least[all] : -1;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->target, (size_t)v->n);
    sb_config_cells(c, "box_positions", v->placed, (size_t)v->n);
    sb_config_cells(c, "target_positions", v->target, (size_t)v->n);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_sokoban_push = {
    .info = {.name = "SokobanPush-v0",
             .category = "planning",
             .skills = SB_SKILLS("reasoning", "planning"),
             .summary = "Push every box onto a target; targets are pits that swallow the agent and lock the boxes."},
    .extents = {{7, 7, 70}, {10, 10, 180}, {13, 13, 350}, {15, 15, 600}},
    .vars_size = sizeof(vars),
    .enters_anything = true,
    .generate = generate,
    .can_enter = can_enter,
    .on_enter = on_enter,
    .dense = dense,
    .bound = bound,
    .config = config,
};
