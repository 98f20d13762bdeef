/* How an episode is judged (sb_task_info.criterion): by success, by a score, or not at all. Tapes, rows, results and
 * replies all say it in this way. What does not apply to a task is null or absent, so that it is not mistaken for a
 * failure. */
#ifndef SB_ROLLOUT_JUDGING_H
#define SB_ROLLOUT_JUDGING_H

#include "base/json.h"
#include "base/out.h"
#include "rollout/selection.h"

static inline bool sb_has_success(sb_criterion criterion) { return criterion != SB_BY_NOTHING; }
static inline bool sb_has_score(sb_criterion criterion) { return criterion == SB_BY_SCORE; }

/* Fails for a task that has no success and names the task. Call it before episodes are filtered by success or
 * certified. */
bool sb_need_success(const char *task, sb_criterion criterion, sb_error *error);
/* The same for all tasks of a selection. */
bool sb_need_success_of_all(const sb_selection *selection, sb_error *error);

/* Writes the member `success`; it is null if the task has no success. */
void sb_member_success(sb_out *out, sb_criterion criterion, const sb_status *status);
/* Writes those of the members `score`, `level` and `n_levels`, and `fault` that apply. */
void sb_member_standing(sb_out *out, sb_criterion criterion, const sb_status *status);
/* Writes `n_buttons`, `click_width` and `click_height`, which say what `n_actions` counts; nothing if there is no click
 * area. */
void sb_member_clicks(sb_out *out, const sb_shape *shape);

/* Read what sb_member_success and sb_member_standing wrote; the status should be all zero before. */
bool sb_read_success(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error);
bool sb_read_standing(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error);
#define SB_STANDING_KEYS "score", "level", "n_levels", "fault"

/* Returns the first key in which two endings of a task that is judged so differ; NULL: none. */
const char *sb_judging_difference(sb_criterion criterion, const sb_status *said, const sb_status *is);

#endif
