/* ChaseEvade's variables, and how its enemies move, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_CHASE_EVADE_H
#define SB_AGENTICK_CHASE_EVADE_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/episode.h"

enum { SB_CHASE_EVADE_ENEMIES = 4, SB_CHASE_EVADE_SWITCHES = 2 };

/* Behaviours, as the metadata of an enemy's cell shows them. */
enum { SB_CHASER = 1, SB_AMBUSHER, SB_FLANKER, SB_TRAPPER };

/* The enemies in the order in which they move, and what they watch. */
typedef struct sb_chase_evade_hunt {
    sb_xy agent;
    uint8_t heading; /* of the agent's last move that was one; bumping into things does not change it */
    uint8_t n;
    uint8_t behaviour[SB_CHASE_EVADE_ENEMIES];
    sb_xy enemy[SB_CHASE_EVADE_ENEMIES]; /* no two are on one cell */
} sb_chase_evade_hunt;

typedef struct sb_chase_evade_vars {
    sb_chase_evade_hunt hunt;
    sb_xy switch_at[SB_CHASE_EVADE_SWITCHES]; /* at the start */
    sb_area floor;                            /* where enemies can walk: EMPTY terrain */
} sb_chase_evade_vars;

/* Which of the four neighbours of a cell (bits, by sb_direction) are nearer to the target than the cell is, on ways
 * over the floor, to which the target belongs even if it is a wall. None if nothing leads there. */
unsigned sb_chase_evade_nearer(const sb_area *floor, int side, sb_xy from, sb_xy target);

/* The same, by whatever means: a search has a table of the answers. Never asked where the cell is the target. */
typedef unsigned sb_chase_evade_ways(void *context, sb_xy from, sb_xy target);

/* Moves all enemies once. One may end on the agent's cell: see sb_chase_evade_catcher. */
void sb_chase_evade_pursue(sb_chase_evade_hunt *h, const sb_area *floor, int side, sb_chase_evade_ways *ways,
                           void *context);
/* The enemy on the agent's cell, or -1. */
int sb_chase_evade_catcher(const sb_chase_evade_hunt *h);

/* Steps to survive. */
int sb_chase_evade_survival(const sb_episode *e);

extern const sb_task sb_chase_evade;

#endif
