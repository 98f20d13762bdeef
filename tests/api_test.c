/* The public header as users of the library see it, for the real families and for the toy. */
#include "seedbed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "seedbed/gridworld.h"
#include "tests/support.h"
#include "tests/testfamily/toy.h"

/* ---- Helpers ----------------------------------------------------------------------------------------------------- */

static sb_env *made(const char *name) {
    sb_error error;
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env, error);
    return env;
}

static void reset(sb_env *env, const char *name) {
    sb_error error;
    assert_ok(sb_reset(env, name, &error), error);
}

static sb_result step(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    assert_ok(sb_step(env, action, &result, &error), error);
    return result;
}

/* Returns the observation; the caller frees it. */
static char *seen(const sb_env *env, const char *mode) {
    sb_error error;
    const sb_mode *found = sb_mode_find(sb_family_of(env), mode, &error);
    assert_ok(found != NULL, error);
    const size_t n = sb_observe(env, found, NULL, 0);
    char *text = calloc(1, n + 1);
    assert_int_equal(sb_observe(env, found, text, n + 1), n);
    assert_int_equal(strlen(text), n);
    return text;
}

static void assert_same_text(char *a, char *b) {
    assert_string_equal(a, b);
    free(a), free(b);
}

static void assert_same_name(const sb_name *a, const sb_name *b) {
    assert_string_equal(a->family, b->family);
    assert_string_equal(a->task, b->task);
    assert_string_equal(a->difficulty, b->difficulty);
    assert_true(a->seed == b->seed);
}

/* Asserts that two environments are equal in everything that the interface shows. */
static void assert_alike(const sb_env *a, const sb_env *b) {
    const sb_status *s = sb_status_of(a), *t = sb_status_of(b);
    uint64_t key_a[2], key_b[2];
    sb_key(a, key_a), sb_key(b, key_b);
    assert_memory_equal(key_a, key_b, sizeof key_a);
    assert_true(s->steps == t->steps && s->max_steps == t->max_steps && s->total == t->total);
    assert_true(s->dense_total == t->dense_total && s->done == t->done && s->success == t->success);
    assert_true(s->terminated == t->terminated && s->truncated == t->truncated);
    assert_same_name(sb_name_of(a), sb_name_of(b));
    for (size_t i = 0; a->state && i < a->family->n_modes; i++)
        assert_same_text(seen(a, a->family->modes[i].name), seen(b, b->family->modes[i].name));
}

