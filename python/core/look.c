#include "python/core/look.h"

#include "engine/environment.h"

/* ---- Reading `obs` ---- */

/* Names that MiniGrid's own wrappers suggest. */
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

/* The mode whose name stands before a suffix, if it is one of documents; NULL if the text has no such suffix. */
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
    if ((part->mode = document_with(look->family, text, ".json"))) return part->kind = CORE_TEXT, true;
    if ((part->mode = document_with(look->family, text, ".values"))) return part->kind = CORE_VALUES_OF_DOCUMENT, true;
    part->mode = sb_mode_find(look->family, text, &error);
    if (!part->mode) {
        core_refuse(look->core, "InvalidError",
                    "obs: %s; also `arrays`, `values`, `flat`, `none`, and documents as text (`....json`)", error.text);
        return false;
    }
    return part->kind = part->mode->document ? CORE_DOCUMENT : CORE_TEXT, true;
}

static bool add_part(core_look *look, PyObject *said) {
    const char *text = PyUnicode_Check(said) ? PyUnicode_AsUTF8AndSize(said, NULL) : NULL;
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
    part->key = PyUnicode_FromObject(said); /* a plain str, whatever was said */
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

/* Whether the array is as large as the grid: those whose two first dimensions differ from task to task. `largest` gets
 * the largest of each. */
static bool follows_the_grid(const sb_family *family, size_t array, int32_t largest[SB_ARRAY_RANK]) {
    bool differs = false;
    int32_t first[2] = {0};
    memset(largest, 0, sizeof(int32_t) * SB_ARRAY_RANK);
    for (size_t t = 0; t < family->n_tasks; t++)
        for (size_t d = 0; d < family->n_difficulties; d++) {
            sb_shape shape = {0};
            family->shape(family->task(t), d, &shape);
            const int32_t *extent = shape.extent[array];
            for (int i = 0; i < SB_ARRAY_RANK; i++)
                if (extent[i] > largest[i]) largest[i] = extent[i];
            if (t == 0 && d == 0) memcpy(first, extent, sizeof first);
            differs |= memcmp(first, extent, sizeof first) != 0;
        }
    return differs && family->arrays[array].rank >= 2;
}

static bool read_size(core_look *look, PyObject *pad, int32_t size[2]) {
    long pair[2];
    if (!core_read_pair(look->core, pad, 1, 4096, "pad is None, \"family\", or (height, width) in cells", pair))
        return false;
    size[0] = (int32_t)pair[0], size[1] = (int32_t)pair[1];
    return true;
}

static bool array_fits(const core_look *look, const sb_shape *shape, size_t array) {
    const core_array *a = &look->array[array];
    for (int k = 0; k < a->array->rank; k++) {
        const int32_t own = shape->extent[array][k], room = a->extent[k];
        if (a->padded ? own > room : own != room) return false;
    }
    return true;
}

static bool make_arrays(core_look *look, const sb_shape *shape, PyObject *pad) {
    const bool to_family = PyUnicode_Check(pad) && PyUnicode_CompareWithASCIIString(pad, "family") == 0;
    int32_t size[2], flat = 0;
    if (pad != Py_None && !to_family && !read_size(look, pad, size)) return false;
    for (size_t i = 0; i < look->family->n_arrays; i++) {
        core_array *a = &look->array[look->n_arrays++];
        int32_t largest[SB_ARRAY_RANK];
        a->array = &look->family->arrays[i];
        memcpy(a->extent, shape->extent[i], sizeof a->extent);
        if (pad != Py_None && follows_the_grid(look->family, i, largest)) {
            memcpy(a->extent, to_family ? largest : size, sizeof size);
            a->padded = look->has_size = true;
        }
        const size_t bytes = sb_numbers_size(a->array->type, a->array->rank, a->extent);
        a->name = PyUnicode_FromString(a->array->name);
        if (!a->name || !core_form_make(&a->form, core_shape(NULL, a->array->rank, a->extent),
                                        core_scalar_name(a->array->type), bytes))
            return false;
        if (bytes > look->largest) look->largest = (bytes + 15) / 16 * 16;
        if (!core_is_text(a)) flat += (int32_t)(bytes / sb_scalar_size(a->array->type));
    }
    look->size_name = PyUnicode_FromString("size");
    if (!look->size_name ||
        !core_form_make(&look->size, core_shape(NULL, 1, (int32_t[]){2}), "int16", 2 * sizeof(int16_t)) ||
        !core_form_make(&look->flat, core_shape(NULL, 1, &flat), "float32", (size_t)flat * sizeof(float)))
        return false;
    for (size_t i = 0; i < look->n_arrays; i++)
        if (!array_fits(look, shape, i))
            return core_refuse(look->core, "InvalidError", "pad: the task's grid is larger"), false;
    return true;
}

static bool shows(const core_look *look, size_t array) {
    for (size_t i = 0; i < look->n_parts; i++) switch (look->part[i].kind) {
        case CORE_TEXT:
        case CORE_DOCUMENT:
        case CORE_NOTHING: break;
        case CORE_ARRAY:
            if (look->part[i].array == array) return true;
            break;
        default: return true;
        }
    return false;
}

bool core_look_fits(const core_look *look, const sb_shape *shape) {
    for (size_t i = 0; i < look->n_arrays; i++)
        if (shows(look, i) && !array_fits(look, shape, i)) return false;
    return true;
}

core_look *core_look_make(core *c, const sb_family *family, const sb_shape *shape, PyObject *obs, PyObject *pad,
                          bool copies) {
    core_look *look = PyMem_Calloc(1, sizeof *look);
    if (!look) return PyErr_NoMemory(), NULL;
    look->core = c, look->family = family, look->copies = copies;
    look->text = sb_out_growing();
    if (make_arrays(look, shape, pad) && read_obs(look, obs)) return look;
    core_look_free(look);
    return NULL;
}

void core_look_free(core_look *look) {
    if (!look) return;
    for (size_t i = 0; i < look->n_parts; i++) Py_XDECREF(look->part[i].key);
    for (size_t i = 0; i < look->n_arrays; i++) {
        Py_XDECREF(look->array[i].name);
        core_form_free(&look->array[i].form);
    }
    Py_XDECREF(look->size_name);
    core_form_free(&look->size), core_form_free(&look->flat);
    sb_out_free(&look->text);
    PyMem_Free(look);
}

/* ---- Looking ---- */

/* Room for n bytes that are written next, or NULL with an exception. */
static char *scratch_for(core_look *look, size_t n) {
    sb_out_clear(&look->text);
    char *room = sb_out_reserve(&look->text, n);
    if (!room) PyErr_NoMemory();
    return room;
}

void core_write_mode(const core_look *look, const sb_env *env, const sb_mode *mode, sb_out *out) {
    sb_env shown = *env;
    if (look->dense) shown.status.total = shown.status.dense_total;
    env->family->observe(&shown, mode, out);
}

/* The mode's text is in look->text; false with an exception. */
static bool write_text(core_look *look, const sb_env *env, const sb_mode *mode) {
    sb_out_clear(&look->text);
    core_write_mode(look, env, mode, &look->text);
    return sb_out_ok(&look->text) || (PyErr_NoMemory(), false);
}

/* Those of an array that is padded, and of the array itself, for one that is to become flat. */
size_t core_scratch_size(const core_look *look) { return 2 * look->largest; }

void core_fill(const core_look *look, const sb_env *env, size_t array, void *to, char *scratch) {
    const core_array *a = &look->array[array];
    const int32_t *own = env->shape.extent[array];
    const int rank = a->array->rank;
    if (!a->padded || memcmp(own, a->extent, sizeof *own * (size_t)rank) == 0) {
        env->family->fill(env, array, to);
        return;
    }
    env->family->fill(env, array, scratch);
    memset(to, 0, a->form.size);
    sb_put_corner(a->array->type, rank, own, a->extent, scratch, to);
}

static PyObject *open_array(core_look *look, core_form *form, Py_buffer *view) {
    return core_form_open(look->core, form, look->copies ? CORE_ANY : 0, view);
}

static PyObject *look_at_array(core_look *look, const sb_env *env, size_t array) {
    Py_buffer view;
    char *scratch = scratch_for(look, core_scratch_size(look));
    PyObject *made = scratch ? open_array(look, &look->array[array].form, &view) : NULL;
    if (!made) return NULL;
    core_fill(look, env, array, view.buf, scratch);
    PyBuffer_Release(&view);
    return made;
}

void core_fill_size(const core_look *look, const sb_env *env, int16_t size[2]) {
    for (size_t i = 0; i < look->n_arrays; i++)
        if (look->array[i].padded) {
            size[0] = (int16_t)env->shape.extent[i][1], size[1] = (int16_t)env->shape.extent[i][0];
            return;
        }
}

static PyObject *look_at_size(core_look *look, const sb_env *env) {
    Py_buffer view;
    PyObject *made = open_array(look, &look->size, &view);
    if (!made) return NULL;
    core_fill_size(look, env, view.buf);
    PyBuffer_Release(&view);
    return made;
}

/* A single number as int, a text as str. */
static PyObject *look_at_value(core_look *look, const sb_env *env, size_t array) {
    const core_array *a = &look->array[array];
    if (core_is_text(a)) {
        const size_t n = (size_t)a->extent[0];
        char *text = scratch_for(look, n);
        if (!text) return NULL;
        env->family->fill(env, array, text);
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strnlen(text, n), NULL);
    }
    int64_t number = 0; /* little-endian: its first bytes are any smaller number, which are not below 0 */
    env->family->fill(env, array, &number);
    return PyLong_FromLongLong(number);
}

