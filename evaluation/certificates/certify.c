#include "evaluation/certificates/certify.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/pool.h"
#include "engine/lookup.h"

enum { MEMBER_EPISODES = 64, LEVEL = 9 };

/* The file being written: one gzip member for the head, one for every sixty-four episodes, one for the tail. */
typedef struct writer {
    sb_file file;
    sb_gzip gzip;
    sb_out text, packed; /* of the gzip member that is being filled */
    sb_sha256 content;
    sb_certificates_tail tail;
    size_t done; /* episodes */
} writer;

typedef struct run {
    const sb_certification *what;
    writer *writer; /* NULL without a file */
    size_t first;   /* index of the first episode that is left to do */
} run;

/* ---- Writing ---- */

static bool end_member(writer *w, sb_error *error) {
    sb_out_clear(&w->packed);
    if (!sb_out_ok(&w->text)) return sb_fail(error, SB_MEMORY, "out of memory for certificates");
    sb_sha256_add(&w->content, w->text.data, w->text.size);
    const bool ok = sb_gzip_member(&w->gzip, LEVEL, w->text.data, w->text.size, &w->packed, error) &&
                    sb_file_write(&w->file, w->packed.data, w->packed.size, error);
    sb_out_clear(&w->text);
    return ok;
}

static bool put(writer *w, const sb_certificate *c, size_t total, sb_error *error) {
    sb_certificate_print(c, &w->text);
    w->tail.counts[c->verdict]++;
    w->done++;
    return (w->done % MEMBER_EPISODES != 0 && w->done != total) || end_member(w, error);
}

static bool finish(writer *w, sb_error *error) {
    sb_sha256_end_hex(&w->content, w->tail.sha256);
    sb_certificates_tail_print(&w->tail, &w->text);
    return end_member(w, error) && sb_file_commit(&w->file, NULL, error);
}

/* ---- Resuming ---- */

/* What an interrupted run left in `path.part`. */
typedef struct leftover {
    sb_out bytes;
    size_t good; /* how many of these bytes are complete members of the same certification */
    sb_out member;
    sb_certificate certificate;
} leftover;

/* Unpacks the next member; false if there is none or if it is incomplete. */
static bool next_member(leftover *l, size_t *used) {
    sb_error ignored;
    sb_out_clear(&l->member);
    return l->good < l->bytes.size &&
           sb_gzip_unpack(l->bytes.data + l->good, l->bytes.size - l->good, used, &l->member, &ignored);
}

static void keep_member(leftover *l, writer *w, size_t used) {
    sb_sha256_add(&w->content, l->member.data, l->member.size);
    l->good += used;
}

static bool take_leftover(const sb_certification *what, writer *w, const sb_certificate *c, sb_error *error) {
    w->tail.counts[c->verdict]++;
    w->done++;
    return !what->take || what->take(what->context, c, error);
}

/* Reads the certificates of a member, which should be the next ones of the selection. Passes them on, or only checks
 * them if there is no writer. */
static bool read_member(leftover *l, const sb_certification *what, size_t first, writer *w, sb_error *error) {
    const size_t n = what->selection->n, end = first + MEMBER_EPISODES < n ? first + MEMBER_EPISODES : n;
    const char *at = l->member.data, *last = at + l->member.size;
    for (size_t i = first; i < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(last - at));
        if (!newline ||
            !sb_certificate_parse(what->selection->catalogue, at, (size_t)(newline - at), &l->certificate, error) ||
            sb_compare_names(&l->certificate.name, sb_selection_name(what->selection, i, &(sb_name){0})) != 0)
            return false;
        if (w && !take_leftover(what, w, &l->certificate, error)) return false;
        at = newline + 1;
    }
    return at == last;
}

/* Compares the head, so that the file of another certification is not overwritten. */
static bool check_leftover(leftover *l, const sb_certification *what, writer *w, const sb_out *head, sb_error *error) {
    size_t used;
    if (!next_member(l, &used)) return true;
    if (l->member.size != head->size || memcmp(l->member.data, head->data, head->size) != 0)
        return sb_fail(error, SB_MISMATCH,
                       "%s.part holds certificates of another selection, budget or version; remove it to start again",
                       what->path);
    keep_member(l, w, used);
    while (w->done < what->selection->n && next_member(l, &used)) {
        sb_error ignored;
        if (!read_member(l, what, w->done, NULL, &ignored)) return true;
        if (!read_member(l, what, w->done, w, error)) return false;
        keep_member(l, w, used);
    }
    return true;
}

static bool open_writer(writer *w, leftover *l, const sb_certification *what, sb_error *error) {
    sb_certificates_head head = {.budget = what->budget, .episodes = what->selection->n, .request = *what->request};
    sb_rules_name(sb_selection_family(what->selection, 0), NULL, head.rules);
    sb_certificates_head_print(&head, &w->text);
    sb_sha256_begin(&w->content);
    if (!sb_file_resume(&w->file, what->path, "\x1f\x8b" /* gzip */, &l->bytes, error)) return false;
    if (w->file.lock.missing && what->note) what->note(what->context, SB_LOCK_MISSING);
    if (!check_leftover(l, what, w, &w->text, error) || !sb_file_keep(&w->file, l->bytes.data, l->good, error))
        return false;
    if (l->good == 0) return end_member(w, error);
    sb_out_clear(&w->text);
    return true;
}

static bool begin(writer *w, const sb_certification *what, sb_error *error) {
    leftover l = {.bytes = sb_out_growing(), .member = sb_out_growing()};
    const bool ok = open_writer(w, &l, what, error);
    sb_out_free(&l.bytes), sb_out_free(&l.member);
    sb_certificate_free(&l.certificate);
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
    return (!r->writer || put(r->writer, slot, what->selection->n, error)) &&
           (!what->take || what->take(what->context, slot, error));
}

static void free_certificate(void *slot) { sb_certificate_free(slot); }

static bool certify(const sb_certification *what, writer *w, sb_error *error) {
    run r = {.what = what, .writer = w, .first = w ? w->done : 0};
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

/* A selection by names may hold several families. */
static bool check_family(const sb_selection *selection, sb_error *error) {
    for (size_t i = 1; i < selection->n; i++)
        if (selection->episodes[i].family != selection->episodes[0].family)
            return sb_fail(error, SB_INVALID, "a file of certificates holds episodes of one family, not of %s and %s",
                           sb_selection_family(selection, 0)->name, sb_selection_family(selection, i)->name);
    return true;
}

bool sb_certify(const sb_certification *what, sb_error *error) {
    writer w = {.text = sb_out_growing(), .packed = sb_out_growing()};
    if (!sb_need_success_of_all(what->selection, error)) return false;
    if (!what->path) return certify(what, NULL, error);
    const bool ok = check_family(what->selection, error) && begin(&w, what, error) && certify(what, &w, error) &&
                    finish(&w, error);
    sb_file_leave(&w.file);
    sb_gzip_free(&w.gzip);
    sb_out_free(&w.text), sb_out_free(&w.packed);
    return ok;
}
