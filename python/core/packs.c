/* Pack: lists of seeds that others can check. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/programs.h"
#include "engine/lookup.h"
#include "evaluation/atlas/packs.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/certificates/choose.h"
#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/stream.h"
#include "rollout/packs.h"

const core_pack *core_pack_of(core *c, PyObject *object) {
    if (core_is(c, CORE_TYPE_PACK, object)) return (core_pack *)object;
    return core_refuse(c, "InvalidError", "a Pack is wanted: seedbed.load_pack(path) makes one"), NULL;
}

PyObject *core_pack_make(core *c, sb_pack *pack) {
    core_pack *self = core_new(c->type[CORE_TYPE_PACK]);
    if (!self) return sb_pack_clear(pack), NULL;
    self->pack = *pack;
    *pack = (sb_pack){0};
    return (PyObject *)self;
}

static void dealloc(PyObject *object) {
    sb_pack_clear(&((core_pack *)object)->pack);
    core_delete(object);
}

/* ---- Deriving and reading ---- */

static PyObject *finish(core *c, bool ok, sb_pack *pack, const sb_error *error) {
    if (ok) return core_pack_make(c, pack);
    sb_pack_clear(pack);
    return core_raise(c, error);
}

typedef struct deriving {
    const cJSON *document;
    const sb_catalogue *catalogue;
    size_t jobs;
    bool digests;
    sb_pack_choice choice; /* which seeds the lists have */
    sb_pack pack;
} deriving;

/* Makes the lists, of the first seeds, or of the first whose episodes are as they should be. */
static bool make_lists(deriving *d, const sb_request *request, const sb_stop *stop, sb_error *error) {
    d->choice.request = request, d->choice.jobs = d->jobs, d->choice.stop = stop;
    if (sb_request_demands(request) && (d->choice.solvable || d->choice.unique))
        return sb_fail(error, SB_INVALID, "give either where and spread, or solvable and unique");
    if (sb_request_demands(request)) return sb_pack_choose_demanded(&d->pack, request, error);
    return d->choice.solvable || d->choice.unique ? sb_pack_choose(&d->pack, &d->choice, error)
                                                  : sb_pack_select(&d->pack, request, error);
}

static bool do_derive(void *context, const sb_stop *stop, sb_error *error) {
    deriving *d = context;
    sb_request request = {0};
    const sb_digesting how = {.catalogue = d->catalogue, .jobs = d->jobs, .stop = stop};
    const bool ok = sb_request_read(d->catalogue, d->document, &request, error) && (request.stop = stop, true) &&
                    make_lists(d, &request, stop, error) &&
                    (!d->digests || sb_pack_make_digests(&d->pack, &how, error));
    free((void *)(uintptr_t)request.names);
    return ok;
}

static PyObject *derive(PyObject *module, PyObject *arguments) {
    core *c = PyModule_GetState(module);
    const char *json;
    Py_ssize_t n;
    int digests, solvable = 0, unique = 0;
    unsigned long long budget = SB_CERTIFY_BUDGET;
    PyObject *jobs;
    if (!core_parse(arguments, "s#O&O|O&O&K", &json, &n, core_flag, &digests, &jobs, core_flag, &solvable, core_flag,
                    &unique, &budget))
        return NULL;
    if (budget < 1 || budget > SB_CERTIFY_BUDGET_MAX)
        return core_refuse(c, "InvalidError", "budget is from 1 to %llu", (unsigned long long)SB_CERTIFY_BUDGET_MAX);
    const Py_ssize_t workers = core_jobs(c, jobs);
    cJSON *document = workers < 0 ? NULL : core_json(c, json, (size_t)n);
    if (!document) return NULL;
    deriving d = {.document = document,
                  .catalogue = c->catalogue,
                  .jobs = (size_t)workers,
                  .digests = digests,
                  .choice = {.solvable = solvable, .unique = unique, .budget = budget}};
    const bool ok = core_run(c, do_derive, &d);
    cJSON_Delete(document);
    if (ok) return core_pack_make(c, &d.pack);
    sb_pack_clear(&d.pack);
    return NULL;
}

