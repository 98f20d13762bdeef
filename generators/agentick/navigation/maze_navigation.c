/* MazeNavigation: find the way through a maze. A door opens to the key of its colour. Some dead ends are deadly. */
#include "generators/agentick/navigation/maze_navigation.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/doors.h"
#include "engine/gridworld/search.h"

typedef sb_maze_navigation_vars vars;

static const int n_hazards[SB_N_DIFFICULTIES] = {0, 0, 4, 6}, n_doors[SB_N_DIFFICULTIES] = {0, 1, 1, 2};

/* ---- The maze ---- */

static void open_cell(sb_episode *e, sb_xy p) { sb_cell_at(e, p)->terrain = SB_EMPTY; }
static bool is_open(const sb_episode *e, sb_xy p) { return sb_peek(e, p)->terrain == SB_EMPTY; }

/* Counts the open cells among the four neighbours of an interior cell. */
static int count_open_beside(const sb_episode *e, sb_xy p) {
    const sb_cell *c = sb_peek(e, p), *north = c - e->width, *south = c + e->width;
    return (north->terrain == SB_EMPTY) + (south->terrain == SB_EMPTY) + (c[-1].terrain == SB_EMPTY) +
           (c[1].terrain == SB_EMPTY);
}

static bool is_dead_end(const sb_episode *e, sb_xy p) { return is_open(e, p) && count_open_beside(e, p) == 1; }
static bool makes_a_loop(const sb_episode *e, sb_xy p) { return !is_open(e, p) && count_open_beside(e, p) >= 2; }

/* Draws one of the interior walls at this distance north, south, west or east. Returns false if there is none. */
static bool draw_wall(sb_xy *wall, const sb_episode *e, sb_xy from, int distance, sb_rng *rng) {
    sb_xy walls[4];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const sb_xy delta = sb_delta[sb_nswe[k]], p = sb_at(from.x + distance * delta.x, from.y + distance * delta.y);
        if (sb_interior(e, p) && sb_peek(e, p)->terrain == SB_WALL) walls[n++] = p;
    }
    if (n > 0) *wall = walls[sb_integer_below(rng, n)];
    return n > 0;
}

/* Carves a maze by depth-first search over every other cell. The wall between two such cells is opened when the search
 * first enters the second. */
static void carve_by_backtracking(sb_episode *e, sb_rng *rng) {
    sb_cells way; /* cells from the first to the current one */
    sb_xy next;
    const int x = (int)sb_integers(rng, 1, e->width - 1), y = (int)sb_integers(rng, 1, e->height - 1);
    way.at[0] = sb_at(x, y), way.n = 1;
    open_cell(e, way.at[0]);
    while (way.n > 0) {
        const sb_xy here = way.at[way.n - 1];
        if (draw_wall(&next, e, here, 2, rng)) {
            open_cell(e, sb_at((here.x + next.x) / 2, (here.y + next.y) / 2));
            open_cell(e, next);
            sb_cells_add(&way, next);
        } else {
            way.n--;
        }
    }
}

/* Carves a binary tree maze: every other cell opens to the north or to the east. */
static void carve_tree_of_two(sb_episode *e, sb_rng *rng) {
    for (int y = 1; y < e->height - 1; y += 2)
        for (int x = 1; x < e->width - 1; x += 2) {
            sb_xy ways[2];
            int n = 0;
            if (y > 1) ways[n++] = sb_at(x, y - 1);
            if (x < e->width - 3) ways[n++] = sb_at(x + 1, y);
            open_cell(e, sb_at(x, y));
            if (n > 0) open_cell(e, ways[sb_integer_below(rng, n)]);
        }
}

/* Draws this share of the interior cells that pass the test. */
static void draw_share(sb_cells *drawn, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p), double share,
                       sb_rng *rng) {
    sb_cells all;
    int64_t index[SB_CELLS_MAX];
    sb_cells_rows(&all, e, 1);
    sb_cells_keep(&all, e, passes);
    drawn->n = (int)(all.n * share);
    if (drawn->n > 0) sb_choices_distinct(rng, all.n, (size_t)drawn->n, index);
    for (int i = 0; i < drawn->n; i++) drawn->at[i] = all.at[index[i]];
}

static void make_maze(sb_episode *e, sb_rng *rng) {
    sb_cells drawn;
    sb_xy wall;
    sb_fill(e, SB_WALL);
    if (e->difficulty == SB_EASY) {
        carve_tree_of_two(e, rng);
        draw_share(&drawn, e, makes_a_loop, 0.3, rng);
        for (int i = 0; i < drawn.n; i++) open_cell(e, drawn.at[i]);
    } else {
        carve_by_backtracking(e, rng);
    }
    draw_share(&drawn, e, is_dead_end, 1 - 0.7, rng); /* as published: a little more than 0.3 in doubles */
    for (int i = 0; i < drawn.n; i++)
        if (draw_wall(&wall, e, drawn.at[i], 1, rng)) open_cell(e, wall);
}

/* ---- Start, goal, hazards, doors and keys ---- */

/* Starts the agent on the first EMPTY cell of the left half and puts the goal on the last of the right half, row by
 * row. Every maze has cells in both. */
