/* EmergentStrategy's variables and the behaviours of its NPCs, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_EMERGENT_STRATEGY_H
#define SB_AGENTICK_EMERGENT_STRATEGY_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/episode.h"

/* NPC, plate and barrier k make up stage k. The behaviour of an NPC goes by its stage. */
enum { SB_EMERGENT_STRATEGY_STAGES = 4 };
enum { SB_FOLLOWER, SB_FEARFUL, SB_CONTRARIAN, SB_MIRROR };

/* Of all NPCs only that of the first closed barrier ever moves: those before it are locked, each on its own plate, and
 * those behind do not react across a barrier. (Its plate is the only free one that it can get to.) */
typedef struct sb_emergent_strategy_vars {
    int32_t n_open; /* barriers: the stage that is on, or `n` */
    int32_t n;      /* stages */
    sb_xy start, goal;
    sb_xy plate[SB_EMERGENT_STRATEGY_STAGES];
    sb_xy post[SB_EMERGENT_STRATEGY_STAGES]; /* where NPCs start */
    sb_xy npc;                               /* where that of this stage is */
    sb_xy before;                            /* where the agent was before this step; between steps where it is */
    int32_t heading;                         /* of the agent's last successful move; SB_NOWHERE: there was none */
    uint32_t flight_seed;
    sb_rng flight_rng; /* in which order the fearful considers its ways out */
} sb_emergent_strategy_vars;

/* The row that is barrier k. */
int sb_emergent_strategy_row(const sb_episode *e, int k);
/* The NPC of this stage is where it will stay for good without having opened the barrier: nobody can win any more.
 * Only a mirror gets there. */
bool sb_emergent_strategy_is_lost(const sb_episode *e, int k, sb_xy npc);

/* Where an NPC of stage k may go once the agent has moved. */
void sb_emergent_strategy_enterable(sb_area *enterable, const sb_episode *e, int k, sb_xy npc, sb_xy agent);
/* Where it goes, if it is not fearful. */
sb_xy sb_emergent_strategy_react(const sb_area *enterable, int side, int k, sb_xy npc, sb_xy agent, sb_xy before,
                                 int heading);
sb_xy sb_emergent_strategy_flee(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_rng *rng);
/* Whether the fearful may flee to that cell beside it: of all such, each is drawn as often as any; without one it
 * stays. */
bool sb_emergent_strategy_is_flight(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_xy to);

extern const sb_task sb_emergent_strategy;

#endif
