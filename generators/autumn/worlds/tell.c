#include "generators/autumn/worlds/tell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/visible.h"
#include "engine/autumn/scene.h"
#include "generators/autumn/challenges/test.h"

/* How a cell looks: the object's type, the colour, and what is told of the object. */
typedef struct look {
    uint64_t hash[2]; /* hash of the whole look */
    uint32_t type;    /* 0: a colour, and no object */
    const char *colour, *type_name;
    size_t words, json; /* where its told fields are in `texts`, as words and as JSON; they end with NUL */
    char wish[4];       /* what its sign should be, best first */
    char sign;
} look;

/* A cell that can be seen. */
typedef struct part {
    uint32_t object, look, place; /* place: y * size + x */
} part;

typedef struct scene {
    const sb_autumn_episode *e;
    uint32_t size;
    uint32_t *tops; /* by place: how many drawn cells there were when the last one was drawn there; 0: none */
    uint32_t n_visited;
    part *parts;
    look *looks;
    uint32_t *slots; /* by hash: the number of a look, + 1; 0: free. There are twice as many as looks have room */
    size_t n_parts, n_looks, looks_room;
    sb_out texts;
    bool failed;
} scene;

/* ---- Looks ------------------------------------------------------------------------------------------------------- */

bool sb_autumn_put_fields(const sb_autumn_state *state, const sb_autumn_drawn *drawn, bool json, sb_out *out) {
    sb_autumn_told told;
    for (uint32_t at = 0; sb_autumn_next_told(state, drawn, &at, &told);) {
        if (json) {
            sb_put_key(out, told.name);
        } else {
            if (out->size) sb_puts(out, ", ");
            sb_put_visible(out, told.name);
            sb_puts(out, " ");
        }
        sb_autumn_put_told(state, &told, json, out);
    }
    return sb_out_ok(out);
}

static size_t keep_fields(scene *s, const sb_autumn_drawn *drawn, bool json) {
    char text[SB_AUTUMN_TOLD_MAX];
    sb_out out = sb_out_fixed(text, sizeof text);
    const size_t at = s->texts.size;
    out.last = '{';
    if (sb_autumn_put_fields(s->e->state, drawn, json, &out)) sb_put(&s->texts, text, out.size);
    sb_putc(&s->texts, '\0');
    return at;
}

/* A digit for an object whose only told number is one, then the first letter of a told text, then that of the type: a
 * small one if all told truth values are false. */
static void wish_for_sign(const sb_autumn_state *state, const sb_autumn_drawn *drawn, look *l) {
    sb_autumn_told told;
    int32_t number = -1;
    uint32_t n_numbers = 0, n_truths = 0, n_true = 0;
    size_t n = 0;
    const char *text = NULL;
    for (uint32_t at = 0; sb_autumn_next_told(state, drawn, &at, &told);) {
        if (told.kind == SB_AUTUMN_TOLD_NUMBER) number = told.number, n_numbers++;
        if (told.kind == SB_AUTUMN_TOLD_TRUTH) n_truths++, n_true += told.number != 0;
        if (told.kind == SB_AUTUMN_TOLD_TEXT && !text) text = told.text;
    }
    if (n_numbers == 1 && number >= 0 && number <= 9) l->wish[n++] = (char)('0' + number);
    if (text && isalpha((unsigned char)*text)) l->wish[n++] = *text;
    l->wish[n++] = (char)(n_truths && !n_true ? tolower : toupper)((unsigned char)*l->type_name);
    l->wish[n] = '\0';
}

/* The slot of a look, which is free if the look is new. */
static uint32_t *slot_of(const scene *s, const look *l) {
    const size_t mask = 2 * s->looks_room - 1;
    size_t i = l->hash[0] & mask;
    while (s->slots[i] && memcmp(s->looks[s->slots[i] - 1].hash, l->hash, sizeof l->hash) != 0) i = (i + 1) & mask;
    return &s->slots[i];
}

