/* How BabyAI's published bots search a grid. Their choices depend on the order in which cells are looked at, so the
 * order is part of the rules: breadth first, each cell once; from a cell that was entered in direction (a,b), the
 * neighbours in directions (a,b), (b,a), (-b,-a), (-a,-b). */
#ifndef SB_BABYAI_WAYS_H
#define SB_BABYAI_WAYS_H

#include "engine/minigrid/world.h"
#include "oracles/oracle.h"

/* What a bot assumes in a search. */
typedef struct sb_bot_ground {
    const sb_mg_world *world;
    const bool *known;  /* by cell: ways end at unknown cells; NULL: all are known */
    bool through_doors; /* locked doors are passable, and closed doors count like objects; otherwise only open doors are
                           passable */
    int barred_colour;  /* locked doors of this colour are never passed; SB_MG_ANY_COLOUR: no such colour */
    sb_budget *budget;  /* charged one state for each cell looked at */
} sb_bot_ground;

typedef struct sb_bot_way {
    int n;                 /* cells from the agent's neighbour to the end, both included */
    bool through_blockers; /* there was no way over free ground */
    sb_xy cell[SB_MG_CELLS_MAX];
} sb_bot_way;

/* Tells whether the search looks for this cell. `place` is what the caller passed to sb_bot_find. */
typedef bool sb_bot_wish(const sb_bot_ground *ground, sb_xy cell, sb_xy place);

/* Finds the way from the agent to the first cell that fulfils the wish. If there is none on free ground and `blockers`
 * is set, the search continues from all cells it looked at, in their order and with direction (1,0), and passes through
 * objects. That way has the fewest cells beyond the free ground, but may not be the shortest. */
bool sb_bot_find(const sb_bot_ground *ground, sb_bot_wish *wish, sb_xy place, bool blockers, sb_bot_way *way);

static inline bool sb_bot_knows(const sb_bot_ground *ground, sb_xy cell) {
    return !ground->known || ground->known[sb_mg_index(ground->world, cell)];
}

/* ---- Wishes ---- */

bool sb_bot_is_place(const sb_bot_ground *ground, sb_xy cell, sb_xy place);
bool sb_bot_is_unknown(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);
bool sb_bot_is_closed_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused); /* not locked */
bool sb_bot_is_shut_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);   /* closed or locked */

/* Finds a cell for putting something down where it blocks no way, if possible; free ground comes before ground behind
 * objects. Never the cell `except`. False if there is no empty cell. */
bool sb_bot_find_drop_cell(const sb_bot_ground *ground, sb_xy except, sb_xy *cell);

#endif
