/* Autumn: steps that are known to change nothing are not taken again, and expressions of which nothing has changed are
 * not evaluated again. Played beside a state that never knows it, because it is restored from its bytes before every
 * step, every program does the same. */
#include <string.h>

#include "engine/autumn/state.h"
#include "generators/autumn/programs.h"
#include "tests/autumn_support.h"

enum { STEPS = 400, SIZE = SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX };

static uint32_t frames[2][SIZE];

static uint32_t draw(uint32_t *random, uint32_t below) {
    *random = *random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*random >> 8) * below) >> 24);
}

/* The same few keys for a while, so that much stands still, and clicks in between. */
static sb_autumn_event draw_event(const sb_autumn_state *state, uint32_t *random, int step) {
    const int32_t size = (int32_t)sb_autumn_size(state);
    if (draw(random, 12) == 0 && size > 0) {
        const int32_t x = (int32_t)draw(random, (uint32_t)size), y = (int32_t)draw(random, (uint32_t)size);
        return (sb_autumn_event){SB_AUTUMN_CLICK, x, y};
    }
    return (sb_autumn_event){.key = (sb_autumn_key)(step / 50 % 2 ? draw(random, 5) : draw(random, 2) * 2)};
}

static void forget(sb_autumn_state *state, sb_out *bytes) {
    sb_out_clear(bytes);
    sb_autumn_save(state, bytes);
    assert_true(sb_autumn_restore(state, bytes->data, bytes->size));
}

static void assert_alike(const sb_autumn_state *a, const sb_autumn_state *b) {
    uint64_t keys[2][2];
    assert_true(sb_autumn_hash(a, true, keys[0]) && sb_autumn_hash(b, true, keys[1]));
    assert_memory_equal(keys[0], keys[1], sizeof *keys);
    assert_int_equal(sb_autumn_size(a), sb_autumn_size(b));
    sb_autumn_frame(a, frames[0]), sb_autumn_frame(b, frames[1]);
    assert_memory_equal(frames[0], frames[1], sb_autumn_size(a) * sb_autumn_size(a) * sizeof *frames[0]);
    assert_int_equal(sb_autumn_evaluations(a), sb_autumn_evaluations(b));
    assert_memory_equal(sb_autumn_fired(a), sb_autumn_fired(b), sb_autumn_n_handlers(sb_autumn_program_of(a)));
}

/* Returns how many steps left everything as it was; -1 if a step failed. */
static int play_beside(const sb_autumn_program *program, uint64_t seed) {
    bool failed = false;
    sb_autumn_state *a = new_state(program), *b = new_state(program);
    sb_out bytes = sb_out_growing();
    uint32_t random = (uint32_t)seed;
    int still = 0;
    if (!sb_autumn_start(a, SB_AUTUMN_PCG64, seed, NULL)) fail_msg("%s", sb_autumn_fault_of(a)->text);
    assert_true(sb_autumn_start(b, SB_AUTUMN_PCG64, seed, NULL));
    for (int i = 0; i < STEPS; i++) {
        const sb_autumn_event event = draw_event(a, &random, i);
        uint64_t before[2], after[2];
        assert_true(sb_autumn_hash(a, true, before));
        forget(b, &bytes);
        const bool ok = sb_autumn_step(a, event, NULL);
        assert_int_equal(ok, sb_autumn_step(b, event, NULL));
        failed |= !ok;
        assert_alike(a, b);
        assert_true(sb_autumn_hash(a, true, after));
        still += memcmp(before, after, sizeof before) == 0;
    }
    sb_out_free(&bytes);
    sb_autumn_free(a), sb_autumn_free(b);
    return failed ? -1 : still;
}

static void test_programs_do_the_same_where_steps_that_change_nothing_are_not_taken(void **unused) {
    (void)unused;
    int still = 0;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        sb_autumn_program *program = load(sb_autumn_task_of(sb_autumn_task_at(i))->text);
        for (uint64_t seed = 1; seed <= (TESTS_ARE_SLOW ? 1 : 3); seed++) {
            const int n = play_beside(program, seed);
            assert_true(n >= 0);
            still += n;
        }
        sb_autumn_unload(program);
    }
    assert_true(still > STEPS);
}