static bool make_room(scene *s) {
    if (s->n_looks < s->looks_room) return true;
    const size_t room = s->looks_room ? 2 * s->looks_room : 32;
    look *looks = realloc(s->looks, room * sizeof *looks);
    if (looks) s->looks = looks;
    free(s->slots);
    s->slots = calloc(2 * room, sizeof *s->slots);
    if (!looks || !s->slots) return false;
    s->looks_room = room;
    for (size_t i = 0; i < s->n_looks; i++) *slot_of(s, &s->looks[i]) = (uint32_t)i + 1;
    return true;
}

/* Returns the number of a look, which is added if it is new. */
static uint32_t number_of(scene *s, const look *l) {
    if (!make_room(s)) return s->failed = true, 0;
    uint32_t *slot = slot_of(s, l);
    if (!*slot) s->looks[s->n_looks++] = *l, *slot = (uint32_t)s->n_looks;
    return *slot - 1;
}

static uint32_t look_of_colour(scene *s, const char *colour) {
    look l = {.colour = colour, .wish = {colour ? *colour : '?'}};
    const char *name = colour ? colour : "?";
    sb_hash128(name, strlen(name), l.hash);
    return number_of(s, &l);
}

static uint32_t look_of_object(scene *s, const sb_autumn_drawn *drawn) {
    const sb_autumn_program *program = s->e->compiled->program;
    const size_t before = s->texts.size;
    look l = {.type = drawn->type, .type_name = sb_autumn_type_name(program, drawn->type), .colour = drawn->colour};
    l.words = keep_fields(s, drawn, false), l.json = keep_fields(s, drawn, true);
    sb_puts(&s->texts, l.colour);
    sb_put(&s->texts, (const char *)&l.type, sizeof l.type);
    if (!sb_out_ok(&s->texts)) return s->failed = true, 0;
    sb_hash128(s->texts.data + before, s->texts.size - before, l.hash);
    wish_for_sign(s->e->state, drawn, &l);
    const size_t n = s->n_looks;
    const uint32_t number = number_of(s, &l);
    if (n == s->n_looks) s->texts.size = before; /* the look was known */
    return number;
}

/* ---- What can be seen -------------------------------------------------------------------------------------------- */

static bool is_on_grid(const scene *s, const sb_autumn_cell *cell, uint32_t *place) {
    *place = (uint32_t)cell->y * s->size + (uint32_t)cell->x;
    return (uint32_t)cell->x < s->size && (uint32_t)cell->y < s->size;
}

static void note_top(void *context, const sb_autumn_drawn *drawn) {
    scene *s = context;
    uint32_t place;
    s->n_visited++;
    if (is_on_grid(s, drawn->cell, &place)) s->tops[place] = s->n_visited;
}

static void add_part(scene *s, uint32_t object, uint32_t number, uint32_t place) {
    s->parts[s->n_parts++] = (part){.object = object, .look = number, .place = place};
}

static void add_visible(void *context, const sb_autumn_drawn *drawn) {
    scene *s = context;
    uint32_t place;
    s->n_visited++;
    if (s->failed || !is_on_grid(s, drawn->cell, &place) || s->tops[place] != s->n_visited) return;
    add_part(s, drawn->object, look_of_object(s, drawn), place);
}

static void see_objects(scene *s) {
    sb_autumn_visit(s->e->state, note_top, s);
    s->n_visited = 0;
    sb_autumn_visit(s->e->state, add_visible, s);
}

/* Cells in the colour of the background are no parts, as if nothing were there. */
static void see_colours(scene *s) {
    const char *row[SB_AUTUMN_SIZE_MAX];
    const char *background = sb_autumn_string(s->e->compiled->program, sb_autumn_background(s->e->state));
    for (uint32_t y = 0; y < s->size; y++) {
        sb_autumn_shown_row(s->e, y, row);
        for (uint32_t x = 0; x < s->size && !s->failed; x++) {
            if (row[x] && strcmp(row[x], background) == 0) continue;
            const uint32_t number = look_of_colour(s, row[x]);
            add_part(s, number, number, y * s->size + x);
        }
    }
}

