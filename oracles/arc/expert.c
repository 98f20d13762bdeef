/* The expert of all multi-level games: it solves the level that is reached from the present situation, follows that
 * plan, and resets the level where there is none, or after GAME_OVER. It knows hidden variables; nothing is drawn in
 * play. */
#include "generators/arc/observe.h"
#include "oracles/arc/plan.h"

static bool begin(void *plan, const sb_env *env, sb_budget *budget, sb_error *error) {
    (void)budget;
    return sb_arc_plan_begin(plan, ((const sb_arc_episode *)env->state)->play.game, error);
}

static void close_plan(void *plan) { sb_arc_plan_free(plan); }

static void act(void *plan, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_arc_play *play = &((const sb_arc_episode *)observation->env->state)->play;
    const bool goes_on = sb_arc_plan_next(plan, play, budget, action);
    if (!goes_on) *action = SB_ARC_RESET;
    sb_intend(intent, goes_on ? "solve" : "reset", "level", (sb_xy){-1, -1});
}

const sb_oracle sb_arc_expert = {.family = "arc",
                                 .name = "expert",
                                 .sees = SB_SEES_STATE,
                                 .plans = true,
                                 .memory = sizeof(sb_arc_plan),
                                 .begin = begin,
                                 .close = close_plan,
                                 .act = act};
