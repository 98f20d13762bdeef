/* Errors of Autumn programs: of which kind they are, where, and in which words; and programs that run away. */
#include "tests/autumn_support.h"

static void test_broken_programs_are_told_their_place(void **state) {
    (void)state;
    expect_fault("", "", SB_AUTUMN_PARSE, 1, 1, "empty");
    expect_fault("program", "", SB_AUTUMN_PARSE, 1, 1, "(program");
    expect_fault("()", "", SB_AUTUMN_PARSE, 1, 1, "(program");
    expect_fault("(program\n  (= a 1)", "", SB_AUTUMN_PARSE, 1, 1, "never closed");
    expect_fault("(program (= a 1)))", "", SB_AUTUMN_PARSE, 1, 18, "closes nothing");
    expect_fault("(program)\n(rest", "", SB_AUTUMN_PARSE, 2, 1, "never closed");
    expect_fault("(program (= a \"red))", "", SB_AUTUMN_PARSE, 1, 15, "closing quote");
    expect_fault("(program (= a \"re\\d\"))", "", SB_AUTUMN_PARSE, 1, 19, "escape");
    expect_fault("(program\n (= a #b))", "", SB_AUTUMN_PARSE, 2, 7, "`#b`");
    expect_fault("(program (= a -b))", "", SB_AUTUMN_PARSE, 1, 15, "sign");
    expect_fault("(program (= a (+ 1 2 3)))", "", SB_AUTUMN_PARSE, 1, 15, "one part or two, not 3");
    expect_fault("(program (= a (& true)))", "", SB_AUTUMN_PARSE, 1, 15, "exactly two parts, not 1");
    expect_fault("(program (= a nil))", "", SB_AUTUMN_PARSE, 1, 15, "`nil`");
    expect_fault("(program (= a then))", "", SB_AUTUMN_PARSE, 1, 15, "`then`");
    expect_fault("(program (= a (initnext 1)))", "", SB_AUTUMN_PARSE, 1, 10, "initnext first next");
    expect_fault("(program (= a (let (= b (initnext 1 2)) 3)))", "", SB_AUTUMN_PARSE, 1, 20, "top of the program");
    expect_fault("(program (object A (: n Number)))", "", SB_AUTUMN_PARSE, 1, 10, "no shape");
    expect_fault("(program (object A (: n Ball) (Cell 0 0 \"red\")))", "", SB_AUTUMN_TYPE, 1, 20, "`Ball`");
    expect_fault("(program (object Cell (Cell 0 0 \"red\")))", "", SB_AUTUMN_TYPE, 1, 18, "built-in");
    expect_fault("(program (on left))", "", SB_AUTUMN_PARSE, 1, 10, "(on condition body)");
    expect_fault("(program (= a (if true then 1)))", "", SB_AUTUMN_PARSE, 1, 15, "(if condition");
    expect_fault("(program (= a ()))", "", SB_AUTUMN_PARSE, 1, 15, "(list)");
    expect_fault("(program (= a ((list) 1)))", "", SB_AUTUMN_UNDEFINED, 1, 15, "`list`");
    expect_fault("(program (= a ((let 1) 1)))", "", SB_AUTUMN_PARSE, 1, 16, "only a name or a field");
    expect_fault("(program (= a (on left 1)))", "", SB_AUTUMN_PARSE, 1, 15, "cannot stand inside");
    expect_fault("(program (= a (let (: b Number))))", "", SB_AUTUMN_PARSE, 1, 20, "must be a value");
}

/* A program whose names and colours are so long. */
static void write_long(sb_out *text, int name, int colour) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    sb_out_clear(text);
    sb_putf(text, "(program\n (object P (Cell 0 0 \"%.*s\"))\n (= %.*s (P (Position 0 0))))", colour, letters, name,
            letters);
    sb_putc(text, '\0');
}

