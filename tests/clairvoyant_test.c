/* The clairvoyant: it is no worse than the expert, and only the episode decides what it does. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "oracles/beam.h"
#include "oracles/copies.h"
#include "rollout/selection.h"
#include "rollout/worker.h"
#include "tests/testfamily/toy.h"

/* Lets the agent play the named episode with this worker, and returns the outcome. */
static sb_status play(sb_worker *worker, const char *agent, const char *text) {
    sb_error error;
    sb_name name;
    assert_ok(sb_name_parse(NULL, text, &name, &error), error);
    assert_ok(sb_worker_play(worker, agent, &name, NULL, NULL, &error), error);
    return worker->tape.outcome;
}

/* ---- Compared with the expert ---- */

static void assert_no_worse(sb_worker *worker, sb_worker *clairvoyant, const sb_name *name, bool *is_shorter) {
    sb_error error;
    assert_ok(sb_worker_play(worker, "expert", name, NULL, NULL, &error), error);
    assert_ok(sb_worker_play(clairvoyant, "clairvoyant", name, NULL, NULL, &error), error);
    const sb_status *expert = &worker->tape.outcome, *seer = &clairvoyant->tape.outcome;
    if (seer->success < expert->success || (seer->success == expert->success && seer->steps > expert->steps) ||
        seer->total < expert->total)
        fail_msg("%s/%s#%llu: %d steps, the expert takes %d", name->task, name->difficulty,
                 (unsigned long long)name->seed, seer->steps, expert->steps);
    assert_true(clairvoyant->player.budget.spent < SB_DEFAULT_BUDGET);
    *is_shorter |= seer->steps < expert->steps;
}

/* Returns whether any solution was shorter than the expert's. */
static bool compare(const sb_request *request) {
    sb_error error;
    sb_selection selection;
    sb_worker expert = {0}, clairvoyant = {0};
    bool is_shorter = false;
    assert_ok(sb_select(request, &selection, &error), error);
    assert_true(selection.n > 0);
    for (size_t i = 0; i < selection.n; i++)
        assert_no_worse(&expert, &clairvoyant, sb_selection_name(&selection, i, &(sb_name){0}), &is_shorter);
    sb_worker_free(&expert), sb_worker_free(&clairvoyant);
    sb_selection_free(&selection);
    return is_shorter;
}

static void it_never_takes_more_steps_than_the_expert(void **state) {
    (void)state;
    compare(&(sb_request){.tasks = TESTS_ARE_SLOW ? "KeyDoorPuzzle,DistributionShift,FogOfWarExploration" : NULL,
                          .difficulty = "easy",
                          .seeds = "3"});
    assert_true(compare(
        &(sb_request){.tasks = "DynamicObstacles,GoToGoal,NoisyObservation", .seeds = TESTS_ARE_SLOW ? "0" : "0..4"}));
}

static void it_wins_what_the_expert_loses_to_bad_luck(void **state) {
    (void)state;
    static const char *const names[] = {"DynamicObstacles/expert#142348569", "DynamicObstacles/expert#679922127"};
    sb_worker worker = {0};
    for (int i = 0; i < 2; i++) {
        assert_false(play(&worker, "expert", names[i]).success);
        assert_true(play(&worker, "clairvoyant", names[i]).success);
    }
    sb_worker_free(&worker);
}

/* A way that is as good as the best is played to its end and kept: from it a detour leads to one that is better. */
static void it_goes_on_from_ways_that_are_equally_good(void **state) {
    (void)state;
    sb_worker worker = {0};
    play(&worker, "clairvoyant", "TagHunt/hard#0");
    assert_true(worker.tape.outcome.success);
    assert_in_range(worker.tape.n, 1, 27);
    sb_worker_free(&worker);
}

static void it_loses_impossible_episodes_like_the_expert(void **state) {
    (void)state;
    static const char *const names[] = {"PreciseNavigation/hard#1632336048", "SokobanPush/medium#2003757894",
                                        "InstructionFollowing/expert#453201559"};
    sb_worker worker = {0};
    for (int i = 0; i < 3; i++) {
        const int steps = play(&worker, "expert", names[i]).steps;
        const sb_status end = play(&worker, "clairvoyant", names[i]);
        assert_false(end.success);
        assert_int_equal(end.steps, steps);
        assert_true(worker.player.budget.spent < 50000);
    }
    sb_worker_free(&worker);
}

static void a_claim_of_fewest_steps_is_not_searched_again(void **state) {
    (void)state;
    sb_worker worker = {0};
    assert_true(play(&worker, "expert", "KeyDoorPuzzle/hard#1").success);
    const uint64_t spent = worker.player.budget.spent;
    assert_true(play(&worker, "clairvoyant", "KeyDoorPuzzle/hard#1").success);
    assert_int_equal(worker.player.budget.spent, spent);
    sb_worker_free(&worker);
}

