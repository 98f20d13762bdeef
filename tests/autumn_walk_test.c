/* The coverage walk of Autumn: what it tries, that it is a function of program, seed and states, that it looks for what
 * it has not seen, and that it does not know the draws that are to come. */
#include "generators/autumn/challenges/walk.h"
#include "generators/autumn/programs.h"
#include "tests/autumn_support.h"

static sb_autumn_state *started(const sb_autumn_program *program, uint64_t seed) {
    sb_autumn_state *state = new_state(program);
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL));
    return state;
}

static bool same_event(sb_autumn_event a, sb_autumn_event b) { return a.key == b.key && a.x == b.x && a.y == b.y; }

/* Calls `check` with each shipped program and a state of it after some actions. */
static void each_shipped(void (*check)(const sb_autumn_program *program, sb_autumn_state *state)) {
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        sb_autumn_program *program = load(sb_autumn_task_of(sb_autumn_task_at(i))->text);
        sb_autumn_state *state = started(program, i);
        check(program, state);
        sb_autumn_free(state);
        sb_autumn_unload(program);
    }
}

/* ---- Actions of interest ----------------------------------------------------------------------------------------- */

static size_t interests_of(const sb_autumn_state *state, uint64_t seed, sb_autumn_event *events) {
    static uint32_t frame[SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX];
    sb_rng rng;
    sb_rng_seed(&rng, seed, NULL);
    const size_t n = sb_autumn_interests(state, frame, &rng, events);
    assert_in_range(n, 5, SB_AUTUMN_INTERESTS_MAX);
    for (size_t i = 0; i < n; i++) {
        assert_true(i >= 5 ? events[i].key == SB_AUTUMN_CLICK : events[i].key == (sb_autumn_key)i);
        assert_true(events[i].x >= 0 && events[i].x < (int32_t)sb_autumn_size(state));
        assert_true(events[i].y >= 0 && events[i].y < (int32_t)sb_autumn_size(state));
        for (size_t k = 0; k < i; k++) assert_false(same_event(events[i], events[k]));
    }
    return n;
}

static size_t clicks_on(const sb_autumn_event *events, size_t n, int32_t x, int32_t y) {
    size_t times = 0;
    for (size_t i = 0; i < n; i++) times += same_event(events[i], (sb_autumn_event){SB_AUTUMN_CLICK, x, y});
    return times;
}

static void test_clicks_of_interest_are_on_things_beside_them_and_elsewhere(void **unused) {
    (void)unused;
    sb_autumn_program *program = load("(program (= GRID_SIZE 9) (object A (Cell 0 0 \"red\"))"
                                      "(= a (initnext (list (A (Position 0 0)) (A (Position 4 4))) (prev a))))");
    sb_autumn_state *state = started(program, 1);
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX], others[SB_AUTUMN_INTERESTS_MAX];
    const size_t n = interests_of(state, 1, events);
    assert_int_equal(n, 5 + 2 + 6 + 4);
    static const int32_t expected[][2] = {{0, 0}, {4, 4}, {1, 0}, {0, 1}, {3, 4}, {5, 4}, {4, 3}, {4, 5}};
    for (size_t i = 0; i < 8; i++) assert_int_equal(clicks_on(events, n, expected[i][0], expected[i][1]), 1);
    interests_of(state, 2, others);
    assert_memory_equal(events, others, 13 * sizeof *events);
    assert_memory_not_equal(events + 13, others + 13, 4 * sizeof *events);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

