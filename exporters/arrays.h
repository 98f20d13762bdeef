/* Rows of the formats that hold arrays: every field has one type and one shape in the whole dataset. The numbers of an
 * episode lie in the upper left corner of that shape and the rest is 0; a mask says which is which. */
#ifndef SB_EXPORTERS_ARRAYS_H
#define SB_EXPORTERS_ARRAYS_H

#include "exporters/pixels.h"

/* What a field holds. */
typedef enum sb_array_source {
    SB_FIELD_SEEN,  /* an array of the family, or pixels, before every step; only once if it is constant */
    SB_FIELD_FINAL, /* the same array as SB_FIELD_SEEN, at the very end */
    /* Where in the shape the array has numbers in this episode; not for pixels, which are black elsewhere. */
    SB_FIELD_MASK,
    SB_FIELD_EFFECTIVE, /* which actions may have an effect */
    SB_FIELD_VALID,     /* which actions the published environments list as valid */
    SB_FIELD_ACTION,
    SB_FIELD_LABEL,
    SB_FIELD_REWARD,
    SB_FIELD_TERMINATION,
    SB_FIELD_TRUNCATION,
    SB_FIELD_ID,
    SB_FIELD_NAME,
    SB_FIELD_SEED,
    SB_FIELD_SUCCESS, /* false in tasks that have no success */
    /* SB_FIELD_SCORE and what follows it only if the export says so; not a number (NaN) in tasks that have no score. */
    SB_FIELD_SCORE,
    SB_FIELD_LEVEL,
    SB_FIELD_N_LEVELS,
    SB_FIELD_FAULT,
    SB_SOURCES
} sb_array_source;

typedef struct sb_field {
    char name[40];
    sb_array_source source;
    size_t array; /* index in sb_fields.arrays, for the first three sources */
    sb_scalar type;
    int rank;
    int32_t shape[SB_ARRAY_RANK];
    bool by_step; /* one item per step; otherwise one per episode */
    size_t bytes; /* size of an item */
} sb_field;

enum { SB_SEEN_MAX = SB_ARRAYS_MAX + 1 /* arrays of a family, and pixels */, SB_FIELDS_MAX = 3 * SB_SEEN_MAX + 15 };

typedef struct sb_fields {
    sb_field of[SB_FIELDS_MAX];
    size_t n;
    const sb_array *arrays[SB_SEEN_MAX]; /* arrays of the family, then pixels */
    size_t n_arrays;
    sb_brush *brush;   /* draws the pixels; NULL: there are none */
    int32_t n_actions; /* the largest number of actions in any episode */
    int32_t n_entries; /* entries of a mask of actions: buttons, and one for clicks */
    size_t most_bytes; /* size of the largest item of any field */
    bool explores;     /* some task has no success */
} sb_fields;

/* For sb_exporter.read: works out the fields from one episode of every task and difficulty of the dataset. With the
 * option `pixels` (pixels.h) there are pictures among them, and export->look is set. Refuses families without arrays,
 * and the option `modes`. Returns NULL after a failure. */
sb_fields *sb_fields_make(sb_export *export, const cJSON *options, sb_pixels_use use, sb_error *error);
void sb_fields_free(sb_fields *fields);

/* Appends the episode, field after field; fields by step have one item per step. Rows are steps. */
bool sb_fields_rows(const sb_rollout *rollout, const sb_export *export, const sb_fields *fields, sb_out *out,
                    uint64_t *n_rows, sb_error *error);
/* Returns how many bytes the field takes in an episode of that many steps. */
static inline size_t sb_field_size(const sb_field *field, uint64_t steps) {
    return field->by_step ? field->bytes * (size_t)steps : field->bytes;
}
/* For sb_exporter.tell: writes a table of the fields, without those of some sources (one bit each). */
void sb_fields_tell(const sb_fields *fields, unsigned without, sb_out *out);
/* Fails unless an episode of that many steps has that many bytes. */
bool sb_fields_check(const sb_fields *fields, size_t n_bytes, uint64_t steps, sb_error *error);

#endif
