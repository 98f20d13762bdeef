/* Tests what happens when memory runs out while something is planned, and in what users of the library make, and that
 * the hot path allocates nothing (tests/faults_support.h). */
#include "tests/faults_support.h"

#include <stdlib.h>
#include <string.h>

#include "oracles/beam.h"
#include "rollout/selection.h"
#include "rollout/worker.h"
#include "seedbed/gridworld.h"
#include "seedbed/pack.h"
#include "seedbed/picture.h"
#include "seedbed/player.h"
#include "seedbed/tape.h"
#include "tests/testfamily/toy.h"

/* ---- The hot path ---- */

static void play_and_look(sb_env *env, sb_env *copy, const sb_name *name) {
    static _Alignas(int64_t) char text[1 << 16];
    sb_error error;
    sb_rng rng;
    sb_rng_seed(&rng, name->seed, NULL);
    assert_ok(sb_reset_name(env, name, &error), error);
    for (int i = 0; i < 20 && !sb_status_of(env)->done; i++) {
        sb_result result;
        uint64_t key[2];
        sb_action valid[8];
        bool mask[SB_MASK_MAX];
        const sb_action action = (sb_action)sb_integers(&rng, 0, env->n_actions);
        assert_ok(sb_step(env, action, &result, &error), error);
        for (size_t m = 0; m < env->family->n_modes; m++)
            assert_true(sb_observe(env, &env->family->modes[m], text, sizeof text) < sizeof text);
        for (size_t a = 0; a < env->family->n_arrays; a++) env->family->fill(env, a, text);
        sb_valid_actions(env, valid, 8);
        sb_action_mask(env, mask, SB_MASK_MAX);
        sb_key(env, key);
        assert_ok(sb_copy(copy, env, &error), error);
    }
}

static void test_generate_step_observe_and_copy_allocate_nothing(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "0..9"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, NULL, &error), *copy = sb_make(NULL, NULL, &error);
    play_and_look(env, copy, sb_selection_name(&selection, 0, &(sb_name){0})); /* the first episode allocates memory */
    arm(MEMORY, 0);
    for (size_t i = 0; i < selection.n; i++) play_and_look(env, copy, sb_selection_name(&selection, i, &(sb_name){0}));
    const long allocations = calls[MEMORY];
    disarm();
    assert_int_equal(allocations, 0);
    sb_free(env), sb_free(copy);
    sb_selection_free(&selection);
}

/* The modes of worlds need memory. A text that it does not suffice for is empty, and its buffer says so. */
static void test_a_text_without_memory_is_no_text(void **state) {
    (void)state;
    static char whole[1 << 14], told[sizeof whole];
    static const char *const names[] = {"autumn:LadderAndLamp#1", "autumn:Seesaw#1"};
    long n_failed = 0;
    sb_error error;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        sb_env *env = sb_make(NULL, names[k], &error);
        assert_ok(env != NULL, error);
        for (size_t m = 0; m < env->family->n_modes; m++) {
            const sb_mode *mode = &env->family->modes[m];
            assert_in_range(sb_observe(env, mode, whole, sizeof whole), 1, sizeof whole - 1);
            for (long n = 1;; n++) {
                sb_out out = sb_out_fixed(told, sizeof told);
                arm(MEMORY, n);
                env->family->observe(env, mode, &out);
                const bool all = calls[MEMORY] < n;
                arm(MEMORY, n);
                const size_t length = sb_observe(env, mode, told, sizeof told);
                disarm();
                assert_int_equal(sb_out_ok(&out), all);
                assert_string_equal(told, all ? whole : "");
                assert_int_equal(length, strlen(told));
                if (all) break;
                n_failed++;
            }
        }
        sb_free(env);
    }
    assert_true(n_failed > 10);
}

/* Plays fifty steps and paints each state, unless the brush is NULL. */
static void play_and_paint(sb_env *env, const sb_brush *brush) {
    static uint8_t pixels[1 << 21];
    sb_error error;
    for (sb_action a = 0; !sb_status_of(env)->done && a < 50; a++) {
        sb_result result;
        if (brush)
            assert_in_range(sb_observe_array(env, sb_brush_array(brush), pixels, sizeof pixels), 1, sizeof pixels);
        assert_ok(sb_step(env, a * 7 % env->n_actions, &result, &error), error);
    }
}

