/* The lowest layer: text out, JSON in, hashes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tests/support.h"

/* Draws the next number of splitmix64, which is random enough for these tests. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Returns the text so far, with NUL. */
static const char *text_in(sb_out *out) {
    sb_putc(out, '\0');
    assert_true(sb_out_ok(out));
    out->size--;
    return out->data;
}

/* ---- Text out ---------------------------------------------------------------------------------------------------- */

static void put_some_of_everything(sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "text", "a \"quoted\"\n\\line\x01");
    sb_member_int(out, "least", INT64_MIN);
    sb_member_int(out, "most", INT64_MAX);
    sb_put_key(out, "limit");
    sb_put_uint(out, UINT64_MAX);
    sb_member_double(out, "third", 1.0 / 3);
    sb_member_bool(out, "yes", true);
    sb_member_texts(out, "list", (const char *const[]){"one", "two"}, 2);
    sb_put_key(out, "format");
    sb_putf(out, "%d%600s", 7, "wide");
    sb_puts(out, "}");
}

static const char everything[] =
    "{\"text\": \"a \\\"quoted\\\"\\n\\\\line\\u0001\", \"least\": -9223372036854775808, \"most\": "
    "9223372036854775807, \"limit\": 18446744073709551615, \"third\": 0.3333333333333333, \"yes\": true, \"list\": "
    "[\"one\", \"two\"], \"format\": 7";

static void a_growing_buffer_holds_everything(void **state) {
    (void)state;
    sb_out out = sb_out_growing();
    put_some_of_everything(&out);
    const char *text = text_in(&out);
    assert_memory_equal(text, everything, sizeof everything - 1);
    assert_string_equal(text + out.size - 5, "wide}");
    assert_int_equal(out.size, sizeof everything - 1 + 600 + 1);
    sb_out_free(&out);
}

static void a_fixed_buffer_of_any_size_gives_the_length_and_the_beginning(void **state) {
    (void)state;
    sb_out whole = sb_out_growing();
    put_some_of_everything(&whole);
    const char *text = text_in(&whole);
    for (size_t capacity = 0; capacity <= whole.size + 2; capacity++) {
        char *exact = malloc(capacity + 1); /* a sanitizer sees a write past the end of it */
        exact[capacity] = '#';
        sb_out out = sb_out_fixed(capacity ? exact : NULL, capacity);
        put_some_of_everything(&out);
        assert_int_equal(sb_out_ok(&out), whole.size <= capacity);
        assert_int_equal(sb_out_finish(&out), whole.size);
        const size_t kept = capacity == 0 ? 0 : whole.size < capacity ? whole.size : capacity - 1;
        assert_memory_equal(exact, text, kept);
        if (capacity) assert_int_equal(exact[kept], '\0');
        assert_int_equal(exact[capacity], '#');
        free(exact);
    }
    sb_out_free(&whole);
}

static void a_cleared_buffer_is_empty(void **state) {
    (void)state;
    sb_out out = sb_out_growing();
    sb_puts(&out, "before");
    sb_out_clear(&out);
    sb_puts(&out, "after");
    assert_string_equal(text_in(&out), "after");
    sb_out_free(&out);
    assert_null(out.data);
}

static void reserved_room_is_available_or_refused(void **state) {
    (void)state;
    char bytes[8];
    sb_out fixed = sb_out_fixed(bytes, sizeof bytes), growing = sb_out_growing();
    assert_non_null(sb_out_reserve(&fixed, 8));
    assert_null(sb_out_reserve(&fixed, 9));
    memcpy(sb_out_reserve(&growing, 5000), "[", 1);
    sb_out_advance(&growing, 1);
    sb_put_comma(&growing);
    sb_put_int(&growing, 0);
    assert_string_equal(text_in(&growing), "[0");
    sb_out_free(&growing);
}

/* Writes n random characters of one to four bytes, many of which need escaping; `text` holds 4 * n + 1 bytes. */
static void random_text(uint64_t *rng, char *text, size_t n) {
    static const char *const others[] = {"\"",   "\\", "\n", "\r", "\t", "\b",     "\x01",   "\x1f",      "\x20",
                                         "\x7f", "{",  "[",  ":",  ",",  "\u00e9", "\u20ac", "\U0001f600"};
    *text = '\0';
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = next_random(rng);
        const char plain[2] = {(char)(0x20 + (r >> 8) % 0x5f), '\0'};
        strcat(text, r & 1 ? others[(r >> 8) % (sizeof others / sizeof *others)] : plain);
    }
}

