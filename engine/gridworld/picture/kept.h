/* Grounds of pictures that are kept, so that a picture with the same terrain as an earlier one begins with a copy.
 * Threads share them and never wait for each other: whoever finds a place in use draws the ground again. What is kept
 * changes how long a picture takes and nothing else. */
#ifndef SB_GRIDWORLD_KEPT_H
#define SB_GRIDWORLD_KEPT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/gridworld/episode.h"

/* Everything that a ground depends on. What follows the cells is not compared. */
typedef struct sb_ground_key {
    uint8_t width, height;
    uint8_t cells[SB_CELLS_MAX]; /* sb_ground, and SB_GROUND_BORDER */
} sb_ground_key;

typedef struct sb_kept_ground {
    atomic_int users; /* how many read it; -1: it is being drawn */
    bool is_drawn;
    sb_ground_key key;
    uint8_t *indexed; /* colour numbers, */
    uint8_t *rgb;     /* and, if pictures have three bytes a pixel, their colours */
} sb_kept_ground;

enum { SB_KEPT_MAX = 64 };
typedef struct sb_kept_grounds {
    int n;
    uint8_t *block; /* the pixels of all */
    sb_kept_ground of[SB_KEPT_MAX];
} sb_kept_grounds;

/* Makes room for grounds of this many pixels; false without memory. `depth`: bytes a pixel, 1 or 3. */
bool sb_kept_make(sb_kept_grounds *kept, size_t pixels, int depth);
void sb_kept_free(sb_kept_grounds *kept);

/* Returns the ground with this key for reading, or the place where it may be drawn (`is_drawn` is then false), or NULL
 * if that place is in use. The caller gives it back by sb_kept_release. */
sb_kept_ground *sb_kept_take(sb_kept_grounds *kept, const sb_ground_key *key);
/* Makes a ground that was just drawn readable; the caller goes on reading. */
void sb_kept_drawn(sb_kept_ground *ground, const sb_ground_key *key);
void sb_kept_release(sb_kept_ground *ground);

#endif
