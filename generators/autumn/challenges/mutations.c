#include "generators/autumn/challenges/mutations.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/numerals.h"
#include "engine/autumn/reader.h"
#include "generators/autumn/colours.h"

const char *const sb_autumn_mutation_names[SB_AUTUMN_N_MUTATIONS] = {
    "turn", "stride", "drop", "swap", "through", "paint", "when", "target", "fall", "latent", "law"};

typedef struct finder {
    const char *text;
    size_t n;
    sb_au_forms forms;
    const uint32_t *lines; /* by line, from 1: where it begins */
    sb_autumn_mutations *found;
    sb_autumn_unit unit;
    uint32_t number, n_handlers, n_rules;
    bool ok;
} finder;

/* ---- Places in the text ------------------------------------------------------------------------------------------ */

static size_t place_of(const finder *f, uint32_t form) {
    const sb_au_form *at = &f->forms.all[form];
    return f->lines[at->line] + at->column - 1;
}

static size_t end_of_string(const finder *f, size_t at) {
    for (at++; at < f->n && f->text[at] != '"'; at++) at += f->text[at] == '\\';
    return at + 1;
}

/* Where the form that begins at a place ends. */
static size_t end_of(const finder *f, size_t at) {
    size_t depth = 0;
    if (f->text[at] == '"') return end_of_string(f, at);
    if (f->text[at] != '(') {
        while (at < f->n && !strchr(" \t\r\n();\"", f->text[at])) at++;
        return at;
    }
    while (at < f->n) {
        const char c = f->text[at];
        if (c == '"')
            at = end_of_string(f, at);
        else if (c == ';')
            while (at < f->n && f->text[at] != '\n') at++;
        else
            at++;
        depth += c == '(';
        if (c == ')' && --depth == 0) break;
    }
    return at;
}

typedef struct piece {
    const char *at;
    int n;
} piece;

static piece source(const finder *f, uint32_t form) {
    const size_t at = place_of(f, form);
    return (piece){f->text + at, (int)(end_of(f, at) - at)};
}

static uint32_t part(const finder *f, uint32_t form, uint32_t i) {
    uint32_t child = f->forms.all[form].first;
    while (i-- && child) child = f->forms.all[child].next;
    return child;
}

static bool is(const finder *f, uint32_t form, const char *word) {
    return form && f->forms.all[form].token != SB_AU_FORM_LIST && f->forms.all[form].token != SB_AU_FORM_STRING &&
           f->forms.all[form].token != SB_AU_FORM_NUMBER && sb_au_is(&f->forms, &f->forms.all[form], word);
}

static bool begins(const finder *f, uint32_t form, const char *word) {
    return form && f->forms.all[form].token == SB_AU_FORM_LIST && is(f, f->forms.all[form].first, word);
}

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

static char *copy_text(const char *text, size_t n) {
    char *const copy = malloc(n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

static void free_edits(sb_autumn_mutation *m) {
    for (uint32_t i = 0; i < m->n_edits; i++) free(m->edits[i].before), free(m->edits[i].after);
}

static sb_autumn_mutation *add(finder *f, sb_autumn_mutation_kind kind) {
    sb_autumn_mutations *const all = f->found;
    if (!SB_GROW(all->all, all->n + 1, all->capacity)) return f->ok = false, NULL;
    all->all[all->n] = (sb_autumn_mutation){.kind = kind, .unit = f->unit, .number = f->number};
    return &all->all[all->n++];
}

/* Replaces a form by a choice between it and another text. */
static void add_edit(finder *f, sb_autumn_mutation *m, uint32_t form, const sb_out *other) {
    const piece old = source(f, form);
    sb_out after = sb_out_growing();
    if (!m) return;
    sb_puts(&after, "(if SpecialConditionTriggered then ");
    sb_put_out(&after, other);
    sb_puts(&after, " else ");
    sb_put(&after, old.at, (size_t)old.n);
    sb_puts(&after, ")");
    sb_autumn_edit *const edit = &m->edits[m->n_edits++];
    *edit = (sb_autumn_edit){.at = place_of(f, form),
                             .n = (size_t)old.n,
                             .before = copy_text(old.at, (size_t)old.n),
                             .after = sb_out_ok(&after) ? copy_text(after.data, after.size) : NULL};
    f->ok = f->ok && edit->before && edit->after;
    sb_out_free(&after);
}

__attribute__((format(printf, 4, 5))) static void offer(finder *f, sb_autumn_mutation_kind kind, uint32_t form,
                                                        const char *format, ...) {
    char text[8000];
    va_list arguments;
    va_start(arguments, format);
    const int n = sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof text) return; /* a change of so long a text is none that a person would see */
    const sb_out other = {.data = text, .size = (size_t)n, .capacity = sizeof text};
    add_edit(f, add(f, kind), form, &other);
}

#define PIECE(p) (p).n, (p).at

/* The parts of a list from the i-th on, as they stand in the text. */
static piece rest(const finder *f, uint32_t form, uint32_t i) {
    const uint32_t from = part(f, form, i);
    const piece all = source(f, form);
    if (!from) return (piece){"", 0};
    const char *const at = f->text + place_of(f, from);
    return (piece){at, (int)(all.at + all.n - 1 - at)};
}

/* ---- Kinds of mutations ------------------------------------------------------------------------------------------ */

static const char *const moves[][4] = {
    {"moveLeft", "moveUp", "moveRight", "moveDown"},
    {"moveLeftNoCollision", "moveUpNoCollision", "moveRightNoCollision", "moveDownNoCollision"},
    {"moveLeftPos", "moveUpPos", "moveRightPos", "moveDownPos"}};

static void offer_moves(finder *f, uint32_t form) {
    const uint32_t head = part(f, form, 0);
    const piece behind = rest(f, form, 1);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++) {
            if (!is(f, head, moves[i][k])) continue;
            for (size_t turn = 1; turn < 4; turn++)
                offer(f, SB_AUTUMN_TURN, form, "(%s %.*s)", moves[i][(k + turn) % 4], PIECE(behind));
            if (i < 2) offer(f, SB_AUTUMN_THROUGH, form, "(%s %.*s)", moves[1 - i][k], PIECE(behind));
        }
}

