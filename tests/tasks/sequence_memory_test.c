/* SequenceMemory: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/memory/sequence_memory.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

typedef sb_sequence_memory_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_sequence_memory, 30, 6408);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_sequence_memory, difficulty, seed, NULL, &error), error);
}

static bool is_among(const sb_xy *cells, int n, sb_xy p) {
    for (int i = 0; i < n; i++)
        if (sb_same(cells[i], p)) return true;
    return false;
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    static const int obstacles[] = {0, 4, 6, 8}, targets[] = {3, 4, 5, 6}, distractors[] = {0, 2, 3, 4};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    assert_int_equal(v->n_targets, targets[e->difficulty]);
    assert_int_equal(v->n_distractors, distractors[e->difficulty]);
    for (int i = 0; i < v->n_targets; i++) {
        assert_true(igraph_distance(e, open, v->start, v->target[i]) > 0);
        assert_false(is_among(v->target, i, v->target[i]));
    }
    for (int i = 0; i < v->n_distractors; i++) {
        assert_true(igraph_distance(e, open, v->start, v->distractor[i]) > 0);
        assert_false(is_among(v->target, v->n_targets, v->distractor[i]));
        assert_false(is_among(v->distractor, i, v->distractor[i]));
    }
}

static void targets_and_distractors_are_cells_that_can_be_reached(void **state) {
    (void)state;
    each_instance(&sb_sequence_memory, 50, check_instance);
}

/* ---- The show ---- */

static const int gem_steps[] = {4, 3, 2, 1};

static int show_steps(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_targets * gem_steps[e->difficulty];
}

static void check_show(const sb_episode *first) {
    sb_episode e = {0};
    sb_result result;
    const vars *v = SB_VARS(&e);
    sb_episode_copy(&e, first);
    for (int step = 0; step < show_steps(&e); step++) {
        assert_int_equal(count_objects(&e, SB_GEM), 1);
        assert_int_equal(sb_peek(&e, v->target[step / gem_steps[e.difficulty]])->object, SB_GEM);
        assert_int_equal(sb_sequence_memory_left(&e), show_steps(&e) - step);
        sb_episode_step(&e, SB_INTERACT, &result);
    }
    assert_int_equal(count_objects(&e, SB_GEM), 0);
    assert_int_equal(sb_sequence_memory_left(&e), 0);
    assert_int_equal(sb_sequence_memory_shown(&e), -1);
}

static void every_gem_is_shown_for_its_time_in_turn(void **state) {
    (void)state;
    each_instance(&sb_sequence_memory, 20, check_show);
}

/* Starts an episode without distractors and obstacles and waits for the end of the show. */
static void end_show(sb_episode *e) {
    sb_result result;
    start(e, SB_EASY, 3);
    while (sb_sequence_memory_left(e) > 1) sb_episode_step(e, SB_NOOP, &result);
}

static void the_first_move_that_counts_comes_after_the_show(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    end_show(&e);
    walk_in(&e, v->target[0]);
    assert_int_equal(sb_sequence_memory_left(&e), 0);
    assert_int_equal(v->progress, 0);
    walk_in(&e, v->target[0]);
    assert_int_equal(v->progress, 1);
}

static void a_gem_under_the_agent_stays(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 3);
    walk_in(&e, v->target[0]);
    assert_int_equal(sb_object_here(&e), SB_GEM);
}

/* ---- Reproduction ---- */

static void standing_on_a_target_is_not_entering_it(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    const vars *v = SB_VARS(&e);
    end_show(&e);
    walk_in(&e, v->target[0]);
    sb_episode_step(&e, SB_NOOP, &result);
    sb_episode_step(&e, SB_INTERACT, &result);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) { /* bumping into walls on all sides */
        sb_cell *beside = sb_cell_at(&e, sb_beside(e.agent.at, d));
        beside->terrain = SB_WALL;
        sb_episode_step(&e, sb_move_of(d), &result);
    }
    assert_int_equal(v->progress, 0);
    assert_true(result.dense == -0.01);
}

static void targets_out_of_turn_do_not_count(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = SB_VARS(&e);
    end_show(&e);
    walk_in(&e, v->target[2]);
    walk_in(&e, v->target[1]);
    assert_int_equal(v->progress, 0);
    for (int i = 0; i < v->n_targets; i++) {
        const sb_result result = walk_in(&e, v->target[i]);
        assert_int_equal(v->progress, i + 1);
        assert_int_equal(result.success, i + 1 == v->n_targets);
        assert_int_equal(count_objects(&e, SB_GOAL), i + 1); /* earlier targets stay marked */
    }
}

