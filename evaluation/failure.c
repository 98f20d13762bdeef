#include "evaluation/failure.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

const char *const sb_failure_names[SB_N_FAILURES] = {
    [SB_NO_FAILURE] = "none",          [SB_FAILED_START] = "start",     [SB_FAILED_CRASH] = "crash",
    [SB_FAILED_CLOSED] = "closed",     [SB_FAILED_TIMEOUT] = "timeout", [SB_FAILED_NONSENSE] = "nonsense",
    [SB_FAILED_OVERLONG] = "overlong", [SB_FAILED_STEPS] = "steps",     [SB_FAILED_TAPE] = "tape"};

/* Control characters are one byte, or C2 and a byte from 80 to 9F. */
static bool is_plain(const char *at, size_t length) {
    return length && !sb_is_control(*at) &&
           !(length == 2 && (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] < 0xa0);
}

void sb_copy_plain(char *to, size_t capacity, const char *text) {
    size_t n = 0, length;
    for (const char *at = text; *at; at += length) {
        length = sb_utf8_length(at, strlen(at));
        const bool plain = is_plain(at, length);
        const size_t bytes = plain ? length : 1;
        if (length == 0) length = 1;
        if (n + bytes >= capacity) break;
        memcpy(to + n, plain ? at : "?", bytes);
        n += bytes;
    }
    to[n] = '\0';
}
