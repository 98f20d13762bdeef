/* The statement `task` of worlds, and what only worlds can say. */
#include "base/hash.h"
#include "engine/autumn/world.h"
#include "tests/worlds_language_support.h"
#include "tests/worlds_support.h"

static void act(sb_autumn_state *state, const char *actions) {
    while (*actions) assert_true(sb_autumn_step(state, event_of(&actions), NULL));
}

/* ---- The statement ----------------------------------------------------------------------------------------------- */

static const char *const crates =
    "(program\n"
    "  (task \"Two_Crates\" (category \"planning\") (says \"Push them.\")\n"
    "    (difficulty easy (= SIZE 6) (= NAME \"peru\") (= DEEP false) (steps 60) (solution 4 20))\n"
    "    (difficulty hard (= SIZE 9) (= NAME \"gold\") (= DEEP true) (search 5000))\n"
    "    (win (> n 2)) (lose (== n 1)) (needs left click) (bound (- 3 n)) (reward (if won then 100 else (- n)))\n"
    "    (start (== n 0)) (hidden n sentries.other) (unordered list)\n"
    "    (sprite A \"........\" \"..####..\" \".+....-.\" \"........\" \"........\" \"........\" \"........\" "
    "\"########\"))\n"
    "  (= GRID_SIZE SIZE) (object A (Cell 0 0 NAME)) (= a (A (Position 1 1))) (= n 0)\n"
    "  (on up (= n (+ n 1))) (on down (= n (- n 1))))";

static void test_what_the_statement_says(void **unused) {
    (void)unused;
    sb_autumn_state *state = start(crates, 0, 1);
    const sb_autumn_program *program = sb_autumn_program_of(state);
    const sb_autumn_world *w = sb_autumn_world_of(program);
    const sb_autumn_difficulty *easy = &w->difficulties[0], *hard = &w->difficulties[1];
    assert_string_equal(w->name, "Two_Crates");
    assert_string_equal(w->category, "planning");
    assert_string_equal(w->says, "Push them.");
    assert_int_equal(w->n_difficulties, 2);
    assert_string_equal(easy->word, "easy");
    assert_int_equal(easy->steps, 60);
    assert_true(easy->has_solution && easy->least == 4 && easy->most == 20 && easy->search == 200000);
    assert_string_equal(hard->word, "hard");
    assert_int_equal(hard->steps, 300);
    assert_true(!hard->has_solution && hard->search == 5000);
    assert_true(w->needs[SB_AUTUMN_LEFT] && w->needs[SB_AUTUMN_CLICK] && !w->needs[SB_AUTUMN_UP]);
    assert_true(w->has_bound && w->has_reward && !w->has_score);
    drop(state);
}

static void test_parameters_are_those_of_the_difficulty(void **unused) {
    (void)unused;
    sb_autumn_state *easy = start(crates, 0, 1), *hard = start(crates, 1, 1);
    assert_int_equal(sb_autumn_size(easy), 6);
    assert_int_equal(sb_autumn_size(hard), 9);
    assert_string_equal(drawing(easy), "a 1 1 peru");
    assert_string_equal(drawing(hard), "a 1 1 gold");
    drop(easy), drop(hard);
}

static void test_a_world_without_clauses_has_the_defaults(void **unused) {
    (void)unused;
    sb_autumn_state *state = start("; First; comment.\n(program (task \"W\" (win false)) " A_RED " (= a \"; no\"))", 0,
                                   1);
    const sb_autumn_world *w = sb_autumn_world_of(sb_autumn_program_of(state));
    assert_string_equal(w->category, "worlds");
    assert_string_equal(w->says, "First; comment.");
    assert_int_equal(w->n_difficulties, 1);
    assert_string_equal(w->difficulties[0].word, "");
    assert_true(w->difficulties[0].steps == 300 && w->difficulties[0].search == 200000 &&
                !w->difficulties[0].has_solution);
    drop(state);
}

