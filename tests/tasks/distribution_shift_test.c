/* DistributionShift: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/generalization/distribution_shift.h"

typedef sb_distribution_shift_vars vars;
typedef sb_distribution_shift_phase phase;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_distribution_shift, 31, 12050);
}

/* ---- Instances ---- */

static void open_floor(const sb_episode *e, const phase *p, bool *open) {
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = sb_area_has(&p->floor, sb_xy_of(e, i));
}

static bool has_cut(const phase *p) { return p->kind == SB_PHASE_KEY_DOOR || p->kind == SB_PHASE_LEVER_BARRIER; }

/* Returns whether the cut really separates start and goal. */
static bool is_cut(const sb_episode *e, const phase *p) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    open_floor(e, p, open);
    open[sb_index(e, p->cut)] = false;
    return igraph_distance(e, open, v->start, p->goal) < 0;
}

static void check_phase(const sb_episode *e, int k) {
    const vars *v = SB_VARS(e);
    const phase *p = &v->phase[k];
    const int rooms = (e->width - 1) / 2;
    bool open[SB_CELLS_MAX];
    open_floor(e, p, open);
    assert_in_range(p->kind, SB_PHASE_GOAL_REACH, SB_PHASE_COLLECTION);
    if (k > 0) assert_int_not_equal(p->kind, p[-1].kind);
    assert_in_range(sb_area_count(&p->floor, e->height) - (2 * rooms * rooms - 1), 0, k == 0 ? 2 : 0);
    assert_true(sb_manhattan(v->start, p->goal) >= e->width / 2);
    assert_true(igraph_distance(e, open, v->start, p->goal) > 0);
    if (has_cut(p)) {
        if (k > 0) assert_true(is_cut(e, p));
        open[sb_index(e, p->cut)] = false;
        assert_true(igraph_distance(e, open, v->start, p->item) >= 0);
    }
    assert_int_equal(p->n_gems, p->kind != SB_PHASE_COLLECTION ? 0 : k < 3 ? 2 + k : 5);
    for (int i = 0; i < p->n_gems; i++) {
        assert_true(igraph_distance(e, open, v->start, p->gem[i]) > 0);
        assert_false(sb_same(p->gem[i], p->goal));
        for (int j = 0; j < i; j++) assert_false(sb_same(p->gem[i], p->gem[j]));
    }
}

static void check_instance(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    check_walled(e);
    assert_int_equal(v->n_phases, e->difficulty + 3);
    for (int k = 0; k < v->n_phases; k++) check_phase(e, k);
}

static void every_phase_is_fit_for_an_agent_at_the_start(void **state) {
    (void)state;
    each_instance(&sb_distribution_shift, 30, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_distribution_shift, difficulty, seed, NULL, &error), error);
}

/* The corridor from the agent leads through the lever. */
static void a_lever_may_bar_the_way_to_its_barrier(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX] = {false};
    start(&e, SB_EASY, 1753692445);
    const phase *p = &v->phase[0];
    assert_true(sb_same(e.agent.at, sb_at(1, 1)) && sb_same(p->item, sb_at(1, 5)));
    assert_true(sb_same(p->cut, sb_at(5, 4)) && sb_same(p->goal, sb_at(5, 7)));
    open_terrain(&e, SB_EMPTY, open);
    open[sb_index(&e, p->cut)] = true;
    assert_true(igraph_distance(&e, open, v->start, p->goal) > 0);
    open[sb_index(&e, p->item)] = false;
    assert_int_equal(igraph_distance(&e, open, v->start, p->goal), -1);
}

/* ---- Phases ---- */

static void skip_to(sb_episode *e, int k) {
    const vars *v = SB_VARS(e);
    while (v->done < k) {
        e->agent.at = v->phase[v->done].goal;
        sb_distribution_shift_advance(e);
    }
}

/* Starts the first seed with a phase for which `is_meant` is true, and skips to that phase. */
static const phase *start_where(sb_episode *e, bool (*is_meant)(const sb_episode *e, const phase *p, sb_xy begins)) {
    const vars *v = SB_VARS(e);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        start(e, (sb_difficulty)(seed % SB_N_DIFFICULTIES), seed);
        for (int k = 0; k < v->n_phases; k++) {
            if (!is_meant(e, &v->phase[k], k == 0 ? v->start : v->phase[k - 1].goal)) continue;
            skip_to(e, k);
            return &v->phase[k];
        }
    }
    fail_msg("there is none");
    return NULL;
}

/* Returns the action to choose so that the agent moves in this direction. */
static sb_action towards(const sb_episode *e, sb_direction d) { return sb_distribution_shift.remap(e, sb_move_of(d)); }

static sb_result step(sb_episode *e, sb_action action) {
    sb_result result;
    sb_episode_step(e, action, &result);
    return result;
}

/* Leaves the cell on an open side and returns that side. */
static sb_direction leave(sb_episode *e) {
    sb_direction d = SB_NORTH;
    while (!sb_passable(e, sb_beside(e->agent.at, d))) d++;
    step(e, towards(e, d));
    return d;
}

