#include "oracles/kits/mend.h"

#include <string.h>

#include "oracles/kits/walk.h"

/* Tells whether two states of an episode differ at most in where the agent stands and looks, and in the clock. */
static bool is_like(const sb_episode *a, const sb_episode *b) {
    return a->outcome == b->outcome && a->agent.n_items == b->agent.n_items &&
           memcmp(a->items, b->items, sizeof a->items) == 0 && memcmp(a->vars, b->vars, a->task->vars_size) == 0 &&
           memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a)) == 0;
}

/* Opens the cells without objects. */
static void open_vacant(sb_open *open, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        open->cell[i] = sb_terrain_walkable(e->cells[i].terrain) && e->cells[i].object == SB_NONE;
}

/* Follows the plan up to the action that changes more than the agent's pose, and opens the cells on the way. Leaves the
 * state before that action in `now` and returns the action's index. */
static int follow(const sb_plan *plan, sb_episode *now, sb_open *open) {
    sb_episode then; /* only the part that the episode uses is written */
    sb_result result;
    int k = plan->next;
    sb_episode_copy(now, &plan->ahead);
    for (;; k++) {
        open->cell[sb_index(now, now->agent.at)] = true;
        if (k == plan->n) return k;
        sb_episode_copy(&then, now);
        sb_episode_step(&then, plan->actions[k], &result);
        if (!is_like(&then, now)) return k;
        sb_episode_copy(now, &then);
    }
}

/* Returns the nearest pose in which the action has the same effect: only interacting depends on the direction. */
static int nearest(const sb_walk *walk, const sb_episode *goal, sb_action action) {
    int best = sb_pose(goal, goal->agent.at, goal->agent.facing);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE && action != SB_INTERACT; d++) {
        const int pose = sb_pose(goal, goal->agent.at, d);
        if (walk->steps[pose] >= 0 && (walk->steps[best] < 0 || walk->steps[pose] < walk->steps[best])) best = pose;
    }
    return best;
}

/* Tells whether the first n actions of the plan lead to the cell and change nothing else. */
static bool leads_to(const sb_plan *plan, int n, const sb_episode *e, sb_xy cell) {
    sb_episode there;
    sb_result result;
    sb_episode_copy(&there, e);
    for (int i = 0; i < n; i++) sb_episode_step(&there, plan->actions[i], &result);
    return is_like(&there, e) && sb_same(there.agent.at, cell);
}

bool sb_plan_mend(sb_plan *plan, const sb_episode *e) {
    sb_open open;
    sb_walk walk;
    sb_episode goal;
    uint8_t rest[SB_PLAN_MAX];
    if (!plan->is_begun || plan->verdict != SB_SOLVED || plan->next >= plan->n || e->task->clock != SB_CLOCK_NEVER)
        return false;
    if (!is_like(e, &plan->ahead)) return false;
    open_vacant(&open, e);
    const int from = follow(plan, &goal, &open), n_rest = plan->n - from;
    sb_walk_from(&walk, e, &open, sb_pose(e, e->agent.at, e->agent.facing));
    const int pose = nearest(&walk, &goal, n_rest > 0 ? plan->actions[from] : SB_NOOP);
    if (walk.steps[pose] < 0 || walk.steps[pose] + n_rest > e->max_steps - e->clock) return false;
    memcpy(rest, plan->actions + from, (size_t)n_rest);
    sb_plan_begin(plan, e);
    sb_walk_plan(&walk, pose, plan);
    if (!leads_to(plan, plan->n, e, goal.agent.at)) return false;
    for (int i = 0; i < n_rest; i++) sb_plan_add(plan, rest[i]);
    return true;
}
