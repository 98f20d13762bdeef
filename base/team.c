/* Teams of threads that stay alive (base/pool.h). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/system.h"

/* LOOKS: how often a waiting thread looks for work before it sleeps, about twenty microseconds: waking a thread takes
 * about as long as a batch's step. */
enum { LOOKS = 1000, LINE = 128 /* bytes between what two threads write, so that they share no cache line */ };

/* The gate of a round: threads enter while it is open, and the round is over when the gate is closed and no thread is
 * inside. A thread that wakes up late is therefore not waited for. */
enum { INSIDE = (1 << 16) - 1, OPEN = 1 << 16, ROUND = 1 << 17 };

/* A part of the items. Every thread begins with its own lane, the same in every round, so that an environment stays in
 * the cache of the processor that stepped it last. A thread that has finished its lane takes items from others. */
typedef struct lane {
    _Atomic size_t next;
    size_t end;
    char apart[LINE - 2 * sizeof(size_t)];
} lane;

typedef struct member {
    sb_team *team;
    size_t index; /* index of the thread's own lane */
    pthread_t thread;
} member;

struct sb_team {
    size_t n_threads, n_started; /* threads besides the caller's: how many are wanted, and how many were started */
    member *members;
    lane *lanes;   /* one for each thread; the first is the caller's */
    pid_t process; /* the process in which the threads run */
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    bool leave;
    size_t block;
    sb_share *share;
    void *context;
    char apart[LINE];
    _Atomic uint64_t gate; /* number of rounds so far, OPEN, and how many threads are INSIDE */
    _Atomic size_t sleepers;
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- Work ---- */

static void do_lane(sb_team *team, lane *l) {
    for (;;) {
        if (atomic_load_explicit(&l->next, memory_order_relaxed) >= l->end) return;
        const size_t first = atomic_fetch_add(&l->next, team->block);
        if (first >= l->end) return;
        const size_t end = l->end - first < team->block ? l->end : first + team->block;
        for (size_t i = first; i < end; i++) team->share(team->context, i);
    }
}

static void do_shares(sb_team *team, size_t own) {
    const size_t n = team->n_started + 1;
    for (size_t i = 0; i < n; i++) do_lane(team, &team->lanes[(own + i) % n]);
}

/* ---- The threads ---- */

/* Enters the round after `last` if there is one; then sets `last` to its number. */
static bool enter(sb_team *team, uint64_t *last) {
    uint64_t gate = atomic_load(&team->gate);
    while ((gate & OPEN) && gate / ROUND != *last)
        if (atomic_compare_exchange_weak(&team->gate, &gate, gate + 1)) return *last = gate / ROUND, true;
    return false;
}

/* Leaves the gate. The caller either sleeps until the last thread is out, or notices that itself. */
static void come_out(sb_team *team) {
    if ((atomic_fetch_sub(&team->gate, 1) & (OPEN | INSIDE)) != 1) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->ended);
    pthread_mutex_unlock(&team->mutex);
}

/* Sleeps until a round begins. The caller first opens the gate and then looks for sleepers; a thread first counts
 * itself as a sleeper and then looks at the gate. So at least one of them sees the other. */
static bool sleep_until_round(sb_team *team, uint64_t *last) {
    bool inside = false;
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (!team->leave && !(inside = enter(team, last))) pthread_cond_wait(&team->begun, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return inside;
}

/* Waits for a round; false: the thread has to end. */
static bool wait_for_round(sb_team *team, uint64_t *last) {
    for (int i = 0; i < LOOKS; i++, relax())
        if (enter(team, last)) return true;
    return sleep_until_round(team, last);
}

static void *work(void *argument) {
    const member *m = argument;
    uint64_t last = 0; /* rounds count from 1 */
    while (wait_for_round(m->team, &last)) {
        do_shares(m->team, m->index);
        come_out(m->team);
    }
    return NULL;
}

static void start_threads(sb_team *team) {
    team->process = getpid();
    team->leave = false;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->ended, NULL);
    atomic_store(&team->gate, 0);
    atomic_store(&team->sleepers, 0);
    for (team->n_started = 0; team->n_started < team->n_threads; team->n_started++) {
        member *m = &team->members[team->n_started];
        *m = (member){.team = team, .index = team->n_started + 1};
        if (sb_start_thread(&m->thread, SB_STACK, work, m) != 0) return;
    }
}

/* Stops the threads. A forked child has none to stop. */
static void stop_threads(sb_team *team) {
    if (team->process != getpid()) return;
    pthread_mutex_lock(&team->mutex);
    team->leave = true;
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
    for (size_t i = 0; i < team->n_started; i++) pthread_join(team->members[i].thread, NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->begun);
    pthread_cond_destroy(&team->ended);
}

sb_team *sb_team_make(size_t threads, sb_error *error) {
    sb_team *team = calloc(1, sizeof *team);
    if (team) {
        const size_t all = threads ? threads : sb_processors();
        team->n_threads = (all < INSIDE ? all : INSIDE) - 1;
        team->members = calloc(team->n_threads + 1, sizeof *team->members);
        team->lanes = calloc(team->n_threads + 1, sizeof *team->lanes);
    }
    if (!team || !team->members || !team->lanes) {
        if (team) free(team->members), free(team->lanes);
        free(team);
        return sb_fail(error, SB_MEMORY, "out of memory for a team of threads"), NULL;
    }
    start_threads(team);
    return team;
}

void sb_team_free(sb_team *team) {
    if (!team) return;
    stop_threads(team);
    free(team->members), free(team->lanes);
    free(team);
}

/* ---- Rounds ---- */

/* Deals whole blocks to the lanes; only the last block may be shorter. */
static void deal(sb_team *team, size_t n) {
    const size_t n_lanes = team->n_started + 1, blocks = n / team->block + (n % team->block != 0);
    size_t begin = 0;
    for (size_t i = 0; i < n_lanes; i++) {
        const size_t more = (blocks / n_lanes + (i < blocks % n_lanes)) * team->block;
        const size_t end = n - begin < more ? n : begin + more;
        atomic_store_explicit(&team->lanes[i].next, begin, memory_order_relaxed);
        team->lanes[i].end = end;
        begin = end;
    }
}

static void open_gate(sb_team *team) {
    atomic_store(&team->gate, (atomic_load(&team->gate) / ROUND + 1) * ROUND + OPEN);
    if (atomic_load(&team->sleepers) == 0) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
}

static void close_gate(sb_team *team) {
    uint64_t gate = atomic_fetch_sub(&team->gate, OPEN);
    for (int i = 0; (gate & INSIDE) && i < LOOKS; i++, relax()) gate = atomic_load(&team->gate);
    if (!(gate & INSIDE)) return;
    pthread_mutex_lock(&team->mutex);
    while (atomic_load(&team->gate) & INSIDE) pthread_cond_wait(&team->ended, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void sb_team_run(sb_team *team, size_t n, size_t block, sb_share *share, void *context) {
    const bool shared = team->n_threads > 0 && n > block; /* else no thread is needed, and no call of the system */
    if (shared && team->process != getpid()) start_threads(team);
    if (!shared || team->n_started == 0) {
        for (size_t i = 0; i < n; i++) share(context, i);
        return;
    }
    team->block = block, team->share = share, team->context = context;
    deal(team, n);
    open_gate(team);
    do_shares(team, 0);
    close_gate(team);
}
