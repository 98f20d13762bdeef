/* The texts in rows that a trainer reads: the contents of messages, prompt and completion, observations and the answer
 * (sb_column.is_read). Budgets and cards count their characters and tokens. */
#ifndef SB_EXPORTERS_TEXTS_H
#define SB_EXPORTERS_TEXTS_H

#include "exporters/exporter.h"

/* In which columns texts are. n = 0: the files are no lines of JSON with such columns. */
typedef struct sb_texts {
    struct {
        char name[sizeof((sb_column *)0)->name];
        bool is_message; /* a message, of which only the content is read */
    } of[SB_COLUMNS_MAX];
    size_t n;
} sb_texts;

sb_texts sb_texts_of(const sb_export *export);

/* Returns how many characters, that is Unicode code points, the texts in these rows of the format have. If `list` is
 * not NULL, appends the texts as a list in JSON. */
uint64_t sb_texts_count(const sb_texts *texts, const char *rows, size_t n, sb_out *list);

#endif
