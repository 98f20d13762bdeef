/* What differs between systems, also where the kernel does not help, and signals that are listened for.
 *
 * The linker puts the functions below in front of the real ones (tests/CMakeLists.txt). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/signals.h"
#include "base/system.h"
#include "tests/support.h"

static bool kernel_helps = true;

int __real_memfd_create(const char *name, unsigned flags); // NOLINT
int __wrap_memfd_create(const char *name, unsigned flags); // NOLINT
int __real_prctl(int option, ...);                         // NOLINT
int __wrap_prctl(int option, ...);                         // NOLINT

int __wrap_memfd_create(const char *name, unsigned flags) { // NOLINT
    return kernel_helps ? __real_memfd_create(name, flags) : (errno = ENOSYS, -1);
}

int __wrap_prctl(int option, ...) { // NOLINT
    va_list rest;
    va_start(rest, option);
    const unsigned long argument = va_arg(rest, unsigned long);
    va_end(rest);
    return kernel_helps ? __real_prctl(option, argument) : (errno = EINVAL, -1);
}

static int help(void **state) {
    (void)state;
    return kernel_helps = true, 0;
}

static int help_not(void **state) {
    (void)state;
    return kernel_helps = false, 0;
}

/* ---- Bytes ---- */

static void random_bytes_differ(void **state) {
    (void)state;
    uint8_t first[16] = {0}, second[16] = {0};
    sb_random_bytes(first, sizeof first), sb_random_bytes(second, sizeof second);
    assert_memory_not_equal(first, second, sizeof first);
}

static void processes_share_memory(void **state) {
    (void)state;
    enum { SIZE = 1 << 16 };
    int descriptor, status;
    sb_error error;
    assert_ok(sb_make_shared(SIZE, &descriptor, &error), error);
    assert_true(fcntl(descriptor, F_GETFD) & FD_CLOEXEC);
    const pid_t child = fork();
    uint8_t *bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (child == 0) _exit(bytes == MAP_FAILED || bytes[SIZE - 1] != 0 ? 1 : (bytes[SIZE - 1] = 7, 0));
    assert_true(bytes != MAP_FAILED);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(bytes[SIZE - 1], 7);
    munmap(bytes, SIZE);
    close(descriptor);
}

static void wait_for_input_on(int ends[2], int in) {
    char byte;
    struct pollfd events[] = {{.fd = -1, .events = POLLIN}, {.fd = in, .events = POLLIN}};
    assert_int_equal(sb_wait_for_input(events, 2, 10), 0);
    assert_int_equal(events[1].revents, 0);
    assert_int_equal(write(ends[1], "+", 1), 1);
    assert_int_equal(sb_wait_for_input(events, 2, -1), 1);
    assert_true(events[1].revents && !events[0].revents);
    assert_int_equal(read(in, &byte, 1), 1);
    close(ends[1]);
    assert_int_equal(sb_wait_for_input(events, 2, -1), 1); /* the end can be read, too */
}

/* Waits on a descriptor that is at least `from`. */
static void wait_for_input_from(int from) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int in = fcntl(ends[0], F_DUPFD_CLOEXEC, from);
    assert_true(in >= from);
    wait_for_input_on(ends, in);
    close(ends[0]), close(in);
}

static void input_is_waited_for(void **state) {
    (void)state;
    wait_for_input_from(3);
}

static void input_is_waited_for_on_descriptors_that_select_does_not_take(void **state) {
    (void)state;
    struct rlimit most;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &most), 0);
    const rlim_t usual = most.rlim_cur;
    if (most.rlim_max <= FD_SETSIZE + 1) skip();
    if (most.rlim_cur <= FD_SETSIZE + 1) most.rlim_cur = FD_SETSIZE + 2;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &most), 0);
    wait_for_input_from(FD_SETSIZE);
    most.rlim_cur = usual;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &most), 0);
}

/* ---- A child and its parent ---- */

/* A child that ends with its parent, and says so through `said` by closing it. */
static _Noreturn void live(int said, const int life[2], pid_t parent) {
    if (!sb_end_with_parent(parent, life) || write(said, "+", 1) != 1) _exit(1);
    for (;;) pause();
}

