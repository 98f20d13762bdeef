/* RecursiveRooms: walk from the top left corner to the goal through rooms within rooms. Two walls with three doorways
 * divide a room into quarters. The quarters are divided in the same way, as deep as the difficulty says. */
#include "generators/agentick/navigation/recursive_rooms.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_recursive_rooms_vars vars;

static const int depths[SB_N_DIFFICULTIES] = {2, 3, 4, 4};

/* ---- The instance ---- */

typedef struct room {
    int left, top, right, bottom; /* all inclusive */
} room;

static void build_walls(sb_episode *e, room r, sb_xy cross) {
    for (int x = r.left; x <= r.right; x++) sb_cell_at(e, sb_at(x, cross.y))->terrain = SB_WALL;
    for (int y = r.top; y <= r.bottom; y++) sb_cell_at(e, sb_at(cross.x, y))->terrain = SB_WALL;
}

/* Draws a doorway in three of the four arms of the cross. */
static void draw_doorways(sb_episode *e, room r, sb_xy cross, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int64_t closed = sb_integers(rng, 0, 4);
    for (int arm = 0; arm < 4; arm++) {
        if (arm == closed) continue;
        sb_xy doorway = cross;
        switch (arm) {
        case 0: doorway.y = (int16_t)sb_integers(rng, r.top, cross.y); break;
        case 1: doorway.y = (int16_t)sb_integers(rng, cross.y + 1, r.bottom + 1); break;
        case 2: doorway.x = (int16_t)sb_integers(rng, r.left, cross.x); break;
        default: doorway.x = (int16_t)sb_integers(rng, cross.x + 1, r.right + 1); break;
        }
        sb_cell_at(e, doorway)->terrain = SB_EMPTY;
        v->n_doorways++;
    }
}

/* Divides a room and, recursively, its quarters. Returns the undivided room that the drawn quarters lead to. Every room
 * is at least two cells wide and high. */
static room divide(sb_episode *e, room r, int depth, sb_rng *rng) {
    const int width = r.right - r.left + 1, height = r.bottom - r.top + 1;
    if (depth == 0 || width < 5 || height < 5) return r;
    sb_xy cross;
    cross.x = (int16_t)(r.left + sb_integers(rng, 2, width - 2));
    cross.y = (int16_t)(r.top + sb_integers(rng, 2, height - 2));
    build_walls(e, r, cross);
    draw_doorways(e, r, cross, rng);

    const int64_t target = sb_integers(rng, 0, 4);
    room leaf = r;
    for (int quarter = 0; quarter < 4; quarter++) {
        room inner = r;
        if (quarter & 1)
            inner.left = cross.x + 1;
        else
            inner.right = cross.x - 1;
        if (quarter & 2)
            inner.top = cross.y + 1;
        else
            inner.bottom = cross.y - 1;
        inner = divide(e, inner, depth - 1, rng);
        if (quarter == target) leaf = inner;
    }
    return leaf;
}

/* Draws any cell of the room, counted column by column. The agent's cell, always the first of its room, is left out. */
static sb_xy draw_goal(const sb_episode *e, room r, sb_rng *rng) {
    const int width = r.right - r.left + 1, height = r.bottom - r.top + 1;
    const int taken = sb_same(e->agent.at, sb_at(r.left, r.top));
    const int k = taken + (int)sb_integer_below(rng, width * height - taken);
    return sb_at(r.left + k / height, r.top + k % height);
}

/* Draws one instance. Returns false if the goal is too near or cut off: an inner wall may end at an outer doorway and
 * block it. */
static bool draw_instance(sb_episode *e, uint64_t addend) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator_plus(e, addend);
    sb_clear_room(e);
    v->n_doorways = 0;
    const room whole = {1, 1, e->width - 2, e->height - 2};
    v->goal = draw_goal(e, divide(e, whole, depths[e->difficulty], &rng), &rng);
    return sb_manhattan(v->start, v->goal) >= e->width / 2 && sb_connected(e, v->start, v->goal);
}

/* Builds four plain rooms, for the few seeds that fail all attempts. */
static void make_plain(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int middle = e->width / 2, near = middle / 2, far = middle + middle / 2;
    const sb_xy doorways[] = {sb_at(near, middle), sb_at(far, middle), sb_at(middle, near), sb_at(middle, far)};
    sb_clear_room(e);
    build_walls(e, (room){1, 1, e->width - 2, e->height - 2}, sb_at(middle, middle));
    for (int i = 0; i < 4; i++) sb_cell_at(e, doorways[i])->terrain = SB_EMPTY;
    v->n_doorways = 4;
    v->goal = sb_at(e->width - 2, e->height - 2);
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 20, BETWEEN_SEEDS = 1000 };
    vars *v = SB_VARS(e);
    uint64_t attempt = 0;
    v->start = e->agent.at = sb_at(1, 1);
    while (attempt < ATTEMPTS && !draw_instance(e, attempt * BETWEEN_SEEDS)) attempt++;
    if (attempt == ATTEMPTS) make_plain(e);
    sb_set_object(e, v->goal, SB_GOAL, 0);
    return true;
}

/* ---- The rules ---- */

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(e->agent.at, v->goal);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_int(c, "depth", depths[e->difficulty]);
    sb_config_int(c, "n_doorways", v->n_doorways);
}

const sb_task sb_recursive_rooms = {
    .info = {.name = "RecursiveRooms-v0",
             .category = "navigation",
             .skills = SB_SKILLS("hierarchical", "planning", "composition"),
             .summary = "Walk from the top left corner through rooms nested in rooms to the goal."},
    .extents = {{13, 13, 150}, {19, 19, 250}, {25, 25, 350}, {31, 31, 500}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .dense = dense,
    .bound = bound,
    .config = config,
};
