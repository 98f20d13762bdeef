#include "base/json_visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json_scan.h"

typedef struct visit {
    const char *document, *at, *end;
    const sb_json_events *events;
    void *context;
    char *scratch;
    size_t capacity;
    int depth;
    sb_error *error;
} visit;

static bool fail_here(const visit *v) { return sb_json_fail_at_byte(v->document, v->at, v->end, v->error); }

static void skip_spaces(visit *v) { v->at = sb_json_skip_spaces(v->at, v->end); }

/* Returns the next byte; NUL at the end of the text. */
static char next_byte(const visit *v) { return v->at < v->end ? *v->at : '\0'; }

static bool take(visit *v, char wanted) {
    if (next_byte(v) != wanted || v->at == v->end) return false;
    v->at++;
    return true;
}

/* ---- Strings ---- */

/* Moves to the closing quote. */
static bool find_quote(visit *v, bool *has_escapes) {
    while (v->at < v->end && *v->at != '"') {
        const size_t length = sb_json_character_length(v->at, v->end, true, v->error);
        if (length == 0) return sb_fail_at(v->error, "byte %zu", (size_t)(v->at - v->document) + 1);
        *has_escapes |= *v->at == '\\';
        v->at += length;
    }
    return v->at < v->end || fail_here(v);
}

/* Reads four hexadecimal digits, which were checked before. */
static unsigned long hex_at(const char *digits) {
    unsigned long code = 0;
    for (int i = 0; i < 4; i++) {
        const char c = digits[i];
        code = code << 4 | (unsigned long)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
}

/* Moves past \uXXXX, or past two of them that make one character. Returns false for half of a pair. */
static bool take_unicode(const char **at, const char *end, unsigned long *character) {
    const unsigned long first = hex_at(*at + 2);
    *at += 6;
    *character = first;
    if (first < 0xd800 || first > 0xdfff) return true;
    if (first > 0xdbff || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') return false;
    const unsigned long second = hex_at(*at + 2);
    *at += 6;
    *character = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    return second >= 0xdc00 && second <= 0xdfff;
}

static char *put_utf8(char *to, unsigned long c) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(leads[more] | c >> (6 * more));
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | (c >> (6 * i) & 0x3f));
    return to;
}

/* Decodes a text that find_quote accepted. An escape is never shorter than what it stands for, so the result fits. */
static bool decode(visit *v, const char *at, const char *end, size_t *n) {
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char *to = v->scratch;
    if ((size_t)(end - at) > v->capacity)
        return sb_fail(v->error, SB_INVALID, "a string with escapes does not fit into %zu bytes", v->capacity);
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        const char *const escape = at;
        unsigned long character = 0;
        bool ok = true;
        if (at[1] == 'u') {
            ok = take_unicode(&at, end, &character);
        } else {
            const char *found = escapes;
            while (*found && *found != at[1]) found += 2;
            ok = *found != '\0';
            if (ok) character = (unsigned char)found[1];
            at += 2;
        }
        if (!ok) return sb_json_fail_at_byte(v->document, escape, v->end, v->error);
        to = put_utf8(to, character);
    }
    *n = (size_t)(to - v->scratch);
    return true;
}

static bool visit_text(visit *v, bool (*tell)(void *context, const char *text, size_t n, sb_error *error)) {
    const char *begin = ++v->at;
    bool has_escapes = false;
    if (!find_quote(v, &has_escapes)) return false;
    size_t n = (size_t)(v->at - begin);
    if (has_escapes && !decode(v, begin, v->at, &n)) return false;
    v->at++;
    return tell(v->context, has_escapes ? v->scratch : begin, n, v->error);
}

/* ---- Numbers ---- */

/* A number: whole digits times a power of ten. */
typedef struct decimal {
    uint64_t value; /* the whole number that the digits make, if it fits */
    long exponent;
    bool fits, negative, whole;
} decimal;

/* Reads an exponent such as `e+12`. A huge exponent is cut, since it is beyond every double. */
static long read_exponent(const char *at, const char *end) {
    enum { MOST = 1 << 30 };
    const bool minus = at[1] == '-';
    long exponent = 0;
    for (at += at[1] == '-' || at[1] == '+' ? 2 : 1; at < end; at++)
        if (exponent < MOST / 10) exponent = exponent * 10 + (*at - '0');
    return minus ? -exponent : exponent;
}

static decimal read_decimal(const char *at, const char *end) {
    decimal d = {.fits = true, .whole = true, .negative = *at == '-'};
    for (at += d.negative; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            d.whole = false;
            continue;
        }
        const uint64_t digit = (uint64_t)(*at - '0');
        d.fits = d.fits && d.value <= (UINT64_MAX - digit) / 10;
        d.value = d.value * 10 + digit;
        d.exponent -= !d.whole;
    }
    if (at == end) return d;
    d.whole = false;
    d.exponent += read_exponent(at, end);
    return d;
}

