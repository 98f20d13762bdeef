#include "python/core/look.h"

#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/lookup.h"

/* ---- Reading `obs` ---- */

/* Names of observations that MiniGrid's own wrappers suggest, and ours for them. */
static const struct published {
    const char *name, *ours;
} published[] = {{"minigrid", "values"},
                 {"minigrid3", "view3.values"},
                 {"minigrid5", "view5.values"},
                 {"minigrid9", "view9.values"},
                 {"minigrid_full", "full.values"}};

static const char *ours_of(const char *text) {
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (strcmp(published[i].name, text) == 0) return published[i].ours;
    return text;
}

static const struct whole {
    const char *name;
    core_kind kind;
} wholes[] = {{"arrays", CORE_ARRAYS}, {"values", CORE_VALUES}, {"flat", CORE_FLAT}, {"none", CORE_NOTHING}};

/* Returns the mode whose name stands before a suffix, if it is a mode of documents; NULL if the text has no such
 * suffix. */
static const sb_mode *document_with(const sb_family *family, const char *text, const char *suffix) {
    char name[64];
    sb_error error;
    const size_t n = strlen(text), n_suffix = strlen(suffix);
    if (n <= n_suffix || n - n_suffix >= sizeof name || strcmp(text + n - n_suffix, suffix) != 0) return NULL;
    memcpy(name, text, n - n_suffix);
    name[n - n_suffix] = '\0';
    const sb_mode *mode = sb_mode_find(family, name, &error);
    return mode && mode->document ? mode : NULL;
}

static bool read_part(const core_look *look, const char *said, core_part *part) {
    const char *text = ours_of(said);
    sb_error error;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (strcmp(wholes[i].name, text) == 0) return part->kind = wholes[i].kind, true;
    for (size_t i = 0; i < look->n_arrays; i++)
        if (strcmp(look->array[i].array->name, text) == 0) return part->kind = CORE_ARRAY, part->array = i, true;
    if (strcmp(text, "pixels") == 0) return part->kind = CORE_PIXELS, part->array = look->n_arrays, true;
    if ((part->mode = document_with(look->family, text, ".json"))) return part->kind = CORE_TEXT, true;
    if ((part->mode = document_with(look->family, text, ".values"))) return part->kind = CORE_VALUES_OF_DOCUMENT, true;
    part->mode = sb_mode_find(look->family, text, &error);
    if (!part->mode) {
        core_refuse(look->core, "InvalidError",
                    "obs: %s; also `arrays`, `values`, `flat`, `pixels`, `none`, and documents as text (`....json`)",
                    error.text);
        return false;
    }
    return part->kind = part->mode->document ? CORE_DOCUMENT : CORE_TEXT, true;
}

static bool add_part(core_look *look, PyObject *said) {
    const char *text = PyUnicode_Check(said) ? core_utf8(said) : NULL;
    if (!text) {
        if (!PyErr_Occurred())
            core_refuse(look->core, "InvalidError", "obs is the name of a mode, or a list of such names");
        return false;
    }
    if (look->n_parts == CORE_PARTS) {
        core_refuse(look->core, "InvalidError", "obs: at most %d modes", CORE_PARTS);
        return false;
    }
    core_part *part = &look->part[look->n_parts];
    if (!read_part(look, text, part)) return false;
    part->key = PyUnicode_FromObject(said); /* a plain str, whatever kind of str was said */
    look->n_parts += part->key != NULL;
    return part->key != NULL;
}

static bool read_list(core_look *look, PyObject *obs) {
    PyObject *items = PySequence_List(obs);
    if (!items) return false;
    const Py_ssize_t n = PyList_Size(items);
    look->several = true;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < n; i++) ok = add_part(look, PyList_GetItem(items, i));
    Py_DECREF(items);
    if (ok && n == 0) core_refuse(look->core, "InvalidError", "obs: the list of modes is empty");
    return ok && n > 0;
}

