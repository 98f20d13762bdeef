#include "oracles/kits/values.h"

#include <math.h>

enum { ROW = SB_VALUES_ROW };

static void choose(float *restrict steps, const float *restrict a, const float *restrict b, const float *restrict c,
                   const float *restrict d, const float *restrict e) {
    for (int i = 0; i < ROW; i++) {
        const float ab = a[i] < b[i] ? a[i] : b[i], cd = c[i] < d[i] ? c[i] : d[i];
        const float abcd = ab < cd ? ab : cd;
        steps[i] = 1 + (abcd < e[i] ? abcd : e[i]);
    }
}

void sb_values_choose(float *steps, const float *const after[SB_VALUES_ACTIONS], int rows) {
    for (int at = 0; at < rows * ROW; at += ROW)
        choose(steps + at, after[0] + at, after[1] + at, after[2] + at, after[3] + at, after[4] + at);
}

static void replace(float *restrict values, const float *restrict steps, const float *restrict inside,
                    float *restrict change) {
    for (int i = 0; i < ROW; i++) {
        const float now = steps[i] * inside[i], off = fabsf(now - values[i]);
        change[i] = change[i] > off ? change[i] : off;
        values[i] = now;
    }
}

void sb_values_replace(float *values, const float *steps, const float *inside, int rows, float change[ROW]) {
    for (int at = 0; at < rows * ROW; at += ROW) replace(values + at, steps + at, inside + at, change);
}

float sb_values_most(const float change[ROW]) {
    float most = 0;
    for (int i = 0; i < ROW; i++) most = change[i] > most ? change[i] : most;
    return most;
}
