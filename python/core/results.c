/* Functions on the documents of evaluations: reading, saving, tables, pages, and normalised returns. */
#include "base/error.h"
#include "base/file.h"
#include "cli/score_tables.h"
#include "engine/lookup.h"
#include "evaluation/merge.h"
#include "evaluation/published.h"
#include "evaluation/report_print.h"
#include "evaluation/scorecards.h"
#include "python/core/objects.h"

static core *core_of(PyObject *module) { return PyModule_GetState(module); }

/* What a function makes of a document, as text; the function runs without the GIL. */
typedef struct making {
    const char *text, *baseline;
    const sb_catalogue *catalogue;
    Py_ssize_t n;
    sb_out out;
} making;

typedef bool printing(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error);

static bool print_families(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    sb_puts(out, "{");
    if (!sb_result_print_families(results, baseline, out, error)) return false;
    sb_puts(out, "}");
    return true;
}

static bool make_text(making *m, printing *print, sb_error *error) {
    sb_results results = {0};
    sb_baseline baseline = {0};
    const bool ok = sb_result_parse(m->catalogue, m->text, (size_t)m->n, &results, error) &&
                    sb_baseline_load(&baseline, m->baseline, error) && print(&results, &baseline, &m->out, error) &&
                    (sb_out_ok(&m->out) || sb_fail(error, SB_MEMORY, "out of memory for a text"));
    sb_baseline_free(&baseline);
    sb_results_free(&results);
    return ok;
}

/* Makes a text of the arguments (document, baseline). */
static PyObject *text_of(PyObject *module, PyObject *arguments, printing *print) {
    making m = {.out = sb_out_growing(), .catalogue = core_of(module)->catalogue};
    PyObject *baseline, *path;
    sb_error error;
    bool ok;
    if (!core_parse(arguments, "y#O", &m.text, &m.n, &baseline) || !core_read_path(baseline, &path)) return NULL;
    m.baseline = core_bytes_text(path);
    Py_BEGIN_ALLOW_THREADS;
    ok = make_text(&m, print, &error);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(path);
    if (ok) return core_written(&m.out);
    sb_out_free(&m.out);
    return core_raise(core_of(module), &error);
}

static PyObject *families(PyObject *module, PyObject *arguments) { return text_of(module, arguments, print_families); }
static PyObject *table(PyObject *module, PyObject *arguments) {
    return text_of(module, arguments, cli_put_score_tables);
}

/* Puts the scorecard for the family of the first episode. */
static bool print_scorecard(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    const sb_family *family = sb_family_find(results->episodes[0].tape.name.family, error);
    (void)baseline;
    return family && sb_put_scorecard_of(results, family, out, error);
}

/* The oracle-normalised score of the family of the first episode, as a score's members; without a score if nothing was
 * published for the family. */
static bool print_ons(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    const sb_family *family = sb_family_find(results->episodes[0].tape.name.family, error);
    sb_published published = {0};
    sb_summary summary = {0};
    sb_ons ons = {0};
    const bool ok = family && sb_published_load(&published, family, error) &&
                    sb_summarise(results, family, baseline, &summary, error) &&
                    sb_ons_of_results(&published, &summary, &ons, error);
    if (ok) sb_ons_print(&ons, out);
    sb_summary_free(&summary);
    sb_published_free(&published);
    return ok;
}

static PyObject *ons(PyObject *module, PyObject *arguments) { return text_of(module, arguments, print_ons); }

static PyObject *scorecard(PyObject *module, PyObject *arguments) {
    return text_of(module, arguments, print_scorecard);
}

/* ---- Files ---- */