static void come_back(sb_episode *e, sb_direction left_to) { step(e, towards(e, (sb_direction)((left_to + 2) % 4))); }

static bool begins_on_its_goal(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e;
    return p->kind != SB_PHASE_COLLECTION && sb_same(p->goal, begins) && !has_cut(p);
}

static void a_goal_that_a_phase_begins_on_counts_after_coming_back(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    const phase *p = start_where(&e, begins_on_its_goal);
    const int done = v->done;
    assert_true(sb_same(e.agent.at, p->goal));
    assert_int_equal(sb_object_here(&e), SB_GOAL);
    step(&e, SB_NOOP);
    assert_int_equal(v->done, done);
    const sb_direction d = leave(&e);
    assert_int_equal(v->done, done);
    come_back(&e, d);
    assert_int_equal(v->done, done + 1);
}

static bool begins_on_its_key(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e;
    return p->kind == SB_PHASE_KEY_DOOR && sb_same(p->item, begins);
}

static void a_key_that_a_phase_begins_on_is_picked_up_after_coming_back(void **state) {
    (void)state;
    sb_episode e = {0};
    start_where(&e, begins_on_its_key);
    assert_int_equal(sb_object_here(&e), SB_KEY);
    step(&e, SB_INTERACT);
    assert_int_equal(e.agent.n_items, 0);
    come_back(&e, leave(&e));
    assert_int_equal(e.agent.n_items, 1);
    assert_int_equal(sb_object_here(&e), SB_NONE);
}

static bool begins_on_its_door(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e;
    return p->kind == SB_PHASE_KEY_DOOR && sb_same(p->cut, begins);
}

static void a_door_that_a_phase_begins_on_can_be_left_but_not_entered_again(void **state) {
    (void)state;
    sb_episode e = {0};
    const phase *p = start_where(&e, begins_on_its_door);
    assert_true(sb_same(e.agent.at, p->cut) && sb_door_is_closed(sb_peek(&e, p->cut)));
    const sb_direction d = leave(&e);
    come_back(&e, d);
    assert_true(sb_same(e.agent.at, sb_beside(p->cut, d)));
    sb_take(&e, SB_ITEM_KEY, 0, p->item);
    step(&e, SB_INTERACT);
    assert_int_equal(e.agent.n_items, 0);
    come_back(&e, d);
    assert_true(sb_same(e.agent.at, p->cut));
}

static bool begins_inside_its_barrier(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e;
    return p->kind == SB_PHASE_LEVER_BARRIER && sb_same(p->cut, begins);
}

static void a_barrier_that_a_phase_begins_inside_is_gone(void **state) {
    (void)state;
    sb_episode e = {0};
    const phase *p = start_where(&e, begins_inside_its_barrier);
    assert_true(sb_same(e.agent.at, p->cut));
    assert_int_equal(sb_terrain_here(&e), SB_EMPTY);
    come_back(&e, leave(&e));
    assert_true(sb_same(e.agent.at, p->cut));
}

static bool lacks_a_cut(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)begins;
    return has_cut(p) && !is_cut(e, p);
}

/* The first phase may have a loop beside the start. The cut is then in the middle of the way and has no effect. */
static void a_loop_may_lead_round_door_or_barrier(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX];
    const phase *p = start_where(&e, lacks_a_cut);
    assert_true(p == v->phase);
    open_floor(&e, p, open);
    const int to_goal = igraph_distance(&e, open, v->start, p->goal);
    const int to_cut = igraph_distance(&e, open, v->start, p->cut);
    assert_int_equal(to_cut, (to_goal + 1) / 2);
    assert_int_equal(igraph_distance(&e, open, p->cut, p->goal), to_goal - to_cut);
}

static bool has_its_item_on_the_goal(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e, (void)begins;
    return has_cut(p) && sb_same(p->item, p->goal);
}

static void a_key_or_lever_on_the_goal_takes_its_place(void **state) {
    (void)state;
    sb_episode e = {0};
    const phase *p = start_where(&e, has_its_item_on_the_goal);
    assert_int_equal(sb_peek(&e, p->goal)->object, p->kind == SB_PHASE_KEY_DOOR ? SB_KEY : SB_LEVER);
    assert_int_equal(count_objects(&e, SB_GOAL), 0);
}

