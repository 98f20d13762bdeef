/* The games: every level that is made can be won within its budget, by a plan that is replayed; plays are values. With
 * SEEDBED_NIGHTLY set, 100 seeds a game; with SEEDBED_ARC_SEEDS=FIRST-LAST these seeds, so that long runs can be made
 * in parts. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/arc/play.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"

/* ---- Levels of a game ----------------------------------------------------------------------------------------------
 */

typedef struct made { /* large, so not on the stack */
    const sb_arc_game *game;
    sb_arc_solver solver;
    sb_arc_level levels[SB_ARC_LEVELS];
} made;

static void begin(made *m, const sb_arc_game *game) {
    sb_error error = {0};
    m->game = game;
    assert_ok(sb_arc_solver_new(&m->solver, game, &error), error);
}

static void make(made *m, uint64_t seed) {
    sb_error error = {0};
    for (int i = 1; i <= m->game->n_levels; i++)
        assert_ok(sb_arc_make_level(&m->solver, seed, i, m->levels, &error), error);
}

enum { MOST_GAMES = 16, SEED = 3 };

static made games[MOST_GAMES]; /* each with the levels of one seed, for the tests that need no more */
static size_t n_games;

static int make_games(void **state) {
    (void)state;
    for (; sb_arc_games[n_games]; n_games++) {
        assert_true(n_games < MOST_GAMES);
        begin(&games[n_games], sb_arc_games[n_games]);
        make(&games[n_games], SEED);
    }
    return 0;
}

static int free_games(void **state) {
    (void)state;
    for (size_t i = 0; i < n_games; i++) sb_arc_solver_free(&games[i].solver);
    return 0;
}

static void each_game(void (*check)(made *m)) {
    for (size_t i = 0; i < n_games; i++) check(&games[i]);
}

static void seeds_of_this_run(uint64_t *first, uint64_t *last) {
    const char *asked = getenv("SEEDBED_ARC_SEEDS");
    *first = 0, *last = TESTS_ARE_SLOW ? 1 : getenv("SEEDBED_NIGHTLY") ? 99 : 3;
    if (asked && sscanf(asked, "%lu-%lu", first, last) != 2) fail_msg("SEEDBED_ARC_SEEDS should be FIRST-LAST");
}

/* ---- Frames --------------------------------------------------------------------------------------------------------
 */

typedef struct film {
    uint8_t frames[200][SB_ARC_FRAME];
    uint32_t n;
} film;

static film shown, again;

static void take(void *context, const uint8_t *frame) {
    film *f = context;
    assert_true(f->n < 200);
    uint8_t colours = 0;
    for (int i = 0; i < SB_ARC_FRAME; i++) colours |= frame[i];
    assert_true(colours < 16);
    memcpy(f->frames[f->n++], frame, SB_ARC_FRAME);
}

/* Acts, and checks what holds of every action: frames can be drawn again, the last one is the play's. */
static sb_arc_answer act(sb_arc_play *play, sb_arc_action action) {
    uint8_t frame[SB_ARC_FRAME];
    sb_arc_answer answer;
    shown.n = again.n = 0;
    sb_arc_play_act(play, action, &(sb_arc_film){.take = take, .context = &shown}, &answer);
    assert_int_equal(answer.n_frames, shown.n);
    if (shown.n == 0) return answer;
    sb_arc_play_frame(play, frame);
    assert_memory_equal(frame, shown.frames[shown.n - 1], sizeof frame);
    sb_arc_play_frames(play, &(sb_arc_film){.take = take, .context = &again});
    assert_int_equal(again.n, shown.n);
    assert_memory_equal(again.frames, shown.frames, shown.n * SB_ARC_FRAME);
    return answer;
}

/* ---- Solutions -----------------------------------------------------------------------------------------------------
 */

/* Plays the plan of the level that is reached; the last action completes the level, and no other does. */
static void play_level(made *m, sb_arc_play *play, int number) {
    const sb_arc_level *level = &m->levels[number - 1];
    const sb_arc_band *band = &m->game->bands[number - 1];
    sb_arc_answer answer = {0};
    assert_int_equal(sb_arc_solve(&m->solver, level, play->now.situation, SB_ARC_PLAN), SB_SOLVED);
    if (!m->game->measure) assert_int_equal(m->solver.n_plan, level->best);
    assert_in_range(level->best, band->least > 2 * level->widened ? band->least - 2 * level->widened : 0,
                    band->most + 2 * level->widened);
    assert_true(m->solver.n_plan <= level->budget);
    for (int i = 0; i < m->solver.n_plan; i++) {
        assert_int_equal(answer.levels_completed, i ? number - 1 : 0);
        answer = act(play, sb_arc_action_of(level, m->solver.plan[i]));
        assert_true(answer.n_frames > 0);
    }
    assert_int_equal(answer.levels_completed, number);
}

