/* Selections and packs, for the functions that take them. */
#ifndef SB_PYTHON_SELECTION_H
#define SB_PYTHON_SELECTION_H

#include "python/core/core.h"
#include "rollout/mixture.h"
#include "rollout/selection.h"
#include "seeds/pack.h"

/* An immutable sequence of names. */
typedef struct core_selection {
    PyObject_HEAD core *core;
    sb_selection selection;
    PyObject *request; /* str: the JSON object that was asked for; NULL in parts, sums and orders of other selections */
    PyObject *pack;    /* the pack of which the selection is the whole; or NULL */
} core_selection;

typedef struct core_pack {
    PyObject_HEAD core *core;
    sb_pack pack;
} core_pack;

/* What a Selection or a Pack holds; NULL with an exception if the object is another one. It lives as long as the
 * object. */
const core_selection *core_selection_of(core *c, PyObject *object);
const core_pack *core_pack_of(core *c, PyObject *object);

/* A new Selection, which takes what the selection holds, also on failure. `request` and `pack` may be NULL. */
PyObject *core_selection_make(core *c, sb_selection *selection, PyObject *request, PyObject *pack);
/* A new Pack, which takes what the pack holds, also on failure. */
PyObject *core_pack_make(core *c, sb_pack *pack);

/* The selection as a JSON object with the members of a request, which selects it again: what was asked for, or else all
 * names. A new str. */
PyObject *core_selection_request(const core_selection *self);
/* A document that a request can be read from, for sb_request_read; NULL with an exception. */
cJSON *core_json(core *c, const char *text, size_t n);

/* Reads a mixture from a JSON object with its list `mixture` and perhaps `family`. The caller frees the mixture, also
 * after a failure. False with an exception. */
bool core_mixture_read(core *c, const char *json, sb_mixture *mixture);

/* A name as str. */
PyObject *core_name(const sb_name *name);

#endif
