#include "evaluation/report_spent.h"

#include "base/visible.h"
#include "evaluation/report_marks.h"
#include "evaluation/table.h"

/* ---- Charts ---- */

enum { WIDTH = 420, LEFT = 44, TOP = 14, BOTTOM = 214, RIGHT = 404 };

static double per_episode(const sb_tally *all, sb_counter counter) {
    return all->episodes ? all->spent.value[counter] / (double)all->episodes : 0;
}

/* What the charts put upwards: success; where there is none, or where all episodes are judged by a score, the mean
 * score; in families that measure efficiency, that score. */
typedef struct upwards {
    const char *name;
    double most; /* the score that cannot be surpassed */
    bool by_efficiency, by_score;
} upwards;

static upwards choose_upwards(const sb_report *r) {
    bool judged = false, scored = true;
    if (r->family->efficiency)
        return (upwards){.name = r->family->efficiency->score, .most = 100, .by_efficiency = true};
    for (size_t i = 0; i < r->n; i++) {
        const sb_tally *all = &r->entries[i].summary.all;
        judged |= all->judged > 0, scored &= all->scored == all->episodes;
    }
    return judged && !scored ? (upwards){.name = "Success", .most = 1}
                             : (upwards){.name = "Score", .most = 1, .by_score = true};
}

/* Writes how well the agent did; false if that is not known. */
static bool value_of(const sb_tally *all, const upwards *of, double *value, sb_interval *interval) {
    *value = of->by_efficiency ? all->efficiency.score : of->by_score ? all->mean_score : all->success_rate;
    *interval = of->by_efficiency ? all->efficiency.interval
                : of->by_score    ? all->score_interval
                                  : all->success_interval;
    return of->by_efficiency ? all->efficiency.episodes : of->by_score ? all->scored : all->judged;
}

static bool has(const sb_report *r, size_t i, sb_counter counter, const upwards *of) {
    const sb_tally *all = &r->entries[i].summary.all;
    sb_interval interval;
    double value;
    return all->spent.has >> counter & 1 && value_of(all, of, &value, &interval);
}

static double x_of(double value, double most) { return LEFT + (RIGHT - LEFT) * (most > 0 ? value / most : 0); }
static double y_of(double share) { return BOTTOM - (BOTTOM - TOP) * (share < 0 ? 0 : share > 1 ? 1 : share); }

static void put_grid(double most, const upwards *of, sb_out *out) {
    for (int mark = 0; mark <= 4; mark++) {
        const double y = y_of(mark / 4.0), x = x_of(mark, 4);
        sb_putf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>"
                "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n",
                LEFT, RIGHT, y, y, LEFT - 6, y + 4, of->most > 1 ? 0 : 2, of->most * mark / 4, x, BOTTOM + 16,
                most * mark / 4);
    }
}

/* A dot at the mean, with a line for its interval. */
static void put_dot(const sb_report *r, size_t i, sb_counter counter, double most, const upwards *of, size_t colours,
                    sb_out *out) {
    const sb_tally *all = &r->entries[i].summary.all;
    const double spent = per_episode(all, counter), x = x_of(spent, most);
    sb_interval interval;
    double value;
    if (!value_of(all, of, &value, &interval)) return;
    sb_putf(out, "<g class=\"a%zu\"><line class=\"bar\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", i % colours,
            x, x, y_of(interval.lower / of->most), y_of(interval.upper / of->most));
    sb_putf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"><title>", x, y_of(value / of->most));
    sb_put_html(out, r->entries[i].results.agent);
    sb_putf(out, ": %.3f at %s%.6g</title></circle></g>\n", value, all->partly >> counter & 1 ? "at least " : "",
            spent);
}

static void put_chart(const sb_report *r, sb_counter counter, size_t colours, sb_out *out) {
    const char *title = sb_counter_titles[counter];
    const upwards of = choose_upwards(r);
    bool some = false;
    double most = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (!has(r, i, counter, &of)) continue;
        const double value = per_episode(&r->entries[i].summary.all, counter);
        some = true, most = value > most ? value : most;
    }
    if (!some) return;
    sb_putf(out, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s against %s\">\n", WIDTH, BOTTOM + 24,
            of.name, title);
    put_grid(most, &of, out);
    for (size_t i = 0; i < r->n; i++)
        if (has(r, i, counter, &of)) put_dot(r, i, counter, most, &of, colours, out);
    sb_putf(
        out,
        "</svg><figcaption>%s%s (upwards, with 95 %% bootstrap intervals) against %s of an episode, as agents report "
        "it.</figcaption></figure>\n",
        of.name, of.by_efficiency ? ", in percent" : "", title);
}

void sb_report_put_spent(const sb_report *r, size_t colours, sb_out *out) {
    put_chart(r, SB_COST, colours, out);
    put_chart(r, SB_SECONDS, colours, out);
}

/* ---- Thoughts ---- */

/* Whether there is more to say of the answers than that there was one. */
static bool is_odd(const sb_counters *counters) {
    double all = 0;
    for (int i = 0; i < SB_ANSWER_MARKS; i++) all += counters->mark[i];
    return all > 1;
}

static void put_counters(const sb_counters *counters, sb_out *out) {
    bool first = true;
    for (int i = 0; i < SB_COUNTERS; i++) {
        if (!(counters->has & 1u << i)) continue;
        sb_putf(out, "%s%s %.10g", first ? "" : ", ", sb_counter_titles[i], counters->value[i]);
        first = false;
    }
    if (is_odd(counters)) sb_puts(out, first ? "" : ", "), sb_put_marks(out, counters);
}

void sb_report_put_thoughts(const sb_said *said, sb_out *out) {
    if (!said->n) return;
    sb_put_key(out, "thoughts");
    sb_puts(out, "[");
    for (size_t i = 0; i < said->n; i++) {
        const sb_remark *remark = &said->remarks[i];
        sb_put_comma(out);
        sb_putf(out, "[%u, \"", remark->step);
        out->json = true;
        if (remark->n) sb_put_visible_lines(out, sb_thought(said, remark), remark->n);
        if (remark->cut) sb_putf(out, " [%llu bytes were cut]", (unsigned long long)remark->cut);
        out->json = false;
        sb_puts(out, "\", \"");
        if (remark->again) sb_puts(out, "a first try: ");
        put_counters(&remark->counters, out);
        sb_puts(out, "\"]");
    }
    sb_puts(out, "]");
}
