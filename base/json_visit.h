/* Reads a JSON document from beginning to end and calls the reader's functions for its values: for readers that build
 * their own values and need no tree. Nothing is allocated. */
#ifndef SB_BASE_JSON_VISIT_H
#define SB_BASE_JSON_VISIT_H

#include "seedbed.h"

/* All functions must be set. Each returns false with an error to stop. Texts are UTF-8 without NUL characters; they are
 * not NUL-terminated and valid only during the call. */
typedef struct sb_json_events {
    bool (*begin)(void *context, bool is_object, sb_error *error); /* the beginning of an object, or else of a list */
    bool (*end)(void *context, bool is_object, sb_error *error);
    bool (*key)(void *context, const char *text, size_t n, sb_error *error); /* the key of the next value */
    bool (*string)(void *context, const char *text, size_t n, sb_error *error);
    bool (*integer)(void *context, int64_t value, sb_error *error); /* a number without point and exponent */
    bool (*large)(void *context, uint64_t value, sb_error *error);  /* an integer above 2^63 - 1 */
    bool (*real)(void *context, double value, sb_error *error);     /* any other number: the nearest double */
    bool (*boolean)(void *context, bool value, sb_error *error);
    bool (*null)(void *context, sb_error *error);
} sb_json_events;

/* Reads exactly one value from n arbitrary bytes, as strictly as sb_json_check and sb_json_parse together. On failure,
 * the calls made before were right. Strings with escapes are decoded in `scratch`: n bytes are always enough; a string
 * that does not fit is an error. Cost: linear. */
bool sb_json_visit(const char *text, size_t n, const sb_json_events *events, void *context, char *scratch,
                   size_t capacity, sb_error *error);

#endif
