#include "engine/autumn/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/numerals.h"
#include "base/visible.h"

enum { NESTED_MAX = 250, FORMS_MAX = 1 << 20 };

typedef struct reader {
    sb_au_forms *forms;
    sb_autumn_fault *fault;
    const char *text;
    size_t n, at;
    uint32_t line;
    size_t line_start;
} reader;

bool sb_au_fault_at(sb_autumn_fault *fault, const sb_au_form *form, sb_autumn_kind kind, const char *format, ...) {
    char text[sizeof fault->text];
    va_list arguments;
    va_start(arguments, format);
    sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    *fault = (sb_autumn_fault){.kind = kind, .line = form->line, .column = form->column};
    sb_copy_plain(fault->text, sizeof fault->text, text);
    return false;
}

bool sb_au_is(const sb_au_forms *forms, const sb_au_form *form, const char *spelling) {
    return form->token != SB_AU_FORM_LIST && form->token != SB_AU_FORM_STRING && form->n == strlen(spelling) &&
           memcmp(forms->text + form->text, spelling, form->n) == 0;
}

static sb_au_form here(const reader *r) {
    return (sb_au_form){.line = r->line, .column = (uint32_t)(r->at - r->line_start) + 1};
}

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool ends_atom(char c) { return is_space(c) || c == '(' || c == ')'; }

static void skip_one(reader *r) {
    if (r->text[r->at++] == '\n') r->line++, r->line_start = r->at;
}

static void skip_space_and_comments(reader *r) {
    while (r->at < r->n) {
        if (r->text[r->at] == ';')
            while (r->at < r->n && r->text[r->at] != '\n') r->at++;
        else if (is_space(r->text[r->at]))
            skip_one(r);
        else
            return;
    }
}

/* ---- Atoms ------------------------------------------------------------------------------------------------------- */

static uint32_t add_form(reader *r, const sb_au_form *form) {
    sb_au_forms *f = r->forms;
    if (f->n >= FORMS_MAX) return sb_au_fault_at(r->fault, form, SB_AUTUMN_LIMIT, "the program is too long");
    if (!SB_GROW(f->all, f->n + 1, f->capacity))
        return sb_au_fault_at(r->fault, form, SB_AUTUMN_MEMORY, "out of memory for the program");
    f->all[f->n] = *form;
    return (uint32_t)f->n++;
}

/* Decodes the character behind a backslash; 0 if there is no such escape. */
static char escape(char c) {
    static const char from[] = "'\"?\\abfnrtv", to[] = "'\"?\\\a\b\f\n\r\t\v";
    const char *found = c ? strchr(from, c) : NULL;
    return found ? to[found - from] : '\0';
}

static bool keep_character(reader *r, const sb_au_form *form, char c) {
    sb_au_forms *f = r->forms;
    if (!SB_GROW(f->strings, f->n_strings + 1, f->strings_capacity))
        return sb_au_fault_at(r->fault, form, SB_AUTUMN_MEMORY, "out of memory for the program");
    f->strings[f->n_strings++] = c;
    return true;
}

bool sb_autumn_string_fits(const char *text, size_t n) {
    sb_out length = sb_out_fixed(NULL, 0);
    sb_put_json_bytes(&length, text, n);
    return length.size <= SB_AUTUMN_STRING_MAX + strlen("\"\"");
}

/* Maps are long, but have no colour's name (engine/autumn/evaluate_cells.c). */
static bool check_string(reader *r, const sb_au_form *form) {
    if (r->forms->is_world)
        return form->n <= SB_AUTUMN_MAP_MAX ||
               sb_au_fault_at(r->fault, form, SB_AUTUMN_LIMIT, "a text of more than %d bytes", SB_AUTUMN_MAP_MAX);
    return sb_autumn_string_fits(sb_au_spelling(r->forms, form), form->n) ||
           sb_au_fault_at(r->fault, form, SB_AUTUMN_LIMIT, "a text of more than %d bytes in JSON",
                          SB_AUTUMN_STRING_MAX);
}

