/* The library as its users have it, with public headers only: families and tasks, tasks that users bring, worlds that
 * fail, players, tapes, packs. Each test reads like a program that uses them. */
#include "seedbed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seedbed/gridworld.h"
#include "seedbed/pack.h"
#include "seedbed/player.h"
#include "seedbed/tape.h"
#include "tests/support.h"

#include "engine/lookup.h"

static sb_env *made(const sb_catalogue *catalogue, const char *name) {
    sb_error error;
    sb_env *env = sb_make(catalogue, name, &error);
    assert_ok(env != NULL, error);
    return env;
}

static sb_result step(sb_env *env, sb_action action) {
    sb_result result;
    sb_error error;
    assert_ok(sb_step(env, action, &result, &error), error);
    return result;
}

static sb_name named(const sb_catalogue *catalogue, const char *text) {
    sb_name name;
    sb_error error;
    assert_ok(sb_name_parse(catalogue, text, &name, &error), error);
    return name;
}

/* ---- What there is ----------------------------------------------------------------------------------------------- */

static void the_version_is_that_of_the_header(void **state) {
    (void)state;
    assert_string_equal(sb_version(), SB_VERSION);
}

static void families_tasks_difficulties_modes_and_arrays_are_listed_and_found(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family;
    size_t n_tasks = 0;
    for (size_t f = 0; (family = sb_family_at(f)); f++) {
        const sb_task_info *task;
        const sb_mode *mode;
        const sb_array *array;
        assert_ptr_equal(sb_family_find(sb_family_name(family), &error), family);
        assert_true(*sb_family_rules(family));
        for (size_t i = 0; (task = sb_task_at(NULL, family, i)); i++, n_tasks++) {
            char text[SB_NAME_MAX];
            const char *difficulty = sb_difficulty_at(family, 0);
            snprintf(text, sizeof text, "%s:%s%s%s#0", sb_family_name(family), task->name, *difficulty ? "/" : "",
                     difficulty);
            assert_string_equal(named(NULL, text).task, task->name);
        }
        for (size_t i = 0; (mode = sb_mode_at(family, i)); i++)
            assert_ptr_equal(sb_mode_find(family, mode->name, &error), mode);
        for (size_t i = 0; (array = sb_array_at(family, i)); i++) {
            assert_ptr_equal(sb_array_find(family, array->name, &error), array);
            assert_in_range(sb_scalar_size(array->type), 1, 8);
            assert_int_equal(sb_scalar_size((sb_scalar)(array->type + SB_N_SCALARS)), 0);
        }
        assert_error(sb_array_find(family, "smell", &error), &error, SB_UNKNOWN, "unknown array `smell`");
    }
    assert_in_range(n_tasks, 37 + 112 + 43 + 12, 37 + 112 + 43 + 12 + 10);
    assert_null(sb_difficulty_at(sb_family_at(0), 4));
    assert_string_equal(sb_difficulty_at(sb_family_find("babyai", &error), 0), "");
    assert_int_equal(sb_family_hiding(sb_family_at(0)), SB_CAN_HIDE);
    assert_int_equal(sb_family_hiding(sb_family_find("climb", &error)), SB_CANNOT_HIDE);
}

/* In every family, nothing in an episode is larger than the shape of its task and difficulty. */
static void shapes_hold_for_every_task_and_difficulty(void **state) {
    (void)state;
    const sb_family *family;
    sb_env *env = made(NULL, NULL);
    for (size_t f = 0; (family = sb_family_at(f)); f++) {
        const sb_task_info *task;
        const char *difficulty;
        for (size_t i = 0; (task = sb_task_at(NULL, family, i)); i++)
            for (size_t v = 0; (difficulty = sb_difficulty_at(family, v)); v++) {
                sb_name name = {.seed = 0};
                sb_shape shape;
                if (strncmp(sb_family_name(family), "autumn", 6) == 0 && v > 1)
                    continue; /* challenges take long to find */
                sb_error error;
                snprintf(name.family, sizeof name.family, "%s", sb_family_name(family));
                snprintf(name.task, sizeof name.task, "%s", task->name);
                snprintf(name.difficulty, sizeof name.difficulty, "%s", difficulty);
                assert_ok(sb_name_shape(NULL, &name, &shape, &error), error);
                for (; name.seed < (TESTS_ARE_SLOW ? 3 : 20); name.seed++) {
                    assert_ok(sb_reset_name(env, &name, &error), error);
                    assert_memory_equal(sb_shape_of(env), &shape, sizeof shape);
                    assert_in_range(sb_status_of(env)->max_steps, 1, shape.max_steps);
                }
                const sb_xy size = sb_grid_size(env);
                if (size.x) assert_true(shape.extent[0][0] == size.y && shape.extent[0][1] == size.x);
            }
    }
    sb_free(env);
}

