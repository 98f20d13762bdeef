/* Compares who teaches with the observer. Somebody who learns from a dataset sees what the agent is shown, so it can
 * learn what the observer does; where a teacher that knows more acts otherwise, it can only guess. */
#ifndef SB_DATASETS_TEACHER_H
#define SB_DATASETS_TEACHER_H

#include "datasets/cast.h"

/* Whether the teacher of a played tape (who gives the labels, or else who acted) is compared: it is an oracle that sees
 * more than the agent is shown, and the task has an observer. */
bool sb_teacher_is_compared(const sb_cast *cast, const sb_tape *tape);
/* Adds the tape's steps in which such a teacher wants another action than the observer. Costs as much as letting the
 * observer play. */
bool sb_teacher_compare(sb_actor *actor, const sb_tape *tape, uint64_t *unlike, sb_error *error);

#endif
