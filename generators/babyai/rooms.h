/* The functions in which BabyAI's recipes are written: rooms in a grid, doors between them, things in them, the agent.
 *
 * A builder makes one attempt at a level's world. An attempt fails if a search for a free cell takes too long or a
 * demand is not met; then a new attempt begins with the same generator. A failed attempt lets its recipe run on, so
 * that recipes need no check after every line: nothing more is drawn (every draw returns the first choice), nothing is
 * placed, no function searches, and the result is thrown away. All draws of a recipe go through its builder, which
 * fails an attempt that draws too much. The published code has no such limit, but here no loop can hang.
 *
 * Every draw below is made in the published order (docs/babyai.md). A choice from a single option draws nothing. */
#ifndef SB_BABYAI_ROOMS_H
#define SB_BABYAI_ROOMS_H

#include "engine/minigrid/world.h"

enum { SB_ROOMS_MAX = 9 };

/* SB_ANY stands for an argument that is to be drawn. */
enum { SB_ANY = -1 };
enum { SB_UNLOCKED, SB_LOCKED };

typedef struct sb_room {
    uint8_t joined;   /* bit for each side (sb_mg_direction): it has a door, or no wall */
    uint8_t door[4];  /* by side: id of the door, or 0 */
    sb_xy door_at[4]; /* by side, if there is a neighbour: the cell for a door */
    bool locked;      /* whether the last door that was added from this room is locked */
} sb_room;

typedef struct sb_builder sb_builder;

typedef enum sb_told_by { SB_BY_EITHER, SB_BY_COLOUR, SB_BY_LOCATION } sb_told_by;

/* A line of the table of levels: a recipe and its parameters. */
typedef struct sb_babyai_line {
    sb_mg_level level;
    void (*recipe)(sb_builder *b);
    const unsigned char *text;   /* text of the recipe, in words; `{n}` stands for `n` */
    uint8_t side, columns, rows; /* side of a room, with its walls; size of the grid of rooms */
    uint16_t max_steps;          /* 0: the mission decides */
    uint8_t n;                   /* number of distractors, or of doors (open_order) */
    bool grey;                   /* red_ball: whether the distractors are grey */
    bool open;                   /* go_to: whether the doors are open */
    bool strict;                 /* a wrong door or object fails the mission */
    bool carrying;               /* put_next: the agent starts with the object in hand */
    bool red_blue;               /* open_two: a red and a blue door, not drawn colours */
    uint8_t by;                  /* open_door: sb_told_by */

    /* What only the recipe `generated` uses. */
    uint8_t verb, n_verbs; /* the first verb, and the number of verbs from it on */
    bool compound;         /* up to four singles in two parts, not just one */
    bool locations;        /* descriptions may name a location */
    bool unblocking;       /* objects may block the way */
    bool implicit_unlock;  /* everything that a description matches may be in the locked room */
    double p_locked;       /* probability of a locked room */
} sb_babyai_line;

struct sb_builder {
    const sb_babyai_line *line; /* a line from the table of levels */
    sb_mg_world *world;
    sb_rng rng;
    bool failed; /* whether this attempt failed */
    int n_draws; /* number of draws in this attempt */
    int in_hand; /* id of the object that the agent starts with in hand, or 0 */
    sb_room rooms[SB_ROOMS_MAX];
    /* The last locked room that the recipe `generated` made, or (-1,-1). As published, it outlives the attempt. */
    sb_xy locked_room;
};

/* Objects made one after the other, with ids first .. first + n - 1. */
typedef struct sb_things {
    int first, n;
} sb_things;

/* ---- Attempts ---- */

/* Begins an attempt: makes an empty grid of rooms, draws the cells of all doors, and puts the agent in the middle. */
void sb_begin_attempt(sb_builder *b);
/* Marks the attempt as failed. */
static inline void sb_reject(sb_builder *b) { b->failed = true; }
/* Fails the attempt unless all objects can be reached (sb_all_reachable). */
void sb_check(sb_builder *b);

/* ---- Draws ---- */

int sb_draw(sb_builder *b, int n);    /* 0..n-1 */
bool sb_draw_bool(sb_builder *b);     /* the first choice is true */
double sb_draw_double(sb_builder *b); /* in [0,1) */
sb_mg_colour sb_draw_colour(sb_builder *b);
sb_mg_location sb_draw_location(sb_builder *b); /* never SB_MG_ANYWHERE */
int sb_draw_thing(sb_builder *b, sb_things things);
/* Draw different colours or things, in the order of the draws; k is at most SB_MG_N_COLOURS. */
void sb_draw_colours(sb_builder *b, int k, sb_mg_colour *colours);
void sb_draw_two(sb_builder *b, sb_things things, int two[2]);
/* Draws a room, as column and row. */
sb_xy sb_draw_room(sb_builder *b);

