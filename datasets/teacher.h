/* Compares who teaches with the observer. Somebody who learns from a dataset sees what the agent is shown, so it can
 * learn what the observer does; where a teacher that knows more acts otherwise, it can only guess. */
#ifndef SB_DATASETS_TEACHER_H
#define SB_DATASETS_TEACHER_H

#include "datasets/cast.h"

/* Counts the steps of a played tape in which the teacher (who gives the labels, or else who acted) was compared, and
 * those in which it wants another action than the observer. Counts nothing if the teacher sees no more than the agent
 * is shown, is no oracle, or if the task has no observer. Costs as much as letting the observer play. */
bool sb_teacher_compare(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, uint64_t *compared, uint64_t *other,
                        sb_error *error);

#endif
