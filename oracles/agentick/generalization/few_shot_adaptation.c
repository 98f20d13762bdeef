/* The expert of FewShotAdaptation: before the test it walks to the cell from which it can enter the right candidate
 * soonest, and waits there. When the test appears, it treats the wrong candidates as walls. The steps are the fewest
 * possible: every cell that can be reached before the test is considered. */
#include "generators/agentick/generalization/few_shot_adaptation.h"

#include <limits.h>

#include "engine/gridworld/search.h"
#include "oracles/kits/plan.h"

typedef sb_few_shot_adaptation_vars vars;
typedef sb_few_shot_trial trial;

enum { NO_WAY = INT_MAX };

/* Computes the distance of every cell to the right candidate, past the wrong ones. */
static void measure(sb_reach *reach, const sb_episode *e, const sb_open *floor, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    const trial *test = &v->trial[v->n_demos];
    sb_open past = *floor;
    for (int i = 0; i < v->n_candidates; i++) past.cell[sb_index(e, test->at[i])] = false;
    sb_reach_from(reach, e, &past, test->at[test->correct], sb_nesw);
    budget->spent += (uint64_t)reach->n;
}

/* In the test: returns the fewest steps to enter the right candidate from a cell (which may be a candidate's own), and
 * gives the first action. */
static int steps_to_enter(const sb_reach *reach, const sb_episode *e, sb_xy from, sb_action *first) {
    int fewest = NO_WAY;
    *first = SB_NOOP;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const sb_xy to = sb_beside(from, sb_direction_of(move));
        if (!sb_inside(e, to) || !sb_reached(reach, e, to)) continue;
        const int steps = reach->distance[sb_index(e, to)] + 1;
        if (steps < fewest) fewest = steps, *first = move;
    }
    return fewest;
}

/* Returns the best cell for the beginning of the test among those within reach; if several are equally good, the
 * nearest. */
static sb_xy choose_post(const sb_reach *walk, const sb_reach *reach, const sb_episode *e) {
    const int left = sb_few_shot_until_test(e);
    sb_xy post = e->agent.at;
    sb_action first;
    int fewest = steps_to_enter(reach, e, post, &first);
    for (int i = 1; i < walk->n && fewest > 1; i++) {
        if (walk->distance[sb_index(e, walk->order[i])] > left) break;
        const int steps = steps_to_enter(reach, e, walk->order[i], &first);
        if (steps < fewest) fewest = steps, post = walk->order[i];
    }
    return post;
}

/* Before the test: takes a step to the post, or waits there. */
static void take_post(const sb_reach *reach, const sb_episode *e, const sb_open *floor, sb_budget *budget,
                      sb_action *action, sb_intent *intent) {
    sb_reach walk;
    sb_xy path[SB_CELLS_MAX];
    sb_reach_from(&walk, e, floor, e->agent.at, sb_nesw);
    budget->spent += (uint64_t)walk.n;
    const sb_xy post = choose_post(&walk, reach, e);
    *action = SB_NOOP;
    sb_intend(intent, "wait for", "test", post);
    if (sb_same(post, e->agent.at)) return;
    sb_chain(&walk, e, post, path);
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++)
        if (sb_same(sb_beside(e->agent.at, sb_direction_of(move)), path[1])) *action = move;
    sb_intend(intent, "go to", "starting place", post);
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    (void)memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    const trial *test = &v->trial[v->n_demos];
    sb_open floor;
    sb_reach reach;
    sb_open_walkable(&floor, e);
    measure(&reach, e, &floor, budget);
    if (sb_few_shot_until_test(e) > 0) {
        take_post(&reach, e, &floor, budget, action, intent);
    } else if (steps_to_enter(&reach, e, e->agent.at, action) < NO_WAY) {
        sb_intend(intent, "go to", sb_object_names[test->type[test->correct]], test->at[test->correct]);
    } else {
        *action = SB_NOOP;
        sb_give_up(intent, "no way to the candidate");
    }
}

const sb_oracle sb_few_shot_adaptation_expert = {
    .family = "agentick",
    .task = "FewShotAdaptation-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .act = act,
};
