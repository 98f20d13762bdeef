/* Draws all figures and floors of the look `isometric` for scripts/contact-sheet: a picture in the format PPM.
 *
 *     seedbed-sheet HALF > sheet.ppm        half a tile is HALF pixels wide */
#include <stdio.h>
#include <stdlib.h>

#include "engine/gridworld/picture/stage.h"

enum { COLUMNS = 16, N_SHOWN = SB_N_FLOORS + SB_N_FIGURES };

static void put(const sb_surface *s, const sb_stage *stage, int i, int x, int y) {
    const int floor = i < SB_N_FLOORS ? i : SB_GROUND_FLOOR, figure = i < SB_N_FLOORS ? SB_SIGN_NONE : i - SB_N_FLOORS;
    sb_surface_put(s, &stage->floors, &stage->floor[floor].of[SB_LAYER_STANDING], x, y);
    sb_surface_shade(s, &stage->things, &stage->thing[figure].of[SB_LAYER_SHADE], x, y);
    for (int layer = SB_LAYER_FLAT; layer < SB_N_LAYERS; layer++)
        sb_surface_put(s, &stage->things, &stage->thing[figure].of[layer], x, y);
}

static int draw(const sb_figures *figures, int half) {
    const int wide = 5 * half / 2, high = 15 * half / 4, rows = (N_SHOWN + COLUMNS - 1) / COLUMNS;
    const int width = COLUMNS * wide, height = rows * high;
    sb_stage stage;
    uint8_t *pixels = malloc((size_t)(width * height)), *rgb = malloc(3 * (size_t)(width * height));
    if (!pixels || !rgb || !sb_stage_make(&stage, figures, half, sb_layout_up(half))) return free(pixels), free(rgb), 1;
    const sb_surface s = {pixels, width, height, 1, &figures->palette, figures->darker, pixels};
    sb_surface_fill(&s, 0, 0, width, height, figures->background);
    for (int i = 0; i < N_SHOWN; i++)
        put(&s, &stage, i, i % COLUMNS * wide + wide / 2, (i / COLUMNS + 1) * high - 3 * half / 2);
    sb_surface_colour(&figures->palette, pixels, (size_t)(width * height), rgb);
    printf("P6\n%d %d\n255\n", width, height);
    fwrite(rgb, 3, (size_t)(width * height), stdout);
    sb_stage_free(&stage);
    free(pixels), free(rgb);
    return 0;
}

int main(int argc, char **argv) {
    static sb_figures figures;
    sb_error error;
    const int half = argc == 2 ? atoi(argv[1]) : 0; // NOLINT(cert-err34-c): 0 is refused
    if (half < 1 || half > 128) {
        fputs("usage: seedbed-sheet HALF, 1 to 128 pixels\n", stderr);
        return 2;
    }
    if (sb_figures_read(&figures, &error)) return draw(&figures, half);
    fprintf(stderr, "%s\n", error.text);
    return 1;
}