/* Each would stand still by what its variables hold after the first step, but for one thing. */
static const char *const restless[] = {
    /* It draws, and seldom what it had. */
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (A (Position 0 0)) (if (== (uniformChoice (list 1 2 3 4 5 6 "
    "7)) 7) "
    "then (A (Position 5 5)) else (prev a)))))",
    /* A key that was not pressed yet. */
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (A (Position 0 0)) (prev a))) (on right (= a (moveRight "
    "a))))",
    /* A click. */
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (A (Position 0 0)) (prev a))) (on clicked (= a (moveRight "
    "a))))",
    /* What was before: the step after a change still differs. */
    "(program (object A (Cell 0 0 \"red\")) (= n (initnext 0 (prev n))) (= k (initnext 0 (prev n))) "
    "(on right (= n (+ n 1))))",
    /* A field that is changed in place. */
    "(program (object A (: n Number) (Cell 0 0 \"red\")) (= a (initnext (A 0 (Position 0 0)) (prev a))) "
    "(on true (= (.. a n) (+ (.. a n) 1))))",
    /* A cell that is turned in place. */
    "(program (= GRID_SIZE 9) (object A (: r Number) (Cell r 1 \"red\")) (= a (initnext (A 2 (Position 4 4)) (prev "
    "a))) "
    "(on left (= a (rotate a))) (on right (= a (updateObj a \"r\" 3))))",
    /* Three alike, of which two are one instance, change places. */
    "(program (object A (: n Number) (Cell n 0 \"red\")) (= one (A 0 (Position 0 0))) (= x (initnext one (prev y))) "
    "(= y (initnext one (prev z))) (= z (initnext (A 0 (Position 0 0)) (prev x))) (on left (= (.. x n) 5)))",
    /* The same, where one is looked for by its identity. */
    "(program (object A (: n Number) (Cell n 0 \"red\")) (= one (A 0 (Position 0 0))) (= x (initnext one (prev y))) "
    "(= y (initnext one (prev z))) (= z (initnext (A 0 (Position 0 0)) (prev x))) (on left (removeObj z)))",
};

/* An expression that is worth remembering; its value is 190. */
#define SLOW "(sum (map (--> k (* k 1)) (range 0 20)))"

/* In each, something that is slow to evaluate depends on one thing besides. */
static const char *const dependent[] = {
    /* The key. */
    "(program (= n (initnext 0 (+ " SLOW " (if left then 1 else 0)))))",
    "(program (= n (initnext 0 (prev n))) (on (& (> " SLOW " 0) right) (= n (+ n 1))))",
    /* The click. */
    "(program (= n (initnext 0 (+ " SLOW " (if clicked then 1 else 0)))))",
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (list (A (Position 0 0))) (prev a))) "
    "(= n (initnext 0 (+ " SLOW " (length (objClicked a))))))",
    /* A variable, and its value before the step. */
    "(program (= n (initnext 0 (prev n))) (= s (initnext 0 (+ " SLOW " n))) (on left (= n (+ n 1))))",
    "(program (= n (initnext 0 (prev n))) (= s (initnext 0 (+ " SLOW " (prev n)))) (on left (= n (+ n 1))))",
    "(program (= n (initnext 0 (prev n))) (= s (initnext 0 (+ " SLOW " (prev \"n\")))) (on left (= n (+ n 1))))",
    /* A variable that a function reads. */
    "(program (= n (initnext 0 (prev n))) (= f (--> () (+ " SLOW
    " n))) (= s (initnext 0 ((f)))) (on left (= n (+ n 1))))",
    /* What was drawn. */
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (A (Position 0 0)) (prev a))) "
    "(= s (initnext 0 (+ " SLOW " (if (isFreePos (Position 1 0)) then 1 else 0)))) (on right (= a (moveRight a))) "
    "(on left (= a (moveLeft a))))",
    /* All objects. */
    "(program (object A (Cell 0 0 \"red\")) (= a (initnext (list (A (Position 0 0))) (prev a))) "
    "(= s (initnext 0 (+ " SLOW " (length ((allObjs)))))) (= t (initnext 0 (+ " SLOW " (length ((allObjs)))))) "
    "(on right (= a (addObj a (A (Position 1 1))))))",
    /* The rule's own variable, which a handler has assigned. */
    "(program (= s (initnext 0 " SLOW ")) (on left (= s 5)))",
    /* A variable whose change was taken back, because the step failed. */
    "(program (= g (initnext 0 (prev g))) (= hit (initnext 0 (prev hit))) (= z (initnext 0 (/ 1 (if left then 0 else "
    "1)))) "
    "(on (| left right) (= g (+ g 1))) (on (== (+ " SLOW " g) 191) (= hit (+ hit 1))))",
    /* The size of the grid. */
    "(program (object A (Cell 0 0 \"red\")) (= n (initnext 0 (prev n))) (= GRID_SIZE (initnext 9 (+ 9 (prev n)))) "
    "(= s (initnext 0 (+ " SLOW " (if (isWithinBounds (A (Position 12 0))) then 1 else 0)))) (on left (= n (+ n 1))))",
    /* Whether a variable is defined. */
    "(program (= s (initnext 0 (+ " SLOW " (if (defined \"q\") then 1 else 0)))) (on right (= q 1)))",
    /* What is alike but not one value: functions of instances. */
    "(program (object A (Cell 0 0 \"red\")) (= one (A (Position 0 0))) (= a (initnext one (A (Position (- " SLOW
    " 190) 0)))) "
    "(= f (initnext (.. one render) (.. (prev a) render))) "
    "(= s (initnext 0 (if (== (prev f) (.. (prev a) render)) then 1 else 0))))",
};

static void test_what_depends_on_something_that_changes_is_evaluated_again(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof dependent / sizeof *dependent; i++) {
        sb_autumn_fault fault;
        sb_autumn_program *program = sb_autumn_load(dependent[i], strlen(dependent[i]), NULL, &fault);
        if (!program) fail_msg("%s\n%s", fault.text, dependent[i]);
        for (uint64_t seed = 1; seed <= 10; seed++)
            if (play_beside(program, seed) < 0 && !strstr(dependent[i], "/ 1"))
                fail_msg("a step fails: %s", dependent[i]);
        sb_autumn_unload(program);
    }
}

static void test_programs_that_only_seem_to_stand_still_go_on(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof restless / sizeof *restless; i++) {
        sb_autumn_program *program = load(restless[i]);
        for (uint64_t seed = 1; seed <= 20; seed++) play_beside(program, seed);
        sb_autumn_unload(program);
    }
}