static PyObject *load(PyObject *module, PyObject *path) {
    PyObject *bytes;
    sb_pack pack = {0};
    sb_error error;
    bool ok;
    if (!core_path(path, &bytes)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_pack_read_file(&pack, PyBytes_AsString(bytes), &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(bytes);
    return finish(PyModule_GetState(module), ok, &pack, &error);
}

static PyObject *parse(PyObject *module, PyObject *text) {
    core *c = PyModule_GetState(module);
    Py_ssize_t n;
    const char *json = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &n) : NULL;
    sb_pack pack = {0};
    sb_error error;
    if (!json) return PyErr_Occurred() ? NULL : core_refuse(c, "InvalidError", "a pack's document is a str");
    const bool ok = sb_pack_read_text(&pack, json, (size_t)n, &error);
    return finish(c, ok, &pack, &error);
}

/* ---- What it says ---- */

enum { FAMILY, BASE, HASH, RULES };

static PyObject *get_text(PyObject *object, void *closure) {
    const sb_pack *pack = &((core_pack *)object)->pack;
    switch ((int)(intptr_t)closure) {
    case FAMILY: return PyUnicode_FromString(pack->family);
    case BASE: return PyUnicode_FromString(pack->base);
    case HASH: return PyUnicode_FromString(pack->hash);
    default: break;
    }
    if (!*pack->rules) Py_RETURN_NONE;
    return PyUnicode_FromString(pack->rules);
}

static PyObject *seeds_of(const sb_seed_list *list) {
    PyObject *seeds = PyTuple_New((Py_ssize_t)list->n);
    for (size_t i = 0; seeds && i < list->n; i++) core_set(&seeds, i, PyLong_FromUnsignedLongLong(list->seeds[i]));
    return seeds;
}

/* The lists of a pack as a new dict, so that nobody changes the pack by it. */
static PyObject *get_lists(PyObject *object, void *closure) {
    const sb_pack *pack = &((core_pack *)object)->pack;
    PyObject *lists = PyDict_New();
    (void)closure;
    for (size_t i = 0; lists && i < pack->n_lists; i++) {
        PyObject *key = Py_BuildValue("(ss)", pack->lists[i].task, pack->lists[i].difficulty);
        core_put(&lists, key, key ? seeds_of(&pack->lists[i]) : NULL);
        Py_XDECREF(key);
    }
    return lists;
}

static PyObject *to_json(PyObject *object, PyObject *none) {
    sb_out out = sb_out_growing();
    (void)none;
    sb_pack_put(&((core_pack *)object)->pack, &out);
    return core_written(&out);
}

static Py_ssize_t length(PyObject *object) { return (Py_ssize_t)((core_pack *)object)->pack.n_seeds; }

static PyObject *repr(PyObject *object) {
    const sb_pack *pack = &((core_pack *)object)->pack;
    return PyUnicode_FromFormat("<seedbed.Pack %s %s: %zu seeds in %zu lists>", pack->family, pack->base, pack->n_seeds,
                                pack->n_lists);
}

/* ---- Comparing ---- */

static PyObject *compare(PyObject *object, PyObject *other, int how) {
    core_pack *self = (core_pack *)object;
    sb_out differences = sb_out_growing();
    if (!core_is(self->core, CORE_TYPE_PACK, other) || (how != Py_EQ && how != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    const bool same = sb_pack_compare(&self->pack, &((core_pack *)other)->pack, &differences);
    sb_out_free(&differences);
    return PyBool_FromLong(same == (how == Py_EQ));
}

/* The hash of a pack: that of what equal packs share. */
static Py_hash_t hash(PyObject *object) {
    const sb_pack *pack = &((core_pack *)object)->pack;
    PyObject *facts = Py_BuildValue("(ssn)", pack->family, pack->base, (Py_ssize_t)pack->n_seeds);
    const Py_hash_t made = facts ? PyObject_Hash(facts) : -1;
    Py_XDECREF(facts);
    return made;
}

static PyObject *diff(PyObject *object, PyObject *other) {
    core_pack *self = (core_pack *)object;
    const core_pack *theirs = core_pack_of(self->core, other);
    sb_out out = sb_out_growing();
    if (!theirs) return NULL;
    sb_pack_compare(&self->pack, &theirs->pack, &out);
    PyObject *text = core_written(&out), *lines = text ? PyUnicode_Splitlines(text, 0) : NULL;
    Py_XDECREF(text);
    return lines;
}

typedef struct verifying {
    const sb_pack *pack;
    const sb_catalogue *catalogue;
    size_t jobs;
} verifying;

static bool do_verify(void *context, const sb_stop *stop, sb_error *error) {
    const verifying *v = context;
    const sb_digesting how = {.catalogue = v->catalogue, .jobs = v->jobs, .stop = stop};
    const sb_pack_measuring measuring = {.catalogue = v->catalogue, .jobs = v->jobs, .stop = stop};
    return sb_pack_verify(v->pack, error) && (!*v->pack->rules || sb_pack_check_digests(v->pack, &how, error)) &&
           (!sb_pack_demands(v->pack) || sb_pack_check_demand(v->pack, &measuring, error));
}

static PyObject *verify(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"jobs", NULL};
    core_pack *self = (core_pack *)object;
    PyObject *jobs = NULL;
    if (!core_parse_keywords(positional, keywords, "|$O:verify", names, &jobs)) return NULL;
    const Py_ssize_t workers = jobs ? core_jobs(self->core, jobs) : 0;
    verifying v = {.pack = &self->pack, .catalogue = self->core->catalogue, .jobs = (size_t)workers};
    if (workers < 0 || !core_run(self->core, do_verify, &v)) return NULL;
    Py_RETURN_NONE;
}

/* ---- The rest ---- */

static PyObject *selection(PyObject *object, PyObject *none) {
    core_pack *self = (core_pack *)object;
    sb_selection made = {0};
    sb_error error;
    (void)none;
    if (sb_select_pack(self->core->catalogue, &self->pack, &made, &error))
        return core_selection_make(self->core, &made, NULL, object);
    sb_selection_free(&made);
    return core_raise(self->core, &error);
}

static PyObject *save(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"path", "published", NULL};
    core_pack *self = (core_pack *)object;
    PyObject *path;
    int published = 0;
    sb_file file = {0};
    sb_error error;
    bool ok;
    if (!core_parse_keywords(positional, keywords, "O&|O&:save", names, core_path, &path, core_flag, &published))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_file_create(&file, PyBytes_AsString(path), &error) &&
         (published ? sb_pack_write_published : sb_pack_write)(&self->pack, &file, &error);
    sb_file_discard(&file);
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    if (!ok) return core_raise(self->core, &error);
    Py_RETURN_NONE;
}

static PyObject *reduce(PyObject *object, PyObject *none) {
    PyObject *glue = PyImport_ImportModule("seedbed._seedbed");
    PyObject *again = glue ? PyObject_GetAttrString(glue, "_parse_pack") : NULL;
    PyObject *text = again ? to_json(object, none) : NULL;
    Py_XDECREF(glue);
    if (!text) return Py_XDECREF(again), NULL;
    return Py_BuildValue("(N(N))", again, text);
}

/* Goes through the names of the pack's episodes. */
static PyObject *iterate(PyObject *object) {
    PyObject *episodes = selection(object, NULL);
    PyObject *names = episodes ? PyObject_GetIter(episodes) : NULL;
    Py_XDECREF(episodes);
    return names;
}

static PyMethodDef methods[] = {
    {"selection", selection, METH_NOARGS, "selection($self, /)\n--\n\nIts episodes, list by list."},
    {"verify", CORE_KEYWORDS(verify),
     "verify($self, *, jobs=0)\n--\n\nChecks hashes, official lists and digests. MismatchError names the first "
     "difference."},
    {"diff", diff, METH_O, "diff($self, other, /)\n--\n\nA line for everything in which two packs differ."},
    {"save", CORE_KEYWORDS(save),
     "save($self, path, published=False)\n--\n\nWrites the document; compressed if the path ends in .gz."},
    {"to_json", to_json, METH_NOARGS, "to_json($self, /)\n--\n\nThe document."},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

#define TEXT(name, which, what)                                                                                        \
    { name, get_text, NULL, what, (void *)(intptr_t)(which) }

static PyGetSetDef attributes[] = {
    TEXT("family", FAMILY, NULL),
    TEXT("base", BASE, "What the seeds are derived from."),
    TEXT("hash", HASH, "SHA-256 over the lists, as the document says."),
    TEXT("rules", RULES, "Under which rules its digests were made; None if it has none."),
    {"lists", get_lists, NULL, "By (task, difficulty): a tuple of seeds.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                              {Py_sq_length, length},
                              {Py_tp_iter, iterate},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hash},
                              {Py_tp_repr, repr},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc, "Lists of seeds, one for each task and difficulty, that others can check."},
                              {0, NULL}};

PyType_Spec core_pack_spec = {.name = "seedbed._seedbed.Pack",
                              .basicsize = sizeof(core_pack),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              .slots = slots};

/* ---- Packs of challenges ---- */

static PyObject *is_challenges(PyObject *module, PyObject *path) {
    PyObject *bytes;
    (void)module;
    if (!core_path(path, &bytes)) return NULL;
    const bool is_pack = cli_is_challenges(PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    return PyBool_FromLong(is_pack);
}

static bool read_challenges(const sb_catalogue *programs, const char *path, sb_out *names, sb_error *error) {
    if (sb_file_exists(path) && !cli_is_challenges(path))
        return sb_fail(error, SB_INVALID, "%s is no pack of challenges: `seedbed challenges` makes one",
                       sb_path_end(path));
    sb_catalogue *catalogue = sb_catalogue_make(error);
    const bool ok = catalogue && core_bring_programs(programs, catalogue, error) &&
                    cli_catalogue_add_pack(catalogue, path, names, error);
    sb_catalogue_free(catalogue);
    return ok;
}

static PyObject *challenge_names(PyObject *module, PyObject *path) {
    PyObject *bytes, *lines = NULL;
    const sb_catalogue *programs = ((core *)PyModule_GetState(module))->catalogue;
    sb_out names = sb_out_growing();
    sb_error error;
    bool ok;
    if (!core_path(path, &bytes)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    ok = read_challenges(programs, PyBytes_AsString(bytes), &names, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(bytes);
    PyObject *text = ok ? PyUnicode_FromString(names.data) : NULL;
    sb_out_free(&names);
    if (text) lines = PyUnicode_Splitlines(text, 0);
    Py_XDECREF(text);
    return ok ? lines : core_raise(PyModule_GetState(module), &error);
}

PyMethodDef core_pack_functions[] = {
    {"_is_challenges", is_challenges, METH_O, "Whether a file is a pack of challenges."},
    {"_challenge_names", challenge_names, METH_O, "Names of the challenges in a pack."},
    {"_derive_pack", derive, METH_VARARGS, "The pack of a request, a JSON object; with digests; by so many workers."},
    {"_load_pack", load, METH_O, "The pack in a file."},
    {"_parse_pack", parse, METH_O, "The pack of a document."},
    {NULL, NULL, 0, NULL}};
