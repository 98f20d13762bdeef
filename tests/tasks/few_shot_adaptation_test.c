/* FewShotAdaptation: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdlib.h>

#include "generators/agentick/generalization/few_shot_adaptation.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

typedef sb_few_shot_adaptation_vars vars;
typedef sb_few_shot_trial trial;

static const int demo_steps[] = {18, 15, 12, 10}, reveal_steps[] = {12, 8, 5, 3};

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_few_shot_adaptation, 30, 3992);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_few_shot_adaptation, difficulty, seed, NULL, &error), error);
}

/* ---- Instances ---- */

static void check_cells(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX];
    open_terrain(e, SB_EMPTY, open);
    for (int t = 0; t <= v->n_demos; t++)
        for (int i = 0; i < v->n_candidates; i++) {
            const int cell = sb_index(e, v->trial[t].at[i]);
            assert_true(igraph_distance(e, open, v->start, v->trial[t].at[i]) > 0);
            open[cell] = true;
            for (int s = 0; s <= t; s++)
                for (int j = 0; j < (s < t ? v->n_candidates : i); j++)
                    assert_false(sb_same(v->trial[s].at[j], v->trial[t].at[i]));
        }
}

/* Returns the index of the largest number, the first among equals. */
static int argmax(const int *numbers, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (numbers[i] > numbers[best]) best = i;
    return best;
}

static int least(int a, int b) { return a < b ? a : b; }

/* The rules as the specification states them. */
static int correct_by_rule(const sb_episode *e, const trial *t) {
    const vars *v = SB_VARS(e);
    int good[SB_FEW_SHOT_CANDIDATES];
    for (int i = 0; i < v->n_candidates; i++) {
        const int x = t->at[i].x, y = t->at[i].y, far = e->width - 2;
        const sb_cell *cell = sb_peek(e, t->at[i]);
        switch (v->rule) {
        case SB_RULE_GOTO_TYPE: good[i] = t->type[i] == v->target_type; break;
        case SB_RULE_NEAREST_CORNER: good[i] = -(least(x - 1, far - x) + least(y - 1, far - y)); break;
        case SB_RULE_FURTHEST_START: good[i] = abs(x - v->start.x) + abs(y - v->start.y); break;
        default:
            good[i] = (cell[1].terrain == SB_EMPTY) + (cell[-1].terrain == SB_EMPTY) +
                      (cell[e->width].terrain == SB_EMPTY) + (cell[-e->width].terrain == SB_EMPTY);
        }
    }
    return argmax(good, v->n_candidates);
}

static void check_instance(const sb_episode *e) {
    static const int obstacles[] = {0, 4, 6, 8};
    const vars *v = SB_VARS(e);
    check_walled(e);
    check_cells(e);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + obstacles[e->difficulty]);
    assert_in_range(v->rule, 0, v->n_rules - 1);
    for (int t = 0; t <= v->n_demos; t++) {
        int kinds = 0;
        for (int i = 0; i < v->n_candidates; i++) kinds |= 1 << v->trial[t].type[i];
        for (int k = 0; k < v->n_candidates; k++) assert_true(kinds >> sb_few_shot_types[k] & 1);
        assert_int_equal(v->trial[t].correct, correct_by_rule(e, &v->trial[t]));
    }
}

static void every_trial_obeys_the_rule_in_cells_of_its_own(void **state) {
    (void)state;
    each_instance(&sb_few_shot_adaptation, 50, check_instance);
}

/* ---- Steps ---- */

static int current_trial(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return least(e->clock / demo_steps[e->difficulty], v->n_demos);
}

