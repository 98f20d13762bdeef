/* The one scanner of JSON texts: what they may contain, and where the parts of a document begin and end. Parts are not
 * copied, so walking a document with a list of a million items takes memory for its text and for one item. */
#ifndef SB_BASE_JSON_SCAN_H
#define SB_BASE_JSON_SCAN_H

#include "seedbed.h"

enum { SB_JSON_NESTING = 64 /* how deep lists and objects may be nested */ };

/* One value (or a key) as it is spelled in a document. */
typedef struct sb_json_part {
    const char *at;
    size_t n;
    const char *document; /* where the whole text begins: errors count lines from there */
} sb_json_part;

static inline bool sb_json_is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static inline const char *sb_json_skip_spaces(const char *at, const char *end) {
    while (at < end && sb_json_is_space(*at)) at++;
    return at;
}

/* Fails at the first thing that no JSON text may contain (control characters, numbers like 01, bytes that are not
 * UTF-8, NUL characters) or that is nested too deeply, and says where it is. Does not check whether values, commas and
 * brackets are in their places: parsing or walking does. Linear. */
bool sb_json_check(const char *text, size_t n, sb_error *error);

/* Returns the length of the character, escape or number at `at`, inside or outside a string; 0 with an error if no JSON
 * text may contain it. Accepts a backslash that begins no valid escape. */
size_t sb_json_character_length(const char *at, const char *end, bool quoted, sb_error *error);
/* Returns the length in bytes of the number that begins here; 0 if it is not a valid number. */
size_t sb_json_number_length(const char *text, const char *end);

/* Returns all of a checked text without leading spaces: one value, or text that is not valid. */
sb_json_part sb_json_whole(const char *text, size_t n);
/* Counts the values in a part: itself, items and members. */
size_t sb_json_part_values(const sb_json_part *part);
static inline bool sb_json_part_is_list(const sb_json_part *part) { return part->n && *part->at == '['; }
static inline bool sb_json_part_is_object(const sb_json_part *part) { return part->n && *part->at == '{'; }

/* Walks the items of a list or the members of an object, one after another:
 *
 *       sb_json_walk walk = sb_json_walk_of(&part);
 *       while (sb_json_walk_next(&walk, error)) ... walk.key, walk.value ...
 *       if (error->code != SB_OK) ... it is not valid JSON ... */
typedef struct sb_json_walk {
    sb_json_part key, value; /* the key with its quotes; empty in a list */
    size_t n;                /* items so far */
    const char *next, *end;
    char closing; /* the bracket that will end the list or object */
} sb_json_walk;

sb_json_walk sb_json_walk_of(const sb_json_part *part);
/* Goes to the next item or member. Returns false at the end (then error->code is SB_OK) and on a failure. */
bool sb_json_walk_next(sb_json_walk *walk, sb_error *error);

/* Counts items or members; in a part that is not valid JSON, those before the fault. */
size_t sb_json_part_length(const sb_json_part *part);

/* Returns the key of the innermost member whose value contains this byte of the text (the text is one value); empty if
 * there is none. */
sb_json_part sb_json_key_at(const char *text, size_t n, size_t byte);

/* Moves `at` past the next number of the text; false if there is none. `is_long` is set if the number is made of so
 * many digits, and nothing else, that a double may not hold it. */
bool sb_json_next_number(const char **at, const char *end, sb_json_part *number, bool *is_long);

/* Fails with the line and the column of a byte in the document, which reaches to `end` at least. */
bool sb_json_fail_at_byte(const char *document, const char *byte, const char *end, sb_error *error);

#endif
