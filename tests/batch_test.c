/* Batches of the public header: episodes in a batch are the same as episodes one by one, with any number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/batch.h"
#include "engine/environment.h"
#include "seedbed/player.h"
#include "tests/support.h"

enum { N = 3, NAMES = 7, TEXT = 1 << 14 };

typedef struct arrays {
    sb_result results[N];
    bool begun[N], idle[N];
    uint64_t keys[N][2];
    char texts[N][TEXT];
    size_t lengths[N];
} arrays;

static sb_batch_arrays all_of(arrays *a, const sb_mode *mode) {
    return (sb_batch_arrays){
        .results = a->results,
        .begun = a->begun,
        .idle = a->idle,
        .keys = a->keys,
        .now = {.mode = mode, .texts = a->texts[0], .text_size = TEXT, .lengths = a->lengths},
    };
}

/* Returns the mode of the family of these names. */
static const sb_mode *mode_of(const sb_name *names, const char *mode) {
    sb_error error;
    const sb_mode *found = sb_mode_find(sb_family_find(names[0].family, &error), mode, &error);
    assert_ok(found != NULL, error);
    return found;
}

static void parse_names(const char *const texts[], size_t n, sb_name *names) {
    sb_error error;
    for (size_t i = 0; i < n; i++) assert_ok(sb_name_parse(NULL, texts[i], &names[i], &error), error);
}

/* Compares the arrays' part for environment i with an episode that was played beside the batch. */
static void assert_shows(const arrays *a, size_t i, const sb_env *env, const sb_mode *mode) {
    static char text[TEXT];
    uint64_t key[2];
    sb_key(env, key);
    assert_memory_equal(a->keys[i], key, sizeof key);
    assert_int_equal(sb_observe(env, mode, text, TEXT), a->lengths[i]);
    assert_string_equal(a->texts[i], text);
}

static sb_action choose(const sb_env *env, size_t step) { return (sb_action)(step * 7 % (size_t)env->n_actions); }

/* Plays the batch, and beside every environment a separate episode; returns how many episodes were begun. */
static size_t play(const sb_name *names, sb_then then, const char *mode_name, size_t limit) {
    static arrays a;
    const sb_mode *mode = mode_of(names, mode_name);
    sb_error error;
    sb_env *beside[N];
    const sb_batch_arrays where = all_of(&a, mode);
    size_t begun = N, order = N;
    sb_batch *batch = sb_batch_make(
        &(sb_batch_plan){.names = names, .n_names = NAMES, .n = N, .threads = 2, .then = then}, &where, &error);
    assert_ok(batch != NULL, error);
    for (size_t i = 0; i < N; i++) {
        beside[i] = sb_make(NULL, NULL, &error);
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

static void a_batch_plays_the_same_episodes_as_a_loop(void **unused) {
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

static void masks_are_sound_or_published(void **unused) {
    (void)unused;
    sb_name name;
    sb_error error;
    parse_names((const char *const[]){"LightsOut-v0/easy#4"}, 1, &name);
    for (int published = 0; published < 2; published++) {
        bool mask[6], expected[6];
        const sb_batch_arrays where = {.now = {.masks = mask, .mask_size = 6, .published_masks = published}};
        sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = &name, .n_names = 1, .n = 1}, &where, &error);
        assert_ok(batch, error);
        for (int step = 0; step < 12; step++) {
            assert_int_equal((published ? sb_valid_mask : sb_action_mask)(sb_batch_env(batch, 0), expected, 6), 6);
            assert_memory_equal(mask, expected, sizeof mask);
            assert_ok(sb_batch_step(batch, (sb_action[]){(sb_action)(step % 6)}, &error), error);
        }
        sb_batch_free(batch);
    }
}

static void arrays_that_were_not_requested_are_not_written(void **unused) {
    (void)unused;
    sb_error error;
    sb_name name;
    assert_ok(sb_name_parse(NULL, "GoToGoal-v0/easy#1", &name, &error), error);
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = &name, .n_names = 1, .n = 1, .threads = 1},
                                    &(sb_batch_arrays){0}, &error);
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
    const sb_batch_arrays where = {
        .now = {.mode = mode_of(names, "ascii"), .texts = texts[0], .text_size = sizeof texts[0], .lengths = lengths}};
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names, .n_names = 2, .n = 2}, &where, &error);
    assert_ok(batch != NULL, error);
    for (int i = 0; i < 2; i++) {
        assert_true(lengths[i] >= sizeof texts[i]);
        assert_int_equal(strlen(texts[i]), sizeof texts[i] - 1);
    }
    sb_batch_free(batch);
}

