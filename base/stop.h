/* Whether long work is to stop, for callers who may be interrupted. */
#ifndef SB_BASE_STOP_H
#define SB_BASE_STOP_H

#include <stdbool.h>

typedef struct sb_stop {
    bool (*asked)(void *context); /* is called often, in any thread */
    void *context;
} sb_stop;

#endif
