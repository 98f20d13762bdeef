#include "evaluation/report_tables.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/visible.h"
#include "engine/lookup.h"

static void add_share(sb_table *t, double value) { sb_putf(sb_table_cell(t), "%.3f", value); }

static void add_score(sb_table *t, const sb_score *score) {
    sb_out *cell = sb_table_cell(t);
    const sb_interval *i = &score->total.interval;
    if (!score->known)
        sb_puts(cell, "-");
    else
        sb_putf(cell, "%.4f", score->total.score);
    if (score->known && sb_has_width(i)) sb_putf(cell, " (%.3f..%.3f)", i->lower, i->upper);
}

static const char scores_note[] =
    "success: of all episodes played; leaderboard and ons_pairs need every pair of task and difficulty; capability: "
    "over the tasks played; success of solvable: of the episodes that are certified solvable; in brackets 95 %% "
    "intervals, of success Wilson's, all others by bootstrap, and none where all that is averaged last is alike, as in "
    "one category; a dash is not known; returns are normalised with "
    "baseline %s%s";

static const char only_tests_note[] =
    "success: of all episodes played; in brackets 95 % intervals, of success Wilson's, all others by bootstrap";

/* Whether nothing but tests is scored, so that scores over the whole family are left out. */
static bool only_tests(const sb_report *r) {
    bool all = r->n > 0;
    for (size_t i = 0; i < r->n; i++) all &= r->entries[i].summary.only_tests;
    return all;
}

static void note_scores(const sb_report *r, sb_table *t) {
    char label[SB_BASELINE_LABEL];
    sb_baseline_label(r->baseline.frozen, r->baseline.hash, label);
    const char *const differ = r->differ ? "; not all results are of the same episodes: compare with care" : "";
    if (only_tests(r))
        snprintf(t->note, sizeof t->note, "%s%s", only_tests_note, differ);
    else
        snprintf(t->note, sizeof t->note, scores_note, label, differ);
}

/* Writes a success rate or a mean score, if it is known: some tasks have only one of them, and some have neither. */
static void add_mean(sb_table *t, size_t n, double mean, const sb_interval *interval, int decimals) {
    sb_out *cell = sb_table_cell(t);
    if (!n)
        sb_puts(cell, "-");
    else
        sb_putf(cell, "%.*f", decimals, mean);
    if (n && interval) sb_putf(cell, " (%.3f..%.3f)", interval->lower, interval->upper);
}

static void add_rate(sb_table *t, const sb_tally *tally, bool interval) {
    const sb_tally none = {0}, *of = tally ? tally : &none;
    add_mean(t, of->judged, of->success_rate, interval ? &of->success_wilson : NULL, 3);
}

static void add_mean_score(sb_table *t, const sb_tally *tally, bool interval) {
    const sb_tally none = {0}, *of = tally ? tally : &none;
    add_mean(t, of->scored, of->mean_score, interval ? &of->score_interval : NULL, 4);
}

/* Whether any result has episodes that are judged by a score; if not, their column is left out. */
static bool has_scored(const sb_report *r) {
    bool some = false;
    for (size_t i = 0; i < r->n; i++) some |= r->entries[i].summary.all.scored > 0;
    return some;
}

static bool has_faults(const sb_report *r) {
    bool some = false;
    for (size_t i = 0; i < r->n; i++) some |= r->entries[i].summary.all.faults > 0;
    return some;
}

static bool has_passes(const sb_report *r) {
    bool some = false;
    for (size_t i = 0; i < r->n; i++) some |= r->entries[i].summary.all.n_pass_at > 0;
    return some;
}

/* Which counters some agent told, as bits as in sb_counters. */
static unsigned told_counters(const sb_report *r) {
    unsigned told = 0;
    for (size_t i = 0; i < r->n; i++) told |= r->entries[i].summary.all.spent.has;
    return told;
}

/* The chance that one of all attempts succeeds, and how many they are. */
static void add_pass(sb_table *t, const sb_tally *tally) {
    sb_out *cell = sb_table_cell(t);
    if (tally->n_pass_at)
        sb_putf(cell, "%.3f (k = %zu)", tally->pass_at[tally->n_pass_at - 1], tally->n_pass_at);
    else
        sb_puts(cell, "-");
}

