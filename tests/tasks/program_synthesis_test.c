/* ProgramSynthesis: what holds for every instance and every step, and that its expert takes the fewest steps. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/reasoning/program_synthesis.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

typedef sb_program_synthesis_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_program_synthesis, 31, 6850);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_program_synthesis, difficulty, seed, NULL, &error), error);
}

/* ---- A second way to count matches ---- */

static bool holds(const sb_episode *e, int x, int y, int object) {
    return sb_inside(e, sb_at(x, y)) && sb_peek(e, sb_at(x, y))->object == object;
}

/* Counts the gems that lie on the scrolls' cells moved by (dx, dy). */
static int count_over(const sb_episode *e, int dx, int dy) {
    const vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < v->n; i++) n += holds(e, v->scroll[i].x + dx, v->scroll[i].y + dy, SB_GEM);
    return n;
}

static int count_best(const sb_episode *e, bool first_is_gem) {
    const vars *v = SB_VARS(e);
    sb_xy first = v->scroll[0]; /* the westernmost, the northernmost of these */
    int best = 0;
    for (int i = 1; i < v->n; i++)
        if (v->scroll[i].x < first.x || (v->scroll[i].x == first.x && v->scroll[i].y < first.y)) first = v->scroll[i];
    for (int dy = -e->height; dy <= e->height; dy++)
        for (int dx = -e->width; dx <= e->width; dx++) {
            if (first_is_gem && !holds(e, first.x + dx, first.y + dy, SB_GEM)) continue;
            if (count_over(e, dx, dy) > best) best = count_over(e, dx, dy);
        }
    return best;
}

/* ---- Instances ---- */

static bool has_room_within(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int dy = -e->height; dy <= e->height; dy++)
        for (int dx = -e->width; dx <= e->width; dx++) {
            int n = 0;
            for (int i = 0; i < v->n; i++) {
                const sb_xy p = sb_at(v->scroll[i].x + dx, v->scroll[i].y + dy);
                n += p.x >= 2 && p.x <= e->width - 3 && p.y >= 2 && p.y <= e->height - 3 &&
                     !holds(e, p.x, p.y, SB_SCROLL);
            }
            if (n == v->n) return true;
        }
    return false;
}

static void check_instance(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    check_walled(e);
    assert_int_equal(v->n, 3 + e->difficulty);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1));
    assert_int_equal(count_objects(e, SB_SCROLL), v->n);
    assert_int_equal(count_objects(e, SB_GEM), v->n);
    assert_int_equal(sb_object_here(e), SB_NONE);
    for (int i = 0; i < v->n; i++) {
        assert_true(holds(e, v->placed[i].x, v->placed[i].y, SB_GEM));
        assert_true(v->placed[i].x >= e->width / 2 && v->placed[i].x <= e->width - 3);
        assert_true(v->placed[i].y >= 2 && v->placed[i].y <= e->height - 3);
    }
    assert_true(has_room_within(e)); /* otherwise the published generator would try again */
}

static void there_is_a_gem_for_every_scroll_and_room_for_the_shape(void **state) {
    (void)state;
    each_instance(&sb_program_synthesis, 300, check_instance);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    const bool is_done = count_best(after, false) == v->n;
    const int last = before->clock ? count_best(before, true) : 0, now = count_best(after, true);
    assert_int_equal(count_objects(after, SB_GEM), v->n);
    assert_int_equal(count_objects(after, SB_SCROLL), v->n);
    for (int i = 0; i < v->n; i++) {
        assert_true(holds(after, v->gem[i].x, v->gem[i].y, SB_GEM));
        assert_true(holds(after, v->scroll[i].x, v->scroll[i].y, SB_SCROLL));
    }
    assert_true(sb_object_here(after) != SB_GEM);
    assert_true(result->success == is_done && result->terminated == is_done);
    assert_true(result->reward == (is_done ? 1.0 : 0.0));
    double reward = -0.01;
    if (now > last) reward += 0.2 * (now - last);
    if (is_done) reward += 1.0;
    assert_true(result->dense == reward);
}

static void gems_are_neither_lost_nor_made_and_matches_are_paid_for(void **state) {
    (void)state;
    each_step(&sb_program_synthesis, 5, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_program_synthesis, 7, 5);
}

/* Moves the gems of an easy room. The scrolls of easy 0 are at (3,4) to (5,4). */
static void arrange(sb_episode *e, sb_xy agent, sb_xy a, sb_xy b, sb_xy c) {
    vars *v;
    start(e, SB_EASY, 0);
    v = SB_VARS(e);
    assert_true(holds(e, 3, 4, SB_SCROLL));
    for (int i = 0; i < v->n; i++) sb_set_object(e, v->gem[i], SB_NONE, 0);
    v->gem[0] = a, v->gem[1] = b, v->gem[2] = c; /* by x, then y */
    for (int i = 0; i < v->n; i++) sb_set_object(e, v->gem[i], SB_GEM, 0);
    e->agent.at = agent;
}

static sb_result play(sb_episode *e, const char *actions) {
    sb_result result = {0};
    for (; *actions; actions++) sb_episode_step(e, *actions - '0', &result);
    return result;
}

