/* What a look shows of an environment: numbers, texts, documents, pixels. */
#include "engine/environment.h"
#include "python/core/look.h"

/* Room in the look's text for n bytes that are written next, or NULL with an exception. */
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

/* Writes the mode's text into look->text; false with an exception. */
static bool write_text(core_look *look, const sb_env *env, const sb_mode *mode) {
    sb_out_clear(&look->text);
    core_write_mode(look, env, mode, &look->text);
    return sb_out_ok(&look->text) || (PyErr_NoMemory(), false);
}

/* Bytes of scratch: for the numbers of an array that is padded, and for the array itself, if it is to become flat. */
size_t core_scratch_size(const core_look *look) { return 2 * look->largest; }

/* Moves the rows of a dense picture to where those of a larger one are, from the last on, and blackens the rest. This
 * needs no second picture, of which each environment would have one. */
static void spread(const core_array *a, const int32_t *own, char *pixels) {
    const size_t depth = a->array->rank == 3 ? (size_t)own[2] : 1;
    const size_t row = (size_t)own[1] * depth, wide = (size_t)a->extent[1] * depth;
    for (size_t y = (size_t)own[0]; y-- > 0;) {
        memmove(pixels + y * wide, pixels + y * row, row);
        memset(pixels + y * wide + row, 0, wide - row);
    }
    memset(pixels + (size_t)own[0] * wide, 0, (size_t)(a->extent[0] - own[0]) * wide);
}

void core_fill(const core_look *look, const sb_env *env, size_t array, void *to, char *scratch) {
    const core_array *a = &look->array[array];
    int32_t own[SB_ARRAY_RANK];
    if (a->padded) sb_extent_in(env, a->array, own);
    if (!a->padded || memcmp(own, a->extent, sizeof own) == 0) {
        sb_fill_array(env, a->array, to);
    } else if (a->array->brush) {
        sb_fill_array(env, a->array, to);
        spread(a, own, to);
    } else {
        sb_fill_array(env, a->array, scratch);
        memset(to, 0, a->form.size);
        sb_put_corner(a->array->type, a->array->rank, own, a->extent, scratch, to);
    }
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

/* The value of an array: a single number as int, a text as str. */
static PyObject *look_at_value(core_look *look, const sb_env *env, size_t array) {
    const core_array *a = &look->array[array];
    if (core_is_text(a)) {
        const size_t n = (size_t)a->extent[0];
        char *text = scratch_for(look, n);
        if (!text) return NULL;
        env->family->fill(env, array, text);
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strnlen(text, n), NULL);
    }
    int64_t number = 0; /* little-endian: its first bytes are any smaller number that is not below 0 */
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

/* Makes arrays of a document's lists of numbers, in place, of the type that images have. */
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
    case CORE_ARRAY:
    case CORE_PIXELS: return look_at_array(look, env, part->array);
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