static PyObject *load(PyObject *module, PyObject *value) {
    sb_out text = sb_out_growing();
    PyObject *bytes;
    sb_error error;
    bool ok;
    if (!core_path(value, &bytes)) return NULL;
    const char *path = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_file_load(path, SB_RESULT_BYTES, &text, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(bytes);
    if (ok) return core_written_bytes(&text);
    sb_out_free(&text);
    return core_raise(core_of(module), &error);
}

static PyObject *save(PyObject *module, PyObject *arguments) {
    PyObject *value, *bytes;
    const char *text;
    Py_ssize_t n;
    sb_error error;
    bool ok;
    if (!core_parse(arguments, "Oy#", &value, &text, &n) || !core_path(value, &bytes)) return NULL;
    const char *path = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_file_save(path, text, (size_t)n, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(bytes);
    if (!ok) return core_raise(core_of(module), &error);
    Py_RETURN_NONE;
}

/* ---- Several results ---- */

enum { RESULTS_MAX = 1000 };

/* Reads results from a tuple of (name, document), which holds the texts. */
static bool read_results(core *c, PyObject *all, const char **names, sb_json_part *texts, size_t *n) {
    const Py_ssize_t length = PyTuple_Size(all);
    if (length > RESULTS_MAX) return core_refuse(c, "InvalidError", "at most %d results", RESULTS_MAX), false;
    for (*n = 0; *n < (size_t)length; ++*n) {
        PyObject *one = PyTuple_GetItem(all, (Py_ssize_t)*n);
        Py_ssize_t bytes;
        sb_json_part *text = &texts[*n];
        if (!PyTuple_Check(one)) return core_refuse(c, "InvalidError", "a result is (name, document)"), false;
        if (!core_parse(one, "sy#", &names[*n], &text->at, &bytes)) return false;
        text->n = (size_t)bytes, text->document = text->at;
    }
    return true;
}

static bool make_page(const sb_report_options *options, const char *const *names, size_t n, sb_out *out,
                      sb_error *error) {
    sb_report report;
    const bool ok = sb_report_open(&report, options, names, n, error) &&
                    sb_report_print(&report, SB_REPORT_HTML, out, error);
    sb_report_close(&report);
    return ok;
}

/* The page of HTML, from the arguments ([(name, document)], baseline, published, replays, atlas). */
static PyObject *page(PyObject *module, PyObject *arguments) {
    core *c = core_of(module);
    const char *names[RESULTS_MAX];
    sb_json_part texts[RESULTS_MAX];
    sb_report_options options = {.catalogue = c->catalogue, .texts = texts};
    sb_out out = sb_out_growing();
    PyObject *list, *baseline, *atlas, *path = NULL, *atlas_path = NULL, *bytes = NULL;
    unsigned long long replays;
    size_t n;
    sb_error error;
    bool ok;
    if (!core_parse(arguments, "OOzKO", &list, &baseline, &options.published, &replays, &atlas)) return NULL;
    PyObject *all = PySequence_Tuple(list);
    if (all && core_read_path(baseline, &path) && core_read_path(atlas, &atlas_path) &&
        read_results(c, all, names, texts, &n)) {
        options.baseline = core_bytes_text(path), options.atlas = core_bytes_text(atlas_path);
        options.replays = replays;
        Py_BEGIN_ALLOW_THREADS;
        ok = make_page(&options, names, n, &out, &error);
        Py_END_ALLOW_THREADS;
        bytes = ok ? core_written_bytes(&out) : core_raise(c, &error);
    }
    sb_out_free(&out);
    Py_XDECREF(path), Py_XDECREF(atlas_path), Py_XDECREF(all);
    return bytes;
}

/* The result of the whole, from the arguments ([(name, document)] of the parts, baseline). */
static PyObject *merge(PyObject *module, PyObject *arguments) {
    core *c = core_of(module);
    const char *names[RESULTS_MAX];
    sb_json_part texts[RESULTS_MAX];
    sb_results_merging merging = {.catalogue = c->catalogue, .paths = names, .texts = texts};
    sb_out out = sb_out_growing();
    PyObject *list, *baseline, *path = NULL, *bytes = NULL;
    size_t episodes;
    sb_error error;
    bool ok;
    if (!core_parse(arguments, "OO", &list, &baseline)) return NULL;
    PyObject *all = PySequence_Tuple(list);
    if (all && core_read_path(baseline, &path) && read_results(c, all, names, texts, &merging.n)) {
        merging.baseline = core_bytes_text(path);
        Py_BEGIN_ALLOW_THREADS;
        ok = sb_results_merge(&merging, &out, &episodes, &error);
        Py_END_ALLOW_THREADS;
        bytes = ok ? core_written_bytes(&out) : core_raise(c, &error);
    }
    sb_out_free(&out);
    Py_XDECREF(path), Py_XDECREF(all);
    return bytes;
}

/* ---- Numbers ---- */

/* Normalises a return, from the arguments (total, task, difficulty). */
static PyObject *normalise(PyObject *module, PyObject *arguments) {
    core *c = core_of(module);
    double total;
    const char *name, *said;
    const sb_family *family;
    size_t task, difficulty;
    sb_baseline baseline = {0};
    sb_error error;
    if (!core_parse(arguments, "dss", &total, &name, &said)) return NULL;
    bool ok = sb_task_resolve(c->catalogue, name, &family, &task, &error) &&
              sb_difficulty_find(family, sb_task_at(c->catalogue, family, task), said, &difficulty, &error) &&
              sb_baseline_load(&baseline, NULL, &error);
    const sb_task_info *info = ok ? sb_task_at(c->catalogue, family, task) : NULL;
    const char *found = ok ? info->name : "";
    const sb_bounds *bounds =
        ok ? sb_baseline_find(&baseline, family, found, sb_difficulty_name(family, info, difficulty)) : NULL;
    if (ok && !bounds) ok = sb_fail(&error, SB_UNKNOWN, "the baseline lacks %s%s%s", found, *said ? "/" : "", said);
    const double value = ok ? sb_normalised(total, bounds) : 0;
    sb_baseline_free(&baseline);
    return ok ? PyFloat_FromDouble(value) : core_raise(c, &error);
}

/* The actions in a text, as results have it: a list of numbers. */
static PyObject *actions(PyObject *module, PyObject *text) {
    const char *said = core_utf8(text);
    sb_tape tape = {0};
    sb_error error;
    if (!said) return NULL;
    const bool ok = sb_actions_parse(said, SB_RESULT_MORE_STEPS, &tape, &error);
    PyObject *list = ok ? core_actions(tape.actions, tape.n) : core_raise(core_of(module), &error);
    sb_tape_clear(&tape);
    return list;
}

PyMethodDef core_results_functions[] = {
    {"_result_families", families, METH_VARARGS, "What a result's episodes come to, as JSON."},
    {"_result_table", table, METH_VARARGS, "What `seedbed eval` prints of a result."},
    {"_result_ons", ons, METH_VARARGS, "The oracle-normalised score of a result."},
    {"_result_scorecard", scorecard, METH_VARARGS, "The scorecard of a result of games with levels."},
    {"_result_load", load, METH_O, "A result's document, unpacked."},
    {"_result_save", save, METH_VARARGS, "Writes a document whole, or not at all."},
    {"_result_page", page, METH_VARARGS, "What `seedbed report --html` writes."},
    {"_result_merge", merge, METH_VARARGS, "The document of the whole, from those of its parts."},
    {"_result_actions", actions, METH_O, "The numbers of a result's text of actions."},
    {"_normalise", normalise, METH_VARARGS, "A return as a share of the way from random to optimal."},
    {NULL, NULL, 0, NULL}};