static void test_of_many_cells_some_are_tried_at_equal_distances(void **unused) {
    (void)unused;
    sb_autumn_program *program = load("(program (= GRID_SIZE 16) (object A (Cell 0 0 \"red\"))"
                                      "(= a (initnext (map (--> p (A p)) (allPositions 16)) (prev a))))");
    sb_autumn_state *state = started(program, 1);
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    assert_int_equal(interests_of(state, 1, events), 5 + SB_AUTUMN_COLOURED_CLICKS);
    for (int i = 0; i < SB_AUTUMN_COLOURED_CLICKS; i++)
        assert_int_equal(16 * events[5 + i].y + events[5 + i].x, 256 / SB_AUTUMN_COLOURED_CLICKS * i);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

enum { STEPS = 40 };

static void check_repeats(const sb_autumn_program *program, sb_autumn_state *state) {
    sb_autumn_event first[STEPS] = {0}, again[STEPS] = {0}, other[STEPS] = {0};
    sb_autumn_event *const runs[] = {first, again, other};
    bool out_of_memory;
    for (uint64_t i = 0; i < 3; i++) {
        sb_autumn_walk *walk = sb_autumn_walk_new(program, i / 2);
        sb_autumn_state *copy = new_state(program);
        assert_true(sb_autumn_copy(copy, state));
        assert_int_equal(sb_autumn_walk_run(walk, copy, STEPS, runs[i], &out_of_memory), STEPS);
        assert_false(out_of_memory);
        sb_autumn_free(copy);
        sb_autumn_walk_free(walk);
    }
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

static void test_the_same_program_seed_and_states_give_the_same_walk(void **unused) {
    (void)unused;
    each_shipped(check_repeats);
}

/* Two walks with the same seed see states that differ only in the draws to come. */
static void check_does_not_foresee(const sb_autumn_program *program, sb_autumn_state *state) {
    sb_autumn_walk *one = sb_autumn_walk_new(program, 5), *two = sb_autumn_walk_new(program, 5);
    sb_autumn_state *twin = new_state(program);
    for (int i = 0; i < STEPS; i++) {
        sb_autumn_event a, b;
        uint64_t before[2], after[2];
        assert_true(sb_autumn_copy(twin, state));
        sb_autumn_reseed(twin, (uint64_t)i + 1000);
        assert_true(sb_autumn_hash(state, true, before));
        assert_true(sb_autumn_walk_choose(one, state, &a));
        assert_true(sb_autumn_walk_choose(two, twin, &b));
        assert_true(same_event(a, b));
        assert_true(sb_autumn_hash(state, true, after));
        assert_memory_equal(before, after, sizeof before);
        assert_true(sb_autumn_step(state, a, NULL));
    }
    sb_autumn_free(twin);
    sb_autumn_walk_free(one);
    sb_autumn_walk_free(two);
}

static void test_a_walk_neither_foresees_draws_nor_changes_the_state(void **unused) {
    (void)unused;
    each_shipped(check_does_not_foresee);
}

/* Of the twenty and more actions of interest only one does something that was not seen yet: a click on gold. */
static void test_what_was_never_seen_is_done_soon(void **unused) {
    (void)unused;
    enum { WALKS = 400 };
    sb_autumn_program *program = load(
        "(program (= GRID_SIZE 9) (object A (Cell 0 0 \"red\")) (object G (Cell 0 0 \"gold\"))"
        "(= a (initnext (map (--> k (A (Position k 2))) (range 0 9)) (prev a)))"
        "(= g (initnext (G (Position 4 6)) (prev g))) (= n (initnext 0 (prev n)))"
        "(on (clicked g) (= n (+ n 1))))");
    int found = 0;
    for (uint64_t seed = 0; seed < WALKS; seed++) {
        sb_autumn_state *state = started(program, 1);
        sb_autumn_walk *walk = sb_autumn_walk_new(program, seed);
        bool out_of_memory;
        sb_autumn_walk_run(walk, state, 3, NULL, &out_of_memory);
        found += sb_autumn_walk_fired(walk)[0] > 0;
        sb_autumn_walk_free(walk);
        sb_autumn_free(state);
    }
    /* uniform actions would find it in some 15 % of the walks */
    assert_in_range(found, WALKS * 45 / 100, WALKS * 80 / 100);
    sb_autumn_unload(program);
}

static void test_a_walk_counts_handlers_and_variables(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(
        "(program (= GRID_SIZE 4) (object A (Cell 0 0 \"red\"))"
        "(= a (initnext (A (Position 0 0)) (prev a))) (= n (initnext 0 (+ (prev n) 1))) (= rest (initnext 7 (prev "
        "rest)))"
        "(on left (= a (moveDown a))) (on right (= a (prev a))) (on (& left right) (= rest 0)))");
    sb_autumn_state *state = started(program, 1);
    sb_autumn_walk *walk = sb_autumn_walk_new(program, 3);
    sb_autumn_event events[300];
    uint32_t lefts = 0, rights = 0;
    bool out_of_memory;
    assert_int_equal(sb_autumn_walk_run(walk, state, 300, events, &out_of_memory), 300);
    for (int i = 0; i < 300; i++) lefts += events[i].key == SB_AUTUMN_LEFT, rights += events[i].key == SB_AUTUMN_RIGHT;
    assert_true(lefts > 0 && rights > 0);
    assert_int_equal(sb_autumn_walk_fired(walk)[0], lefts);
    assert_int_equal(sb_autumn_walk_fired(walk)[1], rights);
    assert_int_equal(sb_autumn_walk_fired(walk)[2], 0);
    size_t n_found = 0;
    for (uint32_t i = 0; i < sb_autumn_n_variables(program); i++) {
        const char *name = sb_autumn_name(program, i);
        const uint32_t changed = sb_autumn_walk_changed(walk)[i];
        if (strcmp(name, "a") == 0)
            assert_int_equal(changed, lefts), n_found++;
        else if (strcmp(name, "n") == 0)
            assert_int_equal(changed, 300), n_found++;
        else
            assert_int_equal(changed, 0);
    }
    assert_int_equal(n_found, 2);
    sb_autumn_walk_free(walk);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

static void test_a_walk_ends_at_a_fault(void **unused) {
    (void)unused;
    sb_autumn_program *program = load("(program (= GRID_SIZE 4) (object A (Cell 0 0 \"red\"))"
                                      "(= a (initnext (A (Position 0 0)) (prev a))) (= n (initnext 0 (+ (prev n) 1)))"
                                      "(on (== n 20) (= a (A (/ 1 0)))))");
    sb_autumn_state *state = started(program, 1);
    sb_autumn_walk *walk = sb_autumn_walk_new(program, 3);
    bool out_of_memory;
    const size_t taken = sb_autumn_walk_run(walk, state, 300, NULL, &out_of_memory);
    assert_in_range(taken, 18, 21);
    assert_false(out_of_memory);
    assert_int_equal(sb_autumn_fault_of(state)->kind, SB_AUTUMN_DIVISION);
    sb_autumn_walk_free(walk);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clicks_of_interest_are_on_things_beside_them_and_elsewhere),
        cmocka_unit_test(test_of_many_cells_some_are_tried_at_equal_distances),
        cmocka_unit_test(test_the_same_program_seed_and_states_give_the_same_walk),
        cmocka_unit_test(test_a_walk_neither_foresees_draws_nor_changes_the_state),
        cmocka_unit_test(test_what_was_never_seen_is_done_soon),
        cmocka_unit_test(test_a_walk_counts_handlers_and_variables),
        cmocka_unit_test(test_a_walk_ends_at_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
