#include "agents/slot.h"

#include "base/error.h"
#include "exporters/image.h"
#include "exporters/pixels.h"

bool sb_hello_brush(const cJSON *hello, const sb_family *family, sb_brush **brush, sb_error *error) {
    sb_export export = {.family = family};
    return sb_pixels_read(&export, hello, SB_PIXELS_FILES, brush, error);
}

static bool pack(const sb_brush *brush, const sb_env *env, sb_out *pixels, sb_out *png, sb_error *error) {
    int32_t extent[SB_ARRAY_RANK];
    size_t n_colours;
    const sb_array *array = sb_brush_array(brush);
    const sb_rgb *palette = sb_brush_palette(brush, &n_colours);
    const size_t n = sb_observe_array(env, array, NULL, 0);
    char *room = sb_out_reserve(pixels, n);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
    sb_observe_array(env, array, room, n);
    return sb_name_extent(env->catalogue, &env->name, array, extent, error) &&
           sb_put_png(png, (const uint8_t *)room, extent[1], extent[0], palette, n_colours, error);
}

bool sb_member_picture(sb_out *out, const sb_brush *brush, const sb_env *env, sb_error *error) {
    sb_out pixels = sb_out_growing(), png = sb_out_growing();
    const bool ok = pack(brush, env, &pixels, &png, error);
    sb_put_key(out, "picture");
    sb_puts(out, "{");
    sb_member_text(out, "type", "image/png");
    sb_put_key(out, "data");
    sb_puts(out, "\"");
    if (ok) sb_put_base64(out, png.data, png.size);
    sb_puts(out, "\"}");
    sb_out_free(&pixels), sb_out_free(&png);
    return ok;
}
