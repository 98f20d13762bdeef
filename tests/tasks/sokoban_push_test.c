/* SokobanPush: what holds for every instance and every step, and what the bound proves. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/planning/sokoban_push.h"
#include "oracles/oracle.h"

typedef sb_sokoban_push_vars vars;

enum { LOCKED = 100 };

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_sokoban_push, 33, 12104);
}

static void check_instance(const sb_episode *e) {
    static const int obstacles[SB_N_DIFFICULTIES] = {0, 3, 5, 8}, hazards[SB_N_DIFFICULTIES] = {0, 0, 3, 5};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    assert_int_equal(v->n, e->difficulty + 1);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    assert_int_equal(count_terrain(e, SB_HAZARD), hazards[e->difficulty]);
    assert_int_equal(count_terrain(e, SB_HOLE), v->n);
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = e->cells[i].terrain != SB_WALL;
    for (int i = 0; i < v->n; i++) { /* the generator does not count pits and hazards as obstacles */
        assert_int_equal(sb_peek(e, v->placed[i])->object, SB_BOX);
        assert_int_equal(sb_peek(e, v->target[i])->object, SB_TARGET);
        assert_int_equal(sb_peek(e, v->target[i])->terrain, SB_HOLE);
        assert_true(igraph_distance(e, open, v->start, v->placed[i]) > 0);
        assert_true(igraph_distance(e, open, v->start, v->target[i]) > 0);
        assert_true(v->placed[i].x >= 2 && v->placed[i].x <= e->width - 3);
        assert_true(v->placed[i].y >= 2 && v->placed[i].y <= e->height - 3);
    }
}

static void boxes_and_pits_are_connected_by_floor(void **state) {
    (void)state;
    each_instance(&sb_sokoban_push, 100, check_instance);
}

static void check_box_list(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int covered = 0;
    assert_int_equal(count_objects(e, SB_BOX), v->n);
    for (int i = 0; i < v->n; i++) {
        const sb_cell *c = sb_peek(e, v->box[i]);
        assert_int_equal(c->object, SB_BOX);
        assert_int_equal(c->metadata, c->terrain == SB_HOLE ? LOCKED : 0);
        assert_true(c->terrain == SB_HOLE || c->terrain == SB_EMPTY);
        if (i > 0) assert_true(sb_index(e, v->box[i - 1]) < sb_index(e, v->box[i]));
        covered += c->terrain == SB_HOLE;
    }
    assert_int_equal(v->covered, covered);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    const bool fell = sb_terrain_here(after) == SB_HOLE;
    check_box_list(after);
    assert_true(fell || sb_terrain_here(after) == SB_EMPTY); /* hazards block like walls */
    assert_true(sb_object_here(after) != SB_BOX);
    assert_int_equal(result->terminated, fell || v->covered == v->n);
    assert_int_equal(result->success, v->covered == v->n);
    if (fell) assert_true(result->dense == -0.5 && result->reward == 0.0);
    for (int i = 0; i < v->n; i++) /* a locked box stays for ever */
        if (sb_peek(before, v->target[i])->object == SB_BOX)
            assert_int_equal(sb_peek(after, v->target[i])->object, SB_BOX);
}

static void boxes_are_neither_lost_nor_made_and_pits_keep_theirs(void **state) {
    (void)state;
    each_step(&sb_sokoban_push, 40, check_step);
}

/* Sets up an empty easy room with the agent, the box and the pit on these cells. */
static void arrange(sb_episode *e, sb_xy agent, sb_xy box, sb_xy pit) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_sokoban_push, SB_EASY, 0, NULL, &error), error);
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){0};
    e->agent.at = agent;
    v->box[0] = box, v->target[0] = pit;
    sb_set_object(e, box, SB_BOX, 0);
    *sb_cell_at(e, pit) = (sb_cell){.terrain = SB_HOLE, .object = SB_TARGET};
}

static void a_box_in_its_pit_ends_the_episode(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    arrange(&e, sb_at(1, 3), sb_at(2, 3), sb_at(4, 3));
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, sb_at(2, 3)));
    assert_false(result.terminated);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(result.terminated && result.success);
    assert_int_equal(sb_peek(&e, sb_at(4, 3))->metadata, LOCKED);
}

static void a_hazard_turns_the_agent_and_stops_boxes(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    arrange(&e, sb_at(1, 3), sb_at(2, 3), sb_at(5, 5));
    sb_cell_at(&e, sb_at(3, 3))->terrain = SB_HAZARD;
    sb_cell_at(&e, sb_at(1, 2))->terrain = SB_HAZARD;
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, sb_at(1, 3)) && e.agent.facing == SB_EAST);
    sb_episode_step(&e, SB_MOVE_UP, &result);
    assert_true(sb_same(e.agent.at, sb_at(1, 3)) && e.agent.facing == SB_NORTH);
    assert_false(result.terminated);
}

