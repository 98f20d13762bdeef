/* Rules of the Autumn language that no recording tests, each named by what it says. */
#include "engine/autumn/program.h"
#include "tests/autumn_support.h"

#define A_RED    "(object A (Cell 0 0 \"red\"))"
#define TEST_ROW "(object T (: v Bool) (Cell 0 0 (if v then \"green\" else \"red\")))"

/* Evaluates expressions at the start: drawn as cells of a row, green for true. */
static void expect_true(const char *definitions, const char *expression) {
    char text[2000];
    snprintf(text, sizeof text,
             "(program " TEST_ROW "%s\n(= t (initnext (T false (Position 0 0)) (T %s (Position 0 0)))))", definitions,
             expression);
    expect(text, ".", "t 0 0 green");
}

static void expect_false(const char *definitions, const char *expression) {
    char text[1000];
    snprintf(text, sizeof text, "(! %s)", expression);
    expect_true(definitions, text);
}

static void test_the_order_of_tables(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t hash;
    } hashes[] = {{"a", 0x454ddee488c1ed6b},        {"agent", 0x60f6f44eeb1f7423},
                  {"particle", 0x2c34ba798c6cef44}, {"celestialBody", 0x974b72a9782857aa},
                  {"abcdefgh", 0x783db3e38db898bb}, {"inactiveParticles", 0x77d9e1febc98f3ae}};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        assert_true(sb_au_name_hash(hashes[i].name, strlen(hashes[i].name)) == hashes[i].hash);
    static const char *const names[] = {"v00", "v01", "v02", "v03", "v04", "v05", "v06", "v07",
                                        "v08", "v09", "v10", "v11", "v12", "v13", "v14"};
    static const uint16_t expected[] = {13, 14, 8, 1, 3, 2, 12, 5, 6, 7, 0, 4, 9, 10, 11};
    sb_au_words words = {0};
    uint16_t order[15], program_order[15], reversed[15];
    sb_au_table table = sb_au_table_empty(), straight = table, backwards = table;
    for (uint16_t i = 0; i < 15; i++) {
        assert_int_equal(sb_au_word_of(&words, names[i], 3), i);
        sb_au_table_insert(&table, order, i, &words, SB_AUTUMN_TABLE_ORDER);
        sb_au_table_insert(&straight, program_order, i, &words, SB_AUTUMN_PROGRAM_ORDER);
        sb_au_table_insert(&backwards, reversed, i, &words, SB_AUTUMN_REVERSED_ORDER);
    }
    assert_memory_equal(order, expected, sizeof expected);
    for (uint16_t i = 0; i < 15; i++) {
        assert_int_equal(program_order[i], i);
        assert_int_equal(reversed[i], 14 - i);
    }
    sb_au_words_free(&words);
}

static void test_numbers_wrap_around(void **state) {
    (void)state;
    expect("(program " A_RED " (= a (A (Position (+ 2147483647 1) (- (- 0 2147483647) 2)))))", "",
           "a -2147483648 2147483647 red");
    expect("(program " A_RED " (= a (A (Position (* 65536 65537) 4294967299))))", "", "a 65536 3 red");
    expect("(program " A_RED " (= low (- -2147483647 1)) (= a (A (Position (/ low -1) (% low -1)))))", "",
           "a -2147483648 0 red");
    expect_true("", "(== (abs (- -2147483647 1)) (- -2147483647 1))");
    expect_true("", "(& (== (sqrt 2147483647) 46340) (== (sqrt 0) 0))");
}

static void test_strings_and_atoms(void **state) {
    (void)state;
    expect("(program (object A (Cell 0 0 \"a\\\"b\\\\c;(\")) (= a (A (Position 0 0))))", "", "a 0 0 a\"b\\c;(");
    expect("(program " A_RED "(= a (A (Position 1;2 3)))\n(= b (A (Position 5.9 6x))); (= c 7\n)", "",
           "a 1 3 red; b 5 6 red");
    expect_true(
        "", "(& (== (length (list \"a\"5\"b\" 6)) 3) (== (5) 5))"); /* the quote behind 5 is dropped with its atom */
    expect_true("", "(== \"\\'\" \"'\")");
    expect_false("", "(== \"a\\n\" \"a\\r\")");
}

