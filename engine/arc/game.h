/* The form in which games of levels are written: a constant that holds the rules, levels that a generator fills, and
 * situations, which are what the rules change. A situation is small and has no pointers, so that a search looks at
 * hundreds of thousands of them by the very rules that are played.
 *
 * A board has width x height cells; cell number y * width + x. Border cells are walls in games with a walker, so that
 * no rule need look for the edge. A cell is drawn 3 x 3 pixels large, and the camera makes a frame of it. */
#ifndef SB_ARC_GAME_H
#define SB_ARC_GAME_H

#include <string.h>

#include "base/out.h"
#include "engine/arc/loop.h"
#include "seeds/rng.h"

enum {
    SB_ARC_BOARD_SIDE = 21,
    SB_ARC_CELLS = SB_ARC_BOARD_SIDE * SB_ARC_BOARD_SIDE,
    SB_ARC_CELL_SIDE = 3,  /* pixels */
    SB_ARC_SITUATION = 64, /* bytes of a situation */
    SB_ARC_FACTS = 512,    /* bytes that a level has for its game */
    SB_ARC_LEVELS = 8,
    SB_ARC_NOWHERE = -1,
    SB_ARC_UNDONE = 64 /* actions that can be taken back */
};

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Colours by their published names. */
enum {
    SB_ARC_WHITE,
    SB_ARC_OFF_WHITE,
    SB_ARC_LIGHT_GREY,
    SB_ARC_GREY,
    SB_ARC_OFF_BLACK,
    SB_ARC_BLACK,
    SB_ARC_MAGENTA,
    SB_ARC_LIGHT_MAGENTA,
    SB_ARC_RED,
    SB_ARC_BLUE,
    SB_ARC_LIGHT_BLUE,
    SB_ARC_YELLOW,
    SB_ARC_ORANGE,
    SB_ARC_MAROON,
    SB_ARC_GREEN,
    SB_ARC_PURPLE
};

/* What is drawn in a cell of 3 x 3 pixels: a bit for each, row by row, the first is the highest. */
typedef enum sb_arc_glyph {
    SB_ARC_FULL = 0777,
    SB_ARC_RING = 0757,
    SB_ARC_DOT = 0020,
    SB_ARC_PLUS = 0272,
    SB_ARC_EX = 0525,
    SB_ARC_ARROW_UP = 0275,
    SB_ARC_ARROW_RIGHT = 0636,
    SB_ARC_ARROW_DOWN = 0572,
    SB_ARC_ARROW_LEFT = 0363,
    SB_ARC_BAR = 0070,
    SB_ARC_UPRIGHT = 0222, /* an upright bar */
    SB_ARC_BOX = 0505
} sb_arc_glyph;

typedef struct sb_arc_canvas {
    int32_t width, height; /* pixels */
    uint8_t pixels[SB_ARC_FRAME];
} sb_arc_canvas;

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* What is in a cell; games have codes of their own from SB_ARC_OWN on. */
enum { SB_ARC_FLOOR, SB_ARC_WALL, SB_ARC_START, SB_ARC_EXIT, SB_ARC_OWN };

typedef struct sb_arc_level {
    uint8_t number; /* from 1 */
    uint8_t width, height;
    uint8_t cells[SB_ARC_CELLS];
    uint8_t marks[SB_ARC_CELLS];             /* which one of its kind is in a cell, or whatever the game means */
    int16_t start, exit;                     /* cells, or SB_ARC_NOWHERE */
    _Alignas(8) uint8_t facts[SB_ARC_FACTS]; /* what the game itself keeps of the level */
    sb_arc_canvas ground;                    /* what never changes, as it is drawn under everything else */
    int32_t best;                            /* actions that the oracle takes from the start */
    int32_t baseline, budget;                /* numbers of actions; budget: for one try */
    int32_t attempts, widened; /* how many levels were drawn for this one; how often its band was made wider */
} sb_arc_level;

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

typedef enum sb_arc_outcome { SB_ARC_GOES_ON, SB_ARC_WON, SB_ARC_LOST } sb_arc_outcome;

/* An action as rules see it: of a click, they are told the cell that it hits. */
typedef struct sb_arc_move {
    uint8_t id;
    int16_t cell; /* cell that a click hits; SB_ARC_NOWHERE: beside the board */
} sb_arc_move;

/* Whoever looks at situations between the frames of an action; NULL: nobody. */
typedef struct sb_arc_viewer {
    void (*look)(const struct sb_arc_viewer *viewer);
} sb_arc_viewer;

/* For rules with several frames an action: shows the situation as it is now. The last situation of an action is shown
 * anyway. */
static inline void sb_arc_look(const sb_arc_viewer *viewer) {
    if (viewer) viewer->look(viewer);
}

/* What must hold of a level without its new thing, so that this thing is needed. */
typedef enum sb_arc_need {
    SB_ARC_NOTHING_NEW, /* nothing is asked */
    SB_ARC_HELPS,       /* without the new thing there is no solution, or it is longer by 2 actions or more */
    SB_ARC_HINDERS      /* without the new thing there is a shorter solution */
} sb_arc_need;

/* What a game demands of a level: the band of its length, and whether something is new in it. */
typedef struct sb_arc_band {
    uint16_t least, most;
    bool is_new;
} sb_arc_band;

enum { SB_ARC_LEARNED = 4096 /* bytes for what an observer learns */ };

/* How observers, who see hidden levels only, find out what is hidden. `learned` is zeroed when an episode begins. */
typedef struct sb_arc_study {
    /* Takes in what the last action showed; arguments are those of `hide`. */
    void (*learn)(void *learned, const sb_arc_level *level, const void *before, const void *now, sb_arc_move move);
    /* Writes the n-th guess, from 0, that agrees with all that was learned into a level and a situation. False: there
     * is none. NULL: the observer makes no plans. */
    bool (*believe)(const void *learned, sb_arc_level *level, void *now, int n);
    /* Says what an observer without a plan does. */
    sb_arc_move (*explore)(const void *learned, const sb_arc_level *level, const void *now);
} sb_arc_study;

