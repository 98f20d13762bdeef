/* Clockwork: gates open and close by a beat that nothing shows but the gates themselves.
 *
 * Gate i is open at time t (actions in this try) if (t + phase) mod period < open. The walker goes in while a gate is
 * open and may leave in the very action in which it closes; who stands in a closed gate loses. Entering lever i
 * switches the power of gate i; a gate with a lever is closed without power, and pulses with it. */
#include "generators/arc/games.h"

enum { GATE = SB_ARC_OWN, LEVER }; /* the mark of a gate or lever: the number of the gate */
enum { GATES = SB_ARC_ROOM_WALLS };

typedef struct facts {
    uint8_t n_gates, beat; /* beat: the least common multiple of all periods */
    struct {
        int16_t cell;
        uint8_t period, phase, open;
        bool has_lever;
    } gates[GATES];
} facts;

typedef struct situation {
    int16_t at;
    uint8_t time;  /* actions in this try, modulo the beat */
    uint8_t power; /* a bit for each gate */
} situation;

static const struct {
    uint8_t width, height, gates, beat;
    uint8_t least_period, most_period, most_open;
    double p_lever;
} rules[] = {
    {11, 8, 1, 2, 2, 2, 1, 0},  {11, 7, 2, 6, 2, 3, 1, 0},   {13, 8, 3, 12, 3, 4, 2, 0},
    {13, 8, 2, 12, 3, 4, 2, 1}, {16, 9, 4, 60, 3, 5, 1, .3}, {16, 10, 4, 60, 4, 6, 1, .6},
};

static const sb_arc_band bands[] = {{7, 13, true},  {10, 17, true},  {14, 25, false},
                                    {16, 26, true}, {22, 40, false}, {30, 48, false}};

static facts *facts_of(sb_arc_level *level) { return (facts *)level->facts; }
static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static bool place_gate(sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int i) {
    const int n = level->number - 1, gate = rooms->gap[i];
    facts *f = facts_of(level);
    level->cells[gate] = GATE, level->marks[gate] = (uint8_t)i;
    f->gates[i].cell = (int16_t)gate;
    f->gates[i].period = (uint8_t)sb_integers(rng, rules[n].least_period, rules[n].most_period + 1);
    f->gates[i].phase = (uint8_t)sb_integers(rng, 0, f->gates[i].period);
    f->gates[i].open = (uint8_t)sb_integers(rng, 1, rules[n].most_open + 1);
    f->gates[i].has_lever = sb_random(rng) < rules[n].p_lever;
    if (!f->gates[i].has_lever) return true;
    const int lever = sb_arc_draw_floor(level, rng, rooms, i, false);
    if (lever == SB_ARC_NOWHERE) return false;
    level->cells[lever] = LEVER, level->marks[lever] = (uint8_t)i;
    return true;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = facts_of(level);
    sb_arc_rooms rooms;
    (void)fixed;
    f->n_gates = rules[n].gates, f->beat = rules[n].beat;
    sb_arc_draw_rooms(level, rng, rules[n].width, rules[n].height, rules[n].gates, .08, &rooms);
    level->start = (int16_t)sb_arc_draw_floor(level, rng, &rooms, 0, false);
    level->exit = (int16_t)sb_arc_draw_floor(level, rng, &rooms, rooms.n_walls, false);
    if (level->start == SB_ARC_NOWHERE || level->exit == SB_ARC_NOWHERE) return false;
    level->cells[level->start] = SB_ARC_START, level->cells[level->exit] = SB_ARC_EXIT;
    for (int i = 0; i < f->n_gates; i++)
        if (!place_gate(level, rng, &rooms, i)) return false;
    return true;
}

