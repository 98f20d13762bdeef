/* How an episode is judged (sb_task_info.criterion), as tapes, rows, results and replies say it: by success, by a
 * score, or not at all. What does not apply to a task is null or absent, so that nobody takes it for a failure. */
#ifndef SB_ROLLOUT_JUDGING_H
#define SB_ROLLOUT_JUDGING_H

#include "base/json.h"
#include "base/out.h"
#include "rollout/selection.h"

static inline bool sb_has_success(sb_criterion criterion) { return criterion != SB_BY_NOTHING; }
static inline bool sb_has_score(sb_criterion criterion) { return criterion == SB_BY_SCORE; }

/* By what the named episode's task is judged. */
bool sb_criterion_of(const sb_catalogue *catalogue, const sb_name *name, sb_criterion *criterion, sb_error *error);

/* Fails for a task that has no success, and names it: for whoever filters by success or proves it. */
bool sb_need_success(const char *task, sb_criterion criterion, sb_error *error);
/* The same of all tasks of a selection. */
bool sb_need_success_of_all(const sb_selection *selection, sb_error *error);

/* The member `success`; null where the task has none. */
void sb_member_success(sb_out *out, sb_criterion criterion, const sb_status *status);
/* Members that are there only where they apply: `score`, `level` and `n_levels`, `fault`. */
void sb_member_standing(sb_out *out, sb_criterion criterion, const sb_status *status);
/* Those that say what can be pressed beside `n_actions`, only where there is a click area: `n_buttons`, `click_width`,
 * `click_height`. */
void sb_member_clicks(sb_out *out, const sb_shape *shape);

/* Read what these have put; the status should be all zero before. */
bool sb_read_success(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error);
bool sb_read_standing(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error);
#define SB_STANDING_KEYS "score", "level", "n_levels", "fault"

/* The key of what two endings of such a task disagree in; NULL: nothing. */
const char *sb_judging_difference(sb_criterion criterion, const sb_status *said, const sb_status *is);

#endif
