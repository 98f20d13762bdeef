/* Reads the text of a program into forms: atoms and lists with their places (language 1). */
#ifndef SB_AUTUMN_READER_H
#define SB_AUTUMN_READER_H

#include "engine/autumn/autumn.h"
#include "engine/autumn/world.h"

typedef enum sb_au_token {
    SB_AU_FORM_LIST,
    SB_AU_FORM_NAME,
    SB_AU_FORM_KEYWORD,
    SB_AU_FORM_MARK, /* `+`, `-->`, `..` and so on */
    SB_AU_FORM_NUMBER,
    SB_AU_FORM_STRING
} sb_au_token;

typedef struct sb_au_form {
    sb_au_token token;
    uint32_t line, column; /* from 1 */
    uint32_t text, n; /* name, keyword, mark: where it stands in the program's text. String: in `strings`, decoded */
    int32_t number;
    uint32_t first, next; /* list: first child; next sibling; 0: none */
    uint32_t parts;       /* list: number of children */
    uint16_t height;      /* how deeply lists are nested in it; 0 for atoms */
} sb_au_form;

typedef struct sb_au_forms {
    sb_au_form *all; /* all[0] is unused, all[1] is the program */
    size_t n, capacity;
    const char *text;
    size_t n_text;
    char *strings; /* decoded strings, one behind the other, without NUL */
    size_t n_strings, strings_capacity;
    bool is_world; /* its first statement is `(task ...)`: strings may have several lines */
} sb_au_forms;

/* Reads the first form of the text, which must be a list, and checks the parentheses behind it. */
bool sb_au_read(sb_au_forms *forms, const char *text, size_t n, sb_autumn_fault *fault);
void sb_au_forms_free(sb_au_forms *forms);
/* The `form->n` bytes of a name, keyword, mark or string. */
static inline const char *sb_au_spelling(const sb_au_forms *forms, const sb_au_form *form) {
    if (!form->n) return ""; /* where no string has bytes, `strings` is NULL */
    return (form->token == SB_AU_FORM_STRING ? forms->strings : forms->text) + form->text;
}

/* Whether an atom is spelled like this. */
bool sb_au_is(const sb_au_forms *forms, const sb_au_form *form, const char *spelling);
/* Notes a fault at a form; returns false. */
__attribute__((format(printf, 4, 5))) bool sb_au_fault_at(sb_autumn_fault *fault, const sb_au_form *form,
                                                          sb_autumn_kind kind, const char *format, ...);

#endif
