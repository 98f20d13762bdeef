/* DyeWorks: doors let pass who has their colour, and vats change it. What a vat does to a colour is not shown: the
 * agent finds out by walking through.
 *
 * A walker has an index of a colour, 0 (undyed) to C - 1. Doors stand in the gaps between rooms. A vat acts when it is
 * entered: it sets the index, adds to it modulo C, or swaps i with C - i (0 stays). Vats of single use do nothing
 * after the first time. An exit that asks for a colour wins only with that index. Where colours fade, every action
 * lowers a counter, which a vat that leaves the index above 0 sets to 12; at 0 the index is 0. */
#include "generators/arc/games.h"

enum { DOOR = SB_ARC_OWN, VAT }; /* the mark of a door: the index that it lets pass; the mark of a vat: its number */
enum { SET = 1, ADD = 2, SWAP = 4, LASTS = 12, MOST_VATS = 8 };

typedef struct facts {
    uint8_t colours; /* C, the number of colours */
    uint8_t asked;   /* the index that the exit asks for; 0: any */
    bool single_use, fading;
    struct {
        uint8_t kind, value;
    } vats[MOST_VATS];
} facts;

typedef struct situation {
    int16_t at;
    uint8_t index, counter;
    uint8_t used, unused[3]; /* used: a bit for each vat */
} situation;

static const struct {
    uint8_t width, height, walls, colours, vats, kinds;
    bool single_use, asks, fading;
} rules[] = {
    {9, 7, 1, 3, 2, SET, 0, 0, 0},
    {12, 8, 2, 4, 4, SET, 0, 0, 0},
    {12, 8, 2, 4, 4, ADD, 0, 0, 0},
    {12, 9, 2, 5, 5, SET | ADD, 1, 0, 0},
    {14, 9, 2, 5, 6, SET | ADD, 0, 1, 0},
    {14, 10, 3, 5, 6, ADD | SWAP, 0, 1, 0},
    {16, 10, 3, 5, 7, SET | ADD | SWAP, 1, 1, 0},
    {16, 10, 3, 4, 7, SET | ADD, 0, 0, 1},
};

static const sb_arc_band bands[] = {{7, 14, true},  {14, 24, false}, {12, 26, true},  {16, 28, true},
                                    {18, 36, true}, {22, 40, true},  {22, 44, false}, {24, 44, true}};

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static uint8_t draw_kind(sb_rng *rng, uint8_t kinds) {
    uint8_t list[3];
    int n = 0;
    for (int kind = SET; kind <= SWAP; kind *= 2)
        if (kinds & kind) list[n++] = (uint8_t)kind;
    return list[sb_integers(rng, 0, n)];
}

/* Vats are in all rooms but the last; where the exit asks for a colour, also in the last. Otherwise the last door would
 * already ask for that colour. */
static bool place_vats(sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int n, uint8_t kinds) {
    facts *f = facts_of(level);
    for (int i = 0; i < n; i++) {
        const int cell = sb_arc_draw_floor_between(level, rng, rooms, 0, rooms->n_walls - !f->asked);
        if (cell == SB_ARC_NOWHERE) return false;
        level->cells[cell] = VAT, level->marks[cell] = (uint8_t)i;
        f->vats[i].kind = draw_kind(rng, kinds);
        f->vats[i].value = (uint8_t)sb_integers(rng, 1, f->colours);
    }
    return true;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int i = level->number - 1;
    facts *f = facts_of(level);
    sb_arc_rooms rooms;
    (void)fixed;
    f->colours = rules[i].colours, f->single_use = rules[i].single_use, f->fading = rules[i].fading;
    sb_arc_draw_rooms(level, rng, rules[i].width, rules[i].height, rules[i].walls, .10, &rooms);
    for (int gap = 0; gap < rooms.n_walls; gap++) {
        level->cells[rooms.gap[gap]] = DOOR;
        level->marks[rooms.gap[gap]] = (uint8_t)sb_integers(rng, 1, f->colours);
    }
    level->start = (int16_t)sb_arc_draw_floor(level, rng, &rooms, 0, false);
    level->exit = (int16_t)sb_arc_draw_floor(level, rng, &rooms, rooms.n_walls, false);
    if (level->start == SB_ARC_NOWHERE || level->exit == SB_ARC_NOWHERE) return false;
    level->cells[level->start] = SB_ARC_START, level->cells[level->exit] = SB_ARC_EXIT;
    if (rules[i].asks) f->asked = (uint8_t)sb_integers(rng, 1, f->colours);
    return place_vats(level, rng, &rooms, rules[i].vats, rules[i].kinds);
}

