/* PreciseNavigation: what holds for every instance and every step, how boxes move, and that its expert wins every
 * episode that can be won. */
#include "tests/tasks/tasks.h"

#include <igraph.h>
#include <string.h>

#include "generators/agentick/planning/precise_navigation.h"
#include "rollout/worker.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_precise_navigation, 31, 3852);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_precise_navigation, difficulty, seed, NULL, &error), error);
}

static bool is_blocked(const sb_episode *e, sb_xy p) {
    return sb_peek(e, p)->terrain == SB_WALL || sb_peek(e, p)->object == SB_BOX;
}

/* ---- Instances ---- */

/* Returns where a slide ends while the boxes stay. */
static sb_xy end_of_slide(const sb_episode *e, sb_xy p, sb_direction ahead) {
    while (!is_blocked(e, sb_beside(p, ahead))) {
        p = sb_beside(p, ahead);
        if (sb_peek(e, p)->terrain == SB_EMPTY) break;
    }
    return p;
}

/* Returns the number of slides from the start to the goal, or -1. Each slide is an edge of the graph. */
static int count_slides(const sb_episode *e) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    igraph_t graph;
    igraph_vector_int_t edges, path;
    igraph_vector_int_init(&edges, 0);
    igraph_vector_int_init(&path, 0);
    for (int i = 0; i < sb_n_cells(e); i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE && !is_blocked(e, sb_xy_of(e, i)); d++) {
            igraph_vector_int_push_back(&edges, i);
            igraph_vector_int_push_back(&edges, sb_index(e, end_of_slide(e, sb_xy_of(e, i), d)));
        }
    igraph_create(&graph, &edges, sb_n_cells(e), IGRAPH_DIRECTED);
    igraph_set_warning_handler(igraph_warning_handler_ignore); /* a goal that cannot be reached is no error */
    igraph_get_shortest_path(&graph, &path, NULL, sb_index(e, v->start), sb_index(e, v->goal), IGRAPH_OUT);
    const int slides = (int)igraph_vector_int_size(&path) - 1;
    igraph_vector_int_destroy(&path);
    igraph_vector_int_destroy(&edges);
    igraph_destroy(&graph);
    return slides;
}

static bool is_fallback(const sb_episode *e) { return count_terrain(e, SB_EMPTY) == 2; }

static void check_instance(const sb_episode *e) {
    static const int stops[] = {4, 3, 3, 3}, boxes[] = {0, 0, 1, 2}, least[] = {3, 5, 6, 8};
    const sb_precise_navigation_vars *v = SB_VARS(e);
    const int last = e->width - 1;
    check_walled(e);
    assert_int_equal(count_objects(e, SB_GOAL), 1);
    assert_int_equal(count_objects(e, SB_BOX), v->n_boxes);
    assert_int_equal(sb_peek(e, v->start)->terrain, SB_EMPTY);
    assert_int_equal(sb_peek(e, v->goal)->terrain, SB_EMPTY);
    assert_int_equal(sb_peek(e, v->goal)->object, SB_GOAL);
    for (int i = 0; i < v->n_boxes; i++) assert_int_equal(sb_peek(e, v->box[i])->terrain, SB_ICE);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        const bool outer = p.x == 1 || p.y == 1 || p.x == last - 1 || p.y == last - 1;
        if (sb_interior(e, p) && outer) assert_int_not_equal(e->cells[i].terrain, SB_WALL);
        if (e->cells[i].terrain != SB_EMPTY || sb_same(p, v->start)) continue;
        assert_in_range(sb_manhattan(p, v->start), 3, sb_manhattan(v->goal, v->start));
    }
    if (is_fallback(e)) {
        assert_int_equal(count_slides(e), 2);
        return;
    }
    assert_int_equal(count_terrain(e, SB_EMPTY), stops[e->difficulty] + 1);
    assert_int_equal(v->n_boxes, boxes[e->difficulty]);
    assert_true(count_slides(e) >= least[e->difficulty]);
}

static void takes_many_slides_while_boxes_do_not_move(void **state) {
    (void)state;
    each_instance(&sb_precise_navigation, 100, check_instance);
}