static void test_names_and_texts_have_a_longest_length(void **state) {
    (void)state;
    sb_out text = sb_out_growing();
    write_long(&text, SB_AUTUMN_NAME_MAX, SB_AUTUMN_STRING_MAX);
    sb_autumn_unload(load(text.data));
    write_long(&text, SB_AUTUMN_NAME_MAX + 1, SB_AUTUMN_STRING_MAX);
    expect_fault(text.data, "", SB_AUTUMN_LIMIT, 3, 5, "a name of more than 64");
    write_long(&text, SB_AUTUMN_NAME_MAX, SB_AUTUMN_STRING_MAX + 1);
    expect_fault(text.data, "", SB_AUTUMN_LIMIT, 2, 22, "a text of more than 64 bytes");
    expect_fault("(program (= a \"\\f\\f\\f\\f\\f\\f\\f\\f\\f\\f\\f\"))", "", SB_AUTUMN_LIMIT, 1, 15, "in JSON");
    sb_out_free(&text);
}

static void test_faults_at_the_start_are_told_their_place(void **state) {
    (void)state;
    expect_fault("(program\n  (= bal 1)\n  (= c ball))", "", SB_AUTUMN_UNDEFINED, 3, 8, "closest known name is `bal`");
    expect_fault("(program (= c (mapp 1 2)))", "", SB_AUTUMN_UNDEFINED, 1, 15, "closest known name is `map`");
    expect_fault("(program (= n 1) (= c (n 2)))", "", SB_AUTUMN_TYPE, 1, 23, "cannot be called");
    expect_fault("(program (= a (initnext (prev a) 1)))", "", SB_AUTUMN_UNDEFINED, 1, 25, "before this step");
    expect_fault("(program (= f (--> (x y) x)) (= a (f 1)))", "", SB_AUTUMN_ARITY, 1, 35, "needs 2 arguments, not 1");
    expect_fault("(program (= a (head (list))))", "", SB_AUTUMN_INDEX, 1, 15, "empty list");
    expect_fault("(program (= a (at (list 1) 1)))", "", SB_AUTUMN_INDEX, 1, 15, "no item 1 in a list of 1");
    expect_fault("(program (= a (/ 1 0)))", "", SB_AUTUMN_DIVISION, 1, 15, "divided by zero");
    expect_fault("(program (= a (% 1 0)))", "", SB_AUTUMN_DIVISION, 1, 15, "divided by zero");
    expect_fault("(program (= a (uniformChoice (list))))", "", SB_AUTUMN_RANDOM, 1, 15, "empty list");
    expect_fault("(program (= a (randomPositions (list) 1)))", "", SB_AUTUMN_TYPE, 1, 15, "a number");
    expect_fault("(program (= a (! 1)))", "", SB_AUTUMN_TYPE, 1, 15, "truth value, not a number");
    expect_fault("(program (= a (< 1 \"b\")))", "", SB_AUTUMN_TYPE, 1, 15, "two numbers");
    expect_fault("(program (= a (Position 1)))", "", SB_AUTUMN_ARITY, 1, 15, "x and y");
    expect_fault("(program (= a (.. (Position 1 2) z)))", "", SB_AUTUMN_FIELD, 1, 15, "`z`");
    expect_fault("(program (object A (Cell 0 0 \"red\")) (= a (A 1)))", "", SB_AUTUMN_TYPE, 1, 43, "`origin`");
    expect_fault("(program (object A (Cell 0 0 \"red\")) (= a (A)))", "", SB_AUTUMN_UNDEFINED, 1, 44, "`A`");
    expect_fault("(program (object A 5) (= a (A (Position 0 0))))", "", SB_AUTUMN_TYPE, 1, 28, "shape");
    expect_fault("(program (object A (Cell 0 0 7)) (= a (A (Position 0 0))))", "", SB_AUTUMN_TYPE, 0, 0, "a string");
    expect_fault("(program (= GRID_SIZE (list 3)))", "", SB_AUTUMN_TYPE, 0, 0, "a number, not a list");
    expect_fault("(program (= GRID_SIZE 1000))", "", SB_AUTUMN_LIMIT, 0, 0, "GRID_SIZE");
    expect_fault("(program (: a Number) (= a \"b\"))", "", SB_AUTUMN_TYPE, 1, 23, "declared");
    expect_fault("(program (= a 1) (= a \"b\"))", "", SB_AUTUMN_TYPE, 1, 18, "cannot become");
    expect_fault("(program (= a (moveLeft 1 2)))", "", SB_AUTUMN_TYPE, 1, 15, "an object");
    expect_fault("(program (= a (head (list 1) 2)))", "", SB_AUTUMN_ARITY, 1, 15, "2 arguments");
}

