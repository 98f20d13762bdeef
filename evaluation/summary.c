#include "evaluation/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "seeds/official.h"

const char *const sb_score_names[SB_N_SCORES] = {"leaderboard", "ons_pairs", "capability"};

/* ---- Choosing episodes ---- */

/* Which episodes count; NULL: any. */
typedef struct filter {
    const sb_task_info *task;
    const char *category, *difficulty;
    const sb_test_kind *kind; /* the kind of tests; sb_all_tests: any kind; NULL: not only tests */
    const char *dynamics;     /* the dynamics of tests */
} filter;

/* The episodes of the family, the task of each, and memory for a number for each. */
typedef struct view {
    const sb_results *results;
    const sb_baseline *baseline;
    const sb_family *family;
    const sb_bootstrap *bootstrap;
    const sb_task_info **tasks; /* NULL for episodes of other families */
    const sb_played **chosen;   /* the episodes that pass the filter */
    size_t n;
    double *values;
    double *pooled; /* room for values of several kinds, one after another */
} view;

static bool same(const char *wanted, const char *is) { return !wanted || strcmp(wanted, is) == 0; }

static bool is_test(const view *v, const sb_played *played, size_t i, const filter *f) {
    const sb_test_kind *kind = played->tape.test.kind;
    if (!f->kind) return true;
    return kind && (f->kind == kind || f->kind == &sb_all_tests) &&
           same(f->dynamics, sb_dynamics_names[v->family->tests->draws(v->tasks[i])]);
}

static void choose(view *v, const filter *f) {
    v->n = 0;
    for (size_t i = 0; i < v->results->n; i++) {
        const sb_played *played = &v->results->episodes[i];
        if (v->tasks[i] && (!f->task || f->task == v->tasks[i]) && same(f->category, v->tasks[i]->category) &&
            same(f->difficulty, played->tape.name.difficulty) && is_test(v, played, i, f))
            v->chosen[v->n++] = played;
    }
}

/* Finds the task of an episode; NULL for those of other families. Most have the task of the episode before. */
static const sb_task_info *task_of(const sb_catalogue *catalogue, const sb_family *family, const sb_name *name,
                                   const sb_task_info *before) {
    const sb_task_info *task;
    if (strcmp(name->family, family->name) != 0) return NULL;
    if (before && strcmp(before->name, name->task) == 0) return before;
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++)
        if (strcmp(task->name, name->task) == 0) return task;
    return NULL;
}

/* ---- Tallies ---- */

static double total_of(const sb_played *p) { return p->tape.outcome.total; }
static double dense_of(const sb_played *p) { return p->tape.outcome.dense_total; }
static double steps_of(const sb_played *p) { return (double)p->tape.n; }
static double success_of(const sb_played *p) { return sb_won(p); }
static double score_of(const sb_played *p) { return p->tape.outcome.score; }
static double efficiency_of(const sb_played *p) { return sb_effort_score(&p->tape.effort); }
static bool is_measured(const sb_played *p) { return p->tape.effort.n_levels > 0; }
static bool is_any(const sb_played *p) { return p->done; }
static bool is_scored(const sb_played *p) { return sb_has_score(p->tape.criterion); }

static const double *values_of(view *v, double (*value)(const sb_played *)) {
    for (size_t i = 0; i < v->n; i++) v->values[i] = value(v->chosen[i]);
    return v->values;
}

/* Collects the values of the wanted episodes; returns how many there are. */
static size_t values_where(view *v, bool (*wanted)(const sb_played *), double (*value)(const sb_played *)) {
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++)
        if (wanted(v->chosen[i])) v->values[n++] = value(v->chosen[i]);
    return n;
}

/* Replaces the collected values of the wanted episodes by their means over the attempts at one episode; returns how
 * many there are. */
static size_t fold_attempts(view *v, bool (*wanted)(const sb_played *)) {
    size_t n = 0, at = 0, attempts = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (!wanted(v->chosen[i])) continue;
        if (v->chosen[i]->attempt <= 1) attempts = 0;
        const double value = v->values[at++];
        if (attempts++ == 0)
            v->values[n++] = value;
        else
            v->values[n - 1] += (value - v->values[n - 1]) / (double)attempts;
    }
    return n;
}

