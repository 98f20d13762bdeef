/* Visits a document and compares every event with the next value of cJSON's tree. */
#ifndef SB_TESTS_JSON_FOLLOW_H
#define SB_TESTS_JSON_FOLLOW_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_visit.h"

typedef struct follower {
    const cJSON *next;                         /* next value; NULL if none is left here */
    const cJSON *parents[SB_JSON_NESTING + 1]; /* of `next` */
    int depth;
    bool keyed; /* the event for the key of `next` has come */
    bool blind; /* there is no tree, so every event is accepted */
} follower;

/* Returns the tree's next value, for which the key's event must have come if it has a key, and moves on. */
static const cJSON *follow_value(follower *f, int type) {
    const cJSON *value = f->next;
    const bool member = f->depth > 0 && cJSON_IsObject(f->parents[f->depth]);
    if (!value || member != f->keyed || (value->type & 0xff) != type) return NULL;
    f->keyed = false;
    f->next = value->next;
    return value;
}

static bool differs(const follower *f, sb_error *error) {
    return f->blind || sb_fail(error, SB_MISMATCH, "not what cJSON reads");
}

static bool follow_begin(void *context, bool is_object, sb_error *error) {
    follower *f = context;
    const cJSON *value = follow_value(f, is_object ? cJSON_Object : cJSON_Array);
    if (!value) return differs(context, error);
    f->parents[++f->depth] = value;
    f->next = value->child;
    return true;
}

static bool follow_end(void *context, bool is_object, sb_error *error) {
    follower *f = context;
    if (f->depth == 0 || f->next || f->keyed || (bool)cJSON_IsObject(f->parents[f->depth]) != is_object)
        return differs(context, error);
    f->next = f->parents[f->depth--]->next;
    return true;
}

static bool is_text(const char *wanted, const char *text, size_t n) {
    return strlen(wanted) == n && memcmp(wanted, text, n) == 0;
}

static bool follow_key(void *context, const char *text, size_t n, sb_error *error) {
    follower *f = context;
    if (f->keyed || !f->next || !f->next->string || !is_text(f->next->string, text, n)) return differs(context, error);
    return f->keyed = true;
}

static bool follow_string(void *context, const char *text, size_t n, sb_error *error) {
    const cJSON *value = follow_value(context, cJSON_String);
    return (value && is_text(value->valuestring, text, n)) || differs(context, error);
}

/* Numbers of many digits are compared digit by digit. */
static bool is_number(const cJSON *value, double number, const char *printed) {
    const char *digits = value ? sb_json_digits(value) : NULL;
    return value && value->valuedouble == number && (!digits || strcmp(digits, printed) == 0);
}

static bool follow_integer(void *context, int64_t number, sb_error *error) {
    char printed[32];
    snprintf(printed, sizeof printed, "%" PRId64, number);
    return is_number(follow_value(context, cJSON_Number), (double)number, printed) || differs(context, error);
}

static bool follow_large(void *context, uint64_t number, sb_error *error) {
    char printed[32];
    snprintf(printed, sizeof printed, "%" PRIu64, number);
    return (number > INT64_MAX && is_number(follow_value(context, cJSON_Number), (double)number, printed)) ||
           differs(context, error);
}

static bool follow_real(void *context, double number, sb_error *error) {
    const cJSON *value = follow_value(context, cJSON_Number);
    return (value && value->valuedouble == number) || differs(context, error);
}

static bool follow_boolean(void *context, bool is_true, sb_error *error) {
    return follow_value(context, is_true ? cJSON_True : cJSON_False) || differs(context, error);
}

static bool follow_null(void *context, sb_error *error) {
    return follow_value(context, cJSON_NULL) || differs(context, error);
}

static const sb_json_events following = {follow_begin, follow_end,  follow_key,     follow_string, follow_integer,
                                         follow_large, follow_real, follow_boolean, follow_null};

/* Returns whether both refuse the text, or the visit matches the tree. `scratch` holds n bytes. */
static inline bool visiting_agrees(const char *text, size_t n, char *scratch) {
    sb_error error = {0};
    cJSON *tree = sb_json_parse(text, n, &error);
    follower f = {.next = tree, .blind = !tree};
    const bool visited = sb_json_visit(text, n, &following, &f, scratch, n, &error);
    const bool agrees = tree ? visited && !f.next && f.depth == 0 : !visited && error.text[0];
    cJSON_Delete(tree);
    return agrees;
}

#endif
