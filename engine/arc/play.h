/* Playing a game of levels: tries, budgets, undo, frames. A play is a value: it points to nothing but the game and its
 * levels, which are constant, and a copy is an equal play. */
#ifndef SB_ARC_PLAY_H
#define SB_ARC_PLAY_H

#include "engine/arc/game.h"
#include "engine/arc/stage.h"

/* What an action may change, without what undo holds. */
typedef struct sb_arc_now {
    sb_arc_loop loop;
    int32_t left;              /* actions of the budget that are left in this try */
    int16_t shown_lost;        /* the place of a loss while it is shown; SB_ARC_NOWHERE otherwise */
    uint8_t n_undo, next_undo; /* how many situations undo holds; where in `undo` the next one is put */
    _Alignas(8) uint8_t situation[SB_ARC_SITUATION];
} sb_arc_now;

typedef struct sb_arc_play {
    const sb_arc_game *game;
    const sb_arc_level *levels;
    sb_arc_now now, before; /* before: what was before the last action, so that its frames can be drawn again */
    uint8_t undo[SB_ARC_UNDONE][SB_ARC_SITUATION]; /* a ring of the situations to which undo goes back */
} sb_arc_play;

/* Begins a play of the first n levels and resets it once, which counts as no action. `keeps_levels`: a reset never
 * restarts the whole game, as in the published competition (engine 12). */
void sb_arc_play_begin(sb_arc_play *play, const sb_arc_game *game, const sb_arc_level *levels, int32_t n_levels,
                       bool keeps_levels);
/* Takes an action. One that the game does not offer, and any but a reset after the end, changes nothing, and its answer
 * has no frame. */
void sb_arc_play_act(sb_arc_play *play, sb_arc_action action, const sb_arc_film *film, sb_arc_answer *answer);
/* Draws the last frame, or all frames of the last action again. */
void sb_arc_play_frame(const sb_arc_play *play, uint8_t frame[SB_ARC_FRAME]);
void sb_arc_play_frames(const sb_arc_play *play, const sb_arc_film *film);

/* Makes `to` equal to `from`; `to` points to the levels of `from`. */
void sb_arc_play_copy(sb_arc_play *to, const sb_arc_play *from);
/* Goes to the start of a level, from 0, as if those before were just completed; the last action was a reset. */
void sb_arc_play_enter(sb_arc_play *play, int32_t level);
enum { SB_ARC_PACKED = 16 + (1 + SB_ARC_UNDONE) * SB_ARC_SITUATION /* the most bytes of a packed play */ };
/* Writes everything that decides the future, and returns how many bytes that takes: equal futures give equal bytes. */
size_t sb_arc_play_pack(const sb_arc_play *play, uint8_t bytes[SB_ARC_PACKED]);
/* Takes back what sb_arc_play_pack wrote of a play of the same levels. False: it did not write so many bytes. */
bool sb_arc_play_unpack(sb_arc_play *play, const uint8_t *bytes, size_t n);
/* Hashes everything that decides the future. */
void sb_arc_play_key(const sb_arc_play *play, uint64_t key[2]);

/* The move that an action is: the cell that a click hits. */
sb_arc_move sb_arc_move_in(const sb_arc_level *level, sb_arc_action action);
sb_arc_move sb_arc_play_move(const sb_arc_play *play, sb_arc_action action);
/* The click on the upper left pixel of a cell, and the action that a move is. */
sb_arc_action sb_arc_action_of(const sb_arc_level *level, sb_arc_move move);
static inline const sb_arc_level *sb_arc_play_level(const sb_arc_play *play) {
    return &play->levels[play->now.loop.level];
}

/* Draws the situation at the start of a level. */
void sb_arc_first_frame(const sb_arc_game *game, const sb_arc_level *level, uint8_t frame[SB_ARC_FRAME]);

#endif
