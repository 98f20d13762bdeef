/* RecursiveRooms: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/navigation/recursive_rooms.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_recursive_rooms, 31, 6817);
}

/* The published generator also demands max(10, n * n / 8) EMPTY cells. Ours need not check this, because rooms are at
 * least two cells wide. */
static void check_instance(const sb_episode *e) {
    const sb_recursive_rooms_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    const int n = e->width, empty = count_terrain(e, SB_EMPTY);
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(empty + count_terrain(e, SB_WALL), n * n);
    assert_true(empty >= 10 && empty >= n * n / 8);
    assert_int_equal(count_objects(e, SB_NONE), n * n - 1);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_true(sb_same(e->agent.at, sb_at(1, 1)));
    assert_true(sb_manhattan(v->start, v->goal) >= n / 2);
    assert_true(igraph_distance(e, open, v->start, v->goal) >= sb_recursive_rooms.bound(e));
    assert_int_equal(v->n_doorways % 3, 0);
}

static void the_goal_is_far_but_within_reach(void **state) {
    (void)state;
    each_instance(&sb_recursive_rooms, 100, check_instance);
}

static void assert_same_instance(sb_difficulty difficulty, uint64_t a, uint64_t b) {
    sb_episode e[2] = {0};
    sb_error error;
    uint8_t digest[2][32];
    for (int i = 0; i < 2; i++) {
        assert_ok(sb_episode_start(&e[i], &sb_recursive_rooms, difficulty, i ? b : a, NULL, &error), error);
        sb_episode_digest(&e[i], digest[i]);
    }
    assert_memory_equal(digest[0], digest[1], 32);
}

static void a_rejected_seed_has_the_instance_of_a_later_one(void **state) {
    (void)state;
    assert_same_instance(SB_EASY, 42, 1042);
    assert_same_instance(SB_MEDIUM, 42, 3042);
}

static void after_twenty_rejections_there_are_four_plain_rooms(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_error error;
    assert_ok(sb_episode_start(&e, &sb_recursive_rooms, SB_EXPERT, 97449, NULL, &error), error);
    const sb_recursive_rooms_vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX];
    open_terrain(&e, SB_EMPTY, open);
    assert_int_equal(v->n_doorways, 4);
    assert_true(sb_same(v->goal, sb_at(29, 29)));
    assert_int_equal(count_terrain(&e, SB_EMPTY), 4 * 14 * 14 + 4);
    assert_int_equal(igraph_distance(&e, open, v->start, v->goal), 56);
}

/* Only the agent moves. */
static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_recursive_rooms_vars *v = SB_VARS(after);
    assert_memory_equal(before->cells, after->cells, sizeof *after->cells * (size_t)sb_n_cells(after));
    assert_memory_equal(before->vars, after->vars, sizeof *v);
    assert_int_equal(sb_terrain_here(after), SB_EMPTY);
    assert_true(sb_manhattan(before->agent.at, after->agent.at) <= 1);
    assert_true(result->terminated == sb_same(after->agent.at, v->goal));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void nothing_changes_but_the_agent(void **state) {
    (void)state;
    each_step(&sb_recursive_rooms, 20, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_recursive_rooms, 7, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_goal_is_far_but_within_reach),
        cmocka_unit_test(a_rejected_seed_has_the_instance_of_a_later_one),
        cmocka_unit_test(after_twenty_rejections_there_are_four_plain_rooms),
        cmocka_unit_test(nothing_changes_but_the_agent),
        cmocka_unit_test(interacting_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