static PyObject *look_at_all(core_look *look, const sb_env *env, bool values) {
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < look->n_arrays; i++) {
        const core_array *a = &look->array[i];
        const bool is_value = values && (core_is_single(a) || core_is_text(a));
        core_put(&all, a->name, is_value ? look_at_value(look, env, i) : look_at_array(look, env, i));
    }
    if (all && look->has_size) core_put(&all, look->size_name, look_at_size(look, env));
    return all;
}

static float *put_floats(float *to, sb_scalar type, const char *numbers, size_t n) {
    for (size_t i = 0; i < n; i++) switch (type) {
        case SB_BOOL:
        case SB_UINT8: *to++ = ((const uint8_t *)numbers)[i]; break;
        case SB_INT8: *to++ = ((const int8_t *)numbers)[i]; break;
        case SB_INT16: *to++ = ((const int16_t *)numbers)[i]; break;
        case SB_INT32: *to++ = (float)((const int32_t *)numbers)[i]; break;
        case SB_INT64: *to++ = (float)((const int64_t *)numbers)[i]; break;
        case SB_UINT64: *to++ = (float)((const uint64_t *)numbers)[i]; break;
        default: *to++ = (float)((const double *)numbers)[i]; break;
        }
    return to;
}

void core_fill_flat(const core_look *look, const sb_env *env, float *to, char *scratch) {
    char *numbers = scratch + look->largest;
    for (size_t i = 0; i < look->n_arrays; i++) {
        const core_array *a = &look->array[i];
        if (core_is_text(a)) continue;
        core_fill(look, env, i, numbers, scratch);
        to = put_floats(to, a->array->type, numbers, a->form.size / sb_scalar_size(a->array->type));
    }
}

