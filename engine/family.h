/* The contract between worlds and everything above them. A family lists its tasks and variants, makes an episode from a
 * name, steps it, shows it, and copies it. Nothing above this line knows of grids, six actions or difficulties. */
#ifndef SB_ENGINE_FAMILY_H
#define SB_ENGINE_FAMILY_H

#include <cjson/cJSON.h>

#include "api/seedbed.h"
#include "base/out.h"

typedef struct sb_family sb_family;
typedef struct sb_mode sb_mode;

typedef struct sb_task_info {
    const char *name;    /* canonical, with version suffix where the family has them: `KeyDoorPuzzle-v0` */
    const char *group;   /* category for selections and scores: `planning` */
    const char *summary; /* one sentence: what the agent has to do */
    const char *alias;   /* the published id, accepted as a spelling: `BabyAI-BossLevel-v0`; NULL if it is the name */
} sb_task_info;

/* A way to look at an episode. */
struct sb_mode {
    const char *name, *alias; /* alias: the published name, or NULL */
    int code;                 /* the family's own */
    bool document;            /* the text is a JSON document on one line, not prose */
    bool privileged;          /* it shows more than an agent of the task is shown: no measure of what is hidden */
};

struct sb_env {
    const sb_family *family; /* NULL until the first episode */
    const sb_task_info *task;
    size_t task_index, variant_index;
    sb_name name;
    sb_status status;  /* kept by api/env.c; families read it and never write */
    int32_t n_actions; /* actions are 0..n_actions-1 */
    void *state;       /* the family's own; NULL or made by its start or copy, freed by its clear */
};

