/* The expert of InstructionFollowing: takes the fewest steps through keys and doors to the named object. It treats all
 * other objects as walls. If they block every way, which happens at the highest difficulty, the episode cannot be won,
 * and it waits. */
#include "generators/agentick/navigation/instruction_following.h"

#include "oracles/agentick/packed.h"
#include "oracles/kits/locks.h"

static void list_floor(sb_open *floor, const sb_episode *e) {
    const sb_instruction_following_vars *v = SB_VARS(e);
    sb_open_walkable(floor, e);
    for (int i = 0; i < v->n_distractors; i++) floor->cell[sb_index(e, v->distractor[i])] = false;
}

static sb_verdict find_way(sb_locks *locks, const sb_episode *e, sb_budget *budget) {
    const sb_instruction_following_vars *v = SB_VARS(e);
    sb_open floor;
    list_floor(&floor, e);
    return sb_locks_plan(locks, e, &floor, v->target, budget);
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_locks *locks = memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_instruction_following_vars *v = SB_VARS(e);
    if (!sb_plan_holds(&locks->plan, e)) find_way(locks, e, budget);
    sb_locks_explain(locks, e, sb_object_names[v->named], v->target, intent);
    if (!sb_plan_next(&locks->plan, e, action)) sb_plan_give_up(&locks->plan, NULL, action, intent);
}

/* Entering anything but the named object, keys and doors ends the episode, so there are no other ways. */
static sb_verdict judge(void *memory, const sb_env *env, sb_budget *budget) {
    return find_way(memory, sb_episode_of(env), budget);
}

const sb_oracle sb_instruction_following_expert = {
    .family = "agentick",
    .task = "InstructionFollowing-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(sb_locks),
    .act = act,
    .judge = judge,
};

static void pack(void *rule_, const sb_episode *e, void *state) {
    sb_locks_rule *rule = rule_;
    const sb_instruction_following_vars *v = SB_VARS(e);
    list_floor(&rule->floor, e);
    sb_locks_pack(rule, e, v->target, state);
}

const sb_packed_rule sb_instruction_following_rule = {
    .task = "InstructionFollowing-v0",
    .memory = sizeof(sb_locks_rule),
    .state_size = SB_LOCKS_STATE_SIZE,
    .pack = pack,
    .expand = sb_locks_expand,
    .agrees = sb_locks_agrees,
    .leaves_out = sb_locks_leaves_out,
};
