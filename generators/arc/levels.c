#include "generators/arc/levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/arc/play.h"

/* ---- Solving ----------------------------------------------------------------------------------------------------- */

static bool starve(sb_error *error) {
    return sb_fail(error, SB_MEMORY, "out of memory for the search of a game's levels");
}

bool sb_arc_solver_new(sb_arc_solver *solver, const sb_arc_game *game, bool reserves, sb_error *error) {
    *solver = (sb_arc_solver){.game = game};
    if (game->solve)
        solver->known = calloc((size_t)game->n_levels, sizeof *solver->known);
    else
        solver->memory = reserves ? calloc(1, SB_SEARCH_SIZE(game->situation, SB_ARC_STORED))
                                  : sb_search_new(game->situation, SB_ARC_STORED);
    return solver->known || solver->memory || starve(error);
}

void sb_arc_solver_free(sb_arc_solver *solver) {
    sb_search_free(solver->memory);
    free(solver->known);
    solver->memory = NULL, solver->known = NULL;
}

typedef struct context {
    const sb_arc_game *game;
    const sb_arc_level *level;
} context;

static uint32_t packed(sb_arc_move move) { return (uint32_t)move.id << 16 | (uint16_t)move.cell; }

static sb_arc_move unpacked(uint32_t move) {
    return (sb_arc_move){.id = (uint8_t)(move >> 16), .cell = (int16_t)(uint16_t)move};
}

/* Adds the situation after a move, unless the move changes nothing or loses: such moves lead nowhere. */
static void try_move(const context *c, const void *state, sb_arc_move move, sb_search *search) {
    _Alignas(8) uint8_t next[SB_ARC_SITUATION] = {0};
    memcpy(next, state, c->game->situation);
    const sb_arc_outcome outcome = c->game->act(c->level, next, move, NULL);
    if (outcome == SB_ARC_LOST || (outcome == SB_ARC_GOES_ON && memcmp(next, state, c->game->situation) == 0)) return;
    sb_search_add(search, next, packed(move), 1, outcome == SB_ARC_WON);
}

static void expand(void *given, const void *state, sb_search *search) {
    const context *c = given;
    int16_t cells[SB_ARC_CELLS];
    for (const char *action = c->game->actions; *action; action++) {
        const uint8_t id = (uint8_t)(*action - '0');
        if (id == SB_ARC_UNDO) continue;
        const int n = id == SB_ARC_CLICK ? c->game->clicks(c->level, state, cells) : 1;
        for (int i = 0; i < n; i++)
            try_move(c, state, (sb_arc_move){.id = id, .cell = id == SB_ARC_CLICK ? cells[i] : SB_ARC_NOWHERE}, search);
    }
}

static int bound(void *given, const void *state) {
    const context *c = given;
    return c->game->bound(c->level, state);
}

static sb_verdict search(sb_arc_solver *solver, const sb_arc_level *level, const void *situation, int most) {
    context c = {.game = solver->game, .level = level};
    uint32_t moves[SB_ARC_PLAN];
    sb_budget budget = {.limit = SB_ARC_NODES};
    const sb_problem problem = {.state_size = solver->game->situation,
                                .expand = expand,
                                .bound = solver->game->bound ? bound : NULL,
                                .context = &c,
                                .max_cost = most < SB_ARC_PLAN ? most : SB_ARC_PLAN};
    const sb_verdict verdict = sb_search_run(solver->memory, SB_ARC_STORED, &problem, situation, &budget);
    solver->spent = budget.spent;
    if (verdict != SB_SOLVED) return verdict;
    solver->n_plan = sb_search_plan(solver->memory, moves, SB_ARC_PLAN);
    for (int i = 0; i < solver->n_plan; i++) solver->plan[i] = unpacked(moves[i]);
    return SB_SOLVED;
}