static void the_json_flag_escapes_as_a_json_string_does(void **state) {
    (void)state;
    uint64_t rng = 1;
    char text[4 * 60];
    for (size_t i = 0; i < 5000; i++) {
        sb_out flagged = sb_out_growing(), string = sb_out_growing();
        flagged.json = true;
        random_text(&rng, text, i % 60);
        sb_puts(&flagged, text);
        sb_put_json_string(&string, text);
        assert_int_equal(string.size, flagged.size + 2);
        assert_memory_equal(string.data + 1, flagged.size ? flagged.data : "", flagged.size);
        sb_error error;
        cJSON *back = sb_json_parse(string.data, string.size, &error);
        assert_ok(back, error);
        assert_string_equal(back->valuestring, text);
        cJSON_Delete(back);
        sb_out_free(&flagged), sb_out_free(&string);
    }
}

static void a_document_inside_a_string_comes_back(void **state) {
    (void)state;
    uint64_t rng = 2;
    char text[4 * 60];
    sb_error error;
    for (size_t i = 0; i < 1000; i++) {
        sb_out out = sb_out_growing();
        random_text(&rng, text, i % 60);
        sb_puts(&out, "{");
        sb_put_key(&out, "inner");
        sb_putc(&out, '"');
        out.json = true;
        sb_puts(&out, "{");
        sb_member_text(&out, text, text);
        sb_member_double(&out, "half", 0.5);
        sb_puts(&out, "}");
        out.json = false;
        sb_puts(&out, "\"}");
        cJSON *outer = sb_json_parse(out.data, out.size, &error);
        assert_ok(outer, error);
        const char *inner_text = outer->child->valuestring;
        cJSON *inner = sb_json_parse(inner_text, strlen(inner_text), &error);
        assert_ok(inner, error);
        assert_string_equal(inner->child->string, text);
        assert_string_equal(inner->child->valuestring, text);
        cJSON_Delete(inner), cJSON_Delete(outer);
        sb_out_free(&out);
    }
}

static void commas_are_put_only_between_items(void **state) {
    (void)state;
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_put_key(&out, "[");
    sb_puts(&out, "{}");
    sb_put_key(&out, "b");
    sb_puts(&out, "[");
    for (int i = -1; i < 2; i++) {
        sb_put_comma(&out);
        sb_put_int(&out, i);
    }
    sb_puts(&out, "]");
    sb_member_bool(&out, "c", false);
    sb_puts(&out, "}");
    assert_string_equal(text_in(&out), "{\"[\": {}, \"b\": [-1, 0, 1], \"c\": false}");
    sb_out_free(&out);
}

/* ---- Numbers out ------------------------------------------------------------------------------------------------- */

static const char *spelled(double value) {
    static char text[64];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_put_double(&out, value);
    assert_true(sb_out_finish(&out) < sizeof text);
    return text;
}

static void fixed_decimals_are_those_of_printf(void **state) {
    (void)state;
    uint64_t rng = 5;
    for (int i = 0; i < 60000; i++) {
        const uint64_t bits = next_random(&rng);
        double value = (double)(bits % 200001) / (i % 3 == 0 ? 1024 : 2000); /* many are ties, or look like ties */
        if (i % 5 == 0) value = nextafter(value, bits % 2 ? 0 : 2);
        for (int decimals = 1; decimals <= 3; decimals++) {
            char ours[64], theirs[64];
            sb_out out = sb_out_fixed(ours, sizeof ours);
            sb_put_fixed(&out, value, decimals);
            sb_out_finish(&out);
            snprintf(theirs, sizeof theirs, "%.*f", decimals, value);
            assert_string_equal(ours, theirs);
        }
    }
}

static void every_double_reads_back(void **state) {
    (void)state;
    uint64_t rng = 3;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&rng);
        double value;
        if (i % 2) { /* of ordinary size, with few digits, like rewards */
            value = (double)(int64_t)(bits % 2000001) / 1000 - 1000;
            for (uint64_t k = bits >> 60; k; k--) value += 0.1;
        } else {
            memcpy(&value, &bits, sizeof value);
        }
        if (!isfinite(value)) continue;
        const double back = strtod(spelled(value), NULL);
        if (memcmp(&back, &value, sizeof value) != 0) fail_msg("%a is spelled %s", value, spelled(value));
    }
}

