/* The Autumn interpreter: what holds for every program (replay, copies, keys, branches, faults), on the
 * recorded programs and those that are shipped. tests/autumn_rules_test.c has the rules of the language,
 * tests/autumn_errors_test.c its errors. */
#include <dirent.h>
#include <stdlib.h>

#include "engine/autumn/state.h"
#include "generators/autumn/programs.h"
#include "tests/autumn_support.h"

/* ---- The programs ------------------------------------------------------------------------------------------------ */

enum { MOST_PROGRAMS = 150, N_STARTED = 71 + SB_AUTUMN_N_PROGRAMS /* three of the recorded ones do not start */ };
static char *texts[MOST_PROGRAMS];
static size_t n_texts;

static int load_texts(void **state) {
    (void)state;
    DIR *const folder = opendir(golden("autumn"));
    assert_non_null(folder);
    for (struct dirent *entry; n_texts < MOST_PROGRAMS - SB_AUTUMN_N_PROGRAMS && (entry = readdir(folder));) {
        char path[300];
        sb_error error;
        sb_out text = sb_out_growing();
        if (!strstr(entry->d_name, ".sexp")) continue;
        snprintf(path, sizeof path, "autumn/%s", entry->d_name);
        assert_ok(sb_file_load_plain(golden(path), 1 << 20, &text, &error), error);
        texts[n_texts++] = text.data;
    }
    closedir(folder);
    assert_true(n_texts >= 70);
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        texts[n_texts] = strdup(sb_autumn_task_of(sb_autumn_task_at(i))->text);
        assert_non_null(texts[n_texts++]);
    }
    return 0;
}

static int free_texts(void **state) {
    (void)state;
    while (n_texts) free(texts[--n_texts]);
    return 0;
}

static uint32_t next_random(uint32_t *random) { return (*random = *random * 1664525u + 1013904223u) >> 8; }

static sb_autumn_event random_event(uint32_t *random) {
    const uint32_t which = next_random(random) % 8;
    if (which < 5) return (sb_autumn_event){.key = (sb_autumn_key)which};
    const int32_t x = (int32_t)(next_random(random) % 8), y = (int32_t)(next_random(random) % 8);
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
}

typedef struct key {
    uint64_t word[2];
} key;

static key key_of(const sb_autumn_state *state) {
    key k;
    assert_true(sb_autumn_hash(state, true, k.word));
    return k;
}

