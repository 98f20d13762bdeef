/* TwinCompass: the keys do not do what they say, and two walkers hear them at once.
 *
 * Key a stands at place d of (up, right, down, left). Each walker has a hidden turn r and a mirror f: if f, d becomes
 * -d modulo 4; the walker goes to place (d + r) modulo 4. Walkers move in order; a wall or the other walker stops them.
 * A walker that moved onto a vane adds 1 to its turn, onto a mirror it flips its mirror. Won when all stand on their
 * goals at once. */
#include "generators/arc/games.h"

enum { GOAL = SB_ARC_OWN, VANE, MIRROR }; /* the mark of a goal: the number of its walker */
enum { WALKERS = 2 };

typedef struct facts {
    uint8_t walkers;
    uint8_t turns[WALKERS], mirrors[WALKERS];
    int16_t starts[WALKERS], goals[WALKERS];
} facts;

typedef struct situation {
    int16_t at[WALKERS];
    uint8_t turns[WALKERS], mirrors[WALKERS];
} situation;

/* Which turns and mirrors are drawn. */
enum { NOTHING, TURN, SECOND_MIRRORED, ALL };

static const struct {
    uint8_t side;
    double p;
    uint8_t walkers, vanes, mirrors, hidden;
} rules[] = {
    {12, .20, 1, 0, 0, TURN},   {10, .18, 1, 6, 0, TURN},
    {9, .15, 2, 0, 0, NOTHING}, {9, .18, 2, 0, 0, SECOND_MIRRORED},
    {10, .18, 1, 4, 4, TURN},   {9, .18, 2, 4, 0, SECOND_MIRRORED},
    {10, .20, 2, 3, 3, ALL},
};

static const sb_arc_band bands[] = {{8, 14, true}, {8, 14, true}, {8, 16, true},  {8, 18, true},
                                    {7, 16, true}, {9, 20, true}, {11, 24, false}};

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* Puts a thing on a drawn floor cell; SB_ARC_NOWHERE: there is none left. */
static int16_t place(sb_arc_level *level, sb_rng *rng, uint8_t code, uint8_t mark) {
    const int cell = sb_arc_draw_floor(level, rng, NULL, 0, false);
    if (cell != SB_ARC_NOWHERE) level->cells[cell] = code, level->marks[cell] = mark;
    return (int16_t)cell;
}

/* On the first level keys are always turned, or there would be nothing to find. */
static void draw_hidden(facts *f, sb_rng *rng, int number, int hidden) {
    if (hidden == TURN) f->turns[0] = (uint8_t)sb_integers(rng, number == 1, 4);
    if (hidden == SECOND_MIRRORED) f->mirrors[1] = 1;
    for (int i = 0; hidden == ALL && i < WALKERS; i++) {
        f->turns[i] = (uint8_t)sb_integers(rng, 0, 4);
        f->mirrors[i] = (uint8_t)sb_integers(rng, 0, 2);
    }
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = facts_of(level);
    (void)fixed;
    if (!sb_arc_draw_open(level, rng, rules[n].side, rules[n].side, rules[n].p)) return false;
    f->walkers = rules[n].walkers;
    for (int i = 0; i < f->walkers; i++) f->starts[i] = place(level, rng, SB_ARC_START, (uint8_t)i);
    for (int i = 0; i < f->walkers; i++) f->goals[i] = place(level, rng, GOAL, (uint8_t)i);
    for (int i = 0; i < rules[n].vanes; i++) place(level, rng, VANE, 0);
    for (int i = 0; i < rules[n].mirrors; i++)
        if (place(level, rng, MIRROR, 0) == SB_ARC_NOWHERE) return false;
    draw_hidden(f, rng, level->number, rules[n].hidden);
    return true;
}

/* The second walker makes the way longer. */
static sb_arc_need without(sb_arc_level *level) {
    if (facts_of(level)->walkers < 2) return SB_ARC_NOTHING_NEW;
    facts_of(level)->walkers = 1;
    return SB_ARC_HINDERS;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *given) {
    situation *s = given;
    const facts *f = read_facts(level);
    for (int i = 0; i < f->walkers; i++)
        s->at[i] = f->starts[i], s->turns[i] = f->turns[i], s->mirrors[i] = f->mirrors[i];
}

