/* Walking a document part by part finds the same as parsing it; limits; numbers that a double cannot hold. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/out.h"
#include "engine/environment.h"
#include "tests/json_follow.h"
#include "tests/support.h"

/* ---- Walking finds what parsing finds ---- */

static size_t count_values(const cJSON *value) {
    size_t n = 1;
    const cJSON *item;
    cJSON_ArrayForEach(item, value) n += count_values(item);
    return n;
}

/* Builds the value by walking down to texts, numbers and words; NULL if anything is invalid. */
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

/* Asserts that both refuse the text, or that both read the same from it. */
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
    char *scratch = malloc(n + 1),
         *exact = malloc(n + !n); /* of exactly n bytes, so that sanitizers find reads beyond the end */
    memcpy(exact, text, n);
    if (!visiting_agrees(exact, n, scratch)) fail_msg("visiting differs: %.*s", (int)n, text);
    free(scratch), free(exact);
}

static const char *const documents[] = {
    "{\"a\": [1, {\"b\": \"x,]}\\\"\\\\\"}, [], [[ ]]], \"\\u0061\": -0.5e3, \"d\": {}, \"\": null}",
    " [ \"\", [1,2,[3 , { } ]] , true ,-0, {\"k\":{\"k\":{\"k\" : []}}},12345678901234567890 ] ",
    "{\"lists\":[{\"seeds\":[1,\"9007199254740993\"],\"n\":2}],\"x\":\"[\"}",
    "[18446744073709551615,-9223372036854775808 ,1E+2,0.1,1.7976931348623157e308,5e-324,9007199254740993e1]",
    "{\"\\u00e9\\ud83d\\ude00\\n\\/\": \"\\u20AC \\b\\f\\t\\\\ \xc3\xa9 \", \"b\": [false, null]}",
    "7",
    "\"a, b\"",
    " ",
};

static void walking_and_parsing_accept_the_same_altered_documents(void **state) {
    (void)state;
    static const char others[] = "\"\\[]{},:0-e. xtu\n\xff";
    for (size_t d = 0; d < sizeof documents / sizeof *documents; d++) {
        char text[200];
        const size_t n = strlen(documents[d]);
        compare_ways(documents[d], n);
        for (size_t at = 0; at < n; at++) {
            for (const char *other = others; *other; other++) { /* replaces a byte, and inserts one */
                memcpy(text, documents[d], n + 1);
                text[at] = *other;
                compare_ways(text, n);
                memcpy(text + at + 1, documents[d] + at, n - at + 1);
                compare_ways(text, n + 1);
            }
            memcpy(text, documents[d], at), memcpy(text + at, documents[d] + at + 1, n - at); /* leaves a byte out */
            compare_ways(text, n - 1);
            compare_ways(documents[d], at); /* cuts the document */
        }
    }
}

/* ---- Visiting ---- */

static void visiting_gives_exact_numbers(void **state) {
    (void)state;
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "-9223372036854775808",
                                          "-9223372036854775809",
                                          "1.0",
                                          "-0.0",
                                          "1e3",
                                          "0.1",
                                          "123456789012345678e-17",
                                          "2.2250738585072011e-308",
                                          "4.9406564584124654e-324",
                                          "1e400",
                                          "-1e400",
                                          "1e-400",
                                          "0e999999999999999999999",
                                          "9007199254740993.0",
                                          "0.30000000000000004",
                                          "1e22",
                                          "1e23",
                                          "12345678901234567890123456789012345678901234567890e-30",
                                          "123456789012345678901234567890123456789012345678901234567890123"};
    char scratch[1];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!visiting_agrees(numbers[i], strlen(numbers[i]), scratch)) fail_msg("%s", numbers[i]);
}

static bool keep_real(void *context, double value, sb_error *error) {
    (void)error;
    *(double *)context = value;
    return true;
}

