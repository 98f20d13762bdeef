/* An episode of a gridworld is a value: one block of memory without pointers (but to the constant task, and to a log
 * while a recording is compared) that holds all that decides the future. Copying is memcpy, freed slots are zero. */
#ifndef SB_GRIDWORLD_EPISODE_H
#define SB_GRIDWORLD_EPISODE_H

#include <limits.h>

#include "engine/environment.h"
#include "engine/gridworld/metadata.h"
#include "engine/xy.h"
#include "seedbed/gridworld.h"
#include "seeds/rng.h"

enum { SB_VARS_MAX = 3072 };

typedef struct sb_task sb_task;

typedef enum sb_difficulty { SB_EASY, SB_MEDIUM, SB_HARD, SB_EXPERT, SB_N_DIFFICULTIES } sb_difficulty;

typedef struct sb_cell {
    int8_t terrain, object; /* sb_terrain, sb_object; int8 because recordings hash them so */
    int16_t metadata;       /* what it means depends on the object: metadata.h */
} sb_cell;

typedef struct sb_grid_agent {
    sb_xy at;
    uint8_t facing; /* sb_direction */
    uint8_t n_items;
} sb_grid_agent;

/* What the rules have decided; see sb_decide. */
typedef enum sb_outcome { SB_PLAYING, SB_WON, SB_LOST } sb_outcome;

typedef struct sb_episode {
    const sb_task *task;
    sb_draw_log *log; /* NULL but while a recording is compared */
    uint64_t seed;
    int32_t max_steps;
    int32_t clock; /* steps taken */
    uint8_t difficulty;
    int32_t paid[4]; /* memory of the dense reward, which no rule may read: outside the key */

    sb_grid_agent agent; /* the key begins here (sb_episode_key) */
    uint8_t width, height;
    sb_item items[SB_ITEMS_MAX];            /* in pick-up order */
    uint8_t outcome;                        /* sb_outcome */
    _Alignas(16) uint8_t vars[SB_VARS_MAX]; /* the task's own struct; see SB_VARS */
    sb_cell cells[SB_CELLS_MAX];            /* row-major, width * height of them */
} sb_episode;

/* All that is really old when a step is rewarded (docs/compatibility.md, "Old states"): the agent and the variables
 * that the task declares as live. Everything else is read from the new episode, so an old grid cannot even be asked
 * for. */
typedef struct sb_transition {
    sb_grid_agent before;
    const void *live; /* the first task->live_size bytes of the variables, before the step */
    sb_action action; /* as chosen, before any remapping */
    bool success, terminated;
} sb_transition;

typedef struct sb_config sb_config;
typedef struct sb_told sb_told;

/* When does the future depend on the step counter, besides the step limit? Never, always, or, for k > 0, only on the
 * counter modulo k. */
typedef int32_t sb_clock;
enum { SB_CLOCK_NEVER = 0, SB_CLOCK_ABSOLUTE = -1 };

typedef struct sb_extent {
    uint8_t width, height;
    int16_t max_steps;
} sb_extent;

/* A task is a constant. A NULL function means the engine's rule. */
struct sb_task {
    sb_task_info info;
    sb_extent extents[SB_N_DIFFICULTIES];
    size_t vars_size; /* of the task's variables */
    size_t live_size; /* the leading part of them whose old values rewards read */
    sb_clock clock;
    bool enters_anything; /* can_enter decides about terrain too: walls and holes do not stop the agent by themselves */
    bool endures;         /* whoever has not lost by the step limit succeeds */

    /* What the engine does instead of the action chosen. NULL: the action. */
    sb_action (*remap)(const sb_episode *e, sb_action action);
    /* Makes the instance: grid, agent->at, variables. Cells, items and variables come zeroed (all EMPTY). False if the
     * seed has none. */
    bool (*generate)(sb_episode *e);
    bool (*can_enter)(sb_episode *e, sb_xy to); /* may have side effects, such as pushing; decides about objects */
    void (*on_enter)(sb_episode *e);            /* the agent has just moved */
    void (*on_interact)(sb_episode *e, sb_xy target); /* the faced cell, inside the grid */
    void (*on_step)(sb_episode *e);                   /* after every action */
    /* Whether the episode is won, asked as long as no rule has decided that. NULL: the agent stands on a GOAL. */
    bool (*is_success)(const sb_episode *e);
    double (*sparse)(const sb_episode *e, const sb_transition *t); /* NULL: 1 on success */
    double (*dense)(sb_episode *e, const sb_transition *t);

    /* No more than the steps that are left to success; negative if it is out of reach, which must be proven: the only
     * thing that a search knows of the task. NULL: 0. */
    int (*bound)(const sb_episode *e);
    /* Replaces every generator and stored seed: the future, which experts may not see; for tests. NULL: there is none.
     */
    void (*reseed)(sb_episode *e, uint64_t seed);

