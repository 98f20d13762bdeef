/* CooperativeTransport: what holds for every instance and every step, and how the helper behaves. */
#include "tests/tasks/tasks.h"

#include "engine/gridworld/search.h"
#include "generators/agentick/multi_agent/cooperative_transport.h"
#include "oracles/oracle.h"

typedef sb_cooperative_transport_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_cooperative_transport, 30, 9016);
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    static const int obstacles[SB_N_DIFFICULTIES] = {0, 3, 6, 9};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    check_walled(e);
    open_walkable(e, open);
    assert_int_equal(v->n, e->difficulty + 1);
    assert_int_equal(v->n_left, v->n);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    assert_int_equal(count_terrain(e, SB_HOLE), v->n);
    assert_int_equal(count_objects(e, SB_BOX), v->n);
    assert_int_equal(sb_peek(e, v->helper)->object, SB_NPC);
    assert_true(igraph_distance(e, open, v->start, v->helper) > 0);
    for (int i = 0; i < v->n; i++) {
        int beside = 0;
        assert_int_equal(sb_peek(e, v->box[i])->object, SB_BOX);
        assert_int_equal(sb_peek(e, v->hole[i])->terrain, SB_HOLE);
        assert_true(igraph_distance(e, open, v->start, v->box[i]) > 0);
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
            beside += igraph_distance(e, open, v->start, sb_beside(v->hole[i], d)) >= 0;
        assert_true(beside > 0);
        assert_in_range(v->box[i].x, 2, e->width - 3);
        assert_in_range(v->box[i].y, 2, e->height - 3);
    }
}

static void everyone_can_come_to_everything(void **state) {
    (void)state;
    each_instance(&sb_cooperative_transport, 40, check_instance);
}

/* ---- Steps ---- */

static void check_push(const sb_episode *before, const sb_episode *after, sb_xy from, sb_xy to) {
    const vars *old = SB_VARS(before);
    assert_int_equal(sb_manhattan(old->helper, from), 1);
    assert_true(sb_same(after->agent.at, from));
    assert_true(sb_same(sb_beside(from, (sb_direction)after->agent.facing), to));
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    int hidden = 0, moved = 0;
    for (int i = 0; i < v->n_left; i++) {
        hidden += sb_peek(after, v->box[i])->object != SB_BOX;
        if (v->n_left < old->n_left || sb_same(old->box[i], v->box[i])) continue;
        check_push(before, after, old->box[i], v->box[i]);
        moved++;
    }
    assert_in_range(moved, 0, 1);
    assert_int_equal(count_objects(after, SB_BOX), v->n_left - hidden);
    assert_int_equal(count_terrain(after, SB_HOLE), v->n_left);
    assert_int_equal(count_objects(after, SB_NPC), 1);
    assert_int_equal(sb_peek(after, v->helper)->object, SB_NPC);
    assert_in_range(sb_manhattan(old->helper, v->helper), 0, moved ? 2 : 1); /* it steps aside and then follows */
    assert_in_range(old->n_left - v->n_left, 0, 1);
    assert_true(result->terminated == (v->n_left == 0) && result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void boxes_move_only_with_the_helper_beside_them(void **state) {
    (void)state;
    each_step(&sb_cooperative_transport, 60, check_step);
}

/* Sets up an empty easy room with this agent, box and helper; the hole is in the lower right. */
static vars *arrange(sb_episode *e, sb_xy agent, sb_xy box, sb_xy helper) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_cooperative_transport, SB_EASY, 0, NULL, &error), error);
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){0};
    e->agent.at = agent, v->box[0] = box, v->helper = helper, v->hole[0] = sb_at(6, 6);
    sb_set_object(e, box, SB_BOX, 0);
    sb_set_object(e, helper, SB_NPC, SB_SOUTH);
    sb_cell_at(e, v->hole[0])->terrain = SB_HOLE;
    return v;
}

/* Turns everything but a row of free cells into walls. */
static void narrow(sb_episode *e, int y, int first, int last) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        if (p.y != y || p.x < first || p.x > last) e->cells[i].terrain = SB_WALL;
    }
}

