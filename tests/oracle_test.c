/* Oracles: how well they play, and that they use only what their kind may see. At night: more episodes. */
#include "tests/worlds_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "engine/lookup.h"
#include "evaluation/certificates/certify.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

/* ---- Against the published oracle ---- */

static double published_success(const cJSON *measured, const char *task, const char *difficulty) {
    const cJSON *tasks = cJSON_GetObjectItem(measured, "per_task");
    const cJSON *row = cJSON_GetObjectItem(cJSON_GetObjectItem(tasks, task), difficulty);
    assert_non_null(row);
    return cJSON_GetArrayItem(row, 0)->valuedouble;
}

/* Results by task and difficulty, in the order of the selection. */
typedef struct reached {
    const cJSON *measured;
    char task[40], difficulty[16];
    int episodes, solved, impossible;
} reached;

/* Asserts that the expert's success rate over episodes that can be won is at least the published oracle's rate over all
 * evaluation seeds. */
static void assert_reaches_published(const reached *r) {
    if (!r->episodes) return;
    const double published = published_success(r->measured, r->task, r->difficulty);
    const int solvable = r->episodes - r->impossible;
    print_message("%s/%s: %d of %d solvable, %d impossible (published oracle %.2f)\n", r->task, r->difficulty,
                  r->solved, solvable, r->impossible, published);
    assert_true(r->solved >= published * solvable);
}

static bool take_certificate(void *context, const sb_certificate *c, sb_error *error) {
    reached *r = context;
    const sb_name *name = &c->name;
    (void)error;
    if (strcmp(r->task, name->task) != 0 || strcmp(r->difficulty, name->difficulty) != 0) {
        assert_reaches_published(r);
        *r = (reached){.measured = r->measured};
        strcpy(r->task, name->task);
        strcpy(r->difficulty, name->difficulty);
    }
    r->episodes++;
    r->solved += c->verdict == SB_CERTIFIED_SOLVED && strcmp(c->method, "expert") == 0;
    r->impossible += c->verdict == SB_CERTIFIED_IMPOSSIBLE;
    return true;
}

static void assert_all_reach_published(const char *split, uint64_t count) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load(golden("measured-oracle.json"), 1 << 20, &text, &error), error);
    cJSON *measured = sb_json_parse(text.data, text.size, &error);
    assert_non_null(measured);
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.split = split, .count = count}, &selection, &error), error);
    reached r = {.measured = measured};
    const sb_certification what = {.selection = &selection, .budget = 100000, .take = take_certificate, .context = &r};
    assert_ok(sb_certify(&what, &error), error);
    assert_reaches_published(&r);
    sb_selection_free(&selection);
    cJSON_Delete(measured);
    sb_out_free(&text);
}

/* All 25 evaluation seeds are played by scripts/docs oracles, which CI runs, too. */
static uint64_t episodes_a_pair(void) { return TESTS_ARE_SLOW ? 1 : is_nightly() ? 25 : 2; }

static void test_experts_reach_the_published_oracle_on_evaluation_seeds(void **state) {
    (void)state;
    assert_all_reach_published("eval", episodes_a_pair());
}

/* (The tables in docs/ have 200 of them, by scripts/docs oracles.) */
static void test_experts_reach_the_same_on_training_seeds(void **state) {
    (void)state;
    assert_all_reach_published("train", episodes_a_pair());
}

/* ---- What can be won ---- */

/* Episodes that these oracles once lost, because they went in circles, searched cells in the order of their chances
 * although time was short, or judged risks by too few samples. */
static void test_what_was_lost_by_circles_detours_and_rough_samples_is_won(void **state) {
    static const struct {
        const char *agent, *task, *seeds;
    } lost[] = {
        {"expert", "Herding-v0/expert", "1769889893"},
        {"observer", "TreasureHunt-v0/hard", "1474316512,1900000701,1900002055"},
        {"observer", "TreasureHunt-v0/expert", "1900002067,1900002379,1900002390,1900002517"},
        {"expert", "DynamicObstacles-v0/expert", "1473422800,1900000764,1900000796,1900000801,1900000899,1900000912"},
    };
    sb_worker worker = {0};
    (void)state;
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        char seeds[128];
        strcpy(seeds, lost[i].seeds);
        for (char *rest = seeds, *seed; (seed = strtok_r(rest, ",", &rest));) {
            char text[SB_NAME_MAX];
            sb_error error;
            sb_name name;
            snprintf(text, sizeof text, "%s#%s", lost[i].task, seed);
            assert_ok(sb_name_parse(NULL, text, &name, &error), error);
            assert_ok(sb_worker_play(&worker, lost[i].agent, &name, NULL, NULL, &error), error);
            if (!worker.tape.outcome.success) fail_msg("%s: %s loses", text, lost[i].agent);
        }
    }
    sb_worker_free(&worker);
}

