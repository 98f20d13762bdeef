/* The rules of MiniGrid as BabyAI's levels use them (docs/babyai.md). A step draws nothing and allocates nothing. */
#ifndef SB_MINIGRID_STEP_H
#define SB_MINIGRID_STEP_H

#include "engine/minigrid/world.h"

/* Makes one step by the rules. Rewards, end and success are those of the published package. */
void sb_mg_step(sb_mg_world *w, sb_mg_action action, sb_result *result);
/* Returns a mask: bit a is set if action a may change the world or decide the mission. */
unsigned sb_mg_valid(const sb_mg_world *w);
/* Returns a mask: bit a is clear only if what is shown proves that action a does no more than `done`, in the world and
 * for the mission. */
unsigned sb_mg_effective(const sb_mg_world *w);

#endif
