#include "base/exp.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Numbers from 0 on with 192 bits behind the point, cut off: a limb is 32 bits, the first one those before the point.
 * No double in the range has an e^x nearer than 2^-120 to a number in the middle between two doubles (Lefevre and
 * Muller, "Worst cases for correct rounding of the elementary functions in double precision", 2001), and what is cut
 * off here adds up to less than 2^-180. */
enum { LIMBS = 7, BITS = 192 };
typedef struct number {
    uint32_t limb[LIMBS];
} number;

#define LN2 0.6931471805599453
static const number ln2 = {{0, 0xb17217f7, 0xd1cf79ab, 0xc9e3b398, 0x03f2f6af, 0x40f34326, 0x7298b62d}};

static number add(number a, number b) {
    uint64_t carry = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        carry += (uint64_t)a.limb[i] + b.limb[i];
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

/* Takes b from a, which is not less. */
static number subtract(number a, number b) {
    int64_t borrow = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        borrow += (int64_t)a.limb[i] - b.limb[i];
        a.limb[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
    return a;
}

static bool is_less(number a, number b) {
    int i = 0;
    while (i < LIMBS - 1 && a.limb[i] == b.limb[i]) i++;
    return a.limb[i] < b.limb[i];
}

static number times(number a, number b) {
    uint32_t product[2 * LIMBS] = {0};
    number result;
    for (int i = LIMBS - 1; i >= 0; i--) {
        uint64_t carry = 0;
        for (int k = LIMBS - 1; k >= 0; k--) {
            carry += (uint64_t)a.limb[i] * b.limb[k] + product[i + k + 1];
            product[i + k + 1] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i] = (uint32_t)carry;
    }
    for (int i = 0; i < LIMBS; i++) result.limb[i] = product[i + 1]; /* the first limb of the product is 0 */
    return result;
}

static number divide(number a, uint32_t by) {
    uint64_t rest = 0;
    for (int i = 0; i < LIMBS; i++) {
        rest = rest << 32 | a.limb[i];
        a.limb[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return a;
}

static bool is_zero(number a) {
    uint32_t any = 0;
    for (int i = 0; i < LIMBS; i++) any |= a.limb[i];
    return !any;
}

/* Returns the number that is equal to x, for 2^-139 <= x < 2^32. */
static number number_of(double x) {
    number result;
    for (int i = 0; i < LIMBS; i++) {
        result.limb[i] = (uint32_t)x;
        x = (x - result.limb[i]) * 4294967296.0;
    }
    return result;
}

static number multiple_of_ln2(uint32_t n) { return times(ln2, (number){{n}}); }

/* Splits x into n ln 2 + the rest, which is from 0 to ln 2. */
static int reduce(double x, number *rest) {
    const number size = number_of(fabs(x));
    uint32_t n = (uint32_t)(fabs(x) / LN2);
    while (n > 0 && is_less(size, multiple_of_ln2(n))) n--;
    while (!is_less(size, multiple_of_ln2(n + 1))) n++;
    if (x >= 0) return *rest = subtract(size, multiple_of_ln2(n)), (int)n;
    return *rest = subtract(multiple_of_ln2(n + 1), size), -(int)(n + 1);
}

/* Returns the double that is nearest to a number from 1 to 2. */
static double nearest_double(number a) {
    const uint64_t bits = (uint64_t)a.limb[0] << 52 | (uint64_t)a.limb[1] << 20 | a.limb[2] >> 12;
    return ldexp((double)(bits + (a.limb[2] >> 11 & 1)), -52);
}

double sb_exp(double x) {
    number rest, sum = {{1}}, term = {{1}};
    if (fabs(x) < 0x1p-60) return 1;
    const int n = reduce(x, &rest);
    for (uint32_t k = 1; !is_zero(term); k++) {
        term = divide(times(term, rest), k);
        sum = add(sum, term);
    }
    return ldexp(nearest_double(sum), n);
}

double sb_ln(double x) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    if (mantissa < 0.70710678118654752) mantissa *= 2, exponent--;
    /* ln m = 2 (r + r^3/3 + r^5/5 + ...), with |r| < 0.172: what comes after r^23 is below 2^-60 of the sum. */
    const double r = (mantissa - 1) / (mantissa + 1), square = r * r;
    double sum = 0;
    for (int k = 23; k > 1; k -= 2) sum = (sum + 1.0 / k) * square;
    return exponent * LN2 + 2 * (r + r * sum);
}
