/* Format `values`: gzipped JSON, one row per step, with what every action costs there (include/seedbed/costs.h). For
 * learners of values, and for whoever judges answers by more than one label: a row also has the actions that led to
 * it. */
#include "exporters/asked.h"
#include "exporters/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exporters/teller.h"

/* ---- Options ---- */

static const char *const keys[] = {"teller", NULL};

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    const char *teller;
    if (!sb_teller_read(export, all, &teller, error)) return false;
    export->taken = true;
    export->own = malloc(strlen(teller) + 1);
    if (!export->own) return sb_fail(error, SB_MEMORY, "out of memory for a format");
    strcpy(export->own, teller);
    return true;
}

/* ---- Rows ---- */

typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    sb_teller *teller;
    size_t step;
    sb_out *out;
} writer;

/* Puts a column's value, a number of steps that a cost has; null if it is not known. */
static void put_steps(sb_out *out, const sb_cost *c) {
    c->steps < 0 ? sb_puts(out, "null") : sb_put_int(out, c->steps);
}

static void put_number(sb_out *out, double value, bool is_known) {
    is_known ? sb_put_cost_number(out, value) : sb_puts(out, "null");
}

typedef enum fact { NAME, NUMBER, KIND, PROVEN, BEST, STEPS, SUCCESS, SUCCESS_ERROR, MEAN, MEAN_ERROR, N_FACTS } fact;

static const struct {
    const char *key;
    sb_column_type type;
    const char *what;
} facts[N_FACTS] = {
    [NAME] = {"cost_actions", SB_COLUMN_TEXT, "The actions whose costs follow, by name"},
    [NUMBER] = {"cost_action_ints", SB_COLUMN_INTEGER, "The same by number"},
    [KIND] = {"cost_kinds", SB_COLUMN_TEXT, "How sure each cost is: exact, bound, estimate, late, lost or unknown"},
    [PROVEN] = {"cost_proven", SB_COLUMN_BOOLEAN, "Whether that is a proof"},
    [BEST] = {"cost_best", SB_COLUMN_BOOLEAN, "Whether no other action is better"},
    [STEPS] = {"cost_steps", SB_COLUMN_INTEGER,
               "Steps to success with this action first; null if no such play is known"},
    [SUCCESS] = {"cost_success", SB_COLUMN_NUMBER,
                 "The probability of success in the steps that are left; null: unknown"},
    [SUCCESS_ERROR] = {"cost_success_error", SB_COLUMN_NUMBER, "Its standard error"},
    [MEAN] = {"cost_mean", SB_COLUMN_NUMBER, "The mean of the steps of plays that succeed; null if none does"},
    [MEAN_ERROR] = {"cost_mean_error", SB_COLUMN_NUMBER, "Its standard error"},
};

static void put_fact(sb_out *out, const sb_env *env, const sb_cost *c, fact which) {
    const bool is_known = c->kind != SB_COST_UNKNOWN, has_mean = c->mean > 0;
    switch (which) {
    case NAME: sb_put_action_text(out, env, c->action); break;
    case NUMBER: sb_put_int(out, c->action); break;
    case KIND: sb_put_json_string(out, sb_cost_kind_name(c->kind)); break;
    case PROVEN: sb_puts(out, c->is_proven ? "true" : "false"); break;
    case BEST: sb_puts(out, c->is_best ? "true" : "false"); break;
    case STEPS: put_steps(out, c); break;
    case SUCCESS: put_number(out, c->success, is_known); break;
    case SUCCESS_ERROR: put_number(out, c->success_error, is_known); break;
    case MEAN: put_number(out, c->mean, has_mean); break;
    case MEAN_ERROR: put_number(out, c->mean_error, has_mean); break;
    case N_FACTS: break;
    }
}

static void put_costs(const writer *w, const sb_env *env) {
    for (fact which = NAME; which < N_FACTS; which++) {
        sb_put_key(w->out, facts[which].key);
        sb_putc(w->out, '[');
        for (size_t i = 0; i < w->teller->n; i++) {
            sb_put_comma(w->out);
            put_fact(w->out, env, &w->teller->list[i], which);
        }
        sb_putc(w->out, ']');
    }
}

static void put_row(const writer *w, const sb_env *env) {
    const sb_tape *tape = w->rollout->tape;
    const sb_action action = tape->actions[w->step];
    sb_out *out = w->out;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "task", tape->name.task);
    sb_member_uint(out, "episode_id", w->rollout->episode_id);
    sb_put_difficulty(out, w->export, tape);
    sb_member_uint(out, "step", w->step);
    for (size_t i = 0; i < w->export->n_modes; i++) {
        sb_put_observation_key(out, "", w->export->modes[i]);
        sb_put_observation_text(out, env, w->export->modes[i]);
    }
    sb_put_taken(out, w->export, tape, w->step);
    put_costs(w, env);
    sb_put_key(out, "action_name"), sb_put_action_text(out, env, action);
    sb_member_int(out, "action_int", action);
    sb_put_seed(out, tape);
    sb_member_text(out, "name", name);
    sb_member_text(out, "oracle", tape->agent);
    sb_member_success(out, tape->criterion, &tape->outcome);
    sb_member_double(out, "return", sb_return_of(w->export, tape));
    sb_put_judging(out, w->export, tape);
    sb_puts(out, "}\n");
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    (void)action;
    w->step += result != NULL;
    if (w->step == w->rollout->tape->n) return true;
    if (!sb_teller_ask(w->teller, env, error)) return false;
    put_row(w, env);
    return true;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    writer w = {.rollout = rollout, .export = export, .out = out};
    *n_rows = rollout->tape->n;
    const bool ok = (w.teller = sb_teller_open(rollout->tellers, export->own, error)) &&
                    sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    return ok;
}

/* Finds what a row asks. The prompt is the task and all observations; the answer is which actions are best. */
static void ask(const sb_export *export, sb_span row, sb_asked *asked) {
    const char *begin = row.at;
    (void)export;
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members) && !asked->answer.n) {
        if (sb_span_is(members.key, "task")) asked->prompt[0] = members.value;
        if (sb_span_is(members.key, "step")) begin = members.at;
        if (sb_span_is(members.key, "taken")) asked->shown = sb_span_from(begin, members.key.at);
        if (sb_span_is(members.key, "cost_best")) asked->answer = members.value;
    }
    asked->prompt[1] = asked->shown;
}

static void columns(const sb_export *export, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_difficulty(to, export);
    sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step, from 0");
    sb_add_observations(to, export, "", false, "What the agent saw before it acted");
    sb_add_taken(to, export);
    for (fact which = NAME; which < N_FACTS; which++) {
        sb_add_list(to, facts[which].key, facts[which].type, facts[which].what);
        if (which == NAME) sb_mark_read(to);
    }
    sb_add_column(to, "action_name", SB_COLUMN_TEXT, "What was done, by name");
    sb_add_column(to, "action_int", SB_COLUMN_INTEGER, "What was done, by number");
    sb_add_seed(to, export);
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    sb_add_column(to, "oracle", SB_COLUMN_TEXT, "Who acted");
    sb_add_success(to, export, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
}

extern const sb_exporter sb_values;
const sb_exporter sb_values = {
    .name = "values",
    .suffix = "jsonl.gz",
    .summary = "a row a step, with what every action costs there: steps to success, proven or estimated",
    .keeps_failures = true,
    .keys = keys,
    .read = read,
    .free = free,
    .columns = columns,
    .rows = rows,
    .ask = ask,
};
