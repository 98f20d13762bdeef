/* The input as a JSON text: visiting it tells what cJSON reads, or both refuse it; and with less room for strings it
 * tells the same or says that there is too little. */
#include <stdlib.h>

#include "tests/json_follow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* cJSON leaves out a byte order mark, which is no JSON. */
static bool has_mark(const char *text, size_t n) { return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    sb_error error = {0};
    char *scratch = malloc(size + 1), few[4];
    if (!scratch) return 0;
    if (!has_mark(text, size) && !visiting_agrees(text, size, scratch)) abort();
    follower f = {.blind = true};
    const bool all = sb_json_visit(text, size, &following, &f, scratch, size, &error);
    const bool some = sb_json_visit(text, size, &following, &f, few, sizeof few, &error);
    if ((some && !all) || (!some && !error.text[0])) abort();
    free(scratch);
    return 0;
}
