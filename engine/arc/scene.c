#include "engine/arc/scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void sb_arc_scene_clear(sb_arc_scene *s) {
    free(s->sprites);
    free(s->pixels);
    free(s->order);
    *s = (sb_arc_scene){0};
}

static bool reserve_sprites(sb_arc_scene *s, size_t n) {
    if (n <= s->capacity) return true;
    const size_t capacity = n < 16 ? 16 : 2 * n;
    sb_arc_sprite *const sprites = realloc(s->sprites, capacity * sizeof *sprites);
    if (sprites) s->sprites = sprites;
    uint32_t *const order = sprites ? realloc(s->order, 2 * capacity * sizeof *order) : NULL;
    if (!order) return false;
    s->order = order;
    s->capacity = capacity;
    return true;
}

/* Moves the pixels of all sprites to the front, over those of sprites that are gone. */
static void collect(sb_arc_scene *s) {
    size_t n = 0;
    for (size_t from = 0;;) {
        size_t next = s->n;
        for (size_t i = 0; i < s->n; i++)
            if (s->sprites[i].pixels >= from && (next == s->n || s->sprites[i].pixels < s->sprites[next].pixels))
                next = i;
        if (next == s->n) break;
        sb_arc_sprite *const sprite = &s->sprites[next];
        const size_t size = (size_t)sprite->width * (size_t)sprite->height;
        from = sprite->pixels + size;
        memmove(s->pixels + n, s->pixels + sprite->pixels, size);
        sprite->pixels = (uint32_t)n;
        n += size;
    }
    s->n_pixels = n;
}

static size_t live_pixels(const sb_arc_scene *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) n += (size_t)s->sprites[i].width * (size_t)s->sprites[i].height;
    return n;
}

static bool reserve_pixels(sb_arc_scene *s, size_t more) {
    if (s->n_pixels + more <= s->pixel_capacity) return true;
    if (2 * (live_pixels(s) + more) <= s->pixel_capacity) return collect(s), true;
    const size_t capacity = 2 * (s->n_pixels + more);
    int8_t *const pixels = capacity < UINT32_MAX ? realloc(s->pixels, capacity) : NULL;
    if (!pixels) return false;
    s->pixels = pixels;
    s->pixel_capacity = capacity;
    return true;
}

bool sb_arc_scene_copy(sb_arc_scene *to, const sb_arc_scene *from) {
    if (!reserve_sprites(to, from->n > from->n_ordered ? from->n : from->n_ordered)) return false;
    if (from->n_pixels > to->pixel_capacity) {
        int8_t *const pixels = realloc(to->pixels, from->n_pixels);
        if (!pixels) return false;
        to->pixels = pixels;
        to->pixel_capacity = from->n_pixels;
    }
    if (from->n) memcpy(to->sprites, from->sprites, from->n * sizeof *to->sprites);
    if (from->n_pixels) memcpy(to->pixels, from->pixels, from->n_pixels);
    if (from->n_ordered) memcpy(to->order, from->order, from->n_ordered * sizeof *to->order);
    to->n = from->n, to->n_pixels = from->n_pixels;
    to->n_ordered = from->n_ordered, to->is_added = from->is_added;
    return true;
}

/* ---- Images ------------------------------------------------------------------------------------------------------ */

static int32_t scaled(int32_t side, int32_t scale) { return scale > 0 ? side * scale : side / (1 - scale); }

static int32_t turned_width(const sb_arc_sprite *s) { return s->turns & 1 ? s->height : s->width; }
static int32_t turned_height(const sb_arc_sprite *s) { return s->turns & 1 ? s->width : s->height; }

int32_t sb_arc_image_width(const sb_arc_sprite *s) { return scaled(turned_width(s), s->scale); }
int32_t sb_arc_image_height(const sb_arc_sprite *s) { return scaled(turned_height(s), s->scale); }

/* The pixel of the picture that is turned and mirrored, but not scaled. Mirrors act on the turned picture. */
static int8_t turned_pixel(const int8_t *pixels, const sb_arc_sprite *s, int32_t i, int32_t j) {
    if (s->mirror_lr) i = turned_width(s) - 1 - i;
    if (s->mirror_ud) j = turned_height(s) - 1 - j;
    int32_t column = i, row = j;
    if (s->turns == 1) column = j, row = s->height - 1 - i;
    if (s->turns == 2) column = s->width - 1 - i, row = s->height - 1 - j;
    if (s->turns == 3) column = s->width - 1 - j, row = i;
    return pixels[row * s->width + column];
}

