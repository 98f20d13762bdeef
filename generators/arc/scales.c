/* Scales: stones weigh what their colour weighs, and the agent finds out by weighing them.
 *
 * A click moves a stone to the next place of its cycle: tray, left pan, right pan (of beam 1, then of beam 2), tray.
 * The pans of a beam differ in height by its tilt, right less left, at most 3 cells. Won when every beam is level and
 * every stone is on a pan. Weights 1..9 belong to colours for the whole game. On level 4 what lies right counts double;
 * on level 6 beam 2 hangs on the left pan of beam 1, which weighs what beam 2 holds. */
#include "generators/arc/games.h"

enum {
    SIDE = 15,
    STONES = 7,
    BEAMS = 2,
    TRAY = 0,
    TRAY_ROW = 13,
    FIRST_COLOUR = SB_ARC_MAGENTA,
    N_COLOURS = 9,
    HEAVIEST = 9
};

typedef struct facts {
    uint8_t stones, beams, places; /* places of the cycle: the tray and all pans */
    bool doubles, hangs;
    uint8_t colours[STONES], weights[STONES];
    uint8_t bolted[STONES]; /* the pan where a stone is fixed; TRAY: it can be moved */
} facts;

typedef struct situation {
    uint8_t place[STONES + 1]; /* TRAY, or a pan: 1 left, 2 right of beam 1; 3 left, 4 right of beam 2 */
} situation;

static const struct {
    uint8_t stones, beams, colours, bolted, most_solutions;
    bool new_colour, doubles, hangs;
} rules[] = {{3, 1, 3, 0, 4, 0, 0, 0}, {4, 1, 4, 0, 4, 1, 0, 0},  {5, 1, 5, 2, 4, 1, 0, 0},
             {5, 1, 5, 0, 4, 0, 1, 0}, {6, 2, 6, 0, 32, 1, 0, 0}, {7, 2, 6, 0, 32, 0, 0, 1}};

/* Lengths of solutions: clicks, and three more for every colour that is new in the level: to weigh it against a known
 * one, out, look and back. */