/* Asserts that no episode was started, and that every function says so. */
static void assert_empty(sb_env *env) {
    sb_error error;
    sb_action action;
    sb_result result;
    char text[8];
    uint64_t key[2];
    const sb_status *status = sb_status_of(env);
    assert_true(status->done && status->steps == 0 && status->max_steps == 0 && status->total == 0);
    assert_false(status->terminated || status->truncated || status->success);
    assert_string_equal(sb_name_of(env)->task, "");
    assert_error(sb_step(env, 0, &result, &error), &error, SB_FINISHED, "reset first");
    assert_int_equal(sb_observe(env, sb_mode_at(sb_family_at(0), 0), NULL, 0), 0);
    assert_null(sb_family_of(env));
    assert_null(sb_task_of(env));
    assert_null(sb_shape_of(env));
    assert_int_equal(sb_valid_mask(env, NULL, 0), 0);
    assert_error(sb_action_parse(env, "noop", &action, &error), &error, SB_FINISHED, "reset first");
    assert_int_equal(sb_valid_actions(env, NULL, 0), 0);
    assert_int_equal(sb_action_name(env, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    sb_key(env, key);
    assert_true(key[0] == 0 && key[1] == 0);
}

static const char *const some_episodes[] = {"GoToGoal/medium#1", "KeyDoorPuzzle-v0/hard#2", "toy:Pile#3",
                                            "toy:Hunt-v1#4"};
enum { N_EPISODES = sizeof some_episodes / sizeof *some_episodes };

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void assert_parses_to(const char *text, const sb_name *name) {
    sb_name again;
    sb_error error;
    assert_ok(sb_name_parse(NULL, text, &again, &error), error);
    assert_same_name(&again, name);
}

/* Returns the index where the version of a name's task begins; the end of the name if it has no version. */
static size_t version_of(const char *text) {
    const size_t end = strcspn(text, "/#");
    size_t at = end;
    while (at > 0 && strchr("0123456789", text[at - 1])) at--;
    return at > 1 && at < end && text[at - 1] == 'v' && text[at - 2] == '-' ? at - 2 : end;
}

/* Tries the name with and without the family, and with and without the version. */
static void assert_round_trip(const sb_name *name) {
    char text[SB_NAME_MAX], cut[SB_NAME_MAX], longer[SB_NAME_MAX + 16];
    const bool first = strcmp(name->family, sb_families[0]->name) == 0;
    const size_t n = sb_name_print(name, text, sizeof text), version = version_of(text);
    assert_int_equal(n, strlen(text));
    assert_parses_to(text, name);
    snprintf(longer, sizeof longer, "%s:%s", name->family, text);
    if (first) assert_parses_to(longer, name);
    snprintf(longer, sizeof longer, "%s%.*s%s", first ? "agentick:" : "", (int)version, text,
             text + version + strcspn(text + version, "/#"));
    assert_parses_to(longer, name);
    for (size_t capacity = 1; capacity <= n + 1; capacity++) {
        assert_int_equal(sb_name_print(name, cut, capacity), n);
        assert_int_equal(strlen(cut), capacity - 1);
        assert_memory_equal(cut, text, capacity - 1);
    }
}

static void every_name_reads_back(void **state) {
    (void)state;
    static const uint64_t seeds[] = {0, 1, 42, UINT64_C(1) << 31, UINT64_C(1) << 53, UINT64_MAX};
    for (size_t f = 0; sb_families[f]; f++)
        for (size_t task = 0; task < sb_families[f]->n_tasks; task++)
            for (size_t v = 0; v == 0 || v < sb_families[f]->n_difficulties; v++)
                for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
                    sb_name name = {.seed = seeds[i]};
                    strcpy(name.family, sb_families[f]->name);
                    strcpy(name.task, sb_families[f]->task(task)->name);
                    if (sb_families[f]->difficulties) strcpy(name.difficulty, sb_families[f]->difficulties[v]);
                    assert_round_trip(&name);
                }
}

static void names_are_given_their_canonical_spelling(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"GoToGoal/easy#007", "GoToGoal-v0/easy#7"},
                                           {"agentick:KeyDoorPuzzle/expert#1", "KeyDoorPuzzle-v0/expert#1"},
                                           {"toy:Pile-v1#5", "toy:Pile-v1#5"},
                                           {"toy:Pile#5", "toy:Pile-v1#5"},
                                           {"Pile#5", "toy:Pile-v1#5"},
                                           {"Hunt-v1#5", "toy:Hunt-v1#5"},
                                           {"GoTo#5", "babyai:GoTo#5"},
                                           {"BabyAI-GoTo-v0#5", "babyai:GoTo#5"},
                                           {"toy:RecursiveRooms#5", "toy:Hunt-v1#5"},
                                           {"RecursiveRooms-v0/easy#5", "RecursiveRooms-v0/easy#5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SB_NAME_MAX];
        sb_name name;
        sb_error error;
        assert_ok(sb_name_parse(NULL, cases[i][0], &name, &error), error);
        sb_name_print(&name, text, sizeof text);
        assert_string_equal(text, cases[i][1]);
    }
}

static void a_text_without_a_seed_is_not_a_name(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "GoToGoal-v0/easy",
                                        "GoToGoal-v0/easy#",
                                        "GoToGoal-v0/easy#-1",
                                        "GoToGoal-v0/easy# 1",
                                        "GoToGoal-v0/easy#1 ",
                                        "GoToGoal-v0/easy#1e3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sb_name name;
        sb_error error;
        const bool ok = sb_name_parse(NULL, texts[i], &name, &error);
        assert_error(ok, &error, SB_INVALID, "expected task/difficulty#seed, with a seed from 0 to 2^64-1");
    }
}

