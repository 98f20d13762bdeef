/* Sweeps: ways past many cells. */
#include "tests/support.h"

#include "generators/agentick/memory/treasure_hunt.h"
#include "oracles/kits/sweep.h"

static sb_episode e;
static sb_open open_cells;
static sb_sweep r;

/* Starts an episode, for its walls, and takes every `every`-th cell that the agent can reach. */
static void begin(sb_difficulty difficulty, uint64_t seed, int every) {
    sb_error error;
    assert_ok(sb_episode_start(&e, &sb_treasure_hunt, difficulty, seed, NULL, &error), error);
    sb_open_walkable(&open_cells, &e);
    sb_reach_from(&r.reach, &e, &open_cells, e.agent.at, sb_nswe);
    r.n = 0;
    for (int i = 1; i < r.reach.n; i += every) r.cell[r.n++] = (int16_t)sb_index(&e, r.reach.order[i]);
}

static int apart(sb_xy from, int cell) {
    sb_reach reach;
    sb_reach_from(&reach, &e, &open_cells, from, sb_nswe);
    return reach.distance[cell];
}

static int length_of(const int16_t *cells, int n) {
    int length = 0;
    sb_xy at = e.agent.at;
    for (int i = 0; i < n; i++) length += apart(at, cells[i]), at = sb_xy_of(&e, cells[i]);
    return length;
}

static int length_of_nearest_first(void) {
    int16_t cells[SB_SWEEP_CELLS] = {0};
    sb_xy at = e.agent.at;
    for (int i = 0; i < r.n; i++) cells[i] = r.cell[i];
    for (int i = 0; i < r.n; i++) {
        int nearest = i;
        for (int j = i + 1; j < r.n; j++)
            if (apart(at, cells[j]) < apart(at, cells[nearest])) nearest = j;
        const int16_t next = cells[nearest];
        cells[nearest] = cells[i], cells[i] = next;
        at = sb_xy_of(&e, next);
    }
    return length_of(cells, r.n);
}

static void a_sweep_visits_every_cell_and_is_no_longer_than_going_to_the_nearest_cell(void **state) {
    int shorter = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        bool listed[SB_CELLS_MAX] = {false};
        begin((sb_difficulty)(seed % SB_N_DIFFICULTIES), seed, 1 + (int)(seed % 5));
        const int n = r.n, nearest_first = length_of_nearest_first();
        for (int i = 0; i < n; i++) listed[r.cell[i]] = true;
        const int length = sb_sweep_plan(&r, &e, &open_cells, e.agent.at);
        assert_int_equal(r.n, n);
        for (int i = 0; i < n; i++) {
            assert_true(listed[r.cell[i]]);
            listed[r.cell[i]] = false;
        }
        assert_int_equal(length, length_of(r.cell, n));
        assert_true(length <= nearest_first);
        shorter += length < nearest_first;
    }
    assert_true(shorter > 3);
}

static void a_sweep_without_cells_is_empty(void **state) {
    (void)state;
    begin(SB_EASY, 0, 1);
    r.n = 0;
    assert_int_equal(sb_sweep_plan(&r, &e, &open_cells, e.agent.at), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_visits_every_cell_and_is_no_longer_than_going_to_the_nearest_cell),
        cmocka_unit_test(a_sweep_without_cells_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