static void visiting_accepts_numbers_of_any_length(void **state) {
    (void)state;
    enum { ZEROS = 2000 };
    static char text[ZEROS + 40];
    const sb_json_events events = {.real = keep_real};
    sb_error error;
    double value;
    static const struct {
        const char *before, *behind;
        double value;
    } cases[] = {{"0.", "15e2000", 0.15},
                 {"1", "e-2000", 1},
                 /* halfway between two doubles, and just above */
                 {"9007199254740993.", "0", 9007199254740992},
                 {"9007199254740993.", "1", 9007199254740994}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *end = text + snprintf(text, sizeof text, "%s", cases[i].before);
        memset(end, '0', ZEROS);
        end += ZEROS;
        end += snprintf(end, 20, "%s", cases[i].behind);
        assert_ok(sb_json_visit(text, (size_t)(end - text), &events, &value, NULL, 0, &error), error);
        assert_true(value == cases[i].value);
    }
}

/* Writes the events in the format of our own documents. */
typedef struct printer {
    sb_out out;
    bool keyed;
} printer;

static sb_out *before_value(void *context) {
    printer *p = context;
    if (!p->keyed && p->out.size) sb_put_comma(&p->out);
    p->keyed = false;
    return &p->out;
}

static bool print_begin(void *context, bool is_object, sb_error *error) {
    (void)error;
    sb_puts(before_value(context), is_object ? "{" : "[");
    return true;
}

static bool print_end(void *context, bool is_object, sb_error *error) {
    (void)error;
    sb_puts(&((printer *)context)->out, is_object ? "}" : "]");
    return true;
}

static bool print_key(void *context, const char *text, size_t n, sb_error *error) {
    (void)error;
    sb_out *out = before_value(context);
    sb_put_json_bytes(out, text, n), sb_puts(out, ": ");
    return ((printer *)context)->keyed = true;
}

static bool print_string(void *context, const char *text, size_t n, sb_error *error) {
    (void)error;
    sb_put_json_bytes(before_value(context), text, n);
    return true;
}

static bool print_integer(void *context, int64_t value, sb_error *error) {
    (void)error;
    sb_put_int(before_value(context), value);
    return true;
}

static bool print_large(void *context, uint64_t value, sb_error *error) {
    (void)error;
    sb_put_uint(before_value(context), value);
    return true;
}

static bool print_real(void *context, double value, sb_error *error) {
    (void)error;
    sb_put_double(before_value(context), value);
    return true;
}

static bool print_boolean(void *context, bool value, sb_error *error) {
    (void)error;
    sb_puts(before_value(context), value ? "true" : "false");
    return true;
}

static bool print_null(void *context, sb_error *error) {
    (void)error;
    sb_puts(before_value(context), "null");
    return true;
}

static const sb_json_events printing = {print_begin, print_end,  print_key,     print_string, print_integer,
                                        print_large, print_real, print_boolean, print_null};

static void assert_prints_again(const char *text, size_t n) {
    static char scratch[1 << 12];
    sb_error error;
    printer p = {.out = sb_out_growing()};
    assert_ok(sb_json_visit(text, n, &printing, &p, scratch, sizeof scratch, &error), error);
    assert_int_equal(p.out.size, n);
    assert_memory_equal(p.out.data, text, n);
    sb_out_free(&p.out);
}

/* Tries all documents that worlds show, at the start and later in episodes. */
static void documents_are_visited_and_written_again_byte_by_byte(void **state) {
    (void)state;
    static char text[1 << 18];
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    size_t documents = 0;
    const sb_family *family;
    const sb_task_info *task;
    for (size_t f = 0; (family = sb_family_at(f)); f++)
        for (size_t t = 0; (task = sb_task_at(NULL, family, t)); t++) {
            char name[SB_NAME_MAX];
            snprintf(name, sizeof name, "%s:%s#7", sb_family_name(family), task->name);
            if (!sb_reset(env, name, &error)) continue; /* a task for programs, of which there are none here */
            for (int step = 0; step < 12 && !sb_status_of(env)->done; step++) {
                sb_result result;
                for (size_t m = 0; m < family->n_modes; m++) {
                    const size_t n = sb_observe(env, &family->modes[m], text, sizeof text);
                    assert_true(n > 0 && n < sizeof text && n <= family->text_max);
                    if (!family->modes[m].document) continue;
                    assert_prints_again(text, n);
                    documents++;
                }
                assert_ok(sb_step(env, step % sb_n_actions(sb_shape_of(env)), &result, &error), error);
            }
        }
    assert_true(documents > 1000);
    sb_free(env);
}

