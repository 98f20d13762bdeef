#include "exporters/texts.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "exporters/asked.h"

/* ---- Columns ---- */

static void add(sb_texts *texts, const sb_column *column) {
    snprintf(texts->of[texts->n].name, sizeof texts->of->name, "%s", column->name);
    texts->of[texts->n++].is_message = column->type == SB_COLUMN_MESSAGE;
}

sb_texts sb_texts_of(const sb_export *export) {
    const sb_exporter *exporter = export->exporter;
    sb_columns columns = {.n = 0};
    sb_texts texts = {.n = 0};
    if (!exporter->columns || exporter->begin || strcmp(exporter->suffix, "jsonl.gz") != 0) return texts;
    exporter->columns(export, &columns);
    for (size_t i = 0; i < columns.n; i++)
        if (columns.of[i].is_read) add(&texts, &columns.of[i]);
    return texts;
}

/* ---- Counting ---- */

typedef struct counting {
    const sb_texts *texts;
    uint64_t characters;
    sb_out *list; /* where texts are listed; NULL: no list is made */
} counting;

/* Returns how many bytes continue a character: the first bit is set and the second is not. Most words have none. */
static uint64_t count_continuations(sb_span text) {
    static const uint64_t first_bits = UINT64_C(0x8080808080808080);
    uint64_t n = 0, word;
    size_t i = 0;
    for (; i + sizeof word <= text.n; i += sizeof word) {
        memcpy(&word, text.at + i, sizeof word);
        for (word &= ~(word << 1) & first_bits; word; word &= word - 1) n++;
    }
    for (; i < text.n; i++) n += sb_is_continuation(text.at[i]);
    return n;
}

/* Returns how many characters a text in a row has. An escape stands for one: rows hold all but control characters as
 * UTF-8. */
static uint64_t count_characters(sb_span text) {
    const char *at = text.at, *end = at + text.n;
    uint64_t n = text.n - count_continuations(text);
    while (at < end && (at = memchr(at, '\\', (size_t)(end - at)))) {
        const size_t size = end - at > 5 && at[1] == 'u' ? 6 : 2;
        n -= size - 1, at += size;
    }
    return n;
}

static void add_text(counting *c, sb_span text) {
    c->characters += count_characters(text);
    if (!c->list) return;
    sb_put_comma(c->list);
    sb_putc(c->list, '"'), sb_put(c->list, text.at, text.n), sb_putc(c->list, '"');
}

static void add_value(counting *c, sb_span value, bool is_message) {
    sb_strings strings = sb_strings_of(value);
    bool is_content = !is_message;
    while (sb_strings_next(&strings)) {
        if (strings.is_key)
            is_content = sb_span_is(strings.text, "content");
        else if (is_content)
            add_text(c, strings.text);
    }
}

static void add_row(counting *c, sb_span row) {
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members))
        for (size_t i = 0; i < c->texts->n; i++)
            if (sb_span_is(members.key, c->texts->of[i].name)) add_value(c, members.value, c->texts->of[i].is_message);
}

uint64_t sb_texts_count(const sb_texts *texts, const char *rows, size_t n, sb_out *list) {
    counting c = {.texts = texts, .list = list};
    const char *end = rows + n;
    if (list) sb_putc(list, '[');
    for (const char *at = rows; n && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        add_row(&c, sb_span_from(at, newline ? newline : end));
        at = newline ? newline + 1 : end;
    }
    if (list) sb_putc(list, ']');
    return c.characters;
}
