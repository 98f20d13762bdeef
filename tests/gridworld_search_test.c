/* Searches in the gridworld against igraph, and against each other; and the null task, which they solve. */
#include "tests/support.h"

#include <igraph.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/search.h"
#include "generators/agentick/null_task.h"

static sb_episode episode; /* large */

/* ---- Search ------------------------------------------------------------------------------------------------------ */

static void scatter(sb_episode *e, sb_rng *rng) {
    const double density = sb_random(rng) * 0.6;
    e->width = (uint8_t)sb_integers(rng, 1, SB_SIDE_MAX + 1), e->height = (uint8_t)sb_integers(rng, 1, SB_SIDE_MAX + 1);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const bool rare = sb_random(rng) < density;
        e->cells[i] = (sb_cell){.terrain = (int8_t)(rare ? sb_integers(rng, 0, SB_N_TERRAINS) : SB_EMPTY)};
        if (sb_random(rng) < density / 4) e->cells[i].object = (int8_t)sb_integers(rng, 0, SB_N_OBJECTS);
        if (sb_random(rng) < 0.5) e->cells[i].metadata = 10;
    }
}

/* Counts the moves from `start` to each cell; infinite if there is no path. Only open cells are entered. */
static void igraph_distances_from(igraph_matrix_t *distances, const sb_episode *e, const sb_open *open, sb_xy from) {
    igraph_t graph;
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (int i = 0; i < sb_n_cells(e); i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const sb_xy to = sb_beside(sb_xy_of(e, i), d);
            if (!sb_inside(e, to) || !open->cell[sb_index(e, to)]) continue;
            igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, sb_index(e, to));
        }
    igraph_create(&graph, &edges, sb_n_cells(e), IGRAPH_DIRECTED);
    igraph_matrix_init(distances, 0, 0);
    assert_int_equal(igraph_distances(&graph, distances, igraph_vss_1(sb_index(e, from)), igraph_vss_all(), IGRAPH_OUT),
                     0);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&edges);
}

/* Asserts that consecutive cells are neighbours, and that all but the first are open. */
static void assert_path(const sb_episode *e, const sb_open *open, const sb_reach *reach, sb_xy from, sb_xy to) {
    sb_xy path[SB_CELLS_MAX];
    const int n = sb_chain(reach, e, to, path);
    assert_int_equal(n, reach->distance[sb_index(e, to)] + 1);
    assert_true(sb_same(path[0], from) && sb_same(path[n - 1], to));
    for (int i = 1; i < n; i++) {
        assert_int_equal(sb_manhattan(path[i - 1], path[i]), 1);
        assert_true(open->cell[sb_index(e, path[i])]);
    }
}

static void assert_reach(const sb_episode *e, const sb_open *open, bool terrain_only, sb_xy from,
                         const sb_direction order[4]) {
    static sb_reach all, one;
    igraph_matrix_t distances;
    int reached = 0;
    igraph_distances_from(&distances, e, open, from);
    sb_reach_from(&all, e, open, from, order);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy to = sb_xy_of(e, i);
        const double distance = MATRIX(distances, 0, i);
        const bool there = distance < SB_CELLS_MAX;
        assert_int_equal(sb_reached(&all, e, to), there);
        assert_int_equal(sb_reach_goal(&one, e, open, from, to, order), there);
        if (terrain_only) assert_int_equal(sb_connected(e, from, to), there && sb_walkable(e, from));
        if (!there) continue;
        reached++;
        assert_int_equal(all.distance[i], (int)distance);
        assert_path(e, open, &all, from, to), assert_path(e, open, &one, from, to);
    }
    assert_int_equal(all.n, reached);
    for (int i = 1; i < all.n; i++)
        assert_true(all.distance[sb_index(e, all.order[i - 1])] <= all.distance[sb_index(e, all.order[i])]);
    igraph_matrix_destroy(&distances);
}

static void searches_agree_with_igraph(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 3, NULL);
    for (int round = 0; round < 60; round++) {
        sb_open walkable, passable;
        scatter(&episode, &rng);
        const sb_xy from = sb_xy_of(&episode, (int)sb_integers(&rng, 0, sb_n_cells(&episode)));
        sb_open_walkable(&walkable, &episode), sb_open_passable(&passable, &episode);
        assert_reach(&episode, &walkable, true, from, sb_nesw);
        assert_reach(&episode, &passable, false, from, sb_nswe);
    }
}

