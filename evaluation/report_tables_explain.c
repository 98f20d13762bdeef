/* The tables that join results with the atlas (evaluation/explain/explain.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluation/explain/explain.h"
#include "evaluation/report_tables.h"

/* ---- Cells ---- */

/* The number of columns for agents, and for numbers of episodes: one for each agent if the results differ, else one in
 * all. */
static size_t agent_columns(const sb_report *r) { return r->differ ? 2 * r->n : 1 + r->n; }

static void add_agent_heads(const sb_report *r, sb_table *t) {
    if (!r->differ) sb_table_add(t, "episodes");
    for (size_t i = 0; i < r->n; i++) {
        if (r->differ) sb_table_add(t, "episodes");
        sb_table_add(t, r->entries[i].results.agent);
    }
}

/* Adds the cell for the number of an agent's episodes, if there is such a column. */
static void add_count(const sb_report *r, size_t agent, size_t n, sb_table *t) {
    if (r->differ || agent == 0) sb_putf(sb_table_cell(t), "%zu", n);
}

static void put_estimate(sb_out *out, double value, const sb_interval *interval) {
    /* Adding 0 takes the sign off a zero. */
    sb_putf(out, "%.3f (%.3f..%.3f)", value + 0.0, interval->lower + 0.0, interval->upper + 0.0);
}

static void add_share(const sb_share *share, sb_table *t) {
    sb_out *cell = sb_table_cell(t);
    if (share->n)
        put_estimate(cell, share->won, &share->interval);
    else
        sb_puts(cell, "-");
}

void sb_put_measured(double value, int digits, sb_out *out) {
    if (value == floor(value) && fabs(value) < 1e6)
        sb_putf(out, "%.0f", value);
    else
        sb_putf(out, "%.*g", digits, value);
}

/* Whether two values read alike with so many digits. */
static bool read_alike(double a, double b, int digits) {
    char text[2][32];
    snprintf(text[0], sizeof text[0], "%.*g", digits, a), snprintf(text[1], sizeof text[1], "%.*g", digits, b);
    return strcmp(text[0], text[1]) == 0;
}

int sb_bin_digits(const sb_bins *bins) {
    enum { FEW = 3, MANY = 9 };
    int digits = FEW;
    for (size_t i = 0; i + 1 < bins->n; i++)
        while (digits < MANY && read_alike(bins->highest[i], bins->lowest[i + 1], digits)) digits++;
    return digits;
}

static void put_bin(const sb_bins *bins, size_t bin, sb_out *out) {
    const int digits = sb_bin_digits(bins);
    sb_put_measured(bins->lowest[bin], digits, out);
    if (bins->highest[bin] == bins->lowest[bin]) return;
    sb_puts(out, " to "), sb_put_measured(bins->highest[bin], digits, out);
}

/* ---- Where agents fail ---- */

static void put_left_out(sb_out *cell, size_t n, const char *why, bool *some) {
    if (!n) return;
    sb_putf(cell, "%s%zu %s", *some ? ", " : "", n, why);
    *some = true;
}

static void add_left_out(const sb_outcomes *o, sb_table *t) {
    sb_out *cell = sb_table_cell(t);
    bool some = false;
    put_left_out(cell, o->unknown, "not in the atlas", &some);
    put_left_out(cell, o->impossible, "that nobody can win", &some);
    put_left_out(cell, o->unjudged, "without success", &some);
    if (!some) sb_puts(cell, "0");
}

/* Writes `fails where: traps > 0.2` (if more than half is lost there, otherwise `wins less where`), or why there is no
 * such sentence. */
static void put_finding(const sb_threshold *threshold, sb_out *out) {
    if (!threshold->confirmed) {
        sb_puts(out, threshold->known ? "no threshold was confirmed" : "too few episodes, or all alike");
        return;
    }
    sb_putf(out, "%s where: %s %c %.6g", threshold->beyond.won < 0.5 ? "fails" : "wins less",
            sb_atlas_measures[threshold->measure].name, threshold->above ? '>' : '<', threshold->value);
}

static void add_finding(const sb_threshold *threshold, sb_table *t) {
    put_finding(threshold, sb_table_cell(t));
    if (!threshold->confirmed) {
        for (int i = 0; i < 3; i++) sb_table_add(t, "-");
        return;
    }
    add_share(&threshold->beyond, t), add_share(&threshold->elsewhere, t);
    put_estimate(sb_table_cell(t), threshold->beyond.won - threshold->elsewhere.won, &threshold->difference);
}