/* Writes a counter. Whole numbers are small enough to be written out. Counts that some replies leave out are not 0. */
static void add_counter(sb_table *t, const sb_tally *tally, sb_counter counter) {
    sb_out *cell = sb_table_cell(t);
    if (!(tally->spent.has & 1u << counter)) {
        sb_puts(cell, "-");
        return;
    }
    if (tally->partly >> counter & 1) sb_puts(cell, "at least ");
    sb_putf(cell, counter <= SB_TOKENS_OUT ? "%.0f" : "%.6g", tally->spent.value[counter]);
}

static void add_solvable(sb_table *t, const sb_tally *tally) {
    if (tally->can_be_won)
        add_share(t, (double)tally->certified_successes / (double)tally->can_be_won);
    else
        sb_table_add(t, "-");
}

/* Which columns the table of scores has besides those that all results fill. */
typedef struct score_columns {
    size_t n_scores; /* number of scores over the whole family */
    bool scored, faults, passes;
    unsigned told; /* which counters are told, as bits */
} score_columns;

static const char *const always[] = {"agent", "episodes", "lost", "success"};

static size_t count_columns(const score_columns *c) {
    size_t n = sizeof always / sizeof *always + c->n_scores + (c->n_scores > 0);
    n += (size_t)c->scored + (size_t)c->faults + (size_t)c->passes;
    for (int i = 0; i < SB_COUNTERS; i++) n += c->told >> i & 1;
    return n;
}

static void add_score_heads(sb_table *t, const score_columns *c) {
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) sb_table_add(t, always[i]);
    for (size_t kind = 0; kind < c->n_scores; kind++) sb_table_add(t, sb_score_names[kind]);
    if (c->n_scores) sb_table_add(t, "success of solvable");
    if (c->scored) sb_table_add(t, "mean score");
    if (c->faults) sb_table_add(t, "by a fault");
    if (c->passes) sb_table_add(t, "pass@k");
    for (int i = 0; i < SB_COUNTERS; i++)
        if (c->told & 1u << i) sb_table_add(t, sb_counter_titles[i]);
}

static void add_score_row(sb_table *t, const score_columns *c, const sb_report_entry *entry) {
    const sb_tally *all = &entry->summary.all;
    sb_table_add(t, entry->results.agent);
    sb_putf(sb_table_cell(t), "%zu", all->episodes);
    sb_putf(sb_table_cell(t), "%zu", all->failures);
    add_rate(t, all, true);
    for (size_t kind = 0; kind < c->n_scores; kind++) add_score(t, &entry->summary.scores[kind]);
    if (c->n_scores) add_solvable(t, all);
    if (c->scored) add_mean_score(t, all, true);
    if (c->faults) sb_putf(sb_table_cell(t), "%zu", all->faults);
    if (c->passes) add_pass(t, all);
    for (int i = 0; i < SB_COUNTERS; i++)
        if (c->told & 1u << i) add_counter(t, all, (sb_counter)i);
}

static void fill_scores(const sb_report *r, sb_table *t) {
    const score_columns c = {.n_scores = only_tests(r) ? 0 : SB_N_SCORES,
                             .scored = has_scored(r),
                             .faults = has_faults(r),
                             .passes = has_passes(r),
                             .told = told_counters(r)};
    *t = sb_table_of("Scores", count_columns(&c), 1);
    note_scores(r, t);
    add_score_heads(t, &c);
    for (size_t i = 0; i < r->n; i++) add_score_row(t, &c, &r->entries[i]);
}

/* What scores by efficiency are called in this report; NULL: nothing is measured. */
static const char *measured(const sb_report *r) { return sb_report_efficiency_name(r); }

static void add_percent(sb_table *t, const sb_efficiency *e, bool interval) {
    sb_out *cell = sb_table_cell(t);
    if (!e || !e->episodes)
        sb_puts(cell, "-");
    else
        sb_putf(cell, "%.2f", e->score);
    if (e && e->episodes && interval) sb_putf(cell, " (%.2f..%.2f)", e->interval.lower, e->interval.upper);
}