static void place_start_and_goal(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_cells cells;
    sb_cells_interior_empty(&cells, e);
    int first = 0, last = cells.n - 1;
    while (cells.at[first].x >= e->width / 2) first++;
    while (cells.at[last].x <= e->width / 2) last--;
    v->start = e->agent.at = cells.at[first];
    v->goal = cells.at[last];
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

static void draw_hazards(sb_episode *e, const sb_cells *path, int count, sb_rng *rng) {
    if (count == 0) return;
    sb_cells ends;
    sb_cells_rows(&ends, e, 1);
    sb_cells_keep(&ends, e, is_dead_end);
    for (int i = 0; i < path->n; i++) sb_cells_remove(&ends, path->at[i]);
    sb_cells_shuffle(&ends, rng);
    for (int i = 0; i < ends.n && i < count; i++) sb_cell_at(e, ends.at[i])->terrain = SB_HAZARD;
}

static bool is_beside(const sb_area *area, sb_xy p) {
    return sb_area_has(area, sb_at(p.x, p.y - 1)) || sb_area_has(area, sb_at(p.x, p.y + 1)) ||
           sb_area_has(area, sb_at(p.x - 1, p.y)) || sb_area_has(area, sb_at(p.x + 1, p.y));
}

/* Finds the cells of the path that every way to the goal must pass: no branch that leaves the path before such a cell
 * rejoins the path beyond it. */
static void find_chokes(bool *is_choke, const sb_cells *path, const sb_episode *e) {
    sb_area off_path, branch;
    int farthest = 0; /* index on the path where branches so far rejoin it */
    sb_area_walkable(&off_path, e);
    for (int i = 0; i < path->n; i++) sb_area_set(&off_path, path->at[i], false);
    for (int i = 0; i < path->n; i++) {
        is_choke[i] = farthest <= i;
        if (!is_beside(&off_path, path->at[i])) continue;
        sb_area_flood(&branch, &off_path, e->height, path->at[i]);
        for (int k = i + 1; k < path->n; k++)
            if (k > farthest && is_beside(&branch, path->at[k])) farthest = k;
    }
}

/* Draws a door from the middle half of the candidates. The first door stands at a choke point and cuts off the goal, so
 * the second may stand anywhere on the path. */
static bool draw_door(sb_episode *e, const sb_cells *path, const bool *is_choke, int colour, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells candidates;
    candidates.n = 0;
    for (int i = 2; i < path->n - 2; i++)
        if (sb_vacant(e, path->at[i]) && (v->n_doors > 0 || is_choke[i])) sb_cells_add(&candidates, path->at[i]);
    if (candidates.n == 0) return false;
    const sb_xy at = candidates.at[sb_integers(rng, candidates.n / 4, 3 * candidates.n / 4 + 1)];
    sb_set_object(e, at, SB_DOOR, colour);
    v->door[v->n_doors++] = at;
    return true;
}

/* Draws a site for a key among the cells that the agent reaches with every door closed, in a dead end if possible.
 * Places no key if no site is left. */
static void draw_key(sb_episode *e, int colour, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_area open, reached;
    sb_cells sites, ends;
    sb_area_walkable(&open, e);
    for (int i = 0; i < v->n_doors; i++) sb_area_set(&open, v->door[i], false);
    sb_area_flood(&reached, &open, e->height, v->start);
    sb_cells_rows(&sites, e, 1);
    sb_cells_within(&sites, &sites, &reached);
    sb_cells_keep(&sites, e, sb_unoccupied);
    ends = sites;
    sb_cells_keep(&ends, e, is_dead_end);
    if (sites.n == 0) return;
    if (ends.n == 0) sb_cells_shuffle(&sites, rng);
    v->key[v->n_keys] = ends.n > 0 ? ends.at[sb_integer_below(rng, ends.n)] : sites.at[0];
    sb_set_object(e, v->key[v->n_keys++], SB_KEY, colour);
}

static bool generate(sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_open open;
    sb_reach reach;
    sb_cells path;
    bool is_choke[SB_CELLS_MAX] = {false};
    make_maze(e, &rng);
    place_start_and_goal(e);
    sb_open_walkable(&open, e);
    sb_reach_goal(&reach, e, &open, v->start, v->goal, sb_nswe);
    path.n = sb_chain(&reach, e, v->goal, path.at);
    draw_hazards(e, &path, n_hazards[e->difficulty], &rng);
    find_chokes(is_choke, &path, e);
    for (int colour = 0; colour < n_doors[e->difficulty]; colour++)
        if (draw_door(e, &path, is_choke, colour, &rng)) draw_key(e, colour, &rng);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    if (sb_terrain_here(e) == SB_HAZARD) sb_lose(e);
    sb_pick_up_key(e);
}

static void on_interact(sb_episode *e, sb_xy target) { sb_unlock(e, target); }

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e)) return -0.5;
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_cells(c, "door_positions", v->door, (size_t)v->n_doors);
    sb_config_cells(c, "key_positions", v->key, (size_t)v->n_keys);
    if (c->hidden) sb_config_bool(c, "_hazard_hit", sb_has_lost(e));
}

const sb_task sb_maze_navigation = {
    .info = {.name = "MazeNavigation-v0",
             .category = "navigation",
             .skills = SB_SKILLS("planning", "spatial_reasoning", "navigation"),
             .summary = "Find the way through a maze: locked doors need the key of their colour, hazards kill."},
    .extents = {{7, 7, 60}, {11, 11, 120}, {15, 15, 250}, {21, 21, 500}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = sb_enter_unless_door,
    .on_enter = on_enter,
    .on_interact = on_interact,
    .dense = dense,
    .config = config,
};
