/* Plan: a recipe worked out. RowStream: the rows that a build of it would write, while workers make them. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/output.h"
#include "datasets/budget.h"
#include "datasets/bundle.h"
#include "datasets/census.h"
#include "datasets/choosing.h"
#include "exporters/arrays.h"
#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/stream.h"
#include "rollout/recorded.h"

typedef struct core_plan {
    PyObject_HEAD core *core;
    sb_recipe recipe;
    sb_schedule schedule;
    atomic_bool in_use; /* a thread takes the census */
} core_plan;

/* ---- Recipes ---- */

/* Reads a recipe, with the files that it names. The recipe is freed by the caller, also after a failure. */
static bool read_recipe(core *c, const char *json, size_t n, sb_recipe *recipe) {
    sb_error error;
    *recipe = (sb_recipe){0};
    cJSON *document = core_json(c, json, n);
    if (!document) return false;
    return (sb_recipe_read(c->catalogue, document, recipe, &error) && sb_recipe_embed_all(recipe, &error)) ||
           (core_raise(c, &error), false);
}

static PyObject *print_recipe(const sb_recipe *recipe) {
    sb_out out = sb_out_growing();
    sb_recipe_print_whole(recipe, &out);
    return core_written(&out);
}

static PyObject *load_recipe(PyObject *module, PyObject *path) {
    PyObject *bytes;
    sb_recipe recipe;
    sb_error error;
    if (!core_path(path, &bytes)) return NULL;
    const bool ok = sb_recipe_load(((core *)PyModule_GetState(module))->catalogue, PyBytes_AsString(bytes), &recipe,
                                   &error);
    PyObject *text = ok ? print_recipe(&recipe) : core_raise(PyModule_GetState(module), &error);
    sb_recipe_free(&recipe);
    Py_DECREF(bytes);
    return text;
}

static PyObject *recipe_keys(PyObject *module, PyObject *none) {
    PyObject *keys = PyList_New(0);
    (void)module, (void)none;
    for (const char *const *key = sb_recipe_keys; keys && *key; key++) core_add(&keys, PyUnicode_FromString(*key));
    return keys;
}

/* ---- Plan ---- */

/* The texts of a sequence of str; NULL with an exception. The caller frees the list. */
static const char **texts_of(core *c, PyObject *list, size_t *n) {
    *n = (size_t)PyList_Size(list);
    const char **texts = calloc(*n + 1, sizeof *texts);
    if (!texts) return PyErr_NoMemory(), NULL;
    for (size_t i = 0; i < *n; i++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
        texts[i] = PyUnicode_Check(item) ? core_utf8(item) : NULL;
        if (texts[i]) continue;
        if (!PyErr_Occurred()) core_refuse(c, "InvalidError", "paths of tapes are str");
        return free(texts), NULL;
    }
    return texts;
}

/* Finds how many episodes the recipe's budgets take, in this thread alone. */
static bool do_settle(void *context, const sb_stop *stop, sb_error *error) {
    sb_recipe *recipe = context;
    const bool ok = (sb_recipe_is_settled(recipe) || sb_recipe_open_tokenizer(recipe, error)) &&
                    sb_budget_settle(recipe, 1, stop, error);
    sb_tokenizer_close(recipe->tokenizer);
    recipe->tokenizer = NULL;
    return ok;
}

/* Reads how many episodes each section selects, as a dataset's manifest says. */
static bool read_cuts(core *c, PyObject *list, sb_recipe *recipe) {
    const Py_ssize_t n = list ? PyList_Size(list) : 0;
    if (n > SB_SECTIONS_MAX) return core_refuse(c, "InvalidError", "too many sections"), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        recipe->cuts[i] = PyLong_AsUnsignedLongLong(PyList_GetItem(list, i));
        if (PyErr_Occurred()) return false;
    }
    return true;
}

