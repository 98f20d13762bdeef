#include "engine/gridworld/picture/stage.h"

#include <string.h>

#include "base/error.h"
#include "engine/gridworld/picture/shipped.h"

static const char *const floor_names[SB_N_FLOORS] = {
    [SB_GROUND_FLOOR] = "floor_even", [SB_GROUND_FLOOR_ODD] = "floor_odd",
    [SB_GROUND_WALL] = "wall_0",      [SB_GROUND_WALL + 1] = "wall_1",
    [SB_GROUND_WALL + 2] = "wall_2",  [SB_GROUND_WALL + 3] = "wall_3",
    [SB_GROUND_WALL + 4] = "wall_4",  [SB_GROUND_WALL + 5] = "wall_5",
    [SB_GROUND_HAZARD] = "hazard",    [SB_GROUND_WATER] = "water",
    [SB_GROUND_ICE] = "ice",          [SB_GROUND_HOLE] = "hole",
    [SB_GROUND_FOG] = "fog",          [SB_GROUND_PANEL] = "none",
    [SB_GROUND_BORDER] = "border",
};

/* Names of figures that follow one another, from `first` on. */
static const struct {
    uint8_t first;
    const char *names[8];
} lists[] = {
    {SB_SIGN_NONE, {"none", "goal"}},
    {SB_SIGN_KEY, {"key_gold", "key_red", "key_blue", "key_green"}},
    {SB_SIGN_DOOR, {"door_gold", "door_red", "door_blue", "door_green"}},
    {SB_SIGN_OPEN_DOOR, {"open_gold", "open_red", "open_blue", "open_green"}},
    {SB_SIGN_SWITCH_OFF, {"switch_off", "switch_on", "switch_number", "box", "box_home", "target", "typed_box"}},
    {SB_SIGN_TYPED_GEM, {"typed_gem", "typed_lever", "typed_potion", "typed_scroll", "typed_coin", "typed_orb"}},
    {SB_SIGN_SLOT, {"slot", "tool"}},
    {SB_SIGN_RESOURCE, {"resource_0", "resource_1", "resource_2", "resource_3", "resource_4", "breadcrumb"}},
    {SB_SIGN_NPC, {"npc_0", "npc_1", "npc_2", "npc_3", "npc_still"}},
    {SB_SIGN_ENEMY, {"enemy_0", "enemy_1", "enemy_2", "enemy_3", "enemy_still"}},
    {SB_SIGN_SHEEP, {"sheep_0", "sheep_1", "sheep_2", "sheep_3", "blocker", "gem", "lever_off", "lever_on"}},
    {SB_SIGN_POTION, {"potion", "scroll"}},
    {SB_SIGN_CLUE, {"clue_0", "clue_1", "clue_2", "clue_3", "clue_unknown", "coin", "orb"}},
    {SB_SIGN_AGENT, {"agent_0", "agent_1", "agent_2", "agent_3", "reversed"}},
    {SB_FIGURE_ACROSS,
     {"door_gold_rl", "door_red_rl", "door_blue_rl", "door_green_rl", "open_gold_rl", "open_red_rl", "open_blue_rl",
      "open_green_rl"}},
    {SB_FIGURE_LIT, {"bulb_lit", "bulb_dark", "node_1", "node_2", "node_3", "node_4"}},
    {SB_FIGURE_NPC_KIND, {"npc_F", "npc_X", "npc_M", "npc_C"}},
    {SB_FIGURE_ENEMY_KIND, {"enemy_C", "enemy_A", "enemy_F", "enemy_T"}},
    {SB_FIGURE_BUBBLE, {"bubble"}},
};
enum { N_LISTS = sizeof lists / sizeof *lists, LIST_MAX = sizeof lists->names / sizeof *lists->names };

/* ---- Reading ---- */

/* A shade has 13 sixteenths of each colour's red, green and blue. */
static void add_shade(sb_figures *f, uint8_t colour) {
    if (f->darker[colour] != colour || f->palette.n == SB_COLOURS_MAX) return;
    uint8_t *rgb = f->palette.rgb[f->palette.n];
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(f->palette.rgb[colour][k] * 13 / 16);
    f->darker[colour] = (uint8_t)f->palette.n++;
}

/* Adds shades for the colours of the ground: shades fall on nothing else. */
static bool add_shades(sb_figures *f) {
    for (int i = 0; i < SB_COLOURS_MAX; i++) f->darker[i] = (uint8_t)i;
    add_shade(f, f->background), add_shade(f, f->words);
    for (int g = 0; g < SB_N_FLOORS; g++) {
        const sb_sprite_model *model = sb_model_find(&f->models, floor_names[g]);
        for (int i = 0; model && i < model->n; i++) add_shade(f, f->models.shapes[model->first + i].colour);
        if (!model) return false;
    }
    return true;
}

static bool has_figures(const sb_figures *f) {
    for (int i = 0; i < N_LISTS; i++)
        for (int k = 0; k < LIST_MAX && lists[i].names[k]; k++)
            if (!sb_model_find(&f->models, lists[i].names[k])) return false;
    return true;
}

static uint8_t colour_of(const sb_figures *f, const char *name) { return (uint8_t)sb_models_colour(&f->models, name); }

bool sb_figures_read(sb_figures *f, sb_error *error) {
    const int wrong = sb_models_read(&f->models, (const char *)sb_shipped_sprites);
    if (wrong) return sb_fail(error, SB_INVALID, "line %d of the drawings of sprites is wrong", wrong);
    f->palette = f->models.palette;
    f->background = colour_of(f, "background"), f->words = colour_of(f, "words");
    f->light = colour_of(f, "light"), f->ink = colour_of(f, "ink");
    f->filled = colour_of(f, "foam"), f->empty = colour_of(f, "dark");
    f->digit = colour_of(f, "digit_0");
    return (add_shades(f) && has_figures(f)) || sb_fail(error, SB_INVALID, "a drawing of sprites is missing");
}

/* ---- Sprites ---- */

static bool make_floors(sb_stage *s, const sb_figures *f) {
    for (int g = 0; g < SB_N_FLOORS; g++)
        if (!sb_sprite_make(&s->floors, &f->models, sb_model_find(&f->models, floor_names[g]), &s->floor[g]))
            return false;
    return true;
}

static bool make_things(sb_stage *s, const sb_figures *f) {
    for (int i = 0; i < N_LISTS; i++)
        for (int k = 0; k < LIST_MAX && lists[i].names[k]; k++)
            if (!sb_sprite_make(&s->things, &f->models, sb_model_find(&f->models, lists[i].names[k]),
                                &s->thing[lists[i].first + k]))
                return false;
    return true;
}

bool sb_stage_make(sb_stage *s, const sb_figures *f, int half, int up) {
    enum { UNITS = 64, UNITS_UP = 48 };
    *s = (sb_stage){.floors = {.half = half, .up = up, .per = UNITS_UP},
                    .things = {.half = half, .up = half, .per = UNITS}};
    const bool ok = (up == 0 || make_floors(s, f)) && make_things(s, f);
    sb_sprites_finish(&s->floors), sb_sprites_finish(&s->things);
    return ok;
}

void sb_stage_free(sb_stage *s) { sb_sprites_free(&s->floors), sb_sprites_free(&s->things); }
