/* Scenes: the sprites of a level, with their pixels, in one order.
 *
 * The rules are those of the published engine of ARC-like games. Comments name the sections of their description
 * (engine 2 is "Sprites", engine 5 "Collisions and picking"). A scene is a value: it has no pointers but to its own
 * memory, and sb_arc_scene_copy makes an equal one. Memory grows and never shrinks, so copying a scene back into one
 * that held it before allocates nothing.
 *
 * Sprites are told by their index in the list. Adding appends; removing moves the later ones down by one. */
#ifndef SB_ARC_SCENE_H
#define SB_ARC_SCENE_H

#include "seedbed.h"

enum {
    SB_ARC_HOLE = -1,        /* a pixel through which one sees; -2 and below: solid, but never drawn */
    SB_ARC_IMAGE_MAX = 1024, /* the longest side of an image; ours, the published engine has no limit */
    SB_ARC_FRAME_SIDE = 64,
    SB_ARC_FRAME = SB_ARC_FRAME_SIDE * SB_ARC_FRAME_SIDE
};

/* With which part a sprite collides: with none, its box, its solid pixels. */
typedef enum sb_arc_blocking { SB_ARC_BLOCKS_NOT, SB_ARC_BLOCKS_BOX, SB_ARC_BLOCKS_PIXEL } sb_arc_blocking;

typedef struct sb_arc_sprite {
    int64_t x, y;          /* place of the top left corner of its image, whatever the image is */
    uint64_t tags;         /* one bit for each tag of the game */
    uint32_t pixels;       /* where its pixels begin in the scene's memory, row by row */
    int32_t width, height; /* size of the pixels, before turning and scaling */
    int32_t layer;         /* higher ones are drawn over lower ones */
    int32_t scale;         /* k > 0: drawn k times as large; k < 0: divided by 1 - k; never 0 */
    uint32_t name;         /* a number that the game gives to the name; names need not differ */
    uint8_t turns;         /* quarter turns clockwise, 0..3 */
    bool mirror_ud, mirror_lr;
    bool visible, collidable;
    uint8_t blocking; /* sb_arc_blocking */
} sb_arc_sprite;

/* The tag `sys_static` of every game. */
#define SB_ARC_STATIC UINT64_C(1)

typedef struct sb_arc_scene {
    sb_arc_sprite *sprites;
    int8_t *pixels;
    /* indices of sprites in the order in which picking looks at them (engine 5); the second half is scratch for
     * drawing */
    uint32_t *order;
    size_t n, capacity; /* how many sprites there are, and how many there is room for */
    size_t n_pixels, pixel_capacity;
    size_t n_ordered;
    bool is_added; /* a sprite was added after `order` was computed */
} sb_arc_scene;

/* A zeroed scene is empty. Frees the memory and empties it. */
void sb_arc_scene_clear(sb_arc_scene *scene);
/* Makes `to` equal to `from`. False: out of memory, `to` is as it was. */
bool sb_arc_scene_copy(sb_arc_scene *to, const sb_arc_scene *from);

/* ---- Changing ---------------------------------------------------------------------------------------------------- */

/* Appends a sprite with these pixels (width * height of them, row by row) and copies them. False: out of memory, or the
 * sprite has no pixels, or its scale is none, or its image would be larger than SB_ARC_IMAGE_MAX. */
bool sb_arc_scene_add(sb_arc_scene *scene, const sb_arc_sprite *sprite, const int8_t *pixels);
/* Appends a copy of a sprite under a name. False: out of memory. */
bool sb_arc_scene_clone(sb_arc_scene *scene, size_t sprite, uint32_t name);
void sb_arc_scene_remove(sb_arc_scene *scene, size_t sprite);
void sb_arc_scene_remove_all(sb_arc_scene *scene);
/* Appends what a over b is, and removes both (engine 2, "Merge"). False: out of memory, or larger than
 * SB_ARC_IMAGE_MAX; then nothing has changed. */
bool sb_arc_scene_merge(sb_arc_scene *scene, size_t a, size_t b);
/* Merges the sprites that block by pixels and have the tag SB_ARC_STATIC, those of each layer into one (engine 6). */
bool sb_arc_scene_merge_static(sb_arc_scene *scene);

/* Functions that change a sprite. Each returns false where the published engine fails; the sprite is then as it was, or
 * as far as it got. */
bool sb_arc_set_rotation(sb_arc_sprite *sprite, int32_t degrees);
bool sb_arc_set_scale(sb_arc_sprite *sprite, int32_t scale);
bool sb_arc_adjust_scale(sb_arc_sprite *sprite, int32_t by);
/* Turns pixels of one colour (any code) into another; `all`: pixels of all colours from 0 up. */
void sb_arc_remap(sb_arc_scene *scene, size_t sprite, bool all, int8_t from, int8_t to);

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

int32_t sb_arc_image_width(const sb_arc_sprite *sprite);
int32_t sb_arc_image_height(const sb_arc_sprite *sprite);
/* The pixel in column i and row j of the image: turned, mirrored up and down, left and right, and scaled. */
int8_t sb_arc_image_pixel(const sb_arc_scene *scene, const sb_arc_sprite *sprite, int32_t i, int32_t j);

/* Whether two sprites collide; `ignore_modes`: as if both were collidable and blocked. */
bool sb_arc_collides(const sb_arc_scene *scene, size_t a, size_t b, bool ignore_modes);
/* Moves a sprite, unless it would then collide; returns whether it moved. Nothing between is looked at. */
bool sb_arc_try_move(sb_arc_scene *scene, size_t sprite, int64_t dx, int64_t dy);
/* The first sprite from `from` on with which a sprite collides; n: none. */
size_t sb_arc_next_collision(const sb_arc_scene *scene, size_t sprite, size_t from, bool ignore_modes);
/* The sprite with the tag (0: with any) that picking finds at a cell; -1: none. Updates the order of picking. */
int64_t sb_arc_sprite_at(sb_arc_scene *scene, int64_t x, int64_t y, uint64_t tag, bool ignore_modes);

/* Draws the visible sprites over a picture of width x height pixels whose top left corner is at (x, y) of the world. */
void sb_arc_scene_draw(sb_arc_scene *scene, int64_t x, int64_t y, int32_t width, int32_t height, uint8_t *picture);
/* Draws one sprite, visible or not. */
void sb_arc_sprite_draw(const sb_arc_scene *scene, const sb_arc_sprite *sprite, int64_t x, int64_t y, int32_t width,
                        int32_t height, uint8_t *picture);

#endif
