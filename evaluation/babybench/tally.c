#include "evaluation/babybench/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

const char *const sb_mark_groupings[SB_N_MARK_GROUPINGS] = {"", "skill", "added", "size"};

bool sb_mark_grouping_find(const char *name, sb_mark_grouping *by, sb_error *error) {
    for (int i = 1; i < SB_N_MARK_GROUPINGS; i++)
        if (strcmp(sb_mark_groupings[i], name) == 0) return *by = (sb_mark_grouping)i, true;
    return sb_fail(error, SB_UNKNOWN, "answers can be grouped by skill, added or size, not by `%.40s`", name);
}

/* ---- One tally ---- */

void sb_tally_mark(sb_mark_tally *t, const sb_mark *mark) {
    t->n++;
    t->unreadable += mark->reason[0] != '\0';
    for (int k = 0; k < SB_MEASURES_MAX; k++)
        if (mark->has[k]) t->counts[k]++, t->sums[k] += mark->values[k];
    if (mark->solved_with >= 0 && mark->solved_with < SB_CURVE_MAX) t->solved[mark->solved_with]++;
    if (mark->max_help > t->most_help) t->most_help = mark->max_help;
}

double sb_tally_mean(const sb_mark_tally *t, const sb_measure *measure, int k) {
    return measure->factor * t->sums[k] / (double)t->counts[k];
}

size_t sb_tally_points(const sb_mark_tally *t) { return t->most_help < SB_CURVE_MAX ? t->most_help : SB_CURVE_MAX; }

double sb_tally_solved(const sb_mark_tally *t, size_t k) {
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
    sb_tally_mark(&g->groups[i].tally, mark);
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

/* The paper groups by 0-2, ..., 7-9 and 10+; that 3 to 6 are one band is ours. */
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

bool sb_marks_group(const sb_marks *marks, sb_mark_group *groups, size_t *n, sb_error *error) {
    static void (*const ways[SB_N_MARK_GROUPINGS])(grouper *, const sb_mark *) = {NULL, by_skill, by_added, by_size};
    grouper g = {.marks = marks, .groups = groups};
    for (size_t i = 0; i < marks->n; i++)
        if (marks->rows[i].is_known) ways[marks->by](&g, &marks->rows[i]);
    qsort(groups, g.n, sizeof *groups, compare);
    *n = g.n;
    if (g.n || marks->by != SB_MARKS_BY_ADDED)
        return g.n ||
               sb_fail(error, SB_INVALID, "no answer is to a level whose %s is known", sb_mark_groupings[marks->by]);
    return sb_fail(error, SB_INVALID, "only answers to decompose can be grouped by added subgoals");
}