/* Computes the mean over the wanted episodes and its interval. */
static bool average(view *v, bool (*wanted)(const sb_played *), double (*value)(const sb_played *), size_t *n,
                    double *mean, sb_interval *interval, sb_error *error) {
    *n = values_where(v, wanted, value);
    *mean = sb_mean(v->values, *n);
    return sb_bootstrap_interval(v->bootstrap, v->values, fold_attempts(v, wanted), interval, error);
}

/* Counts the wanted episodes, each once with all its attempts. */
static size_t count_once(const view *v, bool (*wanted)(const sb_played *)) {
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) n += v->chosen[i]->attempt <= 1 && wanted(v->chosen[i]);
    return n;
}

/* Attempts at one episode are not independent, so they are one trial. */
static bool average_success(view *v, sb_tally *tally, sb_error *error) {
    if (!average(v, sb_is_judged, success_of, &tally->judged, &tally->success_rate, &tally->success_interval, error))
        return false;
    tally->success_wilson = sb_wilson(tally->success_rate, count_once(v, sb_is_judged));
    return true;
}

/* Collects the estimates of pass@k of the episodes that have at least k attempts; returns how many there are. */
static size_t estimates_at(view *v, size_t k) {
    size_t n = 0;
    for (size_t i = 0, end; i < v->n; i = end) {
        size_t won = 0;
        for (end = i; end < v->n && (end == i || v->chosen[end]->attempt > 1); end++) won += sb_won(v->chosen[end]);
        if (end - i >= k && sb_is_judged(v->chosen[i])) v->values[n++] = sb_pass_at(end - i, won, k);
    }
    return n;
}

static void estimate_passes(view *v, sb_tally *tally) {
    const size_t attempts = sb_plays_attempts(&v->results->plays);
    for (size_t k = 1; attempts > 1 && k <= attempts; k++) {
        const size_t n = estimates_at(v, k);
        if (n == 0) return;
        tally->pass_at[tally->n_pass_at++] = sb_mean(v->values, n);
    }
}

static void count(const view *v, sb_tally *tally) {
    tally->episodes = v->n;
    for (size_t i = 0; i < v->n; i++) {
        const sb_played *played = v->chosen[i];
        tally->successes += sb_won(played);
        tally->failures += played->failure.kind != SB_NO_FAILURE;
        tally->faults += played->tape.outcome.fault;
        sb_counters_add(&tally->spent, &played->spent);
        tally->partly |= sb_partly_told(played);
        tally->can_be_won += played->winnable == SB_CAN_BE_WON;
        tally->cannot_be_won += played->winnable == SB_CANNOT_BE_WON;
        tally->certified_successes += played->winnable == SB_CAN_BE_WON && sb_won(played);
    }
}

static bool tally_efficiency(view *v, sb_efficiency *e, sb_error *error) {
    for (size_t i = 0; i < v->n; i++)
        if (is_measured(v->chosen[i])) sb_efficiency_add(e, &v->chosen[i]->tape.effort);
    if (!e->episodes) return true;
    e->name = v->family->efficiency->score;
    e->matched /= (double)e->episodes;
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) e->stopped[i] /= (double)e->episodes;
    return average(v, is_measured, efficiency_of, &e->episodes, &e->score, &e->interval, error);
}

static bool tally_chosen(view *v, sb_tally *tally, sb_error *error) {
    *tally = (sb_tally){0};
    count(v, tally);
    tally->mean_return = sb_mean(values_of(v, total_of), v->n);
    tally->return_deviation = sb_deviation(v->values, v->n);
    tally->mean_dense_return = sb_mean(values_of(v, dense_of), v->n);
    tally->mean_steps = sb_mean(values_of(v, steps_of), v->n);
    tally->mean_success_steps = sb_mean(v->values, values_where(v, sb_won, steps_of));
    estimate_passes(v, tally);
    return average_success(v, tally, error) &&
           average(v, is_scored, score_of, &tally->scored, &tally->mean_score, &tally->score_interval, error) &&
           tally_efficiency(v, &tally->efficiency, error);
}

static bool add_group(view *v, const filter *f, const char *name, sb_group *groups, size_t *n, sb_error *error) {
    choose(v, f);
    if (v->n == 0) return true;
    groups[*n].name = name;
    return tally_chosen(v, &groups[(*n)++].tally, error);
}