static void after_500_attempts_right_and_down_is_the_way(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_MEDIUM, 105);
    assert_true(is_fallback(&e));
    assert_int_equal(count_terrain(&e, SB_WALL), 4 * (11 - 1) + 2);
    sb_episode_step(&e, SB_MOVE_RIGHT, &result);
    assert_true(sb_same(e.agent.at, sb_at(9, 1)) && !result.success);
    sb_episode_step(&e, SB_MOVE_DOWN, &result);
    assert_true(sb_same(e.agent.at, sb_at(9, 9)) && result.success);
}

/* ---- Steps ---- */

/* Returns whether going straight ahead from `from` leads to `to`, or both are the same. */
static bool is_ahead(sb_xy from, sb_xy to, sb_direction ahead) {
    const int far = sb_manhattan(from, to);
    return sb_same(to, sb_at(from.x + far * sb_delta[ahead].x, from.y + far * sb_delta[ahead].y));
}

/* The agent slides over ice, straight ahead, until something ends it. */
static void check_agent(const sb_episode *before, const sb_episode *after, sb_direction ahead) {
    const sb_xy from = before->agent.at, to = after->agent.at;
    assert_true(is_ahead(from, to, ahead));
    for (sb_xy p = sb_beside(from, ahead); !sb_same(p, to); p = sb_beside(p, ahead))
        assert_int_equal(sb_peek(after, p)->terrain, SB_ICE);
    assert_true(sb_peek(after, to)->terrain == SB_EMPTY || is_blocked(after, sb_beside(to, ahead)));
}

/* A box slides straight ahead of the agent until something stops it. */
static void check_boxes(const sb_episode *before, const sb_episode *after, sb_direction ahead) {
    const sb_precise_navigation_vars *old = SB_VARS(before), *v = SB_VARS(after);
    assert_int_equal(count_objects(after, SB_BOX), v->n_boxes);
    for (int i = 0; i < v->n_boxes; i++) {
        assert_int_equal(sb_peek(after, v->box[i])->object, SB_BOX);
        if (sb_same(old->box[i], v->box[i])) continue;
        assert_true(is_ahead(old->box[i], v->box[i], ahead));
        assert_true(is_ahead(before->agent.at, old->box[i], ahead) && is_ahead(old->box[i], after->agent.at, ahead));
        assert_true(is_blocked(after, sb_beside(v->box[i], ahead)));
    }
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_precise_navigation_vars *v = SB_VARS(after);
    const sb_direction ahead = (sb_direction)after->agent.facing;
    const bool stayed = sb_same(before->agent.at, after->agent.at);
    for (int i = 0; i < sb_n_cells(after); i++) assert_int_equal(before->cells[i].terrain, after->cells[i].terrain);
    if (stayed)
        assert_memory_equal(before->vars, after->vars, sizeof *v);
    else
        check_agent(before, after, ahead);
    check_boxes(before, after, ahead);
    assert_true(count_objects(after, SB_GOAL) == 1 || sb_peek(after, v->goal)->object != SB_GOAL);
    assert_true(count_objects(after, SB_GOAL) <= count_objects(before, SB_GOAL));
    assert_true(result->terminated == (sb_object_here(after) == SB_GOAL));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void agent_and_boxes_slide_until_something_ends_it(void **state) {
    (void)state;
    each_step(&sb_precise_navigation, 60, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_precise_navigation, 7, 5);
}

/* ---- How boxes move ---- */

/* Sets up a bare rink of 15 x 15 with the agent, the goal and two boxes. */
static sb_precise_navigation_vars *make_rink(sb_episode *e, sb_xy agent, sb_xy goal, sb_xy box, sb_xy other_box) {
    sb_precise_navigation_vars *v = SB_VARS(e);
    start(e, SB_EXPERT, 0);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){.terrain = SB_ICE};
    e->agent.at = agent;
    v->goal = goal, v->box[0] = box, v->box[1] = other_box;
    *sb_cell_at(e, goal) = (sb_cell){.terrain = SB_EMPTY, .object = SB_GOAL};
    sb_set_object(e, box, SB_BOX, 0);
    sb_set_object(e, other_box, SB_BOX, 0);
    return v;
}

