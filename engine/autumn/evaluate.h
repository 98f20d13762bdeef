/* Evaluates expressions (language 3). Every function here returns SB_AU_FAILED when a fault was noted. */
#ifndef SB_AUTUMN_EVALUATE_H
#define SB_AUTUMN_EVALUATE_H

#include "engine/autumn/state.h"

sb_au_value sb_au_eval(sb_autumn_state *m, uint32_t at); /* at: number of the node */
/* Calls a function value; surplus arguments are ignored where the language says so. */
sb_au_value sb_au_call(sb_autumn_state *m, sb_au_value f, const sb_au_value *arguments, uint32_t n);
/* The value of a condition or of a part of `and` and `or`: a function is called without arguments. */
sb_au_value sb_au_call_if_function(sb_autumn_state *m, sb_au_value v);

/* Evaluates what must be a truth value, or a function that gives one; false: a fault was noted, in which `what` names
 * it.
 */
bool sb_au_ask_truth(sb_autumn_state *m, uint32_t at, const char *what, bool *yes);

/* `(T arguments)` and `(Cell x y colour)`; the node is a MAKE whose type is defined, or a CELL. */
sb_au_value sb_au_make_object(sb_autumn_state *m, const sb_au_node *node);
sb_au_value sb_au_make_cell(sb_autumn_state *m, const sb_au_node *node);

/* Pushes the drawn cells of an object, or of the objects in a list (nested lists too), onto m->cells; the caller takes
 * them off by setting m->n_cells back. Other values have no cells, which is a fault if `strict` is set. */
bool sb_au_push_cells(sb_autumn_state *m, sb_au_value v, bool strict);

#endif
