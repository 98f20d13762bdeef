/* Seedbed: hashed seeds become gridworld episodes.
 *
 * This is the one public header. It compiles as C11, C17 and C++17 and includes nothing but the standard library.
 *
 *   sb_error error;
 *   sb_env *env = sb_make("KeyDoorPuzzle-v0/medium#42", &error);
 *   sb_result result = {0};
 *   while (!sb_status_of(env)->done) sb_step(env, choose(env), &result, &error);
 *   sb_free(env);
 *
 * Conventions
 *   - Functions that can fail return false (or NULL) and describe the failure in the caller's sb_error, in words that a
 *     person can act on. An error argument may never be NULL.
 *   - Functions that fill an array take (out, capacity) and return how many items there are, which may be more than
 *     were written: call again with more room. A capacity of 0 with out = NULL only counts.
 *   - Text functions follow snprintf: the return value is the length without the final NUL, and a result of `capacity`
 *     or more means that the text was cut.
 *   - Coordinates are (x,y), x to the right, y down, (0,0) top left. Actions are small integers.
 *   - Nothing is global: two environments may be used in two threads. One environment belongs to one thread at a time.
 *   - ABI: within a SONAME (libseedbed.so.0.2) structs, enums and signatures keep their layout; opaque types may grow
 *     and functions may be added. Until version 1.0 every minor version is a SONAME of its own, and find_package takes
 *     that minor version only. Nothing but what is declared here is exported.
 */
#ifndef SEEDBED_H
#define SEEDBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SB_API __attribute__((visibility("default")))
#else
#define SB_API
#endif

#define SB_VERSION "0.2.0"

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef enum sb_code {
    SB_OK,
    SB_INVALID,       /* an argument, a file or a document says something that cannot be */
    SB_UNKNOWN,       /* a name that nothing here carries */
    SB_IO,            /* the operating system refused to read or write */
    SB_MEMORY,        /* out of memory */
    SB_MISMATCH,      /* a check was made and failed: content, replay, hash */
    SB_VERSION_OTHER, /* made by a version whose rules or format are not these */
    SB_FINISHED       /* the episode is over (or was never started): reset first */
} sb_code;

typedef struct sb_error {
    int code;       /* an sb_code */
    char text[240]; /* one line: what, where, what to do */
} sb_error;

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* An episode's name fixes its dynamics: `[family:]task[/variant]#seed`, as in `KeyDoorPuzzle-v0/medium#42` and
 * `babyai:GoTo#5`. The family may be left out where only one has such a task (`GoTo#5`), a version suffix (`-v0`)
 * always. */
typedef struct sb_name {
    char family[16], task[40], variant[16]; /* canonical spelling; variant is "" in families without variants */
    uint64_t seed;
} sb_name;

#define SB_NAME_MAX 96 /* bytes that hold every printed name and its NUL */

/* Reads a name and gives it its canonical spelling. Unknown tasks and variants are errors that say what there is; a
 * task that several families have is one that lists their full names. */
SB_API bool sb_name_parse(const char *text, sb_name *name, sb_error *error);
/* Writes the one name by which the episode goes everywhere: with its family, but for tasks of the first (agentick).
 * sb_name_parse reads it back to the same episode. */
SB_API size_t sb_name_print(const sb_name *name, char *out, size_t capacity);

/* ---- Episodes ---------------------------------------------------------------------------------------------------- */

typedef struct sb_env sb_env; /* an environment: one episode at a time; opaque, on the heap */
typedef int32_t sb_action;

typedef struct sb_result {
    double reward, dense; /* this step's sparse and dense reward; both are always computed */
    bool terminated;      /* the task's end was reached, in success or failure */
    bool truncated;       /* the step limit was reached; may be true together with terminated */
    bool success;         /* meaningful in the last step */
} sb_result;

typedef struct sb_status {
    int32_t steps, max_steps;  /* steps taken; the step limit */
    double total, dense_total; /* sums of the rewards so far, added in order */
    bool done;                 /* no more steps: terminated, truncated, or never started */
    bool terminated, truncated, success;
} sb_status;

/* Makes an environment and starts the named episode (name = NULL: none yet). NULL on failure. The caller frees it. */
SB_API sb_env *sb_make(const char *name, sb_error *error);
/* Starts another episode, of any task of the same or another family; allocates nothing after the first episode of a
 * family. After a failure the environment is empty (done) and may be reset again. */
SB_API bool sb_reset(sb_env *env, const char *name, sb_error *error);
/* The same with a name already parsed: for loops over seeds. */
SB_API bool sb_reset_name(sb_env *env, const sb_name *name, sb_error *error);
/* Takes one step. Fails, changing nothing, on an action outside the task's range or a finished episode. */
SB_API bool sb_step(sb_env *env, sb_action action, sb_result *result, sb_error *error);
/* Makes `to` an exact copy of `from`: what follows is the same in both. */
SB_API bool sb_copy(sb_env *to, const sb_env *from, sb_error *error);
/* A new environment holding a copy. NULL on failure. */
SB_API sb_env *sb_clone(const sb_env *env, sb_error *error);
SB_API void sb_free(sb_env *env);

