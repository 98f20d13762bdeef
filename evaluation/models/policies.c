#include "evaluation/models/policies.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/visible.h"

/* A rollout, in the model or in the world. */
typedef struct rollout {
    sb_candidate *candidate;
    const sb_log_play *play;
    sb_env *env; /* the world of the rollout; NULL: it is in the model */
    sb_model_meta m;
    sb_model_value z, h, c, next_h;
    sb_prediction prediction; /* what was predicted; in the world, too, its z is the next one */
    uint8_t *frame;
    bool ended, failed;
    bool reached[SB_MODEL_NAMES]; /* sub-goals that were reached, by index */
} rollout;

static bool went_well(rollout *r) {
    if (r->candidate->last.kind) r->failed = r->ended = true;
    return !r->failed;
}

static bool look_at_goals(rollout *r, sb_error *error) {
    for (size_t i = 0; i < r->candidate->n_sub_goals && !r->ended; i++) {
        sb_goal_answer goal;
        if (r->reached[i]) continue;
        if (!sb_candidate_sub_goal(r->candidate, r->candidate->sub_goals[i], &r->z, &r->h, &r->c, &r->m, &goal, error))
            return false;
        if (went_well(r)) r->reached[i] = goal.achieved;
    }
    return true;
}

static bool step_model(rollout *r, const sb_log_action *action, sb_error *error) {
    sb_prediction *p = &r->prediction;
    if (!sb_candidate_predict(r->candidate, &r->z, &r->next_h, action, &r->c, &r->m, NULL, p, error)) return false;
    if (went_well(r)) r->ended = p->done || p->over;
    return true;
}

/* The world ends a rollout where the model would: at the end of the level, and when the game is lost. */
static bool step_world(rollout *r, const sb_log_action *action, sb_error *error) {
    const sb_frame_source *source = r->env->family->frames;
    sb_frame_standing now;
    sb_action number;
    sb_result result;
    sb_error why;
    if (!sb_log_action_in(r->env, action, &number, &why)) {
        r->failed = r->ended = true; /* an action that the game does not know */
        return true;
    }
    if (!sb_step(r->env, number, &result, error)) return false;
    source->stand(r->env, &now);
    source->draw(r->env, r->frame);
    if (!sb_candidate_encode(r->candidate, r->frame, &r->z, &r->c, &r->m, &r->prediction.z, error)) return false;
    if (went_well(r)) r->ended = now.completed > 0 || now.is_over || r->env->status.done;
    return true;
}

static bool step(rollout *r, const char *policy, sb_error *error) {
    sb_log_action action;
    sb_candidate *c = r->candidate;
    if (!sb_candidate_policy(c, policy, &r->z, &r->h, &r->c, &r->m, &action, error)) return false;
    if (!went_well(r)) return true;
    if (!sb_candidate_history(c, &r->h, &r->z, &action, &r->c, &r->m, &r->next_h, error)) return false;
    if (!went_well(r)) return true;
    if (!(r->env ? step_world(r, &action, error) : step_model(r, &action, error))) return false;
    if (r->failed) return true;
    sb_model_swap(&r->z, &r->prediction.z), sb_model_swap(&r->h, &r->next_h);
    r->m.step++, r->m.action_count++;
    const bool ended = r->ended;
    r->ended = false; /* the last state may reach goals, too */
    if (!look_at_goals(r, error)) return false;
    r->ended |= ended;
    return true;
}

static bool begin(rollout *r, sb_error *error) {
    sb_candidate *c = r->candidate;
    r->m = (sb_model_meta){.level = 1, .available = r->play->available};
    memset(r->reached, 0, sizeof r->reached);
    r->ended = r->failed = false;
    sb_out_clear(&r->h), sb_out_clear(&r->c), sb_out_clear(&r->z), sb_out_clear(&r->next_h);
    if (r->env && !sb_reset(r->env, r->play->name, error)) return false;
    if (!sb_candidate_level(c, 1, error)) return false;
    if (!went_well(r)) return true;
    if (!sb_candidate_encode(c, r->play->start, &r->next_h, &r->c, &r->m, &r->z, error)) return false;
    return !went_well(r) || look_at_goals(r, error);
}

static bool roll(rollout *r, const char *policy, uint32_t steps, sb_error *error) {
    if (!begin(r, error)) return false;
    for (uint32_t i = 0; i < steps && !r->ended; i++)
        if (!step(r, policy, error)) return false;
    return true;
}

