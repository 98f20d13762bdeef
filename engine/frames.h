/* Frames: what worlds of coloured cells show after an action, for logs of transitions and models of worlds. A frame is
 * width * height numbers of colours, row by row from the top left. */
#ifndef SB_ENGINE_FRAMES_H
#define SB_ENGINE_FRAMES_H

#include "engine/contract.h"

enum {
    SB_FRAME_SIDE = 256,   /* cells along a side of the largest frame */
    SB_FRAME_COLOURS = 62, /* each has a sign: 0-9, a-z, A-Z */
    SB_FRAME_ANY = 255     /* in goals: a cell whose colour does not count */
};

/* What all frames of a task and difficulty have in common. */
typedef struct sb_frame_shape {
    int32_t width, height, n_colours;
    /* Frames of 64 x 64 cells in 16 colours and actions with numbers, as published games have them: then documents say
     * neither sizes nor colours. */
    bool published;
} sb_frame_shape;

static inline size_t sb_frame_cells(const sb_frame_shape *shape) {
    return (size_t)shape->width * (size_t)shape->height;
}

/* Takes frames, in order. */
typedef struct sb_frame_taker {
    void (*take)(void *context, const uint8_t *frame);
    void *context;
} sb_frame_taker;

/* How a game stands after the last action, or at its start. */
typedef struct sb_frame_standing {
    uint32_t n_frames;        /* frames of the last action; 0: it did nothing, and the last frame is still shown */
    int32_t level, completed; /* the level that is shown, from 1; how many were completed */
    const char *state;        /* `NOT_FINISHED`, `WIN`, `GAME_OVER`: a constant */
    bool is_reset;            /* the last action was a reset */
    bool is_over;             /* lost: only a reset goes on */
    bool full_reset;          /* the last action restarted the whole game */
} sb_frame_standing;

struct sb_frame_source {
    /* Whether episodes of a task and difficulty have frames, and of what shape. */
    bool (*shape)(const sb_env *env, sb_frame_shape *shape);
    /* Names a colour; NULL: colours are numbers only, and all shapes are published ones. */
    const char *(*colour)(const sb_env *env, int32_t colour);
    /* Tells how many levels there are; 1 where there are none. */
    int32_t (*levels)(const sb_env *env);
    void (*stand)(const sb_env *env, sb_frame_standing *standing);
    /* Gives the frames of the last action, or of the start, in order: n_frames of the standing. */
    void (*frames)(const sb_env *env, const sb_frame_taker *taker);
    /* Draws the frame that is shown now. */
    void (*draw)(const sb_env *env, uint8_t *frame);
    /* Writes the goal that the episode shows: the level is completed by a frame that has these colours, but for cells
     * with SB_FRAME_ANY. False: it shows none. NULL: no episode does. */
    bool (*goal)(const sb_env *env, uint8_t *frame);
    /* What the game offers, whatever its state: entries as in a mask of valid actions. */
    void (*offers)(const sb_env *env, bool *mask);
    /* Goes to the start of a level, from 1, as if the levels before were just completed. False: there is none. */
    bool (*enter)(sb_env *env, int32_t level);
    /* Writes what decides the future, and takes it back into an environment of the same episode. The same state gives
     * the same bytes where the family can do that. `restore` believes its bytes: they have to be those that `save`
     * wrote in this process; it only fails for want of memory or if their number is wrong. */
    void (*save)(const sb_env *env, sb_out *out);
    bool (*restore)(sb_env *env, const char *bytes, size_t n, sb_error *error);
};

#endif