/* Lets the oracle plan with a budget of few states; returns the budget. */
static sb_budget plan_on(const sb_oracle *oracle, const char *name, uint64_t limit) {
    sb_error error;
    sb_action action;
    sb_intent intent;
    sb_budget budget = {.limit = limit};
    sb_env *env = sb_make(NULL, name, &error);
    void *memory = calloc(1, oracle->memory);
    assert_non_null(env);
    assert_non_null(memory);
    if (oracle->begin) assert_ok(oracle->begin(memory, env, &budget, &error), error);
    oracle->act(memory, &(sb_observation){.env = env}, &budget, &action, &intent);
    if (oracle->close) oracle->close(memory);
    free(memory);
    sb_free(env);
    return budget;
}

/* With 2000 states the expert still solves the first episode, but in 72 steps instead of 59. */
static void a_claim_whose_search_was_cut_is_searched_again(void **state) {
    (void)state;
    static const char cut[] = "SokobanPush/hard#6", whole[] = "SokobanPush/hard#0";
    const sb_oracle *expert = sb_oracle_find("agentick", "SokobanPush-v0", "expert");
    const sb_budget on_cut = plan_on(expert, cut, 2000), on_whole = plan_on(expert, whole, 2000);
    assert_true(on_cut.is_cut && !on_whole.is_cut);
    assert_true(plan_on(&sb_clairvoyant, cut, 2000).spent > on_cut.spent);
    assert_int_equal(plan_on(&sb_clairvoyant, whole, 2000).spent, on_whole.spent);
}

/* ---- Only the episode decides ---- */

static const char *const chancy[] = {"DynamicObstacles/medium#5", "EmergentStrategy/easy#2", "TagHunt/easy#7",
                                     "toy:Pile#9"};
enum { N_CHANCY = sizeof chancy / sizeof *chancy };

static void assert_same_tapes(const sb_tape *a, const sb_tape *b) {
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->actions, b->actions, a->n * sizeof *a->actions);
}

static void a_tape_is_the_same_whatever_was_played_before(void **state) {
    (void)state;
    sb_worker used = {0};
    for (int i = 0; i < N_CHANCY; i++) {
        sb_worker fresh = {0};
        play(&fresh, "clairvoyant", chancy[i]);
        play(&used, "clairvoyant", chancy[i]);
        assert_same_tapes(&fresh.tape, &used.tape);
        play(&used, "expert", chancy[N_CHANCY - 1 - i]);
        play(&used, "clairvoyant", chancy[i]);
        assert_same_tapes(&fresh.tape, &used.tape);
        sb_worker_free(&fresh);
    }
    sb_worker_free(&used);
}

/* Begins a new player in every state, as hints do. */
static void a_player_that_begins_in_the_middle_acts_like_one_from_the_start(void **state) {
    (void)state;
    sb_error error;
    sb_worker worker = {0};
    sb_player player = {0};
    assert_true(play(&worker, "clairvoyant", chancy[0]).success);
    sb_env *env = sb_make(NULL, chancy[0], &error);
    for (size_t i = 0; i < worker.tape.n; i++) {
        sb_result result;
        assert_ok(sb_player_begin_as(&player, "clairvoyant", env, &error), error);
        const sb_action action = sb_player_act(&player, env);
        assert_int_equal(action, worker.tape.actions[i]);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_player_clear(&player), sb_worker_free(&worker);
    sb_free(env);
}

/* Plays to the end, writes the actions, and returns the number of steps. */
static int finish(sb_player *player, sb_env *env, sb_action actions[400]) {
    sb_error error;
    int n = 0;
    while (!env->status.done) {
        sb_result result;
        actions[n] = sb_player_act(player, env);
        assert_ok(sb_step(env, actions[n++], &result, &error), error);
    }
    return n;
}

static void after_a_foreign_step_it_plans_again(void **state) {
    (void)state;
    for (int i = 0; i < N_CHANCY; i++) {
        sb_error error;
        sb_result result;
        sb_player player = {0}, other = {0};
        sb_action actions[400], others[400];
        sb_env *env = sb_make(NULL, chancy[i], &error);
        assert_ok(sb_player_begin_as(&player, "clairvoyant", env, &error), error);
        const sb_action action = sb_player_act(&player, env);
        assert_ok(sb_step(env, action == 0 ? 1 : 0, &result, &error), error);
        sb_env *copy = sb_clone(env, &error);
        assert_ok(sb_player_begin_as(&other, "clairvoyant", copy, &error), error);
        const int n = finish(&player, env, actions), n_other = finish(&other, copy, others);
        assert_true(env->status.success);
        assert_int_equal(n, n_other);
        assert_memory_equal(actions, others, (size_t)n * sizeof *actions);
        sb_player_clear(&player), sb_player_clear(&other);
        sb_free(env), sb_free(copy);
    }
}

static void its_intents_say_what_it_follows_or_that_it_has_lost(void **state) {
    (void)state;
    sb_worker worker = {0};
    play(&worker, "clairvoyant", "GoToGoal/easy#0");
    assert_string_equal(worker.player.intent.verb, "follow");
    assert_string_equal(worker.player.intent.object, "plan");
    play(&worker, "clairvoyant", "PreciseNavigation/hard#1632336048");
    assert_string_equal(worker.player.intent.verb, "give up");
    assert_string_equal(worker.player.intent.object, "no solution is left");
    sb_worker_free(&worker);
}

/* ---- Any family ---- */

static void every_task_of_every_family_has_a_clairvoyant(void **state) {
    (void)state;
    sb_error error;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; i < (*family)->n_tasks; i++) {
            const sb_oracle *oracle = sb_oracle_find((*family)->name, (*family)->task(i)->name, "clairvoyant");
            assert_non_null(oracle);
            assert_int_equal(oracle->sees, SB_SEES_FUTURE);
            assert_ok(sb_agent_exists("clairvoyant", (*family)->name, (*family)->task(i)->name, &error), error);
        }
}