static PyObject *look_flatly(core_look *look, const sb_env *env) {
    Py_buffer view;
    char *scratch = scratch_for(look, core_scratch_size(look));
    PyObject *made = scratch ? open_array(look, &look->flat, &view) : NULL;
    if (!made) return NULL;
    core_fill_flat(look, env, view.buf, scratch);
    PyBuffer_Release(&view);
    return made;
}

/* Lists of numbers become arrays, in place; of the type that images have. */
static PyObject *with_arrays(PyObject *document) {
    PyObject *numpy = document ? PyImport_ImportModule("numpy") : NULL, *key, *value;
    Py_ssize_t at = 0;
    if (!numpy) Py_CLEAR(document);
    while (document && PyDict_Next(document, &at, &key, &value))
        if (PyList_Check(value)) core_put(&document, key, PyObject_CallMethod(numpy, "array", "Os", value, "uint8"));
    Py_XDECREF(numpy);
    return document;
}

PyObject *core_part_of_text(core_look *look, const core_part *part, const char *text, size_t n) {
    if (part->kind == CORE_TEXT) return PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, NULL);
    PyObject *document = core_document(look->core, text, n);
    return part->kind == CORE_DOCUMENT ? document : with_arrays(document);
}

static PyObject *look_at_part(core_look *look, const sb_env *env, const core_part *part) {
    switch (part->kind) {
    case CORE_ARRAYS: return look_at_all(look, env, false);
    case CORE_VALUES: return look_at_all(look, env, true);
    case CORE_ARRAY: return look_at_array(look, env, part->array);
    case CORE_FLAT: return look_flatly(look, env);
    case CORE_NOTHING: return PyLong_FromLong(0);
    default: break;
    }
    if (!write_text(look, env, part->mode)) return NULL;
    return core_part_of_text(look, part, look->text.data, look->text.size);
}

PyObject *core_observe(core_look *look, const sb_env *env) {
    if (!look->several) return look_at_part(look, env, &look->part[0]);
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < look->n_parts; i++)
        core_put(&all, look->part[i].key, look_at_part(look, env, &look->part[i]));
    return all;
}

/* ---- For spaces ---- */

static PyObject *describe_array(const core_array *a) {
    return Py_BuildValue("(OzOi)", a->name, core_is_text(a) ? NULL : a->form.type, a->form.shape,
                         (int)a->array->values);
}

static PyObject *describe_arrays(const core_look *look) {
    PyObject *all = PyTuple_New((Py_ssize_t)look->n_arrays + look->has_size);
    for (size_t i = 0; all && i < look->n_arrays; i++) core_set(&all, i, describe_array(&look->array[i]));
    if (all && look->has_size)
        core_set(&all, look->n_arrays, Py_BuildValue("(OsOi)", look->size_name, look->size.type, look->size.shape, 0));
    return all;
}

PyObject *core_look_describe(const core_look *look) {
    static const char *const kinds[] = {"text", "document", "values_of_document", "arrays", "values", "array",
                                        "flat", "nothing"};
    PyObject *arrays = describe_arrays(look), *all = arrays ? PyTuple_New((Py_ssize_t)look->n_parts) : NULL;
    for (size_t i = 0; all && i < look->n_parts; i++) {
        const core_part *part = &look->part[i];
        const char *what = part->mode                 ? part->mode->name
                           : part->kind == CORE_ARRAY ? look->array[part->array].array->name
                                                      : "";
        core_set(&all, i, Py_BuildValue("(OssO)", part->key, kinds[part->kind], what, arrays));
    }
    Py_XDECREF(arrays);
    return all;
}
