#include "generators/autumn/worlds/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/inspect.h"
#include "engine/autumn/reader.h"

enum { NAME = 80 /* bytes of a name that is made up */, FUNCTIONS = 6 };

typedef struct plain {
    const char *text;
    size_t n_text;
    const sb_autumn_program *program;
    sb_au_forms forms;
    size_t *lines;    /* by line: where it begins in the text */
    uint32_t *parent; /* by form: the list in which it stands, and its number in the list (index) */
    uint32_t *index;
    /* forms of the statement `task`, of the chosen difficulty and of the first one */
    uint32_t task, difficulty, first_difficulty;
    sb_out *out;
} plain;

static const sb_au_form *form_at(const plain *p, uint32_t form) { return &p->forms.all[form]; }
static uint32_t next(const plain *p, uint32_t form) { return form_at(p, form)->next; }
static uint32_t behind_word(const plain *p, uint32_t list) { return next(p, form_at(p, list)->first); }

static bool begins(const plain *p, uint32_t form, const char *word) {
    const sb_au_form *f = form_at(p, form);
    return form && f->token == SB_AU_FORM_LIST && f->first && sb_au_is(&p->forms, form_at(p, f->first), word);
}

/* ---- Where forms stand ------------------------------------------------------------------------------------------- */

static bool find_lines(plain *p) {
    size_t n = 2;
    for (size_t i = 0; i < p->n_text; i++) n += p->text[i] == '\n';
    p->lines = calloc(n, sizeof *p->lines);
    for (size_t i = 0, line = 1; p->lines && i < p->n_text; i++)
        if (p->text[i] == '\n') p->lines[++line] = i + 1;
    return p->lines != NULL;
}

static bool find_parents(plain *p) {
    p->parent = calloc(p->forms.n, sizeof *p->parent), p->index = calloc(p->forms.n, sizeof *p->index);
    for (uint32_t list = 1; p->parent && p->index && list < p->forms.n; list++) {
        uint32_t i = 0;
        if (form_at(p, list)->token != SB_AU_FORM_LIST) continue;
        for (uint32_t form = form_at(p, list)->first; form; form = next(p, form))
            p->parent[form] = list, p->index[form] = i++;
    }
    return p->parent && p->index;
}

static size_t start_of(const plain *p, uint32_t form) {
    return p->lines[form_at(p, form)->line] + form_at(p, form)->column - 1;
}

static size_t end_of_string(const char *text, size_t at) {
    for (at++; text[at] != '"'; at++) at += text[at] == '\\';
    return at + 1;
}

/* The end of a list, whose parentheses are balanced. */
static size_t end_of_list(const char *text, size_t at) {
    size_t depth = 0;
    do {
        const char c = text[at];
        if (c == ';')
            while (text[at] != '\n') at++;
        else if (c == '"')
            at = end_of_string(text, at);
        else if (c == '(' || c == ')')
            depth += c == '(' ? 1 : (size_t)-1, at++;
        else if (strchr(" \t\n\v\f\r", c))
            at++;
        else
            at += strcspn(text + at, " \t\n\v\f\r()");
    } while (depth);
    return at;
}

