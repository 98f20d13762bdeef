#include "engine/autumn/values.h"

enum { DEEPEST = 200 }; /* lists and objects within each other that can be compared */

/* ---- Types ------------------------------------------------------------------------------------------------------- */

sb_au_type sb_au_type_of(const sb_autumn_state *m, sb_au_value v) {
    switch (v.kind) {
    case SB_AU_BOOL: return SB_AU_T_BOOL;
    case SB_AU_NUMBER: return SB_AU_T_NUMBER;
    case SB_AU_STRING: return SB_AU_T_STRING;
    case SB_AU_NATIVE:
    case SB_AU_LAMBDA:
    case SB_AU_RENDER: return SB_AU_T_FUNCTION;
    case SB_AU_PART: return SB_AU_T_PART;
    case SB_AU_LIST: return sb_au_list_of(sb_au_thing_of(m, v)->type);
    case SB_AU_POSITION: return SB_AU_T_POSITION;
    case SB_AU_CELL: return SB_AU_T_CELL;
    case SB_AU_ELEM: return SB_AU_T_ELEM;
    case SB_AU_OBJECT: return SB_AU_T_OBJECT + m->program->objects[sb_au_thing_of(m, v)->type].name;
    default: return SB_AU_T_UNKNOWN;
    }
}

bool sb_au_fits(const sb_autumn_state *m, sb_au_type declared, sb_au_value v) {
    const sb_au_type type = sb_au_type_of(m, v);
    if (type == declared) return true;
    return sb_au_is_list_type(declared) && type == sb_au_list_of(SB_AU_T_UNKNOWN);
}

sb_au_type sb_au_common_type(const sb_autumn_state *m, const sb_au_value *items, uint32_t n) {
    if (n == 0) return SB_AU_T_UNKNOWN;
    const sb_au_type type = sb_au_type_of(m, items[0]);
    if (n > 1 && sb_au_is_list_type(type)) return SB_AU_T_NONE;
    for (uint32_t i = 1; i < n; i++)
        if (sb_au_type_of(m, items[i]) != type) return SB_AU_T_NONE;
    return type;
}

const char *sb_au_kind_name(sb_au_value v) {
    static const char *const names[] = {"nothing",    "a truth value", "a number",     "a string",
                                        "a function", "a function",    "a function",   "a cell's expression",
                                        "a list",     "a Position",    "a Cell",       "a RenderedElem",
                                        "an object",  "a memory",      "a moved thing"};
    return names[v.kind];
}

/* ---- Equality ---------------------------------------------------------------------------------------------------- */

/* A thing is also compared with itself: what that takes must not depend on which values happen to be the same thing. */

static bool may_compare(sb_autumn_state *m, uint32_t depth) {
    if (depth <= DEEPEST) return sb_au_spend(m, 1);
    sb_au_fail(m, SB_AUTUMN_LIMIT, "lists or objects are nested more than %d deep", DEEPEST);
    return false;
}

static bool same_expression(const sb_autumn_state *m, sb_au_value a, sb_au_value b) {
    return m->program->sources[a.at] == m->program->sources[b.at] && a.turns == b.turns;
}

static bool same_function(const sb_autumn_state *m, sb_au_value a, sb_au_value b) {
    if (a.kind != SB_AU_LAMBDA) return a.at == b.at;
    const sb_au_lambda *const lambdas = m->program->lambdas;
    return m->program->sources[lambdas[a.at].body] == m->program->sources[lambdas[b.at].body];
}

static bool same_print(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t depth);

static bool same_items(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t n, uint32_t depth) {
    for (uint32_t i = 0; i < n; i++)
        if (!same_print(m, sb_au_thing_of(m, a)->v[i], sb_au_thing_of(m, b)->v[i], depth + 1)) return false;
    return true;
}

/* Whether two values have the same printed form, by which lists are compared: types of items included; an object prints
 * as the name of its type and its fields, a cell as its three parts. */
static bool same_print(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t depth) {
    if (a.kind != b.kind || !may_compare(m, depth)) return false;
    if (a.kind == SB_AU_PART) return same_expression(m, a, b);
    if (sb_au_is_function(a)) return same_function(m, a, b);
    if (!sb_au_is_thing(a)) return a.at == b.at;
    const sb_au_thing *const s = sb_au_thing_of(m, a), *const t = sb_au_thing_of(m, b);
    if (a.kind == SB_AU_CELL) return same_items(m, a, b, SB_AU_CELL_MEMORY, depth);
    if (s->n != t->n || sb_au_type_of(m, a) != sb_au_type_of(m, b)) return false;
    return same_items(m, a, b, s->n, depth);
}

/* Whether two instances are equal: they have the same names of fields and equal fields, whatever their type. */
static bool equal_instances(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t depth);

static bool equal_values(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t depth) {
    if (a.kind == SB_AU_NUMBER && b.kind == SB_AU_BOOL) return a.number == b.number;
    if (a.kind != b.kind || !may_compare(m, depth)) return false;
    if (a.kind == SB_AU_LIST) return same_print(m, a, b, depth);
    if (sb_au_is_thing(a)) return equal_instances(m, a, b, depth);
    return a.at == b.at && a.turns == b.turns;
}

static bool equal_instances(sb_autumn_state *m, sb_au_value a, sb_au_value b, uint32_t depth) {
    const sb_au_thing *const s = sb_au_thing_of(m, a), *const t = sb_au_thing_of(m, b);
    const sb_au_object_type *const types = m->program->objects;
    if (a.kind == SB_AU_OBJECT && types[s->type].signature != types[t->type].signature) return false;
    const uint32_t n = a.kind == SB_AU_CELL ? SB_AU_CELL_MEMORY : s->n;
    for (uint32_t i = 0; i < n; i++)
        if (!equal_values(m, sb_au_thing_of(m, a)->v[i], sb_au_thing_of(m, b)->v[i], depth + 1)) return false;
    return true;
}

bool sb_au_equal(sb_autumn_state *m, sb_au_value a, sb_au_value b) { return equal_values(m, a, b, 0); }

/* ---- Positions --------------------------------------------------------------------------------------------------- */

bool sb_au_xy(sb_autumn_state *m, sb_au_value position, int32_t *x, int32_t *y) {
    if (position.kind != SB_AU_POSITION)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "expected a Position, not %s", sb_au_kind_name(position)), false;
    const sb_au_thing *p = sb_au_thing_of(m, position);
    if (p->v[0].kind != SB_AU_NUMBER || p->v[1].kind != SB_AU_NUMBER)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "a coordinate of a Position is no number"), false;
    *x = p->v[0].number;
    *y = p->v[1].number;
    return true;
}

sb_au_value sb_au_position(sb_autumn_state *m, int32_t x, int32_t y) {
    const sb_au_value position = sb_au_new_thing(m, SB_AU_POSITION, 2, 0);
    if (sb_au_failed(position)) return position;
    sb_au_thing *p = sb_au_thing_of(m, position);
    p->v[0] = sb_au_number(x);
    p->v[1] = sb_au_number(y);
    return position;
}
