/* Drawn cells: the cells of objects as they are now (language 4, "Cells" 3). */
#include "base/grow.h"
#include "engine/autumn/evaluate.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/values.h"

static bool push_cell(sb_autumn_state *m, sb_autumn_cell cell) {
    if (m->n_cells >= m->program->limits.cells) {
        sb_au_fail(m, SB_AUTUMN_LIMIT, "more than %u cells", m->program->limits.cells);
        return false;
    }
    if (m->program->has_maps && !sb_au_is_colour(m, cell.colour)) return false;
    if (!SB_GROW(m->cells, m->n_cells + 1, m->cells_capacity))
        return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
    m->cells[m->n_cells++] = cell;
    return true;
}

static const sb_au_object_type *type_of(const sb_autumn_state *m, sb_au_value object) {
    return &m->program->objects[sb_au_thing_of(m, object)->type];
}

/* Binds the object's current fields, and over them what the cell remembers. Without calls only the names that the
 * expressions use can matter. */
static bool bind_for_parts(sb_autumn_state *m, sb_au_value object, const sb_au_site *site, sb_au_value memory) {
    const sb_au_object_type *type = type_of(m, object);
    if (site->calls) {
        for (uint32_t i = 0; i < type->n; i++)
            if (!sb_au_bind(m, m->program->symbols[type->first + i], sb_au_thing_of(m, object)->v[i])) return false;
        return sb_au_failed(memory) || sb_au_bind_memory(m, site, memory);
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
