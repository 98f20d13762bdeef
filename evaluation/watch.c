#include "evaluation/evaluate.h"

#include "base/error.h"

bool sb_run_limit_check(const char *what, double given, sb_error *error) {
    return given > 0 || sb_fail(error, SB_INVALID, "%s is a number above 0; leave it out for no limit", what);
}

sb_run_watch sb_run_watch_of(const sb_run_limits *limits, sb_timer *now) {
    return (sb_run_watch){.limits = *limits, .now = now, .began = now ? now() : 0};
}

void sb_run_count_before(sb_run_watch *watch, const sb_played *played) {
    watch->cost += played->spent.value[SB_COST];
    watch->hidden |= sb_partly_told(played) >> SB_COST & 1;
}

bool sb_run_goes_on(sb_run_watch *watch, sb_error *error) {
    const sb_run_limits *limits = &watch->limits;
    if (watch->why.code == SB_OK && limits->cost > 0 && watch->cost >= limits->cost)
        sb_fail(&watch->why, SB_FINISHED, "stopped: the episodes cost %g, and the limit is %g", watch->cost,
                limits->cost);
    if (watch->why.code == SB_OK && limits->cost > 0 && watch->hidden)
        sb_fail(&watch->why, SB_FINISHED,
                "stopped: the agent asked a model and does not say what that cost, so the limit of %g cannot be held",
                limits->cost);
    if (watch->why.code == SB_OK && limits->seconds > 0 && watch->now() - watch->began >= limits->seconds)
        sb_fail(&watch->why, SB_FINISHED, "stopped: the run's %g hours are over", limits->seconds / 3600);
    *error = watch->why;
    return error->code == SB_OK;
}

/* An episode that used up its steps was lost by the agent's play, and a tape that is missing says nothing of the
 * others; other losses may have a reason that stays. */
void sb_run_count(sb_run_watch *watch, const sb_played *played) {
    char name[SB_NAME_MAX];
    const uint64_t limit = watch->limits.lost_in_a_row;
    const sb_failure_kind kind = played->failure.kind;
    const bool counts = kind != SB_NO_FAILURE && kind != SB_FAILED_STEPS && kind != SB_FAILED_TAPE;
    sb_run_count_before(watch, played);
    watch->lost_in_a_row = counts ? watch->lost_in_a_row + 1 : 0;
    if (!limit || watch->lost_in_a_row < limit || watch->why.code != SB_OK) return;
    sb_name_print(&played->tape.name, name, sizeof name);
    sb_fail(&watch->why, SB_FINISHED, "stopped: %llu episodes in a row were lost, the last one, %s, because %.120s",
            (unsigned long long)limit, name, played->failure.text);
}