/* One pixel that stands for a block of side x side: a hole if more than half are holes, else the most frequent colour,
 * of equally frequent ones the highest. */
static int8_t divided_pixel(const int8_t *pixels, const sb_arc_sprite *s, int32_t i, int32_t j, int32_t side) {
    int32_t count[256] = {0}, best = -1;
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++) count[128 + turned_pixel(pixels, s, i * side + x, j * side + y)]++;
    if (2 * count[128 + SB_ARC_HOLE] > side * side) return SB_ARC_HOLE;
    for (int32_t code = 0; code < 256; code++)
        if (code != 128 + SB_ARC_HOLE && count[code] && (best < 0 || count[code] >= count[best])) best = code;
    return (int8_t)(best - 128);
}

int8_t sb_arc_image_pixel(const sb_arc_scene *scene, const sb_arc_sprite *s, int32_t i, int32_t j) {
    const int8_t *pixels = scene->pixels + s->pixels;
    return s->scale > 0 ? turned_pixel(pixels, s, i / s->scale, j / s->scale)
                        : divided_pixel(pixels, s, i, j, 1 - s->scale);
}

static bool is_scale(const sb_arc_sprite *s, int32_t scale) {
    const int32_t longest = s->width > s->height ? s->width : s->height;
    if (scale == 0 || scale > SB_ARC_IMAGE_MAX || scale < -SB_ARC_IMAGE_MAX) return false;
    if (scale > 0) return longest <= SB_ARC_IMAGE_MAX / scale;
    return longest <= SB_ARC_IMAGE_MAX && s->width % (1 - scale) == 0 && s->height % (1 - scale) == 0;
}

bool sb_arc_set_scale(sb_arc_sprite *s, int32_t scale) {
    if (!is_scale(s, scale)) return false;
    s->scale = scale;
    return true;
}

bool sb_arc_adjust_scale(sb_arc_sprite *s, int32_t by) {
    const int64_t target = (int64_t)s->scale + by;
    const int32_t step = by < 0 ? -1 : 1;
    if (by > 0 && target == 0) return false; /* the published engine would never end */
    while (s->scale != target) {             /* 0 is never reached: this goes on down to a scale that does not divide */
        const int32_t next = s->scale + step ? s->scale + step : step;
        if (!sb_arc_set_scale(s, next)) return false;
    }
    return true;
}

bool sb_arc_set_rotation(sb_arc_sprite *s, int32_t degrees) {
    if (degrees % 90 != 0) return false;
    s->turns = (uint8_t)((degrees / 90 % 4 + 4) % 4);
    return true;
}

