/* Compares the generators with numbers recorded from numpy, and the log of draws with recorded episodes. */
#include "seeds/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

enum { MOST = 20000 }; /* more items than the longest list in the vectors */

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

/* Reads an integer; those above 2^53 are recorded as text, some of them hexadecimal. */
static int64_t integer(const cJSON *item) {
    if (cJSON_IsNumber(item)) return (int64_t)item->valuedouble;
    assert_true(cJSON_IsString(item));
    return *item->valuestring == '-' ? strtoll(item->valuestring, NULL, 10)
                                     : (int64_t)strtoull(item->valuestring, NULL, 0);
}

static int64_t integer_at(const cJSON *list, int index) { return integer(cJSON_GetArrayItem(list, index)); }

static void assert_integers(const cJSON *expected, const int64_t *actual, size_t n) {
    size_t i = 0;
    const cJSON *item;
    assert_int_equal(cJSON_GetArraySize(expected), n);
    cJSON_ArrayForEach(item, expected) assert_int_equal(actual[i++], integer(item));
}

static void assert_ints(const cJSON *expected, const int32_t *actual, size_t n) {
    size_t i = 0;
    const cJSON *item;
    assert_int_equal(cJSON_GetArraySize(expected), n);
    cJSON_ArrayForEach(item, expected) assert_int_equal(actual[i++], item->valueint);
}

static void assert_same_double(double actual, double expected) { assert_memory_equal(&actual, &expected, 8); }

/* Converts base 10 to base 2^32, one digit at a time. */
static size_t words_of(const char *decimal, uint32_t *words, size_t capacity) {
    size_t n = 1;
    words[0] = 0;
    for (; *decimal; decimal++) {
        uint64_t carry = (uint64_t)(*decimal - '0');
        for (size_t i = 0; i < n; i++, carry >>= 32) words[i] = (uint32_t)(carry += (uint64_t)words[i] * 10);
        if (carry) words[n++] = (uint32_t)carry;
        assert_true(n < capacity);
    }
    return n;
}

static void assert_uint128(sb_uint128 actual, const char *hex) {
    char text[40];
    snprintf(text, sizeof text, "0x%016llx%016llx", (unsigned long long)sb_high64(actual),
             (unsigned long long)sb_low64(actual));
    char padded[40] = "0x00000000000000000000000000000000";
    memcpy(padded + 34 - (strlen(hex) - 2), hex + 2, strlen(hex) - 2);
    assert_string_equal(text, padded);
}

static const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(item);
    return item;
}

static const char *text_of(const cJSON *object, const char *key) { return member(object, key)->valuestring; }

typedef void check_call(sb_rng *rng, const cJSON *args, const cJSON *result);

static void check_seed_state(sb_rng *rng, const cJSON *args, const cJSON *result) {
    (void)args;
    assert_uint128(rng->state, text_of(result, "state"));
    assert_uint128(rng->increment, text_of(result, "inc"));
}

static void check_next64(sb_rng *rng, const cJSON *args, const cJSON *result) {
    (void)args;
    assert_true(sb_next64(rng) == (uint64_t)integer(result));
}

static void check_next32(sb_rng *rng, const cJSON *args, const cJSON *result) {
    (void)args;
    assert_int_equal(sb_next32(rng), integer(result));
}

static void check_random(sb_rng *rng, const cJSON *args, const cJSON *result) {
    (void)args;
    assert_same_double(sb_random(rng), result->valuedouble);
}

/* A uniform draw and a weighted choice are made from `random`; only these recordings use them. */
static void check_uniform(sb_rng *rng, const cJSON *args, const cJSON *result) {
    const double low = cJSON_GetArrayItem(args, 0)->valuedouble, high = cJSON_GetArrayItem(args, 1)->valuedouble;
    assert_same_double(low + (high - low) * sb_random(rng), result->valuedouble);
}

static void check_integers(sb_rng *rng, const cJSON *args, const cJSON *result) {
    assert_int_equal(sb_integers(rng, integer_at(args, 0), integer_at(args, 1)), integer(result));
}

/* One call for k integers draws the same as k calls. */
static void check_integers_n(sb_rng *rng, const cJSON *args, const cJSON *result) {
    const cJSON *item;
    assert_int_equal(cJSON_GetArraySize(result), integer_at(args, 2));
    cJSON_ArrayForEach(item, result) check_integers(rng, args, item);
}

