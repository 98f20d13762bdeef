/* Takes the input as a JSON text. Walking it part by part finds the same as parsing it, or both refuse it; and the text
 * of a member is where the walk says it is. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_values(const cJSON *value) {
    size_t n = 1;
    const cJSON *item;
    cJSON_ArrayForEach(item, value) n += count_values(item);
    return n;
}

static bool is_same_number(const cJSON *a, const cJSON *b) { /* also if both are infinite */
    const char *one = sb_json_digits(a), *other = sb_json_digits(b);
    return cJSON_IsNumber(b) && a->valuedouble == b->valuedouble && !one == !other && (!one || strcmp(one, other) == 0);
}

/* Walks along a parsed value; false if they differ. */
static bool is_same(const cJSON *value, const sb_json_part *part) {
    sb_error error;
    if (!cJSON_IsArray(value) && !cJSON_IsObject(value)) {
        cJSON *again = sb_json_part_parse(part, &error);
        const bool same = again &&
                          (cJSON_IsNumber(value) ? is_same_number(value, again) : cJSON_Compare(value, again, true));
        cJSON_Delete(again);
        return same;
    }
    sb_json_walk walk = sb_json_walk_of(part);
    const cJSON *item = value->child;
    for (; sb_json_walk_next(&walk, &error); item = item->next)
        if (!item || !is_same(item, &walk.value)) return false;
    return !item && error.code == SB_OK;
}

/* Returns whether the walk finds the whole text valid. */
static bool is_valid(const sb_json_part *part) {
    sb_error error;
    if (!sb_json_part_is_list(part) && !sb_json_part_is_object(part)) {
        cJSON *value = sb_json_part_parse(part, &error);
        cJSON_Delete(value);
        return value;
    }
    sb_json_walk walk = sb_json_walk_of(part);
    while (sb_json_walk_next(&walk, &error)) {
        cJSON *key = walk.key.n ? sb_json_part_parse(&walk.key, &error) : NULL;
        cJSON_Delete(key);
        if ((walk.key.n && !key) || !is_valid(&walk.value)) return false;
    }
    return error.code == SB_OK;
}

static void check_split(const char *text, size_t n, const cJSON *value) {
    static const char *const names[] = {"a", "lists", NULL};
    sb_json_part parts[2];
    sb_error error;
    cJSON *rest = sb_json_split(text, n, names, parts, &error);
    if (!rest || cJSON_GetArraySize(rest) != cJSON_GetArraySize(value)) abort();
    for (int i = 0; i < 2; i++) {
        const cJSON *left_out = cJSON_GetObjectItemCaseSensitive(value, names[i]);
        if (parts[i].n && cJSON_IsObject(value) && (cJSON_IsArray(left_out) || cJSON_IsObject(left_out)) &&
            !is_same(left_out, &parts[i]))
            abort();
    }
    cJSON_Delete(rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const sb_json_part whole = sb_json_whole(text, size);
    sb_error error = {0};
    cJSON *value = sb_json_parse(text, size, &error);
    if (!value && (error.code == SB_OK || !error.text[0])) abort();
    if (sb_json_check(text, size, &error) && !value != !is_valid(&whole)) abort();
    if (value) {
        if (!is_same(value, &whole) || sb_json_part_values(&whole) != count_values(value)) abort();
        check_split(text, size, value);
        sb_json_key_at(text, size, size / 2);
    }
    cJSON_Delete(value);
    return 0;
}
