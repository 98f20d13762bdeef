/* The looks of MiniGrid: `view`, what the agent sees, and `grid`, everything. A frame is copied from tiles that are
 * drawn when the brush is made. */
#include "engine/minigrid/minigrid.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/pictures/atlas.h"
#include "engine/minigrid/view.h"

enum { VIEW, GRID };

static const sb_look looks[] = {
    {.name = "view",
     .alias = "rgb_partial",
     .summary = "the square of 7 x 7 cells in front of the agent, ahead is up",
     .version = "1",
     .code = VIEW,
     .display_tile = 32},
    {.name = "grid",
     .alias = "rgb_array",
     .summary = "all cells, north is up; those that the agent sees are brighter",
     .version = "1",
     .code = GRID,
     .display_tile = 32,
     .privileged = true},
};

/* ---- Tiles ------------------------------------------------------------------------------------------------------- */

/* The kinds of cells are numbered: nothing, a wall, and six things of every colour. */
enum { NOTHING, A_WALL, THINGS, OF_A_COLOUR = 6, KINDS = THINGS + OF_A_COLOUR * SB_MG_N_COLOURS };
/* Who stands on a cell: nobody, or the agent in one of four directions. */
enum { NOBODY, AGENT, STANDS = 5 };

static size_t kind_of(const uint8_t code[3]) {
    if (code[0] <= SB_MG_EMPTY) return NOTHING;
    if (code[0] == SB_MG_WALL) return A_WALL;
    return THINGS + (size_t)OF_A_COLOUR * code[1] + (code[0] == SB_MG_DOOR ? code[2] : (size_t)code[0] - 2);
}

static void code_of(size_t kind, uint8_t code[3]) {
    memset(code, 0, 3);
    code[0] = kind == NOTHING ? SB_MG_EMPTY : SB_MG_WALL, code[1] = kind == A_WALL ? SB_MG_GREY : 0;
    if (kind < THINGS) return;
    const size_t thing = (kind - THINGS) % OF_A_COLOUR;
    code[0] = (uint8_t)(thing < 3 ? SB_MG_DOOR : thing + 2), code[1] = (uint8_t)((kind - THINGS) / OF_A_COLOUR);
    code[2] = (uint8_t)(thing < 3 ? thing : 0);
}

typedef struct tiles {
    sb_atlas atlas;
    uint16_t of[KINDS][STANDS][2]; /* the number of a tile, by kind, who stands there, and whether it is highlighted */
} tiles;

/* Tells whether a look can show a tile of this kind: the view shows the agent looking up over what it carries, the grid
 * shows it over what it stands on. */
static bool is_needed(int look, size_t kind, int stands, bool bright) {
    uint8_t code[3];
    code_of(kind, code);
    const bool is_door = code[0] == SB_MG_DOOR, is_empty = kind == NOTHING;
    if (look == VIEW && stands == NOBODY) return bright || is_empty;
    if (look == VIEW) return bright && stands == AGENT + SB_MG_NORTH && !is_door && kind != A_WALL;
    return stands == NOBODY || is_empty || (is_door && code[2] == SB_MG_OPENED);
}

static uint16_t number_tiles(tiles *t, int look) {
    uint16_t n = 0;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (int stands = 0; stands < STANDS; stands++)
            for (int bright = 0; bright < 2; bright++)
                t->of[kind][stands][bright] = is_needed(look, kind, stands, bright) ? n++ : 0;
    return n;
}

static void draw_tiles(const tiles *t, int look) {
    for (size_t kind = 0; kind < KINDS; kind++)
        for (int stands = 0; stands < STANDS; stands++)
            for (int bright = 0; bright < 2; bright++) {
                uint8_t code[3];
                if (!is_needed(look, kind, stands, bright)) continue;
                code_of(kind, code);
                sb_mg_draw_tile(code, stands == NOBODY ? SB_MG_NO_AGENT : stands - AGENT, bright, t->atlas.side,
                                sb_atlas_tile(&t->atlas, t->of[kind][stands][bright]));
            }
}

