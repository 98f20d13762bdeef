#include "exporters/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "exporters/teller.h"

void sb_put_no_text(sb_out *out, const sb_export *export) { sb_puts(out, export->nulls ? "null" : "\"\""); }

void sb_put_difficulty(sb_out *out, const sb_export *export, const sb_tape *tape) {
    sb_put_key(out, "difficulty");
    if (tape->name.difficulty[0])
        sb_put_json_string(out, tape->name.difficulty);
    else
        sb_put_no_text(out, export);
}

void sb_put_seed(sb_out *out, const sb_tape *tape) {
    sb_put_key(out, "seed");
    sb_put_uint(out, tape->name.seed);
}

bool sb_read_taken(sb_export *export, const cJSON *options, sb_error *error) {
    return !cJSON_HasObjectItem(options, "taken") || sb_json_bool(options, "taken", &export->taken, error);
}

void sb_put_taken(sb_out *out, const sb_export *export, const sb_tape *tape, size_t step) {
    if (!export->taken) return;
    sb_put_key(out, "taken");
    sb_putc(out, '[');
    for (size_t i = 0; i < step; i++) {
        sb_put_comma(out);
        sb_put_int(out, tape->actions[i]);
    }
    sb_putc(out, ']');
}

void sb_add_taken(sb_columns *to, const sb_export *export) {
    if (export->taken)
        sb_add_list(to, "taken", SB_COLUMN_INTEGER, "The actions so far, which lead from the start to this state");
}

/* Writes the key without escapes, which prefixes and names of modes need not have. */
void sb_put_observation_key(sb_out *out, const char *prefix, const sb_mode *mode) {
    sb_put_comma(out);
    sb_putc(out, '"'), sb_puts(out, prefix), sb_puts(out, mode->name), sb_puts(out, "_render\": ");
}

double sb_return_of(const sb_export *export, const sb_tape *tape) {
    return export->dense ? tape->outcome.dense_total : tape->outcome.total;
}

bool sb_rewards_check(const sb_export *export, sb_error *error) {
    return !export->shapes || sb_teller_can(export, sb_oracle_names[SB_SEES_STATE], error) ||
           sb_fail_at(error, "key `reward`");
}

static bool begin_progress(sb_rewards *r, const sb_export *export, const sb_rollout *rollout, const sb_env *env,
                           sb_error *error) {
    const sb_teller *expert = sb_teller_open(rollout->tellers, sb_oracle_names[SB_SEES_STATE], error);
    if (!expert) return false;
    r->costs = expert->costs, r->progress = sb_progress_by(export->gamma);
    return sb_progress_begin(&r->progress, r->costs, env, error);
}

bool sb_rewards_see(sb_rewards *r, const sb_export *export, const sb_rollout *rollout, const sb_env *env,
                    const sb_result *result, sb_error *error) {
    if (result) r->last = export->dense ? result->dense : result->reward;
    if (!export->shapes) return true;
    return result ? sb_progress_step(&r->progress, r->costs, env, result, &r->last, error)
                  : begin_progress(r, export, rollout, env, error);
}

static void put_levels(sb_out *out, const sb_status *end) {
    static const char *const keys[] = {"level", "n_levels"};
    for (int i = 0; i < 2; i++) {
        sb_put_key(out, keys[i]);
        if (end->n_levels > 0)
            sb_put_int(out, i ? end->n_levels : end->level);
        else
            sb_puts(out, "null");
    }
}

void sb_put_judging(sb_out *out, const sb_export *export, const sb_tape *tape) {
    const sb_status *end = &tape->outcome;
    if (export->scores) {
        sb_put_key(out, "score");
        if (sb_has_score(tape->criterion))
            sb_put_double(out, end->score);
        else
            sb_puts(out, "null");
        put_levels(out, end);
    }
    if (export->faults) sb_member_bool(out, "fault", end->fault);
}

static void add(sb_columns *columns, const sb_column *column) {
    if (columns->n < SB_COLUMNS_MAX) columns->of[columns->n++] = *column;
}

void sb_add_column(sb_columns *columns, const char *name, sb_column_type type, const char *what) {
    sb_column column = {.type = type, .is_read = type == SB_COLUMN_MESSAGE, .what = what};
    snprintf(column.name, sizeof column.name, "%s", name);
    add(columns, &column);
}

void sb_add_list(sb_columns *columns, const char *name, sb_column_type type, const char *what) {
    sb_column column = {.type = type, .is_list = true, .is_read = type == SB_COLUMN_MESSAGE, .what = what};
    snprintf(column.name, sizeof column.name, "%s", name);
    add(columns, &column);
}

void sb_mark_read(sb_columns *columns) { columns->of[columns->n - 1].is_read = true; }

void sb_add_difficulty(sb_columns *columns, const sb_export *export) {
    sb_add_column(columns, "difficulty", SB_COLUMN_TEXT,
                  export->nulls ? "Difficulty; null in families without difficulties"
                                : "Difficulty; empty in families without difficulties");
}

void sb_add_seed(sb_columns *columns, const sb_export *export) {
    sb_add_column(columns, "seed", SB_COLUMN_INTEGER,
                  export->nulls ? "Seed of the episode, below 2^64" : "Seed of the episode, below 2^63");
}

void sb_add_observations(sb_columns *columns, const sb_export *export, const char *prefix, bool is_list,
                         const char *what) {
    for (size_t i = 0; i < export->n_modes; i++) {
        sb_column column = {.type = SB_COLUMN_TEXT, .is_list = is_list, .is_read = true, .what = what};
        snprintf(column.name, sizeof column.name, "%s%s_render", prefix, export->modes[i]->name);
        add(columns, &column);
    }
}

void sb_add_success(sb_columns *columns, const sb_export *export, const char *what) {
    if (export->explores) what = "Whether the episode succeeded; null in tasks that have no success";
    sb_add_column(columns, "success", SB_COLUMN_BOOLEAN, what);
}

void sb_add_judging(sb_columns *columns, const sb_export *export) {
    if (export->scores) {
        sb_add_column(columns, "score", SB_COLUMN_NUMBER,
                      "Score of the episode; null in tasks that are not judged by one");
        sb_add_column(columns, "level", SB_COLUMN_INTEGER, "Levels that were solved; null in worlds without levels");
        sb_add_column(columns, "n_levels", SB_COLUMN_INTEGER,
                      "How many levels there are; null in worlds without levels");
    }
    if (export->faults)
        sb_add_column(columns, "fault", SB_COLUMN_BOOLEAN, "Whether the episode ended because its world failed");
}

bool sb_fail_in_row(const char *rows, size_t n, size_t at, sb_error *error) {
    const char *end = memchr(rows + at, '\n', n - at);
    size_t row = 0, begin = 0;
    for (size_t i = 0; i < at; i++)
        if (rows[i] == '\n') row++, begin = i + 1;
    const sb_json_part key = sb_json_key_at(rows + begin, (size_t)((end ? end : rows + n) - (rows + begin)),
                                            at - begin);
    return sb_fail(error, SB_MISMATCH, "row %zu of the episode differs from what the tape gives, at `%.*s`", row,
                   (int)(key.n > 2 ? key.n - 2 : 0), key.at + 1);
}
