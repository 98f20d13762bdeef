/* First worlds: texts to begin with, which already play. */
#ifndef SB_AUTUMN_FIRST_H
#define SB_AUTUMN_FIRST_H

#include "base/out.h"
#include "seedbed.h"

/* Names of the first worlds, `sokoban` first; NULL at the end. */
extern const char *const sb_first_worlds[];

/* Puts the text of a world that is called `name` and is like the first world `like`. False: there is no such first
 * world, or no world can have the name. */
bool sb_first_world(const char *like, const char *name, sb_out *out, sb_error *error);

#endif
