/* The one output buffer. It writes into memory that the caller gave (and counts on past its end, like snprintf) or into
 * memory of its own that grows. With `json` set, everything put is escaped as the inside of a JSON string, so that an
 * observation can be written straight into a row. */
#ifndef SB_BASE_OUT_H
#define SB_BASE_OUT_H

#include <string.h>

#include "seedbed.h"

typedef struct sb_out {
    char *data;
    size_t size;     /* bytes put so far; more than `capacity` in a fixed buffer means that it was too small */
    size_t capacity; /* bytes that `data` holds */
    bool grows;      /* data is on the heap and ours */
    bool json;       /* escape while writing */
    bool failed;     /* out of memory: what was put since is lost */
    char last;       /* the last byte put, kept for sb_put_comma even where it was cut off */
} sb_out;

static inline sb_out sb_out_fixed(char *data, size_t capacity) { return (sb_out){.data = data, .capacity = capacity}; }
static inline sb_out sb_out_growing(void) { return (sb_out){.grows = true}; }
void sb_out_free(sb_out *out);
static inline void sb_out_clear(sb_out *out) { out->size = 0, out->failed = false, out->last = 0; }
/* Whether everything that was put is there. */
static inline bool sb_out_ok(const sb_out *out) { return !out->failed && out->size <= out->capacity; }

/* Out of line: bytes that do not fit, have to be escaped, or whose number is known only when the program runs. */
void sb_put_any(sb_out *out, const char *bytes, size_t n);
/* Of a literal the compiler knows the length: where there is room it becomes a store or two. */
static inline void sb_put(sb_out *out, const char *bytes, size_t n) {
    if (!__builtin_constant_p(n) || n == 0 || out->json || out->size + n > out->capacity) {
        sb_put_any(out, bytes, n);
        return;
    }
    memcpy(out->data + out->size, bytes, n);
    out->size += n;
    out->last = bytes[n - 1];
}
/* Appends what another buffer holds. One that is cut short has counted bytes that it does not hold: then this one fails
 * too. */
void sb_put_out(sb_out *out, const sb_out *from);
static inline void sb_puts(sb_out *out, const char *text) { sb_put(out, text, strlen(text)); }
static inline void sb_putc(sb_out *out, char c) { sb_put(out, &c, 1); }
void sb_put_int(sb_out *out, int64_t value);
void sb_put_uint(sb_out *out, uint64_t value);
/* The same as a JSON value: as text from 2^53 on, where readers with doubles would take a neighbour. */
void sb_put_json_uint(sb_out *out, uint64_t value);
/* The shortest decimal text that reads back to the same double, spelled as Python and JSON do: 1.0, 0.05, 1e-07. */
void sb_put_double(sb_out *out, double value);
__attribute__((format(printf, 2, 3))) void sb_putf(sb_out *out, const char *format, ...);

/* Room for n more bytes at the end, or NULL if a fixed buffer lacks it or memory is out. Follow with sb_out_advance;
 * never with `json` set. For writers that fill whole blocks. */
char *sb_out_reserve(sb_out *out, size_t n);
static inline void sb_out_advance(sb_out *out, size_t n) {
    out->size += n;
    if (n) out->last = out->data[out->size - 1];
}

/* Text as a JSON string, quotes and escapes included. */
void sb_put_json_string(sb_out *out, const char *text);
void sb_put_json_bytes(sb_out *out, const char *text, size_t n);
/* `"key": `, with `, ` before it unless it follows an opening brace or bracket. */
void sb_put_key(sb_out *out, const char *key);
/* `, ` unless it follows an opening brace or bracket: between the items of a list. */
void sb_put_comma(sb_out *out);

/* Members of an object: the key and its value. */
void sb_member_text(sb_out *out, const char *key, const char *value);
void sb_member_int(sb_out *out, const char *key, int64_t value);
void sb_member_uint(sb_out *out, const char *key, uint64_t value); /* as sb_put_json_uint */
void sb_member_double(sb_out *out, const char *key, double value);
void sb_member_bool(sb_out *out, const char *key, bool value);
/* A list of texts. */
void sb_member_texts(sb_out *out, const char *key, const char *const *values, size_t n);

/* Ends a fixed text with NUL as snprintf would and returns its full length. */
size_t sb_out_finish(sb_out *out);

#endif