static void move(sb_episode *e, sb_action action, sb_xy agent_then) {
    sb_result result;
    sb_episode_step(e, action, &result);
    assert_int_equal(e->agent.at.x, agent_then.x);
    assert_int_equal(e->agent.at.y, agent_then.y);
}

static void a_box_slides_to_the_next_and_the_agent_follows(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_precise_navigation_vars *v = make_rink(&e, sb_at(1, 7), sb_at(1, 1), sb_at(5, 7), sb_at(10, 7));
    move(&e, SB_MOVE_RIGHT, sb_at(8, 7));
    assert_true(sb_same(v->box[0], sb_at(9, 7)) && sb_same(v->box[1], sb_at(10, 7)));
    assert_int_equal(sb_peek(&e, sb_at(5, 7))->object, SB_NONE);
}

static void a_box_beside_the_agent_cannot_be_pushed(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_precise_navigation_vars *v = make_rink(&e, sb_at(4, 7), sb_at(1, 1), sb_at(5, 7), sb_at(13, 13));
    move(&e, SB_MOVE_RIGHT, sb_at(4, 7));
    assert_true(sb_same(v->box[0], sb_at(5, 7)));
    assert_int_equal(e.agent.facing, SB_EAST);
}

static void a_box_passes_over_the_goal_and_leaves_it(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_precise_navigation_vars *v = make_rink(&e, sb_at(1, 7), sb_at(9, 7), sb_at(5, 7), sb_at(13, 13));
    move(&e, SB_MOVE_RIGHT, sb_at(9, 7));
    assert_true(sb_same(v->box[0], sb_at(13, 7)));
    assert_int_equal(sb_object_here(&e), SB_GOAL);
}

/* A box pushed off an EMPTY cell leaves the agent there. */
static void a_box_that_rests_on_the_goal_takes_it_away_for_good(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_precise_navigation_vars *v = make_rink(&e, sb_at(1, 7), sb_at(13, 7), sb_at(5, 7), sb_at(1, 13));
    move(&e, SB_MOVE_RIGHT, sb_at(12, 7));
    assert_true(sb_same(v->box[0], v->goal));
    assert_int_equal(sb_peek(&e, v->goal)->object, SB_BOX);
    move(&e, SB_MOVE_UP, sb_at(12, 1));
    move(&e, SB_MOVE_RIGHT, sb_at(13, 1));
    move(&e, SB_MOVE_DOWN, v->goal);
    assert_true(sb_same(v->box[0], sb_at(13, 13)));
    assert_int_equal(count_objects(&e, SB_GOAL), 0);
}

/* ---- The expert ---- */

static int count_wins(const char *difficulty) {
    sb_error error;
    sb_worker worker = {0};
    sb_name name = {.family = "agentick", .task = "PreciseNavigation-v0"};
    int wins = 0;
    strcpy(name.difficulty, difficulty);
    for (name.seed = 1000; name.seed < 1200; name.seed++) {
        assert_ok(sb_worker_play(&worker, "expert", &name, NULL, NULL, &error), error);
        wins += worker.tape.outcome.success;
    }
    sb_worker_free(&worker);
    return wins;
}

/* With the published rules, 49 and 59 of these 200 seeds have no solution. This comes from an exhaustive search that
 * shares no code with this library. */
static void the_expert_wins_all_that_can_be_won(void **state) {
    (void)state;
    assert_int_equal(count_wins("hard"), 200 - 49);
    assert_int_equal(count_wins("expert"), 200 - 59);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(takes_many_slides_while_boxes_do_not_move),
        cmocka_unit_test(after_500_attempts_right_and_down_is_the_way),
        cmocka_unit_test(agent_and_boxes_slide_until_something_ends_it),
        cmocka_unit_test(interacting_changes_nothing),
        cmocka_unit_test(a_box_slides_to_the_next_and_the_agent_follows),
        cmocka_unit_test(a_box_beside_the_agent_cannot_be_pushed),
        cmocka_unit_test(a_box_passes_over_the_goal_and_leaves_it),
        cmocka_unit_test(a_box_that_rests_on_the_goal_takes_it_away_for_good),
        cmocka_unit_test(the_expert_wins_all_that_can_be_won),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