/* ---- Buttons, clicks, levels, scores, faults --------------------------------------------------------------------- */

static void masks_have_an_entry_for_each_button_and_one_for_clicks(void **state) {
    (void)state;
    bool mask[8];
    sb_action valid[8];
    sb_env *env = made(NULL, "climb:Climb#3");
    const sb_shape *shape = sb_shape_of(env);
    assert_int_equal(sb_n_actions(shape), 2 + 4 * 3);
    assert_int_equal(sb_valid_mask(env, mask, 8), 3);
    assert_true(mask[0] && !mask[1] && mask[2]); /* going down from 0 is impossible */
    assert_int_equal(sb_valid_mask(env, mask, 0), 3);
    assert_int_equal(sb_action_mask(env, mask, 8), 3);
    assert_true(mask[0] && mask[1] && mask[2]); /* but it counts as a press, which the reward is divided by */
    mask[2] = false;
    assert_int_equal(sb_action_mask(env, mask, 2), 3);
    assert_true(mask[0] && mask[1] && !mask[2]);
    assert_int_equal(sb_valid_actions(env, valid, 8), 2);
    assert_true(valid[0] == 0 && valid[1] == shape->n_buttons);
    step(env, 1); /* not valid: the step changes nothing, but counts */
    assert_int_equal(sb_status_of(env)->steps, 1);
    assert_int_equal(sb_valid_actions(env, valid, 8), 2);
    step(env, 0);
    assert_int_equal(sb_valid_actions(env, valid, 8), 3);
    assert_ok(sb_reset(env, "toy:Pile#1", &(sb_error){0}), (sb_error){.text = "toy"});
    assert_int_equal(sb_action_mask(env, mask, 8), 3);
    assert_true(mask[0] && !mask[1] && !mask[2]);     /* nothing is on the pile */
    assert_int_equal(sb_valid_mask(env, mask, 8), 3); /* without a click area there is no entry for it */
    sb_free(env);
}

static void the_status_tells_score_and_level(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made(NULL, "climb:Climb#3");
    sb_player *expert = sb_player_make("expert", &error);
    assert_ok(expert && sb_player_begin(expert, env, &error), error);
    const sb_status *status = sb_status_of(env);
    assert_int_equal(sb_task_of(env)->criterion, SB_BY_SCORE);
    assert_true(status->level == 0 && status->n_levels == 3 && status->score == 0);
    int32_t level = 0;
    while (!status->done) {
        step(env, sb_player_act(expert, env));
        assert_in_range(status->level, level, level + 1);
        level = status->level;
    }
    assert_true(status->success && status->level == 3 && status->score == status->total && status->score > 0);
    sb_player_free(expert);
    sb_free(env);
}

