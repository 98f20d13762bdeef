/* An episode of a gridworld is a value: one block of memory that holds everything that decides the future. It has no
 * pointers except to the constant task and to a log that is used while a recording is compared. Copying is memcpy;
 * unused slots are zero. */
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
    int8_t terrain, object; /* sb_terrain, sb_object; int8 because recordings hash them like that */
    int16_t metadata;       /* its meaning depends on the object: metadata.h */
} sb_cell;

typedef struct sb_grid_agent {
    sb_xy at;
    uint8_t facing; /* sb_direction */
    uint8_t n_items;
} sb_grid_agent;

/* What the rules have decided so far; see sb_decide. */
typedef enum sb_grid_outcome { SB_PLAYING, SB_WON, SB_LOST } sb_grid_outcome;

/* A pointer takes 8 bytes on every machine, so that the padding in the key is the same. */
typedef struct sb_episode {
    _Alignas(8) const sb_task *task;
    _Alignas(8) sb_draw_log *log; /* NULL except while a recording is compared */
    _Alignas(8) uint64_t seed;
    int32_t max_steps;
    int32_t clock; /* steps taken */
    uint8_t difficulty;
    int32_t paid[4]; /* state of the dense reward, which no rule may read: not in the key */

    sb_grid_agent agent; /* the key begins here (sb_episode_key) */
    uint8_t width, height;
    sb_item items[SB_ITEMS_MAX];            /* in pick-up order */
    uint8_t outcome;                        /* sb_grid_outcome */
    _Alignas(16) uint8_t vars[SB_VARS_MAX]; /* the task's own struct; see SB_VARS */
    sb_cell cells[SB_CELLS_MAX];            /* row-major, width * height of them */
} sb_episode;

/* The old values that rewards may read (docs/compatibility.md, "Old states"): the agent and the variables that the task
 * declares as live. Everything else is read from the new episode. An old grid is not available on purpose, and neither
 * is the action: so an action that changes nothing earns what a noop earns (sb_episode_effective). */
typedef struct sb_transition {
    sb_grid_agent before;
    const void *live; /* the first task->live_size bytes of the variables, before the step */
    bool success, terminated;
} sb_transition;

typedef struct sb_config sb_config;
typedef struct sb_told sb_told;

/* When the future depends on the step counter, apart from the step limit: never, always, or, for k > 0, only on the
 * counter modulo k. */
typedef int32_t sb_clock;
enum { SB_CLOCK_NEVER = 0, SB_CLOCK_ABSOLUTE = -1 };

typedef struct sb_extent {
    uint8_t width, height;
    int16_t max_steps;
} sb_extent;

/* A task is a constant. If a function is NULL, the engine's rule applies. Its skills are the published
 * `capability_tags`. */
struct sb_task {
    sb_task_info info;
    sb_extent extents[SB_N_DIFFICULTIES];
    size_t vars_size; /* bytes of the task's variables */
    size_t live_size; /* the first bytes of the variables, whose old values rewards read */
    sb_clock clock;
    bool enters_anything; /* can_enter decides about terrain too: walls and holes alone do not stop the agent */
    bool has_kinds;       /* metadata of NPCs and enemies is their kind, not the side that they face; for pictures */
    bool endures;         /* an agent that has not lost when the step limit is reached has succeeded */
    bool reads_limit;     /* a rule reads the step limit */

    /* Returns the action that is executed instead of the chosen one, by what is shown. NULL: the chosen one. */
    sb_action (*remap)(const sb_episode *e, sb_action action);
    /* Makes the instance: grid, agent->at, variables. Cells, items and variables are zeroed before (all EMPTY). False
     * if the seed has no instance. */
    bool (*generate)(sb_episode *e);
    /* Whether the agent may enter a cell; decides about objects, and may have side effects such as pushing. */
    bool (*can_enter)(sb_episode *e, sb_xy to);
    void (*on_enter)(sb_episode *e);                  /* called when the agent has just moved */
    void (*on_interact)(sb_episode *e, sb_xy target); /* target: the cell ahead, inside the grid */
    void (*on_step)(sb_episode *e);                   /* called after every action */
    /* Tells whether the episode is won; called as long as no rule has decided. NULL: won if the agent stands on a GOAL.
     */
    bool (*is_success)(const sb_episode *e);
    double (*sparse)(const sb_episode *e, const sb_transition *t); /* NULL: 1 on success */
    double (*dense)(sb_episode *e, const sb_transition *t);