/* ---- What an oracle may see ---- */

/* Calls `check` with every state of a rollout of each expert. Oracles that remember are left out, because their actions
 * depend on earlier observations. */
static void each_state(const char *seeds, void (*check)(const sb_oracle *, const sb_env *, sb_action taken)) {
    sb_error error;
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        sb_selection selection;
        const sb_request request = request_for(*oracle, seeds);
        if ((*oracle)->remembers) continue;
        assert_ok(sb_select(&request, &selection, &error), error);
        sb_env *env = sb_make(example_worlds(), NULL, &error);
        sb_player player = {0};
        for (size_t i = 0; i < selection.n; i++) {
            assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
            assert_ok(sb_player_begin_as(&player, (*oracle)->name, env, &error), error);
            while (!sb_status_of(env)->done) {
                sb_result result;
                const sb_action action = sb_player_act(&player, env);
                check(*oracle, env, action);
                assert_ok(sb_step(env, action, &result, &error), error);
            }
        }
        sb_player_clear(&player);
        sb_free(env);
        sb_selection_free(&selection);
    }
}

static sb_action fresh_action(const sb_oracle *oracle, const sb_env *env) {
    sb_error error;
    sb_player player = {0};
    assert_ok(sb_player_begin_as(&player, oracle->name, env, &error), error);
    const sb_action action = sb_player_act(&player, env);
    assert_non_null(player.intent.verb);
    sb_player_clear(&player);
    return action;
}

/* Planning is expensive, so oracles that keep a plan are asked again only every SAMPLING steps. */
enum { SAMPLING = 16, SAMPLING_ALL = TESTS_ARE_SLOW ? 8 : 3 };

static bool is_sampled(const sb_oracle *oracle, const sb_env *env) {
    return env->status.steps % (oracle->plans ? SAMPLING : SAMPLING_ALL) == 0;
}

static void check_fresh(const sb_oracle *oracle, const sb_env *env, sb_action taken) {
    if (!oracle->plans && is_sampled(oracle, env)) assert_int_equal(fresh_action(oracle, env), taken);
}

static void test_memory_is_only_a_cache(void **state) {
    (void)state;
    each_state(is_nightly() ? "0,42" : "0", check_fresh);
}

/* Plays the episodes in turn with one worker, whose oracles keep their memories, and each with one that is new. */
static void check_busy(const char *agent, sb_worker *busy, const sb_selection *episodes) {
    sb_error error;
    for (size_t i = 0; i < episodes->n; i++) {
        sb_worker fresh = {0};
        sb_name name;
        char text[SB_NAME_MAX];
        sb_name_print(sb_selection_name(episodes, i, &name), text, sizeof text);
        assert_ok(sb_worker_play(busy, agent, &name, NULL, NULL, &error), error);
        assert_ok(sb_worker_play(&fresh, agent, &name, NULL, NULL, &error), error);
        if (strcmp(busy->tape.digest, fresh.tape.digest) != 0) fail_msg("%s: %s plays otherwise", text, agent);
        sb_worker_free(&fresh);
    }
}

static void test_what_was_played_before_changes_nothing(void **state) {
    static const struct {
        const char *family, *tasks, *difficulty, *seeds[3];
    } played[] = {{"agentick", NULL, "medium", {"7", "8", "9"}},
                  {"agentick", "CuriosityMaze", "medium", {"2096956072", "918489029", "1997751695"}},
                  {"babyai", "GoTo,KeyCorridor,PickupLoc,BossLevel", NULL, {"7", "8", "9"}},
                  {"arc", "Echo,Moss", "intro", {"7", "8", "9"}}};
    sb_worker busy = {0};
    (void)state;
    for (size_t i = 0; i < sizeof played / sizeof *played; i++)
        for (int k = 0; k < 6; k++) {
            sb_error error;
            sb_selection episodes;
            const sb_request request = {.family = played[i].family,
                                        .tasks = played[i].tasks,
                                        .difficulty = played[i].difficulty,
                                        .seeds = played[i].seeds[k / 2]};
            assert_ok(sb_select(&request, &episodes, &error), error);
            check_busy(sb_oracle_names[k % 2], &busy, &episodes);
            sb_selection_free(&episodes);
        }
    sb_worker_free(&busy);
}

