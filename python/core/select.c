/* Selection: which episodes, as an immutable sequence of names that keeps sixteen bytes for each. */
#include <stdlib.h>

#include "base/error.h"
#include "datasets/census.h"
#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/stream.h"
#include "seeds/rng.h"

/* ---- Making ---- */

const core_selection *core_selection_of(core *c, PyObject *object) {
    if (core_is(c, CORE_TYPE_SELECTION, object)) return (core_selection *)object;
    return core_refuse(c, "InvalidError", "a Selection is wanted: seedbed.select(...) makes one"), NULL;
}

PyObject *core_selection_make(core *c, sb_selection *selection, PyObject *request, PyObject *pack) {
    core_selection *self = core_new(c->type[CORE_TYPE_SELECTION]);
    if (!self) return sb_selection_free(selection), NULL;
    self->selection = *selection;
    self->request = Py_XNewRef(request), self->pack = Py_XNewRef(pack);
    *selection = (sb_selection){0};
    return (PyObject *)self;
}

static void dealloc(PyObject *object) {
    core_selection *self = (core_selection *)object;
    sb_selection_free(&self->selection);
    Py_XDECREF(self->request), Py_XDECREF(self->pack);
    core_delete(object);
}

cJSON *core_json(core *c, const char *text, size_t n) {
    sb_error error;
    cJSON *document = sb_json_parse_within(text, n, SB_SELECTION_MAX + SB_JSON_VALUES, &error);
    if (!document) core_raise(c, &error);
    return document;
}

/* The request as text, as it is printed everywhere: equal requests give equal texts. */
static PyObject *print_request(const sb_request *request) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{"), sb_request_print(request, &out), sb_puts(&out, "}");
    return core_written(&out);
}

/* Work for core_run: to select the episodes of a request. */
typedef struct selecting {
    const sb_catalogue *catalogue;
    const cJSON *document;
    sb_request request;
    sb_selection selection;
} selecting;

static bool do_select(void *context, const sb_stop *stop, sb_error *error) {
    selecting *s = context;
    if (!sb_json_known_keys(s->document, sb_request_keys, error) ||
        !sb_request_read(s->catalogue, s->document, &s->request, error))
        return false;
    s->request.stop = stop;
    return sb_select(&s->request, &s->selection, error);
}

/* Whether a selection is kept by names. Episodes that were chosen by what they demand take long to choose again, so
 * they are. */
static bool is_kept_by_name(const sb_request *request) { return request->n_names || sb_request_demands(request); }

static PyObject *select_json(PyObject *module, PyObject *text) {
    core *c = PyModule_GetState(module);
    Py_ssize_t n;
    const char *json = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &n) : NULL;
    PyObject *said = NULL, *made = NULL;
    if (!json) return PyErr_Occurred() ? NULL : core_refuse(c, "InvalidError", "a selection's JSON is a str");
    cJSON *document = core_json(c, json, (size_t)n);
    if (!document) return NULL;
    selecting s = {.catalogue = c->catalogue, .document = document};
    if (core_run(c, do_select, &s) && (is_kept_by_name(&s.request) || (said = print_request(&s.request))))
        made = core_selection_make(c, &s.selection, said, NULL);
    Py_XDECREF(said);
    sb_selection_free(&s.selection);
    free((void *)(uintptr_t)s.request.names);
    cJSON_Delete(document);
    return made;
}

/* Room for n episodes, in a selection with the catalogue of another one. */
static bool make_room(const core_selection *like, size_t n, sb_selection *selection) {
    *selection = (sb_selection){.catalogue = like->selection.catalogue};
    if (n > SB_SELECTION_MAX)
        return core_refuse(like->core, "InvalidError", "more than %d episodes", SB_SELECTION_MAX), false;
    selection->episodes = malloc((n + 1) * sizeof *selection->episodes);
    return selection->episodes || (PyErr_NoMemory(), false);
}

/* Selects n episodes of a selection: every step-th, from `first`. */
static PyObject *take_every(const core_selection *self, Py_ssize_t first, Py_ssize_t step, Py_ssize_t n) {
    sb_selection part;
    if (!make_room(self, (size_t)n, &part)) return NULL;
    for (; part.n < (size_t)n; first += step) part.episodes[part.n++] = self->selection.episodes[first];
    return core_selection_make(self->core, &part, NULL, NULL);
}

/* ---- A sequence ---- */

static Py_ssize_t length(PyObject *object) { return (Py_ssize_t)((core_selection *)object)->selection.n; }

