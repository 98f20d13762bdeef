/* Pictures of the toy: a cell is a square of one colour. In Hunt, the cells where the target may be; in Pile, the
 * target and the numbers of the pile in binary, a row each. The privileged look also shows where the hidden cell is. */
#include <stdlib.h>

#include "base/error.h"
#include "tests/testfamily/toy.h"

enum { BOARD, ANSWER, TILE_MAX = 8, BITS = 16, ROWS = TOY_MAX_STEPS + 1 };
enum { BLACK, GREY, WHITE, RED, N_COLOURS };

static const sb_look looks[] = {
    {.name = "board",
     .summary = "what is known, a square for each cell",
     .version = "1",
     .code = BOARD,
     .indexed = true},
    {.name = "answer",
     .alias = "all",
     .summary = "the same, and what is hidden",
     .version = "2",
     .code = ANSWER,
     .privileged = true},
};

static const sb_palette palette = {.n = N_COLOURS,
                                   .rgb = {[GREY] = {90, 90, 90}, [WHITE] = {250, 250, 250}, [RED] = {200, 30, 20}}};

static bool make(sb_brush *brush, sb_error *error) {
    if (!sb_brush_check_tile(brush, TILE_MAX, error) || !sb_brush_check_options(brush, 0, error)) return false;
    sb_palette *own = brush->tiles = malloc(sizeof *own);
    if (!own) return sb_fail(error, SB_MEMORY, "out of memory for a brush of the toy");
    *own = palette;
    if (brush->look->indexed) brush->palette = own;
    return true;
}

static void clear(sb_brush *brush) { free(brush->tiles); }

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    (void)difficulty;
    const bool is_hunt = toy_is_hunt(task);
    size[0] = (is_hunt ? TOY_BOARD_HEIGHT : ROWS) * brush->options.tile;
    size[1] = (is_hunt ? TOY_BOARD_WIDTH : BITS) * brush->options.tile;
}

/* `numbers` are those of the family's array. */
static uint8_t colour_at(const sb_brush *brush, const sb_env *env, const int32_t *numbers, int x, int y) {
    int32_t hidden[2];
    if (!toy_is_hunt(env->task)) return numbers[y] >> (BITS - 1 - x) & 1 ? WHITE : GREY;
    toy_hidden(env, hidden);
    if (brush->look->code == ANSWER && x == hidden[0] && y == hidden[1]) return RED;
    return x >= numbers[0] && x <= numbers[1] && y >= numbers[2] && y <= numbers[3] ? WHITE : GREY;
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_palette *colours = brush->tiles;
    int32_t extent[2], numbers[ROWS];
    size(brush, env->task, 0, extent);
    toy_family.fill(env, 0, numbers);
    for (int y = 0; y < extent[0]; y++)
        for (int x = 0; x < extent[1]; x++) {
            const uint8_t colour = colour_at(brush, env, numbers, x / brush->options.tile, y / brush->options.tile);
            if (brush->options.indexed)
                *pixels++ = colour;
            else
                for (int k = 0; k < 3; k++) *pixels++ = colours->rgb[colour][k];
        }
}

const sb_picture_source toy_pictures = {.looks = looks,
                                        .n_looks = sizeof looks / sizeof *looks,
                                        .make = make,
                                        .clear = clear,
                                        .size = size,
                                        .paint = paint};