static bool same(key a, key b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Calls `check` with every program that starts; returns their number. */
static size_t each_started(void (*check)(const sb_autumn_program *program, sb_autumn_state *state)) {
    size_t n = 0;
    for (size_t i = 0; i < n_texts; i++) {
        sb_autumn_fault fault;
        sb_autumn_program *program = sb_autumn_load(texts[i], strlen(texts[i]), NULL, &fault);
        if (!program) continue;
        sb_autumn_state *state = new_state(program);
        if (sb_autumn_start(state, SB_AUTUMN_PCG64, 7, NULL)) check(program, state), n++;
        sb_autumn_free(state);
        sb_autumn_unload(program);
    }
    return n;
}

/* ---- What holds for every program -------------------------------------------------------------------------------- */

/* One state plays on, is started again between, and has much memory to move; the other is fresh. */
static void check_replay(const sb_autumn_program *program, sb_autumn_state *state) {
    uint32_t random = 1;
    for (int i = 0; i < 100; i++) (void)sb_autumn_step(state, random_event(&random), NULL);
    sb_autumn_state *fresh = new_state(program);
    for (uint64_t seed = 3; seed < 5; seed++) {
        assert_true(sb_autumn_start(state, SB_AUTUMN_PUBLISHED, seed, NULL));
        assert_true(sb_autumn_start(fresh, SB_AUTUMN_PUBLISHED, seed, NULL));
        for (int i = 0; i < 40; i++) {
            const sb_autumn_event event = random_event(&random);
            assert_int_equal(sb_autumn_step(state, event, NULL), sb_autumn_step(fresh, event, NULL));
            assert_true(same(key_of(state), key_of(fresh)));
            char drawn[DRAWING_MAX];
            strcpy(drawn, drawing(state));
            assert_string_equal(drawn, drawing(fresh));
        }
    }
    sb_autumn_free(fresh);
}

static void test_the_same_seed_and_actions_give_the_same_frames(void **state) {
    (void)state;
    assert_int_equal(each_started(check_replay), N_STARTED);
}

static void check_copies(const sb_autumn_program *program, sb_autumn_state *state) {
    uint32_t random = 2;
    sb_autumn_state *copy = new_state(program), *again = new_state(program);
    for (int i = 0; i < 25; i++) {
        (void)sb_autumn_step(state, random_event(&random), NULL);
        assert_true(sb_autumn_copy(copy, state));
        const key before = key_of(copy);
        assert_true(same(before, key_of(state)));
        const uint32_t branch = random;
        for (int k = 0; k < 5; k++) (void)sb_autumn_step(state, random_event(&random), NULL);
        assert_true(same(key_of(copy), before));
        assert_true(sb_autumn_copy(again, copy));
        random = branch;
        for (int k = 0; k < 5; k++) (void)sb_autumn_step(again, random_event(&random), NULL);
        assert_true(same(key_of(again), key_of(state)));
    }
    sb_autumn_free(copy);
    sb_autumn_free(again);
}

static void test_a_copy_is_untouched_and_goes_on_alike(void **state) {
    (void)state;
    assert_int_equal(each_started(check_copies), N_STARTED);
}

/* One state collects after every step, the other one never. */
static void check_collecting(const sb_autumn_program *program, sb_autumn_state *state) {
    uint32_t random = 6;
    sb_autumn_state *hoards = new_state(program);
    assert_true(sb_autumn_copy(hoards, state));
    for (int i = 0; i < 80; i++) {
        const sb_autumn_event event = random_event(&random);
        state->heap.collect_at = 0;
        hoards->heap.collect_at = UINT32_MAX;
        assert_int_equal(sb_autumn_step(state, event, NULL), sb_autumn_step(hoards, event, NULL));
        assert_true(same(key_of(state), key_of(hoards)));
        assert_true(state->heap.used <= hoards->heap.used);
        char drawn[DRAWING_MAX];
        strcpy(drawn, drawing(state));
        assert_string_equal(drawn, drawing(hoards));
    }
    sb_autumn_free(hoards);
}

static void test_collecting_changes_nothing(void **state) {
    (void)state;
    assert_int_equal(each_started(check_collecting), N_STARTED);
}

static size_t n_meetings;

/* Two states with equal keys and different pasts must have equal futures. */
static void check_keys(const sb_autumn_program *program, sb_autumn_state *state) {
    enum { SEEN = 60, AHEAD = 8 };
    sb_autumn_state *seen[SEEN], *ahead = new_state(program), *other = new_state(program);
    key keys[SEEN];
    uint32_t random = 3;
    for (int i = 0; i < SEEN; i++) {
        if (i % 20 == 10) assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 7, NULL));
        (void)sb_autumn_step(state, random_event(&random), NULL);
        seen[i] = new_state(program);
        assert_true(sb_autumn_copy(seen[i], state));
        keys[i] = key_of(state);
        for (int k = 0; k < i; k++) {
            if (!same(keys[i], keys[k])) continue;
            n_meetings++;
            assert_true(sb_autumn_copy(ahead, seen[k]));
            assert_true(sb_autumn_copy(other, state));
            for (int a = 0; a < AHEAD; a++) {
                const sb_autumn_event event = random_event(&random);
                assert_int_equal(sb_autumn_step(ahead, event, NULL), sb_autumn_step(other, event, NULL));
                assert_true(same(key_of(ahead), key_of(other)));
                char drawn[DRAWING_MAX];
                strcpy(drawn, drawing(ahead));
                assert_string_equal(drawn, drawing(other));
            }
            break;
        }
    }
    for (int i = 0; i < SEEN; i++) sb_autumn_free(seen[i]);
    sb_autumn_free(ahead);
    sb_autumn_free(other);
}

static void test_equal_keys_have_equal_futures(void **state) {
    (void)state;
    n_meetings = 0;
    assert_int_equal(each_started(check_keys), N_STARTED);
    assert_true(n_meetings > 1000);
}

static const char walker[] = "(program (= GRID_SIZE 8) (object A (Cell 0 0 \"red\"))"
                             "(= a (initnext (A (Position 3 3)) (prev a)))"
                             "(on left (= a (moveLeft a))) (on right (= a (moveRight a)))"
                             "(on clicked (= a (A click))))";

