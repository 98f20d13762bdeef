/* Where the observer of BabyAI looks next (oracles/babyai/explore.h), compared with the rule in plain words: every pose
 * that can be reached is looked from, and the best has the most worth for its steps.
 *
 * SEEDBED_NIGHTLY: more seeds. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "engine/minigrid/view.h"
#include "oracles/babyai/explore.h"
#include "rollout/selection.h"

/* ---- The worth of a cell that was never seen ---- */

enum { N_WANTED = 4, NOT_OPENED = 0, OPENED = 1 };

typedef struct rule {
    const sb_chart *chart;
    bool border; /* whether cells of the border may hold a door */
    int n_wanted;
    const sb_mg_description *wanted[N_WANTED];
    sb_mg_world guess;
    int worth[SB_MG_CELLS_MAX];
    int patience;
    int steps[SB_MG_CELLS_MAX][4][2]; /* to a pose, and to one in which the door ahead was opened; -1: no way */
} rule;

static void ask_for(rule *r, const sb_mg_description *d) {
    for (int i = 0; i < d->n_objects; i++)
        if (d->objects[i] != SB_MG_A_WALL) return; /* it was seen */
    r->wanted[r->n_wanted++] = d;
}

static void list_wanted(rule *r) {
    const sb_mg_part *part = sb_mg_part_in_turn(&r->chart->now.mission);
    for (int i = 0; i < part->n_singles; i++) {
        if (part->single[i].done) continue;
        ask_for(r, &part->single[i].what);
        if (part->single[i].verb == SB_MG_PUT_NEXT) ask_for(r, &part->single[i].to);
    }
}

/* Cells on lines of walls may be doors, others may be things. */
static bool is_line(const rule *r, sb_xy at) {
    const int pitch = r->chart->now.room_side - 1;
    return at.x % pitch == 0 || at.y % pitch == 0;
}

/* A room has one door at most in each wall, and none in its corners. */
static bool is_surely_wall(const rule *r, sb_xy at) {
    const sb_mg_world *w = &r->chart->now;
    const int pitch = w->room_side - 1;
    const bool column = at.x % pitch == 0, row = at.y % pitch == 0;
    if (!column && !row) return false;
    if ((column && row) || (sb_mg_on_border(w, at) && !r->border)) return true;
    for (int i = 0; i < sb_mg_n_cells(w); i++) {
        const sb_xy other = sb_mg_xy_of(w, i);
        const sb_mg_object *o = sb_mg_object_at(w, other);
        if (!o || o->type != SB_MG_DOOR) continue;
        if (column && other.x == at.x && other.y / pitch == at.y / pitch) return true;
        if (row && other.y == at.y && other.x / pitch == at.x / pitch) return true;
    }
    return false;
}

/* Tells whether the cell may hold what is wanted; `*by_side`: and it is on the side that the mission names. */
static bool may_hold_wanted(const rule *r, sb_xy at, bool *by_side) {
    const sb_mg_world *w = &r->chart->now;
    bool may = false;
    *by_side = false;
    for (int i = 0; i < r->n_wanted && !*by_side; i++) {
        const sb_mg_description *d = r->wanted[i];
        const bool type_fits = d->type == SB_MG_UNSEEN || (d->type == SB_MG_DOOR) == is_line(r, at);
        const sb_mg_location side = (sb_mg_location)d->location;
        if (!type_fits || !sb_mg_is_located(w, side, w->mission.start, w->mission.start_facing, at)) continue;
        may = true, *by_side = side != SB_MG_ANYWHERE;
    }
    return may;
}

static int worth_of(const rule *r, sb_xy at) {
    const sb_mg_world *w = &r->chart->now;
    const bool line = is_line(r, at), here = sb_mg_in_room(w, sb_mg_room_of(w, w->agent), at);
    bool by_side;
    if (sb_chart_has_seen(r->chart, at) || is_surely_wall(r, at)) return 0;
    if (r->n_wanted == 0) return line ? 2 : 4;
    if (!may_hold_wanted(r, at, &by_side)) return line ? 2 : 1;
    if (by_side || (here && line)) return 240;
    return here ? 5 : 4;
}

static int patience_of(const rule *r) {
    const sb_mg_world *w = &r->chart->now;
    int patience = 4;
    for (int i = 0; i < sb_mg_n_cells(w); i++) {
        const sb_xy at = sb_mg_xy_of(w, i);
        bool by_side;
        const bool here = sb_mg_in_room(w, sb_mg_room_of(w, w->agent), at);
        if (!here || worth_of(r, at) == 0 || !may_hold_wanted(r, at, &by_side)) continue;
        if (is_line(r, at)) return 0;
        patience = 2;
    }
    return patience;
}