/* A part of an observation as numbers. All are little-endian and row-major. */
typedef enum sb_scalar {
    SB_BOOL, /* a byte */
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

enum { SB_ARRAY_RANK = 3, SB_ARRAYS_MAX = 8 };

typedef struct sb_array {
    const char *name;
    sb_scalar type;
    int rank;       /* dimensions; 0: a single number */
    int32_t values; /* numbers are 0..values-1; 0: whatever the type holds */
    bool constant;  /* the same from an episode's beginning to its end */
} sb_array;

/* What comparing one recording with the engine found. */
typedef enum sb_aspect {
    SB_ASPECT_RESET,
    SB_ASPECT_LAYERS,
    SB_ASPECT_DRAWS,
    SB_ASPECT_VIEWS,
    SB_ASPECT_STATES,
    SB_ASPECT_REWARDS,
    SB_ASPECT_ENDS,
    SB_N_ASPECTS
} sb_aspect;

typedef struct sb_conformity {
    size_t compared[SB_N_ASPECTS]; /* how many comparisons were made */
    size_t steps;                  /* steps replayed */
    bool differs;                  /* comparing stopped at the first difference: */
    char difference[1000];         /* where, what was recorded, what came out */
} sb_conformity;

/* ---- Facts: what can be told of an episode in which somebody walks through rooms full of things ---- */

enum { SB_FACTS_THINGS = 192, SB_FACTS_MISSION = 512 };

typedef struct sb_fact {
    const char *type, *colour; /* `door`, `red` */
    sb_xy at;
    bool has_lock, locked;
} sb_fact;

/* Cells count from (0,0), top left. Texts are constants of the family, but the mission. */
typedef struct sb_facts {
    int room_rows, room_columns, room_side; /* rooms are squares; the side counts both walls */
    sb_xy size;                             /* of the grid: width and height */
    sb_xy agent, front;                     /* its cell, and the one before it */
    int direction;
    const char *direction_name;
    bool has_target;
    sb_xy target; /* the first thing on the grid, column by column, of those that the mission asks for first */
    char mission[SB_FACTS_MISSION];
    size_t n_things;
    sb_fact things[SB_FACTS_THINGS]; /* on the grid, row by row; what is carried or inside others is left out */
} sb_facts;

struct sb_family {
    const char *name;            /* in names: `babyai:...` */
    const char *version;         /* of the rules; in manifests, packs and tapes: other rules, other episodes */
    const char *const *variants; /* every task has each of them; NULL if the family has none */
    size_t n_variants, n_tasks, n_modes;
    const sb_mode *modes;             /* the first is the default */
    const char *const *dataset_modes; /* what dataset rows show by default; NULL-terminated */
    const sb_task_info *(*task)(size_t index);
    int32_t (*n_actions)(const sb_env *env); /* of a started episode */
    /* Starts env->name (canonical; task_index and variant_index are set) and says the step limit. */
    bool (*start)(sb_env *env, int32_t *max_steps, sb_error *error);
    /* The action is in range and the episode is not over. */
    void (*step)(sb_env *env, sb_action action, sb_result *result);
    void (*observe)(const sb_env *env, const sb_mode *mode, sb_out *out);
    /* What the agent is shown, as numbers: no more than the modes that are not privileged tell. NULL: it has none. An
     * array is as large in all episodes of a task and variant; `extent` fills the first `rank` items. */
    const sb_array *arrays;
    size_t n_arrays;
    void (*extent)(const sb_env *env, size_t array, int32_t extent[SB_ARRAY_RANK]);
    void (*fill)(const sb_env *env, size_t array, void *numbers);
    size_t (*valid)(const sb_env *env, sb_action *out, size_t capacity);
    void (*print_action)(const sb_env *env, sb_action action, sb_out *out);
    bool (*parse_action)(const sb_env *env, const char *text, sb_action *action); /* names; numbers are parsed above */
    bool (*copy)(sb_env *to, const sb_env *from, sb_error *error); /* the state only; `to` is empty or of this family */
    void (*clear)(sb_env *env);
    void (*key)(const sb_env *env, uint64_t key[2]); /* equal if and only if the futures are */
    /* No more than the steps that are left to success; negative if that is proven to be out of reach. NULL: unknown. */
    int (*bound)(const sb_env *env);
    /* Overwrites all of the state that no observation has shown, which leaves observations as they are (but those of
     * privileged modes). NULL: everything is shown. */
    void (*scramble)(sb_env *env);
    /* Privileged: everything as it is. NULL: there are no such facts. */
    void (*facts)(const sb_env *env, sb_facts *facts);
    void (*digest)(const sb_env *env, uint8_t digest[32]); /* of what is visible, as recordings hold it */
    /* Compares one recording in the family's own format; NULL if it has none. False for a malformed recording. */
    bool (*conform)(const sb_family *family, const cJSON *recording, sb_conformity *found, sb_error *error);
};

/* The families there are, NULL-terminated; the first is the one that printed names leave out. Defined once per program:
 * generators/families.c, or a test's own list. */
extern const sb_family *const sb_families[];

const sb_family *sb_family_find(const char *name, sb_error *error);
const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error);
/* The task's index. A version suffix may be left out; unknown names are errors that suggest what was meant. */
bool sb_task_find(const sb_family *family, const char *name, size_t *index, sb_error *error);
/* The same for a name that may say its family (`babyai:GoTo`) and need not if only one has such a task. If several have
 * it that is an error that lists them, but for full names of the first family, which are printed like that. */
bool sb_task_resolve(const char *name, const sb_family **family, size_t *index, sb_error *error);
/* The variant's index. */
bool sb_variant_find(const sb_family *family, const char *name, size_t *index, sb_error *error);

/* Bytes of a number. */
size_t sb_scalar_size(sb_scalar type);

/* An observation, or an action's name, as a JSON string. */
void sb_put_observation_text(sb_out *out, const sb_env *env, const sb_mode *mode);
void sb_put_action_text(sb_out *out, const sb_env *env, sb_action action);
/* An observation as a JSON value: a string, or, if the mode's text is a document, the document itself. */
void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode);

#endif
