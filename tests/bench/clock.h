/* The clock of the benchmarks. */
#ifndef SB_BENCH_CLOCK_H
#define SB_BENCH_CLOCK_H

#include <time.h>

/* Returns the processor time of this program in seconds: what else runs on the machine hardly disturbs it. */
static inline double bench_processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
