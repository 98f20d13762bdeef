/* A table of texts, for a terminal, Markdown, HTML or JSON. */
#ifndef SB_TABLE_H
#define SB_TABLE_H

#include "base/out.h"

typedef struct sb_table {
    const char *title;
    char note[600]; /* a sentence below the table, or empty */
    size_t columns; /* number of columns, of which the first `texts` are texts, and the others numbers */
    size_t texts;
    size_t cells; /* cells so far, row by row; the first row names the columns */
    sb_out text;  /* texts of the cells, each ended by NUL */
} sb_table;

sb_table sb_table_of(const char *title, size_t columns, size_t texts);
void sb_table_free(sb_table *table);

/* Begins the next cell; what is written to the returned output fills it. */
sb_out *sb_table_cell(sb_table *table);
void sb_table_add(sb_table *table, const char *text);
/* Adds a share with so many decimals, and behind it the unit; `-` if `of` is 0. */
void sb_table_add_share(sb_table *table, double part, uint64_t of, int decimals, const char *unit);

void sb_table_print_text(const sb_table *table, sb_out *out);
void sb_table_print_markdown(const sb_table *table, sb_out *out);
void sb_table_print_html(const sb_table *table, sb_out *out);
void sb_table_print_json(const sb_table *table, sb_out *out);

/* Writes text for the inside of an HTML element or attribute. */
void sb_put_html(sb_out *out, const char *text);

#endif
