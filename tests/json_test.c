/* Documents walked part by part hold what parsing finds in them; limits; numbers that no double holds. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/out.h"
#include "tests/support.h"

/* ---- Walking finds what parsing finds ---- */

static size_t count_values(const cJSON *value) {
    size_t n = 1;
    const cJSON *item;
    cJSON_ArrayForEach(item, value) n += count_values(item);
    return n;
}

/* Builds the value by walking down to texts, numbers and words. NULL if anything is not valid. */
static cJSON *walked(const sb_json_part *part) {
    sb_error error;
    const bool list = sb_json_part_is_list(part);
    if (!list && !sb_json_part_is_object(part)) return sb_json_part_parse(part, &error);
    cJSON *value = list ? cJSON_CreateArray() : cJSON_CreateObject();
    sb_json_walk walk = sb_json_walk_of(part);
    bool ok = true;
    while (ok && sb_json_walk_next(&walk, &error)) {
        cJSON *item = walked(&walk.value), *key = list ? NULL : sb_json_part_parse(&walk.key, &error);
        ok = item && (list || key);
        if (!ok)
            cJSON_Delete(item);
        else if (list)
            cJSON_AddItemToArray(value, item);
        else
            cJSON_AddItemToObject(value, key->valuestring, item);
        cJSON_Delete(key);
    }
    if (ok && error.code == SB_OK) return value;
    cJSON_Delete(value);
    return NULL;
}

/* Both refuse the text, or both read the same from it. */
static void compare_ways(const char *text, size_t n) {
    sb_error error;
    const sb_json_part whole = sb_json_whole(text, n);
    cJSON *parsed = sb_json_parse(text, n, &error);
    cJSON *again = sb_json_check(text, n, &error) ? walked(&whole) : NULL;
    if (!parsed != !again) fail_msg("%s only: %.*s", parsed ? "parsed" : "walked", (int)n, text);
    if (parsed) {
        char *a = cJSON_PrintUnformatted(parsed), *b = cJSON_PrintUnformatted(again);
        assert_string_equal(a, b);
        assert_int_equal(sb_json_part_values(&whole), count_values(parsed));
        cJSON_free(a), cJSON_free(b);
    }
    cJSON_Delete(parsed), cJSON_Delete(again);
}

static const char *const documents[] = {
    "{\"a\": [1, {\"b\": \"x,]}\\\"\\\\\"}, [], [[ ]]], \"\\u0061\": -0.5e3, \"d\": {}, \"\": null}",
    " [ \"\", [1,2,[3 , { } ]] , true ,-0, {\"k\":{\"k\":{\"k\" : []}}},12345678901234567890 ] ",
    "{\"lists\":[{\"seeds\":[1,\"9007199254740993\"],\"n\":2}],\"x\":\"[\"}",
    "7",
    "\"a, b\"",
    " ",
};

static void walking_takes_what_parsing_takes_however_a_document_is_altered(void **state) {
    (void)state;
    static const char others[] = "\"\\[]{},:0-e. xt\n\xff";
    for (size_t d = 0; d < sizeof documents / sizeof *documents; d++) {
        char text[200];
        const size_t n = strlen(documents[d]);
        compare_ways(documents[d], n);
        for (size_t at = 0; at < n; at++) {
            for (const char *other = others; *other; other++) { /* replaced, and put in between */
                memcpy(text, documents[d], n + 1);
                text[at] = *other;
                compare_ways(text, n);
                memcpy(text + at + 1, documents[d] + at, n - at + 1);
                compare_ways(text, n + 1);
            }
            memcpy(text, documents[d], at), memcpy(text + at, documents[d] + at + 1, n - at); /* left out */
            compare_ways(text, n - 1);
            compare_ways(documents[d], at); /* cut short */
        }
    }
}

/* ---- Long lists ---- */

