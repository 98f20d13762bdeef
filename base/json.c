#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/out.h"
#include "base/utf8.h"

/* ---- What cJSON lets through ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && is_digit(*at)) at++;
    return at;
}

/* Bytes of the JSON number that begins here; 0 if it is none. */
static size_t number_length(const char *text, const char *end) {
    const char *first = text + (*text == '-'), *at = skip_digits(first, end), *part;
    if (at == first || (at - first > 1 && *first == '0')) return 0;
    if (at < end && *at == '.') {
        at = skip_digits(part = at + 1, end);
        if (at == part) return 0;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        part = at + 1 < end && (at[1] == '+' || at[1] == '-') ? at + 2 : at + 1;
        at = skip_digits(part, end);
        if (at == part) return 0;
    }
    return (size_t)(at - text);
}

/* How far to go on from `at`, in or out of a JSON string; 0 with an error. */
static size_t check_character(const char *at, const char *end, bool quoted, sb_error *error) {
    if (quoted && *at >= 0x20 && *at < 0x7f && *at != '\\') return 1; /* nearly all there is */
    const size_t n = (size_t)(end - at), length = sb_utf8_length(at, n);
    if (length == 0) return sb_fail(error, SB_INVALID, "not UTF-8");
    if ((unsigned char)*at < 0x20 && (quoted || !is_space(*at)))
        return sb_fail(error, SB_INVALID, "a control character (\\u%04x) is not JSON", *at);
    if (quoted && n >= 6 && strncmp(at, "\\u0000", 6) == 0)
        return sb_fail(error, SB_INVALID, "no text may hold a NUL character");
    if (quoted && *at == '\\' && n > 1 && (unsigned char)at[1] >= 0x20) return at[1] & 0x80 ? 1 : 2;
    if (quoted || (*at != '-' && !is_digit(*at))) return length;
    const size_t digits = number_length(at, end);
    if (digits == 0) sb_fail(error, SB_INVALID, "not a number as JSON has them");
    return digits;
}

static bool check_text(const char *text, size_t n, sb_error *error) {
    bool quoted = false;
    int depth = 0;
    for (size_t i = 0, length; i < n; i += length) {
        length = check_character(text + i, text + n, quoted, error);
        if (length == 0) return sb_fail_at(error, "byte %zu", i + 1);
        const char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth > SB_JSON_NESTING)
            return sb_fail(error, SB_INVALID, "more than %d lists and objects inside one another", SB_JSON_NESTING);
    }
    return true;
}

/* ---- Parsing ---- */

cJSON *sb_json_parse(const char *text, size_t n, sb_error *error) {
    if (!check_text(text, n, error)) return NULL;
    const char *stop = NULL;
    cJSON *value = cJSON_ParseWithLengthOpts(text, n, &stop, false);
    const char *end = text + n, *at = stop ? stop : text;
    if (value) {
        while (at < end && is_space(*at)) at++;
        if (at >= end) return value;
        cJSON_Delete(value);
    }
    size_t line = 1, column = 1;
    for (const char *c = text; c < at && c < end; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    sb_fail(error, SB_INVALID, "not valid JSON at line %zu, column %zu", line, column);
    return NULL;
}

static const cJSON *member(const cJSON *object, const char *key, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) sb_fail(error, SB_INVALID, "key `%s` is missing", key);
    return item;
}

static bool wrong(const char *key, const char *wanted, sb_error *error) {
    return sb_fail(error, SB_INVALID, "key `%s` should be %s", key, wanted);
}

bool sb_json_string(const cJSON *object, const char *key, const char **value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    if (!cJSON_IsString(item)) return wrong(key, "a text", error);
    *value = item->valuestring;
    return true;
}

bool sb_parse_uint(const char *text, uint64_t *value) {
    uint64_t sum = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10) return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

bool sb_json_is_uint(const cJSON *item, uint64_t *value) {
    if (cJSON_IsString(item)) return sb_parse_uint(item->valuestring, value);
    if (!cJSON_IsNumber(item)) return false;
    double number = item->valuedouble;
    if (!(number >= 0 && number < 9007199254740992.0) || number != floor(number)) return false;
    *value = (uint64_t)number;
    return true;
}

bool sb_json_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    return sb_json_is_uint(item, value) || wrong(key, "a whole number from 0 to 2^64-1 (as text above 2^53)", error);
}

bool sb_json_double(const cJSON *object, const char *key, double *value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return wrong(key, "a number that a double holds", error);
    *value = item->valuedouble;
    return true;
}

bool sb_json_bool(const cJSON *object, const char *key, bool *value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    if (!cJSON_IsBool(item)) return wrong(key, "true or false", error);
    *value = cJSON_IsTrue(item);
    return true;
}

bool sb_json_array(const cJSON *object, const char *key, const cJSON **value, sb_error *error) {
    *value = member(object, key, error);
    return *value && (cJSON_IsArray(*value) || wrong(key, "a list", error));
}

bool sb_json_object(const cJSON *object, const char *key, const cJSON **value, sb_error *error) {
    *value = member(object, key, error);
    return *value && (cJSON_IsObject(*value) || wrong(key, "an object", error));
}

bool sb_json_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error) {
    const char *text;
    if (!sb_json_string(object, key, &text, error)) return false;
    if (strlen(text) >= capacity) return sb_fail(error, SB_INVALID, "key `%s` is too long", key);
    strcpy(to, text);
    return true;
}

static bool has(const cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }

bool sb_json_optional_string(const cJSON *object, const char *key, const char **value, sb_error *error) {
    return !has(object, key) || sb_json_string(object, key, value, error);
}

bool sb_json_optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error) {
    return !has(object, key) || sb_json_uint(object, key, value, error);
}

bool sb_json_optional_choice(const cJSON *object, const char *key, const char *const names[3], int *choice,
                             sb_error *error) {
    const char *name = names[*choice];
    if (!sb_json_optional_string(object, key, &name, error)) return false;
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) return *choice = i, true;
    return sb_fail(error, SB_INVALID, "key `%s` should be %s, %s or %s", key, names[0], names[1], names[2]);
}

bool sb_json_is_whole(const cJSON *item, double low, double high, double *value) {
    if (!cJSON_IsNumber(item)) return false;
    *value = item->valuedouble;
    return *value >= low && *value <= high && *value == floor(*value);
}

static bool fail_unknown(const char *key, const char *const known[], sb_error *error) {
    char list[140];
    sb_out out = sb_out_fixed(list, sizeof list);
    for (size_t i = 0; known[i]; i++) sb_puts(&out, i ? ", " : ""), sb_puts(&out, known[i]);
    const bool whole = out.size < sizeof list;
    sb_out_finish(&out);
    return sb_fail(error, SB_INVALID, "key `%.60s` is not known here; there is: %s%s", key, list, whole ? "" : " ...");
}

bool sb_json_known_keys(const cJSON *object, const char *const known[], sb_error *error) {
    const cJSON *item;
    if (!cJSON_IsObject(object)) return sb_fail(error, SB_INVALID, "should be an object");
    cJSON_ArrayForEach(item, object) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], item->string) != 0) i++;
        if (!known[i]) return fail_unknown(item->string, known, error);
        if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
            return sb_fail(error, SB_INVALID, "key `%s` is repeated", item->string);
    }
    return true;
}
