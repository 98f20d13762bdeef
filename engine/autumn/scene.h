/* What a world has drawn, object by object: for texts and pictures of worlds. */
#ifndef SB_AUTUMN_SCENE_H
#define SB_AUTUMN_SCENE_H

#include "engine/autumn/world.h"

/* A drawn cell, and the object that it belongs to. */
typedef struct sb_autumn_drawn {
    const sb_autumn_cell *cell;
    const char *colour; /* colour of the cell, in lower case */
    uint32_t variable;  /* number of the variable in which the object stands */
    uint32_t object;    /* number of the object, the same for all its cells until the state changes */
    uint32_t type;      /* number of the object's type, from 1 */
} sb_autumn_drawn;

/* Visits the cells in the order of drawing, in which later ones cover earlier ones. */
void sb_autumn_visit(const sb_autumn_state *state, void (*visit)(void *context, const sb_autumn_drawn *drawn),
                     void *context);

/* Whether `win` or `score` reads a variable, itself or through a function. */
bool sb_autumn_wins_by(const sb_autumn_program *program, uint32_t variable);

const char *sb_autumn_type_name(const sb_autumn_program *program, uint32_t type);
/* The sprite of a type: SB_AUTUMN_SPRITE rows, one behind the other, without NUL. NULL: it has none. */
const char *sb_autumn_sprite(const sb_autumn_program *program, uint32_t type);
bool sb_autumn_has_sprites(const sb_autumn_program *program);

/* A field of an object, with its value. */
typedef struct sb_autumn_told {
    const char *name;
    enum { SB_AUTUMN_TOLD_TRUTH, SB_AUTUMN_TOLD_NUMBER, SB_AUTUMN_TOLD_TEXT, SB_AUTUMN_TOLD_THING } kind;
    int32_t number;   /* a number; a truth value as 0 or 1 */
    const char *text; /* a text */
    uint64_t value;   /* the field's value in the engine's own form */
} sb_autumn_told;

/* Finds the next field of the object that agents are told: all fields but functions and those that the clause `hidden`
 * names. `*at` is 0 at first. False: there are no more. */
bool sb_autumn_next_told(const sb_autumn_state *state, const sb_autumn_drawn *drawn, uint32_t *at,
                         sb_autumn_told *told);
/* Puts a field's value: as JSON, or as people write it. Positions are pairs, objects are told by their types. */
void sb_autumn_put_told(const sb_autumn_state *state, const sb_autumn_told *told, bool json, sb_out *out);

#endif