/* Doubles in hexadecimal and repr() of Python 3.11, in pairs. */
static const char python[] =
    "0x0p0 0.0, -0x0p0 -0.0, 0x1p0 1.0, -0x1p0 -1.0, 0x1.999999999999ap-4 0.1, 0x1.999999999999ap-5 0.05, "
    "-0x1.47ae147ae147bp-7 -0.01, 0x1.ad7f29abcaf48p-24 1e-07, 0x1.4f8b588e368f1p-17 1e-05, "
    "0x1.a36e2eb1c432dp-14 0.0001, 0x1.02e85be180b74p-13 0.00012345678901234567, "
    "0x1.a36e2eb1c432cp-14 9.999999999999999e-05, 0x1.451eb851eb852p0 1.27, "
    "0x1.c28f5c28f5c2ap0 1.7600000000000002, 0x1.3333333333334p-2 0.30000000000000004, "
    "0x1.5555555555555p-2 0.3333333333333333, 0x1.5555555555555p-1 0.6666666666666666, "
    "0x1p-20 9.5367431640625e-07, 0x1p-24 5.960464477539063e-08, 0x1p-44 5.684341886080802e-14, "
    "0x1p-45 2.842170943040401e-14, 0x1p-77 6.617444900424222e-24, 0x1p-1022 2.2250738585072014e-308, "
    "0x0.0000000000001p-1022 5e-324, 0x0.000000000000ap-1022 5e-323, 0x0.0000000000003p-1022 1.5e-323, "
    "0x0.000000b38397p-1022 9.3e-316, 0x0.fffffffffffffp-1022 2.225073858507201e-308, "
    "0x1.fffffffffffffp1023 1.7976931348623157e+308, -0x1.fffffffffffffp1023 -1.7976931348623157e+308, "
    "0x1.fffffffcp30 2147483647.0, 0x1p31 2147483648.0, -0x1p31 -2147483648.0, -0x1.00000002p31 -2147483649.0, "
    "0x1.ffffffffp31 4294967295.5, 0x1.cbe991a14p36 123456789012.0, 0x1.c6bf52634p49 1000000000000000.0, "
    "0x1.18b54f22aeae8p50 1234567890123450.0, 0x1.18b54f22aebp50 1234567890123456.0, "
    "0x1.fffffffffffffp52 9007199254740991.0, 0x1p53 9007199254740992.0, 0x1.1c37937e07fffp53 9999999999999998.0, "
    "0x1.1c37937e08p53 1e+16, 0x1.1c37937e08001p53 1.0000000000000002e+16, "
    "0x1.5ee2a2eb5a5c4p53 1.2345678901234568e+16, 0x1p56 7.205759403792794e+16, "
    "0x1.6345785d89fffp56 9.999999999999998e+16, 0x1.6345785d8ap56 1e+17, "
    "0x1.b69b4ba630f34p56 1.2345678901234566e+17, 0x1.b1ae4d6e2ef5p69 1e+21, 0x1.0f0cf064dd592p73 1e+22, "
    "0x1.52d02c7e14af6p76 1e+23, 0x1.c7e83209e90b2p72 8.41e+21, 0x1p60 1.152921504606847e+18, "
    "0x1p63 9.223372036854776e+18, 0x1p64 1.8446744073709552e+19, 0x1p89 6.189700196426902e+26, "
    "0x1p100 1.2676506002282294e+30, 0x1.1666666666666p2 4.35, 0x1.01f31f46ed246p-13 0.000123, "
    "0x1.e240c9fbe76c9p16 123456.789, 0x1.249ad2594c37dp332 1e+100, 0x1.bff2ee48e053p-333 1e-100, "
    "0x1.fe185ca57c517p78 6.02214076e+23, 0x1.a36e2eb1c432dp-16 2.5e-05, ";

static void doubles_are_spelled_as_python_spells_them(void **state) {
    (void)state;
    char hex[40], text[40];
    int length, n = 0;
    size_t wrong = 0;
    for (const char *at = python; sscanf(at, "%39s %39[^, ], %n", hex, text, &length) == 2; at += length, n++) {
        if (strcmp(spelled(strtod(hex, NULL)), text) == 0) continue;
        print_message("%s is %s, not %s\n", hex, text, spelled(strtod(hex, NULL)));
        wrong++;
    }
    assert_int_equal(n, 65);
    assert_int_equal(wrong, 0);
}

