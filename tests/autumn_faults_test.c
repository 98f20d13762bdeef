/* Autumn without memory: a step that is warm allocates nothing, and when memory runs out anywhere there is a fault, and
 * the state is the one before. tests/faults_support.h lets it run out. */
#include <stdlib.h>

#include "generators/autumn/challenges/walk.h"
#include "tests/autumn_support.h"
#include "tests/faults_support.h"

/* Grows lists, makes and moves objects, changes in place, defines and removes, draws, keeps expressions. */
static const char busy[] =
    "(program (= GRID_SIZE 12) (object A (: n Number) (: c String) (list (Cell 0 0 c) (Cell (% n 3) 1 \"red\")))"
    "(object B (Cell 0 0 \"BLUE\"))"
    "(= k (initnext 0 (+ (prev k) 1)))"
    "(= as (initnext (list (A 0 \"gold\" (Position 3 3))) (updateObj (prev as) (--> o (moveRightNoCollision (updateObj "
    "o \"n\" k))))))"
    "(= bs (initnext (list) (filter (--> b (isWithinBounds b)) (map (--> b (moveDown b)) (prev bs)))))"
    "(on (== 0 (% k 3)) (= bs (addObj bs (map (--> q (B q)) (randomPositions 12 4)))))"
    "(on (== 0 (% k 5)) (= extra (A k \"lime\" (Position 1 (% k 12)))))"
    "(on (& (== 3 (% k 5)) (defined \"extra\")) (let (= extra (removeObj extra)) true))"
    "(on (> (length as) 0) (= (.. (head as) c) (uniformChoice (list \"red\" \"Pink\"))))"
    "(on clicked (= as (addObj as (A 1 \"tan\" click)))) (on (> (length as) 6) (= as (list (head as))))"
    "(on left (= as (map rotate as))) (on (> (length (adjacentObjs as 2)) 30) (= bs (list)))"
    "(on (== (head as) (tail as)) (= j (sum (range 0 (length bs))))))";

typedef struct key {
    uint64_t word[2];
} key;

static sb_autumn_event event_at(int i) {
    if (i % 4 == 3) return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = i % 7, .y = i % 12};
    return (sb_autumn_event){.key = (sb_autumn_key)(i % 5)};
}

/* Plays, looks, copies and hashes; returns the last key. */
static key play(sb_autumn_state *state, sb_autumn_state *copy, int steps) {
    key k;
    uint32_t frame[12 * 12];
    char text[4000];
    sb_out out = sb_out_fixed(text, sizeof text);
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 4, NULL));
    for (int i = 0; i < steps; i++) {
        if (!sb_autumn_step(state, event_at(i), NULL)) fail_msg("%s", sb_autumn_fault_of(state)->text);
        sb_autumn_frame(state, frame);
        sb_out_clear(&out);
        sb_autumn_put_frame(state, &out);
        assert_true(sb_autumn_copy(copy, state));
        assert_true(sb_autumn_hash(copy, true, k.word));
    }
    return k;
}

static void test_warm_steps_copies_and_keys_allocate_nothing(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(busy);
    sb_autumn_state *state = new_state(program), *copy = new_state(program);
    const key first = play(state, copy, 400);
    play(state, copy, 400);
    disarm();
    const key again = play(state, copy, 400);
    assert_int_equal(calls[MEMORY], 0);
    assert_memory_equal(&first, &again, sizeof first);
    sb_autumn_free(state);
    sb_autumn_free(copy);
    sb_autumn_unload(program);
}

static void test_a_program_that_memory_does_not_suffice_for_is_not_loaded(void **unused) {
    (void)unused;
    for (long n = 1;; n++) {
        sb_autumn_fault fault;
        arm(MEMORY, n);
        sb_autumn_program *program = sb_autumn_load(busy, strlen(busy), NULL, &fault);
        disarm();
        if (program) {
            assert_true(n > 40);
            sb_autumn_unload(program);
            break;
        }
        assert_int_equal(fault.kind, SB_AUTUMN_MEMORY);
        assert_string_not_equal(fault.text, "");
    }
}

/* A step that failed for want of memory can be taken again, and then gives what it would have given. */
static void test_a_step_without_memory_is_a_fault_and_can_be_taken_again(void **unused) {
    (void)unused;
    enum { STEPS = 60 };
    sb_autumn_program *program = load(busy);
    sb_autumn_state *state = new_state(program), *copy = new_state(program);
    const key expected = play(state, copy, STEPS);
    long n_faults = 0;
    for (long n = 1; n < 8; n++) {
        sb_autumn_state *fresh = new_state(program), *other = new_state(program);
        arm(MEMORY, n);
        while (!sb_autumn_start(fresh, SB_AUTUMN_PCG64, 4, NULL)) {
            assert_int_equal(sb_autumn_fault_of(fresh)->kind, SB_AUTUMN_MEMORY);
            n_faults++;
        }
        for (int i = 0; i < STEPS; i++) {
            arm(MEMORY, n);
            while (!sb_autumn_step(fresh, event_at(i), NULL)) {
                assert_int_equal(sb_autumn_fault_of(fresh)->kind, SB_AUTUMN_MEMORY);
                n_faults++;
            }
            arm(MEMORY, n);
            while (!sb_autumn_copy(other, fresh)) n_faults++;
        }
        key k;
        arm(MEMORY, n);
        while (!sb_autumn_hash(fresh, true, k.word)) n_faults++;
        disarm();
        assert_memory_equal(&k, &expected, sizeof k);
        sb_autumn_free(fresh);
        sb_autumn_free(other);
    }
    assert_true(n_faults > 20);
    sb_autumn_free(state);
    sb_autumn_free(copy);
    sb_autumn_unload(program);
}

/* A walk without memory says so; nothing is lost. */
static void test_a_walk_without_memory_ends(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(busy);
    sb_autumn_state *state = new_state(program);
    long n_ended = 0, n_refused = 0;
    for (bool done = false; !done;) {
        bool out_of_memory = false;
        assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 4, NULL));
        arm(MEMORY, n_ended + n_refused + 1);
        sb_autumn_walk *walk = sb_autumn_walk_new(program, 1);
        const size_t taken = walk ? sb_autumn_walk_run(walk, state, 60, NULL, &out_of_memory) : 0;
        disarm();
        n_refused += !walk;
        n_ended += walk && (out_of_memory || taken < 60);
        if (walk && taken < 60 && !out_of_memory) assert_int_equal(sb_autumn_fault_of(state)->kind, SB_AUTUMN_MEMORY);
        done = walk && taken == 60 && !out_of_memory;
        sb_autumn_walk_free(walk);
    }
    assert_true(n_refused > 5 && n_ended > 5);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

static void test_a_state_without_memory_is_not_made(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(busy);
    for (long n = 1; n <= 3; n++) {
        arm(MEMORY, n);
        assert_null(sb_autumn_new(program));
    }
    disarm();
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warm_steps_copies_and_keys_allocate_nothing),
        cmocka_unit_test(test_a_program_that_memory_does_not_suffice_for_is_not_loaded),
        cmocka_unit_test(test_a_step_without_memory_is_a_fault_and_can_be_taken_again),
        cmocka_unit_test(test_a_walk_without_memory_ends),
        cmocka_unit_test(test_a_state_without_memory_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
