/* How the enemies of ChaseEvade move: each approaches the target that its behaviour chooses, on a shortest way if there
 * is one. */
#include <limits.h>

#include "engine/gridworld/search.h"
#include "generators/agentick/multi_agent/chase_evade.h"

typedef sb_chase_evade_hunt hunt;

/* ---- Ways ---- */

/* Returns the neighbours from which a way without detours leads to the target. Row by row, starting at the target, it
 * collects the cells on such ways. */
static unsigned straight_ways(const sb_area *floor, sb_xy from, sb_xy target) {
    const int dx = from.x - target.x, dy = from.y - target.y, next = dy > 0 ? 1 : -1;
    uint32_t row = UINT32_C(1) << target.x, beside = 0;
    for (int y = target.y;; y += next) {
        for (int x = target.x; x < from.x; x++) row |= row << 1 & floor->row[y];
        for (int x = target.x; x > from.x; x--) row |= row >> 1 & floor->row[y];
        if (y == from.y) break;
        beside = row, row &= floor->row[y + next];
    }
    const bool across = dx && row >> (dx > 0 ? from.x - 1 : from.x + 1) & 1, along = beside >> from.x & 1;
    return (unsigned)across << (dx > 0 ? SB_WEST : SB_EAST) | (unsigned)along << (dy > 0 ? SB_NORTH : SB_SOUTH);
}

/* Returns the neighbours from which a way with detours leads to the target. Floods from the target, ring by ring, until
 * a ring touches the cell. */
static unsigned flood_ways(const sb_area *floor, int side, sb_xy from, sb_xy target) {
    sb_area ring = {0}, seen = {0};
    unsigned ways = 0;
    sb_area_add(&ring, target);
    for (uint32_t gained = 1; gained && !ways;) {
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
            ways |= (unsigned)sb_area_has(&ring, sb_beside(from, d)) << d;
        uint32_t above = 0;
        gained = 0;
        for (int y = 1; y < side - 1; y++) {
            const uint32_t here = ring.row[y];
            seen.row[y] |= here;
            ring.row[y] = (here << 1 | here >> 1 | above | ring.row[y + 1]) & floor->row[y] & ~seen.row[y];
            gained |= ring.row[y], above = here;
        }
    }
    return ways;
}

unsigned sb_chase_evade_nearer(const sb_area *floor, int side, sb_xy from, sb_xy target) {
    if (!sb_area_has(floor, from)) return 0;
    const unsigned ways = straight_ways(floor, from, target);
    return ways ? ways : flood_ways(floor, side, from, target);
}

/* ---- Steps ---- */

/* The enemy that moves (index i) and what it knows. */
typedef struct mover {
    const hunt *h;
    int i;
    const sb_area *floor;
    int side;
    sb_chase_evade_ways *ways;
    void *context;
} mover;

/* Enemies never enter each other's cells, whether the other has moved in this step or not. */
static bool is_free(const mover *m, sb_xy p) {
    for (int j = 0; j < m->h->n; j++)
        if (j != m->i && sb_same(m->h->enemy[j], p)) return false;
    return true;
}

/* Returns the free neighbour that is nearest to the target in Manhattan distance, or the enemy's own cell if none is
 * nearer. */
static sb_xy step_blindly(const mover *m, sb_xy target) {
    sb_xy best = m->h->enemy[m->i];
    const sb_xy from = best;
    for (int k = 0; k < 4; k++) {
        const sb_xy to = sb_beside(from, sb_nswe[k]);
        if (!sb_area_has(m->floor, to) || !is_free(m, to)) continue;
        if (sb_manhattan(to, target) < sb_manhattan(best, target)) best = to;
    }
    return best;
}

