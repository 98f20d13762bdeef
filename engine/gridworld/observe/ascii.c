/* The published ASCII view: the task's header lines, the grid with two characters per cell, and a legend of what is
 * visible. Datasets spend most of their time here, so one pass over the cells writes them and collects what the legend
 * has to explain. */
#include "engine/gridworld/observe/observe.h"

#include <string.h>

/* ---- Colours: SGR codes of two digits ---- */

#define ESCAPE     "\x1b["
#define RESET      "\x1b[0m"
#define INK_AGENT  "94"
#define INK_WALL   "90"
#define INK_GOAL   "92"
#define INK_KEY    "93"
#define INK_DOOR   "33"
#define INK_HAZARD "91"
#define INK_BOX    "95"
#define INK_EMPTY  "37"
#define INK_WATER  "96"
#define INK_ICE    "97"
#define INK_NPC    "96"
#define INK_ENEMY  "91"
#define INK_GEM    "35"
#define INK_LEVER  "33"
#define INK_POTION "96"
#define INK_SCROLL "33"
#define INK_COIN   "93"
#define INK_ORB    "95"

/* Returns the colour for metadata 1, 2, ... up to `last`, which depends on the object. */
static const char *ink_of(int m, int last, const char *otherwise) {
    static const char *const inks[] = {NULL, INK_HAZARD, INK_AGENT, INK_GOAL, INK_COIN, INK_SCROLL};
    return m >= 1 && m <= last ? inks[m] : otherwise;
}

/* ---- What a cell looks like ---- */

typedef struct glyph {
    char text[5]; /* two characters and NUL; the second character of a high tile number takes up to three bytes */
    char ink[3];
} glyph;

enum { GLYPH_MAX = 4, COLORED_MAX = sizeof ESCAPE "33m" - 1 + GLYPH_MAX + sizeof RESET - 1 };

/* Each look of a cell with metadata 0 has a number: that of its object, or else that of its terrain. The set of what
 * was seen consists of these numbers and a few more for the legend. */
#define TERRAIN(t) (t)
#define OBJECT(o)  (SB_HOLE + (o)) /* from SB_GOAL on: NONE has no look */
#define BIT(look)  (UINT32_C(1) << (look))
enum { CLUE = OBJECT(SB_N_OBJECTS), TYPED_TARGET, ALWAYS, N_SEEN };
_Static_assert(N_SEEN <= 32, "what was seen is kept in 32 bits");

/* The published looks: of terrains, and of objects on any terrain. */
#define TERRAINS(X)                                                                                                    \
    X(SB_EMPTY, ". ", INK_EMPTY)                                                                                       \
    X(SB_WALL, "# ", INK_WALL)                                                                                         \
    X(SB_HAZARD, "X ", INK_HAZARD)                                                                                     \
    X(SB_WATER, "~ ", INK_WATER)                                                                                       \
    X(SB_ICE, "i ", INK_ICE)                                                                                           \
    X(SB_HOLE, "O ", INK_WALL)
#define OBJECTS(X)                                                                                                     \
    X(SB_GOAL, "G ", INK_GOAL)                                                                                         \
    X(SB_KEY, "Kg", INK_KEY)                                                                                           \
    X(SB_DOOR, "Dg", INK_DOOR)                                                                                         \
    X(SB_SWITCH, "S ", INK_WALL)                                                                                       \
    X(SB_BOX, "B ", INK_BOX)                                                                                           \
    X(SB_TARGET, "T ", INK_GOAL)                                                                                       \
    X(SB_TOOL, "t ", INK_KEY)                                                                                          \
    X(SB_RESOURCE, "r ", INK_KEY)                                                                                      \
    X(SB_BREADCRUMB, "* ", INK_KEY)                                                                                    \
    X(SB_NPC, "N ", INK_NPC)                                                                                           \
    X(SB_ENEMY, "E ", INK_ENEMY)                                                                                       \
    X(SB_SHEEP, "o ", INK_GOAL)                                                                                        \
    X(SB_BLOCKER, "X ", INK_HAZARD)                                                                                    \
    X(SB_GEM, "d ", INK_GEM)                                                                                           \
    X(SB_LEVER, "L ", INK_LEVER)                                                                                       \
    X(SB_POTION, "P ", INK_POTION)                                                                                     \
    X(SB_SCROLL, "? ", INK_SCROLL)                                                                                     \
    X(SB_COIN, "c ", INK_COIN)                                                                                         \
    X(SB_ORB, "O ", INK_ORB)

/* What is drawn of a cell with metadata 0 and what it tells the legend, by terrain and object, and last the same of a
 * fogged cell: nearly all cells are of these kinds. The terrain under an object is not visible, but counts as seen. */
