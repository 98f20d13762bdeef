#include "evaluation/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "evaluation/episode.h"
#include "evaluation/score.h"
#include "rollout/judging.h"

const char *const sb_eval_budget_for_names[] = {"success", "leaderboard", NULL};

/* ---- What is asked for ---- */

bool sb_eval_budget_check_until(double until, sb_error *error) {
    return (until > 0 && until < 0.5) ||
           sb_fail(error, SB_INVALID,
                   "--until is half the width of an interval within 0..1: give a number above 0 and below 0.5, such as "
                   "0.03");
}

bool sb_eval_budget_check(const sb_eval_budget *b, sb_error *error) {
    if (b->until != 0 && !sb_eval_budget_check_until(b->until, error)) return false;
    if (sb_has_eval_budget(b) || (!b->seed && b->purpose == SB_BUDGET_SUCCESS)) return true;
    return sb_fail(error, SB_INVALID, "--budget-for and --budget-seed are for a budget: give --budget or --until");
}

void sb_eval_budget_print(const sb_eval_budget *b, sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "episodes", b->episodes);
    sb_member_text(out, "for", sb_eval_budget_for_names[b->purpose]);
    sb_member_uint(out, "seed", b->seed);
    if (b->until > 0) sb_member_double(out, "until", b->until);
    sb_puts(out, "}");
}

bool sb_eval_budget_read(const cJSON *object, sb_eval_budget *b, sb_error *error) {
    static const char *const keys[] = {"episodes", "for", "seed", "until", NULL};
    size_t index = SB_BUDGET_SUCCESS;
    *b = (sb_eval_budget){0};
    if (!sb_json_known_keys(object, keys, error) || !sb_json_optional_uint(object, "episodes", &b->episodes, error) ||
        !sb_json_optional_uint(object, "seed", &b->seed, error) ||
        !sb_json_optional_word(object, "for", sb_eval_budget_for_names, SB_N_BUDGETS_FOR, &index, error) ||
        (cJSON_HasObjectItem(object, "until") && !sb_json_double(object, "until", &b->until, error)))
        return false;
    b->purpose = (sb_eval_budget_for)index;
    return (sb_has_eval_budget(b) || sb_fail(error, SB_INVALID, "give a number of `episodes`, or `until`")) &&
           sb_eval_budget_check(b, error);
}

void sb_eval_budget_describe(const sb_eval_budget *b, sb_out *out) {
    sb_putf(out, ", a budget of %llu", (unsigned long long)b->episodes);
    if (b->purpose != SB_BUDGET_SUCCESS) sb_putf(out, " for %s", sb_eval_budget_for_names[b->purpose]);
    if (b->until > 0) sb_putf(out, " until +-%g", b->until);
    if (b->seed) sb_putf(out, ", drawn by seed %llu instead of 0", (unsigned long long)b->seed);
}

/* ---- Strata ---- */

static bool check_official(const sb_request *r, const sb_selection *selection, sb_error *error) {
    if (r->n_names || r->seeds || r->count || r->counts || sb_request_demands(r) ||
        (r->split && strcmp(r->split, "eval") != 0))
        return sb_fail(error, SB_INVALID,
                       "a budget draws from the official episodes of tasks: give neither names nor seeds, count, "
                       "another split or demands");
    for (size_t i = 0; i < selection->n; i++) {
        const sb_resolved of = sb_selection_at(selection, i);
        if (!sb_has_success(sb_criterion_of(&of)))
            return sb_fail(error, SB_INVALID, "a budget is for success, by which %s is not judged", of.task->name);
    }
    return selection->n || sb_fail(error, SB_INVALID, "no episodes are selected");
}

static void add_pair(sb_stratum *s, const sb_selection *selection, size_t at) {
    const sb_resolved of = sb_selection_at(selection, at);
    const size_t n = strlen(s->difficulty);
    snprintf(s->difficulty + n, sizeof s->difficulty - n, "%s%s", s->pairs++ ? "," : "",
             sb_difficulty_name(of.family, of.task, of.difficulty));
}

/* Makes the strata, each of up to `most` neighbouring difficulties of a task. */
static void make_strata(sb_eval_budget_plan *plan, const sb_selection *selection, size_t most) {
    plan->n_strata = 0;
    for (size_t i = 0; i < selection->n; i++) {
        const sb_chosen *episode = &selection->episodes[i];
        if (!i || !sb_same_chosen_pair(episode, &episode[-1])) {
            if (!i || episode->task != episode[-1].task || plan->strata[plan->n_strata - 1].pairs == most)
                plan->strata[plan->n_strata++] = (sb_stratum){.task = sb_selection_at(selection, i).task};
            add_pair(&plan->strata[plan->n_strata - 1], selection, i);
        }
        plan->strata[plan->n_strata - 1].n++;
    }
}

