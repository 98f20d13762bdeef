#include "base/utf8.h"

#include <stdbool.h>

size_t sb_utf8_length(const char *text, size_t n) {
    const unsigned char *b = (const unsigned char *)text;
    const size_t length = b[0] < 0x80 ? 1 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    if ((b[0] >= 0x80 && b[0] < 0xc2) || b[0] > 0xf4 || n < length) return 0;
    for (size_t i = 1; i < length; i++)
        if (!sb_is_continuation(text[i])) return 0;
    const bool overlong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xf0 && b[1] < 0x90);
    const bool surrogate = b[0] == 0xed && b[1] >= 0xa0, beyond = b[0] == 0xf4 && b[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}
