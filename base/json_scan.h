/* The one scanner of JSON texts: what may stand in them, and where the parts of a document begin and end. Parts are not
 * copied, so whoever walks a document with a list of a million items needs memory for its text and for one item. */
#ifndef SB_BASE_JSON_SCAN_H
#define SB_BASE_JSON_SCAN_H

#include "seedbed.h"

enum { SB_JSON_NESTING = 64 /* lists and objects inside one another */ };

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

/* Says where the first thing is that no JSON text may hold (control characters, numbers like 01, what is not UTF-8, NUL
 * characters) or that is nested too deeply. Whether values, commas and brackets are in their places is found by whoever
 * parses or walks. Linear. */
bool sb_json_check(const char *text, size_t n, sb_error *error);

/* How far to go on from `at`, in or out of a string, to the next character, escape or number; 0 with an error if it is
 * one that no JSON text may hold. An escape that is none goes on. */
size_t sb_json_character_length(const char *at, const char *end, bool quoted, sb_error *error);
/* Bytes of the number that begins here; 0 if it is none. */
size_t sb_json_number_length(const char *text, const char *end);

/* All of a checked text, without the spaces before it: one value, or what is not valid. */
sb_json_part sb_json_whole(const char *text, size_t n);
/* How many values are in it: itself, items and members. */
size_t sb_json_part_values(const sb_json_part *part);
static inline bool sb_json_part_is_list(const sb_json_part *part) { return part->n && *part->at == '['; }
static inline bool sb_json_part_is_object(const sb_json_part *part) { return part->n && *part->at == '{'; }

/* The items of a list or the members of an object, one after another:
 *
 *     sb_json_walk walk = sb_json_walk_of(&part);
 *     while (sb_json_walk_next(&walk, error)) ... walk.key, walk.value ...
 *     if (error->code != SB_OK) ... it is not valid JSON ...
 */
typedef struct sb_json_walk {
    sb_json_part key, value; /* the key with its quotes; empty in a list */
    size_t n;                /* items so far */
    const char *next, *end;
    char closing; /* the bracket that will end it */
} sb_json_walk;

sb_json_walk sb_json_walk_of(const sb_json_part *part);
/* False at the end (then error->code is SB_OK) and on a failure. */
bool sb_json_walk_next(sb_json_walk *walk, sb_error *error);

/* How many items or members; a part that is not valid JSON has those before its fault. */
size_t sb_json_part_length(const sb_json_part *part);

/* The key of the innermost member whose value holds this byte of the text, which is one value; empty if there is none.
 */
sb_json_part sb_json_key_at(const char *text, size_t n, size_t byte);

/* A number with so many digits and nothing else that a double may not hold it. `at` is walked past the next number of
 * the text; false if there is none. */
bool sb_json_next_number(const char **at, const char *end, sb_json_part *number, bool *is_long);

/* Fails with the line and the column of a byte in the document. */
bool sb_json_fail_at_byte(const char *document, const char *byte, sb_error *error);

#endif
