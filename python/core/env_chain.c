/* The chain of an environment's episodes: each reset without a seed draws the next one from a generator, which is
 * NumPy's default_rng in C until somebody looks at it, and NumPy's own object from then on. */
#include "python/core/env.h"

void core_env_start_chain(core_env *self, uint64_t seed) {
    self->has_chain = true, self->is_waiting = self->is_foreign = false;
    self->chain_seed = seed;
    sb_rng_seed(&self->chain, seed, NULL);
    Py_CLEAR(self->generator);
}

/* ---- Drawing ---- */

static bool draw(core_env *self, uint64_t *seed) {
    if (!self->generator) return *seed = (uint64_t)sb_integers(&self->chain, 0, INT64_C(1) << 31), true;
    PyObject *drawn = PyObject_CallMethod(self->generator, "integers", "iL", 0, (long long)INT64_C(1) << 31);
    const bool ok = drawn && core_seed(self->core, drawn, "a draw", seed);
    Py_XDECREF(drawn);
    return ok;
}

bool core_env_next_seed(core_env *self, uint64_t *seed) {
    if (!self->has_chain) core_env_start_chain(self, core_entropy());
    if (!self->is_waiting) return draw(self, seed);
    *seed = self->chain_seed;
    self->is_waiting = false;
    return true;
}

/* ---- For the glue, and for copies ---- */

PyObject *core_env_chain_of(const core_env *self) {
    return Py_BuildValue("(Ky#y#II)", (unsigned long long)self->chain_seed, (const char *)&self->chain.state,
                         (Py_ssize_t)sizeof self->chain.state, (const char *)&self->chain.increment,
                         (Py_ssize_t)sizeof self->chain.increment, (unsigned)self->chain.buffered,
                         (unsigned)self->chain.buffer);
}

bool core_env_read_chain(core_env *self, PyObject *tuple) {
    unsigned long long seed;
    unsigned buffered, buffer;
    const char *state, *increment;
    Py_ssize_t n_state, n_increment;
    if (!PyTuple_Check(tuple)) return core_refuse(self->core, "InvalidError", "a chain is a tuple"), false;
    if (!core_parse(tuple, "Ky#y#II", &seed, &state, &n_state, &increment, &n_increment, &buffered, &buffer))
        return false;
    sb_rng chain = {.buffered = buffered != 0, .buffer = buffer};
    if (n_state != sizeof chain.state || n_increment != sizeof chain.increment)
        return core_refuse(self->core, "InvalidError", "a chain's state has 16 bytes"), false;
    memcpy(&chain.state, state, sizeof chain.state), memcpy(&chain.increment, increment, sizeof chain.increment);
    core_env_start_chain(self, seed);
    self->chain = chain;
    return true;
}

PyObject *core_env_get_chain(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->has_chain) core_env_start_chain(self, core_entropy());
    return core_env_chain_of(self);
}

PyObject *core_env_get_chain_seed(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->has_chain) core_env_start_chain(self, core_entropy());
    return self->is_foreign ? PyLong_FromLong(-1) : PyLong_FromUnsignedLongLong(self->chain_seed);
}

/* Sets nothing. Gymnasium says that a generator which was set has the seed -1, as it has here in any case. */
int core_env_set_chain_seed(PyObject *object, PyObject *value, void *closure) {
    (void)object, (void)value, (void)closure;
    return 0;
}

PyObject *core_env_get_generator(PyObject *object, void *closure) {
    (void)closure;
    PyObject *generator = ((core_env *)object)->generator;
    return Py_NewRef(generator ? generator : Py_None);
}

void core_env_hold_generator(core_env *self, PyObject *generator) {
    PyObject *old = self->generator;
    self->generator = Py_XNewRef(generator);
    Py_XDECREF(old);
}

/* Lets this generator draw the chain's seeds from now on. `foreign`: it is not the chain's own; None: there is no chain
 * any more. */
PyObject *core_env_draw_from(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"generator", "foreign", NULL};
    core_env *self = (core_env *)object;
    PyObject *generator;
    int foreign = 0;
    if (!core_parse_keywords(positional, keywords, "O|p:_draw_from", names, &generator, &foreign)) return NULL;
    if (!core_env_enter_any(self)) return NULL;
    core_env_hold_generator(self, generator == Py_None ? NULL : generator);
    if (foreign) {
        self->has_chain = self->is_foreign = generator != Py_None;
        self->is_waiting = false;
    }
    return core_env_leave(self, Py_NewRef(Py_None));
}
