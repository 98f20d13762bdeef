/* What must be true of the levels of multi-level games, checked by other means than those that accepted them: every
 * search is made again, without the limits that a generator may use, and the solution is played. */
#ifndef SB_TESTS_ACCEPT_LEVELS_H
#define SB_TESTS_ACCEPT_LEVELS_H

#include "engine/arc/play.h"
#include "generators/arc/levels.h"

/* The levels of one seed. Large, so not on the stack. */
typedef struct levels {
    const sb_arc_game *game;
    sb_arc_solver solver;
    sb_arc_level of[SB_ARC_LEVELS];
    sb_arc_play play;
    sb_rng rng;        /* of random plays; levels_make seeds it */
    char problem[160]; /* the first thing that is wrong; "": nothing is */
} levels;

/* Gets memory for the searches; levels_end frees it. */
bool levels_begin(levels *l, const sb_arc_game *game, sb_error *error);
void levels_end(levels *l);
bool levels_make(levels *l, uint64_t seed, sb_error *error);

/* Whether a level can be won within its budget, its length is that of its shortest solution and in its band, its new
 * thing is needed, and its first frame differs from that of the level before. Writes the problem otherwise. */
bool levels_check(levels *l, int number);
/* How many of so many random plays of a level, from its start and within its share of the step limit, win it: of the
 * way to draw actions that wins more often. Other plays than those that accepted it, by what an episode is played by.
 */
int levels_random_wins(levels *l, int number, int plays);
/* Whether the solutions win the whole game when they are played: the last action of each completes its level, and no
 * other does. */
bool levels_check_play(levels *l);

#endif