/* Functions that are passed by their names: `(map moveLeft list)`. */
static void offer_names(finder *f, uint32_t form) {
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            if (!is(f, form, moves[i][k])) continue;
            offer(f, SB_AUTUMN_TURN, form, "%s", moves[i][(k + 2) % 4]);
            offer(f, SB_AUTUMN_THROUGH, form, "%s", moves[1 - i][k]);
        }
    if (is(f, form, "nextSolid")) offer(f, SB_AUTUMN_FALL, form, "nextLiquid");
    if (is(f, form, "nextLiquid")) offer(f, SB_AUTUMN_FALL, form, "nextSolid");
}

static void offer_fall(finder *f, uint32_t form) {
    const piece behind = rest(f, form, 1);
    if (begins(f, form, "nextSolid")) offer(f, SB_AUTUMN_FALL, form, "(nextLiquid %.*s)", PIECE(behind));
    if (begins(f, form, "nextLiquid")) offer(f, SB_AUTUMN_FALL, form, "(nextSolid %.*s)", PIECE(behind));
}

static void offer_directions(finder *f, uint32_t form) {
    const uint32_t x = part(f, form, 1), y = part(f, form, 2);
    if (!begins(f, form, "Position") || f->forms.all[form].parts != 3) return;
    const sb_au_form *a = &f->forms.all[x], *b = &f->forms.all[y];
    if (a->token == SB_AU_FORM_NUMBER && b->token == SB_AU_FORM_NUMBER && abs(a->number) + abs(b->number) == 1) {
        offer(f, SB_AUTUMN_TURN, form, "(Position %d %d)", -b->number, a->number);
        offer(f, SB_AUTUMN_TURN, form, "(Position %d %d)", -a->number, -b->number);
        offer(f, SB_AUTUMN_TURN, form, "(Position %d %d)", b->number, -a->number);
    } else if (a->token != SB_AU_FORM_NUMBER || b->token != SB_AU_FORM_NUMBER) {
        const piece px = source(f, x), py = source(f, y);
        offer(f, SB_AUTUMN_TARGET, form, "(Position (+ %.*s 1) %.*s)", PIECE(px), PIECE(py));
    }
}

static void offer_numbers(finder *f, uint32_t form) {
    const sb_au_form *number = &f->forms.all[form];
    if (number->token != SB_AU_FORM_NUMBER || abs(number->number) > 1000) return;
    offer(f, SB_AUTUMN_STRIDE, form, "%d", number->number + 1);
    offer(f, SB_AUTUMN_STRIDE, form, "%d", number->number - 1);
    if (abs(number->number) > 1) offer(f, SB_AUTUMN_STRIDE, form, "%d", 2 * number->number);
}

static bool is_colour(const finder *f, uint32_t form, char name[32]) {
    const sb_au_form *string = &f->forms.all[form];
    if (string->token != SB_AU_FORM_STRING || string->n == 0 || string->n >= 32) return false;
    memcpy(name, f->forms.strings + string->text, string->n);
    name[string->n] = '\0';
    return sb_colour_find(name, false) != SB_OTHER_COLOUR;
}

