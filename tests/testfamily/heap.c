/* A format whose file is more than its rows: the actions of all episodes, and then a table of where each episode
 * begins. It stands for formats such as archives of arrays in the tests of the code that drives formats. */
#include <stdlib.h>

#include "base/error.h"
#include "tests/testfamily/toy.h"

typedef struct writer {
    uint64_t *begins, size;
    size_t n, capacity;
} writer;

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    (void)export;
    for (size_t i = 0; i < rollout->tape->n; i++)
        sb_put(out, (const char *)&rollout->tape->actions[i], sizeof(sb_action));
    *n_rows = rollout->tape->n;
    return sb_tape_replay(rollout->tape, rollout->env, NULL, NULL, error);
}

static bool begin(void *writer_, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)export, (void)place, (void)error;
    writer *w = writer_;
    sb_puts(out, "HEAP");
    w->size = 4;
    return true;
}

static bool add(void *writer_, const char *bytes, size_t n, uint64_t n_rows, sb_out *out, sb_error *error) {
    writer *w = writer_;
    if (n != n_rows * sizeof(sb_action)) return sb_fail(error, SB_INVALID, "rows of a heap that are not its own");
    if (w->n == w->capacity) {
        const size_t capacity = w->capacity ? 2 * w->capacity : 4;
        uint64_t *begins = realloc(w->begins, capacity * sizeof *begins);
        if (!begins) return sb_fail(error, SB_MEMORY, "out of memory for a heap");
        w->begins = begins, w->capacity = capacity;
    }
    w->begins[w->n++] = w->size;
    w->size += n;
    sb_put(out, bytes, n);
    return true;
}

static bool finish(void *writer_, sb_out *out, sb_error *error) {
    (void)error;
    const writer *w = writer_;
    const uint64_t n = w->n;
    sb_put(out, (const char *)w->begins, w->n * sizeof *w->begins);
    sb_put(out, (const char *)&n, sizeof n);
    return true;
}

static void end(void *writer_) { free(((writer *)writer_)->begins); }

const sb_exporter toy_heap = {.name = "heap",
                              .suffix = "heap",
                              .summary = "actions and a table, for tests",
                              .rows = rows,
                              .writer_size = sizeof(writer),
                              .begin = begin,
                              .add = add,
                              .finish = finish,
                              .end = end};
