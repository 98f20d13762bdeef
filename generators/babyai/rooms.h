/* The words in which BabyAI's recipes are written: rooms in a grid, doors between them, things in them, the agent.
 *
 * A builder makes one attempt at a level's world. An attempt can fail, by a search for a free cell that takes too long
 * or by a demand that is not met, and it is then begun anew with the same generator. So that recipes need not ask after
 * every line, a failed attempt lets its recipe run on: nothing is drawn any more (every draw gives the first choice),
 * nothing is placed, no word searches, and what came out is thrown away. All draws of a recipe go through its builder,
 * which fails an attempt that draws without end: no published limit, but no loop can hang.
 *
 * Every draw below is made in the published order (docs/babyai.md); a choice among one draws nothing. */
#ifndef SB_BABYAI_ROOMS_H
#define SB_BABYAI_ROOMS_H

#include "engine/minigrid/world.h"

enum { SB_ROOMS_MAX = 9 };

/* For an argument: to be drawn. */
enum { SB_ANY = -1 };
enum { SB_UNLOCKED, SB_LOCKED };

typedef struct sb_room {
    uint8_t joined;   /* bit per side, by sb_mg_direction: there is a door, or no wall */
    uint8_t door[4];  /* by side: the door's id, or 0 */
    sb_xy door_at[4]; /* by side, if there is a neighbour: where a door is or would be */
    bool locked;      /* the last door that was added from this room is locked */
} sb_room;

typedef struct sb_builder sb_builder;

typedef enum sb_told_by { SB_BY_EITHER, SB_BY_COLOUR, SB_BY_LOCATION } sb_told_by;

/* A line of the table of levels: a recipe and its quantities. */
typedef struct sb_babyai_line {
    sb_mg_level level;
    void (*recipe)(sb_builder *b);
    uint8_t side, columns, rows; /* of a room, walls included; of the grid of rooms */
    uint16_t max_steps;          /* 0: as the mission says */
    uint8_t n;                   /* distractors, or whatever there is a number of */
    bool grey;                   /* red_ball: distractors are */
    bool open;                   /* go_to: doors are */
    bool strict;                 /* a wrong door or object fails the mission */
    bool carrying;               /* put_next: the object is in hand from the beginning */
    bool red_blue;               /* open_two: not in colours drawn */
    uint8_t by;                  /* open_door: sb_told_by */

    /* generated: */
    uint8_t verb, n_verbs; /* the verbs from this one on */
    bool compound;         /* up to four singles in two parts, not one */
    bool locations;        /* descriptions may tell them */
    bool unblocking;       /* objects may be in the way */
    bool implicit_unlock;  /* what is asked for may all be in the locked room */
    double p_locked;       /* the probability that there is one */
} sb_babyai_line;

struct sb_builder {
    const sb_babyai_line *line; /* of the table of levels */
    sb_mg_world *world;
    sb_rng rng;
    bool failed; /* this attempt */
    int n_draws; /* in this attempt */
    int in_hand; /* id of what the agent holds from the beginning, or 0 */
    sb_room rooms[SB_ROOMS_MAX];
    /* The last locked room that the recipe `generated` made, (-1,-1) if none: as published, it outlives the attempt. */
    sb_xy locked_room;
};

/* Objects made one after the other: ids first .. first + n - 1. */
typedef struct sb_things {
    int first, n;
} sb_things;

/* ---- Attempts ---- */

/* Begins an attempt: an empty grid of rooms, with the places of all doors drawn, and the agent in the middle. */
void sb_begin_attempt(sb_builder *b);
/* The attempt failed. */
static inline void sb_reject(sb_builder *b) { b->failed = true; }
/* The attempt fails unless all objects can be reached (sb_all_reachable). */
void sb_check(sb_builder *b);

/* ---- Draws ---- */

