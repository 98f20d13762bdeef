/* e^x and its inverse, the same bits on every machine. The C library's results differ in the last bit from one
 * processor to the next, and scores are compared to the last bit. */
#ifndef SB_BASE_EXP_H
#define SB_BASE_EXP_H

/* Returns e^x, rounded correctly, for -700 <= x <= 700. Takes about two microseconds. */
double sb_exp(double x);
/* Returns the natural logarithm of a normal number above 0, which is off by at most two units of the last place. Made
 * of sums, products and quotients of doubles, which IEEE 754 rounds alike everywhere. */
double sb_ln(double x);

#endif
