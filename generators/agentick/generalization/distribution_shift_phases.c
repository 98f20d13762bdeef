/* The phases of DistributionShift: how a phase is built on the grid, and how phases are drawn.
 *
 * Every phase is drawn for an agent at the start of the episode. But a phase begins where the goal of the previous
 * phase was, which may be anywhere: behind the door, or on the cell of the barrier. */
#include "generators/agentick/generalization/distribution_shift.h"

#include "engine/gridworld/parts/cells.h"

typedef sb_distribution_shift_vars vars;
typedef sb_distribution_shift_phase phase;

enum { MAX_GEMS = SB_DISTRIBUTION_SHIFT_GEMS };

/* ---- Beginning a phase ---- */

static void open_around(sb_area *floor, const sb_episode *e, sb_xy at) {
    sb_area_add(floor, at);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy p = sb_beside(at, d);
        if (sb_interior(e, p)) sb_area_add(floor, p);
    }
}

static void lay_floor(sb_episode *e, const sb_area *floor) {
    for (int i = 0; i < sb_n_cells(e); i++)
        e->cells[i] = (sb_cell){.terrain = sb_area_has(floor, sb_xy_of(e, i)) ? SB_EMPTY : SB_WALL};
}

static void place(sb_episode *e, sb_xy at, sb_object object) {
    sb_cell_at(e, at)->terrain = SB_EMPTY;
    sb_set_object(e, at, object, 0);
}

/* Places everything in a phase. One thing may overwrite another, and the agent may be walled in. In a collection the
 * goal appears with the last gem. */
static void place_all(sb_episode *e, const phase *p) {
    if (p->kind != SB_PHASE_COLLECTION) place(e, p->goal, SB_GOAL);
    if (p->kind == SB_PHASE_KEY_DOOR) {
        place(e, p->item, SB_KEY);
        place(e, p->cut, SB_DOOR);
    }
    if (p->kind == SB_PHASE_LEVER_BARRIER) {
        place(e, p->item, SB_LEVER);
        sb_cell_at(e, p->cut)->terrain = SB_WALL;
    }
    for (int i = 0; i < p->n_gems; i++) place(e, p->gem[i], SB_GEM);
}

/* Opens a way to a cell that is cut off from the agent, by the barrier or because the agent stands in it. */
static void break_through(sb_episode *e, sb_xy to) {
    sb_open open;
    sb_reach reach;
    sb_xy path[SB_CELLS_MAX];
    if (sb_connected(e, e->agent.at, to)) return;
    for (int i = 0; i < sb_n_cells(e); i++) open.cell[i] = sb_interior(e, sb_xy_of(e, i));
    sb_reach_goal(&reach, e, &open, e->agent.at, to, sb_nswe);
    for (int i = sb_chain(&reach, e, to, path) - 1; i >= 0; i--) sb_cell_at(e, path[i])->terrain = SB_EMPTY;
}

void sb_distribution_shift_begin_phase(sb_episode *e) {
    vars *v = SB_VARS(e);
    const phase *p = sb_distribution_shift_current(v);
    sb_area floor = p->floor;
    open_around(&floor, e, e->agent.at);
    lay_floor(e, &floor);
    place_all(e, p);
    v->gems_left = p->n_gems, v->barrier_open = false;
    while (e->agent.n_items > 0) sb_drop(e, 0);
    if (p->kind == SB_PHASE_LEVER_BARRIER) break_through(e, p->item);
    if (p->kind == SB_PHASE_GOAL_REACH || p->kind == SB_PHASE_KEY_DOOR) break_through(e, p->goal);
}

/* ---- Drawing the phases ---- */

/* Draws any kind but that of the previous phase, for phase k and those after it. */
static void draw_kinds(vars *v, int k, int before, sb_rng *rng) {
    for (; k < v->n_phases; k++) {
        const int n = k == 0 ? SB_N_PHASE_KINDS - 1 : SB_N_PHASE_KINDS - 2;
        const int kind = SB_PHASE_GOAL_REACH + (int)sb_integer_below(rng, n);
        v->phase[k].kind = before = kind + (kind >= before);
    }
}

/* Draws a maze that is a tree: rooms two cells apart, joined by a walk that turns back where it finds no new room. */
static void draw_maze(sb_area *floor, const sb_episode *e, sb_rng *rng) {
    sb_cells walk;
    walk.n = 0;
    sb_cells_add(&walk, sb_at(1, 1));
    sb_area_add(floor, sb_at(1, 1));
    while (walk.n > 0) {
        const sb_xy at = walk.at[walk.n - 1];
        sb_direction ways[4];
        int n = 0;
        for (int k = 0; k < 4; k++) {
            const sb_xy to = sb_beside(sb_beside(at, sb_nswe[k]), sb_nswe[k]);
            if (sb_interior(e, to) && !sb_area_has(floor, to)) ways[n++] = sb_nswe[k];
        }
        if (n == 0) {
            walk.n--;
            continue;
        }
        const sb_direction way = ways[sb_integer_below(rng, n)];
        const sb_xy between = sb_beside(at, way), to = sb_beside(between, way);
        sb_area_add(floor, between);
        sb_area_add(floor, to);
        sb_cells_add(&walk, to);
    }
}

