/* Stamp: stamps change a canvas until it has the level's relation to the target beside it.
 *
 * A click on the canvas applies the chosen stamp with its centre there, if all its cells are on the canvas: each cell +
 * 1 modulo q. A click on a stamp chooses it; action 5 turns the chosen stamp clockwise where the level lets it. The
 * canvas must become equal to the target; on level 6 the target is shown turned by 180 degrees, on level 7 as the
 * negative (every cell + 1). Presses commute, so a solution is a set of them, and the shortest is found without a
 * search of states: sets of up to two presses are stored, and every set of up to three is met with them. */
#include <stdlib.h>

#include "generators/arc/games.h"

enum { SINGLE, PLUS, CORNER, BAR, SHAPES };
enum { LONGEST = 5, STAMPS = 2, MOST_PLACEMENTS = 224, MOST_SIDE = 7 };
enum { MOST_PAIRS = 1 + MOST_PLACEMENTS + MOST_PLACEMENTS * (MOST_PLACEMENTS - 1) / 2, HASH_BITS = 16 };

/* A canvas: cell y * n + x has the value lo + 2 hi. */
typedef struct planes {
    uint64_t lo, hi;
} planes;

typedef struct facts {
    uint8_t n, q, stamps, shapes[STAMPS];
    /* turns: action 5 turns stamps; is_turned, is_negative: how the target is shown */
    bool turns, is_turned, is_negative;
    planes shown, wanted;
} facts;

typedef struct situation {
    planes canvas;
    uint8_t chosen, turns[STAMPS], unused[5];
} situation;

static const struct {
    uint8_t n, shapes[STAMPS], stamps, q, presses;
    bool turns, is_turned, is_negative;
} rules[] = {
    {4, {SINGLE}, 1, 2, 3, 0, 0, 0},       {6, {PLUS}, 1, 2, 3, 0, 0, 0},      {6, {CORNER}, 1, 2, 4, 1, 0, 0},
    {7, {PLUS, CORNER}, 2, 2, 5, 1, 0, 0}, {6, {PLUS, BAR}, 2, 3, 4, 1, 0, 0}, {7, {CORNER, BAR}, 2, 2, 5, 1, 1, 0},
    {7, {PLUS, CORNER}, 2, 2, 5, 1, 0, 1},
};

