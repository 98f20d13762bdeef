/* Texts with placeholders: `Step {step}: you see {observation}`. `{{` and `}}` stand for the braces themselves. */
#ifndef SB_EXPORTERS_TEMPLATE_H
#define SB_EXPORTERS_TEMPLATE_H

#include "base/out.h"

enum { SB_TEMPLATE_PIECES = 64 };

typedef struct sb_template {
    struct {
        int field;        /* which placeholder the piece is; -1: a text */
        const char *text; /* the piece's text, in the text that was parsed */
        size_t n;
    } pieces[SB_TEMPLATE_PIECES];
    size_t n;
} sb_template;

/* Parses a text. `fields` are the allowed names, NULL-terminated; a placeholder becomes its index there. Errors name
 * the placeholder. The text has to outlive the template. */
bool sb_template_parse(sb_template *template, const char *text, const char *const *fields, sb_error *error);

/* Writes the value of a placeholder. */
typedef void sb_put_field(void *context, int field, sb_out *out);
void sb_template_put(const sb_template *template, sb_out *out, sb_put_field *put, void *context);

bool sb_template_has(const sb_template *template, int field);

#endif
