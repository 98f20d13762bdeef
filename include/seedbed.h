/* Seedbed: hashed seeds become episodes of small worlds.
 *
 *   sb_error error;
 *   sb_env *env = sb_make(NULL, "KeyDoorPuzzle-v0/medium#42", &error);
 *   sb_result result = {0};
 *   while (!sb_status_of(env)->done) sb_step(env, choose(env), &result, &error);
 *   sb_free(env);
 *
 * This is the first of the public headers: names, what there is, environments, batches. Beside it:
 *
 *   seedbed/gridworld.h   where things are and how to get there, in gridworlds
 *   seedbed/player.h      oracles and random actions, as objects that play or label
 *   seedbed/tape.h        what was played, as a line of text that replays
 *   seedbed/pack.h        lists of seeds: the official ones, derived ones, files of them
 *
 * All compile as C11, C17 and C++17 and include nothing but the standard library.
 *
 * Conventions
 *   - Functions that can fail return false or NULL and describe the failure in the caller's sb_error, in words that a
 *     person can act on. An error argument may never be NULL. After a success the error is not touched.
 *   - Functions that cannot fail take no error. Asked for what is not there, they answer that there is nothing: 0,
 * NULL, an empty text.
 *   - Functions that fill an array take (out, capacity) and return how many items there are, which may be more than
 *     were written: call again with more room. A capacity of 0 with out = NULL only counts.
 *   - Functions that write a text follow snprintf: they return its length in bytes without the final NUL, and a length
 * of `capacity` or more means that the text was cut. Texts are UTF-8.
 *   - What is returned by functions that make something (`sb_make`, `sb_clone`, `..._make`, `..._make_official`,
 *     `..._load`, `sb_pack_parse`, `sb_tape_of`) is the caller's, who frees it with sb_free or the `..._free` of its
 * kind. All else that is returned by pointer belongs to the library: constants live for ever, what belongs to an
 * environment until its next reset.
 *   - Coordinates are (x,y), x to the right, y down, (0,0) top left. Actions are small integers.
 *   - Nothing is global: two environments may be used in two threads. One environment, batch, player, tape or pack
 *     belongs to one thread at a time; catalogues may be shared.
 *   - Costs are said where they are more than constant. Nothing that is done at every step allocates memory.
 *   - ABI: within a SONAME (libseedbed.so.0.2) structs, enums and signatures keep their layout; opaque types may grow
 *     and functions may be added. Until version 1.0 every minor version is a SONAME of its own, and find_package takes
 *     that minor version only. Nothing but what the headers declare is exported.
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

/* The version of the library that is linked, as SB_VERSION is that of the header: `0.2.0`. */
SB_API const char *sb_version(void);

/* A kind of worlds with rules of its own: `agentick`, `babyai`. Families are constants. */
typedef struct sb_family sb_family;

/* How a task is judged. */
typedef enum sb_criterion {
    SB_BY_SUCCESS, /* sb_status.success */
    SB_BY_SCORE,   /* sb_status.score; success says whether all was reached */
    SB_BY_NOTHING  /* it is there to be explored: success and score mean nothing */
} sb_criterion;

typedef struct sb_task_info {
    const char *name;     /* canonical, with version suffix where the family has them: `KeyDoorPuzzle-v0` */
    const char *category; /* category for selections and scores: `planning` */
    const char *summary;  /* one sentence: what the agent has to do */
    const char *alias;    /* the published id, accepted as a spelling: `BabyAI-BossLevel-v0`; NULL if it is the name */
    const char *rules;    /* version of its rules, if it has one of its own; NULL: the family's */
    sb_criterion criterion;
} sb_task_info;

/* A way to look at an episode, as a text. */
typedef struct sb_mode {
    const char *name, *alias; /* alias: the published name, or NULL */
    int code;                 /* the family's own */
    bool document;            /* the text is a JSON document on one line, not prose */
    bool privileged;          /* it shows more than an agent of the task is shown: no measure of what is hidden */
    const char *schema; /* of a document: a JSON Schema that every observation fits (docs/schemas.md); else NULL */
} sb_mode;

