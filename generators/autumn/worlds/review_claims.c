/* Claims of a world, compared with what is so: `bound`, which actions are needed, and whether the order of lists means
 * nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/worlds/review_kit.h"

enum {
    BOUND_SEARCH = 20000, /* states of a search that compares the bound */
    BOUND_LEAST = 50000,  /* evaluations that must be left for a search that compares the bound */
    BOUND_DRAWN = 20,     /* starts from which the bound is compared as they were drawn, accepted or not */
    WANDERED = 12,        /* most steps from a start to a state from which the bound is compared */
    PAIRS = 10,           /* starts from which two orders of a list are compared */
    PAIRED = 60           /* steps over which two orders of a list are compared */
};

static bool no_memory(sb_review_work *w) { return sb_fail(w->error, SB_MEMORY, "out of memory for a review"); }

/* ---- `bound` ----------------------------------------------------------------------------------------------------- */

static void compare_bound(sb_review_work *w, const sb_review_start *start, int32_t remaining, const sb_out *path) {
    const int32_t claimed = sb_autumn_standing_of(w->walker)->bound;
    w->n_bounds++;
    if (claimed > w->highest_bound) w->highest_bound = claimed;
    if (claimed <= remaining || w->bound_refuted.is_there) return;
    w->claimed = claimed, w->remaining = remaining;
    sb_review_note(w, start, path, &w->bound_refuted);
}

/* Follows a shortest play from the state in `walker`, which was found without the bound. */
static void follow(sb_review_work *w, const sb_review_start *start, sb_out *path, int steps) {
    sb_autumn_event plan[SB_REVIEW_PLAN];
    const int n = sb_world_plan(w->solver, plan, SB_REVIEW_PLAN);
    for (int i = 0; i < n; i++) {
        if (!sb_review_step(w, start, w->walker, plan[i], path)) return;
        compare_bound(w, start, steps - i - 1, path);
    }
}

static bool check_from_here(sb_review_work *w, const sb_review_start *start, sb_out *path) {
    const sb_world_question question = {.limit = BOUND_SEARCH, .evaluations = sb_review_left(w) / 4 + 1};
    sb_world_answer answer;
    if (!sb_world_solve(w->solver, w->walker, &question, &answer)) return no_memory(w);
    w->spent += answer.evaluations;
    if (answer.verdict != SB_SOLVED || !answer.is_shortest || answer.steps > SB_REVIEW_PLAN) return true;
    if (path->size) compare_bound(w, start, answer.steps, path); /* at the start, no step has found the bound */
    follow(w, start, path, answer.steps);
    return true;
}

/* Takes some random steps from a start; false: the play was over then. */
static bool wander(sb_review_work *w, const sb_review_start *start, sb_out *path) {
    sb_rng rng;
    sb_rng_seed(&rng, start->seed, NULL);
    const int64_t n = sb_integers(&rng, 1, WANDERED + 1);
    for (int64_t i = 0; i < n; i++) {
        if (!sb_review_step(w, start, w->walker, sb_review_random_event(&rng, sb_autumn_size(w->walker)), path))
            return false;
        if (sb_autumn_standing_of(w->walker)->won || sb_autumn_standing_of(w->walker)->lost) return false;
    }
    return true;
}

static bool check_bound(sb_review_work *w, const sb_review_start *start, bool wanders, sb_out *path) {
    sb_out_clear(path);
    if (!sb_autumn_copy(w->walker, start->state)) return no_memory(w);
    sb_autumn_want_bound(w->walker, true);
    return (wanders && !wander(w, start, path)) || check_from_here(w, start, path);
}

static bool is_kept(const sb_review_work *w, uint64_t seed) {
    size_t i = 0;
    while (i < w->n_starts && w->starts[i].seed != seed) i++;
    return i < w->n_starts;
}

/* Compares the bound from a start that was refused, which may be the fault of a bound that is too high. */
static bool check_refused(sb_review_work *w, uint64_t seed, sb_out *path) {
    static const char refused[] = ", which is refused";
    const sb_review_start start = {.seed = seed};
    const sb_autumn_standing *standing = sb_autumn_standing_of(w->walker);
    char *const name = w->bound_refuted.name;
    sb_out_clear(path);
    if (!sb_world_draw(&w->world, seed, 0, w->walker)) return true;
    if (!standing->starts || standing->won || standing->lost) return true;
    sb_autumn_want_bound(w->walker, true);
    if (!check_from_here(w, &start, path)) return false;
    if (w->bound_refuted.is_there && strlen(name) + sizeof refused <= sizeof w->bound_refuted.name)
        strcat(name, refused);
    return true;
}