static void test_faults_in_a_step_are_told_their_place(void **state) {
    (void)state;
    expect_fault("(program (= n (initnext 1 (prev n)))\n (on left (= n (/ n 0))))", "<", SB_AUTUMN_DIVISION, 2, 16,
                 "zero");
    expect_fault("(program (= n (initnext 1 (prev n)))\n (on n true))", ".", SB_AUTUMN_CONDITION, 2, 6, "a number");
    expect_fault("(program (= n (initnext 1 (prev m))))", ".", SB_AUTUMN_UNDEFINED, 1, 27, "`m`");
    expect_fault("(program (= n (initnext 1 \"a\")))", ".", SB_AUTUMN_TYPE, 1, 27, "cannot become");
    expect_fault("(program (= f (--> x (f x))) (on left (f 1)))", "<", SB_AUTUMN_LIMIT, 1, 22, "too deeply");
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static void expect_limit(const char *text, sb_autumn_limits limits, const char *words) {
    sb_autumn_fault fault;
    const sb_autumn_options options = {.limits = limits};
    sb_autumn_program *program = sb_autumn_load(text, strlen(text), &options, &fault);
    assert_non_null(program);
    sb_autumn_state *state = new_state(program);
    bool ok = sb_autumn_start(state, SB_AUTUMN_PUBLISHED, 1, NULL);
    for (int i = 0; ok && i < 100; i++) ok = sb_autumn_step(state, (sb_autumn_event){0}, NULL);
    assert_false(ok);
    assert_int_equal(sb_autumn_fault_of(state)->kind, SB_AUTUMN_LIMIT);
    if (!strstr(sb_autumn_fault_of(state)->text, words))
        fail_msg("`%s` not in: %s", words, sb_autumn_fault_of(state)->text);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

static void test_programs_that_run_away_stop(void **state) {
    (void)state;
    const sb_autumn_limits none = {0};
    expect_limit("(program (= f (--> x (f x))) (= a (f 1)))", none, "too deeply");
    expect_limit("(program (= f (--> x (+ 1 (f x)))) (= a (initnext 1 (f 1))))", none, "too deeply");
    expect_limit("(program (= a (range 0 2000000000)))", none, "evaluations");
    expect_limit("(program (= a (allPositions 100000)))", none, "evaluations");
    expect_limit("(program (= a (rect (Position -2000000000 0) (Position 2000000000 2000000000))))", none,
                 "evaluations");
    expect_limit("(program (= a (uniformChoice (list 1) 2000000000)))", none, "evaluations");
    expect_limit("(program (= xs (initnext (range 0 1000) (concat (list (prev xs) (prev xs))))))", none, "memory");
    expect_limit("(program (= xs (initnext (list 1) (list (prev xs) (prev xs)))) (= ys (initnext (list 1) (list (prev "
                 "ys) (prev ys))))"
                 "(= e (initnext true (== xs ys))))",
                 none, "evaluations");
    expect_limit("(program (= xs (initnext (list 1) (list (prev xs)))) (= ys (initnext (list 1) (list (prev ys))))"
                 "(= n (initnext 0 (+ (prev n) 1))) (= f (--> k (if (== k 0) then xs else (list (f (- k 1))))))"
                 "(on (> n 3) (== (f 300) (f 300))))",
                 none, "deep");
    expect_limit("(program (object A (map (--> q (Cell (.. q x) (.. q y) \"red\")) (allPositions 300)))"
                 "(= a (A (Position 0 0))))",
                 none, "cells");
    /* ten thousand cells off the grid, asked for one by one */
    expect_limit("(program (object A (map (--> k (Cell k 0 \"red\")) (range 0 10000))) (= a (A (Position -20000 0)))"
                 "(on true (any (--> k (! (isFreePos (Position k 0)))) (range 100 5000))))",
                 none, "evaluations");
    expect_limit("(program (= n (initnext 0 (+ (prev n) 1))) (on (any (--> x (> x n)) (range 0 50)) true))",
                 (sb_autumn_limits){.evaluations = 60}, "60 evaluations");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_programs_are_told_their_place),
        cmocka_unit_test(test_names_and_texts_have_a_longest_length),
        cmocka_unit_test(test_faults_at_the_start_are_told_their_place),
        cmocka_unit_test(test_faults_in_a_step_are_told_their_place),
        cmocka_unit_test(test_programs_that_run_away_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