static void a_child_ends_when_its_parent_is_killed(void **state) {
    (void)state;
    int said[2], life[2];
    char byte;
    assert_int_equal(pipe(said), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        sb_error error;
        if (!sb_make_pipe(life, &error)) _exit(1);
        const pid_t self = getpid();
        if (fork() == 0) live(said[1], life, self);
        close(said[1]);
        for (;;) pause();
    }
    close(said[1]);
    assert_int_equal(read(said[0], &byte, 1), 1);
    struct pollfd end = {.fd = said[0], .events = POLLIN};
    assert_int_equal(poll(&end, 1, 50), 0); /* both live */
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    assert_int_equal(poll(&end, 1, 10000), 1);
    assert_int_equal(read(said[0], &byte, 1), 0);
    close(said[0]);
}

/* ---- Signals ---- */

static sigset_t set_of(int first, int second) {
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, first), sigaddset(&set, second);
    return set;
}

static int wait_for_signal(const sb_signals *signals) {
    struct pollfd event = {.fd = signals->pipe[0], .events = POLLIN};
    while (poll(&event, 1, 10000) < 0 && errno == EINTR) continue;
    return sb_signals_next(signals);
}

static void signals_are_read_one_after_the_other(void **state) {
    (void)state;
    const sigset_t watched = set_of(SIGTERM, SIGCHLD);
    sb_signals signals;
    sb_error error;
    assert_ok(sb_signals_begin(&signals, &watched, &error), error);
    assert_int_equal(sb_signals_next(&signals), 0);
    for (int again = 0; again < 100; again++) {
        kill(getpid(), again % 2 ? SIGTERM : SIGCHLD);
        assert_int_equal(wait_for_signal(&signals), again % 2 ? SIGTERM : SIGCHLD);
    }
    assert_int_equal(sb_signals_next(&signals), 0);
    sb_signals_end(&signals);
    struct sigaction now;
    sigset_t mask;
    sigaction(SIGCHLD, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGTERM) || sigismember(&mask, SIGCHLD));
}

/* A child that listens, gets a signal and does not ask for it; `leaves`: it is the child of the one that listens. */
static _Noreturn void be_deaf(bool leaves) {
    const sigset_t watched = set_of(SIGTERM, SIGINT);
    sb_signals signals;
    sb_error error;
    if (!sb_signals_begin(&signals, &watched, &error)) _exit(1);
    if (leaves) {
        const pid_t child = fork();
        int status = 0;
        if (child == 0) {
            sb_signals_leave(&signals);
            raise(SIGTERM);
            _exit(2);
        }
        waitpid(child, &status, 0);
        const int own = sb_signals_next(&signals);
        sb_signals_end(&signals);
        if (own || !WIFSIGNALED(status)) _exit(3);
        raise(WTERMSIG(status));
    }
    kill(getpid(), SIGTERM);
    struct pollfd event = {.fd = signals.pipe[0], .events = POLLIN};
    poll(&event, 1, 10000);
    sb_signals_end(&signals);
    _exit(0);
}

static void a_signal_that_nobody_asked_for_takes_effect_in_the_end(void **state) {
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) {
        int status;
        const pid_t child = fork();
        if (child == 0) be_deaf(leaves);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGTERM);
    }
}

static void a_broken_pipe_is_an_error_and_no_signal(void **state) {
    (void)state;
    int ends[2];
    sigset_t before, mask;
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    for (int breaks = 0; breaks < 2; breaks++) {
        sb_hold_sigpipe(&before);
        if (breaks) assert_int_equal(write(ends[1], "", 1), -1);
        sb_release_sigpipe(&before); /* which would end the test */
    }
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGPIPE));
    close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(input_is_waited_for),
        cmocka_unit_test(input_is_waited_for_on_descriptors_that_select_does_not_take),
        cmocka_unit_test_setup(processes_share_memory, help),
        cmocka_unit_test_setup(a_child_ends_when_its_parent_is_killed, help),
        cmocka_unit_test_setup(processes_share_memory, help_not),
        cmocka_unit_test_setup(a_child_ends_when_its_parent_is_killed, help_not),
        cmocka_unit_test(signals_are_read_one_after_the_other),
        cmocka_unit_test(a_signal_that_nobody_asked_for_takes_effect_in_the_end),
        cmocka_unit_test(a_broken_pipe_is_an_error_and_no_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
