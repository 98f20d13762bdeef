/* An episode for a web page: for each step the picture, the text and what was done, as JSON that page_player.js plays.
 * Nothing is stored twice: pictures are numbers of tiles (mosaic.h), and only those that have changed since the step
 * before; texts are numbers of lines. */
#ifndef SB_EXPORTERS_REEL_H
#define SB_EXPORTERS_REEL_H

#include "exporters/image.h"
#include "exporters/mosaic.h"
#include "seedbed/player.h"

/* A reel begins with the first members set and all else zero. It serves one episode after another. */
typedef struct sb_reel {
    const sb_brush *brush;   /* how pictures are drawn; NULL: there are none */
    bool has_text;           /* whether to keep the family's first mode, too */
    const sb_intent *intent; /* what the player is after; NULL: it does not say */

    /* The next members are the reel's own. */
    sb_image image;
    sb_mosaic tiles;        /* tiles of the episode */
    uint32_t *before;       /* the tiles of the last picture, n_cells of them */
    size_t n_cells, n_room; /* n_room: how many tiles `before` has room for */
    uint8_t *tile;
    sb_out pictures; /* numbers, as uint32_t: for each picture how many follow, and then those */
    sb_out said;     /* the number of the line of what was done in each step, as JSON */
    sb_out frames;   /* lists of numbers of lines, one list for each text, as JSON */
    sb_out lines;    /* the lines as JSON strings */
    sb_out texts;    /* the lines, each ended by NUL */
    sb_out seen;     /* one observation or line */
    size_t n_lines;
} sb_reel;

/* Returns the mosaic, still empty, into which reels with this brush are put. Looks without tiles are cut into squares
 * of 16 pixels. */
sb_mosaic sb_reel_mosaic(const sb_brush *brush);

/* Begins another episode; before the first one, too. */
bool sb_reel_begin(sb_reel *reel, sb_error *error);
/* Adds the environment's state; an sb_visit, whose context is the reel. */
bool sb_reel_visit(void *reel, const sb_env *env, sb_action action, const sb_result *result, sb_error *error);
/* Writes the members `lines`, `said`, with text `texts`, and with pictures `width`, `height` (in pixels) and
 * `pictures`. A picture is a list of runs: how many tiles stay as they are, row by row; how many are new; and the
 * numbers of these in `all`, which the episode's tiles are added to. */
bool sb_reel_put(const sb_reel *reel, sb_mosaic *all, sb_out *out, sb_error *error);
void sb_reel_free(sb_reel *reel);

#endif