PyObject *core_name(const sb_name *name) {
    char text[SB_NAME_MAX];
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)sb_name_print(name, text, sizeof text), NULL);
}

static PyObject *item(PyObject *object, Py_ssize_t index) {
    core_selection *self = (core_selection *)object;
    sb_name name;
    if (index < 0 || index >= length(object)) {
        PyErr_SetString(PyExc_IndexError, "the selection has fewer episodes");
        return NULL;
    }
    return core_name(sb_selection_name(&self->selection, (size_t)index, &name));
}

static PyObject *subscript(PyObject *object, PyObject *key) {
    Py_ssize_t first, end, step;
    if (PySlice_Check(key)) {
        if (PySlice_Unpack(key, &first, &end, &step) < 0) return NULL;
        const Py_ssize_t n = PySlice_AdjustIndices(length(object), &first, &end, step);
        return take_every((core_selection *)object, first, step, n);
    }
    const Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred()) return NULL;
    return item(object, index < 0 ? index + length(object) : index);
}

/* How many of the episodes have this name; the first of them is at *first. -1 with an exception. */
static Py_ssize_t count_of(core_selection *self, PyObject *value, Py_ssize_t *first) {
    const char *text = PyUnicode_Check(value) ? core_utf8(value) : NULL;
    sb_selection one = {.catalogue = self->selection.catalogue};
    sb_name name;
    sb_resolved of;
    sb_error ignored;
    size_t capacity = 0;
    Py_ssize_t n = 0;
    if (PyErr_Occurred()) return -1;
    if (text && sb_resolve_text(one.catalogue, text, &name, &of, &ignored) &&
        sb_selection_add(&one, &of, name.seed, &capacity, &ignored))
        for (size_t i = 0; i < self->selection.n; i++) {
            if (sb_compare_chosen(&one.episodes[0], &self->selection.episodes[i]) != 0) continue;
            if (n++ == 0) *first = (Py_ssize_t)i;
        }
    sb_selection_free(&one);
    return n;
}

static int contains(PyObject *object, PyObject *value) {
    Py_ssize_t first;
    const Py_ssize_t n = count_of((core_selection *)object, value, &first);
    return n < 0 ? -1 : n > 0;
}

static PyObject *count(PyObject *object, PyObject *value) {
    Py_ssize_t first;
    const Py_ssize_t n = count_of((core_selection *)object, value, &first);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *index_of(PyObject *object, PyObject *value) {
    Py_ssize_t first = 0;
    const Py_ssize_t n = count_of((core_selection *)object, value, &first);
    if (n == 0) PyErr_SetString(PyExc_ValueError, "no such episode is in the selection");
    return n <= 0 ? NULL : PyLong_FromSsize_t(first);
}

static PyObject *concatenate(PyObject *object, PyObject *other) {
    core_selection *self = (core_selection *)object;
    const core_selection *more = core_selection_of(self->core, other);
    sb_selection all;
    if (!more || !make_room(self, self->selection.n + more->selection.n, &all)) return NULL;
    for (size_t i = 0; i < self->selection.n; i++) all.episodes[all.n++] = self->selection.episodes[i];
    for (size_t i = 0; i < more->selection.n; i++) all.episodes[all.n++] = more->selection.episodes[i];
    return core_selection_make(self->core, &all, NULL, NULL);
}

static bool is_same(const sb_selection *a, const sb_selection *b) {
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) same = sb_compare_chosen(&a->episodes[i], &b->episodes[i]) == 0;
    return same;
}

