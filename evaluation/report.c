#include "evaluation/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

/* ---- Opening ---- */

static bool choose_family(sb_report *r, sb_error *error) {
    r->family = r->options->family;
    if (!r->family) r->family = sb_family_find(r->entries[0].results.episodes[0].tape.name.family, error);
    return r->family;
}

static bool is_part(const char *name, const char *part, size_t n) {
    for (; *name; name++)
        if (strncmp(name, part, n) == 0) return true;
    return false;
}

/* Whether one of the parts, separated by commas, occurs in the name. */
static bool is_wanted(const char *name, const char *parts) {
    while (*parts) {
        const size_t n = strcspn(parts, ",");
        if (n && is_part(name, parts, n)) return true;
        parts += n + (parts[n] == ',');
    }
    return false;
}

static bool load_published(sb_report *r, sb_error *error) {
    const char *wanted = r->options->published ? r->options->published : "all";
    size_t kept = 0;
    if (!sb_published_load(&r->published, r->family, error)) return false;
    if (strcmp(wanted, "all") == 0) return true;
    for (size_t i = 0; i < r->published.n && strcmp(wanted, "none") != 0; i++)
        if (is_wanted(r->published.agents[i].name, wanted)) r->published.agents[kept++] = r->published.agents[i];
    r->published.n = kept;
    return kept || strcmp(wanted, "none") == 0 ||
           sb_fail(error, SB_UNKNOWN, "published: no agent has `%.60s` in its name", wanted);
}

static bool load_entry(sb_report *r, const char *path, sb_error *error) {
    sb_report_entry *entry = &r->entries[r->n];
    *entry = (sb_report_entry){0};
    r->n++;
    return sb_result_load(r->options->catalogue, path, &entry->results, error);
}

static bool summarise(sb_report *r, const char *const *paths, sb_error *error) {
    for (size_t i = 0; i < r->n; i++) {
        sb_report_entry *entry = &r->entries[i];
        if (!sb_has_family(&entry->results, r->family))
            return sb_fail(error, SB_INVALID, "%.100s holds no episode of the family %s", paths[i], r->family->name);
        if (!sb_summarise(&entry->results, r->family, &r->baseline, &entry->summary, error)) return false;
    }
    return true;
}

/* Checks the results. Episodes are replayed only on request, because that takes long. */
static bool check(sb_report *r, const char *const *paths, sb_error *error) {
    const sb_result_checking how = {.replay = r->options->verify, .baseline = &r->baseline};
    for (size_t i = 0; i < r->n; i++)
        if (!sb_result_check(&r->entries[i].results, &how, &r->entries[i].checked, error))
            return sb_fail_at(error, "%.100s", paths[i]);
    return true;
}

static int by_name(const void *a, const void *b) {
    return sb_compare_names(*(const sb_name *const *)a, *(const sb_name *const *)b);
}

/* Returns the sorted names of the family's episodes, which the caller frees; NULL after an error. */
static const sb_name **sorted_names(const sb_results *results, const sb_family *family, size_t *n, sb_error *error) {
    const sb_name **names = malloc((results->n + 1) * sizeof *names);
    *n = 0;
    if (!names) return sb_fail(error, SB_MEMORY, "out of memory for %zu names", results->n), NULL;
    for (size_t i = 0; i < results->n; i++) {
        const sb_name *name = &results->episodes[i].tape.name;
        if (strcmp(name->family, family->name) == 0) names[(*n)++] = name;
    }
    qsort((void *)names, *n, sizeof *names, by_name);
    return names;
}

/* Sets r->differ if two results do not have the same episodes; their order does not matter. */
static bool compare_episodes(sb_report *r, const sb_results *one, const sb_results *other, sb_error *error) {
    size_t n, n_other;
    const sb_name **names = sorted_names(one, r->family, &n, error);
    const sb_name **others = names ? sorted_names(other, r->family, &n_other, error) : NULL;
    if (others) r->differ |= n != n_other;
    for (size_t i = 0; others && !r->differ && i < n; i++) r->differ = sb_compare_names(names[i], others[i]) != 0;
    const bool ok = others;
    free((void *)names);
    free((void *)others);
    return ok;
}

static bool compare(sb_report *r, sb_error *error) {
    for (size_t i = 1; i < r->n && !r->differ; i++)
        if (!compare_episodes(r, &r->entries[0].results, &r->entries[i].results, error)) return false;
    return true;
}