static bool shows_objects(const sb_autumn_episode *e) { return e->task->world && !e->test; }

static bool see(scene *s, const sb_autumn_episode *e) {
    const uint32_t size = sb_autumn_shown_size(e);
    const size_t places = (size_t)size * size + 1;
    *s = (scene){.e = e, .size = size, .texts = sb_out_growing()};
    s->tops = calloc(places, sizeof *s->tops);
    s->parts = malloc(places * sizeof *s->parts);
    s->failed = !s->tops || !s->parts;
    if (!s->failed) (shows_objects(e) ? see_objects : see_colours)(s);
    return !s->failed;
}

static void forget(scene *s) {
    free(s->tops), free(s->parts), free(s->looks), free(s->slots);
    sb_out_free(&s->texts);
}

static const char *words_of(const scene *s, const look *l) { return l->type ? s->texts.data + l->words : ""; }

/* ---- Orders ------------------------------------------------------------------------------------------------------ */

/* The order in which the program keeps objects may tell what is hidden, so nothing is told in it. */
static int compare_looks(const scene *s, const look *a, const look *b) {
    if (a->type != b->type) return a->type < b->type ? -1 : 1;
    const int fields = strcmp(words_of(s, a), words_of(s, b));
    if (fields) return fields;
    if (!a->colour || !b->colour) return (a->colour != NULL) - (b->colour != NULL);
    return strcmp(a->colour, b->colour);
}

/* A look in an order. */
typedef struct ranked {
    const scene *s;
    look *its;
} ranked;

/* Looks whose words are the same stay in their order. */
static int compare_ranked(const void *a_, const void *b_) {
    const ranked *a = a_, *b = b_;
    const int order = compare_looks(a->s, a->its, b->its);
    return order ? order : (a->its > b->its) - (a->its < b->its);
}

/* Sorts all looks. NULL: out of memory. */
static ranked *sort_looks(const scene *s) {
    ranked *order = malloc((s->n_looks + 1) * sizeof *order);
    for (size_t i = 0; order && i < s->n_looks; i++) order[i] = (ranked){.s = s, .its = &s->looks[i]};
    if (order) qsort(order, s->n_looks, sizeof *order, compare_ranked);
    return order;
}

/* ---- The map ----------------------------------------------------------------------------------------------------- */

