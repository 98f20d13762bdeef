#include "exporters/image.h"

#include <png.h>

#include "base/error.h"

bool sb_put_png(sb_out *out, const uint8_t *pixels, int width, int height, const sb_rgb *palette, size_t n,
                sb_error *error) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = palette ? PNG_FORMAT_RGB_COLORMAP : PNG_FORMAT_RGB,
                       .colormap_entries = (png_uint_32)n};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *room = sb_out_reserve(out, size);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
    if (!png_image_write_to_memory(&image, room, &size, 0, pixels, 0, palette))
        return sb_fail(error, SB_INVALID, "libpng cannot write the picture: %s", image.message);
    sb_out_advance(out, size);
    return true;
}

bool sb_get_png(const void *bytes, size_t n, int width, int height, uint8_t *rgb, sb_error *error) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, n))
        return sb_fail(error, SB_INVALID, "it is no picture: %s", image.message);
    image.format &= PNG_FORMAT_FLAG_ALPHA; /* the picture is refused if it has what would be transparent */
    const bool fits = image.width == (png_uint_32)width && image.height == (png_uint_32)height && !image.format;
    if (!fits) {
        sb_fail(error, SB_INVALID, "it has %u x %u pixels%s, but should have %d x %d", image.width, image.height,
                image.format ? ", some transparent" : "", width, height);
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    return png_image_finish_read(&image, NULL, rgb, 0, NULL) ||
           sb_fail(error, SB_INVALID, "it is damaged: %s", image.message);
}
