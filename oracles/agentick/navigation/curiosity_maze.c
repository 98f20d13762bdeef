/* The expert of CuriosityMaze: plans a walk over as many new cells as the task needs, and follows it.
 *
 * A path is a list of new cells, after the agent's own cell, connected by shortest ways. A greedy explorer makes the
 * first path, and small changes improve it: two neighbouring cells of the grid become neighbours in the path, either by
 * reversing the piece between them or by exchanging a cell of the path for one outside. Changes that make the path
 * longer are seldom accepted, all others always. Most changes gain nothing, but they move detours around until these
 * meet and vanish. A path without detours cannot be improved; otherwise nothing is proven. */
#include "generators/agentick/navigation/curiosity_maze.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

/* Changes that are tried for each cell of the path: CHANGES_A_CELL, or HASTY_CHANGES once the agent has left the way of
 * its plan. */
enum { CELLS = 21 * 21, CHANGES_A_CELL = 500, HASTY_CHANGES = 100, ACCEPTED_LOSS = 2, ACCEPTED_ONE_IN = 256 };

/* Cells are row-major indices. NOWHERE is a corner of the grid, which cannot be reached; it follows the end of a path
 * at no cost. */
enum { NOWHERE = 0 };

/* Values in `place` for cells that are not in the path. */
enum { OUTSIDE = -1, /* a new cell */ CLOSED = -2 /* a wall, or already visited */ };

typedef struct memory {
    sb_plan plan;
    /* Working memory for planning. */
    sb_reach around, reach;      /* shortest ways from the agent; shortest ways from another cell */
    int16_t steps[CELLS][CELLS]; /* steps between reachable cells; kept until the maze is another one */
    sb_area floor, known; /* the maze for which `steps` holds: cells without walls, and those that can be reached */
    int16_t fresh[CELLS]; /* the new cells */
    int16_t place[CELLS]; /* index of the cell in the path */
    int16_t path[CELLS + 1], best[CELLS + 1];
    int n_fresh, last, length; /* `last` is the index of the path's last cell; the length is in steps */
    int step_of[4];            /* change of a cell's index for each direction */
    sb_rng rng;                /* the oracle's own generator: every plan draws the same numbers */
} memory;

/* Draws from 0..n-1, nearly uniformly and fast. */
static int draw(memory *m, int n) { return (int)((uint64_t)sb_next32(&m->rng) * (uint64_t)n >> 32); }

/* ---- The first path ---- */

static void measure_from(memory *m, const sb_episode *e, const sb_open *open, sb_xy start) {
    int16_t *steps = m->steps[sb_index(e, start)];
    sb_reach_from(&m->reach, e, open, start, sb_nesw);
    steps[NOWHERE] = 0;
    for (int i = 0; i < m->reach.n; i++) {
        const int to = sb_index(e, m->reach.order[i]);
        steps[to] = m->reach.distance[to];
    }
}

/* Measures the steps between all cells that the agent can reach. */
static void measure(memory *m, const sb_episode *e, const sb_open *open, sb_budget *budget) {
    sb_area floor = {0};
    sb_area_walkable(&floor, e);
    if (memcmp(&floor, &m->floor, sizeof floor) == 0 && sb_area_has(&m->known, e->agent.at)) return;
    m->floor = floor;
    memset(&m->known, 0, sizeof m->known);
    for (int i = 0; i < m->around.n; i++) {
        sb_area_add(&m->known, m->around.order[i]);
        measure_from(m, e, open, m->around.order[i]);
        budget->spent += (uint64_t)m->reach.n;
    }
}

static void survey(memory *m, const sb_episode *e, sb_budget *budget) {
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    sb_open open;
    sb_open_walkable(&open, e);
    sb_reach_from(&m->around, e, &open, e->agent.at, sb_nesw);
    measure(m, e, &open, budget);
    m->n_fresh = 0;
    for (int i = 0; i < sb_n_cells(e); i++) m->place[i] = CLOSED;
    for (int i = 0; i < m->around.n; i++) {
        const sb_xy at = m->around.order[i];
        if (sb_area_has(&v->visited, at)) continue;
        m->fresh[m->n_fresh++] = (int16_t)sb_index(e, at);
        m->place[sb_index(e, at)] = OUTSIDE;
    }
    sb_index_steps(e, m->step_of);
}

static void put(memory *m, int place, int cell) {
    m->path[place] = (int16_t)cell;
    m->place[cell] = (int16_t)place;
}

static int nearest_outside(const memory *m, int from) {
    int nearest = NOWHERE, least = INT16_MAX;
    for (int i = 0; i < m->n_fresh; i++) {
        const int cell = m->fresh[i];
        if (m->place[cell] == OUTSIDE && m->steps[from][cell] < least) nearest = cell, least = m->steps[from][cell];
    }
    return nearest;
}

static void begin_path(memory *m, int from, int n_needed) {
    m->last = n_needed, m->length = 0;
    put(m, 0, from);
    for (int i = 1; i <= m->last; i++) {
        put(m, i, nearest_outside(m, m->path[i - 1]));
        m->length += m->steps[m->path[i - 1]][m->path[i]];
    }
    m->path[m->last + 1] = NOWHERE;
}

/* ---- Changes ---- */

static bool accept(memory *m, int change) {
    if (change > 0 && (change > ACCEPTED_LOSS || draw(m, ACCEPTED_ONE_IN) != 0)) return false;
    m->length += change;
    return true;
}

/* Returns the steps from the cell at this place to the next one. */
static int leg(const memory *m, int place) { return m->steps[m->path[place]][m->path[place + 1]]; }

