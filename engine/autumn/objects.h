/* Instances: making, copying, fields, and the cells of shapes (language 4). */
#ifndef SB_AUTUMN_OBJECTS_H
#define SB_AUTUMN_OBJECTS_H

#include "engine/autumn/state.h"

/* `(T arguments)` and `(Cell x y colour)`; the node is a MAKE whose type is defined, or a CELL. */
sb_au_value sb_au_make_object(sb_autumn_state *m, const sb_au_node *node);
sb_au_value sb_au_make_cell(sb_autumn_state *m, const sb_au_node *node);

/* A copy with an identity of its own, which shares the fields; they are checked against their types now. */
sb_au_value sb_au_copy_object(sb_autumn_state *m, sb_au_value object);
/* Finds a field of any instance, the place of its value in the thing; false: there is none (no fault is noted). */
bool sb_au_find_field(const sb_autumn_state *m, sb_au_value instance, uint32_t symbol, uint32_t *place);
/* `(.. e f)` */
sb_au_value sb_au_field(sb_autumn_state *m, sb_au_value instance, uint32_t symbol);
sb_au_value sb_au_no_field(sb_autumn_state *m, sb_au_value instance, uint32_t symbol);

static inline sb_au_value sb_au_origin_of(const sb_autumn_state *m, sb_au_value object) {
    const sb_au_thing *o = sb_au_thing_of(m, object);
    return o->v[o->n - 2];
}
static inline sb_au_value sb_au_elems_of(const sb_autumn_state *m, sb_au_value object) {
    const sb_au_thing *o = sb_au_thing_of(m, object);
    return o->v[o->n - 1];
}

/* Pushes the drawn cells of an object, or of the objects in a list (nested lists too), onto m->cells; the caller takes
 * them off by setting m->n_cells back. Other values have no cells, which is a fault if `strict` is set. */
bool sb_au_push_cells(sb_autumn_state *m, sb_au_value value, bool strict);

#endif
