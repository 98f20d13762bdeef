/* BabyAI's missions: what they ask for, and in which words.
 *
 *     mission := part | part, then part | part after you part        part := single | single and single
 *     single  := go to D | pick up D | open D | put D next to D      D := (a|the) [colour] (type|object) [location] */
#ifndef SB_MINIGRID_MISSION_H
#define SB_MINIGRID_MISSION_H

#include "base/out.h"
#include "engine/minigrid/codes.h"
#include "engine/xy.h"

enum { SB_MG_TRACKED_MAX = 64 /* objects of one description; the levels need 29: a grey object in PickupDist */ };

typedef struct sb_mg_description {
    uint8_t type;     /* sb_mg_type: door, key, ball, box; SB_MG_UNSEEN for any: then walls match too, being grey */
    uint8_t colour;   /* sb_mg_colour; SB_MG_ANY_COLOUR for any */
    uint8_t location; /* sb_mg_location */
    bool several;     /* more than one object matched when tracking began: said as `a`, not as `the` */
    uint8_t n_objects, n_positions;
    uint8_t objects[SB_MG_TRACKED_MAX]; /* what it means: tracking.h */
    sb_xy positions[SB_MG_TRACKED_MAX];
} sb_mg_description;

typedef enum sb_mg_verb { SB_MG_GO_TO, SB_MG_PICK_UP, SB_MG_OPEN, SB_MG_PUT_NEXT } sb_mg_verb;

typedef struct sb_mg_single {
    uint8_t verb;           /* sb_mg_verb */
    bool strict;            /* open, pick up: a wrong door toggled, a wrong object picked up, fails the mission */
    bool done;              /* inside an `and`: it was fulfilled; never taken back */
    uint8_t held;           /* id of what was carried when this single was last judged; 0 for nothing */
    sb_mg_description what; /* of put next: what is moved */
    sb_mg_description to;   /* of put next: what it is put beside; else all zero */
} sb_mg_single;

typedef struct sb_mg_part {
    uint8_t n_singles; /* 1, or 2 for `and` */
    bool done;         /* inside a sequence: it was fulfilled; never taken back */
    sb_mg_single single[2];
} sb_mg_part;

typedef enum sb_mg_order {
    SB_MG_ALONE,  /* one part */
    SB_MG_BEFORE, /* part[0], then part[1] */
    SB_MG_AFTER   /* part[0] after you part[1]: part[1] is to be done first */
} sb_mg_order;

typedef struct sb_mg_mission {
    uint8_t order; /* sb_mg_order */
    uint8_t start_facing;
    sb_xy start; /* agent when tracking began: locations are meant from here */
    sb_mg_part part[2];
} sb_mg_mission;

/* ---- Making missions ---- */

/* A description not yet evaluated. */
static inline sb_mg_description sb_mg_the(sb_mg_type type, int colour, sb_mg_location location) {
    return (sb_mg_description){.type = (uint8_t)type, .colour = (uint8_t)colour, .location = (uint8_t)location};
}

static inline int sb_mg_n_parts(const sb_mg_mission *m) { return m->order == SB_MG_ALONE ? 1 : 2; }
/* Which part is to be done first (i = 0) or last (i = 1). */
static inline int sb_mg_turn(const sb_mg_mission *m, int i) { return m->order == SB_MG_AFTER ? 1 - i : i; }
/* The first part that is not done, in the order in which they are due; the second of two that are. */
static inline const sb_mg_part *sb_mg_part_in_turn(const sb_mg_mission *m) {
    const int first = sb_mg_turn(m, 0);
    return &m->part[m->part[first].done ? 1 - first : first];
}

/* Sum over the singles: 2 for put next, 1 for others; the factor in the step limit. */
int sb_mg_navigations(const sb_mg_mission *m);

/* ---- Text, as published ---- */

void sb_mg_put_mission(sb_out *out, const sb_mg_mission *m);

#endif