static const sb_task_info *task_at(const view *v, size_t index) {
    return sb_task_at(v->results->catalogue, v->family, index);
}

static bool is_first_of_category(const view *v, size_t task) {
    for (size_t i = 0; i < task; i++)
        if (strcmp(task_at(v, i)->category, task_at(v, task)->category) == 0) return false;
    return true;
}

static bool is_tallied(const sb_summary *s, const char *difficulty) {
    for (size_t i = 0; i < s->n_difficulties; i++) {
        const char *name = s->difficulties[i].name;
        if (name && strcmp(name, difficulty) == 0) return true;
    }
    return false;
}

/* Tasks that users bring may have difficulties of their own. */
static bool tally_difficulties(view *v, sb_summary *s, const sb_difficulties *of, sb_error *error) {
    for (size_t i = 0; i < of->n; i++)
        if (*of->names[i] && !is_tallied(s, of->names[i]) &&
            !add_group(v, &(filter){.difficulty = of->names[i]}, of->names[i], s->difficulties, &s->n_difficulties,
                       error))
            return false;
    return true;
}

static bool tally_groups(view *v, sb_summary *s, sb_error *error) {
    const sb_task_info *task;
    for (size_t i = 0; (task = task_at(v, i)); i++)
        if (is_first_of_category(v, i) && !add_group(v, &(filter){.category = task->category}, task->category,
                                                     s->categories, &s->n_categories, error))
            return false;
    if (!tally_difficulties(v, s, &(sb_difficulties){.names = v->family->difficulties, .n = v->family->n_difficulties},
                            error))
        return false;
    for (size_t i = v->family->n_tasks; (task = task_at(v, i)); i++) {
        const sb_difficulties own = sb_difficulties_of(v->family, task);
        if (!tally_difficulties(v, s, &own, error)) return false;
    }
    choose(v, &(filter){0});
    return tally_chosen(v, &s->all, error);
}

/* ---- Tests ---- */

static double interaction_of(const sb_played *p) { return p->tape.test.interaction; }
static double zero_of(const sb_played *p) { return p->tape.test.score_zero; }

static bool measure_exploration(const view *v, sb_exploration_means *means, sb_error *error) {
    const uint64_t frames = v->results->older_tests ? 0 : v->results->frames;
    for (size_t i = 0; i < v->n; i++) {
        sb_exploration measures;
        bool known;
        if (!sb_explore_tape(&v->chosen[i]->tape, frames, SB_EXPLORATION_WINDOW, &measures, &known, error))
            return false;
        sb_add_to_means(means, &measures);
    }
    return sb_finish_means(means), true;
}

/* The kinds of tests that were played. */
typedef struct test_kinds {
    const sb_test_kind *list[SB_TEST_KINDS];
    size_t n;
} test_kinds;

static bool average_kind(view *v, sb_test_scores *t, sb_error *error) {
    size_t n;
    if (!average(v, is_any, score_of, &n, &t->mean, &t->interval, error) ||
        !average(v, is_any, zero_of, &n, &t->zero, &t->zero_interval, error))
        return false;
    return sb_correct_for_chance(t), true;
}

/* The mean of the kinds' means. Kinds are few, so the interval does not sample them, but the episodes of each. */
static bool average_kinds(view *v, const test_kinds *kinds, const filter *f, sb_test_scores *t, sb_error *error) {
    sb_strata strata = {0};
    double means[SB_TEST_KINDS];
    size_t n = 0;
    for (size_t i = 0; i < kinds->n; i++) {
        filter of_kind = *f;
        of_kind.kind = kinds->list[i];
        choose(v, &of_kind);
        if (v->n == 0) continue;
        means[strata.n] = sb_mean(v->values, values_where(v, is_any, score_of));
        const size_t size = strata.sizes[strata.n++] = fold_attempts(v, is_any);
        memcpy(v->pooled + n, v->values, size * sizeof *v->values);
        n += size;
    }
    t->mean = sb_mean(means, strata.n);
    return sb_bootstrap_strata(v->bootstrap, v->pooled, &strata, &t->interval, error);
}

