#include "rollout/judging.h"

#include "base/error.h"
#include "engine/lookup.h"

bool sb_need_success(const char *task, sb_criterion criterion, sb_error *error) {
    return sb_has_success(criterion) ||
           sb_fail(error, SB_INVALID, "%s has no success: it is a task to explore, which cannot be won or lost", task);
}

/* Selections are sorted by task, so it is enough to look at the first episode of each. */
bool sb_need_success_of_all(const sb_selection *selection, sb_error *error) {
    for (size_t i = 0; i < selection->n; i++) {
        if (i && sb_same_chosen_pair(&selection->episodes[i - 1], &selection->episodes[i])) continue;
        const sb_resolved of = sb_selection_at(selection, i);
        if (!sb_need_success(of.task->name, sb_criterion_of(&of), error)) return false;
    }
    return true;
}

/* ---- Writing ---- */

void sb_member_success(sb_out *out, sb_criterion criterion, const sb_status *status) {
    if (sb_has_success(criterion))
        sb_member_bool(out, "success", status->success);
    else
        sb_put_key(out, "success"), sb_puts(out, "null");
}

void sb_member_standing(sb_out *out, sb_criterion criterion, const sb_status *status) {
    if (sb_has_score(criterion)) sb_member_double(out, "score", status->score);
    if (status->n_levels > 0) {
        sb_member_int(out, "level", status->level);
        sb_member_int(out, "n_levels", status->n_levels);
    }
    if (status->fault) sb_member_bool(out, "fault", true);
}

void sb_member_clicks(sb_out *out, const sb_shape *shape) {
    if (!sb_has_clicks(shape)) return;
    sb_member_int(out, "n_buttons", shape->n_buttons);
    sb_member_int(out, "click_width", shape->click_width);
    sb_member_int(out, "click_height", shape->click_height);
}

/* ---- Reading ---- */

bool sb_read_success(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error) {
    if (sb_has_success(criterion)) return sb_json_bool(object, "success", &status->success, error);
    return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, "success")) ||
           sb_fail(error, SB_INVALID, "key `success` should be null: the task has no success");
}

static bool read_score(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error) {
    if (sb_has_score(criterion)) return sb_json_double(object, "score", &status->score, error);
    return !cJSON_HasObjectItem(object, "score") || sb_fail(error, SB_INVALID, "key `score`: the task has no score");
}

static bool read_levels(const cJSON *object, sb_status *status, sb_error *error) {
    uint64_t level, n;
    if (!cJSON_HasObjectItem(object, "level") && !cJSON_HasObjectItem(object, "n_levels")) return true;
    if (!sb_json_uint(object, "level", &level, error) || !sb_json_uint(object, "n_levels", &n, error)) return false;
    if (n < 1 || n > INT32_MAX || level > n)
        return sb_fail(error, SB_INVALID, "key `level` should be from 0 to `n_levels`, and `n_levels` at least 1");
    status->level = (int32_t)level, status->n_levels = (int32_t)n;
    return true;
}

/* The key is present only if it is true. */
static bool read_fault(const cJSON *object, sb_status *status, sb_error *error) {
    if (!cJSON_HasObjectItem(object, "fault")) return true;
    return sb_json_bool(object, "fault", &status->fault, error) &&
           (status->fault || sb_fail(error, SB_INVALID, "key `fault` should be true or absent"));
}

bool sb_read_standing(const cJSON *object, sb_criterion criterion, sb_status *status, sb_error *error) {
    if (!read_score(object, criterion, status, error) || !read_levels(object, status, error) ||
        !read_fault(object, status, error))
        return false;
    return !status->fault || (status->terminated && !status->success) ||
           sb_fail(error, SB_INVALID, "key `fault`: an episode with a fault should be terminated and no success");
}

const char *sb_judging_difference(sb_criterion criterion, const sb_status *said, const sb_status *is) {
    if (sb_has_success(criterion) && said->success != is->success) return "success";
    if (said->fault != is->fault) return "fault";
    if (sb_has_score(criterion) && said->score != is->score) return "score";
    if (said->level != is->level) return "level";
    return said->n_levels != is->n_levels ? "n_levels" : NULL;
}
