/* The expert of DeceptiveReward: takes the fewest steps to the goal, fetching keys and unlocking doors on the way
 * (oracles/kits/locks.h). It never touches a decoy, and touches coins only if one was taken before. */
#include "generators/agentick/reasoning/deceptive_reward.h"

#include "oracles/agentick/packed.h"
#include "oracles/kits/locks.h"

/* The first coin is never worth taking: before the gate it closes the way to the goal, and behind the gate there is an
 * equally short way without it. */
static void list_floor(sb_open *floor, const sb_episode *e) {
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_cell *c = &e->cells[i];
        const bool tempts = c->object == SB_COIN && v->n_collected == 0;
        floor->cell[i] = sb_terrain_walkable(c->terrain) && c->object != SB_TARGET && !tempts;
    }
}

static void make_plan(sb_locks *locks, const sb_episode *e, sb_budget *budget) {
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    sb_open floor;
    list_floor(&floor, e);
    sb_locks_plan(locks, e, &floor, v->goal, budget);
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_locks *locks = memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    if (!sb_plan_holds(&locks->plan, e)) make_plan(locks, e, budget);
    sb_locks_explain(locks, e, "goal", v->goal, intent);
    if (!sb_plan_next(&locks->plan, e, action)) sb_plan_give_up(&locks->plan, NULL, action, intent);
}

const sb_oracle sb_deceptive_reward_expert = {
    .family = "agentick",
    .task = "DeceptiveReward-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(sb_locks),
    .act = act,
};

static void pack(void *rule_, const sb_episode *e, void *state) {
    sb_locks_rule *rule = rule_;
    const sb_deceptive_reward_vars *v = SB_VARS(e);
    list_floor(&rule->floor, e);
    sb_locks_pack(rule, e, v->goal, state);
}

const sb_packed_rule sb_deceptive_reward_rule = {
    .task = "DeceptiveReward-v0",
    .memory = sizeof(sb_locks_rule),
    .state_size = SB_LOCKS_STATE_SIZE,
    .pack = pack,
    .expand = sb_locks_expand,
    .agrees = sb_locks_agrees,
    .leaves_out = sb_locks_leaves_out,
};
