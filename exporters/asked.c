#include "exporters/asked.h"

#include <string.h>

/* Returns the end of the string that begins at `at` with its quote. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end; at++) {
        at = memchr(at, '"', (size_t)(end - at));
        if (!at) return end;
        const char *before = at;
        while (before[-1] == '\\') before--; /* the string's first quote stops this at the latest */
        if ((at - before) % 2 == 0) return at + 1;
    }
    return end;
}

/* Returns the end of the value that begins at `at`: a comma or a bracket that is not inside it. */
static const char *skip_value(const char *at, const char *end) {
    size_t depth = 0;
    while (at < end) {
        switch (*at) {
        case '"': at = skip_string(at, end); continue;
        case '[':
        case '{': depth++; break;
        case ']':
        case '}':
            if (depth == 0) return at;
            depth--;
            break;
        case ',':
            if (depth == 0) return at;
            break;
        default: break;
        }
        at++;
    }
    return end;
}

/* Passes over what stands between a bracket or a comma and the next value. */
static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == ',')) at++;
    return at;
}

sb_members sb_members_of(sb_span row) {
    const char *end = row.at + row.n;
    return (sb_members){.at = row.n && *row.at == '{' ? row.at + 1 : end, .end = end};
}

bool sb_members_next(sb_members *m) {
    const char *key = skip_space(m->at, m->end);
    if (key >= m->end || *key != '"') return false;
    const char *after = skip_string(key, m->end), *value = after;
    while (value < m->end && (*value == ':' || *value == ' ')) value++;
    m->at = skip_value(value, m->end);
    m->key = sb_span_from(key + 1, after > key + 1 ? after - 1 : key + 1);
    m->value = sb_span_from(value, m->at);
    return true;
}

sb_strings sb_strings_of(sb_span value) { return (sb_strings){.at = value.at, .end = value.at + value.n}; }

bool sb_strings_next(sb_strings *s) {
    const char *begin = s->at < s->end ? memchr(s->at, '"', (size_t)(s->end - s->at)) : NULL;
    if (!begin) return false;
    s->at = skip_string(begin, s->end);
    s->text = sb_span_from(begin + 1, s->at > begin + 1 ? s->at - 1 : begin + 1);
    s->is_key = s->at < s->end && *s->at == ':';
    return true;
}

void sb_split_list(sb_span list, sb_span *before, sb_span *last) {
    const char *end = list.at + list.n, *at = list.n ? list.at + 1 : end;
    *before = *last = (sb_span){list.at, 0};
    for (at = skip_space(at, end); at < end && *at != ']';) {
        const char *after = skip_value(at, end);
        if (after == at) break;
        *last = sb_span_from(at, after), *before = sb_span_from(list.at, at);
        at = skip_space(after, end);
    }
}

void sb_ask_messages(sb_span messages, sb_asked *asked) {
    sb_span rest;
    sb_split_list(messages, &asked->prompt[0], &asked->answer);
    sb_split_list(asked->prompt[0], &rest, &asked->shown);
}
