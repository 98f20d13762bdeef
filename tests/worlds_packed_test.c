/* States of worlds that are packed go on as the others do, and what the search of a world need not try: clicks that do
 * the same, and states that differ in the order of a list. */
#include "engine/autumn/packed.h"

#include "tests/worlds_language_support.h"

/* ---- Packed states ----------------------------------------------------------------------------------------------- */

static const char *const packed[] = {
    "(program (task \"T\" (win (== n 9)) (score (min n 9) 9)) " A_RED "(= n 0) (= a (A (Position 1 1))) (= l (list))"
    "(on left (= n (+ n 1))) (on right (= a (moveRight a))) (on up (= l (addObj l (A (Position n 0)))))"
    "(on down (= l (list))) (on (clicked a) (= a (A (Position 0 0)))))",
    "(program (task \"T\" (win (== (length bs) 3)) (unordered bs)) (object B (: n Number) (: lit Bool) (Cell 0 0 (if "
    "lit then "
    "\"red\" else \"blue\"))) (= bs (map (--> n (B n false (Position n 1))) (sample (range 0 5) 3)))"
    "(= k (initnext 0 (% (+ (prev k) 1) 3)))"
    "(on left (= bs (updateObj bs (--> b (updateObj b \"lit\" (! (.. b lit)))) (--> b (== (.. b n) k)))))"
    "(on right (= bs (addObj bs (B k true (Position k 3))))) (on up (= bs (filter (--> b (.. b lit)) bs)))"
    "(on down (= k (uniformChoice (range 0 3)))))",
    /* cells that call functions, a type that is first made in a step, a field that is a list */
    "(program (task \"T\" (win false)) (= c (--> x (if (> x m) then \"red\" else \"gold\"))) (= m 1)"
    "(object A (: v Number) (: l (List Number)) (list (Cell 0 0 (c v)) (Cell v 1 \"gray\"))) "
    "(object B (Cell 0 0 \"blue\")) (= as (list)) (= bs (list))"
    "(on left (= as (addObj as (A m (list m 2) (Position m m))))) (on right (= m (+ m 1)))"
    "(on up (= bs (addObj bs (B (Position m 0))))) (on down (= as (list))))",
};

/* `ordered`: no list may have its items in another order. */
static void expect_same(const sb_autumn_state *a, const sb_autumn_state *b, bool ordered) {
    uint64_t one[2], other[2];
    char text[DRAWING_MAX];
    assert_true(sb_autumn_hash(a, true, one) && sb_autumn_hash(b, true, other));
    assert_memory_equal(one, other, sizeof one);
    if (!ordered) return;
    strcpy(text, drawing(a));
    assert_string_equal(drawing(b), text);
    const sb_autumn_standing *s = sb_autumn_standing_of(a);
    assert_int_equal(sb_autumn_standing_of(b)->score, s->score);
}

/* Walks with a packed state beside one that is not; after every step the packed one is taken apart and put together
 * again, sometimes in another copy, and tried steps are taken back. */
static void test_packed_states_go_on_as_the_others(void **unused) {
    (void)unused;
    static const char *const actions[] = {"<", ">", "^", "v", ".", "11", "00", "31"};
    for (size_t p = 0; p < sizeof packed / sizeof *packed; p++) {
        sb_autumn_state *state = start(packed[p], 0, p), *copies[2];
        assert_true(sb_autumn_packs(sb_autumn_program_of(state)));
        for (int i = 0; i < 2; i++) {
            copies[i] = new_state(sb_autumn_program_of(state));
            assert_true(sb_autumn_copy(copies[i], state));
            sb_autumn_begin_packing(copies[i]);
        }
        uint64_t random = 7;
        for (int step = 0; step < 400; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const char *action = actions[random >> 61], *tried = actions[random >> 40 & 7];
            sb_autumn_state *here = copies[step & 1], *there = copies[!(step & 1)];
            sb_out bytes = sb_out_growing(), again = sb_out_growing();
            (void)sb_autumn_step(here, event_of(&tried), NULL);
            sb_autumn_undo(here);
            const char *same = action;
            const bool ok = sb_autumn_step(state, event_of(&action), NULL);
            assert_int_equal(sb_autumn_step(here, event_of(&same), NULL), ok);
            expect_same(state, here, p != 1);
            assert_true(sb_autumn_pack(here, &bytes));
            assert_true(sb_autumn_unpack(there, bytes.data, bytes.size));
            expect_same(state, there, p != 1);
            assert_true(sb_autumn_pack(there, &again));
            assert_true(again.size == bytes.size && memcmp(again.data, bytes.data, bytes.size) == 0);
            sb_out_free(&bytes), sb_out_free(&again);
        }
        sb_autumn_free(copies[0]), sb_autumn_free(copies[1]);
        drop(state);
    }
}

/* ---- Clicks that do the same ------------------------------------------------------------------------------------- */

enum { SIDE = 4, CELLS = SIDE * SIDE };

