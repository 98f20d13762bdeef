#include "engine/autumn/objects.h"

#include <string.h>

#include "engine/autumn/evaluate.h"
#include "engine/autumn/grow.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/values.h"

static const sb_au_object_type *type_of(const sb_autumn_state *m, sb_au_value object) {
    return &m->program->objects[sb_au_thing_of(m, object)->type];
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

static bool is_one_of(uint32_t symbol, const uint32_t *fields, uint32_t n, uint32_t *place) {
    for (uint32_t i = 0; i < n; i++)
        if (fields[i] == symbol) return *place = i, true;
    return false;
}

bool sb_au_find_field(const sb_autumn_state *m, sb_au_value v, uint32_t symbol, uint32_t *place) {
    static const uint32_t of_position[] = {SB_AU_x, SB_AU_y}, of_cell[] = {SB_AU_x, SB_AU_y, SB_AU_color},
                          of_elem[] = {SB_AU_position, SB_AU_color};
    if (v.kind == SB_AU_OBJECT) {
        const sb_au_object_type *type = type_of(m, v);
        return is_one_of(symbol, m->program->symbols + type->first, type->n, place);
    }
    if (v.kind == SB_AU_POSITION) return is_one_of(symbol, of_position, 2, place);
    if (v.kind == SB_AU_CELL) return is_one_of(symbol, of_cell, 3, place);
    return v.kind == SB_AU_ELEM && is_one_of(symbol, of_elem, 2, place);
}

sb_au_value sb_au_no_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol) {
    const char *name = sb_au_word(&m->program->names, symbol);
    if (v.kind == SB_AU_OBJECT)
        return sb_au_fail(m, SB_AUTUMN_FIELD, "an object of type %.40s has no field `%.40s`",
                          sb_au_word(&m->program->names, type_of(m, v)->name), name);
    return sb_au_fail(m, SB_AUTUMN_FIELD, "%s has no field `%.40s`", sb_au_kind_name(v), name);
}

sb_au_value sb_au_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol) {
    uint32_t place;
    if (sb_au_find_field(m, v, symbol, &place)) return sb_au_thing_of(m, v)->v[place];
    if (v.kind == SB_AU_OBJECT && symbol == SB_AU_render) return sb_au_of(SB_AU_RENDER, v.at);
    return sb_au_no_field(m, v, symbol);
}

/* ---- Making and copying ------------------------------------------------------------------------------------------ */

static bool check_fields(sb_autumn_state *m, sb_au_value object, uint32_t n) {
    const sb_au_object_type *type = type_of(m, object);
    for (uint32_t i = 0; i < n; i++) {
        const sb_au_value v = sb_au_thing_of(m, object)->v[i];
        if (sb_au_fits(m, m->program->types[type->first + i], v)) continue;
        sb_au_fail(m, SB_AUTUMN_TYPE, "the field `%.40s` of %.40s cannot be %s",
                   sb_au_word(&m->program->names, m->program->symbols[type->first + i]),
                   sb_au_word(&m->program->names, type->name), sb_au_kind_name(v));
        return false;
    }
    return true;
}

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
    if (type->shares_cells && !sb_au_failed(cells)) m->shapes[number] = cells;
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
    if (!check_fields(m, object, type->n - 1)) return SB_AU_FAILED;
    const sb_au_value cells = cells_of_new(m, object, number);
    if (sb_au_failed(cells)) return cells;
    sb_au_thing_of(m, object)->v[type->n - 1] = cells;
    return object;
}

