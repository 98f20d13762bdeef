/* Reading JSON documents: cJSON underneath, errors that name the place, and limits, so that a small file cannot ask for
 * much memory. Numbers are doubles, but whole numbers that no double may hold keep their digits: sb_json_uint reads
 * them exactly, as a number or as text. */
#ifndef SB_BASE_JSON_H
#define SB_BASE_JSON_H

#include <cjson/cJSON.h>

#include "base/hash.h"
#include "base/json_scan.h"

/* The values of a document, items and members in all depths: about a hundred bytes of memory each. Of a document that
 * is read item by item, those of an item, and those of all the rest. */
enum { SB_JSON_VALUES = 1 << 18 };

/* Parses exactly one value. NULL on failure, with the place. The caller frees it with cJSON_Delete. Stricter than
 * cJSON, which takes control characters and numbers like 01 and ends a text at a NUL. */
cJSON *sb_json_parse(const char *text, size_t n, sb_error *error);
/* The same for kinds of documents that may need more values, or should have fewer. */
cJSON *sb_json_parse_within(const char *text, size_t n, size_t values, sb_error *error);

/* ---- Documents with long parts, which are read item by item ---- */

/* Of a text that sb_json_check took. */
cJSON *sb_json_part_parse(const sb_json_part *part, sb_error *error);

/* Parses an object but for what is in its lists and objects of these names (NULL-terminated): they are empty in what is
 * returned, and parts[i] is where names[i] is in the text; its n is 0 if there is no such list or object. */
cJSON *sb_json_part_split(const sb_json_part *part, const char *const names[], sb_json_part parts[], sb_error *error);
cJSON *sb_json_split(const char *text, size_t n, const char *const names[], sb_json_part parts[], sb_error *error);

/* The items of such a list, of which one at a time is in memory:
 *
 *     sb_json_items items = sb_json_items_of(&list);
 *     while (ok && sb_json_items_next(&items, error)) ok = ... items.item ...
 *     ok = ok && error->code == SB_OK;
 *     sb_json_items_end(&items);
 */
typedef struct sb_json_items {
    sb_json_walk walk;
    cJSON *item;
} sb_json_items;

sb_json_items sb_json_items_of(const sb_json_part *list);
/* False at the end (then error->code is SB_OK) and on a failure. */
bool sb_json_items_next(sb_json_items *items, sb_error *error);
void sb_json_items_end(sb_json_items *items);

/* ---- Members ---- */

/* Members of an object. A missing or wrong one is an error that names the key. */
bool sb_json_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);
bool sb_json_double(const cJSON *object, const char *key, double *value, sb_error *error);
bool sb_json_bool(const cJSON *object, const char *key, bool *value, sb_error *error);
bool sb_json_array(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
bool sb_json_object(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
/* Copies a text that has less than `capacity` bytes. */
bool sb_json_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error);

/* The text of a SHA-256: 64 hexadecimal digits, lower case. */
bool sb_json_sha256(const cJSON *object, const char *key, char hex[SB_SHA256_HEX], sb_error *error);

/* Members that may be left out: then the value stays. */
bool sb_json_optional_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);
/* The place in the list of what the key says. */
bool sb_json_optional_choice(const cJSON *object, const char *key, const char *const names[3], int *choice,
                             sb_error *error);

/* Whether the item is a whole number (or the text of one) in 0..2^64-1. */
bool sb_json_is_uint(const cJSON *item, uint64_t *value);
/* The digits of a whole number that no double may hold, as they were written; NULL for all other values. */
const char *sb_json_digits(const cJSON *item);
/* Whether it is a whole number in `low`..`high`. */
bool sb_json_is_whole(const cJSON *item, double low, double high, double *value);

/* Fails if the value is no object, and on the first key that is repeated or not among `known` (NULL-terminated): a
 * misspelt key is an error, not a default. */
bool sb_json_known_keys(const cJSON *object, const char *const known[], sb_error *error);

/* Decimal text of a whole number in 0..2^64-1, and nothing else. */
bool sb_parse_uint(const char *text, uint64_t *value);

#endif
