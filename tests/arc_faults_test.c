/* ARC-like games without memory: playing allocates nothing, a stage that has been played allocates nothing, and when
 * memory runs out a scene is as it was. tests/faults_support.h lets it run out. */
#include "tests/faults_support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/arc/play.h"
#include "engine/arc/stage.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"

/* ---- Games ---------------------------------------------------------------------------------------------------------
 */

static void ignore(void *context, const uint8_t *frame) { (void)context, (void)frame; }

static void play_at_random(const sb_arc_game *game, const sb_arc_level *levels) {
    static sb_arc_play play, copy;
    sb_rng rng;
    uint64_t key[2];
    sb_rng_seed(&rng, 1, NULL);
    sb_arc_play_begin(&play, game, levels, 2, true);
    for (int i = 0; i < 200; i++) {
        const size_t n = strlen(game->actions);
        sb_arc_action action = {.id = (uint8_t)(game->actions[sb_integers(&rng, 0, (int64_t)n)] - '0')};
        sb_arc_answer answer;
        if (play.now.loop.state == SB_ARC_GAME_OVER) action.id = SB_ARC_RESET;
        if (action.id == SB_ARC_CLICK) action.x = (uint8_t)sb_integers(&rng, 0, 64), action.y = (uint8_t)(i % 64);
        sb_arc_play_act(&play, action, &(sb_arc_film){.take = ignore}, &answer);
        sb_arc_play_frames(&play, &(sb_arc_film){.take = ignore});
        sb_arc_play_copy(&copy, &play);
        sb_arc_play_key(&copy, key);
    }
}

static void test_playing_allocates_nothing(void **state) {
    (void)state;
    static sb_arc_level levels[2];
    for (const sb_arc_game *const *game = sb_arc_games; *game; game++) {
        sb_arc_solver solver;
        sb_error error = {0};
        assert_ok(sb_arc_solver_new(&solver, *game, false, &error), error);
        for (int i = 1; i <= 2; i++) assert_ok(sb_arc_make_level(&solver, 1, i, levels, &error), error);
        disarm();
        play_at_random(*game, levels);
        assert_int_equal(calls[MEMORY], 0);
        sb_arc_solver_free(&solver);
    }
}

static void test_a_solver_without_memory_is_an_error(void **state) {
    (void)state;
    sb_arc_solver solver;
    sb_error error = {0};
    arm(MEMORY, 1);
    assert_error(sb_arc_solver_new(&solver, &sb_arc_dyeworks, false, &error), &error, SB_MEMORY, "out of memory");
    disarm();
}

/* Whichever allocation of making a level fails. */
static void test_a_level_without_memory_is_an_error(void **state) {
    (void)state;
    enum { LEVELS = 8 };
    static sb_arc_level levels[LEVELS], expected[LEVELS];
    sb_arc_solver solver;
    sb_error error = {0};
    assert_int_equal(sb_arc_dyeworks.n_levels, LEVELS);
    assert_ok(sb_arc_solver_new(&solver, &sb_arc_dyeworks, false, &error), error);
    for (int i = 1; i <= LEVELS; i++) assert_ok(sb_arc_make_level(&solver, 3, i, expected, &error), error);
    sb_arc_solver_free(&solver);
    bool made = false;
    int starved = 0;
    for (long nth = 1; !made; nth++) {
        arm(MEMORY, nth);
        made = sb_arc_solver_new(&solver, &sb_arc_dyeworks, false, &error);
        const bool grew = made;
        for (int i = 1; made && i <= LEVELS; i++) made = sb_arc_make_level(&solver, 3, i, levels, &error);
        disarm();
        if (!made) assert_error(false, &error, SB_MEMORY, "out of memory");
        starved += grew && !made;
        sb_arc_solver_free(&solver);
    }
    assert_true(starved > 0);
    assert_memory_equal(levels, expected, sizeof levels);
}

/* ---- Stages of sprites ----------------------------------------------------------------------------------------------
 */

static void restore(void *game, int32_t level) { sb_arc_stage_restore(game, level); }
static void enter(void *game, int32_t level) { sb_arc_stage_enter(game, level); }
static void draw(void *game, uint8_t *frame) { sb_arc_stage_draw(game, frame); }