/* One brush for each look of the families, and with larger tiles. Steps of programs allocate in their first episode. */
static void test_pictures_allocate_nothing_once_brushes_are_made(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t look;
        int32_t tile, size;
    } cases[] = {{"KeyDoorPuzzle/hard#1", 0, 8, 0},        {"TreasureHunt/medium#1", 0, 16, 0},
                 {"TaskInterference/easy#1", 0, 8, 0},     {"KeyDoorPuzzle/hard#1", 1, 0, 512},
                 {"FogOfWarExploration/easy#1", 1, 0, 64}, {"babyai:BossLevel#1", 0, 8, 0},
                 {"babyai:BossLevel#1", 1, 32, 0},         {"autumn:Seesaw#1", 0, 8, 0},
                 {"autumn:LadderAndLamp#1", 0, 32, 0},     {"arc:Moss/intro#1", 0, 4, 0}};
    sb_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_env *env = sb_make(NULL, cases[i].name, &error);
        assert_ok(env != NULL, error);
        const sb_look *look = sb_look_at(env->family, cases[i].look);
        sb_brush *brush = sb_brush_make(env->family, look,
                                        &(sb_brush_options){.tile = cases[i].tile, .size = cases[i].size}, &error);
        assert_ok(brush != NULL, error);
        play_and_paint(env, NULL);
        assert_ok(sb_reset(env, cases[i].name, &error), error);
        arm(MEMORY, 0);
        play_and_paint(env, brush);
        const long allocations = calls[MEMORY];
        disarm();
        assert_int_equal(allocations, 0);
        sb_brush_free(brush);
        sb_free(env);
    }
}

enum { FEW = 8, ROOM = 1 << 15 /* bytes of the largest array and the longest text */ };

/* Finds an extent in which the array of every name fits. */
static void find_extent(const sb_family *family, const sb_name *names, size_t n, sb_array_out *out) {
    const size_t index = (size_t)(out->array - family->arrays);
    for (size_t i = 0; i < n; i++) {
        sb_error error;
        sb_shape shape;
        assert_ok(sb_name_shape(NULL, &names[i], &shape, &error), error);
        for (int d = 0; d < out->array->rank; d++)
            if (shape.extent[index][d] > out->extent[d]) out->extent[d] = shape.extent[index][d];
    }
    size_t bytes = sb_scalar_size(out->array->type);
    for (int d = 0; d < out->array->rank; d++) bytes *= (size_t)out->extent[d];
    assert_true(bytes <= ROOM);
}

static sb_name *name_all(size_t *n) {
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "0"}, &selection, &error), error);
    sb_name *names = calloc(selection.n, sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < selection.n; i++) sb_selection_name(&selection, i, &names[i]);
    *n = selection.n;
    sb_selection_free(&selection);
    return names;
}

/* Makes a batch with all outputs: texts, padded arrays, masks and keys, of the present state and of the ends of
 * episodes. */
static sb_batch *made_to_show_all(sb_autoreset autoreset, char (*texts)[ROOM]) {
    static char numbers[2][SB_ARRAYS_MAX][FEW * ROOM], finals[FEW][ROOM];
    static sb_result results[FEW];
    static bool masks[2][FEW][8], begun[FEW], idle[FEW];
    static uint64_t keys[FEW][2];
    const sb_family *family = sb_family_at(0);
    sb_array_out arrays[2][SB_ARRAYS_MAX] = {0};
    sb_batch_view views[2];
    size_t n_names;
    sb_error error;
    sb_name *names = name_all(&n_names);
    for (int v = 0; v < 2; v++) {
        for (size_t a = 0; a < family->n_arrays; a++) {
            arrays[v][a] = (sb_array_out){.array = &family->arrays[a], .out = numbers[v][a]};
            find_extent(family, names, n_names, &arrays[v][a]);
        }
        views[v] = (sb_batch_view){.mode = sb_mode_find(family, "language", &error),
                                   .texts = v ? finals[0] : texts[0],
                                   .text_size = ROOM,
                                   .arrays = arrays[v],
                                   .n_arrays = family->n_arrays,
                                   .masks = masks[v][0],
                                   .mask_size = sizeof masks[v][0]};
    }
    const sb_batch_plan plan = {.names = names,
                                .n_names = n_names,
                                .n = FEW,
                                .threads = 2,
                                .then = SB_THEN_NEXT,
                                .autoreset = autoreset,
                                .record = true};
    sb_batch *batch = sb_batch_make(
        &plan,
        &(sb_batch_arrays){
            .results = results, .begun = begun, .idle = idle, .keys = keys, .now = views[0], .final = views[1]},
        &error);
    free(names);
    assert_ok(batch != NULL, error);
    return batch;
}

