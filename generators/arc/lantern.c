/* Lantern: a maze in the dark.
 *
 * Cells farther than r from the walker (Chebyshev) and farther than 3 from every lit lamp are dark, and nothing that
 * was seen is remembered on screen. Entering a lamp lights it for the rest of the try. A door opens when it is walked
 * into with the key. Arrow cells are entered only in their direction. A pit looks like floor but from the cells around
 * it; entering it loses. On levels 6 and 7 the exit shows and works only when all lamps are lit.
 *
 * The shortest way asks for luck, so levels are judged by an observer that knows only what it has seen
 * (lantern_observer.c). */
#include "generators/arc/lantern.h"

#include <stdlib.h>

#include "generators/arc/games.h"

static const struct {
    uint8_t width, height, radius, lamps, arrows, pits;
    bool key, all_lamps;
} rules[] = {
    {9, 7, 3, 0, 0, 0, 0, 0},   {11, 9, 2, 2, 0, 0, 0, 0},  {13, 11, 2, 2, 0, 0, 1, 0}, {13, 13, 2, 2, 4, 0, 0, 0},
    {15, 13, 2, 0, 0, 4, 1, 0}, {17, 15, 1, 3, 0, 0, 0, 1}, {21, 17, 1, 3, 4, 4, 1, 1},
};

static const sb_arc_band bands[] = {{8, 25, true},   {16, 60, true},  {30, 100, true},  {20, 90, true},
                                    {45, 140, true}, {70, 180, true}, {100, 330, false}};

typedef sb_arc_lantern_facts facts;
typedef sb_arc_lantern situation;

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }
static int n_cells(const sb_arc_level *level) { return level->width * level->height; }

/* ---- The maze ---------------------------------------------------------------------------------------------------- */

/* The cell behind the next one; SB_ARC_NOWHERE: beyond the board. */
static int two_away(const sb_arc_level *level, int cell, int action) {
    const int dx = (action == SB_ARC_RIGHT) - (action == SB_ARC_LEFT);
    const int x = sb_arc_x(level, cell) + 2 * dx;
    const int y = sb_arc_y(level, cell) + 2 * ((action == SB_ARC_DOWN) - (action == SB_ARC_UP));
    const bool is_inside = x > 0 && y > 0 && x < level->width && y < level->height;
    return is_inside ? sb_arc_cell(level, x, y) : SB_ARC_NOWHERE;
}

/* Digs a maze from a cell with odd coordinates, depth first; the order of directions is shuffled at each cell. */
static void dig(sb_arc_level *level, sb_rng *rng, int cell) {
    int32_t ways[4] = {SB_ARC_UP, SB_ARC_DOWN, SB_ARC_LEFT, SB_ARC_RIGHT};
    level->cells[cell] = SB_ARC_FLOOR;
    sb_shuffle_ints(rng, ways, 4);
    for (int i = 0; i < 4; i++) {
        const int next = two_away(level, cell, ways[i]);
        if (next == SB_ARC_NOWHERE || !sb_arc_is_wall(level, next)) continue;
        level->cells[sb_arc_towards(level, cell, ways[i])] = SB_ARC_FLOOR;
        dig(level, rng, next);
    }
}

/* Opens a tenth of the inner walls between two floor cells. */
static void open_walls(sb_arc_level *level, sb_rng *rng) {
    int32_t walls[SB_ARC_CELLS];
    int n = 0;
    for (int cell = 0; cell < n_cells(level); cell++) {
        const int x = sb_arc_x(level, cell), y = sb_arc_y(level, cell);
        const bool is_inner = x > 0 && y > 0 && x < level->width - 1 && y < level->height - 1;
        if (is_inner && sb_arc_is_wall(level, cell) && x % 2 != y % 2) walls[n++] = cell;
    }
    sb_shuffle_ints(rng, walls, (size_t)n);
    for (int i = 0; i < n / 10; i++) level->cells[walls[i]] = SB_ARC_FLOOR;
}

/* ---- Things ------------------------------------------------------------------------------------------------------ */

static int n_ways(const sb_arc_level *level, int cell) {
    int n = 0;
    for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++)
        n += !sb_arc_is_wall(level, sb_arc_towards(level, cell, action));
    return n;
}

/* The farthest floor cell of a list of distances, the first of equals; only dead ends if asked. */
static int farthest(const sb_arc_level *level, const int16_t *distances, bool is_dead_end) {
    int best = SB_ARC_NOWHERE;
    for (int cell = 0; cell < n_cells(level); cell++)
        if (level->cells[cell] == SB_ARC_FLOOR && distances[cell] > 0 && (!is_dead_end || n_ways(level, cell) == 1) &&
            (best == SB_ARC_NOWHERE || distances[cell] > distances[best]))
            best = cell;
    return best;
}

