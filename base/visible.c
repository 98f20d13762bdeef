#include "base/visible.h"

#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"

typedef struct range {
    uint32_t first, last;
} range;

/* Hidden characters besides C0 and DEL, in ascending order. Joiners are part of some scripts and of emoji, but here
 * they are more likely to make two names look the same. Variation selectors are allowed: they are part of emoji that
 * people type. */
static const range hidden[] = {
    {0x80, 0x9f},       /* C1 */
    {0xad, 0xad},       /* soft hyphen */
    {0x34f, 0x34f},     /* grapheme joiner */
    {0x61c, 0x61c},     /* Arabic letter mark */
    {0x115f, 0x1160},   /* fillers for Hangul */
    {0x17b4, 0x17b5},   /* inherent vowels of Khmer */
    {0x180b, 0x180f},   /* selectors and separator of Mongolian */
    {0x200b, 0x200f},   /* zero width, and marks of direction */
    {0x2028, 0x202e},   /* line and paragraph separators, embeddings and overrides of direction */
    {0x2060, 0x206f},   /* word joiner, isolates of direction */
    {0x3164, 0x3164},   /* filler for Hangul */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xffa0, 0xffa0},   /* filler for Hangul */
    {0xfff9, 0xfffb},   /* annotations */
    {0xfffe, 0xffff},   /* not characters */
    {0x13430, 0x1343f}, /* arrangement of hieroglyphs */
    {0x1bca0, 0x1bca3}, /* arrangement of shorthand */
    {0x1d173, 0x1d17a}, /* arrangement of music */
    {0xe0000, 0xe0fff}, /* tags */
};

static bool is_hidden(uint32_t character) {
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && hidden[i].first <= character; i++)
        if (character <= hidden[i].last) return true;
    return false;
}

/* Decodes valid UTF-8. */
static uint32_t decode(const char *text, size_t length) {
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t character = (unsigned char)text[0] & masks[length];
    for (size_t i = 1; i < length; i++) character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

enum { ESCAPE_MAX = 12 };

/* Takes the first character and decides how it is shown: as itself, which leaves `escape` empty, or by an escape.
 * Returns how many of the n > 0 bytes it takes. */
static size_t take(const char *text, size_t n, bool is_line, char escape[ESCAPE_MAX]) {
    const unsigned char byte = (unsigned char)text[0];
    const size_t length = sb_utf8_length(text, n);
    escape[0] = '\0';
    if (length == 0) {
        snprintf(escape, ESCAPE_MAX, "\\x%02x", byte);
        return 1;
    }
    if (length == 1 && !sb_is_control(*text)) return 1;
    if (byte == '\n' || byte == '\t') {
        if (is_line) snprintf(escape, ESCAPE_MAX, "\\%c", byte == '\n' ? 'n' : 't');
    } else if (length == 1) {
        snprintf(escape, ESCAPE_MAX, "\\x%02x", byte);
    } else if (is_hidden(decode(text, length))) {
        const unsigned long character = decode(text, length);
        snprintf(escape, ESCAPE_MAX, character > 0xffff ? "\\U%08lx" : "\\u%04lx", character);
    }
    return length;
}

static void put(sb_out *out, const char *text, size_t n, bool is_line) {
    char escape[ESCAPE_MAX];
    size_t same = 0; /* bytes before `at` that are copied unchanged, in one piece */
    for (size_t at = 0, length; at < n; at += length) {
        length = take(text + at, n - at, is_line, escape);
        same += *escape ? 0 : length;
        if (!*escape && at + length < n) continue;
        sb_put(out, text + at + (*escape ? 0 : length) - same, same);
        sb_puts(out, escape);
        same = 0;
    }
}

void sb_put_visible(sb_out *out, const char *text) { put(out, text, strlen(text), true); }

void sb_put_visible_bytes(sb_out *out, const char *text, size_t n) { put(out, text, n, true); }

void sb_put_visible_lines(sb_out *out, const char *text, size_t n) { put(out, text, n, false); }

char *sb_copy_plain(char *to, size_t capacity, const char *text) {
    char escape[ESCAPE_MAX];
    size_t used = 0;
    for (size_t n = strlen(text), length; n; text += length, n -= length) {
        length = take(text, n, true, escape);
        const size_t bytes = *escape ? strlen(escape) : length;
        if (used + bytes >= capacity) break;
        memcpy(to + used, *escape ? escape : text, bytes);
        used += bytes;
    }
    to[used] = '\0';
    return to;
}