/* Plays from here to the end with fresh memory; returns the total number of steps, or -1 without success. */
static int finish_afresh(const sb_oracle *oracle, const sb_env *env) {
    sb_error error;
    sb_env *rest = sb_clone(env, &error);
    sb_player player = {0};
    assert_non_null(rest);
    assert_ok(sb_player_begin_as(&player, oracle->name, rest, &error), error);
    while (!rest->status.done) {
        sb_result result;
        assert_ok(sb_step(rest, sb_player_act(&player, rest), &result, &error), error);
    }
    const int steps = rest->status.success ? rest->status.steps : -1;
    sb_player_clear(&player);
    sb_free(rest);
    return steps;
}

/* Checks an oracle that keeps a plan: from any state on its way a fresh plan also succeeds, and in equally many steps
 * if it claims the fewest. */
static void check_replanning(const sb_oracle *oracle, const sb_name *name) {
    sb_error error;
    sb_env *env = sb_make(example_worlds(), NULL, &error);
    sb_player player = {0};
    int afresh[64], n = 0;
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(&player, oracle->name, env, &error), error);
    while (!env->status.done) {
        sb_result result;
        if (is_sampled(oracle, env) && n < 64) afresh[n++] = finish_afresh(oracle, env);
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
    }
    for (int i = 0; i < n && env->status.success; i++) {
        assert_true(afresh[i] >= 0);
        if (oracle->shortest >> env->difficulty_index & 1) assert_int_equal(afresh[i], env->status.steps);
    }
    sb_player_clear(&player);
    sb_free(env);
}

static void test_plans_can_be_taken_up_anywhere(void **state) {
    (void)state;
    sb_error error;
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        sb_selection selection;
        if (!(*oracle)->plans) continue;
        const sb_request request = request_for(*oracle, "3");
        assert_ok(sb_select(&request, &selection, &error), error);
        for (size_t i = 0; i < selection.n; i++)
            check_replanning(*oracle, sb_selection_name(&selection, i, &(sb_name){0}));
        sb_selection_free(&selection);
    }
}

/* Takes the agent's own actions with a random one now and then, up to this number of steps. */
static void stray(sb_player *player, sb_env *env, int steps) {
    sb_error error;
    sb_rng noise = sb_draws_of(&env->name, "stray");
    while (!env->status.done && env->status.steps < steps) {
        sb_result result;
        sb_action action = sb_player_act(player, env);
        if (sb_random(&noise) < 0.2) action = sb_random_action(env, &noise);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
}

static void play_on(sb_player *player, sb_env *env) {
    sb_error error;
    while (!env->status.done) {
        sb_result result;
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    }
}

/* Asserts that an oracle whose plan was left again and again reaches success wherever a fresh plan does, with at most a
 * quarter more steps. */
static void check_mending(const sb_oracle *oracle, const sb_name *name, int steps) {
    sb_error error;
    sb_env *env = sb_make(example_worlds(), NULL, &error);
    sb_player player = {0};
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(&player, oracle->name, env, &error), error);
    stray(&player, env, steps);
    const int afresh = env->status.done ? -1 : finish_afresh(oracle, env), left = afresh - env->status.steps;
    play_on(&player, env);
    if (afresh >= 0) {
        assert_true(env->status.success);
        assert_in_range(env->status.steps, 0, afresh + left / 4 + 4);
    }
    sb_player_clear(&player);
    sb_free(env);
}

static void test_mended_plans_succeed(void **state) {
    (void)state;
    sb_error error;
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        sb_selection selection;
        if (!(*oracle)->plans || (*oracle)->sees == SB_SEES_FUTURE) continue;
        /* Oracles of a whole family play so many tasks that one seed of each is enough. */
        const char *seeds = (*oracle)->task ? "0..5" : "0";
        const sb_request request = request_for(*oracle, seeds);
        assert_ok(sb_select(&request, &selection, &error), error);
        for (size_t i = 0; i < selection.n; i += TESTS_ARE_SLOW ? 5 : is_nightly() ? 1 : 2) {
            const sb_name *name = sb_selection_name(&selection, i, &(sb_name){0});
            for (int steps = 5; steps <= 25; steps += 10) check_mending(*oracle, name, steps);
        }
        sb_selection_free(&selection);
    }
}

