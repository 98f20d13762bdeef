/* Rules of the ARC-like games, checked on frames by a second, plainer writing of them; and a digest of levels, plans
 * and frames of one seed of each game, so that no rule changes unnoticed. */
#include "tests/support.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "engine/arc/play.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"

enum { SEED = 1, MOST_FRAMES = 40 };

static sb_arc_level levels[SB_ARC_LEVELS];

typedef struct film {
    uint8_t frames[MOST_FRAMES][SB_ARC_FRAME];
    uint32_t n;
} film;

static film shown;

static void take(void *context, const uint8_t *frame) {
    film *f = context;
    assert_true(f->n < MOST_FRAMES);
    memcpy(f->frames[f->n++], frame, SB_ARC_FRAME);
}

static const uint8_t *last_frame(void) { return shown.frames[shown.n - 1]; }

static sb_arc_answer act(sb_arc_play *play, sb_arc_action action) {
    sb_arc_answer answer;
    shown.n = 0;
    sb_arc_play_act(play, action, &(sb_arc_film){.take = take, .context = &shown}, &answer);
    return answer;
}

static void make(const sb_arc_game *game, sb_arc_solver *solver) {
    sb_error error = {0};
    assert_ok(sb_arc_solver_new(solver, game, false, &error), error);
    for (int i = 1; i <= game->n_levels; i++) assert_ok(sb_arc_make_level(solver, SEED, i, levels, &error), error);
}

/* A play of one level alone, after its reset. */
static void begin(sb_arc_play *play, const sb_arc_game *game, int number) {
    sb_arc_play_begin(play, game, &levels[number - 1], 1, true);
    act(play, (sb_arc_action){.id = SB_ARC_RESET});
}

/* ---- Fold ----------------------------------------------------------------------------------------------------------
 */

typedef struct sheet {
    int height, width;
    bool ink[27][27];
} sheet;

/* The sheet is drawn from (1, 4) of the frame on, `unit` pixels a cell: white, or blue where there is ink. */
static void assert_shows(const uint8_t *frame, const sheet *s, int unit) {
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const uint8_t colour = frame[(4 + y * unit) * SB_ARC_FRAME_SIDE + 1 + x * unit];
            assert_int_equal(colour, s->ink[y][x] ? SB_ARC_BLUE : SB_ARC_WHITE);
        }
    assert_int_equal(frame[4 * SB_ARC_FRAME_SIDE + 1 + s->width * unit], SB_ARC_OFF_BLACK);
    assert_int_equal(frame[(4 + s->height * unit) * SB_ARC_FRAME_SIDE + 1], SB_ARC_OFF_BLACK);
}

static sheet read_sheet(const uint8_t *frame, int height, int width, int unit) {
    sheet s = {.height = height, .width = width};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            s.ink[y][x] = frame[(4 + y * unit) * SB_ARC_FRAME_SIDE + 1 + x * unit] == SB_ARC_BLUE;
    return s;
}

/* A third is laid over the rest where there are thirds, else a half. */
static int laid_of(int side) { return side % 3 == 0 ? side / 3 : side % 2 == 0 ? side / 2 : 0; }

/* Every cell that stays gets the cell that is its mirror image at the crease, if there is one. */
static sheet folded(const sheet *s, int action, bool vanishes) {
    const bool upright = action == SB_ARC_UP || action == SB_ARC_DOWN;
    const bool keeps_first = action == SB_ARC_UP || action == SB_ARC_LEFT;
    const int side = upright ? s->height : s->width, laid = laid_of(side), kept = side - laid;
    const int crease = keeps_first ? kept : laid, first = keeps_first ? 0 : laid;
    sheet to = {.height = upright ? kept : s->height, .width = upright ? s->width : kept};
    for (int y = 0; y < to.height; y++)
        for (int x = 0; x < to.width; x++) {
            const int at = first + (upright ? y : x), image = 2 * crease - 1 - at;
            const bool stays = upright ? s->ink[at][x] : s->ink[y][at];
            const bool comes = image >= 0 && image < side && (upright ? s->ink[image][x] : s->ink[y][image]);
            to.ink[y][x] = vanishes ? stays != comes : stays || comes;
        }
    return to;
}