    /* A lower bound on the steps that are left to success; negative only if success is proven to be out of reach.
     * Searches know nothing else about the task. NULL: 0. */
    int (*bound)(const sb_episode *e);
    /* Replaces every generator and stored seed, that is, the future that experts may not see. False: the steps of this
     * episode draw nothing. NULL: the task stores none. */
    bool (*reseed)(sb_episode *e, uint64_t seed);

    /* Overwrites, in a copy that only a key is made of, what no rule will read in the rest of the episode and nothing
     * that is published prints: generators of things that are absent, the order of lists that are sets. So two starts
     * that no course of actions can tell apart have one key. NULL: every variable is read or printed. */
    void (*forget)(sb_episode *e);

    /* Overwrites the variables (and `paid`) that the rules hide from the agent, and those that follow from them, with
     * values that do not depend on them and that the functions above can read. The engine itself overwrites fogged
     * cells and what `reseed` replaces. NULL: the agent is shown everything that decides the future, except random
     * draws. */
    void (*hide)(sb_episode *e);
    /* Tells whether something that `hide` overwrites decides if an action, once it is remapped, changes anything;
     * the mask of effective actions leaves such an action unmasked. `target` is the cell ahead, and no fogged one: the
     * engine takes care of these. NULL: no such thing decides. */
    bool (*effect_is_hidden)(const sb_episode *e, sb_action action, sb_xy target);

    void (*tell)(const sb_episode *e, sb_told *told); /* facts beside the grid, for all observations; see tell.h */
    void (*config)(const sb_episode *e, sb_config *config); /* see config.h */
};

/* The task's variables inside an episode: `vars *v = SB_VARS(e);` */
#define SB_VARS(e) ((void *)(e)->vars)

/* Starts an episode in a block that is zero or holds an earlier one. `log` may be NULL. */
bool sb_episode_start(sb_episode *e, const sb_task *task, sb_difficulty difficulty, uint64_t seed, sb_draw_log *log,
                      sb_error *error);
void sb_episode_step(sb_episode *e, sb_action action, sb_result *result);
/* Makes `to` equal to `from`, byte for byte in the used part. */
void sb_episode_copy(sb_episode *to, const sb_episode *from);
/* Hashes everything that decides what can still be observed: see sb_task.forget. */
void sb_episode_key(const sb_episode *e, uint64_t key[2]);
/* Overwrites everything that the agent is not shown: only what observations tell remains. */
void sb_episode_hide(sb_episode *e);
/* The state hash of recordings: size, layers, agent. */
void sb_episode_digest(const sb_episode *e, uint8_t digest[32]);
/* Returns the mask of valid actions: bit a is set if action a is valid. As published, only bounds, terrain and blocking
 * objects count. */
unsigned sb_episode_valid(const sb_episode *e);
/* Returns the mask of effective actions: bit a is clear only if action a is proven to do no more than a noop. */
unsigned sb_episode_effective(const sb_episode *e);

/* Returns the episode inside an environment; NULL if its family is not a gridworld (or nothing was started). */
const sb_episode *sb_episode_of(const sb_env *env);

extern const char *const sb_difficulty_names[SB_N_DIFFICULTIES];
extern const char *const sb_action_names[SB_N_ACTIONS];
extern const char *const sb_object_names[SB_N_OBJECTS];
extern const char *const sb_direction_names[4];
extern const char *const sb_phase_names[SB_N_PHASE_KINDS];
/* Words for items, as recordings and observations spell them. */
typedef struct sb_item_words {
    const char *type, *stem; /* an item's id is its stem and its cell: `ing_12_9` */
    const char *property;    /* the name of its only property; NULL if it has none */
} sb_item_words;
extern const sb_item_words sb_item_names[SB_N_ITEM_KINDS];

/* ---- Geometry ---- */

extern const sb_xy sb_delta[4]; /* a step in each direction, by sb_direction */