/* Types of numbers, in the machine's byte order. */
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

enum { SB_ARRAY_RANK = 3, SB_ARRAYS_MAX = 16 /* of a family */ };

/* A part of an observation as numbers, row-major. */
typedef struct sb_array {
    const char *name;
    sb_scalar type;
    int rank;       /* dimensions, 0 to SB_ARRAY_RANK; 0: a single number */
    int32_t values; /* numbers are 0..values-1; 0: whatever the type holds */
    bool constant;  /* the same from an episode's beginning to its end */
} sb_array;

/* What an agent of a family is not shown, and whether it can be taken away. */
typedef enum sb_hiding {
    SB_HIDES_NOTHING, /* observations tell all that decides what comes next, but for draws */
    SB_CAN_HIDE,      /* hidden state can be overwritten: so observers are known to see no more than an agent */
    SB_CANNOT_HIDE    /* it cannot: there are no observers */
} sb_hiding;

/* What all episodes of a task and difficulty have in common. An action is a number: buttons come first, then a click
 * area, row by row: the click on (x,y) is n_buttons + y * click_width + x. */
typedef struct sb_shape {
    int32_t n_buttons;
    int32_t click_width, click_height;            /* 0 and 0: there is no click area */
    int32_t max_steps;                            /* no episode has a higher step limit; its own is in sb_status */
    int32_t extent[SB_ARRAYS_MAX][SB_ARRAY_RANK]; /* of the family's arrays in their order: the first `rank` items */
} sb_shape;

static inline int32_t sb_n_actions(const sb_shape *shape) {
    return shape->n_buttons + shape->click_width * shape->click_height;
}

/* Lists, from 0; NULL behind the last. Families: the first is the one that printed names leave out. Difficulties are
 * those of every task of the family; "" is the one that names leave out. The first mode is the family's default. */
SB_API const sb_family *sb_family_at(size_t index);
SB_API const char *sb_difficulty_at(const sb_family *family, size_t index);
SB_API const sb_mode *sb_mode_at(const sb_family *family, size_t index);
SB_API const sb_array *sb_array_at(const sb_family *family, size_t index);

/* The place of an array in its family's list, which is that of its extent in a shape. */
SB_API size_t sb_array_index(const sb_family *family, const sb_array *array);

/* By name, or alias. Unknown names are errors that say what there is. Cost: linear in the number of names. Look a mode
 * or an array up once, and not in every step. */
SB_API const sb_family *sb_family_find(const char *name, sb_error *error);
SB_API const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error);
SB_API const sb_array *sb_array_find(const sb_family *family, const char *name, sb_error *error);

SB_API const char *sb_family_name(const sb_family *family);
/* The version of its rules: other rules, other episodes. */
SB_API const char *sb_family_rules(const sb_family *family);
SB_API sb_hiding sb_family_hiding(const sb_family *family);
/* Bytes of a number: 1, 2, 4 or 8. */
SB_API size_t sb_scalar_size(sb_scalar type);

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* An episode's name fixes its dynamics: `[family:]task[/difficulty]#seed`, as in `KeyDoorPuzzle-v0/medium#42` and
 * `babyai:GoTo#5`. The family may be left out where only one has such a task (`GoTo#5`), a version suffix (`-v0`)
 * always. */
typedef struct sb_name {
    char family[16], task[40],
        difficulty[16]; /* canonical spelling; difficulty is "" in families without difficulties */
    uint64_t seed;
} sb_name;

typedef struct sb_catalogue sb_catalogue; /* tasks that are not built in, see below; NULL: none */

#define SB_NAME_MAX 96 /* bytes that hold every printed name and its NUL */

/* Reads a name and gives it its canonical spelling. Unknown tasks and difficulties are errors that say what there is; a
 * task that several families have is one that lists their full names. */