/* Replaces every generator and stored seed in a task's variables, which are the future that experts may not see. */
static void reseed(sb_env *env) {
    sb_episode *e = (sb_episode *)(uintptr_t)sb_episode_of(env);
    if (!e) return;
    e->seed ^= 0x5eed;
    if (e->task->reseed) e->task->reseed(e, 0x5eed);
}

static void check_reseeded(const sb_oracle *oracle, const sb_env *env, sb_action taken) {
    sb_error error;
    sb_env *copy = sb_clone(env, &error);
    assert_non_null(copy);
    reseed(copy);
    if (oracle->sees == SB_SEES_STATE && is_sampled(oracle, env)) /* observers do not get the future (leaks_test.c) */
        assert_int_equal(fresh_action(oracle, copy), oracle->plans ? fresh_action(oracle, env) : taken);
    sb_free(copy);
}

static void test_experts_do_not_see_the_future(void **state) {
    (void)state;
    each_state(is_nightly() ? "1,7" : "1", check_reseeded);
}

/* ---- Bounds ---- */

/* Asserts that a task's bound is never more than the steps that a solution needed, so that no solved state is called
 * impossible. */
static void assert_bounds_hold(const sb_name *name, const sb_action *actions, size_t n) {
    sb_error error;
    sb_env *env = sb_make(example_worlds(), NULL, &error);
    assert_ok(sb_reset_name(env, name, &error), error);
    for (size_t i = 0; i < n; i++) {
        sb_result result;
        const int bound = env->family->bound(env);
        if (bound < 0 || (size_t)bound > n - i)
            fail_msg("%s/%s#%llu, step %zu: bound %d, solved in %zu", name->task, name->difficulty,
                     (unsigned long long)name->seed, i, bound, n - i);
        assert_ok(sb_step(env, actions[i], &result, &error), error);
        if (i + 1 == n) assert_true(result.success);
    }
    sb_free(env);
}

static void test_bounds_hold_along_the_experts_solutions(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    sb_worker worker = {0};
    assert_ok(sb_select(&(sb_request){.split = "train", .count = TESTS_ARE_SLOW ? 1 : 4}, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(
            sb_worker_play(&worker, "expert", sb_selection_name(&selection, i, &(sb_name){0}), NULL, NULL, &error),
            error);
        if (worker.tape.outcome.success)
            assert_bounds_hold(sb_selection_name(&selection, i, &(sb_name){0}), worker.tape.actions, worker.tape.n);
    }
    sb_worker_free(&worker);
    sb_selection_free(&selection);
}

static void check_recorded(const cJSON *recording) {
    sb_name name;
    sb_error error;
    const cJSON *rollout;
    char text[SB_NAME_MAX];
    uint64_t seed;
    assert_ok(sb_json_uint(recording, "seed", &seed, &error), error);
    snprintf(text, sizeof text, "%s/%s#%llu", cJSON_GetObjectItem(recording, "task")->valuestring,
             cJSON_GetObjectItem(recording, "difficulty")->valuestring, (unsigned long long)seed);
    assert_ok(sb_name_parse(NULL, text, &name, &error), error);
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(recording, "rollouts")) {
        const char *digits = cJSON_GetObjectItem(rollout, "actions")->valuestring;
        sb_action actions[1000];
        const size_t n = strlen(digits);
        assert_true(n <= sizeof actions / sizeof *actions);
        if (!cJSON_IsTrue(cJSON_GetObjectItem(rollout, "success"))) continue;
        for (size_t i = 0; i < n; i++) actions[i] = digits[i] - '0';
        assert_bounds_hold(&name, actions, n);
    }
}

static void test_bounds_hold_along_the_recorded_solutions(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_families[0]->n_tasks; i++) {
        char file[64];
        const char *task = sb_families[0]->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task, "-"), task);
        assert_true(each_vector(file, check_recorded) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_experts_reach_the_published_oracle_on_evaluation_seeds),
        cmocka_unit_test(test_experts_reach_the_same_on_training_seeds),
        cmocka_unit_test(test_what_was_lost_by_circles_detours_and_rough_samples_is_won),
        cmocka_unit_test(test_memory_is_only_a_cache),
        cmocka_unit_test(test_what_was_played_before_changes_nothing),
        cmocka_unit_test(test_plans_can_be_taken_up_anywhere),
        cmocka_unit_test(test_mended_plans_succeed),
        cmocka_unit_test(test_experts_do_not_see_the_future),
        cmocka_unit_test(test_bounds_hold_along_the_experts_solutions),
        cmocka_unit_test(test_bounds_hold_along_the_recorded_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
