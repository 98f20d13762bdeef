/* Fold: a sheet with ink is folded until it is the goal beside it.
 *
 * Actions 1 to 4 lay the part on the opposite side over the sheet, mirrored (1: the lowest rows upwards): a third of
 * the sheet if the number of cells in that direction can be divided by three, else a half if it is even; else nothing
 * happens. Thirds make sequences matter: of two folds in halves, one forgets which half was kept by the other. Ink
 * joins by the level's law: ink on ink stays, or vanishes. Action 5 turns the sheet clockwise on the last level. */
#include "generators/arc/games.h"

enum { LONGEST = 27, WIDEST = 16, MOST_SHEETS = 1200 };
enum { PANEL_WIDTH = 30, PANEL_HEIGHT = 56, CANVAS_WIDTH = 64, CANVAS_HEIGHT = 60 };

typedef struct sheet {
    uint8_t height, width;
    uint16_t ink[LONGEST]; /* ink of each row: a bit for each column, the lowest is the leftmost */
} sheet;

typedef struct facts {
    bool vanishes, turns;
    uint8_t unit; /* side of a cell in pixels */
    sheet start, goal;
} facts;

typedef struct situation {
    sheet sheet;
    uint8_t moving, unused; /* moving: the action whose part of the sheet is on the way; 0: none */
} situation;

static const struct {
    uint8_t height, width;
    bool vanishes, turns;
    double ink;
} rules[] = {{27, 9, 0, 0, .05}, {9, 9, 0, 0, .12},   {27, 9, 0, 0, .05}, {27, 9, 1, 0, .25},
             {27, 9, 1, 0, .25}, {27, 12, 1, 0, .25}, {12, 9, 1, 1, .30}};

static const sb_arc_band bands[] = {{6, 7, true},  {4, 5, false}, {5, 6, false}, {5, 6, true},
                                    {5, 6, false}, {6, 7, false}, {5, 7, true}};

static const facts *read_facts(const sb_arc_level *level) { return (const facts *)level->facts; }

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static uint16_t join(bool vanishes, int a, int b) { return (uint16_t)(vanishes ? a ^ b : a | b); }

static int mirrored(int row, int width) {
    int other = 0;
    for (int x = 0; x < width; x++) other |= (row >> x & 1) << (width - 1 - x);
    return other;
}

/* How many of n rows or columns are laid over the others; 0: the sheet cannot be folded there. */
static int laid_of(int n) { return n % 3 == 0 ? n / 3 : n % 2 == 0 ? n / 2 : 0; }

/* The upper rows stay and the lowest ones are laid over them, or the reverse. */
static void fold_rows(sheet *s, bool vanishes, bool keeps_upper) {
    const sheet old = *s;
    const int laid = laid_of(old.height), kept = old.height - laid;
    memset(s->ink, 0, sizeof s->ink);
    memcpy(s->ink, old.ink + (keeps_upper ? 0 : laid), (size_t)kept * sizeof *s->ink);
    for (int i = 0; i < laid; i++) {
        const int at = keeps_upper ? kept - 1 - i : i, from = keeps_upper ? kept + i : laid - 1 - i;
        s->ink[at] = join(vanishes, s->ink[at], old.ink[from]);
    }
    s->height = (uint8_t)kept;
}

static void fold_columns(sheet *s, bool vanishes, bool keeps_left) {
    const int laid = laid_of(s->width), kept = s->width - laid;
    for (int y = 0; y < s->height; y++) {
        const int row = s->ink[y], left = row & ((1 << laid) - 1), right = row >> kept;
        s->ink[y] = keeps_left ? join(vanishes, row & ((1 << kept) - 1), mirrored(right, laid) << (kept - laid))
                               : join(vanishes, row >> laid, mirrored(left, laid));
    }
    s->width = (uint8_t)kept;
}

static void turn(sheet *s) {
    const sheet old = *s;
    memset(s->ink, 0, sizeof s->ink);
    s->height = old.width, s->width = old.height;
    for (int y = 0; y < old.height; y++)
        for (int x = 0; x < old.width; x++)
            if (old.ink[y] >> x & 1) s->ink[x] |= (uint16_t)(1 << (old.height - 1 - y));
}

static bool can(const facts *f, const sheet *s, int action) {
    if (action == SB_ARC_USE) return f->turns;
    return laid_of(action <= SB_ARC_DOWN ? s->height : s->width) > 0;
}

static void change(const facts *f, sheet *s, int action) {
    if (action == SB_ARC_USE)
        turn(s);
    else if (action <= SB_ARC_DOWN)
        fold_rows(s, f->vanishes, action == SB_ARC_UP);
    else
        fold_columns(s, f->vanishes, action == SB_ARC_LEFT);
}

static bool same(const sheet *a, const sheet *b) { return memcmp(a, b, sizeof *a) == 0; }

static void begin(const sb_arc_level *level, void *given) { ((situation *)given)->sheet = read_facts(level)->start; }

