#include "engine/brush.h"

#include <stdlib.h>

#include "base/error.h"

enum { TILE = 8, SIZE = 512 /* pixels, if the options do not say it */ };

const sb_look *sb_look_at(const sb_family *family, size_t index) {
    return family->pictures && index < family->pictures->n_looks ? &family->pictures->looks[index] : NULL;
}

static bool has_look(const sb_family *family, const sb_look *look) {
    const sb_picture_source *source = family->pictures;
    return source && look >= source->looks && look < source->looks + source->n_looks;
}

static void describe(sb_brush *brush) {
    brush->array = (sb_array){
        .name = "pixels", .type = SB_UINT8, .rank = brush->options.indexed ? 2 : 3, .values = 256, .brush = brush};
    if (brush->options.indexed) brush->array.values = brush->palette->n;
}

/* A look has either tiles or a size. */
static bool check_measure(const sb_brush *brush, sb_error *error) {
    const sb_brush_options *o = &brush->options;
    if (!(brush->look->is_sized ? o->tile : o->size)) return true;
    return sb_fail(error, SB_INVALID,
                   brush->look->is_sized ? "look %s: it has no option `tile`, but `size`, the side of the picture"
                                         : "look %s: it has no option `size`, but `tile`, the side of a cell",
                   brush->look->name);
}

static bool prepare(sb_brush *brush, sb_error *error) {
    sb_brush_options *o = &brush->options;
    if (!check_measure(brush, error)) return false;
    if (brush->look->is_sized && !o->size) o->size = SIZE;
    if (!brush->look->is_sized && !o->tile) o->tile = TILE;
    if (o->indexed && !brush->look->indexed)
        return sb_fail(error, SB_INVALID, "look %s has more colours than a palette holds: leave out `indexed`",
                       brush->look->name);
    if (!brush->family->pictures->make(brush, error)) return false;
    describe(brush);
    return true;
}

sb_brush *sb_brush_make(const sb_family *family, const sb_look *look, const sb_brush_options *options,
                        sb_error *error) {
    if (!has_look(family, look))
        return sb_fail(error, SB_INVALID, "look %s does not belong to family %s", look->name, family->name), NULL;
    sb_brush *brush = calloc(1, sizeof *brush);
    if (!brush) return sb_fail(error, SB_MEMORY, "out of memory for a brush"), NULL;
    *brush = (sb_brush){.family = family, .look = look};
    if (options) brush->options = *options;
    if (prepare(brush, error)) return brush;
    sb_brush_free(brush);
    return NULL;
}

void sb_brush_free(sb_brush *brush) {
    if (!brush) return;
    brush->family->pictures->clear(brush);
    free(brush);
}

bool sb_brush_is_small(const sb_brush *brush, const sb_task_info *task, size_t difficulty) {
    const sb_picture_source *source = brush->family->pictures;
    return source->is_small && source->is_small(brush, task, difficulty);
}

/* ---- For looks ---- */

bool sb_brush_check_tile(const sb_brush *brush, int32_t most, sb_error *error) {
    const int32_t tile = brush->options.tile;
    return (tile >= 1 && tile <= most) ||
           sb_fail(error, SB_INVALID, "look %s: tiles have 1 to %d pixels a side, not %d", brush->look->name, most,
                   tile);
}

bool sb_brush_check_options(const sb_brush *brush, unsigned has, sb_error *error) {
    const sb_brush_options *o = &brush->options;
    const char *missing = o->view && !(has & SB_BRUSH_VIEW)                ? "view"
                          : o->no_panel && !(has & SB_BRUSH_PANEL)         ? "panel"
                          : o->no_highlight && !(has & SB_BRUSH_HIGHLIGHT) ? "highlight"
                                                                           : NULL;
    return !missing || sb_fail(error, SB_INVALID, "look %s: it has no option `%s`", brush->look->name, missing);
}

/* ---- Arrays ---- */

const sb_array *sb_brush_array(const sb_brush *brush) { return &brush->array; }

const sb_rgb *sb_brush_palette(const sb_brush *brush, size_t *n) {
    const sb_palette *palette = brush->options.indexed ? brush->palette : NULL;
    *n = palette ? (size_t)palette->n : 0;
    return palette ? palette->rgb : NULL;
}
