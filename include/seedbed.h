/* Seedbed: turns hashed seeds into episodes of small worlds.
 *
 *     sb_error error;
 *     sb_env *env = sb_make(NULL, "KeyDoorPuzzle-v0/medium#42", &error);
 *     sb_result result = {0};
 *     while (!sb_status_of(env)->done) sb_step(env, choose(env), &result, &error);
 *     sb_free(env);
 *
 * This is the main public header: names, catalogues, environments and batches. The others are:
 *
 *     seedbed/gridworld.h   spatial queries for gridworlds: where things are and how to get there
 *     seedbed/player.h      oracles and random agents, which play or label
 *     seedbed/costs.h       what every action costs, by an oracle
 *     seedbed/tape.h        recorded episodes, one line of text each, which can be replayed
 *     seedbed/pack.h        lists of seeds: official, derived, or read from files
 *     seedbed/picture.h     episodes as pixels
 *     seedbed/plugin.h      bots that the command loads
 *
 * All compile as C11, C17 and C++17 and include nothing but the standard library.
 *
 * Conventions
 *   - A function that can fail returns false or NULL and describes the failure in the caller's sb_error, in words that
 *     a person can act on. The error argument must not be NULL. On success the error is left as it was.
 *   - A function that cannot fail takes no error. If what you ask for does not exist, it returns 0, NULL or an empty
 *     text.
 *   - A function that fills an array takes (out, capacity) and returns how many items there are. If that is more than
 *     `capacity`, only the first `capacity` items were written: call again with more room. A capacity of 0 with out =
 *     NULL only counts.
 *   - A function that writes text works like snprintf: it returns the length in bytes without the final NUL, and a
 *     length of `capacity` or more means that the text was cut. Texts are UTF-8.
 *   - Objects returned by functions that make something (`sb_make`, `sb_clone`, `..._make`, `..._make_official`,
 *     `..._load`, `sb_pack_parse`, `sb_tape_of`) belong to the caller, who frees them with sb_free or the matching
 *     `..._free`. Every other returned pointer belongs to the library: constants live for ever, data of an environment
 *     lives until its next reset.
 *   - Coordinates are (x,y): x to the right, y down, (0,0) top left. Actions are small integers.
 *   - There is no global state, so two threads may use two environments. One environment, batch, player, tape or pack
 *     belongs to one thread at a time; threads may share catalogues.
 *   - A cost is stated where it is more than constant. Functions that are called at every step allocate no memory.
 *   - ABI: within a SONAME (libseedbed.so.0.3) structs, enums and signatures keep their layout; opaque types may grow
 *     and functions may be added. Until version 1.0 every minor version has its own SONAME, and find_package accepts
 *     that minor version only. Only what the headers declare is exported. */
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

#define SB_VERSION "0.3.0"

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef enum sb_code {
    SB_OK,
    SB_INVALID,       /* an argument, a file or a document has an impossible value */
    SB_UNKNOWN,       /* no task, agent or other thing has this name */
    SB_IO,            /* the operating system refused to read or write */
    SB_MEMORY,        /* out of memory */
    SB_MISMATCH,      /* a check failed: content, replay or hash */
    SB_VERSION_OTHER, /* made by a version with other rules or another format */
    SB_FINISHED       /* the episode is over (or was never started): reset first */
} sb_code;

typedef struct sb_error {
    int code;       /* an sb_code */
    int number;     /* the system's errno where it refused something; 0 otherwise */
    char text[480]; /* one line: what is wrong, where, and what to do */
} sb_error;

/* ---- Families and tasks ------------------------------------------------------------------------------------------ */

/* Returns the version of the linked library, such as `0.3.0`; SB_VERSION is the version of the header. */
SB_API const char *sb_version(void);

/* A family of tasks with rules of its own: `agentick`, `babyai`. Families are constants. */
typedef struct sb_family sb_family;

/* How a task is judged. */
typedef enum sb_criterion {
    SB_BY_SUCCESS, /* sb_status.success */
    SB_BY_SCORE,   /* sb_status.score; success says whether everything was reached */
    SB_BY_NOTHING  /* not at all: the task is for exploring, and success and score mean nothing */
} sb_criterion;

