/* The coding API: spatial queries about a gridworld for bots (docs/bots.md, "The coding API"). Every query reads the
 * live episode, changes nothing and allocates nothing. */
#include <stdlib.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/search.h"
#include "seedbed/gridworld.h"

/* A world without a grid is treated as an empty grid without an agent, so only queries about the agent's own cell have
 * to check for it. */
static const sb_task no_task;
static const sb_episode no_grid = {.task = &no_task, .agent = {.at = {-1, -1}, .facing = SB_NOWHERE}};

static const sb_episode *episode_of(const sb_env *env) {
    const sb_episode *e = sb_episode_of(env);
    return e ? e : &no_grid;
}

static bool has_agent(const sb_episode *e) { return sb_inside(e, e->agent.at); }

/* ---- State ---- */

sb_xy sb_agent_position(const sb_env *env) { return episode_of(env)->agent.at; }

sb_direction sb_agent_direction(const sb_env *env) { return (sb_direction)episode_of(env)->agent.facing; }

sb_xy sb_grid_size(const sb_env *env) {
    const sb_episode *e = episode_of(env);
    return sb_at(e->width, e->height);
}

size_t sb_task_config(const sb_env *env, char *out, size_t capacity) {
    sb_out text = sb_out_fixed(out, capacity);
    sb_put_config(&text, episode_of(env), true);
    return sb_out_finish(&text);
}

/* ---- Cells that fit a description ---- */

typedef struct filter {
    bool (*accepts)(const sb_cell *cell, sb_object object);
    sb_object object; /* the object that holds_this looks for */
} filter;

static bool holds_something(const sb_cell *cell, sb_object object) {
    (void)object;
    return cell->object != SB_NONE;
}

static bool holds_this(const sb_cell *cell, sb_object object) {
    return cell->object == (int)object && object != SB_NONE;
}

static bool is_wall(const sb_cell *cell, sb_object object) {
    (void)object;
    return cell->terrain == SB_WALL;
}

static bool is_passable(const sb_cell *cell, sb_object object) {
    (void)object;
    return sb_cell_passable(cell);
}

static const filter any_object = {holds_something, SB_NONE}, walls = {is_wall, SB_NONE},
                    passable = {is_passable, SB_NONE};

static filter that_holds(sb_object object) { return (filter){holds_this, object}; }

/* Returns the index of the first matching cell from `index` on, or -1. Going on from one to the next gives row-major
 * order. */
static int next_cell(const sb_episode *e, filter wanted, int index) {
    for (; index < sb_n_cells(e); index++)
        if (wanted.accepts(&e->cells[index], wanted.object)) return index;
    return -1;
}

static size_t list_positions(const sb_episode *e, filter wanted, sb_xy *out, size_t capacity) {
    size_t n = 0;
    for (int i = next_cell(e, wanted, 0); i >= 0; i = next_cell(e, wanted, i + 1), n++)
        if (n < capacity) out[n] = sb_xy_of(e, i);
    return n;
}

size_t sb_positions(const sb_env *env, sb_object object, sb_xy *out, size_t capacity) {
    return list_positions(episode_of(env), that_holds(object), out, capacity);
}

size_t sb_count(const sb_env *env, sb_object object) { return sb_positions(env, object, NULL, 0); }

size_t sb_walkable_cells(const sb_env *env, sb_xy *out, size_t capacity) {
    return list_positions(episode_of(env), passable, out, capacity);
}

size_t sb_walls(const sb_env *env, sb_xy *out, size_t capacity) {
    return list_positions(episode_of(env), walls, out, capacity);
}

/* ---- Entities ---- */

static int distance_of_cell(const sb_episode *e, int index) { return sb_manhattan(sb_xy_of(e, index), e->agent.at); }

static sb_entity entity_of_cell(const sb_episode *e, int index) {
    const sb_cell *cell = &e->cells[index];
    return (sb_entity){.object = (sb_object)cell->object,
                       .at = sb_xy_of(e, index),
                       .distance = distance_of_cell(e, index),
                       .metadata = cell->metadata};
}

static size_t list_entities(const sb_episode *e, filter wanted, sb_entity *out, size_t capacity) {
    size_t n = 0;
    for (int i = next_cell(e, wanted, 0); i >= 0; i = next_cell(e, wanted, i + 1), n++)
        if (n < capacity) out[n] = entity_of_cell(e, i);
    return n;
}

size_t sb_entities(const sb_env *env, sb_entity *out, size_t capacity) {
    return list_entities(episode_of(env), any_object, out, capacity);
}

