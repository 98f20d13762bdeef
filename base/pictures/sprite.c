#include "base/pictures/sprite.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/pictures/font.h"

/* A pixel is set if eight of the sixteen points in it are inside a shape. Points and shapes are measured in
 * sixty-fourths of an eighth of a pixel, in both directions. */
enum { POINTS = 4 /* points along a pixel's side */, HALF_INSIDE = 8, EIGHTHS = 8, UNITS = 64, FAR = 128, REACH = 2 };
enum { SIDE_MAX = 2 * FAR * REACH, SHADE = 1 };

/* The drawing board: pixels from -reach to reach - 1 in both directions. */
typedef struct board {
    const sb_sprites *sprites;
    int reach, side;
    /* how many points of each pixel of a row are inside a shape; all 0 but from `low` to before `high` */
    uint8_t inside[SIDE_MAX];
    int low, high;
    int left, right, top, bottom; /* bounds of the pixels that may be set; right and bottom are just outside */
    uint8_t pixels[];             /* `side` rows of `side` pixels */
} board;

/* ---- Measures ---- */

static int64_t across(const board *b, int units) { return (int64_t)units * b->sprites->half * EIGHTHS; }

/* A unit upwards takes as many pixels as one sideways, unless tiles are flatter. */
static int64_t down(const board *b, int units) {
    return (int64_t)units * b->sprites->up * EIGHTHS * UNITS / b->sprites->per;
}

static int64_t point_at(int index) { return (int64_t)(2 * index + 1) * UNITS; }

/* Returns the first point at or right of x; points are counted from the origin. */
static int first_point(int64_t x) {
    const int64_t steps = x - UNITS, width = 2 * UNITS;
    return (int)(steps >= 0 ? (steps + width - 1) / width : -(-steps / width));
}

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }
static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* ---- Filling ---- */

static void add_points(board *b, int from, int to) {
    from = clamp(from + b->reach * POINTS, 0, b->side * POINTS);
    to = clamp(to + b->reach * POINTS, 0, b->side * POINTS);
    if (from >= to) return;
    b->low = smaller(b->low, from / POINTS), b->high = larger(b->high, (to + POINTS - 1) / POINTS);
    const int first = from / POINTS, last = (to - 1) / POINTS;
    b->inside[first] += (uint8_t)(first == last ? to - from : POINTS - from % POINTS);
    for (int pixel = first + 1; pixel < last; pixel++) b->inside[pixel] += POINTS;
    if (last > first) b->inside[last] += (uint8_t)(to - last * POINTS);
}

static void touch(board *b, int left, int right, int row) {
    b->left = smaller(b->left, left), b->right = larger(b->right, right);
    b->top = smaller(b->top, row), b->bottom = larger(b->bottom, row + 1);
}

/* Forgets all pixels. */
static void wipe(board *b) {
    for (int row = b->top; row < b->bottom; row++)
        memset(b->pixels + (size_t)(row * b->side + b->left), 0, (size_t)(b->right - b->left));
    b->left = b->top = b->side, b->right = b->bottom = 0;
}

static void end_row(board *b, int row, uint8_t colour) {
    uint8_t *to = b->pixels + (size_t)(row * b->side);
    if (b->low >= b->high) return;
    touch(b, b->low, b->high, row);
    for (int x = b->low; x < b->high; x++) {
        if (b->inside[x] >= HALF_INSIDE) to[x] = colour;
        b->inside[x] = 0;
    }
    b->low = b->side, b->high = 0;
}

/* An area whose points are found row by row. */
typedef struct area {
    int n; /* how many corners */
    int64_t x[SB_SHAPE_NUMBERS / 2], y[SB_SHAPE_NUMBERS / 2];
} area;

static void add_crossing(int64_t *crossings, int *n, int64_t x) {
    int i = (*n)++;
    for (; i > 0 && crossings[i - 1] > x; i--) crossings[i] = crossings[i - 1];
    crossings[i] = x;
}

static int64_t divide_up(int64_t a, int64_t b) {
    const int64_t q = a / b;
    return q + (a % b != 0 && (a < 0) == (b < 0));
}

