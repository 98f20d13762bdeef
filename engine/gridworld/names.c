/* The published benchmark's words for its codes (docs/compatibility.md, "Codes"), and the public functions that return
 * them. */
#include "base/word.h"
#include "engine/gridworld/episode.h"

const char *const sb_difficulty_names[SB_N_DIFFICULTIES] = {"easy", "medium", "hard", "expert"};

const char *const sb_action_names[SB_N_ACTIONS] = {"noop",      "move_up",    "move_down",
                                                   "move_left", "move_right", "interact"};

const char *const sb_object_names[SB_N_OBJECTS] = {
    "none", "goal",  "key",   "door",    "switch", "box",   "target", "tool",   "resource", "breadcrumb",
    "npc",  "enemy", "sheep", "blocker", "gem",    "lever", "potion", "scroll", "coin",     "orb"};

static const char *const terrain_names[SB_N_TERRAINS] = {"empty", "wall", "hazard", "water", "ice", "hole"};

const char *const sb_direction_names[4] = {"north", "east", "south", "west"};

const char *const sb_color_names[SB_N_COLORS] = {"gold", "red", "blue", "green"};

const char *const sb_phase_names[SB_N_PHASE_KINDS] = {"unknown", "goal_reach", "key_door", "lever_barrier",
                                                      "collection"};

const sb_item_words sb_item_names[SB_N_ITEM_KINDS] = {
    [SB_ITEM_NONE] = {"none", "none", NULL},
    [SB_ITEM_KEY] = {"key", "key", "color"},
    [SB_ITEM_INGREDIENT] = {"ingredient", "ing", "ing_type"},
    [SB_ITEM_ORB] = {"orb", "orb", NULL},
    [SB_ITEM_OBJECT] = {"item", "item", "object_type"},
};

const sb_xy sb_delta[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

/* ---- Names of codes ---- */

static const char *const outside = "out_of_bounds";

const char *sb_terrain_name(sb_terrain terrain) {
    if (terrain == SB_TERRAIN_OUTSIDE) return outside;
    return (unsigned)terrain < SB_N_TERRAINS ? terrain_names[terrain] : NULL;
}

const char *sb_object_name(sb_object object) {
    if (object == SB_OBJECT_OUTSIDE) return outside;
    return (unsigned)object < SB_N_OBJECTS ? sb_object_names[object] : NULL;
}

const char *sb_item_name(sb_item_kind kind) {
    return (unsigned)kind < SB_N_ITEM_KINDS ? sb_item_names[kind].type : NULL;
}

const char *sb_item_property(sb_item_kind kind) {
    return (unsigned)kind < SB_N_ITEM_KINDS ? sb_item_names[kind].property : NULL;
}

const char *sb_direction_name(sb_direction direction) {
    if (direction == SB_NOWHERE) return "nowhere";
    return (unsigned)direction < SB_NOWHERE ? sb_direction_names[direction] : NULL;
}

/* ---- From names to codes ---- */

bool sb_terrain_code(const char *name, sb_terrain *out) {
    for (int code = SB_TERRAIN_OUTSIDE; code < SB_N_TERRAINS; code++)
        if (sb_same_word(name, sb_terrain_name((sb_terrain)code))) return *out = (sb_terrain)code, true;
    return false;
}

bool sb_object_code(const char *name, sb_object *out) {
    for (int code = SB_OBJECT_OUTSIDE; code < SB_N_OBJECTS; code++)
        if (sb_same_word(name, sb_object_name((sb_object)code))) return *out = (sb_object)code, true;
    return false;
}

bool sb_item_code(const char *name, sb_item_kind *out) {
    for (int code = SB_ITEM_NONE; code < SB_N_ITEM_KINDS; code++)
        if (sb_same_word(name, sb_item_name((sb_item_kind)code))) return *out = (sb_item_kind)code, true;
    return false;
}

bool sb_direction_code(const char *name, sb_direction *out) {
    for (int code = SB_NORTH; code <= SB_NOWHERE; code++)
        if (sb_same_word(name, sb_direction_name((sb_direction)code))) return *out = (sb_direction)code, true;
    return false;
}