static void wrong_names_are_refused_with_advice(void **state) {
    (void)state;
    static const char missing[] = "one of: easy, medium, hard, expert";
    static const struct {
        const char *text;
        sb_code code;
        const char *words;
    } cases[] = {{"GoToGoal-v0/easy#18446744073709551616", SB_INVALID, "a seed from 0 to 2^64-1"},
                 {"GoToGoal-v0#1", SB_INVALID, missing},
                 {"GoToGoal-v0/#1", SB_INVALID, missing},
                 {"GoToGoal-v0/Eazy#1", SB_UNKNOWN, "unknown difficulty `Eazy`"},
                 {"GoToGoal-v0/easy/hard#1", SB_UNKNOWN, "unknown task `GoToGoal-v0/easy`; did you mean GoToGoal-v0?"},
                 {"GoToGoal-v0/easy#1#2", SB_UNKNOWN, "unknown difficulty `easy#1`"},
                 {"gotogaol/easy#1", SB_UNKNOWN, "did you mean GoToGoal-v0?"},
                 {"KeyDoor/easy#1", SB_UNKNOWN, "did you mean KeyDoorPuzzle-v0?"},
                 {"GoToGoal-v1/easy#1", SB_UNKNOWN, "unknown task `GoToGoal-v1`"},
                 {"GoToGoal-v/easy#1", SB_UNKNOWN, "unknown task `GoToGoal-v`"},
                 {"GoToGoal-v00/easy#1", SB_UNKNOWN, "unknown task `GoToGoal-v00`"},
                 {" GoToGoal-v0/easy#1", SB_UNKNOWN, "unknown task ` GoToGoal-v0`"},
                 {"Nothing/easy#1", SB_UNKNOWN, "`seedbed tasks` lists them"},
                 {"#1", SB_UNKNOWN, "unknown task ``"},
                 {"maze:Large#1", SB_UNKNOWN, "unknown family `maze`; known families: agentick, babyai"},
                 {":GoToGoal-v0/easy#1", SB_UNKNOWN, "unknown family ``"},
                 {"agentick:toy:Pile#5", SB_UNKNOWN, "unknown task `toy:Pile`"},
                 {"toy:Pile-v1/easy#5", SB_UNKNOWN, "family toy has no difficulties"},
                 {"toy:Pile-v0#5", SB_UNKNOWN, "did you mean Pile-v1?"},
                 {"GoTo/easy#5", SB_UNKNOWN, "family babyai has no difficulties"},
                 {"autumn:Seesaw/planning-5#1", SB_UNKNOWN,
                  "unknown difficulty `planning-5`; known difficulties: published; mfp-1 to mfp-4, planning-1 to"},
                 {"gotox#5", SB_UNKNOWN, "did you mean babyai:GoTo?"},
                 {"babyai:gotox#5", SB_UNKNOWN, "did you mean GoTo?"},
                 {"OneRoomS8#5", SB_INVALID, "in several families; say which: babyai:OneRoomS8, toy:Pile-v1"},
                 {"RecursiveRooms/easy#5", SB_INVALID, "say which: agentick:RecursiveRooms-v0, toy:Hunt-v1"},
                 {"a-family-of-that-name:Task#1", SB_UNKNOWN, "unknown family `a-family-of-that-name`"},
                 {"GoToGoal-v0/a-difficulty-of-that-name#1", SB_INVALID, "too long"},
                 {"ATaskWithANameThatIsMuchTooLongToBeOneOfOursOrOfAnyBody/1#1", SB_UNKNOWN, "unknown task"},
                 {"ATaskWithANameThatIsMuchTooLongToBeOneOfOursOrOfAnybody:/1#1", SB_UNKNOWN, "unknown family"},
                 {"ATaskWithANameThatIsMuchTooLongToBeOneOfOursOrOfAnybodyElse:s#1", SB_INVALID, "too long"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_name name;
        sb_error error;
        const bool ok = sb_name_parse(NULL, cases[i].text, &name, &error);
        assert_error(ok, &error, cases[i].code, cases[i].words);
        assert_non_null(strstr(error.text, cases[i].text)); /* the error must also quote the name */
    }
}

/* Autumn has more difficulties than fit, and short names come behind the long ones. */
static void a_list_that_is_too_long_ends_with_dots(void **state) {
    (void)state;
    sb_error error;
    size_t index;
    const sb_family *autumn = sb_family_find("autumn", &error);
    assert_ok(autumn != NULL, error);
    sb_family family = *autumn;
    family.difficulties_in_short = NULL;
    assert_false(sb_difficulty_find(&family, NULL, "planning-5", &index, &error));
    assert_string_equal(error.text,
                        "unknown difficulty `planning-5`; known difficulties: published, mfp-1, mfp-2, mfp-3, mfp-4, "
                        "planning-1, planning-2, planning-3, planning-4, change-1, change-2, ...");
}

static void names_in_any_case_are_those_of_the_task(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"gotogoal-V0/EASY#7", "GoToGoal-v0/easy#7"},
                                           {"agentick:GOTOGOAL/Easy#7", "GoToGoal-v0/easy#7"},
                                           {"goto#5", "babyai:GoTo#5"},
                                           {"toy:PILE-v1#5", "toy:Pile-v1#5"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[SB_NAME_MAX];
        sb_name name;
        sb_error error;
        assert_ok(sb_name_parse(NULL, pairs[i][0], &name, &error), error);
        sb_name_print(&name, text, sizeof text);
        assert_string_equal(text, pairs[i][1]);
    }
}

