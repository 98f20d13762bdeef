#include "base/pictures/art.h"

#include <stdio.h>
#include <string.h>

/* The text as it is read. */
typedef struct reader {
    sb_art *art;
    const char *at; /* the next line */
    int line;
} reader;

/* Takes a line, without its newline; false at the end of the text or if the line is too long. */
static bool take_line(reader *r, char *line, size_t capacity) {
    const size_t n = strcspn(r->at, "\n");
    r->line++;
    if (*r->at == '\0' || n >= capacity) return false;
    memcpy(line, r->at, n), line[n] = '\0';
    r->at += n + (r->at[n] == '\n');
    return true;
}

static bool read_colour(sb_art *art, const char *line) {
    char letter;
    unsigned rgb;
    sb_palette *palette = &art->palette;
    if (sscanf(line, "colour %c %6x", &letter, &rgb) != 2 || letter <= ' ' || letter == '.' ||
        palette->n == SB_COLOURS_MAX)
        return false;
    art->colour_of[(unsigned char)letter & 127] = (uint8_t)palette->n;
    for (int k = 0; k < 3; k++) palette->rgb[palette->n][k] = (uint8_t)(rgb >> (16 - 8 * k));
    palette->n++;
    return true;
}

static bool read_row(const sb_art *art, const char *line, int width, uint8_t *to) {
    if (strlen(line) != (size_t)width) return false;
    for (int x = 0; x < width; x++) {
        to[x] = art->colour_of[(unsigned char)line[x] & 127];
        if (!to[x] && line[x] != '.') return false;
    }
    return true;
}

static bool read_drawing(reader *r, char *line, size_t capacity) {
    sb_art *art = r->art;
    sb_drawing *d = &art->drawings[art->n];
    sb_canvas *c = &d->canvas;
    if (art->n == SB_DRAWINGS_MAX || sscanf(line, "drawing %15s %d %d", d->name, &c->width, &c->height) != 3 ||
        c->width < 1 || c->height < 1 || c->width * c->height > SB_ART_PIXELS - art->n_pixels)
        return false;
    c->pixels = art->pixels + art->n_pixels;
    for (int y = 0; y < c->height; y++)
        if (!take_line(r, line, capacity) || !read_row(art, line, c->width, sb_pixel(c, 0, y))) return false;
    art->n_pixels += c->width * c->height;
    art->n++;
    return true;
}

int sb_art_read(sb_art *art, const char *text) {
    char line[160];
    reader r = {.art = art, .at = text};
    memset(art, 0, sizeof *art);
    art->palette.n = 1; /* black */
    while (take_line(&r, line, sizeof line)) {
        if (*line == '\0' || *line == '#') continue;
        if (!read_colour(art, line) && !read_drawing(&r, line, sizeof line)) return r.line;
    }
    return *r.at ? r.line : 0;
}

const sb_canvas *sb_art_find(const sb_art *art, const char *name) {
    for (int i = 0; i < art->n; i++)
        if (strcmp(art->drawings[i].name, name) == 0) return &art->drawings[i].canvas;
    return NULL;
}