static void visiting_needs_room_for_strings_with_escapes_only(void **state) {
    (void)state;
    static const char text[] = "[\"a text of some length\", \"\\n 45\"]";
    sb_error error;
    char scratch[5];
    printer p = {.out = sb_out_growing()};
    assert_ok(sb_json_visit(text, strlen(text), &printing, &p, scratch, 5, &error), error);
    assert_int_equal(p.out.size, strlen(text));
    assert_memory_equal(p.out.data, text, p.out.size);
    assert_error(sb_json_visit(text, strlen(text), &printing, &p, scratch, 4, &error), &error, SB_INVALID,
                 "does not fit into 4 bytes");
    sb_out_free(&p.out);
}

static bool stop_at_key(void *context, const char *text, size_t n, sb_error *error) {
    (void)context, (void)text, (void)n;
    return sb_fail(error, SB_FINISHED, "enough");
}

static void visiting_stops_on_request_and_names_the_place_of_an_error(void **state) {
    (void)state;
    sb_error error;
    char scratch[100], deep[2 * SB_JSON_NESTING + 3];
    printer p = {.out = sb_out_growing()};
    sb_json_events events = printing;
    events.key = stop_at_key;
    static const char object[] = "[{}, {\"a\": 1}]", wrong[] = "[1,\n {\"a\": tru}]";
    assert_error(sb_json_visit(object, strlen(object), &events, &p, scratch, 100, &error), &error, SB_FINISHED,
                 "enough");
    assert_int_equal(p.out.size, strlen("[{}, {"));
    assert_error(sb_json_visit(wrong, strlen(wrong), &printing, &p, scratch, 100, &error), &error, SB_INVALID,
                 "line 2, column 8");
    memset(deep, '[', SB_JSON_NESTING + 1), memset(deep + SB_JSON_NESTING + 1, ']', SB_JSON_NESTING + 1);
    assert_error(sb_json_visit(deep, sizeof deep - 1, &printing, &p, scratch, 100, &error), &error, SB_INVALID,
                 "more than 64");
    assert_ok(sb_json_visit(deep + 1, sizeof deep - 3, &printing, &p, scratch, 100, &error), error);
    sb_out_free(&p.out);
}

/* ---- Long lists ---- */

static void long_lists_are_left_out_of_the_document_and_read_item_by_item(void **state) {
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

static void an_error_in_an_item_names_its_place_in_the_document(void **state) {
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

/* Makes `[0,0,...]` with this number of values, including the list; the caller frees it. */
static sb_out list_of(size_t values) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "[0");
    for (size_t i = 2; i < values; i++) sb_puts(&out, ",0");
    sb_puts(&out, "]");
    return out;
}

static void a_document_has_a_limit_of_values(void **state) {
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

static void the_limit_applies_to_each_item_and_to_the_rest_of_a_document(void **state) {
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
        cmocka_unit_test(walking_and_parsing_accept_the_same_altered_documents),
        cmocka_unit_test(visiting_gives_exact_numbers),
        cmocka_unit_test(visiting_accepts_numbers_of_any_length),
        cmocka_unit_test(documents_are_visited_and_written_again_byte_by_byte),
        cmocka_unit_test(visiting_needs_room_for_strings_with_escapes_only),
        cmocka_unit_test(visiting_stops_on_request_and_names_the_place_of_an_error),
        cmocka_unit_test(long_lists_are_left_out_of_the_document_and_read_item_by_item),
        cmocka_unit_test(an_error_in_an_item_names_its_place_in_the_document),
        cmocka_unit_test(the_key_of_a_byte_is_that_of_the_innermost_member),
        cmocka_unit_test(a_document_has_a_limit_of_values),
        cmocka_unit_test(the_limit_applies_to_each_item_and_to_the_rest_of_a_document),
        cmocka_unit_test(whole_numbers_keep_the_digits_that_a_double_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
