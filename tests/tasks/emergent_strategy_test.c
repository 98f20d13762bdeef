/* EmergentStrategy: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "generators/agentick/multi_agent/emergent_strategy.h"

typedef sb_emergent_strategy_vars vars;

static const int metadata[] = {1, 3, 5, 4};

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_emergent_strategy, 30, 9063);
}

/* ---- Instances ---- */

static bool is_between(const sb_episode *e, sb_xy p, int upper, int lower) {
    const vars *v = SB_VARS(e);
    const int top = upper < 0 ? 0 : sb_emergent_strategy_row(e, upper);
    const int bottom = lower == v->n ? e->height - 1 : sb_emergent_strategy_row(e, lower);
    return top < p.y && p.y < bottom && 0 < p.x && p.x < e->width - 1;
}

static void check_instance(const sb_episode *e) {
    static const int rows[] = {4, 7, 10, 13};
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    check_walled(e);
    open_walkable(e, open);
    assert_int_equal(v->n, e->difficulty + 1);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + v->n * (e->width - 2));
    assert_int_equal(count_objects(e, SB_NPC), v->n);
    assert_int_equal(count_objects(e, SB_TARGET), v->n);
    assert_int_equal(count_objects(e, SB_GOAL), 1);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    assert_int_equal(sb_object_here(e), SB_NONE);
    assert_true(is_between(e, v->start, -1, 0));
    assert_true(is_between(e, v->goal, v->n - 1, v->n));
    for (int k = 0; k < v->n; k++) {
        assert_int_equal(sb_emergent_strategy_row(e, k), rows[k]);
        for (int x = 1; x < e->width - 1; x++) assert_int_equal(sb_peek(e, sb_at(x, rows[k]))->terrain, SB_WALL);
        assert_true(is_between(e, v->plate[k], k - 1, k) && is_between(e, v->post[k], k - 1, k));
        assert_in_range(sb_manhattan(v->plate[k], v->post[k]), 1, 3);
        assert_int_equal(sb_peek(e, v->plate[k])->metadata, k);
        assert_int_equal(sb_peek(e, v->post[k])->metadata, metadata[k]);
        assert_true((igraph_distance(e, open, v->start, v->plate[k]) > 0) == (k == 0));
    }
    assert_int_equal(igraph_distance(e, open, v->start, v->goal), -1);
}

static void every_zone_has_a_plate_and_an_npc_near_it(void **state) {
    (void)state;
    each_instance(&sb_emergent_strategy, 100, check_instance);
}

/* ---- Steps ---- */

static sb_xy npc_at(const sb_episode *e, int i) {
    const vars *v = SB_VARS(e);
    return i < v->n_open ? v->plate[i] : i == v->n_open ? v->npc : v->post[i];
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool is_home = v->n_open == v->n && sb_same(after->agent.at, v->goal);
    assert_in_range(v->n_open - old->n_open, 0, 1);
    for (int i = 0; i < v->n; i++) {
        const sb_cell *cell = sb_peek(after, npc_at(after, i));
        const int row = sb_emergent_strategy_row(after, i);
        assert_in_range(sb_manhattan(npc_at(before, i), npc_at(after, i)), 0, i == old->n_open);
        assert_int_equal(cell->object, SB_NPC);
        assert_int_equal(cell->metadata, metadata[i]);
        for (int x = 1; x < after->width - 1; x++)
            assert_int_equal(sb_peek(after, sb_at(x, row))->terrain, i < v->n_open ? SB_EMPTY : SB_WALL);
    }
    assert_int_equal(count_objects(after, SB_NPC), v->n);
    assert_int_equal(count_objects(after, SB_TARGET), v->n - v->n_open);
    assert_true(sb_same(v->before, after->agent.at));
    assert_true(result->success == is_home && result->terminated == is_home);
    assert_true(result->reward == (is_home ? 1.0 : 0.0));
    double dense = -0.01;
    dense += 0.2 * (v->n_open - old->n_open);
    if (is_home) dense += 1.0;
    assert_true(result->dense == dense);
}

static void only_the_npc_of_the_first_closed_barrier_moves(void **state) {
    (void)state;
    each_step(&sb_emergent_strategy, 25, check_step);
}

/* ---- States that random play does not reach ---- */

static void put_npc(sb_episode *e, sb_xy at) {
    vars *v = SB_VARS(e);
    sb_set_object(e, v->npc, SB_NONE, 0);
    v->npc = at;
    sb_set_object(e, at, SB_NPC, metadata[v->n_open]);
}

static void put_agent(sb_episode *e, sb_xy at) {
    vars *v = SB_VARS(e);
    e->agent.at = v->before = at;
}

