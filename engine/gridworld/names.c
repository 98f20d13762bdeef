/* The words of the published benchmark for its codes (docs/compatibility.md, "Codes"). */
#include "engine/gridworld/episode.h"

const char *const sb_difficulty_names[SB_N_DIFFICULTIES] = {"easy", "medium", "hard", "expert"};

const char *const sb_action_names[SB_N_ACTIONS] = {"noop",      "move_up",    "move_down",
                                                   "move_left", "move_right", "interact"};

const char *const sb_object_names[SB_N_OBJECTS] = {
    "none", "goal",  "key",   "door",    "switch", "box",   "target", "tool",   "resource", "breadcrumb",
    "npc",  "enemy", "sheep", "blocker", "gem",    "lever", "potion", "scroll", "coin",     "orb"};

const char *const sb_terrain_names[SB_HOLE + 1] = {"empty", "wall", "hazard", "water", "ice", "hole"};

const char *const sb_direction_names[4] = {"north", "east", "south", "west"};

const char *const sb_phase_names[SB_N_PHASE_KINDS] = {"unknown", "goal_reach", "key_door", "lever_barrier",
                                                      "collection"};

const sb_item_name sb_item_names[SB_N_ITEM_KINDS] = {
    [SB_ITEM_NONE] = {"", "", NULL},
    [SB_ITEM_KEY] = {"key", "key", "color"},
    [SB_ITEM_INGREDIENT] = {"ingredient", "ing", "ing_type"},
    [SB_ITEM_ORB] = {"orb", "orb", NULL},
    [SB_ITEM_OBJECT] = {"item", "item", "object_type"},
};

const sb_xy sb_delta[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