static sb_result step(sb_episode *e, sb_action action) {
    sb_result result;
    sb_episode_step(e, action, &result);
    return result;
}

static void alone_the_agent_pushes_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(3, 3), sb_at(4, 3), sb_at(4, 6));
    const sb_result result = step(&e, SB_MOVE_RIGHT);
    assert_true(sb_same(e.agent.at, sb_at(3, 3)) && e.agent.facing == SB_EAST);
    assert_true(sb_same(v->box[0], sb_at(4, 3)));
    assert_true(sb_same(v->helper, sb_at(5, 6))); /* on its way to the far side of the box: east before north */
    assert_true(result.dense == -0.01);
}

static void the_helper_waits_at_the_far_side_and_makes_room(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(2, 3), sb_at(3, 3), sb_at(4, 3));
    for (int x = 3; x < 6; x++) { /* pushed eastwards, it stays ahead of the box */
        step(&e, SB_MOVE_RIGHT);
        assert_true(sb_same(e.agent.at, sb_at(x, 3)));
        assert_true(sb_same(v->box[0], sb_at(x + 1, 3)) && sb_same(v->helper, sb_at(x + 2, 3)));
    }
    v = arrange(&e, sb_at(4, 2), sb_at(4, 3), sb_at(4, 4));
    step(&e, SB_MOVE_DOWN); /* pushed southwards, it steps east and goes round the box */
    assert_true(sb_same(v->box[0], sb_at(4, 4)) && sb_same(v->helper, sb_at(5, 5)));
    assert_int_equal(sb_peek(&e, v->helper)->metadata, SB_SOUTH);
    step(&e, SB_MOVE_DOWN);
    assert_true(sb_same(v->box[0], sb_at(4, 4)) && sb_same(v->helper, sb_at(4, 5)));
    assert_int_equal(sb_peek(&e, v->helper)->metadata, SB_WEST);
}

/* The step counter alone decides where the helper wanders. */
static void away_from_boxes_the_helper_wanders_as_the_clock_tells(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(1, 1), sb_at(6, 2), sb_at(3, 4));
    for (int clock = 1; clock <= 3; clock++) {
        const int way = sb_cooperative_transport_whim(clock, 4, NULL);
        const sb_direction d = sb_ewsn[way];
        sb_set_object(&e, v->helper, SB_NONE, 0);
        ((vars *)SB_VARS(&e))->helper = sb_at(3, 4);
        step(&e, SB_NOOP);
        assert_true(sb_same(v->helper, sb_beside(sb_at(3, 4), d)));
        assert_int_equal(sb_peek(&e, v->helper)->metadata, d);
    }
}

static void agent_and_helper_may_share_a_cell_and_push_from_it(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(1, 3), sb_at(3, 3), sb_at(2, 3));
    narrow(&e, 3, 1, 6);
    step(&e, SB_MOVE_RIGHT); /* the only way behind it leads back, and the helper does not take it */
    assert_true(sb_same(e.agent.at, sb_at(2, 3)) && sb_same(v->helper, sb_at(2, 3)));
    step(&e, SB_MOVE_RIGHT);
    assert_true(sb_same(e.agent.at, sb_at(3, 3)) && sb_same(v->box[0], sb_at(4, 3)));
}

static void a_box_pushed_onto_a_trapped_helper_is_lost(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(2, 3), sb_at(3, 3), sb_at(4, 3));
    narrow(&e, 3, 2, 4);
    sb_cell_at(&e, v->hole[0])->terrain = SB_HOLE;
    assert_true(sb_cooperative_transport.bound(&e) >= 0);
    step(&e, SB_MOVE_RIGHT);
    assert_true(sb_same(v->box[0], sb_at(4, 3)) && sb_same(v->helper, sb_at(4, 3)));
    assert_int_equal(count_objects(&e, SB_BOX), 0);
    assert_int_equal(sb_peek(&e, v->helper)->object, SB_NPC);
    assert_int_equal(sb_cooperative_transport.bound(&e), -1);
    step(&e, SB_MOVE_RIGHT); /* nothing blocks the agent any more */
    assert_true(sb_same(e.agent.at, sb_at(4, 3)) && sb_same(v->box[0], sb_at(4, 3)));
}

