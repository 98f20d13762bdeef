/* Verifies certificates: first the lines against each other and against the selection, then the episodes with all
 * workers, then the last line. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/line_file.h"
#include "base/pool.h"
#include "engine/lookup.h"
#include "evaluation/certificates/certify.h"

typedef struct line {
    const char *text;
    size_t n;
    uint8_t verdict;
} line;

typedef struct book {
    const sb_certificates_check *check;
    sb_certificates_found *found;
    sb_certificates_head head;
    sb_selection selection;
    line *lines; /* the certificates */
    size_t n;
    const char *tail; /* the last line */
    size_t n_tail;
    const char *text;
    size_t *checked; /* indices of the sample */
    size_t n_checked;
} book;

/* ---- Lines ---- */

static bool split(book *b, const char *text, size_t n, sb_error *error) {
    const size_t n_lines = sb_count_lines(text, n);
    if (n_lines < 2 || text[n - 1] != '\n') return sb_fail(error, SB_MISMATCH, "the file is cut short");
    if (n_lines - 2 > SB_SELECTION_MAX)
        return sb_fail(error, SB_MISMATCH,
                       "the file has %zu lines, but certificates of at most %d episodes are supported", n_lines,
                       SB_SELECTION_MAX);
    b->text = text, b->n = n_lines - 2;
    b->lines = calloc(b->n + 1, sizeof *b->lines);
    b->checked = calloc(b->n + 1, sizeof *b->checked);
    if (!b->lines || !b->checked) return sb_fail(error, SB_MEMORY, "out of memory for %zu certificates", b->n);
    const char *at = text, *end = memchr(at, '\n', n);
    if (!sb_certificates_head_parse(b->check->catalogue, at, (size_t)(end - at), &b->head, error))
        return sb_fail_at(error, "line 1");
    for (size_t i = 0; i < b->n; i++) {
        at = end + 1, end = memchr(at, '\n', n - (size_t)(at - text));
        b->lines[i] = (line){.text = at, .n = (size_t)(end - at)};
    }
    b->tail = end + 1, b->n_tail = n - 1 - (size_t)(b->tail - text);
    return true;
}

static bool is_in_place(const book *b, size_t i, const sb_name *name, sb_error *error) {
    char found[SB_NAME_MAX], expected[SB_NAME_MAX];
    sb_name_print(name, found, sizeof found);
    if (i >= b->selection.n) return sb_fail(error, SB_MISMATCH, "%s is not in the selection", found);
    sb_name due;
    if (sb_compare_names(name, sb_selection_name(&b->selection, i, &due)) == 0) return true;
    sb_name_print(&due, expected, sizeof expected);
    return sb_fail(error, SB_MISMATCH, "%s is where %s should be", found, expected);
}

/* Checks the certificates against the selection in the head. */
static bool check_lines(book *b, sb_error *error) {
    sb_certificate c = {0};
    bool ok = true;
    for (size_t i = 0; i < b->n && ok; i++) {
        line *l = &b->lines[i];
        ok = sb_certificate_parse(b->check->catalogue, l->text, l->n, &c, error) && is_in_place(b, i, &c.name, error);
        if (!ok && error->code == SB_INVALID) error->code = SB_MISMATCH;
        if (!ok) sb_fail_at(error, "line %zu", i + 2);
        l->verdict = (uint8_t)c.verdict;
        b->found->counts[c.verdict] += ok;
        b->found->once += ok && c.verdict == SB_CERTIFIED_IMPOSSIBLE && !c.check[0];
    }
    sb_certificate_free(&c);
    if (!ok || b->n == b->selection.n) return ok;
    char name[SB_NAME_MAX];
    sb_name_print(sb_selection_name(&b->selection, b->n, &(sb_name){0}), name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "%s is missing", name);
}

static bool check_rules(const book *b, sb_error *error) {
    for (size_t i = 0; i < b->selection.n; i++) {
        const sb_chosen *episode = &b->selection.episodes[i];
        const sb_resolved of = sb_selection_at(&b->selection, i);
        if (i && sb_same_chosen_pair(&episode[-1], episode)) continue;
        if (!sb_rules_agree_with("the file of certificates was made", b->head.rules, of.family, of.task, error))
            return false;
    }
    return true;
}

static bool check_head(book *b, sb_error *error) {
    if (!sb_select(&b->head.request, &b->selection, error)) return sb_fail_at(error, "line 1, key `selection`");
    if (!check_rules(b, error)) return false;
    if (b->head.budget < 1 || b->head.budget > SB_CERTIFY_BUDGET_MAX)
        return sb_fail(error, SB_MISMATCH, "line 1, key `budget` should be from 1 to %d", SB_CERTIFY_BUDGET_MAX);
    return b->head.episodes == b->selection.n ||
           sb_fail(error, SB_MISMATCH, "line 1, key `episodes` should be %zu, as in the selection", b->selection.n);
}

