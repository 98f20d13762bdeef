/* What hosts are shown of a drawing (render.md). */
#include "base/visible.h"
#include "engine/autumn/state.h"

size_t sb_autumn_n_layers(const sb_autumn_state *state) { return state->drawing.n_layers; }
const sb_autumn_layer *sb_autumn_layers(const sb_autumn_state *state) { return state->drawing.layers; }
size_t sb_autumn_n_cells(const sb_autumn_state *state) { return state->drawing.n_cells; }
const sb_autumn_cell *sb_autumn_cells(const sb_autumn_state *state) { return state->drawing.cells; }
uint32_t sb_autumn_size(const sb_autumn_state *state) { return state->drawing.size; }
uint32_t sb_autumn_background(const sb_autumn_state *state) { return state->drawing.background; }

/* Writes the frame: later cells cover earlier ones; cells off the grid are left out. */
void sb_autumn_frame(const sb_autumn_state *state, uint32_t *colours) {
    const sb_au_drawing *d = &state->drawing;
    for (uint32_t i = 0; i < d->size * d->size; i++) colours[i] = d->background;
    for (size_t i = 0; i < d->n_cells; i++) {
        const sb_autumn_cell *c = &d->cells[i];
        if ((uint32_t)c->x < d->size && (uint32_t)c->y < d->size)
            colours[(uint32_t)c->y * d->size + (uint32_t)c->x] = state->program->lower[c->colour];
    }
}

void sb_autumn_row(const sb_autumn_state *state, uint32_t y, uint32_t *colours) {
    const sb_au_drawing *d = &state->drawing;
    for (uint32_t x = 0; x < d->size; x++) colours[x] = d->background;
    for (size_t i = 0; i < d->n_cells; i++)
        if ((uint32_t)d->cells[i].y == y && (uint32_t)d->cells[i].x < d->size)
            colours[d->cells[i].x] = state->program->lower[d->cells[i].colour];
}

void sb_autumn_put_frame(const sb_autumn_state *state, sb_out *out) {
    const uint32_t size = state->drawing.size;
    uint32_t colours[SB_AUTUMN_SIZE_MAX];
    sb_puts(out, "[");
    for (uint32_t y = 0; y < size; y++) {
        sb_autumn_row(state, y, colours);
        sb_puts(out, y ? ", [" : "[");
        for (uint32_t x = 0; x < size; x++) {
            if (x) sb_puts(out, ", ");
            sb_put_json_string(out, sb_autumn_string(state->program, colours[x]));
        }
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

/* ---- The compact frame ---- */

/* Returns the place of a colour in a palette, which may be behind its end. */
static size_t place_of(uint32_t colour, const uint32_t *palette, size_t n) {
    size_t i = 0;
    while (i < n && palette[i] != colour) i++;
    return i;
}

size_t sb_autumn_palette(const sb_autumn_state *state, uint32_t *colours, size_t capacity) {
    uint32_t row[SB_AUTUMN_SIZE_MAX];
    size_t n = 0;
    if (capacity) colours[n++] = state->drawing.background;
    for (uint32_t y = 0; y < state->drawing.size; y++) {
        sb_autumn_row(state, y, row);
        for (uint32_t x = 0; x < state->drawing.size; x++)
            if (n < capacity && place_of(row[x], colours, n) == n) colours[n++] = row[x];
    }
    return n;
}

void sb_autumn_put_compact(const sb_autumn_state *state, sb_out *out) {
    static const char signs[] = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ?";
    const uint32_t size = state->drawing.size;
    uint32_t row[SB_AUTUMN_SIZE_MAX], palette[sizeof signs - 2];
    char text[SB_AUTUMN_SIZE_MAX];
    const size_t n = sb_autumn_palette(state, palette, sizeof palette / sizeof *palette);
    for (size_t i = 0; i < n; i++) {
        sb_putf(out, "%s%c ", i ? ", " : "", signs[i]);
        sb_put_visible(out, sb_autumn_string(state->program, palette[i]));
    }
    for (uint32_t y = 0; y < size; y++) {
        sb_autumn_row(state, y, row);
        for (uint32_t x = 0; x < size; x++) text[x] = signs[place_of(row[x], palette, n)];
        sb_puts(out, "\n");
        sb_put(out, text, size);
    }
}

/* ---- JSON of cells ---- */

static void put_cell(sb_out *out, const sb_autumn_program *p, const sb_autumn_cell *c) {
    sb_puts(out, "{\"position\": {");
    sb_member_int(out, "x", c->x);
    sb_member_int(out, "y", c->y);
    sb_puts(out, "}");
    sb_member_text(out, "color", sb_autumn_string(p, c->colour));
    sb_puts(out, "}");
}

void sb_autumn_put_cells(const sb_autumn_state *state, sb_out *out) {
    const sb_au_drawing *d = &state->drawing;
    sb_puts(out, "{");
    for (size_t i = 0; i < d->n_layers; i++) {
        const sb_autumn_layer *layer = &d->layers[i];
        sb_put_key(out, sb_autumn_name(state->program, layer->variable));
        sb_puts(out, "[");
        for (uint32_t k = 0; k < layer->n; k++) {
            sb_put_comma(out);
            put_cell(out, state->program, &d->cells[layer->first + k]);
        }
        sb_puts(out, "]");
    }
    sb_member_uint(out, "GRID_SIZE", d->size);
    sb_puts(out, "}");
}
