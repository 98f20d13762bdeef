/* Teams of threads: every item is done exactly once, for any numbers; teams also work after fork, with too few threads,
 * and after long pauses. Pools work without any thread.
 *
 * The linker puts the pthread_create below in front of the real one (tests/CMakeLists.txt). */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pool.h"
#include "tests/support.h"

#if defined(__SANITIZE_THREAD__)
enum { MAY_FORK = false }; /* with ThreadSanitizer, a child of a process with threads cannot start threads */
#else
enum { MAY_FORK = true };
#endif

enum { ITEMS = 1000 };

static int threads_left = -1; /* threads that can still be started; negative: any number */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    if (threads_left == 0) return EAGAIN;
    if (threads_left > 0) threads_left--; /* only the thread that makes teams starts threads */
    return __real_pthread_create(thread, attributes, work, argument);
}

/* The work of a round. It counts in plain numbers, so that ThreadSanitizer finds an item that two threads do. */
typedef struct round {
    int done[ITEMS];
    pthread_t by[ITEMS];
    bool waits; /* whether items wait until two threads are at work */
    atomic_int here;
} round;

static void do_item(void *context, size_t index) {
    round *r = context;
    r->done[index]++;
    r->by[index] = pthread_self();
    if (r->waits && index % 2 == 0) atomic_fetch_add(&r->here, 1);
    while (r->waits && index % 2 == 0 && atomic_load(&r->here) < 2) {}
}

static sb_team *team_of(size_t threads) {
    sb_error error;
    sb_team *team = sb_team_make(threads, &error);
    assert_ok(team != NULL, error);
    return team;
}

/* Returns whether all items were done once; for callers that may not use cmocka's assertions. */
static bool does_all(sb_team *team, round *r, size_t n, size_t block) {
    memset(r->done, 0, sizeof r->done);
    sb_team_run(team, n, block, do_item, r);
    for (size_t i = 0; i < ITEMS; i++)
        if (r->done[i] != (i < n)) return false;
    return true;
}

static void every_item_is_done_exactly_once(void **state) {
    (void)state;
    static round r;
    static const size_t counts[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 255, ITEMS},
                        blocks[] = {1, 2, 3, 16, 64, ITEMS, 2 * ITEMS};
    for (size_t threads = 1; threads <= 9; threads += threads < 5 ? 1 : 4) {
        sb_team *team = team_of(threads);
        for (int again = 0; again < 20; again++)
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
                for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
                    if (!does_all(team, &r, counts[n], blocks[b]))
                        fail_msg("%zu items in blocks of %zu, %zu threads", counts[n], blocks[b], threads);
        sb_team_free(team);
    }
    sb_team_free(NULL);
}

static size_t threads_of(const round *r, size_t n) {
    size_t others = 0;
    for (size_t i = 0; i < n; i++) others += !pthread_equal(r->by[i], r->by[0]);
    return others ? 2 : 1;
}

/* Two items wait for each other, so two threads have to work, even if one of them was asleep. */
static void sleeping_threads_are_woken(void **state) {
    (void)state;
    static round r = {.waits = true};
    sb_team *team = team_of(2);
    const struct timespec pauses[] = {{0, 0}, {0, 1000}, {0, 20000}, {0, 50000}, {0, 2000000}};
    for (int again = 0; again < 200; again++) {
        nanosleep(&pauses[again % 5], NULL);
        atomic_store(&r.here, 0);
        assert_true(does_all(team, &r, 3, 1)); /* items 0 and 2 */
        assert_int_equal(threads_of(&r, 3), 2);
    }
    sb_team_free(team);
}

static void teams_end_at_once_after_work_and_without(void **state) {
    (void)state;
    static round r;
    for (int i = 0; i < 200; i++) {
        sb_team *team = team_of(4);
        if (i % 2) assert_true(does_all(team, &r, ITEMS, 8));
        sb_team_free(team);
    }
}

/* Items are distributed again: the other threads do the part of a missing thread. */
static void fewer_threads_do_all_the_work(void **state) {
    (void)state;
    static round r;
    for (int left = 0; left < 4; left++) {
        threads_left = left;
        sb_team *team = team_of(4);
        threads_left = -1;
        for (int again = 0; again < 50; again++) assert_true(does_all(team, &r, ITEMS, 16));
        assert_true(left || threads_of(&r, ITEMS) == 1);
        sb_team_free(team);
    }
}

/* Returns whether the two threads of a team work at the same time; so both have started. */
static bool both_threads_work(sb_team *team) {
    static round r = {.waits = true};
    atomic_store(&r.here, 0);
    return does_all(team, &r, 3, 1) && threads_of(&r, 3) == 2;
}

/* Works in the child with its own threads; the child exits at once or after freeing the team. */
static int work_in_child(sb_team *team, bool frees) {
    static round r;
    bool ok = true;
    for (int again = 0; again < 20; again++) ok &= does_all(team, &r, ITEMS, 16);
    ok &= both_threads_work(team);
    if (frees) sb_team_free(team);
    return ok ? 0 : 1;
}

static void a_child_has_its_own_threads_and_the_parent_keeps_its_threads(void **state) {
    (void)state;
    static round r;
    if (!MAY_FORK) skip();
    sb_team *team = team_of(2);
    /* A sanitizer has locks of its own. If a thread that is just starting holds one, a child waits for it for ever. */
    if (TESTS_ARE_SLOW) assert_true(both_threads_work(team));
    for (int again = 0; again < 10; again++) {
        if (again) assert_true(does_all(team, &r, ITEMS, 16)); /* for the first child, the team has never worked */
        const pid_t child = fork();
        if (child == 0) {
            alarm(60); /* a child that waits forever fails the test, too */
            _exit(work_in_child(team, again % 2));
        }
        int status;
        assert_true(child > 0 && does_all(team, &r, ITEMS, 16)); /* at the same time as the child */
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_true(does_all(team, &r, ITEMS, 16));
    }
    sb_team_free(team);
}

/* ---- Pools ---- */

static bool give_index(void *context, size_t index, void *slot, sb_error *error) {
    (void)context, (void)error;
    return *(size_t *)slot = index, true;
}

static bool square(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const pthread_t *caller = context;
    assert_true(pthread_equal(pthread_self(), *caller) && *(size_t *)slot == index);
    if (index == ITEMS) return sb_fail(error, SB_INVALID, "item");
    return *(size_t *)slot *= index, ++*(size_t *)scratch == index + 1;
}

static bool check_square(void *context, size_t index, void *slot, sb_error *error) {
    (void)context, (void)error;
    return *(size_t *)slot == index * index;
}

static void a_pool_without_threads_works_in_the_callers(void **state) {
    (void)state;
    pthread_t self = pthread_self();
    sb_error error;
    const sb_pool pool = {.workers = 3,
                          .context = &self,
                          .give = give_index,
                          .work = square,
                          .take = check_square,
                          .slot_size = sizeof(size_t),
                          .scratch_size = sizeof(size_t)};
    threads_left = 0;
    const bool all = sb_pool_run(&pool, ITEMS, &error), fails = !sb_pool_run(&pool, ITEMS + 2, &error);
    threads_left = -1;
    assert_true(all);
    assert_error(!fails, &error, SB_INVALID, "item");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_exactly_once),
        cmocka_unit_test(sleeping_threads_are_woken),
        cmocka_unit_test(teams_end_at_once_after_work_and_without),
        cmocka_unit_test(fewer_threads_do_all_the_work),
        cmocka_unit_test(a_pool_without_threads_works_in_the_callers),
        cmocka_unit_test(a_child_has_its_own_threads_and_the_parent_keeps_its_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
