/* The panel below the grid: two rows of tiles (docs/pictures.md). The first has the clock, then what is carried, with a
 * bar above that shows how much of the time is over. The second has the facts beside the grid, a tile for each. What
 * does not fit is left out; on whole grids everything fits. */
#include "engine/gridworld/picture/frame.h"
#include "engine/gridworld/tell.h"

/* Fills pixels of the picture. Copies of a number of bytes that the compiler does not know would be calls. */
static void fill(const sb_frame *f, uint8_t *line, int width, int height, int colour) {
    const bool is_indexed = f->tiles->cells.depth == 1;
    const uint8_t *rgb = f->tiles->palette.rgb[colour];
    for (int j = 0; j < height; j++, line += f->stride)
        if (is_indexed)
            memset(line, colour, (size_t)width);
        else
            for (uint8_t *to = line; to < line + (ptrdiff_t)3 * width; to += 3) memcpy(to, rgb, 3);
}

static void fill_tile(const sb_frame *f, uint8_t *to, int x, int y, int width, int height, int colour) {
    const int scale = f->tiles->scale, depth = f->tiles->cells.depth;
    fill(f, to + (size_t)(y * scale) * f->stride + (size_t)(x * scale * depth), width * scale, height * scale, colour);
}

/* ---- Tiles of the panel ---- */

enum { LAST = SB_TILE_SIDE - 1, ALL_SIDES = SB_SIGN_SIDE /* height of the sides, between the two strips */ };

static void put_sign(const sb_frame *f, uint8_t *to, int sign) {
    sb_atlas_copy(&f->tiles->cells, sb_flat_tile(SB_GROUND_PANEL, sign), to, f->stride);
}

/* The sides have the colour of a digit that says what the tile is about. */
static void put_sides(const sb_frame *f, uint8_t *to, int what) {
    fill_tile(f, to, 0, 1, 1, ALL_SIDES, SB_DIGIT_COLOUR + what);
    fill_tile(f, to, LAST, 1, 1, ALL_SIDES, SB_DIGIT_COLOUR + what);
}

/* A tile with a sign and a number of 16 bits, in the two strips. */
static void put_icon(const sb_frame *f, uint8_t *to, int what, int sign, unsigned number) {
    put_sign(f, to, sign);
    put_sides(f, to, what);
    sb_frame_strip(f, to, 0, (int)(number >> 8 & 255));
    sb_frame_strip(f, to, LAST, (int)(number & 255));
}

/* A tile with two numbers: 16 bits in the strips, and 32 bits as eight squares in the place of a sign, the highest
 * digit first. The first of the nine squares stays empty. */
static void put_numbers(const sb_frame *f, uint8_t *to, int what, unsigned number, uint32_t value) {
    enum { SQUARE = 2, A_ROW = 3, DIGITS = 8 };
    put_icon(f, to, what, SB_SIGN_NONE, number);
    for (int i = 1; i <= DIGITS; i++)
        fill_tile(f, to, SB_SIGN_AT + i % A_ROW * SQUARE, SB_SIGN_AT + i / A_ROW * SQUARE, SQUARE, SQUARE,
                  SB_DIGIT_COLOUR + (int)(value >> 4 * (DIGITS - i) & 15));
}

/* ---- The first row ---- */

static int item_sign(const sb_item *item) {
    const sb_cell key = {.object = SB_KEY, .metadata = item->value};
    switch (item->kind) {
    case SB_ITEM_KEY: return sb_appearance_of(&key).sign;
    case SB_ITEM_ORB: return SB_SIGN_ORB;
    default: return (int)sb_sign_of((sb_object)item->value);
    }
}

/* Draws an item; its upper strip is left to the bar of the clock. */
static void put_item(const sb_frame *f, uint8_t *to, const sb_item *item) {
    put_sign(f, to, item_sign(item));
    put_sides(f, to, item->kind);
    sb_frame_strip(f, to, LAST, item->value & 255);
}

static void draw_bar(const sb_frame *f, uint8_t *to, const sb_episode *e, int width) {
    fill(f, to, width * f->tiles->cells.side * e->clock / e->max_steps, f->tiles->scale, f->tiles->filled);
}

static void draw_first_row(const sb_frame *f, const sb_episode *e, int row, int columns) {
    put_numbers(f, sb_frame_at(f, 0, row), SB_TOLD_STEPS, (unsigned)e->max_steps, (uint32_t)e->clock);
    for (int i = 1; i < columns; i++) {
        uint8_t *to = sb_frame_at(f, i, row);
        if (i <= e->agent.n_items)
            put_item(f, to, &e->items[i - 1]);
        else
            put_sign(f, to, SB_SIGN_NONE);
    }
    if (columns > 1) draw_bar(f, sb_frame_at(f, 1, row), e, columns - 1);
}

/* ---- The second row ---- */

static int phase_sign(int kind) {
    static const uint8_t signs[SB_N_PHASE_KINDS] = {[SB_PHASE_UNKNOWN] = SB_SIGN_CLUE_UNKNOWN,
                                                    [SB_PHASE_GOAL_REACH] = SB_SIGN_GOAL,
                                                    [SB_PHASE_KEY_DOOR] = SB_SIGN_KEY,
                                                    [SB_PHASE_LEVER_BARRIER] = SB_SIGN_LEVER_ON,
                                                    [SB_PHASE_COLLECTION] = SB_SIGN_GEM};
    return signs[kind];
}

/* A clue's number is the scroll's cell, in twelve bits, and the steps, in four. */
static void put_row(const sb_frame *f, uint8_t *to, const sb_told_row *row) {
    const unsigned value = (unsigned)row->value & 0xffff, which = (unsigned)row->which & 0xffff;
    switch (row->what) {
    case SB_TOLD_TARGET: put_icon(f, to, row->what, (int)sb_sign_of((sb_object)row->value), value); break;
    case SB_TOLD_METER: put_icon(f, to, row->what, (int)sb_sign_of((sb_object)row->which), value); break;
    case SB_TOLD_PHASE_KIND: put_icon(f, to, row->what, phase_sign(row->value), value); break;
    case SB_TOLD_REMAPPED: put_icon(f, to, row->what, value ? SB_SIGN_REVERSED : SB_SIGN_NONE, value); break;
    case SB_TOLD_CLUE_NORTH:
    case SB_TOLD_CLUE_EAST:
    case SB_TOLD_CLUE_SOUTH:
    case SB_TOLD_CLUE_WEST:
        put_icon(f, to, row->what, SB_SIGN_CLUE + row->what - SB_TOLD_CLUE_NORTH, which << 4 | value);
        break;
    default: put_numbers(f, to, row->what, which, (uint32_t)row->value); break;
    }
}

void sb_draw_panel(const sb_frame *f, const sb_episode *e, int row, int columns) {
    sb_told told;
    draw_first_row(f, e, row, columns);
    sb_tell_task(e, &told);
    for (int i = 0; i < columns; i++) {
        uint8_t *to = sb_frame_at(f, i, row + 1);
        if (i < told.n)
            put_row(f, to, &told.rows[i]);
        else
            put_sign(f, to, SB_SIGN_NONE);
    }
}
