/* Masked copies hold nothing that is hidden: two episodes that differ only in what the rules hide give the same copy to
 * an observer. The functions below list what that is, for every task that hides something. Keys tell it apart. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "engine/gridworld/gridworld.h"
#include "engine/lookup.h"
#include "generators/agentick/generalization/distribution_shift.h"
#include "generators/agentick/generalization/few_shot_adaptation.h"
#include "generators/agentick/generalization/noisy_observation.h"
#include "generators/agentick/memory/fog_of_war_exploration.h"
#include "generators/agentick/memory/sequence_memory.h"
#include "generators/agentick/memory/treasure_hunt.h"
#include "generators/agentick/multi_agent/chase_evade.h"
#include "generators/agentick/multi_agent/cooperative_transport.h"
#include "generators/agentick/multi_agent/emergent_strategy.h"
#include "generators/agentick/multi_agent/herding.h"
#include "generators/agentick/multi_agent/tag_hunt.h"
#include "generators/agentick/navigation/curiosity_maze.h"
#include "generators/agentick/navigation/dynamic_obstacles.h"
#include "generators/agentick/navigation/go_to_goal.h"
#include "generators/agentick/navigation/timing_challenge.h"
#include "generators/agentick/reasoning/rule_induction.h"
#include "generators/agentick/reasoning/symbol_matching.h"
#include "generators/agentick/reasoning/task_interference.h"
#include "oracles/player.h"
#include "rollout/selection.h"

/* ---- What is hidden ---- */

static sb_rng rng;

static void fill(void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) ((uint8_t *)bytes)[i] = (uint8_t)sb_integers(&rng, 0, 256);
}

#define SCRAMBLE(field) fill(&(field), sizeof(field))

static void symbol_matching(void *vars) {
    sb_symbol_matching_vars *v = vars;
    SCRAMBLE(v->carrying);
}

static void rule_induction(void *vars) {
    sb_rule_induction_vars *v = vars;
    SCRAMBLE(v->n_rules), SCRAMBLE(v->n_objects), SCRAMBLE(v->rule), SCRAMBLE(v->kind), SCRAMBLE(v->at);
}

static void task_interference(void *vars) {
    sb_task_interference_vars *v = vars;
    for (int i = 0; i < v->n_items; i++) SCRAMBLE(v->item[i]);
}

static void curiosity_maze(void *vars) {
    sb_curiosity_maze_vars *v = vars;
    SCRAMBLE(v->visited), SCRAMBLE(v->n_visited);
}

static void dynamic_obstacles(void *vars) {
    sb_dynamic_obstacles_vars *v = vars;
    SCRAMBLE(v->n_obstacles), SCRAMBLE(v->obstacle), SCRAMBLE(v->heading);
}

static void timing_challenge(void *vars) {
    sb_timing_challenge_vars *v = vars;
    for (int i = 0; i < v->n_blockers; i++)
        SCRAMBLE(v->blocker[i].x), SCRAMBLE(v->blocker[i].ahead), SCRAMBLE(v->blocker[i].period);
}

static void go_to_goal(void *vars) {
    sb_go_to_goal_vars *v = vars;
    SCRAMBLE(v->n_guards), SCRAMBLE(v->guard), SCRAMBLE(v->heading);
}

/* What pursuers are and where is visible, but not in which order they move. */
static void chase_evade(void *vars) {
    sb_chase_evade_vars *v = vars;
    SCRAMBLE(v->hunt.heading);
    for (int i = 0; i < v->hunt.n; i++) SCRAMBLE(v->hunt.behaviour[i]), SCRAMBLE(v->hunt.enemy[i]);
}

static void emergent_strategy(void *vars) {
    sb_emergent_strategy_vars *v = vars;
    SCRAMBLE(v->heading);
}

static void tag_hunt(void *vars) {
    sb_tag_hunt_vars *v = vars;
    SCRAMBLE(v->freeze);
    for (int i = 0; i < v->n_live; i++) SCRAMBLE(v->live[i]);
}

static void cooperative_transport(void *vars) {
    sb_cooperative_transport_vars *v = vars;
    for (int i = 0; i < v->n_left; i++) SCRAMBLE(v->box[i]);
}

