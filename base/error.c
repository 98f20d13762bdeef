#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* An error is one line of text, whatever it quotes: a file's name, a cut character, an escape sequence. */
static void clean(char *text) {
    for (size_t length, n = strlen(text); n; text += length, n -= length) {
        length = sb_utf8_length(text, n);
        if (length == 0 || sb_is_control(*text)) *text = '?', length = 1;
    }
}

static bool fill(sb_error *error, sb_code code, const char *format, va_list arguments) {
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    clean(error->text);
    return false;
}

bool(sb_fail)(sb_error *error, sb_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, format, arguments);
    va_end(arguments);
    return false;
}

bool(sb_fail_errno)(sb_error *error, const char *format, ...) {
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    fill(error, number == ENOMEM ? SB_MEMORY : SB_IO, format, arguments);
    va_end(arguments);
    size_t length = strlen(error->text);
    char reason[96];
    const char *said = strerror_r(number, reason, sizeof reason) == 0 ? reason : "unknown reason";
    snprintf(error->text + length, sizeof error->text - length, ": %s", said);
    return false;
}

bool(sb_fail_at)(sb_error *error, const char *format, ...) {
    sb_error inner = *error;
    va_list arguments;
    va_start(arguments, format);
    fill(error, (sb_code)inner.code, format, arguments);
    va_end(arguments);
    size_t length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length, ": %.*s", (int)sizeof inner.text, inner.text);
    clean(error->text);
    return false;
}