/* ---- Starting ---------------------------------------------------------------------------------------------------- */

static void an_environment_without_episode_says_so(void **state) {
    (void)state;
    sb_env *env = made(NULL);
    assert_empty(env);
    sb_free(env);
    sb_free(NULL);
}

static void a_failed_reset_leaves_an_empty_environment(void **state) {
    (void)state;
    static const char *const failing[][2] = {{NULL, "needs the name of an episode"},
                                             {"toy:Pile#666", "no instance for seed 666"},
                                             {"GoToGoal/easy", "expected task/difficulty#seed"},
                                             {"GoToGoal/none#1", "unknown difficulty"},
                                             {"none:Task#1", "unknown family"}};
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
        for (size_t k = 0; k < N_EPISODES; k++) {
            sb_error error;
            sb_env *env = made(some_episodes[k]);
            assert_false(sb_reset(env, failing[i][0], &error));
            assert_non_null(strstr(error.text, failing[i][1]));
            assert_empty(env);
            assert_int_equal(toy_states, 0);
            reset(env, some_episodes[k]);
            step(env, 0);
            sb_free(env);
        }
    assert_int_equal(toy_states, 0);
}

static void episodes_that_cannot_start_make_no_environment(void **state) {
    (void)state;
    sb_error error;
    assert_null(sb_make(NULL, "toy:Hunt#666", &error));
    assert_error(false, &error, SB_INVALID, "no instance for seed 666");
    assert_int_equal(toy_states, 0);
}

static void a_parsed_name_is_checked_like_a_text(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made(NULL);
    const sb_name unknown = {.family = "agentick", .task = "Nothing-v0", .difficulty = "easy"};
    const sb_name without = {.family = "agentick", .task = "GoToGoal-v0"};
    assert_error(sb_reset_name(env, &unknown, &error), &error, SB_UNKNOWN, "unknown task `Nothing-v0`");
    assert_error(sb_reset_name(env, &without, &error), &error, SB_INVALID, "the difficulty is missing");
    assert_empty(env);
    sb_free(env);
}

/* Whatever the environment held before, the episode is the same as in a fresh environment. */
static void one_environment_serves_all_families(void **state) {
    (void)state;
    sb_env *env = made(NULL);
    for (size_t i = 0; i < 4 * N_EPISODES; i++) {
        const char *name = some_episodes[i * 7 / 3 % N_EPISODES];
        reset(env, name);
        assert_int_equal(toy_states, name[0] == 't');
        sb_env *fresh = made(name);
        assert_alike(env, fresh);
        for (sb_action a = 0; a < 3; a++) step(env, a), step(fresh, a);
        assert_alike(env, fresh);
        sb_free(fresh);
    }
    sb_free(env);
    assert_int_equal(toy_states, 0);
}

/* ---- Stepping ---------------------------------------------------------------------------------------------------- */

static void the_status_sums_up_the_results(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        const sb_status *status = sb_status_of(env);
        double total = 0, dense_total = 0;
        for (int n = 1; !status->done; n++) {
            const sb_result result = step(env, n * n % 3);
            total += result.reward, dense_total += result.dense;
            assert_int_equal(status->steps, n);
            assert_true(status->total == total && status->dense_total == dense_total);
            assert_int_equal(status->terminated, result.terminated);
            assert_int_equal(status->truncated, result.truncated);
            assert_int_equal(status->success, result.success);
            assert_int_equal(status->done, result.terminated || result.truncated);
            assert_int_equal(result.truncated, n == status->max_steps);
        }
        sb_free(env);
    }
}