static void a_hole_swallows_a_box_and_becomes_floor(void **state) {
    (void)state;
    sb_episode e = {0};
    const vars *v = arrange(&e, sb_at(4, 6), sb_at(5, 6), sb_at(5, 5));
    sb_result result = step(&e, SB_MOVE_RIGHT);
    assert_true(result.terminated && result.success && result.reward == 1.0);
    assert_true(result.dense == -0.01 + 0.5 + 1.0);
    assert_int_equal(sb_peek(&e, v->hole[0])->terrain, SB_EMPTY);
    assert_int_equal(count_objects(&e, SB_BOX), 0);
}

static void a_box_beside_the_border_is_lost(void **state) {
    (void)state;
    sb_episode e = {0};
    arrange(&e, sb_at(3, 3), sb_at(1, 4), sb_at(4, 4));
    assert_int_equal(sb_cooperative_transport.bound(&e), -1);
    arrange(&e, sb_at(3, 3), sb_at(4, 4), sb_at(5, 4));
    assert_int_equal(sb_cooperative_transport.bound(&e), 1 + 4);
}

/* The shared search finds the ways that the rules describe. */
static void check_leads(const sb_episode *e) {
    sb_open open;
    sb_area area;
    sb_reach reach;
    sb_xy path[SB_CELLS_MAX];
    const sb_xy from = e->agent.at;
    sb_open_walkable(&open, e);
    sb_area_walkable(&area, e);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy to = sb_xy_of(e, i);
        if (!open.cell[i] || sb_same(to, from)) continue;
        const sb_direction d = sb_area_lead(&area, e->height, from, to);
        const bool found = sb_reach_goal(&reach, e, &open, from, to, sb_ewsn);
        assert_true(found == (d != SB_NOWHERE));
        if (!found) continue;
        sb_chain(&reach, e, to, path);
        assert_true(sb_same(path[1], sb_beside(from, d)));
    }
}

static void the_helpers_way_is_that_of_breadth_first_search(void **state) {
    (void)state;
    each_instance(&sb_cooperative_transport, 20, check_leads);
}

/* ---- Playing one box at a time ---- */

static sb_verdict judge_relaxed(sb_env *env, uint64_t limit) {
    const sb_oracle *expert = sb_oracle_find("agentick", "CooperativeTransport-v0", "expert");
    sb_error error;
    sb_budget budget = {.limit = limit};
    sb_verdict verdict;
    assert_ok(expert->judge_relaxed(env, &budget, &verdict, &error), error);
    return verdict;
}

static sb_verdict judge_named(const char *name, uint64_t limit) {
    sb_error error;
    sb_env *env = sb_make(NULL, name, &error);
    assert_non_null(env);
    const sb_verdict verdict = judge_relaxed(env, limit);
    sb_free(env);
    return verdict;
}

static void one_box_at_a_time_finds_what_no_helper_can_mend(void **state) {
    (void)state;
    enum { ENOUGH = 1000000 };
    /* boxes in corners, and one that leaves its row for no hole */
    assert_int_equal(judge_named("CooperativeTransport-v0/expert#1936015961", ENOUGH), SB_IMPOSSIBLE);
    assert_int_equal(judge_named("CooperativeTransport-v0/expert#224135495", ENOUGH), SB_IMPOSSIBLE);
    assert_int_equal(judge_named("CooperativeTransport-v0/expert#125203591", ENOUGH), SB_IMPOSSIBLE);
    /* a hole that is reached by one way only, where the helper has no room but under the agent */
    assert_int_equal(judge_named("CooperativeTransport-v0/hard#1514429941", ENOUGH), SB_IMPOSSIBLE);
    assert_int_equal(judge_named("CooperativeTransport-v0/hard#1514429941", 1000), SB_NOT_FOUND);
}