typedef struct sb_task_info {
    const char *name;     /* canonical, with version suffix where the family has them: `KeyDoorPuzzle-v0` */
    const char *category; /* category, for selections and scores: `planning` */
    const char *summary;  /* one sentence: what the agent has to do */
    const char *alias;    /* the published id, also accepted as a name: `BabyAI-BossLevel-v0`; NULL if it is the same */
    const char *rules;    /* version of the task's own rules; NULL: the family's version holds */
    sb_criterion criterion;
    /* what the task takes, NULL-terminated: `go to`, `unlock`; NULL: the family does not tell */
    const char *const *skills;
} sb_task_info;

/* A way to show an episode as text. */
typedef struct sb_mode {
    const char *name, *alias; /* alias: the published name, or NULL */
    int code;                 /* a number by which the family knows the mode */
    bool document;            /* the text is a JSON document on one line */
    bool privileged;          /* shows more than an agent of the task may see, so it does not define what is hidden */
    /* the JSON Schema that every observation of a document matches (docs/formats.md); NULL: it is no document */
    const char *schema;
    bool relative; /* tells places only as seen from the agent, without coordinates */
    /* Of texts that draw a grid, a line for each row: how many columns a cell of the click area takes (0: the text
     * draws none), and which line has row 0, from 0. */
    int cell_width, first_row;
    const struct sb_mode *scene; /* the same text without the valid actions that it lists; NULL: it lists none */
} sb_mode;

/* Types of numbers, in the machine's byte order. */
typedef enum sb_scalar {
    SB_BOOL, /* a byte, 0 or 1 */
    SB_CHAR, /* in arrays of one dimension: a text, padded with NULs */
    SB_INT8,
    SB_UINT8,
    SB_INT16,
    SB_INT32,
    SB_INT64,
    SB_UINT64,
    SB_DOUBLE,
    SB_N_SCALARS
} sb_scalar;

enum { SB_ARRAY_RANK = 3, SB_ARRAYS_MAX = 16 /* most arrays of a family */ };

typedef struct sb_brush sb_brush; /* draws pictures: seedbed/picture.h */

/* A part of an observation as numbers, row-major. */
typedef struct sb_array {
    const char *name;
    sb_scalar type;
    int rank;              /* dimensions, 0 to SB_ARRAY_RANK; 0: a single number */
    int32_t values;        /* numbers are 0..values-1; 0: any number of the type */
    bool constant;         /* does not change during an episode */
    const sb_brush *brush; /* what draws the array if it is of pixels. NULL: an array of the family */
} sb_array;

/* Whether a family hides state from its agents, and whether that state can be masked. */
typedef enum sb_hiding {
    SB_HIDES_NOTHING, /* observations tell everything that decides the future, except random draws */
    SB_CAN_HIDE,      /* hidden state can be overwritten, so observers provably see no more than an agent */
    SB_CANNOT_HIDE    /* hidden state cannot be overwritten: an observer has to leave it alone by itself */
} sb_hiding;

/* What all episodes of a task and difficulty have in common. An action is a number: buttons come first, then a click
 * area, row by row. The click on (x,y) is n_buttons + y * click_width + x. */
typedef struct sb_shape {
    int32_t n_buttons;
    int32_t click_width, click_height; /* 0 and 0: there is no click area */
    int32_t max_steps;                 /* no episode has a higher step limit; its own limit is in sb_status */
    int32_t extent[SB_ARRAYS_MAX][SB_ARRAY_RANK]; /* sizes of each array of the family, `rank` numbers */
} sb_shape;

static inline int32_t sb_n_actions(const sb_shape *shape) {
    return shape->n_buttons + shape->click_width * shape->click_height;
}

/* Lists, counted from 0; NULL at the end. The first family is the one that printed names leave out. The difficulties
 * are the same for every task of a family; names leave out the difficulty "". The first mode is the family's default.
 */
SB_API const sb_family *sb_family_at(size_t index);
SB_API const char *sb_difficulty_at(const sb_family *family, size_t index);
SB_API const sb_mode *sb_mode_at(const sb_family *family, size_t index);
SB_API const sb_array *sb_array_at(const sb_family *family, size_t index);

