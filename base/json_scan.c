#include "base/json_scan.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && is_digit(*at)) at++;
    return at;
}

size_t sb_json_number_length(const char *text, const char *end) {
    if (text == end) return 0;
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

/* ---- What may stand in a text ---- */

static bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/* Returns the length of an escape in a JSON string. */
static size_t escape_length(const char *at, size_t n, sb_error *error) {
    if (n < 2 || (unsigned char)at[1] < 0x20 || at[1] & 0x80) return 1;
    if (at[1] != 'u') return 2;
    size_t digits = 0;
    while (digits < 4 && digits + 2 < n && is_hex(at[digits + 2])) digits++;
    if (digits < 4) return sb_fail(error, SB_INVALID, "\\u must be followed by four hexadecimal digits");
    if (strncmp(at, "\\u0000", 6) == 0) return sb_fail(error, SB_INVALID, "a text must not contain a NUL character");
    return 6;
}

size_t sb_json_character_length(const char *at, const char *end, bool quoted, sb_error *error) {
    if (quoted && *at >= 0x20 && *at < 0x7f && *at != '\\') return 1; /* nearly all characters */
    const size_t n = (size_t)(end - at), length = sb_utf8_length(at, n);
    if (length == 0) return sb_fail(error, SB_INVALID, "not UTF-8");
    if ((unsigned char)*at < 0x20 && (quoted || !sb_json_is_space(*at)))
        return sb_fail(error, SB_INVALID, "a control character (\\u%04x) is not valid in JSON", *at);
    if (quoted && *at == '\\') return escape_length(at, n, error);
    if (quoted || (*at != '-' && !is_digit(*at))) return length;
    const size_t digits = sb_json_number_length(at, end);
    if (digits == 0) sb_fail(error, SB_INVALID, "not a number in JSON syntax");
    return digits;
}

/* How many levels deeper the text behind a byte is nested; the byte is not in a string. */
static int nesting(char c) { return (c == '{' || c == '[') - (c == '}' || c == ']'); }

bool sb_json_check(const char *text, size_t n, sb_error *error) {
    bool quoted = false;
    int depth = 0;
    for (size_t i = 0, length; i < n; i += length) {
        length = sb_json_character_length(text + i, text + n, quoted, error);
        if (length == 0) return sb_fail_at(error, "byte %zu", i + 1);
        const char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += nesting(c);
        if (depth > SB_JSON_NESTING)
            return sb_fail(error, SB_INVALID, "lists and objects are nested more than %d deep", SB_JSON_NESTING);
    }
    return true;
}

/* Whether an escape of half a surrogate pair begins here, such as `\ud83d`. */
static bool is_half_a_pair(const char *byte, const char *end) {
    return end - byte > 3 && byte[0] == '\\' && byte[1] == 'u' && (byte[2] | 0x20) == 'd' && byte[3] &&
           strchr("89abcdefABCDEF", byte[3]);
}

bool sb_json_fail_at_byte(const char *document, const char *byte, const char *end, sb_error *error) {
    size_t line = 1, column = 1;
    for (const char *c = document; c < byte; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return sb_fail(error, SB_INVALID, "not valid JSON at line %zu, column %zu%s", line, column,
                   is_half_a_pair(byte, end) ? ": half a surrogate pair is no character" : "");
}

/* ---- Parts ---- */

/* Returns the place after the string whose first quote is at `at`; the end if the string is not closed. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\') at++;
    return at < end ? at + 1 : end;
}

/* Returns the end of the string or of the single byte at `at`. */
static const char *step(const char *at, const char *end) { return *at == '"' ? skip_string(at, end) : at + 1; }

static bool ends_value(char c) { return c == ',' || c == ']' || c == '}'; }

sb_json_part sb_json_whole(const char *text, size_t n) {
    if (n == 0) return (sb_json_part){"", 0, ""}; /* `text` may be NULL */
    const char *at = sb_json_skip_spaces(text, text + n);
    return (sb_json_part){at, (size_t)(text + n - at), text};
}

/* The value that begins at `at`, up to the comma or bracket behind it, or to `end`. */
static sb_json_part part_at(const char *at, const char *end, const char *document) {
    const char *stop = at;
    for (int depth = 0; stop < end && (depth > 0 || !ends_value(*stop)); stop = step(stop, end))
        depth += nesting(*stop);
    while (stop > at && sb_json_is_space(stop[-1])) stop--;
    return (sb_json_part){at, (size_t)(stop - at), document};
}

/* There is a value after every comma, and one more in every list or object that is not empty. */
size_t sb_json_part_values(const sb_json_part *part) {
    const char *end = part->at + part->n;
    size_t values = 1;
    for (const char *at = part->at, *next; at < end; at = next) {
        next = step(at, end);
        values += *at == ',';
        if (nesting(*at) <= 0) continue;
        next = sb_json_skip_spaces(next, end);
        values += next < end && *next != '}' && *next != ']';
    }
    return values;
}

/* ---- Walking ---- */

sb_json_walk sb_json_walk_of(const sb_json_part *part) {
    return (sb_json_walk){.value = {part->at, 0, part->document},
                          .next = part->at + (part->n > 0),
                          .end = part->at + part->n,
                          .closing = sb_json_part_is_object(part) ? '}' : ']'};
}

static bool fail_here(const sb_json_walk *walk, sb_error *error) {
    return sb_json_fail_at_byte(walk->value.document, walk->next, walk->end, error);
}

/* Ends the walk: the end of the list or object must be the end of the part. */
static bool end_walk(const sb_json_walk *walk, sb_error *error) {
    return sb_json_skip_spaces(walk->next + 1, walk->end) != walk->end && fail_here(walk, error);
}

/* Reads a key and its colon. */
static bool take_key(sb_json_walk *walk, sb_error *error) {
    const char *end = walk->end;
    if (walk->next >= end || *walk->next != '"') return fail_here(walk, error);
    const char *behind = skip_string(walk->next, end), *colon = sb_json_skip_spaces(behind, end);
    walk->key = (sb_json_part){walk->next, (size_t)(behind - walk->next), walk->value.document};
    walk->next = colon;
    if (colon >= end || *colon != ':') return fail_here(walk, error);
    walk->next = sb_json_skip_spaces(colon + 1, end);
    return true;
}

bool sb_json_walk_next(sb_json_walk *walk, sb_error *error) {
    *error = (sb_error){0};
    walk->next = sb_json_skip_spaces(walk->next, walk->end);
    if (walk->next >= walk->end) return fail_here(walk, error);
    if (*walk->next == walk->closing) return end_walk(walk, error);
    if (walk->n) {
        if (*walk->next != ',') return fail_here(walk, error);
        walk->next = sb_json_skip_spaces(walk->next + 1, walk->end);
    }
    if (walk->closing == '}' && !take_key(walk, error)) return false;
    walk->value = part_at(walk->next, walk->end, walk->value.document);
    if (walk->value.n == 0) return fail_here(walk, error);
    walk->next += walk->value.n;
    walk->n++;
    return true;
}

size_t sb_json_part_length(const sb_json_part *part) {
    sb_error ignored;
    sb_json_walk walk = sb_json_walk_of(part);
    while (sb_json_walk_next(&walk, &ignored)) {}
    return walk.n;
}

static bool holds(const sb_json_part *part, const char *byte) { return part->at <= byte && byte < part->at + part->n; }

sb_json_part sb_json_key_at(const char *text, size_t n, size_t byte) {
    sb_error ignored;
    sb_json_part inner = {text, n, text}, key = {text, 0, text};
    while (holds(&inner, text + byte) && (sb_json_part_is_list(&inner) || sb_json_part_is_object(&inner))) {
        sb_json_walk walk = sb_json_walk_of(&inner);
        inner.n = 0; /* `inner` becomes the last value that begins at or before the byte, if there is one */
        while (sb_json_walk_next(&walk, &ignored) && (walk.key.n ? walk.key.at : walk.value.at) <= text + byte) {
            inner = walk.value;
            if (walk.key.n) key = walk.key;
        }
    }
    return key;
}

/* ---- Numbers ---- */

bool sb_json_next_number(const char **at, const char *end, sb_json_part *number, bool *is_long) {
    enum { DIGITS = 15 }; /* a double holds every whole number of so many digits */
    const char *from = *at;
    while (from < end && *from != '-' && !is_digit(*from)) from = step(from, end);
    if (from >= end) return false;
    const size_t n = sb_json_number_length(from, end);
    const char *digits = from + (*from == '-');
    *number = (sb_json_part){from, n, *at};
    *is_long = (size_t)(skip_digits(digits, end) - from) == n && from + n - digits > DIGITS;
    *at = from + (n ? n : 1);
    return true;
}