static void test_programs_without_the_statement_are_no_worlds(void **unused) {
    (void)unused;
    sb_autumn_program *program = load("(program (= task (--> (x y) x)) (task \"T\" 3))");
    assert_null(sb_autumn_world_of(program));
    sb_autumn_unload(program);
    sb_autumn_fault fault;
    assert_null(load_as("(program (= x \"a\nb\"))", 0, &fault));
    assert_int_equal(fault.line, 1);
    expect("(program (= all (--> x x)) (= count 2) (= places 1) " A_RED " (= a (A (Position count places))))", "",
           "a 2 1 red");
}

/* ---- What is wrong ----------------------------------------------------------------------------------------------- */

static void expect_refused(const char *text, uint32_t line, uint32_t column, const char *words) {
    sb_autumn_fault fault;
    sb_autumn_program *program = load_as(text, 0, &fault);
    if (program) fail_msg("this loads: %s", text);
    if (fault.line != line || fault.column != column || !strstr(fault.text, words))
        fail_msg("%u:%u: %s, not %u:%u: %s\n%s", fault.line, fault.column, fault.text, line, column, words, text);
}

static void test_wrong_statements_are_refused_with_their_place(void **unused) {
    (void)unused;
    static const struct {
        const char *clauses, *words;
        uint32_t column;
    } wrong[] = {
        {"(win true) (wins true)", "`wins` is no clause of `task`", 31},
        {"(win true) (win true)", "the clause `win` is there twice", 31},
        {"(win)", "expected `(win EXPRESSION)`", 20},
        {"(lose false)", "a world needs `(win EXPRESSION)`", 10},
        {"(win true) 3", "expected a clause of `task`", 31},
        {"(win true) (says \"a\\nb\")", "one line", 37},
        {"(win true) (category 3)", "`category` takes one text", 41},
        {"(win true) (difficulty \"easy\")", "begins with its name", 43},
        {"(win true) (difficulty published)", "cannot be the name of a difficulty", 43},
        {"(win true) (difficulty mfp-1)", "has letters, digits and `_`", 43},
        {"(win true) (difficulty easy (steps 0))", "`steps` takes a number from 1", 55},
        {"(win true) (difficulty easy (solution 5 4))", "`solution` takes a number from 5", 60},
        {"(win true) (difficulty a (steps 60) (steps 90))", "`steps` is repeated", 56},
        {"(win true) (difficulty a (search 60) (search 60))", "`search` is repeated", 57},
        {"(win true) (difficulty easy (stops 5))", "a difficulty holds", 48},
        {"(win true) (difficulty a (= N 1)) (difficulty a (= N 2))", "is there twice", 66},
        {"(win true) (difficulty a (= N 1)) (difficulty b)", "has no `N`", 54},
        {"(win true) (difficulty a) (difficulty b (= N 1))", "which the first one does not have", 46},
        {"(win true) (difficulty a (= N 1) (= N 2))", "the parameter `N` is there twice", 56},
        {"(win true) (difficulty a (= N (+ 1 2)))", "a parameter is a number", 45},
        {"(win true) (difficulty a (= head 1))", "a name of the library", 48},
        {"(win true) (needs noop)", "`needs` lists", 38},
        {"(win true) (sprite A \"#\")", "a sprite has 8 rows", 31},
        {"(score 1)", "expected `(score EXPRESSION MAX)`", 20},
        {"(score 1 x)", "the MAX of `score`", 29},
        {"(win x) (reward", "never closed", 9},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        snprintf(text, sizeof text, "(program (task \"T\" %s) " A_RED ")", wrong[i].clauses);
        if (strcmp(wrong[i].words, "never closed") == 0) continue;
        expect_refused(text, 1, wrong[i].column, wrong[i].words);
    }
    expect_refused("(program (task (win true)))", 1, 16, "expected the world's name");
    expect_refused("(program (task \"1a\" (win true)))", 1, 16, "expected the world's name");
    expect_refused("(program (task \"\" (win true)))", 1, 16, "expected the world's name");
    expect_refused("(program " TASK "\n (task \"U\" (win true)))", 2, 2, "only one `task`");
    expect_refused("(program (task \"T\" (win true)\n (difficulty a (= N 1))) (= N 3))", 2, 26, "cannot be set again");
    expect_refused("(program (task \"T\" (win true)\n (difficulty a (= N 1))) (= N (initnext 1 2)))", 2, 41,
                   "cannot be set again");
}

