#include "python/core/frame.h"

#include <stdlib.h>

#include "engine/environment.h"

/* ---- Arrays ---- */

/* The shape of n items, as the tuple (n, *shape). */
static PyObject *batched(size_t n, PyObject *shape) {
    PyObject *first = Py_BuildValue("(n)", (Py_ssize_t)n);
    PyObject *all = first && shape ? PySequence_Concat(first, shape) : Py_XNewRef(first);
    Py_XDECREF(first);
    return all;
}

bool core_memory_make(core_memory *memory, size_t n, PyObject *shape, const char *type, size_t item) {
    memory->item = item;
    return core_form_make(&memory->form, batched(n, shape), type, n * item);
}

void core_memory_free(core_memory *memory) {
    core_form_free(&memory->form);
    Py_CLEAR(memory->bound);
    Py_XDECREF(core_memory_close(memory));
}

bool core_memory_open(core *c, core_memory *memory, bool copies, int turn) {
    PyObject *array = Py_XNewRef(memory->bound);
    if (!array) {
        memory->now = core_form_open(c, &memory->form, copies ? CORE_ANY : turn, &memory->view);
        return memory->now != NULL;
    }
    if (core_open(c, array, memory->form.size, &memory->view)) return memory->now = array, true;
    Py_DECREF(array);
    return false;
}

PyObject *core_memory_close(core_memory *memory) {
    PyObject *array = memory->now;
    memory->now = NULL;
    if (array) PyBuffer_Release(&memory->view);
    return array;
}

int core_memory_traverse(core_memory *memory, visitproc visit, void *arg) {
    Py_VISIT(memory->bound); /* the array may be of a class of the caller's; those of the form are plain arrays */
    Py_VISIT(memory->now);
    return 0;
}

/* ---- Making ---- */

static bool is_of_numbers(const core_field *field) {
    return field->kind != CORE_FIELD_WORDS && field->kind != CORE_FIELD_TEXT;
}

static bool make_numbers(const core_frame *frame, core_field *field) {
    const core_look *look = frame->look;
    const core_form *form = field->kind == CORE_FIELD_ARRAY  ? &look->array[field->array].form
                            : field->kind == CORE_FIELD_FLAT ? &look->flat
                            : field->kind == CORE_FIELD_SIZE ? &look->size
                                                             : NULL;
    if (!form) return core_memory_make(&field->memory, frame->n, NULL, "int64", sizeof(int64_t));
    return core_memory_make(&field->memory, frame->n, form->shape, form->type, form->size);
}

static bool make_field(core_frame *frame, core_field field) {
    core_field *f = &frame->fields[frame->n_fields++];
    *f = field;
    if (is_of_numbers(f)) return make_numbers(frame, f);
    if (f->kind == CORE_FIELD_TEXT) {
        f->texts = calloc(frame->n, sizeof *f->texts);
        for (size_t i = 0; f->texts && i < frame->n; i++) f->texts[i] = sb_out_growing();
        return f->texts || (PyErr_NoMemory(), false);
    }
    f->words = calloc(frame->n, sizeof *f->words);
    f->episodes = calloc(frame->n, sizeof *f->episodes);
    return (f->words && f->episodes) || (PyErr_NoMemory(), false);
}

/* Makes a field for each array of the look, as numbers or as values. */
static bool make_dict(core_frame *frame, const core_part *part) {
    const core_look *look = frame->look;
    if (look->n_arrays == 0)
        return core_refuse(look->core, "InvalidError", "obs: %s has no arrays", look->family->name), false;
    for (size_t i = 0; i < look->n_arrays; i++) {
        const core_array *a = &look->array[i];
        const bool values = part->kind == CORE_VALUES;
        const core_field_kind kind = values && core_is_text(a)     ? CORE_FIELD_WORDS
                                     : values && core_is_single(a) ? CORE_FIELD_NUMBER
                                                                   : CORE_FIELD_ARRAY;
        if (!make_field(frame, (core_field){.kind = kind, .part = part, .array = i, .name = a->name})) return false;
    }
    return !look->has_size ||
           make_field(frame, (core_field){.kind = CORE_FIELD_SIZE, .part = part, .name = look->size_name});
}