/* Reverses the piece between two places, both included. */
static void turn_round(memory *m, int from, int to) {
    if (from == 0 || from >= to) return; /* the agent's own cell stays first */
    const int16_t *p = m->path;
    const int joined = m->steps[p[from - 1]][p[to]] + m->steps[p[from]][p[to + 1]];
    if (!accept(m, joined - leg(m, from - 1) - leg(m, to))) return;
    for (; from < to; from++, to--) {
        const int cell = p[from];
        put(m, from, p[to]);
        put(m, to, cell);
    }
}

/* Inserts a cell after one place and removes the cell at another. */
static void exchange(memory *m, int cell, int after, int left_out) {
    if (after < 0 || left_out == 0 || left_out == after || left_out == after + 1) return;
    const int16_t *p = m->path;
    const int longer = m->steps[p[after]][cell] + m->steps[cell][p[after + 1]] - leg(m, after);
    const int shorter = leg(m, left_out - 1) + leg(m, left_out) - m->steps[p[left_out - 1]][p[left_out + 1]];
    if (!accept(m, longer - shorter)) return;
    int place = left_out;
    m->place[p[place]] = OUTSIDE;
    for (; place > after + 1; place--) put(m, place, p[place - 1]);
    for (; place < after; place++) put(m, place, p[place + 1]);
    put(m, place, cell);
}

/* Draws a place. Every other time it is the next one before a detour, or the last place, because most can be gained
 * there. */
static int draw_place(memory *m) {
    int place = draw(m, m->last + 1);
    if (draw(m, 2))
        while (place < m->last && leg(m, place) == 1) place++;
    return place;
}

static void change(memory *m) {
    const int place = draw_place(m), side = draw(m, 2);
    int cell = m->path[place] + m->step_of[draw(m, 4)];
    if (m->place[cell] == CLOSED) cell = m->fresh[draw(m, m->n_fresh)];
    const int other = m->place[cell];
    if (other == OUTSIDE)
        exchange(m, cell, place - side, draw_place(m));
    else if (other < place)
        turn_round(m, other + side, place - !side);
    else
        turn_round(m, place + side, other - !side);
}

static void improve(memory *m, sb_budget *budget) {
    const int n_changes = (m->plan.is_begun ? HASTY_CHANGES : CHANGES_A_CELL) * m->last;
    int least = m->length;
    memcpy(m->best, m->path, sizeof m->best);
    sb_rng_seed(&m->rng, 0, NULL);
    for (int i = 0; i < n_changes; i++) {
        if (least == m->last || budget->spent >= budget->limit) return;
        budget->spent++;
        change(m);
        if (m->length >= least) continue;
        least = m->length;
        memcpy(m->best, m->path, sizeof m->best);
    }
}

/* ---- The plan ---- */

/* Returns the first action, in their order, that leads towards the cell. */
static sb_action action_towards(const memory *m, int from, int to) {
    sb_action action = SB_MOVE_UP;
    for (; action < SB_MOVE_RIGHT; action++) {
        const int next = from + m->step_of[sb_direction_of(action)];
        if (m->around.parent[next] >= 0 && m->steps[next][to] < m->steps[from][to]) break;
    }
    return action;
}

/* Cells on the way to the cells of the path count too, so the walk may be complete before the path ends. */
static void write_plan(memory *m, const sb_episode *e) {
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    sb_area visited = v->visited;
    int found = 0;
    sb_plan_begin(&m->plan, e);
    for (int i = 1, at = m->best[0]; found < m->last; i++) {
        while (at != m->best[i] && found < m->last) {
            const sb_action action = action_towards(m, at, m->best[i]);
            sb_plan_add(&m->plan, action);
            at += m->step_of[sb_direction_of(action)];
            found += !sb_area_has(&visited, sb_xy_of(e, at));
            sb_area_add(&visited, sb_xy_of(e, at));
        }
    }
}

static sb_xy next_new_cell(const memory *m, const sb_episode *e) {
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    sb_xy at = e->agent.at;
    for (int i = m->plan.next - 1; i < m->plan.n && sb_area_has(&v->visited, at); i++)
        at = sb_beside(at, sb_direction_of(m->plan.actions[i]));
    return at;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    if (!sb_plan_next(&m->plan, e, action)) {
        survey(m, e, budget);
        begin_path(m, sb_index(e, e->agent.at), v->n_needed - v->n_visited);
        improve(m, budget);
        write_plan(m, e);
        sb_plan_next(&m->plan, e, action);
    }
    sb_intend(intent, "explore", "new cell", next_new_cell(m, e));
}

const sb_oracle sb_curiosity_maze_expert = {
    .family = "agentick",
    .task = "CuriosityMaze-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .plans = true, /* finding a shortest plan takes too long, and a fresh start finds another plan */
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
};

/* ---- The observer ---- */

/* Remembers the cells it has visited; nothing else is hidden. */
typedef struct notes {
    sb_area visited;
    memory expert;
} notes;

static void believe(const notes *n, sb_episode *e) {
    sb_curiosity_maze_vars *v = SB_VARS(e);
    v->visited = n->visited;
    v->n_visited = sb_area_count(&v->visited, e->height);
}

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    sb_area_add(&n->visited, v->start);
    sb_area_add(&n->visited, e->agent.at);
    believe(n, e);
    sb_act_on_belief(&belief, &sb_curiosity_maze_expert, &n->expert, budget, action, intent);
}

static bool begin_notes(void *memory, const sb_env *env, sb_budget *budget, sb_error *error) {
    return sb_plan_forget(&((notes *)memory)->expert, env, budget, error);
}

static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    (void)rng;
    believe(memory, env->state);
}

const sb_oracle sb_curiosity_maze_observer = {
    .family = "agentick",
    .task = "CuriosityMaze-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .begin = begin_notes,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};