static int direction(const situation *s, int walker, int key) {
    static const uint8_t places[] = {[SB_ARC_UP] = 0, [SB_ARC_RIGHT] = 1, [SB_ARC_DOWN] = 2, [SB_ARC_LEFT] = 3};
    static const uint8_t actions[] = {SB_ARC_UP, SB_ARC_RIGHT, SB_ARC_DOWN, SB_ARC_LEFT};
    const int d = s->mirrors[walker] ? 4 - places[key] : places[key];
    return actions[(d + s->turns[walker]) % 4];
}

static void move_walker(const sb_arc_level *level, situation *s, int walker, int key) {
    const int to = sb_arc_towards(level, s->at[walker], direction(s, walker, key));
    const bool is_taken = read_facts(level)->walkers == 2 && to == s->at[1 - walker];
    if (sb_arc_is_wall(level, to) || is_taken) return;
    s->at[walker] = (int16_t)to;
    if (level->cells[to] == VANE) s->turns[walker] = (s->turns[walker] + 1) % 4;
    if (level->cells[to] == MIRROR) s->mirrors[walker] ^= 1;
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    bool all = true;
    (void)viewer;
    for (int i = 0; i < f->walkers; i++) move_walker(level, s, i, move.id);
    for (int i = 0; i < f->walkers; i++) all &= s->at[i] == f->goals[i];
    return all ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

/* A guess gives each walker a turn and a mirror: three bits for each. */
enum { GUESSES = 64, OF_ONE = 8 };

static int n_guesses(const facts *f) { return f->walkers == 2 ? GUESSES : OF_ONE; }

static void write_guess(int guess, uint8_t turns[WALKERS], uint8_t mirrors[WALKERS]) {
    for (int i = 0; i < WALKERS; i++, guess /= OF_ONE) turns[i] = guess % 4, mirrors[i] = guess / 4 % 2;
}

/* Whether a situation leads to where the walkers are now; it becomes what it leads to. */
static bool leads_to(const sb_arc_level *level, situation *s, sb_arc_move move, const situation *now) {
    act(level, s, move, NULL);
    return memcmp(s->at, now->at, sizeof s->at) == 0;
}

/* Takes the first guess that agrees with the last move. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    facts *f = facts_of(level);
    situation *old = before, *s = now;
    const bool moves = move.id != SB_ARC_RESET && move.id != SB_ARC_UNDO;
    for (int guess = 0; guess < n_guesses(f); guess++) {
        situation next = *old;
        write_guess(guess, next.turns, next.mirrors);
        if (moves && !leads_to(level, &next, move, s)) continue;
        write_guess(guess, old->turns, old->mirrors);
        write_guess(guess, f->turns, f->mirrors);
        memcpy(s->turns, moves ? next.turns : old->turns, sizeof s->turns);
        memcpy(s->mirrors, moves ? next.mirrors : old->mirrors, sizeof s->mirrors);
        return;
    }
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    sb_put_key(out, "walkers");
    sb_puts(out, "[");
    for (int i = 0; i < read_facts(level)->walkers; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_int(out, "turn", s->turns[i]);
        sb_member_bool(out, "mirrored", s->mirrors[i]);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

typedef struct learned {
    uint8_t level;                                              /* number of the level; 0: nothing was learned */
    bool from_start;                                            /* guesses are about the start of a try, too */
    uint64_t alive;                                             /* a bit for each guess that agrees with all moves */
    uint8_t turns[GUESSES][WALKERS], mirrors[GUESSES][WALKERS]; /* turns and mirrors now, by guess */
} learned;

_Static_assert(sizeof(learned) <= SB_ARC_LEARNED, "what is learned must fit");

static void guess_anew(learned *l, const sb_arc_level *level, bool from_start) {
    *l = (learned){.level = level->number, .from_start = from_start};
    for (int guess = 0; guess < n_guesses(read_facts(level)); guess++) {
        l->alive |= UINT64_C(1) << guess;
        write_guess(guess, l->turns[guess], l->mirrors[guess]);
    }
}