/* Resets environments whose episodes have ended. */
static void reset_ended(sb_batch *batch) {
    bool ended[FEW];
    sb_error error;
    for (size_t i = 0; i < FEW; i++) ended[i] = sb_status_of(sb_batch_env(batch, i))->done;
    assert_ok(sb_batch_reset(batch, ended, NULL, &error), error);
}

static void test_batches_allocate_nothing_once_made(void **state) {
    (void)state;
    static char texts[FEW][ROOM];
    sb_action actions[FEW];
    sb_error error;
    for (int autoreset = SB_NEXT_STEP; autoreset <= SB_NO_AUTORESET; autoreset++)
        for (int random = 0; random < 2; random++) {
            sb_batch *batch = made_to_show_all((sb_autoreset)autoreset, texts);
            sb_players *players = sb_players_make(batch, "random", &error);
            assert_ok(players != NULL, error);
            arm(MEMORY, 0);
            while (sb_batch_running(batch) > 0) {
                for (size_t i = 0; i < FEW; i++) actions[i] = (sb_action)((i + (size_t)texts[i][0]) % SB_N_ACTIONS);
                if (autoreset == SB_NO_AUTORESET) reset_ended(batch);
                if (random) assert_ok(sb_players_act(players, actions, &error), error);
                if (sb_batch_running(batch) > 0) assert_ok(sb_batch_step(batch, actions, &error), error);
            }
            const long allocations = calls[MEMORY];
            disarm();
            assert_int_equal(allocations, 0);
            sb_players_free(players);
            sb_batch_free(batch);
        }
}

static void test_experts_allocate_nothing_once_begun(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "3,4"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player player = {0};
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
        arm(MEMORY, 0);
        while (!sb_status_of(env)->done) {
            sb_result result;
            assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        }
        const long allocations = calls[MEMORY];
        disarm();
        assert_int_equal(allocations, 0);
    }
    sb_player_clear(&player);
    sb_free(env);
    sb_selection_free(&selection);
}

/* ---- Planning while memory fails ---- */

static bool play_clairvoyant(const char *text, sb_error *error) {
    sb_name name;
    sb_worker worker = {0};
    const bool ok = sb_name_parse(NULL, text, &name, error) &&
                    sb_worker_play(&worker, "clairvoyant", &name, NULL, NULL, error);
    assert_true(!ok || worker.tape.outcome.success);
    sb_worker_free(&worker);
    return ok;
}

/* Runs a beam of three, which is soon full. */
static bool run_beam(const char *text, sb_error *error) {
    sb_beam beam = {0};
    sb_budget budget = {.limit = 100000};
    sb_action actions[40];
    int n;
    sb_env *env = sb_make(NULL, text, error);
    const bool ok = env && sb_beam_search(&beam, env, 3, 40, &budget, actions, &n, error);
    sb_beam_close(&beam);
    sb_free(env);
    return ok;
}

/* Lets the first, second, third ... allocation fail, until planning succeeds. */
static void assert_plans_survive(bool (*plan)(const char *text, sb_error *error), const char *text) {
    sb_error error;
    long n = 1;
    for (;; n++) {
        arm(MEMORY, n);
        const bool ok = plan(text, &error);
        const long made = calls[MEMORY];
        disarm();
        if (ok && made < n) break;
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
    }
    assert_true(n > 10);
    assert_int_equal(toy_states, 0);
}

static void test_out_of_memory_at_any_call_of_the_clairvoyant_is_an_error(void **state) {
    (void)state;
    assert_plans_survive(play_clairvoyant, "DynamicObstacles/easy#1");
    assert_plans_survive(play_clairvoyant, "toy:Hunt#1");
    assert_plans_survive(run_beam, "GoToGoal/easy#1");
    assert_plans_survive(run_beam, "toy:Pile#1");
}

/* Acting cannot fail: without memory for a new plan the clairvoyant takes some action, and plans once there is memory.
 */
