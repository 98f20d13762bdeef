/* How the arguments are read that environments and vectors of them share. Errors are exceptions. */
#ifndef SB_PYTHON_MAKING_H
#define SB_PYTHON_MAKING_H

#include "python/core/look.h"
#include "seeds/rng.h"

/* Reads the task and difficulty that a name and the argument `difficulty` say (NULL: not given), and the seed if the
 * name has one: then it is pinned. */
bool core_read_name(core *c, const char *text, const char *difficulty, sb_name *name, bool *pinned);
/* Finds which of the words a text is; they end with NULL. `what`: the argument. */
bool core_read_word(core *c, const char *what, const char *text, const char *const *words, int *index);
/* Whether episodes of this task and difficulty look and are acted in as those of `own`, whose observations the look
 * makes. False with an exception, which begins with `what`. */
bool core_fits(const core_look *look, const sb_name *own, const sb_name *name, const char *what);
/* What `options` of a reset say: another episode by name, or a seed that leaves the chain alone; or both. */
typedef struct core_options {
    bool has_name, has_seed;
    sb_name name;
    uint64_t seed;
} core_options;
/* Reads the options of a reset; the keys `others` (NULL-terminated, or NULL) are read elsewhere. False with an
 * exception. */
bool core_read_options(core *c, PyObject *options, const char *const *others, core_options *said);
/* Changes the name of what a reset would begin to what the options say. False with an exception if that does not fit
 * the look and the actions of `name`. */
bool core_apply_options(const core_look *look, const core_options *said, sb_name *name);
/* Makes what `render_mode` says: what draws the picture, NULL for None, and whether the picture is printed (then
 * `prints` is not NULL). Pixels are drawn as `pixels` says. False with an exception. */
bool core_make_picture(core *c, const sb_name *name, PyObject *render_mode, const core_pixels *pixels,
                       core_look **picture, bool *prints);
/* The picture of an environment; None where there is nothing to show. */
PyObject *core_picture_of(core_look *picture, const sb_env *env);
/* Where the seeds of an environment's episodes come from: numbers below 2^31 of NumPy's default_rng(seed). */
typedef struct core_chain {
    bool begun;
    uint64_t seed;
    sb_rng rng;
} core_chain;

/* A seed for a chain that nobody gave one. */
uint64_t core_entropy(void);

#endif