/* A clause must not change anything, whatever it calls. */
static void test_clauses_that_change_or_draw_are_refused_with_their_place(void **unused) {
    (void)unused;
    expect_refused("(program (task \"T\" (win (let (= n 2) true))) (= n 1))", 1, 30, "the variable `n` is set here");
    expect_refused("(program (task \"T\" (win (f 1)))\n (= n 1) (= f (--> x (= n x))))", 2, 22,
                   "the variable `n` is set");
    expect_refused(
        "(program (task \"T\" (win (any f (list 1))))\n (= f (--> x (g x))) (= g (--> x (= (.. a origin) x))))", 2, 34,
        "`origin` of a thing is set");
    expect_refused("(program (task \"T\" (win (== 1 (uniformChoice (list 1))))))", 1, 31,
                   "`uniformChoice` is named here");
    expect_refused("(program (task \"T\" (win (== 1 (head (shuffle (list 1)))))))", 1, 37, "`shuffle` is named here");
    drop(start("(program (task \"T\" (win (let (= k 2) (== k n)))) (= n 1))", 0, 1)); /* a local variable */
    drop(start("(program (task \"T\" (win (shuffle n))) (= shuffle (--> x false)) (= n 1))", 0, 1));
    /* what is hidden in a list is found when it happens */
    sb_autumn_fault fault;
    sb_autumn_program *program = load_as(
        "(program (task \"T\" (win (any (--> f (f 1)) fs))) (= n 1) (= fs (list (--> x (let (= n x) true)))))", 0,
        &fault);
    sb_autumn_state *state = new_state(program);
    assert_false(sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL));
    assert_non_null(strstr(sb_autumn_fault_of(state)->text, "neither changes nor draws"));
    sb_autumn_free(state), sb_autumn_unload(program);
}

/* ---- Functions and maps ------------------------------------------------------------------------------------------ */

/* Whether an expression holds in a world. */
static void expect_win(const char *definitions, const char *expression, bool holds) {
    char text[2000];
    snprintf(text, sizeof text, "(program (task \"T\" (win %s)) " A_RED " %s)", expression, definitions);
    sb_autumn_state *state = start(text, 0, 7);
    if (sb_autumn_standing_of(state)->won != holds) fail_msg("%s is %s", expression, holds ? "false" : "true");
    drop(state);
}

static void test_the_functions_of_worlds(void **unused) {
    (void)unused;
    const char *const l = "(= l (list 5 6 7))";
    expect_win(l, "(all (--> x (> x 4)) l)", true);
    expect_win(l, "(all (--> x (> x 5)) l)", false);
    expect_win(l, "(all (--> x false) (list))", true);
    expect_win(l, "(== (count (--> x (> x 5)) l) 2)", true);
    expect_win(l, "(== (take l 2) (list 5 6))", true);
    expect_win(l, "(== (take l 3) l)", true);
    expect_win(l, "(== (length (take l 0)) 0)", true);
    expect_win("(= f (--> take (+ take 1)))", "(& (== (f 1) 2) (== (take (list 5 6) 1) (list 5)))", true);
    expect_win("(= take (--> (x y) (list 9)))", "(== (take 1 2) (list 9))", true);
    expect_win("(= MAP \"\n#.\n.##\")", "(== (places MAP \"#\") (list (Position 0 0) (Position 1 1) (Position 2 1)))",
               true);
    expect_win("(= MAP \"a\\nb\")", "(== (places MAP \"xb\") (list (Position 0 1)))", true);
    expect_win("(= as (map A (places \"..#\" \"#\")))", "(== (.. (.. (head as) origin) x) 2)", true);
    expect_win("(object B (: n Number) (Cell 0 0 \"red\")) (= bs (B 3 (Position 1 1)))", "(== (.. bs n) 3)", true);
}

