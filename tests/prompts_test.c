/* Counts of prompts, and where rows of text have their prompts and answers (datasets/prompts.h, exporters/asked.h). */
#include "datasets/prompts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "exporters/asked.h"
#include "tests/support.h"

static uint64_t draw(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* ---- Sets ---- */

static void test_a_set_has_what_was_added_and_nothing_else(void **state) {
    sb_key_set set = {0};
    sb_error error;
    uint64_t seed = 1;
    (void)state;
    for (uint64_t i = 0; i < 5000; i++) {
        const uint64_t key[2] = {draw(&seed) % 64, i / 2}; /* many share a slot, and each comes about once */
        const bool had = sb_key_set_has(&set, key);
        assert_true(sb_key_set_grow(&set, &error));
        assert_int_equal(sb_key_set_add(&set, key), !had);
        assert_true(sb_key_set_has(&set, key));
        assert_false(sb_key_set_has(&set, (uint64_t[]){key[0], 1 << 20}));
        assert_true(set.n <= (set.mask + 1) / 3 * 2);
    }
    assert_true(set.n > 2500 && set.n < 5000);
    sb_key_set_free(&set);
}

/* ---- Counting ---- */

/* Row i of 40,000: prompt i % 10,000; every tenth prompt has two answers, and all rows of a prompt say the same
 * otherwise. */
static sb_row_hash row_of(size_t i) {
    const uint64_t prompt = i % 10000, answer = prompt % 10 == 0 ? i / 10000 % 2 : 0;
    sb_row_hash row = {.answer = answer};
    sb_hash128(&prompt, sizeof prompt, row.prompt);
    return row;
}

static sb_prompt_counts count(size_t most, bool backwards, uint64_t groups[2]) {
    enum { N = 40000 };
    sb_prompts prompts = {.most = most};
    sb_error error;
    for (size_t i = 0; i < N; i++) {
        const size_t k = backwards ? N - 1 - i : i;
        const sb_row_hash row = row_of(k);
        assert_true(sb_prompts_add(&prompts, &row, k % 10000 < 1000 ? 1 : 0, &error));
        assert_true(prompts.n <= most);
    }
    const sb_prompt_counts counts = sb_prompts_count(&prompts);
    sb_prompts_count_groups(&prompts, groups, 2);
    sb_prompts_free(&prompts);
    return counts;
}

static void test_prompts_are_counted(void **state) {
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        uint64_t groups[2] = {0};
        const sb_prompt_counts counts = count(1 << 20, backwards, groups);
        assert_int_equal(counts.rows, 40000);
        assert_int_equal(counts.prompts, 10000);
        assert_int_equal(counts.repeated, 40000 - 11000);
        assert_int_equal(counts.conflicts, 1000);
        assert_int_equal(counts.answers, 2);
        assert_int_equal(counts.one_in, 1);
        assert_int_equal(groups[0], 900);
        assert_int_equal(groups[1], 100);
    }
}

static bool is_near(uint64_t is, double wanted) { return (double)is > 0.7 * wanted && (double)is < 1.4 * wanted; }

static void test_too_many_prompts_are_estimated_whatever_their_order(void **state) {
    uint64_t groups[2][2] = {{0}};
    const sb_prompt_counts one = count(1500, false, groups[0]), other = count(1500, true, groups[1]);
    (void)state;
    assert_memory_equal(&one, &other, sizeof one);
    assert_memory_equal(groups[0], groups[1], sizeof groups[0]);
    assert_int_equal(one.rows, 40000);
    assert_int_equal(one.one_in, 8); /* 10,000 / 8 are at most 1,500, 10,000 / 4 are not */
    assert_true(is_near(one.prompts, 10000) && is_near(one.repeated, 29000) && is_near(one.conflicts, 1000));
    assert_int_equal(groups[0][0] + groups[0][1], one.conflicts);
}