static void herding(void *vars) {
    sb_herding_vars *v = vars;
    for (int i = 0; i < v->n_sheep; i++) SCRAMBLE(v->sheep[i]), v->locked[i] = sb_integers(&rng, 0, 2);
}

static void treasure_hunt(void *vars) {
    sb_treasure_hunt_vars *v = vars;
    for (int i = 0; i < v->n_treasures; i++) SCRAMBLE(v->treasure[i]);
}

static void sequence_memory(void *vars) {
    sb_sequence_memory_vars *v = vars;
    for (int i = 0; i < v->n_targets; i++) SCRAMBLE(v->target[i]);
    for (int i = 0; i < v->n_distractors; i++) SCRAMBLE(v->distractor[i]);
}

static void fog_of_war_exploration(void *vars) {
    sb_fog_of_war_exploration_vars *v = vars;
    SCRAMBLE(v->goal), SCRAMBLE(v->n_guards), SCRAMBLE(v->guard), SCRAMBLE(v->heading);
}

static void few_shot_adaptation(void *vars) {
    sb_few_shot_adaptation_vars *v = vars;
    SCRAMBLE(v->rule), SCRAMBLE(v->target_type);
    for (int i = 0; i <= v->n_demos; i++) SCRAMBLE(v->trial[i]);
}

/* The kind and the goal of the current phase are told. */
static void distribution_shift(void *vars) {
    sb_distribution_shift_vars *v = vars;
    const sb_distribution_shift_phase told = *sb_distribution_shift_current(v);
    sb_distribution_shift_phase *now = &v->phase[sb_distribution_shift_current(v) - v->phase];
    v->barrier_open = !v->barrier_open;
    SCRAMBLE(v->phase);
    now->kind = told.kind, now->goal = told.goal;
}

static void noisy_observation(void *vars) {
    sb_noisy_observation_vars *v = vars;
    SCRAMBLE(v->n_guards), SCRAMBLE(v->n_rovers), SCRAMBLE(v->guard), SCRAMBLE(v->rover);
    SCRAMBLE(v->guard_heading), SCRAMBLE(v->rover_heading), SCRAMBLE(v->ghost);
}

static const struct {
    const char *task;
    void (*scramble)(void *vars);
} hidden[] = {
    {"ChaseEvade-v0", chase_evade},
    {"CooperativeTransport-v0", cooperative_transport},
    {"CuriosityMaze-v0", curiosity_maze},
    {"DistributionShift-v0", distribution_shift},
    {"DynamicObstacles-v0", dynamic_obstacles},
    {"EmergentStrategy-v0", emergent_strategy},
    {"FewShotAdaptation-v0", few_shot_adaptation},
    {"FogOfWarExploration-v0", fog_of_war_exploration},
    {"GoToGoal-v0", go_to_goal},
    {"Herding-v0", herding},
    {"NoisyObservation-v0", noisy_observation},
    {"RuleInduction-v0", rule_induction},
    {"SequenceMemory-v0", sequence_memory},
    {"SymbolMatching-v0", symbol_matching},
    {"TagHunt-v0", tag_hunt},
    {"TaskInterference-v0", task_interference},
    {"TimingChallenge-v0", timing_challenge},
    {"TreasureHunt-v0", treasure_hunt},
};

static int index_of(const char *task) {
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strcmp(hidden[i].task, task) == 0) return (int)i;
    return -1;
}

/* ---- Copies ---- */

/* What an observer is given of the variables; what `hide` has changed in them, and what was scrambled. */
typedef struct bytes {
    bool hidden[SB_VARS_MAX], scrambled[SB_VARS_MAX];
} bytes;

static void note_changes(const sb_episode *before, const sb_episode *after, bool changed[SB_VARS_MAX]) {
    for (size_t i = 0; i < before->task->vars_size; i++) changed[i] |= before->vars[i] != after->vars[i];
}

static void scramble(sb_episode *e, int entry) {
    e->seed = sb_next64(&rng);
    if (e->task->reseed) e->task->reseed(e, sb_next64(&rng));
    if (entry >= 0) hidden[entry].scramble(SB_VARS(e));
}