/* Returns the fewest steps, by exhaustive search; -1 if there is no solution. */
static int fewest(const sb_env *env) {
    sb_error error;
    sb_copies copies;
    sb_budget budget = {.limit = 100000};
    sb_verdict verdict;
    assert_ok(sb_copies_open(&copies, 1 << 17, &error), error);
    assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
    const int n = verdict == SB_SOLVED ? sb_copies_plan(&copies, NULL, 0) : -1;
    sb_copies_close(&copies);
    return n;
}

static void toys_are_solved_in_the_fewest_steps(void **state) {
    (void)state;
    sb_error error;
    sb_worker worker = {0};
    for (int seed = 0; seed < 8; seed++) {
        char name[32];
        snprintf(name, sizeof name, "toy:Pile#%d", seed);
        sb_env *env = sb_make(NULL, name, &error);
        assert_int_equal(play(&worker, "clairvoyant", name).steps, fewest(env));
        sb_free(env);
        snprintf(name, sizeof name, "toy:Hunt#%d", seed);
        assert_int_equal(play(&worker, "clairvoyant", name).steps, 1);
    }
    sb_worker_free(&worker);
    assert_int_equal(toy_states, 0);
}

/* Tests an episode of a task without an expert. */
static void without_an_expert_it_searches(void **state) {
    (void)state;
    sb_error error;
    sb_player player = {0};
    sb_action actions[400];
    sb_env *env = sb_make(NULL, "toy:Pile#3", &error);
    const int least = fewest(env);
    strcpy(env->name.task, "Heap-v1");
    assert_null(sb_oracle_find(env->name.family, env->name.task, "expert"));
    assert_ok(sb_player_begin_as(&player, "clairvoyant", env, &error), error);
    assert_int_equal(finish(&player, env, actions), least);
    assert_true(env->status.success);
    sb_player_clear(&player);
    sb_free(env);
}

/* ---- The beam ---- */

/* Searches for a solution of at most `max_steps` steps and plays it; returns its length. */
static int run_beam(sb_beam *beam, const char *name, int width, int max_steps) {
    sb_error error;
    sb_action actions[200];
    sb_budget budget = {.limit = 1000000};
    int n;
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(sb_beam_search(beam, env, width, max_steps, &budget, actions, &n, &error), error);
    assert_true(n <= max_steps);
    for (int i = 0; i < n; i++) {
        sb_result result;
        assert_false(env->status.done);
        assert_ok(sb_step(env, actions[i], &result, &error), error);
    }
    assert_int_equal(env->status.success, n > 0);
    sb_free(env);
    return n;
}

static void a_beam_wide_enough_finds_the_fewest_steps(void **state) {
    (void)state;
    static const char *const names[] = {"toy:Pile#1", "GoToGoal/medium#3", "KeyDoorPuzzle/easy#42"};
    sb_error error;
    sb_beam beam = {0};
    for (int i = 0; i < 3; i++) {
        sb_env *env = sb_make(NULL, names[i], &error);
        const int least = fewest(env);
        sb_free(env);
        assert_int_equal(run_beam(&beam, names[i], SB_BEAM_WIDTH, 60), least);
        assert_int_equal(run_beam(&beam, names[i], SB_BEAM_WIDTH, least), least);
        assert_int_equal(run_beam(&beam, names[i], SB_BEAM_WIDTH, least - 1), 0);
        run_beam(&beam, names[i], 1, 60);
    }
    sb_beam_close(&beam);
}

