/* One tile of MiniGrid's picture. It is drawn on a square of samples, three for each pixel in both directions, and then
 * reduced. All tests of points are exact: with N samples a side, sample x stands for the point (2x+1)/2N, and
 * coordinates are thousandths of the side. */
#include <math.h>
#include <string.h>

#include "engine/minigrid/codes.h"
#include "engine/minigrid/minigrid.h"

enum { PER_PIXEL = 3, SAMPLES = PER_PIXEL * SB_MG_TILE_MAX, FLOOR = 3, GOAL = 8, LAVA = 9 };

typedef struct colour {
    uint8_t rgb[3];
} colour;

static const colour black = {{0, 0, 0}}, line = {{100, 100, 100}}, orange = {{255, 128, 0}}, red = {{255, 0, 0}};

typedef struct square {
    int n; /* samples a side */
    colour at[SAMPLES * SAMPLES];
} square;

/* Twice the side, the unit of positions: 1000 * (2x+1) is compared with thousandths * unit. */
static int64_t unit(const square *s) { return 2 * (int64_t)s->n; }
static int64_t position(int sample) { return 1000 * (2 * (int64_t)sample + 1); }

/* Fills what lies between these thousandths, both ends included. */
static void fill_rect(square *s, int x0, int x1, int y0, int y1, colour c) {
    for (int y = 0; y < s->n; y++)
        for (int x = 0; x < s->n; x++)
            if (x0 * unit(s) <= position(x) && position(x) <= x1 * unit(s) && y0 * unit(s) <= position(y) &&
                position(y) <= y1 * unit(s))
                s->at[y * s->n + x] = c;
}

static void fill_disc(square *s, int cx, int cy, int radius, colour c) {
    for (int y = 0; y < s->n; y++)
        for (int x = 0; x < s->n; x++) {
            const int64_t dx = position(x) - cx * unit(s), dy = position(y) - cy * unit(s), r = radius * unit(s);
            if (dx * dx + dy * dy <= r * r) s->at[y * s->n + x] = c;
        }
}

/* The triangle (120,190), (870,500), (120,810), turned to the agent's direction. Its right edge is outside. */
static void fill_agent(square *s, int direction) {
    for (int y = 0; y < s->n; y++)
        for (int x = 0; x < s->n; x++) {
            const int64_t p = position(x) - 500 * unit(s), q = position(y) - 500 * unit(s);
            const int64_t us[4] = {p, q, -p, -q}, vs[4] = {q, -p, -q, p};
            const int64_t a = us[direction] + 380 * unit(s), b = vs[direction] + 310 * unit(s);
            if (a >= 0 && 750 * b >= 310 * a && 310 * a + 750 * b < 465000 * unit(s)) s->at[y * s->n + x] = red;
        }
}

/* The published code computes strokes with the ends, their direction and its length as 32-bit floats, points as
 * doubles.
 */
static bool is_on_stroke(double x, double y, const float from[2], const float to[2]) {
    static const double radius = 0.03;
    const float dx = to[0] - from[0], dy = to[1] - from[1];
    const float length = (float)sqrt((double)dx * dx + (double)dy * dy);
    const float ux = dx / length, uy = dy / length;
    if (x < fminf(from[0], to[0]) - radius || x > fmaxf(from[0], to[0]) + radius ||
        y < fminf(from[1], to[1]) - radius || y > fmaxf(from[1], to[1]) + radius)
        return false;
    const double along = fmin(fmax((x - from[0]) * ux + (y - from[1]) * uy, 0), length);
    const double rx = x - (from[0] + along * ux), ry = y - (from[1] + along * uy);
    return sqrt(rx * rx + ry * ry) <= radius;
}

static void fill_stroke(square *s, double x0, double y0, double x1, double y1) {
    const float from[2] = {(float)x0, (float)y0}, to[2] = {(float)x1, (float)y1};
    for (int y = 0; y < s->n; y++)
        for (int x = 0; x < s->n; x++)
            if (is_on_stroke((x + 0.5) / s->n, (y + 0.5) / s->n, from, to)) s->at[y * s->n + x] = black;
}

static void fill_lava(square *s) {
    fill_rect(s, 0, 1000, 0, 1000, orange);
    for (int i = 0; i < 3; i++) {
        const double low = 0.3 + 0.2 * i, high = 0.4 + 0.2 * i;
        fill_stroke(s, 0.1, low, 0.3, high), fill_stroke(s, 0.3, high, 0.5, low);
        fill_stroke(s, 0.5, low, 0.7, high), fill_stroke(s, 0.7, high, 0.9, low);
    }
}

