#include "evaluation/atlas/spread.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numerals.h"

/* Reads a number, which takes the whole text from `at` to `end`; false if it is none. */
static bool read_number(const char *at, const char *end, double *number) {
    char text[SB_SPREAD_BYTES + 1], *behind;
    const size_t n = (size_t)(end - at);
    memcpy(text, at, n);
    text[n] = '\0';
    *number = sb_read_double(text, &behind);
    while (isspace((unsigned char)*behind)) behind++;
    return behind > text && !*behind && isfinite(*number);
}

static bool refuse(const char *text, const char *what, sb_error *error) {
    return sb_fail(error, SB_INVALID, "the spread `%.60s`: %s; as in `steps=10..60 in 5`", text, what);
}

static bool read_measure(const char *text, const char *sign, sb_spread *spread, sb_error *error) {
    const char *end = sign;
    while (isspace((unsigned char)*text)) text++;
    while (end > text && isspace((unsigned char)end[-1])) end--;
    const int measure = sb_atlas_measure_find(text, (size_t)(end - text));
    if (measure < 0) return refuse(text, "what stands before `=` is no measure (seedbed atlas --measures)", error);
    spread->measure = (sb_measure)measure;
    return true;
}

bool sb_spread_read(const char *text, sb_spread *spread, sb_error *error) {
    double n;
    *spread = (sb_spread){0};
    if (strlen(text) > SB_SPREAD_BYTES) return refuse(text, "it is too long", error);
    const char *sign = strchr(text, '='), *dots = sign ? strstr(sign, "..") : NULL;
    const char *in = dots ? strstr(dots, " in ") : NULL;
    if (!in) return refuse(text, "a measure, a range and a number of parts are wanted", error);
    if (!read_measure(text, sign, spread, error)) return false;
    if (!read_number(sign + 1, dots, &spread->low) || !read_number(dots + 2, in, &spread->high) ||
        !(spread->low < spread->high))
        return refuse(text, "the range goes from a number to a larger one", error);
    if (!read_number(in + 4, text + strlen(text), &n) || n != floor(n) || n < 1 || n > SB_SPREAD_RANGES)
        return refuse(text, "the number of parts is a whole one from 1 to 100", error);
    spread->n = (int)n;
    return true;
}

double sb_spread_edge(const sb_spread *s, int range) {
    return range == s->n ? s->high : s->low + range * ((s->high - s->low) / s->n);
}

int sb_spread_range(const sb_spread *s, double value) {
    if (!(value >= s->low && value <= s->high)) return -1;
    for (int range = 1; range < s->n; range++)
        if (value < sb_spread_edge(s, range)) return range - 1;
    return s->n - 1;
}
