/* Measures the ARC-like games on one core: how long levels take to make, and actions a second with a frame each.
 *
 *   seedbed-bench-arc [GAME|all] [SEEDS]      (of each level: milliseconds, attempts, lengths; then actions a second)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/arc/play.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"

enum { MOST_SEEDS = 10000, SECONDS_EACH = 1, EPISODE = 500 };

typedef struct measured {
    double milliseconds[MOST_SEEDS];
    int attempts[MOST_SEEDS], best[MOST_SEEDS];
    int widened;
} measured;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void print_level(const sb_arc_game *game, int number, measured *m, int n) {
    qsort(m->milliseconds, (size_t)n, sizeof *m->milliseconds, by_double);
    qsort(m->attempts, (size_t)n, sizeof *m->attempts, by_int);
    qsort(m->best, (size_t)n, sizeof *m->best, by_int);
    printf("%-12s %d  %9.2f %9.2f ms  attempts %5d %6d  length %3d %3d %3d  widened %d\n", game->name, number,
           m->milliseconds[n / 2], m->milliseconds[n - 1], m->attempts[n / 2], m->attempts[n - 1], m->best[0],
           m->best[n / 2], m->best[n - 1], m->widened);
}

static bool measure_levels(const sb_arc_game *game, int seeds, sb_arc_level *levels, measured *all) {
    sb_arc_solver solver;
    sb_error error;
    bool ok = sb_arc_solver_new(&solver, game, &error);
    for (int number = 0; number < game->n_levels; number++) memset(&all[number], 0, sizeof all[number]);
    for (int seed = 0; ok && seed < seeds; seed++) {
        for (int i = 0; ok && i < game->n_levels; i++) {
            const double began = processor_seconds();
            ok = sb_arc_make_level(&solver, (uint64_t)seed, i + 1, levels, &error);
            all[i].milliseconds[seed] = 1000 * (processor_seconds() - began);
            all[i].attempts[seed] = levels[i].attempts, all[i].best[seed] = levels[i].best;
            all[i].widened += levels[i].widened > 0;
        }
    }
    if (!ok) fprintf(stderr, "%s\n", error.text);
    for (int i = 0; ok && i < game->n_levels; i++) print_level(game, i + 1, &all[i], seeds);
    sb_arc_solver_free(&solver);
    return ok;
}

static double measure_play(const sb_arc_game *game, const sb_arc_level *levels) {
    sb_arc_play play;
    uint8_t frame[SB_ARC_FRAME];
    uint32_t random = 1, n = 0;
    const size_t n_actions = strlen(game->actions);
    const double began = processor_seconds();
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
        spent = processor_seconds() - began;
    }
    return n / spent;
}

int main(int argc, char **argv) {
    const char *only = argc > 1 && strcmp(argv[1], "all") != 0 ? argv[1] : NULL;
    const int seeds = argc > 2 ? atoi(argv[2]) : 20;
    static sb_arc_level levels[SB_ARC_LEVELS];
    if (seeds < 1 || seeds > MOST_SEEDS) return fprintf(stderr, "SEEDS should be 1 to %d\n", MOST_SEEDS), 1;
    measured *all = malloc(SB_ARC_LEVELS * sizeof *all);
    if (!all) return 1;
    for (const sb_arc_game *const *game = sb_arc_games; *game; game++) {
        if (only && strcmp((*game)->name, only) != 0) continue;
        if (!measure_levels(*game, seeds, levels, all)) return free(all), 1;
        printf("%-12s %.0f actions a second with frames\n", (*game)->name, measure_play(*game, levels));
    }
    free(all);
    return 0;
}
