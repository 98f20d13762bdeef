#include "evaluation/report_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/explain/explain.h"
#include "evaluation/report_tables.h"
#include "evaluation/shipped.h"
#include "exporters/page.h"
#include "exporters/reel.h"

enum {
    COLOURS = 6,             /* number of colours for agents in report_page.css */
    REPLAY_BYTES = 16 << 20, /* bytes of all episodes on the page */
    RADIUS = 130,            /* radius of the radar, in units of its picture */
    CENTRE_X = 220,
    CENTRE_Y = 165
};

/* ---- Charts ---- */

/* Returns how many agents are drawn: the results, and published agents if they were requested by name. */
static size_t n_drawn(const sb_report *r) {
    const char *published = r->options->published;
    const bool named = published && strcmp(published, "all") != 0 && strcmp(published, "none") != 0;
    return r->n + (named ? r->published.n : 0);
}

static const char *drawn_name(const sb_report *r, size_t i) {
    return i < r->n ? r->entries[i].results.agent : r->published.agents[i - r->n].name;
}

/* Returns NAN for categories in which the agent did not play, or nobody can win. */
static double success_in(const sb_report *r, size_t i, const char *category) {
    if (i < r->n) {
        const sb_summary *s = &r->entries[i].summary;
        for (size_t k = 0; k < s->n_categories; k++)
            if (strcmp(s->categories[k].name, category) == 0 && s->categories[k].tally.judged)
                return s->categories[k].tally.success_rate;
        return NAN;
    }
    const sb_total *total = &r->published.agents[i - r->n].total;
    for (size_t k = 0; k < total->n_parts; k++)
        if (strcmp(total->parts[k].category, category) == 0) return total->parts[k].score;
    return NAN;
}

static bool is_played(const sb_report *r, const char *category) {
    for (size_t i = 0; i < r->n; i++) {
        const sb_summary *s = &r->entries[i].summary;
        for (size_t k = 0; k < s->n_categories; k++)
            if (strcmp(s->categories[k].name, category) == 0) return true;
    }
    return false;
}

static size_t played_categories(const sb_report *r, const char *names[SB_CATEGORIES]) {
    const size_t n = sb_report_categories(r->options->catalogue, r->family, names);
    size_t played = 0;
    for (size_t i = 0; i < n; i++)
        if (is_played(r, names[i])) names[played++] = names[i];
    return played;
}

/* The place on axis k of n of the radar, at a share of the radius. Axis 0 points upwards. */
static double radar_x(size_t k, size_t n, double share) {
    return CENTRE_X + RADIUS * share * sin(2 * acos(-1) * (double)k / (double)n);
}
static double radar_y(size_t k, size_t n, double share) {
    return CENTRE_Y - RADIUS * share * cos(2 * acos(-1) * (double)k / (double)n);
}

static void put_point(sb_out *out, size_t k, size_t n, double share) {
    sb_putf(out, "%.1f,%.1f ", radar_x(k, n, share), radar_y(k, n, share));
}

static void put_ring(sb_out *out, size_t n, double share) {
    sb_puts(out, "<polygon class=\"grid\" points=\"");
    for (size_t k = 0; k < n; k++) put_point(out, k, n, share);
    sb_puts(out, "\"/>\n");
}

static void put_axis(sb_out *out, const char *name, size_t k, size_t n) {
    const double angle = 2 * acos(-1) * (double)k / (double)n, x = sin(angle), y = -cos(angle);
    sb_putf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", CENTRE_X + (RADIUS + 12) * x,
            CENTRE_Y + (RADIUS + 12) * y + 4,
            x > 0.1    ? "start"
            : x < -0.1 ? "end"
                       : "middle");
    sb_put_html(out, name);
    sb_puts(out, "</text>\n");
}

/* An agent's success on every axis of the radar. */
typedef struct radar_line {
    double shares[SB_CATEGORIES];
} radar_line;