static void test_without_memory_for_another_plan_the_clairvoyant_still_acts(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    for (long n = 1; n < 12; n++) {
        sb_player player = {0};
        sb_env *env = sb_make(NULL, "toy:Hunt#1", &error);
        assert_ok(sb_player_begin_as(&player, "clairvoyant", env, &error), error);
        assert_ok(sb_step(env, TOY_DROP, &result, &error), error);
        arm(MEMORY, n);
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        disarm();
        while (!sb_status_of(env)->done) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        assert_true(result.success);
        sb_player_clear(&player);
        sb_free(env);
    }
}

/* ---- What users of the library make, while memory fails ---- */

/* Lets each allocation of `make` fail in turn, which it has to report; without a fault it then succeeds as if nothing
 * had failed. */
static void assert_makes(bool (*make)(void *context, sb_error *error), void *context, long least) {
    sb_error error;
    for (long n = 1;; n++) {
        arm(MEMORY, n);
        const bool ok = make(context, &error);
        const long made = calls[MEMORY];
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (!ok) assert_ok(make(context, &error), error);
        if (ok && made < n) {
            assert_true(n > least);
            return;
        }
    }
}

static bool make_batch_and_players(void *context, sb_error *error) {
    const sb_name *names = context;
    int16_t agents[2][3];
    const sb_array_out agent = {.array = sb_array_find(sb_family_at(0), "agent", error), .out = agents, .extent = {3}};
    sb_batch *batch = sb_batch_make(
        &(sb_batch_plan){.names = names, .n_names = 2, .n = 2, .threads = 2, .record = true},
        &(sb_batch_arrays){.now = {.arrays = &agent, .n_arrays = 1}}, error);
    sb_players *players = batch ? sb_players_make(batch, "expert", error) : NULL;
    const bool ok = players != NULL;
    sb_players_free(players);
    sb_batch_free(batch);
    return ok;
}

static bool make_brush(void *context, sb_error *error) {
    const sb_family *family = context;
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 0), &(sb_brush_options){.tile = 16}, error);
    sb_brush_free(brush);
    return brush != NULL;
}

static bool make_sized_brush(void *context, sb_error *error) {
    const sb_family *family = context;
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 1), &(sb_brush_options){.size = 64}, error);
    sb_brush_free(brush);
    return brush != NULL;
}

static void test_out_of_memory_for_a_brush_is_an_error(void **state) {
    (void)state;
    assert_makes(make_brush, (void *)sb_family_at(0), 6);
    assert_makes(make_brush, (void *)sb_family_at(1), 2);
    assert_makes(make_brush, (void *)sb_family_at(2), 2);
    assert_makes(make_sized_brush, (void *)sb_family_at(0), 30);
}

/* Environments begin one after the other, so that the allocations are always the same. */
static void assert_players_act_after(sb_name *names, const char *agent, const sb_action *wanted, long nth, bool *all) {
    sb_action actions[2];
    sb_error error;
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names, .n_names = 2, .n = 2, .threads = 1},
                                    &(sb_batch_arrays){0}, &error);
    assert_ok(batch != NULL, error);
    sb_players *players = sb_players_make(batch, agent, &error);
    assert_ok(players != NULL, error);
    arm(MEMORY, nth);
    const bool ok = sb_players_act(players, actions, &error);
    *all = ok && calls[MEMORY] < nth;
    disarm();
    if (!ok) {
        assert_int_equal(error.code, SB_MEMORY);
        assert_true(actions[0] == -1 || actions[1] == -1);
        for (int i = 0; i < 2; i++) assert_true(actions[i] == -1 || actions[i] == wanted[i]);
        assert_ok(sb_players_act(players, actions, &error), error);
        assert_memory_equal(actions, wanted, sizeof actions);
    }
    sb_players_free(players);
    sb_batch_free(batch);
}