static size_t end_of(const plain *p, uint32_t form) {
    const size_t at = start_of(p, form);
    const sb_au_form *f = form_at(p, form);
    if (f->token == SB_AU_FORM_LIST) return end_of_list(p->text, at);
    if (f->token == SB_AU_FORM_STRING) return end_of_string(p->text, at);
    return at + (f->token == SB_AU_FORM_NUMBER ? strcspn(p->text + at, " \t\n\v\f\r()") : f->n);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Makes a name up that the program does not use. */
static const char *fresh(const plain *p, const char *before, const char *name, size_t n, char made[NAME]) {
    snprintf(made, NAME - 8, "%s%.*s", before, (int)(n < 48 ? n : 48), name);
    while (sb_autumn_find_variable(p->program, made, strlen(made)) != sb_autumn_n_variables(p->program))
        strcat(made, "_");
    return made;
}

#define FRESH(name) fresh(p, "", name, strlen(name), (char[NAME]){0})

static bool is_inside(const plain *p, uint32_t form, uint32_t list) {
    while (form && form != list) form = p->parent[form];
    return form == list;
}

/* Whether the program uses a function of worlds outside of the statement `task`. */
static bool uses(const plain *p, const char *name) {
    if (!sb_autumn_has_function(p->program, name)) return false;
    for (uint32_t i = 1; i < p->forms.n; i++)
        if (sb_au_is(&p->forms, form_at(p, i), name) && !is_inside(p, i, p->task)) return true;
    return false;
}

/* ---- Types as functions ------------------------------------------------------------------------------------------ */

static bool stands_for_type(const plain *p, uint32_t form) {
    const uint32_t list = p->parent[form], i = p->index[form];
    if (begins(p, list, "object") && i == 1) return true;
    return ((begins(p, list, ":") || begins(p, list, "..")) && i == 2) || begins(p, list, "List");
}

static bool is_head(const plain *p, uint32_t form) {
    const uint32_t list = p->parent[form];
    return p->index[form] == 0 && (form_at(p, list)->parts > 1 || p->index[list] == 0);
}

/* How many arguments the function takes that a name stands for here, if it is that of a type; 0: it is not. */
static uint32_t arguments_of(const plain *p, uint32_t form) {
    const sb_au_form *f = form_at(p, form);
    if (f->token != SB_AU_FORM_NAME || is_head(p, form) || stands_for_type(p, form)) return 0;
    return sb_autumn_maker_arguments(p->program, p->text + f->text, f->n);
}

static void put_maker_name(const plain *p, uint32_t form) {
    char made[NAME];
    sb_puts(p->out, fresh(p, "make", p->text + form_at(p, form)->text, form_at(p, form)->n, made));
}

static bool same_name(const plain *p, uint32_t a, uint32_t b) {
    const sb_au_form *x = form_at(p, a), *y = form_at(p, b);
    return x->token == y->token && x->n == y->n && memcmp(p->text + x->text, p->text + y->text, x->n) == 0;
}

/* Whether a type was used as a function by an earlier form. */
static bool was_made(const plain *p, uint32_t form) {
    for (uint32_t i = 1; i < form; i++)
        if (arguments_of(p, i) && same_name(p, i, form) && !is_inside(p, i, p->task)) return true;
    return false;
}

static void put_arguments(const plain *p, uint32_t n) {
    char made[NAME];
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        const int length = snprintf(name, sizeof name, "part%u", i + 1);
        sb_putf(p->out, "%s%s", i ? " " : "", fresh(p, "", name, (size_t)length, made));
    }
}

static void put_makers(const plain *p) {
    for (uint32_t i = 1; i < p->forms.n; i++) {
        const uint32_t n = arguments_of(p, i);
        if (!n || is_inside(p, i, p->task) || was_made(p, i)) continue;
        sb_puts(p->out, "  (= "), put_maker_name(p, i), sb_puts(p->out, " (--> ("), put_arguments(p, n);
        sb_putf(p->out, ") (%.*s ", (int)form_at(p, i)->n, p->text + form_at(p, i)->text);
        put_arguments(p, n), sb_puts(p->out, ")))\n");
    }
}

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

static const char *string_at(const plain *p, const sb_au_form *f) { return p->forms.strings + f->text; }

static bool same_string(const plain *p, uint32_t a, uint32_t b) {
    const sb_au_form *x = form_at(p, a), *y = form_at(p, b);
    return x->n == y->n && (!x->n || memcmp(string_at(p, x), string_at(p, y), x->n) == 0);
}

/* Whether a text has several lines, or is too long for the published language as we have it. */
static bool is_long(const plain *p, uint32_t form) {
    const sb_au_form *f = form_at(p, form);
    return f->n && (memchr(string_at(p, f), '\n', f->n) || !sb_autumn_string_fits(string_at(p, f), f->n));
}

static bool is_used_string(const plain *p, uint32_t form) {
    return form_at(p, form)->token == SB_AU_FORM_STRING &&
           (!is_inside(p, form, p->task) || (p->difficulty && is_inside(p, form, p->difficulty)));
}

/* The first text of the program that is the same as this one. */
static uint32_t first_of(const plain *p, uint32_t form) {
    uint32_t i = 1;
    while (!is_used_string(p, i) || !same_string(p, i, form)) i++;
    return i;
}

/* Puts a short text that no other text of the program is. */
static void put_key(const plain *p, uint32_t form) {
    char key[24];
    uint32_t number = 0;
    for (uint32_t i = 1; i <= first_of(p, form); i++)
        number += is_used_string(p, i) && is_long(p, i) && first_of(p, i) == i;
    size_t n = (size_t)snprintf(key, sizeof key, "map %u", number);
    for (uint32_t i = 1; i < p->forms.n && n + 1 < sizeof key; i++) {
        const sb_au_form *f = form_at(p, i);
        if (f->token == SB_AU_FORM_STRING && f->n == n && memcmp(string_at(p, f), key, n) == 0)
            key[n++] = '\'', key[n] = '\0', i = 0;
    }
    sb_putf(p->out, "\"%s\"", key);
}

static void put_string(const plain *p, uint32_t form) {
    const size_t at = start_of(p, form);
    if (is_long(p, form))
        put_key(p, form);
    else
        sb_put_any(p->out, p->text + at, end_of(p, form) - at);
}