/* Reads a string (language 1.2); the reader stands behind the opening quote. */
static bool read_string(reader *r, sb_au_form *form) {
    form->token = SB_AU_FORM_STRING;
    form->text = (uint32_t)r->forms->n_strings;
    for (;; r->at++) {
        if (r->at == r->n || (r->text[r->at] == '\n' && !r->forms->is_world))
            return sb_au_fault_at(r->fault, form, SB_AUTUMN_PARSE, "this string has no closing quote%s",
                                  r->forms->is_world ? "" : " on its line");
        char c = r->text[r->at];
        if (c == '\n') r->line++, r->line_start = r->at + 1;
        if (c == '"') break;
        if (c == '\0') return sb_au_fault_at(r->fault, form, SB_AUTUMN_PARSE, "a string cannot hold a NUL character");
        if (c == '\\' && !(c = r->at + 1 < r->n ? escape(r->text[++r->at]) : '\0')) {
            const sb_au_form place = here(r);
            return sb_au_fault_at(r->fault, &place, SB_AUTUMN_PARSE,
                                  "unknown escape in a string; known: \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v");
        }
        if (!keep_character(r, form, c)) return false;
    }
    r->at++;
    form->n = (uint32_t)r->forms->n_strings - form->text;
    return check_string(r, form);
}

static size_t digits_at(const char *text, size_t n) {
    size_t i = 0;
    while (i < n && is_digit(text[i])) i++;
    return i;
}

static void read_number(sb_au_form *form, const char *text, size_t n, bool negative) {
    uint32_t number = 0; /* wraps around like all arithmetic */
    for (size_t i = 0; i < n; i++) number = number * 10 + (uint32_t)(text[i] - '0');
    form->token = SB_AU_FORM_NUMBER;
    form->number = (int32_t)(negative ? 0u - number : number);
}

static size_t name_at(const char *text, size_t n) {
    size_t i = 0;
    while (i < n && (is_letter(text[i]) || (i && is_digit(text[i])))) i++;
    return i;
}

static bool is_keyword(const sb_au_forms *forms, const sb_au_form *form) {
    static const char *const keywords[] = {"program",  "object", "on",  "if", "then", "else",  "let",
                                           "initnext", "fn",     "and", "or", "true", "false", "nil"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (sb_au_is(forms, form, keywords[i])) return true;
    return false;
}

/* The length of the longest mark; 0 if there is none. */
static size_t mark_at(const char *text, size_t n) {
    static const char *const marks[] = {"-->", "..", "!=", "==", "<=", ">=", "+", "-", "*", "/",
                                        "%",   "&",  "|",  ":",  "!",  "=",  "<", ">", ".", ","};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t length = strlen(marks[i]);
        if (length <= n && memcmp(text, marks[i], length) == 0) return length;
    }
    return 0;
}

/* Finds the first token of an atom of n characters; the rest of the atom is dropped (language 1.3). */
static bool read_atom(reader *r, sb_au_form *form, const char *text, size_t n) {
    const bool sign = text[0] == '+' || text[0] == '-';
    const size_t digits = digits_at(text + sign, n - sign);
    if (digits) return read_number(form, text + sign, digits, text[0] == '-'), true;
    form->text = (uint32_t)(text - r->text);
    form->n = (uint32_t)name_at(text, n);
    if (form->n > SB_AUTUMN_NAME_MAX)
        return sb_au_fault_at(r->fault, form, SB_AUTUMN_LIMIT, "a name of more than %d letters", SB_AUTUMN_NAME_MAX);
    if (form->n) {
        form->token = SB_AU_FORM_NAME;
        if (is_keyword(r->forms, form)) form->token = SB_AU_FORM_KEYWORD;
        return true;
    }
    form->token = SB_AU_FORM_MARK;
    form->n = (uint32_t)mark_at(text, n);
    if (!form->n)
        return sb_au_fault_at(r->fault, form, SB_AUTUMN_PARSE, "`%.*s` is no name, number or operator",
                              (int)(n < 20 ? n : 20), text);
    if (sign && form->n == 1 && n > 1)
        return sb_au_fault_at(r->fault, form, SB_AUTUMN_PARSE, "a sign must stand alone or before digits: `%.*s`",
                              (int)(n < 20 ? n : 20), text);
    return true;
}

