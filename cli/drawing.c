#include "cli/drawing.h"

#include <stdlib.h>

#include "base/error.h"
#include "exporters/png.h"

sb_brush *cli_brush_make(const sb_family *family, const cli_look *look, bool indexed, sb_error *error) {
    const sb_look *which = look->name ? sb_look_find(family, look->name, error) : sb_look_at(family, 0);
    const sb_brush_options options = {.tile = (int32_t)look->tile,
                                      .view = (int32_t)look->view,
                                      .size = (int32_t)look->size,
                                      .no_panel = look->no_panel,
                                      .no_highlight = look->no_highlight,
                                      .indexed = indexed && which && which->indexed};
    if (!which && !look->name) sb_fail(error, SB_UNKNOWN, "family %s has no pictures", sb_family_name(family));
    return which ? sb_brush_make(family, which, &options, error) : NULL;
}

bool cli_draw(const sb_brush *brush, const sb_env *env, cli_image *picture, sb_error *error) {
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array = sb_brush_array(brush);
    if (!sb_name_extent(env->catalogue, &env->name, array, extent, error)) return false;
    const size_t size = sb_numbers_size(array->type, array->rank, extent);
    if (size > picture->capacity) {
        uint8_t *pixels = realloc(picture->pixels, size);
        if (!pixels) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
        picture->pixels = pixels, picture->capacity = size;
    }
    picture->height = extent[0], picture->width = extent[1];
    sb_observe_array(env, array, picture->pixels, picture->capacity);
    return true;
}

bool cli_put_still(sb_out *out, const sb_env *env, const cli_look *look, sb_error *error) {
    size_t n;
    cli_image picture = {0};
    sb_brush *brush = cli_brush_make(env->family, look, true, error);
    bool ok = brush && cli_draw(brush, env, &picture, error);
    if (ok) {
        const sb_rgb *palette = sb_brush_palette(brush, &n);
        ok = sb_put_png(out, picture.pixels, picture.width, picture.height, palette, n, error);
    }
    free(picture.pixels);
    sb_brush_free(brush);
    return ok;
}
