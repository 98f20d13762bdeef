#include "datasets/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "rollout/mixture.h"

/* Returns the random numbers for a purpose. They depend only on that and on the label of the section. */
static sb_rng draws_of(const sb_section *section, const char *purpose) {
    char label[SB_LABEL];
    uint32_t words[8];
    sb_sha256 hash;
    sb_rng rng;
    sb_section_label(section, label);
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, purpose, strlen(purpose) + 1);
    sb_sha256_add(&hash, label, strlen(label));
    sb_sha256_end(&hash, (uint8_t *)words);
    for (size_t i = 0; i < 8; i++) { /* so that numbers are the same on machines of either byte order */
        const uint8_t *b = (const uint8_t *)&words[i];
        words[i] = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    sb_rng_seed_words(&rng, words, 8);
    return rng;
}

/* ---- What is selected ---- */

static int compare(const void *a, const void *b) { return sb_compare_chosen(a, b); }

static bool drop_taken(sb_selection *selection, const sb_chosen *taken, size_t n_taken, sb_error *error) {
    sb_chosen *sorted = n_taken ? malloc(n_taken * sizeof *sorted) : NULL;
    size_t n = 0;
    if (!n_taken) return true;
    if (!sorted) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", n_taken);
    memcpy(sorted, taken, n_taken * sizeof *sorted);
    qsort(sorted, n_taken, sizeof *sorted, compare);
    for (size_t i = 0; i < selection->n; i++)
        if (!bsearch(&selection->episodes[i], sorted, n_taken, sizeof *sorted, compare))
            selection->episodes[n++] = selection->episodes[i];
    selection->n = n;
    free(sorted);
    return true;
}

/* Whether the request says how many seeds there are. */
static bool is_bounded(const sb_request *request) { return request->seeds || request->count || request->counts; }

/* Where the lists of the tasks and difficulties are in a selection, and how far they are used. */
typedef struct lists {
    sb_selection all;
    /* first: n + 1 places where lists begin; used: for n lists, how many episodes are used. */
    size_t *first, *used;
    size_t n;
} lists;

static void free_lists(lists *l) {
    sb_selection_free(&l->all);
    free(l->first), free(l->used);
    *l = (lists){0};
}

static size_t left_in(const lists *l, size_t k) { return l->first[k + 1] - l->first[k] - l->used[k]; }

static const sb_chosen *next_of(lists *l, size_t k) { return &l->all.episodes[l->first[k] + l->used[k]++]; }

static bool make_lists(const sb_section *section, size_t count, const sb_chosen *taken, size_t n_taken, lists *l,
                       sb_error *error) {
    sb_request request = section->request;
    *l = (lists){0};
    if (!is_bounded(&request)) request.count = count;
    if (!sb_select(&request, &l->all, error) || (section->extension && !drop_taken(&l->all, taken, n_taken, error)))
        return false;
    l->first = calloc(l->all.n + 2, sizeof *l->first);
    l->used = calloc(l->all.n + 1, sizeof *l->used);
    if (!l->first || !l->used) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", l->all.n);
    for (size_t i = 0; i < l->all.n; i++)
        if (i == 0 || !sb_same_chosen_pair(&l->all.episodes[i - 1], &l->all.episodes[i])) l->first[l->n++] = i;
    l->first[l->n] = l->all.n;
    return true;
}

/* ---- In turns ---- */

/* Takes one episode of each list in turn; false if there are not as many as are wanted. Lists that end are passed over,
 * unless they can be longer: then it is too early for that. */
static bool take_turns(lists *l, bool bounded, size_t most, sb_chosen *out, size_t *n) {
    for (bool any = true; any;) {
        any = false;
        for (size_t k = 0; k < l->n; k++) {
            if (*n == most) return true;
            if (!left_in(l, k) && !bounded) return false;
            if (!left_in(l, k)) continue;
            out[(*n)++] = *next_of(l, k);
            any = true;
        }
    }
    return *n == most;
}

/* ---- By weight ---- */