static void check_choice(sb_rng *rng, const cJSON *args, const cJSON *result) {
    assert_int_equal(sb_choice(rng, integer_at(args, 0)), integer(result));
}

static void check_choices(sb_rng *rng, const cJSON *args, const cJSON *result) {
    static int64_t drawn[MOST];
    const size_t k = (size_t)integer_at(args, 1);
    sb_choices(rng, integer_at(args, 0), k, drawn);
    assert_integers(result, drawn, k);
}

static void check_distinct(sb_rng *rng, const cJSON *args, const cJSON *result) {
    static int64_t drawn[MOST];
    const size_t k = (size_t)integer_at(args, 1);
    assert_true(sb_choices_distinct(rng, integer_at(args, 0), k, drawn));
    assert_integers(result, drawn, k);
}

static void check_weighted(sb_rng *rng, const cJSON *args, const cJSON *result) {
    double total = 0, sum = 0;
    const cJSON *item, *p = cJSON_GetArrayItem(args, 0);
    const double drawn = sb_random(rng);
    int64_t index = 0;
    cJSON_ArrayForEach(item, p) total += item->valuedouble;
    cJSON_ArrayForEach(item, p) {
        sum += item->valuedouble;
        if (sum / total > drawn) break;
        index++;
    }
    assert_int_equal(index, integer(result));
}

static void check_shuffle(sb_rng *rng, const cJSON *args, const cJSON *result) {
    static int32_t items[MOST];
    const size_t n = (size_t)integer_at(args, 0);
    for (size_t i = 0; i < n; i++) items[i] = (int32_t)i;
    sb_shuffle_ints(rng, items, n);
    assert_ints(result, items, n);
}

static void check_permutation(sb_rng *rng, const cJSON *args, const cJSON *result) {
    static int32_t items[MOST];
    const size_t n = (size_t)integer_at(args, 0);
    sb_permutation(rng, items, n);
    assert_ints(result, items, n);
}

/* Returns the check for an operation; numpy's difficulties for lists, arrays and rows draw alike. */
static check_call *checker(const char *operation) {
    static const struct {
        const char *name;
        check_call *check;
    } table[] = {
        {"seed_state", check_seed_state},   {"next_uint64", check_next64},
        {"next_uint32", check_next32},      {"random", check_random},
        {"uniform", check_uniform},         {"integers", check_integers},
        {"integers_n", check_integers_n},   {"choice", check_choice},
        {"choice_repl", check_choices},     {"choice_norepl", check_distinct},
        {"choice_p", check_weighted},       {"shuffle_list", check_shuffle},
        {"shuffle_array1", check_shuffle},  {"shuffle_array2", check_shuffle},
        {"permutation", check_permutation}, {"permutation_rows", check_permutation},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, operation) == 0) return table[i].check;
    fail_msg("no check for operation `%s`", operation);
    return NULL;
}

/* Compares end states. numpy keeps a used half of a draw in its buffer; here it is cleared, so that equal generators
 * have equal bytes. */
static void assert_end(const sb_rng *rng, const cJSON *end) {
    const bool buffered = member(end, "has_uint32")->valueint;
    assert_uint128(rng->state, text_of(end, "state"));
    assert_int_equal(rng->buffered, buffered);
    assert_int_equal(rng->buffer, buffered ? integer(member(end, "uinteger")) : 0);
}

static void check_vector(const cJSON *line) {
    uint32_t words[64];
    sb_rng rng;
    const cJSON *call;
    sb_rng_seed_words(&rng, words, words_of(text_of(line, "seed"), words, 64));
    cJSON_ArrayForEach(call, member(line, "calls")) {
        checker(text_of(call, "op"))(&rng, member(call, "args"), member(call, "result"));
    }
    assert_end(&rng, member(line, "end"));
}

static void every_numpy_vector_is_reproduced(void **state) {
    (void)state;
    assert_int_equal(each_vector("numpy-rng.jsonl.gz", check_vector), 58);
}

/* ---- Generators as values ---------------------------------------------------------------------------------------- */

