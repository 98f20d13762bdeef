
#include <string.h>

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
        *place = sb_au_place_in_object(m, v, symbol);
        return *place != SB_AU_NO_FIELD;
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

sb_au_value sb_au_other_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol) {
    uint32_t place;
    if (sb_au_find_field(m, v, symbol, &place)) return sb_au_thing_of(m, v)->v[place];
    if (v.kind == SB_AU_OBJECT && symbol == SB_AU_render) return sb_au_of(SB_AU_RENDER, v.at);
    return sb_au_no_field(m, v, symbol);
}

/* ---- Checking and copying ------------------------------------------------------------------------------------------
 */

bool sb_au_check_fields(sb_autumn_state *m, sb_au_value object, uint32_t n) {
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

sb_au_value sb_au_copy_object(sb_autumn_state *m, sb_au_value object) {
    const uint32_t n = sb_au_thing_of(m, object)->n;
    if (!sb_au_check_fields(m, object, n)) return SB_AU_FAILED;
    const sb_au_value copy = sb_au_new_thing(m, SB_AU_OBJECT, n, sb_au_thing_of(m, object)->type);
    if (!sb_au_failed(copy)) memcpy(sb_au_thing_of(m, copy)->v, sb_au_thing_of(m, object)->v, n * sizeof(sb_au_value));
    return copy;
}