SB_API bool sb_name_parse(const sb_catalogue *catalogue, const char *text, sb_name *name, sb_error *error);
/* Writes the one name by which the episode goes everywhere: with its family, but for tasks of the first (agentick).
 * sb_name_parse reads it back to the same episode. */
SB_API size_t sb_name_print(const sb_name *name, char *out, size_t capacity);
/* What the named episode has in common with all of its task and difficulty; the seed is not read. Starts nothing. */
SB_API bool sb_name_shape(const sb_catalogue *catalogue, const sb_name *name, sb_shape *shape, sb_error *error);

/* ---- Catalogues: what a user brings ------------------------------------------------------------------------------
 *
 * Tasks that are not built in: programs of a family that reads some, and tasks of families whose instances are dear to
 * find and are therefore kept. A catalogue is filled and then used; it must not change any more as soon as something
 * was made with it, and must outlive that. Threads may share it. Functions that read a name take one; NULL: what is
 * built in. */

/* An empty one. */
SB_API sb_catalogue *sb_catalogue_make(sb_error *error);
SB_API void sb_catalogue_free(sb_catalogue *catalogue);
/* Adds a program, a text of n bytes, as a task of its family. Its name is `file-` and the first 16 hex digits of the
 * text's SHA-256, so that the same text has the same name everywhere; adding it twice is once. Gives the task (NULL:
 * not wanted). Fails on texts that the family cannot read, saying where, and if the family takes no programs. Copies
 * the text. */
SB_API bool sb_catalogue_add_program(sb_catalogue *catalogue, const sb_family *family, const char *text, size_t n,
                                     const sb_task_info **task, sb_error *error);
/* Keeps what the named episode starts from, a document of the family's own of n bytes, so that it need not be found
 * again. Fails if the family does not keep such documents, or on a second one for the same episode. Copies it. */
SB_API bool sb_catalogue_add_derived(sb_catalogue *catalogue, const sb_name *name, const char *document, size_t n,
                                     sb_error *error);

/* A program of a catalogue. */
typedef struct sb_program {
    const sb_family *family;
    const sb_task_info *task;
    const char *text; /* n bytes and a NUL */
    size_t n;
    char sha256[65]; /* of the text, in hexadecimal digits */
} sb_program;

/* From 0, in the order in which they were added; NULL behind the last. */
SB_API const sb_program *sb_program_at(const sb_catalogue *catalogue, size_t index);

/* The tasks of a family, from 0: those that are built in, then the catalogue's by name, in whatever order they were
 * added. NULL behind the last. */
SB_API const sb_task_info *sb_task_at(const sb_catalogue *catalogue, const sb_family *family, size_t index);

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
    bool fault;           /* the world could not take this step (a program's error): it ends here, as it was before */
} sb_result;

typedef struct sb_status {
    int32_t steps, max_steps;  /* steps taken; the step limit */
    double total, dense_total; /* sums of the rewards so far, added in order */
    double score;              /* of tasks that are judged by one (SB_BY_SCORE); else 0 */
    int32_t level, n_levels;   /* levels that are solved, and how many there are; 0 and 0 in worlds without levels */
    bool done;                 /* no more steps: terminated, truncated, or never started */
    bool terminated, truncated, success, fault;
} sb_status;

/* Makes an environment and starts the named episode (name = NULL: none yet). NULL on failure. Names are looked up in
 * the catalogue, here and in every later reset. */
SB_API sb_env *sb_make(const sb_catalogue *catalogue, const char *name, sb_error *error);
SB_API void sb_free(sb_env *env);
/* Starts another episode, of any task of the same or another family. Whatever can fail or takes long is done here, and
 * allocates nothing after the first episode of a family (families of programs may). After a failure the environment is
 * empty (done) and may be reset again. */
SB_API bool sb_reset(sb_env *env, const char *name, sb_error *error);
/* The same with a name already parsed: for loops over seeds. */
SB_API bool sb_reset_name(sb_env *env, const sb_name *name, sb_error *error);
/* Takes one step. Any action in range may be taken: one that is not on offer counts as a step, too, and does nothing,
 * or what the task's rules say. Fails, changing nothing, on an action outside the task's range or a finished episode.
 */