static bool is_equal(const sb_episode *a, const sb_episode *b) {
    return a->seed == b->seed && a->clock == b->clock && a->outcome == b->outcome &&
           memcmp(&a->agent, &b->agent, sizeof a->agent) == 0 && memcmp(a->items, b->items, sizeof a->items) == 0 &&
           memcmp(a->vars, b->vars, a->task->vars_size) == 0 &&
           memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a)) == 0;
}

static void check_state(const sb_env *env, int entry, bytes *changed) {
    const sb_episode *e = sb_episode_of(env);
    sb_episode shown, other;
    sb_episode_copy(&shown, e), sb_episode_copy(&other, e);
    scramble(&other, entry);
    note_changes(e, &other, changed->scrambled);
    sb_episode_hide(&shown), sb_episode_hide(&other);
    note_changes(e, &shown, changed->hidden);
    if (!is_equal(&shown, &other))
        fail_msg("%s/%s#%llu, step %d: the copy that an observer gets tells what is hidden", env->name.task,
                 env->name.difficulty, (unsigned long long)env->name.seed, env->status.steps);
}

static void check_episode(sb_player *player, const sb_name *name, int entry, bytes *changed) {
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(player, "expert", env, &error), error);
    sb_rng_seed(&rng, name->seed, NULL);
    while (!env->status.done) {
        sb_result result;
        sb_action action = sb_player_act(player, env);
        check_state(env, entry, changed);
        if (sb_random(&rng) < 0.1) action = sb_random_action(env, &rng);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_free(env);
}

/* Whatever `hide` overwrites has to stand in the list. */
static void check_task(const sb_task *task) {
    sb_error error;
    sb_selection selection;
    sb_player player = {0};
    bytes changed = {0};
    const int entry = index_of(task->info.name);
    const sb_request request = {.family = "agentick", .tasks = task->info.name, .seeds = TESTS_ARE_SLOW ? "0" : "0..2"};
    if ((entry >= 0) != (task->hide != NULL)) fail_msg("%s: list here what it hides", task->info.name);
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++)
        check_episode(&player, sb_selection_name(&selection, i, &(sb_name){0}), entry, &changed);
    for (size_t i = 0; i < task->vars_size; i++)
        if (changed.hidden[i] && !changed.scrambled[i])
            fail_msg("%s: byte %zu of its variables is hidden, but not listed here", task->info.name, i);
    sb_selection_free(&selection);
    sb_player_clear(&player);
}

static void masked_copies_are_equal_if_only_what_is_hidden_differs(void **state) {
    sb_error error;
    (void)state;
    const sb_family *family = sb_family_find("agentick", &error);
    for (size_t i = 0; i < family->n_tasks; i++) check_task((const sb_task *)family->task(i));
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static bool has_key_of(const sb_env *env, const uint64_t key[2]) {
    uint64_t now[2];
    sb_key(env, now);
    return memcmp(now, key, sizeof now) == 0;
}

static void swap_rules(sb_rule_induction_rule *a, sb_rule_induction_rule *b) {
    const sb_rule_induction_rule first = *a;
    *a = *b, *b = first;
}

static void rules_count_in_keys_and_their_order_does_not(void **state) {
    (void)state;
    for (int seed = 0; seed < 20; seed++) {
        sb_error error;
        uint64_t key[2];
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "RuleInduction-v0/hard#%d", seed);
        sb_env *env = sb_make(NULL, name, &error);
        assert_ok(env && sb_reset(env, name, &error), error);
        sb_rule_induction_vars *v = SB_VARS((sb_episode *)env->state);
        sb_key(env, key);
        swap_rules(&v->rule[0], &v->rule[v->n_rules - 1]);
        assert_true(has_key_of(env, key));
        for (int i = 0; i < v->n_rules; i++)
            if (v->rule[i].made == v->target) v->rule[i].made = v->kind[0];
        assert_false(has_key_of(env, key));
        sb_free(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masked_copies_are_equal_if_only_what_is_hidden_differs),
        cmocka_unit_test(rules_count_in_keys_and_their_order_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
