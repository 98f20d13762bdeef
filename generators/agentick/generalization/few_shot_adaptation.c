/* FewShotAdaptation: demonstrations mark the right one of several candidates as the goal for a while. Find out by which
 * rule, and step on the right candidate in the test. Any other candidate fails. */
#include "generators/agentick/generalization/few_shot_adaptation.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_few_shot_adaptation_vars vars;
typedef sb_few_shot_trial trial;

static const struct parameters {
    int demos, candidates;
    int reveal,
        demo_length; /* steps until the marked candidate shows its type instead, and until the demonstration ends */
    int obstacles, rules;
} parameters[SB_N_DIFFICULTIES] = {{3, 2, 12, 18, 0, 2}, {3, 3, 8, 15, 4, 3}, {3, 3, 5, 12, 6, 4}, {4, 4, 3, 10, 8, 4}};

const sb_object sb_few_shot_types[SB_FEW_SHOT_CANDIDATES] = {SB_GEM, SB_SCROLL, SB_ORB, SB_COIN};
static const char *const rule_names[] = {"goto_type", "nearest_corner", "furthest_start", "most_open"};

int sb_few_shot_until_test(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return (v->n_demos - v->current) * parameters[e->difficulty].demo_length - v->trial_step;
}

/* ---- The rules that decide which candidate is right ---- */

static int to_corner(const sb_episode *e, sb_xy p) {
    return sb_to_nearest(p, (sb_xy[]){sb_corner(e, 0), sb_corner(e, 1), sb_corner(e, 2), sb_corner(e, 3)}, 4);
}

static int openness(const sb_episode *e, sb_xy p) {
    int n = 0;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) n += sb_peek(e, sb_beside(p, d))->terrain == SB_EMPTY;
    return n;
}

int sb_few_shot_score(const sb_episode *e, int rule, sb_xy p, int type, int target_type) {
    const vars *v = SB_VARS(e);
    switch (rule) {
    case SB_RULE_GOTO_TYPE: return type == target_type;
    case SB_RULE_NEAREST_CORNER: return -to_corner(e, p);
    case SB_RULE_FURTHEST_START: return sb_manhattan(p, v->start);
    default: return openness(e, p);
    }
}

static int find_correct(const sb_episode *e, const trial *t) {
    const vars *v = SB_VARS(e);
    int score[SB_FEW_SHOT_CANDIDATES], best = 0;
    for (int i = 0; i < v->n_candidates; i++) {
        score[i] = sb_few_shot_score(e, v->rule, t->at[i], t->type[i], v->target_type);
        if (score[i] > score[best]) best = i;
    }
    return best;
}

/* ---- The instance ---- */

/* Returns whether the agent can reach enough cells for the candidates of all trials. */
static bool has_room(const sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    return sb_count_reached(e, e->agent.at) >= difficulty->candidates * (difficulty->demos + 1) + 5;
}

static void draw_obstacles(sb_episode *e, sb_rng *rng) {
    sb_cells sites;
    sb_cells_columns(&sites, e, 1);
    sb_cells_remove(&sites, e->agent.at);
    sb_cells_shuffle(&sites, rng);
    sb_scatter(e, &sites, parameters[e->difficulty].obstacles, SB_WALL, has_room);
}

/* has_room() ensures that the pool lasts. */
void sb_few_shot_draw_trial(const sb_episode *e, trial *t, sb_cells *pool, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    sb_cells sites = *pool;
    sb_cells_shuffle(&sites, rng);
    for (int i = 0; i < v->n_candidates; i++) {
        t->at[i] = sites.at[i], t->type[i] = sb_few_shot_types[i];
        sb_cells_remove(pool, t->at[i]);
    }
    sb_shuffle_ints(rng, t->type, (size_t)v->n_candidates);
    t->correct = find_correct(e, t);
}

static bool is_test(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->current == v->n_demos;
}

/* Puts the candidates of the current trial on the grid. Only a demonstration marks the right one. */
static void show_trial(sb_episode *e) {
    const vars *v = SB_VARS(e);
    const trial *t = &v->trial[v->current];
    for (int i = 0; i < v->n_candidates; i++) {
        const bool is_marked = i == t->correct && !is_test(e);
        sb_set_object(e, t->at[i], is_marked ? SB_GOAL : (sb_object)t->type[i], 0);
    }
}