/* It proves nothing of episodes that the expert wins. */
static void one_box_at_a_time_is_lost_only_if_the_episode_is(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    for (int i = 0; i < (TESTS_ARE_SLOW ? 9 : 60); i++) {
        sb_name name = {.family = "agentick", .task = "CooperativeTransport-v0", .seed = (uint64_t)i};
        snprintf(name.difficulty, sizeof name.difficulty, "%s", sb_difficulty_names[i % 3]);
        assert_ok(sb_reset_name(env, &name, &error), error);
        if (judge_relaxed(env, 1000000) != SB_IMPOSSIBLE) continue;
        const sb_oracle *expert = sb_oracle_find("agentick", name.task, "expert");
        void *memory = calloc(1, expert->memory);
        sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
        assert_non_null(memory);
        assert_int_not_equal(expert->judge(memory, env, &budget), SB_SOLVED);
        free(memory);
    }
    sb_free(env);
}

/* A dead end northwards with a hole at its end, and a niche beside it, of which the outer cell is cut off. Another box
 * and its hole lie outside. */
static void dig_dead_end(sb_episode *e) {
    static const char *const rows[] = {"...#O#...", "...#.##..", "...#...#.", "....B##..", "..OB.....", "........."};
    vars *v = arrange(e, sb_at(5, 6), sb_at(4, 5), sb_at(2, 7));
    sb_cell_at(e, v->hole[0])->terrain = SB_EMPTY;
    v->n = v->n_left = 2;
    v->hole[0] = sb_at(4, 2), v->hole[1] = sb_at(2, 6), v->box[1] = sb_at(3, 6);
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 9; x++)
            if (rows[y][x] == '#') sb_cell_at(e, sb_at(x, y + 2))->terrain = SB_WALL;
    sb_cell_at(e, sb_at(4, 1))->terrain = SB_WALL;
    for (int i = 0; i < 2; i++) {
        sb_cell_at(e, v->hole[i])->terrain = SB_HOLE;
        sb_set_object(e, v->box[i], SB_BOX, 0);
    }
}

/* Where only a helper under the agent can help, it does if it may follow another box, in the niche, to which it finds
 * no way. */
static void a_helper_under_the_agent_counts_only_if_it_may_stay(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "CooperativeTransport-v0/easy#0", &error);
    assert_non_null(env);
    sb_episode *e = (sb_episode *)sb_episode_of(env);
    dig_dead_end(e);
    assert_int_equal(judge_relaxed(env, 1000000), SB_NOT_FOUND);
    sb_cell_at(e, sb_at(5, 4))->terrain = SB_WALL; /* no niche */
    assert_int_equal(judge_relaxed(env, 1000000), SB_IMPOSSIBLE);
    sb_cell_at(e, sb_at(5, 3))->terrain = SB_EMPTY; /* the helper has a cell beside the box in front of the hole */
    assert_int_equal(judge_relaxed(env, 1000000), SB_NOT_FOUND);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(everyone_can_come_to_everything),
        cmocka_unit_test(boxes_move_only_with_the_helper_beside_them),
        cmocka_unit_test(alone_the_agent_pushes_nothing),
        cmocka_unit_test(the_helper_waits_at_the_far_side_and_makes_room),
        cmocka_unit_test(away_from_boxes_the_helper_wanders_as_the_clock_tells),
        cmocka_unit_test(agent_and_helper_may_share_a_cell_and_push_from_it),
        cmocka_unit_test(a_box_pushed_onto_a_trapped_helper_is_lost),
        cmocka_unit_test(a_hole_swallows_a_box_and_becomes_floor),
        cmocka_unit_test(a_box_beside_the_border_is_lost),
        cmocka_unit_test(the_helpers_way_is_that_of_breadth_first_search),
        cmocka_unit_test(one_box_at_a_time_finds_what_no_helper_can_mend),
        cmocka_unit_test(one_box_at_a_time_is_lost_only_if_the_episode_is),
        cmocka_unit_test(a_helper_under_the_agent_counts_only_if_it_may_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
