#include "oracles/arc/plan.h"

#include "generators/arc/observe.h"

bool sb_arc_plan_begin(sb_arc_plan *plan, const sb_arc_game *game, sb_error *error) {
    sb_arc_plan_forget(plan);
    if (plan->solver.game == game) return true;
    sb_arc_solver_free(&plan->solver);
    return sb_arc_solver_new(&plan->solver, game, true, error);
}

void sb_arc_plan_free(sb_arc_plan *plan) { sb_arc_solver_free(&plan->solver); }

sb_action sb_arc_number_of(const sb_arc_level *level, sb_arc_move move) {
    return sb_arc_action_number(sb_arc_action_of(level, move));
}

/* Notes what the play will be after the next action of the plan. */
static void expect_next(sb_arc_plan *plan, const sb_arc_play *play) {
    sb_arc_play after;
    sb_arc_answer answer;
    sb_arc_play_copy(&after, play);
    sb_arc_play_act(&after, sb_arc_action_of(sb_arc_play_level(play), plan->solver.plan[plan->next++]), NULL, &answer);
    sb_arc_play_key(&after, plan->key);
}

static bool has_plan(sb_arc_plan *plan, const sb_arc_play *play, sb_budget *budget) {
    uint64_t now[2];
    sb_arc_play_key(play, now);
    if (plan->next < plan->solver.n_plan && memcmp(now, plan->key, sizeof now) == 0) return true;
    plan->next = 0;
    const sb_verdict verdict = sb_arc_solve(&plan->solver, sb_arc_play_level(play), play->now.situation,
                                            play->now.left);
    budget->spent += plan->solver.spent;
    return verdict == SB_SOLVED;
}

bool sb_arc_plan_next(sb_arc_plan *plan, const sb_arc_play *play, sb_budget *budget, sb_action *action) {
    if (play->now.loop.state != SB_ARC_NOT_FINISHED || !has_plan(plan, play, budget)) return false;
    *action = sb_arc_number_of(sb_arc_play_level(play), plan->solver.plan[plan->next]);
    expect_next(plan, play);
    return true;
}
