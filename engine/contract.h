/* The contract between worlds and everything above them. A family lists its tasks and difficulties, makes an episode
 * from a name, steps it, shows it, and copies it. Nothing above this line knows of grids or of six actions. A hook that
 * may be NULL says so; all others are there. */
#ifndef SB_ENGINE_CONTRACT_H
#define SB_ENGINE_CONTRACT_H

#include "base/out.h"
#include "seedbed.h"

typedef struct sb_fact_source sb_fact_source;

/* What a user may bring to a family (engine/catalogue.h, engine/derived.h). */
typedef struct sb_imports {
    /* Reads a program and makes a task of it, on the heap, whose name is filled in later; the engine's own data may
     * follow the task. The text outlives it. NULL: the family takes no programs. */
    sb_task_info *(*read)(const char *text, size_t n, sb_error *error);
    void (*drop)(sb_task_info *task);
    /* Whether episodes of this difficulty are dear to start. They are kept in catalogues, and selections take them from
     * packs only. NULL: none is. */
    bool (*is_derived)(const sb_task_info *task, size_t difficulty);
    const char *how_to_derive; /* what a user does to get a pack of them: a command */
} sb_imports;

/* Of a family; the tasks of a catalogue included. */
enum { SB_TASKS_MAX = 1024, SB_DIFFICULTIES_MAX = 24 };

struct sb_family {
    const char *name;    /* in names: `babyai:...` */
    const char *version; /* of the rules; in manifests, packs and tapes: other rules, other episodes */
    /* Every task has each of them, one at least; "" is the one that names leave out. */
    const char *const *difficulties;
    size_t n_difficulties, n_tasks, n_modes;
    size_t n_usual; /* a selection that names no difficulty takes the first so many; 0: all */
    sb_hiding hiding;
    const sb_mode *modes;             /* the first is the default */
    const char *const *dataset_modes; /* what dataset rows show by default; NULL-terminated */
    /* What the agent is shown, as numbers: no more than the modes that are not privileged tell. NULL: it has none. */
    const sb_array *arrays;
    size_t n_arrays;
    const sb_task_info *(*task)(size_t index);
    /* What all episodes of a task and difficulty have in common; `shape` comes zeroed. */
    void (*shape)(const sb_task_info *task, size_t difficulty, sb_shape *shape);
    /* Starts env->name (canonical; task, task_index, difficulty_index and shape are set) and says the step limit.
     * Whatever can fail or has to be searched for happens here, for the whole episode. */
    bool (*start)(sb_env *env, int32_t *max_steps, sb_error *error);
    /* The action is in range and the episode is not over. Allocates nothing and cannot fail: what goes wrong in the
     * world is result->fault (which comes false), and then the state stays as it was. Writes all else of the result. */
    void (*step)(sb_env *env, sb_action action, sb_result *result);
    /* The standing after start and after every step: `score`, `level` and `n_levels`. NULL: none of them. */
    void (*stand)(const sb_env *env, sb_status *status);
    void (*tell_fault)(const sb_env *env, sb_out *out); /* why the last step was a fault; NULL: there are no faults */
    void (*observe)(const sb_env *env, const sb_mode *mode, sb_out *out);
    void (*fill)(const sb_env *env, size_t array, void *numbers);
    /* Which buttons are on offer: n_buttons entries, and where there is a click area one more for all clicks. */
    void (*valid)(const sb_env *env, bool *mask);
    /* Clicks that are worth trying, ascending: every other click does what one of these or a button does, so that a
     * search may leave it out. NULL: each click is worth trying. */
    size_t (*clicks)(const sb_env *env, sb_action *out, size_t capacity);
    void (*print_action)(const sb_env *env, sb_action action, sb_out *out);
    bool (*parse_action)(const sb_env *env, const char *text, sb_action *action); /* names; numbers are parsed above */
    bool (*copy)(sb_env *to, const sb_env *from, sb_error *error); /* the state only; `to` is empty or of this family */
    void (*clear)(sb_env *env);
    void (*key)(const sb_env *env, uint64_t key[2]); /* equal keys, equal futures */
    /* No more than the steps that are left to success; negative if that is proven to be out of reach. NULL: unknown. */
    int (*bound)(const sb_env *env);
    /* Overwrites all of the state that no observation has shown, which leaves observations as they are (but those of
     * privileged modes). There if and only if `hiding` says SB_CAN_HIDE. */
    void (*hide)(sb_env *env);
    const sb_fact_source *facts;                           /* engine/facts.h; NULL: it has none */
    void (*digest)(const sb_env *env, uint8_t digest[32]); /* of what is visible, as recordings hold it */
    const sb_imports *imports;                             /* what users may bring; NULL: nothing */
};

#endif
