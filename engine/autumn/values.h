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

/* `==` and the result. A fault may be noted, because comparing may take long. */
bool sb_au_equal(sb_autumn_state *m, sb_au_value a, sb_au_value b);

/* The two coordinates of a position; false: a fault was noted. */
bool sb_au_xy(sb_autumn_state *m, sb_au_value position, int32_t *x, int32_t *y);
sb_au_value sb_au_position(sb_autumn_state *m, int32_t x, int32_t y);

#endif
