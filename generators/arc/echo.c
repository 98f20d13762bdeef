/* Echo: echoes do later what the walker did, and hold plates down for it.
 *
 * In its n-th action of a try, an echo with delay k takes the walker's action n - k (it waits while n <= k); a mirrored
 * one takes left for right. Gate i is closed unless somebody stood on plate i before the action, or its plate is a
 * latch that was stood on. Order: the walker, echoes in order, latches. Walls and closed gates stop all; gates do not
 * crush. A walker that meets a deadly echo in a cell, or changes places with it, loses. */
#include "generators/arc/games.h"

enum { GATE = SB_ARC_OWN, PLATE }; /* the mark of a gate or plate: the number of the gate */
enum { ECHOES = 2, GATES = 2, LONGEST = 4, MOST_CELLS = 11 * 8 };

typedef struct facts {
    uint8_t n_echoes, n_gates;
    uint8_t memory; /* the longest delay */
    uint8_t delays[ECHOES];
    bool is_mirrored, is_deadly;
    bool is_latch[GATES];
    int16_t starts[ECHOES], gates[GATES], plates[GATES];
    uint8_t far[MOST_CELLS]; /* cells from any cell to the exit if all gates are open */
} facts;

typedef struct situation {
    int16_t at, echoes[ECHOES];
    uint8_t last[LONGEST];   /* the walker's last actions, the last one first; 0 beyond the longest delay */
    uint8_t latched, unused; /* latched: a bit for each gate */
} situation;

static const struct {
    uint8_t width, height, walls, delays[ECHOES];
    bool mirrored, deadly, latch; /* latch: the plate of the first gate is a latch */
} rules[] = {
    {9, 7, 1, {3}, 0, 0, 0},     {11, 7, 1, {4}, 0, 0, 0}, {9, 7, 1, {3}, 1, 0, 0},  {11, 7, 2, {3}, 0, 0, 1},
    {11, 8, 1, {2, 4}, 0, 0, 0}, {11, 8, 1, {3}, 0, 1, 0}, {11, 7, 2, {2}, 1, 1, 1},
};

static const sb_arc_band bands[] = {{8, 14, true}, {10, 18, true}, {8, 16, true},  {12, 24, true},
                                    {9, 20, true}, {8, 20, true},  {12, 28, false}};

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static void draw_echoes(sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms) {
    const int n = level->number - 1;
    facts *f = facts_of(level);
    for (; f->n_echoes < ECHOES && rules[n].delays[f->n_echoes]; f->n_echoes++) {
        const int cell = sb_arc_draw_floor(level, rng, rooms, 0, true);
        f->delays[f->n_echoes] = rules[n].delays[f->n_echoes];
        if (f->delays[f->n_echoes] > f->memory) f->memory = f->delays[f->n_echoes];
        f->starts[f->n_echoes] = (int16_t)cell;
        if (cell != SB_ARC_NOWHERE) level->cells[cell] = SB_ARC_START;
    }
    f->is_mirrored = rules[n].mirrored, f->is_deadly = rules[n].deadly;
}

/* Gate i is in gap i, and its plate in the room before it. */
static bool draw_gates(sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms) {
    facts *f = facts_of(level);
    for (; f->n_gates < rooms->n_walls; f->n_gates++) {
        const int i = f->n_gates, plate = sb_arc_draw_floor(level, rng, rooms, i, true);
        if (plate == SB_ARC_NOWHERE) return false;
        f->gates[i] = rooms->gap[i], f->plates[i] = (int16_t)plate;
        level->cells[rooms->gap[i]] = GATE, level->marks[rooms->gap[i]] = (uint8_t)i;
        level->cells[plate] = PLATE, level->marks[plate] = (uint8_t)i;
    }
    f->is_latch[0] = rules[level->number - 1].latch;
    return true;
}

static void measure_ways(sb_arc_level *level) {
    int16_t distances[SB_ARC_CELLS];
    sb_arc_distances(level, level->exit, distances);
    for (int cell = 0; cell < level->width * level->height; cell++)
        facts_of(level)->far[cell] = (uint8_t)(distances[cell] < 0 ? 0 : distances[cell]);
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    sb_arc_rooms rooms;
    (void)fixed;
    sb_arc_draw_rooms(level, rng, rules[n].width, rules[n].height, rules[n].walls, .08, &rooms);
    level->start = (int16_t)sb_arc_draw_floor(level, rng, &rooms, 0, true);
    if (level->start == SB_ARC_NOWHERE) return false;
    level->cells[level->start] = SB_ARC_START;
    draw_echoes(level, rng, &rooms);
    if (facts_of(level)->starts[facts_of(level)->n_echoes - 1] == SB_ARC_NOWHERE) return false;
    if (!draw_gates(level, rng, &rooms)) return false;
    level->exit = (int16_t)sb_arc_draw_floor(level, rng, &rooms, rooms.n_walls, false);
    if (level->exit == SB_ARC_NOWHERE) return false;
    level->cells[level->exit] = SB_ARC_EXIT;
    measure_ways(level);
    return true;
}

