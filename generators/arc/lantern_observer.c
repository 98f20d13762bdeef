/* An observer for Lantern: a fixed explorer that knows only what it has seen. It walks to the nearest goal it knows
 * (the key if it has seen a door, a lamp that is not lit, the door if it has the key, the exit), else to the nearest
 * floor beside a cell that it has never seen; of equally near ones to the first in reading order. Pits show themselves
 * from the cells around them, so it never enters one. */
#include "generators/arc/games.h"
#include "generators/arc/lantern.h"

enum { UNSEEN = 255, LONGEST = 1000 };

/* What was seen in this try. */
typedef struct learned {
    uint8_t level; /* number of the level; 0: nothing was learned */
    bool knows_door;
    uint8_t known[SB_ARC_CELLS]; /* codes that cells showed; UNSEEN: a cell was never seen */
    uint8_t marks[SB_ARC_CELLS]; /* marks of lamps and arrows that were shown */
} learned;

_Static_assert(sizeof(learned) <= SB_ARC_LEARNED, "what is learned must fit");

typedef struct ways {
    const learned *learned;
    const sb_arc_level *level;
    const sb_arc_lantern *now;
    int16_t distances[SB_ARC_CELLS];
    uint8_t first[SB_ARC_CELLS]; /* the first action on the way to a cell */
} ways;

static void look_around(learned *l, const sb_arc_level *level, const sb_arc_lantern *now) {
    for (int cell = 0; cell < level->width * level->height; cell++) {
        if (!sb_arc_lantern_sees(level, now, cell)) continue;
        const uint8_t shown = sb_arc_lantern_shows(level, now, cell);
        if (shown == SB_ARC_LANTERN_LAMP || shown == SB_ARC_LANTERN_ARROW) l->marks[cell] = level->marks[cell];
        /* a pit that was seen looks like floor again from farther away */
        if (l->known[cell] != SB_ARC_LANTERN_PIT) l->known[cell] = shown;
        l->knows_door |= shown == SB_ARC_LANTERN_DOOR;
    }
}

static void learn(void *given, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move) {
    learned *l = given;
    if (l->level != level->number || move.id == SB_ARC_RESET) {
        *l = (learned){.level = level->number};
        memset(l->known, UNSEEN, sizeof l->known);
    }
    if (move.id != SB_ARC_RESET) look_around(l, level, before);
    look_around(l, level, now);
}

static bool can_enter(const ways *w, int cell, int action) {
    switch (w->learned->known[cell]) {
    case UNSEEN:
    case SB_ARC_WALL:
    case SB_ARC_LANTERN_PIT: return false;
    case SB_ARC_LANTERN_DOOR: return w->now->has_key;
    case SB_ARC_LANTERN_ARROW: return w->learned->marks[cell] == action;
    default: return true;
    }
}

static void measure_ways(ways *w) {
    int16_t queue[SB_ARC_CELLS];
    int n = 0;
    memset(w->distances, -1, sizeof w->distances);
    w->distances[w->now->at] = 0, w->first[w->now->at] = 0, queue[n++] = w->now->at;
    for (int i = 0; i < n; i++)
        for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++) {
            const int from = queue[i], to = sb_arc_towards(w->level, from, action);
            if (w->distances[to] >= 0 || !can_enter(w, to, action)) continue;
            w->distances[to] = (int16_t)(w->distances[from] + 1);
            w->first[to] = w->first[from] ? w->first[from] : (uint8_t)action;
            queue[n++] = (int16_t)to;
        }
}

static bool is_goal(const ways *w, int cell) {
    switch (w->learned->known[cell]) {
    case SB_ARC_EXIT: return true;
    case SB_ARC_LANTERN_KEY: return w->learned->knows_door;
    case SB_ARC_LANTERN_DOOR: return w->now->has_key;
    case SB_ARC_LANTERN_LAMP: return !(w->now->lit >> w->learned->marks[cell] & 1);
    default: return false;
    }
}

static bool is_beside_unseen(const ways *w, int cell) {
    for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++)
        if (w->learned->known[sb_arc_towards(w->level, cell, action)] == UNSEEN) return true;
    return false;
}

/* The nearest cell that a function chooses, other than the walker's. */
static int nearest(const ways *w, bool (*chosen)(const ways *, int)) {
    int best = SB_ARC_NOWHERE;
    for (int cell = 0; cell < w->level->width * w->level->height; cell++)
        if (w->distances[cell] > 0 && (best == SB_ARC_NOWHERE || w->distances[cell] < w->distances[best]) &&
            chosen(w, cell))
            best = cell;
    return best;
}

/* Where nothing is left to look for, the level begins anew. */
static sb_arc_move explore(const void *given, const sb_arc_level *level, const void *now) {
    ways w = {.learned = given, .level = level, .now = now};
    measure_ways(&w);
    int to = nearest(&w, is_goal);
    if (to == SB_ARC_NOWHERE) to = nearest(&w, is_beside_unseen);
    return (sb_arc_move){.id = to == SB_ARC_NOWHERE ? SB_ARC_RESET : w.first[to], .cell = SB_ARC_NOWHERE};
}

const sb_arc_study sb_arc_lantern_study = {.learn = learn, .explore = explore};

int sb_arc_lantern_observe(const sb_arc_level *level) {
    learned l = {0};
    sb_arc_lantern now = {0};
    sb_arc_lantern_game.begin(level, &now);
    sb_arc_move move = {.id = SB_ARC_RESET};
    for (int n = 1; n <= LONGEST; n++) {
        learn(&l, level, &now, &now, move);
        move = explore(&l, level, &now);
        if (move.id == SB_ARC_RESET) return -1;
        const sb_arc_outcome outcome = sb_arc_lantern_game.act(level, &now, move, NULL);
        if (outcome != SB_ARC_GOES_ON) return outcome == SB_ARC_WON ? n : -1;
    }
    return -1;
}
