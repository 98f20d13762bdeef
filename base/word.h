/* Words that people type, in any case of letters. Only ASCII letters have cases, so that the locale does not matter. */
#ifndef SB_BASE_WORD_H
#define SB_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Counts the bytes that two words begin with alike. */
size_t sb_common_prefix(const char *a, const char *b);
bool sb_same_word(const char *a, const char *b);
/* Finds the last slash among n bytes; NULL: there is none. */
const char *sb_last_slash(const char *text, size_t n);

#endif
