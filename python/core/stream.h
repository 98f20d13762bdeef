/* Results that workers make and an iterator hands out: what all iterators of that kind need. */
#ifndef SB_PYTHON_STREAM_H
#define SB_PYTHON_STREAM_H

#include <sys/types.h>

#include "base/pool.h"
#include "python/core/core.h"

typedef struct core_stream {
    sb_pool_results *results; /* NULL: not begun, or ended */
    pid_t process;            /* the process whose threads the workers are: after a fork the child has none */
} core_stream;

/* How many workers the argument `jobs` asks for; -1 with an exception. */
Py_ssize_t core_jobs(core *c, PyObject *jobs);
bool core_stream_begin(core *c, core_stream *stream, const sb_pool *pool, size_t n);
/* Waits for the next result while other Python threads run. NULL after the last one, or with an exception, such as
 * KeyboardInterrupt. One call at a time. */
void *core_stream_next(core *c, core_stream *stream);
void core_stream_end(core_stream *stream);

#endif