size_t sb_entities_of(const sb_env *env, sb_object object, sb_entity *out, size_t capacity) {
    return list_entities(episode_of(env), that_holds(object), out, capacity);
}

bool sb_entity_at(const sb_env *env, sb_xy at, sb_entity *out) {
    const sb_episode *e = episode_of(env);
    if (!sb_inside(e, at) || sb_peek(e, at)->object == SB_NONE) return false;
    *out = entity_of_cell(e, sb_index(e, at));
    return true;
}

bool sb_nearest(const sb_env *env, sb_object object, sb_entity *out) {
    const sb_episode *e = episode_of(env);
    const filter wanted = that_holds(object);
    int best = next_cell(e, wanted, 0);
    if (best < 0) return false;
    for (int i = best; i >= 0; i = next_cell(e, wanted, i + 1))
        if (distance_of_cell(e, i) < distance_of_cell(e, best)) best = i;
    *out = entity_of_cell(e, best);
    return true;
}

size_t sb_inventory(const sb_env *env, sb_item *out, size_t capacity) {
    const sb_episode *e = episode_of(env);
    for (size_t i = 0; i < e->agent.n_items && i < capacity; i++) out[i] = e->items[i];
    return e->agent.n_items;
}

bool sb_has(const sb_env *env, sb_item_kind kind) {
    const sb_episode *e = episode_of(env);
    for (int i = 0; i < e->agent.n_items; i++)
        if (e->items[i].kind == (unsigned)kind) return true;
    return false;
}

/* ---- Distances and single cells ---- */

int32_t sb_distance_to(const sb_env *env, sb_xy to) {
    const sb_episode *e = episode_of(env);
    return has_agent(e) ? sb_manhattan(e->agent.at, to) : -1;
}

sb_direction sb_direction_to(const sb_env *env, sb_xy to) {
    const sb_episode *e = episode_of(env);
    if (!has_agent(e) || sb_same(e->agent.at, to)) return SB_NOWHERE;
    const int dx = to.x - e->agent.at.x, dy = to.y - e->agent.at.y;
    if (abs(dy) >= abs(dx)) return dy < 0 ? SB_NORTH : SB_SOUTH;
    return dx > 0 ? SB_EAST : SB_WEST;
}

bool sb_is_adjacent(const sb_env *env, sb_xy to) { return sb_distance_to(env, to) == 1; }

size_t sb_neighbors(const sb_env *env, sb_xy of, sb_xy *out, size_t capacity) {
    const sb_episode *e = episode_of(env);
    size_t n = 0;
    for (int k = 0; k < 4; k++) {
        const sb_xy beside = sb_beside(of, sb_nesw[k]);
        if (!sb_passable(e, beside)) continue;
        if (n < capacity) out[n] = beside;
        n++;
    }
    return n;
}

sb_terrain sb_terrain_at(const sb_env *env, sb_xy at) {
    const sb_episode *e = episode_of(env);
    return sb_inside(e, at) ? (sb_terrain)sb_peek(e, at)->terrain : SB_TERRAIN_OUTSIDE;
}

sb_object sb_object_at(const sb_env *env, sb_xy at) {
    const sb_episode *e = episode_of(env);
    return sb_inside(e, at) ? (sb_object)sb_peek(e, at)->object : SB_OBJECT_OUTSIDE;
}

int32_t sb_metadata_at(const sb_env *env, sb_xy at) {
    const sb_episode *e = episode_of(env);
    return sb_inside(e, at) ? sb_peek(e, at)->metadata : 0;
}

bool sb_is_walkable(const sb_env *env, sb_xy at) { return sb_passable(episode_of(env), at); }

/* ---- Paths ---- */

static const sb_path_rules no_rules;

static bool is_among(const sb_terrain *codes, size_t n, int code) {
    for (size_t i = 0; i < n; i++)
        if ((int)codes[i] == code) return true;
    return false;
}

static void set_cells(sb_open *open, const sb_episode *e, const sb_xy *cells, size_t n, bool value) {
    for (size_t i = 0; i < n; i++)
        if (sb_inside(e, cells[i])) open->cell[sb_index(e, cells[i])] = value;
}

/* A cell to avoid is closed even if it is also an extra cell. */
static void open_by_rules(sb_open *open, const sb_episode *e, const sb_path_rules *rules) {
    sb_open_passable(open, e);
    for (int i = 0; rules->terrain && i < sb_n_cells(e); i++)
        open->cell[i] = is_among(rules->terrain, rules->n_terrain, e->cells[i].terrain) &&
                        !sb_cell_blocks(&e->cells[i]);
    set_cells(open, e, rules->extra, rules->n_extra, true);
    set_cells(open, e, rules->avoid, rules->n_avoid, false);
}