static void lists_are_left_out_of_the_document_and_handed_out_item_by_item(void **state) {
    (void)state;
    static const char text[] =
        " {\"format\": \"f\", \"l\\u0069st\": [10, [20], {\"n\": 30}], \"other\": [], \"plain\": [1],"
        " \"missing\": 1, \"list\": [4], \"object\": {\"a\": 1}}";
    static const char *const names[] = {"list", "other", "missing", "absent", "object", NULL};
    sb_error error;
    sb_json_part lists[5];
    cJSON *document = sb_json_split(text, strlen(text), names, lists, &error);
    assert_ok(document, error);
    char *rest = cJSON_PrintUnformatted(document);
    assert_string_equal(
        rest, "{\"format\":\"f\",\"list\":[],\"other\":[],\"plain\":[1],\"missing\":1,\"list\":[],\"object\":{}}");
    assert_int_equal(lists[4].n, strlen("{\"a\": 1}"));
    cJSON_free(rest), cJSON_Delete(document);
    assert_int_equal(lists[2].n, 0), assert_int_equal(lists[3].n, 0);
    assert_int_equal(sb_json_part_length(&lists[0]), 3), assert_int_equal(sb_json_part_length(&lists[1]), 0);
    const char *const items_text[] = {"10", "[20]", "{\"n\":30}"};
    sb_json_items items = sb_json_items_of(&lists[0]);
    size_t n = 0;
    for (; n < 3 && sb_json_items_next(&items, &error); n++) {
        char *item = cJSON_PrintUnformatted(items.item);
        assert_string_equal(item, items_text[n]);
        cJSON_free(item);
    }
    assert_true(n == 3 && !sb_json_items_next(&items, &error) && error.code == SB_OK);
    sb_json_items_end(&items);
}

static void a_fault_in_an_item_is_placed_in_the_document(void **state) {
    (void)state;
    static const char text[] = "{\"list\": [1,\n 2,\n  x, 4]}";
    static const char *const names[] = {"list", NULL};
    sb_error error;
    sb_json_part list;
    cJSON *document = sb_json_split(text, strlen(text), names, &list, &error);
    assert_ok(document, error);
    cJSON_Delete(document);
    sb_json_items items = sb_json_items_of(&list);
    while (sb_json_items_next(&items, &error)) {}
    sb_json_items_end(&items);
    assert_error(error.code == SB_OK, &error, SB_INVALID, "line 3, column 3");
}

static void the_key_of_a_byte_is_that_of_the_innermost_member(void **state) {
    (void)state;
    static const char text[] = "{\"a\": 1, \"b\": {\"c\": \"\\\"d\\\": x\", \"e\": [0, {\"f\": true}]}, \"g\": 2}";
    static const struct {
        const char *in, *key;
    } cases[] = {{"1,", "\"a\""}, {"x", "\"c\""},     {"true", "\"f\""}, {"0,", "\"e\""},    {"2}", "\"g\""},
                 {"b", "\"b\""},  {", \"b", "\"a\""}, {"]", "\"e\""},    {"}, \"g", "\"e\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_json_part key = sb_json_key_at(text, strlen(text), (size_t)(strstr(text, cases[i].in) - text));
        assert_int_equal(key.n, strlen(cases[i].key));
        assert_memory_equal(key.at, cases[i].key, key.n);
    }
    assert_int_equal(sb_json_key_at(text, strlen(text), 0).n, 0);
    assert_int_equal(sb_json_key_at("[1", 2, 1).n, 0), assert_int_equal(sb_json_key_at("a,b", 3, 1).n, 0);
}

/* ---- Limits ---- */

/* `[0,0,...]` with so many values, itself included; the caller frees it. */
static sb_out list_of(size_t values) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "[0");
    for (size_t i = 2; i < values; i++) sb_puts(&out, ",0");
    sb_puts(&out, "]");
    return out;
}

static void a_document_has_so_many_values_and_no_more(void **state) {
    (void)state;
    for (size_t more = 0; more <= 1; more++) {
        sb_error error;
        sb_out text = list_of(SB_JSON_VALUES + more);
        cJSON *value = sb_json_parse(text.data, text.size, &error);
        if (more)
            assert_error(value != NULL, &error, SB_INVALID, "more than 262144 values");
        else
            assert_ok(value, error);
        cJSON_Delete(value);
        value = sb_json_parse_within(text.data, text.size, SB_JSON_VALUES + 1, &error);
        assert_ok(value, error);
        cJSON_Delete(value);
        sb_out_free(&text);
    }
}

