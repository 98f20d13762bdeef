/* Making the levels of a game from a seed, so that every one can be won: an attempt is accepted if the oracle solves
 * it, its length is in the level's band, its new thing is needed, its first frame differs from that of the level
 * before, and random play does not win it. After SB_ARC_ATTEMPTS of them the band is made wider by two on both sides.
 */
#ifndef SB_ARC_LEVELS_H
#define SB_ARC_LEVELS_H

#include "base/search/search.h"
#include "engine/arc/game.h"

enum {
    SB_ARC_NODES = 200000,            /* most states that a search looks at */
    SB_ARC_STORED = 4 * SB_ARC_NODES, /* most states that a search stores */
    SB_ARC_ATTEMPTS = 2000,
    SB_ARC_PLAN = 512,
    SB_ARC_RANDOM_PLAYS = 60, /* random plays of a level, each within the level's share of the step limit */
    SB_ARC_RANDOM_WINS = 1,   /* most random plays of a level that may win */
    SB_ARC_FAR = 30           /* random play is not tried where the shortest solution has so many actions */
};

/* The solution of a level from its start, in a game that solves its levels itself. */
typedef struct sb_arc_known {
    sb_arc_level level; /* the level that was solved; number 0: none */
    sb_arc_move plan[SB_ARC_PLAN];
    int n; /* actions of the plan; negative: none was found */
} sb_arc_known;

/* The memory of searches, for one game. */
typedef struct sb_arc_solver {
    const sb_arc_game *game;
    void *memory; /* memory of a search; NULL: the game solves its levels itself */
    /* solutions of the levels, because whoever asks what actions cost asks for them again and again; NULL: the levels
     * are searched */
    sb_arc_known *known;
    sb_arc_move plan[SB_ARC_PLAN]; /* the last solution */
    int n_plan;
    uint64_t spent; /* states that the last search looked at */
} sb_arc_solver;

/* `reserves`: all memory is taken at once, for who could not tell later that it ran out. */
bool sb_arc_solver_new(sb_arc_solver *solver, const sb_arc_game *game, bool reserves, sb_error *error);
void sb_arc_solver_free(sb_arc_solver *solver);
/* Finds a shortest solution from a situation, within SB_ARC_NODES states, of at most `most` actions (and SB_ARC_PLAN);
 * the first in order of actions, unless the game has a bound. A game with a solver of its own may find a longer one. */
sb_verdict sb_arc_solve(sb_arc_solver *solver, const sb_arc_level *level, const void *situation, int most);

/* Makes a level of the game with this seed, by its number from 1, into levels[number - 1]; those before it must be
 * there. */
bool sb_arc_make_level(sb_arc_solver *solver, uint64_t seed, int number, sb_arc_level *levels, sb_error *error);

/* A level's share of the step limit: five times its baseline with the longest length of its band in place of the
 * oracle's. */
int32_t sb_arc_share(const sb_arc_game *game, int number);
/* The most actions of an episode of the first n levels: five times their baselines, with the longest length of each
 * band in place of the oracle's, so that it does not depend on the seed. */
int32_t sb_arc_step_limit(const sb_arc_game *game, int n);

/* Random play of one level: what a level must withstand to be accepted. */

/* How actions are drawn. */
typedef enum sb_arc_drawing {
    SB_ARC_DRAWS_OFFERS, /* actions on offer, with clicks on any pixel; RESET after a loss only */
    SB_ARC_DRAWS_BUTTONS /* all buttons, RESET among them, as the agent `random` does in games without clicks */
} sb_arc_drawing;

/* Draws an action. `is_lost`: the try was lost, and only a reset goes on. */
sb_arc_action sb_arc_random_action(const sb_arc_game *game, bool is_lost, sb_arc_drawing drawing, sb_rng *rng);
/* Plays a painted level at random for at most `limit` actions. Returns after how many it was won; 0: it was not. */
int32_t sb_arc_play_randomly(const sb_arc_game *game, const sb_arc_level *level, int32_t limit, sb_arc_drawing drawing,
                             sb_rng *rng);

#endif
