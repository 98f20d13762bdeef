#include "agents/failure.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/numerals.h"

const char *const sb_failure_names[SB_N_FAILURES] = {
    [SB_NO_FAILURE] = "none",          [SB_FAILED_START] = "start",     [SB_FAILED_CRASH] = "crash",
    [SB_FAILED_CLOSED] = "closed",     [SB_FAILED_TIMEOUT] = "timeout", [SB_FAILED_NONSENSE] = "nonsense",
    [SB_FAILED_OVERLONG] = "overlong", [SB_FAILED_STEPS] = "steps",     [SB_FAILED_TAPE] = "tape",
    [SB_FAILED_ENDPOINT] = "endpoint", [SB_FAILED_CONTEXT] = "context", [SB_FAILED_QUOTA] = "quota",
    [SB_FAILED_REFUSED] = "refused"};

bool sb_failed(sb_failure *failure, sb_failure_kind kind, const char *format, ...) {
    char text[sizeof failure->text];
    va_list arguments;
    va_start(arguments, format);
    sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    failure->kind = kind;
    sb_copy_plain(failure->text, sizeof failure->text, text);
    return false;
}
