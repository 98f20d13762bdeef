/* The bound of oracles/kits/crossings.h against exhaustive search on small boards: it never exceeds the fewest steps,
 * and where it says that there is no way, there is none. Boards are random: pits that become walls, for things of
 * one type, or slots that remain floor, for one or two; sometimes there are more things than goals.
 *
 * The bound of a state is asked as a search asks it: for the start, and for every push from a state. */
#include "oracles/kits/crossings.h"

#include <stdlib.h>

#include "seeds/rng.h"
#include "tests/support.h"

enum { STATES = 1 << 19, FEW_STATES = 1 << 13, SUCCESSORS = 64, UNKNOWN = -2 };

typedef struct board {
    sb_pushing pushing; /* must be first: searches get a pointer to it */
    sb_goals goals;
    int width, height;
    bool is_roomy; /* things and goals are not beside walls */
    int16_t pushes[SB_PUSHING_GOALS][SB_PUSHING_CELLS];
} board;

static board asked; /* by its bound */
static void *memory;

/* Pushes found from one state, with the bound of what each leads to. */
static struct found {
    int n, bound[SUCCESSORS], cost[SUCCESSORS];
    sb_push_state to[SUCCESSORS];
} found;
static bool collects;

/* The linker replaces sb_search_add by this in this program, so that pushes can be listed without a search. */
void __real_sb_search_add(sb_search *search, const void *to, uint32_t move, int cost, bool is_goal);  // NOLINT
void __wrap_sb_search_add(sb_search *search, const void *to, uint32_t move, int cost, bool is_goal);  // NOLINT
void __wrap_sb_search_add(sb_search *search, const void *to, uint32_t move, int cost, bool is_goal) { // NOLINT
    if (!collects) {
        __real_sb_search_add(search, to, move, cost, is_goal);
        return;
    }
    assert_true(found.n < SUCCESSORS);
    found.to[found.n] = *(const sb_push_state *)to, found.cost[found.n] = cost;
    found.bound[found.n++] = is_goal ? 0 : sb_goals_bound(&asked.goals, &asked.pushing, to);
}

/* ---- Boards ---- */

static int below(sb_rng *rng, int n) { return (int)sb_integer_below(rng, n); }

static int free_cell(const board *b, const sb_push_state *l, sb_rng *rng) {
    for (;;) {
        const int edge = b->is_roomy ? 2 : 1, x = edge + below(rng, b->width - 2 * edge),
                  cell = (edge + below(rng, b->height - 2 * edge)) * b->width + x;
        bool is_free = b->pushing.ground[cell] == SB_GROUND_FREE && !b->pushing.goal_at[cell] && cell != l->agent;
        for (int i = 0; i < b->pushing.n_things; i++) is_free &= l->thing[i] != cell;
        if (is_free) return cell;
    }
}

static int compare(const void *a, const void *b) { return *(const uint8_t *)a - *(const uint8_t *)b; }

static void place(board *b, sb_push_state *l, sb_rng *rng, int n_things, int n_types) {
    sb_pushing *p = &b->pushing;
    for (int k = 0; k < p->n_goals; k++) {
        const int cell = free_cell(b, l, rng);
        p->goal_at[cell] = (int8_t)(k + 1), p->goal_type[k] = (int8_t)(k % n_types);
        p->ground[cell] = p->kept == SB_GROUND_WALL ? SB_GROUND_PIT : SB_GROUND_FREE;
    }
    for (int type = 0; type < n_types; type++) {
        const int first = p->n_things;
        for (int i = type; i < n_things; i += n_types) {
            l->thing[p->n_things] = (uint8_t)free_cell(b, l, rng);
            p->type[p->n_things++] = (int8_t)type;
        }
        qsort(&l->thing[first], (size_t)(p->n_things - first), 1, compare);
    }
    l->agent = (uint8_t)free_cell(b, l, rng);
}

static bool is_floor(const board *b, int cell) { return b->pushing.ground[cell] != SB_GROUND_WALL; }

/* Pulls a thing away from the goal, breadth-first, as if nothing else were there. */
static void measure_pushes(const board *b, int goal, int16_t pushes[SB_PUSHING_CELLS]) {
    uint8_t queue[SB_PUSHING_CELLS];
    int n = 0;
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        pushes[i] = SB_FAR;
        if (b->pushing.goal_at[i] == goal + 1) pushes[i] = 0, queue[n++] = (uint8_t)i;
    }
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 4; d++) {
            const int from = queue[i] - b->pushing.step_of[d], behind = from - b->pushing.step_of[d];
            if (!is_floor(b, from) || !is_floor(b, behind) || pushes[from] < SB_FAR) continue;
            pushes[from] = (int16_t)(pushes[queue[i]] + 1), queue[n++] = (uint8_t)from;
        }
}

static sb_push_state draw_board(board *b, sb_rng *rng, int n_things, int n_goals, bool is_roomy) {
    sb_push_state l = {0};
    *b = (board){.width = 6 + below(rng, 2), .height = 6, .is_roomy = is_roomy};
    if (is_roomy) b->width = 8, b->height = 7;
    sb_pushing *p = &b->pushing;
    p->n_goals = n_goals, p->is_done = sb_all_kept;
    const int n_types = is_roomy ? 1 : 1 + below(rng, 2);
    p->kept = n_types == 1 && below(rng, 2) ? SB_GROUND_WALL : SB_GROUND_WALKED;
    p->step_of[SB_NORTH] = -b->width, p->step_of[SB_SOUTH] = b->width;
    p->step_of[SB_WEST] = -1, p->step_of[SB_EAST] = 1;
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        const int x = i % b->width, y = i / b->width;
        const bool is_border = x == 0 || y == 0 || x == b->width - 1 || y >= b->height - 1;
        p->ground[i] = is_border || (!is_roomy && below(rng, 10) == 0) ? SB_GROUND_WALL : SB_GROUND_FREE;
    }
    place(b, &l, rng, n_things, n_types);
    for (int k = 0; k < n_goals; k++) measure_pushes(b, k, b->pushes[k]);
    sb_goals_draw(&b->goals, p, b->pushes);
    return l;
}

