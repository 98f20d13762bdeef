#include "tests/tasks/tasks.h"

#include <igraph.h>
#include <stdio.h>
#include <string.h>

#include "generators/agentick/family.h"
#include "generators/conformance/conformance.h"

/* ---- Recordings ---- */

static sb_conformity total;

static void conform_line(const cJSON *recording) {
    sb_error error;
    sb_conformity found = {0};
    assert_ok(sb_conformer_of(&sb_agentick)->compare(recording, &found, &error), error);
    if (found.differs) fail_msg("%s", found.difference);
    for (int i = 0; i < SB_N_ASPECTS; i++) total.compared[i] += found.compared[i];
    total.steps += found.steps;
}

void assert_conforms(const sb_task *task, size_t recordings, size_t steps) {
    char file[64];
    snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task->info.name, "-"), task->info.name);
    total = (sb_conformity){0};
    assert_int_equal(each_vector(file, conform_line), recordings);
    assert_int_equal(total.steps, steps); /* every recorded step of every rollout */
    assert_int_equal(total.compared[SB_ASPECT_REWARDS], 2 * steps);
    for (int i = 0; i < SB_ASPECT_PICTURES; i++) assert_true(total.compared[i] > 0);
}

/* ---- Instances and steps ---- */

static void start(sb_episode *e, const sb_task *task, int difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, task, (sb_difficulty)difficulty, seed, NULL, &error), error);
}

void each_instance(const sb_task *task, uint64_t seeds, instance_check *check) {
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            sb_episode e = {0};
            start(&e, task, difficulty, seed);
            check(&e);
        }
}

void each_step(const sb_task *task, uint64_t seeds, step_check *check) {
    sb_rng rng;
    sb_rng_seed(&rng, 20261121, NULL); /* a generator of the test's own */
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            sb_episode e = {0}, before = {0};
            sb_result result = {0};
            start(&e, task, difficulty, seed);
            while (!result.terminated && !result.truncated) {
                sb_episode_copy(&before, &e);
                sb_episode_step(&e, (sb_action)sb_integers(&rng, 0, SB_N_ACTIONS), &result);
                check(&before, &e, &result);
            }
        }
}

sb_result enter_from(sb_episode *e, sb_direction side, sb_xy to) {
    sb_result result;
    e->agent.at = sb_beside(to, side);
    sb_episode_step(e, sb_move_of((side + 2) % 4), &result);
    assert_true(sb_same(e->agent.at, to));
    return result;
}

sb_result enter(sb_episode *e, sb_xy to) { return enter_from(e, SB_WEST, to); }

sb_result walk_in(sb_episode *e, sb_xy to) {
    sb_direction side = SB_NORTH;
    while (!sb_walkable(e, sb_beside(to, side))) side++;
    return enter_from(e, side, to);
}

int expert_steps(sb_env *env, sb_player *player) {
    sb_error error;
    const int before = sb_status_of(env)->steps;
    assert_ok(sb_player_begin_as(player, "expert", env, &error), error);
    while (!sb_status_of(env)->done) {
        sb_result result;
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    }
    return sb_status_of(env)->success ? sb_status_of(env)->steps - before : -1;
}

void check_walled(const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++)
        if (!sb_interior(e, sb_xy_of(e, i))) assert_int_equal(e->cells[i].terrain, SB_WALL);
    assert_true(sb_walkable(e, e->agent.at));
    assert_int_equal(e->agent.facing, SB_NORTH);
    assert_int_equal(e->agent.n_items, 0);
}

int count_objects(const sb_episode *e, int object) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].object == object;
    return n;
}

int count_terrain(const sb_episode *e, int terrain) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].terrain == terrain;
    return n;
}

void assert_idling_changes_nothing(const sb_task *task, uint64_t seed, int n) {
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        sb_episode e = {0};
        sb_result result;
        uint64_t before[2], after[2];
        start(&e, task, difficulty, seed);
        sb_episode_key(&e, before);
        for (int i = 0; i < n; i++) sb_episode_step(&e, i % 2 ? SB_NOOP : SB_INTERACT, &result);
        sb_episode_key(&e, after);
        assert_memory_equal(before, after, sizeof before);
        assert_int_equal(e.clock, n);
    }
}

/* ---- Distances ---- */

void open_terrain(const sb_episode *e, int terrain, bool *open) {
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = e->cells[i].terrain == terrain;
}

void open_walkable(const sb_episode *e, bool *open) {
    for (int i = 0; i < sb_n_cells(e); i++) open[i] = sb_terrain_walkable(e->cells[i].terrain);
}

/* Makes a graph of the grid, with an edge between neighbouring cells that are both open. */
static void graph_of(igraph_t *graph, const sb_episode *e, const bool *open) {
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        if (open[i] && p.x + 1 < e->width && open[i + 1])
            igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, i + 1);
        if (open[i] && p.y + 1 < e->height && open[i + e->width])
            igraph_vector_int_push_back(&edges, i), igraph_vector_int_push_back(&edges, i + e->width);
    }
    igraph_create(graph, &edges, sb_n_cells(e), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
}

int igraph_distance(const sb_episode *e, const bool *open, sb_xy from, sb_xy to) {
    igraph_t graph;
    igraph_vector_int_t path;
    graph_of(&graph, e, open);
    igraph_vector_int_init(&path, 0);
    igraph_set_warning_handler(igraph_warning_handler_ignore); /* a cell that cannot be reached is no error */
    igraph_get_shortest_path(&graph, &path, NULL, sb_index(e, from), sb_index(e, to), IGRAPH_ALL);
    const int moves = (int)igraph_vector_int_size(&path) - 1;
    igraph_vector_int_destroy(&path);
    igraph_destroy(&graph);
    return moves;
}
