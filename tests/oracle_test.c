/* Oracles: what they reach, and that they keep to what their kind may see. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "evaluation/evaluate.h"
#include "oracles/oracle.h"
#include "rollout/player.h"
#include "rollout/selection.h"

/* ---- Against the published oracle ---- */

static double published_success(const cJSON *measured, const char *task, const char *difficulty) {
    const cJSON *tasks = cJSON_GetObjectItem(measured, "per_task");
    const cJSON *row = cJSON_GetObjectItem(cJSON_GetObjectItem(tasks, task), difficulty);
    assert_non_null(row);
    return cJSON_GetArrayItem(row, 0)->valuedouble;
}

static void assert_reaches_published(const char *split, uint64_t count) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load(golden("measured-oracle.json"), 1 << 20, &text, &error), error);
    cJSON *measured = sb_json_parse(text.data, text.size, &error);
    assert_non_null(measured);
    sb_selection selection;
    sb_scores scores;
    assert_ok(sb_select(&(sb_request){.split = split, .count = count}, &selection, &error), error);
    assert_ok(sb_evaluate(&(sb_evaluation){.selection = &selection, .agent = "expert"}, &scores, &error), error);
    assert_int_equal(scores.n, sb_families[0]->n_tasks * sb_families[0]->n_variants);
    for (size_t i = 0; i < scores.n; i++) {
        const sb_score *s = &scores.of[i];
        const double reached = (double)s->successes / (double)s->episodes;
        const double published = published_success(measured, s->task, s->variant);
        print_message("%s/%s: %.3f (published oracle %.3f on the evaluation seeds)\n", s->task, s->variant, reached,
                      published);
        assert_true(reached >= published);
    }
    sb_scores_free(&scores);
    sb_selection_free(&selection);
    cJSON_Delete(measured);
    sb_out_free(&text);
}

static void test_experts_reach_the_published_oracle_on_evaluation_seeds(void **state) {
    (void)state;
    assert_reaches_published("eval", 25);
}

static void test_experts_reach_the_same_on_200_training_seeds(void **state) {
    (void)state;
    assert_reaches_published("train", 200);
}

/* ---- What an oracle may use ---- */

/* Calls `check` with every environment that a rollout of each expert passes through. */
static void each_situation(const char *seeds, void (*check)(const sb_oracle *, const sb_env *, sb_action taken)) {
    sb_error error;
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        sb_selection selection;
        const sb_request request = {.family = (*oracle)->family, .tasks = (*oracle)->task, .seeds = seeds};
        assert_ok(sb_select(&request, &selection, &error), error);
        sb_env *env = sb_make(NULL, &error);
        sb_player player = {0};
        for (size_t i = 0; i < selection.n; i++) {
            assert_ok(sb_reset_name(env, &selection.names[i], &error), error);
            assert_ok(sb_player_begin(&player, (*oracle)->name, env, &error), error);
            while (!sb_status_of(env)->done) {
                sb_result result;
                const sb_action action = sb_player_act(&player, env);
                check(*oracle, env, action);
                assert_ok(sb_step(env, action, &result, &error), error);
            }
        }
        sb_player_free(&player);
        sb_free(env);
        sb_selection_free(&selection);
    }
}

static sb_action fresh_action(const sb_oracle *oracle, const sb_env *env) {
    void *memory = calloc(1, oracle->memory + 1);
    assert_non_null(memory);
    sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
    sb_intent intent = {0};
    sb_action action;
    oracle->act(memory, &(sb_sight){.env = env}, &budget, &action, &intent);
    assert_non_null(intent.verb);
    free(memory);
    return action;
}

static void check_fresh(const sb_oracle *oracle, const sb_env *env, sb_action taken) {
    assert_int_equal(fresh_action(oracle, env), taken);
}

static void test_memory_is_only_a_cache(void **state) {
    (void)state;
    each_situation("0,42", check_fresh);
}