static inline sb_xy sb_beside(sb_xy p, sb_direction d) { return sb_at(p.x + sb_delta[d].x, p.y + sb_delta[d].y); }
/* Returns the distance to the nearest of n cells; INT_MAX if there are none. */
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
/* Tells whether a cell is inside the border, the outermost ring of cells. */
static inline bool sb_interior(const sb_episode *e, sb_xy p) {
    return p.x > 0 && p.y > 0 && p.x < e->width - 1 && p.y < e->height - 1;
}
static inline int sb_index(const sb_episode *e, sb_xy p) { return p.y * e->width + p.x; }
static inline sb_xy sb_xy_of(const sb_episode *e, int index) {
    return sb_at(index % e->width, index / e->width); // NOLINT(clang-analyzer-core.DivideZero): a cell has a width
}
/* Gives the change of a cell's index for a step in each direction. */
static inline void sb_index_steps(const sb_episode *e, int step_of[4]) {
    for (int d = SB_NORTH; d < SB_NOWHERE; d++) step_of[d] = sb_delta[d].y * e->width + sb_delta[d].x;
}
/* Returns the cell; it must be inside the grid. */
static inline sb_cell *sb_cell_at(sb_episode *e, sb_xy p) { return &e->cells[sb_index(e, p)]; }
static inline const sb_cell *sb_peek(const sb_episode *e, sb_xy p) { return &e->cells[sb_index(e, p)]; }

static inline bool sb_terrain_walkable(int terrain) { return terrain != SB_WALL && terrain != SB_HOLE; }
static inline bool sb_door_is_closed(const sb_cell *c) { return c->object == SB_DOOR && !sb_door_is_open(c->metadata); }
/* Tells whether a lever, a switch or a closed door blocks the cell. */
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
/* Tells whether a cell is EMPTY and has no object. */
static inline bool sb_vacant(const sb_episode *e, sb_xy p) {
    const sb_cell *c = sb_peek(e, p);
    return c->terrain == SB_EMPTY && c->object == SB_NONE;
}

/* Like sb_vacant, and the agent is not there. */
static inline bool sb_unoccupied(const sb_episode *e, sb_xy p) { return sb_vacant(e, p) && !sb_same(p, e->agent.at); }

/* Returns by how many steps the Manhattan distance to a cell became shorter: dense rewards pay for that. */
static inline int sb_approach(const sb_episode *e, const sb_transition *t, sb_xy to) {
    return sb_manhattan(t->before.at, to) - sb_manhattan(e->agent.at, to);
}
/* The dense reward of most published tasks with one goal: a step costs 0.01, coming closer pays, success pays 1. The
 * order of the additions is the published one, because it decides the last bit. */
static inline double sb_pay_for_approach(const sb_episode *e, const sb_transition *t, sb_xy goal, double a_step) {
    double reward = -0.01;
    reward += a_step * sb_approach(e, t, goal);
    if (t->success) reward += 1.0;
    return reward;
}

/* ---- Outcome ---- */

/* Ends the episode with this step; for rules. The first decision counts. */
static inline void sb_decide(sb_episode *e, bool won) {
    if (e->outcome == SB_PLAYING) e->outcome = won ? SB_WON : SB_LOST;
}
static inline void sb_win(sb_episode *e) { sb_decide(e, true); }
static inline void sb_lose(sb_episode *e) { sb_decide(e, false); }
static inline bool sb_has_lost(const sb_episode *e) { return e->outcome == SB_LOST; }
/* For `is_success`: only sb_win counts, not where the agent stands. */
bool sb_has_won(const sb_episode *e);
/* For `sparse`: 1 on success, -1 if the agent has lost. */
double sb_pay_for_outcome(const sb_episode *e, const sb_transition *t);

/* ---- Inventory ---- */

/* Adds an item at the end; no more than SB_ITEMS_MAX are ever carried. */
void sb_take(sb_episode *e, sb_item_kind kind, int value, sb_xy at);
/* Returns the index of the first item of this kind and value, or -1. */
int sb_carries(const sb_episode *e, sb_item_kind kind, int value);
void sb_drop(sb_episode *e, int index);

/* ---- Draws ---- */

/* Makes a generator that belongs to the task. */
static inline sb_rng sb_generator(const sb_episode *e, uint64_t seed) {
    sb_rng rng;
    sb_rng_seed(&rng, seed, e->log);
    return rng;
}

/* Makes a generator seeded with the episode's seed plus a number: for repeated attempts. */
static inline sb_rng sb_generator_plus(const sb_episode *e, uint64_t addend) {
    sb_rng rng;
    sb_rng_seed_sum(&rng, e->seed, addend, e->log);
    return rng;
}

#endif
