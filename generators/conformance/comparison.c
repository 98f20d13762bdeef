#include "generators/conformance/comparison.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/numerals.h"
#include "base/visible.h"

bool sb_differ(sb_comparison *c, const char *format, ...) {
    sb_conformity *found = c->found;
    found->differs = true;
    const size_t n = strlen(sb_copy_plain(found->difference, 2 * sizeof c->place, c->place));
    const size_t m = n + (size_t)snprintf(found->difference + n, sizeof found->difference - n, ": ");
    va_list arguments;
    va_start(arguments, format);
    sb_format(found->difference + m, sizeof found->difference - m, format, arguments);
    va_end(arguments);
    return false;
}

static void count(sb_comparison *c, sb_aspect aspect) { c->found->compared[aspect]++; }

enum { EXCERPT = 161 };

bool sb_equal_text(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, const char *ours) {
    count(c, aspect);
    if (strcmp(recorded, ours) == 0) return true;
    size_t at = 0;
    while (recorded[at] && recorded[at] == ours[at]) at++;
    char theirs[EXCERPT], mine[EXCERPT];
    const size_t from = at > 40 ? at - 40 : 0;
    return sb_differ(c, "%s, first difference at character %zu\n  recorded ...%s\n  ours     ...%s", what, at,
                     sb_copy_plain(theirs, EXCERPT, recorded + from), sb_copy_plain(mine, EXCERPT, ours + from));
}

bool sb_equal_hash(sb_comparison *c, sb_aspect aspect, const char *what, const char *recorded, size_t n,
                   const char *ours) {
    count(c, aspect);
    if (strncmp(recorded, ours, n) == 0) return true;
    return sb_differ(c, "%s\n  recorded %.*s\n  ours     %.*s", what, (int)n, recorded, (int)n, ours);
}

bool sb_equal_int(sb_comparison *c, sb_aspect aspect, const char *what, double recorded, int ours) {
    count(c, aspect);
    return recorded == ours || sb_differ(c, "%s\n  recorded %g\n  ours     %d", what, recorded, ours);
}

bool sb_equal_bool(sb_comparison *c, sb_aspect aspect, const char *what, bool recorded, bool ours) {
    count(c, aspect);
    return recorded == ours ||
           sb_differ(c, "%s\n  recorded %s\n  ours     %s", what, recorded ? "true" : "false", ours ? "true" : "false");
}

bool sb_equal_reward(sb_comparison *c, const char *which, double recorded, double ours) {
    count(c, SB_ASPECT_REWARDS);
    return recorded == ours || sb_differ(c, "%s reward\n  recorded %.17g\n  ours     %.17g", which, recorded, ours);
}

static void put_members(sb_out *out, const cJSON *item) {
    const cJSON *inner;
    sb_puts(out, cJSON_IsArray(item) ? "[" : "{");
    cJSON_ArrayForEach(inner, item) {
        if (inner != item->child) sb_puts(out, ",");
        if (inner->string) sb_put_json_string(out, inner->string), sb_puts(out, ":");
        sb_put_recorded(out, inner);
    }
    sb_puts(out, cJSON_IsArray(item) ? "]" : "}");
}

static void put_number(sb_out *out, const cJSON *item) {
    const char *digits = sb_json_digits(item);
    if (digits)
        sb_puts(out, digits);
    else if (fabs(item->valuedouble) < 1e15 && item->valuedouble == floor(item->valuedouble))
        sb_put_int(out, (int64_t)item->valuedouble);
    else
        sb_put_double(out, item->valuedouble);
}

void sb_put_recorded(sb_out *out, const cJSON *item) {
    if (cJSON_IsString(item))
        sb_put_json_string(out, item->valuestring);
    else if (cJSON_IsNumber(item))
        put_number(out, item);
    else if (cJSON_IsBool(item))
        sb_puts(out, cJSON_IsTrue(item) ? "true" : "false");
    else if (cJSON_IsArray(item) || cJSON_IsObject(item))
        put_members(out, item);
    else
        sb_puts(out, "null");
}

const cJSON *sb_recorded_list(const cJSON *object, const char *key, int length, sb_error *error) {
    const cJSON *list;
    if (!sb_json_array(object, key, &list, error)) return NULL;
    const int n = cJSON_GetArraySize(list);
    if (length < 0 || n == length) return list;
    sb_fail(error, SB_INVALID, "key `%s` should have %d items, not %d", key, length, n);
    return NULL;
}

bool sb_recorded_hex(const cJSON *object, const char *key, size_t digits, const char **hex, sb_error *error) {
    if (!sb_json_string(object, key, hex, error)) return false;
    if (strlen(*hex) == digits && strspn(*hex, "0123456789abcdef") == digits) return true;
    return sb_fail(error, SB_INVALID, "key `%s` should be %zu hex digits", key, digits);
}

double sb_recorded_number(const cJSON *list, int index) {
    const cJSON *item = cJSON_GetArrayItem(list, index);
    return cJSON_IsNumber(item) ? item->valuedouble : -1e9;
}