    /* Overwrites the variables (and what was paid for) that the rules hide from the agent, and those from which they
     * follow, with values that do not depend on them and that the functions above can read. Fogged cells and what
     * `reseed` replaces are overwritten by the engine. NULL: the agent is shown all that decides what comes next, but
     * for draws. */
    void (*hide)(sb_episode *e);

    void (*tell)(const sb_episode *e, sb_told *told); /* what is told beside the grid, for all observations; tell.h */
    void (*config)(const sb_episode *e, sb_config *config); /* see config.h */
};

/* The task's variables inside an episode: `vars *v = SB_VARS(e);` */
#define SB_VARS(e) ((void *)(e)->vars)

/* Starts an episode in a block that is zero or holds an earlier one. `log` may be NULL. */
bool sb_episode_start(sb_episode *e, const sb_task *task, sb_difficulty difficulty, uint64_t seed, sb_draw_log *log,
                      sb_error *error);
void sb_episode_step(sb_episode *e, sb_action action, sb_result *result);
/* `to` becomes equal to `from`, byte for byte in the part that is used. */
void sb_episode_copy(sb_episode *to, const sb_episode *from);
void sb_episode_key(const sb_episode *e, uint64_t key[2]);
/* Overwrites all that the agent is not shown: what is left is what an observation tells. */
void sb_episode_hide(sb_episode *e);
/* The state hash of recordings: size, layers, agent. */
void sb_episode_digest(const sb_episode *e, uint8_t digest[32]);
/* Bit a is set if action a is valid by the published mask: bounds, terrain and blocking objects only. */
unsigned sb_episode_valid(const sb_episode *e);

/* The episode inside an environment, or NULL if its family is no gridworld (or nothing was started). */
const sb_episode *sb_episode_of(const sb_env *env);

extern const char *const sb_difficulty_names[SB_N_DIFFICULTIES];
extern const char *const sb_action_names[SB_N_ACTIONS];
extern const char *const sb_object_names[SB_N_OBJECTS];
extern const char *const sb_direction_names[4];
extern const char *const sb_phase_names[SB_N_PHASE_KINDS];
/* As recordings and observations spell them. */
typedef struct sb_item_words {
    const char *type, *stem; /* an item's id is its stem and its cell: `ing_12_9` */
    const char *property;    /* the name of its one property; NULL if it has none */
} sb_item_words;
extern const sb_item_words sb_item_names[SB_N_ITEM_KINDS];

/* ---- Geometry ---- */

extern const sb_xy sb_delta[4]; /* by sb_direction */

static inline sb_xy sb_beside(sb_xy p, sb_direction d) { return sb_at(p.x + sb_delta[d].x, p.y + sb_delta[d].y); }
/* To the nearest of so many cells; INT_MAX if there are none. */
static inline int sb_to_nearest(sb_xy from, const sb_xy *cells, int n) {
    int least = INT_MAX;
    for (int i = 0; i < n; i++)
        if (sb_manhattan(from, cells[i]) < least) least = sb_manhattan(from, cells[i]);
    return least;
}
static inline sb_direction sb_direction_of(sb_action move) {
    static const uint8_t directions[SB_N_ACTIONS] = {SB_NOWHERE, SB_NORTH, SB_SOUTH, SB_WEST, SB_EAST, SB_NOWHERE};
    return (sb_direction)directions[move];
}
static inline sb_action sb_move_of(sb_direction d) {
    static const uint8_t moves[4] = {SB_MOVE_UP, SB_MOVE_RIGHT, SB_MOVE_DOWN, SB_MOVE_LEFT};
    return moves[d];
}

static inline int sb_n_cells(const sb_episode *e) { return e->width * e->height; }
static inline bool sb_inside(const sb_episode *e, sb_xy p) {
    return (unsigned)p.x < e->width && (unsigned)p.y < e->height;
}
/* Strictly within the outermost ring of cells. */
static inline bool sb_interior(const sb_episode *e, sb_xy p) {
    return p.x > 0 && p.y > 0 && p.x < e->width - 1 && p.y < e->height - 1;
}
static inline int sb_index(const sb_episode *e, sb_xy p) { return p.y * e->width + p.x; }
static inline sb_xy sb_xy_of(const sb_episode *e, int index) {
    return sb_at(index % e->width, index / e->width); // NOLINT(clang-analyzer-core.DivideZero): a cell has a width
}
/* How a cell's index changes with a step in each direction. */
static inline void sb_index_steps(const sb_episode *e, int step_of[4]) {
    for (int d = SB_NORTH; d < SB_NOWHERE; d++) step_of[d] = sb_delta[d].y * e->width + sb_delta[d].x;
}
/* The cell, which must be inside. */
static inline sb_cell *sb_cell_at(sb_episode *e, sb_xy p) { return &e->cells[sb_index(e, p)]; }
static inline const sb_cell *sb_peek(const sb_episode *e, sb_xy p) { return &e->cells[sb_index(e, p)]; }

