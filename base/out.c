#include "base/out.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numerals.h"

void sb_out_free(sb_out *out) {
    if (out->grows) free(out->data);
    *out = (sb_out){.grows = out->grows, .json = out->json};
}

static bool grow(sb_out *out, size_t needed) {
    if (out->failed) return false;
    size_t capacity = out->capacity ? out->capacity : 256;
    while (capacity < needed) capacity *= 2;
    char *data = realloc(out->data, capacity);
    if (!data) return out->failed = true, false;
    out->data = data, out->capacity = capacity;
    return true;
}

char *sb_out_reserve(sb_out *out, size_t n) {
    if (out->size + n > out->capacity && !(out->grows && grow(out, out->size + n))) return NULL;
    return out->data + out->size;
}

/* Copies a short piece: two overlapping words are faster than a call of memcpy. */
static inline void copy(char *to, const char *from, size_t n) {
    if (n > 32)
        memcpy(to, from, n);
    else if (n > 16)
        memcpy(to, from, 16), memcpy(to + n - 16, from + n - 16, 16);
    else if (n >= 8)
        memcpy(to, from, 8), memcpy(to + n - 8, from + n - 8, 8);
    else if (n >= 4)
        memcpy(to, from, 4), memcpy(to + n - 4, from + n - 4, 4);
    else if (n)
        to[0] = from[0], to[n / 2] = from[n / 2], to[n - 1] = from[n - 1];
}

/* Handles bytes that do not fit: a growing buffer grows, a fixed one takes what it can and goes on counting. Separate
 * from put_raw, so that put_raw stays short where it is inlined. */
__attribute__((noinline)) static void put_beyond(sb_out *out, const char *bytes, size_t n) {
    if (out->grows && grow(out, out->size + n))
        copy(out->data + out->size, bytes, n);
    else if (out->data && out->size < out->capacity)
        memcpy(out->data + out->size, bytes, out->capacity - out->size);
    out->size += n;
    out->last = bytes[n - 1];
}

static inline void put_raw(sb_out *out, const char *bytes, size_t n) {
    if (n == 0) return;
    if (!out->data || out->size + n > out->capacity) {
        put_beyond(out, bytes, n);
        return;
    }
    copy(out->data + out->size, bytes, n);
    out->size += n;
    out->last = bytes[n - 1];
}

/* ---- Escaping ---- */

/* Marks the bytes of a word that a JSON string must escape: control characters, quote, backslash. A byte is below n if
 * subtracting n borrows; flipping bit 1 puts the quote (0x22) next to the control characters (below 0x20). Only the
 * lowest mark is exact: later ones may be wrong, because borrows run from the lowest byte upwards. */
static inline uint64_t marks_of(uint64_t word) {
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = UINT64_C(0x8080808080808080);
    const uint64_t control_or_quote = (word ^ ones * 2) - ones * 0x21, backslash = (word ^ ones * '\\') - ones;
    return (control_or_quote | backslash) & ~word & highs;
}

/* Loads eight bytes, the first one lowest on every machine. */
static inline uint64_t eight_bytes(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Loads four to seven bytes, in any order, some of them twice. */
static inline uint64_t few_bytes(const char *bytes, size_t n) {
    uint32_t first, last;
    memcpy(&first, bytes, sizeof first), memcpy(&last, bytes + n - sizeof last, sizeof last);
    return (uint64_t)first << 32 | last;
}

enum { ESCAPE_MAX = 6 };

static char *escape(char *to, unsigned char c) {
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    switch (c) {
    case '\n': *to++ = 'n'; return to;
    case '\t': *to++ = 't'; return to;
    case '\r': *to++ = 'r'; return to;
    case '"':
    case '\\': *to++ = (char)c; return to;
    default: memcpy(to, "u00", 3), to[3] = digits[c >> 4], to[4] = digits[c & 15]; return to + 5;
    }
}

static inline char *escape_each(char *to, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c < 0x20 || c == '"' || c == '\\')
            to = escape(to, c);
        else
            *to++ = (char)c;
    }
    return to;
}