/* Counts how often each of the six orders of three items comes, and that no item comes twice. */
static void test_samples_have_no_place_twice_and_come_in_any_order(void **unused) {
    (void)unused;
    sb_autumn_fault fault;
    sb_autumn_program *program = load_as("(program " TASK " (object A (: n Number) (Cell n 0 \"red\"))"
                                         "(= as (map (--> n (A n (Position 0 0))) (sample (list 0 1 2 3) 3))))",
                                         0, &fault);
    sb_autumn_state *state = new_state(program);
    int found[64] = {0}, orders = 0;
    for (uint64_t seed = 0; seed < 2400; seed++) {
        int order = 0;
        assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL));
        assert_int_equal(sb_autumn_n_cells(state), 3);
        for (int i = 0; i < 3; i++) order = 4 * order + sb_autumn_cells(state)[i].x;
        found[order]++;
    }
    for (int i = 0; i < 64; i++) {
        const int a = i / 16, b = i / 4 % 4, c = i % 4;
        if (a != b && b != c && a != c)
            orders++, assert_in_range(found[i], 60, 140);
        else
            assert_int_equal(found[i], 0);
    }
    assert_int_equal(orders, 24);
    sb_autumn_free(state), sb_autumn_unload(program);
}

static void expect_fault_at_start(const char *text, const char *words) {
    sb_autumn_fault fault;
    sb_autumn_program *program = load_as(text, 0, &fault);
    if (!program) fail_msg("%s\n%s", fault.text, text);
    sb_autumn_state *state = new_state(program);
    if (sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL)) fail_msg("this starts: %s", text);
    if (!strstr(sb_autumn_fault_of(state)->text, words)) fail_msg("%s\n%s", sb_autumn_fault_of(state)->text, text);
    sb_autumn_free(state), sb_autumn_unload(program);
}

static void test_functions_of_worlds_fail_with_words(void **unused) {
    (void)unused;
    expect_fault_at_start("(program " TASK " (sample (list 1) 2))", "2 different items of a list of 1");
    expect_fault_at_start("(program " TASK " (take (list 1) 2))", "the first 2 items of a list of 1");
    expect_fault_at_start("(program " TASK " (take (list 1) -1))", "the first -1 items of a list of 1");
    expect_fault_at_start("(program " TASK " (= GRID_SIZE 2) (places \"..#\" \"#\"))", "(2,0), off the grid");
    expect_fault_at_start("(program " TASK " (places \"a\\tb\" \"a\"))", "tabs");
    expect_fault_at_start("(program " TASK " (places \"a\" 3))", "expected a string");
    expect_fault_at_start("(program (task \"T\" (win 3)))", "`win` must be a truth value, not a number");
    expect_fault_at_start("(program (task \"T\" (score true 3)))", "`score` must be a number");
    expect_fault_at_start("(program (task \"T\" (score 4 3)))", "the score is 4, not 0 to 3");
    char text[400];
    snprintf(text, sizeof text, "(program " TASK " (object A (Cell 0 0 \"%0100d\")) (= a (A (Position 0 0))))", 0);
    expect_fault_at_start(text, "a colour's name of more than");
}

/* ---- Standing ---------------------------------------------------------------------------------------------------- */

static void expect_standing(const sb_autumn_state *state, bool won, bool lost, int32_t score, int32_t reward) {
    const sb_autumn_standing *s = sb_autumn_standing_of(state);
    assert_int_equal(s->won, won);
    assert_int_equal(s->lost, lost);
    assert_int_equal(s->score, score);
    assert_int_equal(s->reward, reward);
}