static const char signs[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#@$%&*+=<>^~!|/;:-_\"'`,()[]{}";
enum { NOTHING = '.', NO_SIGN_LEFT = '?' };

static bool take(look *l, char sign, bool *taken) {
    if (!strchr(signs, sign) || taken[(unsigned char)sign]) return false;
    taken[(unsigned char)sign] = true;
    return l->sign = sign, true;
}

/* The first wish that is free, else a letter of the type's name or colour, else what is left. */
static void choose_sign(look *l, bool *taken) {
    const char *all[] = {l->wish, l->type_name, l->colour, signs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const char *c = all[i]; *c; c++) {
            if (take(l, *c, taken)) return;
            if (i && take(l, (char)(isupper((unsigned char)*c) ? tolower : toupper)((unsigned char)*c), taken)) return;
        }
    l->sign = NO_SIGN_LEFT;
}

static void put_legend(const scene *s, const ranked *order, sb_out *out) {
    sb_putf(out, "\n%c nothing", NOTHING);
    for (size_t i = 0; i < s->n_looks; i++) {
        const look *l = order[i].its;
        const char *words = words_of(s, l);
        sb_putc(out, '\n'), sb_putc(out, l->sign), sb_putc(out, ' ');
        sb_put_visible(out, l->type_name);
        sb_puts(out, " (");
        sb_put_visible(out, l->colour);
        sb_puts(out, *words ? ", " : ""), sb_puts(out, words), sb_putc(out, ')');
    }
}

static void put_rows(const scene *s, sb_out *out) {
    char row[SB_AUTUMN_SIZE_MAX];
    for (size_t i = 0; i < s->n_parts; i++) s->tops[s->parts[i].place] = s->parts[i].look + 1;
    for (uint32_t y = 0; y < s->size; y++) {
        for (uint32_t x = 0; x < s->size; x++) {
            const uint32_t top = s->tops[y * s->size + x];
            row[x] = top ? s->looks[top - 1].sign : NOTHING;
        }
        sb_puts(out, "\n");
        sb_put(out, row, s->size);
    }
}

static void put_sentence(const sb_autumn_episode *e, sb_out *out) {
    const sb_autumn_world *w = e->task->world;
    sb_put_visible(out, *w->says ? w->says : w->name);
}

void sb_autumn_put_map(const sb_autumn_episode *e, sb_out *out) {
    scene s;
    bool taken[256] = {false};
    ranked *order = see(&s, e) ? sort_looks(&s) : NULL;
    if (order) {
        for (size_t i = 0; i < s.n_looks; i++) choose_sign(order[i].its, taken);
        put_sentence(e, out);
        put_rows(&s, out);
        put_legend(&s, order, out);
    } else {
        out->failed = true;
    }
    free(order);
    forget(&s);
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

/* An object that can be seen: parts[first ... first + n - 1]. */
typedef struct thing {
    const scene *s;
    uint32_t first, n;
} thing;

static const part *part_of(const thing *t, uint32_t i) { return &t->s->parts[t->first + i]; }
static const look *look_of(const thing *t, uint32_t i) { return &t->s->looks[part_of(t, i)->look]; }

static int compare_things(const void *a_, const void *b_) {
    const thing *a = a_, *b = b_;
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        const int order = compare_looks(a->s, look_of(a, i), look_of(b, i));
        if (order) return order;
    }
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    return (part_of(a, 0)->place > part_of(b, 0)->place) - (part_of(a, 0)->place < part_of(b, 0)->place);
}

static int compare_places(const void *a_, const void *b_) {
    const part *a = a_, *b = b_;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_objects(const void *a_, const void *b_) {
    const part *a = a_, *b = b_;
    return a->object != b->object ? (a->object > b->object) - (a->object < b->object) : compare_places(a_, b_);
}

/* The objects that can be seen, in an order that what can be seen decides. NULL: out of memory. */
static thing *things_of(const scene *s, size_t *n) {
    thing *things = malloc((s->n_parts + 1) * sizeof *things);
    *n = 0;
    /* Cells of one colour are one thing; a world's objects were visited one by one. */
    if (!shows_objects(s->e)) qsort(s->parts, s->n_parts, sizeof *s->parts, compare_objects);
    for (uint32_t i = 0; things && i < s->n_parts; i += things[*n - 1].n) {
        thing *t = &things[(*n)++];
        *t = (thing){.s = s, .first = i, .n = 1};
        while (i + t->n < s->n_parts && s->parts[i + t->n].object == s->parts[i].object) t->n++;
        qsort(s->parts + i, t->n, sizeof *s->parts, compare_places);
    }
    if (things) qsort(things, *n, sizeof *things, compare_things);
    return things;
}

static bool look_alike(const thing *a, const thing *b) {
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) same = part_of(a, i)->look == part_of(b, i)->look;
    return same;
}

/* ---- Sentences --------------------------------------------------------------------------------------------------- */

/* `Wall (dimgray)`; a thing without a type is called by its colour. */
static void put_heading(const thing *t, sb_out *out) {
    const look *l = look_of(t, 0);
    const char *words = words_of(t->s, l);
    if (!l->type) {
        sb_put_visible(out, l->colour ? l->colour : "masked");
        return;
    }
    sb_put_visible(out, l->type_name);
    sb_puts(out, " (");
    for (uint32_t i = 0; i < t->n; i++) {
        if (i && look_of(t, i) == look_of(t, i - 1)) continue;
        if (i) sb_puts(out, ", ");
        sb_put_visible(out, look_of(t, i)->colour);
    }
    sb_puts(out, *words ? ", " : ""), sb_puts(out, words), sb_putc(out, ')');
}

/* Cells of one object are joined. */
static void put_places(const thing *t, sb_out *out) {
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t place = part_of(t, i)->place;
        sb_puts(out, !i ? "(" : look_of(t, 0)->type ? "+(" : ", (");
        sb_put_uint(out, place % t->s->size), sb_puts(out, ", "), sb_put_uint(out, place / t->s->size),
            sb_putc(out, ')');
    }
}

