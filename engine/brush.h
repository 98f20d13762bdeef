/* Pictures: the contract between a family's looks and everything that draws them. */
#ifndef SB_ENGINE_BRUSH_H
#define SB_ENGINE_BRUSH_H

#include "base/pictures/palette.h"
#include "engine/contract.h"
#include "seedbed/picture.h"

/* A family with looks puts this into its sb_family. */
struct sb_picture_source {
    const sb_look *looks; /* looks for learners first; the last one is what people are shown */
    size_t n_looks;
    /* Makes brush->tiles, one block from malloc, and sets brush->palette if the look is indexed. The family, the look
     * and the options are set; the options have no zeros that mean a default, and the look takes none of those that it
     * must refuse here. */
    bool (*make)(sb_brush *brush, sb_error *error);
    void (*clear)(sb_brush *brush); /* frees what `make` made, also if it failed half-way */
    /* Gives the height and the width of all pictures of this task and difficulty, in pixels. */
    void (*size)(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]);
    /* Whether pictures of this task and difficulty are too small to tell every fact. NULL: none is. */
    bool (*is_small)(const sb_brush *brush, const sb_task_info *task, size_t difficulty);
    /* Draws a picture of the size that `size` gives. Must not allocate and cannot fail. Threads call it at the same
     * time. */
    void (*paint)(const sb_brush *brush, const sb_env *env, uint8_t *pixels);
};

struct sb_brush {
    const sb_family *family;
    const sb_look *look;
    sb_brush_options options;
    sb_array array;
    const sb_palette *palette; /* palette of an indexed look; belongs to the tiles */
    void *tiles;               /* what the family draws with; does not change after it was made */
};

/* Fails if a tile does not have 1 to `most` pixels a side. */
bool sb_brush_check_tile(const sb_brush *brush, int32_t most, sb_error *error);
/* Fails if an option is set that the look does not have; `has`: a bit for each of these options that it has. */
enum { SB_BRUSH_VIEW = 1, SB_BRUSH_PANEL = 2, SB_BRUSH_HIGHLIGHT = 4 };
bool sb_brush_check_options(const sb_brush *brush, unsigned has, sb_error *error);

bool sb_brush_is_small(const sb_brush *brush, const sb_task_info *task, size_t difficulty);

/* Returns how many bytes a pixel has: 1 or 3. */
static inline int sb_brush_depth(const sb_brush *brush) { return brush->options.indexed ? 1 : 3; }

#endif