/* Another colour that the program names somewhere. */
static void offer_paints(finder *f, uint32_t form) {
    enum { OTHERS = 3 };
    char old[32], other[32];
    int offered = 0;
    if (!is_colour(f, form, old)) return;
    for (uint32_t i = 1; i < f->forms.n && offered < OTHERS; i++) {
        const uint32_t at = 1 + (form + i) % (uint32_t)(f->forms.n - 1);
        if (!is_colour(f, at, other) || strcmp(old, other) == 0) continue;
        offer(f, SB_AUTUMN_PAINT, form, "\"%s\"", other);
        offered++;
    }
}

static void offer_conditions(finder *f, uint32_t form) {
    static const char *const opposites[][2] = {{"==", "!="}, {"!=", "=="}, {"<", "<="}, {"<=", "<"},
                                               {">", ">="},  {">=", ">"},  {"&", "|"},  {"|", "&"}};
    const piece behind = rest(f, form, 1);
    if (f->forms.all[form].parts == 3)
        for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
            if (begins(f, form, opposites[i][0]))
                offer(f, SB_AUTUMN_WHEN, form, "(%s %.*s)", opposites[i][1], PIECE(behind));
    if (f->forms.all[form].parts == 3 && begins(f, form, "&"))
        for (uint32_t i = 1; i <= 2; i++) {
            const piece one = source(f, part(f, form, i));
            offer(f, SB_AUTUMN_WHEN, form, "%.*s", PIECE(one));
        }
    if (f->forms.all[form].parts == 2 && begins(f, form, "!")) {
        const piece one = source(f, part(f, form, 1));
        offer(f, SB_AUTUMN_WHEN, form, "%.*s", PIECE(one));
    }
}

static void offer_sums(finder *f, uint32_t form) {
    const piece behind = rest(f, form, 1);
    if (f->forms.all[form].parts != 3 || !(begins(f, form, "+") || begins(f, form, "-"))) return;
    const piece first = source(f, part(f, form, 1));
    offer(f, SB_AUTUMN_LATENT, form, "(%c %.*s)", begins(f, form, "+") ? '-' : '+', PIECE(behind));
    offer(f, SB_AUTUMN_LATENT, form, "%.*s", PIECE(first));
}

static void offer_targets(finder *f, uint32_t form) {
    if (!begins(f, form, "clicked") || f->forms.all[form].parts != 2) return;
    const piece mine = source(f, part(f, form, 1));
    for (uint32_t i = 1; i < f->forms.n; i++) {
        if (!begins(f, i, "clicked") || f->forms.all[i].parts != 2) continue;
        const piece other = source(f, part(f, i, 1));
        if (other.n != mine.n || memcmp(other.at, mine.at, (size_t)mine.n) != 0)
            offer(f, SB_AUTUMN_TARGET, form, "(clicked %.*s)", PIECE(other));
    }
}

static void offer_laws(finder *f, uint32_t form) {
    const uint32_t of = part(f, form, 1);
    if (!begins(f, form, "uniformChoice") || f->forms.all[form].parts != 2) return;
    const piece list = source(f, of);
    if (begins(f, of, "range") && f->forms.all[of].parts == 3) {
        const piece a = source(f, part(f, of, 1)), b = source(f, part(f, of, 2));
        offer(f, SB_AUTUMN_LAW, of, "(range %.*s (+ %.*s 1))", PIECE(a), PIECE(b));
    } else if (begins(f, of, "adjPositions") && f->forms.all[of].parts == 2) {
        const piece at = source(f, part(f, of, 1));
        offer(f, SB_AUTUMN_LAW, of, "(addObj %.*s (movePos %.*s (Position 1 1)))", PIECE(list), PIECE(at));
    } else if (begins(f, of, "list") && f->forms.all[part(f, of, 1)].token == SB_AU_FORM_NUMBER) {
        int32_t most = INT32_MIN;
        for (uint32_t i = 1; i < f->forms.all[of].parts; i++)
            if (f->forms.all[part(f, of, i)].number > most) most = f->forms.all[part(f, of, i)].number;
        offer(f, SB_AUTUMN_LAW, of, "(addObj %.*s %d)", PIECE(list), most + 1);
    }
}

/* ---- Walking over the program ------------------------------------------------------------------------------------ */

static void walk(finder *f, uint32_t form) {
    const sb_au_form *at = &f->forms.all[form];
    if (at->token == SB_AU_FORM_NUMBER) offer_numbers(f, form);
    if (at->token == SB_AU_FORM_STRING) offer_paints(f, form);
    if (at->token == SB_AU_FORM_NAME) offer_names(f, form);
    if (at->token != SB_AU_FORM_LIST || !at->first) return;
    offer_moves(f, form), offer_fall(f, form), offer_directions(f, form), offer_conditions(f, form);
    offer_sums(f, form), offer_targets(f, form), offer_laws(f, form);
    /* The names of what is called, assigned or bound are no expressions. */
    uint32_t from = 0;
    if (f->forms.all[at->first].token != SB_AU_FORM_LIST) from = 1;
    if (begins(f, form, "=") || begins(f, form, "-->") || begins(f, form, "fn") || begins(f, form, ":")) from = 2;
    for (uint32_t i = from; i < f->forms.all[form].parts; i++)
        if (!(begins(f, form, "..") && i == 2)) walk(f, part(f, form, i));
}