static void add_efficiency(sb_table *t, const sb_efficiency *e) {
    add_percent(t, e, true);
    if (!e->episodes) {
        for (size_t i = 0; i < 5 + SB_EFFICIENCY_STOPS; i++) sb_table_add(t, "-");
        return;
    }
    sb_putf(sb_table_cell(t), "%llu of %llu", (unsigned long long)e->levels_completed, (unsigned long long)e->levels);
    sb_putf(sb_table_cell(t), "%llu", (unsigned long long)e->actions);
    if (e->levels_completed)
        sb_putf(sb_table_cell(t), "%.2f", (double)e->solving_actions / (double)e->levels_completed);
    else
        sb_table_add(t, "-");
    sb_putf(sb_table_cell(t), "%llu", (unsigned long long)e->resets);
    sb_putf(sb_table_cell(t), "%.2f", e->matched);
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) sb_putf(sb_table_cell(t), "%.2f", e->stopped[i]);
}

static const char efficiency_note[] =
    "%s: percent, the mean over episodes, with 95 %% bootstrap intervals; baselines are made from the oracle's steps, "
    "not from plays of people, so it is not comparable with published scores, but with those of oracles and random "
    "actions on the same episodes; at the baselines' pace: the score of who takes exactly the baseline on every level, "
    "with as many actions; after x: the score if every play had ended after x times its baselines";

static const char human_note[] =
    "rhae: percent, the mean over episodes, with 95 %% bootstrap intervals; baselines are the upper medians of "
    "people's "
    "first plays, by level, of %zu or more; episodes with fewer have no score (%zu of all results); at the baselines' "
    "pace: the score of who takes exactly the baseline on every level, with as many actions; after x: the score if "
    "every play had ended after x times its baselines";

static void note_efficiency(const sb_report *r, sb_table *t) {
    if (r->options->humans)
        snprintf(t->note, sizeof t->note, human_note, r->humans.least, r->unscored);
    else
        snprintf(t->note, sizeof t->note, efficiency_note, measured(r));
}

/* Fills the table of efficiency, which families have that measure it. */
static void fill_efficiency(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"levels", "actions", "on a completed level", "resets",
                                          "at the baselines' pace"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    *t = sb_table_of("Efficiency", 2 + COLUMNS + SB_EFFICIENCY_STOPS, 1);
    if (!measured(r)) return;
    note_efficiency(r, t);
    sb_table_add(t, "agent");
    sb_table_add(t, measured(r));
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(t, columns[i]);
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) sb_putf(sb_table_cell(t), "after %g", sb_efficiency_stops[i]);
    for (size_t i = 0; i < r->n; i++) {
        sb_table_add(t, r->entries[i].results.agent);
        add_efficiency(t, &r->entries[i].summary.all.efficiency);
    }
}

static const char tests_note[] =
    "score: the mean, for the test `all` the mean of the kinds' means, in brackets with 95 % bootstrap intervals; "
    "corrected: (score - chance) / (1 - chance), where the "
    "answer can be guessed; ends at 0: detection by the formula that gives nothing for an answer that comes too late; "
    "interaction steps: with the one that begins the test; "
    "perplexity: of the actions before the test, normalised, in windows of 20, the area under its curve; the last "
    "column: shares of the different actions";

static void add_test(sb_table *t, const sb_test_scores *s) {
    sb_table_add(t, sb_test_group(s, "all"));
    sb_putf(sb_table_cell(t), "%zu", s->episodes);
    add_mean(t, s->episodes, s->mean, &s->interval, 4);
    add_mean(t, s->kind->chance > 0, s->corrected, &s->corrected_interval, 4);
    add_mean(t, s->kind->detects, s->zero, &s->zero_interval, 4);
    if (s->kind->detects)
        sb_putf(sb_table_cell(t), "%zu/%zu", s->submitted, s->changed);
    else
        sb_table_add(t, "-");
    sb_putf(sb_table_cell(t), "%.1f", s->interaction);
    add_share(t, s->exploration.area);
    sb_putf(sb_table_cell(t), "%.3f %.3f %.3f %.3f", s->exploration.shares[SB_ACT_CLICK],
            s->exploration.shares[SB_ACT_KEY], s->exploration.shares[SB_ACT_NOOP], s->exploration.shares[SB_ACT_RESET]);
}

static bool has_tests(const sb_report *r) {
    size_t i = 0;
    while (i < r->n && !r->entries[i].summary.n_tests) i++;
    return i < r->n;
}

/* Results with tests have this table: for each kind, and over all kinds, all tests, then those of each category, and
 * those whose steps draw or do not. */
