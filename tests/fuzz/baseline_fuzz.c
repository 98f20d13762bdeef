/* Takes the input as a baseline. If it can be read, it normalises any return to 0..1; otherwise there is an error
 * message. */
#include <stdlib.h>

#include "engine/lookup.h"
#include "evaluation/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_bounds(const sb_bounds *bounds) {
    const double returns[] = {-1e308, -1, 0, 0.5, 1, 1e308, bounds->random, bounds->optimal};
    for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
        const double normalised = sb_normalised(returns[i], bounds);
        if (!(normalised >= 0 && normalised <= 1)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_baseline baseline;
    sb_error error = {0};
    if (!sb_baseline_parse(&baseline, (const char *)data, size, &error) && (error.code == SB_OK || !error.text[0]))
        abort();
    for (size_t i = 0; i < baseline.n; i++) check_bounds(&baseline.entries[i].bounds);
    const sb_family *family = sb_families[0];
    for (size_t i = 0; i < family->n_tasks; i++) {
        const sb_bounds *bounds = sb_baseline_find(&baseline, family, family->task(i)->name, family->difficulties[0]);
        if (bounds) check_bounds(bounds);
    }
    sb_baseline_free(&baseline);
    return 0;
}
