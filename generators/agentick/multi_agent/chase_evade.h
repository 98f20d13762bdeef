/* ChaseEvade's variables, and how its enemies move, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_CHASE_EVADE_H
#define SB_AGENTICK_CHASE_EVADE_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/episode.h"

enum { SB_CHASE_EVADE_ENEMIES = 4, SB_CHASE_EVADE_SWITCHES = 2 };

/* Behaviours, which the grid shows as metadata of the enemies' cells. */
enum { SB_CHASER = 1, SB_AMBUSHER, SB_FLANKER, SB_TRAPPER };

/* The enemies in the order in which they move, and what they know of the agent. */
typedef struct sb_chase_evade_hunt {
    sb_xy agent;
    uint8_t heading; /* direction of the agent's last successful move; bumping into things does not change it */
    uint8_t n;
    uint8_t behaviour[SB_CHASE_EVADE_ENEMIES];
    sb_xy enemy[SB_CHASE_EVADE_ENEMIES]; /* never two on one cell */
} sb_chase_evade_hunt;

typedef struct sb_chase_evade_vars {
    sb_chase_evade_hunt hunt;
    sb_xy switch_at[SB_CHASE_EVADE_SWITCHES]; /* where the switches were at the start */
    sb_area floor;                            /* where enemies can walk: EMPTY terrain */
} sb_chase_evade_vars;

/* Returns which of the four neighbours of a cell (bits by sb_direction) are one step nearer to the target on ways over
 * the floor; 0 if no way leads there. The target counts as floor even if it is a wall. */
unsigned sb_chase_evade_nearer(const sb_area *floor, int side, sb_xy from, sb_xy target);

/* A function that returns what sb_chase_evade_nearer does, perhaps by looking it up in a table. It is never called with
 * `from` equal to `target`. */
typedef unsigned sb_chase_evade_ways(void *context, sb_xy from, sb_xy target);

/* Moves all enemies once. One may end on the agent's cell: see sb_chase_evade_catcher. */
void sb_chase_evade_pursue(sb_chase_evade_hunt *h, const sb_area *floor, int side, sb_chase_evade_ways *ways,
                           void *context);
/* Returns the index of the enemy on the agent's cell, or -1. */
int sb_chase_evade_catcher(const sb_chase_evade_hunt *h);

/* Returns the number of steps to survive. */
int sb_chase_evade_survival(const sb_episode *e);

extern const sb_task sb_chase_evade;

#endif
