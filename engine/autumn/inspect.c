#include "engine/autumn/inspect.h"

#include <string.h>

#include "engine/autumn/state.h"
#include "engine/autumn/task.h"

static sb_autumn_place place_of(const sb_autumn_program *p, uint32_t node) {
    return (sb_autumn_place){p->places[node].line, p->places[node].column};
}

sb_autumn_place sb_autumn_handler_place(const sb_autumn_program *p, size_t handler) {
    return place_of(p, p->handlers[handler].condition);
}

sb_autumn_place sb_autumn_draw_place(const sb_autumn_program *p) { return place_of(p, p->draws_at); }

sb_autumn_place sb_autumn_definition_place(const sb_autumn_program *p, uint32_t variable) {
    for (size_t i = 0; i < p->n_rules; i++)
        if (p->rules[i].symbol == variable) return place_of(p, p->rules[i].first);
    for (uint32_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].op == SB_AU_OP_ASSIGN && p->nodes[i].a == variable) return place_of(p, i);
    return (sb_autumn_place){0};
}

/* ---- `isWithinBounds` of a position ------------------------------------------------------------------------------ */

static bool is_one_of(uint32_t symbol, const uint16_t *symbols, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (symbols[i] == symbol) return true;
    return false;
}

/* Library functions whose values are positions, or lists of them. */
static bool gives_position(uint32_t symbol) {
    static const uint16_t all[] = {SB_AU_movePos,     SB_AU_moveLeftPos, SB_AU_moveRightPos,    SB_AU_moveUpPos,
                                   SB_AU_moveDownPos, SB_AU_deltaPos,    SB_AU_displacement,    SB_AU_deltaObj,
                                   SB_AU_unitVector,  SB_AU_closestPos,  SB_AU_unitVectorObjPos};
    return is_one_of(symbol, all, sizeof all / sizeof *all);
}

static bool gives_positions(uint32_t symbol) {
    static const uint16_t all[] = {SB_AU_adjPositions, SB_AU_allPositions, SB_AU_rect, SB_AU_randomPositions,
                                   SB_AU_PLACES};
    return is_one_of(symbol, all, sizeof all / sizeof *all);
}

static bool is_position(const sb_au_node *node) {
    if (node->op == SB_AU_OP_POSITION) return true;
    if (node->op == SB_AU_OP_FIELD) return node->b == SB_AU_origin || node->b == SB_AU_position;
    if (node->op == SB_AU_OP_NAME) return node->a == SB_AU_click;
    return node->op == SB_AU_OP_CALL && gives_position(node->a);
}

static bool names_positions(const sb_au_node *node) { return node->op == SB_AU_OP_CALL && gives_positions(node->a); }

/* Whether a node is like `(isWithinBounds (Position 1 2))` or `(filter isWithinBounds (adjPositions p))`. */
static bool asks_in_vain(const sb_autumn_program *p, const sb_au_node *node) {
    if (node->op != SB_AU_OP_CALL || !node->n) return false;
    const sb_au_node *first = &p->nodes[p->arguments[node->c]];
    if (node->a == SB_AU_isWithinBounds) return is_position(first);
    return node->n == 2 && first->op == SB_AU_OP_NAME && first->a == SB_AU_isWithinBounds &&
           names_positions(&p->nodes[p->arguments[node->c + 1]]);
}

sb_autumn_place sb_autumn_vain_bounds(const sb_autumn_program *p, size_t n) {
    for (uint32_t i = 1; i < p->n_nodes; i++)
        if (asks_in_vain(p, &p->nodes[i]) && n-- == 0) return place_of(p, i);
    return (sb_autumn_place){0};
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

uint32_t sb_autumn_find_variable(const sb_autumn_program *p, const char *name, size_t n) {
    const uint32_t word = sb_au_find_word(&p->names, name, n);
    return word == SB_AU_NO_WORD ? (uint32_t)p->names.n : word;
}

bool sb_autumn_changes(const sb_autumn_program *p, uint32_t variable) {
    for (size_t i = 0; i < p->n_changing; i++)
        if (p->changing[i] == variable) return true;
    return false;
}

bool sb_autumn_is_read(const sb_autumn_program *p, uint32_t variable) { return !p->live || p->live[variable]; }

bool sb_autumn_hides(const sb_autumn_program *p) { return p->task && p->task->n_hidden; }

bool sb_autumn_has_function(const sb_autumn_program *p, const char *name) {
    for (size_t i = 0; p->task && i < SB_AU_N_WORLD_FUNCTIONS; i++)
        if (strcmp(sb_au_world_names[i], name) == 0) return p->has_function[i];
    return false;
}

uint32_t sb_autumn_maker_arguments(const sb_autumn_program *p, const char *name, size_t n) {
    const uint32_t word = sb_au_find_word(&p->names, name, n);
    for (size_t i = 1; i < p->n_objects; i++)
        if (p->objects[i].name == word && p->objects[i].maker) return p->objects[i].n - 1;
    return 0;
}

/* ---- The order of lists ------------------------------------------------------------------------------------------ */

bool sb_autumn_may_ignore_order(const sb_autumn_program *p) { return p->task && !p->sets_fields && !p->asks_identity; }

bool sb_autumn_ignore_order(sb_autumn_program *p, uint32_t variable) {
    if (p->task->n_unordered == SB_AU_LISTED_MAX) return false;
    p->task->unordered[p->task->n_unordered++] = variable;
    return true;
}

int32_t sb_autumn_n_items(const sb_autumn_state *state, uint32_t variable) {
    const sb_au_value v = state->globals[variable];
    return v.kind == SB_AU_LIST ? (int32_t)sb_au_thing_of(state, v)->n : -1;
}

bool sb_autumn_swap_items(sb_autumn_state *m, uint32_t variable, uint32_t i, uint32_t j) {
    const sb_au_value old = m->globals[variable];
    const uint32_t n = sb_au_thing_of(m, old)->n;
    m->has_fault = false;
    const sb_au_value list = sb_au_new_thing(m, SB_AU_LIST, n, sb_au_thing_of(m, old)->type);
    if (sb_au_failed(list)) return false;
    sb_au_value *items = sb_au_thing_of(m, list)->v;
    memcpy(items, sb_au_thing_of(m, old)->v, n * sizeof *items);
    const sb_au_value item = items[i];
    items[i] = items[j], items[j] = item;
    sb_au_set_global(m, variable, list);
    return sb_au_redraw(m);
}
