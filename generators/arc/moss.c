/* Moss: what is planted grows by a rule, and in the end it must be exactly where the target is.
 *
 * A click on free soil plants moss there while seeds are left; action 5 and all other clicks plant nothing. After each
 * action, all at once: soil whose number of moss neighbours is in the set G becomes moss, and moss with fewer than D
 * neighbours dies. Moss on red soil loses. Kinds of moss have their colours, so that a known rule is recognised. */
#include "generators/arc/games.h"

/* SIDE: most cells in a row, which has 8 bits; LONGEST: most actions of a construction; SEARCHED: most actions that are
 * searched where there is one */
enum { SIDE = 8, LONGEST = 6, SEARCHED = 3 };

typedef struct facts {
    uint64_t soil, target, red; /* a bit for each cell, y * 8 + x */
    uint8_t grows;              /* the set G: bit n for n neighbours */
    uint8_t dies;               /* the number D */
    uint8_t seeds, colour;
    uint8_t n_plan;
    int16_t plan[LONGEST]; /* the construction: the cell to plant in each action; SB_ARC_NOWHERE: wait */
} facts;

typedef struct situation {
    uint64_t moss;
    uint8_t seeds, unused[7];
} situation;

static const struct {
    uint8_t side, grows, dies, seeds, actions, red, colour;
} rules[] = {
    {8, 1 << 1, 0, 1, 3, 0, SB_ARC_GREEN},           {7, 1 << 1, 0, 2, 4, 0, SB_ARC_GREEN},
    {7, 1 << 2, 0, 3, 5, 0, SB_ARC_LIGHT_BLUE},      {8, 1 << 1, 0, 2, 5, 5, SB_ARC_GREEN},
    {7, 1 << 1 | 1 << 3, 0, 2, 5, 0, SB_ARC_ORANGE}, {7, 1 << 1, 1, 3, 5, 0, SB_ARC_MAGENTA},
    {8, 1 << 1, 2, 3, 6, 3, SB_ARC_PURPLE},
};