/* There and back again is where it was; a click leaves a trace only in programs that can read an old one. */
static void test_states_that_look_and_act_alike_have_equal_keys(void **state) {
    (void)state;
    sb_autumn_program *program = load(walker);
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PCG64, 1, NULL));
    const key first = key_of(s);
    assert_true(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_LEFT}, NULL));
    assert_false(same(first, key_of(s)));
    assert_true(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_RIGHT}, NULL));
    assert_true(same(first, key_of(s)));
    assert_true(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = 3, .y = 3}, NULL));
    assert_true(same(first, key_of(s)));
    sb_autumn_reseed(s, 99); /* the program does not draw */
    assert_true(same(first, key_of(s)));
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

static void test_an_old_click_counts_where_it_can_be_read(void **state) {
    (void)state;
    sb_autumn_program *program = load(
        "(program (object A (Cell 0 0 \"red\")) (= a (initnext (A (Position 3 3)) (prev a)))"
        "(on clicked true) (on left (= a (A click))))");
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PCG64, 1, NULL));
    const key first = key_of(s);
    assert_true(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = 1, .y = 3}, NULL));
    const key second = key_of(s);
    assert_false(same(first, second));
    assert_true(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = 2, .y = 3}, NULL));
    assert_false(same(second, key_of(s)));
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

/* ---- Branches ---------------------------------------------------------------------------------------------------- */

/* The second number of draws depends on the first draw. */
static const char chance[] = "(program (= GRID_SIZE 8) (object A (Cell 0 0 \"red\"))"
                             "(= a (initnext (A (Position 0 0)) (A (Position (uniformChoice (range 0 3)) 0))))"
                             "(= b (initnext (A (Position 0 0)) (if (== 2 (uniformChoice (range 0 3))) then"
                             "  (A (head (randomPositions 2 1))) else (prev b)))))";

static size_t collect_branches(const sb_autumn_program *program, const sb_autumn_state *from, char found[][200]) {
    sb_autumn_tape tape = {.records = true, .zero = true};
    sb_autumn_state *branch = new_state(program);
    size_t n = 0;
    do {
        assert_true(sb_autumn_copy(branch, from));
        assert_true(sb_autumn_step(branch, (sb_autumn_event){0}, &tape));
        strcpy(found[n++], drawing(branch));
    } while (n < 100 && sb_autumn_tape_next(&tape));
    assert_false(tape.failed);
    sb_autumn_tape_free(&tape);
    sb_autumn_free(branch);
    return n;
}

static void test_branches_are_all_that_live_draws_give(void **state) {
    (void)state;
    char found[100][200];
    bool drawn[100] = {false};
    sb_autumn_program *program = load(chance);
    sb_autumn_state *start = new_state(program), *live = new_state(program);
    assert_true(sb_autumn_start(start, SB_AUTUMN_PCG64, 1, NULL));
    const size_t n = collect_branches(program, start, found);
    assert_int_equal(n, 3 * (2 + 4));
    for (uint64_t seed = 0; seed < 500; seed++) {
        assert_true(sb_autumn_copy(live, start));
        sb_autumn_reseed(live, seed);
        assert_true(sb_autumn_step(live, (sb_autumn_event){0}, NULL));
        size_t i = 0;
        while (i < n && strcmp(found[i], drawing(live)) != 0) i++;
        assert_true(i < n);
        drawn[i] = true;
    }
    /* two branches of b look alike for each a, so only the first of them is found */
    size_t n_drawn = 0;
    for (size_t i = 0; i < n; i++) n_drawn += drawn[i];
    assert_int_equal(n_drawn, 3 * 4);
    sb_autumn_free(start);
    sb_autumn_free(live);
    sb_autumn_unload(program);
}

/* As above, by keys, where a step of a shipped program has few outcomes. */
static size_t n_compared;

