#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

/* Makes the error one line of visible text, whatever it quotes: a file's name, a cut character, an escape sequence. So
 * code that prints errors need not do it. */
static void clean(sb_error *error) {
    char raw[sizeof error->text];
    memcpy(raw, error->text, sizeof raw);
    sb_copy_plain(error->text, sizeof error->text, raw);
}

static bool fill(sb_error *error, sb_code code, const char *format, va_list arguments) {
    error->code = code, error->number = 0;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    clean(error);
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
    error->number = number;
    return false;
}

static void append(sb_error *error, const char *text) {
    const size_t length = strlen(error->text), left = sizeof error->text - 1 - length, n = strlen(text);
    memcpy(error->text + length, text, n < left ? n : left);
    error->text[length + (n < left ? n : left)] = '\0';
}

bool(sb_fail_at)(sb_error *error, const char *format, ...) {
    enum { PLACE = 1200 /* a path, and where in that file */, LEAST = 64 /* that is kept of it */ };
    const sb_error inner = *error;
    char place[PLACE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place, sizeof place, format, arguments);
    va_end(arguments);
    /* A long place is cut at its beginning, or what is wrong there, and what to do, would be cut. */
    const size_t n = strlen(place), rest = strlen(inner.text) + strlen(": ");
    const size_t room = rest + LEAST < sizeof error->text - 1 ? sizeof error->text - 1 - rest : LEAST;
    error->text[0] = '\0';
    if (n > room) append(error, "...");
    append(error, n > room ? place + n - (room - strlen("...")) : place);
    append(error, ": "), append(error, inner.text);
    clean(error);
    return false;
}