static void add_file_name(sb_results *results, const char *path) {
    char both[2 * SB_AGENT_LABEL];
    const char *slash = strrchr(path, '/');
    snprintf(both, sizeof both, "%.*s (%s)", SB_AGENT_LABEL / 2, results->agent, slash ? slash + 1 : path);
    sb_copy_plain(results->agent, sizeof results->agent, both);
}

static bool have_other_salts(const sb_results *one, const sb_results *other) {
    return *one->salt && *other->salt && strcmp(one->salt, other->salt) != 0;
}

static void tell_apart(sb_report *r, const char *const *paths) {
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->entries[i].results.agent, r->entries[k].results.agent) == 0) {
                r->entries[i].namesake = r->entries[k].namesake = true;
                r->salts_differ |= have_other_salts(&r->entries[i].results, &r->entries[k].results);
            }
    for (size_t i = 0; i < r->n; i++)
        if (r->entries[i].namesake) add_file_name(&r->entries[i].results, paths[i]);
}

bool sb_report_open(sb_report *r, const sb_report_options *options, const char *const *paths, size_t n,
                    sb_error *error) {
    *r = (sb_report){.options = options, .entries = calloc(n + 1, sizeof *r->entries)};
    if (!r->entries) return sb_fail(error, SB_MEMORY, "out of memory for %zu results", n);
    for (size_t i = 0; i < n; i++)
        if (!load_entry(r, paths[i], error)) return false;
    tell_apart(r, paths);
    return choose_family(r, error) && sb_baseline_load(&r->baseline, options->baseline, error) &&
           load_published(r, error) && check(r, paths, error) && summarise(r, paths, error) && compare(r, error);
}

bool sb_report_all_right(const sb_report *r) {
    bool right = true;
    for (size_t i = 0; i < r->n; i++) right &= r->entries[i].checked.standing == SB_RESULT_RIGHT;
    return right;
}

void sb_report_close(sb_report *r) {
    for (size_t i = 0; i < r->n; i++) {
        sb_results_free(&r->entries[i].results);
        sb_summary_free(&r->entries[i].summary);
    }
    free(r->entries);
    sb_baseline_free(&r->baseline);
    sb_published_free(&r->published);
    *r = (sb_report){0};
}

/* ---- Tables ---- */

static void add_share(sb_table *t, double value) { sb_putf(sb_table_cell(t), "%.3f", value); }

static void add_score(sb_table *t, const sb_score *score) {
    sb_out *cell = sb_table_cell(t);
    if (!score->known)
        sb_puts(cell, "-");
    else
        sb_putf(cell, "%.4f (%.3f..%.3f)", score->total.score, score->total.interval.lower,
                score->total.interval.upper);
}

static const char scores_note[] =
    "success: of all episodes played; leaderboard and ons_pairs need every pair of task and difficulty; capability: "
    "over the tasks played; success of solvable: of the episodes that are certified solvable; in brackets 95 %% "
    "bootstrap intervals; a dash is not known; returns are normalised with baseline %s%s";

static void note_scores(const sb_report *r, sb_table *t) {
    char label[SB_BASELINE_LABEL];
    sb_baseline_label(r->baseline.frozen, r->baseline.hash, label);
    snprintf(t->note, sizeof t->note, scores_note, label,
             r->differ ? "; not all results are of the same episodes: compare with care" : "");
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
    add_mean(t, of->judged, of->success_rate, interval ? &of->success_interval : NULL, 3);
}

static void add_mean_score(sb_table *t, const sb_tally *tally, bool interval) {
    const sb_tally none = {0}, *of = tally ? tally : &none;
    add_mean(t, of->scored, of->mean_score, interval ? &of->score_interval : NULL, 4);
}

/* Whether any result has such episodes; if not, their columns are left out. */
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