/* Returns the index of an array in its family's list, which is also its index in sb_shape.extent. The array must be one
 * of that list (pixels are not). */
SB_API size_t sb_array_index(const sb_family *family, const sb_array *array);

/* Find something by its name or alias. An unknown name is an error that lists the known ones. Cost: linear in the
 * number of names, so look up a mode or an array once, not in every step. */
SB_API const sb_family *sb_family_find(const char *name, sb_error *error);
SB_API const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error);
SB_API const sb_array *sb_array_find(const sb_family *family, const char *name, sb_error *error);

SB_API const char *sb_family_name(const sb_family *family);
/* Returns the version of the family's rules. Under other rules the same name gives another episode. */
SB_API const char *sb_family_rules(const sb_family *family);
SB_API sb_hiding sb_family_hiding(const sb_family *family);
/* Returns the size of a number in bytes: 1, 2, 4 or 8. */
SB_API size_t sb_scalar_size(sb_scalar type);

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* An episode's name fixes its dynamics: `[family:]task[/difficulty]#seed`, as in `KeyDoorPuzzle-v0/medium#42` and
 * `babyai:GoTo#5`. The family may be left out if only one family has such a task (`GoTo#5`). A version suffix (`-v0`)
 * may always be left out. */
typedef struct sb_name {
    /* In canonical spelling; the difficulty is "" in families without difficulties. */
    char family[16], task[40], difficulty[16];
    uint64_t seed;
} sb_name;

typedef struct sb_catalogue sb_catalogue; /* tasks that are not built in, see below; NULL: none */

#define SB_NAME_MAX 96 /* bytes that hold every printed name and its NUL */

/* Reads a name and gives it its canonical spelling. An unknown task is an error that suggests another, and an
 * unknown difficulty one that lists the known ones; a task that several families have is an error that lists the full
 * names. */
SB_API bool sb_name_parse(const sb_catalogue *catalogue, const char *text, sb_name *name, sb_error *error);
/* Writes the canonical name of the episode. It includes the family, except for tasks of the first family (agentick).
 * sb_name_parse reads it back to the same episode. */
SB_API size_t sb_name_print(const sb_name *name, char *out, size_t capacity);
/* Gives what all episodes of the named task and difficulty have in common; the seed is ignored. Starts no episode. */
SB_API bool sb_name_shape(const sb_catalogue *catalogue, const sb_name *name, sb_shape *shape, sb_error *error);
/* Gives the extent of any array, pixels too, in all episodes of the named task and difficulty: `rank` numbers, then
 * zeros. The array must be of the task's family. Starts no episode. */
SB_API bool sb_name_extent(const sb_catalogue *catalogue, const sb_name *name, const sb_array *array,
                           int32_t extent[SB_ARRAY_RANK], sb_error *error);

/* ---- Catalogues: tasks that a user adds --------------------------------------------------------------------------
 *
 * Tasks that are not built in: programs, for families that run some, and stored starts of episodes that take long to
 * find. First fill a catalogue, then use it. From the first time something is made with it, it must not change, and it
 * must outlive everything made with it. Threads may share it. Functions that read a name take a catalogue; NULL means
 * built-in tasks only. */

/* Makes an empty catalogue. */
SB_API sb_catalogue *sb_catalogue_make(sb_error *error);
SB_API void sb_catalogue_free(sb_catalogue *catalogue);
/* Adds a program, a text of n bytes without NUL, as a task of its family. Its name is `file-` and the first 16 hex
 * digits of the text's SHA-256, so the same text has the same name everywhere, and adding it again changes nothing.
 * Stores the task in *task if `task` is not NULL. Fails if the family takes no programs, or if it cannot read the text;
 * then the error says where. Copies the text. */
SB_API bool sb_catalogue_add_program(sb_catalogue *catalogue, const sb_family *family, const char *text, size_t n,
                                     const sb_task_info **task, sb_error *error);
/* Stores what the named episode starts from, a document of n bytes in the family's own format, so that the start need
 * not be searched for again. Fails if the family has no such documents, or if the episode already has one. Copies the
 * document. */