static void check_solutions(made *m) {
    uint64_t first, last;
    seeds_of_this_run(&first, &last);
    for (uint64_t seed = first; seed <= last; seed++) {
        sb_arc_play play;
        make(m, seed);
        sb_arc_play_begin(&play, m->game, m->levels, m->game->n_levels, true);
        for (int number = 1; number <= m->game->n_levels; number++) {
            assert_int_equal(play.now.loop.state, SB_ARC_NOT_FINISHED);
            play_level(m, &play, number);
        }
        assert_int_equal(play.now.loop.state, SB_ARC_WIN);
        assert_true(play.now.left >= 0);
    }
    make(m, SEED);
}

static void test_every_level_is_won_by_its_plan(void **state) {
    (void)state;
    each_game(check_solutions);
}

static void check_frames(made *m) {
    uint8_t frame[SB_ARC_FRAME], before[SB_ARC_FRAME];
    for (int i = 1; i < m->game->n_levels; i++) {
        sb_arc_first_frame(m->game, &m->levels[i], frame);
        sb_arc_first_frame(m->game, &m->levels[i - 1], before);
        assert_memory_not_equal(frame, before, sizeof frame);
    }
}

static void test_first_frames_differ(void **state) {
    (void)state;
    each_game(check_frames);
}

/* Leaves the game with the levels that it had. */
static void check_seeds(made *m) {
    static sb_arc_level levels[SB_ARC_LEVELS];
    memcpy(levels, m->levels, sizeof levels);
    make(m, SEED + 1);
    assert_memory_not_equal(levels, m->levels, sizeof *levels);
    make(m, SEED);
    assert_memory_equal(levels, m->levels, m->game->n_levels * sizeof *levels);
}

static void test_a_seed_makes_its_levels_and_no_others(void **state) {
    (void)state;
    each_game(check_seeds);
}

/* ---- Plays ---------------------------------------------------------------------------------------------------------
 */

/* Clicks hit a cell of the board or, one in four, any pixel. */
static sb_arc_action random_action(const sb_arc_play *play, sb_rng *rng) {
    const sb_arc_level *level = sb_arc_play_level(play);
    const size_t n = strlen(play->game->actions);
    sb_arc_action action = {.id = (uint8_t)(play->game->actions[sb_integers(rng, 0, (int64_t)n)] - '0')};
    if (play->now.loop.state == SB_ARC_GAME_OVER && sb_integers(rng, 0, 3)) action.id = SB_ARC_RESET;
    if (action.id != SB_ARC_CLICK) return action;
    const int cell = (int)sb_integers(rng, 0, level->width * level->height);
    if (sb_integers(rng, 0, 4))
        return sb_arc_action_of(level, (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)cell});
    action.x = (uint8_t)sb_integers(rng, 0, 64), action.y = (uint8_t)sb_integers(rng, 0, 64);
    return action;
}

static void assert_same_key(const sb_arc_play *a, const sb_arc_play *b) {
    uint64_t one[2], other[2];
    sb_arc_play_key(a, one);
    sb_arc_play_key(b, other);
    assert_memory_equal(one, other, sizeof one);
}

static bool is_padded_with_zeros(const sb_arc_play *play) {
    for (int i = play->game->situation; i < SB_ARC_SITUATION; i++)
        if (play->now.situation[i]) return false;
    return true;
}

/* A copy goes on as the original does, whatever is done to the original in between. */
static void check_copies(made *m) {
    sb_arc_play play, copy;
    sb_rng rng;
    sb_rng_seed(&rng, 5, NULL);
    sb_arc_play_begin(&play, m->game, m->levels, m->game->n_levels, false);
    for (int i = 0; i < 400; i++) {
        const sb_arc_action next = random_action(&play, &rng);
        sb_arc_answer one, other;
        sb_arc_play_copy(&copy, &play);
        assert_same_key(&copy, &play);
        one = act(&copy, next);
        other = act(&play, next);
        assert_int_equal(one.n_frames, other.n_frames);
        assert_int_equal(one.state, other.state);
        assert_same_key(&copy, &play);
        assert_true(is_padded_with_zeros(&play));
    }
}

static void test_copies_of_plays_go_on_alike(void **state) {
    (void)state;
    each_game(check_copies);
}

/* What is found from a situation in the middle of a try wins from there, in as many actions as it says. */
static void check_midway(made *m) {
    sb_arc_play play;
    sb_rng rng;
    int solved = 0;
    sb_rng_seed(&rng, 11, NULL);
    for (int number = 1; number <= m->game->n_levels; number++) {
        const sb_arc_level *level = &m->levels[number - 1];
        sb_arc_play_begin(&play, m->game, level, 1, true);
        for (int i = 0; i < 4; i++) act(&play, random_action(&play, &rng));
        if (play.now.loop.state != SB_ARC_NOT_FINISHED) continue;
        if (sb_arc_solve(&m->solver, level, play.now.situation, play.now.left) != SB_SOLVED) continue;
        for (int i = 0; i < m->solver.n_plan; i++) {
            assert_int_equal(play.now.loop.state, SB_ARC_NOT_FINISHED);
            act(&play, sb_arc_action_of(level, m->solver.plan[i]));
        }
        assert_int_equal(play.now.loop.state, SB_ARC_WIN);
        solved++;
    }
    assert_true(solved > 0);
}