static void a_refused_step_changes_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]), *before = made(some_episodes[i]);
        const sb_action beyond = env->n_actions, wrong[] = {-1, INT32_MIN, beyond, INT32_MAX};
        const sb_result untouched = {.reward = 7};
        sb_result result = untouched;
        sb_error error;
        char words[80];
        snprintf(words, sizeof words, "this task has 0..%d", beyond - 1);
        for (size_t k = 0; k < 4; k++) assert_error(sb_step(env, wrong[k], &result, &error), &error, SB_INVALID, words);
        assert_true(result.reward == untouched.reward);
        assert_alike(env, before);
        while (!sb_status_of(env)->done) step(env, 0), step(before, 0);
        snprintf(words, sizeof words, "the episode is over (steps taken: %d): reset first", sb_status_of(env)->steps);
        assert_error(sb_step(env, 0, &result, &error), &error, SB_FINISHED, words);
        assert_alike(env, before);
        sb_free(env), sb_free(before);
    }
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

static void advance(sb_env *env, int steps) {
    for (int i = 0; i < steps && !sb_status_of(env)->done; i++) step(env, (i * i + 1) % 3);
}

static void a_copy_is_alike_now_and_later(void **state) {
    (void)state;
    for (size_t from = 0; from < N_EPISODES; from++)
        for (size_t to = 0; to <= N_EPISODES; to++) { /* the last one is empty */
            sb_error error;
            sb_env *env = made(some_episodes[from]), *copy = made(to < N_EPISODES ? some_episodes[to] : NULL);
            advance(env, 7), advance(copy, (int)to * 5);
            assert_ok(sb_copy(copy, env, &error), error);
            sb_env *clone = sb_clone(env, &error);
            assert_ok(clone, error);
            assert_alike(env, copy), assert_alike(env, clone);
            advance(copy, 5);
            assert_alike(env, clone); /* stepping the copy did not change the original */
            advance(env, 5);
            assert_alike(env, copy);
            assert_int_equal(toy_states, some_episodes[from][0] == 't' ? 3 : 0);
            sb_free(env), sb_free(copy), sb_free(clone);
            assert_int_equal(toy_states, 0);
        }
}

static void a_copy_of_nothing_is_empty(void **state) {
    (void)state;
    sb_error error;
    sb_env *nothing = made(NULL), *clone = sb_clone(nothing, &error);
    assert_ok(clone, error);
    assert_empty(clone);
    for (size_t i = 0; i < N_EPISODES; i++) {
        reset(clone, some_episodes[i]);
        assert_ok(sb_copy(clone, nothing, &error), error);
        assert_empty(clone);
    }
    assert_int_equal(toy_states, 0);
    sb_free(nothing), sb_free(clone);
}

static void a_copy_onto_itself_changes_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_error error;
        sb_env *env = made(some_episodes[i]);
        advance(env, 4);
        sb_env *before = sb_clone(env, &error);
        assert_ok(sb_copy(env, env, &error), error);
        assert_alike(env, before);
        sb_free(env), sb_free(before);
    }
}

static void keys_tell_episodes_apart(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        uint64_t before[2], after[2];
        sb_key(env, before);
        step(env, env->family == &toy_family ? env->n_actions - 1 : SB_MOVE_DOWN);
        if (i == 2) step(env, TOY_ADD);
        sb_key(env, after);
        assert_memory_not_equal(before, after, sizeof before);
        sb_free(env);
    }
}

/* ---- Observing -----------------------------------------------------------------------------------------------------
 */

static void modes_are_found_by_their_aliases_and_observing_changes_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]), *before = made(some_episodes[i]);
        for (size_t m = 0; m < env->family->n_modes; m++) {
            const sb_mode *mode = &env->family->modes[m];
            if (mode->alias) assert_same_text(seen(env, mode->name), seen(env, mode->alias));
            if (!mode->document) continue;
            sb_error error;
            char *text = seen(env, mode->name);
            cJSON *document = sb_json_parse(text, strlen(text), &error);
            assert_ok(cJSON_IsObject(document), error);
            cJSON_Delete(document);
            free(text);
        }
        assert_alike(env, before);
        sb_free(env), sb_free(before);
    }
}