static void fill_scores(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"agent",       "episodes",  "lost",       "success",
                                          "leaderboard", "ons_pairs", "capability", "success of solvable"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const bool scored = has_scored(r), faults = has_faults(r);
    *t = sb_table_of("Scores", COLUMNS + (size_t)scored + (size_t)faults, 1);
    note_scores(r, t);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(t, columns[i]);
    if (scored) sb_table_add(t, "mean score");
    if (faults) sb_table_add(t, "by a fault");
    for (size_t i = 0; i < r->n; i++) {
        const sb_tally *all = &r->entries[i].summary.all;
        sb_table_add(t, r->entries[i].results.agent);
        sb_putf(sb_table_cell(t), "%zu", all->episodes);
        sb_putf(sb_table_cell(t), "%zu", all->failures);
        add_rate(t, all, true);
        for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) add_score(t, &r->entries[i].summary.scores[kind]);
        if (all->can_be_won)
            add_share(t, (double)all->certified_successes / (double)all->can_be_won);
        else
            sb_table_add(t, "-");
        if (scored) add_mean_score(t, all, true);
        if (faults) sb_putf(sb_table_cell(t), "%zu", all->faults);
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

size_t sb_report_categories(const sb_catalogue *catalogue, const sb_family *family,
                            const char *categories[SB_CATEGORIES]) {
    const sb_task_info *task;
    size_t n = 0;
    for (size_t i = 0; n < SB_CATEGORIES && (task = sb_task_at(catalogue, family, i)); i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++) known |= strcmp(categories[k], task->category) == 0;
        if (!known) categories[n++] = task->category;
    }
    return n;
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
    const char *names[SB_CATEGORIES + SB_DIFFICULTIES_MAX];
    const size_t n = sb_report_categories(r->options->catalogue, r->family, names);
    const size_t n_names = n + sb_named_difficulties(r->family, names + n);
    *t = sb_table_of("Success by category and difficulty", 1 + r->n, 1);
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
    *t = sb_table_of("Success and mean return by task", 2 + (scored ? 3 : 2) * r->n, 2);
    sb_table_add(t, "task");
    sb_table_add(t, "difficulty");
    for (size_t i = 0; i < r->n; i++) {
        sb_table_add(t, r->entries[i].results.agent);
        if (scored) sb_table_add(t, "score");
        sb_table_add(t, "return");
    }
    for (size_t i = 0; (task = sb_task_at(r->options->catalogue, family, i)); i++) {
        for (size_t k = 0; k < family->n_difficulties; k++) fill_task(r, task, family->difficulties[k], t);
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
    static void (*const fill[SB_REPORT_TABLES])(const sb_report *, sb_table *) = {
        fill_scores, fill_results, fill_categories, fill_tasks, fill_published};
    fill[which](report, table);
}

/* ---- Printing ---- */

static void print_table(const sb_table *table, sb_report_form form, bool first, sb_out *out) {
    if (form == SB_REPORT_JSON) {
        sb_put_comma(out);
        sb_table_print_json(table, out);
    } else if (form == SB_REPORT_MARKDOWN) {
        sb_table_print_markdown(table, out);
    } else {
        if (!first) sb_putc(out, '\n');
        sb_table_print_text(table, out);
    }
}

static void print_missing(const sb_report *r, sb_out *out) {
    for (size_t i = 0; i < r->n; i++)
        for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
            const sb_score *score = &r->entries[i].summary.scores[kind];
            if (!score->known)
                sb_putf(out, "%s%s of %s: %s\n", i || kind ? "" : "\n", sb_score_names[kind],
                        r->entries[i].results.agent, score->missing);
        }
}

static void print_salts(const sb_report *r, sb_out *out) {
    if (r->salts_differ)
        sb_puts(out, "results of the same name have different salts, so they are separate runs, not parts of one\n");
}

static void print_other_families(const sb_report *r, sb_out *out) {
    for (const sb_family *const *family = sb_families; *family; family++) {
        bool played = false;
        for (size_t i = 0; i < r->n; i++) played |= sb_has_family(&r->entries[i].results, *family);
        if (played && *family != r->family)
            sb_putf(out, "not shown: episodes of %s (--family %s)\n", (*family)->name, (*family)->name);
    }
}

bool sb_report_print(const sb_report *report, sb_report_form form, sb_out *out, sb_error *error) {
    if (form == SB_REPORT_HTML) return sb_report_page(report, out, error);
    bool ok = true;
    if (form == SB_REPORT_JSON) sb_puts(out, "[");
    for (int which = 0; which < SB_REPORT_TABLES && ok; which++) {
        sb_table table;
        sb_report_table(report, which, &table);
        ok = sb_out_ok(&table.text);
        if (ok && table.cells) print_table(&table, form, which == 0, out);
        sb_table_free(&table);
    }
    if (form == SB_REPORT_JSON) sb_puts(out, "]\n");
    if (form == SB_REPORT_TEXT) print_missing(report, out), print_salts(report, out), print_other_families(report, out);
    return (ok && sb_out_ok(out)) || sb_fail(error, SB_MEMORY, "out of memory for the report");
}