static void test_wins_losses_and_rewards_are_found_after_every_step(void **unused) {
    (void)unused;
    sb_autumn_state *state = start(crates, 0, 1);
    assert_true(sb_autumn_standing_of(state)->starts);
    assert_int_equal(sb_autumn_standing_of(state)->bound, 0); /* not asked for */
    act(state, "v");
    expect_standing(state, false, false, 0, 1);
    act(state, "^^");
    expect_standing(state, false, true, 0, -1);
    sb_autumn_want_bound(state, true);
    act(state, "^");
    assert_int_equal(sb_autumn_standing_of(state)->bound, 1);
    act(state, "^");
    expect_standing(state, true, false, 0, 100);
    drop(state);
}

static void test_a_score_never_falls(void **unused) {
    (void)unused;
    sb_autumn_state *state = start(
        "(program (task \"T\" (score n GOAL) (difficulty a (= GOAL 3)) (lose (== n 3))) (= n 0)"
        "(on up (= n (+ n 1))) (on down (= n (- n 1))) (object A (Cell n 0 \"red\"))"
        "(= a (A (Position 0 0))) (on left (= a (A (Position 1 0)))))",
        0, 1);
    act(state, "^^");
    expect_standing(state, false, false, 2, 0);
    uint64_t before[2], after[2];
    assert_true(sb_autumn_hash(state, true, before));
    assert_false(sb_autumn_step(state, (sb_autumn_event){.key = SB_AUTUMN_DOWN}, NULL));
    assert_non_null(strstr(sb_autumn_fault_of(state)->text, "the score falls from 2 to 1"));
    assert_true(sb_autumn_hash(state, true, after));
    assert_memory_equal(before, after, sizeof before);
    expect_standing(state, false, false, 2, 0);
    act(state, "^");
    expect_standing(state, true, false, 3, 0); /* won counts before lost */
    drop(state);
}

/* A fault in a clause takes the drawing back, too. */
static void test_a_fault_in_a_clause_leaves_the_state_as_it_was(void **unused) {
    (void)unused;
    sb_autumn_state *state = start("(program (task \"T\" (win (== 1 (/ 1 n)))) (= n 2) " A_RED
                                   "(= a (A (Position 0 0)))"
                                   "(on up (let (= n (- n 2)) (= a (moveRight a)))) (on down (= a (moveDown a))))",
                                   0, 1);
    assert_false(sb_autumn_step(state, (sb_autumn_event){.key = SB_AUTUMN_UP}, NULL));
    assert_int_equal(sb_autumn_fault_of(state)->kind, SB_AUTUMN_DIVISION);
    assert_string_equal(drawing(state), "a 0 0 red");
    act(state, "v");
    assert_string_equal(drawing(state), "a 0 1 red");
    drop(state);
}

/* A clause knows the click of the step, whether or not the program asks for clicks, and changes nothing of it. */
static void test_clicks_in_clauses_leave_the_variable_as_it_was(void **unused) {
    (void)unused;
    sb_autumn_state *state = start("(program (task \"T\" (win (& clicked (== (.. click x) 3)))) " A_RED
                                   "(= a (A (Position 0 0))) (on left (= a (A click))) (on (clicked a) true))",
                                   0, 1);
    act(state, "31");
    expect_standing(state, true, false, 0, 0);
    act(state, ".");
    expect_standing(state, false, false, 0, 0);
    act(state, "20<"); /* the program's `click` is that of the step before */
    assert_string_equal(drawing(state), "a 2 0 red");
    drop(state);
}

/* At the start, what was before is what is. */
static void test_clauses_may_ask_what_was_before(void **unused) {
    (void)unused;
    sb_autumn_state *state = start(
        "(program (task \"T\" (win (> n (prev n))) (reward (prev n))) (= n 4) " A_RED " (on up (= n (+ n 1))))", 0, 1);
    expect_standing(state, false, false, 0, 4);
    act(state, ".");
    expect_standing(state, false, false, 0, 4);
    act(state, "^");
    expect_standing(state, true, false, 0, 4);
    act(state, "^");
    expect_standing(state, true, false, 0, 5);
    drop(state);
}

