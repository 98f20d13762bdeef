/* EnvCore: one environment, as the files of the extension module see it. */
#ifndef SB_PYTHON_ENV_H
#define SB_PYTHON_ENV_H

#include "engine/environment.h"
#include "oracles/player.h"
#include "python/core/info.h"
#include "python/core/making.h"
#include "python/core/shaping.h"

typedef struct core_env {
    PyObject_HEAD core *core;
    sb_env *env;               /* NULL: not made yet, or closed */
    sb_name name;              /* task and difficulty; also the seed, if that is pinned */
    core_look *look, *picture; /* observations; what render gives, NULL: nothing */
    core_pixels pixels;        /* how pixels are drawn */
    core_info info;
    bool dense, published_mask, pinned, prints, is_made;
    atomic_bool in_use; /* a call uses the environment */
    uint64_t episode;   /* another number whenever another episode is in the environment; see core_env_begun */
    double last_dense;
    core_shaping *shaping; /* for rewards of progress; NULL: rewards are others */
    bool has_chain;        /* seeds of episodes come from a chain */
    bool is_waiting;       /* the chain's first episode, which has the chain's own seed, has not begun */
    bool is_foreign;       /* the chain's generator is one that somebody has set */
    uint64_t chain_seed;
    sb_rng chain;
    PyObject *generator;    /* NumPy's generator for the chain, once somebody has looked at it; then it draws */
    sb_player player;       /* the player that was asked for hints last */
    bool is_asked;          /* the player of hints began with this episode */
    uint64_t budget;        /* the budget with which the player of hints began */
    int32_t drawn;          /* how many actions the random agent drew */
    PyObject *action_names; /* names of actions, once somebody has asked: a program may have ten thousand */
} core_env;

/* Every call that changes the episode, or may let others run while it reads it, begins with `enter`, which is false
 * with an exception if the environment is closed or another call is running, and ends with `leave`, which gives its
 * result back. What Python code does in between (an `__index__`, a `write`, another thread) finds the environment in
 * use. */
bool core_env_enter(core_env *self);
PyObject *core_env_leave(core_env *self, PyObject *result);
/* Enters an environment for a call that a closed one takes as well. */
bool core_env_enter_any(core_env *self);
/* To be called in an environment that was entered: false with an exception if no episode is running. */
bool core_env_is_running(core_env *self);
/* Tells an environment that another episode is in it from now on. */
void core_env_begun(core_env *self);
/* Whether episodes of this name fit the environment's spaces. False with an exception, which begins with `what`. */
bool core_env_fits(core_env *self, const sb_name *name, const char *what);
/* The environment that an argument is, or that it wraps as Gymnasium's wrappers do: a new reference. */
core_env *core_env_of(core *c, PyObject *object);
/* Enters the environment that core_env_of finds; `let_go` leaves it and drops the reference. */
core_env *core_env_hold(core *c, PyObject *object);
void core_env_let_go(core_env *self);

/* The tape of an episode, as a str. */
PyObject *core_tape_line(core *c, const sb_env *env, const char *agent);

/* ---- env_chain.c ---- */

void core_env_start_chain(core_env *self, uint64_t seed);
/* The seed of the next episode of the chain, which begins if there is none. False with an exception. */
bool core_env_next_seed(core_env *self, uint64_t *seed);
/* Lets this generator draw the chain's seeds from now on; NULL: the chain in C does. */
void core_env_hold_generator(core_env *self, PyObject *generator);
/* A chain as a tuple (seed, state, increment, whether half a draw is buffered, that half), and back. */
PyObject *core_env_chain_of(const core_env *self);
bool core_env_read_chain(core_env *self, PyObject *tuple);
PyObject *core_env_draw_from(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_get_chain(PyObject *object, void *closure);
PyObject *core_env_get_chain_seed(PyObject *object, void *closure);
int core_env_set_chain_seed(PyObject *object, PyObject *value, void *closure);
PyObject *core_env_get_generator(PyObject *object, void *closure);

/* ---- env_copy.c ---- */

/* Makes an EnvCore's episode a copy of that of `from`, if one has begun (NULL: none has), and its chain a copy of
 * `chain`. */
bool core_env_become(core *c, PyObject *object, const sb_env *from, const core_chain *chain, double last_dense);
PyObject *core_env_copy_from(PyObject *object, PyObject *other);
PyObject *core_env_tape(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_save(PyObject *object, PyObject *none);
PyObject *core_env_load(PyObject *object, PyObject *saved);

/* ---- env_about.c ---- */

extern PyGetSetDef core_env_attributes[];
/* Makes as much of an environment as names of actions depend on, whether an episode has begun or not; nothing in
 * `plain` has to be freed. False with an exception. */
bool core_env_name_actions(core_env *self, sb_env *plain);
/* The key of an environment that was entered, as an int; None before the first episode. */
PyObject *core_env_key(core_env *self);

/* ---- player.c, facts.c, coding.c ---- */

PyObject *core_env_expert_action(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_hint(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_facts(PyObject *object, PyObject *none);
PyObject *core_env_fact(PyObject *object, void *which);
/* Numbers of the attributes that are facts. */
enum { CORE_MISSION, CORE_AGENT_POS, CORE_AGENT_DIR, CORE_CARRYING };
PyObject *core_env_api(PyObject *object, void *closure);

#endif