static radar_line line_of(const sb_report *r, size_t agent, const char *const *names, size_t n) {
    radar_line line;
    for (size_t k = 0; k < n; k++) line.shares[k] = success_in(r, agent, names[k]);
    return line;
}

/* Whether both lines have the same edge, as far as one can see, from this axis to the next. */
static bool share_edge(const radar_line *a, const radar_line *b, size_t k, size_t n) {
    enum { SEEN = 100 };
    const size_t next = (k + 1) % n;
    return fabs(a->shares[k] - b->shares[k]) * SEEN < 1 && fabs(a->shares[next] - b->shares[next]) * SEEN < 1;
}

/* Draws the edge from this axis to the next, wider by two units on either side for every later agent that has the same
 * edge. There is none from or to an axis on which nothing is known. */
static void put_edge(const sb_report *r, size_t agent, const char *const *names, size_t k, size_t n, sb_out *out) {
    const radar_line line = line_of(r, agent, names, n);
    const size_t next = (k + 1) % n;
    size_t width = 2;
    if (isnan(line.shares[k]) || isnan(line.shares[next])) return;
    for (size_t i = agent + 1; i < n_drawn(r); i++) {
        const radar_line other = line_of(r, i, names, n);
        if (share_edge(&line, &other, k, n)) width += 4;
    }
    sb_putf(out, "<line class=\"edge\" stroke-width=\"%zu\"%s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            width, agent < r->n ? "" : " stroke-dasharray=\"5 4\"", radar_x(k, n, line.shares[k]),
            radar_y(k, n, line.shares[k]), radar_x(next, n, line.shares[next]), radar_y(next, n, line.shares[next]));
}

static void put_agent_on_radar(const sb_report *r, size_t agent, const char *const *names, size_t n, sb_out *out) {
    const radar_line line = line_of(r, agent, names, n);
    sb_putf(out, "<g class=\"a%zu\"><polygon class=\"area\" points=\"", agent % COLOURS);
    for (size_t k = 0; k < n; k++)
        if (!isnan(line.shares[k])) put_point(out, k, n, line.shares[k]);
    sb_puts(out, "\"/>\n");
    for (size_t k = 0; k < n; k++) put_edge(r, agent, names, k, n, out);
    for (size_t k = 0; k < n; k++)
        if (!isnan(line.shares[k]))
            sb_putf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", radar_x(k, n, line.shares[k]),
                    radar_y(k, n, line.shares[k]));
    sb_puts(out, "<title>");
    sb_put_html(out, drawn_name(r, agent));
    sb_puts(out, "</title></g>\n");
}

static void put_radar(const sb_report *r, sb_out *out) {
    const char *names[SB_CATEGORIES];
    const size_t n = played_categories(r, names);
    if (n < 3) return; /* two axes make no area */
    sb_puts(out,
            "<figure><svg viewBox=\"0 0 440 330\" width=\"440\" role=\"img\" aria-label=\"Success by category\">\n");
    for (int ring = 1; ring <= 4; ring++) put_ring(out, n, ring / 4.0);
    for (size_t k = 0; k < n; k++) put_axis(out, names[k], k, n);
    for (size_t i = 0; i < n_drawn(r); i++) put_agent_on_radar(r, i, names, n, out);
    sb_puts(out, "</svg><figcaption>Success by category, of all that was played; rings at 0.25, 0.5, 0.75 and 1. Where "
                 "lines coincide, those of later agents are on top, and thinner.</figcaption></figure>\n");
}

/* Writes the name above a line of the interval chart; one that is too long for it is squeezed. */
static void put_bar_label(sb_out *out, double y, const char *label) {
    enum { FITS = 46 };
    sb_putf(out, "<text x=\"10\" y=\"%.0f\"%s>", y - 8,
            strlen(label) > FITS ? " textLength=\"400\" lengthAdjust=\"spacingAndGlyphs\"" : "");
    sb_put_html(out, label);
}