static void put_things(const thing *things, size_t n, sb_out *out) {
    for (size_t i = 0; i < n; i++) {
        if (!i || !look_alike(&things[i - 1], &things[i])) {
            sb_puts(out, "\n");
            put_heading(&things[i], out);
            sb_puts(out, ": ");
        } else {
            sb_puts(out, ", ");
        }
        put_places(&things[i], out);
    }
}

void sb_autumn_put_words(const sb_autumn_episode *e, sb_out *out) {
    scene s;
    size_t n;
    thing *things = see(&s, e) ? things_of(&s, &n) : NULL;
    if (things) {
        if (shows_objects(e)) put_sentence(e, out), sb_puts(out, "\n");
        sb_putf(out, "The grid is %u wide and high; (0, 0) is its top left corner, (1, 0) is right of it. ", s.size);
        sb_puts(out, "All else is ");
        sb_put_visible(out, sb_autumn_string(e->compiled->program, sb_autumn_background(e->state)));
        sb_puts(out, ".");
        put_things(things, n, out);
    } else {
        out->failed = true;
    }
    free(things);
    forget(&s);
}

/* ---- The document ------------------------------------------------------------------------------------------------ */

static void put_cells(const thing *t, sb_out *out) {
    sb_put_key(out, "cells");
    sb_puts(out, "[");
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t place = part_of(t, i)->place;
        const char *colour = look_of(t, i)->colour;
        sb_puts(out, i ? ", [" : "[");
        sb_put_uint(out, place % t->s->size), sb_puts(out, ", "), sb_put_uint(out, place / t->s->size),
            sb_puts(out, ", ");
        if (colour)
            sb_put_json_string(out, colour);
        else
            sb_puts(out, "null");
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

static void put_object(const thing *t, sb_out *out) {
    const look *l = look_of(t, 0);
    sb_put_comma(out);
    sb_puts(out, "{");
    if (l->type) {
        sb_member_text(out, "type", l->type_name);
        sb_put_key(out, "told");
        sb_putc(out, '{'), sb_puts(out, t->s->texts.data + l->json), sb_putc(out, '}');
    }
    put_cells(t, out);
    sb_puts(out, "}");
}

void sb_autumn_put_objects(const sb_autumn_episode *e, sb_out *out) {
    scene s;
    size_t n;
    thing *things = see(&s, e) ? things_of(&s, &n) : NULL;
    if (things) {
        sb_puts(out, "{");
        if (shows_objects(e)) {
            sb_member_text(out, "world", e->task->world->name);
            sb_member_text(out, "says", e->task->world->says);
        }
        sb_member_uint(out, "size", s.size);
        sb_member_text(out, "background", sb_autumn_string(e->compiled->program, sb_autumn_background(e->state)));
        sb_put_key(out, "objects");
        sb_puts(out, "[");
        for (size_t i = 0; i < n; i++) put_object(&things[i], out);
        sb_puts(out, "]}");
    } else {
        out->failed = true;
    }
    free(things);
    forget(&s);
}
