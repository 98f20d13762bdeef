/* DistributionShift: several mazes in a row, each with its own task: walk to the goal, fetch a key for a door, pull a
 * lever that removes a barrier, or collect gems. On hard and expert the controls are reversed after some mazes.
 *
 * A lever is solid and may stand in the only way to its own barrier. The published task has such unsolvable episodes
 * too. */
#include "generators/agentick/generalization/distribution_shift.h"

#include <limits.h>
#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/doors.h"
#include "engine/gridworld/tell.h"

typedef sb_distribution_shift_vars vars;
typedef sb_distribution_shift_phase phase;

enum { NEVER = INT_MAX };

static const struct parameters {
    int phases, remapped_after;
} parameters[SB_N_DIFFICULTIES] = {{3, NEVER}, {4, NEVER}, {5, 3}, {6, 2}};

static bool is_remapped(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->done >= parameters[e->difficulty].remapped_after;
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    v->n_phases = parameters[e->difficulty].phases;
    sb_distribution_shift_draw_phases(e, &rng);
    sb_integers(&rng, 0, INT64_C(1) << 31); /* a published seed from which nothing is drawn */
    sb_distribution_shift_begin_phase(e);
    return true;
}

/* ---- The rules ---- */

static sb_action remap(const sb_episode *e, sb_action action) {
    static const uint8_t opposite[SB_N_ACTIONS] = {SB_NOOP,       SB_MOVE_DOWN, SB_MOVE_UP,
                                                   SB_MOVE_RIGHT, SB_MOVE_LEFT, SB_INTERACT};
    return is_remapped(e) ? (sb_action)opposite[action] : action;
}

void sb_distribution_shift_advance(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (++v->done < v->n_phases) sb_distribution_shift_begin_phase(e);
}

static void collect(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    if (--v->gems_left == 0) sb_set_object(e, sb_distribution_shift_current(v)->goal, SB_GOAL, 0);
}

static void on_enter(sb_episode *e) {
    switch (sb_object_here(e)) {
    case SB_KEY: sb_pick_up_key(e); break;
    case SB_GEM: collect(e); break;
    case SB_GOAL: sb_distribution_shift_advance(e); break;
    default: break;
    }
}

static void on_interact(sb_episode *e, sb_xy target) {
    vars *v = SB_VARS(e);
    sb_unlock(e, target);
    if (sb_peek(e, target)->object != SB_LEVER || v->barrier_open) return;
    sb_cell_at(e, sb_distribution_shift_current(v)->cut)->terrain = SB_EMPTY;
    v->barrier_open = true;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->done >= v->n_phases;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *paid_phases = &e->paid[0];
    const double reward = -0.01;
    if (v->done > *paid_phases) {
        *paid_phases = v->done;
        return reward + (t->success ? 1.0 : 0.3);
    }
    return reward + 0.05 * sb_approach(e, t, sb_distribution_shift_current(v)->goal);
}

/* Sums the Manhattan distances from goal to goal. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy from = e->agent.at;
    int total = 0;
    for (int k = v->done; k < v->n_phases; from = v->phase[k++].goal) total += sb_manhattan(from, v->phase[k].goal);
    return total;
}

static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_phases; i++) sb_sort_cells(v->phase[i].gem, NULL, v->phase[i].n_gems);
}

/* Hides all phases but the current one. Of that one the kind, the goal and the number of gems are public. The grid
 * shows the rest, but a barrier looks like any wall. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    const phase *p = sb_distribution_shift_current(v);
    const phase shown = {.kind = p->kind, .goal = p->goal, .n_gems = v->gems_left};
    const size_t k = (size_t)(p - v->phase);
    memset(v->phase, 0, sizeof v->phase);
    v->phase[k] = shown;
    v->barrier_open = false;
}

/* A lever has an effect as long as the barrier is closed. */
static bool effect_is_hidden(const sb_episode *e, sb_action action, sb_xy target) {
    return action == SB_INTERACT && sb_peek(e, target)->object == SB_LEVER;
}

/* ---- What observations say ---- */

static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    sb_tell(told, SB_TOLD_PHASE, v->done + 1, v->n_phases);
    sb_tell(told, SB_TOLD_PHASE_KIND, 0, sb_distribution_shift_current(v)->kind);
    sb_tell(told, SB_TOLD_REMAPPED, 0, is_remapped(e));
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const phase *p = sb_distribution_shift_current(v);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &p->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_int(c, "_n_phases", v->n_phases);
    sb_config_int(c, "_phases_completed", v->done);
    sb_config_int(c, "_current_phase_idx", p - v->phase);
    sb_config_text(c, "_current_phase_type", sb_phase_names[p->kind]);
    if (c->hidden) {
        sb_config_int(c, "_gems_collected", p->n_gems - v->gems_left);
        sb_config_int(c, "_gems_needed", p->n_gems);
        if (p->kind == SB_PHASE_LEVER_BARRIER)
            sb_config_xy(c, "_barrier_pos", p->cut);
        else
            sb_config_null(c, "_barrier_pos");
        sb_config_bool(c, "_barrier_opened", v->barrier_open);
    }
    sb_config_bool(c, "action_remapped", is_remapped(e));
}

const sb_task sb_distribution_shift = {
    .info = {.name = "DistributionShift-v0",
             .category = "generalization",
             .skills = SB_SKILLS("adversarial", "adaptation"),
             .summary = "Finish different mazes in a row (goal, key and door, lever, gems); later the controls turn."},
    .extents = {{9, 9, 200}, {11, 11, 350}, {13, 13, 500}, {17, 17, 700}},
    .vars_size = sizeof(vars),
    .remap = remap,
    .generate = generate,
    .on_enter = on_enter,
    .on_interact = on_interact,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .forget = forget,
    .hide = hide,
    .effect_is_hidden = effect_is_hidden,
    .tell = tell,
    .config = config,
};