/* Whether each call of `places` has a text as its argument of this number. */
static bool are_literal(const plain *p, uint32_t argument) {
    for (uint32_t i = 1; i < p->forms.n; i++)
        if (begins(p, p->parent[i], "places") && p->index[i] == argument && form_at(p, i)->token != SB_AU_FORM_STRING)
            return false;
    return true;
}

/* Whether a text may get to `places` by a variable, a list or a function: not if it is given to another function. */
static bool may_get_around(const plain *p, uint32_t form) {
    static const char *const words[] = {"=", "list", "if", "let", "-->", "fn", "initnext", "uniformChoice"};
    uint32_t list = p->parent[form];
    bool may = is_long(p, form);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) may |= begins(p, list, words[i]);
    for (; list; list = p->parent[list]) may &= !begins(p, list, "Cell");
    return may;
}

static bool is_argument(const plain *p, uint32_t form, uint32_t number) {
    return begins(p, p->parent[form], "places") ? p->index[form] == number
                                                : !are_literal(p, number) && may_get_around(p, form);
}

static bool may_be_map(const plain *p, uint32_t form) { return is_argument(p, form, 1); }
static bool may_be_characters(const plain *p, uint32_t form) { return !is_long(p, form) && is_argument(p, form, 2); }

/* Writes the positions of the characters in a map; returns how many there are. */
static uint32_t put_positions(const plain *p, uint32_t map, uint32_t characters, sb_out *out) {
    const sb_au_form *m = form_at(p, map), *c = form_at(p, characters);
    const char *text = string_at(p, m);
    uint32_t found = 0, x = 0, y = 0;
    for (uint32_t i = m->n && *text == '\n'; i < m->n; i++, x++) {
        if (text[i] == '\n')
            x = UINT32_MAX, y++;
        else if (c->n && memchr(string_at(p, c), text[i], c->n))
            sb_putf(out, "%s(Position %u %u)", found++ ? " " : "", x, y);
    }
    return found;
}

static void put_pair(const plain *p, uint32_t map, uint32_t characters) {
    sb_out positions = sb_out_growing();
    if (put_positions(p, map, characters, &positions)) {
        sb_putf(p->out, "    (if (& (== %s ", FRESH("places_map"));
        put_string(p, map), sb_putf(p->out, ") (== %s ", FRESH("places_of")), put_string(p, characters);
        sb_puts(p->out, ")) then (list (list "), sb_put_out(p->out, &positions), sb_puts(p->out, ")) else (list))\n");
    }
    sb_out_free(&positions);
}