static void compare_branches(const sb_autumn_program *program, const sb_autumn_state *from, sb_autumn_event event) {
    enum { MOST = 60, LIVE = 400 };
    sb_autumn_tape tape = {.records = true, .zero = true};
    sb_autumn_state *branch = new_state(program);
    key found[MOST], k;
    size_t n = 0;
    bool more = true;
    while (more && n < MOST) {
        assert_true(sb_autumn_copy(branch, from));
        assert_true(sb_autumn_step(branch, event, &tape));
        assert_true(sb_autumn_hash(branch, false, found[n++].word));
        more = sb_autumn_tape_next(&tape);
    }
    bool drawn[MOST] = {false};
    for (uint64_t seed = 0; !more && n > 1 && seed < LIVE; seed++) {
        bool known = false;
        assert_true(sb_autumn_copy(branch, from));
        sb_autumn_reseed(branch, seed);
        assert_true(sb_autumn_step(branch, event, NULL));
        assert_true(sb_autumn_hash(branch, false, k.word));
        for (size_t i = 0; i < n; i++)
            if (same(found[i], k)) drawn[i] = known = true;
        assert_true(known);
    }
    if (!more && n > 1 && n <= 20) {
        for (size_t i = 0; i < n; i++) assert_true(drawn[i]);
        n_compared++;
    }
    sb_autumn_tape_free(&tape);
    sb_autumn_free(branch);
}

static void check_branches(const sb_autumn_program *program, sb_autumn_state *state) {
    uint32_t random = 8;
    for (int i = 0; sb_autumn_draws_in_steps(program) && i < 20; i++) {
        const sb_autumn_event event = random_event(&random);
        assert_true(sb_autumn_step(state, event, NULL));
        compare_branches(program, state, (sb_autumn_event){0});
    }
}

static void test_the_list_says_whether_steps_draw(void **state) {
    (void)state;
    size_t n_stochastic = 0;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        const sb_autumn_task *task = sb_autumn_task_of(sb_autumn_task_at(i));
        sb_autumn_program *program = load(task->text);
        if (task->draws != sb_autumn_draws_in_steps(program)) fail_msg("%s is listed wrongly", task->info.name);
        n_stochastic += task->draws;
        sb_autumn_unload(program);
    }
    assert_int_equal(n_stochastic, 18);
}

static void test_branches_of_shipped_programs_are_what_live_draws_give(void **state) {
    (void)state;
    n_compared = 0;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        sb_autumn_program *program = load(sb_autumn_task_of(sb_autumn_task_at(i))->text);
        sb_autumn_state *started = new_state(program);
        assert_true(sb_autumn_start(started, SB_AUTUMN_PCG64, 7, NULL));
        check_branches(program, started);
        sb_autumn_free(started);
        sb_autumn_unload(program);
    }
    assert_true(n_compared > 10);
}

static void test_a_tape_repeats_live_draws_and_then_they_go_on(void **state) {
    (void)state;
    sb_autumn_program *program = load(chance);
    sb_autumn_state *live = new_state(program), *taped = new_state(program);
    sb_autumn_tape tape = {.records = true};
    for (uint64_t seed = 1; seed < 30; seed++) {
        tape.n = 0;
        assert_true(sb_autumn_start(live, SB_AUTUMN_PUBLISHED, seed, NULL));
        assert_true(sb_autumn_start(taped, SB_AUTUMN_PUBLISHED, 12345, NULL));
        assert_true(sb_autumn_step(live, (sb_autumn_event){0}, &tape));
        sb_autumn_tape played = {.draws = tape.draws, .n = tape.n};
        assert_true(sb_autumn_step(taped, (sb_autumn_event){0}, &played));
        assert_int_equal(played.used, tape.n);
        assert_int_equal(sb_autumn_generator_state(taped), 12345);
        char drawn[DRAWING_MAX];
        strcpy(drawn, drawing(live));
        assert_string_equal(drawn, drawing(taped));
        played.n = 1;
        assert_true(sb_autumn_step(taped, (sb_autumn_event){0}, &played));
        assert_int_not_equal(sb_autumn_generator_state(taped), 12345);
    }
    tape.draws[0].result = 3;
    assert_false(sb_autumn_step(taped, (sb_autumn_event){0}, &tape));
    assert_int_equal(sb_autumn_fault_of(taped)->kind, SB_AUTUMN_RANDOM);
    sb_autumn_tape_free(&tape);
    sb_autumn_free(live);
    sb_autumn_free(taped);
    sb_autumn_unload(program);
}