static bool make_plan(core_plan *self, const char *json, size_t n, PyObject *tapes, const char *python,
                      PyObject *cuts) {
    size_t n_tapes;
    sb_error error;
    bool ok;
    if (!read_recipe(self->core, json, n, &self->recipe)) return false;
    if (!sb_recipe_settle(&self->recipe, &error)) return core_raise(self->core, &error), false;
    self->recipe.tokenizer_source = (sb_tokenizer_source){.python = python, .now = cli_now};
    if (!read_cuts(self->core, cuts, &self->recipe)) return false;
    if (sb_recipe_has_budget(&self->recipe) && !core_run(self->core, do_settle, &self->recipe)) return false;
    self->recipe.tokenizer_source.python = NULL; /* the text of `python` belongs to the caller */
    const char **paths = texts_of(self->core, tapes, &n_tapes);
    if (!paths) return false;
    Py_BEGIN_ALLOW_THREADS;
    if (!n_tapes) sb_recipe_settle_unreadable(&self->recipe, NULL, 0); /* the recipe of a dataset is settled */
    ok = sb_schedule_make(&self->recipe, paths, n_tapes, &self->schedule, &error);
    Py_END_ALLOW_THREADS;
    free(paths);
    return ok || (core_raise(self->core, &error), false);
}

/* Plan(recipe, tapes, python, cuts): with recorded tapes they are in these files, or else in the one that the recipe
 * names. A budget of tokens is counted by the program `python`. `cuts`: how many episodes each section selects, if that
 * is known. */
