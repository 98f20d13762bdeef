/* One writer at a time: a lock file beside what is written, locked by the kernel with flock(2).
 *
 * The kernel releases the lock when the last descriptor of the open lock file is closed, so it never outlives the
 * writer, however that ends. A child process that is forked without exec must close the descriptor first: else the lock
 * lives as long as the child. A lock file that somebody left is taken over if nobody holds its lock. */
#ifndef SB_BASE_LOCK_H
#define SB_BASE_LOCK_H

#include "seedbed.h"

/* In a folder this is the lock file's name; beside a file, what its name ends with. */
#define SB_LOCK_NAME ".seedbed.lock"

typedef struct sb_lock {
    char path[1100];
    int descriptor;
    bool held;
    bool missing; /* the file system cannot lock: writers have to use names that nobody else uses */
} sb_lock;

/* Locks what is written to `path`, a folder that is there (or a file in one). Does not wait: if another writer holds
 * the lock, the error says which process that is. A file system that cannot lock is no error: see `missing`. */
bool sb_lock_folder(sb_lock *lock, const char *path, sb_error *error);
bool sb_lock_file(sb_lock *lock, const char *path, sb_error *error);

/* Removes the lock file and releases the lock; does nothing to a lock that is zeroed, or was never taken. */
void sb_lock_release(sb_lock *lock);

/* What to tell the user when a lock is missing. */
#define SB_LOCK_MISSING "this file system cannot lock files; make sure that nobody else writes there at the same time"

#endif
