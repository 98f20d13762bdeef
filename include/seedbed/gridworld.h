/* Coding API: spatial queries for bots and oracles (gridworlds). docs/coding-api.md tells the rules with examples.
 *
 *   sb_entity goal;
 *   sb_action path[SB_CELLS_MAX];
 *   if (sb_nearest(env, SB_GOAL, &goal) && sb_path_to(env, goal.at, path, SB_CELLS_MAX) > 0) choose(path[0]);
 *
 * A privileged view of the live episode: fog hides nothing. Queries change nothing, keep nothing between calls, and
 * hand out nothing that the caller has to free. Conventions, beside those of seedbed.h:
 *   - `env` may not be NULL. An environment without a grid (one of another family, or nothing was started yet) is a
 *     grid of (0,0) cells without an agent.
 *   - Any coordinate may be asked about, the whole range of sb_xy. Outside the grid there is nothing.
 *   - A query cannot fail, it can only have no answer. Then it returns false and leaves `*out` as it was, or 0 items,
 *     or the value that is said here.
 *   - Lists of cells and of entities are row-major: by y, then by x. SB_CELLS_MAX items hold every list of cells,
 *     entities or actions, SB_ITEMS_MAX every inventory.
 *   - Costs: O(1), or O(cells), which is one pass over the grid, 961 cells at most. Nothing allocates memory. Functions
 *     that search for paths use 16 KiB of stack, others less than 1 KiB.
 *   - Passable is a cell inside the grid whose terrain is neither SB_WALL nor SB_HOLE and whose object does not block.
 *     SB_LEVER and SB_SWITCH block always, SB_DOOR while its metadata is below 10, which means closed. So hazards are
 *     passable. */
#ifndef SEEDBED_GRIDWORLD_H
#define SEEDBED_GRIDWORLD_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Codes ------------------------------------------------------------------------------------------------------- */

/* No grid has a longer side or more cells, and nobody carries more items. */
enum { SB_SIDE_MAX = 31, SB_CELLS_MAX = SB_SIDE_MAX * SB_SIDE_MAX, SB_ITEMS_MAX = 12 };

enum { SB_NOOP, SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_INTERACT, SB_N_ACTIONS };

typedef enum sb_direction { SB_NORTH, SB_EAST, SB_SOUTH, SB_WEST, SB_NOWHERE } sb_direction;

typedef enum sb_terrain {
    SB_TERRAIN_OUTSIDE = -1, /* the answer for cells outside the grid; no cell is made of it */
    SB_EMPTY,
    SB_WALL,
    SB_HAZARD,
    SB_WATER,
    SB_ICE,
    SB_HOLE,
    SB_N_TERRAINS
} sb_terrain;

typedef enum sb_object {
    SB_OBJECT_OUTSIDE = -1, /* the answer for cells outside the grid; no cell holds it */
    SB_NONE,
    SB_GOAL,
    SB_KEY,
    SB_DOOR,
    SB_SWITCH,
    SB_BOX,
    SB_TARGET,
    SB_TOOL,
    SB_RESOURCE,
    SB_BREADCRUMB,
    SB_NPC,
    SB_ENEMY,
    SB_SHEEP,
    SB_BLOCKER,
    SB_GEM,
    SB_LEVER,
    SB_POTION,
    SB_SCROLL,
    SB_COIN,
    SB_ORB,
    SB_N_OBJECTS
} sb_object;

/* What an agent may carry. The codes are also those of the array `inventory`. */
typedef enum sb_item_kind {
    SB_ITEM_NONE,
    SB_ITEM_KEY,        /* its value is its colour, as the metadata of keys and closed doors is */
    SB_ITEM_INGREDIENT, /* its value is the sb_object that it was on the grid */
    SB_ITEM_ORB,        /* its value is 0 */
    SB_ITEM_OBJECT,     /* any object; its value is the sb_object that it was on the grid */
    SB_N_ITEM_KINDS
} sb_item_kind;