/* The door is on the last cell before the exit, which has no other way in. */
static bool place_key(sb_arc_level *level) {
    int16_t distances[SB_ARC_CELLS];
    if (n_ways(level, level->exit) != 1) return false;
    sb_arc_distances(level, level->exit, distances);
    const int key = farthest(level, distances, true);
    if (key == SB_ARC_NOWHERE) return false;
    level->cells[key] = SB_ARC_LANTERN_KEY;
    facts_of(level)->key = (int16_t)key;
    for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++) {
        const int door = sb_arc_towards(level, level->exit, action);
        if (level->cells[door] == SB_ARC_FLOOR) return level->cells[door] = SB_ARC_LANTERN_DOOR, true;
    }
    return false;
}

static int shuffled_floor(const sb_arc_level *level, sb_rng *rng, int32_t *cells) {
    int n = 0;
    for (int cell = 0; cell < n_cells(level); cell++)
        if (level->cells[cell] == SB_ARC_FLOOR) cells[n++] = cell;
    sb_shuffle_ints(rng, cells, (size_t)n);
    return n;
}

static int apart(const sb_arc_level *level, int a, int b) {
    return abs(sb_arc_x(level, a) - sb_arc_x(level, b)) + abs(sb_arc_y(level, a) - sb_arc_y(level, b));
}

static bool place_lamps(sb_arc_level *level, sb_rng *rng, int wanted) {
    facts *f = facts_of(level);
    int32_t cells[SB_ARC_CELLS];
    const int n = shuffled_floor(level, rng, cells);
    for (int i = 0; i < n && f->n_lamps < wanted; i++) {
        bool is_apart = true;
        for (int k = 0; k < f->n_lamps; k++) is_apart &= apart(level, cells[i], f->lamps[k]) >= 5;
        if (!is_apart) continue;
        level->cells[cells[i]] = SB_ARC_LANTERN_LAMP, level->marks[cells[i]] = f->n_lamps;
        f->lamps[f->n_lamps++] = (int16_t)cells[i];
    }
    return f->n_lamps == wanted;
}

static bool place_arrows(sb_arc_level *level, sb_rng *rng, int wanted) {
    int32_t cells[SB_ARC_CELLS];
    const int n = wanted ? shuffled_floor(level, rng, cells) : 0;
    for (int i = 0; i < wanted && i < n; i++) {
        level->cells[cells[i]] = SB_ARC_LANTERN_ARROW;
        level->marks[cells[i]] = (uint8_t)sb_integers(rng, SB_ARC_UP, SB_ARC_RIGHT + 1);
    }
    return n >= wanted;
}

/* Whether a cell is on a shortest way between two others. */
static bool is_on_way(const int16_t *from, const int16_t *to, int end, int cell) {
    return from[cell] + to[cell] == from[end];
}

/* Pits are off every shortest way: from the start to the key, and from both to the exit. */
static bool place_pits(sb_arc_level *level, sb_rng *rng, int wanted) {
    const int key = facts_of(level)->key;
    int16_t start[SB_ARC_CELLS], exit[SB_ARC_CELLS], to_key[SB_ARC_CELLS];
    int32_t cells[SB_ARC_CELLS];
    int placed = 0;
    if (wanted == 0) return true;
    sb_arc_distances(level, level->start, start);
    sb_arc_distances(level, level->exit, exit);
    sb_arc_distances(level, key, to_key);
    const int n = shuffled_floor(level, rng, cells);
    for (int i = 0; i < n && placed < wanted; i++) {
        const int cell = cells[i];
        if (is_on_way(start, exit, level->exit, cell) || is_on_way(start, to_key, key, cell) ||
            is_on_way(to_key, exit, level->exit, cell))
            continue;
        level->cells[cell] = SB_ARC_LANTERN_PIT, placed++;
    }
    return placed == wanted;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    int16_t distances[SB_ARC_CELLS];
    (void)fixed;
    level->width = rules[n].width, level->height = rules[n].height;
    facts_of(level)->radius = rules[n].radius, facts_of(level)->needs_lamps = rules[n].all_lamps;
    level->start = (int16_t)sb_arc_cell(level, 1, 1);
    memset(level->cells, SB_ARC_WALL, sizeof level->cells);
    dig(level, rng, level->start);
    open_walls(level, rng);
    level->cells[level->start] = SB_ARC_START;
    sb_arc_distances(level, level->start, distances);
    level->exit = (int16_t)farthest(level, distances, false);
    level->cells[level->exit] = SB_ARC_EXIT;
    return (!rules[n].key || place_key(level)) && place_lamps(level, rng, rules[n].lamps) &&
           place_arrows(level, rng, rules[n].arrows) && place_pits(level, rng, rules[n].pits);
}

