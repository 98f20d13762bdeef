/* CuriosityMaze: what holds for every instance and every step, and how its expert plays. */
#include "tests/tasks/tasks.h"

#include <math.h>
#include <string.h>

#include "engine/gridworld/search.h"
#include "generators/agentick/navigation/curiosity_maze.h"
#include "rollout/worker.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_curiosity_maze, 32, 10269);
}

/* ---- Instances ---- */

/* Counts the unvisited cells that the search had met when it came to cell number t of its order. */
static int count_seen(const sb_episode *e, const sb_reach *reach, int t, const bool *visited) {
    int rank[SB_CELLS_MAX], n = 0;
    for (int i = 0; i < reach->n; i++) rank[sb_index(e, reach->order[i])] = i;
    for (int i = 0; i < reach->n; i++) {
        const int cell = sb_index(e, reach->order[i]);
        n += !visited[cell] && rank[reach->parent[cell]] < t;
    }
    return n;
}

typedef struct exploration {
    int visited, credited; /* numbers of cells: visited within the step limit; met on the last search besides */
    int steps;             /* until as many cells as needed were visited */
} exploration;

/* The greedy explorer, with a complete search for each walk. */
static exploration explore(const sb_episode *e) {
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    exploration found = {.visited = 1};
    sb_open open;
    sb_reach reach;
    bool visited[SB_CELLS_MAX] = {false};
    sb_xy at = e->agent.at;
    int used = 0;
    sb_open_walkable(&open, e);
    visited[sb_index(e, at)] = true;
    while (used < e->max_steps) {
        int t = 0;
        sb_reach_from(&reach, e, &open, at, sb_nswe);
        while (t < reach.n && visited[sb_index(e, reach.order[t])]) t++;
        if (t == reach.n) break;
        at = reach.order[t];
        used += reach.distance[sb_index(e, at)];
        if (used > e->max_steps) {
            found.credited = count_seen(e, &reach, t, visited);
            break;
        }
        visited[sb_index(e, at)] = true;
        if (++found.visited == v->n_needed) found.steps = used;
    }
    return found;
}

static int count_reachable(const sb_episode *e) {
    sb_open open;
    sb_reach reach;
    sb_open_walkable(&open, e);
    sb_reach_from(&reach, e, &open, e->agent.at, sb_nesw);
    return reach.n;
}

static void check_instance(const sb_episode *e) {
    const sb_curiosity_maze_vars *v = SB_VARS(e);
    const exploration greedy = explore(e);
    const int inner = (e->width - 2) * (e->height - 2);
    check_walled(e);
    assert_int_equal(count_objects(e, SB_NONE), sb_n_cells(e));
    assert_true(sb_same(v->start, sb_at(e->width / 2, e->height / 2)));
    assert_int_equal(v->n_reachable, count_reachable(e));
    assert_true(v->n_reachable >= inner * 3 / 10);
    assert_int_equal(v->upper_bound, greedy.visited + greedy.credited);
    assert_in_range(v->upper_bound, (v->n_reachable + 1) / 2, v->n_reachable);
    assert_int_equal(v->n_needed, (int)ceil(0.9 * v->upper_bound));
}

static void the_bound_is_what_a_greedy_explorer_visits(void **state) {
    (void)state;
    each_instance(&sb_curiosity_maze, 40, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed, sb_draw_log *log) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_curiosity_maze, difficulty, seed, log, &error), error);
    check_instance(e);
}

/* If the last walk is too long, cells that the search only met count too: here two, besides the one it was looking
 * for. */
static void cells_that_the_explorer_sees_last_count_as_well(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_curiosity_maze_vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 3937, NULL);
    assert_int_equal(v->upper_bound, 99);
    assert_int_equal(explore(&e).visited, 96);
}

static size_t count_draws(sb_difficulty difficulty, uint64_t seed) {
    sb_episode e = {0};
    sb_draw_log log = {.text = sb_out_growing()};
    sb_draw_log_begin(&log, seed);
    const size_t before = log.text.size;
    start(&e, difficulty, seed, &log);
    size_t n = 0;
    for (size_t i = before; i < log.text.size; i++) n += log.text.data[i] == '\n';
    sb_out_free(&log.text);
    return n - 1; /* the first line is the creation of the generator */
}

