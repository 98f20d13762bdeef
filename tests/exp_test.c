/* e^x is rounded correctly: compared with values by Python's decimal module in 90 digits, among them the hardest to
 * round (Lefevre and Muller 2001), and with the C library's, which is nearly right, everywhere. Logarithms are near and
 * the same everywhere. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exp.h"

static const double rows[][2] = {
    {0x0.0p+0, 0x1.0000000000000p+0},
    {0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1},
    {-0x1.0000000000000p+0, 0x1.78b56362cef38p-2},
    {0x1.0000000000000p-1, 0x1.a61298e1e069cp+0},
    {-0x1.5e00000000000p+9, 0x1.14f2b0fb9307fp-1010},
    {0x1.5e00000000000p+9, 0x1.d945df4f8ec8ep+1009},
    {0x1.0000000000000p-53, 0x1.0000000000001p+0},
    {-0x1.0000000000000p-54, 0x1.0000000000000p+0},
    {-0x1.0000000000000p-53, 0x1.fffffffffffffp-1},
    {0x1.0000000000000p-60, 0x1.0000000000000p+0},
    {0x1.0000000000000p-61, 0x1.0000000000000p+0},
    {-0x1.1611a7b9611a8p+0, 0x1.599815ab76c17p-2},
    {0x1.9e9cbbfd6080bp-31, 0x1.000000033d398p+0},
    {0x1.83d4bcdebb3f4p+2, 0x1.ac50b409c8aeep+8},
    {-0x1.1d5c2daebe367p+4, 0x1.3495f122ea624p-26},
    {0x1.d6336a88077aap-46, 0x1.0000000000076p+0},
    {0x1.9e9cbbfd6080bp-31, 0x1.000000033d398p+0},
    {-0x1.d4038644ed68ep+3, 0x1.ddb379fb232a8p-22},
    {0x1.bcb716405cc6cp+3, 0x1.08f60fa699436p+20},
    {0x1.51a1aaca18db0p+3, 0x1.2a8e1ad52ba90p+15},
    {-0x1.3982fb4d220cdp+3, 0x1.d272a5062f128p-15},
    {-0x1.75f5298fbea00p-3, 0x1.aa8ca34c43a47p-1},
    {-0x1.029b1251c3578p+1, 0x1.0f94d0b614811p-3},
    {0x1.8413f8797a140p+2, 0x1.adf8b3b3cff9bp+8},
    {0x1.7190de2197bfap+3, 0x1.94f27961ea169p+16},
    {-0x1.03ee0b98f8b22p+4, 0x1.7a13438f33ea0p-24},
    {-0x1.2ddb8ca888de0p+4, 0x1.b82fa35af6c23p-28},
    {0x1.adc7825e5e918p+3, 0x1.4c484a83a34bap+19},
    {-0x1.583b8c7b3d5c8p+1, 0x1.163aef60b8374p-4},
    {0x1.4fb7effabec6cp+3, 0x1.193ae4dd788c2p+15},
    {-0x1.3ea6f1b85557dp+4, 0x1.342e60f6c24cep-29},
    {-0x1.179e18d58c670p+1, 0x1.cceefe533c816p-4},
    {0x1.1b923ce04acecp+3, 0x1.b8fc5a6228826p+12},
    {-0x1.5b2f32016a5b0p+3, 0x1.45b6e87a8f608p-16},
    {0x1.1cf926982d9ccp+4, 0x1.9e9ad38047d6dp+25},
    {0x1.00e9dfe964f58p+4, 0x1.1f1e02b99fd47p+23},
    {-0x1.2c6c231e36d7ep+4, 0x1.e17ef6a07df1fp-28},
    {-0x1.2fb6f33c094b9p+4, 0x1.87f310c2bd3f2p-28},
    {0x1.a810500bc8450p+0, 0x1.4f6b64865ff37p+2},
    {0x1.190e32e67fab6p+4, 0x1.448edd0582a88p+25},
    {-0x1.301dfda4533e4p+2, 0x1.1afaf3ae13b61p-7},
    {-0x1.6ac0b5a4f4186p+3, 0x1.907a04119aa94p-17},
    {-0x1.8ec35caf744f8p+1, 0x1.6b6d1e4f56befp-5},
    {-0x1.2d69f515ca266p+4, 0x1.c4907a6eeb2e4p-28},
    {-0x1.643c1325cecebp+3, 0x1.eaf3afe3459adp-17},
    {-0x1.3e03f926eee08p+1, 0x1.5579339dc4428p-4},
    {-0x1.570fa9e2b7d00p-3, 0x1.b1087c6a317dbp-1},
    {-0x1.75ae8874809f2p+8, 0x1.dacbc8d05f7fep-540},
    {-0x1.78c96e778d2f9p+8, 0x1.547ed73b6215bp-544},
    {-0x1.89b4e04fd58aap+8, 0x1.0044e74827bc2p-568},
    {-0x1.c470f16adb970p+5, 0x1.53b6477d14ba6p-82},
    {-0x1.264e44f2dc80dp+8, 0x1.5355ea58f87f2p-425},
    {-0x1.4ef50b791591dp+9, 0x1.6e886f5352cd2p-967},
    {0x1.d89bf24c58e34p+8, 0x1.c75f15e44f820p+681},
    {0x1.3c24eabd88300p+6, 0x1.0475d855179f8p+114},
    {-0x1.b85e052353f9ap-48, 0x1.fffffffffffc9p-1},
    {0x1.0211e03c9965fp-51, 0x1.0000000000002p+0},
    {0x1.ec4af646f434fp-7, 0x1.03e004d1792d6p+0},
    {0x1.5d200aa5ca5bdp-29, 0x1.0000000ae9005p+0},
    {-0x1.82c7f8b70a7fcp-41, 0x1.fffffffffe7d4p-1},
    {0x1.0e7e57e4ae2f4p-9, 0x1.008762ec15bf5p+0},
    {0x1.1e72c3c176270p-24, 0x1.0000011e72c46p+0},
    {-0x1.ce74173c9b786p-31, 0x1.fffffff8c62fap-1},
};

static void values_are_those_of_ninety_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sb_exp(rows[i][0]) != rows[i][1])
            fail_msg("e^%a is %a, not %a", rows[i][0], rows[i][1], sb_exp(rows[i][0]));
}

static void everywhere_it_is_near_the_c_librarys(void **state) {
    (void)state;
    for (int i = -70000; i <= 70000; i++) {
        const double x = i / 100.0, right = exp(x), found = sb_exp(x);
        if (found != right && found != nextafter(right, 0) && found != nextafter(right, INFINITY))
            fail_msg("e^%a is not %a", x, found);
    }
}

static void it_never_falls(void **state) {
    (void)state;
    for (int i = -256; i < 256; i++) assert_true(sb_exp(i * 0x1p-58) <= sb_exp((i + 1) * 0x1p-58));
}

/* Distance in units of the last place. */
static int64_t ulps(double a, double b) {
    int64_t i, k;
    memcpy(&i, &a, sizeof i), memcpy(&k, &b, sizeof k);
    return llabs(i - k);
}

