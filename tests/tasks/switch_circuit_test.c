/* SwitchCircuit: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/reasoning/switch_circuit.h"

typedef sb_switch_circuit_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_switch_circuit, 30, 8173);
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(v->n_switches, e->difficulty + 2);
    assert_int_equal(count_objects(e, SB_SWITCH), v->n_switches);
    assert_int_equal(count_objects(e, SB_GOAL), 1);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_false(sb_same(v->start, v->at[0]));
    for (int i = 0; i < v->n_switches; i++) {
        assert_int_equal(sb_peek(e, v->at[i])->object, SB_SWITCH);
        assert_int_equal(sb_peek(e, v->at[i])->metadata, 0);
        assert_int_equal(sb_peek(e, v->door[i])->terrain, SB_WALL);
        assert_int_equal(sb_peek(e, v->door[i])->metadata, i);
        assert_int_equal(igraph_distance(e, open, v->start, v->at[i]) > 0, i == 0); /* one switch in each room */
    }
    assert_int_equal(igraph_distance(e, open, v->start, v->goal), -1);
    for (int i = 0; i < v->n_switches; i++) open[sb_index(e, v->door[i])] = true;
    for (int i = 0; i < v->n_switches; i++) assert_true(igraph_distance(e, open, v->start, v->at[i]) > 0);
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
}

static void every_switch_and_the_goal_are_behind_doors(void **state) {
    (void)state;
    each_instance(&sb_switch_circuit, 40, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_switch_circuit, difficulty, seed, NULL, &error), error);
}

/* A switch is solid, and a door has one cell on either side, so a switch in front of a door blocks it. Some doors lead
 * only to the switch's own room, and then the switch can be operated from the doorway. */
static bool is_harmless(int difficulty, int i, int door) {
    static const int rooms_at_dead_ends[SB_N_DIFFICULTIES] = {0, 1 << 2, 1 << 1 | 1 << 2 | 1 << 3, 1 << 2};
    return (rooms_at_dead_ends[difficulty] >> i & 1) && door == i - 1;
}

typedef struct neighbours {
    int harmless, harmful; /* pairs of a switch and a door beside it */
} neighbours;

static neighbours count_neighbours(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    neighbours n = {0};
    for (int i = 0; i < v->n_switches; i++)
        for (int d = 0; d < v->n_switches; d++)
            if (sb_manhattan(v->at[i], v->door[d]) == 1)
                (*(is_harmless(e->difficulty, i, d) ? &n.harmless : &n.harmful))++;
    return n;
}

/* Returns whether a switch can be faced from a reachable open cell. */
static bool can_operate(const sb_episode *e, const bool *open, sb_xy target) {
    const vars *v = SB_VARS(e);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy stand = sb_beside(target, d);
        if (open[sb_index(e, stand)] && igraph_distance(e, open, v->start, stand) >= 0) return true;
    }
    return false;
}

/* Turns on every switch that can be turned on. This loses nothing: open doors never make less possible. */
static bool can_be_solved(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false}, on[SB_SWITCH_CIRCUIT_SWITCHES] = {false}, gained = true;
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < v->n_switches; i++) open[sb_index(e, v->at[i])] = false;
    while (gained) {
        gained = false;
        for (int i = 0; i < v->n_switches; i++) {
            if (on[i] || !can_operate(e, open, v->at[i])) continue;
            on[i] = gained = true;
            open[sb_index(e, v->door[i])] = true;
        }
    }
    return igraph_distance(e, open, v->start, v->goal) >= 0;
}

static void is_impossible_just_where_a_switch_blocks_a_door(void **state) {
    (void)state;
    int n_impossible = 0, n_harmless = 0;
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < 60; seed++) {
            sb_episode e = {0};
            start(&e, (sb_difficulty)difficulty, seed);
            const neighbours n = count_neighbours(&e);
            assert_int_equal(can_be_solved(&e), n.harmful == 0);
            n_impossible += n.harmful > 0;
            n_harmless += n.harmful == 0 && n.harmless > 0;
        }
    assert_in_range(n_impossible, 20, 60);
    assert_in_range(n_harmless, 5, 60);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    int n_turned = 0;
    for (int i = 0; i < v->n_switches; i++) {
        const bool on = sb_switch_circuit_is_on(after, i);
        n_turned += on != sb_switch_circuit_is_on(before, i);
        assert_int_equal(sb_peek(after, v->door[i])->terrain, on ? SB_EMPTY : SB_WALL);
        assert_int_equal(sb_peek(after, v->door[i])->metadata, i);
    }
    assert_in_range(n_turned, 0, 1);
    if (n_turned) assert_true(sb_same(before->agent.at, after->agent.at));
    assert_true(sb_passable(after, after->agent.at));
    assert_true(result->terminated == sb_same(after->agent.at, v->goal));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void a_door_is_open_while_its_switch_is_on(void **state) {
    (void)state;
    each_step(&sb_switch_circuit, 40, check_step);
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_switch_circuit, 7, 5);
}