static sheet turned(const sheet *s) {
    sheet to = {.height = s->width, .width = s->height};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) to.ink[x][s->height - 1 - y] = s->ink[y][x];
    return to;
}

static sheet after(const sheet *s, int action, int number) {
    if (action == SB_ARC_USE) return number == 7 ? turned(s) : *s;
    const int side = action <= SB_ARC_DOWN ? s->height : s->width;
    return laid_of(side) > 0 ? folded(s, action, number >= 4) : *s;
}

static void check_folds(sb_arc_play *play, int number, sb_rng *rng) {
    static const int sides[][2] = {{27, 9}, {9, 9}, {27, 9}, {27, 9}, {27, 9}, {27, 12}, {12, 9}};
    const int height = sides[number - 1][0], width = sides[number - 1][1];
    const int across = 30 / (number == 7 ? height : width), unit = across < 56 / height ? across : 56 / height;
    begin(play, &sb_arc_fold, number);
    sheet s = read_sheet(last_frame(), height, width, unit);
    for (int i = 0; i < 12 && play->now.loop.state == SB_ARC_NOT_FINISHED; i++) {
        const int action = (int)sb_integers(rng, SB_ARC_UP, SB_ARC_USE + 1);
        const sheet next = after(&s, action, number);
        act(play, (sb_arc_action){.id = (uint8_t)action});
        assert_int_equal(shown.n, action != SB_ARC_USE && memcmp(&next, &s, sizeof s) != 0 ? 3 : 1);
        s = next;
        assert_shows(last_frame(), &s, unit);
    }
}

static void test_sheets_fold_at_a_third_or_the_middle(void **state) {
    (void)state;
    sb_arc_solver solver;
    sb_arc_play play;
    sb_rng rng;
    make(&sb_arc_fold, &solver);
    sb_rng_seed(&rng, 2, NULL);
    for (int number = 1; number <= 7; number++)
        for (int i = 0; i < 20; i++) check_folds(&play, number, &rng);
    sb_arc_solver_free(&solver);
}

/* ---- Moss ----------------------------------------------------------------------------------------------------------
 */

/* Moss fills its cell, so it shows in the corner. */
static bool has_moss(const sb_arc_play *play, const uint8_t *frame, int cell, uint8_t colour) {
    const sb_arc_action corner = sb_arc_action_of(sb_arc_play_level(play),
                                                  (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)cell});
    return frame[corner.y * SB_ARC_FRAME_SIDE + corner.x] == colour;
}

static const struct {
    uint8_t colour, grows[5], least; /* grows[n]: soil with n neighbours becomes moss; least: moss needs so many */
} kinds[] = {{SB_ARC_GREEN, {0, 1}, 0}, {SB_ARC_GREEN, {0, 1}, 0},        {SB_ARC_LIGHT_BLUE, {0, 0, 1}, 0},
             {SB_ARC_GREEN, {0, 1}, 0}, {SB_ARC_ORANGE, {0, 1, 0, 1}, 0}, {SB_ARC_MAGENTA, {0, 1}, 1},
             {SB_ARC_PURPLE, {0, 1}, 2}};

static void check_growth(const sb_arc_play *play, int number) {
    const sb_arc_level *level = sb_arc_play_level(play);
    const uint8_t colour = kinds[number - 1].colour, *before = shown.frames[0], *grown = shown.frames[1];
    for (int cell = 0; cell < level->width * level->height; cell++) {
        int n = 0;
        if (sb_arc_is_wall(level, cell)) continue;
        for (int side = SB_ARC_UP; side <= SB_ARC_RIGHT; side++) {
            const int other = sb_arc_towards(level, cell, side);
            n += !sb_arc_is_wall(level, other) && has_moss(play, before, other, colour);
        }
        const bool was = has_moss(play, before, cell, colour);
        const bool is = was ? n >= kinds[number - 1].least : kinds[number - 1].grows[n];
        assert_int_equal(has_moss(play, grown, cell, colour), is);
    }
}