typedef struct sb_arc_game {
    const char *name;
    const char *actions;      /* digits of the actions on offer, without RESET, ascending: "12347" */
    const sb_arc_band *bands; /* a band for each of n_levels levels */
    uint8_t n_levels;
    /* kinds of actions, for baselines: one for each action, and one for every kind of thing to click on, at most 4 */
    uint8_t kinds;
    uint8_t situation; /* bytes that the game uses of a situation */
    /* Draws what is the same in all levels of a game, 16 bytes. NULL: nothing is. */
    void (*fix)(sb_rng *rng, uint8_t fixed[16]);
    /* Makes one attempt at a zeroed level whose number is set. False: it came to nothing; another one is made. */
    bool (*make)(sb_arc_level *level, sb_rng *rng, const uint8_t fixed[16]);
    /* Makes the situation at the start of a try; it is zeroed before. */
    void (*begin)(const sb_arc_level *level, void *situation);
    /* Shows frames at the start of a try, before the usual one; the situation stays as it is. NULL: there are none. */
    void (*prelude)(const sb_arc_level *level, void *situation, const sb_arc_viewer *viewer);
    /* The rules: takes an action on offer other than RESET and undo. */
    sb_arc_outcome (*act)(const sb_arc_level *level, void *situation, sb_arc_move move, const sb_arc_viewer *viewer);
    /* Draws what never changes; NULL: walls and floor are drawn. */
    void (*paint)(const sb_arc_level *level, sb_arc_canvas *canvas);
    void (*draw)(const sb_arc_level *level, const void *situation, sb_arc_canvas *canvas);
    /* Where a try was lost; SB_ARC_NOWHERE or NULL: at no place. */
    int (*lost_at)(const sb_arc_level *level, const void *situation);
    /* The cells worth clicking, in the order in which a search tries them; at most SB_ARC_CELLS. NULL: no clicks. */
    int (*clicks)(const sb_arc_level *level, const void *situation, int16_t *cells);
    /* A lower bound on the actions that are left; negative: it cannot be won. NULL: none is known. */
    int (*bound)(const sb_arc_level *level, const void *situation);
    /* Takes the new thing out of a level, and says what must hold then. NULL: nothing is asked. */
    sb_arc_need (*without)(sb_arc_level *level);
    /* The length by which a level is judged, given its shortest solution; negative: the level is refused. NULL: that
     * length itself. For games in which the shortest way asks for luck. */
    int (*measure)(const sb_arc_level *level, int shortest);
    /* Games that no search solves: writes a solution from a situation and returns its length, at most `capacity`;
     * negative: none was found. NULL: breadth-first search, or A* if there is a bound. */
    int (*solve)(const sb_arc_level *level, const void *situation, sb_arc_move *moves, int capacity);
    /* Overwrites what no frame of the last action shows: in the level, in the situation before that action and in the
     * one after it. Both must look as before, and the move must still lead from one to the other. move.id is RESET if
     * the last action began the level (then its prelude is shown), and UNDO if no rule led from one to the other. NULL:
     * frames show all that decides the future, but for what follows from the agent's own actions. */
    void (*hide)(sb_arc_level *level, void *before, void *now, sb_arc_move move);
    /* For the privileged mode: names of the game's own codes of cells, up to NULL; NULL: it has none. */
    const char *const *cells;
    /* Puts the things that are not cells as items of a JSON list, and variables, hidden or not, as members of an object
     * (generators/arc/games.h). NULL: there are none. */
    void (*things)(const sb_arc_level *level, const void *situation, sb_out *out);
    void (*tell)(const sb_arc_level *level, const void *situation, sb_out *out);
    const sb_arc_study *study; /* how an observer finds out what is hidden; NULL: nothing is */
} sb_arc_game;

/* ---- Helpers of rules -------------------------------------------------------------------------------------------- */

static inline int sb_arc_x(const sb_arc_level *level, int cell) { return cell % level->width; }
static inline int sb_arc_y(const sb_arc_level *level, int cell) { return cell / level->width; }
static inline int sb_arc_cell(const sb_arc_level *level, int x, int y) { return y * level->width + x; }

/* The cell where an action leads from a cell: up, down, left, right; all others stay. */
static inline int sb_arc_towards(const sb_arc_level *level, int cell, int action) {
    switch (action) {
    case SB_ARC_UP: return cell - level->width;
    case SB_ARC_DOWN: return cell + level->width;
    case SB_ARC_LEFT: return cell - 1;
    case SB_ARC_RIGHT: return cell + 1;
    default: return cell;
    }
}

static inline bool sb_arc_is_wall(const sb_arc_level *level, int cell) { return level->cells[cell] == SB_ARC_WALL; }
bool sb_arc_offers(const sb_arc_game *game, int action);

/* ---- Helpers of pictures ----------------------------------------------------------------------------------------- */

void sb_arc_canvas_clear(sb_arc_canvas *canvas, int width, int height, uint8_t colour);
/* Draws a glyph in a cell of a board. */
void sb_arc_put(sb_arc_canvas *canvas, const sb_arc_level *level, int cell, sb_arc_glyph glyph, uint8_t colour);
/* Fills a rectangle of pixels, cut to the canvas. */
void sb_arc_fill(sb_arc_canvas *canvas, int x, int y, int width, int height, uint8_t colour);
/* Draws floor, walls and a plain exit, as large as the board. */
void sb_arc_paint_board(const sb_arc_level *level, sb_arc_canvas *canvas);

#endif
