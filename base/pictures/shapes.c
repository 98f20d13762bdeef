#include "base/pictures/sprite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX = 200 };

/* The text as it is read, and what holds for the shapes that follow. */
typedef struct reader {
    sb_models *models;
    sb_layer layer;
    uint8_t least;
} reader;

/* ---- Words ---- */

/* Takes a word from the line; false if there is none that fits. */
static bool take_word(const char **at, char word[SB_NAME_LENGTH]) {
    *at += strspn(*at, " ");
    const size_t n = strcspn(*at, " ");
    if (n == 0 || n >= SB_NAME_LENGTH) return false;
    memcpy(word, *at, n), word[n] = '\0';
    *at += n;
    return true;
}

static bool take_number(const char **at, int16_t *number) {
    char word[SB_NAME_LENGTH], *end;
    if (!take_word(at, word)) return false;
    const long value = strtol(word, &end, 10);
    *number = (int16_t)value;
    return !*end && value > -1000 && value < 1000;
}

static bool take_colour(const sb_models *models, const char **at, uint8_t *colour) {
    char word[SB_NAME_LENGTH];
    return take_word(at, word) && (*colour = (uint8_t)sb_models_colour(models, word));
}

static bool is_end(const char *at) { return at[strspn(at, " ")] == '\0'; }

/* ---- Shapes ---- */

static sb_outline *next_shape(reader *r) {
    sb_models *m = r->models;
    if (m->n == 0 || m->n_shapes == SB_SHAPES_MAX) return NULL;
    m->of[m->n - 1].n++;
    return &m->shapes[m->n_shapes++];
}

static bool read_shape(reader *r, sb_shape_kind kind, const char *at) {
    static const uint8_t wanted[] = {
        [SB_SHAPE_OVAL] = 4, [SB_SHAPE_LINE] = 5, [SB_SHAPE_TEXT] = 2, [SB_SHAPE_SHADE] = 4};
    char letter[SB_NAME_LENGTH] = "";
    sb_outline *s = next_shape(r);
    if (!s) return false;
    *s = (sb_outline){.kind = (uint8_t)kind, .layer = (uint8_t)r->layer, .least = r->least};
    if (kind == SB_SHAPE_SHADE) s->layer = SB_LAYER_SHADE;
    if (kind != SB_SHAPE_SHADE && !take_colour(r->models, &at, &s->colour)) return false;
    if (kind == SB_SHAPE_TEXT && (!take_word(&at, letter) || letter[1])) return false;
    s->letter = letter[0];
    while (!is_end(at))
        if (s->n == SB_SHAPE_NUMBERS || !take_number(&at, &s->numbers[s->n++])) return false;
    return kind == SB_SHAPE_POLY ? s->n >= 6 && s->n % 2 == 0 : s->n == wanted[kind];
}

/* ---- Models that are like others ---- */

/* What is done to a copied shape. */
typedef struct change {
    bool flip;
    uint8_t colours[SB_COLOURS_MAX]; /* the new number of each colour, by its old number */
} change;

static bool read_change(const sb_models *models, const char *at, change *c) {
    char word[SB_NAME_LENGTH];
    *c = (change){0};
    for (int i = 0; i < SB_COLOURS_MAX; i++) c->colours[i] = (uint8_t)i;
    while (!is_end(at)) {
        if (!take_word(&at, word)) return false;
        char *other = strchr(word, '=');
        if (other) *other++ = '\0';
        if (!other && strcmp(word, "flip") != 0) return false;
        if (!other) {
            c->flip = true;
            continue;
        }
        const int from = sb_models_colour(models, word), to = sb_models_colour(models, other);
        if (!from || !to) return false;
        c->colours[from] = (uint8_t)to;
    }
    return true;
}

/* Turns left and right round. Letters stay as they are, at the other side. */
static void flip(sb_outline *s) {
    const int n = s->kind == SB_SHAPE_POLY ? s->n : s->kind == SB_SHAPE_LINE ? 4 : 2;
    for (int i = 0; i < n; i += 2) s->numbers[i] = (int16_t)-s->numbers[i];
}

