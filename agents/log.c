#include "agents/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agents/process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/system.h"

enum { PIECE = 1 << 14, MEBIBYTE = 1 << 20 };

/* ---- Copying, in the thread ---- */

static void put(sb_agent_log *log, const char *data, size_t n) {
    if (!log->reason && !sb_write_all(log->file, data, n)) log->reason = errno;
}

static void say_that_it_is_full(sb_agent_log *log) {
    char line[120];
    const int n = snprintf(line, sizeof line,
                           "\nseedbed: this log is full (--agent-log-mib %llu): the rest is left out\n",
                           (unsigned long long)(log->limit / MEBIBYTE));
    put(log, line, (size_t)n);
}

static void keep(sb_agent_log *log, const char *data, size_t n) {
    const uint64_t room = log->limit - log->kept;
    const size_t taken = n < room ? n : (size_t)room;
    const bool was_full = log->dropped;
    put(log, data, taken);
    log->kept += taken, log->dropped += n - taken;
    if (log->dropped && !was_full) say_that_it_is_full(log);
}

/* Copies at most `n` bytes that are ready; returns how many. */
static int copy_some(sb_agent_log *log, int n) {
    char piece[PIECE];
    const ssize_t got = read(log->pipe[0], piece, n < PIECE ? (size_t)n : PIECE);
    if (got > 0) keep(log, piece, (size_t)got);
    return (int)got;
}

/* Copies what is in the pipe now, and no more: a program that could not be ended may still be writing. */
static void copy_rest(sb_agent_log *log) {
    int left = 0, n = 1;
    for (ioctl(log->pipe[0], FIONREAD, &left); left > 0 && n > 0; left -= n) n = copy_some(log, left);
}

static void *copy(void *data) {
    sb_agent_log *log = data;
    struct pollfd both[] = {{.fd = log->pipe[0], .events = POLLIN}, {.fd = log->stop[0], .events = POLLIN}};
    do {
        if (poll(both, 2, -1) > 0 && both[0].revents) copy_some(log, PIECE);
    } while (!both[1].revents);
    copy_rest(log);
    return NULL;
}

/* ---- Beginning and ending ---- */

static bool open_file(sb_agent_log *log, sb_error *error) {
    bool is_device;
    log->file = sb_file_open_log(log->path, &is_device, error);
    if (log->file >= 0 && is_device) log->limit = UINT64_MAX;
    return log->file >= 0;
}

/* Blocks all signals in the new thread, so that other threads handle them. */
static bool start(sb_agent_log *log, sb_error *error) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    log->begun = sb_start_thread(&log->thread, SB_SMALL_STACK, copy, log) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return log->begun || sb_fail(error, SB_MEMORY, "cannot start a thread");
}

static void close_all(sb_agent_log *log) {
    const int all[] = {log->file, log->pipe[0], log->pipe[1], log->stop[0], log->stop[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0) close(all[i]);
}

bool sb_agent_log_begin(sb_agent_log *log, const char *path, uint64_t limit, sb_error *error) {
    *log = (sb_agent_log){
        .path = path, .file = -1, .pipe = {-1, -1}, .stop = {-1, -1}, .limit = limit ? limit : UINT64_MAX};
    const bool ok = open_file(log, error) && sb_make_pipe(log->pipe, error) && sb_make_pipe(log->stop, error);
    if (ok) fcntl(log->pipe[0], F_SETFL, O_NONBLOCK);
    if (ok && start(log, error)) return true;
    close_all(log);
    return false;
}

static void tell(const sb_agent_log *log, char *note, size_t size) {
    note[0] = '\0';
    if (log->reason)
        snprintf(note, size, "%s does not hold all that programs wrote: %s", sb_path_end(log->path),
                 strerror(log->reason));
    else if (log->dropped)
        snprintf(note, size, "%s is full: %llu bytes that programs wrote were left out (--agent-log-mib allows more)",
                 sb_path_end(log->path), (unsigned long long)log->dropped);
}

void sb_agent_log_end(sb_agent_log *log, char *note, size_t size) {
    note[0] = '\0';
    if (!log->begun) return;
    close(log->stop[1]);
    log->stop[1] = -1;
    pthread_join(log->thread, NULL);
    tell(log, note, size);
    close_all(log);
    log->begun = false;
}
