/* A picture of an episode in memory of its own, which the next picture uses again. */
#ifndef SB_EXPORTERS_IMAGE_H
#define SB_EXPORTERS_IMAGE_H

#include "engine/environment.h"
#include "seedbed/picture.h"

/* Zeroed, it is empty. */
typedef struct sb_image {
    int width, height;
    uint8_t *pixels; /* on the heap */
    size_t capacity;
} sb_image;

/* Draws the environment's state. Allocates only if the picture is larger than those before it. */
bool sb_image_draw(sb_image *image, const sb_brush *brush, const sb_env *env, sb_error *error);
void sb_image_free(sb_image *image);

#endif