SB_API bool sb_catalogue_add_derived(sb_catalogue *catalogue, const sb_name *name, const char *document, size_t n,
                                     sb_error *error);

/* A program of a catalogue. */
typedef struct sb_program {
    const sb_family *family;
    const sb_task_info *task;
    const char *text; /* n bytes and a NUL */
    size_t n;
    char sha256[65]; /* SHA-256 of the text, in hexadecimal digits */
} sb_program;

/* Returns the programs in the order in which they were added, from 0; NULL at the end. */
SB_API const sb_program *sb_program_at(const sb_catalogue *catalogue, size_t index);

/* Returns the tasks of a family, from 0: first the built-in ones, then those of the catalogue sorted by name, whatever
 * the order in which they were added. NULL at the end. */
SB_API const sb_task_info *sb_task_at(const sb_catalogue *catalogue, const sb_family *family, size_t index);

/* A place on a grid: x to the right, y down, (0,0) top left. */
typedef struct sb_xy {
    int16_t x, y;
} sb_xy;

/* ---- Episodes ---------------------------------------------------------------------------------------------------- */

typedef struct sb_env sb_env; /* an environment: holds one episode at a time; opaque, on the heap */
typedef int32_t sb_action;

typedef struct sb_result {
    double reward, dense; /* the sparse and the dense reward of this step; both are always computed */
    bool terminated;      /* the task ended, in success or failure */
    bool truncated;       /* the step limit was reached; may be true together with terminated */
    bool success;         /* only meaningful in the last step */
    bool fault; /* the world could not take this step (a program failed): the episode ends in the state before it */
} sb_result;

typedef struct sb_status {
    int32_t steps, max_steps;  /* steps taken; the step limit */
    double total, dense_total; /* sums of the rewards so far, added in order */
    double score;              /* the score, in tasks that are judged by score (SB_BY_SCORE); else 0 */
    int32_t level, n_levels;   /* levels solved, and how many levels there are; 0 and 0 in worlds without levels */
    bool done;                 /* no more steps are possible: terminated, truncated, or never started */
    bool terminated, truncated, success, fault;
} sb_status;

/* Makes an environment and starts the named episode (name = NULL: none yet). NULL on failure. This call and every later
 * reset look names up in the catalogue. */
SB_API sb_env *sb_make(const sb_catalogue *catalogue, const char *name, sb_error *error);
SB_API void sb_free(sb_env *env);
/* Starts another episode, of any task of any family. Everything that can fail or takes long happens here. Allocates
 * nothing after the first episode of a family (families that run programs may). After a failure the environment is
 * empty (done) and may be reset again. */
SB_API bool sb_reset(sb_env *env, const char *name, sb_error *error);
/* Like sb_reset, with a name that is already parsed: for loops over seeds. */
SB_API bool sb_reset_name(sb_env *env, const sb_name *name, sb_error *error);
/* Is told how far a start has come that takes long: `done` of at most `of` of what is counted, such as `states met`.
 * What is counted may change, and then is counted from 0; a start may be over before all are done. `what` lives as long
 * as the program. */
typedef void sb_start_watcher(void *context, const char *what, size_t done, size_t of);
/* Has all later starts of this environment told to the watcher, in the thread that resets it; NULL: to nobody. A copy
 * keeps its own watcher, a clone has none. Today only challenges in Autumn that have to be derived tell anything. */
SB_API void sb_watch_starts(sb_env *env, sb_start_watcher *watcher, void *context);
/* Takes one step. Any action in range is allowed: an action that is not valid now still counts as a step and does
 * nothing, or what the task's rules say. Fails without changing anything if the action is out of range or the episode
 * is over. */
SB_API bool sb_step(sb_env *env, sb_action action, sb_result *result, sb_error *error);
/* Makes `to` an exact copy of `from`: both continue in the same way. `to` takes over the catalogue of `from`. */
SB_API bool sb_copy(sb_env *to, const sb_env *from, sb_error *error);
/* Makes a new environment that holds a copy. NULL on failure. */
SB_API sb_env *sb_clone(const sb_env *env, sb_error *error);

/* What `env` plays. Before the first episode: a name with empty texts, a status that is done, and NULL for the others.
 */
