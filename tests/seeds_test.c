/* Seeds derived from names: the published lists, their published hashes, and their overlaps. */
#include "seeds/official.h"

#include <string.h>

#include "tests/support.h"

/* ---- The published lists ----------------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) fail_msg("no `%s`", key);
    return item;
}

static cJSON *load_published(void) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load(golden("eval-seeds.json"), 1 << 20, &text, &error), error);
    cJSON *lists = sb_json_parse(text.data, text.size, &error);
    assert_ok(lists != NULL, error);
    sb_out_free(&text);
    return lists;
}

static void assert_begins_with(const uint64_t *seeds, const cJSON *first) {
    const cJSON *item;
    cJSON_ArrayForEach(item, first) assert_int_equal(*seeds++, (uint64_t)item->valuedouble);
}

static void assert_hash(const uint64_t *seeds, size_t n, const cJSON *hash) {
    char hex[SB_SHA256_HEX];
    sb_seed_list_hash(seeds, n, hex);
    assert_string_equal(hex, hash->valuestring);
}

static void check_lists(const char *task, const char *difficulty, const cJSON *published) {
    static uint64_t seeds[SB_TRAIN_SEEDS];
    sb_derive_seeds(task, difficulty, "eval", seeds, SB_EVAL_SEEDS);
    assert_int_equal(cJSON_GetArraySize(member(published, "eval")), SB_EVAL_SEEDS);
    assert_begins_with(seeds, member(published, "eval"));
    assert_hash(seeds, SB_EVAL_SEEDS, member(published, "eval_sha256"));
    sb_derive_seeds(task, difficulty, "train", seeds, SB_TRAIN_SEEDS);
    assert_begins_with(seeds, member(published, "train_first5"));
    assert_hash(seeds, SB_TRAIN_SEEDS, member(published, "train_sha256"));
}

static void all_official_lists_are_the_published_ones(void **state) {
    (void)state;
    cJSON *published = load_published();
    assert_int_equal(cJSON_GetArraySize(published), SB_OFFICIAL_TASKS);
    for (size_t task = 0; task < SB_OFFICIAL_TASKS; task++) {
        const cJSON *of_task = member(published, sb_official_tasks[task]);
        assert_int_equal(cJSON_GetArraySize(of_task), SB_OFFICIAL_DIFFICULTIES);
        for (size_t difficulty = 0; difficulty < SB_OFFICIAL_DIFFICULTIES; difficulty++)
            check_lists(sb_official_tasks[task], sb_official_difficulties[difficulty],
                        member(of_task, sb_official_difficulties[difficulty]));
    }
    cJSON_Delete(published);
}

static void official_tasks_are_sorted(void **state) {
    (void)state;
    for (size_t i = 1; i < SB_OFFICIAL_TASKS; i++)
        assert_true(strcmp(sb_official_tasks[i - 1], sb_official_tasks[i]) < 0);
}

static void official_bases_have_a_length_and_others_none(void **state) {
    (void)state;
    assert_int_equal(sb_official_length("eval"), 25);
    assert_int_equal(sb_official_length("train"), 2000);
    assert_int_equal(sb_official_length("Eval"), 0);
    assert_int_equal(sb_official_length("evaluation"), 0);
    assert_int_equal(sb_official_length(""), 0);
}

/* ---- Overlaps ---------------------------------------------------------------------------------------------------- */

typedef void visit_list(const sb_seed_set *eval, const char *task, const char *difficulty);

static void for_each_list(visit_list *visit) {
    sb_error error;
    sb_seed_set eval;
    assert_ok(sb_official_eval_seeds(&eval, &error), error);
    for (size_t task = 0; task < SB_OFFICIAL_TASKS; task++)
        for (size_t difficulty = 0; difficulty < SB_OFFICIAL_DIFFICULTIES; difficulty++)
            visit(&eval, sb_official_tasks[task], sb_official_difficulties[difficulty]);
    sb_seed_set_free(&eval);
}

static void assert_only_the_known_seed_is_shared(const sb_seed_set *eval, const char *task, const char *difficulty) {
    static uint64_t seeds[SB_TRAIN_SEEDS];
    const bool has_it = strcmp(task, "DistributionShift-v0") == 0 && strcmp(difficulty, "easy") == 0;
    size_t shared = 0;
    sb_derive_seeds(task, difficulty, "train", seeds, SB_TRAIN_SEEDS);
    for (size_t i = 0; i < SB_TRAIN_SEEDS; i++) {
        if (!sb_seed_set_has(eval, seeds[i])) continue;
        assert_int_equal(seeds[i], 323538274);
        shared++;
    }
    assert_int_equal(shared, has_it);
}

static void one_training_seed_is_an_evaluation_seed(void **state) {
    (void)state;
    for_each_list(assert_only_the_known_seed_is_shared);
}

static void assert_no_repetition(const sb_seed_set *eval, const char *task, const char *difficulty) {
    static uint64_t seeds[SB_TRAIN_SEEDS];
    (void)eval;
    sb_error error;
    sb_seed_set seen;
    assert_ok(sb_seed_set_make(&seen, SB_TRAIN_SEEDS, &error), error);
    sb_derive_seeds(task, difficulty, "train", seeds, SB_TRAIN_SEEDS);
    for (size_t i = 0; i < SB_TRAIN_SEEDS; i++) assert_true(sb_seed_set_add(&seen, seeds[i]));
    sb_seed_set_free(&seen);
}