static void scrolls_stop_gems_but_not_the_agent(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(3, 2), sb_at(3, 3), sb_at(6, 6), sb_at(7, 2));
    play(&e, "2");
    assert_true(sb_same(e.agent.at, sb_at(3, 2)) && e.agent.facing == SB_SOUTH);
    play(&e, "3221");
    assert_true(sb_same(e.agent.at, sb_at(2, 3)));
    play(&e, "2411"); /* from below, across the scroll */
    assert_true(sb_same(e.agent.at, sb_at(3, 2)));
    assert_true(holds(&e, 3, 1, SB_GEM) && holds(&e, 3, 4, SB_SCROLL));
}

static void neither_two_gems_nor_one_at_the_wall_can_be_pushed(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(4, 6), sb_at(5, 6), sb_at(6, 6), sb_at(7, 7));
    play(&e, "4");
    assert_true(sb_same(e.agent.at, sb_at(4, 6)) && holds(&e, 5, 6, SB_GEM));
    e.agent.at = sb_at(6, 7);
    play(&e, "4");
    assert_true(sb_same(e.agent.at, sb_at(6, 7)) && holds(&e, 7, 7, SB_GEM));
}

/* Easy 117 begins with the shape. Success is seen after any first step, and nothing has been paid for before. */
static void a_shape_that_is_there_from_the_start_wins_with_the_first_step(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_EASY, 117);
    const sb_result result = play(&e, "0");
    assert_true(result.terminated && result.success && result.reward == 1.0);
    assert_true(result.dense == -0.01 + 0.2 * 3 + 1.0);
}

static void what_is_broken_up_is_paid_for_again(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(3, 2), sb_at(4, 2), sb_at(5, 2), sb_at(6, 6));
    e.agent.at = sb_at(5, 3);
    e.paid[1] = 2;
    assert_true(play(&e, "0").dense == -0.01 + 0.2 * 2);
    assert_true(play(&e, "1").dense == -0.01); /* only one gem is still in place */
    e.agent.at = sb_at(4, 3);
    assert_true(play(&e, "1").dense == -0.01 + 0.2 * 1);
}

/* Uses medium 826 and hard 348. On expert the shape itself contains a square. */
static void the_bound_tells_squares_of_gems(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_MEDIUM, 826);
    assert_true(sb_program_synthesis.bound(&e) < 0);
    start(&e, SB_HARD, 348);
    assert_true(sb_program_synthesis.bound(&e) < 0);
    start(&e, SB_EXPERT, 720);
    assert_true(sb_program_synthesis.bound(&e) > 0);
}

static void the_bound_counts_pushes(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(1, 1), sb_at(2, 2), sb_at(3, 6), sb_at(6, 6));
    assert_int_equal(sb_program_synthesis.bound(&e), 4 + 2);
    arrange(&e, sb_at(1, 1), sb_at(3, 6), sb_at(4, 6), sb_at(5, 6));
    assert_int_equal(sb_program_synthesis.bound(&e), 0);
}

/* ---- The expert ---- */

static void the_expert_takes_the_fewest_steps(void **state) {
    (void)state;
    enum { STATES = 1 << 16 };
    static const uint64_t seeds[] = {0, 1, 2, 3, 4, 5, 6, 7, 117};
    sb_error error;
    sb_copies copies;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_copies_open(&copies, STATES, &error), error);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        const sb_name name = {
            .family = "agentick", .task = "ProgramSynthesis-v0", .difficulty = "easy", .seed = seeds[i]};
        sb_budget budget = {.limit = STATES};
        sb_verdict verdict;
        assert_ok(sb_reset_name(env, &name, &error), error);
        assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
        assert_int_equal(verdict, SB_SOLVED);
        assert_int_equal(expert_steps(env, &player), sb_copies_plan(&copies, NULL, 0));
    }
    sb_player_clear(&player);
    sb_copies_close(&copies);
    sb_free(env);
}

static void the_expert_gives_up_where_nothing_can_be_done(void **state) {
    (void)state;
    sb_error error;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, "ProgramSynthesis/hard#348", &error);
    assert_non_null(env);
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    assert_int_equal(sb_player_act(&player, env), SB_NOOP);
    assert_string_equal(player.intent.verb, "give up");
    assert_string_equal(player.intent.object, "no solution is left");
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_IMPOSSIBLE);
    assert_ok(sb_reset(env, "ProgramSynthesis/expert#720", &error),
              error); /* the expert builds the shape around the square */
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_SOLVED);
    sb_player_clear(&player);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(there_is_a_gem_for_every_scroll_and_room_for_the_shape),
        cmocka_unit_test(gems_are_neither_lost_nor_made_and_matches_are_paid_for),
        cmocka_unit_test(interacting_changes_nothing),
        cmocka_unit_test(scrolls_stop_gems_but_not_the_agent),
        cmocka_unit_test(neither_two_gems_nor_one_at_the_wall_can_be_pushed),
        cmocka_unit_test(a_shape_that_is_there_from_the_start_wins_with_the_first_step),
        cmocka_unit_test(what_is_broken_up_is_paid_for_again),
        cmocka_unit_test(the_bound_tells_squares_of_gems),
        cmocka_unit_test(the_bound_counts_pushes),
        cmocka_unit_test(the_expert_takes_the_fewest_steps),
        cmocka_unit_test(the_expert_gives_up_where_nothing_can_be_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