static PyObject *compare(PyObject *object, PyObject *other, int how) {
    core_selection *self = (core_selection *)object;
    if (!core_is(self->core, CORE_TYPE_SELECTION, other) || (how != Py_EQ && how != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(is_same(&self->selection, &((core_selection *)other)->selection) == (how == Py_EQ));
}

static Py_hash_t hash(PyObject *object) {
    const sb_selection *all = &((core_selection *)object)->selection;
    uint64_t sum = 14695981039346656037u; /* FNV-1a over the seeds */
    for (size_t i = 0; i < all->n; i++) sum = (sum ^ all->episodes[i].seed) * 1099511628211u;
    return (Py_hash_t)(sum >> 2);
}

static PyObject *repr(PyObject *object) {
    const core_selection *self = (core_selection *)object;
    PyObject *said = self->request ? Py_NewRef(self->request) : PyUnicode_FromString(self->pack ? "of a pack" : "");
    PyObject *text = said ? PyUnicode_FromFormat("<seedbed.Selection of %zd episodes%s%U>", length(object),
                                                 PyUnicode_GetLength(said) ? ": " : "", said)
                          : NULL;
    Py_XDECREF(said);
    return text;
}

/* ---- Methods ---- */

static PyObject *shard(PyObject *object, PyObject *arguments) {
    Py_ssize_t i, n;
    if (!core_parse(arguments, "nn:shard", &i, &n)) return NULL;
    if (n < 1 || i < 0 || i >= n)
        return core_refuse(((core_selection *)object)->core, "InvalidError", "shard(i, n): i is one of 0..n-1");
    const Py_ssize_t all = length(object);
    return take_every((core_selection *)object, i, n, i < all ? (all - i - 1) / n + 1 : 0);
}

static PyObject *shuffle(PyObject *object, PyObject *number) {
    core_selection *self = (core_selection *)object;
    const size_t n = self->selection.n;
    sb_selection mixed;
    uint64_t seed;
    sb_rng rng;
    if (!core_seed(self->core, number, "seed", &seed) || !make_room(self, n, &mixed)) return NULL;
    int32_t *order = malloc((n + 1) * sizeof *order);
    if (!order) return sb_selection_free(&mixed), PyErr_NoMemory();
    sb_rng_seed(&rng, seed, NULL);
    sb_permutation(&rng, order, n);
    for (; mixed.n < n; mixed.n++) mixed.episodes[mixed.n] = self->selection.episodes[order[mixed.n]];
    free(order);
    return core_selection_make(self->core, &mixed, NULL, NULL);
}

/* The episodes at the indices of an iterable, in that order. */
static PyObject *take(PyObject *object, PyObject *indices) {
    core_selection *self = (core_selection *)object;
    PyObject *list = PySequence_List(indices);
    const Py_ssize_t n = list ? PyList_Size(list) : -1, all = length(object);
    sb_selection part;
    if (!list || !make_room(self, (size_t)n, &part)) return Py_XDECREF(list), NULL;
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++) {
        Py_ssize_t at = PyNumber_AsSsize_t(PyList_GetItem(list, i), PyExc_IndexError);
        if (at == -1 && PyErr_Occurred()) break;
        if (at < 0) at += all;
        if (at < 0 || at >= all)
            PyErr_SetString(PyExc_IndexError, "the selection has fewer episodes");
        else
            part.episodes[part.n++] = self->selection.episodes[at];
    }
    Py_DECREF(list);
    if (PyErr_Occurred()) return sb_selection_free(&part), NULL;
    return core_selection_make(self->core, &part, NULL, NULL);
}

PyObject *core_selection_request(const core_selection *self) {
    if (self->request) return Py_NewRef(self->request);
    sb_out out = sb_out_growing();
    sb_puts(&out, "{\"names\": [");
    for (size_t i = 0; i < self->selection.n; i++) {
        char text[SB_NAME_MAX];
        sb_name name;
        sb_name_print(sb_selection_name(&self->selection, i, &name), text, sizeof text);
        sb_put_comma(&out), sb_put_json_string(&out, text);
    }
    sb_puts(&out, "]}");
    return core_written(&out);
}

static PyObject *to_json(PyObject *object, PyObject *none) {
    (void)none;
    return core_selection_request((core_selection *)object);
}

/* Tells pickle how to make the selection again: by the request, the pack, or names. An empty selection cannot be asked
 * for: it is made as the beginning of another one. */
static PyObject *reduce(PyObject *object, PyObject *none) {
    core_selection *self = (core_selection *)object;
    (void)none;
    PyObject *glue = PyImport_ImportModule("seedbed.selection");
    PyObject *again = glue ? PyObject_GetAttrString(glue, "_again") : NULL;
    PyObject *text = !again || self->pack || !self->selection.n ? Py_NewRef(Py_None) : core_selection_request(self);
    Py_XDECREF(glue);
    if (!again || !text) return Py_XDECREF(again), Py_XDECREF(text), NULL;
    return Py_BuildValue("(N(NO))", again, text, self->pack ? self->pack : Py_None);
}

static PyObject *empty(PyObject *module, PyObject *none) {
    sb_selection nothing = {0};
    (void)none;
    return core_selection_make(PyModule_GetState(module), &nothing, NULL, NULL);
}

static PyObject *get_pack(PyObject *object, void *closure) {
    PyObject *pack = ((core_selection *)object)->pack;
    (void)closure;
    return Py_NewRef(pack ? pack : Py_None);
}

static PyObject *get_family(PyObject *object, void *closure) {
    const core_selection *self = (core_selection *)object;
    (void)closure;
    if (!self->selection.n) Py_RETURN_NONE;
    return PyUnicode_FromString(sb_selection_family(&self->selection, 0)->name);
}

typedef struct dropping {
    sb_selection *selection;
    size_t jobs;
} dropping;

static bool do_drop(void *context, const sb_stop *stop, sb_error *error) {
    const dropping *d = context;
    return sb_census_drop_evaluation(d->selection, d->jobs, stop, error);
}

/* The same selection, with what was asked for, if there is nothing to leave out. */
static PyObject *without_evaluation(PyObject *object, PyObject *none) {
    core_selection *self = (core_selection *)object;
    const size_t n = self->selection.n;
    sb_selection left;
    (void)none;
    if (!make_room(self, n, &left)) return NULL;
    for (; left.n < n; left.n++) left.episodes[left.n] = self->selection.episodes[left.n];
    PyObject *made = NULL;
    if (core_run(self->core, do_drop, &(dropping){.selection = &left}))
        made = left.n == n ? Py_NewRef(object) : core_selection_make(self->core, &left, NULL, NULL);
    sb_selection_free(&left);
    return made;
}

typedef struct finding {
    const sb_selection *selection;
    size_t jobs;
    bool *is_evaluation;
} finding;

static bool do_find(void *context, const sb_stop *stop, sb_error *error) {
    const finding *f = context;
    return sb_census_find_evaluation(f->selection, f->jobs, stop, f->is_evaluation, error);
}

/* The indices of the episodes to evaluate with, or that are the same game as one of those. */
static PyObject *evaluation_of(PyObject *object, PyObject *jobs) {
    core_selection *self = (core_selection *)object;
    const size_t n = self->selection.n;
    const Py_ssize_t workers = core_jobs(self->core, jobs);
    if (workers < 0) return NULL;
    finding f = {&self->selection, (size_t)workers, calloc(n + 1, sizeof(bool))};
    if (!f.is_evaluation) return PyErr_NoMemory();
    PyObject *found = core_run(self->core, do_find, &f) ? PyList_New(0) : NULL;
    for (size_t i = 0; found && i < n; i++)
        if (f.is_evaluation[i]) core_add(&found, PyLong_FromSize_t(i));
    free(f.is_evaluation);
    return found;
}

static PyMethodDef methods[] = {
    {"_evaluation", evaluation_of, METH_O, NULL},
    {"_without_evaluation", without_evaluation, METH_NOARGS, NULL},
    {"shard", shard, METH_VARARGS, "shard($self, i, n, /)\n--\n\nEvery n-th episode, from the i-th; i counts from 0."},
    {"shuffle", shuffle, METH_O, "shuffle($self, seed, /)\n--\n\nThe episodes in an order that the seed decides."},
    {"take", take, METH_O, "take($self, indices, /)\n--\n\nThe episodes at these indices, in that order."},
    {"index", index_of, METH_O, "index($self, name, /)\n--\n\nWhere the name is first. ValueError if it is not there."},
    {"count", count, METH_O, "count($self, name, /)\n--\n\nHow often the name is there."},
    {"to_json", to_json, METH_NOARGS, "to_json($self, /)\n--\n\nWhat was asked for, or all names: keys of a recipe."},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"pack", get_pack, NULL, "The Pack that it is the whole of, or None.", NULL},
    {"family", get_family, NULL, "The family of the first episode; None if there is none.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                              {Py_sq_length, length},
                              {Py_sq_item, item},
                              {Py_sq_contains, contains},
                              {Py_sq_concat, concatenate},
                              {Py_mp_length, length},
                              {Py_mp_subscript, subscript},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hash},
                              {Py_tp_repr, repr},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc, "Names of episodes: an immutable sequence of str."},
                              {0, NULL}};

PyType_Spec core_selection_spec = {.name = "seedbed._seedbed.Selection",
                                   .basicsize = sizeof(core_selection),
                                   .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                   .slots = slots};

PyMethodDef core_select_functions[] = {
    {"_select", select_json, METH_O, "The selection that a request, a JSON object, asks for."},
    {"_select_nothing", empty, METH_NOARGS, "An empty selection."},
    {NULL, NULL, 0, NULL}};
