#include "evaluation/models/members.h"

#include <string.h>

bool sb_model_is_key(const sb_json_part *key, const char *name) {
    const size_t n = strlen(name);
    return key->n == n + 2 && memcmp(key->at + 1, name, n) == 0;
}

/* Returns the end of a text of JSON that begins here. */
static const char *end_of_text(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *escape = quote ? memchr(at, '\\', (size_t)(quote - at)) : NULL;
        at = escape ? escape + 1 : quote ? quote - 1 : end - 1;
    }
    return at < end ? at + 1 : end;
}

/* Returns the end of a value of JSON that begins here. */
static const char *end_of_value(const char *at, const char *end) {
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = end_of_text(at, end);
            continue;
        }
        if (!depth && (*at == ',' || *at == '}' || *at == ']')) break;
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (at < end && (depth || (*at != ',' && *at != '}' && *at != ']')));
    return at;
}

void sb_model_members(const sb_json_part *object, const char *const names[], sb_json_part parts[]) {
    const char *at = object->at, *const end = object->at + object->n;
    for (size_t i = 0; names[i]; i++) parts[i] = (sb_json_part){0};
    if (!sb_json_part_is_object(object)) return;
    for (at++; at < end;) {
        at = sb_json_skip_spaces(at, end);
        if (at >= end || *at != '"') return;
        const char *key_end = end_of_text(at, end);
        const sb_json_part key = {.at = at, .n = (size_t)(key_end - at), .document = object->document};
        at = sb_json_skip_spaces(key_end, end) + 1; /* behind the colon */
        at = sb_json_skip_spaces(at, end);
        if (at >= end) return;
        const char *stop = end_of_value(at, end), *last = stop;
        while (last > at && sb_json_is_space(last[-1])) last--;
        for (size_t i = 0; names[i]; i++)
            if (sb_model_is_key(&key, names[i]))
                parts[i] = (sb_json_part){.at = at, .n = (size_t)(last - at), .document = object->document};
        at = stop + 1; /* behind the comma */
    }
}
