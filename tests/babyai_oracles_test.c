/* The policies of the BabyAI levels: what they solve, what they claim, and the rules by which they plan.
 *
 * SEEDBED_NIGHTLY: the observer plays twice as many seeds. scripts/accept-babyai plays more. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "generators/babyai/levels.h"
#include "oracles/babyai/planner.h"
#include "oracles/copies.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

/* Calls `check` with a started environment for every episode of these levels (NULL: all) and seeds. */
static void each_episode(const char *levels, const char *seeds, void (*check)(sb_env *env)) {
    sb_error error;
    sb_selection selection;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    assert_ok(sb_select(&(sb_request){.family = "babyai", .tasks = levels, .seeds = seeds}, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        check(env);
    }
    sb_free(env);
    sb_selection_free(&selection);
}

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static sb_mg_world *world_in(sb_env *env) { return (sb_mg_world *)(uintptr_t)sb_mg_world_of(env); }

/* ---- Success ---- */

/* Plays a policy on a worker that the caller keeps. The result is its tape. */
static const sb_tape *play(sb_worker *worker, const char *agent, const sb_env *env) {
    sb_error error;
    assert_ok(sb_worker_play(worker, agent, sb_name_of(env), NULL, NULL, &error), error);
    return &worker->tape;
}

static sb_worker expert_worker, observer_worker;

static void assert_solved(const sb_tape *tape, sb_env *env) {
    const bool is_possible = sb_mg_bound(world_in(env)) >= 0;
    if (tape->outcome.success != is_possible)
        fail_msg("%s#%llu: %s", env->name.task, (unsigned long long)env->name.seed,
                 is_possible ? "not solved" : "solved, though proven impossible");
}

static void check_expert(sb_env *env) { assert_solved(play(&expert_worker, "expert", env), env); }

static void test_the_expert_solves_every_mission_that_is_possible(void **state) {
    (void)state;
    each_episode(NULL, TESTS_ARE_SLOW ? "0" : "0..9", check_expert);
}

static const char hard_levels[] = "SynthSeq,BossLevel,MiniBossLevel,MoveTwoAcrossS8N9,SynthS5R2";

static void test_the_expert_solves_what_needs_things_put_aside_and_fetched_again(void **state) {
    (void)state;
    each_episode(hard_levels, TESTS_ARE_SLOW ? "31" : "1,3,18,31,79,81,105", check_expert);
}

/* These missions took the most work of 26 000: objects that block other objects, keys behind doors, and long ways to
 * carry. */
static void check_work(sb_env *env) {
    static sb_planner planner;
    enum { WORK = 400000 };
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    assert_int_equal(sb_planner_plan(&planner, world_in(env), &budget), SB_SOLVED);
    assert_in_range(budget.spent, 1, WORK);
}

static void test_planning_takes_bounded_work(void **state) {
    (void)state;
    each_episode("BossLevel", TESTS_ARE_SLOW ? "1480" : "193,825,1480,1762", check_work);
}

static void check_poor(sb_env *env) {
    static sb_planner planner;
    enum { LIMIT = 3000, ONE_QUESTION = 40000 };
    sb_budget budget = {.limit = LIMIT}, spent = {.limit = LIMIT, .spent = LIMIT};
    assert_int_equal(sb_planner_plan(&planner, world_in(env), &budget), SB_NOT_FOUND);
    assert_in_range(budget.spent, LIMIT, LIMIT + ONE_QUESTION);
    assert_int_equal(sb_planner_plan(&planner, world_in(env), &spent), SB_NOT_FOUND);
    assert_int_equal(spent.spent, LIMIT);
}

static void test_planning_stops_where_the_budget_ends(void **state) {
    (void)state;
    each_episode("BossLevel", "193", check_poor);
}

static void check_observer(sb_env *env) { assert_solved(play(&observer_worker, "observer", env), env); }

static void test_the_observer_solves_every_mission_that_is_possible(void **state) {
    (void)state;
    each_episode(NULL, TESTS_ARE_SLOW ? "1" : getenv("SEEDBED_NIGHTLY") ? "0..39" : "0..19", check_observer);
}

/* In these missions, plans fail before everything was seen: the thing to go to is in the agent's hands, the thing to
 * pick up is behind others that must not be picked up, or what is worth seeing differs on both sides of a door. */
static void test_the_observer_goes_on_where_a_plan_fails(void **state) {
    (void)state;
    each_episode("GoToSeq", TESTS_ARE_SLOW ? "10154" : "7011,10154", check_observer);
    each_episode("PickupDistDebug", "112", check_observer);
    each_episode("BossLevelNoUnlock", "108", check_observer);
}

/* The policy may not search: it finds no plan. */
static void check_without_plans(sb_env *env) {
    static sb_worker hasty_worker;
    const bool bot_solves = play(&hasty_worker, "published", env)->outcome.success;
    hasty_worker.player.states = 1;
    const bool solves = play(&hasty_worker, "observer", env)->outcome.success;
    if (bot_solves && !solves) fail_msg("%s#%llu: not solved", env->name.task, (unsigned long long)env->name.seed);
    sb_worker_free(&hasty_worker);
    hasty_worker = (sb_worker){0};
}

static void test_without_plans_the_observer_solves_what_the_published_bot_solves(void **state) {
    static const char some[] = "GoToSeq,PutNextLocal,PutNextS6N3,UnlockPickup,BlockedUnlockPickup,MoveTwoAcrossS5N2,"
                               "KeyCorridorS3R2,PickupLoc,OpenDoorsOrderN4,MiniBossLevel";
    (void)state;
    each_episode(some, TESTS_ARE_SLOW ? "0" : "0..3", check_without_plans);
}

/* Gives the agent what the mission asks for: to go to it or to pick it up, it has to be put down. */
static void check_hands(sb_env *env) {
    static sb_planner planner;
    static sb_mg_world w;
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    sb_result result = {0};
    w = *world_in(env);
    sb_mg_description *what = &w.mission.part[0].single[0].what;
    const int id = what->objects[0];
    sb_mg_remove(&w, id);
    w.carried = w.mission.part[0].single[0].held = (uint8_t)id;
    what->n_objects = 1, what->n_positions = 0;
    assert_int_equal(sb_planner_plan(&planner, &w, &budget), SB_SOLVED);
    assert_true(planner.n > 0);
    for (int i = 0; i < planner.n; i++) sb_mg_step(&w, (sb_mg_action)planner.steps[i].action, &result);
    assert_true(result.success);
}

static void test_a_plan_puts_down_what_the_mission_asks_for(void **state) {
    (void)state;
    each_episode("GoToLocal,GoToObjMaze,PickupLoc,Pickup", "0..4", check_hands);
}

static const char babybench[] = "easy,medium,hard,very_hard"; /* names of groups */

/* Returns the total of steps on some episodes of a task. A failure counts with all its steps. */
static size_t steps_of(const char *agent, const char *task, const char *seeds) {
    sb_error error;
    sb_selection selection;
    sb_worker worker = {0};
    size_t steps = 0;
    assert_ok(sb_select(&(sb_request){.family = "babyai", .tasks = task, .seeds = seeds}, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_worker_play(&worker, agent, sb_selection_name(&selection, i, &(sb_name){0}), NULL, NULL, &error),
                  error);
        steps += worker.tape.n;
    }
    sb_worker_free(&worker);
    sb_selection_free(&selection);
    return steps;
}

static void check_steps(const char *task, const char *seeds) {
    const size_t expert = steps_of("expert", task, seeds), observer = steps_of("observer", task, seeds);
    const size_t omnibot = steps_of("omnibot", task, seeds), published = steps_of("published", task, seeds);
    if (expert > omnibot || expert > published || expert > observer)
        fail_msg("%s: expert %zu, omnibot %zu, published %zu, observer %zu", task, expert, omnibot, published,
                 observer);
}

static void test_nobody_needs_fewer_steps_than_the_expert(void **state) {
    (void)state;
    sb_error error;
    sb_selection levels;
    const sb_request request = {.family = "babyai", .category = babybench, .seeds = "0"};
    assert_ok(sb_select(&request, &levels, &error), error);
    assert_int_equal(levels.n, 16);
    for (size_t i = 0; i < levels.n; i++)
        check_steps(sb_selection_name(&levels, i, &(sb_name){0})->task, TESTS_ARE_SLOW ? "0" : "0..9");
    sb_selection_free(&levels);
}

static void test_the_observer_needs_fewer_steps_than_the_published_bot_that_sees_the_same(void **state) {
    static const char mazes[] = "GoToObjMaze,GoTo,Pickup,UnblockPickup,GoToSeq,SynthSeq,BossLevel";
    const char *seeds = TESTS_ARE_SLOW ? "4" : "0..9";
    (void)state;
    assert_true(steps_of("observer", mazes, seeds) < steps_of("published", mazes, seeds));
}

static void test_an_observer_looks_for_doors_where_doors_are(void **state) {
    static const char doors[] = "GoToDoor,GoToObjDoor,OpenDoor,OpenDoorColor,OpenDoorLoc,OpenTwoDoors,OpenDoorsOrderN4";
    const char *seeds = TESTS_ARE_SLOW ? "4" : "0..99";
    (void)state;
    assert_true(steps_of("observer", doors, seeds) <= steps_of("published", doors, seeds));
}

static void test_an_observer_fetches_what_it_knows_before_it_looks_for_the_place_to_put_it(void **state) {
    static const char puts[] = "PutNextLocalS5N3,PutNextLocalS6N4,PutNextS4N1,PutNextS5N1,PutNextS5N2,PutNextS7N4";
    const char *seeds = TESTS_ARE_SLOW ? "4" : "0..99";
    (void)state;
    assert_true(steps_of("observer", puts, seeds) <= steps_of("published", puts, seeds));
}

/* Takes random steps and then lets a policy play on that has not seen them. */
static void go_on_from_anywhere(sb_env *env, const char *agent) {
    sb_error error;
    sb_player player = {0};
    uint64_t seed = env->name.seed;
    for (int i = 0; i < 80 && !env->status.done; i++) {
        sb_result result;
        if (i == 40) assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
        const sb_action action = i < 40 ? (sb_action)(next_random(&seed) % SB_MG_N_ACTIONS)
                                        : sb_player_act(&player, env);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_player_clear(&player);
}

static void check_anywhere(sb_env *env) { go_on_from_anywhere(env, "observer"); }

static void test_an_observer_may_be_asked_in_the_middle_of_an_episode(void **state) {
    (void)state;
    each_episode(NULL, "5", check_anywhere);
}

/* ---- Claims of fewest steps ---- */

/* Levels whose plans the expert makes with an admissible bound (relaxed.h): their missions are one single. */
static const char short_levels[] =
    "GoToObj,GoToRedBall,GoToRedBallNoDists,GoToObjS4,GoToLocal,GoToLocalS5N2,GoToObjMazeS4R2,GoToDoor,GoToObjDoor,"
    "OpenRedDoor,OpenDoorColor,OpenDoorDebug,PickupLoc,PickupDist,PickupDistDebug,OneRoomS8,PutNextLocalS5N3,"
    "PutNextS4N1,PutNextS5N1,PutNextS5N2Carrying,KeyCorridorS3R1,ActionObjDoor,FindObjS5,UnlockLocal,KeyInBox,"
    "UnlockPickup,BlockedUnlockPickup";

enum { SEARCH_STATES = TESTS_ARE_SLOW ? 1 << 13 : 1 << 17 };

static sb_copies copies;
static int held, beyond;

static void check_fewest(sb_env *env) {
    sb_error error;
    sb_budget budget = {.limit = SEARCH_STATES};
    sb_verdict verdict;
    assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
    if (verdict == SB_NOT_FOUND) {
        beyond++;
        return;
    }
    held++;
    assert_int_equal(verdict, SB_SOLVED);
    const int fewest = sb_copies_plan(&copies, NULL, 0), taken = (int)play(&expert_worker, "expert", env)->n;
    if (taken != fewest)
        fail_msg("%s#%llu: %d steps, fewest are %d", env->name.task, (unsigned long long)env->name.seed, taken, fewest);
}

static void test_the_expert_takes_the_fewest_steps_on_small_levels(void **state) {
    (void)state;
    sb_error error;
    assert_ok(sb_copies_open(&copies, SEARCH_STATES, &error), error);
    each_episode(short_levels, TESTS_ARE_SLOW ? "0" : "0..2", check_fewest);
    print_message("fewest steps: %d held, %d beyond the search\n", held, beyond);
    assert_true(held > beyond);
    sb_copies_close(&copies);
}

/* ---- Proofs of impossibility ---- */

static uint64_t proven[40];
static int n_proven;

static void note_impossible(sb_env *env) {
    if (sb_mg_bound(world_in(env)) >= 0) return;
    assert_true(n_proven < 40);
    proven[n_proven++] = env->name.seed;
}

static void assert_impossible(const char *level, const uint64_t *seeds, int n) {
    n_proven = 0;
    each_episode(level, "0..499", note_impossible);
    assert_int_equal(n_proven, n);
    assert_memory_equal(proven, seeds, (size_t)n * sizeof *seeds);
}

static void test_the_bound_finds_the_keys_that_lie_behind_their_own_doors(void **state) {
    static const uint64_t unlock[] = {63, 161, 165, 178, 212, 336, 357, 370, 388, 391, 479, 483};
    static const uint64_t go_to[] = {6, 14, 35, 63, 107, 110, 157, 163, 169, 171, 208, 300, 350, 375, 403, 421, 437};
    (void)state;
    assert_impossible("Unlock", unlock, 12);
    assert_impossible("GoToImpUnlock", go_to, 17);
}

/* The toggle that opens the first door also counts for the strict second door. */
static void check_strict_order(sb_env *env) {
    const sb_mg_world *w = world_in(env);
    assert_true((sb_mg_bound(w) < 0) == (w->mission.order != SB_MG_ALONE));
}

static void test_the_bound_sees_that_strict_doors_cannot_be_opened_in_order(void **state) {
    (void)state;
    each_episode("OpenDoorsOrderN2Debug,OpenDoorsOrderN4Debug", "0..49", check_strict_order);
}

/* At every step of the tape, the bound may not exceed the steps that were still needed. */
static void assert_bound_holds(sb_env *env, const sb_tape *tape) {
    sb_error error;
    if (!tape->outcome.success) return;
    for (size_t i = 0; i < tape->n; i++) {
        sb_result result;
        const int bound = sb_mg_bound(world_in(env));
        if (bound < 0 || (size_t)bound > tape->n - i)
            fail_msg("%s#%llu, step %zu: bound %d, solved in %zu", env->name.task, (unsigned long long)env->name.seed,
                     i, bound, tape->n - i);
        assert_ok(sb_step(env, tape->actions[i], &result, &error), error);
    }
}

static void check_bound(sb_env *env) { assert_bound_holds(env, play(&expert_worker, "expert", env)); }

static void test_the_bound_holds_along_solutions(void **state) {
    (void)state;
    each_episode(NULL, TESTS_ARE_SLOW ? "2" : "10..12", check_bound);
}

/* ---- The rules by which the expert plans ---- */

static void assert_same(const sb_search_scene *scene, const sb_search_state *s, const sb_mg_world *w) {
    assert_int_equal(s->at, sb_mg_index(w, w->agent));
    assert_int_equal(s->facing, w->facing);
    assert_int_equal(s->carried, w->carried);
    for (int cell = 0; cell < scene->cells; cell++) assert_int_equal(sb_id_at(scene, s, cell), w->cells[cell]);
    for (int d = 0; d < scene->n_doors; d++) {
        assert_int_equal(s->open >> d & 1, w->objects[scene->doors[d]].open);
        assert_int_equal(s->locked >> d & 1, w->objects[scene->doors[d]].locked);
    }
}

/* Returns an action that matters and destroys no box that the mission may still list: after that, the planner's states
 * know less. */
static sb_mg_action random_action(const sb_search_scene *scene, const sb_mg_world *w, uint64_t *seed) {
    const int id = sb_mg_id_at(w, sb_mg_front(w));
    const unsigned valid = sb_mg_valid(w);
    for (;;) {
        const sb_mg_action action = (sb_mg_action)(next_random(seed) % SB_MG_N_ACTIONS);
        const bool is_box = sb_mg_is_object(id) && w->objects[id].type == SB_MG_BOX;
        if (action == SB_MG_TOGGLE && is_box && scene->roles[id]) continue;
        if (valid >> action & 1) return action;
    }
}

static void check_rules(sb_env *env) {
    static sb_mg_world begin, w;
    uint64_t seed = env->name.seed * 31 + env->task_index;
    sb_search_scene scene;
    sb_search_state here, next;
    begin = w = *world_in(env);
    assert_true(sb_scene_begin(&scene, &begin, &here));
    for (int i = 0; i < 300; i++) {
        sb_result result;
        sb_mg_outcome outcome = SB_MG_CONTINUES;
        const sb_mg_action action = random_action(&scene, &w, &seed);
        const bool changes = sb_search_state_step(&scene, &here, action, &next, &outcome);
        sb_mg_step(&w, action, &result);
        if (!changes && !result.terminated && memcmp(here.moved, next.moved, sizeof here.moved) != 0)
            return; /* the list of moved objects is full */
        assert_int_equal(outcome == SB_MG_SUCCEEDED, result.success);
        assert_int_equal(outcome != SB_MG_CONTINUES, result.terminated);
        if (result.terminated) return;
        if (changes) here = next;
        if (here.n_moved == SB_MOVED_MAX) return;
        assert_same(&scene, &here, &w);
    }
}

static void test_states_follow_the_rules_of_the_world(void **state) {
    (void)state;
    each_episode(NULL, TESTS_ARE_SLOW ? "3" : "20..29", check_rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_expert_solves_every_mission_that_is_possible),
        cmocka_unit_test(test_the_expert_solves_what_needs_things_put_aside_and_fetched_again),
        cmocka_unit_test(test_planning_takes_bounded_work),
        cmocka_unit_test(test_planning_stops_where_the_budget_ends),
        cmocka_unit_test(test_the_observer_solves_every_mission_that_is_possible),
        cmocka_unit_test(test_the_observer_goes_on_where_a_plan_fails),
        cmocka_unit_test(test_without_plans_the_observer_solves_what_the_published_bot_solves),
        cmocka_unit_test(test_a_plan_puts_down_what_the_mission_asks_for),
        cmocka_unit_test(test_nobody_needs_fewer_steps_than_the_expert),
        cmocka_unit_test(test_the_observer_needs_fewer_steps_than_the_published_bot_that_sees_the_same),
        cmocka_unit_test(test_an_observer_looks_for_doors_where_doors_are),
        cmocka_unit_test(test_an_observer_fetches_what_it_knows_before_it_looks_for_the_place_to_put_it),
        cmocka_unit_test(test_an_observer_may_be_asked_in_the_middle_of_an_episode),
        cmocka_unit_test(test_the_expert_takes_the_fewest_steps_on_small_levels),
        cmocka_unit_test(test_the_bound_finds_the_keys_that_lie_behind_their_own_doors),
        cmocka_unit_test(test_the_bound_sees_that_strict_doors_cannot_be_opened_in_order),
        cmocka_unit_test(test_the_bound_holds_along_solutions),
        cmocka_unit_test(test_states_follow_the_rules_of_the_world),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sb_worker_free(&expert_worker);
    sb_worker_free(&observer_worker);
    return failed;
}