static void begin_rule(rule *r, const sb_chart *chart, bool border) {
    memset(r, 0, sizeof *r);
    r->chart = chart, r->border = border && chart->is_vague;
    r->guess = chart->now;
    list_wanted(r);
    for (int i = 0; i < sb_mg_n_cells(&r->guess); i++) {
        const sb_xy at = sb_mg_xy_of(&r->guess, i);
        r->worth[i] = worth_of(r, at);
        if (!sb_chart_has_seen(chart, at) && !is_line(r, at)) r->guess.cells[i] = SB_MG_NOTHING;
    }
    r->patience = patience_of(r);
}

/* ---- Poses that can be reached ---- */

typedef struct node {
    sb_xy at;
    int facing, opened;
} node;

static int *steps_to(rule *r, node n) { return &r->steps[sb_mg_index(&r->guess, n.at)][n.facing][n.opened]; }

static bool may_open_doors(const sb_mg_mission *m) {
    for (int p = 0; p < sb_mg_n_parts(m); p++) {
        const sb_mg_single *first = &m->part[p].single[0];
        if (first->verb == SB_MG_OPEN && first->strict) return false;
    }
    return true;
}

static int list_next(const rule *r, node n, node next[3]) {
    const sb_mg_world *w = &r->chart->now;
    const sb_xy ahead = sb_mg_plus(n.at, sb_mg_forward_of[n.facing], 1);
    const sb_mg_object *o = sb_mg_object_at(w, ahead);
    int k = 0;
    if (n.opened) return next[0] = (node){ahead, n.facing, NOT_OPENED}, 1;
    next[k++] = (node){n.at, (n.facing + 1) % 4, NOT_OPENED};
    next[k++] = (node){n.at, (n.facing + 3) % 4, NOT_OPENED};
    if (sb_mg_passable(w, ahead))
        next[k++] = (node){ahead, n.facing, NOT_OPENED};
    else if (o && o->type == SB_MG_DOOR && !o->locked && may_open_doors(&w->mission))
        next[k++] = (node){n.at, n.facing, OPENED};
    return k;
}

/* Relaxes all steps until none becomes smaller. */
static void measure(rule *r) {
    const sb_mg_world *w = &r->chart->now;
    memset(r->steps, -1, sizeof r->steps);
    *steps_to(r, (node){w->agent, w->facing, NOT_OPENED}) = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < sb_mg_n_cells(w) * 8; i++) {
            const node n = {sb_mg_xy_of(w, i / 8), i / 2 % 4, i % 2};
            node next[3];
            if (*steps_to(r, n) < 0) continue;
            for (int k = list_next(r, n, next) - 1; k >= 0; k--) {
                int *steps = steps_to(r, next[k]);
                if (*steps >= 0 && *steps <= *steps_to(r, n) + 1) continue;
                *steps = *steps_to(r, n) + 1, changed = true;
            }
        }
    }
}

static int worth_seen_from(rule *r, node n) {
    sb_mg_world w = r->guess;
    sb_mg_visibility visibility;
    int sum = 0;
    w.agent = n.at, w.facing = (uint8_t)n.facing;
    if (n.opened) w.objects[sb_mg_id_at(&w, sb_mg_front(&w))].open = true;
    sb_mg_look(&w, SB_MG_VIEW_DEFAULT, &visibility);
    for (int i = 0; i < sb_mg_n_cells(&w); i++)
        if (r->worth[i] && sb_mg_sees_cell(&w, &visibility, sb_mg_xy_of(&w, i))) sum += r->worth[i];
    return sum;
}

/* ---- Comparing ---- */

/* What a pose is worth: `worth` for `steps`, with patience. No worth is no reason to go. */
typedef struct merit {
    int worth, pains, steps;
} merit;

static merit merit_of(rule *r, node n) {
    const int steps = *steps_to(r, n);
    return (merit){worth_seen_from(r, n), steps + r->patience, steps};
}

/* Equal ones: the nearer is better. */
static bool is_better(merit a, merit b) {
    const int left = a.worth * b.pains, right = b.worth * a.pains;
    return left > right || (left == right && a.worth > 0 && a.steps < b.steps);
}