static void seeding_by_words_equals_seeding_by_the_number(void **state) {
    (void)state;
    static const struct {
        uint64_t seed;
        uint32_t words[2];
        size_t n;
    } cases[] = {{0, {0}, 1},
                 {UINT32_MAX, {UINT32_MAX}, 1},
                 {UINT64_C(1) << 32, {0, 1}, 2},
                 {UINT64_MAX, {UINT32_MAX, UINT32_MAX}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_rng by_seed, by_words;
        sb_rng_seed(&by_seed, cases[i].seed, NULL);
        sb_rng_seed_words(&by_words, cases[i].words, cases[i].n);
        assert_memory_equal(&by_seed, &by_words, sizeof by_seed);
    }
}

static void two_half_draws_equal_one_whole_draw(void **state) {
    (void)state;
    sb_rng halves, whole;
    sb_rng_seed(&halves, 42, NULL);
    whole = halves;
    const uint32_t low = sb_next32(&halves), high = sb_next32(&halves);
    assert_true(sb_next64(&whole) == ((uint64_t)high << 32 | low));
    assert_memory_equal(&halves, &whole, sizeof halves);
}

static void doubles_do_not_use_the_buffered_half(void **state) {
    (void)state;
    sb_rng plain, mixed;
    sb_rng_seed(&plain, 7, NULL);
    mixed = plain;
    sb_next32(&plain), sb_next32(&mixed);
    sb_random(&mixed), sb_next64(&mixed);
    assert_int_equal(sb_next32(&plain), sb_next32(&mixed));
}

static void certain_results_draw_nothing(void **state) {
    (void)state;
    sb_rng rng, before;
    int64_t chosen[3];
    sb_xy cell = {1, 2};
    sb_rng_seed(&rng, 3, NULL);
    before = rng;
    assert_int_equal(sb_integers(&rng, -5, -4), -5);
    assert_int_equal(sb_integer_below(&rng, 1), 0);
    assert_int_equal(sb_choice(&rng, 1), 0);
    sb_choices(&rng, 1, 3, chosen);
    assert_int_equal(chosen[0] + chosen[1] + chosen[2], 0);
    sb_shuffle_xy(&rng, &cell, 1);
    sb_shuffle_xy(&rng, NULL, 0);
    assert_memory_equal(&rng, &before, sizeof rng);
}

static void integers_stay_in_any_range(void **state) {
    (void)state;
    static const int64_t ranges[][2] = {{INT64_MIN, INT64_MAX},
                                        {INT64_MIN, INT64_MIN + 2},
                                        {INT64_MAX - 3, INT64_MAX},
                                        {-1, 1},
                                        {0, INT64_C(1) << 32},
                                        {0, (INT64_C(1) << 32) + 1},
                                        {0, UINT32_MAX}};
    sb_rng rng;
    sb_rng_seed(&rng, 11, NULL);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int n = 0; n < 1000; n++) {
            const int64_t drawn = sb_integers(&rng, ranges[i][0], ranges[i][1]);
            assert_true(ranges[i][0] <= drawn && drawn < ranges[i][1]);
        }
}

/* ---- Shuffles and choices ---------------------------------------------------------------------------------------- */

/* Asserts that each number 0..n-1 occurs once; n <= 1000. */
static void assert_permutation(const int32_t *items, size_t n) {
    bool seen[1000] = {false};
    for (size_t i = 0; i < n; i++) {
        assert_in_range(items[i], 0, n - 1);
        assert_false(seen[items[i]]);
        seen[items[i]] = true;
    }
}

static void shuffles_of_every_kind_are_one_permutation(void **state) {
    (void)state;
    enum { N = 500, WIDTH = 3 };
    for (size_t n = 0; n <= N; n += n < 10 ? 1 : 49) {
        int32_t order[N], ints[N];
        sb_xy cells[N], rows[N * WIDTH];
        sb_rng rngs[4];
        for (size_t i = 0; i < 4; i++) sb_rng_seed(&rngs[i], n, NULL);
        for (int16_t i = 0; i < (int16_t)n; i++) {
            ints[i] = i, cells[i] = (sb_xy){i, (int16_t)-i};
            for (int16_t k = 0; k < WIDTH; k++) rows[i * WIDTH + k] = (sb_xy){i, k};
        }
        sb_permutation(&rngs[0], order, n);
        sb_shuffle_ints(&rngs[1], ints, n);
        sb_shuffle_xy(&rngs[2], cells, n);
        sb_shuffle_rows(&rngs[3], rows, n, WIDTH);
        assert_permutation(order, n);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(ints[i], order[i]);
            assert_int_equal(cells[i].x, order[i]);
            assert_int_equal(cells[i].y, -order[i]);
            for (int k = 0; k < WIDTH; k++) {
                assert_int_equal(rows[i * WIDTH + (size_t)k].x, order[i]);
                assert_int_equal(rows[i * WIDTH + (size_t)k].y, k);
            }
        }
        for (size_t i = 1; i < 4; i++) assert_memory_equal(&rngs[0], &rngs[i], sizeof rngs[0]);
    }
}