static sb_xy draw_goal(const phase *p, const sb_episode *e, sb_rng *rng) {
    sb_cells far;
    far.n = 0;
    for (int x = 1; x < e->width - 1; x++)
        for (int y = 1; y < e->height - 1; y++)
            if (sb_area_has(&p->floor, sb_at(x, y)) && sb_manhattan(sb_at(x, y), e->agent.at) >= e->width / 2)
                sb_cells_add(&far, sb_at(x, y));
    return far.at[sb_integer_below(rng, far.n)];
}

static void open_floor(sb_open *open, const sb_area *floor, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) open->cell[i] = sb_area_has(floor, sb_xy_of(e, i));
}

/* Collects what can be reached from the start in a set that lists its cells in CPython's order. */
static void flood(sb_set *set, const sb_area *floor, const sb_episode *e) {
    sb_open open;
    open_floor(&open, floor, e);
    sb_reached_set(set, e, &open, e->agent.at, sb_nswe);
}

/* Lists the cells in [from, to) where a wall would cut off the goal. */
static void list_cuts(sb_cells *cuts, const phase *p, const sb_episode *e, const sb_xy *from, const sb_xy *to) {
    sb_area without = p->floor;
    cuts->n = 0;
    for (; from < to; from++) {
        sb_area_set(&without, *from, false);
        if (!sb_area_connects(&without, e->height, e->agent.at, p->goal)) sb_cells_add(cuts, *from);
        sb_area_add(&without, *from);
    }
}

/* Draws a cell on the shortest path that cuts off the goal, in the middle third if possible. The first phase may have a
 * loop beside the start and therefore no such cell; then it takes the middle, without effect. */
static sb_xy draw_cut(const phase *p, const sb_episode *e, sb_rng *rng) {
    sb_open open;
    sb_reach reach;
    sb_cells path, cuts;
    open_floor(&open, &p->floor, e);
    sb_reach_goal(&reach, e, &open, e->agent.at, p->goal, sb_nswe);
    const int n = path.n = sb_chain(&reach, e, p->goal, path.at); /* at least 5: the goal is far */
    list_cuts(&cuts, p, e, path.at + n / 3, path.at + 2 * n / 3);
    if (cuts.n == 0) list_cuts(&cuts, p, e, path.at + 1, path.at + n - 1);
    return cuts.n == 0 ? path.at[n / 2] : cuts.at[sb_integer_below(rng, cuts.n)];
}

/* Draws the site of the key or the lever: on the near side of the cut, and on the start only if there is no other
 * cell. */
static sb_xy draw_item(const phase *p, const sb_episode *e, sb_rng *rng) {
    sb_area near = p->floor;
    sb_set set;
    sb_cells sites;
    sb_area_set(&near, p->cut, false);
    flood(&set, &near, e);
    sites.n = (int)sb_set_list(&set, sites.at, SB_CELLS_MAX);
    sb_cells_remove(&sites, e->agent.at);
    return sites.n == 0 ? e->agent.at : sites.at[sb_integer_below(rng, sites.n)];
}

static void draw_gems(phase *p, int count, const sb_episode *e, sb_rng *rng) {
    sb_set reached, ends, set;
    sb_cells sites;
    int32_t order[SB_CELLS_MAX];
    flood(&reached, &p->floor, e);
    sb_set_clear(&ends);
    sb_set_add(&ends, e->agent.at);
    sb_set_add(&ends, p->goal);
    sb_set_minus(&set, &reached, &ends);
    sites.n = (int)sb_set_list(&set, sites.at, SB_CELLS_MAX);
    sb_permutation(rng, order, (size_t)sites.n);
    p->n_gems = count;
    for (int i = 0; i < count; i++) p->gem[i] = sites.at[order[i]];
}

static void draw_contents(phase *p, int k, const sb_episode *e, sb_rng *rng) {
    p->goal = draw_goal(p, e, rng);
    if (p->kind == SB_PHASE_KEY_DOOR || p->kind == SB_PHASE_LEVER_BARRIER) {
        p->cut = draw_cut(p, e, rng);
        p->item = draw_item(p, e, rng);
    }
    if (p->kind == SB_PHASE_COLLECTION) draw_gems(p, 2 + k < MAX_GEMS ? 2 + k : MAX_GEMS, e, rng);
}

void sb_distribution_shift_draw_phases(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    draw_kinds(v, 0, SB_N_PHASE_KINDS, rng);
    for (int k = 0; k < v->n_phases; k++) {
        phase *p = &v->phase[k];
        draw_maze(&p->floor, e, rng);
        if (k == 0) {
            v->start = e->agent.at = sb_corner(e, sb_integer_below(rng, 4));
            open_around(&p->floor, e, v->start);
        }
        draw_contents(p, k, e, rng);
    }
}

void sb_distribution_shift_draw_later_phases(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const sb_xy here = e->agent.at;
    draw_kinds(v, v->done + 1, v->phase[v->done].kind, rng);
    e->agent.at = v->start;
    for (int k = v->done + 1; k < v->n_phases; k++) {
        draw_maze(&v->phase[k].floor, e, rng);
        draw_contents(&v->phase[k], k, e, rng);
    }
    e->agent.at = here;
}