static inline bool sb_terrain_walkable(int terrain) { return terrain != SB_WALL && terrain != SB_HOLE; }
static inline bool sb_door_is_closed(const sb_cell *c) { return c->object == SB_DOOR && !sb_door_is_open(c->metadata); }
/* Levers, switches and closed doors stand in the way. */
static inline bool sb_cell_blocks(const sb_cell *c) {
    return c->object == SB_LEVER || c->object == SB_SWITCH || sb_door_is_closed(c);
}
static inline bool sb_cell_passable(const sb_cell *c) { return sb_terrain_walkable(c->terrain) && !sb_cell_blocks(c); }
static inline bool sb_walkable(const sb_episode *e, sb_xy p) {
    return sb_inside(e, p) && sb_terrain_walkable(sb_peek(e, p)->terrain);
}
static inline bool sb_passable(const sb_episode *e, sb_xy p) {
    return sb_inside(e, p) && sb_cell_passable(sb_peek(e, p));
}
static inline bool sb_fogged(const sb_cell *c) { return c->metadata == SB_FOG; }

static inline void sb_set_object(sb_episode *e, sb_xy p, sb_object object, int metadata) {
    sb_cell *c = sb_cell_at(e, p);
    c->object = (int8_t)object, c->metadata = (int16_t)metadata;
}
static inline int sb_object_here(const sb_episode *e) { return sb_peek(e, e->agent.at)->object; }
static inline int sb_terrain_here(const sb_episode *e) { return sb_peek(e, e->agent.at)->terrain; }
/* EMPTY and without an object. */
static inline bool sb_vacant(const sb_episode *e, sb_xy p) {
    const sb_cell *c = sb_peek(e, p);
    return c->terrain == SB_EMPTY && c->object == SB_NONE;
}

/* The same, and the agent is not there. */
static inline bool sb_unoccupied(const sb_episode *e, sb_xy p) { return sb_vacant(e, p) && !sb_same(p, e->agent.at); }

/* How many steps closer the agent came to a cell, as the crow walks: what dense rewards pay for. */
static inline int sb_approach(const sb_episode *e, const sb_transition *t, sb_xy to) {
    return sb_manhattan(t->before.at, to) - sb_manhattan(e->agent.at, to);
}
/* The dense reward that most published tasks with one goal give, in their order of additions, which decides the last
 * bit: a step costs 0.01, coming closer pays, success pays 1. */
static inline double sb_pay_for_approach(const sb_episode *e, const sb_transition *t, sb_xy goal, double a_step) {
    double reward = -0.01;
    reward += a_step * sb_approach(e, t, goal);
    if (t->success) reward += 1.0;
    return reward;
}

/* ---- Outcome ---- */

/* For rules: the episode ends with this step. The first decision stands. */
static inline void sb_decide(sb_episode *e, bool won) {
    if (e->outcome == SB_PLAYING) e->outcome = won ? SB_WON : SB_LOST;
}
static inline void sb_win(sb_episode *e) { sb_decide(e, true); }
static inline void sb_lose(sb_episode *e) { sb_decide(e, false); }
static inline bool sb_has_lost(const sb_episode *e) { return e->outcome == SB_LOST; }
/* As `is_success`: only sb_win counts, not where the agent stands. */
bool sb_has_won(const sb_episode *e);
/* As `sparse`: 1 on success, -1 if the agent has lost. */
double sb_pay_for_outcome(const sb_episode *e, const sb_transition *t);

/* ---- Inventory ---- */

/* Appends; at most SB_ITEMS_MAX items are ever carried. */
void sb_take(sb_episode *e, sb_item_kind kind, int value, sb_xy at);
/* Index of the first item of this kind and value, or -1. */
int sb_carries(const sb_episode *e, sb_item_kind kind, int value);
void sb_drop(sb_episode *e, int index);

/* ---- Draws ---- */

/* A generator of the task's own. */
static inline sb_rng sb_generator(const sb_episode *e, uint64_t seed) {
    sb_rng rng;
    sb_rng_seed(&rng, seed, e->log);
    return rng;
}

/* One seeded with the episode's seed plus something: for repeated attempts. */
static inline sb_rng sb_generator_plus(const sb_episode *e, uint64_t addend) {
    sb_rng rng;
    sb_rng_seed_sum(&rng, e->seed, addend, e->log);
    return rng;
}

#endif