/* Escapes into `to`, which has ESCAPE_MAX bytes of room for each byte. Whole words are copied; if a word has a byte to
 * escape, only the bytes before it count. */
static char *escape_all(char *to, const char *bytes, size_t n) {
    while (n >= 8) {
        const uint64_t marks = marks_of(eight_bytes(bytes));
        memcpy(to, bytes, 8);
        if (!marks) {
            to += 8, bytes += 8, n -= 8;
            continue;
        }
        const size_t plain = (size_t)__builtin_ctzll(marks) / 8;
        to = escape(to + plain, (unsigned char)bytes[plain]);
        bytes += plain + 1, n -= plain + 1;
    }
    if (n < 4 || marks_of(few_bytes(bytes, n))) return escape_each(to, bytes, n);
    copy(to, bytes, n);
    return to + n;
}

enum { PIECE = 4096 }; /* bytes escaped at a time, so that little more room is reserved than used */

/* Escapes on the stack: for fixed buffers near their end, where only counting goes on. */
static void put_piece_slowly(sb_out *out, const char *bytes, size_t n) {
    char spare[64 * ESCAPE_MAX];
    for (size_t done = 0; done < n;) {
        const size_t some = n - done < 64 ? n - done : 64;
        put_raw(out, spare, (size_t)(escape_all(spare, bytes + done, some) - spare));
        done += some;
    }
}

static void put_escaped(sb_out *out, const char *bytes, size_t n) {
    for (size_t some; n; bytes += some, n -= some) {
        some = n < PIECE ? n : PIECE;
        char *room = sb_out_reserve(out, some * ESCAPE_MAX);
        if (room)
            sb_out_advance(out, (size_t)(escape_all(room, bytes, some) - room));
        else
            put_piece_slowly(out, bytes, some);
    }
}

void sb_put_any(sb_out *out, const char *bytes, size_t n) {
    if (out->json)
        put_escaped(out, bytes, n);
    else
        put_raw(out, bytes, n);
}

void sb_put_out(sb_out *out, const sb_out *from) {
    if (sb_out_ok(from))
        sb_put(out, from->data, from->size);
    else
        out->failed = true;
}

void sb_put_in_one_line(sb_out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) sb_putc(out, text[i] == '\n' ? ' ' : text[i]);
}

void sb_put_uint(sb_out *out, uint64_t value) {
    if (value < 10) {
        sb_putc(out, (char)('0' + value));
        return;
    }
    char digits[40]; /* twice what is needed: gcc assumes copies of more than 32 bytes and warns of them */
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    put_raw(out, digits + at, sizeof digits - at);
}

void sb_put_json_uint(sb_out *out, uint64_t value) {
    const char *quote = value < UINT64_C(1) << DBL_MANT_DIG ? "" : "\"";
    sb_puts(out, quote);
    sb_put_uint(out, value);
    sb_puts(out, quote);
}

void sb_put_int(sb_out *out, int64_t value) {
    if (value < 0) sb_putc(out, '-');
    sb_put_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* A decimal number: 0.d1d2d3... * 10^point. */
typedef struct decimal {
    char digits[20]; /* no trailing zeros, but at least one digit */
    int point;
} decimal;

enum { MOST_DIGITS = 17, SAFE_DIGITS = 15 /* so many digits survive the conversion to a double and back */ };

/* Rounds the value to n digits; true if the result reads back to the same value. Uses only digits and exponent of the
 * text, so the program's locale does not matter. */
static bool round_to(double value, int n, decimal *d) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", n - 1, value);
    d->digits[0] = text[0];
    memcpy(d->digits + 1, text + (n > 1 ? 2 : 1), (size_t)n - 1);
    d->digits[n] = '\0';
    d->point = atoi(strchr(text, 'e') + 1) + 1;
    return strtod(text, NULL) == value;
}

