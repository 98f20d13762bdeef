/* Batches of the public header: episodes in step are the same as episodes one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "tests/support.h"

enum { N = 3, NAMES = 7, TEXT = 1 << 14 };

typedef struct arrays {
    sb_result results[N];
    bool begun[N], idle[N];
    uint64_t keys[N][2];
    char texts[N][TEXT];
    size_t lengths[N];
} arrays;

static sb_batch_arrays all_of(arrays *a) {
    return (sb_batch_arrays){.results = a->results,
                             .begun = a->begun,
                             .idle = a->idle,
                             .keys = a->keys,
                             .texts = a->texts[0],
                             .text_size = TEXT,
                             .lengths = a->lengths};
}

static void parse_names(const char *const texts[], size_t n, sb_name *names) {
    sb_error error;
    for (size_t i = 0; i < n; i++) assert_ok(sb_name_parse(texts[i], &names[i], &error), error);
}

/* What the arrays say of environment i against an episode that was played beside the batch. */
static void assert_shows(const arrays *a, size_t i, const sb_env *env, const char *mode) {
    static char text[TEXT];
    sb_error error;
    uint64_t key[2];
    sb_key(env, key);
    assert_memory_equal(a->keys[i], key, sizeof key);
    assert_int_equal(sb_observe(env, mode, text, TEXT, &error), a->lengths[i]);
    assert_string_equal(a->texts[i], text);
}

static sb_action choose(const sb_env *env, size_t step) { return (sb_action)(step * 7 % (size_t)env->n_actions); }

/* Plays the batch with an episode of its own beside every environment; returns how many episodes were begun. */
static size_t play(const sb_name *names, sb_then then, const char *mode, size_t limit) {
    static arrays a;
    sb_error error;
    sb_env *beside[N];
    const sb_batch_arrays where = all_of(&a);
    size_t begun = N, order = N;
    sb_batch *batch = sb_batch_make(names, NAMES, N, then, mode, &where, &error);
    assert_ok(batch != NULL, error);
    for (size_t i = 0; i < N; i++) {
        beside[i] = sb_make(NULL, &error);
        assert_ok(sb_reset_name(beside[i], &names[i], &error), error);
        assert_true(a.begun[i] && !a.idle[i]);
        assert_shows(&a, i, beside[i], mode);
    }
    for (size_t step = 0; sb_batch_running(batch) > 0 && step < limit; step++) {
        sb_action actions[N];
        for (size_t i = 0; i < N; i++) actions[i] = beside[i]->status.done ? -1 : choose(beside[i], step + i);
        assert_ok(sb_batch_step(batch, actions, &error), error);
        for (size_t i = 0; i < N; i++) {
            sb_result result = {0};
            const bool was_over = beside[i]->status.done, follows = then == SB_THEN_SAME || order < NAMES;
            if (was_over && then != SB_THEN_STOP && follows && !a.idle[i]) {
                const sb_name *name = then == SB_THEN_SAME ? &beside[i]->name : &names[order++];
                assert_ok(sb_reset_name(beside[i], name, &error), error);
                begun++;
            } else if (!was_over) {
                assert_ok(sb_step(beside[i], actions[i], &result, &error), error);
            }
            assert_int_equal(a.begun[i], was_over && !beside[i]->status.done);
            assert_int_equal(a.idle[i], was_over && beside[i]->status.done);
            assert_true(a.results[i].reward == result.reward && a.results[i].dense == result.dense);
            assert_int_equal(a.results[i].terminated, result.terminated);
            assert_int_equal(a.results[i].truncated, result.truncated);
            assert_int_equal(a.results[i].success, result.success);
            assert_shows(&a, i, beside[i], mode);
            assert_int_equal(sb_status_of(sb_batch_env(batch, i))->steps, beside[i]->status.steps);
        }
    }
    for (size_t i = 0; i < N; i++) sb_free(beside[i]);
    sb_batch_free(batch);
    return begun;
}

static void episodes_in_step_are_those_one_by_one(void **unused) {
    (void)unused;
    static const char *const lists[][NAMES] = {
        {"GoToGoal-v0/easy#1", "KeyDoorPuzzle-v0/easy#2", "GoToGoal-v0/hard#3", "LightsOut-v0/easy#4",
         "TagHunt-v0/easy#5", "GoToGoal-v0/easy#1", "SokobanPush-v0/easy#7"},
        {"toy:Pile-v1#1", "toy:Hunt-v1#2", "toy:Pile-v1#3", "toy:Pile-v1#4", "toy:Hunt-v1#5", "toy:Pile-v1#6",
         "toy:Pile-v1#1"},
    };
    static const char *const modes[] = {"language", "text"};
    for (int i = 0; i < 2; i++) {
        sb_name names[NAMES];
        parse_names(lists[i], NAMES, names);
        assert_int_equal(play(names, SB_THEN_STOP, modes[i], SIZE_MAX), N);
        assert_int_equal(play(names, SB_THEN_NEXT, modes[i], SIZE_MAX), NAMES);
        assert_in_range(play(names, SB_THEN_SAME, modes[i], 500), N + 3, 500);
    }
}

