#include "rollout/part.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"

bool sb_part_parse(const char *text, sb_part *part, sb_error *error) {
    char number[24];
    uint64_t i, n;
    const char *slash = strchr(text, '/');
    if (slash && slash - text < 20) {
        memcpy(number, text, (size_t)(slash - text));
        number[slash - text] = '\0';
        if (sb_parse_uint(number, &i) && sb_parse_uint(slash + 1, &n) && i >= 1 && i <= n && n <= SB_PARTS_MAX)
            return *part = (sb_part){(size_t)i, (size_t)n}, true;
    }
    return sb_fail(error, SB_INVALID, "--shard wants a part and the number of parts, as in 1/8, not `%.40s`", text);
}
