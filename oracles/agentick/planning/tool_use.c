/* The expert of ToolUse: takes the shortest tour from the agent's cell over all remaining scrolls to the orb, and then
 * to the goal. The tour is exact.
 *
 * The tour is computed again at every step. Equally short tours may alternate, but every step is on a shortest tour, so
 * the remaining tour gets one step shorter each time. */
#include "generators/agentick/planning/tool_use.h"

#include "base/search/tour.h"
#include "engine/gridworld/search.h"
#include "oracles/oracle.h"

typedef struct memory { /* working memory: nothing is remembered */
    sb_tour tour;
    sb_reach way; /* the shortest ways from the agent's cell */
} memory;

/* Without the orb, entering the goal would end the episode too early, so ways must not lead through it. */
static void explore(memory *m, const sb_episode *e, bool shuns_goal) {
    const sb_tool_use_vars *v = SB_VARS(e);
    sb_open open;
    sb_open_passable(&open, e);
    if (shuns_goal) open.cell[sb_index(e, v->goal)] = false;
    sb_reach_from(&m->way, e, &open, e->agent.at, sb_nesw);
}

/* Lists the agent, the remaining scrolls, and the place where the orb is or will be. Returns how many there are. */
static int list_stops(const sb_episode *e, sb_xy stops[SB_TOOL_USE_SCROLLS + 2]) {
    const sb_tool_use_vars *v = SB_VARS(e);
    int n = 0;
    stops[n++] = e->agent.at;
    for (int i = 0; i < v->n_scrolls; i++)
        if (sb_peek(e, v->scroll[i])->object == SB_SCROLL) stops[n++] = v->scroll[i];
    stops[n++] = v->orb;
    return n;
}

/* Returns the first stop of the shortest tour to the orb. Nothing is in the way between stops. */
static sb_xy next_stop(memory *m, const sb_episode *e, sb_budget *budget) {
    sb_tour *tour = &m->tour;
    sb_xy stops[SB_TOOL_USE_SCROLLS + 2];
    int route[SB_TOUR_STOPS];
    tour->n_poses = list_stops(e, stops);
    tour->n_stops = tour->n_poses - 1;
    tour->last = tour->n_stops - 1;
    for (int i = 1; i < tour->n_poses; i++) {
        tour->stop_of[i] = (int8_t)(i - 1);
        tour->cost[0][i] = m->way.distance[sb_index(e, stops[i])];
        for (int j = 1; j < tour->n_poses; j++) tour->cost[i][j] = (int16_t)sb_manhattan(stops[i], stops[j]);
    }
    budget->spent += (uint64_t)tour->n_poses << tour->n_stops;
    sb_tour_solve(tour, route);
    return stops[route[0]];
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_tool_use_vars *v = SB_VARS(e);
    const bool has_orb = sb_tool_use_has_orb(&e->agent);
    sb_xy to = v->goal, path[SB_CELLS_MAX];
    explore(m, e, !has_orb);
    budget->spent += (uint64_t)m->way.n;
    if (has_orb) {
        sb_intend(intent, "go to", "goal", to);
    } else {
        to = next_stop(m, e, budget);
        sb_intend(intent, "fetch", sb_same(to, v->orb) ? "orb" : "scroll", to);
    }
    sb_chain(&m->way, e, to, path);
    sb_positions_to_actions(path, 2, action, 1);
}

/* The oracle does not claim the fewest steps to success: walking directly to the goal is a shorter success, but worth
 * only 0.2. It takes the fewest steps to the full reward. */
const sb_oracle sb_tool_use_expert = {
    .family = "agentick",
    .task = "ToolUse-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .memory = sizeof(memory),
    .act = act,
};
