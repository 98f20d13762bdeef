/* The charts of a page that join results with the atlas. */
#include <math.h>

#include "evaluation/explain/explain.h"
#include "evaluation/report_tables.h"

/* ---- Correlations ---- */

enum { WIDTH = 420, LEFT = 90, RIGHT = 404, TOP = 10, APART = 9 /* pixels between the lines of agents */ };

static double x_of_correlation(double value) { return (LEFT + RIGHT) / 2.0 + (RIGHT - LEFT) / 2.0 * value; }

static void put_scale(double bottom, sb_out *out) {
    for (int mark = -2; mark <= 2; mark++)
        sb_putf(out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/><text class=\"soft\" x=\"%.1f\" "
                "y=\"%.1f\" text-anchor=\"middle\">%.3g</text>\n",
                x_of_correlation(mark / 2.0), x_of_correlation(mark / 2.0), TOP, bottom, x_of_correlation(mark / 2.0),
                bottom + 14, mark / 2.0);
}

static void put_title(const sb_report *r, size_t agent, double value, const sb_interval *interval, size_t n,
                      sb_out *out) {
    sb_puts(out, "<title>");
    sb_put_html(out, r->entries[agent].results.agent);
    sb_putf(out, ": %.3f (%.3f..%.3f), %zu episodes</title>", value, interval->lower, interval->upper, n);
}

static void put_correlation(const sb_report *r, size_t agent, const sb_correlation *c, double y, size_t colours,
                            sb_out *out) {
    if (!c->known) return;
    sb_putf(out,
            "<g class=\"a%zu\"><line class=\"bar\" stroke-width=\"3\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>",
            agent % colours, x_of_correlation(c->interval.lower), x_of_correlation(c->interval.upper), y, y,
            x_of_correlation(c->value), y);
    put_title(r, agent, c->value, &c->interval, c->n, out);
    sb_puts(out, "</g>\n");
}

static void put_correlations(const sb_report *r, size_t colours, sb_out *out) {
    const sb_explanation *e = r->explanation;
    const double row = 10 + APART * (double)e->n, bottom = TOP + row * (double)e->n_measures;
    sb_putf(out,
            "<figure><svg viewBox=\"0 0 %d %.0f\" width=\"%d\" role=\"img\" aria-label=\"Rank correlation of measures "
            "with success\">\n",
            WIDTH, bottom + 20, WIDTH);
    put_scale(bottom, out);
    for (size_t k = 0; k < e->n_measures; k++) {
        const double y = TOP + row * ((double)k + 0.5);
        sb_putf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4,
                sb_atlas_measures[e->order[k]].name);
        for (size_t i = 0; i < e->n; i++)
            put_correlation(r, i, &e->agents[i].correlations[e->order[k]],
                            y + APART * ((double)i - ((double)e->n - 1) / 2), colours, out);
    }
    sb_puts(out, "</svg><figcaption>Rank correlation of measures with success, with 95 % intervals: left of 0 more is "
                 "harder.</figcaption></figure>\n");
}

/* ---- Bins ---- */

enum { BOX = 300, BOX_LEFT = 34, BOX_RIGHT = 292, BOX_TOP = 24, BOX_BOTTOM = 144 };

/* Agents stand side by side in a bin. */
static double x_of_bin(const sb_bins *bins, size_t bin, size_t agent, size_t n) {
    const double wide = (double)(BOX_RIGHT - BOX_LEFT) / (double)bins->n, apart = fmin(8, 0.6 * wide / (double)n);
    return BOX_LEFT + wide * ((double)bin + 0.5) + apart * ((double)agent - ((double)n - 1) / 2);
}
static double y_of_share(double share) { return BOX_BOTTOM - (BOX_BOTTOM - BOX_TOP) * share; }

static void put_tick(double x, int y, const char *word, double value, int digits, sb_out *out) {
    sb_putf(out, "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s", x, y, word);
    sb_put_measured(value, digits, out);
    sb_puts(out, "</text>");
}

static void put_box(const sb_atlas_measure_info *info, const sb_bins *bins, sb_out *out) {
    sb_putf(out, "<text x=\"%d\" y=\"14\">%s (%s)</text>\n", BOX_LEFT, info->name, info->unit);
    for (int mark = 0; mark <= 2; mark++)
        sb_putf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"soft\" x=\"%d\" "
                "y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n",
                BOX_LEFT, BOX_RIGHT, y_of_share(mark / 2.0), y_of_share(mark / 2.0), BOX_LEFT - 6,
                y_of_share(mark / 2.0) + 4, mark / 2.0);
    const int digits = sb_bin_digits(bins);
    for (size_t bin = 0; bin < bins->n; bin++) {
        const double x = x_of_bin(bins, bin, 0, 1);
        put_tick(x, BOX_BOTTOM + 14, "", bins->lowest[bin], digits, out);
        if (bins->highest[bin] > bins->lowest[bin])
            put_tick(x, BOX_BOTTOM + 27, "to ", bins->highest[bin], digits, out);
        sb_putc(out, '\n');
    }
}

static void put_agent_in_box(const sb_report *r, size_t agent, sb_measure m, size_t colours, sb_out *out) {
    const sb_bins *bins = &r->explanation->bins[m];
    sb_share shares[SB_BINS + 1];
    sb_bins_count(bins, m, &r->explanation->agents[agent].outcomes, shares);
    sb_putf(out, "<g class=\"a%zu\">", agent % colours);
    for (size_t bin = 0; bin < bins->n; bin++) {
        const double x = x_of_bin(bins, bin, agent, r->n);
        if (!shares[bin].n) continue;
        sb_putf(out,
                "<line class=\"bar\" stroke-width=\"3\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\">",
                x, x, y_of_share(shares[bin].interval.lower), y_of_share(shares[bin].interval.upper), x,
                y_of_share(shares[bin].won));
        put_title(r, agent, shares[bin].won, &shares[bin].interval, shares[bin].n, out);
        sb_puts(out, "</circle>\n");
    }
    sb_puts(out, "</g>\n");
}

/* Draws success by bins of a measure, unless there is only one bin, with nothing to compare it with. */
static void put_bins(const sb_report *r, sb_measure m, size_t colours, sb_out *out) {
    const char *name = sb_atlas_measures[m].name;
    if (r->explanation->bins[m].n < 2) return;
    sb_putf(
        out,
        "<figure class=\"small\"><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"Success by %s\">\n",
        BOX, BOX_BOTTOM + 32, BOX, name);
    put_box(&sb_atlas_measures[m], &r->explanation->bins[m], out);
    for (size_t i = 0; i < r->n; i++) put_agent_in_box(r, i, m, colours, out);
    sb_puts(out, "</svg><figcaption>");
    sb_put_html(out, sb_atlas_measures[m].summary);
    sb_puts(out, "</figcaption></figure>\n");
}

void sb_report_put_explained(const sb_report *r, size_t colours, sb_out *out) {
    const sb_explanation *e = r->explanation;
    if (!e || !e->n_measures) return;
    sb_puts(out, "<h2>Success by the measures of the atlas</h2>\n<div class=\"charts\">\n");
    put_correlations(r, colours, out);
    for (size_t k = 0; k < e->n_measures; k++) put_bins(r, e->order[k], colours, out);
    sb_puts(out, "</div>\n");
}
