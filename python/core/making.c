#include "python/core/making.h"

#include <sodium.h>
#include <stdio.h>

#include "base/word.h"
#include "cli/canvas.h"
#include "engine/environment.h"
#include "engine/lookup.h"

bool core_read_name(core *c, const char *text, const char *difficulty, sb_name *name, bool *pinned) {
    const char *seed = strchr(text, '#');
    const size_t n = seed ? (size_t)(seed - text) : strlen(text);
    const char *slash = sb_last_slash(text, n);
    char task[128], whole[256];
    const sb_family *family;
    size_t index;
    sb_error error;
    if (n >= sizeof task || (seed && strlen(seed) > 30))
        return core_refuse(c, "UnknownError", "`%.40s...` is no name of an episode", text), false;
    memcpy(task, text, n), task[slash ? slash - text : (ptrdiff_t)n] = '\0';
    if (!sb_task_resolve(c->catalogue, task, &family, &index, &error)) return core_raise(c, &error), false;
    const sb_task_info *info = sb_task_at(c->catalogue, family, index);
    const bool has_medium = sb_difficulty_find(family, info, "medium", &index, &error);
    const char *usual = has_medium ? "medium" : sb_difficulties_of(family, info).names[0];
    char said[64] = "";
    if (slash) snprintf(said, sizeof said, "%.*s", (int)(n - (size_t)(slash - text) - 1), slash + 1);
    if (slash && difficulty && strcmp(said, difficulty) != 0)
        return core_refuse(c, "InvalidError", "the name says `%s`, difficulty= says `%.40s`", said, difficulty), false;
    const char *chosen = slash ? said : difficulty ? difficulty : usual;
    snprintf(whole, sizeof whole, "%s%s%s%s", task, *chosen ? "/" : "", chosen, seed ? seed : "#0");
    if (!sb_name_parse(c->catalogue, whole, name, &error)) return core_raise(c, &error), false;
    *pinned = seed != NULL;
    return true;
}

bool core_read_word(core *c, const char *what, const char *text, const char *const *words, int *index) {
    char known[128] = "";
    for (*index = 0; words[*index]; ++*index)
        if (strcmp(words[*index], text) == 0) return true;
    for (size_t i = 0, n = 0; words[i] && n < sizeof known; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s\"%s\"", i ? ", " : "", words[i]);
    return core_refuse(c, "InvalidError", "%s=\"%.40s\": known are %s", what, text, known), false;
}

static bool is_word(PyObject *value, const char *word) {
    return PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, word) == 0;
}

static bool is_for_people(PyObject *render_mode) {
    return is_word(render_mode, "human") || is_word(render_mode, "ansi");
}

/* Says which render modes there are. */
static bool refuse_render_mode(core *c, const sb_family *family, const char *said) {
    char text[256];
    sb_out out = sb_out_fixed(text, sizeof text);
    const sb_look *look;
    sb_puts(&out, "ansi, human");
    if (sb_look_at(family, 0)) sb_puts(&out, ", rgb_array");
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) sb_putf(&out, ", %s", look->name);
    for (size_t i = 0; i < family->n_modes; i++) sb_putf(&out, ", %s", family->modes[i].name);
    sb_out_finish(&out);
    const size_t n = strlen(said);
    const bool is_list = n > 5 && strcmp(said + n - 5, "_list") == 0;
    core_refuse(c, "InvalidError", "render_mode=\"%.40s\": %s has %s%s", said, family->name, text,
                is_list ? "; gymnasium.make collects frames in a list" : "");
    return false;
}

/* What render draws. */
typedef struct rendering {
    const char *mode;   /* the mode of a text; NULL: pixels */
    core_pixels pixels; /* how pixels are drawn */
    bool blocks;        /* pixels are shown as text */
} rendering;

/* Finds what people are shown: the family's coloured text or, where it has none, its picture in half blocks: a pixel
 * for each cell unless a tile was asked for. */
static void read_for_people(const sb_family *family, const core_pixels *pixels, rendering *r) {
    sb_error error;
    *r = (rendering){.mode = "ascii_color"};
    if (sb_mode_find(family, r->mode, &error)) return;
    r->mode = family->modes[0].name;
    if (!core_rendered_pixels(family, pixels, "rgb_array", &r->pixels)) return;
    r->mode = NULL, r->blocks = true;
    if (!pixels->options.tile && !r->pixels.look->is_sized) r->pixels.options.tile = 1;
}

static bool read_rendering(core *c, const sb_family *family, PyObject *render_mode, const core_pixels *pixels,
                           rendering *r) {
    sb_error error;
    const char *text = PyUnicode_Check(render_mode) ? core_utf8(render_mode) : NULL;
    *r = (rendering){.mode = text};
    if (PyErr_Occurred()) return false;
    if (!text) return core_refuse(c, "InvalidError", "render_mode is None or the name of a mode, a str"), false;
    if (is_for_people(render_mode)) return read_for_people(family, pixels, r), true;
    if (sb_mode_find(family, text, &error)) return true;
    r->mode = NULL;
    return core_rendered_pixels(family, pixels, text, &r->pixels) || refuse_render_mode(c, family, text);
}