static void a_fault_ends_the_episode_and_leaves_the_world_as_it_was(void **state) {
    (void)state;
    char before[64], after[64], why[64], line[1024];
    sb_error error;
    sb_action broken;
    sb_env *env = made(NULL, "climb:Climb#3");
    const sb_mode *text = sb_mode_find(sb_family_of(env), "text", &error);
    assert_ok(sb_record(env, true, &error), error);
    step(env, 0);
    sb_observe(env, text, before, sizeof before);
    assert_int_equal(sb_fault_text(env, why, sizeof why), 0);
    assert_ok(sb_action_parse(env, "click_3_2", &broken, &error), error);
    const sb_result result = step(env, broken);
    sb_observe(env, text, after, sizeof after);
    assert_string_equal(after, before);
    assert_true(result.fault && result.terminated && !result.success && result.reward == 0);
    const sb_status *status = sb_status_of(env);
    assert_true(status->fault && status->done && status->terminated && !status->success && status->steps == 2);
    sb_fault_text(env, why, sizeof why);
    assert_string_equal(why, "the cell at (3,2) is broken");
    /* the fault is on the tape, and replays like any end */
    sb_tape *tape = sb_tape_of(env, "me", &error);
    assert_ok(tape != NULL, error);
    const size_t n = sb_tape_print(tape, line, sizeof line);
    assert_non_null(strstr(line, "\"fault\": true"));
    sb_tape *read = sb_tape_load(NULL, line, n, &error);
    assert_ok(read && sb_tape_replay(read, env, NULL, NULL, &error), error);
    assert_true(sb_tape_outcome(read)->fault && sb_status_of(env)->fault);
    sb_tape_free(tape), sb_tape_free(read);
    sb_free(env);
}

static void a_family_that_cannot_hide_its_state_has_no_observers(void **state) {
    (void)state;
    const char *agents[SB_AGENTS_MAX];
    sb_error error;
    sb_env *env = made(NULL, "climb:Climb#3");
    assert_int_equal(sb_agents_of(sb_family_of(env), sb_task_of(env), agents, SB_AGENTS_MAX), 3);
    assert_string_equal(agents[0], "expert");
    assert_string_equal(agents[2], "random");
    sb_player *observer = sb_player_make("observer", &error);
    assert_error(sb_player_begin(observer, env, &error), &error, SB_UNKNOWN, "no agent `observer`");
    sb_player_free(observer);
    sb_free(env);
}

/* ---- Catalogues -------------------------------------------------------------------------------------------------- */

static const char a_tower[] = "levels 2\nwidth 3\nheight 3\nlimit 20\n";

static sb_catalogue *with_tower(const sb_task_info **task) {
    sb_error error;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(catalogue && sb_catalogue_add_program(catalogue, sb_family_find("climb", &error), a_tower,
                                                    strlen(a_tower), task, &error),
              error);
    return catalogue;
}

static void a_program_becomes_a_task_named_by_its_hash(void **state) {
    (void)state;
    const sb_task_info *task, *again;
    sb_error error;
    sb_catalogue *catalogue = with_tower(&task);
    const sb_family *climb = sb_family_find("climb", &error);
    assert_ok(sb_catalogue_add_program(catalogue, climb, a_tower, strlen(a_tower), &again, &error), error);
    assert_ptr_equal(task, again);
    const sb_program *program = sb_program_at(catalogue, 0);
    assert_string_equal(program->text, a_tower);
    assert_true(program->task == task && program->family == climb && !sb_program_at(catalogue, 1));
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "climb:file-%.16s#7", program->sha256);
    sb_env *env = made(catalogue, name);
    assert_ptr_equal(sb_task_of(env), task);
    assert_ptr_equal(sb_task_at(catalogue, climb, 2), task);
    assert_null(sb_task_at(NULL, climb, 2));
    assert_int_equal(sb_status_of(env)->n_levels, 2);
    assert_error(sb_make(NULL, name, &error), &error, SB_UNKNOWN, "unknown task");
    sb_env *copy = sb_clone(env, &error);
    assert_ok(copy && sb_reset(copy, name, &error), error); /* a copy has the catalogue, too */
    sb_free(env), sb_free(copy);
    sb_catalogue_free(catalogue);
}

static void errors_of_programs_name_the_place(void **state) {
    (void)state;
    sb_error error;
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    const sb_family *climb = sb_family_find("climb", &error);
    assert_error(sb_catalogue_add_program(catalogue, climb, "levels 2\nfloors 3\n", 18, NULL, &error), &error,
                 SB_INVALID, "line 2");
    assert_error(sb_catalogue_add_program(catalogue, climb, "levels 9", 8, NULL, &error), &error, SB_INVALID,
                 "at most");
    assert_error(sb_catalogue_add_program(catalogue, sb_family_at(0), "x", 1, NULL, &error), &error, SB_INVALID,
                 "family agentick takes no programs");
    assert_null(sb_program_at(catalogue, 0));
    sb_catalogue_free(catalogue);
    sb_catalogue_free(NULL);
}