/* Draws one line of the interval chart: value and bounds on a scale of 0..1; NULL: nothing is known. */
static void put_bar(sb_out *out, size_t colour, size_t row, const char *label, double value,
                    const sb_interval *interval) {
    const double left = 10, width = 400, y = 34 + 34 * (double)row;
    put_bar_label(out, y, label);
    if (!interval) {
        sb_puts(out, " -</text>\n");
        return;
    }
    sb_putf(out,
            " %.3f</text><g class=\"a%zu\"><line class=\"bar\" stroke-width=\"4\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" "
            "y2=\"%.0f\"/>",
            value, colour, left + width * interval->lower, left + width * interval->upper, y, y);
    sb_putf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.0f\" r=\"6\"/></g>\n", left + width * value, y);
}

/* Whether the chart shows leaderboard scores, which needs one for every result. If not, it shows success rates. */
static bool all_on_leaderboard(const sb_report *r) {
    bool all = true;
    for (size_t i = 0; i < r->n; i++) all &= r->entries[i].summary.scores[SB_SCORE_LEADERBOARD].known;
    return all;
}

static void put_bar_of(const sb_report *r, size_t i, bool leaderboard, sb_out *out) {
    const sb_summary *s = i < r->n ? &r->entries[i].summary : NULL;
    const sb_total *total = s ? &s->scores[SB_SCORE_LEADERBOARD].total : &r->published.agents[i - r->n].total;
    if (s && !leaderboard)
        put_bar(out, i % COLOURS, i, drawn_name(r, i), s->all.success_rate,
                s->all.judged ? &s->all.success_wilson : NULL);
    else
        put_bar(out, i % COLOURS, i, drawn_name(r, i), total->score, &total->interval);
}

static void put_intervals(const sb_report *r, sb_out *out) {
    const bool leaderboard = all_on_leaderboard(r);
    const size_t n = n_drawn(r), bottom = 34 * n + 20;
    sb_putf(out,
            "<figure><svg viewBox=\"0 0 420 %zu\" width=\"420\" role=\"img\" aria-label=\"Scores with intervals\">\n",
            bottom + 20);
    for (int mark = 0; mark <= 4; mark++)
        sb_putf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"14\" y2=\"%zu\"/>"
                "<text class=\"soft\" x=\"%d\" y=\"%zu\" text-anchor=\"%s\">%.2f</text>\n",
                10 + 100 * mark, 10 + 100 * mark, bottom, 10 + 100 * mark, bottom + 14,
                mark == 0   ? "start"
                : mark == 4 ? "end"
                            : "middle",
                mark / 4.0);
    for (size_t i = 0; i < n; i++) put_bar_of(r, i, leaderboard, out);
    sb_puts(out, "</svg><figcaption>");
    sb_puts(out, leaderboard
                     ? "Leaderboard score, with 95 % bootstrap intervals"
                     : "Success over all episodes, with Wilson's 95 % intervals (of published agents: leaderboard "
                       "score, by bootstrap)");
    sb_puts(out, ".</figcaption></figure>\n");
}

/* Writes what distinguishes published agents of the same name. */
static void put_origin(const sb_published_agent *agent, sb_out *out) {
    sb_puts(out, " (published");
    if (*agent->harness) sb_puts(out, ", "), sb_put_html(out, agent->harness);
    sb_puts(out, ", "), sb_put_html(out, agent->observation);
    sb_puts(out, ")");
}

static void put_charts(const sb_report *r, sb_out *out) {
    sb_puts(out, "<ul class=\"key\">");
    for (size_t i = 0; i < n_drawn(r); i++) {
        sb_putf(out, "<li class=\"a%zu\">", i % COLOURS);
        sb_put_html(out, drawn_name(r, i));
        if (i >= r->n) put_origin(&r->published.agents[i - r->n], out);
        sb_puts(out, "</li>");
    }
    sb_puts(out, "</ul>\n<div class=\"charts\">\n");
    put_radar(r, out);
    put_intervals(r, out);
    sb_report_put_spent(r, COLOURS, out);
    sb_puts(out, "</div>\n");
}

/* ---- Episodes ---- */