/* stdlib 1: three draws below 8 by hand; the multiplication is cut before the remainder. */
static void test_the_published_generator(void **state) {
    (void)state;
    static const char text[] =
        "(program (= GRID_SIZE 8) (object A (Cell 0 0 \"red\"))"
        "(= a (initnext (A (Position (uniformChoice (range 0 8)) (uniformChoice (range 0 8)))) (prev a))))";
    const uint64_t seeds[] = {0, 1, 4000000000u, 4294967296u + 5};
    for (size_t i = 0; i < 4; i++) {
        uint32_t s = (uint32_t)seeds[i], draw[2];
        char expected[40];
        for (int k = 0; k < 2; k++) {
            s = (uint32_t)((48271 * (uint64_t)s) % 4294967296u % 2147483647u);
            draw[k] = s % 8;
        }
        snprintf(expected, sizeof expected, "a %u %u red", draw[0], draw[1]);
        expect_seeded(text, seeds[i], "", expected);
    }
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

static void check_faults(const sb_autumn_program *program, sb_autumn_state *state) {
    uint32_t random = 5;
    (void)program;
    for (int i = 0; i < 60; i++) {
        const key before = key_of(state);
        char drawn[DRAWING_MAX];
        strcpy(drawn, drawing(state));
        if (sb_autumn_step(state, random_event(&random), NULL)) continue;
        assert_true(same(before, key_of(state)));
        assert_string_equal(drawn, drawing(state));
        assert_true(sb_autumn_fault_of(state)->line > 0);
        assert_true(sb_autumn_fault_of(state)->text[0] != '\0');
    }
}

static void test_a_step_that_fails_leaves_the_state_as_it_was(void **state) {
    (void)state;
    assert_int_equal(each_started(check_faults), N_STARTED);
}

/* Everything that a step can change: fields in place, cells in place, definitions, removals, draws. */
static void test_a_fault_takes_back_all_that_the_step_did(void **state) {
    (void)state;
    static const char text[] =
        "(program (= GRID_SIZE 8) (object A (: n Number) (list (Cell 1 0 \"red\") (Cell 0 2 (if (== n 0) then \"blue\" "
        "else \"gold\"))))\n"
        "(= a (initnext (A 0 (Position 3 3)) (prev a))) (= b (initnext (A 0 (Position 5 5)) (prev b)))\n"
        "(on left (= (.. a n) 1)) (on left (rotate a)) (on left (= c (A 0 (Position 1 1))))\n"
        "(on left (let (= b (removeObj b)) true)) (on left (uniformChoice (list 1 2))) (on left (= a (moveUp a)))\n"
        "(on left (/ 1 0)))";
    sb_autumn_program *program = load(text);
    sb_autumn_state *s = new_state(program);
    assert_true(sb_autumn_start(s, SB_AUTUMN_PUBLISHED, 9, NULL));
    const key before = key_of(s);
    for (int i = 0; i < 3; i++) {
        assert_false(sb_autumn_step(s, (sb_autumn_event){.key = SB_AUTUMN_LEFT}, NULL));
        assert_int_equal(sb_autumn_fault_of(s)->kind, SB_AUTUMN_DIVISION);
        assert_int_equal(sb_autumn_fault_of(s)->line, 5);
        assert_int_equal(sb_autumn_fault_of(s)->column, 10);
        assert_true(same(before, key_of(s)));
    }
    assert_true(sb_autumn_step(s, (sb_autumn_event){0}, NULL));
    assert_string_equal(drawing(s), "a 4 3 red 3 5 blue; b 6 5 red 5 7 blue");
    sb_autumn_free(s);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_seed_and_actions_give_the_same_frames),
        cmocka_unit_test(test_a_copy_is_untouched_and_goes_on_alike),
        cmocka_unit_test(test_collecting_changes_nothing),
        cmocka_unit_test(test_equal_keys_have_equal_futures),
        cmocka_unit_test(test_states_that_look_and_act_alike_have_equal_keys),
        cmocka_unit_test(test_an_old_click_counts_where_it_can_be_read),
        cmocka_unit_test(test_branches_are_all_that_live_draws_give),
        cmocka_unit_test(test_the_list_says_whether_steps_draw),
        cmocka_unit_test(test_branches_of_shipped_programs_are_what_live_draws_give),
        cmocka_unit_test(test_a_tape_repeats_live_draws_and_then_they_go_on),
        cmocka_unit_test(test_the_published_generator),
        cmocka_unit_test(test_a_step_that_fails_leaves_the_state_as_it_was),
        cmocka_unit_test(test_a_fault_takes_back_all_that_the_step_did),
    };
    return cmocka_run_group_tests(tests, load_texts, free_texts);
}
