#include "engine/gridworld/picture/tiles.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/pictures/art.h"
#include "engine/gridworld/picture/shipped.h"

/* ---- Which drawing is which ---- */

static const char *const ground_names[SB_N_GROUNDS] = {
    [SB_GROUND_FLOOR] = "floor_even", [SB_GROUND_FLOOR_ODD] = "floor_odd",
    [SB_GROUND_WALL] = "wall_0",      [SB_GROUND_WALL + 1] = "wall_1",
    [SB_GROUND_WALL + 2] = "wall_2",  [SB_GROUND_WALL + 3] = "wall_3",
    [SB_GROUND_WALL + 4] = "wall_4",  [SB_GROUND_WALL + 5] = "wall_5",
    [SB_GROUND_HAZARD] = "hazard",    [SB_GROUND_WATER] = "water",
    [SB_GROUND_ICE] = "ice",          [SB_GROUND_HOLE] = "hole",
    [SB_GROUND_FOG] = "fog",          [SB_GROUND_PANEL] = "panel",
};

/* Signs that follow one another: `n` of them, all from one drawing that is turned, or each with its own name. Typed
 * targets are made below. */
static const struct {
    uint8_t first, n;
    const char *drawing;
} families[] = {
    {SB_SIGN_GOAL, 1, "goal"},
    {SB_SIGN_KEY, 1, "key_gold"},
    {SB_SIGN_KEY + 1, 1, "key_red"},
    {SB_SIGN_KEY + 2, 1, "key_blue"},
    {SB_SIGN_KEY + 3, 1, "key_green"},
    {SB_SIGN_DOOR, 1, "door_gold"},
    {SB_SIGN_DOOR + 1, 1, "door_red"},
    {SB_SIGN_DOOR + 2, 1, "door_blue"},
    {SB_SIGN_DOOR + 3, 1, "door_green"},
    {SB_SIGN_OPEN_DOOR, 1, "open_gold"},
    {SB_SIGN_OPEN_DOOR + 1, 1, "open_red"},
    {SB_SIGN_OPEN_DOOR + 2, 1, "open_blue"},
    {SB_SIGN_OPEN_DOOR + 3, 1, "open_green"},
    {SB_SIGN_SWITCH_OFF, 1, "switch_off"},
    {SB_SIGN_SWITCH_ON, 1, "switch_on"},
    {SB_SIGN_SWITCH_NUMBER, 1, "switch_number"},
    {SB_SIGN_BOX, 1, "box"},
    {SB_SIGN_BOX_HOME, 1, "box_home"},
    {SB_SIGN_TARGET, 1, "target"},
    {SB_SIGN_SLOT, 1, "slot"},
    {SB_SIGN_TOOL, 1, "tool"},
    {SB_SIGN_RESOURCE, 1, "resource_0"},
    {SB_SIGN_RESOURCE + 1, 1, "resource_1"},
    {SB_SIGN_RESOURCE + 2, 1, "resource_2"},
    {SB_SIGN_RESOURCE + 3, 1, "resource_3"},
    {SB_SIGN_RESOURCE + 4, 1, "resource_4"},
    {SB_SIGN_BREADCRUMB, 1, "breadcrumb"},
    {SB_SIGN_NPC, 4, "npc"},
    {SB_SIGN_NPC_NUMBER, 1, "npc_number"},
    {SB_SIGN_ENEMY, 4, "enemy"},
    {SB_SIGN_ENEMY_NUMBER, 1, "enemy_number"},
    {SB_SIGN_SHEEP, 4, "sheep"},
    {SB_SIGN_BLOCKER, 1, "blocker"},
    {SB_SIGN_GEM, 1, "gem"},
    {SB_SIGN_LEVER_OFF, 1, "lever_off"},
    {SB_SIGN_LEVER_ON, 1, "lever_on"},
    {SB_SIGN_POTION, 1, "potion"},
    {SB_SIGN_SCROLL, 1, "scroll"},
    {SB_SIGN_CLUE, 4, "clue"},
    {SB_SIGN_CLUE_UNKNOWN, 1, "clue_unknown"},
    {SB_SIGN_COIN, 1, "coin"},
    {SB_SIGN_ORB, 1, "orb"},
    {SB_SIGN_AGENT, 4, "agent"},
    {SB_SIGN_REVERSED, 1, "reversed"},
};

