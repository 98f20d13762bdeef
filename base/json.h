/* Reading JSON documents: cJSON underneath, errors that name the place. Numbers are doubles, so integers from 2^53 on
 * travel as text; sb_json_uint reads both. */
#ifndef SB_BASE_JSON_H
#define SB_BASE_JSON_H

#include <cjson/cJSON.h>

#include "api/seedbed.h"

enum { SB_JSON_NESTING = 64 /* lists and objects inside one another */ };

/* Parses exactly one value. NULL on failure, with the place. The caller frees it with cJSON_Delete. Stricter than
 * cJSON, which takes control characters and numbers like 01 and ends a text at a NUL. */
cJSON *sb_json_parse(const char *text, size_t n, sb_error *error);

/* Members of an object. A missing or wrong one is an error that names the key. */
bool sb_json_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);
bool sb_json_double(const cJSON *object, const char *key, double *value, sb_error *error);
bool sb_json_bool(const cJSON *object, const char *key, bool *value, sb_error *error);
bool sb_json_array(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
bool sb_json_object(const cJSON *object, const char *key, const cJSON **value, sb_error *error);
/* Copies a text that has less than `capacity` bytes. */
bool sb_json_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error);

/* Members that may be left out: then the value stays. */
bool sb_json_optional_string(const cJSON *object, const char *key, const char **value, sb_error *error);
bool sb_json_optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error);
/* The place in the list of what the key says. */
bool sb_json_optional_choice(const cJSON *object, const char *key, const char *const names[3], int *choice,
                             sb_error *error);

/* Whether the item is a whole number (or the text of one) in 0..2^64-1. */
bool sb_json_is_uint(const cJSON *item, uint64_t *value);
/* Whether it is a whole number in `low`..`high`. */
bool sb_json_is_whole(const cJSON *item, double low, double high, double *value);

/* Fails if the value is no object, and on the first key that is repeated or not among `known` (NULL-terminated): a
 * misspelt key is an error, not a default. */
bool sb_json_known_keys(const cJSON *object, const char *const known[], sb_error *error);

/* Decimal text of a whole number in 0..2^64-1, and nothing else. */
bool sb_parse_uint(const char *text, uint64_t *value);

#endif