static void unknown_modes_are_refused_with_a_list_of_the_known_ones(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made("GoToGoal/easy#1");
    const sb_mode *ascii = sb_mode_find(sb_family_of(env), "ascii", &error);
    assert_error(sb_mode_find(sb_family_of(env), "smell", &error), &error, SB_UNKNOWN,
                 "`smell`; modes of agentick: ascii, ascii_color, language, structured, state");
    reset(env, "toy:Pile#1");
    assert_error(sb_mode_find(sb_family_of(env), "ascii", &error), &error, SB_UNKNOWN,
                 "`ascii`; modes of toy: text, data");
    assert_int_equal(sb_observe(env, ascii, NULL, 0), 0); /* a mode of another family shows nothing */
    sb_free(env);
}

static void observations_are_cut_like_snprintf(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        for (size_t m = 0; m < env->family->n_modes; m++) {
            char *whole = seen(env, env->family->modes[m].name);
            const size_t n = strlen(whole);
            for (size_t capacity = 1; capacity <= n + 1; capacity += 1 + n / 50) {
                char *cut = malloc(capacity);
                assert_int_equal(sb_observe(env, &env->family->modes[m], cut, capacity), n);
                assert_int_equal(strlen(cut), capacity - 1);
                assert_memory_equal(cut, whole, capacity - 1);
                free(cut);
            }
            free(whole);
        }
        sb_free(env);
    }
}

/* ---- Actions ----------------------------------------------------------------------------------------------------- */

static void assert_action(const sb_env *env, const char *text, sb_action expected) {
    sb_error error;
    sb_action action = -7;
    assert_ok(sb_action_parse(env, text, &action, &error), error);
    assert_int_equal(action, expected);
}

static void actions_are_read_by_number_and_name(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        for (sb_action a = 0; a < env->n_actions; a++) {
            char text[64], spaced[80] = "\t ";
            assert_true(sb_action_name(env, a, text, sizeof text) < sizeof text);
            assert_action(env, text, a);
            for (char *c = strcat(strcat(spaced, text), " \n"); *c; c++)
                *c = *c == '_' ? ' ' : *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
            assert_action(env, spaced, a);
            snprintf(text, sizeof text, " %d ", a);
            assert_action(env, text, a);
        }
        sb_free(env);
    }
}

static void unknown_actions_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",    " ",   "-1",   "6",     "1203",      "99999999999999999999",
                                        "+1",  "1.0", "jump", "noopp", "noop noop", "move__up",
                                        "move"};
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            sb_error error;
            sb_action action;
            if (strcmp(wrong[k], "6") == 0 && env->n_actions > 6) continue;
            const bool ok = sb_action_parse(env, wrong[k], &action, &error);
            assert_error(ok, &error, SB_INVALID, "is not an action of ");
            assert_non_null(strstr(error.text, sb_name_of(env)->task));
        }
        char text[8];
        assert_int_equal(sb_action_name(env, -1, text, sizeof text), 0);
        assert_int_equal(sb_action_name(env, env->n_actions, text, sizeof text), 0);
        sb_free(env);
    }
}

static void valid_actions_are_counted_and_listed_ascending(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_env *env = made(some_episodes[i]);
        const size_t n = sb_valid_actions(env, NULL, 0);
        sb_action *all = calloc(n, sizeof *all), some[2] = {-1, -1};
        assert_int_equal(sb_valid_actions(env, all, n), n);
        for (size_t k = 0; k < n; k++) assert_in_range(all[k], k ? all[k - 1] + 1 : 0, env->n_actions - 1);
        assert_int_equal(sb_valid_actions(env, some, 1), n);
        assert_true(some[0] == all[0] && some[1] == -1);
        free(all);
        sb_free(env);
    }
}

/* ---- Published values ---------------------------------------------------------------------------------- */

static void assert_at(sb_xy p, int x, int y) {
    assert_int_equal(p.x, x);
    assert_int_equal(p.y, y);
}

static void assert_lies(const sb_env *env, sb_object object, int x, int y, int metadata) {
    sb_entity entity;
    assert_true(sb_entity_at(env, (sb_xy){(int16_t)x, (int16_t)y}, &entity));
    assert_int_equal(entity.object, object);
    assert_at(entity.at, x, y);
    assert_int_equal(entity.metadata, metadata);
}

