/* Format `steps`: gzipped JSON, one row per step. The first ten columns are those of the published training runs, so
 * that a trainer written for them reads these files unchanged; ours follow (docs/formats.md).
 *
 * A row shows what the agent saw before it acted. The last row of an episode also shows what it saw at the end. */
#include "exporters/asked.h"
#include "exporters/columns.h"

#include "base/error.h"

/* One episode being written. The parts that all its rows share are written once and copied. */
typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    sb_out *out;
    uint64_t step;
    sb_rewards rewards;
    sb_out head, facts; /* parts of a row: before `step`, and from `seed` to `return` */
    sb_out later;       /* part of all rows but the last, which have it instead of the final observations */
} writer;

/* The key of a member that is not the first: one string instead of the five pieces of sb_put_key. */
#define KEY(name) ", \"" name "\": "

static void put_bool(sb_out *out, bool value) { sb_puts(out, value ? "true" : "false"); }

/* Writes `<prefix><mode>_render`: the observation as text in every mode; none without an episode. */
static void put_observations(const writer *w, const sb_env *env, const char *prefix, sb_out *out) {
    for (size_t i = 0; i < w->export->n_modes; i++) {
        const sb_mode *mode = w->export->modes[i];
        sb_put_observation_key(out, prefix, mode);
        if (env)
            sb_put_observation_text(out, env, mode);
        else
            sb_put_no_text(out, w->export);
    }
}

/* Prepares the parts that rows share: `head`, `facts` and `later`. All but the first begin with a comma. */
static bool prepare(writer *w, sb_error *error) {
    const sb_tape *tape = w->rollout->tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(&w->head, "{");
    sb_member_text(&w->head, "task", tape->name.task);
    sb_member_uint(&w->head, "episode_id", w->rollout->episode_id);
    sb_put_difficulty(&w->head, w->export, tape);
    sb_put_key(&w->head, "step");
    sb_put_seed(&w->facts, tape);
    sb_member_text(&w->facts, "name", name);
    sb_member_text(&w->facts, "oracle", tape->agent);
    sb_member_success(&w->facts, tape->criterion, &tape->outcome);
    sb_member_double(&w->facts, "return", sb_return_of(w->export, tape));
    sb_put_judging(&w->facts, w->export, tape);
    put_observations(w, NULL, "final_", &w->later);
    return (sb_out_ok(&w->head) && sb_out_ok(&w->facts) && sb_out_ok(&w->later)) ||
           sb_fail(error, SB_MEMORY, "out of memory for rows");
}

static void begin_row(writer *w, const sb_env *env) {
    sb_put_out(w->out, &w->head);
    sb_put_json_uint(w->out, w->step);
    put_observations(w, env, "", w->out);
}

static void end_row(writer *w, const sb_env *env, sb_action action, const sb_result *result) {
    const sb_tape *tape = w->rollout->tape;
    sb_out *out = w->out;
    sb_puts(out, KEY("action_name")), sb_put_action_text(out, env, action);
    sb_puts(out, KEY("action_int")), sb_put_int(out, action);
    sb_puts(out, KEY("reward")), sb_put_double(out, w->rewards.last);
    sb_puts(out, KEY("done")), put_bool(out, result->terminated || result->truncated);
    sb_put_out(out, &w->facts);
    sb_puts(out, KEY("terminated")), put_bool(out, result->terminated);
    sb_puts(out, KEY("truncated")), put_bool(out, result->truncated);
    if (w->export->labels) {
        const sb_action label = sb_tape_label(tape, w->step);
        sb_puts(out, KEY("label_name")), sb_put_action_text(out, env, label);
        sb_puts(out, KEY("label_int")), sb_put_int(out, label);
    }
    sb_put_taken(out, w->export, tape, w->step);
    if (w->step + 1 == tape->n)
        put_observations(w, env, "final_", out);
    else
        sb_put_out(out, &w->later);
    sb_puts(out, "}\n");
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    if (!sb_rewards_see(&w->rewards, w->export, w->rollout, env, result, error)) return false;
    if (result) {
        end_row(w, env, action, result);
        w->step++;
    }
    if (w->step < w->rollout->tape->n) begin_row(w, env);
    return true;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    writer w = {.rollout = rollout, .export = export, .out = out};
    w.head = w.facts = w.later = sb_out_growing();
    w.facts.last = w.later.last = ' '; /* so that the parts behind the first begin with a comma */
    *n_rows = rollout->tape->n;
    const bool ok = prepare(&w, error) && sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    sb_out_free(&w.head), sb_out_free(&w.facts), sb_out_free(&w.later);
    return ok;
}

/* Finds what a row asks. The prompt is the task and all observations before the action; the answer is the label, or
 * else the action. */
static void ask(const sb_export *export, sb_span row, sb_asked *asked) {
    const char *begin = row.at, *key = export->labels ? "label_int" : "action_int";
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members) && !asked->answer.n) {
        if (sb_span_is(members.key, "task")) asked->prompt[0] = members.value;
        if (sb_span_is(members.key, "step")) begin = members.at;
        if (sb_span_is(members.key, "action_name")) asked->shown = sb_span_from(begin, members.key.at);
        if (sb_span_is(members.key, key)) asked->answer = members.value;
    }
    asked->prompt[1] = asked->shown;
}

static void columns(const sb_export *export, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_difficulty(to, export);
    sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step, from 0");
    sb_add_observations(to, export, "", false, "What the agent saw before it acted");
    sb_add_column(to, "action_name", SB_COLUMN_TEXT, "What was done, by name");
    if (!export->labels) sb_mark_read(to);
    sb_add_column(to, "action_int", SB_COLUMN_INTEGER, "What was done, by number");
    sb_add_column(to, "reward", SB_COLUMN_NUMBER, "Reward of this step");
    sb_add_column(to, "done", SB_COLUMN_BOOLEAN, "Whether the episode is over after this step");
    sb_add_seed(to, export);
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    sb_add_column(to, "oracle", SB_COLUMN_TEXT, "Who acted");
    sb_add_success(to, export, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
    sb_add_column(to, "terminated", SB_COLUMN_BOOLEAN, "Whether this step ended the episode by the task's rules");
    sb_add_column(to, "truncated", SB_COLUMN_BOOLEAN, "Whether this step was the last one allowed");
    if (export->labels) {
        sb_add_column(to, "label_name", SB_COLUMN_TEXT, "What should have been done here, by name");
        sb_mark_read(to);
        sb_add_column(to, "label_int", SB_COLUMN_INTEGER, "What should have been done here, by number");
    }
    sb_add_taken(to, export);
    sb_add_observations(to, export, "final_", false,
                        export->nulls ? "What the agent saw at the very end; null but in an episode's last row"
                                      : "What the agent saw at the very end; empty but in an episode's last row");
}

static const char *const keys[] = {"taken", NULL};

extern const sb_exporter sb_steps;
const sb_exporter sb_steps = {
    .name = "steps",
    .suffix = "jsonl.gz",
    .summary = "a row of gzipped JSON a step, with the columns of the published training runs and ours",
    .keys = keys,
    .read = sb_read_taken,
    .columns = columns,
    .rows = rows,
    .ask = ask,
};