SB_API const sb_name *sb_name_of(const sb_env *env);
SB_API const sb_status *sb_status_of(const sb_env *env);

/* Renders an observation, with the snprintf convention. Modes of agentick: `ascii`, `ascii_color`, `language`,
 * `structured`, `state`; the published names `language_structured` and `state_dict` are accepted too. Returns
 * (size_t)-1 on failure. Rendering changes nothing. */
SB_API size_t sb_observe(const sb_env *env, const char *mode, char *out, size_t capacity, sb_error *error);

/* The actions that the task's mask calls valid, ascending. An invalid action may be taken all the same. */
SB_API size_t sb_valid_actions(const sb_env *env, sb_action *out, size_t capacity);
SB_API size_t sb_action_name(const sb_env *env, sb_action action, char *out, size_t capacity);
/* Reads a number or a name (any case, spaces as underscores). */
SB_API bool sb_action_parse(const sb_env *env, const char *text, sb_action *action, sb_error *error);

/* 128 bits that are equal for two episodes of one name if and only if they behave alike from here on. */
SB_API void sb_key(const sb_env *env, uint64_t key[2]);

/* ---- Batches: many episodes at once ------------------------------------------------------------------------------
 *
 * A batch steps n environments with n actions and writes what came of it into arrays of the caller's, an item for each
 * environment. Nothing is allocated between sb_batch_make and sb_batch_free. A batch belongs to one thread at a time.
 *
 * Episodes follow one another by themselves. The step that ends an episode shows its end: the last reward, and the
 * final observation. In the step after that the environment takes no action, whatever `actions` says: it begins its
 * next episode and shows that episode's first observation, with an empty result. So the arrays show every state of
 * every episode exactly once. */

typedef struct sb_batch sb_batch;

/* What an environment of a batch begins after the end of an episode. */
typedef enum sb_then {
    SB_THEN_STOP, /* nothing: it is idle from then on */
    SB_THEN_SAME, /* the same episode again */
    SB_THEN_NEXT  /* the first name of the list that was not begun yet; idle if there is none. Of several environments
                     the one with the lower index comes first */
} sb_then;

/* The caller's arrays of n items each; NULL: not wanted. They have to live as long as the batch. An idle environment
 * has an empty result; its key and text go on showing the final state. */
typedef struct sb_batch_arrays {
    sb_result *results;  /* of this step */
    bool *begun;         /* this is the first state of an episode: no action was taken */
    bool *idle;          /* nothing was done here, and nothing will be: no episode was left to begin */
    uint64_t (*keys)[2]; /* as sb_key gives them */
    char *texts;         /* observations, each with its NUL: that of environment i at texts + i * text_size */
    size_t text_size;
    size_t *lengths; /* of the observations without NUL; text_size or more means that one was cut */
} sb_batch_arrays;

/* Makes n environments, begins the first n of the names, which are n at least and all of one family, and fills in the
 * arrays. `mode` is that of the texts; without texts it may be NULL. NULL on failure. The caller frees the batch. */
SB_API sb_batch *sb_batch_make(const sb_name *names, size_t n_names, size_t n, sb_then then, const char *mode,
                               const sb_batch_arrays *arrays, sb_error *error);
/* Takes n actions and fills in the arrays. Fails, changing nothing, if an action is out of range that would be taken.
 * If an episode cannot be begun, its environment is idle without an episode, everything else is as without that
 * failure, and the error names the episode. */
SB_API bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error);
/* How many environments are not idle. */
SB_API size_t sb_batch_running(const sb_batch *batch);
/* One of them, to be looked at; it is the batch's own. */
SB_API const sb_env *sb_batch_env(const sb_batch *batch, size_t index);
SB_API void sb_batch_free(sb_batch *batch);

/* ---- Coding API: spatial queries for bots and oracles (gridworlds) ------------------------------------------------
 *
 * A privileged, read-only view: fog hides nothing. "Passable" means walkable terrain and no blocking object, so closed
 * doors, levers and switches are not passable and hazards are. Out-of-bounds coordinates are allowed everywhere. In a
 * family that has no grid (and before the first episode) every query answers that there is nothing: the agent is at
 * (-1,-1) and faces SB_NOWHERE, the grid is (0,0), distances are -1. All costs are at most linear in the number of
 * cells. Source of every rule: docs/coding-api.md. */

typedef struct sb_xy {
    int16_t x, y;
} sb_xy;

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

#ifdef __cplusplus
}
#endif
#endif
