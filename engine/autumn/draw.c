#include "engine/autumn/draw.h"

#include <string.h>

#include "engine/autumn/evaluate.h"
#include "engine/autumn/grow.h"

static bool no_memory(sb_autumn_state *m) { return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false; }

/* Pushes the cells of a variable. */
static bool draw_variable(sb_autumn_state *m, uint32_t symbol) {
    const sb_au_value v = m->globals[symbol];
    const size_t from = m->n_cells;
    sb_au_drawing *const d = &m->next;
    if (v.kind != SB_AU_OBJECT && v.kind != SB_AU_LIST) return true;
    if (!sb_au_push_cells(m, v, false)) return false;
    if (m->n_cells == from) return true;
    if (!SB_AU_GROW(d->layers, d->n_layers + 1, d->layers_capacity)) return no_memory(m);
    d->layers[d->n_layers++] = (sb_autumn_layer){
        .variable = symbol, .first = (uint32_t)from, .n = (uint32_t)(m->n_cells - from)};
    return true;
}

/* First the ruled variables in program order, then all others in order of their definition. */
static bool draw_variables(sb_autumn_state *m) {
    const sb_autumn_program *p = m->program;
    for (size_t i = 0; i < p->n_rules; i++)
        if (!draw_variable(m, p->rules[i].symbol)) return false;
    for (uint32_t i = 0; p->names_objects && i < SB_AU_N_LIBRARY; i++)
        if (!p->ruled[i] && !draw_variable(m, i)) return false;
    for (uint32_t i = 0; i < m->core.n_defined; i++)
        if (!p->ruled[m->defined[i]] && !draw_variable(m, m->defined[i])) return false;
    return true;
}

static bool read_grid(sb_autumn_state *m) {
    const sb_au_value size = m->globals[SB_AU_GRID_SIZE], background = m->globals[SB_AU_background];
    if (size.kind != SB_AU_NUMBER)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "GRID_SIZE must be a number, not %s", sb_au_kind_name(size)), false;
    if (size.number > SB_AUTUMN_SIZE_MAX)
        return sb_au_fail(m, SB_AUTUMN_LIMIT, "GRID_SIZE must be at most %d", SB_AUTUMN_SIZE_MAX), false;
    if (background.kind != SB_AU_STRING)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "background must be a string, not %s", sb_au_kind_name(background)), false;
    m->next.size = size.number > 0 ? (uint32_t)size.number : 0;
    m->next.background = background.at;
    return true;
}

static bool mark_occupied(sb_autumn_state *m) {
    sb_au_drawing *const d = &m->next;
    const size_t words = ((size_t)d->size * d->size + 63) / 64;
    if (!SB_AU_GROW(d->occupied, words, d->occupied_capacity)) return no_memory(m);
    if (words) memset(d->occupied, 0, words * sizeof *d->occupied);
    d->n_outside = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const uint32_t x = (uint32_t)d->cells[i].x, y = (uint32_t)d->cells[i].y;
        if (x < d->size && y < d->size)
            d->occupied[(y * d->size + x) / 64] |= (uint64_t)1 << ((y * d->size + x) % 64);
        else
            d->n_outside++;
    }
    return true;
}

/* The cells were pushed onto m->cells, which becomes the drawing's array. */
static void take_cells(sb_autumn_state *m) {
    sb_autumn_cell *const cells = m->next.cells;
    const size_t capacity = m->next.cells_capacity;
    m->next.cells = m->cells, m->next.cells_capacity = m->cells_capacity, m->next.n_cells = m->n_cells;
    m->cells = cells, m->cells_capacity = capacity, m->n_cells = 0;
}

/* Where cells depend on variables only, and no variable has changed, neither has the drawing. */
static bool is_unchanged(const sb_autumn_state *m) {
    return m->started && m->program->plain_cells && !m->changed_in_place && !m->order_saved &&
           memcmp(m->globals, m->prev, m->program->names.n * sizeof *m->globals) == 0;
}

bool sb_au_draw_frame(sb_autumn_state *m) {
    if (is_unchanged(m)) return true;
    m->next.n_layers = m->n_cells = 0;
    m->all_free = true;
    const bool ok = read_grid(m) && draw_variables(m);
    m->all_free = false;
    if (!ok) return false;
    take_cells(m);
    if (!mark_occupied(m)) return false;
    const sb_au_drawing drawn = m->next;
    m->next = m->drawing;
    m->drawing = drawn;
    return true;
}
