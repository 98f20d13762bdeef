#include "cli/drawing.h"

#include "base/error.h"
#include "exporters/image.h"

bool cli_look_is_given(const cli_look *look) {
    return look->name || look->tile || look->view || look->size || look->no_panel || look->no_highlight;
}

sb_brush_options cli_brush_options(const cli_look *look) {
    return (sb_brush_options){.tile = (int32_t)look->tile,
                              .view = (int32_t)look->view,
                              .size = (int32_t)look->size,
                              .no_panel = look->no_panel,
                              .no_highlight = look->no_highlight};
}

sb_brush *cli_brush_make(const sb_family *family, const cli_look *look, bool indexed, sb_error *error) {
    const sb_look *which = look->name ? sb_look_find(family, look->name, error) : sb_look_at(family, 0);
    sb_brush_options options = cli_brush_options(look);
    options.indexed = indexed && which && which->indexed;
    if (!which && !look->name) sb_fail(error, SB_UNKNOWN, "family %s has no pictures", sb_family_name(family));
    return which ? sb_brush_make(family, which, &options, error) : NULL;
}

bool cli_put_still(sb_out *out, const sb_env *env, const cli_look *look, sb_error *error) {
    size_t n;
    sb_image picture = {0};
    sb_brush *brush = cli_brush_make(env->family, look, true, error);
    bool ok = brush && sb_image_draw(&picture, brush, env, error);
    if (ok) {
        const sb_rgb *palette = sb_brush_palette(brush, &n);
        ok = sb_put_png(out, picture.pixels, picture.width, picture.height, palette, n, error);
    }
    sb_image_free(&picture);
    sb_brush_free(brush);
    return ok;
}
