/* How the NPCs of EmergentStrategy behave: functions of what the NPCs see, used by the rules and by planners. */
#include "generators/agentick/multi_agent/emergent_strategy.h"

#include <string.h>

#include "engine/gridworld/search.h"

typedef sb_emergent_strategy_vars vars;

enum { EARSHOT = 4, FRIGHT = 3 }; /* greatest distance of the agent at which the follower and the fearful NPC react */

/* ---- Where NPCs may go ---- */

int sb_emergent_strategy_row(const sb_episode *e, int k) {
    const vars *v = SB_VARS(e);
    return 1 + (k + 1) * (e->height - 2) / (v->n + 1);
}

/* The row of the barrier still counts as this side of it. Only a mirror steps onto a cell that it may not enter: onto a
 * barrier, or onto a plate that is taken, where it is locked. */
bool sb_emergent_strategy_is_lost(const sb_episode *e, int k, sb_xy npc) {
    const vars *v = SB_VARS(e);
    bool on_plate = false;
    for (int i = 0; i < k; i++) on_plate |= sb_same(npc, v->plate[i]);
    return on_plate || npc.y > sb_emergent_strategy_row(e, k);
}

/* Lists the EMPTY, unoccupied cells. The list is exact only where the NPC can get to. */
void sb_emergent_strategy_enterable(sb_area *enterable, const sb_episode *e, int k, sb_xy npc, sb_xy agent) {
    const vars *v = SB_VARS(e);
    const uint32_t row = (UINT32_C(1) << (e->width - 1)) - 2;
    const int barrier = sb_emergent_strategy_row(e, k);
    memset(enterable, 0, sizeof *enterable);
    for (int y = 1; y < e->height - 1; y++) enterable->row[y] = y == barrier ? 0 : row;
    for (int i = 0; i < k; i++) sb_area_set(enterable, v->plate[i], false);
    sb_area_set(enterable, agent, false);
    sb_area_set(enterable, npc, false);
}

/* ---- Where NPCs go: among equal ways, the first in the order of sb_ewsn ---- */

/* The published contrarian and fearful NPCs also avoid the goal, but they cannot reach it while they still move. */

static sb_xy first_step(const sb_area *enterable, int side, sb_xy from, sb_xy to) {
    const sb_direction way = sb_area_lead(enterable, side, from, to);
    return way == SB_NOWHERE ? from : sb_beside(from, way);
}

/* Goes to where the agent was, or else to the nearest cell beside the agent. */
static sb_xy follow(const sb_area *enterable, int side, sb_xy npc, sb_xy agent, sb_xy before) {
    sb_xy to = before;
    if (sb_manhattan(npc, agent) > EARSHOT) return npc;
    if (sb_same(before, agent) || !sb_area_has(enterable, before)) {
        to = npc;
        for (int i = 0, least = SB_CELLS_MAX; i < 4; i++) {
            const sb_xy beside = sb_beside(agent, sb_ewsn[i]);
            const int distance = sb_manhattan(beside, npc);
            if (distance < least && (distance == 0 || sb_area_has(enterable, beside))) to = beside, least = distance;
        }
    }
    return sb_same(to, npc) ? npc : first_step(enterable, side, npc, to);
}

/* Goes against the agent's heading, even while the agent stands still. */
static sb_xy contradict(const sb_area *enterable, sb_xy npc, int heading) {
    if (heading == SB_NOWHERE) return npc;
    const sb_xy to = sb_beside(npc, (sb_direction)((heading + 2) % 4));
    return sb_area_has(enterable, to) ? to : npc;
}

static sb_xy opposite(int side, sb_xy p) { return sb_at(side - 1 - p.x, side - 1 - p.y); }

/* Goes to the point opposite the agent. */
static sb_xy mirror(const sb_area *enterable, int side, sb_xy npc, sb_xy agent) {
    const sb_xy to = opposite(side, agent);
    return sb_same(to, npc) ? npc : first_step(enterable, side, npc, to);
}

sb_xy sb_emergent_strategy_react(const sb_area *enterable, int side, int k, sb_xy npc, sb_xy agent, sb_xy before,
                                 int heading) {
    switch (k) {
    case SB_FOLLOWER: return follow(enterable, side, npc, agent, before);
    case SB_CONTRARIAN: return contradict(enterable, npc, heading);
    case SB_MIRROR: return mirror(enterable, side, npc, agent);
    default: return npc;
    }
}

void sb_emergent_strategy_react_all(const sb_area *enterable, int side, int k, sb_xy agent, int heading,
                                    sb_area way[4]) {
    if (k == SB_MIRROR) {
        sb_area_leads(enterable, side, opposite(side, agent), way);
        return;
    }
    memset(way, 0, sizeof *way * 4);
    for (int i = 0; i < 4 && heading != SB_NOWHERE; i++)
        for (int y = 1; y < side - 1 && (heading + 2) % 4 == (int)sb_ewsn[i]; y++) {
            const uint32_t *row = &enterable->row[y];
            const uint32_t beside[4] = {*row >> 1, *row << 1, row[1], row[-1]}; /* by sb_ewsn */
            way[i].row[y] = beside[i];
        }
}

bool sb_emergent_strategy_is_flight(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_xy to) {
    const int distance = sb_manhattan(npc, agent);
    return distance <= FRIGHT && sb_area_has(enterable, to) && sb_manhattan(to, agent) > distance;
}

sb_xy sb_emergent_strategy_flee(const sb_area *enterable, sb_xy npc, sb_xy agent, sb_rng *rng) {
    sb_xy ways[4];
    if (sb_manhattan(npc, agent) > FRIGHT) return npc;
    for (int i = 0; i < 4; i++) ways[i] = sb_beside(npc, sb_ewsn[i]);
    sb_shuffle_xy(rng, ways, 4); /* even if it cannot move */
    for (int i = 0; i < 4; i++)
        if (sb_emergent_strategy_is_flight(enterable, npc, agent, ways[i])) return ways[i];
    return npc;
}
