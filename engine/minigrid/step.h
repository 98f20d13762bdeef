/* The rules of MiniGrid as BabyAI's levels use them (docs/babyai.md). A step draws nothing and allocates nothing. */
#ifndef SB_MINIGRID_STEP_H
#define SB_MINIGRID_STEP_H

#include "engine/minigrid/world.h"

/* One step by the rules; rewards, ends and success as the published package gives them. */
void sb_mg_step(sb_mg_world *w, sb_mg_action action, sb_result *result);
/* Bit a is set if action a may matter: a change of the world, or an outcome of the mission. */
unsigned sb_mg_valid(const sb_mg_world *w);

#endif
