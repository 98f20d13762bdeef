/* Work on numbered items by several threads, results taken in order. */
#ifndef SB_BASE_POOL_H
#define SB_BASE_POOL_H

#include "seedbed.h"

/* Does item `index` into `slot`, with the worker's own scratch. Runs in any thread; must depend on nothing but its
 * arguments. Returns false with an error to stop everything. */
typedef bool sb_work(void *context, void *scratch, size_t index, void *slot, sb_error *error);
/* Takes the result of item `index`. Runs in the calling thread, for every index in ascending order. */
typedef bool sb_take(void *context, size_t index, void *slot, sb_error *error);

typedef struct sb_pool {
    size_t workers; /* 0: as many as there are processors */
    void *context;
    sb_take *give; /* may be NULL: puts into the slot what the work on item `index` needs, for what can only be read in
                      order. In any thread, but one at a time and for every index in ascending order */
    sb_work *work;
    sb_take *take;
    size_t slot_size, scratch_size; /* slots and scratches start zeroed and are reused, not cleared */
    void (*free_slot)(void *slot), (*free_scratch)(void *scratch); /* may be NULL */
} sb_pool;

/* Runs items 0..n-1. The first failure in index order stops the run and is reported. At most four items a worker are
 * held at a time, whatever n. */
bool sb_pool_run(const sb_pool *pool, size_t n, sb_error *error);

size_t sb_processors(void);

#endif
