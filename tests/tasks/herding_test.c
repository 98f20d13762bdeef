/* Herding: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/multi_agent/herding.h"

typedef sb_herding_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_herding, 30, 12761);
}

/* ---- Instances ---- */

static void check_pen(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int side = e->difficulty == SB_EASY ? 2 : 3;
    int n = 0;
    assert_int_equal(v->pen_last.x - v->pen_first.x, side - 1);
    assert_int_equal(v->pen_last.y - v->pen_first.y, side - 1);
    assert_true(v->pen_first.x == 1 || v->pen_last.x == e->width - 2);
    assert_true(v->pen_first.y == 1 || v->pen_last.y == e->height - 2);
    for (int y = v->pen_first.y; y <= v->pen_last.y; y++)
        for (int x = v->pen_first.x; x <= v->pen_last.x; x++) n += sb_peek(e, sb_at(x, y))->object == SB_TARGET;
    assert_int_equal(n, v->n_pen);
    assert_int_equal(count_objects(e, SB_TARGET), v->n_pen);
    assert_int_equal(v->n_pen, side * side - (sb_peek(e, v->start)->object == SB_NONE && v->start.x >= v->pen_first.x &&
                                              v->start.x <= v->pen_last.x && v->start.y >= v->pen_first.y &&
                                              v->start.y <= v->pen_last.y));
}

static void check_instance(const sb_episode *e) {
    static const int sheep[SB_N_DIFFICULTIES] = {2, 3, 4, 5}, obstacles[SB_N_DIFFICULTIES] = {0, 2, 4, 6};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    check_pen(e);
    open_walkable(e, open);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    assert_int_equal(v->n_sheep, sheep[e->difficulty]);
    assert_int_equal(count_objects(e, SB_SHEEP), v->n_sheep);
    for (int i = 0; i < v->n_sheep; i++) {
        assert_int_equal(sb_peek(e, v->sheep[i])->object, SB_SHEEP);
        assert_true(igraph_distance(e, open, v->sheep[i], v->pen[0]) > 0);
        assert_true(igraph_distance(e, open, v->sheep[i], v->start) > 0);
    }
}

static void the_pen_lies_in_a_corner_and_every_sheep_can_be_reached(void **state) {
    (void)state;
    each_instance(&sb_herding, 60, check_instance);
}

/* ---- Steps ---- */

static void check_sheep(const sb_episode *before, const sb_episode *after, int i) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const sb_xy from = old->sheep[i], to = v->sheep[i];
    const bool was_home = sb_herding_is_pen(v, from), may_move = after->clock % sb_herding_pace[after->difficulty] == 0;
    const sb_cell *shown = sb_peek(after, to);
    assert_true(sb_manhattan(from, to) <= (may_move && !was_home));
    assert_int_equal(v->locked[i], was_home); /* locked in the step after it came in */
    assert_int_equal(shown->object, was_home ? SB_TARGET : SB_SHEEP);
    if (was_home) assert_int_equal(shown->metadata, 0);
    if (!sb_same(from, to)) assert_true(sb_same(to, sb_beside(from, (sb_direction)shown->metadata)));
    const int distance = sb_manhattan(from, after->agent.at);
    if (distance <= SB_HERDING_NEAR) assert_true(sb_same(from, to) || sb_manhattan(to, after->agent.at) > distance);
    for (int j = 0; j < i; j++) assert_false(sb_same(v->sheep[j], to));
}

static int count_home(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < v->n_sheep; i++) n += sb_herding_is_pen(v, v->sheep[i]);
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    const int bound = before->task->bound(before), left = after->task->bound(after);
    for (int i = 0; i < v->n_sheep; i++) check_sheep(before, after, i);
    assert_int_equal(result->terminated, count_home(after) == v->n_sheep);
    assert_int_equal(result->success, result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
    assert_int_equal(bound < 0, left < 0); /* sheep take the places one by one */
    assert_true(left >= bound - 1);        /* otherwise the bound fell by more than the one step taken */
    if (left >= 0) assert_int_equal(left == 0, result->success);
}

static void sheep_move_in_their_pace_flee_from_the_agent_and_are_locked_in_the_pen(void **state) {
    (void)state;
    each_step(&sb_herding, 30, check_step);
}

/* ---- Special states ---- */

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_herding, difficulty, seed, NULL, &error), error);
}

/* Sets up a meadow on expert, where sheep move in every step. The pen is at the bottom right; sheep that are not needed
 * are locked in it. */