/* ---- Things ------------------------------------------------------------------------------------------------------ */

static colour darker(colour c, int hundredths) {
    for (int k = 0; k < 3; k++) c.rgb[k] = (uint8_t)(c.rgb[k] * hundredths / 100);
    return c;
}

static void fill_door(square *s, int state, colour c) {
    if (state == SB_MG_OPENED) {
        fill_rect(s, 880, 1000, 0, 1000, c), fill_rect(s, 920, 960, 40, 960, black);
    } else if (state == SB_MG_CLOSED) {
        fill_rect(s, 0, 1000, 0, 1000, c), fill_rect(s, 40, 960, 40, 960, black);
        fill_rect(s, 80, 920, 80, 920, c), fill_rect(s, 120, 880, 120, 880, black);
        fill_disc(s, 750, 500, 80, c);
    } else {
        fill_rect(s, 0, 1000, 0, 1000, c), fill_rect(s, 60, 940, 60, 940, darker(c, 45));
        fill_rect(s, 520, 750, 500, 560, c);
    }
}

static void fill_key(square *s, colour c) {
    fill_rect(s, 500, 630, 310, 880, c);
    fill_rect(s, 380, 500, 590, 660, c), fill_rect(s, 380, 500, 810, 880, c);
    fill_disc(s, 560, 280, 190, c), fill_disc(s, 560, 280, 64, black);
}

static void fill_box(square *s, colour c) {
    fill_rect(s, 120, 880, 120, 880, c), fill_rect(s, 180, 820, 180, 820, black);
    fill_rect(s, 160, 840, 470, 530, c);
}

static void fill_thing(square *s, const uint8_t code[3]) {
    static const colour colours[SB_MG_N_COLOURS] = {
        [SB_MG_RED] = {{255, 0, 0}},       [SB_MG_GREEN] = {{0, 255, 0}},    [SB_MG_BLUE] = {{0, 0, 255}},
        [SB_MG_PURPLE] = {{112, 39, 195}}, [SB_MG_YELLOW] = {{255, 255, 0}}, [SB_MG_GREY] = {{100, 100, 100}}};
    const colour c = colours[code[1]];
    switch (code[0]) {
    case SB_MG_WALL:
    case GOAL: fill_rect(s, 0, 1000, 0, 1000, c); break;
    case FLOOR: fill_rect(s, 31, 1000, 31, 1000, darker(c, 50)); break;
    case SB_MG_DOOR: fill_door(s, code[2], c); break;
    case SB_MG_KEY: fill_key(s, c); break;
    case SB_MG_BALL: fill_disc(s, 500, 500, 310, c); break;
    case SB_MG_BOX: fill_box(s, c); break;
    case LAVA: fill_lava(s); break;
    default: break;
    }
}

/* ---- The tile ---------------------------------------------------------------------------------------------------- */

static void brighten(square *s) {
    for (int i = 0; i < s->n * s->n; i++)
        for (int k = 0; k < 3; k++) s->at[i].rgb[k] = (uint8_t)(s->at[i].rgb[k] + 3 * (255 - s->at[i].rgb[k]) / 10);
}

/* The published reduction is a mean of means in doubles, cut to a whole number. It is not the mean of the nine samples,
 * so the expression must stay as it is. */
static uint8_t reduce(const square *s, int x, int y, int channel) {
    int sums[PER_PIXEL] = {0};
    for (int j = 0; j < PER_PIXEL; j++)
        for (int i = 0; i < PER_PIXEL; i++)
            sums[j] += s->at[(y * PER_PIXEL + j) * s->n + x * PER_PIXEL + i].rgb[channel];
    return (uint8_t)(((sums[0] / 3.0 + sums[1] / 3.0) + sums[2] / 3.0) / 3.0);
}

void sb_mg_draw_tile(const uint8_t code[3], int agent, bool highlight, int side, uint8_t *rgb) {
    square s;
    s.n = PER_PIXEL * side;
    memset(s.at, 0, sizeof *s.at * (size_t)(s.n * s.n));
    fill_rect(&s, 0, 31, 0, 1000, line), fill_rect(&s, 0, 1000, 0, 31, line);
    fill_thing(&s, code);
    if (agent != SB_MG_NO_AGENT) fill_agent(&s, agent);
    if (highlight) brighten(&s);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            for (int k = 0; k < 3; k++) *rgb++ = reduce(&s, x, y, k);
}
