/* What the files of the games share: boards of walls and floor, drawing cells from them, and telling what is where.
 * Cells are drawn from lists in reading order. */
#ifndef SB_GENERATORS_ARC_GAMES_H
#define SB_GENERATORS_ARC_GAMES_H

#include "engine/arc/game.h"

enum { SB_ARC_ROOM_WALLS = 4 };

/* Upright walls that part a board into rooms, each with one gap. Room i is left of wall i. */
typedef struct sb_arc_rooms {
    uint8_t n_walls;
    uint8_t wall_x[SB_ARC_ROOM_WALLS];
    int16_t gap[SB_ARC_ROOM_WALLS]; /* cells of the gaps */
} sb_arc_rooms;

/* Empties a level and draws rooms: gaps first, then every other inner cell is wall with probability p, except beside
 * gaps; again until all floor is connected. */
void sb_arc_draw_rooms(sb_arc_level *level, sb_rng *rng, int width, int height, int n_walls, double p,
                       sb_arc_rooms *rooms);
/* Empties a level and makes every inner cell a wall with probability p; keeps the largest connected floor. False: that
 * is not over four fifths of the floor. */
bool sb_arc_draw_open(sb_arc_level *level, sb_rng *rng, int width, int height, double p);

/* The room of a cell, 0..n_walls; cells of a wall belong to the room left of it. */
int sb_arc_room_of(const sb_arc_level *level, const sb_arc_rooms *rooms, int cell);

/* Draws a floor cell of a room (`rooms` NULL: of the whole board), not in or beside a gap if `away` is set.
 * SB_ARC_NOWHERE: there is none, and nothing was drawn. */
int sb_arc_draw_floor(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int room, bool away);
/* Like sb_arc_draw_floor, anywhere in the rooms `first` to `last`. */
int sb_arc_draw_floor_between(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int first, int last);

/* Distances from a cell over everything but walls, in moves; -1: out of reach. */
void sb_arc_distances(const sb_arc_level *level, int from, int16_t distances[SB_ARC_CELLS]);

/* Every game is defined in a file of its own. */

extern const sb_arc_game sb_arc_lantern_game, sb_arc_scales, sb_arc_twincompass, sb_arc_echo, sb_arc_shepherd,
    sb_arc_moss, sb_arc_stamp, sb_arc_chimes, sb_arc_fold, sb_arc_polarity, sb_arc_clockwork, sb_arc_dyeworks;

/* All games, in the order in which they are listed; NULL behind the last. */
extern const sb_arc_game *const sb_arc_games[];

/* Helpers of games for the privileged mode: what is where, and variables, as members of a JSON object. */

/* Puts an item of a list: a thing by its name, in a cell of the board. SB_ARC_NOWHERE: nothing is put. */
void sb_arc_tell_thing(sb_out *out, const sb_arc_level *level, const char *name, int cell, int layer);
/* Put a member: a list of n bits, the lowest first, as booleans, or a list of n numbers. */
void sb_arc_tell_bits(sb_out *out, const char *key, unsigned bits, int n);
void sb_arc_tell_numbers(sb_out *out, const char *key, const uint8_t *numbers, int n);
/* Puts a member: rows as texts, a digit for each cell; cells are 0 to 9, row by row. */
void sb_arc_tell_rows(sb_out *out, const char *key, const uint8_t *cells, int width, int height);

#endif