static void the_limit_holds_for_the_rest_of_a_document_and_for_each_item(void **state) {
    (void)state;
    static const char *const names[] = {"long", NULL};
    enum { REST, ITEM, TWO_ITEMS, CASES };
    sb_out list = list_of(SB_JSON_VALUES + 1), half = list_of(SB_JSON_VALUES / 2 + 1);
    for (int i = 0; i < CASES; i++) {
        sb_out text = sb_out_growing();
        sb_error error;
        sb_json_part part;
        sb_puts(&text, i == REST ? "{\"a\": " : "{\"long\": [");
        sb_put_out(&text, i == TWO_ITEMS ? &half : &list);
        sb_puts(&text, i == REST ? ", \"b\": " : ", ");
        sb_put_out(&text, &half);
        sb_puts(&text, i == REST ? "}" : "]}");
        cJSON *document = sb_json_split(text.data, text.size, names, &part, &error);
        if (i == REST) assert_error(document != NULL, &error, SB_INVALID, "more than 262144 values");
        cJSON_Delete(document);
        if (i != REST) {
            sb_json_items items = sb_json_items_of(&part);
            while (sb_json_items_next(&items, &error)) {}
            assert_int_equal(error.code, i == ITEM ? SB_INVALID : SB_OK);
            assert_int_equal(items.walk.n, i == ITEM ? 1 : 2);
            sb_json_items_end(&items);
        }
        sb_out_free(&text);
    }
    sb_out_free(&list), sb_out_free(&half);
}

/* ---- Numbers ---- */

static void whole_numbers_keep_the_digits_that_a_double_loses(void **state) {
    (void)state;
    static const char text[] = "[\"12345678901234567890 \\\" \", 9007199254740993, {\"1234567890123456\": "
                               "-9223372036854775808}, 18446744073709551615, 18446744073709551616, 1, "
                               "123456789012345, 9007199254740993.0, 1e17]";
    static const char *const digits[] = {
        NULL, "9007199254740993", NULL, "18446744073709551615", "18446744073709551616", NULL, NULL, NULL, NULL};
    sb_error error;
    uint64_t value;
    cJSON *list = sb_json_parse(text, strlen(text), &error), *copy = cJSON_Duplicate(list, true), *item;
    assert_ok(list, error);
    cJSON_Delete(list);
    size_t i = 0;
    cJSON_ArrayForEach(item, copy) {
        const char *found = sb_json_digits(item);
        assert_true(!found == !digits[i]);
        if (found) assert_string_equal(found, digits[i]);
        i++;
    }
    assert_string_equal(sb_json_digits(cJSON_GetArrayItem(copy, 2)->child), "-9223372036854775808");
    assert_true(sb_json_is_uint(cJSON_GetArrayItem(copy, 1), &value) && value == 9007199254740993);
    assert_true(sb_json_is_uint(cJSON_GetArrayItem(copy, 3), &value) && value == UINT64_MAX);
    static const int too_large_or_not_whole[] = {4, 7, 8};
    for (i = 0; i < 3; i++) assert_false(sb_json_is_uint(cJSON_GetArrayItem(copy, too_large_or_not_whole[i]), &value));
    cJSON_Delete(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walking_takes_what_parsing_takes_however_a_document_is_altered),
        cmocka_unit_test(lists_are_left_out_of_the_document_and_handed_out_item_by_item),
        cmocka_unit_test(a_fault_in_an_item_is_placed_in_the_document),
        cmocka_unit_test(the_key_of_a_byte_is_that_of_the_innermost_member),
        cmocka_unit_test(a_document_has_so_many_values_and_no_more),
        cmocka_unit_test(the_limit_holds_for_the_rest_of_a_document_and_for_each_item),
        cmocka_unit_test(whole_numbers_keep_the_digits_that_a_double_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
