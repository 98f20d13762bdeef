/* Requests for episodes as they stand in JSON: in recipes, results and packs. */
#include <stdlib.h>

#include "base/error.h"
#include "rollout/selection.h"

bool sb_request_is_empty(const sb_request *r) {
    return !r->n_names && !r->family && !r->tasks && !r->category && !r->difficulty && !r->split && !r->seeds &&
           !r->count && !r->counts && !sb_request_demands(r);
}

static void print_text(sb_out *out, const char *key, const char *text) {
    if (text) sb_member_text(out, key, text);
}

static void print_counts(const cJSON *counts, sb_out *out) {
    const cJSON *item;
    uint64_t count;
    sb_put_key(out, "count");
    sb_puts(out, "{");
    cJSON_ArrayForEach(item, counts) if (sb_json_is_uint(item, &count)) sb_member_uint(out, item->string, count);
    sb_puts(out, "}");
}

void sb_request_print(const sb_request *request, sb_out *out) {
    print_text(out, "where", request->where);
    print_text(out, "spread", request->spread);
    if (request->n_names) {
        sb_member_texts(out, "names", request->names, request->n_names);
        return;
    }
    sb_error ignored; /* a request that selects nothing has no family to print */
    const sb_family *family = sb_request_family(request, &ignored);
    print_text(out, "family", family ? family->name : request->family);
    print_text(out, "tasks", request->tasks);
    print_text(out, "category", request->category);
    print_text(out, "difficulty", request->difficulty);
    print_text(out, "split", request->split || request->seeds ? request->split : "eval");
    print_text(out, "seeds", request->seeds);
    if (request->count) sb_member_uint(out, "count", request->count);
    if (request->counts) print_counts(request->counts, out);
}

static bool read_names(const cJSON *object, sb_request *request, sb_error *error) {
    const cJSON *list, *item;
    if (!cJSON_HasObjectItem(object, "names")) return true;
    if (!sb_json_array(object, "names", &list, error)) return false;
    const char **names = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *names);
    request->names = names;
    if (!names) return sb_fail(error, SB_MEMORY, "out of memory for names");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "key `names` should be a list of texts");
        names[request->n_names++] = item->valuestring;
    }
    return request->n_names || sb_fail(error, SB_INVALID, "key `names` is an empty list");
}

static bool read_counts(const cJSON *counts, sb_request *request, sb_error *error) {
    const cJSON *item;
    uint64_t count;
    cJSON_ArrayForEach(item, counts) if (!sb_json_is_uint(item, &count)) return sb_fail(
        error, SB_INVALID, "key `count`: `%.40s` should be a whole number, 0 or more", item->string);
    request->counts = counts;
    return counts->child || sb_fail(error, SB_INVALID, "key `count` is an empty object");
}

/* A count of 0 would mean the same as no count, so it is refused. */
static bool read_count(const cJSON *object, sb_request *request, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "count");
    if (!item) return true;
    if (cJSON_IsObject(item)) return read_counts(item, request, error);
    if (!sb_json_uint(object, "count", &request->count, error))
        return !cJSON_IsNumber(item) &&
               sb_fail(error, SB_INVALID,
                       "key `count` should be a whole number, or an object with one for each of some difficulties or "
                       "tasks");
    return request->count || sb_fail(error, SB_INVALID, "key `count` should be 1 or more; without it, all are taken");
}

const char *const sb_request_keys[] = {"family", "tasks", "category", "difficulty", "split", "seeds",
                                       "count",  "names", "where",    "spread",     NULL};

bool sb_request_read(const sb_catalogue *catalogue, const cJSON *object, sb_request *request, sb_error *error) {
    *request = (sb_request){.catalogue = catalogue};
    return sb_json_optional_string(object, "family", &request->family, error) &&
           sb_json_optional_string(object, "tasks", &request->tasks, error) &&
           sb_json_optional_string(object, "category", &request->category, error) &&
           sb_json_optional_string(object, "difficulty", &request->difficulty, error) &&
           sb_json_optional_string(object, "split", &request->split, error) &&
           sb_json_optional_string(object, "seeds", &request->seeds, error) &&
           sb_json_optional_string(object, "where", &request->where, error) &&
           sb_json_optional_string(object, "spread", &request->spread, error) && read_count(object, request, error) &&
           read_names(object, request, error);
}
