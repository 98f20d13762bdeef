/* The expert of DelayedGratification: takes the fewest steps past the decoys, straight through hazards. Nothing is
 * hidden. */
#include "generators/agentick/memory/delayed_gratification.h"

#include "engine/gridworld/search.h"
#include "oracles/kits/plan.h"
#include "oracles/oracle.h"

static void list_floor(sb_open *floor, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        floor->cell[i] = sb_terrain_walkable(e->cells[i].terrain) && e->cells[i].object != SB_KEY;
}

/* Returns the first move, in the order of the actions, that comes closer; SB_NOOP if none does. */
static sb_action move_closer(const sb_reach *from_goal, const sb_episode *e) {
    const sb_xy at = e->agent.at;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const sb_xy to = sb_beside(at, sb_direction_of(move));
        if (!sb_inside(e, to) || !sb_reached(from_goal, e, to)) continue;
        if (from_goal->distance[sb_index(e, to)] < from_goal->distance[sb_index(e, at)]) return move;
    }
    return SB_NOOP;
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    (void)memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_delayed_gratification_vars *v = SB_VARS(e);
    sb_open floor;
    sb_reach from_goal;
    list_floor(&floor, e);
    const bool is_near = sb_reach_goal(&from_goal, e, &floor, v->goal, e->agent.at, sb_nswe);
    budget->spent += (uint64_t)from_goal.n;
    *action = is_near ? move_closer(&from_goal, e) : SB_NOOP;
    if (*action == SB_NOOP)
        sb_give_up(intent, "no way to the goal");
    else
        sb_intend(intent, "go to", "goal", v->goal);
}

const sb_oracle sb_delayed_gratification_expert = {
    .family = "agentick",
    .task = "DelayedGratification-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .act = act,
};
