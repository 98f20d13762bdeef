/* DeceptiveReward: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/reasoning/deceptive_reward.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_deceptive_reward, 30, 4968);
}

/* ---- Instances ---- */

/* Opens the floor without coins and decoys, but with doors. */
static void open_bare_floor(const sb_episode *e, bool *open) {
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_COIN || e->cells[i].object == SB_TARGET) open[i] = false;
}

static sb_xy find_object(const sb_episode *e, int object, int metadata) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == object && e->cells[i].metadata == metadata) return sb_xy_of(e, i);
    fail_msg("no %s %d", sb_object_names[object], metadata);
    return sb_at(-1, -1);
}

static void check_baits(const sb_episode *e) {
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    bool bare[SB_CELLS_MAX], floor[SB_CELLS_MAX];
    int covered = 0;
    open_bare_floor(e, bare);
    open_terrain(e, SB_EMPTY, floor);
    assert_int_equal(v->n_targets, e->difficulty + 1);
    for (int i = 0; i < v->n_coins; i++) {
        const int object = sb_peek(e, v->coin[i])->object;
        assert_true(object == SB_COIN || object == SB_TARGET);
        covered += object == SB_TARGET;
    }
    assert_int_equal(count_objects(e, SB_COIN), v->n_coins - covered);
    for (int i = 0; i < v->n_targets; i++) {
        bare[sb_index(e, v->target[i])] = true;
        assert_int_equal(sb_peek(e, v->target[i])->object, SB_TARGET);
        assert_true(igraph_distance(e, floor, v->start, v->target[i]) > 0);
        assert_int_equal(igraph_distance(e, bare, v->start, v->target[i]), -1); /* only a way over coins leads there */
    }
}

/* No way leads past a door, and its key lies before it. */
static void check_door(const sb_episode *e, bool *bare, int color) {
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    const sb_xy door = find_object(e, SB_DOOR, color), key = find_object(e, SB_KEY, color);
    bare[sb_index(e, door)] = false;
    assert_int_equal(igraph_distance(e, bare, v->start, v->goal), -1);
    assert_true(igraph_distance(e, bare, v->start, key) > 0);
    bare[sb_index(e, door)] = true;
}

static void check_instance(const sb_episode *e) {
    static const int doors[] = {0, 0, 1, 2};
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    const sb_xy gate = sb_deceptive_reward_gate(e);
    bool bare[SB_CELLS_MAX];
    open_bare_floor(e, bare);
    check_walled(e);
    check_baits(e);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_true(igraph_distance(e, bare, v->start, v->goal) > 0);
    assert_int_equal(count_objects(e, SB_DOOR), doors[e->difficulty]);
    assert_int_equal(count_objects(e, SB_KEY), doors[e->difficulty]);
    for (int color = 0; color < doors[e->difficulty]; color++) check_door(e, bare, color);
    bare[sb_index(e, gate)] = false;
    assert_int_equal(igraph_distance(e, bare, v->start, v->goal), -1);
}

static void a_bare_path_leads_through_gate_and_doors_and_coins_lead_to_decoys(void **state) {
    (void)state;
    each_instance(&sb_deceptive_reward, 60, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_deceptive_reward, difficulty, seed, NULL, &error), error);
}

/* Returns the index of the episode's digest in the list, and adds the digest if it is new. */
static int enlist(uint8_t list[][32], int *n, const sb_episode *e) {
    uint8_t digest[32];
    sb_episode_digest(e, digest);
    for (int i = 0; i < *n; i++)
        if (memcmp(list[i], digest, 32) == 0) return i;
    memcpy(list[*n], digest, 32);
    return (*n)++;
}

static void there_are_few_instances(void **state) {
    (void)state;
    static const int distinct[] = {1, 9, 24, 24};
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        uint8_t seen[25][32];
        int n = 0;
        for (uint64_t seed = 0; seed < 400; seed++) {
            sb_episode e = {0};
            const int before = n;
            start(&e, (sb_difficulty)difficulty, seed);
            enlist(seen, &n, &e);
            assert_in_range(n, 1, distinct[difficulty]);
            if (n > before) check_instance(&e);
        }
        assert_int_equal(n, distinct[difficulty]);
    }
}

/* On expert 0 the third trail ends where the second does. */
static void a_decoy_may_be_listed_twice_or_cover_a_coin(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_deceptive_reward_vars *v = SB_VARS(&e);
    start(&e, SB_EXPERT, 0);
    assert_true(sb_same(v->target[1], v->target[2]));
    assert_int_equal(count_objects(&e, SB_TARGET), v->n_targets - 1);
    start(&e, SB_EASY, 0);
    assert_true(sb_same(v->coin[2], v->target[0]));
    assert_int_equal(count_objects(&e, SB_COIN), v->n_coins - 1);
}

