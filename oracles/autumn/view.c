#include "oracles/autumn/view.h"

#include <stdlib.h>
#include <string.h>

#include "generators/autumn/worlds/tell.h"

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 32;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return mix(hash, 1);
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

typedef struct looking {
    const sb_autumn_state *state;
    sb_autumn_view *view;
    uint32_t n_visited, object;
    int32_t x, y; /* where the first cell of this object that can be seen is */
    uint64_t told;
} looking;

/* Whether the words for the fields surely fit, so that nobody needs to write them. */
static bool is_short(const looking *l, const sb_autumn_drawn *drawn) {
    sb_autumn_told told;
    size_t length = 0;
    for (uint32_t at = 0; sb_autumn_next_told(l->state, drawn, &at, &told);) {
        if (told.kind != SB_AUTUMN_TOLD_TRUTH && told.kind != SB_AUTUMN_TOLD_NUMBER) return false;
        length += strlen(told.name) + sizeof ",  -2147483648";
    }
    return length < SB_AUTUMN_TOLD_MAX;
}

static uint64_t hash_fields(const looking *l, const sb_autumn_drawn *drawn) {
    sb_autumn_told told;
    char text[SB_AUTUMN_TOLD_MAX + 1];
    sb_out out = sb_out_fixed(text, SB_AUTUMN_TOLD_MAX);
    uint64_t hash = 0;
    if (!is_short(l, drawn)) {
        if (!sb_autumn_put_fields(l->state, drawn, false, &out)) return 0;
        text[out.size] = '\0';
        return mix_text(0, text);
    }
    for (uint32_t at = 0; sb_autumn_next_told(l->state, drawn, &at, &told);)
        hash = mix(hash, (uint32_t)told.number + 2);
    return hash;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

static bool is_on_grid(const sb_autumn_view *view, const sb_autumn_cell *cell, size_t *place) {
    *place = (size_t)(uint32_t)cell->y * view->size + (uint32_t)cell->x;
    return (uint32_t)cell->x < view->size && (uint32_t)cell->y < view->size;
}

static void note_top(void *context, const sb_autumn_drawn *drawn) {
    looking *l = context;
    size_t place;
    l->n_visited++;
    if (is_on_grid(l->view, drawn->cell, &place)) l->view->tops[place] = l->n_visited;
}

/* Which cells belong to one object is told, too: so each has its distance from the object's first one. */
static void add_cell(void *context, const sb_autumn_drawn *drawn) {
    looking *l = context;
    size_t place;
    l->n_visited++;
    if (!is_on_grid(l->view, drawn->cell, &place) || l->view->tops[place] != l->n_visited) return;
    if (!l->object || l->object != drawn->object + 1) {
        l->object = drawn->object + 1, l->x = drawn->cell->x, l->y = drawn->cell->y;
        l->told = mix(hash_fields(l, drawn), drawn->type);
    }
    const uint64_t from_first = (uint64_t)(uint32_t)(drawn->cell->x - l->x) << 32 | (uint32_t)(drawn->cell->y - l->y);
    l->view->cells[place] = (uint64_t)(drawn->type + 1) << 32 |
                            (uint32_t)mix_text(mix(l->told, from_first), drawn->colour);
}

static bool make_room(sb_autumn_view *view) {
    const size_t n = (size_t)view->size * view->size + 1;
    if (n > view->room) {
        sb_autumn_view_free(view);
        view->cells = malloc(n * sizeof *view->cells), view->tops = malloc(n * sizeof *view->tops);
        if (!view->cells || !view->tops) return false;
        view->room = n;
    }
    memset(view->cells, 0, n * sizeof *view->cells), memset(view->tops, 0, n * sizeof *view->tops);
    return true;
}

void sb_autumn_view_free(sb_autumn_view *view) {
    free(view->cells), free(view->tops);
    view->cells = NULL, view->tops = NULL, view->room = 0;
}

bool sb_autumn_look(sb_autumn_view *view, const sb_autumn_state *state) {
    const sb_autumn_program *program = sb_autumn_program_of(state);
    looking l = {.state = state, .view = view};
    view->size = sb_autumn_size(state);
    view->ground = (uint32_t)mix_text(0, sb_autumn_string(program, sb_autumn_background(state)));
    if (!make_room(view)) return false;
    sb_autumn_visit(state, note_top, &l);
    l.n_visited = 0;
    sb_autumn_visit(state, add_cell, &l);
    view->hash = mix(view->size, view->ground);
    for (size_t i = 0; i < (size_t)view->size * view->size; i++) view->hash = mix(view->hash, view->cells[i]);
    return true;
}