static void fill_tests(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"agent",
                                          "test",
                                          "category",
                                          "episodes",
                                          "score",
                                          "corrected",
                                          "ends at 0",
                                          "submitted/changed",
                                          "interaction steps",
                                          "perplexity",
                                          "clicks keys noop reset"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    *t = sb_table_of("Tests", COLUMNS, 3);
    if (!has_tests(r)) return;
    snprintf(t->note, sizeof t->note, "%s", tests_note);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(t, columns[i]);
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->entries[i].summary.n_tests; k++) {
            sb_table_add(t, r->entries[i].results.agent);
            sb_table_add(t, r->entries[i].summary.tests[k].kind->name);
            add_test(t, &r->entries[i].summary.tests[k]);
        }
}

static void add_count(const sb_report_entry *entry, sb_table *t) {
    if (entry->checked.n_selected)
        sb_putf(sb_table_cell(t), "%zu of %zu", entry->results.n, entry->checked.n_selected);
    else
        sb_putf(sb_table_cell(t), "%zu", entry->results.n);
}

/* Normalised scores are computed anew, so they may differ from those in the files; the note says so. */
static void note_baselines(const sb_report *r, sb_table *t) {
    char label[SB_BASELINE_LABEL];
    bool others = false;
    sb_baseline_label(r->baseline.frozen, r->baseline.hash, label);
    for (size_t i = 0; i < r->n; i++) others |= strcmp(r->entries[i].checked.baseline, label) != 0;
    if (others)
        snprintf(t->note, sizeof t->note,
                 "not all results were made with baseline %s: their normalised scores in this report differ from those "
                 "in their files",
                 label);
}

/* Lists which episodes each result has, and how far it was checked. */
static void fill_results(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"agent", "of the selection", "episodes", "made with baseline", "checked"};
    *t = sb_table_of("Results", 5, 5);
    note_baselines(r, t);
    for (size_t i = 0; i < t->columns; i++) sb_table_add(t, columns[i]);
    for (size_t i = 0; i < r->n; i++) {
        const sb_report_entry *entry = &r->entries[i];
        char words[SB_CHECKED_WORDS];
        sb_result_checked_print(&entry->checked, words);
        sb_table_add(t, entry->results.agent);
        sb_table_add(t, entry->checked.selected);
        add_count(entry, t);
        sb_table_add(t, entry->checked.baseline);
        sb_table_add(t, words);
    }
}

enum { ABOUT_ROWS = 60, ABOUT_CHARACTERS = 200 /* of each result, and of a value */ };

/* Adds a text that came from a file: in one line, without invisible characters, and not too long. */
static void add_plain(sb_table *t, const char *text) {
    char plain[ABOUT_CHARACTERS];
    sb_table_add(t, sb_copy_plain(plain, sizeof plain, text));
}

/* A plugin says itself what it sees. */
static void add_sight(sb_table *t, const sb_results *results) {
    const bool privileged = results->sees == SB_PLUGIN_EVERYTHING;
    sb_table_add(t, results->agent);
    sb_table_add(t, "sees");
    sb_putf(sb_table_cell(t), "%s (%s" SB_PLUGIN_STANDING ")", sb_plugin_kinds[results->sees],
            privileged ? "privileged; " : "");
}

/* A setting that is called like a measurement, as agents of version 0.2 tell `unreadable`, is told apart from it. */
static void add_setting(sb_table *t, const char *key) {
    char plain[ABOUT_CHARACTERS];
    sb_putf(sb_table_cell(t), "%s%s", sb_copy_plain(plain, sizeof plain, key),
            sb_is_measurement(key) ? " (a setting)" : "");
}

static void add_about(sb_table *t, const sb_results *results) {
    sb_error ignored;
    const cJSON *item;
    size_t rows = 0;
    cJSON *about = sb_json_parse(results->about, strlen(results->about), &ignored);
    cJSON_ArrayForEach(item, about) {
        if (rows++ == ABOUT_ROWS) break;
        char *text = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);
        sb_table_add(t, results->agent);
        add_setting(t, item->string);
        add_plain(t, cJSON_IsString(item) ? item->valuestring : text ? text : "");
        cJSON_free(text);
    }
    cJSON_Delete(about);
}

