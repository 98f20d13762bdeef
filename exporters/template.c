#include "exporters/template.h"

#include "base/error.h"

static bool add(sb_template *t, int field, const char *text, size_t n, sb_error *error) {
    if (field < 0 && n == 0) return true;
    if (t->n == SB_TEMPLATE_PIECES)
        return sb_fail(error, SB_INVALID, "the template has more than %d placeholders and texts between them",
                       SB_TEMPLATE_PIECES);
    t->pieces[t->n].field = field, t->pieces[t->n].text = text, t->pieces[t->n].n = n;
    t->n++;
    return true;
}

static int find_field(const char *const *fields, const char *name, size_t n) {
    for (int i = 0; fields[i]; i++)
        if (strlen(fields[i]) == n && strncmp(fields[i], name, n) == 0) return i;
    return -1;
}

static bool unknown(const char *name, size_t n, const char *const *fields, sb_error *error) {
    char known[160];
    sb_out list = sb_out_fixed(known, sizeof known);
    for (size_t i = 0; fields[i]; i++) sb_puts(&list, i ? ", " : ""), sb_puts(&list, fields[i]);
    sb_out_finish(&list);
    return sb_fail(error, SB_UNKNOWN, "unknown placeholder {%.*s}; known placeholders: %s", (int)(n < 40 ? n : 40),
                   name, known);
}

/* Adds the placeholder or the brace that begins here, and moves past it. */
static bool add_brace(sb_template *t, const char **at, const char *const *fields, sb_error *error) {
    const char *begin = *at;
    if (begin[0] == begin[1]) return *at += 2, add(t, -1, begin, 1, error);
    const char *end = begin[0] == '{' ? strchr(begin, '}') : NULL;
    if (!end)
        return sb_fail(error, SB_INVALID, "a single `%c` before `%.20s`: write `%c%c` for the brace itself", *begin,
                       begin + 1, *begin, *begin);
    const size_t n = (size_t)(end - begin - 1);
    const int field = find_field(fields, begin + 1, n);
    *at = end + 1;
    return field < 0 ? unknown(begin + 1, n, fields, error) : add(t, field, NULL, 0, error);
}

bool sb_template_parse(sb_template *t, const char *text, const char *const *fields, sb_error *error) {
    t->n = 0;
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "{}");
        if (!add(t, -1, at, n, error)) return false;
        at += n;
        if (*at && !add_brace(t, &at, fields, error)) return false;
    }
    return true;
}

void sb_template_put(const sb_template *t, sb_out *out, sb_put_field *put, void *context) {
    for (size_t i = 0; i < t->n; i++) {
        if (t->pieces[i].field < 0)
            sb_put(out, t->pieces[i].text, t->pieces[i].n);
        else
            put(context, t->pieces[i].field, out);
    }
}

bool sb_template_has(const sb_template *t, int field) {
    for (size_t i = 0; i < t->n; i++)
        if (t->pieces[i].field == field) return true;
    return false;
}