/* Starts a stage as if the earlier NPCs had been led onto their plates, which are moved to the upper left corner. */
static void start_stage(sb_episode *e, sb_difficulty difficulty, int stage) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_emergent_strategy, difficulty, 0, NULL, &error), error);
    vars *v = SB_VARS(e);
    for (int k = 0; k < v->n; k++) sb_set_object(e, v->plate[k], SB_NONE, 0);
    while (v->n_open < stage) {
        v->plate[v->n_open] = sb_at(1 + v->n_open, 1);
        put_npc(e, v->plate[v->n_open]);
        for (int x = 1; x < e->width - 1; x++)
            sb_cell_at(e, sb_at(x, sb_emergent_strategy_row(e, v->n_open)))->terrain = SB_EMPTY;
        v->npc = v->post[++v->n_open];
    }
}

static sb_xy npc_after(sb_episode *e, sb_action action) {
    const vars *v = SB_VARS(e);
    sb_result result;
    sb_episode_step(e, action, &result);
    return v->npc;
}

#define assert_at(at, x_, y_) assert_true(sb_same(at, sb_at(x_, y_)))

static void the_follower_walks_to_where_the_agent_was(void **state) {
    (void)state;
    sb_episode e = {0};
    start_stage(&e, SB_EXPERT, 0);
    ((vars *)SB_VARS(&e))->plate[0] = sb_at(1, 1);
    put_npc(&e, sb_at(9, 3)), put_agent(&e, sb_at(5, 2));
    assert_at(npc_after(&e, SB_NOOP), 9, 3);       /* too far away to notice */
    assert_at(npc_after(&e, SB_MOVE_RIGHT), 8, 3); /* west before north */
    assert_at(npc_after(&e, SB_MOVE_RIGHT), 7, 3);
    assert_at(npc_after(&e, SB_NOOP), 7, 3);    /* it already stands beside the agent */
    assert_at(npc_after(&e, SB_MOVE_UP), 7, 2); /* the agent was at (7, 2) */
    assert_at(npc_after(&e, SB_MOVE_UP), 7, 2); /* the move is refused, so any cell beside the agent is good enough */
    assert_at(e.agent.at, 7, 1);
    assert_at(npc_after(&e, SB_MOVE_DOWN), 7, 2); /* the NPC blocks the agent */
    assert_at(e.agent.at, 7, 1);
}

static void the_fearful_draws_whenever_the_agent_is_near(void **state) {
    (void)state;
    sb_episode e = {0};
    start_stage(&e, SB_MEDIUM, 1);
    const vars *v = SB_VARS(&e);
    ((vars *)SB_VARS(&e))->plate[1] = sb_at(10, 5);
    put_npc(&e, sb_at(1, 6)), put_agent(&e, sb_at(4, 5));
    sb_rng rng = v->flight_rng;
    assert_at(npc_after(&e, SB_NOOP), 1, 6);
    assert_memory_equal(&rng, &v->flight_rng, sizeof rng);
    put_agent(&e, sb_at(2, 5));
    assert_at(npc_after(&e, SB_NOOP), 1, 6); /* cornered */
    assert_memory_not_equal(&rng, &v->flight_rng, sizeof rng);
    put_agent(&e, sb_at(2, 6));
    assert_at(npc_after(&e, SB_NOOP), 1, 5); /* the only way out */
}

static void the_contrarian_walks_on_against_the_last_successful_move(void **state) {
    (void)state;
    sb_episode e = {0};
    start_stage(&e, SB_HARD, 2);
    ((vars *)SB_VARS(&e))->plate[2] = sb_at(13, 9);
    put_npc(&e, sb_at(6, 8)), put_agent(&e, sb_at(8, 1));
    assert_at(npc_after(&e, SB_NOOP), 6, 8);
    assert_at(npc_after(&e, SB_MOVE_UP), 6, 8); /* the move is refused */
    assert_at(npc_after(&e, SB_MOVE_RIGHT), 5, 8);
    assert_at(npc_after(&e, SB_NOOP), 4, 8);
    assert_at(npc_after(&e, SB_MOVE_UP), 3, 8);
    assert_at(npc_after(&e, SB_INTERACT), 2, 8);
    assert_at(npc_after(&e, SB_MOVE_DOWN), 2, 7);
    assert_at(npc_after(&e, SB_MOVE_UP), 2, 8);
    assert_at(npc_after(&e, SB_NOOP), 2, 9);
    assert_at(npc_after(&e, SB_NOOP), 2, 9); /* stopped by the barrier */
}

static void a_pressed_plate_holds_the_npc_and_opens_the_barrier(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start_stage(&e, SB_HARD, 2);
    const vars *v = SB_VARS(&e);
    ((vars *)SB_VARS(&e))->plate[2] = sb_at(6, 8);
    put_npc(&e, sb_at(7, 8)), put_agent(&e, sb_at(8, 9));
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(result.dense == -0.01 + 0.2 && result.reward == 0.0);
    assert_int_equal(v->n_open, 3);
    for (int i = 0; i < 4; i++) sb_episode_step(&e, i % 2 ? SB_MOVE_UP : SB_MOVE_DOWN, &result);
    assert_int_equal(sb_peek(&e, sb_at(6, 8))->object, SB_NPC);
    sb_episode_step(&e, SB_MOVE_DOWN, &result);
    assert_int_equal(e.agent.at.y, 10); /* in the row where the barrier was */
    put_agent(&e, sb_at(v->goal.x - 1, v->goal.y));
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(result.success && result.reward == 1.0 && result.dense == -0.01 + 1.0);
}

