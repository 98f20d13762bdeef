/* Polarity: a walker with a sign attracts blocks in its row and column, or repels them.
 *
 * The walker moves, or flips its sign with action 5 (from level 2 on). Then blocks act in order: one within reach in
 * the walker's row or column, with neither wall nor block between, moves one cell towards the walker if the walker's
 * sign times its own is +1, else away, unless a wall, a block or the walker is there. A walker that cannot move stays,
 * and nothing acts. Won when blocks cover all pads; on levels 5 and 7 each block has its own. */
#include "generators/arc/games.h"

enum { PAD = SB_ARC_OWN }; /* the mark of a pad: the number of its block */
enum { BLOCKS = 3, SIDE = 9 };

typedef struct facts {
    uint8_t n, reach;
    bool flips, has_own_pads;
    bool is_negative[BLOCKS];
    int16_t starts[BLOCKS], pads[BLOCKS];
    uint8_t far[BLOCKS][SIDE * SIDE]; /* for each pad: cells from any cell to it; 255: no way */
} facts;

typedef struct situation {
    int16_t at, blocks[BLOCKS];
    uint8_t is_negative, unused;
} situation;

static const struct {
    uint8_t side;
    double p;
    uint8_t blocks, reach, negative; /* negative: how many blocks have the sign -1 */
} rules[] = {{8, .08, 1, 4, 0}, {8, .10, 1, 4, 0}, {9, .12, 2, 4, 0}, {9, .20, 2, 9, 0},
             {9, .12, 2, 4, 1}, {9, .15, 3, 4, 0}, {9, .15, 3, 5, 1}};

static const sb_arc_band bands[] = {{5, 14, true},  {7, 16, true},  {10, 20, true}, {12, 24, true},
                                    {12, 26, true}, {14, 26, true}, {14, 30, false}};

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static int16_t place(sb_arc_level *level, sb_rng *rng, uint8_t code, int mark) {
    const int cell = sb_arc_draw_floor(level, rng, NULL, 0, false);
    if (cell != SB_ARC_NOWHERE) level->cells[cell] = code, level->marks[cell] = (uint8_t)mark;
    return (int16_t)cell;
}

static void measure_ways(sb_arc_level *level) {
    facts *f = facts_of(level);
    int16_t distances[SB_ARC_CELLS];
    memset(f->far, 255, sizeof f->far);
    for (int pad = 0; pad < f->n; pad++) {
        sb_arc_distances(level, f->pads[pad], distances);
        for (int cell = 0; cell < level->width * level->height; cell++)
            if (distances[cell] >= 0) f->far[pad][cell] = (uint8_t)distances[cell];
    }
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = facts_of(level);
    (void)fixed;
    if (!sb_arc_draw_open(level, rng, rules[n].side, rules[n].side, rules[n].p)) return false;
    f->n = rules[n].blocks, f->reach = rules[n].reach;
    f->flips = level->number >= 2, f->has_own_pads = rules[n].negative > 0;
    level->start = place(level, rng, SB_ARC_START, 0);
    for (int i = 0; i < f->n; i++) f->starts[i] = place(level, rng, SB_ARC_START, i);
    for (int i = 0; i < f->n; i++) f->pads[i] = place(level, rng, PAD, i);
    for (int i = 0; i < rules[n].negative; i++) f->is_negative[i] = true;
    if (f->pads[f->n - 1] == SB_ARC_NOWHERE) return false;
    measure_ways(level);
    return true;
}

/* The flip is needed on level 2; signs of blocks on level 5. */
static sb_arc_need without(sb_arc_level *level) {
    facts *f = facts_of(level);
    if (level->number == 2) f->flips = false;
    if (level->number == 5) f->is_negative[0] = false;
    return level->number == 2 || level->number == 5 ? SB_ARC_HELPS : SB_ARC_NOTHING_NEW;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *given) {
    situation *s = given;
    s->at = level->start;
    memcpy(s->blocks, read_facts(level)->starts, sizeof s->blocks);
}

static bool has_block(const facts *f, const situation *s, int cell) {
    for (int i = 0; i < f->n; i++)
        if (s->blocks[i] == cell) return true;
    return false;
}

/* The action that leads from a block to the walker, if the block is within reach in its row or column and nothing is
 * between; 0: it is not. */
static int way_to_walker(const sb_arc_level *level, const situation *s, int block) {
    const facts *f = read_facts(level);
    const int dx = sb_arc_x(level, s->at) - sb_arc_x(level, block),
              dy = sb_arc_y(level, s->at) - sb_arc_y(level, block);
    if (dx && dy) return 0;
    const int action = dx < 0 ? SB_ARC_LEFT : dx > 0 ? SB_ARC_RIGHT : dy < 0 ? SB_ARC_UP : SB_ARC_DOWN;
    for (int i = 0, cell = block; i < f->reach; i++) {
        cell = sb_arc_towards(level, cell, action);
        if (cell == s->at) return action;
        if (sb_arc_is_wall(level, cell) || has_block(f, s, cell)) return 0;
    }
    return 0;
}

