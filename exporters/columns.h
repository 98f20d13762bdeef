/* Columns that several formats share. */
#ifndef SB_EXPORTERS_COLUMNS_H
#define SB_EXPORTERS_COLUMNS_H

#include "exporters/exporter.h"
#include "oracles/costs.h"

/* Writes a text that does not apply to a row: empty, or null in older datasets. */
void sb_put_no_text(sb_out *out, const sb_export *export);
/* Writes `difficulty`, which families without difficulties do not have. */
void sb_put_difficulty(sb_out *out, const sb_export *export, const sb_tape *tape);
/* Writes `seed`, always as a number, because a column has one type. sb_export_read refuses those that readers' integers
 * cannot hold. */
void sb_put_seed(sb_out *out, const sb_tape *tape);
/* The option `taken`: whether rows hold the actions that led to their states. sb_put_taken and sb_add_taken do nothing
 * without it. */
bool sb_read_taken(sb_export *export, const cJSON *options, sb_error *error);
void sb_put_taken(sb_out *out, const sb_export *export, const sb_tape *tape, size_t step);
void sb_add_taken(sb_columns *to, const sb_export *export);
/* Writes the key `<prefix><mode>_render`. */
void sb_put_observation_key(sb_out *out, const char *prefix, const sb_mode *mode);
/* Returns the episode's return, which is dense if the export's rewards are, and otherwise sparse. */
double sb_return_of(const sb_export *export, const sb_tape *tape);
/* The rewards of an episode's steps, one after another, of the kind that the export wants. Starts zeroed. */
typedef struct sb_rewards {
    sb_costs *costs; /* costs, for progress */
    sb_progress progress;
    double last; /* the reward of the last step */
} sb_rewards;

/* Fails if the export wants progress, and the expert of some task cannot tell it. */
bool sb_rewards_check(const sb_export *export, sb_error *error);
/* Looks at a state of the episode: the first one (`result` NULL), and then each one after a step. */
bool sb_rewards_see(sb_rewards *rewards, const sb_export *export, const sb_rollout *rollout, const sb_env *env,
                    const sb_result *result, sb_error *error);

/* Writes `score`, `level`, `n_levels` and `fault`, if the dataset has them; null where the episode has none. */
void sb_put_judging(sb_out *out, const sb_export *export, const sb_tape *tape);

/* Adds a column; sb_add_list adds one whose values are lists. */
void sb_add_column(sb_columns *columns, const char *name, sb_column_type type, const char *what);
void sb_add_list(sb_columns *columns, const char *name, sb_column_type type, const char *what);
/* Marks the column that was added last as one whose texts a trainer reads. Messages and observations are so anyway. */
void sb_mark_read(sb_columns *columns);
/* Adds `difficulty` and `seed`. */
void sb_add_difficulty(sb_columns *columns, const sb_export *export);
void sb_add_seed(sb_columns *columns, const sb_export *export);
/* Adds `<prefix><mode>_render` for every mode of the export. */
void sb_add_observations(sb_columns *columns, const sb_export *export, const char *prefix, bool is_list,
                         const char *what);

/* Adds `success`; sb_add_judging adds the columns of sb_put_judging. */
void sb_add_success(sb_columns *columns, const sb_export *export, const char *what);
void sb_add_judging(sb_columns *columns, const sb_export *export);

/* For rows of text: fails, and names the row of the episode and the key whose value holds the byte `at`, the first one
 * that differs in a file. */
bool sb_fail_in_row(const char *rows, size_t n, size_t at, sb_error *error);

#endif