static void test_a_rule_sees_the_last_frame_when_it_asks_for_free_cells(void **state) {
    (void)state;
    /* b's rule runs before or after a's; both see a where it was drawn */
    expect("(program (= GRID_SIZE 8)" A_RED TEST_ROW "(= a (initnext (A (Position 1 1)) (moveRight (prev a))))"
           "(= left1 (initnext (T false (Position 5 5)) (T (isFreePos (Position 1 1)) (Position 5 5))))"
           "(= right1 (initnext (T false (Position 6 5)) (T (isFreePos (Position 2 1)) (Position 6 5)))))",
           ".", "a 2 1 red; left1 5 5 red; right1 6 5 green");
}

static void test_cells_off_the_grid_are_occupied(void **state) {
    (void)state;
    expect("(program (= GRID_SIZE 4)" A_RED TEST_ROW "(= a (initnext (A (Position -1 2)) (prev a)))"
           "(= t (initnext (T false (Position 0 0)) (T (isFreePos (Position -1 2)) (Position 0 0))))"
           "(= u (initnext (T false (Position 1 0)) (T (isFreePos (Position -2 2)) (Position 1 0)))))",
           ".", "a -1 2 red; t 0 0 red; u 1 0 green");
}

static void test_remembered_names_come_before_fields_before_the_asking_scope(void **state) {
    (void)state;
    /* `c` names a global that existed when the object was made, so the field of that name is not seen */
    expect("(program (= GRID_SIZE 4) (= c \"gold\") (object A (: c String) (Cell 0 0 c))"
           "(= a (initnext (A \"red\" (Position 0 0)) (prev a))) (on left (= c \"blue\")))",
           "<", "a 0 0 gold");
    /* nothing is remembered for `c`: the field counts, not the caller's variable */
    expect("(program (= GRID_SIZE 4) (object A (: c String) (Cell 0 0 c)) (= a (initnext (A \"red\" (Position 0 0)) "
           "(prev a)))"
           "(= b (initnext (A \"red\" (Position 1 1)) (let (= f (--> (c) (.. (head (renderValue a)) color))) (A (f "
           "\"blue\") (Position 1 1))))))",
           ".", "a 0 0 red; b 1 1 red");
    /* neither: the scope that asks */
    expect("(program (= GRID_SIZE 4) (object A (Cell 0 0 tint)) (object B (: c String) (Cell 0 0 c))"
           "(= b (initnext (B \"red\" (Position 1 1)) (let (= f (--> (tint) (.. (head (renderValue (A (Position 0 "
           "0)))) color))) (B (f \"blue\") (Position 1 1))))))",
           ".", "b 1 1 blue");
}

static void test_rotate_negates_a_kept_coordinate(void **state) {
    (void)state;
    expect("(program (= GRID_SIZE 9) (object A (: r Number) (Cell r 1 \"red\"))"
           "(= a (initnext (A 2 (Position 4 4)) (prev a))) (on left (= a (rotate a))) (on right (= a (updateObj a "
           "\"r\" 3))))",
           "<", "a 3 6 red");
    expect("(program (= GRID_SIZE 9) (object A (: r Number) (Cell r 1 \"red\"))"
           "(= a (initnext (A 2 (Position 4 4)) (prev a))) (on left (= a (rotate a))) (on right (= a (updateObj a "
           "\"r\" 3))))",
           "<<>", "a 1 3 red");
}

#define THREE                                                                                                          \
    "(object A (: n Number) (Cell 0 0 \"red\")) (= xs (initnext (list (A 0 (Position 0 0)) (A 1 (Position 1 0))) "     \
    "(prev xs)))"

