/* TaskInterference's variables and the flight of its items, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_TASK_INTERFERENCE_H
#define SB_AGENTICK_TASK_INTERFERENCE_H

#include <limits.h>

#include "engine/gridworld/area.h"

enum { SB_TASK_INTERFERENCE_ITEMS = 20, SB_TASK_INTERFERENCE_PACE = 3 /* steps from one flight to the next */ };

typedef struct sb_task_interference_vars {
    double gem_meter, orb_meter; /* in [0, 1] */
    int32_t n_gems,
        n_items; /* gems and items that are left; the dense reward reads old values of the members up to here */
    sb_xy start;
    sb_xy item[SB_TASK_INTERFERENCE_ITEMS];   /* items that are left, in the order of placement: gems, then orbs */
    sb_xy placed[SB_TASK_INTERFERENCE_ITEMS]; /* where all items lay at the start, in the order of placement */
    uint32_t flee_seed;
    sb_rng flee;
} sb_task_interference_vars;

/* Return whether items flee at this difficulty, and what the other meter loses when an item is collected. */
bool sb_task_interference_items_flee(const sb_episode *e);
double sb_task_interference_drain(const sb_episode *e);
/* Applies the collection of one item to its own meter and the other one. */
void sb_task_interference_collect(double *meter, double *other, double drain);
bool sb_task_interference_suffices(double gem_meter, double orb_meter);

/* The directions that a fleeing item tries, indexed by the signs of dy and dx from the agent to it. Those away from the
 * agent come first, then the rest from east to north; the last two change places at random. An item in line with the
 * agent has only one direction away, so its second is fixed and may lead toward the agent. */
extern const uint8_t sb_task_interference_ways[3][3][4];

/* Returns where an item flees to: the first cell that is not taken, or its own if all are. `swapped` says that the last
 * two directions have changed places. Updates `taken` (walls, items, agent). */
static inline sb_xy sb_task_interference_flee(sb_area *taken, sb_xy item, sb_xy agent, bool swapped) {
    const int dx = item.x - agent.x, dy = item.y - agent.y;
    const uint8_t *ways = sb_task_interference_ways[1 + (dy > 0) - (dy < 0)][1 + (dx > 0) - (dx < 0)];
    for (int k = 0; k < 4; k++) {
        const sb_xy to = sb_beside(item, (sb_direction)ways[k < 2 ? k : k ^ (int)swapped]);
        if (sb_area_has(taken, to)) continue;
        sb_area_set(taken, item, false);
        sb_area_add(taken, to);
        return to;
    }
    return item;
}

/* Fills `taken` with the walls, all items and the agent. */
void sb_task_interference_taken(sb_area *taken, const sb_episode *e);

/* Returns the length of the shortest tree that joins the agent and n items in Manhattan distance (Prim's algorithm). */
static inline int sb_task_interference_tree(sb_xy agent, const sb_xy *item, int n) {
    sb_xy left[SB_TASK_INTERFERENCE_ITEMS], joined = agent; /* joined: the item that was joined last */
    int distance[SB_TASK_INTERFERENCE_ITEMS], total = 0;    /* distance of each item that is left from the tree */
    for (int i = 0; i < n; i++) left[i] = item[i], distance[i] = INT_MAX;
    for (; n > 0; n--) {
        int nearest = 0;
        for (int i = 0; i < n; i++) {
            const int across = sb_manhattan(left[i], joined);
            if (across < distance[i]) distance[i] = across;
            if (distance[i] < distance[nearest]) nearest = i;
        }
        joined = left[nearest], total += distance[nearest];
        left[nearest] = left[n - 1], distance[nearest] = distance[n - 1];
    }
    return total;
}

extern const sb_task sb_task_interference;

#endif