/* Adds the scores of the tests that pass the filter, if there are any. */
static bool add_test(view *v, sb_summary *s, const test_kinds *kinds, const filter *f, sb_error *error) {
    choose(v, f);
    if (v->n == 0) return true;
    sb_test_scores *t = &s->tests[s->n_tests++];
    *t = (sb_test_scores){.kind = f->kind, .category = f->category, .dynamics = f->dynamics, .episodes = v->n};
    for (size_t i = 0; i < v->n; i++) {
        const sb_test_record *r = &v->chosen[i]->tape.test;
        t->tested += r->tested, t->changed += r->changed > 0, t->submitted += r->changed && r->submitted;
    }
    t->interaction = sb_mean(values_of(v, interaction_of), v->n);
    return measure_exploration(v, &t->exploration, error) &&
           (f->kind == &sb_all_tests ? average_kinds(v, kinds, f, t, error) : average_kind(v, t, error));
}

static bool tally_kind(view *v, sb_summary *s, const test_kinds *kinds, const sb_test_kind *kind, sb_error *error) {
    const sb_task_info *task;
    if (!add_test(v, s, kinds, &(filter){.kind = kind}, error)) return false;
    for (size_t i = 0; (task = task_at(v, i)); i++)
        if (is_first_of_category(v, i) &&
            !add_test(v, s, kinds, &(filter){.kind = kind, .category = task->category}, error))
            return false;
    for (size_t i = 0; i < 2 && !v->results->older_tests; i++)
        if (!add_test(v, s, kinds, &(filter){.kind = kind, .dynamics = sb_dynamics_names[i]}, error)) return false;
    return true;
}

/* Lists the kinds in the order of their difficulties, which need not follow each other. */
static test_kinds kinds_played(view *v) {
    const sb_family *family = v->family;
    test_kinds kinds = {0};
    for (size_t k = 0; family->tests && k < family->n_difficulties; k++) {
        const sb_test_kind *kind = family->tests->kind(family->task(0), k);
        size_t i = 0;
        while (i < kinds.n && kinds.list[i] != kind) i++;
        if (!kind || i < kinds.n || kinds.n == SB_TEST_KINDS) continue;
        choose(v, &(filter){.kind = kind});
        if (v->n) kinds.list[kinds.n++] = kind;
    }
    return kinds;
}

static bool tally_tests(view *v, sb_summary *s, sb_error *error) {
    const test_kinds kinds = kinds_played(v);
    for (size_t i = 0; i < kinds.n; i++)
        if (!tally_kind(v, s, &kinds, kinds.list[i], error)) return false;
    return kinds.n < 2 || v->results->older_tests || tally_kind(v, s, &kinds, &sb_all_tests, error);
}

/* ---- Pairs ---- */

