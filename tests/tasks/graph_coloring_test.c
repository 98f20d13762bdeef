/* GraphColoring: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <igraph.h>
#include <stdlib.h>

#include "generators/agentick/reasoning/graph_coloring.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_graph_coloring, 32, 8383);
}

/* ---- The graph, checked with igraph ---- */

static bool are_close(sb_xy a, sb_xy b) { return abs(a.x - b.x) + abs(a.y - b.y) <= 2; }

static void graph_of(igraph_t *graph, const sb_graph_coloring_vars *v) {
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (int i = 0; i < v->n_nodes; i++)
        for (int j = 0; j < i; j++)
            if (are_close(v->node[i], v->node[j]))
                igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, j);
    igraph_create(graph, &edges, v->n_nodes, IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
}

static bool is_proper(const sb_graph_coloring_vars *v, const int *color, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (color[i] && color[i] == color[j] && are_close(v->node[i], v->node[j])) return false;
    return true;
}

/* Tries all colours for node n and the later ones, with the first n nodes coloured already. */
static bool is_colorable(const sb_graph_coloring_vars *v, int colors, int *color, int n) {
    if (!is_proper(v, color, n)) return false;
    if (n == v->n_nodes) return true;
    for (color[n] = 1; color[n] <= colors; color[n]++)
        if (is_colorable(v, colors, color, n + 1)) return true;
    return false;
}

static void check_graph(const sb_graph_coloring_vars *v) {
    igraph_t graph;
    igraph_bool_t is_connected;
    igraph_integer_t clique;
    int color[SB_GRAPH_COLORING_NODES];
    graph_of(&graph, v);
    igraph_is_connected(&graph, &is_connected, IGRAPH_WEAK);
    igraph_clique_number(&graph, &clique);
    assert_true(is_connected);
    assert_int_equal(clique, v->n_colors); /* so fewer colours do not suffice; this many do: */
    assert_true(is_colorable(v, v->n_colors, color, 0));
    igraph_destroy(&graph);
}

/* ---- Instances ---- */

static void check_instance(const sb_episode *e) {
    static const int nodes[] = {4, 6, 8, 10}, colors[] = {2, 3, 3, 4};
    const sb_graph_coloring_vars *v = SB_VARS(e);
    check_walled(e);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1));
    assert_int_equal(v->n_nodes, nodes[e->difficulty]);
    assert_int_equal(v->n_colors, colors[e->difficulty]);
    assert_int_equal(count_objects(e, SB_SWITCH), v->n_nodes);
    for (int i = 0; i < v->n_nodes; i++) {
        assert_int_equal(sb_peek(e, v->node[i])->object, SB_SWITCH);
        assert_int_equal(sb_peek(e, v->node[i])->metadata, 0);
        assert_in_range(v->node[i].x, 2, e->width - 3);
        assert_in_range(v->node[i].y, 2, e->height - 3);
    }
    check_graph(v);
}

static void is_a_connected_graph_that_needs_all_colours(void **state) {
    (void)state;
    each_instance(&sb_graph_coloring, 150, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_graph_coloring, difficulty, seed, NULL, &error), error);
}

/* Easy often needs several attempts: the first uses the seed, the next the seed plus a thousand, and so on. */
static void seeds_a_thousand_apart_may_be_the_same_instance(void **state) {
    (void)state;
    sb_episode e = {0}, later = {0};
    uint64_t key[2], later_key[2];
    start(&e, SB_EASY, 0);
    start(&later, SB_EASY, 1000);
    sb_episode_key(&e, key);
    sb_episode_key(&later, later_key);
    assert_memory_equal(key, later_key, sizeof key);
    start(&later, SB_EASY, 3000);
    sb_episode_key(&later, later_key);
    assert_memory_not_equal(key, later_key, sizeof key);
}

/* The 50 attempts of this easy seed all fail. */
static void the_fallback_is_a_lattice(void **state) {
    (void)state;
    static const sb_xy lattice[] = {{2, 2}, {4, 2}, {6, 2}, {2, 4}};
    sb_episode e = {0};
    const sb_graph_coloring_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 1994441546);
    check_instance(&e);
    assert_memory_equal(v->node, lattice, sizeof lattice);
    start(&e, SB_EASY, 1994441546 + 2000); /* only the last of its attempts succeeds */
    check_instance(&e);
    assert_memory_not_equal(v->node, lattice, sizeof lattice);
}

static bool can_be_faced(const sb_episode *e, sb_xy node) {
    bool open[SB_CELLS_MAX];
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = sb_cell_passable(&e->cells[i]);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (sb_passable(e, sb_beside(node, d)) && igraph_distance(e, open, e->agent.at, sb_beside(node, d)) >= 0)
            return true;
    return false;
}

/* On expert 31 three neighbours of the node are nodes, and the fourth is a gap between nodes. */
static void a_node_may_be_walled_in_and_then_no_one_can_win(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_graph_coloring_vars *v = SB_VARS(&e);
    int faced = 0, n_impossible = 0;
    start(&e, SB_EXPERT, 31);
    assert_int_equal(sb_peek(&e, sb_at(9, 4))->object, SB_SWITCH);
    assert_false(can_be_faced(&e, sb_at(9, 4)));
    for (int i = 0; i < v->n_nodes; i++) faced += can_be_faced(&e, v->node[i]);
    assert_int_equal(faced, v->n_nodes - 1);
    for (uint64_t seed = 0; seed <= 2352; seed++) {
        start(&e, SB_EXPERT, seed);
        n_impossible += sb_graph_coloring.bound(&e) < 0;
    }
    assert_int_equal(n_impossible, 26);
}