/* Returns the number of cells of the path, 0 if there is none. The start must be open, but the goal need not be: this
 * published rule lets a path lead to a closed door. */
static size_t find_path(const sb_episode *e, sb_xy start, sb_xy goal, const sb_path_rules *rules,
                        sb_xy path[SB_CELLS_MAX]) {
    sb_open open;
    sb_reach reach;
    if (!sb_inside(e, start) || !sb_inside(e, goal)) return 0;
    open_by_rules(&open, e, rules);
    if (!open.cell[sb_index(e, start)]) return 0;
    open.cell[sb_index(e, goal)] = true;
    return sb_reach_goal(&reach, e, &open, start, goal, sb_nesw) ? (size_t)sb_chain(&reach, e, goal, path) : 0;
}

size_t sb_bfs_path(const sb_env *env, sb_xy start, sb_xy goal, const sb_path_rules *rules, sb_xy *out,
                   size_t capacity) {
    sb_xy path[SB_CELLS_MAX];
    const size_t n = find_path(episode_of(env), start, goal, rules ? rules : &no_rules, path);
    for (size_t i = 0; i < n && i < capacity; i++) out[i] = path[i];
    return n;
}

bool sb_is_reachable(const sb_env *env, sb_xy to) {
    const sb_episode *e = episode_of(env);
    sb_xy path[SB_CELLS_MAX];
    if (sb_same(e->agent.at, to)) return has_agent(e); /* even where no path may start, such as in an unlocked switch */
    return find_path(e, e->agent.at, to, &no_rules, path) > 0;
}

bool sb_action_of_delta(int dx, int dy, sb_action *out) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (sb_delta[d].x == dx && sb_delta[d].y == dy) return *out = sb_move_of(d), true;
    return false;
}

size_t sb_positions_to_actions(const sb_xy *path, size_t n, sb_action *out, size_t capacity) {
    size_t moves = 0;
    for (size_t i = 1; i < n; i++) {
        sb_action move;
        if (!sb_action_of_delta(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y, &move)) continue;
        if (moves < capacity) out[moves] = move;
        moves++;
    }
    return moves;
}

/* ---- Plans for the agent ---- */

size_t sb_path_to(const sb_env *env, sb_xy to, sb_action *out, size_t capacity) {
    const sb_episode *e = episode_of(env);
    sb_xy path[SB_CELLS_MAX];
    const size_t n = find_path(e, e->agent.at, to, &no_rules, path);
    return sb_positions_to_actions(path, n, out, capacity);
}

bool sb_move_toward(const sb_env *env, sb_xy to, sb_action *out) {
    if (sb_path_to(env, to, out, 1) > 0) return true;
    const sb_direction ahead = sb_direction_to(env, to);
    if (ahead != SB_NOWHERE) *out = sb_move_of(ahead);
    return ahead != SB_NOWHERE;
}

size_t sb_go_to_nearest(const sb_env *env, sb_object object, sb_action *out, size_t capacity) {
    sb_entity nearest;
    return sb_nearest(env, object, &nearest) ? sb_path_to(env, nearest.at, out, capacity) : 0;
}

size_t sb_interact_with(const sb_env *env, sb_xy target, sb_action *out, size_t capacity) {
    if (!has_agent(episode_of(env))) return 0;
    const size_t n = sb_path_to(env, target, out, capacity);
    if (n < capacity) out[n] = SB_INTERACT;
    return n + 1;
}

bool sb_flee_from(const sb_env *env, sb_xy from, sb_action *out) {
    const sb_episode *e = episode_of(env);
    const int dx = e->agent.at.x - from.x, dy = e->agent.at.y - from.y;
    const sb_direction sideways[] = {dx > 0 ? SB_EAST : SB_WEST, SB_NORTH, SB_SOUTH};
    const sb_direction lengthways[] = {dy > 0 ? SB_SOUTH : SB_NORTH, SB_WEST, SB_EAST};
    const sb_direction *candidates = abs(dx) >= abs(dy) ? sideways : lengthways;
    for (int k = 0; k < 3; k++)
        if (sb_passable(e, sb_beside(e->agent.at, candidates[k]))) return *out = sb_move_of(candidates[k]), true;
    return false;
}
