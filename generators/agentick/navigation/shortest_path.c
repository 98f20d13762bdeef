/* ShortestPath: walk over all goals, in any order, on a tour at most a ninth longer than the shortest. Decoys vanish
 * when stepped on; only the dense reward counts them. */
#include "generators/agentick/navigation/shortest_path.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_shortest_path_vars vars;

enum { MAX_GOALS = SB_SHORTEST_PATH_GOALS };

static const struct parameters {
    int walls, goals, decoys; /* walls: number of draws; two draws may hit the same cell */
} parameters[SB_N_DIFFICULTIES] = {{3, 2, 0}, {5, 3, 1}, {6, 4, 2}, {8, 5, 3}};

/* ---- The instance ---- */

/* Draws the agent's start and lists the sites for goals: the empty cells that the agent can reach, row by row, without
 * its own. */
static void draw_start(sb_episode *e, int n_goals, sb_cells *sites, sb_rng *rng) {
    sb_area reached;
    sb_cells_interior_empty(sites, e);
    e->agent.at = sites->at[sb_choice(rng, sites->n)];
    sb_area_reached(&reached, e, e->agent.at);
    sb_cells_within(sites, sites, &reached);
    sb_cells_remove(sites, e->agent.at);
    if (sites->n >= n_goals) return;
    sb_clear_room(e); /* the agent is walled in: starts over without walls */
    sb_cells_columns(sites, e, 1);
    sb_cells_remove(sites, e->agent.at);
}

/* Steps between any two goals, and from the agent's cell (index n_goals) to each goal. */
typedef struct distances {
    int16_t between[MAX_GOALS + 1][MAX_GOALS];
} distances;

/* Counts the steps from one cell to another. Both must be open and connected. */
static int steps_between(const sb_area *open, int height, sb_xy from, sb_xy to) {
    sb_area reached = {0};
    int steps = 0;
    sb_area_add(&reached, from);
    for (; !sb_area_has(&reached, to); steps++) sb_area_grow(&reached, open, 1, height - 2);
    return steps;
}

static void measure(distances *d, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open;
    sb_area_walkable(&open, e);
    for (int i = 0; i <= v->n_goals; i++)
        for (int k = 0; k < i; k++) {
            const sb_xy from = i < v->n_goals ? v->goal[i] : v->start;
            d->between[i][k] = (int16_t)steps_between(&open, e->height, from, v->goal[k]);
            if (i < v->n_goals) d->between[k][i] = d->between[i][k];
        }
}

/* Returns the steps of the shortest tour over the goals that are left (bit i for goal i). The recursion is at most
 * MAX_GOALS deep. */
static int shortest_tour(const distances *d, int from, unsigned left) {
    if (!left) return 0;
    int least = INT32_MAX;
    for (int i = 0; i < MAX_GOALS; i++) {
        if (!(left >> i & 1)) continue;
        const int steps = d->between[from][i] + shortest_tour(d, i, left & ~(1u << i));
        if (steps < least) least = steps;
    }
    return least;
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;
    distances d;

    sb_wall_border(e);
    sb_draw_walls(e, difficulty->walls, &rng);
    draw_start(e, difficulty->goals, &sites, &rng);
    sb_cells_shuffle(&sites, &rng);
    v->start = e->agent.at;
    v->n_goals = difficulty->goals, v->n_decoys = difficulty->decoys;
    sb_place(e, sites.at, v->n_goals, SB_GOAL, v->goal);
    sb_place(e, sites.at + v->n_goals, v->n_decoys, SB_TARGET, v->decoy);
    measure(&d, e);
    v->optimal = shortest_tour(&d, v->n_goals, (1u << v->n_goals) - 1);
    return true;
}

/* ---- The rules ---- */

/* Indices into e->paid, the memory of the dense reward. */
enum { PAID_GOALS, OWED_FOR_DECOY };

/* Returns whether these steps are at most a ninth more than the shortest tour. */
static bool is_short(const vars *v, int steps) { return (double)v->optimal / steps >= 0.9; }

static void visit_goal(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (++v->n_visited == v->n_goals) sb_decide(e, is_short(v, e->clock));
}

static void on_enter(sb_episode *e) {
    sb_cell *here = sb_cell_at(e, e->agent.at);
    if (here->object == SB_GOAL) visit_goal(e);
    if (here->object == SB_TARGET) e->paid[OWED_FOR_DECOY] = true;
    here->object = SB_NONE;
}

/* Returns the Manhattan distance to the nearest goal that is left. At least one must be left. */
static int nearest(const sb_episode *e, sb_xy from) {
    const vars *v = SB_VARS(e);
    int least = INT32_MAX;
    for (int i = 0; i < v->n_goals; i++) {
        const int distance = sb_manhattan(from, v->goal[i]);
        if (distance < least && sb_peek(e, v->goal[i])->object == SB_GOAL) least = distance;
    }
    return least;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    if (e->paid[OWED_FOR_DECOY]) {
        reward -= 0.2;
        e->paid[OWED_FOR_DECOY] = false;
    }
    if (v->n_visited > e->paid[PAID_GOALS]) {
        reward += 1.0;
        e->paid[PAID_GOALS] = v->n_visited;
    }
    if (t->success) reward += 1.0;
    if (!t->terminated) reward += 0.05 * (nearest(e, t->before.at) - nearest(e, e->agent.at));
    return reward;
}

/* Returns the length of the shortest tour over the goals that are left, as if there were no walls. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    distances d;
    unsigned left = 0;
    for (int k = 0; k < v->n_goals; k++) {
        for (int i = 0; i < v->n_goals; i++) d.between[i][k] = (int16_t)sb_manhattan(v->goal[i], v->goal[k]);
        d.between[v->n_goals][k] = (int16_t)sb_manhattan(e->agent.at, v->goal[k]);
        if (sb_peek(e, v->goal[k])->object == SB_GOAL) left |= 1u << k;
    }
    const int steps = shortest_tour(&d, v->n_goals, left);
    return is_short(v, e->clock + steps) ? steps : -1;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->goal, (size_t)v->n_goals);
    sb_config_cells(c, "decoy_positions", v->decoy, (size_t)v->n_decoys);
    sb_config_cells(c, "goals_visited", NULL, 0); /* the published task never fills it */
    sb_config_int(c, "optimal_path_length", v->optimal);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_int(c, "_n_visited", v->n_visited);
    sb_config_int(c, "_steps_taken", e->clock);
}

const sb_task sb_shortest_path = {
    .info = {.name = "ShortestPath-v0",
             .category = "navigation",
             .skills = SB_SKILLS("planning", "optimization", "navigation"),
             .summary = "Collect all goals on a tour that is hardly longer than the shortest; decoys are worthless."},
    .extents = {{7, 7, 100}, {10, 10, 200}, {13, 13, 350}, {15, 15, 500}},
    .vars_size = sizeof(vars),
    .clock = SB_CLOCK_ABSOLUTE, /* success depends on the steps taken */
    .generate = generate,
    .on_enter = on_enter,
    .dense = dense,
    .bound = bound,
    .config = config,
};
