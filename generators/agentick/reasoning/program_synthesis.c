/* ProgramSynthesis: push the gems until they form the shape of the scrolls, anywhere in the room. A push moves one gem
 * by one cell. Another gem or a scroll behind it blocks the push. */
#include "generators/agentick/reasoning/program_synthesis.h"

#include <stdlib.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_program_synthesis_vars vars;

enum { MAX_GEMS = SB_PROGRAM_SYNTHESIS_GEMS };

/* Cells relative to a centre. */
static const struct parameters {
    int n;
    sb_xy pattern[MAX_GEMS];
} parameters[SB_N_DIFFICULTIES] = {
    {3, {{0, 0}, {1, 0}, {2, 0}}},
    {4, {{0, 0}, {1, 0}, {2, 0}, {2, 1}}},
    {5, {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {1, -1}}},
    {6, {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}}},
};

/* Orders cells by x, then y. */
static bool comes_before(sb_xy a, sb_xy b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

static void sort(sb_xy *cells, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && comes_before(cells[k], cells[k - 1]); k--) {
            const sb_xy moved = cells[k];
            cells[k] = cells[k - 1], cells[k - 1] = moved;
        }
}

static sb_xy relative(sb_xy p, sb_xy origin) { return sb_at(p.x - origin.x, p.y - origin.y); }

/* ---- Matches with the shape ---- */

static bool holds_gem(const sb_episode *e, sb_xy p) { return sb_inside(e, p) && sb_peek(e, p)->object == SB_GEM; }

/* Returns the most gems that lie in the shape when its first place is put on one of the gems. */
static int count_matches(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int most = 0;
    for (int i = 0; i < v->n; i++) {
        int n = 0;
        for (int k = 0; k < v->n; k++)
            n += holds_gem(e, sb_at(v->gem[i].x + v->shape[k].x, v->gem[i].y + v->shape[k].y));
        if (n > most) most = n;
    }
    return most;
}

/* ---- The instance ---- */

/* Draws the scrolls in the western half. The pattern always fits there and never covers a corner, so the first centre
 * is taken. */
static void draw_scrolls(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int x = (int)sb_integers(rng, 2, e->width / 2), y = (int)sb_integers(rng, 2, e->height - 2);
    v->n = difficulty->n;
    for (int i = 0; i < v->n; i++) {
        v->scroll[i] = v->shape[i] = sb_at(x + difficulty->pattern[i].x, y + difficulty->pattern[i].y);
        sb_set_object(e, v->scroll[i], SB_SCROLL, 0);
    }
    sort(v->shape, v->n);
    for (int i = v->n - 1; i >= 0; i--) v->shape[i] = relative(v->shape[i], v->shape[0]);
}

/* Returns whether a gem may start on a cell: in the eastern half and not beside a wall. */
static bool may_start(const sb_episode *e, sb_xy p) { return p.x >= e->width / 2 && sb_vacant(e, p); }

static void draw_gems(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_columns(&sites, e, 2);
    sb_cells_keep(&sites, e, may_start);
    sb_cells_shuffle(&sites, rng);
    for (int i = 0; i < v->n; i++) {
        v->placed[i] = v->gem[i] = sites.at[i];
        sb_set_object(e, v->gem[i], SB_GEM, 0);
    }
    sort(v->gem, v->n);
}

/* The published generator then checks that the shape fits somewhere, which is always true. */
static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_wall_border(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    draw_scrolls(e, &parameters[e->difficulty], &rng);
    draw_gems(e, &rng);
    e->paid[1] = count_matches(e);
    return true;
}

/* ---- The rules ---- */

static void push(sb_episode *e, sb_xy from, sb_xy to) {
    vars *v = SB_VARS(e);
    sb_set_object(e, from, SB_NONE, 0);
    sb_set_object(e, to, SB_GEM, 0);
    for (int i = 0; i < v->n; i++)
        if (sb_same(v->gem[i], from)) {
            v->gem[i] = to;
            break;
        }
    sort(v->gem, v->n);
    e->paid[1] = count_matches(e);
}

/* The agent may walk over scrolls. */
static bool can_enter(sb_episode *e, sb_xy to) {
    if (sb_peek(e, to)->object != SB_GEM) return true;
    const sb_xy beyond = sb_beside(to, (sb_direction)e->agent.facing); /* in the grid: gems stay within the border */
    if (!sb_vacant(e, beyond)) return false;
    push(e, to, beyond);
    return true;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 1; i < v->n; i++)
        if (!sb_same(relative(v->gem[i], v->gem[0]), v->shape[i])) return false;
    return true;
}

/* The first step also pays for gems that match from the start. Matches that were lost are paid for again when
 * regained. */
static double dense(sb_episode *e, const sb_transition *t) {
    int32_t *last = &e->paid[0];
    const int32_t now = e->paid[1];
    double reward = -0.01;
    if (now > *last) reward += 0.2 * (now - *last);
    *last = now;
    if (t->success) reward += 1.0;
    return reward;
}

/* ---- The bound ---- */

/* Returns whether four gems form a square: none of them can ever be pushed first. */
static bool is_square_at(const sb_episode *e, sb_xy p) {
    return sb_peek(e, sb_beside(p, SB_EAST))->object == SB_GEM &&
           sb_peek(e, sb_beside(p, SB_SOUTH))->object == SB_GEM &&
           sb_peek(e, sb_at(p.x + 1, p.y + 1))->object == SB_GEM;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Returns the least sum of distances from the numbers to a common point. */
static int spread(int *numbers, int n) {
    int sum = 0;
    qsort(numbers, (size_t)n, sizeof *numbers, compare);
    for (int i = 0; i < n; i++) sum += abs(numbers[i] - numbers[n / 2]);
    return sum;
}

/* Every push moves one gem by one column or one row. Along each axis it is cheapest to match gems and places in order
 * and to move the shape to the median of the differences, whichever gem takes which place. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int columns[MAX_GEMS], rows[MAX_GEMS], shape_rows[MAX_GEMS];
    for (int i = 0; i < v->n; i++) {
        if (e->difficulty < SB_EXPERT && is_square_at(e, v->gem[i]))
            return -1; /* these difficulties have no square in their shape */
        columns[i] = v->gem[i].x - v->shape[i].x;
        rows[i] = v->gem[i].y, shape_rows[i] = v->shape[i].y;
    }
    qsort(rows, (size_t)v->n, sizeof *rows, compare);
    qsort(shape_rows, (size_t)v->n, sizeof *shape_rows, compare);
    for (int i = 0; i < v->n; i++) rows[i] -= shape_rows[i];
    return spread(columns, v->n) + spread(rows, v->n);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const size_t n = (size_t)v->n;
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_cells(c, "scroll_positions", v->scroll, n);
    sb_config_cells(c, "gem_positions", v->placed, n);
    sb_config_cells(c, "reference_offsets", v->shape, n);
    sb_config_int(c, "n_gems", v->n);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_program_synthesis = {
    .info = {.name = "ProgramSynthesis-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("reasoning", "planning", "abstraction"),
             .summary = "Push the gems until they form the shape of the scrolls, wherever there is room for it."},
    .extents = {{9, 9, 100}, {11, 11, 200}, {13, 13, 350}, {15, 15, 500}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .config = config,
};