static merit best_merit(rule *r) {
    const sb_mg_world *w = &r->chart->now;
    merit best = {.pains = 1};
    for (int i = 0; i < sb_mg_n_cells(w) * 8; i++) {
        const node n = {sb_mg_xy_of(w, i / 8), i / 2 % 4, i % 2};
        if (*steps_to(r, n) < 0) continue;
        const merit m = merit_of(r, n);
        if (is_better(m, best)) best = m;
    }
    return best;
}

static node end_of(const rule *r, const sb_outlook *outlook) {
    const sb_mg_world *w = &r->chart->now;
    node n = {w->agent, w->facing, NOT_OPENED};
    for (int i = 0; i < outlook->n; i++) {
        const sb_mg_action action = (sb_mg_action)outlook->actions[i];
        node next[3];
        node to = n;
        if (action == SB_MG_LEFT || action == SB_MG_RIGHT) to.facing = (n.facing + (action == SB_MG_LEFT ? 3 : 1)) % 4;
        if (action == SB_MG_FORWARD) to = (node){sb_mg_plus(n.at, sb_mg_forward_of[n.facing], 1), n.facing, NOT_OPENED};
        if (action == SB_MG_TOGGLE) to.opened = OPENED;
        int k = list_next(r, n, next);
        while (k > 0 && memcmp(&next[k - 1], &to, sizeof to) != 0) k--;
        assert_true(k > 0); /* the action leads there */
        n = to;
    }
    return n;
}

static int n_compared, n_ways;

static void compare(const sb_chart *chart, bool border) {
    static rule r;
    sb_budget budget = {.limit = UINT64_MAX};
    sb_outlook outlook = {.n = 0};
    const bool found = sb_explore(chart, border, &budget, &outlook);
    begin_rule(&r, chart, border);
    measure(&r);
    const merit best = best_merit(&r);
    n_compared++;
    assert_int_equal(found, best.worth > 0 && best.steps > 0);
    if (!found) return;
    const merit chosen = merit_of(&r, end_of(&r, &outlook));
    n_ways++;
    if (is_better(best, chosen) || outlook.n != chosen.steps)
        fail_msg("worth %d in %d steps (%d taken), but the best is %d in %d; patience %d", chosen.worth, chosen.steps,
                 outlook.n, best.worth, best.steps, r.patience);
}

/* ---- Charts: those of agents that explore, and now and then do something else ---- */

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static sb_mg_action choose(const sb_chart *chart, uint64_t *seed) {
    sb_budget budget = {.limit = UINT64_MAX};
    sb_outlook outlook;
    if (next_random(seed) % 4 == 0 || !sb_explore(chart, true, &budget, &outlook))
        return (sb_mg_action)(next_random(seed) % SB_MG_N_ACTIONS);
    return (sb_mg_action)outlook.actions[0];
}

static void follow(sb_env *env, int steps) {
    static sb_chart chart;
    sb_mg_world w = *sb_mg_world_of(env);
    uint64_t seed = env->name.seed;
    memset(&chart, 0, sizeof chart);
    for (int i = 0; i < steps; i++) {
        sb_mg_world shown = w;
        sb_result result;
        sb_mg_hide(&shown);
        sb_chart_update(&chart, &shown);
        for (int border = 0; border < 2; border++) compare(&chart, border);
        const sb_mg_action action = choose(&chart, &seed);
        sb_chart_act(&chart, action);
        sb_mg_step(&w, action, &result);
        if (result.terminated) return;
    }
}

/* ---- Charts with holes ---- */

static int between(uint64_t *seed, int first, int last) {
    return first + (int)(next_random(seed) % (uint64_t)(last - first + 1));
}

/* Makes the cells of a rectangle unseen. */
static void tear(sb_chart *chart, sb_xy from, sb_xy to) {
    sb_mg_world *w = &chart->now;
    for (int i = 0; i < sb_mg_n_cells(w); i++) {
        const sb_xy at = sb_mg_xy_of(w, i);
        if (at.x < from.x || at.y < from.y || at.x > to.x || at.y > to.y || sb_same(at, w->agent)) continue;
        if (sb_mg_object_at(w, at)) sb_mg_remove(w, sb_mg_id_at(w, at));
        w->cells[i] = SB_MG_A_WALL;
        chart->cells[at.y][at.x] = SB_CHART_UNSEEN;
    }
}

static void tear_anywhere(sb_chart *chart, uint64_t *seed) {
    const sb_mg_world *w = &chart->now;
    const int side = between(seed, 0, w->room_side);
    for (int n = between(seed, 1, 4); n > 0; n--) {
        const sb_xy from = sb_at(between(seed, 0, w->width - 1), between(seed, 0, w->height - 1));
        tear(chart, from, sb_at(from.x + between(seed, 0, side), from.y + between(seed, 0, side)));
    }
}

