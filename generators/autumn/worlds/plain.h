/* Worlds as programs in the published language: what only worlds have is written in the language itself. */
#ifndef SB_AUTUMN_PLAIN_H
#define SB_AUTUMN_PLAIN_H

#include "engine/autumn/world.h"

/* Puts the world with this text without its statement `task`, in one of its difficulties: parameters are assigned,
 * `places` finds positions that stand in the text, and `sample`, `shuffle`, `all`, `count`, `take` and types as
 * functions are defined, as far as they are used. Draws are those of the world, in the same order, so that the same
 * seed gives the same start. Everything else is copied, comments too. False: the text is no world. */
bool sb_world_plain(const char *text, size_t n, size_t difficulty, sb_out *out, sb_error *error);

#endif