static bool reads_back(const decimal *d, double value) {
    char text[40];
    snprintf(text, sizeof text, "%se%d", d->digits, d->point - (int)strlen(d->digits));
    return strtod(text, NULL) == value;
}

/* Tries the next larger decimal: at a power of two, the nearest decimal may lie just outside the interval that reads
 * back to the double. */
static bool step_up(double value, int n, decimal *d) {
    if (d->digits[n - 1] == '9') return false;
    d->digits[n - 1]++;
    return reads_back(d, value);
}

/* Handles decimals with few places, like most rewards. Division rounds correctly, so a decimal whose quotient is the
 * value reads back to it, and no shorter decimal does. */
static bool has_few_decimals(double value, decimal *d) {
    static const double scales[] = {10, 100, 1000, 10000};
    for (int places = 1; places <= 4 && value < 1e6; places++) {
        const int64_t units = (int64_t)(value * scales[places - 1] + 0.5);
        if (units == 0 || (double)units / scales[places - 1] != value) continue;
        int n = 0;
        for (int64_t rest = units; rest; rest /= 10) n++;
        d->point = n - places, d->digits[n] = '\0';
        for (int64_t rest = units; rest; rest /= 10) d->digits[--n] = (char)('0' + rest % 10);
        return true;
    }
    return false;
}

/* Finds the fewest digits that read back to the same positive value. */
static decimal shortest(double value) {
    decimal d;
    if (has_few_decimals(value, &d)) return d;
    int n = value < DBL_MIN ? 1 : SAFE_DIGITS;
    while (n < MOST_DIGITS && !round_to(value, n, &d) && !step_up(value, n, &d)) n++;
    if (n == MOST_DIGITS) round_to(value, n, &d);
    for (size_t last = strlen(d.digits) - 1; last > 0 && d.digits[last] == '0'; last--) d.digits[last] = '\0';
    return d;
}

static void put_zeros(sb_out *out, int n) {
    while (n-- > 0) sb_put(out, "0", 1);
}

/* Writes plain digits from 0.0001 to below 10^16, else an exponent: Python's rule. */
static void put_decimal(sb_out *out, const decimal *d) {
    const int n = (int)strlen(d->digits), before = d->point < n ? d->point : n;
    if (d->point > 16 || d->point < -3) {
        sb_put(out, d->digits, 1);
        if (n > 1) sb_put(out, ".", 1), sb_put(out, d->digits + 1, (size_t)n - 1);
        sb_putf(out, "e%c%02d", d->point > 0 ? '+' : '-', abs(d->point - 1));
    } else if (d->point <= 0) {
        sb_put(out, "0.", 2);
        put_zeros(out, -d->point);
        sb_put(out, d->digits, (size_t)n);
    } else {
        sb_put(out, d->digits, (size_t)before);
        put_zeros(out, d->point - n);
        sb_put(out, ".", 1);
        if (before < n)
            sb_put(out, d->digits + before, (size_t)(n - before));
        else
            sb_put(out, "0", 1);
    }
}