static bool read_obs(core_look *look, PyObject *obs) {
    if (obs != Py_None) return PyUnicode_Check(obs) ? add_part(look, obs) : read_list(look, obs);
    const sb_info_source *as_published = look->family->info;
    const bool in_arrays = as_published && as_published->in_arrays;
    PyObject *usual = PyUnicode_FromString(in_arrays ? "values" : sb_mode_at(look->family, 0)->name);
    const bool ok = usual && add_part(look, usual);
    Py_XDECREF(usual);
    return ok;
}

/* ---- Arrays ---- */

/* A task and difficulty, which tell the extent of every array. */
typedef struct pair {
    const sb_family *family;
    const sb_task_info *task;
    size_t difficulty;
    sb_shape shape;
} pair;

static bool find_pair(const core *c, const sb_name *name, pair *found, sb_error *error) {
    sb_resolved of;
    if (!sb_resolve(c->catalogue, name, &of, error)) return false;
    *found = (pair){.family = of.family, .task = of.task, .difficulty = of.difficulty};
    found->family->shape(found->task, found->difficulty, &found->shape);
    return true;
}

static void extent_in(const pair *of, const sb_array *array, int32_t extent[SB_ARRAY_RANK]) {
    sb_extent_of(array, of->family, of->task, of->difficulty, &of->shape, extent);
}

/* Whether an array is as large as the grid, as arrays are whose two first dimensions differ from task to task.
 * `largest` gets the largest of each dimension. */
static bool follows_the_grid(const sb_family *family, const sb_array *array, int32_t largest[SB_ARRAY_RANK]) {
    bool differs = false;
    int32_t first[2] = {0};
    memset(largest, 0, sizeof(int32_t) * SB_ARRAY_RANK);
    for (size_t t = 0; t < family->n_tasks; t++)
        for (size_t d = 0; d < family->n_difficulties; d++) {
            pair each = {.family = family, .task = family->task(t), .difficulty = d};
            int32_t extent[SB_ARRAY_RANK];
            family->shape(each.task, d, &each.shape);
            extent_in(&each, array, extent);
            for (int i = 0; i < SB_ARRAY_RANK; i++)
                if (extent[i] > largest[i]) largest[i] = extent[i];
            if (t == 0 && d == 0) memcpy(first, extent, sizeof first);
            differs |= memcmp(first, extent, sizeof first) != 0;
        }
    return differs && array->rank >= 2;
}

static bool read_pad(core_look *look, PyObject *pad) {
    long pair[2];
    if (pad == Py_None) return true;
    if (PyUnicode_Check(pad) && PyUnicode_CompareWithASCIIString(pad, "family") == 0)
        return look->pad = CORE_PADDED_TO_FAMILY, true;
    if (!core_read_pair(look->core, pad, 1, 4096, "pad is None, \"family\", or (height, width) in cells", pair))
        return false;
    look->pad = CORE_PADDED_TO_SIZE;
    look->pad_size[0] = (int32_t)pair[0], look->pad_size[1] = (int32_t)pair[1];
    return true;
}

static bool array_fits(const core_look *look, const pair *of, size_t array) {
    const core_array *a = &look->array[array];
    int32_t own[SB_ARRAY_RANK];
    extent_in(of, a->array, own);
    for (int k = 0; k < a->array->rank; k++)
        if (a->padded ? own[k] > a->extent[k] : own[k] != a->extent[k]) return false;
    return true;
}

/* Finishes an array whose extent is known. */
static bool finish_array(core_look *look, const pair *of, size_t array) {
    core_array *a = &look->array[array];
    const int rank = a->array->rank;
    const size_t bytes = sb_numbers_size(a->array->type, rank, a->extent);
    a->name = PyUnicode_FromString(a->array->name);
    if (!a->name ||
        !core_form_make(&a->form, core_shape(NULL, rank, a->extent), core_scalar_name(a->array->type), bytes))
        return false;
    return array_fits(look, of, array) ||
           (core_refuse(look->core, "InvalidError", "pad: the task's grid is larger"), false);
}

