/* A MiniGrid world is a value: one block without pointers that holds everything that decides the future. Assignment
 * copies it.
 *
 * Every thing but a wall is an object with an id in 1..n_objects, which missions and bots follow. */
#ifndef SB_MINIGRID_WORLD_H
#define SB_MINIGRID_WORLD_H

#include "engine/environment.h"
#include "engine/minigrid/mission.h"
#include "seeds/rng.h"

enum { SB_MG_SIDE_MAX = 32, SB_MG_CELLS_MAX = SB_MG_SIDE_MAX * SB_MG_SIDE_MAX };
enum { SB_MG_OBJECTS_MAX = 192 }; /* the levels need 181 */

/* What a cell may hold besides the id of an object. */
enum { SB_MG_NOTHING = 0, SB_MG_A_WALL = 255 };

typedef struct sb_mg_object {
    uint8_t type, colour; /* sb_mg_type: door, key, ball or box; sb_mg_colour */
    bool open, locked;    /* doors; an open door is not locked */
    uint8_t content;      /* boxes: id of the content, or 0 */
    bool on_grid;         /* whether cells[at] is this object; false while it is carried, in a box, or destroyed */
    sb_xy at;             /* if on_grid: its cell */
    /* The cell that the published code remembers: where the object was placed, (-1,-1) from a pickup to the drop. It
     * differs from `at` where the published code does not update it: a destroyed box, and an object that a Carrying
     * level put into the agent's hand, keep their cell; what came out of a box has (-1,-1) until it is dropped. */
    sb_xy remembered;
} sb_mg_object;

typedef struct sb_mg_world {
    int32_t steps, max_steps; /* steps taken; step limit */
    uint8_t width, height;
    uint8_t room_side, columns, rows; /* rooms are squares with shared walls: width = (room_side - 1) * columns + 1 */
    uint8_t n_objects;
    sb_xy agent;
    uint8_t facing;  /* sb_mg_direction */
    uint8_t carried; /* id of what the agent carries, or 0 */
    sb_mg_mission mission;
    sb_mg_object objects[SB_MG_OBJECTS_MAX + 1]; /* by id; [0] is never used */
    uint8_t cells[SB_MG_CELLS_MAX];              /* row by row, width * height cells: 0, an id, or SB_MG_A_WALL */
} sb_mg_world;

/* How a world was generated, for recordings and statistics. */
typedef struct sb_mg_birth {
    int rejected; /* attempts that were abandoned */
    sb_rng rng;   /* the generator's state after generation */
} sb_mg_birth;

typedef struct sb_mg_level sb_mg_level;

/* What the engine knows of a level. Generators embed it as the first member of a larger struct. */
struct sb_mg_level {
    sb_task_info info; /* must be the first member: environments hold it */
    /* Makes the world for a seed, ready to be stepped: tracking has begun, steps is 0, and the agent carries what the
     * level says. Overwrites the whole world, with zeros in unused objects and cells. `birth` may be NULL. */
    bool (*generate)(const sb_mg_level *level, uint64_t seed, sb_mg_world *w, sb_mg_birth *birth, sb_error *error);
    /* Returns the highest step limit that a world of the level can have. */
    int (*most_steps)(const sb_mg_level *level);
    /* Returns (width, height) of all worlds of the level. */
    sb_xy (*size)(const sb_mg_level *level);
};

/* ---- Geometry ---- */

extern const sb_xy sb_mg_forward_of[4]; /* unit vectors by direction; the direction to the right is direction + 1 */

static inline sb_xy sb_mg_plus(sb_xy p, sb_xy step, int times) {
    return sb_at(p.x + step.x * times, p.y + step.y * times);
}
static inline sb_xy sb_mg_forward(const sb_mg_world *w) { return sb_mg_forward_of[w->facing]; }
static inline sb_xy sb_mg_rightward(const sb_mg_world *w) { return sb_mg_forward_of[(w->facing + 1) & 3]; }
/* Returns the faced cell. It is always inside, because the agent never stands on the border. */
static inline sb_xy sb_mg_front(const sb_mg_world *w) { return sb_mg_plus(w->agent, sb_mg_forward(w), 1); }

static inline int sb_mg_n_cells(const sb_mg_world *w) { return w->width * w->height; }
static inline bool sb_mg_inside(const sb_mg_world *w, sb_xy p) {
    return (unsigned)p.x < w->width && (unsigned)p.y < w->height;
}
/* Returns whether a cell is one of the outermost, which are walls. */
static inline bool sb_mg_on_border(const sb_mg_world *w, sb_xy p) {
    return p.x == 0 || p.y == 0 || p.x == w->width - 1 || p.y == w->height - 1;
}
static inline int sb_mg_index(const sb_mg_world *w, sb_xy p) { return p.y * w->width + p.x; }
static inline sb_xy sb_mg_xy_of(const sb_mg_world *w, int index) {
    return sb_at(index % w->width, index / w->width); // NOLINT(clang-analyzer-core.DivideZero): a cell has a width
}

/* Returns the room of a cell, as column and row of rooms. A cell of a shared wall belongs to the room right of it or
 * below it. */