/* ---- Steps ---- */

static int count_open_doors(const sb_episode *e) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].object == SB_DOOR && e->cells[i].metadata >= SB_DOOR_OPEN;
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_deceptive_reward_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const int here = sb_object_here(after);
    assert_int_equal(count_objects(after, SB_COIN) + v->n_collected, count_objects(before, SB_COIN) + old->n_collected);
    assert_int_equal(sb_peek(after, sb_deceptive_reward_gate(after))->terrain, v->n_collected ? SB_WALL : SB_EMPTY);
    assert_int_equal(count_objects(after, SB_KEY) + after->agent.n_items + count_open_doors(after),
                     count_objects(after, SB_DOOR));
    assert_true(here != SB_COIN && here != SB_KEY && !sb_door_is_closed(sb_peek(after, after->agent.at)));
    assert_true(sb_has_lost(after) == (here == SB_TARGET));
    assert_true(result->terminated == (here == SB_TARGET || here == SB_GOAL));
    assert_true(result->success == (here == SB_GOAL));
    assert_true(result->reward == (here == SB_GOAL ? 1.0 : here == SB_TARGET ? 0.2 : 0.0));
}

static void the_first_coin_shuts_the_gate_and_decoys_end_the_episode(void **state) {
    (void)state;
    each_step(&sb_deceptive_reward, 30, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_deceptive_reward, 7, 5);
}

static void a_coin_pays_and_so_does_coming_closer_to_the_others(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_deceptive_reward_vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX];
    start(&e, SB_EASY, 0);
    assert_true(enter(&e, v->coin[0]).dense == -0.01 + 0.05 + 0.03 * 1);
    open_terrain(&e, SB_EMPTY, open);
    assert_int_equal(igraph_distance(&e, open, e.agent.at, v->goal), -1);
    assert_true(enter(&e, v->coin[1]).dense ==
                -0.01 + 0.05); /* the last coin that is left: the decoy covers the third */
}

static void a_decoy_pays_a_little_and_is_no_success(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_deceptive_reward_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 0);
    const sb_result result = enter(&e, v->target[0]);
    assert_true(result.terminated && !result.success && result.reward == 0.2);
    assert_true(result.dense == -0.01 + 0.03 * -1 + 0.2); /* away from the previous coin */
}

/* Uses hard 0, from the first cell of the trail beyond the door. */
static void beyond_the_gate_a_coin_does_no_harm(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_deceptive_reward_vars *v = SB_VARS(&e);
    bool bare[SB_CELLS_MAX];
    start(&e, SB_HARD, 0);
    enter(&e, sb_at(3, 9));
    assert_int_equal(v->n_collected, 1);
    assert_int_equal(sb_peek(&e, sb_at(1, 4))->terrain, SB_WALL);
    open_bare_floor(&e, bare);
    assert_true(igraph_distance(&e, bare, e.agent.at, v->goal) > 0);
}

static sb_result face_door(sb_episode *e, sb_xy door, sb_action action) {
    sb_result result;
    e->agent.at = sb_beside(door, SB_NORTH), e->agent.facing = SB_SOUTH;
    sb_episode_step(e, action, &result);
    return result;
}

static void a_door_opens_to_a_key_of_its_colour_only(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_EXPERT, 42);
    const sb_xy door = find_object(&e, SB_DOOR, 0), key = find_object(&e, SB_KEY, 0);
    enter(&e, find_object(&e, SB_KEY, 1));
    assert_int_equal(e.agent.n_items, 1);
    face_door(&e, door, SB_INTERACT);
    face_door(&e, door, SB_MOVE_DOWN);
    assert_false(sb_same(e.agent.at, door));
    enter(&e, key);
    assert_int_equal(e.items[1].value, 0);
    face_door(&e, door, SB_INTERACT);
    assert_int_equal(sb_peek(&e, door)->metadata, SB_DOOR_OPEN);
    assert_int_equal(e.agent.n_items, 1);
    assert_int_equal(e.items[0].value, 1);
    face_door(&e, door, SB_MOVE_DOWN);
    assert_true(sb_same(e.agent.at, door));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(a_bare_path_leads_through_gate_and_doors_and_coins_lead_to_decoys),
        cmocka_unit_test(there_are_few_instances),
        cmocka_unit_test(a_decoy_may_be_listed_twice_or_cover_a_coin),
        cmocka_unit_test(the_first_coin_shuts_the_gate_and_decoys_end_the_episode),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(a_coin_pays_and_so_does_coming_closer_to_the_others),
        cmocka_unit_test(a_decoy_pays_a_little_and_is_no_success),
        cmocka_unit_test(beyond_the_gate_a_coin_does_no_harm),
        cmocka_unit_test(a_door_opens_to_a_key_of_its_colour_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
