/* Coding API: spatial queries for bots and oracles in gridworlds. docs/bots.md, "The coding API", explains them.
 *
 *     sb_entity goal;
 *     sb_action path[SB_CELLS_MAX];
 *     if (sb_nearest(env, SB_GOAL, &goal) && sb_path_to(env, goal.at, path, SB_CELLS_MAX) > 0) choose(path[0]);
 *
 * The queries see the whole state of the live episode: fog hides nothing from them. They change nothing, keep nothing
 * between calls, and return nothing that the caller has to free. Conventions, in addition to those of seedbed.h:
 *   - `env` must not be NULL. An environment without a grid (another family, or no episode yet) counts as a grid of
 *     (0,0) cells without an agent.
 *   - Any coordinate in the range of sb_xy may be asked about. Outside the grid there is nothing.
 *   - A query cannot fail. If it has no answer, it returns false and leaves `*out` as it was, or it returns 0 items or
 *     the value stated here.
 *   - Lists of cells and of entities are row-major: by y, then by x. SB_CELLS_MAX items hold every list of cells,
 *     entities or actions, SB_ITEMS_MAX every inventory.
 *   - Costs: O(1), or O(cells), which is one pass over the grid, at most 961 cells. Nothing allocates memory. Path
 *     searches use 16 KiB of stack, other functions less than 1 KiB.
 *   - A cell is passable if it is inside the grid, its terrain is neither SB_WALL nor SB_HOLE, and its object does not
 *     block. SB_LEVER and SB_SWITCH always block; SB_DOOR blocks while its metadata is below 10, which means closed.
 *     Hazards are therefore passable. */
#ifndef SEEDBED_GRIDWORLD_H
#define SEEDBED_GRIDWORLD_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Codes ------------------------------------------------------------------------------------------------------- */

/* The longest side of a grid, the most cells, and the most items that an agent carries. */
enum { SB_SIDE_MAX = 31, SB_CELLS_MAX = SB_SIDE_MAX * SB_SIDE_MAX, SB_ITEMS_MAX = 12 };

enum { SB_NOOP, SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_INTERACT, SB_N_ACTIONS };

typedef enum sb_direction { SB_NORTH, SB_EAST, SB_SOUTH, SB_WEST, SB_NOWHERE } sb_direction;

typedef enum sb_terrain {
    SB_TERRAIN_OUTSIDE = -1, /* returned for cells outside the grid; no cell has it */
    SB_EMPTY,
    SB_WALL,
    SB_HAZARD,
    SB_WATER,
    SB_ICE,
    SB_HOLE,
    SB_N_TERRAINS
} sb_terrain;

