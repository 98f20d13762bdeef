/* Checks UTF-8. */
#ifndef SB_BASE_UTF8_H
#define SB_BASE_UTF8_H

#include <stddef.h>

/* Returns the length in bytes of the character that begins here (n > 0 bytes follow); 0 if it is not UTF-8. */
size_t sb_utf8_length(const char *text, size_t n);

/* Whether a byte is not the first one of its character. */
static inline int sb_is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static inline int sb_is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

#endif
