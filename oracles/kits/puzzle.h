/* Experts for puzzles: tasks without chance, whose rules are written a second time for a small state that holds
 * everything that can change.
 *
 * A breadth-first search over these states finds the fewest actions. Among several such plans it finds the first in the
 * order of the actions, so a fresh search and a stored plan agree. The intent is the next thing that the plan changes.
 */
#ifndef SB_ORACLES_PUZZLE_H
#define SB_ORACLES_PUZZLE_H

#include "oracles/kits/plan.h"

enum { SB_PUZZLE_STATE_MAX = 16 }; /* in bytes */

typedef struct sb_puzzle {
    size_t state_size;     /* equal states must have equal bytes, so padding must be zero */
    uint32_t n_states;     /* room of the search */
    size_t map, search;    /* offsets in the oracle's memory: SB_PUZZLE_LAYOUT */
    sb_action last_action; /* SB_MOVE_RIGHT if interacting changes nothing, else SB_INTERACT */
    /* Draws the map: everything that does not change during the episode. */
    void (*draw_map)(void *map, const sb_episode *e);
    /* Reads the state; it is zeroed before. */
    void (*read)(const sb_episode *e, void *state);
    /* Applies the rules of the task to a state. False if the action changes nothing, or makes success impossible. */
    bool (*play)(const void *map, void *state, sb_action action);
    bool (*is_solved)(const void *map, const void *state);
    /* Says what an action of the plan is for, judging by what it changes; false if it only leads to a later change.
     * `after` is NULL once the plan changes nothing more: then it says what is left to do. */
    bool (*explain)(const void *map, const sb_episode *e, const void *before, const void *after, sb_intent *intent);
} sb_puzzle;

/* The memory of an oracle for a puzzle with such a map and states: `typedef SB_PUZZLE_MEMORY(...) memory;` */
#define SB_PUZZLE_MEMORY(map_type, state_type, n_states)                                                               \
    struct {                                                                                                           \
        sb_plan plan;                                                                                                  \
        map_type map;                                                                                                  \
        _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(state_type), n_states)];                                     \
    }
#define SB_PUZZLE_LAYOUT(memory_type) .map = offsetof(memory_type, map), .search = offsetof(memory_type, search)

/* The `act` and `judge` of such an oracle. */
void sb_puzzle_act(const sb_puzzle *puzzle, void *memory, const sb_observation *observation, sb_budget *budget,
                   sb_action *action, sb_intent *intent);
sb_verdict sb_puzzle_judge(const sb_puzzle *puzzle, void *memory, const sb_env *env, sb_budget *budget);

#endif