typedef enum sb_object {
    SB_OBJECT_OUTSIDE = -1, /* returned for cells outside the grid; no cell holds it */
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

/* What an agent may carry. The array `inventory` uses the same codes. */
typedef enum sb_item_kind {
    SB_ITEM_NONE,
    SB_ITEM_KEY,        /* its value is its colour, like the metadata of keys and closed doors */
    SB_ITEM_INGREDIENT, /* its value is the sb_object that it was on the grid */
    SB_ITEM_ORB,        /* its value is 0 */
    SB_ITEM_OBJECT,     /* any object; its value is the sb_object that it was on the grid */
    SB_N_ITEM_KINDS
} sb_item_kind;

/* Return the word for a code, as observations spell it: `hazard`, `key`, `ingredient`, `north`. SB_ITEM_OBJECT is
 * `item`, outside is `out_of_bounds`, SB_NONE and SB_ITEM_NONE are `none`, SB_NOWHERE is `nowhere`. NULL for a number
 * that is not a code of the enum, and for SB_N_...; no task uses such a number. The text is a constant. O(1). */
SB_API const char *sb_terrain_name(sb_terrain terrain);
SB_API const char *sb_object_name(sb_object object);
SB_API const char *sb_item_name(sb_item_kind kind);
SB_API const char *sb_direction_name(sb_direction direction);
/* Returns what an item's value is, as observations spell it: `color`. NULL if its value means nothing, and for a number
 * that is no kind. The text is a constant. O(1). */
SB_API const char *sb_item_property(sb_item_kind kind);
/* Find the code for a word in any case (ASCII). False if no code has this name. O(1): at most 21 words are compared. */
SB_API bool sb_terrain_code(const char *name, sb_terrain *out);
SB_API bool sb_object_code(const char *name, sb_object *out);
SB_API bool sb_item_code(const char *name, sb_item_kind *out);
SB_API bool sb_direction_code(const char *name, sb_direction *out);

/* ---- State ------------------------------------------------------------------------------------------------------- */

/* Returns the agent's cell; (-1,-1) without a grid. O(1). */
SB_API sb_xy sb_agent_position(const sb_env *env);
/* Returns the direction the agent faces; SB_NOWHERE without a grid. O(1). */
SB_API sb_direction sb_agent_direction(const sb_env *env);
/* Returns (width, height), each from 1 to SB_SIDE_MAX; (0,0) without a grid. O(1). */
SB_API sb_xy sb_grid_size(const sb_env *env);
/* Writes the complete configuration of the task as one JSON object, including what agents cannot see; `{}` without a
 * grid. docs/task-config.md lists every key of every task. Returns the length, which is `capacity` or more if the text
 * was cut. O(cells); the text is at most 4 KiB long. */
SB_API size_t sb_task_config(const sb_env *env, char *out, size_t capacity);

/* ---- Objects on the grid, and the inventory ---------------------------------------------------------------------- */

/* A cell that holds an object. */
typedef struct sb_entity {
    sb_object object; /* never SB_NONE */
    sb_xy at;
    int32_t distance; /* Manhattan distance from the agent, in cells */
    int32_t metadata; /* metadata of the cell: a colour, a number or a state, depending on object and task; -1: fog */
} sb_entity;

/* An item that the agent carries. */
typedef struct sb_item {
    uint16_t kind; /* an sb_item_kind */
    int16_t value; /* its meaning depends on the kind */
    sb_xy at;      /* where the item was picked up */
} sb_item;

/* Lists every cell that holds an object, including the agent's own cell. O(cells). */
SB_API size_t sb_entities(const sb_env *env, sb_entity *out, size_t capacity);
/* Lists the cells that hold this object; none for SB_NONE. O(cells). */
SB_API size_t sb_entities_of(const sb_env *env, sb_object object, sb_entity *out, size_t capacity);
/* Gives the object in a cell; false if it holds none or lies outside. O(1). */
SB_API bool sb_entity_at(const sb_env *env, sb_xy at, sb_entity *out);
/* Gives the entity with the smallest Manhattan distance, the first in row-major order if several are equally near; it
 * may be behind a wall. False if the grid has no such object. O(cells). */
SB_API bool sb_nearest(const sb_env *env, sb_object object, sb_entity *out);
/* Lists the positions of this object; none for SB_NONE. O(cells). */
SB_API size_t sb_positions(const sb_env *env, sb_object object, sb_xy *out, size_t capacity);
/* Counts the cells that hold this object; 0 for SB_NONE. O(cells). */
SB_API size_t sb_count(const sb_env *env, sb_object object);
/* Lists what the agent carries, in the order in which it was picked up. O(1): at most SB_ITEMS_MAX items. */
SB_API size_t sb_inventory(const sb_env *env, sb_item *out, size_t capacity);
/* Tells whether the agent carries an item of this kind. O(1). */
SB_API bool sb_has(const sb_env *env, sb_item_kind kind);

/* ---- Distances and cells ----------------------------------------------------------------------------------------- */

/* Returns the Manhattan distance from the agent in cells, 0 to 131070; -1 without a grid. O(1). */
SB_API int32_t sb_distance_to(const sb_env *env, sb_xy to);
/* Returns the direction along the axis on which the cell is farther from the agent; north or south if both are equal.
 * SB_NOWHERE for the agent's own cell and without a grid. O(1). */
SB_API sb_direction sb_direction_to(const sb_env *env, sb_xy to);
/* Tells whether the distance from the agent is 1. O(1). */
SB_API bool sb_is_adjacent(const sb_env *env, sb_xy to);
/* Lists the passable cells beside a cell, at most 4, in the order north, east, south, west. The cell itself may hold
 * anything. O(1). */
SB_API size_t sb_neighbors(const sb_env *env, sb_xy of, sb_xy *out, size_t capacity);
/* Returns the terrain of a cell; SB_TERRAIN_OUTSIDE outside the grid. O(1). */
SB_API sb_terrain sb_terrain_at(const sb_env *env, sb_xy at);
/* Returns the object in a cell, SB_NONE if it is empty; SB_OBJECT_OUTSIDE outside the grid. O(1). */
SB_API sb_object sb_object_at(const sb_env *env, sb_xy at);
/* Returns the metadata of a cell: a colour, a number or a state, depending on its object and task; -1 marks fog. 0
 * outside the grid. O(1). */
SB_API int32_t sb_metadata_at(const sb_env *env, sb_xy at);
/* Tells whether the cell is passable; false outside the grid. O(1). */
SB_API bool sb_is_walkable(const sb_env *env, sb_xy at);
/* Lists all passable cells. O(cells). */
SB_API size_t sb_walkable_cells(const sb_env *env, sb_xy *out, size_t capacity);
/* Lists all cells with terrain SB_WALL, but not holes. O(cells). */
SB_API size_t sb_walls(const sb_env *env, sb_xy *out, size_t capacity);

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* Which cells a path may enter, besides the passable ones. Zeroed: passable cells only. The arrays belong to the caller
 * and are read only during the call. Cells outside the grid have no effect. */
typedef struct sb_path_rules {
    const sb_xy *extra; /* cells that may be entered whatever they hold */
    size_t n_extra;
    const sb_xy *avoid; /* cells that must not be entered, even if they are in `extra`; the goal may be one of them */
    size_t n_avoid;
    const sb_terrain *terrain; /* if not NULL: the walkable terrains, instead of all but SB_WALL and SB_HOLE */
    size_t n_terrain;
} sb_path_rules;

/* Gives the cells of a shortest path, both ends included; 0 if there is no path, 1 from a cell to itself. The start
 * must be a cell that may be entered. The goal need not be: the path is complete as soon as it touches the goal, so it
 * may end in a wall, a closed door or a lever. The search is breadth-first, with neighbours in the order north, east,
 * south, west, and never leaves the grid. `rules` may be NULL. O(cells), and one pass over each array of the rules. */
SB_API size_t sb_bfs_path(const sb_env *env, sb_xy start, sb_xy goal, const sb_path_rules *rules, sb_xy *out,
                          size_t capacity);
/* Gives the moves between the n cells of a path, in order; a pair of cells that are not neighbours gives no move.
 * `path` may be NULL if n is 0. O(n). */
SB_API size_t sb_positions_to_actions(const sb_xy *path, size_t n, sb_action *out, size_t capacity);
/* Gives the move that changes the agent's cell by (dx,dy); false if that is not a unit step. O(1). */
SB_API bool sb_action_of_delta(int dx, int dy, sb_action *out);
/* Tells whether there is a path from the agent to the cell; always true for its own cell. O(cells). */
SB_API bool sb_is_reachable(const sb_env *env, sb_xy to);

/* ---- Plans for the agent: actions that the caller may take with sb_step ------------------------------------------ */

/* Gives the moves along a shortest path from the agent; 0 if it is already there or there is no path. O(cells). */
SB_API size_t sb_path_to(const sb_env *env, sb_xy to, sb_action *out, size_t capacity);
/* Gives the first move of sb_path_to; without a path, the move in the direction of the cell, which may hit a wall.
 * False on the agent's own cell and without a grid. O(cells). */
SB_API bool sb_move_toward(const sb_env *env, sb_xy to, sb_action *out);
/* Gives the moves to the nearest entity with this object; 0 if there is none, or if no path leads to the nearest.
 * O(cells). */
SB_API size_t sb_go_to_nearest(const sb_env *env, sb_object object, sb_action *out, size_t capacity);
/* Gives the moves of sb_path_to, then SB_INTERACT; SB_INTERACT alone without a path. In front of a cell that cannot be
 * entered, the last move only turns the agent, so that the interaction hits the cell. 0 without a grid. O(cells). */
SB_API size_t sb_interact_with(const sb_env *env, sb_xy target, sb_action *out, size_t capacity);
/* Gives a move that leads away from a cell, or to the side; false if no such move leads to a passable cell. O(1). */
SB_API bool sb_flee_from(const sb_env *env, sb_xy from, sb_action *out);

/* ---- Facts beside the grid ---------------------------------------------------------------------------------------
 *
 * The array `told` of agentick has SB_TOLD_ROWS rows of three numbers, (what, which, value). `what` is one of the codes
 * below, which are the same for all tasks; unused rows are 0, 0, 0 and come last. In one task the same rows stand in
 * the same order during the whole episode (clues are added at the end). A number that a code does not describe is 0.
 * The texts of all modes state these facts in words. */

enum { SB_TOLD_ROWS = 16 };

typedef enum sb_told_what {
    SB_TOLD_NOTHING,    /* the row is not used */
    SB_TOLD_STEPS,      /* value: steps taken. The first row in every task */
    SB_TOLD_STEP_LIMIT, /* value: steps after which the episode is truncated. The second row in every task */
    SB_TOLD_TARGET,     /* value: the sb_object that the agent has to get */
    SB_TOLD_METER,      /* which: the sb_object that fills it; value: how full it is, rounded to hundredths */
    /* which: the sb_object that fills the meter; value: what rounding left out, in units of 2^-59: the meter is exactly
     * hundredths / 100.0 + ldexp(rest, -59) */
    SB_TOLD_METER_REST,
    SB_TOLD_METER_NEED, /* value: how full all meters have to be at the end, in hundredths */
    SB_TOLD_TRIAL, /* which: number of the trial, from 1 (after the last one: the number of trials + 1); value: number
                      of trials */
    SB_TOLD_PHASE, /* which: number of the phase, from 1 (after the last one: the number of phases + 1); value: number
                      of phases */
    SB_TOLD_PHASE_KIND,  /* value: sb_phase_kind of this phase */
    SB_TOLD_REMAPPED,    /* value: 1 if the controls are reversed in this phase, 0 if not */
    SB_TOLD_CLUE_NORTH,  /* a scroll that was read; which: the cell where it lay, as y * width + x; value: the steps to
                            the north that it names, 1 to 9. Scrolls come in the order of reading */
    SB_TOLD_CLUE_EAST,   /* as SB_TOLD_CLUE_NORTH, but value: the steps to the east */
    SB_TOLD_CLUE_SOUTH,  /* as SB_TOLD_CLUE_NORTH, but value: the steps to the south */
    SB_TOLD_CLUE_WEST,   /* as SB_TOLD_CLUE_NORTH, but value: the steps to the west */
    SB_TOLD_SWITCH_MEANS /* which: metadata of an SB_SWITCH; value: 1 if this means on, 0 if not */
} sb_told_what;

/* What has to be done in a phase: reach the goal, and what has to come before it. */
typedef enum sb_phase_kind {
    SB_PHASE_UNKNOWN, /* what has to be done is not told */
    SB_PHASE_GOAL_REACH,
    SB_PHASE_KEY_DOOR,      /* fetch a key and unlock a door before the goal */
    SB_PHASE_LEVER_BARRIER, /* pull a lever, which removes a wall, before the goal */
    SB_PHASE_COLLECTION,    /* collect all gems before the goal */
    SB_N_PHASE_KINDS
} sb_phase_kind;

#ifdef __cplusplus
}
#endif
#endif
