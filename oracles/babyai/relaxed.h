/* What a mission costs if things were easier than they are: the estimate that guides the expert's search.
 *
 * In the easy world objects lie still and are in nobody's way, closed doors may be walked through, one door opened with
 * its key opens all of its colour, and what is carried or was moved since the search began is wherever one likes:
 * loose. What is left is a walk of the agent through poses while it does one single of the mission after the other,
 * carrying at most one thing. Its exact cost from everywhere is a table, made backwards (Dijkstra) from the tables of
 * what comes after, when it is first asked for.
 *
 * What may be carried falls into classes by what it is good for: objects of one class are as good as each other. */
#ifndef SB_ORACLES_BABYAI_RELAXED_H
#define SB_ORACLES_BABYAI_RELAXED_H

#include "oracles/babyai/search_state.h"
#include "oracles/oracle.h"

enum {
    SB_CLASSES_MAX = 32,
    SB_RELAXED_NODES = 1 << 16,
    SB_RELAXED_COSTS = 2048,
    SB_RELAXED_TABLES = 512,
    SB_RELAXED_ARENA = 1 << 22, /* of costs */
    SB_RELAXED_NODES_A_STATE = 64,
    SB_UNREACHABLE = 65535
};

typedef enum sb_ease {
    SB_NEVER_TOO_MUCH, /* as said above: never more than the true cost of a mission of one single */
    SB_DOORS_COUNT,    /* doors and objects in the way cost something: better guidance, no bound */
    SB_PLACES_COUNT,   /* and what was moved lies where it lies until a single is done; what is put down has to be
                          fetched: more tables */
    SB_PLACES_RETURN   /* and once it is done, lies where it was in the beginning: nothing is gained by moving what is
                          not yet needed */
} sb_ease;

typedef struct sb_relaxed_table {
    uint64_t key;
    uint32_t offset; /* in the arena */
} sb_relaxed_table;

typedef struct sb_relaxed {
    const sb_scene *scene;
    sb_ease ease;
    sb_budget *budget; /* the caller's */
    int n_poses, n_classes;
    uint8_t lock_colours;          /* of locked doors: bits */
    uint32_t start_loose;          /* classes of which something was off the grid from the beginning */
    uint16_t uses[SB_CLASSES_MAX]; /* of a class: roles, and from bit 8 on the colour of locks it opens */
    uint8_t class_of[256];         /* by id */
    uint32_t n_tables, used;
    sb_relaxed_table tables[SB_RELAXED_TABLES];
    uint32_t head[SB_RELAXED_COSTS], next[SB_RELAXED_NODES], before[SB_RELAXED_NODES]; /* open nodes by cost */
    uint16_t arena[SB_RELAXED_ARENA];
} sb_relaxed;

/* Tables are charged to the budget: a state for SB_RELAXED_NODES_A_STATE of their nodes, which take as long. */
void sb_relaxed_begin(sb_relaxed *relaxed, const sb_scene *scene, sb_ease ease, sb_budget *budget);
/* SB_UNREACHABLE if even the easy mission cannot be done. */
int sb_relaxed_cost(sb_relaxed *relaxed, const sb_search_state *s);

#endif