typedef struct signs {
    sb_canvas of[SB_N_SIGNS];
    uint8_t pixels[SB_N_SIGNS][SB_SIGN_SIDE * SB_SIGN_SIDE];
} signs;

/* A typed target shows the middle of what it accepts, in a frame. */
static void draw_typed(signs *s, const sb_art *art, int sign, int object) {
    const int inside = SB_SIGN_SIDE - 2;
    const sb_canvas *to = &s->of[sign], *from = &s->of[sb_sign_of((sb_object)object)];
    sb_canvas_draw(to, 0, 0, sb_art_find(art, "typed_frame"), 1);
    for (int y = 1; y <= inside; y++) memcpy(sb_pixel(to, 1, y), sb_pixel(from, 1, y), (size_t)inside);
}

static void draw_signs(signs *s, const sb_art *art) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < SB_N_SIGNS; i++) s->of[i] = (sb_canvas){SB_SIGN_SIDE, SB_SIGN_SIDE, s->pixels[i]};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (int k = 0; k < families[i].n; k++)
            sb_canvas_turn(&s->of[families[i].first + k], sb_art_find(art, families[i].drawing), k);
    draw_typed(s, art, SB_SIGN_TYPED_BOX, SB_BOX);
    for (int object = SB_GEM; object <= SB_ORB; object++)
        draw_typed(s, art, SB_SIGN_TYPED_GEM + object - SB_GEM, object);
}

/* ---- The atlases ---- */

typedef struct drawer {
    sb_flat_tiles *tiles;
    sb_art art;
    signs signs;
    uint8_t pixels[SB_PLATE_SIDE * SB_PLATE_SIDE];
} drawer;

/* Returns a canvas of this size in which everything is transparent. */
static sb_canvas blank(drawer *d, int side) {
    memset(d->pixels, 0, sizeof d->pixels);
    return (sb_canvas){side, side, d->pixels};
}

static void draw_cells(drawer *d) {
    const sb_flat_tiles *t = d->tiles;
    for (int ground = 0; ground < SB_N_GROUNDS; ground++)
        for (int sign = 0; sign < SB_N_SIGNS; sign++) {
            const sb_canvas tile = blank(d, t->cells.side);
            sb_canvas_draw(&tile, 0, 0, sb_art_find(&d->art, ground_names[ground]), t->scale);
            sb_canvas_draw(&tile, SB_SIGN_AT * t->scale, SB_SIGN_AT * t->scale, &d->signs.of[sign], t->scale);
            sb_atlas_store(&t->cells, sb_flat_tile(ground, sign), &tile, &t->palette);
        }
}

static void draw_strips(drawer *d) {
    const sb_flat_tiles *t = d->tiles;
    const int half = t->strips.side / 2;
    for (int n = 0; n < SB_N_STRIPS; n++) {
        const sb_canvas tile = blank(d, t->strips.side);
        sb_canvas_fill(&tile, 0, 0, half, t->scale, (uint8_t)(SB_DIGIT_COLOUR + n / 16));
        sb_canvas_fill(&tile, half, 0, half, t->scale, (uint8_t)(SB_DIGIT_COLOUR + n % 16));
        sb_atlas_store(&t->strips, (size_t)n, &tile, &t->palette);
    }
}