/* The beat makes the way longer; a gate with a lever cannot be passed without it. */
static sb_arc_need without(sb_arc_level *level) {
    if (level->number == 4) {
        for (int cell = 0; cell < level->width * level->height; cell++)
            if (level->cells[cell] == LEVER) level->cells[cell] = SB_ARC_FLOOR;
        return SB_ARC_HELPS;
    }
    if (level->number > 2) return SB_ARC_NOTHING_NEW;
    for (int i = 0; i < GATES; i++) facts_of(level)->gates[i].open = facts_of(level)->gates[i].period;
    return SB_ARC_HINDERS;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void begin(const sb_arc_level *level, void *s) { ((situation *)s)->at = level->start; }

static bool is_open(const sb_arc_level *level, const situation *s, int i) {
    const facts *f = read_facts(level);
    if (f->gates[i].has_lever && !(s->power >> i & 1)) return false;
    return (s->time + f->gates[i].phase) % f->gates[i].period < f->gates[i].open;
}

static bool is_closed_gate(const sb_arc_level *level, const situation *s, int cell) {
    return level->cells[cell] == GATE && !is_open(level, s, level->marks[cell]);
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const int to = sb_arc_towards(level, s->at, move.id);
    (void)viewer;
    s->time = (uint8_t)((s->time + 1) % read_facts(level)->beat);
    const bool moves = to != s->at && !sb_arc_is_wall(level, to) && !is_closed_gate(level, s, to);
    if (moves) s->at = (int16_t)to;
    if (is_closed_gate(level, s, s->at)) return SB_ARC_LOST;
    if (moves && level->cells[to] == LEVER) s->power ^= (uint8_t)(1 << level->marks[to]);
    return level->cells[s->at] == SB_ARC_EXIT ? SB_ARC_WON : SB_ARC_GOES_ON;
}

static int lost_at(const sb_arc_level *level, const void *s) {
    (void)level;
    return ((const situation *)s)->at;
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

/* A guess about a gate: period, steps open, phase. */
enum { LEAST = 2, MOST = 6, MOST_OPEN = 2, GUESSES = (MOST - LEAST + 1) * MOST_OPEN * MOST };

/* Writes a guess about a gate into the facts. False: there is no such gate in this level. */
static bool write_guess(facts *f, int gate, int guess) {
    const int period = LEAST + guess / (MOST_OPEN * MOST), open = 1 + guess / MOST % MOST_OPEN, phase = guess % MOST;
    if (f->beat % period || open >= period || phase >= period) return false;
    f->gates[gate].period = (uint8_t)period, f->gates[gate].open = (uint8_t)open, f->gates[gate].phase = (uint8_t)phase;
    return true;
}

static void hide_gate(sb_arc_level *level, int i, const situation *before, const situation *now) {
    const bool was_open = is_open(level, before, i), opens = is_open(level, now, i);
    for (int guess = 0; guess < GUESSES; guess++)
        if (write_guess(facts_of(level), i, guess) && is_open(level, before, i) == was_open &&
            is_open(level, now, i) == opens)
            return;
}

/* What the gates are now shows nothing of their beat. The time is known: it counts actions. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    (void)move;
    for (int i = 0; i < read_facts(level)->n_gates; i++) hide_gate(level, i, before, now);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const facts *f = read_facts(level);
    sb_member_int(out, "time", ((const situation *)given)->time);
    sb_arc_tell_bits(out, "power", ((const situation *)given)->power, f->n_gates);
    sb_put_key(out, "gates");
    sb_puts(out, "[");
    for (int i = 0; i < f->n_gates; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_int(out, "period", f->gates[i].period);
        sb_member_int(out, "open", f->gates[i].open);
        sb_member_int(out, "phase", f->gates[i].phase);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

typedef struct learned {
    uint8_t level;           /* number of the level; 0: nothing was learned */
    uint64_t refuted[GATES]; /* guesses about each gate that were refuted, a bit for each guess */
} learned;

_Static_assert(GUESSES <= 64 && sizeof(learned) <= SB_ARC_LEARNED, "what is learned must fit");

static void learn_gate(learned *l, const sb_arc_level *shown, int i, const situation *s) {
    sb_arc_level level = *shown;
    const bool opens = is_open(shown, s, i);
    for (int guess = 0; guess < GUESSES; guess++)
        if (!write_guess(facts_of(&level), i, guess) || is_open(&level, s, i) != opens)
            l->refuted[i] |= UINT64_C(1) << guess;
}

static void learn(void *given, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move) {
    learned *l = given;
    (void)before, (void)move;
    if (l->level != level->number) *l = (learned){.level = level->number};
    for (int i = 0; i < read_facts(level)->n_gates; i++) learn_gate(l, level, i, now);
}

/* Takes for every gate the n-th guess that is not refuted, from the first again if there are fewer. */
static bool believe(const void *given, sb_arc_level *level, void *now, int n) {
    const learned *l = given;
    facts *f = facts_of(level);
    int most = 0;
    (void)now;
    for (int i = 0; i < f->n_gates; i++) {
        const int left = GUESSES - __builtin_popcountll(l->refuted[i] & ((UINT64_C(1) << GUESSES) - 1));
        int skipped = left ? n % left : 0;
        most = left > most ? left : most;
        for (int guess = 0; guess < GUESSES; guess++)
            if (!(l->refuted[i] >> guess & 1) && skipped-- == 0) write_guess(f, i, guess);
    }
    return n < most;
}

/* Waits, and looks at the gates. */
static sb_arc_move explore(const void *given, const sb_arc_level *level, const void *now) {
    (void)given, (void)level, (void)now;
    return (sb_arc_move){.id = SB_ARC_USE, .cell = SB_ARC_NOWHERE};
}

static const sb_arc_study study = {.learn = learn, .believe = believe, .explore = explore};

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static const char *const cell_names[] = {"gate", "lever", NULL};

static void put_things(const sb_arc_level *level, const void *given, sb_out *out) {
    sb_arc_tell_thing(out, level, "walker", ((const situation *)given)->at, 2);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    sb_arc_paint_board(level, canvas);
    for (int cell = 0; cell < level->width * level->height; cell++)
        if (level->cells[cell] == LEVER) sb_arc_put(canvas, level, cell, SB_ARC_PLUS, SB_ARC_ORANGE);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int i = 0; i < f->n_gates; i++)
        sb_arc_put(canvas, level, f->gates[i].cell, is_open(level, s, i) ? SB_ARC_BOX : SB_ARC_FULL,
                   f->gates[i].has_lever ? SB_ARC_ORANGE : SB_ARC_LIGHT_BLUE);
    sb_arc_put(canvas, level, s->at, SB_ARC_FULL, SB_ARC_BLUE);
}

const sb_arc_game sb_arc_clockwork = {.cells = cell_names,
                                      .things = put_things,
                                      .name = "Clockwork",
                                      .actions = "12345",
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
                                      .lost_at = lost_at,
                                      .paint = paint,
                                      .draw = draw};