static const char *outcome_of(const sb_played *played) {
    const sb_status *end = &played->tape.outcome;
    if (played->failure.kind) return played->failure.text;
    if (end->fault) return "fault of the world";
    if (end->success) return "success";
    if (!end->terminated) return "out of steps";
    return played->tape.criterion == SB_BY_SUCCESS ? "failure" : "ended";
}

/* What the episodes of a page share. */
typedef struct episodes {
    sb_env *env;
    sb_brush *brush; /* NULL: the family has no pictures */
    sb_reel reel;    /* pictures of the current episode */
    sb_mosaic tiles; /* tiles of all pictures */
} episodes;

static bool put_episode(sb_out *out, episodes *e, size_t agent, const sb_played *played, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_name_print(&played->tape.name, name, sizeof name);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_uint(out, "agent", agent);
    sb_member_text(out, "name", name);
    sb_put_key(out, "outcome");
    if (played->tape.said.lost.size)
        sb_put_json_bytes(out, played->tape.said.lost.data, played->tape.said.lost.size);
    else
        sb_put_json_string(out, outcome_of(played));
    sb_report_put_thoughts(&played->tape.said, out);
    const bool ok = sb_reel_put(&e->reel, &e->tiles, out, error);
    sb_puts(out, "}");
    return ok;
}

static size_t task_of(const sb_report *r, const sb_played *played) {
    const sb_task_info *task;
    size_t index = 0;
    while ((task = sb_task_at(r->options->catalogue, r->family, index)) &&
           strcmp(task->name, played->tape.name.task) != 0)
        index++;
    return index;
}

static bool put_replay(const sb_report *r, size_t agent, const sb_played *played, episodes *e, sb_out *out,
                       sb_error *error) {
    sb_tape tape = played->tape;
    if (r->options->humans) tape.effort = (sb_effort){0}; /* people's baselines are not those that a replay finds */
    return (sb_reel_begin(&e->reel, error) && sb_tape_replay(&tape, e->env, sb_reel_visit, &e->reel, error) &&
            put_episode(out, e, agent, played, error)) ||
           sb_fail_at(error, "%.60s", r->entries[agent].results.agent);
}

/* Which episodes of an agent are on the page. */
typedef struct showing {
    size_t *of_task; /* how many episodes of each task are shown */
    bool *places;    /* for each place in the results: its episode is shown */
} showing;

/* Shows episodes that were won, or those that were not, until each task has as many as requested. */
static bool put_replays_of(const sb_report *r, size_t agent, bool won, episodes *e, showing *shown, sb_out *out,
                           sb_error *error) {
    const sb_results *results = &r->entries[agent].results;
    for (size_t i = 0; i < results->n && out->size < REPLAY_BYTES; i++) {
        const sb_played *played = &results->episodes[i];
        if (sb_won(played) != won || strcmp(played->tape.name.family, r->family->name) != 0) continue;
        size_t *of_task = &shown->of_task[task_of(r, played)];
        if (*of_task == r->options->replays) continue;
        ++*of_task;
        if (!shown->places[i] && !put_replay(r, agent, played, e, out, error)) return false;
    }
    return true;
}

/* Shows episodes that surprise: of their attempts the first that was won, or not. */
static bool put_surprises_of(const sb_report *r, size_t agent, bool won, episodes *e, showing *shown, sb_out *out,
                             sb_error *error) {
    const sb_explained *explained = &r->explanation->agents[agent];
    const sb_surprises *s = &explained->surprises;
    for (size_t i = 0; i < (won ? s->n_won : s->n_lost); i++) {
        size_t place = explained->outcomes.all[won ? s->won[i] : s->lost[i]].place;
        while (sb_won(&r->entries[agent].results.episodes[place]) != won) place++;
        shown->places[place] = true;
        if (!put_replay(r, agent, &r->entries[agent].results.episodes[place], e, out, error)) return false;
    }
    return true;
}