/* Frames: the sheet, the part on the way, and what came of it. */
static sb_arc_outcome act(const sb_arc_level *level, void *given, sb_arc_move move, const sb_arc_viewer *viewer) {
    situation *s = given;
    const facts *f = read_facts(level);
    if (!can(f, &s->sheet, move.id)) return SB_ARC_GOES_ON;
    if (move.id != SB_ARC_USE) {
        sb_arc_look(viewer);
        s->moving = move.id;
        sb_arc_look(viewer);
        s->moving = 0;
    }
    change(f, &s->sheet, move.id);
    return same(&s->sheet, &f->goal) ? SB_ARC_WON : SB_ARC_GOES_ON;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static void draw_sheet(sheet *s, sb_rng *rng, int height, int width, double ink) {
    s->height = (uint8_t)height, s->width = (uint8_t)width;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (sb_random(rng) < ink) s->ink[y] |= (uint16_t)(1 << x);
}

static int inked(const sheet *s) {
    int n = 0;
    for (int y = 0; y < s->height; y++) n += __builtin_popcount(s->ink[y]);
    return n;
}

typedef struct reached {
    int n;
    sheet sheets[MOST_SHEETS];
    uint8_t folds[MOST_SHEETS];
} reached;

static void reach(reached *r, const sheet *s, int folds) {
    for (int i = 0; i < r->n; i++)
        if (same(&r->sheets[i], s)) return;
    if (r->n == MOST_SHEETS) return;
    r->sheets[r->n] = *s, r->folds[r->n++] = (uint8_t)folds;
}

/* All sheets that can be made by up to `most` actions, in order of their least number of actions. */
static void reach_all(const facts *f, reached *r, int most) {
    r->n = 0;
    reach(r, &f->start, 0);
    for (int i = 0; i < r->n && r->folds[i] < most; i++)
        for (int action = SB_ARC_UP; action <= SB_ARC_USE; action++) {
            sheet next = r->sheets[i];
            if (!can(f, &next, action)) continue;
            change(f, &next, action);
            reach(r, &next, r->folds[i] + 1);
        }
}

/* The largest cells, in pixels, with which a sheet fits into its panel, turned or not. */
static int unit_of(int height, int width, bool turns) {
    const int widest = turns && height > width ? height : width;
    const int across = PANEL_WIDTH / widest, down = PANEL_HEIGHT / height;
    return across < down ? across : down;
}

static bool make(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]) {
    const int n = level->number - 1;
    facts *f = (facts *)level->facts;
    int16_t goals[MOST_SHEETS];
    int n_goals = 0;
    reached r;
    (void)fixed;
    f->vanishes = rules[n].vanishes, f->turns = rules[n].turns;
    f->unit = (uint8_t)unit_of(rules[n].height, rules[n].width, f->turns);
    level->width = level->height = SB_ARC_BOARD_SIDE;
    draw_sheet(&f->start, rng, rules[n].height, rules[n].width, rules[n].ink);
    const int asked = (int)sb_integers(rng, bands[n].least, bands[n].most + 1);
    reach_all(f, &r, asked);
    for (int i = 0; i < r.n; i++)
        if (r.folds[i] == asked && inked(&r.sheets[i]) >= 2) goals[n_goals++] = (int16_t)i;
    if (n_goals == 0) return false;
    f->goal = r.sheets[goals[sb_integers(rng, 0, n_goals)]];
    return true;
}

/* Ink that vanishes is new on level 4, turning the sheet is new on level 7. */
static sb_arc_need without(sb_arc_level *level) {
    facts *f = (facts *)level->facts;
    if (level->number == 4) f->vanishes = false;
    if (level->number == 7) f->turns = false;
    return level->number == 4 || level->number == 7 ? SB_ARC_HELPS : SB_ARC_NOTHING_NEW;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static void tell_sheet(sb_out *out, const char *key, const sheet *s) {
    uint8_t cells[LONGEST * WIDEST];
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) cells[y * s->width + x] = s->ink[y] >> x & 1;
    sb_arc_tell_rows(out, key, cells, s->width, s->height);
}

static void tell(const sb_arc_level *level, const void *given, sb_out *out) {
    const facts *f = read_facts(level);
    tell_sheet(out, "sheet", &((const situation *)given)->sheet);
    tell_sheet(out, "goal", &f->goal);
    sb_member_bool(out, "vanishes", f->vanishes);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Whether a cell is of the part that an action moves. */
static bool is_moving(const sheet *s, int x, int y, int action) {
    switch (action) {
    case SB_ARC_UP: return y >= s->height - laid_of(s->height);
    case SB_ARC_DOWN: return y < laid_of(s->height);
    case SB_ARC_LEFT: return x >= s->width - laid_of(s->width);
    case SB_ARC_RIGHT: return x < laid_of(s->width);
    default: return false;
    }
}

static void put_sheet(const sheet *s, int moving, int unit, int left, int top, sb_arc_canvas *canvas) {
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const bool is_inked = s->ink[y] >> x & 1;
            const uint8_t ink = is_moving(s, x, y, moving) ? SB_ARC_LIGHT_BLUE : SB_ARC_BLUE;
            const uint8_t blank = is_moving(s, x, y, moving) ? SB_ARC_OFF_WHITE : SB_ARC_WHITE;
            sb_arc_fill(canvas, left + x * unit, top + y * unit, unit, unit, is_inked ? ink : blank);
        }
}

static void paint(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const facts *f = read_facts(level);
    const int left = CANVAS_WIDTH / 2 + 2, width = f->goal.width * f->unit, height = f->goal.height * f->unit;
    sb_arc_canvas_clear(canvas, CANVAS_WIDTH, CANVAS_HEIGHT, SB_ARC_OFF_BLACK);
    sb_arc_fill(canvas, left - 1, 1, width + 2, height + 2, SB_ARC_GREY);
    put_sheet(&f->goal, 0, f->unit, left, 2, canvas);
}

static void draw(const sb_arc_level *level, const void *given, sb_arc_canvas *canvas) {
    const situation *s = given;
    put_sheet(&s->sheet, s->moving, read_facts(level)->unit, 1, 2, canvas);
}

const sb_arc_game sb_arc_fold = {.tell = tell,
                                 .name = "Fold",
                                 .actions = "123457",
                                 .kinds = 6,
                                 .bands = bands,
                                 .n_levels = sizeof bands / sizeof *bands,
                                 .situation = sizeof(situation),
                                 .make = make,
                                 .without = without,
                                 .begin = begin,
                                 .act = act,
                                 .paint = paint,
                                 .draw = draw};
