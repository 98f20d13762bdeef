#include "evaluation/atlas/atlas.h"

#include "base/error.h"
#include "base/line_file.h"
#include "base/pool.h"
#include "evaluation/atlas/atlas_file.h"
#include "evaluation/atlas/gauge.h"

typedef struct run {
    const sb_atlas_making *what;
    sb_line_file *file; /* NULL without a path */
    size_t first, n;    /* rows of the file when the work began, and all rows */
    sb_atlas_row row;   /* a row that an interrupted run left */
} run;

size_t sb_atlas_part_size(size_t n, sb_part part) { return part.of ? (n + part.of - part.number) / part.of : n; }

static const sb_name *name_of(const run *r, size_t index, sb_name *name) {
    return sb_selection_name(r->what->selection, sb_atlas_place(index, r->what->part), name);
}

/* ---- What an interrupted run left -------------------------------------------------------------------------------- */

static bool check_left(void *context, size_t index, const char *line, size_t n) {
    run *r = context;
    sb_error ignored;
    return sb_atlas_row_parse(r->what->selection->catalogue, line, n, &r->row, &ignored) &&
           sb_compare_names(&r->row.name, name_of(r, index, &(sb_name){0})) == 0;
}

static bool take_left(void *context, size_t index, const char *line, size_t n, sb_error *error) {
    run *r = context;
    (void)index;
    return !r->what->take || (sb_atlas_row_parse(r->what->selection->catalogue, line, n, &r->row, error) &&
                              r->what->take(r->what->context, &r->row, error));
}

static bool open_file(run *r, sb_error *error) {
    const sb_atlas_making *what = r->what;
    sb_out head = sb_out_growing();
    sb_atlas_head_print(what->selection, what->selected->data, what->selected->size, what->part, &head);
    const sb_line_source source = {.path = what->path,
                                   .what = "an atlas of another selection or version",
                                   .head = &head,
                                   .n = r->n,
                                   .check = check_left,
                                   .take = take_left,
                                   .context = r};
    const bool ok = sb_line_file_open(r->file, &source, error);
    if (ok && r->file->file.lock.missing && what->note) what->note(what->context, SB_LOCK_MISSING);
    r->first = r->file->done;
    sb_out_free(&head);
    return ok;
}

static bool close_file(sb_line_file *file, sb_error *error) {
    char sha256[SB_SHA256_HEX];
    sb_line_file_hash(file, sha256);
    sb_atlas_tail_print(file->n, sha256, &file->text);
    return sb_line_file_commit(file, error);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const run *r = context;
    sb_gauge *gauge = scratch;
    sb_atlas_row *row = slot;
    gauge->prover.worker.catalogue = r->what->selection->catalogue;
    name_of(r, r->first + index, &row->name);
    const sb_atlas_row *known = r->what->known ? sb_atlas_book_find(r->what->known, &row->name) : NULL;
    if (known) return *row = *known, true;
    return sb_gauge_measure(gauge, r->what->path ? NULL : r->what->demand, row, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    const run *r = context;
    (void)index;
    if (r->file) sb_atlas_row_print(slot, &r->file->text);
    return (!r->file || sb_line_file_put(r->file, error)) &&
           (!r->what->take || r->what->take(r->what->context, slot, error));
}

static bool measure_all(run *r, sb_error *error) {
    const sb_pool pool = {.workers = r->what->jobs,
                          .context = r,
                          .work = work,
                          .take = take,
                          .stop = r->what->stop,
                          .slot_size = sizeof(sb_atlas_row),
                          .scratch_size = sizeof(sb_gauge),
                          .free_scratch = sb_gauge_free};
    return sb_pool_run(&pool, r->n - r->first, error);
}

bool sb_atlas_draw_up(const sb_atlas_making *what, sb_error *error) {
    sb_line_file file = {0};
    run r = {.what = what, .n = sb_atlas_part_size(what->selection->n, what->part)};
    if (!what->path) return measure_all(&r, error);
    r.file = &file;
    const bool ok = open_file(&r, error) && measure_all(&r, error) && close_file(&file, error);
    sb_line_file_leave(&file);
    return ok;
}
