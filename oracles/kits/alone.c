#include "oracles/kits/alone.h"

static bool match(const unsigned *reached, int n, unsigned taken) {
    unsigned left = n ? reached[n - 1] & ~taken : 0;
    for (; left; left &= left - 1)
        if (match(reached, n - 1, taken | (left & -left))) return true;
    return n == 0;
}

bool sb_can_match(const unsigned *reached, int n) { return match(reached, n, 0); }
