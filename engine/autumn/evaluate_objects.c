/* Making objects and cells (language 4). */
#include <string.h>

#include "engine/autumn/evaluate.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/values.h"

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

/* A single cell is put into a list; otherwise the shape must be a flat list of cells. */
static sb_au_value elems_of_shape(sb_autumn_state *m, sb_au_value shape) {
    if (shape.kind == SB_AU_CELL) {
        const sb_au_value list = sb_au_new_thing(m, SB_AU_LIST, 1, SB_AU_T_CELL);
        if (!sb_au_failed(list)) sb_au_thing_of(m, list)->v[0] = shape;
        return list;
    }
    bool cells = shape.kind == SB_AU_LIST;
    for (uint32_t i = 0; cells && i < sb_au_thing_of(m, shape)->n; i++)
        cells = sb_au_thing_of(m, shape)->v[i].kind == SB_AU_CELL;
    return cells ? shape : sb_au_fail(m, SB_AUTUMN_TYPE, "a shape must be a cell or a list of cells");
}

/* Evaluates the shape in a scope that holds the fields and the origin. */
static sb_au_value evaluate_shape(sb_autumn_state *m, sb_au_value object, const sb_au_object_type *type) {
    const size_t hidden = m->n_hidden;
    const uint32_t outer = m->shape_scope;
    sb_au_value shape = SB_AU_FAILED;
    bool ok = sb_au_enter(m, type->height);
    if (!ok) return shape;
    if (!outer) m->shape_scope = m->depth;
    for (uint32_t i = 0; ok && i < type->n - 1; i++)
        ok = sb_au_bind(m, m->program->symbols[type->first + i], sb_au_thing_of(m, object)->v[i]);
    if (ok) shape = sb_au_eval(m, type->shape);
    m->shape_scope = outer;
    sb_au_leave(m, type->height, hidden);
    return sb_au_failed(shape) ? shape : elems_of_shape(m, shape);
}

static sb_au_value cells_of_new(sb_autumn_state *m, sb_au_value object, uint32_t number) {
    const sb_au_object_type *type = &m->program->objects[number];
    if (type->shares_cells && !sb_au_failed(m->shapes[number])) return m->shapes[number];
    const sb_au_value cells = evaluate_shape(m, object, type);
    if (type->shares_cells && !sb_au_failed(cells)) m->shapes[number] = cells, m->has_new_shape = m->acted = true;
    return cells;
}

sb_au_value sb_au_make_object(sb_autumn_state *m, const sb_au_node *node) {
    const uint32_t number = m->types[node->a];
    const sb_au_object_type *type = &m->program->objects[number];
    if (node->n != type->n - 1)
        return sb_au_fail(m, SB_AUTUMN_ARITY, "%.40s needs %u fields and an origin, not %u values",
                          sb_au_word(&m->program->names, type->name), type->n - 2, node->n);
    const sb_au_value object = sb_au_new_thing(m, SB_AU_OBJECT, type->n, number);
    if (sb_au_failed(object)) return object;
    memset(sb_au_thing_of(m, object)->v, 0, type->n * sizeof(sb_au_value));
    for (uint32_t i = 0; i < node->n; i++) {
        const sb_au_value v = sb_au_eval(m, m->program->arguments[node->c + i]);
        if (sb_au_failed(v)) return v;
        sb_au_thing_of(m, object)->v[i] = v;
    }
    if (!sb_au_check_fields(m, object, type->n - 1)) return SB_AU_FAILED;
    const sb_au_value cells = cells_of_new(m, object, number);
    if (sb_au_failed(cells)) return cells;
    sb_au_thing_of(m, object)->v[type->n - 1] = cells;
    return object;
}

/* ---- Making cells (language 4, "Cells" 1 and 2) ------------------------------------------------------------------ */

/* The names of the expressions are remembered with the values that they have outside of the scope of the fields. */
static sb_au_value remember(sb_autumn_state *m, const sb_au_site *site, uint32_t number) {
    const sb_au_value memory = sb_au_new_thing(m, SB_AU_MEMORY, site->n, number);
    if (sb_au_failed(memory)) return memory;
    for (uint32_t i = 0; i < site->n; i++) {
        const uint32_t symbol = m->program->symbols[site->first + i];
        sb_au_thing_of(m, memory)->v[i] = m->shape_scope ? sb_au_look_up_outside(m, symbol, m->shape_scope)
                                                         : sb_au_look_up(m, symbol);
    }
    return memory;
}

static bool is_grave(const sb_autumn_state *m) {
    return m->fault.kind == SB_AUTUMN_LIMIT || m->fault.kind == SB_AUTUMN_MEMORY;
}

/* A part is evaluated once. A number is kept for good; otherwise, also after an error, the expression is kept. */
static bool evaluate_once(sb_autumn_state *m, uint32_t node, sb_au_value *part) {
    const sb_au_node *n = &m->program->nodes[node];
    *part = sb_au_of(SB_AU_PART, node);
    if (n->op == SB_AU_OP_LITERAL) {
        if (n->a == SB_AU_NUMBER) *part = sb_au_number((int32_t)n->b);
        return true;
    }
    const sb_au_value v = n->op == SB_AU_OP_NAME ? sb_au_look_up(m, n->a) : sb_au_eval(m, node);
    if (v.kind == SB_AU_NUMBER) *part = v;
    if (!sb_au_failed(v) || n->op == SB_AU_OP_NAME) return true;
    if (is_grave(m)) return false;
    m->has_fault = false;
    return true;
}

/* Evaluates the parts in a scope with the remembered names, which is all that they can see. */
static bool evaluate_parts(sb_autumn_state *m, const sb_au_site *site, sb_au_value memory, sb_au_value *parts) {
    const uint32_t floor = m->floor;
    const size_t hidden = m->n_hidden;
    if (!sb_au_enter(m, site->height)) return false;
    m->floor = m->depth;
    bool ok = sb_au_bind_memory(m, site, memory);
    for (int i = 0; ok && i < 3; i++) ok = evaluate_once(m, site->part[i], &parts[i]);
    m->floor = floor;
    sb_au_leave(m, site->height, hidden);
    return ok;
}

static bool needs_memory(const sb_autumn_state *m, const sb_au_value *parts) {
    for (int i = 0; i < 3; i++)
        if (parts[i].kind == SB_AU_PART && m->program->nodes[parts[i].at].op != SB_AU_OP_LITERAL) return true;
    return false;
}

sb_au_value sb_au_make_cell(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_site *site = &m->program->sites[node->a];
    sb_au_value parts[4] = {0};
    for (int i = 0; i < 3; i++) parts[i] = sb_au_of(SB_AU_PART, site->part[i]);
    if (needs_memory(m, parts)) {
        const uint32_t used = m->heap.used;
        const sb_au_value memory = remember(m, site, node->a);
        if (sb_au_failed(memory) || !evaluate_parts(m, site, memory, parts)) return SB_AU_FAILED;
        if (needs_memory(m, parts))
            parts[SB_AU_CELL_MEMORY] = memory;
        else if (m->heap.used == used + SB_AU_THING_WORDS + site->n)
            m->heap.used = used;
    } else {
        for (int i = 0; i < 3; i++) evaluate_once(m, site->part[i], &parts[i]);
    }
    const sb_au_value cell = sb_au_new_thing(m, SB_AU_CELL, 4, node->a);
    if (!sb_au_failed(cell)) memcpy(sb_au_thing_of(m, cell)->v, parts, sizeof parts);
    return cell;
}