static void infinities_and_nan_are_spelled_as_in_python(void **state) {
    (void)state;
    assert_string_equal(spelled(INFINITY), "Infinity");
    assert_string_equal(spelled(-INFINITY), "-Infinity");
    assert_string_equal(spelled(NAN), "NaN");
}

/* ---- JSON in ----------------------------------------------------------------------------------------------------- */

static cJSON *parsed(const char *text) {
    sb_error error;
    cJSON *value = sb_json_parse(text, strlen(text), &error);
    assert_ok(value, error);
    return value;
}

static void syntax_errors_name_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "line 1, column 1"},           {"x", "line 1, column 1"},
        {"{\"a\": x}", "line 1, column 7"}, {"1 2", "line 1, column 3"},
        {"[1]\n]", "line 2, column 1"},     {"{\"a\": 1,\n \"b\": x}", "line 2, column 7"},
        {"[1\n\n2]", "line 3, column 1"},   {"[1] \n\n ,", "line 3, column 2"},
        {"{\"a\" 1}", "line 1, column 6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_error error;
        cJSON *value = sb_json_parse(cases[i].text, strlen(cases[i].text), &error);
        assert_error(value != NULL, &error, SB_INVALID, cases[i].words);
    }
}

static void exactly_one_value_is_read(void **state) {
    (void)state;
    sb_error error;
    cJSON_Delete(parsed(" \r\n\t[] \r\n\t"));
    assert_null(sb_json_parse("[]\0", 3, &error));
    assert_null(sb_json_parse("[]]", 3, &error));
    cJSON *cut = sb_json_parse("[]]", 2, &error); /* the size says that the text ends before the second bracket */
    assert_ok(cut, error);
    cJSON_Delete(cut);
}

static void invalid_json_is_refused_with_the_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {{"[01]", "byte 2: not a number"},
                 {"[1.]", "byte 2: not a number"},
                 {"[-]", "byte 2: not a number"},
                 {"[1e]", "byte 2: not a number"},
                 {"[\"\xff\"]", "byte 3: not UTF-8"},
                 {"[\"\xc3\"]", "byte 3: not UTF-8"},
                 {"\"\\u0000\"", "byte 2: a text must not"},
                 {"[\"\n\"]", "byte 3: a control"},
                 {"[\f]", "byte 2: a control"},
                 {"\"\\\xff\"", "byte 3: not UTF-8"},
                 {"[+1]", "line 1, column 2"},
                 {"[NaN]", "line 1, column 2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_error error;
        cJSON *value = sb_json_parse(cases[i].text, strlen(cases[i].text), &error);
        assert_error(value != NULL, &error, SB_INVALID, cases[i].words);
    }
}

static void nesting_has_a_limit(void **state) {
    (void)state;
    for (size_t depth = SB_JSON_NESTING; depth <= SB_JSON_NESTING + 1; depth++) {
        char text[2 * (SB_JSON_NESTING + 1)];
        sb_error error;
        memset(text, '[', depth), memset(text + depth, ']', depth);
        cJSON *value = sb_json_parse(text, 2 * depth, &error);
        if (depth == SB_JSON_NESTING)
            assert_ok(value, error);
        else
            assert_error(value != NULL, &error, SB_INVALID, "nested more than 64 deep");
        cJSON_Delete(value);
    }
}

typedef struct getter {
    const char *key; /* of a member of the right kind */
    bool (*get)(const cJSON *object, const char *key, sb_error *error);
    const char *wanted;
} getter;

#define GETTER(kind, type)                                                                                             \
    static bool get_##kind(const cJSON *object, const char *key, sb_error *error) {                                    \
        type value;                                                                                                    \
        return sb_json_##kind(object, key, &value, error);                                                             \
    }
GETTER(string, const char *)
GETTER(uint, uint64_t)
GETTER(double, double)
GETTER(bool, bool)
GETTER(array, const cJSON *)
GETTER(object, const cJSON *)

static const getter getters[] = {{"text", get_string, "a text"},   {"whole", get_uint, "a whole number"},
                                 {"real", get_double, "a number"}, {"yes", get_bool, "true or false"},
                                 {"list", get_array, "a list"},    {"object", get_object, "an object"}};
static const char members[] = "{\"text\": \"a\", \"whole\": 3, \"real\": 0.5, \"yes\": false, \"list\": [1], "
                              "\"object\": {\"a\": 1}, \"null\": null}";