static bool make_part(core_frame *frame, const core_part *part) {
    switch (part->kind) {
    case CORE_ARRAYS:
    case CORE_VALUES: return make_dict(frame, part);
    case CORE_ARRAY:
    case CORE_PIXELS:
        return make_field(frame, (core_field){.kind = CORE_FIELD_ARRAY, .part = part, .array = part->array});
    case CORE_FLAT: return make_field(frame, (core_field){.kind = CORE_FIELD_FLAT, .part = part});
    case CORE_NOTHING: return make_field(frame, (core_field){.kind = CORE_FIELD_NOTHING, .part = part});
    default: return make_field(frame, (core_field){.kind = CORE_FIELD_TEXT, .part = part});
    }
}

bool core_frame_make(core_frame *frame, core_look *look, size_t n, bool copies) {
    frame->look = look, frame->n = n, frame->copies = copies;
    frame->fields = calloc(look->n_parts * (look->n_arrays + 2), sizeof *frame->fields);
    frame->lines = calloc(look->n_parts * (look->n_arrays + 2), sizeof *frame->lines);
    frame->scratch = malloc(n * core_scratch_size(look) + 1);
    if (!frame->fields || !frame->lines || !frame->scratch) return PyErr_NoMemory(), false;
    for (size_t i = 0; i < look->n_parts; i++)
        if (!make_part(frame, &look->part[i])) return false;
    return true;
}

void core_frame_free(core_frame *frame) {
    for (size_t k = 0; k < frame->n_fields; k++) {
        core_field *f = &frame->fields[k];
        core_memory_free(&f->memory);
        for (size_t i = 0; f->texts && i < frame->n; i++) sb_out_free(&f->texts[i]);
        for (size_t i = 0; f->words && i < frame->n; i++) Py_CLEAR(f->words[i]);
        free(f->texts), free(f->words), free(f->episodes);
    }
    free(frame->fields), free(frame->lines), free(frame->scratch);
    *frame = (core_frame){0};
}

/* ---- A step ---- */

/* Whether a field's numbers are those of the episode, as they lie there. */
static bool is_line(const core_frame *frame, const core_field *f) {
    return f->kind == CORE_FIELD_ARRAY && !frame->look->array[f->array].padded;
}

bool core_frame_open(core_frame *frame) {
    frame->n_lines = 0;
    for (size_t k = 0; k < frame->n_fields; k++) {
        core_field *f = &frame->fields[k];
        if (!is_of_numbers(f)) continue;
        if (!core_memory_open(frame->look->core, &f->memory, frame->copies, frame->turn))
            return core_frame_drop(frame), false;
        if (is_line(frame, f))
            frame->lines[frame->n_lines++] = (core_line){
                .to = f->memory.view.buf, .item = f->memory.item, .array = frame->look->array[f->array].array};
        if (f->kind == CORE_FIELD_NOTHING) memset(f->memory.view.buf, 0, frame->n * f->memory.item);
    }
    return true;
}

static void fill_numbers(const core_frame *frame, const core_field *f, size_t i, const sb_env *env) {
    char *to = (char *)f->memory.view.buf + i * f->memory.item;
    char *scratch = frame->scratch + i * core_scratch_size(frame->look);
    if (f->kind == CORE_FIELD_NOTHING) return; /* the field is all zeros since it was opened */
    /* A number fills only a part of its item. */
    if (!env->state || f->kind == CORE_FIELD_NUMBER) memset(to, 0, f->memory.item);
    if (!env->state) return;
    if (f->kind == CORE_FIELD_NUMBER || f->kind == CORE_FIELD_ARRAY) core_fill(frame->look, env, f->array, to, scratch);
    if (f->kind == CORE_FIELD_SIZE) core_fill_size(frame->look, env, (int16_t *)(void *)to);
    if (f->kind == CORE_FIELD_FLAT) core_fill_flat(frame->look, env, (float *)(void *)to, scratch);
}

static void fill_lines(const core_frame *frame, size_t i, const sb_env *env) {
    for (const core_line *line = frame->lines, *end = line + frame->n_lines; line < end; line++) {
        char *to = line->to + i * line->item;
        if (env->state)
            sb_fill_array(env, line->array, to);
        else
            memset(to, 0, line->item);
    }
}

