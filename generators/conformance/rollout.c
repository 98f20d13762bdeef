#include "generators/conformance/rollout.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

bool sb_recorded_rollout_read(const cJSON *object, char last_action, const char *rewards, sb_recorded_rollout *r,
                              sb_error *error) {
    if (!sb_json_string(object, "policy", &r->policy, error) || !sb_json_string(object, "actions", &r->actions, error))
        return false;
    r->n = 0;
    while (r->actions[r->n] >= '0' && r->actions[r->n] <= last_action) r->n++;
    if (r->actions[r->n]) return sb_fail(error, SB_INVALID, "key `actions` should be digits 0 to %c", last_action);
    if (!sb_json_array(object, rewards, &r->rewards, error) ||
        !sb_json_bool(object, "terminated", &r->terminated, error) ||
        !sb_json_bool(object, "truncated", &r->truncated, error) ||
        !sb_json_bool(object, "success", &r->success, error))
        return false;
    r->rewards = r->rewards->child;
    return true;
}

double sb_take_recorded_reward(sb_recorded_rollout *r, size_t step) {
    if (!r->rewards || sb_recorded_number(r->rewards, 0) != (double)step) return 0;
    const double reward = sb_recorded_number(r->rewards, 1);
    r->rewards = r->rewards->next;
    return reward;
}

void sb_compare_rollout(const sb_rollout_comparison *how, const sb_recorded_rollout *r) {
    sb_comparison *at = how->at;
    sb_result result = {0};
    for (size_t i = 0; i < r->n; i++) {
        const size_t step = how->first_step + i;
        snprintf(at->place, sizeof at->place, "%s, rollout of %.12s, step %zu", how->name, r->policy, step);
        at->found->steps++;
        if (!how->compare_step(how->context, step, r->actions[i] - '0', &result)) return;
        if ((result.terminated || result.truncated) && i + 1 < r->n) {
            sb_differ(at, "our episode is over, the recorded one goes on for %zu steps", r->n - i - 1);
            return;
        }
    }
    if (r->rewards) {
        sb_differ(at, "a reward is recorded for step %g, after the last step", sb_recorded_number(r->rewards, 0));
        return;
    }
    (void)(sb_equal_bool(at, SB_ASPECT_ENDS, "terminated at the end", r->terminated, result.terminated) &&
           sb_equal_bool(at, SB_ASPECT_ENDS, "truncated at the end", r->truncated, result.truncated) &&
           sb_equal_bool(at, SB_ASPECT_ENDS, "success at the end", r->success, result.success));
}