/* Adds, clones, merges, picks and removes: all that can need memory. */
static void step(void *game, sb_arc_loop *loop, const sb_arc_film *film) {
    static const int8_t pixels[6] = {1, 2, 3, -1, 5, 6};
    const sb_arc_sprite sprite = {
        .width = 3, .height = 2, .scale = 2, .visible = true, .collidable = true, .blocking = SB_ARC_BLOCKS_PIXEL};
    sb_arc_scene *scene = sb_arc_stage_scene(game);
    (void)film;
    sb_arc_complete(loop);
    if (!sb_arc_scene_add(scene, &sprite, pixels) || !sb_arc_scene_clone(scene, scene->n - 1, 7)) return;
    scene->sprites[scene->n - 1].x = 4;
    if (!sb_arc_scene_merge(scene, scene->n - 2, scene->n - 1)) return;
    sb_arc_sprite_at(scene, 1, 1, 0, false);
    while (scene->n > 3) sb_arc_scene_remove(scene, 0);
}

static const sb_arc_hooks hooks = {.restore = restore, .enter = enter, .step = step, .draw = draw};

static bool begin(sb_arc_stage *stage) {
    const sb_arc_sprite sprite = {.width = 1, .height = 1, .scale = 1, .visible = true, .collidable = true};
    return sb_arc_stage_new(stage, 1) && sb_arc_scene_add(&stage->levels[0].clean, &sprite, &(int8_t){4}) &&
           sb_arc_stage_begin(stage, &hooks, stage);
}

static void play_stage(sb_arc_stage *stage, int actions) {
    for (int i = 0; i < actions; i++) {
        sb_arc_answer answer;
        const sb_arc_action action = {.id = i % 9 == 8 ? SB_ARC_RESET : SB_ARC_USE};
        assert_true(sb_arc_act(&stage->loop, &hooks, stage, action, &(sb_arc_film){.take = ignore}, &answer));
    }
}

static void test_a_warm_stage_allocates_nothing(void **state) {
    (void)state;
    sb_arc_stage stage, copy = {0};
    disarm();
    assert_true(begin(&stage));
    play_stage(&stage, 60);
    assert_true(sb_arc_stage_copy(&copy, &stage));
    disarm();
    play_stage(&stage, 60);
    assert_true(sb_arc_stage_copy(&copy, &stage));
    assert_int_equal(calls[MEMORY], 0);
    sb_arc_stage_free(&stage);
    sb_arc_stage_free(&copy);
}

/* A copy of a stage goes on as the original does. */
static void test_copies_of_stages_go_on_alike(void **state) {
    (void)state;
    sb_arc_stage stage, copy = {0};
    uint8_t one[SB_ARC_FRAME], other[SB_ARC_FRAME];
    assert_true(begin(&stage));
    play_stage(&stage, 5);
    assert_true(sb_arc_stage_copy(&copy, &stage));
    play_stage(&stage, 7);
    play_stage(&copy, 7);
    sb_arc_stage_draw(&stage, one);
    sb_arc_stage_draw(&copy, other);
    assert_memory_equal(one, other, sizeof one);
    assert_int_equal(sb_arc_stage_scene(&stage)->n, sb_arc_stage_scene(&copy)->n);
    sb_arc_stage_free(&stage);
    sb_arc_stage_free(&copy);
}

static void test_a_scene_without_memory_is_as_it_was(void **state) {
    (void)state;
    long n = 1;
    for (;; n++) {
        sb_arc_stage stage = {0}, copy = {0};
        arm(MEMORY, n);
        if (begin(&stage)) {
            for (int i = 0; i < 20; i++) step(&stage, &stage.loop, NULL);
            (void)sb_arc_stage_copy(&copy, &stage);
        }
        const bool failed = calls[MEMORY] >= n;
        disarm();
        for (size_t i = 0; stage.levels && i < stage.levels[0].live.n; i++) {
            const sb_arc_sprite *s = &stage.levels[0].live.sprites[i];
            assert_true(s->pixels + (size_t)s->width * (size_t)s->height <= stage.levels[0].live.n_pixels);
        }
        sb_arc_stage_free(&stage);
        sb_arc_stage_free(&copy);
        if (!failed) break;
    }
    assert_true(n > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_playing_allocates_nothing),
        cmocka_unit_test(test_a_solver_without_memory_is_an_error),
        cmocka_unit_test(test_a_level_without_memory_is_an_error),
        cmocka_unit_test(test_a_warm_stage_allocates_nothing),
        cmocka_unit_test(test_copies_of_stages_go_on_alike),
        cmocka_unit_test(test_a_scene_without_memory_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