/* Nobody gets out without the key, and arrows make the way longer. */
static sb_arc_need without(sb_arc_level *level) {
    if (level->number != 3 && level->number != 4) return SB_ARC_NOTHING_NEW;
    const uint8_t thing = level->number == 3 ? SB_ARC_LANTERN_KEY : SB_ARC_LANTERN_ARROW;
    for (int cell = 0; cell < n_cells(level); cell++)
        if (level->cells[cell] == thing) level->cells[cell] = SB_ARC_FLOOR;
    return level->number == 3 ? SB_ARC_HELPS : SB_ARC_HINDERS;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *s) { ((situation *)s)->at = level->start; }

static bool exit_works(const facts *f, const situation *s) {
    return !f->needs_lamps || s->lit == (1 << f->n_lamps) - 1;
}

static bool lets_in(const sb_arc_level *level, const situation *s, int cell, int action) {
    switch (level->cells[cell]) {
    case SB_ARC_WALL: return false;
    case SB_ARC_LANTERN_ARROW: return level->marks[cell] == action;
    case SB_ARC_LANTERN_DOOR: return s->has_key || s->is_open;
    default: return true;
    }
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const int to = sb_arc_towards(level, s->at, move.id);
    (void)viewer;
    if (!lets_in(level, s, to, move.id)) return SB_ARC_GOES_ON;
    s->at = (int16_t)to;
    switch (level->cells[to]) {
    case SB_ARC_LANTERN_LAMP: s->lit |= (uint8_t)(1 << level->marks[to]); break;
    case SB_ARC_LANTERN_KEY: s->has_key = true; break;
    case SB_ARC_LANTERN_DOOR: s->is_open = true; break;
    case SB_ARC_LANTERN_PIT: return SB_ARC_LOST;
    case SB_ARC_EXIT: return exit_works(read_facts(level), s) ? SB_ARC_WON : SB_ARC_GOES_ON;
    default: break;
    }
    return SB_ARC_GOES_ON;
}

static int lost_at(const sb_arc_level *level, const void *s) {
    (void)level;
    return ((const situation *)s)->at;
}

/* ---- What is seen ------------------------------------------------------------------------------------------------ */

static int steps_apart(const sb_arc_level *level, int a, int b) {
    const int dx = abs(sb_arc_x(level, a) - sb_arc_x(level, b)), dy = abs(sb_arc_y(level, a) - sb_arc_y(level, b));
    return dx > dy ? dx : dy;
}

bool sb_arc_lantern_sees(const sb_arc_level *level, const sb_arc_lantern *s, int cell) {
    const facts *f = read_facts(level);
    if (steps_apart(level, s->at, cell) <= f->radius) return true;
    for (int i = 0; i < f->n_lamps; i++)
        if (s->lit >> i & 1 && steps_apart(level, f->lamps[i], cell) <= 3) return true;
    return false;
}

uint8_t sb_arc_lantern_shows(const sb_arc_level *level, const sb_arc_lantern *s, int cell) {
    const uint8_t code = level->cells[cell];
    switch (code) {
    case SB_ARC_EXIT: return exit_works(read_facts(level), s) ? code : SB_ARC_FLOOR;
    case SB_ARC_LANTERN_PIT: return steps_apart(level, s->at, cell) <= 1 ? code : SB_ARC_FLOOR;
    case SB_ARC_LANTERN_KEY: return s->has_key ? SB_ARC_FLOOR : code;
    case SB_ARC_LANTERN_DOOR: return s->is_open ? SB_ARC_FLOOR : code;
    default: return code;
    }
}

/* Returns what the player sees of a cell: floor, if the cell is dark or holds a pit that is not near. */
static uint8_t seen(const sb_arc_level *level, const situation *s, int cell) {
    return sb_arc_lantern_sees(level, s, cell) ? sb_arc_lantern_shows(level, s, cell) : SB_ARC_FLOOR;
}

/* Returns the cell if the player sees this thing there, else SB_ARC_NOWHERE. */
static int16_t place_of(const sb_arc_level *level, int16_t cell, uint8_t code) {
    return cell != SB_ARC_NOWHERE && level->cells[cell] == code ? cell : SB_ARC_NOWHERE;
}

