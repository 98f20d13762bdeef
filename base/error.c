#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/numerals.h"
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
    sb_format(error->text, sizeof error->text, format, arguments);
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

bool(sb_fail_at)(sb_error *error, const char *format, ...) {
    sb_error inner = *error;
    va_list arguments;
    va_start(arguments, format);
    fill(error, (sb_code)inner.code, format, arguments);
    va_end(arguments);
    size_t length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length, ": %.*s", (int)sizeof inner.text, inner.text);
    error->number = inner.number;
    clean(error);
    return false;
}

const char *sb_path_end(const char *path) {
    const size_t length = strlen(path);
    if (length <= SB_PATH_END) return path;
    const char *end = path + length - SB_PATH_END, *slash = strchr(end, '/');
    return slash && slash[1] ? slash + 1 : end;
}