static bool put_surprises(const sb_report *r, size_t agent, episodes *e, showing *shown, sb_out *out, sb_error *error) {
    return !r->explanation || (put_surprises_of(r, agent, false, e, shown, out, error) &&
                               put_surprises_of(r, agent, true, e, shown, out, error));
}

/* Shows an agent's episodes; of every task first those that were not won. */
static bool put_agent(const sb_report *r, size_t agent, episodes *e, sb_out *out, sb_error *error) {
    showing shown = {calloc(sb_task_count(r->options->catalogue, r->family) + 1, sizeof *shown.of_task),
                     calloc(r->entries[agent].results.n + 1, sizeof *shown.places)};
    const bool ok = ((shown.of_task && shown.places) || sb_fail(error, SB_MEMORY, "out of memory for the page")) &&
                    put_surprises(r, agent, e, &shown, out, error) &&
                    put_replays_of(r, agent, false, e, &shown, out, error) &&
                    put_replays_of(r, agent, true, e, &shown, out, error);
    free(shown.of_task), free(shown.places);
    return ok;
}

/* Makes the brush that the options name; the family's first look, with tiles for people, if they name none. */
static bool take_brush(const sb_report *r, episodes *e, sb_error *error) {
    const char *name = r->options->look;
    const sb_look *look = name ? sb_look_find(r->family, name, error) : sb_look_at(r->family, 0);
    sb_brush_options options = r->options->drawing;
    if (!look) return !name; /* without pictures the page has texts */
    if (!options.tile) options.tile = look->display_tile;
    options.indexed = look->indexed;
    if (!(e->brush = sb_brush_make(r->family, look, &options, error))) return false;
    e->reel.brush = e->brush, e->tiles = sb_reel_mosaic(e->brush);
    return true;
}

static bool put_replays(const sb_report *r, episodes *e, sb_out *out, sb_error *error) {
    e->reel.has_text = true;
    if (!take_brush(r, e, error) || !(e->env = sb_make(r->options->catalogue, NULL, error))) return false;
    sb_puts(out, "{\"agents\": [");
    for (size_t i = 0; i < r->n; i++) {
        sb_put_comma(out);
        sb_put_json_string(out, r->entries[i].results.agent);
    }
    sb_puts(out, "], \"episodes\": [");
    for (size_t i = 0; i < r->n; i++)
        if (!put_agent(r, i, e, out, error)) return false;
    sb_puts(out, "]");
    if (e->brush && !sb_page_put_atlas(&e->tiles, e->brush, out, error)) return false;
    sb_puts(out, "}");
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the page");
}

static bool make_data(const sb_report *r, sb_out *out, sb_error *error) {
    episodes e = {0};
    const bool ok = put_replays(r, &e, out, error);
    sb_free(e.env);
    sb_reel_free(&e.reel);
    sb_mosaic_free(&e.tiles);
    sb_brush_free(e.brush);
    return ok;
}

/* ---- The page ---- */

static const char player[] = "<section id=\"player\" hidden>\n<h2>Episodes</h2>\n"
                             "<div class=\"row\"><label>agent <select id=\"agent\"></select></label> "
                             "<label>episode <select id=\"episode\"></select></label></div>\n";

/* What the agent said with the step that is shown. */
static const char thought[] = "<div id=\"thoughts\" aria-live=\"polite\" hidden>\n<p class=\"note\" id=\"spent\"></p>\n"
                              "<p id=\"thought\"></p>\n</div>\n";

static const char player_note[] =
    "<p class=\"note\">Keys: left and right to step, home and end, p to play, t to change between picture and text. Of "
    "every task the page shows the first episodes that were not won, and if there are too few, the first that were "
    "won.</p>\n</section>\n";

static void put_missing(const sb_report *r, sb_out *out) {
    sb_puts(out, "<ul class=\"note\">\n");
    for (size_t i = 0; i < r->n; i++)
        for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
            const sb_score *score = &r->entries[i].summary.scores[kind];
            if (score->known || r->entries[i].summary.only_tests) continue;
            sb_putf(out, "<li>%s of ", sb_score_names[kind]);
            sb_put_html(out, r->entries[i].results.agent);
            sb_puts(out, ": ");
            sb_put_html(out, score->missing);
            sb_puts(out, "</li>\n");
        }
    sb_puts(out, "</ul>\n");
}

