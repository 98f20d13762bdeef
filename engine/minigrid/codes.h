/* MiniGrid's codes as observations, recordings and state hashes contain them, and their names. */
#ifndef SB_MINIGRID_CODES_H
#define SB_MINIGRID_CODES_H

typedef enum sb_mg_action {
    SB_MG_LEFT, /* a turn, not a step */
    SB_MG_RIGHT,
    SB_MG_FORWARD,
    SB_MG_PICKUP,
    SB_MG_DROP,
    SB_MG_TOGGLE,
    SB_MG_DONE,
    SB_MG_N_ACTIONS
} sb_mg_action;

typedef enum sb_mg_type {
    SB_MG_UNSEEN = 0, /* only in views; in a description, any type */
    SB_MG_EMPTY = 1,
    SB_MG_WALL = 2, /* no level has floor (3), goal (8) or lava (9) */
    SB_MG_DOOR = 4,
    SB_MG_KEY = 5,
    SB_MG_BALL = 6,
    SB_MG_BOX = 7,
    SB_MG_AGENT = 10, /* only in full views */
    SB_MG_N_TYPES
} sb_mg_type;

typedef enum sb_mg_colour {
    SB_MG_RED,
    SB_MG_GREEN,
    SB_MG_BLUE,
    SB_MG_PURPLE,
    SB_MG_YELLOW,
    SB_MG_GREY,
    SB_MG_N_COLOURS,
    SB_MG_ANY_COLOUR = SB_MG_N_COLOURS /* any colour, only in a description */
} sb_mg_colour;

/* The third number of a door in a view. For other things it is 0, for the agent its direction. */
typedef enum sb_mg_door_state { SB_MG_OPENED, SB_MG_CLOSED, SB_MG_LOCKED } sb_mg_door_state;

/* Directions in an order in which a right turn adds one. */
typedef enum sb_mg_direction { SB_MG_EAST, SB_MG_SOUTH, SB_MG_WEST, SB_MG_NORTH } sb_mg_direction;

/* Where a description says that a thing is, as seen from the agent's start. */
typedef enum sb_mg_location {
    SB_MG_ANYWHERE,
    SB_MG_ON_LEFT,
    SB_MG_ON_RIGHT,
    SB_MG_IN_FRONT,
    SB_MG_BEHIND,
    SB_MG_N_LOCATIONS
} sb_mg_location;

extern const char *const sb_mg_action_names[SB_MG_N_ACTIONS]; /* left right forward pickup drop toggle done */
extern const char *const sb_mg_type_names[SB_MG_N_TYPES];     /* NULL for unused codes */
extern const char *const sb_mg_colour_names[SB_MG_N_COLOURS]; /* by code */
extern const char *const sb_mg_direction_names[4];            /* east south west north */
extern const char *const sb_mg_door_state_names[3];           /* open closed locked */

#endif