sb_au_value sb_au_copy_object(sb_autumn_state *m, sb_au_value object) {
    const uint32_t n = sb_au_thing_of(m, object)->n;
    if (!check_fields(m, object, n)) return SB_AU_FAILED;
    const sb_au_value copy = sb_au_new_thing(m, SB_AU_OBJECT, n, sb_au_thing_of(m, object)->type);
    if (!sb_au_failed(copy)) memcpy(sb_au_thing_of(m, copy)->v, sb_au_thing_of(m, object)->v, n * sizeof(sb_au_value));
    return copy;
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

static bool bind_memory(sb_autumn_state *m, const sb_au_site *site, sb_au_value memory) {
    for (uint32_t i = 0; i < site->n; i++) {
        const sb_au_value v = sb_au_thing_of(m, memory)->v[i];
        if (!sb_au_failed(v) && !sb_au_bind(m, m->program->symbols[site->first + i], v)) return false;
    }
    return true;
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
    const sb_au_value v = sb_au_eval(m, node);
    if (v.kind == SB_AU_NUMBER) *part = v;
    if (!sb_au_failed(v)) return true;
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
    bool ok = bind_memory(m, site, memory);
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

/* ---- Drawn cells (language 4, "Cells" 3) ------------------------------------------------------------------------- */

static bool push_cell(sb_autumn_state *m, sb_autumn_cell cell) {
    if (m->n_cells >= m->program->limits.cells) {
        sb_au_fail(m, SB_AUTUMN_LIMIT, "more than %u cells", m->program->limits.cells);
        return false;
    }
    if (!SB_AU_GROW(m->cells, m->n_cells + 1, m->cells_capacity))
        return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
    m->cells[m->n_cells++] = cell;
    return true;
}

/* Binds the object's current fields, and over them what the cell remembers. Without calls only the names that the
 * expressions use can matter. */
static bool bind_for_parts(sb_autumn_state *m, sb_au_value object, const sb_au_site *site, sb_au_value memory) {
    const sb_au_object_type *type = type_of(m, object);
    if (site->calls) {
        for (uint32_t i = 0; i < type->n; i++)
            if (!sb_au_bind(m, m->program->symbols[type->first + i], sb_au_thing_of(m, object)->v[i])) return false;
        return sb_au_failed(memory) || bind_memory(m, site, memory);
    }
    for (uint32_t i = 0; i < site->n; i++) {
        const uint32_t symbol = m->program->symbols[site->first + i];
        sb_au_value v = sb_au_failed(memory) ? memory : sb_au_thing_of(m, memory)->v[i];
        uint32_t place;
        if (sb_au_failed(v) && sb_au_find_field(m, object, symbol, &place)) v = sb_au_thing_of(m, object)->v[place];
        if (!sb_au_failed(v) && !sb_au_bind(m, symbol, v)) return false;
    }
    return true;
}

static sb_au_value part_now(sb_autumn_state *m, sb_au_value part) {
    if (part.kind != SB_AU_PART) return part;
    sb_au_value v = sb_au_eval(m, part.at);
    if (part.turns && v.kind != SB_AU_NUMBER && !sb_au_failed(v))
        return sb_au_fail(m, SB_AUTUMN_TYPE, "a coordinate of a cell must be a number, not %s", sb_au_kind_name(v));
    if (part.turns % 2) v.number = sb_au_minus(0, v.number);
    return v;
}

/* Evaluates the three parts of a cell as they are now. */
static bool cell_now(sb_autumn_state *m, sb_au_value object, sb_au_value cell, sb_au_value now[3]) {
    const sb_au_thing *c = sb_au_thing_of(m, cell);
    const sb_au_value memory = c->v[SB_AU_CELL_MEMORY];
    const sb_au_site *site = &m->program->sites[c->type];
    const size_t hidden = m->n_hidden;
    if (!sb_au_enter(m, site->height)) return false;
    bool ok = bind_for_parts(m, object, site, memory);
    for (uint32_t i = 0; ok && i < 3; i++) {
        now[i] = part_now(m, sb_au_thing_of(m, cell)->v[i]);
        ok = !sb_au_failed(now[i]) || (sb_au_fail_at(m, sb_au_thing_of(m, cell)->v[i].at), false);
    }
    sb_au_leave(m, site->height, hidden);
    return ok;
}

/* Whether a cell is two numbers and a literal string: nothing needs to be evaluated. */
static bool is_simple(const sb_autumn_state *m, const sb_au_thing *c, uint32_t *colour) {
    if (c->v[0].kind != SB_AU_NUMBER || c->v[1].kind != SB_AU_NUMBER || c->v[2].kind != SB_AU_PART) return false;
    const sb_au_node *node = &m->program->nodes[c->v[2].at];
    *colour = node->b;
    return node->op == SB_AU_OP_LITERAL && node->a == SB_AU_STRING;
}

static bool push_cell_of(sb_autumn_state *m, sb_au_value object, sb_au_value cell, int32_t x, int32_t y) {
    const sb_au_thing *c = sb_au_thing_of(m, cell);
    sb_au_value now[3];
    uint32_t colour;
    if (is_simple(m, c, &colour))
        return push_cell(m, (sb_autumn_cell){sb_au_plus(x, c->v[0].number), sb_au_plus(y, c->v[1].number), colour});
    if (!cell_now(m, object, cell, now)) return false;
    if (now[0].kind != SB_AU_NUMBER || now[1].kind != SB_AU_NUMBER)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "a coordinate of a cell must be a number, not %s",
                          sb_au_kind_name(now[now[0].kind == SB_AU_NUMBER])),
               false;
    if (now[2].kind != SB_AU_STRING)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "a colour must be a string, not %s", sb_au_kind_name(now[2])), false;
    return push_cell(m, (sb_autumn_cell){sb_au_plus(x, now[0].number), sb_au_plus(y, now[1].number), now[2].at});
}

static bool push_object(sb_autumn_state *m, sb_au_value object) {
    int32_t x, y;
    const sb_au_value elems = sb_au_elems_of(m, object);
    if (!sb_au_xy(m, sb_au_origin_of(m, object), &x, &y)) return false;
    if (elems.kind != SB_AU_LIST)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "elems must be a list, not %s", sb_au_kind_name(elems)), false;
    const uint32_t n = sb_au_thing_of(m, elems)->n;
    if (!sb_au_spend(m, n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        const sb_au_value cell = sb_au_thing_of(m, elems)->v[i];
        if (cell.kind != SB_AU_CELL)
            return sb_au_fail(m, SB_AUTUMN_TYPE, "elems must hold cells, not %s", sb_au_kind_name(cell)), false;
        if (!push_cell_of(m, object, cell, x, y)) return false;
    }
    return true;
}

static bool push_value(sb_autumn_state *m, sb_au_value v, bool strict, uint32_t depth) {
    enum { DEEPEST = 200 };
    if (v.kind == SB_AU_OBJECT) return push_object(m, v);
    if (v.kind != SB_AU_LIST)
        return !strict ||
               (sb_au_fail(m, SB_AUTUMN_TYPE, "expected an object or a list of objects, not %s", sb_au_kind_name(v)),
                false);
    if (depth > DEEPEST) return sb_au_fail(m, SB_AUTUMN_LIMIT, "lists are nested more than %d deep", DEEPEST), false;
    const uint32_t n = sb_au_thing_of(m, v)->n;
    if (!sb_au_spend(m, n)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!push_value(m, sb_au_thing_of(m, v)->v[i], strict, depth + 1)) return false;
    return true;
}

bool sb_au_push_cells(sb_autumn_state *m, sb_au_value v, bool strict) { return push_value(m, v, strict, 0); }