static sb_batch *refused(const sb_name *names, size_t n_names, size_t n, const sb_batch_view *now, sb_error *error) {
    return sb_batch_make(&(sb_batch_plan){.names = names, .n_names = n_names, .n = n}, &(sb_batch_arrays){.now = *now},
                         error);
}

static void wrong_calls_say_what_is_wrong(void **unused) {
    (void)unused;
    static arrays a;
    sb_error error;
    sb_name names[NAMES];
    parse_names((const char *const[]){"GoToGoal-v0/easy#1", "toy:Pile-v1#1"}, 2, names);
    const sb_batch_arrays where = all_of(&a, mode_of(names, "ascii"));
    const sb_batch_view *now = &where.now;
    assert_error(refused(names, 1, 2, now, &error), &error, SB_INVALID, "as many names");
    assert_error(refused(names, 1, 0, now, &error), &error, SB_INVALID, "at least one");
    assert_error(refused(names, 2, 1, now, &error), &error, SB_INVALID, "one family");
    const sb_batch_view other = {.mode = mode_of(names + 1, "text"), .texts = a.texts[0], .text_size = TEXT};
    assert_error(refused(names, 1, 1, &other, &error), &error, SB_INVALID,
                 "mode text does not belong to family agentick");
    const sb_batch_view none = {.texts = a.texts[0], .text_size = TEXT};
    assert_error(refused(names, 1, 1, &none, &error), &error, SB_INVALID, "no observation mode");
    const sb_array_out foreign = {.array = sb_array_at(sb_family_find("toy", &error), 0)};
    assert_error(refused(names, 1, 1, &(sb_batch_view){.arrays = &foreign, .n_arrays = 1}, &error), &error, SB_INVALID,
                 "array 0 does not belong to family agentick");
    bool mask[2];
    assert_error(refused(names, 1, 1, &(sb_batch_view){.masks = mask, .mask_size = 2}, &error), &error, SB_INVALID,
                 "a mask has 6 entries");
    assert_error(
        sb_batch_make(&(sb_batch_plan){.names = names, .n_names = 1, .n = 1, .then = SB_THEN_ASK}, &where, &error),
        &error, SB_INVALID, "`next` is NULL");
    sb_batch *batch = refused(names, 1, 1, now, &error);
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
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Pile-v1#2", "toy:Pile-v1#666", "toy:Pile-v1#3"}, 4, names);
    const sb_batch_arrays where = all_of(&a, mode_of(names, "text"));
    sb_batch_plan plan = {.names = names, .n_names = 4, .n = 3, .then = SB_THEN_NEXT};
    assert_error(sb_batch_make(&plan, &where, &error), &error, SB_INVALID, "toy:Pile-v1#666");
    plan.n = 2;
    sb_batch *batch = sb_batch_make(&plan, &where, &error);
    assert_ok(batch != NULL, error);
    for (int step = 0; step < 40; step++) assert_ok(sb_batch_step(batch, (sb_action[]){2, 2}, &error), error);
    assert_true(a.results[0].truncated && a.results[1].truncated);
    assert_error(sb_batch_step(batch, (sb_action[]){2, 2}, &error), &error, SB_INVALID, "toy:Pile-v1#666");
    assert_true(a.idle[0] && a.begun[1] && a.lengths[0] == 0);
    assert_int_equal(sb_batch_running(batch), 1);
    while (sb_batch_running(batch) > 0) assert_ok(sb_batch_step(batch, (sb_action[]){-5, 2}, &error), error);
    sb_batch_free(batch);
}