static void remove_vats(sb_arc_level *level) {
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (level->cells[cell] == VAT) level->cells[cell] = SB_ARC_FLOOR;
}

/* All vats of levels 1 and 2 set, and all of level 3 add. */
static sb_arc_need without(sb_arc_level *level) {
    facts *f = facts_of(level);
    if (level->number < 4) return remove_vats(level), SB_ARC_HELPS;
    if (level->number == 4) f->single_use = false;
    if (level->number >= 5) f->asked = 0;
    if (level->number == 8) f->fading = false;
    return SB_ARC_HINDERS;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *s) { ((situation *)s)->at = level->start; }

static void fade(situation *s) {
    if (s->counter && --s->counter == 0) s->index = 0;
}

static void dye(const facts *f, situation *s, int vat) {
    if (s->used >> vat & 1) return;
    const int value = f->vats[vat].value;
    if (f->vats[vat].kind == SET) s->index = (uint8_t)value;
    if (f->vats[vat].kind == ADD) s->index = (uint8_t)((s->index + value) % f->colours);
    if (f->vats[vat].kind == SWAP && s->index) s->index = (uint8_t)(f->colours - s->index);
    if (f->single_use) s->used |= (uint8_t)(1 << vat);
    if (f->fading) s->counter = s->index ? LASTS : 0;
}

static bool is_closed(const sb_arc_level *level, const situation *s, int cell) {
    return sb_arc_is_wall(level, cell) || (level->cells[cell] == DOOR && level->marks[cell] != s->index);
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    const int to = sb_arc_towards(level, s->at, move.id);
    const bool moves = !is_closed(level, s, to);
    (void)viewer;
    if (moves) s->at = (int16_t)to;
    fade(s);
    if (moves && level->cells[to] == VAT) dye(f, s, level->marks[to]);
    return level->cells[s->at] == SB_ARC_EXIT && (!f->asked || s->index == f->asked) ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"door", "vat", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    sb_arc_tell_thing(out, level, "walker", ((const situation *)given)->at, 2);
}

static void put_vat(const facts *f, const situation *s, int i, sb_out *out) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "kind", f->vats[i].kind == SET ? "set" : f->vats[i].kind == ADD ? "add" : "swap");
    sb_member_int(out, "value", f->vats[i].value);
    sb_member_bool(out, "used", s->used >> i & 1);
    sb_puts(out, "}");
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    sb_member_int(out, "index", s->index);
    sb_member_int(out, "counter", s->counter);
    sb_member_int(out, "asked", f->asked);
    sb_put_key(out, "vats");
    sb_puts(out, "[");
    for (int i = 0; i < MOST_VATS && f->vats[i].kind; i++) put_vat(f, s, i, out);
    sb_puts(out, "]");
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static const uint8_t dyes[] = {SB_ARC_OFF_WHITE, SB_ARC_BLUE, SB_ARC_RED, SB_ARC_ORANGE, SB_ARC_YELLOW};

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    sb_arc_paint_board(level, canvas);
    if (read_facts(level)->asked) sb_arc_put(canvas, level, level->exit, SB_ARC_DOT, dyes[read_facts(level)->asked]);
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (level->cells[cell] == DOOR) sb_arc_put(canvas, level, cell, SB_ARC_UPRIGHT, dyes[level->marks[cell]]);
}

static void draw_vat(const sb_arc_level *level, const situation *s, int cell, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    const int vat = level->marks[cell], kind = f->vats[vat].kind;
    const sb_arc_glyph glyph = kind == SET ? SB_ARC_RING : kind == ADD ? SB_ARC_PLUS : SB_ARC_EX;
    const uint8_t colour = kind == SET ? dyes[f->vats[vat].value] : kind == ADD ? SB_ARC_MAGENTA : SB_ARC_PURPLE;
    sb_arc_put(canvas, level, cell, glyph, s->used >> vat & 1 ? SB_ARC_LIGHT_GREY : colour);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (level->cells[cell] == VAT) draw_vat(level, s, cell, canvas);
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, dyes[s->index]);
}

const sb_arc_game sb_arc_dyeworks = {.cells = cell_names,
                                     .things = put_things,
                                     .tell = tell,
                                     .name = "DyeWorks",
                                     .actions = "12347",
                                     .kinds = 5,
                                     .bands = bands,
                                     .n_levels = sizeof bands / sizeof *bands,
                                     .situation = sizeof(situation),
                                     .make = make,
                                     .without = without,
                                     .begin = begin,
                                     .act = act,
                                     .paint = paint,
                                     .draw = draw};
