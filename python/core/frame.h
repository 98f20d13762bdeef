/* What a vector of environments shows after each step: the parts of a look, an item for each environment. Numbers are
 * filled into arrays and texts are written while other Python threads run; objects are made of them afterwards. */
#ifndef SB_PYTHON_FRAME_H
#define SB_PYTHON_FRAME_H

#include "api/batch.h"
#include "python/core/look.h"

/* An array with an item for each environment: of a form, or the caller's. */
typedef struct core_memory {
    core_form form; /* form of the array; without a shape there is no array */
    PyObject *bound;
    PyObject *now; /* the array of the present step, while it is made */
    Py_buffer view;
    size_t item; /* size of an item, in bytes */
} core_memory;

/* Makes a memory of n items, each of this shape (NULL: a single number) and so many bytes. False with an exception. */
bool core_memory_make(core_memory *memory, size_t n, PyObject *shape, const char *type, size_t item);
void core_memory_free(core_memory *memory);
/* Gets the array for a step. False with an exception. */
bool core_memory_open(core *c, core_memory *memory, bool copies, int turn);
/* Returns the array, after the step. Without an array (a step that failed) NULL, and no exception. */
PyObject *core_memory_close(core_memory *memory);
int core_memory_traverse(core_memory *memory, visitproc visit, void *arg);

typedef enum core_field_kind {
    CORE_FIELD_ARRAY,
    CORE_FIELD_NUMBER, /* an array of single numbers, as values: int64 */
    CORE_FIELD_SIZE,
    CORE_FIELD_FLAT,
    CORE_FIELD_NOTHING, /* always 0, as int64 */
    CORE_FIELD_WORDS,   /* an array of bytes as str, kept while it cannot change */
    CORE_FIELD_TEXT     /* a mode as str or documents */
} core_field_kind;

typedef struct core_field {
    core_field_kind kind;
    const core_part *part;
    size_t array;
    PyObject *name;     /* key of the field in a part that is a dict, which belongs to the look; else NULL */
    core_memory memory; /* the array, for fields of numbers */
    sb_out *texts;      /* n texts, for CORE_FIELD_TEXT */
    PyObject **words;   /* n texts as str, for CORE_FIELD_WORDS */
    uint64_t *episodes; /* n numbers of the episodes that `words` were read in */
} core_field;

/* What every step needs of an array that is filled as it is: so little that it stays in the cache. */
typedef struct core_line {
    char *to;
    size_t item;
    const sb_array *array;
} core_line;

typedef struct core_frame {
    core_look *look;
    size_t n, n_fields, n_lines;
    core_field *fields; /* all n_fields fields */
    core_line *lines;   /* n_lines lines, for the present step */
    char *scratch;      /* scratch of each environment */
    bool copies;
    int turn; /* which of two kept arrays, unless arrays are new */
} core_frame;

/* Makes a frame of n environments, for all parts of the look. False with an exception; free the frame also then. */
bool core_frame_make(core_frame *frame, core_look *look, size_t n, bool copies);
void core_frame_free(core_frame *frame);

/* Gets the frame ready for a step. False with an exception. */
bool core_frame_open(core_frame *frame);
/* Fills in what an environment shows, in any thread. */
void core_frame_fill(core_frame *frame, size_t i, const sb_env *env);
/* Lets go of everything that a step which failed was to fill. */
void core_frame_drop(core_frame *frame);
/* Forgets what was kept of episodes, because those of another batch follow. */
void core_frame_forget(core_frame *frame);
/* The observation. `owner` has the method `_stack(key, items)`, which makes one value of documents with arrays. */
PyObject *core_frame_close(core_frame *frame, const sb_batch *batch, PyObject *owner);

#endif
