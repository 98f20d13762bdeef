#include "generators/arc/levels.h"

#include "engine/arc/play.h"

/* Tries of one level, as engine/arc/play.h has them, without frames and levels: a start makes thousands of these
 * actions. A test walks both side by side. */
typedef struct tries {
    const sb_arc_game *game;
    const sb_arc_level *level;
    int32_t left;
    bool is_lost;
    uint8_t n_undo, next_undo;
    _Alignas(8) uint8_t situation[SB_ARC_SITUATION];
    _Alignas(8) uint8_t undo[SB_ARC_UNDONE][SB_ARC_SITUATION];
} tries;

static void begin(tries *t) {
    t->left = t->level->budget, t->is_lost = false;
    t->n_undo = t->next_undo = 0;
    memset(t->situation, 0, sizeof t->situation);
    t->game->begin(t->level, t->situation);
}

static void take_back(tries *t) {
    if (t->n_undo == 0) return;
    t->n_undo--, t->next_undo = (t->next_undo + SB_ARC_UNDONE - 1) % SB_ARC_UNDONE;
    memcpy(t->situation, t->undo[t->next_undo], t->game->situation);
}

static void remember(tries *t, const uint8_t *old) {
    memcpy(t->undo[t->next_undo], old, t->game->situation);
    t->next_undo = (t->next_undo + 1) % SB_ARC_UNDONE;
    if (t->n_undo < SB_ARC_UNDONE) t->n_undo++;
}

static sb_arc_outcome act(tries *t, sb_arc_move move) {
    uint8_t old[SB_ARC_SITUATION];
    memcpy(old, t->situation, sizeof old);
    const sb_arc_outcome outcome = t->game->act(t->level, t->situation, move, NULL);
    if (memcmp(old, t->situation, t->game->situation) != 0) remember(t, old);
    return outcome;
}

/* Returns whether the action won. Actions that are not on offer, and all but RESET after a loss, do nothing. */
static bool take(tries *t, sb_arc_action action) {
    sb_arc_outcome outcome = SB_ARC_GOES_ON;
    if (action.id == SB_ARC_RESET) return begin(t), false;
    if (t->is_lost || !sb_arc_offers(t->game, action.id)) return false;
    t->left--;
    if (action.id == SB_ARC_UNDO)
        take_back(t);
    else
        outcome = act(t, sb_arc_move_in(t->level, action));
    t->is_lost = outcome == SB_ARC_LOST || t->left == 0;
    return outcome == SB_ARC_WON;
}

sb_arc_action sb_arc_random_action(const sb_arc_game *game, bool is_lost, sb_arc_drawing drawing, sb_rng *rng) {
    static const char buttons[] = "0123457";
    const bool is_any = drawing == SB_ARC_DRAWS_BUTTONS && !sb_arc_offers(game, SB_ARC_CLICK);
    const char *ids = is_any ? buttons : is_lost ? "0" : game->actions;
    sb_arc_action action = {.id = (uint8_t)(ids[sb_integers(rng, 0, (int64_t)strlen(ids))] - '0')};
    if (action.id != SB_ARC_CLICK) return action;
    const int64_t place = sb_integers(rng, 0, SB_ARC_FRAME);
    action.x = (uint8_t)(place % SB_ARC_FRAME_SIDE), action.y = (uint8_t)(place / SB_ARC_FRAME_SIDE);
    return action;
}

int32_t sb_arc_play_randomly(const sb_arc_game *game, const sb_arc_level *level, int32_t limit, sb_arc_drawing drawing,
                             sb_rng *rng) {
    tries t = {.game = game, .level = level};
    begin(&t);
    for (int32_t n = 1; n <= limit; n++)
        if (take(&t, sb_arc_random_action(game, t.is_lost, drawing, rng))) return n;
    return 0;
}
