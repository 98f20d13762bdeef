#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pool.h"

/* A thread that waits looks so often whether there is work before it sleeps, some twenty microseconds: waking it up
 * takes about as long as a batch's step. */
enum { LOOKS = 4000 };

struct sb_team {
    size_t n_threads, n_started; /* besides the caller's: wanted; running */
    pthread_t *threads;
    pid_t process; /* in which they run */
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    bool leave;
    _Atomic uint64_t round; /* of work; goes up when there is some */
    _Atomic size_t next, working;
    size_t n, block;
    sb_share *share;
    void *context;
};

static void do_shares(sb_team *team) {
    for (;;) {
        const size_t first = atomic_fetch_add(&team->next, team->block);
        if (first >= team->n) return;
        const size_t end = team->n - first < team->block ? team->n : first + team->block;
        for (size_t i = first; i < end; i++) team->share(team->context, i);
    }
}

/* Until there is another round than `last`; 0: leave. */
static uint64_t wait_for_round(sb_team *team, uint64_t last) {
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load(&team->round) != last) break;
    pthread_mutex_lock(&team->mutex);
    while (atomic_load(&team->round) == last && !team->leave) pthread_cond_wait(&team->begun, &team->mutex);
    const uint64_t round = team->leave ? 0 : atomic_load(&team->round);
    pthread_mutex_unlock(&team->mutex);
    return round;
}

static void *work(void *argument) {
    sb_team *team = argument;
    uint64_t round = 1; /* that of a team that has never worked */
    while ((round = wait_for_round(team, round))) {
        do_shares(team);
        pthread_mutex_lock(&team->mutex);
        if (atomic_fetch_sub(&team->working, 1) == 1) pthread_cond_signal(&team->ended);
        pthread_mutex_unlock(&team->mutex);
    }
    return NULL;
}

static void start_threads(sb_team *team) {
    team->process = getpid();
    team->leave = false;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->ended, NULL);
    atomic_store(&team->round, 1);
    atomic_store(&team->working, 0);
    team->n_started = 0;
    while (team->n_started < team->n_threads && pthread_create(&team->threads[team->n_started], NULL, work, team) == 0)
        team->n_started++;
}

/* In a child of the process that started them there are none. */
static void stop_threads(sb_team *team) {
    if (team->process != getpid()) return;
    pthread_mutex_lock(&team->mutex);
    team->leave = true;
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
    for (size_t i = 0; i < team->n_started; i++) pthread_join(team->threads[i], NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->begun);
    pthread_cond_destroy(&team->ended);
}

sb_team *sb_team_make(size_t threads, sb_error *error) {
    sb_team *team = calloc(1, sizeof *team);
    if (team) team->n_threads = (threads ? threads : sb_processors()) - 1;
    if (team) team->threads = calloc(team->n_threads + 1, sizeof *team->threads);
    if (!team || !team->threads) {
        free(team);
        return sb_fail(error, SB_MEMORY, "out of memory for %zu threads", threads), NULL;
    }
    start_threads(team);
    return team;
}

void sb_team_free(sb_team *team) {
    if (!team) return;
    stop_threads(team);
    free(team->threads);
    free(team);
}

static void wait_for_others(sb_team *team) {
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load(&team->working) == 0) break;
    pthread_mutex_lock(&team->mutex); /* the last one has it until it is done with the team */
    while (atomic_load(&team->working) > 0) pthread_cond_wait(&team->ended, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void sb_team_run(sb_team *team, size_t n, size_t block, sb_share *share, void *context) {
    if (team->process != getpid()) start_threads(team);
    team->n = n, team->block = block, team->share = share, team->context = context;
    atomic_store(&team->next, 0);
    if (team->n_started == 0 || n <= block) {
        do_shares(team);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->working, team->n_started);
    atomic_fetch_add(&team->round, 1);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
    do_shares(team);
    wait_for_others(team);
}
