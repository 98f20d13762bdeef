/* Finds values in a row of text: a line of JSON that one of our formats wrote. Any other text is read without harm, and
 * what is not found is empty. */
#ifndef SB_EXPORTERS_ASKED_H
#define SB_EXPORTERS_ASKED_H

#include <string.h>

#include "exporters/exporter.h"

/* The members of a row, one after another:
 *
 *       sb_members members = sb_members_of(row);
 *       while (sb_members_next(&members)) ... members.key, members.value ... */
typedef struct sb_members {
    sb_span key, value; /* the key without its quotes; the value as it is written */
    const char *at, *end;
} sb_members;

sb_members sb_members_of(sb_span row);
bool sb_members_next(sb_members *members);

static inline bool sb_span_is(sb_span span, const char *text) {
    return span.n == strlen(text) && memcmp(span.at, text, span.n) == 0;
}
/* Returns what stands from the beginning of one piece to the end of another. */
static inline sb_span sb_span_from(const char *begin, const char *end) {
    return (sb_span){begin, (size_t)(end - begin)};
}

/* The strings in a value, at any depth:
 *
 *       sb_strings strings = sb_strings_of(value);
 *       while (sb_strings_next(&strings)) ... strings.text, strings.is_key ... */
typedef struct sb_strings {
    sb_span text; /* the string without its quotes, with its escapes */
    bool is_key;
    const char *at, *end;
} sb_strings;

sb_strings sb_strings_of(sb_span value);
bool sb_strings_next(sb_strings *strings);

/* Splits a list before its last item. */
void sb_split_list(sb_span list, sb_span *before, sb_span *last);
/* Fills in a conversation: the prompt is all messages but the last one, which is the answer. */
void sb_ask_messages(sb_span messages, sb_asked *asked);

#endif
