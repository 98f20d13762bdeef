/* Numbers in texts, with a point in any locale: a program that uses this library may have set one with a comma. */
#ifndef SB_BASE_NUMERALS_H
#define SB_BASE_NUMERALS_H

#include <stdarg.h>
#include <stddef.h>

/* As vsnprintf. */
int sb_format(char *text, size_t n, const char *format, va_list arguments);
/* As strtod. */
double sb_read_double(const char *text, char **behind);

#endif