static bool make(sb_brush *brush, sb_error *error) {
    const unsigned has = brush->look->code == GRID ? SB_BRUSH_HIGHLIGHT : 0;
    if (!sb_brush_check_tile(brush, SB_MG_TILE_MAX, error) || !sb_brush_check_options(brush, has, error)) return false;
    tiles *t = brush->tiles = calloc(1, sizeof *t);
    if (!t || !sb_atlas_make(&t->atlas, number_tiles(t, brush->look->code), brush->options.tile, 3))
        return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    draw_tiles(t, brush->look->code);
    return true;
}

static void clear(sb_brush *brush) {
    tiles *t = brush->tiles;
    if (t) sb_atlas_free(&t->atlas);
    free(t);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    (void)difficulty;
    const sb_mg_level *level = (const sb_mg_level *)task; /* its info comes first */
    sb_xy cells = sb_at(SB_MG_VIEW_DEFAULT, SB_MG_VIEW_DEFAULT);
    if (brush->look->code == GRID) cells = level->size(level);
    size[0] = cells.y * brush->options.tile, size[1] = cells.x * brush->options.tile;
}

/* A picture that tiles are copied into. */
typedef struct frame {
    const tiles *tiles;
    uint8_t *pixels;
    size_t stride;
} frame;

static inline void put(const frame *f, int x, int y, const uint8_t code[3], int stands, bool bright) {
    const sb_atlas *atlas = &f->tiles->atlas;
    sb_atlas_copy(atlas, f->tiles->of[kind_of(code)][stands][bright],
                  f->pixels + (size_t)(y * atlas->side) * f->stride + (size_t)x * atlas->row, f->stride);
}

static void paint_view(const frame *f, const sb_mg_world *w) {
    enum { SIDE = SB_MG_VIEW_DEFAULT };
    uint8_t view[3 * SIDE * SIDE];
    sb_mg_view(w, SIDE, view);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const uint8_t *code = view + (ptrdiff_t)3 * (j * SIDE + i);
            const bool self = j == SIDE - 1 && i == SIDE / 2;
            put(f, i, j, code, self ? AGENT + SB_MG_NORTH : NOBODY, code[0] != SB_MG_UNSEEN);
        }
}

/* The world of a masked episode has another size than the level's: what does not fit is left out. */
static void paint_grid(const frame *f, const sb_mg_world *w, sb_xy cells, bool highlight) {
    sb_mg_visibility visibility;
    sb_mg_look(w, SB_MG_VIEW_DEFAULT, &visibility);
    for (int y = 0; y < cells.y; y++)
        for (int x = 0; x < cells.x; x++) {
            uint8_t code[3] = {SB_MG_EMPTY};
            const sb_xy at = sb_at(x, y);
            if (sb_mg_inside(w, at)) sb_mg_encode(w, at, code);
            put(f, x, y, code, sb_same(at, w->agent) ? AGENT + w->facing : NOBODY,
                highlight && sb_mg_sees_cell(w, &visibility, at));
        }
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const tiles *t = brush->tiles;
    const sb_mg_level *level = (const sb_mg_level *)env->task; /* its info comes first */
    const sb_xy cells = brush->look->code == GRID ? level->size(level) : sb_at(SB_MG_VIEW_DEFAULT, SB_MG_VIEW_DEFAULT);
    frame f = {.tiles = t, .stride = (size_t)cells.x * t->atlas.row};
    f.pixels = pixels;
    if (brush->look->code == GRID)
        paint_grid(&f, env->state, cells, !brush->options.no_highlight);
    else
        paint_view(&f, env->state);
}

const sb_picture_source sb_mg_pictures = {
    .looks = looks,
    .n_looks = sizeof looks / sizeof *looks,
    .make = make,
    .clear = clear,
    .size = size,
    .paint = paint,
};
