#include "oracles/copies.h"

#include <stdlib.h>

#include "base/error.h"

enum { KEY_SIZE = 2 * sizeof(uint64_t) };

static bool starve(const sb_copies *copies, sb_error *error) {
    return sb_fail(error, SB_MEMORY, "out of memory for a search over %lu states", (unsigned long)copies->n_states);
}

bool sb_copies_open(sb_copies *copies, uint32_t n_states, sb_error *error) {
    *copies = (sb_copies){.n_states = n_states};
    copies->memory = sb_search_new(KEY_SIZE, n_states);
    copies->path = malloc(sizeof *copies->path * SB_SEARCH_COST_MAX);
    /* Empty environments for copies, which bring their own catalogue. */
    copies->here = sb_make(NULL, NULL, error), copies->next = sb_make(NULL, NULL, error);
    if (copies->memory && copies->path && copies->here && copies->next) return true;
    starve(copies, error);
    sb_copies_close(copies);
    return false;
}

void sb_copies_close(sb_copies *copies) {
    sb_search_free(copies->memory);
    free(copies->path);
    free(copies->actions);
    sb_free(copies->here);
    sb_free(copies->next);
    *copies = (sb_copies){0};
}

/* Plays the moves that lead to the state being expanded. */
static bool reach(sb_copies *c, const sb_search *search, sb_error *error) {
    const int n = sb_search_path(search, c->path, SB_SEARCH_COST_MAX);
    sb_result result;
    if (!sb_copy(c->here, c->start, error)) return false;
    for (int i = 0; i < n; i++)
        if (!sb_step(c->here, (sb_action)c->path[i], &result, error)) return false;
    return true;
}

static void expand(void *context, const void *state, sb_search *search) {
    sb_copies *c = context;
    sb_error error;
    (void)state;
    if (c->failed || !reach(c, search, &error)) {
        c->failed = true;
        return;
    }
    const size_t n = sb_worthwhile_actions(c->here, c->actions, c->n_actions);
    for (size_t i = 0; i < n; i++) {
        sb_result result;
        uint64_t key[2];
        if (!sb_copy(c->next, c->here, &error) || !sb_step(c->next, c->actions[i], &result, &error)) {
            c->failed = true;
            return;
        }
        if (!result.success && (result.terminated || result.truncated)) continue;
        sb_key(c->next, key);
        sb_search_add(search, key, (uint32_t)c->actions[i], 1, result.success);
    }
}

bool sb_reserve_actions(sb_action **actions, size_t *capacity, size_t n, sb_error *error) {
    if (n <= *capacity) return true;
    free(*actions);
    *capacity = 0;
    if (!(*actions = malloc(n * sizeof **actions)))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu actions", n);
    *capacity = n;
    return true;
}

/* The search asks for the bound of the state that was just reached, which is the one in `next`. */
static int bound(void *context, const void *state) {
    const sb_copies *c = context;
    (void)state;
    return c->next->family->bound(c->next);
}

/* Returns the highest cost of a plan. */
static int max_cost(const sb_copies *copies, const sb_env *start) {
    const int left = start->status.max_steps - start->status.steps;
    return copies->shorter_than > 0 && copies->shorter_than <= left ? copies->shorter_than - 1 : left;
}

bool sb_copies_search(sb_copies *copies, const sb_env *start, sb_budget *budget, sb_verdict *verdict, sb_error *error) {
    const bool is_bounded = start->family->bound && !copies->distrusts_bound;
    const sb_problem problem = {.state_size = KEY_SIZE,
                                .expand = expand,
                                .bound = is_bounded ? bound : NULL,
                                .context = copies,
                                .max_cost = max_cost(copies, start)};
    uint64_t key[2];
    copies->start = start, copies->failed = false;
    if (!sb_reserve_actions(&copies->actions, &copies->n_actions, (size_t)start->n_actions, error) ||
        !sb_copy(copies->next, start, error))
        return false;
    sb_key(start, key);
    *verdict = sb_search_run(copies->memory, copies->n_states, &problem, key, budget);
    if (copies->failed) return sb_fail(error, SB_MEMORY, "out of memory for copies of the episode");
    return !sb_search_is_starved(copies->memory) || starve(copies, error);
}

int sb_copies_plan(const sb_copies *copies, sb_action *actions, int capacity) {
    const int n = sb_search_plan(copies->memory, copies->path, SB_SEARCH_COST_MAX);
    for (int i = 0; i < n && i < capacity; i++) actions[i] = (sb_action)copies->path[i];
    return n;
}