static const char failing_note[] =
    "of all thresholds of measures, the one with the greatest certain difference of success: chosen with one half of "
    "the "
    "episodes (by a hash of their names), tested with the other, whose numbers these are; in brackets Wilson's 95 %% "
    "intervals, for the difference Newcombe's of %.4g %%, as the report looks for %zu; confirmed if that is below 0";

void sb_report_fill_failing(const sb_report *r, sb_table *t) {
    static const char *const heads[] = {"agent",      "finding",  "won there", "won elsewhere",
                                        "difference", "episodes", "left out"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    *t = sb_table_of("Where agents fail", COLUMNS, 2);
    if (!r->explanation) return;
    snprintf(t->note, sizeof t->note, failing_note, 100 - 5.0 / (double)r->n, r->n);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(t, heads[i]);
    for (size_t i = 0; i < r->n; i++) {
        const sb_explained *a = &r->explanation->agents[i];
        sb_table_add(t, r->entries[i].results.agent);
        add_finding(&a->threshold, t);
        sb_putf(sb_table_cell(t), "%zu", a->outcomes.n);
        add_left_out(&a->outcomes, t);
    }
}

/* ---- Correlations ---- */

static void add_correlation(const sb_correlation *c, sb_table *t) {
    sb_out *cell = sb_table_cell(t);
    if (c->known)
        put_estimate(cell, c->value, &c->interval);
    else
        sb_puts(cell, "-");
}

void sb_report_fill_correlations(const sb_report *r, sb_table *t) {
    const sb_explanation *e = r->explanation;
    *t = sb_table_of("Which measures go with success", 1 + agent_columns(r), 1);
    if (!e || !e->n_measures) return;
    snprintf(
        t->note, sizeof t->note,
        "Spearman's rank correlation of measure and success, -1 to 1: below 0 more is harder; 95 %% intervals by "
        "bootstrap over episodes. Episodes without a value are left out. `seedbed atlas --measures` explains them");
    sb_table_add(t, "measure");
    add_agent_heads(r, t);
    for (size_t k = 0; k < e->n_measures; k++) {
        sb_table_add(t, sb_atlas_measures[e->order[k]].name);
        for (size_t i = 0; i < e->n; i++) {
            const sb_correlation *c = &e->agents[i].correlations[e->order[k]];
            add_count(r, i, c->n, t);
            add_correlation(c, t);
        }
    }
}

/* ---- Bins ---- */

/* A row for a bin; the last one is of episodes without a value, if there are any. */
static void add_bin(const sb_report *r, sb_measure m, size_t bin, sb_table *t) {
    const sb_explanation *e = r->explanation;
    const sb_bins *bins = &e->bins[m];
    sb_share shares[SB_BINS + 1];
    bool some = false;
    for (size_t i = 0; i < e->n; i++) {
        sb_bins_count(bins, m, &e->agents[i].outcomes, shares);
        some |= shares[bin].n > 0;
    }
    if (!some) return;
    sb_table_add(t, sb_atlas_measures[m].name);
    if (bin < SB_BINS)
        put_bin(bins, bin, sb_table_cell(t));
    else
        sb_table_add(t, "none");
    for (size_t i = 0; i < e->n; i++) {
        sb_bins_count(bins, m, &e->agents[i].outcomes, shares);
        add_count(r, i, shares[bin].n, t);
        add_share(&shares[bin], t);
    }
}

void sb_report_fill_bins(const sb_report *r, sb_table *t) {
    const sb_explanation *e = r->explanation;
    *t = sb_table_of("Success by measure", 2 + agent_columns(r), 2);
    if (!e || !e->n_measures) return;
    snprintf(t->note, sizeof t->note,
             "a bin for each value, or at most %d of about as many episodes, the same for all agents; in brackets "
             "Wilson's 95 %% intervals",
             SB_BINS);
    sb_table_add(t, "measure"), sb_table_add(t, "values");
    add_agent_heads(r, t);
    for (size_t k = 0; k < e->n_measures; k++)
        for (size_t bin = 0; bin <= SB_BINS; bin++) add_bin(r, e->order[k], bin, t);
}

/* ---- The model ---- */

static const double *weight_of(const sb_model *model, sb_feature feature) {
    for (size_t k = 0; k < model->n; k++)
        if (model->features[k].measure == feature.measure && model->features[k].missing == feature.missing)
            return &model->weights[k];
    return NULL;
}

static void add_weights(const sb_report *r, sb_feature feature, sb_table *t) {
    const sb_explanation *e = r->explanation;
    bool some = false;
    for (size_t i = 0; i < e->n; i++) some |= weight_of(&e->agents[i].model, feature) != NULL;
    if (!some) return;
    sb_putf(sb_table_cell(t), "%s%s", feature.missing ? "no " : "", sb_atlas_measures[feature.measure].name);
    for (size_t i = 0; i < e->n; i++) {
        const double *weight = weight_of(&e->agents[i].model, feature);
        sb_out *cell = sb_table_cell(t);
        if (weight)
            sb_putf(cell, "%+.3f", *weight);
        else
            sb_puts(cell, "-");
    }
}

static void put_gain(const sb_model *m, sb_out *out) { put_estimate(out, m->gain, &m->gain_interval); }
static void put_loss(const sb_model *m, sb_out *out) { sb_putf(out, "%.3f", m->loss); }
static void put_base_loss(const sb_model *m, sb_out *out) { sb_putf(out, "%.3f", m->base_loss); }
static void put_auc(const sb_model *m, sb_out *out) { sb_putf(out, "%.3f", m->auc); }

static void add_quality(const sb_report *r, const char *name, void (*put)(const sb_model *, sb_out *), sb_table *t) {
    sb_table_add(t, name);
    for (size_t i = 0; i < r->explanation->n; i++) {
        const sb_model *model = &r->explanation->agents[i].model;
        sb_out *cell = sb_table_cell(t);
        if (model->known)
            put(model, cell);
        else
            sb_puts(cell, "-");
    }
}

static const char model_note[] =
    "logistic regression (L2) on log(1 + measure); a weight is in log odds for a standard deviation, at a fit to all "
    "episodes; where a measure is missing it stands at its mean, and `no NAME` says so. Held out: %d folds by a hash "
    "of the name. AUC: how often a won episode has the greater chance than a lost one. Not known for agents with fewer "
    "than %d won or lost episodes";

void sb_report_fill_model(const sb_report *r, sb_table *t) {
    const sb_explanation *e = r->explanation;
    *t = sb_table_of("A model of success", 1 + r->n, 1);
    if (!e || !e->n_measures) return;
    snprintf(t->note, sizeof t->note, model_note, SB_FOLDS, SB_MODEL_LEAST);
    sb_table_add(t, "weight of");
    for (size_t i = 0; i < r->n; i++) sb_table_add(t, r->entries[i].results.agent);
    for (size_t k = 0; k < e->n_measures; k++) add_weights(r, (sb_feature){e->order[k], false}, t);
    for (size_t k = 0; k < e->n_measures; k++) add_weights(r, (sb_feature){e->order[k], true}, t);
    add_quality(r, "AUC, held out", put_auc, t);
    add_quality(r, "log loss, held out", put_loss, t);
    add_quality(r, "of the success rate alone", put_base_loss, t);
    add_quality(r, "gain over that", put_gain, t);
}

/* ---- Surprises ---- */

static void add_surprise(const sb_report *r, size_t agent, size_t index, bool lost, sb_table *t) {
    const sb_outcome *outcome = &r->explanation->agents[agent].outcomes.all[index];
    char name[SB_NAME_MAX];
    sb_name_print(&outcome->row->name, name, sizeof name);
    sb_table_add(t, r->entries[agent].results.agent);
    sb_table_add(t, name);
    sb_table_add(t, lost ? "easy and lost" : "hard and won");
    sb_putf(sb_table_cell(t), "%.3f", outcome->chance);
}

void sb_report_fill_surprises(const sb_report *r, sb_table *t) {
    const sb_explanation *e = r->explanation;
    size_t n = 0;
    *t = sb_table_of("Episodes that surprise", 4, 3);
    for (size_t i = 0; e && i < e->n; i++) n += e->agents[i].surprises.n_lost + e->agents[i].surprises.n_won;
    if (!n) return;
    snprintf(t->note, sizeof t->note,
             "chance: of winning, by the model of success, fitted without this episode. `seedbed play EPISODE` lets "
             "you play one; the "
             "page of `--html` shows what the agent did");
    sb_table_add(t, "agent"), sb_table_add(t, "episode"), sb_table_add(t, "what"), sb_table_add(t, "chance");
    for (size_t i = 0; i < e->n; i++) {
        const sb_surprises *s = &e->agents[i].surprises;
        for (size_t k = 0; k < s->n_lost; k++) add_surprise(r, i, s->lost[k], true, t);
        for (size_t k = 0; k < s->n_won; k++) add_surprise(r, i, s->won[k], false, t);
    }
}
