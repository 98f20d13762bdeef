/* The state of a MiniGrid world for searches: what has changed since the search began, in 64 bytes, and the rules on
 * that.
 *
 * The verifier's memory is left out where it follows from the rest: an object on the grid is listed where it lies, and
 * what a current single saw in the agent's hands is what is carried now (docs/babyai.md, "Missions"). Only the cell
 * that a carried object left is stored, because it stays listed until the next drop. A destroyed box is treated as
 * unlisted at once, which never makes a plan look better than it is. */
#ifndef SB_ORACLES_BABYAI_SEARCH_STATE_H
#define SB_ORACLES_BABYAI_SEARCH_STATE_H

#include "engine/minigrid/tracking.h"
#include "engine/minigrid/world.h"

enum { SB_SINGLES = 4, SB_MOVED_MAX = 10, SB_DOORS_MAX = 32 };

typedef struct sb_moved {
    uint16_t cell; /* 0: off the grid; cell 0 is a corner, where no object ever lies */
    uint8_t id, unused;
} sb_moved;

typedef struct sb_search_state {
    uint16_t at; /* the agent's cell */
    uint8_t facing, carried;
    uint16_t listed;              /* the cell where the carried object is still listed; 0 if there is none */
    uint8_t done;                 /* singles that are done, one bit each */
    bool unseen;                  /* no single was judged since the carried object was picked up */
    uint32_t open, locked;        /* doors that are open, and locked: one bit for each, by number */
    sb_moved moved[SB_MOVED_MAX]; /* objects that are not where they were, sorted by id; id 0 marks the end */
    uint32_t n_moved;
    uint32_t unused;
} sb_search_state;

/* A single of the mission. Bits 0 and 1 of `done` are the singles of the part that comes first. */
typedef struct sb_aim {
    uint8_t verb; /* sb_mg_verb */
    bool strict;
} sb_aim;

/* The uses of a description: bit 2 i for the `what` of single i, bit 2 i + 1 for its `to`. */
enum { SB_ROLE_WHAT = 1, SB_ROLE_TO = 2 };

typedef struct sb_search_scene {
    const sb_mg_world *world; /* the world in which the search began */
    int cells;                /* number of cells */
    int step[4];              /* change of a cell's index for each direction */
    sb_aim aim[SB_SINGLES];
    uint8_t part[2];    /* the bits of the part that comes first, and of the last part */
    uint8_t roles[256]; /* roles of each object, by id */
    uint8_t doors[SB_DOORS_MAX], door_number[256];
    int n_doors;
} sb_search_scene;

/* Prepares a search from a world, which must outlive the scene. False if the world has too many doors. */
bool sb_scene_begin(sb_search_scene *scene, const sb_mg_world *w, sb_search_state *start);

static inline int sb_front_cell(const sb_search_scene *scene, const sb_search_state *s) {
    return s->at + scene->step[s->facing];
}
static inline bool sb_has_role(const sb_search_scene *scene, int id, int single, int role) {
    return scene->roles[id] >> 2 * single & role;
}
static inline uint8_t sb_mission_bits(const sb_search_scene *scene) { return scene->part[0] | scene->part[1]; }
/* Returns the singles that are judged now. */
static inline uint8_t sb_active(const sb_search_scene *scene, uint8_t done) {
    return (uint8_t)(((scene->part[0] & ~done) ? scene->part[0] : scene->part[1]) & ~done);
}
/* Returns what is in a cell: 0, an id, or SB_MG_A_WALL. */
int sb_id_at(const sb_search_scene *scene, const sb_search_state *s, int cell);

/* Applies an action to a state. False if nothing relevant changes, or if more changes than a state can hold. */
bool sb_search_state_step(const sb_search_scene *scene, const sb_search_state *from, sb_mg_action action,
                          sb_search_state *to, sb_mg_outcome *outcome);

#endif
