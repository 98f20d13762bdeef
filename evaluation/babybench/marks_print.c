/* Prints the marks of BabyBench. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/babybench/marks.h"

/* ---- Averages ---- */

/* Averages over some of the marks, and the ways to group them. */

enum { SB_CURVE_MAX = 64 /* points of an assistance curve */, SB_MARK_GROUPS_MAX = 64, SB_MARK_GROUP_NAME = 32 };

typedef struct sb_mark_tally {
    size_t n, unreadable, counts[SB_MEASURES_MAX];
    double sums[SB_MEASURES_MAX];
    size_t solved[SB_CURVE_MAX]; /* Decompose: how many answers were solved with so many added subgoals */
    uint32_t most_help;          /* Decompose: the largest max_help */
} sb_mark_tally;

typedef struct sb_mark_group {
    char name[SB_MARK_GROUP_NAME];
    int64_t place; /* groups are ordered by it */
    sb_mark_tally tally;
} sb_mark_group;

const char *const sb_mark_groupings[SB_N_MARK_GROUPINGS] = {"", "skill", "added", "size"};

bool sb_mark_grouping_find(const char *name, sb_mark_grouping *by, sb_error *error) {
    for (int i = 1; i < SB_N_MARK_GROUPINGS; i++)
        if (strcmp(sb_mark_groupings[i], name) == 0) return *by = (sb_mark_grouping)i, true;
    return sb_fail(error, SB_UNKNOWN, "answers can be grouped by skill, added or size, not by `%.40s`", name);
}

/* ---- One tally ---- */

static void tally_mark(sb_mark_tally *t, const sb_mark *mark) {
    t->n++;
    t->unreadable += mark->reason[0] != '\0';
    for (int k = 0; k < SB_MEASURES_MAX; k++)
        if (mark->has[k]) t->counts[k]++, t->sums[k] += mark->values[k];
    if (mark->solved_with >= 0 && mark->solved_with < SB_CURVE_MAX) t->solved[mark->solved_with]++;
    if (mark->max_help > t->most_help) t->most_help = mark->max_help;
}

/* The average of a measure, of which counts[k] is not 0. */
static double tally_mean(const sb_mark_tally *t, const sb_mark_measure *measure, int k) {
    return measure->factor * t->sums[k] / (double)t->counts[k];
}

/* Decompose: the share of answers that were solved with at most k added subgoals; the assistance curve. It has
 * tally_points points, k = 0, 1, ...: ACI is the area below the curve of a single answer. */
static size_t tally_points(const sb_mark_tally *t) { return t->most_help < SB_CURVE_MAX ? t->most_help : SB_CURVE_MAX; }

static double tally_solved(const sb_mark_tally *t, size_t k) {
    size_t solved = 0;
    for (size_t i = 0; i <= k && i < SB_CURVE_MAX; i++) solved += t->solved[i];
    return (double)solved / (double)t->n;
}

/* ---- Groups ---- */

typedef struct grouper {
    const sb_marks *marks;
    sb_mark_group *groups;
    size_t n;
} grouper;

static void count_in(grouper *g, const sb_mark *mark, int64_t place, const char *name) {
    size_t i = 0;
    while (i < g->n && strcmp(g->groups[i].name, name) != 0) i++;
    if (i == SB_MARK_GROUPS_MAX) return;
    if (i == g->n) {
        g->groups[g->n] = (sb_mark_group){.place = place};
        snprintf(g->groups[g->n++].name, SB_MARK_GROUP_NAME, "%s", name);
    }
    tally_mark(&g->groups[i].tally, mark);
}

/* Skills come in the order of the first level that has them. */
static int64_t place_of_skill(const sb_mark *mark, const char *skill) {
    const sb_task_info *task;
    int64_t place = 0;
    for (size_t i = 0; (task = mark->family->task(i)); i++)
        for (const char *const *other = task->skills; other && *other; other++, place++)
            if (strcmp(*other, skill) == 0) return place;
    return place;
}

static void by_skill(grouper *g, const sb_mark *mark) {
    const sb_task_info *task = sb_task_at(g->marks->catalogue, mark->family, mark->task);
    for (const char *const *skill = task->skills; skill && *skill; skill++)
        count_in(g, mark, place_of_skill(mark, *skill), *skill);
}