/* ---- Autoreset, threads, players --------------------------------------------------------------------------------- */

enum { MANY = TESTS_ARE_SLOW ? 24 : 64, STEPS = TESTS_ARE_SLOW ? 80 : 400, SIDE = 31 };

/* All outputs of a batch. */
typedef struct everything {
    sb_result results[MANY];
    bool begun[MANY], idle[MANY], masks[MANY][7];
    uint64_t keys[MANY][2];
    int8_t objects[MANY][SIDE][SIDE], final_objects[MANY][SIDE][SIDE];
    int16_t agents[MANY][3];
    sb_action actions[MANY];
} everything;

typedef struct setting {
    sb_autoreset autoreset;
    size_t threads;
    const char *agent; /* NULL: actions that depend on index and step */
} setting;

static void name_many(sb_name *names, size_t n) {
    static const char *const tasks[] = {"GoToGoal-v0/easy", "KeyDoorPuzzle-v0/hard", "LightsOut-v0/easy",
                                        "TreasureHunt-v0/medium"};
    for (size_t i = 0; i < n; i++) {
        char text[SB_NAME_MAX];
        sb_error error;
        snprintf(text, sizeof text, "%s#%zu", tasks[i % 4], i);
        assert_ok(sb_name_parse(NULL, text, &names[i], &error), error);
    }
}

