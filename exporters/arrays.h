/* Rows of the formats that hold arrays: every column has one type and one shape in the whole dataset. What an episode
 * shows is put into the upper left corner of that shape, the rest is 0, and a mask says which is which. */
#ifndef SB_EXPORTERS_ARRAYS_H
#define SB_EXPORTERS_ARRAYS_H

#include "exporters/exporter.h"

/* What a column tells. */
typedef enum sb_source {
    SB_COLUMN_SEEN,  /* an array of the family, before every step; of one that is constant, once */
    SB_COLUMN_FINAL, /* the same array at the very end */
    SB_COLUMN_MASK,  /* where in the shape it has numbers in this episode */
    SB_COLUMN_VALID, /* which actions are */
    SB_COLUMN_ACTION,
    SB_COLUMN_LABEL,
    SB_COLUMN_REWARD,
    SB_COLUMN_TERMINATION,
    SB_COLUMN_TRUNCATION,
    SB_COLUMN_ID,
    SB_COLUMN_NAME,
    SB_COLUMN_SEED,
    SB_COLUMN_SUCCESS
} sb_source;

typedef struct sb_column {
    char name[40];
    sb_source source;
    size_t array; /* which of the family's, for the first three sources */
    sb_scalar type;
    int rank;
    int32_t shape[SB_ARRAY_RANK];
    bool by_step; /* an item a step; else one an episode */
    size_t bytes; /* of an item */
} sb_column;

enum { SB_COLUMNS_MAX = 3 * SB_ARRAYS_MAX + 10 };

typedef struct sb_columns {
    sb_column of[SB_COLUMNS_MAX];
    size_t n;
    int32_t n_actions; /* the most that any episode has */
    size_t most_bytes; /* of an item of any column */
} sb_columns;

/* For sb_exporter.read: works out the columns from one episode of every task and variant of the dataset, and allocates
 * them. Refuses families without arrays, and the option `modes`. NULL: failed. */
sb_columns *sb_columns_make(const sb_export *export, const cJSON *options, sb_error *error);

/* Appends the episode: column after column, those by step with an item a step. Rows are steps. */
bool sb_columns_rows(const sb_rollout *rollout, const sb_export *export, const sb_columns *columns, sb_out *out,
                     uint64_t *n_rows, sb_error *error);
/* How many bytes of an episode of so many steps are the column's. */
static inline size_t sb_column_size(const sb_column *column, uint64_t steps) {
    return column->by_step ? column->bytes * (size_t)steps : column->bytes;
}
/* Fails unless so many bytes are those of an episode of so many steps. */
bool sb_columns_check(const sb_columns *columns, size_t n_bytes, uint64_t steps, sb_error *error);

#endif