static void forget_places(sb_arc_level *level) {
    facts *f = facts_of(level);
    for (int i = 0; i < f->n_lamps; i++) f->lamps[i] = place_of(level, f->lamps[i], SB_ARC_LANTERN_LAMP);
    f->key = place_of(level, f->key, SB_ARC_LANTERN_KEY);
    level->exit = place_of(level, level->exit, SB_ARC_EXIT);
}

/* All that is dark becomes floor. A lit lamp lights its own cell. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    uint8_t codes[SB_ARC_CELLS] = {0};
    (void)move;
    for (int cell = 0; cell < n_cells(level); cell++) {
        const uint8_t old = seen(level, before, cell), code = seen(level, now, cell);
        codes[cell] = code == SB_ARC_FLOOR ? old : code;
    }
    for (int cell = 0; cell < n_cells(level); cell++) {
        const bool keeps_mark = codes[cell] == SB_ARC_LANTERN_LAMP || codes[cell] == SB_ARC_LANTERN_ARROW;
        if (!keeps_mark) level->marks[cell] = 0;
    }
    memcpy(level->cells, codes, sizeof codes);
    forget_places(level);
}

static int measure(const sb_arc_level *level, int shortest) {
    (void)shortest;
    return sb_arc_lantern_observe(level);
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"lamp", "key", "door", "arrow", "pit", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    sb_arc_tell_thing(out, level, "walker", s->at, 2);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    sb_member_int(out, "radius", read_facts(level)->radius);
    sb_arc_tell_bits(out, "lamps_lit", s->lit, read_facts(level)->n_lamps);
    sb_member_bool(out, "has_key", s->has_key);
    sb_member_bool(out, "door_open", s->is_open);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    sb_arc_canvas_clear(canvas, SB_ARC_CELL_SIDE * level->width, SB_ARC_CELL_SIDE * level->height, SB_ARC_BLACK);
}

static void put_seen(const sb_arc_level *level, const situation *s, int cell, sb_arc_canvas *canvas) {
    static const sb_arc_glyph arrows[] = {SB_ARC_FULL, SB_ARC_ARROW_UP, SB_ARC_ARROW_DOWN, SB_ARC_ARROW_LEFT,
                                          SB_ARC_ARROW_RIGHT};
    const uint8_t mark = level->marks[cell];
    sb_arc_put(canvas, level, cell, SB_ARC_FULL, SB_ARC_OFF_BLACK);
    switch (sb_arc_lantern_shows(level, s, cell)) {
    case SB_ARC_WALL: sb_arc_put(canvas, level, cell, SB_ARC_FULL, SB_ARC_LIGHT_GREY); break;
    case SB_ARC_EXIT: sb_arc_put(canvas, level, cell, SB_ARC_RING, SB_ARC_GREEN); break;
    case SB_ARC_LANTERN_LAMP:
        sb_arc_put(canvas, level, cell, s->lit >> mark & 1 ? SB_ARC_RING : SB_ARC_DOT, SB_ARC_YELLOW);
        break;
    case SB_ARC_LANTERN_KEY: sb_arc_put(canvas, level, cell, SB_ARC_PLUS, SB_ARC_ORANGE); break;
    case SB_ARC_LANTERN_DOOR: sb_arc_put(canvas, level, cell, SB_ARC_FULL, SB_ARC_ORANGE); break;
    case SB_ARC_LANTERN_ARROW: sb_arc_put(canvas, level, cell, arrows[mark], SB_ARC_LIGHT_BLUE); break;
    case SB_ARC_LANTERN_PIT: sb_arc_put(canvas, level, cell, SB_ARC_EX, SB_ARC_RED); break;
    default: break;
    }
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    for (int cell = 0; cell < n_cells(level); cell++)
        if (sb_arc_lantern_sees(level, s, cell)) put_seen(level, s, cell, canvas);
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, SB_ARC_BLUE);
    if (s->has_key && !s->is_open) sb_arc_put(canvas, level, s->at, SB_ARC_DOT, SB_ARC_ORANGE);
}

const sb_arc_game sb_arc_lantern_game = {.cells = cell_names,
                                         .things = put_things,
                                         .tell = tell,
                                         .name = "Lantern",
                                         .actions = "1234",
                                         .kinds = 4,
                                         .bands = bands,
                                         .n_levels = sizeof bands / sizeof *bands,
                                         .situation = sizeof(situation),
                                         .make = make,
                                         .without = without,
                                         .measure = measure,
                                         .hide = hide,
                                         .study = &sb_arc_lantern_study,
                                         .begin = begin,
                                         .act = act,
                                         .lost_at = lost_at,
                                         .paint = paint,
                                         .draw = draw};
