/* Reads JSON documents, with cJSON underneath. Errors name the place, and limits prevent a small file from taking much
 * memory. Numbers are doubles, but whole numbers that a double may not hold keep their digits: sb_json_uint reads them
 * exactly, as a number or as text. */
#ifndef SB_BASE_JSON_H
#define SB_BASE_JSON_H

#include <cjson/cJSON.h>

#include "base/hash.h"
#include "base/json_scan.h"

/* The most values of a document, counting items and members at all depths; each takes about a hundred bytes of memory.
 * If a document is read item by item, the limit holds for each item and for the rest. */
enum { SB_JSON_VALUES = 1 << 18 };

/* Parses exactly one value. NULL on failure, with the place. The caller frees it with cJSON_Delete. Stricter than
 * cJSON, which accepts control characters and numbers like 01, and stops at a NUL. */
cJSON *sb_json_parse(const char *text, size_t n, sb_error *error);
/* Like sb_json_parse, with another limit of values. */
cJSON *sb_json_parse_within(const char *text, size_t n, size_t values, sb_error *error);

/* ---- Documents with long parts, which are read item by item ---- */

/* Parses a part of a text that sb_json_check has accepted. */
cJSON *sb_json_part_parse(const sb_json_part *part, sb_error *error);

/* Parses an object without the contents of the lists and objects of these names (NULL-terminated): they are empty in
 * the result, and parts[i] is the place of names[i] in the text; its n is 0 if there is no such list or object. */
cJSON *sb_json_part_split(const sb_json_part *part, const char *const names[], sb_json_part parts[], sb_error *error);
cJSON *sb_json_split(const char *text, size_t n, const char *const names[], sb_json_part parts[], sb_error *error);

/* The items of a list in a document, with one item at a time in memory:
 *
 *       sb_json_items items = sb_json_items_of(&list);
 *       while (ok && sb_json_items_next(&items, error)) ok = ... items.item ...
 *       ok = ok && error->code == SB_OK;
 *       sb_json_items_end(&items); */
typedef struct sb_json_items {
    sb_json_walk walk;
    cJSON *item;
} sb_json_items;

sb_json_items sb_json_items_of(const sb_json_part *list);
/* Goes to the next item. Returns false at the end (then error->code is SB_OK) and on a failure. */
bool sb_json_items_next(sb_json_items *items, sb_error *error);
void sb_json_items_end(sb_json_items *items);

/* ---- Members ---- */

/* Members of an object. If one is missing or wrong, the error names the key. */
bool sb_json_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);
bool sb_json_double(const cJSON *object, const char *key, double *value, sb_error *error);
bool sb_json_bool(const cJSON *object, const char *key, bool *value, sb_error *error);
bool sb_json_array(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
bool sb_json_object(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
/* Copies a text of less than `capacity` bytes. */
bool sb_json_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error);

/* Copies a SHA-256 in 64 lower-case hexadecimal digits. */
bool sb_json_sha256(const cJSON *object, const char *key, char hex[SB_SHA256_HEX], sb_error *error);

/* Turns a list of texts into one text with commas between them, which replaces the member; other members stay as they
 * are. Fails if an item is no text, is empty or has a comma, or if there is none. */
bool sb_json_join_list(cJSON *object, const char *key, sb_error *error);

/* Members that may be left out: then the value stays as it was. */
bool sb_json_optional_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);

/* Finds a word's index among n words; the index stays as it was if the word is none of them. */
bool sb_find_word(const char *const words[], size_t n, const char *word, size_t *index);
/* Finds the index of a member's value among n words; the message of a failure lists them. */
bool sb_json_word(const cJSON *object, const char *key, const char *const words[], size_t n, size_t *index,
                  sb_error *error);
/* The same for a member that may be left out: then the index stays as it was. */
bool sb_json_optional_word(const cJSON *object, const char *key, const char *const words[], size_t n, size_t *index,
                           sb_error *error);

/* Tells whether the item is a whole number (or the text of one) in 0..2^64-1. */
bool sb_json_is_uint(const cJSON *item, uint64_t *value);
/* Returns the digits of a whole number that a double may not hold, as they were written; NULL for all other values. */
const char *sb_json_digits(const cJSON *item);
/* Tells whether the item is a whole number in `low`..`high`. */
bool sb_json_is_whole(const cJSON *item, double low, double high, double *value);

/* Fails if the value is not an object, and at the first key that is repeated or not among `known` (NULL-terminated): a
 * misspelt key is an error and does not silently leave the default. */
bool sb_json_known_keys(const cJSON *object, const char *const known[], sb_error *error);

/* Reads the decimal text of a whole number in 0..2^64-1, and nothing else. */
bool sb_parse_uint(const char *text, uint64_t *value);

#endif
