/* Copies of environments: in memory, as tapes, and as pickles, which are replayed. */
#include "api/env.h"
#include "python/core/env.h"
#include "seedbed/tape.h"

/* ---- Copies ---- */

/* Copies a generator of NumPy, which knows how to copy itself. */
static PyObject *copy_of(PyObject *generator) {
    PyObject *module = PyImport_ImportModule("copy");
    PyObject *made = module ? PyObject_CallMethod(module, "deepcopy", "(O)", generator) : NULL;
    Py_XDECREF(module);
    return made;
}

static bool fits_both(core_env *self, const core_env *from) {
    return core_env_fits(self, &from->name, "copy_from") &&
           (!from->env->family || core_env_fits(self, &from->env->name, "copy_from"));
}

static PyObject *copy_all(core_env *self, core_env *from) {
    sb_error error;
    if (from == self) Py_RETURN_NONE;
    if (!fits_both(self, from)) return NULL;
    PyObject *generator = from->generator ? copy_of(from->generator) : NULL;
    if (from->generator && !generator) return NULL;
    core_env_begun(self);
    if (!sb_copy(self->env, from->env, &error)) return Py_XDECREF(generator), core_raise(self->core, &error);
    self->name = from->name, self->pinned = from->pinned, self->last_dense = from->last_dense;
    self->has_chain = from->has_chain, self->is_waiting = from->is_waiting, self->is_foreign = from->is_foreign;
    self->chain_seed = from->chain_seed, self->chain = from->chain;
    core_env_hold_generator(self, generator);
    Py_XDECREF(generator);
    Py_RETURN_NONE;
}

PyObject *core_env_copy_from(PyObject *object, PyObject *other) {
    core_env *self = (core_env *)object, *from = core_env_of(self->core, other);
    PyObject *done = NULL;
    if (from && core_env_enter(self)) {
        if (from == self || core_env_enter(from)) {
            done = copy_all(self, from);
            if (from != self) core_env_leave(from, NULL);
        }
        core_env_leave(self, NULL);
    }
    Py_XDECREF((PyObject *)from);
    return done;
}

/* ---- For vectors and players ---- */

core_env *core_env_hold(core *c, PyObject *object) {
    core_env *self = core_env_of(c, object);
    if (!self || core_env_enter(self)) return self;
    Py_DECREF((PyObject *)self);
    return NULL;
}

void core_env_let_go(core_env *self) {
    core_env_leave(self, NULL);
    Py_DECREF((PyObject *)self);
}

bool core_env_become(core *c, PyObject *object, const sb_env *from, const core_chain *chain, double last_dense) {
    core_env *self = core_env_hold(c, object);
    sb_error error;
    if (!self) return false;
    const bool ok = !from || (core_env_fits(self, &from->name, "the copy") &&
                              (sb_copy(self->env, from, &error) || (core_raise(c, &error), false)));
    if (ok) {
        core_env_start_chain(self, chain->seed);
        self->has_chain = chain->begun, self->chain = chain->rng, self->last_dense = last_dense;
        core_env_begun(self);
    }
    core_env_let_go(self);
    return ok;
}

/* ---- Tapes ---- */

PyObject *core_tape_line(core *c, const sb_env *env, const char *agent) {
    sb_error error;
    sb_tape *made = sb_tape_of(env, agent, &error);
    if (!made) return core_raise(c, &error);
    const size_t n = sb_tape_print(made, NULL, 0);
    char *line = PyMem_Malloc(n + 1);
    if (line) sb_tape_print(made, line, n + 1);
    sb_tape_free(made);
    PyObject *text = line ? PyUnicode_DecodeUTF8(line, (Py_ssize_t)n, NULL) : PyErr_NoMemory();
    PyMem_Free(line);
    return text;
}

PyObject *core_env_tape(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"agent", NULL};
    core_env *self = (core_env *)object;
    const char *agent = "python";
    if (!core_parse_keywords(positional, keywords, "|s:tape", names, &agent)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, core_tape_line(self->core, self->env, agent)) : NULL;
}

/* ---- Pickles ---- */

/* What `_load` takes: (tape, key, last dense reward, chain, whether the chain waits, whether its generator is foreign,
 * generator), with None for what there is not. */
static PyObject *saved(core_env *self) {
    const bool is_begun = self->env->family != NULL;
    PyObject *line = is_begun ? core_tape_line(self->core, self->env, "python") : Py_NewRef(Py_None);
    PyObject *key = line ? core_env_key(self) : NULL;
    PyObject *chain = !key ? NULL : self->has_chain ? core_env_chain_of(self) : Py_NewRef(Py_None);
    if (!chain) return Py_XDECREF(line), Py_XDECREF(key), NULL;
    return Py_BuildValue("(NNdNOOO)", line, key, self->last_dense, chain, self->is_waiting ? Py_True : Py_False,
                         self->is_foreign ? Py_True : Py_False, self->generator ? self->generator : Py_None);
}

PyObject *core_env_save(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, saved(self)) : NULL;
}

static bool replay(core_env *self, const char *line, Py_ssize_t n) {
    sb_error error;
    sb_tape *played = sb_tape_load(self->core->catalogue, line, (size_t)n, &error);
    if (!played) return core_raise(self->core, &error), false;
    bool ok = core_env_fits(self, sb_tape_name(played), "the saved episode");
    if (ok && !sb_tape_replay(played, self->env, NULL, NULL, &error)) {
        ok = false;
        sb_empty(self->env);
        core_raise(self->core, &error);
    }
    sb_tape_free(played);
    return ok;
}

static bool is_key(core_env *self, PyObject *key) {
    PyObject *own = core_env_key(self);
    const int same = own ? PyObject_RichCompareBool(own, key, Py_EQ) : -1;
    Py_XDECREF(own);
    if (same == 0) {
        sb_empty(self->env);
        core_refuse(self->core, "MismatchError", "the saved episode ends in another state when it is replayed");
    }
    return same > 0;
}

static PyObject *loaded(core_env *self, PyObject *saved) {
    if (!PyTuple_Check(saved)) return core_refuse(self->core, "InvalidError", "_load takes what _save gave");
    const char *line;
    Py_ssize_t n;
    PyObject *key, *chain, *generator;
    double last_dense;
    int is_waiting, is_foreign;
    if (!core_parse(saved, "z#OdOppO:_load", &line, &n, &key, &last_dense, &chain, &is_waiting, &is_foreign,
                    &generator))
        return NULL;
    core_env_begun(self);
    if (line && (!replay(self, line, n) || !is_key(self, key))) return NULL;
    if (chain != Py_None && !core_env_read_chain(self, chain)) return NULL;
    self->last_dense = last_dense, self->is_waiting = is_waiting, self->is_foreign = is_foreign;
    self->has_chain = chain != Py_None;
    core_env_hold_generator(self, generator == Py_None ? NULL : generator);
    Py_RETURN_NONE;
}

PyObject *core_env_load(PyObject *object, PyObject *saved) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, loaded(self, saved)) : NULL;
}
