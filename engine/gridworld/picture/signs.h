/* What a picture tells of a cell: the ground, the sign on it, and a number. It is what the texts `structured` and
 * `ascii_color` tell, and the facing of NPCs, enemies and sheep; metadata that only `state` shows is left out. Two
 * cells look the same if and only if all of these facts agree (docs/pictures.md). */
#ifndef SB_GRIDWORLD_SIGNS_H
#define SB_GRIDWORLD_SIGNS_H

#include "engine/gridworld/episode.h"

enum { SB_WALL_COLOURS = 6 /* the plain one, and those of metadata 1 to 5 */ };

/* Floors alternate like a chessboard, which tells nothing. */
typedef enum sb_ground {
    SB_GROUND_FLOOR,
    SB_GROUND_FLOOR_ODD,
    SB_GROUND_WALL,
    SB_GROUND_HAZARD = SB_GROUND_WALL + SB_WALL_COLOURS,
    SB_GROUND_WATER,
    SB_GROUND_ICE,
    SB_GROUND_HOLE,
    SB_GROUND_FOG,
    SB_GROUND_PANEL,
    SB_N_GROUNDS
} sb_ground;

/* Signs with a direction come in four: north, east, south, west. */
typedef enum sb_sign {
    SB_SIGN_NONE,
    SB_SIGN_GOAL,
    SB_SIGN_KEY,                          /* a key of each colour */
    SB_SIGN_DOOR = SB_SIGN_KEY + 4,       /* a closed door of each colour */
    SB_SIGN_OPEN_DOOR = SB_SIGN_DOOR + 4, /* an open door of each colour */
    SB_SIGN_SWITCH_OFF = SB_SIGN_OPEN_DOOR + 4,
    SB_SIGN_SWITCH_ON,
    SB_SIGN_SWITCH_NUMBER,
    SB_SIGN_BOX,
    SB_SIGN_BOX_HOME,
    SB_SIGN_TARGET,
    SB_SIGN_TYPED_BOX,
    SB_SIGN_TYPED_GEM, /* a target for gems; then for lever, potion, scroll, coin, orb */
    SB_SIGN_SLOT = SB_SIGN_TYPED_GEM + 6,
    SB_SIGN_TOOL,
    SB_SIGN_RESOURCE, /* a resource for each number of quarters that are full */
    SB_SIGN_BREADCRUMB = SB_SIGN_RESOURCE + 5,
    SB_SIGN_NPC, /* an NPC for each direction that it faces */
    SB_SIGN_NPC_NUMBER = SB_SIGN_NPC + 4,
    SB_SIGN_ENEMY, /* an enemy for each direction that it faces */
    SB_SIGN_ENEMY_NUMBER = SB_SIGN_ENEMY + 4,
    SB_SIGN_SHEEP, /* a sheep for each direction that it faces */
    SB_SIGN_BLOCKER = SB_SIGN_SHEEP + 4,
    SB_SIGN_GEM,
    SB_SIGN_LEVER_OFF,
    SB_SIGN_LEVER_ON,
    SB_SIGN_POTION,
    SB_SIGN_SCROLL,
    SB_SIGN_CLUE, /* a clue for each direction */
    SB_SIGN_CLUE_UNKNOWN = SB_SIGN_CLUE + 4,
    SB_SIGN_COIN,
    SB_SIGN_ORB,
    SB_SIGN_AGENT, /* the agent for each direction that it faces */
    SB_SIGN_REVERSED = SB_SIGN_AGENT + 4,
    SB_N_SIGNS
} sb_sign;

enum { SB_NO_NUMBER = -1 };

typedef struct sb_appearance {
    uint8_t ground;  /* sb_ground; SB_GROUND_FLOOR for every floor */
    uint8_t object;  /* sb_object; SB_NONE in fog */
    uint8_t meaning; /* meaning of the metadata: equal if and only if the object tells the same */
    uint8_t sign;    /* sb_sign; it follows from object and meaning, like the number */
    int16_t number;  /* 0 to 255, or SB_NO_NUMBER */
} sb_appearance;

sb_appearance sb_appearance_of(const sb_cell *cell);
/* Returns only the ground of a cell's appearance. */
sb_ground sb_ground_of(const sb_cell *cell);
/* Returns the sign of an object without a meaning of its metadata. */
sb_sign sb_sign_of(sb_object object);

#endif