static bool read_like(reader *r, const char *at) {
    char name[SB_NAME_LENGTH];
    change c;
    const sb_sprite_model *from = take_word(&at, name) ? sb_model_find(r->models, name) : NULL;
    if (!from || from == &r->models->of[r->models->n - 1] || !read_change(r->models, at, &c)) return false;
    for (int i = 0; i < from->n; i++) {
        sb_outline *s = next_shape(r);
        if (!s) return false;
        *s = r->models->shapes[from->first + i];
        s->colour = c.colours[s->colour];
        if (c.flip) flip(s);
    }
    return true;
}

/* ---- Lines ---- */

static bool read_colour(sb_models *models, const char *at) {
    sb_palette *palette = &models->palette;
    char name[SB_NAME_LENGTH], hex[SB_NAME_LENGTH], *end;
    if (palette->n == SB_COLOURS_MAX || !take_word(&at, name) || !take_word(&at, hex) || strlen(hex) != 6) return false;
    const unsigned long rgb = strtoul(hex, &end, 16);
    for (int k = 0; k < 3; k++) palette->rgb[palette->n][k] = (uint8_t)(rgb >> (16 - 8 * k));
    memcpy(models->colours[palette->n++], name, sizeof name);
    return !*end && is_end(at);
}

static bool read_model(reader *r, const char *at) {
    sb_models *m = r->models;
    if (m->n == SB_MODELS_MAX || !take_word(&at, m->of[m->n].name)) return false;
    m->of[m->n++].first = m->n_shapes;
    r->layer = SB_LAYER_STANDING, r->least = 0;
    return is_end(at);
}

static bool read_least(reader *r, const char *at) {
    int16_t n;
    if (!take_number(&at, &n) || n < 0 || n > UINT8_MAX) return false;
    r->least = (uint8_t)n;
    return is_end(at);
}

static bool read_line(reader *r, const char *at) {
    static const char *const kinds[] = {"poly", "oval", "line", "text", "shade"};
    char word[SB_NAME_LENGTH];
    if (is_end(at) || *at == '#') return true;
    if (!take_word(&at, word)) return false;
    for (int k = SB_SHAPE_POLY; k <= SB_SHAPE_SHADE; k++)
        if (strcmp(word, kinds[k]) == 0) return read_shape(r, (sb_shape_kind)k, at);
    if (strcmp(word, "colour") == 0) return read_colour(r->models, at);
    if (strcmp(word, "model") == 0) return read_model(r, at);
    if (strcmp(word, "like") == 0) return read_like(r, at);
    if (strcmp(word, "from") == 0) return read_least(r, at);
    const bool flat = strcmp(word, "flat") == 0;
    r->layer = flat ? SB_LAYER_FLAT : SB_LAYER_STANDING;
    return (flat || strcmp(word, "stands") == 0) && is_end(at);
}

int sb_models_read(sb_models *models, const char *text) {
    char line[LINE_MAX];
    reader r = {.models = models};
    memset(models, 0, sizeof *models);
    models->palette.n = 1; /* black */
    for (int number = 1; *text; number++) {
        const size_t n = strcspn(text, "\n");
        if (n >= sizeof line) return number;
        memcpy(line, text, n), line[n] = '\0';
        if (!read_line(&r, line)) return number;
        text += n + (text[n] == '\n');
    }
    return 0;
}

const sb_sprite_model *sb_model_find(const sb_models *models, const char *name) {
    for (int i = 0; i < models->n; i++)
        if (strcmp(models->of[i].name, name) == 0) return &models->of[i];
    return NULL;
}

int sb_models_colour(const sb_models *models, const char *name) {
    for (int i = 1; i < models->palette.n; i++)
        if (strcmp(models->colours[i], name) == 0) return i;
    return 0;
}
