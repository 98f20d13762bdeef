/* DelayedGratification: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/memory/delayed_gratification.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_delayed_gratification, 30, 1831);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_delayed_gratification, difficulty, seed, NULL, &error), error);
}

/* ---- Instances ---- */

/* Opens the cells without walls, hazards and decoys. */
static void open_clean_floor(const sb_episode *e, bool *open) {
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_KEY) open[i] = false;
}

static bool is_corner(const sb_episode *e, sb_xy p) {
    return (p.x == 1 || p.x == e->width - 2) && (p.y == 1 || p.y == e->height - 2);
}

static void check_plain_room(const sb_episode *e) {
    const sb_delayed_gratification_vars *v = SB_VARS(e);
    assert_true(is_corner(e, v->start) && is_corner(e, v->goal));
    assert_true(sb_same(v->decoy[0], sb_at(3, 1)));
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1));
    assert_int_equal(count_terrain(e, SB_HAZARD), 0);
}

/* Every cell that may hold a decoy and is nearer to the start than some decoy has a decoy. Hazards were placed
 * later. */
static void check_decoys_are_the_nearest(const sb_episode *e) {
    enum { NEAREST = 3 };
    const sb_delayed_gratification_vars *v = SB_VARS(e);
    const int farthest = sb_manhattan(v->start, v->decoy[v->n_decoys - 1]);
    for (int i = 0; i < v->n_decoys; i++) assert_in_range(sb_manhattan(v->start, v->decoy[i]), NEAREST, farthest);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const int distance = sb_manhattan(v->start, sb_xy_of(e, i));
        if (e->cells[i].terrain != SB_WALL && distance >= NEAREST && distance < farthest)
            assert_int_not_equal(e->cells[i].object, SB_NONE);
    }
}

static int n_plain_rooms;

static void check_instance(const sb_episode *e) {
    static const int decoys[] = {2, 4, 6, 12}, walls[] = {0, 4, 8, 18}, hazards[] = {0, 0, 3, 10};
    const sb_delayed_gratification_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_clean_floor(e, open);
    assert_true(igraph_distance(e, open, v->start, v->goal) >= e->width / 2);
    assert_int_equal(count_objects(e, SB_GOAL), 1);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_int_equal(count_objects(e, SB_KEY), v->n_decoys);
    for (int i = 0; i < v->n_decoys; i++) assert_int_equal(sb_peek(e, v->decoy[i])->object, SB_KEY);
    if (v->n_decoys == 1) {
        check_plain_room(e);
        n_plain_rooms++;
        return;
    }
    assert_int_equal(v->n_decoys, decoys[e->difficulty]);
    assert_true(count_terrain(e, SB_WALL) - 4 * (e->width - 1) <= walls[e->difficulty]);
    assert_true(count_terrain(e, SB_HAZARD) <= hazards[e->difficulty]);
    check_decoys_are_the_nearest(e);
}

static void a_clean_way_leads_past_the_decoys(void **state) {
    (void)state;
    each_instance(&sb_delayed_gratification, 100, check_instance);
}

/* Twelve decoys always shut in the start; six do so in a few instances on hard. */
static void expert_is_always_a_plain_room(void **state) {
    (void)state;
    n_plain_rooms = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        sb_episode e = {0};
        start(&e, SB_EXPERT, seed);
        check_instance(&e);
    }
    assert_int_equal(n_plain_rooms, 100);
}

static void few_instances_of_hard_are_plain_rooms(void **state) {
    (void)state;
    n_plain_rooms = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        sb_episode e = {0};
        start(&e, SB_HARD, seed);
        check_instance(&e);
    }
    assert_in_range(n_plain_rooms, 1, 20);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_delayed_gratification_vars *v = SB_VARS(after);
    assert_false(sb_has_lost(before));
    assert_true(sb_has_lost(after) ==
                (sb_object_here(before) != SB_KEY && sb_peek(before, after->agent.at)->object == SB_KEY));
    assert_int_equal(count_objects(after, SB_KEY), v->n_decoys - sb_has_lost(after));
    assert_int_equal(count_objects(after, SB_GOAL), 1);
    assert_true(result->success == sb_same(after->agent.at, v->goal));
    assert_true(result->terminated == (result->success || sb_has_lost(after)));
    assert_true(result->reward == (sb_has_lost(after) ? 0.05 : result->success ? 1.0 : 0.0));
    if (sb_has_lost(after)) assert_true(result->dense == -0.5);
    if (sb_same(before->agent.at, after->agent.at)) assert_true(result->dense == -0.01);
}

static void a_decoy_pays_little_and_ends_the_episode(void **state) {
    (void)state;
    each_step(&sb_delayed_gratification, 60, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_delayed_gratification, 7, 5);
}

static void hazards_do_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_delayed_gratification_vars *v = SB_VARS(&e);
    int n = 0;
    start(&e, SB_HARD, 0);
    for (int i = 0; i < sb_n_cells(&e); i++) {
        const sb_xy at = sb_xy_of(&e, i);
        if (e.cells[i].terrain != SB_HAZARD) continue;
        const int closer = sb_manhattan(sb_beside(at, SB_WEST), v->goal) - sb_manhattan(at, v->goal);
        const sb_result result = enter(&e, at);
        assert_true(result.dense == -0.01 + 0.05 * closer);
        assert_false(result.terminated);
        n++;
    }
    assert_int_equal(n, 3);
}

static void reaching_the_goal_pays_exactly_one(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_delayed_gratification_vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 1);
    const sb_result result = enter(&e, v->goal);
    assert_true(result.success && result.reward == 1.0 && result.dense == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(a_clean_way_leads_past_the_decoys),
        cmocka_unit_test(expert_is_always_a_plain_room),
        cmocka_unit_test(few_instances_of_hard_are_plain_rooms),
        cmocka_unit_test(a_decoy_pays_little_and_ends_the_episode),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(hazards_do_nothing),
        cmocka_unit_test(reaching_the_goal_pays_exactly_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