enum { N_LOOKS = 8 * SB_N_OBJECTS + 1, FOGGED = N_LOOKS - 1 };
_Static_assert(SB_HOLE < 8, "terrains have three bits in the table");

typedef struct look {
    char text[2], ink[2];
    uint32_t seen;
} look;

#define PLAIN(t, o)               8 * (o) + (t)
#define PLAIN_FLOOR(t, text, ink) [PLAIN(t, SB_NONE)] = {text, ink, BIT(TERRAIN(t))},
#define PLAIN_ON(t, o, text, ink) [PLAIN(t, o)] = {text, ink, BIT(OBJECT(o)) | BIT(TERRAIN(t))}
#define PLAIN_OBJECT(o, text, ink)                                                                                     \
    PLAIN_ON(SB_EMPTY, o, text, ink), PLAIN_ON(SB_WALL, o, text, ink), PLAIN_ON(SB_HAZARD, o, text, ink),              \
        PLAIN_ON(SB_WATER, o, text, ink), PLAIN_ON(SB_ICE, o, text, ink), PLAIN_ON(SB_HOLE, o, text, ink),
static const look plain[N_LOOKS] = {TERRAINS(PLAIN_FLOOR) OBJECTS(PLAIN_OBJECT)[FOGGED] = {"  ", INK_WALL, 0}};

static inline const look *plain_look(const sb_cell *c) { return &plain[PLAIN(c->terrain, c->object)]; }

/* ---- Looks that depend on metadata, which is neither 0 nor fog here ---- */

static glyph make(char first, char second, const char *ink) { return (glyph){{first, second}, {ink[0], ink[1]}}; }

static glyph plain_glyph(const look *l) { return make(l->text[0], l->text[1], l->ink); }
static glyph object_glyph(sb_object o) { return plain_glyph(&plain[PLAIN(SB_EMPTY, o)]); }

static char suffix(int color) { return color >= 0 && color <= 3 ? "grbn"[color] : ' '; }

static glyph key(int m) { return make('K', suffix(m), ink_of(m, 3, INK_KEY)); }

static glyph door(int m) {
    const int color = sb_door_color(m);
    const bool open = sb_door_is_open(m);
    return make(open ? 'd' : 'D', suffix(color), ink_of(color, 3, open && color != 0 ? INK_GOAL : INK_DOOR));
}

/* Writes a number, cut to two characters like every cell. */
static glyph decimal(int n, const char *ink) {
    const bool negative = n < 0;
    if (negative) n = -n;
    char second = ' ';
    for (; n >= 10; n /= 10) second = (char)('0' + n % 10);
    const char first = (char)('0' + n);
    return negative ? make('-', first, ink) : make(first, second, ink);
}

static glyph utf8(unsigned c, const char *ink) {
    if (c < 0x80) return make((char)c, ' ', ink);
    glyph g = make('\0', '\0', ink);
    char *at = g.text;
    if (c < 0x800)
        *at++ = (char)(0xc0 | c >> 6);
    else
        *at++ = (char)(0xe0 | c >> 12), *at++ = (char)(0x80 | (c >> 6 & 0x3f));
    *at++ = (char)(0x80 | (c & 0x3f)), *at++ = ' ';
    return g;
}

/* Draws a numbered tile: digits, then letters, then the Unicode characters that follow. */
static glyph tile(int n, const char *ink) { return n <= 9 ? decimal(n, ink) : utf8((unsigned)('A' + n - 10), ink); }

static glyph switch_(int m) {
    if (sb_switch_is_on(m)) return make('s', ' ', INK_GOAL);
    return m > 0 ? decimal(m, ink_of(m, 4, INK_KEY)) : object_glyph(SB_SWITCH);
}

static glyph box(int m) { return tile(sb_box_number(m), sb_box_is_home(m) ? INK_GOAL : INK_BOX); }

static glyph target(int m) {
    if (sb_target_is_numbered(m)) return tile(sb_target_number(m), INK_GOAL);
    return object_glyph((sb_object)(sb_target_is_typed(m) ? m : SB_TARGET));
}

static glyph resource(int m) {
    if (m < 0) return object_glyph(SB_RESOURCE);
    const int digit = m / 11 + 1;
    return decimal(digit < 9 ? digit : 9, m > 60 ? INK_GOAL : m > 30 ? INK_COIN : INK_HAZARD);
}

static glyph npc(int m) {
    switch (m) {
    case SB_NPC_FOLLOWER: return make('F', ' ', INK_WATER);
    case SB_NPC_FEARFUL: return make('X', ' ', INK_GOAL);
    case SB_NPC_MIRROR: return make('M', ' ', INK_SCROLL);
    case SB_NPC_CONTRARIAN: return make('C', ' ', INK_COIN);
    default: return object_glyph(SB_NPC);
    }
}