/* A kept episode starts from the catalogue; without a catalogue it is found again. */
static void episodes_that_are_expensive_to_find_are_kept(void **state) {
    (void)state;
    sb_error error;
    char found[64], kept[64];
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    const sb_name name = named(NULL, "climb:Climb/kept#3"), plain = named(NULL, "climb:Climb#3");
    sb_env *env = made(NULL, "climb:Climb/kept#3");
    const sb_mode *text = sb_mode_find(sb_family_of(env), "text", &error);
    sb_observe(env, text, found, sizeof found);
    sb_free(env);
    assert_ok(sb_catalogue_add_derived(catalogue, &name, "9 8 7", 5, &error), error);
    assert_error(sb_catalogue_add_derived(catalogue, &name, "9 8 7", 5, &error), &error, SB_INVALID,
                 "already in the catalogue");
    assert_error(sb_catalogue_add_derived(catalogue, &plain, "9 8 7", 5, &error), &error, SB_INVALID,
                 "made from their seeds");
    for (uint64_t seed = 0; seed < 40; seed++) {
        sb_name other = name;
        other.seed = (seed * 29) % 101 + 100;
        assert_ok(sb_catalogue_add_derived(catalogue, &other, "5 5 5", 5, &error), error);
    }
    env = made(catalogue, "climb:Climb/kept#3");
    sb_observe(env, text, kept, sizeof kept);
    assert_string_equal(kept, "level 0, at 0 of 9");
    assert_ok(sb_reset(env, "climb:Climb/kept#129", &error), error);
    sb_observe(env, text, kept, sizeof kept);
    assert_string_equal(kept, "level 0, at 0 of 5");
    assert_ok(sb_reset(env, "climb:Climb/kept#4", &error), error);
    sb_free(env);
    sb_catalogue_free(catalogue);
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static void an_array_is_filled_where_the_caller_wants_it(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made(NULL, "KeyDoorPuzzle/easy#42");
    const sb_array *objects = sb_array_find(sb_family_of(env), "objects", &error);
    const int32_t *extent = sb_shape_of(env)->extent[sb_array_index(sb_family_of(env), objects)];
    int8_t grid[SB_CELLS_MAX], few[4] = {77, 77, 77, 77};
    const size_t n = sb_observe_array(env, objects, grid, sizeof grid);
    assert_int_equal(n, extent[0] * extent[1]);
    assert_int_equal(sb_observe_array(env, objects, few, sizeof few),
                     n); /* it does not fit, so the array is not written */
    assert_int_equal(few[0], 77);
    sb_entity goal;
    assert_true(sb_nearest(env, SB_GOAL, &goal));
    assert_int_equal(grid[goal.at.y * extent[1] + goal.at.x], SB_GOAL);
    const sb_array *foreign = sb_array_at(sb_family_find("babyai", &error), 0);
    assert_int_equal(sb_observe_array(env, foreign, grid, sizeof grid), 0);
    sb_free(env);
}

/* ---- Players ----------------------------------------------------------------------------------------------------- */

static void experts_succeed_and_give_intents(void **state) {
    (void)state;
    static const char *const agents[] = {"expert", "observer", "clairvoyant"};
    sb_error error;
    for (size_t i = 0; i < 3; i++) {
        sb_env *env = made(NULL, "KeyDoorPuzzle/medium#42");
        sb_player *player = sb_player_make(agents[i], &error);
        assert_ok(player && sb_player_begin(player, env, &error), error);
        while (!sb_status_of(env)->done) {
            step(env, sb_player_act(player, env));
            assert_non_null(sb_player_intent(player)->verb);
        }
        assert_true(sb_status_of(env)->success);
        sb_player_free(player);
        sb_free(env);
    }
}

/* With a very small budget a player still acts, and in the same way every time. */
static void a_budget_counts_states(void **state) {
    (void)state;
    sb_error error;
    for (int time = 0; time < 2; time++) {
        static sb_action first[50];
        sb_env *env = made(NULL, "SokobanPush/easy#1");
        sb_player *player = sb_player_make("expert", &error);
        sb_player_set_budget(player, 10);
        assert_ok(sb_player_begin(player, env, &error), error);
        for (int i = 0; i < 50 && !sb_status_of(env)->done; i++) {
            const sb_action action = sb_player_act(player, env);
            if (time) assert_int_equal(action, first[i]);
            first[i] = action;
            step(env, action);
        }
        sb_player_free(player);
        sb_free(env);
    }
}

static void players_need_a_name_and_an_episode(void **state) {
    (void)state;
    sb_error error;
    assert_error(sb_player_make("a-name-that-is-much-too-long-for-an-agent", &error), &error, SB_UNKNOWN, "no agent");
    sb_player *player = sb_player_make("expert", &error);
    sb_env *env = made(NULL, NULL);
    assert_error(sb_player_begin(player, env, &error), &error, SB_FINISHED, "reset first");
    sb_player_free(player);
    sb_player_free(NULL);
    sb_free(env);
}

/* ---- Tapes ------------------------------------------------------------------------------------------------------- */

static bool count_visits(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    (void)action, (void)error;
    size_t *n = context;
    assert_int_equal(sb_status_of(env)->steps, result ? *n : 0);
    ++*n;
    return true;
}

static void recorded_play_gives_a_tape_that_replays(void **state) {
    (void)state;
    static const char *const names[] = {"KeyDoorPuzzle-v0/medium#42", "babyai:GoTo#5", "toy:Hunt-v1#7"};
    static char line[1 << 16], again[1 << 16];
    sb_error error;
    sb_env *env = made(NULL, NULL), *other = made(NULL, NULL);
    assert_ok(sb_record(env, true, &error), error);
    sb_player *random = sb_player_make("random", &error);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(sb_reset(env, names[i], &error) && sb_player_begin(random, env, &error), error);
        while (!sb_status_of(env)->done) step(env, sb_player_act(random, env));
        sb_tape *tape = sb_tape_of(env, "my-bot", &error);
        assert_ok(tape != NULL, error);
        const size_t n = sb_tape_print(tape, line, sizeof line);
        sb_tape *read = sb_tape_load(NULL, line, n, &error);
        assert_ok(read != NULL, error);
        assert_int_equal(sb_tape_print(read, again, sizeof again), n);
        assert_string_equal(line, again);
        char printed[SB_NAME_MAX];
        sb_name_print(sb_tape_name(read), printed, sizeof printed);
        assert_string_equal(printed, names[i]);
        assert_string_equal(sb_tape_agent(read), "my-bot");
        assert_int_equal(sb_tape_actions(read, NULL, 0), sb_status_of(env)->steps);
        size_t visits = 0;
        assert_ok(sb_tape_replay(read, other, count_visits, &visits, &error), error);
        assert_int_equal(visits, sb_status_of(env)->steps + 1);
        uint64_t key[2], same[2];
        sb_key(env, key), sb_key(other, same);
        assert_memory_equal(key, same, sizeof key);
        sb_tape_free(tape), sb_tape_free(read);
    }
    sb_player_free(random);
    sb_free(env), sb_free(other);
}

