#include "engine/gridworld/picture/looks.h"

#include "base/error.h"
#include "engine/gridworld/picture/frame.h"

enum { PANEL_ROWS = 2, VIEW_MAX = 2 * SB_SIDE_MAX - 1 };

/* ---- The brush ---- */

static bool make(sb_brush *brush, sb_error *error) {
    const sb_brush_options *o = &brush->options;
    if (o->tile != SB_TILE_SIDE && o->tile != SB_PLATE_SIDE)
        return sb_fail(error, SB_INVALID, "look flat: tiles have %d or %d pixels a side, not %d", SB_TILE_SIDE,
                       SB_PLATE_SIDE, o->tile);
    if (o->view < 0 || o->view > VIEW_MAX || (o->view && o->view % 2 == 0))
        return sb_fail(error, SB_INVALID, "look flat: `view` is 0, the whole grid, or an odd number up to %d, not %d",
                       VIEW_MAX, o->view);
    if (!sb_brush_check_options(brush, SB_BRUSH_VIEW | SB_BRUSH_PANEL, error)) return false;
    sb_flat_tiles *tiles = brush->tiles = sb_flat_tiles_make(o->tile, sb_brush_depth(brush), error);
    if (tiles) brush->palette = &tiles->palette;
    return tiles;
}

static void clear(sb_brush *brush) { sb_flat_tiles_free(brush->tiles); }

/* What a picture shows: cells from (left,top) on. */
typedef struct window {
    int left, top, columns, rows;
} window;

static void size(const sb_brush *brush, const sb_task_info *info, size_t difficulty, int32_t size[2]) {
    const sb_brush_options *o = &brush->options;
    const sb_extent *extent = &((const sb_task *)info)->extents[difficulty]; /* a task begins with its info */
    const int columns = o->view ? o->view : extent->width, rows = o->view ? o->view : extent->height;
    size[0] = (rows + (o->no_panel ? 0 : PANEL_ROWS)) * o->tile, size[1] = columns * o->tile;
}

static window window_of(const sb_brush *brush, const sb_episode *e) {
    const int view = brush->options.view;
    if (!view) return (window){0, 0, e->width, e->height};
    return (window){e->agent.at.x - view / 2, e->agent.at.y - view / 2, view, view};
}

/* ---- Cells ---- */

/* Draws a number in decimal digits over the tile at `to`, at the right, so that much of the sign stays. */
static void draw_plate(const sb_frame *f, uint8_t *to, int number) {
    enum { X = 4, Y = 7 };
    const sb_atlas *plates = &f->tiles->plates;
    const int skip = number < 10 ? SB_GLYPH_WIDTH + 1 : 0; /* pixels of a first digit that is left out */
    const uint8_t *from = sb_atlas_tile(plates, (size_t)number) + (size_t)(skip * plates->depth);
    to += Y * f->stride + (size_t)((X + skip) * plates->depth);
    for (int y = 0; y < SB_PLATE_HEIGHT; y++, from += plates->row, to += f->stride)
        memcpy(to, from, (size_t)((SB_PLATE_WIDTH - skip) * plates->depth));
}

/* Draws a cell whose metadata means something, or that has a number. */
static void draw_marked(const sb_frame *f, uint8_t *to, const sb_cell *cell, int odd) {
    const sb_flat_tiles *t = f->tiles;
    const sb_appearance a = sb_appearance_of(cell);
    const int ground = a.ground == SB_GROUND_FLOOR && odd ? SB_GROUND_FLOOR_ODD : a.ground;
    sb_atlas_copy(&t->cells, sb_flat_tile(ground, a.sign), to, f->stride);
    if (a.number == SB_NO_NUMBER) return;
    sb_frame_strip(f, to, SB_TILE_SIDE - 1, a.number);
    if (t->plates.tiles && a.number < SB_N_PLATES) draw_plate(f, to, a.number);
}

/* The agent covers the cell; two strips tell the object below it and the meaning of its metadata. */
static void draw_agent(const sb_frame *f, uint8_t *to, const sb_episode *e) {
    const sb_flat_tiles *t = f->tiles;
    const sb_appearance a = sb_appearance_of(sb_peek(e, e->agent.at));
    const int odd = (e->agent.at.x + e->agent.at.y) & 1;
    const int ground = a.ground == SB_GROUND_FLOOR && odd ? SB_GROUND_FLOOR_ODD : a.ground;
    sb_atlas_copy(&t->cells, sb_flat_tile(ground, SB_SIGN_AGENT + e->agent.facing), to, f->stride);
    sb_frame_strip(f, to, 0, a.object);
    sb_frame_strip(f, to, SB_TILE_SIDE - 1, a.meaning);
    if (t->small.tiles && a.object != SB_NONE) {
        enum { X = 8, Y = 2 };
        sb_atlas_copy(&t->small, a.sign, to + Y * f->stride + (size_t)(X * t->small.depth), f->stride);
    }
}

/* Draws cells of one row of the grid; the first is at `to`. */
static void draw_cells(const sb_frame *f, uint8_t *to, const sb_cell *cell, int n, int odd) {
    const sb_flat_tiles *t = f->tiles;
    for (; n > 0; n--, cell++, odd ^= 1, to += t->cells.row) {
        const uint16_t tile = cell->metadata == 0 ? t->plain[cell->object][cell->terrain][odd] : SB_NOT_PLAIN;
        if (tile != SB_NOT_PLAIN)
            sb_atlas_copy(&t->cells, tile, to, f->stride);
        else
            draw_marked(f, to, cell, odd);
    }
}

static void draw_outside(const sb_frame *f, int row, int from, int to) {
    for (int i = from; i < to; i++) sb_atlas_copy(&f->tiles->cells, SB_OUTSIDE_TILE, sb_frame_at(f, i, row), f->stride);
}

static void draw_grid(const sb_frame *f, const sb_episode *e, const window *w) {
    const int first = w->left < 0 ? -w->left : 0;
    const int end = w->left + w->columns > e->width ? e->width - w->left : w->columns;
    for (int j = 0; j < w->rows; j++) {
        const int y = w->top + j;
        const bool inside = y >= 0 && y < e->height;
        draw_outside(f, j, 0, inside ? first : w->columns);
        if (!inside) continue;
        const sb_xy at = sb_at(w->left + first, y);
        draw_cells(f, sb_frame_at(f, first, j), sb_peek(e, at), end - first, (at.x + at.y) & 1);
        draw_outside(f, j, end, w->columns);
    }
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_episode *e = env->state;
    const sb_flat_tiles *t = brush->tiles;
    const window w = window_of(brush, e);
    sb_frame f = {.tiles = t, .stride = (size_t)w.columns * t->cells.row};
    f.pixels = pixels;
    draw_grid(&f, e, &w);
    draw_agent(&f, sb_frame_at(&f, e->agent.at.x - w.left, e->agent.at.y - w.top), e);
    if (!brush->options.no_panel) sb_draw_panel(&f, e, w.rows, w.columns);
}

const sb_picture_source sb_flat_pictures = {
    .make = make,
    .clear = clear,
    .size = size,
    .paint = paint,
};
