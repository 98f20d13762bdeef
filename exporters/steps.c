/* Format `steps`: a row of JSON a step, gzipped. The first ten columns are those of the published training runs, so
 * that a trainer written for them reads these files unchanged; ours follow (docs/datasets.md).
 *
 * A row shows what the agent saw before it acted. The last row of an episode also has what it saw at the end. */
#include "exporters/columns.h"

/* One episode being written. */
typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    sb_out *out;
    uint64_t step;
    char name[SB_NAME_MAX];
} writer;

/* `<prefix><mode>_render`: the observation as text, whatever its mode. */
static void put_observations(writer *w, const sb_env *env, const char *prefix, bool present) {
    for (size_t i = 0; i < w->export->n_modes; i++) {
        const sb_mode *mode = w->export->modes[i];
        sb_put_render_key(w->out, prefix, mode);
        if (present)
            sb_put_observation_text(w->out, env, mode);
        else
            sb_puts(w->out, "null");
    }
}

static void begin_row(writer *w, const sb_env *env) {
    const sb_tape *tape = w->rollout->tape;
    sb_out *out = w->out;
    sb_puts(out, "{");
    sb_member_text(out, "task", tape->name.task);
    sb_member_uint(out, "episode_id", w->rollout->episode_id);
    sb_put_difficulty(out, tape);
    sb_member_uint(out, "step", w->step);
    put_observations(w, env, "", true);
}

static void end_row(writer *w, const sb_env *env, sb_action action, const sb_result *result) {
    const sb_tape *tape = w->rollout->tape;
    sb_out *out = w->out;
    sb_put_key(out, "action_name");
    sb_put_action_text(out, env, action);
    sb_member_int(out, "action_int", action);
    sb_member_double(out, "reward", sb_reward_of(w->export, result));
    sb_member_bool(out, "done", result->terminated || result->truncated);
    sb_put_seed(out, tape);
    sb_member_text(out, "name", w->name);
    sb_member_text(out, "oracle", tape->agent);
    sb_member_bool(out, "success", tape->outcome.success);
    sb_member_double(out, "return", sb_return_of(w->export, tape));
    sb_member_bool(out, "terminated", result->terminated);
    sb_member_bool(out, "truncated", result->truncated);
    if (w->export->labels) {
        const sb_action label = sb_tape_label(tape, w->step);
        sb_put_key(out, "label_name");
        sb_put_action_text(out, env, label);
        sb_member_int(out, "label_int", label);
    }
    put_observations(w, env, "final_", w->step + 1 == tape->n);
    sb_puts(out, "}\n");
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    (void)error;
    writer *w = context;
    if (result) {
        end_row(w, env, action, result);
        w->step++;
    }
    if (w->step < w->rollout->tape->n) begin_row(w, env);
    return true;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    writer w = {.rollout = rollout, .export = export, .out = out};
    sb_name_print(&rollout->tape->name, w.name, sizeof w.name);
    *n_rows = rollout->tape->n;
    return sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
}

extern const sb_exporter sb_steps;
const sb_exporter sb_steps = {
    .name = "steps",
    .suffix = "jsonl.gz",
    .summary = "a row of gzipped JSON a step, with the columns of the published training runs and ours",
    .rows = rows,
};