static bool put_table(const sb_report *r, int which, sb_out *out) {
    sb_table table;
    sb_report_table(r, which, &table);
    const bool ok = sb_out_ok(&table.text);
    if (ok && table.cells) {
        sb_puts(out, "<h2>");
        sb_put_html(out, table.title);
        sb_puts(out, "</h2>\n");
        sb_table_print_html(&table, out);
    }
    sb_table_free(&table);
    return ok;
}

/* What the atlas says; the script makes links of the episodes that surprise. */
static bool put_explanation(const sb_report *r, sb_out *out) {
    bool ok = put_table(r, SB_REPORT_FAILING, out);
    sb_report_put_explained(r, COLOURS, out);
    sb_puts(out, "<div id=\"surprises\">\n");
    ok = ok && put_table(r, SB_REPORT_SURPRISES, out);
    sb_puts(out, "</div>\n");
    return ok && put_table(r, SB_REPORT_MODEL, out) && put_table(r, SB_REPORT_CORRELATIONS, out) &&
           put_table(r, SB_REPORT_BINS, out);
}

static void put_head(const sb_report *r, sb_out *out) {
    char label[SB_BASELINE_LABEL];
    sb_baseline_label(r->baseline.frozen, r->baseline.hash, label);
    sb_page_begin(out, "Seedbed report", (sb_page_part){sb_shipped_report_style, sb_shipped_report_style_size});
    sb_puts(out, "<h1>Seedbed report</h1>\n<p class=\"soft\">family ");
    sb_put_html(out, r->family->name);
    sb_puts(out, ", rules ");
    sb_put_html(out, r->family->version);
    sb_putf(out, ", %zu result%s; returns normalised with baseline %s</p>\n", r->n, sb_plural(r->n), label);
}

static void put_player(const sb_report *r, sb_out *out) {
    sb_puts(out, player);
    sb_page_player(out, r->options->playground);
    sb_puts(out, thought);
    sb_puts(out, player_note);
}

bool sb_report_page(const sb_report *report, sb_out *out, sb_error *error) {
    sb_out data = sb_out_growing();
    put_head(report, out);
    put_charts(report, out);
    bool ok = put_table(report, SB_REPORT_SCORES, out) && put_table(report, SB_REPORT_BUDGET, out) &&
              put_table(report, SB_REPORT_EFFICIENCY, out) && put_table(report, SB_REPORT_EXPERT, out) &&
              put_table(report, SB_REPORT_PEOPLE, out) && put_table(report, SB_REPORT_PEOPLE_TESTS, out);
    put_missing(report, out);
    ok = ok && put_table(report, SB_REPORT_RUNS, out) && put_table(report, SB_REPORT_DIFFERENCES, out) &&
         put_table(report, SB_REPORT_TESTS, out) && put_table(report, SB_REPORT_RESULTS, out) &&
         put_table(report, SB_REPORT_ABOUT, out) && put_table(report, SB_REPORT_CATEGORIES, out) &&
         put_explanation(report, out);
    put_player(report, out);
    ok = ok && put_table(report, SB_REPORT_TASKS, out) && put_table(report, SB_REPORT_MARKS, out) &&
         put_table(report, SB_REPORT_PUBLISHED, out) && put_table(report, SB_REPORT_ONS, out) &&
         put_table(report, SB_REPORT_ONS_TASKS, out) && put_table(report, SB_REPORT_ELSEWHERE, out);
    if (!ok) return sb_fail(error, SB_MEMORY, "out of memory for the page");
    ok = make_data(report, &data, error);
    if (ok) sb_page_data(out, &data);
    sb_page_end(out, (sb_page_part){sb_shipped_report_script, sb_shipped_report_script_size});
    sb_out_free(&data);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the page"));
}