static void arrays_that_are_not_wanted_are_not_written(void **unused) {
    (void)unused;
    sb_error error;
    sb_name name;
    assert_ok(sb_name_parse("GoToGoal-v0/easy#1", &name, &error), error);
    sb_batch *batch = sb_batch_make(&name, 1, 1, SB_THEN_STOP, NULL, &(sb_batch_arrays){0}, &error);
    assert_ok(batch != NULL, error);
    assert_ok(sb_batch_step(batch, &(sb_action){1}, &error), error);
    assert_int_equal(sb_status_of(sb_batch_env(batch, 0))->steps, 1);
    assert_null(sb_batch_env(batch, 1));
    sb_batch_free(batch);
    sb_batch_free(NULL);
}

static void long_texts_are_cut_and_say_so(void **unused) {
    (void)unused;
    sb_error error;
    sb_name names[2];
    char texts[2][10];
    size_t lengths[2];
    parse_names((const char *const[]){"GoToGoal-v0/easy#1", "GoToGoal-v0/easy#2"}, 2, names);
    const sb_batch_arrays where = {.texts = texts[0], .text_size = sizeof texts[0], .lengths = lengths};
    sb_batch *batch = sb_batch_make(names, 2, 2, SB_THEN_STOP, "ascii", &where, &error);
    assert_ok(batch != NULL, error);
    for (int i = 0; i < 2; i++) {
        assert_true(lengths[i] >= sizeof texts[i]);
        assert_int_equal(strlen(texts[i]), sizeof texts[i] - 1);
    }
    sb_batch_free(batch);
}

static void wrong_calls_say_what_is_wrong(void **unused) {
    (void)unused;
    static arrays a;
    sb_error error;
    sb_name names[NAMES];
    const sb_batch_arrays where = all_of(&a);
    parse_names((const char *const[]){"GoToGoal-v0/easy#1", "toy:Pile-v1#1"}, 2, names);
    assert_error(sb_batch_make(names, 1, 2, SB_THEN_STOP, "ascii", &where, &error), &error, SB_INVALID,
                 "as many names");
    assert_error(sb_batch_make(names, 1, 0, SB_THEN_STOP, "ascii", &where, &error), &error, SB_INVALID, "one at least");
    assert_error(sb_batch_make(names, 2, 1, SB_THEN_STOP, "ascii", &where, &error), &error, SB_INVALID, "one family");
    assert_error(sb_batch_make(names, 1, 1, SB_THEN_STOP, "smell", &where, &error), &error, SB_UNKNOWN, "smell");
    assert_error(sb_batch_make(names, 1, 1, SB_THEN_STOP, NULL, &where, &error), &error, SB_INVALID,
                 "no observation mode");
    sb_batch *batch = sb_batch_make(names, 1, 1, SB_THEN_STOP, "ascii", &where, &error);
    assert_ok(batch != NULL, error);
    assert_error(sb_batch_step(batch, &(sb_action){6}, &error), &error, SB_INVALID, "environment 0: action 6");
    assert_int_equal(sb_status_of(sb_batch_env(batch, 0))->steps, 0);
    sb_batch_free(batch);
}

/* Seed 666 of the toy cannot be made. */
static void an_episode_that_cannot_be_made_leaves_the_others_alone(void **unused) {
    (void)unused;
    static arrays a;
    sb_error error;
    sb_name names[4];
    const sb_batch_arrays where = all_of(&a);
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Pile-v1#2", "toy:Pile-v1#666", "toy:Pile-v1#3"}, 4, names);
    assert_error(sb_batch_make(names, 4, 3, SB_THEN_NEXT, "text", &where, &error), &error, SB_INVALID,
                 "toy:Pile-v1#666");
    sb_batch *batch = sb_batch_make(names, 4, 2, SB_THEN_NEXT, "text", &where, &error);
    assert_ok(batch != NULL, error);
    for (int step = 0; step < 40; step++) assert_ok(sb_batch_step(batch, (sb_action[]){2, 2}, &error), error);
    assert_true(a.results[0].truncated && a.results[1].truncated);
    assert_error(sb_batch_step(batch, (sb_action[]){2, 2}, &error), &error, SB_INVALID, "toy:Pile-v1#666");
    assert_true(a.idle[0] && a.begun[1] && a.lengths[0] == 0);
    assert_int_equal(sb_batch_running(batch), 1);
    while (sb_batch_running(batch) > 0) assert_ok(sb_batch_step(batch, (sb_action[]){-5, 2}, &error), error);
    sb_batch_free(batch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(episodes_in_step_are_those_one_by_one),
        cmocka_unit_test(arrays_that_are_not_wanted_are_not_written),
        cmocka_unit_test(long_texts_are_cut_and_say_so),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
        cmocka_unit_test(an_episode_that_cannot_be_made_leaves_the_others_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
