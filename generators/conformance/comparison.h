/* What families share when they compare recordings with their engines. An "equal" function counts the comparison and
 * returns whether the two are equal. If not, it has noted the difference; comparing stops at the first one. */
#ifndef SB_GENERATORS_CONFORMANCE_COMPARISON_H
#define SB_GENERATORS_CONFORMANCE_COMPARISON_H

#include "base/json.h"
#include "base/out.h"
#include "generators/conformance/conformance.h"

typedef struct sb_comparison {
    sb_conformity *found;
    char place[200]; /* what is compared now, for the message */
} sb_comparison;

/* Notes a difference and returns false. */
__attribute__((format(printf, 2, 3))) bool sb_differ(sb_comparison *c, const char *format, ...);

bool sb_equal_text(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, const char *ours);
/* `recorded` is the beginning of a hash in hex, `n` digits long. */
bool sb_equal_hash(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, size_t n,
                   const char *ours);
bool sb_equal_int(sb_comparison *c, sb_aspect aspect, const char *what, double recorded, int ours);
bool sb_equal_bool(sb_comparison *c, sb_aspect aspect, const char *what, bool recorded, bool ours);
/* Compares to the last bit. */
bool sb_equal_reward(sb_comparison *c, const char *which, double recorded, double ours);

/* Writes a recorded value as text: compact, whole numbers as they were written, other numbers in the shortest form that
 * reads back the same. */
void sb_put_recorded(sb_out *out, const cJSON *item);

/* The functions below read parts of a recording. If a part is malformed, they return false or NULL and an error that
 * names the key. */

/* Returns a list with `length` items, or any number of them if `length` is negative. */
const cJSON *sb_recorded_list(const cJSON *object, const char *key, int length, sb_error *error);
bool sb_recorded_hex(const cJSON *object, const char *key, size_t digits, const char **hex, sb_error *error);
/* Returns the number at an index. If there is none, returns a number that is never recorded, so that it differs and is
 * shown. */
double sb_recorded_number(const cJSON *list, int index);

#endif
