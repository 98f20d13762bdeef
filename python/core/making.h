/* How the arguments are read that environments and vectors of them share. Errors are exceptions. */
#ifndef SB_PYTHON_MAKING_H
#define SB_PYTHON_MAKING_H

#include "python/core/look.h"
#include "seeds/rng.h"

/* The task and difficulty that a name and the argument `difficulty` say (NULL: not given), and the seed if the name has
 * one: then it is pinned. */
bool core_read_name(core *c, const char *text, const char *difficulty, sb_name *name, bool *pinned);
/* Which of the words it is; they end with NULL. `what`: the argument. */
bool core_read_word(core *c, const char *what, const char *text, const char *const *words, int *index);
/* False with an exception, which begins with `what`, unless episodes of this task and difficulty look and are acted in
 * as those of `own`, whose observations the look makes. */
bool core_fits(const core_look *look, const sb_name *own, const sb_name *name, const char *what);
/* What `options` of a reset say: another episode by name, or a seed that leaves the chain alone. The key `but` (or
 * NULL) is read by others. `name` comes as the environment's own. */
bool core_read_options(const core_look *look, PyObject *options, const char *but, sb_name *name, bool *is_said);
/* Where the seeds of an environment's episodes come from: numbers below 2^31 of NumPy's default_rng(seed). */
typedef struct core_chain {
    bool begun;
    uint64_t seed;
    sb_rng rng;
} core_chain;

/* A seed for a chain that nobody gave one. */
uint64_t core_entropy(void);

#endif