static size_t list_of(const lists *l, const sb_chosen *pair) {
    size_t low = 0, high = l->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        sb_chosen there = l->all.episodes[l->first[middle]];
        there.seed = 0;
        if (sb_compare_chosen(&there, pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool check_pairs(const sb_mixture *mixture, const lists *l, sb_error *error) {
    for (size_t i = 0; i < mixture->pairs.n; i++) {
        const size_t at = list_of(l, &mixture->pairs.episodes[i]);
        sb_name name;
        if (at < l->n && sb_same_chosen_pair(&l->all.episodes[l->first[at]], &mixture->pairs.episodes[i])) continue;
        sb_selection_name(&mixture->pairs, i, &name);
        return sb_fail(error, SB_INVALID, "mixture: %s/%s is not among the tasks and difficulties that are selected",
                       name.task, name.difficulty);
    }
    return true;
}

/* Draws episodes one after the other; false if a list ends before there are as many as are wanted. */
static bool draw(const sb_section *section, const sb_mixture *mixture, lists *l, size_t most, sb_chosen *out,
                 size_t *n) {
    sb_rng rng = draws_of(section, "mixture");
    const double goal = (double)section->composition.budget[SB_EPISODES];
    while (*n < most) {
        const double progress = goal > 0 ? (double)*n / goal : 0;
        const size_t k = list_of(l, sb_mixture_draw(mixture, progress < 1 ? progress : 1, &rng));
        if (!left_in(l, k)) return false;
        out[(*n)++] = *next_of(l, k);
    }
    return true;
}

static bool read_mixture(const sb_section *section, sb_mixture *mixture, sb_error *error) {
    const sb_composition *c = &section->composition;
    if (!sb_mixture_read(&section->request, c->mixture, mixture, error)) return false;
    return !mixture->changes || c->budget[SB_EPISODES] ||
           sb_fail(error, SB_INVALID,
                   "mixture: weights that change need a budget in `episodes`, by which progress is "
                   "known");
}

/* ---- Candidates ---- */

static bool take_some(const sb_section *section, const sb_mixture *mixture, lists *l, size_t most, sb_selection *to,
                      bool *enough, sb_error *error) {
    to->n = 0;
    to->catalogue = l->all.catalogue;
    if (mixture && !check_pairs(mixture, l, error)) return false;
    *enough = mixture ? draw(section, mixture, l, most, to->episodes, &to->n)
                      : take_turns(l, is_bounded(&section->request), most, to->episodes, &to->n);
    return true;
}

/* Makes the lists longer until there are enough candidates, unless the recipe says how long they are. */
static bool take(const sb_section *section, const sb_mixture *mixture, size_t most, const sb_chosen *taken,
                 size_t n_taken, sb_selection *to, bool *all, sb_error *error) {
    const bool bounded = is_bounded(&section->request);
    sb_selection pairs;
    if (!sb_select_pairs(&section->request, &pairs, error)) return sb_selection_free(&pairs), false;
    size_t count = (most + pairs.n - 1) / pairs.n + (section->extension ? n_taken / pairs.n : 0);
    bool enough = false, ok = true;
    for (sb_selection_free(&pairs); ok && !enough; count *= 2) {
        lists l;
        ok = make_lists(section, count, taken, n_taken, &l, error) &&
             take_some(section, mixture, &l, most, to, &enough, error);
        free_lists(&l);
        if (bounded) break;
    }
    *all = bounded && !enough;
    return ok;
}

static bool select_all(const sb_section *section, const sb_chosen *taken, size_t n_taken, sb_selection *to,
                       sb_error *error) {
    return sb_select(&section->request, to, error) && (!section->extension || drop_taken(to, taken, n_taken, error));
}

bool sb_candidates_select(const sb_section *section, size_t most, const sb_chosen *taken, size_t n_taken,
                          sb_selection *to, bool *all, sb_error *error) {
    sb_mixture mixture = {0};
    *to = (sb_selection){.catalogue = section->request.catalogue};
    *all = false;
    if (!sb_has_budget(&section->composition)) return *all = true, select_all(section, taken, n_taken, to, error);
    if (section->request.n_names)
        return sb_fail(error, SB_INVALID, "a budget takes seeds of tasks: it cannot be given with names of episodes");
    if (most == 0) return true;
    if (most > SB_SELECTION_MAX)
        return sb_fail(error, SB_INVALID, "more than %d episodes: split the work into several datasets",
                       SB_SELECTION_MAX);
    to->episodes = malloc(most * sizeof *to->episodes);
    bool ok = to->episodes || sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", most);
    ok = ok && (!section->composition.mixture || read_mixture(section, &mixture, error)) &&
         take(section, section->composition.mixture ? &mixture : NULL, most, taken, n_taken, to, all, error);
    sb_mixture_free(&mixture);
    return ok;
}

/* ---- Order ---- */

static void shuffle(const sb_section *section, size_t n, size_t *order) {
    sb_rng rng = draws_of(section, "order");
    for (size_t i = n; i > 1; i--) {
        const size_t k = (size_t)sb_bounded(&rng, i - 1), last = order[i - 1];
        order[i - 1] = order[k], order[k] = last;
    }
}

/* Sorts candidates by task and difficulty, and leaves those of one task and difficulty in their order. */
static bool sort(const sb_chosen *c, size_t n, size_t *order, sb_error *error) {
    enum { PAIRS = SB_TASKS_MAX * SB_DIFFICULTIES_MAX };
    size_t *begin = calloc(PAIRS + 1, sizeof *begin);
    if (!begin) return sb_fail(error, SB_MEMORY, "out of memory for a selection");
    for (size_t i = 0; i < n; i++) begin[(size_t)c[i].task * SB_DIFFICULTIES_MAX + c[i].difficulty + 1]++;
    for (size_t k = 0; k < PAIRS; k++) begin[k + 1] += begin[k];
    for (size_t i = 0; i < n; i++) order[begin[(size_t)c[i].task * SB_DIFFICULTIES_MAX + c[i].difficulty]++] = i;
    free(begin);
    return true;
}

bool sb_candidates_arrange(const sb_section *section, const sb_chosen *candidates, size_t n, size_t *order,
                           sb_error *error) {
    const sb_arrangement how = sb_arrangement_of(&section->composition);
    for (size_t i = 0; i < n; i++) order[i] = i;
    if (how == SB_SHUFFLED) shuffle(section, n, order);
    /* Without a budget candidates are in the order of the selection already, which names of episodes say themselves. */
    return how != SB_BY_TASK || !sb_has_budget(&section->composition) || sort(candidates, n, order, error);
}