/* Converts with strtod, which needs a NUL-terminated text and in some locales a comma, so the point is left out. Only
 * the first 800 digits can matter, and whether any digit after them is not 0. */
static double convert(const decimal *d, const char *at, const char *end) {
    enum { DIGITS = 800 };
    char text[DIGITS + 40];
    size_t n = 0;
    long exponent = d->exponent;
    bool more = false;
    for (at += d->negative; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.' || (n == 0 && *at == '0')) continue;
        if (n < DIGITS)
            text[n++] = *at;
        else
            exponent++, more |= *at != '0';
    }
    if (more) text[n++] = '1', exponent--;
    snprintf(text + n, sizeof text - n, "%se%ld", n ? "" : "0", exponent);
    const double value = strtod(text, NULL);
    return d->negative ? -value : value;
}

/* Converts exactly with one operation if both numbers are exact doubles; then the result is the nearest double. */
static double nearest(const decimal *d, const char *at, const char *end) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long last = (long)(sizeof powers / sizeof *powers) - 1;
    if (!d->fits || d->value > (1ull << 53) || d->exponent < -last || d->exponent > last) return convert(d, at, end);
    const double whole = d->negative ? -(double)d->value : (double)d->value;
    return d->exponent < 0 ? whole / powers[-d->exponent] : whole * powers[d->exponent];
}

static bool visit_number(visit *v) {
    const char *at = v->at, *end = at + sb_json_number_length(at, v->end);
    if (at == end) return fail_here(v);
    const decimal d = read_decimal(at, end);
    v->at = end;
    if (d.whole && d.fits && d.value <= INT64_MAX)
        return v->events->integer(v->context, d.negative ? -(int64_t)d.value : (int64_t)d.value, v->error);
    if (d.whole && d.fits && d.negative && d.value == (uint64_t)INT64_MAX + 1)
        return v->events->integer(v->context, INT64_MIN, v->error);
    if (d.whole && d.fits && !d.negative) return v->events->large(v->context, d.value, v->error);
    return v->events->real(v->context, nearest(&d, at, end), v->error);
}

/* ---- Values ---- */

static bool take_word(visit *v, const char *word) {
    const size_t n = strlen(word);
    if ((size_t)(v->end - v->at) < n || memcmp(v->at, word, n) != 0) return fail_here(v);
    v->at += n;
    return true;
}

static bool visit_value(visit *v);

static bool visit_member(visit *v) {
    skip_spaces(v);
    if (next_byte(v) != '"') return fail_here(v);
    if (!visit_text(v, v->events->key)) return false;
    skip_spaces(v);
    return take(v, ':') ? visit_value(v) : fail_here(v);
}

static bool visit_items(visit *v, bool is_object) {
    const char closing = is_object ? '}' : ']';
    if (++v->depth > SB_JSON_NESTING)
        return sb_fail(v->error, SB_INVALID, "lists and objects are nested more than %d deep", SB_JSON_NESTING);
    if (!v->events->begin(v->context, is_object, v->error)) return false;
    v->at++;
    skip_spaces(v);
    if (!take(v, closing)) {
        do {
            if (!(is_object ? visit_member(v) : visit_value(v))) return false;
            skip_spaces(v);
        } while (take(v, ','));
        if (!take(v, closing)) return fail_here(v);
    }
    v->depth--;
    return v->events->end(v->context, is_object, v->error);
}

static bool visit_value(visit *v) {
    const sb_json_events *events = v->events;
    skip_spaces(v);
    switch (next_byte(v)) {
    case '{': return visit_items(v, true);
    case '[': return visit_items(v, false);
    case '"': return visit_text(v, events->string);
    case 't': return take_word(v, "true") && events->boolean(v->context, true, v->error);
    case 'f': return take_word(v, "false") && events->boolean(v->context, false, v->error);
    case 'n': return take_word(v, "null") && events->null(v->context, v->error);
    default: return visit_number(v);
    }
}

bool sb_json_visit(const char *text, size_t n, const sb_json_events *events, void *context, char *scratch,
                   size_t capacity, sb_error *error) {
    const char *begin = n ? text : ""; /* `text` may be NULL */
    visit v = {.document = begin, .at = begin, .end = begin + n, .events = events, .context = context};
    v.scratch = scratch, v.capacity = capacity, v.error = error;
    if (!visit_value(&v)) return false;
    skip_spaces(&v);
    return v.at == v.end || fail_here(&v);
}