/* Makes as many strata as have two episodes each in the budget. */
static bool stratify(sb_eval_budget_plan *plan, const sb_selection *selection, sb_error *error) {
    sb_eval_budget *b = &plan->budget;
    make_strata(plan, selection, 1);
    if (!b->episodes) b->episodes = 2 * plan->n_strata;
    for (size_t most = 2; 2 * plan->n_strata > b->episodes && most <= 2 * SB_DIFFICULTIES_MAX; most *= 2)
        make_strata(plan, selection, most);
    if (2 * plan->n_strata > b->episodes)
        return sb_fail(error, SB_INVALID, "a budget of %llu is too small: it should be at least %zu, two of each task",
                       (unsigned long long)b->episodes, 2 * plan->n_strata);
    return b->episodes <= selection->n ||
           sb_fail(error, SB_INVALID, "a budget of %llu is too large: there are %zu official episodes",
                   (unsigned long long)b->episodes, selection->n);
}

/* Counts the pairs in the category of a stratum; `first` tells whether no stratum before it is of that category. */
static size_t pairs_beside(const sb_eval_budget_plan *plan, size_t stratum, bool *first) {
    const char *category = plan->strata[stratum].task->category;
    size_t pairs = 0;
    *first = true;
    for (size_t i = 0; i < plan->n_strata; i++) {
        if (strcmp(plan->strata[i].task->category, category) != 0) continue;
        pairs += plan->strata[i].pairs;
        *first &= i >= stratum;
    }
    return pairs;
}

/* Whether the selection is all pairs that are built in. */
static bool is_whole_family(const sb_eval_budget_plan *plan, const sb_selection *selection) {
    const sb_family *family = plan->family;
    size_t pairs = 0;
    for (size_t i = 0; i < selection->n; i++)
        if (selection->episodes[i].task >= family->n_tasks) return false;
    for (size_t i = 0; i < plan->n_strata; i++) pairs += plan->strata[i].pairs;
    return pairs == family->n_tasks * family->n_difficulties;
}

static void weigh(sb_eval_budget_plan *plan, const sb_selection *selection) {
    const bool is_whole = is_whole_family(plan, selection);
    size_t categories = 0;
    for (size_t i = 0; i < plan->n_strata; i++) {
        sb_stratum *s = &plan->strata[i];
        bool first = false;
        s->weights[SB_BUDGET_SUCCESS] = (double)s->n / (double)plan->of;
        s->weights[SB_BUDGET_LEADERBOARD] = is_whole ? (double)s->pairs / (double)pairs_beside(plan, i, &first) : 0;
        categories += is_whole && first;
    }
    for (size_t i = 0; is_whole && i < plan->n_strata; i++)
        plan->strata[i].weights[SB_BUDGET_LEADERBOARD] /= (double)categories;
}

/* ---- The draw ---- */

/* An episode or a stratum, and a number that nobody chooses. */
typedef struct lot {
    uint64_t key;
    size_t index;
} lot;

/* Returns a number that follows from the seed, the purpose and the episode's name. */
static uint64_t draw_key(const sb_eval_budget *b, const char *what, const sb_selection *selection, size_t episode) {
    char name[SB_NAME_MAX], text[SB_NAME_MAX + 64];
    uint8_t digest[32];
    sb_name of;
    uint64_t key = 0;
    sb_name_print(sb_selection_name(selection, episode, &of), name, sizeof name);
    const int n = snprintf(text, sizeof text, "seedbed budget %llu %s %s", (unsigned long long)b->seed, what, name);
    sb_sha256_of(text, (size_t)n, digest);
    for (size_t i = 0; i < sizeof key; i++) key = key << 8 | digest[i];
    return key;
}

