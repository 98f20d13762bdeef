/* The loop of one action: levels, states, resets and frames (engine 6 to 8). It knows nothing of what a game is made
 * of: a game gives it functions. */
#ifndef SB_ARC_LOOP_H
#define SB_ARC_LOOP_H

#include "engine/arc/scene.h"

/* Actions have their published numbers: RESET is 0, ACTION1 to ACTION7 are 1 to 7. */
enum { SB_ARC_RESET, SB_ARC_UP, SB_ARC_DOWN, SB_ARC_LEFT, SB_ARC_RIGHT, SB_ARC_USE, SB_ARC_CLICK, SB_ARC_UNDO };
enum { SB_ARC_ACTIONS = 8, SB_ARC_MOST_FRAMES = 1001 };

typedef struct sb_arc_action {
    uint8_t id;
    uint8_t x, y; /* pixel of the frame that a click hits; 0 for other actions */
} sb_arc_action;

typedef enum sb_arc_state { SB_ARC_NOT_PLAYED, SB_ARC_NOT_FINISHED, SB_ARC_WIN, SB_ARC_GAME_OVER } sb_arc_state;

extern const char *const sb_arc_state_names[4];

typedef struct sb_arc_loop {
    int32_t level, n_levels;
    int32_t score;          /* levels completed */
    uint32_t action_count;  /* actions since the level was set, without resets */
    uint32_t calls, frames; /* calls of `step`, and frames shown, during the last action */
    sb_arc_action action;
    uint8_t state;           /* sb_arc_state */
    bool is_pending;         /* a change of level is due */
    bool is_complete;        /* the action is done */
    bool only_resets_levels; /* outside of WIN no reset restarts the game */
} sb_arc_loop;

/* Where the frames of an action go, in order. NULL for the whole struct: nobody looks, and nothing is drawn. */
typedef struct sb_arc_film {
    void (*take)(void *context, const uint8_t frame[SB_ARC_FRAME]);
    void *context;
} sb_arc_film;

/* What a game does. `game` is passed through. */
typedef struct sb_arc_hooks {
    void (*restore)(void *game, int32_t level); /* makes the level as it was at first */
    void (*enter)(void *game, int32_t level);   /* is told that the level was set; NULL: nothing to do */
    /* Makes one step of loop->action, with sb_arc_next_level and the like. A frame is shown after it; it may show more
     * before. */
    void (*step)(void *game, sb_arc_loop *loop, const sb_arc_film *film);
    void (*draw)(void *game, uint8_t frame[SB_ARC_FRAME]);
} sb_arc_hooks;

typedef struct sb_arc_answer {
    uint32_t n_frames; /* 0: the action was taken after the end and did nothing */
    uint8_t state;     /* sb_arc_state */
    bool full_reset;
    int32_t levels_completed;
} sb_arc_answer;

/* Begins a game: level 0 is set. */
void sb_arc_loop_begin(sb_arc_loop *loop, int32_t n_levels, const sb_arc_hooks *hooks, void *game);
/* Takes an action. False: the action was not done after SB_ARC_MOST_FRAMES frames, or the game asked for a level that
 * it does not have; what it did stays, and there is no answer. */
bool sb_arc_act(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, sb_arc_action action, const sb_arc_film *film,
                sb_arc_answer *answer);

/* Shows how the game is now: one more frame of this action. */
void sb_arc_show(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, const sb_arc_film *film);

/* ---- For `step` -------------------------------------------------------------------------------------------------- */

/* Counts the level as completed; on the last level the game is won, else the next level is due. */
void sb_arc_next_level(sb_arc_loop *loop);
/* Sets a level at once. */
void sb_arc_set_level(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, int32_t level);
static inline void sb_arc_complete(sb_arc_loop *loop) { loop->is_complete = true; }
static inline void sb_arc_win(sb_arc_loop *loop) { loop->state = SB_ARC_WIN; }
static inline void sb_arc_lose(sb_arc_loop *loop) { loop->state = SB_ARC_GAME_OVER; }

#endif
