/* Coding API: spatial queries for bots and oracles (gridworlds).
 *
 * A privileged, read-only view: fog hides nothing. "Passable" means walkable terrain and no blocking object, so closed
 * doors, levers and switches are not passable and hazards are. Out-of-bounds coordinates are allowed everywhere. In a
 * family that has no grid (and before the first episode) every query answers that there is nothing: the agent is at
 * (-1,-1) and faces SB_NOWHERE, the grid is (0,0), distances are -1. All costs are at most linear in the number of
 * cells. Source of every rule: docs/coding-api.md. */
#ifndef SEEDBED_GRIDWORLD_H
#define SEEDBED_GRIDWORLD_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SB_NOOP, SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_INTERACT, SB_N_ACTIONS };

typedef enum sb_direction { SB_NORTH, SB_EAST, SB_SOUTH, SB_WEST, SB_NOWHERE } sb_direction;

typedef enum sb_terrain { SB_EMPTY, SB_WALL, SB_HAZARD, SB_WATER, SB_ICE, SB_HOLE } sb_terrain;

typedef enum sb_object {
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

typedef struct sb_entity {
    char type[16];    /* lower-case object name (`object_<n>` for an unknown code) or item type */
    sb_xy at;         /* position */
    int32_t distance; /* Manhattan distance from the agent; 0 for carried items */
    int32_t metadata; /* of the cell (colour, number, state), or the item's one property */
} sb_entity;

SB_API sb_xy sb_agent_position(const sb_env *env);
SB_API sb_direction sb_agent_direction(const sb_env *env);
SB_API sb_xy sb_grid_size(const sb_env *env); /* (width, height) */
/* The complete, private task configuration as one JSON object; `{}` if there is none. */
SB_API size_t sb_task_config(const sb_env *env, char *out, size_t capacity);

/* Every cell that holds an object, row-major, the agent's own cell included. */
SB_API size_t sb_entities(const sb_env *env, sb_entity *out, size_t capacity);
/* Those of one type; the type is lower-cased first; unknown names and `none` give nothing. */
SB_API size_t sb_entities_of_type(const sb_env *env, const char *type, sb_entity *out, size_t capacity);
SB_API bool sb_entity_at(const sb_env *env, sb_xy at, sb_entity *out);
/* Smallest Manhattan distance; the first in row-major order among equals. */
SB_API bool sb_nearest(const sb_env *env, const char *type, sb_entity *out);
SB_API size_t sb_positions(const sb_env *env, const char *type, sb_xy *out, size_t capacity);
SB_API size_t sb_count(const sb_env *env, const char *type);
SB_API size_t sb_inventory(const sb_env *env, sb_entity *out, size_t capacity);
SB_API bool sb_has(const sb_env *env, const char *item_type); /* exact spelling */

SB_API int32_t sb_distance_to(const sb_env *env, sb_xy to); /* Manhattan, from the agent */
SB_API sb_direction sb_direction_to(const sb_env *env, sb_xy to);
SB_API bool sb_is_adjacent(const sb_env *env, sb_xy to);
SB_API size_t sb_neighbors(const sb_env *env, sb_xy of, sb_xy *out, size_t capacity); /* passable ones: N, E, S, W */
SB_API const char *sb_direction_name(sb_direction direction); /* `north` ...; NULL for SB_NOWHERE */
/* `out_of_bounds`, or the terrain's name (`terrain_<n>` for an unknown code). The text is a constant. */
SB_API const char *sb_terrain_at(const sb_env *env, sb_xy at);
/* `out_of_bounds`, or the object's name (`none`, `object_<n>` for an unknown code). The text is a constant. */
SB_API const char *sb_object_at(const sb_env *env, sb_xy at);
SB_API bool sb_is_walkable(const sb_env *env, sb_xy at); /* passable */
SB_API size_t sb_walkable_cells(const sb_env *env, sb_xy *out, size_t capacity);
SB_API size_t sb_walls(const sb_env *env, sb_xy *out, size_t capacity);

/* What a path search may and may not enter, beside the passable cells. Zeroed: nothing more, nothing less. */
typedef struct sb_path_rules {
    const sb_xy *extra; /* cells that may be entered whatever they hold */
    size_t n_extra;
    const sb_xy *avoid; /* cells that may never be entered, even if they are extra; but the goal may be one */
    size_t n_avoid;
    const int8_t *terrain; /* if not NULL: terrain codes that count as walkable, instead of the default */
    size_t n_terrain;
} sb_path_rules;

/* Shortest path as cells, both ends included; 0 if there is none. Breadth-first, neighbours N, E, S, W; it never leaves
 * the grid. The start must be allowed, the goal need not be: it is reached as soon as it is met, so that a path may end
 * in a wall, a closed door or a lever. `rules` may be NULL. */
SB_API size_t sb_bfs_path(const sb_env *env, sb_xy start, sb_xy goal, const sb_path_rules *rules, sb_xy *out,
                          size_t capacity);
/* The move for each consecutive pair; pairs that are no unit step give nothing. */
SB_API size_t sb_positions_to_actions(const sb_xy *path, size_t n, sb_action *out, size_t capacity);
SB_API bool sb_is_reachable(const sb_env *env, sb_xy to); /* true for the agent's own cell */
/* Actions from the agent to the cell; none if the agent is there or there is no path. Also called move_to. */
SB_API size_t sb_path_to(const sb_env *env, sb_xy to, sb_action *out, size_t capacity);
/* First action of sb_path_to; without a path the move in the direction of the cell. False on the agent's own cell. */
SB_API bool sb_move_toward(const sb_env *env, sb_xy to, sb_action *out);
/* Path to the nearest entity of a type. Also called pickup_nearest: there is no pick-up action. */
SB_API size_t sb_go_to_nearest(const sb_env *env, const char *type, sb_action *out, size_t capacity);
/* sb_path_to followed by interact; without a path interact alone. On a cell that cannot be entered the last move turns
 * the agent towards it. */
SB_API size_t sb_interact_with(const sb_env *env, sb_xy target, sb_action *out, size_t capacity);
/* One move away from a cell; false if nothing passable lies that way or to the sides. */
SB_API bool sb_flee_from(const sb_env *env, sb_xy from, sb_action *out);
SB_API bool sb_action_of_delta(int dx, int dy, sb_action *out); /* also called step_action */

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