static bool make_array(core_look *look, const pair *of, size_t i) {
    core_array *a = &look->array[i];
    int32_t largest[SB_ARRAY_RANK];
    a->array = &look->family->arrays[i];
    extent_in(of, a->array, a->extent);
    if (look->pad != CORE_NOT_PADDED && follows_the_grid(look->family, a->array, largest)) {
        memcpy(a->extent, look->pad == CORE_PADDED_TO_FAMILY ? largest : look->pad_size, sizeof look->pad_size);
        a->padded = look->has_size = true;
    }
    return finish_array(look, of, i);
}

static bool make_arrays(core_look *look, const pair *of) {
    int32_t flat = 0;
    while (look->n_arrays < look->family->n_arrays) {
        const core_array *a = &look->array[look->n_arrays];
        if (!make_array(look, of, look->n_arrays++)) return false;
        const size_t bytes = a->form.size;
        if (bytes > look->largest) look->largest = (bytes + 15) / 16 * 16;
        if (!core_is_text(a)) flat += (int32_t)(bytes / sb_scalar_size(a->array->type));
    }
    look->size_name = PyUnicode_FromString("size");
    return look->size_name &&
           core_form_make(&look->size, core_shape(NULL, 1, (int32_t[]){2}), "int16", 2 * sizeof(int16_t)) &&
           core_form_make(&look->flat, core_shape(NULL, 1, &flat), "float32", (size_t)flat * sizeof(float));
}

/* ---- Pixels ---- */

/* The picture grows by a tile for each cell that the grid grows by, which an array of the family tells. */
static bool grow_pixels(core_look *look, const pair *of) {
    const int32_t tile = core_brush_of(look->brush)->options.tile;
    int32_t grid[SB_ARRAY_RANK], *extent = look->array[look->n_arrays].extent;
    size_t i = 0;
    while (i < look->n_arrays && !look->array[i].padded) i++;
    if (i == look->n_arrays)
        return core_refuse(look->core, "InvalidError", "pad: pixels of %s take \"family\" only", look->family->name),
               false;
    extent_in(of, look->array[i].array, grid);
    for (int k = 0; k < 2; k++) extent[k] += (look->pad_size[k] - grid[k]) * tile;
    return true;
}

static bool pad_pixels(core_look *look, const pair *of) {
    core_array *a = &look->array[look->n_arrays];
    int32_t largest[SB_ARRAY_RANK];
    if (look->pad == CORE_NOT_PADDED || !follows_the_grid(look->family, a->array, largest)) return true;
    a->padded = true;
    if (look->pad == CORE_PADDED_TO_SIZE) return grow_pixels(look, of);
    memcpy(a->extent, largest, sizeof a->extent);
    return true;
}

static bool make_pixels(core_look *look, const pair *of, const core_pixels *pixels) {
    const sb_family *family = look->family;
    const sb_look *shown = core_observed_look(family, pixels);
    const sb_brush_options usual = {0};
    core_array *a = &look->array[look->n_arrays];
    if (!shown)
        return core_refuse(look->core, "InvalidError", "obs: tasks of %s have no pictures", family->name), false;
    look->brush = core_brush_make(look->core, family, shown, pixels ? &pixels->options : &usual);
    if (!look->brush) return false;
    a->array = sb_brush_array(core_brush_of(look->brush));
    extent_in(of, a->array, a->extent);
    return pad_pixels(look, of) && finish_array(look, of, look->n_arrays);
}

bool core_look_resize(core_look *look, const sb_env *env) {
    core_array *a = &look->array[look->n_arrays];
    int32_t own[SB_ARRAY_RANK];
    if (!look->brush) return true;
    sb_extent_in(env, a->array, own);
    if (memcmp(own, a->extent, sizeof own) == 0) return true;
    const size_t bytes = sb_numbers_size(a->array->type, a->array->rank, own);
    PyObject *shape = core_shape(NULL, a->array->rank, own);
    if (!shape) return false;
    core_form_free(&a->form);
    memcpy(a->extent, own, sizeof own);
    return core_form_make(&a->form, shape, core_scalar_name(a->array->type), bytes);
}

