/* The expert of ShortestPath: at every step it finds the shortest tour over the remaining goals and, among equally
 * short ones, one that touches fewer decoys. It collects the rest even if it is late. */
#include "generators/agentick/navigation/shortest_path.h"

#include "base/search/tour.h"
#include "engine/gridworld/search.h"
#include "oracles/oracle.h"

enum { GOALS = SB_SHORTEST_PATH_GOALS };

/* A step costs more than touching every decoy in every part of the tour. */
enum { STEP_COST = GOALS * SB_SHORTEST_PATH_DECOYS + 1, DECOY_COST = 1 };

typedef struct memory { /* working memory: nothing is remembered */
    sb_tour tour;
    sb_reach reach;
    int16_t cost[GOALS][SB_CELLS_MAX]; /* cost of the way to the goal from each cell */
} memory;

static int cost_of_entering(const sb_episode *e, sb_xy p) {
    return STEP_COST + (sb_peek(e, p)->object == SB_TARGET ? DECOY_COST : 0);
}

static int list_goals_left(const sb_episode *e, int goals[GOALS]) {
    const sb_shortest_path_vars *v = SB_VARS(e);
    int n = 0;
    for (int g = 0; g < v->n_goals; g++)
        if (sb_peek(e, v->goal[g])->object == SB_GOAL) goals[n++] = g;
    return n;
}

/* Computes outwards from the goal: a shortest way leads over a neighbour that is one step closer. */
static void measure_way(memory *m, int goal, const sb_episode *e, const sb_open *open) {
    const sb_shortest_path_vars *v = SB_VARS(e);
    int16_t *cost = m->cost[goal];
    sb_reach_from(&m->reach, e, open, v->goal[goal], sb_nesw);
    cost[sb_index(e, v->goal[goal])] = 0;
    for (int i = 1; i < m->reach.n; i++) {
        const sb_xy at = m->reach.order[i];
        const int here = sb_index(e, at);
        cost[here] = INT16_MAX;
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const sb_xy next = sb_beside(at, d);
            const int there = sb_index(e, next);
            if (!sb_reached(&m->reach, e, next) || m->reach.distance[there] >= m->reach.distance[here]) continue;
            const int with = cost[there] + cost_of_entering(e, next);
            if (with < cost[here]) cost[here] = (int16_t)with;
        }
    }
}

/* Returns the goal that the best tour visits first. Pose 0 is the agent's cell, pose i + 1 the i-th goal. */
static int first_goal(memory *m, const sb_episode *e, const int *goals, int n) {
    const sb_shortest_path_vars *v = SB_VARS(e);
    int route[SB_TOUR_STOPS] = {1};
    m->tour.n_stops = n, m->tour.n_poses = n + 1, m->tour.last = -1;
    for (int to = 0; to < n; to++) {
        const int16_t *cost = m->cost[goals[to]];
        m->tour.stop_of[to + 1] = (int8_t)to;
        m->tour.cost[0][to + 1] = cost[sb_index(e, e->agent.at)];
        for (int from = 0; from < n; from++) m->tour.cost[from + 1][to + 1] = cost[sb_index(e, v->goal[goals[from]])];
    }
    sb_tour_solve(&m->tour, route);
    return goals[route[0] - 1];
}

/* Returns the first move, in the order of the actions, that is on a cheapest way. */
static sb_action move_towards(const memory *m, int goal, const sb_episode *e) {
    const int cost = m->cost[goal][sb_index(e, e->agent.at)];
    for (sb_action action = SB_MOVE_UP; action <= SB_MOVE_RIGHT; action++) {
        const sb_xy to = sb_beside(e->agent.at, sb_direction_of(action));
        if (sb_walkable(e, to) && m->cost[goal][sb_index(e, to)] + cost_of_entering(e, to) == cost) return action;
    }
    return SB_NOOP;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_shortest_path_vars *v = SB_VARS(e);
    int goals[GOALS];
    const int n = list_goals_left(e, goals);
    sb_open open;
    sb_open_walkable(&open, e);
    for (int i = 0; i < n; i++) {
        measure_way(m, goals[i], e, &open);
        budget->spent += (uint64_t)m->reach.n;
    }
    const int goal = first_goal(m, e, goals, n);
    *action = move_towards(m, goal, e);
    sb_intend(intent, "collect", "goal", v->goal[goal]);
}

const sb_oracle sb_shortest_path_expert = {
    .family = "agentick",
    .task = "ShortestPath-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
