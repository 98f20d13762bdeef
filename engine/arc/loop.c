#include "engine/arc/loop.h"

const char *const sb_arc_state_names[4] = {"NOT_PLAYED", "NOT_FINISHED", "WIN", "GAME_OVER"};

void sb_arc_set_level(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, int32_t level) {
    loop->level = level;
    loop->action_count = 0;
    if (hooks->enter) hooks->enter(game, level);
}

void sb_arc_loop_begin(sb_arc_loop *loop, int32_t n_levels, const sb_arc_hooks *hooks, void *game) {
    *loop = (sb_arc_loop){.n_levels = n_levels, .state = SB_ARC_NOT_PLAYED};
    sb_arc_set_level(loop, hooks, game, 0);
}

void sb_arc_next_level(sb_arc_loop *loop) {
    loop->score++;
    if (loop->level == loop->n_levels - 1)
        loop->state = SB_ARC_WIN;
    else
        loop->is_pending = true;
}

/* Returns whether the whole game was reset: it is if nothing was done since the level was set. */
static bool reset(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game) {
    const bool full = loop->state == SB_ARC_WIN || (loop->action_count == 0 && !loop->only_resets_levels);
    if (full)
        for (int32_t i = 0; i < loop->n_levels; i++) hooks->restore(game, i);
    else
        hooks->restore(game, loop->level);
    if (full) loop->score = 0;
    sb_arc_set_level(loop, hooks, game, full ? 0 : loop->level);
    loop->state = SB_ARC_NOT_FINISHED;
    return full;
}

void sb_arc_show(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, const sb_arc_film *film) {
    uint8_t frame[SB_ARC_FRAME];
    loop->frames++;
    if (!film) return;
    hooks->draw(game, frame);
    film->take(film->context, frame);
}

/* Makes steps and changes of level until the action is done, and shows a frame after each. False: there is no end. */
static bool run(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, const sb_arc_film *film) {
    while (loop->is_pending || !loop->is_complete) {
        if (loop->frames >= SB_ARC_MOST_FRAMES) return false;
        if (loop->is_pending) {
            if (loop->level + 1 >= loop->n_levels) return false;
            sb_arc_set_level(loop, hooks, game, loop->level + 1);
            loop->is_pending = false;
        } else {
            loop->calls++;
            hooks->step(game, loop, film);
        }
        sb_arc_show(loop, hooks, game, film);
    }
    return true;
}

bool sb_arc_act(sb_arc_loop *loop, const sb_arc_hooks *hooks, void *game, sb_arc_action action, const sb_arc_film *film,
                sb_arc_answer *answer) {
    const bool is_over = loop->state == SB_ARC_WIN || loop->state == SB_ARC_GAME_OVER;
    *answer = (sb_arc_answer){.state = loop->state, .levels_completed = loop->score};
    loop->calls = loop->frames = 0;
    if (action.id != SB_ARC_RESET && is_over) return true;
    if (action.id == SB_ARC_RESET)
        answer->full_reset = reset(loop, hooks, game);
    else
        loop->action_count++;
    loop->state = SB_ARC_NOT_FINISHED;
    loop->action = action;
    loop->is_complete = false;
    const bool ok = run(loop, hooks, game, film);
    answer->n_frames = loop->frames;
    answer->state = loop->state;
    answer->levels_completed = loop->score;
    return ok;
}