/* Returns a step on a shortest way. Enters a wall only if the wall is the target. */
static sb_xy approach(const mover *m, sb_xy target) {
    static const sb_direction by_column[4] = {SB_WEST, SB_NORTH, SB_SOUTH, SB_EAST};
    const sb_xy from = m->h->enemy[m->i];
    if (sb_same(from, target)) return from;
    const unsigned ways = m->ways(m->context, from, target);
    for (int k = 0; k < 4; k++) {
        const sb_xy to = sb_beside(from, by_column[k]);
        if (ways >> by_column[k] & 1 && is_free(m, to)) return to;
    }
    return step_blindly(m, target);
}

/* Returns a step to the target, or to the agent if no step leads nearer to the target. */
static sb_xy approach_or_chase(const mover *m, sb_xy target) {
    const sb_xy to = approach(m, target);
    return sb_same(to, m->h->enemy[m->i]) ? approach(m, m->h->agent) : to;
}

static int16_t clamped(const mover *m, int coordinate) {
    return (int16_t)(coordinate < 1 ? 1 : coordinate > m->side - 2 ? m->side - 2 : coordinate);
}

/* ---- Behaviours ---- */

/* Goes to the cell four steps ahead of the agent, until the agent is close. */
static sb_xy ambush(const mover *m) {
    const hunt *h = m->h;
    const sb_xy from = h->enemy[m->i], way = sb_delta[h->heading];
    const sb_xy ahead = {clamped(m, h->agent.x + 4 * way.x), clamped(m, h->agent.y + 4 * way.y)};
    if (sb_manhattan(from, h->agent) <= 3 || sb_same(from, ahead)) return approach(m, h->agent);
    return approach_or_chase(m, ahead);
}

/* Returns the other enemy that is nearest to the agent, or -1. */
static int partner(const mover *m) {
    const hunt *h = m->h;
    int best = -1;
    for (int j = 0; j < h->n; j++) {
        if (j == m->i) continue;
        if (best < 0 || sb_manhattan(h->enemy[j], h->agent) < sb_manhattan(h->enemy[best], h->agent)) best = j;
    }
    return best;
}

/* Goes to the far side of the agent, opposite its partner, until it is close to that cell or to the agent. */
static sb_xy flank(const mover *m) {
    const hunt *h = m->h;
    const sb_xy from = h->enemy[m->i];
    const int p = partner(m);
    if (p < 0) return approach(m, h->agent);
    const sb_xy behind = {clamped(m, 2 * h->agent.x - h->enemy[p].x), clamped(m, 2 * h->agent.y - h->enemy[p].y)};
    if (sb_manhattan(from, behind) <= 1 || sb_manhattan(from, h->agent) <= 2) return approach(m, h->agent);
    return approach_or_chase(m, behind);
}

/* Goes to the nearest free neighbour of the agent. (The published rule chooses the neighbour that leaves the agent the
 * fewest other ways out, but every neighbour leaves all the others.) */
static sb_xy trap(const mover *m) {
    const hunt *h = m->h;
    sb_xy best = h->agent;
    int least = INT_MAX;
    for (int k = 0; k < 4; k++) {
        const sb_xy p = sb_beside(h->agent, sb_nswe[k]);
        const int distance = sb_manhattan(h->enemy[m->i], p);
        if (distance < least && sb_area_has(m->floor, p) && is_free(m, p)) best = p, least = distance;
    }
    return approach(m, best);
}

void sb_chase_evade_pursue(hunt *h, const sb_area *floor, int side, sb_chase_evade_ways *ways, void *context) {
    mover m = {.h = h, .floor = floor, .side = side, .ways = ways, .context = context};
    for (m.i = 0; m.i < h->n; m.i++) {
        sb_xy *enemy = &h->enemy[m.i];
        switch (h->behaviour[m.i]) {
        case SB_AMBUSHER: *enemy = ambush(&m); break;
        case SB_FLANKER: *enemy = flank(&m); break;
        case SB_TRAPPER: *enemy = trap(&m); break;
        default: *enemy = approach(&m, h->agent);
        }
    }
}

int sb_chase_evade_catcher(const hunt *h) {
    for (int i = 0; i < h->n; i++)
        if (sb_same(h->enemy[i], h->agent)) return i;
    return -1;
}
