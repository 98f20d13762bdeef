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
    sb_name name;              /* task and difficulty; the seed of one that is pinned */
    core_look *look, *picture; /* observations; what render gives, NULL: nothing */
    core_pixels pixels;        /* how they are drawn */
    core_info info;
    bool dense, published_mask, pinned, prints, is_made;
    atomic_bool in_use; /* by a call */
    uint64_t episode;   /* another number whenever another episode is in it; see core_env_begun */
    double last_dense;
    core_shaping *shaping; /* of rewards of progress; NULL: they are others */
    bool has_chain;        /* of the seeds of episodes */
    bool is_waiting;       /* the chain's first episode, that of its own seed, has not begun */
    bool is_foreign;       /* the generator is one that somebody has set */
    uint64_t chain_seed;
    sb_rng chain;
    PyObject *generator;    /* NumPy's for the chain, once somebody has looked at it; then it draws */
    sb_player player;       /* who was asked for hints last */
    bool is_asked;          /* the player began with this episode */
    uint64_t budget;        /* with this budget, and */
    int32_t drawn;          /* the random agent drew so many actions */
    PyObject *action_names; /* once somebody has asked: a program may have ten thousand */
} core_env;

/* Every call that changes the episode, or may let others run while it reads it, begins with `enter`, which is false
 * with an exception if the environment is closed or another call is running, and ends with `leave`, which gives its
 * result back. What Python code does in between (an `__index__`, a `write`, another thread) finds the environment in
 * use. */
bool core_env_enter(core_env *self);
PyObject *core_env_leave(core_env *self, PyObject *result);
/* The same for calls that a closed environment takes as well. */
bool core_env_enter_any(core_env *self);
/* To be called in an environment that was entered: false with an exception if no episode is running. */
bool core_env_is_running(core_env *self);
/* Another episode is in it from now on. */
void core_env_begun(core_env *self);
/* Whether episodes of this name fit its spaces. False with an exception, which begins with `what`. */
bool core_env_fits(core_env *self, const sb_name *name, const char *what);
/* The environment that an argument is, or that it wraps as Gymnasium's wrappers do: a new reference. */
core_env *core_env_of(core *c, PyObject *object);
/* The same, and enters it; `let_go` leaves it and drops the reference. */
core_env *core_env_hold(core *c, PyObject *object);
void core_env_let_go(core_env *self);

/* The tape of an episode, as a str. */
PyObject *core_tape_line(core *c, const sb_env *env, const char *agent);

/* ---- env_chain.c ---- */

void core_env_start_chain(core_env *self, uint64_t seed);
/* The seed of the next episode of the chain, which begins if there is none. False with an exception. */
bool core_env_next_seed(core_env *self, uint64_t *seed);
/* Draws come from this generator from now on; NULL: from the chain in C. */
void core_env_hold_generator(core_env *self, PyObject *generator);
/* (seed, state, increment, whether half a draw is buffered, that half), and back. */
PyObject *core_env_chain_of(const core_env *self);
bool core_env_read_chain(core_env *self, PyObject *tuple);
PyObject *core_env_draw_from(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_get_chain(PyObject *object, void *closure);
PyObject *core_env_get_chain_seed(PyObject *object, void *closure);
int core_env_set_chain_seed(PyObject *object, PyObject *value, void *closure);
PyObject *core_env_get_generator(PyObject *object, void *closure);

/* ---- env_copy.c ---- */

/* Makes an EnvCore's episode a copy of this one, if it has begun (NULL: it has not), and its chain such a one. */
bool core_env_become(core *c, PyObject *object, const sb_env *from, const core_chain *chain, double last_dense);
PyObject *core_env_copy_from(PyObject *object, PyObject *other);
PyObject *core_env_tape(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_save(PyObject *object, PyObject *none);
PyObject *core_env_load(PyObject *object, PyObject *saved);

/* ---- env_about.c ---- */

extern PyGetSetDef core_env_attributes[];
/* Makes as much of an environment as names of actions depend on, whether an episode has begun or not; nothing in it has
 * to be freed. False with an exception. */
bool core_env_name_actions(core_env *self, sb_env *plain);
/* The key of an environment that was entered, as an int; None before the first episode. */
PyObject *core_env_key(core_env *self);

/* ---- player.c, facts.c, coding.c ---- */

PyObject *core_env_expert_action(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_hint(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_env_facts(PyObject *object, PyObject *none);
PyObject *core_env_fact(PyObject *object, void *which);
/* The names of those attributes that are facts, by their number. */
enum { CORE_MISSION, CORE_AGENT_POS, CORE_AGENT_DIR, CORE_CARRYING };
PyObject *core_env_api(PyObject *object, void *closure);

#endif