/* A step that changes nothing is not taken again, but its standing is known: it depends on the key. */
static void test_steps_that_stand_still_are_judged_by_their_key(void **unused) {
    (void)unused;
    sb_autumn_state *state = start("(program (task \"T\" (win (& right (== n 1)))) (= n 0) " A_RED " (on up (= n 1)))",
                                   0, 1);
    for (int i = 0; i < 3; i++) {
        act(state, ">"), expect_standing(state, false, false, 0, 0);
        act(state, "."), expect_standing(state, false, false, 0, 0);
    }
    act(state, "^");
    for (int i = 0; i < 3; i++) {
        act(state, ">"), expect_standing(state, true, false, 0, 0);
        act(state, "."), expect_standing(state, false, false, 0, 0);
    }
    drop(state);
}

static void test_copies_and_saved_states_have_their_standing(void **unused) {
    (void)unused;
    sb_autumn_state *state = start(crates, 0, 1), *copy = new_state(sb_autumn_program_of(state));
    sb_out bytes = sb_out_growing();
    act(state, "^^^");
    expect_standing(state, true, false, 0, 100);
    assert_true(sb_autumn_copy(copy, state));
    expect_standing(copy, true, false, 0, 100);
    sb_autumn_save(state, &bytes);
    act(copy, "v");
    expect_standing(copy, false, false, 0, -2);
    assert_true(sb_autumn_restore(copy, bytes.data, bytes.size));
    expect_standing(copy, true, false, 0, 100);
    sb_out_free(&bytes);
    sb_autumn_free(copy);
    drop(state);
}

/* ---- What counts as state ---------------------------------------------------------------------------------------- */

static void hash_of(const char *text, uint64_t seed, const char *actions, uint64_t key[2]) {
    sb_autumn_state *state = start(text, 0, seed);
    act(state, actions);
    assert_true(sb_autumn_hash(state, false, key));
    drop(state);
}

/* Whether two starts of a program, which differ in their draws, are the same game. */
static bool is_same_game(const char *definitions) {
    char text[1000];
    uint64_t first[2], other[2];
    snprintf(text, sizeof text,
             "(program (task \"T\" (win (> m 5))) (= m 0) " A_RED "(= n (uniformChoice (range 0 1000)))%s)",
             definitions);
    hash_of(text, 1, "", first), hash_of(text, 2, "", other);
    return memcmp(first, other, sizeof first) == 0;
}

static void test_what_nothing_reads_after_the_start_is_no_state(void **unused) {
    (void)unused;
    assert_true(is_same_game(""));
    assert_true(is_same_game("(= k (+ n 1)) (= l (list n k))"));
    assert_true(is_same_game("(= f (--> x n))"));                                   /* a function that nobody calls */
    assert_true(is_same_game("(= l (map (--> x (+ x n)) (list 1)))"));              /* called at the start alone */
    assert_false(is_same_game("(on (> n 500) (= m 6))"));                           /* read by a handler, */
    assert_false(is_same_game("(= f (--> x n)) (on up (= m (f 1)))"));              /* through a function, */
    assert_false(is_same_game("(= fs (list (--> x n)))"));                          /* which may be kept anywhere, */
    assert_false(is_same_game("(= f (if (> m 1) then (--> x n) else (--> x n)))")); /* or chosen, */
    assert_false(is_same_game("(= r (initnext 0 n))"));                             /* by a rule, */
    assert_false(is_same_game("(on up (= m (prev n)))"));                           /* as it was, */
    assert_false(is_same_game("(= a (A (Position n 0)))"));                         /* or drawn */
    assert_false(is_same_game("(= as (map A (list (Position n 0))))"));
}

static void test_the_order_of_unordered_lists_is_no_state(void **unused) {
    (void)unused;
    char text[1000];
    for (int is_claimed = 0; is_claimed < 2; is_claimed++)
        for (int is_read = 0; is_read < 2; is_read++) {
            uint64_t one[2], other[2], more[2];
            snprintf(
                text, sizeof text,
                "(program (task \"T\" (win false) %s) " A_RED "(= as (list)) %s"
                "(on left (= as (addObj as (A (Position 1 1))))) (on right (= as (addObj as (A (Position 2 1))))))",
                is_claimed ? "(unordered as)" : "", is_read ? "(on up (= as (removeObj as (head as))))" : "");
            hash_of(text, 1, "<>", one), hash_of(text, 1, "><", other), hash_of(text, 1, "<><", more);
            assert_int_equal(memcmp(one, other, sizeof one) == 0, is_claimed && !is_read);
            assert_memory_not_equal(one, more, sizeof one);
        }
}

