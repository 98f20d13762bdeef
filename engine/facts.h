/* Facts: what can be told of an episode in which somebody walks through rooms full of things. They are privileged: they
 * tell everything as it is, whatever the agent has seen. A family that has such episodes says so by sb_family.facts. */
#ifndef SB_ENGINE_FACTS_H
#define SB_ENGINE_FACTS_H

#include "engine/contract.h"

enum { SB_FACTS_THINGS = 192, SB_FACTS_MISSION = 512 };

typedef struct sb_fact {
    const char *type, *colour; /* `door`, `red` */
    sb_xy at;
    bool has_lock, locked;
} sb_fact;

/* Cells count from (0,0), top left. Texts are constants of the family, but the mission. */
typedef struct sb_facts {
    int room_rows, room_columns, room_side; /* rooms are squares; the side counts both walls */
    sb_xy size;                             /* of the grid: width and height */
    sb_xy agent, front;                     /* its cell, and the one before it */
    int direction;
    const char *direction_name;
    bool has_target;
    sb_xy target; /* the first thing on the grid, column by column, of those that the mission asks for first */
    bool carries;
    sb_fact carried; /* if it carries something */
    char mission[SB_FACTS_MISSION];
    size_t n_things;
    sb_fact things[SB_FACTS_THINGS]; /* on the grid, row by row; what is carried or inside others is left out */
} sb_facts;

/* What a family that has facts puts into its sb_family. */
struct sb_fact_source {
    void (*tell)(const sb_env *env, sb_facts *facts);
};

#endif
