/* Experts for puzzles: tasks without chance in which little can change, so that a small state holds all of it.
 *
 * A breadth-first search over these states finds the fewest actions. Its moves are the task's own steps, taken on a
 * board: a copy of the episode that is set up for one state after the other. Among several best plans it finds the
 * first in the order of the actions, so a fresh search and a stored plan agree. The intent is the next thing that the
 * plan changes.
 *
 * Whoever labels what others play asks for a plan in nearly every state. So the second search of an episode is one for
 * the distances from all states, which give the same plans from then on. */
#ifndef SB_ORACLES_PUZZLE_H
#define SB_ORACLES_PUZZLE_H

#include "base/search/distances.h"
#include "oracles/kits/plan.h"

enum { SB_PUZZLE_STATE_MAX = 16 /* in bytes */, SB_PUZZLE_MOVES = SB_INTERACT };

typedef struct sb_puzzle {
    size_t state_size;                      /* equal states must have equal bytes, so padding must be zero */
    uint32_t n_states;                      /* states that the search has room for */
    size_t board, search, known, distances; /* offsets in the oracle's memory: SB_PUZZLE_FOR */
    sb_action last_action;                  /* SB_MOVE_RIGHT if interacting changes nothing, else SB_INTERACT */
    /* Reads the state; it is zeroed before. */
    void (*read)(const sb_episode *e, void *state);
    /* Sets up the board for a state: everything that `read` reads, and what the rules keep besides. */
    void (*arrange)(sb_episode *board, const void *state);
    /* Tells whether the episode can no longer be won; NULL: no step does that. */
    bool (*is_lost)(const sb_episode *board, const void *state);
    const char *lost; /* what has happened if the episode is lost: "a box erased the goal" */
    /* Says what an action of the plan is for, judging by what it changes; false if it only leads to a later change.
     * `after` is NULL once the plan changes nothing more: then it says what is left to do. */
    bool (*explain)(const sb_episode *e, const void *before, const void *after, sb_intent *intent);
} sb_puzzle;

/* What is known of the episode whose distances are kept. */
typedef struct sb_puzzle_known {
    uint64_t constants[2];                          /* a key of what no action changes */
    _Alignas(8) uint8_t start[SB_PUZZLE_STATE_MAX]; /* the state in which the key of the constants is taken */
    bool is_planned;                                /* a plan was made for this episode */
    bool has_distances, is_too_large;
} sb_puzzle_known;

/* The memory of an oracle for a puzzle with such states, and room for so many of them in the search:
 * `typedef SB_PUZZLE_MEMORY(...) memory;`. The puzzle begins with SB_PUZZLE_FOR(memory, ...), of the same. */
#define SB_PUZZLE_MEMORY(state_type, n_states)                                                                         \
    struct {                                                                                                           \
        sb_plan plan;                                                                                                  \
        sb_episode board;                                                                                              \
        sb_puzzle_known known;                                                                                         \
        _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(state_type), n_states)];                                     \
        _Alignas(16) uint8_t distances[SB_DISTANCES_SIZE(sizeof(state_type), n_states, SB_PUZZLE_MOVES)];              \
    }
#define SB_PUZZLE_FOR(memory_type, state_type, states)                                                                 \
    .board = offsetof(memory_type, board), .search = offsetof(memory_type, search),                                    \
    .known = offsetof(memory_type, known), .distances = offsetof(memory_type, distances),                              \
    .state_size = sizeof(state_type), .n_states = (states)

/* Define the `act` and the `judge` of the oracle for a puzzle. */
#define SB_PUZZLE_ACT(puzzle)                                                                                          \
    static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,            \
                    sb_intent *intent) {                                                                               \
        sb_puzzle_act(&(puzzle), memory_, observation, budget, action, intent);                                        \
    }
#define SB_PUZZLE_JUDGE(puzzle)                                                                                        \
    static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {                                     \
        return sb_puzzle_judge(&(puzzle), memory_, env, budget);                                                       \
    }

void sb_puzzle_act(const sb_puzzle *puzzle, void *memory, const sb_observation *observation, sb_budget *budget,
                   sb_action *action, sb_intent *intent);
sb_verdict sb_puzzle_judge(const sb_puzzle *puzzle, void *memory, const sb_env *env, sb_budget *budget);

#endif
