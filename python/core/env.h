/* EnvCore: one environment, as the files of the extension module see it. */
#ifndef SB_PYTHON_ENV_H
#define SB_PYTHON_ENV_H

#include "engine/environment.h"
#include "oracles/player.h"
#include "python/core/info.h"
#include "python/core/making.h"

typedef struct core_env {
    PyObject_HEAD core *core;
    sb_env *env;               /* NULL: not made yet, or closed */
    sb_name name;              /* task and difficulty; the seed of one that is pinned */
    core_look *look, *picture; /* observations; what render gives, NULL: nothing */
    core_info info;
    bool dense, pinned, prints, is_made;
    bool busy;        /* a call is running, of whatever thread */
    uint64_t episode; /* another number whenever another episode is in it; see core_env_begun */
    double last_dense;
    bool has_chain;  /* of the seeds of episodes */
    bool is_waiting; /* the chain's first episode, that of its own seed, has not begun */
    bool is_foreign; /* the generator is one that somebody has set */
    uint64_t chain_seed;
    sb_rng chain;
    PyObject *generator; /* NumPy's for the chain, once somebody has looked at it; then it draws */
    sb_player player;    /* who was asked for hints last */
    bool is_asked;       /* the player began with this episode */
    uint64_t budget;     /* with this budget, and */
    int32_t drawn;       /* the random agent drew so many actions */
} core_env;

/* Every call that reads or changes the episode begins with `enter`, which is false with an exception if the environment
 * is closed or another call is running, and ends with `leave`, which gives its result back. What Python code does in
 * between (an `__index__`, a `write`, another thread) finds the environment in use. */
bool core_env_enter(core_env *self);
PyObject *core_env_leave(core_env *self, PyObject *result);
/* To be called in an environment that was entered: false with an exception if no episode is running. */
bool core_env_is_running(core_env *self);
/* Another episode is in it from now on. */
void core_env_begun(core_env *self);
/* The environment that an argument is, or that it wraps as Gymnasium's wrappers do: a new reference. */
core_env *core_env_of(core *c, PyObject *object);

/* Methods of EnvCore that are elsewhere. */
PyObject *core_env_expert_action(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_hint(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_facts(PyObject *object, PyObject *none);
PyObject *core_env_fact(PyObject *object, void *which);
/* The names of those attributes that are facts, by their number. */
enum { CORE_MISSION, CORE_AGENT_POS, CORE_AGENT_DIR, CORE_CARRYING };
PyObject *core_env_api(PyObject *object, void *closure);

#endif
