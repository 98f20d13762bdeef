/* Pictures: episodes as pixels, for learners and for people. A family has looks; a brush draws one of them. The array
 * of a brush is an array like any other: sb_observe_array, batches and sb_name_extent take it.
 *
 *     const sb_look *look = sb_look_find(family, "flat", &error);
 *     sb_brush *brush = sb_brush_make(family, look, &(sb_brush_options){.tile = 8}, &error);
 *     size_t bytes = sb_observe_array(env, sb_brush_array(brush), pixels, sizeof pixels);
 *     sb_brush_free(brush);
 *
 * A picture is a function of what the agent is shown (unless its look is privileged) and of the brush: the same state
 * gives the same bytes on every machine. Nothing is blended or scaled. docs/pictures.md shows what the pixels mean. */
#ifndef SEEDBED_PICTURE_H
#define SEEDBED_PICTURE_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A colour: red, green, blue. */
typedef uint8_t sb_rgb[3];

/* A way to show an episode as a picture. */
typedef struct sb_look {
    const char *name, *alias; /* alias: the published name, or NULL */
    const char *summary;      /* one sentence: what a picture shows */
    const char *version;      /* version of the look's drawings: a change of one pixel is another version */
    int code;                 /* a number by which the family knows the look */
    int32_t display_tile; /* side of a cell in pixels that suits people; in published looks, that of `render`; 0 if the
                             look is sized */
    bool is_sized;        /* all pictures have one size (sb_brush_options.size), whatever the size of the grid */
    bool privileged;      /* shows more than an agent of the task may see, as in sb_mode */
    bool indexed;         /* pixels may be colour numbers (sb_brush_options.indexed) */
} sb_look;

/* How to draw. Members that are zero have the default. */
typedef struct sb_brush_options {
    int32_t tile;      /* side of a cell in pixels. 0: 8. Look `flat`: 8 or 16; `view` and `grid`: 1 to 64 */
    int32_t size;      /* look `isometric`: side of the picture in pixels, 64 to 1024. 0: 512 */
    int32_t view;      /* look `flat`: 0, the whole grid; an odd number K up to 61, K x K cells around the agent */
    bool no_panel;     /* look `flat`: without the two rows of tiles below the grid */
    bool no_highlight; /* look `grid` of BabyAI: without marking the cells that the agent sees */
    bool indexed;      /* one byte a pixel, an index into sb_brush_palette, instead of red, green and blue */
} sb_brush_options;

/* Returns the looks of a family, from 0; NULL at the end. */
SB_API const sb_look *sb_look_at(const sb_family *family, size_t index);
/* Finds a look by its name or alias. An unknown name is an error that lists the known ones. */
SB_API const sb_look *sb_look_find(const sb_family *family, const char *name, sb_error *error);

/* Makes a brush, which draws episodes of this family; options = NULL: all defaults. Draws all tiles, which takes
 * from less than a millisecond to some thirty (tiles of 64); afterwards nothing is allocated. What a brush draws never
 * changes, so threads may share it. It must outlive the batches that use its array. Fails if the look cannot be drawn
 * in this way; then the error says what it takes. */
SB_API sb_brush *sb_brush_make(const sb_family *family, const sb_look *look, const sb_brush_options *options,
                               sb_error *error);
SB_API void sb_brush_free(sb_brush *brush);

/* Returns the brush's array, `pixels`: height x width x 3 bytes (red, green, blue), or height x width bytes if the
 * brush is indexed; rows from the top, without gaps. The size depends on task and difficulty only (sb_name_extent).
 * Cost: linear in the number of pixels; some nanoseconds a cell with tiles of 8. The array lives as long as the brush.
 */
SB_API const sb_array *sb_brush_array(const sb_brush *brush);
/* Returns the colours of an indexed brush, red, green, blue, and their number, at most 256; NULL and 0 for other
 * brushes. Index 0 is black and stands for what lies outside. */
SB_API const sb_rgb *sb_brush_palette(const sb_brush *brush, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
