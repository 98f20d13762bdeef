/* The games: levels are what they must be (tests/accept/levels.h), and the checks that say so can fail; plays are
 * values. scripts/accept-games examines many more seeds. */
#include "tests/support.h"

#include <string.h>

#include "generators/arc/family.h"
#include "generators/arc/games.h"
#include "tests/accept/levels.h"

/* ---- Levels of a game ----------------------------------------------------------------------------------------------
 */

static void make(levels *m, uint64_t seed) {
    sb_error error = {0};
    assert_ok(levels_make(m, seed, &error), error);
}

enum { MOST_GAMES = 16, SEED = 3 };

static levels games[MOST_GAMES]; /* each with the levels of one seed, for the tests that need no more */
static size_t n_games;

static int make_games(void **state) {
    (void)state;
    for (; sb_arc_games[n_games]; n_games++) {
        sb_error error = {0};
        assert_true(n_games < MOST_GAMES);
        assert_ok(levels_begin(&games[n_games], sb_arc_games[n_games], &error), error);
        make(&games[n_games], SEED);
    }
    return 0;
}

static int free_games(void **state) {
    (void)state;
    for (size_t i = 0; i < n_games; i++) levels_end(&games[i]);
    return 0;
}

static void each_game(void (*check)(levels *m)) {
    for (size_t i = 0; i < n_games; i++) check(&games[i]);
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

/* ---- Levels are accepted ----------------------------------------------------------------------------------------- */

/* The same floor for all games: over the seeds, less than a tenth of random plays win a level. One seed alone needs as
 * many plays as four. */
enum { PLAYS = TESTS_ARE_SLOW ? 120 : 30 };

static void check_wins(const levels *m, const int wins[SB_ARC_LEVELS], int seeds) {
    for (int i = 0; i < m->game->n_levels; i++)
        if (10 * wins[i] >= seeds * PLAYS)
            fail_msg("%s, level %d: %d of %d random plays win", m->game->name, i + 1, wins[i], seeds * PLAYS);
}

static void check_levels(levels *m) {
    const int seeds = TESTS_ARE_SLOW ? 1 : 4;
    int wins[SB_ARC_LEVELS] = {0};
    for (int seed = 0; seed < seeds; seed++) {
        make(m, (uint64_t)seed);
        for (int number = 1; number <= m->game->n_levels; number++)
            if (!levels_check(m, number)) fail_msg("%s, seed %d: %s", m->game->name, seed, m->problem);
        if (!levels_check_play(m)) fail_msg("%s, seed %d: %s", m->game->name, seed, m->problem);
        for (int i = 0; i < m->game->n_levels; i++) wins[i] += levels_random_wins(m, i + 1, PLAYS);
    }
    check_wins(m, wins, seeds);
    make(m, SEED);
}

static void test_every_level_is_what_it_must_be_and_won_by_its_plan_and_not_by_chance(void **state) {
    (void)state;
    each_game(check_levels);
}

static int n_won;

/* The quick way to play at random takes the same actions to the same end as plays do. */
static void walk_beside(levels *m, const sb_arc_level *level, sb_arc_drawing drawing, int32_t limit) {
    static sb_arc_play play;
    sb_arc_answer answer;
    sb_rng rng = m->rng;
    int32_t n = 0;
    const int32_t won = sb_arc_play_randomly(m->game, level, limit, drawing, &m->rng);
    sb_arc_play_begin(&play, m->game, level, 1, true);
    while (n < limit && play.now.loop.state != SB_ARC_WIN) {
        const bool is_lost = play.now.loop.state == SB_ARC_GAME_OVER;
        sb_arc_play_act(&play, sb_arc_random_action(m->game, is_lost, drawing, &rng), NULL, &answer);
        n++;
    }
    assert_int_equal(won, play.now.loop.state == SB_ARC_WIN ? n : 0);
    assert_memory_equal(&rng, &m->rng, sizeof rng);
    n_won += won > 0;
}

static void check_walks(levels *m) {
    for (int i = 0; i < m->game->n_levels; i++)
        for (int k = 0; k < (TESTS_ARE_SLOW ? 2 : 5); k++) {
            walk_beside(m, &m->of[i], SB_ARC_DRAWS_OFFERS, 1000);
            walk_beside(m, &m->of[i], SB_ARC_DRAWS_BUTTONS, 1000);
        }
}

static void test_quick_random_plays_are_plays(void **state) {
    (void)state;
    n_won = 0;
    each_game(check_walks);
    assert_true(n_won > 10);
}

/* On which levels it is asked whether the new thing is needed; on the others they follow from how levels are made. */
static void test_new_things_are_needed(void **state) {
    (void)state;
    static const char *const asked[][2] = {{"Lantern", "..34..."},  {"TwinCompass", "..34.67"}, {"Echo", "1234567"},
                                           {"Fold", "...4..7"},     {"Polarity", ".2..5.."},    {"Clockwork", "12.4.."},
                                           {"DyeWorks", "12345678"}};
    size_t found = 0;
    for (size_t i = 0; i < n_games; i++)
        for (size_t k = 0; games[i].game->without && k < sizeof asked / sizeof *asked; k++) {
            if (strcmp(asked[k][0], games[i].game->name) != 0) continue;
            for (int number = 1; number <= games[i].game->n_levels; number++) {
                static sb_arc_level other;
                other = games[i].of[number - 1];
                assert_int_equal(games[i].game->without(&other) != SB_ARC_NOTHING_NEW, asked[k][1][number - 1] != '.');
                assert_int_equal(memcmp(&other, &games[i].of[number - 1], sizeof other) != 0,
                                 asked[k][1][number - 1] != '.');
            }
            found++;
        }
    assert_int_equal(found, sizeof asked / sizeof *asked);
}

/* ---- And the checks can fail --------------------------------------------------------------------------------------
 */

static sb_arc_need without_nothing_helps(sb_arc_level *level) { return (void)level, SB_ARC_HELPS; }
static sb_arc_need without_nothing_hinders(sb_arc_level *level) { return (void)level, SB_ARC_HINDERS; }

static sb_arc_band bands[SB_ARC_LEVELS];
static sb_arc_game changed; /* the game under test, with one thing changed */

static void expect(levels *m, int number, const char *words) {
    assert_false(levels_check(m, number));
    if (!strstr(m->problem, words)) fail_msg("%s: `%s` not in: %s", m->game->name, words, m->problem);
    m->problem[0] = '\0';
}

/* Bands that begin behind the level's length, or end before it. */
static void expect_bands(levels *m, int number) {
    const sb_arc_level *level = &m->of[number - 1];
    memcpy(bands, changed.bands, changed.n_levels * sizeof *bands);
    changed.bands = bands;
    bands[number - 1].least = (uint16_t)(level->best + 1), bands[number - 1].most = UINT16_MAX;
    expect(m, number, "not in its band");
    bands[number - 1].least = 0, bands[number - 1].most = (uint16_t)(level->best - 1);
    expect(m, number, "not in its band");
    bands[number - 1].most = (uint16_t)level->best;
    assert_true(levels_check(m, number));
}

static void expect_level(levels *m, int number) {
    sb_arc_level *level = &m->of[number - 1];
    const sb_arc_game *game = m->game;
    changed = *game, m->game = m->solver.game = &changed;
    expect_bands(m, number);
    changed.without = without_nothing_helps;
    expect(m, number, "does not need its new thing");
    changed.without = without_nothing_hinders;
    expect(m, number, "is not longer by its new thing");
    m->game = m->solver.game = game;
    level->best++;
    expect(m, number, "has length");
    level->best--, level->baseline++;
    expect(m, number, "has baseline");
    level->baseline--, level->budget--;
    expect(m, number, "has a budget");
    level->budget++;
}

/* In place of the second level there is the first one again. */
static void expect_frame(levels *m) {
    static sb_arc_level second;
    second = m->of[1];
    m->of[1] = m->of[0];
    expect(m, 2, "looks like the level before");
    m->of[1] = second;
}

static void expect_problems(levels *m) {
    for (int number = 1; number <= m->game->n_levels; number++) expect_level(m, number);
    expect_frame(m);
}

static void test_levels_that_are_not_are_found(void **state) {
    (void)state;
    each_game(expect_problems);
}

/* A game whose rules never let a level be won, and one that wins at once. */
static sb_arc_outcome (*real_act)(const sb_arc_level *level, void *situation, sb_arc_move move,
                                  const sb_arc_viewer *viewer);

static sb_arc_outcome never_win(const sb_arc_level *level, void *situation, sb_arc_move move,
                                const sb_arc_viewer *viewer) {
    const sb_arc_outcome outcome = real_act(level, situation, move, viewer);
    return outcome == SB_ARC_WON ? SB_ARC_GOES_ON : outcome;
}

static sb_arc_outcome always_win(const sb_arc_level *level, void *situation, sb_arc_move move,
                                 const sb_arc_viewer *viewer) {
    (void)level, (void)situation, (void)move, (void)viewer;
    return SB_ARC_WON;
}

static void expect_play(levels *m, sb_arc_outcome (*act)(const sb_arc_level *level, void *situation, sb_arc_move move,
                                                         const sb_arc_viewer *viewer)) {
    const sb_arc_game *game = m->game;
    changed = *game, real_act = game->act, changed.act = act, m->game = &changed; /* the solver has the real rules */
    assert_false(levels_check_play(m));
    m->game = game, m->problem[0] = '\0';
}

static void expect_plays(levels *m) {
    assert_true(levels_check_play(m));
    expect_play(m, never_win);
    expect_play(m, always_win);
}

static void test_plans_that_do_not_win_are_found(void **state) {
    (void)state;
    each_game(expect_plays);
}

/* Leaves the game with the levels that it had. */
static void check_seeds(levels *m) {
    static sb_arc_level old[SB_ARC_LEVELS];
    memcpy(old, m->of, sizeof old);
    make(m, SEED + 1);
    assert_memory_not_equal(old, m->of, sizeof *old);
    make(m, SEED);
    assert_memory_equal(old, m->of, m->game->n_levels * sizeof *old);
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
static void check_copies(levels *m) {
    sb_arc_play play, copy;
    sb_rng rng;
    sb_rng_seed(&rng, 5, NULL);
    sb_arc_play_begin(&play, m->game, m->of, m->game->n_levels, false);
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
static void check_midway(levels *m) {
    sb_arc_play play;
    sb_rng rng;
    int solved = 0;
    sb_rng_seed(&rng, 11, NULL);
    for (int number = 1; number <= m->game->n_levels; number++) {
        const sb_arc_level *level = &m->of[number - 1];
        sb_arc_play_begin(&play, m->game, level, 1, true);
        for (int i = 0; i < number % 4; i++) act(&play, random_action(&play, &rng));
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
static void check_undo(levels *m) {
    uint8_t situations[SB_ARC_UNDONE][SB_ARC_SITUATION];
    sb_arc_play play;
    sb_rng rng;
    int n = 0;
    if (!sb_arc_offers(m->game, SB_ARC_UNDO)) return;
    sb_rng_seed(&rng, 9, NULL);
    sb_arc_play_begin(&play, m->game, m->of, m->game->n_levels, true);
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
static void check_budget(levels *m) {
    sb_arc_play play;
    sb_arc_play_begin(&play, m->game, m->of, m->game->n_levels, true);
    const int32_t budget = m->of[0].budget;
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

static void check_offers(levels *m) {
    sb_arc_play play, copy;
    sb_arc_play_begin(&play, m->game, m->of, m->game->n_levels, true);
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

/* ---- Observers ----------------------------------------------------------------------------------------------------
 */

/* What an observer has to go by: what the last action shows, and what it learned. */
typedef struct observing {
    _Alignas(8) uint8_t learned[SB_ARC_LEARNED];
    sb_arc_level level;
    uint8_t before[SB_ARC_SITUATION];
    _Alignas(8) uint8_t now[SB_ARC_SITUATION];
} observing;

static bool same_guess(const sb_arc_level *a, const uint8_t *now, const sb_arc_level *b, const uint8_t *other) {
    return memcmp(a->facts, b->facts, sizeof a->facts) == 0 && memcmp(now, other, SB_ARC_SITUATION) == 0;
}

/* Each guess differs from the one before. Returns whether one is the truth, or there are more than observers try. */
static bool guesses_have(const observing *o, const sb_arc_play *play) {
    enum { TRIED = 24 };
    static observing guesses[TRIED];
    bool found = false;
    for (int n = 0; n < TRIED; n++) {
        observing *guess = &guesses[n];
        *guess = *o;
        if (!play->game->study->believe(o->learned, &guess->level, guess->now, n)) return found;
        if (n > 0 && same_guess(&guess->level, guess->now, &guess[-1].level, guess[-1].now))
            fail_msg("%s: guess %d comes twice", play->game->name, n);
        found |= same_guess(&guess->level, guess->now, sb_arc_play_level(play), play->now.situation);
    }
    return true;
}

/* Learns from the last action what its frames show. */
static void watch(observing *o, const sb_arc_play *play) {
    const sb_arc_move move = sb_arc_last_move(play);
    o->level = *sb_arc_play_level(play);
    memcpy(o->before, play->before.situation, sizeof o->before);
    memcpy(o->now, play->now.situation, sizeof o->now);
    if (play->game->hide) play->game->hide(&o->level, o->before, o->now, move);
    play->game->study->learn(o->learned, &o->level, move.id == SB_ARC_RESET ? o->now : o->before, o->now, move);
}

static void check_guesses(levels *m) {
    static observing o;
    sb_arc_play play;
    sb_rng rng;
    if (!m->game->study || !m->game->study->believe) return;
    const bool pairs_guesses = strcmp(m->game->name, "Clockwork") ==
                               0; /* the n-th of one gate with the n-th of another */
    sb_rng_seed(&rng, 13, NULL);
    for (int number = 1; number <= m->game->n_levels; number++) {
        memset(&o, 0, sizeof o);
        sb_arc_play_begin(&play, m->game, &m->of[number - 1], 1, true);
        for (int i = 0; i < 15; i++) {
            const bool is_over = play.now.loop.state == SB_ARC_GAME_OVER;
            if (play.now.loop.state == SB_ARC_WIN) break;
            watch(&o, &play);
            if (!guesses_have(&o, &play) && !pairs_guesses)
                fail_msg("%s, level %d, action %d: the truth was dropped", m->game->name, number, i);
            sb_arc_action next;
            do next = random_action(&play, &rng);
            while (next.id == SB_ARC_UNDO); /* behind it, guesses are about the present alone */
            act(&play, is_over ? (sb_arc_action){.id = SB_ARC_RESET} : next);
        }
    }
}

static void test_guesses_differ_and_never_drop_the_truth(void **state) {
    (void)state;
    each_game(check_guesses);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_level_is_what_it_must_be_and_won_by_its_plan_and_not_by_chance),
        cmocka_unit_test(test_quick_random_plays_are_plays),
        cmocka_unit_test(test_new_things_are_needed),
        cmocka_unit_test(test_levels_that_are_not_are_found),
        cmocka_unit_test(test_plans_that_do_not_win_are_found),
        cmocka_unit_test(test_a_seed_makes_its_levels_and_no_others),
        cmocka_unit_test(test_copies_of_plays_go_on_alike),
        cmocka_unit_test(test_the_oracle_goes_on_from_anywhere),
        cmocka_unit_test(test_undo_takes_back_what_changed),
        cmocka_unit_test(test_budgets_run_out_and_resets_give_them_back),
        cmocka_unit_test(test_actions_not_on_offer_change_nothing),
        cmocka_unit_test(test_guesses_differ_and_never_drop_the_truth),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
