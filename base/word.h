/* Words that people type. Only ASCII letters have cases, so that the locale does not matter. */
#ifndef SB_BASE_WORD_H
#define SB_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Counts the bytes that two words begin with alike, in any case of letters, as in the next function. */
size_t sb_common_prefix(const char *a, const char *b);
bool sb_same_word(const char *a, const char *b);
/* Whether a text ends with `ending`, such as `.gz`, in the same case of letters. */
bool sb_ends_with(const char *text, const char *ending);
/* Finds the last slash among n bytes; NULL: there is none. */
const char *sb_last_slash(const char *text, size_t n);

#endif
