/* Shepherd: creatures move by rules of their kinds, and the walker brings each of them to its nest.
 *
 * If the walker cannot move, and does not wait, nothing moves. Then each creature outside its nest moves one cell, in
 * order, unless a wall, the walker or a creature is there. Timid ones flee from a walker within 3 cells (Manhattan),
 * curious ones come to one within 5, both along the axis of the larger difference (x if they are equal). A mimic does
 * what the walker was told to do, a contrary one the reverse. A creature in its nest stays there for good. */
#include <stdlib.h>

#include "generators/arc/games.h"

enum { NEST = SB_ARC_OWN }; /* the mark of a nest: the number of its creature */
enum { NOBODY, TIMID, CURIOUS, MIMIC, CONTRARY };
enum { CREATURES = 3, FLEES = 3, COMES = 5 };

typedef struct facts {
    uint8_t n, kinds[CREATURES];
    int16_t starts[CREATURES], nests[CREATURES];
} facts;

typedef struct situation {
    int16_t at, creatures[CREATURES];
} situation;

static const struct {
    uint8_t side;
    double p;
    uint8_t kinds[CREATURES];
} rules[] = {
    {7, .05, {TIMID}},        {8, .08, {CURIOUS}},         {8, .10, {TIMID, CURIOUS}},           {8, .12, {MIMIC}},
    {8, .10, {MIMIC, TIMID}}, {8, .12, {CONTRARY, MIMIC}}, {8, .10, {CONTRARY, CURIOUS, MIMIC}},
};

static const sb_arc_band bands[] = {{4, 12, true},  {4, 12, true},  {7, 18, true}, {6, 20, true},
                                    {9, 26, false}, {10, 24, true}, {12, 30, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static int16_t place(sb_arc_level *level, sb_rng *rng, uint8_t code, int mark) {
    const int cell = sb_arc_draw_floor(level, rng, NULL, 0, false);
    if (cell != SB_ARC_NOWHERE) level->cells[cell] = code, level->marks[cell] = (uint8_t)mark;
    return (int16_t)cell;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    (void)fixed;
    if (!sb_arc_draw_open(level, rng, rules[n].side, rules[n].side, rules[n].p)) return false;
    level->start = place(level, rng, SB_ARC_START, 0);
    for (; f->n < CREATURES && rules[n].kinds[f->n]; f->n++) {
        f->kinds[f->n] = rules[n].kinds[f->n];
        f->starts[f->n] = place(level, rng, SB_ARC_START, f->n);
        f->nests[f->n] = place(level, rng, NEST, f->n);
        if (f->nests[f->n] == SB_ARC_NOWHERE) return false;
    }
    return true;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *given) {
    situation *s = given;
    s->at = level->start;
    memcpy(s->creatures, read_facts(level)->starts, sizeof s->creatures);
}

static bool has_creature(const facts *f, const situation *s, int cell) {
    for (int i = 0; i < f->n; i++)
        if (s->creatures[i] == cell) return true;
    return false;
}

/* The action that leads towards the walker, along the axis of the larger difference. */
static int towards_walker(const sb_arc_level *level, const situation *s, int creature, int *distance) {
    const int dx = sb_arc_x(level, s->at) - sb_arc_x(level, creature);
    const int dy = sb_arc_y(level, s->at) - sb_arc_y(level, creature);
    *distance = abs(dx) + abs(dy);
    if (abs(dx) >= abs(dy)) return dx < 0 ? SB_ARC_LEFT : SB_ARC_RIGHT;
    return dy < 0 ? SB_ARC_UP : SB_ARC_DOWN;
}

static int reverse(int action) {
    static const uint8_t reversed[SB_ARC_ACTIONS] = {[SB_ARC_UP] = SB_ARC_DOWN,
                                                     [SB_ARC_DOWN] = SB_ARC_UP,
                                                     [SB_ARC_LEFT] = SB_ARC_RIGHT,
                                                     [SB_ARC_RIGHT] = SB_ARC_LEFT,
                                                     [SB_ARC_USE] = SB_ARC_USE};
    return reversed[action];
}

/* What a creature wants to do; SB_ARC_USE: nothing. */
static int wish(const sb_arc_level *level, const situation *s, int i, int action) {
    int distance;
    const int to = towards_walker(level, s, s->creatures[i], &distance);
    switch (read_facts(level)->kinds[i]) {
    case TIMID: return distance <= FLEES ? reverse(to) : SB_ARC_USE;
    case CURIOUS: return distance <= COMES ? to : SB_ARC_USE;
    case MIMIC: return action;
    default: return reverse(action);
    }
}

static void move_creature(const sb_arc_level *level, situation *s, int i, int action) {
    const int to = sb_arc_towards(level, s->creatures[i], wish(level, s, i, action));
    if (!sb_arc_is_wall(level, to) && to != s->at && !has_creature(read_facts(level), s, to))
        s->creatures[i] = (int16_t)to;
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    const int to = sb_arc_towards(level, s->at, move.id);
    bool all = true;
    (void)viewer;
    if (move.id != SB_ARC_USE && (sb_arc_is_wall(level, to) || has_creature(f, s, to))) return SB_ARC_GOES_ON;
    s->at = (int16_t)to;
    for (int i = 0; i < f->n; i++)
        if (s->creatures[i] != f->nests[i]) move_creature(level, s, i, move.id);
    for (int i = 0; i < f->n; i++) all &= s->creatures[i] == f->nests[i];
    return all ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"nest", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    static const char *const kinds[] = {
        [TIMID] = "timid", [CURIOUS] = "curious", [MIMIC] = "mimic", [CONTRARY] = "contrary"};
    const situation *s = given;
    const facts *f = read_facts(level);
    sb_arc_tell_thing(out, level, "walker", s->at, 2);
    for (int i = 0; i < f->n; i++) sb_arc_tell_thing(out, level, kinds[f->kinds[i]], s->creatures[i], 1);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static const uint8_t colours[] = {
    [TIMID] = SB_ARC_GREEN, [CURIOUS] = SB_ARC_ORANGE, [MIMIC] = SB_ARC_MAGENTA, [CONTRARY] = SB_ARC_RED};

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_paint_board(level, canvas);
    for (int i = 0; i < f->n; i++) sb_arc_put(canvas, level, f->nests[i], SB_ARC_RING, colours[f->kinds[i]]);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int i = 0; i < f->n; i++) sb_arc_put(canvas, level, s->creatures[i], SB_ARC_FULL, colours[f->kinds[i]]);
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, SB_ARC_BLUE);
}

const sb_arc_game sb_arc_shepherd = {.cells = cell_names,
                                     .things = put_things,
                                     .name = "Shepherd",
                                     .actions = "12345",
                                     .kinds = 5,
                                     .bands = bands,
                                     .n_levels = sizeof bands / sizeof *bands,
                                     .situation = sizeof(situation),
                                     .make = make,
                                     .begin = begin,
                                     .act = act,
                                     .paint = paint,
                                     .draw = draw};
