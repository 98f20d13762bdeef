/* Facts about an episode in which an agent walks through rooms full of things. They are privileged: they tell the whole
 * state, whatever the agent has seen. A family with such episodes sets sb_family.facts. */
#ifndef SB_ENGINE_FACTS_H
#define SB_ENGINE_FACTS_H

#include "engine/contract.h"

enum { SB_FACTS_THINGS = 192, SB_FACTS_MISSION = 512 };

typedef struct sb_fact {
    const char *type, *colour; /* `door`, `red` */
    sb_xy at;
    bool has_lock, locked;
} sb_fact;

/* Coordinates start at (0,0), top left. Texts are constants of the family, except the mission. */
typedef struct sb_facts {
    int room_rows, room_columns, room_side; /* rooms are squares; the side counts both walls */
    sb_xy size;                             /* width and height of the grid */
    sb_xy agent, front;                     /* the agent's cell, and the cell in front of it */
    int direction;
    const char *direction_name;
    bool has_target;
    sb_xy target; /* the first thing on the grid, column by column, that fits what the mission asks for first */
    bool carries;
    sb_fact carried; /* the thing in hand, if `carries` */
    char mission[SB_FACTS_MISSION];
    size_t n_things;
    sb_fact things[SB_FACTS_THINGS]; /* things on the grid, row by row; what is carried or inside others is left out */
} sb_facts;

/* A family with facts puts this into its sb_family. */
struct sb_fact_source {
    void (*tell)(const sb_env *env, sb_facts *facts);
};

#endif