static const sb_arc_band bands[] = {{3, 3, true}, {3, 3, true},  {4, 8, true}, {5, 10, true},
                                    {4, 7, true}, {5, 10, true}, {5, 10, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Canvases ---------------------------------------------------------------------------------------------------- */

/* Adds cell by cell, modulo q. */
static planes sum(planes a, planes b, int q) {
    if (q == 2) return (planes){.lo = a.lo ^ b.lo};
    const uint64_t no_a = ~(a.lo | a.hi), no_b = ~(b.lo | b.hi);
    return (planes){.lo = (a.lo & no_b) | (b.lo & no_a) | (a.hi & b.hi),
                    .hi = (a.hi & no_b) | (b.hi & no_a) | (a.lo & b.lo)};
}

/* What must be added to a to make b. */
static planes difference(planes b, planes a, int q) {
    return q == 2 ? sum(a, b, q) : sum(b, (planes){.lo = a.hi, .hi = a.lo}, q);
}

static bool same(planes a, planes b) { return a.lo == b.lo && a.hi == b.hi; }

static int value(planes p, int cell) { return (int)(p.lo >> cell & 1) + 2 * (int)(p.hi >> cell & 1); }

static planes all_ones(int n) { return (planes){.lo = (UINT64_C(1) << n * n) - 1}; }

static planes turned_over(planes p, int n) {
    planes to = {0};
    for (int i = 0; i < n * n; i++) {
        to.lo |= (p.lo >> i & 1) << (n * n - 1 - i);
        to.hi |= (p.hi >> i & 1) << (n * n - 1 - i);
    }
    return to;
}

/* ---- Stamps ------------------------------------------------------------------------------------------------------ */

static const struct {
    uint8_t n, turns; /* turns: how many turns of the shape look different */
    int8_t cells[5][2];
} shapes[SHAPES] = {
    [SINGLE] = {1, 1, {{0, 0}}},
    [PLUS] = {5, 1, {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}},
    [CORNER] = {3, 4, {{0, 0}, {1, 0}, {0, 1}}},
    [BAR] = {3, 2, {{0, 0}, {1, 0}, {-1, 0}}},
};

/* A cell of a stamp, relative to its centre, after some turns clockwise. */
static void cell_of(int shape, int i, int turns, int *x, int *y) {
    *x = shapes[shape].cells[i][0], *y = shapes[shape].cells[i][1];
    for (; turns > 0; turns--) {
        const int old = *x;
        *x = -*y, *y = old;
    }
}

/* What a press adds; false: not all of it is on the canvas. */
static bool pressed(int n, int shape, int turns, int cell, planes *added) {
    *added = (planes){0};
    for (int i = 0; i < shapes[shape].n; i++) {
        int x, y;
        cell_of(shape, i, turns, &x, &y);
        x += cell % n, y += cell / n;
        if (x < 0 || y < 0 || x >= n || y >= n) return false;
        added->lo |= UINT64_C(1) << (y * n + x);
    }
    return true;
}

/* ---- The board: the canvas, a wall, the target; stamps in the last row ---------------------------------------------
 */

static int canvas_cell(const sb_arc_level *level, int x, int y) { return sb_arc_cell(level, x, y); }
static int stamp_cell(const sb_arc_level *level, int stamp) {
    return sb_arc_cell(level, 1 + 2 * stamp, level->height - 1);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *s) { (void)level, (void)s; }

static void click(const sb_arc_level *level, situation *s, int cell) {
    const facts *f = read_facts(level);
    const int x = sb_arc_x(level, cell), y = sb_arc_y(level, cell);
    planes added;
    for (int i = 0; i < f->stamps; i++)
        if (cell == stamp_cell(level, i)) s->chosen = (uint8_t)i;
    if (x < f->n && y < f->n && pressed(f->n, f->shapes[s->chosen], s->turns[s->chosen], y * f->n + x, &added))
        s->canvas = sum(s->canvas, added, f->q);
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    (void)viewer;
    if (move.id == SB_ARC_USE && f->turns)
        s->turns[s->chosen] = (uint8_t)((s->turns[s->chosen] + 1) % 4);
    else if (move.id == SB_ARC_CLICK && move.cell != SB_ARC_NOWHERE)
        click(level, s, move.cell);
    return same(s->canvas, f->wanted) ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* ---- Solving ----------------------------------------------------------------------------------------------------- */

typedef struct placement {
    uint8_t stamp, turns;
    int16_t cell;
    planes added;
} placement;

/* A set of placements by their indices, ascending. */
typedef struct set {
    planes made;
    uint8_t n;
    uint16_t members[LONGEST];
} set;

/* All sets of up to two placements, found by what they make. Sets are numbered from 1; 0: no set. */
typedef struct pairs {
    int n;
    set of[MOST_PAIRS];
    uint16_t next[MOST_PAIRS];      /* number of the next set with the same hash */
    uint16_t first[1 << HASH_BITS]; /* number of the first set with this hash */
} pairs;

_Static_assert(MOST_PAIRS <= UINT16_MAX, "pairs are numbered");

typedef struct solving {
    const facts *f;
    const situation *from;
    planes wanted; /* what must be added to the canvas of `from` */
    placement placements[MOST_PLACEMENTS];
    int n;
    pairs *pairs;
    set best;
    int cost; /* actions that the best set costs; INT32_MAX: there is none */
} solving;

static void list_placements(solving *s) {
    const facts *f = s->f;
    for (int stamp = 0; stamp < f->stamps; stamp++)
        for (int turns = 0; turns < (f->turns ? shapes[f->shapes[stamp]].turns : 1); turns++)
            for (int cell = 0; cell < f->n * f->n; cell++) {
                placement *p = &s->placements[s->n];
                if (s->n == MOST_PLACEMENTS || !pressed(f->n, f->shapes[stamp], turns, cell, &p->added)) continue;
                p->stamp = (uint8_t)stamp, p->turns = (uint8_t)turns, p->cell = (int16_t)cell, s->n++;
            }
}

static set with(const solving *s, const set *old, int placed) {
    set more = *old;
    more.members[more.n++] = (uint16_t)placed;
    more.made = sum(old->made, s->placements[placed].added, s->f->q);
    return more;
}

static size_t hash_of(planes p) {
    return (p.lo * UINT64_C(0x9e3779b97f4a7c15) + p.hi * UINT64_C(0xd1b54a32d192ed03)) >> (64 - HASH_BITS);
}

/* Of sets that make the same, the one that was listed first is found first. */
static void index_pairs(pairs *p) {
    for (int i = p->n; i > 0; i--) {
        uint16_t *first = &p->first[hash_of(p->of[i - 1].made)];
        p->next[i - 1] = *first, *first = (uint16_t)i;
    }
}

static void list_pairs(solving *s) {
    const set none = {0};
    pairs *p = s->pairs;
    p->of[p->n++] = none;
    for (int i = 0; i < s->n; i++) {
        const set one = with(s, &none, i);
        p->of[p->n++] = one;
        for (int k = i + 1; k < s->n; k++) p->of[p->n++] = with(s, &one, k);
    }
    index_pairs(p);
}

/* How many turns bring a stamp to a placement; shapes that look the same after fewer than four come sooner. */
static int turns_to(const solving *s, const placement *p) {
    const int period = shapes[s->f->shapes[p->stamp]].turns;
    return (p->turns - s->from->turns[p->stamp] % period + period) % period;
}

/* Counts presses, turns to the farthest that each stamp needs, and choices: the chosen stamp comes first. */
static int cost_of(const solving *s, const set *one, const set *other) {
    int turns[STAMPS] = {0}, uses_other = 0;
    for (int i = 0; i < one->n + other->n; i++) {
        const placement *p = &s->placements[i < one->n ? one->members[i] : other->members[i - one->n]];
        if (turns_to(s, p) > turns[p->stamp]) turns[p->stamp] = turns_to(s, p);
        uses_other |= p->stamp != s->from->chosen;
    }
    return one->n + other->n + turns[0] + turns[1] + uses_other;
}

/* Meets a set with all stored sets that make the rest of the target. */
static void meet(solving *s, const set *some) {
    const planes rest = difference(s->wanted, some->made, s->f->q);
    for (size_t i = s->pairs->first[hash_of(rest)]; i; i = s->pairs->next[i - 1]) {
        const set *pair = &s->pairs->of[i - 1];
        const int cost = same(pair->made, rest) ? cost_of(s, some, pair) : s->cost;
        if (cost >= s->cost) continue;
        s->best = *some, s->cost = cost;
        for (int k = 0; k < pair->n; k++) s->best.members[s->best.n++] = pair->members[k];
    }
}

static void meet_triples(solving *s, const set *two, int from) {
    for (int m = from; m < s->n; m++) {
        const set three = with(s, two, m);
        meet(s, &three);
    }
}

static void meet_all(solving *s, bool has_triples) {
    const set none = {0};
    meet(s, &none);
    for (int i = 0; i < s->n; i++) {
        const set one = with(s, &none, i);
        meet(s, &one);
        for (int k = i + 1; k < s->n; k++) {
            const set two = with(s, &one, k);
            meet(s, &two);
            if (has_triples) meet_triples(s, &two, k + 1);
        }
    }
}

static const placement *member(const solving *s, int i) { return &s->placements[s->best.members[i]]; }

/* Writes the presses of one stamp in order of turns, before them the choice of the stamp. */
static int write_presses(const sb_arc_level *level, const solving *s, int stamp, sb_arc_move *moves) {
    int n = 0, turned = 0, is_chosen = stamp == s->from->chosen;
    for (int turns = 0; turns < 4; turns++)
        for (int i = 0; i < s->best.n; i++) {
            const placement *p = member(s, i);
            if (p->stamp != stamp || turns_to(s, p) != turns) continue;
            if (!is_chosen) moves[n++] = (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)stamp_cell(level, stamp)};
            is_chosen = true;
            for (; turned < turns; turned++) moves[n++] = (sb_arc_move){.id = SB_ARC_USE, .cell = SB_ARC_NOWHERE};
            const int cell = canvas_cell(level, p->cell % s->f->n, p->cell / s->f->n);
            moves[n++] = (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)cell};
        }
    return n;
}

static int solve(const sb_arc_level *level, const void *given, sb_arc_move *moves, int capacity) {
    const situation *from = given;
    solving s = {.f = read_facts(level), .from = from, .cost = INT32_MAX};
    s.wanted = difference(s.f->wanted, from->canvas, s.f->q);
    list_placements(&s);
    if (!(s.pairs = calloc(1, sizeof *s.pairs))) return -1;
    list_pairs(&s);
    /* Only solutions of five presses need sets of three. */
    meet_all(&s, false);
    if (s.cost >= LONGEST) s.cost = INT32_MAX, meet_all(&s, true);
    free(s.pairs);
    if (s.cost > capacity) return -1;
    const int n = write_presses(level, &s, from->chosen, moves);
    return s.f->stamps == 1 ? n : n + write_presses(level, &s, 1 - from->chosen, moves + n);
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* Level 2 brings cells that cancel, so some presses overlap; level 5 brings the third colour. */
static bool needs_its_law(const sb_arc_level *level, int presses) {
    const facts *f = read_facts(level);
    if (level->number == 2) return __builtin_popcountll(f->wanted.lo) < presses * shapes[f->shapes[0]].n;
    return level->number != 5 || f->wanted.hi;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    solving s = {.f = f};
    int64_t chosen[LONGEST];
    (void)fixed;
    f->n = rules[n].n, f->q = rules[n].q, f->stamps = rules[n].stamps, f->turns = rules[n].turns;
    f->is_turned = rules[n].is_turned, f->is_negative = rules[n].is_negative;
    memcpy(f->shapes, rules[n].shapes, sizeof f->shapes);
    level->width = (uint8_t)(2 * f->n + 1), level->height = (uint8_t)(f->n + 2);
    list_placements(&s);
    if (!sb_choices_distinct(rng, s.n, rules[n].presses, chosen)) return false;
    for (int i = 0; i < rules[n].presses; i++) f->wanted = sum(f->wanted, s.placements[chosen[i]].added, f->q);
    f->shown = f->is_turned ? turned_over(f->wanted, f->n) : f->wanted;
    if (f->is_negative) f->shown = sum(f->shown, all_ones(f->n), f->q);
    return (!f->is_turned || !same(f->shown, f->wanted)) && needs_its_law(level, rules[n].presses);
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static void put_cells(sb_out *out, const char *key, int n, planes p) {
    uint8_t cells[MOST_SIDE * MOST_SIDE];
    for (int i = 0; i < n * n; i++) cells[i] = (uint8_t)value(p, i);
    sb_arc_tell_rows(out, key, cells, n, n);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    put_cells(out, "canvas", f->n, s->canvas);
    put_cells(out, "wanted_canvas", f->n, f->wanted);
    sb_member_int(out, "chosen", s->chosen);
    sb_arc_tell_numbers(out, "turns", s->turns, f->stamps);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static const uint8_t colours[3] = {SB_ARC_WHITE, SB_ARC_BLUE, SB_ARC_YELLOW};

static void put_canvas(const sb_arc_level *level, planes p, int left, sb_arc_canvas *canvas) {
    const int n = read_facts(level)->n;
    for (int i = 0; i < n * n; i++)
        sb_arc_put(canvas, level, canvas_cell(level, left + i % n, i / n), SB_ARC_FULL, colours[value(p, i)]);
}

/* Notches in the wall below tell how the target is shown: its upper side is below, or all of it is the negative. */
static void put_notches(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    const int below = sb_arc_cell(level, f->n + 1 + f->n / 2, f->n), other = sb_arc_cell(level, f->n / 2, f->n);
    if (f->is_turned) sb_arc_put(canvas, level, below, SB_ARC_ARROW_DOWN, SB_ARC_OFF_BLACK);
    if (f->is_turned) sb_arc_put(canvas, level, other, SB_ARC_ARROW_UP, SB_ARC_OFF_BLACK);
    if (f->is_negative) sb_arc_put(canvas, level, below, SB_ARC_FULL, SB_ARC_OFF_BLACK);
    if (f->is_negative) sb_arc_put(canvas, level, other, SB_ARC_BOX, SB_ARC_OFF_BLACK);
}

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_canvas_clear(canvas, SB_ARC_CELL_SIDE * level->width, SB_ARC_CELL_SIDE * level->height, SB_ARC_OFF_BLACK);
    for (int y = 0; y <= f->n; y++) sb_arc_put(canvas, level, sb_arc_cell(level, f->n, y), SB_ARC_FULL, SB_ARC_GREY);
    for (int x = 0; x < level->width; x++)
        sb_arc_put(canvas, level, sb_arc_cell(level, x, f->n), SB_ARC_FULL, SB_ARC_GREY);
    put_canvas(level, f->shown, f->n + 1, canvas);
    put_notches(level, canvas);
}

/* A stamp is drawn in one cell, a pixel for each of its own. The chosen one stands between two orange bars. */
static void put_stamp(const sb_arc_level *level, const situation *s, int stamp, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    const int cell = stamp_cell(level, stamp), shape = f->shapes[stamp];
    for (int i = 0; i < shapes[shape].n; i++) {
        int x, y;
        cell_of(shape, i, s->turns[stamp], &x, &y);
        sb_arc_fill(canvas, SB_ARC_CELL_SIDE * sb_arc_x(level, cell) + 1 + x,
                    SB_ARC_CELL_SIDE * sb_arc_y(level, cell) + 1 + y, 1, 1, SB_ARC_OFF_WHITE);
    }
    if (s->chosen != stamp) return;
    sb_arc_put(canvas, level, cell - 1, SB_ARC_UPRIGHT, SB_ARC_ORANGE);
    sb_arc_put(canvas, level, cell + 1, SB_ARC_UPRIGHT, SB_ARC_ORANGE);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    put_canvas(level, s->canvas, 0, canvas);
    for (int i = 0; i < read_facts(level)->stamps; i++) put_stamp(level, s, i, canvas);
}

const sb_arc_game sb_arc_stamp = {.tell = tell,
                                  .name = "Stamp",
                                  .actions = "567",
                                  .kinds = 4,
                                  .bands = bands,
                                  .n_levels = sizeof bands / sizeof *bands,
                                  .situation = sizeof(situation),
                                  .make = make,
                                  .solve = solve,
                                  .begin = begin,
                                  .act = act,
                                  .paint = paint,
                                  .draw = draw};
