/* CuriosityMaze: visit nine tenths of the cells that a greedy explorer visits within the step limit. Visited cells are
 * not marked. */
#include "generators/agentick/navigation/curiosity_maze.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/search.h"

typedef sb_curiosity_maze_vars vars;

static const struct parameters {
    int walls;           /* number of draws; two draws may hit the same cell */
    int least_reachable; /* cells that must be reachable */
} parameters[SB_N_DIFFICULTIES] = {{7, 14}, {24, 36}, {56, 67}, {101, 108}};

/* ---- The greedy explorer ---- */

typedef struct explorer {
    sb_area open, visited;
    sb_area unseen; /* open cells that the search for the next cell has not met yet */
    sb_xy at;
} explorer;

/* Moves the explorer to the nearest cell that it has not visited, and returns the steps that takes. There must be such
 * a cell. The search tests a cell when it leaves the queue, not when it enters: explore() needs to know exactly which
 * cells the search met. */
static int go_to_nearest(explorer *x) {
    sb_xy queue[SB_CELLS_MAX];
    int16_t steps[SB_CELLS_MAX];
    int n = 1, next = 0;
    queue[0] = x->at, steps[0] = 0;
    x->unseen = x->open;
    sb_area_set(&x->unseen, x->at, false);
    for (; sb_area_has(&x->visited, queue[next]); next++) {
        for (int k = 0; k < 4; k++) {
            const sb_xy to = sb_beside(queue[next], sb_nswe[k]);
            if (!sb_area_has(&x->unseen, to)) continue;
            sb_area_set(&x->unseen, to, false);
            queue[n] = to, steps[n++] = (int16_t)(steps[next] + 1);
        }
    }
    x->at = queue[next];
    sb_area_add(&x->visited, x->at);
    return steps[next];
}

/* Returns how many of the reachable cells the explorer visits. If its steps run out on the last walk, it is also
 * credited with every cell that the search for that walk met. */
static int explore(const sb_episode *e, const sb_area *open, int n_reachable) {
    explorer x = {.open = *open, .at = e->agent.at};
    int n = 1;
    sb_area_add(&x.visited, x.at);
    for (int used = 0; used < e->max_steps && n < n_reachable; n++) {
        used += go_to_nearest(&x);
        if (used <= e->max_steps) continue;
        for (int y = 0; y < e->height; y++) x.visited.row[y] |= x.open.row[y] & ~x.unseen.row[y];
        return sb_area_count(&x.visited, e->height);
    }
    return n;
}

/* ---- The instance ---- */

/* Returns the smallest whole number that is at least nine tenths of the bound, in double arithmetic. */
static int needed(int upper_bound) {
    const int n = (int)(0.9 * upper_bound);
    return n >= 0.9 * upper_bound ? n : n + 1;
}

/* Counts what can be reached and what the explorer visits. Returns false if either is too little. */
static bool measure(sb_episode *e, int least_reachable) {
    vars *v = SB_VARS(e);
    sb_area open, reached;
    sb_area_walkable(&open, e);
    sb_area_flood(&reached, &open, e->height, e->agent.at);
    v->n_reachable = sb_area_count(&reached, e->height);
    if (v->n_reachable < least_reachable) return false;
    v->upper_bound = explore(e, &open, v->n_reachable);
    v->n_needed = needed(v->upper_bound);
    return v->upper_bound >= 0.5 * v->n_reachable;
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 20 };
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed); /* shared by all attempts */
    bool sound = false;
    v->start = e->agent.at = sb_at(e->width / 2, e->height / 2);
    sb_area_add(&v->visited, v->start);
    v->n_visited = 1;
    for (int attempt = 0; attempt < ATTEMPTS && !sound; attempt++) {
        sb_clear_room(e);
        sb_draw_walls(e, difficulty->walls, &rng);
        sb_cell_at(e, v->start)->terrain = SB_EMPTY;
        sound = measure(e, difficulty->least_reachable);
    }
    if (sound) return true;
    sb_clear_room(e); /* the published generator's fallback; no known seed needs it */
    measure(e, 0);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_visited += !sb_area_has(&v->visited, e->agent.at);
    sb_area_add(&v->visited, e->agent.at);
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_visited >= v->n_needed;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    const int found = v->n_visited - old->n_visited;
    double reward = -0.01;
    if (found > 0) reward += 0.02 * found;
    if (t->success) reward += 1.0;
    return reward;
}

/* A step visits at most one new cell. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_visited < v->n_needed ? v->n_needed - v->n_visited : 0;
}

/* Pretends that the agent never moved. The number of cells needed follows from the maze, so it stays. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->visited = (sb_area){0};
    sb_area_add(&v->visited, v->start);
    v->n_visited = 1;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_int(c, "_reachable_count", v->n_reachable);
    sb_config_int(c, "_upper_bound", v->upper_bound);
    sb_cells visited;
    sb_cells_rows(&visited, e, 0);
    sb_cells_within(&visited, &visited, &v->visited);
    sb_config_cells(c, "_visited", visited.at, (size_t)visited.n);
}

const sb_task sb_curiosity_maze = {
    .info = {.name = "CuriosityMaze-v0",
             .category = "navigation",
             .skills = SB_SKILLS("exploration", "memory", "navigation"),
             .summary = "Visit nine tenths of a maze in limited time; nothing marks the cells already visited."},
    .extents = {{9, 9, 80}, {13, 13, 150}, {17, 17, 280}, {21, 21, 450}},
    .vars_size = sizeof(vars),
    .live_size = sizeof(int32_t), /* n_visited */
    .generate = generate,
    .on_enter = on_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .hide = hide,
    .config = config,
};