static void move_block(const sb_arc_level *level, situation *s, int i) {
    const facts *f = read_facts(level);
    const int way = way_to_walker(level, s, s->blocks[i]);
    if (!way) return;
    const int step = sb_arc_towards(level, 0, way);
    const int to = f->is_negative[i] == s->is_negative ? s->blocks[i] + step : s->blocks[i] - step;
    if (!sb_arc_is_wall(level, to) && !has_block(f, s, to) && to != s->at) s->blocks[i] = (int16_t)to;
}

static bool is_won(const facts *f, const situation *s) {
    for (int i = 0; i < f->n; i++)
        if (f->has_own_pads ? s->blocks[i] != f->pads[i] : !has_block(f, s, f->pads[i])) return false;
    return true;
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    const int to = sb_arc_towards(level, s->at, move.id);
    if (move.id == SB_ARC_USE) {
        if (!f->flips) return SB_ARC_GOES_ON;
        s->is_negative ^= 1;
    } else if (sb_arc_is_wall(level, to) || has_block(f, s, to))
        return SB_ARC_GOES_ON;
    s->at = (int16_t)to;
    sb_arc_look(viewer);
    for (int i = 0; i < f->n; i++) move_block(level, s, i);
    return is_won(f, s) ? SB_ARC_WON : SB_ARC_GOES_ON;
}

static int most(int a, int b) { return a > b ? a : b; }

/* The longest way of a block if each goes to another pad, in the best of all assignments of blocks from i on to pads
 * that are not taken. */
static int farthest(const facts *f, const situation *s, int i, int taken) {
    int best = 255;
    if (i == f->n) return 0;
    for (int pad = 0; pad < f->n; pad++) {
        if (taken >> pad & 1 || (f->has_own_pads && pad != i)) continue;
        const int way = most(f->far[pad][s->blocks[i]], farthest(f, s, i + 1, taken | 1 << pad));
        if (way < best) best = way;
    }
    return best;
}

/* An action moves every block by at most one cell. */
static int bound(const sb_arc_level *level, const void *s) {
    const int way = farthest(read_facts(level), s, 0, 0);
    return way == 255 ? -1 : way;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"pad", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    sb_arc_tell_thing(out, level, "walker", s->at, 2);
    for (int i = 0; i < read_facts(level)->n; i++) sb_arc_tell_thing(out, level, "block", s->blocks[i], 1);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    unsigned negative = 0;
    for (int i = 0; i < f->n; i++) negative |= (unsigned)f->is_negative[i] << i;
    sb_member_bool(out, "negative", s->is_negative);
    sb_arc_tell_bits(out, "negative_blocks", negative, f->n);
    sb_member_int(out, "reach", f->reach);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static sb_arc_glyph glyph_of(const facts *f, int block) { return f->is_negative[block] ? SB_ARC_RING : SB_ARC_FULL; }

/* A pad of a certain block has the block's shape, in the colour of pads. */
static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_paint_board(level, canvas);
    for (int i = 0; i < f->n; i++)
        sb_arc_put(canvas, level, f->pads[i], f->has_own_pads ? glyph_of(f, i) : SB_ARC_BOX, SB_ARC_YELLOW);
}

/* Blocks on a pad are brighter, so that one sees what is covered. */
static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int i = 0; i < f->n; i++) {
        const bool is_on_pad = level->cells[s->blocks[i]] == PAD;
        sb_arc_put(canvas, level, s->blocks[i], SB_ARC_FULL, SB_ARC_OFF_BLACK);
        sb_arc_put(canvas, level, s->blocks[i], glyph_of(f, i), is_on_pad ? SB_ARC_OFF_WHITE : SB_ARC_GREY);
    }
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, s->is_negative ? SB_ARC_RED : SB_ARC_BLUE);
}

const sb_arc_game sb_arc_polarity = {.cells = cell_names,
                                     .things = put_things,
                                     .tell = tell,
                                     .name = "Polarity",
                                     .actions = "123457",
                                     .kinds = 6,
                                     .bands = bands,
                                     .n_levels = sizeof bands / sizeof *bands,
                                     .situation = sizeof(situation),
                                     .make = make,
                                     .without = without,
                                     .begin = begin,
                                     .act = act,
                                     .bound = bound,
                                     .paint = paint,
                                     .draw = draw};
