/* How BabyAI's published bots search a grid. Their choices depend on the order in which cells are looked at, so that
 * order is part of the rules: breadth first, each cell once; from a cell on a way that came in direction (a,b) its
 * neighbours in directions (a,b), (b,a), (-b,-a), (-a,-b). */
#ifndef SB_BABYAI_WAYS_H
#define SB_BABYAI_WAYS_H

#include "engine/minigrid/world.h"
#include "oracles/oracle.h"

/* What a bot takes for granted when it searches. */
typedef struct sb_bot_ground {
    const sb_mg_world *world;
    const bool *known;  /* by cell: ways end at the others; NULL: all are known */
    bool through_doors; /* locked doors are passed freely, closed ones like objects. Else only open ones are passed */
    int barred_colour;  /* locked doors of this colour are never passed; SB_MG_ANY_COLOUR: there are none such */
    sb_budget *budget;  /* is charged a state for each cell looked at */
} sb_bot_ground;

typedef struct sb_bot_way {
    int n;                 /* cells from the agent's neighbour to the end, both included */
    bool through_blockers; /* the free ground did not suffice */
    sb_xy cell[SB_MG_CELLS_MAX];
} sb_bot_way;

/* Whether a cell is one that the search looks for. `place` is whatever the caller of sb_bot_find gave. */
typedef bool sb_bot_wish(const sb_bot_ground *ground, sb_xy cell, sb_xy place);

/* The way from the agent to the first cell that is wished for. With `blockers`, if there is none on free ground, the
 * search goes on from all the cells it looked at, in their order and with direction (1,0), and passes through objects:
 * the way then has the fewest cells beyond the free ground, and is not the shortest. */
bool sb_bot_find(const sb_bot_ground *ground, sb_bot_wish *wish, sb_xy place, bool blockers, sb_bot_way *way);

static inline bool sb_bot_knows(const sb_bot_ground *ground, sb_xy cell) {
    return !ground->known || ground->known[sb_mg_index(ground->world, cell)];
}

/* ---- Wishes ---- */

bool sb_bot_is_place(const sb_bot_ground *ground, sb_xy cell, sb_xy place);
bool sb_bot_is_unknown(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);
bool sb_bot_is_closed_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused); /* not locked */
bool sb_bot_is_shut_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);   /* closed or locked */

/* A cell to put something down that is in nobody's way there, if possible: free ground before ground behind objects.
 * Not the cell `except`. False: there is no empty cell. */
bool sb_bot_find_drop_cell(const sb_bot_ground *ground, sb_xy except, sb_xy *cell);

#endif