static inline sb_xy sb_mg_room_of(const sb_mg_world *w, sb_xy p) {
    return sb_at(p.x / (w->room_side - 1), p.y / (w->room_side - 1));
}
/* Returns the top left corner of a room. */
static inline sb_xy sb_mg_corner(const sb_mg_world *w, sb_xy room) {
    return sb_at(room.x * (w->room_side - 1), room.y * (w->room_side - 1));
}
/* Returns whether a cell is in the square of a room, which includes its four walls and the doors in them. */
static inline bool sb_mg_in_room(const sb_mg_world *w, sb_xy room, sb_xy p) {
    const sb_xy corner = sb_mg_corner(w, room);
    return p.x >= corner.x && p.x < corner.x + w->room_side && p.y >= corner.y && p.y < corner.y + w->room_side;
}

/* ---- What a cell holds (for cells inside the grid) ---- */

/* Returns 0, an id, or SB_MG_A_WALL. */
static inline int sb_mg_id_at(const sb_mg_world *w, sb_xy p) { return w->cells[sb_mg_index(w, p)]; }
static inline bool sb_mg_is_object(int id) { return id != SB_MG_NOTHING && id != SB_MG_A_WALL; }
static inline bool sb_mg_empty(const sb_mg_world *w, sb_xy p) { return sb_mg_id_at(w, p) == SB_MG_NOTHING; }
static inline bool sb_mg_wall(const sb_mg_world *w, sb_xy p) { return sb_mg_id_at(w, p) == SB_MG_A_WALL; }
/* Returns the object on a cell, or NULL for an empty cell or a wall. */
static inline const sb_mg_object *sb_mg_object_at(const sb_mg_world *w, sb_xy p) {
    const int id = sb_mg_id_at(w, p);
    return sb_mg_is_object(id) ? &w->objects[id] : NULL;
}
static inline const sb_mg_object *sb_mg_in_front(const sb_mg_world *w) { return sb_mg_object_at(w, sb_mg_front(w)); }
/* Returns what the agent holds, or NULL. */
static inline const sb_mg_object *sb_mg_carrying(const sb_mg_world *w) {
    return w->carried ? &w->objects[w->carried] : NULL;
}
static inline int sb_mg_id_of(const sb_mg_world *w, const sb_mg_object *o) { return (int)(o - w->objects); }

static inline sb_mg_door_state sb_mg_state_of(const sb_mg_object *door) {
    return door->open ? SB_MG_OPENED : door->locked ? SB_MG_LOCKED : SB_MG_CLOSED;
}
static inline bool sb_mg_movable(const sb_mg_object *o) { return o->type != SB_MG_DOOR; } /* can be picked up */
/* Return whether the agent may stand on a cell with this id, and whether it can see past it. */
static inline bool sb_mg_id_passable(const sb_mg_world *w, int id) {
    return id == SB_MG_NOTHING || (id != SB_MG_A_WALL && w->objects[id].open);
}
static inline bool sb_mg_id_transparent(const sb_mg_world *w, int id) {
    return id != SB_MG_A_WALL && (w->objects[id].type != SB_MG_DOOR || w->objects[id].open);
}
/* Returns whether a cell is empty or an open door. */
static inline bool sb_mg_passable(const sb_mg_world *w, sb_xy p) { return sb_mg_id_passable(w, sb_mg_id_at(w, p)); }
/* Returns whether a locked door would open now: the agent carries a key of its colour. */
static inline bool sb_mg_has_key_for(const sb_mg_world *w, const sb_mg_object *door) {
    return w->carried && w->objects[w->carried].type == SB_MG_KEY && w->objects[w->carried].colour == door->colour;
}

/* ---- Building: for generators, and for bots that keep a map ---- */

/* Makes an empty world for this number of rooms, without walls, objects, mission and agent. */
void sb_mg_clear(sb_mg_world *w, int room_side, int columns, int rows);
/* Makes an object that is on no cell yet (a door is closed). Returns its id, or 0 if there are SB_MG_OBJECTS_MAX. */
int sb_mg_make_object(sb_mg_world *w, sb_mg_type type, sb_mg_colour colour);
/* Puts an object that is not on the grid on an empty cell and makes it remember the cell. */
void sb_mg_put(sb_mg_world *w, int id, sb_xy at);
/* Puts an object that is not on the grid on an empty cell, but leaves what the object remembers. */
void sb_mg_lay(sb_mg_world *w, int id, sb_xy at);
/* Takes an object off the grid; leaves what it remembers. */
void sb_mg_remove(sb_mg_world *w, int id);
void sb_mg_put_wall(sb_mg_world *w, sb_xy at);

/* ---- Comparing ---- */

/* Hashes everything that decides the future, except the number of steps taken, to 128 bits. */
void sb_mg_key(const sb_mg_world *w, uint64_t key[2]);
/* Computes the state hash that recordings contain. */
void sb_mg_digest(const sb_mg_world *w, uint8_t digest[32]);

/* Returns the world of an environment, or NULL if its family is not MiniGrid or nothing was started. */
const sb_mg_world *sb_mg_world_of(const sb_env *env);

#endif
