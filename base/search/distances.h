/* The fewest moves to a goal from every state that can be reached: made once, asked often. Every move costs 1.
 *
 * The states are looked at forwards from a start, and counted backwards from the goals. A search that is asked again
 * for each state of a play (base/search/search.h) gives the same plans, but looks at most of these states each time. */
#ifndef SB_BASE_SEARCH_DISTANCES_H
#define SB_BASE_SEARCH_DISTANCES_H

#include "base/search/search.h"

typedef struct sb_distances sb_distances;

typedef struct sb_distances_of {
    size_t state_size; /* a state is a block of bytes, as for a search */
    uint32_t n_states; /* the most states */
    uint32_t n_moves;  /* the most moves of a state */
    /* Calls sb_distances_add for every state that one move leads to. */
    void (*expand)(void *context, const void *state, sb_distances *distances);
    void *context;
} sb_distances_of;

enum { SB_NO_WAY = UINT16_MAX /* the distance of a state from which no goal can be reached */ };

/* Bytes of the distances of at most n_states states. */
#define SB_DISTANCES_SIZE(state_size, n_states, n_moves)                                                               \
    ((size_t)64 + (size_t)(n_states) * ((((size_t)(state_size) + 7) & ~(size_t)7) + 9 * (size_t)(n_moves) + 28))

/* Looks at every state that can be reached. `memory`: SB_DISTANCES_SIZE bytes, aligned to 16. States looked at are
 * charged to the budget. False if there are too many for the room, the budget, or distances of 16 bits; then nothing
 * can be asked. */
bool sb_distances_make(void *memory, const sb_distances_of *of, const void *start, sb_budget *budget);

/* For expand: adds a successor. The move is any number below 256; of several best moves a plan takes the one that was
 * added first. */
void sb_distances_add(sb_distances *distances, const void *state, uint8_t move, bool is_goal);

/* Returns the index of a state, or UINT32_MAX: it was not reached. */
uint32_t sb_distances_find(const void *memory, const void *state);
/* Returns the fewest moves from the state with this index to a goal, or SB_NO_WAY. */
int sb_distances_from(const void *memory, uint32_t index);
/* Gives the next move of the best plan, and the index of the state that it leads to, which is UINT32_MAX for a goal.
 * The state must have a way. */
uint8_t sb_distances_next(const void *memory, uint32_t *index);

#endif
