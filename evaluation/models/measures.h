/* Measures of predicted frames and tables (docs/world-models.md). All are exact; tests compare them with numbers that
 * another program computed. */
#ifndef SB_EVALUATION_MODELS_MEASURES_H
#define SB_EVALUATION_MODELS_MEASURES_H

#include "rollout/transitions.h"

enum { SB_MODEL_WRONG = 32 /* wrong cells and fields that are listed of a transition, at most */ };

/* The connected areas of a frame: cells that are neighbours in a row or column, of one colour. */
typedef struct sb_frame_area {
    uint32_t first, cells; /* first: the lowest place of its cells */
    uint8_t colour;
} sb_frame_area;

typedef struct sb_frame_areas {
    sb_frame_area *areas; /* in order of their first cells; the caller frees with sb_frame_areas_free */
    size_t n, capacity;
    uint16_t *labels;             /* area of each cell */
    uint32_t *room;               /* memory for the search */
    size_t cells, cells_capacity; /* cells of the frame, and cells that there is room for */
    uint8_t ground;               /* the most frequent colour; of equals the lowest */
} sb_frame_areas;

/* Finds all areas of a frame, those of the ground too. False: out of memory. Cost: linear. */
bool sb_frame_areas_find(sb_frame_areas *areas, const sb_frame_shape *shape, const uint8_t *frame);
void sb_frame_areas_free(sb_frame_areas *areas);

/* Share of the cells that are equal in two frames of a shape. */
double sb_measure_pixels(const sb_frame_shape *shape, const uint8_t *predicted, const uint8_t *real);
/* F1 score over the cells that changed. */
double sb_measure_changes(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *predicted,
                          const uint8_t *real);
double sb_measure_histogram(const sb_frame_shape *shape, const uint8_t *predicted, const uint8_t *real);
/* False: out of memory. */
bool sb_measure_objects(const sb_frame_areas *predicted, const sb_frame_areas *real, double *value);

/* A cell in which a prediction is wrong. */
typedef struct sb_wrong_cell {
    int16_t y, x;
    uint8_t was, predicted, real;
} sb_wrong_cell;

/* Lists wrong cells by rows, at most `capacity`; returns how many there are. */
size_t sb_wrong_cells(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *predicted, const uint8_t *real,
                      sb_wrong_cell *cells, size_t capacity);

/* Whether all bytes are letters or digits, as those of frames are. */
bool sb_is_plain(const char *text, size_t n);

/* Equal leaves of two JSON values, and the leaves of either. */
typedef struct sb_leaves {
    uint64_t equal, of;
    size_t n_wrong; /* number of wrong leaves; the first SB_MODEL_WRONG of them in order of their paths are listed */
    char wrong[SB_MODEL_WRONG][120]; /* paths such as `/positions/player/0/1`; long ones are cut */
} sb_leaves;

/* Compares two texts of JSON. False with an error if one of them is no JSON or memory is out. */
bool sb_measure_fields(const char *predicted, size_t n_predicted, const char *real, size_t n_real, sb_leaves *fields,
                       sb_error *error);

/* A member of an object of JSON. */
typedef struct sb_member {
    const cJSON *item;
    size_t place; /* number of the member in the object */
} sb_member;

/* Returns the members sorted by key, which the caller frees; members with the same key keep their order. None if it is
 * no object; NULL without memory. */
sb_member *sb_sorted_members(const cJSON *object, size_t *n);

#endif
