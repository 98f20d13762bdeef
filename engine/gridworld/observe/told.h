/* What a task tells beside its grid (tell.h), in the words of each observation. Which words they are is decided by the
 * codes that are there: tasks have no texts of their own. */
#ifndef SB_OBSERVE_TOLD_H
#define SB_OBSERVE_TOLD_H

#include "engine/gridworld/tell.h"

/* The lines above the ASCII grid, as published, each with its newline. */
void sb_put_told_lines(sb_out *out, const sb_told *told);
/* The published members of the task's annotations; nothing if nothing is told. */
void sb_put_told_members(sb_out *out, const sb_episode *e, const sb_told *told);
/* Sentences of our own, each with a space before it. They leave out what the published language observation does not
 * tell: where scrolls lay, that controls are reversed, what the numbers of lights mean. */
void sb_put_told_sentences(sb_out *out, const sb_told *told);

#endif
