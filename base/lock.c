#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

enum { HOLDER_BYTES = 256, ATTEMPTS = 100 };

/* ---- Who holds the lock ---- */

/* Writes this process into the lock file. The lock holds without that, so a full disk does not matter. */
static void sign(int descriptor) {
    char host[65] = "", command[120], text[HOLDER_BYTES];
    gethostname(host, sizeof host - 1);
    sb_own_words(command, sizeof command);
    const int n = snprintf(text, sizeof text, "process %ld on %s: %s\n", (long)getpid(), host, command);
    if (n > 0 && ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, (size_t)n, 0) < n) (void)errno;
}

static bool fail_held(const sb_lock *lock, const char *path, sb_error *error) {
    char holder[HOLDER_BYTES] = "";
    const ssize_t n = pread(lock->descriptor, holder, sizeof holder - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    return sb_fail(error, SB_IO, "%s is being written by %s; wait until that ends, or write elsewhere", path,
                   *holder ? holder : "another process");
}

/* ---- Taking and releasing ---- */

static bool open_lock(sb_lock *lock, const char *path, sb_error *error) {
    struct stat facts;
    lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (lock->descriptor < 0 && errno != ELOOP) return sb_fail_errno(error, "cannot write %s", path);
    if (lock->descriptor >= 0 && fstat(lock->descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink <= 1)
        return true;
    if (lock->descriptor >= 0) close(lock->descriptor);
    return sb_fail(error, SB_IO, "cannot write %s: %s is not a lock file; remove it", path, lock->path);
}

/* Tells whether the locked file still has the name: its last holder may have removed it in between. */
static bool is_current(const sb_lock *lock) {
    struct stat mine, there;
    return fstat(lock->descriptor, &mine) == 0 && lstat(lock->path, &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

static bool cannot_lock(int reason) {
    return sb_is_unsupported(reason) || reason == ENOLCK || reason == ENOSYS || reason == EINVAL;
}

static bool take(sb_lock *lock, const char *path, sb_error *error) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!open_lock(lock, path, error)) return false;
        if (flock(lock->descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            if (reason == EWOULDBLOCK) fail_held(lock, path, error);
            close(lock->descriptor);
            if (reason == EINTR) continue;
            if (reason == EWOULDBLOCK) return false;
            if (!cannot_lock(reason)) return errno = reason, sb_fail_errno(error, "cannot lock %s", path);
            unlink(lock->path); /* it cannot be locked, so no process holds it */
            return lock->missing = true;
        }
        if (is_current(lock)) {
            sign(lock->descriptor);
            return lock->held = true;
        }
        close(lock->descriptor);
    }
    return sb_fail(error, SB_IO, "cannot lock %s: other writers keep taking the lock; try again", path);
}

static bool lock_at(sb_lock *lock, const char *path, const char *slash, sb_error *error) {
    lock->held = lock->missing = false;
    const int n = snprintf(lock->path, sizeof lock->path, "%s%s" SB_LOCK_NAME, path, slash);
    if (n < 0 || (size_t)n >= sizeof lock->path)
        return sb_fail(error, SB_INVALID, "the path of the folder is too long: %.80s...", path);
    return take(lock, path, error);
}

bool sb_lock_folder(sb_lock *lock, const char *path, sb_error *error) { return lock_at(lock, path, "/", error); }

bool sb_lock_file(sb_lock *lock, const char *path, sb_error *error) { return lock_at(lock, path, "", error); }

void sb_lock_release(sb_lock *lock) {
    if (!lock->held) return;
    unlink(lock->path); /* the lock is still held here; a file that stays does no harm */
    close(lock->descriptor);
    lock->held = false;
}