static void add_bytes(uint64_t *sum, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) *sum = (*sum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

/* Adds the members, without the padding between them. */
static void add_result(uint64_t *sum, const sb_result *r) {
    add_bytes(sum, &r->reward, sizeof r->reward), add_bytes(sum, &r->dense, sizeof r->dense);
    add_bytes(sum, &(uint8_t){(uint8_t)(r->terminated | r->truncated << 1 | r->success << 2 | r->fault << 3)}, 1);
}

/* Plays a batch and returns a checksum of everything that it wrote, step by step. */
static uint64_t play_many(const setting *how, size_t *begun) {
    static everything e;
    sb_name names[2 * MANY];
    sb_error error;
    uint64_t sum = 14695981039346656037u;
    memset(&e, 0, sizeof e);
    name_many(names, 2 * MANY);
    const sb_family *family = sb_family_at(0);
    const sb_array *objects = sb_array_find(family, "objects", &error), *agent = sb_array_find(family, "agent", &error);
    const sb_array_out now[] = {{.array = objects, .out = e.objects, .extent = {SIDE, SIDE}},
                                {.array = agent, .out = e.agents}};
    const sb_array_out final[] = {{.array = objects, .out = e.final_objects, .extent = {SIDE, SIDE}}};
    const sb_batch_arrays where = {.results = e.results,
                                   .begun = e.begun,
                                   .idle = e.idle,
                                   .keys = e.keys,
                                   .now = {.arrays = now, .n_arrays = 2, .masks = e.masks[0], .mask_size = 7},
                                   .final = {.arrays = final, .n_arrays = 1}};
    const sb_batch_plan plan = {.names = names,
                                .n_names = 2 * MANY,
                                .n = MANY,
                                .threads = how->threads,
                                .then = SB_THEN_NEXT,
                                .autoreset = how->autoreset};
    sb_batch *batch = sb_batch_make(&plan, &where, &error);
    assert_ok(batch != NULL, error);
    sb_players *players = how->agent ? sb_players_make(batch, how->agent, &error) : NULL;
    *begun = MANY;
    for (size_t step = 0; step < STEPS && sb_batch_running(batch); step++) {
        bool ended[MANY], any = false;
        if (players) assert_ok(sb_players_act(players, e.actions, &error), error);
        for (size_t i = 0; i < MANY; i++) {
            if (!players) e.actions[i] = (sb_action)((step * 7 + i * 3) % 6);
            any |= ended[i] = sb_status_of(sb_batch_env(batch, i))->done && !e.idle[i];
            if (players) assert_int_equal(e.actions[i] == -1, sb_status_of(sb_batch_env(batch, i))->done);
        }
        if (any && how->autoreset == SB_NO_AUTORESET) {
            assert_error(sb_batch_step(batch, e.actions, &error), &error, SB_FINISHED, "reset it first");
            assert_ok(sb_batch_reset(batch, ended, NULL, &error), error);
        } else {
            assert_ok(sb_batch_step(batch, e.actions, &error), error);
        }
        for (size_t i = 0; i < MANY; i++) *begun += e.begun[i];
        for (size_t i = 0; i < MANY; i++) add_result(&sum, &e.results[i]);
        add_bytes(&sum, e.begun, sizeof e - offsetof(everything, begun));
    }
    sb_players_free(players);
    sb_batch_free(batch);
    return sum;
}

static void results_do_not_depend_on_the_number_of_threads(void **unused) {
    (void)unused;
    static const char *const agents[] = {NULL, "expert", "observer", "random"};
    for (int autoreset = SB_NEXT_STEP; autoreset <= SB_NO_AUTORESET; autoreset++)
        for (size_t k = 0; k < 4; k++) {
            size_t begun[3];
            uint64_t sums[3];
            for (size_t threads = 1; threads <= 3; threads++)
                sums[threads - 1] = play_many(&(setting){(sb_autoreset)autoreset, threads, agents[k]},
                                              &begun[threads - 1]);
            assert_true(sums[0] == sums[1] && sums[0] == sums[2]);
            assert_true(begun[0] > MANY && begun[0] == begun[1] && begun[0] == begun[2]);
        }
}

/* With the same actions, SAME_STEP shows in one step what NEXT_STEP shows in two. */
static void same_step_shows_the_end_and_the_next_beginning(void **unused) {
    (void)unused;
    static arrays a, b;
    static char final[N][TEXT];
    sb_error error;
    sb_name names[NAMES];
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Hunt-v1#2", "toy:Pile-v1#3", "toy:Pile-v1#4",
                                      "toy:Hunt-v1#5", "toy:Pile-v1#6", "toy:Pile-v1#7"},
                NAMES, names);
    const sb_mode *mode = mode_of(names, "text");
    sb_batch_plan plan = {.names = names, .n_names = NAMES, .n = N, .then = SB_THEN_SAME};
    sb_batch_arrays where = all_of(&a, mode);
    sb_batch *next = sb_batch_make(&plan, &where, &error);
    where = all_of(&b, mode);
    where.final = (sb_batch_view){.mode = mode, .texts = final[0], .text_size = TEXT};
    plan.autoreset = SB_SAME_STEP;
    sb_batch *same = sb_batch_make(&plan, &where, &error);
    assert_ok(next && same, error);
    size_t ends = 0;
    for (int step = 0; step < 300; step++) {
        const sb_action actions[N] = {step % 3, 3 + step % 7, (step + 1) % 3};
        bool late[N];
        assert_ok(sb_batch_step(next, actions, &error) && sb_batch_step(same, actions, &error), error);
        for (size_t i = 0; i < N; i++) {
            late[i] = sb_status_of(sb_batch_env(next, i))->done;
            assert_memory_equal(&a.results[i], &b.results[i], sizeof a.results[i]);
            assert_int_equal(b.begun[i], late[i]);
            assert_string_equal(late[i] ? final[i] : b.texts[i], a.texts[i]);
            ends += late[i];
        }
        if (!late[0] && !late[1] && !late[2]) continue;
        /* environments that are one step late catch up; the others are put back to where they were */
        sb_env *before[N];
        for (size_t i = 0; i < N; i++) before[i] = late[i] ? NULL : sb_clone(sb_batch_env(next, i), &error);
        assert_ok(sb_batch_step(next, (sb_action[N]){0}, &error), error);
        for (size_t i = 0; i < N; i++) {
            if (before[i])
                assert_ok(sb_batch_copy(next, i, before[i], &error), error);
            else
                assert_string_equal(a.texts[i], b.texts[i]);
            sb_free(before[i]);
        }
    }
    assert_true(ends > 3);
    sb_batch_free(next), sb_batch_free(same);
}

