/* What a cell shows besides the name of its object: colour, state, number (docs/compatibility.md, "Observations"). One
 * table serves the structured, the state and the language observation. */
#ifndef SB_OBSERVE_TRAITS_H
#define SB_OBSERVE_TRAITS_H

#include "engine/gridworld/episode.h"

typedef enum sb_value_kind {
    SB_ABSENT, /* with this metadata the object does not have the trait */
    SB_WORD,   /* .word */
    SB_NUMBER, /* .number */
    SB_DIGITS, /* .number, which the published observations write as a text */
    SB_CLUE    /* of a scroll: .word is the direction, .letter its abbreviation, .number the distance */
} sb_value_kind;

typedef struct sb_value {
    sb_value_kind kind;
    const char *word;
    int number;
    char letter;
} sb_value;

/* In the published order. */
typedef enum sb_trait_id {
    SB_KEY_COLOR,
    SB_DOOR_COLOR,
    SB_DOOR_STATE,
    SB_SWITCH_STATE,
    SB_SWITCH_COLOR,
    SB_LEVER_STATE,
    SB_NPC_TYPE,
    SB_ENEMY_TYPE,
    SB_RESOURCE_ENERGY,
    SB_TILE_NUMBER,
    SB_TARGET_SLOT,
    SB_TARGET_ACCEPTS,
    SB_SCROLL_CLUE,
    SB_N_TRAITS
} sb_trait_id;

typedef struct sb_trait {
    int8_t object;           /* the sb_object that may have it */
    const char *group, *key; /* `state`: annotations[group]["x,y"]; `structured`: entity[key] */
    sb_value (*read)(int metadata);
} sb_trait;

extern const sb_trait sb_traits[SB_N_TRAITS];

#endif
