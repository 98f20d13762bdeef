/* Actions as a text, as results hold them: numbers separated by spaces, where `number*times` repeats one. */
#ifndef SB_ROLLOUT_ACTIONS_H
#define SB_ROLLOUT_ACTIONS_H

#include "rollout/tape.h"

void sb_actions_print(const sb_action *actions, size_t n, sb_out *out);
/* Reads the text into the tape's actions. A few bytes can stand for many actions, so more than `limit` are an error. */
bool sb_actions_parse(const char *text, size_t limit, sb_tape *tape, sb_error *error);

#endif
