/* Chimes: a melody is played, and the agent plays what the icons make of it.
 *
 * The melody is played at the start of a level and by action 5. A click on a bell is right if it is the next note of
 * what the icons, from left to right, make of the melody; a wrong one takes a life and starts again from the first
 * note. Icons: reverse; shift (the next bell to the right, cyclic); double (every note twice); drop (only notes 1, 3, 5
 * ...). The melody is seen in the frames of an action alone: whoever looks at last frames only cannot win. */
#include "generators/arc/games.h"

enum { NONE, REVERSE, SHIFT, DOUBLE, DROP };
enum { BELLS = 6, LONGEST = 12, ICONS = 3, LIVES = 3 };
enum { ICON_ROW = 1, BELL_ROW = 5, PROGRESS_ROW = 9, LIVES_ROW = 11, WIDTH = 13, HEIGHT = 13 };

typedef struct melody {
    uint8_t n, notes[LONGEST];
} melody;

typedef struct facts {
    uint8_t bells, icons[ICONS];
    melody played, wanted;
} facts;

typedef struct situation {
    uint8_t progress, lives;
    uint8_t lit, wrong; /* 1 + the bell that this frame shows lit, or wrong; 0: none */
} situation;

static const struct {
    uint8_t bells, notes, icons[ICONS];
} rules[] = {{3, 3, {NONE}},   {4, 5, {NONE}},           {4, 4, {REVERSE}}, {5, 4, {SHIFT}},
             {5, 4, {DOUBLE}}, {5, 5, {REVERSE, SHIFT}}, {6, 6, {DROP}},    {6, 6, {SHIFT, REVERSE, DROP}}};

