/* TimingChallenge: walk to the goal through a gap in a wall while blockers patrol along the wall. A blocker that steps
 * onto the agent kills it. Walking into a blocker that does not move in this step is harmless. */
#include "generators/agentick/navigation/timing_challenge.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_timing_challenge_vars vars;

static const struct parameters {
    int gaps, blockers_per_gap, patrol_length,
        extra_period; /* extra_period: steps, the most by which a blocker's period exceeds 1 */
} parameters[SB_N_DIFFICULTIES] = {{1, 1, 3, 0}, {1, 2, 4, 0}, {2, 2, 5, 1}, {2, 3, 6, 2}};

/* ---- The instance ---- */

static void draw_wall(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int n = e->width;
    v->row = (int)sb_integers(rng, n / 3, 2 * n / 3);
    for (int x = 1; x < n - 1; x++) sb_cell_at(e, sb_at(x, v->row))->terrain = SB_WALL;
    for (int i = 0; i < v->n_gaps; i++) {
        const int from = i == 0 ? 2 : n / 2, to = i == v->n_gaps - 1 ? n - 2 : n / 2;
        v->gap[i] = (int)sb_integers(rng, from, to);
        sb_cell_at(e, sb_at(v->gap[i], v->row))->terrain = SB_EMPTY;
    }
}

/* The agent starts above the first gap; the goal lies below the last. */
static void place_ends(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int bottom = e->height - 2;
    v->start = e->agent.at = sb_at(v->gap[0], v->row > 3 ? v->row - 2 : 1);
    v->goal = sb_at(v->gap[v->n_gaps - 1], v->row + 2 < bottom ? v->row + 2 : bottom);
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

static sb_blocker draw_blocker(const sb_episode *e, int gap, const struct parameters *difficulty, sb_rng *rng) {
    const int reach = difficulty->patrol_length / 2, right = e->width - 2;
    const int first = gap - reach > 1 ? gap - reach : 1, end = first + difficulty->patrol_length - 1;
    sb_blocker b = {.first = (int8_t)first, .last = (int8_t)(end < right ? end : right), .period = 1, .ahead = 1};
    b.x = (int8_t)sb_integers(rng, b.first, b.last + 1);
    if (difficulty->extra_period > 0) b.period = (int8_t)(1 + sb_integers(rng, 0, difficulty->extra_period + 1));
    return b;
}

static void show(sb_episode *e, const sb_blocker *b) {
    const vars *v = SB_VARS(e);
    sb_set_object(e, sb_at(b->x, v->row), SB_ENEMY, b->ahead > 0 ? SB_EAST : SB_WEST);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);

    sb_wall_border(e);
    v->n_gaps = difficulty->gaps;
    draw_wall(e, &rng);
    place_ends(e);
    if (v->n_gaps > 1)
        sb_shuffle_xy(&rng, &v->goal,
                      0); /* the published generator shuffles its list of safe places, which is always empty */
    for (int g = 0; g < v->n_gaps; g++)
        for (int i = 0; i < difficulty->blockers_per_gap; i++)
            v->blocker[v->n_blockers++] = draw_blocker(e, v->gap[g], difficulty, &rng);
    for (int i = 0; i < v->n_blockers; i++) /* a blocker inside the wall becomes visible with its first move */
        if (sb_peek(e, sb_at(v->blocker[i].x, v->row))->terrain == SB_EMPTY) show(e, &v->blocker[i]);
    return true;
}

/* ---- The rules ---- */

/* A blocker turns without a pause. */
void sb_blocker_move(sb_blocker *b) {
    if (b->x + b->ahead > b->last) b->ahead = -1;
    if (b->x + b->ahead < b->first) b->ahead = 1;
    b->x = (int8_t)(b->x + b->ahead);
}

/* Moves a blocker. It empties the cell that it leaves: another blocker on that cell is invisible until it moves. */
static void patrol(sb_episode *e, sb_blocker *b) {
    const vars *v = SB_VARS(e);
    sb_set_object(e, sb_at(b->x, v->row), SB_NONE, 0);
    sb_blocker_move(b);
    show(e, b);
    if (sb_same(e->agent.at, sb_at(b->x, v->row))) sb_lose(e);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_blockers; i++)
        if (e->clock % v->blocker[i].period == 0) patrol(e, &v->blocker[i]);
}

static double sparse(const sb_episode *e, const sb_transition *t) {
    return sb_has_lost(e) ? -0.5 : t->success ? 1.0 : 0.0;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e)) return -0.5;
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(e->agent.at, v->goal);
}

int sb_timing_challenge_slowest(const sb_episode *e) { return 1 + parameters[e->difficulty].extra_period; }

/* Resets where the blockers are and how they move; the grid shows what can be seen of them. The columns that they
 * patrol follow from the gaps, so these stay. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_blockers; i++) {
        sb_blocker *b = &v->blocker[i];
        b->x = b->first, b->ahead = 1, b->period = 1;
    }
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "mid_row", v->row);
    sb_config_ints(c, "gap_cols", v->gap, (size_t)v->n_gaps);
    sb_config_int(c, "gap_col", v->gap[0]);
    sb_config_int(c, "patrol_start", v->blocker[0].first);
    sb_config_int(c, "patrol_end", v->blocker[0].last);
    sb_config_cells(c, "safe_positions", NULL, 0); /* the published generator never finds any */
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    int32_t x[SB_TIMING_CHALLENGE_BLOCKERS], ahead[SB_TIMING_CHALLENGE_BLOCKERS], speed[SB_TIMING_CHALLENGE_BLOCKERS];
    for (int i = 0; i < v->n_blockers; i++)
        x[i] = v->blocker[i].x, ahead[i] = v->blocker[i].ahead, speed[i] = v->blocker[i].period;
    sb_config_ints(c, "_blocker_cols", x, (size_t)v->n_blockers);
    sb_config_ints(c, "_blocker_dirs", ahead, (size_t)v->n_blockers);
    sb_config_ints(c, "_blocker_speeds", speed, (size_t)v->n_blockers);
    sb_config_bool(c, "_collision", sb_has_lost(e));
}

const sb_task sb_timing_challenge = {
    .info = {.name = "TimingChallenge-v0",
             .category = "navigation",
             .skills = SB_SKILLS("motor_control", "temporal_reasoning"),
             .summary = "Slip through a gap in a wall past the blockers that patrol along it, and reach the goal."},
    .extents = {{7, 7, 60}, {9, 9, 120}, {11, 11, 200}, {13, 13, 300}},
    .vars_size = sizeof(vars),
    .clock = SB_TIMING_CHALLENGE_CYCLE,
    .generate = generate,
    .on_step = on_step,
    .sparse = sparse,
    .dense = dense,
    .bound = bound,
    .hide = hide,
    .config = config,
};
