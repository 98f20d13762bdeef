/* Compares two builds: seedbed-bench and an older one measure in turns, so that what disturbs the machine disturbs
 * both. */
#ifndef SB_BENCH_COMPARE_H
#define SB_BENCH_COMPARE_H

#include "seedbed.h"

enum { BENCH_ROUNDS_MAX = 99 };

/* Starts the programs `old` and `new`, two files made from tests/bench, `rounds` times each, every time with the given
 * options besides `--json --rounds 1`. Prints how much faster the new one is, by task and measure: the geometric mean
 * of the rounds' ratios, with its interval of 95 % (Student's t of the logarithms). */
bool bench_compare(const char *old, const char *new, const char *const *options, size_t n_options, size_t rounds,
                   sb_error *error);

#endif