/* Where the bound is exact, every state on the way needs all the steps that are left: none of them may be left out. */
static void a_beam_keeps_states_that_need_all_steps_left(void **state) {
    (void)state;
    sb_error error;
    sb_beam beam = {0};
    sb_env *env = sb_make(NULL, "RecipeAssembly/easy#1", &error);
    const int least = env->family->bound(env);
    assert_int_equal(fewest(env), least);
    assert_int_equal(run_beam(&beam, "RecipeAssembly/easy#1", SB_BEAM_WIDTH, least), least);
    sb_beam_close(&beam);
    sb_free(env);
}

static void a_beam_keeps_to_its_budget(void **state) {
    (void)state;
    sb_error error;
    sb_beam beam = {0};
    sb_budget budget = {.limit = 100};
    sb_action actions[60];
    int n;
    sb_env *env = sb_make(NULL, "KeyDoorPuzzle/medium#42", &error);
    assert_ok(sb_beam_search(&beam, env, 8, 60, &budget, actions, &n, &error), error);
    assert_int_equal(n, 0);
    assert_true(budget.spent <= budget.limit);
    sb_beam_close(&beam);
    sb_free(env);
}

/* ---- Other criteria than success ---- */

static sb_status play_tower(sb_worker *worker, const char *agent, const sb_task_info *task, uint64_t seed) {
    sb_error error;
    sb_name name = {.family = "climb", .seed = seed};
    strcpy(name.task, task->name);
    assert_ok(sb_worker_play(worker, agent, &name, NULL, NULL, &error), error);
    return worker->tape.outcome;
}

/* No episode has enough steps for all levels, so success is impossible. The expert takes the largest stride that fits,
 * which is not always the best. */
static void if_not_everything_can_be_reached_it_scores_more_than_the_expert(void **state) {
    (void)state;
    static const char tower[] = "levels 8\nwidth 4\nheight 3\nlimit 12\nbroken 5\n";
    sb_error error;
    const sb_task_info *task;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(sb_catalogue_add_program(catalogue, sb_family_find("climb", &error), tower, strlen(tower), &task, &error),
              error);
    sb_worker worker = {.env = sb_make(catalogue, NULL, &error)};
    int higher = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        const sb_status expert = play_tower(&worker, "expert", task, seed);
        const sb_status seer = play_tower(&worker, "clairvoyant", task, seed);
        assert_true(!seer.fault && seer.score >= expert.score);
        assert_true(worker.player.budget.spent < SB_DEFAULT_BUDGET);
        if (!seer.success) higher += seer.score > expert.score;
    }
    assert_true(higher > 0);
    sb_worker_free(&worker);
    sb_catalogue_free(catalogue);
}

/* The expert looks at one state per step. */
static void in_tasks_without_success_it_does_not_search(void **state) {
    (void)state;
    sb_worker worker = {0};
    assert_false(play(&worker, "clairvoyant", "climb:Roam#3").success);
    assert_int_equal(worker.tape.n, 12);
    assert_int_equal(worker.player.budget.spent, 12);
    sb_worker_free(&worker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_never_takes_more_steps_than_the_expert),
        cmocka_unit_test(it_wins_what_the_expert_loses_to_bad_luck),
        cmocka_unit_test(it_goes_on_from_ways_that_are_equally_good),
        cmocka_unit_test(it_loses_impossible_episodes_like_the_expert),
        cmocka_unit_test(a_claim_of_fewest_steps_is_not_searched_again),
        cmocka_unit_test(a_claim_whose_search_was_cut_is_searched_again),
        cmocka_unit_test(a_tape_is_the_same_whatever_was_played_before),
        cmocka_unit_test(a_player_that_begins_in_the_middle_acts_like_one_from_the_start),
        cmocka_unit_test(after_a_foreign_step_it_plans_again),
        cmocka_unit_test(its_intents_say_what_it_follows_or_that_it_has_lost),
        cmocka_unit_test(every_task_of_every_family_has_a_clairvoyant),
        cmocka_unit_test(toys_are_solved_in_the_fewest_steps),
        cmocka_unit_test(without_an_expert_it_searches),
        cmocka_unit_test(a_beam_wide_enough_finds_the_fewest_steps),
        cmocka_unit_test(a_beam_keeps_states_that_need_all_steps_left),
        cmocka_unit_test(a_beam_keeps_to_its_budget),
        cmocka_unit_test(if_not_everything_can_be_reached_it_scores_more_than_the_expert),
        cmocka_unit_test(in_tasks_without_success_it_does_not_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