/* Every getter refuses values of other kinds; a whole number is also a number. */
static void every_getter_names_the_key(void **state) {
    (void)state;
    cJSON *object = parsed(members);
    const cJSON *item;
    for (size_t i = 0; i < sizeof getters / sizeof *getters; i++) {
        char words[80];
        sb_error error;
        assert_error(getters[i].get(object, "none", &error), &error, SB_INVALID, "key `none` is missing");
        cJSON_ArrayForEach(item, object) {
            const bool mine = strcmp(item->string, getters[i].key) == 0;
            const bool whole_as_real = getters[i].get == get_double && strcmp(item->string, "whole") == 0;
            const bool ok = getters[i].get(object, item->string, &error);
            snprintf(words, sizeof words, "key `%s` should be %s", item->string, getters[i].wanted);
            if (mine || whole_as_real)
                assert_ok(ok, error);
            else
                assert_error(ok, &error, SB_INVALID, words);
        }
    }
    cJSON_Delete(object);
}

static void keys_are_case_sensitive(void **state) {
    (void)state;
    sb_error error;
    cJSON *object = parsed("{\"Seed\": 1}");
    assert_error(get_uint(object, "seed", &error), &error, SB_INVALID, "key `seed` is missing");
    cJSON_Delete(object);
}

static void whole_numbers_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"0", 0},
                 {"1e3", 1000},
                 {"7.0", 7},
                 {"9007199254740991", 9007199254740991},
                 {"9007199254740992", 9007199254740992},
                 {"9007199254740993", 9007199254740993},
                 {"18446744073709551615", UINT64_MAX},
                 {"\"0\"", 0},
                 {"\"9007199254740993\"", 9007199254740993},
                 {"\"18446744073709551615\"", UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *item = parsed(cases[i].text);
        uint64_t value = 0;
        if (!sb_json_is_uint(item, &value) || value != cases[i].value) fail_msg("%s", cases[i].text);
        cJSON_Delete(item);
    }
}

static void whole_numbers_that_are_written_read_back(void **state) {
    (void)state;
    static const uint64_t values[] = {0, 1, 9007199254740991, 9007199254740992, 9007199254740993, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        sb_out out = sb_out_growing();
        sb_error error;
        uint64_t value;
        sb_puts(&out, "{");
        sb_member_uint(&out, "seed", values[i]);
        sb_puts(&out, "}");
        cJSON *object = parsed(text_in(&out));
        assert_ok(sb_json_uint(object, "seed", &value, &error), error);
        assert_true(value == values[i]);
        cJSON_Delete(object);
        sb_out_free(&out);
    }
}

/* A number with a point or an exponent is a double, and 2^53 may have been 2^53 + 1. */
static void whole_numbers_that_may_not_be_exact_are_refused(void **state) {
    (void)state;
    static const char *const cases[] = {"9007199254740992.0",
                                        "9.007199254740993e15",
                                        "18446744073709551616",
                                        "-9007199254740993",
                                        "1e300",
                                        "-1",
                                        "0.5",
                                        "\"18446744073709551616\"",
                                        "\"99999999999999999999999\"",
                                        "\"\"",
                                        "\" 1\"",
                                        "\"1 \"",
                                        "\"+1\"",
                                        "\"-1\"",
                                        "\"0x1\"",
                                        "\"1e3\"",
                                        "true",
                                        "null",
                                        "[1]"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *item = parsed(cases[i]);
        uint64_t value;
        if (sb_json_is_uint(item, &value)) fail_msg("%s", cases[i]);
        cJSON_Delete(item);
    }
}