static void distinct_choices_are_distinct_on_both_paths(void **state) {
    (void)state;
    static const struct {
        int64_t n;
        size_t k;
    } cases[] = {{1, 0}, {1, 1}, {2, 2}, {50, 49}, {10000, 900}, {10001, 200}, {10001, 201}, {10001, 10001}};
    sb_rng rng;
    sb_rng_seed(&rng, 5, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static int64_t drawn[MOST];
        static bool seen[MOST];
        memset(seen, 0, sizeof seen);
        assert_true(sb_choices_distinct(&rng, cases[i].n, cases[i].k, drawn));
        for (size_t k = 0; k < cases[i].k; k++) {
            assert_in_range(drawn[k], 0, cases[i].n - 1);
            assert_false(seen[drawn[k]]);
            seen[drawn[k]] = true;
        }
    }
}

static void a_choice_of_items_is_a_choice_of_their_indices(void **state) {
    (void)state;
    static const int32_t items[] = {10, 20, 30};
    sb_rng of_items, of_indices;
    sb_rng_seed(&of_items, 9, NULL);
    sb_rng_seed(&of_indices, 9, NULL);
    for (int i = 0; i < 100; i++) assert_int_equal(sb_choice_of(&of_items, items, 3), items[sb_choice(&of_indices, 3)]);
}

/* ---- The log ----------------------------------------------------------------------------------------------------- */

static void draw_some_of_everything(sb_rng *rng) {
    static const int32_t items[] = {0, 2, 3};
    int32_t ints[] = {17, 14}, order[4];
    int64_t chosen[2];
    sb_xy cells[] = {{3, 2}, {1, 3}, {-1, 0}}, rows[] = {{5, 3}, {6, 3}, {5, 2}, {6, 2}};
    sb_random(rng);
    sb_random(rng);
    sb_integers(rng, -3, 5);
    sb_integer_below(rng, 9);
    sb_choice(rng, 9);
    sb_choice_of(rng, items, 3);
    sb_choices(rng, 4, 2, chosen);
    assert_true(sb_choices_distinct(rng, 4, 2, chosen));
    sb_random(rng);
    sb_shuffle_xy(rng, cells, 3);
    sb_shuffle_ints(rng, ints, 2);
    sb_shuffle_rows(rng, rows, 2, 2);
    sb_permutation(rng, order, 4);
}

static void a_log_begins_with_the_generators_of_the_environment(void **state) {
    (void)state;
    sb_draw_log log = {.text = sb_out_growing()};
    sb_rng rng;
    for (int again = 0; again < 2; again++) {
        sb_draw_log_begin(&log, 42);
        sb_rng_seed(&rng, UINT64_MAX, &log);
        sb_putc(&log.text, '\0');
        assert_string_equal(log.text.data, "[0,\"default_rng\",[42],null]\n"
                                           "[1,\"default_rng\",[42],null]\n"
                                           "[2,\"default_rng\",[18446744073709551615],null]\n");
    }
    sb_out_free(&log.text);
}

static void every_operation_is_logged_in_its_shape(void **state) {
    (void)state;
    sb_draw_log log = {.text = sb_out_growing(), .generators = 2};
    sb_rng rng;
    sb_rng_seed(&rng, 0, &log);
    draw_some_of_everything(&rng);
    log.hide_shuffled = true;
    sb_shuffle_ints(&rng, (int32_t[]){1, 2}, 2);
    sb_shuffle_xy(&rng, NULL, 0);
    sb_putc(&log.text, '\0');
    assert_string_equal(log.text.data, "[2,\"default_rng\",[0],null]\n"
                                       "[2,\"random\",[],0.6369616873214543]\n"
                                       "[2,\"random\",[],0.2697867137638703]\n"
                                       "[2,\"integers\",[-3,5],-1]\n"
                                       "[2,\"integers\",[9],0]\n"
                                       "[2,\"choice\",[9],0]\n"
                                       "[2,\"choice\",[[0,2,3]],0]\n"
                                       "[2,\"choice\",[4,{\"size\":2,\"replace\":true}],[0,3]]\n"
                                       "[2,\"choice\",[4,{\"size\":2,\"replace\":false}],[1,3]]\n"
                                       "[2,\"random\",[],0.7294965609839984]\n"
                                       "[2,\"shuffle\",[3],[[3,2],[-1,0],[1,3]]]\n"
                                       "[2,\"shuffle\",[2],[17,14]]\n"
                                       "[2,\"shuffle\",[2],[[[5,3],[6,3]],[[5,2],[6,2]]]]\n"
                                       "[2,\"permutation\",[4],[2,1,0,3]]\n"
                                       "[2,\"shuffle\",[2],null]\n"
                                       "[2,\"shuffle\",[0],null]\n");
    sb_out_free(&log.text);
}