static void test_out_of_memory_at_any_call_of_players_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *agent, *names[2];
    } cases[] = {{"expert", {"KeyDoorPuzzle/easy#1", "GoToGoal/easy#2"}},
                 {"observer", {"FogOfWarExploration/easy#1", "KeyDoorPuzzle/easy#2"}},
                 {"expert", {"babyai:GoTo#1", "babyai:BossLevel#2"}},
                 {"expert", {"toy:Hunt#1", "toy:Pile#2"}},
                 {"expert", {"climb:Climb#1", "climb:Climb#2"}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sb_error error;
        sb_name names[2];
        sb_action wanted[2];
        bool all = false;
        for (int i = 0; i < 2; i++) {
            assert_ok(sb_name_parse(NULL, cases[c].names[i], &names[i], &error), error);
            sb_player player = {0};
            sb_env *env = sb_make(NULL, cases[c].names[i], &error);
            assert_ok(env && sb_player_begin_as(&player, cases[c].agent, env, &error), error);
            wanted[i] = sb_player_act(&player, env);
            sb_player_clear(&player), sb_free(env);
        }
        for (long n = 1; !all; n++) assert_players_act_after(names, cases[c].agent, wanted, n, &all);
        if (c == 0) assert_makes(make_batch_and_players, names, 10);
    }
    assert_int_equal(toy_states, 0);
}

typedef struct played {
    sb_env *env;
    char line[4096];
} played;

static bool make_tape(void *context, sb_error *error) {
    played *p = context;
    char line[4096];
    sb_tape *tape = sb_tape_of(p->env, "my-bot", error);
    if (!tape) return false;
    assert_true(sb_tape_print(tape, line, sizeof line) < sizeof line);
    if (p->line[0]) assert_string_equal(line, p->line);
    strcpy(p->line, line);
    sb_tape_free(tape);
    return true;
}

static void test_out_of_memory_at_any_call_of_a_tape_is_an_error(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    played p = {.env = sb_make(NULL, "GoToGoal/expert#1", &error)};
    assert_ok(p.env && sb_record(p.env, true, &error), error);
    for (int i = 0; !sb_status_of(p.env)->done; i++) assert_ok(sb_step(p.env, i % 3, &result, &error), error);
    assert_makes(make_tape, &p, 2);
    sb_free(p.env);
}

static const char a_tower[] = "levels 2\nwidth 3\nheight 3\nlimit 20\n";

/* After a failure the catalogue is unchanged, and adding the same again works. */
static bool fill_catalogue(void *context, sb_error *error) {
    sb_catalogue *catalogue = *(sb_catalogue **)context;
    const sb_family *climb = sb_family_find("climb", error);
    const sb_name kept = {"climb", "Climb-v1", "kept", 3};
    const sb_task_info *task = NULL;
    if (!catalogue && !(catalogue = *(sb_catalogue **)context = sb_catalogue_make(error))) return false;
    const bool ok = sb_catalogue_add_program(catalogue, climb, a_tower, strlen(a_tower), &task, error);
    assert_int_equal(ok, sb_program_at(catalogue, 0) != NULL);
    if (!ok || !sb_catalogue_add_derived(catalogue, &kept, "9 8 7", 5, error)) return false;
    assert_ptr_equal(sb_program_at(catalogue, 0)->task, task);
    assert_null(sb_program_at(catalogue, 1));
    sb_catalogue_free(catalogue);
    *(sb_catalogue **)context = NULL;
    return true;
}

static void test_out_of_memory_at_any_call_of_a_catalogue_is_an_error(void **state) {
    (void)state;
    sb_catalogue *catalogue = NULL;
    assert_makes(fill_catalogue, &catalogue, 5);
    assert_null(catalogue);
}

static bool make_pack(void *context, sb_error *error) {
    char *hash = context;
    sb_pack *pack = sb_pack_make("agentick", "mine", "GoToGoal,LightsOut", "easy,hard", 3, error);
    if (!pack) return false;
    if (hash[0]) assert_string_equal(sb_pack_hash(pack), hash);
    strcpy(hash, sb_pack_hash(pack));
    sb_pack_free(pack);
    return true;
}

static void test_out_of_memory_at_any_call_of_a_pack_is_an_error(void **state) {
    (void)state;
    char hash[128] = "";
    assert_makes(make_pack, hash, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generate_step_observe_and_copy_allocate_nothing),
        cmocka_unit_test(test_a_text_without_memory_is_no_text),
        cmocka_unit_test(test_batches_allocate_nothing_once_made),
        cmocka_unit_test(test_pictures_allocate_nothing_once_brushes_are_made),
        cmocka_unit_test(test_out_of_memory_for_a_brush_is_an_error),
        cmocka_unit_test(test_experts_allocate_nothing_once_begun),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_the_clairvoyant_is_an_error),
        cmocka_unit_test(test_without_memory_for_another_plan_the_clairvoyant_still_acts),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_players_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_tape_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_catalogue_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_pack_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