void sb_arc_remap(sb_arc_scene *scene, size_t sprite, bool all, int8_t from, int8_t to) {
    const sb_arc_sprite *s = &scene->sprites[sprite];
    int8_t *const pixels = scene->pixels + s->pixels;
    for (int32_t i = 0; i < s->width * s->height; i++)
        if (all ? pixels[i] >= 0 : pixels[i] == from) pixels[i] = to;
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

/* Appends a sprite whose pixels are still to be written; NULL: out of memory. */
static int8_t *append(sb_arc_scene *scene, const sb_arc_sprite *sprite) {
    const size_t size = (size_t)sprite->width * (size_t)sprite->height;
    if (!reserve_sprites(scene, scene->n + 1) || !reserve_pixels(scene, size)) return NULL;
    sb_arc_sprite *const s = &scene->sprites[scene->n++];
    *s = *sprite;
    s->pixels = (uint32_t)scene->n_pixels;
    scene->n_pixels += size;
    scene->is_added = true;
    return scene->pixels + s->pixels;
}

bool sb_arc_scene_add(sb_arc_scene *scene, const sb_arc_sprite *sprite, const int8_t *pixels) {
    if (sprite->width < 1 || sprite->height < 1 || !is_scale(sprite, sprite->scale)) return false;
    int8_t *const to = append(scene, sprite);
    if (to) memcpy(to, pixels, (size_t)sprite->width * (size_t)sprite->height);
    return to;
}

bool sb_arc_scene_clone(sb_arc_scene *scene, size_t sprite, uint32_t name) {
    const sb_arc_sprite original = scene->sprites[sprite];
    int8_t *const to = append(scene, &original);
    if (!to) return false;
    memcpy(to, scene->pixels + scene->sprites[sprite].pixels, (size_t)original.width * (size_t)original.height);
    scene->sprites[scene->n - 1].name = name;
    return true;
}

void sb_arc_scene_remove(sb_arc_scene *scene, size_t sprite) {
    scene->n--;
    memmove(&scene->sprites[sprite], &scene->sprites[sprite + 1], (scene->n - sprite) * sizeof *scene->sprites);
}

void sb_arc_scene_remove_all(sb_arc_scene *scene) { scene->n = 0; }

/* ---- Merging ----------------------------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static uint8_t merged_blocking(uint8_t a, uint8_t b) {
    if (a == SB_ARC_BLOCKS_NOT) return b;
    return a == SB_ARC_BLOCKS_BOX && b == SB_ARC_BLOCKS_PIXEL ? b : a;
}

static void merge_interaction(sb_arc_sprite *merged, const sb_arc_sprite *a, const sb_arc_sprite *b) {
    const bool takes_b = (!a->visible && !a->collidable) || (b->visible && b->collidable);
    merged->visible = takes_b ? b->visible : a->visible;
    merged->collidable = takes_b ? b->collidable : a->collidable;
}

/* Writes the image of `part` into the pixels of `merged`, over what is there. */
static void print_image(const sb_arc_scene *scene, const sb_arc_sprite *part, const sb_arc_sprite *merged, int8_t *to) {
    const int64_t dx = part->x - merged->x, dy = part->y - merged->y;
    for (int32_t j = 0; j < sb_arc_image_height(part); j++)
        for (int32_t i = 0; i < sb_arc_image_width(part); i++) {
            const int8_t pixel = sb_arc_image_pixel(scene, part, i, j);
            if (pixel != SB_ARC_HOLE) to[(dy + j) * merged->width + dx + i] = pixel;
        }
}

bool sb_arc_scene_merge(sb_arc_scene *scene, size_t a, size_t b) {
    const sb_arc_sprite *one = &scene->sprites[a], *other = &scene->sprites[b];
    const int64_t x = least(one->x, other->x), y = least(one->y, other->y);
    const int64_t right = most(one->x + sb_arc_image_width(one), other->x + sb_arc_image_width(other));
    const int64_t below = most(one->y + sb_arc_image_height(one), other->y + sb_arc_image_height(other));
    if (right - x > SB_ARC_IMAGE_MAX || below - y > SB_ARC_IMAGE_MAX) return false;
    sb_arc_sprite merged = {.x = x,
                            .y = y,
                            .width = (int32_t)(right - x),
                            .height = (int32_t)(below - y),
                            .scale = 1,
                            .name = one->name,
                            .tags = one->tags | other->tags,
                            .layer = (int32_t)most(one->layer, other->layer),
                            .blocking = merged_blocking(one->blocking, other->blocking)};
    merge_interaction(&merged, one, other);
    int8_t *const pixels = append(scene, &merged);
    if (!pixels) return false;
    memset(pixels, SB_ARC_HOLE, (size_t)merged.width * (size_t)merged.height);
    print_image(scene, &scene->sprites[b], &merged, pixels);
    print_image(scene, &scene->sprites[a], &merged, pixels);
    sb_arc_scene_remove(scene, a > b ? a : b);
    if (a != b) sb_arc_scene_remove(scene, a < b ? a : b);
    return true;
}

static bool is_static(const sb_arc_sprite *s) {
    return s->blocking == SB_ARC_BLOCKS_PIXEL && (s->tags & SB_ARC_STATIC);
}

/* The first static sprite of the first n, of this layer if one is asked; n: none. */
static size_t first_static(const sb_arc_scene *scene, size_t n, const int32_t *layer) {
    size_t i = 0;
    while (i < n && !(is_static(&scene->sprites[i]) && (!layer || scene->sprites[i].layer == *layer))) i++;
    return i;
}

static bool move_to_end(sb_arc_scene *scene, size_t sprite) {
    if (!sb_arc_scene_clone(scene, sprite, scene->sprites[sprite].name)) return false;
    sb_arc_scene_remove(scene, sprite);
    return true;
}

/* The merged sprites are at the end of the list, behind the `left` ones that were not looked at. */
bool sb_arc_scene_merge_static(sb_arc_scene *scene) {
    for (size_t left = scene->n, first; (first = first_static(scene, left, NULL)) < left;) {
        const int32_t layer = scene->sprites[first].layer;
        if (!move_to_end(scene, first)) return false;
        left--;
        for (size_t next; (next = first_static(scene, left, &layer)) < left; left--)
            if (!sb_arc_scene_merge(scene, scene->n - 1, next)) return false;
    }
    return true;
}

/* ---- Collisions -------------------------------------------------------------------------------------------------- */

bool sb_arc_collides(const sb_arc_scene *scene, size_t a, size_t b, bool ignore_modes) {
    const sb_arc_sprite *one = &scene->sprites[a], *other = &scene->sprites[b];
    if (a == b) return false;
    if (!ignore_modes && (!one->collidable || !other->collidable || one->blocking == SB_ARC_BLOCKS_NOT ||
                          other->blocking == SB_ARC_BLOCKS_NOT))
        return false;
    const int64_t left = most(one->x, other->x), top = most(one->y, other->y);
    const int64_t right = least(one->x + sb_arc_image_width(one), other->x + sb_arc_image_width(other));
    const int64_t below = least(one->y + sb_arc_image_height(one), other->y + sb_arc_image_height(other));
    if (left >= right || top >= below) return false;
    if (one->blocking != SB_ARC_BLOCKS_PIXEL && other->blocking != SB_ARC_BLOCKS_PIXEL) return true;
    for (int64_t y = top; y < below; y++)
        for (int64_t x = left; x < right; x++)
            if (sb_arc_image_pixel(scene, one, (int32_t)(x - one->x), (int32_t)(y - one->y)) != SB_ARC_HOLE &&
                sb_arc_image_pixel(scene, other, (int32_t)(x - other->x), (int32_t)(y - other->y)) != SB_ARC_HOLE)
                return true;
    return false;
}

size_t sb_arc_next_collision(const sb_arc_scene *scene, size_t sprite, size_t from, bool ignore_modes) {
    while (from < scene->n && !sb_arc_collides(scene, sprite, from, ignore_modes)) from++;
    return from;
}

bool sb_arc_try_move(sb_arc_scene *scene, size_t sprite, int64_t dx, int64_t dy) {
    sb_arc_sprite *const s = &scene->sprites[sprite];
    s->x += dx, s->y += dy;
    if (sb_arc_next_collision(scene, sprite, 0, false) == scene->n) return true;
    s->x -= dx, s->y -= dy;
    return false;
}

/* Sorts by layer, lowest or highest first; equal layers stay in order of the list. */
static void sort(const sb_arc_scene *scene, uint32_t *order, int sign) {
    for (size_t i = 0; i < scene->n; i++) {
        size_t at = i;
        for (; at > 0 && sign * scene->sprites[order[at - 1]].layer > sign * scene->sprites[i].layer; at--)
            order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
}

static bool covers(const sb_arc_scene *scene, const sb_arc_sprite *s, int64_t x, int64_t y) {
    if (x < s->x || y < s->y || x >= s->x + sb_arc_image_width(s) || y >= s->y + sb_arc_image_height(s)) return false;
    return s->blocking != SB_ARC_BLOCKS_PIXEL ||
           sb_arc_image_pixel(scene, s, (int32_t)(x - s->x), (int32_t)(y - s->y)) != SB_ARC_HOLE;
}

int64_t sb_arc_sprite_at(sb_arc_scene *scene, int64_t x, int64_t y, uint64_t tag, bool ignore_modes) {
    if (scene->is_added || scene->n_ordered != scene->n) {
        sort(scene, scene->order, -1);
        scene->n_ordered = scene->n;
        scene->is_added = false;
    }
    for (size_t k = 0; k < scene->n; k++) {
        const sb_arc_sprite *s = &scene->sprites[scene->order[k]];
        if ((s->collidable || ignore_modes) && covers(scene, s, x, y) && (!tag || (s->tags & tag)))
            return scene->order[k];
    }
    return -1;
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

void sb_arc_sprite_draw(const sb_arc_scene *scene, const sb_arc_sprite *s, int64_t x, int64_t y, int32_t width,
                        int32_t height, uint8_t *picture) {
    const int64_t left = most(s->x, x), right = least(s->x + sb_arc_image_width(s), x + width);
    const int64_t top = most(s->y, y), below = least(s->y + sb_arc_image_height(s), y + height);
    for (int64_t v = top; v < below; v++)
        for (int64_t u = left; u < right; u++) {
            const int8_t pixel = sb_arc_image_pixel(scene, s, (int32_t)(u - s->x), (int32_t)(v - s->y));
            if (pixel >= 0) picture[(v - y) * width + u - x] = (uint8_t)pixel;
        }
}

void sb_arc_scene_draw(sb_arc_scene *scene, int64_t x, int64_t y, int32_t width, int32_t height, uint8_t *picture) {
    uint32_t *const order = scene->order + scene->capacity;
    sort(scene, order, 1);
    for (size_t k = 0; k < scene->n; k++) {
        const sb_arc_sprite *s = &scene->sprites[order[k]];
        if (s->visible) sb_arc_sprite_draw(scene, s, x, y, width, height, picture);
    }
}