/* What is put in may have ended: then the next step begins one episode, not two. */
static void an_ended_episode_that_is_put_in_skips_no_name(void **unused) {
    (void)unused;
    sb_error error;
    sb_name names[N];
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Pile-v1#2", "toy:Pile-v1#3"}, N, names);
    const sb_batch_plan plan = {.names = names, .n_names = N, .n = 1, .then = SB_THEN_NEXT, .autoreset = SB_SAME_STEP};
    sb_batch *batch = sb_batch_make(&plan, &(sb_batch_arrays){0}, &error);
    sb_env *ended = sb_make(NULL, "toy:Pile-v1#9", &error);
    assert_ok(batch && ended, error);
    for (sb_result result; !sb_status_of(ended)->done;) assert_ok(sb_step(ended, 0, &result, &error), error);
    assert_ok(sb_batch_copy(batch, 0, ended, &error), error);
    assert_ok(sb_batch_step(batch, (sb_action[]){0}, &error), error);
    assert_int_equal(sb_name_of(sb_batch_env(batch, 0))->seed, 2);
    sb_free(ended), sb_batch_free(batch);
}

/* Experts of the batch take the same actions as alone, and succeed. */
static void players_act_in_a_batch_as_they_do_alone(void **unused) {
    (void)unused;
    enum { FEW = 8 };
    sb_name names[FEW];
    sb_action actions[FEW];
    sb_error error;
    name_many(names, FEW);
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names, .n_names = FEW, .n = FEW, .threads = 2},
                                    &(sb_batch_arrays){0}, &error);
    assert_ok(batch != NULL, error);
    sb_players *players = sb_players_make(batch, "expert", &error);
    sb_player *alone[FEW];
    sb_env *envs[FEW];
    for (size_t i = 0; i < FEW; i++) {
        alone[i] = sb_player_make("expert", &error);
        envs[i] = sb_clone(sb_batch_env(batch, i), &error);
        assert_ok(sb_player_begin(alone[i], envs[i], &error), error);
    }
    while (sb_batch_running(batch)) {
        assert_ok(sb_players_act(players, actions, &error), error);
        for (size_t i = 0; i < FEW; i++) {
            sb_result result;
            if (sb_status_of(envs[i])->done) continue;
            assert_int_equal(actions[i], sb_player_act(alone[i], envs[i]));
            assert_string_equal(sb_players_intent(players, i)->object, sb_player_intent(alone[i])->object);
            assert_ok(sb_step(envs[i], actions[i], &result, &error), error);
        }
        assert_ok(sb_batch_step(batch, actions, &error), error);
    }
    assert_null(sb_players_intent(players, FEW));
    for (size_t i = 0; i < FEW; i++) {
        assert_true(sb_status_of(envs[i])->success);
        sb_player_free(alone[i]), sb_free(envs[i]);
    }
    sb_players_free(players);
    players = sb_players_make(batch, "nobody", &error);
    assert_ok(sb_batch_reset(batch, NULL, names, &error), error);
    assert_error(sb_players_act(players, actions, &error), &error, SB_UNKNOWN,
                 "GoToGoal-v0 has no agent `nobody`; known agents: observer, expert, clairvoyant, random");
    for (size_t i = 0; i < FEW; i++) assert_int_equal(actions[i], -1);
    sb_players_free(players);
    sb_batch_free(batch);
}

