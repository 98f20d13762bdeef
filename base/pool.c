#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

enum { SLOTS_PER_WORKER = 4 };

typedef enum progress { FREE, BUSY, READY } progress;

typedef struct slot {
    progress state;
    bool ok;
    sb_error error;
    void *data;
} slot;

typedef struct run {
    const sb_pool *pool;
    size_t n, next, n_slots; /* next: the first item that no worker has begun */
    slot *slots;             /* item i uses slot i modulo n_slots */
    bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t freed, ready;
} run;

typedef struct worker {
    run *run;
    void *scratch;
    pthread_t thread;
    bool started;
} worker;

static void *work(void *argument) {
    worker *self = argument;
    run *r = self->run;
    pthread_mutex_lock(&r->mutex);
    for (;;) {
        while (!r->stop && r->next < r->n && r->slots[r->next % r->n_slots].state != FREE)
            pthread_cond_wait(&r->freed, &r->mutex);
        if (r->stop || r->next == r->n) break;
        size_t index = r->next++;
        slot *s = &r->slots[index % r->n_slots];
        s->state = BUSY;
        s->ok = !r->pool->give || r->pool->give(r->pool->context, index, s->data, &s->error);
        pthread_mutex_unlock(&r->mutex);
        s->ok = s->ok && r->pool->work(r->pool->context, self->scratch, index, s->data, &s->error);
        pthread_mutex_lock(&r->mutex);
        s->state = READY;
        pthread_cond_signal(&r->ready);
        pthread_cond_signal(&r->freed); /* another worker may be waiting for an item, not for a slot */
    }
    pthread_mutex_unlock(&r->mutex);
    return NULL;
}

static bool take_all(run *r, sb_error *error) {
    for (size_t index = 0; index < r->n; index++) {
        slot *s = &r->slots[index % r->n_slots];
        pthread_mutex_lock(&r->mutex);
        while (s->state != READY) pthread_cond_wait(&r->ready, &r->mutex);
        pthread_mutex_unlock(&r->mutex);
        if (!s->ok) return *error = s->error, false;
        if (!r->pool->take(r->pool->context, index, s->data, error)) return false;
        pthread_mutex_lock(&r->mutex);
        s->state = FREE;
        pthread_cond_broadcast(&r->freed);
        pthread_mutex_unlock(&r->mutex);
    }
    return true;
}

size_t sb_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

static void join_and_free(run *r, worker *workers, size_t n_workers) {
    pthread_mutex_lock(&r->mutex);
    r->stop = true;
    pthread_cond_broadcast(&r->freed);
    pthread_mutex_unlock(&r->mutex);
    for (size_t i = 0; i < n_workers; i++) {
        if (workers[i].started) pthread_join(workers[i].thread, NULL);
        if (workers[i].scratch && r->pool->free_scratch) r->pool->free_scratch(workers[i].scratch);
        free(workers[i].scratch);
    }
    for (size_t i = 0; i < r->n_slots; i++) {
        if (r->slots[i].data && r->pool->free_slot) r->pool->free_slot(r->slots[i].data);
        free(r->slots[i].data);
    }
    pthread_mutex_destroy(&r->mutex);
    pthread_cond_destroy(&r->freed);
    pthread_cond_destroy(&r->ready);
}

bool sb_pool_run(const sb_pool *pool, size_t n, sb_error *error) {
    size_t n_workers = pool->workers ? pool->workers : sb_processors();
    if (n_workers > n) n_workers = n;
    if (n == 0) return true;
    run r = {.pool = pool, .n = n, .n_slots = n_workers * SLOTS_PER_WORKER};
    r.slots = calloc(r.n_slots, sizeof *r.slots);
    worker *workers = calloc(n_workers, sizeof *workers);
    if (!r.slots || !workers) {
        free(r.slots), free(workers);
        return sb_fail(error, SB_MEMORY, "out of memory for %zu workers", n_workers);
    }
    pthread_mutex_init(&r.mutex, NULL);
    pthread_cond_init(&r.freed, NULL);
    pthread_cond_init(&r.ready, NULL);
    bool ok = true;
    for (size_t i = 0; i < r.n_slots; i++) ok &= (r.slots[i].data = calloc(1, pool->slot_size + 1)) != NULL;
    for (size_t i = 0; i < n_workers; i++) ok &= (workers[i].scratch = calloc(1, pool->scratch_size + 1)) != NULL;
    if (!ok) sb_fail(error, SB_MEMORY, "out of memory for %zu workers", n_workers);
    size_t running = 0;
    for (size_t i = 0; ok && i < n_workers; i++) {
        workers[i].run = &r;
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
        running += workers[i].started;
    }
    if (ok && running == 0) ok = sb_fail(error, SB_MEMORY, "cannot start a thread");
    ok = ok && take_all(&r, error);
    join_and_free(&r, workers, n_workers);
    free(r.slots), free(workers);
    return ok;
}