static void a_copy_of_a_recorded_episode_knows_its_beginning(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made(NULL, "KeyDoorPuzzle/medium#42"), *other = made(NULL, NULL);
    assert_ok(sb_record(env, true, &error), error);
    step(env, SB_MOVE_UP), step(env, SB_MOVE_LEFT);
    sb_env *clone = sb_clone(env, &error);
    assert_ok(clone != NULL, error);
    step(clone, SB_NOOP);
    sb_tape *tape = sb_tape_of(clone, "me", &error);
    sb_action actions[4] = {0};
    assert_int_equal(sb_tape_actions(tape, actions, 4), 3);
    assert_true(actions[0] == SB_MOVE_UP && actions[1] == SB_MOVE_LEFT && actions[2] == SB_NOOP);
    assert_ok(sb_tape_replay(tape, other, NULL, NULL, &error), error);
    sb_tape_free(tape);
    assert_ok(sb_copy(clone, other, &error),
              error); /* the beginning of the other episode is unknown, so recording stops */
    assert_error(sb_tape_of(clone, "me", &error), &error, SB_INVALID, "call sb_record before");
    sb_free(env), sb_free(other), sb_free(clone);
}

static void impossible_tapes_are_refused(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = made(NULL, NULL);
    assert_error(sb_tape_of(env, "me", &error), &error, SB_FINISHED, "reset first");
    assert_ok(sb_reset(env, "GoToGoal/easy#1", &error), error);
    assert_error(sb_tape_of(env, "me", &error), &error, SB_INVALID, "call sb_record before");
    step(env, SB_NOOP);
    assert_error(sb_record(env, true, &error), &error, SB_INVALID, "before the first step");
    assert_ok(sb_reset(env, "GoToGoal/easy#1", &error) && sb_record(env, true, &error), error);
    assert_error(sb_tape_of(env, "two words", &error), &error, SB_INVALID, "no name for an agent");
    assert_error(sb_tape_of(env, "", &error), &error, SB_INVALID, "no name for an agent");
    assert_error(sb_tape_load(NULL, "{}", 2, &error), &error, SB_INVALID, "tape");
    sb_tape_free(NULL);
    sb_free(env);
}