static bool check_tail(const book *b, sb_error *error) {
    sb_certificates_tail tail;
    char hex[SB_SHA256_HEX];
    if (!sb_certificates_tail_parse(b->tail, b->n_tail, &tail, error)) return sb_fail_at(error, "line %zu", b->n + 2);
    for (int i = 0; i < 3; i++)
        if (tail.counts[i] != b->found->counts[i])
            return sb_fail(error, SB_MISMATCH, "line %zu: it counts %llu %s, but there are %llu", b->n + 2,
                           (unsigned long long)tail.counts[i], sb_certified_names[i],
                           (unsigned long long)b->found->counts[i]);
    sb_sha256_hex(b->text, (size_t)(b->tail - b->text), hex);
    return strcmp(tail.sha256, hex) == 0 ||
           sb_fail(error, SB_MISMATCH, "line %zu: the file was altered after it was written: `sha256` differs",
                   b->n + 2);
}

/* ---- Episodes ---- */

/* Chooses the sample of each verdict, evenly spread. Unknown episodes have nothing to check. */
static void choose(book *b) {
    uint64_t seen[3] = {0};
    const uint64_t sample = b->check->sample;
    for (size_t i = 0; i < b->n; i++) {
        const uint8_t v = b->lines[i].verdict;
        const uint64_t n = b->found->counts[v], k = seen[v]++;
        const bool chosen = !sample || sample >= n || k * sample / n != (k + 1) * sample / n;
        if (!chosen || v == SB_UNCERTIFIED) continue;
        b->checked[b->n_checked++] = i;
        b->found->checked[v]++;
    }
}

static bool prove_again(sb_prover *p, const sb_certificate *c, sb_error *error) {
    const bool has_check = c->check[0];
    const char *method = has_check ? c->check : c->method;
    const uint64_t said = has_check ? c->check_states : c->states;
    sb_verdict verdict;
    uint64_t states;
    if (!sb_prover_prove(p, &c->name, method, &verdict, &states, error)) return false;
    if (verdict != SB_IMPOSSIBLE)
        return sb_fail(error, SB_MISMATCH, "the verdict is impossible, but `%s` %s", method,
                       verdict == SB_SOLVED ? "finds a way" : "does not prove it");
    return states == said || sb_fail(error, SB_MISMATCH, "`%s` looks at %llu states, not at %llu", method,
                                     (unsigned long long)states, (unsigned long long)said);
}

typedef struct scratch {
    sb_prover prover;
    sb_certificate certificate;
} scratch;

static void free_scratch(void *data) {
    scratch *s = data;
    sb_prover_free(&s->prover);
    sb_certificate_free(&s->certificate);
}

static bool check_episode(const book *b, scratch *s, const line *l, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_certificate *c = &s->certificate;
    s->prover.budget = b->head.budget, s->prover.worker.catalogue = b->check->catalogue;
    if (!sb_worker_open(&s->prover.worker, error)) return false;
    if (!sb_certificate_parse(b->check->catalogue, l->text, l->n, c, error)) return false;
    if (c->verdict == SB_CERTIFIED_SOLVED) return sb_tape_replay(&c->tape, s->prover.worker.env, NULL, NULL, error);
    if (prove_again(&s->prover, c, error)) return true;
    sb_name_print(&c->name, name, sizeof name);
    return sb_fail_at(error, "%s", name);
}

static bool work(void *context, void *scratch_, size_t index, void *slot, sb_error *error) {
    const book *b = context;
    const size_t i = b->checked[index];
    (void)slot;
    return check_episode(b, scratch_, &b->lines[i], error) || sb_fail_at(error, "line %zu", i + 2);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    const book *b = context;
    (void)slot, (void)error;
    if (b->check->progress) b->check->progress(b->check->context, index + 1, b->n_checked);
    return true;
}

static bool check_episodes(book *b, sb_error *error) {
    const sb_pool pool = {.workers = b->check->jobs,
                          .context = b,
                          .work = work,
                          .take = take,
                          .stop = b->check->stop,
                          .slot_size = 1,
                          .scratch_size = sizeof(scratch),
                          .free_scratch = free_scratch};
    choose(b);
    return sb_pool_run(&pool, b->n_checked, error);
}

/* ---- All together ---- */

bool sb_certificates_verify_text(const char *text, size_t n, const sb_certificates_check *check,
                                 sb_certificates_found *found, sb_error *error) {
    book b = {.check = check, .found = found};
    *found = (sb_certificates_found){0};
    const bool ok = split(&b, text, n, error) && check_head(&b, error) && check_lines(&b, error) &&
                    check_episodes(&b, error) && check_tail(&b, error);
    sb_certificates_head_free(&b.head);
    sb_selection_free(&b.selection);
    free(b.lines), free(b.checked);
    return ok;
}

bool sb_certificates_verify(const sb_certificates_check *check, sb_certificates_found *found, sb_error *error) {
    sb_out text = sb_out_growing();
    bool ok = sb_file_load(check->path, SB_CERTIFICATES_BYTES, &text, error);
    if (!ok && error->code == SB_INVALID)
        sb_fail_at(error, "after line %zu", text.size ? sb_count_lines(text.data, text.size) : 0);
    if (ok && !sb_certificates_verify_text(text.data, text.size, check, found, error))
        ok = sb_fail_at(error, "%s", sb_path_end(check->path));
    sb_out_free(&text);
    return ok;
}