void sb_put_double(sb_out *out, double value) {
    if (value > -1e9 && value < 1e9 && value == (int32_t)value && !(value == 0 && signbit(value))) {
        sb_put_int(out, (int32_t)value);
        sb_put(out, ".0", 2);
        return;
    }
    if (!isfinite(value)) { /* spelled as Python's json does */
        sb_puts(out, isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
        return;
    }
    if (signbit(value)) sb_put(out, "-", 1);
    if (value == 0) {
        sb_put(out, "0.0", 3);
        return;
    }
    const decimal d = shortest(fabs(value));
    put_decimal(out, &d);
}

/* Rounds value * scale to the nearest whole number, a tie to the even one. The product may be rounded itself, but fma
 * tells exactly on which side of a half it is. */
static uint32_t rounded(double value, uint32_t scale) {
    const uint32_t below = (uint32_t)(value * scale);
    const double above_half = fma(value, scale, -(below + 0.5));
    return below + (above_half > 0 || (above_half == 0 && below % 2));
}

void sb_put_fixed(sb_out *out, double value, int decimals) {
    const uint32_t scale = decimals == 1 ? 10 : decimals == 2 ? 100 : 1000, units = rounded(value, scale);
    sb_put_uint(out, units / scale);
    sb_putc(out, '.');
    for (uint32_t place = scale / 10; place > 0; place /= 10) sb_putc(out, (char)('0' + units / place % 10));
}

void sb_put_base64(sb_out *out, const char *bytes, size_t n) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *b = (const uint8_t *)bytes;
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t bits = (uint32_t)b[i] << 16 | (i + 1 < n ? (uint32_t)b[i + 1] << 8 : 0) |
                              (i + 2 < n ? b[i + 2] : 0);
        for (int k = 0; k < 4; k++) sb_putc(out, i + (size_t)k > n ? '=' : letters[bits >> (18 - 6 * k) & 63]);
    }
}

void sb_putf(sb_out *out, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int n = sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < (int)sizeof text) {
        sb_put(out, text, (size_t)n);
        return;
    }
    char *longer = malloc((size_t)n + 1);
    if (!longer) {
        out->failed = true;
        return;
    }
    va_start(arguments, format);
    sb_format(longer, (size_t)n + 1, format, arguments);
    va_end(arguments);
    sb_put(out, longer, (size_t)n);
    free(longer);
}

/* Puts a text that is escaped twice: a string within a string. */
static void put_twice_escaped(sb_out *out, const char *text, size_t n) {
    char once[ESCAPE_MAX];
    for (size_t i = 0; i < n; i++) put_escaped(out, once, (size_t)(escape_each(once, text + i, 1) - once));
}

void sb_put_json_bytes(sb_out *out, const char *text, size_t n) {
    const bool inside = out->json;
    sb_put(out, "\"", 1);
    if (inside)
        put_twice_escaped(out, text, n);
    else
        put_escaped(out, text, n);
    sb_put(out, "\"", 1);
}

void sb_put_shell(sb_out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) text[i] == '\'' ? sb_puts(out, "'\\''") : sb_putc(out, text[i]);
}

void sb_put_json_string(sb_out *out, const char *text) { sb_put_json_bytes(out, text, strlen(text)); }

void sb_put_comma(sb_out *out) {
    if (out->last != '{' && out->last != '[') sb_put(out, ", ", 2);
}

void sb_put_key(sb_out *out, const char *key) {
    sb_put_comma(out);
    sb_put_json_string(out, key);
    sb_put(out, ": ", 2);
}

void sb_member_text(sb_out *out, const char *key, const char *value) {
    sb_put_key(out, key);
    sb_put_json_string(out, value);
}

void sb_member_int(sb_out *out, const char *key, int64_t value) {
    sb_put_key(out, key);
    sb_put_int(out, value);
}

void sb_member_uint(sb_out *out, const char *key, uint64_t value) {
    sb_put_key(out, key);
    sb_put_json_uint(out, value);
}

void sb_member_double(sb_out *out, const char *key, double value) {
    sb_put_key(out, key);
    sb_put_double(out, value);
}

void sb_member_share(sb_out *out, const char *key, double part, uint64_t of) {
    sb_put_key(out, key);
    if (of)
        sb_put_double(out, part / (double)of);
    else
        sb_puts(out, "null");
}

void sb_member_bool(sb_out *out, const char *key, bool value) {
    sb_put_key(out, key);
    sb_puts(out, value ? "true" : "false");
}

void sb_member_texts(sb_out *out, const char *key, const char *const *values, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_put_json_string(out, values[i]);
    }
    sb_puts(out, "]");
}

size_t sb_out_finish(sb_out *out) {
    if (out->failed) out->size = 0;
    if (out->capacity) out->data[out->size < out->capacity ? out->size : out->capacity - 1] = '\0';
    return out->size;
}