/* A walker alone cannot hold a plate and pass its gate. On level 5 one of the two echoes must not do. */
static sb_arc_need without(sb_arc_level *level) {
    facts *f = facts_of(level);
    f->n_echoes--;
    f->memory = f->n_echoes ? f->delays[0] : 0;
    return SB_ARC_HELPS;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *given) {
    situation *s = given;
    const facts *f = read_facts(level);
    s->at = level->start;
    for (int i = 0; i < f->n_echoes; i++) s->echoes[i] = f->starts[i];
    memset(s->last, SB_ARC_USE, f->memory);
}

static bool is_held(const facts *f, const situation *s, int gate) {
    bool held = s->latched >> gate & 1 || s->at == f->plates[gate];
    for (int i = 0; i < f->n_echoes; i++) held |= s->echoes[i] == f->plates[gate];
    return held;
}

/* A bit for each gate that is open. */
static int open_gates(const facts *f, const situation *s) {
    int open = 0;
    for (int i = 0; i < f->n_gates; i++) open |= is_held(f, s, i) << i;
    return open;
}

static int16_t moved(const sb_arc_level *level, int from, int action, int open) {
    const int to = sb_arc_towards(level, from, action);
    const bool is_closed = level->cells[to] == GATE && !(open >> level->marks[to] & 1);
    return (int16_t)(sb_arc_is_wall(level, to) || is_closed ? from : to);
}

static int heard(const facts *f, const situation *s, int echo) {
    const int action = s->last[f->delays[echo] - 1];
    if (!f->is_mirrored) return action;
    return action == SB_ARC_LEFT ? SB_ARC_RIGHT : action == SB_ARC_RIGHT ? SB_ARC_LEFT : action;
}

static bool meets(const situation *before, const situation *s, int echo) {
    return s->at == s->echoes[echo] || (s->at == before->echoes[echo] && s->echoes[echo] == before->at);
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const situation before = *s;
    const facts *f = read_facts(level);
    const int open = open_gates(f, s);
    bool met = false;
    (void)viewer;
    s->at = moved(level, s->at, move.id, open);
    for (int i = 0; i < f->n_echoes; i++) {
        s->echoes[i] = moved(level, s->echoes[i], heard(f, &before, i), open);
        met |= meets(&before, s, i);
    }
    for (int i = f->memory - 1; i > 0; i--) s->last[i] = s->last[i - 1];
    if (f->memory) s->last[0] = move.id;
    for (int i = 0; i < f->n_gates; i++)
        if (f->is_latch[i] && is_held(f, s, i)) s->latched |= (uint8_t)(1 << i);
    if (met && f->is_deadly) return SB_ARC_LOST;
    return level->cells[s->at] == SB_ARC_EXIT ? SB_ARC_WON : SB_ARC_GOES_ON;
}

static int bound(const sb_arc_level *level, const void *s) {
    return read_facts(level)->far[((const situation *)s)->at];
}

static int lost_at(const sb_arc_level *level, const void *s) {
    (void)level;
    return ((const situation *)s)->at;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"gate", "plate", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    sb_arc_tell_thing(out, level, "walker", s->at, 2);
    for (int i = 0; i < read_facts(level)->n_echoes; i++) sb_arc_tell_thing(out, level, "echo", s->echoes[i], 2);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    sb_arc_tell_numbers(out, "delays", f->delays, f->n_echoes);
    sb_member_bool(out, "mirrored", f->is_mirrored);
    sb_member_bool(out, "deadly", f->is_deadly);
    sb_arc_tell_numbers(out, "last_actions", s->last, f->memory);
    sb_arc_tell_bits(out, "latched", s->latched, f->n_gates);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static const uint8_t gate_colours[GATES] = {SB_ARC_YELLOW, SB_ARC_ORANGE};
static const uint8_t echo_colours[ECHOES] = {SB_ARC_LIGHT_BLUE, SB_ARC_MAGENTA};

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_paint_board(level, canvas);
    for (int i = 0; i < GATES && i < f->n_gates; i++)
        sb_arc_put(canvas, level, f->plates[i], f->is_latch[i] ? SB_ARC_RING : SB_ARC_BOX, gate_colours[i]);
}

/* An open gate leaves its two ends to be seen. */
static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int i = 0; i < GATES && i < f->n_gates; i++)
        sb_arc_put(canvas, level, f->gates[i], is_held(f, s, i) ? SB_ARC_BOX : SB_ARC_UPRIGHT, gate_colours[i]);
    for (int i = 0; i < ECHOES && i < f->n_echoes; i++) {
        sb_arc_put(canvas, level, s->echoes[i], SB_ARC_FULL, echo_colours[i]);
        if (f->is_deadly) sb_arc_put(canvas, level, s->echoes[i], SB_ARC_EX, SB_ARC_RED);
        if (f->is_mirrored) sb_arc_put(canvas, level, s->echoes[i], SB_ARC_BAR, SB_ARC_WHITE);
    }
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, SB_ARC_BLUE);
}

const sb_arc_game sb_arc_echo = {.cells = cell_names,
                                 .things = put_things,
                                 .tell = tell,
                                 .name = "Echo",
                                 .actions = "12345",
                                 .kinds = 5,
                                 .bands = bands,
                                 .n_levels = sizeof bands / sizeof *bands,
                                 .situation = sizeof(situation),
                                 .make = make,
                                 .without = without,
                                 .begin = begin,
                                 .act = act,
                                 .bound = bound,
                                 .lost_at = lost_at,
                                 .paint = paint,
                                 .draw = draw};
