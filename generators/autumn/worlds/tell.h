/* What can be seen, told as text: objects by type, colour, told fields and place in worlds; colours and places in other
 * programs and in tests. What lies below others or off the grid is not told. */
#ifndef SB_AUTUMN_TELL_H
#define SB_AUTUMN_TELL_H

#include "engine/autumn/scene.h"
#include "generators/autumn/events.h"

/* A world as a map: its sentence, a character for each cell, and a legend. */
void sb_autumn_put_map(const sb_autumn_episode *episode, sb_out *out);
/* Puts what can be seen in sentences: the mode `language`. */
void sb_autumn_put_words(const sb_autumn_episode *episode, sb_out *out);
/* Puts what can be seen as a JSON document: the mode `structured`. */
void sb_autumn_put_objects(const sb_autumn_episode *episode, sb_out *out);

/* The fields of an object are told only if they fit into so many bytes. */
enum { SB_AUTUMN_TOLD_MAX = 200 };
/* Puts the fields of an object, as words or as JSON, without what is around them; false: they do not fit. */
bool sb_autumn_put_fields(const sb_autumn_state *state, const sb_autumn_drawn *drawn, bool json, sb_out *out);

#endif
