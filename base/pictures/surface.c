#include "base/pictures/surface.h"

#include <string.h>

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

void sb_surface_colour(const sb_palette *palette, const uint8_t *from, size_t n, uint8_t *rgb) {
    for (size_t i = 0; i < n; i++, rgb += 3) {
        const uint8_t *colour = palette->rgb[from[i]];
        const uint8_t red = colour[0], green = colour[1], blue = colour[2];
        rgb[0] = red, rgb[1] = green, rgb[2] = blue;
    }
}

/* Copies n pixels to a place in the picture. */
static inline void copy(const sb_surface *s, size_t at, const uint8_t *from, int n) {
    if (s->depth == 3)
        sb_surface_colour(s->palette, from, (size_t)n, s->pixels + 3 * at);
    else
        for (int i = 0; i < n; i++) s->pixels[at + (size_t)i] = from[i];
}

static inline void darken(const sb_surface *s, size_t at, int n) {
    for (size_t i = at; i < at + (size_t)n; i++) {
        const uint8_t colour = s->darker[s->ground[i]];
        if (s->depth == 3)
            memcpy(s->pixels + 3 * i, s->palette->rgb[colour], 3);
        else
            s->pixels[i] = colour;
    }
}

void sb_surface_put(const sb_surface *s, const sb_sprites *sprites, const sb_sprite_runs *runs, int x, int y) {
    const sb_run *run = sprites->runs + runs->first, *end = run + runs->n;
    for (; run < end; run++) {
        const int row = y + run->y, from = larger(x + run->x, 0), to = smaller(x + run->x + run->n, s->width);
        if (row < 0 || row >= s->height || from >= to) continue;
        copy(s, (size_t)(row * s->width + from), sprites->pixels + run->pixels + (from - x - run->x), to - from);
    }
}

void sb_surface_shade(const sb_surface *s, const sb_sprites *sprites, const sb_sprite_runs *runs, int x, int y) {
    const sb_run *run = sprites->runs + runs->first, *end = run + runs->n;
    for (; run < end; run++) {
        const int row = y + run->y, from = larger(x + run->x, 0), to = smaller(x + run->x + run->n, s->width);
        if (row >= 0 && row < s->height && from < to) darken(s, (size_t)(row * s->width + from), to - from);
    }
}

void sb_surface_fill(const sb_surface *s, int x, int y, int width, int height, uint8_t colour) {
    const int left = larger(x, 0), right = smaller(x + width, s->width), end = smaller(y + height, s->height);
    for (int row = larger(y, 0); row < end && left < right; row++) {
        const size_t at = (size_t)(row * s->width + left), n = (size_t)(right - left);
        if (s->depth == 1) memset(s->pixels + at, colour, n);
        for (size_t i = at; s->depth == 3 && i < at + n; i++) memcpy(s->pixels + 3 * i, s->palette->rgb[colour], 3);
    }
}

void sb_surface_write(const sb_surface *s, sb_font font, int scale, int x, int y, const char *text, uint8_t colour) {
    for (; *text; text++) {
        const sb_letter l = sb_letter_of(font, *text);
        for (int j = 0; j < l.height; j++)
            for (int i = 0; i < l.width; i++)
                if (l.rows[j] >> (l.width - 1 - i) & 1)
                    sb_surface_fill(s, x + i * scale, y + j * scale, scale, scale, colour);
        x += (l.width + 1) * scale;
    }
}
