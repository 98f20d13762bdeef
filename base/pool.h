/* Works on numbered items in several threads; results are taken in order. */
#ifndef SB_BASE_POOL_H
#define SB_BASE_POOL_H

#include <stdbool.h>

#include "base/stop.h"
#include "seedbed.h"

/* Works on item `index` and writes the result into `slot`; `scratch` belongs to the worker. Runs in any thread and must
 * depend only on its arguments. Returns false with an error to stop everything. */
typedef bool sb_work(void *context, void *scratch, size_t index, void *slot, sb_error *error);
/* Takes the result of item `index`. Runs in the calling thread, for every index in ascending order. */
typedef bool sb_take(void *context, size_t index, void *slot, sb_error *error);

typedef struct sb_pool {
    size_t workers; /* 0: one for each processor */
    void *context;
    sb_take *give; /* may be NULL: puts the input of item `index` into the slot, for input that must be read in order.
                      Runs in any thread, but one call at a time and for every index in ascending order */
    sb_work *work;
    sb_take *take;
    size_t slot_size, scratch_size; /* slots and scratches start zeroed and are reused without clearing */
    void (*free_slot)(void *slot), (*free_scratch)(void *scratch); /* may be NULL */
    const sb_stop *stop; /* may be NULL; asked between two items: then the run fails with SB_INVALID */
} sb_pool;

/* Works on items 0..n-1; where no thread can be started, in the caller's. The first failure in index order stops the
 * run and is reported. At most four items per worker are held at a time, whatever n. */
bool sb_pool_run(const sb_pool *pool, size_t n, sb_error *error);

/* A run for a caller who comes for each result when it wants it, while the workers go on by themselves; `take` is not
 * used. The process that begins a run also ends it. */
typedef struct sb_pool_results sb_pool_results;
sb_pool_results *sb_pool_begin(const sb_pool *pool, size_t n, sb_error *error);
/* Waits for the next item's result. The slot is the caller's until the next call. False after the last item (then
 * error->code is SB_OK), and on a failure, after which there is nothing more. */
bool sb_pool_next(sb_pool_results *results, void **slot, sb_error *error);
/* Waits for items that are being worked on, not for those that nobody has begun. NULL is fine. */
void sb_pool_end(sb_pool_results *results);

size_t sb_processors(void);

/* A team of threads that stay alive, for work that comes often and in small portions: the steps of a batch. */

typedef struct sb_team sb_team;

/* Works on item `index`. Runs in any thread of the team; different items run at the same time. */
typedef void sb_share(void *context, size_t index);

/* Makes a team of `threads` working threads, including the caller of sb_team_run; 0: one for each processor. If the
 * system cannot start that many, fewer work. NULL without memory. */
sb_team *sb_team_make(size_t threads, sb_error *error);
void sb_team_free(sb_team *team);

/* Works on items 0..n-1 in blocks of `block` (at least 1), and returns when all are done. After a fork, the child's
 * team starts threads of its own. */
void sb_team_run(sb_team *team, size_t n, size_t block, sb_share *share, void *context);

#endif
