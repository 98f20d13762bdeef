/* Whether long work is to stop, for callers who may be interrupted. */
#ifndef SB_BASE_STOP_H
#define SB_BASE_STOP_H

#include <stdbool.h>

typedef struct sb_stop {
    bool (*asked)(void *context); /* is called often, in any thread */
    void *context;
} sb_stop;

/* Whether somebody asked to stop; NULL: nobody can. */
static inline bool sb_is_stopped(const sb_stop *stop) { return stop && stop->asked(stop->context); }

#endif