static int by_key(const void *a, const void *b) {
    const lot *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b) {
    const lot *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Puts the episodes of every stratum in the order in which they are drawn. */
static void draw_lots(const sb_eval_budget_plan *plan, const sb_selection *selection, lot *lots) {
    for (size_t i = 0; i < selection->n; i++) lots[i] = (lot){draw_key(&plan->budget, "episode", selection, i), i};
    for (size_t i = 0; i < plan->n_strata; lots += plan->strata[i++].n)
        qsort(lots, plan->strata[i].n, sizeof *lots, by_key);
}

/* Says how many episodes each stratum has in the first batch: two, and then one after another where it makes the sum of
 * weight^2 / episodes smallest, that is, the error, if all strata vary equally. Lots decide between equal weights. */
static void share_out(sb_eval_budget_plan *plan, const lot *order) {
    uint64_t left = plan->budget.episodes;
    for (size_t i = 0; i < plan->n_strata; i++) {
        sb_stratum *s = &plan->strata[i];
        s->drawn = s->n < 2 ? s->n : 2;
        left -= s->drawn;
    }
    for (; left; left--) {
        sb_stratum *best = NULL;
        double most = 0;
        for (size_t i = 0; i < plan->n_strata; i++) {
            sb_stratum *s = &plan->strata[order[i].index];
            const double k = (double)s->drawn, weight = s->weights[plan->budget.purpose];
            const double gain = weight * weight / (k * (k + 1));
            if (s->drawn < s->n && gain > most) best = s, most = gain;
        }
        if (!best) return;
        best->drawn++;
    }
}

/* Shares out the first batch, after drawing lots; `lots` has room for every episode. */
static bool share_by_lot(sb_eval_budget_plan *plan, const sb_selection *selection, lot *lots, sb_error *error) {
    weigh(plan, selection);
    if (!(plan->strata[0].weights[plan->budget.purpose] > 0))
        return sb_fail(error, SB_INVALID,
                       "the leaderboard's score is of all tasks in all difficulties: select them all, or leave "
                       "--budget-for out");
    for (size_t i = 0, at = 0; i < plan->n_strata; at += plan->strata[i++].n)
        lots[i] = (lot){draw_key(&plan->budget, "stratum", selection, at), i};
    qsort(lots, plan->n_strata, sizeof *lots, by_key);
    share_out(plan, lots);
    return true;
}

/* Appends an episode to the order in which they are played. */
static void append(sb_eval_budget_plan *plan, const sb_selection *selection, size_t episode, size_t stratum,
                   sb_chosen *order) {
    plan->stratum_of[plan->n] = (uint16_t)stratum;
    order[plan->n++] = selection->episodes[episode];
}

static void order_batches(sb_eval_budget_plan *plan, const sb_selection *selection, lot *lots, sb_chosen *order) {
    lot *of = lots;
    size_t most = 0;
    for (size_t i = 0; i < plan->n_strata; of += plan->strata[i++].n) {
        sb_stratum *s = &plan->strata[i];
        qsort(of, s->drawn, sizeof *of, by_index);
        for (size_t k = 0; k < s->drawn; k++) append(plan, selection, of[k].index, i, order);
        if (s->n - s->drawn > most) most = s->n - s->drawn;
    }
    plan->first = plan->n;
    for (size_t batch = 0; plan->budget.until > 0 && batch < most; batch++) {
        of = lots;
        for (size_t i = 0; i < plan->n_strata; of += plan->strata[i++].n) {
            const size_t at = plan->strata[i].drawn + batch;
            if (at < plan->strata[i].n) append(plan, selection, of[at].index, i, order);
        }
    }
}

static bool draw(sb_eval_budget_plan *plan, sb_selection *selection, sb_error *error) {
    lot *lots = malloc(selection->n * sizeof *lots);
    sb_chosen *order = malloc(selection->n * sizeof *order);
    plan->stratum_of = malloc(selection->n * sizeof *plan->stratum_of);
    bool ok = (lots && order && plan->stratum_of) || sb_fail(error, SB_MEMORY, "out of memory for a budget");
    ok = ok && share_by_lot(plan, selection, lots, error);
    if (ok) {
        draw_lots(plan, selection, lots);
        order_batches(plan, selection, lots, order);
        memcpy(selection->episodes, order, plan->n * sizeof *order);
        selection->n = plan->n;
    }
    free(lots), free(order);
    return ok;
}

bool sb_eval_budget_draw(const sb_eval_budget *budget, const sb_request *request, sb_selection *selection,
                         sb_eval_budget_plan *plan, sb_error *error) {
    *plan = (sb_eval_budget_plan){.budget = *budget, .of = selection->n};
    if (!sb_has_eval_budget(budget)) return true;
    if (!check_official(request, selection, error)) return false;
    plan->family = sb_selection_family(selection, 0);
    plan->strata = calloc(selection->n, sizeof *plan->strata);
    return (plan->strata || sb_fail(error, SB_MEMORY, "out of memory for a budget")) &&
           stratify(plan, selection, error) && draw(plan, selection, error);
}

void sb_eval_budget_free(sb_eval_budget_plan *plan) {
    free(plan->strata), free(plan->stratum_of);
    *plan = (sb_eval_budget_plan){0};
}

size_t sb_eval_budget_batch(const sb_eval_budget_plan *plan, size_t n) {
    if (n < plan->first) return plan->first;
    size_t end = plan->first;
    for (size_t batch = 0; end <= n && end < plan->n; batch++)
        for (size_t i = 0; i < plan->n_strata; i++) end += plan->strata[i].drawn + batch < plan->strata[i].n;
    return end;
}