/* Groups by added subgoals. The paper groups by 0-2, ..., 7-9 and 10+; that 3 to 6 are one band is ours. */
static void by_added(grouper *g, const sb_mark *mark) {
    static const struct {
        uint32_t first;
        const char *name;
    } bands[] = {{10, "10+"}, {7, "7-9"}, {3, "3-6"}, {0, "0-2"}};
    if (!mark->max_help) return;
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++)
        if (mark->max_help >= bands[i].first) {
            count_in(g, mark, bands[i].first, bands[i].name);
            return;
        }
}

static void by_size(grouper *g, const sb_mark *mark) {
    char name[SB_MARK_GROUP_NAME];
    if (!mark->size.x) return;
    snprintf(name, sizeof name, "%dx%d", mark->size.x, mark->size.y);
    count_in(g, mark, (int64_t)mark->size.x * mark->size.y * 1000 + mark->size.x, name);
}

static int compare(const void *a, const void *b) {
    const sb_mark_group *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Groups marks as marks->by says: by skill (an answer counts in the group of every skill that its level takes), by
 * max_help in the bands of the paper, or by the size of the grid. Writes at most SB_MARK_GROUPS_MAX groups, in their
 * order. Fails if nothing can be grouped so. */
static bool marks_group(const sb_marks *marks, sb_mark_group *groups, size_t *n, sb_error *error) {
    static void (*const ways[SB_N_MARK_GROUPINGS])(grouper *, const sb_mark *) = {NULL, by_skill, by_added, by_size};
    grouper g = {.marks = marks, .groups = groups};
    for (size_t i = 0; i < marks->n; i++)
        if (marks->rows[i].is_known) ways[marks->by](&g, &marks->rows[i]);
    qsort(groups, g.n, sizeof *groups, compare);
    *n = g.n;
    if (g.n || marks->by != SB_MARKS_BY_ADDED)
        return g.n ||
               sb_fail(error, SB_INVALID, "no answer names a level whose %s is known", sb_mark_groupings[marks->by]);
    return sb_fail(error, SB_INVALID, "only answers to decompose can be grouped by added subgoals");
}

/* Tallies of all answers: each level has an index, in the order of families and tasks, and a category has that of its
 * first level. */
typedef struct tallies {
    const sb_catalogue *catalogue;
    sb_mark_tally all, *levels, *groups;
} tallies;

/* Returns the index of the family's first level; for NULL the number of all levels. */
static size_t place_of(const sb_catalogue *catalogue, const sb_family *family) {
    size_t place = 0;
    for (const sb_family *const *other = sb_families; *other && *other != family; other++)
        place += sb_task_count(catalogue, *other);
    return place;
}

static size_t first_of_group(const sb_catalogue *catalogue, const sb_family *family, size_t task) {
    const char *group = sb_task_at(catalogue, family, task)->category;
    size_t first = 0;
    while (strcmp(sb_task_at(catalogue, family, first)->category, group) != 0) first++;
    return first;
}

static bool count(const sb_marks *marks, tallies *t, sb_error *error) {
    const sb_catalogue *catalogue = marks->catalogue;
    const size_t n = place_of(catalogue, NULL);
    *t = (tallies){.catalogue = catalogue, .levels = calloc(2 * n + 1, sizeof *t->levels)}; /* never asks for 0 bytes */
    if (!t->levels) return sb_fail(error, SB_MEMORY, "out of memory for the scores of %zu levels", n);
    t->groups = t->levels + n;
    for (size_t i = 0; i < marks->n; i++) {
        const sb_mark *mark = &marks->rows[i];
        tally_mark(&t->all, mark);
        if (!mark->is_known) continue;
        const size_t place = place_of(catalogue, mark->family);
        tally_mark(&t->levels[place + mark->task], mark);
        tally_mark(&t->groups[place + first_of_group(catalogue, mark->family, mark->task)], mark);
    }
    return true;
}

/* ---- Going through levels and categories, in the order of families and tasks ---- */

/* A level or a category of levels; the other is NULL. */
typedef struct which {
    const sb_family *family;
    const char *level, *group;
} which;

typedef void sb_each(void *context, const which *which, const sb_mark_tally *tally);

static void each_level(const tallies *t, sb_each *each, void *context) {
    const sb_mark_tally *at = t->levels;
    const sb_task_info *task;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (task = sb_task_at(t->catalogue, *family, i)); i++, at++)
            if (at->n) each(context, &(which){.family = *family, .level = task->name}, at);
}

