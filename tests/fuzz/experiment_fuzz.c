/* Takes the input as an experiment. If it can be read, every run has a file's name, an agent and either a pack or a
 * request, no two runs have one name, and reading it once more gives the same runs; otherwise there is an error
 * message. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/experiment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(const char *name) {
    const size_t n = strlen(name);
    if (n == 0 || n >= SB_EXPERIMENT_NAME || *name == '.' || *name == '-') abort();
    for (size_t i = 0; i < n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+", name[i])) abort();
}

static void check_runs(const sb_experiment *x) {
    if (!x->n || x->n > SB_EXPERIMENT_MOST) abort();
    for (size_t i = 0; i < x->n; i++) {
        const sb_experiment_run *run = &x->runs[i];
        check_name(run->name);
        if (!*run->label || !run->spec || !*run->spec) abort();
        if (run->pack && (!*run->pack || !sb_request_is_empty(&run->request))) abort();
        for (size_t k = 0; k < i && i < 100; k++)
            if (strcmp(x->runs[k].name, run->name) == 0) abort();
    }
}

static void check_again(const sb_experiment *x, const char *text, size_t n) {
    sb_experiment again;
    sb_error error = {0};
    if (!sb_experiment_parse(&again, NULL, text, n, x->salt, &error) || again.n != x->n) abort();
    for (size_t i = 0; i < x->n; i++) {
        const sb_experiment_run *a = &x->runs[i], *b = &again.runs[i];
        if (strcmp(a->name, b->name) != 0 || strcmp(a->spec, b->spec) != 0 || strcmp(a->salt, b->salt) != 0) abort();
    }
    sb_experiment_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_experiment experiment;
    sb_error error = {0};
    if (sb_experiment_parse(&experiment, NULL, (const char *)data, size, NULL, &error)) {
        check_runs(&experiment);
        check_again(&experiment, (const char *)data, size);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_experiment_free(&experiment);
    return 0;
}
