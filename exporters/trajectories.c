/* Format `trajectories`: gzipped JSON, one row per episode, with lists of observations, actions and rewards. There is
 * one observation more than there are actions: the last one is what the agent saw at the end. */
#include "base/error.h"
#include "exporters/columns.h"

/* One list for every column, filled side by side during a single replay. */
enum { ACTIONS, ACTION_NAMES, REWARDS, LABELS, LABEL_NAMES, N_LISTS };

static const char *const list_keys[N_LISTS] = {"actions", "action_names", "rewards", "labels", "label_names"};

typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    size_t step;
    sb_rewards rewards;
    sb_out seen[SB_EXPORT_MODES], lists[N_LISTS];
} writer;

static void look(writer *w, const sb_env *env) {
    for (size_t i = 0; i < w->export->n_modes; i++) {
        if (w->step) sb_puts(&w->seen[i], ", ");
        sb_put_observation_text(&w->seen[i], env, w->export->modes[i]);
    }
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    if (!sb_rewards_see(&w->rewards, w->export, w->rollout, env, result, error)) return false;
    if (result) {
        const sb_action label = sb_tape_label(w->rollout->tape, w->step);
        if (w->step++)
            for (int i = 0; i < N_LISTS; i++) sb_puts(&w->lists[i], ", ");
        sb_put_int(&w->lists[ACTIONS], action);
        sb_put_action_text(&w->lists[ACTION_NAMES], env, action);
        sb_put_double(&w->lists[REWARDS], w->rewards.last);
        sb_put_int(&w->lists[LABELS], label);
        sb_put_action_text(&w->lists[LABEL_NAMES], env, label);
    }
    look(w, env);
    return true;
}

static void put_list(sb_out *out, const sb_out *items) {
    sb_puts(out, "[");
    sb_put_out(out, items);
    sb_puts(out, "]");
}

static void put_row(const writer *w, sb_out *out) {
    const sb_tape *tape = w->rollout->tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "task", tape->name.task);
    sb_member_uint(out, "episode_id", w->rollout->episode_id);
    sb_put_difficulty(out, w->export, tape);
    sb_put_seed(out, tape);
    sb_member_text(out, "name", name);
    sb_member_text(out, "oracle", tape->agent);
    sb_member_success(out, tape->criterion, &tape->outcome);
    sb_member_double(out, "return", sb_return_of(w->export, tape));
    sb_put_judging(out, w->export, tape);
    sb_member_bool(out, "terminated", tape->outcome.terminated);
    sb_member_bool(out, "truncated", tape->outcome.truncated);
    sb_member_uint(out, "steps", tape->n);
    for (size_t i = 0; i < w->export->n_modes; i++) {
        sb_put_observation_key(out, "", w->export->modes[i]);
        put_list(out, &w->seen[i]);
    }
    for (int i = 0; i < (w->export->labels ? N_LISTS : LABELS); i++) {
        sb_put_key(out, list_keys[i]);
        put_list(out, &w->lists[i]);
    }
    sb_puts(out, "}\n");
}

static bool is_whole(const writer *w) {
    bool ok = true;
    for (size_t i = 0; i < SB_EXPORT_MODES; i++) ok &= sb_out_ok(&w->seen[i]);
    for (size_t i = 0; i < N_LISTS; i++) ok &= sb_out_ok(&w->lists[i]);
    return ok;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    writer w = {.rollout = rollout, .export = export};
    for (size_t i = 0; i < SB_EXPORT_MODES; i++) w.seen[i].grows = true;
    for (size_t i = 0; i < N_LISTS; i++) w.lists[i].grows = true;
    bool ok = sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    if (ok && !is_whole(&w)) ok = sb_fail(error, SB_MEMORY, "out of memory for a trajectory");
    if (ok) put_row(&w, out);
    for (size_t i = 0; i < SB_EXPORT_MODES; i++) sb_out_free(&w.seen[i]);
    for (size_t i = 0; i < N_LISTS; i++) sb_out_free(&w.lists[i]);
    *n_rows = 1;
    return ok;
}

static void columns(const sb_export *export, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_difficulty(to, export);
    sb_add_seed(to, export);
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    sb_add_column(to, "oracle", SB_COLUMN_TEXT, "Who acted");
    sb_add_success(to, export, "Whether the episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
    sb_add_column(to, "terminated", SB_COLUMN_BOOLEAN, "Whether the episode ended by the task's rules");
    sb_add_column(to, "truncated", SB_COLUMN_BOOLEAN, "Whether it ended because it had taken all the steps allowed");
    sb_add_column(to, "steps", SB_COLUMN_INTEGER, "How many steps were taken");
    sb_add_observations(to, export, "", true, "What the agent saw before every step, and at the very end");
    sb_add_list(to, list_keys[ACTIONS], SB_COLUMN_INTEGER, "What was done, by number");
    sb_add_list(to, list_keys[ACTION_NAMES], SB_COLUMN_TEXT, "What was done, by name");
    if (!export->labels) sb_mark_read(to);
    sb_add_list(to, list_keys[REWARDS], SB_COLUMN_NUMBER, "Reward of every step");
    if (!export->labels) return;
    sb_add_list(to, list_keys[LABELS], SB_COLUMN_INTEGER, "What should have been done, by number");
    sb_add_list(to, list_keys[LABEL_NAMES], SB_COLUMN_TEXT, "What should have been done, by name");
    sb_mark_read(to);
}

extern const sb_exporter sb_trajectories;
const sb_exporter sb_trajectories = {
    .name = "trajectories",
    .suffix = "jsonl.gz",
    .summary = "a row of gzipped JSON an episode: observations, actions and rewards as lists",
    .columns = columns,
    .rows = rows,
};
