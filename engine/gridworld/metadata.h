/* The meaning of a cell's metadata by its object: one vocabulary for rules, observations and oracles. A task may use
 * another meaning where observations do not show it. */
#ifndef SB_GRIDWORLD_METADATA_H
#define SB_GRIDWORLD_METADATA_H

#include "seedbed/gridworld.h"

enum { SB_FOG = -1 /* metadata of a fogged cell, with any object */ };

/* KEY and DOOR: a colour; SB_DOOR_OPEN is added if the door is open. */
enum { SB_N_COLORS = 4, SB_DOOR_OPEN = 10 };
extern const char *const sb_color_names[SB_N_COLORS];
static inline bool sb_door_is_open(int m) { return m >= SB_DOOR_OPEN; }
static inline int sb_door_color(int m) { return sb_door_is_open(m) ? m - SB_DOOR_OPEN : m; }

/* SWITCH: 0 or a colour while it is off; a switch that is on no longer has its colour. */
enum { SB_SWITCH_OFF = 0, SB_SWITCH_ON = 100 };
static inline bool sb_switch_is_on(int m) { return m >= SB_SWITCH_ON; }

/* LEVER: more than 0 after it was pulled. */
static inline bool sb_lever_is_on(int m) { return m > 0; }

/* BOX: the number of a tile, or 0; SB_BOX_AT_HOME is added if the box is where it belongs. */
enum { SB_BOX_AT_HOME = 100 };
static inline bool sb_box_is_home(int m) { return m >= SB_BOX_AT_HOME; }
static inline int sb_box_number(int m) { return sb_box_is_home(m) ? m - SB_BOX_AT_HOME : m; }

/* TARGET: SB_TARGET_NUMBERED plus the number of the tile that belongs there, or the only object type that it accepts.
 */
enum { SB_TARGET_NUMBERED = 200 };
static inline bool sb_target_is_numbered(int m) { return m >= SB_TARGET_NUMBERED; }
static inline int sb_target_number(int m) { return m - SB_TARGET_NUMBERED; }
static inline bool sb_target_is_typed(int m) { return m == SB_BOX || (m >= SB_GEM && m <= SB_ORB); }

/* SCROLL: a clue, made of a direction and a distance; a distance of 9 also means farther. 0: no clue. */
enum { SB_CLUE_FAR = 9 };
static inline int sb_clue(int direction, int distance) {
    return direction * 10 + (distance < SB_CLUE_FAR ? distance : SB_CLUE_FAR);
}
static inline int sb_clue_direction(int m) { return m / 10; }
static inline int sb_clue_distance(int m) { return m % 10; }

/* NPC: a behaviour that observations name. */
enum { SB_NPC_FOLLOWER = 1, SB_NPC_FEARFUL = 3, SB_NPC_MIRROR = 4, SB_NPC_CONTRARIAN = 5 };

#endif