static bool check_refused_bounds(sb_review_work *w, sb_out *path) {
    bool ok = true;
    for (uint64_t seed = 0; ok && !w->bound_refuted.is_there && seed < BOUND_DRAWN && seed < w->facts->drawn; seed++)
        if (!is_kept(w, seed) && sb_review_may_take(w, BOUND_LEAST)) ok = check_refused(w, seed, path);
    return ok;
}

static bool check_bounds(sb_review_work *w) {
    sb_out path = sb_out_growing();
    bool ok = true;
    for (size_t i = 0; ok && w->told->has_bound && !w->bound_refuted.is_there && i < 2 * w->n_starts; i++)
        if (sb_review_may_take(w, BOUND_LEAST)) ok = check_bound(w, &w->starts[i / 2], i % 2, &path);
    ok = ok && (!w->told->has_bound || check_refused_bounds(w, &path));
    sb_autumn_want_bound(w->walker, false);
    sb_out_free(&path);
    return ok;
}

/* ---- Which actions are needed ------------------------------------------------------------------------------------ */

static bool presses(const sb_review_start *start, sb_autumn_key key) {
    for (int i = 0; i < start->n_plan; i++)
        if (start->plan[i].key == key) return true;
    return false;
}

/* Whether there is no play as short without the key. What is not found out counts as yes, so that no advice is wrong.
 */
static bool ask_need(sb_review_work *w, const sb_review_start *start, sb_autumn_key key, bool *needed) {
    const sb_world_question question = {.limit = w->difficulty->search,
                                        .evaluations = sb_review_left(w) / 4 + 1,
                                        .max_steps = start->n_plan,
                                        .without = key};
    sb_world_answer answer;
    if (!sb_world_solve(w->solver, start->state, &question, &answer)) return no_memory(w);
    w->spent += answer.evaluations;
    *needed = answer.verdict != SB_SOLVED;
    return true;
}

static bool check_needs(sb_review_work *w) {
    for (sb_autumn_key key = SB_AUTUMN_LEFT; key <= SB_AUTUMN_CLICK; key++)
        for (size_t i = 0; i < w->n_starts && !w->needed[key]; i++)
            if (presses(&w->starts[i], key) && !ask_need(w, &w->starts[i], key, &w->needed[key])) return false;
    return true;
}

bool sb_review_claims(sb_review_work *w) { return check_bounds(w) && check_needs(w); }

/* ---- The order of lists ------------------------------------------------------------------------------------------ */

/* Two states of a program that leaves the order of a list out; `b` has another order. */
typedef struct pair {
    sb_autumn_program *program;
    sb_autumn_state *a, *b;
    sb_rng rng;
    bool swapped;
} pair;

static bool is_alike(const pair *p) {
    const sb_autumn_standing *x = sb_autumn_standing_of(p->a), *y = sb_autumn_standing_of(p->b);
    uint64_t key[2], other[2];
    if (x->won != y->won || x->lost != y->lost || x->score != y->score || x->reward != y->reward) return false;
    return sb_autumn_hash(p->a, true, key) && sb_autumn_hash(p->b, true, other) && memcmp(key, other, sizeof key) == 0;
}

static bool look_the_same(const pair *p) {
    const uint32_t size = sb_autumn_size(p->a);
    uint32_t x[SB_AUTUMN_SIZE_MAX], y[SB_AUTUMN_SIZE_MAX];
    bool same = size == sb_autumn_size(p->b);
    for (uint32_t i = 0; same && i < size; i++) {
        sb_autumn_row(p->a, i, x), sb_autumn_row(p->b, i, y);
        same = memcmp(x, y, size * sizeof *x) == 0;
    }
    return same;
}

static void swap(pair *p, uint32_t variable) {
    const int32_t n = sb_autumn_n_items(p->b, variable);
    if (n < 2) return;
    const int64_t i = sb_integers(&p->rng, 0, n - 1), j = sb_integers(&p->rng, i + 1, n);
    p->swapped |= sb_autumn_swap_items(p->b, variable, (uint32_t)i, (uint32_t)j);
}

/* Plays both states of a pair: first a shortest play, then random actions. Returns whether they stayed alike. */
static bool stay_alike(sb_review_work *w, const sb_review_start *start, pair *p, uint32_t variable, sb_out *path) {
    for (int i = 0; i < PAIRED && sb_review_left(w); i++) {
        const bool plans = i < start->n_plan;
        const sb_autumn_event event = plans ? start->plan[i] : sb_review_random_event(&p->rng, sb_autumn_size(p->a));
        if (i % 4 == 0) swap(p, variable);
        if (path->size) sb_puts(path, ",");
        sb_autumn_put_event(path, event);
        const bool ok = sb_autumn_step(p->a, event, NULL);
        const bool other_ok = sb_autumn_step(p->b, event, NULL);
        w->spent += sb_review_cost(p->a) + sb_review_cost(p->b);
        if (ok != other_ok) return false;
        if (!ok) return true;
        if (!is_alike(p) || !look_the_same(p)) return false;
        if (sb_autumn_standing_of(p->a)->won || sb_autumn_standing_of(p->a)->lost) return true;
    }
    return true;
}