/* Writes 100 as C0: there is room for two digits. */
static void draw_plates(drawer *d) {
    const sb_flat_tiles *t = d->tiles;
    for (int n = 0; n < SB_N_PLATES; n++) {
        const sb_canvas tile = blank(d, SB_PLATE_SIDE);
        const uint8_t light = d->art.colour_of['O'];
        sb_canvas_fill(&tile, 0, 0, SB_PLATE_WIDTH, SB_PLATE_HEIGHT, t->panel);
        const int tens = n / 10; /* the tens of a hundred are SB_GLYPH_HUNDRED */
        if (tens) sb_canvas_glyph(&tile, 1, 1, tens, light);
        sb_canvas_glyph(&tile, 2 + SB_GLYPH_WIDTH, 1, n % 10, light);
        sb_atlas_store(&t->plates, (size_t)n, &tile, &t->palette);
    }
}

static void draw_small(drawer *d) {
    const sb_flat_tiles *t = d->tiles;
    for (int sign = 0; sign < SB_N_SIGNS; sign++) {
        const sb_canvas tile = blank(d, SB_SIGN_SIDE);
        sb_canvas_fill(&tile, 0, 0, SB_SIGN_SIDE, SB_SIGN_SIDE, t->panel);
        sb_canvas_draw(&tile, 0, 0, &d->signs.of[sign], 1);
        sb_atlas_store(&t->small, (size_t)sign, &tile, &t->palette);
    }
}

static void list_plain(sb_flat_tiles *t) {
    for (int object = 0; object < SB_N_OBJECTS; object++)
        for (int terrain = 0; terrain < SB_N_TERRAINS; terrain++)
            for (int odd = 0; odd < 2; odd++) {
                const sb_cell cell = {.terrain = (int8_t)terrain, .object = (int8_t)object};
                const sb_appearance a = sb_appearance_of(&cell);
                const int ground = a.ground == SB_GROUND_FLOOR && odd ? SB_GROUND_FLOOR_ODD : a.ground;
                t->plain[object][terrain][odd] = a.number == SB_NO_NUMBER ? (uint16_t)sb_flat_tile(ground, a.sign)
                                                                          : SB_NOT_PLAIN;
            }
}

static bool make_atlases(sb_flat_tiles *t, int side, int depth) {
    return sb_atlas_make(&t->cells, SB_OUTSIDE_TILE + 1, side, depth) &&
           sb_atlas_make(&t->strips, SB_N_STRIPS, side, depth) &&
           (side != SB_PLATE_SIDE || (sb_atlas_make(&t->plates, SB_N_PLATES, SB_PLATE_SIDE, depth) &&
                                      sb_atlas_make(&t->small, SB_N_SIGNS, SB_SIGN_SIDE, depth)));
}

static bool draw_all(drawer *d, sb_error *error) {
    sb_flat_tiles *t = d->tiles;
    const int wrong = sb_art_read(&d->art, (const char *)sb_shipped_tiles8);
    if (wrong) return sb_fail(error, SB_INVALID, "line %d of the drawings of tiles is wrong", wrong);
    t->palette = d->art.palette;
    t->panel = d->art.colour_of['L'], t->filled = d->art.colour_of['t'];
    draw_signs(&d->signs, &d->art);
    draw_cells(d), draw_strips(d), list_plain(t);
    if (t->cells.side == SB_PLATE_SIDE) draw_plates(d), draw_small(d);
    return true;
}

sb_flat_tiles *sb_flat_tiles_make(int side, int depth, sb_error *error) {
    sb_flat_tiles *t = calloc(1, sizeof *t);
    drawer *d = malloc(sizeof *d);
    bool ok = (t && d && make_atlases(t, side, depth)) || sb_fail(error, SB_MEMORY, "out of memory for tiles");
    if (ok) {
        t->scale = side / SB_TILE_SIDE;
        d->tiles = t;
        ok = draw_all(d, error);
    }
    free(d);
    if (ok) return t;
    sb_flat_tiles_free(t);
    return NULL;
}

void sb_flat_tiles_free(sb_flat_tiles *t) {
    if (!t) return;
    sb_atlas_free(&t->cells), sb_atlas_free(&t->strips), sb_atlas_free(&t->plates), sb_atlas_free(&t->small);
    free(t);
}