static glyph lever(int m) { return sb_lever_is_on(m) ? make('l', ' ', INK_GOAL) : object_glyph(SB_LEVER); }

static const char arrows[] = "^>v<";

static glyph scroll(int m) {
    const int d = sb_clue_direction(m);
    return m > 0 && d < SB_NOWHERE ? make(arrows[d], ' ', INK_SCROLL) : object_glyph(SB_SCROLL);
}

static glyph (*const redrawn[SB_N_OBJECTS])(int m) = {
    [SB_KEY] = key,           [SB_DOOR] = door, [SB_SWITCH] = switch_, [SB_BOX] = box,       [SB_TARGET] = target,
    [SB_RESOURCE] = resource, [SB_NPC] = npc,   [SB_LEVER] = lever,    [SB_SCROLL] = scroll,
};

static glyph marked_glyph(const sb_cell *cell) {
    const int m = cell->metadata;
    if (redrawn[cell->object]) return redrawn[cell->object](m);
    if (cell->object == SB_NONE && cell->terrain == SB_WALL) return make('#', ' ', ink_of(m, 5, INK_WALL));
    return plain_glyph(plain_look(cell));
}

/* The mark of what is under the agent. No other things show under it; these show even if the cell is fogged. */
static char mark_of(const sb_cell *under) {
    switch (under->object) {
    case SB_GOAL: return 'G';
    case SB_KEY: return 'K';
    case SB_DOOR: return sb_door_is_open(under->metadata) ? 'd' : 'D';
    default: return ' ';
    }
}

static glyph agent_glyph(const sb_episode *e) {
    return make(arrows[e->agent.facing], mark_of(sb_peek(e, e->agent.at)), INK_AGENT);
}

/* ---- The grid ---- */

static uint32_t marks_seen(const sb_cell *c) {
    if (sb_fogged(c)) return 0;
    uint32_t seen = plain_look(c)->seen;
    if (c->object == SB_SCROLL && c->metadata > 0) seen |= BIT(CLUE);
    if (c->object == SB_TARGET && sb_target_is_typed(c->metadata)) seen |= BIT(TYPED_TARGET);
    return seen;
}

static inline char *append(char *at, const char *bytes, size_t n) {
    memcpy(at, bytes, n);
    return at + n;
}

static inline char *draw(char *at, const char *text, size_t n, const char ink[2], bool color) {
    if (color) at = append(append(append(at, ESCAPE, 2), ink, 2), "m", 1);
    at = append(at, text, n);
    return color ? append(at, RESET, 4) : at;
}

static char *draw_one(char *at, glyph g, bool color) {
    size_t n = 2;
    while (g.text[n]) n++; /* more than two bytes only for a high tile number */
    return draw(at, g.text, n, g.ink, color);
}

/* The loop is compiled twice, because `color` is a constant at each call. */
__attribute__((always_inline)) static inline char *draw_either(char *at, const sb_cell *cell, const sb_cell *end,
                                                               bool color, uint32_t *seen) {
    uint32_t all = *seen;
    for (; cell < end; cell++) {
        const bool is_fog = sb_fogged(cell);
        if (cell->metadata == 0 || is_fog) {
            const look *l = is_fog ? &plain[FOGGED] : plain_look(cell);
            all |= l->seen;
            at = draw(at, l->text, 2, l->ink, color);
        } else {
            at = draw_one(at, marked_glyph(cell), color);
            all |= marks_seen(cell);
        }
    }
    *seen = all;
    return at;
}

static char *draw_cells(char *at, const sb_cell *cell, const sb_cell *end, bool color, uint32_t *seen) {
    return color ? draw_either(at, cell, end, true, seen) : draw_either(at, cell, end, false, seen);
}

/* Draws all rows, each with its newline, and returns the end; needs grid_max bytes. */
static char *draw_grid(char *at, const sb_episode *e, bool color, uint32_t *seen) {
    const sb_cell *agent = sb_peek(e, e->agent.at), *row = e->cells;
    *seen = BIT(ALWAYS);
    for (int y = 0; y < e->height; y++, row += e->width) {
        const sb_cell *from = row, *end = row + e->width;
        if (y == e->agent.at.y) {
            at = draw_cells(at, row, agent, color, seen);
            at = draw_one(at, agent_glyph(e), color);
            *seen |= marks_seen(agent);
            from = agent + 1;
        }
        at = draw_cells(at, from, end, color, seen);
        *at++ = '\n';
    }
    return at;
}

static size_t grid_max(const sb_episode *e, bool color) {
    return (size_t)(sb_n_cells(e) * (color ? COLORED_MAX : GLYPH_MAX) + e->height);
}

