/* Seedbed: hashed seeds become gridworld episodes.
 *
 * This is the first of the public headers; seedbed/gridworld.h has spatial queries for bots. They compile as C11, C17
 * and C++17 and include nothing but the standard library.
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

/* ---- What there is ----------------------------------------------------------------------------------------------- */

typedef struct sb_family sb_family; /* a kind of worlds with rules of its own: `agentick`, `babyai`; constant */

typedef struct sb_task_info {
    const char *name;    /* canonical, with version suffix where the family has them: `KeyDoorPuzzle-v0` */
    const char *group;   /* category for selections and scores: `planning` */
    const char *summary; /* one sentence: what the agent has to do */
    const char *alias;   /* the published id, accepted as a spelling: `BabyAI-BossLevel-v0`; NULL if it is the name */
} sb_task_info;

/* A way to look at an episode, as a text. */
typedef struct sb_mode {
    const char *name, *alias; /* alias: the published name, or NULL */
    int code;                 /* the family's own */
    bool document;            /* the text is a JSON document on one line, not prose */
    bool privileged;          /* it shows more than an agent of the task is shown: no measure of what is hidden */
    const char *schema; /* of a document: a JSON Schema that every observation fits (docs/schemas.md); else NULL */
} sb_mode;

/* Types of numbers. All are little-endian. */
typedef enum sb_scalar {
    SB_BOOL, /* a byte, 0 or 1 */
    SB_CHAR, /* in arrays of one dimension: a text, filled up with NULs */
    SB_INT8,
    SB_UINT8,
    SB_INT16,
    SB_INT32,
    SB_INT64,
    SB_UINT64,
    SB_DOUBLE,
    SB_N_SCALARS
} sb_scalar;

enum { SB_ARRAY_RANK = 3, SB_ARRAYS_MAX = 16 };

/* A part of an observation as numbers, row-major. */
typedef struct sb_array {
    const char *name;
    sb_scalar type;
    int rank;       /* dimensions, SB_ARRAY_RANK at most; 0: a single number */
    int32_t values; /* numbers are 0..values-1; 0: whatever the type holds */
    bool constant;  /* the same from an episode's beginning to its end */
} sb_array;

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

/* A place on a grid: x to the right, y down, (0,0) top left. */
typedef struct sb_xy {
    int16_t x, y;
} sb_xy;

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

#ifdef __cplusplus
}
#endif
#endif
