/* The inside of VecCore, for the files that it is made of. */
#ifndef SB_PYTHON_VECTOR_H
#define SB_PYTHON_VECTOR_H

#include <pthread.h>
#include <sys/types.h>

#include "python/core/frame.h"
#include "python/core/info.h"
#include "python/core/making.h"
#include "python/core/shaping.h"
#include "rollout/mixture.h"
#include "rollout/tape.h"
#include "seedbed/player.h"

typedef enum core_then {
    CORE_THEN_CHAIN,
    CORE_THEN_SAME,
    CORE_THEN_NEXT,
    CORE_THEN_STOP,
    CORE_THEN_DRAW,
    CORE_THEN_REPEAT
} core_then;

enum { CORE_AGENTS = 4 /* agents of expert_actions that are remembered */ };

/* Who has the vector. */
enum { CORE_VEC_FREE, CORE_VEC_IN_CALL, CORE_VEC_STEPS /* between step_async and step_wait */ };

/* Flags that infos hold. */
enum {
    CORE_SUCCESS,
    CORE_HAS_SUCCESS,
    CORE_FINAL_SUCCESS,
    CORE_HAS_FINAL_SUCCESS,
    CORE_HAS_FINAL,
    CORE_IDLE,
    CORE_VEC_FLAGS
};

typedef struct core_experts {
    char agent[SB_AGENT_NAME];
    sb_players *players;
} core_experts;

typedef struct core_vec {
    PyObject_HEAD core *core;
    core_look *look, *picture; /* observations of single environments; what render draws, NULL: nothing */
    core_frame frame;
    core_memory rewards, terminations, truncations;
    core_form flag_forms[CORE_VEC_FLAGS];
    core_info info;
    atomic_int use;                 /* who has the vector, such as CORE_VEC_IN_CALL */
    bool is_made, is_ready, closed; /* is_ready: nothing was wrong when it was made */
    bool dense, published_mask, records;
    sb_autoreset autoreset;
    core_then then;
    size_t threads, n;
    int32_t n_buttons, n_actions;

    sb_name *names; /* n names, or the names of all episodes of a list */
    bool *pinned;   /* for each name, whether it has a seed */
    size_t n_names, next_name;
    core_chain *chains;
    sb_mixture *mixture; /* the mixture of CORE_THEN_DRAW; otherwise NULL */
    /* Episodes since the last reset with a seed, and after how many of them progress is 1; 0: never. */
    uint64_t n_drawn, total;
    double progress; /* progress as it was set; negative: n_drawn and total tell it */

    sb_batch *batch; /* NULL until the first reset */
    sb_action *actions;
    sb_result *results;
    bool *begun, *idle, *ended; /* ended: in the last step, and another episode followed at once */
    bool *flags[2];             /* scratch */
    sb_name *starts;            /* names of what a reset begins */
    sb_env **finals;            /* copies of the environments as their episodes ended, for SB_SAME_STEP */
    atomic_bool failed;         /* a copy of an environment could not be made */
    core_shaping *shaping;      /* for rewards of progress; NULL: rewards are others */

    core_experts experts[CORE_AGENTS];
    size_t next_expert;

    pthread_t thread; /* the thread of step_async */
    pid_t process;
    bool has_thread, ok;
    sb_error error;
} core_vec;

/* Whether the episodes are those of a list, one after the other. */
static inline bool core_vec_is_list(const core_vec *self) {
    return self->then == CORE_THEN_NEXT || self->then == CORE_THEN_REPEAT;
}

/* Every call begins with `enter`, which is false with an exception if the vector is closed or in use, and ends with
 * `leave`, which gives its result back. */
bool core_vec_enter(core_vec *self);
PyObject *core_vec_leave(core_vec *self, PyObject *result);
/* Enters the vector, in which an episode must have begun. */
bool core_vec_enter_begun(core_vec *self);
/* Whether episodes of this name can be among those of the vector. False with an exception. */
bool core_vec_fits(const core_vec *self, const sb_name *name);
/* The arrays of numbers: rewards, terminations and truncations first. NULL behind the last. */
core_memory *core_vec_memory(core_vec *self, size_t at);

/* Frees the batch and those who play in it. */
void core_vec_drop_batch(core_vec *self);

/* ---- vector_look.c ---- */

PyObject *core_vec_render(PyObject *object, PyObject *none);
PyObject *core_vec_names(PyObject *object, PyObject *none);
PyObject *core_vec_action_masks(PyObject *object, PyObject *none);
PyObject *core_vec_keys(PyObject *object, PyObject *none);
PyObject *core_vec_copy_env(PyObject *object, PyObject *arguments);
PyObject *core_vec_copy_to(PyObject *object, PyObject *arguments);
PyObject *core_vec_name_at(PyObject *object, PyObject *at);
PyObject *core_vec_made_of(PyObject *object, PyObject *none);
PyObject *core_vec_expert_actions(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_vec_set_array(PyObject *object, PyObject *arguments);
extern PyGetSetDef core_vec_attributes[];

/* ---- vector_reset.c ---- */

/* How far training has come: 0 to 1. */
double core_vec_progress(const core_vec *self);
PyObject *core_vec_reset(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_vec_observe(PyObject *object, PyObject *none);
/* Makes a batch in which no episode has begun. */
sb_batch *core_vec_idle_batch(core_vec *self, sb_error *error);

/* ---- vector_save.c ---- */

PyObject *core_vec_save(PyObject *object, PyObject *none);
PyObject *core_vec_load(PyObject *object, PyObject *dict);
PyObject *core_vec_become(PyObject *object, PyObject *other);

/* ---- vector_info.c ---- */

/* The infos of a step, or of a reset of the environments that are marked (NULL: of all). */
PyObject *core_vec_infos(core_vec *self, const bool *which, bool stepped);

/* ---- vector_step.c ---- */

PyObject *core_vec_step(PyObject *object, PyObject *actions);
PyObject *core_vec_step_async(PyObject *object, PyObject *actions);
PyObject *core_vec_step_wait(PyObject *object, PyObject *none);
/* Waits for the thread of step_async. */
void core_vec_join(core_vec *self);
/* Whether a fork left a step behind: there is no thread of it then, and nobody knows how far it is. */
bool core_vec_is_lost(const core_vec *self);

#endif