/* Lists what is told about the agents. */
static void fill_about(const sb_report *r, sb_table *t) {
    bool some = false;
    *t = sb_table_of("What is told about the agents", 3, 3);
    for (size_t i = 0; i < r->n; i++) {
        const sb_results *results = &r->entries[i].results;
        if (!results->about && !results->sees) continue;
        if (!some) sb_table_add(t, "agent"), sb_table_add(t, "what"), sb_table_add(t, "value");
        some = true;
        if (results->sees) add_sight(t, results);
        if (results->about) add_about(t, results);
    }
}

static const sb_tally *tally_of(const sb_group *groups, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(groups[i].name, name) == 0) return &groups[i].tally;
    return NULL;
}

static const sb_tally *group_tally(const sb_summary *s, const char *name, bool category) {
    return category ? tally_of(s->categories, s->n_categories, name)
                    : tally_of(s->difficulties, s->n_difficulties, name);
}

/* One row per category or difficulty, one column per result. */
static void fill_categories(const sb_report *r, sb_table *t) {
    const char *names[SB_CATEGORIES + SB_REPORT_DIFFICULTIES];
    const size_t n = sb_report_categories(r->options->catalogue, r->family, names);
    const size_t n_names = n + sb_report_difficulties(r, names + n);
    *t = sb_table_of("Success by category and difficulty", 1 + r->n, 1);
    snprintf(t->note, sizeof t->note, "in brackets Wilson's 95 %% intervals");
    sb_table_add(t, "episodes of");
    for (size_t i = 0; i < r->n; i++) sb_table_add(t, r->entries[i].results.agent);
    for (size_t k = 0; k < n_names; k++) {
        const char *name = names[k];
        bool played = false;
        for (size_t i = 0; i < r->n; i++) played |= group_tally(&r->entries[i].summary, name, k < n) != NULL;
        if (played) sb_table_add(t, name);
        for (size_t i = 0; i < r->n && played; i++) add_rate(t, group_tally(&r->entries[i].summary, name, k < n), true);
    }
}

static const sb_tally *pair_tally(const sb_summary *s, const sb_task_info *task, const char *difficulty) {
    for (size_t i = 0; i < s->n_pairs; i++)
        if (s->pairs[i].task == task && strcmp(s->pairs[i].difficulty, difficulty) == 0) return &s->pairs[i].tally;
    return NULL;
}

static void fill_task(const sb_report *r, const sb_task_info *task, const char *difficulty, sb_table *t) {
    const bool scored = has_scored(r);
    bool played = false;
    for (size_t i = 0; i < r->n; i++) played |= pair_tally(&r->entries[i].summary, task, difficulty) != NULL;
    if (!played) return;
    sb_table_add(t, task->name);
    sb_table_add(t, difficulty);
    for (size_t i = 0; i < r->n; i++) {
        const sb_tally *tally = pair_tally(&r->entries[i].summary, task, difficulty);
        add_rate(t, tally, false);
        if (scored) add_mean_score(t, tally, false);
        if (measured(r)) add_percent(t, tally ? &tally->efficiency : NULL, false);
        if (tally)
            sb_putf(sb_table_cell(t), "%.3f", tally->mean_return);
        else
            sb_table_add(t, "-");
    }
}

static void fill_tasks(const sb_report *r, sb_table *t) {
    const sb_family *family = r->family;
    const bool scored = has_scored(r);
    const sb_task_info *task;
    *t = sb_table_of("Success and mean return by task", 2 + (2 + (size_t)scored + (measured(r) != NULL)) * r->n, 2);
    sb_table_add(t, "task");
    sb_table_add(t, "difficulty");
    for (size_t i = 0; i < r->n; i++) {
        sb_table_add(t, r->entries[i].results.agent);
        if (scored) sb_table_add(t, "score");
        if (measured(r)) sb_table_add(t, measured(r));
        sb_table_add(t, "return");
    }
    for (size_t i = 0; (task = sb_task_at(r->options->catalogue, family, i)); i++) {
        const sb_difficulties of = sb_difficulties_of(family, task);
        for (size_t k = 0; k < of.n; k++) fill_task(r, task, of.names[k], t);
    }
}

static double part_score(const sb_total *total, const char *category) {
    for (size_t i = 0; i < total->n_parts; i++)
        if (strcmp(total->parts[i].category, category) == 0) return total->parts[i].score;
    return 0;
}