/* Rolls out one policy in the model and in the world. */
static bool compare(rollout *r, sb_env *env, size_t policy, uint32_t steps, sb_model_matrix *matrix, sb_error *error) {
    bool in_model[SB_MODEL_NAMES];
    const char *name = r->candidate->policies[policy];
    r->env = NULL;
    if (!roll(r, name, steps, error)) return false;
    matrix->failures += r->failed;
    memcpy(in_model, r->reached, sizeof in_model);
    r->env = env;
    if (!roll(r, name, steps, error)) return false;
    matrix->failures += r->failed;
    for (size_t i = 0; i < r->candidate->n_sub_goals; i++) {
        sb_model_reached *to = &matrix->reached[policy][i];
        to->model += in_model[i], to->real += r->reached[i], to->both += in_model[i] && r->reached[i];
    }
    return true;
}

/* Whether a play before this one is of the same episode. */
static bool is_repeated(const sb_log *logs, size_t log, size_t play) {
    const char *name = logs[log].plays[play].name;
    for (size_t i = 0; i <= log; i++)
        for (size_t p = 0; p < (i == log ? play : logs[i].n_plays); p++)
            if (strcmp(logs[i].plays[p].name, name) == 0) return true;
    return false;
}

static bool roll_out_play(rollout *r, sb_env *env, const sb_log_play *play, uint32_t steps, sb_model_matrix *matrix,
                          sb_error *error) {
    sb_candidate *c = r->candidate;
    r->play = play;
    if (!sb_candidate_begin(c, play, error)) return false;
    matrix->n_policies = c->n_policies, matrix->n_sub_goals = c->n_sub_goals;
    memcpy(matrix->policies, c->policies, sizeof c->policies);
    memcpy(matrix->sub_goals, c->sub_goals, sizeof c->sub_goals);
    matrix->starts++;
    for (size_t policy = 0; policy < c->n_policies; policy++)
        if (!compare(r, env, policy, steps, matrix, error)) return false;
    return true;
}

bool sb_model_roll_out(const sb_log *logs, size_t n, const sb_catalogue *catalogue, sb_candidate *candidate,
                       uint32_t steps, sb_model_matrix *matrix, sb_error *error) {
    rollout r = {.candidate = candidate};
    sb_model_value *const values[] = {&r.z, &r.h, &r.c, &r.next_h, &r.prediction.z};
    sb_env *env = sb_make(catalogue, NULL, error);
    bool ok = env != NULL;
    *matrix = (sb_model_matrix){0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i]->grows = true;
    r.frame = malloc((size_t)SB_FRAME_SIDE * SB_FRAME_SIDE);
    if (ok && !r.frame) ok = sb_fail(error, SB_MEMORY, "out of memory for a frame");
    for (size_t i = 0; ok && i < n; i++)
        for (size_t p = 0; ok && p < logs[i].n_plays; p++) {
            const sb_log_play *play = &logs[i].plays[p];
            matrix->passed += play->is_recording;
            if (play->is_recording || is_repeated(logs, i, p)) continue;
            ok = roll_out_play(&r, env, play, steps, matrix, error);
        }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sb_out_free(values[i]);
    free(r.frame);
    sb_free(env);
    return ok;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void put_row(const sb_model_matrix *m, size_t policy, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "policy", m->policies[policy]);
    sb_put_key(out, "sub_goals");
    sb_puts(out, "[");
    for (size_t i = 0; i < m->n_sub_goals; i++) {
        const sb_model_reached *reached = &m->reached[policy][i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", m->sub_goals[i]);
        sb_member_uint(out, "model", reached->model), sb_member_uint(out, "real", reached->real);
        sb_member_uint(out, "both", reached->both);
        sb_puts(out, "}");
    }
    sb_puts(out, "]}");
}

void sb_model_matrix_put(const sb_model_matrix *m, sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "starts", m->starts), sb_member_uint(out, "recordings", m->passed);
    sb_member_uint(out, "failures", m->failures);
    sb_put_key(out, "policies");
    sb_puts(out, "[");
    for (size_t i = 0; i < m->n_policies; i++) sb_put_comma(out), put_row(m, i, out);
    sb_puts(out, "]}");
}

void sb_model_matrix_tabulate(const sb_model_matrix *m, sb_out *out) {
    char policy[32], goal[32];
    if (!m->n_policies || !m->n_sub_goals) {
        sb_puts(out, "\nThe model offers no policies with sub-goals.\n");
        return;
    }
    sb_putf(out, "\n  %-24s  %-24s  model   real   both  of %u starts\n", "policy", "sub-goal", m->starts);
    for (size_t i = 0; i < m->n_policies; i++)
        for (size_t g = 0; g < m->n_sub_goals; g++) {
            const sb_model_reached *reached = &m->reached[i][g];
            sb_putf(out, "  %-24s  %-24s %6u %6u %6u\n", sb_copy_plain(policy, 25, m->policies[i]),
                    sb_copy_plain(goal, 25, m->sub_goals[g]), reached->model, reached->real, reached->both);
        }
    if (m->failures) sb_putf(out, "%u rollouts ended early because an operation failed\n", m->failures);
}
