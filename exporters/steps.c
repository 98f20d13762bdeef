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

static void columns(const sb_export *export, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_column(to, "difficulty", SB_COLUMN_TEXT, "Difficulty; null in families without difficulties");
    sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step, from 0");
    sb_add_renders(to, export, "", false, "What the agent saw before it acted");
    sb_add_column(to, "action_name", SB_COLUMN_TEXT, "What was done, by name");
    sb_add_column(to, "action_int", SB_COLUMN_INTEGER, "What was done, by number");
    sb_add_column(to, "reward", SB_COLUMN_NUMBER, "Reward of this step");
    sb_add_column(to, "done", SB_COLUMN_BOOLEAN, "Whether the episode is over after this step");
    sb_add_column(to, "seed", SB_COLUMN_INTEGER, "Seed of the episode, below 2^64");
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    sb_add_column(to, "oracle", SB_COLUMN_TEXT, "Who acted");
    sb_add_column(to, "success", SB_COLUMN_BOOLEAN, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_column(to, "terminated", SB_COLUMN_BOOLEAN, "Whether this step ended the episode by the task's rules");
    sb_add_column(to, "truncated", SB_COLUMN_BOOLEAN, "Whether this step was the last one allowed");
    if (export->labels) {
        sb_add_column(to, "label_name", SB_COLUMN_TEXT, "What should have been done here, by name");
        sb_add_column(to, "label_int", SB_COLUMN_INTEGER, "What should have been done here, by number");
    }
    sb_add_renders(to, export, "final_", false,
                   "What the agent saw at the very end; null but in an episode's last row");
}

extern const sb_exporter sb_steps;
const sb_exporter sb_steps = {
    .name = "steps",
    .suffix = "jsonl.gz",
    .summary = "a row of gzipped JSON a step, with the columns of the published training runs and ours",
    .columns = columns,
    .rows = rows,
};