/* Puts the agent south of a switch, facing it. */
static void face(sb_episode *e, int i) {
    const vars *v = SB_VARS(e);
    e->agent.at = sb_beside(v->at[i], SB_SOUTH);
    e->agent.facing = SB_NORTH;
}

static sb_result act(sb_episode *e, sb_action action) {
    sb_result result;
    sb_episode_step(e, action, &result);
    return result;
}

static sb_result turn(sb_episode *e, int i) {
    face(e, i);
    return act(e, SB_INTERACT);
}

static void a_switch_turned_off_closes_its_door_and_no_other(void **state) {
    (void)state;
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        const vars *v = SB_VARS(&e);
        start(&e, (sb_difficulty)difficulty, 42);
        for (int i = 0; i < v->n_switches; i++) turn(&e, i);
        for (int i = 0; i < v->n_switches; i++) {
            uint64_t on[2], again[2];
            face(&e, i);
            sb_episode_key(&e, on);
            act(&e, SB_INTERACT);
            for (int d = 0; d < v->n_switches; d++)
                assert_int_equal(sb_peek(&e, v->door[d])->terrain, d == i ? SB_WALL : SB_EMPTY);
            act(&e, SB_INTERACT);
            sb_episode_key(&e, again);
            assert_memory_equal(on, again, sizeof on);
        }
    }
}

static void a_switch_is_solid_on_or_off(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_MEDIUM, 42);
    for (int k = 0; k < 2; k++) {
        face(&e, 0);
        const sb_xy stand = e.agent.at;
        act(&e, SB_MOVE_UP);
        assert_true(sb_same(e.agent.at, stand));
        assert_int_equal(sb_switch_circuit_is_on(&e, 0), k);
        act(&e, SB_INTERACT);
    }
}

static double dense_of_move(sb_episode *e, sb_xy from, sb_action move) {
    e->agent.at = from;
    const double dense = act(e, move).dense;
    assert_false(sb_same(e->agent.at, from));
    return dense;
}

/* On expert 0 the first switch is at (4, 7), the second at (7, 2), the goal at (14, 11). */
static void the_dense_reward_draws_to_the_nearest_switch_that_is_off_then_to_the_goal(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EXPERT, 0);
    assert_true(sb_same(v->at[0], sb_at(4, 7)) && sb_same(v->at[1], sb_at(7, 2)));
    assert_true(dense_of_move(&e, sb_at(5, 2), SB_MOVE_LEFT) == -0.01 - 0.05);
    assert_true(dense_of_move(&e, sb_at(5, 3), SB_MOVE_LEFT) == -0.01 + 0.05); /* the first among equally near ones */
    assert_true(turn(&e, 1).dense == -0.01);                                   /* turning a switch on pays nothing */
    assert_true(dense_of_move(&e, sb_at(5, 2), SB_MOVE_LEFT) == -0.01 + 0.05);
    for (int i = 0; i < v->n_switches; i++)
        if (i != 1) turn(&e, i);
    assert_true(dense_of_move(&e, sb_at(5, 2), SB_MOVE_LEFT) == -0.01 - 0.05);
    assert_true(dense_of_move(&e, sb_at(4, 3), SB_MOVE_UP) == -0.01 - 0.05);
    e.agent.at = sb_beside(v->goal, SB_WEST);
    const sb_result result = act(&e, SB_MOVE_RIGHT);
    assert_true(result.success && result.dense == -0.01 + 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(every_switch_and_the_goal_are_behind_doors),
        cmocka_unit_test(is_impossible_just_where_a_switch_blocks_a_door),
        cmocka_unit_test(a_door_is_open_while_its_switch_is_on),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
        cmocka_unit_test(a_switch_turned_off_closes_its_door_and_no_other),
        cmocka_unit_test(a_switch_is_solid_on_or_off),
        cmocka_unit_test(the_dense_reward_draws_to_the_nearest_switch_that_is_off_then_to_the_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
