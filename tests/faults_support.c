#include "tests/faults_support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

atomic_long calls[N_FAULTS];
atomic_bool interrupts;
static atomic_long fails_at[N_FAULTS]; /* the call that fails, counted from 1; 0: none; -1: every one */

void arm(fault which, long nth) {
    for (int i = 0; i < N_FAULTS; i++) {
        calls[i] = 0;
        fails_at[i] = 0;
    }
    fails_at[which] = nth;
}

void disarm(void) { arm(MEMORY, 0); }

static bool fails(fault which, int reason) {
    const long call = atomic_fetch_add(&calls[which], 1) + 1, at = fails_at[which];
    if (at != -1 && at != call) return false;
    errno = reason;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
ssize_t __real_write(int descriptor, const void *bytes, size_t n);
int __real_fsync(int descriptor);
int __real_rename(const char *from, const char *to);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t n);
int __wrap_fsync(int descriptor);
int __wrap_rename(const char *from, const char *to);

void *__wrap_malloc(size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *block, size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_realloc(block, size); }
/* A full disk writes half of the bytes, and then nothing. */
ssize_t __wrap_write(int descriptor, const void *bytes, size_t n) {
    if (fails(WRITE, ENOSPC)) return -1;
    if (interrupts && calls[WRITE] % 2) return errno = EINTR, -1;
    return __real_write(descriptor, bytes, n > 1 ? n / 2 : n);
}
int __wrap_fsync(int descriptor) { return fails(FSYNC, EIO) ? -1 : __real_fsync(descriptor); }
int __wrap_rename(const char *from, const char *to) { return fails(RENAME, EIO) ? -1 : __real_rename(from, to); }
