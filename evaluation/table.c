#include "evaluation/table.h"

#include <string.h>

#include "base/utf8.h"

sb_table sb_table_of(const char *title, size_t columns, size_t texts) {
    return (sb_table){.title = title, .columns = columns, .texts = texts, .text = sb_out_growing()};
}

void sb_table_free(sb_table *table) { sb_out_free(&table->text); }

sb_out *sb_table_cell(sb_table *table) {
    if (table->cells++) sb_putc(&table->text, '\0');
    return &table->text;
}

void sb_table_add(sb_table *table, const char *text) { sb_puts(sb_table_cell(table), text); }

void sb_table_add_share(sb_table *table, double part, uint64_t of, int decimals, const char *unit) {
    sb_out *cell = sb_table_cell(table);
    if (of)
        sb_putf(cell, "%.*f%s", decimals, part / (double)of, unit);
    else
        sb_puts(cell, "-");
}

/* ---- Reading cells ---- */

typedef struct walk {
    const char *at, *end;
} walk;

static walk walk_along(const sb_table *t) { return (walk){t->text.data, t->text.data + t->text.size}; }

/* Returns the next cell's text and its length. */
static const char *next_cell(walk *w, size_t *n) {
    const char *cell = w->at, *nul = cell ? memchr(cell, '\0', (size_t)(w->end - cell)) : NULL;
    *n = 0;
    if (!cell) return "";
    *n = (size_t)((nul ? nul : w->end) - cell);
    w->at = nul ? nul + 1 : w->end;
    return cell;
}

static size_t rows_of(const sb_table *t) { return t->cells / t->columns; }

/* Counts characters, not bytes. */
static size_t width_of(const char *text, size_t n) {
    size_t width = 0;
    for (size_t i = 0; i < n; i++) width += !sb_is_continuation(text[i]);
    return width;
}

/* ---- Terminal ---- */

enum { WIDEST = 40 }; /* columns whose width is known; more get no padding */

static void measure(const sb_table *t, size_t widths[WIDEST]) {
    walk w = walk_along(t);
    for (size_t i = 0; i < rows_of(t) * t->columns; i++) {
        size_t n;
        const char *cell = next_cell(&w, &n);
        const size_t column = i % t->columns, width = width_of(cell, n);
        if (column < WIDEST && width > widths[column]) widths[column] = width;
    }
}

static void pad(sb_out *out, size_t n) {
    for (size_t i = 0; i < n; i++) sb_putc(out, ' ');
}

void sb_table_print_text(const sb_table *t, sb_out *out) {
    size_t widths[WIDEST] = {0};
    walk w = walk_along(t);
    measure(t, widths);
    sb_putf(out, "%s\n", t->title);
    for (size_t i = 0; i < rows_of(t) * t->columns; i++) {
        size_t n;
        const char *cell = next_cell(&w, &n);
        const size_t column = i % t->columns, width = width_of(cell, n);
        const size_t gap = column < WIDEST && widths[column] > width ? widths[column] - width : 0;
        const bool last = column + 1 == t->columns, number = column >= t->texts;
        sb_puts(out, "  ");
        if (number) pad(out, gap);
        sb_put(out, cell, n);
        if (!number && !last) pad(out, gap);
        if (last) sb_putc(out, '\n');
    }
    if (*t->note) sb_putf(out, "  (%s)\n", t->note);
}

/* ---- Markdown ---- */

static void put_markdown(sb_out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strchr("\\`*_{}[]<>#|&~$", text[i])) sb_putc(out, '\\');
        sb_putc(out, text[i]);
    }
}

void sb_table_print_markdown(const sb_table *t, sb_out *out) {
    walk w = walk_along(t);
    sb_puts(out, "## ");
    put_markdown(out, t->title, strlen(t->title));
    sb_puts(out, "\n\n");
    for (size_t row = 0; row < rows_of(t); row++) {
        sb_puts(out, "|");
        for (size_t column = 0; column < t->columns; column++) {
            size_t n;
            const char *cell = next_cell(&w, &n);
            sb_putc(out, ' ');
            put_markdown(out, cell, n);
            sb_puts(out, " |");
        }
        sb_putc(out, '\n');
        if (row) continue;
        sb_puts(out, "|");
        for (size_t column = 0; column < t->columns; column++) sb_puts(out, column < t->texts ? "---|" : "---:|");
        sb_putc(out, '\n');
    }
    sb_putc(out, '\n');
    if (!*t->note) return;
    put_markdown(out, t->note, strlen(t->note));
    sb_puts(out, "\n\n");
}

/* ---- HTML ---- */

static void put_html(sb_out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) switch (text[i]) {
        case '&': sb_puts(out, "&amp;"); break;
        case '<': sb_puts(out, "&lt;"); break;
        case '>': sb_puts(out, "&gt;"); break;
        case '"': sb_puts(out, "&quot;"); break;
        case '\'': sb_puts(out, "&#39;"); break;
        default: sb_putc(out, text[i]);
        }
}

void sb_put_html(sb_out *out, const char *text) { put_html(out, text, strlen(text)); }

static void print_html_row(const sb_table *t, walk *w, bool head, sb_out *out) {
    sb_puts(out, "<tr>");
    for (size_t column = 0; column < t->columns; column++) {
        size_t n;
        const char *cell = next_cell(w, &n), *tag = head || column == 0 ? "th" : "td";
        const char *scope = head ? " scope=\"col\"" : column == 0 ? " scope=\"row\"" : "";
        sb_putf(out, "<%s%s%s>", tag, column < t->texts ? "" : " class=\"n\"", scope);
        put_html(out, cell, n);
        sb_putf(out, "</%s>", tag);
    }
    sb_puts(out, "</tr>\n");
}

void sb_table_print_html(const sb_table *t, sb_out *out) {
    walk w = walk_along(t);
    sb_puts(out, "<div class=\"wide\"><table>\n<thead>");
    print_html_row(t, &w, true, out);
    sb_puts(out, "</thead>\n<tbody>\n");
    for (size_t row = 1; row < rows_of(t); row++) print_html_row(t, &w, false, out);
    sb_puts(out, "</tbody></table></div>\n");
    if (!*t->note) return;
    sb_puts(out, "<p class=\"note\">");
    sb_put_html(out, t->note);
    sb_puts(out, "</p>\n");
}

/* ---- JSON ---- */

void sb_table_print_json(const sb_table *t, sb_out *out) {
    walk w = walk_along(t);
    sb_puts(out, "{");
    sb_member_text(out, "title", t->title);
    if (*t->note) sb_member_text(out, "note", t->note);
    sb_put_key(out, "rows");
    sb_puts(out, "[");
    for (size_t row = 0; row < rows_of(t); row++) {
        sb_put_comma(out);
        sb_puts(out, "[");
        for (size_t column = 0; column < t->columns; column++) {
            size_t n;
            const char *cell = next_cell(&w, &n);
            sb_put_comma(out);
            sb_put_json_bytes(out, cell, n);
        }
        sb_puts(out, "]");
    }
    sb_puts(out, "]}");
}