static void a_log_does_not_change_the_stream(void **state) {
    (void)state;
    sb_draw_log log = {.text = sb_out_growing()};
    sb_rng logged, silent;
    sb_draw_log_begin(&log, 0);
    for (uint64_t seed = 0; seed < 100; seed++) {
        sb_rng_seed(&logged, seed, &log);
        sb_rng_seed(&silent, seed, NULL);
        draw_some_of_everything(&logged);
        draw_some_of_everything(&silent);
        assert_int_equal(logged.number, seed + 2);
        logged.log = NULL, logged.number = 0;
        assert_memory_equal(&logged, &silent, sizeof logged);
    }
    sb_out_free(&log.text);
}

/* ---- Recorded draws ---------------------------------------------------------------------------------------------- */

typedef struct replay {
    sb_draw_log log;
    sb_rng rngs[256];
} replay;

static void read_cells(const cJSON *list, sb_xy *cells) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) { *cells++ = (sb_xy){(int16_t)integer_at(item, 0), (int16_t)integer_at(item, 1)}; }
}

static void read_ints(const cJSON *list, int32_t *ints) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) *ints++ = item->valueint;
}

/* Recordings have the list after the shuffle. This finds with a copy of the generator where each item was moved, and
 * puts it back. */
static void unshuffle(const sb_rng *rng, uint32_t *items, size_t n, size_t width) {
    static int32_t order[MOST];
    static uint32_t shuffled[MOST];
    sb_rng copy = *rng;
    copy.log = NULL;
    sb_permutation(&copy, order, n);
    memcpy(shuffled, items, n * width * sizeof *items);
    for (size_t i = 0; i < n; i++)
        memcpy(items + (size_t)order[i] * width, shuffled + i * width, width * sizeof *items);
}

static void redo_shuffle(sb_rng *rng, size_t n, const cJSON *result) {
    static sb_xy cells[MOST];
    static int32_t ints[MOST];
    const cJSON *first = cJSON_GetArrayItem(result, 0);
    if (first && cJSON_IsNumber(first)) {
        read_ints(result, ints);
        unshuffle(rng, (uint32_t *)ints, n, 1);
        sb_shuffle_ints(rng, ints, n);
    } else if (first && cJSON_IsArray(first->child)) {
        const size_t width = (size_t)cJSON_GetArraySize(first);
        size_t row = 0;
        const cJSON *item;
        cJSON_ArrayForEach(item, result) read_cells(item, cells + row++ * width);
        unshuffle(rng, (uint32_t *)cells, n, width);
        sb_shuffle_rows(rng, cells, n, width);
    } else {
        read_cells(result, cells);
        unshuffle(rng, (uint32_t *)cells, n, 1);
        sb_shuffle_xy(rng, cells, n);
    }
}

static void redo_choice(sb_rng *rng, const cJSON *args) {
    static int64_t drawn[MOST];
    static int32_t items[MOST];
    const cJSON *first = cJSON_GetArrayItem(args, 0), *how = cJSON_GetArrayItem(args, 1);
    if (cJSON_IsArray(first)) {
        read_ints(first, items);
        sb_choice_of(rng, items, (size_t)cJSON_GetArraySize(first));
    } else if (!how) {
        sb_choice(rng, integer(first));
    } else if (cJSON_IsTrue(member(how, "replace"))) {
        sb_choices(rng, integer(first), (size_t)integer(member(how, "size")), drawn);
    } else {
        assert_true(sb_choices_distinct(rng, integer(first), (size_t)integer(member(how, "size")), drawn));
    }
}