static void test_a_switched_state_takes_the_step_again(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(
        "(program (= n (initnext 0 (if SpecialConditionTriggered then (+ (prev n) 1) else (prev n)))))");
    sb_autumn_state *state = new_state(program);
    uint64_t before[2], after[2];
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL));
    for (int i = 0; i < 3; i++) assert_true(sb_autumn_step(state, (sb_autumn_event){0}, NULL));
    sb_autumn_switch(state, true);
    assert_true(sb_autumn_hash(state, false, before));
    assert_true(sb_autumn_step(state, (sb_autumn_event){0}, NULL));
    assert_true(sb_autumn_hash(state, false, after));
    assert_memory_not_equal(before, after, sizeof before);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

/* Also in a copy, to which it is known that the original stood still. */
static void test_a_global_that_was_set_from_outside_is_read_again(void **unused) {
    (void)unused;
    sb_autumn_program *program = load("(program (= n (initnext 0 (prev n))) (= s (initnext 0 (+ " SLOW " (* n 1)))))");
    sb_autumn_state *state = new_state(program), *copy = new_state(program);
    const uint32_t n = sb_au_find_word(&program->names, "n", 1), s = sb_au_find_word(&program->names, "s", 1);
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL));
    for (int i = 0; i < 3; i++) assert_true(sb_autumn_step(state, (sb_autumn_event){0}, NULL));
    assert_true(sb_autumn_copy(copy, state));
    sb_au_set_global(copy, n, sb_au_number(7));
    assert_true(sb_autumn_step(copy, (sb_autumn_event){0}, NULL));
    assert_int_equal(copy->globals[s].number, 197);
    sb_autumn_free(state), sb_autumn_free(copy);
    sb_autumn_unload(program);
}

/* What a step may use does not depend on what earlier steps have left behind. */
static void test_the_limit_of_memory_does_not_count_what_is_unused(void **unused) {
    (void)unused;
    static const char text[] = "(program (= n (initnext 0 (+ (prev n) 1)))"
                               "(= l (initnext (list) (if (== (% n 2) 0) then (range 0 1200) else (list)))))";
    const sb_autumn_options options = {.limits = {.values = 2100}};
    sb_autumn_fault fault;
    sb_autumn_program *program = sb_autumn_load(text, sizeof text - 1, &options, &fault);
    if (!program) fail_msg("%s", fault.text);
    sb_autumn_state *state = new_state(program);
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL));
    for (int i = 0; i < 100; i++) assert_true(sb_autumn_step(state, (sb_autumn_event){0}, NULL));
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_do_the_same_where_steps_that_change_nothing_are_not_taken),
        cmocka_unit_test(test_programs_that_only_seem_to_stand_still_go_on),
        cmocka_unit_test(test_what_depends_on_something_that_changes_is_evaluated_again),
        cmocka_unit_test(test_a_switched_state_takes_the_step_again),
        cmocka_unit_test(test_a_global_that_was_set_from_outside_is_read_again),
        cmocka_unit_test(test_the_limit_of_memory_does_not_count_what_is_unused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