static const char *const clicked[] = {
    "(program (task \"T\" (win false) (lose (clicked b))) " A_RED "(= GRID_SIZE 4) (= a (A (Position 1 1)))"
    "(= b (A (Position 2 2))) (= n 0) (on (clicked a) (= n (% (+ n 1) 4))) (on (& clicked (> n 2)) (= a (A click)))"
    "(on left (= a (moveLeft a))) (on right (= b (moveRight b))))",
    "(program (task \"T\" (win false) (lose (& clicked (== (.. click x) 2)))) " A_RED "(= GRID_SIZE 4)"
    "(= as (list (A (Position 0 0)) (A (Position 3 1)))) (= n 0) (on clicked (= n (length (objClicked as))))"
    "(on left (= as (list (A (Position n 2))))))",
};

/* What a click leads to; the state is then as it was, and if the step says that it stays so, that is true. */
static void look_behind(sb_autumn_state *state, int32_t cell, const sb_out *before, sb_out *after) {
    const sb_autumn_event event = {.key = SB_AUTUMN_CLICK, .x = cell % SIDE, .y = cell / SIDE};
    sb_out_clear(after);
    assert_true(sb_autumn_step(state, event, NULL) && sb_autumn_pack(state, after));
    if (sb_autumn_has_stayed(state)) {
        assert_int_equal(after->size, before->size);
        assert_memory_equal(after->data, before->data, before->size);
    }
    sb_putc(after, sb_autumn_standing_of(state)->lost ? 'l' : '.');
    sb_autumn_undo(state);
}

/* Returns how many other clicks need not be tried because of this one. */
static int expect_alike(sb_autumn_state *state, int32_t cell, const sb_out *before) {
    uint64_t alike = 0;
    int n = 0;
    sb_out one = sb_out_growing(), other = sb_out_growing();
    sb_autumn_watch_clicks(state, &alike, SIDE);
    look_behind(state, cell, before, &one);
    sb_autumn_watch_clicks(state, NULL, 0);
    assert_true(alike >> cell & 1);
    for (int32_t i = 0; i < CELLS; i++) {
        if (i == cell || !(alike >> i & 1)) continue;
        look_behind(state, i, before, &other);
        assert_int_equal(other.size, one.size);
        assert_memory_equal(other.data, one.data, one.size);
        n++;
    }
    sb_out_free(&one), sb_out_free(&other);
    return n;
}

static void test_clicks_that_are_alike_lead_to_the_same_state(void **unused) {
    (void)unused;
    static const char *const actions[] = {"<", ">", "11", "22", "33", "00", "31", "10"};
    for (size_t p = 0; p < sizeof clicked / sizeof *clicked; p++) {
        sb_autumn_state *state = start(clicked[p], 0, 1);
        sb_out bytes = sb_out_growing();
        uint64_t random = 3;
        int spared = 0;
        assert_true(sb_autumn_packs(sb_autumn_program_of(state)));
        sb_autumn_begin_packing(state);
        for (int step = 0; step < 100; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const char *action = actions[random >> 61];
            sb_out_clear(&bytes);
            assert_true(sb_autumn_pack(state, &bytes));
            for (int32_t cell = 0; cell < CELLS; cell++) spared += expect_alike(state, cell, &bytes);
            assert_true(sb_autumn_step(state, event_of(&action), NULL));
        }
        assert_true(p == 0 ? spared > 0 : spared == 0);
        sb_out_free(&bytes);
        drop(state);
    }
}

/* Short lists, those that are sorted otherwise, and those that need memory. */
static void test_states_that_differ_in_the_order_of_a_list_have_the_same_bytes(void **unused) {
    static const int sizes[] = {2, 32, 33, 128, 129, 300};
    char text[400];
    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sb_out bytes[2] = {sb_out_growing(), sb_out_growing()};
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text,
                     "(program (task \"T\" (win false) (unordered as)) " A_RED
                     "(= as (map (--> n (A (Position (%% n 16) n))) (shuffle (range 0 %d)))) (on left (= as (list))))",
                     sizes[i]);
            sb_autumn_state *state = start(text, 0, (uint64_t)k + 1);
            sb_autumn_begin_packing(state);
            assert_true(sb_autumn_pack(state, &bytes[k]) && sb_autumn_unpack(state, bytes[k].data, bytes[k].size));
            drop(state);
        }
        assert_int_equal(bytes[0].size, bytes[1].size);
        assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
        sb_out_free(&bytes[0]), sb_out_free(&bytes[1]);
    }
}

static void test_what_cannot_be_packed_says_so(void **unused) {
    (void)unused;
    static const char *const others[] = {"(on left (= (.. a origin) (Position 0 0)))", "(on left (removeObj a))",
                                         "(on left (= n (length (allObjs))))", "(on left (= n (.. click x)))"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[500];
        snprintf(text, sizeof text, "(program " TASK A_RED "(= n 0) (= a (A (Position 1 1))) %s)", others[i]);
        sb_autumn_state *state = start(text, 0, 1);
        assert_false(sb_autumn_packs(sb_autumn_program_of(state)));
        drop(state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_states_go_on_as_the_others),
        cmocka_unit_test(test_clicks_that_are_alike_lead_to_the_same_state),
        cmocka_unit_test(test_states_that_differ_in_the_order_of_a_list_have_the_same_bytes),
        cmocka_unit_test(test_what_cannot_be_packed_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
