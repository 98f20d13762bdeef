#include "evaluation/models/imagine.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "evaluation/models/measures.h"

static bool put_value(sb_out *out, const cJSON *item);

/* Whole numbers that doubles hold exactly are written without a point; -0 is 0. */
static void put_number(sb_out *out, const cJSON *item) {
    const char *digits = sb_json_digits(item);
    const double value = item->valuedouble;
    if (digits)
        sb_puts(out, digits);
    else if (value == floor(value) && fabs(value) < 0x1p53)
        sb_put_int(out, (int64_t)value);
    else
        sb_put_double(out, value);
}

static bool put_list(sb_out *out, const cJSON *list) {
    const cJSON *item;
    bool ok = true;
    sb_putc(out, '[');
    cJSON_ArrayForEach(item, list) {
        if (item != list->child) sb_putc(out, ',');
        ok = ok && put_value(out, item);
    }
    sb_putc(out, ']');
    return ok;
}

static bool put_object(sb_out *out, const cJSON *object) {
    size_t n;
    sb_member *members = sb_sorted_members(object, &n);
    if (!members) return false;
    bool ok = true;
    sb_putc(out, '{');
    for (size_t k = 0; ok && k < n; k++) {
        if (k) sb_putc(out, ',');
        sb_put_json_string(out, members[k].item->string);
        sb_putc(out, ':');
        ok = put_value(out, members[k].item);
    }
    sb_putc(out, '}');
    free(members);
    return ok;
}

/* Documents are nested at most SB_JSON_NESTING deep, so recursion ends. */
static bool put_value(sb_out *out, const cJSON *item) {
    if (cJSON_IsObject(item)) return put_object(out, item);
    if (cJSON_IsArray(item)) return put_list(out, item);
    if (sb_json_digits(item) || cJSON_IsNumber(item))
        put_number(out, item);
    else if (cJSON_IsString(item))
        sb_put_json_string(out, item->valuestring);
    else
        sb_puts(out, cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null");
    return true;
}

bool sb_put_canonical(sb_out *out, const char *text, size_t n, sb_error *error) {
    if (n == 0) return sb_puts(out, "null"), true;
    cJSON *value = sb_json_parse(text, n, error);
    if (!value) return false;
    const bool ok = put_value(out, value) && sb_out_ok(out);
    cJSON_Delete(value);
    return ok || sb_fail(error, SB_MEMORY, "out of memory for a value of a model");
}