static void add_area_points(board *b, const area *p, int64_t y) {
    int64_t crossings[SB_SHAPE_NUMBERS / 2];
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        const int j = (i + 1) % p->n;
        if ((p->y[i] <= y) == (p->y[j] <= y)) continue;
        add_crossing(crossings, &n, p->x[i] + divide_up((y - p->y[i]) * (p->x[j] - p->x[i]), p->y[j] - p->y[i]));
    }
    for (int i = 0; i + 1 < n; i += 2) add_points(b, first_point(crossings[i]), first_point(crossings[i + 1]));
}

/* Gives the rows of pixels that lie between two heights. */
static void rows_between(const board *b, int64_t top, int64_t bottom, int *first, int *end) {
    const int64_t pixel = 2 * UNITS * POINTS, reach = b->reach;
    *first = (int)clamp((int)(top / pixel + reach) - 1, 0, b->side);
    *end = (int)clamp((int)(bottom / pixel + reach) + 2, 0, b->side);
}

static void fill_area(board *b, const area *p, uint8_t colour) {
    int64_t top = p->y[0], bottom = p->y[0];
    int first, end;
    for (int i = 1; i < p->n; i++) {
        if (p->y[i] < top) top = p->y[i];
        if (p->y[i] > bottom) bottom = p->y[i];
    }
    rows_between(b, top, bottom, &first, &end);
    for (int row = first; row < end; row++) {
        for (int i = 0; i < POINTS; i++) add_area_points(b, p, point_at((row - b->reach) * POINTS + i));
        end_row(b, row, colour);
    }
}

static void fill_polygon(board *b, const sb_outline *s) {
    area p = {.n = s->n / 2};
    for (int i = 0; i < p.n; i++) p.x[i] = across(b, s->numbers[2 * i]), p.y[i] = down(b, s->numbers[2 * i + 1]);
    fill_area(b, &p, s->colour);
}

/* Returns the largest number whose square is at most n. */
static int64_t root(int64_t n) {
    int64_t r = 0;
    for (int64_t bit = INT64_C(1) << 30; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= n) r += bit;
    return r;
}

/* A point is inside if (x / rx)^2 + (y / ry)^2 <= 1. */
static void fill_oval(board *b, const int16_t *numbers, uint8_t colour) {
    const int64_t cx = across(b, numbers[0]), cy = down(b, numbers[1]);
    const int64_t rx = across(b, numbers[2]), ry = down(b, numbers[3]);
    int first, end;
    if (rx <= 0 || ry <= 0) return;
    rows_between(b, cy - ry, cy + ry, &first, &end);
    for (int row = first; row < end; row++) {
        for (int i = 0; i < POINTS; i++) {
            const int64_t y = point_at((row - b->reach) * POINTS + i) - cy;
            if (y < -ry || y > ry) continue;
            const int64_t w = root(ry * ry - y * y) * rx / ry;
            add_points(b, first_point(cx - w), first_point(cx + w + 1));
        }
        end_row(b, row, colour);
    }
}

/* A line is an area of its width, and of a pixel's width at least. */
static void fill_line(board *b, const sb_outline *s) {
    enum { PIXEL = 2 * UNITS * POINTS };
    const int64_t x0 = across(b, s->numbers[0]), y0 = down(b, s->numbers[1]);
    const int64_t x1 = across(b, s->numbers[2]), y1 = down(b, s->numbers[3]);
    const int64_t dx = x1 - x0, dy = y1 - y0, length = root(dx * dx + dy * dy);
    int64_t width = across(b, s->numbers[4]);
    if (width < PIXEL + PIXEL / 8) width = PIXEL + PIXEL / 8;
    if (!length) return;
    const int64_t ox = -dy * width / (2 * length), oy = dx * width / (2 * length);
    fill_area(b, &(area){4, {x0 + ox, x1 + ox, x1 - ox, x0 - ox}, {y0 + oy, y1 + oy, y1 - oy, y0 - oy}}, s->colour);
}

static int pixel_of(int64_t x) {
    const int64_t pixel = 2 * UNITS * POINTS;
    return (int)(x >= 0 ? x / pixel : -((pixel - 1 - x) / pixel));
}

static void put_dot(board *b, int x, int y, int scale, uint8_t colour) {
    for (int j = 0; j < scale; j++)
        for (int i = 0; i < scale; i++) {
            const int px = x + i + b->reach, py = y + j + b->reach;
            if (px < 0 || py < 0 || px >= b->side || py >= b->side) continue;
            touch(b, px, px + 1, py);
            b->pixels[py * b->side + px] = colour;
        }
}