static void unknown_and_repeated_keys_are_named(void **state) {
    (void)state;
    static const char *const known[] = {"a", "b", NULL};
    static const struct {
        const char *text, *words;
    } cases[] = {{"{}", NULL},
                 {"{\"b\": 1, \"a\": 2}", NULL},
                 {"{\"a\": 1, \"A\": 2}", "unknown key `A`"},
                 {"{\"a\": 1, \"b\": 1, \"a\": 1}", "key `a` is repeated"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_error error;
        cJSON *object = parsed(cases[i].text);
        const bool ok = sb_json_known_keys(object, known, &error);
        if (cases[i].words)
            assert_error(ok, &error, SB_INVALID, cases[i].words);
        else
            assert_ok(ok, error);
        cJSON_Delete(object);
    }
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void an_error_on_its_way_up_keeps_code_and_words(void **state) {
    (void)state;
    sb_error error;
    assert_false(sb_fail(&error, SB_UNKNOWN, "no %s", "such thing"));
    assert_error(sb_fail_at(&error, "line %d", 7), &error, SB_UNKNOWN, "line 7: no such thing");
    for (int i = 0; i < 50; i++) sb_fail_at(&error, "a place with a long name");
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static void sha256_matches_fips_180(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hex[SB_SHA256_HEX];
        sb_sha256_hex(cases[i].text, strlen(cases[i].text), hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

static void blake2b_matches_other_programs(void **state) {
    (void)state;
    char bytes[1000], hex[SB_SHA256_HEX]; /* more than a block */
    uint8_t digest[32];
    memset(bytes, 'a', sizeof bytes);
    sb_blake2b_of(NULL, 0, digest), sb_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    sb_blake2b_of("abc", 3, digest), sb_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    sb_blake2b_of(bytes, sizeof bytes, digest), sb_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "e00b0ddbf1e2cdaf5c898e1a5e8826ea3a2c339bcf2a478da2e5fca9ff126672");
    sb_blake2b hash;
    sb_blake2b_begin(&hash);
    sb_blake2b_add(&hash, bytes, 300), sb_blake2b_add(&hash, bytes, 0), sb_blake2b_add(&hash, bytes + 300, 700);
    sb_blake2b_end(&hash, digest), sb_hex(digest, sizeof digest, hex);
    assert_string_equal(hex, "e00b0ddbf1e2cdaf5c898e1a5e8826ea3a2c339bcf2a478da2e5fca9ff126672");
}

static void a_hash_in_pieces_is_the_hash_of_the_whole(void **state) {
    (void)state;
    sb_sha256 hash;
    char hex[SB_SHA256_HEX];
    sb_sha256_begin(&hash);
    for (int i = 0; i < 100000; i++) sb_sha256_add(&hash, "aaaaaaaaaa", 10);
    sb_sha256_end_hex(&hash, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void a_key_depends_on_every_bit_and_on_the_length(void **state) {
    (void)state;
    uint8_t bytes[40] = {0};
    uint64_t key[2], other[2];
    sb_hash128(bytes, sizeof bytes, key);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        sb_hash128(bytes, sizeof bytes, other);
        assert_memory_not_equal(key, other, sizeof key);
        bytes[bit / 8] = 0;
    }
    sb_hash128(bytes, sizeof bytes - 1, other);
    assert_memory_not_equal(key, other, sizeof key);
    sb_hash128(bytes, sizeof bytes, other);
    assert_memory_equal(key, other, sizeof key);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_growing_buffer_holds_everything),
        cmocka_unit_test(a_fixed_buffer_of_any_size_gives_the_length_and_the_beginning),
        cmocka_unit_test(a_cleared_buffer_is_empty),
        cmocka_unit_test(reserved_room_is_available_or_refused),
        cmocka_unit_test(the_json_flag_escapes_as_a_json_string_does),
        cmocka_unit_test(a_document_inside_a_string_comes_back),
        cmocka_unit_test(commas_are_put_only_between_items),
        cmocka_unit_test(fixed_decimals_are_those_of_printf),
        cmocka_unit_test(every_double_reads_back),
        cmocka_unit_test(doubles_are_spelled_as_python_spells_them),
        cmocka_unit_test(infinities_and_nan_are_spelled_as_in_python),
        cmocka_unit_test(syntax_errors_name_their_place),
        cmocka_unit_test(exactly_one_value_is_read),
        cmocka_unit_test(invalid_json_is_refused_with_the_place),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(every_getter_names_the_key),
        cmocka_unit_test(keys_are_case_sensitive),
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(whole_numbers_that_are_written_read_back),
        cmocka_unit_test(whole_numbers_that_may_not_be_exact_are_refused),
        cmocka_unit_test(unknown_and_repeated_keys_are_named),
        cmocka_unit_test(an_error_on_its_way_up_keeps_code_and_words),
        cmocka_unit_test(sha256_matches_fips_180),
        cmocka_unit_test(blake2b_matches_other_programs),
        cmocka_unit_test(a_hash_in_pieces_is_the_hash_of_the_whole),
        cmocka_unit_test(a_key_depends_on_every_bit_and_on_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
