/* Checks UTF-8. */
#ifndef SB_BASE_UTF8_H
#define SB_BASE_UTF8_H

#include <stddef.h>

/* Returns the length in bytes of the character that begins here (n > 0 bytes follow); 0 if it is not UTF-8. */
size_t sb_utf8_length(const char *text, size_t n);

static inline int sb_is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

#endif
