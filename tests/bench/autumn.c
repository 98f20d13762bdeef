/* Measures Autumn programs: steps a second on one core, with noops and keys, frames as arrays included. An episode has
 * 300 steps; a program that stops by a fault is started again.
 *
 *   seedbed-bench-autumn FILE...      (one line a program, and the least and the median of all) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/autumn/autumn.h"
#include "tests/bench/clock.h"

enum { EPISODE = 300, SECONDS_EACH = 1, LARGEST = 4 << 20 };

/* Plays episodes for some time; returns steps a second, 0 if the program does not start. */
static double measure(sb_autumn_state *state) {
    static uint32_t frame[SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX];
    uint32_t random = 1, steps = 0;
    const double began = bench_processor_seconds();
    double spent = 0;
    for (uint64_t seed = 1; spent < SECONDS_EACH; seed++) {
        if (!sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL)) return 0;
        for (int i = 0; i < EPISODE; i++, steps++) {
            random = random * 1664525u + 1013904223u;
            const sb_autumn_event event = {.key = (sb_autumn_key)((random >> 16) % 5)};
            if (!sb_autumn_step(state, event, NULL)) break;
            sb_autumn_frame(state, frame);
        }
        spent = bench_processor_seconds() - began;
    }
    return steps / spent;
}

static bool measure_file(const char *path, double *rate) {
    sb_error error;
    sb_autumn_fault fault;
    sb_out text = sb_out_growing();
    if (!sb_file_load_plain(path, LARGEST, &text, &error)) return fprintf(stderr, "%s\n", error.text), false;
    sb_autumn_program *const program = sb_autumn_load(text.data, text.size, NULL, &fault);
    sb_autumn_state *const state = program ? sb_autumn_new(program) : NULL;
    if (!program) fprintf(stderr, "%s:%u:%u: %s\n", path, fault.line, fault.column, fault.text);
    *rate = state ? measure(state) : 0;
    sb_autumn_free(state);
    sb_autumn_unload(program);
    sb_out_free(&text);
    return true;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    double *const rates = calloc((size_t)argc + 1, sizeof *rates);
    size_t n = 0;
    if (!rates) return 1;
    for (int i = 1; i < argc; i++) {
        if (!measure_file(argv[i], &rates[n])) return free(rates), 1;
        if (rates[n] == 0) continue; /* it does not start */
        printf("%-60s %10.0f\n", argv[i], rates[n++]);
    }
    qsort(rates, n, sizeof *rates, by_value);
    if (n) printf("%zu programs: least %.0f, median %.0f steps a second\n", n, rates[0], rates[n / 2]);
    free(rates);
    return 0;
}
