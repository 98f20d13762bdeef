#include "tests/accept/levels.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Making ------------------------------------------------------------------------------------------------------ */

bool levels_begin(levels *l, const sb_arc_game *game, sb_error *error) {
    memset(l, 0, sizeof *l);
    l->game = game;
    return sb_arc_solver_new(&l->solver, game, false, error);
}

void levels_end(levels *l) { sb_arc_solver_free(&l->solver); }

bool levels_make(levels *l, uint64_t seed, sb_error *error) {
    l->problem[0] = '\0';
    sb_rng_seed(&l->rng, seed, NULL);
    for (int i = 1; i <= l->game->n_levels; i++)
        if (!sb_arc_make_level(&l->solver, seed, i, l->of, error)) return false;
    return true;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static bool wrong(levels *l, int number, const char *format, ...) {
    va_list arguments;
    const int n = snprintf(l->problem, sizeof l->problem, "level %d ", number);
    va_start(arguments, format);
    vsnprintf(l->problem + n, sizeof l->problem - (size_t)n, format, arguments);
    va_end(arguments);
    return false;
}

/* The length of the shortest solution from the start; negative: none was found. */
static int solved(levels *l, const sb_arc_level *level) {
    _Alignas(8) uint8_t situation[SB_ARC_SITUATION] = {0};
    l->game->begin(level, situation);
    return sb_arc_solve(&l->solver, level, situation, SB_ARC_PLAN) == SB_SOLVED ? l->solver.n_plan : -1;
}

static bool check_length(levels *l, const sb_arc_level *level, int shortest) {
    const sb_arc_band *band = &l->game->bands[level->number - 1];
    const int wider = 2 * level->widened, length = l->game->measure ? l->game->measure(level, shortest) : shortest;
    if (length != level->best) return wrong(l, level->number, "has length %d, not %d", length, level->best);
    if (length >= band->least - wider && length <= band->most + wider) return true;
    return wrong(l, level->number, "has length %d, which is not in its band", length);
}

/* Scoring 5: half as much again as the oracle needs; three tries of every action, or six actions for what is new. */
static bool check_budget(levels *l, const sb_arc_level *level, int shortest) {
    const int is_new = l->game->bands[level->number - 1].is_new;
    const int wanted = level->best + (level->best + 1) / 2 + (level->number == 1 ? 3 * l->game->kinds : 6 * is_new);
    if (level->baseline != wanted) return wrong(l, level->number, "has baseline %d, not %d", level->baseline, wanted);
    if (level->budget != 2 * wanted + 20) return wrong(l, level->number, "has a budget of %d", level->budget);
    return shortest <= level->budget || wrong(l, level->number, "needs %d actions, more than its budget", shortest);
}

static bool check_need(levels *l, const sb_arc_level *level, int shortest) {
    if (!l->game->without) return true;
    sb_arc_level other = *level;
    const sb_arc_need need = l->game->without(&other);
    const int length = need == SB_ARC_NOTHING_NEW ? -1 : solved(l, &other);
    if (need == SB_ARC_HELPS && length >= 0 && length < shortest + 2)
        return wrong(l, level->number, "does not need its new thing: %d actions without it, %d with it", length,
                     shortest);
    if (need == SB_ARC_HINDERS && (length < 0 || length >= shortest))
        return wrong(l, level->number, "is not longer by its new thing: %d actions without it, %d with it", length,
                     shortest);
    return true;
}

static bool check_frame(levels *l, int number) {
    uint8_t frame[SB_ARC_FRAME], before[SB_ARC_FRAME];
    if (number == 1) return true;
    sb_arc_first_frame(l->game, &l->of[number - 1], frame);
    sb_arc_first_frame(l->game, &l->of[number - 2], before);
    return memcmp(frame, before, sizeof frame) != 0 || wrong(l, number, "looks like the level before");
}

bool levels_check(levels *l, int number) {
    const sb_arc_level *level = &l->of[number - 1];
    const int shortest = solved(l, level);
    if (shortest < 0) return wrong(l, number, "was not solved");
    return check_length(l, level, shortest) && check_budget(l, level, shortest) && check_need(l, level, shortest) &&
           check_frame(l, number);
}

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

static bool play_level(levels *l, int number) {
    const sb_arc_level *level = &l->of[number - 1];
    sb_arc_answer answer = {.levels_completed = number - 1};
    if (sb_arc_solve(&l->solver, level, l->play.now.situation, level->budget) != SB_SOLVED)
        return wrong(l, number, "was not solved within its budget");
    for (int i = 0; i < l->solver.n_plan; i++) {
        if (answer.levels_completed != number - 1) return wrong(l, number, "was won before its solution ended");
        sb_arc_play_act(&l->play, sb_arc_action_of(level, l->solver.plan[i]), NULL, &answer);
    }
    return answer.levels_completed == number || wrong(l, number, "is not won by its solution");
}

bool levels_check_play(levels *l) {
    sb_arc_play_begin(&l->play, l->game, l->of, l->game->n_levels, true);
    for (int i = 1; i <= l->game->n_levels; i++)
        if (!play_level(l, i)) return false;
    return l->play.now.loop.state == SB_ARC_WIN || wrong(l, l->game->n_levels, "does not end the game");
}

/* ---- Random play ------------------------------------------------------------------------------------------------- */

static bool is_won_by_chance(levels *l, const sb_arc_level *level, sb_arc_drawing drawing) {
    const int32_t limit = sb_arc_share(l->game, level->number);
    sb_arc_play_begin(&l->play, l->game, level, 1, true);
    for (int32_t n = 0; n < limit && l->play.now.loop.state != SB_ARC_WIN; n++) {
        const bool is_lost = l->play.now.loop.state == SB_ARC_GAME_OVER;
        sb_arc_answer answer;
        sb_arc_play_act(&l->play, sb_arc_random_action(l->game, is_lost, drawing, &l->rng), NULL, &answer);
    }
    return l->play.now.loop.state == SB_ARC_WIN;
}

int levels_random_wins(levels *l, int number, int plays) {
    int wins[] = {[SB_ARC_DRAWS_OFFERS] = 0, [SB_ARC_DRAWS_BUTTONS] = 0};
    for (int i = 0; i < plays; i++) {
        wins[SB_ARC_DRAWS_OFFERS] += is_won_by_chance(l, &l->of[number - 1], SB_ARC_DRAWS_OFFERS);
        wins[SB_ARC_DRAWS_BUTTONS] += is_won_by_chance(l, &l->of[number - 1], SB_ARC_DRAWS_BUTTONS);
    }
    return wins[0] > wins[1] ? wins[0] : wins[1];
}