static void put_letter(board *b, const sb_outline *s) {
    enum { A_DOT = 12 };
    const int scale = b->sprites->half < 2 * A_DOT ? 1 : b->sprites->half / A_DOT;
    const sb_letter l = sb_letter_of(SB_FONT_SMALL, s->letter);
    const int left = pixel_of(across(b, s->numbers[0])) - l.width * scale / 2;
    const int top = pixel_of(down(b, s->numbers[1])) - l.height * scale / 2;
    for (int y = 0; y < l.height; y++)
        for (int x = 0; x < l.width; x++)
            if (l.rows[y] >> (l.width - 1 - x) & 1) put_dot(b, left + x * scale, top + y * scale, scale, s->colour);
}

static void draw_shape(board *b, const sb_outline *s) {
    switch (s->kind) {
    case SB_SHAPE_POLY: fill_polygon(b, s); break;
    case SB_SHAPE_OVAL: fill_oval(b, s->numbers, s->colour); break;
    case SB_SHAPE_LINE: fill_line(b, s); break;
    case SB_SHAPE_TEXT: put_letter(b, s); break;
    default: fill_oval(b, s->numbers, SHADE); break;
    }
}

/* ---- Runs ---- */

static bool add_run(sb_sprites *s, sb_sprite_runs *runs, const board *b, int row, int from, int to) {
    const uint8_t *pixels = b->pixels + (size_t)(row * b->side) + from;
    const size_t n = (size_t)(to - from);
    if (!SB_GROW(s->runs, s->n_runs + 1, s->runs_room) || !SB_GROW(s->pixels, s->n_pixels + n, s->pixels_room))
        return false;
    sb_run *run = &s->runs[s->n_runs++];
    *run = (sb_run){(int16_t)(from - b->reach), (int16_t)(row - b->reach), (uint16_t)n, (uint32_t)s->n_pixels};
    memcpy(s->pixels + s->n_pixels, pixels, n);
    s->n_pixels += n;
    if (runs->n++ == 0) runs->left = runs->right = run->x, runs->top = run->y;
    runs->left = (int16_t)smaller(runs->left, run->x), runs->right = (int16_t)larger(runs->right, run->x + (int)n);
    runs->bottom = (int16_t)(run->y + 1);
    return true;
}

static bool collect(sb_sprites *s, const board *b, sb_sprite_runs *runs) {
    *runs = (sb_sprite_runs){.first = (int)s->n_runs};
    for (int row = b->top; row < b->bottom; row++) {
        const uint8_t *pixels = b->pixels + (size_t)(row * b->side);
        for (int x = b->left; x < b->right;) {
            const int from = x;
            while (x < b->right && pixels[x]) x++;
            if (x > from && !add_run(s, runs, b, row, from, x)) return false;
            if (x == from) x++;
        }
    }
    return true;
}

static bool draw_layer(sb_sprites *s, board *b, const sb_models *models, const sb_sprite_model *model, sb_layer layer,
                       sb_sprite_runs *runs) {
    wipe(b);
    for (int i = 0; i < model->n; i++) {
        const sb_outline *shape = &models->shapes[model->first + i];
        if (shape->layer == layer && shape->least <= s->half) draw_shape(b, shape);
    }
    return collect(s, b, runs);
}

/* Returns the board on which sprites of this size are drawn; NULL without memory. */
static board *board_of(sb_sprites *sprites) {
    const int reach = smaller(REACH * sprites->half + 2, FAR * REACH), side = 2 * reach;
    board *b = sprites->board;
    if (b || !(b = sprites->board = calloc(1, sizeof *b + (size_t)(side * side)))) return b;
    b->sprites = sprites;
    b->reach = reach, b->side = b->low = b->left = b->top = side;
    return b;
}

bool sb_sprite_make(sb_sprites *sprites, const sb_models *models, const sb_sprite_model *model, sb_sprite *sprite) {
    board *b = board_of(sprites);
    for (int layer = 0; b && layer < SB_N_LAYERS; layer++)
        if (!draw_layer(sprites, b, models, model, (sb_layer)layer, &sprite->of[layer])) return false;
    return b;
}

void sb_sprites_finish(sb_sprites *sprites) {
    free(sprites->board);
    sprites->board = NULL;
}

void sb_sprites_free(sb_sprites *sprites) {
    sb_sprites_finish(sprites);
    free(sprites->runs), free(sprites->pixels);
    *sprites = (sb_sprites){0};
}
