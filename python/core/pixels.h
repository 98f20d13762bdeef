/* Pixels: which look draws them, how, and with which brush. */
#ifndef SB_PYTHON_PIXELS_H
#define SB_PYTHON_PIXELS_H

#include "python/core/core.h"
#include "seedbed/picture.h"

/* What the arguments look, tile, size, view, panel, highlight and indexed of make say. */
typedef struct core_pixels {
    const sb_look *look;      /* NULL: not said */
    sb_brush_options options; /* a tile or size of 0: not said */
} core_pixels;

/* The arguments of make about pixels, as they were given; core_pixel_defaults if they were not. */
typedef struct core_pixel_arguments {
    PyObject *look, *tile, *size, *view; /* borrowed; None: not said */
    int panel, highlight, indexed;
} core_pixel_arguments;

static inline core_pixel_arguments core_pixel_defaults(void) {
    return (core_pixel_arguments){
        .look = Py_None, .tile = Py_None, .size = Py_None, .view = Py_None, .panel = 1, .highlight = 1};
}

/* Reads the arguments about pixels for a family. False with an exception. */
bool core_read_pixels(core *c, const sb_family *family, const core_pixel_arguments *said, core_pixels *pixels);
/* False with an exception if pixels are to be what the look of observations cannot do. */
bool core_check_pixels(core *c, const sb_family *family, const core_pixels *pixels);

/* The look of observations: the one that was said, or the family's first. */
const sb_look *core_observed_look(const sb_family *family, const core_pixels *pixels);
/* How render draws, for the mode `rgb_array` or the name of a look: as was said, but in red, green and blue, and with
 * tiles that suit people if none were said. Which look: the one of that name; for `rgb_array` the one that was said,
 * the one with that alias, or the family's first. False without an exception if there is no such look. */
bool core_rendered_pixels(const sb_family *family, const core_pixels *pixels, const char *mode, core_pixels *rendered);

/* A brush, as an object that frees it. Equal ones are the same object for as long as the module remembers it, because
 * drawing tiles takes longer than making an environment. NULL with an exception. */
PyObject *core_brush_make(core *c, const sb_family *family, const sb_look *look, const sb_brush_options *options);
const sb_brush *core_brush_of(PyObject *object);

#endif