enum { WEIGHING = 3 };
static const uint8_t new_colours[] = {3, 1, 1, 0, 1, 0};
static const sb_arc_band bands[] = {{4 + 3 * WEIGHING, 4 + 3 * WEIGHING, true}, {4 + WEIGHING, 6 + WEIGHING, true},
                                    {3 + WEIGHING, 5 + WEIGHING, true},         {7, 8, true},
                                    {8 + WEIGHING, 12 + WEIGHING, true},        {9, 12, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* The first two colours weigh less than 10 together, and the third as much as both, so that level 1 can be won. */
static void fix(sb_rng *rng, uint8_t weights[16]) {
    int32_t others[N_COLOURS];
    int n = 0, one, other;
    do one = (int)sb_integers(rng, 1, 10), other = (int)sb_integers(rng, 1, 10);
    while (one == other || one + other > 9);
    weights[0] = (uint8_t)one, weights[1] = (uint8_t)other, weights[2] = (uint8_t)(one + other);
    for (int weight = 1; weight <= 9; weight++)
        if (weight != one && weight != other && weight != one + other) others[n++] = weight;
    sb_shuffle_ints(rng, others, (size_t)n);
    for (int i = 0; i < n; i++) weights[3 + i] = (uint8_t)others[i];
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static int weight_on(const facts *f, const situation *s, int pan) {
    int sum = 0;
    for (int i = 0; i < f->stones; i++)
        if (s->place[i] == pan) sum += f->weights[i];
    return sum;
}

/* What the right side of a beam weighs more than the left side. */
static int tilt(const facts *f, const situation *s, int beam) {
    const int left = weight_on(f, s, 2 * beam + 1), right = weight_on(f, s, 2 * beam + 2);
    const int hanging = beam == 0 && f->hangs ? weight_on(f, s, 3) + weight_on(f, s, 4) : 0;
    return (f->doubles ? 2 * right : right) - left - hanging;
}

static bool is_won(const facts *f, const situation *s) {
    for (int i = 0; i < f->stones; i++)
        if (s->place[i] == TRAY) return false;
    for (int beam = 0; beam < f->beams; beam++)
        if (tilt(f, s, beam) != 0) return false;
    return true;
}

/* Counts the placements of all stones on pans in which every beam is level, up to `most`. */
static int count_solutions(const facts *f, int most) {
    situation s = {0};
    int n = 0;
    for (int i = 0; i < f->stones; i++) s.place[i] = f->bolted[i] ? f->bolted[i] : 1;
    while (n < most) {
        int i = 0;
        n += is_won(f, &s);
        for (; i < f->stones; i++) {
            if (f->bolted[i]) continue;
            if (++s.place[i] < f->places) break;
            s.place[i] = 1;
        }
        if (i == f->stones) break;
    }
    return n;
}

static void begin(const sb_arc_level *level, void *given) {
    memcpy(((situation *)given)->place, read_facts(level)->bolted, STONES);
}

/* ---- Where things are -------------------------------------------------------------------------------------------- */

static int beam_row(const facts *f, int beam) { return f->beams == 1 ? 3 : beam == 0 ? 0 : 7; }

/* The row of the stones on a pan: pans hang two rows below their beam, and lower where it is heavier. */
static int pan_row(const facts *f, const situation *s, int pan) {
    const int beam = (pan - 1) / 2, raw = tilt(f, s, beam), t = raw < -3 ? -3 : raw > 3 ? 3 : raw;
    const int right = t > 0 ? (t + 1) / 2 : -(-t / 2);
    return beam_row(f, beam) + 2 + (f->beams == 1) + (pan % 2 ? right - t : right);
}

static int pan_column(int pan) { return pan % 2 ? 0 : 8; }

/* Stones lie in the order of the tray, two cells apart there, side by side on a pan. */
static int stone_cell(const sb_arc_level *level, const situation *s, int stone) {
    const facts *f = read_facts(level);
    const int place = s->place[stone];
    int before = 0;
    if (place == TRAY) return sb_arc_cell(level, 2 * stone, TRAY_ROW);
    for (int i = 0; i < stone; i++) before += s->place[i] == place;
    return sb_arc_cell(level, pan_column(place) + before, pan_row(f, s, place));
}

static int stone_at(const sb_arc_level *level, const situation *s, int cell) {
    for (int i = 0; i < read_facts(level)->stones; i++)
        if (stone_cell(level, s, i) == cell) return i;
    return -1;
}

static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    const int stone = stone_at(level, s, move.cell);
    (void)viewer;
    if (stone < 0 || f->bolted[stone]) return SB_ARC_GOES_ON;
    s->place[stone] = (uint8_t)((s->place[stone] + 1) % f->places);
    return is_won(f, s) ? SB_ARC_WON : SB_ARC_GOES_ON;
}

static int clicks(const sb_arc_level *level, const void *s, int16_t *cells) {
    int n = 0;
    for (int i = 0; i < read_facts(level)->stones; i++)
        if (!read_facts(level)->bolted[i]) cells[n++] = (int16_t)stone_cell(level, s, i);
    return n;
}

/* Every stone in the tray must be clicked at least once. */
static int bound(const sb_arc_level *level, const void *given) {
    const situation *s = given;
    int n = 0;
    for (int i = 0; i < read_facts(level)->stones; i++) n += s->place[i] == TRAY;
    return n;
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

static int shown_tilt(const facts *f, const situation *s, int beam) {
    const int t = tilt(f, s, beam);
    return t < -3 ? -3 : t > 3 ? 3 : t;
}

/* Goes on to the next weights of the colours that are used; false: these were the last. */
static bool next_weights(uint8_t weights[N_COLOURS], unsigned used) {
    for (int colour = 0; colour < N_COLOURS; colour++) {
        if (!(used >> colour & 1)) continue;
        if (++weights[colour] <= HEAVIEST) return true;
        weights[colour] = 1;
    }
    return false;
}

static void write_weights(facts *f, const uint8_t weights[N_COLOURS]) {
    for (int i = 0; i < f->stones; i++) f->weights[i] = weights[f->colours[i] - FIRST_COLOUR];
}

static unsigned used_colours(const facts *f) {
    unsigned used = 0;
    for (int i = 0; i < f->stones; i++) used |= 1U << (f->colours[i] - FIRST_COLOUR);
    return used;
}

static bool shows_the_same(const facts *f, const facts *other, const situation *s) {
    for (int beam = 0; beam < f->beams; beam++)
        if (shown_tilt(f, s, beam) != shown_tilt(other, s, beam)) return false;
    return true;
}

/* Takes the first weights with which both situations look the same. */
static void hide(sb_arc_level *level, void *before, void *now, sb_arc_move move) {
    facts *f = (facts *)level->facts;
    const facts real = *f;
    uint8_t weights[N_COLOURS];
    (void)move;
    memset(weights, 1, sizeof weights);
    do write_weights(f, weights);
    while (!(shows_the_same(f, &real, before) && shows_the_same(f, &real, now)) &&
           next_weights(weights, used_colours(f)));
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const facts *f = read_facts(level);
    sb_put_key(out, "stones");
    sb_puts(out, "[");
    for (int i = 0; i < f->stones; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_int(out, "color", f->colours[i]);
        sb_member_int(out, "weight", f->weights[i]);
        sb_member_int(out, "place", ((const situation *)given)->place[i]);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

/* How a beam hung: how often the weight of each colour counts, right less left. */
typedef struct weighing {
    int8_t times[N_COLOURS], shown;
} weighing;

enum { WEIGHINGS = 400 };

typedef struct learned {
    int16_t n;
    uint16_t looks; /* how many situations were looked at */
    weighing seen[WEIGHINGS];
} learned;

_Static_assert(sizeof(learned) <= SB_ARC_LEARNED, "what is learned must fit");

static weighing weighing_of(const facts *f, const situation *s, int beam) {
    weighing w = {.shown = (int8_t)shown_tilt(f, s, beam)};
    for (int i = 0; i < f->stones; i++) {
        int8_t *times = &w.times[f->colours[i] - FIRST_COLOUR];
        if (s->place[i] == 2 * beam + 2) *times = (int8_t)(*times + 1 + f->doubles);
        if (s->place[i] == 2 * beam + 1 || (beam == 0 && f->hangs && s->place[i] >= 3)) --*times;
    }
    return w;
}

static void learn(void *given, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move) {
    learned *l = given;
    (void)before, (void)move;
    l->looks++;
    for (int beam = 0; beam < read_facts(level)->beams; beam++) {
        const weighing w = weighing_of(read_facts(level), now, beam);
        int i = 0;
        while (i < l->n && memcmp(&l->seen[i], &w, sizeof w) != 0) i++;
        if (i == l->n && l->n < WEIGHINGS) l->seen[l->n++] = w;
    }
}

static bool agrees(const weighing *w, const uint8_t weights[N_COLOURS]) {
    int sum = 0;
    for (int colour = 0; colour < N_COLOURS; colour++) sum += w->times[colour] * weights[colour];
    return (sum < -3 ? -3 : sum > 3 ? 3 : sum) == w->shown;
}

/* Whether weights agree with all weighings; the last weighings exclude most. */
static bool agree(const learned *l, const uint8_t weights[N_COLOURS]) {
    for (int i = l->n - 1; i >= 0; i--)
        if (!agrees(&l->seen[i], weights)) return false;
    return true;
}

static unsigned colours_of(const learned *l, const facts *f) {
    unsigned used = used_colours(f);
    for (int i = 0; i < l->n; i++)
        for (int colour = 0; colour < N_COLOURS; colour++)
            if (l->seen[i].times[colour]) used |= 1U << colour;
    return used;
}

/* Weights that are being guessed. */
typedef struct guess {
    const learned *learned;
    facts *facts; /* facts of the level, with these weights */
    unsigned used;
    int skipped; /* possible weights that are still to be passed over */
    uint8_t weights[N_COLOURS];
} guess;

/* A level can always be won, so weights with which it cannot are not its own. */
static bool is_possible(guess *g) {
    if (!agree(g->learned, g->weights)) return false;
    write_weights(g->facts, g->weights);
    return count_solutions(g->facts, 1) == 1;
}

/* Goes through all weights that the game could have drawn (see `fix`), from a colour on. True: the weights are
 * possible, and enough others were skipped. */
static bool find_weights(guess *g, int colour, unsigned taken) {
    while (colour < N_COLOURS && !(g->used >> colour & 1)) colour++;
    if (colour == N_COLOURS) return is_possible(g) && g->skipped-- == 0;
    const bool is_sum = colour == 2 && (g->used & 3) == 3;
    const int least = is_sum ? g->weights[0] + g->weights[1] : 1, most = is_sum ? least : HEAVIEST;
    for (int weight = least; weight <= most && weight <= HEAVIEST; weight++) {
        if (taken >> weight & 1) continue;
        g->weights[colour] = (uint8_t)weight;
        if (find_weights(g, colour + 1, taken | 1U << weight)) return true;
    }
    return false;
}

static bool believe(const void *given, sb_arc_level *level, void *now, int n) {
    facts *f = (facts *)level->facts;
    guess g = {.learned = given, .facts = f, .used = colours_of(given, f), .skipped = n};
    (void)now;
    memset(g.weights, 1, sizeof g.weights);
    return find_weights(&g, 0, 0);
}

/* Moves one stone after the other, so that they lie in ways that were not seen. */
static sb_arc_move explore(const void *given, const sb_arc_level *level, const void *now) {
    int16_t cells[STONES] = {0};
    const int n = clicks(level, now, cells); /* some stone is never bolted */
    return (sb_arc_move){.id = SB_ARC_CLICK, .cell = cells[n > 0 ? ((const learned *)given)->looks % n : 0]};
}

static const sb_arc_study study = {.learn = learn, .believe = believe, .explore = explore};

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t weights[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    bool is_new_there = !rules[n].new_colour;
    level->width = level->height = SIDE;
    f->stones = rules[n].stones, f->beams = rules[n].beams, f->places = (uint8_t)(1 + 2 * f->beams);
    f->doubles = rules[n].doubles, f->hangs = rules[n].hangs;
    for (int i = 0; i < f->stones; i++) {
        const int colour = (int)sb_integers(rng, 0, rules[n].colours);
        f->colours[i] = (uint8_t)(FIRST_COLOUR + colour), f->weights[i] = weights[colour];
        is_new_there |= colour == rules[n].colours - 1;
    }
    for (int i = 0; i < rules[n].bolted; i++) f->bolted[i] = (uint8_t)sb_integers(rng, 1, 3);
    const int solutions = count_solutions(f, rules[n].most_solutions + 1);
    return is_new_there && solutions >= 1 && solutions <= rules[n].most_solutions;
}

static int measure(const sb_arc_level *level, int shortest) {
    return shortest + WEIGHING * new_colours[level->number - 1];
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Stones of the colours that the board has, too, would not be seen; so the board is black. */
static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    sb_arc_canvas_clear(canvas, SB_ARC_CELL_SIDE * SIDE, SB_ARC_CELL_SIDE * SIDE, SB_ARC_BLACK);
    for (int x = 0; x < SIDE; x++)
        sb_arc_put(canvas, level, sb_arc_cell(level, x, TRAY_ROW + 1), SB_ARC_FULL, SB_ARC_GREY);
    for (int beam = 0; beam < f->beams; beam++) {
        const int right = f->doubles ? 9 : 11;
        for (int x = 3; x <= right; x++)
            sb_arc_put(canvas, level, sb_arc_cell(level, x, beam_row(f, beam)), SB_ARC_BAR, SB_ARC_LIGHT_GREY);
        sb_arc_put(canvas, level, sb_arc_cell(level, 7, beam_row(f, beam)), SB_ARC_FULL, SB_ARC_LIGHT_GREY);
    }
}

static void put_pan(const sb_arc_level *level, const situation *s, int pan, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    const int row = pan_row(f, s, pan) + 1;
    for (int x = 0; x < STONES; x++)
        sb_arc_put(canvas, level, sb_arc_cell(level, pan_column(pan) + x, row), SB_ARC_BAR, SB_ARC_OFF_WHITE);
}

/* Puts the rope that beam 2 hangs on. */
static void put_rope(const sb_arc_level *level, const situation *s, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    for (int y = pan_row(f, s, 1) + 2; y < beam_row(f, 1); y++)
        sb_arc_put(canvas, level, sb_arc_cell(level, 3, y), SB_ARC_UPRIGHT, SB_ARC_LIGHT_GREY);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    const facts *f = read_facts(level);
    for (int pan = 1; pan < f->places; pan++) put_pan(level, s, pan, canvas);
    if (f->hangs) put_rope(level, s, canvas);
    for (int i = 0; i < f->stones; i++) {
        const int cell = stone_cell(level, s, i);
        sb_arc_put(canvas, level, cell, SB_ARC_FULL, f->colours[i]);
        if (f->bolted[i]) sb_arc_put(canvas, level, cell, SB_ARC_RING, SB_ARC_WHITE);
    }
}

const sb_arc_game sb_arc_scales = {.name = "Scales",
                                   .actions = "6",
                                   .kinds = 1,
                                   .bands = bands,
                                   .n_levels = sizeof bands / sizeof *bands,
                                   .situation = sizeof(situation),
                                   .fix = fix,
                                   .make = make,
                                   .measure = measure,
                                   .begin = begin,
                                   .act = act,
                                   .hide = hide,
                                   .tell = tell,
                                   .study = &study,
                                   .clicks = clicks,
                                   .bound = bound,
                                   .paint = paint,
                                   .draw = draw};