/* A hash of all cells that are drawn, in any order. */
static uint64_t looks_of(const sb_autumn_state *state) {
    uint64_t sum = 0;
    for (size_t i = 0; i < sb_autumn_n_layers(state); i++) {
        const sb_autumn_layer *layer = &sb_autumn_layers(state)[i];
        for (uint32_t k = 0; k < layer->n; k++) {
            const sb_autumn_cell *cell = &sb_autumn_cells(state)[layer->first + k];
            const uint64_t words[] = {layer->variable, (uint64_t)cell->x, (uint64_t)cell->y, cell->colour};
            uint64_t hash[2];
            sb_hash128(words, sizeof words, hash);
            sum += hash[0];
        }
    }
    return sum;
}

/* States with equal keys look the same, also where lists are hashed by themselves before the rest. */
static void test_keys_tell_states_apart_where_lists_are_unordered(void **unused) {
    (void)unused;
    enum { STEPS = 150 };
    static const char *const names[] = {"crates", "ice", "pegs", "road", "tiles"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        sb_out text = example_text(names[n]);
        sb_putc(&text, 0);
        sb_autumn_state *state = start(text.data, 0, 1);
        uint64_t keys[STEPS][2], looks[STEPS], random = 7;
        size_t others = 0;
        for (size_t i = 0; i < STEPS; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const char key = "<>^v"[random >> 62];
            const char x = (char)('0' + (random >> 40) % 6), y = (char)('0' + (random >> 50) % 6);
            const char actions[4] = {random >> 32 & 1 ? key : x, random >> 32 & 1 ? 0 : y};
            act(state, actions);
            assert_true(sb_autumn_hash(state, false, keys[i])); /* the generator tells all states apart */
            looks[i] = looks_of(state);
            for (size_t k = 0; k < i; k++)
                if (memcmp(keys[i], keys[k], sizeof *keys) != 0)
                    others++;
                else if (looks[i] != looks[k])
                    fail_msg("%s: after %zu and %zu steps the key is the same", names[n], i, k);
        }
        assert_true(others > 0);
        drop(state);
        sb_out_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_statement_says),
        cmocka_unit_test(test_parameters_are_those_of_the_difficulty),
        cmocka_unit_test(test_a_world_without_clauses_has_the_defaults),
        cmocka_unit_test(test_programs_without_the_statement_are_no_worlds),
        cmocka_unit_test(test_wrong_statements_are_refused_with_their_place),
        cmocka_unit_test(test_clauses_that_change_or_draw_are_refused_with_their_place),
        cmocka_unit_test(test_the_functions_of_worlds),
        cmocka_unit_test(test_samples_have_no_place_twice_and_come_in_any_order),
        cmocka_unit_test(test_functions_of_worlds_fail_with_words),
        cmocka_unit_test(test_wins_losses_and_rewards_are_found_after_every_step),
        cmocka_unit_test(test_a_score_never_falls),
        cmocka_unit_test(test_a_fault_in_a_clause_leaves_the_state_as_it_was),
        cmocka_unit_test(test_clicks_in_clauses_leave_the_variable_as_it_was),
        cmocka_unit_test(test_clauses_may_ask_what_was_before),
        cmocka_unit_test(test_steps_that_stand_still_are_judged_by_their_key),
        cmocka_unit_test(test_what_nothing_reads_after_the_start_is_no_state),
        cmocka_unit_test(test_the_order_of_unordered_lists_is_no_state),
        cmocka_unit_test(test_keys_tell_states_apart_where_lists_are_unordered),
        cmocka_unit_test(test_copies_and_saved_states_have_their_standing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