SB_API const sb_name *sb_name_of(const sb_env *env);
SB_API const sb_status *sb_status_of(const sb_env *env);
SB_API const sb_family *sb_family_of(const sb_env *env);
SB_API const sb_task_info *sb_task_of(const sb_env *env);
SB_API const sb_shape *sb_shape_of(const sb_env *env);
/* Says what went wrong in a world that ended by a fault; empty if there was no fault. */
SB_API size_t sb_fault_text(const sb_env *env, char *out, size_t capacity);

/* Gives 128 bits that say which episodes of a task and difficulty are the same game from here on: if they are equal, no
 * course of actions tells the two apart, by observations in any mode, rewards, ends, or what an environment tells
 * beside these (except for a collision of a 128-bit hash). What no rule will read any more is left out, so starts that
 * no course tells apart have equal keys, too. A program in Autumn keeps its generator in the key as long as it may
 * draw. */
SB_API void sb_key(const sb_env *env, uint64_t key[2]);

/* ---- Observations ------------------------------------------------------------------------------------------------ */

/* Renders an observation as text; changes nothing. The mode is one of the episode's family (agentick: `ascii`,
 * `ascii_color`, `language`, `structured`, `state`); a mode of another family gives an empty text, and so do Autumn's
 * `ascii`, `language` and `structured` when the memory runs out that they need to begin. Cost: linear in the length of
 * the text. */
SB_API size_t sb_observe(const sb_env *env, const sb_mode *mode, char *out, size_t capacity);

/* Fills `out` with one array of the episode's family (or of a brush for that family) and returns its size in bytes: the
 * product of its extent and the size of a number. If the capacity (in bytes) is too small, `out` is left alone. Returns
 * 0 if the family has no such array. */
SB_API size_t sb_observe_array(const sb_env *env, const sb_array *array, void *out, size_t capacity);

/* Tells which actions may have an effect now: one entry for each button and, if there is a click area, one more for all
 * clicks. Returns the number of entries. An action is masked (false) only if all that was shown proves that it does no
 * more than a noop: state, both rewards and end are the same, whatever is hidden and whatever will be drawn. So a mask
 * never forbids a shortest solution and tells nothing that observations do not tell. docs/bots.md says what families
 * can prove. Cost: at most the copy of an episode for an action. */
SB_API size_t sb_action_mask(const sb_env *env, bool *out, size_t capacity);
/* Tells in the same entries which actions the published environments list as valid. It is a hint: in some tasks an
 * action that it leaves out wins. */
SB_API size_t sb_valid_mask(const sb_env *env, bool *out, size_t capacity);
/* Lists the entries of sb_valid_mask that are true, ascending. The entry n_buttons stands for all clicks. */
SB_API size_t sb_valid_actions(const sb_env *env, sb_action *out, size_t capacity);
SB_API size_t sb_action_name(const sb_env *env, sb_action action, char *out, size_t capacity);
/* Reads a number or a name (any case, spaces as underscores). */
SB_API bool sb_action_parse(const sb_env *env, const char *text, sb_action *action, sb_error *error);

/* ---- Batches: many episodes at once ------------------------------------------------------------------------------
 *
 * A batch steps n environments with n actions, in threads that it keeps, and writes the outcomes into arrays of the
 * caller, one item for each environment. Steps allocate nothing; where an episode begins, as much as sb_reset does.
 * Results do not depend on the number of threads. */

typedef struct sb_batch sb_batch;

/* What an environment of a batch plays after the end of an episode. */
typedef enum sb_then {
    SB_THEN_STOP, /* nothing: it is idle from then on */
    SB_THEN_SAME, /* the same episode again */
    SB_THEN_NEXT, /* the first name of the list that has not begun yet; if none is left, the environment is idle. If
                     several environments need a name in one step, the lowest index comes first */
    SB_THEN_ASK   /* the name that sb_batch_plan.next gives; if it gives none, the environment is idle. `next` is called
                     in the order of indices, in the caller's thread */
} sb_then;