static void test_identity(void **state) {
    (void)state;
    /* an assigned value gets the identity of the variable's old value, so b is taken for the item that it was made from
     */
    expect("(program" THREE "(= one (initnext (A 5 (Position 5 5)) (prev one)))"
           "(on left (= one (head xs))) (on right (= xs (removeObj xs (head xs)))) (on up (= xs (removeObj xs one))))",
           "<^", "xs 1 0 red; one 0 0 red");
    /* updateObj copies, so the copy is not found in the list */
    expect("(program" THREE "(on up (= xs (removeObj xs (updateObj (head xs) \"n\" 3)))))", "^", "xs 0 0 red 1 0 red");
    /* addObj copies the items, but not what is added */
    expect("(program" THREE "(on up (let (= new (A 7 (Position 7 0))) (= old (head xs)) (= xs (addObj xs new))"
           "(= xs (removeObj xs old)) (= xs (removeObj xs new)))))",
           "^", "xs 0 0 red 1 0 red");
    expect(
        "(program" THREE "(= p (initnext (Position 0 0) (prev p))) (on up (let (= old (.. (head xs) origin)) (= ps "
        "(list old old (Position 0 0)))"
        "(= ps (removeObj ps old)) (= xs (updateObj xs (--> o (updateObj o \"origin\" (Position (length ps) 9))))))))",
        "^", "xs 1 9 red 1 9 red");
}

static void test_prev_of_a_value(void **state) {
    (void)state;
    expect("(program (= GRID_SIZE 9) " A_RED "(= a (initnext (A (Position 0 0)) (moveRight (prev a))))"
           "(= b (initnext (A (Position 0 3)) (let (= now (head (list a))) (moveDown (prev (head (list now))))))))",
           "..", "a 2 0 red; b 1 1 red");
}

static void test_a_variable_defined_again_keeps_its_place_in_drawings(void **state) {
    (void)state;
    expect("(program (= GRID_SIZE 9) (object A (: c String) (Cell 0 0 c)) (= a (A \"red\" (Position 0 0))) (= b (A "
           "\"blue\" (Position 1 0)))"
           "(on left (let (= a (removeObj a)) true)) (on right (= a (A \"gold\" (Position 2 0)))))",
           "<", "b 1 0 blue");
    expect("(program (= GRID_SIZE 9) (object A (: c String) (Cell 0 0 c)) (= a (A \"red\" (Position 0 0))) (= b (A "
           "\"blue\" (Position 1 0)))"
           "(on left (let (= a (removeObj a)) true)) (on right (= a (A \"gold\" (Position 2 0)))))",
           "<>", "a 2 0 gold; b 1 0 blue");
}

static void test_a_choice_of_one_takes_a_draw(void **state) {
    (void)state;
    static const char text[] = "(program " A_RED
                               "(= a (initnext (A (Position 0 0)) (A (Position (uniformChoice (list 4)) 0)))))";
    sb_autumn_program *program = load(text);
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PUBLISHED, 3, NULL));
    assert_int_equal(sb_autumn_generator_state(s), 3);
    assert_true(sb_autumn_step(s, (sb_autumn_event){0}, NULL));
    assert_int_equal(sb_autumn_generator_state(s), 3 * 48271);
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

#define POOL                                                                                                           \
    "(program (= GRID_SIZE 8) (object D (Cell 0 0 \"blue\")) (object S (Cell 0 0 \"gray\"))"                           \
    "(= d (initnext (D (Position %s)) (nextLiquid (prev d)))) (= s (initnext (map (--> q (S q)) (list %s)) (prev "     \
    "s))))"

static void expect_liquid(const char *drop, const char *stones, int steps, const char *drawn) {
    char text[2000];
    snprintf(text, sizeof text, POOL, drop, stones);
    sb_autumn_program *program = load(text);
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PUBLISHED, 1, NULL));
    for (int i = 0; i < steps; i++) assert_true(sb_autumn_step(s, (sb_autumn_event){0}, NULL));
    char found[4000];
    strcpy(found, drawing(s));
    found[strcspn(found, ";")] = '\0';
    assert_string_equal(found, drawn);
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

static void test_liquid(void **state) {
    (void)state;
    expect_liquid("3 2", "(Position 0 7)", 2, "d 3 4 blue");                /* falls */
    expect_liquid("3 7", "(Position 0 7)", 1, "d 3 7 blue");                /* the last row: nothing below */
    expect_liquid("3 6", "(Position 3 7)", 1, "d 4 6 blue");                /* among equals the rightmost hole */
    expect_liquid("7 6", "(Position 7 7) (Position 6 6)", 1, "d 7 6 blue"); /* the way is blocked */
    expect_liquid("0 6", "(Position 0 7) (Position 1 6) (Position 1 7)", 1, "d 0 6 blue");
    /* the cell above the hole must be free, or it is no hole */
    expect_liquid("3 6", "(Position 3 7) (Position 4 6) (Position 4 7)", 1, "d 2 6 blue");
}

