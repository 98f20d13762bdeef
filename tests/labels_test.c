/* Labels: what an agent advises while something else acts. What it remembers must be what was shown and done, never
 * what it advised itself. */
#include "tests/support.h"

#include <string.h>

#include "base/hash.h"
#include "generators/arc/observe.h"
#include "generators/autumn/challenges/changing.h"
#include "generators/autumn/challenges/test.h"
#include "oracles/oracle.h"
#include "oracles/player.h"
#include "rollout/selection.h"
#include "seedbed/gridworld.h"

static sb_env *started(const sb_name *name) {
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    assert_ok(sb_reset_name(env, name, &error), error);
    return env;
}

static void take(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    assert_ok(sb_step(env, action, &result, &error), error);
}

static void begin(sb_player *player, const char *agent, const sb_env *env) {
    sb_error error;
    assert_ok(sb_player_begin_as(player, agent, env, &error), error);
}

static bool remembers(const sb_name *name) {
    const sb_oracle *observer = sb_oracle_find(name->family, name->task, "observer");
    return observer && observer->remembers;
}

/* Calls `check` with every episode of a selection whose observer remembers something. */
static void each_episode(const sb_request *request, void (*check)(const sb_name *name)) {
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        if (remembers(sb_selection_name(&selection, i, &name))) check(&name);
    }
    sb_selection_free(&selection);
}

/* ---- Observers that take over ---- */

/* Lets an agent label an episode in which half of the actions are random and half are its advice. */
static void label(sb_player *player, sb_env *env, int steps) {
    sb_rng rng = sb_draws_of(&env->name, "labels");
    for (; steps > 0 && !env->status.done; steps--) {
        const sb_action advice = sb_player_act(player, env);
        take(env, sb_random(&rng) < 0.5 ? sb_random_action(env, &rng) : advice);
    }
}

static bool wins(sb_player *player, sb_env *env) {
    while (!env->status.done) take(env, sb_player_act(player, env));
    return env->status.success;
}

static int n_taken_over, n_lost;

/* The observer that has labelled the episode knows more than one that begins now. */
static void check_taking_over(const sb_name *name) {
    enum { STEPS = 14 };
    sb_error error;
    sb_player labels = {0}, late = {0};
    sb_env *env = started(name);
    begin(&labels, "observer", env);
    label(&labels, env, STEPS);
    if (!env->status.done) {
        sb_env *copy = sb_clone(env, &error);
        assert_ok(copy, error);
        begin(&late, "observer", copy);
        const bool won = wins(&labels, env);
        n_taken_over++;
        if (!won && wins(&late, copy))
            n_lost++, print_message("%s/%s#%llu\n", name->task, name->difficulty, (unsigned long long)name->seed);
        sb_free(copy);
    }
    sb_player_clear(&labels), sb_player_clear(&late);
    sb_free(env);
}

static void test_an_observer_that_labelled_an_episode_wins_it_where_one_that_begins_there_does(void **state) {
    (void)state;
    const char *levels = "PickupLoc,GoToLocal,GoToDoor,OpenDoorLoc,PutNextLocal,PutNextS6N3,GoToSeq,KeyCorridorS3R2,"
                         "GoToObjMazeS4R2,MiniBossLevel,FindObjS5,OneRoomS12,Open,SynthLoc,UnlockPickup";
    n_taken_over = n_lost = 0;
    each_episode(&(sb_request){.family = "agentick", .split = "train", .count = TESTS_ARE_SLOW ? 1 : 2},
                 check_taking_over);
    each_episode(&(sb_request){.family = "babyai", .tasks = levels, .seeds = TESTS_ARE_SLOW ? "0" : "0..5"},
                 check_taking_over);
    print_message("%d episodes taken over, %d lost that a late observer wins\n", n_taken_over, n_lost);
    assert_true(n_taken_over > (TESTS_ARE_SLOW ? 20 : 100));
    assert_int_equal(n_lost, 0);
}

/* ---- Long random play ---- */