/* Whether solutions of these levels are the same. */
static bool is_same(const sb_arc_level *a, const sb_arc_level *b) {
    return a->number == b->number && a->width == b->width && a->height == b->height && a->start == b->start &&
           a->exit == b->exit && memcmp(a->cells, b->cells, sizeof a->cells) == 0 &&
           memcmp(a->marks, b->marks, sizeof a->marks) == 0 && memcmp(a->facts, b->facts, sizeof a->facts) == 0;
}

/* The length of the solution that the game finds itself; negative: none. */
static int solve_itself(sb_arc_solver *solver, const sb_arc_level *level, const void *situation) {
    _Alignas(8) uint8_t start[SB_ARC_SITUATION] = {0};
    const sb_arc_game *game = solver->game;
    sb_arc_known *known = &solver->known[level->number - 1];
    game->begin(level, start);
    if (memcmp(start, situation, game->situation) != 0) return game->solve(level, situation, solver->plan, SB_ARC_PLAN);
    if (!is_same(&known->level, level)) {
        known->n = game->solve(level, situation, known->plan, SB_ARC_PLAN);
        known->level = *level;
    }
    memcpy(solver->plan, known->plan, sizeof solver->plan);
    return known->n;
}

sb_verdict sb_arc_solve(sb_arc_solver *solver, const sb_arc_level *level, const void *situation, int most) {
    solver->n_plan = 0, solver->spent = 0;
    if (!solver->game->solve) return search(solver, level, situation, most);
    const int n = solve_itself(solver, level, situation);
    if (n < 0 || n > most) return SB_NOT_FOUND;
    solver->n_plan = n;
    return SB_SOLVED;
}

/* ---- Accepting --------------------------------------------------------------------------------------------------- */

static sb_verdict solve_from_start(sb_arc_solver *solver, const sb_arc_level *level, int most) {
    _Alignas(8) uint8_t situation[SB_ARC_SITUATION] = {0};
    solver->game->begin(level, situation);
    return sb_arc_solve(solver, level, situation, most);
}

/* Whether the new thing is needed: solves the level without it. The plan of the solver is lost. */
static bool is_needed(sb_arc_solver *solver, const sb_arc_level *level, int length) {
    if (!solver->game->without) return true;
    sb_arc_level other = *level;
    switch (solver->game->without(&other)) {
    case SB_ARC_NOTHING_NEW: return true;
    case SB_ARC_HELPS: return solve_from_start(solver, &other, length + 1) != SB_SOLVED;
    case SB_ARC_HINDERS: return solve_from_start(solver, &other, length - 1) == SB_SOLVED;
    }
    return false;
}

static bool looks_new(const sb_arc_game *game, const sb_arc_level *level) {
    uint8_t frame[SB_ARC_FRAME], before[SB_ARC_FRAME];
    if (level->number == 1) return true;
    sb_arc_first_frame(game, level, frame);
    sb_arc_first_frame(game, level - 1, before);
    return memcmp(frame, before, sizeof frame) != 0;
}

static void paint(const sb_arc_game *game, sb_arc_level *level) {
    (game->paint ? game->paint : sb_arc_paint_board)(level, &level->ground);
}

/* The baseline of a level: three tries of every action on the first level, six actions for a new thing, and half as
 * much again as the oracle needs. */
static int32_t baseline(const sb_arc_game *game, int number, int length) {
    const int learning = number == 1 ? 3 * game->kinds : game->bands[number - 1].is_new ? 6 : 0;
    return (3 * length + 1) / 2 + learning;
}

int32_t sb_arc_share(const sb_arc_game *game, int number) {
    return 5 * baseline(game, number, game->bands[number - 1].most);
}

/* Whether at most SB_ARC_RANDOM_WINS of the random plays win. */
static bool resists(const sb_arc_game *game, const sb_arc_level *level, sb_arc_drawing drawing, sb_rng *rng) {
    const int32_t limit = sb_arc_share(game, level->number);
    int won = 0;
    for (int i = 0; i < SB_ARC_RANDOM_PLAYS && won <= SB_ARC_RANDOM_WINS; i++)
        won += sb_arc_play_randomly(game, level, limit, drawing, rng) > 0;
    return won <= SB_ARC_RANDOM_WINS;
}

