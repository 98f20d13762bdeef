#include "cli/picture.h"

#include <stdio.h>
#include <time.h>

#include "base/visible.h"
#include "cli/film.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "oracles/reasons.h"
#include "rollout/view.h"

const char *cli_outcome(sb_criterion criterion, const sb_status *status) {
    if (status->fault) return "fault";
    if (status->success && sb_has_success(criterion)) return "success";
    return !status->done ? "not finished" : criterion == SB_BY_SUCCESS ? "failure" : "ended";
}

void cli_put_standing(sb_out *out, sb_criterion criterion, const sb_status *status) {
    if (sb_has_score(criterion)) sb_puts(out, ", score "), sb_put_double(out, status->score);
    if (status->n_levels > 0) sb_putf(out, ", level %d of %d", status->level, status->n_levels);
}

void cli_put_fault(sb_out *out, const sb_env *env) {
    char why[200];
    if (!env->status.fault) return;
    sb_fault_text(env, why, sizeof why);
    sb_puts(out, "fault: "), sb_put_visible(out, why);
}

void cli_put_purpose(sb_out *out, const sb_env *env) {
    const sb_test_kind *kind = sb_test_kind_in(env);
    if (kind)
        sb_putf(out, "a challenge of the kind `%s`", kind->name);
    else
        sb_puts(out, env->task->summary);
}

static void put_end(sb_out *out, const sb_env *env) {
    const sb_status *status = &env->status;
    sb_puts(out, "  -> ");
    if (status->fault)
        cli_put_fault(out, env);
    else
        sb_puts(out,
                status->terminated || status->success ? cli_outcome(sb_criterion_in(env), status) : "out of steps");
}

void cli_put_step(sb_out *out, const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent) {
    char name[64];
    sb_action_name(env, action, name, sizeof name);
    sb_putf(out, "%4d  %-12s", env->status.steps, name);
    sb_put_intent(out, intent);
    if (result->terminated || result->truncated) put_end(out, env);
    sb_puts(out, "\n");
}

void cli_put_heading(sb_out *out, const sb_env *env, sb_action action, const sb_result *result,
                     const sb_intent *intent) {
    char name[SB_NAME_MAX], action_name[64] = "start";
    if (result) sb_action_name(env, action, action_name, sizeof action_name);
    sb_name_print(&env->name, name, sizeof name);
    sb_putf(out, "%s\nstep %d of %d: %s  ", name, env->status.steps, env->status.max_steps, action_name);
    if (result) sb_put_intent(out, intent);
    cli_put_fault(out, env);
    sb_puts(out, "\n");
}

/* What stands above a picture is what the picture does not tell, such as the mission; above a grid of letters, what the
 * letters mean. */
void cli_divide_shown(const cli_display *display, const sb_out *shown, int rank_of_legend,
                      cli_part parts[CLI_SHOWN_PARTS]) {
    const size_t grid = display->grid, below = display->below;
    parts[0] = (cli_part){shown->data, grid, display->is_picture ? 1 : rank_of_legend, false};
    parts[1] = (cli_part){shown->data + grid, below - grid, 0, display->is_drawn};
    parts[2] = (cli_part){shown->data + below, shown->size - below, rank_of_legend, false};
}

void cli_pause(uint64_t milliseconds) {
    const struct timespec length = {.tv_sec = (time_t)(milliseconds / 1000),
                                    .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    nanosleep(&length, NULL);
}

typedef struct watching {
    sb_out heading;
    cli_display *display;
    uint64_t delay;
} watching;

static bool watch_frame(void *given, const sb_env *env, sb_error *error) {
    const watching *w = given;
    enum { HEADING = 3, SPARE = 1, RANK_OF_LEGEND = 3 };
    sb_out shown = sb_out_growing();
    const cli_room room = cli_room_below(HEADING + SPARE, SPARE);
    const bool ok = cli_put_shown(&shown, env, w->display, &room, error);
    if (ok && sb_out_ok(&w->heading) && sb_out_ok(&shown)) {
        cli_part parts[1 + CLI_SHOWN_PARTS] = {{w->heading.data, w->heading.size, 2, false}};
        cli_divide_shown(w->display, &shown, RANK_OF_LEGEND, parts + 1);
        cli_terminal_show_frame(parts, sizeof parts / sizeof *parts);
        cli_pause(w->delay);
    }
    sb_out_free(&shown);
    return ok;
}

bool cli_watch(const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent,
               cli_display *display, uint64_t delay, sb_error *error) {
    watching w = {.heading = sb_out_growing(), .display = display, .delay = delay};
    cli_put_heading(&w.heading, env, action, result, intent);
    sb_puts(&w.heading, "\n");
    const bool ok = cli_frames_before_last(env, watch_frame, &w, error) && watch_frame(&w, env, error);
    sb_out_free(&w.heading);
    return ok;
}
