#include "evaluation/published.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/lookup.h"

double sb_ons_pair(double mean_return, const sb_bounds *references) {
    const double way = references->optimal - references->random;
    if (fabs(way) < 1e-9) return mean_return >= references->optimal ? 1 : 0;
    return (mean_return - references->random) / way;
}

/* Sums up the pairs by category, with intervals or without, and all of them; the whole is their plain mean, not that of
 * the categories. */
static bool finish(const sb_family *family, const sb_contribution *pairs, size_t n, bool intervals, sb_ons *ons,
                   sb_error *error) {
    sb_total whole;
    *ons = (sb_ons){.pairs = n, .of = family->n_tasks * family->n_difficulties};
    if (!n) return true;
    if (!sb_category_scores(pairs, n, intervals, &ons->total, error) || !sb_mean_of_pairs(pairs, n, &whole, error))
        return false;
    ons->total.score = whole.score, ons->total.interval = whole.interval;
    return true;
}

static bool allocate(const sb_family *family, sb_contribution **pairs, sb_error *error) {
    *pairs = calloc(family->n_tasks * family->n_difficulties + 1, sizeof **pairs);
    return *pairs || sb_fail(error, SB_MEMORY, "out of memory for a score over all pairs");
}

bool sb_ons_of_results(const sb_published *published, const sb_summary *s, sb_ons *ons, sb_error *error) {
    sb_contribution *pairs;
    sb_bounds references;
    size_t n = 0;
    if (!allocate(s->family, &pairs, error)) return false;
    for (size_t i = 0; i < s->n_pairs; i++) {
        const sb_pair *pair = &s->pairs[i];
        if (sb_published_references(published, pair->task->name, pair->difficulty, &references))
            pairs[n++] = (sb_contribution){pair->task->category, sb_ons_pair(pair->tally.mean_return, &references)};
    }
    const bool ok = finish(s->family, pairs, n, true, ons, error);
    free(pairs);
    return ok;
}

size_t sb_ons_played(const sb_published *published, const sb_summary *s, sb_seen_pairs *among) {
    sb_bounds references;
    size_t n = 0;
    for (size_t i = 0; i < s->n_pairs; i++) {
        const sb_pair *pair = &s->pairs[i];
        sb_chosen at = {0};
        sb_error ignored;
        size_t task, difficulty;
        if (!sb_published_references(published, pair->task->name, pair->difficulty, &references) ||
            !sb_task_find(NULL, s->family, pair->task->name, &task, &ignored) ||
            !sb_difficulty_find(s->family, pair->task, pair->difficulty, &difficulty, &ignored))
            continue;
        at.task = (uint16_t)task, at.difficulty = (uint16_t)difficulty;
        n += sb_is_new_pair(among, &at);
    }
    return n;
}

bool sb_ons_of_agent(const sb_published *published, const sb_published_agent *agent, const sb_seen_pairs *among,
                     sb_ons *ons, sb_error *error) {
    const sb_family *family = published->family;
    sb_contribution *pairs;
    size_t n = 0;
    if (!allocate(family, &pairs, error)) return false;
    for (size_t i = 0; i < family->n_tasks && !agent->dense; i++) {
        const sb_task_info *task = family->task(i);
        for (size_t k = 0; k < family->n_difficulties; k++) {
            sb_bounds references;
            double value;
            if (among && !among->of[i][k]) continue;
            if (sb_published_return(published, agent, task->name, family->difficulties[k], &value) &&
                sb_published_references(published, task->name, family->difficulties[k], &references))
                pairs[n++] = (sb_contribution){task->category, sb_ons_pair(value, &references)};
        }
    }
    const bool ok = finish(family, pairs, n, false, ons, error);
    free(pairs);
    return ok;
}

bool sb_ons_of_task(const sb_published *published, const sb_summary *s, const sb_task_info *task, double *ons) {
    double values[SB_DIFFICULTIES_MAX];
    sb_bounds references;
    size_t n = 0;
    for (size_t i = 0; i < s->n_pairs && n < SB_DIFFICULTIES_MAX; i++)
        if (s->pairs[i].task == task &&
            sb_published_references(published, task->name, s->pairs[i].difficulty, &references))
            values[n++] = sb_ons_pair(s->pairs[i].tally.mean_return, &references);
    *ons = sb_mean(values, n);
    return n;
}

static void put_score(sb_out *out, double score, const sb_interval *interval) {
    sb_member_double(out, "score", score);
    sb_member_interval(out, "interval", interval);
}

void sb_ons_print(const sb_ons *ons, sb_out *out) {
    sb_puts(out, "{");
    if (!ons->pairs) {
        sb_put_key(out, "score"), sb_puts(out, "null");
        sb_member_text(out, "missing", "no pair was played that the published agents played");
        sb_puts(out, "}");
        return;
    }
    put_score(out, ons->total.score, &ons->total.interval);
    sb_put_key(out, "categories");
    sb_puts(out, "[");
    for (size_t i = 0; i < ons->total.n_parts; i++) {
        const sb_category_score *part = &ons->total.parts[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", part->category);
        put_score(out, part->score, &part->interval);
        sb_puts(out, "}");
    }
    sb_puts(out, "]}");
}
