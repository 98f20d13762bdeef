/* What a JSON document says, from its beginning to its end, as calls of the reader's functions: for those who build
 * values of their own from it and want no tree in between. Nothing is allocated. */
#ifndef SB_BASE_JSON_VISIT_H
#define SB_BASE_JSON_VISIT_H

#include "seedbed.h"

/* All have to be there. Each returns false to stop, with an error. Texts are UTF-8 without NUL characters, not ended by
 * a NUL, and there only during the call. */
typedef struct sb_json_events {
    bool (*begin)(void *context, bool is_object, sb_error *error); /* else it is an array */
    bool (*end)(void *context, bool is_object, sb_error *error);
    bool (*key)(void *context, const char *text, size_t n, sb_error *error); /* of the value that comes next */
    bool (*string)(void *context, const char *text, size_t n, sb_error *error);
    bool (*integer)(void *context, int64_t value, sb_error *error); /* a number without point and exponent */
    bool (*large)(void *context, uint64_t value, sb_error *error);  /* the same above 2^63 - 1 */
    bool (*real)(void *context, double value, sb_error *error);     /* any other number: the nearest double */
    bool (*boolean)(void *context, bool value, sb_error *error);
    bool (*null)(void *context, sb_error *error);
} sb_json_events;

/* Reads exactly one value of n bytes, any bytes; as strict as sb_json_check and sb_json_parse together. On failure what
 * was told before was right. `scratch` is where strings with escapes are decoded: n bytes are always enough; without
 * room for one it fails. Cost: linear. */
bool sb_json_visit(const char *text, size_t n, const sb_json_events *events, void *context, char *scratch,
                   size_t capacity, sb_error *error);

#endif