static bool generate(sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells pool;
    v->n_demos = difficulty->demos, v->n_candidates = difficulty->candidates, v->n_rules = difficulty->rules;
    sb_wall_border(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    draw_obstacles(e, &rng);
    v->rule = (int32_t)sb_integers(&rng, 0, v->n_rules);
    v->target_type = sb_few_shot_types[sb_integers(&rng, 0, v->n_candidates)];
    sb_cells_reached(&pool, e, v->start);
    sb_cells_remove(&pool, v->start);
    for (int i = 0; i <= v->n_demos; i++) sb_few_shot_draw_trial(e, &v->trial[i], &pool, &rng);
    show_trial(e);
    return true;
}

/* ---- The rules of the game ---- */

static void on_enter(sb_episode *e) {
    const vars *v = SB_VARS(e);
    const trial *test = &v->trial[v->n_demos];
    if (is_test(e) && sb_object_here(e) != SB_NONE) sb_decide(e, sb_same(e->agent.at, test->at[test->correct]));
}

static void show_next_trial(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_candidates; i++) sb_set_object(e, v->trial[v->current].at[i], SB_NONE, 0);
    v->current++, v->trial_step = 0;
    show_trial(e);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (is_test(e)) return;
    const trial *t = &v->trial[v->current];
    v->trial_step++;
    if (v->trial_step == parameters[e->difficulty].reveal)
        sb_set_object(e, t->at[t->correct], (sb_object)t->type[t->correct], 0);
    if (v->trial_step == parameters[e->difficulty].demo_length) show_next_trial(e);
}

/* Pays for coming closer to any candidate, right or wrong. */
static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    const sb_xy *at = v->trial[v->n_demos].at;
    if (sb_has_lost(e)) return -1.0;
    double reward = -0.01;
    if (t->success)
        reward += 1.0;
    else if (is_test(e))
        reward += 0.03 *
                  (sb_to_nearest(t->before.at, at, v->n_candidates) - sb_to_nearest(e->agent.at, at, v->n_candidates));
    return reward;
}

/* The right candidate must be entered after the test has appeared. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const trial *test = &v->trial[v->n_demos];
    if (e->outcome != SB_PLAYING) return sb_has_lost(e) ? -1 : 0;
    const int to_entry = sb_few_shot_until_test(e) + 1, way = sb_manhattan(e->agent.at, test->at[test->correct]);
    return way > to_entry ? way : to_entry;
}

/* Lists a trial's candidates row by row: they differ only in cell and type. */
static void sort_candidates(trial *t, int n) {
    const sb_xy right = t->at[t->correct];
    int before = 0;
    for (int i = 0; i < n; i++)
        before += sb_comes_before(t->at[i], right) || (i < t->correct && sb_same(t->at[i], right));
    sb_sort_cells(t->at, t->type, n);
    t->correct = before;
}

/* The hidden rule has done its part when it has chosen the right candidates. */
static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->rule = v->target_type = 0;
    for (int i = 0; i <= v->n_demos; i++) sort_candidates(&v->trial[i], v->n_candidates);
}

/* Hides the rule and the trials. The grid shows the current trial, and the counters are public. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i <= v->n_demos; i++) v->trial[i] = (trial){.correct = 0};
    v->rule = v->target_type = 0;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const sb_xy goal = v->trial[v->n_demos].at[v->trial[v->n_demos].correct];
    sb_config_xy(c, "agent_start", v->start);
    if (c->hidden) {
        sb_config_cells(c, "goal_positions", &goal, 1);
        sb_config_xy(c, "true_goal", goal);
        sb_config_text(c, "rule_name", rule_names[v->rule]);
        sb_config_int(c, "target_type", v->target_type);
    }
    sb_config_int(c, "k_demos", v->n_demos);
    sb_config_int(c, "reveal_steps", parameters[e->difficulty].reveal);
    sb_config_int(c, "demo_duration", parameters[e->difficulty].demo_length);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_int(c, "_current_trial", v->current);
    sb_config_int(c, "_trial_step", v->trial_step);
}

const sb_task sb_few_shot_adaptation = {
    .info = {.name = "FewShotAdaptation-v0",
             .category = "generalization",
             .skills = SB_SKILLS("meta_learning", "adaptation", "few_shot"),
             .summary = "Watch which candidate demonstrations mark, then step on the right one by the same rule."},
    .extents = {{7, 7, 100}, {9, 9, 170}, {11, 11, 260}, {13, 13, 400}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .is_success = sb_has_won, /* not the default, standing on a GOAL: demonstrations show one too */
    .sparse = sb_pay_for_outcome,
    .dense = dense,
    .bound = bound,
    .forget = forget,
    .hide = hide,
    .config = config,
};
