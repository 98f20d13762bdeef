/* One writer at a time: a lock file beside what is written, locked by the kernel with flock(2).
 *
 * The kernel releases the lock when the last descriptor of the open lock file is closed, so the lock never outlives the
 * writer. A child process forked without exec must close the descriptor first, or the lock lives as long as the child.
 * A leftover lock file is taken over if no process holds its lock. */
#ifndef SB_BASE_LOCK_H
#define SB_BASE_LOCK_H

#include "seedbed.h"

/* The lock file's name in a folder; for a file, the suffix added to its name. */
#define SB_LOCK_NAME ".seedbed.lock"

typedef struct sb_lock {
    char path[1100];
    int descriptor;
    bool held;
    bool missing; /* the file system cannot lock: writers must use names that no other writer uses */
} sb_lock;

/* Locks writing to `path`, an existing folder (or a file in one). Does not wait: if another writer holds the lock, the
 * error says which process. A file system that cannot lock is not an error: see `missing`. */
bool sb_lock_folder(sb_lock *lock, const char *path, sb_error *error);
bool sb_lock_file(sb_lock *lock, const char *path, sb_error *error);

/* Removes the lock file and releases the lock; does nothing if the lock is zeroed or was never taken. */
void sb_lock_release(sb_lock *lock);

/* The warning for users when a lock is missing. */
#define SB_LOCK_MISSING "this file system cannot lock files; make sure that nobody else writes there at the same time"

#endif
