#include "generators/arc/family.h"

static bool has_changed_level(const sb_arc_play *play) { return play->before.loop.level != play->now.loop.level; }

/* The move that the rules took: RESET for a reset, UNDO if no rule led to the present situation. */
static sb_arc_move move_of(const sb_arc_play *play) {
    const sb_arc_play old = {.game = play->game, .levels = play->levels, .now = play->before};
    const sb_arc_action action = play->now.loop.action;
    const bool is_taken = sb_arc_offers(play->game, action.id) && play->before.loop.state == SB_ARC_NOT_FINISHED;
    if (action.id == SB_ARC_RESET || (is_taken && action.id != SB_ARC_UNDO)) return sb_arc_play_move(&old, action);
    return (sb_arc_move){.id = SB_ARC_UNDO, .cell = SB_ARC_NOWHERE};
}

sb_arc_move sb_arc_last_move(const sb_arc_play *play) {
    return has_changed_level(play) ? (sb_arc_move){.id = SB_ARC_RESET, .cell = SB_ARC_NOWHERE} : move_of(play);
}

/* Situations in the ring hold hidden variables, too. Only the one that the last action took back is shown. */
static void empty_ring(sb_arc_play *play) {
    const bool took_back = play->before.n_undo > play->now.n_undo && play->now.loop.action.id == SB_ARC_UNDO;
    memset(play->undo, 0, sizeof play->undo);
    play->now.n_undo = play->now.next_undo = 0;
    play->before.n_undo = play->before.next_undo = took_back;
    if (took_back) memcpy(play->undo[0], play->now.situation, play->game->situation);
}

/* Hides situations of the level that the last action completed, and of the present one. */
static void hide_situations(sb_arc_episode *e) {
    sb_arc_play *play = &e->play;
    sb_arc_level *level = &e->levels[play->now.loop.level];
    const sb_arc_move move = move_of(play);
    _Alignas(8) uint8_t end[SB_ARC_SITUATION];
    if (has_changed_level(play)) {
        sb_arc_level *completed = &e->levels[play->before.loop.level];
        memcpy(end, play->before.situation, sizeof end);
        play->game->act(completed, end, move, NULL);
        play->game->hide(completed, play->before.situation, end, move);
        play->game->hide(level, play->now.situation, play->now.situation, sb_arc_last_move(play));
    } else
        play->game->hide(level, play->before.situation, play->now.situation, move);
    if (sb_arc_offers(play->game, SB_ARC_UNDO)) empty_ring(play);
}

/* Puts the present level in place of levels that were not reached, and of those that are not shown any more. */
static void hide_levels(sb_arc_episode *e) {
    const int now = e->play.now.loop.level, before = e->play.before.loop.level;
    for (int i = 0; i < SB_ARC_LEVELS; i++) {
        sb_arc_level *level = &e->levels[i];
        if (i != now && i != before) {
            memcpy(level, &e->levels[now], sizeof *level);
            level->number = (uint8_t)(i + 1);
        }
        level->best = level->baseline = level->attempts = level->widened = 0;
    }
}

void sb_arc_hide(sb_env *env) {
    sb_arc_episode *e = env->state;
    if (e->play.game->hide) hide_situations(e);
    hide_levels(e);
    e->seed = 0, e->is_masked = true;
}