/* Whether random play fails by both ways of drawing actions, which are the same where there are clicks. `rng` draws for
 * nothing else. */
static bool resists_chance(const sb_arc_game *game, const sb_arc_level *level, int shortest, sb_rng *rng) {
    if (shortest >= SB_ARC_FAR) return true;
    return resists(game, level, SB_ARC_DRAWS_OFFERS, rng) &&
           (sb_arc_offers(game, SB_ARC_CLICK) || resists(game, level, SB_ARC_DRAWS_BUTTONS, rng));
}

static bool accept(sb_arc_solver *solver, sb_arc_level *level, sb_rng *chance) {
    const sb_arc_game *game = solver->game;
    const sb_arc_band *band = &game->bands[level->number - 1];
    const int wider = 2 * level->widened, most = band->most + wider;
    if (solve_from_start(solver, level, game->measure ? SB_ARC_PLAN : most) != SB_SOLVED) return false;
    const int shortest = solver->n_plan, length = game->measure ? game->measure(level, shortest) : shortest;
    if (length < 0 || length < band->least - wider || length > most) return false;
    paint(game, level);
    level->best = length;
    level->baseline = baseline(game, level->number, length);
    level->budget = 2 * level->baseline + 20;
    return looks_new(game, level) && resists_chance(game, level, shortest, chance) &&
           is_needed(solver, level, shortest);
}

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static void seed_from(sb_rng *rng, const char *text) {
    uint8_t digest[32];
    uint64_t seed = 0;
    sb_sha256_of(text, strlen(text), digest);
    for (int i = 0; i < 8; i++) seed |= (uint64_t)digest[i] << 8 * i;
    sb_rng_seed(rng, seed, NULL);
}

enum { MOST_ATTEMPTS = 50 * SB_ARC_ATTEMPTS };

/* Draws what is the same in all levels of the game. */
static void draw_fixed(const sb_arc_game *game, uint64_t seed, uint8_t fixed[16]) {
    char name[100];
    sb_rng rng;
    snprintf(name, sizeof name, "arc/%s#%" PRIu64 "/game", game->name, seed);
    seed_from(&rng, name);
    memset(fixed, 0, 16);
    if (game->fix) game->fix(&rng, fixed);
}

bool sb_arc_make_level(sb_arc_solver *solver, uint64_t seed, int number, sb_arc_level *levels, sb_error *error) {
    const sb_arc_game *game = solver->game;
    sb_arc_level *level = &levels[number - 1];
    uint8_t fixed[16];
    draw_fixed(game, seed, fixed);
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        char name[100];
        sb_rng rng, chance;
        const int n = snprintf(name, sizeof name, "arc/%s/full#%" PRIu64 "/%d/%d", game->name, seed, number, attempt);
        seed_from(&rng, name);
        snprintf(name + n, sizeof name - (size_t)n, "/random");
        seed_from(&chance, name);
        memset(level, 0, sizeof *level);
        level->number = (uint8_t)number, level->start = level->exit = SB_ARC_NOWHERE;
        level->attempts = attempt + 1, level->widened = attempt / SB_ARC_ATTEMPTS;
        const bool is_accepted = game->make(level, &rng, fixed) && accept(solver, level, &chance);
        if (solver->memory && sb_search_is_starved(solver->memory)) return starve(error);
        if (is_accepted) return true;
    }
    return sb_fail(error, SB_INVALID, "%s: no level %d was found for seed %" PRIu64, game->name, number, seed);
}

int32_t sb_arc_step_limit(const sb_arc_game *game, int n) {
    int32_t sum = 0;
    for (int number = 1; number <= n; number++) sum += sb_arc_share(game, number);
    return sum;
}
