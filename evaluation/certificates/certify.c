#include "evaluation/certificates/certify.h"

#include "base/error.h"
#include "base/line_file.h"
#include "base/pool.h"
#include "engine/lookup.h"

/* The file being written, and what its last line will say. */
typedef struct writer {
    const sb_certification *what;
    sb_line_file file;
    sb_certificates_tail tail;
    sb_certificate certificate; /* a certificate that an interrupted run left */
} writer;

typedef struct run {
    const sb_certification *what;
    writer *writer; /* NULL without a file */
    size_t first;   /* index of the first episode that is left to do */
} run;

/* ---- Writing ---- */

static bool put(writer *w, const sb_certificate *c, sb_error *error) {
    sb_certificate_print(c, &w->file.text);
    w->tail.counts[c->verdict]++;
    return sb_line_file_put(&w->file, error);
}

static bool finish(writer *w, sb_error *error) {
    sb_line_file_hash(&w->file, w->tail.sha256);
    sb_certificates_tail_print(&w->tail, &w->file.text);
    return sb_line_file_commit(&w->file, error);
}

/* ---- Resuming ---- */

static bool check_left(void *context, size_t index, const char *line, size_t n) {
    writer *w = context;
    const sb_selection *selection = w->what->selection;
    sb_error ignored;
    return sb_certificate_parse(selection->catalogue, line, n, &w->certificate, &ignored) &&
           sb_compare_names(&w->certificate.name, sb_selection_name(selection, index, &(sb_name){0})) == 0;
}

static bool take_left(void *context, size_t index, const char *line, size_t n, sb_error *error) {
    writer *w = context;
    const sb_certification *what = w->what;
    (void)index;
    if (!sb_certificate_parse(what->selection->catalogue, line, n, &w->certificate, error)) return false;
    w->tail.counts[w->certificate.verdict]++;
    return !what->take || what->take(what->context, &w->certificate, error);
}

static bool begin(writer *w, sb_error *error) {
    const sb_certification *what = w->what;
    sb_out text = sb_out_growing();
    sb_certificates_head head = {.budget = what->budget, .episodes = what->selection->n, .request = *what->request};
    sb_certificates_head_print(&head, what->selection, &text);
    const sb_line_source source = {.path = what->path,
                                   .what = "certificates of another selection, budget or version",
                                   .head = &text,
                                   .n = what->selection->n,
                                   .check = check_left,
                                   .take = take_left,
                                   .context = w};
    const bool ok = sb_line_file_open(&w->file, &source, error);
    if (ok && w->file.file.lock.missing && what->note) what->note(what->context, SB_LOCK_MISSING);
    sb_out_free(&text);
    return ok;
}

/* ---- The run ---- */

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const run *r = context;
    sb_prover *prover = scratch;
    sb_certificate *c = slot;
    prover->budget = r->what->budget, prover->worker.catalogue = r->what->selection->catalogue;
    sb_selection_name(r->what->selection, r->first + index, &c->name);
    return sb_prover_certify(prover, c, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    const sb_certification *what = r->what;
    (void)index;
    return (!r->writer || put(r->writer, slot, error)) && (!what->take || what->take(what->context, slot, error));
}

static void free_certificate(void *slot) { sb_certificate_free(slot); }

static bool certify(const sb_certification *what, writer *w, sb_error *error) {
    run r = {.what = what, .writer = w, .first = w ? w->file.done : 0};
    const sb_pool pool = {.workers = what->jobs,
                          .context = &r,
                          .work = work,
                          .take = take,
                          .stop = what->stop,
                          .slot_size = sizeof(sb_certificate),
                          .scratch_size = sizeof(sb_prover),
                          .free_slot = free_certificate,
                          .free_scratch = sb_prover_free};
    return sb_pool_run(&pool, what->selection->n - r.first, error);
}

/* Checks that all episodes are of one family: a selection by names may hold several. */
static bool check_family(const sb_selection *selection, sb_error *error) {
    for (size_t i = 1; i < selection->n; i++)
        if (selection->episodes[i].family != selection->episodes[0].family)
            return sb_fail(error, SB_INVALID, "a file of certificates holds episodes of one family, not of %s and %s",
                           sb_selection_family(selection, 0)->name, sb_selection_family(selection, i)->name);
    return true;
}

bool sb_certify(const sb_certification *what, sb_error *error) {
    writer w = {.what = what};
    if (!sb_need_success_of_all(what->selection, error)) return false;
    if (!what->path) return certify(what, NULL, error);
    const bool ok = check_family(what->selection, error) && begin(&w, error) && certify(what, &w, error) &&
                    finish(&w, error);
    sb_line_file_leave(&w.file);
    sb_certificate_free(&w.certificate);
    return ok;
}
