#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

enum { SLOTS_PER_WORKER = 4 };

typedef enum progress { FREE, BUSY, READY } progress;

typedef struct slot {
    progress state;
    bool ok;
    sb_error error;
    void *data;
} slot;

typedef struct worker {
    struct sb_pool_results *run;
    void *scratch;
    pthread_t thread;
    bool started;
} worker;

struct sb_pool_results {
    sb_pool pool;
    size_t n, next, n_slots; /* next: the first item that nobody has begun */
    slot *slots;             /* item i uses slot i modulo n_slots */
    worker *workers;
    size_t n_workers;
    bool has_threads; /* else the caller's thread works whenever it comes for a result */
    size_t taken;     /* results that the caller has taken; it still uses the slot of the last one */
    bool over;        /* the caller was told that there is nothing more */
    bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t freed, ready;
};
typedef struct sb_pool_results run;

/* Works on the next item. The mutex is locked before and afterwards. */
static void work_on_next(run *r, void *scratch) {
    const size_t index = r->next++;
    slot *s = &r->slots[index % r->n_slots];
    s->state = BUSY;
    s->ok = !r->pool.give || r->pool.give(r->pool.context, index, s->data, &s->error);
    pthread_mutex_unlock(&r->mutex);
    s->ok = s->ok && r->pool.work(r->pool.context, scratch, index, s->data, &s->error);
    pthread_mutex_lock(&r->mutex);
    s->state = READY;
}

static void *work(void *argument) {
    worker *self = argument;
    run *r = self->run;
    pthread_mutex_lock(&r->mutex);
    for (;;) {
        while (!r->stop && r->next < r->n && r->slots[r->next % r->n_slots].state != FREE)
            pthread_cond_wait(&r->freed, &r->mutex);
        if (r->stop || r->next == r->n) break;
        work_on_next(r, self->scratch);
        pthread_cond_signal(&r->ready);
        pthread_cond_signal(&r->freed); /* another worker may be waiting for an item, not for a slot */
    }
    pthread_mutex_unlock(&r->mutex);
    return NULL;
}

static void give_back(run *r, slot *s) {
    pthread_mutex_lock(&r->mutex);
    s->state = FREE;
    pthread_cond_broadcast(&r->freed);
    pthread_mutex_unlock(&r->mutex);
}

bool sb_pool_next(sb_pool_results *r, void **data, sb_error *error) {
    if (r->taken > 0 && !r->over) give_back(r, &r->slots[(r->taken - 1) % r->n_slots]);
    if (r->over || r->taken == r->n) return r->over = true, error->code = SB_OK, false;
    if (sb_is_stopped(r->pool.stop)) return r->over = true, sb_fail(error, SB_INVALID, "the work was stopped");
    slot *s = &r->slots[r->taken % r->n_slots];
    pthread_mutex_lock(&r->mutex);
    if (!r->has_threads) work_on_next(r, r->workers[0].scratch);
    while (s->state != READY) pthread_cond_wait(&r->ready, &r->mutex);
    pthread_mutex_unlock(&r->mutex);
    r->taken++;
    if (!s->ok) return r->over = true, *error = s->error, false;
    *data = s->data;
    return true;
}

size_t sb_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

void sb_pool_end(sb_pool_results *r) {
    if (!r) return;
    pthread_mutex_lock(&r->mutex);
    r->stop = true;
    pthread_cond_broadcast(&r->freed);
    pthread_mutex_unlock(&r->mutex);
    for (size_t i = 0; r->workers && i < r->n_workers; i++) {
        worker *w = &r->workers[i];
        if (w->started) pthread_join(w->thread, NULL);
        if (w->scratch && r->pool.free_scratch) r->pool.free_scratch(w->scratch);
        free(w->scratch);
    }
    for (size_t i = 0; r->slots && i < r->n_slots; i++) {
        if (r->slots[i].data && r->pool.free_slot) r->pool.free_slot(r->slots[i].data);
        free(r->slots[i].data);
    }
    pthread_mutex_destroy(&r->mutex);
    pthread_cond_destroy(&r->freed);
    pthread_cond_destroy(&r->ready);
    free(r->slots), free(r->workers), free(r);
}

static bool make_rooms(run *r) {
    r->slots = calloc(r->n_slots + 1, sizeof *r->slots);
    r->workers = calloc(r->n_workers + 1, sizeof *r->workers);
    bool ok = r->slots && r->workers;
    for (size_t i = 0; ok && i < r->n_slots; i++) ok = (r->slots[i].data = calloc(1, r->pool.slot_size + 1)) != NULL;
    for (size_t i = 0; ok && i < r->n_workers; i++)
        ok = (r->workers[i].scratch = calloc(1, r->pool.scratch_size + 1)) != NULL;
    return ok;
}

/* Starts the threads; if the system gives fewer, fewer have to do. */
static void start_threads(run *r) {
    for (size_t i = 0; i < r->n_workers; i++) {
        r->workers[i].run = r;
        r->workers[i].started = sb_start_thread(&r->workers[i].thread, SB_STACK, work, &r->workers[i]) == 0;
        r->has_threads |= r->workers[i].started;
    }
}

sb_pool_results *sb_pool_begin(const sb_pool *pool, size_t n, sb_error *error) {
    size_t n_workers = pool->workers ? pool->workers : sb_processors();
    if (n_workers > n) n_workers = n;
    run *r = calloc(1, sizeof *r);
    if (!r) return sb_fail(error, SB_MEMORY, "out of memory for %zu workers", n_workers), NULL;
    r->pool = *pool, r->n = n, r->n_workers = n_workers, r->n_slots = n_workers * SLOTS_PER_WORKER;
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->freed, NULL);
    pthread_cond_init(&r->ready, NULL);
    if (make_rooms(r)) return start_threads(r), r;
    sb_pool_end(r);
    return sb_fail(error, SB_MEMORY, "out of memory for %zu workers", n_workers), NULL;
}

bool sb_pool_run(const sb_pool *pool, size_t n, sb_error *error) {
    void *data;
    sb_pool_results *r = sb_pool_begin(pool, n, error);
    bool ok = r != NULL;
    for (size_t index = 0; ok && index < n; index++)
        ok = sb_pool_next(r, &data, error) && pool->take(pool->context, index, data, error);
    sb_pool_end(r);
    return ok;
}