/* ---- Comparing ---- */

static struct sums {
    int64_t bounds, steps; /* of states that can be won */
    int n, lost, told;     /* states; those that cannot be won; those of which the bound says so */
    int full;              /* states whose list of matchings was full */
} sums;

/* Every open goal needs pushes of a thing of its own: each at least those of the nearest. */
static int plain_bound(void *plain, const void *layout) {
    const sb_pushing *p = plain;
    const sb_push_state *l = layout;
    int pushes = 0;
    for (int k = 0; k < p->n_goals; k++) {
        int nearest = SB_FAR;
        for (int i = 0; i < p->n_things; i++)
            if (p->type[i] == p->goal_type[k] && asked.pushes[k][l->thing[i]] < nearest)
                nearest = asked.pushes[k][l->thing[i]];
        if (nearest == SB_FAR) return -1;
        pushes += nearest;
    }
    return pushes;
}

/* Searches without a bound; on roomy boards with a plain one, and only through FEW_STATES. Returns -1 if there is no
 * way. */
static int fewest_steps(const board *b, const sb_push_state *l) {
    static sb_pushing plain;
    sb_budget budget = {.limit = UINT64_MAX};
    plain = b->pushing, plain.bound = b->is_roomy ? plain_bound : NULL;
    if (plain.is_done(&plain, l)) return 0;
    const sb_verdict verdict = sb_pushing_search(&plain, memory, b->is_roomy ? FEW_STATES : STATES, l, 1, 1000,
                                                 &budget);
    return verdict == SB_SOLVED ? sb_search_cost(memory) : verdict == SB_IMPOSSIBLE ? -1 : UNKNOWN;
}

static _Noreturn void fail_with(const sb_push_state *l, int bound, int steps) {
    const sb_pushing *p = &asked.pushing;
    for (int i = 0; i < asked.width * asked.height; i++) {
        char c = p->ground[i] == SB_GROUND_WALL ? '#' : '.';
        if (p->goal_at[i]) c = (char)('a' + p->goal_type[p->goal_at[i] - 1]);
        for (int k = 0; k < p->n_things; k++)
            if (l->thing[k] == i) c = (char)((p->goal_at[i] ? 'X' : 'A') + p->type[k]);
        print_error("%c%s", l->agent == i ? '@' : c, i % asked.width == asked.width - 1 ? "\n" : "");
    }
    fail_msg("the bound is %d, but %d steps are enough", bound, steps);
    abort();
}

static void compare_bound(const sb_push_state *l, int bound, int steps) {
    if (steps == UNKNOWN) return;
    sums.n++, sums.lost += steps < 0, sums.told += bound < 0;
    if (steps < 0) return;
    if (bound < 0 || bound > steps) fail_with(l, bound, steps);
    sums.bounds += bound, sums.steps += steps;
}

static bool check_pushes(const sb_push_state *l) {
    collects = true, found.n = 0;
    sb_pushing_expand(&asked.pushing, l, NULL);
    collects = false;
    sums.full += asked.goals.unlisted < SB_FAR;
    for (int i = 0; i < found.n; i++) compare_bound(&found.to[i], found.bound[i], fewest_steps(&asked, &found.to[i]));
    return found.n > 0;
}

/* Compares the bounds of a board's start and of pushes from there, and from where random pushes lead. */
static void check_board(sb_rng *rng, int n_things, int n_goals, bool is_roomy) {
    enum { PUSHES = 3 };
    sb_push_state l = draw_board(&asked, rng, n_things, n_goals, is_roomy);
    asked.pushing.n_expanded = 0;
    compare_bound(&l, sb_goals_bound(&asked.goals, &asked.pushing, &l), fewest_steps(&asked, &l));
    for (int k = 0; k < PUSHES && check_pushes(&l); k++) l = found.to[below(rng, found.n)];
}

static void begin(void) {
    sums = (struct sums){0};
    memory = calloc(1, SB_SEARCH_SIZE(sizeof(sb_push_state), STATES));
    assert_non_null(memory);
}

static void end(const char *what) {
    print_message("%s: %d states, %d of them lost, %d known to be; bound %.2f of the steps, %d lists full\n", what,
                  sums.n, sums.lost, sums.told, (double)sums.bounds / (double)sums.steps, sums.full);
    free(memory);
}

static void the_bound_never_exceeds_the_fewest_steps(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 11, NULL);
    begin();
    for (int i = 0; i < (TESTS_ARE_SLOW ? 100 : 1500); i++) {
        const int n_goals = 1 + below(&rng, 2);
        check_board(&rng, n_goals + below(&rng, 2), n_goals, false);
    }
    end("few things");
    assert_true(sums.told > 0 && sums.lost < sums.n);
}

/* Five things of one type can be matched with three goals in 60 ways, more than the list holds. */
static void the_bound_holds_where_there_are_too_many_matchings_to_list(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 12, NULL);
    begin();
    for (int i = 0; i < (TESTS_ARE_SLOW ? 40 : 600); i++) {
        check_board(&rng, 5, 3, true);
        assert_in_range(asked.goals.n, 0, SB_MATCHINGS_MAX);
    }
    end("many matchings");
    assert_true(sums.full > 0 && sums.lost < sums.n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_never_exceeds_the_fewest_steps),
        cmocka_unit_test(the_bound_holds_where_there_are_too_many_matchings_to_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
