/* The two bots published for BabyAI's levels, action for action:
 *
 *   `published`  came with the levels. It looks for things only where its view of 7x7 has shown them.
 *   `omnibot`    BabyBench's OmniBot. It sees the whole grid, leaves out subgoals that do not fit, and counts how often
 *                it adds a subgoal to its plan; it can be given a plan to begin with.
 *
 * Both keep a stack of subgoals and look one action ahead: they ask the top one for an action, and it gives one, or
 * changes the stack. Neither is perfect, and their mistakes are kept: recorded sequences and scores come from them.
 * (What they do and where they fail: docs/babyai.md.) */
#ifndef SB_BABYAI_BOT_H
#define SB_BABYAI_BOT_H

#include "oracles/babyai/bot_state.h"
#include "oracles/oracle.h"

enum { SB_BOT_NOT_TOLD = -1 };

/* A bot that has the world's mission for its plan. What it pushes for that counts. */
void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w);

/* A bot that has this plan, which does not count. One subgoal a line, the first to be done first, the parentheses
 * around a line optional:
 *
 *     (GoNextToSubgoal, (x,y))  (OpenSubgoal)  (CloseSubgoal)  (PickupSubgoal)  (DropSubgoal)  (ExploreSubgoal)
 *
 * Blanks around the text are ignored. Fails on an empty plan, and on the first line that is none of these. */
bool sb_bot_begin_with_plan(sb_bot *bot, sb_bot_kind kind, const char *plan, sb_error *error);

/* What to do now. `taken`: the action that was really taken since the last call, or SB_BOT_NOT_TOLD, which means the
 * one suggested; also in the first call, where it takes a first subgoal that opens, closes, picks up or drops for done,
 * as the published bots do. Cells looked at are charged to the budget, whose limit is not asked for. */
sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget);

/* What the bot is about to do; or that it has given up, and why. */
void sb_bot_explain(const sb_bot *bot, const sb_mg_world *w, sb_intent *intent);

#endif