int sb_draw(sb_builder *b, int n);    /* 0..n-1 */
bool sb_draw_bool(sb_builder *b);     /* the first choice is true */
double sb_draw_double(sb_builder *b); /* in [0,1) */
sb_mg_colour sb_draw_colour(sb_builder *b);
sb_mg_location sb_draw_location(sb_builder *b); /* but SB_MG_ANYWHERE */
int sb_draw_thing(sb_builder *b, sb_things things);
/* Different ones, in the order of drawing; k at most SB_MG_N_COLOURS, or the number of things. */
void sb_draw_colours(sb_builder *b, int k, sb_mg_colour *colours);
void sb_draw_two(sb_builder *b, sb_things things, int two[2]);
/* A room, as column and row. */
sb_xy sb_draw_room(sb_builder *b);

/* ---- Building: rooms are (column, row), ids are returned ---- */

/* An object at a free cell of the room that is not beside the agent. The type (key, ball, box) and the colour may be
 * SB_ANY. */
int sb_add_object(sb_builder *b, int column, int row, int type, int colour);
/* The same for an object that was made already. */
void sb_place_in_room(sb_builder *b, int column, int row, int id);
/* One on the cell beside another, which is known to be empty. */
void sb_put_beside(sb_builder *b, int other, int side, int type, int colour);
/* A closed door; side, colour and whether it is locked may be SB_ANY. A drawn side is one that is not joined yet. */
int sb_add_door(sb_builder *b, int column, int row, int side, int colour, int locked);
/* Without its two ends. */
void sb_remove_wall(sb_builder *b, int column, int row, int side);
/* So many objects of drawn types and colours; column and row may be SB_ANY. `unique`: each other than all that are
 * there already. */
sb_things sb_add_distractors(sb_builder *b, int column, int row, int n, bool unique);
/* The same in rooms that are drawn, not unique. */
static inline sb_things sb_distract(sb_builder *b, int n) { return sb_add_distractors(b, SB_ANY, SB_ANY, n, false); }
/* Adds unlocked doors until all rooms are joined with the agent's, but none between rooms of which one is locked.
 * `but`: a colour that they don't get, or SB_ANY. */
void sb_connect_all_but(sb_builder *b, int but);
static inline void sb_connect_all(sb_builder *b) { sb_connect_all_but(b, SB_ANY); }
void sb_open_all(sb_builder *b);
/* Somewhere in a room, facing neither an object nor a door. */
void sb_place_agent(sb_builder *b, int column, int row);
static inline void sb_place_agent_anywhere(sb_builder *b) { sb_place_agent(b, SB_ANY, SB_ANY); }
/* Anywhere but in this room. */
void sb_place_agent_outside(sb_builder *b, sb_xy room);

/* ---- What there is ---- */

/* Whether the agent would get beside every object if doors opened all by themselves. */
bool sb_all_reachable(const sb_builder *b);
bool sb_has_neighbour(const sb_builder *b, int column, int row, int side);
static inline sb_room *sb_room_at(sb_builder *b, int column, int row) {
    return &b->rooms[row * b->world->columns + column];
}
static inline sb_mg_object *sb_thing(const sb_builder *b, int id) { return &b->world->objects[id]; }
static inline sb_mg_colour sb_colour_of(const sb_builder *b, int id) { return (sb_mg_colour)sb_thing(b, id)->colour; }
/* Of what is made next. */
static inline int sb_next_id(const sb_builder *b) { return b->world->n_objects + 1; }
/* Any object of this type. */
static inline sb_mg_description sb_any(sb_mg_type type) { return sb_mg_the(type, SB_MG_ANY_COLOUR, SB_MG_ANYWHERE); }
/* Any object of this one's type and colour. */
static inline sb_mg_description sb_like(const sb_builder *b, int id) {
    return sb_mg_the((sb_mg_type)sb_thing(b, id)->type, sb_colour_of(b, id), SB_MG_ANYWHERE);
}

/* ---- What is asked for ---- */

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
/* The mission is this and nothing else. */
void sb_ask_single(sb_builder *b, sb_mg_single single);
static inline void sb_ask(sb_builder *b, sb_mg_verb verb, sb_mg_description what) {
    sb_ask_single(b, sb_single(verb, what));
}
/* The mission is two singles, one before or after the other. */
void sb_ask_two(sb_builder *b, sb_mg_order order, sb_mg_single first, sb_mg_single second);

#endif
