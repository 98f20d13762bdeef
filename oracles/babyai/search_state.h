/* A MiniGrid world as a search looks at it: what has changed since the search began, in 64 bytes, and the rules on
 * that.
 *
 * The verifier's memory is left out where it follows from the rest: an object on the grid is listed where it lies, and
 * what an active single saw held is what is carried now (docs/babyai.md, "Missions"). Only the cell that a carried
 * object left is kept, which stays listed until the next drop. A destroyed box is taken for unlisted at once, which is
 * never to a planner's advantage. */
#ifndef SB_ORACLES_BABYAI_SEARCH_STATE_H
#define SB_ORACLES_BABYAI_SEARCH_STATE_H

#include "engine/minigrid/tracking.h"
#include "engine/minigrid/world.h"

enum { SB_SINGLES = 4, SB_MOVED_MAX = 10, SB_DOORS_MAX = 32 };

typedef struct sb_moved {
    uint16_t cell; /* 0: off the grid; no object ever lies there, for it is a corner */
    uint8_t id, unused;
} sb_moved;

typedef struct sb_search_state {
    uint16_t at; /* the agent's cell */
    uint8_t facing, carried;
    uint16_t listed;              /* where the carried object is still listed; 0 if nowhere */
    uint8_t done;                 /* bit per single */
    bool unseen;                  /* no single has been judged since what is carried was picked up */
    uint32_t open, locked;        /* doors, by number */
    sb_moved moved[SB_MOVED_MAX]; /* what is no longer where it was, by id; id 0 at the end */
    uint32_t n_moved;
    uint32_t unused;
} sb_search_state;

/* A single of the mission. In `done` the singles of the part that comes first are bits 0 and 1. */
typedef struct sb_aim {
    uint8_t verb; /* sb_mg_verb */
    bool strict;
} sb_aim;

/* What a description is of: bit 2 i of single i's `what`, bit 2 i + 1 of its `to`. */
enum { SB_ROLE_WHAT = 1, SB_ROLE_TO = 2 };

typedef struct sb_scene {
    const sb_mg_world *world; /* where the search began */
    int cells;                /* how many */
    int step[4];              /* from cell to cell, by direction */
    sb_aim aim[SB_SINGLES];
    uint8_t part[2];    /* the bits of the part that comes first, and last */
    uint8_t roles[256]; /* by id */
    uint8_t doors[SB_DOORS_MAX], door_number[256];
    int n_doors;
} sb_scene;

/* Looks at a world that must outlive the scene. False if it has too many doors. */
bool sb_scene_begin(sb_scene *scene, const sb_mg_world *w, sb_search_state *start);

static inline int sb_front_cell(const sb_scene *scene, const sb_search_state *s) {
    return s->at + scene->step[s->facing];
}
static inline bool sb_has_role(const sb_scene *scene, int id, int single, int role) {
    return scene->roles[id] >> 2 * single & role;
}
static inline uint8_t sb_mission_bits(const sb_scene *scene) { return scene->part[0] | scene->part[1]; }
/* The singles that are judged now. */
static inline uint8_t sb_active(const sb_scene *scene, uint8_t done) {
    return (uint8_t)(((scene->part[0] & ~done) ? scene->part[0] : scene->part[1]) & ~done);
}
/* 0, an id, or SB_MG_A_WALL. */
int sb_id_at(const sb_scene *scene, const sb_search_state *s, int cell);

/* What an action makes of a state, by the rules. False if it changes nothing that matters, or more than a state
 * can hold. */
bool sb_search_state_step(const sb_scene *scene, const sb_search_state *from, sb_mg_action action, sb_search_state *to,
                          sb_mg_outcome *outcome);

#endif