static void tapes_of_brought_tasks_need_the_catalogue(void **state) {
    (void)state;
    char name[SB_NAME_MAX], line[2048];
    const sb_task_info *task;
    sb_error error;
    sb_catalogue *catalogue = with_tower(&task);
    snprintf(name, sizeof name, "climb:%s#7", task->name);
    sb_env *env = made(catalogue, name);
    assert_ok(sb_record(env, true, &error), error);
    while (!sb_status_of(env)->done) step(env, 0);
    sb_tape *tape = sb_tape_of(env, "me", &error);
    const size_t n = sb_tape_print(tape, line, sizeof line);
    sb_tape_free(tape);
    assert_error(sb_tape_load(NULL, line, n, &error), &error, SB_UNKNOWN, "unknown task");
    tape = sb_tape_load(catalogue, line, n, &error);
    assert_ok(tape && sb_tape_replay(tape, env, NULL, NULL, &error), error);
    sb_tape_free(tape);
    sb_free(env);
    sb_catalogue_free(catalogue);
}

/* Plays a batch and checks the tapes of its environments. */
static void a_batch_that_records_gives_tapes(void **state) {
    (void)state;
    sb_error error;
    const sb_name names[2] = {named(NULL, "GoToGoal/easy#1"), named(NULL, "LightsOut/hard#2")};
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names, .n_names = 2, .n = 2, .record = true},
                                    &(sb_batch_arrays){0}, &error);
    assert_ok(batch != NULL, error);
    for (sb_action a = 0; a < 30; a++)
        assert_ok(sb_batch_step(batch, (sb_action[]){a % 6, (a + 1) % 6}, &error), error);
    sb_env *other = made(NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        sb_tape *tape = sb_tape_of(sb_batch_env(batch, i), "learner", &error);
        assert_ok(tape && sb_tape_replay(tape, other, NULL, NULL, &error), error);
        sb_tape_free(tape);
    }
    sb_free(other);
    sb_batch_free(batch);
}

/* ---- Packs ------------------------------------------------------------------------------------------------------- */

static void the_official_pack_names_3700_episodes(void **state) {
    (void)state;
    sb_error error;
    sb_name name;
    uint64_t seeds[25];
    sb_pack *pack = sb_pack_make_official(&error);
    assert_ok(pack && sb_pack_verify(pack, &error), error);
    assert_int_equal(sb_pack_size(pack), 3700);
    assert_string_equal(sb_pack_family(pack), "agentick");
    assert_string_equal(sb_pack_base(pack), "eval");
    assert_int_equal(sb_pack_seeds(pack, "KeyDoorPuzzle-v0", "hard", seeds, 25), 25);
    sb_env *env = made(NULL, NULL);
    size_t found = 0;
    for (size_t i = 0; i < 3700; i++) {
        assert_true(sb_pack_name(pack, i, &name));
        if (strcmp(name.task, "KeyDoorPuzzle-v0") == 0 && strcmp(name.difficulty, "hard") == 0)
            assert_true(name.seed == seeds[found++]);
        if (i % 100 == 0) assert_ok(sb_reset_name(env, &name, &error), error);
    }
    assert_int_equal(found, 25);
    assert_false(sb_pack_name(pack, 3700, &name));
    assert_int_equal(sb_pack_seeds(pack, "NoSuchTask", "hard", seeds, 25), 0);
    sb_free(env);
    sb_pack_free(pack);
}

