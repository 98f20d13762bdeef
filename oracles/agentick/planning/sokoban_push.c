/* The expert of SokobanPush: A* over pushes with the bound of oracles/kits/crossings.h. Pits that hold a box are as
 * closed as walls.
 *
 * With up to three boxes the search always finishes: the plan is the shortest, or there is none. With four it nearly
 * always does; else the plan may be longer. */
#include "generators/agentick/planning/sokoban_push.h"

#include "oracles/agentick/packed.h"
#include "oracles/agentick/planning/sokoban_push_relaxed.h"
#include "oracles/kits/crossings.h"
#include "oracles/kits/mend.h"

enum { STATES = 5000000 };

typedef struct room {
    sb_pushing pushing;
    sb_goals goals;
} room;

typedef struct memory {
    sb_plan plan; /* has no actions if no plan was found for the expected state */
    room room;
    sb_layout start; /* of the plan */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(sb_layout), STATES)];
} memory;

/* ---- The room ---- */

static int bound(void *context, const void *layout) {
    room *r = context;
    return sb_goals_bound(&r->goals, &r->pushing, layout);
}

static void measure_pushes(const sb_episode *e, int n_targets, int16_t pushes[][SB_PUSHING_CELLS]) {
    sb_sokoban_push_alone alone;
    sb_sokoban_push_measure(&alone, e);
    for (int t = 0; t < n_targets; t++)
        for (int i = 0; i < SB_PUSHING_CELLS; i++) {
            pushes[t][i] = SB_FAR;
            for (int side = 0; side < 4 && i < sb_n_cells(e); side++)
                if (alone.pushes[t][i][side] < SB_SOKOBAN_PUSH_NEVER && alone.pushes[t][i][side] < pushes[t][i])
                    pushes[t][i] = alone.pushes[t][i][side];
        }
}

static void read_room(room *r, sb_layout *l, const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    sb_pushing *p = &r->pushing;
    int16_t pushes[SB_SOKOBAN_PUSH_BOXES][SB_PUSHING_CELLS];
    *p = (sb_pushing){
        .n_things = v->n, .n_goals = v->n, .kept = SB_GROUND_WALL, .is_done = sb_all_kept, .bound = bound};
    sb_index_steps(e, p->step_of);
    for (int i = 0; i < sb_n_cells(e); i++)
        p->ground[i] = e->cells[i].terrain == SB_EMPTY ? SB_GROUND_FREE : SB_GROUND_WALL;
    *l = (sb_layout){.agent = (uint8_t)sb_index(e, e->agent.at)};
    for (int k = 0; k < v->n; k++) {
        const int target = sb_index(e, v->target[k]);
        p->ground[target] = SB_GROUND_PIT, p->goal_at[target] = (int8_t)(k + 1);
        l->thing[k] = (uint8_t)sb_index(e, v->box[k]);
    }
    measure_pushes(e, v->n, pushes);
    sb_goals_draw(&r->goals, p, pushes);
}

/* ---- Planning ---- */

/* Searches with growing weights, each search with a part of the budget that is left. A higher weight finds a plan
 * sooner, but the plan may be longer. */
static sb_verdict search(memory *m, const sb_layout *start, int max_cost, bool is_hasty, sb_budget *budget) {
    enum { MAX_WEIGHT = 5, HASTE = 2 };
    sb_verdict verdict = SB_NOT_FOUND;
    for (int weight = is_hasty ? HASTE : 1; weight <= MAX_WEIGHT && verdict == SB_NOT_FOUND; weight++) {
        sb_budget share = *budget;
        share.limit -= (budget->limit - budget->spent) / 4;
        verdict = sb_pushing_search(&m->room.pushing, m->search, STATES, start, weight, max_cost, &share);
        budget->spent = share.spent, budget->is_cut = share.is_cut;
    }
    return verdict;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const bool is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    const int steps_left = e->max_steps - e->clock;
    const sb_layout *start = &m->start;
    sb_plan_begin(&m->plan, e);
    read_room(&m->room, &m->start, e);
    const sb_verdict verdict = e->task->bound(e) < 0 ? SB_IMPOSSIBLE : search(m, start, steps_left, is_hasty, budget);
    if (verdict == SB_SOLVED) sb_pushing_plan(&m->room.pushing, m->search, start, &m->plan);
    return m->plan.verdict = verdict;
}

/* ---- Acting ---- */

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    sb_plan_explain_push(&m->plan, e, UINT32_C(1) << SB_BOX, intent);
    if (!sb_plan_next(&m->plan, e, action))
        sb_pushing_give_up(&m->room.pushing, &m->start, "box", "boxes", &m->plan, action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    m->plan.is_begun = false;
    return make_plan(m, sb_episode_of(env), budget);
}

const sb_oracle sb_sokoban_push_expert = {
    .family = "agentick",
    .task = "SokobanPush-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 7, /* all but expert: there the search may be cut */
    .plans = true,
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
    .judge = judge,
    .judge_relaxed = sb_sokoban_push_judge_relaxed,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *room_, const sb_episode *e, void *state) { read_room(room_, state, e); }

const sb_packed_rule sb_sokoban_push_rule = {
    .task = "SokobanPush-v0",
    .memory = sizeof(room),
    .state_size = sizeof(sb_layout),
    .pack = pack,
    .pushes = true,
    .expand = sb_pushing_expand,
};