/* The grid shows only the trial's candidates. In a demonstration the right one is marked for a while. */
static void check_shown(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int current = current_trial(e);
    const bool marks = current < v->n_demos && e->clock % demo_steps[e->difficulty] < reveal_steps[e->difficulty];
    const trial *t = &v->trial[current];
    assert_int_equal(v->current, current);
    assert_int_equal(count_objects(e, SB_NONE), sb_n_cells(e) - v->n_candidates);
    for (int i = 0; i < v->n_candidates; i++)
        assert_int_equal(sb_peek(e, t->at[i])->object, marks && i == t->correct ? (int)SB_GOAL : t->type[i]);
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    const bool moved = !sb_same(before->agent.at, after->agent.at), counts = current_trial(before) == v->n_demos;
    const trial *test = &v->trial[v->n_demos];
    int entered = -1;
    for (int i = 0; i < v->n_candidates && moved && counts; i++)
        if (sb_same(after->agent.at, test->at[i])) entered = i;
    check_shown(after);
    assert_int_equal(sb_few_shot_until_test(after),
                     counts ? 0 : v->n_demos * demo_steps[after->difficulty] - after->clock);
    assert_int_equal(result->terminated, entered >= 0);
    assert_int_equal(result->success, entered == test->correct);
    assert_true(result->reward == (entered < 0 ? 0.0 : entered == test->correct ? 1.0 : -1.0));
    if (entered >= 0) assert_true(result->dense == (entered == test->correct ? -0.01 + 1.0 : -1.0));
}

static void only_candidates_of_the_test_count(void **state) {
    (void)state;
    each_step(&sb_few_shot_adaptation, 25, check_step);
}

static void wait_for_test(sb_episode *e) {
    sb_result result;
    while (sb_few_shot_until_test(e) > 0) sb_episode_step(e, SB_NOOP, &result);
}

/* This holds for the right candidate and for the wrong one. */
static void a_candidate_that_appears_under_the_agent_has_to_be_entered(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sb_episode e = {0};
        sb_result result;
        const vars *v = SB_VARS(&e);
        start(&e, SB_EASY, 5);
        const trial *test = &v->trial[v->n_demos];
        e.agent.at = test->at[i];
        wait_for_test(&e);
        sb_episode_step(&e, SB_INTERACT, &result);
        assert_false(result.terminated);
        const sb_direction away = e.agent.at.x > 1 ? SB_WEST : SB_EAST;
        sb_episode_step(&e, sb_move_of(away), &result);
        assert_false(result.terminated);
        sb_episode_step(&e, sb_move_of((away + 2) % 4), &result);
        assert_true(result.terminated);
        assert_int_equal(result.success, i == test->correct);
    }
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

static void open_past_wrong(const sb_episode *e, bool *open) {
    const vars *v = SB_VARS(e);
    const trial *test = &v->trial[v->n_demos];
    open_walkable(e, open);
    for (int i = 0; i < v->n_candidates; i++) open[sb_index(e, test->at[i])] = i == test->correct;
    open[sb_index(e, e->agent.at)] = true;
}

/* Seed 16 is the first on medium whose wrong candidates cut off the start. */
static void who_waits_at_the_start_may_be_cut_off(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_name name;
    sb_error error;
    bool open[SB_CELLS_MAX];
    const vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 16);
    wait_for_test(&e);
    open_past_wrong(&e, open);
    assert_int_equal(igraph_distance(&e, open, v->start, v->trial[v->n_demos].at[v->trial[v->n_demos].correct]), -1);
    assert_ok(sb_name_parse(NULL, "FewShotAdaptation/medium#16", &name, &error), error);
    assert_int_equal(steps_of("expert", &name),
                     3 * demo_steps[SB_MEDIUM] + 1); /* it crosses to the other side in time */
}

/* Guessing would win half of the episodes on easy and a quarter on expert. */
static void demonstrations_teach_the_observer_most_rules(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    size_t n_solved = 0;
    const sb_request request = {.tasks = "FewShotAdaptation", .split = "train", .count = 25};
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++)
        n_solved += steps_of("observer", sb_selection_name(&selection, i, &(sb_name){0})) > 0;
    assert_in_range(n_solved, selection.n * 3 / 4, selection.n);
    sb_selection_free(&selection);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(every_trial_obeys_the_rule_in_cells_of_its_own),
        cmocka_unit_test(only_candidates_of_the_test_count),
        cmocka_unit_test(a_candidate_that_appears_under_the_agent_has_to_be_entered),
        cmocka_unit_test(who_waits_at_the_start_may_be_cut_off),
        cmocka_unit_test(demonstrations_teach_the_observer_most_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