static void test_moss_grows_by_its_kind(void **state) {
    (void)state;
    sb_arc_solver solver;
    sb_arc_play play;
    sb_rng rng;
    make(&sb_arc_moss, &solver);
    sb_rng_seed(&rng, 3, NULL);
    for (int number = 1; number <= 7; number++)
        for (int i = 0; i < 10; i++) {
            const int n = levels[number - 1].width * levels[number - 1].height;
            begin(&play, &sb_arc_moss, number);
            for (int k = 0; k < 8 && play.now.loop.state == SB_ARC_NOT_FINISHED; k++) {
                const sb_arc_move click = {.id = SB_ARC_CLICK, .cell = (int16_t)sb_integers(&rng, 0, n)};
                act(&play, sb_arc_action_of(&levels[number - 1], click));
                if (play.now.loop.state != SB_ARC_GAME_OVER) check_growth(&play, number);
            }
        }
    sb_arc_solver_free(&solver);
}

/* ---- Clockwork -----------------------------------------------------------------------------------------------------
 */

/* Gates pulse whatever the walker does, with a common period of at most 60 actions. */
static void test_gates_keep_their_beat(void **state) {
    (void)state;
    static const int beats[] = {2, 6, 12};
    static uint8_t frames[60][SB_ARC_FRAME];
    sb_arc_solver solver;
    sb_arc_play play;
    make(&sb_arc_clockwork, &solver);
    for (int number = 1; number <= 3; number++) {
        const int beat = beats[number - 1];
        bool pulses = false;
        begin(&play, &sb_arc_clockwork, number);
        for (int t = 0; t < 2 * beat; t++) {
            act(&play, (sb_arc_action){.id = SB_ARC_USE});
            memcpy(shown.frames[1], last_frame(), SB_ARC_FRAME);
            memset(shown.frames[1] + 63 * SB_ARC_FRAME_SIDE, 0, SB_ARC_FRAME_SIDE); /* the budget */
            if (t < beat) memcpy(frames[t], shown.frames[1], SB_ARC_FRAME);
            assert_memory_equal(frames[t % beat], shown.frames[1], SB_ARC_FRAME);
            pulses |= memcmp(frames[0], shown.frames[1], SB_ARC_FRAME) != 0;
        }
        assert_true(pulses);
    }
    sb_arc_solver_free(&solver);
}

/* ---- Chimes --------------------------------------------------------------------------------------------------------
 */

/* On the first levels the agent repeats what was played: bells that turn white. */
static void test_melodies_are_played_and_can_be_repeated(void **state) {
    (void)state;
    sb_arc_solver solver;
    sb_arc_play play;
    int16_t notes[20] = {0};
    int n = 0;
    make(&sb_arc_chimes, &solver);
    sb_arc_play_begin(&play, &sb_arc_chimes, levels, 2, true);
    act(&play, (sb_arc_action){.id = SB_ARC_RESET});
    assert_int_equal(shown.n, 1 + 2 * 3);
    for (uint32_t i = 0; i < shown.n; i++)
        for (int16_t cell = 0; cell < 13 * 13; cell++)
            if (has_moss(&play, shown.frames[i], cell, SB_ARC_WHITE)) notes[n++] = cell;
    assert_int_equal(n, 3);
    for (int i = 0; i < 3; i++)
        act(&play, sb_arc_action_of(levels, (sb_arc_move){.id = SB_ARC_CLICK, .cell = notes[i]}));
    assert_int_equal(play.now.loop.score, 1);
    /* white and normal, the new level, its melody, and the level as it is */
    assert_int_equal(shown.n, 2 + 1 + 1 + 2 * 5);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(play.now.loop.state, SB_ARC_NOT_FINISHED);
        act(&play, sb_arc_action_of(&levels[1], (sb_arc_move){.id = SB_ARC_CLICK, .cell = 5 * 13 + 1}));
        act(&play, sb_arc_action_of(&levels[1], (sb_arc_move){.id = SB_ARC_CLICK, .cell = 5 * 13 + 3}));
        act(&play, sb_arc_action_of(&levels[1], (sb_arc_move){.id = SB_ARC_CLICK, .cell = 5 * 13 + 5}));
        if (play.now.loop.state == SB_ARC_GAME_OVER) break;
    }
    assert_int_equal(play.now.loop.state, SB_ARC_GAME_OVER);
    sb_arc_solver_free(&solver);
}