static const sb_arc_band bands[] = {{3, 3, true}, {5, 5, false}, {4, 4, true}, {4, 4, true},
                                    {8, 8, true}, {5, 5, true},  {3, 3, true}, {3, 3, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static melody changed(melody m, int icon, int bells) {
    melody to = {.n = (uint8_t)(icon == DOUBLE ? 2 * m.n : icon == DROP ? (m.n + 1) / 2 : m.n)};
    for (int i = 0; i < to.n; i++) {
        const int from = icon == REVERSE ? m.n - 1 - i : icon == DOUBLE ? i / 2 : icon == DROP ? 2 * i : i;
        to.notes[i] = (uint8_t)((m.notes[from] + (icon == SHIFT)) % bells);
    }
    return to;
}

static bool same(const melody *a, const melody *b) { return a->n == b->n && memcmp(a->notes, b->notes, a->n) == 0; }

static void apply_icons(facts *f) {
    f->wanted = f->played;
    for (int i = 0; i < ICONS && f->icons[i]; i++) f->wanted = changed(f->wanted, f->icons[i], f->bells);
}

static int bell_cell(const sb_arc_level *level, int bell) { return sb_arc_cell(level, 1 + 2 * bell, BELL_ROW); }

static int bell_at(const sb_arc_level *level, int cell) {
    for (int i = 0; i < read_facts(level)->bells; i++)
        if (bell_cell(level, i) == cell) return i;
    return -1;
}

static void begin(const sb_arc_level *level, void *s) {
    (void)level;
    ((situation *)s)->lives = LIVES;
}

/* Two frames a note, after one still frame; the last frame is shown anyway. */
static void play_melody(const sb_arc_level *level, void *given, const sb_arc_viewer *viewer) {
    situation *s = given;
    const melody *m = &read_facts(level)->played;
    for (int i = 0; i < m->n; i++) {
        sb_arc_look(viewer);
        s->lit = (uint8_t)(1 + m->notes[i]);
        sb_arc_look(viewer);
        s->lit = 0;
    }
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const melody *wanted = &read_facts(level)->wanted;
    const int bell = bell_at(level, move.cell);
    if (move.id == SB_ARC_USE) play_melody(level, s, viewer);
    if (bell < 0) return SB_ARC_GOES_ON;
    const bool is_right = wanted->notes[s->progress] == bell;
    *(is_right ? &s->lit : &s->wrong) = (uint8_t)(1 + bell);
    s->progress = is_right ? s->progress + 1 : 0;
    s->lives -= !is_right;
    sb_arc_look(viewer);
    s->lit = s->wrong = 0;
    return s->lives == 0 ? SB_ARC_LOST : s->progress == wanted->n ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* The solution: the notes that are left. */
static int solve(const sb_arc_level *level, const void *given, sb_arc_move *moves, int capacity) {
    const melody *wanted = &read_facts(level)->wanted;
    const int done = ((const situation *)given)->progress, left = wanted->n - done;
    for (int i = 0; i < left && i < capacity; i++)
        moves[i] = (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)bell_cell(level, wanted->notes[done + i])};
    return left;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* What is wanted must differ from the melody, and from what each icon alone makes of it. */
static bool needs_all_icons(const facts *f) {
    for (int i = 0; i < ICONS && f->icons[i]; i++) {
        const melody one = changed(f->played, f->icons[i], f->bells);
        if (same(&f->wanted, &f->played) || (f->icons[1] && same(&f->wanted, &one))) return false;
    }
    return true;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    (void)fixed;
    level->width = WIDTH, level->height = HEIGHT;
    f->bells = rules[n].bells, f->played.n = rules[n].notes;
    for (int i = 0; i < f->played.n; i++) f->played.notes[i] = (uint8_t)sb_integers(rng, 0, f->bells);
    memcpy(f->icons, rules[n].icons, sizeof f->icons);
    apply_icons(f);
    return needs_all_icons(f);
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

/* The melody is shown by the frames that play it, and a click shows whether its bell was the next note. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    facts *f = (facts *)level->facts;
    const uint8_t at = ((const situation *)before)->progress;
    const int bell = move.id == SB_ARC_CLICK ? bell_at(level, move.cell) : -1;
    const bool was_right = bell >= 0 && f->wanted.notes[at] == bell;
    (void)now;
    if (move.id == SB_ARC_RESET || move.id == SB_ARC_USE) return;
    memset(f->played.notes, 0, sizeof f->played.notes);
    apply_icons(f);
    if (bell >= 0) f->wanted.notes[at] = (uint8_t)(was_right ? bell : bell == 0);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const situation *s = given;
    const facts *f = read_facts(level);
    sb_arc_tell_numbers(out, "melody", f->played.notes, f->played.n);
    sb_arc_tell_numbers(out, "wanted", f->wanted.notes, f->wanted.n);
    sb_member_int(out, "progress", s->progress);
    sb_member_int(out, "lives", s->lives);
}

typedef struct learned {
    uint8_t level; /* number of the level in which the melody was heard; 0: none */
    melody played;
} learned;

static void learn(void *given, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move) {
    learned *l = given;
    (void)before, (void)now;
    if (move.id == SB_ARC_RESET || move.id == SB_ARC_USE)
        *l = (learned){.level = level->number, .played = read_facts(level)->played};
}

static bool believe(const void *given, sb_arc_level *level, void *now, int n) {
    const learned *l = given;
    facts *f = (facts *)level->facts;
    (void)now;
    if (l->level != level->number || n > 0) return false;
    f->played = l->played;
    apply_icons(f);
    return true;
}

/* Asks for the melody. */
static sb_arc_move explore(const void *given, const sb_arc_level *level, const void *now) {
    (void)given, (void)level, (void)now;
    return (sb_arc_move){.id = SB_ARC_USE, .cell = SB_ARC_NOWHERE};
}

static const sb_arc_study study = {.learn = learn, .believe = believe, .explore = explore};

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    /* glyphs of the icons: two arrowheads, an arrow, two dots, a ring */
    static const uint16_t icons[] = {[REVERSE] = 0575, [SHIFT] = SB_ARC_ARROW_RIGHT, [DOUBLE] = 0050, [DROP] = 0252};
    const facts *f = read_facts(level);
    sb_arc_canvas_clear(canvas, SB_ARC_CELL_SIDE * WIDTH, SB_ARC_CELL_SIDE * HEIGHT, SB_ARC_BLACK);
    for (int i = 0; i < ICONS && f->icons[i]; i++)
        sb_arc_put(canvas, level, sb_arc_cell(level, 1 + 2 * i, ICON_ROW), (sb_arc_glyph)icons[f->icons[i]],
                   SB_ARC_OFF_WHITE);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    static const uint8_t colours[BELLS] = {SB_ARC_RED,   SB_ARC_BLUE,   SB_ARC_YELLOW,
                                           SB_ARC_GREEN, SB_ARC_ORANGE, SB_ARC_PURPLE};
    const situation *s = given;
    for (int i = 0; i < read_facts(level)->bells; i++) {
        sb_arc_put(canvas, level, bell_cell(level, i), SB_ARC_FULL, s->lit == i + 1 ? SB_ARC_WHITE : colours[i]);
        if (s->wrong == i + 1) sb_arc_put(canvas, level, bell_cell(level, i), SB_ARC_FULL, SB_ARC_BLACK);
        if (s->wrong == i + 1) sb_arc_put(canvas, level, bell_cell(level, i), SB_ARC_EX, SB_ARC_RED);
    }
    for (int i = 0; i < s->progress; i++)
        sb_arc_put(canvas, level, sb_arc_cell(level, 1 + i, PROGRESS_ROW), SB_ARC_DOT, SB_ARC_GREEN);
    for (int i = 0; i < s->lives; i++)
        sb_arc_put(canvas, level, sb_arc_cell(level, 1 + i, LIVES_ROW), SB_ARC_DOT, SB_ARC_RED);
}

const sb_arc_game sb_arc_chimes = {.name = "Chimes",
                                   .actions = "56",
                                   .kinds = 2,
                                   .bands = bands,
                                   .n_levels = sizeof bands / sizeof *bands,
                                   .situation = sizeof(situation),
                                   .make = make,
                                   .solve = solve,
                                   .begin = begin,
                                   .prelude = play_melody,
                                   .act = act,
                                   .hide = hide,
                                   .tell = tell,
                                   .study = &study,
                                   .paint = paint,
                                   .draw = draw};