/* When the next episode begins: the three modes of Gymnasium 1.x. */
typedef enum sb_autoreset {
    SB_NEXT_STEP, /* The step that ends an episode returns the last reward and the final observation. In the following
                     step the environment ignores its action, begins the next episode and returns the first observation
                     with an empty result. So every state is shown exactly once */
    SB_SAME_STEP, /* The step that ends an episode also begins the next one: the result belongs to the old episode, the
                     observation to the new one. The final observation goes to sb_batch_arrays.final */
    SB_NO_AUTORESET /* Ended environments wait for sb_batch_reset; a step before that fails and names the first of them
                     */
} sb_autoreset;

/* What a batch plays. Members that are zero have the default. */
typedef struct sb_batch_plan {
    const sb_catalogue *catalogue;
    const sb_name *names; /* all of one family; the first n begin at once. Copied */
    size_t n_names;       /* at least n */
    size_t n;             /* environments, at least 1 */
    size_t threads;       /* working threads, including the caller's; 0: one for each processor */
    sb_then then;
    sb_autoreset autoreset;
    bool (*next)(void *context, size_t index, sb_name *name); /* gives the next name for SB_THEN_ASK */
    void *context;
    bool record; /* keep the actions, for tapes (sb_record) */
} sb_batch_plan;

/* Where the numbers of an array go: n items, one after the other. */
typedef struct sb_array_out {
    const sb_array *array;
    void *out;
    /* extent of one item. All 0: that of the environments, which then must all have the same one. Larger: the numbers
     * fill the upper left corner, the rest is 0 */
    int32_t extent[SB_ARRAY_RANK];
} sb_array_out;

/* Where observations go. NULL: not wanted. */
typedef struct sb_batch_view {
    const sb_mode *mode; /* mode of the texts */
    char *texts;         /* NUL-terminated; that of environment i is at texts + i * text_size */
    size_t text_size;
    size_t *lengths; /* lengths of the texts without NUL; text_size or more means that the text was cut */
    const sb_array_out *arrays;
    size_t n_arrays;
    bool *masks; /* as sb_action_mask gives them, mask_size entries for each environment; unused entries are false */
    size_t mask_size;
    bool published_masks; /* masks are as sb_valid_mask gives them */
} sb_batch_view;

/* The caller's arrays, n items each; NULL: not wanted. The memory they point to must live as long as the batch; the
 * lists `arrays` are copied. An idle environment has an empty result and keeps showing its final state. */
typedef struct sb_batch_arrays {
    sb_result *results; /* results of this step */
    bool *begun; /* this is the first state of an episode: no action was taken, or (SB_SAME_STEP) the action ended the
                    episode before */
    bool *idle;  /* nothing was done here and nothing will be: no episode was left to begin */
    uint64_t (*keys)[2]; /* keys of the states, as sb_key gives them */
    sb_batch_view now;   /* the observations */
    sb_batch_view final; /* for SB_SAME_STEP: the last observations of the episodes that ended in this step */
} sb_batch_arrays;

/* Makes n environments, begins the first n names, and fills the arrays. NULL on failure. */
SB_API sb_batch *sb_batch_make(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error);
SB_API void sb_batch_free(sb_batch *batch);
/* Takes n actions and fills the arrays. Fails without changing anything if an action that would be taken is out of
 * range; the error names the first. If an episode cannot begin, its environment is idle without an episode, all others
 * go on as usual, and the error names the episode. */
SB_API bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error);
/* Begins episodes in the environments for which `which` is true (NULL: in all), and fills the arrays; the results are
 * empty. Environment i plays names[i]; if names is NULL, it plays what the plan says. Fails like sb_batch_step. */
SB_API bool sb_batch_reset(sb_batch *batch, const bool *which, const sb_name *names, sb_error *error);
/* Returns how many environments are not idle. */
SB_API size_t sb_batch_running(const sb_batch *batch);
/* Returns one environment, for looking at it; it belongs to the batch. NULL if the index is too high. */
SB_API const sb_env *sb_batch_env(const sb_batch *batch, size_t index);
/* Makes environment `index` a copy of another environment of the same family: for searches and curricula. */
SB_API bool sb_batch_copy(sb_batch *batch, size_t index, const sb_env *from, sb_error *error);

#ifdef __cplusplus
}
#endif
#endif
