/* Writes the facts beside the grid (tell.h) in the words of each observation. The codes alone decide the words: tasks
 * have no texts of their own. */
#ifndef SB_OBSERVE_TOLD_H
#define SB_OBSERVE_TOLD_H

#include "engine/gridworld/tell.h"

/* The lines above the ASCII grid, as published, each with its newline. */
void sb_put_told_lines(sb_out *out, const sb_told *told);
/* The published members of the task's annotations; nothing if there are no facts. */
void sb_put_told_members(sb_out *out, const sb_episode *e, const sb_told *told);
/* Sentences of our own, each with a space before it. They leave out what the published language observation does not
 * tell: where scrolls lay, that controls are reversed, and the meaning of the numbers of lights. */
void sb_put_told_sentences(sb_out *out, const sb_told *told);

#endif