SB_API bool sb_step(sb_env *env, sb_action action, sb_result *result, sb_error *error);
/* Makes `to` an exact copy of `from`: what follows is the same in both. Its catalogue becomes that of `from`. */
SB_API bool sb_copy(sb_env *to, const sb_env *from, sb_error *error);
/* A new environment holding a copy. NULL on failure. */
SB_API sb_env *sb_clone(const sb_env *env, sb_error *error);

/* The episode; before the first one a name of empty texts, a status that is done, and NULL. */
SB_API const sb_name *sb_name_of(const sb_env *env);
SB_API const sb_status *sb_status_of(const sb_env *env);
SB_API const sb_family *sb_family_of(const sb_env *env);
SB_API const sb_task_info *sb_task_of(const sb_env *env);
SB_API const sb_shape *sb_shape_of(const sb_env *env);
/* What went wrong in a world that ended by a fault; empty if none did. */
SB_API size_t sb_fault_text(const sb_env *env, char *out, size_t capacity);

/* 128 bits that are equal for two episodes of one name only if they behave alike from here on (but for a collision of a
 * hash of 128 bits). Most families also give equal keys to episodes that differ in nothing that matters. */
SB_API void sb_key(const sb_env *env, uint64_t key[2]);

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

/* Renders an observation as text; it changes nothing. The mode is one of the episode's family (agentick: `ascii`,
 * `ascii_color`, `language`, `structured`, `state`); any other gives an empty text. Cost: linear in the text. */
SB_API size_t sb_observe(const sb_env *env, const sb_mode *mode, char *out, size_t capacity);

/* An array of the episode's family as numbers: fills `out` and returns how many bytes there are, the product of its
 * extent and the size of a number. A capacity (in bytes) that is too small leaves `out` alone. 0 if there is no such
 * array. */
SB_API size_t sb_observe_array(const sb_env *env, const sb_array *array, void *out, size_t capacity);

/* Which buttons are on offer now, as the task's mask has it: an entry for each, and one more, if there is a click area,
 * for whether clicks count. Returns the number of entries. */
SB_API size_t sb_valid_mask(const sb_env *env, bool *out, size_t capacity);
/* The same as a list: the entries that are true, ascending. An entry n_buttons stands for all clicks. */
SB_API size_t sb_valid_actions(const sb_env *env, sb_action *out, size_t capacity);
SB_API size_t sb_action_name(const sb_env *env, sb_action action, char *out, size_t capacity);
/* Reads a number or a name (any case, spaces as underscores). */
SB_API bool sb_action_parse(const sb_env *env, const char *text, sb_action *action, sb_error *error);

/* ---- Batches: many episodes at once ------------------------------------------------------------------------------
 *
 * A batch steps n environments with n actions, in threads that it keeps, and writes what came of it into arrays of the
 * caller's, an item for each environment. Nothing is allocated between sb_batch_make and sb_batch_free. Results do not
 * depend on the number of threads. */

typedef struct sb_batch sb_batch;

/* What an environment of a batch begins after the end of an episode. */
typedef enum sb_then {
    SB_THEN_STOP, /* nothing: it is idle from then on */
    SB_THEN_SAME, /* the same episode again */
    SB_THEN_NEXT, /* the first name of the list that was not begun yet; idle if there is none. Of several environments
                     the one with the lower index comes first */
    SB_THEN_ASK   /* the one that sb_batch_plan.next names; idle if it names none. Asked in the order of indices, in the
                     thread that called */
} sb_then;

