/* The cost of a mission in a relaxed world: the estimate that guides the expert's search.
 *
 * In the relaxed world, objects stay in place and block nothing, closed doors can be walked through, opening one door
 * with its key opens all doors of that colour, and things that are carried or were moved since the search began are
 * wherever they are needed: they are loose. What remains is a walk of the agent through poses while it does one single
 * of the mission after the other and carries at most one thing. The exact cost of this walk from every pose is a table.
 * It is computed backwards (Dijkstra) from the tables of the following stages, when it is first needed.
 *
 * Carried things are divided into classes by their uses: all things of a class are equally good. */
#ifndef SB_ORACLES_BABYAI_RELAXED_H
#define SB_ORACLES_BABYAI_RELAXED_H

#include "oracles/babyai/search_state.h"
#include "oracles/oracle.h"

enum {
    SB_CLASSES_MAX = 32,
    SB_RELAXED_NODES = 1 << 16,
    SB_RELAXED_COSTS = 2048,
    SB_RELAXED_TABLES = 512,
    SB_RELAXED_ARENA = 1 << 22, /* costs that all tables have room for */
    SB_RELAXED_NODES_A_STATE = 64,
    SB_UNREACHABLE = 65535
};

typedef enum sb_ease {
    SB_NEVER_TOO_MUCH, /* never more than the true cost of a mission with one single */
    SB_DOORS_COUNT,    /* doors and objects in the way have a cost: better guidance, but no bound */
    /* as SB_DOORS_COUNT, and a moved thing stays in its place until a single is done, and a thing that was put down has
     * to be fetched: more tables */
    SB_PLACES_COUNT,
    /* as SB_PLACES_COUNT, and moved things return to their first places when a single is done: so moving things too
     * early gains nothing */
    SB_PLACES_RETURN
} sb_ease;

typedef struct sb_relaxed_table {
    uint64_t key;
    uint32_t offset; /* index in the arena */
} sb_relaxed_table;

typedef struct sb_relaxed {
    const sb_search_scene *scene;
    sb_ease ease;
    sb_budget *budget; /* belongs to the caller */
    int n_poses, n_classes;
    uint8_t lock_colours;          /* colours of locked doors, one bit each */
    uint32_t start_loose;          /* classes of which a thing was off the grid at the beginning */
    uint16_t uses[SB_CLASSES_MAX]; /* uses of a class: roles, and from bit 8 on the colour of the locks it opens */
    uint8_t class_of[256];         /* class of each thing, by id */
    uint32_t n_tables, used;
    sb_relaxed_table tables[SB_RELAXED_TABLES];
    uint32_t head[SB_RELAXED_COSTS], next[SB_RELAXED_NODES], before[SB_RELAXED_NODES]; /* lists of open nodes by cost */
    uint16_t arena[SB_RELAXED_ARENA];
} sb_relaxed;

/* Starts with empty tables. Tables are charged to the budget: SB_RELAXED_NODES_A_STATE nodes take as long as a state
 * and count as one. */
void sb_relaxed_begin(sb_relaxed *relaxed, const sb_search_scene *scene, sb_ease ease, sb_budget *budget);
/* Returns the cost; SB_UNREACHABLE if even the relaxed mission cannot be done. */
int sb_relaxed_cost(sb_relaxed *relaxed, const sb_search_state *s);

#endif