/* These are the first seeds whose agent is almost walled in. */
static void a_maze_that_is_too_small_is_drawn_again(void **state) {
    (void)state;
    assert_int_equal(count_draws(SB_HARD, 578), 2 * 56);
    assert_int_equal(count_draws(SB_HARD, 579), 2 * 2 * 56);
    assert_int_equal(count_draws(SB_EXPERT, 257), 2 * 2 * 101);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_curiosity_maze_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool is_new = !sb_area_has(&old->visited, after->agent.at), enough = v->n_visited >= 0.9 * v->upper_bound;
    assert_int_equal(v->n_visited, sb_area_count(&v->visited, after->height));
    assert_int_equal(v->n_visited, old->n_visited + is_new);
    assert_true(sb_area_has(&v->visited, after->agent.at));
    assert_true(result->terminated == enough);
    assert_true(result->success == enough);
    assert_true(result->reward == (enough ? 1.0 : 0.0));
    assert_true(fabs(result->dense - (0.02 * is_new - 0.01 + enough)) < 1e-12);
    assert_int_equal(after->task->bound(after), v->n_needed - v->n_visited);
}

static void every_new_cell_counts_once(void **state) {
    (void)state;
    each_step(&sb_curiosity_maze, 20, check_step);
}

/* Random play hardly ever reaches the last cell that is needed. */
static void enough_cells_end_the_episode(void **state) {
    (void)state;
    sb_episode e = {0}, before = {0};
    sb_curiosity_maze_vars *v = SB_VARS(&e);
    sb_result result = {0};
    start(&e, SB_EASY, 0, NULL);
    for (int i = 0; i < sb_n_cells(&e) && v->n_visited < v->n_needed - 1; i++) {
        const sb_xy p = sb_xy_of(&e, i);
        if (sb_manhattan(p, v->start) < 2 || !sb_walkable(&e, p) || sb_area_has(&v->visited, p)) continue;
        sb_area_add(&v->visited, p);
        v->n_visited++;
    }
    assert_int_equal(v->n_visited, v->n_needed - 1);
    for (sb_action action = SB_MOVE_UP; action <= SB_MOVE_RIGHT && !result.terminated; action++) {
        sb_episode_copy(&before, &e);
        sb_episode_step(&e, action, &result);
        check_step(&before, &e, &result);
    }
    assert_true(result.success);
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_curiosity_maze, 7, 5);
}

/* ---- The expert ---- */

static void reset(sb_env *env, int difficulty, uint64_t seed) {
    sb_error error;
    sb_name name = {.family = "agentick", .task = "CuriosityMaze-v0", .seed = seed};
    strcpy(name.difficulty, sb_difficulty_names[difficulty]);
    assert_ok(sb_reset_name(env, &name, &error), error);
}

/* Lets an agent play this many steps, or to the end. */
static void play(sb_env *env, const char *agent, int steps) {
    sb_error error;
    sb_player player = {0};
    sb_result result;
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    for (; steps > 0 && !sb_status_of(env)->done; steps--)
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    sb_player_clear(&player);
}

static void the_expert_beats_the_greedy_explorer(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    for (uint64_t seed = 0; seed < 5; seed++)
        for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
            reset(env, difficulty, seed);
            const int greedy = explore(sb_episode_of(env)).steps;
            play(env, "expert", INT32_MAX);
            assert_true(sb_status_of(env)->success);
            assert_true(sb_status_of(env)->steps < greedy);
        }
    sb_free(env);
}

/* Random steps leave unvisited cells here and there. */
static void the_expert_takes_over_where_others_have_been(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++)
        for (int spoiled = 1; spoiled < 40; spoiled *= 3) {
            reset(env, difficulty, 7);
            play(env, "random", spoiled);
            play(env, "expert", INT32_MAX);
            assert_true(sb_status_of(env)->success);
        }
    sb_free(env);
}

/* The observer counts by itself what is hidden from it. */
static void the_observer_explores_as_the_expert_does(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player observer = {0}, expert = {0};
    sb_result result;
    for (int difficulty = 0; difficulty < SB_N_DIFFICULTIES; difficulty++) {
        reset(env, difficulty, 3);
        assert_ok(sb_player_begin_as(&observer, "observer", env, &error), error);
        assert_ok(sb_player_begin_as(&expert, "expert", env, &error), error);
        while (!sb_status_of(env)->done) {
            const sb_action action = sb_player_act(&expert, env);
            assert_int_equal(sb_player_act(&observer, env), action);
            assert_ok(sb_step(env, action, &result, &error), error);
        }
        assert_true(sb_status_of(env)->success);
    }
    sb_player_clear(&observer), sb_player_clear(&expert);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(the_bound_is_what_a_greedy_explorer_visits),
        cmocka_unit_test(cells_that_the_explorer_sees_last_count_as_well),
        cmocka_unit_test(a_maze_that_is_too_small_is_drawn_again),
        cmocka_unit_test(every_new_cell_counts_once),
        cmocka_unit_test(enough_cells_end_the_episode),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
        cmocka_unit_test(the_expert_beats_the_greedy_explorer),
        cmocka_unit_test(the_expert_takes_over_where_others_have_been),
        cmocka_unit_test(the_observer_explores_as_the_expert_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
