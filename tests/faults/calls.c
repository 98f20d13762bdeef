/* System calls that fail, kill the process, or are logged: a program that links these functions calls them instead of
 * libc's.
 *
 *   SEEDBED_FAULT=CALL:N:fail   the N-th such call fails (as on a broken disk); counted from 1
 *   SEEDBED_FAULT=CALL:N:kill   the process is killed at that call
 *   SEEDBED_FAULT_LOG=FILE      every call that changes files is logged there, one line of JSON each
 *   SEEDBED_FAULT_UNDER=FOLDER  only calls on files in this folder count
 *   SEEDBED_FAULT_NO_LOCKS=1    the file system cannot lock
 *
 * CALL is open, write, fsync, rename, unlink or close. The counts stand at the end of the log. Workers may make calls
 * at the same time: how many there are is certain, which of them is the N-th is not. Only one thread may change files.
 */
#define _GNU_SOURCE /* for syscall(2); NOLINT(bugprone-reserved-identifier) */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024, PATH = 1200 };

static char path_of[DESCRIPTORS][PATH]; /* the path of each open descriptor whose calls count; empty for all others */
static int log_descriptor = -1;

static const char *const names[] = {"open", "write", "fsync", "rename", "unlink", "close"};
enum { OPEN, WRITE, FSYNC, RENAME, UNLINK, CLOSE, N_CALLS };
static atomic_long counts[N_CALLS];

/* ---- Which calls count ---- */

/* Returns whether calls on this path count, and makes the path absolute. */
static bool counts_here(const char *path, char absolute[PATH]) {
    const char *under = getenv("SEEDBED_FAULT_UNDER");
    char here[PATH];
    if (!under || syscall(SYS_getcwd, here, sizeof here) < 0) return false;
    if (*path == '/')
        snprintf(absolute, PATH, "%s", path);
    else
        snprintf(absolute, PATH, "%.*s/%s", PATH / 2, here, strcmp(path, ".") == 0 ? "" : path);
    return strncmp(absolute, under, strlen(under)) == 0;
}

static const char *counted(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS && *path_of[descriptor] ? path_of[descriptor] : NULL;
}

/* Counts the call. If it is the chosen one, kills the process, or returns true so that the call fails. */
static bool strikes(int call) {
    char action[8] = "", name[16] = "";
    long at = 0;
    const char *fault = getenv("SEEDBED_FAULT");
    const long now = atomic_fetch_add(&counts[call], 1) + 1;
    if (!fault || sscanf(fault, "%15[a-z]:%ld:%7[a-z]", name, &at, action) != 3) return false;
    if (strcmp(name, names[call]) != 0 || at != now) return false;
    if (strcmp(action, "kill") == 0) kill(getpid(), SIGKILL);
    errno = EIO;
    return true;
}

/* ---- The log ---- */

static void say(const char *format, ...) {
    char text[3 * PATH];
    va_list arguments;
    const char *path = getenv("SEEDBED_FAULT_LOG");
    if (!path) return;
    if (log_descriptor < 0)
        log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n > 0 && syscall(SYS_write, log_descriptor, text, (size_t)n) != n) abort();
}

static void say_bytes(const char *path, long offset, const unsigned char *bytes, size_t n) {
    if (!getenv("SEEDBED_FAULT_LOG")) return;
    say("{\"do\": \"write\", \"path\": \"%s\", \"at\": %ld, \"hex\": \"", path, offset);
    char hex[2049];
    for (size_t i = 0, k = 0; i < n; i++) {
        k += (size_t)snprintf(hex + k, 3, "%02x", bytes[i]);
        if (k == sizeof hex - 1 || i + 1 == n) say("%s", hex), k = 0;
    }
    say("\"}\n");
}

__attribute__((destructor)) static void say_counts(void) {
    say("{\"do\": \"end\"");
    for (int i = 0; i < N_CALLS; i++) say(", \"%s\": %ld", names[i], atomic_load(&counts[i]));
    say("}\n");
}

/* ---- The calls ---- */