static void drop_guesses(learned *l, const sb_arc_level *level, const situation *before, const situation *now,
                         sb_arc_move move) {
    for (int guess = 0; guess < GUESSES; guess++) {
        situation s = *before;
        if (!(l->alive >> guess & 1)) continue;
        memcpy(s.turns, l->turns[guess], sizeof s.turns), memcpy(s.mirrors, l->mirrors[guess], sizeof s.mirrors);
        if (!leads_to(level, &s, move, now)) l->alive &= ~(UINT64_C(1) << guess);
        memcpy(l->turns[guess], s.turns, sizeof s.turns), memcpy(l->mirrors[guess], s.mirrors, sizeof s.mirrors);
    }
}

/* A try begins with the turns and mirrors of every other try of the level. */
static void learn(void *given, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move) {
    learned *l = given;
    const bool begins = move.id == SB_ARC_RESET;
    if (l->level != level->number || (begins && !l->from_start)) guess_anew(l, level, begins);
    if (begins)
        for (int guess = 0; guess < GUESSES; guess++) write_guess(guess, l->turns[guess], l->mirrors[guess]);
    else if (move.id != SB_ARC_UNDO)
        drop_guesses(l, level, before, now, move);
    else if (memcmp(((const situation *)before)->at, ((const situation *)now)->at, sizeof((situation *)now)->at) != 0)
        guess_anew(l, level, false);
    if (!l->alive) guess_anew(l, level, false);
}

static bool believe(const void *given, sb_arc_level *level, void *now, int n) {
    const learned *l = given;
    situation *s = now;
    for (int guess = 0; guess < GUESSES; guess++) {
        if (!(l->alive >> guess & 1) || n-- > 0) continue;
        write_guess(guess, facts_of(level)->turns, facts_of(level)->mirrors);
        memcpy(s->turns, l->turns[guess], sizeof s->turns), memcpy(s->mirrors, l->mirrors[guess], sizeof s->mirrors);
        return true;
    }
    return false;
}

/* In no guess the goals can be reached: the level has to begin anew. */
static sb_arc_move explore(const void *given, const sb_arc_level *level, const void *now) {
    (void)given, (void)level, (void)now;
    return (sb_arc_move){.id = SB_ARC_RESET, .cell = SB_ARC_NOWHERE};
}

static const sb_arc_study study = {.learn = learn, .believe = believe, .explore = explore};

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"goal", "vane", "mirror", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    for (int i = 0; i < read_facts(level)->walkers; i++) sb_arc_tell_thing(out, level, "walker", s->at[i], 2);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static const uint8_t colours[WALKERS] = {SB_ARC_BLUE, SB_ARC_PURPLE};

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    sb_arc_paint_board(level, canvas);
    for (int cell = 0; cell < level->width * level->height; cell++) {
        if (level->cells[cell] == GOAL) sb_arc_put(canvas, level, cell, SB_ARC_RING, colours[level->marks[cell]]);
        if (level->cells[cell] == VANE) sb_arc_put(canvas, level, cell, SB_ARC_PLUS, SB_ARC_YELLOW);
        if (level->cells[cell] == MIRROR) sb_arc_put(canvas, level, cell, SB_ARC_BAR, SB_ARC_LIGHT_BLUE);
    }
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    for (int i = 0; i < WALKERS && i < read_facts(level)->walkers; i++)
        sb_arc_put(canvas, level, s->at[i], SB_ARC_FULL, colours[i]);
}

const sb_arc_game sb_arc_twincompass = {.cells = cell_names,
                                        .things = put_things,
                                        .name = "TwinCompass",
                                        .actions = "12347",
                                        .kinds = 5,
                                        .bands = bands,
                                        .n_levels = sizeof bands / sizeof *bands,
                                        .situation = sizeof(situation),
                                        .make = make,
                                        .without = without,
                                        .begin = begin,
                                        .act = act,
                                        .hide = hide,
                                        .tell = tell,
                                        .study = &study,
                                        .paint = paint,
                                        .draw = draw};