static const sb_arc_band bands[] = {{3, 3, true}, {3, 4, true}, {3, 5, true}, {3, 5, true},
                                    {3, 5, true}, {3, 5, true}, {3, 6, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

static uint64_t bit(const sb_arc_level *level, int cell) {
    return UINT64_C(1) << (SIDE * sb_arc_y(level, cell) + sb_arc_x(level, cell));
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

/* Cells with exactly n moss neighbours of four, n = 0..4. Borders are walls, so no row runs into the next. */
static void count_neighbours(uint64_t moss, uint64_t exactly[5]) {
    const uint64_t sides[4] = {moss << 1, moss >> 1, moss << SIDE, moss >> SIDE};
    exactly[0] = ~UINT64_C(0);
    for (int n = 1; n < 5; n++) exactly[n] = 0;
    for (int side = 0; side < 4; side++)
        for (int n = 4; n >= 0; n--) exactly[n] = (exactly[n] & ~sides[side]) | (n ? exactly[n - 1] & sides[side] : 0);
}

static uint64_t grown(const facts *f, uint64_t moss) {
    uint64_t exactly[5], born = 0, stays = 0;
    count_neighbours(moss, exactly);
    for (int n = 0; n < 5; n++) {
        if (f->grows >> n & 1) born |= exactly[n];
        if (n >= f->dies) stays |= exactly[n];
    }
    return (moss & stays) | (~moss & f->soil & born);
}

static bool can_plant(const sb_arc_level *level, const situation *s, sb_arc_move move) {
    if (move.id != SB_ARC_CLICK || move.cell == SB_ARC_NOWHERE || !s->seeds) return false;
    return read_facts(level)->soil & ~s->moss & bit(level, move.cell);
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    if (can_plant(level, s, move)) s->moss |= bit(level, move.cell), s->seeds--;
    sb_arc_look(viewer);
    s->moss = grown(f, s->moss);
    if (s->moss & f->red) return SB_ARC_LOST;
    return s->moss == f->target ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* The first red cell with moss on it; a budget that ran out has no place. */
static int lost_at(const sb_arc_level *level, const void *given) {
    const uint64_t moss = ((const situation *)given)->moss & read_facts(level)->red;
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (moss & bit(level, cell)) return cell;
    return SB_ARC_NOWHERE;
}

static void begin(const sb_arc_level *level, void *s) { ((situation *)s)->seeds = read_facts(level)->seeds; }

/* ---- Solving: the construction, unless a few actions do ------------------------------------------------------------
 */

static sb_arc_move move_of(int cell) {
    return (sb_arc_move){.id = cell == SB_ARC_NOWHERE ? SB_ARC_USE : SB_ARC_CLICK, .cell = (int16_t)cell};
}

/* Looks depth first for a solution of exactly `depth` actions. */
static bool find(const sb_arc_level *level, const situation *from, int depth, sb_arc_move *moves) {
    for (int cell = SB_ARC_NOWHERE; cell < level->width * level->height; cell++) {
        situation s = *from;
        *moves = move_of(cell);
        if (cell != SB_ARC_NOWHERE && !can_plant(level, &s, *moves)) continue;
        const sb_arc_outcome outcome = act(level, &s, *moves, NULL);
        if (outcome == SB_ARC_WON && depth == 1) return true;
        if (outcome == SB_ARC_GOES_ON && depth > 1 && find(level, &s, depth - 1, moves + 1)) return true;
    }
    return false;
}

/* How many actions of the construction lead from the start to a situation; negative: it is not on the way. */
static int place_in_plan(const sb_arc_level *level, const situation *wanted) {
    const facts *f = read_facts(level);
    situation s = {0};
    begin(level, &s);
    for (int i = 0; i < f->n_plan; i++) {
        if (memcmp(&s, wanted, sizeof s) == 0) return i;
        act(level, &s, move_of(f->plan[i]), NULL);
    }
    return -1;
}

static int solve(const sb_arc_level *level, const void *given, sb_arc_move *moves, int capacity) {
    const facts *f = read_facts(level);
    const int done = place_in_plan(level, given), left = done < 0 ? capacity : f->n_plan - done;
    const int searched = f->n_plan ? SEARCHED : LONGEST;
    for (int depth = 1; depth <= searched && depth < left; depth++)
        if (find(level, given, depth, moves)) return depth;
    if (done < 0 || left > capacity) return -1;
    for (int i = 0; i < left; i++) moves[i] = move_of(f->plan[done + i]);
    return left;
}

/* The target and the rule are seen, the construction is not. Without it the search goes as deep as constructions do. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    facts *f = (facts *)level->facts;
    (void)before, (void)now, (void)move;
    f->n_plan = 0;
    memset(f->plan, 0, sizeof f->plan);
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* Which actions plant: the first, and others at random. */
static void draw_times(sb_rng *rng, int seeds, int actions, bool *plants) {
    int32_t times[LONGEST];
    for (int i = 1; i < actions; i++) times[i - 1] = i;
    sb_shuffle_ints(rng, times, (size_t)actions - 1);
    plants[0] = true;
    for (int i = 1; i < seeds; i++) plants[times[i - 1]] = true;
}

static int draw_free(const sb_arc_level *level, sb_rng *rng, uint64_t moss) {
    int16_t cells[SB_ARC_CELLS];
    int n = 0;
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (read_facts(level)->soil & ~moss & bit(level, cell)) cells[n++] = (int16_t)cell;
    return n ? cells[sb_integers(rng, 0, n)] : SB_ARC_NOWHERE;
}

/* Plants and lets grow; `ever` gathers all cells that were moss. False: a state came back. */
static bool construct(sb_arc_level *level, sb_rng *rng, int actions, const bool *plants, uint64_t *ever) {
    facts *f = (facts *)level->facts;
    uint64_t states[LONGEST + 1] = {0}, moss = 0;
    for (int i = 0; i < actions; i++) {
        f->plan[i] = (int16_t)(plants[i] ? draw_free(level, rng, moss) : SB_ARC_NOWHERE);
        if (plants[i] && f->plan[i] == SB_ARC_NOWHERE) return false;
        if (plants[i]) moss |= bit(level, f->plan[i]);
        *ever |= moss;
        moss = grown(f, moss);
        *ever |= moss;
        for (int k = 0; k <= i; k++)
            if (states[k] == moss) return false;
        states[i + 1] = moss;
    }
    f->n_plan = (uint8_t)actions, f->target = moss;
    return true;
}

static bool draw_red(sb_arc_level *level, sb_rng *rng, int n, uint64_t ever) {
    facts *f = (facts *)level->facts;
    for (int i = 0; i < n; i++) {
        const int cell = draw_free(level, rng, ever | f->red);
        if (cell == SB_ARC_NOWHERE) return false;
        f->red |= bit(level, cell);
    }
    return true;
}

/* Whether the construction makes something else where moss grows as on the first level. */
static bool needs_its_rule(const sb_arc_level *level) {
    const facts *f = read_facts(level);
    const facts first = {.soil = f->soil, .grows = rules[0].grows, .dies = rules[0].dies};
    uint64_t moss = 0;
    for (int i = 0; i < f->n_plan; i++) {
        if (f->plan[i] != SB_ARC_NOWHERE) moss |= bit(level, f->plan[i]);
        moss = grown(&first, moss);
    }
    return moss != f->target;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    bool plants[LONGEST] = {0};
    uint64_t ever = 0;
    (void)fixed;
    if (!sb_arc_draw_open(level, rng, rules[n].side, rules[n].side, .05)) return false;
    f->grows = rules[n].grows, f->dies = rules[n].dies, f->seeds = rules[n].seeds, f->colour = rules[n].colour;
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (!sb_arc_is_wall(level, cell)) f->soil |= bit(level, cell);
    draw_times(rng, f->seeds, rules[n].actions, plants);
    if (!construct(level, rng, rules[n].actions, plants, &ever) || !draw_red(level, rng, rules[n].red, ever))
        return false;
    const bool has_first_rule = f->grows == rules[0].grows && f->dies == rules[0].dies;
    if (!has_first_rule && !needs_its_rule(level)) return false;
    const int moss = __builtin_popcountll(f->target), soil = __builtin_popcountll(f->soil);
    return moss >= 4 && 10 * moss <= 6 * soil;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static void put_cells(sb_out *out, const char *key, const sb_arc_level *level, uint64_t set) {
    uint8_t cells[SIDE * SIDE];
    const int n = level->width * level->height;
    for (int cell = 0; cell < n; cell++) cells[cell] = (set & bit(level, cell)) != 0;
    sb_arc_tell_rows(out, key, cells, level->width, level->height);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    uint8_t neighbours[5];
    int n = 0;
    for (uint8_t i = 0; i < 5; i++)
        if (f->grows >> i & 1) neighbours[n++] = i;
    put_cells(out, "moss", level, s->moss);
    put_cells(out, "target", level, f->target);
    put_cells(out, "red", level, f->red);
    sb_member_int(out, "seeds", s->seeds);
    sb_arc_tell_numbers(out, "grows", neighbours, n);
    sb_member_int(out, "dies", f->dies);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_paint_board(level, canvas);
    for (int cell = 0; cell < level->width * level->height; cell++) {
        if (f->target & bit(level, cell)) sb_arc_put(canvas, level, cell, SB_ARC_DOT, f->colour);
        if (f->red & bit(level, cell)) sb_arc_put(canvas, level, cell, SB_ARC_EX, SB_ARC_RED);
    }
}

/* Seeds that are left are dots in the upper wall. */
static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int cell = 0; cell < level->width * level->height; cell++) {
        if (!(s->moss & bit(level, cell))) continue;
        sb_arc_put(canvas, level, cell, SB_ARC_FULL, f->colour);
        if (f->target & bit(level, cell)) sb_arc_put(canvas, level, cell, SB_ARC_DOT, SB_ARC_YELLOW);
    }
    for (int i = 0; i < s->seeds; i++) sb_arc_put(canvas, level, 1 + i, SB_ARC_DOT, f->colour);
}

const sb_arc_game sb_arc_moss = {.tell = tell,
                                 .name = "Moss",
                                 .actions = "56",
                                 .kinds = 2,
                                 .bands = bands,
                                 .n_levels = sizeof bands / sizeof *bands,
                                 .situation = sizeof(situation),
                                 .make = make,
                                 .solve = solve,
                                 .hide = hide,
                                 .begin = begin,
                                 .act = act,
                                 .lost_at = lost_at,
                                 .paint = paint,
                                 .draw = draw};
