/* Faults on demand: the linker replaces malloc, calloc, realloc, write, fsync and rename in our own code by the
 * versions of faults_support.c (-Wl,--wrap in tests/CMakeLists.txt), which count calls and fail on demand. So the
 * program itself needs no hooks for this. */
#ifndef SB_TESTS_FAULTS_SUPPORT_H
#define SB_TESTS_FAULTS_SUPPORT_H

#include "tests/support.h"

#include <stdatomic.h>

typedef enum fault { MEMORY, WRITE, FSYNC, RENAME, N_FAULTS } fault;

extern atomic_long calls[N_FAULTS]; /* since arm() */
extern atomic_bool interrupts;      /* whether every second write is interrupted by a signal */

/* Lets one call of this kind fail, counted from 1; 0: none; -1: every one. */
void arm(fault which, long nth);
void disarm(void);

#endif
