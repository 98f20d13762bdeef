/* What the game Lantern and its observer share. */
#ifndef SB_ARC_LANTERN_H
#define SB_ARC_LANTERN_H

#include "engine/arc/game.h"

/* Codes of cells. A lamp's mark is its number, an arrow's mark the action by which it is entered. */
enum {
    SB_ARC_LANTERN_LAMP = SB_ARC_OWN,
    SB_ARC_LANTERN_KEY,
    SB_ARC_LANTERN_DOOR,
    SB_ARC_LANTERN_ARROW,
    SB_ARC_LANTERN_PIT
};

typedef struct sb_arc_lantern_facts {
    uint8_t radius, n_lamps;
    bool needs_lamps; /* the exit works only when all lamps are lit */
    int16_t lamps[3], key;
} sb_arc_lantern_facts;

/* The situation in a level of Lantern. */
typedef struct sb_arc_lantern {
    int16_t at;
    uint8_t lit; /* a bit for each lamp */
    bool has_key, is_open;
    uint8_t unused;
} sb_arc_lantern;

/* Whether a cell is light, and what is shown there if it is. */
bool sb_arc_lantern_sees(const sb_arc_level *level, const sb_arc_lantern *s, int cell);
uint8_t sb_arc_lantern_shows(const sb_arc_level *level, const sb_arc_lantern *s, int cell);
/* Finds the way by what was seen. */
extern const sb_arc_study sb_arc_lantern_study;
/* Lets an observer play the level; returns how many actions it needs, negative: it does not get out. */
int sb_arc_lantern_observe(const sb_arc_level *level);

#endif