static void test_too_many_answers_are_estimated_whatever_their_order(void **state) {
    uint64_t found[2];
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        sb_prompts prompts = {.most = 1500};
        sb_error error;
        for (uint64_t i = 0; i < 20000; i++) {
            const uint64_t answer = (backwards ? 19999 - i : i) % 10000;
            uint64_t hash[2];
            sb_hash128(&answer, sizeof answer, hash);
            const sb_row_hash row = {.prompt = {1, 1}, .answer = hash[0]};
            assert_true(sb_prompts_add(&prompts, &row, 0, &error));
            assert_true(prompts.answers.n <= 1500);
        }
        found[backwards] = sb_prompts_count(&prompts).answers;
        sb_prompts_free(&prompts);
    }
    assert_int_equal(found[0], found[1]);
    assert_true(is_near(found[0], 10000));
}

/* ---- Rows ---- */

static sb_span span(const char *text) { return (sb_span){text, strlen(text)}; }

static void assert_span(sb_span is, const char *wanted) {
    assert_int_equal(is.n, strlen(wanted));
    assert_memory_equal(is.at, wanted, is.n);
}

static void test_members_are_found_as_they_are_written(void **state) {
    static const char *const wanted[][2] = {{"a", "\"x\\\"}, \\\\\""}, {"b", "[1, {\"c\": \"]\"}, []]"}, {"", "null"}};
    sb_members members = sb_members_of(span("{\"a\": \"x\\\"}, \\\\\", \"b\": [1, {\"c\": \"]\"}, []], \"\": null}"));
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(sb_members_next(&members));
        assert_span(members.key, wanted[i][0]);
        assert_span(members.value, wanted[i][1]);
    }
    assert_false(sb_members_next(&members));
}

static void test_lists_are_split_before_their_last_item(void **state) {
    sb_span before, last;
    (void)state;
    sb_split_list(span("[{\"a\": [1, 2]}, \"b, c\", 3]"), &before, &last);
    assert_span(before, "[{\"a\": [1, 2]}, \"b, c\", ");
    assert_span(last, "3");
    sb_split_list(span("[\"only\"]"), &before, &last);
    assert_span(before, "[");
    assert_span(last, "\"only\"");
    sb_split_list(span("[]"), &before, &last);
    assert_int_equal(before.n + last.n, 0);
}

/* Exactly as many bytes as the text has, so that a sanitizer sees what is read beside it. */
static void test_no_text_is_read_beyond_its_end(void **state) {
    static const char bytes[] = "\"\\{}[],: an1";
    uint64_t seed = 7;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const size_t n = draw(&seed) % 24;
        char *text = malloc(n + 1);
        assert_non_null(text);
        char *exact = realloc(text, n ? n : 1);
        assert_non_null(exact);
        for (size_t k = 0; k < n; k++) exact[k] = bytes[draw(&seed) % (sizeof bytes - 1)];
        if (n) exact[0] = "{["[draw(&seed) % 2];
        sb_members members = sb_members_of((sb_span){exact, n});
        sb_asked asked = {0};
        while (sb_members_next(&members)) {
            assert_true(members.key.at + members.key.n <= exact + n);
            assert_true(members.value.at >= exact && members.value.at + members.value.n <= exact + n);
        }
        sb_ask_messages((sb_span){exact, n}, &asked);
        assert_true(asked.answer.n <= n && asked.prompt[0].n <= n && asked.shown.n <= n);
        free(exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_has_what_was_added_and_nothing_else),
        cmocka_unit_test(test_prompts_are_counted),
        cmocka_unit_test(test_too_many_prompts_are_estimated_whatever_their_order),
        cmocka_unit_test(test_too_many_answers_are_estimated_whatever_their_order),
        cmocka_unit_test(test_members_are_found_as_they_are_written),
        cmocka_unit_test(test_lists_are_split_before_their_last_item),
        cmocka_unit_test(test_no_text_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
