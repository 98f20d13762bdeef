#include "python/core/stream.h"

#include <unistd.h>

enum { MOST_JOBS = 1024 }; /* more workers are asked for only by mistake, and every machine can begin so many */

Py_ssize_t core_jobs(core *c, PyObject *jobs) {
    const Py_ssize_t n = PyNumber_AsSsize_t(jobs, PyExc_OverflowError);
    if (n >= 0 && n <= MOST_JOBS) return n;
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
    }
    core_refuse(c, "InvalidError", "jobs is a whole number from 0 (a worker for each processor) to %d", MOST_JOBS);
    return -1;
}

bool core_stream_begin(core *c, core_stream *stream, const sb_pool *pool, size_t n) {
    sb_error error;
    stream->process = getpid();
    Py_BEGIN_ALLOW_THREADS;
    stream->results = sb_pool_begin(pool, n, &error);
    Py_END_ALLOW_THREADS;
    return stream->results || (core_raise(c, &error), false);
}

void *core_stream_next(core *c, core_stream *stream) {
    sb_error error;
    void *slot = NULL;
    bool ok;
    if (!stream->results || PyErr_CheckSignals() < 0) return NULL;
    if (stream->process != getpid())
        return core_refuse(c, "Error", "this iterator was begun by the parent process: begin a new one");
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_pool_next(stream->results, &slot, &error);
    Py_END_ALLOW_THREADS;
    if (ok) return slot;
    core_stream_end(stream);
    return error.code == SB_OK ? NULL : core_raise(c, &error);
}

/* Ends the stream. In a child process nothing is ended: its copies of the workers are not there, and what the parent
 * process began stays as it is. */
void core_stream_end(core_stream *stream) {
    if (stream->results && stream->process == getpid()) {
        Py_BEGIN_ALLOW_THREADS;
        sb_pool_end(stream->results);
        Py_END_ALLOW_THREADS;
    }
    stream->results = NULL;
}
