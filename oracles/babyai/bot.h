/* The two bots published for BabyAI's levels, action for action:
 *
 *       `published`  came with the levels. It looks for things only where its view of 7x7 has shown them.
 *       `omnibot`    BabyBench's OmniBot. It sees the whole grid, skips subgoals that do not fit, and counts how often
 * it adds a subgoal to its plan. It can also start with a given plan.
 *
 * Both keep a stack of subgoals and look one action ahead: they ask the top subgoal for an action, and it returns one
 * or changes the stack. Neither is perfect, and their mistakes are kept, because recorded sequences and scores contain
 * them. docs/babyai.md says what they do and where they fail. */
#ifndef SB_BABYAI_BOT_H
#define SB_BABYAI_BOT_H

#include "oracles/babyai/bot_state.h"
#include "oracles/oracle.h"

enum { SB_BOT_NOT_TOLD = -1 };

/* Makes a bot that plans for the world's mission. The subgoals it pushes for that are counted. */
void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w);

/* Makes a bot for an observer: the published bot in the middle of an episode, in a world that holds what was seen. The
 * other cells are not `known`. Unlike the published one it looks for what no object in that world matches, and it
 * begins by putting down what is carried. */
void sb_bot_begin_on_chart(sb_bot *bot, const sb_mg_world *w, const bool known[SB_MG_CELLS_MAX], sb_budget *budget);

/* Makes a bot with this plan, whose subgoals are not counted. The plan has one subgoal per line, the first line comes
 * first, and the parentheses around a line are optional:
 *
 *       (GoNextToSubgoal, (x,y))  (OpenSubgoal)  (CloseSubgoal)  (PickupSubgoal)  (DropSubgoal)  (ExploreSubgoal)
 *
 * Blanks around the text are ignored. Fails if the plan is empty, and at the first line that is not a subgoal. */
bool sb_bot_begin_with_plan(sb_bot *bot, sb_bot_kind kind, const char *plan, sb_error *error);

/* Returns the next action. `taken` is the action that was really taken since the last call, or SB_BOT_NOT_TOLD, which
 * means the suggested one. In the first call, SB_BOT_NOT_TOLD drops a first subgoal that opens, closes, picks up or
 * drops, as the published bots do. Cells looked at are charged to the budget, but its limit is ignored. */
sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget);

/* Explains what the bot is about to do, or that it has given up, and why. */
void sb_bot_explain(const sb_bot *bot, const sb_mg_world *w, sb_intent *intent);

#endif