static int by_seed(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Counts the seeds of the official evaluation list that are among the chosen episodes. */
static size_t count_official(const view *v, const sb_pair *pair) {
    bool played[SB_EVAL_SEEDS] = {false};
    uint64_t wanted[SB_EVAL_SEEDS];
    size_t n = 0;
    sb_derive_seeds(pair->task->name, pair->difficulty, "eval", wanted, SB_EVAL_SEEDS);
    qsort(wanted, SB_EVAL_SEEDS, sizeof *wanted, by_seed);
    for (size_t i = 0; i < v->n; i++) {
        const uint64_t *seed = bsearch(&v->chosen[i]->tape.name.seed, wanted, SB_EVAL_SEEDS, sizeof *wanted, by_seed);
        if (!seed || played[seed - wanted]) continue;
        played[seed - wanted] = true, n++;
    }
    return n;
}

static bool normalise(view *v, sb_pair *pair, sb_error *error) {
    pair->bounds = sb_baseline_find(v->baseline, v->family, pair->task->name, pair->difficulty);
    if (!pair->bounds) return true;
    for (size_t i = 0; i < v->n; i++) v->values[i] = sb_normalised(total_of(v->chosen[i]), pair->bounds);
    pair->normalised = sb_mean(v->values, v->n);
    return sb_bootstrap_interval(v->bootstrap, v->values, fold_attempts(v, is_any), &pair->normalised_interval, error);
}

static bool add_pair(view *v, sb_summary *s, const sb_task_info *task, const char *difficulty, sb_error *error) {
    sb_pair *pair = &s->pairs[s->n_pairs];
    *pair = (sb_pair){.task = task, .difficulty = difficulty};
    choose(v, &(filter){.task = pair->task, .difficulty = difficulty});
    if (v->n == 0) return true;
    s->n_pairs++;
    pair->official_seeds = count_official(v, pair);
    const size_t plays = SB_EVAL_SEEDS * sb_plays_attempts(&v->results->plays);
    pair->official = pair->official_seeds == SB_EVAL_SEEDS && v->n == plays;
    return tally_chosen(v, &pair->tally, error) && normalise(v, pair, error);
}

static bool tally_pairs(view *v, sb_summary *s, sb_error *error) {
    const sb_family *family = v->family;
    const sb_task_info *task;
    for (size_t i = 0; (task = task_at(v, i)); i++) {
        const sb_difficulties of = sb_difficulties_of(family, task);
        for (size_t k = 0; k < of.n; k++)
            if (!add_pair(v, s, task, of.names[k], error)) return false;
    }
    return true;
}

/* ---- Scores ---- */

static size_t pairs_in(const sb_family *family) { return family->n_tasks * family->n_difficulties; }

static const sb_pair *find_pair(const sb_summary *s, const sb_task_info *task, const char *difficulty) {
    for (size_t i = 0; i < s->n_pairs; i++)
        if (s->pairs[i].task == task && strcmp(s->pairs[i].difficulty, difficulty) == 0) return &s->pairs[i];
    return NULL;
}

/* Returns how many pairs are of built-in tasks, which come first: the scores of a family are over these. */
static size_t count_built_in(const sb_summary *s) {
    size_t n = 0, task = 0;
    for (; n < s->n_pairs; n++) {
        while (task < s->family->n_tasks && s->family->task(task) != s->pairs[n].task) task++;
        if (task == s->family->n_tasks) break;
    }
    return n;
}

/* Counts the pairs of the family that are not `good`, and names the first. */
static size_t count_missing(const sb_summary *s, bool (*good)(const sb_pair *), char first[64]) {
    const sb_family *family = s->family;
    const size_t n_difficulties = family->n_difficulties;
    size_t missing = 0;
    for (size_t i = 0; i < family->n_tasks * n_difficulties; i++) {
        const sb_task_info *task = family->task(i / n_difficulties);
        const char *difficulty = family->difficulties[i % n_difficulties];
        const sb_pair *pair = find_pair(s, task, difficulty);
        if (pair && good(pair)) continue;
        if (missing++ == 0) snprintf(first, 64, "%s%s%s", task->name, *difficulty ? "/" : "", difficulty);
    }
    return missing;
}

static bool is_played(const sb_pair *pair) {
    (void)pair;
    return true;
}
static bool has_success(const sb_pair *pair) { return pair->tally.judged > 0; }
static bool has_bounds(const sb_pair *pair) { return pair->bounds; }

static bool lacks(const sb_summary *s, bool (*good)(const sb_pair *), const char *what, sb_score *score) {
    char first[64];
    const size_t missing = count_missing(s, good, first);
    if (missing)
        snprintf(score->missing, sizeof score->missing, "%zu of %zu pairs of task and difficulty %s; the first is %s",
                 missing, pairs_in(s->family), what, first);
    return missing;
}

static bool is_complete(const sb_pair *pair) { return pair->official; }
static bool is_touched(const sb_pair *pair) { return pair->official_seeds; }
static bool has_all_seeds(const sb_pair *pair) { return pair->official_seeds == SB_EVAL_SEEDS; }

/* Returns the smallest number of official seeds that a pair was played on, of those pairs that were played on any. */
static size_t fewest_seeds(const sb_summary *s) {
    size_t least = SB_EVAL_SEEDS;
    for (size_t i = 0; i < count_built_in(s); i++)
        if (s->pairs[i].official_seeds && s->pairs[i].official_seeds < least) least = s->pairs[i].official_seeds;
    return least;
}

/* The leaderboard takes every pair on exactly its official seeds. Says how many pairs were played on none of these, on
 * some, and on others besides. */
static bool lacks_official(const sb_summary *s, sb_score *score) {
    char first[64], any[64];
    if (s->older) return lacks(s, is_complete, "have not been played on their official evaluation seeds", score);
    const size_t missing = count_missing(s, is_complete, first), untouched = count_missing(s, is_touched, any);
    const size_t partly = count_missing(s, has_all_seeds, any) - untouched, more = missing - partly - untouched;
    if (!missing) return false;
    sb_out out = sb_out_fixed(score->missing, sizeof score->missing);
    sb_putf(&out,
            "%zu of %zu pairs of task and difficulty were not played on exactly their %d official evaluation seeds:",
            missing, pairs_in(s->family), SB_EVAL_SEEDS);
    if (untouched) sb_putf(&out, " %zu on none of them,", untouched);
    if (partly) sb_putf(&out, " %zu on some (at least %zu of %d),", partly, fewest_seeds(s), SB_EVAL_SEEDS);
    if (more) sb_putf(&out, " %zu also on others,", more);
    sb_putf(&out, " the first is %s", first);
    sb_out_finish(&out);
    return true;
}

static int by_task(const void *a, const void *b) {
    const sb_pair *x = *(const sb_pair *const *)a, *y = *(const sb_pair *const *)b;
    const int order = strcmp(x->task->name, y->task->name);
    return order ? order : (x > y) - (x < y); /* difficulties stay in their order */
}

static bool score_leaderboard(view *v, const sb_summary *s, sb_score *score, sb_error *error) {
    (void)v;
    if (lacks_official(s, score) || lacks(s, has_success, "have no success", score)) return true;
    const size_t n = count_built_in(s);
    const sb_pair **sorted = malloc((n + 1) * sizeof *sorted);
    sb_contribution *pairs = malloc((n + 1) * sizeof *pairs);
    bool ok = sorted && pairs;
    if (!ok) sb_fail(error, SB_MEMORY, "out of memory for a score");
    for (size_t i = 0; ok && i < n; i++) sorted[i] = &s->pairs[i];
    if (ok) qsort(sorted, n, sizeof *sorted, by_task);
    for (size_t i = 0; ok && i < n; i++)
        pairs[i] = (sb_contribution){sorted[i]->task->category, sorted[i]->tally.success_rate};
    ok = ok && sb_leaderboard(pairs, n, &score->total, error);
    free((void *)sorted), free(pairs);
    score->known = ok, score->tasks = s->family->n_tasks;
    return ok;
}

static bool score_ons_pairs(view *v, const sb_summary *s, sb_score *score, sb_error *error) {
    (void)v;
    if (lacks(s, is_played, "have not been played", score) ||
        lacks(s, has_bounds, "are not in the baseline file", score))
        return true;
    const size_t n = count_built_in(s);
    sb_contribution *pairs = malloc((n + 1) * sizeof *pairs);
    if (!pairs) return sb_fail(error, SB_MEMORY, "out of memory for a score");
    for (size_t i = 0; i < n; i++) pairs[i] = (sb_contribution){s->pairs[i].task->category, s->pairs[i].normalised};
    score->known = sb_mean_of_pairs(pairs, n, &score->total, error);
    score->tasks = s->family->n_tasks;
    free(pairs);
    return score->known;
}

/* Returns the mean of the normalised returns of all the task's episodes, each with the bounds of its own difficulty. */
static double task_score(view *v, const sb_summary *s, const sb_task_info *task) {
    choose(v, &(filter){.task = task});
    for (size_t i = 0; i < v->n; i++) {
        const sb_pair *pair = find_pair(s, task, v->chosen[i]->tape.name.difficulty);
        v->values[i] = sb_normalised(total_of(v->chosen[i]), pair->bounds);
    }
    return sb_mean(v->values, v->n);
}

/* Scores the tasks that were played, even if some are missing; the score says how many. */
static bool score_capability(view *v, const sb_summary *s, sb_score *score, sb_error *error) {
    sb_contribution *tasks = malloc((s->n_pairs + 1) * sizeof *tasks);
    if (!tasks) return sb_fail(error, SB_MEMORY, "out of memory for a score");
    bool ok = true;
    for (size_t i = 0; i < s->n_pairs && ok; i++) {
        const sb_pair *pair = &s->pairs[i];
        ok = pair->bounds;
        if (!ok)
            snprintf(score->missing, sizeof score->missing, "the baseline file lacks %s",
                     sb_pair_text_of(pair->task->name, pair->difficulty).text);
    }
    for (size_t i = 0; i < s->n_pairs && ok; i++) {
        const sb_task_info *task = s->pairs[i].task;
        if (i && task == s->pairs[i - 1].task) continue;
        tasks[score->tasks++] = (sb_contribution){task->category, task_score(v, s, task)};
    }
    score->known = ok;
    ok = !ok || sb_capability(tasks, score->tasks, &score->total, error);
    free(tasks);
    return ok;
}

/* ---- The summary ---- */

void sb_summary_free(sb_summary *s) {
    free(s->pairs), free(s->categories), free(s->difficulties), free(s->tests);
    *s = (sb_summary){0};
}

static bool make_room(view *v, sb_summary *s, sb_error *error) {
    const size_t n = v->results->n + 1, n_tasks = sb_task_count(v->results->catalogue, v->family);
    const size_t n_difficulties = sb_most_difficulties(v->results->catalogue, v->family);
    v->tasks = calloc(n, sizeof *v->tasks), v->chosen = malloc(n * sizeof *v->chosen);
    v->values = malloc(n * sizeof *v->values), v->pooled = malloc(n * sizeof *v->pooled);
    s->pairs = calloc(n_tasks * n_difficulties + 1, sizeof *s->pairs);
    s->categories = calloc(n_tasks + 1, sizeof *s->categories);
    s->difficulties = calloc((n_tasks - v->family->n_tasks + 1) * n_difficulties + 1, sizeof *s->difficulties);
    s->tests = calloc((n_tasks + 3) * (SB_TEST_KINDS + 1), sizeof *s->tests); /* at most a category for each task */
    return (v->tasks && v->chosen && v->values && v->pooled && s->pairs && s->categories && s->difficulties &&
            s->tests) ||
           sb_fail(error, SB_MEMORY, "out of memory for a summary of %zu episodes", n - 1);
}

/* Whether there is anything to make scores over a whole family of. Tests have scores of their own. */
static bool judges_something(const sb_family *family) {
    for (size_t i = 0; i < family->n_tasks; i++)
        if (family->task(i)->criterion != SB_BY_NOTHING) return true;
    return false;
}

static bool score_all(view *v, sb_summary *s, sb_error *error) {
    char why[sizeof s->scores->missing];
    s->only_tests = s->n_tests && !judges_something(s->family);
    snprintf(why, sizeof why,
             "there is none over family %s: its own programs are for exploring, and worlds are judged each by itself",
             s->family->name);
    for (sb_score_kind kind = 0; kind < SB_N_SCORES && !judges_something(s->family); kind++)
        snprintf(s->scores[kind].missing, sizeof s->scores[kind].missing, "%s",
                 s->n_tests ? "tests are scored by kind" : why);
    if (!judges_something(s->family)) return true;
    return score_leaderboard(v, s, &s->scores[SB_SCORE_LEADERBOARD], error) &&
           score_ons_pairs(v, s, &s->scores[SB_SCORE_ONS_PAIRS], error) &&
           score_capability(v, s, &s->scores[SB_SCORE_CAPABILITY], error);
}

bool sb_summarise(const sb_results *results, const sb_family *family, const sb_baseline *baseline, sb_summary *summary,
                  sb_error *error) {
    const bool older = sb_results_are_older(results);
    *summary = (sb_summary){.catalogue = results->catalogue, .family = family, .older = older};
    view v = {.results = results,
              .baseline = baseline,
              .family = family,
              .bootstrap = sb_bootstrap_of(older ? SB_INTERVALS_PUBLISHED : SB_INTERVALS_CURRENT)};
    bool ok = make_room(&v, summary, error);
    for (size_t i = 0; i < results->n && ok; i++)
        v.tasks[i] = task_of(results->catalogue, family, &results->episodes[i].tape.name, i ? v.tasks[i - 1] : NULL);
    ok = ok && tally_pairs(&v, summary, error) && tally_groups(&v, summary, error) && tally_tests(&v, summary, error) &&
         score_all(&v, summary, error);
    free((void *)v.tasks), free((void *)v.chosen), free(v.values), free(v.pooled);
    return ok;
}
