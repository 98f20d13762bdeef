/* Evaluates expressions (language 3). Every function here returns SB_AU_FAILED when a fault was noted. */
#ifndef SB_AUTUMN_EVALUATE_H
#define SB_AUTUMN_EVALUATE_H

#include "engine/autumn/state.h"

sb_au_value sb_au_eval(sb_autumn_state *m, uint32_t node);
/* Calls a function value; surplus arguments are ignored where the language says so. */
sb_au_value sb_au_call(sb_autumn_state *m, sb_au_value function, const sb_au_value *arguments, uint32_t n);
/* The value of a condition or of a part of `and` and `or`: a function is called without arguments. */
sb_au_value sb_au_call_if_function(sb_autumn_state *m, sb_au_value value);

#endif
