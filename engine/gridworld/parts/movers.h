/* Those that move by themselves, one after the other: guards, sheep, opponents, helpers. */
#ifndef SB_PARTS_MOVERS_H
#define SB_PARTS_MOVERS_H

#include "engine/gridworld/search.h"

typedef bool sb_may_enter(const sb_episode *e, sb_xy to);

/* ---- Those that choose among the ways beside them: east, west, south, north ---- */

/* Lists the ways that are free; returns how many. */
static inline int sb_list_ways(const sb_episode *e, sb_xy from, sb_may_enter *may_enter, sb_direction ways[4]) {
    int n = 0;
    for (int k = 0; k < 4; k++)
        if (may_enter(e, sb_beside(from, sb_ewsn[k]))) ways[n++] = sb_ewsn[k];
    return n;
}

/* One of the ways that are free, each as likely, or SB_NOWHERE. */
static inline sb_direction sb_draw_way(const sb_episode *e, sb_xy from, sb_may_enter *may_enter, sb_rng *rng) {
    sb_direction ways[4];
    const int n = sb_list_ways(e, from, may_enter, ways);
    return n ? ways[sb_integer_below(rng, n)] : SB_NOWHERE;
}

/* The first free way that leads farther from the agent, or SB_NOWHERE. All that is farther is one step farther. */
static inline sb_direction sb_way_off(const sb_episode *e, sb_xy from, sb_may_enter *may_enter) {
    const int dx = from.x - e->agent.at.x, dy = from.y - e->agent.at.y;
    for (int k = 0; k < 4; k++) {
        const sb_direction way = sb_ewsn[k];
        if (dx * sb_delta[way].x + dy * sb_delta[way].y >= 0 && may_enter(e, sb_beside(from, way))) return way;
    }
    return SB_NOWHERE;
}

/* Takes it along the way, or lets it stay. Its metadata is the way it went, or south. What it steps on is gone. */
static inline void sb_go(sb_episode *e, sb_xy *at, sb_direction way, sb_object object) {
    sb_set_object(e, *at, SB_NONE, 0);
    if (way != SB_NOWHERE) *at = sb_beside(*at, way);
    sb_set_object(e, *at, object, way == SB_NOWHERE ? SB_SOUTH : way);
}

/* ---- Those that patrol in straight lines ---- */

/* Where guards go: over empty cells within the border, but never onto the goal. */
static inline bool sb_may_patrol(const sb_episode *e, sb_xy to) {
    return sb_interior(e, to) && sb_peek(e, to)->terrain == SB_EMPTY && sb_peek(e, to)->object != SB_GOAL;
}

/* Walks on with the heading, an index into sb_nswe; where that may not be entered, stays and turns at random instead.
 * Returns the heading for the next step. */
static inline int sb_patrol(const sb_episode *e, sb_xy *at, int heading, sb_may_enter *may_enter, sb_rng *rng) {
    const sb_xy ahead = sb_beside(*at, sb_nswe[heading]);
    if (!may_enter(e, ahead)) return (int)sb_integers(rng, 0, 4);
    *at = ahead;
    return heading;
}

/* All guards patrol, and the agent has lost if one comes to its cell. They are erased before and drawn afterwards, over
 * whatever lies there. */
static inline void sb_patrol_all(sb_episode *e, sb_xy *guard, int8_t *heading, int n, sb_rng *rng) {
    for (int i = 0; i < n; i++) sb_cell_at(e, guard[i])->object = SB_NONE;
    for (int i = 0; i < n; i++) {
        heading[i] = (int8_t)sb_patrol(e, &guard[i], heading[i], sb_may_patrol, rng);
        if (sb_same(guard[i], e->agent.at)) sb_lose(e);
    }
    for (int i = 0; i < n; i++) sb_cell_at(e, guard[i])->object = SB_NPC;
}

#endif