/* Seven by five with a border, and nothing in it. */
static sb_episode *small_room(void) {
    memset(&episode, 0, sizeof episode);
    episode.width = 7, episode.height = 5;
    sb_wall_border(&episode);
    return &episode;
}

/* Of two shortest paths, the one whose first step comes first in the order is returned. */
static void the_order_of_neighbours_decides_between_shortest_ways(void **state) {
    (void)state;
    sb_open open;
    sb_reach reach;
    sb_xy path[SB_CELLS_MAX];
    sb_episode *e = small_room();
    sb_open_walkable(&open, e);
    sb_reach_from(&reach, e, &open, sb_at(2, 2), sb_nesw);
    sb_chain(&reach, e, sb_at(3, 3), path);
    assert_true(sb_same(path[1], sb_at(3, 2))); /* east before south */
    sb_reach_from(&reach, e, &open, sb_at(2, 2), sb_nswe);
    sb_chain(&reach, e, sb_at(3, 3), path);
    assert_true(sb_same(path[1], sb_at(2, 3))); /* south before east */
}

/* The way that sb_area_leads gives a cell, or SB_NOWHERE; no cell has two. */
static sb_direction way_from(const sb_area way[4], sb_xy from) {
    sb_direction found = SB_NOWHERE;
    for (int i = 0; i < 4; i++) {
        if (!sb_area_has(&way[i], from)) continue;
        assert_int_equal(found, SB_NOWHERE);
        found = sb_ewsn[i];
    }
    return found;
}

static void leads_of_all_cells_are_those_of_each(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 4, NULL);
    for (int round = 0; round < 60; round++) {
        sb_area open, way[4];
        scatter(&episode, &rng);
        if (episode.width < 3 || episode.height < 3) continue;
        sb_wall_border(&episode);
        sb_area_walkable(&open, &episode);
        const sb_xy to = sb_at((int)sb_integers(&rng, 1, episode.width - 1),
                               (int)sb_integers(&rng, 1, episode.height - 1));
        sb_area_leads(&open, episode.height, to, way);
        for (int i = 0; i < sb_n_cells(&episode); i++) {
            const sb_xy from = sb_xy_of(&episode, i);
            if (!sb_interior(&episode, from)) continue;
            const sb_direction lead = sb_same(from, to) ? SB_NOWHERE : sb_area_lead(&open, episode.height, from, to);
            assert_int_equal(way_from(way, from), lead);
        }
    }
}

/* ---- The null task ----------------------------------------------------------------------------------------------- */

static sb_xy goal_of(const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GOAL) return sb_xy_of(e, i);
    fail_msg("no goal");
    return sb_at(-1, -1);
}

static void assert_solvable(sb_episode *e) {
    static sb_reach reach;
    sb_open open;
    sb_xy path[SB_CELLS_MAX];
    sb_action moves[SB_CELLS_MAX];
    sb_result result = {0};
    const sb_xy goal = goal_of(e), from = e->agent.at;
    sb_open_passable(&open, e);
    assert_true(!sb_same(goal, from) && sb_interior(e, goal) && sb_interior(e, from) && sb_connected(e, from, goal));
    assert_true(sb_reach_goal(&reach, e, &open, from, goal, sb_nesw));
    const size_t n = sb_positions_to_actions(path, (size_t)sb_chain(&reach, e, goal, path), moves, SB_CELLS_MAX);
    assert_int_equal(n, sb_manhattan(from, goal));
    for (size_t i = 0; i < n; i++) {
        assert_false(result.terminated || result.truncated);
        sb_episode_step(e, moves[i], &result);
    }
    assert_true(result.terminated && result.success && result.reward == 1.0);
}

static void the_null_task_can_be_solved_whatever_the_seed(void **state) {
    (void)state;
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            sb_error error;
            assert_ok(sb_episode_start(&episode, &sb_null_task, (sb_difficulty)difficulty, seed, NULL, &error), error);
            assert_solvable(&episode);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_agree_with_igraph),
        cmocka_unit_test(the_order_of_neighbours_decides_between_shortest_ways),
        cmocka_unit_test(leads_of_all_cells_are_those_of_each),
        cmocka_unit_test(the_null_task_can_be_solved_whatever_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
