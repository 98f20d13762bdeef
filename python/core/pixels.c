#include "python/core/pixels.h"

#include "engine/contract.h"

/* ---- Brushes ---- */

enum { REMEMBERED = 16 };

static const char capsule_name[] = "seedbed brush";

const sb_brush *core_brush_of(PyObject *object) { return PyCapsule_GetPointer(object, capsule_name); }

static void drop(PyObject *capsule) { sb_brush_free(PyCapsule_GetPointer(capsule, capsule_name)); }

static PyObject *draw(core *c, const sb_family *family, const sb_look *look, const sb_brush_options *options) {
    sb_error error;
    sb_brush *brush;
    Py_BEGIN_ALLOW_THREADS;
    brush = sb_brush_make(family, look, options, &error);
    Py_END_ALLOW_THREADS;
    if (!brush) return core_raise(c, &error);
    PyObject *capsule = PyCapsule_New(brush, capsule_name, drop);
    if (!capsule) sb_brush_free(brush);
    return capsule;
}

/* Remembers a brush; all others are forgotten when there are too many. False with an exception. */
static bool remember(core *c, PyObject *key, PyObject *brush) {
    if (PyDict_Size(c->brushes) >= REMEMBERED) PyDict_Clear(c->brushes);
    return PyDict_SetItem(c->brushes, key, brush) == 0;
}

PyObject *core_brush_make(core *c, const sb_family *family, const sb_look *look, const sb_brush_options *o) {
    if (!c->brushes && !(c->brushes = PyDict_New())) return NULL;
    PyObject *key = Py_BuildValue("(ssiiiiii)", family->name, look->name, (int)o->tile, (int)o->size, (int)o->view,
                                  (int)o->no_panel, (int)o->no_highlight, (int)o->indexed);
    PyObject *brush = key ? Py_XNewRef(PyDict_GetItemWithError(c->brushes, key)) : NULL;
    if (key && !brush && !PyErr_Occurred()) {
        brush = draw(c, family, look, o);
        if (brush && !remember(c, key, brush)) Py_CLEAR(brush);
    }
    Py_XDECREF(key);
    return brush;
}

/* ---- Arguments ---- */

static bool read_side(core *c, PyObject *said, const char *wanted, int32_t *side) {
    long number = 0;
    if (said != Py_None && !core_read_number(c, said, 0, INT16_MAX, wanted, &number)) return false;
    return *side = (int32_t)number, true;
}

static bool read_look(core *c, const sb_family *family, PyObject *said, const sb_look **look) {
    const char *text = PyUnicode_Check(said) ? core_utf8(said) : NULL;
    sb_error error = {.text = "the name of a look is a str"};
    *look = NULL;
    if (said == Py_None) return true;
    if (PyErr_Occurred()) return false;
    if (text && (*look = sb_look_find(family, text, &error))) return true;
    return core_refuse(c, "InvalidError", "look: %s", error.text), false;
}

bool core_read_pixels(core *c, const sb_family *family, const core_pixel_arguments *said, core_pixels *pixels) {
    sb_brush_options *o = &pixels->options;
    *pixels = (core_pixels){0};
    if (!read_look(c, family, said->look, &pixels->look) ||
        !read_side(c, said->tile, "tile is None or a number of pixels", &o->tile) ||
        !read_side(c, said->size, "size is None or a number of pixels", &o->size) ||
        !read_side(c, said->view, "view is None or a number of cells", &o->view))
        return false;
    o->no_panel = !said->panel, o->no_highlight = !said->highlight, o->indexed = said->indexed;
    return true;
}

bool core_check_pixels(core *c, const sb_family *family, const core_pixels *pixels) {
    const sb_brush_options *o = &pixels->options;
    const sb_look *look = core_observed_look(family, pixels);
    if (!pixels->look && !o->tile && !o->size && !o->view && !o->no_panel && !o->no_highlight && !o->indexed)
        return true;
    if (!look) return core_refuse(c, "InvalidError", "tasks of %s have no pictures", family->name), false;
    PyObject *brush = core_brush_make(c, family, look, o);
    Py_XDECREF(brush);
    return brush != NULL;
}

/* ---- Which look ---- */

const sb_look *core_observed_look(const sb_family *family, const core_pixels *pixels) {
    return pixels && pixels->look ? pixels->look : sb_look_at(family, 0);
}

bool core_rendered_pixels(const sb_family *family, const core_pixels *pixels, const char *mode, core_pixels *rendered) {
    sb_error error;
    const bool any = strcmp(mode, "rgb_array") == 0;
    const sb_look *look = any && pixels->look ? pixels->look : sb_look_find(family, mode, &error);
    *rendered = *pixels;
    rendered->look = look || !any ? look : sb_look_at(family, 0);
    rendered->options.indexed = false;
    if (rendered->look && !rendered->options.tile) rendered->options.tile = rendered->look->display_tile;
    return rendered->look;
}