static PyObject *new_plan(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    const char *json, *python = NULL;
    Py_ssize_t n;
    PyObject *tapes, *cuts = NULL;
    (void)keywords;
    core *c = core_of_type(type);
    if (!c || !core_parse(positional, "s#O!|zO!:Plan", &json, &n, &PyList_Type, &tapes, &python, &PyList_Type, &cuts))
        return NULL;
    core_plan *self = core_new(type);
    if (!self) return NULL;
    if (make_plan(self, json, (size_t)n, tapes, python, cuts)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void dealloc_plan(PyObject *object) {
    core_plan *self = (core_plan *)object;
    sb_schedule_free(&self->schedule);
    sb_recipe_free(&self->recipe);
    core_delete(object);
}

typedef struct census {
    sb_schedule *schedule;
    size_t jobs;
} census;

static bool do_census(void *context, const sb_stop *stop, sb_error *error) {
    const census *c = context;
    c->schedule->stop = stop;
    const bool ok = sb_census_take(c->schedule, c->jobs, error) &&
                    sb_row_choice_make(c->schedule, (sb_tapes_from){.one = c->schedule->cast.recorded}, c->jobs, error);
    c->schedule->stop = NULL;
    if (!ok) free(c->schedule->fates), c->schedule->fates = NULL;
    return ok;
}

/* Takes the census if that is still to be done. */
static bool take_census(core_plan *self, size_t jobs) {
    census c = {.schedule = &self->schedule, .jobs = jobs};
    if (!core_take(&self->in_use, "these rows are")) return false;
    const bool ok = self->schedule.fates || core_run(self->core, do_census, &c);
    core_give_back(&self->in_use);
    return ok;
}

/* The tuple (evaluation, duplicates, across): how many of the episodes of a range are left out, each for one of these.
 */
static PyObject *left_out(PyObject *object, PyObject *arguments) {
    core_plan *self = (core_plan *)object;
    Py_ssize_t first, end, step, n[3] = {0};
    PyObject *jobs;
    if (!core_parse(arguments, "nnnO", &first, &end, &step, &jobs)) return NULL;
    const Py_ssize_t workers = core_jobs(self->core, jobs);
    if (workers < 0 || !take_census(self, (size_t)workers)) return NULL;
    const Py_ssize_t all = (Py_ssize_t)self->schedule.selection.n, last = end < all ? end : all;
    for (Py_ssize_t i = first; i >= 0 && step > 0 && i < last; i = step < last - i ? i + step : last) {
        if (!sb_schedule_leaves_out(&self->schedule, (size_t)i)) continue;
        const unsigned fate = self->schedule.fates[i];
        const bool guards = !self->recipe.keep_evaluation;
        const bool across = (fate & SB_IS_ELSEWHERE) || (guards && (fate & SB_IS_ACROSS));
        n[guards && (fate & SB_IS_EVALUATION) ? 0 : across ? 2 : 1]++;
    }
    return Py_BuildValue("(nnn)", n[0], n[1], n[2]);
}

static PyObject *get_episodes(PyObject *object, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(((core_plan *)object)->schedule.selection.n);
}

static PyObject *get_recipe(PyObject *object, void *closure) {
    (void)closure;
    return print_recipe(&((core_plan *)object)->recipe);
}

/* The type of a column's values. Seeds are below 2^63, in older datasets below 2^64. */
static const char *type_of(const sb_export *export, const sb_column *column) {
    static const char *const types[SB_COLUMN_TYPES] = {[SB_COLUMN_TEXT] = "string",
                                                       [SB_COLUMN_INTEGER] = "int64",
                                                       [SB_COLUMN_NUMBER] = "float64",
                                                       [SB_COLUMN_BOOLEAN] = "bool",
                                                       [SB_COLUMN_MESSAGE] = "message"};
    return export->nulls && strcmp(column->name, "seed") == 0 ? "uint64" : types[column->type];
}

/* (name, type, is_list, what) of each column; None where rows have none. */
static PyObject *columns_of(const sb_export *export) {
    sb_columns columns = {0};
    if (!export->exporter->columns || export->exporter->begin) Py_RETURN_NONE;
    export->exporter->columns(export, &columns);
    PyObject *all = PyTuple_New((Py_ssize_t)columns.n);
    for (size_t i = 0; all && i < columns.n; i++) {
        const sb_column *column = &columns.of[i];
        core_set(&all, i,
                 Py_BuildValue("(ssNz)", column->name, type_of(export, column), PyBool_FromLong(column->is_list),
                               column->what));
    }
    return all;
}

/* (name, format, suffix, columns) of each format. */
static PyObject *get_formats(PyObject *object, void *closure) {
    const sb_schedule *schedule = &((core_plan *)object)->schedule;
    PyObject *all = PyTuple_New((Py_ssize_t)schedule->n_exports);
    (void)closure;
    for (size_t k = 0; all && k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        core_set(&all, k,
                 Py_BuildValue("(sssN)", export->name, export->exporter->name, export->exporter->suffix,
                               columns_of(export)));
    }
    return all;
}

static PyMethodDef plan_methods[] = {
    {"left_out", left_out, METH_VARARGS, "Why how many of the episodes of a range have no rows."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef plan_attributes[] = {{"episodes", get_episodes, NULL, NULL, NULL},
                                        {"recipe", get_recipe, NULL, NULL, NULL},
                                        {"formats", get_formats, NULL, NULL, NULL},
                                        {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, new_plan},           {Py_tp_dealloc, dealloc_plan},       {Py_tp_methods, plan_methods},
    {Py_tp_getset, plan_attributes}, {Py_tp_doc, "A recipe worked out."}, {0, NULL}};

PyType_Spec core_plan_spec = {
    .name = "seedbed._seedbed.Plan", .basicsize = sizeof(core_plan), .flags = Py_TPFLAGS_DEFAULT, .slots = plan_slots};

/* ---- RowStream ---- */

typedef struct row_stream {
    PyObject_HEAD core *core;
    core_plan *plan;
    atomic_bool in_use;
    core_stream stream;
    sb_order order;
    /* The plan's episodes to give rows of: as a range of Python's, which may end beyond them. */
    size_t first, end, step;
    /* The next members are for recorded tapes, which are read in order. */
    sb_recorded recorded;
    bool reads;
    size_t next_line;
    /* The next members say which row is handed out next. */
    bool has_begun;
    /* The present episode; how many of its rows were given; how many rows of the first episode are passed over. */
    size_t episode, row, skip;
    size_t n_rows, at; /* how many rows the present episode has; where in the text the next row is */
    sb_out text;
} row_stream;

static size_t episode_of(const row_stream *s, size_t index) { return s->first + index * s->step; }

/* The tape of the episode, which is the line of that number. */
static bool read_line(row_stream *s, size_t episode, sb_bundle *bundle, sb_error *error) {
    for (; s->next_line <= episode; s->next_line++) {
        if (sb_recorded_next(&s->recorded, error)) continue;
        if (error->code == SB_OK) sb_fail(error, SB_MISMATCH, "%s holds too few tapes", s->recorded.path);
        return false;
    }
    sb_bundle_add_line(bundle, s->recorded.line);
    return sb_bundle_end(bundle, error);
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    row_stream *s = context;
    sb_bundle *bundle = slot;
    sb_bundle_begin(bundle);
    bundle->episodes[bundle->n++] = episode_of(s, index);
    return !s->reads || read_line(s, episode_of(s, index), bundle, error);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)index;
    return sb_bundle_make(&((row_stream *)context)->order, scratch, slot, error);
}

static bool begin(row_stream *s, size_t jobs) {
    core *c = s->core;
    const sb_schedule *schedule = &s->plan->schedule;
    const size_t end = s->end < schedule->selection.n ? s->end : schedule->selection.n;
    const size_t n = s->first < end ? (end - s->first - 1) / s->step + 1 : 0;
    const sb_pool pool = {.workers = jobs,
                          .context = s,
                          .give = give,
                          .work = work,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    sb_error error;
    if (!take_census(s->plan, jobs)) return false;
    s->reads = schedule->cast.recorded != NULL;
    s->order = (sb_order){.schedule = schedule, .reads = s->reads, .rows_only = true};
    if (s->reads && !sb_recorded_open(&s->recorded, schedule->selection.catalogue, schedule->cast.recorded, &error))
        return core_raise(c, &error), false;
    return core_stream_begin(c, &s->stream, &pool, n);
}

/* Whether rows are arrays of an episode. Otherwise they have to be JSON, one a line; other rows exist only as files. */
static bool is_archive(const sb_export *export) { return strcmp(export->exporter->name, "npz") == 0; }

static bool check_format(const core_plan *plan) {
    const sb_schedule *schedule = &plan->schedule;
    const sb_exporter *exporter = schedule->exports[0].exporter;
    if (schedule->n_exports != 1) return core_refuse(plan->core, "InvalidError", "rows are of one format"), false;
    if (is_archive(&schedule->exports[0]) || (!exporter->begin && exporter->columns)) return true;
    return core_refuse(plan->core, "InvalidError", "format %s is a file and has no rows: build it", exporter->name),
           false;
}

/* RowStream(plan, first, end, step, skip, jobs) */
static PyObject *new_rows(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    PyObject *plan, *jobs;
    Py_ssize_t first, end, step, skip;
    (void)keywords;
    core *c = core_of_type(type);
    if (!c ||
        !core_parse(positional, "O!nnnnO:RowStream", c->type[CORE_TYPE_PLAN], &plan, &first, &end, &step, &skip, &jobs))
        return NULL;
    const Py_ssize_t workers = core_jobs(c, jobs), all = (Py_ssize_t)((core_plan *)plan)->schedule.selection.n;
    if (workers < 0 || !check_format((core_plan *)plan)) return NULL;
    if (first < 0 || step < 1 || skip < 0 || end < 0)
        return core_refuse(c, "InvalidError", "episodes are numbered from 0 to %zd", all - 1);
    row_stream *self = core_new(type);
    if (!self) return NULL;
    self->plan = (core_plan *)Py_NewRef(plan);
    self->first = (size_t)first, self->end = end > first ? (size_t)end : (size_t)first, self->step = (size_t)step;
    self->episode = self->first, self->row = self->skip = (size_t)skip;
    self->text = sb_out_growing();
    if (begin(self, (size_t)workers)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void dealloc_rows(PyObject *object) {
    row_stream *self = (row_stream *)object;
    core_stream_end(&self->stream);
    if (self->reads) sb_recorded_close(&self->recorded);
    sb_out_free(&self->text);
    Py_XDECREF((PyObject *)self->plan);
    core_delete(object);
}

/* ---- Arrays of an episode ---- */

/* An array of a field's items. Texts are of bytes: `S12`. */
static PyObject *array_of(core *c, const sb_field *field, size_t n_rows, const char *bytes) {
    const bool is_text = field->type == SB_CHAR;
    char type[24];
    snprintf(type, sizeof type, "S%d", (int)field->shape[0]);
    PyObject *shape = core_shape(field->by_step ? &n_rows : NULL, is_text ? 0 : field->rank, field->shape);
    PyObject *arguments = core_array_arguments(c, shape, is_text ? type : core_scalar_name(field->type));
    return core_array_of(c, arguments, bytes, sb_field_size(field, n_rows));
}

static PyObject *arrays_of(row_stream *s) {
    const sb_fields *fields = s->plan->schedule.exports[0].own;
    PyObject *all = PyDict_New();
    const char *bytes = s->text.data;
    for (size_t i = 0; all && i < fields->n; i++) {
        const sb_field *field = &fields->of[i];
        core_put_text(s->core, &all, field->name, array_of(s->core, field, s->n_rows, bytes));
        bytes += sb_field_size(field, s->n_rows);
    }
    s->at = s->text.size;
    return all;
}

/* ---- Handing out ---- */

static bool has_rows(const row_stream *s) { return s->at < s->text.size; }

static void pass_over(row_stream *s, size_t n) {
    for (; n > 0 && has_rows(s); n--) {
        const char *end = memchr(s->text.data + s->at, '\n', s->text.size - s->at);
        s->at = end ? (size_t)(end - s->text.data) + 1 : s->text.size;
    }
}

/* Goes to the next episode that has rows. False at the end, or with an exception. */
static bool next_episode(row_stream *s) {
    const bool archive = is_archive(&s->plan->schedule.exports[0]);
    while (!has_rows(s)) {
        const size_t next = s->has_begun ? s->episode + s->step : s->first;
        sb_bundle *bundle = core_stream_next(s->core, &s->stream);
        if (!bundle) {
            if (!PyErr_Occurred()) s->episode = s->end, s->row = 0;
            return false;
        }
        const sb_out used = s->text;
        s->text = bundle->formats[0].bytes, bundle->formats[0].bytes = used;
        s->n_rows = bundle->n_kept ? (size_t)bundle->rows[0][0] : 0, s->at = 0;
        s->episode = next, s->row = s->skip, s->has_begun = true;
        if (archive && s->skip) s->at = s->text.size;
        pass_over(s, archive ? 0 : s->skip);
        s->skip = 0;
    }
    return true;
}

static PyObject *row_of(row_stream *s) {
    if (!next_episode(s)) return NULL;
    s->row++;
    if (is_archive(&s->plan->schedule.exports[0])) return arrays_of(s);
    const char *line = s->text.data + s->at;
    pass_over(s, 1);
    return core_document(s->core, line, (size_t)(s->text.data + s->at - line));
}

static PyObject *next_row(PyObject *object) {
    row_stream *self = (row_stream *)object;
    if (!core_take(&self->in_use, "this iterator is")) return NULL;
    PyObject *row = row_of(self);
    core_give_back(&self->in_use);
    return row;
}

static PyObject *itself(PyObject *object) { return Py_NewRef(object); }

/* The tuple (episode, row) that says where the next row is. */
static PyObject *get_place(PyObject *object, void *closure) {
    const row_stream *s = (row_stream *)object;
    (void)closure;
    return Py_BuildValue("(nn)", (Py_ssize_t)s->episode, (Py_ssize_t)s->row);
}

static PyGetSetDef rows_attributes[] = {{"place", get_place, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot rows_slots[] = {{Py_tp_new, new_rows},
                                   {Py_tp_dealloc, dealloc_rows},
                                   {Py_tp_iter, itself},
                                   {Py_tp_iternext, next_row},
                                   {Py_tp_getset, rows_attributes},
                                   {Py_tp_doc, "Rows, while workers make them."},
                                   {0, NULL}};

PyType_Spec core_rows_spec = {.name = "seedbed._seedbed.RowStream",
                              .basicsize = sizeof(row_stream),
                              .flags = Py_TPFLAGS_DEFAULT,
                              .slots = rows_slots};

PyMethodDef core_rows_functions[] = {
    {"_load_recipe", load_recipe, METH_O, "The recipe in a file, and in the files that it names, as one JSON object."},
    {"_recipe_keys", recipe_keys, METH_NOARGS, "The keys of a recipe."},
    {NULL, NULL, 0, NULL}};
