#include "evaluation/report_tables.h"

#include <math.h>

#include "base/visible.h"
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
        return (upwards){.name = sb_report_efficiency_name(r), .most = 100, .by_efficiency = true};
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
    *interval = of->by_efficiency ? all->efficiency.interval : of->by_score ? all->score_interval : all->success_wilson;
    return of->by_efficiency ? all->efficiency.episodes : of->by_score ? all->scored : all->judged;
}

static bool has(const sb_report *r, size_t i, sb_counter counter, const upwards *of) {
    const sb_tally *all = &r->entries[i].summary.all;
    sb_interval interval;
    double value;
    return all->spent.has >> counter & 1 && value_of(all, of, &value, &interval);
}

/* The axis to the right: marks at 0, step, 2 step, ... up to one that is not below any value. */
typedef struct scale {
    double step;
    int marks; /* number of marks besides 0 */
} scale;

/* Returns at most five marks at multiples of 1, 2 or 5 times a power of ten. */
static scale scale_to(double most) {
    enum { MARKS = 5 };
    static const double to_next[] = {2, 2.5, 2};
    scale s = {.step = 1e-12, .marks = 1};
    if (!(most > 0) || most > 1e300) return (scale){.step = 1, .marks = 1};
    for (int i = 0; most > MARKS * s.step; i = (i + 1) % 3) s.step *= to_next[i];
    while (s.marks * s.step < most) s.marks++;
    return s;
}

static double x_of(double value, const scale *across) {
    return LEFT + (RIGHT - LEFT) * value / (across->marks * across->step);
}
static double y_of(double share) { return BOTTOM - (BOTTOM - TOP) * (share < 0 ? 0 : share > 1 ? 1 : share); }

static void put_grid(const scale *across, const upwards *of, sb_out *out) {
    for (int mark = 0; mark <= 4; mark++) {
        const double y = y_of(mark / 4.0);
        sb_putf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                LEFT, RIGHT, y, y, LEFT - 6, y + 4, of->most > 1 ? 0 : 2, of->most * mark / 4);
    }
    for (int mark = 0; mark <= across->marks; mark++)
        sb_putf(out, "<text class=\"soft tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                x_of(mark * across->step, across), BOTTOM + 16, mark * across->step);
}

/* Where the agent's dot is; false if that is not known. */
static bool place_of(const sb_report *r, size_t i, sb_counter counter, const scale *across, const upwards *of,
                     double *x, double *y) {
    const sb_tally *all = &r->entries[i].summary.all;
    sb_interval interval;
    double value;
    if (!has(r, i, counter, of) || !value_of(all, of, &value, &interval)) return false;
    *x = x_of(per_episode(all, counter), across), *y = y_of(value / of->most);
    return true;
}

/* Counts the agents after this one whose dots would hide its dot. */
static size_t count_on_top(const sb_report *r, size_t i, sb_counter counter, const scale *across, const upwards *of) {
    enum { NEAR = 3 };
    double x, y, other_x, other_y;
    size_t n = 0;
    if (!place_of(r, i, counter, across, of, &x, &y)) return 0;
    for (size_t k = i + 1; k < r->n; k++)
        n += place_of(r, k, counter, across, of, &other_x, &other_y) && fabs(x - other_x) < NEAR &&
             fabs(y - other_y) < NEAR;
    return n;
}

/* A dot at the mean, with a line for its interval. Both are larger than those of the agents that cover them. */
static void put_dot(const sb_report *r, size_t i, sb_counter counter, const scale *across, const upwards *of,
                    size_t colours, sb_out *out) {
    const sb_tally *all = &r->entries[i].summary.all;
    const double spent = per_episode(all, counter), x = x_of(spent, across);
    const size_t on_top = count_on_top(r, i, counter, across, of);
    sb_interval interval;
    double value;
    if (!value_of(all, of, &value, &interval)) return;
    sb_putf(out,
            "<g class=\"a%zu\"><line class=\"bar\" stroke-width=\"%zu\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
            "y2=\"%.1f\"/>",
            i % colours, 4 + 4 * on_top, x, x, y_of(interval.lower / of->most), y_of(interval.upper / of->most));
    sb_putf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%zu\"><title>", x, y_of(value / of->most),
            6 + 4 * on_top);
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
    const scale across = scale_to(most);
    sb_putf(out, "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s against %s\">\n", WIDTH,
            BOTTOM + 24, WIDTH, of.name, title);
    put_grid(&across, &of, out);
    for (size_t i = 0; i < r->n; i++)
        if (has(r, i, counter, &of)) put_dot(r, i, counter, &across, &of, colours, out);
    sb_putf(
        out,
        "</svg><figcaption>%s%s (upwards, with 95 %% intervals, %s) against %s of an episode, as agents report it. Of "
        "agents in one place, later ones are drawn on top, and smaller.</figcaption></figure>\n",
        of.name, of.by_efficiency ? ", in percent" : "", of.by_efficiency || of.by_score ? "by bootstrap" : "Wilson's",
        title);
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