/* Tests the instance that the paper prints; gold is colour 0, red is 1. */
static void the_instance_printed_in_the_paper_is_reproduced(void **state) {
    (void)state;
    sb_env *env = made("KeyDoorPuzzle-v0/medium#42");
    assert_at(sb_grid_size(env), 11, 11);
    assert_at(sb_agent_position(env), 1, 4);
    assert_int_equal(sb_agent_direction(env), SB_NORTH);
    assert_int_equal(sb_entities(env, NULL, 0), 5);
    assert_lies(env, SB_KEY, 1, 3, 0);
    assert_lies(env, SB_KEY, 5, 6, 1);
    assert_lies(env, SB_DOOR, 3, 5, 0);
    assert_lies(env, SB_DOOR, 7, 7, 1);
    assert_lies(env, SB_GOAL, 9, 7, 0);
    assert_int_equal(sb_status_of(env)->max_steps, 200);
    sb_free(env);
}

/* Compares texts, so that the order of keys counts. */
static void assert_config(const sb_env *env, const cJSON *expected) {
    sb_error error;
    char *text = seen(env, "state");
    cJSON *all = sb_json_parse(text, strlen(text), &error);
    assert_ok(all, error);
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(all, "info");
    assert_same_text(cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(info, "task_config")),
                     cJSON_PrintUnformatted(expected));
    cJSON_Delete(all);
    free(text);
}

static void public_configurations_are_the_published_ones(void **state) {
    (void)state;
    sb_error error;
    sb_out text = sb_out_growing();
    sb_env *env = made(NULL);
    const sb_family *family = sb_families[0];
    assert_ok(sb_file_load(golden("public-config.json"), 1 << 20, &text, &error), error);
    cJSON *all = sb_json_parse(text.data, text.size, &error);
    assert_ok(all, error);
    for (size_t i = 0; i < family->n_tasks; i++)
        for (size_t v = 0; v < family->n_difficulties; v++) {
            const cJSON *task = cJSON_GetObjectItemCaseSensitive(all, family->task(i)->name);
            const cJSON *one = cJSON_GetObjectItemCaseSensitive(task, family->difficulties[v]);
            char name[SB_NAME_MAX];
            uint64_t seed;
            assert_ok(sb_json_uint(one, "seed", &seed, &error), error);
            snprintf(name, sizeof name, "%s/%s#%llu", family->task(i)->name, family->difficulties[v],
                     (unsigned long long)seed);
            reset(env, name);
            assert_config(env, cJSON_GetObjectItemCaseSensitive(one, "config"));
        }
    cJSON_Delete(all);
    sb_out_free(&text);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_reads_back),
        cmocka_unit_test(names_are_given_their_canonical_spelling),
        cmocka_unit_test(a_text_without_a_seed_is_not_a_name),
        cmocka_unit_test(wrong_names_are_refused_with_advice),
        cmocka_unit_test(a_list_that_is_too_long_ends_with_dots),
        cmocka_unit_test(names_in_any_case_are_those_of_the_task),
        cmocka_unit_test(an_environment_without_episode_says_so),
        cmocka_unit_test(a_failed_reset_leaves_an_empty_environment),
        cmocka_unit_test(episodes_that_cannot_start_make_no_environment),
        cmocka_unit_test(a_parsed_name_is_checked_like_a_text),
        cmocka_unit_test(one_environment_serves_all_families),
        cmocka_unit_test(the_status_sums_up_the_results),
        cmocka_unit_test(a_refused_step_changes_nothing),
        cmocka_unit_test(a_copy_is_alike_now_and_later),
        cmocka_unit_test(a_copy_of_nothing_is_empty),
        cmocka_unit_test(a_copy_onto_itself_changes_nothing),
        cmocka_unit_test(keys_tell_episodes_apart),
        cmocka_unit_test(modes_are_found_by_their_aliases_and_observing_changes_nothing),
        cmocka_unit_test(unknown_modes_are_refused_with_a_list_of_the_known_ones),
        cmocka_unit_test(observations_are_cut_like_snprintf),
        cmocka_unit_test(actions_are_read_by_number_and_name),
        cmocka_unit_test(unknown_actions_are_refused),
        cmocka_unit_test(valid_actions_are_counted_and_listed_ascending),
        cmocka_unit_test(the_instance_printed_in_the_paper_is_reproduced),
        cmocka_unit_test(public_configurations_are_the_published_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