static void the_controls_are_reversed_after_some_phases(void **state) {
    (void)state;
    static const int after[SB_N_DIFFICULTIES] = {99, 99, 3, 2};
    for (sb_difficulty difficulty = SB_EASY; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        const vars *v = SB_VARS(&e);
        start(&e, difficulty, 0);
        for (int k = 0; k < v->n_phases; k++) {
            skip_to(&e, k);
            for (sb_action a = SB_NOOP; a < SB_N_ACTIONS; a++) {
                sb_episode copy;
                sb_episode_copy(&copy, &e);
                copy.agent.facing = SB_NORTH;
                const sb_direction d = sb_direction_of(a);
                step(&copy, a);
                assert_int_equal(copy.agent.facing, d == SB_NOWHERE         ? SB_NORTH
                                                    : k < after[difficulty] ? d
                                                                            : (d + 2) % 4);
            }
        }
    }
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const phase *p = sb_distribution_shift_current(v), *was = sb_distribution_shift_current(old);
    const bool moved = !sb_same(before->agent.at, after->agent.at);
    if (moved) assert_true(sb_same(after->agent.at, sb_beside(before->agent.at, (sb_direction)after->agent.facing)));
    assert_in_range(v->done - old->done, 0, 1);
    if (v->done > old->done) assert_true(moved && sb_same(after->agent.at, was->goal));
    assert_int_equal(v->gems_left, count_objects(after, SB_GEM));
    assert_int_equal(count_objects(after, SB_GOAL),
                     !(has_cut(p) && sb_same(p->goal, p->item)) && !(p->kind == SB_PHASE_COLLECTION && v->gems_left));
    const bool is_unlocked = sb_peek(after, p->cut)->metadata == SB_DOOR_OPEN;
    assert_int_equal(after->agent.n_items + count_objects(after, SB_KEY) + is_unlocked, p->kind == SB_PHASE_KEY_DOOR);
    if (v->barrier_open) assert_int_equal(sb_peek(after, p->cut)->terrain, SB_EMPTY);
    assert_int_equal(sb_terrain_here(after), SB_EMPTY);
    assert_true(result->terminated == (v->done == v->n_phases));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void keys_gems_and_goals_are_where_they_belong(void **state) {
    (void)state;
    each_step(&sb_distribution_shift, 20, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_distribution_shift, 7, 5);
}

/* Puts the agent beside a cell from which it can walk there, and steers it in. */
static sb_result steer_in(sb_episode *e, sb_xy to) {
    sb_direction d = SB_NORTH;
    while (!sb_passable(e, sb_beside(to, d))) d++;
    e->agent.at = sb_beside(to, d);
    const sb_result result = step(e, towards(e, (sb_direction)((d + 2) % 4)));
    assert_true(sb_same(e->agent.at, to));
    return result;
}

static bool is_collection(const sb_episode *e, const phase *p, sb_xy begins) {
    (void)e, (void)begins;
    return p->kind == SB_PHASE_COLLECTION;
}

static void the_goal_appears_with_the_last_gem(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    const phase *p = start_where(&e, is_collection);
    const int done = v->done;
    steer_in(&e, p->goal);
    assert_int_equal(v->done, done);
    for (int i = 0; i < p->n_gems; i++) {
        assert_int_equal(sb_peek(&e, p->goal)->object, SB_NONE);
        steer_in(&e, p->gem[i]);
    }
    assert_int_equal(sb_peek(&e, p->goal)->object, SB_GOAL);
    steer_in(&e, p->goal);
    assert_int_equal(v->done, done + 1);
}

static void each_phase_is_paid_for_and_the_last_one_more(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EXPERT, 0);
    while (v->done < v->n_phases) {
        const sb_xy goal = v->phase[v->done].goal;
        const bool is_last = v->done == v->n_phases - 1;
        sb_set_object(&e, goal, SB_GOAL, 0);
        const sb_result result = steer_in(&e, goal);
        assert_true(result.dense == -0.01 + (is_last ? 1.0 : 0.3));
        assert_true(result.success == is_last && result.terminated == is_last);
        assert_int_equal(e.agent.n_items, 0);
    }
}

/* Masking keeps the current phase as far as observations show it, and removes the later ones. */
static void hiding_leaves_nothing_of_later_phases_and_no_barrier(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start_where(&e, begins_inside_its_barrier);
    const int k = v->done;
    sb_episode_hide(&e);
    for (int i = 0; i < SB_DISTRIBUTION_SHIFT_PHASES; i++)
        assert_int_equal(v->phase[i].kind, i == k ? SB_PHASE_LEVER_BARRIER : SB_PHASE_UNKNOWN);
    assert_true(sb_same(v->phase[k].cut, sb_at(0, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(every_phase_is_fit_for_an_agent_at_the_start),
        cmocka_unit_test(a_lever_may_bar_the_way_to_its_barrier),
        cmocka_unit_test(a_goal_that_a_phase_begins_on_counts_after_coming_back),
        cmocka_unit_test(a_key_that_a_phase_begins_on_is_picked_up_after_coming_back),
        cmocka_unit_test(a_door_that_a_phase_begins_on_can_be_left_but_not_entered_again),
        cmocka_unit_test(a_barrier_that_a_phase_begins_inside_is_gone),
        cmocka_unit_test(a_loop_may_lead_round_door_or_barrier),
        cmocka_unit_test(a_key_or_lever_on_the_goal_takes_its_place),
        cmocka_unit_test(the_controls_are_reversed_after_some_phases),
        cmocka_unit_test(keys_gems_and_goals_are_where_they_belong),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(the_goal_appears_with_the_last_gem),
        cmocka_unit_test(each_phase_is_paid_for_and_the_last_one_more),
        cmocka_unit_test(hiding_leaves_nothing_of_later_phases_and_no_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