static void each_group(const tallies *t, sb_each *each, void *context) {
    const sb_mark_tally *at = t->groups;
    const sb_task_info *task;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (task = sb_task_at(t->catalogue, *family, i)); i++, at++)
            if (at->n) each(context, &(which){.family = *family, .group = task->category}, at);
}

/* ---- The document ---- */

typedef struct writer {
    const sb_marks *marks;
    const sb_mark_measure *measures;
    sb_out *out;
} writer;

/* Writes the assistance curve: the item k is for at most k added subgoals. */
static void put_curve(const writer *w, const sb_mark_tally *t) {
    sb_put_key(w->out, "curve");
    sb_puts(w->out, "[");
    for (size_t k = 0; k < tally_points(t); k++) sb_put_comma(w->out), sb_put_double(w->out, tally_solved(t, k));
    sb_puts(w->out, "]");
}

static void put_means(const writer *w, const sb_mark_tally *t) {
    sb_member_uint(w->out, "answers", t->n);
    sb_member_uint(w->out, "unreadable", t->unreadable);
    for (int k = 0; w->measures[k].name; k++) {
        sb_put_key(w->out, w->measures[k].mean);
        if (t->counts[k])
            sb_put_double(w->out, tally_mean(t, &w->measures[k], k));
        else
            sb_puts(w->out, "null");
    }
    if (w->marks->protocol == SB_DECOMPOSE) put_curve(w, t);
}

static void put_tally(void *context, const which *which, const sb_mark_tally *t) {
    const writer *w = context;
    sb_put_comma(w->out);
    sb_puts(w->out, "{");
    sb_member_text(w->out, "family", which->family->name);
    sb_member_text(w->out, which->level ? "level" : "group", which->level ? which->level : which->group);
    put_means(w, t);
    sb_puts(w->out, "}");
}

static void put_name(const sb_mark *mark, sb_out *out) {
    char name[SB_NAME_MAX];
    if (!mark->is_known) return;
    sb_name_print(&mark->name, name, sizeof name);
    sb_member_text(out, "name", name);
}

static void put_value(const sb_mark *mark, const sb_mark_measure *measure, int k, sb_out *out) {
    if (!mark->has[k]) return;
    if (measure->whole)
        sb_member_int(out, measure->name, (int64_t)mark->values[k]);
    else
        sb_member_double(out, measure->name, mark->values[k]);
}

static void put_row(const writer *w, const sb_mark *mark) {
    sb_puts(w->out, "{");
    sb_member_uint(w->out, "line", mark->line);
    put_name(mark, w->out);
    for (int k = 0; w->measures[k].name; k++) put_value(mark, &w->measures[k], k, w->out);
    if (mark->expected[0]) sb_member_text(w->out, "expected", mark->expected);
    if (mark->said[0]) sb_member_text(w->out, "said", mark->said);
    if (mark->reason[0]) sb_member_text(w->out, "reason", mark->reason);
    sb_puts(w->out, "}");
}

static void put_rows(const writer *w, const sb_marks *marks) {
    sb_put_key(w->out, "rows");
    sb_puts(w->out, "[");
    for (size_t i = 0; i < marks->n; i++) {
        sb_puts(w->out, i ? ",\n" : "\n");
        put_row(w, &marks->rows[i]);
    }
    sb_puts(w->out, "\n]");
}

/* Writes `skills`, `added` or `sizes`, if the marks are to be grouped so. */
static bool put_grouped(const writer *w, sb_error *error) {
    size_t n = 0;
    if (w->marks->by == SB_MARKS_UNGROUPED) return true;
    sb_mark_group *groups = calloc(SB_MARK_GROUPS_MAX, sizeof *groups);
    if (!groups) return sb_fail(error, SB_MEMORY, "out of memory for groups");
    const bool ok = marks_group(w->marks, groups, &n, error);
    sb_put_key(w->out, "by");
    sb_puts(w->out, "{");
    sb_member_text(w->out, "what", sb_mark_groupings[w->marks->by]);
    sb_put_key(w->out, "groups");
    sb_puts(w->out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(w->out);
        sb_puts(w->out, "{");
        sb_member_text(w->out, "name", groups[i].name);
        put_means(w, &groups[i].tally);
        sb_puts(w->out, "}");
    }
    sb_puts(w->out, "]}");
    free(groups);
    return ok;
}

