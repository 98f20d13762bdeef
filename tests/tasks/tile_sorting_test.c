/* TileSorting: what holds for every instance and every step, and that its expert takes the fewest slides. */
#include "tests/tasks/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "generators/agentick/planning/tile_sorting.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

enum { AT_HOME = SB_BOX_AT_HOME, MARKER = SB_TARGET_NUMBERED, CELLS = 16 };

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_tile_sorting, 33, 5014);
}

/* ---- Instances ---- */

/* Cells of the puzzle are numbered from 1, like the tiles that belong there. The last cell is no tile's home. */
static int read_tiles(const sb_episode *e, int tiles[CELLS + 1], int *slot) {
    const sb_tile_sorting_vars *v = SB_VARS(e);
    const int n = v->side * v->side;
    *slot = 0;
    for (int cell = 1; cell <= n; cell++) {
        const sb_xy p = sb_tile_sorting_home(v, cell);
        const sb_cell *c = sb_peek(e, p);
        tiles[cell] = c->object == SB_BOX ? c->metadata % 100 : 0;
        if (c->object == SB_BOX) assert_int_equal(c->metadata >= AT_HOME, tiles[cell] == cell);
        if (sb_same(p, e->agent.at)) *slot = cell;
    }
    assert_in_range(*slot, 1, n); /* the agent is the slot */
    return n;
}

/* Asserts that every tile is there once and that slides can sort them: the parity of the permutation equals that of the
 * slot's distance from home. */
static void check_tiles(const sb_episode *e) {
    const sb_tile_sorting_vars *v = SB_VARS(e);
    int tiles[CELLS + 1] = {0}, slot, swaps = 0, n_home = 0;
    const int n = read_tiles(e, tiles, &slot);
    const int away = sb_manhattan(e->agent.at, sb_tile_sorting_home(v, n));
    for (int cell = 1; cell < n; cell++) n_home += tiles[cell] == cell;
    assert_int_equal(tiles[slot], 0);
    assert_int_equal(v->n_home, n_home);
    tiles[slot] = n;
    for (int cell = 1; cell <= n; cell++)
        while (tiles[cell] != cell) {
            const int tile = tiles[cell];
            assert_in_range(tile, 1, n);
            assert_int_not_equal(tiles[tile], tile); /* otherwise the tile is there twice */
            tiles[cell] = tiles[tile], tiles[tile] = tile;
            swaps++;
        }
    assert_int_equal(swaps % 2, away % 2);
}

static void check_instance(const sb_episode *e) {
    const sb_tile_sorting_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    int tiles[CELLS + 1], slot;
    check_walled(e);
    check_tiles(e);
    const int n = read_tiles(e, tiles, &slot);
    const sb_cell *start = sb_peek(e, v->start);
    assert_int_equal(start->object, slot == n ? SB_NONE : SB_TARGET);
    assert_int_equal(start->metadata, slot == n ? 0 : slot + MARKER);
    open_walkable(e, open);
    for (int cell = 1; cell <= n; cell++)
        assert_true(igraph_distance(e, open, v->start, sb_tile_sorting_home(v, cell)) >= 0);
    assert_int_equal(igraph_distance(e, open, v->start, sb_at(e->width - 2, e->height - 2)), -1);
    /* If cells are coloured like a chess board, every slide changes the colour of the slot's cell. */
    static const int shuffles[SB_N_DIFFICULTIES] = {5, 15, 30, 60};
    assert_int_equal(sb_manhattan(v->start, sb_tile_sorting_home(v, n)) % 2, shuffles[e->difficulty] % 2);
}

static void can_be_sorted_and_not_be_left(void **state) {
    (void)state;
    each_instance(&sb_tile_sorting, 25, check_instance);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_tile_sorting_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const int gained = v->n_home - old->n_home;
    const sb_cell *left = sb_peek(after, before->agent.at), *here = sb_peek(after, after->agent.at);
    check_tiles(after);
    assert_true(result->success == (v->n_home == v->side * v->side - 1));
    assert_true(result->terminated == result->success);
    const double change = gained > 0 ? 0.3 * gained : 0.1 * gained;
    assert_float_equal(result->dense, -0.01 + change + (result->success ? 1.0 : 0.0), 1e-12);
    if (sb_same(before->agent.at, after->agent.at)) {
        assert_memory_equal(before->cells, after->cells, sizeof *after->cells * (size_t)sb_n_cells(after));
        return;
    }
    const sb_cell *taken = sb_peek(before, after->agent.at);
    const bool was_home = taken->metadata >= AT_HOME;
    assert_int_equal(left->metadata % 100, taken->metadata % 100);
    assert_int_equal(here->object, was_home ? SB_TARGET : SB_NONE);
    assert_int_equal(here->metadata, was_home ? taken->metadata - AT_HOME + MARKER : 0);
    assert_true(count_objects(after, SB_TARGET) == was_home);
}

static void tiles_slide_and_markers_lie_where_the_right_tile_left(void **state) {
    (void)state;
    each_step(&sb_tile_sorting, 6, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_tile_sorting, 7, 5);
}

/* Hard 83 is the first seed whose shuffle ends where it began. */
static void a_puzzle_sorted_from_the_start_ends_with_any_step_that_leaves_it_so(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_error error;
    sb_result result;
    assert_ok(sb_episode_start(&e, &sb_tile_sorting, SB_HARD, 83, NULL, &error), error);
    assert_int_equal(sb_tile_sorting.bound(&e), 0);
    sb_episode_step(&e, SB_MOVE_UP, &result);
    assert_false(result.terminated);
    assert_ok(sb_episode_start(&e, &sb_tile_sorting, SB_HARD, 83, NULL, &error), error);
    sb_episode_step(&e, SB_MOVE_DOWN, &result); /* into the wall */
    assert_true(result.terminated && result.success && result.reward == 1.0);
    assert_true(result.dense == -0.01 + 1.0);
}

/* ---- The expert ---- */

/* Not on expert, where the other search has too weak a bound to finish. */
static void the_expert_takes_the_fewest_slides(void **state) {
    (void)state;
    enum { SEEDS = 15, STATES = 1 << 14 };
    sb_error error;
    sb_copies copies;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_copies_open(&copies, STATES, &error), error);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int difficulty = SB_EASY; difficulty < SB_EXPERT; difficulty++) {
            sb_name name = {.family = "agentick", .task = "TileSorting-v0", .seed = seed};
            sb_budget budget = {.limit = STATES};
            sb_verdict verdict;
            strcpy(name.difficulty, sb_difficulty_names[difficulty]);
            assert_ok(sb_reset_name(env, &name, &error), error);
            assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
            assert_int_equal(verdict, SB_SOLVED);
            assert_int_equal(expert_steps(env, &player), sb_copies_plan(&copies, NULL, 0));
        }
    sb_player_clear(&player);
    sb_copies_close(&copies);
    sb_free(env);
}

static void the_expert_ends_a_puzzle_that_is_sorted_with_one_step(void **state) {
    (void)state;
    sb_error error;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, "TileSorting/hard#83", &error);
    assert_non_null(env);
    assert_int_equal(expert_steps(env, &player), 1);
    sb_player_clear(&player);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(can_be_sorted_and_not_be_left),
        cmocka_unit_test(tiles_slide_and_markers_lie_where_the_right_tile_left),
        cmocka_unit_test(interacting_changes_nothing),
        cmocka_unit_test(a_puzzle_sorted_from_the_start_ends_with_any_step_that_leaves_it_so),
        cmocka_unit_test(the_expert_takes_the_fewest_slides),
        cmocka_unit_test(the_expert_ends_a_puzzle_that_is_sorted_with_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
