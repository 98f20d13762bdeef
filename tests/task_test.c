/* The tasks themselves: recordings replayed, and what must hold of every instance and every step. */
#include "tests/support.h"

#include <igraph.h>
#include <string.h>

#include "engine/gridworld/search.h"
#include "generators/agentick/family.h"
#include "generators/agentick/navigation/go_to_goal.h"
#include "generators/agentick/planning/key_door_puzzle.h"

/* ---- Recordings ---- */

static sb_conformity total;

static void conform_line(const cJSON *recording) {
    sb_error error;
    sb_conformity found = {0};
    assert_ok(sb_agentick.conform(&sb_agentick, recording, &found, &error), error);
    if (found.differs) fail_msg("%s", found.difference);
    for (int i = 0; i < SB_N_ASPECTS; i++) total.compared[i] += found.compared[i];
    total.steps += found.steps;
}

static void assert_conforms(const char *file, size_t recordings, size_t steps) {
    total = (sb_conformity){0};
    assert_int_equal(each_vector(file, conform_line), recordings);
    assert_int_equal(total.steps, steps); /* every recorded step of every rollout */
    assert_int_equal(total.compared[SB_ASPECT_REWARDS], 2 * steps);
    for (int i = 0; i < SB_N_ASPECTS; i++) assert_true(total.compared[i] > 0);
}

static void test_go_to_goal_equals_its_recordings(void **state) {
    (void)state;
    assert_conforms("GoToGoal.jsonl.gz", 34, 2499);
}

static void test_key_door_puzzle_equals_its_recordings(void **state) {
    (void)state;
    assert_conforms("KeyDoorPuzzle.jsonl.gz", 35, 10506);
}

/* ---- Instances ---- */

typedef void instance_check(const sb_episode *e);

static void each_instance(const sb_task *task, uint64_t seeds, instance_check *check) {
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            sb_episode e = {0};
            sb_error error;
            assert_ok(sb_episode_start(&e, task, (sb_difficulty)difficulty, seed, NULL, &error), error);
            check(&e);
        }
}

/* The grid as a graph: an edge between neighbouring cells that are both open. */
static void graph_of(igraph_t *graph, const sb_episode *e, const bool *open) {
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        if (open[i] && p.x + 1 < e->width && open[i + 1])
            igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, i + 1);
        if (open[i] && p.y + 1 < e->height && open[i + e->width])
            igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, i + e->width);
    }
    igraph_create(graph, &edges, sb_n_cells(e), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
}

/* Moves between two cells, or -1. */
static int igraph_distance(const sb_episode *e, const bool *open, sb_xy from, sb_xy to) {
    igraph_t graph;
    igraph_vector_int_t path;
    graph_of(&graph, e, open);
    igraph_vector_int_init(&path, 0);
    igraph_set_warning_handler(igraph_warning_handler_ignore); /* unreachable is an answer */
    igraph_get_shortest_path(&graph, &path, NULL, sb_index(e, from), sb_index(e, to), IGRAPH_ALL);
    const int moves = (int)igraph_vector_int_size(&path) - 1;
    igraph_vector_int_destroy(&path);
    igraph_destroy(&graph);
    return moves;
}

static void open_terrain(const sb_episode *e, bool *open) {
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = e->cells[i].terrain == SB_EMPTY;
}

static void check_walled(const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (!sb_interior(e, sb_xy_of(e, i))) assert_int_equal(e->cells[i].terrain, SB_WALL);
    assert_int_equal(sb_terrain_here(e), SB_EMPTY);
    assert_int_equal(e->agent.facing, SB_NORTH);
    assert_int_equal(e->agent.n_items, 0);
}

static void check_go_to_goal(const sb_episode *e) {
    const sb_go_to_goal_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, open); /* hazards are closed here: a safe way exists */
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    for (int i = 0; i < v->n_guards; i++) {
        assert_int_equal(sb_peek(e, v->guard[i])->object, SB_NPC);
        assert_true(sb_manhattan(v->guard[i], v->start) > 2);
    }
}

static void test_go_to_goal_always_has_a_safe_way(void **state) {
    (void)state;
    each_instance(&sb_go_to_goal, 150, check_go_to_goal);
}

/* Whatever way is taken, each door must be passed; and with all doors open there is a way. */
static void check_key_door_puzzle(const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, open);
    assert_int_equal(v->n_keys, e->difficulty + 1);
    assert_true(igraph_distance(e, open, v->start, v->goal) > 0);
    for (int i = 0; i < v->n_keys; i++) {
        open[sb_index(e, v->door[i])] = false;
        assert_int_equal(igraph_distance(e, open, v->start, v->goal), -1);
        open[sb_index(e, v->door[i])] = true;
        assert_int_equal(sb_peek(e, v->key[i])->object, SB_KEY);
        assert_int_equal(sb_peek(e, v->key[i])->metadata, i);
        assert_int_equal(sb_peek(e, v->door[i])->metadata, i);
    }
}