static void only_the_first_distractor_costs_anything(void **state) {
    (void)state;
    sb_episode e = {0}, bare = {0};
    const vars *v = SB_VARS(&e);
    vars *others = SB_VARS(&bare);
    uint64_t visited[2], not_visited[2];
    start(&e, SB_MEDIUM, 3);
    assert_true(walk_in(&e, v->distractor[0]).dense == -0.01); /* free during the show */
    while (sb_sequence_memory_left(&e) > 0) walk_in(&e, v->distractor[1]);
    sb_episode_copy(&bare, &e);
    others->n_distractors = 0;
    assert_true(walk_in(&e, v->distractor[0]).dense < walk_in(&bare, v->distractor[0]).dense - 0.29);
    others->n_distractors = v->n_distractors;
    sb_episode_key(&e, visited), sb_episode_key(&bare, not_visited);
    assert_memory_equal(visited, not_visited, sizeof visited); /* without any other effect */
    others->n_distractors = 0;
    assert_true(walk_in(&e, v->distractor[1]).dense == walk_in(&bare, v->distractor[1]).dense);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool moved = !sb_same(before->agent.at, after->agent.at);
    const bool counts = moved && before->clock >= show_steps(before) &&
                        sb_same(after->agent.at, v->target[old->progress]);
    assert_int_equal(v->progress, old->progress + counts);
    assert_int_equal(v->show_step, after->clock < show_steps(after) ? after->clock : show_steps(after));
    assert_int_equal(count_objects(after, SB_GEM), after->clock < show_steps(after));
    assert_int_equal(count_objects(after, SB_GOAL), v->progress);
    assert_int_equal(result->terminated, v->progress == v->n_targets);
    assert_true(result->reward == (result->terminated ? 1.0 : 0.0));
}

static void a_target_is_reproduced_by_entering_it_in_its_turn(void **state) {
    (void)state;
    each_step(&sb_sequence_memory, 20, check_step);
}

/* ---- Expert and observer ---- */

static int steps_of(const char *agent, const sb_name *name) {
    sb_error error;
    sb_worker worker = {0};
    assert_ok(sb_worker_play(&worker, agent, name, NULL, NULL, &error), error);
    const int steps = worker.tape.outcome.success ? (int)worker.tape.n : -1;
    sb_worker_free(&worker);
    return steps;
}

static void who_remembers_takes_no_more_steps_than_who_knows(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.tasks = "SequenceMemory", .split = "train", .count = 10}, &selection, &error),
              error);
    for (size_t i = 0; i < selection.n; i++) {
        const int steps = steps_of("observer", sb_selection_name(&selection, i, &(sb_name){0}));
        assert_true(steps > 0);
        assert_int_equal(steps, steps_of("expert", sb_selection_name(&selection, i, &(sb_name){0})));
    }
    sb_selection_free(&selection);
}

/* This works even in a corner between two distractors. */
static void the_expert_leaves_a_target_to_enter_it_again(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, "SequenceMemory/medium#3", &error);
    assert_non_null(env);
    sb_episode *e = (sb_episode *)(uintptr_t)sb_episode_of(env);
    vars *v = SB_VARS(e);
    while (sb_sequence_memory_left(e) > 0) assert_ok(sb_step(env, SB_NOOP, &result, &error), error);
    e->agent.at = v->target[0] = sb_at(1, 1);
    v->distractor[0] = sb_at(2, 1), v->distractor[1] = sb_at(1, 2);
    sb_cell_at(e, v->target[0])->terrain = SB_EMPTY;
    for (int i = 0; i < 2; i++) sb_cell_at(e, v->distractor[i])->terrain = SB_EMPTY;
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    for (int i = 0; i < 2; i++) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    assert_int_equal(v->progress, 1);
    sb_player_clear(&player);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(targets_and_distractors_are_cells_that_can_be_reached),
        cmocka_unit_test(every_gem_is_shown_for_its_time_in_turn),
        cmocka_unit_test(the_first_move_that_counts_comes_after_the_show),
        cmocka_unit_test(a_gem_under_the_agent_stays),
        cmocka_unit_test(standing_on_a_target_is_not_entering_it),
        cmocka_unit_test(targets_out_of_turn_do_not_count),
        cmocka_unit_test(only_the_first_distractor_costs_anything),
        cmocka_unit_test(a_target_is_reproduced_by_entering_it_in_its_turn),
        cmocka_unit_test(who_remembers_takes_no_more_steps_than_who_knows),
        cmocka_unit_test(the_expert_leaves_a_target_to_enter_it_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