/* ---- Building: a room is given by column and row; functions return ids ---- */

/* Adds an object on a free cell of the room, not beside the agent. The type (key, ball, box) and the colour may be
 * SB_ANY. */
int sb_add_object(sb_builder *b, int column, int row, int type, int colour);
/* Puts an object that was made before on a free cell of the room, not beside the agent. */
void sb_place_in_room(sb_builder *b, int column, int row, int id);
/* Adds an object on the cell beside another one. That cell must be empty. */
void sb_put_beside(sb_builder *b, int other, int side, int type, int colour);
/* Adds a closed door. Side, colour and whether it is locked may be SB_ANY. A drawn side is one that is not joined
 * yet. */
int sb_add_door(sb_builder *b, int column, int row, int side, int colour, int locked);
/* Removes the wall on a side of a room, except its two ends. */
void sb_remove_wall(sb_builder *b, int column, int row, int side);
/* Adds n objects of drawn types and colours; column and row may be SB_ANY. `unique`: each differs from all earlier
 * objects. */
sb_things sb_add_distractors(sb_builder *b, int column, int row, int n, bool unique);
/* Adds n objects of drawn types and colours in drawn rooms; objects may be equal. */
static inline sb_things sb_distract(sb_builder *b, int n) { return sb_add_distractors(b, SB_ANY, SB_ANY, n, false); }
/* Adds unlocked doors until every room is joined with the agent's, but no door to a locked room. `but` is a colour that
 * no such door gets, or SB_ANY. */
void sb_connect_all_but(sb_builder *b, int but);
static inline void sb_connect_all(sb_builder *b) { sb_connect_all_but(b, SB_ANY); }
void sb_open_all(sb_builder *b);
/* Puts the agent on a free cell of a room, facing neither an object nor a door. Column and row may be SB_ANY. */
void sb_place_agent(sb_builder *b, int column, int row);
static inline void sb_place_agent_anywhere(sb_builder *b) { sb_place_agent(b, SB_ANY, SB_ANY); }
/* Puts the agent anywhere but in this room. */
void sb_place_agent_outside(sb_builder *b, sb_xy room);

/* ---- Asking about the world ---- */

/* Returns whether the agent could get beside every object if every door opened by itself. */
bool sb_all_reachable(const sb_builder *b);
bool sb_has_neighbour(const sb_builder *b, int column, int row, int side);
static inline sb_room *sb_room_at(sb_builder *b, int column, int row) {
    return &b->rooms[row * b->world->columns + column];
}
static inline sb_mg_object *sb_thing(const sb_builder *b, int id) { return &b->world->objects[id]; }
static inline sb_mg_colour sb_colour_of(const sb_builder *b, int id) { return (sb_mg_colour)sb_thing(b, id)->colour; }
/* Returns the id of the object that is made next. */
static inline int sb_next_id(const sb_builder *b) { return b->world->n_objects + 1; }
/* Describes any object of this type. */
static inline sb_mg_description sb_any(sb_mg_type type) { return sb_mg_the(type, SB_MG_ANY_COLOUR, SB_MG_ANYWHERE); }
/* Describes any object of the same type and colour. */
static inline sb_mg_description sb_like(const sb_builder *b, int id) {
    return sb_mg_the((sb_mg_type)sb_thing(b, id)->type, sb_colour_of(b, id), SB_MG_ANYWHERE);
}

/* ---- Missions ---- */

static inline sb_mg_single sb_single(sb_mg_verb verb, sb_mg_description what) {
    return (sb_mg_single){.verb = (uint8_t)verb, .what = what};
}
static inline sb_mg_single sb_put_next(sb_mg_description what, sb_mg_description to) {
    return (sb_mg_single){.verb = SB_MG_PUT_NEXT, .what = what, .to = to};
}
static inline sb_mg_single sb_strictly(bool strict, sb_mg_single single) {
    single.strict = strict;
    return single;
}
/* Sets the mission to a single one. */
void sb_ask_single(sb_builder *b, sb_mg_single single);
static inline void sb_ask(sb_builder *b, sb_mg_verb verb, sb_mg_description what) {
    sb_ask_single(b, sb_single(verb, what));
}
/* Sets the mission to two singles, one before or after the other. */
void sb_ask_two(sb_builder *b, sb_mg_order order, sb_mg_single first, sb_mg_single second);

#endif