/* ---- All games -----------------------------------------------------------------------------------------------------
 */

static void add_frame(void *context, const uint8_t *frame) { sb_sha256_add(context, frame, SB_ARC_FRAME); }

/* Everything that the oracle sees on its way through the first seed. */
static void digest_of(const sb_arc_game *game, char hex[SB_SHA256_HEX]) {
    sb_arc_solver solver;
    sb_arc_play play;
    sb_sha256 hash;
    sb_arc_answer answer;
    make(game, &solver);
    sb_sha256_begin(&hash);
    const sb_arc_film into = {.take = add_frame, .context = &hash};
    sb_arc_play_begin(&play, game, levels, game->n_levels, true);
    sb_arc_play_act(&play, (sb_arc_action){.id = SB_ARC_RESET}, &into, &answer);
    for (int i = 0; i < game->n_levels; i++) {
        assert_int_equal(sb_arc_solve(&solver, &levels[i], play.now.situation, SB_ARC_PLAN), SB_SOLVED);
        for (int k = 0; k < solver.n_plan; k++)
            sb_arc_play_act(&play, sb_arc_action_of(&levels[i], solver.plan[k]), &into, &answer);
        sb_sha256_add(&hash, &levels[i].baseline, sizeof levels[i].baseline);
    }
    assert_int_equal(play.now.loop.state, SB_ARC_WIN);
    sb_sha256_end_hex(&hash, hex);
    sb_arc_solver_free(&solver);
}

static void test_no_rule_changes_unnoticed(void **state) {
    (void)state;
    static const char *const digests[][2] = {
        {"Lantern", "0bf916ec19f2d0e4"},  {"Scales", "39593c50d7139640"},    {"TwinCompass", "48cae0fe9d049e51"},
        {"Echo", "509ff9b0fa511c1a"},     {"Shepherd", "3fee365e75d888ea"},  {"Moss", "227438e2d21ffa7d"},
        {"Stamp", "8eabc2125e12b3b3"},    {"Chimes", "8b145feab0d7b9e1"},    {"Fold", "9faf5f858cac1288"},
        {"Polarity", "10095789b31bc0fd"}, {"Clockwork", "258100da16770f9a"}, {"DyeWorks", "fdd253399489a202"},
    };
    for (size_t i = 0; sb_arc_games[i]; i++) {
        char hex[SB_SHA256_HEX];
        assert_string_equal(sb_arc_games[i]->name, digests[i][0]);
        digest_of(sb_arc_games[i], hex);
        hex[16] = '\0';
        if (strcmp(hex, digests[i][1]) != 0) fail_msg("%s has %s", digests[i][0], hex);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheets_fold_at_a_third_or_the_middle),
        cmocka_unit_test(test_moss_grows_by_its_kind),
        cmocka_unit_test(test_gates_keep_their_beat),
        cmocka_unit_test(test_melodies_are_played_and_can_be_repeated),
        cmocka_unit_test(test_no_rule_changes_unnoticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