static void test_equality_of_lists_is_that_of_their_print(void **state) {
    (void)state;
    expect_false("", "(== (map (--> v v) (list 1 2)) (list 1 2))");
    expect_true("", "(== (range 1 3) (list 1 2))");
    expect_true("", "(== (list) (map (--> v v) (list)))");
    expect_false("", "(== (list 1) (list true))");
    expect_true("", "(== 1 true)");
    expect_false("", "(== true 1)");
    expect_true(A_RED "(object B (Cell 0 0 \"red\"))", "(== (A (Position 1 1)) (B (Position 1 1)))");
    expect_false(A_RED "(object B (Cell 0 0 \"red\"))", "(== (list (A (Position 1 1))) (list (B (Position 1 1))))");
    expect_false("(object A (Cell 0 0 (+ 1 \"red\"))) (object B (Cell 0 0 (+ 2 \"red\")))",
                 "(== (.. (A (Position 1 1)) elems) (.. (B (Position 1 1)) elems))");
    expect_true("(object A (: c String) (Cell 0 0 (if true then c else c))) (object B (: c String) (Cell 0 0 (if true "
                "then c else c)))",
                "(== (.. (A \"a\" (Position 1 1)) elems) (.. (B \"b\" (Position 1 1)) elems))");
}

static void test_primitives_count_their_arguments_and_others_do_not(void **state) {
    (void)state;
    expect_true("", "(== (abs -2 7) 2)");
    expect_true("", "(isWithinBounds 5)");
    expect_true("", "(isWithinBounds (list))");
    expect_fault("(program (= a (length (list) 1)))", "", SB_AUTUMN_ARITY, 1, 15, "length");
    expect_fault("(program (= a ((abs))))", "", SB_AUTUMN_ARITY, 1, 15, "abs");
}

static void test_lists_and_their_types(void **state) {
    (void)state;
    expect_true("", "(== (addObj (list (list 1) (list \"a\")) (list (list 2))) (addObj (list (list 1) (list \"a\")) "
                    "(list (list 2))))");
    expect_fault("(program (= a (addObj (list 1 \"a\") 2)))", "", SB_AUTUMN_TYPE, 1, 15, "several types");
    expect_fault("(program (= a (addObj (list 1) \"a\")))", "", SB_AUTUMN_TYPE, 1, 15, "another type");
    expect_true("", "(== (length (addObj (list 1 \"a\") (list 2))) 3)");
    expect_true("", "(== (tail (filter (--> v (> v 1)) (range 0 5))) 4)");
    expect_true("", "(any (list 0))");
    expect_false("", "(any (list false (list)))");
    expect_true("", "(in 1 (list true 1))");
}

static void test_a_declared_type_is_kept(void **state) {
    (void)state;
    expect_fault("(program (: n Number) (= n (initnext 1 (prev n))) (on left (= n (list))))", "<", SB_AUTUMN_TYPE, 1,
                 60, "declared");
    expect(
        "(program " A_RED
        "(= a (initnext (A (Position 0 0)) (prev a))) (on left (let (: k Number) (= k 3) (= a (A (Position k 0))))))",
        "<", "a 3 0 red");
    expect_fault("(program " A_RED "(= a (initnext 0 (prev a))) (on left (let (: k Number) (= k \"b\"))))", "<",
                 SB_AUTUMN_TYPE, 1, 92, "declared");
}

static void test_every_object_answers_to_render(void **state) {
    (void)state;
    expect_true(A_RED, "(== (length ((.. (A (Position 1 1)) render))) 1)");
    expect_true(A_RED "(= f (.. (A (Position 1 1)) render))", "(== (.. (.. (head ((f))) position) x) 1)");
}

static void test_shapes_must_be_cells(void **state) {
    (void)state;
    expect_fault("(program (object A (list (list (Cell 0 0 \"red\")))) (= a (A (Position 0 0))))", "", SB_AUTUMN_TYPE,
                 1, 57, "shape");
}

static void test_programs_may_redefine_library_names(void **state) {
    (void)state;
    expect("(program " A_RED "(= tail (initnext (A (Position 3 3)) (moveLeft (prev tail)))))", ".", "tail 2 3 red");
    expect("(program " A_RED
           "(= moveLeft (--> o (moveRight o))) (= a (initnext (A (Position 3 3)) (moveLeft (prev a)))))",
           ".", "a 4 3 red");
}