static void test_the_oracle_goes_on_from_anywhere(void **state) {
    (void)state;
    each_game(check_midway);
}

/* Undo takes back what changed last, and costs an action. */
static void check_undo(made *m) {
    uint8_t situations[SB_ARC_UNDONE][SB_ARC_SITUATION];
    sb_arc_play play;
    sb_rng rng;
    int n = 0;
    if (!sb_arc_offers(m->game, SB_ARC_UNDO)) return;
    sb_rng_seed(&rng, 9, NULL);
    sb_arc_play_begin(&play, m->game, m->levels, m->game->n_levels, true);
    const int32_t budget = play.now.left;
    for (int i = 0; i + n < budget - 3; i++) {
        const sb_arc_action action = random_action(&play, &rng);
        if (action.id == SB_ARC_UNDO) continue;
        memcpy(situations[n], play.now.situation, SB_ARC_SITUATION);
        act(&play, action);
        if (play.now.loop.level > 0) return; /* won by chance */
        n += memcmp(situations[n], play.now.situation, SB_ARC_SITUATION) != 0;
    }
    assert_true(n > 0);
    while (n-- > 0) {
        const int32_t left = play.now.left;
        act(&play, (sb_arc_action){.id = SB_ARC_UNDO});
        assert_memory_equal(play.now.situation, situations[n], SB_ARC_SITUATION);
        assert_int_equal(play.now.left, left - 1);
    }
    act(&play, (sb_arc_action){.id = SB_ARC_UNDO});
    assert_memory_equal(play.now.situation, situations[0], SB_ARC_SITUATION);
}

static void test_undo_takes_back_what_changed(void **state) {
    (void)state;
    each_game(check_undo);
}

/* What wastes a budget: undo with nothing to take back, waiting, a wall at the start, a click in the corner. */
static sb_arc_action useless(const sb_arc_game *game) {
    if (sb_arc_offers(game, SB_ARC_UNDO)) return (sb_arc_action){.id = SB_ARC_UNDO};
    if (sb_arc_offers(game, SB_ARC_USE)) return (sb_arc_action){.id = SB_ARC_USE};
    return (sb_arc_action){.id = (uint8_t)(game->actions[0] - '0')};
}

/* Wasting the budget ends in GAME_OVER; then only a reset helps, and gives the budget back. */
static void check_budget(made *m) {
    sb_arc_play play;
    sb_arc_play_begin(&play, m->game, m->levels, m->game->n_levels, true);
    const int32_t budget = m->levels[0].budget;
    uint8_t situation[SB_ARC_SITUATION];
    memcpy(situation, play.now.situation, sizeof situation);
    int32_t n = 0;
    while (play.now.loop.state == SB_ARC_NOT_FINISHED && n <= budget) {
        act(&play, useless(m->game));
        n++;
    }
    assert_int_equal(play.now.loop.state, SB_ARC_GAME_OVER);
    assert_true(n <= budget);
    assert_int_equal(act(&play, useless(m->game)).n_frames, 0);
    const sb_arc_answer answer = act(&play, (sb_arc_action){.id = SB_ARC_RESET});
    assert_true(m->game->prelude ? answer.n_frames > 1 : answer.n_frames == 1);
    assert_int_equal(play.now.left, budget);
    assert_memory_equal(play.now.situation, situation, sizeof situation);
}

static void test_budgets_run_out_and_resets_give_them_back(void **state) {
    (void)state;
    each_game(check_budget);
}

static void check_offers(made *m) {
    sb_arc_play play, copy;
    sb_arc_play_begin(&play, m->game, m->levels, m->game->n_levels, true);
    for (int id = SB_ARC_UP; id < SB_ARC_ACTIONS; id++) {
        if (sb_arc_offers(m->game, id)) continue;
        sb_arc_play_copy(&copy, &play);
        assert_int_equal(act(&play, (sb_arc_action){.id = (uint8_t)id}).n_frames, 0);
        assert_same_key(&copy, &play);
    }
}

static void test_actions_not_on_offer_change_nothing(void **state) {
    (void)state;
    each_game(check_offers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_level_is_won_by_its_plan),
        cmocka_unit_test(test_first_frames_differ),
        cmocka_unit_test(test_a_seed_makes_its_levels_and_no_others),
        cmocka_unit_test(test_copies_of_plays_go_on_alike),
        cmocka_unit_test(test_the_oracle_goes_on_from_anywhere),
        cmocka_unit_test(test_undo_takes_back_what_changed),
        cmocka_unit_test(test_budgets_run_out_and_resets_give_them_back),
        cmocka_unit_test(test_actions_not_on_offer_change_nothing),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
