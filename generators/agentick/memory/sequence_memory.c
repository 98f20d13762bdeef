/* SequenceMemory: gems are shown one at a time. When the show is over, step on their cells in the same order. */
#include "generators/agentick/memory/sequence_memory.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_sequence_memory_vars vars;

static const struct parameters {
    int targets, show_steps; /* show_steps: steps for which each gem is shown */
    int distractors, obstacles, tries;
    bool shuffle; /* published for each difficulty, without effect */
} parameters[SB_N_DIFFICULTIES] = {
    {3, 4, 0, 0, 0, false}, {4, 3, 2, 4, 12, false}, {5, 2, 3, 6, 18, true}, {6, 1, 4, 8, 24, true}};

static int show_length(const sb_episode *e) {
    return parameters[e->difficulty].targets * parameters[e->difficulty].show_steps;
}

int sb_sequence_memory_left(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return show_length(e) - v->show_step;
}

int sb_sequence_memory_shown(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_sequence_memory_left(e) > 0 ? v->show_step / parameters[e->difficulty].show_steps : -1;
}

/* ---- The instance ---- */

/* Returns whether the agent can reach enough cells for everything that is to be placed. */
static bool has_room(const sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    return sb_count_reached(e, e->agent.at) >= difficulty->targets + difficulty->distractors + 2;
}

static void draw_obstacles(sb_episode *e, sb_rng *rng) {
    sb_cells sites;
    sb_cells_columns(&sites, e, 1);
    sb_cells_remove(&sites, e->agent.at);
    sb_cells_shuffle(&sites, rng);
    sites.n = parameters[e->difficulty].tries;
    sb_scatter(e, &sites, parameters[e->difficulty].obstacles, SB_WALL, has_room);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells cells;
    sb_wall_border(e);
    v->start = e->agent.at = sb_draw_corner(e, &rng);
    v->n_targets = parameters[e->difficulty].targets, v->n_distractors = parameters[e->difficulty].distractors;
    draw_obstacles(e, &rng);
    sb_cells_reached_without(&cells, e, v->start);
    sb_cells_shuffle(&cells, &rng);
    for (int i = 0; i < v->n_targets; i++) v->target[i] = cells.at[i];
    for (int i = 0; i < v->n_distractors; i++) v->distractor[i] = cells.at[v->n_targets + i];
    sb_generator(e, (uint64_t)sb_integers(&rng, 0, INT64_C(1) << 31)); /* as published; nothing is ever drawn from it */
    sb_set_object(e, v->target[0], SB_GEM, 0);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (sb_sequence_memory_left(e) > 0 || !sb_same(e->agent.at, v->target[v->progress])) return;
    sb_set_object(e, e->agent.at, SB_GOAL, 0);
    v->progress++;
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (sb_sequence_memory_left(e) == 0) return;
    const int before = sb_sequence_memory_shown(e);
    v->show_step++;
    const int now = sb_sequence_memory_shown(e);
    if (now == before) return;
    sb_set_object(e, v->target[before], SB_NONE, 0);
    if (now >= 0) sb_set_object(e, v->target[now], SB_GEM, 0);
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->progress == v->n_targets;
}

static bool is_on_distractor(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_distractors; i++)
        if (sb_same(e->agent.at, v->distractor[i])) return true;
    return false;
}

/* Returns whether the agent steps on a distractor for the first time since the show. Only that visit costs reward. */
static bool strays(sb_episode *e, const sb_transition *t) {
    const vars *old = t->live;
    const bool moved = !sb_same(t->before.at, e->agent.at);
    if (!moved || old->show_step < show_length(e) || e->paid[0] || !is_on_distractor(e)) return false;
    e->paid[0] = true;
    return true;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (strays(e, t)) reward -= 0.3;
    if (v->progress > old->progress) reward += 0.3 * (v->progress - old->progress);
    if (sb_sequence_memory_left(e) == 0 && !t->success) reward += 0.05 * sb_approach(e, t, v->target[v->progress]);
    if (t->success) reward += 1.0;
    return reward;
}

/* Adds up the way to the next target, which must be entered after the show, and the ways from each target to the
 * next. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (v->progress == v->n_targets) return 0;
    const int to_entry = sb_sequence_memory_left(e) + 1, way = sb_manhattan(e->agent.at, v->target[v->progress]);
    int steps = way > to_entry ? way : to_entry;
    for (int i = v->progress + 1; i < v->n_targets; i++) steps += sb_manhattan(v->target[i - 1], v->target[i]);
    return steps;
}

static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_sort_cells(v->distractor, NULL, v->n_distractors);
}

/* Hides the cells that the agent must remember. The counters and the phase are public. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_targets; i++) v->target[i] = sb_at(0, 0);
    for (int i = 0; i < v->n_distractors; i++) v->distractor[i] = sb_at(0, 0);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    if (c->hidden) {
        sb_config_cells(c, "goal_positions", v->target, (size_t)v->n_targets);
        sb_config_cells(c, "sequence", v->target, (size_t)v->n_targets);
        sb_config_cells(c, "distractors", v->distractor, (size_t)v->n_distractors);
    }
    sb_config_int(c, "show_steps", parameters[e->difficulty].show_steps);
    sb_config_int(c, "total_show_steps", show_length(e));
    sb_config_bool(c, "shuffle", parameters[e->difficulty].shuffle);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_text(c, "_phase", sb_sequence_memory_left(e) > 0 ? "show" : "reproduce");
    sb_config_int(c, "_show_step", v->show_step);
    sb_config_int(c, "_seq_progress", v->progress);
    sb_config_int(c, "_current_shown", sb_sequence_memory_shown(e));
}

const sb_task sb_sequence_memory = {
    .info = {.name = "SequenceMemory-v0",
             .category = "memory",
             .skills = SB_SKILLS("memory", "pattern_recognition"),
             .summary = "Watch gems appear one at a time, then step on their cells in the same order."},
    .extents = {{7, 7, 100}, {10, 10, 180}, {13, 13, 300}, {15, 15, 450}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, start), /* progress and show_step */
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .forget = forget,
    .hide = hide,
    .config = config,
};