/* An episode has a budget of states. What is known from its earlier states must serve the later ones, or it is used up
 * by plans that nobody follows. */
static void test_labels_of_random_play_are_as_good_at_its_end(void **state) {
    static const char *const played[] = {"KeyDoorPuzzle-v0/expert#916371197", "KeyDoorPuzzle-v0/expert#1302917575",
                                         "RecipeAssembly-v0/expert#492580607"};
    (void)state;
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        sb_name name;
        sb_error error;
        sb_player labels = {0}, late = {0};
        assert_ok(sb_name_parse(NULL, played[i], &name, &error), error);
        sb_env *env = started(&name);
        begin(&labels, "expert", env);
        for (sb_rng rng = sb_draws_of(&name, "random"); env->status.steps < 450;) {
            sb_player_act(&labels, env);
            take(env, sb_random_action(env, &rng));
        }
        begin(&late, "expert", env);
        assert_int_equal(sb_player_act(&labels, env), sb_player_act(&late, env));
        assert_false(labels.intent.verb && strcmp(labels.intent.verb, "give up") == 0);
        sb_player_clear(&labels), sb_player_clear(&late);
        sb_free(env);
    }
}

/* The second plan of an episode looks at all states, if the budget allows that; if not, it is searched for alone. */
static void test_a_small_budget_still_serves_a_second_plan(void **state) {
    sb_name name;
    sb_error error;
    sb_player labels = {0}, fresh = {0};
    (void)state;
    assert_ok(sb_name_parse(NULL, "KeyDoorPuzzle-v0/expert#916371197", &name, &error), error);
    sb_env *env = started(&name);
    begin(&labels, "expert", env);
    const sb_action first = sb_player_act(&labels, env);
    const uint64_t plan = labels.budget.spent;
    take(env, first == SB_MOVE_UP ? SB_MOVE_DOWN : SB_MOVE_UP);
    begin(&fresh, "expert", env);
    const sb_action second = sb_player_act(&fresh, env);
    labels.budget.limit = plan + fresh.budget.spent; /* just what a search needs */
    assert_int_equal(sb_player_act(&labels, env), second);
    assert_string_equal(labels.intent.verb, fresh.intent.verb);
    sb_player_clear(&labels), sb_player_clear(&fresh);
    sb_free(env);
}

/* ---- Observers to whom nothing stays unknown ---- */

/* Here what is hidden follows from what was shown and done, so the observer must advise what the expert does. */
static const struct {
    const char *task, *difficulty; /* NULL: all */
} known[] = {
    {"SymbolMatching-v0", NULL}, {"ChaseEvade-v0", NULL}, {"EmergentStrategy-v0", NULL}, {"TagHunt-v0", "easy"}};

static void check_like_expert(const sb_name *name) {
    sb_player observer = {0}, expert = {0};
    sb_env *env = started(name);
    sb_rng rng = sb_draws_of(name, "labels");
    begin(&observer, "observer", env), begin(&expert, "expert", env);
    while (!env->status.done) {
        const sb_action advice = sb_player_act(&observer, env), known_best = sb_player_act(&expert, env);
        if (advice != known_best)
            fail_msg("%s/%s#%llu, step %d: the observer advises %d, the expert %d", name->task, name->difficulty,
                     (unsigned long long)name->seed, env->status.steps, advice, known_best);
        take(env, sb_random(&rng) < 0.4 ? sb_random_action(env, &rng) : advice);
    }
    sb_player_clear(&observer), sb_player_clear(&expert);
    sb_free(env);
}

static void test_an_observer_to_whom_nothing_is_unknown_advises_what_the_expert_does(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        each_episode(&(sb_request){.family = "agentick",
                                   .tasks = known[i].task,
                                   .difficulty = known[i].difficulty,
                                   .split = "train",
                                   .count = TESTS_ARE_SLOW ? 2 : 8},
                     check_like_expert);
}

/* ---- The curious agent ---- */

enum { CURIOUS_STEPS = 120, BUTTONS = 7 };