/* libc has reserved names for their parameters.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

static int open_counted(const char *path, int flags, mode_t mode) {
    char absolute[PATH];
    const bool here = counts_here(path, absolute);
    if (here && strikes(OPEN)) return -1;
    const bool is_new = (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
    const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor < 0 || descriptor >= DESCRIPTORS || !here) return descriptor;
    strcpy(path_of[descriptor], absolute);
    if (is_new) say("{\"do\": \"create\", \"path\": \"%s\"}\n", absolute);
    if (!is_new && (flags & O_TRUNC)) say("{\"do\": \"truncate\", \"path\": \"%s\", \"at\": 0}\n", absolute);
    return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & O_CREAT ? (mode_t)va_arg(arguments, unsigned) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_counted(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_counted(path, flags, mode);
}

static long offset_of(int descriptor) {
    struct stat facts;
    if ((syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND) && fstat(descriptor, &facts) == 0)
        return (long)facts.st_size;
    return syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
}

ssize_t write(int descriptor, const void *bytes, size_t n) {
    const char *path = counted(descriptor);
    if (path && strikes(WRITE)) return -1;
    const long at = path ? offset_of(descriptor) : 0;
    const ssize_t done = syscall(SYS_write, descriptor, bytes, n);
    if (path && done > 0) say_bytes(path, at, bytes, (size_t)done);
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t n, off_t at) {
    const char *path = counted(descriptor);
    if (path && strikes(WRITE)) return -1;
    const ssize_t done = syscall(SYS_pwrite64, descriptor, bytes, n, at);
    if (path && done > 0) say_bytes(path, (long)at, bytes, (size_t)done);
    return done;
}

int ftruncate(int descriptor, off_t n) {
    const char *path = counted(descriptor);
    const int status = (int)syscall(SYS_ftruncate, descriptor, n);
    if (path && status == 0) say("{\"do\": \"truncate\", \"path\": \"%s\", \"at\": %ld}\n", path, (long)n);
    return status;
}

int fsync(int descriptor) {
    const char *path = counted(descriptor);
    if (path && strikes(FSYNC)) return -1;
    if (path) say("{\"do\": \"sync\", \"path\": \"%s\"}\n", path);
    return path ? 0 : (int)syscall(SYS_fsync, descriptor); /* tests need not wait for the disk */
}

int close(int descriptor) {
    const char *path = counted(descriptor);
    const bool fails = path && strikes(CLOSE);
    if (path) *path_of[descriptor] = '\0';
    const int status = (int)syscall(SYS_close, descriptor); /* Linux closes it in any case */
    if (fails) errno = EIO;
    return fails ? -1 : status;
}

int rename(const char *from, const char *to) {
    char old[PATH], new[PATH];
    const bool here = counts_here(from, old) && counts_here(to, new);
    if (here && strikes(RENAME)) return -1;
    const int status = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (here && status == 0) say("{\"do\": \"rename\", \"path\": \"%s\", \"to\": \"%s\"}\n", old, new);
    return status;
}

int unlink(const char *path) {
    char absolute[PATH];
    const bool here = counts_here(path, absolute);
    if (here && strikes(UNLINK)) return -1;
    const int status = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (here && status == 0) say("{\"do\": \"unlink\", \"path\": \"%s\"}\n", absolute);
    return status;
}

int rmdir(const char *path) {
    char absolute[PATH];
    const int status = (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
    if (status == 0 && counts_here(path, absolute)) say("{\"do\": \"rmdir\", \"path\": \"%s\"}\n", absolute);
    return status;
}

int flock(int descriptor, int operation) {
    if (!getenv("SEEDBED_FAULT_NO_LOCKS")) return (int)syscall(SYS_flock, descriptor, operation);
    errno = ENOLCK;
    return -1;
}

int mkdir(const char *path, mode_t mode) {
    char absolute[PATH];
    const int status = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (status == 0 && counts_here(path, absolute)) say("{\"do\": \"mkdir\", \"path\": \"%s\"}\n", absolute);
    return status;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
