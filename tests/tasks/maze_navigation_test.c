/* MazeNavigation: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/navigation/maze_navigation.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_maze_navigation, 34, 6508);
}

/* ---- Instances ---- */

/* Counts the moves between two cells over EMPTY and this terrain, with the doors of colours up to `last_shut` closed;
 * -1 if there is no way. */
static int distance(const sb_episode *e, int also, int last_shut, sb_xy from, sb_xy to) {
    const sb_maze_navigation_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = e->cells[i].terrain == SB_EMPTY || e->cells[i].terrain == also;
    for (int i = 0; i <= last_shut; i++) open[sb_index(e, v->door[i])] = false;
    return igraph_distance(e, open, from, to);
}

static int count_ways_out(const sb_episode *e, sb_xy p) {
    int n = 0;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) n += sb_walkable(e, sb_beside(p, d));
    return n;
}

static void check_doors_and_keys(const sb_episode *e) {
    static const int most[] = {0, 1, 1, 2};
    const sb_maze_navigation_vars *v = SB_VARS(e);
    assert_int_equal(count_objects(e, SB_DOOR), v->n_doors);
    assert_int_equal(count_objects(e, SB_KEY), v->n_keys);
    assert_true(v->n_keys <= v->n_doors && v->n_doors <= most[e->difficulty]);
    if (v->n_doors > 0) assert_int_equal(distance(e, SB_HAZARD, 0, v->start, v->goal), -1);
    for (int i = 0; i < v->n_doors; i++) {
        assert_int_equal(sb_peek(e, v->door[i])->metadata, i);
        /* Each door stands on a shortest path. */
        assert_int_equal(distance(e, SB_EMPTY, -1, v->start, v->door[i]) +
                             distance(e, SB_EMPTY, -1, v->door[i], v->goal),
                         distance(e, SB_HAZARD, -1, v->start, v->goal));
    }
    for (int i = 0; i < v->n_keys; i++)
        assert_true(distance(e, SB_HAZARD, sb_peek(e, v->key[i])->metadata, v->start, v->key[i]) > 0);
}

static void check_instance(const sb_episode *e) {
    const sb_maze_navigation_vars *v = SB_VARS(e);
    check_walled(e);
    assert_true(sb_same(e->agent.at, v->start));
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_true(count_terrain(e, SB_HAZARD) <= (e->difficulty == SB_EXPERT ? 6 : e->difficulty == SB_HARD ? 4 : 0));
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].terrain == SB_HAZARD) assert_int_equal(count_ways_out(e, sb_xy_of(e, i)), 1);
    check_doors_and_keys(e);
}

static void doors_cut_the_goal_off_and_hazards_stand_aside(void **state) {
    (void)state;
    each_instance(&sb_maze_navigation, 60, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_maze_navigation, difficulty, seed, NULL, &error), error);
}

/* A maze with a way round every cell of the path has no door. A second door may have no key. */
static void doors_and_keys_may_be_missing(void **state) {
    (void)state;
    static const struct {
        sb_difficulty difficulty;
        uint64_t seed;
        int doors, keys;
    } known[] = {{SB_MEDIUM, 63, 0, 0}, {SB_MEDIUM, 71, 0, 0},  {SB_HARD, 22, 0, 0},
                 {SB_EXPERT, 92, 2, 1}, {SB_EXPERT, 134, 2, 1}, {SB_EXPERT, 0, 2, 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sb_episode e = {0};
        const sb_maze_navigation_vars *v = SB_VARS(&e);
        start(&e, known[i].difficulty, known[i].seed);
        assert_int_equal(v->n_doors, known[i].doors);
        assert_int_equal(v->n_keys, known[i].keys);
    }
}

/* ---- Steps ---- */

static int keys_and_open_doors(const sb_episode *e) {
    const sb_maze_navigation_vars *v = SB_VARS(e);
    int n = e->agent.n_items + count_objects(e, SB_KEY);
    for (int i = 0; i < v->n_doors; i++) n += !sb_door_is_closed(sb_peek(e, v->door[i]));
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_maze_navigation_vars *v = SB_VARS(after);
    const bool burnt = sb_terrain_here(after) == SB_HAZARD, at_goal = sb_same(after->agent.at, v->goal);
    assert_int_equal(keys_and_open_doors(after), v->n_keys); /* each key is somewhere, or its door is open */
    assert_true(sb_manhattan(before->agent.at, after->agent.at) <= 1);
    assert_true(sb_walkable(after, after->agent.at));
    assert_false(sb_door_is_closed(sb_peek(after, after->agent.at)));
    assert_true(sb_object_here(after) != SB_KEY);
    assert_int_equal(result->terminated, burnt || at_goal);
    assert_int_equal(result->success, at_goal);
    assert_true(result->reward == (at_goal ? 1.0 : 0.0));
    if (burnt) assert_true(result->dense == -0.5);
}

static void keys_are_neither_lost_nor_made(void **state) {
    (void)state;
    each_step(&sb_maze_navigation, 15, check_step);
}

/* Puts the agent beside a cell and moves into it. Returns whether the agent got there. */
static bool walk_into(sb_episode *e, sb_xy to, sb_result *result) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy from = sb_at(to.x - sb_delta[d].x, to.y - sb_delta[d].y);
        if (!sb_passable(e, from)) continue;
        e->agent.at = from;
        sb_episode_step(e, sb_move_of(d), result);
        assert_int_equal(e->agent.facing, d);
        return sb_same(e->agent.at, to);
    }
    fail_msg("no way to (%d,%d)", to.x, to.y);
    return false;
}

static void hazards_kill(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    int hazard = 0;
    start(&e, SB_HARD, 0);
    while (e.cells[hazard].terrain != SB_HAZARD) hazard++;
    assert_true(walk_into(&e, sb_xy_of(&e, hazard), &result));
    assert_true(result.terminated && !result.success);
    assert_true(result.reward == 0.0 && result.dense == -0.5);
}

static void a_door_opens_to_the_key_of_its_colour_alone(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_EXPERT, 0);
    const sb_maze_navigation_vars *v = SB_VARS(&e);
    assert_true(walk_into(&e, v->key[1], &result));
    assert_false(walk_into(&e, v->door[0], &result));
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(sb_peek(&e, v->door[0])->metadata, 0);
    assert_true(walk_into(&e, v->key[0], &result));
    assert_int_equal(e.agent.n_items, 2);
    assert_false(walk_into(&e, v->door[0], &result));
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(sb_peek(&e, v->door[0])->metadata, SB_DOOR_OPEN);
    assert_int_equal(e.agent.n_items, 1);
    assert_int_equal(e.items[0].value, 1);
    assert_true(walk_into(&e, v->door[0], &result));
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_maze_navigation, 7, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(doors_cut_the_goal_off_and_hazards_stand_aside),
        cmocka_unit_test(doors_and_keys_may_be_missing),
        cmocka_unit_test(keys_are_neither_lost_nor_made),
        cmocka_unit_test(hazards_kill),
        cmocka_unit_test(a_door_opens_to_the_key_of_its_colour_alone),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