/* The word for a code, as observations spell it: `hazard`, `key`, `ingredient`, `north`. SB_ITEM_OBJECT is `item`,
 * outside is `out_of_bounds`, SB_NONE and SB_ITEM_NONE are `none`, SB_NOWHERE is `nowhere`. NULL for a number that is
 * no code of the enum, and for SB_N_...; no task uses such a number. The text is a constant. O(1). */
SB_API const char *sb_terrain_name(sb_terrain terrain);
SB_API const char *sb_object_name(sb_object object);
SB_API const char *sb_item_name(sb_item_kind kind);
SB_API const char *sb_direction_name(sb_direction direction);
/* The code for a word, which may be in any case (ASCII). False if no code of the enum has this name. O(1): the words
 * are compared one by one, and there are 21 at most. */
SB_API bool sb_terrain_code(const char *name, sb_terrain *out);
SB_API bool sb_object_code(const char *name, sb_object *out);
SB_API bool sb_item_code(const char *name, sb_item_kind *out);
SB_API bool sb_direction_code(const char *name, sb_direction *out);

/* ---- State ------------------------------------------------------------------------------------------------------- */

/* The agent's cell; (-1,-1) without a grid. O(1). */
SB_API sb_xy sb_agent_position(const sb_env *env);
/* Where the agent faces; SB_NOWHERE without a grid. O(1). */
SB_API sb_direction sb_agent_direction(const sb_env *env);
/* (width, height), each from 1 to SB_SIDE_MAX; (0,0) without a grid. O(1). */
SB_API sb_xy sb_grid_size(const sb_env *env);
/* The complete configuration of the task as one JSON object, what is hidden from agents included; `{}` without a grid.
 * docs/task-config.md has every key of every task. A text function: it returns the length, which is `capacity` or more
 * if the text was cut. O(cells): no text is longer than 4 KiB. */
SB_API size_t sb_task_config(const sb_env *env, char *out, size_t capacity);

/* ---- Objects on the grid, and what is carried -------------------------------------------------------------------- */

/* A cell that holds an object. */
typedef struct sb_entity {
    sb_object object; /* never SB_NONE */
    sb_xy at;
    int32_t distance; /* Manhattan distance from the agent, in cells */
    int32_t metadata; /* of the cell: a colour, a number, a state; what it means depends on object and task; -1: fog */
} sb_entity;

/* Something that the agent carries. */
typedef struct sb_item {
    uint16_t kind; /* an sb_item_kind */
    int16_t value; /* what it means depends on the kind */
    sb_xy at;      /* where it was picked up */
} sb_item;

/* Every cell that holds an object, the agent's own cell included. O(cells). */
SB_API size_t sb_entities(const sb_env *env, sb_entity *out, size_t capacity);
/* Those that hold this object; for SB_NONE there are none. O(cells). */
SB_API size_t sb_entities_of(const sb_env *env, sb_object object, sb_entity *out, size_t capacity);
/* The object in a cell; false if it holds none or lies outside. O(1). */
SB_API bool sb_entity_at(const sb_env *env, sb_xy at, sb_entity *out);
/* The one with the smallest Manhattan distance, the first in row-major order among equals; it may be behind a wall.
 * False if there is none. O(cells). */
SB_API bool sb_nearest(const sb_env *env, sb_object object, sb_entity *out);
/* The cells that hold this object; for SB_NONE there are none. O(cells). */
SB_API size_t sb_positions(const sb_env *env, sb_object object, sb_xy *out, size_t capacity);
/* How many cells hold this object; 0 for SB_NONE. O(cells). */
SB_API size_t sb_count(const sb_env *env, sb_object object);
/* What the agent carries, in the order of picking up. O(1): SB_ITEMS_MAX items at most. */
SB_API size_t sb_inventory(const sb_env *env, sb_item *out, size_t capacity);
/* Whether the agent carries an item of this kind. O(1). */
SB_API bool sb_has(const sb_env *env, sb_item_kind kind);