static bool next_seed(void *context, size_t index, sb_name *name) {
    uint64_t *asked = context;
    sb_error error;
    if (*asked >= 5) return false;
    assert_ok(sb_name_parse(NULL, "GoToGoal/easy#0", name, &error), error);
    name->seed = 100 * index + ++*asked;
    return true;
}

static void a_function_of_the_caller_names_the_next_episode(void **unused) {
    (void)unused;
    sb_name names[2];
    sb_error error;
    uint64_t asked = 0;
    parse_names((const char *const[]){"GoToGoal-v0/easy#1", "GoToGoal-v0/easy#2"}, 2, names);
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names,
                                                     .n_names = 2,
                                                     .n = 2,
                                                     .then = SB_THEN_ASK,
                                                     .autoreset = SB_SAME_STEP,
                                                     .next = next_seed,
                                                     .context = &asked},
                                    &(sb_batch_arrays){0}, &error);
    sb_players *players = sb_players_make(batch, "expert", &error);
    assert_ok(batch && players, error);
    while (sb_batch_running(batch)) {
        sb_action actions[2];
        assert_ok(sb_players_act(players, actions, &error) && sb_batch_step(batch, actions, &error), error);
        for (size_t i = 0; i < 2; i++) {
            const uint64_t seed = sb_name_of(sb_batch_env(batch, i))->seed;
            assert_true(seed == i + 1 || seed / 100 == i);
        }
    }
    assert_int_equal(asked, 5);
    sb_players_free(players);
    sb_batch_free(batch);
}

typedef struct watcher {
    uint64_t keys[N][2];
    size_t seen[N], ends[N];
} watcher;

static void look(void *context, size_t index, const sb_env *env, bool final) {
    watcher *w = context;
    if (!final) sb_key(env, w->keys[index]);
    ++*(final ? &w->ends[index] : &w->seen[index]);
    assert_true(!final || sb_status_of(env)->done);
}

/* Whoever watches is shown what the caller's arrays show, each state once, and the ends that SAME_STEP passes over. */
static void who_watches_sees_every_state(void **unused) {
    (void)unused;
    static arrays a;
    sb_error error;
    sb_name names[N];
    watcher w = {0};
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Hunt-v1#2", "toy:Pile-v1#3"}, N, names);
    const sb_batch_plan plan = {
        .names = names, .n_names = N, .n = N, .threads = 2, .then = SB_THEN_SAME, .autoreset = SB_SAME_STEP};
    const sb_batch_arrays where = all_of(&a, mode_of(names, "text"));
    sb_batch *batch = sb_batch_make(&plan, &where, &error);
    assert_ok(batch != NULL, error);
    sb_batch_set_watch(batch, look, &w);
    size_t ends[N] = {0};
    for (size_t step = 1; step <= 200; step++) {
        const sb_action actions[N] = {(sb_action)(step % 3), (sb_action)(3 + step % 7), (sb_action)(step % 2)};
        assert_ok(sb_batch_step(batch, actions, &error), error);
        for (size_t i = 0; i < N; i++) {
            ends[i] += a.begun[i];
            assert_memory_equal(w.keys[i], a.keys[i], sizeof w.keys[i]);
            assert_true(w.seen[i] == step && w.ends[i] == ends[i]);
        }
    }
    assert_true(ends[0] && ends[1] && ends[2]);
    sb_batch_set_watch(batch, NULL, NULL);
    assert_ok(sb_batch_step(batch, (sb_action[N]){0, 3, 0}, &error), error);
    assert_int_equal(w.seen[0], 200);
    sb_batch_free(batch);
}