static void redo(replay *r, const cJSON *draw) {
    static int32_t order[MOST];
    sb_rng *rng = &r->rngs[integer_at(draw, 0)];
    const char *operation = cJSON_GetArrayItem(draw, 1)->valuestring;
    const cJSON *args = cJSON_GetArrayItem(draw, 2), *result = cJSON_GetArrayItem(draw, 3);
    if (strcmp(operation, "default_rng") == 0)
        sb_rng_seed(rng, (uint64_t)integer_at(args, 0), &r->log);
    else if (strcmp(operation, "random") == 0)
        sb_random(rng);
    else if (strcmp(operation, "permutation") == 0)
        sb_permutation(rng, order, (size_t)integer_at(args, 0));
    else if (strcmp(operation, "shuffle") == 0)
        redo_shuffle(rng, (size_t)integer_at(args, 0), result);
    else if (strcmp(operation, "choice") == 0)
        redo_choice(rng, args);
    else if (cJSON_GetArraySize(args) == 1)
        sb_integer_below(rng, integer_at(args, 0));
    else
        sb_integers(rng, integer_at(args, 0), integer_at(args, 1));
}

/* Prints like cJSON, except doubles, of which cJSON may lose the last bit. */
static void put_recorded(const cJSON *draw, sb_out *out) {
    const cJSON *operation = cJSON_GetArrayItem(draw, 1);
    if (strcmp(operation->valuestring, "random") == 0) {
        sb_putf(out, "[%d,\"random\",[],", cJSON_GetArrayItem(draw, 0)->valueint);
        sb_put_double(out, cJSON_GetArrayItem(draw, 3)->valuedouble);
        sb_putc(out, ']');
    } else {
        char *text = cJSON_PrintUnformatted(draw);
        sb_puts(out, text);
        cJSON_free(text);
    }
    sb_puts(out, "\n");
}

static void redo_all(replay *r, const cJSON *draws) {
    const cJSON *draw;
    sb_out recorded = sb_out_growing();
    cJSON_ArrayForEach(draw, draws) {
        sb_out_clear(&r->log.text), sb_out_clear(&recorded);
        redo(r, draw);
        put_recorded(draw, &recorded);
        sb_putc(&r->log.text, '\0'), sb_putc(&recorded, '\0');
        assert_string_equal(r->log.text.data, recorded.data);
    }
    sb_out_free(&recorded);
}

static void redo_rollout(const replay *begun, sb_out *text, const cJSON *steps) {
    static replay r;
    const cJSON *step;
    r = *begun;
    r.log.text = *text, r.log.hide_shuffled = true;
    for (size_t i = 0; i < 256; i++) r.rngs[i].log = &r.log;
    cJSON_ArrayForEach(step, steps) redo_all(&r, cJSON_GetArrayItem(step, 3));
    *text = r.log.text;
}

static void check_recording(const cJSON *line) {
    static replay r;
    const cJSON *draws = cJSON_GetObjectItemCaseSensitive(line, "draws"), *rollout;
    if (!draws) return; /* only deep recordings have them */
    memset(&r, 0, sizeof r);
    r.log.text = sb_out_growing();
    redo_all(&r, draws);
    cJSON_ArrayForEach(rollout, member(line, "rollouts"))
        redo_rollout(&r, &r.log.text, cJSON_GetObjectItemCaseSensitive(rollout, "steps"));
    sb_out_free(&r.log.text);
}

static void recorded_draws_are_reproduced_and_logged_as_recorded(void **state) {
    (void)state;
    assert_true(each_vector("GoToGoal.jsonl.gz", check_recording) > 0);
    assert_true(each_vector("KeyDoorPuzzle.jsonl.gz", check_recording) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_numpy_vector_is_reproduced),
        cmocka_unit_test(seeding_by_words_equals_seeding_by_the_number),
        cmocka_unit_test(two_half_draws_equal_one_whole_draw),
        cmocka_unit_test(doubles_do_not_use_the_buffered_half),
        cmocka_unit_test(certain_results_draw_nothing),
        cmocka_unit_test(integers_stay_in_any_range),
        cmocka_unit_test(shuffles_of_every_kind_are_one_permutation),
        cmocka_unit_test(distinct_choices_are_distinct_on_both_paths),
        cmocka_unit_test(a_choice_of_items_is_a_choice_of_their_indices),
        cmocka_unit_test(a_log_begins_with_the_generators_of_the_environment),
        cmocka_unit_test(every_operation_is_logged_in_its_shape),
        cmocka_unit_test(a_log_does_not_change_the_stream),
        cmocka_unit_test(recorded_draws_are_reproduced_and_logged_as_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
