/* What a test shows: the frame, with cells that may be masked, and what belongs to the challenge. */
#ifndef SB_AUTUMN_TEST_VIEW_H
#define SB_AUTUMN_TEST_VIEW_H

#include "generators/autumn/challenges/test.h"

/* What a masked cell is called in documents (protocol 3). */
#define SB_AUTUMN_MASKED "mask"

/* The text frame: rows of colours. */
void sb_autumn_put_shown(const sb_autumn_episode *e, sb_out *out);
/* The compact frame, then the goal or the options, and where in the test the agent is. `?` is a masked cell, or one
 * that does not count. */
void sb_autumn_put_shown_compact(const sb_env *env, sb_out *out);
/* The document of the mode `challenge`, in free exploration too. */
void sb_autumn_put_challenge(const sb_env *env, sb_out *out);
/* What the agent is told before it begins (protocol 1): the phases, the actions, and how the test is scored, but
 * nothing of this test. */
void sb_autumn_put_instructions(const sb_env *env, sb_out *out);

#endif