/* Draws directly into the buffer if that is allowed and it has enough room, else into memory on the stack. */
static uint32_t put_grid(sb_out *out, const sb_episode *e, bool color) {
    char spare[SB_CELLS_MAX * COLORED_MAX + SB_SIDE_MAX];
    uint32_t seen;
    char *room = out->json ? NULL : sb_out_reserve(out, grid_max(e, color));
    if (room)
        sb_out_advance(out, (size_t)(draw_grid(room, e, color, &seen) - room));
    else
        sb_put(out, spare, (size_t)(draw_grid(spare, e, color, &seen) - spare));
    return seen;
}

/* ---- The legend ---- */

typedef struct line {
    uint32_t needs;    /* the line is shown if any of these looks was seen */
    const char *plain; /* the line without colours; it begins with a newline */
    size_t plain_size;
    const char *colored;
    size_t colored_size;
} line;

/* The newline at the front is as long as the NUL that sizeof counts. */
#define LINE(text)            "\n" text, sizeof text
#define SAME(text)            LINE(text), LINE(text)
#define SIGN(ink, sign, text) LINE(sign ": " text), LINE(ESCAPE ink "m" sign RESET ": " text)

static const line legend[] = {
    {BIT(ALWAYS), SAME("--- Legend ---")},
    {BIT(ALWAYS), SIGN(INK_AGENT, "A", "Agent (facing ^v<>)")},
    {BIT(TERRAIN(SB_WALL)), SIGN(INK_WALL, "#", "Wall")},
    {BIT(ALWAYS), SAME(".: Empty")},
    {BIT(ALWAYS), SIGN(INK_WALL, " ", "Fog (unexplored)")},
    {BIT(OBJECT(SB_GOAL)), SIGN(INK_GOAL, "G", "Goal")},
    {BIT(OBJECT(SB_KEY)), SIGN(INK_KEY, "K", "Key")},
    {BIT(OBJECT(SB_DOOR)), SIGN(INK_DOOR, "D", "Door (closed)")},
    {BIT(OBJECT(SB_DOOR)), SIGN(INK_GOAL, "d", "Door (open)")},
    {BIT(OBJECT(SB_SWITCH)), SIGN(INK_WALL, "S", "Switch (off)")},
    {BIT(OBJECT(SB_SWITCH)), SIGN(INK_GOAL, "s", "Switch (on)")},
    {BIT(OBJECT(SB_LEVER)), SIGN(INK_LEVER, "L", "Lever (off)")},
    {BIT(OBJECT(SB_LEVER)), SIGN(INK_GOAL, "l", "Lever (on)")},
    {BIT(OBJECT(SB_BOX)), SIGN(INK_BOX, "B", "Box")},
    {BIT(OBJECT(SB_TARGET)), SIGN(INK_GOAL, "T", "Target")},
    {BIT(TERRAIN(SB_WATER)), SIGN(INK_WATER, "~", "Water")},
    {BIT(TERRAIN(SB_HAZARD)), SIGN(INK_HAZARD, "X", "Hazard")},
    {BIT(TERRAIN(SB_ICE)), SIGN(INK_ICE, "i", "Ice")},
    {BIT(OBJECT(SB_ENEMY)), SIGN(INK_ENEMY, "E", "Enemy")},
    {BIT(OBJECT(SB_NPC)), SIGN(INK_NPC, "N", "NPC")},
    {BIT(OBJECT(SB_SHEEP)), SIGN(INK_GOAL, "o", "Sheep")},
    {BIT(OBJECT(SB_SCROLL)), SIGN(INK_SCROLL, "?", "Scroll")},
    {BIT(OBJECT(SB_COIN)), SIGN(INK_COIN, "c", "Coin")},
    {BIT(OBJECT(SB_POTION)), SIGN(INK_POTION, "P", "Potion")},
    {BIT(OBJECT(SB_ORB)), SIGN(INK_ORB, "O", "Orb")},
    {BIT(OBJECT(SB_KEY)) | BIT(OBJECT(SB_DOOR)),
     SAME("Color suffixes: g=gold, r=red, b=blue, n=green (e.g. Kr=red key, Db=blue door)")},
    {BIT(CLUE), SAME("Scroll arrows: ^ N, > E, v S, < W (direction + distance clue)")},
    {BIT(TYPED_TARGET), SAME("Typed targets show the required object symbol.")},
};

static void put_legend(sb_out *out, uint32_t seen, bool color) {
    const line *end = legend + sizeof legend / sizeof *legend;
    for (const line *l = legend; l < end; l++)
        if (l->needs & seen) sb_put(out, color ? l->colored : l->plain, color ? l->colored_size : l->plain_size);
}

void sb_observe_ascii(const sb_episode *e, bool color, sb_out *out) {
    sb_told told;
    if (e->task->tell) {
        sb_tell_task(e, &told);
        sb_put_told_lines(out, &told);
    }
    const uint32_t seen = put_grid(out, e, color);
    put_legend(out, seen, color);
}
