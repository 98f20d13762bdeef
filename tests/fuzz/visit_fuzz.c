/* Takes the input as a JSON text. The tree built from visits equals the tree that cJSON builds, or both refuse the
 * text. With a smaller buffer for strings, visiting gives the same or says that the buffer is too small. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_visit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct builder {
    cJSON *root, *parents[SB_JSON_NESTING + 1];
    int depth;
    char *key; /* of the next value; NULL if it has none */
} builder;

static char *copy_of(const char *text, size_t n) {
    char *copy = malloc(n + 1);
    if (!copy) abort();
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

static bool add(builder *b, cJSON *value) {
    cJSON *parent = b->depth ? b->parents[b->depth] : NULL;
    if (!value || (bool)cJSON_IsObject(parent) != (b->key != NULL) || (!parent && b->root)) abort();
    if (!parent)
        b->root = value;
    else if (b->key)
        cJSON_AddItemToObject(parent, b->key, value);
    else
        cJSON_AddItemToArray(parent, value);
    free(b->key), b->key = NULL;
    return true;
}

static bool begin(void *context, bool is_object, sb_error *error) {
    (void)error;
    builder *b = context;
    cJSON *value = is_object ? cJSON_CreateObject() : cJSON_CreateArray();
    add(b, value);
    b->parents[++b->depth] = value;
    return true;
}

static bool end(void *context, bool is_object, sb_error *error) {
    (void)error;
    builder *b = context;
    if (b->key || (bool)cJSON_IsObject(b->parents[b->depth--]) != is_object) abort();
    return true;
}

static bool key(void *context, const char *text, size_t n, sb_error *error) {
    (void)error;
    builder *b = context;
    if (b->key) abort();
    b->key = copy_of(text, n);
    return true;
}

static bool string(void *context, const char *text, size_t n, sb_error *error) {
    (void)error;
    char *copy = copy_of(text, n);
    add(context, cJSON_CreateString(copy));
    free(copy);
    return true;
}

static bool real(void *context, double value, sb_error *error) {
    (void)error;
    return add(context, cJSON_CreateNumber(value));
}

static bool integer(void *context, int64_t value, sb_error *error) { return real(context, (double)value, error); }

static bool large(void *context, uint64_t value, sb_error *error) {
    if (value <= INT64_MAX) abort();
    return real(context, (double)value, error);
}

static bool boolean(void *context, bool value, sb_error *error) {
    (void)error;
    return add(context, cJSON_CreateBool(value));
}

static bool null(void *context, sb_error *error) {
    (void)error;
    return add(context, cJSON_CreateNull());
}

/* Compares trees: every number to the last bit, and members in the same order. */
static bool is_same(const cJSON *a, const cJSON *b) {
    if ((a->type & 0xff) != (b->type & 0xff) || !a->string != !b->string) return false;
    if (a->string && strcmp(a->string, b->string) != 0) return false;
    if (cJSON_IsNumber(a)) return a->valuedouble == b->valuedouble;
    if (cJSON_IsString(a)) return strcmp(a->valuestring, b->valuestring) == 0;
    const cJSON *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next)
        if (!is_same(x, y)) return false;
    return !x && !y;
}

/* Builds the tree by visiting; NULL if the text is refused. */
static cJSON *visited(const char *text, size_t n, char *scratch, size_t capacity) {
    static const sb_json_events events = {begin, end, key, string, integer, large, real, boolean, null};
    builder b = {0};
    sb_error error = {0};
    const bool ok = sb_json_visit(text, n, &events, &b, scratch, capacity, &error);
    if (ok ? b.depth || b.key || !b.root : !error.text[0]) abort();
    free(b.key);
    if (!ok) cJSON_Delete(b.root);
    return ok ? b.root : NULL;
}

/* cJSON skips a byte order mark, which is not valid JSON. */
static bool has_mark(const char *text, size_t n) { return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    sb_error error = {0};
    char *scratch = malloc(size + 1), few[4];
    if (!scratch) return 0;
    cJSON *all = visited(text, size, scratch, size), *some = visited(text, size, few, sizeof few);
    cJSON *parsed = has_mark(text, size) ? NULL : sb_json_parse(text, size, &error);
    if (!has_mark(text, size) && (!all != !parsed || (all && !is_same(all, parsed)))) abort();
    if (some && (!all || !is_same(some, all))) abort();
    cJSON_Delete(all), cJSON_Delete(some), cJSON_Delete(parsed);
    free(scratch);
    return 0;
}