static vars *make_meadow(sb_episode *e, sb_xy agent, int n, const sb_xy *sheep) {
    vars *v = SB_VARS(e);
    start(e, SB_EXPERT, 0);
    v->start = sb_at(1, 1);
    v->pen_first = sb_at(14, 14), v->pen_last = sb_at(16, 16), v->n_pen = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        if (!sb_interior(e, p)) continue;
        e->cells[i] = (sb_cell){0};
        if (!sb_herding_is_pen(v, p)) continue;
        sb_set_object(e, p, SB_TARGET, 0);
        v->pen[v->n_pen++] = p;
    }
    for (int i = 0; i < v->n_sheep; i++) {
        v->locked[i] = i >= n;
        v->sheep[i] = i < n ? sheep[i] : v->pen[4 + i]; /* away from the pen's edge */
        if (i < n) sb_set_object(e, sheep[i], SB_SHEEP, SB_SOUTH);
    }
    e->agent.at = agent;
    return v;
}

static void assert_flees(sb_xy agent, sb_xy sheep, sb_direction expected) {
    sb_episode e = {0};
    sb_result result;
    const vars *v = make_meadow(&e, agent, 1, &sheep);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->sheep[0], sb_beside(sheep, expected)));
    assert_int_equal(sb_peek(&e, v->sheep[0])->metadata, expected);
}

static void fleeing_sheep_prefer_east_to_west_to_south_to_north(void **state) {
    (void)state;
    const sb_xy here = sb_at(8, 8), at_edge = sb_at(16, 8), in_corner = sb_at(1, 1);
    assert_flees(here, here, SB_EAST); /* the agent may stand on a sheep */
    assert_flees(sb_at(8, 6), here, SB_EAST);
    assert_flees(sb_at(9, 8), here, SB_WEST);
    assert_flees(sb_at(15, 7), at_edge, SB_SOUTH);
    assert_flees(sb_at(15, 9), at_edge, SB_NORTH);
    assert_flees(sb_at(1, 2), in_corner, SB_EAST);
    assert_flees(sb_at(2, 1), in_corner, SB_SOUTH);
}

static void who_moves_first_makes_room_or_stands_in_the_way(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    const sb_xy leader_first[] = {sb_at(9, 8), sb_at(8, 8)}, leader_last[] = {sb_at(8, 8), sb_at(9, 8)};
    const vars *v = make_meadow(&e, sb_at(7, 8), 2, leader_first);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->sheep[0], sb_at(10, 8)) && sb_same(v->sheep[1], sb_at(9, 8)));
    make_meadow(&e, sb_at(7, 8), 2, leader_last);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(sb_same(v->sheep[0], sb_at(8, 9)) && sb_same(v->sheep[1], sb_at(10, 8)));
}

static void the_episode_ends_when_the_last_sheep_comes_in_though_it_is_not_locked_yet(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    const sb_xy sheep = sb_at(13, 15);
    const vars *v = make_meadow(&e, sb_at(11, 15), 1, &sheep);
    assert_int_equal(e.task->bound(&e), 1);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(result.success && result.terminated && result.reward == 1.0);
    assert_true(result.dense == -0.01 + 0.05 * v->n_sheep + 1.0);
    assert_false(v->locked[0]);
    assert_int_equal(sb_peek(&e, sb_at(14, 15))->object, SB_SHEEP);
}

/* Five sheep need all five places at the edge of the pen. */
static void a_wall_before_the_pen_makes_five_sheep_too_many(void **state) {
    (void)state;
    static const sb_xy sheep[] = {{3, 3}, {5, 5}, {7, 7}, {9, 9}, {11, 11}};
    sb_episode e = {0};
    vars *v = make_meadow(&e, sb_at(1, 1), 5, sheep);
    assert_int_equal(e.task->bound(&e), 22);
    sb_cell_at(&e, sb_at(13, 14))->terrain = SB_WALL; /* the corner place is also open to the north */
    assert_int_equal(e.task->bound(&e), 22);
    sb_cell_at(&e, sb_at(13, 15))->terrain = SB_WALL;
    assert_int_equal(e.task->bound(&e), -1);
    v->n_sheep = 4;
    assert_int_equal(e.task->bound(&e), 22);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_pen_lies_in_a_corner_and_every_sheep_can_be_reached),
        cmocka_unit_test(sheep_move_in_their_pace_flee_from_the_agent_and_are_locked_in_the_pen),
        cmocka_unit_test(fleeing_sheep_prefer_east_to_west_to_south_to_north),
        cmocka_unit_test(who_moves_first_makes_room_or_stands_in_the_way),
        cmocka_unit_test(the_episode_ends_when_the_last_sheep_comes_in_though_it_is_not_locked_yet),
        cmocka_unit_test(a_wall_before_the_pen_makes_five_sheep_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
