/* Measures random play of the multi-level games on one core: actions a second with a frame each. After GAME_OVER the
 * level is reset, and clicks are anywhere. scripts/accept-games measures how long levels take to make.
 *
 *   seedbed-bench-arc [GAME] */
#include <stdio.h>
#include <string.h>

#include "engine/arc/play.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"
#include "tests/bench/clock.h"

enum { SECONDS_EACH = 1, EPISODE = 500 };

static bool make_levels(const sb_arc_game *game, sb_arc_level *levels) {
    sb_arc_solver solver;
    sb_error error;
    bool ok = sb_arc_solver_new(&solver, game, false, &error);
    for (int i = 1; ok && i <= game->n_levels; i++) ok = sb_arc_make_level(&solver, 0, i, levels, &error);
    if (!ok) fprintf(stderr, "seedbed-bench-arc: %s\n", error.text);
    sb_arc_solver_free(&solver);
    return ok;
}

static double measure_play(const sb_arc_game *game, const sb_arc_level *levels) {
    sb_arc_play play;
    uint8_t frame[SB_ARC_FRAME];
    uint32_t random = 1, n = 0;
    const size_t n_actions = strlen(game->actions);
    const double began = bench_processor_seconds();
    double spent = 0;
    while (spent < SECONDS_EACH) {
        sb_arc_play_begin(&play, game, levels, game->n_levels, true);
        for (int i = 0; i < EPISODE && play.now.loop.state != SB_ARC_WIN; i++, n++) {
            sb_arc_answer answer;
            random = random * 1664525u + 1013904223u;
            sb_arc_action action = {.id = (uint8_t)(game->actions[(random >> 16) % n_actions] - '0')};
            if (play.now.loop.state == SB_ARC_GAME_OVER) action.id = SB_ARC_RESET;
            if (action.id == SB_ARC_CLICK) action.x = (random >> 8) % 64, action.y = (random >> 20) % 64;
            sb_arc_play_act(&play, action, NULL, &answer);
            sb_arc_play_frame(&play, frame);
        }
        spent = bench_processor_seconds() - began;
    }
    return n / spent;
}

int main(int argc, char **argv) {
    static sb_arc_level levels[SB_ARC_LEVELS];
    for (const sb_arc_game *const *game = sb_arc_games; *game; game++) {
        if (argc > 1 && strcmp((*game)->name, argv[1]) != 0) continue;
        if (!make_levels(*game, levels)) return 1;
        printf("%-12s %.0f actions a second with frames\n", (*game)->name, measure_play(*game, levels));
    }
    return 0;
}
