/* EmergentStrategy's variables and the behaviours of its NPCs, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_EMERGENT_STRATEGY_H
#define SB_AGENTICK_EMERGENT_STRATEGY_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/episode.h"

/* NPC, plate and barrier k make up stage k. The stage decides the behaviour of its NPC. */
enum { SB_EMERGENT_STRATEGY_STAGES = 4 };
enum { SB_FOLLOWER, SB_FEARFUL, SB_CONTRARIAN, SB_MIRROR };

/* Only the NPC at the first closed barrier ever moves. Earlier NPCs are locked, each on its own plate, and later ones
 * do not react across a barrier. (The NPC's own plate is the only free one that it can reach.) */
typedef struct sb_emergent_strategy_vars {
    int32_t n_open; /* number of open barriers, which is the current stage, or `n` at the end */
    int32_t n;      /* number of stages */
    sb_xy start, goal;
    sb_xy plate[SB_EMERGENT_STRATEGY_STAGES];
    sb_xy post[SB_EMERGENT_STRATEGY_STAGES]; /* where the NPCs start */
    sb_xy npc;                               /* where the NPC of the current stage is */
    sb_xy before;                            /* where the agent was before this step; between steps, where it is */
    int32_t heading; /* direction of the agent's last successful move; SB_NOWHERE if there was none */
    uint32_t flight_seed;
    sb_rng flight_rng; /* draws the order in which the fearful NPC considers its ways out */
} sb_emergent_strategy_vars;

/* Returns the row of barrier k. */
int sb_emergent_strategy_row(const sb_episode *e, int k);
/* Returns whether the NPC of stage k will stay where it is for good without opening its barrier, so that the episode is
 * lost. This happens only to a mirror. */
bool sb_emergent_strategy_is_lost(const sb_episode *e, int k, sb_xy npc);

/* Lists the cells that an NPC of stage k may enter after the agent's move. */
void sb_emergent_strategy_enterable(sb_area *enterable, const sb_episode *e, int k, sb_xy npc, sb_xy agent);
/* Return where an NPC goes: react() for every behaviour but the fearful, flee() for the fearful one. */
sb_xy sb_emergent_strategy_react(const sb_area *enterable, int side, int k, sb_xy npc, sb_xy agent, sb_xy before,
                                 int heading);
sb_xy sb_emergent_strategy_flee(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_rng *rng);
/* Computes react() of a contrarian or a mirror for all cells that it may be in: way[i] gets those from which it goes to
 * sb_ewsn[i]. The NPC's own cell may be in `enterable`, or not. */
void sb_emergent_strategy_react_all(const sb_area *enterable, int side, int k, sb_xy agent, int heading,
                                    sb_area way[4]);
/* Returns whether the fearful NPC may flee to the cell `to` beside it. It flees to each such cell with equal chance,
 * and stays if there is none. */
bool sb_emergent_strategy_is_flight(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_xy to);

extern const sb_task sb_emergent_strategy;

#endif
