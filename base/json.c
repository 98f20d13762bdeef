#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/out.h"

/* ---- Parsing ---- */

/* Keeps the digits of a number that a double may not hold as the item's text; cJSON frees and copies it with the item.
 * The numbers in the text are in the same order as those in the tree. */
static bool keep_digits(cJSON *item, const char **at, const char *end, sb_error *error) {
    sb_json_part number;
    bool is_long;
    for (cJSON *inner = item->child; inner; inner = inner->next)
        if (!keep_digits(inner, at, end, error)) return false;
    if (!cJSON_IsNumber(item) || !sb_json_next_number(at, end, &number, &is_long) || !is_long) return true;
    item->valuestring = cJSON_malloc(number.n + 1);
    if (!item->valuestring) return sb_fail(error, SB_MEMORY, "out of memory for a number");
    memcpy(item->valuestring, number.at, number.n);
    item->valuestring[number.n] = '\0';
    return true;
}

static bool has_long_numbers(const char *at, const char *end) {
    sb_json_part number;
    bool is_long = false;
    while (!is_long && sb_json_next_number(&at, end, &number, &is_long)) {}
    return is_long;
}

/* Counts the values of a part before it is parsed: each takes a hundred bytes of memory, but only two bytes of the
 * text. False if there are more than there is room for. */
static bool take_room(const sb_json_part *part, size_t *room) {
    const size_t values = sb_json_part_values(part);
    if (values > *room) return false;
    *room -= values;
    return true;
}

static cJSON *parse(const sb_json_part *part, sb_error *error) {
    const char *end = part->at + part->n, *stop = NULL, *at = part->at;
    cJSON *value = cJSON_ParseWithLengthOpts(part->at, part->n, &stop, false);
    if (!stop) stop = part->at;
    if (!value) return sb_json_fail_at_byte(part->document, stop < end ? stop : end, end, error), NULL;
    stop = sb_json_skip_spaces(stop, end);
    const bool ok = stop >= end ? !has_long_numbers(part->at, end) || keep_digits(value, &at, end, error)
                                : sb_json_fail_at_byte(part->document, stop, end, error);
    if (ok) return value;
    cJSON_Delete(value);
    return NULL;
}

static bool too_many(size_t values, sb_error *error) {
    return sb_fail(error, SB_INVALID, "more than %zu values: no document of this kind needs so many", values);
}

cJSON *sb_json_parse_within(const char *text, size_t n, size_t values, sb_error *error) {
    const char *begin = n ? text : ""; /* `text` may be NULL */
    const sb_json_part whole = {begin, n, begin};
    size_t room = values;
    if (!sb_json_check(text, n, error)) return NULL;
    if (!take_room(&whole, &room)) return too_many(values, error), NULL;
    return parse(&whole, error);
}

cJSON *sb_json_parse(const char *text, size_t n, sb_error *error) {
    return sb_json_parse_within(text, n, SB_JSON_VALUES, error);
}

cJSON *sb_json_part_parse(const sb_json_part *part, sb_error *error) {
    size_t room = SB_JSON_VALUES;
    return take_room(part, &room) ? parse(part, error) : (too_many(SB_JSON_VALUES, error), NULL);
}

/* ---- Documents with long parts ---- */

/* Returns the index of a name among `names`; how many those are if it is not one of them. */
static size_t find_name(const char *name, const char *const names[]) {
    size_t i = 0;
    while (names[i] && strcmp(names[i], name) != 0) i++;
    return i;
}

static cJSON *empty(bool list, sb_error *error) {
    cJSON *value = list ? cJSON_CreateArray() : cJSON_CreateObject();
    if (!value) sb_fail(error, SB_MEMORY, "out of memory for a document");
    return value;
}

/* Returns a member's value. A list or object among `names` is left out: its value is empty, and `parts` gets its
 * place. */
static cJSON *take_value(const sb_json_part *value, const char *name, const char *const names[], sb_json_part parts[],
                         size_t *room, sb_error *error) {
    static const sb_json_part nothing = {.at = ""};
    const size_t i = find_name(name, names);
    const bool list = sb_json_part_is_list(value), left_out = names[i] && (list || sb_json_part_is_object(value));
    if (!take_room(left_out ? &nothing : value, room)) return too_many(SB_JSON_VALUES, error), NULL;
    if (left_out && !parts[i].n) parts[i] = *value; /* of repeated keys the first counts, as in all objects */
    return left_out ? empty(list, error) : parse(value, error);
}

static bool take_member(cJSON *object, const sb_json_walk *walk, const char *const names[], sb_json_part parts[],
                        size_t *room, sb_error *error) {
    cJSON *name = parse(&walk->key, error);
    cJSON *value = name ? take_value(&walk->value, name->valuestring, names, parts, room, error) : NULL;
    const bool ok = value && (cJSON_AddItemToObject(object, name->valuestring, value) ||
                              sb_fail(error, SB_MEMORY, "out of memory for a document"));
    if (!ok) cJSON_Delete(value);
    cJSON_Delete(name);
    return ok;
}