/* Makes unseen what a part of the mission asks for, with some cells around it. */
static void tear_out_wanted(sb_chart *chart, uint64_t *seed) {
    const sb_mg_world *w = &chart->now;
    const sb_mg_description d = sb_mg_part_in_turn(&w->mission)->single[0].what;
    for (int i = 0; i < d.n_objects; i++) {
        if (!sb_mg_is_object(d.objects[i]) || !w->objects[d.objects[i]].on_grid) continue;
        const sb_xy at = w->objects[d.objects[i]].at;
        const int left = between(seed, 0, 2), right = between(seed, 0, 2);
        tear(chart, sb_at(at.x - left, at.y - right), sb_at(at.x + right, at.y + left));
    }
}

/* Makes some of a mission fulfilled, and some of it about things of any type. */
static void stir_mission(sb_mg_mission *m, uint64_t *seed) {
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++) {
            if (between(seed, 0, 3) == 0) m->part[p].single[i].done = true;
            if (between(seed, 0, 3) == 0) m->part[p].single[i].what.type = SB_MG_UNSEEN;
        }
}

/* Puts the agent where it may stand, and opens some doors. */
static void stir(sb_mg_world *w, uint64_t *seed) {
    const sb_xy at = sb_at(between(seed, 1, w->width - 2), between(seed, 1, w->height - 2));
    if (sb_mg_empty(w, at)) w->agent = at;
    w->facing = (uint8_t)between(seed, 0, 3);
    for (int id = 1; id <= w->n_objects; id++)
        if (w->objects[id].type == SB_MG_DOOR && !w->objects[id].locked) w->objects[id].open = between(seed, 0, 2) == 0;
}

static void check_torn(sb_env *env, int times) {
    static sb_chart chart;
    sb_error error;
    uint64_t seed = env->name.seed * 31 + env->task_index;
    for (int i = 0; i < times; i++) {
        memset(&chart, 0, sizeof chart);
        memset(chart.cells, SB_CHART_EMPTY, sizeof chart.cells);
        chart.now = *sb_mg_world_of(env);
        stir(&chart.now, &seed);
        tear_anywhere(&chart, &seed);
        if (i % 2) tear_out_wanted(&chart, &seed);
        sb_mg_begin_tracking(&chart.now, &error);
        stir_mission(&chart.now.mission, &seed);
        chart.is_vague = between(&seed, 0, 1);
        for (int border = 0; border < 2; border++) compare(&chart, border);
    }
}

/* ---- The tests ---- */

/* Missions with and without a side, for doors, for other things and for things of any type, in one room and in many. */
static const char levels[] = "PickupLoc,GoToLocal,GoToDoor,OpenDoorLoc,OpenDoorsOrderN4,PutNextLocal,PutNextS6N3,"
                             "GoToSeqS5R2,KeyCorridorS3R2,GoToObjMazeS4R2,MiniBossLevel,ActionObjDoor,FindObjS5,"
                             "OneRoomS12,Open,OpenDoorDebug,OpenDoorsOrderN4Debug,PickupDist,GoToOpen,SynthLoc";

static void each_level(const char *seeds, void (*check)(sb_env *env, int times), int times) {
    sb_error error;
    sb_selection selection;
    sb_env *env = sb_make(NULL, NULL, &error);
    const sb_request request = {.family = "babyai", .tasks = levels, .seeds = seeds};
    assert_non_null(env);
    assert_ok(sb_select(&request, &selection, &error), error);
    n_compared = n_ways = 0;
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        check(env, times);
    }
    print_message("%d charts compared, %d with something to look for\n", n_compared, n_ways);
    assert_true(n_ways > n_compared / 3);
    sb_free(env);
    sb_selection_free(&selection);
}

static const char *seeds(void) { return TESTS_ARE_SLOW ? "0" : getenv("SEEDBED_NIGHTLY") ? "0..39" : "0..3"; }

static void test_an_observer_looks_where_the_most_worth_is_for_the_steps(void **state) {
    (void)state;
    each_level(seeds(), follow, TESTS_ARE_SLOW ? 8 : 20);
}

static void test_it_looks_for_what_holes_in_its_chart_may_hold(void **state) {
    (void)state;
    each_level(seeds(), check_torn, TESTS_ARE_SLOW ? 4 : 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_observer_looks_where_the_most_worth_is_for_the_steps),
        cmocka_unit_test(test_it_looks_for_what_holes_in_its_chart_may_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
