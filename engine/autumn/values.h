/* What values are to each other: types, truth, equality (language 3 to 5). */
#ifndef SB_AUTUMN_VALUES_H
#define SB_AUTUMN_VALUES_H

#include "engine/autumn/state.h"

/* False and the empty list are false (language 3). */
static inline bool sb_au_truth(const sb_autumn_state *m, sb_au_value v) {
    if (v.kind == SB_AU_BOOL) return v.number != 0;
    return v.kind != SB_AU_LIST || sb_au_thing_of(m, v)->n != 0;
}

sb_au_type sb_au_type_of(const sb_autumn_state *m, sb_au_value v);
/* Whether a value may stand in a field of this type (language 4, "Object types"). */
bool sb_au_fits(const sb_autumn_state *m, sb_au_type declared, sb_au_value v);
/* The type of the items of `(list ...)` (language 4, "Lists"). */
sb_au_type sb_au_common_type(const sb_autumn_state *m, const sb_au_value *items, uint32_t n);

/* The result of `==`. A fault may be noted, because comparing may take long. */
bool sb_au_equal(sb_autumn_state *m, sb_au_value a, sb_au_value b);

/* The two coordinates of a position; false: a fault was noted. */
bool sb_au_xy(sb_autumn_state *m, sb_au_value position, int32_t *x, int32_t *y);
sb_au_value sb_au_position(sb_autumn_state *m, int32_t x, int32_t y);

/* Fields of instances, and copies of objects (language 4). */

/* Checks the first n fields of an object against their types; false: a fault was noted. */
bool sb_au_check_fields(sb_autumn_state *m, sb_au_value object, uint32_t n);
/* A copy with an identity of its own, which shares the fields; they are checked against their types now. */
sb_au_value sb_au_copy_object(sb_autumn_state *m, sb_au_value object);
/* Finds a field of any instance, the place of its value in the thing; false: there is none (no fault is noted). */
bool sb_au_find_field(const sb_autumn_state *m, sb_au_value v, uint32_t symbol, uint32_t *place);
/* The place of an object's field, or SB_AU_NO_FIELD. */
static inline uint32_t sb_au_place_in_object(const sb_autumn_state *m, sb_au_value object, uint32_t symbol) {
    return m->program->field_places[sb_au_thing_of(m, object)->type * m->program->names.n + symbol];
}
/* The value of `(.. e f)` for any e and f. sb_au_field finds fields of positions and objects faster, which most are. */
sb_au_value sb_au_other_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol);
static inline sb_au_value sb_au_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol) {
    uint32_t place = SB_AU_NO_FIELD;
    if (v.kind == SB_AU_POSITION && (symbol == SB_AU_x || symbol == SB_AU_y)) place = symbol == SB_AU_y;
    if (v.kind == SB_AU_OBJECT) place = sb_au_place_in_object(m, v, symbol);
    return place == SB_AU_NO_FIELD ? sb_au_other_field(m, v, symbol) : sb_au_thing_of(m, v)->v[place];
}
sb_au_value sb_au_no_field(sb_autumn_state *m, sb_au_value v, uint32_t symbol);

static inline sb_au_value sb_au_origin_of(const sb_autumn_state *m, sb_au_value object) {
    const sb_au_thing *o = sb_au_thing_of(m, object);
    return o->v[o->n - 2];
}
static inline sb_au_value sb_au_elems_of(const sb_autumn_state *m, sb_au_value object) {
    const sb_au_thing *o = sb_au_thing_of(m, object);
    return o->v[o->n - 1];
}

#endif