void core_frame_fill(core_frame *frame, size_t i, const sb_env *env) {
    fill_lines(frame, i, env);
    if (frame->n_lines == frame->n_fields) return;
    for (size_t k = 0; k < frame->n_fields; k++) {
        core_field *f = &frame->fields[k];
        if (is_of_numbers(f) && !is_line(frame, f)) fill_numbers(frame, f, i, env);
        if (f->kind != CORE_FIELD_TEXT) continue;
        sb_out_clear(&f->texts[i]);
        if (env->state) core_write_mode(frame->look, env, f->part->mode, &f->texts[i]);
    }
}

void core_frame_drop(core_frame *frame) {
    for (size_t k = 0; k < frame->n_fields; k++) Py_XDECREF(core_memory_close(&frame->fields[k].memory));
}

void core_frame_forget(core_frame *frame) {
    for (size_t k = 0; k < frame->n_fields; k++)
        for (size_t i = 0; frame->fields[k].words && i < frame->n; i++) Py_CLEAR(frame->fields[k].words[i]);
}

/* ---- What was shown ---- */

static PyObject *read_words(const core_frame *frame, const core_field *f, size_t i, const sb_env *env) {
    char *text = frame->scratch + i * core_scratch_size(frame->look);
    const size_t n = frame->look->array[f->array].form.size;
    if (!env->state) return PyUnicode_FromString("");
    env->family->fill(env, f->array, text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strnlen(text, n), NULL);
}

/* The texts of a field as str. Texts that do not change in an episode are made once in it. */
static PyObject *words_of(const core_frame *frame, core_field *f, const sb_batch *batch) {
    const bool constant = frame->look->array[f->array].array->constant;
    PyObject *all = PyTuple_New((Py_ssize_t)frame->n);
    for (size_t i = 0; all && i < frame->n; i++) {
        const uint64_t episode = sb_batch_episode(batch, i);
        if (!constant || !f->words[i] || f->episodes[i] != episode) {
            PyObject *made = read_words(frame, f, i, sb_batch_env(batch, i)), *old = f->words[i];
            f->words[i] = made, f->episodes[i] = episode;
            Py_XDECREF(old);
        }
        core_set(&all, i, Py_XNewRef(f->words[i]));
    }
    return all;
}

static PyObject *text_of(core_frame *frame, const core_field *f, const sb_out *text) {
    if (!sb_out_ok(text)) return PyErr_NoMemory();
    if (!text->size && f->part->kind != CORE_TEXT) return PyDict_New(); /* no episode has begun */
    return core_part_of_text(frame->look, f->part, text->size ? text->data : "", text->size);
}

static PyObject *texts_of(core_frame *frame, const core_field *f) {
    PyObject *all = PyTuple_New((Py_ssize_t)frame->n);
    for (size_t i = 0; all && i < frame->n; i++) core_set(&all, i, text_of(frame, f, &f->texts[i]));
    return all;
}

static PyObject *value_of(core_frame *frame, core_field *f, const sb_batch *batch, PyObject *owner) {
    if (is_of_numbers(f)) return core_memory_close(&f->memory);
    if (f->kind == CORE_FIELD_WORDS) return words_of(frame, f, batch);
    PyObject *texts = texts_of(frame, f);
    if (!texts || f->part->kind != CORE_VALUES_OF_DOCUMENT) return texts;
    PyObject *stacked = PyObject_CallMethod(owner, "_stack", "OO", f->part->key, texts);
    Py_DECREF(texts);
    return stacked;
}

/* The observation of a part, whose fields follow each other; `k` goes to those of the next part. */
static PyObject *part_of(core_frame *frame, size_t *k, const sb_batch *batch, PyObject *owner) {
    core_field *first = &frame->fields[*k];
    if (!first->name) return value_of(frame, &frame->fields[(*k)++], batch, owner);
    PyObject *dict = PyDict_New();
    for (; *k < frame->n_fields && frame->fields[*k].part == first->part; ++*k)
        if (dict) core_put(&dict, frame->fields[*k].name, value_of(frame, &frame->fields[*k], batch, owner));
    return dict;
}

PyObject *core_frame_close(core_frame *frame, const sb_batch *batch, PyObject *owner) {
    size_t k = 0;
    const core_look *look = frame->look;
    PyObject *all = look->several ? PyDict_New() : part_of(frame, &k, batch, owner);
    while (look->several && all && k < frame->n_fields) {
        PyObject *key = frame->fields[k].part->key;
        core_put(&all, key, part_of(frame, &k, batch, owner));
    }
    core_frame_drop(frame); /* what a failure left */
    frame->turn = !frame->turn;
    return all;
}
