#include "evaluation/stratified.h"

#include <math.h>

bool sb_can_estimate(const sb_stratum_sample *strata, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strata[i].drawn < 2 && strata[i].drawn < strata[i].of) return false;
    return n;
}

/* The two-sided quantile of 95 % of Student's t. Between whole degrees of freedom a line in their reciprocal lies a
 * little above the curve; from ten on a series is exact to five digits. */
static double student(double freedom) {
    static const double few[] = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582,
                                 2.446912,  2.364624, 2.306004, 2.262157, 2.228139};
    static const double z = 1.959963984540054; /* 97.5 % quantile of the normal distribution */
    const size_t below = (size_t)freedom, last = sizeof few / sizeof *few;
    if (below < last) {
        const double a = 1 / (double)below, b = 1 / (double)(below + 1);
        return few[below] + (few[below - 1] - few[below]) * (1 / freedom - b) / (a - b);
    }
    const double zz = z * z, d = freedom;
    return z * (1 + (zz + 1) / (4 * d) + (5 * zz * zz + 16 * zz + 3) / (96 * d * d) +
                (3 * zz * zz * zz + 19 * zz * zz + 17 * zz - 15) / (384 * d * d * d));
}

/* What a list adds to the variance of the estimate, if its values have the variance `squared`. */
static double variance_of(const sb_stratum_sample *s, double squared) {
    const double drawn = (double)s->drawn;
    return s->weight * s->weight * (1 - drawn / (double)s->of) * squared / drawn;
}

static double squared_deviation(const sb_stratum_sample *s) {
    const double drawn = (double)s->drawn, squares = s->squares - s->sum * s->sum / drawn;
    return s->drawn > 1 && squares > 0 ? squares / (drawn - 1) : 0;
}

/* Two or three values of a list are often equal by chance, most often where nearly all agree, and then say nothing of
 * its variance. So the variance is that of all lists and one more, of which one value differs from the others; and the
 * degrees of freedom are those of the lists that vary (Satterthwaite's), and one. */
sb_estimate sb_estimate_mean(const sb_stratum_sample *strata, size_t n) {
    double value = 0, variance = 0, freedom = 0, one_more = 0;
    for (size_t i = 0; i < n; i++) {
        const sb_stratum_sample *s = &strata[i];
        if (!(s->weight > 0)) continue;
        const double adds = variance_of(s, squared_deviation(s)), differs = variance_of(s, 1 / (double)s->drawn);
        value += s->weight * s->sum / (double)s->drawn;
        variance += adds;
        if (adds > 0) freedom += adds * adds / (double)(s->drawn - 1);
        if (differs > one_more) one_more = differs;
    }
    freedom = freedom > 0 ? variance * variance / freedom + 1 : 1;
    const double half = student(freedom) * sqrt(variance + one_more), lower = value - half, upper = value + half;
    return (sb_estimate){value, half, {lower > 0 ? lower : 0, upper < 1 ? upper : 1}};
}
