/* What families share when they compare recordings with their engines. "Equal" functions count the comparison, return
 * whether things were equal, and if not have noted the difference: comparing stops at the first one. */
#ifndef SB_CONFORMANCE_COMPARISON_H
#define SB_CONFORMANCE_COMPARISON_H

#include "base/json.h"
#include "base/out.h"
#include "conformance/conformance.h"

typedef struct sb_comparison {
    sb_conformity *found;
    char place[200]; /* where we are, for the difference */
} sb_comparison;

/* Notes a difference and returns false. */
__attribute__((format(printf, 2, 3))) bool sb_differ(sb_comparison *c, const char *format, ...);

bool sb_equal_text(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, const char *ours);
/* A recording holds the beginning of a hash in hex: `n` digits of it. */
bool sb_equal_hash(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, size_t n,
                   const char *ours);
bool sb_equal_int(sb_comparison *c, sb_aspect aspect, const char *what, double recorded, int ours);
bool sb_equal_bool(sb_comparison *c, sb_aspect aspect, const char *what, bool recorded, bool ours);
/* To the last bit. */
bool sb_equal_reward(sb_comparison *c, const char *which, double recorded, double ours);

/* A recorded value as text: compact, whole numbers as they were written, other numbers as shortly as they read back. */
void sb_put_recorded(sb_out *out, const cJSON *item);

/* Parts of a recording; false or NULL, and an error that names the key, if it is malformed. */

/* A list of so many items; of any number if `length` is negative. */
const cJSON *sb_recorded_list(const cJSON *object, const char *key, int length, sb_error *error);
bool sb_recorded_hex(const cJSON *object, const char *key, size_t digits, const char **hex, sb_error *error);
/* The number there; if there is none, one that was never recorded: it will differ, and be shown. */
double sb_recorded_number(const cJSON *list, int index);

#endif