bool core_make_picture(core *c, const sb_name *name, PyObject *render_mode, const core_pixels *pixels,
                       core_look **picture, bool *prints) {
    sb_error error;
    rendering r;
    if (prints) *prints = is_word(render_mode, "human");
    if (render_mode == Py_None) return true;
    const sb_family *family = sb_family_find(name->family, &error);
    if (!read_rendering(c, family, render_mode, pixels, &r)) return false;
    PyObject *obs = PyUnicode_FromString(r.mode ? r.mode : "pixels");
    const core_look_plan plan = {
        .name = name, .obs = obs, .pad = Py_None, .pixels = r.mode ? NULL : &r.pixels, .copies = true};
    *picture = obs ? core_look_make(c, &plan) : NULL;
    Py_XDECREF(obs);
    if (*picture) (*picture)->blocks = r.blocks;
    return *picture != NULL;
}

static PyObject *blocks_of(core *c, const sb_brush *brush, const sb_env *env) {
    sb_image image = {0};
    sb_out out = sb_out_growing();
    sb_error error;
    const cli_canvas blocks = {.pixels = CLI_HALF_BLOCKS, .has_all_colours = true};
    const bool ok = sb_image_draw(&image, brush, env, &error) && cli_canvas_put(&out, &blocks, &image, 0, &error);
    sb_image_free(&image);
    PyObject *text = !ok               ? core_raise(c, &error)
                     : sb_out_ok(&out) ? PyUnicode_DecodeUTF8(out.data, (Py_ssize_t)out.size, NULL)
                                       : PyErr_NoMemory();
    sb_out_free(&out);
    return text;
}

PyObject *core_picture_of(core_look *picture, const sb_env *env) {
    if (!picture || !env || !env->state) Py_RETURN_NONE;
    if (picture->blocks) return blocks_of(picture->core, core_brush_of(picture->brush), env);
    return core_look_resize(picture, env) ? core_observe(picture, env) : NULL;
}

uint64_t core_entropy(void) {
    uint64_t seed;
    randombytes_buf(&seed, sizeof seed);
    return seed >> 1; /* as large as the seeds that NumPy itself makes */
}

bool core_fits(const core_look *look, const sb_name *own, const sb_name *name, const char *what) {
    sb_error error;
    sb_shape shape, own_shape;
    if (!sb_name_shape(look->core->catalogue, name, &shape, &error) ||
        !sb_name_shape(look->core->catalogue, own, &own_shape, &error))
        return core_raise(look->core, &error), false;
    if (strcmp(name->family, own->family) == 0 && sb_n_actions(&shape) == sb_n_actions(&own_shape) &&
        core_look_fits(look, name))
        return true;
    return core_refuse(look->core, "InvalidError", "%s: %s%s%s does not fit this environment's spaces", what,
                       name->task, *name->difficulty ? "/" : "", name->difficulty),
           false;
}

/* Reads one member of the options of a reset. */
static bool read_option(core *c, PyObject *key, PyObject *value, core_options *said) {
    const char *word = PyUnicode_Check(key) ? core_utf8(key) : NULL;
    const char *text = PyUnicode_Check(value) ? core_utf8(value) : NULL;
    sb_error error;
    PyErr_Clear(); /* a text that is none in UTF-8 has set an exception */
    if (word && strcmp(word, "seed") == 0)
        return said->has_seed = core_seed(c, value, "options[\"seed\"]", &said->seed);
    if (word && strcmp(word, "name") == 0 && text)
        return (said->has_name = sb_name_parse(c->catalogue, text, &said->name, &error)) ||
               (core_raise(c, &error), false);
    core_refuse(c, "InvalidError", "options may hold \"name\" (a str) and \"seed\", not \"%.40s\"", word ? word : "?");
    return false;
}

static bool is_among(PyObject *key, const char *const *words) {
    for (; words && *words && PyUnicode_Check(key); words++)
        if (PyUnicode_CompareWithASCIIString(key, *words) == 0) return true;
    return false;
}

bool core_read_options(core *c, PyObject *options, const char *const *others, core_options *said) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *said = (core_options){0};
    if (options == Py_None) return true;
    if (!PyDict_Check(options)) return core_refuse(c, "InvalidError", "options is a dict or None"), false;
    PyObject *copy = PyDict_Copy(options); /* what an `__index__` does to the options does not matter to a copy */
    bool ok = copy != NULL;
    while (ok && PyDict_Next(copy, &at, &key, &value)) ok = is_among(key, others) || read_option(c, key, value, said);
    Py_XDECREF(copy);
    return ok;
}

bool core_apply_options(const core_look *look, const core_options *said, sb_name *name) {
    if (said->has_name) {
        if (!core_fits(look, name, &said->name, "options[\"name\"]")) return false;
        *name = said->name;
    }
    if (said->has_seed) name->seed = said->seed;
    return true;
}
