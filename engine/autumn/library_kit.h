/* What the library's functions share. Each function is defined by SB_AU_LIB(name) with its arguments in a[0], a[1],
 * ...; their number is within the bounds of library.def. */
#ifndef SB_AUTUMN_LIBRARY_KIT_H
#define SB_AUTUMN_LIBRARY_KIT_H

#include "engine/autumn/evaluate.h"
#include "engine/autumn/values.h"

#define SB_AU_LIB(name)                                                                                                \
    sb_au_value sb_au_lib_##name(__attribute__((unused)) sb_autumn_state *m,                                           \
                                 __attribute__((unused)) const sb_au_value *a, __attribute__((unused)) uint32_t n)

/* Whether a value is of this kind; false: a fault was noted. */
static inline bool sb_au_want(sb_autumn_state *m, sb_au_value v, sb_au_kind kind) {
    if (v.kind == kind) return true;
    return sb_au_fail(m, SB_AUTUMN_TYPE, "expected %s, not %s", sb_au_kind_name((sb_au_value){.kind = (uint8_t)kind}),
                      sb_au_kind_name(v)),
           false;
}
static inline bool sb_au_want_function(sb_autumn_state *m, sb_au_value v) {
    return sb_au_is_function(v) || sb_au_want(m, v, SB_AU_LAMBDA);
}
/* Whether a value is a list; looking at its items costs evaluations. */
static inline bool sb_au_want_list(sb_autumn_state *m, sb_au_value v) {
    return sb_au_want(m, v, SB_AU_LIST) && sb_au_spend(m, sb_au_thing_of(m, v)->n);
}
static inline uint32_t sb_au_length(const sb_autumn_state *m, sb_au_value list) { return sb_au_thing_of(m, list)->n; }
static inline sb_au_value sb_au_item(const sb_autumn_state *m, sb_au_value list, uint32_t i) {
    return sb_au_thing_of(m, list)->v[i];
}

/* A list of n undefined items, which the caller fills in before anybody sees it. */
sb_au_value sb_au_new_list(sb_autumn_state *m, uint32_t n, sb_au_type items);
/* Adds an item to a list that was made with room for it and has n items so far; the list's type becomes the item's. The
 * item must have the type that the list has, unless that is unknown or the item is an instance (language 4); false: a
 * fault was noted. */
bool sb_au_append(sb_autumn_state *m, sb_au_value list, uint32_t *n, sb_au_value item);
/* Cuts a list to n items. */
void sb_au_cut(sb_autumn_state *m, sb_au_value list, uint32_t n);

/* Calls a function with one argument and tells the truth of the result; false with a fault: it failed. */
bool sb_au_holds(sb_autumn_state *m, sb_au_value function, sb_au_value argument);

/* Width and height of the grid now; false: a fault was noted. */
bool sb_au_grid(sb_autumn_state *m, int32_t *n);
/* Whether the last drawing has a cell at (x,y); false while a frame is drawn. */
bool sb_au_occupied(sb_autumn_state *m, int32_t x, int32_t y);

/* Origin of an object; false: a fault was noted. */
bool sb_au_origin(sb_autumn_state *m, sb_au_value object, int32_t *x, int32_t *y);
/* A copy of an object, moved. */
sb_au_value sb_au_move(sb_autumn_state *m, sb_au_value object, int32_t dx, int32_t dy);
/* The list of all objects (stdlib 4), which must not be given to the program. */
sb_au_value sb_au_all_objects(sb_autumn_state *m);

/* Tests for free cells that others use; false also with a fault. */
bool sb_au_is_within(sb_autumn_state *m, sb_au_value v);
bool sb_au_is_free_except(sb_autumn_state *m, sb_au_value v, sb_au_value except);

#endif
