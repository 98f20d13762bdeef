/* Mixtures of tasks and difficulties by weight, and what is drawn from them without environments. */
#include <string.h>

#include "python/core/objects.h"
#include "python/core/selection.h"

static bool read_mixture(const core *c, const cJSON *object, sb_mixture *mixture, sb_error *error) {
    sb_request usual = {.catalogue = c->catalogue};
    const cJSON *list;
    static const char *const keys[] = {"family", "mixture", NULL};
    return sb_json_known_keys(object, keys, error) && sb_json_optional_string(object, "family", &usual.family, error) &&
           sb_json_array(object, "mixture", &list, error) && sb_mixture_read(&usual, list, mixture, error);
}

bool core_mixture_read(core *c, const char *json, sb_mixture *mixture) {
    sb_error error;
    *mixture = (sb_mixture){0};
    cJSON *object = core_json(c, json, strlen(json));
    if (!object) return false;
    const bool ok = read_mixture(c, object, mixture, &error);
    cJSON_Delete(object);
    return ok || (core_raise(c, &error), false);
}

/* The names of a mixture's pairs of task and difficulty, each once. */
static PyObject *pairs(PyObject *module, PyObject *json) {
    core *c = PyModule_GetState(module);
    sb_mixture mixture = {0};
    sb_seen_pairs seen = {0};
    const char *text = core_utf8(json);
    PyObject *all = text && core_mixture_read(c, text, &mixture) ? PyList_New(0) : NULL;
    for (size_t i = 0; all && i < mixture.pairs.n; i++) {
        sb_name name;
        if (!sb_is_new_pair(&seen, &mixture.pairs.episodes[i])) continue;
        sb_selection_name(&mixture.pairs, i, &name);
        core_add(&all, *name.difficulty ? PyUnicode_FromFormat("%s:%s/%s", name.family, name.task, name.difficulty)
                                        : PyUnicode_FromFormat("%s:%s", name.family, name.task));
    }
    sb_mixture_free(&mixture);
    return all;
}

enum { BREATH = 1 << 12 /* names, about a millisecond */ };

/* draw(json, seed, n, progress): the names of n episodes, as the chain of an environment draws them. */
static PyObject *draw(PyObject *module, PyObject *arguments) {
    core *c = PyModule_GetState(module);
    const char *json;
    PyObject *seed;
    Py_ssize_t n;
    double progress;
    sb_mixture mixture = {0};
    sb_rng rng;
    uint64_t number;
    if (!core_parse(arguments, "sOnd", &json, &seed, &n, &progress) || !core_seed(c, seed, "seed", &number))
        return NULL;
    if (!(progress >= 0 && progress <= 1))
        return core_refuse(c, "InvalidError", "progress is a number from 0 to 1"), NULL;
    PyObject *all = core_mixture_read(c, json, &mixture) ? PyList_New(0) : NULL;
    sb_rng_seed(&rng, number, NULL);
    for (Py_ssize_t i = 0; all && i < n; i++) {
        sb_name name;
        if (i % BREATH == 0 && !core_breathe()) {
            Py_CLEAR(all);
            break;
        }
        const sb_chosen *pair = sb_mixture_draw(&mixture, progress, &rng);
        sb_selection_name(&mixture.pairs, (size_t)(pair - mixture.pairs.episodes), &name);
        name.seed = (uint64_t)sb_integers(&rng, 0, INT64_C(1) << 31);
        core_add(&all, core_name(&name));
    }
    sb_mixture_free(&mixture);
    return all;
}

PyMethodDef core_mixture_functions[] = {
    {"_mixture_pairs", pairs, METH_O, "The tasks and difficulties of a mixture."},
    {"_mixture_draw", draw, METH_VARARGS, "Names of episodes, drawn from a mixture."},
    {NULL, NULL, 0, NULL}};