/* Puts them in before such a step. */
static void put_before(int begin) {
    static arrays a, b;
    sb_error error;
    sb_name names[N];
    parse_names((const char *const[]){"toy:Pile-v1#1", "toy:Hunt-v1#2", "toy:Pile-v1#3"}, N, names);
    const sb_batch_plan plan = {.names = names, .n_names = N, .n = N, .threads = 2, .then = SB_THEN_SAME};
    const sb_batch_arrays here = all_of(&a, mode_of(names, "text")), there = all_of(&b, mode_of(names, "text"));
    sb_batch *from = sb_batch_make(&plan, &here, &error), *to = sb_batch_make_idle(&plan, &there, &error);
    assert_ok(from && to, error);
    for (int step = 0; step < 150; step++) {
        if (step == begin) {
            assert_int_equal(sb_batch_running(to), 0);
            for (size_t i = 0; i < N; i++) assert_ok(sb_batch_copy(to, i, sb_batch_env(from, i), &error), error);
            assert_int_equal(sb_batch_running(to), N);
            sb_batch_set_idle(to, 1, true), sb_batch_set_idle(to, 1, true);
            assert_int_equal(sb_batch_running(to), N - 1);
            sb_batch_set_idle(to, 1, false);
        }
        const sb_action actions[N] = {step % 3, 3 + step % 7, (step + 1) % 3};
        assert_ok(sb_batch_step(from, actions, &error) && sb_batch_step(to, actions, &error), error);
        for (size_t i = 0; i < N; i++) {
            if (step < begin) assert_true(b.idle[i] && !sb_batch_env(to, i)->state);
            if (step >= begin) assert_memory_equal(&a.results[i], &b.results[i], sizeof a.results[i]);
            if (step >= begin) assert_string_equal(a.texts[i], b.texts[i]);
        }
    }
    sb_batch_free(from), sb_batch_free(to);
}

/* Episodes are put into a batch in which nothing has begun, and go on as they do where they come from. */
static void a_batch_goes_on_with_episodes_of_another_one(void **unused) {
    (void)unused;
    put_before(0);
    put_before(40);
}

/* A copy of an episode that was not recorded ends the record of that episode, and not of those after it. */
static void records_go_on_after_a_copy(void **unused) {
    (void)unused;
    sb_error error;
    sb_name names[1];
    parse_names((const char *const[]){"toy:Pile-v1#1"}, 1, names);
    sb_batch_plan plan = {.names = names, .n_names = 1, .n = 1, .threads = 1, .then = SB_THEN_SAME};
    sb_batch *plain = sb_batch_make(&plan, &(sb_batch_arrays){0}, &error);
    plan.record = true;
    sb_batch *batch = sb_batch_make(&plan, &(sb_batch_arrays){0}, &error);
    assert_ok(plain && batch, error);
    assert_non_null(sb_batch_env(batch, 0)->log);
    assert_ok(sb_batch_copy(batch, 0, sb_batch_env(plain, 0), &error), error);
    assert_null(sb_batch_env(batch, 0)->log);
    assert_ok(sb_batch_reset(batch, NULL, NULL, &error) && sb_batch_step(batch, (sb_action[]){1}, &error), error);
    assert_non_null(sb_batch_env(batch, 0)->log);
    assert_int_equal(sb_batch_env(batch, 0)->log[0], 1);
    sb_batch_free(plain), sb_batch_free(batch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_goes_on_with_episodes_of_another_one),
        cmocka_unit_test(records_go_on_after_a_copy),
        cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(same_step_shows_the_end_and_the_next_beginning),
        cmocka_unit_test(an_ended_episode_that_is_put_in_skips_no_name),
        cmocka_unit_test(who_watches_sees_every_state),
        cmocka_unit_test(players_act_in_a_batch_as_they_do_alone),
        cmocka_unit_test(a_function_of_the_caller_names_the_next_episode),
        cmocka_unit_test(a_batch_plays_the_same_episodes_as_a_loop),
        cmocka_unit_test(masks_are_sound_or_published),
        cmocka_unit_test(arrays_that_were_not_requested_are_not_written),
        cmocka_unit_test(long_texts_are_cut_and_say_so),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
        cmocka_unit_test(an_episode_that_cannot_be_made_leaves_the_others_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