/* ---- Distances and cells ----------------------------------------------------------------------------------------- */

/* Manhattan distance from the agent in cells, 0 to 131070; -1 without a grid. O(1). */
SB_API int32_t sb_distance_to(const sb_env *env, sb_xy to);
/* The axis along which the cell is farther away from the agent, north or south if both are equal. SB_NOWHERE for the
 * agent's own cell and without a grid. O(1). */
SB_API sb_direction sb_direction_to(const sb_env *env, sb_xy to);
/* Whether the distance from the agent is 1. O(1). */
SB_API bool sb_is_adjacent(const sb_env *env, sb_xy to);
/* The passable cells beside a cell, 4 at most, in the order north, east, south, west. The cell itself may be anything.
 * O(1). */
SB_API size_t sb_neighbors(const sb_env *env, sb_xy of, sb_xy *out, size_t capacity);
/* What the cell is made of; SB_TERRAIN_OUTSIDE outside the grid. O(1). */
SB_API sb_terrain sb_terrain_at(const sb_env *env, sb_xy at);
/* What the cell holds, SB_NONE if nothing; SB_OBJECT_OUTSIDE outside the grid. O(1). */
SB_API sb_object sb_object_at(const sb_env *env, sb_xy at);
/* Whether the cell is passable; false outside the grid. O(1). */
SB_API bool sb_is_walkable(const sb_env *env, sb_xy at);
/* All passable cells. O(cells). */
SB_API size_t sb_walkable_cells(const sb_env *env, sb_xy *out, size_t capacity);
/* All cells of SB_WALL; holes are not among them. O(cells). */
SB_API size_t sb_walls(const sb_env *env, sb_xy *out, size_t capacity);

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* What a path search may and may not enter, beside the passable cells. Zeroed: nothing more, nothing less. The arrays
 * are the caller's and are read during the call only. Cells outside the grid have no effect. */
typedef struct sb_path_rules {
    const sb_xy *extra; /* cells that may be entered whatever they hold */
    size_t n_extra;
    const sb_xy *avoid; /* cells that may never be entered, even if they are extra; but the goal may be one */
    size_t n_avoid;
    const sb_terrain *terrain; /* if not NULL: what counts as walkable, instead of all but SB_WALL and SB_HOLE */
    size_t n_terrain;
} sb_path_rules;

/* The cells of a shortest path, both ends included; 0 if there is none, 1 from a cell to itself. The start must be a
 * cell that may be entered, the goal need not be: it is reached as soon as it is met, so that a path may end in a wall,
 * a closed door or a lever. Breadth-first, neighbours in the order north, east, south, west; never outside the grid.
 * `rules` may be NULL. O(cells), and one pass over each array of the rules. */
SB_API size_t sb_bfs_path(const sb_env *env, sb_xy start, sb_xy goal, const sb_path_rules *rules, sb_xy *out,
                          size_t capacity);
/* The moves between the n cells of a path, in order; a pair of cells that is no unit step gives none. `path` may be
 * NULL if n is 0. O(n). */
SB_API size_t sb_positions_to_actions(const sb_xy *path, size_t n, sb_action *out, size_t capacity);
/* The move that changes the agent's cell by (dx,dy); false if that is no unit step. O(1). */
SB_API bool sb_action_of_delta(int dx, int dy, sb_action *out);
/* Whether there is a path from the agent to the cell; always true for its own cell. O(cells). */
SB_API bool sb_is_reachable(const sb_env *env, sb_xy to);

/* ---- Plans for the agent: actions, which the caller may take with sb_step ---------------------------------------- */

/* The moves along the shortest path from the agent; 0 if it is there already or there is no path. O(cells). */
SB_API size_t sb_path_to(const sb_env *env, sb_xy to, sb_action *out, size_t capacity);
/* The first of these moves; without a path the move in the direction of the cell, which may hit a wall. False on the
 * agent's own cell and without a grid. O(cells). */
