/* Things that move by themselves, one after the other: guards, sheep, opponents, helpers. */
#ifndef SB_PARTS_MOVERS_H
#define SB_PARTS_MOVERS_H

#include "engine/gridworld/search.h"

typedef bool sb_may_enter(const sb_episode *e, sb_xy to);

/* ---- Movers that choose a free neighbour: east, west, south, north ---- */

/* Lists the directions of free neighbours; returns how many. */
static inline int sb_list_ways(const sb_episode *e, sb_xy from, sb_may_enter *may_enter, sb_direction ways[4]) {
    int n = 0;
    for (int k = 0; k < 4; k++)
        if (may_enter(e, sb_beside(from, sb_ewsn[k]))) ways[n++] = sb_ewsn[k];
    return n;
}

/* Draws one of the free directions with equal chances; SB_NOWHERE if there is none. */
static inline sb_direction sb_draw_way(const sb_episode *e, sb_xy from, sb_may_enter *may_enter, sb_rng *rng) {
    sb_direction ways[4];
    const int n = sb_list_ways(e, from, may_enter, ways);
    return n ? ways[sb_integer_below(rng, n)] : SB_NOWHERE;
}

/* Returns the first free direction that leads one step farther from the agent, or SB_NOWHERE. */
static inline sb_direction sb_way_off(const sb_episode *e, sb_xy from, sb_may_enter *may_enter) {
    const int dx = from.x - e->agent.at.x, dy = from.y - e->agent.at.y;
    for (int k = 0; k < 4; k++) {
        const sb_direction way = sb_ewsn[k];
        if (dx * sb_delta[way].x + dy * sb_delta[way].y >= 0 && may_enter(e, sb_beside(from, way))) return way;
    }
    return SB_NOWHERE;
}

/* Moves the thing in this direction, or lets it stay. Its metadata becomes the direction of the move, or south. What it
 * steps on disappears. */
static inline void sb_go(sb_episode *e, sb_xy *at, sb_direction way, sb_object object) {
    sb_set_object(e, *at, SB_NONE, 0);
    if (way != SB_NOWHERE) *at = sb_beside(*at, way);
    sb_set_object(e, *at, object, way == SB_NOWHERE ? SB_SOUTH : way);
}

/* ---- Movers that patrol in straight lines ---- */

/* Tells whether a guard may enter: empty cells inside the border, but never the goal. */
static inline bool sb_may_patrol(const sb_episode *e, sb_xy to) {
    return sb_interior(e, to) && sb_peek(e, to)->terrain == SB_EMPTY && sb_peek(e, to)->object != SB_GOAL;
}

/* Moves one step along the heading, an index into sb_nswe; if that cell may not be entered, stays and turns in a random
 * direction. Returns the heading for the next step. */
static inline int sb_patrol(const sb_episode *e, sb_xy *at, int heading, sb_may_enter *may_enter, sb_rng *rng) {
    const sb_xy ahead = sb_beside(*at, sb_nswe[heading]);
    if (!may_enter(e, ahead)) return (int)sb_integers(rng, 0, 4);
    *at = ahead;
    return heading;
}

/* Moves all guards; the agent loses if one reaches its cell. Guards are erased before the moves and drawn after them,
 * over whatever is there. */
static inline void sb_patrol_all(sb_episode *e, sb_xy *guard, int8_t *heading, int n, sb_rng *rng) {
    for (int i = 0; i < n; i++) sb_cell_at(e, guard[i])->object = SB_NONE;
    for (int i = 0; i < n; i++) {
        heading[i] = (int8_t)sb_patrol(e, &guard[i], heading[i], sb_may_patrol, rng);
        if (sb_same(guard[i], e->agent.at)) sb_lose(e);
    }
    for (int i = 0; i < n; i++) sb_cell_at(e, guard[i])->object = SB_NPC;
}

#endif