static void add_parts(sb_table *t, const sb_total *total, const char *const *names, size_t n) {
    sb_putf(sb_table_cell(t), "%.4f", total->score);
    sb_putf(sb_table_cell(t), "%.3f..%.3f", total->interval.lower, total->interval.upper);
    for (size_t k = 0; k < n; k++) add_share(t, part_score(total, names[k]));
}

static void add_published(sb_table *t, const sb_published_agent *agent, const char *const *names, size_t n) {
    sb_table_add(t, agent->name);
    sb_table_add(t, agent->harness);
    sb_table_add(t, agent->observation);
    sb_table_add(t, agent->date);
    if (agent->complete) {
        add_parts(t, &agent->total, names, n);
        return;
    }
    sb_putf(sb_table_cell(t), "%zu pairs", agent->n_pairs);
    for (size_t k = 0; k < n + 1; k++) sb_table_add(t, "-");
}

static const char published_note[] =
    "the agents with a date were published with an older release of the benchmark; their scores are computed anew from "
    "their published success rates";

/* The leaderboard: merges the complete results of this report into the published ones, which are sorted. */
static void fill_published(const sb_report *r, sb_table *t) {
    const char *names[SB_CATEGORIES];
    const size_t n = sb_report_categories(NULL, r->family, names);
    *t = sb_table_of("Leaderboard", 6 + n, 4);
    if (!r->published.n) return;
    snprintf(t->note, sizeof t->note, "%s", published_note);
    static const char *const columns[] = {"agent", "harness", "observation", "date", "leaderboard", "interval"};
    for (size_t i = 0; i < 6; i++) sb_table_add(t, columns[i]);
    for (size_t k = 0; k < n; k++) sb_table_add(t, names[k]);
    for (size_t i = 0; i < r->n; i++) {
        const sb_score *score = &r->entries[i].summary.scores[SB_SCORE_LEADERBOARD];
        if (!score->known) continue;
        sb_table_add(t, r->entries[i].results.agent);
        sb_putf(sb_table_cell(t), "this report%s%s", r->entries[i].checked.standing ? ": " : "",
                sb_standing_names[r->entries[i].checked.standing]);
        sb_table_add(t, ""), sb_table_add(t, "");
        add_parts(t, &score->total, names, n);
    }
    for (size_t i = 0; i < r->published.n; i++) add_published(t, &r->published.agents[i], names, n);
}

void sb_report_table(const sb_report *report, int which, sb_table *table) {
    static void (*const fill[SB_REPORT_TABLES])(const sb_report *,
                                                sb_table *) = {[SB_REPORT_SCORES] = fill_scores,
                                                               [SB_REPORT_BUDGET] = sb_report_fill_budget,
                                                               [SB_REPORT_EFFICIENCY] = fill_efficiency,
                                                               [SB_REPORT_EXPERT] = sb_report_fill_expert,
                                                               [SB_REPORT_RUNS] = sb_report_fill_runs,
                                                               [SB_REPORT_DIFFERENCES] = sb_report_fill_differences,
                                                               [SB_REPORT_TESTS] = fill_tests,
                                                               [SB_REPORT_PEOPLE] = sb_report_fill_people,
                                                               [SB_REPORT_PEOPLE_TESTS] = sb_report_fill_people_tests,
                                                               [SB_REPORT_RESULTS] = fill_results,
                                                               [SB_REPORT_ABOUT] = fill_about,
                                                               [SB_REPORT_CATEGORIES] = fill_categories,
                                                               [SB_REPORT_FAILING] = sb_report_fill_failing,
                                                               [SB_REPORT_CORRELATIONS] = sb_report_fill_correlations,
                                                               [SB_REPORT_BINS] = sb_report_fill_bins,
                                                               [SB_REPORT_MODEL] = sb_report_fill_model,
                                                               [SB_REPORT_SURPRISES] = sb_report_fill_surprises,
                                                               [SB_REPORT_TASKS] = fill_tasks,
                                                               [SB_REPORT_MARKS] = sb_report_fill_marks,
                                                               [SB_REPORT_PUBLISHED] = fill_published,
                                                               [SB_REPORT_ONS] = sb_report_fill_ons,
                                                               [SB_REPORT_ONS_TASKS] = sb_report_fill_ons_tasks,
                                                               [SB_REPORT_ELSEWHERE] = sb_report_fill_elsewhere};
    fill[which](report, table);
}
