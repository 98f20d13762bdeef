#include "evaluation/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "evaluation/score.h"

/* ---- Surprises ---- */

/* A chance in thousandths: its last bits differ from machine to machine. */
static long shown(double chance) { return lround(chance * 1000); }

/* Inserts an index into a list of at most SB_SURPRISES, before those that surprise less. */
static void insert(const sb_outcome *all, size_t index, bool lost, size_t list[SB_SURPRISES], size_t *n) {
    size_t at = *n;
    while (at && (lost ? shown(all[index].chance) > shown(all[list[at - 1]].chance)
                       : shown(all[index].chance) < shown(all[list[at - 1]].chance)))
        at--;
    if (at == SB_SURPRISES) return;
    *n += *n < SB_SURPRISES;
    memmove(list + at + 1, list + at, (*n - at - 1) * sizeof *list);
    list[at] = index;
}

static double mean_won(const sb_outcomes *o) {
    double won = 0;
    for (size_t i = 0; i < o->n; i++) won += o->all[i].won;
    return o->n ? won / (double)o->n : 0;
}

sb_surprises sb_surprises_of(const sb_outcomes *o) {
    const long mean = shown(mean_won(o));
    sb_surprises s = {0};
    for (size_t i = 0; i < o->n; i++) {
        const double won = o->all[i].won;
        const long chance = shown(o->all[i].chance);
        if (!(won > 0) && chance > mean) insert(o->all, i, true, s.lost, &s.n_lost);
        if (won > 0 && chance < mean) insert(o->all, i, false, s.won, &s.n_won);
    }
    return s;
}

/* ---- Bins ---- */

/* Marks the rows of the atlas that any agent has an outcome of. */
static void mark_rows(const sb_explanation *e, bool *used) {
    for (size_t i = 0; i < e->n; i++)
        for (size_t k = 0; k < e->agents[i].outcomes.n; k++)
            used[e->agents[i].outcomes.all[k].row - e->atlas.rows] = true;
}

static void make_bins(sb_explanation *e, sb_measure measure, const bool *used, double *values) {
    size_t n = 0;
    for (size_t i = 0; i < e->atlas.n; i++) {
        const double value = e->atlas.rows[i].values[measure];
        if (used[i] && !isnan(value)) values[n++] = value;
    }
    qsort(values, n, sizeof *values, sb_by_value);
    e->bins[measure] = sb_bins_of(values, n);
}

static bool make_all_bins(sb_explanation *e, sb_error *error) {
    bool *used = calloc(e->atlas.n + 1, sizeof *used);
    double *values = malloc((e->atlas.n + 1) * sizeof *values);
    const bool ok = (used && values) || sb_fail(error, SB_MEMORY, "out of memory for the bins of measures");
    if (ok) mark_rows(e, used);
    for (sb_measure m = 0; ok && m < SB_N_MEASURES; m++)
        if (sb_explains(m)) make_bins(e, m, used, values);
    free(used), free(values);
    return ok;
}

/* ---- The order of measures ---- */

/* The strongest correlation of the measure with an agent's success, in thousandths. */
static long strength(const sb_explanation *e, sb_measure measure) {
    double most = 0;
    for (size_t i = 0; i < e->n; i++) {
        const sb_correlation *c = &e->agents[i].correlations[measure];
        if (c->known) most = fmax(most, fabs(c->value));
    }
    return shown(most);
}

static void order_measures(sb_explanation *e) {
    for (sb_measure m = 0; m < SB_N_MEASURES; m++) {
        size_t at = e->n_measures;
        if (!e->bins[m].n) continue;
        for (; at && strength(e, m) > strength(e, e->order[at - 1]); at--) e->order[at] = e->order[at - 1];
        e->order[at] = m;
        e->n_measures++;
    }
}

/* ---- All of it ---- */

static bool explain_agent(sb_explained *a, size_t looks, sb_error *error) {
    sb_outcomes *o = &a->outcomes;
    if (!sb_correlate(o->all, o->n, a->correlations, error) || !sb_model_fit(o->all, o->n, &a->model, error) ||
        !sb_threshold_find(o->all, o->n, looks, &a->threshold, error))
        return false;
    if (a->model.known) a->surprises = sb_surprises_of(o);
    return true;
}

static bool join(sb_explanation *e, const sb_family *family, const sb_results *const *results, size_t n,
                 sb_error *error) {
    size_t joined = 0, unknown = 0;
    for (; e->n < n; e->n++) {
        sb_outcomes *o = &e->agents[e->n].outcomes;
        if (!sb_outcomes_join(results[e->n], family, &e->atlas, o, error)) return false;
        joined += o->n + o->impossible, unknown += o->unknown;
    }
    return joined || !unknown ||
           sb_fail(
               error, SB_INVALID,
               "it has none of the %zu episodes of the results: make one of the same selection with `seedbed atlas`",
               unknown);
}

bool sb_explain(const char *path, const sb_catalogue *catalogue, const sb_family *family,
                const sb_results *const *results, size_t n, sb_explanation *e, sb_error *error) {
    *e = (sb_explanation){0};
    if (!sb_atlas_book_load(&e->atlas, catalogue, path, error)) return false;
    e->agents = calloc(n + 1, sizeof *e->agents);
    if (!e->agents) return sb_fail(error, SB_MEMORY, "out of memory for %zu results", n);
    bool ok = join(e, family, results, n, error) || sb_fail_at(error, "%s", sb_path_end(path));
    for (size_t i = 0; ok && i < n; i++) ok = explain_agent(&e->agents[i], n, error);
    ok = ok && make_all_bins(e, error);
    if (ok) order_measures(e);
    return ok;
}

void sb_explanation_free(sb_explanation *e) {
    for (size_t i = 0; i < e->n; i++) sb_outcomes_free(&e->agents[i].outcomes);
    free(e->agents);
    sb_atlas_book_free(&e->atlas);
    *e = (sb_explanation){0};
}
