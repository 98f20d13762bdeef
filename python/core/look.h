/* What observations are made of: the argument `obs` of make, read for a family and for the shape of its arrays. */
#ifndef SB_PYTHON_LOOK_H
#define SB_PYTHON_LOOK_H

#include "python/core/pixels.h"

enum { CORE_PARTS = 16 };

typedef enum core_kind {
    CORE_TEXT,               /* str: the mode's text, also that of a document */
    CORE_DOCUMENT,           /* dict: the mode's document */
    CORE_VALUES_OF_DOCUMENT, /* dict: the mode's document, in which lists of numbers are arrays */
    CORE_ARRAYS,             /* dict of arrays */
    CORE_VALUES,             /* dict of arrays, but single numbers are int and texts are str */
    CORE_ARRAY,              /* one array */
    CORE_PIXELS,             /* a picture: one array, which is not among those of the family */
    CORE_FLAT,               /* float32: all arrays but texts, one behind the other */
    CORE_NOTHING             /* always 0 */
} core_kind;

/* An array as it is made. */
typedef struct core_array {
    const sb_array *array;
    int32_t extent[SB_ARRAY_RANK]; /* larger than the episode's own where arrays are padded */
    bool padded;
    PyObject *name;
    core_form form;
} core_array;

typedef struct core_part {
    core_kind kind;
    const sb_mode *mode;
    size_t array; /* which array, for CORE_ARRAY and CORE_PIXELS */
    PyObject *key;
} core_part;

/* How arrays are padded. */
typedef enum core_pad { CORE_NOT_PADDED, CORE_PADDED_TO_FAMILY, CORE_PADDED_TO_SIZE } core_pad;

/* What is asked of a look. */
typedef struct core_look_plan {
    const sb_name *name;       /* name of the task and difficulty, which tell the shapes of arrays */
    PyObject *obs;             /* a str, a sequence of str, or None for the family's default */
    PyObject *pad;             /* None, "family" or (height, width) */
    const core_pixels *pixels; /* NULL: as if nothing was said */
    bool copies;               /* every observation has new arrays */
} core_look_plan;

typedef struct core_look {
    core *core;
    const sb_family *family;
    core_part part[CORE_PARTS];
    size_t n_parts, n_arrays;
    core_array array[SB_ARRAYS_MAX + 1]; /* n_arrays of the family, then pixels, if they are shown */
    PyObject *brush;                     /* draws pixels; NULL: none are shown */
    core_pad pad;
    int32_t pad_size[2]; /* height and width, for CORE_PADDED_TO_SIZE */
    bool several;        /* a list was given: observations are dicts by mode, also of one */
    bool dense;          /* documents sum up dense rewards */
    bool blocks;         /* pixels are rendered as a text: half blocks */
    bool copies;         /* every observation has new arrays */
    bool has_size;       /* padded: arrays come with `size`, the grid's own width and height */
    PyObject *size_name;
    core_form size, flat;
    sb_out text;    /* scratch */
    size_t largest; /* bytes of the largest array */
} core_look;

/* Makes a look; NULL with an exception. */
core_look *core_look_make(core *c, const core_look_plan *plan);
void core_look_free(core_look *look);
/* Whether episodes of this task and difficulty, of the same family, fit the arrays that are shown. */
bool core_look_fits(const core_look *look, const sb_name *name);
/* Gives pixels the size that they have in this episode, whatever was padded. False with an exception. */
bool core_look_resize(core_look *look, const sb_env *env);

/* The observation of the environment as it is now. */
PyObject *core_observe(core_look *look, const sb_env *env);

/* Whether pixels are shown. */
static inline bool core_has_pixels(const core_look *look) { return look->brush != NULL; }
static inline bool core_is_single(const core_array *a) { return a->array->rank == 0; }
static inline bool core_is_text(const core_array *a) { return a->array->type == SB_CHAR; }
/* Writes numbers of the episode, in any thread. An array stands in the upper left corner where it is padded; `scratch`
 * has room for core_scratch_size bytes. */
size_t core_scratch_size(const core_look *look);
void core_fill(const core_look *look, const sb_env *env, size_t array, void *to, char *scratch);
void core_fill_flat(const core_look *look, const sb_env *env, float *to, char *scratch);
/* The grid's own width and height, in looks that have a size. */
void core_fill_size(const core_look *look, const sb_env *env, int16_t size[2]);
/* The text of a mode, in any thread. A document that tells the return so far tells that of the chosen reward. */
void core_write_mode(const core_look *look, const sb_env *env, const sb_mode *mode, sb_out *out);
/* The value that a part of texts or documents makes of its mode's text. */
PyObject *core_part_of_text(core_look *look, const core_part *part, const char *text, size_t n);
/* What the parts are, for spaces: a tuple of (key, kind, mode or array name, arrays) with arrays a tuple of
 * (name, type, shape, number of values or 0). */
PyObject *core_look_describe(const core_look *look);

#endif
