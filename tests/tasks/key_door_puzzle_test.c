/* KeyDoorPuzzle: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/planning/key_door_puzzle.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_key_door_puzzle, 35, 10506);
}

/* Every way to the goal passes each door, and with all doors open there is a way. */
static void check_instance(const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
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

static void needs_every_door(void **state) {
    (void)state;
    each_instance(&sb_key_door_puzzle, 100, check_instance);
}

/* A rejected seed gets the instance of the next seed: hard 3, 4 and 5 are one episode. */
static void rejected_seeds_share_an_instance(void **state) {
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

static int keys_and_open_doors(const sb_episode *e) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    int n = e->agent.n_items + count_objects(e, SB_KEY);
    for (int i = 0; i < v->n_keys; i++) n += !sb_door_is_closed(sb_peek(e, v->door[i]));
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_key_door_puzzle_vars *v = SB_VARS(after);
    assert_int_equal(keys_and_open_doors(after), v->n_keys); /* each key is somewhere, or its door is open */
    assert_true(after->agent.n_items <= 1);
    assert_true(sb_manhattan(before->agent.at, after->agent.at) <= 1);
    assert_true(result->success == sb_same(after->agent.at, v->goal) || !(result->terminated || result->truncated));
    assert_false(sb_door_is_closed(sb_peek(after, after->agent.at)));
}

static void keys_are_neither_lost_nor_made(void **state) {
    (void)state;
    each_step(&sb_key_door_puzzle, 10, check_step);
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_key_door_puzzle, 7, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(needs_every_door),
        cmocka_unit_test(rejected_seeds_share_an_instance),
        cmocka_unit_test(keys_are_neither_lost_nor_made),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