/* When it does so: the three ways of Gymnasium 1.x. */
typedef enum sb_autoreset {
    SB_NEXT_STEP, /* The step that ends an episode shows its end: the last reward and the final observation. In the step
                     after that the environment takes no action, whatever `actions` says: it begins its next episode and
                     shows the first observation, with an empty result. So every state is shown exactly once */
    SB_SAME_STEP, /* The step that ends an episode also begins the next one: the result is that of the last step, the
                     observation is the first of the next episode; the final one goes to sb_batch_arrays.final */
    SB_NO_AUTORESET /* Ended environments wait for sb_batch_reset; a step before that fails and names the first of them
                     */
} sb_autoreset;

/* What is to be played. Zeroed members are the default. */
typedef struct sb_batch_plan {
    const sb_catalogue *catalogue;
    const sb_name *names; /* the first n are begun at once; of one family. Copied */
    size_t n_names;       /* n at least */
    size_t n;             /* environments, 1 at least */
    size_t threads;       /* that work, the caller's included; 0: one for each processor */
    sb_then then;
    sb_autoreset autoreset;
    bool (*next)(void *context, size_t index, sb_name *name); /* of SB_THEN_ASK */
    void *context;
    bool record; /* keep the actions, for tapes (sb_record) */
} sb_batch_plan;

/* Where the numbers of an array go: n items, one behind the other. */
typedef struct sb_array_out {
    const sb_array *array;
    void *out;
    int32_t extent[SB_ARRAY_RANK]; /* of an item. All 0: as the environments have it, which then must have the same.
                                      Larger: numbers are put into the upper left corner, the rest is 0 */
} sb_array_out;

/* Where observations go. NULL: not wanted. */
typedef struct sb_batch_view {
    const sb_mode *mode; /* of the texts */
    char *texts;         /* each with its NUL: that of environment i at texts + i * text_size */
    size_t text_size;
    size_t *lengths; /* of the texts without NUL; text_size or more means that one was cut */
    const sb_array_out *arrays;
    size_t n_arrays;
    bool *masks; /* sb_valid_mask, mask_size entries for each environment; the rest are false */
    size_t mask_size;
} sb_batch_view;

/* The caller's arrays of n items each; NULL: not wanted. What they point to has to live as long as the batch; what they
 * are (the lists `arrays`) is copied. An idle environment has an empty result and goes on showing its final state. */
typedef struct sb_batch_arrays {
    sb_result *results;  /* of this step */
    bool *begun;         /* this is the first state of an episode: no action was taken, or (SB_SAME_STEP) one that ended
                            the episode before */
    bool *idle;          /* nothing was done here, and nothing will be: no episode was left to begin */
    uint64_t (*keys)[2]; /* as sb_key gives them */
    sb_batch_view now;   /* the observations */
    sb_batch_view final; /* of SB_SAME_STEP: the last observations of the episodes that ended in this step */
} sb_batch_arrays;

/* Makes n environments, begins the first n of the names, and fills in the arrays. NULL on failure. */
SB_API sb_batch *sb_batch_make(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error);
SB_API void sb_batch_free(sb_batch *batch);
/* Takes n actions and fills in the arrays. Fails, changing nothing, if an action is out of range that would be taken,
 * and names the first. If an episode cannot be begun, its environment is idle without an episode, everything else is as
 * without that failure, and the error names the episode. */
SB_API bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error);
/* Begins episodes in those environments for which `which` is true (NULL: in all), and fills in the arrays; results are
 * empty. In environment i the episode names[i]; names = NULL: what follows there by the plan. Fails as sb_batch_step.
 */
SB_API bool sb_batch_reset(sb_batch *batch, const bool *which, const sb_name *names, sb_error *error);
/* How many environments are not idle. */
SB_API size_t sb_batch_running(const sb_batch *batch);
/* One of them, to be looked at; it is the batch's own. NULL if there is none of that index. */
SB_API const sb_env *sb_batch_env(const sb_batch *batch, size_t index);
/* Makes environment `index` a copy of another environment of the same family: for searches and curricula. */
SB_API bool sb_batch_copy(sb_batch *batch, size_t index, const sb_env *from, sb_error *error);

#ifdef __cplusplus
}
#endif
#endif