static void test_key_door_puzzle_needs_every_door(void **state) {
    (void)state;
    each_instance(&sb_key_door_puzzle, 100, check_key_door_puzzle);
}

/* A rejected seed has the instance of the next one: hard 3, 4 and 5 are one episode. */
static void test_rejected_seeds_share_an_instance(void **state) {
    (void)state;
    sb_episode e[3] = {0};
    sb_error error;
    uint8_t digest[3][32];
    for (uint64_t i = 0; i < 3; i++) {
        assert_ok(sb_episode_start(&e[i], &sb_key_door_puzzle, SB_HARD, 3 + i, NULL, &error), error);
        sb_episode_digest(&e[i], digest[i]);
    }
    assert_memory_equal(digest[0], digest[2], 32);
    assert_memory_equal(digest[1], digest[2], 32);
}

/* ---- Steps ---- */

typedef void step_check(const sb_episode *before, const sb_episode *after, const sb_result *result);

/* Random episodes of every difficulty, from a generator of the test's own. */
static void each_step(const sb_task *task, uint64_t seeds, step_check *check) {
    sb_rng rng;
    sb_rng_seed(&rng, 20261121, NULL);
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            sb_episode e = {0}, before = {0};
            sb_error error;
            sb_result result = {0};
            assert_ok(sb_episode_start(&e, task, (sb_difficulty)difficulty, seed, NULL, &error), error);
            while (!result.terminated && !result.truncated) {
                sb_episode_copy(&before, &e);
                sb_episode_step(&e, (sb_action)sb_integers(&rng, 0, SB_N_ACTIONS), &result);
                check(&before, &e, &result);
            }
        }
}

static int count_objects(const sb_episode *e, int object) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].object == object;
    return n;
}

static void check_guards(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_go_to_goal_vars *old = SB_VARS(before), *v = SB_VARS(after);
    for (int i = 0; i < v->n_guards; i++) {
        const sb_cell *post = sb_peek(after, v->guard[i]);
        assert_int_equal(post->terrain, SB_EMPTY);
        assert_int_equal(post->object, SB_NPC);
        assert_true(sb_manhattan(old->guard[i], v->guard[i]) <= 1);
        if (sb_same(v->guard[i], after->agent.at)) assert_true(result->terminated && !result->success);
    }
    assert_true(count_objects(after, SB_NPC) <= v->n_guards);
    assert_int_equal(count_objects(after, SB_GOAL), 1);
    assert_true(count_objects(after, SB_TARGET) <= count_objects(before, SB_TARGET)); /* trodden decoys are gone */
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
    if (result->terminated && !result->success) assert_true(result->dense == -1.0);
}

static void test_guards_keep_to_their_rules(void **state) {
    (void)state;
    each_step(&sb_go_to_goal, 40, check_guards);
}

static int keys_and_doors(const sb_episode *e) {
    int n = e->agent.n_items + count_objects(e, SB_KEY);
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_keys; i++) n += sb_peek(e, v->door[i])->metadata >= 10;
    return n;
}

static void check_keys(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_key_door_puzzle_vars *v = SB_VARS(after);
    assert_int_equal(keys_and_doors(after), v->n_keys); /* a key is somewhere, or its door is open */
    assert_true(after->agent.n_items <= 1);
    assert_true(sb_manhattan(before->agent.at, after->agent.at) <= 1);
    assert_true(result->success == sb_same(after->agent.at, v->goal) || !(result->terminated || result->truncated));
    const sb_cell *here = sb_peek(after, after->agent.at);
    if (here->object == SB_DOOR) assert_true(here->metadata >= 10);
}

static void test_keys_are_neither_lost_nor_made(void **state) {
    (void)state;
    each_step(&sb_key_door_puzzle, 10, check_keys);
}

static void test_interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        sb_error error;
        sb_result result;
        uint64_t before[2], after[2];
        assert_ok(sb_episode_start(&e, &sb_key_door_puzzle, (sb_difficulty)difficulty, 7, NULL, &error), error);
        sb_episode_key(&e, before);
        for (int i = 0; i < 5; i++) sb_episode_step(&e, i % 2 ? SB_NOOP : SB_INTERACT, &result);
        sb_episode_key(&e, after);
        assert_memory_equal(before, after, sizeof before);
        assert_int_equal(e.clock, 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_go_to_goal_equals_its_recordings),
        cmocka_unit_test(test_key_door_puzzle_equals_its_recordings),
        cmocka_unit_test(test_go_to_goal_always_has_a_safe_way),
        cmocka_unit_test(test_key_door_puzzle_needs_every_door),
        cmocka_unit_test(test_rejected_seeds_share_an_instance),
        cmocka_unit_test(test_guards_keep_to_their_rules),
        cmocka_unit_test(test_keys_are_neither_lost_nor_made),
        cmocka_unit_test(test_interacting_with_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
