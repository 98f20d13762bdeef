/* A catalogue of programs that a user brings, for the tests of what works with them. */
#ifndef SB_TESTS_CATALOGUE_SUPPORT_H
#define SB_TESTS_CATALOGUE_SUPPORT_H

#include "tests/support.h"

#include <stdio.h>
#include <string.h>

#include "engine/lookup.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

enum { N_PROGRAMS = 12, FIRST_LIMIT = 30 };

/* Has many programs, so that an array that is only large enough for the built-in tasks would overflow. */
typedef struct fixture {
    sb_catalogue *catalogue;
    const sb_family *family;
    const sb_task_info *task[N_PROGRAMS]; /* in the order in which they were added */
    char first[64], last[64];             /* names of the first and the last task of the catalogue, with the family's */
    char both[128];
} fixture;

static fixture f;

static inline sb_catalogue *fill(bool backwards, const sb_task_info *task[N_PROGRAMS]) {
    sb_error error;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(catalogue, error);
    for (int i = 0; i < N_PROGRAMS; i++) {
        char text[80];
        const int which = backwards ? N_PROGRAMS - 1 - i : i;
        snprintf(text, sizeof text, "levels 2\nwidth 3\nheight 2\nlimit %d\n", FIRST_LIMIT + which);
        assert_ok(sb_catalogue_add_program(catalogue, f.family, text, strlen(text), &task[which], &error), error);
    }
    return catalogue;
}

static inline int set_up(void **state) {
    (void)state;
    sb_error error;
    f.family = sb_family_find("climb", &error);
    f.catalogue = fill(false, f.task);
    const size_t n = sb_task_count(f.catalogue, f.family);
    snprintf(f.first, sizeof f.first, "climb:%s", sb_task_at(f.catalogue, f.family, f.family->n_tasks)->name);
    snprintf(f.last, sizeof f.last, "climb:%s", sb_task_at(f.catalogue, f.family, n - 1)->name);
    snprintf(f.both, sizeof f.both, "%s,%s", f.last, f.first);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    sb_catalogue_free(f.catalogue);
    return 0;
}

static inline void save(const char *path, const sb_out *text) {
    sb_error error;
    assert_ok(sb_file_save(path, text->data, text->size, &error), error);
}

static inline sb_selection selected(const sb_request *request) {
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(request, &selection, &error), error);
    return selection;
}

static inline sb_request brought(const char *tasks, const char *seeds) {
    return (sb_request){.catalogue = f.catalogue, .tasks = tasks, .seeds = seeds};
}

/* Writes tapes, one per line. */
static inline void write_tapes(const sb_request *request, const char *path) {
    sb_selection selection = selected(request);
    sb_worker worker = {.catalogue = request->catalogue};
    sb_out lines = sb_out_growing();
    sb_name name;
    sb_error error;
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_worker_play(&worker, "random", sb_selection_name(&selection, i, &name), NULL, NULL, &error),
                  error);
        sb_tape_put_line(&worker.tape, &lines);
    }
    save(path, &lines);
    sb_out_free(&lines);
    sb_worker_free(&worker);
    sb_selection_free(&selection);
}

#endif
