#include "engine/gridworld/observe/observe.h"

static sb_value absent(void) { return (sb_value){.kind = SB_ABSENT}; }
static sb_value word(const char *text) { return (sb_value){.kind = SB_WORD, .word = text}; }
static sb_value number(int n) { return (sb_value){.kind = SB_NUMBER, .number = n}; }

static bool is_color(int m) { return m >= 0 && m < SB_N_COLORS; }

static sb_value key_color(int m) { return word(sb_color_names[is_color(m) ? m : 0]); }
static sb_value door_color(int m) { return key_color(sb_door_color(m)); }
static sb_value door_state(int m) { return word(sb_door_is_open(m) ? "open" : "closed"); }
static sb_value lever_state(int m) { return word(sb_lever_is_on(m) ? "on" : "off"); }
static sb_value switch_state(int m) { return word(sb_switch_is_on(m) ? "on" : "off"); }

static sb_value switch_color(int m) {
    if (m <= 0 || sb_switch_is_on(m)) return absent();
    return is_color(m) ? word(sb_color_names[m]) : (sb_value){.kind = SB_DIGITS, .number = m};
}

/* The low four bits of the metadata of NPCs and enemies are their behaviour; tasks use the others for themselves. */
enum { N_BEHAVIORS = 16 };

static sb_value npc_type(int m) {
    static const char *const types[N_BEHAVIORS] = {[SB_NPC_FOLLOWER] = "follower",
                                                   [SB_NPC_FEARFUL] = "fearful",
                                                   [SB_NPC_MIRROR] = "mirror",
                                                   [SB_NPC_CONTRARIAN] = "contrarian"};
    const char *type = types[m & (N_BEHAVIORS - 1)];
    return word(type ? type : sb_object_names[SB_NPC]);
}

static sb_value enemy_type(int m) {
    static const char *const types[N_BEHAVIORS] = {"chaser", "ambusher", "patrol", "erratic"};
    const char *type = types[m & (N_BEHAVIORS - 1)];
    return word(type ? type : sb_object_names[SB_ENEMY]);
}

static sb_value tile_number(int m) { return m > 0 ? number(sb_box_number(m)) : absent(); }
static sb_value target_slot(int m) { return sb_target_is_numbered(m) ? number(sb_target_number(m)) : absent(); }
static sb_value target_accepts(int m) { return sb_target_is_typed(m) ? word(sb_object_names[m]) : absent(); }

static sb_value scroll_clue(int m) {
    if (m <= 0) return absent();
    const int d = sb_clue_direction(m), distance = sb_clue_distance(m);
    if (d > SB_WEST) return (sb_value){SB_CLUE, "unknown", distance, '?'};
    return (sb_value){SB_CLUE, sb_direction_names[d], distance, "NESW"[d]};
}

const sb_trait sb_traits[SB_N_TRAITS] = {
    [SB_KEY_COLOR] = {SB_KEY, "key_colors", "color", key_color},
    [SB_DOOR_COLOR] = {SB_DOOR, "door_colors", "color", door_color},
    [SB_DOOR_STATE] = {SB_DOOR, "door_states", "state", door_state},
    [SB_SWITCH_STATE] = {SB_SWITCH, "switch_states", "state", switch_state},
    [SB_SWITCH_COLOR] = {SB_SWITCH, "switch_colors", "color", switch_color},
    [SB_LEVER_STATE] = {SB_LEVER, "lever_states", "state", lever_state},
    [SB_NPC_TYPE] = {SB_NPC, "npc_types", "behavior", npc_type},
    [SB_ENEMY_TYPE] = {SB_ENEMY, "enemy_types", "behavior", enemy_type},
    [SB_RESOURCE_ENERGY] = {SB_RESOURCE, "resource_energy", "energy", number},
    [SB_TILE_NUMBER] = {SB_BOX, "tile_numbers", "tile_number", tile_number},
    [SB_TARGET_SLOT] = {SB_TARGET, "target_slots", "slot_number", target_slot},
    [SB_TARGET_ACCEPTS] = {SB_TARGET, "typed_target_objects", "accepts", target_accepts},
    [SB_SCROLL_CLUE] = {SB_SCROLL, "scroll_directions", "direction", scroll_clue},
};