static void logarithms_are_near_the_c_librarys(void **state) {
    (void)state;
    for (int i = 1; i <= 200000; i++) {
        const double numbers[] = {i / 100000.0, i / 3.0, exp(i / 300.0), 1 + ldexp(i, -40), 1 - ldexp(i, -40)};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (ulps(sb_ln(numbers[k]), log(numbers[k])) > 2)
                fail_msg("ln %a is not %a", numbers[k], sb_ln(numbers[k]));
    }
    for (int exponent = -28; exponent <= 28; exponent++) assert_true(sb_ln(ldexp(1, exponent)) / sb_ln(2) == exponent);
}

/* A machine whose sums differ fails here. */
static void logarithms_are_the_same_bits_everywhere(void **state) {
    (void)state;
    uint64_t sum = 0;
    for (int i = 1; i <= 100000; i++) {
        const double found = sb_ln(i / 1024.0);
        uint64_t bits;
        memcpy(&bits, &found, sizeof bits);
        sum = sum * 0x9e3779b97f4a7c15u + bits;
    }
    assert_int_equal(sum, 0xd8d1cbb058c297f5u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_ninety_digits),
        cmocka_unit_test(everywhere_it_is_near_the_c_librarys),
        cmocka_unit_test(it_never_falls),
        cmocka_unit_test(logarithms_are_near_the_c_librarys),
        cmocka_unit_test(logarithms_are_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
