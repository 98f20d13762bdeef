/* Relaxations in which things are played alone show which goals each of them can reach. This tells whether that is
 * enough to win. */
#ifndef SB_ORACLES_ALONE_H
#define SB_ORACLES_ALONE_H

#include <stdbool.h>

/* Tells whether n things can have a goal of their own each; bit k of reached[i] is set if thing i can reach goal k. */
bool sb_can_match(const unsigned *reached, int n);

#endif