SB_API bool sb_move_toward(const sb_env *env, sb_xy to, sb_action *out);
/* The moves to the nearest entity with this object; 0 if there is none, or no path to just that one. O(cells). */
SB_API size_t sb_go_to_nearest(const sb_env *env, sb_object object, sb_action *out, size_t capacity);
/* The moves of sb_path_to, then SB_INTERACT; SB_INTERACT alone without a path. In front of a cell that cannot be
 * entered the last move turns the agent, so that the interaction hits the cell. 0 without a grid. O(cells). */
SB_API size_t sb_interact_with(const sb_env *env, sb_xy target, sb_action *out, size_t capacity);
/* One move that leads away from a cell, or to the side; false if no such move leads to a passable cell. O(1). */
SB_API bool sb_flee_from(const sb_env *env, sb_xy from, sb_action *out);

/* ---- What is told beside the grid --------------------------------------------------------------------------------
 *
 * The array `told` of agentick: SB_TOLD_ROWS rows of three numbers, (what, which, value). `what` is one of the codes
 * below, which are the same for all tasks; unused rows are 0, 0, 0 and come last. In one task the same rows stand in
 * the same order all episode long (but for clues, which are added at the end), and a number that a code says nothing
 * about is 0. The texts of all modes say these facts in words. */

enum { SB_TOLD_ROWS = 16 };

typedef enum sb_told_what {
    SB_TOLD_NOTHING,     /* the row is not used */
    SB_TOLD_STEPS,       /* value: steps taken. The first row in every task */
    SB_TOLD_STEP_LIMIT,  /* value: steps after which the episode is truncated. The second row in every task */
    SB_TOLD_TARGET,      /* value: sb_object that the agent has to come by */
    SB_TOLD_METER,       /* which: sb_object that fills it; value: how full it is, rounded to hundredths */
    SB_TOLD_METER_REST,  /* which: as above; value: what rounding left out, in units of 2^-59, so that the meter is
                            exactly hundredths / 100.0 + ldexp(rest, -59) */
    SB_TOLD_METER_NEED,  /* value: how full all meters have to be at the end, in hundredths */
    SB_TOLD_TRIAL,       /* which: number of the trial, from 1 (one more than there are after the last); value: how
                            many there are */
    SB_TOLD_PHASE,       /* which: number of the phase, from 1 (one more than there are after the last); value: how
                            many there are */
    SB_TOLD_PHASE_KIND,  /* value: sb_phase_kind of this phase */
    SB_TOLD_REMAPPED,    /* value: 1 if the controls are reversed in this phase, 0 if not */
    SB_TOLD_CLUE_NORTH,  /* a scroll that was read; which: the cell where it lay, as y * width + x; value: steps to the
                            north that it names, 1 to 9. Scrolls come in the order of reading */
    SB_TOLD_CLUE_EAST,   /* the same to the east, */
    SB_TOLD_CLUE_SOUTH,  /* to the south */
    SB_TOLD_CLUE_WEST,   /* and to the west */
    SB_TOLD_SWITCH_MEANS /* which: metadata of a SWITCH; value: 1 if it is lit then, 0 if not */
} sb_told_what;

/* What has to be done in a phase: walk to the goal, and before that ... */
typedef enum sb_phase_kind {
    SB_PHASE_UNKNOWN, /* never told */
    SB_PHASE_GOAL_REACH,
    SB_PHASE_KEY_DOOR,      /* ... fetch a key and unlock a door */
    SB_PHASE_LEVER_BARRIER, /* ... pull a lever, which removes a wall */
    SB_PHASE_COLLECTION,    /* ... collect all gems */
    SB_N_PHASE_KINDS
} sb_phase_kind;

#ifdef __cplusplus
}
#endif
#endif
