#include "engine/minigrid/codes.h"

const char *const sb_mg_action_names[SB_MG_N_ACTIONS] = {"left", "right",  "forward", "pickup",
                                                         "drop", "toggle", "done"};

const char *const sb_mg_type_names[SB_MG_N_TYPES] = {
    [SB_MG_UNSEEN] = "unseen", [SB_MG_EMPTY] = "empty", [SB_MG_WALL] = "wall", [SB_MG_DOOR] = "door",
    [SB_MG_KEY] = "key",       [SB_MG_BALL] = "ball",   [SB_MG_BOX] = "box",   [SB_MG_AGENT] = "agent",
};

const char *const sb_mg_colour_names[SB_MG_N_COLOURS] = {"red", "green", "blue", "purple", "yellow", "grey"};

const char *const sb_mg_direction_names[4] = {"east", "south", "west", "north"};

const char *const sb_mg_door_state_names[3] = {"open", "closed", "locked"};