static void derived_packs_are_written_and_read_back(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/pack.json.gz", scratch_folder("library"));
    sb_error error;
    sb_pack *pack = sb_pack_make("agentick", "my-split", "KeyDoorPuzzle-v0,LightsOut-v0", "easy,hard", 7, &error);
    assert_ok(pack && sb_pack_save(pack, path, &error), error);
    assert_int_equal(sb_pack_size(pack), 2 * 2 * 7);
    sb_pack *read = sb_pack_load(path, &error);
    assert_ok(read && sb_pack_verify(read, &error), error);
    assert_string_equal(sb_pack_hash(read), sb_pack_hash(pack));
    const size_t n = sb_pack_print(pack, NULL, 0);
    char *text = malloc(n + 1);
    assert_int_equal(sb_pack_print(read, text, n + 1), n);
    sb_pack *parsed = sb_pack_parse(text, n, &error);
    assert_ok(parsed != NULL, error);
    assert_string_equal(sb_pack_hash(parsed), sb_pack_hash(pack));
    free(text);
    sb_pack_free(pack), sb_pack_free(read), sb_pack_free(parsed);
    sb_pack *every_level = sb_pack_make("babyai", "mine", NULL, NULL, 2, &error);
    assert_ok(every_level != NULL, error);
    assert_int_equal(sb_pack_size(every_level), 2 * 112);
    sb_pack_free(every_level);
    assert_error(sb_pack_make("agentick", "mine", "NoSuchTask", NULL, 2, &error), &error, SB_UNKNOWN, "unknown task");
    assert_error(sb_pack_make("agentick", "mine", NULL, NULL, 0, &error), &error, SB_INVALID, "needs a count");
    assert_error(sb_pack_make("climb", "mine", "Climb-v1", "kept", 2, &error), &error, SB_INVALID, "take long to find");
    assert_error(sb_pack_load("no/such/file", &error), &error, SB_IO, "no/such/file");
    sb_pack_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(families_tasks_difficulties_modes_and_arrays_are_listed_and_found),
        cmocka_unit_test(shapes_hold_for_every_task_and_difficulty),
        cmocka_unit_test(masks_have_an_entry_for_each_button_and_one_for_clicks),
        cmocka_unit_test(the_status_tells_score_and_level),
        cmocka_unit_test(a_fault_ends_the_episode_and_leaves_the_world_as_it_was),
        cmocka_unit_test(a_family_that_cannot_hide_its_state_has_no_observers),
        cmocka_unit_test(a_program_becomes_a_task_named_by_its_hash),
        cmocka_unit_test(errors_of_programs_name_the_place),
        cmocka_unit_test(episodes_that_are_expensive_to_find_are_kept),
        cmocka_unit_test(an_array_is_filled_where_the_caller_wants_it),
        cmocka_unit_test(experts_succeed_and_give_intents),
        cmocka_unit_test(a_budget_counts_states),
        cmocka_unit_test(players_need_a_name_and_an_episode),
        cmocka_unit_test(recorded_play_gives_a_tape_that_replays),
        cmocka_unit_test(a_copy_of_a_recorded_episode_knows_its_beginning),
        cmocka_unit_test(impossible_tapes_are_refused),
        cmocka_unit_test(tapes_of_brought_tasks_need_the_catalogue),
        cmocka_unit_test(a_batch_that_records_gives_tapes),
        cmocka_unit_test(the_official_pack_names_3700_episodes),
        cmocka_unit_test(derived_packs_are_written_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