static void a_mirror_that_steps_through_the_barrier_is_lost(void **state) {
    (void)state;
    sb_episode e = {0};
    start_stage(&e, SB_EXPERT, 3);
    vars *v = SB_VARS(&e);
    sb_set_object(&e, v->goal, SB_NONE, 0);
    v->plate[3] = sb_at(16, 11), v->goal = sb_at(8, 14);
    sb_set_object(&e, v->goal, SB_GOAL, 0);
    put_npc(&e, sb_at(8, 12)), put_agent(&e, sb_at(9, 3));
    assert_at(npc_after(&e, SB_NOOP), 8, 12);      /* the opposite cell cannot be reached */
    assert_at(npc_after(&e, SB_MOVE_DOWN), 8, 13); /* the opposite cell is entered whatever it is */
    assert_int_equal(sb_peek(&e, v->npc)->terrain, SB_WALL);
    assert_true(sb_emergent_strategy.bound(&e) >= 0);
    assert_at(npc_after(&e, SB_MOVE_UP), 8, 14);
    assert_int_equal(count_objects(&e, SB_GOAL), 0);
    assert_int_equal(sb_emergent_strategy.bound(&e), -1);
    assert_at(npc_after(&e, SB_MOVE_DOWN), 8, 14);
}

static void a_mirror_on_the_plate_of_another_is_locked_there(void **state) {
    (void)state;
    sb_episode e = {0};
    start_stage(&e, SB_EXPERT, 3);
    vars *v = SB_VARS(&e);
    v->plate[3] = sb_at(16, 11);
    put_agent(&e, sb_at(2, 5)); /* opposite to (15, 12) */
    v->plate[1] = sb_at(15, 12), put_npc(&e, sb_at(15, 11));
    assert_at(npc_after(&e, SB_NOOP), 15, 12);
    assert_int_equal(v->n_open, 3);
    assert_int_equal(sb_emergent_strategy.bound(&e), -1);
    assert_at(npc_after(&e, SB_MOVE_DOWN), 15, 12);
}

/* Returns the cell to which an NPC goes according to the ways from all cells. */
static sb_xy after_way(const sb_area way[4], sb_xy npc) {
    for (int i = 0; i < 4; i++)
        if (sb_area_has(&way[i], npc)) return sb_beside(npc, sb_ewsn[i]);
    return npc;
}

static void check_reactions(const sb_episode *e, int k, sb_xy agent, int heading) {
    sb_area enterable, way[4];
    sb_emergent_strategy_enterable(&enterable, e, k, agent, agent);
    sb_emergent_strategy_react_all(&enterable, e->width, k, agent, heading, way);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy npc = sb_xy_of(e, i);
        if (!sb_interior(e, npc) || sb_same(npc, agent)) continue;
        sb_emergent_strategy_enterable(&enterable, e, k, npc, agent);
        const sb_xy to = sb_emergent_strategy_react(&enterable, e->width, k, npc, agent, agent, heading);
        assert_true(sb_same(after_way(way, npc), to));
    }
}

static void reactions_from_all_cells_are_those_from_each(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        sb_episode e;
        sb_error error;
        assert_ok(sb_episode_start(&e, &sb_emergent_strategy, SB_EXPERT, seed, NULL, &error), error);
        for (int k = SB_CONTRARIAN; k <= SB_MIRROR; k++)
            for (int i = 0; i < sb_n_cells(&e); i++)
                for (int heading = SB_NORTH; heading <= SB_NOWHERE && sb_interior(&e, sb_xy_of(&e, i)); heading++)
                    check_reactions(&e, k, sb_xy_of(&e, i), heading);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(every_zone_has_a_plate_and_an_npc_near_it),
        cmocka_unit_test(only_the_npc_of_the_first_closed_barrier_moves),
        cmocka_unit_test(the_follower_walks_to_where_the_agent_was),
        cmocka_unit_test(the_fearful_draws_whenever_the_agent_is_near),
        cmocka_unit_test(the_contrarian_walks_on_against_the_last_successful_move),
        cmocka_unit_test(a_pressed_plate_holds_the_npc_and_opens_the_barrier),
        cmocka_unit_test(a_mirror_that_steps_through_the_barrier_is_lost),
        cmocka_unit_test(a_mirror_on_the_plate_of_another_is_locked_there),
        cmocka_unit_test(reactions_from_all_cells_are_those_from_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
