/* An observer for Lantern: a fixed explorer that knows only what it has seen. It walks to the nearest goal it knows
 * (the key if it has seen a door, a lamp that is not lit, the door if it has the key, the exit), else to the nearest
 * floor beside a cell that it has never seen; of equally near ones to the first in reading order. Pits show themselves
 * from the cells around them, so it never enters one. */
#include "generators/arc/games.h"
#include "generators/arc/lantern.h"

enum { UNSEEN = 255, LONGEST = 1000 };

typedef struct observer {
    const sb_arc_level *level;
    sb_arc_lantern now;
    uint8_t known[SB_ARC_CELLS]; /* the codes that were shown; UNSEEN */
    bool knows_door;
    int16_t distances[SB_ARC_CELLS];
    uint8_t first[SB_ARC_CELLS]; /* the first action on the way to a cell */
} observer;

static void look_around(observer *o) {
    for (int cell = 0; cell < o->level->width * o->level->height; cell++) {
        if (!sb_arc_lantern_sees(o->level, &o->now, cell)) continue;
        const uint8_t shown = sb_arc_lantern_shows(o->level, &o->now, cell);
        /* a pit that was seen looks like floor again from farther away */
        if (o->known[cell] != SB_ARC_LANTERN_PIT) o->known[cell] = shown;
        o->knows_door |= shown == SB_ARC_LANTERN_DOOR;
    }
}

static bool can_enter(const observer *o, int cell, int action) {
    switch (o->known[cell]) {
    case UNSEEN:
    case SB_ARC_WALL:
    case SB_ARC_LANTERN_PIT: return false;
    case SB_ARC_LANTERN_DOOR: return o->now.has_key;
    case SB_ARC_LANTERN_ARROW: return o->level->marks[cell] == action;
    default: return true;
    }
}

static void measure_ways(observer *o) {
    int16_t queue[SB_ARC_CELLS];
    int n = 0;
    memset(o->distances, -1, sizeof o->distances);
    o->distances[o->now.at] = 0, o->first[o->now.at] = 0, queue[n++] = o->now.at;
    for (int i = 0; i < n; i++)
        for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++) {
            const int from = queue[i], to = sb_arc_towards(o->level, from, action);
            if (o->distances[to] >= 0 || !can_enter(o, to, action)) continue;
            o->distances[to] = (int16_t)(o->distances[from] + 1);
            o->first[to] = o->first[from] ? o->first[from] : (uint8_t)action;
            queue[n++] = (int16_t)to;
        }
}

static bool is_goal(const observer *o, int cell) {
    switch (o->known[cell]) {
    case SB_ARC_EXIT: return true;
    case SB_ARC_LANTERN_KEY: return o->knows_door;
    case SB_ARC_LANTERN_DOOR: return o->now.has_key;
    case SB_ARC_LANTERN_LAMP: return !(o->now.lit >> o->level->marks[cell] & 1);
    default: return false;
    }
}

static bool is_beside_unseen(const observer *o, int cell) {
    for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++)
        if (o->known[sb_arc_towards(o->level, cell, action)] == UNSEEN) return true;
    return false;
}

/* The nearest cell that a function chooses, other than the walker's. */
static int nearest(const observer *o, bool (*chosen)(const observer *, int)) {
    int best = SB_ARC_NOWHERE;
    for (int cell = 0; cell < o->level->width * o->level->height; cell++)
        if (o->distances[cell] > 0 && (best == SB_ARC_NOWHERE || o->distances[cell] < o->distances[best]) &&
            chosen(o, cell))
            best = cell;
    return best;
}

int sb_arc_lantern_observe(const sb_arc_level *level) {
    observer o = {.level = level};
    memset(o.known, UNSEEN, sizeof o.known);
    sb_arc_lantern_game.begin(level, &o.now);
    for (int n = 1; n <= LONGEST; n++) {
        look_around(&o);
        measure_ways(&o);
        int to = nearest(&o, is_goal);
        if (to == SB_ARC_NOWHERE) to = nearest(&o, is_beside_unseen);
        if (to == SB_ARC_NOWHERE) return -1;
        const sb_arc_move move = {.id = o.first[to], .cell = SB_ARC_NOWHERE};
        const sb_arc_outcome outcome = sb_arc_lantern_game.act(level, &o.now, move, NULL);
        if (outcome != SB_ARC_GOES_ON) return outcome == SB_ARC_WON ? n : -1;
    }
    return -1;
}
