/* Boards of walls and floor, and drawing cells from them. Cells are drawn from lists in reading order. */
#ifndef SB_ARC_BOARDS_H
#define SB_ARC_BOARDS_H

#include "engine/arc/game.h"

enum { SB_ARC_ROOM_WALLS = 4 };

/* Upright walls that part a board into rooms, each with one gap. Room i is left of wall i. */
typedef struct sb_arc_rooms {
    uint8_t n_walls;
    uint8_t wall_x[SB_ARC_ROOM_WALLS];
    int16_t gap[SB_ARC_ROOM_WALLS]; /* cells */
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

/* Draws a floor cell, of this room, and not in or beside a gap if `away` is set; rooms: NULL: of the whole board.
 * SB_ARC_NOWHERE: there is none, and nothing was drawn. */
int sb_arc_draw_floor(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int room, bool away);
/* Like sb_arc_draw_floor, anywhere in the rooms `first` to `last`. */
int sb_arc_draw_floor_between(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int first, int last);

/* Distances from a cell over everything but walls, in moves; -1: out of reach. */
void sb_arc_distances(const sb_arc_level *level, int from, int16_t distances[SB_ARC_CELLS]);

#endif
