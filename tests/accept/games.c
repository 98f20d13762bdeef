/* Makes the levels of multi-level games and examines them, for scripts/accept-games. Prints a line of JSON for each
 * seed: `problem` ("" if there is none), and for each level the milliseconds of processor time that making it took, how
 * many were drawn, how often the band was made wider, its length, and how many of 100 random plays won it.
 *
 *   seedbed-accept-games GAME FIRST LAST */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "generators/arc/games.h"
#include "tests/accept/levels.h"

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

enum { PLAYS = 100 };

static bool make(levels *l, uint64_t seed, double spent[SB_ARC_LEVELS], sb_error *error) {
    l->problem[0] = '\0';
    sb_rng_seed(&l->rng, seed, NULL);
    for (int i = 0; i < l->game->n_levels; i++) {
        const double began = milliseconds();
        if (!sb_arc_make_level(&l->solver, seed, i + 1, l->of, error)) return false;
        spent[i] = milliseconds() - began;
    }
    return true;
}

static bool check(levels *l) {
    for (int i = 1; i <= l->game->n_levels; i++)
        if (!levels_check(l, i)) return false;
    return levels_check_play(l);
}

static bool examine(levels *l, uint64_t seed) {
    sb_error error = {0};
    double spent[SB_ARC_LEVELS] = {0};
    const bool made = make(l, seed, spent, &error), ok = made && check(l);
    printf("{\"seed\": %llu, \"problem\": \"%s\", \"levels\": [", (unsigned long long)seed,
           made ? l->problem : error.text);
    for (int i = 0; i < l->game->n_levels; i++)
        printf("%s[%.3f, %d, %d, %d, %d]", i ? ", " : "", spent[i], l->of[i].attempts, l->of[i].widened, l->of[i].best,
               ok ? levels_random_wins(l, i + 1, PLAYS) : 0);
    printf("]}\n");
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv) {
    static levels l;
    sb_error error = {0};
    const sb_arc_game *const *game = sb_arc_games;
    if (argc != 4) return fputs("usage: seedbed-accept-games GAME FIRST LAST\n", stderr), 2;
    while (*game && strcmp((*game)->name, argv[1]) != 0) game++;
    if (!*game) return fprintf(stderr, "seedbed-accept-games: there is no game `%s`\n", argv[1]), 2;
    if (!levels_begin(&l, *game, &error)) return fprintf(stderr, "seedbed-accept-games: %s\n", error.text), 2;
    bool ok = true;
    const uint64_t last = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = strtoull(argv[2], NULL, 10); seed <= last; seed++) ok = examine(&l, seed) && ok;
    levels_end(&l);
    return ok ? 0 : 1;
}