bool sb_marks_print(const sb_marks *marks, bool rows, sb_out *out, sb_error *error) {
    writer w = {.marks = marks, .measures = sb_measures[marks->protocol], .out = out};
    tallies t;
    if (!count(marks, &t, error)) return false;
    sb_puts(out, "{");
    sb_member_text(out, "format", "seedbed-score");
    sb_member_int(out, "version", 1);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_member_text(out, "protocol", sb_babybench_task_names[marks->protocol]);
    sb_put_key(out, "all");
    sb_puts(out, "{");
    put_means(&w, &t.all);
    sb_puts(out, "}");
    sb_put_key(out, "groups");
    sb_puts(out, "[");
    each_group(&t, put_tally, &w);
    sb_puts(out, "]");
    sb_put_key(out, "levels");
    sb_puts(out, "[");
    each_level(&t, put_tally, &w);
    sb_puts(out, "]");
    const bool grouped = put_grouped(&w, error);
    if (rows) put_rows(&w, marks);
    sb_puts(out, "}\n");
    free(t.levels);
    if (!grouped) return false;
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the scores");
}

/* ---- The table ---- */

static int width_of(const sb_mark_measure *measure) {
    const int n = (int)strlen(measure->mean);
    return n < 8 ? 8 : n;
}

static void put_line(const writer *w, const char *name, const sb_mark_tally *t) {
    sb_putf(w->out, "%-28s %8zu %10zu", name, t->n, t->unreadable);
    for (int k = 0; w->measures[k].name; k++)
        if (t->counts[k])
            sb_putf(w->out, "  %*.3f", width_of(&w->measures[k]), tally_mean(t, &w->measures[k], k));
        else
            sb_putf(w->out, "  %*s", width_of(&w->measures[k]), "-");
    sb_puts(w->out, "\n");
}

static void put_tally_line(void *context, const which *which, const sb_mark_tally *t) {
    put_line(context, which->level ? which->level : which->group, t);
}

static bool put_grouped_lines(const writer *w, sb_error *error) {
    size_t n = 0;
    if (w->marks->by == SB_MARKS_UNGROUPED) return true;
    sb_mark_group *groups = calloc(SB_MARK_GROUPS_MAX, sizeof *groups);
    if (!groups) return sb_fail(error, SB_MEMORY, "out of memory for groups");
    const bool ok = marks_group(w->marks, groups, &n, error);
    sb_putf(w->out, "by %s\n", sb_mark_groupings[w->marks->by]);
    for (size_t i = 0; i < n; i++) put_line(w, groups[i].name, &groups[i].tally);
    sb_puts(w->out, "\n");
    free(groups);
    return ok;
}

static void put_curve_line(const writer *w, const sb_mark_tally *t) {
    if (w->marks->protocol != SB_DECOMPOSE || !tally_points(t)) return;
    sb_puts(w->out, "\nsolved with at most so many added subgoals\n ");
    for (size_t k = 0; k < tally_points(t); k++) sb_putf(w->out, " %zu: %.3f", k, tally_solved(t, k));
    sb_puts(w->out, "\n");
}

static void put_reasons(const sb_marks *marks, size_t unreadable, sb_out *out) {
    enum { SHOWN = 5 };
    if (unreadable) sb_putf(out, "\n%zu answers could not be read, such as\n", unreadable);
    for (size_t i = 0, n = 0; i < marks->n && n < SHOWN; i++) {
        if (!marks->rows[i].reason[0]) continue;
        sb_putf(out, "  line %zu: %s\n", marks->rows[i].line, marks->rows[i].reason);
        n++;
    }
}

bool sb_marks_tabulate(const sb_marks *marks, sb_out *out, sb_error *error) {
    writer w = {.marks = marks, .measures = sb_measures[marks->protocol], .out = out};
    tallies t;
    if (!count(marks, &t, error)) return false;
    sb_putf(out, "%-28s %8s %10s", sb_babybench_task_names[marks->protocol], "answers", "unreadable");
    for (int k = 0; w.measures[k].name; k++) sb_putf(out, "  %*s", width_of(&w.measures[k]), w.measures[k].mean);
    sb_puts(out, "\n");
    each_level(&t, put_tally_line, &w);
    sb_puts(out, "\n");
    const bool grouped = put_grouped_lines(&w, error);
    each_group(&t, put_tally_line, &w);
    put_line(&w, "all", &t.all);
    put_curve_line(&w, &t.all);
    put_reasons(marks, t.all.unreadable, out);
    free(t.levels);
    if (!grouped) return false;
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the scores");
}