/* Redraws every generator and stored seed that a task keeps in its variables: the future, which experts may not see. */
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
    if (oracle->sees != SB_SEES_FUTURE) assert_int_equal(fresh_action(oracle, copy), taken);
    sb_free(copy);
}

static void test_experts_do_not_see_the_future(void **state) {
    (void)state;
    each_situation("1,7", check_reseeded);
}

/* ---- Claims of fewest steps ---- */

enum { SEARCH_NODES = 1 << 17, SEARCH_TABLE = 1 << 19 };

/* Breadth-first over copies and keys: knows nothing of the task. */
typedef struct searcher {
    sb_env *nodes[SEARCH_NODES];
    size_t n;
    uint32_t table[SEARCH_TABLE];
    uint64_t keys[SEARCH_NODES][2];
} searcher;

static bool is_new(searcher *s, const sb_env *env) {
    uint64_t key[2];
    sb_key(env, key);
    size_t slot = key[0] % SEARCH_TABLE;
    for (; s->table[slot]; slot = (slot + 1) % SEARCH_TABLE)
        if (memcmp(s->keys[s->table[slot] - 1], key, sizeof key) == 0) return false;
    s->table[slot] = (uint32_t)s->n + 1;
    memcpy(s->keys[s->n], key, sizeof key);
    return true;
}

/* Fewest steps to success, or -1 if the nodes do not suffice. */
static int fewest_steps(sb_env *start) {
    sb_error error;
    searcher *s = calloc(1, sizeof *s);
    int found = -1;
    assert_non_null(s);
    is_new(s, start);
    s->nodes[s->n++] = start;
    for (size_t i = 0; i < s->n && found < 0; i++) {
        for (sb_action action = 0; action < s->nodes[i]->n_actions && found < 0 && s->n < SEARCH_NODES; action++) {
            sb_env *next = sb_clone(s->nodes[i], &error);
            sb_result result = {0};
            assert_ok(next && sb_step(next, action, &result, &error), error);
            if (result.success) found = sb_status_of(next)->steps;
            if (!result.terminated && !result.truncated && is_new(s, next))
                s->nodes[s->n++] = next;
            else
                sb_free(next);
        }
        if (i) sb_free(s->nodes[i]), s->nodes[i] = NULL;
    }
    for (size_t i = 1; i < s->n; i++) sb_free(s->nodes[i]);
    free(s);
    return found;
}

static void test_claims_of_fewest_steps_hold_against_exhaustive_search(void **state) {
    (void)state;
    static const char *const names[] = {
        "GoToGoal-v0/easy#0",         "GoToGoal-v0/easy#1",       "GoToGoal-v0/easy#2",
        "GoToGoal-v0/easy#3",         "KeyDoorPuzzle-v0/easy#0",  "KeyDoorPuzzle-v0/easy#42",
        "KeyDoorPuzzle-v0/easy#7",    "KeyDoorPuzzle-v0/easy#9",  "KeyDoorPuzzle-v0/medium#0",
        "KeyDoorPuzzle-v0/medium#42", "KeyDoorPuzzle-v0/medium#3"};
    sb_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_env *env = sb_make(names[i], &error), *played = sb_make(NULL, &error);
        sb_player player = {0};
        sb_tape tape = {0};
        assert_non_null(env);
        const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, "expert");
        assert_true(oracle->shortest >> env->variant_index & 1);
        assert_ok(sb_roll_out(played, &player, "expert", sb_name_of(env), &tape, NULL, NULL, &error), error);
        assert_int_equal(tape.n, fewest_steps(env));
        sb_tape_free(&tape);
        sb_player_free(&player);
        sb_free(env), sb_free(played);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_experts_reach_the_published_oracle_on_evaluation_seeds),
        cmocka_unit_test(test_experts_reach_the_same_on_200_training_seeds),
        cmocka_unit_test(test_memory_is_only_a_cache),
        cmocka_unit_test(test_experts_do_not_see_the_future),
        cmocka_unit_test(test_claims_of_fewest_steps_hold_against_exhaustive_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
