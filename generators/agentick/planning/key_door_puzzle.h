/* KeyDoorPuzzle's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_KEY_DOOR_PUZZLE_H
#define SB_AGENTICK_KEY_DOOR_PUZZLE_H

#include "engine/gridworld/episode.h"

enum { SB_KEY_DOOR_PUZZLE_KEYS = 4 };

typedef struct sb_key_door_puzzle_vars {
    sb_xy start, goal;
    int32_t n_keys;                     /* also the number of doors; key and door i have colour i */
    sb_xy key[SB_KEY_DOOR_PUZZLE_KEYS]; /* where the keys lay at the start */
    sb_xy door[SB_KEY_DOOR_PUZZLE_KEYS];
    bool any_unlocked;
} sb_key_door_puzzle_vars;

extern const sb_task sb_key_door_puzzle;

#endif