/* Offers to exchange the body of a handler with that of each later handler. */
static void offer_swaps(finder *f, uint32_t handler) {
    for (uint32_t other = f->forms.all[handler].next; other; other = f->forms.all[other].next) {
        if (!begins(f, other, "on")) continue;
        const piece a = source(f, part(f, handler, 2)), b = source(f, part(f, other, 2));
        sb_autumn_mutation *const m = add(f, SB_AUTUMN_SWAP);
        add_edit(f, m, part(f, handler, 2),
                 &(sb_out){.data = (char *)(uintptr_t)b.at, .size = (size_t)b.n, .capacity = (size_t)b.n});
        add_edit(f, m, part(f, other, 2),
                 &(sb_out){.data = (char *)(uintptr_t)a.at, .size = (size_t)a.n, .capacity = (size_t)a.n});
    }
}

static void walk_statement(finder *f, uint32_t form) {
    f->unit = SB_AUTUMN_ELSEWHERE, f->number = 0;
    if (begins(f, form, "on")) {
        f->unit = SB_AUTUMN_IN_HANDLER, f->number = f->n_handlers++;
        walk(f, part(f, form, 1)), walk(f, part(f, form, 2));
        offer(f, SB_AUTUMN_DROP, part(f, form, 2), "false");
        offer_swaps(f, form);
    } else if (begins(f, form, "object")) {
        for (uint32_t i = 2; i < f->forms.all[form].parts; i++)
            if (!begins(f, part(f, form, i), ":")) walk(f, part(f, form, i));
    } else if (begins(f, form, "=") && begins(f, part(f, form, 2), "initnext")) {
        const uint32_t rule = part(f, part(f, form, 2), 2);
        const piece name = source(f, part(f, form, 1));
        f->unit = SB_AUTUMN_IN_RULE, f->number = f->n_rules++;
        walk(f, rule);
        if (!begins(f, rule, "prev")) offer(f, SB_AUTUMN_DROP, rule, "(prev %.*s)", PIECE(name));
    } else if (begins(f, form, "=") && (begins(f, part(f, form, 2), "-->") || begins(f, part(f, form, 2), "fn"))) {
        walk(f, part(f, part(f, form, 2), 2));
    }
}

static uint32_t *find_lines(const char *text, size_t n) {
    size_t lines = 2;
    for (size_t i = 0; i < n; i++) lines += text[i] == '\n';
    uint32_t *const starts = calloc(lines + 1, sizeof *starts);
    for (size_t i = 0, line = 1; starts && i < n; i++)
        if (text[i] == '\n') starts[++line] = (uint32_t)i + 1;
    return starts;
}

bool sb_autumn_mutations_find(const char *text, size_t n, sb_autumn_mutations *mutations) {
    sb_autumn_fault fault;
    uint32_t *const lines = find_lines(text, n);
    finder f = {.text = text, .n = n, .found = mutations, .lines = lines};
    *mutations = (sb_autumn_mutations){0};
    f.ok = lines && sb_au_read(&f.forms, text, n, &fault);
    for (uint32_t form = f.ok ? part(&f, 1, 1) : 0; form && f.ok; form = f.forms.all[form].next)
        walk_statement(&f, form);
    sb_au_forms_free(&f.forms);
    free(lines);
    if (!f.ok) sb_autumn_mutations_free(mutations);
    return f.ok;
}

void sb_autumn_mutations_free(sb_autumn_mutations *mutations) {
    for (size_t i = 0; i < mutations->n; i++) free_edits(&mutations->all[i]);
    free(mutations->all);
    *mutations = (sb_autumn_mutations){0};
}

bool sb_autumn_mutated(const char *text, size_t n, const sb_autumn_edit *edits, size_t n_edits, sb_out *out) {
    size_t at = 0;
    for (size_t i = 0; i < n_edits; i++) {
        const sb_autumn_edit *e = &edits[i];
        if (e->at < at || e->at > n || e->n > n - e->at || strlen(e->before) != e->n) return false;
        if (memcmp(text + e->at, e->before, e->n) != 0) return false;
        sb_put(out, text + at, e->at - at);
        sb_puts(out, e->after);
        at = e->at + e->n;
    }
    sb_put(out, text + at, n - at);
    return true;
}