/* A list for each map and each text of characters: the language cannot look into texts. */
static void put_places(const plain *p) {
    sb_putf(p->out, "  (= places (--> (%s %s) (head (concat (list\n", FRESH("places_map"), FRESH("places_of"));
    for (uint32_t i = 1; i < p->forms.n; i++) {
        if (!is_used_string(p, i) || !may_be_map(p, i) || first_of(p, i) != i) continue;
        for (uint32_t k = 1; k < p->forms.n; k++)
            if (is_used_string(p, k) && may_be_characters(p, k) && first_of(p, k) == k) put_pair(p, i, k);
    }
    sb_puts(p->out, "    (list (list)))))))\n");
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static void put_all(const plain *p) {
    const char *f = FRESH("all_test"), *list = FRESH("all_list"), *item = FRESH("all_item");
    sb_putf(p->out, "  (= all (--> (%s %s) (! (any (--> %s (if (%s %s) then false else true)) %s))))\n", f, list, item,
            f, item, list);
}

static void put_count(const plain *p) {
    const char *f = FRESH("count_test"), *list = FRESH("count_list"), *item = FRESH("count_item");
    sb_putf(p->out, "  (= count (--> (%s %s) (sum (map (--> %s (if (%s %s) then 1 else 0)) %s))))\n", f, list, item, f,
            item, list);
}

static void put_take(const plain *p) {
    const char *list = FRESH("take_list"), *n = FRESH("take_n"), *i = FRESH("take_i");
    sb_putf(p->out, "  (= take (--> (%s %s) (map (--> %s (at %s %s)) (range 0 %s))))\n", list, n, i, list, i, n);
}

/* Each draw takes one of the items that are left, and the first of these takes its place, as in worlds. */
static void put_sample(const plain *p) {
    const char *from = FRESH("sample_from"), *n = FRESH("sample_n"), *items = FRESH("sample_items");
    const char *i = FRESH("sample_i"), *drawn = FRESH("sample_drawn"), *k = FRESH("sample_k");
    sb_putf(p->out,
            "  (= sample (--> (%s %s) (let\n"
            "    (= %s (foldl (--> (%s %s) (let\n"
            "      (= %s (uniformChoice (range %s (length %s))))\n",
            from, n, items, items, i, drawn, i, items);
    sb_putf(p->out,
            "      (map (--> %s (at %s (if (== %s %s) then %s else (if (== %s %s) then %s else %s))))\n"
            "        (range 0 (length %s))))) %s (range 0 %s)))\n",
            k, items, k, i, drawn, k, drawn, i, k, items, from, n);
    sb_putf(p->out, "    (map (--> %s (at %s %s)) (range 0 %s)))))\n", k, items, k, n);
}

static void put_shuffle(const plain *p) {
    const char *list = FRESH("shuffle_list");
    sb_putf(p->out, "  (= shuffle (--> %s (sample %s (length %s))))\n", list, list, list);
}

static void put_functions(const plain *p) {
    static const struct {
        const char *name, *also;
        void (*put)(const plain *);
    } functions[FUNCTIONS] = {{"places", "places", put_places},    {"sample", "shuffle", put_sample},
                              {"shuffle", "shuffle", put_shuffle}, {"all", "all", put_all},
                              {"count", "count", put_count},       {"take", "take", put_take}};
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (uses(p, functions[i].name) || uses(p, functions[i].also)) functions[i].put(p);
}

/* ---- The statement `task` ---------------------------------------------------------------------------------------- */

static bool is_parameter(const plain *p, uint32_t form) { return begins(p, form, "="); }

/* Puts the parameters in the order of the first difficulty, with the values of the chosen one. */
static void put_parameters(const plain *p) {
    if (!p->difficulty) return;
    for (uint32_t i = behind_word(p, p->first_difficulty); i; i = next(p, i)) {
        uint32_t own = behind_word(p, p->difficulty);
        if (!is_parameter(p, i)) continue;
        const uint32_t name = behind_word(p, i);
        while (!is_parameter(p, own) || !same_name(p, behind_word(p, own), name)) own = next(p, own);
        const uint32_t value = next(p, behind_word(p, own));
        sb_putf(p->out, "  (= %.*s ", (int)form_at(p, name)->n, p->text + form_at(p, name)->text);
        if (form_at(p, value)->token == SB_AU_FORM_STRING)
            put_string(p, value);
        else
            sb_put_any(p->out, p->text + start_of(p, value), end_of(p, value) - start_of(p, value));
        sb_puts(p->out, ")\n");
    }
}

static void put_task(const plain *p) {
    const sb_autumn_world *w = sb_autumn_world_of(p->program);
    const sb_au_form *word = p->difficulty ? form_at(p, behind_word(p, p->difficulty)) : NULL;
    sb_putf(p->out, "; The world %s", w->name);
    if (word) sb_putf(p->out, ", difficulty %.*s", (int)word->n, p->text + word->text);
    sb_puts(p->out, ", without the statement `task`.\n");
    put_parameters(p);
    put_functions(p);
    put_makers(p);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static void put_program(const plain *p) {
    size_t at = 0;
    for (uint32_t i = 1; i < p->forms.n; i++) {
        const size_t start = start_of(p, i);
        const bool is_task = i == p->task;
        const bool is_map = form_at(p, i)->token == SB_AU_FORM_STRING && is_long(p, i);
        if (start < at || !(is_task || is_map || arguments_of(p, i))) continue;
        sb_put_any(p->out, p->text + at, start - at);
        at = end_of(p, i);
        is_task ? put_task(p) : is_map ? put_key(p, i) : put_maker_name(p, i);
    }
    sb_put_any(p->out, p->text + at, p->n_text - at);
}

static void find_difficulty(plain *p, size_t number) {
    p->task = behind_word(p, 1);
    for (uint32_t i = behind_word(p, p->task); i; i = next(p, i)) {
        if (!begins(p, i, "difficulty")) continue;
        if (!p->first_difficulty) p->first_difficulty = i;
        if (number-- == 0) p->difficulty = i;
    }
}

bool sb_world_plain(const char *text, size_t n, size_t difficulty, sb_out *out, sb_error *error) {
    const sb_autumn_options options = {.difficulty = difficulty};
    sb_autumn_fault fault;
    plain p = {.text = text, .n_text = n, .out = out};
    sb_autumn_program *program = sb_autumn_load(text, n, &options, &fault);
    bool ok = program || sb_autumn_fail(&fault, "program", error);
    if (ok && !sb_autumn_world_of(program)) ok = sb_fail(error, SB_INVALID, "it is plain: it has no statement `task`");
    if (ok) ok = sb_au_read(&p.forms, text, n, &fault) || sb_autumn_fail(&fault, "program", error);
    p.program = program;
    if (ok) ok = (find_lines(&p) && find_parents(&p)) || sb_fail(error, SB_MEMORY, "out of memory for a program");
    if (ok) find_difficulty(&p, difficulty), put_program(&p);
    sb_au_forms_free(&p.forms);
    free(p.lines), free(p.parent), free(p.index);
    sb_autumn_unload(program);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for a program"));
}