static void the_bound_of_an_instance_is_negative_just_if_a_node_is_walled_in(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        sb_episode e = {0};
        const sb_graph_coloring_vars *v = SB_VARS(&e);
        bool all = true;
        start(&e, SB_EXPERT, seed);
        for (int i = 0; i < v->n_nodes; i++) all = all && can_be_faced(&e, v->node[i]);
        assert_int_equal(sb_graph_coloring.bound(&e), all ? v->n_nodes : -1);
    }
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_graph_coloring_vars *v = SB_VARS(after);
    const sb_xy faced = sb_beside(before->agent.at, (sb_direction)before->agent.facing);
    int color[SB_GRAPH_COLORING_NODES], n_colored = 0;
    for (int i = 0; i < v->n_nodes; i++) {
        const int was = sb_peek(before, v->node[i])->metadata;
        color[i] = sb_peek(after, v->node[i])->metadata;
        n_colored += color[i] > 0;
        if (color[i] == was) continue;
        assert_true(sb_same(v->node[i], faced));
        assert_int_equal(color[i], was == v->n_colors ? 0 : was + 1);
    }
    const bool is_done = n_colored == v->n_nodes && is_proper(v, color, v->n_nodes);
    assert_int_equal(v->n_colored, n_colored);
    assert_true(v->violation == !is_proper(v, color, v->n_nodes));
    assert_int_equal(sb_object_here(after), SB_NONE);
    assert_true(result->terminated == is_done && result->success == is_done);
    assert_true(result->reward == (is_done ? 1.0 : 0.0));
}

static void only_the_node_that_is_faced_changes(void **state) {
    (void)state;
    each_step(&sb_graph_coloring, 20, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_graph_coloring, 7, 5);
}

/* Faces a node from the north and acts. */
static sb_result act_on(sb_episode *e, sb_xy node, sb_action action) {
    sb_result result;
    e->agent.at = sb_beside(node, SB_NORTH), e->agent.facing = SB_SOUTH;
    sb_episode_step(e, action, &result);
    return result;
}

static void nodes_turn_through_the_colours_and_stop_the_agent(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_graph_coloring_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 0);
    for (int color = 1; color <= 3; color++) {
        act_on(&e, v->node[0], SB_INTERACT);
        assert_int_equal(sb_graph_coloring_color(&e, 0), color % 3);
        act_on(&e, v->node[0], SB_MOVE_DOWN);
        assert_false(sb_same(e.agent.at, v->node[0]));
    }
    assert_int_equal(v->n_colored, 0);
}

/* The graph of easy 0 is a path: (3,3) (3,5) (5,5) (6,6). */
static void nodes_coloured_during_a_violation_are_never_paid_for(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_graph_coloring_vars *v = SB_VARS(&e);
    const sb_xy path[] = {{3, 3}, {3, 5}, {5, 5}, {6, 6}};
    start(&e, SB_EASY, 0);
    assert_true(act_on(&e, path[0], SB_INTERACT).dense == -0.01 + 0.4 * 1);
    assert_true(act_on(&e, path[1], SB_INTERACT).dense == -0.01 - 0.2);
    assert_true(act_on(&e, path[1], SB_NOOP).dense == -0.01 - 0.2);
    assert_true(act_on(&e, path[2], SB_INTERACT).dense == -0.01 - 0.2);
    assert_true(v->violation);
    assert_true(act_on(&e, path[1], SB_INTERACT).dense == -0.01); /* no more */
    assert_true(act_on(&e, path[3], SB_INTERACT).dense == -0.01 - 0.2);
    assert_int_equal(v->n_colored, v->n_nodes);
    const sb_result last = act_on(&e, path[3], SB_INTERACT);
    assert_true(last.success && last.terminated && last.dense == -0.01 + 1.0);
}

static void uncolouring_pays_nothing_and_colouring_again_does(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_graph_coloring_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 0);
    act_on(&e, v->node[0], SB_INTERACT);
    assert_true(act_on(&e, v->node[0], SB_INTERACT).dense == -0.01);
    assert_true(act_on(&e, v->node[0], SB_INTERACT).dense == -0.01);
    assert_true(act_on(&e, v->node[0], SB_INTERACT).dense == -0.01 + 0.4 * 1);
}

/* The nodes (3,3) (4,3) (5,3) form a triangle. */
static void nodes_on_both_sides_of_another_are_neighbours(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_graph_coloring_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 0);
    for (int i = 0; i < v->n_nodes; i++) sb_set_object(&e, v->node[i], SB_NONE, 0);
    v->n_nodes = 3;
    for (int i = 0; i < v->n_nodes; i++) {
        v->node[i] = sb_at(3 + i, 3);
        sb_set_object(&e, v->node[i], SB_SWITCH, 0);
    }
    act_on(&e, v->node[0], SB_INTERACT);
    assert_false(v->violation);
    act_on(&e, v->node[2], SB_INTERACT);
    assert_true(v->violation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(is_a_connected_graph_that_needs_all_colours),
        cmocka_unit_test(seeds_a_thousand_apart_may_be_the_same_instance),
        cmocka_unit_test(the_fallback_is_a_lattice),
        cmocka_unit_test(a_node_may_be_walled_in_and_then_no_one_can_win),
        cmocka_unit_test(the_bound_of_an_instance_is_negative_just_if_a_node_is_walled_in),
        cmocka_unit_test(only_the_node_that_is_faced_changes),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(nodes_turn_through_the_colours_and_stop_the_agent),
        cmocka_unit_test(nodes_coloured_during_a_violation_are_never_paid_for),
        cmocka_unit_test(uncolouring_pays_nothing_and_colouring_again_does),
        cmocka_unit_test(nodes_on_both_sides_of_another_are_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
