#include "base/word.h"

#include <string.h>

static char lower(char letter) { return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter); }

size_t sb_common_prefix(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && lower(a[n]) == lower(b[n])) n++;
    return n;
}

bool sb_same_word(const char *a, const char *b) {
    const size_t n = sb_common_prefix(a, b);
    return !a[n] && !b[n];
}

bool sb_ends_with(const char *text, const char *ending) {
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && memcmp(text + n - m, ending, m) == 0;
}

const char *sb_last_slash(const char *text, size_t n) {
    while (n > 0 && text[n - 1] != '/') n--;
    return n ? text + n - 1 : NULL;
}