/* A box in a corner is lost. A box beside a wall is lost unless the pit lies beside the same wall. */
static void the_bound_tells_dead_boxes(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(3, 3), sb_at(1, 1), sb_at(3, 4));
    assert_true(sb_sokoban_push.bound(&e) < 0);
    arrange(&e, sb_at(3, 3), sb_at(2, 1), sb_at(3, 4));
    assert_true(sb_sokoban_push.bound(&e) < 0);
    arrange(&e, sb_at(3, 3), sb_at(2, 1), sb_at(4, 1));
    assert_int_equal(sb_sokoban_push.bound(&e), 2);
    arrange(&e, sb_at(1, 3), sb_at(2, 3), sb_at(4, 3));
    assert_int_equal(sb_sokoban_push.bound(&e), 2);
}

static sb_verdict judge(const sb_oracle *expert, const sb_env *env) {
    void *memory = calloc(1, expert->memory);
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    assert_non_null(memory);
    const sb_verdict verdict = expert->judge(memory, env, &budget);
    free(memory);
    return verdict;
}

/* Searching forwards by the rules or backwards by pulls, with one box at a time, finds the same episodes lost. Boxes in
 * pairs may find more of them lost, which the expert does not win. */
static void one_box_at_a_time_is_lost_where_the_bound_says_so(void **state) {
    (void)state;
    static const char *const levels[] = {"easy", "medium", "hard"};
    const sb_oracle *expert = sb_oracle_find("agentick", "SokobanPush-v0", "expert");
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    int lost = 0;
    assert_non_null(expert);
    for (int i = 0; i < (TESTS_ARE_SLOW ? 30 : 240); i++) {
        sb_name name = {.family = "agentick", .task = "SokobanPush-v0", .seed = (uint64_t)i};
        sb_budget budget = {.limit = 1000000};
        sb_verdict verdict;
        strcpy(name.difficulty, levels[i % 3]);
        assert_ok(sb_reset_name(env, &name, &error), error);
        assert_ok(expert->judge_relaxed(env, &budget, &verdict, &error), error);
        if (env->family->bound(env) < 0) assert_int_equal(verdict, SB_IMPOSSIBLE);
        if (verdict == SB_IMPOSSIBLE) assert_int_equal(judge(expert, env), SB_IMPOSSIBLE);
        lost += verdict == SB_IMPOSSIBLE;
    }
    if (!TESTS_ARE_SLOW) assert_true(lost > 0);
    sb_free(env);
}

static void a_short_budget_proves_nothing_of_one_box(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "SokobanPush-v0/hard#630501482", &error);
    sb_budget enough = {.limit = 100000}, little = {.limit = 100};
    sb_verdict verdict;
    const sb_oracle *expert = sb_oracle_find("agentick", "SokobanPush-v0", "expert");
    assert_ok(expert->judge_relaxed(env, &little, &verdict, &error), error);
    assert_int_equal(verdict, SB_NOT_FOUND);
    assert_ok(expert->judge_relaxed(env, &enough, &verdict, &error), error);
    assert_int_equal(verdict, SB_IMPOSSIBLE);
    sb_free(env);
}

/* Two boxes that stand between walls and hold each other are lost, though each alone can be brought home. */
static void boxes_that_block_each_other_are_lost_in_pairs(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "SokobanPush-v0/expert#664610681", &error);
    sb_budget budget = {.limit = 200000};
    sb_verdict verdict;
    const sb_oracle *expert = sb_oracle_find("agentick", "SokobanPush-v0", "expert");
    assert_true(env->family->bound(env) >= 0);
    assert_ok(expert->judge_relaxed(env, &budget, &verdict, &error), error);
    assert_int_equal(verdict, SB_IMPOSSIBLE);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(boxes_and_pits_are_connected_by_floor),
        cmocka_unit_test(boxes_are_neither_lost_nor_made_and_pits_keep_theirs),
        cmocka_unit_test(a_box_in_its_pit_ends_the_episode),
        cmocka_unit_test(a_hazard_turns_the_agent_and_stops_boxes),
        cmocka_unit_test(the_bound_tells_dead_boxes),
        cmocka_unit_test(one_box_at_a_time_is_lost_where_the_bound_says_so),
        cmocka_unit_test(a_short_budget_proves_nothing_of_one_box),
        cmocka_unit_test(boxes_that_block_each_other_are_lost_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
