#include "exporters/image.h"

#include <stdlib.h>

#include "base/error.h"

bool sb_image_draw(sb_image *image, const sb_brush *brush, const sb_env *env, sb_error *error) {
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array = sb_brush_array(brush);
    if (!sb_name_extent(env->catalogue, &env->name, array, extent, error)) return false;
    const size_t size = sb_numbers_size(array->type, array->rank, extent);
    if (size > image->capacity) {
        uint8_t *pixels = realloc(image->pixels, size);
        if (!pixels) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
        image->pixels = pixels, image->capacity = size;
    }
    image->height = extent[0], image->width = extent[1];
    sb_observe_array(env, array, image->pixels, image->capacity);
    return true;
}

void sb_image_free(sb_image *image) { free(image->pixels); }