cJSON *sb_json_part_split(const sb_json_part *part, const char *const names[], sb_json_part parts[], sb_error *error) {
    for (size_t i = 0; names[i]; i++) parts[i] = (sb_json_part){.document = part->document};
    if (!sb_json_part_is_object(part)) return sb_json_part_parse(part, error);
    size_t room = SB_JSON_VALUES;
    sb_json_walk walk = sb_json_walk_of(part);
    cJSON *object = cJSON_CreateObject();
    bool ok = object || sb_fail(error, SB_MEMORY, "out of memory for a document");
    while (ok && sb_json_walk_next(&walk, error)) ok = take_member(object, &walk, names, parts, &room, error);
    if (ok && error->code == SB_OK) return object;
    cJSON_Delete(object);
    return NULL;
}

cJSON *sb_json_split(const char *text, size_t n, const char *const names[], sb_json_part parts[], sb_error *error) {
    const sb_json_part whole = sb_json_whole(text, n);
    return sb_json_check(text, n, error) ? sb_json_part_split(&whole, names, parts, error) : NULL;
}

sb_json_items sb_json_items_of(const sb_json_part *list) { return (sb_json_items){.walk = sb_json_walk_of(list)}; }

bool sb_json_items_next(sb_json_items *items, sb_error *error) {
    sb_json_items_end(items);
    if (!sb_json_walk_next(&items->walk, error)) return false;
    items->item = sb_json_part_parse(&items->walk.value, error);
    return items->item;
}

void sb_json_items_end(sb_json_items *items) {
    cJSON_Delete(items->item);
    items->item = NULL;
}

/* ---- Members ---- */

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

const char *sb_json_digits(const cJSON *item) { return cJSON_IsNumber(item) ? item->valuestring : NULL; }

bool sb_json_is_uint(const cJSON *item, uint64_t *value) {
    if (cJSON_IsString(item)) return sb_parse_uint(item->valuestring, value);
    if (!cJSON_IsNumber(item)) return false;
    const char *digits = sb_json_digits(item);
    if (digits) return sb_parse_uint(digits, value);
    double number = item->valuedouble;
    if (!(number >= 0 && number < 9007199254740992.0) || number != floor(number)) return false;
    *value = (uint64_t)number;
    return true;
}

bool sb_json_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    return sb_json_is_uint(item, value) || wrong(key, "a whole number from 0 to 2^64-1", error);
}

bool sb_json_double(const cJSON *object, const char *key, double *value, sb_error *error) {
    const cJSON *item = member(object, key, error);
    if (!item) return false;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return wrong(key, "a number within the range of a double", error);
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

bool sb_json_sha256(const cJSON *object, const char *key, char hex[SB_SHA256_HEX], sb_error *error) {
    const char *text;
    if (!sb_json_string(object, key, &text, error)) return false;
    if (strlen(text) != SB_SHA256_HEX - 1 || strspn(text, "0123456789abcdef") != SB_SHA256_HEX - 1)
        return wrong(key, "64 hexadecimal digits, lower case", error);
    memcpy(hex, text, SB_SHA256_HEX);
    return true;
}

static bool has(const cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }

static const char text_or_list[] = "a text with commas, or a list of texts without";

static bool join(const char *key, const cJSON *list, sb_out *out, sb_error *error) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item) || !*item->valuestring || strchr(item->valuestring, ','))
            return wrong(key, text_or_list, error);
        if (out->size) sb_puts(out, ",");
        sb_puts(out, item->valuestring);
    }
    if (!out->size) return sb_fail(error, SB_INVALID, "key `%s` is an empty list", key);
    sb_putc(out, '\0');
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for key `%s`", key);
}

bool sb_json_join_list(cJSON *object, const char *key, sb_error *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(list) || cJSON_IsBool(list) || cJSON_IsNull(list)) return wrong(key, text_or_list, error);
    if (!cJSON_IsArray(list)) return true;
    sb_out text = sb_out_growing();
    bool ok = join(key, list, &text, error);
    if (ok)
        ok = cJSON_ReplaceItemInObjectCaseSensitive(object, key, cJSON_CreateString(text.data)) ||
             sb_fail(error, SB_MEMORY, "out of memory for key `%s`", key);
    sb_out_free(&text);
    return ok;
}

bool sb_json_optional_string(const cJSON *object, const char *key, const char **value, sb_error *error) {
    return !has(object, key) || sb_json_string(object, key, value, error);
}

bool sb_json_optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error) {
    return !has(object, key) || sb_json_uint(object, key, value, error);
}

bool sb_find_word(const char *const words[], size_t n, const char *word, size_t *index) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0) return *index = i, true;
    return false;
}

bool sb_json_word(const cJSON *object, const char *key, const char *const words[], size_t n, size_t *index,
                  sb_error *error) {
    char list[140];
    const char *text;
    if (!sb_json_string(object, key, &text, error)) return false;
    if (sb_find_word(words, n, text, index)) return true;
    sb_out out = sb_out_fixed(list, sizeof list);
    for (size_t i = 0; i < n; i++) sb_puts(&out, i == 0 ? "" : i + 1 < n ? ", " : " or "), sb_puts(&out, words[i]);
    sb_out_finish(&out);
    return sb_fail(error, SB_INVALID, "key `%s` should be %s, not `%.40s`", key, list, text);
}

bool sb_json_optional_word(const cJSON *object, const char *key, const char *const words[], size_t n, size_t *index,
                           sb_error *error) {
    return !has(object, key) || sb_json_word(object, key, words, n, index, error);
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
    return sb_fail(error, SB_INVALID, "unknown key `%.60s`; known keys: %s%s", key, list, whole ? "" : " ...");
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