/* ---- Making ---- */

static bool shows(const core_look *look, size_t array) {
    for (size_t i = 0; i < look->n_parts; i++) switch (look->part[i].kind) {
        case CORE_TEXT:
        case CORE_DOCUMENT:
        case CORE_NOTHING: break;
        case CORE_ARRAY:
        case CORE_PIXELS:
            if (look->part[i].array == array) return true;
            break;
        default:
            if (array < look->n_arrays) return true;
        }
    return false;
}

bool core_look_fits(const core_look *look, const sb_name *name) {
    pair of;
    sb_error error;
    if (!find_pair(look->core, name, &of, &error)) return false;
    for (size_t i = 0; i <= look->n_arrays; i++)
        if (shows(look, i) && !array_fits(look, &of, i)) return false;
    return true;
}

static bool make(core_look *look, const pair *of, const core_look_plan *plan) {
    return read_pad(look, plan->pad) && make_arrays(look, of) && read_obs(look, plan->obs) &&
           (!shows(look, look->n_arrays) || make_pixels(look, of, plan->pixels));
}

core_look *core_look_make(core *c, const core_look_plan *plan) {
    pair of;
    sb_error error;
    if (!find_pair(c, plan->name, &of, &error)) return core_raise(c, &error), NULL;
    core_look *look = PyMem_Calloc(1, sizeof *look);
    if (!look) return PyErr_NoMemory(), NULL;
    look->core = c, look->family = of.family, look->copies = plan->copies;
    look->text = sb_out_growing();
    if (make(look, &of, plan)) return look;
    core_look_free(look);
    return NULL;
}

void core_look_free(core_look *look) {
    if (!look) return;
    for (size_t i = 0; i < look->n_parts; i++) Py_XDECREF(look->part[i].key);
    for (size_t i = 0; i <= look->n_arrays; i++) {
        Py_XDECREF(look->array[i].name);
        core_form_free(&look->array[i].form);
    }
    Py_XDECREF(look->size_name), Py_XDECREF(look->brush);
    core_form_free(&look->size), core_form_free(&look->flat);
    sb_out_free(&look->text);
    PyMem_Free(look);
}

/* ---- For spaces ---- */

static PyObject *describe_array(const core_array *a) {
    return Py_BuildValue("(OzOi)", a->name, core_is_text(a) ? NULL : a->form.type, a->form.shape,
                         (int)a->array->values);
}

static PyObject *describe_part(const core_look *look, const core_part *part, PyObject *arrays) {
    static const char *const kinds[] = {"text", "document", "values_of_document", "arrays", "values", "array", "pixels",
                                        "flat", "nothing"};
    const char *kind = kinds[part->kind];
    const core_array *a = &look->array[part->array];
    if (part->kind == CORE_PIXELS) return Py_BuildValue("(Oss(N))", part->key, kind, a->array->name, describe_array(a));
    const char *what = part->mode ? part->mode->name : part->kind == CORE_ARRAY ? a->array->name : "";
    return Py_BuildValue("(OssO)", part->key, kind, what, arrays);
}

static PyObject *describe_arrays(const core_look *look) {
    PyObject *all = PyTuple_New((Py_ssize_t)look->n_arrays + look->has_size);
    for (size_t i = 0; all && i < look->n_arrays; i++) core_set(&all, i, describe_array(&look->array[i]));
    if (all && look->has_size)
        core_set(&all, look->n_arrays, Py_BuildValue("(OsOi)", look->size_name, look->size.type, look->size.shape, 0));
    return all;
}

PyObject *core_look_describe(const core_look *look) {
    PyObject *arrays = describe_arrays(look), *all = arrays ? PyTuple_New((Py_ssize_t)look->n_parts) : NULL;
    for (size_t i = 0; all && i < look->n_parts; i++) core_set(&all, i, describe_part(look, &look->part[i], arrays));
    Py_XDECREF(arrays);
    return all;
}
