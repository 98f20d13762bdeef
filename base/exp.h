/* e^x, rounded correctly: the same bits on every machine. The C library's result differs in the last bit from one
 * processor to the next, and scores are compared to the last bit. */
#ifndef SB_BASE_EXP_H
#define SB_BASE_EXP_H

/* Returns e^x for -700 <= x <= 700. Takes about two microseconds. */
double sb_exp(double x);

#endif
