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

void sb_part_print(sb_part part, sb_out *out) {
    if (!part.of) return;
    sb_put_key(out, "part");
    sb_puts(out, "{");
    sb_member_uint(out, "number", part.number);
    sb_member_uint(out, "of", part.of);
    sb_puts(out, "}");
}

bool sb_part_read(const cJSON *object, sb_part *part, sb_error *error) {
    static const char *const keys[] = {"number", "of", NULL};
    const cJSON *told;
    uint64_t number, of;
    *part = (sb_part){0};
    if (!cJSON_GetObjectItemCaseSensitive(object, "part")) return true;
    if (!sb_json_object(object, "part", &told, error) || !sb_json_known_keys(told, keys, error) ||
        !sb_json_uint(told, "number", &number, error) || !sb_json_uint(told, "of", &of, error))
        return sb_fail_at(error, "part");
    *part = (sb_part){(size_t)number, (size_t)of};
    return (number >= 1 && number <= of && of <= SB_PARTS_MAX) ||
           sb_fail(error, SB_INVALID, "key `part` should be a number of at least 1, and of how many");
}
