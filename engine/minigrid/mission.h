/* BabyAI's missions: what they ask for, and their text.
 *
 *     mission := part | part, then part | part after you part        part := single | single and single
 *     single  := go to D | pick up D | open D | put D next to D      D := (a|the) [colour] (type|object) [location] */
#ifndef SB_MINIGRID_MISSION_H
#define SB_MINIGRID_MISSION_H

#include "base/out.h"
#include "engine/minigrid/codes.h"
#include "engine/xy.h"

/* Objects that one description can match. The levels need 29, for a grey object in PickupDist. */
enum { SB_MG_TRACKED_MAX = 64 };

typedef struct sb_mg_description {
    /* sb_mg_type: door, key, ball, box; SB_MG_UNSEEN for any type: then walls, which are grey, match too */
    uint8_t type;
    uint8_t colour;   /* sb_mg_colour; SB_MG_ANY_COLOUR for any */
    uint8_t location; /* sb_mg_location */
    bool several;     /* more than one object matched when tracking began: the text says `a`, not `the` */
    uint8_t n_objects, n_positions;
    uint8_t objects[SB_MG_TRACKED_MAX]; /* what the description matches: see tracking.h */
    sb_xy positions[SB_MG_TRACKED_MAX];
} sb_mg_description;

typedef enum sb_mg_verb { SB_MG_GO_TO, SB_MG_PICK_UP, SB_MG_OPEN, SB_MG_PUT_NEXT } sb_mg_verb;

typedef struct sb_mg_single {
    uint8_t verb; /* sb_mg_verb */
    bool strict;  /* for open and pick up: toggling a wrong door or picking up a wrong object fails the mission */
    bool done;    /* in an `and`: this single was fulfilled; never reset */
    uint8_t held; /* id of what was carried when this single was last judged, or 0 */
    sb_mg_description what; /* for put next: what is moved */
    sb_mg_description to;   /* for put next: what it is put beside; otherwise all zero */
} sb_mg_single;

typedef struct sb_mg_part {
    uint8_t n_singles; /* 1, or 2 for `and` */
    bool done;         /* in a sequence: this part was fulfilled; never reset */
    sb_mg_single single[2];
} sb_mg_part;

typedef enum sb_mg_order {
    SB_MG_ALONE,  /* one part */
    SB_MG_BEFORE, /* part[0], then part[1] */
    SB_MG_AFTER   /* part[0] after you part[1]: part[1] must be done first */
} sb_mg_order;

typedef struct sb_mg_mission {
    uint8_t order; /* sb_mg_order */
    uint8_t start_facing;
    sb_xy start; /* the agent's cell when tracking began; locations are relative to it */
    sb_mg_part part[2];
} sb_mg_mission;

/* ---- Making missions ---- */

/* Makes a description that is not evaluated yet. */
static inline sb_mg_description sb_mg_the(sb_mg_type type, int colour, sb_mg_location location) {
    return (sb_mg_description){.type = (uint8_t)type, .colour = (uint8_t)colour, .location = (uint8_t)location};
}

static inline int sb_mg_n_parts(const sb_mg_mission *m) { return m->order == SB_MG_ALONE ? 1 : 2; }
/* Returns the index of the part that must be done first (i = 0) or last (i = 1). */
static inline int sb_mg_turn(const sb_mg_mission *m, int i) { return m->order == SB_MG_AFTER ? 1 - i : i; }
/* Returns the part that is due: the first in order that is not done, or the last one if both are done. */
static inline const sb_mg_part *sb_mg_part_in_turn(const sb_mg_mission *m) {
    const int first = sb_mg_turn(m, 0);
    return &m->part[m->part[first].done ? 1 - first : first];
}

/* Returns the factor of the step limit: the sum over all singles, 2 for put next and 1 for others. */
int sb_mg_navigations(const sb_mg_mission *m);

/* ---- Text, as published ---- */

void sb_mg_put_mission(sb_out *out, const sb_mg_mission *m);

#endif
