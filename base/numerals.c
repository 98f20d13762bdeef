#include "base/numerals.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __EMSCRIPTEN__ /* nobody sets another locale there */

int sb_format(char *text, size_t n, const char *format, va_list arguments) {
    return vsnprintf(text, n, format, arguments);
}

double sb_read_double(const char *text, char **behind) { return strtod(text, behind); }

#else

#include <langinfo.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* The calling thread's locale while another is in its place. */
typedef struct host_locale {
    locale_t plain, host; /* plain: 0: the host's has a point, or there is no memory for another */
} host_locale;

static host_locale begin(void) {
    host_locale l = {0};
    const char *point = nl_langinfo(RADIXCHAR);
    if (*point == '.' && !point[1]) return l;
    if ((l.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0))) l.host = uselocale(l.plain);
    return l;
}

static void end(host_locale l) {
    if (l.plain) uselocale(l.host), freelocale(l.plain);
}

int sb_format(char *text, size_t n, const char *format, va_list arguments) {
    const host_locale l = begin();
    const int length = vsnprintf(text, n, format, arguments);
    end(l);
    return length;
}

double sb_read_double(const char *text, char **behind) {
    const host_locale l = begin();
    const double value = strtod(text, behind);
    end(l);
    return value;
}

#endif