static void test_warnings(void **state) {
    (void)state;
    sb_autumn_program *program = load(
        "(program\n (= walker 1)\n (= moveLeft (--> o o))\n (= holes (initnext walkr (prev holes))))");
    const sb_autumn_fault *unknown = sb_autumn_warning(program, 0);
    assert_int_equal(unknown->line, 4);
    assert_int_equal(unknown->column, 21);
    assert_non_null(strstr(unknown->text, "`walkr` is never defined; the closest known name is `walker`"));
    assert_non_null(strstr(sb_autumn_warning(program, 1)->text, "overwrites a global of the name `holes`"));
    assert_non_null(strstr(sb_autumn_warning(program, 2)->text, "`moveLeft` is a library function"));
    assert_null(sb_autumn_warning(program, 3));
    sb_autumn_unload(program);
}

static void test_the_triggering_condition_is_that_of_the_state_before(void **state) {
    (void)state;
    sb_autumn_fault fault;
    static const char text[] = "(program (= n (initnext 0 (+ (prev n) 1))))";
    const sb_autumn_options options = {.trigger = "== n 2"};
    sb_autumn_program *program = sb_autumn_load(text, strlen(text), &options, &fault);
    assert_non_null(program);
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PUBLISHED, 1, NULL));
    for (int t = 0; t < 5; t++) {
        assert_true(sb_autumn_step(s, (sb_autumn_event){0}, NULL));
        assert_int_equal(sb_autumn_triggered(s), t == 2);
    }
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

static void test_frames_as_text_and_json(void **state) {
    (void)state;
    sb_autumn_program *program = load(
        "(program (= GRID_SIZE 2) (= background \"White\") (object A (list (Cell 0 0 \"Red\") (Cell 5 0 \"red\")))"
        "(= a (A (Position 0 0))) (= b (A (Position 0 0))))");
    sb_autumn_state *s = new_state(program);
    sb_out out = sb_out_growing();
    assert_true(sb_autumn_start(s, SB_AUTUMN_PUBLISHED, 1, NULL));
    sb_autumn_put_frame(s, &out);
    sb_puts(&out, "\n");
    sb_autumn_put_cells(s, &out);
    sb_put(&out, "\0", 1);
    assert_string_equal(out.data, "[[\"red\", \"White\"], [\"White\", \"White\"]]\n"
                                  "{\"a\": [{\"position\": {\"x\": 0, \"y\": 0}, \"color\": \"Red\"}, {\"position\": "
                                  "{\"x\": 5, \"y\": 0}, \"color\": \"red\"}], "
                                  "\"b\": [{\"position\": {\"x\": 0, \"y\": 0}, \"color\": \"Red\"}, {\"position\": "
                                  "{\"x\": 5, \"y\": 0}, \"color\": \"red\"}], "
                                  "\"GRID_SIZE\": 2}");
    sb_out_free(&out);
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_of_tables),
        cmocka_unit_test(test_numbers_wrap_around),
        cmocka_unit_test(test_strings_and_atoms),
        cmocka_unit_test(test_a_rule_sees_the_last_frame_when_it_asks_for_free_cells),
        cmocka_unit_test(test_cells_off_the_grid_are_occupied),
        cmocka_unit_test(test_remembered_names_come_before_fields_before_the_asking_scope),
        cmocka_unit_test(test_rotate_negates_a_kept_coordinate),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_prev_of_a_value),
        cmocka_unit_test(test_a_variable_defined_again_keeps_its_place_in_drawings),
        cmocka_unit_test(test_a_choice_of_one_takes_a_draw),
        cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_equality_of_lists_is_that_of_their_print),
        cmocka_unit_test(test_primitives_count_their_arguments_and_others_do_not),
        cmocka_unit_test(test_lists_and_their_types),
        cmocka_unit_test(test_a_declared_type_is_kept),
        cmocka_unit_test(test_every_object_answers_to_render),
        cmocka_unit_test(test_shapes_must_be_cells),
        cmocka_unit_test(test_programs_may_redefine_library_names),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_the_triggering_condition_is_that_of_the_state_before),
        cmocka_unit_test(test_frames_as_text_and_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