static void no_training_list_repeats_a_seed(void **state) {
    (void)state;
    for_each_list(assert_no_repetition);
}

static void all_evaluation_seeds_differ(void **state) {
    (void)state;
    sb_error error;
    sb_seed_set eval;
    size_t n = 0;
    assert_ok(sb_official_eval_seeds(&eval, &error), error);
    for (size_t i = 0; i <= eval.mask; i++) n += eval.slots[i] != 0;
    assert_int_equal(n + eval.has_zero, 3700);
    sb_seed_set_free(&eval);
}

/* ---- Derivation -------------------------------------------------------------------------------------------------- */

static void a_shorter_list_is_a_prefix(void **state) {
    (void)state;
    uint64_t shorter[7], longer[40];
    sb_derive_seeds("SokobanPush-v0", "hard", "eval", shorter, 7);
    sb_derive_seeds("SokobanPush-v0", "hard", "eval", longer, 40);
    assert_memory_equal(shorter, longer, sizeof shorter);
}

static void an_empty_difficulty_leaves_out_its_separator(void **state) {
    (void)state;
    uint64_t with[5], without[5];
    sb_derive_seeds("Task", "variant", "base", with, 5);
    sb_derive_seeds("Task::variant", "", "base", without, 5);
    assert_memory_equal(with, without, sizeof with);
}

static void every_part_of_the_key_matters(void **state) {
    (void)state;
    static const char *const keys[][3] = {{"A", "b", "c"}, {"a", "b", "c"}, {"A", "B", "c"},
                                          {"A", "b", "C"}, {"A", "", "c"},  {"", "b", "c"}};
    uint64_t firsts[6];
    for (size_t i = 0; i < 6; i++) {
        sb_derive_seeds(keys[i][0], keys[i][1], keys[i][2], &firsts[i], 1);
        for (size_t k = 0; k < i; k++) assert_true(firsts[i] != firsts[k]);
    }
}

static void seeds_are_below_two_to_the_31(void **state) {
    (void)state;
    sb_rng stream;
    uint64_t seen = 0;
    sb_seed_stream(&stream, "Task", "", "base");
    for (int i = 0; i < 10000; i++) seen |= sb_next_seed(&stream);
    assert_int_equal(seen, 0x7fffffff);
}

static void a_list_is_hashed_as_its_json_text(void **state) {
    (void)state;
    static const struct {
        uint64_t seeds[3];
        size_t n;
        const char *text;
    } cases[] = {{{0}, 0, "[]"}, {{7}, 1, "[7]"}, {{1, 0, UINT64_MAX}, 3, "[1, 0, 18446744073709551615]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hex[SB_SHA256_HEX], expected[SB_SHA256_HEX];
        sb_seed_list_hash(cases[i].seeds, cases[i].n, hex);
        sb_sha256_hex(cases[i].text, strlen(cases[i].text), expected);
        assert_string_equal(hex, expected);
    }
}

/* ---- Seed sets --------------------------------------------------------------------------------------------------- */

static void a_seed_is_new_once(void **state) {
    (void)state;
    static const uint64_t seeds[] = {0, 1, UINT64_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, 42};
    sb_error error;
    sb_seed_set set;
    assert_ok(sb_seed_set_make(&set, 6, &error), error);
    for (size_t i = 0; i < 6; i++) {
        assert_false(sb_seed_set_has(&set, seeds[i]));
        assert_true(sb_seed_set_add(&set, seeds[i]));
        assert_false(sb_seed_set_add(&set, seeds[i]));
        assert_true(sb_seed_set_has(&set, seeds[i]));
    }
    assert_false(sb_seed_set_has(&set, 2));
    sb_seed_set_free(&set);
    sb_seed_set_free(&set);
}

static void regular_seeds_do_not_slow_a_set_down(void **state) {
    (void)state;
    enum { N = 200000 };
    sb_error error;
    for (unsigned shift = 0; shift < 44; shift += 4) {
        sb_seed_set set;
        assert_ok(sb_seed_set_make(&set, N, &error), error);
        for (uint64_t i = 0; i < N; i++) assert_true(sb_seed_set_add(&set, i << shift));
        for (uint64_t i = 0; i < N; i++) assert_true(sb_seed_set_has(&set, i << shift));
        sb_seed_set_free(&set);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_official_lists_are_the_published_ones),
        cmocka_unit_test(official_tasks_are_sorted),
        cmocka_unit_test(official_bases_have_a_length_and_others_none),
        cmocka_unit_test(one_training_seed_is_an_evaluation_seed),
        cmocka_unit_test(no_training_list_repeats_a_seed),
        cmocka_unit_test(all_evaluation_seeds_differ),
        cmocka_unit_test(a_shorter_list_is_a_prefix),
        cmocka_unit_test(an_empty_difficulty_leaves_out_its_separator),
        cmocka_unit_test(every_part_of_the_key_matters),
        cmocka_unit_test(seeds_are_below_two_to_the_31),
        cmocka_unit_test(a_list_is_hashed_as_its_json_text),
        cmocka_unit_test(a_seed_is_new_once),
        cmocka_unit_test(regular_seeds_do_not_slow_a_set_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
