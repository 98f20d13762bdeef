/* What all types of the module have in common, and what all long work has. */
#include <pthread.h>
#include <time.h>

#include "base/system.h"
#include "python/core/core.h"

core *core_of_type(PyTypeObject *type) {
    for (; type; type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base)) {
        core *c = PyType_GetModuleState(type);
        if (c) return c;
        PyErr_Clear(); /* the type is a class of Python's, whose base may be ours */
    }
    PyErr_SetString(PyExc_SystemError, "a type of seedbed without its module");
    return NULL;
}

typedef struct any_object {
    PyObject_HEAD core *core;
} any_object;

void *core_new(PyTypeObject *type) {
    core *c = core_of_type(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    any_object *object = c ? (any_object *)allocate(type, 0) : NULL;
    if (object) object->core = c;
    return object;
}

void core_delete(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    freefunc drop = (freefunc)PyType_GetSlot(type, Py_tp_free);
    drop(object);
    Py_DECREF(type);
}

bool core_is(core *c, core_type type, PyObject *object) { return PyObject_TypeCheck(object, c->type[type]); }

bool core_take(atomic_bool *in_use, const char *what) {
    if (!atomic_exchange(in_use, true)) return true;
    PyErr_Format(PyExc_RuntimeError, "%s in use by another thread", what);
    return false;
}

void core_give_back(atomic_bool *in_use) { atomic_store(in_use, false); }

/* ---- Long work ---- */

bool core_breathe(void) {
    Py_BEGIN_ALLOW_THREADS;
    Py_END_ALLOW_THREADS;
    return PyErr_CheckSignals() == 0;
}

typedef struct running {
    core_job *job;
    void *context;
    sb_error error;
    sb_stop stop;
    bool ok;
    atomic_bool done, interrupted;
} running;

static bool is_interrupted(void *context) { return atomic_load(&((running *)context)->interrupted); }

static void *run_job(void *context) {
    running *r = context;
    r->ok = r->job(r->context, &r->stop, &r->error);
    atomic_store(&r->done, true);
    return NULL;
}

/* Sleeps longer and longer, so that short work is not waited for, and looks for signals after the longest sleeps. */
static void watch(running *r) {
    enum { SHORTEST = 20 * 1000, LONGEST = 20 * 1000 * 1000 }; /* nanoseconds of a sleep */
    PyThreadState *thread = PyEval_SaveThread();
    for (long nap = SHORTEST; !atomic_load(&r->done); nap = nap < LONGEST / 2 ? 2 * nap : LONGEST) {
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        if (nap < LONGEST || atomic_load(&r->interrupted)) continue;
        PyEval_RestoreThread(thread);
        if (PyErr_CheckSignals() < 0) atomic_store(&r->interrupted, true);
        thread = PyEval_SaveThread();
    }
    PyEval_RestoreThread(thread);
}

bool core_run(core *c, core_job *job, void *context) {
    running r = {.job = job, .context = context, .stop = {.asked = is_interrupted, .context = &r}};
    pthread_t thread;
    const bool started = sb_start_thread(&thread, SB_STACK, run_job, &r) == 0;
    if (started) {
        watch(&r);
        pthread_join(thread, NULL);
    } else {
        PyThreadState *state = PyEval_SaveThread();
        run_job(&r);
        PyEval_RestoreThread(state);
    }
    if (atomic_load(&r.interrupted)) return false;
    return r.ok || (core_raise(c, &r.error), false);
}