static bool try_pair(sb_review_work *w, sb_review_list *list, const sb_review_start *start, pair *p) {
    const sb_autumn_compiled world = {.program = p->program, .difficulty = w->world.difficulty};
    sb_out path = sb_out_growing();
    sb_rng_seed(&p->rng, start->seed, NULL);
    if (!sb_world_draw(&world, start->seed, 0, p->a) || !sb_autumn_copy(p->b, p->a)) return no_memory(w);
    if (!stay_alike(w, start, p, list->variable, &path))
        list->matters = true, sb_review_note(w, start, &path, &list->witness);
    sb_out_free(&path);
    return true;
}

/* Counts the states that searches look at, with and without the order of the list. */
static bool weigh(sb_review_work *w, sb_review_list *list, pair *p) {
    const sb_autumn_compiled world = {.program = p->program, .difficulty = w->world.difficulty};
    const sb_review_start *start = &w->starts[0];
    const sb_world_question question = {.limit = w->difficulty->search, .evaluations = sb_review_left(w) / 4 + 1};
    sb_world_solver *solver = sb_world_solver_make(p->program);
    sb_world_answer with, without;
    const bool ok = solver && sb_world_draw(&world, start->seed, 0, p->a) &&
                    sb_world_solve(solver, p->a, &question, &with) &&
                    sb_world_solve(w->solver, start->state, &question, &without);
    sb_world_solver_free(solver);
    if (!ok) return no_memory(w);
    w->spent += with.evaluations + without.evaluations;
    if (with.states < without.states && with.verdict == SB_SOLVED)
        list->with = with.states, list->without = without.states;
    return true;
}

static bool close_pair(pair *p, bool ok) {
    sb_autumn_free(p->a), sb_autumn_free(p->b);
    sb_autumn_unload(p->program);
    return ok;
}

static bool try_list(sb_review_work *w, sb_review_list *list) {
    const sb_autumn_options options = {.difficulty = w->world.difficulty};
    sb_autumn_fault fault;
    pair p = {.program = sb_autumn_load(w->text, w->n_text, &options, &fault)};
    if (!p.program) return no_memory(w);
    if (!list->line && !sb_autumn_ignore_order(p.program, list->variable)) return close_pair(&p, true);
    p.a = sb_autumn_new(p.program), p.b = sb_autumn_new(p.program);
    bool ok = (p.a && p.b) || no_memory(w);
    for (size_t i = 0; ok && i < w->n_starts && i < PAIRS && !list->matters; i++)
        ok = try_pair(w, list, &w->starts[i], &p);
    list->was_tried |= p.swapped;
    if (ok && p.swapped && !list->matters && !list->line && !list->without) ok = weigh(w, list, &p);
    return close_pair(&p, ok);
}

static sb_review_list *list_of(sb_review_work *w, uint32_t variable) {
    size_t i = 0;
    while (i < w->n_lists && w->lists[i].variable != variable) i++;
    if (i == w->n_lists) w->lists[w->n_lists++] = (sb_review_list){.variable = variable};
    return &w->lists[i];
}

static bool was_list(const sb_review_work *w, uint32_t variable, int32_t least) {
    for (size_t i = 0; i < w->n_starts; i++)
        if (sb_autumn_n_items(w->starts[i].state, variable) >= least) return true;
    return false;
}

/* Finds the lists that `unordered` names, and those that it could name. */
static void find_lists(sb_review_work *w) {
    for (uint32_t i = 0; i < w->n_variables; i++) {
        const sb_autumn_place claim = sb_review_place(w, "unordered", sb_autumn_name(w->world.program, i));
        if (!claim.line && !(sb_autumn_changes(w->world.program, i) && was_list(w, i, 2))) continue;
        sb_review_list *list = list_of(w, i);
        list->line = claim.line, list->column = claim.column;
        list->was_list |= was_list(w, i, 0);
    }
}

bool sb_review_lists(sb_review_work *w) {
    find_lists(w);
    for (size_t i = 0; i < w->n_lists; i++)
        if (w->lists[i].was_list && !w->lists[i].matters && sb_autumn_may_ignore_order(w->world.program) &&
            !try_list(w, &w->lists[i]))
            return false;
    return true;
}
