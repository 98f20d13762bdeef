/* What an agent is shown (docs/compatibility.md, "Observations"). Rendering changes nothing, draws no random numbers
 * and allocates nothing. Every mode hides terrain and object of fogged cells. */
#ifndef SB_GRIDWORLD_OBSERVE_H
#define SB_GRIDWORLD_OBSERVE_H

#include "engine/gridworld/config.h"
#include "engine/gridworld/episode.h"
#include "engine/gridworld/tell.h"

/* Header lines, grid and legend exactly as published; `color` adds escape sequences. */
void sb_observe_ascii(const sb_episode *e, bool color, sb_out *out);
/* The published `language_structured`: a JSON object. */
void sb_observe_structured(const sb_episode *e, sb_out *out);
/* The published `state_dict`: a JSON object. The status provides the step count and the rewards of its info record. */
void sb_observe_state(const sb_episode *e, const sb_status *status, sb_out *out);
/* What an episode itself knows of the info record of `state_dict`: agent_position, task_name, task_config. */
void sb_observe_info(const sb_episode *e, sb_out *out);
/* One paragraph in our own words: the published facts in the published order. */
void sb_observe_language(const sb_episode *e, sb_out *out);
/* `language`, `structured` and `state` without their lists of valid actions. */
void sb_observe_language_scene(const sb_episode *e, sb_out *out);
void sb_observe_structured_scene(const sb_episode *e, sb_out *out);
void sb_observe_state_scene(const sb_episode *e, const sb_status *status, sb_out *out);

/* What a cell shows besides the name of its object: colour, state, number (docs/compatibility.md, "Observations"). One
 * table serves the structured, the state and the language observation. */

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

/* Traits in the published order. */
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

/* JSON pieces that the structured and the state observation have in common. */

/* Puts the text "x,y", which names a cell in annotations. */
void sb_put_pair_text(sb_out *out, sb_xy p);

/* Puts a value, which must not be SB_ABSENT; of a clue, its direction. */
void sb_put_value(sb_out *out, sb_value value);

/* Puts the member `fog_cells`, sorted by x and then y, each cell as `put` writes it; nothing if there is no fog. */
void sb_put_fog_cells(sb_out *out, const sb_episode *e, void (*put)(sb_out *out, sb_xy p));
/* Puts the member `valid_actions`, a list of names. */
void sb_put_valid_actions(sb_out *out, const sb_episode *e);
/* Puts the members `energy` and `health`, which no task changes. */
void sb_put_vitals(sb_out *out);

/* Writes the facts beside the grid (tell.h) in the words of each observation. The codes alone decide the words: tasks
 * have no texts of their own. */

/* The lines above the ASCII grid, as published, each with its newline. */
void sb_put_told_lines(sb_out *out, const sb_told *told);
/* The published members of the task's annotations; nothing if there are no facts. */
void sb_put_told_members(sb_out *out, const sb_episode *e, const sb_told *told);
/* Sentences of our own, each with a space before it. They leave out what the published language observation does not
 * tell: where scrolls lay, that controls are reversed, and the meaning of the numbers of lights. */
void sb_put_told_sentences(sb_out *out, const sb_told *told);

#endif
