/* The one output buffer. It writes into the caller's memory (and counts on past its end, like snprintf) or into its own
 * memory, which grows. With `json` set, everything put is escaped as the inside of a JSON string, so an observation can
 * be written straight into a row. */
#ifndef SB_BASE_OUT_H
#define SB_BASE_OUT_H

#include <string.h>

#include "seedbed.h"

typedef struct sb_out {
    char *data;
    size_t size;     /* bytes put so far; if a fixed buffer is too small, this is more than `capacity` */
    size_t capacity; /* bytes that `data` holds */
    bool grows;      /* `data` is on the heap and belongs to this buffer */
    bool json;       /* escape while writing */
    bool failed;     /* out of memory: what was put since then is lost */
    char last;       /* the last byte put, kept for sb_put_comma even where it was cut off */
} sb_out;

static inline sb_out sb_out_fixed(char *data, size_t capacity) { return (sb_out){.data = data, .capacity = capacity}; }
static inline sb_out sb_out_growing(void) { return (sb_out){.grows = true}; }
void sb_out_free(sb_out *out);
static inline void sb_out_clear(sb_out *out) { out->size = 0, out->failed = false, out->last = 0; }
/* Tells whether everything that was put is in the buffer. */
static inline bool sb_out_ok(const sb_out *out) { return !out->failed && out->size <= out->capacity; }

/* Puts bytes, out of line: those that do not fit, that must be escaped, or whose number is not a constant. */
void sb_put_any(sb_out *out, const char *bytes, size_t n);
/* Puts bytes, best those of a literal: the compiler knows its length, so this becomes a store or two if there is
 * room. */
static inline void sb_put(sb_out *out, const char *bytes, size_t n) {
    if (!__builtin_constant_p(n) || n == 0 || out->json || out->size + n > out->capacity) {
        sb_put_any(out, bytes, n);
        return;
    }
    memcpy(out->data + out->size, bytes, n);
    out->size += n;
    out->last = bytes[n - 1];
}
/* Appends the contents of another buffer. If that one is cut short, this one fails too. */
void sb_put_out(sb_out *out, const sb_out *from);
/* Puts `n` bytes with spaces for newlines. A document of JSON says the same then, in one line. */
void sb_put_in_one_line(sb_out *out, const char *text, size_t n);
static inline void sb_puts(sb_out *out, const char *text) { sb_put(out, text, strlen(text)); }
static inline void sb_putc(sb_out *out, char c) { sb_put(out, &c, 1); }
void sb_put_int(sb_out *out, int64_t value);
void sb_put_uint(sb_out *out, uint64_t value);
/* Puts a number as a JSON value: from 2^53 on as a text, because readers with doubles would round it. */
void sb_put_json_uint(sb_out *out, uint64_t value);
/* Puts the shortest decimal text that reads back to the same double, spelled as Python and JSON do: 1.0, 0.05,
 * 1e-07. */
void sb_put_double(sb_out *out, double value);
/* Puts a number from 0 to 2^20 with so many decimals, 1 to 3, as printf's `%.Nf` does, but faster. */
void sb_put_fixed(sb_out *out, double value, int decimals);
__attribute__((format(printf, 2, 3))) void sb_putf(sb_out *out, const char *format, ...);

/* What the word for n things ends in, after a number: "" or "s". */
static inline const char *sb_plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* Puts bytes in base64, as data URLs and terminals want them. */
void sb_put_base64(sb_out *out, const char *bytes, size_t n);

/* Puts a text as it stands between the single quotes of a shell's command. */
void sb_put_shell(sb_out *out, const char *text, size_t n);

/* Returns room for n more bytes at the end, or NULL if a fixed buffer is too small or memory is out. Call
 * sb_out_advance afterwards; not allowed with `json` set. For writers that fill whole blocks. */
char *sb_out_reserve(sb_out *out, size_t n);
static inline void sb_out_advance(sb_out *out, size_t n) {
    out->size += n;
    if (n) out->last = out->data[out->size - 1];
}

/* Puts a text as a JSON string, with quotes and escapes. */
void sb_put_json_string(sb_out *out, const char *text);
void sb_put_json_bytes(sb_out *out, const char *text, size_t n);
/* Puts `"key": `, with `, ` before it unless it follows an opening brace or bracket. */
void sb_put_key(sb_out *out, const char *key);
/* Puts `, ` unless it follows an opening brace or bracket: between the items of a list. */
void sb_put_comma(sb_out *out);

/* Members of an object: the key and its value. */
void sb_member_text(sb_out *out, const char *key, const char *value);
void sb_member_int(sb_out *out, const char *key, int64_t value);
void sb_member_uint(sb_out *out, const char *key, uint64_t value); /* puts the value like sb_put_json_uint */
void sb_member_double(sb_out *out, const char *key, double value);
/* Puts a share, part / of, or null if `of` is 0. */
void sb_member_share(sb_out *out, const char *key, double part, uint64_t of);
void sb_member_bool(sb_out *out, const char *key, bool value);
/* Puts a key and a list of texts. */
void sb_member_texts(sb_out *out, const char *key, const char *const *values, size_t n);

/* Ends a fixed text with NUL as snprintf would and returns its full length. A text that failed becomes empty, so that
 * half of it is not taken for the whole. */
size_t sb_out_finish(sb_out *out);

#endif