static uint64_t frame_of(const sb_env *env) {
    uint8_t frame[SB_ARC_FRAME];
    uint64_t key[2];
    sb_arc_play_frame(&((const sb_arc_episode *)env->state)->play, frame);
    memset(frame + SB_ARC_FRAME - SB_ARC_FRAME_SIDE, 0, SB_ARC_FRAME_SIDE); /* the budget */
    sb_hash128(frame, sizeof frame, key);
    return key[0];
}

/* How often each button was taken in a frame. */
static int times_taken(const uint64_t *frames, const sb_action *actions, int n, uint64_t frame, sb_action action) {
    int times = 0;
    for (int i = 0; i < n; i++) times += frames[i] == frame && actions[i] == action;
    return times;
}

/* Something else takes two buttons in turn. The advice is never a button that was taken more often than another. */
static void test_a_curious_agent_advises_what_was_done_least_often(void **state) {
    (void)state;
    static uint64_t frames[CURIOUS_STEPS];
    static sb_action actions[CURIOUS_STEPS];
    sb_error error;
    sb_player curious = {0};
    sb_env *env = sb_make(NULL, "arc:Echo/intro#0", &error);
    int judged = 0;
    assert_ok(env, error);
    begin(&curious, "curious", env);
    for (int i = 0; i < CURIOUS_STEPS && !env->status.done; i++) {
        bool valid[SB_MASK_MAX];
        sb_valid_mask(env, valid, SB_MASK_MAX);
        const sb_action advice = sb_player_act(&curious, env);
        frames[i] = frame_of(env);
        for (sb_action other = 0; other < BUTTONS && advice < BUTTONS; other++) {
            if (!valid[other]) continue;
            judged++;
            assert_true(times_taken(frames, actions, i, frames[i], advice) <=
                        times_taken(frames, actions, i, frames[i], other));
        }
        actions[i] = 1 + i % 2;
        take(env, actions[i]);
    }
    assert_true(judged > 50);
    sb_player_clear(&curious);
    sb_free(env);
}

/* ---- One who watches for a change ---- */

/* As long as a changed program does nothing that the unchanged one could not do, nothing is declared, whatever is
 * pressed. */
static int n_watched;

static void check_watching(const char *name) {
    sb_error error;
    sb_player insider = {0};
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env, error);
    sb_rng rng = sb_draws_of(&env->name, "labels");
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    begin(&insider, "insider", env);
    take(env, SB_AUTUMN_GO_TO_TEST);
    for (int i = 0; i < 60 && !env->status.done; i++) {
        const sb_action advice = sb_player_act(&insider, env);
        const bool has_acted = sb_autumn_changing_acted(t->changing);
        if (has_acted) break;
        n_watched++;
        assert_int_not_equal(advice, SB_AUTUMN_DECLARE);
        take(env, sb_random(&rng) < 0.1 ? SB_AUTUMN_SUBMIT : (sb_action)sb_integers(&rng, 0, SB_AUTUMN_N_BUTTONS));
    }
    sb_player_clear(&insider);
    sb_free(env);
}

static void test_a_watcher_compares_what_is_shown_with_what_was_done(void **state) {
    (void)state;
    check_watching("autumn:CornerPool/change-1#0");
    check_watching("autumn:CornerPool/change-1#1");
    if (TESTS_ARE_SLOW) return;
    check_watching("autumn:HeatBar/change-1#1");
    check_watching("autumn:ShadowYard/change-1#1");
    assert_true(n_watched > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_observer_that_labelled_an_episode_wins_it_where_one_that_begins_there_does),
        cmocka_unit_test(test_labels_of_random_play_are_as_good_at_its_end),
        cmocka_unit_test(test_a_small_budget_still_serves_a_second_plan),
        cmocka_unit_test(test_an_observer_to_whom_nothing_is_unknown_advises_what_the_expert_does),
        cmocka_unit_test(test_a_curious_agent_advises_what_was_done_least_often),
        cmocka_unit_test(test_a_watcher_compares_what_is_shown_with_what_was_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
