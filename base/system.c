#ifdef __linux__
#define _GNU_SOURCE /* for memfd_create; NOLINT(bugprone-reserved-identifier) */
#endif
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/error.h"

#ifdef __linux__
#include <stdio_ext.h>
#include <sys/prctl.h>
#endif
#ifdef __EMSCRIPTEN__
#include <stdio_ext.h>
#endif
#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Seedbed needs a little-endian machine: states are hashed as they lie in memory"
#endif

/* sodium_init makes the generator safe for threads; if it fails, drawing ends the program. */
void sb_random_bytes(void *bytes, size_t n) {
    const int chosen = sodium_init();
    (void)chosen;
    randombytes_buf(bytes, n);
}

/* ---- Shared memory ---- */

/* Returns the descriptor of anonymous memory, or -1. */
static int make_anonymous(void) {
#ifdef __linux__
    return memfd_create("seedbed", MFD_CLOEXEC);
#else
    return -1;
#endif
}

/* Makes a file whose name is removed at once; returns its descriptor, or -1. */
static int make_nameless(void) {
    char path[] = "/tmp/seedbed-XXXXXX";
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return -1;
    unlink(path);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

bool sb_make_shared(size_t n, int *descriptor, sb_error *error) {
    *descriptor = make_anonymous();
    if (*descriptor < 0) *descriptor = make_nameless();
    if (*descriptor >= 0 && ftruncate(*descriptor, (off_t)n) == 0) return true;
    sb_fail_errno(error, "cannot make memory to share");
    if (*descriptor >= 0) close(*descriptor);
    return false;
}

/* ---- Pipes ---- */

/* Moves a descriptor above the standard streams, which a child replaces; started programs do not inherit it. */
static bool lift(int *descriptor) {
    const int low = *descriptor;
    *descriptor = fcntl(low, F_DUPFD_CLOEXEC, 3);
    close(low);
    return *descriptor >= 0;
}

bool sb_make_pipe(int ends[2], sb_error *error) {
    ends[0] = ends[1] = -1;
    if (pipe(ends) != 0) return sb_fail_errno(error, "cannot make a pipe");
    const bool first = lift(&ends[0]), second = lift(&ends[1]);
    if (first && second) return true;
    sb_fail_errno(error, "cannot make a pipe");
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
    ends[0] = ends[1] = -1;
    return false;
}

void sb_silence_pipe(int descriptor) {
#ifdef __APPLE__
    fcntl(descriptor, F_SETNOSIGPIPE, 1);
#else
    (void)descriptor;
#endif
}

/* ---- Waiting ---- */

/* select takes terminals on every system, but no high descriptors. */
int sb_wait_for_input(struct pollfd *events, size_t n, int milliseconds) {
    fd_set ready;
    int highest = -1;
    FD_ZERO(&ready);
    for (size_t i = 0; i < n; i++) {
        if (events[i].fd >= FD_SETSIZE) return poll(events, (nfds_t)n, milliseconds);
        if (events[i].fd >= 0) FD_SET(events[i].fd, &ready);
        if (events[i].fd > highest) highest = events[i].fd;
    }
    struct timeval time = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    const int n_ready = select(highest + 1, &ready, NULL, NULL, milliseconds < 0 ? NULL : &time);
    for (size_t i = 0; i < n; i++)
        events[i].revents = n_ready > 0 && events[i].fd >= 0 && FD_ISSET(events[i].fd, &ready) ? POLLIN : 0;
    return n_ready;
}

/* ---- Files and streams ---- */

bool sb_is_unsupported(int reason) {
#if ENOTSUP != EOPNOTSUPP
    if (reason == EOPNOTSUPP) return true;
#endif
    return reason == ENOTSUP;
}

int sb_flush(int descriptor) {
#ifdef __APPLE__
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0; /* some file systems have only fsync */
#endif
    return fsync(descriptor);
}

void sb_drop_output(FILE *stream) {
#if defined(__linux__) || defined(__EMSCRIPTEN__)
    __fpurge(stream);
#else
    fpurge(stream);
#endif
}

/* ---- Threads ---- */

int sb_start_thread(pthread_t *thread, size_t stack, void *(*work)(void *), void *context) {
    pthread_attr_t attributes;
    int reason = pthread_attr_init(&attributes);
    if (reason) return reason;
    pthread_attr_setstacksize(&attributes, stack);
    reason = pthread_create(thread, &attributes, work, context);
    pthread_attr_destroy(&attributes);
    return reason;
}

/* ---- This program ---- */

#if defined(__linux__)
const char sb_descriptors_folder[] = "/proc/self/fd";

/* The link is followed by execv: it is the same file, even if another one has its name by now. */
const char *sb_own_program(char room[SB_PROGRAM_ROOM]) { // NOLINT(readability-non-const-parameter): others write
    (void)room;
    return "/proc/self/exe";
}

void sb_own_words(char *text, size_t capacity) {
    const int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t n = descriptor >= 0 ? read(descriptor, text, capacity - 1) : -1;
    if (descriptor >= 0) close(descriptor);
    text[n > 0 ? n : 0] = '\0';
    for (ssize_t i = 0; i + 1 < n; i++)
        if (text[i] == '\0') text[i] = ' ';
}
#elif defined(__APPLE__)
const char sb_descriptors_folder[] = "/dev/fd";

const char *sb_own_program(char room[SB_PROGRAM_ROOM]) {
    uint32_t size = SB_PROGRAM_ROOM;
    return _NSGetExecutablePath(room, &size) == 0 ? room : NULL;
}

void sb_own_words(char *text, size_t capacity) {
    char *const *words = *_NSGetArgv();
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < *_NSGetArgc() && n < capacity; i++)
        n += (size_t)snprintf(text + n, capacity - n, "%s%s", i ? " " : "", words[i]);
}
#else
const char sb_descriptors_folder[] = "/dev/fd";

const char *sb_own_program(char room[SB_PROGRAM_ROOM]) {
    (void)room;
    return NULL;
}

void sb_own_words(char *text, size_t capacity) { memset(text, 0, capacity); }
#endif

/* ---- Ending with the parent ---- */

/* Whether the kernel kills this process when its parent ends. */
static bool asks_kernel(void) {
#ifdef __linux__
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
#else
    return false;
#endif
}

/* Ends the process when its parent has ended. Nobody writes into the pipe: it can be read when its other end is
 * closed. */
static void *wait_for_end(void *context) {
    const int life = *(const int *)context;
    char byte;
    free(context);
    while (read(life, &byte, 1) < 0 && errno == EINTR) continue;
    _exit(0);
}

/* Waits for the parent's end in a thread, which leaves all signals to the other threads. */
static bool watch_pipe(int life) {
    pthread_t thread;
    sigset_t all, before;
    int *const own = malloc(sizeof *own);
    if (!own) return false;
    *own = life;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = sb_start_thread(&thread, SB_SMALL_STACK, wait_for_end, own) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok)
        pthread_detach(thread);
    else
        free(own);
    return ok;
}

bool sb_end_with_parent(pid_t parent, const int life[2]) {
    close(life[1]);
    if (!asks_kernel()) return watch_pipe(life[0]);
    close(life[0]);
    return getppid() == parent; /* the parent may have ended just before */
}