static uint32_t read_leaf(reader *r) {
    sb_au_form form = here(r);
    if (r->text[r->at] == '"') {
        r->at++;
        return read_string(r, &form) ? add_form(r, &form) : 0;
    }
    const size_t start = r->at;
    while (r->at < r->n && !ends_atom(r->text[r->at])) r->at++;
    return read_atom(r, &form, r->text + start, r->at - start) ? add_form(r, &form) : 0;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

typedef struct open_list {
    uint32_t list, last;
} open_list;

static void append(reader *r, open_list *open, uint32_t child) {
    sb_au_form *all = r->forms->all;
    if (open->last)
        all[open->last].next = child;
    else
        all[open->list].first = child;
    open->last = child;
    all[open->list].parts++;
    if (all[open->list].height <= all[child].height) all[open->list].height = (uint16_t)(all[child].height + 1);
}

/* Whether the list that begins here is the statement `task`: it comes first, behind the word `program`. */
static bool begins_task(const reader *r, const open_list *open, size_t n) {
    static const char word[] = "task";
    const size_t length = sizeof word - 1;
    size_t at = r->at;
    if (n != 1 || r->forms->all[open->list].parts != 1) return false;
    while (at < r->n && is_space(r->text[at])) at++;
    return at + length < r->n && memcmp(r->text + at, word, length) == 0 && ends_atom(r->text[at + length]);
}

static bool not_closed(reader *r, uint32_t list) {
    return sb_au_fault_at(r->fault, &r->forms->all[list], SB_AUTUMN_PARSE, "this parenthesis is never closed");
}

/* Reads one list; the reader stands at its parenthesis. */
static bool read_list(reader *r) {
    open_list open[NESTED_MAX] = {{0}};
    size_t n = 0;
    for (;;) {
        skip_space_and_comments(r);
        if (r->at == r->n) return not_closed(r, open[n - 1].list);
        const char c = r->text[r->at];
        if (c == ')') {
            const uint32_t closed = open[--n].list;
            r->at++;
            if (n == 0) return true;
            append(r, &open[n - 1], closed);
            continue;
        }
        const sb_au_form list = here(r);
        if (c == '(' && n == NESTED_MAX)
            return sb_au_fault_at(r->fault, &list, SB_AUTUMN_LIMIT, "more than %d parentheses within each other",
                                  NESTED_MAX);
        const uint32_t form = c == '(' ? (r->at++, add_form(r, &list)) : read_leaf(r);
        if (!form) return false;
        if (c == '(') {
            if (begins_task(r, open, n)) r->forms->is_world = true;
            open[n++] = (open_list){.list = form};
        } else
            append(r, &open[n - 1], form);
    }
}

/* Skips an atom or a string without looking at what it is. */
static void skip_leaf(reader *r) {
    if (r->text[r->at] != '"') {
        while (r->at < r->n && !ends_atom(r->text[r->at])) r->at++;
        return;
    }
    for (r->at++; r->at < r->n && r->text[r->at] != '\n'; r->at++) {
        if (r->text[r->at] == '"') {
            r->at++;
            return;
        }
        if (r->text[r->at] == '\\' && r->at + 1 < r->n && r->text[r->at + 1] != '\n') r->at++;
    }
}

/* Further forms are ignored, but parentheses must be balanced in the whole text (language 1.6). */
static bool check_rest(reader *r) {
    sb_au_form first = {0}, place;
    size_t depth = 0;
    for (;;) {
        skip_space_and_comments(r);
        place = here(r);
        if (r->at == r->n) break;
        if (r->text[r->at] == '(') {
            if (depth++ == 0) first = place;
            r->at++;
        } else if (r->text[r->at] == ')') {
            if (depth-- == 0)
                return sb_au_fault_at(r->fault, &place, SB_AUTUMN_PARSE, "this parenthesis closes nothing");
            r->at++;
        } else {
            skip_leaf(r);
        }
    }
    return depth == 0 || sb_au_fault_at(r->fault, &first, SB_AUTUMN_PARSE, "this parenthesis is never closed");
}

bool sb_au_read(sb_au_forms *forms, const char *text, size_t n, sb_autumn_fault *fault) {
    reader r = {.forms = forms, .fault = fault, .text = text, .n = n, .line = 1};
    *forms = (sb_au_forms){.text = text, .n_text = n};
    if (n >= UINT32_MAX / 2) {
        const sb_au_form start = here(&r);
        return sb_au_fault_at(fault, &start, SB_AUTUMN_LIMIT, "the program is too long");
    }
    skip_space_and_comments(&r);
    const sb_au_form start = here(&r);
    if (r.at == n) return sb_au_fault_at(fault, &start, SB_AUTUMN_PARSE, "the text is empty; expected `(program ...)`");
    if (text[r.at] != '(')
        return sb_au_fault_at(fault, &start, SB_AUTUMN_PARSE, "expected `(program ...)` at the start of the text");
    forms->n = 1; /* 0 means none */
    return read_list(&r) && check_rest(&r);
}

void sb_au_forms_free(sb_au_forms *forms) {
    free(forms->all);
    free(forms->strings);
    *forms = (sb_au_forms){0};
}
